"""Where the table is in a frame: the four printed markers, and the homography that they give.

The table plane is in millimetres: its origin is the middle of the marked square, x goes right and y down as seen from
above with seat 0 at the top. A homography ``to_table`` (3, 3) float64 takes pixels of the frame (x right, y down, the
middle of a pixel at whole numbers) there. The lens is taken to draw straight lines straight.

A marker is worth more than its middle: its four corners lie on the table too, where the sheet says. So two or three
markers can do, when the others are under an arm. Few of them leave the far side of the table uncertain, though: two on
one side less than two across. How uncertain is reckoned from where the corners lie (``Markers.within``), and beyond
``CLOSE_ENOUGH`` there is no table. For that the corners must be sharper than OpenCV's, which lie up to a pixel inside
the black: each side is fitted anew as the straight line between black and white.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
Homography = NDArray[np.float64]
Quad = NDArray[np.float64]
"""(4, 2): the corners of a square, from its top left clockwise."""

SQUARE = 500.0
"""Millimetres of the marked square's side: the outer edges of the markers' black."""
TRICK_RADIUS = 200.0
"""Millimetres: the trick area is the disc round the middle."""
SIDE = 30.0
"""Millimetres of a marker's black square."""
CELLS = 8
"""Cells of a marker's side: 6 that tell its number, and a black one at either end. White has to lie round it, a cell
wide at least."""
MIDDLES: Mapping[int, tuple[float, float]] = MappingProxyType(
    {0: (235.0, -235.0), 1: (235.0, 235.0), 2: (-235.0, 235.0), 3: (-235.0, -235.0)}
)
"""Where the middle of each marker lies on the table, clockwise from the left of the player at seat 0. All stand
upright as seen from above with seat 0 at the top."""
CORNERS = ((250.0, -250.0), (250.0, 250.0), (-250.0, 250.0), (-250.0, -250.0))
"""The marked square's corners on the table: north-east, south-east, south-west, north-west."""

LAID_WELL, FITS = 0.6, 3.0
"""Millimetres (root mean square) by which the corners lie off where the sheet says, at most, when markers are laid by
eye (1.5 mm, 0.7°: 0.3 to 0.5, reckoned over 200 tables), and when there is a table at all: a lens that bends the edge
of its picture by a tenth makes 1 to 2, a marker that is turned or in another's place makes 10 and more. In between, one
of four may have been pushed; then the other three agree several times better without it."""
CLOSE_ENOUGH = 15.0
"""Millimetres that the place of a card may be uncertain by: no more than seats' borders forgive (``zones.HOLD``)."""
_PIXEL, _LAID = 0.15, 0.25
"""How far a corner lies off its marker's other corners (standard deviation): in pixels as found, in millimetres as cut
and laid (a marker turned by 0.7°). Reckoned over 200 tables laid so, 95 in 100 were off by no more than ``within``, or
than 5 mm where that is less: markers laid in the wrong place altogether are not counted."""
LEAST_SIDE = 12
"""Pixels of a marker's side below which it is not looked for; from 18 on nearly all are found."""
LEAST_CONTRAST = 16.0
"""Grey levels of 256 between a marker's black and its white."""

ALONG = np.linspace(0.06, 0.94, 24)
ACROSS = np.linspace(-1, 1, 19)
"""Where light is measured to fit a side: along it, in sides, and across it, in cells."""

SAME_SHAPE = 0.02
"""By which share the sides of two frames may be in another ratio while they show the same view: modes are rounded to
whole blocks of pixels."""
DICTIONARY = cv2.aruco.DICT_APRILTAG_36h11


def cells(number: int) -> NDArray[np.bool_]:
    """The cells (CELLS, CELLS) of a marker as printed, rows from the top: True is white."""
    return cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, CELLS) > 127


def printed(number: int) -> Quad:
    """Where the corners of a marker's black square lie on the table."""
    half = SIDE / 2
    return np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + MIDDLES[number]


