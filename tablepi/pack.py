"""Whether a pack is whole: what of it has been seen, by tag or by camera, and what should not be there.

Pure: what a reader or a camera sees is handed in, with its time where time matters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .cards import Card, Cards, count

AT_ONCE_S = 0.5
"""Seconds between two tags that were read at once: two that are laid together are read within 0.1 s."""


@dataclass(frozen=True, slots=True)
class Pack:
    """What has been seen of the *wanted* cards. *there* are those of them, *others* cards that do not belong to them;
    *twice* are those of which two lay in one picture. *foreign* are the tags that are in no card, *unread* tells where
    cards lie of which nothing can be read. *perhaps* are the cards that may be there twice: two different tags of one
    were read at once, which may be two cards or one with two tags, or a picture shows a second one in doubt."""

    wanted: Cards
    there: Cards = 0
    others: Cards = 0
    twice: Cards = 0
    foreign: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    perhaps: Cards = 0
    _last: tuple[tuple[str, Card, float], ...] = ()  # the tags of the last moment

    @property
    def missing(self) -> Cards:
        return self.wanted & ~self.there

    @property
    def right(self) -> bool:
        """Whether it is whole, and nothing else is in it."""
        return not (self.missing or self.others or self.twice or self.foreign or self.unread)

    @property
    def number(self) -> int:
        """How many of the wanted cards are there."""
        return count(self.there)

    def tag(self, uid: str, card: Card | None, at: float) -> Pack:
        """A tag was read at *at*, in seconds; *card* is the one that it is in, None for a tag that nobody knows."""
        if card is None:
            return self if uid in self.foreign else replace(self, foreign=(*self.foreign, uid))
        last = tuple(told for told in self._last if at - told[2] <= AT_ONCE_S)
        twin = any(other == card and tag != uid for tag, other, _ in last)
        perhaps = self.perhaps | (card.bit if twin else 0)
        return replace(self._with(card.bit), perhaps=perhaps, _last=(*last, (uid, card, at)))

    def picture(self, cards: Iterable[Card], *, perhaps: Cards = 0, unread: Iterable[str] = ()) -> Pack:
        """A picture shows these cards, each as often as it lies there, perhaps some of them twice, and such as cannot
        be read."""
        seen, twice = 0, self.twice
        for card in cards:
            twice |= seen & card.bit
            seen |= card.bit
        return replace(self._with(seen), twice=twice, perhaps=self.perhaps | perhaps, unread=(*self.unread, *unread))

    def _with(self, seen: Cards) -> Pack:
        return replace(self, there=self.there | seen & self.wanted, others=self.others | seen & ~self.wanted)
