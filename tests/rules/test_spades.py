"""Spades: what may be laid, who wins, what a hand scores. The scores were worked out by hand, apart from the code."""

from __future__ import annotations

import pytest

from tablepi.cards import FULL_DECK, OF_SUIT, card, cards_of, each, hand_of_cards
from tablepi.rules import Bid, Moment, Played
from tablepi.rules.tricks import legal_cards

from ..script import RULEBOOK

SPADES = RULEBOOK["spades"]


def cards(text: str) -> int:
    return cards_of(hand_of_cards(text))


def moment(trick: int, led: str | None = None, *, broken: bool = False) -> Moment:
    return Moment(trick, card(led) if led else None, broken, FULL_DECK)


def legal(hand: str, now: Moment, **options: object) -> str:
    game = SPADES.with_options(options)
    return " ".join(map(str, each(legal_cards(game, now, cards(hand)))))


def bid(word: str) -> Bid:
    return Bid(int(word)) if word.isdigit() else Bid(0, word)


def side(bids: str, tricks: str, *, bags: int = 0, total: int = 0, revoked: str = "", **options: object):
    """What seats 0 and 2 come to, who bid and took this; *revoked*: the seats that did. Seats 1 and 3 bid 1 each."""
    own, won = [bid(word) for word in bids.split()], [int(word) for word in tricks.split()]
    played = Played(
        dict.fromkeys(range(4), 0),
        {0: won[0], 1: 13 - sum(won), 2: won[1], 3: 0},
        {1: Bid(1), 2: own[1], 3: Bid(1), 0: own[0]},
        tuple((int(seat), "follow-suit") for seat in revoked),
        {"0-2": total, "1-3": 0},
        {"0-2": bags},
    )
    result = SPADES.with_options(options).score(played)
    assert result.sides is not None
    assert result.bags is not None
    told = result.sides["0-2"]
    assert (result.points["0-2"], result.bags["0-2"]) == (told["score"], told["bags"])
    assert told["total"] == total + told["score"]
    return told


def points_and_bags(*hand: str, **more):
    told = side(*hand, **more)
    return told["score"], told["bags"]


# --- players, deck, partners ---------------------------------------------------------------------------------------


def test_r082_only_four_play():
    assert SPADES.players == (4,)


def test_r083_partners_sit_opposite():
    assert SPADES.sides(4) == ("0-2", "1-3")


def test_r086_all_52_cards_are_in_play_13_for_each():
    assert SPADES.deck(4) == FULL_DECK
    assert FULL_DECK.bit_count() // 4 == 13


def test_r106_the_tricks_lie_open_to_all():
    assert "tricks" in SPADES.public


# --- what may be laid ----------------------------------------------------------------------------------------------


def test_r093_spades_are_trumps_and_r103_the_highest_of_them_wins():
    led = card("AH")
    order = sorted(map(card, ["2S", "AS", "KH", "AH", "AC"]), key=lambda c: SPADES.wins(led, c))
    assert list(map(str, order)) == ["AC", "KH", "AH", "2S", "AS"]
    assert SPADES.wins(led, card("AC")) == 0


def test_r103_without_a_trump_the_highest_of_the_suit_led_wins():
    assert SPADES.wins(card("2H"), card("3H")) > SPADES.wins(card("2H"), card("2H")) > 0


def test_r123_ten_and_seven_against_the_lone_eight_win_or_lose_as_one_likes():
    assert SPADES.wins(card("TS"), card("TS")) > SPADES.wins(card("TS"), card("8S"))
    assert SPADES.wins(card("7S"), card("7S")) < SPADES.wins(card("7S"), card("8S"))


@pytest.mark.parametrize(
    ("hand", "led", "may"),
    [
        ("2C 5C 3S AH", "KC", "2C 5C"),
        ("3S AH", "KC", "AH 3S"),  # no duty to trump
        ("3S 4S AH", "KS", "3S 4S"),
        ("AC AH", "KS", "AC AH"),
    ],
)
def test_r102_follow_suit_or_lay_anything(hand, led, may):
    assert set(legal(hand, moment(3, led)).split()) == set(may.split())


