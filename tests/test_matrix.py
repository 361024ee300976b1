"""Every row of the rule matrix has a test named after it, or a note why there is none."""

from __future__ import annotations

import re
from pathlib import Path

from tablepi import presets

TESTS = Path(__file__).parent

NOT_TESTED = {
    "R028": "that a player looks at the cards received before passing cannot be observed: noted, not judged",
    "R046": "that tricks lie face down rules no play: the log replaces looking through them",
    "R087": "what partners say to each other cannot be heard: talk of how many tricks is allowed, and not judged",
    "R097": "whether a player has looked at the cards before a blind bid cannot be observed: noted, not judged",
    "R136": "what the title of the example promises is no rule: the plays that it tells are tested",
}


def rows_with_a_test() -> set[str]:
    """The rows that the names of tests say: ``test_r019_r020_…``."""
    named: set[str] = set()
    for file in sorted(TESTS.rglob("test_*.py")):
        for name in re.findall(r"^ *def (test_\w+)", file.read_text(encoding="utf-8"), re.M):
            named |= {f"R{number}" for number in re.findall(r"(?<=_)r(\d{3})(?=_|$)", name)}
    return named


def test_the_matrix_has_its_136_rows():
    assert list(presets.rows()) == [f"R{number:03}" for number in range(1, 137)]


def test_every_row_has_a_test_or_a_note_why_not():
    assert sorted(set(presets.rows()) - rows_with_a_test() - set(NOT_TESTED)) == []


def test_no_row_has_both_and_no_test_names_a_row_that_does_not_exist():
    assert sorted(rows_with_a_test() & set(NOT_TESTED)) == []
    assert sorted(rows_with_a_test() - set(presets.rows())) == []
