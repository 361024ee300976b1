"""From frames to facts: what comes to lie on the felt is told once, and nothing that only seems to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .colour_table import Table


@pytest.fixture
def table() -> Table:
    table = Table()
    assert table.see() == []
    return table


def with_cards(*cards: str) -> Table:
    table = Table()
    table.see()
    for seat, name in enumerate(cards):
        table.felt.lay(name, seat)
        table.see()
    return table


def test_a_card_that_is_laid_is_seen_once_at_the_seat_it_lies_before(table):
    table.felt.lay("2C", 1)
    assert table.see(3) == ["seen 1:2C 0.97"]


def test_the_cards_of_a_trick_are_seen_in_the_order_they_come(table):
    told = []
    for name, seat in (("QS", 3), ("KS", 0), ("2H", 1), ("AS", 2)):
        table.felt.lay(name, seat)
        told += table.see()
    assert told == ["seen 3:QS 0.97", "seen 0:KS 0.97", "seen 1:2H 0.97", "seen 2:AS 0.97"]


def test_cards_that_lie_there_from_the_start_are_seen(table):
    table = Table()
    table.felt.lay("5D", 2)
    table.felt.lay("6D", 3)
    assert table.see() == ["seen 2:5D 0.97", "seen 3:6D 0.97"]


def test_two_cards_at_once_come_in_the_order_of_the_seats_after_the_last(table):
    table.felt.lay("QS", 2)
    table.see()
    table.felt.lay("KS", 0)
    table.felt.lay("AS", 3)
    assert table.see() == ["seen 3:AS 0.97", "seen 0:KS 0.97"]


def test_a_card_is_told_only_when_it_has_lain_still(table):
    table.felt.lay("2C", 1)
    assert table.see(0.26) == []
    table.felt.lay("2C", 1, dx=8)  # slid on
    assert table.see(0.26) == []
    assert table.see(0.3) == ["seen 1:2C 0.97"]


def test_what_moves_is_never_read(table):
    reads = table.watcher.reads
    for step in range(20):
        table.felt.lay("2C", 1, dx=-4 * step)
        assert table.see(1 / 15) == []
    assert table.watcher.reads == reads


def test_a_still_table_is_not_read_again(table):
    table.felt.lay("2C", 1)
    table.see()
    reads = table.watcher.reads
    assert table.see(5) == []
    assert table.watcher.reads == reads


def test_a_trick_that_is_swept_leaves_an_empty_felt():
    table = with_cards("QS", "KS", "2H", "AS")
    table.felt.cards.clear()
    assert table.see() == ["gone 0:QS", "gone 1:KS", "gone 2:2H", "gone 3:AS", "cleared"]


def test_a_card_that_is_taken_back_is_gone_and_another_in_its_place_is_seen():
    table = with_cards("QS", "KS")
    del table.felt.cards["KS"]
    assert table.see() == ["gone 1:KS"]
    table.felt.lay("3S", 1)
    assert table.see() == ["seen 1:3S 0.97"]


def test_of_a_card_exchanged_in_one_movement_the_other_is_seen_over_it():
    """Cloth is not seen in its place, so it may lie there still."""
    table = with_cards("QS", "KS")
    del table.felt.cards["KS"]
    table.felt.lay("3S", 1, dx=40, dy=20)
    assert table.see() == ["seen 1:3S 0.97"]
    del table.felt.cards["3S"]
    assert table.see() == ["gone 1:KS", "gone 1:3S"]


def test_a_card_that_lay_there_from_the_start_is_gone_when_it_leaves_however_uneven_the_light():
    table = Table()
    table.felt.darker = 0.5
    table.felt.lay("2C", 1)
    assert table.see() == ["seen 1:2C 0.97"]
    table.felt.cards.clear()
    assert table.see() == ["gone 1:2C", "cleared"]


def test_a_card_covered_by_another_still_lies_there():
    table = with_cards("QS")
    table.felt.lay("KS", 0, dx=8, dy=12)
    assert table.see() == ["seen 0:KS 0.97"]
    del table.felt.cards["KS"]
    assert table.see() == ["gone 0:KS"]


def test_a_hand_across_the_table_makes_no_fact():
    table = with_cards("QS", "KS")
    for y in range(-150, 200, 25):
        table.felt.hand = (y / 2, y)
        assert table.see(1 / 15) == []
    table.felt.hand = None
    assert table.see() == []


def test_a_hand_that_rests_on_cards_makes_no_fact():
    table = with_cards("QS", "KS", "2H", "AS")
    table.felt.hand = (0, 40)
    assert table.see(3) == []
    table.felt.hand = None
    assert table.see() == []


def test_a_card_that_was_swept_under_a_hand_and_is_laid_again_by_another_seat_is_seen():
    table = with_cards("QS", "KS")
    table.felt.hand = (0, -150)
    assert table.see() == []
    del table.felt.cards["QS"]  # swept with its trick, dealt anew, and laid
    table.felt.lay("QS", 3, dx=-20)
    assert table.see() == ["seen 3:QS 0.97"]


def test_a_card_that_was_under_a_hand_and_lies_there_still_makes_no_fact():
    table = with_cards("QS", "KS")
    table.felt.hand = (0, -150)
    assert table.see() == []
    table.felt.hand = None
    assert table.see() == []
    x, y, turn = table.felt.cards["QS"]
    table.felt.cards["QS"] = (x + 20, y + 30, turn + 20)
    assert table.see() == []


def test_a_card_nudged_or_straightened_makes_no_fact():
    table = with_cards("QS", "KS")
    x, y, turn = table.felt.cards["KS"]
    table.felt.cards["KS"] = (x - 6, y + 14, turn + 9)
    assert table.see() == []
    del table.felt.cards["KS"]
    assert table.see() == ["gone 1:KS"]


@pytest.mark.parametrize("light", [0.02, 0.4, 0.8, 1.05])
def test_a_lamp_that_changes_makes_no_fact(light):
    table = with_cards("QS", "KS")
    table.felt.light = light
    assert table.see() == []
    table.felt.light = 1.0
    assert table.see() == []
    table.felt.lay("2H", 2)
    assert table.see() == ["seen 2:2H 0.97"]


def test_a_look_that_misreads_is_outvoted():
    table = Table(KC=["KS 0.9", "KC 0.95", "KC 0.93"])
    table.see()
    table.felt.lay("KC", 1)
    assert table.see() == ["seen 1:KC 0.94"]


def test_a_card_of_which_no_two_looks_agree_is_asked_for():
    table = Table(KC=["KS 0.9", "KC 0.9", "KS 0.9", "KC 0.9", "KC 0.5"])
    table.see()
    table.felt.lay("KC", 1)
    assert table.see() == ["seen 1:KC 0.46"]


def test_a_card_that_stays_unsure_is_asked_for():
    table = Table(KC=["KC 0.7"])
    table.see()
    table.felt.lay("KC", 1)
    assert table.see() == ["seen 1:KC 0.49"]


def test_a_card_that_could_not_be_read_is_told_once_it_can(table):
    table = Table(KC=["KC 0.7"] * 6 + ["KC 0.95"])
    table.see()
    table.felt.lay("KC", 1)
    assert table.see() == ["seen 1:KC 0.49"]
    table.felt.lay("KC", 1, dx=-12)
    assert table.see() == ["seen 1:KC 0.95"]


def test_what_hardly_looks_like_a_card_is_none():
    table = Table(KC=["KC 0.2"])
    table.see()
    table.felt.lay("KC", 1)
    assert table.see() == []


def test_a_flash_of_a_card_is_none():
    table = Table(KC=["KC 0.9", ""])
    table.see()
    table.felt.lay("KC", 1)
    assert table.see() == []


def test_a_card_beyond_the_trick_area_is_no_play(table):
    table.felt.cards["KC"] = (235, 30, 0)
    assert table.see() == []


def test_a_card_on_the_border_of_two_seats_is_nobodys_surely(table):
    table.felt.cards["KC"] = (70, 70, 45)
    assert table.see() == ["seen None:KC 0.97"]


def test_a_card_whose_place_was_misjudged_does_not_become_the_cloth():
    """Only one of its corners was read, and its middle reckoned 48 mm beside where it lies."""
    table = with_cards("QS")
    placed = table.watcher.lying[0].placed
    for _ in range(4):  # as many cards as a trick has beside it
        table.felt.lay("2H", 2)
        table.see(0.6)
        object.__setattr__(table.watcher.lying[0], "placed", replace(placed, x=placed.x + 48))
        del table.felt.cards["2H"]
        table.see(0.6)
    object.__setattr__(table.watcher.lying[0], "placed", placed)
    del table.felt.cards["QS"]
    assert table.see() == ["gone 0:QS", "cleared"]


def test_a_thing_that_stays_becomes_the_cloth(table):
    table.felt.hand = (100, 120)  # a sleeve, a mat: it stays
    table.see()
    for _ in range(12):
        table.felt.lay("2H", 3)
        table.see(0.6)
        del table.felt.cards["2H"]
        table.see(0.6)
    table.felt.lay("QS", 1, dx=20, dy=60)  # on it, partly
    table.see()
    table.felt.cards.clear()
    assert "gone 1:QS" in table.see()


def test_what_is_read_unsurely_on_a_card_that_is_read_is_no_other_card(table):
    """A court's picture holds shapes that look a little like an index."""
    table.reader.says["QH"] = ["QH 0.6"]
    table.felt.lay("KH", 2)
    x, y, turn = table.felt.cards["KH"]
    table.felt.marks["QH"] = (x + 4, y - 6, turn)
    assert table.see() == ["seen 2:KH 0.97"]


def test_a_card_that_is_not_read_surely_is_asked_for_once():
    """Neither its index nor what its picture holds besides is sure."""
    table = Table(KH=["KH 0.75"], QH=["QH 0.6"])
    table.see()
    table.felt.lay("KH", 2)
    x, y, turn = table.felt.cards["KH"]
    table.felt.marks["QH"] = (x + 4, y - 6, turn)
    assert table.see() == ["seen 2:KH 0.49"]


def test_a_card_that_left_is_not_held_there_by_what_looks_a_little_like_it_in_anothers_picture():
    table = with_cards("KD", "QH")
    del table.felt.cards["KD"]
    table.reader.says["KD"] = ["KD 0.1"]
    x, y, turn = table.felt.cards["QH"]
    table.felt.marks["KD"] = (x + 4, y - 6, turn)
    assert table.see() == ["gone 0:KD"]


def test_an_index_read_surely_in_a_courts_picture_is_no_card_over_it(table):
    """It would cover the court's own index, which is read as well."""
    table.felt.lay("KH", 2)
    x, y, turn = table.felt.cards["KH"]
    table.felt.marks["QH"] = (x + 4, y - 6, turn)
    assert table.see() == ["seen 2:KH 0.97"]
