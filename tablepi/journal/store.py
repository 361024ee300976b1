"""The record of the table's games: one SQLite file, one writer, as many readers as like.

Rows are only ever added. The order of a game's facts is *n*, counted from 1, and nothing else: a table without a clock
chip wakes up in the past and jumps hours when the network comes, so the wall clock is written once a session, for
people, and sorts nothing; monotonic seconds are kept beside each fact, with the boot they belong to.

Damage is looked for at two levels. SQLite's own check finds broken pages when the store is opened; the rows' checksums
find what it cannot: bits that changed inside a line. The checksums are not chained from row to row: the WAL's frames
are, which settles torn ends; a missing row shows as a gap in *n*; and a chain would cast doubt on all that follows one
bad row, when each of those can vouch for itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from .. import facts
from ..errors import BadInput, Missing
from ..facts import Fact, Match, NotAFact
from .errors import JournalBroken, JournalFull, means_damage, translated, translated_os
from .photos import LEFT_FREE, Photos
from .syncing import Syncer, sync_to_disk

SCHEMA = 1
"""Version of the tables below. A store of a newer one is left alone."""

_APPLICATION = 0x54506931  # "TPi1", so that another program's database is not taken for ours
_FILE = "games.sqlite"
_PHOTOS = "photos"
_TABLES = {
    "games": """CREATE TABLE games (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, started TEXT NOT NULL, format INTEGER NOT NULL,
        closed TEXT) STRICT""",
    "sessions": """CREATE TABLE sessions (
        session INTEGER PRIMARY KEY, game INTEGER NOT NULL, wall TEXT NOT NULL, clock_synced INTEGER, boot TEXT,
        mono REAL NOT NULL) STRICT""",
    "facts": """CREATE TABLE facts (
        game INTEGER NOT NULL, n INTEGER NOT NULL, session INTEGER NOT NULL, mono REAL NOT NULL, line TEXT NOT NULL,
        crc INTEGER NOT NULL, PRIMARY KEY (game, n)) WITHOUT ROWID, STRICT""",
    "shown": """CREATE TABLE shown (
        game INTEGER NOT NULL, n INTEGER NOT NULL, part INTEGER NOT NULL, lines TEXT NOT NULL, crc INTEGER NOT NULL,
        PRIMARY KEY (game, n, part)) WITHOUT ROWID, STRICT""",
}
_BUSY_S = 2.0
_WAL_WORTH_A_CHECKPOINT = 4_000_000  # bytes: about four hands
_ROOM_FOR_FACTS = 1_000_000  # bytes that photographs make on a full disk: some hundred hands
_FACT_ROWS = "SELECT n, session, mono, CAST(line AS BLOB), crc FROM facts WHERE game = ? ORDER BY n"
_SHOWN_ROWS = "SELECT n, part, CAST(lines AS BLOB), crc FROM shown WHERE game = ? ORDER BY n, part"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry:
    """One game in the list. *started* is wall-clock text; *state* is ``open`` or ``over``, *reason* why it is over."""

    id: str
    rules: str
    players: tuple[str, ...]
    started: str
    facts: int
    state: str
    reason: str | None


P = ParamSpec("P")
T = TypeVar("T")


def _with_room(write: Callable[Concatenate[Journal, P], T]) -> Callable[Concatenate[Journal, P], T]:
    """*write*, for which the oldest photographs give way when the disk is full: then it is tried once more."""

    @functools.wraps(write)
    def with_room(journal: Journal, /, *args: P.args, **named: P.kwargs) -> T:
        try:
            return write(journal, *args, **named)
        except JournalFull:
            if not journal._photos.give_way(_ROOM_FOR_FACTS):
                raise
        return write(journal, *args, **named)

    return with_room


class Journal:
    """The games kept in *folder*: ``with Journal(folder) as journal: …``.

    For writing, one process owns the store at a time (JournalBroken names the other); a killed owner leaves no lock
    behind. ``readonly=True`` opens it beside a writer; ``beside=True`` begins games beside one that is still open, and
    leaves that open. Use it from the thread that opened it.

    Opening raises BadInput for a store that is newer or another program's, Missing for a folder that cannot be used,
    JournalFull and JournalBroken for a file that cannot. A damaged store is set aside under another name and said so in
    ``warnings``; read-only, it raises JournalBroken.
    """

    def __init__(
        self,
        folder: Path,
        *,
        readonly: bool = False,
        beside: bool = False,
        sync: Callable[[Path], None] = sync_to_disk,
        linger_s: float = 0.03,
        most_photos: int = 5_000,
        most_photo_bytes: int = 200_000_000,
        photos_leave_free: int = LEFT_FREE,
    ) -> None:
        self.folder = folder
        self.path = folder / _FILE
        self.readonly = readonly
        self._beside = beside
        self.warnings: tuple[str, ...] = ()
        self._sync = sync
        self._linger_s = linger_s
        self._photos = Photos(
            folder / _PHOTOS, most=most_photos, most_bytes=most_photo_bytes, left_free=photos_leave_free
        )
        self._sessions: dict[str, tuple[int, int]] = {}  # game id -> its number, our session
        self._folder_synced = False
        self._open: contextlib.ExitStack | None = None
        self._store: sqlite3.Connection
        self._syncer: Syncer

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as opened:
            if self.readonly:
                self._store = opened.enter_context(contextlib.closing(self._open_readonly()))
            else:
                opened.enter_context(_owned(self.folder))
                self._store = opened.enter_context(contextlib.closing(self._open_for_writing()))
                self._syncer = Syncer(self._sync_now, tidy=self._checkpoint, linger_s=self._linger_s)
                self._syncer.start()
                # What an owner that was killed had committed may not have reached the disk.
                self._syncer.committed()
                self._photos.prepare()
            self._open = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._open is not None
        with self._open:
            if not self.readonly and not self._syncer.stop() and error is None:
                raise self._unsynced()
        self._open = None

    # --- writing ---------------------------------------------------------------------------------------------------

    @_with_room
    def begin(
        self, match: Match, *, wall: datetime, mono: float, boot: str | None = None, clock_synced: bool | None = None
    ) -> str:
        """Begin a game with its match fact, which is fact 1; the id comes back, such as ``2026-11-30-1``.

        *wall* names the game and is shown to people; *mono* is monotonic seconds, *boot* the kernel's boot id. A game
        that is still open is closed, unless this journal is ``beside`` it: one table plays one match. Raises
        JournalFull, JournalBroken.
        """
        with self._writing():
            if not self._beside:
                self._store.execute("UPDATE games SET closed = 'left for a new game' WHERE closed IS NULL")
            game = self._new_game(wall, closed=None)
            session = self._new_session(game, wall=wall, mono=mono, boot=boot, clock_synced=clock_synced)
            number = self._number(game)
            self._add(number, 1, _line(match), session=session, mono=mono)
        self._sessions[game] = number, session
        return game

    @_with_room
    def resume(
        self, game: str, *, wall: datetime, mono: float, boot: str | None = None, clock_synced: bool | None = None
    ) -> None:
        """Go on with *game* in this process: facts may be appended from now on."""
        number = self._number(game)
        with self._writing():
            session = self._new_session(game, wall=wall, mono=mono, boot=boot, clock_synced=clock_synced)
        self._sessions[game] = number, session

    @_with_room
    def append(self, game: str, fact: Fact, *, mono: float) -> int:
        """Commit *fact* and return its n. On return a crash of the process cannot lose it; ``wait_synced`` is for the
        plug. On a full disk the oldest photographs give way, as for all that is written here. Raises JournalFull,
        JournalBroken: then it was not kept, and no n is used up."""
        if isinstance(fact, Match):
            raise BadInput(f"{game}: a game holds one match: begin another for the next")
        if game not in self._sessions:
            raise ValueError(f"{game}: begin or resume it first")
        number, session = self._sessions[game]
        line = _line(fact)
        with self._writing():
            n: int
            (n,) = self._store.execute("SELECT coalesce(max(n), 0) + 1 FROM facts WHERE game = ?", [number]).fetchone()
            self._add(number, n, line, session=session, mono=mono)
        return n

    def shown(self, game: str, n: int, lines: Iterable[Mapping[str, Any]]) -> None:
        """Keep what was shown in answer to fact *n*: the rulings and events, in their order; none is worth keeping too
        (it says that nothing was shown). Raises JournalFull, JournalBroken."""
        number = self._number(game)
        text = "\n".join(_encodable(facts.dumps(line)) for line in lines)
        self._show(number, n, text)

    @_with_room
    def close(self, game: str, reason: str) -> None:
        """Mark *game* as over. It can still be read, and corrected."""
        number = self._number(game)
        with self._writing():
            self._store.execute("UPDATE games SET closed = ? WHERE number = ?", [reason, number])

    def add_finished(self, lines: Iterable[Fact], *, wall: datetime, reason: str) -> str:
        """Keep a whole game that was played elsewhere, or nothing of it; its id comes back. Fact *n* is the nth."""
        with self._writing():
            game = self._new_game(wall, closed=reason)
            number = self._number(game)
            session = self._new_session(game, wall=wall, mono=0.0, boot=None, clock_synced=None)
            for n, fact in enumerate(lines, 1):
                self._add(number, n, _line(fact), session=session, mono=0.0)
        return game

    def wait_synced(self, timeout: float) -> bool:
        """Wait until all that was written before this call is on the disk; False when *timeout* seconds were not
        enough. Raises JournalBroken when the disk refused."""
        synced = self._syncer.wait(timeout)
        if self._syncer.error is not None:
            raise self._unsynced()
        return synced

    @property
    def trouble(self) -> str | None:
        """Why facts no longer reach the disk, for the screen; None while they do. What is appended meanwhile survives
        the process, not the plug."""
        if self.readonly or self._syncer.error is None:
            return None
        return str(self._unsynced())

    def keep_photo(self, game: str, n: int, jpeg: bytes) -> bool:
        """Keep the JPEG crop that proves fact *n*, throwing the oldest away when there are too many; False when it
        alone is over the bound. Raises JournalFull, also when only the room that is left to the facts is free, and
        JournalBroken."""
        return self._photos.keep(game, n, jpeg)

    # --- reading ---------------------------------------------------------------------------------------------------

    def photo(self, game: str, n: int) -> bytes | None:
        """The JPEG that proves fact *n*, or None (never taken, or pruned)."""
        return self._photos.find(game, n)

    def photographed(self, game: str) -> dict[int, Path]:
        """The facts of *game* that have a photograph: each n, in order, with its file for ``read_photo``."""
        return self._photos.files(game)

    def facts(self, game: str) -> Iterator[tuple[int, Fact]]:
        """The facts of *game* in order, each with its n. Raises JournalBroken at the first that is damaged, BadInput
        for a game written by a newer tablepi."""
        for n, line in self.lines(game):
            try:
                yield n, facts.parse(line)
            except NotAFact as error:
                raise JournalBroken(
                    f"{self.path}: {game}, fact {n}: {error}: `tablepi check {game}` says more"
                ) from None

    def lines(self, game: str) -> Iterator[tuple[int, str]]:
        """The facts of *game* as the JSON text that was kept, each with its n."""
        number = self._number(game)
        ((written_as,),) = self._rows("SELECT format FROM games WHERE number = ?", number)
        if written_as > facts.FORMAT:
            raise BadInput(
                f"{game} was written in format {written_as}; this tablepi reads up to {facts.FORMAT}: update it"
            )
        for n, session, mono, line, crc in self._rows(_FACT_ROWS, number):
            if _crc(number, n, f"{session} {mono!r}", line) != crc:
                raise JournalBroken(
                    f"{self.path}: {game}, fact {n} is damaged (checksum): `tablepi check {game}` says more"
                )
            yield n, line.decode()

    def as_shown(self, game: str) -> Iterator[tuple[int, tuple[dict[str, Any], ...]]]:
        """What was shown in answer to each fact, with its n, in order. A fact is left out when nothing was noted for it
        (the process died in between, or the game was imported); ``()`` says that nothing was shown."""
        number = self._number(game)
        noted: dict[int, tuple[dict[str, Any], ...]] = {}
        for n, part, lines, crc in self._rows(_SHOWN_ROWS, number):
            if _crc(number, n, part, lines) != crc:
                raise JournalBroken(f"{self.path}: {game}, what was shown for fact {n} is damaged (checksum)")
            noted[n] = noted.get(n, ()) + tuple(json.loads(line) for line in lines.decode().split("\n") if line)
        yield from noted.items()

    def shown_lines(self, game: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every line that was shown, with the n of the fact it answered, in order."""
        for n, lines in self.as_shown(game):
            for line in lines:
                yield n, line

    def games(self) -> tuple[GameEntry, ...]:
        """All games in the order they were begun. One whose match fact is damaged is listed with rules ``?``."""
        found = self._rows(
            "SELECT id, started, closed, (SELECT count(*) FROM facts WHERE game = number) FROM games ORDER BY number"
        )
        entries = []
        for game, started, closed, count in found:
            match = self._match(game)
            entries.append(
                GameEntry(
                    id=game,
                    rules=match.rules if match else "?",
                    players=match.players if match else (),
                    started=started,
                    facts=count,
                    state="open" if closed is None else "over",
                    reason=closed,
                )
            )
        return tuple(entries)

    def find(self, name: str) -> str:
        """The id that *name* means: an id, or ``last``. Raises BadInput that names the games there are."""
        known = [game for (game,) in self._rows("SELECT id FROM games ORDER BY number")]
        if name == "last" and known:
            return str(known[-1])
        if name not in known:
            some = f"the latest are {', '.join(known[-5:])}" if known else "no game has been played yet"
            raise BadInput(f"{name}: no such game in {self.folder}: {some}; `tablepi games` lists all")
        return name

    def last(self) -> str | None:
        """The game that was begun last, or None."""
        found = self._rows("SELECT id FROM games ORDER BY number DESC LIMIT 1")
        return str(found[0][0]) if found else None

    def unfinished(self) -> str | None:
        """The game to resume: the one that was never closed, or None."""
        found = self._rows("SELECT id FROM games WHERE closed IS NULL ORDER BY number DESC LIMIT 1")
        return str(found[0][0]) if found else None

    def complaints(self) -> Iterator[str]:
        """What is wrong with the store, one sentence each: pages, checksums, gaps, lines that are no facts."""
        for (said,) in self._rows("PRAGMA integrity_check"):
            if said != "ok":
                yield f"{self.path}: {said}"
        games = self._rows("SELECT number, id FROM games ORDER BY number")
        for number, game in games:
            yield from self._complaints_of(number, game)
        for (number,) in self._rows("SELECT game FROM facts UNION SELECT game FROM shown"):
            if number not in dict(games):
                yield f"game number {number} has facts but is not in the list"

    # --- inside ----------------------------------------------------------------------------------------------------

    def _complaints_of(self, number: int, game: str) -> Iterator[str]:
        expected = 1
        for n, session, mono, line, crc in self._rows(_FACT_ROWS, number):
            if n != expected:
                yield f"{game}: facts {expected} to {n - 1} are missing"
            expected = n + 1
            if _crc(number, n, f"{session} {mono!r}", line) != crc:
                yield f"{game}: fact {n} is damaged (checksum)"
                continue
            try:
                fact = facts.parse(line.decode())
            except NotAFact as error:
                yield f"{game}: fact {n} is not a fact: {error}"
                continue
            if isinstance(fact, Match) is not (n == 1):
                yield f"{game}: fact {n} is {fact.kind}: a game begins with its match and has one"
        if expected == 1:
            yield f"{game}: its facts are missing"
        for n, part, lines, crc in self._rows(_SHOWN_ROWS, number):
            if _crc(number, n, part, lines) != crc:
                yield f"{game}: what was shown for fact {n} is damaged (checksum)"
            if not 1 <= n < expected:
                yield f"{game}: something was shown for fact {n}, which is missing"

    def _match(self, game: str) -> Match | None:
        try:
            _, first = next(self.facts(game))
        except (StopIteration, BadInput, JournalBroken):
            return None
        return first if isinstance(first, Match) else None

    def _rows(self, query: str, *values: object) -> list[Any]:
        # All at once: a statement left half read would hold an old view of the store and keep the WAL from shrinking.
        try:
            return self._store.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise translated(error, self.path) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        if self.readonly:
            raise ValueError("opened for reading only")
        try:
            self._store.execute("BEGIN IMMEDIATE")
            yield
            self._store.execute("COMMIT")
        except BaseException as error:
            # SQLite rolls back by itself after some errors, and a rollback can meet the same full disk.
            with contextlib.suppress(sqlite3.Error):
                if self._store.in_transaction:
                    self._store.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise translated(error, self.path) from error
            raise
        self._syncer.committed()

    def _new_game(self, wall: datetime, *, closed: str | None) -> str:
        day = wall.date().isoformat()
        taken = self._store.execute("SELECT id FROM games WHERE id GLOB ?", [day + "-*"]).fetchall()
        counted = (game[len(day) + 1 :] for (game,) in taken)
        number = max((int(text) for text in counted if text.isdecimal()), default=0) + 1
        game = f"{day}-{number}"
        self._store.execute(
            "INSERT INTO games (id, started, format, closed) VALUES (?, ?, ?, ?)",
            [game, wall.isoformat(timespec="seconds"), facts.FORMAT, closed],
        )
        return game

    def _new_session(
        self, game: str, *, wall: datetime, mono: float, boot: str | None, clock_synced: bool | None
    ) -> int:
        session = self._store.execute(
            "INSERT INTO sessions (game, wall, clock_synced, boot, mono) VALUES (?, ?, ?, ?, ?)",
            [self._number(game), wall.isoformat(timespec="seconds"), clock_synced, boot, float(mono)],
        ).lastrowid
        assert session is not None
        return session

    @_with_room
    def _show(self, number: int, n: int, text: str) -> None:
        with self._writing():
            (part,) = self._store.execute(
                "SELECT coalesce(max(part), 0) + 1 FROM shown WHERE game = ? AND n = ?", [number, n]
            ).fetchone()
            crc = _crc(number, n, part, text.encode())
            self._store.execute("INSERT INTO shown VALUES (?, ?, ?, ?, ?)", [number, n, part, text, crc])

    def _add(self, number: int, n: int, line: str, *, session: int, mono: float) -> None:
        mono = float(mono)
        crc = _crc(number, n, f"{session} {mono!r}", line.encode())
        self._store.execute("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?)", [number, n, session, mono, line, crc])

    def _number(self, game: str) -> int:
        if game in self._sessions:
            return self._sessions[game][0]
        found = self._rows("SELECT number FROM games WHERE id = ?", game)
        if not found:
            self.find(game)  # it says which games there are
        number: int = found[0][0]
        return number

    def _unsynced(self) -> JournalBroken:
        error = self._syncer.error
        if error is None:
            return JournalBroken(f"{self.path}: the disk does not answer: the last facts may not survive a power cut")
        return translated_os(error, self.path)

    def _sync_now(self) -> None:
        """Runs in the syncer's thread."""
        wal = Path(f"{self.path}-wal")
        self._sync(wal)
        if not self._folder_synced:  # the WAL's own name must be on the disk too, once
            self._sync(self.folder)
            self._folder_synced = True

    def _checkpoint(self) -> None:
        """Move a WAL that has grown long into the database. Runs in the syncer's thread, between hands.

        A failure is no loss: the facts lie safely in the WAL, and the next hand tries again.
        """
        with contextlib.suppress(sqlite3.Error, OSError):
            if Path(f"{self.path}-wal").stat().st_size < _WAL_WORTH_A_CHECKPOINT:
                return
            with contextlib.closing(_connected(self.path, "rw")) as store:
                store.execute("PRAGMA wal_checkpoint(PASSIVE)")
                # The first write after a complete checkpoint begins the WAL anew and syncs its head: better here than
                # under the first card of the next hand.
                store.execute(f"PRAGMA user_version = {SCHEMA}")

    def _open_readonly(self) -> sqlite3.Connection:
        if not self.folder.is_dir():
            raise Missing(f"{self.folder}: no such folder: name another with --store")
        if not self.path.exists():
            empty = sqlite3.connect(":memory:", isolation_level=None)
            for table in _TABLES.values():
                empty.execute(table)
            return empty
        try:
            damage = _damage(self.path)
            if damage is None:
                return _connected(self.path, "ro")
        except sqlite3.Error as error:
            raise translated(error, self.path) from error
        raise JournalBroken(f"{self.path}: {damage}: the store is damaged; the next `tablepi run` sets it aside")

    @_with_room
    def _open_for_writing(self) -> sqlite3.Connection:
        try:
            if self.path.exists():
                damage = _damage(self.path)
            elif Path(f"{self.path}-wal").exists():
                damage = "only its WAL is left"  # which would be laid over the new store
            else:
                damage = None
            if damage is not None:
                aside = self._set_aside()
                self.warnings += (f"{self.path}: {damage}: set aside as {aside.name}; a new store was begun",)
            if not self.path.exists():
                self._set_photos_aside()
                _create(self.path)
            store = _connected(self.path, "rw")
            # Checkpoints are for the syncer's thread, between hands: one here would stall the loop.
            store.execute("PRAGMA wal_autocheckpoint = 0")
            store.execute("SELECT count(*) FROM games").fetchone()
        except sqlite3.Error as error:
            raise translated(error, self.path) from error
        except OSError as error:
            raise translated_os(error, self.path) from error
        return store

    def _set_aside(self) -> Path:
        number = 1
        while any(self.folder.glob(f"games.damaged-{number}.sqlite*")):
            number += 1
        aside = self.folder / f"games.damaged-{number}.sqlite"
        # The database goes last: a WAL that is left without one is set aside at the next start, while a database that
        # has lost its WAL would pass for a sound one.
        for suffix in ("-shm", "-wal", ""):
            with contextlib.suppress(FileNotFoundError):
                Path(f"{self.path}{suffix}").rename(f"{aside}{suffix}")
        return aside

    def _set_photos_aside(self) -> None:
        """Photographs are found by the names of games, and a new store gives those of the day again: what lies there
        would pass for evidence in another game."""
        photos, number = self.folder / _PHOTOS, 1
        if not photos.is_dir():
            return
        while (aside := self.folder / f"{_PHOTOS}.aside-{number}").exists():
            number += 1
        with contextlib.suppress(OSError):  # better a table that plays
            photos.rename(aside)
            self.warnings += (f"{photos}: of games that are in no record here: set aside as {aside.name}",)


