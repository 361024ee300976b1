"""The earliest proof: that no honest deal is left, and who has lied for certain.

Small decks are tried in every deal, first as bare denials, then as games through the whole table in which everybody
plays whatever he likes. Whole decks are watched by an oracle that deals the unseen cards out.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, cast

import pytest

from tablepi.cards import Cards, card, cards_of
from tablepi.counting import crowded, lacks
from tablepi.facts import from_dict
from tablepi.rules import Game, Rulebook
from tablepi.state import Lines
from tablepi.table import Table, complaint, empty, step

from ..core.honest import DECK, NAMES, RULES, HonestHand, Laying, Rules, deal, erring_hand, play_out, rules_to_break
from ..script import RULEBOOK
from .deals import EveryDeal, Watcher

SMALL_HANDS = [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)]  # players, cards in each hand: 9 cards at most


def bits(cards: set[str]) -> int:
    return cards_of(map(card, cards))


# --- denials, in every deal of a small deck ------------------------------------------------------------------------


@pytest.mark.parametrize("histories", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_guilty_is_who_has_lied_in_every_deal(histories):
    random = Random(histories)
    met: set[tuple[bool, int]] = set()
    for _ in range(histories):
        players, size = random.choice(SMALL_HANDS)
        cards = random.sample(DECK, players * size)
        hands = [cards[seat::players] for seat in range(players)]
        every = EveryDeal(cards, players)
        denied: list[set[str]] = [set() for _ in hands]
        shown = set()
        while any(hands):
            seat = random.choice([seat for seat, hand in enumerate(hands) if hand])
            laid = hands[seat].pop()
            denies = frozenset(random.sample(cards, random.choice((0, 0, 1, 2, size))))
            every.lay(seat, laid, lambda hand, denies=denies, laid=laid: not denies & (hand - {laid}))
            if laid in denied[seat]:
                shown.add(seat)
            denied[seat] |= denies
            unseen, room = bits({c for hand in hands for c in hand}), [len(hand) for hand in hands]
            masks = [bits(d) for d in denied]
            honest = not crowded(unseen, room, masks)
            certain = {seat for seat in range(players) if lacks(unseen, room[seat], masks[seat])}
            assert (honest and not shown, certain | shown) == (every.honest, every.culprits)
            met.add((every.honest, len(every.culprits)))
    assert {(True, 0), (False, 0), (False, 1), (False, 2)} <= met


# --- games of a small deck, in every deal, through the whole table -------------------------------------------------


class SmallDeck:
    """A game of the table's, with a deck so small that every deal can be tried, and no pass."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game = game
        self.players = (rules.players,)
        self.cards = bits(set(rules.deck))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def deck(self, players: int) -> Cards:
        return self.cards

    def pass_direction(self, players: int, scored: int) -> str:
        return "hold"

    def with_options(self, options: object) -> SmallDeck:
        return self


def small_rules(random: Random, players: int, size: int, name: str) -> Rules:
    """A rule set with a random deck of a few cards; the two of clubs opens."""
    others = random.sample([c for c in DECK if c != "2C"], players * size - 1)
    return replace(RULES[name, 4], players=players, deck=("2C", *others), cycle=("hold",))


def begun(before: list[dict[str, object]], rulebook: Rulebook = RULEBOOK) -> Table:
    """The table at the first card."""
    table = empty(rulebook)
    for line in before:
        fact = from_dict(line)
        assert complaint(table, fact) is None, complaint(table, fact)
        table = step(table, fact)
    assert table.state.felt is not None, table.lines
    return table


def accused(lines: Lines) -> list[frozenset[int]]:
    """Whom the table accuses at one card: each time one of some seats. It is one seat where a play is proved illegal
    (at once: a breach), or where a seat is certain, but not which of its plays."""
    seats = [frozenset([line["seat"]]) for line in lines if line.get("ruling") in ("breach", "proved")]
    return seats + [frozenset(line["seats"]) for line in lines if line.get("ruling") == "someone"]


def offences(lines: Lines) -> frozenset[str]:
    """The cards that are said to have been laid against the rules."""
    breaches = {line["card"] for line in lines if line.get("ruling") == "breach"}
    return frozenset(breaches | {line["offence"]["card"] for line in lines if line.get("ruling") == "proved"})


