"""Short scripts of facts, so that a test reads like the game it tells.

``2:KC`` a person enters seat 2's king of clubs; ``2#KC`` reader-2 reads its tag; ``2~KC`` the camera sees it;
``2-KC`` it is taken back. Anything with a brace is a fact in the contract's JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from tablepi import presets
from tablepi.facts import Fact, from_dict
from tablepi.state import Line
from tablepi.table import Table, complaint, empty, step

NAMES = ["Rita", "Ada", "Bo", "Cleo"]
RULEBOOK = presets.rulebook()

_KINDS = {":": "play", "#": "tag", "~": "seen", "-": "withdraw"}


def facts(script: str) -> list[Fact]:
    """The facts of a script, in order."""
    said: list[Fact] = []
    rest = script.strip()
    while rest:
        if rest.startswith("{"):
            line, end = json.JSONDecoder().raw_decode(rest)
            said.append(from_dict(line))
            rest = rest[end:].strip()
            continue
        word, _, rest = rest.partition(" ")
        rest = rest.strip()
        said.append(_short(word))
    return said


def _short(word: str) -> Fact:
    spelt = re.fullmatch(r"(\d)([:#~-])(\w+)", word)
    assert spelt, f"not a word of a script: {word!r}"
    seat, kind, card = spelt.groups()
    line: dict[str, object] = {"fact": _KINDS[kind], "seat": int(seat), "card": card}
    if kind == "#":
        line["source"] = f"reader-{seat}"
    if kind == "~":
        line |= {"source": "camera", "confidence": 0.98, "steady": 0.4}
    return from_dict(line)


def match(rules: str = "hearts-cardems", **options: object) -> str:
    return json.dumps({"fact": "match", "rules": rules, "players": NAMES, "options": options}) + " "


def held(rules: str = "hearts-cardems", **hand: object) -> str:
    """A match and a first hand without a known pass, ready for the opening card."""
    return match(rules) + json.dumps({"fact": "hand", "dealer": 0, **hand}) + ' {"fact":"passed"} '


class Told:
    """A table and everything it answered, fact by fact."""

    def __init__(self, script: str | Iterable[Fact]) -> None:
        self.table: Table = empty(RULEBOOK)
        self.lines: list[Line] = []
        self.answers: list[tuple[Line, ...]] = []
        self.tell(script)

    def tell(self, script: str | Iterable[Fact]) -> list[Line]:
        """More facts; the lines that answer them."""
        before = len(self.lines)
        for fact in facts(script) if isinstance(script, str) else script:
            assert complaint(self.table, fact) is None, complaint(self.table, fact)
            self.table = step(self.table, fact)
            self.lines.extend(self.table.lines)
            self.answers.append(self.table.lines)
        return self.lines[before:]

    def rulings(self, *words: str) -> list[Line]:
        return [line for line in self.lines if line.get("ruling") in words]

    def events(self, word: str) -> list[Line]:
        return [line for line in self.lines if line.get("event") == word]

    def questions(self) -> list[Line]:
        return [line for line in self.lines if "question" in line]

    @property
    def grades(self) -> list[str]:
        """The rulings on the plays, as told at the time."""
        return [
            line["ruling"]
            for answer in self.answers
            for line in answer
            if line.get("ruling") in ("legal", "unproven", "breach", "pending", "ignored") and "by" not in line
        ]
