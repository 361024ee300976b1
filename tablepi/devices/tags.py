"""From a reader's bytes to facts, without any port: framing, presence, and which card a tag is in.

A line reader types the number (UID) of each tag as hex digits and ends the line with CR, LF or both. What arrives is
cut and joined at any place, may begin with noise, and most readers say the same number again every 100 ms or so while
the tag lies. Three steps, each with the time handed in, so that nothing here waits or asks a clock::

    bytes --Lines--> UIDs --Presence--> a tag was laid, a tag has left --TagDecoder--> facts
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..cards import Card, Seat
from ..facts import Fact, Tag, Untag

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


class Presence:
    """Which tags lie on a reader, so that one that is said again and again is reported once.

    Every tag has its own clock, so that two or three in a stack, said in turns, do not flap. A tag said again within
    *gap_s* of the last time still lies; later it is a new read. Only of a reader that is known to *repeat* does silence
    mean that the tag has left.
    """

    def __init__(self, *, gap_s: float = GAP_S, repeats: bool = False) -> None:
        self._gap_s = gap_s
        self._repeats = repeats
        self._said_at: dict[str, float] = {}

    def read(self, tag: str, at: float) -> bool:
        """Note that the reader said *tag*; True when that is news. Ask ``gone`` first."""
        last = self._said_at.get(tag)
        self._said_at[tag] = at
        return last is None or last + self._gap_s <= at

    def gone(self, at: float) -> tuple[str, ...]:
        """The tags that have left since this was last asked, the longest silent first."""
        silent = [t for t, said in self._said_at.items() if said + self._gap_s <= at]
        for tag in silent:
            del self._said_at[tag]
        return tuple(silent) if self._repeats else ()

    def reopened(self, at: float) -> None:
        """The reader was away and is back: what lay on it gets *gap_s* to be said again before it counts as gone."""
        if self._repeats:
            self._said_at = dict.fromkeys(self._said_at, at)

    @property
    def deadline(self) -> float | None:
        """When ``gone`` is to be asked even if no byte comes; None when silence says nothing."""
        if not self._repeats or not self._said_at:
            return None
        return min(self._said_at.values()) + self._gap_s


class TagDecoder:
    """Bytes of one reader in, facts out. *cards* says which card a UID is in; *seat* is None for a shared reader.

    A tag that no card is known for becomes a fact with its UID alone: the table asks about it.
    """

    def __init__(
        self,
        name: str,
        *,
        cards: Mapping[str, Card],
        seat: Seat | None = None,
        repeats: bool = False,
        gap_s: float = GAP_S,
    ) -> None:
        self.name = name
        self.lines = Lines()
        self._seat = seat
        self._cards = cards
        self._presence = Presence(gap_s=gap_s, repeats=repeats)

    def decode(self, received: bytes, at: float) -> tuple[Fact, ...]:
        """The facts that *received* completes, and those that silence until *at* says. No bytes: only time passed."""
        told: list[Fact] = [self._fact(Untag, tag) for tag in self._presence.gone(at)]
        told += [self._fact(Tag, tag) for tag in self.lines.feed(received, at) if self._presence.read(tag, at)]
        return tuple(told)

    def reopened(self, at: float) -> None:
        """The port was opened, for the first time or again: a line begun before is lost, lying tags may still lie."""
        self.lines = Lines()
        self._presence.reopened(at)

    @property
    def deadline(self) -> float | None:
        """When ``decode`` is to be called even if no byte comes, in the clock of its *at*; None for never."""
        return self._presence.deadline

    def _fact(self, kind: type[Tag] | type[Untag], tag: str) -> Fact:
        return kind(seat=self._seat, card=self._cards.get(tag), uid=tag, source=self.name)
