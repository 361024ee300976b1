"""Readers with NXP's PN532 on a serial port (HSU), be it a UART of the Pi or a USB adapter.

The chip speaks only when it is spoken to: a command, its ACK, its answer; an ACK from the host ends what it is doing.
Each poll asks for the tags in the field and switches the field off again, so that no reader disturbs its neighbour, and
every tag, restarted, answers the next poll like the first. ``presence`` makes facts of what the polls list.

    closed --open--> woken --firmware, set-up--> polled --read--> facts
      ^                |                           |
      +-- DeviceLost --+------ no answer, twice ---+  the port fails, nobody answers, or something else does

Another program may have crashed and left the chip asleep, at another speed, or with settings of its own
(https://github.com/nfcpy/nfcpy/issues/230): every opening tries the speeds, and sets all that the polls depend on.

Chapters are those of UM0701-02, the chip's user manual.
"""

from __future__ import annotations

import logging
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from enum import Enum
from types import TracebackType
from typing import Protocol, Self

import serial

from ..views.screen import Action
from .presence import GONE_S, ROOM, Antenna
from .readers import Line, Port, reason_of
from .roles import Role
from .supervisor import DeviceLost

log = logging.getLogger(__name__)

SPEED = 115200
"""Baud rate after a reset, and the one that is kept: a card's number takes 3 ms, and a crash leaves nothing behind."""

OTHER_SPEEDS = (230400, 460800, 921600)
"""Where other programs may have left the chip."""

POLL_S = 0.04
"""Seconds between polls, in which the neighbours may have the air."""

ANSWER_S = 0.25
"""Seconds that a command may take. The chip acknowledges within 15 ms; a USB adapter may keep that for 16."""

_TRIES = 4
"""Attempts at the usual speed: on a Raspberry Pi up to 3 a USB adapter's first bytes may take a second, nfcpy found."""

_SETTLE_S = 0.01
"""Seconds that the chip gets to change its speed after our ACK (nfcpy gives it one millisecond)."""

_WRITE_S = 1.0
"""Seconds after which a port that takes no bytes is lost."""

_ACK = bytes.fromhex("0000ff00ff00")
_NACK = bytes.fromhex("0000ffff0000")
_WAKE = b"\x55\x55" + bytes(15)  # five rising edges wake it; the rest passes while its clock starts (7.2.11)
_PN532 = 0x32
_LONGEST = 265

# Commands; an answer's code is the command's plus one (7.1).
_FIRMWARE, _SET_SPEED, _PARAMETERS, _SAM, _RF, _LIST = 0x02, 0x10, 0x12, 0x14, 0x32, 0x4A
_SAM_NORMAL = bytes([0x01, 0x14, 0x01])  # its security module is not used; this also ends the mode of low battery
_AT_115200 = bytes([0x04])
_NO_ISO_14443_4 = bytes([0x00])  # nothing is asked of a bank card or a telephone but its UID
_FEW_RETRIES = bytes([0x05, 0xFF, 0x01, 0x02])  # three tries, then the answer is: none. After a reset it never ends
_FIELD_OFF = bytes([0x01, 0x00])
_TWO_AT_106_KBIT = bytes([ROOM, 0x00])  # ISO 14443 type A

_TRY = {
    "it was unplugged": "plug it in again",
    "nothing is plugged in there": "plug it in, or name another port (ls -l /dev/serial/by-id)",
    "another program has it open": "close that program",
}
_SILENCE = (
    "no PN532 answers: set the board's switches to HSU (UART), cross TX and RX, give it 5 V, unplug it and plug it in "
    "again. (Is it a reader that types its numbers as lines?)"
)
_ECHO = "what is sent comes back: TX and RX are joined, cross them"


# --- frames ---------------------------------------------------------------------------------------------------------


class Sign(Enum):
    """The frames that carry nothing, and what cannot be read."""

    ACK = "acknowledged"
    NACK = "not acknowledged"
    REFUSED = "the chip does not know the command"
    DAMAGED = "a checksum is wrong"


def frame(payload: bytes) -> bytes:
    """The information frame around *payload*, which is a command with its parameters, at most 255 bytes (6.2.1.1)."""
    size = len(payload)
    return b"\x00\x00\xff" + bytes([size, -size & 0xFF]) + payload + bytes([-sum(payload) & 0xFF, 0x00])


