"""``tablepi run`` and ``tablepi demo``: the live table, with real devices or with the virtual world around it."""

from __future__ import annotations

import argparse
import os
import queue
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from .. import presets
from ..cards import Card, Seat
from ..config import Config, LampPins, LampsConfig, Pins, ReaderConfig, load_config, load_deck
from ..errors import BadInput, Missing, TablePiError
from ..facts import Fact, Match, Tick, dumps
from ..journal import Journal, JournalFull, forgets_at_restart, store_folder
from ..language import language, words
from ..loop import Clocks, Loop
from ..notify import Notifier
from ..table import Table
from ..views.desk import Desk, Setup, new_match
from ..views.words import in_words
from .config import rules_complaint
from .sources import game_in, lines_of

INBOX = 256
"""Facts that may wait for the loop; a device that has more waits itself."""

DEMO_PLAYERS = ("Rita", "Ada", "Bo", "Cleo", "Duarte", "Eva", "Filipe")

CALM_S = 0.5
"""Seconds between two cards of the virtual players at speed 1: four hands take under three minutes."""

VIRTUAL_HANDS = 100
"""Hands after which the virtual players of ``run --virtual`` stop, if nobody has won before."""

OPENING_S = 5.0
"""Seconds that the virtual readers get to open; a card laid before would not be read."""

LINGER_S = 5.0
"""Seconds that a demonstration's last screen stays in its window."""


def run(options: argparse.Namespace) -> int:
    """The live table. Returns when the person leaves, or a signal says so."""
    config = load_config(options.config) if options.config is not None else Config()
    wrong = rules_complaint(config)
    if wrong is not None:
        raise BadInput(f"{options.config}: {wrong}")
    _check_picture(options.picture)
    with ExitStack() as stack:
        inbox: queue.Queue[Fact | None] = queue.Queue(INBOX)
        store = store_folder(options.store, os.environ)
        journal, notices = _journal(stack, store)
        display = stack.enter_context(_display(options, config))
        world: Any = None
        readers = config.readers
        cards = dict(load_deck(config.deck)) if config.deck is not None else {}
        lamps_config, pin_factory = config.lamps, None
        if options.virtual:
            surface, readers, cards = stack.enter_context(_virtual_readers(len(config.players)))
            lamps_config, pin_factory = _virtual_lamps(), _mock_pins()
        elif readers and config.deck is None:
            notices.append("the readers have no deck file: every tag is unknown (deck: in the configuration)")
        lamps = stack.enter_context(_lamps(lamps_config, pin_factory))
        if lamps.reason and config.lamps.pins is not None:
            notices.append(lamps.reason)
        supervisor = stack.enter_context(_supervised(readers, cards, inbox, virtual=options.virtual))
        told = _Transcript(sys.stdout, language(options.lang or config.language))

        def heard(table: Table) -> None:
            if world is not None:
                world.look(table)
            if display is None:
                told.tell(table)

        def check() -> None:
            supervisor.check()
            if world is not None:
                world.check()

        loop = Loop(
            rulebook=presets.rulebook(),
            desk=_desk(config, options),
            inbox=inbox,
            clocks=_clocks(),
            words=words,
            record=journal,
            lamps=lamps,
            display=display,
            typed=_typed,
            readers={reader.name: reader.seat for reader in readers},
            notices=tuple(notices),
            watchdog=Notifier.from_environ(os.environ),
            heard=heard,
            check=check,
        )
        interrupted = _stop_on_signals(loop)
        resumed = not options.new and _resume(loop)
        if options.headless:
            for notice in notices:
                print(f"tablepi: {notice}", file=sys.stderr)
            state = "goes on" if resumed else "is ready"
            print(f"tablepi {state}: game {loop.game or 'not begun'}, store {store}", flush=True)
            if not resumed and not options.virtual:
                inbox.put(new_match(_setup(config)))  # nobody sits at a display who could begin it
        if options.virtual:
            from ..virtual.players import play_match, play_on
            from ..virtual.world import World

            rng, match = random.Random(), new_match(_setup(config))
            game = presets.rulebook()[match.rules]
            acts = (
                play_on(loop.table, hands=VIRTUAL_HANDS, rng=rng)
                if resumed
                else play_match(match, game, hands=VIRTUAL_HANDS, rng=rng)
            )
            supervisor.wait_tried(OPENING_S)
            pause = CALM_S / (options.speed or 1.0)
            world = World(acts, surface, inbox.put, pause_s=pause, on_done=lambda: inbox.put(None))
            world.look(loop.table)
            stack.enter_context(world)
        loop.run()
        _save_picture(options, display)
    return 130 if interrupted.is_set() else 0


