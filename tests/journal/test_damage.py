"""Damaged, foreign and newer stores: set aside or left alone, never overwritten, never silently wrong."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import pytest

from tablepi.cards import ALL_CARDS
from tablepi.errors import BadInput, TablePiError
from tablepi.facts import Play
from tablepi.journal import Journal, JournalBroken, export_jsonl, verify


@pytest.fixture
def game(tmp_path, begun):
    """A store with one game of 401 facts, closed properly."""
    with Journal(tmp_path) as journal:
        game = begun(journal, *(Play(seat=n % 4, card=ALL_CARDS[n % 52], at=float(n)) for n in range(400)))
        for n in range(1, 100):
            journal.shown(game, n, [{"n": n}])
    return game


def changed(tmp_path, *statements):
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as store, store:
        for statement in statements:
            store.execute(statement)


def truncated(store):
    return store[: len(store) // 2]


def cut_in_the_head(store):
    return store[:50]


def emptied(store):
    return b""


def of_zeros(store):
    return bytes(len(store))


def of_text(store):
    return b"not a database at all\n" * 400


def with_a_garbage_page(store):
    return store[:8192] + b"\xa5" * 4096 + store[12288:]


def with_a_garbage_schema(store):
    return store[:100] + b"\xff" * 900 + store[1000:]


def with_another_schema_text(store):
    return store.replace(b"mono REAL NOT NULL, line", b"momo REAL NOT NULL, line")


DAMAGES = [
    truncated, cut_in_the_head, emptied, of_zeros, of_text, with_a_garbage_page, with_a_garbage_schema,
    with_another_schema_text,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_store_is_set_aside_whole_and_play_goes_on_in_a_new_one(tmp_path, game, begun, damage):
    path = tmp_path / "games.sqlite"
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    (tmp_path / "games.sqlite-wal").write_bytes(b"some WAL")
    with Journal(tmp_path) as journal:
        (warning,) = journal.warnings
        assert warning.startswith(f"{path}: ")
        assert warning.endswith(": set aside as games.damaged-1.sqlite; a new store was begun")
        assert (journal.games(), verify(journal)) == ((), ())
        begun(journal)
    assert (tmp_path / "games.damaged-1.sqlite").read_bytes() == damaged
    assert (tmp_path / "games.damaged-1.sqlite-wal").read_bytes() == b"some WAL"
    with Journal(tmp_path) as journal:
        assert (journal.warnings, len(journal.games())) == ((), 1)


def test_a_second_damaged_store_does_not_replace_the_first(tmp_path):
    for _ in range(2):
        (tmp_path / "games.sqlite").write_bytes(b"x" * 5000)
        with Journal(tmp_path) as journal:
            assert len(journal.warnings) == 1
    assert sorted(path.name for path in tmp_path.glob("games.*")) == [
        "games.damaged-1.sqlite", "games.damaged-2.sqlite", "games.sqlite",
    ]  # fmt: skip


def test_a_reader_says_that_the_store_is_damaged_and_moves_nothing(tmp_path):
    (tmp_path / "games.sqlite").write_bytes(b"x" * 5000)
    with (
        pytest.raises(JournalBroken, match=r"file is not a database: the store is damaged"),
        Journal(tmp_path, readonly=True),
    ):
        pass
    assert (tmp_path / "games.sqlite").read_bytes() == b"x" * 5000
    assert list(tmp_path.glob("games.damaged*")) == []


def test_a_wal_without_its_store_is_not_laid_over_a_new_one(tmp_path, begun, plays):
    with Journal(tmp_path) as journal:
        begun(journal, *plays)
        wal = (tmp_path / "games.sqlite-wal").read_bytes()
    (tmp_path / "games.sqlite").unlink()
    (tmp_path / "games.sqlite-wal").write_bytes(wal)
    with Journal(tmp_path) as journal:
        assert (len(journal.warnings), journal.games(), verify(journal)) == (1, (), ())
    assert (tmp_path / "games.damaged-1.sqlite-wal").read_bytes() == wal


def test_a_store_of_a_newer_tablepi_is_refused_and_not_touched(tmp_path, game):
    changed(tmp_path, "PRAGMA user_version = 2", "CREATE TABLE novelties (x)")
    before = (tmp_path / "games.sqlite").read_bytes()
    for readonly in (False, True):
        with pytest.raises(BadInput) as refused, Journal(tmp_path, readonly=readonly):
            pass
        assert str(refused.value) == (
            f"{tmp_path / 'games.sqlite'} was written by a newer tablepi (schema 2): update this one (it knows 1)"
        )
    assert (tmp_path / "games.sqlite").read_bytes() == before
    assert list(tmp_path.glob("games.damaged*")) == []


def test_another_programs_database_is_refused_and_not_touched(tmp_path):
    changed(tmp_path, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('bacalhau')")
    before = (tmp_path / "games.sqlite").read_bytes()
    with pytest.raises(BadInput, match="belongs to another program"), Journal(tmp_path):
        pass
    assert (tmp_path / "games.sqlite").read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "complaints"),
    [
        ("UPDATE facts SET line = replace(line, '2C', '3C') WHERE n = 2", ["fact 2 is damaged (checksum)"]),
        ("UPDATE facts SET line = CAST(X'ff' AS TEXT) WHERE n = 2", ["fact 2 is damaged (checksum)"]),
        ("UPDATE facts SET mono = 0 WHERE n = 401", ["fact 401 is damaged (checksum)"]),
        ("DELETE FROM facts WHERE n IN (200, 201)", ["facts 200 to 201 are missing"]),
        ("DELETE FROM facts WHERE n = 1", ["facts 1 to 1 are missing"]),
        ("UPDATE facts SET n = 500 WHERE n = 401", ["facts 401 to 499 are missing", "fact 500 is damaged (checksum)"]),
        ("DELETE FROM facts", ["its facts are missing"]),
        ("UPDATE shown SET lines = '' WHERE n = 7", ["what was shown for fact 7 is damaged (checksum)"]),
        ("UPDATE shown SET n = 900 WHERE n = 7", ["what was shown for fact 900 is damaged (checksum)",
                                                  "something was shown for fact 900, which is missing"]),
    ],
)  # fmt: skip
def test_a_row_that_changed_is_found_though_the_database_is_sound(tmp_path, game, statement, complaints):
    changed(tmp_path, statement)
    with Journal(tmp_path, readonly=True) as journal:
        found = [c for c in verify(journal) if "something was shown" not in c or complaints[-1] in c]
    assert found == [f"{game}: {complaint}" for complaint in complaints]


def test_facts_without_a_game_are_found(tmp_path, game):
    changed(tmp_path, "DELETE FROM games")
    with Journal(tmp_path, readonly=True) as journal:
        assert verify(journal) == ("game number 1 has facts but is not in the list",)


def test_a_damaged_fact_stops_the_reading_and_names_itself(tmp_path, game):
    changed(tmp_path, "UPDATE facts SET line = replace(line, 'play', 'pray') WHERE n = 3")
    with Journal(tmp_path, readonly=True) as journal:
        read = journal.facts(game)
        assert [next(read)[0], next(read)[0]] == [1, 2]
        with pytest.raises(JournalBroken) as broken:
            next(read)
    assert str(broken.value) == (
        f"{tmp_path / 'games.sqlite'}: {game}, fact 3 is damaged (checksum): `tablepi check {game}` says more"
    )


def test_a_line_that_is_no_fact_any_more_is_found_though_its_checksum_holds(tmp_path, begun, monkeypatch):
    with Journal(tmp_path) as journal:
        monkeypatch.setattr("tablepi.journal.store.facts.dumps", lambda line: '{"fact":"dance"}')
        game = begun(journal)
        monkeypatch.undo()
        (complaint,) = verify(journal)
        assert complaint.startswith(f'{game}: fact 1 is not a fact: unknown fact "dance"')
        with pytest.raises(JournalBroken, match='fact 1: unknown fact "dance"'):
            tuple(journal.facts(game))
        assert journal.games()[0].rules == "?"


def test_an_export_never_gives_a_fact_the_number_of_one_that_is_missing(tmp_path, game):
    changed(tmp_path, "DELETE FROM facts WHERE n = 2")
    with Journal(tmp_path, readonly=True) as journal, pytest.raises(BadInput, match="fact 2 is missing"):
        list(export_jsonl(journal, game))


def test_bits_that_rot_anywhere_never_give_other_facts_in_silence(tmp_path, game):
    path = tmp_path / "games.sqlite"
    sound = path.read_bytes()
    with Journal(tmp_path) as journal:
        lines = list(journal.lines(game))
    rot = random.Random(41)
    noticed = 0
    for _ in range(150):
        rotten = bytearray(sound)
        # Half of the flips in the first two pages: head, schema and the list of games.
        where = rot.randrange(8192 if rot.random() < 0.5 else len(sound))
        rotten[where] ^= 1 << rot.randrange(8)
        for old in tmp_path.glob("games.*"):
            old.unlink()
        path.write_bytes(rotten)
        try:
            with Journal(tmp_path) as journal:
                if journal.warnings or verify(journal):
                    noticed += 1
                else:
                    assert list(journal.lines(journal.last())) == lines, where
        except TablePiError:
            noticed += 1
    assert noticed > 20
