"""Two indices of one card are one card, two cards are two."""

from __future__ import annotations

import numpy as np
import pytest

from tablepi.cards import card
from tablepi.vision.finder import Place
from tablepi.vision.gather import MOST, gather
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


def cards(named: list[Named], *, least: float = 0.9) -> list[tuple[str, int]]:
    """The cards told with at least that chance, and how many indices each has."""
    return [(name, indices) for name, chance, indices in told(named) if chance >= least]


def wavering(text: str, chance: float, other: str, less: float, x: float, y: float, up: float = UPRIGHT) -> Named:
    one = index(text, x, y, up, chance=chance)
    one.chances[card(other).index] = less
    return one


@pytest.mark.parametrize("angle", np.radians([0, 37, 90, 161, 270]))
def test_the_two_indices_of_a_card_are_one_card_surer_than_each(angle):
    corners = [index("QS", 0, 0), index("QS", 80, 130, TURNED, chance=0.8)]
    [(name, chance, indices)] = told(turned(corners, angle))
    assert (name, indices) == ("QS", 2)
    assert 0.93 < chance < 0.98


def test_an_index_farther_away_than_a_card_is_long_is_another_cards_where_that_is_known():
    """A jumbo ace, and 182 mm from it the half of a king's index that is under a hand."""
    ace, half = index("AD", 0, 0, size=45), index("AD", 130, 247, TURNED, chance=0.3, size=40)
    assert [len(corners) for _, _, corners in gather([ace, half])] == [2]
    assert [len(corners) for _, _, corners in gather([ace, half], 1.53)] == [1, 1]
    assert [len(corners) for _, _, corners in gather([ace, half], 1.53 * 182 / 105)] == [2]


def test_the_four_indices_of_a_card_are_one_card():
    corners = [index("7D", 0, 0), index("7D", 80, 0), index("7D", 80, 130, TURNED), index("7D", 0, 130, TURNED)]
    assert cards(corners, least=0.99) == [("7D", 4)]


def test_two_looks_that_waver_between_the_same_names_are_sure_of_what_both_say():
    """A queen of whose two corners one might be a 6 and the other an 8."""
    corners = [wavering("QH", 0.7, "6H", 0.25, 0, 0), wavering("QH", 0.65, "8H", 0.3, 80, 130, TURNED)]
    assert cards(corners, least=0.95) == [("QH", 2)]


def test_two_ends_of_one_card_that_disagree_are_one_card():
    """What one look leaves possible and the other says is the card."""
    corners = [index("JH", 0, 0, chance=0.96), wavering("8H", 0.5, "JH", 0.45, 80, 130, TURNED)]
    assert cards(corners, least=0.5) == [("JH", 2)]


def test_two_pairs_of_ends_round_one_middle_are_one_card_whatever_they_say():
    """A deck that prints J in two corners and B in the others: no B is an 8 beside a J."""
    corners = [index("JH", 0, 0, chance=0.99), index("JH", 80, 130, TURNED, chance=0.99),
               wavering("8H", 0.8, "JH", 0.1, 80, 0), wavering("8H", 0.8, "JH", 0.1, 0, 130, TURNED)]  # fmt: skip
    assert cards(corners, least=0.5) == [("JH", 4)]


def test_what_is_hardly_an_index_has_no_say_in_what_its_card_is():
    """Parts of a court's picture, which has the same middle as its card."""
    court = [index("KD", 30, 40, chance=0.3, size=30), index("KD", 50, 90, TURNED, chance=0.2, size=30)]
    assert cards([index("QH", 0, 0), index("QH", 80, 130, TURNED), *court]) == [("QH", 2)]


def test_two_cards_of_a_fan_are_two_though_they_lie_as_corners_do():
    assert cards([index("KS", 0, 0), index("KC", 30, 4)]) == [("KC", 1), ("KS", 1)]
    fan = [index("KS", 0, 0, chance=0.95), wavering("KC", 0.55, "KS", 0.4, 30, 4)]
    assert told(fan) == [("KS", 0.95, 1), ("KC", 0.55, 1)]


@pytest.mark.parametrize("angle", np.radians([0, 37, 200]))
def test_two_equal_cards_side_by_side_are_two(angle):
    one = [index("9C", 0, 0, chance=0.99), index("9C", 80, 130, TURNED, chance=0.99)]
    other = [index("9C", 400, 0, chance=0.99), index("9C", 480, 130, TURNED, chance=0.99)]
    assert cards(turned(one + other, angle)) == [("9C", 2), ("9C", 2)]


def test_a_second_card_of_a_name_must_be_surer_than_a_first():
    """Packs are seldom mixed: a lone index of a card that lies elsewhere is rather a misread one."""
    first = [index("9C", 0, 0), index("9C", 80, 130, TURNED)]
    assert cards([*first, index("9C", 400, 300)]) == [("9C", 2)]


def test_equal_indices_at_right_angles_are_two_cards():
    assert [indices for _, _, indices in told([index("AH", 0, 0), index("AH", 90, 40, np.pi / 2)])] == [1, 1]


def test_equal_indices_back_to_back_are_two_cards():
    """The upper one's card lies above it, the lower one's below: no card has its corners so."""
    assert [indices for _, _, indices in told([index("AH", 0, 0, TURNED), index("AH", 10, 60, UPRIGHT)])] == [1, 1]


def test_different_cards_are_different_cards():
    assert told([index("QS", 0, 0), index("QC", 80, 130, TURNED, chance=0.7)]) == [("QS", 0.9, 1), ("QC", 0.7, 1)]


def test_of_two_readings_of_one_place_the_surer_stays():
    assert told([index("8S", 0, 0), index("9S", 4, 3, chance=0.95)]) == [("9S", 0.95, 1)]


def test_the_corners_of_a_card_in_perspective_are_one_card():
    corners = [index("KD", 0, 0, np.radians(-18), size=26), index("KD", 50, 60, np.radians(195), size=17)]
    assert cards(corners) == [("KD", 2)]


def test_what_is_hardly_a_card_is_none():
    assert told([index("KD", 0, 0, chance=0.01)]) == []


def test_a_cloth_printed_with_indices_does_not_take_for_ever():
    printed = [index("AH", 60.0 * (i % 20), 70.0 * (i // 20), chance=0.5 + i / 1000) for i in range(300)]
    assert sum(indices for _, _, indices in told(printed)) == MOST
