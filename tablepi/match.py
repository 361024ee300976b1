"""A match as it goes forward: deals, passes, plays, scores, questions.

``advance(state, item)`` gives the next state and the lines that answer one fact. The table (``table.py``) keeps the
record and calls it again from an earlier state when the past is revised, so nothing here looks back further than the
deal in play, and nothing here raises on a fact that makes no sense: it is ``ignored`` with the reason.

A sensor's fact becomes a play through ``sight``, every play goes to the ``judge``, and the judge's verdict becomes
lines here, in the order that the contract fixes: the ruling, offences by their number, questions, the suit broken, the
trick, the audit, the hand, the match, the turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from . import absence, auction
from . import facts as f
from .cards import Card, Seat, cards_of, count, each, look_alikes
from .facts import Fact
from .judge import (
    SOMEONE,
    Again,
    Doubts,
    Explanation,
    Felt,
    Finding,
    Held,
    Laid,
    Trick,
    Verdict,
    explanations,
    in_conflict,
    lay,
    replay,
)
from .passing import opened_felt, pass_cards, passed
from .rules import Game, Rulebook, game_of
from .scoring import bids_complete, broken_off, choose, end_hand, end_match, end_of_play, settle
from .sight import STEADY_S, Agrees, Conflicts, NewPlay, Repeat, doubtful, left, read, unreadable
from .state import Answer, Deal, Item, Line, Lines, Question, State, Waiting, cleared, ignored, offence, turn


def advance(state: State, item: Item) -> Answer:
    """The state after one fact, and the lines that answer it."""
    state, lines = wait_over(state, item.fact.at)
    if item.mute or _counts_elsewhere(state, item):
        return state, lines + item.said
    state, answer = _answer(state, item)
    return state, lines + item.said + answer


def _counts_elsewhere(state: State, item: Item) -> bool:
    """Whether this is the one of a late card's two items that does not count."""
    felt = state.felt
    if felt is None or not (item.late or item.spare):
        return False
    if item.spare:
        return any(happening.n == item.n for happening in felt.history)
    seat = getattr(item.fact, "seat", None)
    return seat is not None and (felt.lies(seat) is not None or not felt.may_play(seat))


def _answer(state: State, item: Item) -> Answer:
    n, fact = item.n, item.fact
    match fact:
        case f.Match():
            return _begin_match(state, n, fact)
        case f.Lost(device=device, reason=reason):
            return replace(state, lost=(*(other for other in state.lost if other[0] != device), (device, reason))), ()
        case f.Found(device=device):
            return replace(state, lost=tuple(other for other in state.lost if other[0] != device)), ()
        case f.Tick():
            return state, ()
        case _ if state.match is None or state.game is None:
            return state, (ignored(state, n, fact, "no-match"),)
        case f.Tag(card=None, uid=str(uid)):
            strangers = (*(s for s in state.strangers if s != uid), uid)[-8:]
            return replace(state, strangers=strangers), (ignored(state, n, fact, "unknown-tag"),)
        case _ if _of_a_hand_that_is_over(state.deal, fact):
            return state, ()
        case _ if state.result is not None:
            return state, (ignored(state, n, fact, "match-over"),)
        case f.Hand() | f.EndMatch() if state.choice is not None:
            chosen, settled = settle(state, state.game, n)
            after, lines = _answer(chosen, item)
            first = tuple(line for line in lines if "ruling" in line)  # the match is over with that
            return after, first + settled + tuple(line for line in lines if line not in first)
        case f.Hand():
            return _deal(state, state.game, n, fact)
        case f.EndMatch():
            over, ending = end_match(state, state.game, "agreement")
            return over, broken_off(state.deal, n) + ending
        case f.Bid() | f.Exchange() | f.Exchanged():
            told, lines = auction.answer(state, state.game, state.deal, n, fact)
            return bids_complete(told, state.game, n, lines)
        case f.Choose():
            return choose(state, state.game, n, fact)
        case f.Timeout() | f.Leave():
            return absence.answer(state, state.game, n, fact)
        case _:
            return _answer_in_hand(state, state.game, state.deal, item)


def _of_a_hand_that_is_over(deal: Deal | None, fact: Fact) -> bool:
    """Whether a sensor tells what is known of the last trick: it is swept, or its cards lie there still."""
    if deal is not None and not deal.done:
        return False
    if isinstance(fact, f.Gone | f.Untag | f.Cleared):
        return True
    known = deal.felt.seen if deal is not None else 0
    return isinstance(fact, f.Seen | f.Tag) and fact.card is not None and bool(fact.card.bit & known)


