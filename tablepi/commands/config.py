"""``tablepi config check``: everything that is wrong with a configuration, at once."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from ..config import check_config, load_config


def check_file(path: Path, *, out: TextIO) -> int:
    """Print every complaint, or that there is none. Returns 1 when there is one: the answer of the check is no."""
    if not path.is_file():
        load_config(path)  # says what is the matter: that is bad input, not the answer of a check
    complaints = check_config(path)
    for complaint in complaints:
        print(complaint, file=out)
    if not complaints:
        print(f"{path}: nothing to mend", file=out)
    return 1 if complaints else 0
