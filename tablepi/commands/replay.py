"""``tablepi run --record`` and ``run --replay``: a table that is recorded, and a recording that is played again."""

from __future__ import annotations

import argparse
import base64
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from .. import __version__
from ..config import BadConfig, Config, config_kept, load_deck
from ..errors import BadInput
from ..journal import Journal
from ..loop import Loop
from ..recording import Live
from ..recording.recorder import Recorder
from ..recording.replayer import Replayer
from ..recording.tape import Recording, load
from ..table import Table
from . import parts
from .enrol import faces_file
from .telling import Transcript, put_line


def recorder(options: argparse.Namespace, config: Config, journal: Journal | None, store: Path) -> Any:
    """What records the table, a ``Recorder``, if *options* ask for it. Raises BadInput."""
    if options.record is None:
        if options.record_frames:
            raise BadInput("--record-frames: name the recording, too: --record FILE")
        return Live()
    if config.deck is not None:
        load_deck(config.deck)  # says what is wrong with it
    about: dict[str, Any] = {
        "tablepi": __version__,
        "began": datetime.now().isoformat(timespec="seconds"),
        "language": parts.first_language(options, config, journal),
        "setup": {key: value for key, value in asdict(parts.setup(config)).items() if key != "agreed"},
        "display": not options.headless,
        "files": {str(path): path.read_text("utf-8") for path in (options.config, config.deck) if path is not None},
    }
    if config.faces is not None and options.record_frames:
        faces = faces_file("faces", config.faces, lambda: store)
        with suppress(OSError):  # who opens it says so
            about["faces"] = base64.b64encode(faces.read_bytes()).decode()
    return Recorder(options.record, about=about, frames=options.record_frames)


def replay(options: argparse.Namespace) -> int:
    """Play a recording, in a window or without one. Returns when all of it was played, or a person leaves."""
    given = [name for name in ("config", "rules", "virtual", "new", "record") if getattr(options, name)]
    if given or options.record_frames:
        name = given[0] if given else "record-frames"
        raise BadInput(f"--{name}: a recording is played as it is: leave it out, or leave out --replay")
    parts.check_picture(options.picture)
    with load(options.replay) as recording, ExitStack() as stack:
        display = stack.enter_context(parts.opened_display(options, Config()))
        told = Transcript(sys.stdout, options.lang or str(recording.head.get("language", "en")))
        interrupted: list[Any] = []
        loop = play(
            recording,
            display=display,
            speed=options.speed or (None if options.headless else 1.0),
            language=options.lang,
            heard=told.tell,
            begun=lambda loop: interrupted.append(parts.stop_on_signals(loop)),
        )
        for line in remarks(recording, loop.tape):
            put_line(f"tablepi: {line}", sys.stderr)
        parts.save_picture(options, display)
    return 130 if interrupted[0].is_set() else 0


def remarks(recording: Recording, tape: Replayer) -> tuple[str, ...]:
    """What is to be said of a recording that was played: that it was cut off, that a driver does otherwise today."""
    cut = (f"{recording.path}:{recording.cut}: is cut off here: what came before played",)
    return (*(cut if recording.cut is not None else ()), *(f"{recording.path}: {each}" for each in tape.differs))


def play(
    recording: Recording,
    *,
    display: Any = None,
    speed: float | None = None,
    language: str | None = None,
    heard: Callable[[Table], None] = lambda _: None,
    begun: Callable[[Loop], object] = lambda _: None,
) -> Any:
    """Play *recording* through a table of its own, whose journal goes when it ends; the loop comes back as it was left,
    with the ``Replayer`` as its ``tape``. *heard* is told every fact's answers; *begun* gets the loop before it turns.
    Raises BadInput."""
    tape = Replayer(recording, speed=speed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablepi-")))
        config = _config(recording, folder)
        journal = stack.enter_context(Journal(_store(recording, folder / "store")))
        shown = tape.display(display, None) if recording.head.get("display") or display is not None else None
        table = parts.put_together(stack, config, display=shown, virtual=None, notices=(), store=folder, tape=tape)
        spoken = argparse.Namespace(lang=language or recording.head.get("language"), config=None)
        loop: Any = table.loop(config, spoken, record=journal, heard=heard, check=lambda: None, until=tape.is_over)
        loop.tape = tape
        begun(loop)
        if recording.resumed is not None:
            tape.now = recording.resumed[0]
            loop.resume()
        loop.run()
    return loop


def _config(recording: Recording, folder: Path) -> Config:
    """The configuration of the table, with its deck and its faces in *folder*. Raises BadInput."""
    try:
        config = config_kept(recording.table.get("config"), recording.path, recording.table_line)
        tags, commands = _by_card(recording, "cards"), _by_card(recording, "commands")
        if tags or commands:
            deck = folder / "deck.yaml"
            deck.write_text(json.dumps({"cards": tags, "commands": commands}), encoding="utf-8")
            load_deck(deck)
            config = config.model_copy(update={"deck": deck})
    except BadConfig as bad:
        raise _unknown(
            recording, "; ".join(f"{each.key}: {each.text}".removeprefix(": ") for each in bad.complaints)
        ) from None
    if config.faces is not None:
        config = config.model_copy(update={"faces": _faces(recording, folder / "deck.faces.npz")})
    return config


def _unknown(recording: Recording, why: str) -> BadInput:
    where = f"{recording.path}:{recording.table_line}"
    return BadInput(f"{where}: its table is not one that this tablepi knows: {why}")


def _by_card(recording: Recording, key: str) -> Mapping[str, list[str]]:
    """The tags of each card, or of each command, as a deck's file has them. Raises BadInput."""
    tags = recording.table.get(key, {})
    if not isinstance(tags, dict) or not all(isinstance(card, str) for card in tags.values()):
        raise _unknown(recording, f'{key}: write each tag with what it is in, such as {{"04A1B2C3D4E580": "QS"}}')
    found: dict[str, list[str]] = defaultdict(list)
    for uid, card in tags.items():
        found[card].append(uid)
    return found


def _faces(recording: Recording, file: Path) -> str | None:
    """The name of *file*, in which the faces of the deck are now; None where none were recorded. Raises BadInput."""
    from ..vision.faces import load

    try:
        kept = base64.b64decode(recording.head.get("faces", ""), validate=True)
        if kept:
            file.write_bytes(kept)
            load(file)
    except (TypeError, ValueError):
        why = "faces are not those of a deck: take them out of the line to play without"
        raise BadInput(f"{recording.path}:1: is damaged: {why}") from None
    return str(file) if kept else None


def _store(recording: Recording, folder: Path) -> Path:
    """A store in *folder*, in which the game that was gone on with is open."""
    folder.mkdir()
    if recording.resumed is not None:
        with Journal(folder) as journal:
            first, *rest = recording.resumed[1]
            game = journal.begin(first, wall=datetime.now(), mono=0.0)  # type: ignore[arg-type]
            for fact in rest:
                journal.append(game, fact, mono=fact.at or 0.0)
    return folder
