"""The namer: which rank and suit a place shows, or that it is no index at all.

Each place is cut out upright and named; the answer also says how far the cut was off, and when that is much, or the
name is in doubt, it is cut anew. What stays in doubt is cut a few times more, a little differently each time, and the
answers averaged: only doubt costs time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import network
from .answers import LETTERS, OFFSETS, REAL, SUIT, rank_chances, ranks_of, softmax
from .faces import Faces, Learned
from .finder import Place
from .patches import Pyramid, whiten

STRAIGHT = np.array([0.0, 0.0, 0.0, 1.0, 0.0])
CROOKED = 0.06
"""How far the first cut may be off, in index sizes or radians, without being cut anew."""
NOTHING = 0.02
"""The chance of being any card at all under which a place is not looked at again."""
HOPE = 0.2
"""The chance of the likeliest card under which more looks would not make it a reading."""
LONE = 0.97
"""The chance of the likeliest card under which an index that no other one of its card bears out is cut again: an 8 half
under a glass reads as 6 with 0.91, and by the mean of five cuts with 0.66."""

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
        self._model = model
        self._doubt = doubt
        self._learned: Learned | None = None
        self._ranks = ranks_of(LETTERS if letters is None else letters)

    def learn(self, faces: Faces) -> Learned:
        """Read with what *faces* teach from now on; in it, they are as this namer sees them."""
        model = hashlib.sha256(self._model.read_bytes()).hexdigest()
        learned = faces.told_by(model, self._told).learned(self._ranks)
        self._learned = learned if learned.faces.looks else None
        return learned

    def look(self, frame: Pyramid, place: Place) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """What is kept of a look at an index: its patches, cut a little differently each, and what is told of each."""
        patches = _cuts(frame, [place, *(_shifted(place, *shift) for shift in AGAIN)])
        return patches, self._told(patches)

    def name(self, frame: Pyramid, places: Sequence[Place]) -> list[Named]:
        """*places* of *frame*, named; in the same order."""
        if not places:
            return []
        told = self._ask(frame, places)
        chances = self._chances(told)
        aligned = [_moved(place, row[OFFSETS]) for place, row in zip(places, told, strict=True)]
        crooked = [
            i
            for i, c in enumerate(chances)
            if c.sum() > NOTHING and (c.max() < self._doubt or np.abs(told[i, OFFSETS] - STRAIGHT).max() > CROOKED)
        ]
        if crooked:
            chances[crooked] = self._chances(self._ask(frame, [aligned[i] for i in crooked]))
        named = [Named(place, c) for place, c in zip(aligned, chances, strict=True)]
        doubted = [i for i, c in enumerate(chances) if HOPE < c.max() < self._doubt]
        for i, again in zip(doubted, self.again(frame, [named[i] for i in doubted]), strict=True):
            named[i] = again
        return named

    def unsure_alone(self, named: Named) -> bool:
        """Whether ``name`` was sure enough of an index to leave it at one cut, but not where no other one of its card
        bears it out."""
        return self._doubt <= float(named.chances.max()) < LONE

    def again(self, frame: Pyramid, named: Sequence[Named]) -> list[Named]:
        """Each of *named* by the mean of what it says and what it says in more cuts; in the same order."""
        if not named:
            return []
        cuts = [_shifted(one.place, *shift) for one in named for shift in AGAIN]
        more = self._chances(self._ask(frame, cuts)).reshape(len(named), len(AGAIN), 52)
        means = [(one.chances + each.sum(0)) / (1 + len(AGAIN)) for one, each in zip(named, more, strict=True)]
        return [Named(one.place, mean) for one, mean in zip(named, means, strict=True)]

    def _ask(self, frame: Pyramid, places: Sequence[Place]) -> NDArray[np.float64]:
        return self._told(_cuts(frame, places))

    def _told(self, patches: NDArray[np.uint8]) -> NDArray[np.float64]:
        blob = whiten(patches)
        # One at a time: cv2.dnn plans its memory anew for every other batch size.
        return np.concatenate([network.run(self._net, blob[i : i + 1]) for i in range(len(blob))]).astype(np.float64)

    def _chances(self, told: NDArray[np.float64]) -> NDArray[np.float64]:
        ranks, suits = rank_chances(told, self._ranks), softmax(told[:, SUIT])
        real = 1 / (1 + np.exp(-told[:, REAL]))
        if self._learned is not None:
            ranks, suits = self._learned.corrected(told, ranks)
        return (real[:, None, None] * ranks[:, :, None] * suits[:, None, :]).reshape(len(told), 52)


def _cuts(frame: Pyramid, places: Sequence[Place]) -> NDArray[np.uint8]:
    return np.stack([frame.cut(p.x, p.y, p.up, p.size) for p in places])


def _moved(place: Place, off: NDArray[np.float64]) -> Place:
    """*place*, corrected by what the namer says of its cut."""
    dx, dy, sine, cosine, grown = (float(v) for v in np.clip(off, -1, 1))
    return _shifted(place, np.clip(dx, -0.4, 0.4), np.clip(dy, -0.4, 0.4), np.arctan2(sine, cosine), np.exp(grown))


def _shifted(place: Place, dx: float, dy: float, turn: float, factor: float) -> Place:
    c, s = np.cos(place.up) * place.size, np.sin(place.up) * place.size
    x, y = place.x + dx * c - dy * s, place.y + dx * s + dy * c
    return Place(float(x), float(y), float(place.up + turn), float(place.size * factor), place.score)
