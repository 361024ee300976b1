"""Hands for the virtual table: round fingers, a palm, an arm and a sleeve, lit from above.

A hand is a height field: each bone is a round rod that grows thicker or thinner, and where rods meet their surfaces
flow together. The slope of that surface gives the light; the rest is a tint. Lengths are millimetres of the hand's own
frame: the middle finger's tip at (0, 0), x to the right of a right hand seen from above, y along the arm.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from .felt import Posture
from .paper import Image, Ink

SCALE = 2.0
"""Pixels of a drawn hand a millimetre."""

LEFT_MM, TOP_MM, WIDE_MM, LONG_MM = 110.0, 24.0, 210.0, 800.0
"""From the drawing's left and top edge to the fingertip, and the drawing's size."""

Bone = tuple[float, float, float, float, float, float, float]
"""x, y and radius at one end, the same at the other, and how flat it is: 1 is round."""

_ARM: tuple[Bone, ...] = (
    (1, 160, 25, 3, 222, 25, 0.8),
    (3, 222, 25, 10, 420, 41, 0.9),
    (10, 420, 41, 14, 900, 48, 0.9),
)
_PALM: tuple[Bone, ...] = (
    (-17, 92, 16, -9, 172, 19, 0.62),
    (2, 86, 17, 0, 170, 22, 0.62),
    (20, 94, 15, 10, 172, 19, 0.6),
    (34, 106, 11, 12, 172, 17, 0.6),
)
_FINGERS: dict[Posture, tuple[Bone, ...]] = {
    "holding": (
        (-15, 4, 7.2, -22, 44, 8.6, 1.0),
        (-22, 44, 8.6, -23, 92, 10.5, 1.0),
        (0, 0, 7.6, -3, 40, 9.0, 1.0),
        (-3, 40, 9.0, -1, 88, 11.0, 1.0),
        (16, 5, 7.2, 17, 46, 8.6, 1.0),
        (17, 46, 8.6, 19, 92, 10.4, 1.0),
        (31, 26, 6.2, 34, 60, 7.4, 1.0),
        (34, 60, 7.4, 34, 102, 9.2, 1.0),
        (-33, 34, 8.8, -45, 72, 10.6, 1.0),
        (-45, 72, 10.6, -24, 132, 15.5, 0.9),
    ),
    "flat": (
        (-27, 7, 7.0, -27, 50, 8.4, 1.0),
        (-27, 50, 8.4, -23, 96, 10.4, 1.0),
        (0, 0, 7.4, -1, 46, 8.8, 1.0),
        (-1, 46, 8.8, 0, 92, 11.0, 1.0),
        (26, 8, 7.0, 24, 52, 8.4, 1.0),
        (24, 52, 8.4, 20, 97, 10.4, 1.0),
        (52, 33, 6.0, 46, 68, 7.2, 1.0),
        (46, 68, 7.2, 36, 106, 9.2, 1.0),
        (-76, 72, 8.4, -58, 104, 10.6, 1.0),
        (-58, 104, 10.6, -26, 142, 15.5, 0.9),
    ),
}

_SKINS: tuple[Ink, ...] = ((168, 188, 226), (142, 166, 212), (112, 142, 192), (74, 102, 150), (48, 66, 104))
_SLEEVES: tuple[Ink, ...] = ((92, 58, 36), (60, 60, 62), (196, 192, 186), (48, 40, 128), (70, 88, 58), (140, 120, 90))


@dataclass(frozen=True, slots=True)
class Tone:
    """The colours of somebody's hand, and where the sleeve begins, mm from the fingertip."""

    skin: Ink
    sleeve: Ink
    cuff: float

    @classmethod
    def seeded(cls, seed: int, seat: int) -> Tone:
        """The colours of that seat's player."""
        rng = np.random.default_rng((seed, 3))
        skins, sleeves, cuffs = rng.permutation(len(_SKINS)), rng.permutation(len(_SLEEVES)), rng.permutation(3)
        cuff = (235.0, 290.0, 400.0)[cuffs[seat % 3]]
        return cls(_SKINS[skins[seat % len(_SKINS)]], _SLEEVES[sleeves[seat % len(_SLEEVES)]], cuff)


def drawn(posture: Posture, tone: Tone) -> Image:
    """A right hand: (``LONG_MM``, ``WIDE_MM``) times ``SCALE``, 4 channels, uint8: blue, green and red already times
    alpha, and alpha."""
    cover, bare, dressed = _shape(posture)[1], _light(posture, False), _light(posture, True)
    skin = np.array(tone.skin, np.float32) * bare
    for (x, y, r, x1, y1, *_), shade in _details(posture):
        _blot(skin, (x, y), (x1, y1), r, shade)
    cloth = np.array(tone.sleeve, np.float32) * dressed
    picture = skin + (cloth - skin) * _sleeve(tone.cuff)[..., None]
    whole = np.asarray(np.dstack((picture * cover[..., None], 255 * cover)), np.float32)
    return np.asarray(np.clip(whole + 0.5, 0, 255), np.uint8)


