"""What was read, drawn on a copy of the picture, so that a person can check it at a glance.

Names are written as everywhere else in the project's lines (``QS``): OpenCV's built-in letters have no suit signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Frame = NDArray[np.uint8]
Box = tuple[int, int, int, int]

SURE, UNSURE, INK = (80, 220, 60), (60, 170, 255), (0, 0, 0)
FONT = cv2.FONT_HERSHEY_SIMPLEX
LEAST_SIDE, MOST_SIDE = 480, 16_000
"""Of a copy, pixels of its longer side. On a smaller one no label could be read, a larger one few programs show."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A box to draw, pixels of the frame, what to write at it, and whether the reading is one to trust."""

    box: Box
    text: str
    sure: bool = True


def marked(frame: Frame, marks: Sequence[Mark]) -> Frame:
    """A copy of *frame* (h, w, 3) BGR with *marks*, larger where it was too small to write on. The labels stay within
    it and, while there is room, off each other."""
    longest = max(frame.shape[:2])
    scale = float(max(1, round(LEAST_SIDE / longest))) if longest < MOST_SIDE else MOST_SIDE / longest
    size = max(1, round(frame.shape[1] * scale)), max(1, round(frame.shape[0] * scale))
    how = cv2.INTER_NEAREST if scale >= 1 else cv2.INTER_AREA
    copy = np.array(cv2.resize(frame, size, interpolation=how), np.uint8)
    tall = max(18, round(max(copy.shape[:2]) / 45))  # about a label's height, pixels
    taken: list[Box] = []
    boxes = [[round(side * scale) for side in mark.box] for mark in marks]
    for mark, box in zip(marks, boxes, strict=True):
        colour = SURE if mark.sure else UNSURE
        cv2.rectangle(
            copy, (box[0], box[1]), (max(box[0], box[2] - 1), max(box[1], box[3] - 1)), colour, max(1, tall // 9)
        )
    for mark, box in zip(marks, boxes, strict=True):  # above all boxes
        _label(copy, mark, box, tall, taken)
    return copy


def _label(copy: Frame, mark: Mark, box: Sequence[int], tall: int, taken: list[Box]) -> None:
    size, thick = tall / 32, max(1, round(tall / 16))
    (width, height), _ = cv2.getTextSize(mark.text, FONT, size, thick)
    width, tall = width + tall // 2, height + tall // 2
    x, y = _free(copy.shape[1], copy.shape[0], width, tall, box, taken)
    taken.append((x, y, x + width, y + tall))
    colour: Any = SURE if mark.sure else UNSURE
    cv2.rectangle(copy, (x, y), (x + width, y + tall), colour, cv2.FILLED)
    cv2.putText(copy, mark.text, (x + tall // 5, y + (tall + height) // 2), FONT, size, INK, thick, cv2.LINE_AA)


def _free(across: int, down: int, width: int, tall: int, box: Sequence[int], taken: Sequence[Box]) -> tuple[int, int]:
    """Where a label goes: above its box, else the nearest row, down or up, where no other label is."""
    x = max(0, min(box[0], across - width))
    first = max(0, min(box[1] - tall, down - tall))
    rows = [first] + [row for step in range(1, down // tall + 1) for row in (first + step * tall, first - step * tall)]
    for y in rows:
        if 0 <= y <= max(0, down - tall) and not any(
            x < right and left < x + width and y < bottom and top < y + tall for left, top, right, bottom in taken
        ):
            return x, y
    return x, first
