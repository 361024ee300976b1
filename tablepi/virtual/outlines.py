"""What the virtual table's decks print with: ranks and suit signs as outlines that this project drew itself.

A deck that is to show how a reader meets faces it has never seen must not share a font with those that trained it. So
a rank is a skeleton along which a pen is drawn, and a ``Lettering`` says which pen and which of the skeleton's
variants; a suit sign is a closed curve. Everything is in heights of the sign: x to the right, y down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Point = tuple[float, float]
Suits = Literal["classic", "round", "geometric", "antique"]


@dataclass(frozen=True, slots=True)
class Lettering:
    """How a deck's ranks are drawn. Lengths are shares of the rank's height.

    *stem*: the pen's width, seen in upright strokes; *hair*: its height, seen in level ones; *width* of a common rank;
    *square*: 2 for round bowls, more for squarer ones; *slant*: shift to the right over the height; *serif*: how far a
    foot stands out, 0 for none; *ball*: curves end in a drop; *soft*: every stroke ends round. The variants: *flat*
    top of the 3, *open* 4, *curled* arms of 6 and 9, *capped* J with a bar on top, *blunt* A with a flat top.
    """

    stem: float
    hair: float
    width: float = 0.56
    square: float = 2.4
    slant: float = 0.0
    serif: float = 0.0
    ball: bool = False
    soft: bool = False
    flat: bool = False
    open: bool = False
    curled: bool = False
    capped: bool = False
    blunt: bool = False


@dataclass(frozen=True, eq=False)
class Shape:
    """Polygons whose union is the ink: it fills the box from (0, 0) to (*width*, 1)."""

    polygons: tuple[Points, ...]
    width: float


@cache
def rank(lettering: Lettering, text: str, *, widest: float = 0.0) -> Shape:
    """The rank *text*: one of ``A 2 … 10 J Q K R D V B`` (and E, O for a joker). *widest* limits its width when it is
    not 0. Raises KeyError for a letter that nobody drew."""
    narrow = {"J": 0.86, "7": 0.94, "4": 1.06, "A": 1.1, "Q": 1.08, "K": 1.04, "D": 1.02, "V": 1.08, "E": 0.82}
    if text == "10":
        slim = replace(lettering, stem=0.88 * lettering.stem)
        one, nought = _glyph(slim, "1", 0.46), _glyph(slim, "0", 0.84)
        gap = 0.6 * lettering.stem if not lettering.serif else 0.35 * lettering.stem
        shape = _fitted([*one.polygons, *(p + np.array([one.width + gap, 0]) for p in nought.polygons)])
    else:
        shape = _glyph(lettering, text, narrow.get(text, 1.0))
    if widest and shape.width > widest:
        shape = Shape(tuple(p * [widest / shape.width, 1] for p in shape.polygons), widest)
    return shape


def _glyph(lettering: Lettering, letter: str, wide: float) -> Shape:
    if letter == "9":
        six = _glyph(replace(lettering, slant=0.0), "6", wide)
        polygons = [[six.width, 1] - p for p in six.polygons]
    else:
        pen = _Pen(lettering, wide)
        _SKELETONS[letter](pen)
        polygons = pen.polygons
    return _fitted([p + np.outer(1 - p[:, 1], [lettering.slant, 0]) for p in polygons])


def _fitted(polygons: Sequence[Points]) -> Shape:
    every = np.vstack(polygons)
    low, high = every.min(0), every.max(0)
    tall = high[1] - low[1]
    return Shape(tuple((p - low) / tall for p in polygons), float((high[0] - low[0]) / tall))


class _Pen:
    """Draws strokes in a skeleton's unit square, whose edges the ink just touches."""

    def __init__(self, lettering: Lettering, wide: float) -> None:
        self.letter = lettering
        self.polygons: list[Points] = []
        self._width = lettering.width * wide

    def stroke(self, *at: Point, thin: bool = False) -> None:
        """Straight from point to point; *thin* for the lighter of two diagonals."""
        pen = self.letter
        heavy = (0.35 * pen.stem + 0.65 * pen.hair) if thin else pen.stem
        for ends in pairwise(at):
            wide = heavy
            across, down = np.abs(np.diff([self._to_box(np.array(p)) for p in ends], axis=0)[0])
            if across and down and not pen.soft:  # a square pen draws slopes too fat
                wide = max((heavy * np.hypot(across, down) - pen.hair * across) / down, 0.4 * heavy)
            self._draw(np.array(ends), _nib(wide, pen.hair, soft=pen.soft))

    def curve(self, *parts: Points, cut: Literal["", "start", "end"] = "") -> None:
        """Along *parts*, one after the other; a *cut* end is level, or a drop where the lettering has those."""
        pen = self.letter
        path = np.vstack(parts)
        self._draw(path, _nib(pen.stem, pen.hair, soft=True))
        if cut and not pen.soft:
            end = path[0 if cut == "start" else -1]
            at = self._to_box(end)
            if pen.ball:
                inward = np.sign(0.5 - end[0]) * pen.stem * 0.18
                drop = 1.2 * pen.stem
                self.polygons.append(_nib(drop, drop, soft=True) + at + [inward, 0])
            else:
                self.polygons.append(_nib(pen.stem, pen.hair, soft=False) + at)

    def arm(self, path: Points) -> None:
        """Along *path*, with ends as level as those of a straight stroke."""
        pen = self.letter
        thick = 1.0 if pen.soft else 0.8  # a square pen draws slopes too fat
        self._draw(path, _nib(thick * pen.stem, thick * pen.hair, soft=pen.soft))

    def arc(self, middle: Point, radii: Point, start: float, end: float) -> Points:
        """Part of a bowl; degrees, clockwise from its top."""
        turn = np.radians(np.linspace(start, end, max(3, round(abs(end - start) / 7))))
        way = np.stack([np.sin(turn), -np.cos(turn)], 1)
        bent: Points = np.sign(way) * np.abs(way) ** (2 / self.letter.square)
        return np.array(middle) + bent * radii

    def serif(self, x: float, y: Literal[0, 1], left: float = 1.0, right: float = 1.0) -> None:
        """A foot, or at *y* = 0 a head, of the stroke that ends there; *left* and *right* scale its two sides."""
        pen = self.letter
        if not pen.serif:
            return
        at, half, thick = self._to_box(np.array([x, y]))[0], pen.stem / 2, max(pen.hair * 0.9, 0.045)
        reach = pen.serif
        bend = bezier((half + reach * right, thick), (half + reach * right * 0.35, thick * 1.1), (half, thick * 2.6))
        back = bezier((-half, thick * 2.6), (-half - reach * left * 0.35, thick * 1.1), (-half - reach * left, thick))
        foot = np.vstack([[[-half - reach * left, 0], [half + reach * right, 0]], bend, back])
        self.polygons.append(np.array([at, y]) + foot * [1, 1 - 2 * y])

    def _draw(self, path: Points, nib: Points) -> None:
        at = self._to_box(path)
        for a, b in pairwise(at):
            both = np.vstack([nib + a, nib + b]).astype(np.float32)
            self.polygons.append(cv2.convexHull(both)[:, 0].astype(np.float64))

    def _to_box(self, at: Points) -> Points:
        pen = np.array([self.letter.stem, self.letter.hair])
        return pen / 2 + at * ([self._width, 1] - pen)


