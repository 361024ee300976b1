"""The rule sets that ship with tablepi, and a person's own, which changes one of them.

A rule set is a YAML file: its ``name``, its ``game`` or the ``base`` that it changes, and switches. The shipped ones
also say the ``source`` that they follow and, under ``rows``, the row of the rule matrix behind each switch. A person's
own has a base and what differs. The match that is played by it says just that as its options, so the file is not needed
to play the match again, and may change meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from .config import BadConfig, Sheet, is_rules_file, read_sheet
from .errors import BadInput
from .rules import BASE, Hearts, Rulebook, Spades, switches
from .rules.switches import either, near, read_switches, set_switches, unknown

GAMES: Mapping[str, type[Hearts] | type[Spades]] = {"hearts": Hearts, "spades": Spades}

FIRST = "hearts-cardems"
"""The rule set of a table that names none."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rule set. *changes* are the switches that its file sets, as plain values, and *base* is the rule set that
    they change, if any. *rows* are what is behind each switch: rows of the rule matrix, remarks, or a line of a file.
    """

    name: str
    game: Hearts | Spades
    base: str | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shipped: bool = True

    def options(self, more: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a match that is played by this rule set with *more* switches: all that the rulebook does not
        know of it."""
        if self.shipped:
            return dict(more)
        return {BASE: self.base, **self.changes, **more}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the rule matrix: the *words* of a source, and the *line* where they stand."""

    source: str
    line: int
    words: str


@cache
def shipped() -> Mapping[str, RuleSet]:
    """The shipped rule sets by name, those that change another after it."""
    files = sorted((_folder() / "presets").glob("*.yaml"))
    sheets = {path.stem: read_sheet(path, "name: hearts-cardems") for path in files}
    sets: dict[str, RuleSet] = {}
    for sheet in sorted(sheets.values(), key=lambda sheet: BASE in sheet.value):
        rule_set = _shipped_set(sheet, sets)
        sets[rule_set.name] = rule_set
    return MappingProxyType(dict(sorted(sets.items())))


def rulebook() -> Rulebook:
    """The shipped rule sets as games by name."""
    return {name: rule_set.game for name, rule_set in shipped().items()}


@cache
def rows() -> Mapping[str, Row]:
    """The rule matrix: what its sources say, by the number of the row."""
    told = yaml.safe_load((_folder() / "matrix.yaml").read_text(encoding="utf-8"))
    return {number: Row(*row) for number, row in told.items()}


def _folder() -> Path:
    return Path(str(resources.files("tablepi.rules")))


def _shipped_set(sheet: Sheet, known: Mapping[str, RuleSet]) -> RuleSet:
    told = sheet.value
    base = known[told[BASE]] if BASE in told else None
    game: Hearts | Spades = base.game if base is not None else GAMES[told["game"]](told["name"], told["source"])
    changes = {name: value for name, value in told.items() if name in game.SWITCHES}
    game, wrongs = set_switches(game, changes)
    stray = set(told) - set(changes) - {"name", "game", BASE, "source", "rows"}
    for place, text in (*wrongs, *(((name,), "is not a switch") for name in stray)):
        sheet.complain(place, text)
    if sheet.complaints:
        raise BadConfig(sheet.complaints)
    behind = {name: tuple(why) if isinstance(why, list) else (why,) for name, why in told.get("rows", {}).items()}
    behind = {**(base.rows if base is not None else {}), **behind}
    game = replace(game, name=told["name"], source=told["source"])
    return RuleSet(told["name"], game, base.name if base is not None else None, changes, behind)


# --- a person's own ------------------------------------------------------------------------------------------------


def rule_set(named: str) -> RuleSet:
    """The rule set of a name, or of a file. Raises BadInput; for a file it tells every complaint, with its line."""
    if is_rules_file(named):
        return load(Path(named))
    known = shipped()
    if named not in known:
        raise BadInput(f"no rule set {named!r}: known are {', '.join(known)}; one of your own is a YAML file")
    return known[named]


def load(path: Path) -> RuleSet:
    """A person's own rule set: a ``base`` with changes. Raises BadConfig with every complaint."""
    sheet = read_sheet(path, "base: hearts-classic")
    told = sheet.value
    if not isinstance(told, dict):
        sheet.complain((), "write switches with their values, such as base: hearts-classic")
        raise BadConfig(sheet.complaints)
    name, base = _name(sheet, path), _base(sheet)
    likely = base or shipped()[_likely_base(told)]
    strays = _strays(told, likely)
    written = {switch: value for switch, value in told.items() if switch in likely.game.SWITCHES}
    ended = _ended(likely.game, written)
    changes = {**written, **dict.fromkeys(ended, 0)}
    # Where not even the base can be guessed, there is nothing that the switches could go together with.
    game, wrongs = set_switches(likely.game, changes) if base else read_switches(likely.game, changes)[:2]
    for place, text in (*(((stray,), text) for stray, text in strays.items()), *wrongs):
        sheet.complain(place, text)
    if sheet.complaints or base is None:
        raise BadConfig(sheet.complaints)
    mine = {switch: (f"{path}, line {sheet.lines[(switch,)]}",) for switch in written}
    mine |= {switch: (f"with {why}: {mine[why][0]}",) for switch, why in ended.items()}
    return RuleSet(name, replace(game, name=name), base.name, changes, {**base.rows, **mine}, shipped=False)