@pytest.mark.parametrize(("hand", "may"), [("2C AH 3S 4S", "2C AH"), ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",) * 2])
def test_r101_the_leader_may_not_begin_with_a_spade_unless_it_has_nothing_else(hand, may):
    assert set(legal(hand, moment(1)).split()) == set(may.split())


def test_r101_the_source_has_no_rule_for_thirteen_spades():
    assert [rule for rule in ("first-trick-spades", "spades-not-broken", "follow-suit") if SPADES.silent(rule)] == [
        "first-trick-spades"
    ]


@pytest.mark.parametrize(
    ("who", "hand", "may"),
    [
        ("leader", "3S 4S AH", "3S 4S AH"),
        ("all", "3S 4S AH", "AH"),
        ("all", "3S 4S", "3S 4S"),  # nothing else
        ("all", "3S 4S 2C", "2C"),
    ],
)
def test_r101_others_than_the_leader_may_trump_the_first_trick_unless_all_are_kept_from_it(who, hand, may):
    assert set(legal(hand, moment(1, "KC"), first_trick_spades=who).split()) == set(may.split())


def test_r101_a_spade_may_follow_a_spade_on_the_first_trick():
    assert legal("3S AH", moment(1, "KS"), first_trick_spades="all") == "3S"


@pytest.mark.parametrize(
    ("hand", "broken", "may"),
    [("2C 3S", False, "2C"), ("2C 3S", True, "2C 3S"), ("3S 4S", False, "3S 4S")],
)
def test_r104_a_spade_is_led_only_when_broken_or_when_nothing_else_is_left(hand, broken, may):
    assert legal(hand, moment(5, broken=broken)) == may


@pytest.mark.parametrize(
    ("laid", "led", "breaks", "with_leads"),
    [
        ("2S", "KH", True, True),  # a trump on another suit
        ("2S", None, False, True),  # led from a hand of spades
        ("2S", "KS", False, False),
        ("2H", "KC", False, False),
    ],
)
def test_r104_only_a_spade_on_another_suit_breaks_spades(laid, led, breaks, with_leads):
    assert SPADES.breaks(moment(4, led), card(laid)) is breaks
    assert SPADES.with_options({"lead_breaks": True}).breaks(moment(4, led), card(laid)) is with_leads


def test_what_a_spade_denies_and_under_which_rules():
    others = FULL_DECK & ~OF_SUIT["S"]
    spade = card("5S")
    assert SPADES.claims(moment(1), spade) == ((others, "first-trick-spades"), (others, "spades-not-broken"))
    assert SPADES.claims(moment(2), spade) == ((others, "spades-not-broken"),)
    assert SPADES.claims(moment(2, broken=True), spade) == ()
    assert SPADES.claims(moment(1, "KC"), spade) == ((OF_SUIT["C"], "follow-suit"),)
    assert SPADES.with_options({"first_trick_spades": "all"}).claims(moment(1, "KC"), spade) == (
        (others & ~OF_SUIT["C"], "first-trick-spades"),
        (OF_SUIT["C"], "follow-suit"),
    )


# --- what may be bid -----------------------------------------------------------------------------------------------


def broken(word: str, *, partner: str | None = None, behind: int = 0, exchange: bool = False, **options: object):
    """The rules that seat 3 breaks with a bid, when its side is so far behind and its partner has bid that."""
    asked = Bid(bid(word).tricks, bid(word).nil, exchange)
    bids = {1: bid(partner)} if partner else {}
    return SPADES.with_options(options).bid_rules(3, asked, bids, {"0-2": 150, "1-3": 150 - behind})


@pytest.mark.parametrize("word", [*map(str, range(1, 14)), "nil"])
def test_r090_one_to_thirteen_and_nil_can_be_bid(word):
    assert broken(word) == ()


def test_r089_r090_a_table_may_ask_for_a_least_bid():
    assert broken("2", minimum_bid=3) == ("bid-range",)
    assert broken("3", minimum_bid=3) == broken("nil", minimum_bid=3) == ()


def test_k23_there_is_no_cap_on_what_two_partners_bid():
    assert broken("6", partner="9") == ()


@pytest.mark.parametrize(("behind", "rules"), [(-50, True), (99, True), (100, False), (350, False)])
def test_k22_r096_a_blind_nil_wants_a_side_100_behind(behind, rules):
    assert broken("blind-nil", behind=behind) == (("blind-nil-deficit",) if rules else ())


@pytest.mark.parametrize(
    ("behind", "rules"),
    [(99, ("exchange-deficit", "blind-nil-deficit")), (199, ("exchange-deficit",)), (200, ())],
)
def test_r100_a_blind_nil_with_an_exchange_wants_a_side_200_behind(behind, rules):
    game = SPADES.with_options({"exchange": True})
    assert game.bid_rules(3, Bid(0, "blind-nil", True), {}, {"0-2": behind, "1-3": 0}) == rules


def test_r099_an_exchange_must_have_been_agreed():
    assert broken("blind-nil", behind=300, exchange=True) == ("exchange-deficit",)


def test_only_a_blind_nil_exchanges_cards():
    assert broken("4", exchange=True) == broken("nil", exchange=True) == ("bid-range",)


def test_r094_both_partners_may_bid_nil_unless_the_table_forbids_it():
    assert broken("nil", partner="nil") == ()
    assert broken("nil", partner="nil", both_nil=False) == ("bid-range",)
    assert broken("4", partner="nil", both_nil=False) == ()


def test_a_table_may_play_without_nil_or_without_blind_nil():
    assert broken("nil", nil=0) == ("bid-range",)
    assert broken("blind-nil", behind=100, blind_nil=False) == ("bid-range",)
    assert broken("blind-nil", behind=100, nil=0) == ()


@pytest.mark.parametrize(
    ("partner", "word", "rules"),
    [
        (None, "4", ()),  # its partner is still to bid
        ("4", "3", ("suicide",)),
        ("4", "nil", ()),
        ("nil", "3", ()),
        ("nil", "nil", ()),
        ("4", "blind-nil", ("suicide",)),  # a blind nil does only with its exchange
    ],
)
def test_r119_in_suicide_the_second_of_a_side_must_bid_nil_if_the_first_did_not(partner, word, rules):
    assert broken(word, partner=partner, behind=100, suicide=True) == rules


@pytest.mark.parametrize(("behind", "rules"), [(200, ()), (199, ("suicide", "exchange-deficit"))])
def test_r119_in_suicide_a_blind_nil_with_exchange_does_too_when_200_behind(behind, rules):
    game = SPADES.with_options({"suicide": True, "exchange": True})
    totals = {"0-2": behind, "1-3": 0}
    assert game.bid_rules(3, Bid(0, "blind-nil", True), {1: Bid(4)}, totals) == rules
    partner_bid = {1: Bid(0, "blind-nil", True)}
    assert game.bid_rules(3, Bid(4), partner_bid, totals) == (("suicide",) if rules else ())


# --- scores --------------------------------------------------------------------------------------------------------

# The bids of the two partners, the tricks of each, the bags before; the score, and the bags after it.
SCORES = [
    # contracts made: 10 for each trick bid, 1 for each over it
    ("3 2", "4 1", 0, 50, 0),
    ("4 1", "3 3", 0, 51, 1),
    ("5 3", "6 4", 0, 82, 2),
    ("1 1", "6 5", 0, 29, 9),
    ("7 6", "8 5", 0, 130, 0),
    ("1 nil", "1 0", 0, 110, 0),
    # not made: 10 lost for each trick bid, no bags
    ("2 2", "1 2", 0, -40, 0),
    ("9 6", "8 5", 3, -150, 3),
    ("7 6", "7 5", 0, -130, 0),
    ("1 1", "0 0", 9, -20, 9),
    # ten bags
    ("2 2", "3 3", 9, -58, 1),  # 40 + 2 - 100
    ("2 2", "3 3", 8, -58, 0),
    ("2 2", "3 3", 7, 42, 9),
    ("2 2", "2 2", 9, 40, 9),
    ("1 nil", "13 0", 9, -78, 1),  # 10 + 100 + 12 - 200: 21 bags
    ("1 1", "13 0", 9, -169, 0),  # 20 + 11 - 200: 20 bags
    ("1 1", "12 0", 0, -70, 0),  # 20 + 10 - 100: 10 bags
    ("1 1", "13 0", 0, -69, 1),  # 20 + 11 - 100: 11 bags
    # nil
    ("nil 4", "0 4", 0, 140, 0),
    ("4 nil", "5 0", 0, 141, 1),
    ("nil 4", "0 3", 0, 60, 0),
    ("nil 4", "2 3", 0, -59, 1),
    ("nil 2", "1 1", 0, -80, 0),
    ("nil 2", "1 2", 0, -79, 1),
    ("nil 5", "1 3", 0, -150, 0),
    ("nil 4", "1 4", 9, -159, 0),  # 40 + 1 - 100 - 100
    # blind nil
    ("blind-nil 3", "0 3", 0, 230, 0),
    ("blind-nil 3", "1 3", 0, -169, 1),
    ("blind-nil 3", "0 2", 0, 170, 0),
    ("blind-nil 3", "1 1", 0, -230, 0),
    # both nil: every trick is a bag
    ("nil nil", "0 0", 0, 200, 0),
    ("nil nil", "2 0", 0, 2, 2),
    ("nil nil", "1 3", 0, -196, 4),
    ("nil blind-nil", "1 0", 0, 101, 1),
    ("nil blind-nil", "0 1", 0, -99, 1),
    ("blind-nil blind-nil", "0 0", 0, 400, 0),
    ("nil nil", "13 0", 9, -187, 2),  # 100 - 100 + 13 - 200: 22 bags
]


@pytest.mark.parametrize(("bids", "tricks", "bags", "score", "bags_after"), SCORES)
def test_what_a_side_scores(bids, tricks, bags, score, bags_after):
    assert points_and_bags(bids, tricks, bags=bags) == (score, bags_after)


# The same when the side has revoked: what it would win is 0, what it loses it loses, no bags.
REVOKED = [
    ("3 2", "4 1", 0, 0, 0),
    ("3 2", "5 3", 9, 0, 9),
    ("2 2", "1 2", 0, -40, 0),
    ("5 nil", "4 1", 0, -100, 0),
    ("5 nil", "5 0", 0, 0, 0),
    ("5 nil", "4 0", 0, -50, 0),
    ("5 nil", "3 1", 0, -150, 0),
    ("3 blind-nil", "3 1", 0, -200, 0),
    ("nil nil", "2 0", 4, -100, 4),
    ("nil nil", "0 0", 0, 0, 0),
]


@pytest.mark.parametrize("offender", ["0", "2", "02"])
@pytest.mark.parametrize(("bids", "tricks", "bags", "score", "bags_after"), REVOKED)
def test_r107_a_side_that_has_revoked_wins_nothing_and_loses_what_it_loses(
    bids, tricks, bags, score, bags_after, offender
):
    assert points_and_bags(bids, tricks, bags=bags, revoked=offender) == (score, bags_after)


@pytest.mark.parametrize("revoked", ["1", "3", "13"])
def test_r107_the_opponents_of_a_revoke_score_as_always(revoked):
    assert points_and_bags("3 2", "4 2", revoked=revoked) == (51, 1)


def test_r107_both_sides_may_have_revoked():
    played = Played(
        {}, {0: 5, 1: 8}, {1: Bid(4), 2: Bid(2), 3: Bid(4), 0: Bid(3)}, ((1, "follow-suit"), (2, "follow-suit"))
    )
    assert SPADES.score(played).points == {"0-2": 0, "1-3": 0}


@pytest.mark.parametrize("rule", ["turn", "spades-not-broken", "first-trick-spades", "too-many-cards"])
def test_r107_only_a_revoke_costs_points(rule):
    played = Played({}, {0: 5, 1: 8}, {1: Bid(4), 2: Bid(2), 3: Bid(4), 0: Bid(3)}, ((0, rule),))
    assert SPADES.score(played).points == {"0-2": 50, "1-3": 80}


def test_r107_a_table_may_only_record_a_revoke():
    assert points_and_bags("3 2", "4 2", revoked="0", revoke="record") == (51, 1)


def test_r091_the_contract_is_the_sum_of_both_bids():
    assert side("3 2", "4 1") == {"bid": 5, "tricks": 5, "score": 50, "bags": 0, "total": 50}


def test_r092_the_example_of_the_bids_seven_against_five():
    played = Played({}, {0: 1, 1: 4, 2: 4, 3: 4}, {1: Bid(3), 2: Bid(3), 3: Bid(4), 0: Bid(2)})
    sides = SPADES.score(played).sides
    assert sides is not None
    assert [(sides[key]["bid"], sides[key]["score"]) for key in ("1-3", "0-2")] == [(7, 71), (5, 50)]


def test_r108_k20_partners_who_bid_three_and_two_and_take_five_win_fifty():
    assert points_and_bags("3 2", "4 1") == (50, 0)


def test_r115_the_example_of_five_tricks_bid_and_made():
    assert points_and_bags("3 2", "3 2") == (50, 0)


def test_r109_each_trick_over_the_contract_is_one_point_and_one_bag():
    assert points_and_bags("3 2", "5 3") == (53, 3)


def test_r114_the_example_of_eight_bid_ten_taken_against_four_bid_three_taken():
    played = Played({}, {0: 6, 1: 2, 2: 4, 3: 1}, {1: Bid(2), 2: Bid(3), 3: Bid(2), 0: Bid(5)})
    assert SPADES.score(played).points == {"0-2": 82, "1-3": -40}


def test_r113_a_contract_not_made_costs_ten_for_each_trick_bid():
    assert points_and_bags("2 2", "2 1") == (-40, 0)


def test_r112_the_example_of_nine_bags_and_two_more():
    assert side("2 2", "3 3", bags=9, total=200) == {"bid": 4, "tricks": 6, "score": -58, "bags": 1, "total": 142}


def test_k16_r110_r111_ten_bags_cost_100_each_time_and_the_rest_counts_on():
    assert points_and_bags("2 2", "3 3", bags=8) == (-58, 0)
    assert points_and_bags("1 nil", "13 0", bags=9) == (-78, 1)  # two penalties


@pytest.mark.parametrize("total", [-137, -9, 0, 495])
def test_k17_bags_are_counted_on_their_own_whatever_the_total(total):
    assert side("2 2", "3 4", bags=5, total=total) == {
        "bid": 4,
        "tricks": 7,
        "score": 43,
        "bags": 8,
        "total": total + 43,
    }


def test_k18_r095_r117_a_failed_nils_tricks_count_for_the_contract_and_as_bags():
    assert side("nil 4", "2 3") == {"bid": 4, "tricks": 5, "score": -59, "bags": 1, "total": -59}


def test_k19_a_failed_nil_helps_its_partner_to_the_contract():
    assert points_and_bags("nil 2", "1 1") == (-80, 0)


@pytest.mark.parametrize(
    ("bids", "tricks", "score", "bags"),
    [
        ("nil 4", "2 3", -140, 0),  # three are not four
        ("nil 4", "2 4", -58, 2),  # made without them, which are bags
        ("nil 2", "1 1", -120, 0),
        ("nil 4", "0 5", 141, 1),
        ("nil nil", "1 2", -197, 3),
    ],
)
def test_r095_elsewhere_a_failed_nils_tricks_do_not_count_for_the_contract(bids, tricks, score, bags):
    assert points_and_bags(bids, tricks, nil_tricks_count=False) == (score, bags)


def test_k34_a_contract_made_with_a_failed_nil_and_a_revoke_is_minus_100():
    assert points_and_bags("5 nil", "4 1", revoked="0") == (-100, 0)


def test_k35_r094_both_nil_one_fails_with_two_tricks():
    assert side("nil nil", "2 0") == {"bid": 0, "tricks": 2, "score": 2, "bags": 2, "total": 2}


@pytest.mark.parametrize(("tricks", "score"), [("0 4", 140), ("1 3", -60)])
def test_r116_a_nil_wins_or_loses_100(tricks, score):
    assert points_and_bags("nil 4", tricks)[0] == score


@pytest.mark.parametrize(("tricks", "score"), [("0 4", 240), ("1 3", -160)])
def test_r118_a_blind_nil_wins_or_loses_200(tricks, score):
    assert points_and_bags("blind-nil 4", tricks)[0] == score


def test_a_table_may_value_nils_and_bags_otherwise():
    assert points_and_bags("nil 4", "0 4", nil=50) == (90, 0)
    assert points_and_bags("blind-nil 4", "1 3", blind_nil=150) == (-110, 0)
    assert points_and_bags("2 2", "3 3", bags=4, bag_limit=5, bag_penalty=50) == (-8, 1)
    assert points_and_bags("2 2", "3 3", bags=9, bag_penalty=0) == (42, 1)


# --- the end -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "ended"),
    [
        (499, 0, None),
        (500, 0, "target"),
        (541, -80, "target"),
        (510, 530, "target"),
        (500, 500, None),
        (620, 620, None),
        (-900, -700, None),
    ],
)
def test_r120_r121_r122_the_first_at_500_unless_both_are_equal_and_no_floor(ours, theirs, ended):
    assert SPADES.ended({"0-2": ours, "1-3": theirs}, 9) == ended


def test_r121_both_at_500_the_higher_total_wins():
    assert SPADES.places({"0-2": 510, "1-3": 530}) == (("1-3",), ("0-2",))


def test_r121_a_table_may_share_the_place():
    game = SPADES.with_options({"tie": "shared"})
    assert game.ended({"0-2": 500, "1-3": 500}, 9) == "target"
    assert game.places({"0-2": 500, "1-3": 500}) == (("0-2", "1-3"),)


@pytest.mark.parametrize(("ours", "ended"), [(-199, None), (-200, "target"), (-340, "target")])
def test_r122_a_table_may_have_a_floor(ours, ended):
    assert SPADES.with_options({"floor": -200}).ended({"0-2": ours, "1-3": 20}, 9) == ended


def test_r120_a_table_may_play_to_another_total():
    assert SPADES.with_options({"target": 250}).ended({"0-2": 250, "1-3": 20}, 3) == "target"


# --- switches ------------------------------------------------------------------------------------------------------


def test_all_bad_options_are_told_at_once():
    with pytest.raises(ValueError, match="no such switch") as raised:
        SPADES.with_options({"target": 0, "tie": "toss", "nill": 50, "floor": 20, "exchange": 1, "bag_limit": True})
    assert [complaint.split(":")[0] for complaint in str(raised.value).split("; ")] == [
        *("target", "tie", "nill", "floor", "exchange", "bag_limit")
    ]


@pytest.mark.parametrize(
    ("options", "named"),
    [({"exchange": True, "blind_nil": 0}, "exchange"), ({"suicide": True, "nil": False}, "suicide")],
)
def test_switches_that_do_not_go_together_are_refused(options, named):
    with pytest.raises(ValueError, match=named):
        SPADES.with_options(options)


def test_every_switch_that_the_rules_page_lists_can_be_set():
    listed = (
        "target floor nil blind_nil blind_nil_deficit exchange exchange_deficit suicide both_nil nil_tricks_count"
        " bag_limit bag_penalty first_trick_spades lead_breaks revoke tie minimum_bid"
    )
    assert set(listed.split()) <= set(SPADES.SWITCHES)
    as_they_are = {name: getattr(SPADES, name) for name in listed.split()}
    assert SPADES.with_options(as_they_are) == SPADES
