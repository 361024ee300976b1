"""The command line: the one place that knows every part. Errors become one clear message and an exit status.

Libraries of devices (pygame, gpiozero, pyserial, cv2) are imported inside the command that needs them, so that
``tablepi referee`` and ``tablepi games`` start fast on a machine where none of them works.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import re
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import category

from . import __version__
from .errors import BadInput, TablePiError

if TYPE_CHECKING:
    from .commands.recognise import Every


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 done, 1 a check says no, 2 bad input or usage, 3 a device or
    resource is missing, 130 interrupted."""
    _open_streams()
    logging.basicConfig(level=logging.WARNING, format="tablepi: %(message)s")
    try:
        options = _parser().parse_args(argv)
        status = _run(options)
        sys.stdout.flush()
        return status
    except TablePiError as error:
        print(f"tablepi: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _abandon_output()  # whoever read us has gone
        return 0
    except OSError as error:  # no part has words for it: such as a full disk behind our output
        print(f"tablepi: {error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        _abandon_output()
        return 3


class _Complaints(io.FileIO):
    """Standard error: what it has no room for is lost, and changes nothing of what a command does or ends with."""

    def write(self, said: Any, /) -> int:
        try:
            return super().write(said)
        except OSError:
            return len(said)


def _open_streams() -> None:
    """Both streams speak UTF-8 whatever the locale; one that was closed swallows what is said, and so does standard
    error where it is full, or whoever read it has gone."""
    if sys.__stderr__ is not None and sys.stderr is sys.__stderr__:
        complaints = _Complaints(sys.__stderr__.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(complaints), line_buffering=True)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 (until the end)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _abandon_output() -> None:
    """Do not complain again when Python flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tablepi", description="The referee of a real card table: judges the cards that people play."
    )
    parser.add_argument("--version", action="version", version=f"tablepi {__version__}")
    common = argparse.ArgumentParser(add_help=False)
    for option, word, what in (
        ("--store", "DIR", "the folder that keeps the games"),
        ("--lang", "LANGUAGE", "en, pt-PT or pt-BR (pt means pt-PT)"),
    ):  # before the command or behind it
        parser.add_argument(option, metavar=word, type=_named, help=what)
        common.add_argument(option, metavar=word, type=_named, help=what, default=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, what: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=what, description=what, parents=[common])

    run = command("run", "the live table: devices, referee, lamps, display, journal; resumes an interrupted hand")
    run.add_argument("--config", metavar="FILE", type=_file, help="the table's configuration (YAML)")
    run.add_argument(
        "--rules", metavar="NAME|FILE", type=_named, help="the rule set that the start screen offers first"
    )
    run.add_argument("--virtual", action="store_true", help="virtual players on virtual readers and lamps")
    run.add_argument("--speed", metavar="X", type=_speed, help="how fast the virtual players, or a recording, play")
    run.add_argument("--new", action="store_true", help="leave an interrupted game and begin anew")
    run.add_argument("--record", metavar="FILE", type=_file, help="keep what the devices give and people press")
    run.add_argument("--record-frames", action="store_true", help="and the cameras' frames, some MB a second")
    run.add_argument("--replay", metavar="FILE", type=_file, help="play a recording instead of a table")
    _screen_options(run)

    demo = command("demo", "a virtual table that plays by itself")
    demo.add_argument("--game", metavar="FACTS", type=_file, help="play this file of facts")
    demo.add_argument("--rules", metavar="NAME|FILE", type=_named, default=None, help="the rule set (hearts-cardems)")
    demo.add_argument("--players", metavar="N", type=_whole(2, 7), default=4, help="how many play (4)")
    demo.add_argument("--hands", metavar="N", type=_whole(1, 1000), default=4, help="how many hands at most (4)")
    demo.add_argument(
        "--seed", metavar="N", type=_whole(0, 2**63), default=1, help="the same seed is the same game (1)"
    )
    demo.add_argument("--speed", metavar="X", type=_speed, default=None, help="how fast the players play (1 is calm)")
    demo.add_argument("--mistakes", action="store_true", help="players err now and then")
    demo.add_argument(
        "--sources", choices=["camera", "readers", "both"], default="both", help="what sees the cards (both)"
    )
    demo.add_argument("--truth", metavar="FILE", type=_file, help="write what really happened")
    _screen_options(demo)

    referee = command("referee", "facts in, rulings and scores out")
    referee.add_argument("file", metavar="FILE", type=_named, help="facts, one JSON object a line; - is standard input")
    referee.add_argument("--json", action="store_true", help="one JSON object a line")
    referee.add_argument("--lenient", action="store_true", help="skip and count lines that are no facts")

    recognise = command("recognise", "the cards on photographs, in folders of them and in videos")
    recognise.add_argument("paths", metavar="PATH", nargs="+", help="a picture, a folder or a video")
    recognise.add_argument("--json", action="store_true", help="one JSON object a line")
    recognise.add_argument("--all", action="store_true", help="also the cards that are not sure")
    recognise.add_argument("--draw", metavar="DIR", type=_folder, help="write copies with boxes and names there")
    recognise.add_argument(
        "--faces", metavar="FILE|NAME", type=_named, help="the deck's own faces, as `enrol faces` learned them"
    )
    recognise.add_argument("--config", metavar="FILE", type=_file, help="a table's configuration: its deck's letters")
    recognise.add_argument(
        "--every", metavar="N|S", type=_every, help="of a video, each Nth frame (10) or one each S seconds (0.5s)"
    )

    watch = command("watch", "a film or a camera in, what happens on the felt out")
    watch.add_argument("source", metavar="VIDEO|DEVICE", help="a film, a folder, a camera's path, or rpicam")
    watch.add_argument("--config", metavar="FILE", type=_file, help="the table's configuration (YAML)")
    watch.add_argument("--json", action="store_true", help="facts, one JSON object a line, as `referee` reads them")

    enrol = command("enrol", "teach a deck's tags, or its own faces").add_subparsers(
        dest="what",
        metavar="WHAT",
        required=True,
        help="tags, to tell which tag is in which card; faces, to learn them; list and forget, for what was learned",
    )
    what = "which tag is in which card: each card is asked for and laid on a reader; resumable"
    tags = enrol.add_parser("tags", help=what, description=what, parents=[common])
    _reader_options(tags)
    tags.add_argument(
        "--command", dest="of_command", metavar="NAME", help="not the pack, but a card that commands, such as undo"
    )
    tags.add_argument("--again", action="store_true", help="each card stays until Enter: several tags in one card")
    _window_options(tags)
    what = "the faces of a deck, learned from pictures of its cards; resumable"
    faces = enrol.add_parser("faces", help=what, description=what, parents=[common])
    faces.add_argument(
        "paths", metavar="PATH", nargs="+", help="a picture or a folder; QS.jpg, or QS/1.jpg, says what it shows"
    )
    faces.add_argument(
        "--deck", metavar="FILE|NAME", type=_named, required=True, help="a file to keep them in, or the deck's name"
    )
    faces.add_argument("--json", action="store_true", help="one JSON object a line")
    what = "what was learned of a deck, card by card; without DECK, the decks of the store"
    listed = enrol.add_parser("list", help=what, description=what, parents=[common])
    listed.add_argument("deck", metavar="DECK", type=_named, nargs="?", help="the deck's name, or its file")
    listed.add_argument("--json", action="store_true", help="one JSON object a line")
    what = "take cards out of what was learned of a deck; to forget all of it, delete its file (enrol list names it)"
    forgotten = enrol.add_parser("forget", help=what, description=what, parents=[common])
    forgotten.add_argument("deck", metavar="DECK", type=_named, help="the deck's name, or its file")
    forgotten.add_argument("cards", metavar="CARD", nargs="+", help="such as QS or 10H")

    calibrate = command("calibrate", "what the camera needs to find the table").add_subparsers(
        dest="what",
        metavar="WHAT",
        required=True,
        help="sheet, to print the markers; camera, to see whether it sees the table well",
    )
    what = "the markers by which the camera finds the table, to print"
    sheet = calibrate.add_parser("sheet", help=what, description=what, parents=[common])
    sheet.add_argument("-o", metavar="FILE", dest="to", type=_file, required=True, help="write FILE.pdf or FILE.svg")
    sheet.add_argument("--mat", action="store_true", help="the whole mat, 520 × 520 mm, instead of an A4 page to cut")
    sheet.add_argument("--players", metavar="N", type=_whole(2, 7), default=4, help="how many sit at the table (4)")

    what = "whether the camera sees the table well, and what is to be moved"
    seen = calibrate.add_parser("camera", help=what, description=what, parents=[common])
    seen.add_argument(
        "source", metavar="SOURCE", nargs="?", help="a camera's path, rpicam, a film, a folder or a picture"
    )
    seen.add_argument(
        "--config", metavar="FILE", type=_file, help="the table's configuration (YAML); SOURCE may name a camera of it"
    )
    seen.add_argument(
        "--corners",
        metavar="X,Y",
        nargs=4,
        type=_pixel,
        help="the square's corners in the picture, without markers: NE, SE, SW, NW (N is the side of seat 0)",
    )
    seen.add_argument("--jumbo", action="store_true", help="the deck has jumbo indices: ranks of 15 mm")
    seen.add_argument("--draw", metavar="FILE", type=_file, help="write a copy of the picture with seats and markers")
    seen.add_argument("--json", action="store_true", help="one JSON object a line")

    rules = command("rules", "the rule sets, their switches and sources")
    rules.add_argument(
        "named",
        nargs="*",
        metavar="[show] NAME|FILE",
        type=_named,
        help="show one rule set, each switch with its meaning and what it may be; a file is one of your own",
    )

    games = command("games", "the games in the log")
    games.add_argument("--json", action="store_true", help="one JSON object a line")

    show = command("show", "a logged game, fact by fact")
    show.add_argument("game", metavar="GAME", help="an id from `games`, or last")
    show.add_argument("--at", metavar="N", type=_whole(1, 10**9), help="up to fact N")
    show.add_argument("--json", action="store_true", help="one JSON object a line")

    export = command("export", "a logged game as a file")
    export.add_argument("game", metavar="GAME", help="an id from `games`, or last")
    export.add_argument("--format", choices=["jsonl"], default="jsonl", help="one fact a line, as `referee` reads them")
    export.add_argument("-o", metavar="FILE", dest="to", type=_named, help="the file (else standard output)")

    import_ = command("import", "keep a game from a file of facts")
    import_.add_argument("file", metavar="FILE", type=_named, help="a game as `export` writes it; - is standard input")

    check = command("check", "fold logged games again and tell every ruling that differs; verify the store")
    check.add_argument("game", metavar="GAME", nargs="?", help="an id from `games`, or last")
    check.add_argument("--all", action="store_true", help="every game")

    review = command("review", "step through a logged game on the display")
    review.add_argument("game", metavar="GAME", help="an id from `games`, or last")
    review.add_argument(
        "--photos", action="store_true", help="headless: name every photograph, not only those of accusations"
    )
    _screen_options(review)

    lamps = command("lamps", "what the lamps and the buzzer mean")
    lamps.add_argument("off", choices=["off"], nargs="?", help="instead: all of them off, as after a crash")
    lamps.add_argument("--config", metavar="FILE", type=_file, help="whose lamps (YAML)")

    deck = command("deck", "whether a pack is whole").add_subparsers(
        dest="what", metavar="WHAT", required=True, help="check, to see whether all cards are there"
    )
    what = "whether all cards are there, by a reader or a camera: what lacks, what is there twice, what is foreign"
    checked = deck.add_parser("check", help=what, description=what, parents=[common])
    _reader_options(checked)
    checked.add_argument(
        "--camera", metavar="SOURCE", type=_named, help="a camera's path, rpicam, a film, a picture or a folder of them"
    )
    checked.add_argument("--rules", metavar="NAME|FILE", type=_named, help="the rule set whose pack it is")
    checked.add_argument("--players", metavar="N", type=_whole(2, 7), help="for how many players that pack is")
    checked.add_argument("--json", action="store_true", help="one JSON object a line")

    devices = command("devices", "what is plugged in, and the line of each device for the table's file")
    devices.add_argument("--config", metavar="FILE", type=_file, help="say what of it the table of FILE uses")
    devices.add_argument("--json", action="store_true", help="one JSON object a line")

    test = command("test", "try the table's devices, together with a person")
    test.add_argument("what", choices=["hardware"], help="each lamp, button, reader, camera and the display in turn")
    test.add_argument("--config", metavar="FILE", type=_file, help="the table's configuration (YAML)")

    doctor = command("doctor", "what is to be mended on this machine, and how")
    doctor.add_argument(
        "--config", metavar="FILE", type=_file, help="the table's configuration (YAML): its devices, too"
    )
    doctor.add_argument("--json", action="store_true", help="one JSON object a line")

    config = command("config", "check a configuration: every complaint at once")
    config.add_argument("check", choices=["check"], help="check it")
    config.add_argument("file", metavar="FILE", type=_file, help="the configuration (YAML)")
    return parser


def _screen_options(parser: argparse.ArgumentParser) -> None:
    _window_options(parser)
    parser.add_argument("--picture", metavar="FILE", type=_file, help="save the last screen as a PNG")


def _window_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--headless", action="store_true", help="without a window")
    parser.add_argument("--fullscreen", action="store_true", help="the whole screen")
    parser.add_argument("--size", metavar="WxH", type=_size, help="the window's size, such as 1024x600")


def _reader_options(parser: argparse.ArgumentParser) -> None:
    """Which readers, and which deck's file."""
    parser.add_argument("--config", metavar="FILE", type=_file, help="the table's configuration (YAML): its readers")
    parser.add_argument("--reader", metavar="PORT", type=_named, help="one reader by its port, such as /dev/ttyUSB0")
    parser.add_argument(
        "--kind", choices=["lines", "pn532", "pcsc", "wedge"], default="lines", help="what --reader is (lines)"
    )
    parser.add_argument(
        "--baud", metavar="N", type=_whole(300, 4_000_000), default=9600, help="of a line reader: its speed (9600)"
    )
    parser.add_argument("--deck", metavar="FILE", type=_file, help="the deck's file, if not that of the configuration")


class _whole:
    """An option's whole number between bounds."""

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def __call__(self, text: str) -> int:
        if not text.isdecimal() or len(text) > 19 or not self._least <= int(text) <= self._most:
            told = text if len(text) <= 40 else text[:39] + "…"
            raise argparse.ArgumentTypeError(f"{told!r} is not a whole number of {self._least} to {self._most}")
        return int(text)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.01 <= speed <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a speed: 0.01 to 1000, 1 is calm")
    return speed


def _named(text: str) -> str:
    """A name that fits on the one line of a message."""
    if any(category(sign) == "Cc" for sign in text):
        raise argparse.ArgumentTypeError(f"{text!r} holds a line break or another control character: rename it")
    return text


def _file(text: str) -> Path:
    return Path(_named(text))


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("'' is not a folder")
    return _file(text)


def _every(text: str) -> Every:
    from .commands.recognise import every_of

    try:
        return every_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _size(text: str) -> tuple[int, int]:
    told = re.fullmatch(r"(\d{3,4})[xX×](\d{3,4})", text)
    if told is None or not all(200 <= int(side) <= 8000 for side in told.groups()):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a size: write it like 1024x600, from 200 to 8000")
    return int(told[1]), int(told[2])


def _pixel(text: str) -> tuple[float, float]:
    told = re.fullmatch(r"(\d{1,5}(?:\.\d{1,3})?),(\d{1,5}(?:\.\d{1,3})?)", text)
    if told is None:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a place in the picture: write it like 905,95.5")
    return float(told[1]), float(told[2])


def _run(options: argparse.Namespace) -> int:
    from .language import language

    spoken = language(options.lang or "en")
    out, err = sys.stdout, sys.stderr

    def store() -> Path:
        from .journal.folder import store_folder

        return store_folder(options.store, os.environ)

    match options.command:
        case "referee":
            from .commands.referee import referee

            return referee(options.file, json=options.json, lenient=options.lenient, language=spoken, out=out, err=err)
        case "recognise":
            from .commands.enrol import faces_file
            from .commands.recognise import Every, recognise

            faces = faces_file("--faces", options.faces, store) if options.faces is not None else None
            letters = None
            if options.config is not None:
                from .config import load_config

                letters = load_config(options.config).letters
            return recognise(
                options.paths,
                json=options.json,
                all=options.all,
                draw=options.draw,
                every=options.every or Every(),
                faces=faces,
                letters=letters,
                language=spoken,
                out=out,
                err=err,
            )
        case "watch":
            from .commands.watch import opened

            return opened(
                options.source, options.config, store=store, json=options.json, language=spoken, out=out, err=err
            )
        case "enrol" if options.what == "tags":
            from .commands.enrol_tags import enrol_tags

            return enrol_tags(options)
        case "enrol":
            from .commands.enrol import asked_at, enrol, faces_file, forget, list_decks

            if options.what == "list":
                deck = faces_file("DECK", options.deck, store) if options.deck is not None else None
                return list_decks(deck, store=store, json=options.json, language=spoken, out=out, err=err)
            if options.what == "forget":
                deck = faces_file("DECK", options.deck, store)
                return forget(deck, options.cards, language=spoken, out=out)
            return enrol(
                options.paths,
                file=faces_file("--deck", options.deck, store),
                json=options.json,
                language=spoken,
                out=out,
                err=err,
                ask=asked_at(sys.stdin, err),
            )
        case "deck":
            from .commands.deck import deck_check

            return deck_check(options, store)
        case "calibrate":
            from .commands.calibrate import camera, sheet

            if options.what == "camera":
                return camera(
                    options.source,
                    options.config,
                    corners=options.corners,
                    jumbo=options.jumbo,
                    draw=options.draw,
                    json=options.json,
                    language=spoken,
                    out=out,
                )
            return sheet(options.to, mat=options.mat, players=options.players, language=spoken, out=out)
        case "rules":
            from .commands.rules import rules

            named = options.named[1:] if options.named[:1] == ["show"] else options.named
            if len(named) > 1:
                raise BadInput("rules: name one rule set, such as `tablepi rules show hearts-classic`")
            return rules(named[0] if named else None, out=out)
        case "config":
            from .commands.config import check_file

            return check_file(options.file, store=store, out=out)
        case "lamps":
            from .commands.lamps import legend, off

            if options.off is None:
                return legend(language=spoken, out=out)
            if options.config is None:
                raise BadInput("lamps off: whose? name the table's file: `tablepi lamps off --config FILE`")
            return off(options.config)
        case "devices":
            from .commands.devices import devices
            from .machine.host import this_host

            return devices(options.config, json=options.json, host=this_host(), out=out)
        case "test":
            from .commands.hardware import walk

            return walk(options.config, language=options.lang, terminal=sys.stdin, out=out)
        case "doctor":
            from .commands.doctor import doctor
            from .machine.host import this_host

            return doctor(options.config, store=store, json=options.json, host=this_host(), out=out)
        case "run":
            from .commands.live import run

            return run(options)
        case "demo":
            from .commands.live import demo

            return demo(options)
        case "review":
            from .commands.review import review

            return review(options)
    from .commands import log

    match options.command:
        case "games":
            return log.games(options.store, json=options.json, out=out)
        case "show":
            return log.show(options.store, options.game, at=options.at, json=options.json, language=spoken, out=out)
        case "export":
            return log.export(options.store, options.game, to=options.to, out=out)
        case "import":
            return log.import_(options.store, options.file, wall=datetime.now(), out=out)
        case "check":
            if options.game is None and not options.all:
                raise BadInput("check: name a game (an id from `games`, or last), or --all")
            return log.check(options.store, None if options.all else options.game, out=out)
    raise AssertionError(options.command)
