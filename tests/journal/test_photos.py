"""Photographs of plays: kept beside the record, bounded, the oldest thrown away first."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from tablepi.facts import Play
from tablepi.journal import Journal, JournalBroken, JournalFull, read_photo, verify
from tablepi.journal.photos import LARGEST


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


# --- what is not ours -------------------------------------------------------------------------------------------------


def lay_strange_things(photos: Path, game: str) -> dict[str, Path]:
    """What people and programs leave in a folder of photographs, some of it under names that look like ours."""
    outside = photos.parent / "outside.jpg"
    outside.write_bytes(jpeg(9))
    laid = {
        "a folder": photos / f"0000000001_{game}_11.jpg",
        "a dead link": photos / f"0000000001_{game}_12.jpg",
        "a link": photos / f"0000000001_{game}_13.jpg",
        "a pipe": photos / f"0000000001_{game}_14.jpg",
        "a huge file": photos / f"0000000001_{game}_15.jpg",
        "another name": photos / f"0000000001_{game}_16.jpg~",
        "a copy": photos / f"0000000001_{game}_17 (1).jpg",
        "another game": photos / "0000000001_a-game_18.jpg",
        "no number": photos / f"latest_{game}_19.jpg",
        "a name that is no text": photos / os.fsdecode(b"0000000001_\xff_20.jpg"),
        "figures of another script": photos / f"٠٠٠٠٠٠٠٠٠١_{game}_21.jpg",
    }
    laid["a folder"].mkdir()
    (laid["a folder"] / "inside").write_text("kept")
    laid["a dead link"].symlink_to("nowhere")
    laid["a link"].symlink_to(outside)
    os.mkfifo(laid["a pipe"])
    with laid["a huge file"].open("wb") as file:
        file.write(b"\xff\xd8")
        file.truncate(100 * LARGEST)
    for what in ("another name", "a copy", "another game", "no number", "a name that is no text",
                 "figures of another script"):  # fmt: skip
        laid[what].write_bytes(jpeg(9))
    return laid


def test_whatever_else_lies_among_the_photos_is_neither_read_nor_counted_nor_thrown_away(tmp_path, begun):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        journal.keep_photo(game, 3, jpeg(3))
    laid = lay_strange_things(tmp_path / "photos", game)
    with Journal(tmp_path, most_photos=2, most_photo_bytes=1000) as journal:
        for n in (4, 5, 6):
            assert journal.keep_photo(game, n, jpeg(n)) is True
        assert list(journal.photographed(game)) == [5, 6]
        assert [journal.photo(game, n) for n in (5, 6, *range(11, 22))] == [jpeg(5), jpeg(6)] + [None] * 11
    assert [what for what, path in laid.items() if not os.path.lexists(path)] == []
    assert (laid["a folder"] / "inside").read_text() == "kept"


def test_what_takes_the_name_of_a_photo_later_is_neither_waited_for_nor_thrown_away(tmp_path, begun):
    with Journal(tmp_path, most_photos=3) as journal:
        game = begun(journal)
        for n in (1, 2, 3):
            journal.keep_photo(game, n, jpeg(n))
        first, second, third = journal.photographed(game).values()
        for path in (first, second, third):
            path.unlink()
        first.mkdir()
        os.mkfifo(second)
        third.symlink_to(tmp_path / "outside.jpg")
        assert [read_photo(path) for path in (first, second)] == [None, None]
        with pytest.raises(JournalBroken, match="Too many levels of symbolic links"):
            read_photo(third)
        for n in (4, 5, 6):
            assert journal.keep_photo(game, n, jpeg(n)) is True
        assert list(journal.photographed(game)) == [4, 5, 6]
    assert [os.path.lexists(path) for path in (first, second, third)] == [True, True, True]


def test_a_number_with_more_figures_than_ours_is_still_the_latest(tmp_path, begun):
    with Journal(tmp_path) as journal:
        game = begun(journal)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / f"9999999999_{game}_3.jpg").write_bytes(jpeg(3))
    with Journal(tmp_path, most_photos=2) as journal:
        for n in (4, 5):
            journal.keep_photo(game, n, jpeg(n))
        names = [path.name for path in journal.photographed(game).values()]
    assert names == [f"10000000000_{game}_4.jpg", f"10000000001_{game}_5.jpg"]


def test_a_photo_that_a_killed_process_left_half_written_is_cleared_away_at_the_next_start(tmp_path, begun):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        journal.keep_photo(game, 3, jpeg(3))
    half = tmp_path / "photos" / f".0000000002_{game}_4.jpg.4711.part"
    half.write_bytes(jpeg(4)[:50])
    (tmp_path / "photos" / ".hidden.part").write_text("not ours")
    with Journal(tmp_path) as journal:
        assert list(journal.photographed(game)) == [3]
    assert sorted(path.name for path in (tmp_path / "photos").iterdir()) == [".hidden.part", f"0000000001_{game}_3.jpg"]


# --- a disk that fills up ---------------------------------------------------------------------------------------------


def test_the_last_room_on_a_disk_is_left_to_the_facts(tmp_path, begun, plays, noon):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        journal.keep_photo(game, 1, jpeg(1))
    with Journal(tmp_path, photos_leave_free=1 << 60) as journal:
        journal.resume(game, wall=noon, mono=0.0)
        with pytest.raises(JournalFull) as full:
            journal.keep_photo(game, 2, jpeg(2))
        assert journal.append(game, plays[0], mono=1.0) == 2
        assert journal.photographed(game).keys() == {1}
    assert str(full.value) == (
        f"{tmp_path / 'photos'}: the last room on the disk is left to the record: free some space, or give another "
        "folder with --store"
    )


def test_a_record_that_has_no_room_takes_a_megabyte_of_the_oldest_photos_for_each_fact_it_misses(
    tmp_path, begun, plays
):
    with Journal(tmp_path) as journal:
        game = begun(journal)
        for n in range(1, 31):
            journal.keep_photo(game, n, jpeg(n, 100_000))
        (pages,) = journal._store.execute("PRAGMA page_count").fetchone()
        journal._store.execute(f"PRAGMA max_page_count = {pages}")  # SQLite says that the disk is full
        until_full(lambda _: journal.append(game, plays[0], mono=1.0))
        assert list(journal.photographed(game)) == list(range(11, 31))
        with pytest.raises(JournalFull):
            journal.append(game, plays[0], mono=1.0)
        assert list(journal.photographed(game)) == list(range(21, 31))
        journal._store.execute("PRAGMA max_page_count = 1000000")
        last = journal.append(game, plays[0], mono=1.0)
        assert [n for n, _ in journal.facts(game)] == list(range(1, last + 1))


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of 6 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", disk], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs the right to mount a disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_photos_give_way_to_facts_on_a_full_disk_the_oldest_first(small_disk, begun, plays):
    with Journal(small_disk, photos_leave_free=0) as journal:
        game = begun(journal)
        kept = until_full(lambda n: journal.keep_photo(game, n, jpeg(7, 100_000)))
        assert not list((small_disk / "photos").glob(".*"))  # no half one takes room
        before = journal.photographed(game).keys()
        facts = 1
        while journal.photographed(game).keys() == before:  # the room that was left, below the size of a photograph
            facts = journal.append(game, plays[facts % len(plays)], mono=1.0)
        left = list(journal.photographed(game))
        assert left == list(range(kept - len(left) + 1, kept + 1))
        assert len(before) - len(left) == 10  # a megabyte
        journal.append(game, Play(seat=0, card=plays[0].card), mono=1.0)
        assert [n for n, _ in journal.facts(game)] == list(range(1, facts + 2))
        assert verify(journal) == ()


def test_a_table_that_is_begun_on_a_full_disk_takes_the_room_from_the_oldest_photos(small_disk, begun, plays, noon):
    with Journal(small_disk, photos_leave_free=0) as journal:
        game = begun(journal)
        kept = until_full(lambda n: journal.keep_photo(game, n, jpeg(7, 100_000)))
    fill(small_disk)
    with pytest.raises(JournalFull) as full, Journal(small_disk, readonly=True):
        pass
    assert str(full.value) == (
        f"{small_disk / 'games.sqlite'}: its disk is full: free some space, or give another folder with --store"
    )
    with Journal(small_disk) as journal:
        journal.resume(game, wall=noon, mono=0.0)
        assert journal.append(game, plays[0], mono=1.0) == 2
        assert list(journal.photographed(game)) == list(range(11, kept + 1))
        assert (journal.warnings, verify(journal)) == ((), ())


def test_photos_on_another_disk_do_not_give_way_for_nothing(tmp_path, small_disk, begun, plays):
    store = small_disk / "store"
    store.mkdir()
    with Journal(store):
        pass
    (tmp_path / "photos").mkdir()
    (store / "photos").symlink_to(tmp_path / "photos")
    with Journal(store) as journal:
        game = begun(journal)
        journal.keep_photo(game, 1, jpeg(1))
        (small_disk / "ballast").write_bytes(bytes(1_000_000))
        until_full(lambda _: journal.append(game, plays[0], mono=1.0))
        assert journal.photo(game, 1) == jpeg(1)
        (small_disk / "ballast").unlink()
        assert journal.append(game, plays[1], mono=1.0) > 1


def until_full(write: Callable[[int], object]) -> int:
    """How often *write* went well before the disk was full."""
    for number in count(1):
        try:
            write(number)
        except JournalFull:
            return number - 1
    raise AssertionError


def fill(disk: Path) -> None:
    """Write to *disk* until there is no room."""
    with (disk / "rest").open("wb", buffering=0) as rest, suppress(OSError):
        while True:
            rest.write(bytes(4096))
