"""Scenes on disk: drawing is slow and lessons are many, so scenes are drawn once, in shards, by a seed each.

A shard is one ``.npz``: the JPEG files end to end, where each begins, their truth end to end, where each begins. The
same number always draws the same shard, so drawing can be stopped and taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from . import scenes, sources
from .decks import Deck, Image, Stock
from .scenes import Scene

SCENES = 256
DECK_SCENES = 16
"""Scenes that show one deck before the next is drawn."""


def draw(numbers: range, folder: Path, materials: Path, *, held_out: bool) -> None:
    """Draw the shards *numbers* that *folder* lacks, from the held-out fonts, signs and courts or from the others."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    stock = Stock(
        sources.fonts(materials, held_out=held_out),
        sources.suit_fonts(materials, held_out=held_out),
        sources.courts(materials, held_out=held_out),
    )
    textures = sources.textures(materials)
    for number in numbers:
        file = folder / f"{'held-out' if held_out else 'drawn'}-{number:04d}.npz"
        if not file.exists():
            write(file, list(_scenes(number, stock, textures, held_out=held_out)))


def _scenes(number: int, stock: Stock, textures: list[Image], *, held_out: bool) -> Iterator[Scene]:
    rng = np.random.default_rng([int(held_out), number])
    cv2.setRNGSeed(number + 1)
    for i in range(SCENES):
        if i % DECK_SCENES == 0:
            deck = Deck(rng, stock)
        yield scenes.draw(rng, deck, textures)


def write(file: Path, drawn: list[Scene]) -> None:
    """Write the scenes *drawn* as the shard *file*, whole or not at all."""
    part = file.with_suffix(".part.npz")
    np.savez(
        part,
        jpegs=np.frombuffer(b"".join(s.jpeg for s in drawn), np.uint8),
        jpeg_ends=np.cumsum([len(s.jpeg) for s in drawn]),
        truth=np.concatenate([s.truth for s in drawn]),
        truth_ends=np.cumsum([len(s.truth) for s in drawn]),
    )
    part.rename(file)


def read(file: Path) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.void]]]:
    """The scenes of a shard: (image (512, 512, 3) uint8 BGR, array of TRUTH) each."""
    with np.load(file) as shard:
        jpegs, truth = shard["jpegs"], shard["truth"]
        jpeg_ends, truth_ends = shard["jpeg_ends"], shard["truth_ends"]
    a = b = 0
    for jpeg_end, truth_end in zip(jpeg_ends, truth_ends, strict=True):
        yield cv2.imdecode(jpegs[a:jpeg_end], cv2.IMREAD_COLOR), truth[b:truth_end]
        a, b = jpeg_end, truth_end