def _answer_in_hand(state: State, game: Game, deal: Deal | None, item: Item) -> Answer:
    n, fact = item.n, item.fact
    if deal is None or deal.phase == "over" or (deal.done and not isinstance(fact, f.Misdeal)):
        return state, (ignored(state, n, fact, "no-hand"),)
    match fact:
        case f.Misdeal():
            state = replace(state, deal=None, next_dealer=deal.dealer, questions=(), choice=None)
            return state, (*broken_off(deal, n), {"event": "misdeal", "hand": deal.number})
        case f.EndHand():
            return end_hand(state, game, deal, n, fact)
        case f.Pass():
            return pass_cards(state, deal, n, fact)
        case f.Passed():
            if deal.phase != "passing":
                return state, (ignored(state, n, fact, "no-pass"),)
            state = passed(state, deal)
            return state, turn(state)
        case f.Holds():
            return _holds(state, deal, n, fact)
        case f.Play(seat=seat, card=card):
            return _play(state, item, seat, card)
        case f.Seen() | f.Tag():
            return _sense(state, item, fact)
        case f.Gone(card=card) if fact.by_reader:
            return _on_the_pile(state, deal, n, card)
        case f.Gone(card=card) | f.Untag(card=card):
            return _lift(state, deal, fact, card)
        case f.Cleared():
            swept = tuple(laid.n for laid in deal.felt.before_the_players) if not deal.felt.trick else ()
            lifted = (*deal.lifted, *(number for number in swept if number not in deal.lifted))
            deal = replace(deal, lifted=lifted)
            return _ask(replace(state, deal=deal), _swept_along(deal, n))
        case _:
            return state, ()


def _swept_along(deal: Deal, n: int) -> tuple[Question, ...]:
    """What the table asks when a card that it took for a lead was swept with the trick before: it was a second card of
    its seat, and one of the two went back into the hand."""
    felt = deal.felt
    if len(felt.trick) != 1 or not felt.tricks:
        return ()
    (second,), last = felt.trick, felt.tricks[-1]
    first = last.card_of(second.seat)
    if first is None or first.card is None or second.card is None or second.sure:
        return ()
    if any(laid.n in deal.lifted for laid in last.cards):  # that trick had been swept before
        return ()
    return (Question("", n, first.n, second.seat, "card", "which", (first.card, second.card), second.n),)


# --- the match and its hands ---------------------------------------------------------------------------------------


def match_complaint(rulebook: Rulebook, match: f.Match) -> str | None:
    """Why *match* cannot be played: an unknown rule set, a number of players or an option that it does not have."""
    try:
        game = game_of(rulebook, match.rules, match.options)
    except ValueError as error:
        return str(error)
    if len(match.players) not in game.players:
        counts = " or ".join(map(str, game.players))
        return f"players: {match.rules} is for {counts} players, not {len(match.players)}"
    return None


def _begin_match(state: State, n: int, fact: f.Match) -> Answer:
    if state.match is not None or match_complaint(state.rulebook, fact) is not None:
        return state, (ignored(state, n, fact, "refused"),)
    game = game_of(state.rulebook, fact.rules, fact.options)
    return replace(state, match=fact, game=game), ()


def _deal(state: State, game: Game, n: int, fact: f.Hand) -> Answer:
    if state.deal is not None and state.deal.phase != "over":
        return state, (ignored(state, n, fact, "hand-not-over"),)
    players = len(state.players)
    deck = game.deck(players)
    dealt = tuple(cards_of((fact.hands or {}).get(seat, ())) for seat in range(players))
    size = deck.bit_count() // players
    if any(count(cards) > size or cards & ~deck for cards in dealt):
        return state, (ignored(state, n, fact, "impossible-hand"),)
    direction = game.pass_direction(players, len(state.scores))
    dealer = state.next_dealer if fact.dealer is None else fact.dealer
    number = state.deals + 1
    passing = direction not in (None, "hold")
    bids = auction.opened(game, dealer, players)
    phase = "passing" if passing else "bidding" if bids is not None else "playing"
    felt = opened_felt(game, players, dealt, game.opener(dealer, players))
    deal = Deal(number, dealer, direction, phase, dealt, felt, auction=bids)
    state = replace(state, deal=deal, deals=number, next_dealer=(dealer + 1) % players, questions=())
    lines: Lines = () if direction is None else ({"event": "pass", "hand": number, "direction": direction},)
    return state, lines if passing else lines + turn(state)


