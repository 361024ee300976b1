"""``tablepi config check``: everything that is wrong with a configuration, at once."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TextIO

from .. import presets
from ..config import Config, check_config, load_config
from ..errors import BadInput
from ..facts import Match
from ..match import match_complaint


def rules_complaint(config: Config) -> str | None:
    """Why no match can be played as *config* says: its rule set, the number of its players, or an option."""
    match = Match(rules=config.rules, players=config.players, options=config.options)
    return match_complaint(presets.rulebook(), match)


def check_file(path: Path, *, out: TextIO) -> int:
    """Print every complaint, or that there is none. Returns 1 when there is one: the answer of the check is no."""
    if not path.is_file():
        load_config(path)  # says what is the matter: that is bad input, not the answer of a check
    complaints = [str(complaint) for complaint in check_config(path)]
    with suppress(BadInput):  # said already
        config = load_config(path)
        if (wrong := rules_complaint(config)) is not None:
            complaints.append(f"{path}: {wrong}")
    for complaint in complaints:
        print(complaint, file=out)
    if not complaints:
        print(f"{path}: nothing to mend", file=out)
    return 1 if complaints else 0
