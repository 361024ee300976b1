"""While a device is lost a card may lie where nothing reads it: a tag no longer proves that nobody was before."""

from __future__ import annotations

from tablepi import facts as f
from tablepi.cards import card

from ..script import Told, held

LOST = '{"fact":"lost","device":"reader-1","reason":"it was unplugged"} '
FOUND = '{"fact":"found","device":"reader-1"} '


def cards_of_the_trick(told):
    return {laid.seat: str(laid.card) for laid in told.table.state.felt.trick}


def test_a_card_after_one_that_no_reader_could_read_is_asked_about_and_not_accused():
    told = Told(held() + "0#2C " + LOST + "2#4C")
    assert told.grades == ["legal", "pending"]
    (question,) = told.table.state.questions
    assert (question.ask, question.seat) == ("missing", 1)
    told.tell([f.Answer(question=question.id, card=card("3C"), source="person")])
    assert told.rulings("breach", "proved", "someone") == []
    assert cards_of_the_trick(told) == {0: "2C", 1: "3C", 2: "4C"}
    assert (told.table.state.questions, told.table.state.felt.turn) == ((), 3)


def test_a_reader_that_is_back_and_reads_the_card_clears_it():
    told = Told(held() + "0#2C " + LOST + "2#4C " + FOUND + "1#3C")
    assert [line["seat"] for line in told.rulings("cleared")] == [2]
    assert told.rulings("breach", "proved", "someone") == []
    assert cards_of_the_trick(told) == {0: "2C", 1: "3C", 2: "4C"}


def test_the_lead_of_a_winner_whose_reader_is_lost_is_asked_for():
    swept = "".join(
        f'{{"fact":"untag","seat":{seat},"card":"{name}","source":"reader-{seat}"}} '
        for seat, name in ((2, "3C"), (3, "4C"), (0, "2C"))
    )
    told = Told(held() + "0#2C 1#5C 2#3C 3#4C " + LOST + swept + "2#3D")
    (question,) = told.table.state.questions
    assert (question.ask, question.seat) == ("missing", 1)
    assert told.rulings("breach", "proved", "someone") == []


def test_with_all_devices_there_a_card_out_of_turn_is_a_breach():
    told = Told(held() + "0#2C " + LOST + FOUND + "2#4C")
    assert told.grades == ["legal", "breach"]
    assert told.table.state.questions == ()


def test_what_a_person_enters_out_of_turn_is_a_breach_whatever_is_lost():
    assert Told(held() + "0#2C " + LOST + "2:4C").grades == ["legal", "breach"]
