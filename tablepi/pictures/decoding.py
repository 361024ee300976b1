"""From an open file to frames: a picture's one, or a video's one after the other."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from .headers import Damaged, Header, Length, picture_header, video_length
from .names import Unreadable

Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]

MOST_PIXELS_KEPT = 25_000_000
"""Of a frame that is given. Twice what a phone's camera takes; 75 MB."""

MOST_PIXELS_DECODED = 120_000_000
"""Of a picture that must be held at full size before it can be made smaller, or of a video's frame. OpenCV takes up to
6 bytes a pixel meanwhile: 700 MB."""

MOST_PIXELS = 1 << 30
"""Of a picture that can be decoded smaller from the start: OpenCV's own bound."""

MOST_BYTES = 1 << 30
"""Of a picture's file: more than so many pixels take in any kind, even uncompressed."""

RATE = 25.0
"""Frames a second of a video that does not say a sensible number."""

SLACK = 0.5
"""Seconds that a video may end sooner than it says: its sound often lasts a little longer than its pictures."""

_TURNS = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture, or one frame of a video. ``width`` and ``height`` are the file's own, upright; ``frame`` is (h, w, 3)
    BGR and smaller than that when the file is huge. ``number`` (from 0) and ``time`` (seconds) are a video's."""

    file: str
    frame: Image = field(repr=False)
    width: int
    height: int
    number: int | None = None
    time: float | None = None

    def box(self, box: Sequence[float]) -> Box:
        """A box in pixels of ``frame``, in pixels of the file: whole numbers, nothing of it lost, within the file."""
        height, width = self.frame.shape[:2]
        x, y = self.width / width, self.height / height
        return (
            min(max(math.floor(box[0] * x), 0), self.width),
            min(max(math.floor(box[1] * y), 0), self.height),
            min(max(math.ceil(box[2] * x), 0), self.width),
            min(max(math.ceil(box[3] * y), 0), self.height),
        )


def _name_of(file: BinaryIO) -> str:
    """A name of an open file that OpenCV cannot misunderstand: in the person's own, ``:`` and ``%`` mean something to
    it, and not every name is text."""
    file.seek(0)
    return f"/dev/fd/{file.fileno()}"


# --- pictures --------------------------------------------------------------------------------------------------------


def decoded(path: str, file: BinaryIO, kind: str) -> Picture:
    """The picture in an open *file* of *kind* (one of ``PICTURES``). Raises Unreadable; OSError when the file cannot be
    read."""
    size = os.fstat(file.fileno()).st_size
    if size > MOST_BYTES:  # to look for its end would take hours
        raise Unreadable(path, f"is too large: {size / 1e9:.1f} GB, and no picture that can be read has more than 1")
    try:
        header = picture_header(file, kind)
    except Damaged:
        raise Unreadable(path, "is damaged: its header makes no sense or is cut off") from None
    if not header.whole:
        raise Unreadable(path, "is cut off: the end of the picture is missing; copy it again")
    pixels = header.width * header.height
    most = MOST_PIXELS if header.in_rows else MOST_PIXELS_DECODED
    if pixels > most:
        raise _too_large(path, pixels, most)
    frame = _pixels(path, file, kind, header)
    if kind in ("jpeg", "png", "webp"):
        frame = _upright(frame, header.orientation)
    if kind != "jpeg":  # decoded at full size: what came out is what the file is
        height, width = frame.shape[:2]
        return Picture(path, _kept(frame), width, height)
    sideways = header.orientation >= 5
    width, height = (header.height, header.width) if sideways else (header.width, header.height)
    return Picture(path, frame, width, height)


def _too_large(path: str, pixels: int, most: int) -> Unreadable:
    return Unreadable(
        path, f"is too large: {pixels / 1e6:.0f} megapixels, and {most / 1e6:.0f} can be read: make it smaller"
    )


def _pixels(path: str, file: BinaryIO, kind: str, header: Header) -> Image:
    flags = {
        1: cv2.IMREAD_COLOR,
        2: cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_COLOR_8,
    }[_factor(header.width * header.height) if kind == "jpeg" else 1]
    frame: Any
    try:
        with _quiet():
            if kind == "gif":  # not every OpenCV reads it as a picture; all read it as a video
                frame = _first_frame(file)
            elif kind == "tiff":  # it turns itself, which OpenCV manages in memory only
                file.seek(0)
                frame = cv2.imdecode(np.fromfile(file, np.uint8), cv2.IMREAD_COLOR)
            else:
                frame = cv2.imread(_name_of(file), flags | cv2.IMREAD_IGNORE_ORIENTATION)
    except (cv2.error, MemoryError):
        frame = None
    if frame is None or frame.size == 0:
        raise Unreadable(path, "is damaged, or of a kind that cannot be decoded: save it anew as JPEG or PNG")
    return np.ascontiguousarray(frame, np.uint8)


def _factor(pixels: int) -> int:
    return next((factor for factor in (1, 2, 4) if pixels <= MOST_PIXELS_KEPT * factor**2), 8)


