"""The discard rule of ``hearts-classic`` by brute force: only a heart thrown on another suit opens hearts.

OpenSpiel has no such rule, so the oracle is written here, in words of its own: cards are two letters, a hand is a list,
and each rule is the source's sentence. It shares nothing with the engine but the facts it hands over.
"""

from __future__ import annotations

from random import Random

import pytest

from tablepi.facts import Fact, from_dict
from tablepi.table import Table, empty, fold, step

from ..script import NAMES, RULEBOOK

RANKS = "23456789TJQKA"
DECK = [rank + suit for suit in "SHDC" for rank in RANKS]


class PlainHand:
    """A hand of Hearts with all cards open, ruled by a discarded heart opening hearts."""

    def __init__(self, hands: list[list[str]]) -> None:
        self.hands = hands
        self.turn = next(seat for seat in range(4) if "2C" in hands[seat])
        self.trick: list[tuple[int, str]] = []
        self.tricks_done = 0
        self.opened = False
        self.points = [0, 0, 0, 0]
        self.hearts_led_while_closed = 0

    def allowed(self) -> list[str]:
        hand = self.hands[self.turn]
        if not self.trick:
            if self.tricks_done == 0:
                return ["2C"]
            if self.opened:
                return hand
            return [c for c in hand if c[1] != "H"] or hand
        following = [c for c in hand if c[1] == self.trick[0][1][1]]
        if following:
            return following
        if self.tricks_done == 0:
            return [c for c in hand if c[1] != "H" and c != "QS"] or hand
        return hand

    def lay(self, card: str) -> None:
        if card[1] == "H" and self.trick and self.trick[0][1][1] != "H":
            self.opened = True
        if card[1] == "H" and not self.trick and not self.opened:
            self.hearts_led_while_closed += 1
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.turn = (self.turn + 1) % 4
        if len(self.trick) == 4:
            led = self.trick[0][1][1]
            self.turn = max((c for c in self.trick if c[1][1] == led), key=lambda c: RANKS.index(c[1][0]))[0]
            self.points[self.turn] += sum(13 if c == "QS" else c[1] == "H" for _, c in self.trick)
            self.trick = []
            self.tricks_done += 1


def hold_hand(options: dict[str, object]) -> Table:
    begun: list[dict[str, object]] = [
        {"fact": "match", "rules": "hearts-classic", "players": NAMES, "options": options}
    ]
    begun += [{"fact": "hand"}, {"fact": "end-hand", "points": {"0": 13, "1": 13}}] * 3
    return fold(empty(RULEBOOK), enumerate(map(from_dict, begun), 1))


def deal(random: Random, *, hearts_to: int | None) -> list[list[str]]:
    """Four hands; *hearts_to* favours one seat with hearts, so that it comes to lead from hearts alone."""
    deck = random.sample(DECK, 52)
    if hearts_to is not None:
        deck.sort(key=lambda c: c[1] != "H" or random.random() < 0.15)
        first, rest = deck[:13], random.sample(deck[13:], 39)
        hands = [rest[i::3] for i in range(3)]
        hands.insert(hearts_to, first)
        return hands
    return [deck[i::4] for i in range(4)]


def said(card: str, seat: int) -> Fact:
    return from_dict({"fact": "play", "seat": seat, "card": card})


@pytest.mark.parametrize("hands", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_every_legal_card_ruling_and_point_is_that_of_the_brute_force_hand(hands):
    random = Random(hands)
    begun = hold_hand({"target": 10_000})
    led_while_closed = 0
    for number in range(hands):
        dealt = deal(random, hearts_to=random.randrange(4) if number % 2 else None)
        given = {str(seat): " ".join(hand) for seat, hand in enumerate(dealt)}
        table = step(begun, from_dict({"fact": "hand", "hands": given}))
        plain = PlainHand([list(hand) for hand in dealt])
        while plain.tricks_done < 13:
            seat, allowed = plain.turn, plain.allowed()
            for card in plain.hands[seat]:
                (ruling,) = [line for line in step(table, said(card, seat)).lines if line.get("ruling") in GRADES]
                assert (card, ruling["ruling"]) == (card, "legal" if card in allowed else "breach")
            # Hearts rather than others, so that the opening of hearts matters early.
            chosen = random.choice([c for c in allowed if c[1] == "H"] or allowed)
            table = step(table, said(chosen, seat))
            plain.lay(chosen)
            assert table.state.felt is None or table.state.felt.broken == plain.opened
        led_while_closed += plain.hearts_led_while_closed
        (told,) = [line for line in table.lines if line.get("event") == "hand"]
        moon = 26 in plain.points
        assert list(told["points"].values()) == [26 - p if moon else p for p in plain.points]
    assert led_while_closed > hands // 100, "the hands never met the rule they are about"


GRADES = ("legal", "unproven", "breach", "pending")
