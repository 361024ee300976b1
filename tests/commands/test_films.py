"""Films come out as what happened in them: of decks that no model has been trained with, and of a real table."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tablepi.cards import card
from tablepi.virtual.deck import STYLES
from tablepi.virtual.felt import Felt
from tablepi.virtual.film import frames_of, perform, write_film
from tablepi.virtual.photograph import Photographer
from tablepi.virtual.players import Lay, Sweep
from tablepi.virtual.pose import Pose

from .conftest import tablepi

PHOTOGRAPHS = os.environ.get("TABLEPI_PHOTOS")
SIZE = (2304, 1296)
TRICKS = (
    (1, ((1, "9C"), (2, "KC"), (3, "QC"), (0, "6C"))),
    (2, ((2, "KH"), (3, "TH"), (0, "JD"), (1, "QS"))),
)
"""In each the leader, and who laid what: courts of every letter, and cards that look like each other."""


@pytest.mark.slow
@pytest.mark.parametrize("style", ["german", "portuguese", "antique", "modern", "sloped", "four-colour"])
def test_a_film_with_a_deck_unlike_any_in_training_comes_out_as_what_happened_in_it(style, tmp_path):
    path, felt, pose = tmp_path / f"{style}.mp4", Felt(4, seed=7), Pose.seeded(SIZE, 7)
    acts: list[Lay | Sweep] = []
    wanted = []
    for trick, (winner, plays) in enumerate(TRICKS, 1):
        laid = tuple((seat, card(name)) for seat, name in plays)
        acts += [Lay(1, trick, seat, what) for seat, what in laid] + [Sweep(1, trick, laid, winner=winner)]
        wanted += [[("seen", seat, str(what)) for seat, what in laid], {("gone", s, str(what)) for s, what in laid}]
        wanted += [[("cleared", None, None)]]
    end = perform(acts, felt, begin=1.0, pace_s=0.7)
    write_film(path, frames_of(felt, Photographer(pose, STYLES[style], seed=7), until=end))
    said = tablepi("watch", path, "--json", patience_s=600)
    facts = [json.loads(line) for line in said.out.splitlines()]
    told = [(fact["fact"], fact.get("seat"), fact.get("card")) for fact in facts]
    happened = []  # in which cards that are swept together leave in any order
    for part in wanted:
        some, told = told[: len(part)], told[len(part) :]
        happened.append(set(some) if isinstance(part, set) else some)
    assert (said.status, happened, told) == (0, wanted, [])


@pytest.mark.skipif(PHOTOGRAPHS is None, reason="TABLEPI_PHOTOS names no folder of photographs")
def test_of_a_real_table_whose_cards_are_too_small_to_be_read_no_card_is_told():
    film = Path(str(PHOTOGRAPHS)) / "videos" / "ugobena_test.mp4"
    said = tablepi("watch", film, "--json", patience_s=300)
    assert (said.status, said.out) == (0, "")
    assert said.err.splitlines()[-1] == f"tablepi: {film}: 421 frames, and no card came to lie still in them"
