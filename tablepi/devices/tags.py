"""From a reader's bytes to facts, without any port: framing, presence, and what the reader means.

A line reader types the number (UID) of each tag as hex digits, some as a decimal number, and ends the line with CR, LF
or both. A multiplexer says before it which of its antennas it was. What arrives is cut and joined at any place, may
begin with noise, and most readers say the same number again every 100 ms or so while the tag lies. Three steps, each
with the time handed in, so that nothing here waits or asks a clock::

    bytes --Lines--> UIDs --Presence--> a tag was laid, a tag has left --Role--> facts, commands
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..facts import NO_TAGS, Found, Lost
from ..views.screen import Action
from .roles import Role

log = logging.getLogger(__name__)

GAP_S = 1.0
"""Seconds of silence after which the same number is a new read: ten times the pause of a reader that repeats."""

IDLE_S = 1.0
"""Seconds after which the beginning of a line is given up: at 9600 baud a whole line takes 0.02 s."""

STRANGE = 5
"""Lines in a row that are none, after which a person is told: a reader greets with fewer."""

LONGEST_LINE = 80
"""Bytes of the longest line that may hold a UID: ten bytes as ``04 A1 …`` and a few words before it."""

# A line ends with CR or LF; readers of the RDM6300 kind frame it by STX and ETX instead.
_LINE_END = re.compile(rb"[\r\n\x03]")
_NOISE = bytes(range(0x21)) + bytes(range(0x7F, 0x100))
_SILENCE = b"\x00\x02 \t"  # what a line may be of that says nothing
# 4 to 10 bytes: ISO 14443 has 4, 7 or 10, ISO 15693 has 8, tags of 125 kHz have 5 (6 with their check byte).
_UID = re.compile(r"(?:[0-9A-F]{2}[ :-]?){3,9}[0-9A-F]{2}")
_LABEL = re.compile(r"^[A-Za-z ]+[:=] *")
# ``A2:04A1…``, ``2 04A1…``, ``Antenna 02, UID: 04A1…``
_ANTENNA = re.compile(r"(?P<named>[A-Za-z]{0,10} ?0{0,2}(?P<number>[0-9]{1,3})) *[ :;,=>-] *(?P<rest>.*)")


def uid(text: str) -> str:
    """The UID that *text* says, as upper-case hex without separators: ``04:a1:b2:c3`` is ``04A1B2C3``.

    Raises ValueError unless it is 4 to 10 bytes of two hex digits, with nothing, a space, ``:`` or ``-`` between.
    """
    digits = text.strip().upper()
    if not _UID.fullmatch(digits):
        raise ValueError(f"{text!r} is not a tag's UID: write 4 to 10 bytes in hex, such as 04A1B2C3D4E580")
    return re.sub("[ :-]", "", digits)


def decimal_uid(text: str) -> str:
    """The UID that *text* says as a number, as readers of the keyboard kind do: ``0078762192`` is ``04B1D0D0``.

    Raises ValueError unless it is a number of 4 to 10 bytes, leading zeros in them left out or not.
    """
    number = int(text) if text.isascii() and text.isdecimal() else 0
    size = max(4, (number.bit_length() + 7) // 8)
    if not number or size > 10:
        raise ValueError(f"{text!r} is not a tag's number: write 4 to 10 bytes as a decimal number")
    return number.to_bytes(size).hex().upper()


class Read(NamedTuple):
    """A tag that was said, and by which antenna: empty where the reader has but one."""

    uid: str
    antenna: str = ""


class Lines:
    """Cuts a stream of bytes into the tags that it says: in hex, or as *decimal* numbers.

    *antennas* are the names of a multiplexer's, which it says before each number; by their number alone it is enough.
    *dropped* counts the lines that said none: noise, words, cut-off numbers; *strange* those since the last that did,
    and the bytes without an end that would have been such lines. *unknown* are antennas that nobody has named.
    """

    def __init__(self, *, antennas: Iterable[str] = (), decimal: bool = False, idle_s: float = IDLE_S) -> None:
        self.dropped = 0
        self.strange = 0
        self.unknown: set[str] = set()
        self._antennas = {plainly(name): name for name in antennas}
        self._uid = decimal_uid if decimal else uid
        self._idle_s = idle_s
        self._begun = bytearray()
        self._last_at = 0.0
        self._too_long = False

    def feed(self, received: bytes, at: float) -> tuple[Read, ...]:
        """The tags of the lines that *received* completes. *at* is monotonic seconds."""
        if not received:
            return ()
        if at - self._last_at > self._idle_s:
            self._give_up_begun_line()
        self._last_at = at
        self._begun += received
        *whole, rest = _LINE_END.split(self._begun)
        found = []
        for line in whole:
            if (read := self._read(line)) is not None:
                found.append(read)
        self._begun = bytearray(rest)
        if len(rest) > LONGEST_LINE:  # only the fact that it is too long is kept until its end comes
            self._begun.clear()
            self._too_long = True
            self.strange += 1
        return tuple(found)

    def _read(self, line: bytes) -> Read | None:
        if self._too_long or len(line) > LONGEST_LINE:
            self._too_long = False
            self._drop()
            return None
        # Noise around a number is taken off; noise within may stand in place of a digit, so the line is dropped.
        text = line.strip(_NOISE).decode("ascii", errors="replace")
        if not text:
            self.strange += bool(line.strip(_SILENCE))
            return None
        antenna = ""
        if self._antennas:
            told = _ANTENNA.fullmatch(text)
            known = told and (plainly(told["named"]), told["number"])
            antenna = next((self._antennas[name] for name in known or () if name in self._antennas), "")
            if told is None or not antenna:
                if told is not None:
                    self.unknown.add(told["named"])
                self._drop()
                return None
            text = told["rest"]
        for number in (text, _LABEL.sub("", text, count=1)):  # the whole first: AB:CD:… begins like a label
            try:
                read = Read(self._uid(number), antenna)
            except ValueError:
                continue
            self.strange = 0
            return read
        self._drop()
        return None

    def _give_up_begun_line(self) -> None:
        if self._begun or self._too_long:
            self._drop()
        self._begun.clear()
        self._too_long = False

    def _drop(self) -> None:
        self.dropped += 1
        self.strange += 1


def plainly(antenna: str) -> str:
    """An antenna's name as it is compared: ``Antenna 02`` is ``ANTENNA2``."""
    told = re.fullmatch(r"([A-Z]*)0*([0-9]+)", antenna.upper().replace(" ", ""))
    return f"{told[1]}{told[2]}" if told else antenna.upper()