class Frames:
    """Cuts a stream of bytes into frames: the payload of each with its checksums right, else a ``Sign``.

    What lies between frames is passed over. After a wrong checksum the search goes on behind that start, since the
    length may have been the wrong part.
    """

    def __init__(self) -> None:
        self._begun = bytearray()

    def feed(self, received: bytes) -> tuple[bytes | Sign, ...]:
        """The frames that *received* completes."""
        self._begun += received
        found: list[bytes | Sign] = []
        while (start := self._begun.find(b"\x00\xff")) >= 0:
            del self._begun[:start]
            read, size = _cut(self._begun)
            if read is None:
                return tuple(found)
            found.append(read)
            del self._begun[:size]
        del self._begun[:-1]  # which may be the first half of a start code
        return tuple(found)


def _cut(begun: bytes | bytearray) -> tuple[bytes | Sign | None, int]:
    """The frame at whose start code *begun* begins, and its length; None while more bytes must come."""
    if len(begun) < 4:
        return None, 0
    size, head = begun[2], 4
    if begun[2:4] == b"\x00\xff":
        return Sign.ACK, head
    if begun[2:4] == b"\xff\x00":
        return Sign.NACK, head
    if begun[2:4] == b"\xff\xff":  # an extended frame: the length has two bytes (6.2.1.2)
        if len(begun) < 7:
            return None, 0
        size, head = begun[4] << 8 | begun[5], 7
        right = not sum(begun[4:7]) & 0xFF
    else:
        right = not sum(begun[2:4]) & 0xFF
    if not right or not 0 < size <= _LONGEST:
        return Sign.DAMAGED, 2
    if len(begun) <= head + size:
        return None, 0
    if sum(begun[head : head + size + 1]) & 0xFF:
        return Sign.DAMAGED, 2
    payload = bytes(begun[head : head + size])
    return Sign.REFUSED if payload == b"\x7f" else payload, head + size + 1


def targets(answer: bytes) -> tuple[str, ...]:
    """The UIDs, in upper-case hex, that the answer to InListPassiveTarget lists (7.3.5). Raises ValueError."""
    for with_ats in (False, True):  # some chips go on to ISO 14443-4 though they were told not to
        with suppress(IndexError, ValueError):
            return _targets(answer, with_ats=with_ats)
    raise ValueError(f"no list of targets: {answer.hex()}")


def _targets(answer: bytes, *, with_ats: bool) -> tuple[str, ...]:
    uids, place = [], 1
    for number in range(1, answer[0] + 1):
        uid = place + 5
        end = uid + answer[uid - 1]
        if answer[place] != number or answer[uid - 1] not in (4, 7, 10) or end > len(answer):
            raise ValueError
        uids.append(answer[uid:end].hex().upper())
        place = end + (answer[end] if with_ats and answer[place + 3] & 0x20 else 0)
    if place != len(answer):
        raise ValueError
    return tuple(uids)


# --- the reader -----------------------------------------------------------------------------------------------------


class SerialPort(Port, Protocol):
    """What is used of a ``serial.Serial``."""

    baudrate: int

    def write(self, data: bytes, /) -> int | None: ...
    def flush(self) -> None: ...


def open_port(port: str, baud: int) -> SerialPort:
    """The opened port; reads of it never wait. Raises OSError, ValueError or termios.error."""
    opened = serial.serial_for_url(port, baudrate=baud, timeout=0, exclusive=True)
    if isinstance(opened, serial.Serial):  # a port of this machine; those over the network know neither
        opened.write_timeout = _WRITE_S
        with suppress(ValueError, NotImplementedError):  # it is not one that keeps bytes back, as FT232 do for 16 ms
            opened.set_low_latency_mode(True)
    ready: SerialPort = opened
    return ready


class _NoAnswer(Exception):
    """Raised when a command is not answered in time, or not by an answer to it."""


class _Cancelled(Exception):
    """Raised out of whatever is waited for when ``cancel`` is called."""


