"""Whether the camera still stands where it stood: what lies fast on the table is seen where it was.

An **anchor** is a small piece of the table that does not move: a marker, whose look the sheet tells, or, where the
table was told by hand, whatever can be told from its surroundings outside the trick area. Each is looked for round its
place, as seen from straight above, a pixel a millimetre; that takes a fraction of what a search for markers takes. One
may be covered by an arm, or pushed: only that some are seen elsewhere, and not two in place, tells that it was the
camera that moved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np
from numpy.typing import NDArray

from .markers import CELLS, CORNERS, MIDDLES, SIDE, TRICK_RADIUS, Homography, cells, through

Image = NDArray[np.uint8]

STANDS = 2.0
"""Millimetres that an anchor may be off its place while the camera counts as standing still: much less than the
readings of an index waver."""
MARKER_REACH, REACH = 16, 40
"""Millimetres round its place where a marker is looked for, and what else is an anchor. (Farther off, markers are
searched for in the whole picture.)"""
ALIKE = 0.6
"""The correlation from which a piece of a picture shows an anchor; of other things it is under 0.4."""
CLEARLY = 0.1
"""By how much more it must look like the anchor elsewhere than in its place to be there."""
BESIDE = TRICK_RADIUS + 45.0
"""Millimetres from the middle within which nothing is an anchor: cards lie there, and hands come and go."""
AROUND = 330.0
"""Millimetres from the middle, to each side, where anchors are looked for."""
PIECE = 24
"""Millimetres of the side of an anchor that is no marker."""
MANY, FEW = 12, 4
"""Anchors that are taken, and how many must be left before others are."""
MISSED = 20
"""Looks on end that an anchor may be missing before it is given up."""


class Camera(Enum):
    """What the anchors say of the camera: it stands; it was moved; or nothing, for none is seen."""

    STANDS = auto()
    MOVED = auto()
    UNKNOWN = auto()


@dataclass(eq=False)
class _Anchor:
    """*looks* is the piece of picture round (*x*, *y*), its place in millimetres; *off*: how far from there it was when
    the table was found. It has a voice when it was *proved*: seen twice in its place, an arm having moved meanwhile."""

    x: float
    y: float
    looks: Image
    reach: int
    off: tuple[float, float] = (0.0, 0.0)
    proved: bool = False
    missed: int = 0

    def seen(self, image: Image, to_table: Homography) -> tuple[float, float, bool] | None:
        """How far (x, y) it is from where it was, and whether that is in its place; None when it is not seen."""
        side = self.looks.shape[0] + 2 * self.reach
        window = _from_above(image, to_table, self.x, self.y, side)
        like = cv2.matchTemplate(window, self.looks, cv2.TM_CCOEFF_NORMED)
        like = np.where(np.isfinite(like), like, 0.0)
        v, u = np.mgrid[: like.shape[0], : like.shape[1]]
        dx, dy = u - self.reach - self.off[0], v - self.reach - self.off[1]
        here = np.hypot(dx, dy) <= STANDS
        there = float(like[here].max(initial=0.0))
        best = int(like.argmax())
        most = float(like.flat[best])
        if most < ALIKE:
            return None
        if there >= ALIKE and there > most - CLEARLY:
            return 0.0, 0.0, True
        return float(dx.flat[best]), float(dy.flat[best]), False


class Anchors:
    """What lies fast on the table that *image* shows, where *to_table* takes its pixels to millimetres; *marked*: by
    its markers, else by what is seen beside the trick area, which may be nothing."""

    def __init__(self, image: Image, to_table: Homography, *, marked: bool) -> None:
        self._marked = marked
        self._to_table = to_table
        self._anchors = list(_markers()) if marked else list(_pieces(image, to_table))
        if marked:
            for anchor in self._anchors:  # laid by eye, none lies quite where the sheet says
                found = anchor.seen(image, to_table)
                anchor.off = found[:2] if found is not None else (0.0, 0.0)

    def look(self, image: Image) -> Camera:
        """What they say of the camera that has taken *image*, in which nothing moves."""
        voices, here, away = 0, 0, 0
        for anchor in self._anchors:
            found = anchor.seen(image, self._to_table)
            in_place = found is not None and found[2]
            if anchor.proved:
                voices += 1
                here += in_place
                away += found is not None and not in_place
            anchor.proved |= in_place
            anchor.missed = 0 if in_place else anchor.missed + 1
        if here < 2 and away >= (1 if self._marked else 2):
            return Camera.MOVED
        if not here and (self._marked or voices >= 2):
            return Camera.UNKNOWN
        self._renew(image)
        return Camera.STANDS

    def _renew(self, image: Image) -> None:
        """Give up what has not been seen for long, where others can be had."""
        if self._marked:
            return
        self._anchors = [anchor for anchor in self._anchors if anchor.missed < MISSED]
        if len(self._anchors) < FEW:
            near = [(anchor.x, anchor.y) for anchor in self._anchors]
            self._anchors += _pieces(image, self._to_table, apart_from=near)


def _markers() -> Iterable[_Anchor]:
    side = round(SIDE)
    for number, (x, y) in MIDDLES.items():
        black = cv2.resize(cells(number).astype(np.uint8) * 255, (side, side), interpolation=cv2.INTER_AREA)
        paper = round(SIDE / CELLS) - 1
        printed = cv2.copyMakeBorder(black, paper, paper, paper, paper, cv2.BORDER_CONSTANT, value=255)
        yield _Anchor(x, y, np.asarray(printed, np.uint8), MARKER_REACH, proved=True)


def _pieces(image: Image, to_table: Homography, apart_from: Iterable[tuple[float, float]] = ()) -> Iterable[_Anchor]:
    """The pieces of the table that can best be told from what lies round them."""
    side = round(2 * AROUND)
    above = _from_above(image, to_table, 0, 0, side)
    allowed = _from_above(np.full(image.shape[:2], 255, np.uint8), to_table, 0, 0, side)
    allowed = np.asarray(cv2.erode(allowed, np.ones((PIECE + 1, PIECE + 1), np.uint8), borderValue=0), np.uint8)
    middle = (side - 1) / 2
    cv2.circle(allowed, (round(middle), round(middle)), round(BESIDE), 0, -1)
    for x, y in apart_from:
        cv2.circle(allowed, (round(x + middle), round(y + middle)), PIECE, 0, -1)
    soft = cv2.GaussianBlur(above, (0, 0), 1.5)
    found = cv2.goodFeaturesToTrack(soft, MANY, 0.05, 2 * PIECE, mask=allowed, blockSize=7)
    for u, v in np.zeros((0, 2)) if found is None else found.reshape(-1, 2).round().tolist():
        x, y = u - middle, v - middle
        looks = _from_above(image, to_table, x, y, PIECE)
        if float(looks.std()) > 8:  # more than noise
            yield _Anchor(x, y, looks, REACH)


def _from_above(image: Image, to_table: Homography, x: float, y: float, side: int) -> Image:
    """(*side*, *side*) uint8: the table round (*x*, *y*) from straight above, a pixel a millimetre, grey."""
    edge = (side - 1) / 2
    to_view = np.array([[1, 0, edge - x], [0, 1, edge - y], [0, 0, 1]]) @ to_table
    back = np.asarray(np.linalg.inv(to_view), np.float64)
    corners = through([(0, 0), (side, 0), (side, side), (0, side)], back)
    x0, y0 = np.maximum(np.floor(corners.min(0)) - 2, 0).astype(int).tolist()
    x1, y1 = np.minimum(np.ceil(corners.max(0)) + 3, (image.shape[1], image.shape[0])).astype(int).tolist()
    if x0 >= x1 or y0 >= y1:
        return np.zeros((side, side), np.uint8)
    part = image[y0:y1, x0:x1]
    grey = part if part.ndim == 2 else cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    view = cv2.warpPerspective(grey, to_view @ np.array([[1, 0, x0], [0, 1, y0], [0, 0, 1]]), (side, side))
    return np.asarray(view, np.uint8)


def apart(one: Homography, other: Homography) -> float:
    """Millimetres between where two cameras see the same place of the marked square, at the worst of its corners."""
    seen = through(CORNERS, np.asarray(np.linalg.inv(one), np.float64))
    return float(np.hypot(*(through(seen, other) - np.array(CORNERS)).T).max())
