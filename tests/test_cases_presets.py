"""The situations of the public reports (cases K1 to K37) in every rule set that they concern, and in Spades.

``test_cases`` has them in four-handed Cardems; here are the other sources, the other numbers of players, and the cases
of Spades, told at the table card by card. What a case must come to was worked out by hand from the sources.
"""

from __future__ import annotations

import json

import pytest

from tablepi.cards import OF_SUIT, card, cards_of
from tablepi.rules import Played
from tablepi.table import undo

from .script import RULEBOOK, Told, held, match

HAND = '{"fact":"hand","dealer":0} '
SEATED = ("Rita", "Ada", "Bo", "Cleo", "Duarte", "Eva", "Filipe")
FOUR_HANDED = ["hearts-cardems", "hearts-tournament", "hearts-classic", "hearts-black-maria"]
in_each = pytest.mark.parametrize("rules", FOUR_HANDED)


def line(**said: object) -> str:
    return json.dumps(said) + " "


def agreed(*points: int) -> str:
    """A hand that ends by agreement on these points, seat by seat."""
    return line(fact="end-hand", points={str(seat): p for seat, p in enumerate(points)})


def begun(rules: str, players: int = 4, **options: object) -> str:
    """A match; a tournament's has no end after four hands."""
    if rules == "hearts-tournament":
        options = {"hands": 100, **options}
    return line(fact="match", rules=rules, players=SEATED[:players], options=options)


def hold_hand(rules: str, **hand: object) -> str:
    """A match of four whose next hand, the fourth, has no pass."""
    return begun(rules) + (HAND + agreed(13, 13, 0, 0)) * 3 + line(fact="hand", dealer=0, **hand)


def totals(told: Told) -> list[int]:
    return list(told.table.state.totals.values())


def proofs(told: Told) -> list[tuple[int, int, str, str, str]]:
    """Of each proof the fact that gave it, the seat, the card that was illegal, the rule, and the card shown."""
    return [
        (r["n"], r["seat"], r["offence"]["card"], r["offence"]["rule"], r["shown"])
        for r in told.rulings("proved")
        if r["how"] == "shown"
    ]


# --- K1 to K5: points, the opening, the pass, the first trick ---------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "points"),
    [*((rules, 16) for rules in FOUR_HANDED), ("hearts-omnibus", 6), ("hearts-spot", 13 + 2 + 3 + 4)],
)
def test_k1_three_hearts_and_the_queen_are_sixteen_and_the_jack_counts_only_where_the_rule_set_has_it(rules, points):
    """Seat 1 takes the queen of spades with the jack of diamonds, then three hearts; nobody takes all."""
    told = Told(held(rules) + "0:2C 1:3C 2:4C 3:AC 3:2S 0:JD 1:QS 2:3S 1:2D 2:2H 3:3H 0:4H")
    assert sum(event["points"] for event in told.events("trick") if event["winner"] == 1) == points
    assert told.events("hand") == []


@pytest.mark.parametrize("rules", FOUR_HANDED)
def test_k1_sixteen_points_are_no_moon_in_any_source(rules):
    told = Told(held(rules) + agreed(16, 10, 0, 0))
    assert [(list(e["points"].values()), e["moon"]) for e in told.events("hand")] == [([16, 10, 0, 0], None)]
    assert told.events("choice") == []


@in_each
def test_k2_a_heart_before_the_two_of_clubs_is_a_breach_in_a_hold_hand_of_every_source(rules):
    told = Told(hold_hand(rules))
    assert told.answers[-1] == (
        {"event": "pass", "hand": 4, "direction": "hold"},
        {"event": "turn", "hand": 4, "seat": None, "card": "2C"},
    )
    (breach,) = Told(hold_hand(rules) + "1:3H").rulings("breach")
    assert (breach["seat"], breach["card"], breach["rules"], breach["expected"]) == (1, "3H", ["opening"], "2C")
    assert told.tell("1:2C")[0]["ruling"] == "legal"


def test_k2_five_players_of_a_tournament_open_a_hold_hand_with_the_three_of_clubs():
    told = Told(begun("hearts-tournament", 5) + (HAND + agreed(13, 13)) * 2 + HAND)
    assert told.answers[-1] == (
        {"event": "pass", "hand": 3, "direction": "hold"},
        {"event": "turn", "hand": 3, "seat": None, "card": "3C"},
    )
    assert [(line["ruling"], line["rules"]) for line in told.tell("1:3H")[:1]] == [("breach", ["opening"])]


