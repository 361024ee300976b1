"""The world's side of a line reader: a pseudo-terminal behind a stable link, as a USB reader behind ``by-id``.

The program opens the link like a real port and gets real bytes. Cards are laid and lifted, the plug is pulled and put
back, lines come in pieces, with noise before them, with another line end, again and again while a tag lies.
"""

from __future__ import annotations

import os
import select
import threading
import tty
from pathlib import Path
from types import TracebackType
from typing import Self

REPEAT_S = 0.1
"""Seconds between the lines of a reader that repeats."""

_PATIENCE_S = 2.0
"""Seconds that a write waits for a port that is full because nobody reads it, before the bytes fall on the floor."""


def plug_in(link: Path) -> tuple[int, int]:
    """A new port behind *link*: our end, and the program's, which is to be held open like a device node."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    os.set_blocking(ours, False)
    fresh = link.with_name(link.name + ".new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(os.ttyname(theirs))
    fresh.replace(link)
    return ours, theirs


def pull_out(link: Path, ends: tuple[int, int]) -> None:
    """The port behind *link* vanishes: who reads it gets an error."""
    link.unlink(missing_ok=True)
    for end in ends:
        os.close(end)


class VirtualReader:
    """A reader behind *link*, plugged in from ``__enter__`` to ``__exit__``.

    *ending* ends each line; with *repeats* every lying tag is said each ``REPEAT_S`` seconds; *piece* is how many bytes
    are written at a time (None: a whole line); *junk* comes before every line; *separator* stands between the bytes of
    a UID. *missed* counts bytes that nobody took.
    """

    def __init__(
        self,
        link: Path,
        *,
        ending: bytes = b"\r\n",
        repeats: bool = False,
        piece: int | None = None,
        junk: bytes = b"",
        separator: str = "",
    ) -> None:
        self.link = link
        self.missed = 0
        self._ending = ending
        self._repeats = repeats
        self._piece = piece
        self._junk = junk
        self._separator = separator
        self._lying: list[str] = []
        self._ends: tuple[int, int] | None = None  # our end and the program's, which is held open like a device node
        self._lock = threading.RLock()
        self._leaving = threading.Event()
        self._repeater = threading.Thread(target=self._repeat, name=f"virtual {link.name}", daemon=True)

    def __enter__(self) -> Self:
        self.replug()
        if self._repeats:
            self._repeater.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._leaving.set()
        if self._repeats:
            self._repeater.join()
        self.unplug()

    def lay(self, uid: str) -> None:
        """A tag is laid on the reader (again, if it lies there): the reader says it."""
        with self._lock:
            if uid not in self._lying:
                self._lying.append(uid)
            self._say(uid)

    def lift(self, uid: str) -> None:
        """A tag is taken away: a reader that repeats falls silent. Raises ValueError when it does not lie there."""
        with self._lock:
            self._lying.remove(uid)

    def say(self, line: bytes) -> None:
        """Send *line* as it is: noise, half a line, words."""
        with self._lock:
            self._write(line)

    def unplug(self) -> None:
        """The port vanishes: the link is gone, and who reads the port gets an error. Nothing if it is unplugged."""
        with self._lock:
            if self._ends is not None:
                pull_out(self.link, self._ends)
                self._ends = None

    def replug(self) -> None:
        """A new port behind the same link; what lies on the reader is said if it repeats. Nothing if plugged in."""
        with self._lock:
            if self._ends is None:
                self._ends = plug_in(self.link)

    def _repeat(self) -> None:
        while not self._leaving.wait(REPEAT_S):
            with self._lock:
                for uid in self._lying:
                    self._say(uid)

    def _say(self, uid: str) -> None:
        digits = self._separator.join(uid[i : i + 2] for i in range(0, len(uid), 2))
        self._write(self._junk + digits.encode() + self._ending)

    def _write(self, line: bytes) -> None:
        step = self._piece or len(line)
        for start in range(0, len(line), step):
            self._push(line[start : start + step])

    def _push(self, piece: bytes) -> None:
        """Write all of *piece*, waiting for room like a USB port, or drop it like a wire nobody listens to."""
        while piece and self._ends is not None:
            ours = self._ends[0]
            _, writable, _ = select.select([], [ours], [], _PATIENCE_S)
            if not writable:
                break
            try:
                piece = piece[os.write(ours, piece) :]
            except BlockingIOError:
                continue
        self.missed += len(piece)
