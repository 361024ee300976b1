"""The players' own games are refereed right: every mistake is found when it can be, and nobody else is accused."""

import random
from collections import Counter

import pytest

from tablepi import facts
from tablepi.cards import FULL_DECK, card, count
from tablepi.virtual.players import (
    FAULTS,
    AllPassed,
    Enter,
    HandOver,
    Lay,
    Lift,
    PassCards,
    Slips,
    Sweep,
    acts_of,
    deal,
    play_match,
    play_on,
    truth_of,
)

from ..script import RULEBOOK, Told, held
from ..script import facts as script
from .truth import Verdicts, expected, game, ruled, told, truth_lines

SEEDS = range(50)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_mistake_is_ruled_and_nobody_else_is_accused(seed):
    acts = game(seed)
    table, truth = Told(told(acts)), expected(truth_lines(acts))
    verdicts = ruled(table.lines)
    assert verdicts == truth
    assert verdicts.proves_as_early_as(truth)
    assert len(verdicts.shown) + len(verdicts.counted) == len(truth.proved)
    assert table.questions() == []
    assert table.rulings("pending", "ignored") == []
    for line in table.rulings("someone"):
        wrong = truth.proved | truth.withdrawn  # one that was taken back in time costs nothing, but was told
        assert {seat for hand, _, seat, _ in wrong if hand == line["hand"]} & set(line["seats"])


def test_a_fault_that_the_truth_hides_or_invents_is_a_difference():
    acts = game(0, rate=0.1)
    verdicts = ruled(Told(told(acts)).lines)
    lines = truth_lines(acts)
    for place, line in enumerate(lines):
        if "laid" in line and line["fault"] is not None:
            hidden = [] if line["fault"] == "taken-back" else [{**line, "fault": None}]
            assert verdicts != expected([*lines[:place], *hidden, *lines[place + 1 :]])
    honest = next(place for place, line in enumerate(lines) if "laid" in line and line["fault"] is None)
    assert verdicts != expected([*lines[:honest], {**lines[honest], "fault": "turn"}, *lines[honest + 1 :]])


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_the_audit_of_each_hand_lists_the_same_offences(seed):
    acts = game(seed, rate=0.1)
    table = Told(told(acts))
    truth = expected(truth_lines(acts))
    audits = [line for line in table.rulings("confirmed") if "by" not in line]
    listed = {
        (audit["hand"], o["trick"], o["seat"], o["card"])
        for audit in audits
        for o in audit["offences"]
        if o["how"] != "someone"
    }
    assert listed == truth.proved | {tuple(place) for *place, _ in truth.breaches}
    assert [audit["unresolved"] for audit in audits] == [[]] * len(audits)


@pytest.mark.parametrize("seed", SEEDS)
def test_honest_players_are_never_accused(seed):
    acts = game(seed, erring=False)
    table = Told(told(acts))
    truth = expected(truth_lines(acts))
    assert ruled(table.lines) == truth == Verdicts(set(), set(), set(), truth.hands)
    assert table.rulings("pending", "someone", "ignored") == []


@pytest.mark.parametrize("rules", sorted(name for name, game in RULEBOOK.items() if game.points_in_hand in (0, 26)))
def test_every_rule_set_referees_its_own_players(rules):
    acts = game(3, rules=rules, rate=0.1)
    table = Told(told(acts))
    assert ruled(table.lines) == expected(truth_lines(acts))


@pytest.mark.parametrize("illegal", ["26", "whole-hand"])
def test_a_match_in_which_offences_cost_points_is_decided_when_the_referee_says_so(illegal):
    for seed in range(6):
        acts = game(seed, rules="hearts-classic", hands=8, options={"illegal": illegal, "target": 50})
        table = Told(told(acts))
        assert ruled(table.lines) == expected(truth_lines(acts), penalty=26)
        assert table.rulings("ignored") == []
        assert [line["reason"] for line in table.events("match")] == ["target"]


def test_a_demonstration_of_four_hands_shows_every_kind_of_mistake():
    missing = Counter()
    for seed in SEEDS:
        kinds = {act.fault for act in game(seed) if isinstance(act, Lay)}
        missing.update(kind for kind in FAULTS if kind not in kinds)
    assert missing.total() == 0


def test_without_slips_there_is_no_fault_and_a_seed_is_a_match():
    acts = game(1, erring=False)
    assert {act.fault for act in acts if isinstance(act, Lay)} == {None}
    assert acts == game(1, erring=False) != game(2, erring=False)


def test_only_the_kinds_that_are_wanted_happen():
    acts = game(5, kinds=("revoke", "taken-back"), rate=0.3)
    assert {act.fault for act in acts if isinstance(act, Lay)} == {None, "revoke", "taken-back"}
    with pytest.raises(ValueError, match="no such mistake: cheating; known are"):
        Slips(random.Random(1), hands=4, kinds=("cheating",))


def test_a_trick_has_at_most_one_mistake():
    for seed in SEEDS[:5]:
        faults = Counter((a.hand, a.trick) for a in game(seed, rate=1.0) if isinstance(a, Lay) and a.fault)
        assert faults
        assert set(faults.values()) == {1}


def test_the_deal_gives_each_card_once():
    hands = deal(FULL_DECK, 4, random.Random(1))
    assert [count(hand) for hand in hands] == [13] * 4
    assert hands[0] | hands[1] | hands[2] | hands[3] == FULL_DECK


def test_three_cards_pass_to_the_left_the_right_across_and_not_at_all():
    acts = game(1, erring=False)
    steps = [(a.hand, (a.to - a.seat) % 4, len(a.cards)) for a in acts if isinstance(a, PassCards)]
    assert steps == [(hand, step, 3) for hand, step in ((1, 1), (2, 3), (3, 2)) for _ in range(4)]
    assert [a.hand for a in acts if isinstance(a, AllPassed)] == [1, 2, 3]


