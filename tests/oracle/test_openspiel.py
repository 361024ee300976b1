"""Whole hands against OpenSpiel's Hearts: two referees that were written apart must say the same at every card.

OpenSpiel numbers the cards as ``Card.index`` does (rank first, then C D H S), so sets of cards compare as they are.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tablepi.cards import ALL_CARDS, Card, cards_of
from tablepi.facts import Choose, EndHand, Fact, Hand, Match, Pass, Passed, Play
from tablepi.state import Line
from tablepi.table import Table, empty, fold, step

from ..script import NAMES, RULEBOOK

pyspiel: Any = pytest.importorskip(
    "pyspiel", reason="OpenSpiel cannot be imported: pip install open-spiel", exc_type=ImportError
)

DIRECTIONS = {"hold": 0, "left": 1, "across": 2, "right": 3}  # as OpenSpiel numbers them
CYCLE = ("left", "right", "across", "hold")
SEATS = range(4)


def oracle(*, queen_breaks: bool) -> Any:
    return pyspiel.load_game(
        "hearts(pass_cards=true,no_pts_on_first_trick=true,can_lead_any_club=false,jd_bonus=false,"
        "avoid_all_tricks_bonus=false,must_break_hearts=true,can_lead_hearts_instead_of_qs=false,"
        f"qs_breaks_hearts={str(queen_breaks).lower()})"
    )


def before_hand(rules: str, direction: str, **options: object) -> Table:
    """A match whose next hand passes in this direction."""
    begun: list[Fact] = [Match(rules=rules, players=tuple(NAMES), options={"target": 10_000, **options})]
    for _ in range(CYCLE.index(direction)):
        begun += [Hand(), EndHand(points={0: 13, 1: 13})]
    return fold(empty(RULEBOOK), enumerate(begun, 1))


def rulings(table: Table) -> list[str]:
    return [line["ruling"] for line in table.lines if "ruling" in line]


def play_a_hand(table: Table, state: Any, direction: str, random: Random) -> Line:
    """One random hand on both; the ``hand`` event. Any difference fails at the card where it shows."""
    state.apply_action(DIRECTIONS[direction])
    order = random.sample(range(52), 52)
    for action in order:
        state.apply_action(action)
    dealt = {seat: tuple(ALL_CARDS[i] for i in order[seat::4]) for seat in SEATS}
    table = step(table, Hand(hands=dealt))
    assert table.lines[0] == {"event": "pass", "hand": table.state.deals, "direction": direction}
    if direction != "hold":
        for seat in SEATS:
            given = []
            for _ in range(3):
                assert state.current_player() == seat
                given.append(random.choice(state.legal_actions()))
                state.apply_action(given[-1])
            assert set(given) <= {c.index for c in dealt[seat]}
            table = step(table, Pass(seat=seat, cards=tuple(ALL_CARDS[i] for i in given)))
            assert rulings(table) == ["legal"]
        table = step(table, Passed())
    laid = 0
    while not state.is_terminal():
        seat, felt = state.current_player(), table.state.felt
        allowed = [ALL_CARDS[i] for i in state.legal_actions()]
        assert felt is not None
        assert felt.turn == (seat if laid else None)
        assert [felt.legal(s) for s in SEATS] == [cards_of(allowed) if s == seat else 0 for s in SEATS]
        assert felt.broken == state.hearts_broken()
        chosen: Card = random.choice(allowed)
        state.apply_action(chosen.index)
        table = step(table, Play(seat=seat, card=chosen))
        laid += 1
        assert rulings(table) == ["legal"] + ["confirmed"] * (laid == 52)
    choice = [line for line in table.lines if line.get("event") == "choice"]
    if choice:  # OpenSpiel gives the points of a moon to the others
        table = step(table, Choose(seat=choice[0]["seat"], choice="others"))
    (told,) = [line for line in table.lines if line.get("event") == "hand"]
    return told


def compare(rules: str, number_of_hands: int, *, seed: int, queen_breaks: bool = False, **options: object) -> None:
    game, random = oracle(queen_breaks=queen_breaks), Random(seed)
    tables = {direction: before_hand(rules, direction, **options) for direction in CYCLE}
    for number in range(number_of_hands):
        direction = CYCLE[number % 4]
        state = game.new_initial_state()
        told = play_a_hand(tables[direction], state, direction, random)
        points = {str(seat): 26 - int(state.returns()[seat]) for seat in SEATS}
        assert told["points"] == points, f"hand {number} of seed {seed}"


HANDS = pytest.mark.parametrize("hands", [100, pytest.param(2000, marks=pytest.mark.slow)])


@HANDS
def test_cardems_agrees_with_openspiel_in_every_legal_card_turn_ruling_and_point(hands):
    compare("hearts-cardems", hands, seed=hands)


@HANDS
def test_four_handed_tournament_agrees_with_openspiel(hands):
    compare("hearts-tournament", hands, seed=hands, hands=None)


@HANDS
def test_four_handed_black_maria_agrees_with_openspiel_where_the_queen_breaks_hearts(hands):
    compare("hearts-black-maria", hands, seed=hands, queen_breaks=True)


@pytest.mark.parametrize("hands", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_classic_agrees_with_openspiel_when_a_led_heart_breaks_too(hands):
    compare("hearts-classic", hands, seed=hands, lead_breaks=True)
