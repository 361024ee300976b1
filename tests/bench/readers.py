"""An evening's readers in short: four PN532 with cards that come and go, the whole loop, lamps, journal, a busy camera.

``python -m tests.bench.readers [MINUTES] [--beside]`` plays games on four virtual chips for so many minutes, and counts
what went wrong; ``--beside`` plays the same afterwards with Adafruit's library as the reader, in the same loop.
"""

from __future__ import annotations

import argparse
import logging
import queue
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from gpiozero.pins.mock import MockFactory, MockPWMPin

from tablepi import facts as f
from tablepi import presets
from tablepi.cards import Card, Seat
from tablepi.commands.parts import setup, supervised, virtual_lamps
from tablepi.config import Config
from tablepi.devices.lamps import open_lamps
from tablepi.devices.pn532 import Pn532Reader
from tablepi.devices.presence import Antenna
from tablepi.devices.roles import Role
from tablepi.devices.supervisor import DeviceLost
from tablepi.journal import Journal
from tablepi.language import words
from tablepi.loop import Clocks, Loop
from tablepi.rules import game_of
from tablepi.views.desk import Desk, new_match
from tablepi.virtual.players import play_match
from tablepi.virtual.pn532 import Chip, VirtualPn532
from tablepi.virtual.world import TagSurface, World, uid_of, virtual_deck

from .latency import busy_camera
from .tables import Results, machine, print_table

MINUTES = 10.0
PAUSE_S = 0.5
HANDS = 100_000


class Watch:
    """What happened to each card: laid, said by the chip, told to the table; and when the first pin changed then."""

    def __init__(self) -> None:
        self.laid: Counter[tuple[Seat, Card]] = Counter()
        self.lying: set[tuple[Seat, Card]] = set()
        self.told: Counter[tuple[Seat, Card]] = Counter()
        self.phantom = 0
        self.lost_devices = 0
        self.from_bytes: list[float] = []
        self.from_laying: list[float] = []
        self._awaited: tuple[Seat, bytes] = (0, b"")
        self._at_laying: float | None = None
        self._at_bytes: float | None = None

    def lay(self, seat: Seat, card: Card) -> None:
        self.laid[seat, card] += 1
        self.lying.add((seat, card))
        self._awaited = seat, bytes.fromhex(uid_of(card))
        self._at_bytes, self._at_laying = None, time.perf_counter()

    def said(self, seat: Seat, answer: bytes) -> None:
        """The chip of *seat* says *answer*: from the first that has the card that was laid last time runs."""
        whose, uid = self._awaited
        if self._at_laying is not None and self._at_bytes is None and seat == whose and uid in answer:
            self._at_bytes = time.perf_counter()

    def changed(self) -> None:
        """A pin has changed."""
        now = time.perf_counter()
        if self._at_laying is not None and self._at_bytes is not None:
            self.from_bytes.append((now - self._at_bytes) * 1000)
            self.from_laying.append((now - self._at_laying) * 1000)
            self._at_laying = None

    def tell(self, fact: Any) -> None:
        if isinstance(fact, f.Lost):
            self.lost_devices += 1
            print(f"{fact.device}: {fact.reason}", file=sys.stderr, flush=True)
        elif isinstance(fact, f.Tag) and fact.seat is not None and fact.card is not None:
            self.told[fact.seat, fact.card] += 1
            self.phantom += (fact.seat, fact.card) not in self.lying

    @property
    def lost(self) -> int:
        return sum((self.laid - self.told).values())

    @property
    def double(self) -> int:
        return sum((self.told - self.laid).values())


class TimedChip(Chip):
    def __init__(self, watch: Watch, seat: Seat) -> None:
        super().__init__()
        self._watch, self._seat = watch, seat

    def say(self, at: float) -> bytes:
        said = super().say(at)
        if said:
            self._watch.said(self._seat, said)
        return said


class Inbox:
    def __init__(self, watch: Watch) -> None:
        self.queue: queue.Queue[Any] = queue.Queue(256)
        self._watch = watch

    def put(self, fact: Any, /, *, timeout: float | None = None) -> None:
        self._watch.tell(fact)
        self.queue.put(fact, timeout=timeout)


class WatchedSurface(TagSurface):
    def __init__(self, readers: Any, watch: Watch) -> None:
        super().__init__(readers, tells_leaving=True)
        self._watch = watch

    def lay(self, seat: Seat, card: Card) -> None:
        self._watch.lay(seat, card)
        super().lay(seat, card)

    def lift(self, seat: Seat, card: Card) -> None:
        super().lift(seat, card)
        self._watch.lying.discard((seat, card))


