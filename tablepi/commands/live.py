"""``tablepi run`` and ``tablepi demo``: the live table, with real devices or with the virtual world around it."""

from __future__ import annotations

import argparse
import os
import random
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from .. import presets
from ..config import BadConfig, Config, is_taught, load_commands, load_config, located
from ..errors import BadInput, TablePiError
from ..facts import Fact, Match, Tick, dumps
from ..files import same
from ..journal import Journal, store_folder
from ..language import language, words
from ..loop import Loop
from ..rules import game_of
from ..table import Table
from ..views.desk import new_match
from ..views.words import notice_in_words, unnamed
from . import parts
from .config import camera_complaints, match_complaints
from .sources import game_in, lines_of
from .telling import Transcript, put_line

DEMO_PLAYERS = ("Rita", "Ada", "Bo", "Cleo", "Duarte", "Eva", "Filipe")

CALM_S = 0.5
"""Seconds between two cards of the virtual players at speed 1: four hands take under three minutes."""

SEEN_S = 0.1
"""The same where a camera watches: the hand that lays a card takes most of the time."""

HURRIED = 2.0
"""How fast the virtual table goes where nobody watches it."""

VIRTUAL_HANDS = 100
"""Hands after which the virtual players of ``run --virtual`` stop, if nobody has won before."""

NO_HAND = (
    "no hand is open, and without a window or a button nobody can deal: begin one with `tablepi run` first, or referee "
    "a film with `tablepi watch … | tablepi referee -`"
)
"""What ``run --headless`` says when no card can count."""

DEALS = ("next-hand", "confirm")
"""The commands that begin a hand where none is open."""

LINGER_S = 5.0
"""Seconds that a demonstration's last screen stays in its window."""


def run(options: argparse.Namespace) -> int:
    """The live table, or a recording of one. Returns when the person leaves, or a signal says so."""
    from .replay import recorder, replay

    if options.replay is not None:
        return replay(options)
    config = load_config(options.config) if options.config is not None else Config()
    if options.rules not in (None, config.rules):
        config = _by_other_rules(config, options.rules, named=options.config is not None)
    wrongs = match_complaints(config)
    if not options.virtual:
        wrongs += camera_complaints(config, lambda: store_folder(options.store, os.environ))
    if wrongs:
        raise BadConfig(located(options.config, wrongs))
    parts.check_picture(options.picture)
    store = store_folder(options.store, os.environ)
    parts.end_on_signals()
    with ExitStack() as stack:
        journal, notices = parts.opened_journal(stack, store)
        display = stack.enter_context(parts.opened_display(options, config))
        virtual = parts.Virtual("readers") if options.virtual else None
        announce = sys.stderr if options.headless else None
        tape = stack.enter_context(recorder(options, config, journal, store))
        table = parts.put_together(
            stack,
            config,
            display=tape.display(display, parts.typed),
            virtual=virtual,
            notices=notices,
            store=store,
            announce=announce,
            tape=tape,
        )
        put = tape.put_by(table.inbox.put)
        told = Transcript(sys.stdout, language(options.lang or config.language))
        world: Any = None

        def heard(now: Table) -> None:
            if world is not None:
                world.look(now)
            if display is None:
                told.tell(now)

        coarse: set[str] = set()

        def check() -> None:
            if world is not None:
                world.check()
            for camera, why in table.coarse().items():  # once; the display says it as long as it runs, in short
                if camera not in coarse:
                    coarse.add(camera)
                    loop.notices = (*loop.notices, ": ".join(why.split(": ")[:2]))
                    if announce is not None:
                        put_line(f"tablepi: {camera}: {why}", announce)
            if tape.trouble is not None and not any(notice.startswith("not-recorded: ") for notice in loop.notices):
                notice = f"not-recorded: {tape.trouble}"
                loop.notices = (*loop.notices, notice)
                if announce is not None:
                    told_of = notice_in_words(notice, words(loop.desk.language, loop.table.state.players))
                    put_line(f"tablepi: {told_of}", announce)

        loop = table.loop(config, options, record=journal, heard=heard, check=check)
        interrupted = parts.stop_on_signals(loop)
        resumed = not options.new and _resume(loop)
        if resumed and journal is not None and loop.game is not None:
            tape.resumed(fact for _, fact in journal.facts(loop.game))
        if resumed and options.config is not None and loop.table.state.players != config.players:
            loop.notices = (*loop.notices, "goes-on")
        if options.headless and not options.virtual and not resumed:
            put(new_match(parts.setup(config)))  # nobody sits at a display who could begin it
        if options.headless:
            spoken = words(loop.desk.language, loop.table.state.players)
            for notice in loop.notices:
                put_line(f"tablepi: {notice_in_words(notice, spoken)}", sys.stderr)
            state = "goes on" if resumed else "is ready"
            ready = f"tablepi {state}: game {loop.game or 'not begun'}, store {store}"
            deal = loop.table.state.deal
            if not options.virtual and (deal is None or deal.phase == "over"):
                ready += f"; {_who_deals(config)}"
            put_line(f"{ready}; Ctrl-C ends it", sys.stdout)
        if options.virtual:
            world = stack.enter_context(_players(table, loop, config, resumed=resumed, speed=options.speed, put=put))
        try:
            loop.run()
        finally:
            tape.left(loop.table.n)
            if options.headless and loop.game is not None and journal is not None:
                put_line(_see_again(loop.game, journal.folder, options), sys.stdout)
        parts.save_picture(options, display)
    return 130 if interrupted.is_set() else 0