# --- passing and known hands ---------------------------------------------------------------------------------------


def _holds(state: State, deal: Deal, n: int, fact: f.Holds) -> Answer:
    cards = cards_of(fact.cards)
    if deal.all_passed:
        state = _begun(state, deal)  # these are hands as they are to be played
        deal = state.deal or deal
    given = deal.pass_of(fact.seat)
    if deal.phase == "passing" and given is not None and given.cards is None:
        return state, (ignored(state, n, fact, "during-pass"),)
    if deal.auction is not None and deal.phase == "bidding" and deal.auction.given:
        return state, (ignored(state, n, fact, "during-exchange"),)
    if deal.phase in ("passing", "bidding"):
        others = [dealt for seat, dealt in enumerate(deal.dealt) if seat != fact.seat]
        mine = deal.dealt[fact.seat] | cards
        if cards & ~deal.felt.deck or any(cards & other for other in others) or count(mine) > deal.felt.size:
            return state, (ignored(state, n, fact, "impossible-hand"),)
        dealt = tuple(mine if seat == fact.seat else other for seat, other in enumerate(deal.dealt))
        return replace(state, deal=replace(deal, dealt=dealt)), ()
    felt = deal.felt
    left_over = felt.size - sum(1 for _, laid in felt.places() if laid.seat == fact.seat)
    if (
        cards & ~felt.unseen_for(fact.seat)
        or count(felt.known[fact.seat] | cards) > left_over
        or (felt.full[fact.seat] and cards & ~felt.known[fact.seat])
    ):
        return state, (ignored(state, n, fact, "impossible-hand"),)
    after, verdict = lay(felt, Held(n, fact.seat, cards))
    return _offences(replace(state, deal=replace(deal, felt=after)), n, verdict.found, in_hand=True)


# --- plays ---------------------------------------------------------------------------------------------------------


def wait_over(state: State, at: float | None) -> Answer:
    """Sightings that have become steady by *at* count as plays now."""
    deal = state.deal
    if at is None or deal is None or not deal.waiting:
        return state, ()
    ripe = sorted((w for w in deal.waiting if w.due <= at), key=lambda w: (w.due, w.item.n))
    if not ripe:
        return state, ()
    state = replace(state, deal=replace(deal, waiting=tuple(w for w in deal.waiting if w.due > at)))
    lines: Lines = ()
    for sighting in ripe:
        fact = steadied(sighting.item.fact)
        if isinstance(fact, f.Seen) and state.deal is not None and not state.deal.done:
            state, more = _sense(state, replace(sighting.item, fact=fact), fact)
            lines += more
    return state, lines


def steadied(fact: Fact) -> Fact:
    """A sighting that has waited long enough."""
    return replace(fact, steady=None) if isinstance(fact, f.Seen) else fact


def unsteady(fact: Fact) -> bool:
    """Whether a sighting has to wait before it counts."""
    return isinstance(fact, f.Seen) and fact.steady is not None and fact.steady < STEADY_S and fact.at is not None


def seat_of(state: State, fact: f.Seen | f.Tag, card: Card) -> Seat | None:
    """The seat of a reading: its own; for a shared reader, the seat where the card lies, whose turn it is, or that is
    known to hold the card; else None."""
    felt = state.felt
    if fact.seat is not None or felt is None:
        return fact.seat
    for _, laid in felt.places():
        if laid.card == card:
            return laid.seat
    holder = next((seat for seat, cards in enumerate(felt.known) if cards & card.bit), None)
    return felt.turn if felt.turn is not None else holder


