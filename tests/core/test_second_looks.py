"""A second look, a tag or a person's word about a card that lies there already: it settles what was in doubt, asks
where two sources differ, and never makes a second card of one."""

from __future__ import annotations

import pytest

from tablepi.facts import Cleared, EndMatch, Gone, Seen

from ..script import Told, held
from ..virtual.truth import game
from ..virtual.truth import told as tags

UNSURE = '{"fact":"seen","seat":%d,"card":"%s","confidence":0.3,"source":"camera"} '


def lying(told: Told) -> list[str]:
    felt = told.table.state.deal.felt
    return [f"{laid.seat}:{laid.card}" for laid in felt.trick]


@pytest.mark.parametrize("clearer", ["1~3C", "1#3C", "1:3C"], ids=["camera", "tag", "person"])
def test_a_clearer_look_names_a_card_that_could_not_be_read(clearer):
    told = Told(held() + "0~2C " + UNSURE % (1, "3C") + clearer + " 2~4C")
    assert told.rulings("breach", "pending") == []
    assert told.table.state.questions == ()
    assert lying(told) == ["0:2C", "1:3C", "2:4C"]


def test_an_unreadable_look_at_a_card_that_is_known_is_no_news():
    told = Told(held() + "0~2C 1~3C " + UNSURE % (1, "3S") + UNSURE % (1, "KD"))
    assert told.answers[-2:] == [(), ()]
    assert lying(told) == ["0:2C", "1:3C"]


def test_two_looks_that_differ_are_asked_about_and_make_one_card():
    told = Told(held() + "0~2C 1~3S 1~3C 2~4C")
    assert told.rulings("breach", "proved", "pending") == []
    assert [(q["of"], q["why"], q["candidates"]) for q in told.questions()] == [(5, "conflict", ["3S", "3C"])]
    told.tell('{"fact":"answer","question":"q6","card":"3C"}')
    assert lying(told) == ["0:2C", "1:3C", "2:4C"]
    assert told.table.state.deal.felt.claims == ()


@pytest.mark.parametrize("second", ["0~2C", "0#2C", "0:2C"], ids=["camera", "tag", "person"])
def test_a_second_look_settles_a_pending_opening_card(second):
    told = Told(held() + "0~2S " + second + " 1~3C")
    assert [r["ruling"] for r in told.rulings("cleared", "breach")] == ["cleared"]
    assert told.table.state.questions == ()
    assert lying(told) == ["0:2C", "1:3C"]


def test_what_a_person_enters_names_the_card_that_the_camera_misread():
    told = Told(held() + "0~2C 1~3S 1:3C 2~4C")
    assert told.rulings("breach", "proved") == []
    assert lying(told) == ["0:2C", "1:3C", "2:4C"]


@pytest.mark.parametrize("first", ["1#3C", "1~3C"])
def test_a_person_who_enters_what_a_sensor_has_told_lays_no_second_card(first):
    told = Told(held() + "0:2C " + first + " 1:3C 2:4C")
    assert told.rulings("breach", "ignored") == []
    assert lying(told) == ["0:2C", "1:3C", "2:4C"]
    assert [laid.sure and laid.placed for laid in told.table.state.deal.felt.trick] == [True] * 3


def test_a_tag_says_whose_card_it_is_that_the_camera_saw_at_another_seat():
    told = Told(held() + "0~2C 2~3C 1#3C 2~4C")
    assert [r["ruling"] for r in told.rulings("breach", "cleared")] == ["cleared"]
    assert lying(told) == ["0:2C", "1:3C", "2:4C"]


def test_a_card_seen_at_another_seat_than_its_tag_accuses_nobody_and_the_next_tag_names_it():
    told = Told(held() + "0~2C 1#3C 2~3C 2#4C")
    assert told.rulings("breach") == []
    assert told.table.state.questions == ()
    assert lying(told) == ["0:2C", "1:3C", "2:4C"]


