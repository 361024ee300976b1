"""From bytes on the line to a pin that changes: four pseudo-serial readers, the whole loop, journal and display."""

from __future__ import annotations

import queue
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from gpiozero.pins.mock import MockFactory, MockPWMPin

from tablepi import presets
from tablepi.cards import ALL_CARDS, Card, Seat
from tablepi.commands.parts import setup, supervised, tag_readers, virtual_lamps, virtual_readers
from tablepi.config import Config
from tablepi.devices.lamps import open_lamps
from tablepi.devices.supervisor import Supervisor
from tablepi.devices.table_camera import TableCamera
from tablepi.display import Display
from tablepi.journal import Journal
from tablepi.language import words
from tablepi.loop import Clocks, Loop
from tablepi.views.desk import Desk, new_match
from tablepi.virtual.camera import VirtualCamera
from tablepi.virtual.felt import Felt
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.players import play_match
from tablepi.virtual.pose import Pose
from tablepi.virtual.world import TagSurface, World
from tablepi.vision.eye import Eye
from tablepi.vision.reader import CardReader

from .tables import Results

PAUSE_S = 0.02


class Stopwatch:
    """When a tag was laid, and when the first pin changed after it."""

    def __init__(self) -> None:
        self.laid: float | None = None
        self.milliseconds: list[float] = []

    def lay(self) -> None:
        self.laid = time.perf_counter()

    def changed(self) -> None:
        if self.laid is not None:
            self.milliseconds.append((time.perf_counter() - self.laid) * 1000)
            self.laid = None


def bytes_to_pin(*, display: bool, camera: bool = False, hands: int = 4) -> list[float]:
    """Milliseconds from laying each tag to the change of a lamp's pin, over *hands* hands; with *camera*, a virtual
    camera's frames are looked at and read meanwhile, in a thread as at the table."""
    watch = Stopwatch()

    class TimedPin(MockPWMPin):
        def _set_state(self, value: float) -> None:
            super()._set_state(value)
            watch.changed()

    class TimedSurface:
        def __init__(self, inner: TagSurface) -> None:
            self._inner = inner
            self.tells = inner.tells
            self.tells_leaving = inner.tells_leaving

        def lay(self, seat: Seat, card: Card) -> None:
            watch.lay()
            self._inner.lay(seat, card)

        def lift(self, seat: Seat, card: Card) -> None:
            self._inner.lift(seat, card)

        def sweep(self, winner: Seat | None) -> None:
            self._inner.sweep(winner)

    config = Config(players=("Rita", "Ada", "Bo", "Cleo"))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        inbox: queue.Queue = queue.Queue(256)
        surface, readers, cards = stack.enter_context(virtual_readers(4))
        lamps = stack.enter_context(open_lamps(virtual_lamps(), pin_factory=MockFactory(pin_class=TimedPin)))
        glass = stack.enter_context(Display(size=(1024, 600), headless=True)) if display else None
        journal = stack.enter_context(Journal(folder))
        if camera:
            stack.enter_context(busy_camera())
        supervisor = stack.enter_context(supervised(tag_readers(readers, cards, virtual=True), inbox))
        supervisor.wait_tried(5.0)
        desk = Desk(setup(config))
        acts = play_match(new_match(desk.setup), presets.rulebook()[config.rules], hands=hands, rng=random.Random(3))
        world = World(acts, TimedSurface(surface), inbox.put, pause_s=PAUSE_S, on_done=lambda: inbox.put(None))
        loop = Loop(
            rulebook=presets.rulebook(),
            desk=desk,
            inbox=inbox,
            clocks=Clocks(time.monotonic, datetime.now),
            words=words,
            record=journal,
            lamps=lamps,
            display=glass,
            heard=world.look,
            until=lambda _: world.done.is_set(),
        )
        with world:
            loop.run()
    return watch.milliseconds


@contextmanager
def busy_camera() -> Iterator[None]:
    """A virtual camera before which hands lay and sweep cards without a pause, watched as at the table."""
    felt, pose = Felt(4, seed=1), Pose.seeded((1280, 720), 1)
    camera = VirtualCamera(felt, Photographer(pose, legible(pose)[0], seed=1))
    at = camera.now() + 1.0
    for number in range(200):
        trick = ALL_CARDS[number * 4 % 52 : number * 4 % 52 + 4]
        for seat, card in enumerate(trick):
            at = felt.lay(seat, card, at=at).settled + 0.35
        at = felt.sweep(0, at=at).settled + 0.35
    with Supervisor([TableCamera("camera", camera, Eye(CardReader(), 4))], queue.Queue(4096)):
        yield


def bytes_to_lamp() -> Results:
    """The median and the 95th percentile, with and without a display being drawn and a camera being read beside it."""
    rows = []
    for display, camera, beside in (
        (False, False, "no display"),
        (True, False, "display drawn beside it"),
        (True, True, "display drawn and camera read beside it"),
    ):
        taken = sorted(bytes_to_pin(display=display, camera=camera))
        median, late = statistics.median(taken), taken[int(len(taken) * 0.95)]
        rows.append((beside, str(len(taken)), f"{median:.1f}", f"{late:.1f}"))
    title = (
        "Bytes on the line to a pin that changes: four pseudo-serial readers, the whole loop and journal (milliseconds)"
    )
    return Results(title, ("", "cards", "median", "95th percentile"), tuple(rows))
