"""From what a person names (pictures, folders, videos) to frames, each in the shape that the reader takes.

Whatever a file holds, it costs at most one clear error for that file; the others go on. What is decided here:

* A picture whose end is missing is an error. Decoders fill the missing part with grey and say nothing to us, and a card
  that lay there would be reported as not there. This includes a JPEG that lacks only its end marker: nothing tells how
  much went with it. Damage in the middle is an error where the kind has checksums (PNG); in a JPEG it cannot be told
  from harmless disorder, and is shown as any viewer shows it.
* An animated GIF, PNG or WebP is its first frame: such a file is a picture that moves a little, and to hold all its
  frames could take any amount of memory. What should be watched is given as a video.
* A picture of more than ``MOST_PIXELS_KEPT`` is decoded smaller by 2, 4 or 8. Boxes are scaled back to the file's own
  pixels (``Picture.box``), and ``width`` and ``height`` are the file's own.
* A picture is turned as EXIF says, in every kind that can carry it and with every version of OpenCV.
* Transparency is ignored, 16 bits become 8 (the upper ones), grey becomes three equal channels.
* HEIC, AVIF and JPEG 2000 are refused by name: not every OpenCV can read them, and answers must not depend on that.
* In a folder, what neither is nor calls itself a picture or a video is passed over and counted, as is what is hidden
  (its name begins with a dot). A name such as ``x.jpg`` is a promise: when the file cannot be read, that is an error.
* Folders are entered, each once, so that links that lead in a circle end. A file named twice is given twice.
* A video that says it is longer than what can be read gives the frames up to there, then one error.

Decoders print complaints of their own. They are kept off standard error while OpenCV decodes, and only then; a thread
that happens to write there in those milliseconds is not heard.
"""

from __future__ import annotations

import errno
import math
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from .headers import HEAD, PICTURES, VIDEOS, Damaged, Header, Length, kind_of, picture_header, video_length

Frame = NDArray[np.uint8]
Box = tuple[int, int, int, int]

MOST_PIXELS_KEPT = 25_000_000
"""Of a frame that is given. Twice what a phone's camera takes; 75 MB."""

MOST_PIXELS_DECODED = 120_000_000
"""Of a picture that must be held at full size before it can be made smaller, or of a video's frame. OpenCV takes up to
6 bytes a pixel meanwhile: 700 MB."""

MOST_PIXELS = 1 << 30
"""Of a picture that can be decoded smaller from the start: OpenCV's own bound."""

SLACK = 0.5
"""Seconds that a video may end sooner than it says: its sound often lasts a little longer than its pictures."""

_PICTURE_NAMES = ".jpg .jpeg .jpe .png .apng .gif .webp .bmp .dib .tif .tiff .ppm .pgm .pbm .pnm .heic .heif .avif .jp2"
_VIDEO_NAMES = ".mp4 .m4v .mov .3gp .avi .mkv .webm .mpg .mpeg .mts .m2ts .flv .wmv .ogv .mjpeg .mjpg .y4m"
_PROMISES = frozenset(f"{_PICTURE_NAMES} {_VIDEO_NAMES}".split())
_NOTHING = os.stat_result((0,) * 10)
_TURNS = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}
_READ_HERE = "JPEG, PNG, WebP, GIF, TIFF, BMP or PNM pictures, and videos"


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture, or one frame of a video. ``width`` and ``height`` are the file's own, upright; ``frame`` is (h, w, 3)
    BGR and smaller than that when the file is huge. ``number`` (from 0) and ``time`` (seconds) are a video's."""

    file: str
    frame: Frame = field(repr=False)
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


class Unreadable(BadInput):
    """Error raised when a file, a video's tail or a folder cannot be read. ``file`` as it was named, ``why`` in
    words."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{shown(file)}: {why}")
        self.file = file
        self.why = why


@dataclass(frozen=True, slots=True)
class PassedOver:
    """How many files of a folder are neither pictures nor videos."""

    folder: str
    count: int


def shown(name: str) -> str:
    """A file's name on one line of text: what cannot be printed is written as Python writes it."""
    if not name:
        return "''"
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in name)


def pictures(
    paths: Iterable[str | PurePath], *, frames: int = 1, seconds: float = 0.0, leave_out: str | PurePath | None = None
) -> Iterator[Picture | Unreadable | PassedOver]:
    """Every picture and frame of *paths*, in their order and by name within a folder; one frame is held at a time.

    Of a video, every *frames*-th frame, or one each *seconds*. The folder *leave_out* is not entered when another
    folder leads to it. What cannot be read comes as an Unreadable in its place; none is raised.
    """
    for path in paths:
        for found in _files(str(path), leave_out):
            if isinstance(found, str):
                yield from _of_file(found, frames, seconds)
            else:
                yield found


def picture(path: str | PurePath) -> Picture:
    """The one picture of a file, or the first frame of a video. Raises Unreadable."""
    for found in _of_file(str(path), 1, 0.0):
        if isinstance(found, Unreadable):
            raise found
        return found
    raise AssertionError(path)


# --- files -----------------------------------------------------------------------------------------------------------


