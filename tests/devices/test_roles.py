"""What a card that a reader reads means, by where the reader lies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import card
from tablepi.devices.presence import Antenna
from tablepi.devices.roles import MEANS, Pad, Role
from tablepi.facts import Gone, Holds, Pass, Tag, Untag
from tablepi.views.screen import COMMANDS, Command

A, B, C, D = "04A1B2C3D4E580", "04DEADBEEF1280", "DEADBEEF", "04112233445566"
UNDO, FOREIGN = "04AAAAAAAAAA80", "04BBBBBBBBBB80"
DECK = {A: card("QS"), B: card("2C"), C: card("KH"), D: card("9D")}


def role(means, seat=1, **more):
    return Role("reader-1", cards=DECK, commands={UNDO: "undo"}, seat=seat, means=means, **more)


def test_where_cards_are_played_they_are_laid_and_leave():
    play = role("play")
    assert play.laid(A) == (Tag(seat=1, card=card("QS"), uid=A, source="reader-1"),)
    assert play.left(A) == (Untag(seat=1, card=card("QS"), uid=A, source="reader-1"),)


def test_each_card_of_a_dealt_hand_is_held():
    hand = role("hand")
    told = [*hand.laid(A), *hand.left(A), *hand.laid(B)]
    assert told == [
        Holds(seat=1, cards=(card("QS"),), source="reader-1"),
        Holds(seat=1, cards=(card("2C"),), source="reader-1"),
    ]


def test_a_card_on_the_pile_lies_no_longer_on_the_felt():
    pile = role("pile", seat=None)
    assert (*pile.laid(A), *pile.left(A)) == (Gone(card=card("QS"), source="reader-1"),)


@pytest.mark.parametrize("means", MEANS)
def test_a_card_that_commands_does_so_on_any_reader(means):
    assert (*role(means, seat=None).laid(UNDO), *role(means, seat=None).left(UNDO)) == (Command("undo"),)


def test_on_the_reader_of_a_seat_it_speaks_for_that_seat():
    assert role("play", seat=2).laid(UNDO) == (Command("undo", "2"),)


@pytest.mark.parametrize("means", MEANS)
def test_a_tag_that_nobody_knows_is_told_whatever_the_reader_means(means):
    assert role(means).laid(FOREIGN) == (Tag(seat=1, uid=FOREIGN, source="reader-1"),)


def test_a_card_on_the_reader_of_commands_means_nothing():
    assert (*role("command", seat=None).laid(A), *role("command", seat=None).left(A)) == ()


# --- passing ----------------------------------------------------------------------------------------------------------


def test_the_cards_that_are_passed_are_told_together_once_there_are_as_many_as_are_to_be_passed():
    passing = role("pass")
    passing.passing = (1, 3)
    assert [*passing.laid(A), *passing.left(A), *passing.laid(B), *passing.left(B)] == []
    assert passing.laid(C) == (Pass(seat=1, cards=(card("QS"), card("2C"), card("KH")), source="reader-1"),)


def test_a_card_that_is_drawn_over_it_twice_is_one_card():
    passing = role("pass")
    passing.passing = (1, 2)
    assert [*passing.laid(A), *passing.laid(A)] == []
    assert passing.laid(B) == (Pass(seat=1, cards=(card("QS"), card("2C")), source="reader-1"),)


def test_what_is_drawn_over_it_while_nothing_is_to_be_passed_is_not_counted():
    passing = role("pass")
    assert passing.laid(A) == ()
    passing.passing = (1, 2)
    assert passing.laid(B) == ()


def test_what_was_begun_in_one_hand_does_not_count_in_the_next():
    passing = role("pass")
    passing.passing = (1, 2)
    assert passing.laid(A) == ()
    passing.passing = None
    passing.passing = (2, 2)
    assert passing.laid(B) == ()
    assert passing.laid(C) == (Pass(seat=1, cards=(card("2C"), card("KH")), source="reader-1"),)


def test_who_takes_the_pass_back_draws_all_cards_over_it_again():
    passing = role("pass")
    passing.passing = (1, 2)
    assert len([*passing.laid(A), *passing.laid(B)]) == 1
    assert passing.laid(C) == ()
    assert passing.laid(D) == (Pass(seat=1, cards=(card("KH"), card("9D")), source="reader-1"),)


# --- several readers before one seat ----------------------------------------------------------------------------------


def test_a_card_that_lies_on_two_readers_of_one_seat_leaves_when_it_lies_on_neither():
    pad = Pad()
    left, right = role("play", pad=pad), role("play", pad=pad)
    tag, untag = (kind(seat=1, card=card("QS"), uid=A, source="reader-1") for kind in (Tag, Untag))
    assert (left.laid(A), right.laid(A)) == ((tag,), (tag,))  # the same card told again is the same play
    assert (left.left(A), right.left(A)) == ((), (untag,))
    assert (left.laid(A), left.left(A)) == ((tag,), (untag,))


def test_a_card_that_commands_is_obeyed_once_though_two_readers_of_one_seat_read_it():
    pad = Pad()
    left, right = role("play", pad=pad), role("hand", pad=pad)
    asked = (Command("undo", "1"),)
    assert (left.laid(UNDO), right.laid(UNDO)) == (asked, ())
    assert (left.left(UNDO), left.laid(UNDO)) == ((), ())
    assert (left.left(UNDO), right.left(UNDO), right.laid(UNDO)) == ((), (), asked)


def test_what_lies_beside_a_card_that_leaves_does_not_keep_it():
    pad = Pad()
    left, right = role("play", pad=pad), role("play", pad=pad)
    assert len(left.laid(A)) == len(right.laid(B)) == 1
    assert left.left(A) == (Untag(seat=1, card=card("QS"), uid=A, source="reader-1"),)


@given(st.lists(st.tuples(st.sampled_from([A, B, UNDO, FOREIGN]), st.booleans())), st.sampled_from(MEANS))
def test_no_tags_upset_a_role_and_every_command_is_one_that_there_is(tags, means):
    told = role(means)
    told.passing = (1, 3)
    for uid, laid in tags:
        for action in told.laid(uid) if laid else told.left(uid):
            assert not isinstance(action, Command) or action.name in COMMANDS


def test_two_cards_on_each_other_are_no_trouble_where_none_is_played():
    pile = Antenna(role("pile", seat=None), crowded_s=0.0)
    assert [fact for at in range(5) for fact in pile.polled([A, B], float(at))] == [
        Gone(card=card("QS"), source="reader-1"),
        Gone(card=card("2C"), source="reader-1"),
    ]
