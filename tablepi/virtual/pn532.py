"""The world's side of a PN532 reader: the chip as its user manual (NXP UM0701-02) tells, and the plug that it hangs on.

``Chip`` hears bytes and says bytes, with the time handed in. ``VirtualPn532`` puts it behind a pseudo-terminal: the
program opens the link like a real port, cards are laid and lifted, the plug is pulled and put back. The chip sleeps
until it is woken, loses its settings with its supply, keeps the speed that a crashed program has left, and answers late
or not at all. Frames are cut here by another way than in the driver, so that one can judge the other.
"""

from __future__ import annotations

import os
import re
import select
import termios
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import xor
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from .readers import plug_in, pull_out

ACK = bytes.fromhex("0000ff00ff00")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")

RF_S = 0.005
"""Seconds that one look for a card takes: an estimate."""

SPEEDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
"""By their numbers in SetSerialBaudRate (7.2.8)."""

Moment = Literal["heard", "acknowledged", "answered"]

_TERMIOS_SPEED = {getattr(termios, f"B{speed}"): speed for speed in SPEEDS[:-1]}
_EDGES = 5  # rising edges that wake it (7.2.11)
_DEAF_BYTES = 5  # that pass while its clock starts
_FOR_EVER = 0xFF

_HEAD = re.compile(
    rb"\x00\xff(?:(?P<ack>\x00\xff)|(?P<nack>\xff\x00)|\xff\xff(?P<long>..)(?P<long_check>.)|"
    rb"(?!\xff\xff)(?P<short>.)(?P<short_check>.))",
    re.DOTALL,
)
# Read and written by nfcpy: it turns the chip's own check of a card's answer off, and looks for what was sent last.
_RX_MODE, _FIFO = 0x6303, 0x6339


def answer(code: int, said: bytes = b"") -> bytes:
    """The frame of an answer, whose code is the command's plus one; an extended one where it is long (6.2.1)."""
    payload = bytes([0xD5, code + 1]) + said
    size = len(payload)
    if size <= 255:
        head = bytes([size, 256 - size & 0xFF])
    else:
        high, low = divmod(size, 256)
        head = b"\xff\xff" + bytes([high, low, -(high + low) % 256])
    return b"\x00\x00\xff" + head + payload + bytes([-sum(payload) % 256, 0])


@dataclass
class _Card:
    uid: bytes
    phone: bool = False

    @property
    def target(self) -> bytes:
        """SENS_RES, SEL_RES and UID as InListPassiveTarget gives them (7.3.5): MIFARE Classic, NTAG, or ISO 14443-4."""
        sens = {4: b"\x00\x04", 7: b"\x00\x44", 10: b"\x00\x84"}[len(self.uid)]
        sak = 0x20 if self.phone else 0x08 if len(self.uid) == 4 else 0x00
        return sens + bytes([sak, len(self.uid)]) + self.uid

    @property
    def bits(self) -> list[int]:
        """The UID as it goes over the air. Where two cards differ, the one with a 1 is found first."""
        said = self.uid if len(self.uid) == 4 else b"\x88" + self.uid
        return [byte >> i & 1 for byte in said for i in range(8)]

    def answer_to(self, asked: bytes) -> bytes | None:
        """What an NTAG213 says to READ and to GET_VERSION; None to anything else."""
        if asked == b"\x60":
            return bytes.fromhex("0004040201000f03")
        if asked[:1] != b"\x30" or len(self.uid) != 7:
            return None
        checks = [reduce(xor, part) for part in (b"\x88" + self.uid[:3], self.uid[3:])]
        pages = self.uid[:3] + bytes(checks[:1]) + self.uid[3:] + bytes([checks[1], 0x48, 0, 0])
        pages += bytes.fromhex("e1101200 0300fe00") + bytes(200)
        return pages[asked[1] * 4 :][:16]


@dataclass
class _Doing:
    code: int
    said: bytes
    due: float | None  # None: until a card comes


