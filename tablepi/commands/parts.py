"""The parts of a live table, put together: readers, lamps, display, journal, and the loop that owns them.

What a command imports late (pygame, gpiozero, pyserial) is imported here in the function that needs it.
"""

from __future__ import annotations

import argparse
import os
import queue
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, TextIO

from .. import presets
from ..cards import Card, Seat
from ..config import (
    AntennaConfig,
    CameraConfig,
    Config,
    LampPins,
    LampsConfig,
    Pins,
    ReaderConfig,
    is_taught,
    load_tags,
)
from ..devices.roles import NO_COMMANDS, Pad, Role
from ..errors import BadInput, Missing
from ..facts import Fact, Found, Lost
from ..journal import Journal, JournalFull, forgets_at_restart
from ..language import language, words
from ..loop import Clocks, Loop
from ..notify import Notifier
from ..recording import Live
from ..sight import coming
from ..state import State
from ..table import Table
from ..views.desk import Desk, Setup
from ..views.screen import Action
from ..views.words import reason_first
from .enrol import faces_file
from .telling import put_line

INBOX = 256
"""Facts that may wait for the loop; a device that has more waits itself."""

VIRTUAL_FRAME = (1280, 720)
"""Pixels of the virtual camera's frames."""

PLAYED = {"players", "language", "letters", "faces", "cameras", "readers"}
"""What of a configuration a recording needs to be played again: rules and options are in the facts."""

STATES_KEPT = 256
"""States that a pin of a table without a Pi remembers."""

OPENING_S = 20.0
"""Seconds that the virtual devices get to open on a busy machine; a card laid before would not be read."""


@dataclass(frozen=True)
class Parts:
    """What a table is made of. *surface* is where the virtual players lay their cards, None at a real table; *photo*
    gives the camera's photograph of what a fact tells; *know* tells the cameras' eyes what the game knows; *coarse*
    says by name which real cameras' pictures are too coarse, as soon as that is known; *dropped* how many frames came
    while nobody looked; *notices* is what the display is to say of the parts."""

    inbox: queue.Queue[Action | None]
    readers: tuple[ReaderConfig, ...]
    supervisor: Any
    lamps: Any
    buzzer: Any
    display: Any
    surface: Any
    photo: Callable[[Fact], bytes | None]
    know: Callable[[Table], None]
    coarse: Callable[[], dict[str, str]]
    dropped: Callable[[], int]
    notices: tuple[str, ...]
    tape: Any

    def loop(
        self,
        config: Config,
        options: argparse.Namespace,
        *,
        record: Journal | None,
        heard: Callable[[Table], None],
        check: Callable[[], None],
        until: Callable[[Table], bool] = lambda _: False,
    ) -> Loop:
        """The loop that owns these parts. *check* is asked along with the devices."""
        again = self.tape.plays_again

        def check_all() -> None:
            self.supervisor.check()
            check()

        def all_heard(now: Table) -> None:
            self.know(now)
            heard(now)

        kept = kept_language(options, record)
        return Loop(
            rulebook=presets.rulebook(),
            desk=Desk(self.tape.setup if again else setup(config), language=first_language(options, config, record)),
            inbox=self.inbox,
            clocks=Clocks(mono=self.tape.mono if again else time.monotonic, wall=datetime.now),
            words=words,
            record=record,
            lamps=self.lamps,
            buzzer=self.buzzer,
            display=self.display,
            typed=self.tape.key_of if again else typed,
            readers=seats_served(self.readers),
            notices=self.notices,
            watchdog=None if again else Notifier.from_environ(os.environ),
            heard=all_heard,
            check=check_all,
            until=until,
            spoke=lambda chosen: remember(kept, chosen),
            photo=self.photo,
        )


def kept_language(options: argparse.Namespace, record: Journal | None) -> Path | None:
    """Where what was chosen on the display is remembered, unless the configuration says otherwise."""
    return record.folder / "language" if record is not None and getattr(options, "config", None) is None else None


def first_language(options: argparse.Namespace, config: Config, record: Journal | None) -> str:
    """The language that a table begins with."""
    return language(options.lang or remembered(kept_language(options, record)) or config.language)