@dataclass(frozen=True, slots=True, eq=False)
class Markers:
    """What was seen of the markers, and the table when that is enough.

    *corners* are those of each marker that was seen once, in pixels. *twice* were seen more than once and are not used;
    *misplaced* does not lie where the sheet says, and the others do without it. *mirrored*: the picture shows left and
    right exchanged. *residual* is how far the corners that were used lie off, in millimetres (root mean square), and
    *within* how uncertain the trick area is, in millimetres at its worst point; both are infinite when nothing fits.
    """

    corners: Mapping[int, Quad]
    to_table: Homography | None = None
    residual: float = np.inf
    within: float = np.inf
    twice: tuple[int, ...] = ()
    misplaced: tuple[int, ...] = ()
    mirrored: bool = False

    @property
    def why(self) -> str:
        """Why there is no table, and what to do; empty when there is one."""
        if self.to_table is not None:
            return ""
        if self.mirrored:
            return "the picture is mirrored: switch off the camera's mirror image (selfie view)"
        seen = _listed(self.corners)
        if self.twice:
            return f"more than one marker {_listed(self.twice)} is seen: leave one of each"
        if len(self.corners) < 2:
            what = f"only marker {seen}" if seen else "none of the markers 0 to 3"
            return (
                f"{what} is seen: uncover them, let no lamp shine on them, or print them anew (tablepi calibrate sheet)"
            )
        if self.residual > FITS:
            return f"markers {seen} do not lie as their sheet shows: each in its corner, all the same way up"
        return f"markers {seen} alone do not tell the place well enough: uncover the others, or bring the camera nearer"


