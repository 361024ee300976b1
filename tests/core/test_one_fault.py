"""One fault of the sensors in an honest hand accuses nobody, wherever it comes: that is the guard's whole promise."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablepi.facts import from_dict

from ..script import Told
from .honest import DECK, RULES, Laying, Rules, look_alike, play_hand
from .test_properties import BEFORE_THE_OPENING, QUICK, scored, seeds


def sees(seat: int, card: str, confidence: float = 0.98) -> dict[str, Any]:
    line = {"fact": "seen", "seat": seat % 4, "card": card, "source": "camera", "steady": 0.4}
    return line | {"confidence": confidence}


def reads(seat: int, card: str) -> dict[str, Any]:
    return {"fact": "tag", "seat": seat, "card": card, "source": f"reader-{seat}"}


# What the sensors say of one card that is laid, and whether the hand can be scored without anybody's help.
FAULTS: dict[str, tuple[Callable[[Laying], list[dict[str, Any]]], bool]] = {
    "seen twice": (lambda c: [sees(c.seat, c.card)] * 2, True),
    "unreadable, then clear": (lambda c: [sees(c.seat, c.card, 0.3), sees(c.seat, c.card)], True),
    "unreadable, then a tag": (lambda c: [sees(c.seat, c.card, 0.3), reads(c.seat, c.card)], True),
    "unreadable": (lambda c: [sees(c.seat, c.card, 0.3)], False),
    "misread, then clear": (lambda c: [sees(c.seat, look_alike(c.card)), sees(c.seat, c.card)], False),
    "misread, then a tag": (lambda c: [sees(c.seat, look_alike(c.card)), reads(c.seat, c.card)], False),
    "a tag, then misread": (lambda c: [reads(c.seat, c.card), sees(c.seat, look_alike(c.card))], False),
    "at the wrong seat": (lambda c: [sees(c.seat + 1, c.card)], False),
    "at the wrong seat, then a tag": (lambda c: [sees(c.seat + 1, c.card), reads(c.seat, c.card)], True),
    "a tag, then at the wrong seat": (lambda c: [reads(c.seat, c.card), sees(c.seat + 1, c.card)], False),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_fault_accuses_nobody(fault):
    faulty, heals = FAULTS[fault]

    @settings(QUICK, max_examples=15)
    @given(seeds, st.integers(0, 51))
    def holds(seed: int, at: int) -> None:
        game = play_hand(Random(seed))
        told = Told(map(from_dict, BEFORE_THE_OPENING))
        for number, card in enumerate(game.laid):
            told.tell([from_dict(line) for line in (faulty(card) if number == at else [sees(card.seat, card.card)])])
        assert told.rulings("breach", "proved", "someone") == []
        if heals:
            assert scored(told) == [game.points]

    holds()


GRADES = ("legal", "unproven", "breach", "pending")


def gone(seat: int | None, card: str) -> dict[str, Any]:
    return {"fact": "gone", "card": card, "source": "camera"} | ({} if seat is None else {"seat": seat})


@pytest.mark.parametrize("swept", ["at once", "one by one", "in part", "unseen"])
@pytest.mark.parametrize("later", ["never read", "read when the trick is full"])
def test_a_card_that_the_camera_only_guessed_accuses_nobody_however_it_is_swept(swept, later):
    """What leaves the felt is told by the guess, and by a seat that is not always clear."""

    @settings(QUICK, max_examples=15)
    @given(seeds, st.integers(0, 51))
    def holds(seed: int, at: int) -> None:
        random = Random(seed)
        game = play_hand(random)
        next_one = next((c.card for c in game.laid[at + 1 :] if c.seat == game.laid[at].seat), game.laid[at].card)
        guess = random.choice([game.laid[at].card, look_alike(game.laid[at].card), random.choice(DECK), next_one])
        told = Told(map(from_dict, BEFORE_THE_OPENING))
        for number, card in enumerate(game.laid):
            unread = number == at
            told.tell([from_dict(sees(card.seat, guess, 0.4) if unread else sees(card.seat, card.card))])
            if number % 4 < 3:
                continue
            felt = list(enumerate(game.laid))[number - 3 : number + 1]
            if later != "never read" and number - at in range(4):
                told.tell([from_dict(sees(game.laid[at].seat, game.laid[at].card))])
            leaving = [
                gone(random.choice([None, c.seat]) if n == at else c.seat, guess if n == at else c.card)
                for n, c in random.sample(felt, 4)
            ]
            left = {"at once": 4, "one by one": 4, "in part": random.randrange(2, 4), "unseen": 0}[swept]
            told.tell([from_dict(line) for line in leaving[:left]])
            if swept in ("at once", "unseen"):
                told.tell([from_dict({"fact": "cleared", "source": "camera"})])
        assert told.rulings("breach", "proved", "someone") == []
        laid = {line["n"] for entry in told.table.log for line in entry.lines if line.get("ruling") in GRADES}
        assert len(laid) <= 52

    holds()


@pytest.mark.parametrize("fault", ["misread", "missed"])
def test_a_card_misread_or_missed_accuses_nobody_when_each_trick_is_swept_card_by_card(fault):
    """What leaves is told by the name and the seat that it was seen with."""

    @settings(QUICK, max_examples=40)
    @given(seeds, st.integers(0, 51), st.sampled_from(list(RULES.values())))
    def holds(seed: int, at: int, rules: Rules) -> None:
        random = Random(seed)
        hand = play_hand(random, rules)
        at %= len(hand.laid)
        told = Told([from_dict(line) for line in hand.before_play()])
        told_as: list[tuple[int, str]] = []
        for number, card in enumerate(hand.laid):
            if number != at or fault == "misread":
                told_as.append((card.seat, look_alike(card.card) if number == at else card.card))
                told.tell([from_dict(sees_at(*told_as[-1]))])
            if number + 1 == len(hand.laid) or hand.laid[number + 1].trick != card.trick:
                told.tell([from_dict(gone(*there)) for there in random.sample(told_as, len(told_as))])
                told_as.clear()
        assert told.rulings("breach", "proved", "someone") == []

    holds()


def sees_at(seat: int, card: str) -> dict[str, Any]:
    return {"fact": "seen", "seat": seat, "card": card, "source": "camera", "steady": 0.4, "confidence": 0.98}
