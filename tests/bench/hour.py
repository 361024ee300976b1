"""An hour of continuous virtual play at the live table: does memory stay flat, is anything lost or left behind?

    python -m tests.bench.hour [--minutes 60] [--speed 1.0] [--hands 8] [--seed 0] [--sources both|camera|readers]

The table is that of ``tablepi demo``, put together by the same code: tags through pseudo-terminals, drawn frames
through the real eye and reader, the real loop, lamps on mock pins, a display that nobody sees, a journal in a folder
of its own. Players who err play one match after another until the minutes of the felt's time are over. Every minute of
that is a line; at the end four questions are answered, and the exit status is 1 when one of the answers is no:

* Is memory flat? The slope of the second half, in MB an hour of the felt's time.
* Is everything that was opened closed again? Threads and file descriptors afterwards, beside those before.
* Is every fact in the record? What the devices and the players gave the inbox is compared, fact by fact, with what
  the journal has; one that was not counted must have been said in the log.
* Does ``tablepi check`` agree about all games?
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import logging
import os
import queue
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import cv2
import numpy as np

from tablepi import facts as f
from tablepi import presets
from tablepi.commands import log as log_commands
from tablepi.commands import parts
from tablepi.config import Config
from tablepi.facts import Fact
from tablepi.journal import Journal
from tablepi.rules import game_of
from tablepi.table import Table
from tablepi.views.desk import new_match
from tablepi.virtual.players import Slips, play_match
from tablepi.virtual.world import World
from tests.bench.tables import machine

PLAYERS = ("Rita", "Ada", "Bo", "Cleo")
FLAT_MB = 5.0
"""MB an hour of the felt's time under which memory counts as flat: a Pi with 2 GB has room for weeks of it."""
OWN = (f.Tick, f.Timeout)
"""Facts that the loop makes itself."""
PATIENCE_S = 30.0
"""Seconds after which a card that the table does not answer is laid again: the machine may be busy with other work."""
CLOSING_S = 5.0
"""Seconds that threads get to be gone after the table was closed."""


@dataclass(frozen=True)
class Minute:
    """The process after *at* seconds of the felt's time."""

    at: float
    resident_mb: float
    threads: int
    descriptors: int
    facts: int
    questions: int
    dropped: int
    journal_mb: float

    def line(self) -> str:
        return (
            f"{self.at / 60:5.1f} min  {self.resident_mb:7.1f} MB resident  {self.threads:3} threads  "
            f"{self.descriptors:3} descriptors  {self.facts:6} facts  {self.questions:4} questions  "
            f"{self.dropped:6} frames dropped  journal {self.journal_mb:6.2f} MB"
        )


