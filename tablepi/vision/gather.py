"""Which indices are of one card, and what they say together.

A card has an index in two or four corners: those at one end stand the same way up and side by side, those at the
other end on their head, further down. Whether two indices that lie so are of one card is a question of odds: how often
indices that lie so are (of the two ends of a card often, of neighbours in a fan hardly ever), times how much more
alike two looks at one card are than two looks at different ones. Two sure readings that differ are two cards; two that
waver between the same names are one.

The looks of one card are then weighed together: what all of them hold possible stays, what one of them rules out
falls. They are not independent, the same print deceives them alike, so that each look after the first counts half;
and what is hardly an index has hardly a say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..cards import ALL_CARDS, Card
from .namer import Named

FAR = 14.0
"""Index sizes between two corners of one card, at most: the smallest print (8 mm rank and suit) across a diagonal of
106 mm. For the largest print that is thrice too far."""
DIAGONAL = 110.0
"""Millimetres between two corners of one card, at most, where it is known how large a millimetre is."""
NEAR = 0.8
"""Index sizes between two corners of one card, at least, down the card or across it."""
LEAN = np.radians(40)
"""How far from parallel two corners of one card may look, in perspective and by the namer's error."""

ENDS, SIDES, MIDDLE = 0.5, 0.03, 1000.0
"""Odds that two indices are of one card, by how they lie alone: as its two ends; side by side, where decks with four
indices are rare and fans are not; two pairs of ends around one middle, which two cards that are both seen cannot
have."""
AGAIN = 0.5
"""What each look at a card after the first counts."""
TWIN = 0.05
"""Odds that a card which is read a second time elsewhere is there: somebody mixed packs."""
MOST = 80
"""Indices that are put together, at most, the surest: four packs of corners do not lie in one frame, but a cloth may be
printed with them."""
UNLIKELY = 1e-4
"""What no look says less of a card than: the namer can be surer than it should."""

Chances = NDArray[np.float64]


def gather(
    named: Sequence[Named], per_mm: float | None = None, *, least: float = 0.02
) -> list[tuple[Card, float, tuple[Named, ...]]]:
    """The cards that *named* show: (card, chance, its indices), likeliest first; surest index first. *per_mm*: the
    pixels of a millimetre of the table, where that is known."""
    seen = [one for one in _peaceful(named) if one.chances.max() >= least][:MOST]
    cards = []
    for group in _groups(seen, np.inf if per_mm is None else DIAGONAL * per_mm):
        together = weighed([one.chances for one in group])
        best = int(together.argmax())
        cards.append((ALL_CARDS[best], float(together[best]), tuple(group)))
    met: set[Card] = set()
    told = []
    for card, chance, corners in sorted(cards, key=_likeliest):
        told.append((card, _twin(chance) if card in met else chance, corners))
        met.add(card)
    return sorted(told, key=_likeliest)


def _likeliest(told: tuple[Card, float, tuple[Named, ...]]) -> tuple[float, int]:
    return -told[1], told[0].index


def weighed(looks: Sequence[Chances]) -> Chances:
    """The chances (52,) of the cards by *looks*, each (52,), at one of them; what they lack to 1 is no card."""
    if len(looks) == 1:
        return looks[0]
    each = np.stack([np.append(look, 1 - look.sum()) for look in looks])
    real = np.clip(each[:, :-1].sum(1), 0.02, 1.0)
    counts = 1 + AGAIN * (real.sum() / real.max() - 1)
    together = np.exp(counts * (real @ np.log(np.maximum(each, UNLIKELY))) / real.sum())
    return np.asarray(together[:-1] / together.sum())


def _twin(chance: float) -> float:
    return chance * TWIN / (chance * TWIN + (1 - chance))


