"""Gives a table once more what a recording says that it got, by the recording's clock.

Theory of operation
===================

There are no threads here, and no time but the recording's, so that a replay is the same each time. Every device has a
stream of events and a clock of its own, which its events move on: reading a port takes the next bytes of the stream and
their time, waiting for a silence that means something moves the clock through it. Devices do not know of each other, so
each can be performed up to any moment (``supervisor.watched``); what they tell waits, with its time, until all others
have got as far. An eye, and a reader of passed cards, knows what the game knows, so a camera or such a reader is
performed only when the table is where it was.

The loop asks for the next fact and says how long it would wait: the replay's inbox moves the loop's clock instead of
waiting. With a *speed* it waits as well, for people to look on.

    stream --bytes, frames--> reader, eye --facts, each with its time--> inbox (the earliest of all) --> loop
    what people put and pressed ---------------------------------------> inbox, display ---------------> loop

What a driver writes decides what a chip answers. A driver of today that writes something else than the one that was
recorded goes on at the next write that is the same, and ``differs`` says so; so does one that goes on where the other
gave up, whose device ends there.
"""

from __future__ import annotations

import heapq
import io
import itertools
import math
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing
from types import TracebackType
from typing import Any, Self

import serial

from ..devices.camera import EndOfFilm
from ..devices.supervisor import DeviceLost, watched
from ..errors import BadInput
from ..frames import Frame
from ..table import Table
from ..views.desk import Setup
from .tape import Event, Recording, Said, Typed

SLACK_S = 1.0
"""Seconds by which a driver may come to its decisions later than it did: its clock is moved by what was received."""


def key_of(pressed: object) -> str | None:
    """The name of a recorded key, for the loop."""
    return pressed.key if isinstance(pressed, Typed) else None


class _Over(Exception):
    """Raised out of a device whose stream has no more events."""


class _Stream:
    """The events of one device, and its clock."""

    def __init__(self, name: str, events: list[Event], recording: Recording) -> None:
        self.name = name
        self.at = 0.0
        self.recording = recording
        self.differs: str | None = None
        self.answers = False
        """Whether the device speaks only when it is spoken to: what it says next is the answer to what was written,
        however late the thread that waited for it came to read it."""
        self._events = events
        self._place = 0

    def clock(self) -> float:
        return self.at

    @property
    def next(self) -> Event | None:
        return self._events[self._place] if self._place < len(self._events) else None

    @property
    def next_at(self) -> float:
        return self.next.at if self.next is not None else math.inf

    def take(self) -> Event:
        """The next event, at its time. Raises _Over."""
        event = self.next
        if event is None:
            raise _Over
        self._place += 1
        self.at = max(self.at, event.at)
        return event

    def find(self, *kinds: str, told: object = None, within: str | None = None) -> Event | None:
        """Go to the next event of these *kinds*, which says what is *told*, before one of the kind *within*."""
        for place in range(self._place, len(self._events)):
            event = self._events[place]
            if event.kind in kinds and told in (None, event.told):
                self._place = place
                return event
            if event.kind == within:
                break
        return None

    def rest_until(self, until: float) -> None:
        """Let time pass; the recording's end ends it. Raises _Over."""
        self.at = max(self.at, min(until, self.recording.end))
        if self.at >= self.recording.end:
            raise _Over

    def note(self, what: str) -> None:
        self.differs = self.differs or f"{self.name} at {self.at:.1f} s: {what}"

    def opened(self) -> None:
        """Open, or fail to, as then. Raises OSError or _Over."""
        while self.take().kind not in ("opened", "failed"):
            pass
        if (event := self._events[self._place - 1]).kind == "failed":
            raise failure(event)


def failure(event: Event) -> OSError:
    """The error that *event* tells of."""
    why, _, code, stuck = event.told
    error: OSError = serial.SerialTimeoutException(why) if stuck else serial.SerialException(why)
    error.errno = code
    return error


class _Port:
    """A port that gives what a recorded one gave, and waits by the recording's clock (``readers.Waiting``): neither
    longer nor shorter than it is told, since a silence says something at its very end. What was received together comes
    together."""

    timeout: float | None = 0.0
    baudrate = 0

    def __init__(self, stream: _Stream) -> None:
        self._stream = stream
        self._late: deque[bytes] = deque()  # what came before a write, and was not waited for

    def fileno(self) -> int:
        raise io.UnsupportedOperation("a recording has no descriptor")

    def receive(self, wait_s: float | None, /) -> bytes:
        """The next bytes, or none after *wait_s* seconds. Raises as the recorded port did, or _Over."""
        if self._late:
            return self._late.popleft()
        until = math.inf if wait_s is None else self._stream.at + wait_s
        event = self._stream.next
        late = SLACK_S if self._stream.answers else 0.0
        if event is not None and event.at <= until + late and event.kind == "read":
            received: bytes = self._stream.take().told
            return received
        if event is not None and event.at <= until + late and event.kind == "failed" and event.told[1] == "read":
            raise failure(self._stream.take())
        if event is not None and event.kind == "closed" and until > event.at + SLACK_S:
            self._stream.rest_until(event.at + SLACK_S)
            self._stream.note("then it was given up here, now it is not")
            raise _Over
        self._stream.rest_until(until)
        return b""

    def write(self, sent: bytes, /) -> int:
        begun = self._stream.next
        while (event := self._stream.next) is not None and event.kind == "read":
            self._late.append(self._stream.take().told)
        if event is None or event.told != sent or event.kind != "wrote":
            if self._stream.find("wrote", told=sent, within="closed") is None:
                if event is not None and event.kind == "wrote":
                    self._stream.note(f"then {event.told.hex()} was written, now {sent.hex()} is")
                raise _Over
            self._stream.note(f"now {sent.hex()} is written later, or less is (line {begun.line if begun else 0})")
            self._late.clear()
        self._stream.take()
        event = self._stream.next
        if event is not None and event.kind == "failed" and event.told[1] == "write":
            raise failure(self._stream.take())
        return len(sent)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        if self._stream.find("closed") is not None:
            self._stream.take()


