"""The rules of Hearts, row by row of the matrix: the deal, the pass, what may be laid, what it scores."""

from __future__ import annotations

import json

import pytest

from tablepi.cards import FULL_DECK, OF_SUIT, Cards, card, cards_of, each, hand_of_cards
from tablepi.facts import Match
from tablepi.match import match_complaint
from tablepi.rules import Moment, Played
from tablepi.rules.tricks import legal_cards

from ..script import RULEBOOK, Told, facts, held, match

CARDEMS, TOURNAMENT, CLASSIC, BLACK_MARIA, OMNIBUS, SPOT = (
    RULEBOOK[f"hearts-{name}"] for name in ("cardems", "tournament", "classic", "black-maria", "omnibus", "spot")
)
SOURCES = [CARDEMS, TOURNAMENT, CLASSIC, BLACK_MARIA]
by_name = pytest.mark.parametrize("game", SOURCES, ids=lambda game: game.name)

SEATED = ("Rita", "Ada", "Bo", "Cleo", "Duarte", "Eva", "Filipe")


def cards(text: str) -> Cards:
    return cards_of(hand_of_cards(text))


def names(those: Cards) -> set[str]:
    return {str(c) for c in each(those)}


def may(game, hand: str, *, led: str | None = None, trick: int = 2, broken: bool = False, players: int = 4) -> set[str]:
    """The cards of a known hand that may be laid."""
    moment = Moment(trick, card(led) if led else None, broken, game.deck(players))
    return names(legal_cards(game, moment, cards(hand)))


def removed(game, players: int) -> set[str]:
    return names(FULL_DECK & ~game.deck(players))


def cycle(game, players: int, hands: int = 6) -> list[str | None]:
    return [game.pass_direction(players, scored) for scored in range(hands)]


def counts_that_can_play(rules: str) -> list[int]:
    return [n for n in range(2, 8) if match_complaint(RULEBOOK, Match(rules=rules, players=SEATED[:n])) is None]


def scored(game, *taken: int, totals: tuple[int, ...] | None = None, **more: object) -> list[int]:
    """What a hand scores in which the seats took these points."""
    before = {str(seat): total for seat, total in enumerate(totals or (0,) * len(taken))}
    result = game.score(Played(dict(enumerate(taken)), totals=before, **more))
    return [result.points[str(seat)] for seat in range(len(taken))]


# --- players, deck ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        ("hearts-cardems", [4]),
        ("hearts-tournament", [3, 4, 5]),
        ("hearts-classic", [3, 4, 5, 6]),
        ("hearts-black-maria", [3, 4, 5, 6, 7]),
    ],
)
def test_r001_r002_r003_r004_each_rule_set_is_for_its_numbers_of_players(rules, counts):
    assert counts_that_can_play(rules) == counts


def test_r005_cardems_deals_all_52_cards():
    assert CARDEMS.deck(4) == FULL_DECK


@by_name
def test_r006_r007_the_ace_is_high_and_there_is_no_trump(game):
    order = [game.wins(card("2D"), card(rank + "D")) for rank in "23456789TJQKA"]
    assert order == sorted(order)
    assert {game.wins(card("2D"), card("A" + suit)) for suit in "CHS"} == {0}


@pytest.mark.parametrize(
    ("game", "players", "out", "size"),
    [
        (TOURNAMENT, 3, {"2D"}, 17),
        (TOURNAMENT, 4, set(), 13),
        (TOURNAMENT, 5, {"2D", "2C"}, 10),
        (BLACK_MARIA, 3, {"2D"}, 17),
        (BLACK_MARIA, 4, set(), 13),
        (BLACK_MARIA, 5, {"2D", "2C"}, 10),
        (BLACK_MARIA, 6, {"2D", "3D", "3C", "4C"}, 8),
        (BLACK_MARIA, 7, {"2D", "3D", "3C"}, 7),
    ],
    ids=lambda value: getattr(value, "name", value) if not isinstance(value, set) else "",
)
def test_r008_r009_r010_r011_r012_r013_the_removed_cards_leave_equal_hands(game, players, out, size):
    assert (removed(game, players), game.deck(players).bit_count()) == (out, players * size)