def test_a_hand_is_thirteen_tricks_whose_points_are_all_there():
    acts = game(1)
    assert len([a for a in acts if isinstance(a, Sweep)]) == 4 * 13
    assert [sum(a.took) for a in acts if isinstance(a, HandOver)] == [26] * 4
    assert isinstance(acts[-1], Enter)
    assert isinstance(acts[-1].fact, facts.EndMatch)


def test_a_match_that_is_decided_ends_by_itself():
    match = facts.Match(rules="hearts-classic", players=("A", "B", "C", "D"), options={"target": 10})
    rng = random.Random(1)
    game = RULEBOOK["hearts-classic"].with_options({"target": 10})
    acts = list(play_match(match, game, hands=50, rng=rng))
    assert isinstance(acts[-1], HandOver)
    assert max(acts[-1].totals.values()) >= 10
    assert len(Told(told(acts)).events("match")) == 1


@pytest.mark.parametrize("cut", range(1, 232, 10))
def test_an_interrupted_match_goes_on_and_nobody_who_was_honest_is_accused(cut):
    said = list(told(game(4, erring=False)))
    table = Told(said[:cut])
    table.tell(told(play_on(table.table, hands=4, rng=random.Random(cut))))
    assert table.rulings("breach", "proved", "pending", "ignored") == []
    assert [line["hand"] for line in table.events("hand")] == [1, 2, 3, 4]
    assert [line["reason"] for line in table.events("match")] == ["agreement"]


@pytest.mark.parametrize("seed", range(8))
def test_a_match_is_interrupted_right_after_a_mistake_and_goes_on(seed):
    acts = game(seed, hands=1, rate=0.2)
    for place, act in enumerate(acts):
        if not isinstance(act, Lay) or act.fault is None:
            continue
        table = Told(told(acts[: place + 1]))
        before = {r["n"] for r in table.rulings("breach")}
        table.tell(told(play_on(table.table, hands=1, rng=random.Random(seed))))
        assert {r["n"] for r in table.rulings("breach")} == before
        assert table.rulings("ignored") == []
        assert [line["reason"] for line in table.events("match")] == ["agreement"]


def test_a_match_that_is_over_does_not_go_on():
    over = Told(told(game(1, hands=1)))
    assert list(play_on(over.table, hands=4, rng=random.Random(1))) == []


def test_a_card_taken_back_goes_back_into_the_hand():
    for seed in SEEDS[:10]:
        acts = game(seed, kinds=("taken-back",), rate=0.5)
        for place, act in enumerate(acts):
            if isinstance(act, Lay) and act.fault == "taken-back":
                lifted, instead = acts[place + 1 : place + 3]
                assert (type(lifted), lifted.seat, lifted.card) == (Lift, act.seat, act.card)
                assert (type(instead), instead.seat, instead.fault) == (Lay, act.seat, None)
                assert instead.card != act.card
                hand = act.hand
                assert any(isinstance(a, Lay) and (a.hand, a.card) == (hand, act.card) for a in acts[place + 3 :])


def test_the_truth_of_a_revoke_is_a_card_and_a_fault():
    assert truth_of(Lay(1, 3, 1, card("QS"), "revoke", "C")) == (
        {"laid": "QS", "seat": 1, "hand": 1, "trick": 3, "fault": "revoke", "denied": "C"},
        {"fault": "revoke", "seat": 1, "hand": 1, "trick": 3, "card": "QS", "denied": "C"},
    )
    assert truth_of(Lay(1, 3, 1, card("QS"))) == ({"laid": "QS", "seat": 1, "hand": 1, "trick": 3, "fault": None},)


def test_the_truth_says_all_that_happened_in_a_hand():
    lines = truth_lines(game(1, hands=1, erring=False))
    kinds = [next(iter(line)) for line in lines]
    assert kinds == ["dealt"] + ["passed"] * 4 + (["laid"] * 4 + ["winner"]) * 13 + ["hand"]
    assert set(lines[-1]) == {"hand", "took", "points", "totals"}
    assert next(line["laid"] for line in lines if "laid" in line) == "2C"


def test_a_scripted_game_is_laid_lifted_and_swept():
    acts = list(acts_of(script(held() + '0:2C 1:5H 1-5H 1:6C 2:7C 3:8C {"fact":"lost","device":"x"} 3:9D'), RULEBOOK))
    kinds = [type(act).__name__ for act in acts]
    assert kinds == ["Enter"] * 3 + ["Lay", "Lay", "Lift", "Lay", "Lay", "Lay", "Sweep", "Lay"]
    assert [(a.trick, a.seat, str(a.card), a.n) for a in acts if isinstance(a, Lay | Lift)] == [
        (1, 0, "2C", 4),
        (1, 1, "5H", 5),
        (1, 1, "5H", 6),
        (1, 1, "6C", 7),
        (1, 2, "7C", 8),
        (1, 3, "8C", 9),
        (2, 3, "9D", 11),
    ]


def test_the_last_card_of_a_scripted_trick_can_be_taken_back_before_it_is_swept():
    acts = list(acts_of(script(held() + "0:2C 1:3C 2:4C 3:5H 3-5H 3:5C"), RULEBOOK))
    assert [type(act).__name__ for act in acts[3:]] == ["Lay"] * 4 + ["Lift", "Lay", "Sweep"]
    assert [str(c) for _, c in acts[-1].cards] == ["2C", "3C", "4C", "5C"]