class _Played:
    """What was opened and closed, and is again when *stream* says so."""

    def __init__(self, stream: _Stream) -> None:
        self.name = stream.name
        self._stream = stream

    def __enter__(self) -> Self:
        try:
            self._stream.opened()
        except OSError as error:
            raise DeviceLost(str(error)) from None
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream.find("closed") is not None:
            self._stream.take()

    def cancel(self) -> None:
        pass


class _Source(_Played):
    """A camera that gives the frames of a recorded one."""

    dropped = 0

    def grab(self) -> Frame:
        """The next frame. What it tells comes when the eye had looked at it then: when it asked for the one after."""
        import cv2
        import numpy as np

        event = self._stream.take()
        if event.kind == "failed":
            raise DeviceLost(event.told[0])
        if event.kind == "over":
            raise EndOfFilm(self.name)
        if event.kind != "frame":
            raise _Over
        after = self._stream.next
        if after is not None and after.asked is not None:
            self._stream.at = max(self._stream.at, after.asked)
        at, place = event.told
        jpeg = np.frombuffer(self._stream.recording.picture(place), np.uint8)
        try:
            image = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
        except cv2.error:  # of no bytes at all
            image = None
        if image is None:
            self._stream.note(f"the picture in line {event.line} cannot be read")
            raise _Over
        return Frame(np.asarray(image, np.uint8), at)


class _Device(_Played):
    """A device that tells what a recorded one told."""

    def read(self) -> Iterable[Said]:
        event = self._stream.take()
        if event.kind == "failed":
            raise DeviceLost(event.told[0])
        if event.kind != "told":
            raise _Over
        return (event.told,)


class _Performed:
    """A device and how far it has been performed."""

    def __init__(self, device: Any, stream: _Stream, *, ahead: bool) -> None:
        self.stream = stream
        self.life: Generator[Any, None, None] = watched(device)
        self._device = device
        stream.answers = not hasattr(device, "deadline")
        self.ahead = ahead  # whether it may be performed before the loop has got there
        self._over = False

    @property
    def at(self) -> float:
        """Until when all that it tells is known."""
        if self._over:
            return math.inf
        if self.ahead:
            return self.stream.at
        silent = getattr(self._device, "deadline", None)
        return max(self.stream.at, self.stream.next_at if silent is None else min(self.stream.next_at, silent))

    def step(self) -> Said | None:
        try:
            told = next(self.life)
        except _Over:
            self._over = True
            return None
        return told if told is not None and not isinstance(told, float) else None


def _setup(recording: Recording) -> Setup:
    """What the start screen offered. Raises BadInput."""
    try:
        told = recording.head["setup"]
        options = tuple((str(key), value) for key, value in told["options"])
        return Setup(tuple(map(str, told["players"])), str(told["chosen"]), options, str(told["of"]))
    except (KeyError, TypeError, ValueError):
        why = "setup is to say what the start screen offered: players, chosen, options, of"
        raise BadInput(f"{recording.path}:1: is damaged: {why}") from None


