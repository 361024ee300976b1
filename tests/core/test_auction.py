"""Spades at the table: bids and the exchange, the cards, the score; and what may be put right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablepi.cards import ALL_CARDS, card, cards_of, each, hand_of_cards
from tablepi.facts import Fact, from_dict
from tablepi.table import Table, complaint, empty, fold, step, undo

from ..script import NAMES, RULEBOOK, Told, match
from .contract_lines import check_lines
from .honest import RULES, HonestHand, Moment, play_hand

HAND = '{"fact":"hand","dealer":0} '
EXCHANGE = {"exchange": True, "blind_nil_deficit": 0, "exchange_deficit": 0}


def bid(seat: int, word: int | str, **more: object) -> str:
    return json.dumps({"fact": "bid", "seat": seat, "bid": word, **more}) + " "


def bids(*words: int | str) -> str:
    """The bids of seats 1, 2, 3 and 0, left of the dealer first."""
    return "".join(bid(seat, word) for seat, word in zip((1, 2, 3, 0), words, strict=True))


def took(*tricks: int) -> str:
    """The hand ends by agreement with these tricks, seat by seat."""
    return json.dumps({"fact": "end-hand", "tricks": {str(seat): t for seat, t in enumerate(tricks)}}) + " "


def gives(seat: int, **what: object) -> str:
    return json.dumps({"fact": "exchange", "seat": seat, **what}) + " "


def spades(*more: str, **options: object) -> Told:
    """A match of Spades whose first hand is dealt by seat 0, and what is told then."""
    told = Told(match("spades", **options) + HAND + " ".join(more))
    check_lines(enumerate(told.answers, 1))
    return told


def turns(told: Told) -> list[int | None]:
    return [event["seat"] for event in told.events("turn")]


def sides(told: Told) -> list[dict[str, dict[str, int]]]:
    return [event["sides"] for event in told.events("hand")]


def ruled(told: Told) -> list[tuple[str, int, list[str]]]:
    """The rulings on bids and on cards given."""
    return [(r["ruling"], r["seat"], r["rules"]) for r in told.rulings("legal", "breach") if r["trick"] is None]


# --- bids in turn --------------------------------------------------------------------------------------------------


def test_r088_the_seat_left_of_the_dealer_bids_first_and_leads():
    told = spades(bids(3, 3, 4, 2))
    assert turns(told) == [1, 2, 3, 0, 1]
    assert told.table.state.deal.phase == "playing"
    assert ruled(told) == [("legal", seat, []) for seat in (1, 2, 3, 0)]


def test_r085_the_deal_goes_round_clockwise():
    told = spades(bids(3, 3, 4, 2), took(2, 4, 4, 3), '{"fact":"hand"}')
    assert turns(told)[-1] == 2


def test_a_bid_is_answered_with_its_ruling_and_the_next_turn():
    assert spades(bid(1, 4)).answers[-1] == (
        {"ruling": "legal", "n": 3, "hand": 1, "trick": None, "seat": 1, "bid": 4, "rules": []},
        {"event": "turn", "hand": 1, "seat": 2},
    )


def test_a_bid_out_of_turn_is_a_breach_and_stands():
    told = spades(bid(3, 4), bid(1, 2), bid(2, "nil"), bid(0, 3))
    assert ruled(told) == [
        ("breach", 3, ["bid-order"]),
        ("legal", 1, []),
        ("legal", 2, []),
        ("legal", 0, []),
    ]
    assert told.rulings("breach")[0]["awaited"] == 1
    assert turns(told) == [1, 1, 2, 0, 1]
    told.tell(took(3, 4, 0, 6))
    assert sides(told) == [
        {
            "0-2": {"bid": 3, "tricks": 3, "score": 130, "bags": 0, "total": 130},
            "1-3": {"bid": 6, "tricks": 10, "score": 64, "bags": 4, "total": 64},
        }
    ]


def test_a_second_bid_of_a_seat_is_a_breach_and_changes_nothing():
    told = spades(bid(1, 4), bid(1, 6), bid(2, 2))
    assert ruled(told) == [("legal", 1, []), ("breach", 1, ["bid-order"]), ("legal", 2, [])]
    assert told.rulings("breach")[0]["stands"] == 4
    assert told.table.state.deal.auction.bids[1].tricks == 4


def test_r090_fourteen_is_no_bid_at_all():
    with pytest.raises(ValueError, match="14 is not a bid"):
        from_dict({"fact": "bid", "seat": 1, "bid": 14})


def test_a_bid_that_may_not_be_stands_until_it_is_corrected():
    told = spades(bid(1, "nil"), nil=0)
    assert ruled(told) == [("breach", 1, ["bid-range"])]
    again = told.tell('{"fact":"correct","n":3,"set":{"bid":3}}')
    assert again == [
        {"event": "rederived", "n": 4, "from": 3},
        {"ruling": "legal", "n": 3, "hand": 1, "trick": None, "seat": 1, "bid": 3, "rules": [], "by": 4},
        {"event": "turn", "hand": 1, "seat": 2},
    ]


def test_a_corrected_bid_changes_the_score_of_the_hand():
    told = spades(bids(4, 5, 4, 3), took(5, 3, 3, 2))
    assert [side["0-2"]["score"] for side in sides(told)] == [80]
    told.tell('{"fact":"correct","n":4,"set":{"bid":3}}')
    assert [side["0-2"] for side in sides(told)][-1] == {"bid": 6, "tricks": 8, "score": 62, "bags": 2, "total": 62}
    assert told.table.state.totals == {"0-2": 62, "1-3": -80}


def test_undo_takes_the_last_bid_back():
    told = spades(bid(1, 4), bid(2, 5))
    told.tell([undo(told.table)])
    assert told.answers[-1][-1] == {"event": "turn", "hand": 1, "seat": 2}
    assert list(told.table.state.deal.auction.bids) == [1]


def test_bids_make_no_sense_before_a_hand_after_it_and_in_hearts():
    for told in (
        Told(match("spades") + bid(1, 4)),
        Told(match("spades") + HAND + bids(3, 3, 4, 2) + took(2, 4, 4, 3) + bid(1, 4)),
    ):
        assert [line["reason"] for line in told.answers[-1]] == ["no-hand"]
    told = Told(match() + HAND + bid(1, 4))
    assert [line["reason"] for line in told.answers[-1]] == ["not-in-this-game"]


def test_a_misdealt_hand_is_bid_anew_with_the_same_dealer():
    told = spades(bid(1, 4), '{"fact":"misdeal"}', '{"fact":"hand"}', bid(1, 2))
    assert ruled(told) == [("legal", 1, []), ("legal", 1, [])]
    assert told.table.state.deal.dealer == 0


# --- the rules of bids, at the table -------------------------------------------------------------------------------

# Side 0-2 bids 4 and takes all: 49 with 9 bags. Side 1-3 bids 5 and takes none: 50 lost, 99 behind.
NINETY_NINE = bids(3, 2, 2, 2) + took(7, 0, 6, 0)


def test_k22_a_blind_nil_99_behind_is_a_breach():
    told = spades(NINETY_NINE, HAND, bid(1, "blind-nil"))
    assert told.table.state.totals == {"0-2": 49, "1-3": -50}
    assert told.answers[-1][0] == {
        "ruling": "breach",
        "n": 9,
        "hand": 2,
        "trick": None,
        "seat": 1,
        "bid": "blind-nil",
        "rules": ["blind-nil-deficit"],
        "behind": 99,
        "expected": 100,
    }


def test_k22_a_blind_nil_100_behind_is_allowed():
    # Without a penalty for bags: 30 and 10, and 60 lost.
    told = spades(bids(3, 2, 3, 1), took(7, 0, 6, 0), HAND, bid(1, "blind-nil"), bag_penalty=0)
    assert told.table.state.totals == {"0-2": 40, "1-3": -60}
    assert ruled(told)[-1] == ("legal", 1, [])


def test_the_side_that_leads_may_not_bid_blind_nil():
    told = spades(NINETY_NINE, HAND, bid(1, 3), bid(2, "blind-nil"))
    assert (told.answers[-1][0]["rules"], told.answers[-1][0]["behind"]) == (["blind-nil-deficit"], -99)


def test_a_blind_nil_is_asked_for_with_its_exchange():
    told = spades(bid(1, "blind-nil", exchange=True), exchange=True)
    assert told.answers[-1][0] == {
        "ruling": "breach",
        "n": 3,
        "hand": 1,
        "trick": None,
        "seat": 1,
        "bid": "blind-nil",
        "rules": ["exchange-deficit", "blind-nil-deficit"],
        "exchange": True,
        "behind": 0,
        "expected": 200,
    }


def test_r119_suicide_binds_the_second_bidder_of_each_side():
    told = spades(bids(4, "nil", 5, 3), suicide=True)
    assert ruled(told) == [("legal", 1, []), ("legal", 2, []), ("breach", 3, ["suicide"]), ("legal", 0, [])]
    told.tell('{"fact":"correct","n":5,"set":{"bid":"nil"}}')
    assert [(r["n"], r["ruling"]) for r in told.rulings("legal") if "by" in r] == [(5, "legal")]


# --- the exchange --------------------------------------------------------------------------------------------------

ASKED = bid(1, 3) + bid(2, "blind-nil", exchange=True) + bid(3, 4) + bid(0, 5)


def test_r098_the_bidder_of_a_blind_nil_gives_two_cards_and_its_partner_two_back():
    told = spades(ASKED, gives(2, cards="AS KS"), gives(0, cards="2C 3D"), **EXCHANGE)
    assert turns(told) == [1, 2, 3, 0, 2, 0, 1]
    assert told.rulings("legal")[-2:] == [
        {"ruling": "legal", "n": 7, "hand": 1, "trick": None, "seat": 2, "cards": "AS KS", "rules": []},
        {"ruling": "legal", "n": 8, "hand": 1, "trick": None, "seat": 0, "cards": "2C 3D", "rules": []},
    ]
    deal = told.table.state.deal
    assert deal.phase == "playing"
    assert deal.felt.known == (cards_of(hand_of_cards("AS KS")), 0, cards_of(hand_of_cards("2C 3D")), 0)
    assert deal.felt.even


def test_the_cards_may_be_exchanged_as_soon_as_the_blind_nil_is_bid():
    told = spades(bid(1, 3), bid(2, "blind-nil", exchange=True), gives(2, count=2), gives(0, count=2), **EXCHANGE)
    assert turns(told) == [1, 2, 3, 3, 3]
    told.tell(bid(3, 4) + bid(0, 5))
    assert turns(told)[-2:] == [0, 1]


@pytest.mark.parametrize(("number", "rules"), [(0, True), (1, True), (2, False), (3, True), (13, True)])
def test_only_two_cards_are_exchanged(number, rules):
    told = spades(ASKED, gives(2, count=number), **EXCHANGE)
    assert ruled(told)[-1] == ("breach" if rules else "legal", 2, ["exchange-count"] if rules else [])
    assert told.answers[-1][0]["count"] == number
    assert told.answers[-1][0].get("expected") == (2 if rules else None)


def test_a_wrong_number_may_be_put_right_or_leaves_uneven_hands():
    told = spades(ASKED, gives(2, count=3), gives(0, count=2), **EXCHANGE)
    assert not told.table.state.deal.felt.even
    told.tell('{"fact":"correct","n":7,"set":{"count":2}}')
    assert told.table.state.deal.felt.even


def test_the_bidder_may_decline_the_exchange():
    told = spades(ASKED, gives(2, declined=True), **EXCHANGE)
    assert told.answers[-1] == (
        {"ruling": "legal", "n": 7, "hand": 1, "trick": None, "seat": 2, "cards": None, "rules": [], "declined": True},
        {"event": "turn", "hand": 1, "seat": 1},
    )
    assert told.table.state.deal.phase == "playing"


def test_its_partner_may_not():
    told = spades(ASKED, gives(2, count=2), gives(0, declined=True), **EXCHANGE)
    assert ruled(told)[-1] == ("breach", 0, ["exchange-count"])


def test_the_partner_gives_after_the_bidder():
    told = spades(ASKED, gives(0, count=2), gives(2, count=2), **EXCHANGE)
    assert ruled(told)[-2:] == [("breach", 0, ["turn"]), ("legal", 2, [])]
    assert told.table.state.deal.phase == "playing"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (gives(1, count=2), "no-exchange"),  # its side has asked for none
        (gives(2, count=2) * 2, "exchanged-already"),
        (gives(2, count=2) + gives(0, count=2) + gives(0, count=2), "no-exchange"),  # it is over
        ('{"fact":"exchanged"}' * 2, "no-exchange"),
    ],
)
def test_an_exchange_that_nobody_awaits_is_ignored(facts, reason):
    told = spades(ASKED, facts, **EXCHANGE)
    assert told.answers[-1][0]["reason"] == reason


def test_without_the_option_nobody_waits_for_an_exchange():
    told = spades(ASKED, blind_nil_deficit=0)
    assert [(r["seat"], r["rules"]) for r in told.rulings("breach")] == [(2, ["exchange-deficit"])]
    assert turns(told)[-1] == 1
    told.tell(gives(2, count=2))
    assert told.answers[-1][0]["reason"] == "no-exchange"


@pytest.mark.parametrize("ending", ['{"fact":"exchanged"}', "1:2C"])
def test_exchanged_or_the_first_lead_ends_the_exchange(ending):
    told = spades(ASKED, gives(2, cards="AS KS"), ending, **EXCHANGE)
    deal = told.table.state.deal
    assert (deal.phase, deal.auction.giving) == ("playing", None)
    assert not deal.felt.even  # nobody counted what came back


def dealt() -> tuple[list[str], dict[str, object]]:
    """Four hands, one suit each, and a hand fact that tells them: C to seat 0, D to 1, H to 2, S to 3."""
    hands = [" ".join(str(c) for c in ALL_CARDS if c.suit == suit) for suit in "CDHS"]
    return hands, {"fact": "hand", "dealer": 0, "hands": {str(seat): hand for seat, hand in enumerate(hands)}}


def known(told: Told) -> list[set[str]]:
    return [set(map(str, each(cards))) for cards in told.table.state.deal.felt.known]


def exchanging(*more: str) -> tuple[Told, list[set[str]]]:
    """A match with all hands known, seat 2 to exchange with seat 0, and the hands as dealt."""
    hands, fact = dealt()
    told = Told(match("spades", **EXCHANGE) + json.dumps(fact) + " " + ASKED + " ".join(more))
    check_lines(enumerate(told.answers, 1))
    return told, [set(hand.split()) for hand in hands]


def test_known_hands_stay_known_when_the_exchange_was_seen():
    told, hands = exchanging(gives(2, cards="AH KH"), gives(0, cards="2C AH"))  # one of them comes back
    assert known(told) == [hands[0] - {"2C"} | {"KH"}, hands[1], hands[2] - {"KH"} | {"2C"}, hands[3]]
    assert told.table.state.deal.felt.full == (True,) * 4


def test_after_an_exchange_that_nobody_saw_both_hands_are_unknown():
    told, hands = exchanging(gives(2, count=2), gives(0, count=2))
    assert known(told) == [set(), hands[1], set(), hands[3]]
    assert told.table.state.deal.felt.full == (False, True, False, True)


def test_after_a_declined_exchange_both_hands_are_known():
    told, hands = exchanging(gives(2, declined=True))
    assert known(told) == hands


def test_cards_that_cannot_be_in_that_hand_are_a_breach_and_nothing_is_known_of_them():
    told, hands = exchanging(gives(2, cards="AH KS"), gives(0, cards="2C 3C"))
    assert ruled(told)[-2:] == [("breach", 2, ["not-in-hand"]), ("legal", 0, [])]
    assert known(told) == [hands[0] - {"2C", "3C"}, hands[1], {"2C", "3C"}, hands[3]]


def test_the_partner_may_give_back_what_it_has_got():
    told, hands = exchanging(gives(2, cards="AH KH"), gives(0, cards="AH KH"))
    assert ruled(told)[-1] == ("legal", 0, [])
    assert known(told) == hands


def test_cards_shown_while_bidding_are_known_and_none_during_an_exchange():
    told = spades('{"fact":"holds","seat":1,"cards":"AS KS"}', ASKED, gives(2, count=2), **EXCHANGE)
    told.tell('{"fact":"holds","seat":0,"cards":"AH"}')
    assert [line["reason"] for line in told.answers[-1]] == ["during-exchange"]
    told.tell(gives(0, count=2) + '{"fact":"holds","seat":0,"cards":"AH"}')
    assert known(told) == [{"AH"}, {"AS", "KS"}, set(), set()]


# --- cards before the bids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lead",
    [
        "1:2C",
        '{"fact":"tag","seat":1,"card":"2C","source":"reader-1"}',
        '{"fact":"seen","seat":1,"card":"2C","source":"camera","confidence":0.98,"steady":0.4}',
    ],
)
def test_a_card_led_before_all_have_bid_is_judged_and_the_bids_may_follow(lead):
    told = spades(bid(1, 4), bid(2, 2), lead)
    assert told.answers[-1] == (
        {"ruling": "legal", "n": 5, "hand": 1, "trick": 1, "seat": 1, "card": "2C", "rules": []},
        {"event": "turn", "hand": 1, "seat": 2},
    )
    assert told.tell(bid(3, 3) + bid(0, 2)) == [
        {"ruling": "legal", "n": 6, "hand": 1, "trick": None, "seat": 3, "bid": 3, "rules": []},
        {"event": "turn", "hand": 1, "seat": 2},
        {"ruling": "legal", "n": 7, "hand": 1, "trick": None, "seat": 0, "bid": 2, "rules": []},
        {"event": "turn", "hand": 1, "seat": 2},
    ]


def test_a_hand_played_before_its_bids_is_scored_when_the_last_one_comes():
    told = spades(bid(1, 4), took(3, 4, 3, 3))
    assert (sides(told), turns(told)[-1]) == ([], 2)
    assert told.tell("2:2C 2#3C") == [
        {
            "ruling": "ignored",
            "n": n,
            "hand": 1,
            "trick": None,
            "seat": 2,
            "card": laid,
            "rules": [],
            "fact": kind,
            "reason": "no-hand",
        }
        for n, laid, kind in ((5, "2C", "play"), (6, "3C", "tag"))
    ]
    told.tell(HAND)
    assert [line["reason"] for line in told.answers[-1]] == ["hand-not-over"]
    told.tell(bid(2, 3) + bid(3, 3))
    assert (sides(told), turns(told)[-1]) == ([], 0)
    assert told.tell(bid(0, 3)) == [
        {"ruling": "legal", "n": 10, "hand": 1, "trick": None, "seat": 0, "bid": 3, "rules": []},
        {
            "event": "hand",
            "hand": 1,
            "sides": {
                "0-2": {"bid": 6, "tricks": 6, "score": 60, "bags": 0, "total": 60},
                "1-3": {"bid": 7, "tricks": 7, "score": 70, "bags": 0, "total": 70},
            },
        },
    ]
    check_lines(enumerate(told.answers, 1))


# --- the cards -----------------------------------------------------------------------------------------------------

BIDS = bids(3, 3, 4, 2)


def test_r105_r101_the_seat_left_of_the_dealer_leads_and_then_who_wins():
    told = spades(BIDS, "1:2C 2:3C 3:4C 0:5C 0:6D 1:7D 2:8D 3:AS")
    assert [event["winner"] for event in told.events("trick")] == [0, 3]
    assert turns(told)[-1] == 3


def test_a_lead_by_another_seat_is_out_of_turn():
    told = spades(BIDS, "2:3C")
    assert (told.grades[-1], told.answers[-1][0]["rules"], told.answers[-1][0]["awaited"]) == ("breach", ["turn"], 1)


def test_a_spade_led_to_the_first_trick_is_proved_by_the_next_spade_for_nobody_else_can_have_one():
    told = spades(BIDS, "1:5S 2:6S")
    first = told.rulings("unproven")[0]
    assert first["rules"] == ["first-trick-spades", "spades-not-broken"]
    assert [(r["n"], r["how"], r["offence"]) for r in told.rulings("proved")] == [
        (8, "counted", {"n": 7, "trick": 1, "card": "5S", "rule": "first-trick-spades"})
    ]
    assert told.events("spades-broken") == []  # a spade that is led breaks nothing


def test_k15_a_spade_laid_while_holding_the_suit_is_a_revoke_and_wins_nothing():
    told = spades(BIDS, "1:2C 2:2S 3:4C 0:5C", "2:6C")
    assert [(r["n"], r["rules"]) for r in told.rulings("unproven")] == [(8, ["follow-suit"])]
    assert [(r["n"], r["offence"]) for r in told.rulings("proved")] == [
        (11, {"n": 8, "trick": 1, "card": "2S", "rule": "follow-suit"})
    ]
    told.tell(took(3, 4, 3, 3))
    assert sides(told) == [
        {
            "0-2": {"bid": 5, "tricks": 6, "score": 0, "bags": 0, "total": 0},
            "1-3": {"bid": 7, "tricks": 7, "score": 70, "bags": 0, "total": 70},
        }
    ]


def test_k34_at_the_table():
    told = spades(bids(3, "nil", 4, 5), "1:2C 2:2S 3:4C 0:5C", "2:6C", took(4, 4, 1, 4))
    assert sides(told)[0]["0-2"] == {"bid": 5, "tricks": 5, "score": -100, "bags": 0, "total": -100}


@pytest.mark.parametrize("again", ["2-2S 2:6C", "3:4C 0:5C 2-2S 2:6C"])
def test_a_revoke_put_right_in_time_costs_nothing(again):
    told = spades(BIDS, "1:2C 2:2S ", again)
    assert len(told.rulings("withdrawn")) == 1
    told.tell(took(3, 4, 2, 4))
    assert told.rulings("proved", "breach") == []
    assert sides(told)[0]["0-2"] == {"bid": 5, "tricks": 5, "score": 50, "bags": 0, "total": 50}


def test_a_revoke_out_of_turn_with_a_known_hand_costs_what_a_revoke_costs():
    hands, fact = dealt()
    fact["hands"] = {"3": hands[3].replace("2S", "2D")}
    told = Told(match("spades") + json.dumps(fact) + " " + BIDS)
    told.tell("1:3D 3:AS 2:2H 0:2C 3:2D 0:3C 1:4D 2:3H")
    assert [(r["seat"], r["rules"]) for r in told.rulings("breach")] == [(3, ["turn", "follow-suit"])]
    told.tell(took(3, 3, 3, 4))
    assert sides(told)[0]["1-3"] == {"bid": 7, "tricks": 7, "score": 0, "bags": 0, "total": 0}


def test_a_revoke_out_of_turn_costs_the_same_when_the_hand_is_ended_before_the_suit_is_played():
    hands, fact = dealt()
    fact["hands"] = {"3": hands[3].replace("2S", "2D")}
    told = Told(match("spades") + json.dumps(fact) + " " + BIDS)
    told.tell("1:3D 3:AS 2:2H 0:2C")
    told.tell(took(3, 3, 3, 4))
    assert sides(told)[0]["1-3"] == {"bid": 7, "tricks": 7, "score": 0, "bags": 0, "total": 0}


def test_k24_after_a_spade_fell_on_a_heart_a_spade_may_be_led():
    told = spades(BIDS, "1:2H 2:3H 3:4S 0:5H 3:6S")
    assert [event["n"] for event in told.events("spades-broken")] == [9]
    assert told.grades[-1] == "legal"


def test_r104_a_spade_led_from_a_hand_of_spades_does_not_break():
    _, fact = dealt()
    told = Told(match("spades") + json.dumps({**fact, "dealer": 2}) + " ")
    for seat, word in ((3, 5), (0, 2), (1, 2), (2, 2)):
        told.tell(bid(seat, word))
    led = told.tell("3:2S")
    assert led[0] == {
        "ruling": "legal",
        "n": 7,
        "hand": 1,
        "trick": 1,
        "seat": 3,
        "card": "2S",
        "rules": [],
        "note": "source-silent",
    }
    told.tell("0:2C 1:2D 2:2H 3:3S")
    assert told.grades[-1] == "legal"
    assert not told.table.state.felt.broken
    assert told.events("spades-broken") == []


# --- hands and matches ---------------------------------------------------------------------------------------------


def test_the_event_of_a_hand_is_as_the_contract_writes_it():
    told = spades(bids(4, 3, 3, 2), took(4, 4, 2, 3))
    assert told.events("hand") == [
        {
            "event": "hand",
            "hand": 1,
            "sides": {
                "0-2": {"bid": 5, "tricks": 6, "score": 51, "bags": 1, "total": 51},
                "1-3": {"bid": 7, "tricks": 7, "score": 70, "bags": 0, "total": 70},
            },
        }
    ]


@pytest.mark.parametrize("end", [took(3, 4, 3, 4), took(3, 4, 3), '{"fact":"end-hand","points":{"0":26}}'])
def test_an_agreed_hand_has_thirteen_tricks(end):
    told = spades(BIDS, end)
    (line,) = told.answers[-1]
    assert (line["reason"], line["because"]) == ("tricks-do-not-add-up", "13")


def test_bags_are_carried_from_hand_to_hand_and_cost_100_at_ten():
    hand = HAND + bids(3, 2, 3, 1) + took(4, 4, 3, 2)  # 34 and 4 bags; the others make their 6
    told = Told(match("spades") + hand * 3)
    assert [(s["0-2"]["score"], s["0-2"]["bags"], s["0-2"]["total"]) for s in sides(told)] == [
        (34, 4, 34),
        (34, 8, 68),
        (-66, 2, 2),
    ]


def test_r112_nine_bags_and_two_more_at_the_table():
    nine = HAND + bids(1, 2, 1, 2) + took(7, 0, 6, 0)
    told = Told(match("spades") + nine + HAND + bids(3, 2, 4, 2) + took(3, 4, 3, 3))
    assert [s["0-2"] for s in sides(told)] == [
        {"bid": 4, "tricks": 13, "score": 49, "bags": 9, "total": 49},
        {"bid": 4, "tricks": 6, "score": -58, "bags": 1, "total": -9},
    ]


def test_k21_480_and_a_hand_of_61_end_the_match_with_541():
    eighty = HAND + bids(2, 4, 3, 4) + took(4, 2, 4, 3)
    told = Told(match("spades") + eighty * 6)
    assert told.table.state.totals["0-2"] == 480
    told.tell(HAND + bids(3, 3, 3, 3) + took(4, 3, 3, 3))
    assert sides(told)[-1]["0-2"] == {"bid": 6, "tricks": 7, "score": 61, "bags": 1, "total": 541}
    assert told.events("match") == [
        {
            "event": "match",
            "places": [["0-2"], ["1-3"]],
            "totals": {"0-2": 541, "1-3": 360},
            "winners": ["0-2"],
            "reason": "target",
        }
    ]
    check_lines(enumerate(told.answers, 1))


def test_the_target_is_reached_after_bags_and_penalties_or_not_at_all():
    hand = HAND + bids(4, 4, 3, 4) + took(4, 3, 5, 1)
    told = Told(match("spades", target=82, bag_limit=1) + hand)
    assert told.table.state.totals == {"0-2": -19, "1-3": -70}
    assert told.events("match") == []


def test_k30_a_match_that_nobody_can_finish_is_ended_by_hand():
    lost = HAND + bids(7, 7, 7, 7) + took(4, 3, 3, 3)
    told = Told(match("spades") + lost * 12 + HAND + BIDS + took(3, 4, 2, 4) + '{"fact":"end-match"}')
    assert told.table.state.totals == {"0-2": -1630, "1-3": -1609}
    assert told.events("match") == [
        {
            "event": "match",
            "places": [["1-3"], ["0-2"]],
            "totals": {"0-2": -1630, "1-3": -1609},
            "winners": ["1-3"],
            "reason": "agreement",
        }
    ]


def test_both_at_500_and_equal_play_another_hand():
    # Each side bids 6; the thirteenth trick is 1 point and a bag, which here costs 1.
    told = spades(bids(3, 3, 3, 3), took(3, 3, 3, 4), target=60, bag_limit=1, bag_penalty=1)
    told.tell(HAND + bids(3, 3, 3, 3) + took(4, 3, 3, 3))
    assert (told.table.state.totals, told.events("match")) == ({"0-2": 120, "1-3": 120}, [])
    told.tell(HAND + bids(3, 3, 4, 3) + took(4, 3, 3, 3))
    assert [(event["winners"], event["totals"]) for event in told.events("match")] == [
        (["0-2"], {"0-2": 180, "1-3": 50})
    ]


# --- any facts -----------------------------------------------------------------------------------------------------

QUICK = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SOME_OPTIONS = (
    {},
    EXCHANGE,
    {**EXCHANGE, "suicide": True, "both_nil": False},
    {"first_trick_spades": "all", "lead_breaks": True, "nil_tricks_count": False, "floor": -300, "tie": "shared"},
)


def any_line(random: Random, table: Table) -> dict[str, object]:
    """A fact that makes sense most of the time, of a game of Spades."""
    deal = table.state.deal
    seat = random.randrange(4)
    if random.random() < 0.02 and table.n > 2:
        n = random.randrange(2, table.n + 1)
        change = random.choice(
            [{"drop": True}, {"set": {"bid": random.randint(1, 13)}}, {"set": {"card": str(random.choice(ALL_CARDS))}}]
        )
        return {"fact": "correct", "n": n, **change}
    if deal is None or deal.phase == "over":
        return {"fact": "hand"}
    auction = deal.auction
    if auction is not None and random.random() < (0.9 if deal.phase == "bidding" else 0.1):
        seat = auction.awaited if auction.awaited is not None and random.random() < 0.9 else seat
        if auction.turn is None and random.random() < 0.9:
            some = " ".join(map(str, random.sample(ALL_CARDS, random.choice((2, 2, 2, 3)))))
            what = random.choice(({"cards": some}, {"count": 2}, {"count": 1}, {"declined": True}))
            return random.choice([{"fact": "exchange", "seat": seat, **what}] * 4 + [{"fact": "exchanged"}])
        word = random.choice((*range(1, 6), *range(1, 6), 13, "nil", "blind-nil"))
        asks = {"exchange": True} if word == "blind-nil" and random.random() < 0.7 else {}
        return {"fact": "bid", "seat": seat, "bid": word, **asks}
    if random.random() < 0.03:
        odd = [{"fact": "misdeal"}, {"fact": "timeout", "seat": seat}, {"fact": "passed"}] * 3 + [{"fact": "end-match"}]
        tricks = {"0": 3, "1": 3, "2": 3, "3": 4}
        return random.choice([*odd, *[{"fact": "end-hand", "tricks": tricks}, {"fact": "withdraw", "seat": seat}] * 4])
    felt = deal.felt
    seat = felt.turn if felt.turn is not None and random.random() < 0.97 else seat
    laid = random.choice(list(each(felt.legal(seat) or felt.unseen_for(seat))) or list(ALL_CARDS))
    return {"fact": "play", "seat": seat, "card": str(laid)}


def any_match(seed: int) -> list[Fact]:
    random = Random(seed)
    options = random.choice(SOME_OPTIONS)
    facts = [from_dict({"fact": "match", "rules": "spades", "players": NAMES, "options": options})]
    table = fold(empty(RULEBOOK), [(1, facts[0])])
    for _ in range(random.randint(1, 160)):
        fact = from_dict(any_line(random, table))
        assert complaint(table, fact) is None
        facts.append(fact)
        table = step(table, fact)
    return facts


def plain_score(words: Sequence[tuple[int, str | None]], tricks: Sequence[int], *, alone: bool) -> tuple[int, int]:
    """What two partners score before bags and penalties, and their bags, told once more."""
    contract = sum(number for number, _ in words)
    towards = sum(t for (_, nil), t in zip(words, tricks, strict=True) if not (alone and nil))
    made = towards >= contract
    score = contract * 10 if made else contract * -10
    for (_, nil), won in zip(words, tricks, strict=True):
        if nil is not None:
            score += (1 if won == 0 else -1) * (200 if nil == "blind-nil" else 100)
    return score, sum(tricks) - contract if made else 0


@QUICK
@given(st.integers(0, 2**32))
def test_any_sequence_of_facts_is_answered_in_form_and_replay_equals_live(seed):
    facts = any_match(seed)
    table, answers, totals = empty(RULEBOOK), [], {"0-2": 0, "1-3": 0}
    for fact in facts:
        before, table = table, step(table, fact)
        answers.append(table.lines)
        for line in table.lines:
            if line.get("event") != "hand" or any("by" in other for other in table.lines):
                continue
            check_sides(before, table, line["sides"])
    check_lines(enumerate(answers, 1))
    assert fold(empty(RULEBOOK), enumerate(facts, 1)) == table
    for score in table.state.scores:
        totals = {side: totals[side] + score.points[side] for side in totals}
        assert score.totals == totals
        assert sum(told["tricks"] for told in (score.sides or {}).values()) == 13


def check_sides(before: Table, after: Table, sides: dict[str, dict[str, int]]) -> None:
    """Tricks of both sides make 13, and the scores are those of the bids, bags and penalties apart."""
    assert sum(told["tricks"] for told in sides.values()) == 13
    score = after.state.scores[-1]
    deal = after.state.deal
    if deal is None or deal.played is None or deal.settled:
        return
    alone = not after.state.game.nil_tricks_count
    for side, told in sides.items():
        mine = tuple(map(int, side.split("-")))
        words = [(deal.played.bids[seat].tricks, deal.played.bids[seat].nil) for seat in mine]
        tricks = [deal.played.tricks[seat] for seat in mine]
        old = before.state.scores[-1].bags[side] if before.state.scores else 0
        plain, over = plain_score(words, tricks, alone=alone)
        assert told == {
            "bid": sum(number for number, _ in words),
            "tricks": sum(tricks),
            "score": plain + over - (old + over) // 10 * 100,
            "bags": (old + over) % 10,
            "total": score.totals[side],
        }


def told_with_open_hands(game: HonestHand) -> Told:
    hands = {str(seat): " ".join(hand) for seat, hand in enumerate(game.hands)}
    return Told(match("spades") + json.dumps({"fact": "hand", "dealer": 0, "hands": hands}) + " " + BIDS)


@settings(QUICK, max_examples=25)
@given(st.integers(0, 2**32))
def test_whole_hands_with_open_cards_agree_with_rules_told_once_more(seed):
    rules = RULES["spades", 4]
    game = play_hand(Random(seed), rules)
    told = told_with_open_hands(game)
    for laying in game.laid:
        felt = told.table.state.felt
        now = Moment(laying.trick, laying.led, laying.broken)
        assert felt.turn == laying.seat
        assert set(map(str, each(felt.legal(laying.seat)))) == set(rules.allowed(laying.hand, now))
        told.tell(f"{laying.seat}:{laying.card}")
    assert set(told.grades[4:]) == {"legal"}
    assert [event["winner"] for event in told.events("trick")] == list(game.winners)
    won = [game.winners.count(seat) for seat in range(4)]
    assert [(s["0-2"]["tricks"], s["1-3"]["tricks"]) for s in sides(told)] == [(won[0] + won[2], won[1] + won[3])]
    assert told.rulings("proved", "breach", "pending", "someone") == []


@settings(QUICK, max_examples=40)
@given(st.integers(0, 2**32))
def test_nobody_honest_is_accused_with_hands_unknown(seed):
    game = play_hand(Random(seed), RULES["spades", 4])
    told = Told(match("spades") + HAND + BIDS + " ".join(f"{laid.seat}:{laid.card}" for laid in game.laid))
    assert told.rulings("proved", "breach", "pending", "someone") == []
    assert len(sides(told)) == 1
    assert card("2S").bit & told.table.state.deal.felt.seen
