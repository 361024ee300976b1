"""Which indices are of one card: two that say the same and lie as a card's corners do are one card.

A card has an index in two or four corners: those at one end stand the same way up and side by side, those at the
other end on their head, further down. Equal readings that lie in neither way are two cards: somebody mixed packs, or
laid a card beside its twin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..cards import ALL_CARDS, Card
from .namer import Named

FAR = 14.0
"""Index sizes between two corners of one card, at most: the smallest print (8 mm rank and suit) across a diagonal of
106 mm."""
NEAR = 0.8
"""Index sizes between two corners of one card, at least, down the card or across it."""
LEAN = np.radians(40)
"""How far from parallel two corners of one card may look, in perspective and by the namer's error."""


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
            if all(corners_of_one(one, other) for other in group):
                group.append(one)
                break
        else:
            groups.append([one])
    return groups


def corners_of_one(one: Named, other: Named) -> bool:
    """Whether two indices may be corners of one card: standing the same way side by side, or head to head, each below
    the other as it itself sees it."""
    size = np.sqrt(one.place.size * other.place.size)
    if not 0.4 < one.place.size / other.place.size < 2.5:
        return False
    x, y = (other.place.x - one.place.x) / size, (other.place.y - one.place.y) / size
    if np.hypot(x, y) > FAR:
        return False
    turn = (other.place.up - one.place.up + np.pi) % (2 * np.pi) - np.pi
    right, down = _seen_by(one, x, y)
    if abs(turn) < LEAN:  # the same end of the card
        return bool(abs(right) > NEAR and abs(down) < 0.6 * abs(right) + 0.3)
    if abs(turn) > np.pi - LEAN:  # its two ends
        _, back = _seen_by(other, -x, -y)
        return bool(down + back > 2 * NEAR and min(down, back) > -NEAR)
    return False


def _seen_by(one: Named, x: float, y: float) -> tuple[float, float]:
    """The direction (x, y) as right and down of an index that stands upright."""
    c, s = np.cos(one.place.up), np.sin(one.place.up)
    return float(x * c + y * s), float(-x * s + y * c)
