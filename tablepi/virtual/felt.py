"""The felt of the virtual table: what lies on it, and the hands that lay, take back and sweep, at every moment.

Theory of operation
===================

An **act** (``lay``, ``lift``, ``sweep`` …) is planned when it is called and becomes a **motion**: the path of one hand,
from outside the picture and back, and what it does to the cards that it touches. A motion never changes again, so the
**scene** at time t is a fold: all motions begun by then, in the order in which they were planned. The same acts at the
same times on a felt of the same seed give the same scenes, whenever and however often they are asked for. What no hand
at the table does (a lamp, the sun, a knock against the camera) is planned in the same way, as a **change**.

::

    lay:    outside --card in hand--> its place, lets go --empty--> outside
    lift:   the same backwards
    slide:  outside --card under hand, on the cloth--> its place --empty--> outside
    sweep:  outside --over the cards--> beyond them, down --cards with it--> outside

A player has one hand: acts of one seat follow each other. A sweep waits for the cards to lie, and who lays waits for a
sweep to be over. Everything else may happen at once, as at a table.

Times are seconds by the clock of whoever calls; lengths are millimetres on the table, x to the right and y downwards
as seen from above with seat 0 at the top; turns are degrees clockwise, 0 for a card that is upright to seat 2 of four.
"""

from __future__ import annotations

import functools
import itertools
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from ..cards import Card, Seat

OwnFace = Card | Literal["back", "joker"]
"""What is seen of a card of the deck that is played with: its face, a card face down, or a joker."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A card of another deck, with a back and faces of its own."""

    face: OwnFace

    def __str__(self) -> str:
        return f"{self.face} of another deck"


Face = OwnFace | Stranger
"""What is seen of any card."""

LightName = Literal["ceiling", "second", "sun"]

USUAL: Mapping[LightName, float] = MappingProxyType({"ceiling": 1.0, "second": 0.0, "sun": 0.0})
"""How bright each light is at first."""

Posture = Literal["holding", "flat"]
"""A hand whose fingers and thumb hold a card, or one laid flat."""

Point = tuple[float, float]

MIDDLE_MM = {2: 85.0, 3: 85.0, 4: 88.0, 5: 100.0}
"""How far from the middle a card is laid, by the number of seats; ``FAR_MM`` for more."""

FAR_MM = 110.0

SCATTER_MM = 12.0
SCATTER_DEG = 12.0
"""How far from its place, and from upright, a card may come to lie."""

BESIDE_MM = 29.0
"""How far beside a seat's card its next one is laid: the index of the first stays to be seen."""

ASIDE_MM = 230.0
"""How far from the middle a card lies aside, where nobody plays to."""

EDGE_MM = (520.0, 330.0)
"""Half the width and height of all that a camera over the marked square may see: hands begin and end outside."""

LAY_S = (0.5, 0.7)
SLIDE_S = (0.8, 1.3)
SWEEP_S = (1.0, 1.2)
TURN_S = (0.9, 1.2)
CROSS_S = (0.8, 1.1)
"""How long an act takes, from the hand's coming to its going."""

HELD_MM = 30.0
"""How high above the cloth a card is carried."""

KNOCK_S = 0.2
"""How long the camera moves when it is knocked."""

SUN_MM_S = 0.2
"""How fast a patch of sun creeps: that of a window at two metres."""

_GRIP_MM = 14.0  # from a card's middle towards its player, where the fingertips hold it
_STEP_S = 0.001  # over which speeds are measured
_FADE_S = 0.04  # in which the lamp comes to its level: a bulb's glow


# --- the scene -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lying:
    """A card: its middle, its turn, how far *above* the cloth it is, and its speed in mm/s. *wide*: how much of its
    width is seen, less than 1 while it is turned over."""

    face: Face
    x: float
    y: float
    turn: float
    above: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    wide: float = 1.0

    @property
    def still(self) -> bool:
        return self.above == self.vx == self.vy == 0.0


@dataclass(frozen=True, slots=True)
class Glass:
    """A glass that somebody has put down, or holds."""

    x: float
    y: float
    above: float = 0.0
    vx: float = 0.0
    vy: float = 0.0

    @property
    def still(self) -> bool:
        return self.above == self.vx == self.vy == 0.0


@dataclass(frozen=True, slots=True)
class Phone:
    """A telephone that somebody has put down, or holds."""

    x: float
    y: float
    turn: float
    above: float = 0.0
    vx: float = 0.0
    vy: float = 0.0

    @property
    def still(self) -> bool:
        return self.above == self.vx == self.vy == 0.0


Thing = Lying | Glass | Phone
"""What can lie on the felt."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table: its fingertips, and where they point: *turn* is 0 for fingers that point north."""

    seat: Seat
    x: float
    y: float
    turn: float
    posture: Posture
    left: bool
    above: float
    vx: float
    vy: float


