"""What a camera tells when cards leave the felt: swept, taken back, exchanged, pushed over. Nobody is accused by it."""

from __future__ import annotations

import json
import re

import pytest

from ..script import Told, held


def told(script: str) -> Told:
    """A hand told in words of ``script``, and ``gone(1:KC)``, ``untag(3:KC)``, ``cleared``, ``q7=7S`` (an answer with a
    card, with a seat, or with nothing: as it was read)."""
    return Told(held() + " ".join(map(_word, script.split())))


def _word(word: str) -> str:
    if word == "cleared":
        return json.dumps({"fact": "cleared", "source": "camera"})
    left = re.fullmatch(r"(gone|untag)\((\d):(\w\w)\)", word)
    if left:
        source = "camera" if left[1] == "gone" else f"reader-{left[2]}"
        return json.dumps({"fact": left[1], "seat": int(left[2]), "card": left[3], "source": source})
    answer = re.fullmatch(r"(q\d+\w?)=(\w*)", word)
    if answer:
        said = {} if not answer[2] else {"seat": int(answer[2])} if answer[2].isdigit() else {"card": answer[2]}
        return json.dumps({"fact": "answer", "question": answer[1], **said})
    return word


HONEST = {
    "the last card not seen, the rest swept, and the winner leads": "3~2C 0~7C 1~KC gone(3:2C) gone(0:7C) gone(1:KC) "
    "cleared 1~8D",
    "the same, swept from the last to the first": "1~2C 2~8C 3~TC gone(3:TC) gone(2:8C) gone(1:2C) cleared",
    "the same, and the missing card is named": "1~2C 2~8C 3~TC gone(1:2C) gone(2:8C) gone(3:TC) cleared 3~7S q11=7S",
    "the card not seen has won, and leads": "0~2C 1~3C 2~4C gone(0:2C) gone(1:3C) gone(2:4C) cleared 3~8D",
    "the last two cards not seen": "1~9C 2~AC gone(1:9C) gone(2:AC) cleared 2~JD",
    "a card exchanged in one movement": "3~2C 0~9D 0~7C 1~8C",
    "a second look that is misread": "0~2C 1~JC 2~KC 2~KS q7=",
    "a first look that was misread": "3~2C 0~9C 1~7C 2~JC 2~KS 3~AS 0~6C 0~6S q11=",
    "a tag, then the camera misreads it": "0~2C 1~JC 2~TC 3#6C 3~6S q8=6C",
    "a tag, then the camera sees it at another seat": "0~2C 1~JC 2~TC 3#6C 0~6C",
    "the winning card taken back from a full trick": "0~2C 1~3C 2~TC 3~KC gone(3:KC) 3~5C 2~7D",
    "a card lifted, laid down again, and pulled in": "0~2C 1~3C 2~9C 3~4C gone(3:4C) 3~4C gone(0:2C) 2~4C",
    "a swept card seen in the winner's pile": "0~2C 1~5C 2~8C 3~AC gone(1:5C) 3~5C",
    "a card pushed over to another seat, and taken back": "3~2C 0~9D gone(1:9D) 0~7C 1~8C",
    "two cards that change places": "3~2C 0~7C 0~2C 3~7C",
    "a card seen at the wrong seat, and nothing is missing": "0~2C 2~AC q5=",
}


@pytest.mark.parametrize("what", HONEST)
def test_nobody_is_accused_by(what):
    assert told(HONEST[what]).rulings("breach", "proved", "someone") == []


def test_cards_that_leave_one_after_the_other_are_swept_and_the_missing_one_is_asked_for():
    table = told(HONEST["the last card not seen, the rest swept, and the winner leads"])
    assert [(q.ask, q.seat) for q in table.table.state.questions] == [("missing", 2)]
    assert [(laid.seat, str(laid.card)) for laid in table.table.state.felt.trick] == [(1, "8D")]


def test_one_card_that_leaves_alone_is_taken_back():
    table = told("0~2C 1~5H gone(1:5H) 1~5C")
    assert [line["of"] for line in table.rulings("withdrawn")] == [5]
    assert [str(laid.card) for laid in table.table.state.felt.trick] == ["2C", "5C"]


def test_the_winner_who_takes_back_the_last_card_does_not_lead_with_the_next():
    table = told(HONEST["the winning card taken back from a full trick"])
    assert [trick.winner for trick in table.table.state.felt.tricks] == [2]


SECOND = "0~2C 1~3C 2~4C 3~5C gone(0:2C) gone(1:3C) gone(2:4C) gone(3:5C) cleared 3~9C 0~KD 1~3H 2~6H 1~KC"
"""Two cards were laid as one, and the trick is full before the lower one is seen."""


def test_a_second_card_of_a_full_trick_that_lies_there_still_is_asked_about_and_is_no_lead():
    table = told(SECOND)
    (question,) = table.table.state.questions
    assert (question.ask, question.seat, [str(c) for c in question.candidates]) == ("card", 1, ["3H", "KC"])
    assert table.table.state.felt.turn == 3


def test_a_second_card_of_a_trick_that_wants_only_one_is_asked_about_and_is_no_lead():
    """Two cards are laid as one, and the next player's with them."""
    table = told(SECOND.rpartition("2~6H")[0] + "1~KC 2~6H")
    (question,) = table.table.state.questions
    assert (question.ask, question.seat, [str(c) for c in question.candidates]) == ("card", 1, ["3H", "KC"])
    assert [str(laid.card) for laid in table.table.state.felt.tricks[-1].cards] == ["9C", "KD", "3H", "6H"]


def test_a_second_card_of_the_seat_after_the_winner_does_not_follow_a_lead_before_the_trick_is_swept():
    table = told(SECOND.replace("3~9C 0~KD 1~3H 2~6H 1~KC", "3~KC 0~9C 1~6C 2~7C 0~JD"))
    (question,) = table.table.state.questions
    assert (question.ask, question.seat, [str(c) for c in question.candidates]) == ("card", 0, ["9C", "JD"])


def test_a_better_look_at_the_last_card_of_a_trick_follows_no_lead_that_was_missed():
    (question,) = told("0~2C 1~3C 2~JC 3~KS 3~KC").table.state.questions
    assert (question.ask, question.seat, [str(c) for c in question.candidates]) == ("card", 3, ["KS", "KC"])


@pytest.mark.parametrize(("said", "trick", "turn"), [("KC", "9C KD KC 6H", 1), ("3H", "9C KD 3H 6H", 3)])
def test_the_answer_says_which_of_two_cards_of_a_full_trick_was_played(said, trick, turn):
    table = told(f"{SECOND} q17={said}")
    assert [str(laid.card) for laid in table.table.state.felt.tricks[-1].cards] == trick.split()
    assert (table.table.state.felt.turn, table.table.state.questions) == (turn, ())
    assert table.rulings("breach", "proved", "someone") == []


def test_a_second_look_at_a_tag_is_asked_about_the_card():
    table = told("0~2C 1~JC 2~TC 3#6C 3~6S")
    assert [q.ask for q in table.table.state.questions] == ["card"]
    assert [str(c) for q in table.table.state.questions for c in q.candidates] == ["6C", "6S"]
