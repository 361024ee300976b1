"""What a ``survey`` found, drawn on a copy of the picture, so that a person sees at a glance where the table lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin, tau
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from . import markers
from .advice import SPARE
from .drawing import FONT, INK, SURE, UNSURE
from .markers import SQUARE, TRICK_RADIUS, Homography, through
from .survey import Survey
from .zones import MARGIN, MIDDLE

Image = NDArray[np.uint8]
Points = Sequence[tuple[float, float]]

CHALK, SHINE = (235, 235, 235), (255, 60, 255)
EVERY = 100
"""Pixels between the lines by which the square's corners can be read off, where the table was not found."""
LABEL_AT = 190.0
"""Millimetres from the middle to the name of a seat."""


def drawn(image: Image, survey: Survey, players: int, place: Callable[[int], str]) -> Image:
    """A copy of *image* (h, w, 3) BGR with the marked square and what is to be in the picture round it, the seats'
    zones, the markers (those not seen in the colour of doubt) and what shines; where the table was not found, with
    lines of pixels by which its corners can be told by hand. *place* names a seat."""
    copy = image.copy()
    thick = max(1, round(max(copy.shape) / 900))
    if survey.to_table is None:
        _measure(copy, thick)
        return copy
    to_frame = survey.to_frame
    _polygon(copy, _square(SQUARE / 2 + SPARE), to_frame, CHALK, 1)
    _polygon(copy, _square(SQUARE / 2), to_frame, SURE, thick)
    rim = TRICK_RADIUS + MARGIN
    _polygon(copy, _ring(0, 0, rim), to_frame, CHALK, thick)
    for seat in range(players):
        border = tau * (seat + 0.5) / players
        ends = through([_at(border, MIDDLE), _at(border, rim)], to_frame)
        cv2.line(copy, _pixel(ends[0]), _pixel(ends[1]), CHALK, thick, cv2.LINE_AA)
        _label(copy, place(seat), through([_at(tau * seat / players, LABEL_AT)], to_frame)[0], CHALK, thick)
    for number, marker in survey.markers.items():
        seen = marker.corners is not None or bool(survey.laid)
        colour = SURE if seen else UNSURE
        quad = marker.corners if marker.corners is not None else through(markers.printed(number), to_frame)
        cv2.polylines(copy, [_fixed(quad)], True, colour, 2 * thick, cv2.LINE_AA, 4)
        name = survey.laid[number][0] if number in survey.laid else number
        _label(copy, f"{name}" if seen else f"{name}?", quad.mean(0), colour, thick)
    for patch in survey.patches:
        _polygon(copy, _ring(patch.x, patch.y, (patch.area * 100 / pi) ** 0.5 + 5), to_frame, SHINE, 2 * thick)
    middle = (np.array(survey.size) - 1) / 2
    cv2.drawMarker(copy, _pixel(middle), CHALK, cv2.MARKER_CROSS, 20 * thick, thick)
    return copy


def _measure(copy: Image, thick: int) -> None:
    height, width = copy.shape[:2]
    for x in range(EVERY, width, EVERY):
        cv2.line(copy, (x, 0), (x, height), CHALK, 1)
        _label(copy, f"{x}", np.array([x, 8.0 * thick]), CHALK, thick)
    for y in range(EVERY, height, EVERY):
        cv2.line(copy, (0, y), (width, y), CHALK, 1)
        _label(copy, f"{y}", np.array([16.0 * thick, y]), CHALK, thick)


def _at(way: float, far: float) -> tuple[float, float]:
    """The place *far* from the middle, that *way* clockwise from the top."""
    return far * sin(way), -far * cos(way)


def _square(reach: float) -> Points:
    return [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]


def _ring(x: float, y: float, radius: float) -> Points:
    return [(x + dx, y + dy) for dx, dy in (_at(tau * k / 72, radius) for k in range(72))]


def _polygon(copy: Image, points: Points, to_frame: Homography, colour: Any, thick: int) -> None:
    cv2.polylines(copy, [_fixed(through(points, to_frame))], True, colour, thick, cv2.LINE_AA, 4)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Pixels as OpenCV takes them with a shift of 4, kept within what it can draw."""
    return np.asarray((np.clip(points, -30_000, 30_000) * 16).round(), np.int32)


def _pixel(point: NDArray[np.float64]) -> tuple[int, int]:
    x, y = np.clip(point, -30_000, 30_000).round().astype(int).tolist()
    return x, y


def _label(copy: Image, text: str, middle: NDArray[np.float64], colour: Any, thick: int) -> None:
    size = 0.45 * thick
    (width, height), _ = cv2.getTextSize(text, FONT, size, thick)
    x, y = _pixel(middle - (width / 2, -height / 2))
    room = 3 * thick
    cv2.rectangle(copy, (x - room, y - height - room), (x + width + room, y + room), colour, cv2.FILLED)
    cv2.putText(copy, text, (x, y), FONT, size, INK, thick, cv2.LINE_AA)
