"""Cards that lie in a picture and of which no index is read: a joker, one that shines, one face down.

The reader knows indices, not cards. But where some cards of a picture are read at both ends, it is known how large a
card is there; a piece of paper of that size and shape, by itself on a darker cloth, on which nothing is read, is such a
card. A back without a pale rim is no paper, and cards that touch are one piece: neither is told.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from .reader import Reading

LIKE = 0.3
"""How much larger or smaller than the cards that were read, at most, by area: perspective, and a picture's edge."""
SHAPES = (1.2, 1.75)
"""Height over width: 1.4 for poker, 1.55 for bridge, and what a camera aslant makes of them."""
FILLED = 0.88
"""How much of its box a card fills; its corners are round."""
COLOURFUL = 70
"""Saturation of 255 from which a bright pixel is no paper."""

Box = tuple[int, int, int, int]


def unread(frame: NDArray[np.uint8], readings: Sequence[Reading], *, sure: float) -> list[Box]:
    """The boxes (x0, y0, x1, y1) of the cards in *frame*, uint8 BGR, of which nothing is read, left to right.

    *readings* are all that the reader found there; those with a confidence of *sure* say how large a card is. Without
    one that is read at both ends by itself nothing is told.
    """
    pieces = _paper(frame)
    read: dict[int, int] = {}
    for place, piece in enumerate(pieces):
        read[place] = sum(_holds(piece, reading) for reading in readings if reading.confidence >= sure)
    whole = [cv2.contourArea(piece) for place, piece in enumerate(pieces) if read[place] == 1 and _is_card(piece)]
    if not whole:
        return []
    size = float(np.median(whole))
    found = [
        piece
        for piece in pieces
        if abs(cv2.contourArea(piece) / size - 1) <= LIKE
        and _is_card(piece)
        and not any(_holds(piece, reading) for reading in readings if reading.confidence >= LIKE)
    ]
    boxes = [cv2.boundingRect(piece) for piece in found]
    return sorted((x, y, x + w, y + h) for x, y, w, h in boxes)


def _paper(frame: NDArray[np.uint8]) -> list[NDArray[np.int32]]:
    """The outlines of all that is bright and without colour."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    saturation = cv2.cvtColor(frame, cv2.COLOR_BGR2HSV)[..., 1]
    bright, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    pale = ((grey > bright) & (saturation < COLOURFUL)).astype(np.uint8)
    paper = cv2.morphologyEx(pale, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least = frame.shape[0] * frame.shape[1] / 5000  # of a card of which an index can be read
    return [np.asarray(outline, np.int32) for outline in outlines if cv2.contourArea(outline) >= least]


def _is_card(piece: NDArray[np.int32]) -> bool:
    (_, (w, h), _) = cv2.minAreaRect(piece)
    shape = max(w, h) / max(1.0, min(w, h))
    return SHAPES[0] <= shape <= SHAPES[1] and cv2.contourArea(piece) >= FILLED * w * h


def _holds(piece: NDArray[np.int32], reading: Reading) -> bool:
    return any(cv2.pointPolygonTest(piece, (index.x, index.y), False) >= 0 for index in reading.indices)