class Pn532Reader:
    """One PN532 on a serial port, a ``supervisor.Device``.

    *role* is that of ``Antenna``. *field_off*: the field is on only during a poll. Readers whose antennas
    are closer than 10 cm share one lock as *air*, and poll in turns. *reset*, where RSTPDN is wired to a pin, pulses it
    and returns when the chip has had its time; it is called only when the chip does not answer, since several readers
    may hang on that pin. *open_port* is for a port of another kind.
    """

    def __init__(
        self,
        port: str,
        role: Role,
        *,
        poll_s: float = POLL_S,
        gone_s: float = GONE_S,
        field_off: bool = True,
        air: AbstractContextManager[object] | None = None,
        reset: Callable[[], None] | None = None,
        open_port: Callable[[str, int], SerialPort] = open_port,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = role.name
        self.roles = (role,)
        self.antenna = Antenna(role, gone_s=gone_s)
        self.chip = ""
        """What answered at the last opening, such as ``PN532 1.6``."""
        self._where = port
        self._poll_s = poll_s
        self._field_off = field_off
        self._air = air or nullcontext()
        self._reset = reset
        self._open_port = open_port
        self._clock = clock
        self._due = 0.0
        self._lock = threading.Lock()  # between opening, closing and cancel
        self._port: SerialPort | None = None
        self._line: Line | None = None
        self._cancelled = False

    def __enter__(self) -> Self:
        try:
            with self._translated():
                self._open()
                self._begin()
        except _Cancelled:
            pass  # and so will be the first read
        except BaseException:
            self._close()
            raise
        self._due = self._clock()
        self.antenna.reopened(self._due)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._close()

    def read(self) -> tuple[Action, ...]:
        """Wait until the next poll is due, poll, and return what follows, mostly nothing.

        Returns at once when ``cancel`` is or was called. Raises DeviceLost when the port fails or the chip does not
        answer any more.
        """
        assert self._line is not None, "read() belongs inside the with block"
        try:
            with self._translated():
                self._pause(self._due)
                listed = self._listed()
        except _Cancelled:
            return ()
        return self.antenna.polled(listed, self._clock())

    def cancel(self) -> None:
        """Wake ``read``, or an opening, from another thread."""
        with self._lock:
            if self._line is not None:
                self._cancelled = True
                self._line.wake()

    # --- the port

    def _open(self) -> None:
        try:
            port = self._open_port(self._where, SPEED)
        except ValueError as error:  # a URL that pyserial does not take
            raise OSError(str(error)) from error
        with self._lock:
            self._cancelled = False
            self._port, self._line = port, Line(port)

    def _close(self) -> None:
        with self._lock:
            line, self._line, self._port = self._line, None, None
        if line is not None:
            with suppress(OSError, termios.error):  # a port that is gone cannot be closed better
                line.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Every way in which a port fails, as DeviceLost, with what to try."""
        try:
            yield
        except DeviceLost:
            raise
        except (OSError, termios.error) as error:
            stuck = isinstance(error, serial.SerialTimeoutException)
            why = "it takes no more bytes: unplug it and plug it in again" if stuck else reason_of(error)
            raise self._lost(f"{why}: {_TRY[why]}" if why in _TRY else why) from error

    def _lost(self, why: str) -> DeviceLost:
        return DeviceLost(f"{self._where}: {why}")

    def _write(self, sent: bytes) -> None:
        assert self._port is not None
        self._port.write(sent)

    def _receive(self, until: float) -> bytes:
        """Bytes as soon as there are any; none at *until*."""
        assert self._line is not None
        received = self._line.receive(max(0.0, until - self._clock()))
        if self._cancelled:
            raise _Cancelled
        return received

    def _pause(self, until: float) -> None:
        """Let time pass, and what is received meanwhile: nothing was asked."""
        while self._clock() < until:
            self._receive(until)

    # --- the chip

    def _begin(self) -> None:
        """Find the chip and make it ready. Raises DeviceLost when none answers, or it is something else."""
        heard = self._find()
        if heard is not None and self._reset is not None:
            self._reset()
            heard = self._find()
        if heard is not None:
            raise self._lost(_who(heard))
        try:
            firmware = self._call(_FIRMWARE)
            if len(firmware) != 4 or firmware[0] != _PN532:
                raise self._lost(f"a chip of another kind answers (firmware {firmware.hex()}): a PN532 is wanted")
            self._set_up()
        except _NoAnswer as error:
            raise self._lost(_SILENCE) from error
        self.chip = f"PN532 {firmware[1]}.{firmware[2]}"
        log.info("%s: %s", self._where, self.chip)

    def _find(self) -> bytes | None:
        """Wake the chip and bring it to the usual speed. Returns None, or, where none answers, what was heard."""
        assert self._port is not None
        heard = bytearray()
        for speed in (*[SPEED] * _TRIES, *OTHER_SPEEDS):
            self._port.baudrate = speed
            try:
                self._wake(heard)
                if speed != SPEED:
                    log.warning("%s: another program has left it at %d baud", self._where, speed)
                    self._slow_down()
            except _NoAnswer:
                continue
            return None
        return bytes(heard)

    def _wake(self, heard: bytearray | None = None) -> None:
        self._write(_WAKE)
        self._call(_SAM, _SAM_NORMAL, heard=heard)

    def _slow_down(self) -> None:
        assert self._port is not None
        self._call(_SET_SPEED, _AT_115200)
        self._write(_ACK)  # the chip changes its speed after this (7.2.8)
        self._port.flush()
        self._pause(self._clock() + _SETTLE_S)
        self._port.baudrate = SPEED
        self._wake()

    def _set_up(self) -> None:
        self._call(_PARAMETERS, _NO_ISO_14443_4)
        self._call(_RF, _FEW_RETRIES)
        self._call(_RF, _FIELD_OFF)

    def _listed(self) -> tuple[str, ...]:
        """The UIDs of a poll; of a second one where the first is not answered, since the chip may have been reset, by
        the pin that it shares or by a dip of its supply. Raises DeviceLost."""
        try:
            return self._poll()
        except _NoAnswer as missed:
            log.info("%s: a poll is not answered (%s)", self._where, missed)
        try:
            self._wake()
            self._set_up()
            return self._poll()
        except _NoAnswer as error:
            raise self._lost("its PN532 does not answer any more: unplug it and plug it in again") from error

    def _poll(self) -> tuple[str, ...]:
        with self._air:
            self._write(_ACK)  # ends what may be left of an earlier one
            answer = self._call(_LIST, _TWO_AT_106_KBIT)
            if self._field_off:
                self._call(_RF, _FIELD_OFF)
        self._due = self._clock() + self._poll_s
        try:
            return targets(answer)
        except ValueError as error:
            raise _NoAnswer(str(error)) from error

    def _call(self, command: int, parameters: bytes = b"", *, heard: bytearray | None = None) -> bytes:
        """What the chip answers. Only an answer after the ACK of this command counts: one before it is a late one, to
        an earlier command. *heard* takes every byte that came. Raises _NoAnswer."""
        heard = bytearray() if heard is None else heard
        until = self._clock() + ANSWER_S
        while (late := self._receive(0.0)) and self._clock() < until:
            heard += late
        self._write(frame(bytes([0xD4, command]) + parameters))
        frames, acknowledged, repeats = Frames(), False, 2
        until = self._clock() + ANSWER_S
        while self._clock() < until:
            received = self._receive(until)
            heard += received
            for read in frames.feed(received):
                if read is Sign.ACK:
                    acknowledged = True
                elif read is Sign.REFUSED and acknowledged:
                    raise _NoAnswer(f"command {command:02X} is refused")
                elif read is Sign.DAMAGED and acknowledged and repeats:
                    repeats -= 1
                    self._write(_NACK)  # the chip says its answer again (6.2.1.4)
                elif isinstance(read, bytes) and acknowledged and read[:2] == bytes([0xD5, command + 1]):
                    return read[2:]
        raise _NoAnswer(f"command {command:02X} has no {'answer' if acknowledged else 'ACK'}")


def _who(heard: bytes) -> str:
    """Why nobody answered, from what was heard instead."""
    if not heard:
        return _SILENCE
    if any(isinstance(read, bytes) and read[:1] == b"\xd4" for read in Frames().feed(heard)):
        return _ECHO
    return f"something else than a PN532 answers ({heard[:24]!r}): is it a reader that types its numbers as lines?"