def remembered(kept: Path | None) -> str | None:
    """The language that *kept* holds, if it is one."""
    try:
        return language(kept.read_text(encoding="utf-8").strip()) if kept is not None else None
    except (OSError, ValueError):
        return None


def remember(kept: Path | None, chosen: str) -> None:
    """Keep a language for the next time; that it cannot be kept is no reason to stop."""
    with suppress(OSError):
        if kept is not None:
            kept.write_text(chosen + "\n", encoding="utf-8")


Sources = Literal["readers", "camera", "both"]
"""What sees the cards of the virtual table."""


@dataclass(frozen=True)
class Virtual:
    """The virtual table: what sees its cards, the seed of its picture, and how fast its time goes."""

    sources: Sources = "both"
    seed: int = 0
    speed: float = 1.0


def put_together(
    stack: ExitStack,
    config: Config,
    *,
    display: Any,
    virtual: Virtual | None,
    notices: tuple[str, ...],
    store: Path,
    announce: TextIO | None = None,
    tape: Any = None,
) -> Parts:
    """Open the devices of *config*, or the virtual ones, on *stack*. A device that is missing is said, not raised: on
    the display, and on *announce* where nobody sees one. *store* has the decks that were enrolled. *tape* records what
    the devices give, or plays it again in their place."""
    tape = tape or Live()
    inbox: queue.Queue[Action | None] = tape if tape.plays_again else queue.Queue(INBOX)
    surface, readers, lamps_config, pin_factory = None, config.readers, config.lamps, None
    cards, commands = load_tags(config.deck) if is_taught(config.deck) else ({}, {})
    source = None
    if virtual is not None:
        surface, readers, cards, source = stack.enter_context(virtual_table(len(config.players), virtual))
        lamps_config, pin_factory, commands = virtual_lamps(), mock_pins(), {}
    elif readers and config.deck is None:
        notices += ("no-deck-file",)
    elif readers and not is_taught(config.deck):
        notices += ("no-tag-yet",)
    pressed = SimpleNamespace(put_nowait=tape.put_by(inbox.put_nowait))
    lamps, buzzer, lacking = lamps_and_buttons(stack, config, lamps_config, pressed, pin_factory)
    notices += lacking
    gapless = virtual is not None or tape.gapless  # virtual players lay a card twice within a second, and mean it
    seen_by = config.cameras if virtual is None else (CameraConfig(source="virtual"),) * (source is not None)
    told = config.model_copy(update={"readers": readers, "cameras": seen_by})
    tape.table(told.model_dump(mode="json", by_alias=True, include=PLAYED), cards, commands, gapless=gapless)
    by_tags = tag_readers(readers, cards, commands, virtual=gapless, pin_factory=pin_factory, tape=tape)
    passes = [role for device in by_tags for role in device.roles if role.means == "pass"]
    devices = [*by_tags]
    cameras = [
        (each.name, tape.source(each.name, lambda of=each: source or real_camera(of)), opened_eye(config, store, each))
        for each in seen_by
        if tape.has(each.name, "source")
    ]
    watching = table_cameras(cameras)
    devices += [tape.device(camera, "source") for camera in watching]

    def photo(fact: Fact) -> bytes | None:
        told = (camera.photo(fact) for camera in watching if camera.name == fact.source)
        return next(told, None)

    def know(table: Table) -> None:
        for _, _, eye in cameras:
            eye.know(*coming(table.state.felt))
        for role in passes:
            role.passing = cards_to_pass(table.state, role.seat)

    def coarse() -> dict[str, str]:
        if virtual is not None:  # the virtual decks are made to be legible
            return {}
        return {name: eye.coarse for name, _, eye in cameras if eye.coarse}

    def dropped() -> int:
        return sum(camera.dropped for camera in watching)

    if tape.plays_again:
        supervisor = stack.enter_context(tape.supervised([*devices, *tape.facts_only()]))
    else:
        into = inbox if announce is None else _Announcing(inbox, announce)
        supervisor = stack.enter_context(supervised(devices, into))
    if virtual is not None and not supervisor.wait_tried(OPENING_S):
        raise Missing("the virtual devices do not open: are there pseudo-terminals on this machine?")
    return Parts(
        inbox, readers, supervisor, lamps, buzzer, display, surface, photo, know, coarse, dropped, notices, tape
    )


