"""How hands and matches end: what a hand scores, its audit, whether the match is over, and the places.

A moon may leave its shooter a choice. Then nothing is scored until it is made, and the next hand or the end of the
match makes it by default. Whoever reads a game to its end asks ``default_choice`` for the fact that settles it: so the
end of the input is no state of its own, and what was told is what the same facts tell again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from . import facts as f
from .cards import Cards, Seat, each
from .judge import SOMEONE, Felt, Finding
from .rules import Game, Played
from .state import Answer, Choice, Deal, Line, Lines, Result, Score, State, ignored, turn, verdict_line


def end_hand(state: State, game: Game, deal: Deal, n: int, fact: f.EndHand) -> Answer:
    """The hand ends by agreement, with the points of the whole hand, or its tricks in a game with bids."""
    players = len(state.players)
    if game.bidding:
        tricks = {seat: (fact.tricks or {}).get(seat, 0) for seat in range(players)}
        if fact.tricks is None or sum(tricks.values()) != deal.felt.size:
            return state, (ignored(state, n, fact, "tricks-do-not-add-up", because=str(deal.felt.size)),)
        return end_of_play(state, game, deal, n, dict.fromkeys(range(players), 0), tricks)
    points = {seat: (fact.points or {}).get(seat, 0) for seat in range(players)}
    least = sum(min(game.points(card.bit), 0) for card in each(deal.felt.deck))
    if fact.points is None or min(points.values()) < least or sum(points.values()) != game.points_in_hand:
        because = str(game.points_in_hand)
        return state, (ignored(state, n, fact, "points-do-not-add-up", because=because),)
    return end_of_play(state, game, deal, n, points, dict.fromkeys(range(players), 0))


def end_of_play(
    state: State,
    game: Game,
    deal: Deal,
    n: int,
    taken: Mapping[Seat, int],
    tricks: Mapping[Seat, int],
    cards: Mapping[Seat, Cards] | None = None,
) -> Answer:
    """The last card has been laid, or the players agree: each seat has *taken* these points, with these *cards* where
    they are known, and won these *tricks*."""
    played = Played(
        taken,
        tricks,
        deal.auction.bids if deal.auction is not None else {},
        tuple(_offences(deal)),
        state.totals,
        state.scores[-1].bags or {} if state.scores else {},
        cards=cards,
        hands=len(state.scores),
    )
    if deal.auction is not None and deal.auction.turn is not None:
        state = replace(state, deal=replace(deal, phase="bidding", played=played), questions=())
        return state, (audit(deal, n), *turn(state))
    state = replace(state, deal=replace(deal, phase="choosing", played=played), questions=())
    state, scored = _score(state, game, n)
    return state, (audit(deal, n), *scored)


def bids_complete(state: State, game: Game, n: int, lines: Lines) -> Answer:
    """After *lines* on a bid: a hand that was played before everybody's bid was known is scored when the last comes."""
    deal = state.deal
    if deal is None or deal.phase != "bidding" or deal.played is None or deal.auction is None:
        return state, lines
    if deal.auction.turn is not None:
        return state, lines
    played = replace(deal.played, bids=deal.auction.bids)
    state, scored = _score(replace(state, deal=replace(deal, phase="choosing", played=played)), game, n)
    return state, lines + scored


def _offences(deal: Deal) -> Iterator[tuple[Seat, str]]:
    """The offences that stand, as seat and rule. A card out of turn, or a spade on the first trick, may be a revoke as
    well, which costs something of its own."""
    for finding in deal.settled:
        if finding.how == SOMEONE:
            continue
        rules = (finding.rule, *finding.also)
        yield from ((finding.seat, rule) for rule in rules)
        if "follow-suit" not in rules and _revoked(deal.felt, finding):
            yield finding.seat, "follow-suit"


def _revoked(felt: Felt, finding: Finding) -> bool:
    """Whether the card of *finding* did not follow the card that lay there, though its seat laid that suit later."""
    trick = next((t for t in felt.tricks if any(laid.n == finding.n for laid in t.cards)), None)
    if trick is None:
        return False
    lies = [laid.seat for laid in trick.cards]
    led = trick.led
    if led is None or finding.card is None or lies.index(trick.lead) >= lies.index(finding.seat):
        return False
    if finding.card.suit == led.suit:
        return False
    later = (t.card_of(finding.seat) for t in felt.tricks if t.number > trick.number)
    return any(laid is not None and laid.card is not None and laid.card.suit == led.suit for laid in later)