@pytest.mark.parametrize("number", [2, 4])
@pytest.mark.parametrize(("rules", "players"), [*((r, 4) for r in FOUR_HANDED), ("hearts-black-maria", 7)])
def test_k3_a_pass_of_which_only_a_wrong_number_was_seen_can_be_put_right_or_the_hand_annulled(rules, players, number):
    told = Told(begun(rules, players) + HAND + line(fact="pass", seat=2, count=number))
    (breach,) = told.rulings("breach")
    assert (breach["seat"], breach["rules"], breach["count"], breach["expected"]) == (2, ["pass-count"], number, 3)
    right = told.tell('{"fact":"correct","n":3,"set":{"count":3}}')
    assert [(r["ruling"], r["n"], r["count"]) for r in right if "ruling" in r] == [("legal", 3, 3)]
    assert told.tell('{"fact":"misdeal"}') == [{"event": "misdeal", "hand": 1}]
    assert told.tell('{"fact":"hand"}') == [{"event": "pass", "hand": 2, "direction": "left"}]
    assert told.table.state.deal.dealer == 0


@in_each
@pytest.mark.parametrize("point", ["5H", "QS"])
def test_k4_a_point_on_the_first_trick_is_a_claim_in_every_source(rules, point):
    told = Told(held(rules) + f"0:2C 1:{point} 2:3C 3:4C 3:8D 0:2D")
    assert [(r["n"], r["rules"]) for r in told.rulings("unproven")] == [(5, ["first-trick-points", "follow-suit"])]
    told.tell("1:7D")
    assert proofs(told) == [(10, 1, point, "first-trick-points", "7D")]


ALL_POINTS = {"1": "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"}


@pytest.mark.parametrize(
    ("rules", "note"), list(zip(FOUR_HANDED, [None, None, "source-silent", "source-silent"], strict=True))
)
@pytest.mark.parametrize("point", ["QS", "2H"])
def test_k5_a_known_hand_of_points_may_lay_any_of_them_in_every_source(rules, note, point):
    told = Told(hold_hand(rules, hands=ALL_POINTS) + f"0:2C 1:{point}")
    assert told.grades == ["legal", "legal"]
    assert told.rulings("legal")[-1].get("note") == note


@in_each
def test_k5_the_claim_of_an_unknown_hand_of_points_stands_to_the_end_and_comes_to_nothing(rules):
    """Seat 0 has the clubs, 1 nothing but points, 2 the diamonds, 3 the other spades and the ace of hearts."""
    points, spades = ALL_POINTS["1"].split(), [*(f"{rank}S" for rank in "23456789TJKA"), "AH"]
    ranks = "23456789TJQKA"
    tricks = [f"0:{r}C 1:{p} 2:{r}D 3:{s}" for r, p, s in zip(ranks, points, spades, strict=True)]
    told = Told(hold_hand(rules) + " ".join(tricks))
    first = next(r for r in told.rulings("unproven") if r["seat"] == 1)
    assert (first["card"], first["rules"]) == ("QS", ["first-trick-points", "follow-suit"])
    assert told.rulings("breach", "proved", "someone", "pending") == []
    (audit,) = [r for r in told.rulings("confirmed") if r["hand"] == 4]
    assert (audit["offences"], audit["unresolved"]) == ([], [])


# --- K6: the pass cycle -----------------------------------------------------------------------------------------------

LEFT_RIGHT, WITH_HOLD, OF_FOUR = ["left", "right"], ["left", "right", "hold"], ["left", "right", "across", "hold"]


@pytest.mark.parametrize(
    ("rules", "players", "cycle"),
    [
        *((rules, 4, OF_FOUR) for rules in FOUR_HANDED),
        ("hearts-tournament", 3, WITH_HOLD),
        ("hearts-tournament", 5, WITH_HOLD),
        ("hearts-classic", 3, WITH_HOLD),
        ("hearts-classic", 5, WITH_HOLD),
        ("hearts-classic", 6, OF_FOUR),
        ("hearts-black-maria", 3, LEFT_RIGHT),
        ("hearts-black-maria", 5, LEFT_RIGHT),
        ("hearts-black-maria", 6, LEFT_RIGHT),
        ("hearts-black-maria", 7, LEFT_RIGHT),
    ],
)
def test_k6_the_cycle_of_each_number_of_players_repeats_and_a_misdealt_hand_does_not_advance_it(rules, players, cycle):
    scored, misdealt = HAND + agreed(13, 13), HAND + '{"fact":"misdeal"} '
    told = Told(begun(rules, players, target=1000) + scored * len(cycle) + (misdealt + scored) * len(cycle) + HAND)
    directions = [(e["hand"], e["direction"]) for e in told.events("pass")]
    expected = [*cycle, *(direction for direction in cycle for _ in "ab"), cycle[0]]
    assert directions == list(enumerate(expected, 1))


# --- K7, K8: breaking hearts ------------------------------------------------------------------------------------------


