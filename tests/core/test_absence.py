"""Time-outs and leaving, as the tournament's source has them (rows R076 to R079)."""

from __future__ import annotations

import json

import pytest

from ..script import NAMES, Told, match

HANDS = {
    "0": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "1": "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2": "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
    "3": "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
}
AGREED = '{"fact":"hand"} {"fact":"end-hand","points":{"0":13,"1":13}} '


def timeout(seat: int) -> str:
    return json.dumps({"fact": "timeout", "seat": seat}) + " "


def leave(*seats: int) -> str:
    return " ".join(json.dumps({"fact": "leave", "seat": seat}) for seat in seats) + " "


def hand(**hands: str) -> str:
    return json.dumps({"fact": "hand", "dealer": 0, **({"hands": hands} if hands else {})}) + " "


def tournament(*, known: bool = False) -> str:
    """A hold hand of a tournament, its fourth."""
    dealt = {"fact": "hand", "hands": HANDS if known else {}}
    return match("hearts-tournament", hands=10) + AGREED * 3 + json.dumps(dealt) + " "


def of(lines, *keys: str) -> list[tuple[object, ...]]:
    return [tuple(line.get(key) for key in keys) for line in lines]


# --- the time for a card has run out ---------------------------------------------------------------------------------


def test_r076_the_lowest_legal_card_of_a_known_hand_is_named():
    told = Told(tournament(known=True) + "0:2C 1:AD ")
    assert told.tell(timeout(2)) == [{"event": "timeout", "hand": 4, "seat": 2, "card": "2S"}]


def test_r076_another_card_of_a_known_hand_is_a_breach():
    told = Told(tournament(known=True) + "0:2C 1:AD " + timeout(2))
    assert of(told.tell("2:3S"), "ruling", "rules", "held")[0] == ("breach", ["lowest-card"], "2S")


