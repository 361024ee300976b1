"""The players play Spades, too: they bid by their hands, and what the referee rules and scores is what happened."""

import random

import pytest

from tablepi import facts
from tablepi.virtual.players import Enter, HandOver, Lay, play_on

from ..script import Told
from .truth import Verdicts, expected, game, ruled, told, truth_lines

SEEDS = range(20)


def spades(seed, **more):
    return game(seed, rules="spades", kinds=("revoke", "turn", "taken-back"), **more)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_mistake_is_ruled_and_the_scores_are_right(seed):
    acts = spades(seed, rate=0.1)
    table, truth = Told(told(acts)), expected(truth_lines(acts))
    verdicts = ruled(table.lines)
    assert verdicts == truth
    assert verdicts.proves_as_early_as(truth)
    assert table.rulings("pending", "ignored") == []


@pytest.mark.parametrize("seed", SEEDS)
def test_honest_players_are_never_accused(seed):
    acts = game(seed, rules="spades", erring=False)
    table, truth = Told(told(acts)), expected(truth_lines(acts))
    assert ruled(table.lines) == truth == Verdicts(set(), set(), set(), truth.hands)


def test_everybody_bids_and_some_bid_nil():
    acts = [act for seed in SEEDS for act in game(seed, rules="spades", erring=False)]
    bids = [act.fact.bid for act in acts if isinstance(act, Enter) and isinstance(act.fact, facts.Bid)]
    assert len(bids) == 4 * len([act for act in acts if isinstance(act, HandOver)])
    assert {1, 2, 3, 4, 5, "nil"} <= set(bids)


@pytest.mark.parametrize("cut", range(1, 60, 3))
def test_an_interrupted_hand_goes_on_with_the_bids_that_are_missing(cut):
    said = list(told(game(4, rules="spades", hands=2, erring=False)))
    table = Told(said[:cut])
    table.tell(told(play_on(table.table, hands=2, rng=random.Random(cut))))
    assert table.rulings("breach", "proved", "pending", "ignored") == []
    assert [line["hand"] for line in table.events("hand")] == [1, 2]


def test_the_truth_of_a_hand_of_spades_says_its_bids_and_tricks():
    acts = game(1, rules="spades", hands=1, erring=False)
    lines = truth_lines(acts)
    assert set(lines[-1]) == {"hand", "took", "points", "totals", "bids"}
    assert sum(lines[-1]["took"].values()) == 13
    assert len([act for act in acts if isinstance(act, Lay)]) == 52
