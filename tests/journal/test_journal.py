"""Games in the journal: begun, appended to, listed, resumed, closed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from tablepi import facts
from tablepi.cards import card
from tablepi.errors import BadInput, Missing
from tablepi.facts import Cleared, Play
from tablepi.journal import GameEntry, Journal, JournalBroken, JournalFull, verify


def test_an_empty_store_has_no_games(tmp_path):
    with Journal(tmp_path) as journal:
        assert (journal.games(), journal.last(), journal.unfinished(), journal.warnings, verify(journal)) == (
            (), None, None, (), (),
        )  # fmt: skip


def test_facts_come_back_in_order_numbered_from_the_match(tmp_path, begun, match, plays):
    with Journal(tmp_path) as journal:
        game = journal.begin(match, wall=datetime(2026, 11, 30), mono=1.0)
        assert [journal.append(game, play, mono=2.0) for play in plays[:3]] == [2, 3, 4]
        assert tuple(journal.facts(game)) == ((1, match), (2, plays[0]), (3, plays[1]), (4, plays[2]))
    with Journal(tmp_path) as journal:
        assert tuple(journal.facts(game)) == ((1, match), (2, plays[0]), (3, plays[1]), (4, plays[2]))
        assert verify(journal) == ()


def test_a_fact_is_kept_as_the_projects_line_of_json(tmp_path, begun, plays):
    with Journal(tmp_path) as journal:
        game = begun(journal, plays[0])
        assert dict(journal.lines(game))[2] == '{"fact":"play","seat":0,"card":"2C","at":0.0}'


def test_each_fact_is_kept_with_its_seconds_and_the_boot_they_belong_to(tmp_path, begun, plays, noon):
    with Journal(tmp_path) as journal:
        game = begun(journal, plays[0])
    with Journal(tmp_path) as journal:
        journal.resume(game, wall=noon - timedelta(days=400), mono=3.5, boot="b2", clock_synced=False)
        journal.append(game, plays[1], mono=4.5)
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as store:
        rows = store.execute(
            "SELECT n, facts.mono, boot, wall, clock_synced FROM facts JOIN sessions USING (session) ORDER BY n"
        ).fetchall()
    assert rows == [
        (1, 100.0, "b1", "2026-11-30T12:00:05", None),
        (2, 101.0, "b1", "2026-11-30T12:00:05", None),
        (3, 4.5, "b2", "2025-10-26T12:00:05", 0),
    ]


def test_games_are_listed_with_rules_players_and_state(tmp_path, begun, match, plays):
    with Journal(tmp_path) as journal:
        first = begun(journal, *plays[:2])
        journal.close(first, "target")
        second = begun(journal)
        players = ("Rita", "Ada", "Bo", "Cleo")
        started = "2026-11-30T12:00:05"
        assert journal.games() == (
            GameEntry(id="2026-11-30-1", rules="hearts-cardems", players=players, started=started, facts=3,
                      state="over", reason="target"),
            GameEntry(id="2026-11-30-2", rules="hearts-cardems", players=players, started=started, facts=1,
                      state="open", reason=None),
        )  # fmt: skip
        assert (journal.last(), journal.unfinished(), journal.find("last")) == (second, second, second)


def test_a_new_game_closes_the_one_left_open_so_that_only_the_latest_is_resumed(tmp_path, begun):
    with Journal(tmp_path) as journal:
        begun(journal)
        second = begun(journal)
        assert [(entry.state, entry.reason) for entry in journal.games()] == [
            ("over", "left for a new game"),
            ("open", None),
        ]
        journal.close(second, "agreement")
        assert journal.unfinished() is None


def test_a_closed_game_can_still_be_corrected(tmp_path, begun, noon):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        journal.close(game, "target")
        journal.resume(game, wall=noon, mono=1.0)
        assert (journal.append(game, Cleared(), mono=2.0), journal.unfinished()) == (2, None)


def test_a_clock_that_jumps_back_disturbs_neither_ids_nor_order(tmp_path, begun, noon):
    clock = [noon, noon + timedelta(hours=3), datetime(1970, 1, 1), datetime(1970, 1, 1), noon, noon]
    with Journal(tmp_path) as journal:
        games = [begun(journal, wall=wall) for wall in clock]
        assert games == ["2026-11-30-1", "2026-11-30-2", "1970-01-01-1", "1970-01-01-2", "2026-11-30-3", "2026-11-30-4"]
        assert [entry.id for entry in journal.games()] == games
        assert journal.last() == games[-1]
        for _ in range(8):
            games.append(begun(journal))
        assert games[-1] == "2026-11-30-12"


def test_a_game_that_is_not_there_is_refused_with_those_that_are(tmp_path, begun):
    with Journal(tmp_path) as journal:
        with pytest.raises(BadInput) as none_yet:
            journal.find("last")
        begun(journal)
        with pytest.raises(BadInput) as refused:
            tuple(journal.facts("2026-1"))
    assert str(none_yet.value) == (
        f"last: no such game in {tmp_path}: no game has been played yet; `tablepi games` lists all"
    )
    assert str(refused.value) == (
        f"2026-1: no such game in {tmp_path}: the latest are 2026-11-30-1; `tablepi games` lists all"
    )


def test_a_second_match_belongs_to_another_game(tmp_path, begun, match):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        with pytest.raises(BadInput, match="a game holds one match"):
            journal.append(game, match, mono=1.0)
        assert tuple(journal.facts(game)) == ((1, match),)


def test_what_was_shown_is_kept_line_by_line_and_showing_nothing_is_kept_too(tmp_path, begun, plays):
    legal = {"ruling": "legal", "n": 2, "text": "João jogou ♣2\u2028"}
    turn = {"event": "turn", "hand": 1, "seat": None}
    with Journal(tmp_path) as journal:
        game = begun(journal, *plays[:3])
        journal.shown(game, 2, [legal, turn])
        journal.shown(game, 3, [])
        journal.shown(game, 2, [turn])
        assert tuple(journal.as_shown(game)) == ((2, (legal, turn, turn)), (3, ()))
        assert tuple(journal.shown_lines(game)) == ((2, legal), (2, turn), (2, turn))
        assert verify(journal) == ()


def test_half_a_character_is_refused_and_uses_up_no_number(tmp_path, begun):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        with pytest.raises(BadInput, match="cannot be written as UTF-8"):
            journal.append(game, Cleared(source="\ud800"), mono=1.0)
        assert journal.append(game, Cleared(), mono=1.0) == 2


# --- one writer, many readers ---------------------------------------------------------------------------------------


def test_a_second_writer_is_refused_with_the_pid_of_the_first(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", "import sys; from pathlib import Path; from tablepi.journal import Journal\n"
         "with Journal(Path(sys.argv[1])): print('open', flush=True); sys.stdin.read()", tmp_path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with holder:
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(JournalBroken) as refused, Journal(tmp_path):
            pass
        with Journal(tmp_path, readonly=True) as reader:
            assert reader.games() == ()
        holder.kill()  # a killed owner leaves no lock behind
        holder.wait()
        with Journal(tmp_path) as journal:
            assert journal.warnings == ()
    assert str(refused.value) == (
        f"{tmp_path}: process {holder.pid} is using this store: stop it, or play with another store (--store)"
    )


def test_a_second_writer_in_the_same_process_is_refused_too(tmp_path):
    with Journal(tmp_path), pytest.raises(JournalBroken, match=f"process {os.getpid()} is using"), Journal(tmp_path):
        pass


def test_readers_see_each_fact_as_soon_as_it_is_appended(tmp_path, begun, plays, match):
    with Journal(tmp_path) as journal, Journal(tmp_path, readonly=True) as reader:
        assert reader.games() == ()
        game = begun(journal, plays[0])
        assert tuple(reader.facts(game)) == ((1, match), (2, plays[0]))
        journal.append(game, plays[1], mono=1.0)
        assert tuple(reader.facts(game))[2:] == ((3, plays[1]),)


def test_a_reader_that_outlives_the_writer_goes_on_reading(tmp_path, begun, plays):
    with Journal(tmp_path) as journal:
        game = begun(journal, *plays)
        reader = Journal(tmp_path, readonly=True)
        reader.__enter__()
    with Journal(tmp_path) as journal:
        assert len(tuple(reader.facts(game))) == len(tuple(journal.facts(game))) == 9
    reader.__exit__(None, None, None)


def test_a_reader_cannot_write(tmp_path, match, noon):
    with Journal(tmp_path):
        pass
    with Journal(tmp_path, readonly=True) as reader, pytest.raises(ValueError, match="reading only"):
        reader.begin(match, wall=noon, mono=0.0)


def test_a_reader_makes_no_store_where_there_is_none(tmp_path):
    with Journal(tmp_path, readonly=True) as reader:
        assert (reader.games(), reader.last(), verify(reader)) == ((), None, ())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_missing(tmp_path):
    for readonly in (False, True):
        with pytest.raises(Missing, match=str(tmp_path / "none")), Journal(tmp_path / "none", readonly=readonly):
            pass


# --- full and broken disks ------------------------------------------------------------------------------------------


def test_a_full_disk_is_said_and_the_journal_goes_on_when_there_is_room_again(tmp_path, begun, plays, match):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        (pages,) = journal._store.execute("PRAGMA page_count").fetchone()
        journal._store.execute(f"PRAGMA max_page_count = {pages}")
        kept = [match]
        with pytest.raises(JournalFull, match="free some space"):  # noqa: PT012 (which append it is, is not ours to say)
            for _ in range(1000):
                n = journal.append(game, plays[0], mono=1.0)
                kept.append(plays[0])
                assert n == len(kept)
        with pytest.raises(JournalFull):
            journal.shown(game, 1, [{"text": "x" * 10_000}])
        with pytest.raises(JournalFull):
            journal.append(game, Cleared(source="x" * 10_000), mono=1.0)
        assert tuple(fact for _, fact in journal.facts(game)) == tuple(kept)
        journal._store.execute("PRAGMA max_page_count = 1000000")
        assert journal.append(game, plays[1], mono=1.0) == len(kept) + 1
        assert (verify(journal), tuple(journal.as_shown(game))) == ((), ())


# A file that may not grow stands for a disk that refuses to write: SQLite sees a real error of write().
REFUSED = """
import resource, sys
from datetime import datetime
from pathlib import Path
from tablepi.cards import card
from tablepi.facts import Match, Play
from tablepi.journal import Journal, JournalBroken

