"""A store in a folder of its own, and a game to put into it."""

from __future__ import annotations

from datetime import datetime

import pytest

from tablepi.cards import hand_of_cards
from tablepi.facts import Match, Play

NOON = datetime(2026, 11, 30, 12, 0, 5)


@pytest.fixture
def match() -> Match:
    return Match(rules="hearts-cardems", players=("Rita", "Ada", "Bo", "Cleo"), options={"target": 50})


@pytest.fixture
def noon() -> datetime:
    return NOON


@pytest.fixture
def plays() -> tuple[Play, ...]:
    return tuple(Play(seat=n % 4, card=c, at=float(n)) for n, c in enumerate(hand_of_cards("2C TC KC AC 3D 9D QD AD")))


@pytest.fixture
def begun(match, noon):
    """Begin a game, with facts of the test's: ``game = begun(journal, *plays)``."""

    def begin(journal, *facts, wall=noon):
        game = journal.begin(match, wall=wall, mono=100.0, boot="b1")
        for seconds, fact in enumerate(facts, 101):
            journal.append(game, fact, mono=float(seconds))
        return game

    return begin