def find(image: Image) -> Markers:
    """The markers in *image* (h, w, 3) uint8 BGR. The same picture always gives the same answer."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    seen, twice = _seen(grey)
    if not seen and not twice and _seen(np.asarray(cv2.flip(grey, 1), np.uint8))[0]:
        return Markers({}, mirrored=True)
    if len(seen) < 2:
        return Markers(seen, twice=twice)
    fit = _fit(seen)
    misplaced: tuple[int, ...] = ()
    if fit.residual > LAID_WELL and len(seen) == len(MIDDLES):
        others = {odd: _fit({n: quad for n, quad in seen.items() if n != odd}) for odd in seen}
        odd = min(others, key=lambda n: others[n].residual)
        if others[odd].residual < fit.residual / 3:
            fit, misplaced = others[odd], (odd,)
    well = fit.residual <= FITS and fit.within <= CLOSE_ENOUGH
    return Markers(seen, fit.to_table if well else None, fit.residual, fit.within, twice, misplaced)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(n) for n in sorted(numbers))


# --- seen in the frame --------------------------------------------------------------------------------------------


def _seen(grey: Image) -> tuple[dict[int, Quad], tuple[int, ...]]:
    """The corners of each marker that is seen once, and the numbers of those that are seen more often."""
    told = cv2.aruco.DetectorParameters()
    # One threshold where OpenCV tries three: less than half the time, and it loses only the very smallest markers. A
    # window of 7 or 9 pixels would lose them in dim light.
    told.adaptiveThreshWinSizeMin = told.adaptiveThreshWinSizeMax = 13
    told.minMarkerPerimeterRate = 4 * LEAST_SIDE / max(grey.shape)
    # Blurred markers: each cell is looked at more finely, and all five wrong cells that the code can mend are allowed
    # (OpenCV 4.11 allows none by itself). As there are only our four, no more than one in 10,000 of other squares with
    # a black rim passes for one of them; all other markers do not.
    told.perspectiveRemovePixelPerCell = 8
    told.errorCorrectionRate = 1.0
    ours = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    ours.bytesList = ours.bytesList[: len(MIDDLES)]
    ours.maxCorrectionBits = 5
    quads, numbers, _ = cv2.aruco.ArucoDetector(ours, told).detectMarkers(grey)
    found: dict[int, list[Quad]] = {}
    if numbers is not None:
        sharp, whole = _sharpened(grey, np.array(quads, np.float64).reshape(-1, 4, 2))
        for number, quad in zip(numbers.ravel()[whole].tolist(), sharp[whole], strict=True):
            found.setdefault(number, []).append(quad)
    once = {number: places[0] for number, places in sorted(found.items()) if len(places) == 1}
    return once, tuple(sorted(found.keys() - once.keys()))


def _sharpened(grey: Image, quads: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """*quads* (n, 4, 2) brought to where the straight lines along their sides meet, and (n,) which of them are whole:
    the others have a side that something lies over."""
    whole = np.ones(len(quads), bool)
    for _ in range(2):  # the second time from nearly right
        lines, straight = _sides(grey, quads)
        meet = np.cross(np.roll(lines, 1, axis=1), lines)
        whole &= straight.all(1) & (meet[..., 2] != 0).all(1)
        quads = np.where(whole[:, None, None], meet[..., :2] / np.where(meet[..., 2:] == 0, 1, meet[..., 2:]), quads)
    return quads, whole


def _sides(grey: Image, quads: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The lines (n, 4, 3), each (a, b, c) with ax + by + c = 0, along which black meets white near the sides of *quads*
    (n, 4, 2); and (n, 4) where it does so nearly everywhere."""
    begin, end = quads, np.roll(quads, -1, axis=1)
    along = end - begin
    # A cell long: so near a side, nothing but the side itself gets lighter outwards.
    outward = np.stack([along[..., 1], -along[..., 0]], -1) / CELLS
    across = outward[:, :, None, None] * ACROSS[:, None]
    points = (begin[:, :, None] + along[:, :, None] * ALONG[:, None])[:, :, :, None] + across
    flat = points.reshape(-1, len(ACROSS), 2).astype(np.float32)
    light = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(
        np.float64
    )
    rises = np.diff(light).clip(0).reshape(*quads.shape[:2], len(ALONG), -1)
    contrast = rises.sum(-1)
    usual = np.median(contrast, -1, keepdims=True)
    weights = rises**2 + 1e-9  # squared: noise counts little
    off = weights @ ((ACROSS[1:] + ACROSS[:-1]) / 2) / weights.sum(-1)
    # The middle slope of all pairs, so that what lies over a part of the side bends nothing; then by all that is on it.
    one, other = np.triu_indices(len(ALONG), len(ALONG) // 4)
    slope = np.median((off[..., other] - off[..., one]) / (ALONG[other] - ALONG[one]), -1, keepdims=True)
    away = off - slope * ALONG
    on = (np.abs(away - np.median(away, -1, keepdims=True)) < 1 / 3) & (contrast > usual / 2)
    slope, level = _straight(off, on)
    first = begin + level[..., None] * outward
    last = end + (slope + level)[..., None] * outward
    straight = (usual[..., 0] >= LEAST_CONTRAST) & (on.mean(-1) >= 0.9)
    ones = np.ones((*quads.shape[:2], 1))
    return np.cross(np.concatenate([first, ones], -1), np.concatenate([last, ones], -1)), straight


def _straight(off: NDArray[np.float64], on: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slope and level at ALONG = 0 of the line that lies nearest to those of *off* (…, len(ALONG)) that are *on* it."""
    count = np.maximum(on.sum(-1), 1)
    x, y = (on @ ALONG) / count, (on * off).sum(-1) / count
    lean = on * (ALONG - x[..., None])
    slope = (lean * off).sum(-1) / np.maximum((lean**2).sum(-1), 1e-9)
    return slope, y - slope * x


# --- the homography -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    to_table: Homography | None = None
    residual: float = np.inf
    within: float = np.inf


def _fit(seen: Mapping[int, Quad]) -> _Fit:
    """The homography by all corners of *seen*: that which lies nearest to them in the frame."""
    pixels = np.vstack([seen[n] for n in seen])
    table = np.vstack([printed(n) for n in seen])
    found, _ = cv2.findHomography(table, pixels)
    if found is None:
        return _Fit()
    to_frame = np.asarray(found, np.float64)
    if abs(np.linalg.det(to_frame)) < 1e-9 or not (_depth(to_frame, np.array(CORNERS)) > 0).all():
        return _Fit()
    to_table = np.asarray(np.linalg.inv(to_frame), np.float64)
    to_table /= to_table[2, 2]
    residual = float(np.sqrt(np.mean(np.sum((through(pixels, to_table) - table) ** 2, 1))))
    return _Fit(to_table, residual, _uncertainty(to_frame, table))


def _uncertainty(to_frame: Homography, table: NDArray[np.float64]) -> float:
    """How far off (in millimetres, two standard deviations) the worst place of the trick area may be when the
    homography is by the corners at *table*, each of which lies off by _PIXEL in the frame and by _LAID on the table."""
    round_ = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    rim = TRICK_RADIUS * np.stack([np.cos(round_), np.sin(round_)], 1)
    off = np.hypot(_PIXEL, _LAID * np.sqrt(np.abs(np.linalg.det(_stretch(to_frame, table)))))
    moved = _moved(to_frame, table) / off[:, None, None]
    weights = np.linalg.pinv(moved.reshape(-1, 8))
    spread = np.linalg.inv(_stretch(to_frame, rim)) @ _moved(to_frame, rim) @ weights
    return 2 * float(np.sqrt((spread**2).sum((1, 2)).max()))


def _moved(to_frame: Homography, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 2, 8): how the pixels of *table* (n, 2) move with the first eight numbers of the homography, each in a
    measure of its own that keeps the arithmetic even."""
    p = np.column_stack([table / SQUARE, np.ones(len(table))]) / _depth(to_frame, table)[:, None]
    moved = np.zeros((len(table), 2, 8))
    moved[:, 0, :3], moved[:, 1, 3:6] = p, p
    moved[:, :, 6:] = -through(table, to_frame)[:, :, None] * p[:, None, :2]
    return moved


def _stretch(to_frame: Homography, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 2, 2): how the pixels of *table* (n, 2) move with the millimetres."""
    at = through(table, to_frame)
    flat = to_frame[:2, :2] - at[:, :, None] * to_frame[2, :2]
    return np.asarray(flat / _depth(to_frame, table)[:, None, None])


def _depth(homography: Homography, points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(points @ homography[2, :2] + homography[2, 2])


# --- points and pictures ------------------------------------------------------------------------------------------


def through(points: ArrayLike, homography: Homography) -> NDArray[np.float64]:
    """*points* (n, 2) taken through a homography, (n, 2) float64: with ``to_table``, pixels of the frame to millimetres
    of the table; with its inverse, back."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    taken = np.column_stack([flat, np.ones(len(flat))]) @ homography.T
    return np.asarray(taken[:, :2] / taken[:, 2:])


def by_hand(corners: ArrayLike, told_in: tuple[int, int], frame: tuple[int, int]) -> Homography:
    """``to_table`` by the marked square's *corners* (4, 2): north-east, south-east, south-west, north-west, in pixels
    of a frame of the size *told_in* (width, height). It is for frames of the size *frame*, which show the same view.
    Raises ValueError when the corners do not go round clockwise, or the frame has another shape and thus another view.
    """
    if not np.allclose(frame[0] * told_in[1], told_in[0] * frame[1], rtol=SAME_SHAPE):
        (w, h), (width, height) = told_in, frame
        raise ValueError(
            f"the corners were told in a picture of {w}x{h}, and one of {width}x{height} shows another part"
        )
    pixels = (np.asarray(corners, np.float64).reshape(4, 2) + 0.5) * frame / told_in - 0.5
    (x, y), (next_x, next_y) = (np.roll(pixels, -1, axis=0) - pixels).T, (np.roll(pixels, -2, axis=0) - pixels).T
    if not (x * next_y - y * next_x > 0).all():
        raise ValueError(
            f"the square's corners {np.asarray(corners).tolist()} do not go round clockwise from north-east"
        )
    to_table = cv2.getPerspectiveTransform(pixels.astype(np.float32), np.array(CORNERS, np.float32))
    return np.asarray(to_table, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Rectified:
    """The middle of the table as seen from straight above, seat 0 at the top: *image* (s, s, 3) uint8 BGR, and the
    homography *to_table* of its own pixels."""

    image: Image
    to_table: Homography


def rectified(image: Image, to_table: Homography, *, px_per_mm: float = 2.0, reach: float = 240.0) -> Rectified:
    """The square of *reach* millimetres to each side of the middle, from a frame (h, w, 3) uint8 BGR. What the frame
    does not show is black."""
    side = round(2 * reach * px_per_mm)
    edge = 0.5 / px_per_mm - reach  # where the middle of the first pixel lies
    own = np.array([[1 / px_per_mm, 0, edge], [0, 1 / px_per_mm, edge], [0, 0, 1]])
    view = cv2.warpPerspective(image, np.linalg.inv(own) @ to_table, (side, side), flags=cv2.INTER_LINEAR)
    return Rectified(np.asarray(view, np.uint8), own)
