"""Which lamp shines how: one lamp a seat and one in the centre, a pure function of the table.

A lamp is a level, never an event: the loop hands the wanted lamps to the device after every fact, and the device
changes what differs. Every meaning has a rhythm of its own, so that a player who does not tell red from green reads it
too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..cards import Seat
from ..judge import SOMEONE, Felt
from ..state import Deal, State

SLOT_S = 0.1
"""Seconds that one slot of a rhythm lasts."""

# Rhythms, as slots of SLOT_S that repeat: 1 shines, 0 is dark.
RHYTHMS: dict[str, tuple[int, ...]] = {
    "off": (0,),
    "steady": (1,),
    "slow": (1,) * 8 + (0,) * 8,  # 0.8 s on, 0.8 s off
    "fast": (1, 0),  # five times a second
    "double": (1, 0, 1, 0, 0, 0, 0, 0),
    "triple": (1, 0, 1, 0, 1, 0, 0, 0, 0, 0),
    "blip": (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    "wink": (1,) * 10 + (0,) * 2,  # a second on, a short gap
    "uneven": (1, 1, 1, 1, 1, 0, 1, 0, 0, 0),  # one long flash and a short one
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
    "someone": Lamp("amber", "uneven", "someone"),  # in the centre: somebody has played illegally, nobody knows who
    "question": Lamp("blue", "double", "question"),  # the table asks something about this seat's card
    "timeout": Lamp("white", "wink", "timeout"),  # this seat's time is up: its lowest legal card is to be laid
    "winner": Lamp("green", "steady", "winner"),  # this seat took the trick, and leads the next
    "turn": Lamp("white", "slow", "turn"),  # it is this seat's turn: to lay a card, to bid, to give cards
    "lost": Lamp("amber", "blip", "lost"),  # this seat's reader is not there
    "idle": Lamp(),
}


def lamps(state: State, *, readers: Mapping[str, Seat | None] | None = None) -> Lamps:
    """The lamps that *state* wants. *readers*: the seat that each reader serves, None for a shared one, so that a lost
    one shows at its seat (any other lost device shows in the centre)."""
    served = readers or {}
    lost = {served[device] for device, _ in state.lost if served.get(device) is not None}
    seats = tuple(_seat_lamp(state, seat, lost) for seat in range(len(state.players)))
    return Lamps(seats, _centre_lamp(state, served))


def _seat_lamp(state: State, seat: Seat, lost: set[Seat | None]) -> Lamp:
    deal, felt = state.deal, state.deal.felt if state.deal is not None else None
    if deal is not None and felt is not None:
        if any(f.seat == seat and f.how != "breach" and f.at >= shown_since(felt) for f in deal.settled):
            return MEANINGS["proof"]
        if any(f.seat == seat and f.how == "breach" and felt.uppermost(f.n) for f in deal.settled):
            return MEANINGS["breach"]
    if any(question.seat == seat for question in state.questions) or chooser(state) == seat:
        return MEANINGS["question"]
    if deal is not None and seat in deal.timed_out and deal.phase != "over":
        return MEANINGS["timeout"]
    if _won_last(state, deal, seat):
        return MEANINGS["winner"]
    if awaited(state) == seat:
        return MEANINGS["turn"]
    if seat in lost:
        return MEANINGS["lost"]
    return MEANINGS["idle"]


def _centre_lamp(state: State, served: Mapping[str, Seat | None]) -> Lamp:
    deal = state.deal
    if deal is not None and any(f.how == SOMEONE and f.at >= shown_since(deal.felt) for f in deal.settled):
        return MEANINGS["someone"]
    if any(question.seat is None for question in state.questions):
        return MEANINGS["question"]
    if deal is not None and deal.phase == "playing" and expected(state) is None and not deal.felt.complete:
        return MEANINGS["turn"]  # a card is awaited, nobody knows from whom: before the opening card
    if any(served.get(device) is None for device, _ in state.lost):
        return MEANINGS["lost"]
    return MEANINGS["idle"]


def awaited(state: State) -> Seat | None:
    """The seat that is to do something now: to bid, to give cards to its partner, or to lay a card; None when nobody's
    turn is known."""
    deal = state.deal
    if deal is not None and deal.phase == "bidding" and deal.auction is not None:
        return deal.auction.giving if deal.auction.turn is None else deal.auction.turn
    return expected(state)


def chooser(state: State) -> Seat | None:
    """The seat that has shot the moon and must say what it does."""
    deal = state.deal
    return state.choice.seat if state.choice is not None and deal is not None and deal.phase == "choosing" else None


def expected(state: State) -> Seat | None:
    """The seat whose card is awaited: one that took its card back and owes another, else the one whose turn it is;
    None when nobody's turn is known."""
    felt = state.felt
    if felt is None:
        return None
    asked = {question.seat for question in state.questions}
    owes = (laid.seat for laid in felt.before_the_players if laid.hole and laid.card is None and laid.seat not in asked)
    return next(owes, felt.turn)


def shown_since(felt: Felt) -> int:
    """The first fact of what lies before the players' eyes: of the trick in progress, or of the last one until the
    next begins; 0 before the first card. What came to light since then is news, what came before is record."""
    return min((laid.n for laid in felt.before_the_players), default=0)


def _won_last(state: State, deal: Deal | None, seat: Seat) -> bool:
    """Whether *seat* took the last trick, as long as no card of the next is led; or the match, once it is over."""
    if state.result is not None:
        return any(str(seat) in side.split("-") for side in state.result.winners)
    if deal is None or deal.felt.trick or not deal.felt.tricks:
        return False
    return deal.felt.tricks[-1].winner == seat
