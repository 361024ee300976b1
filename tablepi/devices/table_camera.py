"""A camera that watches the table: frames from a source, through an eye, to facts; one device for the supervisor.

Several may watch one table, each with an eye and a thread of its own. A card that two see is told twice, under two
names, and the table takes the second word for the repeat that it is (``sight``). That one has left is told once, when
none of them sees it any more (``witnesses``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self

from ..facts import Fact, Found, Lost
from ..frames import Frame
from .camera import EndOfFilm, Source
from .supervisor import DeviceLost
from .witnesses import Witnesses

BLIND_S = 5.0
"""Seconds without seeing the table after which it is said: a hand may lie over a marker."""

OVER = "the film is over"

EYES_SOURCE = "camera"
"""What an eye calls the source of its facts: it does not know which camera it is."""


class Eye(Protocol):
    """What sees facts in frames. *found* says that it knows where the table is, *trouble* why it does not."""

    @property
    def found(self) -> bool: ...
    @property
    def trouble(self) -> str: ...
    def look(self, frame: Frame) -> list[Fact]: ...
    def photo(self, fact: Fact) -> bytes | None: ...


class TableCamera:
    """*source* seen by *eye*, a ``supervisor.Device``; facts come from *name*, which begins with "camera". It is told
    lost, too, while the eye does not find the table. All cameras of a table have the same *witnesses*."""

    def __init__(self, name: str, source: Source, eye: Eye, witnesses: Witnesses | None = None) -> None:
        self.name = name
        self._witnesses = witnesses or Witnesses()
        self._source = source
        self._eye = eye
        self._blind_since: float | None = None
        self._blind = False
        self._over = False  # a film is seen once

    def __enter__(self) -> Self:
        if self._over:
            raise DeviceLost(self._end())
        self._source.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._source.__exit__(kind, error, traceback)

    def read(self) -> Iterator[Fact]:
        """Wait for the next frame; what it adds. Raises DeviceLost, after what the table is told because of that."""
        try:
            frame = self._source.grab()
        except EndOfFilm:
            self._over = True
            yield from self._witnesses.lose(self.name)
            raise DeviceLost(self._end()) from None
        except DeviceLost:
            yield from self._witnesses.lose(self.name)
            raise
        if frame is None:
            return
        seen = (replace(fact, source=self.name) for fact in self._eye.look(frame))
        yield from self._witnesses.tell(self.name, seen)
        if self._eye.found:
            self._blind_since = None
            if self._blind:
                self._blind = False
                yield Found(device=self.name)
        elif self._blind_since is None:
            self._blind_since = frame.at
        elif not self._blind and frame.at - self._blind_since >= BLIND_S:
            self._blind = True
            yield from self._witnesses.lose(self.name)
            yield Lost(device=self.name, reason=self._eye.trouble)

    def photo(self, fact: Fact) -> bytes | None:
        """The photograph (JPEG) of what *fact*, which came from ``read``, tells; once. From any thread."""
        return self._eye.photo(replace(fact, source=EYES_SOURCE))

    @property
    def dropped(self) -> int:
        """How many frames came while nobody looked."""
        return self._source.dropped

    def cancel(self) -> None:
        """Wake ``read`` at once; from another thread."""
        self._source.cancel()

    def _end(self) -> str:
        return f"{self._source.name}: {OVER}"