def _sense(state: State, item: Item, fact: f.Seen | f.Tag) -> Answer:
    deal, card = state.deal, fact.card
    if deal is None or card is None:
        return state, ()
    if unsteady(fact) and isinstance(fact, f.Seen):
        due = (fact.at or 0.0) + STEADY_S - (fact.steady or 0.0)
        others = tuple(w for w in deal.waiting if w.where != (card, fact.seat))
        return replace(state, deal=replace(deal, waiting=(*others, Waiting(due, item)))), ()
    if deal.phase in ("passing", "bidding"):
        state = _begun(state, deal)
        deal = state.deal or deal
    if deal.waiting:
        deal = replace(deal, waiting=tuple(w for w in deal.waiting if w.where != (card, fact.seat)))
    if deal is not state.deal:
        state = replace(state, deal=deal)
    seat = seat_of(state, fact, card)
    if seat is None:
        question = Question("", item.n, item.n, None, "seat", "whose", tuple(range(len(state.players))))
        return _ask(state, (question,))
    if item.look is not None:
        felt, _ = lay(deal.felt, Again(item.n, seat, card, of=item.look))
        return replace(state, deal=replace(deal, felt=felt)), ()
    if item.annulled:
        return _play(state, item, seat, card)
    reading = read(deal.felt, fact, seat, card, lifted=deal.lifted, asked=in_doubt(state))
    if isinstance(reading, NewPlay):
        return _play(state, item, seat, card)
    if isinstance(reading, Conflicts):
        both = (reading.laid.card or card, card)
        if doubtful(fact):
            felt, _ = lay(deal.felt, Again(item.n, seat, card, of=reading.laid.n))
            state = replace(state, deal=replace(deal, felt=felt))
        question = Question("", item.n, reading.laid.n, seat, "card", "conflict", both)
        return _ask(state, (question,))
    felt = deal.felt
    if isinstance(reading, Agrees):
        felt = _surely(felt, reading.laid.n)
    elif (
        isinstance(reading, Repeat)
        and doubtful(fact)
        and not unreadable(fact)
        and not any(isinstance(h, Again) and h.card == card for h in felt.history[-2 * felt.players :])
    ):
        felt, _ = lay(felt, Again(item.n, seat, card))
    here = [laid.n for laid in felt.before_the_players if (laid.seat, laid.card) == (seat, card)]
    there = tuple(number for number in deal.lifted if number not in here)
    return replace(state, deal=replace(deal, felt=felt, lifted=there)), ()


def _begun(state: State, deal: Deal) -> State:
    """The state when a card is laid before the passing or the bidding was said to be over."""
    if deal.phase == "passing" or state.game is None:
        return passed(state, deal)
    return auction.led(state, state.game, deal)


def in_doubt(state: State) -> dict[int, tuple[Card, ...]]:
    """The facts whose cards are pending, or asked about with the cards that they may be."""
    doubts: dict[int, tuple[Card, ...]] = {}
    for finding in state.deal.pending if state.deal is not None else ():
        doubts[finding.n] = ()
    for question in state.questions:
        doubts[question.of] = tuple(c for c in question.candidates if isinstance(c, Card))
    return doubts


def _surely(felt: Felt, n: int) -> Felt:
    """The felt with the card of fact *n* known for certain."""
    if felt.opened is None:
        return felt
    history = tuple(
        replace(h, sure=True, seated=True, unbroken=True) if isinstance(h, Laid) and h.n == n else h
        for h in felt.history
    )
    return replay(felt.opened, history)


def _lift(state: State, deal: Deal, fact: f.Gone | f.Untag, card: Card | None) -> Answer:
    waiting = tuple(w for w in deal.waiting if w.where[0] != card or fact.seat not in (None, w.where[1]))
    laid = left(deal.felt, fact, card) if card is not None else None
    deal = replace(deal, waiting=waiting)
    if laid is not None and laid.n not in deal.lifted:
        freed = (*deal.freed, laid.n) if deal.felt.uppermost(laid.n) else deal.freed
        deal = replace(deal, lifted=(*deal.lifted, laid.n), freed=freed)
    return replace(state, deal=deal), ()


def _on_the_pile(state: State, deal: Deal, n: int, card: Card) -> Answer:
    """A card is read among the swept tricks: all of its trick has left the felt, or it alone, while more than one card
    of the trick is wanting: it was carried over the reader. If nobody was seen to lay it, the table asks who did.
    (Before the first card of a hand it is the pack, which is shuffled there.)"""
    felt = deal.felt
    if deal.phase != "playing" or not (felt.trick or felt.tricks) or not card.bit & felt.deck:
        return state, ()
    if not card.bit & felt.seen:
        if any(question.card == card for question in state.questions):
            return state, ()
        return _ask(state, (Question("", n, n, None, "seat", "pile", tuple(range(felt.players)), card=card),))
    lying = felt.before_the_players
    if not any(laid.card == card for laid in lying) or len(felt.trick) == 1:
        return state, ()
    whole = not felt.trick or len(felt.trick) >= felt.players - 1
    swept = tuple(laid.n for laid in lying if laid.n not in deal.lifted and (whole or laid.card == card))
    return replace(state, deal=replace(deal, lifted=(*deal.lifted, *swept))), ()


