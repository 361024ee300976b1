"""What happens at the table: cards taken back, laid out of turn, corrected; hands and matches that end otherwise."""

from __future__ import annotations

import json
from random import Random

import pytest

from tablepi.cards import card
from tablepi.facts import Hand, Play, Withdraw, from_dict
from tablepi.table import complaint, empty, step, undo

from ..script import NAMES, RULEBOOK, Told, held, match
from .honest import RULES, play_hand

HOLD = '{"fact":"hand","dealer":0} '
TRICK = "0:2C 1:3C 2:4C 3:5C "  # facts 4 to 7; seat 3 wins


def agreed(*points: int) -> str:
    return json.dumps({"fact": "end-hand", "points": {str(seat): p for seat, p in enumerate(points)}}) + " "


def grades(lines) -> list[tuple[str, int]]:
    return [(line["ruling"], line["seat"]) for line in lines if "ruling" in line]


def on_felt(told: Told) -> list[tuple[int, str]]:
    return [(laid.seat, str(laid.card)) for laid in told.table.state.felt.trick]


# --- taking back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "laid"), [(0, "2C"), (1, "3C"), (2, "4C")])
def test_any_card_of_the_trick_in_progress_can_be_taken_back(seat, laid):
    told = Told(held() + f"0:2C 1:3C 2:4C {seat}-{laid}")
    assert [(r["of"], r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(4 + seat, seat, laid)]
    assert told.table.state.felt.known[seat] == card(laid).bit


def test_a_card_of_the_last_trick_can_be_taken_back_until_its_seat_plays_to_the_next():
    told = Told(held() + TRICK + "3:5D 0:6D 1-3C")
    assert [r["of"] for r in told.rulings("withdrawn")] == [5]


def test_after_its_seat_has_played_to_the_next_trick_a_card_is_established():
    told = Told(held() + TRICK + "3:5D 0:6D 0-2C")
    (answer,) = told.answers[-1]
    assert (answer["ruling"], answer["reason"]) == ("ignored", "established")


def test_a_card_two_tricks_ago_is_established():
    told = Told(held() + TRICK + "3:5D 0:6D 1:7D 2:8D 1-3C")
    assert [line["reason"] for line in told.answers[-1]] == ["established"]


def test_taking_back_what_was_not_laid_is_ignored():
    told = Told(held() + "0:2C 1-9C")
    assert [line["reason"] for line in told.answers[-1]] == ["not-laid"]


def test_a_card_that_others_have_played_over_leaves_its_place_open_and_the_next_card_takes_it():
    told = Told(held() + "0:2C 1:5H 2:4C 3:5C 1-5H")
    assert [trick.winner for trick in told.table.state.felt.tricks] == [None]
    answer = told.tell("1:9C")
    (trick,) = told.table.state.felt.tricks
    assert [(laid.seat, str(laid.card)) for laid in trick.cards] == [(0, "2C"), (1, "9C"), (2, "4C"), (3, "5C")]
    assert (trick.winner, told.table.state.felt.turn) == (1, 1)
    assert [line["winner"] for line in answer if line.get("event") == "trick"] == [1]
    assert [line["from"] for line in answer if line.get("event") == "rederived"] == [5]
    assert told.table.state.deal.settled == ()


def test_the_card_taken_back_opens_no_hearts():
    told = Told(held() + "0:2C 1:5H")
    assert told.table.state.felt.broken
    told.tell("1-5H")
    assert not told.table.state.felt.broken


def test_a_revoke_put_right_in_time_costs_nothing_and_the_card_may_be_played_later():
    told = Told(held() + "0:2C 1:5H 1-5H 1:6C 2:4C 3:5C 1:7D 2:8S 3:9D 0:TD 0:QD 1:JD 2:9S 3:KD")
    assert told.rulings("proved", "breach") == []


def test_a_late_card_that_is_taken_back_again_lies_nowhere():
    told = Told(held() + "0~2C 1~3C 3~5C 2~4C 2-4C")
    laid = [laid for _, laid in told.table.state.felt.places()]
    assert [laid.card for laid in laid if laid.seat == 2] in ([], [None])
    assert told.table.state.felt.known[2] == card("4C").bit


# --- out of turn ---------------------------------------------------------------------------------------------------


def test_a_lead_by_the_wrong_seat_is_a_breach_and_the_next_player_accepts_it():
    told = Told(held() + TRICK + "1:5D")
    assert grades(told.answers[-1]) == [("breach", 1)]
    assert told.answers[-1][-1] == {"event": "turn", "hand": 1, "seat": 3}
    told.tell("2:6D 3:7D 0:8D")
    assert [(t.lead, t.winner) for t in told.table.state.felt.tricks] == [(3 - 3, 3), (1, 0)]
    assert told.grades[-3:] == ["legal", "legal", "legal"]


def test_the_proper_leader_may_lead_after_all():
    told = Told(held() + TRICK + "1:5D 3:9S 0:TS")
    assert told.table.state.felt.lead == 3
    assert told.grades[-2:] == ["legal", "legal"]


def test_a_card_off_turn_in_the_middle_of_a_trick_names_whose_turn_it_was():
    told = Told(held() + "0:2C 2:4C")
    ruling = told.answers[-1][0]
    assert (ruling["ruling"], ruling["rules"], ruling["awaited"]) == ("breach", ["turn"], 1)


# --- two cards of one seat -----------------------------------------------------------------------------------------

TWO = held() + "0:2C 1:3C 1:9C"


def test_the_second_card_of_a_seat_is_a_breach_and_the_table_asks_which():
    told = Told(TWO)
    assert [(r["rules"], r["first"]) for r in told.rulings("breach")] == [(["too-many-cards"], "3C")]
    (question,) = told.questions()
    assert (question["ask"], question["candidates"], question["seat"]) == ("card", ["3C", "9C"], 1)


@pytest.mark.parametrize(("kept", "other"), [("3C", "9C"), ("9C", "3C")])
def test_either_card_may_be_the_one_and_the_other_goes_back_to_the_hand(kept, other):
    told = Told(TWO + " " + json.dumps({"fact": "answer", "question": "q6", "card": kept}) + " 2:4C")
    assert on_felt(told) == [(0, "2C"), (1, kept), (2, "4C")]
    assert told.table.state.felt.known[1] == card(other).bit
    assert told.table.state.questions == ()


def test_a_card_that_was_not_asked_about_is_no_answer():
    told = Told(TWO + ' {"fact":"answer","question":"q6","card":"KC"}')
    assert [line["reason"] for line in told.answers[-1]] == ["not-asked"]


# --- corrections ---------------------------------------------------------------------------------------------------


def test_a_card_set_right_changes_the_winner_and_the_turn():
    told = Told(held() + TRICK + '{"fact":"correct","n":5,"set":{"card":"KC"}}')
    assert told.table.state.felt.turn == 1
    assert told.answers[-1][-1] == {"event": "turn", "hand": 1, "seat": 1}


def test_a_missed_card_is_inserted_where_it_was_laid():
    play = {"fact": "play", "seat": 1, "card": "3C"}
    told = Told(held() + "0:2C 2:4C 3:5C " + json.dumps({"fact": "correct", "before": 5, "insert": play}))
    (trick,) = told.table.state.felt.tricks
    assert [laid.seat for laid in trick.cards] == [0, 1, 2, 3]
    assert told.table.state.deal.settled == ()


def test_dropping_a_correction_brings_back_what_was():
    told = Told(held() + TRICK)
    before = told.table.state
    told.tell('{"fact":"correct","n":5,"set":{"card":"KC"}} {"fact":"correct","n":8,"drop":true}')
    assert told.table.state == before


def test_a_fact_that_was_refused_stays_refused_when_the_past_is_derived_again():
    table = empty(RULEBOOK)
    for fact in [*Told(held() + "0:2C").table.log]:
        table = step(table, fact.fact)
    table = step(table, Play(seat=5, card=card("3C")))
    assert [line["reason"] for line in table.lines] == ["refused"]
    table = step(table, from_dict({"fact": "correct", "n": 4, "set": {"seat": 1}}))
    assert [(laid.seat, str(laid.card)) for laid in table.state.felt.trick] == [(1, "2C")]


def test_correcting_an_earlier_hand_changes_the_totals_of_all_later_ones():
    told = Told(match() + HOLD + agreed(13, 13, 0, 0) + HOLD + agreed(0, 0, 13, 13))
    told.tell('{"fact":"correct","n":3,"set":{"points":{"0":20,"1":6}},"reason":"counted again"}')
    assert [dict(score.totals) for score in told.table.state.scores] == [
        {"0": 20, "1": 6, "2": 0, "3": 0},
        {"0": 20, "1": 6, "2": 13, "3": 13},
    ]
    told_again = [(line["hand"], line["by"]) for line in told.answers[-1] if line.get("event") == "hand"]
    assert told_again == [(1, 6), (2, 6)]


def test_undo_again_and_again_comes_back_to_the_start_of_the_hand():
    told = Told(held() + TRICK)
    seen = []
    while (back := undo(told.table)) is not None and told.table.state.felt is not None:
        told.tell([back])
        felt = told.table.state.felt
        seen.append(None if felt is None else sum(1 for _ in felt.places()))
    assert seen == [3, 2, 1, 0, None]
    assert told.table.state.deal.phase == "passing"


def test_undo_of_nothing_is_nothing():
    assert undo(empty(RULEBOOK)) is None
    assert undo(Told(match()).table) is None


# --- endings -------------------------------------------------------------------------------------------------------


def test_a_match_ended_by_hand_has_places_by_totals():
    told = Told(match() + HOLD + agreed(13, 13, 0, 0) + '{"fact":"end-match"}')
    (event,) = told.events("match")
    assert (event["places"], event["winners"], event["reason"]) == ([["2", "3"], ["0", "1"]], ["2", "3"], "agreement")


@pytest.mark.parametrize("line", ['{"fact":"hand"}', '{"fact":"play","seat":0,"card":"2C"}', '{"fact":"end-match"}'])
def test_facts_after_the_end_of_the_match_are_ignored(line):
    told = Told(match() + '{"fact":"end-match"}' + line)
    assert [answer["reason"] for answer in told.answers[-1]] == ["match-over"]


def test_a_misdeal_scores_nothing_keeps_dealer_and_direction_and_counts_as_a_deal():
    told = Told(match() + '{"fact":"hand","dealer":2} {"fact":"passed"} 0:2C {"fact":"misdeal"} {"fact":"hand"}')
    assert [(e["hand"], e["direction"]) for e in told.events("pass")] == [(1, "left"), (2, "left")]
    assert (told.table.state.deal.dealer, told.table.state.scores) == (2, ())


@pytest.mark.parametrize("points", [{"0": 25}, {"0": 27, "1": -1}, {"0": 20, "1": 7}, {}])
def test_points_by_agreement_must_be_those_of_a_whole_hand(points):
    told = Told(held() + json.dumps({"fact": "end-hand", "points": points}))
    assert [line["reason"] for line in told.answers[-1]] == ["points-do-not-add-up"]
    assert told.table.state.scores == ()


def test_all_points_on_one_seat_by_agreement_are_a_moon():
    told = Told(held() + agreed(0, 26, 0, 0))
    assert told.events("hand")[0]["points"] == {"0": 26, "1": 0, "2": 26, "3": 26}


def test_claims_that_no_card_can_settle_any_more_are_unresolved():
    told = Told(held() + "0:2C 1:5H 2:4C 3:5C " + agreed(13, 13, 0, 0))
    (audit,) = told.rulings("confirmed")
    assert [(u["n"], u["rule"]) for u in audit["unresolved"]] == [(5, "first-trick-points")]


# --- the door ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"fact": "match", "rules": "hearts-cardems", "players": NAMES}, "second match"),
        ({"fact": "play", "seat": 4, "card": "2C"}, "seat 4 does not exist"),
        ({"fact": "hand", "dealer": 6}, "seat 6 does not exist"),
        ({"fact": "correct", "n": 1, "set": {"seat": 5}}, "seat 5 does not exist"),
        (
            {"fact": "correct", "before": 1, "insert": {"fact": "play", "seat": 5, "card": "2C"}},
            "seat 5 does not exist",
        ),
        ({"fact": "tick", "at": 3}, "time cannot fall"),
    ],
)
def test_what_cannot_belong_to_this_match_is_refused_with_the_reason(line, words):
    table = Told(held() + '{"fact":"tick","at":4}').table
    fact = from_dict(line)
    assert words in (complaint(table, fact) or "")
    refused = step(table, fact)
    assert (refused.state, [answer["reason"] for answer in refused.lines]) == (table.state, ["refused"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"fact": "match", "rules": "bridge", "players": NAMES}, "no rule set 'bridge'"),
        ({"fact": "match", "rules": "hearts-cardems", "players": NAMES[:3]}, "for 4 players, not 3"),
        ({"fact": "match", "rules": "hearts-cardems", "players": NAMES, "options": {"jokers": 2}}, "no such switch"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused_with_the_reason(line, words):
    assert words in (complaint(empty(RULEBOOK), from_dict(line)) or "")


def test_a_fact_before_any_match_is_ignored():
    table = step(empty(RULEBOOK), Hand())
    assert [line["reason"] for line in table.lines] == ["no-match"]


def test_undo_brings_back_a_card_that_was_said_never_to_have_been_played():
    told = Told(held() + "0:2C 1:3C 2:4C 3:5C")
    before = told.table.state
    told.tell('{"fact":"correct","n":5,"drop":true,"reason":"display"}')
    back = undo(told.table)
    assert back is not None
    assert back.n == 8
    told.tell([back])
    assert told.table.state == before
    following = undo(told.table)
    assert following is not None
    assert following.n == 7  # the undo itself is not taken back, nor is what it undid


@pytest.mark.parametrize("seed", range(12))
def test_cards_taken_back_one_by_one_and_laid_again_are_ruled_as_before(seed):
    random = Random(seed)
    rules = random.choice(list(RULES.values()))
    hand = play_hand(random, rules)
    told = Told([from_dict(line) for line in hand.before_play()])
    ruled: list[str] = []
    for number, laying in enumerate(hand.laid):
        ruled.append(told.tell([Play(seat=laying.seat, card=card(laying.card))])[0]["ruling"])
        if number == len(hand.laid) - 1 or random.random() < 0.7:
            continue
        lying = sum(laid.trick == laying.trick for laid in hand.laid[: number + 1])
        back = range(number + 1 - random.randint(1, lying), number + 1)
        for n in reversed(back):
            lines = told.tell([Withdraw(seat=hand.laid[n].seat, card=card(hand.laid[n].card))])
            assert [line["ruling"] for line in lines if "ruling" in line] == ["withdrawn"]
        for n in back:
            again = told.tell([Play(seat=hand.laid[n].seat, card=card(hand.laid[n].card))])
            assert again[0]["ruling"] in (ruled[n], "legal")  # legal where all that is left is known
    assert not {"breach", "proved", "someone", "pending"} & {line.get("ruling") for line in told.lines}
    assert told.rulings("confirmed")[0]["offences"] == []