class AdafruitReader:
    """Adafruit's library in the place of our driver, with the same presence: one card at a time, as it has it."""

    def __init__(self, port: str, role: Role) -> None:
        self.name, self._where = role.name, port
        self._antenna = Antenna(role)
        self.errors: Counter[str] = Counter()
        self._cancelled = threading.Event()

    def __enter__(self) -> Self:
        import serial
        from adafruit_pn532.uart import PN532_UART

        try:
            self._port = serial.Serial(self._where, 115200, timeout=0.1, exclusive=True)
            self._chip = PN532_UART(self._port)
        except Exception as error:
            raise DeviceLost(f"{self._where}: {error}") from error
        return self

    def __exit__(self, *_: object) -> None:
        self._port.close()

    def read(self) -> tuple[Any, ...]:
        if self._cancelled.wait(0.04):
            return ()
        try:
            uid = self._chip.read_passive_target(timeout=0.1)
        except Exception as error:  # it raises several kinds of its own, and those of Python
            self.errors[type(error).__name__] += 1
            return ()
        listed = () if uid is None else (bytes(uid).hex().upper(),)
        return self._antenna.polled(listed, time.monotonic())

    def cancel(self) -> None:
        self._cancelled.set()


def evening(reader: Callable[[str, Role], Any], minutes: float) -> tuple[Watch, list[Any], int]:
    """What happened in so many *minutes* with four readers, the readers, and how many errors were logged."""
    watch = Watch()
    logged = _Errors()
    logging.getLogger().addHandler(logged)

    class TimedPin(MockPWMPin):
        def _set_state(self, value: float) -> None:
            super()._set_state(value)
            watch.changed()

    config = Config(players=("Rita", "Ada", "Bo", "Cleo"), options={"target": 1000})  # no match ends in that time
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        worlds = {seat: VirtualPn532(folder / f"reader-{seat}") for seat in range(4)}
        for seat, world in worlds.items():
            world.chip = TimedChip(watch, seat)
            stack.enter_context(world)
        inbox = Inbox(watch)
        lamps = stack.enter_context(open_lamps(virtual_lamps(), pin_factory=MockFactory(pin_class=TimedPin)))
        journal = stack.enter_context(Journal(folder))
        stack.enter_context(busy_camera())
        deck = virtual_deck()
        devices = [reader(str(w.link), Role(f"reader-{seat}", cards=deck, seat=seat)) for seat, w in worlds.items()]
        supervisor = stack.enter_context(supervised(devices, inbox))
        if not supervisor.wait_tried(10.0):
            raise TimeoutError("the readers do not open")
        desk = Desk(setup(config))
        begun = new_match(desk.setup)
        rules = game_of(presets.rulebook(), begun.rules, begun.options)
        acts = play_match(begun, rules, hands=HANDS, rng=random.Random(5))
        game = World(
            acts, WatchedSurface(worlds, watch), inbox.put, pause_s=PAUSE_S, on_done=lambda: inbox.queue.put(None)
        )
        ends = time.monotonic() + minutes * 60
        loop = Loop(
            rulebook=presets.rulebook(),
            desk=desk,
            inbox=inbox.queue,
            clocks=Clocks(time.monotonic, datetime.now),
            words=words,
            record=journal,
            lamps=lamps,
            heard=game.look,
            check=lambda: (supervisor.check(), game.check()),
            until=lambda _: game.done.is_set() or time.monotonic() > ends,
        )
        with game:
            loop.run()
            if time.monotonic() <= ends:
                print("the game ended before its time")
    logging.getLogger().removeHandler(logged)
    return watch, devices, logged.count


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1


def _row(name: str, watch: Watch, exceptions: int) -> tuple[str, ...]:
    times = [sorted(taken) or [0.0] for taken in (watch.from_bytes, watch.from_laying)]
    figures = [f"{figure:.1f}" for t in times for figure in (statistics.median(t), t[int(len(t) * 0.95)])]
    counts = (sum(watch.laid.values()), exceptions, watch.lost_devices, watch.lost, watch.phantom, watch.double)
    return (name, *map(str, counts), *figures)


def four_boards(minutes: float, *, beside: bool) -> Results:
    """Cards of games on four boards: what went wrong, and milliseconds to the first pin that changes: from the chip's
    answer that has the card, and from the laying of the card."""
    watch, _, logged = evening(Pn532Reader, minutes)
    rows = [_row("tablepi", watch, logged)]
    if beside:
        watch, readers, logged = evening(AdafruitReader, minutes)
        rows.append(_row("Adafruit", watch, logged + sum(sum(r.errors.values()) for r in readers)))
    title = f"Four PN532 for {minutes:g} minutes, cards that come and go, a busy camera beside them"
    heads = ("", "cards", "exceptions", "boards lost", "lost", "phantom", "double")
    return Results(title, (*heads, "bytes: median", "95 %", "laid: median", "95 %"), tuple(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float, nargs="?", default=MINUTES)
    parser.add_argument("--beside", action="store_true", help="then the same with Adafruit's library")
    options = parser.parse_args()
    print(machine())
    print_table(four_boards(options.minutes, beside=options.beside))


if __name__ == "__main__":
    main()
