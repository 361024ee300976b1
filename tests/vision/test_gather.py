"""Two indices of one card are one card, two cards are two."""

from __future__ import annotations

import numpy as np
import pytest

from tablepi.cards import card
from tablepi.vision.finder import Place
from tablepi.vision.gather import gather
from tablepi.vision.namer import Named

UPRIGHT, TURNED = 0.0, np.pi


def index(text: str, x: float, y: float, up: float = UPRIGHT, *, chance: float = 0.9, size: float = 20.0) -> Named:
    chances = np.zeros(52)
    chances[card(text).index] = chance
    return Named(Place(x, y, up, size, 0.9), chances)


def turned(named: list[Named], angle: float) -> list[Named]:
    """The same indices on a table that is turned by *angle*."""
    c, s = np.cos(angle), np.sin(angle)
    at = [(n.place.x * c - n.place.y * s, n.place.x * s + n.place.y * c) for n in named]
    places = [Place(x, y, n.place.up + angle, n.place.size, 0.9) for (x, y), n in zip(at, named, strict=True)]
    return [Named(place, n.chances) for place, n in zip(places, named, strict=True)]


def told(named: list[Named]) -> list[tuple[str, float, int]]:
    return [(str(c), round(chance, 4), len(indices)) for c, chance, indices in gather(named)]


@pytest.mark.parametrize("angle", np.radians([0, 37, 90, 161, 270]))
def test_the_two_indices_of_a_card_are_one_card_and_its_chances_add_up(angle):
    corners = [index("QS", 0, 0), index("QS", 80, 130, TURNED, chance=0.8)]
    assert told(turned(corners, angle)) == [("QS", 0.98, 2)]


def test_the_four_indices_of_a_card_are_one_card():
    corners = [index("7D", 0, 0), index("7D", 80, 0), index("7D", 80, 130, TURNED), index("7D", 0, 130, TURNED)]
    assert told(corners) == [("7D", 0.9999, 4)]


@pytest.mark.parametrize("angle", np.radians([0, 37, 200]))
def test_two_equal_cards_side_by_side_are_two(angle):
    one = [index("9C", 0, 0), index("9C", 80, 130, TURNED)]
    other = [index("9C", 400, 0), index("9C", 480, 130, TURNED)]
    assert told(turned(one + other, angle)) == [("9C", 0.99, 2), ("9C", 0.99, 2)]


def test_equal_indices_at_right_angles_are_two_cards():
    assert told([index("AH", 0, 0), index("AH", 90, 40, np.pi / 2)]) == [("AH", 0.9, 1), ("AH", 0.9, 1)]


def test_equal_indices_back_to_back_are_two_cards():
    """The upper one's card lies above it, the lower one's below: no card has its corners so."""
    assert told([index("AH", 0, 0, TURNED), index("AH", 10, 60, UPRIGHT)]) == [("AH", 0.9, 1), ("AH", 0.9, 1)]


def test_different_cards_are_different_cards():
    assert told([index("QS", 0, 0), index("QC", 80, 130, TURNED, chance=0.7)]) == [("QS", 0.9, 1), ("QC", 0.7, 1)]


def test_of_two_readings_of_one_place_the_surer_stays():
    assert told([index("8S", 0, 0), index("9S", 4, 3, chance=0.95)]) == [("9S", 0.95, 1)]


def test_the_corners_of_a_card_in_perspective_are_one_card():
    corners = [index("KD", 0, 0, np.radians(-18), size=26), index("KD", 50, 60, np.radians(195), size=17)]
    assert told(corners) == [("KD", 0.99, 2)]


def test_what_is_hardly_a_card_is_none():
    assert told([index("KD", 0, 0, chance=0.01)]) == []
