"""Measuring what enrolment is worth: held-out decks read as they are, and again once some looks at them were learned.

Two kinds of decks, neither of which trained anything: those of the held-out shards, and the same kind with letters on
jack, queen, king and ace that no deck of the training has (``Foreign``). Scenes that show one deck come in a row: the
first of them are the looks, the others are measured. What was learned of one deck is also tried on the next deck, where
it should do neither good nor harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from . import scenes, sources
from .decks import Deck, Mask, Stock
from .shards import DECK_SCENES, SCENES
from .shards import _write as write

STRANGE = "CEFGHLMNPSTUWXYZ"
"""Letters that no class of the namer stands for."""


class Foreign(Deck):
    """A deck whose jack, queen, king and ace bear letters that the namer has never met. Its truth keeps their ranks."""

    def __init__(self, rng: np.random.Generator, stock: Stock) -> None:
        super().__init__(rng, stock)
        letters = [str(letter) for letter in rng.choice(list(STRANGE), 4, replace=False)]
        self._printed = dict(zip((*self._letters, "A"), letters, strict=True))

    def _rank_shape(self, text: str) -> Mask:
        return super()._rank_shape(self._printed.get(text, text))


def draw_foreign(number: int, folder: Path, materials: Path, *, decks: int = SCENES // DECK_SCENES) -> Path:
    """Draw the shard *number* of foreign decks, unless *folder* has it."""
    file = folder / f"foreign-{number:04d}.npz"
    if not file.exists():
        cv2.setNumThreads(1)
        folder.mkdir(parents=True, exist_ok=True)
        write(file, list(_foreign(number, materials, decks)))
    return file


def _foreign(number: int, materials: Path, decks: int) -> Iterator[scenes.Scene]:
    stock = Stock(
        sources.fonts(materials, held_out=True),
        sources.suit_fonts(materials, held_out=True),
        sources.courts(materials, held_out=True),
    )
    textures = sources.textures(materials)
    rng = np.random.default_rng([2, number])
    cv2.setRNGSeed(number + 1)
    for _ in range(decks):
        deck = Foreign(rng, stock)
        for _ in range(DECK_SCENES):
            yield scenes.draw(rng, deck, textures)