class Change(NamedTuple):
    """A tag was *laid*, or else has left."""

    tag: str
    laid: bool


class Presence:
    """Which tags lie on a reader, so that one that is said again and again is told once.

    Every tag has its own clock, so that two or three in a stack, said in turns, do not flap. A tag said again within
    *gap_s* of the last time still lies; later it is a new read. Only of a reader that is known to *repeat* does silence
    mean that the tag has left.

    Of such a reader a tag that comes while another is told to lie there waits until that one is said again, or has left
    for certain: whoever takes a card back and lays another may be quicker than the gap, and told the other way round
    the new card would lie beside the old one.
    """

    def __init__(self, *, gap_s: float = GAP_S, repeats: bool = False) -> None:
        self._gap_s = gap_s
        self._repeats = repeats
        self._said_at: dict[str, float] = {}
        self._waiting: dict[str, float] = {}  # since when; in the order in which they came

    def heard(self, tags: Iterable[str], at: float) -> tuple[Change, ...]:
        """What changes when the reader says *tags* at *at*, in monotonic seconds, or says nothing until then."""
        changes = [*self._silent(at)]
        for tag in tags:
            last, self._said_at[tag] = self._said_at.get(tag), at
            if last is None or last + self._gap_s <= at:
                self._waiting[tag] = at
            changes += self._sure(at)
        return tuple(changes)

    def reopened(self, at: float) -> None:
        """The reader was away and is back: what lay on it gets *gap_s* to be said again before it counts as gone."""
        if self._repeats:
            self._said_at = dict.fromkeys(self._said_at, at)
            self._waiting = dict.fromkeys(self._waiting, math.nextafter(at, math.inf))

    @property
    def deadline(self) -> float | None:
        """When ``heard`` is to be called even if no byte comes; None when silence says nothing."""
        if not self._repeats or not self._said_at:
            return None
        return min(self._said_at.values()) + self._gap_s

    def _silent(self, at: float) -> Iterator[Change]:
        """The tags that have left by *at*, the longest silent first; one that waited was laid before it left."""
        for tag in sorted(self._said_at, key=self._said_at.__getitem__) if self._repeats else ():
            if self._said_at[tag] + self._gap_s > at:
                break
            if self._waiting.pop(tag, None) is not None:
                yield Change(tag, laid=True)
            del self._said_at[tag]
            yield Change(tag, laid=False)
            yield from self._sure(at)

    def _sure(self, at: float) -> Iterator[Change]:
        told = [said for tag, said in self._said_at.items() if tag not in self._waiting]
        for tag, since in [*self._waiting.items()]:
            if not self._repeats or all(said >= since for said in told):
                del self._waiting[tag]
                yield Change(tag, laid=True)


