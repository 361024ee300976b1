"""From frames to facts: what comes to lie on the felt is told once, and nothing that only seems to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tablepi.cards import FULL_DECK, card
from tablepi.vision.view import View

from .colour_table import FPS, PLACES, SIZE, TO_TABLE, Table


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
    table.felt.lay("3S", 1, dx=8, dy=12)
    assert table.see() == ["seen 1:3S 0.97"]
    del table.felt.cards["3S"]
    assert table.see() == ["gone 1:KS", "gone 1:3S"]


def test_of_a_card_exchanged_in_one_movement_that_would_be_seen_beside_the_other_both_are_told():
    table = with_cards("QS", "KS")
    del table.felt.cards["KS"]
    table.felt.lay("3S", 1, dx=40, dy=20)
    assert table.see() == ["gone 1:KS", "seen 1:3S 0.97"]


def test_of_a_card_exchanged_in_one_movement_cloth_is_seen_beside_the_other_where_that_lies_askew():
    """As when two cards were laid as one and the upper one is taken back: of the lower one nothing was read till then.
    It has lain there longer than the next player's card."""
    table = with_cards("QS", "KS")
    x, y, turn = PLACES[1]
    del table.felt.cards["KS"]
    table.felt.cards["3S"] = (x + 18, y + 8, turn + 9)
    table.felt.lay("2H", 2)
    assert table.see() == ["gone 1:KS", "seen 1:3S 0.97", "seen 2:2H 0.97"]


def test_a_card_under_another_that_is_laid_askew_on_it_has_not_left():
    table = with_cards("QS")
    x, y, turn = PLACES[0]
    table.felt.cards["KS"] = (x + 18, y + 8, turn + 9)
    assert table.see() == ["seen 0:KS 0.97"]


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


def test_a_card_nudged_to_where_a_covered_one_was_makes_no_fact():
    table = with_cards("QS", "KS")
    table.felt.hand = (0, -90)
    del table.felt.cards["QS"]
    assert table.see() == []
    table.felt.hand = None
    table.felt.lay("KH", 0, dx=10)
    assert table.see() == ["seen 0:KH 0.97"]
    table.felt.lay("KH", 0, dx=-7)
    assert table.see() == []


def test_an_index_at_the_edge_of_what_is_read_says_nothing():
    """It may be half of one, and half an index may look like another."""
    table = Table(KS=["", "", "3C 0.97"])
    table.felt.cards["KS"] = (64, -100, 0)
    table.see()
    table.felt.cards["2H"] = (-15, -100, 0)
    assert table.see() == ["seen 0:2H 0.97"]


def test_a_card_that_lies_where_a_covered_one_was_is_not_taken_for_that_one():
    table = with_cards("QS", "KS")
    del table.felt.cards["KS"]
    table.felt.lay("3S", 1, dx=8, dy=8)
    assert table.see() == ["seen 1:3S 0.97"]
    table.felt.lay("3S", 1, dx=4, dy=4)
    assert table.see() == []


@pytest.mark.parametrize("light", [0.02, 0.4, 0.8, 1.05])
def test_a_lamp_that_changes_makes_no_fact(light):
    table = with_cards("QS", "KS")
    table.felt.light = light
    assert table.see() == []
    table.felt.light = 1.0
    assert table.see() == []
    table.felt.lay("2H", 2)
    assert table.see() == ["seen 2:2H 0.97"]


@pytest.mark.parametrize("cloth", [(60, 110, 40), (95, 95, 95)])
def test_what_leaves_in_dim_light_is_gone_in_the_usual_light(cloth):
    """What is learned of the cloth while the lamp is low is not how it looks beneath the cards."""
    table = Table()
    table.felt.cloth = cloth
    for seat, name in enumerate(("QS", "KS", "2H", "AS")):
        table.see(0.6)
        table.felt.lay(name, seat)
    table.see(0.6)
    table.felt.light = 0.5
    for _ in range(4):
        table.felt.lay("3D", 2, dx=70)
        table.see(0.6)
        del table.felt.cards["3D"]
        table.see(0.6)
    table.felt.light = 1.0
    table.felt.cards.clear()
    assert table.see() == ["gone 0:QS", "gone 1:KS", "gone 2:2H", "gone 3:AS", "cleared"]


