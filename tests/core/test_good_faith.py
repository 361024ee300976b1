"""Who acted in good faith is not accused: cards that followed a lead which was replaced, hands scanned after the pass,
a time-out whose card nobody saw, the proper leader who may have meant to follow."""

from __future__ import annotations

from random import Random

import pytest

from tablepi.facts import Play, from_dict

from ..script import Told, held, match
from .honest import RULES, deal, play_out

ACCUSED = ("breach", "proved", "someone")
TRICK = "0:2C 1:3C 2:4C 3:5C "


@pytest.mark.parametrize("known", [0, 1, 4])
def test_hands_scanned_after_a_counted_pass_are_the_hands_that_are_played(known):
    for seed in range(20):
        random = Random(seed)
        hand = play_out(random, deal(random, RULES["hearts-cardems", 4], "left", rich=seed % 4))
        before = [line for line in hand.before_play() if line["fact"] != "passed"]
        scanned = [{"fact": "holds", "seat": seat, "cards": " ".join(hand.hands[seat])} for seat in range(known)]
        told = Told([from_dict(line) for line in [*before, *scanned]])
        told.tell([Play(seat=laid.seat, card=from_dict({"fact": "play", "seat": 0, "card": laid.card}).card)
                   for laid in hand.laid])  # fmt: skip
        assert told.rulings(*ACCUSED) == []


def test_a_hand_scanned_while_its_pass_is_only_counted_is_not_taken_for_the_hand_that_was_dealt():
    told = Told(match() + '{"fact":"hand","dealer":0} {"fact":"pass","seat":1,"count":3} ')
    (answer,) = told.tell('{"fact":"holds","seat":1,"cards":"2C 3C"}')
    assert (answer["ruling"], answer["reason"]) == ("ignored", "during-pass")


def test_a_card_laid_on_a_lead_that_is_taken_back_denies_nothing_under_the_next_lead():
    told = Told(held() + TRICK + "3:5D 0:7D 3-5D 3:5S 1:6S 2:8S 2:9S 3:TS 0:QS")
    assert told.rulings(*ACCUSED) == []


def test_a_discard_on_a_lead_that_is_replaced_by_another_card_of_its_suit_denies_nothing_either():
    told = Told(held() + TRICK + "3:5D 0:7S 3-5D 3:6D 1:8D 2:9D 2:2H 3:3H 0:TD")
    assert told.rulings(*ACCUSED) == []


def test_a_time_out_is_over_when_the_camera_has_missed_its_card():
    told = Told(match("hearts-tournament") + '{"fact":"hand","dealer":0} {"fact":"passed"} 0~2C ')
    told.tell('{"fact":"timeout","seat":1}')
    told.tell("2~4C 3~5C 3~6D 0~7D 1~KD")
    assert [r["rules"] for r in told.rulings("legal", "unproven")][-1] == []
    assert told.rulings(*ACCUSED) == []


def test_an_offence_that_is_ruled_lets_nobody_else_be_suspected_and_is_told_once():
    told = Told(held() + '{"fact":"holds","seat":1,"cards":"3D"} 0:2C 1:JH 2:4C 3:5C 3:6C 0:7C 1:8C')
    assert [(r["n"], r["rules"]) for r in told.rulings("breach")] == [(6, ["first-trick-points", "follow-suit"])]
    assert told.rulings("proved") == []


def test_after_an_offence_that_is_ruled_the_others_are_not_suspected_with_it():
    counted = "".join(f'{{"fact":"pass","seat":{seat},"count":3}} ' for seat in range(3))
    begun = match("hearts-classic").replace('["Rita", "Ada", "Bo", "Cleo"]', '["Rita", "Ada", "Bo"]')
    told = Told(begun + '{"fact":"hand","dealer":0} ' + counted + '{"fact":"passed"} ')
    told.tell('{"fact":"holds","seat":2,"cards":"3D"} 0:2C 1:6D 2:JH 0:6S 1:9D 2:QH')
    assert [r["n"] for r in told.rulings("breach")] == [10]
    assert told.rulings("someone") == []


def test_the_proper_leader_who_is_next_to_the_wrong_one_may_have_followed_and_then_claims_nothing():
    told = Told(held() + '{"fact":"holds","seat":3,"cards":"9D"} ' + TRICK + "2:6S 3:TH 0:7S 1:8S 1:9S")
    assert [r["rules"] for r in told.rulings(*ACCUSED)] == [["turn"]]


