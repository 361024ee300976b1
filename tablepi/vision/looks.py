"""Which indices of a picture are looks at the card that a person says it shows.

A picture of one card shows its indices, two or four. They are the card's even where they are misread: that is what
enrolment is for. But a second card in the picture must not be learned under the first one's name, so what is plainly
another card is left, and where it cannot be told nothing is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..cards import Card
from .gather import corners_of_one
from .namer import Named

INDEX = 0.3
"""The least chance of being an index at all: letters that the namer never met pass for indices with little more."""
PLAIN = 0.8
"""The chance from which a reading that is another card is another card."""
ALIKE = 1.5
"""The ratio of the sizes of one card's corners, at most."""


def likely(named: Sequence[Named]) -> list[Named]:
    """Those of *named* that are indices, and not on top of a likelier one."""
    kept: list[Named] = []
    for one in sorted(named, key=lambda n: -n.chances.sum()):
        if one.chances.sum() >= INDEX and not any(_apart(one, other) < 0.5 for other in kept):
            kept.append(one)
    return kept


def of_card(named: Sequence[Named], card: Card) -> tuple[Named, ...]:
    """Those of *named* that are looks at *card*, in a picture that shows it; () when it cannot be told which.

    Where some read as *card*, those and what lies as its other corners do and is not plainly another card; else all
    indices, when they can all be corners of one card.
    """
    found = likely(named)
    right = sorted((n for n in found if n.chances[card.index] >= 0.5), key=lambda n: -n.chances[card.index])
    if not right:
        return tuple(found) if one_card(found) else ()
    others = [n for n in found if n.chances[card.index] < 0.5 and n.chances.max() < PLAIN]
    taken = [right[0]]
    for one in right[1:] + others:
        if one_card([*taken, one]):
            taken.append(one)
    return tuple(taken)


def one_card(indices: Sequence[Named]) -> bool:
    """Whether *indices* lie as the corners of one card may: at most four, of one size."""
    sizes = [each.place.size for each in indices]
    if not sizes or len(sizes) > 4 or max(sizes) > ALIKE * min(sizes):
        return False
    return all(corners_of_one(one, other) for i, one in enumerate(indices) for other in indices[i + 1 :])


def _apart(one: Named, other: Named) -> float:
    """In index sizes."""
    far = np.hypot(one.place.x - other.place.x, one.place.y - other.place.y)
    return float(far / np.sqrt(one.place.size * other.place.size))
