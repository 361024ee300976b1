"""A card has left when none of a table's cameras sees it any more; each of them may be wrong, lost, or blind."""

from __future__ import annotations

import threading

import pytest

from tablepi.cards import card
from tablepi.devices.witnesses import Witnesses
from tablepi.facts import Cleared, Gone, Lost, Seen

ONE, TWO, THREE = "camera", "camera-2", "camera-left"


def seen(camera, name="QS", confidence=0.98):
    return Seen(seat=1, card=card(name), confidence=confidence, steady=0.4, source=camera)


def gone(camera, name="QS"):
    return Gone(seat=1, card=card(name), source=camera)


def cleared(camera):
    return Cleared(source=camera)


def told(*facts, witnesses=None):
    """What the table is told of each fact, and of each camera that is lost (its name)."""
    witnesses = witnesses or Witnesses()
    return [
        witnesses.lose(each) if isinstance(each, str) else witnesses.tell(each.source, [each]) for each in facts
    ]  # fmt: skip


def test_of_one_camera_all_is_told():
    facts = [seen(ONE), seen(ONE, "7H"), gone(ONE), gone(ONE, "7H"), cleared(ONE)]
    assert told(*facts) == [[fact] for fact in facts]


def test_a_card_that_another_camera_still_sees_has_not_left():
    assert told(seen(ONE), seen(TWO), gone(ONE))[2:] == [[]]


def test_a_card_has_left_once_when_the_last_camera_that_saw_it_says_so():
    assert told(seen(ONE), seen(TWO), seen(THREE), gone(TWO), gone(ONE), gone(THREE))[3:] == [[], [], [gone(THREE)]]


def test_a_card_that_only_one_camera_saw_has_left_at_its_word():
    assert told(seen(ONE), seen(TWO, "7H"), gone(ONE))[2:] == [[gone(ONE)]]


def test_a_card_that_is_seen_again_by_who_missed_it_is_seen_by_both():
    facts = seen(ONE), seen(TWO), gone(ONE), seen(ONE), gone(TWO), gone(ONE)
    assert told(*facts)[2:] == [[], [seen(ONE)], [], [gone(ONE)]]


def test_the_felt_is_empty_when_all_cameras_say_so():
    facts = seen(ONE), seen(TWO), gone(ONE), cleared(ONE), gone(TWO), cleared(TWO)
    assert told(*facts)[2:] == [[], [], [gone(TWO), cleared(ONE)], [cleared(TWO)]]


def test_a_card_that_comes_after_the_felt_was_empty_for_one_camera_lies_there():
    facts = seen(ONE), seen(TWO), gone(ONE), cleared(ONE), seen(ONE, "7H"), gone(TWO)
    assert told(*facts)[2:] == [[], [], [seen(ONE, "7H")], [gone(TWO)]]


def test_a_card_that_was_not_read_for_certain_is_witnessed_by_nobody():
    assert told(seen(ONE), seen(TWO, confidence=0.4), gone(ONE))[2:] == [[gone(ONE)]]


def test_a_camera_that_is_lost_has_no_say():
    assert told(seen(ONE), seen(TWO), TWO, gone(ONE), cleared(ONE))[2:] == [[], [gone(ONE)], [cleared(ONE)]]


def test_what_was_kept_back_for_a_camera_is_told_when_that_is_lost():
    facts = seen(ONE), seen(TWO), gone(ONE), cleared(ONE), TWO
    assert told(*facts)[2:] == [[], [], [gone(ONE), cleared(ONE)]]


def test_of_three_cameras_the_loss_of_one_leaves_the_word_of_the_third():
    facts = seen(ONE), seen(TWO), seen(THREE), gone(ONE), TWO, gone(THREE)
    assert told(*facts)[3:] == [[], [], [gone(THREE)]]


def test_a_camera_that_is_found_again_has_a_say_in_what_it_has_seen_since():
    facts = seen(ONE), seen(ONE, "7H"), seen(TWO), TWO, seen(TWO, "7H"), gone(ONE), gone(ONE, "7H")
    assert told(*facts)[5:] == [[gone(ONE)], []]


@pytest.mark.parametrize("fact", [Lost(device="reader-1"), seen(TWO)])
def test_what_does_not_leave_is_told_as_it_is(fact):
    assert Witnesses().tell(ONE, [fact]) == [fact]


def test_cameras_may_tell_at_the_same_time():
    """Each card is laid and taken up before two cameras: it has left once."""
    witnesses, left, both = Witnesses(), [], threading.Barrier(2, timeout=20)
    names = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"]

    def watch(camera):
        for name in names:
            witnesses.tell(camera, [seen(camera, name)])
            both.wait()
            left.extend(witnesses.tell(camera, [gone(camera, name)]))
            both.wait()

    threads = [threading.Thread(target=watch, args=(camera,)) for camera in (ONE, TWO)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [fact.card for fact in left] == [card(name) for name in names]
