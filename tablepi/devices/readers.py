"""Line readers: tag readers that type each tag's number on a serial line. Only the port is here; the rest is ``tags``.

A port is any path or URL of pyserial: ``/dev/serial/by-id/…``, ``socket://host:4000``, ``rfc2217://…``. It is opened
for this program alone: with two readers of one port each gets half of the bytes.
"""

from __future__ import annotations

import errno
import math
import selectors
import socket
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

import serial

from ..views.screen import Action
from .roles import Role
from .supervisor import DeviceLost
from .tags import GAP_S, TagDecoder

_BLIND_WAIT_S = 0.02
"""Longest wait at once where a port cannot be selected (rfc2217, loop): a stop is noticed that late, a byte at once."""

_WHY = {
    errno.ENOENT: "nothing is plugged in there",
    errno.EACCES: "not allowed: add this user to the group that owns it (dialout)",
    errno.EAGAIN: "another program has it open",
    errno.EBUSY: "another program has it open",
    errno.EIO: "it was unplugged",
    errno.ENXIO: "it was unplugged",
    errno.ENODEV: "it was unplugged",
    errno.ENOTTY: "this is not a serial port",
    errno.EISDIR: "this is a folder, not a serial port",
    errno.ECONNREFUSED: "nobody answers there",
}


class Port(Protocol):
    """What is used of a ``serial.Serial``."""

    timeout: float | None

    @property
    def in_waiting(self) -> int: ...
    def fileno(self) -> int: ...
    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


def open_port(port: str, baud: int) -> Port:
    """The opened port; reads of it never wait. Raises OSError, ValueError or termios.error."""
    opened: Port = serial.serial_for_url(port, baudrate=baud, timeout=0, exclusive=True)
    return opened


class LineReader:
    """One reader on a serial line, a ``supervisor.Device``. *open_port* is for a port of another kind, *baud* None for
    one that has none.

    *role* (of a multiplexer one for each antenna), *repeats*, *decimal* and *gap_s* are those of ``TagDecoder``.
    """

    def __init__(
        self,
        port: str,
        role: Role | Mapping[str, Role],
        *,
        baud: int | None = 9600,
        repeats: bool = False,
        decimal: bool = False,
        gap_s: float = GAP_S,
        open_port: Callable[[str, int], Port] = open_port,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        doubt = "" if baud is None else f"is its baud rate {baud}?"
        self.decoder = TagDecoder(role, repeats=repeats, decimal=decimal, gap_s=gap_s, doubt=doubt)
        self.name = self.decoder.name
        self.roles = tuple(self.decoder.roles.values())
        self._where = port
        self._baud = baud or 0
        self._open_port = open_port
        self._clock = clock
        self._lock = threading.Lock()  # between closing and cancel
        self._line: Line | None = None

    def __enter__(self) -> Self:
        with self._translated():
            try:
                port = self._open_port(self._where, self._baud)
            except ValueError as error:  # a URL or a baud rate that pyserial does not take
                raise OSError(str(error)) from error
        with self._lock:
            self._line = Line(port)
        self.decoder.reopened(self._clock())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            with suppress(OSError, termios.error):  # a port that is gone cannot be closed better
                line.close()

    def read(self) -> tuple[Action, ...]:
        """Wait for bytes, or for the silence that means that a tag has left; what this tells, maybe nothing.

        Returns at once when ``cancel`` is or was called. Raises DeviceLost when the port fails.
        """
        assert self._line is not None, "read() belongs inside the with block"
        wait_s = None if self.deadline is None else max(0.0, self.deadline - self._clock())
        with self._translated():
            received = self._line.receive(wait_s)
        return self.decoder.decode(received, self._clock())

    @property
    def deadline(self) -> float | None:
        """When ``read`` tells something though no byte comes, in its clock; None for never."""
        return self.decoder.deadline

    def cancel(self) -> None:
        """Wake ``read``, from another thread."""
        with self._lock:
            if self._line is not None:
                self._line.wake()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Every way in which a port fails, as DeviceLost. An unplugged one may also say it by termios.error, which is
        no OSError, or by the bare SerialException of a read that gave nothing."""
        try:
            yield
        except (OSError, termios.error) as error:
            raise DeviceLost(f"{self._where}: {reason_of(error)}") from error


def reason_of(error: Exception) -> str:
    """What a port that failed means to a person."""
    code = error.args[0] if isinstance(error, termios.error) else getattr(error, "errno", None)
    if code in _WHY:
        return _WHY[code]
    if isinstance(error, serial.SerialException) and "no data" in str(error):
        return _WHY[errno.EIO]
    return str(error)


@runtime_checkable
class Waiting(Protocol):
    """A port that does its waiting itself, by a time of its own, as one of a recording does."""

    def receive(self, wait_s: float | None, /) -> bytes: ...


class Line:
    """An open port together with what wakes a thread that waits for its bytes."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._woken, self._waker = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ)
        try:
            self._selector.register(port.fileno(), selectors.EVENT_READ)
            self._blind = False
        except OSError:  # io.UnsupportedOperation: the port is fed by a thread of pyserial
            self._blind = True
            port.timeout = _BLIND_WAIT_S  # once: each time it is set, rfc2217 talks it over with the other end

    def receive(self, wait_s: float | None) -> bytes:
        """Bytes as soon as there are any; none after *wait_s* seconds (None: without end) or when woken."""
        if isinstance(self._port, Waiting):
            return self._port.receive(wait_s)
        if self._blind:
            until = math.inf if wait_s is None else time.monotonic() + wait_s
            while not self._selector.select(0) and (self._port.in_waiting or time.monotonic() < until):
                if received := self._port.read(max(1, self._port.in_waiting)):
                    return received
            return b""
        if not self._selector.select(wait_s):
            return b""
        return self._port.read(max(1, self._port.in_waiting))  # its timeout is 0: nothing when only woken

    def wake(self) -> None:
        self._waker.send(b"!")  # never taken out: who was cancelled stays cancelled until it is opened again

    def close(self) -> None:
        self._selector.close()
        self._woken.close()
        self._waker.close()
        self._port.close()
