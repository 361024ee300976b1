"""A plain contour-and-template reader, for scale: the classical weekend project, with ``CardReader``'s face.

It looks for bright four-sided outlines on darker ground, straightens each to a flat card, cuts out the two corners and
compares the uppermost mark with drawn ranks and the one below it with drawn suits. It needs the whole card, four
visible edges and an upright index, and knows no other glyphs than these; that is why the project's reader works in
another way.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import RANKS, SUITS, Card, card

Image = NDArray[np.uint8]
WIDTH, HEIGHT = 240, 340  # a flat card, 57 × 89 mm give or take
CORNER = (slice(4, 112), slice(4, 48))
GLYPH = (40, 28)  # height and width at which marks are compared
WORKING = 960  # the longer side of the picture in which outlines are looked for
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)


@dataclass(frozen=True, slots=True)
class PlainReading:
    """One card, as ``tablepi.vision.Reading`` has it, without indices."""

    card: Card
    confidence: float
    box: tuple[int, int, int, int]
    indices: tuple = ()


class TemplateReader:
    """Reads whole cards that lie apart. ``threshold`` is where it is right more often than not."""

    threshold = 0.5

    def __init__(self) -> None:
        self._ranks = [(rank, fitted(drawn)) for rank in RANKS for drawn in _drawn_rank(rank)]
        self._suits = [(suit, fitted(drawn_suit(suit))) for suit in SUITS]

    def read(self, frame: Image) -> list[PlainReading]:
        """All cards that it takes itself to see in a BGR *frame*, surest first."""
        readings = []
        for corners in outlines(frame):
            flat = _straightened(frame, corners)
            name, confidence = max((self._read_corner(view[CORNER]) for view in (flat, flat[::-1, ::-1])), key=_surety)
            if name:
                x0, y0, x1, y1 = (*corners.min(axis=0), *corners.max(axis=0))
                readings.append(PlainReading(card(name), confidence, (int(x0), int(y0), int(x1), int(y1))))
        return sorted(readings, key=lambda reading: -reading.confidence)

    def _read_corner(self, corner: Image) -> tuple[str, float]:
        """The name of the card whose corner this is and how sure that is, or nothing."""
        marks = _marks(corner)
        if len(marks) < 2:
            return "", 0.0
        (rank_mark, _), (suit_mark, red) = marks[0], marks[1]
        rank, like_rank = _best(rank_mark, self._ranks)
        suit, like_suit = _best(suit_mark, [(s, t) for s, t in self._suits if (s in "HD") == red])
        return rank + suit, max(0.0, min(like_rank, like_suit))


def _surety(found: tuple[str, float]) -> float:
    return found[1]


def outlines(frame: Image) -> list[NDArray[np.float32]]:
    """The corners of each bright four-sided shape of a card's proportions, clockwise, the first edge a short one."""
    scale = min(1.0, WORKING / max(frame.shape[:2]))
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    small = cv2.GaussianBlur(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), (5, 5), 0)
    block = min(small.shape) // 2 | 1
    if block < 3:
        return []
    bright = cv2.adaptiveThreshold(small, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -8)
    contours, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        if not 0.004 < cv2.contourArea(contour) / small.size < 0.8:
            continue
        corners = cv2.approxPolyDP(contour, 0.03 * cv2.arcLength(contour, True), True)
        if len(corners) != 4 or not cv2.isContourConvex(corners):
            continue
        turned = _clockwise(corners.reshape(4, 2).astype(np.float32) / scale)
        edges = np.linalg.norm(turned - np.roll(turned, -1, axis=0), axis=1)
        long, short = edges[1] + edges[3], edges[0] + edges[2]
        if 1.15 < long / max(short, 1) < 1.9:
            found.append(turned)
    return found


