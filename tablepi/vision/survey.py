"""How a camera sees the table: what can be measured on some of its frames, whatever lies on the cloth.

The markers are the yardstick. Their black and white is the same on every table: how wide the step from one to the other
is tells the focus, how bright the white is tells the exposure, and where they lie from frame to frame tells whether the
camera stands. So a card on the cloth, or none, changes nothing. What is to be said of all this, ``advice`` knows.

Where ``markers.find`` sees too little, because the picture is dark, blurred or taken from far away, it is looked for
again in a brighter and a larger picture: to say why the table is not found, it must be found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import acos, degrees, log
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from . import markers
from .markers import CELLS, CORNERS, DICTIONARY, LEAST_CONTRAST, LEAST_SIDE, MIDDLES, SIDE, SQUARE, Homography, Quad
from .stillness import SATURATED
from .zones import MARGIN

Image = NDArray[np.uint8]
Point = tuple[float, float]

PRINTED: Mapping[int, NDArray[np.bool_]] = MappingProxyType(
    {number: np.pad(markers.cells(number), 1, constant_values=True) for number in MIDDLES}
)
"""The cells of each marker with the white round it: (CELLS + 2, CELLS + 2), True is white."""
_TENTH = 1.9
"""From the way between a quarter and three quarters of a step to that between a tenth and nine tenths, when a lens has
made it soft (a normal distribution: 2.563 to 1.349)."""
_LENS, _LENS_MAY_DIFFER = 0.7, 0.3
"""The focal length of a camera, in widths of its picture, and by how much its logarithm differs (standard deviation):
Camera Module 3 has 0.77, its wide one 0.40, a USB camera of 78° across the diagonal 0.71."""
_LAID_SQUARE = 0.003
"""How far a square that is laid by eye, seen through a lens that bends a little, is from square: part of its side."""
CARD = 45.0
"""Millimetres of the edge of a card, less a corner that another covers."""
LEAST_PATCH = 0.2
"""Square centimetres of what may be more than noise."""
ENLARGED, MOST_PIXELS = 3.0, 27_000_000
"""How much larger a picture is made in which no markers are found: those of 10 pixels are seen then, and 18 without.
And the pixels that it may have, as many as three times 2304 × 1296."""
ROUND_A_PATCH = 4.0
"""Millimetres outside a patch of glare where it is looked how bright the cloth is there."""


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """One marker: its *corners* in pixels where it was found, else None, and what the picture shows at its place.

    *shown*: the part of its paper that is in the picture. *fits*: the part of its cells that look as they are printed.
    *step*: pixels from a tenth to nine tenths of the way from black to white, along its sides. *white* and *black* are
    grey levels, *whites* the white of each frame, *blown* is the part of its black that is brighter than the camera can
    tell. *moved* (frames, 2) is how far it lies from its usual place, in pixels. In frames in which it was not found
    *whites* and *moved* are NaN.
    """

    corners: Quad | None
    shown: float
    fits: float = 0.0
    step: float = np.inf
    white: float = 0.0
    black: float = 0.0
    whites: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    blown: float = 0.0
    moved: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))


@dataclass(frozen=True, slots=True)
class Hangs:
    """Where the camera hangs, about, for a lens of which nothing is told: *height* above the table and the point (*x*,
    *y*) of the table under it, in millimetres; *tilt* in degrees from straight down, and *towards* where it looks.
    *stretched*: by which part of itself one side of the square is longer than the other as no camera sees it."""

    height: float
    x: float
    y: float
    tilt: float
    towards: Point
    stretched: float


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch of the cloth that shines: its middle in millimetres, and its *area* in square centimetres."""

    x: float
    y: float
    area: float


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What was measured in *frames* frames of *size* (width, height).

    *to_table* is None where the table was not found at all, and *why* says so; with *plainly* it is found as the live
    table finds it. *by_hand*: it was told by its corners; *off* is by how many millimetres the markers say otherwise,
    None where they say nothing. *laid* has which marker lies in each corner, and turned by how many quarters, when
    they do not lie as printed. *pushed* is the marker that lies off its place, with how far (dx, dy) in millimetres,
    and by how many degrees it is turned. *others* are the numbers of markers that are not the table's.
    """

    size: tuple[int, int]
    frames: int
    to_table: Homography | None
    why: str = ""
    plainly: bool = True
    by_hand: bool = False
    off: float | None = None
    mirrored: bool = False
    seen: tuple[int, ...] = ()
    twice: tuple[int, ...] = ()
    others: Mapping[int, Point] = field(default_factory=dict)
    laid: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    pushed: tuple[int, float, float, float] | None = None
    markers: Mapping[int, Marker] = field(default_factory=dict)
    hangs: Hangs | None = None
    patches: tuple[Patch, ...] = ()
    level: float = 0.0
    """The mean grey level of the picture."""
    soft: bool = False
    same: bool = False
    """Every frame is the same, bit for bit."""

    @property
    def to_frame(self) -> Homography:
        assert self.to_table is not None
        return np.asarray(np.linalg.inv(self.to_table))


class Surveyor:
    """Looks at frames, one after another (``look``), and tells what they show (``survey``).

    *by_hand*: the corners of the marked square, and the size of the frame that they are told in. *height*: millimetres
    of the camera above the table, where that is known.
    """

    def __init__(
        self, by_hand: tuple[Sequence[Point], tuple[int, int]] | None = None, height: float | None = None
    ) -> None:
        self.by_hand = by_hand
        self._height = height
        self._found: list[markers.Markers] = []
        self._greys: list[Image] = []
        self._blown: NDArray[np.bool_] | None = None
        self._same = True
        self.last: Image | None = None

    def look(self, image: Image) -> None:
        """Take the next frame in: (h, w, 3) uint8 BGR. One of another size than those before begins anew."""
        if self.last is not None and self.last.shape != image.shape:
            self._found, self._greys, self._blown, self._same = [], [], None, True
        elif self.last is not None:
            self._same &= np.array_equal(self.last, image)
        blown = np.asarray(image.min(2) >= SATURATED)
        self._blown = blown if self._blown is None else self._blown & blown
        self._found.append(markers.find(image))
        self._greys.append(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
        self.last = image

    def survey(self) -> Survey:
        """What the frames show; one at least must have been looked at."""
        assert self.last is not None
        assert self._blown is not None
        size, grey = (self.last.shape[1], self.last.shape[0]), self._greys[-1]
        best = max(self._found, key=lambda m: (m.to_table is not None, len(m.corners), -m.residual))
        plainly = best.to_table is not None
        steady = {n for n in MIDDLES if 2 * sum(n in m.corners for m in self._found) > len(self._found)}
        found = best if plainly else _somehow(self.last)
        laid: Mapping[int, tuple[int, int]] = {}
        to_table = found.to_table
        if to_table is None and len(found.corners) == len(MIDDLES):
            laid, to_table = _arranged(found.corners)
        why, off = best.why, None
        if self.by_hand is not None:
            told = markers.by_hand(*self.by_hand, size)
            off = _apart(told, to_table) if to_table is not None and not laid else None
            to_table, why = told, ""
        survey = Survey(
            size,
            len(self._found),
            to_table,
            why,
            plainly,
            self.by_hand is not None,
            off,
            best.mirrored,
            tuple(sorted(steady if plainly else steady | set(found.corners))),
            tuple(sorted({n for m in self._found for n in m.twice})),
            _others(grey) if len(steady) < len(MIDDLES) and not laid else {},
            laid,
            level=float(np.mean([np.mean(g[::4, ::4]) for g in self._greys])),
            soft=to_table is None and _soft(grey),
            same=self._same and len(self._found) > 1,
        )
        if to_table is None:
            return survey
        return self._measured(survey, to_table, found)

    def _measured(self, survey: Survey, to_table: Homography, found: markers.Markers) -> Survey:
        to_frame = np.asarray(np.linalg.inv(to_table))
        seen: dict[int, Marker] = {}
        for number in MIDDLES:
            unseen = np.full((4, 2), np.nan)
            path = np.array([m.corners.get(number, unseen) for m in self._found])
            here = found.corners.get(number)
            if not np.isnan(path).all() and number in survey.seen:
                here = np.asarray(np.nanmedian(path, axis=0))
            at = markers.through(markers.printed(number), to_frame) if here is None or survey.laid else here
            seen[number] = self._marker(number, None if survey.laid else here, at, path)
        pushed = None
        for number in found.misplaced if found.to_table is not None else ():
            pushed = (number, *_pushed(number, markers.through(found.corners[number], to_table)))
        assert self._blown is not None
        patches = _patches(self._blown, self._greys[-1], to_frame, to_table, [m.corners for m in seen.values()])
        return replace(
            survey, pushed=pushed, markers=seen, hangs=_hangs(to_frame, survey.size, self._height), patches=patches
        )

    def _marker(self, number: int, found: Quad | None, at: Quad, path: NDArray[np.float64]) -> Marker:
        grey = self._greys[-1]
        size = grey.shape[1], grey.shape[0]
        whole = _cells_to_pixels(at)
        # Each frame by itself, where the marker was found in it: a camera that shakes is not out of focus.
        quads = [at if found is None or np.isnan(quad).any() else quad for quad in path]
        wholes = [_cells_to_pixels(quad) for quad in quads]
        edge = markers.through([(x, y) for x in (-1, 9) for y in (-1, 9)], whole)
        shown = float(np.mean([_inside(p, size) for p in _grid(whole)]))
        if shown < 1 and not any(_inside(p, size) for p in edge):
            return Marker(None, shown)
        levels = [_levels(g, w) for g, w in zip(self._greys, wholes, strict=True)]
        cells = np.median(levels, axis=0)
        low, high = np.percentile(cells, (10, 90))
        printed = PRINTED[number]
        fits = float(np.mean((cells > (low + high) / 2) == printed)) if high - low >= LEAST_CONTRAST / 4 else 0.0
        ring = np.ones_like(printed)
        ring[1:-1, 1:-1] = False
        rim = np.zeros_like(printed)
        rim[1:-1, 1:-1] = True
        rim[2:-2, 2:-2] = False
        missed = np.isnan(path[:, 0, 0]) & (found is not None) & ~np.isnan(path).all()
        whites = np.where(missed, np.nan, [np.median(level[ring]) for level in levels])
        some = slice(None, None, max(1, len(self._greys) // 3))
        steps = [_step(*each) for each in zip(self._greys[some], wholes[some], quads[some], strict=True)]
        assert self._blown is not None
        blown = _levels(np.asarray(self._blown * np.uint8(255)), whole) > 127
        middles = path.mean(1)
        moved = middles - np.nanmedian(middles, axis=0) if not np.isnan(path).all() else middles
        return Marker(
            found,
            shown,
            fits,
            float(np.median(steps)),
            float(np.median(cells[ring])),
            float(np.median(cells[rim])),
            whites,
            float(blown[~printed].mean()),
            moved,
        )


# --- the table, somehow -------------------------------------------------------------------------------------------


def _somehow(image: Image) -> markers.Markers:
    """The markers in a picture in which they are not found as it is: in a brighter one, or else in a larger one."""
    bright = _brightened(image)
    found = markers.find(bright)
    k = min(ENLARGED, float(np.sqrt(MOST_PIXELS / (image.shape[0] * image.shape[1]))))
    if found.to_table is not None or k < 1.2:
        return found
    large = cv2.resize(bright, None, fx=k, fy=k, interpolation=cv2.INTER_CUBIC)
    again = _scaled(markers.find(np.asarray(large, np.uint8)), large.shape[1] / image.shape[1])
    return again if again.to_table is not None or len(again.corners) > len(found.corners) else found


def _brightened(image: Image) -> Image:
    """*image* with its brightest parts white; as it is, when they nearly are."""
    top = float(np.percentile(image.max(2)[::2, ::2], 99.98))  # markers far away are that small
    if top >= 128 or top < 2:
        return image
    return np.asarray(cv2.convertScaleAbs(image, None, 230 / top), np.uint8)


def _scaled(found: markers.Markers, k: float) -> markers.Markers:
    """What was found in a picture *k* times as large as the frame, in pixels of the frame."""
    to_frame = np.array([[1 / k, 0, 0.5 / k - 0.5], [0, 1 / k, 0.5 / k - 0.5], [0, 0, 1]])
    corners = {n: markers.through(quad, to_frame) for n, quad in found.corners.items()}
    to_table = found.to_table @ np.linalg.inv(to_frame) if found.to_table is not None else None
    return markers.Markers(corners, to_table, found.residual, found.within, found.twice, found.misplaced)


def _arranged(
    corners: Mapping[int, Quad],
) -> tuple[Mapping[int, tuple[int, int]], Homography | None]:
    """Which of four markers lies in which corner of the table, and turned by how many quarters clockwise, when they lie
    in its corners at all; and the table."""
    middle = np.mean([quad.mean(0) for quad in corners.values()], axis=0)
    round_ = sorted(corners, key=lambda n: np.arctan2(*(corners[n].mean(0) - middle)[::-1]))
    best: tuple[tuple[int, int], dict[int, tuple[int, int]], Homography] | None = None
    for start in range(4):
        at = dict(zip(MIDDLES, round_[start:] + round_[:start], strict=True))
        pixels = np.array([_crossing(corners[n]) for n in at.values()], np.float32)
        to_table = np.asarray(cv2.getPerspectiveTransform(pixels, np.array([*MIDDLES.values()], np.float32)), float)
        laid, worst = {}, 0.0
        for place, number in at.items():
            quad = markers.through(corners[number], to_table)
            offs = [float(np.hypot(*(quad - np.roll(markers.printed(place), -k, axis=0)).T).max()) for k in range(4)]
            laid[place] = number, int(np.argmin(offs))
            worst = max(worst, min(offs))
        right = sum(number == place for place, (number, _) in laid.items())
        upright = sum(turn == 0 for _, turn in laid.values())
        if worst < SIDE / 4 and (best is None or (right + upright, upright) > best[0]):
            best = (right + upright, upright), laid, to_table
    return ({}, None) if best is None else (best[1], best[2])


def _crossing(quad: Quad) -> NDArray[np.float64]:
    """Where the diagonals of *quad* cross: the middle of the marker, however it is seen."""
    a, b, c, d = np.column_stack([quad, np.ones(4)])
    x, y, w = np.cross(np.cross(a, c), np.cross(b, d))
    return np.array([x / w, y / w])


def _others(grey: Image) -> Mapping[int, Point]:
    """The markers of the family that are not the table's: their numbers and middles."""
    told = cv2.aruco.DetectorParameters()
    told.minMarkerPerimeterRate = 4 * LEAST_SIDE / max(grey.shape)
    family = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    quads, numbers, _ = cv2.aruco.ArucoDetector(family, told).detectMarkers(grey)
    if numbers is None:
        return {}
    middles = {int(n): quad.reshape(4, 2).mean(0).tolist() for n, quad in zip(numbers.ravel(), quads, strict=True)}
    return {n: (x, y) for n, (x, y) in sorted(middles.items()) if n not in MIDDLES}


