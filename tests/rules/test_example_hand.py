"""The example hand of source 003, as far as it is told: the deal, the pass, four tricks and the score."""

from __future__ import annotations

import json

from tablepi.cards import cards_of, hand_of_cards

from ..script import Told

YOU, ADA, BO, CLEO = range(4)
DEALT = "AS QS 4S KH 9H 3H JD 8D 6D 2D TC 7C 5C"


def told(script: str = "") -> Told:
    match = {"fact": "match", "rules": "hearts-classic", "players": ["Tu", "Ada", "Bo", "Cleo"]}
    hand = {"fact": "hand", "dealer": ADA, "hands": {"0": DEALT}}
    return Told(json.dumps(match) + json.dumps(hand) + script)


PASSES = (
    '{"fact":"pass","seat":0,"cards":"QS AS KH"} {"fact":"pass","seat":1,"count":3} {"fact":"pass","seat":2,"count":3}'
    ' {"fact":"pass","seat":3,"cards":"KC JH 8C"} {"fact":"passed"} '
)


def known(table: Told, seat: int) -> int:
    return table.table.state.felt.known[seat]


def cards(text: str) -> int:
    return cards_of(hand_of_cards(text))


def test_r124_r126_four_players_have_thirteen_cards_each():
    table = told()
    assert table.table.state.deal.felt.size == 13
    assert table.table.state.deal.dealt[YOU] == cards(DEALT)


def test_r125_r127_three_cards_go_to_the_left_and_three_come_from_the_right():
    table = told(PASSES)
    assert table.events("pass") == [{"event": "pass", "hand": 1, "direction": "left"}]
    assert [line["ruling"] for line in table.rulings("legal", "breach")] == ["legal"] * 4
    assert known(table, ADA) == cards("QS AS KH")


def test_r128_your_hand_after_the_pass_is_as_it_is_printed():
    assert known(told(PASSES), YOU) == cards("4S JH 9H 3H JD 8D 6D 2D KC TC 8C 7C 5C")


def test_r129_r130_the_first_trick_goes_bo_cleo_you_ada_and_your_king_takes_it():
    table = told(PASSES + "2:2C")
    assert [e["seat"] for e in table.events("turn")] == [None, CLEO]
    table.tell("3:9C 0:KC 1:3C")
    assert [e["seat"] for e in table.events("turn")] == [None, CLEO, YOU, ADA, YOU]
    assert [(e["winner"], e["points"]) for e in table.events("trick")] == [(YOU, 0)]
    assert table.grades == ["legal"] * 8  # the passes and the cards


FOUR_TRICKS = "2:2C 3:9C 0:KC 1:3C 0:4S 1:7S 2:TS 3:JS 3:5D 0:6D 1:QS 2:AD 2:TD 3:9D 0:8D 1:KH "


def test_r131_r132_r133_the_queen_and_the_king_of_hearts_fall_on_bos_tricks():
    table = told(PASSES + FOUR_TRICKS)
    assert [(e["winner"], e["points"]) for e in table.events("trick")] == [(YOU, 0), (CLEO, 0), (BO, 13), (BO, 1)]
    assert [line["card"] for line in table.rulings("unproven")] == ["QS", "KH"]  # Ada has no diamonds: nobody saw it
    assert table.rulings("breach", "proved", "pending", "someone") == []


def test_r133_the_king_of_hearts_is_the_first_heart_and_opens_hearts():
    table = told(PASSES + FOUR_TRICKS)
    assert table.events("hearts-broken") == [{"event": "hearts-broken", "n": len(table.answers)}]


def test_r135_the_hand_scores_3_4_3_and_16_for_bo():
    table = told(PASSES + FOUR_TRICKS + '{"fact":"end-hand","points":{"0":3,"1":4,"2":16,"3":3}}')
    points = {"0": 3, "1": 4, "2": 16, "3": 3}
    assert table.events("hand") == [{"event": "hand", "hand": 1, "points": points, "totals": points, "moon": None}]


def test_r134_the_three_points_in_one_trick_cannot_have_been_two_of_them_were_in_one_hand():
    assert cards("JH 9H") & ~known(told(PASSES), YOU) == 0


def test_the_next_hands_pass_right_and_across_and_the_fourth_holds():
    agreed = '{"fact":"end-hand","points":{"0":3,"1":4,"2":16,"3":3}} '
    table = told(PASSES + FOUR_TRICKS + agreed + ('{"fact":"hand"} ' + agreed) * 3)
    assert [e["direction"] for e in table.events("pass")] == ["left", "right", "across", "hold"]
