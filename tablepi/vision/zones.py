"""Whose card lies there: from the indices that the reader saw to a place on the table, and from there to a seat.

Everything here is in millimetres of the table plane (see ``markers``). Seats are numbered clockwise as seen from above;
seat 0 sits at the top. A direction is an angle in radians clockwise from the top, towards seat 0; a card's *turn* is
that of its upper edge.

Seats share the trick area like a cake, each having the piece in front of it. The place of a card wavers by some
millimetres from one look to the next (one index or two, a nudge), the same near the middle and at the rim. So borders
forgive millimetres, not degrees: a card keeps its seat until it lies clearly in another piece, and one that is laid on
a border, or on the middle, belongs to nobody surely.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import atan2, cos, hypot, pi, sin, tau

from .markers import TRICK_RADIUS, Homography, through
from .reader import Reading

MARGIN = 20.0
"""Millimetres beyond the trick area's rim where the middle of a card still counts as laid into it."""
HOLD = 15.0
"""Millimetres that a card may go beyond its seat's border, or beyond the rim, and still be where it was: more than the
10 mm by which its place is uncertain when one index is seen, and with seven seats a sixth of the piece's width at
100 mm from the middle."""
CLEAR = 15.0
"""Millimetres from the nearest border from which a card is surely its seat's: then no look that wavers by 10 mm says
otherwise."""
MIDDLE = 30.0
"""Millimetres round the middle where no card is anybody's surely: half of a card's width, so that it covers the
middle."""

RIGHT, DOWN = 24.0, 33.0
"""Millimetres from an index to the middle of its card, to the right and down as the index stands. Cards are 57 to 63.5
by 89 mm; the middle of rank and suit together is 5 to 7 mm from the side and 10 to 12 mm from the end, of a jumbo index
9 and 14: so 20 to 27, and 30 to 35."""
BY_TWO, BY_ONE, BY_SIDE = 3.0, 10.0, 26.0
"""Millimetres that a card's place is uncertain by: between the indices of two ends across from each other; from indices
of one end; from two ends of one side, which only cards with four indices have, and nothing tells which side."""


# --- where a card lies --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Corner:
    """An index on the table: its middle (x, y) and its *size* in millimetres, and *up*, the direction in which it
    stands."""

    x: float
    y: float
    up: float
    size: float


@dataclass(frozen=True, slots=True)
class Lying:
    """How a card lies: its middle (x, y), its *turn* from 0 to π (a card looks the same on its head), and *within* how
    many millimetres the middle is known."""

    x: float
    y: float
    turn: float
    within: float


def on_table(reading: Reading, to_table: Homography) -> tuple[Corner, ...]:
    """The indices of *reading* on the table, in the same order."""
    corners = []
    for index in reading.indices:
        step = index.size / 2
        above = (index.x + step * sin(index.up), index.y - step * cos(index.up))
        (x, y), (ux, uy) = through([(index.x, index.y), above], to_table).tolist()
        corners.append(Corner(x, y, atan2(ux - x, y - uy), 2 * hypot(ux - x, uy - y)))
    return tuple(corners)


def place_of(corners: Sequence[Corner]) -> Lying:
    """How the card lies whose indices are *corners*, one at least.

    A lone index is taken for the upper left one as it stands, as on all cards with two: with four it may be the upper
    right, and the place is 48 mm off.
    """
    turn = _axis(one.up for one in corners)
    apart = [(a, b) for a, b in combinations(corners, 2) if abs(_right_of(a, b)) > RIGHT]
    across = [(a, b) for a, b in apart if cos(a.up - b.up) < 0]
    if across:
        x, y = _middle(corner for pair in across for corner in pair)
        return Lying(x, y, turn, BY_TWO)
    if apart:  # side by side at one end
        x, y = _middle(corner for pair in apart for corner in pair)
        dx, dy = _as_seen_by(corners[0], 0, DOWN)
        return Lying(x + dx, y + dy, turn, BY_ONE)
    ahead = [_as_seen_by(one, RIGHT, DOWN) for one in corners]
    x, y = _middle(corners)
    x, y = x + sum(dx for dx, _ in ahead) / len(ahead), y + sum(dy for _, dy in ahead) / len(ahead)
    same_way = all(cos(one.up - corners[0].up) > 0 for one in corners)
    return Lying(x, y, turn, BY_ONE if same_way else BY_SIDE)


def _as_seen_by(one: Corner, right: float, down: float) -> tuple[float, float]:
    """The step *right* and *down* of an index as it stands, on the table."""
    return right * cos(one.up) - down * sin(one.up), right * sin(one.up) + down * cos(one.up)


def _right_of(one: Corner, other: Corner) -> float:
    return (other.x - one.x) * cos(one.up) + (other.y - one.y) * sin(one.up)


def _middle(corners: Iterable[Corner]) -> tuple[float, float]:
    xs, ys = zip(*((corner.x, corner.y) for corner in corners), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _axis(ups: Iterable[float]) -> float:
    """The mean of directions of which each may be turned round, 0 to π."""
    twice = [2 * up for up in ups]
    return atan2(sum(map(sin, twice)), sum(map(cos, twice))) / 2 % pi


# --- whose place that is ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose card it is: the *seat*, None outside the trick area; and whether that is *sure*."""

    seat: int | None
    sure: bool


@dataclass(frozen=True, slots=True)
class Zones:
    """The trick area of a table of *players* (2 and more), shared among them."""

    players: int

    def seat_of(self, x: float, y: float, before: int | None = None) -> Whose:
        """Whose card lies at (x, y).

        *before* is the seat whose card it surely was until now, None when there is none: it stays so until the card
        lies clearly in another's piece, or clearly outside.
        """
        away = hypot(x, y)
        rim = TRICK_RADIUS + MARGIN
        if before is not None and away <= rim + HOLD and self._beyond(x, y, before) <= HOLD:
            return Whose(before, True)
        if away > rim:
            return Whose(None, True)
        here = round(atan2(x, -y) * self.players / tau) % self.players
        return Whose(here, away >= MIDDLE and self._beyond(x, y, here) <= -CLEAR)

    def direction(self, seat: int) -> float:
        """Where *seat* sits, from the middle: radians clockwise from the top."""
        return tau * seat / self.players

    def _beyond(self, x: float, y: float, seat: int) -> float:
        """How far (x, y) lies beyond the nearest border of the piece of *seat*, in millimetres; negative inside."""
        away = abs((atan2(x, -y) - self.direction(seat) + pi) % tau - pi) - pi / self.players
        return hypot(x, y) * (sin(away) if abs(away) < pi / 2 else 1.0 if away > 0 else -1.0)