class _Announcing:
    """An inbox that also says which device is missing and which is back."""

    def __init__(self, inbox: queue.Queue[Action | None], out: TextIO) -> None:
        self._inbox, self._out = inbox, out

    def put(self, fact: Action, /, *, timeout: float) -> None:
        self._inbox.put(fact, timeout=timeout)
        if isinstance(fact, Lost):
            from ..devices.table_camera import OVER

            over = fact.reason is not None and fact.reason.endswith(OVER)
            told = (
                f"{fact.reason}; Ctrl-C ends the table"
                if over
                else f"{fact.device} is missing: {reason_first(fact.reason or '')}"
            )
            put_line(f"tablepi: {told}", self._out)
        elif isinstance(fact, Found):
            put_line(f"tablepi: {fact.device} is there again", self._out)


def real_camera(camera: CameraConfig) -> Any:
    """The source of *camera*'s frames. A film takes its time, as a game does."""
    from ..devices.films import InItsOwnTime, Recording

    source = camera_source(camera.source, camera)
    return InItsOwnTime(source) if isinstance(source, Recording) else source


def camera_source(named: str, camera: CameraConfig | None) -> Any:
    """The source that *named* is, asked for what is told of *camera*, if anything is."""
    from ..devices.sources import Asked, source_of

    if camera is None:
        return source_of(named)
    asked = Asked(
        size=camera.size,
        fps=camera.fps,
        height_cm=camera.height,
        exposure_ms=camera.exposure,
        gain=camera.gain,
        white=camera.white,
        part=camera.part,
        hold=camera.hold,
        mains=camera.mains,
    )
    return source_of(named, asked=asked)


def opened_eye(config: Config, store: Path, camera: CameraConfig | None = None, *, anywhere: bool = False) -> Any:
    """What reads the frames of *camera*, or the first one, for the table of *config*. *anywhere*: without markers, the
    whole frame is it. Raises BadInput when the faces that it names cannot be used."""
    from ..vision.eye import Eye

    camera, by_hand = camera or config.camera, None
    if camera is not None and camera.corners is not None:
        by_hand = camera.corners, camera.corners_size or (0, 0)
    return Eye(card_reader(config, lambda: store), len(config.players), by_hand=by_hand, anywhere=anywhere)


def card_reader(config: Config, store: Callable[[], Path]) -> Any:
    """What reads the cards of *config*'s deck: its letters, and its faces, by name of those in *store*. Raises BadInput
    when those cannot be used."""
    from ..vision.answers import meaning
    from ..vision.faces import load
    from ..vision.reader import CardReader

    letters = meaning(config.letters) if config.letters is not None else None
    faces = load(faces_file("faces", config.faces, store)) if config.faces is not None else None
    return CardReader(letters=letters, faces=faces)


def table_cameras(cameras: list[tuple[str, Any, Any]]) -> list[Any]:
    """The cameras of one table, each of a name, a source and an eye."""
    if not cameras:
        return []
    from ..devices.table_camera import TableCamera
    from ..devices.witnesses import Witnesses

    witnesses = Witnesses()
    return [TableCamera(name, source, eye, witnesses) for name, source, eye in cameras]


def opened_journal(stack: ExitStack, store: Path) -> tuple[Journal | None, tuple[str, ...]]:
    """The journal, and what the table is to say about it: on a full disk a table without a record beats none."""
    try:
        journal = stack.enter_context(Journal(store))
    except JournalFull as error:
        return None, (f"no-record: {error}",)
    notices = journal.warnings
    mounts = Path("/proc/self/mountinfo")
    forgets = forgets_at_restart(store, mounts.read_text(errors="replace")) if mounts.exists() else None
    return journal, (*notices, forgets) if forgets is not None else notices


