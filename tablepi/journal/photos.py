"""The photographs that prove plays: small JPEG files beside the record, the oldest thrown away first.

They lie in files and not in the database so that the record stays small (a few KB a hand): quick to check at each
start, quick to copy, and not set aside because a photograph's page went bad.
"""

from __future__ import annotations

import contextlib
from collections import deque
from pathlib import Path

from .errors import translated_os

_NUMBER = "[0-9]" * 10  # as a pattern: other files may lie in the folder, and are not ours to throw away


class Photos:
    """The photographs in *folder*: at most *most* of them and *most_bytes* together.

    A file is called ``<number>_<game>_<n>.jpg``; the number only ever grows, so age needs no clock.
    """

    def __init__(self, folder: Path, *, most: int, most_bytes: int) -> None:
        self._folder = folder
        self._most = most
        self._most_bytes = most_bytes
        self._kept: deque[tuple[Path, int]] | None = None
        self._bytes = 0

    def keep(self, game: str, n: int, jpeg: bytes) -> bool:
        """Keep the photograph of fact *n*; False when it alone is over the bound. Raises JournalFull, JournalBroken."""
        if len(jpeg) > self._most_bytes or self._most < 1:
            return False
        half_written = self._folder / "next.part"
        try:
            self._folder.mkdir(exist_ok=True)
            kept = self._listed()
            number = int(kept[-1][0].name.split("_")[0]) + 1 if kept else 1
            while kept and (len(kept) >= self._most or self._bytes + len(jpeg) > self._most_bytes):
                oldest, size = kept[0]
                oldest.unlink(missing_ok=True)
                kept.popleft()
                self._bytes -= size
            path = self._folder / f"{number:010d}_{game}_{n}.jpg"
            half_written.write_bytes(jpeg)
            half_written.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):  # half a photograph would only take the room that facts need
                half_written.unlink(missing_ok=True)
            raise translated_os(error, self._folder) from error
        kept.append((path, len(jpeg)))
        self._bytes += len(jpeg)
        return True

    def prepare(self) -> None:
        """Look through the folder now: thousands of files take half a second, which no card is to wait for. One that
        cannot be looked into is told by ``keep``."""
        with contextlib.suppress(OSError):
            self._listed()

    def files(self, game: str) -> dict[int, Path]:
        """The file of each fact of *game* that has a photograph, by its n, in that order; the latest where it has
        several."""
        found: dict[int, Path] = {}
        for path in sorted(self._folder.glob(f"{_NUMBER}_{game}_*.jpg")):
            n = path.stem.rpartition("_")[2]
            if n.isdecimal():
                found[int(n)] = path
        return dict(sorted(found.items()))

    def find(self, game: str, n: int) -> bytes | None:
        """The latest photograph of fact *n* that can be read, or None. Raises JournalBroken."""
        files = sorted(self._folder.glob(f"{_NUMBER}_{game}_{n}.jpg"), reverse=True)
        return next(filter(None, map(read_photo, files)), None)

    def _listed(self) -> deque[tuple[Path, int]]:
        if self._kept is None:
            self._kept = deque((path, path.stat().st_size) for path in sorted(self._folder.glob(f"{_NUMBER}_*_*.jpg")))
            self._bytes = sum(size for _, size in self._kept)
        return self._kept


def read_photo(path: Path) -> bytes | None:
    """The photograph in *path*. None when it was thrown away by the player's process just now, and for one that a power
    cut left empty or half written. Raises JournalBroken."""
    try:
        jpeg = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise translated_os(error, path) from error
    return jpeg if jpeg.startswith(b"\xff\xd8") and jpeg.endswith(b"\xff\xd9") else None