@cache
def _shape(posture: Posture) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How high the hand is, mm, and how much of each pixel it covers."""
    shape = round(LONG_MM * SCALE), round(WIDE_MM * SCALE)
    powers, inside = np.zeros(shape, np.float32), np.full(shape, -1e3, np.float32)
    for x0, y0, r0, x1, y1, r1, flat in (*_FINGERS[posture], *_PALM, *_ARM):
        columns = _span((x0 - r0, x1 - r1), (x0 + r0, x1 + r1), LEFT_MM, shape[1])
        rows = _span((y0 - r0, y1 - r1), (y0 + r0, y1 + r1), TOP_MM, shape[0])
        y, x = np.mgrid[rows, columns].astype(np.float32)
        x, y = (x + 0.5) / SCALE - LEFT_MM - x0, (y + 0.5) / SCALE - TOP_MM - y0
        dx, dy = x1 - x0, y1 - y0
        k = np.clip((x * dx + y * dy) / (dx * dx + dy * dy), 0, 1)
        radius, away = r0 + k * (r1 - r0), np.hypot(x - k * dx, y - k * dy)
        # Rods that touch flow together: the fourth root of the sum of fourth powers, a maximum without an edge.
        powers[rows, columns] += (flat**2 * np.maximum(radius**2 - away**2, 0)) ** 2
        inside[rows, columns] = np.maximum(inside[rows, columns], radius - away)
    return np.sqrt(np.sqrt(powers)), np.asarray(np.clip(inside * SCALE + 0.5, 0, 1), np.float32)


@cache
def _light(posture: Posture, sleeved: bool) -> NDArray[np.float32]:
    """How the lamp lights the hand, or a sleeve on it: (rows, columns, 3 or 1), about 0.3 to 1. Skin is redder in its
    shades, since light goes some way into it."""
    high, cover = _shape(posture)
    if sleeved:
        high = high + _folds() * cover
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(high, (0, 0), 1.2 * SCALE), 1 / SCALE)
    light = (0.93 + 0.18 * slope_x + 0.28 * slope_y) / np.sqrt(1 + slope_x**2 + slope_y**2)
    light = np.clip(0.42 + 0.58 * light, 0.25, 1.08)[..., None]
    if not sleeved:
        light = light ** np.array([1.25, 1.1, 0.85]) * (1 + 0.02 * _mottle()[..., None])
    return np.asarray(light, np.float32)


def _span(starts: tuple[float, float], ends: tuple[float, float], before: float, size: int) -> slice:
    """The pixels from the least of *starts* to the greatest of *ends*, mm, with one more mm; *before* lies before 0."""
    return slice(max(_pixel(min(starts) - 1 + before), 0), min(_pixel(max(ends) + 1 + before), size))


def _pixel(mm: float) -> int:
    return round(mm * SCALE)


def _sleeve(cuff: float) -> NDArray[np.float32]:
    """1 where the sleeve is."""
    rows, columns = round(LONG_MM * SCALE), round(WIDE_MM * SCALE)
    y = (np.arange(rows, dtype=np.float32)[:, None] + 0.5) / SCALE - TOP_MM
    x = (np.arange(columns, dtype=np.float32)[None] + 0.5) / SCALE - LEFT_MM
    return np.asarray(np.clip((y - cuff + 0.004 * x * x) * SCALE, 0, 1), np.float32)


@cache
def _folds() -> NDArray[np.float32]:
    """How much a sleeve is thicker than the arm, mm, with its folds."""
    y, x = np.mgrid[: round(LONG_MM * SCALE), : round(WIDE_MM * SCALE)].astype(np.float32) / SCALE
    waves = np.sin(y / 7 + 0.05 * x + 1.7 * np.sin(y / 31)) * np.sin(x / 23 + y / 41)
    return np.asarray(5 + 2.5 * waves, np.float32)


@cache
def _mottle() -> NDArray[np.float32]:
    rng = np.random.default_rng(11)
    rows, columns = round(LONG_MM * SCALE), round(WIDE_MM * SCALE)
    rough = rng.standard_normal((rows // 20, columns // 20)).astype(np.float32)
    return np.asarray(cv2.resize(rough, (columns, rows), interpolation=cv2.INTER_CUBIC), np.float32)


def _details(posture: Posture) -> list[tuple[Bone, float]]:
    """Nails, lighter, and the creases of the knuckles, darker: short thick lines, with how they change the skin."""
    marks: list[tuple[Bone, float]] = []
    bones = _FINGERS[posture]
    for tip, base in zip(bones[::2], bones[1::2], strict=True):
        x, y, r, x1, y1, r1, _ = tip
        length = np.hypot(x1 - x, y1 - y)
        dx, dy = (x1 - x) / length, (y1 - y) / length
        marks.append(((x - dx, y - dy, 0.55 * r, x + 5 * dx, y + 5 * dy, 0.55 * r, 1.0), 1.13))
        for at, wide in (((x1, y1), r1), ((x + 0.52 * (x1 - x), y + 0.52 * (y1 - y)), 0.8 * r1)):
            for off in (-1.8, 1.2):
                cx, cy = at[0] + off * dx, at[1] + off * dy
                half = 0.62 * wide
                marks.append(((cx - dy * half, cy + dx * half, 0.6, cx + dy * half, cy - dx * half, 0.6, 1.0), 0.88))
        kx, ky = base[3], base[4]
        marks.append(((kx - 5, ky, 1.2, kx + 5, ky, 1.2, 1.0), 0.95))
    return marks


def _blot(
    picture: NDArray[np.float32], start: tuple[float, float], end: tuple[float, float], r: float, k: float
) -> None:
    """Multiply a thick soft line by *k*."""
    rows = _span((start[1] - r, end[1] - r), (start[1] + r, end[1] + r), TOP_MM, picture.shape[0])
    columns = _span((start[0] - r, end[0] - r), (start[0] + r, end[0] + r), LEFT_MM, picture.shape[1])
    mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.float32)
    ends = [(_pixel(x + LEFT_MM) - columns.start, _pixel(y + TOP_MM) - rows.start) for x, y in (start, end)]
    cv2.line(mask, ends[0], ends[1], 1.0, max(1, round(2 * r * SCALE)), cv2.LINE_AA)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.5 * SCALE))
    picture[rows, columns] *= 1 + (k - 1) * soft[..., None]
