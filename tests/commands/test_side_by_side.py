"""What one command does to what another has left: a demonstration beside an open game, a language chosen last time."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tablepi.cli import main
from tablepi.commands import parts
from tablepi.journal import Journal

from ..script import facts, match

NOON = datetime(2026, 11, 30, 12, 0)


def test_a_demonstration_leaves_a_game_that_people_have_open_to_be_gone_on_with(tmp_path, capsys):
    with Journal(tmp_path) as journal:
        (begun,) = facts(match())
        mine = journal.begin(begun, wall=NOON, mono=0.0)
        journal.append(mine, *facts('{"fact":"hand","dealer":0}'), mono=1.0)
    assert main(["--store", str(tmp_path), "demo", "--headless", "--sources", "readers", "--hands", "1"]) == 0
    capsys.readouterr()
    with Journal(tmp_path, readonly=True) as journal:
        assert [(game.id == mine, game.state) for game in journal.games()] == [(True, "open"), (False, "over")]
        assert journal.unfinished() == mine


@pytest.mark.parametrize(("written", "remembered"), [("pt-PT\n", "pt-PT"), ("klingon\n", None), (None, None)])
def test_the_language_chosen_last_time_is_spoken_again_if_it_is_one(tmp_path, written, remembered):
    kept = tmp_path / "language"
    if written is not None:
        kept.write_text(written)
    assert parts.remembered(kept) == remembered


def test_a_language_that_cannot_be_kept_stops_nothing():
    parts.remember(Path("/proc/no such folder/language"), "pt-PT")
    assert parts.remembered(Path("/proc/no such folder/language")) is None


def test_a_language_is_kept_and_found_again(tmp_path):
    parts.remember(tmp_path / "language", "pt-BR")
    assert parts.remembered(tmp_path / "language") == "pt-BR"