def test_a_revoke_put_right_in_the_last_trick_costs_nothing_nor_does_the_lead_made_meanwhile():
    told = Told(held() + "0:2C 1:3C 2:9D 3:5C 3:6C 2-9D 2:7C 0:8C 1:9C 2:TC")
    assert told.rulings("breach") == []
    felt = told.table.state.deal.felt
    assert felt.findings == ()
    assert [(t.winner, [f"{c.seat}:{c.card}" for c in t.cards]) for t in felt.tricks] == [
        (2, ["0:2C", "1:3C", "2:7C", "3:5C"]),
        (2, ["3:6C", "0:8C", "1:9C", "2:TC"]),
    ]


def test_a_covered_lead_is_asked_for_in_its_own_trick():
    told = Told(held() + "0~2C 1~3C 2~4C 3~5C 0~7D")
    assert [(q["ask"], q["seat"], q["trick"]) for q in told.questions()] == [("missing", 3, 2)]
    told.tell('{"fact":"answer","question":"q8","card":"6D"}')
    assert told.rulings("breach") == []
    assert lying(told) == ["3:6D", "0:7D"]


@pytest.mark.parametrize(("back", "stays"), [("1-3C", "4C"), ("1-4C", "3C"), ('{"fact":"withdraw","seat":1}', "3C")])
def test_of_two_cards_of_one_seat_the_one_that_is_not_taken_back_is_the_play(back, stays):
    told = Told(held() + f"0:2C 1:3C 1:4C {back} 2:5C 3:6C")
    assert [(t.winner, str(t.card_of(1).card)) for t in told.table.state.deal.felt.tricks] == [(3, stays)]
    assert told.table.state.questions == ()


def test_after_a_lead_by_the_seat_before_the_winner_nobody_can_tell_what_is_to_be_followed():
    told = Told(held() + "0:2C 1:3C 2:4C 3:5C 2:2D 3:3S 0:3D 1:4D 3:6S 0:7S 1:8S")
    assert [r["rules"] for r in told.rulings("breach")] == [["turn"]]
    assert told.rulings("proved", "unproven") == []


def test_an_illegally_led_heart_opens_hearts_in_classic_too():
    told = Told(held("hearts-classic"))
    told.tell('{"fact":"holds","seat":3,"cards":"6D"} 0:2C 1:3C 2:4C 3:5C 3:5H')
    assert [r["rules"] for r in told.rulings("breach")] == [["hearts-not-broken"]]
    assert told.table.state.deal.felt.broken


def test_a_card_known_in_one_hand_that_another_lays_is_no_longer_known_there():
    told = Told(held() + '{"fact":"holds","seat":0,"cards":"2D"} 0:2C 1:3C 2:4C 3:2D')
    assert [r["rules"] for r in told.rulings("breach")] == [["not-in-hand", "follow-suit"]]
    assert told.table.state.deal.felt.known == (0, 0, 0, 0)


@pytest.mark.parametrize("ending", ['{"fact":"misdeal"}', '{"fact":"end-match"}'])
def test_a_hand_that_is_broken_off_lists_what_stays_unresolved(ending):
    told = Told(held() + "0~2S " + ending)
    (audit,) = told.rulings("confirmed")
    assert (audit["offences"], [o["rule"] for o in audit["unresolved"]]) == ([], ["opening"])


def test_what_sensors_tell_of_a_hand_that_is_over_is_no_news():
    """The second source tells the last card after the first has ended the hand with it; then the trick is swept."""
    acts = game(4, hands=1, erring=False)
    told = Told("")
    for fact in tags(acts):
        if isinstance(fact, EndMatch):
            break
        told.tell([fact])
    assert told.events("hand") != []
    last = [laid.card for laid in told.table.state.deal.felt.tricks[-1].cards]
    after = [Seen(seat=2, card=card, confidence=0.9, steady=0.4, source="camera") for card in last]
    after += [Gone(seat=2, card=card, source="camera") for card in last] + [Cleared(source="camera")]
    assert [told.tell([fact]) for fact in after] == [[]] * 9
    told.tell([EndMatch(source="person")])
    assert [told.tell([fact]) for fact in after[4:]] == [[]] * 5
