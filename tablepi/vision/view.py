"""Where the table is in the frames of one camera that stands still: from pixels to the felt and back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ..frames import Frame
from .gather import DIAGONAL
from .markers import TRICK_RADIUS, Homography, through
from .reader import Reading
from .stillness import factor
from .zones import MARGIN, Corner, on_table, place_of

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1, the last ones outside."""

CARD = (60.0, 89.0)
"""Millimetres of a card, across and down: between bridge (57) and poker (63.5)."""


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

    The **small picture** is that of the felt alone: the part of the frame where cards may lie, and what bounds it, by
    a whole number smaller (``stillness.factor``). *felt* (h, w) bool says where in it cards may lie; *box* is all of
    it.
    """

    def __init__(self, to_table: Homography, size: tuple[int, int]) -> None:
        self.to_table = to_table
        self.size = size
        self._by = by = factor(size[0])
        to_frame = np.asarray(np.linalg.inv(to_table), np.float64)
        turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        reach = TRICK_RADIUS + MARGIN + DIAGONAL / 2
        rim = through(np.stack([np.cos(turn), np.sin(turn)], 1) * reach, to_frame)
        most = size[0] // by, size[1] // by
        x0, y0 = (int(v) for v in np.clip((rim.min(0) + 0.5) // by, 0, np.array(most) - 1))
        x1, y1 = (int(v) for v in np.clip((rim.max(0) + 0.5) // by + 1, (x0 + 1, y0 + 1), most))
        self._from = x0, y0
        self.box: Box = (0, 0, x1 - x0, y1 - y0)
        reduced = np.array([[1 / by, 0, 0.5 / by - 0.5 - x0], [0, 1 / by, 0.5 / by - 0.5 - y0], [0, 0, 1]])
        self._to_small: Homography = reduced @ to_frame
        felt = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(felt, [through(rim, reduced).round().astype(np.int32)], 1)
        self.felt = felt.astype(bool)

    def small(self, frame: Frame) -> Image:
        """The small picture of a frame: (h, w, 3), as *felt*."""
        (x0, y0), (_, _, w, h), by = self._from, self.box, self._by
        return frame.small((x0 * by, y0 * by, (x0 + w) * by, (y0 + h) * by), by)

    def small_from(self, before: View) -> Homography:
        """What takes a place in the small picture of another view, *before*, to the same place of the table in this
        one's."""
        return np.asarray(self._to_small @ np.linalg.inv(before._to_small), np.float64)

    def pixels(self, part: Box, *, around: float) -> Box:
        """The pixels of the frame under *part* of the small picture, and *around* millimetres more on each side."""
        (dx, dy), by = self._from, self._by
        x0, y0, x1, y1 = (part[0] + dx) * by, (part[1] + dy) * by, (part[2] + dx) * by, (part[3] + dy) * by
        ends = through([(x0, y0), (x1, y1)], self.to_table)
        more = around * np.hypot(x1 - x0, y1 - y0) / max(1.0, float(np.hypot(*(ends[1] - ends[0]))))
        width, height = self.size
        return (
            max(0, int(x0 - more)),
            max(0, int(y0 - more)),
            min(width, int(np.ceil(x1 + more))),
            min(height, int(np.ceil(y1 + more))),
        )

    def per_mm(self, part: Box) -> float:
        """How many pixels of the frame a millimetre of the table has in the middle of *part* of the small picture."""
        (dx, dy), by = self._from, self._by
        x, y = ((part[0] + part[2]) / 2 + dx) * by, ((part[1] + part[3]) / 2 + dy) * by
        ends = through([(x - by, y - by), (x + by, y + by)], self.to_table)
        return float(by * np.sqrt(8) / max(1e-9, np.hypot(*(ends[1] - ends[0]))))

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
        return through(points, self._to_small)
