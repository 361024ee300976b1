"""What is left of the journal after kill -9, and after a power cut that keeps only a part of the WAL."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from tablepi.cards import ALL_CARDS
from tablepi.facts import Play
from tablepi.journal import Journal, verify

# It appends as fast as it can and says each n once append has returned.
APPENDS = """
import os, sys
from datetime import datetime
from pathlib import Path
from tablepi.cards import ALL_CARDS
from tablepi.facts import Match, Play
from tablepi.journal import Journal

wall = datetime(2026, 11, 30)
with Journal(Path(sys.argv[1])) as journal:
    game = journal.unfinished()
    if game is None:
        game = journal.begin(Match(rules="x", players=("a", "b")), wall=wall, mono=0.0)
        os.write(1, b"1\\n")
    else:
        journal.resume(game, wall=wall, mono=0.0)
    n = sum(1 for _ in journal.facts(game))
    while True:
        n = journal.append(game, Play(seat=n % 4, card=ALL_CARDS[n % 52], at=float(n)), mono=0.0)
        os.write(1, b"%d\\n" % n)
        journal.shown(game, n, [{"n": n}] * (n % 4))
"""


def test_kill_loses_nothing_that_was_acknowledged_whenever_it_strikes(tmp_path):
    acknowledged = 0
    for moment in (0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, *range(2, 32, 2)):
        child = subprocess.Popen([sys.executable, "-c", APPENDS, tmp_path], stdout=subprocess.PIPE)
        with child:
            for _ in range(moment):
                acknowledged = int(child.stdout.readline())
            child.kill()
            said = [int(n) for n in child.stdout.read().split()]
        acknowledged = max([acknowledged, *said])
        with Journal(tmp_path, readonly=True) as journal:
            if acknowledged:
                kept = dict(journal.facts("2026-11-30-1"))
                # The one in flight may be there as well, and nothing else.
                assert len(kept) - acknowledged in (0, 1)
                assert list(kept) == list(range(1, len(kept) + 1))
                assert all(
                    kept[n] == Play(seat=(n - 1) % 4, card=ALL_CARDS[(n - 1) % 52], at=float(n - 1))
                    for n in list(kept)[1:]
                )
            assert verify(journal) == ()
    with Journal(tmp_path) as journal:
        assert (journal.warnings, journal.unfinished()) == ((), "2026-11-30-1")


@pytest.fixture
def cut(tmp_path, begun):
    """The files of a store in play, as bytes, and the facts that were in it."""
    with Journal(tmp_path / "live", linger_s=60) as journal:
        game = begun(journal, *(Play(seat=n % 4, card=ALL_CARDS[n]) for n in range(30)))
        kept = tuple(journal.facts(game))
        return (tmp_path / "live/games.sqlite").read_bytes(), (tmp_path / "live/games.sqlite-wal").read_bytes(), kept


@pytest.fixture(autouse=True)
def live(tmp_path):
    (tmp_path / "live").mkdir()


def after_the_cut(folder, store, wal):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "games.sqlite").write_bytes(store)
    (folder / "games.sqlite-wal").write_bytes(wal)
    with Journal(folder) as journal:
        assert (journal.warnings, verify(journal)) == ((), ())
        return tuple(journal.facts(journal.last())) if journal.last() else ()


def test_a_wal_that_ends_early_leaves_a_beginning_of_the_record(tmp_path, cut):
    store, wal, kept = cut
    lengths = []
    for length in range(0, len(wal) + 1, len(wal) // 40 + 7):
        left = after_the_cut(tmp_path / "cut", store, wal[:length])
        assert left == kept[: len(left)]
        lengths.append(len(left))
    assert lengths == sorted(lengths)
    assert after_the_cut(tmp_path / "cut", store, wal) == kept


def test_a_wal_with_a_block_that_never_reached_the_disk_leaves_what_came_before_it(tmp_path, cut):
    store, wal, kept = cut
    lengths = []
    for hole in range(0, len(wal) - 512, len(wal) // 20):
        left = after_the_cut(tmp_path / "cut", store, wal[:hole] + b"\x5a" * 512 + wal[hole + 512 :])
        assert left == kept[: len(left)]
        lengths.append(len(left))
    assert lengths == sorted(lengths)
    assert lengths[-1] < len(kept)
