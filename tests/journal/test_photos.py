"""Photographs of plays: kept beside the record, bounded, the oldest thrown away first."""

from __future__ import annotations

import pytest

from tablepi.journal import Journal, JournalBroken


def jpeg(mark: int, size: int = 100) -> bytes:
    return b"\xff\xd8" + bytes([mark]) * (size - 4) + b"\xff\xd9"


def test_a_photo_is_found_by_game_and_fact(tmp_path, begun):
    with Journal(tmp_path) as journal:
        game, other = begun(journal), begun(journal)
        assert journal.keep_photo(game, 3, jpeg(1)) is True
        found = [journal.photo(*at) for at in ((game, 3), (game, 33), (game, 4), (other, 3))]
    assert found == [jpeg(1), None, None, None]
    with Journal(tmp_path, readonly=True) as reader:
        assert reader.photo(game, 3) == jpeg(1)


def test_the_latest_photo_of_a_fact_counts(tmp_path, begun):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        for mark in range(12):
            journal.keep_photo(game, 3, jpeg(mark))
        assert journal.photo(game, 3) == jpeg(11)


@pytest.mark.parametrize(
    ("bounds", "left"),
    [({"most_photos": 3}, [8, 9, 10]), ({"most_photo_bytes": 250}, [9, 10]), ({"most_photos": 0}, [])],
)
def test_the_oldest_are_thrown_away_also_those_of_earlier_sessions(tmp_path, begun, bounds, left):
    with Journal(tmp_path, **bounds) as journal:
        game = begun(journal)
        for n in range(1, 6):
            journal.keep_photo(game, n, jpeg(n))
    with Journal(tmp_path, **bounds) as journal:
        for n in range(6, 11):
            journal.keep_photo(game, n, jpeg(n))
        assert [n for n in range(1, 11) if journal.photo(game, n)] == left


def test_a_photo_larger_than_all_may_be_is_not_kept_and_displaces_none(tmp_path, begun):
    with Journal(tmp_path, most_photo_bytes=300) as journal:
        game = begun(journal)
        journal.keep_photo(game, 1, jpeg(1))
        assert journal.keep_photo(game, 2, jpeg(2, size=301)) is False
        assert [journal.photo(game, 1), journal.photo(game, 2)] == [jpeg(1), None]


@pytest.mark.parametrize("left", [b"", jpeg(1)[:-3], bytes(100)], ids=["empty", "half", "zeros"])
def test_a_photo_that_a_power_cut_spoilt_is_none(tmp_path, begun, left):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        journal.keep_photo(game, 1, jpeg(1))
        (path,) = (tmp_path / "photos").iterdir()
        path.write_bytes(left)
        assert journal.photo(game, 1) is None


def test_a_photo_that_cannot_be_written_is_said(tmp_path, begun):
    (tmp_path / "photos").write_text("a file in its place")
    with Journal(tmp_path) as journal, pytest.raises(JournalBroken, match="photos: File exists"):
        journal.keep_photo(begun(journal), 1, jpeg(1))