@pytest.mark.parametrize("players", [3, 5, 6])
def test_r014_classic_removes_what_black_maria_removes(players):
    assert CLASSIC.deck(players) == BLACK_MARIA.deck(players)


# --- the pass --------------------------------------------------------------------------------------------------------


@by_name
def test_r015_r016_r017_r018_three_cards_are_passed_by_any_number_of_players(game):
    assert game.pass_count == 3


@by_name
def test_r019_r020_r021_r022_four_players_pass_left_right_across_and_then_hold(game):
    assert cycle(game, 4) == ["left", "right", "across", "hold", "left", "right"]


@pytest.mark.parametrize("players", [3, 5])
def test_r023_three_or_five_pass_left_right_and_then_hold_in_the_tournament(players):
    assert cycle(TOURNAMENT, players) == ["left", "right", "hold"] * 2


@pytest.mark.parametrize("players", [3, 5, 6, 7])
def test_r024_other_numbers_than_four_always_pass_in_black_maria(players):
    assert cycle(BLACK_MARIA, players) == ["left", "right"] * 3


def test_r025_classic_keeps_its_cycle_without_across_where_nobody_sits_there():
    assert [cycle(CLASSIC, players, 4) for players in (3, 5, 6)] == [
        ["left", "right", "hold", "left"],
        ["left", "right", "hold", "left"],
        ["left", "right", "across", "hold"],
    ]


def test_r026_r027_passes_come_in_any_order_and_no_hand_has_its_cards_before_all_have_passed():
    told = Told(match() + '{"fact":"hand","hands":{"2":"QS AS KS 2C 3C 4C 5C 6C 7C 8C 9C TC JC"}}')
    told.tell('{"fact":"pass","seat":2,"cards":"QS AS KS"} {"fact":"pass","seat":0,"cards":"2H 3H 4H"}')
    assert told.table.state.deal.phase == "passing"
    assert told.table.state.deal.felt.known == (0, 0, cards("QS AS KS 2C 3C 4C 5C 6C 7C 8C 9C TC JC"), 0)
    told.tell('{"fact":"pass","seat":3,"count":3} {"fact":"pass","seat":1,"cards":"5D 6D 7D"} {"fact":"passed"}')
    kept = cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC")
    assert told.table.state.felt.known == (0, cards("2H 3H 4H"), kept | cards("5D 6D 7D"), cards("QS AS KS"))


@pytest.mark.parametrize(
    ("rules", "players", "directions"),
    [
        ("hearts-tournament", 3, ["left", "right", "right", "hold", "left"]),
        ("hearts-tournament", 5, ["left", "right", "right", "hold", "left"]),
        ("hearts-black-maria", 5, ["left", "right", "right", "left", "right"]),
        ("hearts-classic", 6, ["left", "right", "right", "across", "hold"]),
    ],
)
def test_k6_the_cycle_goes_on_with_each_scored_hand_and_not_with_a_misdeal(rules, players, directions):
    agreed = '{"fact":"hand"} {"fact":"end-hand","points":{"0":13,"1":13}} '
    begun = {"fact": "match", "rules": rules, "players": SEATED[:players], "options": {"hands": 9}}
    told = Told(json.dumps(begun) + agreed + '{"fact":"hand"} {"fact":"misdeal"} ' + agreed * 3)
    assert [e["direction"] for e in told.events("pass")] == directions


@pytest.mark.parametrize("cards", ["QS AS", "QS AS KS 2D"])
@by_name
def test_k3_another_number_of_cards_than_three_is_a_breach_in_every_source(game, cards):
    told = Told(match(game.name) + '{"fact":"hand"}' + json.dumps({"fact": "pass", "seat": 0, "cards": cards}))
    assert [(line["rules"], line["expected"]) for line in told.rulings("breach")] == [(["pass-count"], 3)]


