"""Never accuse the innocent, and accuse the guilty at once where nothing is in doubt."""

from __future__ import annotations

import json

import pytest

from ..script import Told, held, match

HOLD = '{"fact":"hand","dealer":0} '
END = json.dumps({"fact": "end-hand", "points": {"0": 13, "1": 13}}) + " "


def hold_hand(hands: dict[int, str]) -> str:
    """A match whose fourth hand, without a pass, has these cards."""
    return (
        match() + (HOLD + END) * 3 + json.dumps({"fact": "hand", "hands": {str(s): c for s, c in hands.items()}}) + " "
    )


NORTH = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
EAST = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD 2S"


def test_not_following_from_a_known_hand_is_a_breach_at_once_and_names_the_card_held():
    east = EAST.replace("2S", "AC").replace("KD", "2H")
    told = Told(hold_hand({0: NORTH.replace("AC", "KD"), 1: east}) + "0:2C 1:2D")
    (breach,) = told.rulings("breach")
    assert (breach["seat"], breach["rules"], breach["held"]) == (1, ["follow-suit"], "AC")


def test_a_discard_from_a_known_void_is_legal_and_claims_nothing():
    told = Told(hold_hand({0: NORTH, 1: EAST}) + "0:2C 1:2D")
    assert told.grades == ["legal", "legal"]
    assert told.table.state.felt.claims == ()


def test_a_card_that_a_known_hand_does_not_hold_is_a_breach():
    told = Told(hold_hand({1: EAST}) + "0:2C 1:3C")
    assert [(r["seat"], r["rules"]) for r in told.rulings("breach")] == [(1, ["not-in-hand"])]


def test_a_card_known_to_be_in_another_hand_is_a_breach():
    told = Told(held() + '{"fact":"holds","seat":2,"cards":"3C"} 0:2C 1:3C')
    assert [(r["seat"], r["rules"]) for r in told.rulings("breach")] == [(1, ["not-in-hand"])]


def test_cards_shown_from_a_hand_prove_an_earlier_denial():
    told = Told(held() + '0:2C 1:5D 2:4C 3:5C {"fact":"holds","seat":1,"cards":"9C"}')
    assert [(r["n"], r["how"], r["offence"]["n"], r["shown"]) for r in told.rulings("proved")] == [
        (8, "shown", 5, "9C")
    ]


def test_cards_shown_that_were_not_denied_prove_nothing():
    told = Told(held() + '0:2C 1:5D 2:4C 3:5C {"fact":"holds","seat":1,"cards":"9D KS"}')
    assert told.rulings("proved", "breach", "pending") == []


def test_cards_that_another_seat_has_played_cannot_be_held():
    told = Told(held() + '0:2C {"fact":"holds","seat":1,"cards":"2C"}')
    assert [line["reason"] for line in told.answers[-1]] == ["impossible-hand"]


@pytest.mark.parametrize("source", ["#", ":"])
def test_out_of_turn_by_a_reader_or_a_person_is_a_breach_at_once(source):
    told = Told(held() + f"0{source}2C 2{source}4C")
    assert [(r["seat"], r["rules"]) for r in told.rulings("breach")] == [(2, ["turn"])]
    assert told.questions() == []


def test_out_of_turn_by_a_camera_is_pending_and_a_confirmation_of_it_makes_it_a_breach():
    told = Told(held() + "0~2C 1~3C 3~4C")
    assert (told.rulings("breach"), len(told.rulings("pending"))) == ([], 1)
    told.tell('{"fact":"confirm","n":6}')
    assert [(r["seat"], r["rules"], r["by"]) for r in told.rulings("breach")] == [(3, ["turn"], 7)]


def test_the_opening_card_may_be_another_seats_until_that_is_confirmed_too():
    told = Told(held() + '0~2C 2~4C {"fact":"confirm","n":5}')
    assert told.rulings("breach") == []
    assert [(q["ask"], q["of"]) for q in told.questions()[-1:]] == [("seat", 4)]
    told.tell('{"fact":"confirm","n":4}')
    assert [(r["seat"], r["rules"]) for r in told.rulings("breach")] == [(2, ["turn"])]


def test_the_last_card_of_a_trick_not_seen_accuses_nobody_when_the_winner_leads():
    told = Told(held() + "0~2C 1~KC 2~4C 1~5D 2~6D 3~7D 0~8D")
    assert told.rulings("breach", "proved") == []
    assert [(q["ask"], q["seat"]) for q in told.questions()] == [("missing", 3)]
    told.tell('{"fact":"answer","question":"q7","card":"3C"}')
    assert [t.winner for t in told.table.state.felt.tricks] == [1, 0]
    assert (told.table.state.deal.pending, told.table.state.questions) == ((), ())


def test_a_seat_whose_card_was_not_seen_may_lead_next_and_that_card_is_no_discard():
    told = Told(held() + "0~2C 1~3C 3~5C 2~9D 3~TD")
    assert told.table.state.felt.number == 2
    assert told.rulings("breach", "proved") == []
    assert [claim.seat for claim in told.table.state.felt.claims] == []


def test_a_card_taken_for_the_one_not_seen_gives_no_proof_when_another_history_explains_all():
    """Seat 3's last card of trick 1 was not seen; it won and led the 4S, which looks like its discard on clubs."""
    told = Told(held() + "0~2C 1~3C 2~4C 3~4S 0~9S 1~TS 2~JS 2~6C 3~7C")
    assert told.rulings("proved", "breach") == []


def test_a_misread_lead_gives_no_proof_against_those_who_followed():
    """The 7C was led and read as 7S: everyone follows with clubs, and shows spades later."""
    told = Told(held() + "0~2C 1~3C 2~4C 3~5C 3~7S 0~8C 1~9C 2~TC 2~4D 3~5D 0~6D 1~7D 1~2S 2~3S 3~8S 0~9S")
    assert told.rulings("proved", "breach") == []
    told.tell('{"fact":"correct","n":8,"set":{"card":"7C"},"reason":"misread"}')
    assert (told.table.state.deal.pending, told.table.state.deal.settled) == ((), ())


def test_a_card_named_as_missing_does_not_say_that_it_was_the_only_one():
    """Seat 3's last card and the next lead, of seat 1, were both not seen."""
    told = Told(held() + "0~2C 1~AC 2~3C 3~4C 1~5D 2~6D 3~QD 0~KD 0~9S 1~QS 2~JS 2~3H")
    for seat, card in ((3, "8S"), (1, "9H")):
        (asked,) = told.table.state.questions
        assert (asked.ask, asked.seat) == ("missing", seat)
        told.tell(json.dumps({"fact": "answer", "question": asked.id, "card": card}))
    assert (told.rulings("breach"), told.table.state.questions) == ([], ())


def test_a_doubted_breach_that_becomes_certain_says_what_was_led_and_held():
    told = Told(held() + '{"fact":"holds","seat":1,"cards":"5C"} 0:2C 1~3S')
    assert told.grades[-1] == "pending"
    told.tell("2#3C")
    (breach,) = told.rulings("breach")
    assert breach == {
        "ruling": "breach",
        "n": 6,
        "hand": 1,
        "trick": 1,
        "seat": 1,
        "card": "3S",
        "rules": ["follow-suit"],
        "led": "2C",
        "held": "5C",
        "by": 7,
    }
