"""The photographs that prove plays: small JPEG files beside the record, the oldest thrown away first.

They lie in files and not in the database so that the record stays small (a few KB a hand): quick to check at each
start, quick to copy, and not set aside because a photograph's page went bad.

They are worth less than the facts: the last of a disk's room is left to the record, and a record that meets a full disk
all the same takes room from the oldest of them. Whatever else lies in the folder is not ours: it is neither read, nor
counted, nor thrown away.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections import deque
from pathlib import Path
from typing import NamedTuple

from ..files import put
from .errors import translated_os

LARGEST = 4_000_000
"""Bytes of the largest photograph: the crop of a card has some 40 000. A larger file is none of ours."""

LEFT_FREE = 32_000_000
"""Bytes of the disk that no photograph takes: the record of some thousand hands, and its write-ahead log."""

_NAME = r"([0-9]{10,18})_([0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]+)_([1-9][0-9]{0,17})\.jpg"
_OURS = re.compile(_NAME, re.ASCII)
_HALF_OURS = re.compile(rf"\.{_NAME}\.[0-9]+\.part", re.ASCII)


class _Kept(NamedTuple):
    number: int
    game: str
    n: int
    path: Path
    size: int


class Photos:
    """The photographs in *folder*: at most *most* of them and *most_bytes* together, and none that would leave less
    than *left_free* bytes of the disk.

    A file is called ``<number>_<game>_<n>.jpg``; the number only ever grows, so age needs no clock.
    """

    def __init__(self, folder: Path, *, most: int, most_bytes: int, left_free: int = LEFT_FREE) -> None:
        self._folder = folder
        self._most = most
        self._most_bytes = most_bytes
        self._left_free = left_free
        self._kept: deque[_Kept] | None = None
        self._bytes = 0

    def keep(self, game: str, n: int, jpeg: bytes) -> bool:
        """Keep the photograph of fact *n*; False when it alone is over the bound. Raises JournalFull, JournalBroken."""
        if len(jpeg) > min(self._most_bytes, LARGEST) or self._most < 1:
            return False
        try:
            self._folder.mkdir(exist_ok=True)
            kept = self._listed()
            disk = os.statvfs(self._folder)
            if disk.f_bavail * disk.f_frsize < self._left_free + len(jpeg):
                raise OSError(errno.ENOSPC, "the last room on the disk is left to the record")
            while kept and (len(kept) >= self._most or self._bytes + len(jpeg) > self._most_bytes):
                self._throw_oldest(kept)
            number = kept[-1].number + 1 if kept else 1
            path = self._folder / f"{number:010d}_{game}_{n}.jpg"
            put(path, jpeg, synced=False)  # half a photograph would only take the room that facts need
        except OSError as error:
            raise translated_os(error, self._folder) from error
        kept.append(_Kept(number, game, n, path, len(jpeg)))
        self._bytes += len(jpeg)
        return True

    def give_way(self, room: int) -> bool:
        """Throw away the oldest, *room* bytes of them or a little more, for the record beside them; False when there is
        nothing to be gained."""
        try:
            if self._folder.stat().st_dev != self._folder.parent.stat().st_dev:
                return False
            kept = self._listed()
            had = self._bytes
            while kept and had - self._bytes < room:
                self._throw_oldest(kept)
        except OSError:
            return False
        return self._bytes < had

    def prepare(self) -> None:
        """Look through the folder now: thousands of files take half a second, which no card is to wait for. One that
        cannot be looked into is told by ``keep``."""
        with contextlib.suppress(OSError):
            self._listed()
            for path in self._folder.iterdir():
                if _HALF_OURS.fullmatch(path.name):  # a killed process left it
                    path.unlink()

    def files(self, game: str) -> dict[int, Path]:
        """The file of each fact of *game* that has a photograph, by its n, in that order; the latest where it has
        several."""
        found = {kept.n: kept.path for kept in self._on_disk() if kept.game == game}
        return dict(sorted(found.items()))

    def find(self, game: str, n: int) -> bytes | None:
        """The latest photograph of fact *n* that can be read, or None. Raises JournalBroken."""
        files = [kept.path for kept in self._on_disk() if (kept.game, kept.n) == (game, n)]
        return next(filter(None, map(read_photo, reversed(files))), None)

    def _listed(self) -> deque[_Kept]:
        if self._kept is None:
            self._kept = deque(_ours(self._folder))
            self._bytes = sum(kept.size for kept in self._kept)
        return self._kept

    def _on_disk(self) -> list[_Kept]:
        try:
            return _ours(self._folder)
        except OSError:  # there is no such folder, or none that can be looked into
            return []

    def _throw_oldest(self, kept: deque[_Kept]) -> None:
        oldest = kept[0]
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISREG(oldest.path.lstat().st_mode):  # else something else has taken its name
                oldest.path.unlink()
        kept.popleft()
        self._bytes -= oldest.size


def read_photo(path: Path) -> bytes | None:
    """The photograph in *path*. None when it was thrown away by the player's process just now, for one that a power cut
    left empty or half written, and for what is no photograph of ours. Raises JournalBroken."""
    try:
        # Something may have taken its name since it was listed: a pipe is not waited for, no link is followed.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            status = os.fstat(opened)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                return None
            with open(opened, "rb", closefd=False) as file:
                jpeg = file.read(LARGEST)
        finally:
            os.close(opened)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise translated_os(error, path) from error
    return jpeg if jpeg.startswith(b"\xff\xd8") and jpeg.endswith(b"\xff\xd9") else None


def _ours(folder: Path) -> list[_Kept]:
    """The photographs in *folder*, the oldest first. Raises OSError."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            told = _OURS.fullmatch(entry.name)
            if told is None:
                continue
            with contextlib.suppress(FileNotFoundError):  # the player's process throws some away meanwhile
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST:
                    found.append(_Kept(int(told[1]), told[2], int(told[3]), Path(entry.path), status.st_size))
    return sorted(found)
