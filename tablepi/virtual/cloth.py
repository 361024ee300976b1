"""The table before anybody has laid a card: cloth, rim, the four markers, and the light of the room."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from .felt import Sun
from .paper import Image, Ink
from .pose import MARKER_MM, MARKERS_MM, Matrix, Pose

_HALF_MM = (560.0, 400.0)  # half of what is drawn; beyond lies floor
_TABLE_MM = 430.0  # from the middle to the rim
_RIM_MM = 42.0
_SCALE = 2.0  # pixels of the drawing a millimetre, at most
_FINER = 2  # each pixel of the picture is drawn as so many by so many, then averaged

GAIN_STEP = 4
"""Pixels of the picture from one to the next of a field of light: light is soft."""
SUN_MM = (330.0, 250.0)
SUN_EDGE_MM = 7.0
"""The patch of sun that a window throws, and how soft its edge is: the standard deviation."""

_CLOTH: Ink = (74, 104, 38)
_RIM: Ink = (38, 62, 102)
_FLOOR: Ink = (52, 56, 62)
_PAPER: Ink = (226, 232, 234)
_PRINT: Ink = (34, 32, 32)


def bare_table(pose: Pose, seed: int) -> Image:
    """The empty table as the camera of *pose* sees it in even light: (height, width, 3) uint8 BGR."""
    w, h = pose.size
    size = w * _FINER, h * _FINER
    finer = np.array([[_FINER, 0, (_FINER - 1) / 2], [0, _FINER, (_FINER - 1) / 2], [0, 0, 1]])
    to_pixels = finer @ pose.to_pixels()
    scale = min(_SCALE, 1.5 * pose.density)  # threads finer than a pixel would only flicker
    drawn = _top(np.random.default_rng((seed, 4)), scale)
    rows, columns = drawn.shape[:2]
    picture = cv2.warpPerspective(
        drawn, to_pixels @ _to_mm(columns, rows, 1 / scale, (0.0, 0.0)), size, borderMode=cv2.BORDER_REPLICATE
    )
    for number, middle in enumerate(MARKERS_MM):
        sheet = _marker(number)
        side = sheet.shape[0]
        place = to_pixels @ _to_mm(side, side, MARKER_MM * 10 / 8 / side, middle)
        mask = cv2.warpPerspective(np.full((side, side), 255, np.uint8), place, size)
        seen = cv2.warpPerspective(sheet, place, size, borderMode=cv2.BORDER_REPLICATE)
        picture[mask > 127] = seen[mask > 127]
    return np.asarray(cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA), np.uint8)


def light_of(pose: Pose, seed: int) -> NDArray[np.float32]:
    """How bright each pixel is lit, and in which colour: (height, width, 3) float32, about 0.65 to 1.

    A lamp that does not hang over the middle, a window on one side, and what a lens loses towards its corners.
    """
    rng = np.random.default_rng((seed, 5))
    w, h = pose.size
    y, x = np.mgrid[:h, :w].astype(np.float32)
    x, y = (x - w / 2) / h, (y - h / 2) / h
    at = rng.uniform(-0.4, 0.4, 2)
    lamp = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / float(rng.uniform(0.8, 1.6)))
    side = rng.uniform(0, 2 * np.pi)
    window = np.cos(side) * x + np.sin(side) * y
    bright = 0.72 + 0.27 * lamp + float(rng.uniform(0.04, 0.1)) * window - 0.06 * (x * x + y * y)
    warm = float(rng.uniform(-0.04, 0.05))
    tint = np.array([1 - warm, 1.0, 1 + 0.6 * warm], np.float32)
    return np.asarray(np.minimum(bright[..., None] * tint, 1.0), np.float32)


def gains_of(pose: Pose, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much brighter or darker each pixel is than in ``light_of`` with the ceiling lamp off (the window's light is
    bluer, and in one room less of it than in the next), and how much a second lamp beside the table adds, which is
    warmer: two of (rows, columns, 3) float32, ``GAIN_STEP`` pixels of the picture apart."""
    rng = np.random.default_rng((seed, 7))
    w, h = pose.size
    y, x = np.mgrid[: -(-h // GAIN_STEP), : -(-w // GAIN_STEP)].astype(np.float32) * GAIN_STEP
    x, y = (x - w / 2) / h, (y - h / 2) / h
    left, side = float(rng.uniform(0.03, 0.4)), float(rng.uniform(0, 2 * np.pi))
    window = left * (1 + 0.4 * (np.cos(side) * x + np.sin(side) * y))
    around = float(rng.uniform(0, 2 * np.pi))
    at = 0.7 * np.cos(around), 0.55 * np.sin(around)
    lamp = 0.15 + 0.6 * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / 0.5)
    bluer, warmer = np.array([1.18, 1.0, 0.84], np.float32), np.array([0.72, 0.94, 1.16], np.float32)
    return np.asarray(window[..., None] * bluer, np.float32), np.asarray(lamp[..., None] * warmer, np.float32)


def window_of(sun: Sun, scale: float) -> tuple[Image, Matrix]:
    """A patch of *sun* as a window with a cross throws it, with soft edges: (rows, columns) uint8, and where its pixels
    are on the table, *scale* of them a millimetre."""
    wide, high, edge, bar = SUN_MM[0], SUN_MM[1], 40.0, 16.0
    columns, rows = round((wide + 2 * edge) * scale), round((high + 2 * edge) * scale)
    patch = np.zeros((rows, columns), np.uint8)
    margin, half = round(edge * scale), max(round(bar * scale / 2), 1)
    patch[margin:-margin, margin:-margin] = 255
    patch[rows // 2 - half : rows // 2 + half] = 0
    patch[:, columns // 2 - half : columns // 2 + half] = 0
    soft = cv2.GaussianBlur(patch, (0, 0), SUN_EDGE_MM * scale)
    c, s = math.cos(math.radians(sun.turn)), math.sin(math.radians(sun.turn))
    slanted = np.array([[c, -s + 0.35 * c, sun.x], [s, c + 0.35 * s, sun.y], [0, 0, 1.0]])
    return np.asarray(soft, np.uint8), slanted @ _to_mm(columns, rows, 1 / scale, (0.0, 0.0))


def _to_mm(columns: int, rows: int, step: float, middle: tuple[float, float]) -> Matrix:
    """From the pixels of a drawing, *step* mm each, to the table."""
    left, top = middle[0] - (columns - 1) / 2 * step, middle[1] - (rows - 1) / 2 * step
    return np.array([[step, 0, left], [0, step, top], [0, 0, 1]])


def _top(rng: np.random.Generator, scale: float) -> Image:
    """Floor, rim and cloth, *scale* pixels a millimetre."""
    columns, rows = (round(2 * half * scale) for half in _HALF_MM)
    weave = _threads(rng, rows, columns)
    blotches = cv2.resize(
        rng.standard_normal((9, 14)).astype(np.float32), (columns, rows), interpolation=cv2.INTER_CUBIC
    )
    shade = 1 + 0.055 * weave + 0.022 * blotches
    picture = np.array(_CLOTH, np.float32) * shade[..., None]
    x = np.abs((np.arange(columns) + 0.5) / scale - _HALF_MM[0])
    inside = x < _TABLE_MM
    rim = ~inside & (x < _TABLE_MM + _RIM_MM)
    floor = ~inside & ~rim
    across = np.clip((x[rim] - _TABLE_MM) / _RIM_MM, 0, 1)
    grain = cv2.GaussianBlur(rng.standard_normal((rows, int(rim.sum()))).astype(np.float32), (0, 0), 1.5, None, 40)
    wood = 0.62 + 0.5 * np.sin(np.pi * across) + 1.1 * grain
    picture[:, rim] = np.array(_RIM, np.float32) * wood[..., None]
    picture[:, floor] = np.array(_FLOOR, np.float32) * (1 + 0.04 * weave[:, floor, None])
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _threads(rng: np.random.Generator, rows: int, columns: int) -> NDArray[np.float32]:
    """The weave of a cloth: threads both ways, none as thick as the next; about one unit strong."""
    rough = rng.standard_normal((rows, columns)).astype(np.float32)
    along = cv2.GaussianBlur(rough, (0, 0), 3.0, None, 0.6)
    across = cv2.GaussianBlur(rough[::-1], (0, 0), 0.6, None, 3.0)
    whole = along + across
    return np.asarray(whole / whole.std(), np.float32)


def _marker(number: int, cell: int = 24) -> Image:
    """A printed marker with its margin of one cell."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    square = cv2.aruco.generateImageMarker(family, number, 8 * cell)
    whole = cv2.copyMakeBorder(square, cell, cell, cell, cell, cv2.BORDER_CONSTANT, value=255)
    ink = whole[..., None].astype(np.float32) / 255
    return np.asarray(np.array(_PRINT) + ink * (np.array(_PAPER) - np.array(_PRINT)) + 0.5, np.uint8)
