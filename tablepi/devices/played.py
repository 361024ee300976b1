"""What a thread of its own plays slot by slot while the game goes on: the rhythms of the lamps, a sound of the buzzer.

One thread plays all of a device and wakes only when something changes, or is asked for: a Pi that has nothing to show
does nothing.
"""

from __future__ import annotations

import atexit
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from ..errors import Missing
from ..views.lamps import SLOT_S


def slot_at(seconds: float) -> int:
    """The slot that is played *seconds* after the beginning."""
    return int(seconds / SLOT_S + 1e-6)  # three slots of 0.1 s are 0.30000000000000004 s: not short of the fourth


class Played(ABC):
    """A device and the thread *name* that plays on it, from ``__enter__`` to ``__exit__``, which leaves it dark and
    silent. ``__enter__`` raises Missing when it cannot be had."""

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._closing = False
        self._bug: Exception | None = None
        self._player = threading.Thread(target=self._play_on, name=name, daemon=True)

    @abstractmethod
    def open(self) -> None:
        """Take what is played on. Raises Missing; what was opened is given back then."""

    @abstractmethod
    def play(self, now: float) -> float | None:
        """Bring the device to what is to be at *now*; seconds until the next change, None if there is none."""

    @abstractmethod
    def leave(self) -> None:
        """Dark and silent, and all given back; nothing where that is so."""

    def __enter__(self) -> Self:
        try:
            self.open()
        except Missing:
            self.close()
            raise
        atexit.register(self.close)
        self._player.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the thread, and ``leave``. A second call does nothing."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._player.is_alive():
            self._player.join()
        self.leave()
        atexit.unregister(self.close)

    @contextmanager
    def asked(self) -> Iterator[float]:
        """``with self.asked() as now:`` change what is to be played, while the thread waits; then ``wake`` it. Raises
        what went wrong in the thread, if it died."""
        with self._changed:
            if self._bug is not None:
                raise self._bug
            yield self._clock()

    def wake(self) -> None:
        """Have the thread look at what has changed, within ``asked``."""
        self._changed.notify()

    def _play_on(self) -> None:
        try:
            with self._changed:
                while not self._closing:
                    self._changed.wait(self.play(self._clock()))
        except Exception as bug:  # raised again by whoever asks next
            self._bug = bug
