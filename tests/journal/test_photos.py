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


def test_the_facts_of_a_game_that_have_a_photo_are_listed_with_their_latest_files(tmp_path, begun):
    with Journal(tmp_path) as journal:
        game, other = begun(journal), begun(journal)
        for n in (12, 3, 100, 3):
            journal.keep_photo(game, n, jpeg(n))
        journal.keep_photo(other, 7, jpeg(7))
        listed = {n: path.name for n, path in journal.photographed(game).items()}
        assert listed == {
            3: f"0000000004_{game}_3.jpg", 12: f"0000000001_{game}_12.jpg", 100: f"0000000003_{game}_100.jpg",
        }  # fmt: skip
        assert list(listed) == [3, 12, 100]
        assert journal.photographed(other)[7].read_bytes() == jpeg(7)
        assert journal.photographed("2001-01-01-1") == {}


def test_a_store_without_photos_has_none_and_makes_no_folder_for_them(tmp_path, begun):
    with Journal(tmp_path) as journal:
        assert journal.photographed(begun(journal)) == {}
    assert not (tmp_path / "photos").exists()


def test_other_files_among_the_photos_are_neither_shown_nor_thrown_away(tmp_path, begun):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        journal.keep_photo(game, 3, jpeg(3))
    others = [tmp_path / "photos" / name for name in (f"IMG_{game}_4.jpg", "z_y_x.jpg", "notes.txt")]
    for path in others:
        path.write_bytes(jpeg(9))
    with Journal(tmp_path, most_photos=1) as journal:
        journal.keep_photo(game, 5, jpeg(5))
        assert [journal.photo(game, n) for n in (3, 4, 5)] == [None, None, jpeg(5)]
        assert list(journal.photographed(game)) == [5]
    assert [path.exists() for path in others] == [True, True, True]


@pytest.mark.parametrize("lost", ["damaged", "removed"])
def test_photos_of_a_record_that_is_gone_do_not_pass_for_those_of_a_new_game_of_that_day(tmp_path, begun, lost):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        journal.keep_photo(game, 3, jpeg(1))
    store = tmp_path / "games.sqlite"
    store.write_bytes(b"x" * 5000) if lost == "damaged" else store.unlink()
    with Journal(tmp_path) as journal:
        assert begun(journal) == game
        assert (journal.photo(game, 3), journal.photographed(game)) == (None, {})
        told = f"{tmp_path / 'photos'}: of games that are in no record here: set aside as photos.aside-1"
        assert journal.warnings[-1] == told
    assert [path.read_bytes() for path in (tmp_path / "photos.aside-1").iterdir()] == [jpeg(1)]