def _nib(wide: float, high: float, *, soft: bool) -> Points:
    if soft:
        turn = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        return np.stack([np.cos(turn) * wide, np.sin(turn) * high], 1) / 2
    return np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2


def bezier(*at: Point) -> Points:
    """Sixteen points along the curve with these three or four points."""
    t = np.linspace(0, 1, 16)[:, None]
    curves = [np.array(p, np.float64) for p in at]
    while len(curves) > 1:  # de Casteljau
        curves = [a + (b - a) * t for a, b in pairwise(curves)]
    return curves[0]


# --- skeletons ------------------------------------------------------------------------------------------------------


def _nought(pen: _Pen) -> None:
    pen.curve(pen.arc((0.5, 0.5), (0.5, 0.5), 0, 360))


def _one(pen: _Pen) -> None:
    middle = 0.5 if pen.letter.serif else 1.0
    pen.stroke((middle, 0), (middle, 1))
    pen.stroke((middle, 0.02), (middle - 0.95, 0.2), thin=True)
    pen.serif(middle, 1)


def _two(pen: _Pen) -> None:
    pen.curve(
        pen.arc((0.49, 0.28), (0.48, 0.28), 282, 450),
        bezier((0.97, 0.28), (0.97, 0.52), (0.2, 0.68), (0, 1)),
        cut="start",
    )
    pen.stroke((0, 1), (1, 1))
    if pen.letter.serif:
        pen.stroke((1, 1), (1.05, 0.8), thin=True)


