"""The situations of the public reports (cases K1 to K37) that Hearts with four players can meet."""

from __future__ import annotations

import json

import pytest

from tablepi.cards import card
from tablepi.rules import Played

from .script import RULEBOOK, Told, held, match

HOLD = '{"fact":"hand","dealer":0} '
CONFIRM_NOTHING = {"offences": [], "unresolved": []}


def agreed(*points: int) -> str:
    """A hand that ends by agreement on these points, seat by seat."""
    return json.dumps({"fact": "end-hand", "points": {str(seat): p for seat, p in enumerate(points)}}) + " "


def fourth_hand() -> str:
    """A match whose next hand is its fourth: no passing."""
    return match() + (HOLD + agreed(13, 13, 0, 0)) * 3


def seat_0_takes_all() -> list[str]:
    """A whole hand: seat 0 has the clubs, 1 the diamonds, 2 the spades, 3 the hearts, so seat 0 takes every trick."""
    suits = ((0, "C"), (1, "D"), (2, "S"), (3, "H"))
    return [f"{seat}:{rank}{suit}" for rank in "23456789TJQKA" for seat, suit in suits]


def test_k1_three_hearts_and_the_queen_are_sixteen_points_and_no_moon():
    told = Told(held() + agreed(16, 10, 0, 0))
    points = {"0": 16, "1": 10, "2": 0, "3": 0}
    assert told.events("hand") == [{"event": "hand", "hand": 1, "points": points, "totals": points, "moon": None}]


def test_k2_the_two_of_clubs_opens_a_hold_hand_too():
    told = Told(fourth_hand())
    assert told.tell(HOLD) == [
        {"event": "pass", "hand": 4, "direction": "hold"},
        {"event": "turn", "hand": 4, "seat": None, "card": "2C"},
    ]
    assert told.tell("1:3H")[0] == {
        "ruling": "breach",
        "n": 9,
        "hand": 4,
        "trick": 1,
        "seat": 1,
        "card": "3H",
        "rules": ["opening"],
        "expected": "2C",
    }


@pytest.mark.parametrize("cards", ["QS AS", "QS AS KS 2D"])
def test_k3_a_pass_of_two_or_four_cards_is_a_breach_and_can_be_put_right_or_annulled(cards):
    told = Told(match() + HOLD + json.dumps({"fact": "pass", "seat": 0, "cards": cards}))
    assert [line["rules"] for line in told.rulings("breach")] == [["pass-count"]]
    put_right = told.tell('{"fact":"correct","n":3,"set":{"cards":"QS AS KS"}}')
    assert put_right == [
        {"event": "rederived", "n": 4, "from": 3},
        {"ruling": "legal", "n": 3, "hand": 1, "trick": None, "seat": 0, "cards": "QS AS KS", "rules": [], "by": 4},
    ]
    assert told.tell('{"fact":"misdeal"}') == [{"event": "misdeal", "hand": 1}]


@pytest.mark.parametrize(
    ("point", "to_the_next", "shown", "rule"),
    [
        ("5H", "3:8D 0:2D", "7D", "first-trick-points"),
        ("QS", "3:8S 0:2S", "7S", "first-trick-points"),
        ("QS", "3:8C 0:9C", "TC", "follow-suit"),
    ],
)
def test_k4_a_point_on_trick_one_is_unproven_until_another_card_is_shown(point, to_the_next, shown, rule):
    told = Told(held() + f"0:2C 1:{point} 2:3C 3:4C {to_the_next}")
    assert [(r["n"], r["rules"]) for r in told.rulings("unproven")] == [(5, ["first-trick-points", "follow-suit"])]
    assert told.tell(f"1:{shown}")[:2] == [
        {"ruling": "legal", "n": 10, "hand": 1, "trick": 2, "seat": 1, "card": shown, "rules": []},
        {
            "ruling": "proved",
            "n": 10,
            "hand": 1,
            "trick": 2,
            "seat": 1,
            "how": "shown",
            "offence": {"n": 5, "trick": 1, "card": point, "rule": rule},
            "shown": shown,
        },
    ]


