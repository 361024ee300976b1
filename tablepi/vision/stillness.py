"""Whether anything moves on the felt, and what has changed since it was last looked at: cheap questions, asked of every
frame, so that the reader is asked only when there is something new to read.

A frame is looked at small, about 320 pixels wide: that averages the sensor's noise away and costs a few milliseconds.
Two small pictures are compared after the light of one has been brought to that of the other, so that a lamp that
flickers is no motion.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

WIDTH = 320
"""Pixels across of the small picture, about: a frame is reduced by a whole number, which takes a third of the time."""
DIFFERS = 8.0
"""Grey levels by which the small picture differs, over three pixels square, where something else is seen: several times
the noise of a dim room."""
SATURATED = 250
"""Grey level from which a pixel may have been brighter than the camera can tell."""
SPECKS = 6
"""Pixels of the small picture that may differ while nothing moves: about a square centimetre and a half."""
DARK = 12.0
"""Mean grey level under which nothing can be told: the lamp is off."""


def factor(width: int) -> int:
    """By how much a frame of that *width* is reduced."""
    return max(1, round(width / WIDTH))


def differs(now: Image, then: Image) -> Mask:
    """Where two small pictures (h, w, 3) differ by more than noise and light: (h, w)."""
    some, before = now[::4, ::4].astype(np.float32), then[::4, ::4].astype(np.float32)
    gain = np.clip(np.median((some + 1) / (before + 1), axis=(0, 1)), 0.25, 4.0)
    # What is too bright stays at 255, as in the camera.
    expected = cv2.multiply(then, np.array([*gain, 0.0]))
    off = cv2.absdiff(now, expected)
    off[(then >= SATURATED) & (now > expected)] = 0  # nobody knows how bright that was
    most = np.asarray(worst(off) / max(1.0, float(gain.max())), np.float32)  # noise grows with the light
    return np.asarray(cv2.blur(most, (3, 3)) > DIFFERS, bool)


def worst(off: NDArray[Any]) -> NDArray[Any]:
    """The most of the three colours of each pixel: (h, w, 3) to (h, w), of the same type. numpy's own maximum over so
    short an axis takes forty times as long, more than all the rest of a look at a still table."""
    blue, green, red = cv2.split(off)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


@dataclass
class Stillness:
    """How long the scene inside *mask* (h, w of the small picture; None: all of it) has been still."""

    mask: Mask | None = None
    since: float | None = None
    """The time of the first frame that looked like all that came after it; None before the first frame."""
    _first: Image | None = field(default=None, repr=False)

    def look(self, picture: Image, at: float) -> bool:
        """Take the next small *picture* in; whether nothing has moved since the one before.

        It is compared with the first picture of the still scene: the one before looked like that one too, and what
        creeps, a card drawn away slowly, moves.
        """
        if self._first is None or self._moved(picture, self._first):
            self.since, self._first = at, picture
            return False
        return True

    def _moved(self, now: Image, then: Image) -> bool:
        if now.shape != then.shape:
            return True
        where = differs(now, then)
        return int((where if self.mask is None else where & self.mask).sum()) > SPECKS


def boxes(where: Mask, *, least: int = 4) -> list[tuple[int, int, int, int]]:
    """The parts of *where*, those within a card's width of each other joined: (x0, y0, x1, y1) in small pixels, those
    under *least* pixels left out."""
    joined = cv2.dilate(where.astype(np.uint8), np.ones((9, 9), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    found = []
    for x, y, w, h, _ in stats[1:count].tolist():
        inside = where[y : y + h, x : x + w]
        if int(inside.sum()) >= least:
            found.append((x, y, x + w, y + h))
    return found