def _three(pen: _Pen) -> None:
    if pen.letter.flat:
        pen.stroke((0.05, 0), (0.95, 0))
        pen.stroke((0.93, 0), (0.4, 0.41), thin=True)
        pen.curve(np.array([[0.36, 0.41]]), pen.arc((0.44, 0.705), (0.56, 0.295), 0, 258), cut="end")
        return
    pen.curve(pen.arc((0.47, 0.235), (0.46, 0.235), 280, 540), np.array([[0.3, 0.47]]), cut="start")
    pen.curve(np.array([[0.3, 0.47]]), pen.arc((0.46, 0.735), (0.54, 0.265), 0, 260), cut="end")


def _four(pen: _Pen) -> None:
    if pen.letter.open:
        pen.stroke((0.52, 0), (0, 0.7), (1, 0.7))
        pen.stroke((0.7, 0.36), (0.7, 1))
        return
    pen.stroke((0.72, 0), (0, 0.71), thin=True)
    pen.stroke((0, 0.71), (1, 0.71))
    pen.stroke((0.74, 0), (0.74, 1))
    pen.serif(0.74, 1, 0.8, 0.8)


def _five(pen: _Pen) -> None:
    bowl = pen.arc((0.45, 0.67), (0.55, 0.33), 324, 618)
    pen.stroke((0.1, 0), (0.92, 0))
    pen.stroke((0.1, 0), (float(bowl[0, 0]), float(bowl[0, 1])), thin=bool(pen.letter.serif))
    pen.curve(bowl, cut="end")


def _six(pen: _Pen) -> None:
    if pen.letter.curled:
        pen.curve(pen.arc((0.5, 0.695), (0.5, 0.305), 0, 360))
        pen.curve(pen.arc((0.5, 0.26), (0.5, 0.26), 70, -90), np.array([[0, 0.695]]), cut="start")
    else:
        pen.curve(pen.arc((0.5, 0.675), (0.5, 0.325), 0, 360))
        pen.arm(bezier((0.78, 0), (0.4, 0.16), (0.0, 0.36), (0, 0.675)))


def _seven(pen: _Pen) -> None:
    pen.stroke((0, 0), (1, 0))
    if pen.letter.serif:
        pen.stroke((0, 0), (-0.05, 0.2), thin=True)
    if pen.letter.curled:
        pen.arm(bezier((0.98, 0), (0.62, 0.36), (0.42, 0.62), (0.42, 1)))
    else:
        pen.stroke((1, 0), (0.36, 1))


def _eight(pen: _Pen) -> None:
    pen.curve(pen.arc((0.5, 0.235), (0.44, 0.235), 0, 360))
    pen.curve(pen.arc((0.5, 0.735), (0.5, 0.265), 0, 360))


def _ace(pen: _Pen) -> None:
    apex = 0.08 if pen.letter.blunt else 0.0
    pen.stroke((0.5 - apex, 0), (0, 1), thin=True)
    pen.stroke((0.5 + apex, 0), (1, 1))
    if apex:
        pen.stroke((0.5 - apex, 0), (0.5 + apex, 0))
    pen.stroke((0.2, 0.7), (0.8, 0.7), thin=True)
    pen.serif(0, 1, 0.8, 0.8)
    pen.serif(1, 1, 0.8, 0.8)


def _jack(pen: _Pen) -> None:
    pen.stroke((0.95, 0), (0.95, 0.7))
    pen.curve(np.array([[0.95, 0.66]]), pen.arc((0.475, 0.7), (0.475, 0.3), 90, 272), cut="end")
    if pen.letter.capped:
        pen.stroke((0.36, 0), (0.95, 0))
    pen.serif(0.95, 0)


