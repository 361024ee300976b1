"""Bids and the exchange of cards that a blind nil may ask for: from the deal to the first lead.

Bids come in turn, the seat left of the dealer first. A bid that breaks a rule is ruled a breach and stands, until it is
corrected; a second bid of a seat changes nothing. A blind nil with an exchange is given two cards for two: its bidder
gives first, or declines, then its partner gives back. They may do so as soon as that bid is made, or when all have bid.

The cards on the table come first. When one is led before everybody's bid is known, it is judged, the exchange is taken
to be over, and the bids may still follow; the hand is scored when they are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from . import facts as f
from .cards import Cards, Seat, cards_of, count
from .judge import Felt, begin
from .rules import Bid, Game, Spades
from .rules.spades import partner
from .state import Answer, Auction, Deal, Exchanging, State, ignored, turn


def opened(game: Game, dealer: Seat, players: int) -> Auction | None:
    """The auction of a new hand; None in a game without bids."""
    return Auction({}, (dealer + 1) % players) if game.bidding else None


def answer(state: State, game: Game, deal: Deal | None, n: int, fact: f.Bid | f.Exchange | f.Exchanged) -> Answer:
    """The state after a bid or a part of an exchange, the ruling on it, and whose turn it is."""
    if not isinstance(game, Spades):
        return state, (ignored(state, n, fact, "not-in-this-game"),)
    if deal is None or deal.phase == "over" or deal.auction is None:
        return state, (ignored(state, n, fact, "no-hand"),)
    match fact:
        case f.Bid():
            return _bid(state, game, deal, deal.auction, n, fact)
        case f.Exchange():
            return _exchange(state, game, deal, deal.auction, n, fact)
        case f.Exchanged():
            if deal.phase != "bidding" or deal.auction.giving is None:
                return state, (ignored(state, n, fact, "no-exchange"),)
            state = _with(state, game, deal, _taken_as_done(deal.auction))
            return state, turn(state)


def led(state: State, game: Game, deal: Deal) -> State:
    """The state when a card is led: the bidding may go on, the exchange is over."""
    if deal.auction is None:
        return state
    return _playing(state, game, replace(deal, auction=_taken_as_done(deal.auction)))


# --- bids ----------------------------------------------------------------------------------------------------------


def _bid(state: State, game: Spades, deal: Deal, auction: Auction, n: int, fact: f.Bid) -> Answer:
    seat, asked = fact.seat, _bid_of(fact)
    earlier = auction.bids.get(seat)
    rules: list[str] = []
    if earlier is None:
        rules += game.bid_rules(seat, asked, auction.bids, state.totals)
    if earlier is not None or seat != auction.turn:
        rules.append("bid-order")
    line = {**_ruling(deal, n, seat, rules), "bid": fact.bid, "rules": rules}
    if fact.exchange:
        line["exchange"] = True
    if earlier is not None:
        line["stands"] = earlier.nil or earlier.tricks
    elif "bid-order" in rules:
        line["awaited"] = auction.turn
    if {"exchange-deficit", "blind-nil-deficit"} & set(rules):
        line["behind"] = game.behind(seat, state.totals)
        line["expected"] = game.exchange_deficit if "exchange-deficit" in rules else game.blind_nil_deficit
    elif "bid-range" in rules and asked.nil is None and asked.tricks < game.minimum_bid:
        line["expected"] = game.minimum_bid
    if earlier is None:
        stands = replace(asked, exchange=asked.nil == "blind-nil" and asked.exchange and game.exchange)
        bids = {**auction.bids, seat: stands}
        auction = replace(auction, bids=bids, turn=_next_to_bid(bids, seat if auction.turn is None else auction.turn))
        if deal.phase == "bidding" and deal.played is None:
            auction = _awaiting(auction)
        state = _with(state, game, deal, auction)
    return state, (line, *turn(state))


def _bid_of(fact: f.Bid) -> Bid:
    asks = bool(fact.exchange)
    return Bid(fact.bid, None, asks) if isinstance(fact.bid, int) else Bid(0, fact.bid, asks)


def _next_to_bid(bids: Mapping[Seat, Bid], seat: Seat) -> Seat | None:
    """The first from *seat* on that has not bid."""
    return next(((seat + k) % 4 for k in range(4) if (seat + k) % 4 not in bids), None)


def _ruling(deal: Deal, n: int, seat: Seat, rules: list[str]) -> dict[str, Any]:
    return {"ruling": "breach" if rules else "legal", "n": n, "hand": deal.number, "trick": None, "seat": seat}


# --- the exchange --------------------------------------------------------------------------------------------------


def _exchange(state: State, game: Spades, deal: Deal, auction: Auction, n: int, fact: f.Exchange) -> Answer:
    seat = fact.seat
    bidder = next((b for b in _bidders(auction) if seat in (b, partner(b))), None)
    if deal.phase != "bidding" or deal.played is not None or bidder is None:
        return state, (ignored(state, n, fact, "no-exchange"),)
    if auction.gave(seat) is not None:
        return state, (ignored(state, n, fact, "exchanged-already"),)
    cards = cards_of(fact.cards) if fact.cards is not None else 0 if fact.declined else None
    number = count(cards) if cards is not None else fact.count or 0
    declined = bool(fact.declined) and seat == bidder
    rules: list[str] = []
    if number != game.pass_count and not declined:
        rules.append("exchange-count")
    elsewhere = cards is not None and bool(cards & _not_in_hand(deal, auction, seat))
    if elsewhere:
        rules.append("not-in-hand")
    if seat != bidder and auction.gave(bidder) is None:
        rules.append("turn")
    line: dict[str, Any] = {
        **_ruling(deal, n, seat, rules),
        "cards": None if fact.cards is None else " ".join(map(str, fact.cards)),
        "rules": rules,
    }
    if fact.declined:
        line["declined"] = True
    elif fact.cards is None:
        line["count"] = number
    if "exchange-count" in rules:
        line["expected"] = game.pass_count
    if "turn" in rules:
        line["awaited"] = bidder
    # Cards that cannot have been in that hand are none that the partner is known to have got.
    given = Exchanging(seat, None if elsewhere else cards, number, declined)
    state = _with(state, game, deal, _awaiting(replace(auction, given=(*auction.given, given))))
    return state, (line, *turn(state))


def _bidders(auction: Auction) -> Iterator[Seat]:
    """The seats that have asked for an exchange, one of each side."""
    for seat, bid in auction.bids.items():
        earlier = list(auction.bids)[: list(auction.bids).index(seat)]
        if bid.exchange and not any(s == partner(seat) and auction.bids[s].exchange for s in earlier):
            yield seat


def _awaiting(auction: Auction) -> Auction:
    """The auction with the seat that is to give cards now."""
    for bidder in _bidders(auction):
        first = auction.gave(bidder)
        if first is None:
            return replace(auction, giving=bidder)
        if not first.declined and auction.gave(partner(bidder)) is None:
            return replace(auction, giving=partner(bidder))
    return replace(auction, giving=None)


def _taken_as_done(auction: Auction) -> Auction:
    """The auction with what is still to be given taken as given, unseen and uncounted."""
    while auction.giving is not None:
        unseen = Exchanging(auction.giving, None, None)
        auction = _awaiting(replace(auction, given=(*auction.given, unseen)))
    return auction


# --- what is known of the hands ------------------------------------------------------------------------------------


def _with(state: State, game: Game, deal: Deal, auction: Auction) -> State:
    """The state with this auction; once nothing more is awaited, the hand is played."""
    deal = replace(deal, auction=auction)
    if deal.phase == "bidding" and deal.played is None and auction.awaited is None:
        return _playing(state, game, deal)
    return replace(state, deal=deal)


def _playing(state: State, game: Game, deal: Deal) -> State:
    felt = _felt(game, deal, deal.auction) if deal.auction is not None else deal.felt
    return replace(state, deal=replace(deal, phase="playing", felt=felt))


def _felt(game: Game, deal: Deal, auction: Auction) -> Felt:
    """The felt with what is known of the hands after what has been given so far."""
    hands = [_hand_of(deal, auction, seat) for seat in range(deal.felt.players)]
    return begin(
        game,
        deal.felt.players,
        known=tuple(known for known, _ in hands),
        full=tuple(whole and count(known) == deal.felt.size for known, whole in hands),
        even=all(given.declined or given.count == game.pass_count for given in auction.given),
        leader=game.opener(deal.dealer, deal.felt.players),
    )


def _hand_of(deal: Deal, auction: Auction, seat: Seat) -> tuple[Cards, bool]:
    """The cards known to be in *seat*'s hand now, and whether they are all of it. The partner may give back what it has
    got, so what counts is the order in which they gave; after cards that nobody saw leave a hand, none of it is known.
    """
    known = deal.dealt[seat]
    whole = count(known) == deal.felt.size
    for given in auction.given:
        if given.seat == seat:
            known = known & ~given.cards if given.cards is not None else 0
        elif given.seat == partner(seat):
            known |= given.cards or 0
        if given.seat in (seat, partner(seat)):
            whole = whole and given.cards is not None
    return known, whole


def _not_in_hand(deal: Deal, auction: Auction, seat: Seat) -> Cards:
    """The cards that *seat* cannot have now, as far as the hands are known."""
    mine, whole = _hand_of(deal, auction, seat)
    if whole:
        return deal.felt.deck & ~mine
    elsewhere = 0
    for other in range(deal.felt.players):
        elsewhere |= _hand_of(deal, auction, other)[0] if other != seat else 0
    return elsewhere
