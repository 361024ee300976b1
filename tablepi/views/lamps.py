"""Which lamp shines how: one lamp a seat and one in the centre, a pure function of the table.

A lamp is a level, never an event: the loop hands the wanted lamps to the device after every fact, and the device changes
what differs. Every meaning has a rhythm of its own, so that a player who does not tell red from green reads it too.
"""

from __future__ import annotations

from dataclasses import dataclass

SLOT_S = 0.1
"""Seconds that one slot of a rhythm lasts."""

# Rhythms, as slots of SLOT_S that repeat: 1 shines, 0 is dark.
RHYTHMS: dict[str, tuple[int, ...]] = {
    "off": (0,),
    "steady": (1,),
    "slow": (1,) * 8 + (0,) * 8,  # 0.8 s on, 0.8 s off
    "fast": (1, 0),  # 5 Hz; under the 3 Hz limit would be slow, and these are small lamps, not a screen
    "double": (1, 0, 1, 0, 0, 0, 0, 0),
    "triple": (1, 0, 1, 0, 1, 0, 0, 0, 0, 0),
    "blip": (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
}

COLOURS: dict[str, tuple[float, float, float]] = {
    "off": (0.0, 0.0, 0.0),
    "white": (1.0, 1.0, 1.0),
    "green": (0.0, 1.0, 0.0),
    "red": (1.0, 0.0, 0.0),
    "amber": (1.0, 0.4, 0.0),
    "blue": (0.0, 0.0, 1.0),
}
"""Red, green and blue of each colour, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """What one lamp shows: a colour of ``COLOURS``, a rhythm of ``RHYTHMS``, and the meaning it stands for."""

    colour: str = "off"
    rhythm: str = "off"
    meaning: str = "idle"


@dataclass(frozen=True, slots=True)
class Lamps:
    """The lamps of a table: ``seats[i]`` at seat *i*, and the one in the centre."""

    seats: tuple[Lamp, ...]
    centre: Lamp


# What each meaning looks like; the order is the order of precedence when several hold at once.
MEANINGS: dict[str, Lamp] = {
    "proof": Lamp("red", "triple", "proof"),  # an earlier play of this seat is proved illegal
    "breach": Lamp("red", "fast", "breach"),  # the card just laid is illegal
    "question": Lamp("blue", "double", "question"),  # the table asks something about this seat's card
    "lost": Lamp("amber", "blip", "lost"),  # this seat's reader is not there
    "turn": Lamp("white", "slow", "turn"),  # it is this seat's turn
    "winner": Lamp("green", "steady", "winner"),  # this seat took the last trick
    "idle": Lamp(),
}
