"""What the cameras of one table say together of the cards that leave it.

A card that comes is told by each camera that sees it, and the table knows a repeat. One that leaves must be told once,
and a camera may err: a sleeve, a glass or a reflection can look like bare cloth to one, while another still sees the
card. So a camera's ``gone`` counts when no other that has seen the card still sees it; until then it is kept back.

::

    seen    this camera is a witness of the card; what was kept back of it is forgotten
    gone    it is one no more: told when no witness is left, else kept back
    cleared it is a witness of nothing: told when no other is one of anything, else kept back
    lost    as cleared, without its word: what was kept back for its sake is told

A camera that is lost, or does not find the table, is no witness. Found again, it is one of what it has seen since.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

from ..cards import Card
from ..facts import Cleared, Fact, Gone, Seen

READABLE = 0.5
"""Confidence under which a card's name is a guess (as in ``sight``), which witnesses nothing."""


class Witnesses:
    """The cameras of one table, by name, and the cards that each still sees. May be told from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sees: dict[str, set[Card]] = {}
        self._kept_back: dict[Card | None, Fact] = {}  # ``gone`` by its card, ``cleared`` by None

    def tell(self, camera: str, facts: Iterable[Fact]) -> list[Fact]:
        """What the table is told of the *facts* that *camera* sees."""
        with self._lock:
            return [told for fact in facts for told in self._said(camera, fact)]

    def lose(self, camera: str) -> list[Fact]:
        """*camera* sees nothing any more; what the table is told because of that."""
        with self._lock:
            self._sees.pop(camera, None)
            return self._told()

    def _said(self, camera: str, fact: Fact) -> list[Fact]:
        sees = self._sees.setdefault(camera, set())
        match fact:
            case Seen(card=card):
                if fact.confidence is None or fact.confidence >= READABLE:
                    sees.add(card)
                self._kept_back = {of: kept for of, kept in self._kept_back.items() if of not in (card, None)}
                return [fact]
            case Gone(card=card):
                sees.discard(card)
                self._kept_back[card] = fact
            case Cleared():
                sees.clear()
                self._kept_back[None] = fact
            case _:
                return [fact]
        return self._told()

    def _told(self) -> list[Fact]:
        """What was kept back and has no witness against it any more; that the felt is empty comes last."""
        there = set().union(*self._sees.values())
        told = [of for of in self._kept_back if of not in there and (of is not None or not there)]
        told.sort(key=lambda of: of is None)
        return [self._kept_back.pop(of) for of in told]