def choose(state: State, game: Game, n: int, fact: f.Choose) -> Answer:
    """The shooter of a moon says what it does."""
    asked, deal = state.choice, state.deal
    if asked is None or deal is None or deal.played is None or fact.seat != asked.seat or fact.choice not in asked.of:
        return state, (ignored(state, n, fact, "not-asked"),)
    played = replace(deal.played, chose=fact.choice)
    return _score(replace(state, deal=replace(deal, played=played), choice=None), game, n)


def default_choice(state: State) -> f.Choose | None:
    """What the shooter of a moon is taken to have chosen if nobody says so: what is better for it, as settled. None
    while nothing is asked."""
    asked, deal, game = state.choice, state.deal, state.game
    if asked is None or deal is None or deal.played is None or game is None:
        return None
    moon = game.score(replace(deal.played, chose="auto")).moon
    return f.Choose(seat=asked.seat, choice=moon["choice"]) if moon is not None else None


def settle(state: State, game: Game, n: int) -> Answer:
    """The hand whose shooter has not chosen is scored by default."""
    default = default_choice(state)
    return choose(state, game, n, default) if default is not None else (state, ())


def _score(state: State, game: Game, n: int) -> Answer:
    """Score the hand that has been played, or ask for the choice that it depends on."""
    deal = state.deal
    if deal is None or deal.played is None:
        return state, ()
    result = game.score(deal.played)
    if result.choice and result.moon is not None:
        asked = Choice(result.moon["seat"], result.choice, deal.number)
        return replace(state, choice=asked), ({"event": "choice", "seat": asked.seat, "of": list(asked.of)},)
    totals = {side: total + result.points.get(side, 0) for side, total in state.totals.items()}
    score = Score(deal.number, result.points, totals, result.moon, result.sides, result.bags)
    state = replace(state, deal=replace(deal, phase="over"), scores=(*state.scores, score), choice=None)
    line: Line = {"event": "hand", "hand": deal.number}
    if result.sides is not None:
        line = {**line, "sides": {side: dict(told) for side, told in result.sides.items()}}
    else:
        moon = dict(result.moon) if result.moon else None
        line = {**line, "points": dict(result.points), "totals": totals, "moon": moon}
    reason = game.ended(totals, len(state.scores))
    if reason is None:
        return state, (line,)
    state, ending = end_match(state, game, reason)
    return state, (line, *ending)


def end_match(state: State, game: Game, reason: str) -> Answer:
    """The match is over. Who has left is ranked below all who stay, the first to leave last (R078)."""
    left = [str(seat) for seat in reversed(state.left)]
    stayed = {side: total for side, total in state.totals.items() if side not in left}
    result = Result((*game.places(stayed), *((side,) for side in left)), state.totals, reason)
    line = {
        "event": "match",
        "places": [list(place) for place in result.places],
        "totals": dict(result.totals),
        "winners": list(result.winners),
        "reason": reason,
    }
    return replace(state, result=result, deal=None, questions=(), choice=None), (line,)


def broken_off(deal: Deal | None, n: int) -> Lines:
    """The audit of a hand that is not played out: told when there is something to tell."""
    if deal is None or deal.done or not (deal.pending or deal.settled):
        return ()
    return (audit(deal, n),)


def audit(deal: Deal, n: int) -> Line:
    """The offences of a hand that stand, and what stays unresolved; claims that no later card can settle are that."""
    unresolved = [verdict_line(finding) for finding in deal.pending]
    if not deal.felt.complete:
        unresolved += [
            {"seat": c.seat, "n": c.n, "trick": c.trick, "card": str(c.card), "rule": c.denied[0][1]}
            for c in deal.felt.claims
            if not c.counted
        ]
    offences = [verdict_line(finding) for finding in deal.settled]
    return {"ruling": "confirmed", "n": n, "hand": deal.number, "offences": offences, "unresolved": unresolved}