@pytest.mark.parametrize(("rules", "note"), [("hearts-cardems", None), ("hearts-classic", "source-silent")])
def test_k5_a_known_hand_of_points_may_play_one_on_trick_one(rules, note):
    hands = {"1": "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"}
    told = Told(fourth_hand().replace("hearts-cardems", rules) + json.dumps({"fact": "hand", "hands": hands}))
    told.tell("0:2C 1:QS")
    assert told.grades == ["legal", "legal"]
    assert told.rulings("legal")[1].get("note") == note


def test_k5_an_unknown_hand_keeps_the_claim_to_the_end():
    told = Told(held() + "0:2C 1:QS 2:3C 3:4C 3:AC 0:5C 1:2H 2:6C")
    assert [claim.n for claim in told.table.state.deal.felt.claims] == [5, 10]


def test_k6_four_players_pass_left_right_across_hold_and_a_misdeal_does_not_count():
    hand = HOLD + agreed(13, 13, 0, 0)
    told = Told(match() + hand * 2 + HOLD + '{"fact":"misdeal"}' + hand * 3)
    directions = [(e["hand"], e["direction"]) for e in told.events("pass")]
    assert directions == [(1, "left"), (2, "right"), (3, "across"), (4, "across"), (5, "hold"), (6, "left")]


def test_k7_a_heart_led_before_hearts_are_broken_is_proved_when_a_non_heart_is_shown():
    told = Told(held() + "0:2C 1:3C 2:4C 3:5C 3:5H 0:2H 1:3H 2:4H 3:6D")
    assert [(r["n"], r["rules"]) for r in told.rulings("unproven")] == [(8, ["hearts-not-broken"])]
    assert [(r["n"], r["offence"]) for r in told.rulings("proved")] == [
        (12, {"n": 8, "trick": 2, "card": "5H", "rule": "hearts-not-broken"})
    ]


