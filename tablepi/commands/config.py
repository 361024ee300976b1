"""``tablepi config check``: everything that is wrong with a configuration, at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from .. import presets
from ..config import Config, absent_devices, check_config, load_config
from ..errors import BadInput, TablePiError
from ..facts import Match
from ..match import match_complaint
from .enrol import faces_file


def rules_complaint(config: Config) -> str | None:
    """Why no match can be played as *config* says: its rule set, the number of its players, or an option."""
    match = Match(rules=config.rules, players=config.players, options=config.options)
    return match_complaint(presets.rulebook(), match)


def check_file(path: Path, *, store: Callable[[], Path], out: TextIO) -> int:
    """Print every complaint, or that there is none, and as notes the devices that are not plugged in. *store* is asked
    when faces are named that lie there. Returns 1 when there is a complaint: the answer of the check is no."""
    if not path.is_file():
        load_config(path)  # says what is the matter: that is bad input, not the answer of a check

    def faces_wrong(deck: str) -> str | None:
        try:
            file = faces_file("the deck", deck, store)
        except TablePiError as error:
            return str(error)
        return None if file.is_file() else f"there is no {file}: enrol the deck first (tablepi enrol faces)"

    complaints = [str(complaint) for complaint in check_config(path, faces=faces_wrong)]
    with suppress(BadInput):  # said already
        config = load_config(path)
        if (wrong := rules_complaint(config)) is not None:
            complaints.append(f"{path}: {wrong}")
    for complaint in complaints:
        print(complaint, file=out)
    for absent in absent_devices(path):
        print(f"{absent} (a note, no complaint)", file=out)
    if not complaints:
        print(f"{path}: nothing to mend", file=out)
    return 1 if complaints else 0
