"""Makes commits durable behind the loop's back.

In WAL mode with ``synchronous=NORMAL`` a commit appends frames to ``games.sqlite-wal`` and returns: a process that
dies then loses nothing, for the frames are in the kernel's hands. They survive a power cut once the WAL file itself
has been synced; the database file plays no part until a checkpoint, and SQLite syncs the WAL before one. So one
fdatasync of the WAL, after the commit, makes it and every commit before it durable: what the frames' chained checksums
then accept after a cut is always a beginning of the record, never one with a hole.

``synchronous=FULL`` would do the same inline and stall the loop (640 ms were measured on a busy disk). ``OFF`` would
also leave out the two syncs that order a checkpoint and a restarted WAL, without which a cut may damage the file.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

_STOP_S = 10.0


def sync_to_disk(path: Path) -> None:
    """Return when the file or folder *path* is on the disk. Raises OSError.

    It opens the file anew: Linux syncs what any descriptor wrote. Never call it on the database file itself while it is
    open, for closing any descriptor of that file drops the locks that SQLite holds on it; on the WAL it holds none.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        getattr(os, "fdatasync", os.fsync)(handle)  # macOS has no fdatasync
    finally:
        os.close(handle)


class Syncer:
    """One thread that calls *sync* soon after each ``committed()``.

    It lingers *linger_s* seconds first, so that a burst of commits costs one sync (memory cards wear), unless someone
    waits. After a sync that was waited for, *tidy* runs: at the end of a hand nobody is in a hurry.
    """

    def __init__(self, sync: Callable[[], None], *, tidy: Callable[[], None], linger_s: float) -> None:
        self._sync = sync
        self._tidy = tidy
        self._linger_s = linger_s
        self._changed = threading.Condition()
        self._committed = 0
        self._synced = 0
        self._awaited = 0
        self._stopping = False
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._run, name="journal-sync", daemon=True)

    @property
    def error(self) -> OSError | None:
        """The first sync that failed. It stays: the kernel may drop what it could not write and report success next."""
        return self._error

    def start(self) -> None:
        self._thread.start()

    def committed(self) -> None:
        """Say that something was committed that is to reach the disk."""
        with self._changed:
            self._committed += 1
            self._changed.notify_all()

    def wait(self, timeout: float) -> bool:
        """Wait until all that was committed before this call is on the disk; False when *timeout* seconds passed or a
        sync failed (``error`` says which)."""
        with self._changed:
            wanted = self._committed
            self._awaited = max(self._awaited, wanted)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._synced >= wanted or self._error is not None, timeout)
            return self._synced >= wanted

    def stop(self, timeout: float = _STOP_S) -> bool:
        """Sync what is left and end the thread; False when that did not happen within *timeout* seconds."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join(timeout)
        return not self._thread.is_alive() and self._error is None

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._synced < self._committed or self._stopping)
                if self._synced == self._committed:
                    return
                self._changed.wait_for(lambda: self._stopping or self._synced < self._awaited, self._linger_s)
                reached = self._committed
            try:
                self._sync()
            except OSError as error:
                with self._changed:
                    self._error = error
                    self._changed.notify_all()
                return
            with self._changed:
                waited_for = self._synced < self._awaited
                self._synced = reached
                self._changed.notify_all()
            if waited_for:
                self._tidy()
