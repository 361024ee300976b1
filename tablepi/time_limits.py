"""How long a player has for a card or a pass, where the rule set says so, and whose time is up.

The source of time-outs (002, lines 28 and 29) gives no seconds: a table sets them (``timeouts: {play: 30, pass: 60}``),
and then the loop, which has a clock, tells the table ``timeout`` when they are over. Without seconds a person may.

The time for a card runs from the moment when it is the player's turn, after the pause that follows a trick; that for a
pass from the deal. It stands still as long as the table asks something, since it may not know then whose turn it is,
and begins anew after that. So it does after a restart.
"""

from __future__ import annotations

from dataclasses import dataclass

from .cards import Seat
from .rules import Hearts
from .state import State


@dataclass(frozen=True, slots=True)
class Limit:
    """The *seats* that are awaited, in which *place* of the game (by which two turns of one seat differ), and the
    *seconds* that they have."""

    seats: tuple[Seat, ...]
    place: tuple[int, ...]
    seconds: float


def limit(state: State) -> Limit | None:
    """Who has how long now; None while nobody's time is limited, or it is not known whose turn it is."""
    deal, game = state.deal, state.game
    if deal is None or deal.done or state.questions or not isinstance(game, Hearts) or game.timeouts is None:
        return None
    there = [seat for seat in range(len(state.players)) if seat not in state.left and seat not in deal.timed_out]
    if deal.phase == "passing":
        seats, seconds = tuple(seat for seat in there if deal.pass_of(seat) is None), game.timeouts.get("pass")
        return Limit(seats, (deal.number,), seconds) if seats and seconds is not None else None
    felt, seconds = deal.felt, game.timeouts.get("play")
    if felt.turn not in there or seconds is None:
        return None
    after_a_trick = not felt.trick and bool(felt.tricks)
    pause = game.pauses.get("trick", 0) if after_a_trick else 0
    return Limit((felt.turn,), (deal.number, felt.number, len(felt.trick)), seconds + pause)
