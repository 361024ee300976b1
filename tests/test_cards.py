"""Cards as people and sources write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import (
    ALL_CARDS,
    FULL_DECK,
    OF_SUIT,
    RANKS,
    SUITS,
    Card,
    card,
    cards_of,
    count,
    each,
    hand_of_cards,
    look_alikes,
)
from tests.strategies import any_card, some_cards


def test_the_deck_is_each_rank_in_each_suit_once():
    assert [str(c) for c in ALL_CARDS] == [rank + suit for rank in RANKS for suit in SUITS]


def test_a_card_knows_its_rank_suit_and_bit():
    queen = card("QS")
    assert (queen.rank, queen.suit, queen.bit, repr(queen)) == ("Q", "S", 1 << queen.index, "card('QS')")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("QS", "QS"), ("qs", "QS"), (" qS\n", "QS"), ("10C", "TC"), ("10♣", "TC"), ("t♦", "TD"), ("A♥", "AH"),
        ("2♠", "2S"), ("A♥\ufe0f", "AH"), ("K♡", "KH"), ("k♤", "KS"), ("9♢", "9D"), ("J♧", "JC"),
    ],
)  # fmt: skip
def test_cards_are_read_as_people_write_them(text, meant):
    assert str(card(text)) == meant


@pytest.mark.parametrize("text", ["", " ", "Q", "S", "SQ", "1S", "11C", "0C", "QX", "QSS", "Q S", "♠Q", "1010C", "DS"])
def test_text_that_is_no_card_is_refused_with_the_text_and_a_way_to_write_it(text):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 (the whole message is compared)
        card(text)
    assert str(refused.value) == f"{text!r} is not a card: write rank then suit, such as QS, TC or 10C"


@given(any_card)
def test_every_card_is_read_back_from_its_text_its_face_and_its_repr(c):
    assert card(str(c)) == card(str(c).lower()) == card(c.face()) == eval(repr(c), {"card": card}) == c


@given(st.text(max_size=4))
def test_any_text_is_a_card_or_refused(text):
    try:
        read = card(text)
    except ValueError:
        return
    assert read in ALL_CARDS


@pytest.mark.parametrize(
    ("name", "language", "face"),
    [("QS", "en", "Q♠"), ("TC", "en", "10♣"), ("QS", "pt-PT", "D♠"), ("KH", "pt-PT", "R♥"), ("JD", "pt", "V♦"),
     ("KH", "pt-BR", "K♥"), ("QS", "pt-BR", "Q♠"), ("JC", "pt-BR", "J♣"), ("TD", "pt-BR", "10♦"),
     ("AC", "pt", "A♣"), ("TC", "pt", "10♣"), ("QS", "xx", "Q♠")],
)  # fmt: skip
def test_a_face_is_written_in_the_players_language(name, language, face):
    assert card(name).face(language) == face


def test_cards_sort_by_rank_within_the_deck():
    assert sorted(map(card, ["AS", "2D", "2C", "TH"])) == [card("2C"), card("2D"), card("TH"), card("AS")]


@pytest.mark.parametrize("text", ["QS AS KH", "QS,AS,KH", " qs, as  kh "])
def test_several_cards_are_separated_by_spaces_or_commas(text):
    assert hand_of_cards(text) == (card("QS"), card("AS"), card("KH"))


def test_no_text_is_no_cards():
    assert hand_of_cards(" ") == ()


def test_a_card_written_twice_is_refused_by_name():
    with pytest.raises(ValueError, match=r"^TC is written twice in 'TC QS 10C'$"):
        hand_of_cards("TC QS 10C")


@given(some_cards)
def test_a_set_holds_the_cards_it_was_made_of(cards):
    held = cards_of(cards)
    assert (tuple(each(held)), count(held)) == (tuple(sorted(cards)), len(cards))
    assert hand_of_cards(" ".join(map(str, cards))) == cards


def test_the_suits_share_out_the_full_deck():
    assert sum(OF_SUIT.values()) == FULL_DECK == cards_of(ALL_CARDS)
    assert {suit: {c.suit for c in each(cards)} for suit, cards in OF_SUIT.items()} == {s: {s} for s in SUITS}


def test_a_look_alike_is_the_same_rank_in_the_other_suit_of_the_colour():
    assert [look_alikes(card(c)) for c in ("2C", "2S", "KD", "KH")] == [
        (card("2S"),), (card("2C"),), (card("KH"),), (card("KD"),),
    ]  # fmt: skip


def test_a_card_cannot_be_changed():
    with pytest.raises(AttributeError):
        Card(3).index = 4
