"""Paper and ink of the virtual table's decks: a sheet measured in millimetres, and plain shapes to put on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from .outlines import Points, Shape

Image = NDArray[np.uint8]
Ink = tuple[int, int, int]
"""Blue, green, red, 0..255."""

FINER = 3
"""Each pixel is drawn as so many by so many, then averaged."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A shape on a face: its middle and its height in millimetres."""

    shape: Shape
    x: float
    y: float
    high: float


class Sheet:
    """A face while it is drawn, in millimetres, ``FINER`` times as large as it will be."""

    def __init__(self, shape: tuple[int, int], scale: float, paper: Ink) -> None:
        self._fine = scale * FINER
        self.image: Image = np.empty((shape[0] * FINER, shape[1] * FINER, 3), np.uint8)
        self.image[:] = paper

    def fill(self, polygons: Sequence[Points], ink: Sequence[int]) -> None:
        for points in polygons:
            cv2.fillPoly(self.image, [self._fixed(points)], [int(v) for v in ink], shift=4)

    def line(self, points: Points, ink: Ink, wide: float, *, closed: bool) -> None:
        cv2.polylines(self.image, [self._fixed(points)], closed, ink, max(1, round(wide * self._fine)), shift=4)

    def paste(self, picture: Image, x: int, y: int) -> None:
        """*picture* is as fine as the sheet; x and y are pixels of the face."""
        rows, columns = picture.shape[:2]
        self.image[y * FINER : y * FINER + rows, x * FINER : x * FINER + columns] = picture

    def finished(self) -> Image:
        rows, columns = self.image.shape[:2]
        small = cv2.resize(self.image, (columns // FINER, rows // FINER), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)

    def _fixed(self, points: Points) -> NDArray[np.int32]:
        return np.asarray(((points * self._fine - 0.5) * 16).round(), np.int32)


def polygons_of(placed: Placed) -> list[Points]:
    """What to fill, in millimetres."""
    shape, high = placed.shape, placed.high
    corner = np.array([placed.x - shape.width * high / 2, placed.y - high / 2])
    return [p * high + corner for p in shape.polygons]


def ring(middle: tuple[float, float], radius: float) -> Points:
    turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    return np.asarray(np.stack([np.cos(turn), np.sin(turn)], 1) * radius + np.array(middle))


def diamond(half: float, middle: tuple[float, float] = (0.0, 0.0)) -> Points:
    """*half* as wide as said, a third higher than wide."""
    return np.asarray(np.array([[0, -1.35], [1, 0], [0, 1.35], [-1, 0]]) * half + np.array(middle))


def rectangle(half: NDArray[np.float64]) -> Points:
    """Of half the width and half the height *half*, about (0, 0)."""
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half)


def tint(ink: Ink, paper: Ink, share: float) -> Ink:
    """*share* of *ink* on *paper*."""
    blue, green, red = (round(p + share * (i - p)) for i, p in zip(ink, paper, strict=True))
    return blue, green, red