class Chip:
    """A PN532 with firmware 1.6, after its supply came on.

    These say how it fares, and may be changed at any time: *deaf*, it says nothing at all; *late_s*, how much longer it
    takes to answer; *too_late*, what it was doing when it is told to stop it answers all the same, at once; *damaged*,
    how many of the next answers have a wrong checksum; *junk*, the bytes that come before each answer; *firmware*, what
    it says that it is; *neighbours*, chips so close that it reads no card while the field of one of them is on.
    *commands* are those that it has acknowledged, oldest first.
    """

    def __init__(self) -> None:
        self.deaf = False
        self.late_s = 0.0
        self.too_late = False
        self.damaged = 0
        self.junk = b""
        self.firmware = bytes.fromhex("32010607")
        self.neighbours: tuple[Chip, ...] = ()
        self.commands: list[bytes] = []
        self._cards: dict[str, _Card] = {}
        self._phones = 0
        self.power_up()

    def power_up(self) -> None:
        """The supply comes on, or the reset pin is let go: it sleeps, and has forgotten what it was told."""
        self.speed = 115200
        self.asleep = True
        self.field = False
        self._edges = self._deaf_bytes = 0
        self._begun = b""
        self._doing: _Doing | None = None
        self._last = b""
        self.next_speed: int | None = None
        self._retries = _FOR_EVER
        self._goes_on = True  # to ISO 14443-4 with a card that can (SetParameters)
        self._registers = {_RX_MODE: 0x80, _FIFO: 0x26}

    # --- cards

    def lay(self, uid: str, *, phone: bool = False) -> None:
        """A card comes into reach; a *phone*, which is asked for ISO 14443-4, and shows another UID at each field."""
        self._cards[uid] = _Card(bytes.fromhex(uid), phone)

    def lift(self, uid: str) -> None:
        """Raises KeyError when it does not lie there."""
        del self._cards[uid]

    def _field_off(self) -> None:
        self.field = False
        for card in self._cards.values():
            if card.phone:
                self._phones += 1
                card.uid = b"\x08" + self._phones.to_bytes(3)

    # --- bytes

    def hear(self, heard: bytes, at: float) -> bytes:
        """What it says at once to the bytes that came."""
        self._begun += self._awake(heard)
        said = b""
        while (head := _HEAD.search(self._begun)) is not None:
            if head["ack"] is not None:
                said += self._stop()
                self._begun = self._begun[head.end() :]
            elif head["nack"] is not None:
                said += self._last
                self._begun = self._begun[head.end() :]
            else:
                size = int.from_bytes(head["long"] or head["short"])
                check = head["long_check"] or head["short_check"]
                if sum(head["long"] or head["short"]) + check[0] & 0xFF:
                    self._begun = self._begun[head.start() + 2 :]
                    continue
                payload = self._begun[head.end() : head.end() + size]
                rest = self._begun[head.end() + size :]
                if not rest:
                    break
                self._begun = rest[1:]
                if not sum(payload) + rest[0] & 0xFF:  # what is damaged is not acknowledged
                    said += self._told(payload, at)
        return b"" if self.deaf else said

    def say(self, at: float) -> bytes:
        """What it has to say by now of its own accord."""
        doing = self._doing
        if doing is None or doing.due is None or doing.due > at:
            return b""
        if doing.code == 0x4A and doing.said[1:2] == b"\x00" and not self._cards and self._retries == _FOR_EVER:
            doing.due = None
            return b""
        self._doing = None
        return b"" if self.deaf else self._answered(doing)

    @property
    def due(self) -> float | None:
        """When ``say`` is to be asked; None while it has nothing to say."""
        return self._doing.due if self._doing is not None else None

    def look(self, at: float) -> None:
        """A card came: a search that never ends goes on."""
        if self._doing is not None and self._doing.due is None:
            self._doing.due = at + RF_S

    def _awake(self, heard: bytes) -> bytes:
        """What it hears of *heard*: nothing while it sleeps, and little while it wakes."""
        for place, byte in enumerate(heard):
            if self.asleep:
                line = [0, *(byte >> i & 1 for i in range(8)), 1]  # start bit, bits, stop bit
                self._edges += sum(later > earlier for earlier, later in pairwise(line))
                if self._edges >= _EDGES:
                    self.asleep, self._edges, self._deaf_bytes = False, 0, _DEAF_BYTES
            elif self._deaf_bytes:
                self._deaf_bytes -= 1
            else:
                return heard[place:]
        return b""

    def _stop(self) -> bytes:
        if self.next_speed is not None:
            self.speed, self.next_speed = self.next_speed, None
        doing, self._doing = self._doing, None
        return self._answered(doing) if doing is not None and self.too_late else b""

    def _told(self, payload: bytes, at: float) -> bytes:
        said = self._stop()  # a new command ends the one before
        if len(payload) < 2 or payload[0] != 0xD4 or payload[1] not in self._acts():
            return said + ACK + SYNTAX_ERROR
        self.commands.append(payload[1:])
        looks = 0
        if payload[1] in (0x40, 0x42, 0x4A):
            self.field = True
            looks = 1 if self._cards or self._retries == _FOR_EVER else self._retries + 1
        self._doing = _Doing(payload[1], payload[2:], at + looks * RF_S + self.late_s)
        return said + ACK

    def _answered(self, doing: _Doing) -> bytes:
        self._last = answer(doing.code, self._acts()[doing.code](doing.said))
        if self.damaged:
            self.damaged -= 1
            return self.junk + self._last[:-2] + bytes([self._last[-2] ^ 0xFF, 0])
        return self.junk + self._last

    # --- commands (7.2, 7.3)

    def _acts(self) -> dict[int, Callable[[bytes], bytes]]:
        return {
            0x00: lambda said: said if said[:1] == b"\x00" else b"\x00",  # Diagnose: the line, or memory
            0x02: lambda said: self.firmware,
            0x06: self._read_registers,
            0x08: self._write_registers,
            0x10: self._set_speed,
            0x12: self._set_parameters,
            0x14: lambda said: b"",  # SAMConfiguration
            0x16: self._power_down,
            0x32: self._configure_rf,
            0x40: lambda said: self._exchange(said[1:]),
            0x42: lambda said: self._exchange(said, raw=not self._registers[_RX_MODE] & 0x80),
            0x44: lambda said: b"\x00",  # InDeselect
            0x4A: self._list,
            0x52: lambda said: b"\x00",  # InRelease
        }

    def _read_registers(self, said: bytes) -> bytes:
        return bytes(self._registers.get(said[i] << 8 | said[i + 1], 0) for i in range(0, len(said), 2))

    def _write_registers(self, said: bytes) -> bytes:
        for i in range(0, len(said), 3):
            self._registers[said[i] << 8 | said[i + 1]] = said[i + 2]
        return b""

    def _set_speed(self, said: bytes) -> bytes:
        self.next_speed = SPEEDS[said[0]]  # it changes when the answer is acknowledged
        return b""

    def _set_parameters(self, said: bytes) -> bytes:
        self._goes_on = bool(said[0] & 0x10)
        return b""

    def _power_down(self, said: bytes) -> bytes:
        self.asleep = True
        self._field_off()
        return b"\x00"

    def _configure_rf(self, said: bytes) -> bytes:
        if said[0] == 0x05:
            self._retries = said[3]
        elif said[0] == 0x01 and said[1] & 1:
            self.field = True
        elif said[0] == 0x01:
            self._field_off()
        return b""

    def _list(self, said: bytes) -> bytes:
        found = sorted(self._cards.values(), key=lambda card: card.bits, reverse=True)[: min(said[0], 2)]
        if said[1] != 0x00 or any(chip.field for chip in self.neighbours):  # no card is of another kind than type A
            found = []
        listed = bytes([len(found)])
        for number, card in enumerate(found, 1):
            listed += bytes([number]) + card.target
            if card.phone and self._goes_on:
                listed += bytes.fromhex("0578807002")  # its ATS, which begins with its length
        return listed

    def _exchange(self, said: bytes, *, raw: bool = False) -> bytes:
        card = next(iter(self._cards.values()), None)
        reply = card.answer_to(said) if card is not None else None
        if reply is None:
            return b"\x01"  # time out
        return b"\x00" + reply + (_crc_a(reply) if raw else b"")