@pytest.mark.parametrize("games", [150, pytest.param(3000, marks=pytest.mark.slow)])
def test_the_first_proof_in_a_small_game_is_at_the_card_that_leaves_no_honest_deal(games):
    """Players play whatever they like, out of turn excepted."""
    random = Random(games)
    met = set()
    for _ in range(games):
        players, size = random.choice(SMALL_HANDS)
        name = random.choice(["hearts-cardems", "hearts-classic"])
        rules = small_rules(random, players, size, name)
        before = [{"fact": "match", "rules": name, "players": NAMES[:players]}, {"fact": "hand"}]
        table = begun(before, {name: cast(Game, SmallDeck(RULEBOOK[name], rules))})
        every = EveryDeal(rules.deck, players)
        for laying in play_out(random, deal(random, rules), lawless=0.6).laid:
            seat, laid = laying.seat, laying.card
            every.lay(seat, laid, partial(allows, rules, laying))
            table = step(table, from_dict({"fact": "tag", "seat": seat, "card": laid, "source": f"reader-{seat}"}))
            said = accused(table.lines)
            assert bool(said) == (not every.honest), (laying, table.lines)
            if said:
                named = offences(table.lines)
                assert named == every.offences, (laying, table.lines)
                assert {seat for seats in said if len(seats) == 1 for seat in seats} == every.culprits, table.lines
                # Where that does not explain it all, someone has broken a rule besides.
                someone = [frozenset(line["seats"]) for line in table.lines if line.get("ruling") == "someone"]
                assert bool(someone) == (not every.explained(named)), (laying, table.lines)
                assert all(every.one_of(seats, besides=named) for seats in someone), (laying, table.lines)
                met.add((len(every.culprits), len(named), bool(someone)))
                break
    assert {(0, 0, True), (1, 1, False)} <= met


def allows(rules: Rules, laying: Laying, hand: frozenset[str]) -> bool:
    return laying.card in rules.allowed(sorted(hand), laying.moment)


# --- whole games with one offence ----------------------------------------------------------------------------------

Told = list[tuple[int, frozenset[int]]]
"""At which laying one of which seats was accused."""


def by_the_table(hand: HonestHand, before: list[dict[str, object]]) -> Told:
    table = begun(before)
    told: Told = []
    for number, laying in enumerate(hand.laid):
        reader = f"reader-{laying.seat}"
        table = step(table, from_dict({"fact": "tag", "seat": laying.seat, "card": laying.card, "source": reader}))
        assert not any(line.get("ruling") == "pending" or "question" in line for line in table.lines)
        told += [(number, seats) for seats in accused(table.lines)]
    return told


def assert_proved_at_the_first_card(hand: HonestHand, before: list[dict[str, object]], watcher: Watcher) -> None:
    """The table accuses at the very card that leaves no honest deal, and names the offender at the very card that makes
    him certain, and never anybody else."""
    said = by_the_table(hand, before)
    offender = frozenset([hand.laid[hand.offences[0]].seat])
    no_deal_left = certain = None
    for number, laying in enumerate(hand.laid):
        watcher.lay(laying)
        if no_deal_left is None and not watcher.honest:
            no_deal_left = number
        assert all(watcher.one_of(seats) for at, seats in said if at == number)
        if watcher.culprits:
            assert watcher.culprits == offender
            certain = number
            break
    assert certain is not None
    assert next(iter(said), None) is not None
    assert (said[0][0], next(number for number, seats in said if seats == offender)) == (no_deal_left, certain)
    assert all(seats >= offender for _, seats in said)


# (Omnibus and spot Hearts are played as Black Maria is.)
TABLES = [rules for rules in RULES.values() if rules.name not in ("hearts-omnibus", "hearts-spot")]
HIDES = pytest.mark.parametrize("hides", [False, True], ids=["slip", "hidden"])


@HIDES
@pytest.mark.parametrize("games", [6, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_an_offence_is_proved_at_the_first_card_that_proves_it_and_nobody_else_is_accused(rules, games, hides):
    random = Random(games)
    for number in range(games):
        rule = rules_to_break(rules)[number % 3]
        hand = erring_hand(random, rules, rule=rule, hides=hides)
        assert_proved_at_the_first_card(hand, hand.before_play(), Watcher(rules))


@HIDES
@pytest.mark.parametrize("games", [6, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_with_dealt_hands_known_and_the_pass_hidden_the_proof_comes_as_early_as_it_can(players, games, hides):
    rules, random = RULES["hearts-classic", players], Random(games)
    for number in range(games):
        hand = erring_hand(random, rules, rule=rules_to_break(rules)[number % 3], hides=hides, direction=rules.cycle[0])
        before = hand.before_play()
        before[1]["hands"] = {str(seat): " ".join(cards) for seat, cards in enumerate(hand.dealt)}
        assert_proved_at_the_first_card(hand, before, Watcher(rules, open_deal=hand))
