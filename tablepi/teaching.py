"""Teaching a deck: which card each tag is in, from what lies on the readers and what a person says.

    asked for --one tag, alone--> taught --> the next card without a tag
       ^  |          |
       |  |          +-- known already: refused by the name of its card
       |  +-- two tags at once: neither counts until one is taken away
       +-- undo, skip, another card

Two parts: ``Lying`` says which tag a person has laid, alone; ``Teaching`` says what that means. Both are pure, time is
handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from .cards import RANKS, SUITS, Card, card
from .facts import TWO_CARDS, Fact, Found, Lost, Tag, Untag

SETTLE_S = 0.3
"""Seconds that a tag must be the only new one of its reader. Two cards that are laid together are read within one or
two polls of a PN532 (0.04 s each), or two lines of a reader that names what lies on it in turns (0.1 s)."""

PACK = tuple(card(rank + suit) for suit in SUITS for rank in RANKS)
"""All cards by suit, and from the two up: as they are asked for, and as they stand in a deck's file."""

Thing = Card | str
"""What a tag can be in: a card, or the card of a command by its name."""


# --- what lies on the readers -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alone:
    """One tag has been laid, alone on its reader."""

    uid: str
    reader: str


@dataclass(frozen=True, slots=True)
class TwoAtOnce:
    """Two tags lie on one reader, and neither counts."""

    reader: str


Laid = Alone | TwoAtOnce


@dataclass(slots=True)
class _New:
    """What was laid on one reader and is not settled: since when, and whether it was two."""

    uids: set[str] = field(default_factory=set)
    since: float = 0.0
    crowded: bool = False


class Lying:
    """Tells tags that lie alone from those that lie two at a time, for any number of readers.

    Not every reader says that a tag has left. So a second tag counts as laid together with the first only when it comes
    within ``SETTLE_S``, or while the reader itself says that two lie on it.
    """

    def __init__(self) -> None:
        self._new: dict[str, _New] = {}

    def heard(self, fact: Fact, at: float) -> tuple[Laid, ...]:
        """What *fact*, which came at *at*, makes plain; ask ``settled`` first."""
        match fact:
            case Tag(uid=str(uid), source=str(reader)):
                return self._laid(reader, uid, at)
            case Untag(uid=str(uid), source=str(reader)):
                self._left(reader, uid, at)
            case Lost(device=reader, reason=reason):
                if reason == TWO_CARDS:
                    return self._crowd(reader)
                self._new.pop(reader, None)
            case Found(device=reader) if reader in self._new:
                self._new[reader].crowded, self._new[reader].since = False, at
        return ()

    def settled(self, at: float) -> tuple[Laid, ...]:
        """The tags that have lain alone long enough by *at*."""
        due = [(r, new) for r, new in self._new.items() if _single(new) and at >= new.since + SETTLE_S]
        for reader, _ in due:
            del self._new[reader]
        return tuple(Alone(uid, reader) for reader, new in due for uid in new.uids)

    @property
    def deadline(self) -> float | None:
        """When ``settled`` is to be asked, in the clock of *at*; None while nothing waits."""
        return min((new.since + SETTLE_S for new in self._new.values() if _single(new)), default=None)

    def _laid(self, reader: str, uid: str, at: float) -> tuple[Laid, ...]:
        new = self._new.setdefault(reader, _New())
        if new.uids - {uid} and at - new.since > SETTLE_S:  # of two that were never seen to leave: it is laid anew
            new.uids, new.crowded = set(), False
        new.since = at
        new.uids.add(uid)
        return self._crowd(reader) if len(new.uids) > 1 else ()

    def _left(self, reader: str, uid: str, at: float) -> None:
        new = self._new.get(reader)
        if new is None:
            return
        new.uids.discard(uid)
        new.since = at
        if len(new.uids) < 2:
            new.crowded = False
        if not new.uids:
            del self._new[reader]

    def _crowd(self, reader: str) -> tuple[Laid, ...]:
        new = self._new.setdefault(reader, _New())
        said, new.crowded = new.crowded, True
        return () if said else (TwoAtOnce(reader),)


def _single(new: _New) -> bool:
    return len(new.uids) == 1 and not new.crowded


# --- what it means ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taught:
    """The tag is in *thing* from now on."""

    uid: str
    thing: Thing


@dataclass(frozen=True, slots=True)
class Known:
    """The tag is refused: it is in *thing* already."""

    uid: str
    thing: Thing


@dataclass(frozen=True, slots=True)
class Undone:
    """The tag is in *thing* no more."""

    uid: str
    thing: Thing


Outcome = Taught | Known | Undone | None


@dataclass(frozen=True, slots=True)
class Teaching:
    """How far the teaching is. *pack* is what can be asked for, in its order; *tags* says what each known tag is in;
    *asked* is what is asked for now, None when there is nothing left. With *again* a card stays asked for, so that it
    can have several tags, until the person goes on. *done* are the tags that were taught since the beginning."""

    pack: tuple[Thing, ...]
    tags: Mapping[str, Thing]
    again: bool = False
    asked: Thing | None = None
    done: tuple[str, ...] = ()

    @classmethod
    def begun(cls, pack: Iterable[Thing], tags: Mapping[str, Thing], *, again: bool = False) -> Teaching:
        """Asks for the first of *pack* that has no tag; with *again*, where all have one, for the first."""
        pack = tuple(pack)
        fresh = cls(pack, MappingProxyType(dict(tags)), again)
        return replace(fresh, asked=next(iter(fresh.lacking), pack[0] if again else None))

    @property
    def lacking(self) -> tuple[Thing, ...]:
        """What has no tag yet."""
        there = set(self.tags.values())
        return tuple(thing for thing in self.pack if thing not in there)

    def count(self, thing: Thing) -> int:
        """How many tags *thing* has."""
        return sum(each == thing for each in self.tags.values())

    def laid(self, uid: str) -> tuple[Teaching, Outcome]:
        """A tag was laid, alone."""
        if uid in self.tags:
            return self, Known(uid, self.tags[uid])
        if self.asked is None:
            return self, None
        tags = MappingProxyType({**self.tags, uid: self.asked})
        taught = replace(self, tags=tags, done=(*self.done, uid))
        return taught if self.again else taught._at_next_lacking(), Taught(uid, self.asked)

    def undone(self) -> tuple[Teaching, Outcome]:
        """The last tag is taken back, and its card asked for; nothing when none was taught yet."""
        if not self.done:
            return self, None
        *done, last = self.done
        thing = self.tags[last]
        tags = MappingProxyType({uid: each for uid, each in self.tags.items() if uid != last})
        return replace(self, tags=tags, done=tuple(done), asked=thing), Undone(last, thing)

    def chosen(self, thing: Thing) -> Teaching:
        """Another card is asked for."""
        return replace(self, asked=thing)

    def skipped(self) -> Teaching:
        """The next card; one that is passed over comes again when the others are done."""
        return self._at_next() if self.again else self._at_next_lacking()

    def gone_on(self) -> Teaching:
        """The person has no other tag for this card. One that has none is not left by that."""
        if self.asked is None or not self.count(self.asked):
            return self
        return self.skipped()

    def _at_next(self) -> Teaching:
        later = self.pack[self._place + 1 :]
        return replace(self, asked=later[0] if later else None)

    def _at_next_lacking(self) -> Teaching:
        lacking = set(self.lacking)
        onwards = (*self.pack[self._place + 1 :], *self.pack[: self._place + 1])
        return replace(self, asked=next((thing for thing in onwards if thing in lacking), None))

    @property
    def _place(self) -> int:
        return self.pack.index(self.asked) if self.asked is not None else -1
