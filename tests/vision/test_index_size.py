"""An index has the size of its deck's indices, or it is half of one, or none."""

from __future__ import annotations

import pytest

from tablepi.vision.index_size import CARDS, ENOUGH, Fit, IndexSize
from tablepi.vision.zones import Corner


def corners(*sizes: float) -> tuple[Corner, ...]:
    return tuple(Corner(0.0, 0.0, 0.0, size) for size in sizes)


def learned(*cards: tuple[float, ...]) -> IndexSize:
    known = IndexSize()
    for sizes in cards:
        known.learn(corners(*sizes))
    return known


STANDARD = ((17.0, 17.2),) * ENOUGH


@pytest.mark.parametrize(
    ("size", "fit"),
    [(17, Fit.WHOLE), (15, Fit.WHOLE), (20, Fit.WHOLE), (14, Fit.PART), (11, Fit.PART), (22, Fit.PART),
     (10, Fit.NONE), (25, Fit.NONE), (40, Fit.NONE)],
)  # fmt: skip
def test_an_index_that_is_read_alone_is_judged_by_the_decks(size, fit):
    assert learned(*STANDARD).fit(corners(size)) is fit


def test_two_indices_of_a_card_bear_each_other_out_whatever_their_size():
    assert learned(*STANDARD).fit(corners(9, 40)) is Fit.WHOLE


def test_nothing_is_judged_before_some_cards_were_read_at_both_ends():
    assert learned(*STANDARD[1:], (17.0,), (17.0,)).fit(corners(40)) is Fit.WHOLE


def test_one_index_of_a_card_that_is_seen_in_part_does_not_spoil_the_size():
    assert learned(*STANDARD, (9.0, 17.0, 17.1), (9.0, 9.2)).fit(corners(10)) is Fit.NONE


def test_another_deck_is_known_by_its_size_after_some_cards():
    known = learned(*STANDARD * CARDS)
    for _ in range(CARDS // 2 + 1):
        known.learn(corners(27, 27.4))
    assert (known.fit(corners(27)), known.fit(corners(17))) == (Fit.WHOLE, Fit.PART)
