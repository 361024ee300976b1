"""What the display shows, as plain data: the display only draws it.

``Screen`` says everything in words of the chosen language already, so that drawing needs to know no game. A ``Tap`` is
anything a finger, the mouse or a key can press; it carries the ``Action`` that pressing means.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..cards import Card, Seat
from ..facts import Fact
from .lamps import MEANINGS, Lamp

IDLE = MEANINGS["idle"]


@dataclass(frozen=True, slots=True)
class Command:
    """A press that changes only what this display shows (opens a picker, changes the language, leaves), or one of
    ``COMMANDS``, which is asked for away from it. It is no fact, and never kept."""

    name: str
    argument: str = ""


Action = Fact | Command

COMMANDS = ("confirm", "undo", "pause", "next-hand", "end-hand")
"""What a button at the table, or a card that commands on a reader, may ask for; the argument is the seat that asks, as
text, or empty. See ``commands.obey``."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Something to press. *key* is the key that does the same (``"n"``, ``"return"``, ``"escape"``, ``"f1"``).

    *strong*: the natural next step, drawn so that it stands out. *selected*: chosen already, or half typed. *card* is
    drawn in place of the label.
    """

    label: str
    action: Action
    key: str = ""
    strong: bool = False
    selected: bool = False
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player. *card* lies in front of the seat in the trick; *covered* when a card lies there that is not known.

    *mark* is ``""``, ``"unproven"``, ``"pending"``, ``"breach"`` or ``"proved"``; *points* and *tricks* are of this
    hand, *total* of the match; *order* is the card's place in the trick, from 1, or 0. *seconds* are those that its
    player still has, where the time is limited.
    """

    seat: Seat
    name: str
    card: Card | None = None
    covered: bool = False
    mark: str = ""
    order: int = 0
    turn: bool = False
    won: bool = False
    points: str = ""
    tricks: str = ""
    total: str = ""
    lamp: Lamp = IDLE
    lamp_words: str = ""
    seconds: str = ""
    tap: Tap | None = None  # pressing the seat: enter its card, or another thing the moment asks for


@dataclass(frozen=True, slots=True)
class Picker:
    """A choice laid over the table: *title*, and either cards (four rows of suits, 13 columns) or plain taps.

    A card of *cards* that cannot be chosen now has no entry. *typed* is what has been typed of a card so far.
    """

    title: str
    cards: tuple[tuple[Card, Tap], ...] = ()
    taps: tuple[Tap, ...] = ()
    typed: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table of words: the scores at the end of a hand or match, or the keys on the help page."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Photo:
    """A photograph of a play: the bytes of a JPEG file, or None where it cannot be read. *caption* says whose card it
    shows, or should show."""

    caption: str
    jpeg: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Screen:
    """Everything the display shows at one moment. Two equal screens are one picture: the second is not drawn.

    *chips* are short standing facts (rule set, hand, pass direction, hearts broken or not), each with a tone:
    ``plain``, ``good``, ``warn`` or ``bad``. *ruling* is what matters most now, in words with its tone, and *standing*
    are other rulings that hold, each with its own; *last* is the latest play in words, where the rulings tell of
    earlier ones. *alerts* are lost devices, unknown tags and faults. *taps* is the row of buttons. *centre* is the
    centre lamp. *photos* are those of the plays that it is about. *wanted* is a card that a person is to find: it fills
    the place of the table.
    """

    language: str
    title: str
    seats: tuple[SeatView, ...] = ()
    chips: tuple[tuple[str, str], ...] = ()
    headline: str = ""  # whose turn, or what to do now
    ruling: str = ""
    ruling_tone: str = "plain"
    standing: tuple[tuple[str, str], ...] = ()
    last: str = ""
    question: str = ""
    answers: tuple[Tap, ...] = ()
    alerts: tuple[str, ...] = ()
    grid: Grid | None = None
    picker: Picker | None = None
    taps: tuple[Tap, ...] = ()
    centre: Lamp = IDLE
    centre_words: str = ""
    photos: tuple[Photo, ...] = ()
    wanted: Card | None = None
    column_words: tuple[str, str, str] = ("", "", "")  # how points, tricks and totals are called

    @property
    def pressable(self) -> tuple[Tap, ...]:
        """The taps that can be pressed: a picker covers the table, a page its seats. Of two that own a key the first
        has it."""
        if self.picker is not None:
            return (*(tap for _, tap in self.picker.cards), *self.picker.taps)
        seats = () if self.grid is not None else tuple(seat.tap for seat in self.seats if seat.tap is not None)
        return (*self.answers, *self.taps, *seats)
