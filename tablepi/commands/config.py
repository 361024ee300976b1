"""``tablepi config check``: everything that is wrong with a configuration, at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from shlex import quote
from typing import TextIO

from .. import presets
from ..config import (
    BadConfig,
    Complaint,
    Config,
    Wrong,
    absent_devices,
    check_config,
    is_rules_file,
    load_config,
    located,
    match_part,
)
from ..errors import BadInput, TablePiError
from ..facts import Match
from ..match import match_complaint
from ..rules.switches import set_switches
from .enrol import faces_file


def match_complaints(config: Config) -> tuple[Wrong, ...]:
    """Why no match can be played as *config* says: its rule set, an option, or the number of its players. Raises
    BadConfig with what is wrong in a rule set's own file."""
    if is_rules_file(config.rules) and not os.path.exists(config.rules):  # noqa: PTH110 (any error)
        return (Wrong(("rules",), f"{config.rules}: there is no such file"),)
    try:
        rules = presets.rule_set(config.rules)
    except BadConfig:
        raise
    except BadInput as error:
        near = get_close_matches(config.rules, presets.shipped(), n=1)
        return (Wrong(("rules",), f"{str(error).split(':')[0]}: did you mean {near[0]}?" if near else str(error)),)
    _, wrongs = set_switches(rules.game, config.options)
    if wrongs:
        return tuple(Wrong(("options", *place), text) for place, text in wrongs)
    match = Match(rules=rules.name, players=config.players, options=rules.options(config.options))
    wrong = match_complaint(presets.rulebook(), match)
    if wrong is None:
        return ()
    key, _, text = wrong.partition(": ")
    if key == "players":
        fitting = [name for name, each in presets.shipped().items() if len(config.players) in each.game.players]
        text += f": rule sets for {len(config.players)} are {', '.join(fitting)}" if fitting else ""
    return (Wrong((key,), text),)


def source_wrong(source: str) -> str | None:
    """What keeps *source*, a path as seen from here, from being a camera's: it is no film, shows nothing, is a folder
    without pictures. A film is opened for its first frame; a camera is not: it may be plugged in later."""
    from ..devices.films import Recording
    from ..devices.sources import source_of

    try:
        named = source_of(source)
        if isinstance(named, Recording):
            with named:
                pass
    except BadInput as error:
        return str(error)
    return None


def camera_complaints(config: Config, store: Callable[[], Path]) -> tuple[Wrong, ...]:
    """Why the cameras of *config* cannot watch a game: a source that can never show one, or faces that cannot be used.
    *store* is asked when they lie there. Raises Missing when it cannot be had."""
    wrongs = [
        Wrong(("camera", number, "source"), wrong)
        for number, camera in enumerate(config.cameras)
        if (wrong := source_wrong(camera.source)) is not None
    ]
    if config.cameras and config.faces is not None:
        from ..vision.faces import load

        try:
            load(faces_file("the deck", config.faces, store))
        except BadInput as error:
            wrongs.append(Wrong(("faces",), str(error)))
    return tuple(wrongs)


def complaints_of(path: Path, store: Callable[[], Path]) -> list[Complaint]:
    """All that is to mend in a configuration, and in what it names, in the order in which it is told. *store* is asked
    when faces are named that lie there."""

    def faces_wrong(deck: str) -> str | None:
        from ..vision.faces import load

        try:
            file = faces_file("the deck", deck, store)
            if not file.is_file():
                return f"there is no {file}: enrol the deck first: `tablepi enrol faces PHOTOS --deck {quote(deck)}`"
            learned = load(file)
        except TablePiError as error:
            return str(error)
        if learned.looks:
            return None
        return f"nothing is learned in {file}: `tablepi enrol faces PHOTOS --deck {quote(deck)}`"

    complaints = [*check_config(path, faces=faces_wrong, film=lambda file: source_wrong(str(file)))]
    config = match_part(path)
    if config is not None:
        try:
            complaints += located(path, match_complaints(config))
        except BadConfig as bad:  # of the rule set's own file
            complaints += bad.complaints
    return sorted(complaints, key=lambda each: (each.file != path, each.line or 0))  # else as they came


def check_file(path: Path, *, store: Callable[[], Path], out: TextIO) -> int:
    """Print every complaint, or that there is none, and as notes the devices that are not plugged in. *store* is asked
    when faces are named that lie there. Returns 1 when there is a complaint: the answer of the check is no."""
    if not path.is_file():
        load_config(path)  # says what is the matter: that is bad input, not the answer of a check
    complaints = complaints_of(path, store)
    for complaint in complaints:
        print(complaint, file=out)
    for absent in absent_devices(path):
        print(f"{absent} (a note, no complaint)", file=out)
    if not complaints:
        print(f"{path}: nothing to mend", file=out)
    return 1 if complaints else 0
