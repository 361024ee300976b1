"""Cameras: the seam behind which every source of frames lies, and what all live cameras have in common.

A film waits until it is looked at (``films``). A camera does not: it gives frames whether anybody looks or not, and a
driver that keeps them for us shows the past. So each camera has one thread that opens it, takes every frame, and closes
it; between that thread and the one that looks lies a single slot in which the newest frame wins.

    closed --open--> silent --frame--> live --grab--> frames
      ^                |                |
      +-- DeviceLost --+----------------+  no frame for a while, the same one for a while, or the camera says so

An unplugged camera may say nothing, may fail at every read, or may give its last frame for ever as if all were well
(https://github.com/opencv/opencv/issues/14044, 5221, 6107). All three end here as ``DeviceLost``. A camera counts as
open only when it gives a frame, and one that froze only when it gives another than that: otherwise it would be found
and lost in turns.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import shown
from ..frames import Frame
from .supervisor import DeviceLost

Image = NDArray[np.uint8]
Size = tuple[int, int]
"""Width and height in pixels."""

FPS = 10.0
"""Frames a second that a camera is asked for: a card lies for longer, and every frame costs its decoding."""

OPENING_S = 15.0
"""Seconds until the first frame. USB cameras take up to 3; the Pi's own starts up to three times, at 1 to 2 each, and
lets light and lens settle between; all of them take longer at boot."""

STOPPED_S = 3.0
"""Seconds without a frame after which a camera has stopped."""

LIGHT_S = 10.0
"""Seconds that the light must be another before an exposure that is held is set anew: a hand may cast a shadow."""

DARKER, BRIGHTER = 0.6, 1.5
"""Of the mean brightness, which is no measure of light but its square root, about: a third of the light, or twice."""

FROZEN_S = 5.0
"""Seconds of the same frame, bit for bit, after which a camera is frozen: a sensor's noise never repeats."""

FROZEN = "the same picture again and again"

_LEAVE_S = 2.0
"""Seconds that the thread of a camera gets to end. No read waits longer, but a driver may hang."""

_PAUSE_S = 0.05
"""Seconds between reads that give nothing: a camera that is gone fails at once, for ever."""


class EndOfFilm(Exception):
    """Raised by ``grab`` when all frames of a film or a folder have been given. Nothing is wrong."""


class Source(Protocol):
    """Where frames come from. ``with source:`` opens it; it may be opened again after it was left.

    *name* is what a person called it, on one line; every complaint begins with it.
    """

    name: str

    @property
    def dropped(self) -> int:
        """How many frames came while nobody looked, and were replaced by newer ones. A film drops none."""

    def __enter__(self) -> Self:
        """Open. Raises DeviceLost; BadInput when a film or a folder cannot be used."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

    def grab(self) -> Frame | None:
        """Wait for the newest frame that was not yet given; of a film, the next one. None when ``cancel`` is or was
        called since the opening. Raises DeviceLost, EndOfFilm."""

    def cancel(self) -> None:
        """Wake ``grab``, and an opening, at once; called from another thread. A source that is not open does not
        remember it: who stops looks whether to stop between opening and grabbing."""


class Camera(Protocol):
    """An open camera, in the hands of one thread."""

    @property
    def says(self) -> str:
        """What may be wrong when no frames come; empty when it cannot tell."""

    def read(self) -> Image | None:
        """Wait for the next frame, not longer than a second; None when none came or it is damaged. Raises
        DeviceLost."""

    def close(self) -> None: ...


class Light:
    """Whether the light is another for good than at the first frame, and exposure no longer fits: ``changed`` is asked
    with each frame's mean brightness and its time."""

    def __init__(self) -> None:
        self._first: float | None = None
        self._since: float | None = None

    def changed(self, mean: float, at: float) -> bool:
        if self._first is None:
            self._first = max(mean, 1.0)
        if DARKER <= mean / self._first <= BRIGHTER:
            self._since = None
            return False
        self._since = at if self._since is None else self._since
        return at - self._since >= LIGHT_S


class Stalled(Exception):
    """Raised where frames are waited for when they do not come any more, or do not change."""


