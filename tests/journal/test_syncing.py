"""Facts reach the disk behind the loop's back, and whoever must know waits for it."""

from __future__ import annotations

import errno
import shutil
import threading

import pytest

from tablepi.facts import Cleared
from tablepi.journal import Journal, JournalBroken, JournalFull, verify
from tablepi.journal.syncing import sync_to_disk

SOON = 10.0  # seconds after which a test gives up


class Disk:
    """A disk whose syncs wait for ``lets``; ``asked`` is set when one has begun. *broken* is what they raise."""

    def __init__(self, *, broken: OSError | None = None) -> None:
        self.asked = threading.Semaphore(0)
        self.lets = threading.Semaphore(0)
        self.broken = broken
        self.synced: list[str] = []

    def __call__(self, path):
        self.asked.release()
        assert self.lets.acquire(timeout=SOON)
        if self.broken:
            raise self.broken
        self.synced.append(path.name)

    def let(self, syncs=1):
        self.lets.release(syncs)


def test_append_does_not_wait_for_the_disk_but_wait_synced_does(tmp_path, begun):
    disk = Disk()
    with Journal(tmp_path, sync=disk, linger_s=0) as journal:
        assert disk.asked.acquire(timeout=SOON)  # what a killed owner may have left is synced first
        game = begun(journal, Cleared(), Cleared())  # returns although the disk stands still
        assert (len(tuple(journal.facts(game))), disk.synced) == (3, [])
        assert journal.wait_synced(0) is False
        woken = threading.Event()
        waits = threading.Thread(target=lambda: journal.wait_synced(SOON) and woken.set())
        waits.start()
        disk.let(2)  # the sync that had begun before the facts were appended, and the folder's
        assert disk.asked.acquire(timeout=SOON)
        assert disk.asked.acquire(timeout=SOON)  # now the one that covers them has begun …
        assert not woken.is_set()  # … and nobody says that they are safe
        disk.let()
        assert woken.wait(SOON)
        waits.join(SOON)
        assert disk.synced == ["games.sqlite-wal", tmp_path.name, "games.sqlite-wal"]
        disk.let(10)


def test_a_burst_of_facts_costs_one_sync(tmp_path, begun):
    disk = Disk()
    disk.let(100)
    with Journal(tmp_path, sync=disk, linger_s=SOON) as journal:
        begun(journal, *[Cleared()] * 50)
        assert journal.wait_synced(SOON) is True
        assert disk.synced == ["games.sqlite-wal", tmp_path.name]


def test_a_fact_is_synced_without_anyone_waiting(tmp_path, begun):
    disk = Disk()
    with Journal(tmp_path, sync=disk, linger_s=0) as journal:
        disk.let(2)
        assert journal.wait_synced(SOON)
        begun(journal)
        for _ in range(3):
            assert disk.asked.acquire(timeout=SOON)
        disk.let(10)


def test_after_wait_synced_the_disk_holds_every_fact(tmp_path, begun, plays):
    (tmp_path / "store").mkdir()

    def pull_the_plug_after(path):
        sync_to_disk(path)
        if path.name.endswith("-wal"):  # what a disk that keeps nothing but what was synced would hold now
            shutil.rmtree(tmp_path / "disk", ignore_errors=True)
            (tmp_path / "disk").mkdir()
            for name in ("games.sqlite", "games.sqlite-wal"):
                shutil.copyfile(tmp_path / "store" / name, tmp_path / "disk" / name)

    with Journal(tmp_path / "store", sync=pull_the_plug_after) as journal:
        game = begun(journal, *plays)
        assert journal.wait_synced(SOON)
        kept = tuple(journal.facts(game))
        with Journal(tmp_path / "disk") as after:
            assert (tuple(after.facts(game)), after.warnings, verify(after)) == (kept, (), ())


def test_leaving_the_journal_waits_for_the_disk(tmp_path, begun):
    disk = Disk()
    disk.let(100)
    with Journal(tmp_path, sync=disk, linger_s=SOON) as journal:
        begun(journal, Cleared())
    assert disk.synced == ["games.sqlite-wal", tmp_path.name]


@pytest.mark.parametrize(
    ("error", "kind"),
    [(OSError(errno.EIO, "Input/output error"), JournalBroken), (OSError(errno.ENOSPC, "No space left"), JournalFull)],
)
def test_a_sync_that_failed_is_never_forgotten(tmp_path, begun, error, kind):
    disk = Disk(broken=error)
    disk.let(100)
    journal = Journal(tmp_path, sync=disk, linger_s=0)
    with pytest.raises(kind) as at_the_end, journal:  # noqa: PT012 (leaving the journal raises)
        game = begun(journal)
        with pytest.raises(kind) as waited:
            journal.wait_synced(SOON)
        disk.broken = None  # the next sync would succeed, and lie
        assert journal.append(game, Cleared(), mono=1.0) == 2  # kept against a crash all the same
        with pytest.raises(kind):
            journal.wait_synced(SOON)
        assert journal.trouble == str(waited.value)
    assert str(at_the_end.value).startswith(f"{tmp_path / 'games.sqlite'}: {error.strerror}: ")
    with Journal(tmp_path) as journal:
        assert (len(tuple(journal.facts(game))), journal.trouble) == (2, None)


def test_a_long_wal_is_taken_into_the_database_at_the_end_of_a_hand(tmp_path, begun):
    wal = tmp_path / "games.sqlite-wal"
    with Journal(tmp_path, linger_s=SOON) as journal:
        game = begun(journal)
        for _ in range(50):
            journal.append(game, Cleared(source="x" * 100_000), mono=1.0)
        long = wal.stat().st_size
        assert journal.wait_synced(SOON)
        journal._syncer.stop()
        assert (long > 5_000_000, wal.stat().st_size < 100_000, verify(journal)) == (True, True, ())
        assert len(tuple(journal.facts(game))) == 51