@in_each
def test_k7_a_heart_led_too_early_is_proved_in_every_source_and_one_led_after_a_heart_is_legal(rules):
    told = Told(held(rules) + "0:2C 1:3C 2:4C 3:5C 3:5H 0:2H 1:3H 2:4H")
    assert [(r["n"], r["rules"]) for r in told.rulings("unproven")] == [(8, ["hearts-not-broken"])]
    told.tell("3:6D")
    assert proofs(told) == [(12, 3, "5H", "hearts-not-broken", "6D")]
    assert Told(held(rules) + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:2H 2:7D 2:9H").grades[-1] == "legal"


@pytest.mark.parametrize(
    ("rules", "grade"), list(zip(FOUR_HANDED, ["unproven", "unproven", "unproven", "legal"], strict=True))
)
def test_k8_a_heart_led_after_the_queen_is_a_claim_in_three_sources_and_legal_in_black_maria(rules, grade):
    told = Told(held(rules) + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:QS 2:7D")
    (answer, *_) = told.tell("2:9H")
    assert (answer["ruling"], answer["rules"]) == (grade, ["hearts-not-broken"] if grade == "unproven" else [])


# --- K9 to K12: the moon and the end ----------------------------------------------------------------------------------

# Seat 1 wins the first trick, seat 0 the next seven and with them every point, seat 1 the other five.
ALL_POINTS_BY_TRICK_8 = [
    "0:2C 1:AC 2:KC 3:QC",
    "1:2D 2:QS 3:2H 0:AD",
    "0:KD 1:3D 2:3H 3:4H",
    "0:QD 1:4D 2:5H 3:6H",
    "0:JD 1:5D 2:7H 3:8H",
    "0:TD 1:6D 2:9H 3:TH",
    "0:9D 1:7D 2:JH 3:QH",
    "0:8D 1:AS 2:KH 3:AH",
    "0:3C 1:JC 2:JS 3:6S",
    "1:KS 2:TS 3:5S 0:4C",
    "1:TC 2:9S 3:4S 0:5C",
    "1:9C 2:8S 3:3S 0:6C",
    "1:8C 2:7S 3:2S 0:7C",
]


@in_each
def test_k9_all_points_by_trick_8_are_settled_after_the_last_trick_and_the_hand_is_played_on(rules):
    told = Told(hold_hand(rules) + " ".join(ALL_POINTS_BY_TRICK_8[:8]))
    won = [(e["winner"], e["points"]) for e in told.events("trick")]
    assert ([seat for seat, _ in won], sum(points for _, points in won)) == ([1, *[0] * 7], 26)
    assert (told.events("hand")[3:], told.events("choice")) == ([], [])
    assert told.events("turn")[-1]["seat"] == 0
    told.tell(" ".join(ALL_POINTS_BY_TRICK_8[8:]))
    assert told.rulings("breach", "proved", "someone", "pending") == []
    if rules == "hearts-black-maria":
        assert told.answers[-1][-1] == {"event": "choice", "seat": 0, "of": ["self", "others"]}
        told.tell('{"fact":"choose","seat":0,"choice":"others"}')
    (scored,) = told.events("hand")[3:]
    assert list(scored["points"].values()) == [0, 26, 26, 26]
    assert scored["moon"] == {"seat": 0, "choice": "others"}


@pytest.mark.parametrize("rules", ["hearts-cardems", "hearts-tournament", "hearts-classic"])
def test_k10_a_moon_at_90_80_80_20_ends_the_match_and_the_shooter_does_not_win_by_it(rules):
    game = RULEBOOK[rules].with_options({"hands": None})
    before = {"0": 90, "1": 80, "2": 80, "3": 20}
    result = game.score(Played({0: 26, 1: 0, 2: 0, 3: 0}, totals=before))
    assert (dict(result.points), result.choice) == ({"0": 0, "1": 26, "2": 26, "3": 26}, ())
    after = {side: total + result.points[side] for side, total in before.items()}
    assert (game.ended(after, 10), game.places(after)) == ("target", (("3",), ("0",), ("1", "2")))


@pytest.mark.parametrize(("choice", "points", "ended"), [("self", -26, None), ("others", 0, "target")])
def test_k10_in_black_maria_the_shooter_at_90_80_80_20_may_take_26_off_and_the_match_goes_on(choice, points, ended):
    game = RULEBOOK["hearts-black-maria"]
    before = {"0": 90, "1": 80, "2": 80, "3": 20}
    moon = Played({0: 26, 1: 0, 2: 0, 3: 0}, totals=before)
    assert game.score(moon).choice == ("self", "others")
    result = game.score(Played(moon.taken, totals=before, chose=choice))
    others = 26 if choice == "others" else 0
    assert dict(result.points) == {"0": points, "1": others, "2": others, "3": others}
    after = {side: total + result.points[side] for side, total in before.items()}
    assert game.ended(after, 10) == ended


TEN_HANDS = (HAND + agreed(9, 8, 8, 1)) * 10  # 90, 80, 80, 10: whole hands add up to nothing nearer


@pytest.mark.parametrize("rules", ["hearts-cardems", "hearts-tournament", "hearts-classic"])
def test_k10_at_the_table_the_others_get_26_and_the_lowest_wins(rules):
    told = Told(begun(rules) + TEN_HANDS + HAND + agreed(26))
    assert told.events("match") == [
        {
            "event": "match",
            "places": [["3"], ["0"], ["1", "2"]],
            "totals": {"0": 90, "1": 106, "2": 106, "3": 36},
            "winners": ["3"],
            "reason": "target",
        }
    ]


@in_each
def test_k11_exactly_100_ends_the_match_and_does_not_win_it(rules):
    told = Told(begun(rules) + (HAND + agreed(25, 1, 0, 0)) * 3 + HAND + agreed(24, 0, 2, 0))
    assert (totals(told), told.events("match")) == ([99, 3, 2, 0], [])
    told.tell(HAND + agreed(1, 25, 0, 0))
    assert totals(told) == [100, 28, 2, 0]
    assert [(e["winners"], e["places"][-1], e["reason"]) for e in told.events("match")] == [(["3"], ["0"], "target")]


@pytest.mark.parametrize("rules", FOUR_HANDED)
def test_k11_exactly_100_with_a_tie_for_lowest_ends_the_match_but_in_cardems(rules):
    told = Told(begun(rules) + (HAND + agreed(25, 1, 0, 0)) * 4)
    assert totals(told) == [100, 4, 0, 0]
    shared = [] if rules == "hearts-cardems" else [[["2", "3"], ["1"], ["0"]]]
    assert [e["places"] for e in told.events("match")] == shared


ALL_TRICKS = " ".join(f"0:{rank}C 1:{rank}D 2:{rank}S 3:{rank}H" for rank in "23456789TJQKA")


@pytest.mark.parametrize(
    ("rules", "choice", "points"),
    [
        ("hearts-cardems", "", [0, 26, 26, 26]),
        ("hearts-tournament", "", [0, 26, 26, 26]),
        ("hearts-classic", "", [0, 26, 26, 26]),
        ("hearts-black-maria", "others", [0, 26, 26, 26]),
        ("hearts-black-maria", "self", [-26, 0, 0, 0]),
    ],
)
def test_k12_all_thirteen_tricks_are_a_moon_and_nothing_more_in_every_source(rules, choice, points):
    told = Told(held(rules) + ALL_TRICKS)
    told.tell(line(fact="choose", seat=0, choice=choice) if choice else "")
    assert [e["winner"] for e in told.events("trick")] == [0] * 13
    assert [list(e["points"].values()) for e in told.events("hand")] == [points]


# --- K13, K14: the deck -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["hearts-tournament", "hearts-classic", "hearts-black-maria"])
def test_k13_three_players_lay_the_two_of_clubs_first_and_the_two_of_diamonds_is_out(rules):
    told = Told(begun(rules, 3) + HAND + '{"fact":"passed"}')
    assert told.events("turn") == [{"event": "turn", "hand": 1, "seat": None, "card": "2C"}]
    assert told.tell("1:3C")[0]["rules"] == ["opening"]
    told = Told(begun(rules, 3) + HAND + '{"fact":"passed"} 1:2C 2:3C 0:2D')
    assert [(r["ruling"], r["card"], r["rules"]) for r in told.rulings("breach")] == [("breach", "2D", ["not-in-deck"])]


@pytest.mark.parametrize("rules", ["hearts-tournament", "hearts-classic", "hearts-black-maria"])
def test_k14_five_players_open_with_the_three_of_clubs_without_two_twos_and_with_the_two_of_spades(rules):
    told = Told(begun(rules, 5) + HAND + '{"fact":"passed"}')
    assert told.events("turn") == [{"event": "turn", "hand": 1, "seat": None, "card": "3C"}]
    told.tell("1:3C 2:4C 3:5C 4:6C 0:AC 0:3S 1:2S")
    assert told.grades == ["legal"] * 7
    assert [line["rules"] for line in told.tell("2:2C 3:2D") if line.get("ruling") == "breach"] == [["not-in-deck"]] * 2


# --- Spades -----------------------------------------------------------------------------------------------------------


def bid(seat: int, said: int | str, **more: object) -> str:
    return line(fact="bid", seat=seat, bid=said, **more)


def bids(*said: int | str) -> str:
    """What seats 1, 2, 3 and 0 bid, left of the dealer first."""
    return "".join(bid(seat, word) for seat, word in zip((1, 2, 3, 0), said, strict=True))


def took(*tricks: int) -> str:
    """The hand ends by agreement with these tricks, seat by seat."""
    return line(fact="end-hand", tricks={str(seat): t for seat, t in enumerate(tricks)})


def spades(*more: str, **options: object) -> Told:
    """A match of Spades whose first hand is dealt by seat 0, and what is told then."""
    return Told(match("spades", **options) + HAND + " ".join(more))


def of_side(told: Told, side: str = "0-2") -> dict[str, int]:
    """What the latest hand says of a side."""
    return dict(told.events("hand")[-1]["sides"][side])


def scored(bid: int, tricks: int, score: int, bags: int, total: int) -> dict[str, int]:
    return {"bid": bid, "tricks": tricks, "score": score, "bags": bags, "total": total}


REVOKE = "1:2C 2:2S 3:4C 0:5C "  # seat 2 trumps a club


def test_k15_a_spade_while_holding_the_suit_is_unproven_then_proved_and_the_side_wins_nothing():
    told = spades(bids(3, 3, 4, 2), REVOKE)
    assert [(r["n"], r["seat"], r["rules"]) for r in told.rulings("unproven")] == [(8, 2, ["follow-suit"])]
    told.tell("2:6C " + took(3, 4, 3, 3))
    assert proofs(told) == [(11, 2, "2S", "follow-suit", "6C")]
    assert (of_side(told), of_side(told, "1-3")) == (scored(5, 6, 0, 0, 0), scored(7, 7, 70, 0, 70))


def test_k15_what_a_side_that_has_revoked_loses_it_loses():
    told = spades(bids(3, 3, 4, 4), REVOKE, "2:6C ", took(3, 4, 3, 3))
    assert of_side(told) == scored(7, 6, -70, 0, -70)


NINE_BAGS = bids(3, 2, 3, 2) + took(7, 0, 6, 0)  # side 0-2: 4 bid, 13 taken


@pytest.mark.parametrize(
    ("second", "after"),
    [
        (bids(5, 3, 5, 2) + took(3, 5, 3, 2), scored(5, 6, 50 + 1 - 100, 0, 0)),  # the tenth bag
        (bids(6, "nil", 6, 1) + took(13, 0, 0, 0), scored(1, 13, 10 + 100 + 12 - 200, 1, 49 - 78)),  # twelve more
    ],
    ids=["one more", "twelve more"],
)
def test_k16_ten_bags_cost_100_and_twelve_on_top_of_nine_cost_200_and_leave_one(second, after):
    told = spades(NINE_BAGS)
    assert of_side(told) == scored(4, 13, 49, 9, 49)
    told.tell(HAND + second)
    assert of_side(told) == after


def test_k17_bags_of_a_negative_total_are_counted_on_their_own():
    """A hand lost, then 4 bags: the total ends in 6, the bags are 4; then 5 more, and the tenth."""
    told = spades(bids(3, 5, 3, 4), took(4, 3, 4, 2))
    assert of_side(told) == scored(9, 8, -90, 0, -90)
    told.tell(HAND + bids(3, 2, 4, 1) + took(3, 3, 4, 3))
    assert of_side(told) == scored(3, 7, 34, 4, -56)
    told.tell(HAND + bids(3, 1, 2, 1) + took(3, 3, 4, 3))
    assert of_side(told) == scored(2, 7, 25, 9, -31)
    told.tell(HAND + bids(3, 2, 5, 3) + took(3, 3, 3, 4))
    assert of_side(told) == scored(5, 6, 51 - 100, 0, -80)


@pytest.mark.parametrize(
    ("partner", "tricks", "after"),
    [(4, (3, 4, 2, 4), scored(4, 5, 40 + 1 - 100, 1, -59)), (2, (1, 6, 1, 5), scored(2, 2, 20 - 100, 0, -80))],
    ids=["k18", "k19"],
)
def test_k18_k19_the_tricks_of_a_failed_nil_count_for_its_partners_contract(partner, tricks, after):
    """Seat 2 bids nil, seat 0 the contract."""
    assert of_side(spades(bids(3, "nil", 3, partner), took(*tricks))) == after


def test_k20_partners_who_bid_three_and_two_and_take_five_win_fifty():
    assert of_side(spades(bids(3, 2, 4, 3), took(4, 4, 1, 4))) == scored(5, 5, 50, 0, 50)


def test_k21_480_and_a_hand_of_61_end_the_match_and_a_penalty_that_brings_it_under_500_does_not():
    """At 480 with 9 bags the same hand is worth 61 - 100: the test is on the running total with all of it."""
    without_bags = Told(match("spades") + (HAND + bids(2, 4, 3, 4) + took(4, 2, 4, 3)) * 6)
    without_bags.tell(HAND + bids(3, 3, 3, 3) + took(4, 3, 3, 3))
    assert of_side(without_bags) == scored(6, 7, 61, 1, 541)
    assert [(e["winners"], e["reason"]) for e in without_bags.events("match")] == [(["0-2"], "target")]
    nine = HAND + bids(1, 4, 1, 7) + took(6, 1, 5, 1)  # 11 bid and taken
    many_bags = Told(match("spades") + HAND + NINE_BAGS + nine * 4)
    assert of_side(many_bags) == scored(11, 11, 110, 9, 489)
    many_bags.tell(HAND + bids(3, 3, 3, 3) + took(4, 3, 3, 3))
    assert (of_side(many_bags), many_bags.events("match")) == (scored(6, 7, 61 - 100, 0, 450), [])


@pytest.mark.parametrize(("penalty", "behind", "rules"), [(100, 99, ["blind-nil-deficit"]), (0, 100, [])])
def test_k22_a_blind_nil_99_behind_is_a_breach_and_100_behind_is_allowed(penalty, behind, rules):
    first = bids(3, 2, 2, 2) + took(7, 0, 6, 0) if behind == 99 else bids(3, 2, 3, 1) + took(7, 0, 6, 0)
    told = spades(first, HAND, bid(1, "blind-nil"), bag_penalty=penalty)
    assert totals(told)[0] - totals(told)[1] == behind
    ruling = told.answers[-1][0]
    assert (ruling["ruling"], ruling["bid"], ruling["rules"]) == ("breach" if rules else "legal", "blind-nil", rules)


def test_k23_nine_and_six_of_two_partners_are_a_contract_of_fifteen():
    told = spades(bid(1, 1), bid(2, 9), bid(3, 1), bid(0, 6))
    assert [(r["seat"], r["bid"]) for r in told.rulings("legal")] == [(1, 1), (2, 9), (3, 1), (0, 6)]
    told.tell(took(6, 0, 7, 0))
    assert of_side(told) == scored(15, 13, -150, 0, -150)


@pytest.mark.parametrize(("trump", "grade"), [("4S", "legal"), ("4H", "unproven")])
def test_k24_a_spade_led_is_legal_after_one_fell_on_a_heart_and_a_claim_before(trump, grade):
    told = spades(bids(3, 3, 4, 2), f"1:2H 2:3H 3:{trump} 0:5D")
    assert [e["n"] for e in told.events("spades-broken")] == ([9] if trump == "4S" else [])
    (answer, *_) = told.tell("3:6S")
    assert (answer["ruling"], answer["rules"]) == (grade, [] if grade == "legal" else ["spades-not-broken"])


def test_k25_a_diamond_proves_every_earlier_denial_of_diamonds_with_both_plays():
    told = spades(bids(3, 3, 4, 2), "1:2D 2:2C 3:3D 0:AD 0:4D 1:5D 2:3C 3:KD 3:4C 0:5C 1:6C")
    assert told.rulings("proved") == []
    told.tell("2:6D")
    assert proofs(told) == [(18, 2, "2C", "follow-suit", "6D"), (18, 2, "3C", "follow-suit", "6D")]
    assert [r["offence"]["trick"] for r in told.rulings("proved")] == [1, 2]


@in_each
def test_k25_in_every_source_of_hearts_the_proof_names_trick_card_and_the_card_shown(rules):
    told = Told(held(rules) + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:2S 2:7D 2:8D 3:9D 0:JD 1:3S 0:KC 1:4D")
    assert proofs(told) == [(17, 1, "2S", "follow-suit", "4D"), (17, 1, "3S", "follow-suit", "4D")]


def denied(told: Told) -> list[tuple[int, str, int]]:
    """Each claim that stands: seat, card, and the cards that it denies."""
    return [(c.seat, str(c.card), c.cards) for c in told.table.state.deal.felt.claims]


@pytest.mark.parametrize(
    ("laid", "claim"),
    [
        ("1:2C 2:3C 3:2S 0:2D", (0, "2D", "C")),  # the trump of another says nothing of the rear hand's spades
        ("1:2C 2:3C 3:KS 0:2S", (0, "2S", "C")),  # nor does a lower trump
        ("1:2C 2:2S 3:3C 0:AC 2:5S 3:6S 0:7S 1:2D", (1, "2D", "S")),  # a trump that is led is the suit led
    ],
    ids=["a trump on the trick", "a lower trump", "a trump led"],
)
def test_k26_a_rear_hand_that_discards_has_none_of_the_suit_led_and_nothing_else(laid, claim):
    told = spades(bids(3, 3, 4, 2), laid)
    seat, discard, suit = claim
    assert [c for c in denied(told) if c[0] == seat] == [(seat, discard, OF_SUIT[suit])]


@pytest.mark.parametrize(
    ("laid", "suit"),
    [
        ("0:2C 1:3C 2:4C 3:5C 3:QS 0:2S 1:3S 2:7D", "S"),  # a point card is led
        ("0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:2H 2:7D 2:9H 3:3H 0:4H 1:8H 2:AC 3:AD", "C"),
        ("0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:QS 2:3H", "D"),  # the points of others are not led
    ],
    ids=["the queen led", "clubs led after hearts", "points on the trick"],
)
def test_k26_in_hearts_a_point_card_changes_nothing_of_it(laid, suit):
    told = Told(held() + laid)
    seat, discard, cards = denied(told)[-1]
    assert (f"{seat}:{discard}", cards) == (laid.split()[-1], OF_SUIT[suit])


def test_k27_undo_of_the_last_card_of_a_trick_takes_winner_turn_and_broken_spades_back():
    told = spades(bids(3, 3, 4, 2), "1:2H 2:3H 3:5H")
    before = told.table.state
    told.tell("0:4S")
    assert told.table.state.felt.broken
    assert [e["winner"] for e in told.events("trick")] == [0]
    back = undo(told.table)
    assert back is not None
    told.tell([back])
    assert told.table.state == before
    assert told.answers[-1][-1] == {"event": "turn", "hand": 1, "seat": 0}


def test_k28_the_last_card_of_the_last_trick_scores_the_hand_of_spades_at_once():
    """Seat 1 leads a club, seat 0 trumps it, and takes the rest with the other spades."""
    tricks = [f"0:{rank}S 1:{rank}C 2:{rank}D 3:{rank}H" for rank in "3456789TJQKA"]
    told = spades(bids(2, 2, 2, 2), "1:2C 2:2D 3:2H 0:2S ", " ".join(tricks))
    assert [said.get("event", said.get("ruling")) for said in told.answers[-1]] == [
        "legal",
        "trick",
        "confirmed",
        "hand",
    ]
    assert (of_side(told), of_side(told, "1-3")) == (scored(4, 13, 49, 9, 49), scored(4, 0, -40, 0, -40))
    (audit,) = told.rulings("confirmed")
    assert (audit["offences"], audit["unresolved"]) == ([], [])


def test_k30_a_match_that_nobody_can_finish_has_no_floor_and_ends_by_hand():
    lost = HAND + bids(7, 7, 7, 7) + took(4, 3, 3, 3)
    told = Told(match("spades") + lost * 12)
    assert (totals(told), told.events("match")) == ([-1680, -1680], [])
    told.tell(HAND + bids(3, 3, 4, 2) + took(3, 4, 2, 4) + '{"fact":"end-match"}')
    assert [(e["places"], e["reason"]) for e in told.events("match")] == [([["1-3"], ["0-2"]], "agreement")]


def test_k30_in_the_middle_of_a_hand_too():
    lost = HAND + bids(7, 7, 7, 7) + took(4, 3, 3, 3)
    told = Told(match("spades") + lost + HAND + bids(3, 3, 4, 2) + '1:2C {"fact":"end-match"}')
    assert [(e["places"], e["totals"]) for e in told.events("match")] == [
        ([["0-2", "1-3"]], {"0-2": -140, "1-3": -140}),
    ]


def test_k34_five_made_with_a_failed_nil_and_a_revoke_are_minus_100_and_minus_50_without_the_revoke():
    hand = bids(3, "nil", 4, 5)
    assert of_side(spades(hand, REVOKE, "2:6C ", took(4, 4, 1, 4))) == scored(5, 5, -100, 0, -100)
    assert of_side(spades(hand, took(4, 4, 1, 4))) == scored(5, 5, -50, 0, -50)


@pytest.mark.parametrize("tricks", [(2, 6, 0, 5), (0, 6, 2, 5)])
def test_k35_both_nil_and_two_tricks_of_one_of_them_are_two_points_and_two_bags(tricks):
    told = spades(bids(3, "nil", 4, "nil"), took(*tricks))
    assert told.rulings("breach") == []
    assert of_side(told) == scored(0, 2, 100 - 100 + 2, 2, 2)


# --- K29 to K37: what a camera sees, in other games -------------------------------------------------------------------


def test_k29_in_spades_the_same_card_twice_names_both_places_asks_which_and_denies_no_suit():
    told = spades(bids(3, 3, 4, 2), "1:2C 2:3C 3:4C 0:5D 3:6D 0:3C")
    assert told.answers[-1][:2] == (
        {
            "ruling": "breach",
            "n": 12,
            "hand": 1,
            "trick": 2,
            "seat": 0,
            "card": "3C",
            "rules": ["duplicate"],
            "twin": {"n": 8, "seat": 2, "trick": 1},
        },
        {
            "question": "q12",
            "n": 12,
            "seat": 0,
            "ask": "card",
            "candidates": ["3C", "3S"],
            "of": 12,
            "why": "duplicate",
            "trick": 2,
        },
    )
    assert denied(told) == [(0, "5D", OF_SUIT["C"])]  # the second 3C did not follow diamonds, and says nothing
    assert told.rulings("proved") == []  # nor does it show that seat 0 held a club


def laid_by_camera(told: Told) -> list[list[tuple[int, str]]]:
    """The finished tricks, card by card."""
    return [[(c.seat, str(c.card)) for c in trick.cards] for trick in told.table.state.felt.tricks]


PASSED = '{"fact":"passed"} '


@pytest.mark.parametrize(
    ("script", "seat", "trick"),
    [
        (begun("hearts-tournament", 3) + HAND + PASSED + "0~2C 2~4C", 1, [(0, "2C"), (1, "3C"), (2, "4C")]),
        (
            begun("hearts-black-maria", 5) + HAND + PASSED + "0~3C 1~5C 3~6C 4~7C",
            2,
            [(0, "3C"), (1, "5C"), (2, "4C"), (3, "6C"), (4, "7C")],
        ),
        (
            match("spades") + HAND + bids(3, 3, 4, 2) + "1~2C 3~6C 0~7C",
            2,
            [(1, "2C"), (2, "4C"), (3, "6C"), (0, "7C")],
        ),
    ],
    ids=["three players", "five players", "spades"],
)
def test_k31_a_covered_card_is_asked_for_and_its_answer_goes_before_the_next_card(script, seat, trick):
    told = Told(script)
    assert told.rulings("breach", "proved", "someone") == []
    assert [(q["ask"], q["seat"]) for q in told.questions()] == [("missing", seat)]
    covered = next(laid for other, laid in trick if other == seat)
    told.tell(line(fact="answer", question=told.questions()[0]["question"], card=covered))
    assert laid_by_camera(told) == [trick]
    assert told.rulings("breach", "proved", "someone") == []
    assert (told.table.state.questions, told.table.state.deal.pending) == ((), ())


@pytest.mark.parametrize(
    ("rules", "players", "read", "right"),
    [
        ("hearts-tournament", 3, "2S", "2C"),
        ("hearts-classic", 4, "2S", "2C"),
        ("hearts-tournament", 5, "3S", "3C"),
        ("hearts-black-maria", 5, "3S", "3C"),
        ("hearts-black-maria", 7, "2S", "2C"),
    ],
)
def test_k32_the_opening_card_of_any_table_read_as_its_look_alike_is_asked_about(rules, players, read, right):
    told = Told(begun(rules, players) + HAND + PASSED + f"0~{read}")
    assert told.rulings("breach") == []
    (question,) = told.questions()
    assert (question["ask"], question["candidates"]) == ("card", [read, right])
    told.tell(line(fact="answer", question=question["question"], card=right))
    assert [r["ruling"] for r in told.rulings("cleared", "breach")] == ["cleared"]
    assert [str(laid.card) for laid in told.table.state.felt.trick] == [right]


MISREAD_TRUMP = bids(3, 3, 4, 2) + "1~2C 2~3S 3~4C 0~5C 0~6D 1~7D 2~8D 3~9D 3~TC 0~JC 1~QC 2~KC"


def test_k33_a_club_read_as_a_trump_makes_nobody_a_revoker_nor_a_leader_out_of_turn():
    """Seat 2's first card was the 3C: seat 0 took the trick and led, and seat 2 has clubs."""
    told = spades(MISREAD_TRUMP)
    assert told.rulings("breach", "proved", "someone") == []
    assert {(r["seat"], r["offence"]["rule"]) for r in told.rulings("pending")} == {(0, "turn"), (2, "follow-suit")}
    assert all(8 in r["check"] for r in told.rulings("pending"))
    told.tell('{"fact":"correct","n":8,"set":{"card":"3C"},"reason":"misread"}')
    assert {(r["seat"], r["offence"]["rule"]) for r in told.rulings("cleared")} == {(0, "turn"), (2, "follow-suit")}
    assert [trick.winner for trick in told.table.state.felt.tricks] == [0, 3, 2]
    deal = told.table.state.deal
    assert (deal.pending, deal.settled, told.table.state.questions) == ((), (), ())


def test_k33_what_is_never_settled_costs_a_side_nothing_and_is_listed_as_unresolved():
    told = spades(MISREAD_TRUMP, took(3, 4, 3, 3))
    assert of_side(told) == scored(5, 6, 51, 1, 51)
    (audit,) = told.rulings("confirmed")
    assert audit["offences"] == []
    assert (2, 8, "follow-suit") in [(u.get("seat"), u["n"], u.get("rule")) for u in audit["unresolved"]]


@pytest.mark.parametrize(
    "flicker",
    ["1~3C", "1~3C 1~3C 0~2C", '{"fact":"gone","seat":1,"card":"3C","source":"camera"} 1~3C'],
    ids=["read again", "read twice more", "gone and read again"],
)
@pytest.mark.parametrize("rules", ["hearts-black-maria", "hearts-classic"])
def test_k36_a_light_that_flickers_makes_no_second_play(rules, flicker):
    told = Told(held(rules) + "0~2C 1~3C " + flicker + " 2~4C 3~5C")
    assert laid_by_camera(told) == [[(0, "2C"), (1, "3C"), (2, "4C"), (3, "5C")]]
    assert told.rulings("breach", "proved", "pending") == []
    assert told.questions() == []


@pytest.mark.parametrize(
    "script",
    [
        "1:2C 2:5H 2-5H 2:6C",
        '1#2C 2#5H {"fact":"untag","seat":2,"card":"5H","source":"reader-2"} 2#6C',
        '1~2C 2~5H {"fact":"gone","seat":2,"card":"5H","source":"camera"} 2~6C',
    ],
    ids=["entered", "by reader", "by camera"],
)
def test_k37_in_spades_a_card_taken_back_and_another_laid_are_one_withdrawn_and_one_play(script):
    told = spades(bids(3, 3, 4, 2), script)
    assert [(r["of"], r["seat"], r["card"]) for r in told.rulings("withdrawn")] == [(8, 2, "5H")]
    felt = told.table.state.felt
    assert [str(laid.card) for laid in felt.trick] == ["2C", "6C"]
    assert (felt.known[2], felt.claims, felt.findings) == (cards_of([card("5H")]), (), ())