def _queen(pen: _Pen) -> None:
    pen.curve(pen.arc((0.5, 0.5), (0.5, 0.5), 0, 360))
    if pen.letter.serif:
        pen.curve(bezier((0.3, 0.76), (0.55, 0.66), (0.6, 1.06), (1.04, 0.98)))
    else:
        pen.stroke((0.6, 0.76), (1.0, 1.0))


def _king(pen: _Pen) -> None:
    pen.stroke((0, 0), (0, 1))
    pen.stroke((0.98, 0), (0.04, 0.62), thin=True)
    pen.stroke((0.36, 0.38), (1, 1))
    pen.serif(0, 0)
    pen.serif(0, 1)
    pen.serif(0.98, 0, 0.9, 0.5)
    pen.serif(1, 1, 0.7, 0.7)


def _r(pen: _Pen) -> None:
    pen.stroke((0, 0), (0, 1))
    pen.curve(np.array([[0, 0]]), pen.arc((0.46, 0.27), (0.5, 0.27), 0, 180), np.array([[0, 0.54]]))
    pen.stroke((0.42, 0.54), (1, 1))
    pen.serif(0, 0, 1, 0)
    pen.serif(0, 1)
    pen.serif(1, 1, 0.0, 0.8)


def _d(pen: _Pen) -> None:
    pen.stroke((0, 0), (0, 1))
    pen.curve(np.array([[0, 0]]), pen.arc((0.4, 0.5), (0.6, 0.5), 0, 180), np.array([[0, 1]]))
    pen.serif(0, 0, 1, 0)
    pen.serif(0, 1, 1, 0)


def _v(pen: _Pen) -> None:
    pen.stroke((0, 0), (0.5, 1))
    pen.stroke((1, 0), (0.5, 1), thin=True)
    pen.serif(0, 0, 0.8, 0.8)
    pen.serif(1, 0, 0.8, 0.8)


def _b(pen: _Pen) -> None:
    pen.stroke((0, 0), (0, 1))
    pen.curve(np.array([[0, 0]]), pen.arc((0.46, 0.24), (0.46, 0.24), 0, 180), np.array([[0, 0.48]]))
    pen.curve(np.array([[0, 0.48]]), pen.arc((0.46, 0.74), (0.54, 0.26), 0, 180), np.array([[0, 1]]))
    pen.serif(0, 0, 1, 0)
    pen.serif(0, 1, 1, 0)


def _e(pen: _Pen) -> None:
    pen.stroke((0, 0), (0, 1))
    for y, end in ((0, 1), (0.48, 0.85), (1, 1)):
        pen.stroke((0, y), (end, y))


_SKELETONS: dict[str, Callable[[_Pen], None]] = {
    "0": _nought, "1": _one, "2": _two, "3": _three, "4": _four, "5": _five, "6": _six, "7": _seven, "8": _eight,
    "A": _ace, "J": _jack, "Q": _queen, "K": _king, "R": _r, "D": _d, "V": _v, "B": _b, "E": _e, "O": _nought,
}  # fmt: skip


# --- suit signs -----------------------------------------------------------------------------------------------------

