"""Which cards lie on a reader, told by its polls."""

from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import card
from tablepi.devices.presence import TWO_CARDS, Antenna
from tablepi.devices.roles import Role
from tablepi.facts import Found, Lost, Tag, Untag

A, B, C = "04A1B2C3D4E580", "04DEADBEEF1280", "DEADBEEF"
DECK = {A: card("QS"), B: card("2C")}
PHONE = "08123456"


def tag(uid):
    return Tag(seat=1, card=DECK.get(uid), uid=uid, source="reader-1")


def untag(uid):
    return Untag(seat=1, card=DECK.get(uid), uid=uid, source="reader-1")


def antenna(**changes):
    role = Role("reader-1", cards=DECK, seat=1)
    return Antenna(role, **{"misses": 3, "gone_s": 0.5, "crowded_s": 1.5} | changes)


def told(lying, *polls, start=0.0, every=0.125):
    """What each poll, *every* so many seconds, tells, by its number; polls that tell nothing are left out."""
    facts = {number: lying.polled(listed, start + number * every) for number, listed in enumerate(polls)}
    return {number: list(told) for number, told in facts.items() if told}


def test_a_card_is_there_when_it_is_read_and_gone_after_misses_and_a_time():
    assert told(antenna(), [A], [], [], [], [], [], []) == {0: [tag(A)], 4: [untag(A)]}


def test_many_misses_in_a_short_time_are_not_enough():
    assert told(antenna(), [A], *[[]] * 20, every=0.01) == {0: [tag(A)]}


def test_a_long_time_with_few_misses_is_not_enough():
    assert told(antenna(), [A], [], [], every=5.0) == {0: [tag(A)]}


def test_a_card_that_lies_still_is_one_play_however_often_it_is_read():
    assert told(antenna(), *[[A]] * 1000) == {0: [tag(A)]}


def test_a_card_that_is_missed_now_and_then_does_not_flap():
    assert told(antenna(), *[[A], [], []] * 100) == {0: [tag(A)]}


def test_a_card_that_was_gone_is_laid_anew():
    assert told(antenna(), [A], [], [], [], [], [A]) == {0: [tag(A)], 4: [untag(A)], 5: [tag(A)]}


def test_two_cards_at_once_are_both_told():
    assert told(antenna(), [A, B], [B, A]) == {0: [tag(A), tag(B)]}


def test_two_cards_that_are_listed_in_turns_do_not_flap():
    assert told(antenna(crowded_s=99), *[[A], [B]] * 50)[0] == [tag(A)]
    assert sum(len(facts) for facts in told(antenna(crowded_s=99), *[[A], [B]] * 50).values()) == 2


def test_a_card_that_is_exchanged_quickly_leaves_before_the_other_is_laid():
    assert told(antenna(), [A], [B], [B], [B], [B], [B]) == {0: [tag(A)], 4: [untag(A), tag(B)]}


def test_a_card_that_is_laid_beside_one_that_was_only_missed_is_told_when_that_is_read_again():
    assert told(antenna(), [A], [B], [A, B]) == {0: [tag(A)], 2: [tag(B)]}


def test_a_card_that_comes_and_goes_while_another_is_in_doubt_is_not_lost():
    assert told(antenna(), [A], [B], [], [], [], [], []) == {0: [tag(A)], 4: [untag(A), tag(B)], 5: [untag(B)]}
    slow = told(antenna(gone_s=0.0), [A], [], [], [B], [], [], [])
    assert slow == {0: [tag(A)], 3: [untag(A), tag(B)], 6: [untag(B)]}


def test_a_full_list_says_nothing_of_a_third_card():
    polls = [[A], *[[B, C]] * 20, *[[B]] * 6]
    assert told(antenna(crowded_s=99), *polls) == {0: [tag(A)], 1: [tag(B), tag(C)], 23: [untag(A)], 24: [untag(C)]}


def test_a_card_waits_for_one_in_doubt_no_longer_than_that_one_may_take():
    assert told(antenna(crowded_s=99), [A], [B], [B, C], [B, C], [B, C], [B, C], [B, C]) == {
        0: [tag(A)],
        5: [tag(B)],
        6: [tag(C)],
    }


def test_two_cards_that_stay_are_told_once_and_one_that_is_taken_away_ends_it():
    polls = [[A], *[[A, B]] * 40, *[[B]] * 10]
    assert told(antenna(), *polls) == {
        0: [tag(A)],
        1: [tag(B)],
        13: [Lost(device="reader-1", reason=TWO_CARDS)],
        44: [untag(A), Found(device="reader-1")],
    }


def test_a_trick_that_is_swept_over_the_reader_is_no_crowd():
    assert Lost not in {
        type(fact) for facts in told(antenna(), *[[A, B]] * 3, *[[B, C]] * 3, *[[]] * 20).values() for fact in facts
    }


def test_a_telephone_is_no_card_though_it_shows_another_number_each_time():
    assert told(antenna(), *[[f"08{n:06X}"] for n in range(50)], [A]) == {50: [tag(A)]}


def test_a_card_of_the_deck_is_one_even_if_its_number_looks_made_up():
    lying = Antenna(Role("reader-1", cards={PHONE: card("9D")}, seat=1))
    assert told(lying, [PHONE]) == {0: [Tag(seat=1, card=card("9D"), uid=PHONE, source="reader-1")]}


def test_cards_that_still_lie_when_the_reader_is_back_are_not_laid_again():
    lying = antenna()
    lying.polled([A, B], 0.0)
    lying.reopened(60.0)
    assert told(lying, [A], [A], [A], [A], [A], start=60.0) == {4: [untag(B)]}


def test_two_cards_that_still_lie_when_the_reader_is_back_are_told_again():
    lying = antenna()
    told(lying, *[[A, B]] * 16)
    lying.reopened(60.0)
    assert told(lying, *[[A, B]] * 20, start=60.0) == {12: [Lost(device="reader-1", reason=TWO_CARDS)]}


def test_a_shared_reader_has_no_seat_and_an_unknown_tag_no_card():
    assert Antenna(Role("tray", cards=DECK)).polled([A, C], 0.0) == (
        Tag(card=card("QS"), uid=A, source="tray"),
        Tag(uid=C, source="tray"),
    )


@given(st.lists(st.tuples(st.lists(st.sampled_from([A, B, C, PHONE]), max_size=2, unique=True), st.floats(0.001, 2))))
def test_whatever_the_polls_list_each_card_comes_and_goes_in_turns_and_all_are_gone_in_the_end(polls):
    lying, at, facts = antenna(), 0.0, []
    listed = set()
    for uids, pause in polls:
        at += pause
        facts += lying.polled(uids, at)
        listed |= set(uids)
    for _ in range(20):
        at += 0.1
        facts += lying.polled([], at)
    for uid in (A, B, C, PHONE):
        kinds = [type(fact) for fact in facts if getattr(fact, "uid", None) == uid]
        assert kinds == [Tag, Untag] * (len(kinds) // 2)
        assert bool(kinds) == (uid in listed and uid != PHONE)
    devices = [type(fact) for fact in facts if isinstance(fact, Lost | Found)]
    assert devices == [Lost, Found] * (len(devices) // 2)


def test_it_is_in_doubt_while_a_card_is_missed_or_waits():
    lying = antenna()
    doubts = []
    for number, listed in enumerate([[], [A], [], [B], [B], [B], [B], []]):
        lying.polled(listed, number * 0.125)
        doubts.append(lying.in_doubt)
    assert doubts == [False, False, True, True, True, False, False, True]