def _play(state: State, item: Item, seat: Seat, card: Card) -> Answer:
    """A card is laid: the judge's verdict, in lines."""
    deal, game, n = state.deal, state.game, item.n
    if deal is None or game is None:
        return state, (ignored(state, n, item.fact, "no-hand"),)
    if deal.phase in ("passing", "bidding"):
        state = _begun(state, deal)
        deal = state.deal or deal
    certain = not doubtful(item.fact)
    unread = item.unread or (unreadable(item.fact) and not item.sure)
    if unread and not item.annulled:
        return _play_unread(state, deal, item, seat, card)
    there = [other.n in deal.lifted for other in deal.felt.trick]
    gapless = certain and not (state.lost and isinstance(item.fact, f.Tag))  # else one may lie where nothing reads it
    laid = Laid(
        n,
        seat,
        card,
        sure=item.sure or certain,
        seated=item.seated or certain,
        unbroken=item.unbroken or gapless,
        late=item.late,
        excused=item.excused,
        timed_out=seat in deal.timed_out or seat in state.left,
        swept=len(there) > 1 and all(there),
    )
    after, verdict = lay(_as_it_lay(deal, n) if item.annulled else deal.felt, laid)
    if item.annulled:
        return _taken_back(state, deal, item, replace(laid, card=None) if unread else laid, after, verdict)
    answered = tuple(question for question in state.questions if question.card != card)
    state = replace(state, deal=_with_card(deal, after), questions=answered)
    state, lines = _offences(state, n, verdict.found, play=(laid, verdict))
    state, asked = _ask(state, _doubts(deal.felt, after, laid, verdict))
    lines += asked
    if verdict.broke:
        lines += ({"event": game.broken_event, "n": n},)
    return _go_on(state, game, n, lines, verdict.trick)


def _go_on(state: State, game: Game, n: int, lines: Lines, trick: Trick | None) -> Answer:
    """After a card has found its place: the trick, the hand, the match, the turn."""
    deal = state.deal
    if deal is None:
        return state, lines
    if trick is not None and trick.winner is not None:
        lines += (_trick_line(deal, trick),)
    felt = deal.felt
    if felt.complete and felt.settled:
        taken = {seat: game.points(felt.taken(seat)) for seat in range(felt.players)}
        won = {seat: sum(trick.winner == seat for trick in felt.tricks) for seat in range(felt.players)}
        cards = {seat: felt.taken(seat) for seat in range(felt.players)}
        state, ending = end_of_play(state, game, deal, n, taken, won, cards)
        return state, lines + ending
    return state, lines + turn(state)


def _play_unread(state: State, deal: Deal, item: Item, seat: Seat, card: Card) -> Answer:
    """A card lies there that nobody can name: it takes its place, and the table asks."""
    game = state.game
    if game is None:
        return state, ()
    after, verdict = lay(deal.felt, Laid(item.n, seat, None, sure=False))
    state = replace(state, deal=_with_card(deal, after))
    candidates = (card, *look_alikes(card)) if not item.unread else look_alikes(card)
    named = tuple(c for c in candidates if c.bit & deal.felt.unseen_for(seat))
    state, asked = _ask(state, (Question("", item.n, item.n, seat, "card", "unreadable", named),))
    return _go_on(state, game, item.n, asked, verdict.trick)


def _with_card(deal: Deal, after: Felt) -> Deal:
    """The deal with the felt *after* a card more. A time-out is over when its seat has laid a card, or a place is kept
    for one that was missed."""
    late = tuple(seat for seat in deal.timed_out if after.left_in(seat) == deal.felt.left_in(seat))
    return replace(deal, felt=after, taken=(), timed_out=late)


def _as_it_lay(deal: Deal, n: int) -> Felt:
    """The felt on which fact *n* laid its card: with the cards that were taken back only after it."""
    return replay(deal.felt, (laid for laid, by in deal.taken if by > n))