@pytest.mark.parametrize("much", [0.5, 1.8])
def test_cards_that_are_swept_while_the_sun_comes_out_or_goes_are_gone(much):
    table = with_cards("QS", "KS", "2H", "AS")
    table.felt.sun = (-60, 20, much)
    table.felt.cards.clear()
    assert table.see() == ["gone 0:QS", "gone 1:KS", "gone 2:2H", "gone 3:AS", "cleared"]


def test_a_card_under_a_hand_in_the_sun_has_not_left():
    table = with_cards("QS", "KS")
    table.felt.sun = (-60, -150, 1.8)
    table.felt.hand = (0, -150)
    assert table.see() == []
    table.felt.hand = table.felt.sun = None
    assert table.see() == []


@pytest.mark.parametrize("glass", [(98, 4), (125, -12)])
def test_a_card_that_was_swept_from_under_a_glass_is_gone(table, glass):
    table.felt.lay("2C", 1)
    table.see()
    table.felt.cards.clear()
    table.felt.glass = glass
    assert table.see() == ["gone 1:2C", "cleared"]


@pytest.mark.parametrize("glass", [(98, 4), (125, -12)])
def test_a_card_under_a_glass_has_not_left(table, glass):
    table.felt.lay("2C", 1)
    table.see()
    table.felt.glass = glass
    assert table.see() == []


@pytest.mark.parametrize("phone", [PLACES[1], (130, 0, 0), (95, 45, 280)], ids=["under it", "under half", "askew"])
def test_a_card_that_was_swept_from_upon_a_telephone_is_gone(table, phone):
    table.felt.phone = phone
    for name in ("2S", "3S", "4S"):  # the game goes on beside it
        table.felt.lay(name, 2)
        table.see()
        table.felt.cards.clear()
        table.see()
    table.felt.lay("QS", 1)
    table.felt.lay("KS", 2)
    assert table.see() == ["seen 1:QS 0.97", "seen 2:KS 0.97"]
    table.felt.light = 0.8
    table.felt.cards.clear()
    assert table.see() == ["gone 1:QS", "gone 2:KS", "cleared"]


def test_a_card_turned_up_and_covered_by_another_face_down_has_not_left(table):
    table.felt.phone = PLACES[1]  # it looks like anything, as a card's back
    assert table.see() == []
    table.felt.lay("QS", 1)
    assert table.see() == ["seen 1:QS 0.97"]
    table.felt.cards.clear()
    assert table.see() == []


def test_a_card_upon_a_telephone_has_not_left_while_it_is_seen_there_and_cannot_be_read(table):
    table.felt.phone = PLACES[1]
    table.see()
    table.felt.lay("QS", 1)
    table.see()
    table.reader.says["QS"] = [""]
    table.felt.light = 0.7
    assert table.see() == []


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


def test_an_unread_card_that_leaves_does_not_take_the_card_with_it_that_it_was_guessed_to_be():
    table = Table(KC=["KC 0.7", "KC 0.7", "KC 0.7", "KC 0.7", "KC 0.7", "KS 0.7"])
    table.see()
    table.felt.lay("KC", 1)
    assert table.see() == ["seen 1:KC 0.49"]
    table.reader.says["3H"] = ["KC 0.97"]  # the card itself
    table.felt.lay("3H", 3)
    assert table.see() == ["seen 3:KC 0.97"]
    del table.felt.cards["KC"]
    assert table.see() == []
    table.felt.cards.clear()
    assert table.see() == ["gone 3:KC", "cleared"]


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


def test_a_card_of_another_deck_beside_the_trick_area_is_not_the_one_of_its_name_that_lies_there():
    table = with_cards("QS", "KS")
    table.felt.marks["QS"] = (250, 60, 30)
    assert table.see() == []
    table.felt.marks.clear()
    assert table.see() == []
    table.felt.cards.clear()
    assert table.see() == ["gone 0:QS", "gone 1:KS", "cleared"]


