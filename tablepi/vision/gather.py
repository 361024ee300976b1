"""Which indices are of one card: two that say the same and lie as a card's corners do are one card.

A card has an index in two or four corners: those at one end stand the same way up and side by side, those at the
other end on their head, further down. A pack has each card once; so equal readings are taken for one card unless
their places make that impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..cards import ALL_CARDS, Card
from .namer import Named

FAR = 14.0
"""Index sizes between two corners of one card, at most: the smallest print (8 mm rank and suit) across a diagonal of
106 mm."""


def gather(named: Sequence[Named], *, least: float = 0.02) -> list[tuple[Card, float, tuple[Named, ...]]]:
    """The cards that *named* show: (card, chance, its indices), likeliest first. The chances of a card's indices add
    up as independent looks do: 1 - Π(1 - chance)."""
    by_card: dict[int, list[Named]] = {}
    for one in _peaceful(named):
        best = int(one.chances.argmax())
        if one.chances[best] >= least:
            by_card.setdefault(best, []).append(one)
    cards = []
    for index, ones in by_card.items():
        for group in _physical(ones, index):
            chance = 1 - float(np.prod([1 - n.chances[index] for n in group]))
            cards.append((ALL_CARDS[index], chance, tuple(group)))
    return sorted(cards, key=lambda c: (-c[1], c[0].index))


def _peaceful(named: Sequence[Named]) -> Iterator[Named]:
    """One reading for each place: of two that lie over each other, the surer."""
    kept: list[Named] = []
    for one in sorted(named, key=lambda n: -n.chances.max()):
        near = (np.hypot(one.place.x - o.place.x, one.place.y - o.place.y) < 0.5 * min(one.place.size, o.place.size)
                for o in kept)  # fmt: skip
        if not any(near):
            kept.append(one)
            yield one


def _physical(ones: list[Named], index: int) -> list[list[Named]]:
    """*ones* all read as the same card, split into physical cards."""
    groups: list[list[Named]] = []
    for one in ones:  # surest first
        for group in groups:
            if all(_one_card(one, other) for other in group):
                group.append(one)
                break
        else:
            groups.append([one])
    return groups


def _one_card(one: Named, other: Named) -> bool:
    size = np.sqrt(one.place.size * other.place.size)
    ratio = one.place.size / other.place.size
    apart = np.hypot(one.place.x - other.place.x, one.place.y - other.place.y) / size
    return bool(0.4 < ratio < 2.5 and apart < FAR)