def _files(name: str, leave_out: str | PurePath | None) -> Iterator[str | Unreadable | PassedOver]:
    """The file of that *name*, or those within the folder of that name."""
    try:
        told = _status(name)
    except OSError as error:
        yield _not_opened(name, error)
        return
    if not stat.S_ISDIR(told.st_mode):
        yield name
        return
    entered = set()
    if leave_out is not None and Path(leave_out).is_dir():
        entered = {_identity(Path(leave_out).stat())} - {_identity(told)}
    given = others = failed = 0
    waiting = [Path(name)]  # the next one last
    while waiting:
        path = waiting.pop()
        try:
            told = path.stat()
        except OSError:  # a link that leads nowhere: its name may still promise a picture
            told = _NOTHING
        if stat.S_ISDIR(told.st_mode):
            if _identity(told) in entered:
                continue
            entered.add(_identity(told))
            try:
                inside = sorted(path.iterdir(), reverse=True)
            except OSError as error:
                failed += 1
                yield _not_opened(str(path), error)
                continue
            seen = [each for each in inside if not each.name.startswith(".")]
            others += len(inside) - len(seen)
            waiting += seen
        elif _promises(path) or (stat.S_ISREG(told.st_mode) and _is_one(path)):
            given += 1
            yield str(path)
        else:
            others += 1
    if not given and not failed:
        but = f" ({others} other {'file' if others == 1 else 'files'})" if others else ""
        yield Unreadable(name, f"no picture or video in this folder{but}")
    elif others:
        yield PassedOver(name, others)


def _status(name: str) -> os.stat_result:
    if not name:  # to Path it is the folder we are in
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return Path(name).stat()


def _identity(told: os.stat_result) -> tuple[int, int]:
    return told.st_dev, told.st_ino


def _promises(path: Path) -> bool:
    return path.suffix.lower() in _PROMISES


def _is_one(path: Path) -> bool:
    try:
        with path.open("rb", buffering=0) as file:
            return kind_of(file.read(HEAD)) is not None
    except OSError:
        return False


def _not_opened(file: str, error: OSError) -> Unreadable:
    if isinstance(error, FileNotFoundError):
        return Unreadable(file, "there is no such file")
    return Unreadable(file, f"cannot be read: {error.strerror}")


def _of_file(path: str, frames: int, seconds: float) -> Iterator[Picture | Unreadable]:
    try:
        if not stat.S_ISREG(_status(path).st_mode):  # to open a pipe would wait for who writes into it
            raise Unreadable(path, "is not a file: name a picture, a video or a folder")
        with Path(path).open("rb") as file:
            head = file.read(HEAD)
            kind = kind_of(head)
            if kind == "jpeg" and path.lower().endswith((".mjpeg", ".mjpg")):
                kind = "video"
            if kind in VIDEOS:
                yield from _of_video(path, file, kind, frames, seconds)
            elif kind in PICTURES:
                yield _of_picture(path, file, kind)
            elif not head:
                raise Unreadable(path, "is empty")
            elif kind is not None:
                raise Unreadable(path, f"is in {kind}, which is not read here: save it as JPEG")
            else:
                raise Unreadable(path, f"is no picture and no video: what can be read are {_READ_HERE}")
    except Unreadable as error:
        yield error
    except OSError as error:
        yield _not_opened(path, error)


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


def _name_of(file: BinaryIO) -> str:
    """A name of an open file that OpenCV cannot misunderstand: in the person's own, ``:`` and ``%`` mean something to
    it, and not every name is text."""
    file.seek(0)
    return f"/dev/fd/{file.fileno()}"


# --- pictures --------------------------------------------------------------------------------------------------------


def _of_picture(path: str, file: BinaryIO, kind: str) -> Picture:
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
    frame = _decoded(path, file, kind, header)
    turned = kind in ("jpeg", "png", "webp")
    if turned:
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


def _decoded(path: str, file: BinaryIO, kind: str, header: Header) -> Frame:
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


def _kept(frame: Frame) -> Frame:
    """*frame*, made smaller when it is more than is kept."""
    factor = _factor(frame.shape[0] * frame.shape[1])
    if factor == 1:
        return frame
    size = max(1, frame.shape[1] // factor), max(1, frame.shape[0] // factor)
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def _upright(frame: Frame, orientation: int) -> Frame:
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
    capture = _capture(file)
    try:
        return capture.read()[1]
    finally:
        capture.release()


# --- videos ----------------------------------------------------------------------------------------------------------


def _capture(file: BinaryIO) -> Any:
    # Its decoders complain from threads of their own at any time, so they are told to be quiet for good. A person who
    # looks for a fault sets the variable.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    capture = cv2.VideoCapture(_name_of(file), cv2.CAP_FFMPEG)
    capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
    return capture


def _of_video(path: str, file: BinaryIO, kind: str, frames: int, seconds: float) -> Iterator[Picture | Unreadable]:
    length = video_length(file, kind)
    capture: Any = None
    number, time, due = -1, 0.0, 0.0
    try:
        with _quiet():
            capture = _capture(file)
            opened = capture.isOpened()
        per_second, most = _number(capture, cv2.CAP_PROP_FPS), MOST_PIXELS_DECODED
        pixels = int(_number(capture, cv2.CAP_PROP_FRAME_WIDTH) * _number(capture, cv2.CAP_PROP_FRAME_HEIGHT))
        if opened and pixels > most:
            raise _too_large(path, pixels, most)
        between = 1 / per_second if 0 < per_second <= 1000 else 0.04
        while opened:
            with _quiet():
                if not capture.grab():
                    break
            number, time = number + 1, _time(capture, number + 1, time, between)
            if number % frames or time < due - between / 2:
                continue
            if seconds:
                due = (math.floor((time + between / 2) / seconds) + 1) * seconds
            with _quiet():
                got, frame = capture.retrieve()
            if not got or frame is None or frame.size == 0:
                break
            height, width = frame.shape[:2]
            yield Picture(path, _kept(np.asarray(frame, np.uint8)), width, height, number, round(time, 3))
        complaint = _complaint(capture, number + 1, time + between, length)
    except cv2.error:
        complaint = f"is damaged: {_after(number + 1)}"
    finally:
        if capture is not None:
            capture.release()
    if complaint is not None:
        raise Unreadable(path, complaint)


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
