"""``tablepi rules``: the rule sets, and each switch of one, with its source; and the match of a file of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from .. import presets
from ..cards import OF_SUIT, Card, each
from ..facts import Match
from ..rules import BASE
from ..rules.switches import Switch, either


def rules(name: str | None, *, out: TextIO) -> int:
    """List the rule sets, or print one: each switch with its value and the words behind it. *name* may be a file."""
    if name is None:
        for rule_set in presets.shipped().values():
            print(f"{rule_set.name:20} {_players(rule_set)} players, source {rule_set.game.source}", file=out)
        return 0
    for line in shown(presets.rule_set(name)):
        print(line, file=out)
    return 0


def shown(rule_set: presets.RuleSet) -> Iterator[str]:
    """A rule set, line by line: each switch as its file writes it, as remarks what it means and may be, and what is
    behind it."""
    base = f", changes {rule_set.base}" if rule_set.base is not None else ""
    yield f"{rule_set.name}: {_players(rule_set)} players, source {rule_set.game.source}{base}"
    for switch, kept in rule_set.game.SWITCHES.items():
        yield ""
        yield f"{switch}: {written(getattr(rule_set.game, kept.field or switch), nothing=kept.nothing)}"
        yield from (f"    # {line}" for line in _meaning(kept))
        for behind in rule_set.rows.get(switch, ()):
            row = presets.rows().get(behind)
            yield f"    {behind}" if row is None else f"    {behind} {row.source}:{row.line} «{row.words}»"


def _meaning(switch: Switch) -> Iterator[str]:
    yield switch.means
    alone = switch.allowed.text == either(switch.allowed.words)
    yield "may be" if alone else f"may be {switch.allowed.text}"
    yield from (f"  {word}: {what}" for word, what in switch.allowed.words.items())


def written(value: Any, *, nothing: str = "null") -> str:
    """The value of a switch as a rule set's file writes it."""
    match value:
        case None:
            return nothing
        case bool():
            return "true" if value else "false"
        case tuple() if value and all(isinstance(one, Card) for one in value):
            return " ".join(map(str, value))
        case tuple():
            return f"[{', '.join(written(one) for one in value)}]"
        case Mapping():
            return f"{{{', '.join(f'{key}: {written(one)}' for key, one in _together(value).items())}}}"
        case _:
            return str(value)


def _together(values: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The points of cards with all hearts as one, where they are worth the same."""
    hearts = {values.get(card) for card in each(OF_SUIT["H"])}
    if len(hearts) != 1 or None in hearts:
        return values
    rest = {key: value for key, value in values.items() if not (isinstance(key, Card) and key.suit == "H")}
    return {"hearts": hearts.pop(), **rest}


def as_told(match: Match) -> Match:
    """*match*, where its rules name a YAML file, as the match by the rule set of that file that needs the file no more.
    One that says its ``base`` is whole already, whatever its rule set is called. Raises BadConfig with all that is
    wrong in the file."""
    named = match.rules.endswith((".yaml", ".yml")) and match.rules.isprintable()
    if not named or BASE in (match.options or {}):
        return match
    mine = presets.load(Path(match.rules))
    return replace(match, rules=mine.name, options=mine.options(match.options or {}))


def _players(rule_set: presets.RuleSet) -> str:
    return ", ".join(map(str, rule_set.game.players))