class Newest:
    """One slot between the thread that takes frames (``put``, ``fail``) and the one that looks at them (``wait``,
    ``take``): the newest wins. It serves one opening, so a thread that comes late fills a slot that nobody looks into.

    *stuck* is the picture at which the camera froze before, if it did. Whoever takes frames ends when *over* is set.
    """

    def __init__(self, clock: Callable[[], float], stuck: Image | None = None) -> None:
        self.over = threading.Event()
        self.dropped = 0
        self.stuck = stuck  # the picture at which the camera is frozen
        self.says = ""  # what may be wrong when no frames come
        self._clock = clock
        self._changed = threading.Condition()
        self._fresh: tuple[Image, float] | None = None
        self._failure: Exception | None = None
        self._last: Image | None = None
        self._heard = self._since = clock()  # the last frame; the first one like the last

    def put(self, image: Image) -> None:
        """A frame has come. It is not copied: it must not be written to any more."""
        if self.stuck is not None and _same(self.stuck, image):
            return
        now = self._clock()
        repeated = self._last is not None and _same(self._last, image)
        with self._changed:
            self.stuck = None
            if not repeated:
                self._last, self._since = image, now
            elif now - self._since >= FROZEN_S:
                self.stuck = image
                self._failure = Stalled(_frozen(image))
            if self._fresh is not None:
                self.dropped += 1
            self._fresh, self._heard = (image, now), now
            self._changed.notify_all()

    def fail(self, error: Exception) -> None:
        """No more frames will come: *error* is raised where they are waited for."""
        with self._changed:
            self._failure = error
            self._changed.notify_all()

    def end(self) -> None:
        """Nobody looks any more: wake who waits."""
        with self._changed:
            self.over.set()
            self._changed.notify_all()

    def wait(self, patience_s: float) -> None:
        """Wait until there is a frame to take, or it is over. Raises Stalled when the last one came *patience_s* ago,
        and what ``fail`` was told."""
        with self._changed:
            while not self.over.is_set():
                if self._fresh is not None:  # what came before it failed is seen all the same
                    return
                if self._failure is not None:
                    raise self._failure
                left = self._heard + patience_s - self._clock()
                if left <= 0:
                    raise Stalled(self._silence(patience_s))
                self._changed.wait(left)

    def _silence(self, lasted_s: float) -> str:
        if self.stuck is not None:
            return _frozen(self.stuck)
        return f"no frame for {lasted_s:g} s" + (f": {self.says}" if self.says else "")

    def take(self) -> tuple[Image, float] | None:
        """The newest frame and when it came, once; None when it is over. Waits and raises as ``wait`` does."""
        with self._changed:
            self.wait(STOPPED_S)
            taken, self._fresh = self._fresh, None
            return None if self.over.is_set() else taken


class LiveSource(ABC):
    """A camera as a ``Source``. What a kind of camera adds is how to open it and how to make its frames pictures.

    *named* is how a person names the camera. ``at`` of a frame is the time of *clock* at which all of it had come.
    """

    def __init__(self, named: str, clock: Callable[[], float]) -> None:
        self.name = shown(named)
        self._clock = clock
        self._lock = threading.Lock()  # between leaving and cancel
        self._newest: Newest | None = None
        self._thread: threading.Thread | None = None
        self._stuck: Image | None = None
        self._dropped = 0

    @abstractmethod
    def _open(self) -> Camera:
        """The opened camera. Raises DeviceLost."""

    def _frame(self, image: Image, at: float) -> Frame:
        """What the camera gave as a frame. Only asked of those that are looked at."""
        return Frame(image, at)

    @property
    def dropped(self) -> int:
        newest = self._newest
        return self._dropped + (newest.dropped if newest is not None else 0)

    def __enter__(self) -> Self:
        if self._thread is not None and self._thread.is_alive():
            raise DeviceLost(f"{self.name}: its driver does not answer any more: unplug the camera, plug it in again")
        newest = Newest(self._clock, self._stuck)
        with self._lock:
            self._newest = newest  # from here on cancel is heard
        try:
            # A daemon, so that a driver that hangs in the kernel cannot keep the program from ending.
            self._thread = threading.Thread(target=self._feed, args=(newest,), name=f"{self.name} frames", daemon=True)
            self._thread.start()
            with self._stalled_is_lost():
                newest.wait(OPENING_S)
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._leave()

    def grab(self) -> Frame | None:
        newest = self._newest
        assert newest is not None, "grab() belongs inside the with block"
        with self._stalled_is_lost():
            taken = newest.take()
        return None if taken is None else self._frame(*taken)

    def cancel(self) -> None:
        with self._lock:
            if self._newest is not None:
                self._newest.end()

    def _feed(self, newest: Newest) -> None:
        """The thread: the only one that touches the camera, from its opening to its closing."""
        try:
            camera = self._open()
            try:
                while not newest.over.is_set():
                    image = camera.read()
                    if image is None:
                        newest.says = camera.says
                        newest.over.wait(_PAUSE_S)
                    else:
                        newest.put(image)
            finally:
                camera.close()
        except Exception as error:  # a loss or a bug: it belongs to who waits for frames
            newest.fail(error)

    def _leave(self) -> None:
        with self._lock:
            newest, self._newest = self._newest, None
        assert newest is not None
        newest.end()
        if self._thread is not None and self._thread.ident is not None:  # it was started
            self._thread.join(_LEAVE_S)
        self._dropped += newest.dropped
        self._stuck = newest.stuck

    @contextmanager
    def _stalled_is_lost(self) -> Iterator[None]:
        try:
            yield
        except Stalled as stalled:
            raise DeviceLost(f"{self.name}: {stalled}") from None


def _same(one: Image, other: Image) -> bool:
    """Bit for bit. A few rows are enough to tell two frames of a sensor apart."""
    return np.array_equal(one[::64], other[::64]) and np.array_equal(one, other)


def _frozen(image: Image) -> str:
    told = FROZEN
    if np.ptp(image[: len(image) // 2]) == 0:  # the upper half of it, which in I420 is brightness alone
        told += ", and nothing to be seen in it: is the lens covered, or the room dark?"
    return told
