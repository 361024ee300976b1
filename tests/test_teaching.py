"""Teaching a deck: one tag at a time, each in one card, whatever the readers say and the person does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import card
from tablepi.facts import TWO_CARDS, Found, Lost, Tag, Untag
from tablepi.teaching import PACK, SETTLE_S, Alone, Known, Lying, Taught, Teaching, TwoAtOnce, Undone

A, B, C = "04A1B2C3", "04A1B2C4", "04A1B2C5"


def tag(uid, reader="reader-0"):
    return Tag(uid=uid, source=reader)


def untag(uid, reader="reader-0"):
    return Untag(uid=uid, source=reader)


CROWD, THERE, PULLED = (
    Lost(device="reader-0", reason=TWO_CARDS),
    Found(device="reader-0"),
    Lost(device="reader-0", reason="it was unplugged"),
)
TWO = TwoAtOnce("reader-0")


def told(*course):
    """What ``Lying`` makes of facts, each with its time, and of a long silence after them."""
    lying, found = Lying(), []
    for at, fact in (*course, (100.0, None)):
        found += lying.settled(at)
        found += lying.heard(fact, at) if fact is not None else ()
    return found


@pytest.mark.parametrize(
    ("course", "laid"),
    [
        ([(0, tag(A))], [Alone(A, "reader-0")]),
        ([(0, tag(A)), (1, tag(B))], [Alone(A, "reader-0"), Alone(B, "reader-0")]),
        ([(0, tag(A)), (0, tag(B, "reader-1"))], [Alone(A, "reader-0"), Alone(B, "reader-1")]),
        ([(0, tag(A)), (0.1, untag(A))], []),
        ([(0, tag(A)), (0.1, tag(A))], [Alone(A, "reader-0")]),
        ([(0, tag(A)), (0, tag(B))], [TWO]),
        ([(0, tag(A)), (0.29, tag(B))], [TWO]),
        ([(0, tag(A)), (0, tag(B)), (2, CROWD)], [TWO]),
        ([(0, tag(A)), (0, tag(B)), (2, untag(A))], [TWO, Alone(B, "reader-0")]),
        ([(0, tag(A)), (0, tag(B)), (1.5, CROWD), (2, untag(A)), (2, THERE)], [TWO, Alone(B, "reader-0")]),
        ([(0, tag(A)), (0, tag(B)), (2, untag(A)), (2.1, untag(B))], [TWO]),
        ([(0, tag(A)), (0, tag(B)), (2, tag(A))], [TWO, Alone(A, "reader-0")]),
        (
            [(0, tag(A)), (1, CROWD), (2, untag(A)), (2, THERE), (3, tag(B))],
            [Alone(A, "reader-0"), TWO, Alone(B, "reader-0")],
        ),
        ([(0, tag(A)), (0, tag(B)), (1, PULLED), (2, THERE), (3, tag(C))], [TWO, Alone(C, "reader-0")]),
        ([(0, tag(A)), (0.1, PULLED)], []),
    ],
    ids=[
        "one",
        "one after the other, on a reader that does not say that a tag has left",
        "one on each of two readers",
        "lifted before it counts",
        "said again",
        "two at once",
        "two, one a little later",
        "two at once, and the reader says so too: once",
        "two, one is taken away",
        "two, one is taken away, told in the reader's way",
        "two, both are taken away",
        "two, on a reader that does not say that a tag has left; one is laid again",
        "a second one upon one that was taken",
        "two, unplugged",
        "unplugged before it counts",
    ],
)
def test_a_tag_counts_when_it_lies_alone(course, laid):
    assert told(*course) == laid


def test_it_wakes_when_a_tag_has_lain_long_enough_and_not_before():
    lying = Lying()
    assert lying.deadline is None
    lying.heard(tag(A), 5.0)
    assert lying.deadline == 5.0 + SETTLE_S
    assert lying.settled(5.0 + SETTLE_S - 0.01) == ()
    assert lying.settled(lying.deadline) == (Alone(A, "reader-0"),)
    assert lying.deadline is None


# --- what it means ---------------------------------------------------------------------------------------------------


def begun(tags=(), **how):
    return Teaching.begun(PACK, dict(tags), **how)


def test_the_pack_is_asked_for_by_suit_and_rank():
    assert " ".join(map(str, PACK[:14])) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D"
    assert len(set(PACK)) == 52


def test_each_new_tag_is_in_the_card_that_is_asked_for_and_the_next_one_is_asked_for():
    teaching, outcome = begun().laid(A)
    assert outcome == Taught(A, card("2C"))
    assert (dict(teaching.tags), teaching.asked) == ({A: card("2C")}, card("3C"))


def test_what_is_known_already_is_not_asked_for_again():
    assert begun({A: card("2C"), B: card("3C")}).asked == card("4C")
    assert begun({f"04A1B2{i:02X}": c for i, c in enumerate(PACK)}).asked is None


def test_a_tag_that_is_known_is_refused_by_the_name_of_its_card():
    teaching = begun({A: card("QS")})
    assert teaching.laid(A) == (teaching, Known(A, card("QS")))


def test_the_last_one_can_be_undone_and_the_one_before_it():
    two = begun().laid(A)[0].laid(B)[0]
    one, outcome = two.undone()
    assert (outcome, one.asked, dict(one.tags)) == (Undone(B, card("3C")), card("3C"), {A: card("2C")})
    none, outcome = one.undone()
    assert (outcome, none.asked, dict(none.tags)) == (Undone(A, card("2C")), card("2C"), {})
    assert none.undone() == (none, None)


def test_what_was_taught_another_day_is_not_undone():
    teaching = begun({A: card("2C")})
    assert teaching.undone() == (teaching, None)


def test_a_skipped_card_comes_again_when_the_others_are_done():
    teaching = begun().skipped()
    assert teaching.asked == card("3C")
    for i in range(51):
        teaching, _ = teaching.laid(f"04A1B2{i:02X}")
    assert teaching.asked == card("2C")
    assert teaching.skipped().asked == card("2C")


def test_another_card_can_be_chosen_and_it_goes_on_after_it():
    teaching, _ = begun().chosen(card("QS")).laid(A)
    assert teaching.asked == card("KS")


def test_enter_does_not_leave_a_card_without_a_tag():
    assert begun().gone_on().asked == card("2C")
    assert begun({A: card("QS")}).chosen(card("QS")).gone_on().asked == card("KS")


def test_several_tags_are_taught_of_a_card_that_stays_until_enter():
    teaching = begun(again=True).laid(A)[0].laid(B)[0]
    assert (teaching.asked, teaching.count(card("2C"))) == (card("2C"), 2)
    assert teaching.gone_on().asked == card("3C")


def test_again_goes_through_a_deck_that_is_whole_and_ends_behind_the_last_card():
    teaching = begun({f"04A1B2{i:02X}": c for i, c in enumerate(PACK)}, again=True)
    assert teaching.asked == card("2C")
    assert teaching.chosen(card("AS")).gone_on().asked is None


ACTS = st.one_of(
    st.tuples(st.just("laid"), st.sampled_from([f"04A1B2{i:02X}" for i in range(8)])),
    st.tuples(st.just("chosen"), st.sampled_from(PACK[:6])),
    st.sampled_from([("undone",), ("skipped",), ("gone_on",)]),
)


@given(st.lists(ACTS, max_size=40), st.booleans())
def test_whatever_is_done_a_tag_is_in_one_card_and_undoing_all_leads_back(acts, again):
    before = {"DEADBEEF": card("2C")}
    teaching = Teaching.begun(PACK[:6], before, again=again)
    for name, *given_ in acts:
        changed = getattr(teaching, name)(*given_)
        teaching = changed[0] if isinstance(changed, tuple) else changed
        assert {*teaching.done} | {*before} == {*teaching.tags}
        assert len(teaching.done) == len({*teaching.done})
        assert teaching.asked is not None or again or not teaching.lacking
    while teaching.done:
        teaching, _ = teaching.undone()
    assert dict(teaching.tags) == before
