"""The scenes of drawn decks: their truth is in the picture, and a reader is judged by it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from tablepi.cards import Card, card
from tablepi.virtual.deck import STYLES, Deck

from ..bench.vision_decks import FRAME, LEAST, Shown, read_scenes, scenes, table_of
from ..bench.vision_score import figures

STYLE = STYLES["four-colour"]
SCENES = 4


@dataclass(frozen=True)
class Said:
    card: Card
    confidence: float = 1.0
    box: tuple[int, int, int, int] = (0, 0, 0, 0)


class Telling:
    """Reads scene after scene what it is given."""

    threshold = 0.5

    def __init__(self, readings):
        self._readings = iter(readings)

    def read(self, frame):
        assert (frame.shape, frame.dtype) == ((FRAME[1], FRAME[0], 3), np.dtype(np.uint8))
        return next(self._readings)


def upright(frame: np.ndarray, at: Shown, high: int) -> np.ndarray:
    """The index, turned upright, *high* pixels for its size."""
    c, s, k = np.cos(at.up), np.sin(at.up), high / at.size
    turned = np.array([[c, s], [-s, c]]) * k
    shift = np.array([high / 2, high / 2]) - turned @ [at.x, at.y]
    return cv2.warpAffine(frame, np.hstack([turned, shift[:, None]]), (high, high), flags=cv2.INTER_AREA)


def test_every_card_of_a_scene_shows_an_index_where_the_truth_says():
    deck, high = Deck(STYLE), 48
    alike = []
    for scene in scenes(STYLE, SCENES):
        assert len(scene.lying) <= 7
        assert len({lying.card for lying in scene.lying}) == len(scene.lying)
        for lying in scene.lying:
            printed = deck.indices(lying.card)[0]
            drawn = upright(deck.face(lying.card), Shown(printed.x, printed.y, 0.0, printed.size), high)
            assert lying.indices
            for at in lying.indices:
                assert LEAST <= at.size < FRAME[1]
                seen = upright(scene.frame, at, high)
                narrow = slice(high // 4, -high // 4)  # beside the index are the pips of the face
                a, b = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY)[:, narrow].ravel() for p in (drawn, seen))
                alike.append(np.corrcoef(a, b)[0, 1])
    assert len(alike) > SCENES
    assert min(alike) > 0.6
    assert np.median(alike) > 0.8


def test_a_seed_gives_the_same_scenes_however_many_are_asked_for():
    few, many = list(scenes(STYLE, 1, seed=3)), list(scenes(STYLE, 2, seed=3))
    assert few[0].lying == many[0].lying
    assert np.array_equal(few[0].frame, many[0].frame)
    other = next(scenes(STYLE, 1, seed=4))
    assert not np.array_equal(few[0].frame, other.frame)


def test_who_reads_what_lies_there_is_exact_and_who_adds_a_card_is_false():
    truth = [[Said(lying.card) for lying in scene.lying] for scene in scenes(STYLE, 3)]
    absent = next(c for c in map(card, ("AS", "KS", "QS", "JS")) if Said(c) not in truth[1])
    told = [truth[0], [*truth[1], Said(absent)], truth[2][1:]]
    found = figures([verdict for _, verdict in read_scenes(Telling(told), STYLE, 3)])
    cards = sum(map(len, truth))
    assert (found.exact, found.wrong, found.recall) == ((1, 3), (1, 3), (cards - 1, cards))
    assert table_of({"four-colour": found}, seed=1).rows[-1] == ("mean", "3", "33.3%", f"{1 - 1 / cards:.1%}", "33.3%")
