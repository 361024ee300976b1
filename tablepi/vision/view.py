"""Where the table is in the frames of one camera that stands still: from pixels to the felt and back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .markers import TRICK_RADIUS, Homography, through
from .reader import Reading
from .stillness import factor, size_of_small
from .zones import MARGIN, Corner, on_table, place_of

Points = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1, the last ones outside."""

CARD = (60.0, 89.0)
"""Millimetres of a card, across and down: between bridge (57) and poker (63.5)."""
DIAGONAL = 110.0


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a card lies on the table: its middle (x, y) in millimetres, its *turn* (see ``zones``), and the *corners*
    of it that were read."""

    x: float
    y: float
    turn: float
    corners: tuple[Corner, ...]


class View:
    """The felt in frames of *size* (width, height), where *to_table* takes pixels to millimetres.

    *felt* (h, w) bool is the part of the small picture (``stillness.small``) where cards may lie; *box* bounds it.
    """

    def __init__(self, to_table: Homography, size: tuple[int, int]) -> None:
        self.to_table = to_table
        self._to_frame = np.asarray(np.linalg.inv(to_table), np.float64)
        self._size = size
        self._scale = 1 / factor(size[0])
        turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        reach = TRICK_RADIUS + MARGIN + DIAGONAL / 2
        rim = self._small(np.stack([np.cos(turn), np.sin(turn)], 1) * reach)
        width, height = size_of_small(size)
        felt = np.zeros((height, width), np.uint8)
        cv2.fillPoly(felt, [rim.round().astype(np.int32)], 1)
        self.felt = felt.astype(bool)
        x0, y0, w, h = cv2.boundingRect(felt)
        self.box: Box = (x0, y0, x0 + w, y0 + h)

    def pixels(self, part: Box, *, around: float) -> Box:
        """The pixels of the frame under *part* of the small picture, and *around* millimetres more on each side."""
        x0, y0, x1, y1 = (v / self._scale for v in part)
        ends = through([(x0, y0), (x1, y1)], self.to_table)
        more = around * np.hypot(x1 - x0, y1 - y0) / max(1.0, float(np.hypot(*(ends[1] - ends[0]))))
        width, height = self._size
        return (
            max(0, int(x0 - more)),
            max(0, int(y0 - more)),
            min(width, int(np.ceil(x1 + more))),
            min(height, int(np.ceil(y1 + more))),
        )

    def place(self, reading: Reading, dx: int, dy: int) -> Placed:
        """Where the card lies that was read in the part of the frame that begins at (*dx*, *dy*)."""
        moved = tuple(replace(index, x=index.x + dx, y=index.y + dy) for index in reading.indices)
        corners = on_table(replace(reading, indices=moved), self.to_table)
        lying = place_of(corners)
        return Placed(lying.x, lying.y, lying.turn, corners)

    def quad(self, card: Placed, *, wider: float = 1.0) -> Points:
        """Where the corners of a card lie in the small picture: (4, 2); *wider* makes the card that much larger."""
        w, h = wider * CARD[0] / 2, wider * CARD[1] / 2
        c, s = np.cos(card.turn), np.sin(card.turn)
        corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) @ np.array([[c, s], [-s, c]])
        return self._small(corners + np.array([card.x, card.y]))

    def small_point(self, corner: Corner) -> tuple[float, float]:
        """An index in the small picture."""
        x, y = self._small(np.array([(corner.x, corner.y)]))[0].tolist()
        return x, y

    def _small(self, points: Points) -> Points:
        return np.asarray((through(points, self._to_frame) + 0.5) * self._scale - 0.5)
