"""The namer: which rank and suit a place shows, or that it is no index at all.

Each place is cut out upright and named twice: the first look also says how far the cut was off, the second is cut
anew. A place that stays in doubt is cut a few times more, a little differently each time, and the answers averaged:
only doubt costs time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..cards import RANKS
from . import network
from .finder import Place
from .patches import Pyramid, whiten

GLYPHS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "R", "D", "V", "B")
"""What can be printed as a rank, in the order of the network's answers."""

LETTERS: Mapping[str, str] = {"J": "J", "Q": "Q", "K": "K", "R": "K", "D": "Q", "V": "J", "B": "J"}
"""Which rank each court letter means: English, French and Portuguese (R D V), German (K D B) in one. A Dutch deck,
whose V is a queen, needs its own."""

OFFSETS = slice(len(GLYPHS) + 5, len(GLYPHS) + 10)
"""Where the network's answer tells how the cut was off; before them 17 glyphs, 4 suits, whether it is an index at all;
after them the numbers that all this is drawn from."""

AGAIN = ((0.05, 0.0, 0.08, 1.06), (-0.05, 0.03, -0.08, 0.95), (0.0, -0.05, 0.04, 0.9), (0.02, 0.04, -0.04, 1.12))
"""Further cuts in doubt: shift across and down in index sizes, turn in radians, factor of the size."""


@dataclass(frozen=True, slots=True)
class Named:
    """*place*: where the index is after the second cut. *chances* (52,) float64: how likely each card is, by
    ``Card.index``; what is left to 1 is no card."""

    place: Place
    chances: NDArray[np.float64]


class Namer:
    """The namer's network. Not for two threads at once."""

    def __init__(self, model: Path, letters: Mapping[str, str] | None = None, *, doubt: float = 0.9) -> None:
        """*doubt*: the chance of the likeliest card under which a place is cut again. Raises Missing when *model*
        cannot be read."""
        self._net = network.load(model)
        self._doubt = doubt
        meaning = dict(LETTERS if letters is None else letters)
        self._ranks = np.zeros((len(GLYPHS), 13))
        for row, glyph in enumerate(GLYPHS):
            rank = meaning.get(glyph) if glyph in LETTERS else glyph.replace("10", "T")
            if rank is not None:
                self._ranks[row, RANKS.index(rank)] = 1

    def name(self, frame: Pyramid, places: Sequence[Place]) -> list[Named]:
        """*places* of *frame*, named; in the same order."""
        if not places:
            return []
        first = self._ask(frame, places)
        aligned = [_moved(place, told[OFFSETS]) for place, told in zip(places, first, strict=True)]
        chances = self._chances(self._ask(frame, aligned))
        doubted = [i for i, c in enumerate(chances) if c.sum() > 0.05 and c.max() < self._doubt]
        if doubted:
            cuts = [_shifted(aligned[i], *shift) for i in doubted for shift in AGAIN]
            more = self._chances(self._ask(frame, cuts)).reshape(len(doubted), len(AGAIN), 52)
            chances[doubted] = (chances[doubted] + more.sum(1)) / (1 + len(AGAIN))
        return [Named(place, c) for place, c in zip(aligned, chances, strict=True)]

    def _ask(self, frame: Pyramid, places: Sequence[Place]) -> NDArray[np.float64]:
        cuts = np.stack([frame.cut(p.x, p.y, p.up, p.size) for p in places])
        blob = whiten(cuts)
        # One at a time: cv2.dnn plans its memory anew for every other batch size.
        return np.concatenate([network.run(self._net, blob[i : i + 1]) for i in range(len(blob))]).astype(np.float64)

    def _chances(self, told: NDArray[np.float64]) -> NDArray[np.float64]:
        g = len(GLYPHS)
        ranks = _softmax(told[:, :g]) @ self._ranks
        suits = _softmax(told[:, g : g + 4])
        real = 1 / (1 + np.exp(-told[:, g + 4]))
        return (real[:, None, None] * ranks[:, :, None] * suits[:, None, :]).reshape(len(told), 52)


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    e = np.exp(logits - logits.max(1, keepdims=True))
    shares: NDArray[np.float64] = e / e.sum(1, keepdims=True)
    return shares


def _moved(place: Place, off: NDArray[np.float64]) -> Place:
    """*place*, corrected by what the namer says of its cut."""
    dx, dy, sine, cosine, grown = (float(v) for v in np.clip(off, -1, 1))
    return _shifted(place, np.clip(dx, -0.4, 0.4), np.clip(dy, -0.4, 0.4), np.arctan2(sine, cosine), np.exp(grown))


def _shifted(place: Place, dx: float, dy: float, turn: float, factor: float) -> Place:
    c, s = np.cos(place.up) * place.size, np.sin(place.up) * place.size
    x, y = place.x + dx * c - dy * s, place.y + dx * s + dy * c
    return Place(float(x), float(y), float(place.up + turn), float(place.size * factor), place.score)
