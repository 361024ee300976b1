"""Whatever is unplugged, whenever: the game goes on, the display says what is missing, nothing that was kept is lost.

Four readers of three kinds on real pseudo-terminals, which vanish and come back under another name behind the same
link, and a camera that stops, freezes, fails or repeats a frame; the real supervisor, loop and journal. What is laid
while its reader is away nobody sees: the table asks for it, or a person enters it, or the reader reads it when it is
back. ``--slow`` does it 200 times.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from tablepi import facts as f
from tablepi.cards import ALL_CARDS, Card, card
from tablepi.config import LampPins, LampsConfig, Pins
from tablepi.devices import camera as cameras
from tablepi.devices.camera import LiveSource
from tablepi.devices.lamps import open_lamps
from tablepi.devices.pn532 import Pn532Reader
from tablepi.devices.readers import LineReader
from tablepi.devices.roles import Role
from tablepi.devices.supervisor import DeviceLost, Supervisor
from tablepi.devices.table_camera import TableCamera
from tablepi.facts import Fact
from tablepi.journal import Journal
from tablepi.language import words
from tablepi.loop import Clocks, Loop
from tablepi.table import Table, empty, fold
from tablepi.views.desk import Desk, Setup
from tablepi.virtual.pn532 import Moment, VirtualPn532
from tablepi.virtual.readers import VirtualReader
from tablepi.virtual.world import uid_of, virtual_deck

from ..script import NAMES, RULEBOOK

PATIENCE_S = 20.0
SEATS = range(4)
STATES = (
    "before a match",
    "before a hand",
    "passing",
    "mid-trick",
    "between tricks",
    "a question open",
    "hand over",
    "match over",
)
LIST = 0x4A
FAULTS = {
    "camera": ("stops", "freezes", "fails"),
    "reader-0": ("in mid-line",),
    "reader-1": ("in mid-line",),
    "reader-2": ("between frames", *get_args(Moment)),
    "reader-3": ("between frames", *get_args(Moment)),
}
TRICKS = [[card(f"{rank}{suit}") for rank in "2345"] for suit in "CDS"]
READERS = {f"reader-{seat}": seat for seat in SEATS}


class PretendedCamera(LiveSource):
    """A camera whose frames show what *lying* says; *fault* says how it fares."""

    def __init__(self) -> None:
        super().__init__("camera", time.monotonic)
        self.lying: dict[int, Card] = {}
        self.fault = ""
        self._noise = np.random.default_rng(0)
        self._last: Any = None
        self._frames = 0

    def _open(self) -> Any:
        if self.fault == "fails":
            raise DeviceLost("camera: nothing is plugged in there")
        return self

    says = ""

    def read(self) -> Any:
        threading.Event().wait(0.005)  # its rate
        if self.fault == "fails":
            raise DeviceLost("camera: it was unplugged")
        if self.fault == "stops":
            return None
        self._frames += 1
        repeats = self._frames % 7 == 0  # which is nothing
        if self._last is None or not (repeats or self.fault == "freezes"):
            image = self._noise.integers(0, 255, (128, 8, 3), np.uint8)
            image[0, :4, 0] = [self.lying[seat].index + 1 if seat in self.lying else 0 for seat in SEATS]
            self._last = image
        return self._last

    def close(self) -> None: ...


class ReadsPixels:
    """An eye for those frames."""

    found, trouble, sure = True, "", 0.98

    def __init__(self) -> None:
        self._told: dict[int, Card] = {}

    def look(self, frame: Any) -> list[Fact]:
        lying = {seat: ALL_CARDS[n - 1] for seat, n in enumerate(frame.image[0, :4, 0].tolist()) if n}
        gone = [f.Gone(card=c, seat=s, source="camera") for s, c in self._told.items() if lying.get(s) != c]
        new = [
            f.Seen(card=c, seat=s, confidence=self.sure, steady=0.4, source="camera")
            for s, c in lying.items()
            if self._told.get(s) != c
        ]
        self._told = lying
        return [*gone, *new]

    def photo(self, fact: Fact) -> bytes | None:
        return None


class Glass:
    """The display: what it shows now."""

    screen: Any = None

    def draw(self, screen: Any) -> bool:
        self.screen = screen
        return True

    def presses(self) -> list[object]:
        return []


class BusyPins(MockFactory):
    """Pins of which another program holds one."""

    def pin(self, name: Any) -> Any:
        if str(name) in ("27", "GPIO27"):
            raise RuntimeError("'GPIO busy'")
        return super().pin(name)


@dataclass
class Evening:
    """The whole table, and the hands at it."""

    loop: Loop
    glass: Glass
    worlds: list[Any]
    camera: PretendedCamera
    eye: ReadsPixels
    supervisor: Supervisor
    journal: Journal
    rng: random.Random
    watched: bool = False  # whether the camera sees what is laid
    away: str = ""
    lying: dict[int, Card] = field(default_factory=dict)
    unseen: tuple[int, Card] | None = None
    has_told: dict[str, set[Card]] = field(default_factory=dict)
    accused: list[Any] = field(default_factory=list)
    note: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    told: dict[str, set[Card]] = field(default_factory=lambda: {"camera": set()} | {name: set() for name in READERS})

    @property
    def table(self) -> Table:
        return self.loop.table

    def until(self, so: Callable[[Table], object], what: str) -> None:
        patience = time.monotonic() + PATIENCE_S
        while not so(self.table):
            if time.monotonic() > patience:
                raise AssertionError(f"{what} does not come: {self.note}\n" + "\n".join(self.heard[-40:]))
            self.loop.turn()

    def put(self, fact: Fact) -> None:
        before = self.table
        self.loop._inbox.put(fact)
        self.until(lambda now: now is not before and any(_same(e.fact, fact) for e in now.log), f"{fact}")

    # --- devices

    def vanish(self, name: str, fault: str) -> None:
        self.away = name
        if name == "camera":
            self.camera.fault = fault
            return
        world = self.worlds[READERS[name]]
        if isinstance(world, VirtualPn532) and fault in get_args(Moment):
            world.falls_out = (LIST, fault)  # at its next poll
        else:
            if isinstance(world, VirtualReader):
                world.say(uid_of(TRICKS[2][0])[:5].encode())
            world.unplug()

    def come_back(self) -> None:
        if self.away == "camera":
            self.camera.fault = ""
        else:
            self.worlds[READERS[self.away]].replug()
        self.away = ""

    # --- hands

    def lay(self, seat: int, laid: Card) -> bool:
        """Lay a card, when the reader has noticed that the one before has left; whether anything sees it."""
        if self.away != f"reader-{seat}":
            self.until(lambda _: not self.told[f"reader-{seat}"], f"reader {seat} empty")
        self.lying[seat] = laid
        self.worlds[seat].lay(uid_of(laid))
        if self.watched:
            self.camera.lying = dict(self.lying)
        seen = (self.watched and self.away != "camera") or self.away != f"reader-{seat}"
        if seen:  # people leave it there until all that see it have told it
            sees = ({f"reader-{seat}"} | ({"camera"} if self.watched else set())) - {self.away}
            self.until(lambda now: laid in _known(now), f"{laid} of seat {seat}")
            self.until(lambda _: all(laid in self.has_told[name] for name in sees), f"{laid} by all of {sees}")
        return seen

    def sweep(self) -> None:
        self.enter_unseen()
        for seat, swept in self.lying.items():
            self.worlds[seat].lift(uid_of(swept))
        self.lying.clear()
        self.camera.lying = {}
        self.until(lambda _: not any(told for name, told in self.told.items() if name != self.away), "all to have left")

    def hear(self, table: Table) -> None:
        """Keep what each reader that tells it says lies on it, and what the camera sees."""
        fact = table.log[-1].fact if table.log else None
        self.accused += [line for line in table.lines if line.get("ruling") in ("breach", "proved", "someone")]
        said = [line.get("text") for line in table.lines if "text" in line]
        self.heard.append(f"{table.n} {f.dumps(f.to_dict(fact)) if fact is not None else ''} {said}")
        if isinstance(fact, f.Match | f.Hand):
            self.has_told = {name: set() for name in self.told}
        if isinstance(fact, f.Tag | f.Seen) and fact.source in self.told and fact.card is not None:
            self.has_told[fact.source].add(fact.card)
        if fact is not None and fact.source == "reader-0":  # it never says that a card has left
            return
        if isinstance(fact, f.Tag | f.Seen) and fact.source in self.told and fact.card is not None:
            self.told[fact.source].add(fact.card)
        elif isinstance(fact, f.Untag | f.Gone) and fact.source in self.told and fact.card is not None:
            self.told[fact.source].discard(fact.card)

    def play(self, trick: list[Card], leader: int, places: range) -> int:
        """The cards of a trick from one place to another; who wins it (all follow, the last is the highest)."""
        for place in places:
            seat, laid = (leader + place) % 4, trick[place]
            if self.lay(seat, laid):
                self.answer()
                continue
            self.enter_unseen()
            self.note.append(f"{laid} of seat {seat} unseen")
            self.unseen = seat, laid
            if self.rng.random() < 0.4:
                self.enter_unseen()
        return (leader + 3) % 4

    def answer(self) -> None:
        """The next card was seen: the table asks for the one that it has not seen, unless a reader has read it now."""
        if self.unseen is None:
            return
        seat, laid = self.unseen
        self.until(
            lambda now: laid in _known(now) or any(q.ask == "missing" and q.seat == seat for q in now.state.questions),
            f"a question for {laid}",
        )
        if laid not in _known(self.table):
            (question,) = self.table.state.questions
            self.put(f.Answer(question=question.id, card=laid, source="person"))
        self.note.append("asked")
        self.unseen = None

    def enter_unseen(self) -> None:
        """A reader that is back and tells what lies on it reads what nobody has seen; else a person enters it."""
        if self.unseen is None:
            return
        seat, laid = self.unseen
        if self.away != f"reader-{seat}" and seat != 0:
            self.until(lambda now: laid in _known(now), f"{laid}, which lies on reader {seat}")
        elif laid not in _known(self.table):
            self.put(f.Play(seat=seat, card=laid, source="person"))
        self.unseen = None


def _same(one: Fact, other: Fact) -> bool:
    return replace(one, at=None) == replace(other, at=None)


def _known(table: Table) -> list[Card]:
    felt = table.state.felt
    return [] if felt is None else [c for c in ALL_CARDS if c.bit & felt.seen]


@contextmanager
def evening(folder: Path, rng: random.Random, monkeypatch: Any, *, busy: bool) -> Iterator[Evening]:
    monkeypatch.setattr(cameras, "STOPPED_S", 0.3)
    monkeypatch.setattr(cameras, "FROZEN_S", 0.3)
    monkeypatch.setattr(cameras, "OPENING_S", 0.5)
    deck = virtual_deck()
    with ExitStack() as stack:
        worlds: list[Any] = [VirtualReader(folder / "0"), VirtualReader(folder / "1", repeats=True)]
        worlds += [VirtualPn532(folder / "2"), VirtualPn532(folder / "3", piece=1)]
        for world in worlds:
            stack.enter_context(world)
        camera, eye = PretendedCamera(), ReadsPixels()
        roles = [Role(f"reader-{seat}", cards=deck, seat=seat) for seat in range(4)]
        devices = [
            LineReader(str(worlds[0].link), roles[0], gap_s=0.0),
            LineReader(str(worlds[1].link), roles[1], repeats=True, gap_s=0.3),
            Pn532Reader(str(worlds[2].link), roles[2]),
            Pn532Reader(str(worlds[3].link), roles[3]),
            TableCamera("camera", camera, eye),
        ]
        pins = tuple(LampPins(red=3 * n + 2, green=3 * n + 3, blue=3 * n + 4) for n in range(4))
        factory = (BusyPins if busy else MockFactory)()
        stack.callback(factory.close)
        config = LampsConfig(pins=Pins(seats=(*pins[:3], LampPins(red=17, green=27, blue=22))))
        lamps = stack.enter_context(open_lamps(config, seats=4, pin_factory=factory))
        assert bool(lamps.reason) == busy
        inbox: queue.Queue[Fact | None] = queue.Queue(64)
        journal = stack.enter_context(Journal(folder, linger_s=0.0, sync=lambda _: None))
        supervisor = stack.enter_context(Supervisor(devices, inbox, backoff_s=(0.01,)))
        glass = Glass()
        loop = Loop(
            rulebook=RULEBOOK,
            desk=Desk(Setup(tuple(NAMES), "hearts-cardems")),
            inbox=inbox,
            clocks=Clocks(mono=time.monotonic, wall=lambda: datetime(2026, 11, 30)),
            words=words,
            record=journal,
            lamps=lamps,
            display=glass,
            readers=READERS,
            check=supervisor.check,
        )
        assert supervisor.wait_tried(PATIENCE_S)
        loop.show()
        table = Evening(loop, glass, worlds, camera, eye, supervisor, journal, rng)
        loop._heard = table.hear
        yield table


MISSING = {
    "camera": "The camera is missing; the game goes on.",
    **{f"reader-{seat}": f"No reader for {NAMES[seat]}: enter the cards here." for seat in SEATS},
}
UNNAMED = {"camera": MISSING["camera"]} | {
    f"reader-{seat}": f"Reader {seat} is missing; the game goes on." for seat in SEATS
}


def unplug_once(table: Evening, state: str, device: str, fault: str) -> None:
    """Bring the table to *state*, unplug *device*, play on, plug it in, play on; then see that all is well."""
    rng = table.rng
    table.watched = rng.random() < 0.5
    table.accused.clear()
    leader = rng.randrange(4)
    table.note[:] = [f"{state}, {device} {fault}, led by {leader}, camera {'sees' if table.watched else 'does not'}"]
    begun = f.Match(rules="hearts-cardems", players=tuple(NAMES), source="person")

    def begin() -> None:
        table.put(begun)

    def deal() -> None:
        table.put(f.Hand(dealer=0, source="person"))

    def passed() -> None:
        table.put(f.Passed(source="person"))

    def end_hand() -> None:
        table.put(f.EndHand(points={0: 6, 1: 7, 2: 6, 3: 7}, source="person"))

    def ask() -> None:
        table.put(f.Seen(card=TRICKS[0][1], seat=(leader + 1) % 4, confidence=0.2, steady=0.4, source="camera-2"))
        table.until(lambda now: now.state.questions, "a question")

    def answer() -> None:
        question = table.table.state.questions[0]
        table.put(f.Answer(question=question.id, card=TRICKS[0][1], source="person"))

    half = rng.randrange(1, 4)
    steps: list[Callable[[], object]] = [begin, deal, passed]
    first = [lambda: table.play(TRICKS[0], leader, range(half)), lambda: table.play(TRICKS[0], leader, range(half, 4))]
    second = [table.sweep, lambda: table.play(TRICKS[1], (leader + 3) % 4, range(4))]
    if state == "a question open":
        first = [
            lambda: table.play(TRICKS[0], leader, range(1)),
            ask,
            answer,
            lambda: table.play(TRICKS[0], leader, range(2, 4)),
        ]
    before = {
        "before a match": 0,
        "before a hand": 1,
        "passing": 2,
        "mid-trick": 4,
        "between tricks": 6,
        "a question open": 5,
        "hand over": 8,
        "match over": 8,
    }[state]
    steps += [*first, *second]
    if state in ("hand over", "match over"):
        steps = [begin, deal, passed, *first, *second, end_hand]
        if state == "match over":
            steps += [lambda: table.put(f.EndMatch(source="person"))]
            before = 9
        steps += [table.sweep] + ([begin] if state == "match over" else [])
        leader_again = leader
        steps += [deal, passed, lambda: table.play(TRICKS[0], leader_again, range(4))]
    meanwhile = min(len(steps), before + rng.randrange(1, 4))
    for step in steps[:before]:
        step()
    table.vanish(device, fault)
    table.until(lambda now: device in dict(now.state.lost), f"the loss of {device}")
    said = (MISSING if table.table.state.match is not None else UNNAMED)[device]
    assert [alert for alert in table.glass.screen.alerts if alert.startswith(said)], (
        table.note,
        table.glass.screen.alerts,
    )
    for step in steps[before:meanwhile]:
        step()
    table.come_back()
    table.until(lambda now: not now.state.lost, f"{device} again")
    assert [alert for alert in table.glass.screen.alerts if "missing" in alert or "No reader" in alert] == []
    for step in steps[meanwhile:]:
        step()
    table.enter_unseen()
    check(table, leader, state)
    table.sweep()


def check(table: Evening, leader: int, state: str) -> None:
    """What was laid is what the table has, and what was kept is the table."""
    now = table.table
    assert table.loop.game is not None
    kept = fold(empty(RULEBOOK), table.journal.facts(table.loop.game))
    assert [entry.fact for entry in kept.log] == [entry.fact for entry in now.log], table.note
    assert kept.state == now.state, table.note
    assert now.state.questions == (), table.note
    assert table.accused == [], "\n".join([*table.note, *table.heard[-30:]])
    assert now.state.felt is not None
    assert [
        {laid.seat: laid.card for laid in trick.cards if laid.card is not None} for trick in now.state.felt.tricks
    ] == [
        {(lead + place) % 4: trick[place] for place in range(4)}
        for trick, lead in zip(TRICKS, ([leader] if "over" in state else [leader, (leader + 3) % 4]), strict=False)
    ], table.note
    table.supervisor.check()


def unplugged(folder: Path, monkeypatch: Any, times: int, seed: int) -> None:
    rng = random.Random(seed)
    before = set(threading.enumerate())
    devices = [*READERS, "camera"]
    todo = [(state, device) for state in STATES for device in devices]
    rng.shuffle(todo)
    while len(todo) < times:
        todo += rng.sample(todo[:40], 40)
    with evening(folder, rng, monkeypatch, busy=bool(seed % 2)) as table:
        for state, device in todo[:times]:
            unplug_once(table, state, device, rng.choice(FAULTS[device]))
    assert set(threading.enumerate()) - before == set()


@pytest.mark.parametrize("seed", [0, 1])
def test_whatever_is_unplugged_whenever_the_game_goes_on(tmp_path, monkeypatch, seed):
    unplugged(tmp_path, monkeypatch, 6, seed)


@pytest.mark.slow
def test_two_hundred_times(tmp_path, monkeypatch):
    unplugged(tmp_path, monkeypatch, 200, 2)
