"""What the buzzer says: a sound for what must not be missed, by its rhythm, so that any buzzer can say it.

A sound is an edge, never a level: it belongs to the lines that answer one fact, and is not made again when a game is
replayed. What a person corrects at the display makes none: whoever did it is looking.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..state import Line

# In slots of lamps.SLOT_S: 1 sounds, 0 is silent. The order is the order of precedence.
SOUNDS: dict[str, tuple[int, ...]] = {
    "proof": (1, 0, 1, 0, 1),  # three short: an earlier card is proved illegal
    "breach": (1, 0, 1),  # two short: the card just laid is illegal
    "someone": (1, 1, 1, 1, 1, 0, 1),  # long, short: somebody has played illegally, nobody knows who
    "question": (1, 1, 1, 1, 1),  # one long: the table asks something
    "timeout": (1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1),  # two long: a player's time is up
}

HERTZ = {"proof": 330.0, "breach": 330.0, "someone": 330.0, "question": 660.0, "timeout": 440.0}
"""How high each sound is, where the buzzer makes tones: low is illegal."""


def sound(lines: Iterable[Line]) -> str | None:
    """The sound for the lines that answer a fact, if they want one."""
    found = {_sound(line) for line in lines if "by" not in line}
    return next((name for name in SOUNDS if name in found), None)


def _sound(line: Line) -> str | None:
    if "question" in line:
        return "question"
    if line.get("event") == "timeout":
        return "timeout"
    return {"proved": "proof", "breach": "breach", "someone": "someone"}.get(str(line.get("ruling")))