def _soft(grey: Image) -> bool:
    """Whether a picture has contrast, but nothing in it that changes within a few pixels."""
    contrast = float(np.ptp(np.percentile(grey[::2, ::2], (1, 99.9))))
    fine = cv2.absdiff(grey, cv2.GaussianBlur(grey, (0, 0), 3))
    return contrast >= 40 and float(np.percentile(fine, 99.9)) < 0.12 * contrast


def _pushed(number: int, quad: Quad) -> tuple[float, float, float]:
    """How far a marker with its corners at *quad*, in millimetres, lies from its place, and turned by how many degrees
    clockwise."""
    dx, dy = quad.mean(0) - MIDDLES[number]
    x, y = quad[1] - quad[0]
    return float(dx), float(dy), float(np.degrees(np.arctan2(y, x)))


def _apart(one: Homography, other: Homography) -> float:
    """By how many millimetres two homographies differ at the corners of the marked square, at most."""
    there = markers.through(CORNERS, np.asarray(np.linalg.inv(other)))
    return float(np.hypot(*(markers.through(there, one) - CORNERS).T).max())


# --- a marker's place ---------------------------------------------------------------------------------------------


def _cells_to_pixels(quad: Quad) -> Homography:
    """From cells of a marker, (0, 0) its black's top left corner, to pixels."""
    unit = np.array([(0, 0), (CELLS, 0), (CELLS, CELLS), (0, CELLS)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(unit, quad.astype(np.float32)), np.float64)


def _grid(whole: Homography, finer: int = 1) -> NDArray[np.float64]:
    """The middles of a marker's cells, the white round it included, in pixels; *finer*: of so many parts a side."""
    at = (np.arange((CELLS + 2) * finer) + 0.5) / finer - 1
    return markers.through(np.stack(np.meshgrid(at, at), -1).reshape(-1, 2), whole)


def _inside(point: NDArray[np.float64], size: tuple[int, int]) -> bool:
    return bool(0 <= point[0] <= size[0] - 1 and 0 <= point[1] <= size[1] - 1)


def _light(grey: Image, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The grey levels at *points* (…, 2)."""
    flat = points.reshape(-1, 2).astype(np.float32)
    light = cv2.remap(grey, flat[:, 0], flat[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(light, np.float64).reshape(points.shape[:-1])


def _levels(grey: Image, whole: Homography) -> NDArray[np.float64]:
    """The grey level of each cell, the white round it included: (CELLS + 2, CELLS + 2), of its middle ninth."""
    n = CELLS + 2
    fine = _light(grey, _grid(whole, 5)).reshape(n, 5, n, 5)
    return np.asarray(fine[:, 1:4, :, 1:4].mean((1, 3)))


def _step(grey: Image, whole: Homography, quad: Quad) -> float:
    """Pixels from a tenth to nine tenths of the way from black to white across the sides: the median of the four."""
    cell = float(np.hypot(*(quad - np.roll(quad, -1, axis=0)).T).mean()) / CELLS
    along = np.linspace(0.8, CELLS - 0.8, 40)
    across = np.linspace(-0.95, 0.85, 73)
    widths = []
    for turn in range(4):
        u, v = np.meshgrid(along, -across)  # the upper side: outwards is up
        points = np.stack([u, v], -1)
        for _ in range(turn):
            points = np.stack([CELLS - points[..., 1], points[..., 0]], -1)
        profile = np.median(_light(grey, markers.through(points, whole).reshape(*points.shape)), axis=1)
        widths.append(_rise(profile) * (across[1] - across[0]) * cell)
    return float(np.median(widths)) * _TENTH


def _rise(profile: NDArray[np.float64]) -> float:
    """How many samples lie between a quarter and three quarters of the way from the lowest to the highest."""
    smooth = np.convolve(profile, np.ones(5) / 5, "valid")
    low, high = smooth.min(), smooth.max()
    if high - low < LEAST_CONTRAST / 4:
        return float(np.inf)
    share = (profile - low) / (high - low)
    middle = int(np.argmin(np.abs(share - 0.5)))
    below = [i for i in range(middle + 1) if share[i] <= 0.25]
    above = [i for i in range(middle, len(share)) if share[i] >= 0.75]
    if not below or not above:
        return float(len(share))
    i, j = below[-1], above[0]
    first = i + (0.25 - share[i]) / (share[i + 1] - share[i])
    last = j - (share[j] - 0.75) / (share[j] - share[j - 1])
    return float(last - first)


# --- where the camera hangs ---------------------------------------------------------------------------------------


def _hangs(to_frame: Homography, size: tuple[int, int], height: float | None) -> Hangs:
    """Seen straight from above a square tells nothing of the lens, and tilted it does: the lens is taken for a usual
    one, or for what the *height* says, as far as the square does not say otherwise."""
    usual, differs = _LENS * max(size), _LENS_MAY_DIFFER
    if height is not None:
        usual, differs = float(pixels_a_mm(to_frame, [(0, 0)])[0]) * height, 0.05
    lenses = usual * np.exp(np.linspace(-4, 4, 97) * differs)
    focal = min(lenses, key=lambda f: _unlikely(to_frame, size, float(f)) + (log(f / usual) / differs) ** 2)
    one, other, place = _plane(to_frame, size, float(focal)).T
    scale = 1 / np.sqrt(np.linalg.norm(one) * np.linalg.norm(other)) * (1 if place[2] > 0 else -1)
    u, _, vt = np.linalg.svd(np.column_stack([one, other, np.cross(one, other) * scale]) * scale)
    turn = u @ vt
    x, y, z = -turn.T @ place * scale
    tilt = acos(min(1.0, float(turn[2, 2])))
    stretched = _LAID_SQUARE * float(np.sqrt(_unlikely(to_frame, size, float(focal))))
    return Hangs(-float(z), float(x), float(y), degrees(tilt), (float(turn[2, 0]), float(turn[2, 1])), stretched)


def _plane(to_frame: Homography, size: tuple[int, int], focal: float) -> Homography:
    lens = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    return np.asarray(np.linalg.inv(lens) @ to_frame)


def _unlikely(to_frame: Homography, size: tuple[int, int], focal: float) -> float:
    one, other, _ = _plane(to_frame, size, focal).T
    a, b = np.linalg.norm(one), np.linalg.norm(other)
    skew, uneven = one @ other / (a * b), (a - b) / np.sqrt(a * b)
    return float((skew**2 + uneven**2) / _LAID_SQUARE**2)


def pixels_a_mm(to_frame: Homography, points: Sequence[Point]) -> NDArray[np.float64]:
    """(n,): pixels of a millimetre at *points* of the table, in the direction in which it has fewest."""
    found = []
    for x, y in points:
        ends = markers.through([(x - 5, y), (x + 5, y), (x, y - 5), (x, y + 5)], to_frame)
        flat = np.column_stack([ends[1] - ends[0], ends[3] - ends[2]]) / 10
        found.append(np.linalg.svd(flat, compute_uv=False)[-1])
    return np.array(found)


# --- what shines --------------------------------------------------------------------------------------------------


def _patches(
    blown: NDArray[np.bool_], grey: Image, to_frame: Homography, to_table: Homography, known: Sequence[Quad | None]
) -> tuple[Patch, ...]:
    """The patches of the marked square, and of the trick area beyond it, that are brighter than the camera can tell,
    but for the markers' paper and what has the sharp, long edges of a card; the largest first."""
    height, width = blown.shape
    area = np.zeros((height, width), np.uint8)
    reach = SQUARE / 2 + MARGIN
    square = markers.through([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)], to_frame)
    cv2.fillPoly(area, [square.round().astype(np.int32)], 1)
    papers = [q for q in known if q is not None] + [markers.through(markers.printed(n), to_frame) for n in MIDDLES]
    for quad in papers:
        paper = markers.through([(-1.5, -1.5), (9.5, -1.5), (9.5, 9.5), (-1.5, 9.5)], _cells_to_pixels(quad))
        cv2.fillPoly(area, [paper.round().astype(np.int32)], 0)
    density = float(pixels_a_mm(to_frame, [(0, 0)])[0])
    where = (blown & area.astype(bool)).astype(np.uint8)
    # Cards' faces and grains of noise have small holes: closed, they are one.
    side = max(1, round(density)) * 2 + 1
    where = np.asarray(cv2.morphologyEx(where, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(where)
    found = []
    for label in range(1, count):
        square_cm = stats[label, cv2.CC_STAT_AREA] / density**2 / 100
        if square_cm >= LEAST_PATCH and not _is_card(labels == label, stats[label], grey, density):
            x, y = markers.through([middles[label]], to_table)[0]
            found.append(Patch(float(x), float(y), float(square_cm)))
    return tuple(sorted(found, key=lambda patch: -patch.area))


def _is_card(patch: NDArray[np.bool_], stats: NDArray[np.int32], grey: Image, density: float) -> bool:
    """Whether a bright patch is something white that lies there: light that is thrown back fades at its edge, paper
    ends; and a card's edge is longer than the image of a bulb on a varnished table."""
    out = max(2, round(ROUND_A_PATCH * density))
    x, y, w, h, _ = stats.tolist()
    y0, y1, x0, x1 = max(0, y - out), y + h + out, max(0, x - out), x + w + out
    own = patch[y0:y1, x0:x1].astype(np.uint8)
    near = cv2.dilate(own, np.ones((out + 1, out + 1), np.uint8))
    far = cv2.dilate(own, np.ones((2 * out + 1, 2 * out + 1), np.uint8))
    ring = grey[y0:y1, x0:x1][(far > 0) & (near == 0)]
    fades = len(ring) > 0 and float((ring >= 160).mean()) >= 0.6
    points = np.argwhere(own)[:, ::-1].astype(np.float32)
    longest = max(cv2.minAreaRect(points)[1]) / density
    return not fades and longest >= CARD