@pytest.mark.parametrize("light", [1.0, 0.8])
def test_a_card_that_is_read_as_one_that_lies_elsewhere_is_told(light):
    """One of the two is misread, and the table asks."""
    table = with_cards("QS", "KS")
    table.reader.says["2H"] = ["QS 0.97"]
    table.felt.light = light  # everything is read again
    table.felt.lay("2H", 2)
    assert table.see() == ["seen 2:QS 0.97"]


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


@pytest.mark.parametrize("cloth", [(60, 110, 40), (95, 95, 95)])
def test_where_a_thing_stood_for_long_and_was_taken_away_a_card_that_leaves_is_gone(cloth):
    """What is seen there then is no cloth that was learned there, but looks like the cloth all round."""
    table = Table()
    table.felt.cloth = cloth
    table.see()
    x, y, _ = PLACES[0]
    table.felt.phone = (x, y, 30)
    for _ in range(12):
        table.felt.lay("2H", 2)
        table.see(0.6)
        del table.felt.cards["2H"]
        table.see(0.6)
    table.felt.phone = None
    table.see()
    table.felt.lay("QS", 0)
    assert table.see() == ["seen 0:QS 0.97"]
    table.felt.cards.clear()
    assert table.see() == ["gone 0:QS", "cleared"]


def test_a_card_in_the_dark_has_not_left_while_the_sun_falls_elsewhere(table):
    """There a card and the cloth look alike."""
    table.felt.lay("QS", 3)
    assert table.see() == ["seen 3:QS 0.97"]
    table.reader.says["QS"] = [""]
    table.felt.light, table.felt.sun = 0.06, (20, -250, 12)
    assert table.see(2) == []
    table.felt.light, table.felt.sun = 1.0, None
    del table.reader.says["QS"]
    assert table.see() == []


def test_a_trick_that_is_swept_while_the_lamp_is_out_has_left_when_it_shines_again():
    """In what light there is, cards that are covered and an empty felt look alike."""
    table = with_cards("QS", "KS", "2H", "AS")
    table.felt.cards.clear()
    table.felt.light = 0.2
    assert table.see() == []
    table.felt.light = 1.0
    assert table.see() == ["gone 0:QS", "gone 1:KS", "gone 2:2H", "gone 3:AS", "cleared"]


def test_a_trick_that_was_not_swept_while_the_lamp_was_out_lies_there_still():
    table = with_cards("QS", "KS", "2H", "AS")
    table.felt.light = 0.2
    table.see()
    table.felt.light = 1.0
    assert table.see() == []


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


@pytest.mark.parametrize(("sure", "told"), [(0.6, []), (0.78, ["seen 1:KD 0.49"])])
def test_a_joker_whose_picture_looks_a_little_like_one_index_is_no_card(sure, told):
    """Of a card in full view both are read. What looks much like one is asked for."""
    table = Table(**{"2S": [""], "KD": [f"KD {sure}"]})
    table.see()
    table.felt.lay("2S", 1)
    x, y, _ = table.felt.cards["2S"]
    table.felt.marks["KD"] = (x + 10, y - 14, 270)
    assert table.see() == told


@pytest.mark.parametrize(
    ("size", "told"), [(26, ["seen 3:AS 0.97"]), (21, ["seen 3:AS 0.49"]), (34, ["seen 3:AS 0.49"]), (45, [])]
)
def test_an_index_read_alone_that_has_not_the_size_of_the_decks_is_asked_for_or_none(size, told):
    """The left half of a 4 under a glass is read as an A, surely; the game knows of no other card that would fit."""
    table = with_cards("QS", "KS", "2H")
    table.watcher.expected = card("AS").bit
    table.reader.sizes["AS"] = size
    table.felt.marks["AS"] = PLACES[3]
    assert table.see() == told


