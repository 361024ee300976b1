"""After a correction people are told what now stands, and what came of it."""

from __future__ import annotations

import pytest

from tablepi.language import words
from tablepi.views.corrections import told_in_words

from ..script import NAMES, Told, held
from .tables import DOUBT, OPENING_HAND, PROOF, SPADES, bid, desk, seen, table_of

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
    assert seen(table, desk()).ruling == said


def test_a_correction_that_makes_others_wrong_stands_beside_what_is_wrong_now():
    shown = seen(table_of(TWO_TRICKS + '{"fact":"correct","n":9,"drop":true}'), desk())
    assert shown.ruling.startswith("Bo plays 10♣ out of turn: it is Rita's turn.")
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
