"""One tag is one card: what a reader reads while a card is carried over it accuses nobody."""

from __future__ import annotations

import json

import pytest

from tablepi.cards import card
from tablepi.virtual.world import uid_of

from ..script import Told, held


def read(*cards: str) -> str:
    """Cards by their tags: ``1#3C``."""
    facts = [
        {"fact": "tag", "seat": int(each[0]), "card": each[2:], "uid": uid_of(card(each[2:])), "source": each[0]}
        for each in cards
    ]
    return "".join(json.dumps({**fact, "source": f"reader-{fact['source']}"}) + " " for fact in facts)


def left(seat: int, name: str) -> str:
    return json.dumps({"fact": "untag", "seat": seat, "card": name, "source": f"reader-{seat}"}) + " "


def in_hand(seat: int, name: str, **fact: object) -> str:
    return json.dumps({"fact": "holds", "seat": seat, "cards": name, "source": f"hand-{seat}"} | fact) + " "


def accused(told: Told) -> list[tuple[int, list[str]]]:
    """Whom the record accuses at the end, and of what."""
    lines = [line for entry in told.table.log for line in entry.lines]
    return [(line["seat"], line["rules"]) for line in lines if line.get("ruling") in ("breach", "proved", "someone")]


def trick(told: Told) -> list[tuple[int, str]]:
    felt = told.table.state.felt
    return [(laid.seat, str(laid.card)) for laid in felt.trick or felt.tricks[-1].cards]


@pytest.mark.parametrize(
    "script",
    [
        read("0#2C", "2#3C") + left(2, "3C") + read("1#3C", "2#4C", "3#5C"),
        read("0#2C", "2#3C", "1#3C", "2#4C", "3#5C"),
        read("0#2C", "1#3C", "3#3C", "2#4C", "3#5C"),
        read("0#2C", "1#3C", "0#3C") + left(0, "3C") + read("2#4C", "3#5C"),
        read("0#2C", "1#3C", "1#4C") + left(1, "4C") + read("2#4C", "3#5C"),
        read("0#2C", "1#3C", "1#4C", "2#4C", "3#5C"),
        read("0#2C", "1#3C", "2#4C", "3#5C", "2#3C"),
        read("3#2C") + left(3, "2C") + read("0#2C", "1#3C", "2#4C", "3#5C"),
        read("0#2C", "1#3C", "2#3C", "2#4C", "0#4C", "3#5C"),
    ],
    ids=[
        "before, and left",
        "before",
        "after",
        "after, by one who has played, and left",
        "before, by one who has played, and left",
        "before, by one who has played",
        "swept",
        "the opening card, and left",
        "after, and so does the next",
    ],
)
def test_a_card_that_is_carried_over_a_neighbours_reader_is_its_own_players(script):
    told = Told(held() + script)
    assert trick(told) == [(0, "2C"), (1, "3C"), (2, "4C"), (3, "5C")]
    assert accused(told) == []


def test_a_card_that_was_read_at_a_seat_in_turn_and_left_may_be_played_from_another_hand():
    told = Told(
        held() + read("0#2C", "1#QS") + left(1, "QS") + read("1#3C", "2#4C", "3#5C", "3#6S", "0#QS", "1#7S", "2#8S")
    )
    assert trick(told) == [(3, "6S"), (0, "QS"), (1, "7S"), (2, "8S")]
    assert accused(told) == []


def test_a_card_that_the_reader_of_another_hand_read_denies_nothing_to_either():
    told = Told(held() + in_hand(1, "9C") + read("0#2C", "1#3D"))
    assert accused(told) == [(1, ["follow-suit"])]
    told.tell(read("2#4C", "3#9C"))
    assert accused(told) == []
    assert told.table.state.felt.tricks[-1].winner == 3


def test_what_a_person_says_of_a_hand_stands():
    told = Told(held() + in_hand(1, "9C", source="person") + read("0#2C", "1#3C", "2#4C", "3#9C"))
    assert accused(told) == [(3, ["not-in-hand"])]


def test_another_tag_of_the_same_card_is_a_second_card():
    told = Told(held() + read("0#2C", "1#3C") + read("3#3C").replace(uid_of(card("3C")), "04FFFFFFFFFF80"))
    assert accused(told) == [(3, ["duplicate", "turn"])]
