"""After a correction people are told what now stands, and what came of it."""

from __future__ import annotations

import pytest

from tablepi.language import words
from tablepi.views.corrections import told_in_words

from ..script import NAMES, Told, held
from .tables import BREACH, COVERED, DOUBT, MOMENTS, OPENING_HAND, PROOF, SPADES, bid, desk, seen, table_of

TWO_TRICKS = OPENING_HAND + "3:7C 0:8C 1:9S 2:TC "
LAST = Told(PROOF).table.n

CORRECTIONS = {
    "another card": (
        TWO_TRICKS + '{"fact":"correct","n":8,"set":{"card":"7S"}}',
        "Corrected: Cleo played 7♠, not 7♣. Trick 2 is Ada's.",
    ),
    "another player": (
        OPENING_HAND + '3:5D 1:6D {"fact":"correct","n":9,"set":{"seat":0}}',
        "Corrected: 6♦ is Rita's, not Ada's. It is legal.",
    ),
    "never played": (
        TWO_TRICKS + '{"fact":"correct","n":11,"drop":true}',
        "Corrected: Bo did not play 10♣. Trick 2 is open again.",
    ),
    "undone": (
        PROOF + f'{{"fact":"correct","n":{LAST},"drop":true,"reason":"undo"}}',
        "Undone: Ada plays 4♦. 2 accusations fall.",
    ),
    "an undone correction": (
        TWO_TRICKS
        + '{"fact":"correct","n":8,"set":{"card":"7S"}} {"fact":"correct","n":12,"drop":true,"reason":"undo"}',
        "Corrected: Cleo played 7♣, not 7♠. Trick 2 is Bo's.",
    ),
    "missed and added": (
        held() + '0:2C 1:3C 3:5C {"fact":"correct","before":6,"insert":{"fact":"play","seat":2,"card":"4C"}}',
        "Added: Bo played 4♣. Trick 1 is Cleo's.",
    ),
    "an answer that clears": (
        DOUBT + '{"fact":"answer","question":"q10","card":"3C"}',
        "Corrected: Ada played 3♣, not 3♠. Nothing is held against Ada in trick 1 any more.",
    ),
    "an answer between two readings": (
        held() + '0~2C 1~3C 1#3S {"fact":"answer","question":"q6","card":"3S"}',
        "Corrected: Ada played 3♠, not 3♣. Legal only without clubs in hand.",
    ),
    "a card confirmed": (
        held() + '0~2C 1~3C {"fact":"confirm","n":5}',
        "Confirmed: Ada played 3♣.",
    ),
    "a card that a reader confirms": (
        DOUBT + "1#7C",
        "Confirmed: Ada played 7♣. Ada's 3♠ in trick 1 looks wrong (suit not followed), but a card may be misread or "
        "missing: please look.",
    ),
    "a card that a reader names": (
        MOMENTS["unreadable card"] + " 0#2C",
        "Confirmed: Rita played 2♣. It is legal.",
    ),
    "a card that a reader moves": (
        held() + "0~2C 1~3C 2~4C 3~5C 0~6D 3#6D",
        "Corrected: 6♦ is Cleo's, not Rita's. It is legal.",
    ),
    "a card that a person enters again": (
        held() + "0~2C 1~3C 1:3C",
        "Confirmed: Ada played 3♣.",
    ),
    "another bid": (
        SPADES + bid(1, 3) + '{"fact":"correct","n":3,"set":{"bid":"nil"}}',
        "Corrected: Ada bids nil, not 3.",
    ),
    "a bid undone": (
        SPADES + bid(1, 3) + '{"fact":"correct","n":3,"drop":true,"reason":"undo"}',
        "Undone: Ada bids 3.",
    ),
}


@pytest.mark.parametrize("kind", CORRECTIONS)
def test_what_a_correction_changes_is_said_in_the_text_and_on_the_display(kind):
    script, said = CORRECTIONS[kind]
    table = Told(script).table
    told = [*told_in_words(table, words("en", tuple(NAMES)))]
    assert said in told
    assert "The record is put right from there on." not in told
    shown = seen(table, desk())
    assert said in (shown.ruling, f"{shown.last} {shown.ruling}")


PUT_RIGHT = "The record is put right from there on."


def test_a_card_that_is_laid_or_taken_back_tells_itself_and_the_record_is_put_right_only_where_something_changes():
    """A card for a place left open changes what was told of those after it; one taken back from the top changes
    nothing."""
    for script, put_right in ((COVERED + "2#4C", True), (BREACH + "1-6D", False), (BREACH + "0:7D 1-6D", False)):
        table = Told(script).table
        told = [*told_in_words(table, words("en", tuple(NAMES)))]
        assert (PUT_RIGHT in told) == put_right, told
        assert PUT_RIGHT not in seen(table, desk()).ruling


def test_a_correction_that_makes_others_wrong_stands_beside_what_is_wrong_now():
    shown = seen(table_of(TWO_TRICKS + '{"fact":"correct","n":9,"drop":true}'), desk())
    assert shown.ruling.startswith("Bo plays 10♣ out of turn: it was Rita's turn.")
    assert shown.last == "Corrected: Rita did not play 8♣."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt-PT", "Corrigido: Ada jogou 3♣, e não 3♠. Já nada se aponta a Ada na vaza 1."),
        ("pt-BR", "Corrigido: Ada jogou 3♣, e não 3♠. Nada mais pesa contra Ada na vaza 1."),
    ],
)
def test_it_is_said_in_portuguese_of_either_kind(language, said):
    table = Told(CORRECTIONS["an answer that clears"][0]).table
    assert seen(table, desk(language)).ruling == said


def test_a_correction_after_the_last_card_is_noted_with_the_scores():
    agreed = held() + '0:2C 1:3C {"fact":"end-hand","points":{"0":20,"1":6}} '
    grid = seen(table_of(agreed + '{"fact":"correct","n":6,"set":{"points":{"0":6,"1":20}}}'), desk()).grid
    assert grid is not None
    assert grid.notes[0] == "The record is put right from there on."
