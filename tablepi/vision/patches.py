"""Cutting an index out of a frame: upright, at the namer's size, its paper white.

Training cuts with the same functions as the table, so that the namer meets at the table what it learned on.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

SIDE = 48
"""Pixels of a patch's side."""
INDEX = 36
"""Pixels of an index (rank and suit together) in its patch: the rest is what lies round it."""


class Pyramid:
    """A frame and its halves, so that cutting a large index small does not alias."""

    def __init__(self, frame: Image) -> None:
        """*frame* (h, w, 3) uint8 BGR."""
        self._levels = [frame]

    def level(self, shrink: float) -> tuple[Image, float]:
        """The smallest copy that still has at least 0.7 source pixels a target pixel when the target is *shrink* times
        the frame's size, and that copy's scale."""
        n = 0
        while shrink * 2 ** (n + 1) <= 1.4 and min(self._levels[n].shape[:2]) > 16:
            n += 1
            if len(self._levels) == n:
                last = self._levels[-1]
                half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
                self._levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[n], 0.5**n

    def cut(self, x: float, y: float, up: float, size: float, *, side: int = SIDE) -> Image:
        """The patch (side, side, 3) uint8 BGR round the index at (x, y), turned so that *up* (radians, clockwise from
        the frame's up) is up, and scaled so that *size* pixels become INDEX. Beyond the frame its border goes on."""
        scale = INDEX / size
        source, shrunk = self.level(scale)
        k = scale / shrunk
        c, s = np.cos(up) * k, np.sin(up) * k
        # Pixel centres: (x + ½) of the frame lies at (x + ½)·shrunk of its smaller copy.
        sx, sy = (x + 0.5) * shrunk - 0.5, (y + 0.5) * shrunk - 0.5
        middle = (side - 1) / 2
        turn = np.array([[c, s, middle - c * sx - s * sy], [-s, c, middle + s * sx - c * sy]])
        patch = cv2.warpAffine(source, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(patch, np.uint8)


def whiten(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """*patches* (n, side, side, 3) uint8 BGR → (n, 3, side, side) float32: each patch's paper brought to white by
    itself (its 75th percentile of each colour becomes 1), so that a warm lamp and a dim room look alike."""
    pixels = patches.reshape(len(patches), -1, 3).astype(np.float32)
    paper = np.percentile(pixels[:, ::3], 75, axis=1)  # every third pixel tells as much
    gain = 1.0 / np.maximum(paper, 24.0)
    white = np.clip(pixels * gain[:, None, :], 0, 1.5)
    return np.ascontiguousarray(white.reshape(patches.shape).transpose(0, 3, 1, 2))
