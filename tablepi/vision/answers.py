"""What the namer's network answers: one row a patch, and what its numbers mean.

Whoever reads such a row, the namer at the table, an enrolled deck, or the training, reads it by this page.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..cards import RANKS

Floats = NDArray[np.float64]

GLYPHS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "R", "D", "V", "B")
"""What can be printed as a rank, in the order of the network's answers. Which rank a letter means is the deck's
affair."""

LETTERS: Mapping[str, str] = {"J": "J", "Q": "Q", "K": "K", "R": "K", "D": "Q", "V": "J", "B": "J"}
"""Which rank each court letter means: English, French and Portuguese (R D V), German (K D B) in one. A Dutch deck,
whose V is a queen, needs its own."""

RANK = slice(0, len(GLYPHS))
SUIT = slice(len(GLYPHS), len(GLYPHS) + 4)
REAL = len(GLYPHS) + 4
"""Whether it is an index at all."""
OFFSETS = slice(REAL + 1, REAL + 6)
"""How the cut was off: x and y in index sizes, sine and cosine of the turn, log of the size."""
HIDDEN = slice(REAL + 6, None)
"""The numbers that all this is drawn from."""


def meaning(letters: str) -> Mapping[str, str]:
    """Which rank each court letter of a deck means whose king, queen and jack are *letters*, such as ``RDV``."""
    return dict(zip(letters, "KQJ", strict=True))


ABSENT = -30.0
"""The logit of a letter that the deck does not have: it is not there to be read."""


def rank_of(glyph: str, letters: Mapping[str, str] = LETTERS) -> str | None:
    """The rank (of ``cards.RANKS``) that *glyph* means, None for a letter that *letters* lack."""
    return letters.get(glyph) if glyph in LETTERS else glyph.replace("10", "T")


def ranks_of(letters: Mapping[str, str]) -> Floats:
    """Which rank each glyph means: (17, 13), 1 where it does."""
    ranks = np.zeros((len(GLYPHS), len(RANKS)))
    for row, glyph in enumerate(GLYPHS):
        rank = rank_of(glyph, letters)
        if rank is not None:
            ranks[row, RANKS.index(rank)] = 1
    return ranks


def rank_chances(told: Floats, ranks: Floats) -> Floats:
    """The chances of the ranks (n, 13) by the rows *told*, where glyphs mean *ranks* (17, 13)."""
    return np.asarray(softmax(np.where(ranks.any(1), told[:, RANK], ABSENT)) @ ranks)


def softmax(logits: Floats) -> Floats:
    """Shares (n, k) that add up to 1 in each row."""
    e = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(e / e.sum(1, keepdims=True))
