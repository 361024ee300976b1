"""The one loop: facts come in, the journal keeps them, the table folds them, lamps and display show what is.

One thread owns the table, the pins and the screen: this one. Devices run in threads of their own and put facts into one
bounded inbox. The loop waits there until a fact comes, the table's deadline passes, or the display wants its next look
at the mouse; it never polls the table. What a button at the table asks for comes there as well, as a command: it means
what a press on the display means, and is never kept itself.

A fact is committed to the journal before it is acted on. When the journal fails, the game goes on: the facts that it
could not keep wait, in their order, from the match on if need be, and are tried again with the next one and at the
end; the screen says so, and nothing is pretended.

A photograph that proves a play is kept after the play was answered. It is worth less than the record: one that cannot
be kept is said, but costs neither a fact nor a turn, and is not tried again.
"""

from __future__ import annotations

import logging
import math
import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest
from typing import Protocol

from . import facts as f
from .cards import Seat
from .errors import TablePiError
from .facts import Fact
from .rules import Rulebook
from .state import Line
from .table import Table, complaint, empty, fold, step
from .time_limits import Limit, limit
from .views.commands import obey
from .views.desk import Answered, Desk, paused, press, shown_to_a_device, type_key
from .views.lamps import Lamps, lamps
from .views.scene import screen
from .views.screen import Action, Command, Screen
from .views.sounds import sound
from .views.words import Words, notice_in_words, reason_first

log = logging.getLogger(__name__)

FRAME_S = 1 / 30
"""Seconds between two looks at mouse, finger and keys, where there is a display."""

IDLE_S = 5.0
"""Seconds after which the loop turns once though nothing happens."""

MOST_AT_ONCE = 256
"""Facts that are taken in before the screen is drawn again, so that a flood cannot keep it blank."""

GRACE_S = 1.0
"""Seconds that a limited time runs longer here: a card laid in time may take as long to be read (a camera wants to see
it lie still)."""

SYNC_S = 2.0
"""Seconds that the end of a hand waits for the disk."""


class Record(Protocol):
    """What the loop asks of the journal; raises TablePiError when it cannot keep something."""

    def begin(self, match: f.Match, *, wall: datetime, mono: float) -> str: ...
    def resume(self, game: str, *, wall: datetime, mono: float) -> None: ...
    def append(self, game: str, fact: Fact, *, mono: float) -> int: ...
    def shown(self, game: str, n: int, lines: Iterable[Line]) -> None: ...
    def facts(self, game: str) -> Iterable[tuple[int, Fact]]: ...
    def close(self, game: str, reason: str) -> None: ...
    def unfinished(self) -> str | None: ...
    def wait_synced(self, timeout: float) -> bool: ...
    def keep_photo(self, game: str, n: int, jpeg: bytes) -> bool: ...
    @property
    def trouble(self) -> str | None: ...


class LampDevice(Protocol):
    def show(self, lamps: Lamps) -> None: ...


class SoundDevice(Protocol):
    def sound(self, name: str) -> None: ...


class Glass(Protocol):
    """A display: draws a screen, and says what was pressed since it was asked last."""

    def draw(self, screen: Screen) -> bool: ...
    def presses(self) -> Iterable[object]: ...