def _ended(game: Hearts | Spades, written: Mapping[str, Any]) -> dict[str, str]:
    """The switches that are 0 because another one is written as 0, each with that one. The match says them as well, so
    that a match means by its options what it always did."""
    read = read_switches(game, written)[0]
    ends = {name: switch.ends for name, switch in game.SWITCHES.items() if switch.ends and name in written}
    return {ended: name for name, ended in ends.items() if ended not in written and not getattr(read, name)}


def _name(sheet: Sheet, path: Path) -> str:
    """What the rule set is called; where the file does not say, as the file is."""
    told = sheet.words.get(("name",), sheet.value.get("name"))
    place = ("name",) if "name" in sheet.value else ()
    name = path.stem if told is None else told
    if not isinstance(name, str) or not name.strip():
        sheet.complain(place, "is not a name: write a text")
    elif name.strip() in shipped():
        sheet.complain(place, f"{name.strip()} is a rule set of tablepi: give this one a name of its own (name: …)")
    return str(name).strip()


def _base(sheet: Sheet) -> RuleSet | None:
    """The rule set that is changed; where there is none of that name the one that may be meant, so that the switches
    can be looked at, too."""
    known = shipped()
    key = BASE if BASE in sheet.value else next((key for key in sheet.value if near(key, (BASE,))), None)
    if key is None:
        sheet.complain((), "has no base: write the rule set that it changes, such as base: hearts-classic")
        return None
    told = sheet.value[key]
    if isinstance(told, str) and told in known:
        return known[told]
    all_known = f"known are {', '.join(known)}"
    if not isinstance(told, str | int | float):
        sheet.complain((key,), f"{switches.shown(told)}: write the name of one rule set: {all_known}")
        return None
    named = sheet.words.get((key,), str(told))
    meant = near(Path(named).stem if is_rules_file(named) else named, known)
    instead = f"did you mean {either(meant)}?" if meant else all_known
    if any(complaint.key == key for complaint in sheet.complaints):
        return None  # said already: it holds what no word has
    if is_rules_file(named):
        sheet.complain((key,), f"{named!r}: a base is one of the rule sets of tablepi, and not a file: {instead}")
    else:
        sheet.complain((key,), f"no rule set {named!r}: {instead}")
    return known[meant[0]] if len(meant) == 1 else None


def _likely_base(told: Mapping[str, Any]) -> str:
    """A rule set of the game that has most of the switches."""
    fitting = {name: sum(key in game.SWITCHES for key in told) for name, game in GAMES.items()}
    return "spades" if fitting["spades"] > fitting["hearts"] else FIRST


_OF_THE_SHIPPED = {
    "game": "no such switch here: the base says the game: leave it out",
    "source": "no such switch here: only a rule set of tablepi names one: leave it out",
    "rows": "no such switch here: only a rule set of tablepi has them: leave it out",
}
"""What a copy of a shipped file says and a person's own does not."""


def _strays(told: Mapping[str, Any], base: RuleSet) -> dict[str, str]:
    """What is wrong with each key that is no switch of the *base*."""
    mine = base.game.SWITCHES
    others = {
        switch: f"no such switch of {type(base.game).__name__}: it is one of {game.__name__}"
        for game in GAMES.values()
        for switch in game.SWITCHES
        if switch not in mine
    }
    strays = [key for key in told if key not in (*mine, "name", BASE)]
    known = {key: text for key, text in (others | _OF_THE_SHIPPED).items() if key in strays}
    return known | unknown((key for key in strays if key not in known), mine, also=("name", BASE))
