"""One plain thread for each device that blocks: open, read, fill the inbox, and open again after a loss.

    closed --open--> open --facts, commands--> inbox
       ^              |
       +--back off----+  DeviceLost: Lost once, then Found when it opens again
                      +  anything else is a bug, or wrongly named: kept, and raised in the loop by ``check``

The threads are not seen outside: the loop gets facts, calls ``check`` after each, and leaves the ``with`` block to
stop.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from types import TracebackType
from typing import Protocol, Self

from ..errors import Missing, TablePiError
from ..facts import Found, Lost
from ..views.screen import Action

log = logging.getLogger(__name__)

BACKOFF_S = (0.2, 0.5, 1.0, 2.0)
"""Seconds between attempts to open a lost device; the last one is repeated."""

STOP_S = 3.0
"""Seconds that all threads together get to end."""

_FULL_INBOX_S = 0.1
"""Seconds after which a producer that waits at a full inbox looks whether it is to stop."""


class DeviceLost(Missing):
    """Error raised when a device is not there, does not answer any more, or is in another program's hands."""


class Device(Protocol):
    """A source of facts, or of commands, that blocks. ``with device:`` opens it; it may be opened again after it was
    left."""

    name: str

    def __enter__(self) -> object:
        """Open. Raises DeviceLost."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

    def read(self) -> Iterable[Action]:
        """Wait for the next facts, or commands (``views.screen.COMMANDS``); none when woken by ``cancel`` or by time.
        Raises DeviceLost."""

    def cancel(self) -> None:
        """Wake ``read`` at once; called from another thread, also when the device is not open."""


class Inbox(Protocol):
    """Where facts and commands go, such as ``queue.Queue(maxsize)``: a producer waits while it is full."""

    def put(self, item: Action, /, *, timeout: float) -> None:
        """Raises queue.Full when there is no room for *timeout* seconds."""


class Supervisor:
    """Runs *devices*, each in its thread, from ``__enter__`` to ``__exit__``."""

    def __init__(self, devices: Sequence[Device], inbox: Inbox, *, backoff_s: Sequence[float] = BACKOFF_S) -> None:
        self._stopping = threading.Event()
        self._watches = [_Watch(d, inbox, stopping=self._stopping, backoff_s=backoff_s) for d in devices]

    def __enter__(self) -> Self:
        for watch in self._watches:
            watch.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for name in self.stop():
            log.error("%s does not stop", name)
        if error is None:
            self.check()

    def check(self) -> None:
        """Raise the first bug that ended a device's thread. The fact Lost wakes the loop to call this."""
        for watch in self._watches:
            if watch.bug is not None:
                raise watch.bug

    def wait_tried(self, timeout_s: float) -> bool:
        """Wait until every device has been opened or found missing; False when that takes longer than *timeout_s*."""
        deadline = time.monotonic() + timeout_s
        return all(w.tried.wait(max(0.0, deadline - time.monotonic())) for w in self._watches)

    def stop(self, deadline_s: float = STOP_S) -> tuple[str, ...]:
        """Stop all, then join all within *deadline_s* together. Returns the names of devices that hang."""
        self._stopping.set()
        for watch in self._watches:
            watch.device.cancel()
        deadline = time.monotonic() + deadline_s
        for watch in self._watches:
            watch.thread.join(max(0.0, deadline - time.monotonic()))
        return tuple(w.device.name for w in self._watches if w.thread.is_alive())


def watched(device: Device, backoff_s: Sequence[float] = BACKOFF_S) -> Generator[Action | float | None, None, None]:
    """The life of *device*, step by step, for who performs it: its facts and commands, with its losses; seconds to wait
    where the next attempt to open it is due; None when it was opened, and after each ``read``. It has no end of its
    own: ``close`` it. Raises whatever the device raises but DeviceLost."""
    lost = False
    attempts = _pauses(backoff_s)
    while True:
        try:
            with device:
                if lost:
                    lost = False
                    yield Found(device=device.name)
                yield None
                while True:
                    yield from device.read()
                    attempts = _pauses(backoff_s)  # only what can be read is well again, not what can be opened
                    yield None
        except DeviceLost as error:
            if not lost:
                lost = True
                yield Lost(device=device.name, reason=str(error))
            yield next(attempts)


def _pauses(backoff_s: Sequence[float]) -> Iterator[float]:
    return itertools.chain(backoff_s, itertools.repeat(backoff_s[-1]))


class _Watch:
    """One device, its thread, and how that thread fared."""

    def __init__(self, device: Device, inbox: Inbox, *, stopping: threading.Event, backoff_s: Sequence[float]) -> None:
        self.device = device
        self.bug: Exception | None = None
        self.tried = threading.Event()
        # A daemon, so that a driver that hangs in the kernel cannot keep the program from ending.
        self.thread = threading.Thread(target=self._run, name=device.name, daemon=True)
        self._inbox = inbox
        self._stopping = stopping
        self._backoff_s = backoff_s

    def _run(self) -> None:
        try:
            self._watch()
        except Exception as bug:
            self.bug = bug  # before the fact: who sees the fact must find the bug
            reason = str(bug) if isinstance(bug, TablePiError) else f"fault in tablepi: {bug!r}"
            self._put(Lost(device=self.device.name, reason=reason))
        finally:
            self.tried.set()

    def _watch(self) -> None:
        with closing(watched(self.device, self._backoff_s)) as life:
            while not self._stopping.is_set():
                happened = next(life)
                if happened is not None and not isinstance(happened, float):
                    self._put(happened)
                else:
                    self.tried.set()
                    if happened is not None:
                        self._stopping.wait(happened)

    def _put(self, told: Action) -> None:
        while not self._stopping.is_set():
            try:
                self._inbox.put(told, timeout=_FULL_INBOX_S)
            except queue.Full:
                continue
            return
