"""Players whose time has run out, and players who have left: others lay the cards for them.

A time-out is told by whoever keeps the time; a rule set that knows none ignores it. It holds for one card, or for one
pass: the card laid next claims that the hand has no lower one (``Game.timed_out``), and is judged as every other claim
is. Of a seat that has left every card does. Which card that is, is said where the hand is known; where it is not, the
players look, and the referee checks what can be checked, later too.
"""

from __future__ import annotations

from dataclasses import replace

from . import facts as f
from .cards import Card, Seat, count, each
from .passing import passed
from .rules import Game, Hearts
from .scoring import broken_off, end_match, settle
from .state import Answer, Deal, Line, State, ignored


def answer(state: State, game: Game, n: int, fact: f.Timeout | f.Leave) -> Answer:
    """The state after a time-out or a leave, and what it means."""
    if not isinstance(game, Hearts):
        return state, (ignored(state, n, fact, "not-in-this-game"),)
    if isinstance(fact, f.Leave):
        return _leave(state, game, n, fact)
    return _time_out(state, game, n, fact)


def _time_out(state: State, game: Hearts, n: int, fact: f.Timeout) -> Answer:
    if state.deal is not None and state.deal.all_passed:
        state = passed(state, state.deal)
    deal, seat = state.deal, fact.seat
    reason = _no_time_out(state, game, deal, seat)
    if deal is None or reason is not None:
        return state, (ignored(state, n, fact, reason or "no-hand"),)
    told = {"event": "timeout", "hand": deal.number, "seat": seat, **what_to_do(state, seat)}
    return replace(state, deal=replace(deal, timed_out=(*deal.timed_out, seat))), (told,)


def _no_time_out(state: State, game: Hearts, deal: Deal | None, seat: Seat) -> str | None:
    """Why the time of *seat* cannot have run out now."""
    if game.timeouts is None:
        return "not-in-this-game"
    if deal is None or deal.done:
        return "no-hand"
    waits = deal.pass_of(seat) is None if deal.phase == "passing" else deal.felt.may_play(seat)
    return None if waits and seat not in (*deal.timed_out, *state.left) else "not-awaited"


def what_to_do(state: State, seat: Seat) -> Line:
    """The ``card`` that is laid, or the ``cards`` that are passed for *seat*, now that its time has run out; nothing
    where its hand is not known."""
    deal, game = state.deal, state.game
    if deal is None or not isinstance(game, Hearts):
        return {}
    if deal.phase == "passing":
        hand = deal.dealt[seat]
        full = count(hand) == deal.felt.size
        return {"cards": " ".join(map(str, game.to_pass(hand)[: game.pass_count]))} if full else {}
    card = card_to_lay(state, seat)
    return {"card": str(card)} if card is not None else {}


def card_to_lay(state: State, seat: Seat) -> Card | None:
    """The lowest legal card of *seat*, where its hand is known and a card of it is awaited."""
    felt = state.felt
    if felt is None or not felt.full[seat]:
        return None
    moment, hand = felt.moment(seat), felt.known[seat]
    for card in each(felt.legal(seat)):
        if not any(denied & hand for denied, _ in felt.game.timed_out(moment, card)):
            return card
    return None


def _leave(state: State, game: Hearts, n: int, fact: f.Leave) -> Answer:
    if not game.leaving:
        return state, (ignored(state, n, fact, "not-in-this-game"),)
    if fact.seat in state.left:
        return state, (ignored(state, n, fact, "left-already"),)
    state = replace(state, left=(*state.left, fact.seat))
    left: Line = {"event": "leave", "seat": fact.seat}
    if len(state.players) - len(state.left) > 1:
        return state, (left,)
    # One is left (R079): the match ends, and with it the hand, of which nothing is scored.
    state, settled = settle(state, game, n)
    if state.result is not None:
        return state, (left, *settled)
    over, ending = end_match(state, game, "left")
    return over, (left, *settled, *broken_off(state.deal, n), *ending)
