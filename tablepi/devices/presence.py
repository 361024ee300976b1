"""Which cards lie on a reader that lists, at each poll, the tags in its field: a pure state machine, time handed in.

    away --read--> read --no other card in doubt--> told: Tag
      ^                                              |
      +---- missed by several polls, and a while ----+ Untag

A card is there when it is read once. It is gone when several polls in a row have missed it and some time has passed: at
the edge of the field, or in a hand that moves it, a card is missed now and then. Read again before that it never left,
so that a card that lies still is one play however often it is read.

Who takes a card back and lays another may be quicker than that. The new card then waits until the old one is gone, or
is read again: told the other way round, the new card would lie beside the old one, and the table would rule that two
cards were laid.

A reader lists two cards at most. A third one is not seen, and what a full list leaves out may lie there all the same.
So two cards that stay where cards are played are told, as a reader that is lost until one of them is taken away: the
table must not trust it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..facts import TWO_CARDS, Fact, Found, Lost
from ..views.screen import Action
from .roles import Role

ROOM = 2
"""Cards that one poll can list: NXP, PN532 user manual UM0701-02, 7.3.5, InListPassiveTarget."""

MISSES = 3
"""Polls in a row that must have missed a card that is gone."""

GONE_S = 0.4
"""Seconds since a card was read, at the least, when it counts as gone."""

CROWDED_S = 1.5
"""Seconds that two cards may lie on one reader. A trick that is swept over it is faster."""


@dataclass(slots=True)
class _Lying:
    first_at: float
    read_at: float
    misses: int = 0
    told: bool = False


class Antenna:
    """What lies on one reader, as the facts and commands into which its *role* translates it."""

    def __init__(
        self,
        role: Role,
        *,
        misses: int = MISSES,
        gone_s: float = GONE_S,
        crowded_s: float = CROWDED_S,
    ) -> None:
        self.role = role
        self._misses = misses
        self._gone_s = gone_s
        self._crowded_s = crowded_s
        self._lying: dict[str, _Lying] = {}  # in the order in which they were laid
        self._two_since: float | None = None
        self._crowded = False

    def polled(self, listed: Sequence[str], at: float) -> tuple[Action, ...]:
        """What follows from a poll that listed these UIDs at *at*, in monotonic seconds. A poll that failed
        says nothing: leave it out."""
        self._note(listed, at)
        return (*self._left(at), *self._laid(at), *self._crowding(at))

    @property
    def in_doubt(self) -> bool:
        """Whether a card was missed that has not left for certain, or one waits for that: more polls would tell."""
        return any(lying.misses or not lying.told for lying in self._lying.values())

    def reopened(self, at: float) -> None:
        """The reader was opened, for the first time or again: lying tags may still lie, and get their time anew."""
        for lying in self._lying.values():
            lying.read_at, lying.misses = at, 0
        self._two_since, self._crowded = None, False  # who finds the reader again says so

    def _note(self, listed: Sequence[str], at: float) -> None:
        if len(listed) < ROOM:
            for uid, lying in self._lying.items():
                lying.misses += uid not in listed
        for uid in listed:
            if not self._passing(uid):
                lying = self._lying.setdefault(uid, _Lying(at, at))
                lying.read_at, lying.misses = at, 0

    def _passing(self, uid: str) -> bool:
        """Whether it is made up anew each time that the field comes on, as that of a telephone: ISO 14443-3 gives such
        UIDs a length and a first byte of their own. Each would be another unknown tag."""
        return len(uid) == 8 and uid.startswith("08") and not self.role.is_known(uid)

    def _left(self, at: float) -> Iterator[Action]:
        for uid in [uid for uid, lying in self._lying.items() if lying.told and self._is_gone(lying, at)]:
            del self._lying[uid]
            yield from self.role.left(uid)

    def _laid(self, at: float) -> Iterator[Action]:
        doubt = any(lying.told and lying.misses for lying in self._lying.values())
        for uid, lying in self._lying.items():
            if not lying.told and (not doubt or at - lying.first_at >= self._gone_s):
                lying.told = True
                yield from self.role.laid(uid)

    def _is_gone(self, lying: _Lying, at: float) -> bool:
        return lying.misses >= self._misses and at - lying.read_at >= self._gone_s

    def _crowding(self, at: float) -> Iterator[Fact]:
        if len(self._lying) < 2 or self.role.means != "play":  # elsewhere they may lie in a stack
            self._two_since = None
            if self._crowded:
                self._crowded = False
                yield Found(device=self.role.name)
        elif self._two_since is None:
            self._two_since = at
        elif not self._crowded and at - self._two_since >= self._crowded_s:
            self._crowded = True
            yield Lost(device=self.role.name, reason=TWO_CARDS)
