"""The finder: where corner indices are in a frame, which way each is up, and how large; whatever they say.

One small network looks at the frame twice: reduced (small and middling indices) and reduced four times more (large
ones). It answers for every fourth pixel; local peaks become places.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from . import network

Image = NDArray[np.uint8]

LONG_SIDE = 832
"""Pixels of the network's input along the longer side of a frame of up to 1280 pixels, smaller frames enlarged to it
(by 1.6 at most); a larger frame keeps the same ratio, up to twice this."""
RATIO = LONG_SIDE / 1280
ENLARGED = 1.6
PER_MM = 1.8
"""Pixels of the network's input for each millimetre of the table where that is known: with more, no card is found that
is not with these, and each costs its time."""
SECOND_LOOK = 0.25
CELL, BLOCK = 4, 16
UNIT = 24.0
"""The network tells an index's size as the log of its ratio to this many pixels."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an index may be: centre (x, y) and size in pixels of the frame, *up* in radians clockwise from the frame's
    up, *score* 0..1."""

    x: float
    y: float
    up: float
    size: float
    score: float


class Finder:
    """The finder's network. Not for two threads at once."""

    def __init__(self, model: Path, *, least: float = 0.2) -> None:
        """*least*: the score under which a place is not worth a look. Raises Missing when *model* cannot be read."""
        self._net = network.load(model)
        self._least = least

    def find(self, frame: Image, per_mm: float | None = None) -> list[Place]:
        """The places of *frame* (h, w, 3) uint8 BGR, surest first; *per_mm*: the pixels of a millimetre of the table,
        where that is known."""
        long = max(frame.shape[:2])
        scale = min(max(RATIO, min(LONG_SIDE / long, ENLARGED)), 2 * LONG_SIDE / long)
        if per_mm is not None:
            scale = min(scale, PER_MM / per_mm)
        places = self._look(frame, scale)
        places += self._look(frame, scale * SECOND_LOOK)
        places.sort(key=lambda place: -place.score)
        kept: list[Place] = []
        for place in places:
            if all(_apart(place, other) for other in kept):
                kept.append(place)
        return kept

    def _look(self, frame: Image, scale: float) -> list[Place]:
        height, width = (max(1, round(n * scale)) for n in frame.shape[:2])
        if min(height, width) < BLOCK:
            return []
        small = cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        down, right = -height % BLOCK, -width % BLOCK
        small = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
        told = network.run(self._net, np.asarray(cv2.dnn.blobFromImage(small, 1 / 255), np.float32))[0]
        heat = 1 / (1 + np.exp(-np.clip(told[0], -30, 30)))
        peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > self._least)
        sx, sy = width / frame.shape[1], height / frame.shape[0]
        places = []
        for line, column in zip(*np.nonzero(peaks), strict=True):
            up_x, up_y, size, dx, dy = (float(v) for v in told[1:, line, column])
            x, y = (column + 0.5 + dx) * CELL / sx - 0.5, (line + 0.5 + dy) * CELL / sy - 0.5
            pixels = UNIT * float(np.exp(np.clip(size, -1.6, 1.6))) / scale
            if -pixels < x < frame.shape[1] + pixels and -pixels < y < frame.shape[0] + pixels:
                up = float(np.arctan2(up_x, -up_y))
                places.append(Place(x, y, up, pixels, float(heat[line, column])))
        return places


def _apart(one: Place, other: Place) -> bool:
    near = 0.45 * min(one.size, other.size)
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 > near**2