def check_picture(path: Path | None) -> None:
    """Say before the game, and not after it, that its picture cannot be written."""
    if path is None:
        return
    try:
        new = not path.exists()
        with path.open("ab"):
            pass
        if new:
            path.unlink()
    except OSError as error:
        raise BadInput(
            f"--picture {path}: cannot be written: {error.strerror}: name a file in a folder of yours"
        ) from None


def setup(config: Config) -> Setup:
    rules = presets.rule_set(config.rules)
    return Setup(config.players, rules.name, tuple(rules.options(config.options).items()), rules.name)


def end_on_signals() -> None:
    """Signals end the program in order, before there is a loop: what is open is closed, and lamps are dark."""

    def end(*_: object) -> None:
        raise SystemExit(0)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


def stop_on_signals(loop: Loop) -> threading.Event:
    """Signals stop the loop. The event that comes back is set when a person interrupted it (Ctrl-C)."""
    interrupted = threading.Event()

    def interrupt(*_: object) -> None:
        interrupted.set()
        loop.stop()

    signal.signal(signal.SIGINT, interrupt)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: loop.stop())
    return interrupted


def has_screen(environ: Any) -> bool:
    """Whether a window can be hoped for: a desktop, a video driver that is named, or a panel of the Pi's own."""
    named = any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))
    return named or any(Path("/dev/dri").glob("card*")) if sys.platform == "linux" else True


@contextmanager
def opened_display(options: argparse.Namespace, config: Config) -> Iterator[Any]:
    """The window; without a screen (headless) one that nobody sees if a picture of it is wanted, else None."""
    if options.headless and options.picture is None and options.command == "run":
        yield None
        return
    from ..display import Display

    size = options.size or config.display.size
    fullscreen = (options.fullscreen or config.display.fullscreen) and not options.headless
    with Display(size=size, fullscreen=fullscreen, headless=options.headless) as display:
        yield display


def display_if_any(stack: ExitStack, options: argparse.Namespace, config: Config) -> Any:
    """The window, or where none opens one that nobody sees: the demonstration is headless then."""
    if not options.headless and has_screen(os.environ):
        try:
            return stack.enter_context(opened_display(options, config))
        except Missing as error:
            put_line(f"tablepi: {error}. Playing without a window", sys.stderr)
    options.headless = True
    return stack.enter_context(opened_display(options, config))


def typed(pressed: object) -> str | None:
    from ..display import Key

    return pressed.name if isinstance(pressed, Key) else None


def save_picture(options: argparse.Namespace, display: Any, *, default: Path | None = None) -> None:
    path = options.picture or default
    if display is not None and path is not None:
        display.picture(path)
        put_line(f"the final screen: {path}", sys.stdout)


def lamps_and_buttons(
    stack: ExitStack, config: Config, lamps: LampsConfig, inbox: Any, pin_factory: Any
) -> tuple[Any, Any, tuple[str, ...]]:
    """The lamps, the buzzer (None without one) and what the display is to say is lacking, opened on *stack* with the
    buttons, which press into *inbox*. What cannot be had is said once on standard error, and the game goes on.
    *pin_factory* is None for those of the Pi."""
    from ..devices.lamps import NoLamps

    pins, strip = lamps.pins or Pins(), lamps.kind == "ws2812"
    wanted = [
        name
        for name, there in (("buttons", pins.buttons), ("buzzer", config.sound and pins.buzzer is not None))
        if there
    ]
    buzzer, lacking = None, []
    if pin_factory is None and (pins.lamps or wanted):
        from ..devices.gpio import header_pins

        try:
            pin_factory = stack.enter_context(header_pins())
        except Missing as error:
            without = (["lamps are shown on the display"] if pins.lamps else []) + [f"no {name}" for name in wanted]
            put_line(f"tablepi: {error}: {', '.join(without)}", sys.stderr)
            lacking.append("no-gpio" if wanted else "lamps-on-display")
            pins, wanted = Pins(), []
    shining: Any = NoLamps("no lamps in the configuration")
    if strip or pins.lamps:
        from ..devices.lamps import open_lamps

        shining = stack.enter_context(open_lamps(lamps, seats=len(config.players), pin_factory=pin_factory))
        if shining.reason:
            put_line(f"tablepi: {shining.reason}", sys.stderr)
            lacking.append("lamps-on-display")
    if "buttons" in wanted:
        from ..devices.buttons import open_buttons

        missing = stack.enter_context(open_buttons(pins.buttons, inbox, pin_factory=pin_factory))
        for why in missing.values():
            put_line(f"tablepi: {why}", sys.stderr)
        lacking += [f"no-buttons: {', '.join(missing)}"] if missing else []
    if "buzzer" in wanted and pins.buzzer is not None:
        from ..devices.buzzer import GpioBuzzer

        try:
            buzzer = stack.enter_context(GpioBuzzer(pins.buzzer, tonal=pins.tonal, pin_factory=pin_factory))
        except Missing as error:
            put_line(f"tablepi: {error}: no sounds", sys.stderr)
            lacking.append("no-buzzer")
    return shining, buzzer, tuple(lacking)


