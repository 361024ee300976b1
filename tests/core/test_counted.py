"""What is told of an offence that counting finds: which suit was led, and why a doubt waits."""

from __future__ import annotations

from random import Random

import pytest

from tablepi import presets
from tablepi.facts import from_dict
from tablepi.state import Line
from tablepi.table import empty, step

from .contract_lines import complaint_about
from .honest import RULES, HonestHand, erring_hand

RULEBOOK = presets.rulebook()


def answers(hand: HonestHand, *, counted: bool) -> tuple[list[Line], int]:
    """All lines about *hand*, each card told by a reader, and the number of the first card's fact; the passed cards
    *counted* or not."""
    before = [line for line in hand.before_play() if counted or line["fact"] != "pass"]
    table, lines = empty(RULEBOOK), []
    laid = [{"fact": "tag", "seat": c.seat, "card": c.card, "source": f"reader-{c.seat}"} for c in hand.laid]
    for fact in [*before, *laid]:
        table = step(table, from_dict(fact))
        lines += table.lines
    return lines, len(before) + 1


def hidden_offences(name: str, hands: int) -> list[HonestHand]:
    random = Random(f"counted {name}")
    return [erring_hand(random, RULES[name, 4], rule="follow-suit", hides=True) for _ in range(hands)]


@pytest.mark.parametrize("name", ["hearts-cardems", "spades"])
def test_a_proof_by_counting_names_the_card_that_was_not_followed(name):
    told = 0
    for hand in hidden_offences(name, 40):
        lines, first = answers(hand, counted=True)
        for line in lines:
            if line.get("how") != "counted" or line["ruling"] != "proved":
                continue
            assert complaint_about(line) is None
            offence = hand.laid[line["offence"]["n"] - first]
            lead = next(laying for laying in hand.laid if laying.trick == offence.trick)
            assert offence.card == line["offence"]["card"]
            assert line.get("led") == (lead.card if line["offence"]["rule"] == "follow-suit" else None)
            told += "led" in line
    assert told >= 5


def test_a_doubt_by_counting_says_that_nobody_counted_the_pass_and_is_told_no_earlier_than_when_somebody_did():
    waited = 0
    for hand in hidden_offences("hearts-cardems", 40):
        lines, first = answers(hand, counted=False)
        counted, first_counted = answers(hand, counted=True)
        assert not [line for line in lines if line.get("how") == "counted"]
        waits = {(line["offence"]["n"] - first, line["n"] - first) for line in lines if line.get("ruling") == "pending"}
        found = {
            (line.get("offence", line)["n"] - first_counted, line["n"] - first_counted)
            for line in counted
            if line.get("how") == "counted" and line["ruling"] in ("proved", "breach")
        }
        assert waits == found
        assert all(line["because"] == "pass-not-counted" for line in lines if line.get("ruling") == "pending")
        waited += len(waits)
    assert waited >= 5
