"""The lamps: what each says, which of two meanings shows, and when red ends."""

from __future__ import annotations

import pytest

from tablepi.views.lamps import COLOURS, MEANINGS, RHYTHMS, Lamps, lamps

from ..script import Told, held, match
from .tables import (
    BIDS,
    BREACH,
    COVERED,
    DOUBT,
    EXCHANGING,
    FIRST_TRICK,
    MOMENTS,
    MOON,
    OPENING_HAND,
    PROOF,
    SCORED,
    SOMEONE,
    SPADES,
    TAKEN_BACK,
    TWO_CARDS,
    bid,
    table_of,
)

READERS = {f"reader-{seat}": seat for seat in range(4)}


def shining(script: str) -> list[str]:
    """The meanings of the four lamps and of the one in the centre."""
    wanted = lamps(table_of(script).state, readers=READERS)
    return [lamp.meaning for lamp in (*wanted.seats, wanted.centre)]


@pytest.mark.parametrize(
    ("script", "meanings"),
    [
        ("", ["idle"]),
        (match(), ["idle", "idle", "idle", "idle", "idle"]),
        (match() + '{"fact":"hand"}', ["idle", "idle", "idle", "idle", "idle"]),
        (held(), ["idle", "idle", "idle", "idle", "turn"]),
        (held() + "0:2C", ["idle", "turn", "idle", "idle", "idle"]),
        (OPENING_HAND, ["idle", "idle", "idle", "winner", "idle"]),
        (OPENING_HAND + "3:5D", ["turn", "idle", "idle", "idle", "idle"]),
        (BREACH, ["turn", "breach", "idle", "idle", "idle"]),
        (PROOF, ["idle", "proof", "turn", "idle", "idle"]),
        (DOUBT, ["idle", "question", "turn", "idle", "idle"]),
        (COVERED, ["idle", "idle", "question", "idle", "turn"]),
        (held() + '{"fact":"tag","card":"9D","source":"reader-0"}', ["idle", "idle", "idle", "idle", "question"]),
        (held() + '0:2C {"fact":"lost","device":"reader-2"}', ["idle", "turn", "lost", "idle", "idle"]),
        (held() + '0:2C {"fact":"lost","device":"camera"}', ["idle", "turn", "idle", "idle", "lost"]),
        (held() + '{"fact":"lost","device":"camera"}', ["idle", "idle", "idle", "idle", "turn"]),
        (SCORED, ["idle", "idle", "idle", "idle", "idle"]),
        (SCORED + '{"fact":"end-match"}', ["idle", "idle", "winner", "winner", "idle"]),
        (SPADES, ["idle", "turn", "idle", "idle", "idle"]),
        (SPADES + bid(1, 3), ["idle", "idle", "turn", "idle", "idle"]),
        (EXCHANGING, ["idle", "idle", "turn", "idle", "idle"]),
        (EXCHANGING + '{"fact":"exchange","seat":2,"count":2}', ["turn", "idle", "idle", "idle", "idle"]),
        (BIDS, ["idle", "turn", "idle", "idle", "idle"]),
        (MOON, ["idle", "idle", "question", "idle", "idle"]),
        (MOMENTS["time is up"], ["idle", "timeout", "idle", "idle", "idle"]),
        (SOMEONE, ["idle", "turn", "idle", "idle", "someone"]),
        (MOMENTS["spades over"], ["winner", "idle", "winner", "idle", "idle"]),
    ],
    ids=[
        "no match", "no hand", "passing", "opening", "first card", "a trick is over", "led", "breach", "proof", "doubt",
        "covered", "whose", "reader lost", "camera lost", "camera lost, opening", "scored", "over", "to bid",
        "next to bid", "gives cards", "gives back", "bids done", "moon", "time is up", "someone", "a side has won",
    ],
)  # fmt: skip
def test_each_moment_has_its_lamps(script, meanings):
    assert shining(script) == meanings


def test_a_lamp_is_what_its_meaning_looks_like():
    assert lamps(table_of(BREACH).state) == Lamps(
        (MEANINGS["turn"], MEANINGS["breach"], MEANINGS["idle"], MEANINGS["idle"]), MEANINGS["idle"]
    )


def test_the_winner_of_a_trick_shines_green_until_the_next_is_led():
    """It leads, so green says that too; at the end of the hand only the win is left."""
    won = Told(OPENING_HAND)
    assert [lamp.meaning for lamp in lamps(won.table.state).seats] == ["idle", "idle", "idle", "winner"]
    led = lamps(Told(OPENING_HAND + "3:5D").table.state)
    assert [lamp.meaning for lamp in led.seats] == ["turn", "idle", "idle", "idle"]
    won.tell('{"fact":"end-hand","points":{"0":26}}')
    assert [lamp.meaning for lamp in lamps(won.table.state).seats] == ["idle", "idle", "idle", "winner"]


# --- precedence ------------------------------------------------------------------------------------------------------


def test_the_meanings_stand_in_the_order_of_precedence():
    assert list(MEANINGS) == ["proof", "breach", "someone", "question", "timeout", "winner", "turn", "lost", "idle"]