def _clockwise(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    around = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    first, second = np.linalg.norm(corners[0] - corners[1]), np.linalg.norm(corners[1] - corners[2])
    return corners if first <= second else np.roll(corners, -1, axis=0)


def _straightened(frame: Image, corners: NDArray[np.float32]) -> Image:
    flat = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], dtype=np.float32)
    return cv2.warpPerspective(frame, cv2.getPerspectiveTransform(corners, flat), (WIDTH, HEIGHT))


def _marks(corner: Image) -> list[tuple[Image, bool]]:
    """The dark marks of a corner from the top, each cut out as white on black, and whether it is red."""
    # The weakest channel: red ink is as dark there as black ink.
    weakest = corner.min(axis=2)
    _, ink = cv2.threshold(weakest, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    number, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    rows: list[list[int]] = []
    for x, y, w, h, area in sorted(stats[1:number].tolist(), key=lambda s: s[1]):
        at_edge = x == 0 or y == 0 or x + w == ink.shape[1] or y + h == ink.shape[0]
        if area < 40 or (at_edge and (w < 6 or h > 70)):
            continue  # a speck, or the dark ground beside the card
        if rows and y < (rows[-1][1] + rows[-1][3]) / 2:  # beside the last mark: the two figures of a ten
            x0, y0, x1, y1 = rows[-1]
            rows[-1] = [min(x0, x), y0, max(x1, x + w), max(y1, y + h)]
        else:
            rows.append([x, y, x + w, y + h])
    return [(fitted(ink[y0:y1, x0:x1]), _red(corner[y0:y1, x0:x1], ink[y0:y1, x0:x1])) for x0, y0, x1, y1 in rows]


def _red(part: Image, ink: Image) -> bool:
    blue, green, red, _ = cv2.mean(part, ink)
    return red > 1.4 * max(blue, green) or red - max(blue, green) > 45


def fitted(mark: Image) -> Image:
    """A white mark on black, its margins cut off, at the size at which marks are compared."""
    x, y, w, h = cv2.boundingRect(mark)
    return cv2.resize(mark[y : y + max(h, 1), x : x + max(w, 1)], GLYPH[::-1], interpolation=cv2.INTER_AREA)


def _best(mark: Image, templates: list[tuple[str, Image]]) -> tuple[str, float]:
    """The most like template's name, and the correlation of the two."""
    scored = [(float(cv2.matchTemplate(mark, t, cv2.TM_CCOEFF_NORMED)[0, 0]), name) for name, t in templates]
    likeness, name = max(scored)
    return name, likeness


def _drawn_rank(rank: str) -> list[Image]:
    drawn = []
    for font in FONTS:
        for weight in (8, 14):
            canvas = np.zeros((160, 320), np.uint8)
            cv2.putText(canvas, "10" if rank == "T" else rank, (20, 130), font, 4.0, 255, weight, cv2.LINE_AA)
            drawn.append(canvas)
    return drawn


def drawn_suit(suit: str) -> Image:
    """A suit sign, white on black, 200 × 200."""
    canvas = np.zeros((200, 200), np.uint8)
    if suit == "D":
        cv2.fillPoly(canvas, [np.array([(100, 10), (172, 100), (100, 190), (28, 100)])], 255)
    elif suit == "H":
        _two_lobes(canvas)
    elif suit == "S":
        _two_lobes(canvas)
        canvas = np.roll(canvas[::-1], -25, axis=0)  # upside down, with room for the stem
        _stem(canvas)
    else:
        for centre in ((100, 55), (52, 115), (148, 115)):
            cv2.circle(canvas, centre, 42, 255, cv2.FILLED)
        _stem(canvas)
    return canvas


def _two_lobes(canvas: Image) -> None:
    for centre in ((60, 62), (140, 62)):
        cv2.circle(canvas, centre, 45, 255, cv2.FILLED)
    cv2.fillPoly(canvas, [np.array([(22, 88), (100, 62), (178, 88), (100, 190)])], 255)


def _stem(canvas: Image) -> None:
    cv2.fillPoly(canvas, [np.array([(93, 95), (107, 95), (138, 196), (62, 196)])], 255)
