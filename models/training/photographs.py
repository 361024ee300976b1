"""Lessons from photographs that may train: which cards lie there is known, where their indices are is not.

A reader taught on drawings alone finds the indices; the labels say what each must be. A place counts as the index of a
labelled card when the card's box holds it and no other box does, when it is the only card of the photograph, or when
the reader itself names a labelled card. A place in doubt is left out, neither right nor wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import RANKS, card
from tablepi.vision.answers import GLYPHS, rank_of
from tablepi.vision.finder import Finder, Place
from tablepi.vision.namer import Namer
from tablepi.vision.patches import Pyramid

from .namer import LABEL, WIDE, Patches
from .scenes import TRUTH

MAY_TRAIN = ("quentin0312_", "obind_", "jackfurby_", "mspkvp_")
"""CC BY 4.0 (Quentin0312/poker-cards-yolo, Roboflow RF100 "poker cards") and MIT (obind/Card-Ai,
JackFurby/playing-cards-demo, mspkvp/CardDetectorOpenCV). The others state no licence and train nothing."""


@dataclass(frozen=True)
class Photograph:
    """*image* (h, w, 3) uint8 BGR; *truth* an array of ``scenes.TRUTH``: indices found and known, and places in doubt
    (half seen, so that no lesson counts them)."""

    image: NDArray[np.uint8]
    truth: NDArray[np.void]
    patches: Patches


def lessons(folder: Path, models: Path) -> Iterator[Photograph]:
    """Each photograph of *folder* that may train, marked with the reader in *models*."""
    cv2.setNumThreads(1)
    finder = Finder(models / "finder.onnx", least=0.05)
    namer = Namer(models / "namer.onnx", doubt=0.0)
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        if Path(told["file"]).name.startswith(MAY_TRAIN) and told["legible"] and told["complete"]:
            image = cv2.imread(str(folder / told["file"]))
            yield _marked(image, told["cards"], finder.find(image), namer)


def _marked(image: NDArray[np.uint8], cards: list[dict], places: list[Place], namer: Namer) -> Photograph:
    frame = Pyramid(image)
    labelled = {card(c["card"]).index for c in cards}
    rows, pixels, labels = [], [], []

    def patch(place: Place, glyph: int, suit: int) -> None:
        pixels.append(frame.cut(place.x, place.y, place.up, place.size, side=WIDE))
        labels.append((glyph, suit, place.size))

    for found, named in zip(places, namer.name(frame, places), strict=True):
        place, any_card = named.place, float(named.chances.sum())
        known = _known(place, cards, named.chances, labelled)
        if any_card > 0.6 and known is not None:
            glyph, suit = _glyph(namer, frame, place, RANKS[known >> 2]), known & 3
            rows.append((place.x, place.y, place.up, place.size, glyph, suit, 0, 1.0, 1.0))
            patch(place, glyph, suit)
        elif any_card < 0.1:
            patch(found, -1, -1)  # the finder thought it might be one
        else:
            rows.append((place.x, place.y, place.up, place.size, -1, -1, 0, 0.5, 0.5))
    truth = np.array(rows, TRUTH)
    made = Patches(np.array(pixels, np.uint8).reshape(-1, WIDE, WIDE, 3), np.array(labels, LABEL))
    return Photograph(image, truth, made)


def _known(place: Place, cards: list[dict], chances: NDArray[np.float64], labelled: set[int]) -> int | None:
    best = int(chances.argmax())
    if best in labelled and chances[best] > 0.5:
        return best
    if len(cards) == 1 and chances.sum() > 0.8:
        return card(cards[0]["card"]).index
    holding = [c for c in cards if c["box"] and _inside(place, c["box"])]
    if len(holding) == 1 and chances.sum() > 0.8:
        return card(holding[0]["card"]).index
    return None


def _inside(place: Place, box: list[int]) -> bool:
    return box[0] <= place.x <= box[2] and box[1] <= place.y <= box[3]


def _glyph(namer: Namer, frame: Pyramid, place: Place, rank: str) -> int:
    """How *rank* is printed there: of the letters that mean it, the likeliest."""
    ways = [i for i, g in enumerate(GLYPHS) if rank_of(g) == rank]
    told = namer.look(frame, place)[1][0]
    return max(ways, key=lambda i: told[i])
