"""``python -m hardware`` draws every wiring from its pin map, and writes every table that is reckoned into the READMEs.

A table stands between two comments, ``<!-- made: NAME -->`` and ``<!-- made -->``. The tests compare what stands there
with what is made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from .draw_wiring import draw
from .optics import cover_table, heights_table, pixels_table, sharpness_table
from .parts import parts_table
from .wiring import HERE, TABLES, current_table, load_pins, resistor_table, strip_table, uart_table, wiring_table

READMES = (HERE / "README.md", HERE.parent / "README.md")

_BLOCK = re.compile(r"<!-- made: (.+?) -->\n(.*?)\n<!-- made -->", re.DOTALL)


def drawings() -> Mapping[Path, str]:
    """Every drawing, by its file."""
    return {table.drawing: draw(load_pins(table.pins, table), table) for table in TABLES}


def blocks() -> Mapping[str, str]:
    """Every table for the READMEs, by its name there."""
    maps = [(load_pins(table.pins, table), table) for table in TABLES]
    return {
        **{f"wiring {table.name}": wiring_table(pins, table) for pins, table in maps},
        "resistors": resistor_table(),
        "currents": current_table(maps),
        "strip": strip_table(),
        "uarts": uart_table(),
        "parts": parts_table(),
        "heights": heights_table(),
        "covers": cover_table(),
        "pixels": pixels_table(),
        "sharpness": sharpness_table(),
    }


def written(text: str) -> Mapping[str, str]:
    """The tables that stand in *text*, by their names."""
    return {block[1]: block[2] for block in _BLOCK.finditer(text)}


def filled(text: str, made: Mapping[str, str]) -> str:
    """*text* with its tables made anew. Raises KeyError for a name that is not made."""
    return _BLOCK.sub(lambda block: f"<!-- made: {block[1]} -->\n{made[block[1]]}\n<!-- made -->", text)


def main() -> None:
    for file, content in drawings().items():
        file.write_text(content, encoding="utf-8")
    made = blocks()
    for readme in READMES:
        readme.write_text(filled(readme.read_text(encoding="utf-8"), made), encoding="utf-8")


if __name__ == "__main__":
    main()