@contextlib.contextmanager
def _owned(folder: Path) -> Iterator[None]:
    """Own *folder* for writing. The lock is the kernel's and goes with the process, however it ends."""
    path = folder / "lock"
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise Missing(f"{path}: {error.strerror}: run as the folder's owner or name another with --store") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip()
            who = f"process {holder}" if holder else "another process"
            raise JournalBroken(
                f"{folder}: {who} is using this store: stop it, or play with another store (--store)"
            ) from None
        except OSError as error:
            raise Missing(f"{path}: {error.strerror}: name a folder on a local disk with --store") from None
        with contextlib.suppress(OSError):  # on a full disk the message is poorer, the lock as good
            os.truncate(lock, 0)
            os.pwrite(lock, str(os.getpid()).encode(), 0)
        yield
        with contextlib.suppress(OSError):
            os.truncate(lock, 0)
    finally:
        os.close(lock)


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    immutable = ""
    if mode == "ro" and not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists():
        # SQLite cannot make the side files that WAL needs, and does not need them: nobody writes here now.
        immutable = "&immutable=1"
    store = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}{immutable}", uri=True, isolation_level=None)
    try:
        store.execute(f"PRAGMA busy_timeout = {int(_BUSY_S * 1000)}")
        store.execute("PRAGMA synchronous = NORMAL")
        store.execute("PRAGMA journal_size_limit = 0")  # else a WAL keeps the length it once had
    except BaseException:
        store.close()
        raise
    return store


