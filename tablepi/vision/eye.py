"""The camera's eye: finds the table in the frames, watches it, and keeps a photograph of each card that it tells.

This is all that the live table and ``tablepi watch`` use of vision: frames go in, facts come out.

A camera that is knocked, or slips, sees the table elsewhere. Whenever something has moved, and before anything is read
then, the eye looks whether the markers are where they were (``anchors``). When they are not, they are searched for
anew: the cards that lie there keep their places on the table, and the game goes on. While they cannot be found, or
where the table was told by hand and nobody can tell it anew, or in the dark, nothing is told, and *trouble* says why.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import cv2
import numpy as np

from ..cards import FULL_DECK, Card, Cards, Seat
from ..facts import Fact, Seen
from ..frames import Frame
from . import markers
from .anchors import STANDS, Anchors, Camera, apart
from .markers import Homography
from .stillness import DARK
from .view import View
from .watcher import Reader, Watcher

AGAIN_S = 0.5
"""Seconds after which the markers are looked for again while they are not found, and whether it is light."""
SOME = 16
"""Of so many pixels across, and down, one tells how light it is."""
PHOTOGRAPHS = 64
"""Photographs that wait to be fetched, at most; the oldest are dropped."""
QUALITY = 85
"""Of the photographs (JPEG): an index 20 pixels high stays readable."""
RANK, JUMBO_RANK = 8.0, 15.0
"""Millimetres that the rank of a standard index is high, about, and that of a jumbo one."""
MOVED = "the camera has moved"
COVERED = f"{MOVED}, or its markers are covered"
BEFORE_IT = f"{MOVED}, or something is before its lens: take that away"
ANEW = "the corners anew (tablepi calibrate camera)"
TELL_ANEW = f"put it back as it was, or tell it {ANEW}"
TOO_DARK = "the picture is too dark: is the lens covered, or the lamp off?"
WANTED, ENOUGH, LEAST = 16, 14, 10
"""Pixels that a rank is to be high; under the second cards are sometimes misread, under the third hardly read."""


class Eye:
    """*reader* reads the cards, *players* sit around the table.

    The table is found by its markers, or by *by_hand*: the corners of the marked square as ``markers.by_hand`` takes
    them, and the size of the frame that they were told in. With *anywhere* the whole frame is the table where no
    marker is seen. *coarse* says that the cards are too small in the picture, empty where they are not, and where the
    table's size is not known for certain.

    ``look`` belongs to one thread; ``photo`` and ``know`` may be called from another.
    """

    def __init__(
        self,
        reader: Reader,
        players: int,
        *,
        by_hand: tuple[Sequence[tuple[float, float]], tuple[int, int]] | None = None,
        anywhere: bool = False,
    ) -> None:
        self.coarse = ""
        self.expected: Cards = FULL_DECK
        self.turn: Seat | None = None
        self.opens: Card | None = None
        self._reader = reader
        self._players = players
        self._by_hand = by_hand
        self._anywhere = anywhere
        self.watcher: Watcher | None = None
        self._before: Watcher | None = None  # what watched frames of another size, until the table is found in these
        self._size = (0, 0)
        self._assumed = False  # that the whole picture is the table; markers that appear say better
        self._astray = False  # it is not known where the camera looks since it moved
        self._why = ""  # the table is not known
        self._dark = False
        self._next_light = -np.inf
        self._view: View | None = None
        self._anchors: Anchors | None = None
        self._next_try = -np.inf
        self._photos: OrderedDict[Fact, bytes] = OrderedDict()
        self._lock = Lock()

    @property
    def found(self) -> bool:
        """Whether the table is known, and seen."""
        return self.watcher is not None and not self._astray and not self._dark

    @property
    def trouble(self) -> str:
        """Why the table is not known, or not seen; empty before the first frame."""
        return TOO_DARK if self._dark else self._why

    def know(self, expected: Cards, turn: Seat | None, opens: Card | None) -> None:
        """What the game knows of the cards to come (``sight.coming``, see ``Watcher``): plain values, which the thread
        of ``look`` may read at any time."""
        self.expected, self.turn, self.opens = expected, turn, opens

    def look(self, frame: Frame) -> list[Fact]:
        """The facts that *frame*, the next one, adds; without ``at``."""
        size = frame.size
        if size != self._size:  # another camera, or another mode: what lies there lies there still
            self._before, self.watcher = self.watcher or self._before, None
            self._assumed, self._size, self._next_try = False, size, -np.inf
            self._astray, self.coarse, self._view, self._next_light = False, "", None, -np.inf
        if self._dark or frame.at >= self._next_light:
            self._next_light = frame.at + AGAIN_S
            self._dark = self._is_dark(frame)
        if self.watcher is None and self._dark:
            return []
        if (self.watcher is None or self._assumed) and frame.at >= self._next_try:
            self._next_try = frame.at + AGAIN_S
            self._find(frame)
        if self.watcher is None:
            return []
        self.watcher.expected, self.watcher.turn, self.watcher.opens = self.expected, self.turn, self.opens
        facts = self.watcher.look(frame)
        for fact in facts:
            if isinstance(fact, Seen):
                self._keep(fact, self.watcher, frame)
        return facts

    def photo(self, fact: Fact) -> bytes | None:
        """The photograph (JPEG) of what *fact* tells, once: as it came from ``look``."""
        with self._lock:
            return self._photos.pop(fact, None)

    def _is_dark(self, frame: Frame) -> bool:
        """Whether the felt, or all that is seen while it is not known where that is, is too dark to be watched."""
        seen = frame.image[::SOME, ::SOME] if self._view is None else self._view.small(frame)[self._view.felt]
        return float(seen.mean()) < DARK

    def _find(self, frame: Frame) -> None:
        if self._by_hand is not None:
            try:
                told = markers.by_hand(*self._by_hand, self._size)
            except ValueError as error:
                self._why = f"{error}: give it that size again, or tell it {ANEW}"
                return
            self._why = ""
            self._begin(told, Anchors(frame.image, told, marked=False))
            self.coarse = _coarse(told)
            return
        seen = markers.find(frame.image)
        if seen.to_table is not None:
            self._why, self._assumed = "", False
            self._begin(seen.to_table, Anchors(frame.image, seen.to_table, marked=True))
            self.coarse = _coarse(seen.to_table)
        elif not self._assumed:
            self._why = seen.why
            if self._anywhere and not seen.corners:
                self._why = f"{seen.why.split(':')[0]}: the whole picture is taken for the table"
                self._assumed = True
                self._begin(_whole(self._size), None)

    def _begin(self, to_table: Homography, anchors: Anchors | None) -> None:
        self._anchors, self._view = anchors, View(to_table, self._size)
        if self._before is None:
            self.watcher = Watcher(self._reader, self._view, self._players, where=self._where)
        else:
            self.watcher, self._before = self._before, None
            self.watcher.move_to(self._view)

    def _where(self, frame: Frame, view: View) -> View | None:
        """Where the table is in *frame*, in which nothing moves, and where it was seen in *view* before; None when that
        is not known."""
        if self._anchors is None or (self._astray and frame.at < self._next_try):
            return None if self._astray else view
        self._next_try = frame.at + AGAIN_S
        camera = self._anchors.look(frame.image)
        if camera is Camera.STANDS:
            self._astray, self._why = False, ""
            return view
        if self._by_hand is not None:
            self._astray = True
            self._why = f"{BEFORE_IT}; else {TELL_ANEW}" if camera is Camera.UNKNOWN else f"{MOVED}: {TELL_ANEW}"
            return None
        seen = markers.find(frame.image)
        if seen.to_table is None:
            self._astray = True
            self._why = f"{COVERED}: {seen.why}"
            return None
        self._astray, self._why = False, ""
        if apart(seen.to_table, view.to_table) <= STANDS:  # it was a marker that moved
            return view
        self._anchors = Anchors(frame.image, seen.to_table, marked=True)
        self.coarse = _coarse(seen.to_table)
        self._view = View(seen.to_table, self._size)
        return self._view

    def _keep(self, fact: Seen, watcher: Watcher, frame: Frame) -> None:
        crop = watcher.crop(frame.image, fact.card)
        if crop is not None:
            _, jpeg = cv2.imencode(".jpg", crop, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
            with self._lock:
                self._photos[fact] = jpeg.tobytes()
                while len(self._photos) > PHOTOGRAPHS:
                    self._photos.popitem(last=False)


def _whole(size: tuple[int, int]) -> Homography:
    """The middle of the frame is the middle of the table, and its shorter side the marked square's."""
    k = markers.SQUARE / min(size)
    return np.array([[k, 0, -k * (size[0] - 1) / 2], [0, k, -k * (size[1] - 1) / 2], [0, 0, 1.0]])


def _coarse(to_table: Homography) -> str:
    """What is wrong with the size of the cards in the middle of the picture; empty when they are large enough."""
    ends = markers.through([(-50, 0), (50, 0), (0, -50), (0, 50)], np.asarray(np.linalg.inv(to_table), np.float64))
    pixels = min(np.hypot(*(ends[1] - ends[0])), np.hypot(*(ends[3] - ends[2]))) / 100  # of a millimetre
    if pixels * RANK >= ENOUGH:
        return ""
    too = "too " if pixels * RANK < LEAST else ""
    text = (
        f"the picture is {too}coarse: a rank of {RANK:g} mm has {int(pixels * RANK)} pixels, {WANTED} are wanted: "
        "use a larger picture size, or hang the camera lower"
    )
    return text + (f"; a jumbo index ({JUMBO_RANK:g} mm) is large enough" if pixels * JUMBO_RANK >= ENOUGH else "")
