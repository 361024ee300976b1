"""The table is killed at any moment, and goes on: nothing that it has said is lost, and nobody plays it twice."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tablepi.cli import main
from tablepi.journal import Journal, verify
from tablepi.language import words
from tablepi.state import State
from tablepi.table import Table, empty, fold
from tablepi.views.words import in_words

from .script import RULEBOOK

TABLEPI = (sys.executable, "-m", "tablepi")
RUN = ("run", "--virtual", "--headless", "--speed", "30")


@dataclass
class Found:
    """What is in a store: its latest game, that game's facts as kept, and what it said, as the journal noted it."""

    game: str
    state: State
    facts: tuple[str, ...]
    said: tuple[str, ...]


def start(store: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*TABLEPI, "--store", str(store), *RUN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def play_until_killed(store: Path, *, lines: int, rest_s: float) -> list[str]:
    """Let the table say *lines* lines and go on for *rest_s* seconds more; kill it. All that it has said."""
    child = start(store)
    with child:
        assert child.stdout is not None
        assert child.stderr is not None
        said = [child.stdout.readline() for _ in range(lines)]
        try:
            child.wait(rest_s)
        except subprocess.TimeoutExpired:
            child.kill()
        said += child.stdout.read().splitlines(keepends=True)
        assert (child.wait(), child.stderr.read()) == (-9, "")
    # The last line may have been cut in two.
    return [line.rstrip("\n") for line in said if line.endswith("\n")]


def find(store: Path) -> Found | None:
    with Journal(store, readonly=True) as journal:
        assert verify(journal) == ()
        if not journal.games():
            return None
        game = journal.find("last")
        numbered = tuple(journal.lines(game))
        assert [n for n, _ in numbered] == list(range(1, len(numbered) + 1))
        table: Table = fold(empty(RULEBOOK), journal.facts(game))
        spoken = words("en", table.state.players)
        said = tuple(
            f"{n:5}  {text}"
            for n, line in journal.shown_lines(game)
            if (text := in_words(line, spoken)) and line.get("event") != "turn"
        )
        return Found(game, table.state, tuple(line for _, line in numbered), said)


def missing(said: list[str], noted: tuple[str, ...]) -> list[str]:
    """Those of *said* that are not in *noted* in the same order."""
    rest = iter(noted)
    return [line for line in said if line not in rest]


def killed_and_resumed(store: Path, capsys: pytest.CaptureFixture[str], *, kills: int, seed: int) -> dict[str, int]:
    rng = random.Random(seed)
    figures = {"kills": 0, "acknowledged": 0, "facts": 0, "games": 0}
    before: Found | None = None
    for _ in range(kills):
        first, *said = play_until_killed(store, lines=rng.randint(1, 12), rest_s=rng.uniform(0.0, 0.3))
        after = find(store)
        figures["kills"] += 1
        figures["acknowledged"] += len(said)
        if after is None:  # it had not begun yet
            assert said == []
            continue
        assert missing(said, after.said) == []
        assert 0 <= after.state.deals - len(after.state.scores) <= 1  # no hand was given up
        if before is None or after.game != before.game:
            assert first.startswith("tablepi is ready: game not begun")
            assert before is None or before.state.result is not None
            figures["games"] += 1
            figures["facts"] += len(after.facts)
        else:
            if before.state.result is None:
                assert first.startswith(f"tablepi goes on: game {before.game},")
            assert after.facts[: len(before.facts)] == before.facts
            assert after.said[: len(before.said)] == before.said
            figures["facts"] += len(after.facts) - len(before.facts)
        before = after
    assert main(["--store", str(store), "check", "--all"]) == 0
    capsys.readouterr()
    with Journal(store, readonly=True) as journal:
        games = journal.games()
    assert len(games) == figures["games"]
    assert sum(game.facts for game in games) == figures["facts"]
    return figures


def test_a_table_that_is_killed_four_times_goes_on_with_the_same_hand(tmp_path, capsys):
    figures = killed_and_resumed(tmp_path, capsys, kills=4, seed=1)
    assert figures["acknowledged"] > 4


@pytest.mark.slow
def test_a_table_that_is_killed_a_hundred_times_loses_nothing_that_it_said(tmp_path, capsys):
    figures = killed_and_resumed(tmp_path, capsys, kills=100, seed=2)
    with capsys.disabled():
        print(f"\n{figures}")
    assert figures["kills"] == 100