with Journal(Path(sys.argv[1])) as journal:
    game = journal.begin(Match(rules="x", players=("a", "b")), wall=datetime(2026, 11, 30), mono=0.0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    acknowledged = 1
    try:
        while True:
            acknowledged = journal.append(game, Play(seat=0, card=card("2C")), mono=0.0)
    except JournalBroken as error:
        print(type(error).__name__, acknowledged)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert journal.append(game, Play(seat=0, card=card("3C")), mono=0.0) == acknowledged + 1
"""


def test_a_disk_that_refuses_to_write_is_said_and_loses_nothing_acknowledged(tmp_path):
    told = subprocess.run([sys.executable, "-c", REFUSED, tmp_path], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    name, acknowledged = told.stdout.split()
    with Journal(tmp_path) as journal:
        kept = tuple(journal.facts("2026-11-30-1"))
        assert (name, [n for n, _ in kept], verify(journal), journal.warnings) == (
            "JournalBroken", list(range(1, int(acknowledged) + 2)), (), (),
        )  # fmt: skip
        assert kept[-1][1] == Play(seat=0, card=card("3C"))


def test_a_game_in_a_newer_format_is_listed_but_not_misread(tmp_path, begun, plays):
    with Journal(tmp_path) as journal:
        game = begun(journal, *plays)
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as store, store:
        store.execute("UPDATE games SET format = 99")
    with Journal(tmp_path) as journal:
        assert [entry.rules for entry in journal.games()] == ["?"]
        with pytest.raises(BadInput) as refused:
            tuple(journal.facts(game))
    assert str(refused.value) == (
        f"2026-11-30-1 was written in format 99; this tablepi reads up to {facts.FORMAT}: update it"
    )
