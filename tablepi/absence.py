"""Players whose time has run out, and players who have left: others lay the cards for them."""

from __future__ import annotations

from . import facts as f
from .rules import Game
from .state import Answer, State, ignored


def answer(state: State, game: Game, n: int, fact: f.Timeout | f.Leave) -> Answer:
    """The state after a time-out or a leave, and what it means."""
    return state, (ignored(state, n, fact, "not-in-this-game"),)
