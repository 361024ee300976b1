"""How large the deck at the table prints its indices: what is read alone and is larger or smaller is none of them.

On the table an index has as many millimetres wherever it lies, and all cards of a deck have indices of one size. What
only looks like one has any size: in the picture of a joker or of a court an index is read that is half as large again;
and of one that lies half under something, what is seen of it is read as a smaller one, even surely: the left half of a
4 is an A. Two indices of one card bear each other out, so their size is learned, and only what is read alone is judged
by it. A deck that takes the place of another is known by its size after some cards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import Enum
from statistics import median

from .zones import Corner

CARDS, ENOUGH = 12, 3
"""Of how many cards, the latest, the size is learned; and from how many on anything is judged by it."""
WHOLE = 0.85, 1.2
"""From which to which share of the usual size an index is seen whole. Of whole ones that are read alone on the virtual
table 98 in 100 have 0.93 to 1.09 of it; the left half of a 4 had 0.82."""
SOME = 0.6, 1.4
"""The same of one that may be seen in part. Pictures of jokers and courts are read with 1.5 to 1.85."""


class Fit(Enum):
    """What the size of an index says."""

    WHOLE = "all of it is seen"
    PART = "it may be half of one"
    NONE = "it is none of this deck"


class IndexSize:
    """The size of this deck's indices, learned as its cards come."""

    def __init__(self) -> None:
        self._of: deque[float] = deque(maxlen=CARDS)  # millimetres

    def learn(self, corners: Sequence[Corner]) -> None:
        """A card was read surely by these *corners*; of one alone nothing is learned."""
        if len(corners) > 1:
            self._of.append(median(corner.size for corner in corners))

    def fit(self, corners: Sequence[Corner]) -> Fit:
        """What their size says of the *corners* of one card: of several nothing, nor of any while it is not known."""
        if len(corners) > 1 or len(self._of) < ENOUGH:
            return Fit.WHOLE
        share = corners[0].size / median(self._of)
        if WHOLE[0] <= share <= WHOLE[1]:
            return Fit.WHOLE
        return Fit.PART if SOME[0] <= share <= SOME[1] else Fit.NONE