def _crc_a(said: bytes) -> bytes:
    """ISO 14443-3, annex B."""
    crc = 0x6363
    for byte in said:
        byte ^= crc & 0xFF
        byte = (byte ^ byte << 4) & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return crc.to_bytes(2, "little")


class VirtualPn532:
    """A PN532 behind *link*, plugged in from ``__enter__`` to ``__exit__``.

    *piece* is how many bytes are written at a time, at the pace of the wire (None: a whole frame). The plug falls out
    by itself where *falls_out* says: at a command's code, when it is ``heard``, ``acknowledged`` or ``answered``.
    """

    def __init__(self, link: Path, *, piece: int | None = None) -> None:
        self.link = link
        self.chip = Chip()
        self.falls_out: tuple[int, Moment] | None = None
        self._piece = piece
        self._ends: tuple[int, int] | None = None  # our end and the program's, which is held open like a device node
        self._lock = threading.RLock()
        self._woken, self._waker = os.pipe()
        self._leaving = False
        self._thread = threading.Thread(target=self._live, name=f"virtual {link.name}", daemon=True)

    def __enter__(self) -> Self:
        self.replug()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._leaving = True
        self._wake()
        self._thread.join()
        self.unplug()
        os.close(self._woken)
        os.close(self._waker)

    def lay(self, uid: str, *, phone: bool = False) -> None:
        """A card is laid into the field, or a *phone*."""
        with self._lock:
            self.chip.lay(uid, phone=phone)
            self.chip.look(time.monotonic())
        self._wake()

    def lift(self, uid: str) -> None:
        """A card is taken away. Raises KeyError when it does not lie there."""
        with self._lock:
            self.chip.lift(uid)

    def reset(self) -> None:
        """Pulse the reset pin."""
        with self._lock:
            self.chip.power_up()

    def unplug(self) -> None:
        """The port vanishes, and with it the chip's supply. Nothing if it is unplugged."""
        with self._lock:
            if self._ends is not None:
                pull_out(self.link, self._ends)
                self._ends = None
                self.chip.power_up()
        self._wake()  # a port that is waited at is not closed until the wait is over

    def replug(self) -> None:
        """A new port behind the same link; cards lie where they lay. Nothing if it is plugged in."""
        with self._lock:
            if self._ends is None:
                self._ends = plug_in(self.link)
        self._wake()

    def _wake(self) -> None:
        os.write(self._waker, b"!")

    def _live(self) -> None:
        while not self._leaving:
            with self._lock:
                ours = self._ends[0] if self._ends is not None else None
                due = self.chip.due
            wait_s = None if due is None else max(0.0, due - time.monotonic())
            with suppress(OSError, ValueError):  # it was unplugged meanwhile
                select.select([self._woken] if ours is None else [self._woken, ours], [], [], wait_s)
            if select.select([self._woken], [], [], 0)[0]:
                os.read(self._woken, 4096)
            with self._lock:
                self._turn()

    def _turn(self) -> None:
        """Hear what has come, and say what is due."""
        if self._ends is None:
            return
        now, done = time.monotonic(), len(self.chip.commands)
        said = self.chip.hear(self._heard(), now)
        new = self.chip.commands[-1][0] if len(self.chip.commands) > done else None
        if not self._fell_out(new, "heard"):
            self._write(said)
        if not self._fell_out(new, "acknowledged"):
            answered = self.chip.say(now)
            self._write(answered)
            if answered and self.chip.commands:
                self._fell_out(self.chip.commands[-1][0], "answered")

    def _fell_out(self, code: int | None, moment: Moment) -> bool:
        if code is not None and self.falls_out == (code, moment):
            self.falls_out = None
            self.unplug()
        return self._ends is None

    def _heard(self) -> bytes:
        assert self._ends is not None
        try:
            heard = os.read(self._ends[0], 4096)
        except OSError:  # nothing, or nobody has the port open
            return b""
        # A pseudo-terminal does not say at which speed bytes were written, only which one its port has now. Between the
        # answer to SetSerialBaudRate and its ACK either will do.
        return heard if self._in_step() or self.chip.next_speed is not None else b"\xf0" * len(heard)

    def _in_step(self) -> bool:
        """Whether the program has set its port to the chip's speed; at another one each hears noise."""
        assert self._ends is not None
        speed = termios.tcgetattr(self._ends[1])[tty.OSPEED]
        return _TERMIOS_SPEED.get(speed) == self.chip.speed

    def _write(self, said: bytes) -> None:
        if self._ends is None or not said:
            return
        said = said if self._in_step() else b"\xf0" * len(said)
        step = self._piece or len(said)
        for start in range(0, len(said), step):
            with suppress(BlockingIOError):  # nobody reads: the bytes fall on the floor
                os.write(self._ends[0], said[start : start + step])
            if self._piece:
                time.sleep(10 * step / self.chip.speed)