class Watchdog(Protocol):
    """The service manager, which restarts a loop that no longer turns."""

    @property
    def watchdog_s(self) -> float | None: ...
    def ready(self) -> None: ...
    def watchdog(self) -> None: ...
    def stopping(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Clocks:
    """*mono*: seconds that never jump; *wall*: the time of day, which may."""

    mono: Callable[[], float]
    wall: Callable[[], datetime]


class Loop:
    """Runs a table until the person leaves, ``stop`` is called, or *until* says so.

    *words* gives the words of a language for these players; *readers* the seat that each reader serves; *notices* is
    what the display says of the table's parts; *typed* the name of a pressed key, or None for what is no key; *heard*
    is told every fact's answers, *spoke* a language that a person chose; *check* raises what went wrong in a device's
    thread. *photo* gives the JPEG that proves a camera's ``seen``, if there is one: it is asked once, with the fact
    that came out of the inbox (that very object, without ``at``), after it was acted on.
    """

    def __init__(
        self,
        *,
        rulebook: Rulebook,
        desk: Desk,
        inbox: queue.Queue[Action | None],
        clocks: Clocks,
        words: Callable[[str, tuple[str, ...]], Words],
        record: Record | None = None,
        lamps: LampDevice | None = None,
        buzzer: SoundDevice | None = None,
        display: Glass | None = None,
        typed: Callable[[object], str | None] = lambda _: None,
        readers: Mapping[str, Seat | None] | None = None,
        notices: tuple[str, ...] = (),
        watchdog: Watchdog | None = None,
        heard: Callable[[Table], None] = lambda _: None,
        check: Callable[[], None] = lambda: None,
        until: Callable[[Table], bool] = lambda _: False,
        spoke: Callable[[str], None] = lambda _: None,
        photo: Callable[[Fact], bytes | None] = lambda _: None,
    ) -> None:
        self.table = empty(rulebook)
        self.desk = desk
        self.game: str | None = None
        self._rulebook = rulebook
        self._inbox = inbox
        self._clocks = clocks
        self._words = words
        self._record = record
        self._lamps = lamps
        self._buzzer = buzzer
        self._display = display
        self._typed = typed
        self._readers = readers or {}
        self.notices = notices
        self._watchdog = watchdog
        self._heard = heard
        self._check = check
        self._until = until
        self._spoke = spoke
        self._photo = photo
        self._kept_back: tuple[Fact, ...] = ()
        self._in_record = False  # whether the journal takes facts of this game: it was begun or resumed there
        self._trouble: str | None = None
        self._photo_trouble: str | None = None
        self._basis: tuple[object, ...] = ()  # what the scene was made from: it is made again when one of them changes
        self._scene: Screen | None = None
        self._limit: Limit | None = None  # whose time runs, and since which second of the match
        self._limit_since = 0.0
        self._timed = 0.0  # when it was looked at last
        self._seconds: int | None = None  # that the display says are left of it
        self._stopping = False
        self._began = clocks.mono()  # the moment of the match's second 0

    # --- from outside ----------------------------------------------------------------------------------------------

    def resume(self) -> bool:
        """Go on with the game that was interrupted, if there is one; a match that is over is closed instead. Raises
        TablePiError when the journal cannot be read; when it cannot be written, the game goes on."""
        game = self._record.unfinished() if self._record is not None else None
        if game is None or self._record is None:
            return False
        table = fold(empty(self._rulebook), self._record.facts(game))
        if table.state.match is None or table.state.result is not None:
            self._record.close(game, "over" if table.state.result is not None else "unreadable")
            return self.resume()  # an older one may still be open
        self.table, self.game, self._began = table, game, self._clocks.mono() - table.at
        self._commit()
        # A device that was lost then may be here now; what is not is reported again.
        for device, _ in table.state.lost:
            self.accept(f.Found(device=device))
        return True

    def stop(self) -> None:
        """End the loop after the present turn, and its wait; from any thread, and from a signal handler."""
        self._stopping = True
        # A handler interrupts this thread anywhere, also while it holds the inbox's lock: another one must knock.
        threading.Thread(target=self._inbox.put, args=(None,), name="stop", daemon=True).start()

    def run(self) -> None:
        """Turn until told to stop."""
        self.show()
        if self._watchdog is not None:
            self._watchdog.ready()
        try:
            while not self._stopping and not self.desk.leaving and not self._until(self.table):
                self.turn()
        finally:
            if self._watchdog is not None:
                self._watchdog.stopping()
            self._settle()

    # --- one turn --------------------------------------------------------------------------------------------------

    def turn(self) -> None:
        """Wait for something to happen, take in all that has happened, and show it."""
        told, taken = self._next(self._patience()), 0
        self._time_is_up()  # up to here the time ran, or stood still: what was told may begin or end a pause
        while told is not None:
            if isinstance(told, Command):
                self._answer(obey(self.desk, self.table, told, self.screen()))
            else:
                self.accept(told)
            taken += 1
            told = self._next(0.0) if taken < MOST_AT_ONCE else None
        deadline = self.table.deadline
        if deadline is not None and self._at() >= deadline:
            self.accept(f.Tick())
        self._time_out()
        self._pressed()
        self._draw()
        self._check()
        if self._watchdog is not None:
            self._watchdog.watchdog()

    def _patience(self) -> float:
        """Seconds to wait for a fact."""
        waits = [IDLE_S if self._display is None else FRAME_S]
        for deadline in (self.table.deadline, self._time_is_up()):
            if deadline is not None:
                waits.append(max(0.0, deadline - self._at()))
        if self._watchdog is not None and self._watchdog.watchdog_s is not None:
            waits.append(self._watchdog.watchdog_s)
        return min(waits)

    def _time_is_up(self) -> float | None:
        """The second of the match at which the time of a player is up; None while no time is limited. In a pause it
        moves away as fast as time goes."""
        now, at = limit(self.table.state), self._at()
        if now != self._limit:
            self._limit, self._limit_since = now, at
        elif paused(self.desk, self.table) is not None:
            self._limit_since += at - self._timed
        self._timed = at
        return self._limit_since + now.seconds + GRACE_S if now is not None else None

    def _seconds_left(self) -> int | None:
        """The whole seconds that whoever is in turn still has, the grace apart; None while no time is limited."""
        up = self._time_is_up()
        return max(0, math.ceil(round(up - GRACE_S - self._at(), 3))) if up is not None else None

    def _time_out(self) -> None:
        up = self._time_is_up()
        if up is not None and self._limit is not None and self._at() >= up:
            for seat in self._limit.seats:
                self.accept(f.Timeout(seat=seat, source="clock"))

    def _next(self, timeout: float) -> Action | None:
        try:
            return self._inbox.get(timeout > 0.0, timeout)
        except queue.Empty:
            return None

    def _at(self) -> float:
        """Seconds since the match began; never less than the table has seen."""
        return max(self.table.at, round(self._clocks.mono() - self._began, 3))

    def accept(self, fact: Fact) -> None:
        """Keep a fact, act on it, show what changes. A match begins a new game."""
        if isinstance(fact, f.Match):
            self._begin(fact)
            return
        came, fact = fact, replace(fact, at=self._at())
        if complaint(self.table, fact) is not None or self.table.state.match is None:
            self._outside(fact)
            return
        self._keep(fact)
        self._act(fact)
        self.desk = shown_to_a_device(self.desk, self.table, fact)
        if isinstance(came, f.Seen) and came.by_camera:
            self._keep_photo(came)

    def _outside(self, fact: Fact) -> None:
        """A fact that belongs to no match: a device that comes and goes before one begins is still shown."""
        if isinstance(fact, f.Lost | f.Found) or (isinstance(fact, f.Tag) and fact.card is None):
            self.table = step(self.table, replace(fact, at=None))
            self.table = replace(self.table, log=())
            self.show()
        else:
            log.warning("not counted: %s", f.dumps(f.to_dict(fact)))

    def _begin(self, match: f.Match) -> None:
        match = replace(match, at=None)
        lost = self.table.state.lost
        fresh = empty(self._rulebook)
        wrong = complaint(fresh, match)
        if wrong is not None:
            self.notices = (*(n for n in self.notices if n != wrong), wrong)
            return
        self._settle()
        self.table, self.game, self._began = fresh, None, self._clocks.mono()
        self._kept_back, self._in_record = (), False
        self.desk = replace(self.desk, pause=None)
        self._keep(match)
        self._act(match)
        for device, reason in lost:
            self.accept(f.Lost(device=device, reason=reason))

    def _keep(self, fact: Fact) -> None:
        """Commit *fact*, after those that were kept back."""
        self._kept_back = (*self._kept_back, fact)
        self._commit()

    def _commit(self) -> None:
        """Commit what is kept back, in its order."""
        if self._record is None:
            self._kept_back = ()
            return
        wall, mono = self._clocks.wall(), self._clocks.mono()
        try:
            if self.game is not None and not self._in_record:
                self._record.resume(self.game, wall=wall, mono=mono)
                self._in_record = True
            while self._kept_back:
                first = self._kept_back[0]
                if isinstance(first, f.Match):
                    self.game, self._in_record = self._record.begin(first, wall=wall, mono=mono), True
                elif self.game is not None:
                    self._record.append(self.game, first, mono=mono)
                self._kept_back = self._kept_back[1:]
            self._trouble = None
        except TablePiError as error:
            self._note_trouble(error)

    def _act(self, fact: Fact) -> None:
        self.table = step(self.table, fact)
        self._light()
        if self._buzzer is not None and (heard := sound(self.table.lines)) is not None:
            self._buzzer.sound(heard)
        if self._record is not None and self.game is not None and not self._kept_back:
            try:
                self._record.shown(self.game, self.table.n, self.table.lines)
                if any(line.get("event") in ("hand", "match") for line in self.table.lines):
                    self._record.wait_synced(SYNC_S)
            except TablePiError as error:
                self._note_trouble(error)
        self._heard(self.table)

    def _keep_photo(self, seen: f.Seen) -> None:
        """Keep the photograph of the latest fact, if that is in the record."""
        jpeg = self._photo(seen)
        if jpeg is None or self._record is None or self.game is None or self._kept_back:
            return
        try:
            self._record.keep_photo(self.game, self.table.n, jpeg)
            self._photo_trouble = None
        except TablePiError as error:
            if self._photo_trouble is None:
                log.warning("the journal cannot keep photographs: %s", error)
            self._photo_trouble = str(error)

    def _note_trouble(self, error: TablePiError) -> None:
        if self._trouble is None:
            log.warning("the journal cannot keep the game: %s", error)
        self._trouble = str(error)

    # --- what is shown ---------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Light the lamps and draw the screen as the table is now."""
        self._light()
        self._draw()

    def _light(self) -> None:
        if self._lamps is not None:
            self._lamps.show(lamps(self.table.state, readers=self._readers))

    def screen(self) -> Screen:
        """What the display shows now."""
        words = self._words(self.desk.language, self.table.state.players)
        seats = self._limit.seats if self._limit is not None and self._seconds is not None else ()
        left = dict.fromkeys(seats, self._seconds or 0)
        return screen(self.table, self.desk, words, readers=self._readers, alerts=self._alerts(words), seconds=left)

    def _alerts(self, words: Words) -> tuple[str, ...]:
        say, trouble = words.say, self._untold()
        notices = tuple(notice_in_words(notice, words) for notice in self.notices)
        if trouble is not None:  # which tells of the photographs too
            return (say("The record is not being kept: {why}").format(why=reason_first(trouble)), *notices)
        if self._photo_trouble is not None:
            told = say("The cards are recorded, but their photographs cannot be kept: {why}")
            return (told.format(why=reason_first(self._photo_trouble)), *notices)
        return notices

    def _untold(self) -> str | None:
        """Why the record is not being kept, if it is not."""
        return self._trouble or (self._record.trouble if self._record is not None else None)

    def _draw(self) -> None:
        if self._display is None:
            return
        left = self._seconds_left()
        if left != self._seconds:
            self._seconds = left
        basis = (self.table, self.desk, self._untold(), self._photo_trouble, self.notices, self._seconds)
        if any(now is not then for now, then in zip_longest(basis, self._basis)):
            self._basis, self._scene = basis, self.screen()
        if self._scene is not None:
            self._display.draw(self._scene)  # which draws it when it is new, or when the window lost its picture

    def _pressed(self) -> None:
        for pressed in self._display.presses() if self._display is not None else ():
            key = self._typed(pressed)
            if isinstance(pressed, Fact | Command):
                self._answer(press(self.desk, self.table, pressed))
            elif key is not None:
                self._answer(type_key(self.desk, self.table, key))
            else:  # the window was closed
                self._answer((replace(self.desk, leaving=True), ()))

    def _answer(self, answered: Answered) -> None:
        """Take over the desk after a press, and the facts that it means."""
        spoken = self.desk.language
        self.desk, entered = answered
        if self.desk.language != spoken:
            self._spoke(self.desk.language)
        for fact in entered:
            self.accept(fact)

    def _settle(self) -> None:
        """The game is left, or over: what was kept reaches the disk, and what was kept back gets its last chance."""
        if self._kept_back:
            self._commit()
        if self._kept_back:
            log.error("not kept: the last %d facts of %s", len(self._kept_back), self.game or "a game")
        if self._record is None or self.game is None:
            return
        try:
            if self.table.state.result is not None:
                self._record.close(self.game, self.table.state.result.reason)
            self._record.wait_synced(SYNC_S)
        except TablePiError as error:
            self._note_trouble(error)