def _who_deals(config: Config) -> str:
    """How a hand is begun where there is no window: by a button or a card that commands, if there is one."""
    buttons = config.lamps.pins.buttons if config.lamps.pins is not None else {}
    ways = [f"press the button {name}" for name in buttons if name in DEALS or name.startswith("seat-")]
    if config.readers and is_taught(config.deck):
        cards = dict.fromkeys(load_commands(config.deck).values())
        ways += [f"lay the card “{name}” on a reader" for name in cards if name in DEALS]
    return f"no hand is open: to deal, {' or '.join(ways)}" if ways else NO_HAND


def _by_other_rules(config: Config, rules: str, *, named: bool) -> Config:
    """*config* with other *rules*, for which its options were not made. Players whom nobody has *named* are as many as
    can play by them. Raises BadInput."""
    counts = _chosen(rules).game.players
    players = config.players if named or len(config.players) in counts else tuple(map(unnamed, range(counts[0])))
    changed = config.model_copy(update={"rules": rules, "options": {}, "players": players})
    for wrong in match_complaints(changed):
        raise BadInput(f"--rules: {wrong.text}")
    return changed


def _chosen(rules: str) -> presets.RuleSet:
    """The rule set that ``--rules`` names. Raises BadInput."""
    try:
        return presets.rule_set(rules)
    except BadConfig:
        raise
    except BadInput as error:
        raise BadInput(f"--rules: {error}") from None


def _see_again(game: str, store: Path, options: argparse.Namespace) -> str:
    """Where a game is kept, with the command that shows it, ready to be pasted into the same shell."""
    program = ["tablepi"] if Path(sys.argv[0]).name != "tablepi" else [sys.argv[0]]
    if Path(sys.argv[0]).name == "__main__.py":
        program = [sys.executable, "-m", "tablepi"]
    spoken = ["--lang", options.lang] if options.lang else []
    shown = ["--headless"] if options.headless else []  # also where no window opened
    again = shlex.join([*program, "--store", str(store), *spoken, "review", game, *shown])
    return f"game {game} in {store}: see it again with `{again}`"


def _players(
    table: parts.Parts,
    loop: Loop,
    config: Config,
    *,
    resumed: bool,
    speed: float | None,
    put: Callable[[Fact], object],
) -> Any:
    """The virtual players of ``run --virtual``, who go on where the table stands."""
    from ..virtual.players import play_match, play_on
    from ..virtual.world import World

    rng, match = random.Random(), new_match(parts.setup(config))
    game = game_of(presets.rulebook(), match.rules, match.options)
    acts = (
        play_on(loop.table, hands=VIRTUAL_HANDS, rng=rng)
        if resumed
        else play_match(match, game, hands=VIRTUAL_HANDS, rng=rng)
    )
    pause = CALM_S / (speed or 1.0)
    world = World(acts, table.surface, put, pause_s=pause, on_done=lambda: table.inbox.put(None))
    world.look(loop.table)
    return world


