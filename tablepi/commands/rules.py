"""``tablepi rules``: the rule sets, and what each switch of one is set to, with its source."""

from __future__ import annotations

from importlib import resources
from typing import TextIO

from .. import presets
from ..errors import BadInput


def rules(name: str | None, *, out: TextIO) -> int:
    """List the rule sets, or print one with the source of each value."""
    known = presets.rulebook()
    if name is None:
        for each in known.values():
            counts = ", ".join(map(str, each.players))
            print(f"{each.name:20} {counts} players, source {each.source}", file=out)
        return 0
    if name not in known:
        raise BadInput(f"no rule set {name!r}: known are {', '.join(known)}")
    file = resources.files("tablepi.rules") / "presets" / f"{name}.yaml"
    out.write(file.read_text(encoding="utf-8"))
    return 0
