"""What the reader learns from is drawn with its truth beside it: the truth must be true."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="Pillow writes the ranks of drawn decks: pip install '.[train]'")

from models.training import glyphs, scenes, shards, sources
from models.training.decks import HEIGHT, Deck, Stock

FONT = next((Path(__file__).parents[2] / "tablepi/display/fonts").glob("*.ttf"))


@pytest.fixture(scope="module")
def stock() -> Stock:
    return Stock((FONT,), (), [])


def ink(image: np.ndarray, box: tuple[float, float, float, float]) -> float:
    """The share of a box that is darker than paper."""
    x0, y0, x1, y1 = (round(v) for v in box)
    part = image[max(y0, 0) : y1, max(x0, 0) : x1].min(axis=2)
    return float((part < 170).mean())


@pytest.mark.parametrize("seed", range(6))
def test_every_face_has_ink_where_its_indices_are_said_to_be(stock, seed):
    deck = Deck(np.random.default_rng(seed), stock)
    for rank in scenes.RANKS:
        face = deck.face(rank, "S")
        assert len(face.corners) in (2, 4)
        assert sum(corner.turned for corner in face.corners) * 2 == len(face.corners)
        for corner in face.corners:
            assert ink(face.image, corner.rank) > 0.04, (rank, corner)
            assert ink(face.image, corner.suit) > 0.2, (rank, corner)


def test_the_indices_of_one_end_are_those_of_the_other_turned_round(stock):
    face = Deck(np.random.default_rng(3), stock).face("7", "C")
    width = face.image.shape[1]
    upright, turned = (next(c for c in face.corners if c.turned is t) for t in (False, True))
    x0, y0, x1, y1 = upright.rank
    assert turned.rank == pytest.approx((width - x1, HEIGHT - y1, width - x0, HEIGHT - y0), abs=1.5)


def test_backs_and_jokers_have_no_indices(stock):
    deck = Deck(np.random.default_rng(4), stock)
    for face in (deck.back(), deck.joker()):
        assert (face.corners, face.glyph, face.suit) == ((), None, None)


def test_drawn_suit_signs_have_the_proportions_of_suit_signs():
    rng = np.random.default_rng(0)
    for _ in range(40):
        for mask in glyphs.suits(rng, ()).values():
            assert 0.55 < mask.shape[1] / mask.shape[0] < 1.35
            assert 0.3 < (mask > 0.5).mean() < 0.9


def test_a_font_that_lacks_a_letter_is_not_taken():
    assert glyphs.can_write(FONT, "A2JQK")
    assert not glyphs.can_write(FONT, "A\ue123\ue124")


def test_the_truth_of_a_scene_lies_on_its_cards(stock):
    """Where an index is seen whole, the picture is not flat; up points from the suit to the rank."""
    rng = np.random.default_rng(11)
    deck = Deck(rng, stock)
    told = 0
    for _ in range(12):
        scene = scenes.draw(rng, deck, [])
        image = cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE).astype(float)
        for row in scene.truth[np.minimum(scene.truth["rank_seen"], scene.truth["suit_seen"]) > 0.95]:
            half = row["size"] / 3
            x0, y0, x1, y1 = (
                round(float(v)) for v in (row["x"] - half, row["y"] - half, row["x"] + half, row["y"] + half)
            )
            part = image[max(y0, 0) : y1, max(x0, 0) : x1]
            told += 1
            assert part.std() > 2.0
    assert told > 20


def test_a_card_that_is_covered_is_not_said_to_be_seen(stock):
    """Two cards one upon the other: the lower one's indices are hidden."""
    deck = Deck(np.random.default_rng(2), stock)
    owner = np.zeros((scenes.SIZE, scenes.SIZE), np.uint8)
    image = np.zeros((scenes.SIZE, scenes.SIZE, 3), np.uint8)
    rng = np.random.default_rng(0)
    lying = []
    for number, rank in enumerate(("A", "K"), 1):
        place = scenes._similarity(256, 256, 0.0, 300 / HEIGHT)
        card = scenes._Lying(deck.face(rank, "H"), place, 300)
        scenes._lay(rng, image, owner, card, number, 10.0)
        lying.append(card)
    truth = scenes._truth(lying, owner)
    lower, upper = truth[truth["card"] == 1], truth[truth["card"] == 2]
    assert lower["rank_seen"].max() == 0
    assert upper["rank_seen"].min() == 1
    assert upper[0]["up"] == pytest.approx(0, abs=1e-6)


def test_a_shard_is_drawn_the_same_again_and_read_as_it_was_drawn(stock, tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "SCENES", 3)
    drawn = list(shards._scenes(5, stock, [], held_out=False))
    again = list(shards._scenes(5, stock, [], held_out=False))
    assert [s.jpeg for s in drawn] == [s.jpeg for s in again]
    shards.write(tmp_path / "drawn-0005.npz", drawn)
    read = list(shards.read(tmp_path / "drawn-0005.npz"))
    assert [image.shape for image, _ in read] == [(512, 512, 3)] * 3
    assert all((truth == scene.truth).all() for (_, truth), scene in zip(read, drawn, strict=True))
    assert [file.name for file in tmp_path.iterdir()] == ["drawn-0005.npz"]


def test_held_out_fonts_train_nothing():
    assert set(sources.FONTS) > sources.HELD_OUT
    assert len(sources.FONTS) == len(set(sources.FONTS))
