"""What is asked for away from the display: by a button at the table, or by a card that commands, on a reader.

``obey`` gives a command the meaning of a press on the display. It needs the screen that is shown, because *confirm* is
what Enter does there. A seat's own button speaks for its seat alone while a hand is played: a press of another player
cannot answer for the one in turn.
"""

from __future__ import annotations

from .. import facts as f
from ..cards import Seat
from ..facts import Fact
from ..state import State
from ..table import Table
from .desk import Answered, Desk, giver, gives_away, paused, press, type_key
from .lamps import awaited
from .screen import COMMANDS, Command, Screen


def obey(desk: Desk, table: Table, command: Command, shown: Screen) -> Answered:
    """The desk after *command*, and the facts it means. *shown* is the screen of this desk and table. A command that is
    none of ``COMMANDS``, or means nothing now, changes nothing."""
    if command.name not in COMMANDS:
        return desk, ()
    if command.name != "confirm":
        return press(desk, table, command)
    if command.argument and paused(desk, table) is None and _in_play(table.state):
        seat = int(command.argument)
        if (own := _own_step(table.state, seat)) is not None:
            return press(desk, table, own)
        if seat != awaited(table.state) and not _all_have_passed(table.state):
            return desk, ()
    enter = next((tap for tap in shown.pressable if tap.key == "return"), None)
    return type_key(desk, table, "return") if enter is None else press(desk, table, enter.action)


def _in_play(state: State) -> bool:
    return state.deal is not None and state.deal.phase in ("passing", "bidding", "playing")


def _all_have_passed(state: State) -> bool:
    passing = state.deal is not None and state.deal.phase == "passing"
    return passing and not any(gives_away(state, seat) for seat in range(len(state.players)))


def _own_step(state: State, seat: Seat) -> Fact | None:
    """What the player at *seat* says with a press, where it needs no words: that card is mine; mine was read right; I
    have passed, or given, as many cards as the rules say."""
    for question in state.questions:
        if question.ask == "seat" and seat in question.candidates:
            return f.Answer(question=question.id, seat=seat)
        if question.ask == "card" and question.seat == seat and question.why in ("doubt", "unreadable"):
            return f.Answer(question=question.id)
    if not gives_away(state, seat) or state.game is None:
        return None
    kind = f.Pass if giver(state) is None else f.Exchange
    return kind(seat=seat, count=state.game.pass_count)