def virtual_lamps() -> LampsConfig:
    """The lamps of the virtual table: on the pins of the four-seat table, so that it drives what a real one would."""
    seats = ((17, 27, 22), (23, 24, 25), (16, 20, 21), (26, 19, 6))
    lamps = tuple(LampPins(red=red, green=green, blue=blue) for red, green, blue in seats)
    return LampsConfig(pins=Pins(seats=lamps, centre=LampPins(red=4, green=5, blue=12)), pwm=True)


def mock_pins() -> Any:
    """Pins of nothing, for a table without a Pi. Each remembers its latest ``STATES_KEPT`` states only: gpiozero's own
    remember every one, for tests of a moment, and a lamp that breathes has hundreds a minute."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    class Pin(MockPWMPin):  # type: ignore[misc]
        states: Any

        def clear_states(self) -> None:
            super().clear_states()
            self.states = deque(self.states, maxlen=STATES_KEPT)

    return MockFactory(pin_class=Pin)


def seats_served(readers: tuple[ReaderConfig, ...]) -> dict[str, Seat | None]:
    """By name of each reader the seat that has none but it to play on; None where the seat is served without it, or
    where several have none but it."""
    played = {r.name: {part.seat for part in r.antennas.values() or (r,) if part.means == "play"} for r in readers}
    alone = {
        name: [s for s in seats if sum(s in other for other in played.values()) == 1] for name, seats in played.items()
    }
    return {name: seats[0] if len(seats) == 1 else None for name, seats in alone.items()}


def cards_to_pass(state: State, seat: Seat) -> tuple[int, int] | None:
    """The number of the hand for which *seat* is to pass cards now, and how many; None when it is not."""
    deal, game = state.deal, state.game
    if deal is None or game is None or deal.phase != "passing" or deal.pass_of(seat) is not None:
        return None
    return deal.number, game.pass_count


def tag_readers(
    readers: tuple[ReaderConfig, ...],
    cards: Mapping[str, Card],
    commands: Mapping[str, str] = NO_COMMANDS,
    *,
    virtual: bool,
    pin_factory: Any = None,
    tape: Any = None,
) -> list[Any]:
    """The devices of these *readers*. *cards* says which card a tag is in, *commands* what the cards that command ask
    for; *pin_factory* is gpiozero's, for their reset pins."""
    if not readers:
        return []
    from ..devices import pn532
    from ..devices import readers as lines
    from ..devices.pcsc import PcscReader
    from ..devices.reset import ResetPin
    from ..devices.tags import GAP_S
    from ..devices.wedge import open_keyboard

    tape = tape or Live()
    gap_s = 0.0 if virtual else GAP_S  # virtual players lay a card twice within a second, and mean it
    air = threading.Lock()  # readers that lie close to each other look in turns
    pads: dict[Seat | None, Pad] = {}
    resets: dict[int, ResetPin] = {}

    def role(r: ReaderConfig, part: ReaderConfig | AntennaConfig) -> Role:
        tells_leaving = r.kind in ("pn532", "pcsc") or r.repeats
        pad = pads.setdefault(part.seat, Pad()) if part.seat is not None and tells_leaving else None
        return Role(r.name, cards=cards, commands=commands, seat=part.seat, means=part.means, pad=pad)

    def reader(r: ReaderConfig) -> Any:
        seam = {"clock": tape.clock(r.name)}
        if r.kind == "pn532":
            pin = r.reset if not tape.plays_again else None  # what was recorded is not on this machine's pins
            reset = resets.setdefault(pin, ResetPin(pin, pin_factory)) if pin is not None else None
            seam["open_port"] = tape.port(r.name, pn532.open_port)
            air_of = air if r.close else None
            return pn532.Pn532Reader(r.port, role(r, r), field_off=r.field_off, air=air_of, reset=reset, **seam)
        if r.kind == "pcsc":
            return tape.device(PcscReader(r.port, role(r, r)), "facts")
        if r.kind == "wedge":
            seam["open_port"] = tape.port(r.name, open_keyboard)
            return lines.LineReader(r.port, role(r, r), baud=None, decimal=r.decimal, gap_s=gap_s, **seam)
        seam["open_port"] = tape.port(r.name, lines.open_port)
        roles = {name: role(r, antenna) for name, antenna in r.antennas.items()} or role(r, r)
        return lines.LineReader(r.port, roles, baud=r.baud, repeats=r.repeats, decimal=r.decimal, gap_s=gap_s, **seam)

    return [reader(r) for r in readers if tape.has(r.name, "port")]