def _kept(frame: Image) -> Image:
    """*frame*, made smaller when it is more than is kept."""
    factor = _factor(frame.shape[0] * frame.shape[1])
    if factor == 1:
        return frame
    size = max(1, frame.shape[1] // factor), max(1, frame.shape[0] // factor)
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def _upright(frame: Image, orientation: int) -> Image:
    """*frame* turned as EXIF's *orientation* (1..8) asks."""
    turned: Any = frame
    if orientation in (2, 4):
        turned = cv2.flip(frame, 1 if orientation == 2 else 0)
    elif orientation in (5, 7):
        turned = cv2.transpose(frame) if orientation == 5 else cv2.flip(cv2.transpose(frame), -1)
    elif orientation in _TURNS:
        turned = cv2.rotate(frame, _TURNS[orientation])
    return np.asarray(turned, np.uint8)


def _first_frame(file: BinaryIO) -> Any:
    with _capture(file) as capture:
        return capture.read()[1]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what decoders print off standard error."""
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


# --- videos ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Video:
    """An open video; *rate* frames a second, ``RATE`` where it does not say how many."""

    file: str
    rate: float
    _capture: Any = field(repr=False)
    _length: Length = field(repr=False)

    def frames(self, every: int = 1, seconds: float = 0.0) -> Iterator[Picture]:
        """Every *every*-th frame from here on, or one each *seconds*. Raises Unreadable behind the last frame that can
        be read when there should be more, or when there is none."""
        capture, between = self._capture, 1 / self.rate
        number, time, due = -1, 0.0, 0.0
        try:
            while capture.grab():
                number, time = number + 1, _time(capture, number + 1, time, between)
                if number % every or time < due - between / 2:
                    continue
                if seconds:
                    due = (math.floor((time + between / 2) / seconds) + 1) * seconds
                got, frame = capture.retrieve()
                if not got or frame is None or frame.size == 0:
                    break
                height, width = frame.shape[:2]
                yield Picture(self.file, _kept(np.asarray(frame, np.uint8)), width, height, number, round(time, 3))
            complaint = _complaint(capture, number + 1, time + between, self._length)
        except cv2.error:
            complaint = f"is damaged: {_after(number + 1)}"
        if complaint is not None:
            raise Unreadable(self.file, complaint)


@contextmanager
def opened_video(path: str, file: BinaryIO, kind: str) -> Iterator[Video]:
    """The video in an open *file* of *kind* (one of ``VIDEOS``), also when it has no frame. Raises Unreadable; OSError
    when the file cannot be read."""
    length = video_length(file, kind)
    with _capture(file) as capture:
        pixels = int(_number(capture, cv2.CAP_PROP_FRAME_WIDTH) * _number(capture, cv2.CAP_PROP_FRAME_HEIGHT))
        if pixels > MOST_PIXELS_DECODED:
            raise _too_large(path, pixels, MOST_PIXELS_DECODED)
        rate = _number(capture, cv2.CAP_PROP_FPS)
        yield Video(path, rate if 0 < rate <= 1000 else RATE, capture, length)


@contextmanager
def _capture(file: BinaryIO) -> Iterator[Any]:
    # Decoders of videos complain from threads of their own at any time, so they are told to be quiet for good. A person
    # who looks for a fault sets the variables.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if "OPENCV_LOG_LEVEL" not in os.environ:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    capture = cv2.VideoCapture(_name_of(file), cv2.CAP_FFMPEG)
    try:
        capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
        yield capture
    finally:
        capture.release()


def _number(capture: Any, name: int) -> float:
    """What a video says of itself; 0 where that makes no sense."""
    told = float(capture.get(name))
    return told if math.isfinite(told) and 0 < told < 1e12 else 0.0


def _time(capture: Any, number: int, before: float, between: float) -> float:
    """When the frame that was just taken is shown, in seconds; counted where the video does not say."""
    told = _number(capture, cv2.CAP_PROP_POS_MSEC) / 1000
    if number == 0:
        return told
    return told if told > before else before + between


def _complaint(capture: Any, frames: int, lasted: float, length: Length) -> str | None:
    """What is wrong with a video that gave *frames* and *lasted* so many seconds. It must fall short in both: a video
    that was trimmed still counts the frames that are not shown, and the sound may last longer than the pictures."""
    if length.missing:
        return f"is cut off: its last {length.missing} bytes are missing; {_after(frames)}"
    if not frames:
        return "holds no frame that can be read: it is damaged, cut off or has no picture"
    count, per_second = _number(capture, cv2.CAP_PROP_FRAME_COUNT), _number(capture, cv2.CAP_PROP_FPS)
    promised = length.seconds or (count / per_second if per_second else 0.0)
    if frames < count and lasted < promised - SLACK:
        return f"is damaged or cut off: {_after(frames)}, {lasted:.1f} of {promised:.1f} s"
    return None


def _after(frames: int) -> str:
    if not frames:
        return "no frame could be read"
    return f"{frames} {'frame' if frames == 1 else 'frames'} could be read"