def _peaceful(named: Sequence[Named]) -> Iterator[Named]:
    """One reading for each place: of two that lie over each other, the surer."""
    kept: list[Named] = []
    for one in sorted(named, key=lambda n: -n.chances.max()):
        near = (np.hypot(one.place.x - o.place.x, one.place.y - o.place.y) < 0.5 * min(one.place.size, o.place.size)
                for o in kept)  # fmt: skip
        if not any(near):
            kept.append(one)
            yield one


def _groups(seen: list[Named], far: float) -> list[list[Named]]:
    """*seen* put together card by card, the likeliest belonging first; surest index first, as they come. No two are of
    one card that are more than *far* pixels apart."""
    groups = [[one] for one in seen]
    looks = [one.chances for one in seen]
    while len(groups) > 1:
        alike = _alike(np.stack(looks))
        pairs = [i for i, group in enumerate(groups) if len(group) == 2]
        likely = [*np.argwhere(np.triu(alike, 1) * ENDS > 1).tolist(), *map(list, combinations(pairs, 2))]
        told = ((alike[i, j] * _kinship(groups[i], groups[j], far), i, j) for i, j in likely)
        odds, i, j = max(told, default=(0, 0, 0))
        if odds <= 1:
            break
        groups[i] += groups.pop(j)
        looks.pop(j)
        looks[i] = weighed([one.chances for one in groups[i]])
    return groups


def _alike(looks: Chances) -> Chances:
    """How many times likelier two of *looks* (n, 52) are when both are at one card than at any two of 52: (n, n)."""
    floored = np.maximum(looks, UNLIKELY)
    return np.asarray(52 * floored @ floored.T)


def _kinship(one: list[Named], other: list[Named], far: float) -> float:
    """Odds that two groups of indices are of one card, by how they lie."""
    if any(np.hypot(a.place.x - b.place.x, a.place.y - b.place.y) > far for a in one for b in other):
        return 0.0
    if len(one) == len(other) == 2 and _around_one_middle(one, other):
        return MIDDLE
    odds = 0.0
    for a in one:
        for b in other:
            way = _way(a, b)
            if way == 0.0:
                return 0.0
            odds = max(odds, way)
    return odds


def _around_one_middle(one: list[Named], other: list[Named]) -> bool:
    if min(n.chances.sum() for n in (*one, *other)) < 0.5:  # a court's picture has one middle with its card, too
        return False
    if _way(*one) != ENDS or _way(*other) != ENDS or not all(corners_of_one(a, b) for a in one for b in other):
        return False
    middles = [np.mean([(n.place.x, n.place.y) for n in pair], 0) for pair in (one, other)]
    return bool(np.hypot(*(middles[0] - middles[1])) < 0.5 * min(n.place.size for n in (*one, *other)))


def corners_of_one(one: Named, other: Named) -> bool:
    """Whether two indices may be corners of one card: standing the same way side by side, or head to head, each below
    the other as it itself sees it."""
    return _way(one, other) > 0


def _way(one: Named, other: Named) -> float:
    """ENDS, SIDES, or 0 when no card has its corners so."""
    size = np.sqrt(one.place.size * other.place.size)
    if not 0.4 < one.place.size / other.place.size < 2.5:
        return 0.0
    x, y = (other.place.x - one.place.x) / size, (other.place.y - one.place.y) / size
    if np.hypot(x, y) > FAR:
        return 0.0
    turn = (other.place.up - one.place.up + np.pi) % (2 * np.pi) - np.pi
    right, down = _seen_by(one, x, y)
    if abs(turn) < LEAN and abs(right) > NEAR and abs(down) < 0.6 * abs(right) + 0.3:
        return SIDES
    if abs(turn) > np.pi - LEAN:  # its two ends
        _, back = _seen_by(other, -x, -y)
        if down + back > 2 * NEAR and min(down, back) > -NEAR:
            return ENDS
    return 0.0


def _seen_by(one: Named, x: float, y: float) -> tuple[float, float]:
    """The direction (x, y) as right and down of an index that stands upright."""
    c, s = np.cos(one.place.up), np.sin(one.place.up)
    return float(x * c + y * s), float(-x * s + y * c)