def demo(options: argparse.Namespace) -> int:
    """A match that the virtual players play by themselves."""
    from ..virtual.players import Slips, acts_of, play_match
    from ..virtual.world import World, patience_s

    rulebook = presets.rulebook()
    rules = options.rules or presets.FIRST
    chosen = _chosen(rules)
    if options.players not in chosen.game.players:
        counts = " or ".join(map(str, chosen.game.players))
        raise BadInput(f"--players: {chosen.name} is for {counts} players, not {options.players}")
    for option in ("truth", "picture"):
        if options.game is not None and getattr(options, option) and same(getattr(options, option), options.game):
            raise BadInput(f"--{option} {getattr(options, option)}: is the game that is played: name another file")
    parts.check_picture(options.picture)
    players = DEMO_PLAYERS[: options.players]
    script = _script(options.game) if options.game is not None else None
    if script is not None and isinstance(script[0], Match):
        players = script[0].players
        _check_names(players, options.game)
    config = Config(players=players, rules=rules)
    store = store_folder(options.store, os.environ)
    if options.store is None and "TABLEPI_STORE" not in os.environ:
        store = store_folder(str(store / "demo"), os.environ)  # apart from the games that people played
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(store, beside=True))  # a game that people have open stays open
        truth = stack.enter_context(_truth_file(options.truth))
        display = parts.display_if_any(stack, options, config)
        speed = options.speed or (HURRIED if options.headless else 1.0)
        virtual = parts.Virtual(options.sources, seed=options.seed, speed=speed)
        table = parts.put_together(
            stack, config, display=display, virtual=virtual, notices=journal.warnings, store=store
        )
        rng = random.Random(options.seed)
        slips = Slips(rng, hands=options.hands) if options.mistakes else None
        acts = (
            acts_of(script, rulebook)
            if script is not None
            else play_match(new_match(parts.setup(config)), chosen.game, hands=options.hands, rng=rng, slips=slips)
        )
        seen = options.sources != "readers"  # then the hands that lay the cards take their time as well
        pause = 0.0 if options.headless and options.speed is None else (SEEN_S if seen else CALM_S) / speed
        told = Transcript(sys.stdout, language(options.lang or "en"))
        if not options.headless:
            put_line(_what_opens(options, script is not None), sys.stdout)
        ending = _Ending(linger_s=0.0 if options.headless else LINGER_S)
        world = World(
            acts,
            table.surface,
            table.inbox.put,
            pause_s=pause,
            patience_s=patience_s(speed),
            on_done=lambda: table.inbox.put(None),  # let the loop look up
            write=truth,
        )

        def heard(now: Table) -> None:
            world.look(now)
            if options.headless:
                told.tell(now)

        loop = table.loop(
            config,
            options,
            record=journal,
            heard=heard,
            check=world.check,
            until=lambda _: ending.reached(world.done),
        )
        interrupted = parts.stop_on_signals(loop)
        try:
            with world:
                loop.run()
            parts.save_picture(options, display, default=journal.folder / "last-demo.png" if options.headless else None)
        finally:  # a game that was broken off is kept as well
            if loop.game is not None:
                put_line(_see_again(loop.game, journal.folder, options), sys.stdout)
    return 130 if interrupted.is_set() else 0


def _check_names(players: tuple[str, ...], path: Path) -> None:
    """Refuse two players of one name, of whom nobody could tell which one is meant."""
    names = [name.strip() for name in players]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"{path}: players: {twice!r} is there twice: give each player a name of its own")


def _what_opens(options: argparse.Namespace, of_a_game: bool) -> str:
    """What a person who called the demonstration is about to see."""
    lasts = "" if of_a_game else f" for about {max(1, round(options.hands / (options.speed or 1.0)))} min"
    return f"a window has opened, where the game plays by itself{lasts}: close it to end, or press Esc, then Leave"


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


def _resume(loop: Loop) -> bool:
    try:
        return loop.resume()
    except TablePiError as error:
        put_line(f"tablepi: the interrupted game cannot be resumed: {error}", sys.stderr)
        return False


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
