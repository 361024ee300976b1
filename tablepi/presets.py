"""The rule sets that ship with tablepi, read from their YAML files, and a user's own that extend one."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from .cards import hand_of_cards
from .errors import BadInput
from .rules import Hearts, Rulebook


def rulebook() -> Rulebook:
    """The shipped rule sets by name."""
    folder = resources.files("tablepi.rules") / "presets"
    files = sorted((e for e in folder.iterdir() if e.name.endswith(".yaml")), key=lambda e: e.name)
    sets = [rule_set(yaml.safe_load(e.read_text(encoding="utf-8")), where=e.name) for e in files]
    return {each.name: each for each in sets}


def rule_set(switches: Any, *, where: str | Path) -> Hearts:
    """The rule set that the switches of one file say. Raises BadInput that names *where* and every bad switch."""
    if not isinstance(switches, dict) or switches.get("game") != "hearts":
        raise BadInput(f"{where}: game: a rule set says its game, such as game: hearts")
    values = {name: value for name, value in switches.items() if name != "game"}
    removed = values.get("removed")
    if isinstance(removed, dict):
        values["removed"] = {players: hand_of_cards(cards) for players, cards in removed.items()}
    try:
        return TypeAdapter(Hearts).validate_python(values)
    except ValidationError as error:
        complaints = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise BadInput(f"{where}: {complaints}") from None