def _taken_back(state: State, deal: Deal, item: Item, laid: Laid, after: Felt, verdict: Verdict) -> Answer:
    """A card that was laid and taken back: the record keeps its ruling, the felt only that it is in that hand; of a
    card that could not be read, neither."""
    n, felt = item.n, deal.felt
    lines: Lines = ()
    found: tuple[Finding, ...] = ()
    if laid.card is not None:
        _, ruled = _offences(replace(state, deal=replace(deal, felt=after)), n, verdict.found[:1], play=(laid, verdict))
        lines = tuple(line for line in ruled if line.get("n") == n and "question" not in line)[:1]
        felt, held = lay(felt, Held(n, laid.seat, laid.card.bit, doubtful=not laid.seated))
        found = held.found
    if item.hole:
        felt, _ = lay(felt, Laid(n, laid.seat, None, hole=True))
    taken = () if item.hole or laid.card is None else (*deal.taken, (laid, item.annulled))
    late = tuple(seat for seat in deal.timed_out if not (item.hole and seat == laid.seat))
    state = replace(state, deal=replace(deal, felt=felt, taken=taken, timed_out=late))
    state, shown = _offences(state, n, found)
    return state, lines + shown + turn(state)


def _trick_line(deal: Deal, trick: Trick) -> Line:
    ordered = sorted(trick.cards, key=lambda laid: (laid.seat - trick.lead) % deal.felt.players)
    return {
        "event": "trick",
        "hand": deal.number,
        "trick": trick.number,
        "lead": trick.lead,
        "cards": {str(laid.seat): str(laid.card) for laid in ordered},
        "winner": trick.winner,
        "points": trick.points,
    }


# --- rulings and questions -----------------------------------------------------------------------------------------


def _offences(
    state: State,
    n: int,
    found: tuple[Finding, ...],
    *,
    play: tuple[Laid, Verdict] | None = None,
    in_hand: bool = False,
) -> Answer:
    """The ruling on a play, and every offence that is found, becomes certain, or stays in doubt. *in_hand*: what shows
    them was not laid, but seen in a hand.

    Nothing becomes certain while cards that came earlier are still to follow one that was moved: they may explain it;
    and nothing by counting after a pass that nobody counted: it waits for the card, and falls if that never shows.
    """
    deal = state.deal
    if deal is None:
        return state, ()
    if not found and not deal.pending:  # as nearly always: nothing is in doubt
        return state, (_ruling_line(deal, *play),) if play is not None else ()
    known, anew = {finding.key for finding in deal.settled}, {finding.key for finding in found}
    found = tuple(finding for finding in found if finding.key not in known)
    open_findings = tuple(finding for finding in deal.pending if finding.key not in anew) + found
    doubts: Doubts = {}
    if open_findings:
        felt, doubts = explanations(deal.felt, open_findings)
        deal = replace(deal, felt=felt)
    early = any(isinstance(h, Laid) and h.late and h.n >= n for h in deal.felt.history) if open_findings else False
    by_counting = tuple(finding for finding in open_findings if finding.how in ("counted", SOMEONE))
    uneven = () if deal.felt.even else tuple(finding for finding in by_counting if not doubts[finding])
    twice = tuple(finding for finding in open_findings if finding.rule == "duplicate" and _read(deal.felt, finding.n))
    waiting = (*uneven, *twice)
    pending = tuple(finding for finding in open_findings if doubts[finding] or early or finding in waiting)
    certain = tuple(finding for finding in open_findings if finding not in pending)
    fallen = uneven if deal.felt.complete and not early else ()
    pending = tuple(finding for finding in pending if finding not in fallen)
    lines: list[Line] = []
    own = next((finding for finding in found if finding.how == "breach"), None)
    if play is not None:
        laid, verdict = play
        if own is not None and own in pending:
            lines.append(_pending_line(deal, n, own, doubts[own]))
        else:
            lines.append(_ruling_line(deal, laid, verdict))
    by_number: list[tuple[int, Line]] = []  # someone's comes last: it is an offence of no number
    for finding in open_findings:
        if finding is own:
            continue
        if finding in certain:
            by_number.append((finding.n, _certain_line(deal, n, finding, in_hand=in_hand)))
        elif finding in fallen and finding not in found and finding.how != SOMEONE:
            by_number.append((finding.n, cleared(deal.number, n, finding)))
        elif finding in found and finding not in fallen and finding.how != SOMEONE and (doubts[finding] or uneven):
            by_number.append((finding.n, _pending_line(deal, n, finding, doubts[finding])))
    by_number.sort(key=lambda pair: (pair[1]["ruling"] == SOMEONE, pair[0]))
    lines.extend(line for _, line in by_number)
    deal = replace(
        deal, pending=_not_explained(deal.felt, pending), settled=_not_explained(deal.felt, deal.settled + certain)
    )
    still = {_subject(doubts[finding][0]) for finding in pending if doubts[finding]}
    kept = tuple(q for q in state.questions if q.why != "doubt" or (q.ask, q.of) in still)
    state = replace(state, deal=deal, questions=kept)
    ask_about = {finding: doubts[finding] for finding in pending if doubts[finding] and not _asked(deal.felt, finding)}
    state, asked = _ask(state, _questions(deal.felt, n, ask_about))
    return state, tuple(lines) + asked