def test_half_an_index_of_a_card_that_is_read_at_its_other_end_is_no_other_card():
    table = with_cards("QS", "KS", "2H")
    table.reader.sizes["AS"] = 21
    table.felt.lay("4S", 3)
    x, y, turn = table.felt.cards["4S"]
    table.felt.marks["AS"] = (x + 18, y + 12, turn)
    assert table.see() == ["seen 3:4S 0.97"]


def test_an_index_that_is_read_unsurely_beside_the_card_that_hides_the_other_is_asked_for():
    table = with_cards("QS")
    table.reader.says["KD"] = ["KD 0.6"]
    table.felt.lay("KD", 0, dx=-22)
    table.felt.cards = dict(reversed(table.felt.cards.items()))  # below the queen
    assert table.see() == ["seen 0:KD 0.49"]


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


def laid_in_turn(table: Table, *seats_and_cards: tuple[int, str]) -> list[str]:
    """Cards that are laid so quickly that the felt is still only when all lie there."""
    for seat, name in seats_and_cards:
        table.felt.hand = (0, 150)
        table.see(1 / FPS)
        table.felt.lay(name, seat)
        table.felt.hand = (60, 150)
        table.see(2 / FPS)
    table.felt.hand = None
    return table.see()


def test_the_cards_of_a_new_trick_that_come_at_once_begin_with_the_one_that_lay_first(table):
    laid_in_turn(table, (2, "QS"), (3, "KS"))
    table.felt.cards.clear()
    table.see()
    assert laid_in_turn(table, (3, "2H"), (0, "3H")) == ["seen 3:2H 0.97", "seen 0:3H 0.97"]


def test_the_cards_of_a_new_trick_that_come_at_once_begin_with_the_seat_in_turn(table):
    """The next player's hand may be a little quicker."""
    table.watcher.turn = 3
    assert laid_in_turn(table, (0, "3H"), (3, "2H")) == ["seen 3:2H 0.97", "seen 0:3H 0.97"]


def test_the_cards_that_open_a_hand_at_once_begin_with_the_one_that_must(table):
    """Nobody knows whose turn it is. The opening card was straightened when the other lay already."""
    table.watcher.opens = card("2C")
    table.felt.hand = (0, 150)
    table.see(1 / FPS)
    table.felt.lay("2C", 1, dx=12)
    table.felt.lay("8C", 2)
    table.felt.hand = (60, 150)
    table.see(2 / FPS)
    table.felt.lay("2C", 1)
    table.felt.hand = None
    assert table.see() == ["seen 1:2C 0.97", "seen 2:8C 0.97"]


def test_a_card_that_lay_long_before_that_of_the_seat_in_turn_came_first(table):
    table.watcher.turn = 3
    assert laid_in_turn(table, (0, "3H"), (1, "4H"), (1, "4H"), (1, "4H"), (1, "4H"), (3, "2H"))[0] == "seen 0:3H 0.97"


def test_that_a_hand_was_over_the_card_of_the_seat_in_turn_does_not_make_it_a_later_one(table):
    table.watcher.turn = 3
    laid_in_turn(table)
    table.felt.lay("2H", 3)
    table.felt.hand = (0, 140)
    table.see(1 / FPS)
    table.felt.lay("3H", 0)
    told = []
    for step in range(24):  # the hand stays, and never still, over the first card, while the second lies open
        table.felt.hand = (-100 + 3 * (step % 2), -20)
        told += table.see(1 / FPS)
    table.felt.hand = None
    assert told + table.see() == ["seen 3:2H 0.97", "seen 0:3H 0.97"]


def test_a_card_that_was_drawn_from_below_another_is_gone():
    table = with_cards("QS")
    table.felt.lay("KS", 0, dx=25)
    assert table.see() == ["seen 0:KS 0.97"]
    del table.felt.cards["QS"]
    assert table.see() == ["gone 0:QS"]


