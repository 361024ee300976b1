"""What happened at a table, kept so that it can happen again: a bug report becomes a test.

    port, camera --Recorder--> reader, eye, loop        what they gave is written down as they give it
    recording ----Replayer---> reader, eye, loop        and given once more, in the same order, by the recording's clock

The seam is the outermost there is: the bytes of a port, the frames of a camera, what a person pressed. All that is ours
(decoders, the eye, the supervisor's losses, the loop, the desk) runs again as it is today. A device that has neither
port nor camera is recorded by what it told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Self


class Live:
    """What a table asks of a ``Recorder``, where nothing is recorded."""

    plays_again = False
    gapless = False
    trouble: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def table(self, config: object, cards: object, commands: object, *, gapless: bool) -> None: ...

    def resumed(self, facts: Iterable[object]) -> None: ...

    def left(self, facts: int | None) -> None: ...

    def port(self, name: str, open_port: Callable[[str, int], Any]) -> Callable[[str, int], Any]:
        return open_port

    def source(self, name: str, made: Callable[[], Any]) -> Any:
        return made()

    def clock(self, name: str) -> Callable[[], float]:
        return time.monotonic

    def has(self, name: str, kind: str) -> bool:
        return True

    def device(self, device: Any, kind: str) -> Any:
        return device

    def put_by(self, put: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return put

    def display(self, display: Any, typed: object) -> Any:
        return display
