"""``tablepi rules``: the rule sets, and what each switch of one is set to, with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from .. import presets
from ..cards import OF_SUIT, Card, each


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
    """A rule set, line by line."""
    base = f", changes {rule_set.base}" if rule_set.base is not None else ""
    yield f"{rule_set.name}: {_players(rule_set)} players, source {rule_set.game.source}{base}"
    for switch, kept in rule_set.game.SWITCHES.items():
        yield ""
        yield f"{switch}: {written(getattr(rule_set.game, kept.field or switch), nothing=kept.nothing)}"
        for behind in rule_set.rows.get(switch, ()):
            row = presets.rows().get(behind)
            yield f"    {behind}" if row is None else f"    {behind} {row.source}:{row.line} «{row.words}»"


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


def _players(rule_set: presets.RuleSet) -> str:
    return ", ".join(map(str, rule_set.game.players))
