"""A table with its markers as a camera sees it, for tests: a pinhole above a plane, some noise, uneven light."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.vision.markers import CELLS, DICTIONARY, MIDDLES, SIDE

Image = NDArray[np.uint8]
Homography = NDArray[np.float64]

PER_MM = 4
HALF = 300
"""The drawn table: pixels a millimetre, and millimetres from the middle to its edge."""


def drawn(middles: Mapping[int, tuple[float, float]] = MIDDLES, turned: Mapping[int, int] | None = None) -> Image:
    """The table from straight above with markers at their *middles*, in millimetres; some *turned*, by quarters."""
    table = np.full((2 * HALF * PER_MM, 2 * HALF * PER_MM, 3), (62, 84, 40), np.uint8)
    for number, middle in middles.items():
        lay(table, number, middle, (turned or {}).get(number, 0))
    return table


def lay(table: Image, number: int, middle: tuple[float, float], quarters: int = 0) -> None:
    """Lay one marker on a drawn table, on white paper."""
    side, around = round(SIDE * PER_MM), round(SIDE * PER_MM * (CELLS + 2) / CELLS)
    black = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, side)
    paper = np.rot90(cv2.copyMakeBorder(black, *[(around - side) // 2] * 4, cv2.BORDER_CONSTANT, value=255), quarters)
    x, y = (round((v + HALF) * PER_MM - around / 2) for v in middle)
    table[y : y + around, x : x + around] = paper[..., None]


def hung(size: tuple[int, int] = (1280, 720), *, tilt: float = 12, turn: float = 8, shows: float = 720) -> Homography:
    """Millimetres to pixels of a camera 700 mm above the middle, *tilt* and *turn* in degrees; seen straight, the
    frame's short side *shows* so many millimetres."""
    width, height = size
    t, r = np.radians((tilt, turn))
    tilted = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, np.sin(t), np.cos(t)]])
    turned = tilted @ [[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]]
    focal = height * 700 / shows
    lens = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    to_frame = lens @ np.column_stack([turned[:, 0], turned[:, 1], (0, 0, 700)])
    return np.asarray(to_frame / to_frame[2, 2])


def photographed(table: Image, to_frame: Homography, size: tuple[int, int] = (1280, 720), *, noise: float = 4) -> Image:
    """The frame (h, w, 3) uint8 BGR that shows a drawn table: darker on the left, a little soft."""
    finer = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])  # each pixel of the frame is drawn as four, then averaged
    edge = 0.5 / PER_MM - HALF
    to_mm = np.array([[1 / PER_MM, 0, edge], [0, 1 / PER_MM, edge], [0, 0, 1]])
    big = cv2.warpPerspective(
        table, finer @ to_frame @ to_mm, (2 * size[0], 2 * size[1]), flags=cv2.INTER_AREA, borderValue=(90, 110, 130)
    )
    frame = cv2.GaussianBlur(cv2.resize(big, size, interpolation=cv2.INTER_AREA), (0, 0), 0.6)
    lit = frame * np.linspace(0.5, 1.05, size[0])[None, :, None]
    return np.clip(lit + np.random.default_rng(7).normal(0, noise, lit.shape), 0, 255).astype(np.uint8)
