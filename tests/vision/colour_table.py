"""A table for the watcher's tests: cards are white with a square of their own colour for an index, and the reader reads
colours. What it says of a card can be scripted, look by look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from tablepi.cards import ALL_CARDS, Card, card
from tablepi.facts import Fact, dumps, to_dict
from tablepi.frames import Frame
from tablepi.vision.reader import Index, Reading
from tablepi.vision.view import View
from tablepi.vision.watcher import Watcher

FPS = 15
SCALE = 0.8  # pixels a millimetre: coarse, so that frames are quickly drawn
SIZE = (640, 400)
MIDDLE = (319.5, 199.5)
TO_TABLE = np.array([[1 / SCALE, 0, -MIDDLE[0] / SCALE], [0, 1 / SCALE, -MIDDLE[1] / SCALE], [0, 0, 1]])
NOISE = np.random.default_rng(1).normal(0, 1.2, (8, SIZE[1], SIZE[0], 3)).round().astype(np.int16)
PLACES = {0: (0, -100, 180), 1: (100, 0, 270), 2: (0, 100, 0), 3: (-100, 0, 90)}
"""Where each of four seats lays: x, y in millimetres, the card's turn in degrees."""


def colour_of(what: Card) -> tuple[int, int, int]:
    """A colour that no other card, no cloth and no hand has: blue tells the rank, red the suit."""
    return 15 + 18 * (what.index >> 2), 0, 60 + 60 * (what.index & 3)


@dataclass
class Colours:
    """Reads colours. *says*: for a card, what each look at it says, as ``"KC 0.9"``, ``"KC 0.5 KS 0.45"`` where it
    wavers, or ``""`` for nothing; the last one stays. *sizes*: of what its index is told to be of another size."""

    threshold: float = 0.8
    says: dict[str, list[str]] = field(default_factory=dict)
    sizes: dict[str, float] = field(default_factory=dict)

    def read(self, frame: np.ndarray, per_mm: float) -> list[Reading]:
        marks = ((frame[..., 1] < 8) & (frame[..., 2] > 50)).astype(np.uint8)
        count, _, stats, middles = cv2.connectedComponentsWithStats(marks)
        spots: dict[Card, list[tuple[float, float]]] = {}
        for i in range(1, count):
            if stats[i, cv2.CC_STAT_AREA] > 20:
                x, y = middles[i].tolist()
                blue, _, red = frame[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2].mean((0, 1)).tolist()
                number = 4 * round((blue - 15) / 18) + round((red - 60) / 60)
                spots.setdefault(ALL_CARDS[number], []).append((x, y))
        return [reading for what, at in spots.items() if (reading := self._said(what, at, frame)) is not None]

    def _said(self, what: Card, spots: list[tuple[float, float]], frame: np.ndarray) -> Reading | None:
        script = self.says.get(str(what), [f"{what} 0.97"])
        told = script.pop(0) if len(script) > 1 else script[0]
        if not told:
            return None
        name, sure, *other = told.split()
        chances, size = [0.0] * 52, self.sizes.get(str(what), 26.0)
        for each, chance in ((name, sure), tuple(other or (name, sure))):
            chances[card(each).index] = float(chance)
        indices = tuple(Index(x, y, _up(frame, x, y), size, 0.9, tuple(chances)) for x, y in spots[:1])
        indices += tuple(replace(indices[0], x=x, y=y, up=_up(frame, x, y), chances=()) for x, y in spots[1:])
        return Reading(card(name), float(sure), (0, 0, 1, 1), indices)


def _up(frame: np.ndarray, x: float, y: float) -> float:
    """Which way an index stands: its card's paper goes on for longest towards the index across."""
    angles = np.radians(np.arange(0, 360, 6))
    reach = []
    for a in angles:
        far = 0
        while far < 80:
            u, v = round(x - np.sin(a) * far), round(y + np.cos(a) * far)
            if not (0 <= u < frame.shape[1] and 0 <= v < frame.shape[0]) or (frame[v, u].min() < 150 and far > 8):
                break
            far += 2
        reach.append(far)
    return float(angles[int(np.argmax(reach))]) + np.arctan2(24, 33)