def _asked(felt: Felt, finding: Finding) -> bool:
    """Whether an offence has a question of its own (``_doubts``): a card seen twice, two cards that are one seat's."""
    if finding.rule != "too-many-cards":
        return finding.rule == "duplicate"
    return any(isinstance(h, Laid) and h.n == finding.n and (h.sure or h.placed) for h in felt.history)


def _not_explained(felt: Felt, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """*findings* without those of someone who has become known: the claims left of those seats can be true; and
    without those that name more seats than another one."""
    some = [finding for finding in findings if finding.how == SOMEONE and in_conflict(felt, finding.seats)]
    return tuple(
        finding
        for finding in findings
        if finding.how != SOMEONE or (finding in some and not any(set(o.seats) < set(finding.seats) for o in some))
    )


def _read(felt: Felt, n: int) -> bool:
    """Whether only a camera says which card fact *n* laid: there is but one of each, so one seen twice was misread."""
    return any(isinstance(h, Laid) and h.n == n and not h.sure for h in felt.history)


def _subject(explanation: Explanation) -> tuple[str, int]:
    return explanation.ask, explanation.n


def _ruling_line(deal: Deal, laid: Laid, verdict: Verdict) -> Line:
    line: dict[str, Any] = {
        "ruling": verdict.grade,
        "n": laid.n,
        "hand": deal.number,
        "trick": verdict.number,
        "seat": laid.seat,
        "card": str(laid.card),
        "rules": list(verdict.rules),
    }
    if "turn" in verdict.rules and verdict.awaited is not None:
        line["awaited"] = verdict.awaited
    if "follow-suit" in verdict.rules and verdict.led is not None:
        line["led"] = str(verdict.led)
    if "opening" in verdict.rules:
        line["expected"] = str(deal.felt.game.opening(deal.felt.deck))
    if verdict.holds is not None:
        line["held"] = str(verdict.holds)
    if verdict.twin is not None:
        line["twin"] = {"n": verdict.twin.n, "seat": verdict.twin.seat, "trick": _trick_of(deal.felt, verdict.twin)}
    if verdict.first is not None and verdict.first.card is not None:
        line["first"] = str(verdict.first.card)
    if verdict.counted:
        line["how"] = "counted"
    if verdict.silent:
        line["note"] = "source-silent"
    return line


def _trick_of(felt: Felt, laid: Laid) -> int:
    return next((number for number, other in felt.places() if other.n == laid.n), felt.number)


def _pending_line(deal: Deal, n: int, finding: Finding, doubts: tuple[Explanation, ...]) -> Line:
    line: dict[str, Any] = {
        "ruling": "pending",
        "n": n,
        "hand": deal.number,
        "trick": _now(deal, n),
        "seat": finding.seat,
        "offence": offence(finding),
        "check": sorted({explanation.n for explanation in doubts}) or [finding.n],
    }
    if finding.how == "counted" and not doubts:
        line["because"] = "pass-not-counted"
    return line


def _certain_line(deal: Deal, n: int, finding: Finding, *, in_hand: bool) -> Line:
    if finding.how == "breach":
        line: dict[str, Any] = {
            "ruling": "breach",
            "n": finding.n,
            "hand": deal.number,
            "trick": finding.trick,
            "seat": finding.seat,
            "card": str(finding.card),
            "rules": [finding.rule, *finding.also],
        }
        if finding.rule == "opening":
            line["expected"] = str(deal.felt.game.opening(deal.felt.deck))
        if "follow-suit" in line["rules"] and (led := _led(deal.felt, finding.trick)) is not None:
            line["led"] = str(led)
        if finding.shown is not None:
            line["held"] = str(finding.shown)
        if finding.counted:
            line["how"] = "counted"
        return {**line, "by": n}
    if finding.how == SOMEONE:
        return {"ruling": SOMEONE, "n": n, "hand": deal.number, "seats": list(finding.seats)}
    line = {
        "ruling": "proved",
        "n": n,
        "hand": deal.number,
        "trick": _now(deal, n),
        "seat": finding.seat,
        "how": finding.how,
        "offence": offence(finding),
    }
    if finding.shown is not None:
        line["shown"] = str(finding.shown)
    elif finding.rule == "follow-suit" and (led := _led(deal.felt, finding.trick)) is not None:
        line["led"] = str(led)
    return {**line, **({"in_hand": True} if in_hand else {})}


def _led(felt: Felt, number: int) -> Card | None:
    """The card that led trick *number*, if it is known."""
    return felt.led if number == felt.number else felt.tricks[number - 1].led


def _now(deal: Deal, n: int) -> int:
    """The trick in which fact *n* falls: that of its card, else the one in progress."""
    return next((number for number, laid in deal.felt.places() if laid.n == n), deal.felt.number)


def _questions(felt: Felt, n: int, doubts: Mapping[Finding, tuple[Explanation, ...]]) -> tuple[Question, ...]:
    """One question for each doubt: about the likeliest other history of each pending offence."""
    questions = []
    for finding, other in doubts.items():
        likeliest = other[0]
        same = [e for e in other if _subject(e) == _subject(likeliest)]
        laid = next((h for h in felt.history if isinstance(h, Laid) and h.n == likeliest.n), None)
        candidates: tuple[Card | Seat, ...]
        read_at = laid.seat if laid is not None else finding.seat
        if likeliest.ask == "seat":
            candidates = (read_at, likeliest.seat)
        elif likeliest.ask == "missing":
            unseen = tuple(each(felt.unseen_for(likeliest.seat)))
            candidates = (likeliest.card,) if likeliest.card is not None else unseen
        else:
            read_as = (laid.card,) if laid is not None and laid.card is not None else ()
            candidates = tuple(dict.fromkeys((*read_as, *(e.card for e in same if e.card is not None))))
        asked_seat = likeliest.seat if likeliest.ask != "seat" else read_at
        questions.append(Question("", n, likeliest.n, asked_seat, likeliest.ask, "doubt", candidates))
    return tuple(questions)


def _doubts(before: Felt, after: Felt, laid: Laid, verdict: Verdict) -> tuple[Question, ...]:
    """What the table asks about a card seen twice, and about two cards of one seat, whoever read them."""
    if laid.card is None:
        return ()
    if verdict.twin is not None:
        unseen = before.unseen_for(laid.seat) | before.unseen_for(verdict.twin.seat)
        others = tuple(c for c in look_alikes(laid.card) if c.bit & unseen)
        return (Question("", laid.n, laid.n, laid.seat, "card", "duplicate", (laid.card, *others), verdict.twin.n),)
    if verdict.first is not None and verdict.first.card is not None and (laid.sure or laid.placed):
        both = (verdict.first.card, laid.card)
        return (Question("", laid.n, verdict.first.n, laid.seat, "card", "which", both, laid.n),)
    return ()


def _ask(state: State, questions: Iterable[Question]) -> Answer:
    """Ask what is not asked yet; the ids come from the fact that raises the question, so that they never change."""
    lines: list[Line] = []
    for question in questions:
        if any((q.ask, q.of) == (question.ask, question.of) for q in state.questions):
            continue
        taken = sum(1 for q in state.questions if q.n == question.n)
        question = replace(question, id=f"q{question.n}" + ("", "b", "c", "d", "e", "f")[min(taken, 5)])
        state = replace(state, questions=(*state.questions, question))
        lines.append(
            {
                "question": question.id,
                "n": question.n,
                "seat": question.seat,
                "ask": question.ask,
                "candidates": [c if isinstance(c, int) else str(c) for c in question.candidates],
                "of": question.of,
                "why": question.why,
                "trick": _asked_trick(state, question),
                **({} if question.card is None else {"card": str(question.card)}),
            }
        )
    return state, tuple(lines)


def _asked_trick(state: State, question: Question) -> int | None:
    """The trick that a question is about: of a missing card, the one in which its place is open."""
    felt = state.deal.felt if state.deal is not None else None
    if felt is None:
        return None
    of = [(number, laid) for number, laid in felt.places() if laid.n == question.of]
    open_place = [number for number, laid in of if laid.hole and laid.seat == question.seat]
    return (open_place or [number for number, _ in of] or [felt.number])[0]
