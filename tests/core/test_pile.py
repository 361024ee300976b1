"""What a reader under the pile tells: a trick was swept, and a card lies there that nobody was seen to lay."""

from __future__ import annotations

import json

from tablepi.cards import card
from tablepi.facts import Gone

from ..script import Told, held


def pile(*cards: str) -> str:
    return " ".join(json.dumps({"fact": "gone", "card": each, "source": "reader-pile"}) for each in cards) + " "


def lifted(told: Told) -> list[str]:
    deal = told.table.state.deal
    return sorted(str(laid.card) for _, laid in deal.felt.places() if laid.n in deal.lifted)


def on_felt(told: Told) -> list[tuple[int, str]]:
    return [(laid.seat, str(laid.card)) for laid in told.table.state.felt.trick]


TRICK = "0#2C 1#3C 2#4C 3#5C "


def test_a_finished_trick_of_which_one_card_is_read_on_the_pile_is_swept():
    told = Told(held() + TRICK + pile("4C"))
    assert lifted(told) == ["2C", "3C", "4C", "5C"]
    assert told.rulings("withdrawn") == []


def test_a_trick_that_wants_a_card_is_not_taken_back_by_being_swept_and_the_winner_leads():
    told = Told(held() + "0~2C 1~3C 2~9C " + pile("9C"))
    assert (told.rulings("withdrawn"), lifted(told)) == ([], ["2C", "3C", "9C"])
    told.tell("2~KD")
    assert on_felt(told) == [(2, "KD")]
    assert [(question["ask"], question["seat"]) for question in told.questions()] == [("missing", 3)]


def test_a_lead_that_lies_alone_is_not_swept():
    told = Told(held() + "0#2C " + pile("2C"))
    assert (told.rulings("withdrawn"), lifted(told), on_felt(told)) == ([], [], [(0, "2C")])


def test_a_card_that_nobody_was_seen_to_lay_is_asked_about_and_not_played():
    told = Told(held() + "0#2C 1#3C 2#9C " + pile("9C", "5C"))
    assert on_felt(told) == [(0, "2C"), (1, "3C"), (2, "9C")]
    (question,) = told.questions()
    assert question == {
        "question": "q8",
        "n": 8,
        "seat": None,
        "ask": "seat",
        "candidates": [0, 1, 2, 3],
        "of": 8,
        "why": "pile",
        "trick": 1,
        "card": "5C",
    }


def test_whoever_is_named_has_laid_it():
    told = Told(held() + "0#2C 1#3C 2#9C " + pile("9C", "5C") + '{"fact":"answer","question":"q8","seat":3}')
    felt = told.table.state.felt
    assert [(laid.seat, str(laid.card)) for laid in felt.tricks[0].cards] == [
        (0, "2C"),
        (1, "3C"),
        (2, "9C"),
        (3, "5C"),
    ]
    assert (told.table.state.questions, felt.leader) == ((), 2)


def test_its_place_is_the_one_that_was_left_open_before_the_next_lead():
    told = Told(held() + "0~2C 1~3C 2~9C 2~KD 3~2D " + pile("5C"))
    asked = next(question for question in told.questions() if question["why"] == "pile")
    told.tell(json.dumps({"fact": "answer", "question": asked["question"], "seat": 3}))
    felt = told.table.state.felt
    assert [(laid.seat, str(laid.card)) for laid in felt.tricks[0].cards] == [
        (0, "2C"),
        (1, "3C"),
        (2, "9C"),
        (3, "5C"),
    ]
    assert on_felt(told) == [(2, "KD"), (3, "2D")]
    assert told.table.state.questions == ()


def test_it_is_the_one_that_a_camera_saw_but_could_not_read():
    unread = '{"fact":"seen","seat":3,"card":"8S","source":"camera","confidence":0.3,"steady":0.4} '
    told = Told(held() + "0~2C 1~3C 2~9C " + unread + pile("5C"))
    asked = next(question for question in told.questions() if question["why"] == "pile")
    told.tell(json.dumps({"fact": "answer", "question": asked["question"], "seat": 3}))
    assert str(told.table.state.felt.tricks[0].cards[3].card) == "5C"
    assert told.table.state.questions == ()


def test_it_may_be_nobodys():
    told = Told(held() + TRICK + pile("KS") + '{"fact":"answer","question":"q8","seat":null}')
    assert (told.table.state.questions, told.table.state.felt.seen.bit_count()) == ((), 4)


def test_a_card_is_asked_about_once_though_it_is_read_again():
    told = Told(held() + TRICK + pile("KS", "KS"))
    assert len(told.questions()) == 1


def test_a_card_that_is_entered_meanwhile_is_not_asked_about_any_more():
    told = Told(held() + "0#2C 1#3C 2#9C " + pile("5C"))
    assert len(told.table.state.questions) == 1
    told.tell('{"fact":"play","seat":3,"card":"5C"}')
    assert told.table.state.questions == ()


def test_the_pack_that_is_shuffled_on_the_pile_says_nothing():
    told = Told(held() + pile("KS", "4D"))
    assert told.table.state.questions == ()


def test_only_a_reader_tells_of_the_pile():
    kinds = {source: Gone(card=card("KS"), source=source).by_reader for source in (None, "person", "camera-2", "pile")}
    assert kinds == {None: False, "person": False, "camera-2": False, "pile": True}


def test_a_card_that_is_taken_back_over_the_reader_is_not_swept_with_the_trick():
    back = '{"fact":"untag","seat":1,"card":"3D","source":"reader-1"} '
    told = Told(held() + "0#2C 1#3D " + pile("3D") + back)
    assert lifted(told) == ["3D"]
    told.tell("1#3C 2#4C 3#5C")
    assert [(line["seat"], line["card"]) for line in told.rulings("withdrawn")] == [(1, "3D")]
    assert told.rulings("breach", "proved", "someone") == []


def test_a_trick_of_two_of_which_both_are_read_on_the_pile_is_swept():
    assert lifted(Told(held() + "0#2C 1#3D " + pile("3D", "2C"))) == ["2C", "3D"]