# --- the opening, following suit, the first trick --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "opens"),
    [
        (CARDEMS, {4: "2C"}),
        (TOURNAMENT, {3: "2C", 4: "2C", 5: "3C"}),
        (CLASSIC, {3: "2C", 4: "2C", 5: "3C", 6: "2C"}),
        (BLACK_MARIA, {3: "2C", 4: "2C", 5: "3C", 6: "2C", 7: "2C"}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_r029_r031_r032_r033_r034_the_lowest_club_in_the_deck_opens(game, opens):
    assert {players: str(game.opening(game.deck(players))) for players in game.players} == opens


def test_k13_three_players_open_with_the_two_of_clubs_whatever_line_22_says():
    told = Told(facts(_begin("hearts-black-maria", 3)))
    assert told.tell('{"fact":"passed"}') == [{"event": "turn", "hand": 1, "seat": None, "card": "2C"}]
    assert told.tell("0:3C")[0]["rules"] == ["opening"]


def test_k14_five_players_open_with_the_three_of_clubs_and_have_the_two_of_spades():
    told = Told(facts(_begin("hearts-tournament", 5)))
    assert told.tell('{"fact":"passed"}') == [{"event": "turn", "hand": 1, "seat": None, "card": "3C"}]
    assert [line["rules"] for line in told.tell("0:3C 1:2S 2:2C") if line.get("ruling") in ("unproven", "breach")] == [
        ["follow-suit"],
        ["not-in-deck"],
    ]


def _begin(rules: str, players: int, **options: object) -> str:
    begun = {"fact": "match", "rules": rules, "players": SEATED[:players], "options": options}
    return json.dumps(begun) + ' {"fact":"hand","dealer":0}'


@by_name
def test_r030_any_other_card_that_opens_is_a_breach_at_once(game):
    assert may(game, "2C 3C QS AH", trick=1) == {"2C"}
    told = Told(held(game.name) + "3:3C")
    assert [(line["ruling"], line["rules"]) for line in told.rulings("breach", "unproven")] == [("breach", ["opening"])]


@by_name
def test_r035_r036_r037_r038_who_has_the_suit_follows_it_and_who_has_not_lays_anything(game):
    assert may(game, "3D KD 2C QS AH", led="5D") == {"3D", "KD"}
    assert may(game, "2C QS AH", led="5D") == {"2C", "QS", "AH"}


@by_name
def test_r039_r041_points_are_banned_from_the_first_trick_while_there_is_another_card(game):
    assert may(game, "QS AH 5D 2S", led="2C", trick=1) == {"5D", "2S"}


@by_name
def test_r040_r042_r043_a_hand_of_nothing_but_points_may_lay_one_on_the_first_trick(game):
    assert may(game, "QS AH 5H", led="2C", trick=1) == {"QS", "AH", "5H"}
    assert game.silent("first-trick-points") == (game in (CLASSIC, BLACK_MARIA))


@by_name
def test_r044_r045_the_highest_of_the_suit_led_takes_the_trick_and_leads_the_next(game):
    told = Told(held(game.name) + "0:2C 1:9C 2:AS 3:TC")
    assert [(e["winner"], e["points"]) for e in told.events("trick")] == [(3, 0)]
    assert told.events("turn")[-1] == {"event": "turn", "hand": 1, "seat": 3}


# --- breaking hearts -------------------------------------------------------------------------------------------------


@by_name
def test_r047_r050_r051_r053_hearts_are_not_led_before_they_are_broken(game):
    assert may(game, "2H 5D") == {"5D"}
    assert may(game, "2H 5D", broken=True) == {"2H", "5D"}


@by_name
def test_r047_r052_r054_a_hand_of_nothing_but_hearts_may_lead_one(game):
    assert may(game, "2H KH") == {"2H", "KH"}
    assert game.silent("hearts-not-broken") == (game is BLACK_MARIA)


def breaks(game, laid: str, *, led: str | None) -> bool:
    return game.breaks(Moment(2, card(led) if led else None, False, game.deck(4)), card(laid))


@by_name
def test_r049_a_heart_that_is_discarded_breaks_hearts_in_every_source(game):
    assert breaks(game, "3H", led="5D")


@pytest.mark.parametrize(("game", "leading_breaks"), list(zip(SOURCES, [True, True, False, True], strict=True)))
def test_r048_r050_r051_r053_a_heart_led_from_nothing_but_hearts_breaks_them_where_playing_does(game, leading_breaks):
    assert breaks(game, "3H", led=None) == leading_breaks


def test_r051_in_classic_a_heart_that_follows_a_heart_breaks_nothing_and_the_switch_changes_that_of_the_lead():
    assert not breaks(CLASSIC, "3H", led="5H")
    assert breaks(CLASSIC.with_options({"lead_breaks": True}), "3H", led=None)


@by_name
def test_r047_r053_only_in_black_maria_the_queen_of_spades_breaks_hearts_led_or_discarded(game):
    assert [breaks(game, "QS", led=led) for led in (None, "5D", "5S")] == [game is BLACK_MARIA] * 3


def test_k8_after_the_black_maria_a_heart_may_be_led():
    told = Told(held("hearts-black-maria") + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:QS 2:7D 2:9H")
    assert told.events("hearts-broken") == [{"event": "hearts-broken", "n": 10}]
    assert told.grades[-1] == "legal"


def test_r048_an_illegally_laid_heart_opens_hearts_for_everybody_and_one_taken_back_closes_them_again():
    hold = match() + ('{"fact":"hand"} {"fact":"end-hand","points":{"0":13,"1":13}} ') * 3
    hand = {"fact": "hand", "hands": {"1": "4D 5H 3C 6S 7S 8S 9S TS JS KS AS 7D 8D"}}
    told = Told(hold + json.dumps(hand) + "0:2C 1:5H")
    assert [line["ruling"] for line in told.rulings("breach")] == ["breach"]
    assert told.table.state.felt.broken
    told.tell("1-5H")
    assert not told.table.state.felt.broken


@by_name
def test_r055_r056_the_queen_of_spades_may_be_led_at_any_time(game):
    assert may(game, "QS 2H 5D") == {"QS", "5D"}


# --- the score -------------------------------------------------------------------------------------------------------


@by_name
def test_r057_r059_r075_hearts_count_one_and_the_queen_13_which_makes_26(game):
    assert [game.points(cards(text)) for text in ("2H AH", "QS", "KS AD")] == [2, 13, 0]
    assert game.points(game.deck(4)) == game.points_in_hand == 26


def test_r058_three_hearts_and_the_queen_are_sixteen_points():
    assert CARDEMS.points(cards("2H 9H AH QS")) == 16


@pytest.mark.parametrize("game", [CARDEMS, TOURNAMENT, CLASSIC], ids=lambda game: game.name)
def test_r060_r061_r062_r063_r075_a_moon_is_nothing_for_the_shooter_and_26_for_each_other(game):
    assert scored(game, 0, 26, 0, 0) == [26, 0, 26, 26]


@by_name
def test_r065_a_moon_that_fails_scores_what_was_taken(game):
    assert scored(game, 25, 1, 0, 0) == [25, 1, 0, 0]


@pytest.mark.parametrize("game", [CARDEMS, TOURNAMENT, CLASSIC], ids=lambda game: game.name)
def test_r066_all_thirteen_tricks_are_a_moon_and_nothing_more(game):
    assert scored(game, 26, 0, 0, 0, tricks={0: 13, 1: 0, 2: 0, 3: 0}) == [0, 26, 26, 26]


def test_a_sun_doubles_the_moon_where_the_table_agreed_on_it():
    game = CARDEMS.with_options({"sun": "double"})
    assert scored(game, 26, 0, 0, 0, tricks={0: 13, 1: 0, 2: 0, 3: 0}) == [0, 52, 52, 52]
    assert scored(game, 26, 0, 0, 0, tricks={0: 12, 1: 1, 2: 0, 3: 0}) == [0, 26, 26, 26]


@pytest.mark.parametrize(("moon", "points"), [("self", [-26, 0, 0, 0]), ("others", [0, 26, 26, 26])])
def test_r064_the_shooter_takes_26_off_or_gives_26_to_each_other(moon, points):
    assert scored(BLACK_MARIA, 26, 0, 0, 0, chose=moon) == points
    assert scored(CARDEMS.with_options({"moon": moon}), 26, 0, 0, 0) == points


def test_r064_until_the_shooter_has_chosen_nothing_is_scored():
    result = BLACK_MARIA.score(Played({0: 0, 1: 26, 2: 0}))
    assert (dict(result.points), dict(result.moon or {}), result.choice) == ({}, {"seat": 1}, ("self", "others"))


@pytest.mark.parametrize(
    ("totals", "points"),
    [
        ((0, 0, 0, 0), [0, 26, 26, 26]),
        ((70, 80, 80, 90), [0, 26, 26, 26]),  # it ends the match, and the shooter is first
        ((90, 80, 80, 20), [-26, 0, 0, 0]),  # it would end the match for another
        ((46, 80, 80, 20), [0, 26, 26, 26]),  # a shared first place is a first place
    ],
)
def test_r064_by_default_the_others_get_26_unless_that_ends_the_match_for_another(totals, points):
    assert scored(BLACK_MARIA, 26, 0, 0, 0, totals=totals, chose="auto") == points
    assert scored(CLASSIC.with_options({"moon": "auto"}), 26, 0, 0, 0, totals=totals) == points


# --- the end ---------------------------------------------------------------------------------------------------------


def ended(game, *totals: int, hands: int = 1) -> str | None:
    return game.ended({str(seat): total for seat, total in enumerate(totals)}, hands)


def places(game, *totals: int) -> tuple[tuple[str, ...], ...]:
    return game.places({str(seat): total for seat, total in enumerate(totals)})


def test_r067_r068_cardems_ends_at_100_only_with_a_sole_lowest_total():
    assert [ended(CARDEMS, 99, 1, 2, 3), ended(CARDEMS, 100, 1, 1, 3), ended(CARDEMS, 100, 1, 2, 3)] == [
        None,
        None,
        "target",
    ]


def test_r069_the_tournament_ends_after_four_hands_or_at_100_whichever_comes_first():
    assert [ended(TOURNAMENT, 78, 0, 0, hands=3), ended(TOURNAMENT, 100, 0, 4, hands=3)] == [None, "target"]
    assert ended(TOURNAMENT, 30, 30, 44, hands=4) == "hands"
    longer = TOURNAMENT.with_options({"hands": 10, "target": 60})
    assert [ended(longer, 60, 44, hands=4), ended(longer, 5, 5, hands=10)] == ["target", "hands"]


def test_r070_ties_share_the_place_in_the_tournament():
    assert places(TOURNAMENT, 30, 20, 30, 24) == (("1",), ("3",), ("0", "2"))
    assert ended(TOURNAMENT, 100, 20, 20, hands=2) == "target"


def test_r071_r072_classic_ends_when_somebody_reaches_100_and_the_lowest_wins():
    assert [ended(CLASSIC, 99, 0, 0, 5), ended(CLASSIC, 100, 3, 3, 5)] == [None, "target"]
    assert places(CLASSIC, 100, 3, 3, 5)[0] == ("1", "2")


def test_r073_r074_black_maria_ends_at_what_was_agreed():
    assert [ended(BLACK_MARIA, 99, 0, 5), ended(BLACK_MARIA, 100, 0, 5), ended(BLACK_MARIA, 110, 2, 2)] == [
        None,
        "target",
        "target",
    ]
    assert ended(BLACK_MARIA.with_options({"target": 50}), 51, 3, 4) == "target"


NINETY = ('{"fact":"hand"} ' + '{"fact":"end-hand","points":{"0":9,"1":8,"2":8,"3":1}} ') * 10
MOON_OF_0 = '{"fact":"hand"} {"fact":"end-hand","points":{"0":26}} '


@pytest.mark.parametrize(
    ("settled_by", "totals", "winners"),
    [
        ('{"fact":"choose","seat":0,"choice":"self"}', [64, 80, 80, 10], []),
        ('{"fact":"choose","seat":0,"choice":"others"}', [90, 106, 106, 36], [["3"]]),
        ('{"fact":"hand"}', [64, 80, 80, 10], []),  # by default
        ('{"fact":"end-match"}', [64, 80, 80, 10], [["3"]]),
    ],
)
def test_k10_in_black_maria_the_shooter_at_90_may_take_26_off_and_play_on(settled_by, totals, winners):
    told = Told(match("hearts-black-maria") + NINETY)
    assert list(told.table.state.totals.values()) == [90, 80, 80, 10]
    told.tell(MOON_OF_0)
    assert told.events("choice") == [{"event": "choice", "seat": 0, "of": ["self", "others"]}]
    assert len(told.events("hand")) == 10
    told.tell(settled_by)
    assert list(told.table.state.totals.values()) == totals
    assert [e["winners"] for e in told.events("match")] == winners


def test_r064_the_hand_is_told_before_the_next_one_is_dealt():
    told = Told(match("hearts-black-maria") + MOON_OF_0)
    points = {"0": 0, "1": 26, "2": 26, "3": 26}
    moon = {"seat": 0, "choice": "others"}
    assert told.tell('{"fact":"hand"}') == [
        {"event": "hand", "hand": 1, "points": points, "totals": points, "moon": moon},
        {"event": "pass", "hand": 2, "direction": "right"},
    ]


def test_r064_when_the_default_ends_the_match_no_hand_is_dealt_any_more():
    told = Told(match("hearts-black-maria", target=26) + MOON_OF_0)
    answer = told.tell('{"fact":"hand"}')
    assert [line.get("ruling", line.get("event")) for line in answer] == ["ignored", "hand", "match"]
    assert (answer[0]["reason"], answer[2]["reason"], answer[2]["winners"]) == ("match-over", "target", ["0"])


@pytest.mark.parametrize(
    "wrong", ['{"fact":"choose","seat":1,"choice":"self"}', '{"fact":"play","seat":1,"card":"2C"}', '{"fact":"passed"}']
)
def test_r064_while_the_shooter_is_asked_nothing_else_counts(wrong):
    told = Told(match("hearts-black-maria") + MOON_OF_0)
    before = told.table.state
    assert [line["ruling"] for line in told.tell(wrong)] == ["ignored"]
    assert told.table.state == before


def test_r064_a_choice_that_is_dropped_is_asked_for_again():
    told = Told(match("hearts-black-maria") + MOON_OF_0)
    before = told.table.state
    told.tell('{"fact":"choose","seat":0,"choice":"self"} {"fact":"correct","n":4,"drop":true}')
    assert told.table.state == before
    told.tell('{"fact":"misdeal"}')
    assert (told.table.state.choice, told.table.state.scores) == (None, ())


def test_who_has_nothing_to_choose_is_not_asked():
    told = Told(match() + MOON_OF_0)
    assert [line["reason"] for line in told.tell('{"fact":"choose","seat":0,"choice":"self"}')] == ["not-asked"]


# --- pauses, and what is public --------------------------------------------------------------------------------------


def test_r080_the_tournament_pauses_2_seconds_after_a_trick_and_5_after_a_hand():
    assert [dict(game.pauses) for game in SOURCES] == [{}, {"trick": 2, "hand": 5}, {}, {}]


def test_r081_only_the_tournament_keeps_earlier_tricks_private():
    assert TOURNAMENT.public == ("trick", "counts", "points", "totals", "direction", "broken")
    assert [game.name for game in SOURCES if "tricks" not in game.public] == ["hearts-tournament"]


# --- variants --------------------------------------------------------------------------------------------------------


def with_cards(game, *taken: str, **more: object) -> list[int]:
    piles = {seat: cards(text) for seat, text in enumerate(taken)}
    return scored(game, *(game.points(pile) for pile in piles.values()), cards=piles, **more)


HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def test_in_omnibus_the_jack_of_diamonds_takes_ten_off_and_a_hand_is_16_points():
    assert OMNIBUS.points_in_hand == 16
    assert with_cards(OMNIBUS, HEARTS, "QS JD", "", "") == [13, 3, 0, 0]


@pytest.mark.parametrize(
    ("taken", "points"),
    [
        ((HEARTS + " QS", "JD", "", ""), [0, 16, 26, 26]),
        ((HEARTS + " QS JD", "", "", ""), [-10, 26, 26, 26]),
    ],
)
def test_in_omnibus_a_moon_is_without_the_jack_which_counts_for_whoever_has_it(taken, points):
    assert with_cards(OMNIBUS, *taken, chose="others") == points


def test_in_omnibus_sixteen_points_of_one_are_no_moon_when_another_has_hearts_and_the_jack():
    three, ten = "2H 3H 4H QS", "5H 6H 7H 8H 9H TH JH QH KH AH JD"
    assert with_cards(OMNIBUS, three, ten, "", "") == [16, 0, 0, 0]


def test_in_omnibus_the_jack_of_diamonds_is_no_point_card_on_the_first_trick():
    assert may(OMNIBUS, "JD 2H QS", led="2C", trick=1) == {"JD"}


def test_in_spot_hearts_each_heart_counts_its_rank():
    assert [SPOT.points(card(name).bit) for name in ("2H", "TH", "JH", "AH", "QS", "AS")] == [2, 10, 11, 14, 13, 0]
    assert SPOT.points_in_hand == 117
    assert scored(SPOT, 117, 0, 0, chose="others") == [0, 117, 117]


def test_points_may_be_allowed_on_the_first_trick():
    game = CARDEMS.with_options({"first_trick_points": "allowed"})
    assert may(game, "QS AH 5D", led="2C", trick=1) == {"QS", "AH", "5D"}


# --- what an illegal card costs where the table agreed on it ---------------------------------------------------------

REVOKE = ((1, "follow-suit"),)


@by_name
def test_an_illegal_card_is_only_recorded_unless_the_table_agreed_otherwise(game):
    assert scored(game, 10, 3, 13, 0, offences=REVOKE) == [10, 3, 13, 0]


@pytest.mark.parametrize(
    ("illegal", "game", "points"),
    [
        (26, CARDEMS, [0, 26, 0, 0]),
        ("26", OMNIBUS, [0, 26, 0, 0]),
        ("whole-hand", CARDEMS, [0, 26, 0, 0]),
        ("whole-hand", OMNIBUS, [0, 16, 0, 0]),
        ("whole-hand", SPOT, [0, 117, 0, 0]),
    ],
)
def test_the_offender_takes_26_or_the_whole_hand_and_the_others_nothing(illegal, game, points):
    assert scored(game.with_options({"illegal": illegal}), 10, 3, 3, 0, offences=REVOKE) == points


def test_the_whole_hand_annuls_a_moon_by_another_and_one_by_the_offender():
    game = CARDEMS.with_options({"illegal": "whole-hand"})
    assert scored(game, 26, 0, 0, 0, offences=REVOKE) == [0, 26, 0, 0]
    assert scored(game, 0, 26, 0, 0, offences=REVOKE) == [0, 26, 0, 0]


def test_of_two_offenders_each_takes_the_whole_hand():
    game = CARDEMS.with_options({"illegal": "whole-hand"})
    offences = (*REVOKE, (3, "hearts-not-broken"))
    assert scored(game, 10, 3, 13, 0, offences=offences) == [0, 26, 0, 26]


def test_what_is_no_choice_of_a_card_is_not_punished():
    game = CARDEMS.with_options({"illegal": "26"})
    assert scored(game, 10, 3, 13, 0, offences=((1, "turn"), (2, "duplicate"))) == [10, 3, 13, 0]


@pytest.mark.parametrize(("illegal", "points"), [("record", [25, 1, 0, 0]), ("whole-hand", [0, 26, 0, 0])])
def test_a_revoke_that_is_proved_costs_the_hand_where_the_table_agreed_on_it(illegal, points):
    told = Told(match(illegal=illegal) + '{"fact":"hand"} {"fact":"passed"} 0:2C 1:2D 2:2S 3:2H 0:4C 1:3C 2:3S 3:3H ')
    assert [(r["seat"], r["offence"]["card"], r["offence"]["rule"]) for r in told.rulings("proved")] == [
        (1, "2D", "follow-suit")
    ]
    told.tell(" ".join(f"0:{c}C 1:{d}D 2:{d}S 3:{d}H" for c, d in zip("56789TJQKA", "456789TJQK", strict=True)))
    told.tell("0:3D 1:AD 2:AS 3:AH")
    assert list(told.events("hand")[0]["points"].values()) == points


# --- the time has run out --------------------------------------------------------------------------------------------


def lower_than(game, laid: str, *, led: str | None = None, trick: int = 2, broken: bool = True) -> Cards:
    moment = Moment(trick, card(led) if led else None, broken, game.deck(4))
    return sum(denied for denied, _ in game.timed_out(moment, card(laid)))


def test_r076_who_follows_denies_the_lower_cards_of_the_suit():
    assert names(lower_than(TOURNAMENT, "5D", led="9D")) == {"2D", "3D", "4D"}
    assert names(lower_than(TOURNAMENT, "2D", led="9D")) == set()


def test_r076_no_points_before_points_and_then_the_rank():
    assert names(lower_than(TOURNAMENT, "AS", led="9S")) == names(OF_SUIT["S"]) - {"AS", "QS"}
    assert names(lower_than(TOURNAMENT, "QS", led="9S")) == names(OF_SUIT["S"]) - {"QS"}
    lower = lower_than(TOURNAMENT, "2H", led="9D")
    assert lower == FULL_DECK & ~OF_SUIT["D"] & ~OF_SUIT["H"] & ~cards("QS")


def test_r076_equal_ranks_go_clubs_diamonds_spades_hearts():
    assert names(lower_than(TOURNAMENT, "3S")) == {"2C", "2D", "2S", "3C", "3D"}
    assert names(lower_than(TOURNAMENT, "2S")) == {"2C", "2D"}


def test_r076_only_cards_that_could_have_been_laid_are_denied():
    assert not lower_than(TOURNAMENT, "QS", broken=False) & OF_SUIT["H"]  # a heart could not have been led
    assert lower_than(TOURNAMENT, "QS", broken=True) & cards("2H")
    assert not lower_than(TOURNAMENT, "9D", led="5S") & OF_SUIT["S"]  # who has spades follows: that claim is another
    assert lower_than(TOURNAMENT, "2C", trick=1) == 0  # the opening card is the only one


def test_r077_the_spades_from_queen_ace_king_then_hearts_from_the_top_then_the_highest_are_passed():
    order = TOURNAMENT.to_pass(cards("KS 2H AD QS AH AC 5C 5S 5D AS"))
    assert " ".join(map(str, order)) == "QS AS KS AH 2H AD AC 5S 5D 5C"