def test_r076_of_an_unknown_hand_the_card_is_a_claim_and_proved_when_a_lower_one_is_shown():
    told = Told(tournament() + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D " + timeout(1))
    assert told.events("timeout") == [{"event": "timeout", "hand": 4, "seat": 1}]
    assert of(told.tell("1:9D"), "ruling", "rules")[0] == ("unproven", ["lowest-card"])
    shown = told.tell("2:TD 2:6C 3:7C 0:8C 1:AC 1:7D")
    assert [
        (line["offence"]["card"], line["offence"]["rule"], line["shown"]) for line in shown if "offence" in line
    ] == [("9D", "lowest-card", "7D")]


def test_r076_it_holds_for_one_card():
    told = Told(tournament() + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D " + timeout(1) + "1:9D 2:TD 2:6C 3:7C 0:8C ")
    assert told.table.state.deal.timed_out == ()
    assert of(told.tell("1:AC"), "ruling", "rules")[0] == ("legal", [])


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_the_time_of_a_seat_whose_card_is_not_awaited_cannot_run_out(seat):
    told = Told(tournament() + "0:2C ")
    assert of(told.tell(timeout(seat)), "ruling", "reason") == [("ignored", "not-awaited")]


def test_a_time_runs_out_once():
    told = Told(tournament() + "0:2C " + timeout(1))
    assert of(told.tell(timeout(1)), "reason") == [("not-awaited",)]


@pytest.mark.parametrize("rules", ["hearts-cardems", "hearts-classic", "hearts-black-maria", "spades"])
def test_where_the_source_knows_no_time_outs_and_no_leaving_there_are_none(rules):
    told = Told(match(rules) + hand())
    assert of(told.tell(timeout(1) + leave(1)), "ruling", "reason") == [("ignored", "not-in-this-game")] * 2
    assert told.table.state.left == ()


def test_a_table_may_agree_on_time_outs():
    told = Told(match(timeouts={"play": 20}, leaving=True) + hand())
    assert of(told.tell(timeout(1)), "event", "seat") == [("timeout", 1)]


def test_without_a_hand_no_time_runs_out():
    told = Told(match("hearts-tournament"))
    assert of(told.tell(timeout(1)), "reason") == [("no-hand",)]


# --- the time for the pass has run out -------------------------------------------------------------------------------

MIXED = "QS KS 2S 5H AH 3H 2C 3C 4C 5C 6C 7C 8C"


def passing(seat: int, cards: str) -> str:
    return json.dumps({"fact": "pass", "seat": seat, "cards": cards}) + " "


def test_r077_queen_ace_king_of_spades_and_then_the_highest_hearts_are_passed_from_a_known_hand():
    told = Told(match("hearts-tournament") + hand(**{"1": MIXED}))
    assert told.tell(timeout(1)) == [{"event": "timeout", "hand": 1, "seat": 1, "cards": "QS KS AH"}]
    assert of(told.tell(passing(1, "AH QS KS")), "ruling", "rules") == [("legal", [])]


def test_r077_other_cards_of_a_known_hand_are_a_breach():
    told = Told(match("hearts-tournament") + hand(**{"1": MIXED}) + timeout(1))
    assert of(told.tell(passing(1, "QS KS 5H")), "ruling", "rules", "held") == [("breach", ["lowest-card"], "AH")]


def test_r077_where_the_list_runs_short_the_highest_cards_go():
    told = Told(match("hearts-tournament") + hand(**{"1": "AS 2C 3C 4C 5C 6C 7C 8C 9C TC TD TS 2D"}) + timeout(1))
    assert told.events("timeout")[0]["cards"] == "AS TS TD"


def test_r077_of_an_unknown_hand_what_is_known_is_checked():
    told = Told(match("hearts-tournament") + hand() + timeout(1))
    assert told.events("timeout") == [{"event": "timeout", "hand": 1, "seat": 1}]
    told.tell('{"fact":"holds","seat":1,"cards":"AS"}')
    assert of(told.tell(passing(1, "QS KS AH")), "rules", "held") == [(["lowest-card"], "AS")]


def test_r077_the_time_for_the_pass_says_nothing_of_the_cards_after_it():
    told = Told(match("hearts-tournament") + hand() + timeout(1) + '{"fact":"passed"}')
    assert told.table.state.deal.timed_out == ()


# --- leaving ---------------------------------------------------------------------------------------------------------


def test_r078_every_card_of_a_seat_that_has_left_is_judged_as_timed_out():
    told = Told(tournament(known=True) + leave(1) + "0:2C ")
    assert of(told.tell("1:AD"), "ruling", "rules", "held")[0] == ("breach", ["lowest-card"], "2D")
    told.tell("2:2S 3:2H 0:3C ")
    assert of(told.tell("1:2D"), "ruling", "rules")[0] == ("legal", [])


def test_r078_who_has_left_passes_as_one_whose_time_has_run_out():
    told = Told(match("hearts-tournament") + hand(**{"1": MIXED}) + leave(1))
    assert of(told.tell(passing(1, "2C 3C 4C")), "rules", "held") == [(["lowest-card"], "QS")]


def test_r078_who_has_left_is_ranked_below_all_who_stay_the_first_to_leave_last():
    told = Told(match("hearts-tournament") + AGREED + leave(2, 3) + AGREED * 3)
    (end,) = told.events("match")
    assert (end["places"], end["winners"], end["reason"]) == ([["0", "1"], ["3"], ["2"]], ["0", "1"], "hands")
    assert end["totals"] == {"0": 52, "1": 52, "2": 0, "3": 0}


def test_r078_who_has_left_cannot_leave_again_nor_run_out_of_time():
    told = Told(tournament() + "0:2C " + leave(1))
    assert of(told.tell(leave(1) + timeout(1)), "reason") == [("left-already",), ("not-awaited",)]


def test_r079_when_one_is_left_the_match_ends_and_that_player_is_first():
    told = Told(tournament() + "0:2C 1:3C " + leave(0, 1))
    assert told.tell(leave(3)) == [
        {"event": "leave", "seat": 3},
        {
            "event": "match",
            "places": [["2"], ["3"], ["1"], ["0"]],
            "totals": {"0": 39, "1": 39, "2": 0, "3": 0},
            "winners": ["2"],
            "reason": "left",
        },
    ]


def test_r079_the_offences_of_the_hand_that_is_broken_off_are_told():
    told = Told(tournament(known=True) + "0:2C 1:AD 2:3C " + leave(0, 1))
    answer = told.tell(leave(3))
    assert of(answer, "event", "ruling") == [("leave", None), (None, "confirmed"), ("match", None)]
    assert of(answer[1]["offences"], "seat", "rule") == [(2, "not-in-hand")]


def test_leaving_that_was_entered_by_mistake_is_taken_back():
    told = Told(match("hearts-tournament") + AGREED)
    before = told.table.state
    told.tell(leave(2) + '{"fact":"correct","n":4,"drop":true}')
    assert told.table.state == before


def test_three_players_leave_as_four_do():
    begun = {"fact": "match", "rules": "hearts-tournament", "players": NAMES[:3]}
    told = Told(json.dumps(begun) + leave(1) + leave(0))
    assert told.events("match")[0]["places"] == [["2"], ["0"], ["1"]]


def test_the_time_of_the_first_card_may_be_up_though_nobody_has_said_that_the_passing_is_over():
    passes = " ".join(f'{{"fact":"pass","seat":{seat},"count":3}}' for seat in range(4))
    told = Told(match("hearts-tournament") + '{"fact":"hand","dealer":0} ' + passes)
    assert [line["event"] for line in told.tell('{"fact":"timeout","seat":2}')] == ["timeout"]
    assert told.table.state.deal.phase == "playing"
