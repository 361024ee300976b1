"""Measuring what enrolment is worth: held-out decks read as they are, and again once some looks at them were learned.

    python -m models.training.enrolled WORK [--models DIR] [--decks N] [--learned N]

Two kinds of decks, neither of which trained anything: those of the held-out shards, and the same kind with letters on
jack, queen, king and ace that no deck of the training has (``Foreign``). Scenes that show one deck come in a row: from
the first of them the looks are taken, by their truth; the others are measured. What was learned of one deck is also
tried on the next one, where it should do neither good nor harm.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import ALL_CARDS
from tablepi.vision.faces import Faces, Look
from tablepi.vision.namer import Named
from tablepi.vision.reader import CardReader

from . import scenes, shards, sources
from .decks import Deck, Stock
from .glyphs import Mask
from .measure import card_shown

STRANGE = "CEFGHLMNPSTUWXYZ"
"""Letters that no class of the namer stands for."""
LEAST_PIXELS = 18.0
"""An index of this size that is seen whole can be read."""
NOTHING = Faces("")

Scene = tuple[NDArray[np.uint8], NDArray[np.void]]


class Foreign(Deck):
    """A deck whose jack, queen, king and ace bear letters that the namer has never met. Its truth keeps their ranks."""

    def __init__(self, rng: np.random.Generator, stock: Stock) -> None:
        super().__init__(rng, stock)
        letters = [str(letter) for letter in rng.choice(list(STRANGE), 4, replace=False)]
        self._printed = dict(zip((*self._letters, "A"), letters, strict=True))

    def _rank_shape(self, text: str) -> Mask:
        return super()._rank_shape(self._printed.get(text, text))


def draw_foreign(file: Path, materials: Path, *, decks: int, each: int, seed: int = 0) -> None:
    """Draw *decks* foreign decks, *each* that many scenes, into the shard *file*, unless it is there."""
    if file.exists():
        return
    cv2.setNumThreads(1)
    file.parent.mkdir(parents=True, exist_ok=True)
    stock = Stock(
        sources.fonts(materials, held_out=True),
        sources.suit_fonts(materials, held_out=True),
        sources.courts(materials, held_out=True),
    )
    textures = sources.textures(materials)
    rng = np.random.default_rng([2, seed])
    cv2.setRNGSeed(seed + 1)
    drawn = []
    for _ in range(decks):
        deck = Foreign(rng, stock)
        drawn += [scenes.draw(rng, deck, textures) for _ in range(each)]
    shards.write(file, drawn)


@dataclass
class Score:
    """How scenes were read at the reader's threshold. A scene is exact when every card that can be read was, and
    nothing else that is not there; a card of which a third is seen may be read or not."""

    scenes: int = 0
    exact: int = 0
    false: int = 0
    cards: int = 0
    read: int = 0

    def add(self, reader: CardReader, scene: Scene) -> None:
        image, truth = scene
        seen = np.minimum(truth["rank_seen"], truth["suit_seen"])
        names = np.array([card_shown(row) for row in truth], dtype=np.int64)
        readable = set(names[(seen > 0.8) & (truth["size"] >= LEAST_PIXELS)].tolist())
        there = set(names[seen > 0.3].tolist())
        told = [r.card.index for r in reader.read(image) if r.confidence >= reader.threshold]
        false = len(told) > len(set(told)) or bool(set(told) - there)
        self.scenes += 1
        self.exact += not false and readable <= set(told)
        self.false += false
        self.cards += len(readable)
        self.read += len(readable & set(told))

    def __str__(self) -> str:
        return (
            f"exact {self.exact / max(self.scenes, 1):6.1%}   readable cards read {self.read / max(self.cards, 1):6.1%}"
            f"   scenes with a false card {self.false / max(self.scenes, 1):6.1%}   ({self.scenes} scenes)"
        )


@dataclass
class Worth:
    """The same scenes read without enrolment, with the deck's own looks, and with those of the deck before."""

    without: Score = field(default_factory=Score)
    enrolled: Score = field(default_factory=Score)
    stranger: Score = field(default_factory=Score)
    looks: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"  as it is           {self.without}\n  enrolled           {self.enrolled}\n"
            f"  another's faces    {self.stranger}\n"
            f"  looks a deck       {np.median(self.looks):.0f} ({min(self.looks)} to {max(self.looks)})"
        )


def worth(reader: CardReader, files: Iterable[Path], *, decks: int, learned: int, each: int) -> Worth:
    """Measure on the first *decks* decks of *files*, which show a deck in *each* scenes, the first *learned* of which
    are enrolled."""
    cv2.setNumThreads(1)
    told, before = Worth(), NOTHING
    shown = (scene for file in files for scene in shards.read(file))
    for _ in range(decks):
        of_deck = list(islice(shown, each))
        if not of_deck:
            break
        reader.learn(NOTHING)
        faces = Faces("", tuple(_looks(reader, of_deck[:learned])))
        rest = of_deck[learned:]
        for score, known in ((told.without, NOTHING), (told.enrolled, faces), (told.stranger, before)):
            if score is told.stranger and not before.looks:
                continue  # the first deck has none before it
            reader.learn(known)
            for scene in rest:
                score.add(reader, scene)
        told.looks.append(len(faces.looks))
        before = faces
    return told


def _looks(reader: CardReader, learned: Sequence[Scene]) -> Iterator[Look]:
    for number, (image, truth) in enumerate(learned):
        for named in reader.name(image):
            index = _shown_at(named, truth)
            if index is not None:
                (patches, told), = reader.looks(image, [named.place])  # fmt: skip
                yield Look(ALL_CARDS[index], f"scene {number}", patches, told)


def _shown_at(named: Named, truth: NDArray[np.void]) -> int | None:
    """The card whose whole index lies there the same way up, None where there is none."""
    place = named.place
    apart = np.hypot(truth["x"] - place.x, truth["y"] - place.y) / truth["size"]
    turned = np.abs((truth["up"] - place.up + np.pi) % (2 * np.pi) - np.pi)
    whole = np.minimum(truth["rank_seen"], truth["suit_seen"]) > 0.8
    found = np.flatnonzero((apart < 0.3) & (turned < 0.7) & whole)
    return card_shown(truth[found[apart[found].argmin()]]) if len(found) else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="the folder of the training, with shards and materials")
    parser.add_argument("--models", type=Path, help="the models to measure (models/)")
    parser.add_argument("--decks", type=int, default=16, help="of each kind (16)")
    options = parser.parse_args()
    reader = CardReader(options.models)
    held_out = sorted((options.work / "shards").glob("held-out-*.npz"))
    each = shards.DECK_SCENES
    told = worth(reader, held_out, decks=options.decks, learned=each // 2, each=each)
    print(f"held-out decks, {each // 2} scenes learned:\n{told}", flush=True)
    foreign = options.work / "shards" / f"foreign-{options.decks}.npz"
    draw_foreign(foreign, options.work / "materials", decks=options.decks, each=each)
    told = worth(reader, [foreign], decks=options.decks, learned=each // 2, each=each)
    print(f"held-out decks with letters never met, {each // 2} scenes learned:\n{told}")


if __name__ == "__main__":
    main()
