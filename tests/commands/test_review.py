"""Stepping through a logged game: where each button and key leads, and what the buttons look like."""

from __future__ import annotations

import pytest

from tablepi.commands.review import moved, reviewed
from tablepi.language import words
from tablepi.table import Table, empty, step

from ..script import NAMES, RULEBOOK, facts, held

# Fact 6 is unproven (Bo denies clubs), fact 9 a breach (out of turn), fact 10 takes it back.
SCRIPT = held() + "0:2C 1:3C 2:4D 3:5C 3:6C 1:7D 1-7D 0:7C"


@pytest.fixture(scope="module")
def steps() -> tuple[Table, ...]:
    tables = [empty(RULEBOOK)]
    for fact in facts(SCRIPT):
        tables.append(step(tables[-1], fact))
    return tuple(tables[1:])


def test_rulings_are_stepped_through_forwards_and_backwards(steps):
    places, place = [], 0
    for where in ("ruling", "ruling", "ruling", "ruling", "ruling-before", "ruling-before", "ruling-before"):
        place = moved(steps, place, where)
        places.append(steps[place].n)
    assert places == [6, 9, 10, 10, 9, 6, 6]


def test_steps_end_at_the_first_and_at_the_last_fact(steps):
    last = len(steps) - 1
    assert [moved(steps, 0, where) for where in ("back", "forward", "first", "last")] == [0, 1, 0, last]
    assert [moved(steps, last, where) for where in ("back", "forward", "first", "last")] == [last - 1, last, 0, last]


def test_every_button_has_a_key_and_forward_stands_out_until_the_last_step(steps):
    first, last = (reviewed(steps, at, "a game", words("en", tuple(NAMES))) for at in (0, len(steps) - 1))
    assert [(tap.label, tap.key) for tap in first.taps] == [
        ("First", "up"), ("Previous ruling", "p"), ("Back one", "left"), ("Forward", "right"), ("Next ruling", "n"),
        ("Last", "down"), ("Leave", "escape"),
    ]  # fmt: skip
    assert [[tap.label for tap in shown.taps if tap.strong] for shown in (first, last)] == [["Forward"], []]