@pytest.mark.parametrize(
    ("script", "seat", "meaning"),
    [
        # Ada's proof, and out of turn besides.
        (PROOF + "1:5S", 1, "proof"),
        # Ada's second card is a breach, and the table asks which one counts.
        (TWO_CARDS, 1, "breach"),
        (COVERED + ' {"fact":"lost","device":"reader-2"}', 2, "question"),
        (OPENING_HAND, 3, "winner"),
        (OPENING_HAND + '{"fact":"lost","device":"reader-3"}', 3, "winner"),
        (held() + '0:2C {"fact":"lost","device":"reader-1"}', 1, "turn"),
    ],
    ids=[
        "proof over breach", "breach over question", "question over lost", "winner over turn", "winner over lost",
        "turn over lost",
    ],
)  # fmt: skip
def test_of_two_meanings_the_graver_one_shows(script, seat, meaning):
    assert shining(script)[seat] == meaning


def test_a_question_is_graver_than_a_lost_device_in_the_centre_too():
    asked = held() + '{"fact":"tag","card":"9D","source":"reader-0"} {"fact":"lost","device":"camera"}'
    assert shining(asked)[4] == "question"


# --- when red ends ---------------------------------------------------------------------------------------------------


def test_red_ends_when_the_card_is_taken_back():
    assert shining(BREACH)[1] == "breach"
    assert shining(BREACH + "1-6D") == ["turn", "idle", "idle", "idle", "idle"]


def test_red_ends_when_somebody_plays_over_the_card():
    assert shining(BREACH + "0:7D") == ["idle", "idle", "turn", "idle", "idle"]
    assert shining(BREACH + "2:7D")[1:3] == ["idle", "breach"]


def test_red_for_a_proof_stays_until_the_next_trick_begins():
    told = [shining(PROOF + more)[1] for more in ("", "2:9C", "2:9C 3:TC", "2:9C 3:TC 3:JC", "2:9C 3:TC 3:JC 0:QC")]
    assert told == ["proof", "proof", "proof", "idle", "turn"]


def test_red_for_a_proof_from_the_first_card_of_a_trick_stays_for_the_whole_trick():
    game = held() + FIRST_TRICK + "3:5D 0:6D 1:QS 2:7D "  # Ada holds no diamonds
    shown = game + "2:8S 3:9S 0:TS 1:KS 1:9D "  # and leads one in trick 4
    told = [shining(shown + more)[1] for more in ("", "2:TD", "2:TD 3:JD 0:KD", "2:TD 3:JD 0:KD 0:2S")]
    assert told == ["proof", "proof", "proof", "turn"]


def test_red_for_a_proof_ends_when_the_proof_falls():
    assert "proof" not in shining(PROOF + '{"fact":"correct","n":17,"set":{"card":"9S"}}')


def test_a_proof_shown_between_two_tricks_is_red_until_the_next_begins():
    game = OPENING_HAND + "3:5D 0:6D 1:2S 2:7D "
    shows = game + '{"fact":"holds","seat":1,"cards":"4D"} '
    assert [shining(shows)[1], shining(shows + "2:8D")[1]] == ["proof", "idle"]


def test_amber_in_the_centre_stays_until_the_next_trick_begins():
    told = [shining(SOMEONE + more)[4] for more in ("", "1:6D", "1:6D 2:7D 3:8D", "1:6D 2:7D 3:8D 3:9D")]
    assert told == ["someone", "someone", "someone", "idle"]


def test_a_timed_out_seat_is_awaited_until_its_card_lies_there():
    assert shining(MOMENTS["time is up"] + " 1:3C")[1:3] == ["idle", "turn"]


def test_blue_ends_with_the_answer():
    assert shining(COVERED)[2] == "question"
    answered = shining(COVERED + '{"fact":"answer","question":"q6","card":"4C"}')
    assert answered == ["idle", "idle", "idle", "winner", "idle"]


def test_amber_ends_when_the_device_is_found():
    lost = held() + '0:2C {"fact":"lost","device":"reader-2"} '
    assert shining(lost + '{"fact":"found","device":"reader-2"}') == ["idle", "turn", "idle", "idle", "idle"]


def test_who_took_a_card_back_is_awaited_before_the_seat_whose_turn_it_is():
    assert shining(TAKEN_BACK) == ["idle", "turn", "idle", "idle", "idle"]
    assert shining(TAKEN_BACK + "1:3D") == ["idle", "idle", "winner", "idle", "idle"]


# --- how they look ---------------------------------------------------------------------------------------------------


def test_every_meaning_has_a_rhythm_of_its_own_so_that_nobody_needs_to_tell_colours():
    rhythms = [MEANINGS[meaning].rhythm for meaning in MEANINGS]
    assert len(set(rhythms)) == len(MEANINGS)
    assert len({endless(RHYTHMS[rhythm]) for rhythm in rhythms}) == len(MEANINGS)


def endless(slots: tuple[int, ...]) -> tuple[int, ...]:
    """A rhythm as it goes on, from whichever slot one begins to look: the smallest of all turns of a long stretch."""
    length = 240  # every rhythm's length divides it
    assert length % len(slots) == 0
    stretch = slots * (length // len(slots))
    return min(stretch[i:] + stretch[:i] for i in range(len(slots)))


def test_every_lamp_names_a_colour_and_a_rhythm_that_there_are():
    assert {lamp.colour for lamp in MEANINGS.values()} <= set(COLOURS)
    assert {lamp.rhythm for lamp in MEANINGS.values()} <= set(RHYTHMS)
    assert [meaning for meaning, lamp in MEANINGS.items() if lamp.meaning != meaning] == []
