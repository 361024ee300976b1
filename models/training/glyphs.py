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


def drawn(rng: np.random.Generator, text: str) -> Mask:
    """A "Q", "3" or "4" as card printers draw them and few fonts do: narrow Q with any tail, flat-topped 3, open 4."""
    height, k = PIXELS, 2
    width = round(height * rng.triangular(0.4, 0.5, 0.85))
    pen = rng.uniform(0.07, 0.2) * min(width, height * 0.6)
    canvas = np.zeros((height * k + 80, width * k + 80), np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return round(40 + x * width * k), round(40 + y * height * k)

    def stroke(*points: tuple[float, float], thick: float = 1.0) -> None:
        path = np.array([at(*p) for p in points], np.int32)
        cv2.polylines(canvas, [path], False, 255, max(2, round(pen * k * thick)), cv2.LINE_AA)

    if text == "Q":
        contrast = rng.uniform(0.5, 1.0)
        outer = (round(width * k / 2), round(height * k * 0.46))
        cv2.ellipse(canvas, at(0.5, 0.46), outer, 0, 0, 360, 255, -1, cv2.LINE_AA)
        inner = (max(3, round(outer[0] - pen * k * 1.2)), max(3, round(outer[1] - pen * k * 1.2 * contrast)))
        cv2.ellipse(canvas, at(0.5, 0.46), inner, 0, 0, 360, 0, -1, cv2.LINE_AA)
        tail = rng.choice(5, p=[0.14, 0.14, 0.11, 0.11, 0.5])
        if tail == 0:
            stroke(
                (rng.uniform(0.4, 0.65), rng.uniform(0.62, 0.75)), (rng.uniform(0.85, 1.05), rng.uniform(0.92, 1.03))
            )
        elif tail == 1:
            curve = _bezier((0.2, 0.9), (rng.uniform(0.3, 0.5), 0.65), (0.7, 1.05), (1.0, rng.uniform(0.9, 1.0)))
            stroke(*map(tuple, curve), thick=0.8)
        elif tail == 2:
            stroke((0.5, rng.uniform(0.7, 0.85)), (rng.uniform(0.5, 0.7), 1.08), thick=0.9)
        elif tail == 3:
            curve = _bezier((0.45, 0.93), (0.55, 1.12), (1.0, rng.uniform(1.0, 1.1)))
            stroke(*map(tuple, curve), thick=0.7)
        else:  # the queen of the international pattern: a curl outside on the left, then across and out
            out, low, top = rng.uniform(-0.22, 0.12), rng.uniform(0.86, 1.0), rng.uniform(0.58, 0.76)
            curl = _bezier((rng.uniform(0.3, 0.55), low), (out, low + 0.06), (out, top), (rng.uniform(0.15, 0.4), top))
            end = (rng.uniform(0.9, 1.08), rng.uniform(0.92, 1.04))
            cross = _bezier(tuple(curl[-1]), (0.55, top + 0.02), (rng.uniform(0.6, 0.8), end[1] + 0.03), end)
            stroke(*map(tuple, np.vstack([curl, cross])), thick=rng.uniform(0.5, 1.0))
    elif text == "3":
        stroke((0.08, 0.05), (0.88, 0.05), (0.42, 0.42))
        belly = round(width * k * 0.44), round(height * k * 0.28)
        cv2.ellipse(
            canvas, at(0.44, 0.69), belly, 0, -95, rng.uniform(120, 160), 255, max(2, round(pen * k)), cv2.LINE_AA
        )
    else:
        stem, bar = rng.uniform(0.6, 0.8), rng.uniform(0.58, 0.75)
        stroke((stem, rng.choice([0.0, 0.3])), (stem, 1.0))
        stroke((rng.choice([stem, 0.35]), 0.0), (0.05, bar), (1.0, bar))
        if rng.random() < 0.3:
            stroke((stem - 0.2, 1.0), (stem + 0.2, 1.0))
    return crop(cv2.resize(canvas, None, fx=1 / k, fy=1 / k, interpolation=cv2.INTER_AREA).astype(np.float32) / 255)


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
