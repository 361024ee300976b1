"""The bench of an evening finds what a camera tells wrongly, and nothing where it tells the truth."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tablepi import facts as f
from tablepi.cards import Card, card
from tablepi.facts import Fact
from tablepi.frames import Frame
from tests.bench.evening import Counts, Evening

SIZE = (160, 90)
STEADY_S = 0.34


class TrueEye:
    """Tells what truly lies on the felt, a third of a second after it came to lie, and when it has left."""

    watcher = None
    evening: Evening

    def __init__(self) -> None:
        self.told: list[tuple[int, Card]] = []

    def know(self, *of_the_game: object) -> None:
        """It needs no help."""

    def look(self, frame: Frame) -> list[Fact]:
        lain = [x for x in self.evening.lain if x.since + STEADY_S <= frame.at < x.until]
        there = [(x.seat, x.card) for x in sorted(lain, key=lambda x: x.since)]
        left = [each for each in self.told if each not in there]
        came = [each for each in there if each not in self.told]
        self.told = there
        facts: list[Fact] = [f.Gone(card=gone, seat=seat, source="camera") for seat, gone in left]
        facts += [f.Cleared(source="camera")] if left and not there else []
        return facts + [self.seen(seat, laid) for seat, laid in came]

    def seen(self, seat: int, laid: Card, confidence: float = 0.99) -> Fact:
        return f.Seen(seat=seat, card=laid, confidence=confidence, steady=STEADY_S, source="camera")


def evening(eye: TrueEye, name: str, *, seed: int = 3) -> Counts:
    made = Evening(seed, name, hands=1, size=SIZE, style="jumbo", eye=cast(Any, eye))
    eye.evening = made
    return made.play()


def troubles(counts: Counts) -> set[str]:
    return {trouble.kind for trouble in counts.troubles}


def test_who_sees_all_as_it_is_records_all_as_it_was_whatever_else_happens():
    counts = evening(TrueEye(), "all")
    assert (counts.hands, counts.plays) == (1, 52)
    assert len(counts.nuisances) > 10
    assert troubles(counts) <= {"asked rightly"}
    assert min(counts.late) >= STEADY_S
    assert max(counts.late) < STEADY_S + 0.1


def test_mistakes_of_players_are_found_and_nobody_else_is_accused():
    assert troubles(evening(TrueEye(), "mistakes")) <= {"asked rightly"}


def test_the_same_seed_is_the_same_evening():
    one, other = (evening(TrueEye(), "two") for _ in range(2))
    assert one.nuisances["two"] > 0
    assert (one.nuisances, one.late, len(one.ms)) == (other.nuisances, other.late, len(other.ms))
    assert [t.line() for t in one.troubles] == [t.line() for t in other.troubles]


class Misreading(TrueEye):
    """Takes the last two cards, surely, for each other: too late for the game to tell."""

    def seen(self, seat: int, laid: Card, confidence: float = 0.99) -> Fact:
        one, other = (lay.card for lay in self.evening.lays[-2:])
        return super().seen(seat, {one: other, other: one}.get(laid, laid), confidence)


class Unsure(TrueEye):
    """Cannot read the fifth card."""

    count = 0

    def seen(self, seat: int, laid: Card, confidence: float = 0.99) -> Fact:
        self.count += 1
        return super().seen(seat, laid, 0.4 if self.count == 5 else confidence)


class Blind(TrueEye):
    """Does not see the ace of spades."""

    def look(self, frame: Frame) -> list[Fact]:
        return [fact for fact in super().look(frame) if getattr(fact, "card", None) != card("AS")]


class Losing(TrueEye):
    """Says once, two seconds after a card was laid, that it has left."""

    count = 0

    def look(self, frame: Frame) -> list[Fact]:
        facts = super().look(frame)
        self.count += any(isinstance(fact, f.Seen) for fact in facts)
        if self.count == 6:
            self.count += 1
            seat, laid = self.told[0]
            facts.append(f.Gone(card=laid, seat=seat, source="camera"))
        return facts


@pytest.mark.parametrize(
    ("eye", "kinds"),
    [(Misreading, {"phantom", "wrong"}), (Unsure, {"asked"}), (Losing, {"lost"}), (Blind, set())],
)
def test_what_is_told_wrongly_is_found(eye, kinds):
    counts = evening(eye(), "none")
    assert troubles(counts) == kinds
    assert counts.entered == (eye is Blind)  # people tell what nobody sees


def test_an_evening_that_is_seen_right_but_for_one_card_has_trouble_with_no_other():
    assert {(t.hand, t.trick) for t in evening(Misreading(), "none").troubles} == {(1, 13)}
