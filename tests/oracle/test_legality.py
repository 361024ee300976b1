"""Which cards are legal, by brute force, in every rule set and number of players: with all hands known, each card of
the hand in turn is laid on the table, and the ruling must be that of the rules as ``core/honest.py`` tells them.

Some hands give most of the suit that must be broken to one seat, which so comes to lead from nothing else.
"""

from __future__ import annotations

from random import Random

import pytest

from tablepi.facts import from_dict
from tablepi.table import Table, step

from ..core.honest import NAMES, RULES, HonestHand, Rules, deal, play_out
from ..script import Told

TABLES = list(RULES.values())


def before_hand(rules: Rules, number: int) -> Table:
    """A match whose next hand is the one after *number* hands."""
    begun: list[dict[str, object]] = [{"fact": "match", "rules": rules.name, "players": NAMES[: rules.players]}]
    total = sum(map(rules.values, rules.deck))
    begun += [{"fact": "hand"}, {"fact": "end-hand", "points": {"0": total - 13, "1": 13}}] * number
    return Told(map(from_dict, begun)).table


def said(table: Table, *facts: dict[str, object]) -> Table:
    for fact in map(from_dict, facts):
        table = step(table, fact)
        assert not any(line.get("ruling") in ("ignored", "breach") for line in table.lines), table.lines
    return table


def dealt(table: Table, hand: HonestHand) -> Table:
    """The table at the first card of *hand*."""
    rules = hand.rules
    hands = {str(seat): " ".join(cards) for seat, cards in enumerate(hand.dealt)}
    table = said(table, {"fact": "hand", "dealer": 0, "hands": hands})
    if rules.trumps:
        return said(table, *({"fact": "bid", "seat": (1 + i) % 4, "bid": 3} for i in range(4)))
    assert table.lines[0] == {"event": "pass", "hand": table.state.deals, "direction": hand.direction}
    if hand.direction == "hold":
        return table
    passed = ({"fact": "pass", "seat": seat, "cards": " ".join(cards)} for seat, cards in enumerate(hand.passed))
    return said(table, *passed, {"fact": "passed"})


def ruling(table: Table, seat: int, card: str) -> str:
    """The ruling on *card*, laid by *seat* on the table as it is."""
    lines = step(table, from_dict({"fact": "play", "seat": seat, "card": card})).lines
    (word,) = [line["ruling"] for line in lines if line.get("ruling") in GRADES]
    return str(word)


GRADES = ("legal", "unproven", "breach", "pending")


@pytest.mark.parametrize("hands", [6, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_every_card_of_a_known_hand_is_ruled_as_the_rules_say_and_the_hand_scored(rules, hands):
    random = Random(hands)
    cycle = rules.cycle or ("hold",)
    tables = [before_hand(rules, number) for number in range(len(cycle))]
    from_closed_alone = 0
    for number in range(hands):
        rich = random.randrange(rules.players) if number % 3 else None
        hand = play_out(random, deal(random, rules, cycle[number % len(cycle)], rich=rich))
        table = dealt(tables[number % len(cycle)], hand)
        for laying in hand.laid:
            allowed = rules.allowed(laying.hand, laying.moment)
            rulings = {card: ruling(table, laying.seat, card) for card in laying.hand}
            assert rulings == {card: "legal" if card in allowed else "breach" for card in laying.hand}
            table = said(table, {"fact": "play", "seat": laying.seat, "card": laying.card})
            broken = any(line.get("event", "").endswith("-broken") for line in table.lines)
            assert broken == (rules.breaks(laying.card, laying.moment) and not laying.broken)
            from_closed_alone += not laying.led and not laying.broken and laying.card[1] == rules.closed
        tricks = [line for entry in table.log for line in entry.lines if line.get("event") == "trick"]
        assert [t["winner"] for t in tricks[-len(hand.winners) :]] == list(hand.winners)
        if not rules.trumps:
            assert score(table, hand) == hand.points
    assert from_closed_alone or hands < 100, "the hands never met the rule about an unbroken suit"


def score(table: Table, hand: HonestHand) -> dict[str, int]:
    """The points of the hand, where the shooter of a moon may choose: the others'."""
    choice = [line for line in table.lines if line.get("event") == "choice"]
    if choice:
        assert [line["seat"] for line in choice] == [hand.shooter]
        table = said(table, {"fact": "choose", "seat": hand.shooter, "choice": "others"})
    (told,) = [line for line in table.lines if line.get("event") == "hand"]
    return dict(told["points"])