class TagDecoder:
    """Bytes of one reader in, facts and commands out, as its *role* translates them; those of a multiplexer by antenna.

    What says no tags for long is told, as a reader that is lost until it says one; *doubt* is what to look at then.
    *repeats*, *gap_s* are those of ``Presence``, *decimal* that of ``Lines``.
    """

    def __init__(
        self,
        role: Role | Mapping[str, Role],
        *,
        repeats: bool = False,
        decimal: bool = False,
        gap_s: float = GAP_S,
        doubt: str = "",
    ) -> None:
        self.roles = role if isinstance(role, Mapping) else {"": role}
        self.name = next(iter(self.roles.values())).name
        self._decimal = decimal
        self._doubt = doubt
        self._presences = {antenna: Presence(gap_s=gap_s, repeats=repeats) for antenna in self.roles}
        self._strange = False
        self._said: set[str] = set()
        self._begin()

    def decode(self, received: bytes, at: float) -> tuple[Action, ...]:
        """What *received* completes, and what silence until *at* says. No bytes: only time passed."""
        told = [action for antenna in self._presences for action in self._heard(antenna, (), at)]
        for uid, antenna in self.lines.feed(received, at):
            told += self._heard(antenna, (uid,), at)
        return (*self._understood(), *told)

    def reopened(self, at: float) -> None:
        """The port was opened, for the first time or again: a line begun before is lost, lying tags may still lie."""
        self._begin()
        for presence in self._presences.values():
            presence.reopened(at)

    @property
    def deadline(self) -> float | None:
        """When ``decode`` is to be called even if no byte comes, in the clock of its *at*; None for never."""
        deadlines = (presence.deadline for presence in self._presences.values())
        return min((at for at in deadlines if at is not None), default=None)

    def _begin(self) -> None:
        self.lines = Lines(antennas=[name for name in self.roles if name], decimal=self._decimal)
        self._strange = False  # who finds the reader again says so

    def _heard(self, antenna: str, tags: Iterable[str], at: float) -> list[Action]:
        role = self.roles[antenna]
        changes = self._presences[antenna].heard(tags, at)
        return [told for change in changes for told in (role.laid if change.laid else role.left)(change.tag)]

    def _understood(self) -> Iterator[Action]:
        for antenna in sorted(self.lines.unknown - self._said):
            self._said.add(antenna)
            log.warning("%s: antenna %s is not in the table's file: what it reads does not count", self.name, antenna)
        if self._strange and not self.lines.strange:
            self._strange = False
            yield Found(device=self.name)
        elif not self._strange and self.lines.strange >= STRANGE:
            self._strange = True
            yield Lost(device=self.name, reason=f"{NO_TAGS}: {self._doubt}" if self._doubt else NO_TAGS)