def _damage(path: Path) -> str | None:
    """What is wrong with the store, or None. Raises BadInput for a store that is not for us to touch, sqlite3.Error
    when the file cannot be reached."""
    if path.stat().st_size == 0:  # before SQLite sees it: it would take it for a new one and delete the WAL
        return "the file is empty"
    try:
        with contextlib.closing(_connected(path, "ro")) as store:
            (application,) = store.execute("PRAGMA application_id").fetchone()
            (schema,) = store.execute("PRAGMA user_version").fetchone()
            if application != _APPLICATION:
                raise BadInput(f"{path} belongs to another program: name another store with --store")
            if schema < SCHEMA:
                return f"its schema is {schema}"
            if schema > SCHEMA:
                raise BadInput(
                    f"{path} was written by a newer tablepi (schema {schema}): update this one (it knows {SCHEMA})"
                )
            (said,) = store.execute("PRAGMA quick_check(1)").fetchone()
            if said != "ok":
                return str(said)
            tables = dict(store.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
            return None if tables == _TABLES else "its tables are not those of tablepi"
    except UnicodeDecodeError:  # SQLite quotes the broken schema in its message
        return "its schema is not text"
    except sqlite3.DatabaseError as error:
        if not means_damage(error):
            raise
        return str(error)


def _create(path: Path) -> None:
    """Make an empty store that appears whole: a crash leaves the old state or the new one, never an empty file."""
    growing = path.with_name("games.new.sqlite")
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{growing}{suffix}").unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(growing, isolation_level=None)) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("BEGIN")
        for table in _TABLES.values():
            store.execute(table)
        store.execute(f"PRAGMA application_id = {_APPLICATION}")
        store.execute(f"PRAGMA user_version = {SCHEMA}")
        store.execute("COMMIT")
    sync_to_disk(growing)
    growing.rename(path)
    sync_to_disk(path.parent)


def _line(fact: Fact) -> str:
    return _encodable(facts.dumps(facts.to_dict(fact)))


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"{text!a}: character {error.start} cannot be written as UTF-8") from None
    return text


def _crc(number: int, n: int, beside: object, text: bytes) -> int:
    # Game and n are part of it, so that a row in the wrong place is noticed too.
    return zlib.crc32(text, zlib.crc32(f"{number} {n} {beside} ".encode()))