def slope(minutes: Sequence[Minute]) -> float:
    """MB that the second half of *minutes* gains in an hour; 0 where that is less than two points."""
    half = minutes[len(minutes) // 2 :]
    if len(half) < 2:
        return 0.0
    hours = [minute.at / 3600 for minute in half]
    return float(np.polyfit(hours, [minute.resident_mb for minute in half], 1)[0])


def missing(given: Counter[str], kept: Counter[str], said: Counter[str], late: Counter[str]) -> Counter[str]:
    """The facts that went into the inbox, as texts, and are neither in the record, nor were said not to count, nor came
    too *late*, when the table was being closed."""
    return given - kept - said - late


def untimed(fact: Fact) -> str:
    """*fact* as text, without when it came."""
    return f.dumps(f.to_dict(replace(fact, at=None)))


class _Inbox(logging.Handler):
    """What goes into the table's inbox, and what the loop says of facts that do not count. What is *given* goes to a
    file, a line each: here it would be memory that the table does not take."""

    def __init__(self, inbox: queue.Queue[Fact | None], given: TextIO) -> None:
        super().__init__(logging.WARNING)
        self._given = given
        self.not_counted: Counter[str] = Counter()
        self.others: list[str] = []
        self._inbox = inbox
        self._put = inbox.put
        inbox.put = self.put  # type: ignore[method-assign]

    def put(self, fact: Fact | None, block: bool = True, timeout: float | None = None) -> None:
        self._put(fact, block, timeout)
        if fact is not None:
            self._given.write(untimed(fact) + "\n")  # in one call: each source has a thread of its own

    def given(self) -> Counter[str]:
        """The facts given so far."""
        self._given.seek(0)
        return Counter(line.rstrip("\n") for line in self._given)

    def late(self) -> Counter[str]:
        """What nobody took out any more."""
        return Counter(untimed(fact) for fact in self._inbox.queue if fact is not None)

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == "not counted: %s" and isinstance(record.args, tuple):
            self.not_counted[untimed(f.from_dict(json.loads(str(record.args[0]))))] += 1
        else:
            self.others.append(record.getMessage())


class Hour:
    """The live table, and who plays at it, until *until* seconds of the felt's time have gone."""

    def __init__(self, options: argparse.Namespace, store: Path) -> None:
        self.minutes: list[Minute] = []
        self.matches = self.questions = self.facts = 0
        self.inbox: _Inbox | None = None
        self.given: Counter[str] = Counter()
        self._options = options
        self._store = store
        self._world: World | None = None
        self._began = time.monotonic()
        self._next = 60.0
        self._dropped = 0

    def now(self) -> float:
        """Seconds of the felt's time since it began."""
        return (time.monotonic() - self._began) * float(self._options.speed)

    def run(self) -> None:
        config, options = Config(players=PLAYERS), self._options
        with ExitStack() as stack:
            given = stack.enter_context(tempfile.TemporaryFile("w+"))
            stack.callback(self._count)  # when all the rest is closed
            journal = stack.enter_context(Journal(self._store))
            display = stack.enter_context(parts.opened_display(options, config))
            virtual = parts.Virtual(options.sources, seed=options.seed, speed=options.speed)
            table = parts.put_together(
                stack, config, display=display, virtual=virtual, notices=(), store=self._store, announce=None
            )
            self.inbox = _Inbox(table.inbox, given)
            logging.getLogger().addHandler(self.inbox)
            stack.callback(logging.getLogger().removeHandler, self.inbox)
            self._began = time.monotonic()

            def heard(now: Table) -> None:
                self.facts += 1
                self.questions += sum("question" in line for line in now.lines)
                if self._world is not None:
                    self._world.look(now)

            def check() -> None:
                self._dropped = table.dropped()
                if self.now() >= self._next:
                    self._next += 60.0
                    self._note()
                if self.now() >= 60 * options.minutes:
                    loop.stop()
                elif self._world is None or self._world.done.is_set():
                    self._leave()
                    self._world = self._match(config, table, loop)
                else:
                    self._world.check()

            loop = table.loop(config, options, record=journal, heard=heard, check=check)
            try:
                loop.run()
            finally:
                self._leave()

    def _count(self) -> None:
        if self.inbox is not None:
            self.given = self.inbox.given()

    def _match(self, config: Config, table: parts.Parts, loop: Any) -> World:
        """The next match, begun."""
        options, rng = self._options, random.Random(f"{self._options.seed} {self.matches}")
        match = new_match(parts.setup(config))
        game = game_of(presets.rulebook(), match.rules, match.options)
        acts = play_match(match, game, hands=options.hands, rng=rng, slips=Slips(rng, hands=options.hands))
        world = World(acts, table.surface, table.inbox.put, pause_s=0.1 / options.speed,
                      patience_s=PATIENCE_S, on_done=lambda: table.inbox.put(None))  # fmt: skip
        self.matches += 1
        return world.__enter__()

    def _leave(self) -> None:
        world, self._world = self._world, None
        if world is not None:
            world.__exit__(None, None, None)

    def _note(self) -> None:
        kept = sum(file.stat().st_size for file in self._store.rglob("*") if file.is_file())
        minute = Minute(self.now(), resident_mb(), threading.active_count(), descriptors(), self.facts, self.questions,
                        self._dropped, kept / 1e6)  # fmt: skip
        self.minutes.append(minute)
        print(minute.line(), flush=True)


def resident_mb() -> float:
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if status.exists() else 0.0


def descriptors() -> int:
    listed = Path("/proc/self/fd")
    return len(list(listed.iterdir())) if listed.exists() else 0


def play(options: argparse.Namespace) -> bool:
    """Play, and answer the four questions; whether all answers are yes."""
    for_display = {"headless": True, "picture": None, "size": None, "fullscreen": False, "lang": None, "config": None}
    options = argparse.Namespace(**vars(options), **for_display, command="hour")
    store = Path(options.store or tempfile.mkdtemp(prefix="tablepi-hour-"))
    gc.collect()
    before = threading.active_count(), descriptors()
    began, hour = time.monotonic(), Hour(options, store)
    hour.run()
    took = time.monotonic() - began
    assert hour.inbox is not None
    deadline = time.monotonic() + CLOSING_S
    while threading.active_count() > before[0] and time.monotonic() < deadline:
        time.sleep(0.05)
    gc.collect()
    after = threading.active_count(), descriptors()
    told = io.StringIO()
    agrees = log_commands.check(str(store), None, out=told) == 0
    with Journal(store, readonly=True) as journal:
        kept = Counter(untimed(x) for game in journal.games() for _, x in journal.facts(game.id)
                       if not isinstance(x, OWN))  # fmt: skip
    late = hour.inbox.late()
    lost = missing(hour.given, kept, hour.inbox.not_counted, late)
    gained = slope(hour.minutes)
    print(f"\n{hour.now() / 60:.1f} min of the felt's time in {took / 60:.1f} min, {hour.matches} matches, "
          f"{hour.facts} facts, {hour.questions} questions; store {store}")  # fmt: skip
    print(f"memory: {gained:+.1f} MB an hour in the second half: {'flat' if gained < FLAT_MB else 'NOT FLAT'}")
    print(f"threads {before[0]} before, {after[0]} after; descriptors {before[1]} before, {after[1]} after")
    print(f"facts given to the inbox {hour.given.total()}, of which {hour.inbox.not_counted.total()} were said "
          f"not to count, {late.total()} came when it closed, and {lost.total()} are missing")  # fmt: skip
    for text in list(lost)[:20]:
        print(f"missing: {text}")
    for text in hour.inbox.others[:20]:
        print(f"logged: {text}")
    print(f"check: {told.getvalue().strip()}")
    return gained < FLAT_MB and after[0] <= before[0] and after[1] <= before[1] and not lost and agrees


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0, help="of the felt's time")
    parser.add_argument("--speed", type=float, default=1.0, help="how fast the felt's time goes")
    parser.add_argument("--hands", type=int, default=8, help="hands of a match, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sources", choices=("both", "camera", "readers"), default="both")
    parser.add_argument("--store", help="where the games are kept; by default a new folder")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    print(machine(), flush=True)
    return 0 if play(options) else 1


if __name__ == "__main__":
    sys.exit(main())
