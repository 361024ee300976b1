"""Films and folders of pictures as sources of frames: for tables that were recorded, and to look for a fault again.

Every frame comes, none is dropped, and the time of a frame is the recording's own: its number over the rate. What a
film itself says of a frame's time is not asked: it is wrong or missing in many, and must never fall. A recording gives
its frames as fast as they are asked for; at a table it plays ``InItsOwnTime``.

A recording is something that a person named, so what is wrong with it is BadInput and not the loss of a device. But
once it plays, it plays to its end: a film whose tail is broken gives what can be read, a picture that cannot be read is
passed over, and both are in the log. What can be read, and how, is ``pictures``' business.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import shown
from ..frames import Frame
from ..pictures import Picture, Unreadable, picture, pictures_in, video
from .camera import EndOfFilm

log = logging.getLogger(__name__)


class Recording(ABC):
    """A source that is not live. It begins anew at each opening."""

    dropped = 0

    def __init__(self, path: str | Path) -> None:
        self.name = shown(str(path))
        self._path = Path(path)
        self._opened = ExitStack()
        self._frames: Iterator[Frame] = iter(())
        self._cancelled = False
        self.whole = True
        """Whether all of it could be read, as far as it was played since it was opened."""

    @abstractmethod
    def _play(self, opened: ExitStack) -> Iterator[Frame]:
        """Open it, with everything that must be closed on *opened*. Raises BadInput; the frames raise nothing."""

    def __enter__(self) -> Self:
        self._cancelled, self.whole = False, True
        with ExitStack() as opened:
            self._frames = self._play(opened)
            self._opened = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._frames = iter(())
        self._opened.close()

    def grab(self) -> Frame | None:
        """The next frame; None after ``cancel``. Raises EndOfFilm."""
        if self._cancelled:
            return None
        frame = next(self._frames, None)
        if frame is None:
            raise EndOfFilm(self.name)
        return frame

    def cancel(self) -> None:
        self._cancelled = True


class FolderSource(Recording):
    """The pictures of a folder (not of folders within it), in the order of their names, numbers in them by their value;
    *fps* of them a second. A picture that cannot be read leaves its time empty."""

    def __init__(self, path: str | Path, fps: float = 1.0) -> None:
        super().__init__(path)
        self._fps = fps

    def _play(self, opened: ExitStack) -> Iterator[Frame]:
        return self._shown(pictures_in(self._path))

    def _shown(self, files: list[str]) -> Iterator[Frame]:
        for number, file in enumerate(files):
            try:
                yield Frame(picture(file).frame, number / self._fps)
            except Unreadable as error:
                log.warning("%s: passed over: %s", shown(error.file), error.why)
                self.whole = False


class FilmSource(Recording):
    """A film, turned upright as its camera was held."""

    def _play(self, opened: ExitStack) -> Iterator[Frame]:
        film = opened.enter_context(video(self._path))
        pictures = film.frames()
        first = next(pictures)  # a film that has none cannot be used
        return self._shown(chain((first,), pictures), film.rate)

    def _shown(self, pictures: Iterator[Picture], rate: float) -> Iterator[Frame]:
        try:
            for number, each in enumerate(pictures):
                yield Frame(each.frame, number / rate)
        except Unreadable as error:
            log.warning("%s", error)
            self.whole = False


class InItsOwnTime:
    """*recording* as it was filmed: each frame is given when as much time of *clock* has gone by since the first one as
    in the recording. A frame that is late is given at once, and none is left out."""

    dropped = 0

    def __init__(
        self,
        recording: Recording,
        clock: Callable[[], float] = time.monotonic,
        cancelled: threading.Event | None = None,
    ) -> None:
        self.name = recording.name
        self._recording = recording
        self._clock = clock
        self._cancelled = cancelled if cancelled is not None else threading.Event()
        self._began: float | None = None

    def __enter__(self) -> Self:
        self._cancelled.clear()
        self._began = None
        self._recording.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._recording.__exit__(kind, error, traceback)

    def grab(self) -> Frame | None:
        """The next frame, at its time; None after ``cancel``. Raises EndOfFilm."""
        frame = self._recording.grab()
        if frame is None:
            return None
        now = self._clock()
        if self._began is None:
            self._began = now - frame.at
        early = self._began + frame.at - now
        return None if self._cancelled.wait(max(0.0, early)) else frame

    def cancel(self) -> None:
        self._recording.cancel()
        self._cancelled.set()