@pytest.mark.parametrize("cards", [("7H", "8H"), ("8H", "7H")])
def test_of_two_cards_laid_as_one_the_lower_one_has_not_left_when_it_cannot_be_read_for_a_while(cards):
    """Which of them lies below, nobody saw."""
    table = Table()
    table.see()
    lower, upper = cards
    table.felt.lay(lower, 1)
    table.felt.lay(upper, 1, dy=14)
    assert sorted(table.see()) == ["seen 1:7H 0.97", "seen 1:8H 0.97"]
    table.reader.says[lower] = [""]
    table.felt.lay("2C", 1, dy=-64)
    assert table.see() == ["seen 1:2C 0.97"]


# --- what the game knows ---------------------------------------------------------------------------------------------


def wavering(**says: list[str]) -> Table:
    table = Table(**says)
    table.see()
    table.felt.lay("KC", 1)
    return table


def test_of_two_that_look_alike_the_one_that_may_still_come_is_taken():
    table = wavering(KC=["KC 0.5 KS 0.45", "KS 0.6 KC 0.35"])
    table.watcher.expected = FULL_DECK & ~card("KS").bit
    assert table.see() == ["seen 1:KC 0.95"]


@pytest.mark.parametrize("expected", [FULL_DECK, 0])
def test_of_two_that_look_alike_neither_is_taken_when_both_or_none_may_still_come(expected):
    table = wavering(KC=["KC 0.5 KS 0.45"])
    table.watcher.expected = expected
    assert table.see() == ["seen 1:KC 0.49"]


def test_a_clear_reading_stays_what_it_is_whatever_the_game_knows():
    table = wavering(KC=["KC 0.94 KS 0.05"])
    table.watcher.expected = FULL_DECK & ~card("KC").bit
    assert table.see() == ["seen 1:KC 0.94"]


def test_an_unclear_reading_that_is_not_between_two_is_asked_for_whatever_the_game_knows():
    table = wavering(KC=["KC 0.75 KS 0.05"])
    table.watcher.expected = FULL_DECK & ~card("KC").bit
    assert table.see() == ["seen 1:KC 0.49"]


def test_a_card_that_lies_there_is_not_renamed_by_what_the_game_knows():
    table = wavering(KC=["KC 0.95", "KC 0.95", "KC 0.5 KS 0.45"])
    assert table.see() == ["seen 1:KC 0.95"]
    table.watcher.expected = FULL_DECK & ~card("KC").bit
    table.felt.lay("KC", 1, dx=-12)
    assert table.see() == []


# --- a camera that is moved ------------------------------------------------------------------------------------------


def test_while_nobody_knows_where_the_camera_looks_nothing_is_read():
    table = with_cards("QS", "KS")
    reads, view, table.view = table.watcher.reads, table.view, None
    table.felt.lay("2H", 2)
    assert table.see() == []
    assert table.watcher.reads == reads
    table.view = view
    assert table.see() == ["seen 2:2H 0.97"]


def test_what_lies_there_keeps_its_place_when_the_camera_was_moved():
    """All pixels are 2 in 100 millimetres more, so that all cards lie farther out."""
    table = with_cards("QS", "KS")
    before = [each.placed for each in table.watcher.lying]
    table.view = View(np.diag([1.02, 1.02, 1.0]) @ TO_TABLE, SIZE)
    assert laid_in_turn(table, (2, "2H"), (3, "3H")) == ["seen 2:2H 0.97", "seen 3:3H 0.97"]
    after = [each.placed for each in table.watcher.lying[:2]]
    assert [(p.x, p.y) for p in after] == [(pytest.approx(1.02 * p.x), pytest.approx(1.02 * p.y)) for p in before]
    table.felt.cards.clear()
    assert table.see() == ["gone 0:QS", "gone 1:KS", "gone 2:2H", "gone 3:3H", "cleared"]


def test_cards_that_come_while_the_camera_is_moved_are_told_in_some_order(table):
    table.view = View(np.diag([1.1, 1.1, 1.0]) @ TO_TABLE, SIZE)
    assert sorted(laid_in_turn(table, (3, "2H"), (0, "3H"))) == ["seen 0:3H 0.97", "seen 3:2H 0.97"]