def demo(options: argparse.Namespace) -> int:
    """A match that the virtual players play by themselves."""
    from ..virtual.players import Slips, acts_of, play_match
    from ..virtual.world import World

    rulebook = presets.rulebook()
    rules = options.rules or "hearts-cardems"
    if rules not in rulebook:
        raise BadInput(f"--rules: no rule set {rules!r}: known are {', '.join(rulebook)}")
    if options.players not in rulebook[rules].players:
        counts = " or ".join(map(str, rulebook[rules].players))
        raise BadInput(f"--players: {rules} is for {counts} players, not {options.players}")
    _check_picture(options.picture)
    players = DEMO_PLAYERS[: options.players]
    script = _script(options.game) if options.game is not None else None
    if script is not None and isinstance(script[0], Match):
        players, rules = script[0].players, script[0].rules
    config = Config(players=players, rules=rules)
    store = store_folder(options.store, os.environ)
    if options.store is None and "TABLEPI_STORE" not in os.environ:
        store = store_folder(str(store / "demo"), os.environ)  # apart from the games that people played
    with ExitStack() as stack:
        inbox: queue.Queue[Fact | None] = queue.Queue(INBOX)
        journal = stack.enter_context(Journal(store))
        truth = stack.enter_context(_truth_file(options.truth))
        display = _display_if_any(stack, options, config)
        headless = options.headless
        surface, readers, cards = stack.enter_context(_virtual_readers(len(players)))
        lamps = stack.enter_context(_lamps(_virtual_lamps(), _mock_pins()))
        supervisor = stack.enter_context(_supervised(readers, cards, inbox, virtual=True))
        if not supervisor.wait_tried(OPENING_S):
            raise Missing("the virtual readers do not open: are there pseudo-terminals on this machine?")
        rng = random.Random(options.seed)
        slips = Slips(rng, hands=options.hands) if options.mistakes else None
        acts = (
            acts_of(script)
            if script is not None
            else play_match(new_match(_setup(config)), rulebook[rules], hands=options.hands, rng=rng, slips=slips)
        )
        pause = 0.0 if headless and options.speed is None else CALM_S / (options.speed or 1.0)
        told = _Transcript(sys.stdout, language(options.lang or "en"))
        ending = _Ending(linger_s=0.0 if headless else LINGER_S)
        world = World(
            acts,
            surface,
            inbox.put,
            pause_s=pause,
            on_done=lambda: inbox.put(None),  # let the loop look up
            write=truth,
        )

        def check() -> None:
            supervisor.check()
            world.check()

        def heard(table: Table) -> None:
            world.look(table)
            if headless:
                told.tell(table)

        loop = Loop(
            rulebook=rulebook,
            desk=_desk(config, options),
            inbox=inbox,
            clocks=_clocks(),
            words=words,
            record=journal,
            lamps=lamps,
            display=display,
            typed=_typed,
            readers={reader.name: reader.seat for reader in readers},
            notices=journal.warnings,
            heard=heard,
            check=check,
            until=lambda _: ending.reached(world.done),
        )
        interrupted = _stop_on_signals(loop)
        with world:
            loop.run()
        _save_picture(options, display, default=journal.folder / "last-demo.png" if headless else None)
        print(
            f"game {loop.game} in {journal.folder}: see it again with `tablepi --store {journal.folder} review last`",
            flush=True,
        )
    return 130 if interrupted.is_set() else 0


class _Ending:
    """When a demonstration is over: its last screen has been seen for a while."""

    def __init__(self, *, linger_s: float) -> None:
        self._linger_s = linger_s
        self._since: float | None = None

    def reached(self, done: threading.Event) -> bool:
        if not done.is_set():
            return False
        self._since = time.monotonic() if self._since is None else self._since
        return time.monotonic() - self._since >= self._linger_s


class _Transcript:
    """Tells a game in sentences, where no screen shows it."""

    def __init__(self, out: TextIO, spoken: str) -> None:
        self._out, self._language = out, spoken

    def tell(self, table: Table) -> None:
        spoken = words(self._language, table.state.players)
        for line in table.lines:
            text = in_words(line, spoken)
            if text and line.get("event") != "turn":
                print(f"{table.n:5}  {text}", file=self._out, flush=True)


# --- the parts -----------------------------------------------------------------------------------------------------


def _journal(stack: ExitStack, store: Path) -> tuple[Journal | None, list[str]]:
    """The journal, and what the table is to say about it: on a full disk a table without a record beats none."""
    try:
        journal = stack.enter_context(Journal(store))
    except JournalFull as error:
        return None, [f"the record is not being kept: {error}"]
    notices = list(journal.warnings)
    mounts = Path("/proc/self/mountinfo")
    forgets = forgets_at_restart(store, mounts.read_text(errors="replace")) if mounts.exists() else None
    return journal, [*notices, forgets] if forgets is not None else notices


def _check_picture(path: Path | None) -> None:
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


def _setup(config: Config) -> Setup:
    book = presets.rulebook()
    fitting = tuple(name for name, game in book.items() if len(config.players) in game.players)
    return Setup(config.players, fitting, config.rules, tuple(config.options.items()))


def _desk(config: Config, options: argparse.Namespace) -> Desk:
    return Desk(_setup(config), language=language(options.lang or config.language))


def _clocks() -> Clocks:
    return Clocks(mono=time.monotonic, wall=datetime.now)