def supervised(devices: list[Any], inbox: Any) -> Any:
    from ..devices.supervisor import Supervisor

    return Supervisor(devices, inbox)


@contextmanager
def virtual_table(
    players: int, virtual: Virtual
) -> Iterator[tuple[Any, tuple[ReaderConfig, ...], dict[str, Card], Any]]:
    """Where virtual players lay their cards, and what sees them: the surface, the configuration of the virtual readers,
    their deck, the virtual camera (None without one)."""
    from ..virtual.world import Surfaces

    with ExitStack() as stack:
        surfaces: list[Any] = []
        readers: tuple[ReaderConfig, ...] = ()
        cards: dict[str, Card] = {}
        camera = None
        if virtual.sources in ("readers", "both"):
            surface, readers, cards = stack.enter_context(virtual_readers(players))
            surfaces.append(surface)
        if virtual.sources in ("camera", "both"):
            surface, camera = virtual_camera(players, virtual.seed, virtual.speed)
            surfaces.append(surface)
        yield surfaces[0] if len(surfaces) == 1 else Surfaces(*surfaces), readers, cards, camera


def virtual_camera(players: int, seed: int, speed: float) -> tuple[Any, Any]:
    """A surface before a virtual camera, and that camera; the seed decides the deck, the light, the place."""
    from ..virtual.camera import CameraSurface, VirtualCamera
    from ..virtual.felt import Felt
    from ..virtual.photograph import Photographer, legible
    from ..virtual.pose import Pose

    pose = Pose.seeded(VIRTUAL_FRAME, seed)
    decks = legible(pose)
    camera = VirtualCamera(
        Felt(players, seed=seed, forgets=True), Photographer(pose, decks[seed % len(decks)], seed=seed), speed=speed
    )
    return CameraSurface(camera), camera


@contextmanager
def virtual_readers(players: int) -> Iterator[tuple[Any, tuple[ReaderConfig, ...], dict[str, Card]]]:
    """A virtual reader for each seat on a pseudo-terminal, the configuration that reads them, and their deck."""
    from ..virtual.readers import VirtualReader
    from ..virtual.world import TagSurface, virtual_deck

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablepi-")))
        readers: dict[Seat, VirtualReader] = {
            seat: stack.enter_context(VirtualReader(folder / f"reader-{seat}")) for seat in range(players)
        }
        configs = tuple(
            ReaderConfig(name=f"reader-{seat}", port=str(reader.link), seat=seat) for seat, reader in readers.items()
        )
        yield TagSurface(readers), configs, virtual_deck()