# The right half of each sign from its top to its foot, about x = 0: a point begins, then come lines (one point) and
# curves (three points).
Half = tuple[tuple[float, ...], ...]
_HALVES: dict[tuple[str, str], Half] = {
    ("classic", "H"): ((0, 0.2), (0.05, 0.06, 0.16, 0, 0.27, 0), (0.4, 0, 0.49, 0.11, 0.49, 0.26),
                       (0.49, 0.5, 0.17, 0.66, 0, 1)),
    ("round", "H"): ((0, 0.15), (0.07, 0.04, 0.16, 0, 0.26, 0), (0.44, 0, 0.54, 0.13, 0.54, 0.31),
                     (0.54, 0.6, 0.22, 0.78, 0, 1)),
    ("geometric", "H"): ((0, 0.14), (0.06, 0.05, 0.16, 0, 0.255, 0), (0.4, 0, 0.52, 0.115, 0.52, 0.262),
                         (0.52, 0.34, 0.49, 0.4, 0.44, 0.46), (0, 1)),
    ("antique", "H"): ((0, 0.26), (0.02, 0.08, 0.1, 0, 0.22, 0), (0.36, 0, 0.43, 0.1, 0.43, 0.24),
                       (0.43, 0.52, 0.1, 0.6, 0, 1)),
    ("classic", "D"): ((0, 0), (0.1, 0.19, 0.24, 0.38, 0.37, 0.5), (0.24, 0.62, 0.1, 0.81, 0, 1)),
    ("round", "D"): ((0, 0), (0.16, 0.19, 0.31, 0.36, 0.44, 0.5), (0.31, 0.64, 0.16, 0.81, 0, 1)),
    ("geometric", "D"): ((0, 0), (0.4, 0.5), (0, 1)),
    ("antique", "D"): ((0, 0), (0.06, 0.2, 0.16, 0.37, 0.31, 0.5), (0.16, 0.63, 0.06, 0.8, 0, 1)),
    ("classic", "S"): ((0, 0), (0.08, 0.2, 0.46, 0.34, 0.46, 0.6), (0.46, 0.74, 0.37, 0.82, 0.26, 0.82),
                       (0.16, 0.82, 0.08, 0.77, 0.035, 0.69), (0.045, 0.86, 0.1, 0.96, 0.2, 1)),
    ("round", "S"): ((0, 0), (0.12, 0.17, 0.5, 0.34, 0.5, 0.58), (0.5, 0.74, 0.41, 0.83, 0.28, 0.83),
                     (0.19, 0.83, 0.11, 0.79, 0.055, 0.72), (0.06, 0.86, 0.12, 0.95, 0.24, 1)),
    ("geometric", "S"): ((0, 0), (0.4, 0.42), (0.46, 0.48, 0.48, 0.53, 0.48, 0.6), (0.48, 0.73, 0.37, 0.83, 0.24, 0.83),
                         (0.15, 0.83, 0.08, 0.79, 0.04, 0.73), (0.17, 1)),
    ("antique", "S"): ((0, 0), (0.05, 0.26, 0.4, 0.36, 0.4, 0.62), (0.4, 0.75, 0.32, 0.81, 0.22, 0.81),
                       (0.13, 0.81, 0.06, 0.76, 0.025, 0.68), (0.03, 0.88, 0.05, 0.94, 0.16, 0.95), (0.16, 1)),
    ("classic", "C"): ((0, 0.4), (0.12, 0.4), (0.035, 0.6), (0.045, 0.84, 0.1, 0.96, 0.2, 1)),
    ("round", "C"): ((0, 0.4), (0.14, 0.42), (0.06, 0.6), (0.06, 0.84, 0.12, 0.95, 0.24, 1)),
    ("geometric", "C"): ((0, 0.34), (0.12, 0.42), (0.03, 0.58), (0.17, 1)),
    ("antique", "C"): ((0, 0.3), (0.04, 0.44, 0.1, 0.52, 0.2, 0.54), (0.1, 0.57, 0.025, 0.58, 0.025, 0.7),
                       (0.03, 0.88, 0.05, 0.94, 0.16, 0.95), (0.16, 1)),
}  # fmt: skip

# The three leaves of a club: radius, how far out the lower two are, and how low.
_LEAVES = {
    "classic": (0.228, 0.262, 0.575),
    "round": (0.25, 0.27, 0.58),
    "geometric": (0.225, 0.235, 0.6),
    "antique": (0.2, 0.24, 0.56),
}


@cache
def sign(kind: Suits, suit: str) -> Shape:
    """The sign of *suit* (C, D, H or S) as decks of this *kind* print it."""
    half = _path(_HALVES[kind, suit])
    polygons = [np.vstack([half, half[::-1] * [-1, 1]])]
    if suit == "C":
        radius, out, low = _LEAVES[kind]
        leaf = _nib(2 * radius, 2 * radius, soft=True)
        polygons += [leaf + at for at in ((0, radius), (-out, low), (out, low))]
    return _fitted(polygons)


def _path(steps: Half) -> Points:
    at = steps[0]
    parts = [np.array([at], np.float64)]
    for step in steps[1:]:
        if len(step) == 2:
            parts.append(np.array([step], np.float64))
        else:
            parts.append(bezier((at[-2], at[-1]), (step[0], step[1]), (step[2], step[3]), (step[4], step[5])))
        at = step
    return np.vstack(parts)
