"""Films and folders of pictures as sources of frames: for tables that were recorded, and to look for a fault again.

Nothing here is in a hurry. Every frame comes, none is dropped, and the time of a frame is the recording's own: its
number over the rate. What a film itself says of a frame's time is not asked: it is wrong or missing in many, and must
never fall. The rate of a film that does not say a sensible one is taken to be ``RATE``.

A recording is something that a person named, so what is wrong with it is BadInput and not the loss of a device. But
once it plays, it plays to its end: a film whose tail is broken gives what can be read, a picture that cannot be read is
passed over, and both are in the log.
"""

from __future__ import annotations

import errno
import logging
import math
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import cv2
import numpy as np

from ..errors import BadInput
from ..frames import Frame
from .camera import EndOfFilm, Image

log = logging.getLogger(__name__)

RATE = 25.0
"""Frames a second of a film that does not say how many."""

_SLACK_S = 0.5
"""A film may end so much sooner than it says: its sound often lasts a little longer than its pictures."""

_PICTURES = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".ppm", ".pgm"))


class Recording(ABC):
    """A source that is not live. It begins anew at each opening."""

    dropped = 0

    def __init__(self, path: str | Path, name: str) -> None:
        self.name = name
        self._path = Path(path)
        self._opened = ExitStack()
        self._frames: Iterator[Frame] = iter(())
        self._cancelled = False

    @abstractmethod
    def _play(self, opened: ExitStack) -> Iterator[Frame]:
        """Open it, with everything that must be closed on *opened*. Raises BadInput; the frames raise nothing."""

    def __enter__(self) -> Self:
        self._cancelled = False
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
            raise EndOfFilm(str(self._path))
        return frame

    def cancel(self) -> None:
        self._cancelled = True


class FolderSource(Recording):
    """The pictures of a folder (not of folders within it), in the order of their names, numbers in them by their value;
    *fps* of them a second. A picture that cannot be read leaves its time empty."""

    def __init__(self, path: str | Path, fps: float = 1.0, *, name: str = "camera") -> None:
        super().__init__(path, name)
        self._fps = fps

    def _play(self, opened: ExitStack) -> Iterator[Frame]:
        try:
            names = sorted((each.name for each in self._path.iterdir()), key=_natural)
        except OSError as error:
            raise _unreadable(self._path, error) from None
        pictures = [n for n in names if Path(n).suffix.lower() in _PICTURES and not n.startswith(".")]
        if not pictures:
            raise BadInput(f"{self._path}: no picture in this folder: {' '.join(sorted(_PICTURES))} are looked for")
        return self._shown(pictures)

    def _shown(self, names: list[str]) -> Iterator[Frame]:
        for number, name in enumerate(names):
            try:
                yield Frame(_picture(self._path / name), number / self._fps)
            except (OSError, ValueError) as error:
                log.warning("%s: passed over: %s", self._path / name, error)


class FilmSource(Recording):
    """A film, as OpenCV's FFmpeg reads it: turned upright as its camera was held."""

    def __init__(self, path: str | Path, *, name: str = "camera") -> None:
        super().__init__(path, name)

    def _play(self, opened: ExitStack) -> Iterator[Frame]:
        try:
            file = opened.enter_context(self._path.open("rb"))
        except OSError as error:
            raise _unreadable(self._path, error) from None
        # Decoders complain from threads of their own, at any time. A person who looks for a fault sets the variable.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        with _quiet():
            # By a name that OpenCV cannot misunderstand: in a person's own, ``:`` and ``%`` mean something to it.
            capture = cv2.VideoCapture(f"/dev/fd/{file.fileno()}", cv2.CAP_FFMPEG)
        opened.callback(capture.release)
        capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
        first = _next(capture)
        if first is None:
            raise BadInput(f"{self._path}: is no film that can be read: it is damaged, cut off or something else")
        return self._shown(first, capture)

    def _shown(self, image: Image | None, capture: Any) -> Iterator[Frame]:
        rate = _number(capture, cv2.CAP_PROP_FPS)
        rate = rate if 0 < rate <= 1000 else RATE
        number = 0
        while image is not None:
            yield Frame(image, number / rate)
            image = _next(capture)
            number += 1
        told = _number(capture, cv2.CAP_PROP_FRAME_COUNT)
        if (told - number) / rate > _SLACK_S:
            log.warning(
                "%s: %d of its %d frames could be read: it is damaged, cut off or trimmed", self._path, number, told
            )


def _next(capture: Any) -> Image | None:
    try:
        got, image = capture.read()
    except cv2.error:
        return None
    return np.asarray(image, np.uint8) if got and image is not None and image.size else None


def _number(capture: Any, name: int) -> float:
    """What a film says of itself; 0 where that makes no sense."""
    told = float(capture.get(name))
    return told if math.isfinite(told) and 0 < told < 1e12 else 0.0


def _picture(path: Path) -> Image:
    """The picture, upright. Raises OSError and ValueError."""
    content = np.fromfile(path, np.uint8)
    if not _whole(content.tobytes()):
        raise ValueError("its end is missing")  # decoders fill it with grey: a card that lay there would be gone
    try:
        image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    except (cv2.error, MemoryError):
        image = None
    if image is None:
        raise ValueError("is no picture that can be read")
    return np.asarray(image, np.uint8)


def _whole(content: bytes) -> bool:
    """Whether the end of a JPEG or a PNG is there; True for what is neither."""
    if content.startswith(b"\x89PNG"):
        return b"IEND" in content
    if not content.startswith(b"\xff\xd8\xff"):
        return True
    at = 2
    while content[at : at + 1] == b"\xff" and content[at + 1 : at + 2] != b"\xda":  # to the scan, past any thumbnail
        at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")
    return b"\xff\xd9" in content[at:]


def _natural(name: str) -> list[str | int]:
    """Orders ``2.png`` before ``10.png``."""
    return [
        int(part) if part.isascii() and part.isdecimal() else part for part in re.split(r"([0-9]+)", name.casefold())
    ]


def _unreadable(path: Path, error: OSError) -> BadInput:
    if error.errno == errno.ENOENT:
        return BadInput(f"{path}: there is no such file")
    return BadInput(f"{path}: cannot be read: {error.strerror}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep OpenCV from printing what we say ourselves."""
    logging_of_opencv = cv2.utils.logging
    before = logging_of_opencv.setLogLevel(logging_of_opencv.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        logging_of_opencv.setLogLevel(before)