def _resume(loop: Loop) -> bool:
    try:
        return loop.resume()
    except TablePiError as error:
        print(f"tablepi: the interrupted game cannot be resumed: {error}", file=sys.stderr)
        return False


def _stop_on_signals(loop: Loop) -> threading.Event:
    """Signals stop the loop. The event that comes back is set when a person interrupted it (Ctrl-C)."""
    interrupted = threading.Event()

    def interrupt(*_: object) -> None:
        interrupted.set()
        loop.stop()

    signal.signal(signal.SIGINT, interrupt)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: loop.stop())
    return interrupted


def _has_screen(environ: Any) -> bool:
    """Whether a window can be hoped for: a desktop, a video driver that is named, or a panel of the Pi's own."""
    named = any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))
    return named or any(Path("/dev/dri").glob("card*")) if sys.platform == "linux" else True


@contextmanager
def _display(options: argparse.Namespace, config: Config) -> Iterator[Any]:
    """The window; without a screen (headless) one that nobody sees if a picture of it is wanted, else None."""
    if options.headless and options.picture is None and options.command == "run":
        yield None
        return
    from ..display import Display

    size = options.size or config.display.size
    fullscreen = (options.fullscreen or config.display.fullscreen) and not options.headless
    with Display(size=size, fullscreen=fullscreen, headless=options.headless) as display:
        yield display


def _display_if_any(stack: ExitStack, options: argparse.Namespace, config: Config) -> Any:
    """The window, or where none opens one that nobody sees: the demonstration is headless then."""
    if not options.headless and _has_screen(os.environ):
        try:
            return stack.enter_context(_display(options, config))
        except Missing as error:
            print(f"tablepi: {error}. Playing without a window", file=sys.stderr)
    options.headless = True
    return stack.enter_context(_display(options, config))


def _typed(pressed: object) -> str | None:
    from ..display import Key

    return pressed.name if isinstance(pressed, Key) else None


def _save_picture(options: argparse.Namespace, display: Any, *, default: Path | None = None) -> None:
    path = options.picture or default
    if display is not None and path is not None:
        display.picture(path)
        print(f"the final screen: {path}", flush=True)


@contextmanager
def _lamps(config: LampsConfig, pin_factory: Any) -> Iterator[Any]:
    from ..devices.lamps import NoLamps, open_lamps

    if config.pins is None:
        yield NoLamps("no lamps in the configuration")
        return
    with open_lamps(config, pin_factory=pin_factory) as lamps:
        yield lamps


def _virtual_lamps() -> LampsConfig:
    """The lamps of the virtual table: on the pins of the four-seat table, so that it drives what a real one would."""
    seats = ((17, 27, 22), (23, 24, 25), (16, 20, 21), (26, 19, 6))
    lamps = tuple(LampPins(red=red, green=green, blue=blue) for red, green, blue in seats)
    return LampsConfig(pins=Pins(seats=lamps, centre=LampPins(red=4, green=5, blue=12)), pwm=True)


def _mock_pins() -> Any:
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return MockFactory(pin_class=MockPWMPin)


@contextmanager
def _supervised(
    readers: tuple[ReaderConfig, ...], cards: dict[str, Card], inbox: Any, *, virtual: bool
) -> Iterator[Any]:
    from ..devices.readers import LineReader
    from ..devices.supervisor import Supervisor
    from ..devices.tags import GAP_S

    gap_s = 0.0 if virtual else GAP_S  # virtual players lay a card twice within a second, and mean it
    devices = [
        LineReader(r.name, r.port, cards=cards, seat=r.seat, baud=r.baud, repeats=r.repeats, gap_s=gap_s)
        for r in readers
    ]
    with Supervisor(devices, inbox) as supervisor:
        yield supervisor


@contextmanager
def _virtual_readers(players: int) -> Iterator[tuple[Any, tuple[ReaderConfig, ...], dict[str, Card]]]:
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


def _script(path: Path) -> list[Fact]:
    with lines_of(str(path)) as lines:
        # A blank line counts too, as everywhere: a tick takes its number, and is not performed.
        facts = [fact if fact is not None else Tick() for fact in game_in(lines, str(path))]
    if not facts or not isinstance(facts[0], Match):
        raise BadInput(f"{path}: a game begins with a match fact, such as an export of a game has")
    return facts


@contextmanager
def _truth_file(path: Path | None) -> Iterator[Callable[[Mapping[str, Any]], None] | None]:
    """What writes a line of the truth, or None when nobody wants it. Raises BadInput, and so does what it gives."""
    if path is None:
        yield None
        return

    def refused(error: OSError) -> BadInput:
        return BadInput(f"--truth {path}: cannot be written: {error.strerror}: name a file in a folder of yours")

    with ExitStack() as opened:
        try:
            file = opened.enter_context(path.open("wb", buffering=0))
        except OSError as error:
            raise refused(error) from None

        def write(line: Mapping[str, Any]) -> None:
            try:
                file.write(dumps(line).encode() + b"\n")
            except OSError as error:
                raise refused(error) from None

        yield write