@dataclass(frozen=True, slots=True)
class Sun:
    """A patch of sun on the cloth, as a window throws it: its middle, its turn, and how strong it is, 0 to 1."""

    x: float
    y: float
    turn: float
    strength: float


@dataclass(frozen=True, slots=True)
class Light:
    """What else than the usual lights the table: the *ceiling* lamp, 1 when it is on; a *second* one, 0 when it is
    off; and the *sun*."""

    ceiling: float = 1.0
    second: float = 0.0
    sun: Sun | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """How a camera hangs otherwise than at first: *x* and *y* mm aside, a *turn* clockwise, and *tilt* round the
    table's x and y axis, degrees."""

    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    tilt: tuple[float, float] = (0.0, 0.0)

    def towards(self, other: Shift, k: float) -> Shift:
        """The part *k* of the way from here to *other*."""
        a, b = (self.x, self.y, self.turn, *self.tilt), (other.x, other.y, other.turn, *other.tilt)
        x, y, turn, about_x, about_y = (p + k * (q - p) for p, q in zip(a, b, strict=True))
        return Shift(x, y, turn, (about_x, about_y))


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be seen at one moment: cards, the lowest first; hands above them; the lamp, 1 as usual, and how it
    flickers; other lights; and where the camera has been knocked to."""

    cards: tuple[Lying, ...] = ()
    hands: tuple[Hand, ...] = ()
    glasses: tuple[Glass, ...] = ()
    lamp: float = 1.0
    phones: tuple[Phone, ...] = ()
    light: Light = Light()
    shift: Shift = Shift()


@dataclass(frozen=True, slots=True)
class Told:
    """What really happened: from *at* to *settled*, when the hand has gone and everything lies still. *faces* are the
    cards concerned, *place* is where the last of them lies now, if it does, and since when: *released*."""

    at: float
    settled: float
    act: str
    seat: Seat | None
    faces: tuple[Face, ...] = ()
    place: Lying | None = None
    released: float | None = None

    def line(self) -> dict[str, Any]:
        """This as a line of a truth file: ``time``, ``act``, ``seat``, ``card`` or ``cards``, ``x``, ``y``, ``turn``,
        ``settled``; what does not apply is left out."""
        told: dict[str, Any] = {"time": round(self.at, 3), "act": self.act}
        if self.seat is not None:
            told["seat"] = self.seat
        if self.act == "sweep" or len(self.faces) > 1:
            told["cards"] = " ".join(map(str, self.faces))
        elif self.faces:
            told["card"] = str(self.faces[0])
        if self.place is not None:
            told |= {name: round(getattr(self.place, name), 1) for name in ("x", "y", "turn")}
        return told | {"settled": round(self.settled, 3)}


# --- motions -------------------------------------------------------------------------------------------------------

_Where = Callable[[float], Thing | None]
"""Where a thing is, seconds after its motion began; None when it has left the table."""


@dataclass(frozen=True, slots=True)
class _Key:
    """A point of a path, seconds after its beginning."""

    s: float
    at: Point
    above: float


@dataclass(frozen=True, slots=True)
class _Path:
    """From key to key, each way with the speed of a hand that starts and ends at rest."""

    keys: tuple[_Key, ...]

    def at(self, s: float) -> tuple[float, float, float]:
        """x, y and above."""
        keys = self.keys
        if s <= keys[0].s:
            return *keys[0].at, keys[0].above
        for a, b in itertools.pairwise(keys):
            if s < b.s:
                k = _eased((s - a.s) / (b.s - a.s))
                return (
                    a.at[0] + k * (b.at[0] - a.at[0]),
                    a.at[1] + k * (b.at[1] - a.at[1]),
                    a.above + k * (b.above - a.above),
                )
        return *keys[-1].at, keys[-1].above


@dataclass(frozen=True, slots=True)
class _Motion:
    """One hand on its way, and the things that it moves. *on_top*: they come to lie over all others."""

    start: float
    end: float
    seat: Seat
    path: _Path
    turn: float
    posture: Posture
    left: bool
    moves: tuple[tuple[int, _Where], ...] = ()
    on_top: bool = False

    def show(self, table: _Table, t: float) -> None:
        over = t >= self.end
        s = math.inf if over else t - self.start
        for number, where in self.moves:
            now = where(s)
            if now is None or self.on_top:
                table.things.pop(number, None)
            if now is not None:
                before = now if over else where(s - _STEP_S) or now
                vx, vy = (now.x - before.x) / _STEP_S, (now.y - before.y) / _STEP_S
                table.things[number] = replace(now, vx=vx, vy=vy)
        if not over:
            x, y, above = self.path.at(s)
            x0, y0, _ = self.path.at(s - _STEP_S)
            vx, vy = (x - x0) / _STEP_S, (y - y0) / _STEP_S
            table.hands.append(Hand(self.seat, x, y, self.turn, self.posture, self.left, above, vx, vy))


@dataclass(frozen=True, slots=True)
class _Lamp:
    """The lamp at *level* from *start* to *end*; it fades there and back."""

    start: float
    end: float
    level: float

    def at(self, t: float) -> float:
        inside = min(t - self.start, self.end - t) / _FADE_S
        return 1.0 + (self.level - 1.0) * min(max(inside, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class _Level:
    """A light comes to the level *to*: from *start* on, *takes* seconds long."""

    start: float
    takes: float
    to: float

    def after(self, level: float, t: float) -> float:
        """What becomes of *level* by the time *t*."""
        return level + (self.to - level) * min(max((t - self.start) / self.takes, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class _Knock:
    """The camera is knocked to another place and hangs there from then on."""

    start: float
    to: Shift

    def after(self, shift: Shift, t: float) -> Shift:
        k = _eased(min(max((t - self.start) / KNOCK_S, 0.0), 1.0))
        return shift if k == 0.0 else self.to if k == 1.0 else shift.towards(self.to, k)


@dataclass(slots=True)
class _Table:
    """A scene while it is folded. Things have numbers, since there may be two cards face down."""

    things: dict[int, Thing] = field(default_factory=dict)
    hands: list[Hand] = field(default_factory=list)

    def scene(self, lamp: float, light: Light, shift: Shift) -> Scene:
        things = self.things.values()
        return Scene(
            cards=tuple(thing for thing in things if isinstance(thing, Lying)),
            hands=tuple(self.hands),
            glasses=tuple(thing for thing in things if isinstance(thing, Glass)),
            phones=tuple(thing for thing in things if isinstance(thing, Phone)),
            lamp=lamp,
            light=light,
            shift=shift,
        )


# --- the felt ------------------------------------------------------------------------------------------------------


class Felt:
    """A table for *seats* players. Acts may be called from one thread while another asks for scenes.

    Every act is done at *at*, or as soon after as it can be, and returns what it will have done; *at* is never to fall
    by much, since cards lie over each other in the order of the calls. With *forgets* only what may still be seen is
    kept, for a table at which is played for hours: it has no ``told``, and is never asked for an earlier scene again.
    """

    def __init__(self, seats: int = 4, *, seed: int = 0, forgets: bool = False) -> None:
        self.seats = seats
        self._forgets = forgets
        self._rng = np.random.default_rng((seed, 1))
        self._left = [bool(self._rng.random() < 0.15) for _ in range(seats)]
        self._lock = threading.Lock()
        self._motions: list[_Motion] = []
        self._lamps: list[_Lamp] = []
        self._levels: dict[LightName, list[_Level]] = {"ceiling": [], "second": [], "sun": []}
        self._sun: tuple[float, Sun, float] | None = None  # since when, where it was then, and where it creeps, radians
        self._knocks: list[_Knock] = []
        self._told: list[Told] = []
        self._settled = -math.inf
        self._count = 0
        # What will lie when all planned acts are over: the thing's number, its seat and place, and when it lies still.
        self._planned: dict[int, tuple[Seat, Thing, float]] = {}
        self._free: dict[Seat, float] = {}  # when each seat's hand is free
        self._swept = -math.inf  # when the last sweep is over
        # The fold of the first motions, all over at that time.
        self._folded: tuple[int, float, dict[int, Thing]] = (0, -math.inf, {})

    def scene(self, t: float) -> Scene:
        """What is to be seen at time *t*."""
        with self._lock:
            count, since, things = self._folded if self._folded[1] <= t else (0, -math.inf, {})
            motions = self._motions
            if count < len(motions) and motions[count].end <= t:
                base = _Table(dict(things))
                while count < len(motions) and motions[count].end <= t:
                    motions[count].show(base, motions[count].end)
                    since = max(since, motions[count].end)
                    count += 1
                things = base.things
                if self._forgets:
                    del motions[:count]
                    count = 0
                self._folded = count, since, things
            table = _Table(dict(things))
            for motion in motions[count:]:
                if motion.start <= t:
                    motion.show(table, min(t, motion.end))
            lamp = math.prod((lamp.at(t) for lamp in self._lamps), start=1.0)
            shift = functools.reduce(lambda before, knock: knock.after(before, t), self._knocks, Shift())
            return table.scene(lamp, self._light(t), shift)

    def _light(self, t: float) -> Light:
        ceiling, second, sun = (
            functools.reduce(lambda level, change: change.after(level, t), self._levels[name], usual)
            for name, usual in USUAL.items()
        )
        if self._sun is None or sun == 0.0:
            return Light(ceiling, second)
        since, then, way = self._sun
        far = SUN_MM_S * (t - since)
        x, y = then.x + far * math.cos(way), then.y + far * math.sin(way)
        return Light(ceiling, second, Sun(x, y, then.turn, sun))

    @property
    def told(self) -> tuple[Told, ...]:
        """All acts so far, in the order of the calls."""
        with self._lock:
            return tuple(self._told)

    @property
    def settled(self) -> float:
        """When all acts called so far are over; minus infinity before the first."""
        with self._lock:
            return self._settled

    def lies(self, seat: Seat, face: Face) -> bool:
        """Whether that card of *seat* lies on the table, or is about to."""
        with self._lock:
            return self._number(seat, face) is not None

    # --- acts ---

    def lay(self, seat: Seat, face: Face, *, at: float, to: Point | None = None) -> Told:
        """*seat* lays a card in front of itself, or at the point *to*; one that it has laid already it puts into place
        anew."""
        with self._lock:
            number = self._number(seat, face)
            if number is not None:
                return self._moved(number, self._place(seat, face, beside=self._rank_of(seat, number)), at, "lay")
            place = self._place(seat, face, beside=self._rank_of(seat, None))
            if to is not None:
                place = replace(place, x=to[0], y=to[1])
            start, takes = max(self._ready(seat, at), self._swept), self._uniform(LAY_S)
            path, turn = self._to(seat, self._grip(seat, place), takes, (0.5, 0.6), carry=(HELD_MM, 0.0, 0.4 * HELD_MM))
            held = _held(place, path)
            until = 0.5 * takes
            number = self._new()
            moves = ((number, lambda s: place if s >= until else held(s)),)
            self._add(start, takes, seat, path, turn, "holding", moves, on_top=True)
            self._planned[number] = seat, place, start + until
            return self._tell(start, takes, "lay", seat, (face,), place, start + until)

    def slide(self, seat: Seat, face: Face, *, at: float) -> Told:
        """*seat* pushes a card along the cloth into its place, without lifting it."""
        with self._lock:
            place = self._place(seat, face, beside=self._rank_of(seat, None))
            start, takes = max(self._ready(seat, at), self._swept), self._uniform(SLIDE_S)
            grip = self._grip(seat, place)
            path, turn = self._to(seat, grip, takes, (0.6, 0.7), carry=(0.0, 0.0, HELD_MM))
            until, number = 0.6 * takes, self._new()

            def where(s: float) -> Lying:
                x, y, _ = path.at(s)
                return place if s >= until else replace(place, x=place.x + x - grip[0], y=place.y + y - grip[1])

            self._add(start, takes, seat, path, turn, "flat", ((number, where),), on_top=True)
            self._planned[number] = seat, place, start + until
            return self._tell(start, takes, "slide", seat, (face,), place, start + until)

    def lay_both(self, seat: Seat, faces: tuple[Face, Face], *, at: float) -> Told:
        """*seat* lays two cards with one hand, the second over the first."""
        with self._lock:
            _, right = self._axes(seat)
            first = self._place(seat, faces[0], beside=self._rank_of(seat, None))
            aside, twist = self._uniform((9.0, 30.0)), self._uniform((-8.0, 8.0))
            x, y = first.x + right[0] * aside, first.y + right[1] * aside
            second = Lying(faces[1], x, y, first.turn + twist)
            start, takes = max(self._ready(seat, at), self._swept), self._uniform(LAY_S)
            path, turn = self._to(seat, self._grip(seat, first), takes, (0.5, 0.6), carry=(HELD_MM, 0.0, 0.4 * HELD_MM))
            until = 0.5 * takes

            def laid(place: Lying) -> _Where:
                held = _held(place, path)
                return lambda s: place if s >= until else held(s)

            numbers = {self._new(): place for place in (first, second)}
            moves = tuple((number, laid(place)) for number, place in numbers.items())
            self._add(start, takes, seat, path, turn, "holding", moves, on_top=True)
            self._planned |= {number: (seat, place, start + until) for number, place in numbers.items()}
            return self._tell(start, takes, "lay", seat, faces, second, start + until)

    def turn_up(self, seat: Seat, face: Card, *, at: float, back: Face = "back") -> Told:
        """*seat* turns over a card that it laid face down: it is *face*. Raises ValueError when there is none."""
        with self._lock:
            number = self._known(seat, back)
            _, place, still = self._planned[number]
            assert isinstance(place, Lying)
            aside, angle = self._uniform((-25.0, 25.0)), math.radians(place.turn)
            there = replace(place, face=face, x=place.x + aside * math.cos(angle), y=place.y + aside * math.sin(angle))
            start, takes = max(self._ready(seat, at), still), self._uniform(TURN_S)
            path, turn = self._to(seat, self._grip(seat, place), takes, (0.35, 0.65), carry=(20.0, 0.0, HELD_MM))
            first, second = 0.35 * takes, 0.65 * takes

            def where(s: float) -> Lying:
                k = _eased(min(max((s - first) / (second - first), 0.0), 1.0))
                if k in (0.0, 1.0):
                    return there if k else place
                x, y = place.x + k * (there.x - place.x), place.y + k * (there.y - place.y)
                rolled = math.pi * k
                shown = place.face if k < 0.5 else face
                return Lying(shown, x, y, place.turn, 28.0 * math.sin(rolled), wide=abs(math.cos(rolled)))

            self._add(start, takes, seat, path, turn, "holding", ((number, where),), on_top=True)
            self._planned[number] = seat, there, start + second
            return self._tell(start, takes, "turn", seat, (face,), there, start + second)

    def straighten(self, seat: Seat, face: Face, *, at: float) -> Told:
        """*seat* puts its card straight where it lies. Raises ValueError when it does not lie there."""
        with self._lock:
            number = self._known(seat, face)
            place = self._planned[number][1]
            assert isinstance(place, Lying)
            there = replace(
                place,
                x=place.x + self._uniform((-6.0, 6.0)),
                y=place.y + self._uniform((-6.0, 6.0)),
                turn=upright_for(seat, self.seats) + self._uniform((-1.5, 1.5)),
            )
            return self._moved(number, there, at, "straighten")

    def lift(self, seat: Seat, face: Face, *, at: float) -> Told:
        """*seat* takes its card back. Raises ValueError when it does not lie there."""
        with self._lock:
            number = self._known(seat, face)
            _, place, still = self._planned.pop(number)
            assert isinstance(place, Lying)
            start, takes = max(self._ready(seat, at), still), self._uniform(LAY_S)
            path, turn = self._to(seat, self._grip(seat, place), takes, (0.4, 0.5), carry=(0.4 * HELD_MM, 0.0, HELD_MM))
            held = _held(place, path)
            since = 0.5 * takes
            moves = ((number, lambda s: place if s < since else held(s) if s < takes else None),)
            self._add(start, takes, seat, path, turn, "holding", moves)
            return self._tell(start, takes, "lift", seat, (face,))

    def nudge(self, seat: Seat, face: Face, *, at: float, by_mm: float = 14.0, by_deg: float = 9.0) -> Told:
        """Somebody pushes the card of *seat* a little. Raises ValueError when it does not lie there."""
        with self._lock:
            number = self._known(seat, face)
            place = self._planned[number][1]
            assert isinstance(place, Lying)
            turn = self._uniform((0.0, 2 * math.pi))
            there = replace(
                place,
                x=place.x + by_mm * math.cos(turn),
                y=place.y + by_mm * math.sin(turn),
                turn=place.turn + self._uniform((-by_deg, by_deg)),
            )
            return self._moved(number, there, at, "nudge")

    def sweep(self, seat: Seat | None, *, at: float) -> Told:
        """*seat* (None: who laid last) gathers all cards but those aside, and draws them to its edge. Without cards
        a hand passes."""
        with self._lock:
            lying = {n: p for n, (_, p, _) in self._planned.items() if isinstance(p, Lying)}
            gathered = {n: p for n, p in lying.items() if math.hypot(p.x, p.y) <= ASIDE_MM}
            if seat is None:
                seat = next((self._planned[n][0] for n in reversed(list(gathered))), 0)
            start = max([self._ready(seat, at), *(self._planned[n][2] for n in gathered)])
            takes = self._uniform(SWEEP_S)
            path, turn, moves = self._gathering(seat, gathered, takes)
            self._add(start, takes, seat, path, turn, "flat", moves)
            for number in gathered:
                del self._planned[number]
            self._swept = start + takes
            return self._tell(start, takes, "sweep", seat, tuple(p.face for p in gathered.values()))

    def cross(self, seat: Seat, *, at: float, pause_s: float = 0.0, to: Point | None = None) -> Told:
        """A hand of *seat* reaches across the table, or to the point *to*, stays there *pause_s* seconds and goes;
        nothing is touched."""
        with self._lock:
            start, takes = self._ready(seat, at), self._uniform(CROSS_S) + pause_s
            inward, right = self._axes(seat)
            far, aside = self._uniform((20.0, 120.0)), self._uniform((-90.0, 90.0))
            to = to or (inward[0] * far + right[0] * aside, inward[1] * far + right[1] * aside)
            first = 0.5 * (takes - pause_s) / takes
            path, turn = self._to(seat, to, takes, (first, first + pause_s / takes), carry=(45.0, 45.0, 45.0))
            self._add(start, takes, seat, path, turn, "flat", ())
            return self._tell(start, takes, "cross", seat, ())

    def put_glass(self, seat: Seat, *, at: float, to: Point | None = None) -> Told:
        """*seat* puts a glass down at *to*, else beside its cards and outside the trick area."""
        with self._lock:
            takes = self._uniform(CROSS_S)
            x, y = to or self._beside(seat, -120.0)
            return self._put_down(seat, Glass(x, y), at, takes, "glass")

    def put_phone(self, seat: Seat, *, at: float, to: Point | None = None) -> Told:
        """*seat* puts a telephone down at *to*, else beside its cards and outside the trick area."""
        with self._lock:
            takes = self._uniform(CROSS_S)
            x, y = to or self._beside(seat, 130.0)
            return self._put_down(seat, Phone(x, y, self._uniform((-180.0, 180.0))), at, takes, "phone")

    def take_away(self, seat: Seat, kind: type[Glass] | type[Phone], *, at: float) -> Told:
        """*seat* takes its glass or telephone away. Raises ValueError when there is none."""
        with self._lock:
            mine = (n for n, (s, thing, _) in self._planned.items() if s == seat and isinstance(thing, kind))
            number = max(mine, default=None)
            if number is None:
                raise ValueError(f"seat {seat} has no {kind.__name__.lower()} on the felt")
            _, place, still = self._planned.pop(number)
            start, takes = max(self._ready(seat, at), still), self._uniform(CROSS_S)
            path, turn = self._to(seat, (place.x, place.y), takes, (0.4, 0.5), carry=(40.0, 0.0, 60.0))

            def where(s: float) -> Thing | None:
                x, y, above = path.at(s)
                return place if s < 0.5 * takes else replace(place, x=x, y=y, above=above) if s < takes else None

            self._add(start, takes, seat, path, turn, "holding", ((number, where),))
            return self._tell(start, takes, "away", seat, ())

    def lamp(self, level: float, seconds: float, *, at: float) -> Told:
        """The lamp burns at *level* (1 as usual) for some *seconds*."""
        with self._lock:
            self._lamps.append(_Lamp(at, at + seconds, level))
            return self._tell(at, seconds, "lamp", None, ())

    def switch(self, lamp: Literal["ceiling", "second"], *, on: bool, at: float) -> Told:
        """Somebody switches the ceiling lamp, or a second one beside the table, on or off."""
        with self._lock:
            self._levels[lamp].append(_Level(at, _FADE_S, float(on)))
            return self._tell(at, _FADE_S, "switch", None, ())

    def shine(self, *, at: float, seconds: float = 1.0) -> Told:
        """The sun comes out: a patch of it lies somewhere on the cloth and creeps. It stays until ``cloud``."""
        with self._lock:
            if self._sun is None:
                x, y = self._uniform((-140.0, 140.0)), self._uniform((-120.0, 120.0))
                turn, way = self._uniform((0.0, 360.0)), self._uniform((0.0, 2 * math.pi))
                self._sun = at, Sun(x, y, turn, 1.0), way
            self._levels["sun"].append(_Level(at, seconds, 1.0))
            return self._tell(at, seconds, "shine", None, ())

    def cloud(self, *, at: float, seconds: float = 1.0) -> Told:
        """A cloud takes the sun away within some *seconds*."""
        with self._lock:
            self._levels["sun"].append(_Level(at, seconds, 0.0))
            return self._tell(at, seconds, "cloud", None, ())

    def knock(self, *, at: float, by_mm: float = 6.0, by_deg: float = 0.8) -> Told:
        """Somebody knocks against the camera: from now on it hangs up to so far from where it hung."""
        with self._lock:
            last = self._knocks[-1].to if self._knocks else Shift()
            way, turn = self._uniform((0.0, 2 * math.pi)), self._uniform((-by_deg, by_deg))
            far = by_mm * self._uniform((0.5, 1.0))
            tilt = last.tilt[0] + self._uniform((-by_deg, by_deg)), last.tilt[1] + self._uniform((-by_deg, by_deg))
            there = Shift(last.x + far * math.cos(way), last.y + far * math.sin(way), last.turn + turn, tilt)
            self._knocks.append(_Knock(at, there))
            return self._tell(at, KNOCK_S, "knock", None, ())

    # --- planning ---

    def _beside(self, seat: Seat, aside: float) -> Point:
        """A point so far beside the cards of *seat*, outside the trick area."""
        inward, right = self._axes(seat)
        out, aside = 205.0 + self._uniform((-6.0, 6.0)), aside + self._uniform((-15.0, 15.0))
        return right[0] * aside - inward[0] * out, right[1] * aside - inward[1] * out

    def _put_down(self, seat: Seat, place: Glass | Phone, at: float, takes: float, act: str) -> Told:
        start = self._ready(seat, at)
        path, turn = self._to(seat, (place.x, place.y), takes, (0.5, 0.6), carry=(60.0, 0.0, 40.0))
        until, number = 0.5 * takes, self._new()

        def where(s: float) -> Thing:
            x, y, above = path.at(s)
            return place if s >= until else replace(place, x=x, y=y, above=above)

        self._add(start, takes, seat, path, turn, "holding", ((number, where),), on_top=True)
        self._planned[number] = seat, place, start + until
        return self._tell(start, takes, act, seat, ())

    def _number(self, seat: Seat, face: Face) -> int | None:
        """The thing that is the last such card of *seat*."""
        mine = (n for n, (s, p, _) in self._planned.items() if s == seat and isinstance(p, Lying) and p.face == face)
        return max(mine, default=None)

    def _known(self, seat: Seat, face: Face) -> int:
        number = self._number(seat, face)
        if number is None:
            raise ValueError(f"{face} of seat {seat} does not lie on the felt")
        return number

    def _new(self) -> int:
        self._count += 1
        return self._count

    def _uniform(self, bounds: tuple[float, float]) -> float:
        return float(self._rng.uniform(*bounds))

    def _ready(self, seat: Seat, at: float) -> float:
        return max(at, self._free.get(seat, at))

    def _add(
        self,
        start: float,
        takes: float,
        seat: Seat,
        path: _Path,
        turn: float,
        posture: Posture,
        moves: tuple[tuple[int, _Where], ...],
        *,
        on_top: bool = False,
    ) -> None:
        end = start + takes
        self._free[seat] = end
        self._motions.append(_Motion(start, end, seat, path, turn, posture, self._left[seat], moves, on_top))

    def _tell(
        self,
        start: float,
        takes: float,
        act: str,
        seat: Seat | None,
        faces: tuple[Face, ...],
        place: Lying | None = None,
        released: float | None = None,
    ) -> Told:
        told = Told(start, start + takes, act, seat, faces, place, released)
        self._settled = max(self._settled, told.settled)
        if not self._forgets:
            self._told.append(told)
        return told

    def _axes(self, seat: Seat) -> tuple[Point, Point]:
        """Where the player of *seat* looks, and what is right of it: directions on the table."""
        angle = angle_of(seat, self.seats)
        return (-math.cos(angle), -math.sin(angle)), (math.sin(angle), -math.cos(angle))

    def _rank_of(self, seat: Seat, number: int | None) -> int:
        """How many cards of *seat* lie there before thing *number*, or before a new one."""
        mine = [n for n, (s, p, _) in self._planned.items() if s == seat and isinstance(p, Lying)]
        return len(mine) if number is None else mine.index(number)

    def _place(self, seat: Seat, face: Face, *, beside: int) -> Lying:
        inward, right = self._axes(seat)
        out = MIDDLE_MM.get(self.seats, FAR_MM) + self._uniform((-SCATTER_MM, SCATTER_MM))
        aside = beside * BESIDE_MM + self._uniform((-SCATTER_MM, SCATTER_MM))
        turn = upright_for(seat, self.seats) + self._uniform((-SCATTER_DEG, SCATTER_DEG))
        return Lying(face, right[0] * aside - inward[0] * out, right[1] * aside - inward[1] * out, turn)

    def _grip(self, seat: Seat, place: Lying) -> Point:
        """Where the fingertips of *seat* hold a card."""
        inward, _ = self._axes(seat)
        return place.x - inward[0] * _GRIP_MM, place.y - inward[1] * _GRIP_MM

    def _to(
        self, seat: Seat, to: Point, takes: float, stay: tuple[float, float], *, carry: tuple[float, float, float]
    ) -> tuple[_Path, float]:
        """A hand's path to a point and back, and its turn: it is there from and to the parts *stay* of *takes*;
        *carry* is how high it comes, stays and goes."""
        out, turn = self._outside(seat, to)
        keys = (
            _Key(0.0, out, carry[0]),
            _Key(stay[0] * takes, to, carry[1]),
            _Key(stay[1] * takes, to, carry[1]),
            _Key(takes, out, carry[2]),
        )
        return _Path(keys), turn

    def _outside(self, seat: Seat, to: Point) -> tuple[Point, float]:
        """From where a hand of *seat* comes to a point, in a straight line from its shoulder; and its turn."""
        inward, right = self._axes(seat)
        edge = _edge(inward)
        side = -1.0 if self._left[seat] else 1.0
        aside = side * self._uniform((90.0, 180.0))
        shoulder = right[0] * aside - inward[0] * (edge + 330), right[1] * aside - inward[1] * (edge + 330)
        way = shoulder[0] - to[0], shoulder[1] - to[1]
        far = math.hypot(*way)
        way = way[0] / far, way[1] / far
        # As far back along the arm as takes fingers, and a card before them, out of the picture.
        back = edge + 110 + (to[0] * inward[0] + to[1] * inward[1])
        return (to[0] + way[0] * back, to[1] + way[1] * back), math.degrees(math.atan2(-way[0], way[1]))

    def _moved(self, number: int, there: Lying, at: float, act: str) -> Told:
        """A hand of the card's seat pushes it to another place; it comes to lie on top."""
        seat, place, still = self._planned[number]
        assert isinstance(place, Lying)
        start, takes = max(self._ready(seat, at), still), self._uniform(LAY_S)
        grip, last = self._grip(seat, place), self._grip(seat, there)
        out, turn = self._outside(seat, grip)
        first, second = 0.4 * takes, 0.6 * takes
        path = _Path((_Key(0.0, out, 25.0), _Key(first, grip, 0.0), _Key(second, last, 0.0), _Key(takes, out, 25.0)))

        def where(s: float) -> Lying:
            k = _eased(min(max((s - first) / (second - first), 0.0), 1.0))
            if k == 1.0:
                return there
            x, y = place.x + k * (there.x - place.x), place.y + k * (there.y - place.y)
            return replace(place, x=x, y=y, turn=place.turn + k * (there.turn - place.turn))

        self._add(start, takes, seat, path, turn, "flat", ((number, where),), on_top=True)
        self._planned[number] = seat, there, start + second
        return self._tell(start, takes, act, seat, (place.face,), there, start + second)

    def _gathering(
        self, seat: Seat, gathered: dict[int, Lying], takes: float
    ) -> tuple[_Path, float, tuple[tuple[int, _Where], ...]]:
        """The hand reaches beyond the cards, comes down and draws back; each card goes with it when it comes by."""
        inward, right = self._axes(seat)
        along = {n: p.x * inward[0] + p.y * inward[1] for n, p in gathered.items()}
        aside = {n: p.x * right[0] + p.y * right[1] for n, p in gathered.items()}
        far = max(along.values(), default=60.0) + 25
        middle = sum(aside.values()) / max(len(aside), 1)
        to = inward[0] * far + right[0] * middle, inward[1] * far + right[1] * middle
        out, turn = self._outside(seat, to)
        # Cards are drawn as far as the hand: to be out of the picture they go a card's length further.
        gone = out[0] - inward[0] * 60, out[1] - inward[1] * 60
        down = 0.4 * takes
        keys = (_Key(0.0, out, 60.0), _Key(0.33 * takes, to, 40.0), _Key(down, to, 0.0), _Key(takes, gone, 0.0))
        path = _Path(keys)
        moves = []
        for number, place in gathered.items():
            under = 12.0 + self._uniform((-14.0, 14.0)), self._uniform((-14.0, 14.0))
            moves.append((number, self._drawn(seat, place, path, (down, takes), under, self._uniform((-25.0, 25.0)))))
        return path, turn, tuple(moves)

    def _drawn(
        self, seat: Seat, place: Lying, path: _Path, during: tuple[float, float], under: Point, twist: float
    ) -> _Where:
        """A card that is drawn along: sideways under the hand while it approaches, then with it."""
        inward, right = self._axes(seat)
        begun, over = during
        along, aside = place.x * inward[0] + place.y * inward[1], place.x * right[0] + place.y * right[1]
        x0, y0, _ = path.at(begun)
        far = x0 * inward[0] + y0 * inward[1]

        def where(s: float) -> Lying | None:
            if s >= over:
                return None
            if s <= begun:
                return place
            x, y, _ = path.at(s)
            hand_along, hand_aside = x * inward[0] + y * inward[1], x * right[0] + y * right[1]
            here = min(along, hand_along - under[0])
            # Whole under the hand when it has come 120 mm, or when it takes the card along.
            k = _eased(min(max((far - hand_along) / 120.0, 0.0), 1.0))
            beside = aside + k * (hand_aside + under[1] - aside)
            return replace(
                place,
                x=inward[0] * here + right[0] * beside,
                y=inward[1] * here + right[1] * beside,
                turn=place.turn + k * twist,
            )

        return where


def angle_of(seat: Seat, seats: int) -> float:
    """The direction from the middle to *seat*, in radians clockwise from east."""
    return math.radians(-90 + seat * 360 / seats)


def upright_for(seat: Seat, seats: int) -> float:
    """The turn of a card that stands upright for *seat*."""
    return math.degrees(angle_of(seat, seats)) - 90


def _held(place: Lying, path: _Path) -> Callable[[float], Lying]:
    """A card in the hand that lays it at *place*: as the hand holds it there."""
    rest = min(path.keys, key=lambda key: key.above)

    def where(s: float) -> Lying:
        x, y, above = path.at(s)
        return replace(place, x=place.x + x - rest.at[0], y=place.y + y - rest.at[1], above=above)

    return where


def _edge(direction: Point) -> float:
    """How far from the middle the picture may reach in a direction."""
    return min(e / abs(d) if abs(d) > 1e-9 else math.inf for e, d in zip(EDGE_MM, direction, strict=True))


def _eased(k: float) -> float:
    """From 0 to 1 with the least jerk, as a hand moves (Flash and Hogan 1985, "The coordination of arm movements")."""
    return k * k * k * (10 + k * (6 * k - 15))
