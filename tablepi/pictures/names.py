"""From a name that a person gave to open files: which pictures and videos it means, and what each of them is.

Nothing is opened that is no file: to open a pipe would wait for who writes into it. What a file is, its first bytes
say; its name counts only where a folder is looked through.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO

from ..errors import BadInput, shown
from .headers import HEAD, PICTURES, VIDEOS, kind_of

_PICTURE_ENDINGS = (
    ".jpg .jpeg .jpe .png .apng .gif .webp .bmp .dib .tif .tiff .ppm .pgm .pbm .pnm .heic .heif .avif .jp2"
)
_VIDEO_ENDINGS = ".mp4 .m4v .mov .3gp .avi .mkv .webm .mpg .mpeg .mts .m2ts .flv .wmv .ogv .mjpeg .mjpg .y4m"
_PICTURE_NAMES, _VIDEO_NAMES = frozenset(_PICTURE_ENDINGS.split()), frozenset(_VIDEO_ENDINGS.split())
_NOTHING = os.stat_result((0,) * 10)
_READ_HERE = "JPEG, PNG, WebP, GIF, TIFF, BMP or PNM pictures, and videos"


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


# --- folders ----------------------------------------------------------------------------------------------------------


def files(path: str | PurePath, leave_out: str | PurePath | None = None) -> Iterator[str | Unreadable | PassedOver]:
    """The file of that name, or the pictures and videos within the folder of that name, but for those within the folder
    *leave_out*."""
    name = str(path)
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
        inner = waiting.pop()
        told = _status_if_any(inner)
        if stat.S_ISDIR(told.st_mode):
            if _identity(told) in entered:
                continue
            entered.add(_identity(told))
            try:
                inside = _inside(inner)
            except OSError as error:
                failed += 1
                yield _not_opened(str(inner), error)
                continue
            seen = [each for each in inside if not _hidden(each)]
            others += len(inside) - len(seen)
            waiting += reversed(seen)
        elif _is_one(inner, told, _PICTURE_NAMES | _VIDEO_NAMES):
            given += 1
            yield str(inner)
        else:
            others += 1
    if not given and not failed:
        but = f" ({others} other {'file' if others == 1 else 'files'})" if others else ""
        yield Unreadable(name, f"no picture or video in this folder{but}")
    elif others:
        yield PassedOver(name, others)


def pictures_in(folder: str | PurePath) -> list[str]:
    """The files of *folder*, not of folders within it, that are pictures or are named so, in the order of their names,
    numbers in them by their value. Raises Unreadable, also when there are none."""
    name = str(folder)
    try:
        inside = [each for each in _inside(Path(name)) if not _hidden(each)]
    except OSError as error:
        raise _not_opened(name, error) from None
    found = [str(each) for each in inside if _is_one(each, _status_if_any(each), _PICTURE_NAMES)]
    if not found:
        raise Unreadable(name, "no picture in this folder")
    return found


def _status(name: str) -> os.stat_result:
    if not name:  # to Path it is the folder we are in
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return Path(name).stat()


def _status_if_any(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError:  # a link that leads nowhere: its name may still promise a picture
        return _NOTHING


def _identity(told: os.stat_result) -> tuple[int, int]:
    return told.st_dev, told.st_ino


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir(), key=lambda each: (_natural(each.name), each.name))


def _natural(name: str) -> list[str | int]:
    """Orders ``2.png`` before ``10.png``."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]+)", name.casefold()))]


def _hidden(path: Path) -> bool:
    return path.name.startswith(".")


def _is_one(path: Path, told: os.stat_result, names: frozenset[str]) -> bool:
    """Whether a file's name promises one of *names*, or it is a picture all the same, or a video if those are."""
    if stat.S_ISDIR(told.st_mode):
        return False
    if path.suffix.lower() in names:
        return True
    if not stat.S_ISREG(told.st_mode):
        return False
    try:
        with path.open("rb", buffering=0) as file:
            kind = kind_of(file.read(HEAD))
    except OSError:
        return False
    return kind is not None and (kind not in VIDEOS or names >= _VIDEO_NAMES)


# --- files ------------------------------------------------------------------------------------------------------------


@contextmanager
def opened(path: str | PurePath) -> Iterator[tuple[BinaryIO, str]]:
    """The open file of that name and its kind, one of ``PICTURES`` or ``VIDEOS``. Raises Unreadable for anything else,
    and in place of an OSError as long as it is open."""
    name = str(path)
    try:
        if not stat.S_ISREG(_status(name).st_mode):
            raise Unreadable(name, "is not a file: name a picture, a video or a folder")
        with Path(name).open("rb") as file:
            yield file, _kind(name, file.read(HEAD))
    except OSError as error:
        raise _not_opened(name, error) from None


def _kind(name: str, head: bytes) -> str:
    kind = kind_of(head)
    if kind == "jpeg" and name.lower().endswith((".mjpeg", ".mjpg")):
        return "video"
    if kind in PICTURES or kind in VIDEOS:
        return kind
    if not head:
        raise Unreadable(name, "is empty")
    if kind is not None:
        raise Unreadable(name, f"is in {kind}, which is not read here: save it as JPEG")
    raise Unreadable(name, f"is no picture and no video: what can be read are {_READ_HERE}")


def _not_opened(file: str, error: OSError) -> Unreadable:
    if isinstance(error, FileNotFoundError):
        return Unreadable(file, "there is no such file")
    return Unreadable(file, f"cannot be read: {error.strerror}")
