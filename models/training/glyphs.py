"""Ranks and suit signs as shapes: the more kinds a reader has met, the fewer decks are new to it.

A shape is a mask: float32 (height, width), 0 to 1, cropped to the ink. Ranks come from fonts; suit signs come from
fonts that have them, or are drawn here from curves with random proportions.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.float32]

PIXELS = 120


@lru_cache(maxsize=4096)
def rank(font: Path, text: str, kerning: float = 0.0) -> Mask:
    """The glyphs of *text* in *font*, about 120 pixels high; *kerning* moves the two figures of "10" together (below
    0) or apart, as a share of their height."""
    face = ImageFont.truetype(str(font), PIXELS)
    masks = []
    for letter in text:
        x0, _, x1, _ = face.getbbox(letter)
        image = Image.new("L", (max(1, x1 - x0) + 4, 2 * PIXELS), 0)
        ImageDraw.Draw(image).text((2 - x0, PIXELS // 4), letter, font=face, fill=255)
        masks.append(np.asarray(image, np.float32) / 255)
    if len(masks) == 1:
        return crop(masks[0])
    parts = [_crop_columns(m) for m in masks]
    gap = round((0.09 + kerning) * PIXELS)
    width = sum(p.shape[1] for p in parts) + max(gap, -min(p.shape[1] for p in parts) // 2)
    out = np.zeros((parts[0].shape[0], width), np.float32)
    out[:, : parts[0].shape[1]] = parts[0]
    start = width - parts[1].shape[1]
    out[:, start:] = np.maximum(out[:, start:], parts[1])
    return crop(out)


DRAWN = ("2", "3", "4", "5", "6", "8", "9", "10", "J", "Q")
"""What ``Pen`` draws: the ranks that card printers shape otherwise than fonts do."""


class Pen:
    """One card printer's hand: narrow figures of one stroke, round or with straight sides, as on cards of the
    international pattern: Q with a curl, flat-topped 3, open 4, tight 10."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._width = rng.triangular(0.36, 0.48, 0.85)  # of a figure, over its height
        self._thick = rng.uniform(0.14, 0.34) * min(self._width, 0.6)
        self._contrast = rng.uniform(0.55, 1.0)  # thickness of level strokes over that of upright ones
        self._square = float(np.exp(rng.uniform(np.log(2.0), np.log(5.0))))  # exponent: 2 an ellipse, 5 nearly a box
        self._flat = rng.random() < 0.5  # the top of the 3
        self._tail = int(rng.choice(5, p=[0.14, 0.14, 0.11, 0.11, 0.5]))  # of the Q

    def draw(self, text: str) -> Mask:
        """*text*, one of DRAWN."""
        if text == "9":
            return np.ascontiguousarray(self.draw("6")[::-1, ::-1])
        if text == "10":
            return self._ten()
        self._canvas = np.zeros((2 * PIXELS + 120, round(2 * PIXELS * self._width) + 120), np.uint8)
        getattr(self, f"_draw_{text}")()
        half = cv2.resize(self._canvas, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        return crop(half.astype(np.float32) / 255)

    def _at(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        return (points * [2 * PIXELS * self._width, 2 * PIXELS] + 60).round().astype(np.int32)

    def _stroke(self, *points: tuple[float, float] | NDArray[np.float64], thick: float = 1.0) -> None:
        path = self._at(np.vstack([np.atleast_2d(np.array(p)) for p in points]))
        cv2.polylines(self._canvas, [path], False, 255, max(3, round(2 * PIXELS * self._thick * thick)), cv2.LINE_AA)

    def _arc(self, x: float, y: float, w: float, h: float, start: float, end: float) -> NDArray[np.float64]:
        """Points of the rounded box around (x, y), half as wide as *w*; angles in degrees, clockwise from the right."""
        a = np.radians(np.linspace(start, end, 40))
        c, s = np.cos(a), np.sin(a)
        k = 2 / self._square
        return np.stack([x + w * np.sign(c) * np.abs(c) ** k, y + h * np.sign(s) * np.abs(s) ** k], 1)

    def _ring(self, x: float, y: float, w: float, h: float) -> None:
        pen = self._thick
        outer = self._arc(x, y, w + pen / 2 / self._width, h + pen * self._contrast / 2, 0, 360)
        inner = self._arc(x, y, max(w - pen / 2 / self._width, 0.04), max(h - pen * self._contrast / 2, 0.02), 0, 360)
        ring = np.zeros_like(self._canvas)
        cv2.fillPoly(ring, [self._at(outer)], 255, cv2.LINE_AA)
        cv2.fillPoly(ring, [self._at(inner)], 0, cv2.LINE_AA)
        self._canvas = np.maximum(self._canvas, ring)

    def _ten(self) -> Mask:
        rng, thick = self._rng, max(2, round(PIXELS * self._thick))
        narrow, self._width = self._width, self._width * rng.uniform(0.75, 1.0)
        self._canvas = np.zeros((2 * PIXELS + 120, round(2 * PIXELS * self._width) + 120), np.uint8)
        self._ring(0.5, 0.5, 0.5, 0.5)
        zero = crop(cv2.resize(self._canvas, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) / np.float32(255))
        self._width = narrow
        flag = round(thick * rng.choice([0, 0.6, 1.2]))
        one = np.zeros((zero.shape[0], flag + thick), np.float32)
        one[:, flag:] = 1
        cv2.line(one, (flag + thick // 2, 0), (0, round(0.2 * PIXELS)), 1.0, max(2, thick // 2), cv2.LINE_AA)
        gap = np.zeros((zero.shape[0], round(PIXELS * rng.uniform(0.03, 0.14))), np.float32)
        return crop(np.hstack([one, gap, zero]))

    def _draw_2(self) -> None:
        low = self._rng.uniform(0.55, 0.7)
        self._stroke(self._arc(0.5, 0.3, 0.5, 0.3, 190, 370), (0.85, low - 0.08), (0.02, 1.0), (1.0, 1.0))

    def _draw_3(self) -> None:
        belly = self._arc(0.48, 0.69, 0.5, 0.31, -90, self._rng.uniform(140, 180))
        if self._flat:
            self._stroke((0.05, 0.0), (0.9, 0.0), (0.42, 0.38))
        else:
            self._stroke(self._arc(0.48, 0.19, 0.46, 0.19, -175, 90))
        self._stroke(belly)

    def _draw_4(self) -> None:
        rng = self._rng
        stem, bar = rng.uniform(0.6, 0.8), rng.uniform(0.58, 0.75)
        self._stroke((stem, rng.choice([0.0, 0.3])), (stem, 1.0))
        self._stroke((rng.choice([stem, 0.35]), 0.0), (0.0, bar), (1.0, bar))
        if rng.random() < 0.3:
            self._stroke((stem - 0.2, 1.0), (stem + 0.2, 1.0))

    def _draw_5(self) -> None:
        lean = self._rng.uniform(0.0, 0.12)
        self._stroke((0.95, 0.0), (0.08 + lean, 0.0), (0.08, 0.42))
        self._stroke((0.08, 0.42), self._arc(0.48, 0.68, 0.5, 0.32, -110, self._rng.uniform(145, 180)))

    def _draw_6(self) -> None:
        h = self._rng.uniform(0.25, 0.33)
        self._ring(0.5, 1 - h, 0.5, h)
        self._stroke(self._arc(0.5, 0.5, 0.5, 0.5, -self._rng.uniform(15, 50), -180), (0.0, 1 - h))

    def _draw_8(self) -> None:
        h, w = self._rng.uniform(0.2, 0.25), self._rng.uniform(0.4, 0.5)
        self._ring(0.5, h, w, h)
        self._ring(0.5, 0.5 + h, 0.5, 0.5 - h)

    def _draw_J(self) -> None:
        rng, stem = self._rng, self._rng.uniform(0.7, 0.9)
        self._stroke((stem, 0.0), (stem, 0.7), self._arc(stem / 2, 0.72, stem / 2, 0.28, 0, rng.uniform(150, 200)))
        if rng.random() < 0.6:
            self._stroke((stem - rng.uniform(0.2, 0.45), 0.0), (stem + rng.choice([0.0, 0.25]), 0.0))

    def _draw_Q(self) -> None:
        rng = self._rng
        self._ring(0.5, 0.46, 0.5, 0.46)
        if self._tail == 0:
            self._stroke((rng.uniform(0.4, 0.65), rng.uniform(0.62, 0.75)),
                         (rng.uniform(0.85, 1.05), rng.uniform(0.92, 1.03)))  # fmt: skip
        elif self._tail == 1:
            curve = _bezier((0.2, 0.9), (rng.uniform(0.3, 0.5), 0.65), (0.7, 1.05), (1.0, rng.uniform(0.9, 1.0)))
            self._stroke(curve, thick=0.8)
        elif self._tail == 2:
            self._stroke((0.5, rng.uniform(0.7, 0.85)), (rng.uniform(0.5, 0.7), 1.08), thick=0.9)
        elif self._tail == 3:
            self._stroke(_bezier((0.45, 0.93), (0.55, 1.12), (1.0, rng.uniform(1.0, 1.1))), thick=0.7)
        else:  # the queen of the international pattern: a curl outside on the left, then across and out
            out, low, top = rng.uniform(-0.28, 0.1), rng.uniform(0.84, 0.96), rng.uniform(0.56, 0.76)
            begin, turn = (rng.uniform(0.0, 0.5), low), (rng.uniform(0.1, 0.4), top)
            curl = _bezier(begin, (out, low + 0.06), (out, top), turn)
            end = (rng.uniform(0.98, 1.22), rng.uniform(0.88, 1.0))
            cross = _bezier(turn, (0.5, top + 0.02), (rng.uniform(0.6, 0.8), end[1] + 0.03), end)
            self._stroke(curl, cross, thick=rng.uniform(0.5, 0.95))


def can_write(font: Path, text: str) -> bool:
    """Whether *font* has ink for every letter of *text*, and the letters differ (a font without them draws boxes)."""
    try:
        masks = [rank(font, letter) for letter in text]
    except (OSError, ValueError):
        return False
    return all(m.size > 100 and m.sum() > 50 for m in masks) and len({m.tobytes() for m in masks}) == len(text)


def crop(mask: Mask) -> Mask:
    """*mask* without its empty border; ValueError when there is no ink."""
    rows, columns = np.flatnonzero(mask.max(1) > 0.3), np.flatnonzero(mask.max(0) > 0.3)
    if not len(rows):
        raise ValueError("a shape without ink")
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _crop_columns(mask: Mask) -> Mask:
    columns = np.flatnonzero(mask.max(0) > 0.3)
    if not len(columns):
        raise ValueError("a shape without ink")
    return mask[:, columns[0] : columns[-1] + 1]


def suits(rng: np.random.Generator, fonts: tuple[Path, ...]) -> dict[str, Mask]:
    """A set of the four suit signs, from a font in *fonts* one time in three, else drawn with random proportions."""
    if fonts and rng.random() < 0.35:
        font = fonts[rng.integers(len(fonts))]
        return {s: rank(font, sign) for s, sign in zip("CDHS", "♣♦♥♠", strict=True)}
    return {"C": _club(rng), "D": _diamond(rng), "H": _heart(rng), "S": _spade(rng)}


def _bezier(*points: tuple[float, float]) -> NDArray[np.float64]:
    p = np.array(points)
    t = np.linspace(0, 1, 24)[:, None]
    if len(p) == 3:
        return (1 - t) ** 2 * p[0] + 2 * t * (1 - t) * p[1] + t**2 * p[2]
    return (1 - t) ** 3 * p[0] + 3 * t * (1 - t) ** 2 * p[1] + 3 * t**2 * (1 - t) * p[2] + t**3 * p[3]


def _fill(outlines: list[NDArray[np.float64]], aspect: float) -> Mask:
    """Outlines in the unit square (x right, y down), filled and added."""
    height, k = PIXELS, 4
    size = (int(height * 1.6) * k // 2, int(height * 1.3) * k // 2)
    canvas = np.zeros((size[1], size[0]), np.uint8)
    for outline in outlines:
        xy = (outline * [aspect, 1] * height * k / 2 + [height * 0.25 * k / 2, height * 0.12 * k / 2]).round()
        cv2.fillPoly(canvas, [xy.astype(np.int32)], 255)
    small = cv2.resize(canvas, None, fx=2 / k, fy=2 / k, interpolation=cv2.INTER_AREA)
    return crop(small.astype(np.float32) / 255)


def _mirrored(left: NDArray[np.float64]) -> NDArray[np.float64]:
    """The outline whose left half, from the top to the bottom, is *left*."""
    right = left[::-1] * [-1, 1] + [1, 0]
    return np.vstack([left, right])


def _half_heart(rng: np.random.Generator) -> NDArray[np.float64]:
    cleft = rng.uniform(0.08, 0.3)
    lobe = rng.uniform(0.0, 0.06)
    shoulder = rng.uniform(0.24, 0.36)
    belly = rng.uniform(-0.05, 0.16)
    tip = rng.uniform(-0.14, 0.06)
    top = (rng.uniform(0.22, 0.3), 0.0)
    return np.vstack(
        [
            _bezier((0.5, cleft), (0.5 - lobe, cleft * 0.45), (0.42, 0.0), top),
            _bezier(top, (0.1, 0.0), (0.0, shoulder * 0.45), (0.0, shoulder)),
            _bezier((0.0, shoulder), (0.0, shoulder + 0.22 + belly), (0.38 + tip, 0.76), (0.5, 1.0)),
        ]
    )


def _heart(rng: np.random.Generator) -> Mask:
    return _fill([_mirrored(_half_heart(rng))], rng.uniform(0.8, 1.12))


def _stem(rng: np.random.Generator, top: float) -> NDArray[np.float64]:
    foot, waist = rng.uniform(0.1, 0.27), rng.uniform(0.015, 0.06)
    bend = rng.uniform(0.0, 0.12)
    if rng.random() < 0.15:  # a plain bar
        return np.array([[0.5 - waist, top], [0.5 - waist, 1.0], [0.5 + waist, 1.0], [0.5 + waist, top]])
    return _mirrored(np.vstack([_bezier((0.5 - waist, top), (0.5 - waist, 1 - bend), (0.5 - foot, 1.0)), [[0.5, 1.0]]]))


def _spade(rng: np.random.Generator) -> Mask:
    leaf = rng.uniform(0.74, 0.9)
    half = _half_heart(rng) * [1, -leaf] + [0, leaf]
    return _fill([_mirrored(half[::-1]), _stem(rng, leaf * 0.6)], rng.uniform(0.76, 1.05))


def _diamond(rng: np.random.Generator) -> Mask:
    bow = rng.choice([0.0, rng.uniform(-0.03, 0.1)])
    inner = (0.25 + bow, 0.25 + bow), (0.25 + bow, 0.75 - bow)
    half = np.vstack([_bezier((0.5, 0.0), inner[0], (0.0, 0.5)), _bezier((0.0, 0.5), inner[1], (0.5, 1.0))])
    return _fill([_mirrored(half)], rng.uniform(0.62, 1.0))


def _club(rng: np.random.Generator) -> Mask:
    r = rng.uniform(0.2, 0.27)
    spread, low = rng.uniform(0.2, 0.5 - r + 0.01), rng.uniform(0.52, 0.64)
    turn = np.linspace(0, 2 * np.pi, 60)
    ring = np.stack([np.cos(turn), np.sin(turn)], 1)
    round_ = rng.uniform(0.92, 1.08)
    outlines = [ring * [r, r] + c for c in ((0.5, r), (0.5 - spread, low), (0.5 + spread, low))]
    core = rng.uniform(0.05, 0.13)
    outlines.append(ring * [core, core * 1.5] + [0.5, (r + low) / 2 + 0.05])
    outlines.append(_stem(rng, low * 0.9))
    return _fill(outlines, round_)