def test_who_follows_the_wrong_lead_takes_it_for_the_lead():
    told = Told(held() + TRICK + "2:6S 3:TD 0:7S 1:8S 1:9S")
    assert [(r["seat"], r["rules"]) for r in told.rulings(*ACCUSED)] == [(2, ["turn"])]
    assert [t["winner"] for t in told.events("trick")] == [3, 1]


def test_a_card_entered_twice_and_put_right_is_the_card_that_was_meant():
    told = Told(held() + "0#2C 1#3C 2#4C 3#5C 3:5C")
    n = told.table.n
    told.tell(f'{{"fact":"correct","n":{n},"set":{{"card":"5D"}}}} 0#6D')
    assert told.rulings(*ACCUSED) == []
    assert [(laid.seat, str(laid.card)) for laid in told.table.state.felt.trick] == [(3, "5D"), (0, "6D")]


def test_another_word_about_a_card_that_is_corrected_corrects_that_card():
    told = Told(held() + '0#2C {"fact":"seen","seat":1,"card":"9C","source":"camera","confidence":0.3} 1#3C')
    n = told.table.n
    told.tell(f'{{"fact":"correct","n":{n},"set":{{"card":"4C"}}}}')
    assert [(laid.seat, str(laid.card)) for laid in told.table.state.felt.trick] == [(0, "2C"), (1, "4C")]


def test_a_heart_led_while_a_heart_lay_there_stays_legal_when_that_one_is_taken_back():
    passes = "".join(f'{{"fact":"pass","seat":{seat},"count":3}} ' for seat in range(3))
    begun = match("hearts-black-maria").replace('["Rita", "Ada", "Bo", "Cleo"]', '["Rita", "Ada", "Bo"]')
    told = Told(begun + '{"fact":"hand","dealer":0} ' + passes + '{"fact":"holds","seat":2,"cards":"9S KS"} ')
    told.tell("0:2C 1:5C 2:4C 1:6D 2:7D 0:8H 2:2H 0-8H 0:3D")
    assert told.rulings(*ACCUSED) == []


def test_a_card_taken_back_by_mistake_and_put_back_leaves_the_next_lead_where_it_is():
    bids = "".join(f'{{"fact":"bid","seat":{seat},"bid":3}} ' for seat in range(4))
    told = Told(match("spades") + '{"fact":"hand","dealer":3} ' + bids + "0:TD 1:2D 2:3D 3:4D 0-TD 0:4H ")
    told.tell('{"fact":"correct","n":11,"drop":true} 1:KH')
    assert told.rulings(*ACCUSED, "pending") == []
    assert [(laid.seat, str(laid.card)) for laid in told.table.state.felt.trick] == [(0, "4H"), (1, "KH")]
    assert told.events("trick")[-1]["cards"] == {"0": "TD", "1": "2D", "2": "3D", "3": "4D"}


def test_a_card_entered_on_top_of_a_wrong_tag_counts_when_that_is_put_right():
    begun = match("hearts-black-maria").replace('["Rita", "Ada", "Bo", "Cleo"]', '["Rita", "Ada", "Bo"]')
    told = Told(begun + '{"fact":"hand","dealer":0} 0#2C 1#5C 2#QC 2:QC ')
    told.tell('{"fact":"correct","n":5,"set":{"card":"7C"}} 0:3C')
    assert told.rulings(*ACCUSED) == []
    assert [(laid.seat, str(laid.card)) for laid in told.table.state.felt.trick] == [(2, "QC"), (0, "3C")]


def test_a_winner_who_lifts_its_own_card_first_and_leads_has_not_exchanged_it():
    begun = match("hearts-black-maria").replace('["Rita", "Ada", "Bo", "Cleo"]', '["Rita", "Ada", "Bo"]')
    away = '{{"fact":"untag","seat":{},"card":"{}"}} '
    told = Told(begun + '{"fact":"hand","dealer":0} 0#2C 1#5C 2#4C ' + away.format(0, "2C") + away.format(2, "4C"))
    told.tell(away.format(1, "5C") + "1#3D 2#7D 0#4D " + away.format(2, "7D") + "2#8S " + away.format(0, "4D"))
    assert told.rulings(*ACCUSED, "withdrawn") == []
    assert [(laid.seat, str(laid.card)) for laid in told.table.state.felt.trick] == [(2, "8S")]