def test_k7_a_heart_led_after_a_heart_was_played_is_legal():
    told = Told(held() + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:2H 2:7D 2:9H")
    assert told.grades[-1] == "legal"


@pytest.mark.parametrize("rules", ["hearts-cardems", "hearts-classic"])
def test_k8_the_queen_of_spades_does_not_break_hearts(rules):
    told = Told(held(rules) + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:QS 2:7D 2:9H")
    assert [(r["n"], r["rules"]) for r in told.rulings("unproven")] == [
        (10, ["follow-suit"]),
        (12, ["hearts-not-broken"]),
    ]


def test_k9_a_moon_is_settled_after_the_last_trick_and_not_before():
    plays = seat_0_takes_all()
    told = Told(held() + " ".join(plays[:-1]))
    assert told.events("hand") == []
    told.tell(plays[-1])
    assert told.events("hand")[0]["moon"] == {"seat": 0, "choice": "others"}


@pytest.mark.parametrize("rules", ["hearts-cardems", "hearts-classic"])
def test_k10_a_moon_at_90_80_80_20_ends_the_match_and_the_shooter_does_not_win(rules):
    game = RULEBOOK[rules]
    result = game.score(Played({0: 26, 1: 0, 2: 0, 3: 0}))
    before = {"0": 90, "1": 80, "2": 80, "3": 20}
    totals = {side: total + result.points[side] for side, total in before.items()}
    assert totals == {"0": 90, "1": 106, "2": 106, "3": 46}
    assert game.ended(totals, 7) == "target"
    assert game.places(totals) == (("3",), ("0",), ("1", "2"))


@pytest.mark.parametrize(
    ("rules", "places"),
    [("hearts-cardems", None), ("hearts-classic", [["2", "3"], ["1"], ["0"]])],
)
def test_k11_exactly_100_ends_the_match_but_in_cardems_not_on_a_tie_for_lowest(rules, places):
    told = Told(match(rules) + (HOLD + agreed(25, 1, 0, 0)) * 4)
    assert dict(told.table.state.totals) == {"0": 100, "1": 4, "2": 0, "3": 0}
    assert [event["places"] for event in told.events("match")] == ([places] if places else [])
    told.tell((HOLD + agreed(0, 0, 0, 26)) if places is None else "")
    if places is None:  # 100 + 26, 30, 26, 0: seat 3 is alone lowest after its moon
        assert [event["winners"] for event in told.events("match")] == [["3"]]


def test_k12_all_thirteen_tricks_are_the_moon_and_nothing_more():
    told = Told(held() + " ".join(seat_0_takes_all()))
    assert told.events("hand") == [
        {
            "event": "hand",
            "hand": 1,
            "points": {"0": 0, "1": 26, "2": 26, "3": 26},
            "totals": {"0": 0, "1": 26, "2": 26, "3": 26},
            "moon": {"seat": 0, "choice": "others"},
        }
    ]


def test_k25_every_earlier_denial_of_a_suit_is_proved_when_the_suit_is_shown():
    told = Told(held() + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:2S 2:7D 2:8D 3:9D 0:JD 1:3S 0:KC 1:4D")
    assert [(r["n"], r["offence"]) for r in told.rulings("proved")] == [
        (17, {"n": 10, "trick": 3 - 1, "card": "2S", "rule": "follow-suit"}),
        (17, {"n": 15, "trick": 3, "card": "3S", "rule": "follow-suit"}),
    ]


def test_k26_a_discard_denies_only_the_led_suit():
    told = Told(held() + "0:2C 1:3C 2:4C 3:5C 3:KS 0:2S 1:3S 2:7D 3:4S 0:5S 1:6S 2:8H 3:2D 0:3D 1:4D 2:9D")
    claims = told.table.state.deal.felt.claims
    assert [(c.seat, str(c.card), [rule for _, rule in c.denied]) for c in claims] == [
        (2, "7D", ["follow-suit"]),
        (2, "8H", ["follow-suit"]),
    ]
    assert told.rulings("proved") == []  # the 9D follows: nobody denied diamonds


def test_k27_undo_of_the_last_card_of_a_trick_takes_winner_points_and_turn_back():
    told = Told(held() + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:QS")
    before = told.table.state
    told.tell("2:7D")
    assert told.tell('{"fact":"correct","n":11,"drop":true}') == [
        {"event": "rederived", "n": 12, "from": 11},
        {"ruling": "void", "n": 11, "was": told.answers[-2][0], "by": 12},
        {"event": "void", "n": 11, "was": told.answers[-2][1], "by": 12},
        {"event": "turn", "hand": 1, "seat": 2},
    ]
    assert told.table.state == before


def test_k28_the_last_card_of_the_last_trick_counts_at_once():
    told = Told(held() + " ".join(seat_0_takes_all()))
    assert [line.get("event", line.get("ruling")) for line in told.answers[-1]] == [
        "legal",
        "trick",
        "confirmed",
        "hand",
    ]
    assert {k: told.rulings("confirmed")[0][k] for k in CONFIRM_NOTHING} == CONFIRM_NOTHING


def test_k29_a_card_entered_twice_is_a_duplicate_names_both_places_asks_and_denies_no_suit():
    told = Told(held() + "0:2C 1:3C 2:4C 3:5C 3:5D 0:4C")
    assert told.answers[-1] == (
        {
            "ruling": "breach",
            "n": 9,
            "hand": 1,
            "trick": 2,
            "seat": 0,
            "card": "4C",
            "rules": ["duplicate"],
            "twin": {"n": 6, "seat": 2, "trick": 1},
        },
        {
            "question": "q9",
            "n": 9,
            "seat": 0,
            "ask": "card",
            "candidates": ["4C", "4S"],
            "of": 9,
            "why": "duplicate",
            "trick": 2,
        },
        {"event": "turn", "hand": 1, "seat": 1},
    )
    assert told.table.state.deal.felt.claims == ()


def test_k29_the_answer_may_be_that_the_earlier_reading_was_wrong():
    told = Told(held() + "0~2C 1~3C 2~4C 3~5C 3~5D 0~4C")
    assert told.rulings("breach") == []
    told.tell('{"fact":"answer","question":"q9","card":"4C"}')
    assert [(q["ask"], q["of"], q["candidates"]) for q in told.questions()[1:]] == [("card", 6, ["4S"])]
    told.tell('{"fact":"answer","question":"q6","card":"4S"}')
    assert told.table.state.questions == ()
    assert [str(c) for c in told.table.state.deal.felt.tricks[0].cards[2:3] for c in [c.card]] == ["4S"]
    assert told.table.state.deal.pending == ()


def test_k31_a_covered_card_is_asked_for_and_nobody_is_accused():
    told = Told(held() + "0~2C 1~3C 3~5C")
    assert [(r["ruling"], r["seat"], r["check"]) for r in told.rulings("pending", "breach")] == [("pending", 3, [6])]
    (question,) = told.questions()
    assert (question["question"], question["ask"], question["seat"]) == ("q6", "missing", 2)
    assert told.events("turn")[-1]["seat"] is None or told.events("turn")[-1]["seat"] != 3
    answer = told.tell('{"fact":"answer","question":"q6","card":"4C"}')
    assert answer == [
        {"ruling": "legal", "n": 7, "hand": 1, "trick": 1, "seat": 2, "card": "4C", "rules": []},
        {
            "ruling": "cleared",
            "n": 7,
            "hand": 1,
            "seat": 3,
            "offence": {"n": 6, "trick": 1, "card": "5C", "rule": "turn"},
        },
        {"event": "rederived", "n": 7, "from": 6},
        {"ruling": "legal", "n": 6, "hand": 1, "trick": 1, "seat": 3, "card": "5C", "rules": [], "by": 7},
        {
            "event": "trick",
            "hand": 1,
            "trick": 1,
            "lead": 0,
            "cards": {"0": "2C", "1": "3C", "2": "4C", "3": "5C"},
            "winner": 3,
            "points": 0,
            "n": 6,
            "by": 7,
        },
        {"event": "turn", "hand": 1, "seat": 3},
    ]
    assert told.table.state.deal.settled == ()


def test_k31_the_covered_card_may_be_seen_later():
    told = Told(held() + "0~2C 1~3C 3~5C 2~4C")
    assert told.rulings("breach") == []
    assert [r["ruling"] for r in told.rulings("cleared")] == ["cleared"]
    assert [t.winner for t in told.table.state.deal.felt.tricks] == [3]
    assert told.table.state.questions == ()


def test_k32_an_opening_card_read_as_its_look_alike_is_asked_and_not_ruled():
    told = Told(held() + "0~2S")
    assert told.rulings("breach") == []
    (question,) = told.questions()
    assert (question["ask"], question["candidates"]) == ("card", ["2S", "2C"])
    told.tell('{"fact":"answer","question":"q4","card":"2C"}')
    assert [r["ruling"] for r in told.rulings("cleared", "breach")] == ["cleared"]
    assert told.table.state.questions == ()


MISREAD = "0~2C 1~3S 2~4C 3~5C 3~8C 0~6C 1~7C"  # seat 1's first card was the 3C


def test_k33_a_club_read_as_a_spade_accuses_nobody_when_a_club_turns_up():
    told = Told(held() + MISREAD)
    assert told.rulings("proved", "breach") == []
    assert [(r["n"], r["offence"], r["check"]) for r in told.rulings("pending")] == [
        (10, {"n": 5, "trick": 1, "card": "3S", "rule": "follow-suit"}, [5, 10])
    ]
    (question,) = told.questions()
    assert (question["ask"], question["of"], question["candidates"]) == ("card", 5, ["3S", "3C"])
    cleared = told.tell('{"fact":"correct","n":5,"set":{"card":"3C"},"reason":"misread"}')
    assert (cleared[0]["ruling"], cleared[0]["offence"]["n"]) == ("cleared", 5)
    assert told.table.state.questions == ()


def test_k33_a_claim_read_for_certain_is_proved_at_once():
    told = Told(held() + MISREAD.replace("~", "#"))
    assert [(r["n"], r["offence"]["n"]) for r in told.rulings("proved")] == [(10, 5)]


def test_k33_the_doubt_ends_in_a_proof_when_both_cards_are_confirmed():
    told = Told(held() + MISREAD + ' {"fact":"confirm","n":5}')
    assert told.rulings("proved") == []  # the seven may still be a spade
    told.tell('{"fact":"confirm","n":10}')
    assert [(r["n"], r["by"], r["offence"]["n"]) for r in told.rulings("proved")] == [(10, 12, 5)]


def test_k33_the_doubt_ends_when_the_look_alikes_turn_up_elsewhere():
    told = Told(held() + MISREAD + " 2~3C")
    assert told.rulings("proved") == []  # the seven may still be a spade
    told.tell("3~KD 0~2D 1~JD 2~7S")
    assert [(r["n"], r["offence"]["n"]) for r in told.rulings("proved")] == [(15, 5)]


def test_k36_a_second_reading_of_the_same_card_is_no_second_play():
    told = Told(held() + "0~2C 1~3C 0~2C 1~3C 1#3C")
    assert [r["ruling"] for r in told.lines if "ruling" in r] == ["legal", "legal"]
    assert [laid.sure for laid in told.table.state.deal.felt.trick] == [False, True]


@pytest.mark.parametrize(
    "script",
    [
        "0:2C 1:5H 1-5H 1:6C",
        '0#2C 1#5H {"fact":"untag","seat":1,"card":"5H","source":"reader-1"} 1#6C',
        '0~2C 1~5H {"fact":"gone","seat":1,"card":"5H","source":"camera"} 1~6C',
    ],
    ids=["entered", "by reader", "by camera"],
)
def test_k37_a_card_taken_back_before_the_next_play_is_one_withdrawn_and_one_play(script):
    told = Told(held() + script)
    assert [(r["of"], r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(5, 1, "5H")]
    felt = told.table.state.deal.felt
    assert [str(laid.card) for laid in felt.trick] == ["2C", "6C"]
    assert felt.known[1] == card("5H").bit
    assert felt.claims == ()  # the claim of the card taken back costs nothing
    assert felt.findings == ()


@pytest.mark.parametrize(
    "script",
    [
        '0#2C 1#3C 2#4C 3#5H {"fact":"untag","seat":3,"card":"5H","source":"reader-3"} 3#5C',
        '0~2C 1~3C 2~4C 3~5H {"fact":"gone","seat":3,"card":"5H","source":"camera"} 3~5C',
    ],
    ids=["by reader", "by camera"],
)
def test_k37_the_last_card_of_a_trick_may_be_taken_back_before_the_next_lead(script):
    told = Told(held() + script)
    assert [(r["of"], r["card"], r["trick"]) for r in told.rulings("withdrawn")] == [(7, "5H", 1)]
    assert told.rulings("breach", "proved", "pending") == []
    assert [str(laid.card) for laid in told.table.state.deal.felt.tricks[0].cards] == ["2C", "3C", "4C", "5C"]


@pytest.mark.parametrize(
    "script",
    [
        '0#2C 1#3C 2#4C 3#5C 0#9D {"fact":"untag","seat":0,"card":"9D","source":"reader-0"} 3#8D 0#TD',
        '0#2C 2#4C {"fact":"untag","seat":2,"card":"4C","source":"reader-2"} 1#3C 2#5C',
    ],
    ids=["a lead", "in a trick"],
)
def test_a_card_out_of_turn_that_was_lifted_again_leaves_its_seat_free_to_play_in_turn(script):
    told = Told(held() + script)
    assert len(told.rulings("withdrawn")) == 1
    assert told.table.state.deal.felt.findings == ()
    assert [line["rules"] for line in told.rulings("breach")] == [["turn"]]  # the record keeps what was ruled then


def test_sweeping_the_last_trick_after_the_hand_is_no_news():
    told = Told(held() + " ".join(seat_0_takes_all()))
    assert told.tell('{"fact":"untag","seat":0,"card":"AC"} {"fact":"gone","card":"AD"} {"fact":"cleared"}') == []