@dataclass
class Felt:
    """What lies on the table now: cards by name, at (x, y, turn), the later over the earlier; and a hand."""

    cards: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    marks: dict[str, tuple[float, float, float]] = field(default_factory=dict)  # an index alone, where none should be
    hand: tuple[float, float] | None = None
    cloth: tuple[int, int, int] = (60, 110, 40)
    light: float = 1.0
    sun: tuple[float, float, float] | None = None  # it falls right of x and below y, so many times as bright
    glass: tuple[float, float] | None = None
    phone: tuple[float, float, float] | None = None  # under the cards
    darker: float = 0.0  # by how much the cloth is darker at the right edge than at the left

    def lay(self, name: str, seat: int, dx: float = 0.0, dy: float = 0.0) -> None:
        x, y, turn = PLACES[seat]
        self.cards[name] = (x + dx, y + dy, turn)

    def picture(self, number: int) -> np.ndarray:
        """The frame with that *number*: each has noise of its own."""
        frame = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
        frame[:] = np.linspace(1, 1 - self.darker, SIZE[0])[:, None] * self.cloth
        if self.phone is not None:
            cv2.fillConvexPoly(frame, _pixels(*self.phone, [(-38, -75), (38, -75), (38, 75), (-38, 75)]), (120, 60, 30))
        for name, (x, y, turn) in self.cards.items():
            cv2.fillConvexPoly(
                frame, _pixels(x, y, turn, [(-30, -44), (30, -44), (30, 44), (-30, 44)]), (240, 240, 240)
            )
            for u, v in ((-24, -33), (24, 33)):
                mark = [(u - 4, v - 6), (u + 4, v - 6), (u + 4, v + 6), (u - 4, v + 6)]
                cv2.fillConvexPoly(frame, _pixels(x, y, turn, mark), colour_of(card(name)))
        for name, (x, y, turn) in self.marks.items():
            mark = [(-4, -6), (4, -6), (4, 6), (-4, 6)]
            cv2.fillConvexPoly(frame, _pixels(x, y, turn, mark), colour_of(card(name)))
        if self.glass is not None:
            middle = _pixels(*self.glass, 0, [(0, 0)])[0]
            cv2.circle(frame, middle.tolist(), round(30 * SCALE), (30, 80, 150), -1)
        if self.hand is not None:
            x, y = self.hand
            cv2.fillConvexPoly(frame, _pixels(x, y, 0, [(-45, -40), (45, -40), (60, 400), (-60, 400)]), (120, 150, 200))
        lit = cv2.convertScaleAbs(frame, alpha=self.light)
        if self.sun is not None:
            x, y, times = self.sun
            left, top = _pixels(x, y, 0, [(0, 0)])[0].clip(0).tolist()
            part = lit[top:, left:]
            part[:] = np.clip(part * (1 + (times - 1) * np.array([0.9, 1.0, 1.1])), 0, 255)
        if self.light > 0.1:  # the reader reads colours: its ink shines
            ink = (frame[..., 1] == 0) & (frame[..., 2] > 50)
            lit[ink] = frame[ink]
        noise = np.roll(NOISE[number % len(NOISE)], number * 7, axis=1)
        return np.clip(lit + noise, 0, 255).astype(np.uint8)


def _pixels(x: float, y: float, turn: float, points: Iterable[tuple[float, float]]) -> np.ndarray:
    a = np.radians(turn)
    at = np.array(list(points)) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (x, y)
    return np.round(at * SCALE + MIDDLE).astype(np.int32)


class Table:
    """A felt, its watcher, and time. ``see`` shows frames and gives the facts they add, as short texts. *view*
    is where the camera looks, None when nobody knows."""

    def __init__(self, **says: list[str]) -> None:
        self.felt = Felt()
        self.reader = Colours(says=says)
        self.view: View | None = View(TO_TABLE, SIZE)
        self.watcher = Watcher(self.reader, self.view, 4, where=lambda *_: self.view)
        self._frames = 0

    def see(self, seconds: float = 1.0) -> list[str]:
        return [text(fact) for _ in range(round(seconds * FPS)) for fact in self._next()]

    def _next(self) -> Iterator[Fact]:
        self._frames += 1
        yield from self.watcher.look(Frame(self.felt.picture(self._frames), self._frames / FPS))


def text(fact: Fact) -> str:
    """A fact without what every fact of the camera has."""
    told = to_dict(fact)
    kind, source = told.pop("fact"), told.pop("source")
    assert source == "camera", dumps(to_dict(fact))
    assert told.pop("steady", 0.3) >= 0.3
    seat, name, sure = told.pop("seat", None), told.pop("card", ""), told.pop("confidence", None)
    assert not told
    parts = [kind, *([f"{seat}:{name}"] if name else []), *([f"{sure:g}"] if sure is not None else [])]
    return " ".join(parts)
