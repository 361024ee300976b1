"""From a reader's bytes to facts, without any port: framing, presence, and what the reader means.

A line reader types the number (UID) of each tag as hex digits and ends the line with CR, LF or both. What arrives is
cut and joined at any place, may begin with noise, and most readers say the same number again every 100 ms or so while
the tag lies. Three steps, each with the time handed in, so that nothing here waits or asks a clock::

    bytes --Lines--> UIDs --Presence--> a tag was laid, a tag has left --Role--> facts, commands
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..views.screen import Action
from .roles import Role

GAP_S = 1.0
"""Seconds of silence after which the same number is a new read: ten times the pause of a reader that repeats."""

IDLE_S = 1.0
"""Seconds after which the beginning of a line is given up: at 9600 baud a whole line takes 0.02 s."""

LONGEST_LINE = 80
"""Bytes of the longest line that may hold a UID: ten bytes as ``04 A1 …`` and a few words before it."""

# A line ends with CR or LF; readers of the RDM6300 kind frame it by STX and ETX instead.
_LINE_END = re.compile(rb"[\r\n\x03]")
_NOISE = bytes(range(0x21)) + bytes(range(0x7F, 0x100))
# 4 to 10 bytes: ISO 14443 has 4, 7 or 10, ISO 15693 has 8, tags of 125 kHz have 5 (6 with their check byte).
_UID = re.compile(r"(?:[0-9A-F]{2}[ :-]?){3,9}[0-9A-F]{2}")
_LABEL = re.compile(r"^[A-Za-z ]+[:=] *")


def uid(text: str) -> str:
    """The UID that *text* says, as upper-case hex without separators: ``04:a1:b2:c3`` is ``04A1B2C3``.

    Raises ValueError unless it is 4 to 10 bytes of two hex digits, with nothing, a space, ``:`` or ``-`` between.
    """
    digits = text.strip().upper()
    if not _UID.fullmatch(digits):
        raise ValueError(f"{text!r} is not a tag's UID: write 4 to 10 bytes in hex, such as 04A1B2C3D4E580")
    return re.sub("[ :-]", "", digits)


class Lines:
    """Cuts a stream of bytes into UIDs. *dropped* counts the lines that were none: noise, words, cut-off numbers."""

    def __init__(self, *, idle_s: float = IDLE_S) -> None:
        self.dropped = 0
        self._idle_s = idle_s
        self._begun = bytearray()
        self._last_at = 0.0
        self._too_long = False

    def feed(self, received: bytes, at: float) -> tuple[str, ...]:
        """The UIDs of the lines that *received* completes. *at* is monotonic seconds."""
        if not received:
            return ()
        if at - self._last_at > self._idle_s:
            self._give_up_begun_line()
        self._last_at = at
        self._begun += received
        *whole, rest = _LINE_END.split(self._begun)
        found = []
        for line in whole:
            if (read := self._uid_of(line)) is not None:
                found.append(read)
        self._begun = bytearray(rest)
        if len(rest) > LONGEST_LINE:  # only the fact that it is too long is kept until its end comes
            self._begun.clear()
            self._too_long = True
        return tuple(found)

    def _uid_of(self, line: bytes) -> str | None:
        if self._too_long or len(line) > LONGEST_LINE:
            self._too_long = False
            self.dropped += 1
            return None
        # Noise around a number is taken off; noise within may stand in place of a digit, so the line is dropped.
        text = line.strip(_NOISE).decode("ascii", errors="replace")
        if not text:
            return None
        for number in (text, _LABEL.sub("", text, count=1)):  # the whole first: AB:CD:… begins like a label
            try:
                return uid(number)
            except ValueError:
                continue
        self.dropped += 1
        return None

    def _give_up_begun_line(self) -> None:
        if self._begun or self._too_long:
            self.dropped += 1
        self._begun.clear()
        self._too_long = False


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
    """Bytes of one reader in, facts and commands out, as its *role* translates them."""

    def __init__(self, role: Role, *, repeats: bool = False, gap_s: float = GAP_S) -> None:
        self.role = role
        self.lines = Lines()
        self._presence = Presence(gap_s=gap_s, repeats=repeats)

    def decode(self, received: bytes, at: float) -> tuple[Action, ...]:
        """What *received* completes, and what silence until *at* says. No bytes: only time passed."""
        changes = self._presence.heard(self.lines.feed(received, at), at)
        return tuple(told for change in changes for told in self._told(change))

    def reopened(self, at: float) -> None:
        """The port was opened, for the first time or again: a line begun before is lost, lying tags may still lie."""
        self.lines = Lines()
        self._presence.reopened(at)

    @property
    def deadline(self) -> float | None:
        """When ``decode`` is to be called even if no byte comes, in the clock of its *at*; None for never."""
        return self._presence.deadline

    def _told(self, change: Change) -> tuple[Action, ...]:
        return self.role.laid(change.tag) if change.laid else self.role.left(change.tag)