class Replayer(queue.Queue[Any]):
    """Plays *recording*: the loop's inbox, its clock, and what stands in for its devices. *speed*: how fast, against
    the clock on the wall; None: as fast as it goes. ``over`` when all of it has been played."""

    plays_again = True

    def __init__(
        self,
        recording: Recording,
        *,
        speed: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        super().__init__()
        self.recording = recording
        self.gapless = bool(recording.table.get("gapless"))
        self.over = False
        self.now = 0.0
        self.setup = _setup(recording)
        self._speed = speed
        self._clock = clock
        self._began: float | None = None
        self._stopped = threading.Event()
        self._wait = wait or self._stopped.wait
        self._streams: dict[str, _Stream] = {}
        self._performed: list[_Performed] = []
        self._numbers = itertools.count()
        self._known: list[tuple[float, int, bool, Any]] = []  # a heap: when, its number, whether pressed, what
        for at, pressed, said in recording.said:
            heapq.heappush(self._known, (at, next(self._numbers), pressed, said))
        self._presses: list[Said | Typed] = []
        self._stack = ExitStack()

    key_of = staticmethod(key_of)

    @property
    def differs(self) -> tuple[str, ...]:
        """Where a driver of today did something else than the one that was recorded."""
        return tuple(stream.differs for stream in self._streams.values() if stream.differs)

    # --- in place of what was recorded (see ``Recorder``)

    def table(self, config: object, cards: object, commands: object, *, gapless: bool) -> None:
        pass

    def resumed(self, facts: object) -> None:
        pass

    def port(self, name: str, open_port: object) -> Callable[[str, int], Any]:
        stream = self._stream(name)

        def opened(where: str, baud: int) -> Any:
            stream.opened()
            return _Port(stream)

        return opened

    def clock(self, name: str) -> Callable[[], float]:
        return self._stream(name).clock

    def source(self, name: str, made: object) -> Any:
        return _Source(self._stream(name))

    def has(self, name: str, kind: str) -> bool:
        """Whether the device *name* was recorded as this *kind*."""
        return self.recording.kinds.get(name) == kind

    def device(self, device: Any, kind: str) -> Any:
        return device

    def facts_only(self) -> list[Any]:
        """The devices of which only what they told is known."""
        return [_Device(self._stream(name)) for name, kind in self.recording.kinds.items() if kind == "facts"]

    def put_by(self, put: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda _: None  # it is in the recording

    def display(self, display: Any, typed: object) -> Any:
        return _Glass(display, self)

    def supervised(self, devices: Iterable[Any]) -> Self:
        """What performs *devices*, for a ``with``."""
        for device in devices:
            passes = any(role.means == "pass" for role in getattr(device, "roles", ()))
            ahead = self.recording.kinds.get(device.name) != "source" and not passes
            performed = _Performed(device, self._stream(device.name), ahead=ahead)
            self._stack.enter_context(closing(performed.life))
            self._performed.append(performed)
        return self

    def _stream(self, name: str) -> _Stream:
        if name not in self._streams:
            self._streams[name] = _Stream(name, self.recording.streams.get(name, []), self.recording)
        return self._streams[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stack.close()

    def check(self) -> None:
        """Nothing runs beside the loop."""

    def is_over(self, table: Table) -> bool:
        """Whether all was played. What came in the moment in which the table was left, it may not have taken in."""
        facts = self.recording.facts
        return self.over or (facts is not None and table.n >= facts and self.now >= self.recording.end - SLACK_S)

    # --- the loop's inbox

    def mono(self) -> float:
        """The time of the recording."""
        return self.now

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Whoever stops the loop knocks here."""
        self._stopped.set()

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """The next fact, if it comes within *timeout* of the recording's seconds. Raises queue.Empty, at once where a
        person has pressed something."""
        until = self.now if not block else math.inf if timeout is None else self.now + timeout
        if self._presses or self._stopped.is_set():
            raise queue.Empty
        known = self._next(until)
        if known is None:
            self._go_on(min(until, self.recording.end))
            self.over = self.now >= self.recording.end and self._next(math.inf) is None
            raise queue.Empty
        self._go_on(known[0])
        if self._stopped.is_set():
            raise queue.Empty
        _, _, pressed, said = heapq.heappop(self._known)
        if pressed:
            self._presses.append(said)
            raise queue.Empty
        return said

    def presses(self) -> list[Said | Typed]:
        """What was pressed since this was asked last."""
        pressed, self._presses = self._presses, []
        return pressed

    def _next(self, until: float) -> tuple[float, int, bool, Any] | None:
        """What comes next of all, if that is by *until*."""
        while True:
            behind = min(self._performed, key=lambda each: each.at, default=None)
            known = self._known[0] if self._known else None
            if behind is None or behind.at == math.inf or (known is not None and known[0] <= behind.at):
                return known if known is not None and known[0] <= until else None
            if behind.at > until:
                return None
            if not behind.ahead:  # it knows what the game knows by then
                self._go_on(behind.at)
            self._step(behind)

    def _step(self, behind: _Performed) -> None:
        told = behind.step()
        if told is not None:
            heapq.heappush(self._known, (behind.stream.at, next(self._numbers), False, told))

    def _go_on(self, at: float) -> None:
        if self._speed is not None:
            if self._began is None:
                self._began = self._clock()
            self._wait(max(0.0, self._began + at / self._speed - self._clock()))
        self.now = max(self.now, at)


class _Glass:
    """A display at which the recorded people press; whoever looks on can only close it."""

    def __init__(self, display: Any, replayer: Replayer) -> None:
        self._display, self._replayer = display, replayer

    def draw(self, screen: Any) -> bool:
        return bool(self._display.draw(screen)) if self._display is not None else True

    def presses(self) -> Iterable[object]:
        yield from self._replayer.presses()
        if self._display is not None:
            yield from (pressed for pressed in self._display.presses() if type(pressed).__name__ == "Closed")

    def picture(self, path: Any) -> None:
        self._display.picture(path)
