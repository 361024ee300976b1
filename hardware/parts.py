"""What to buy: ``parts.csv`` with the resistors and lamps that the pin maps ask for, and the sum."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass

from .wiring import HERE, TABLES, Table, load_pins, ohms, resistors, wires

FILE = HERE / "parts.csv"
RESISTOR_EACH = 0.1

BY_TABLE: Mapping[str, str] = {"camera": "camera", "usb": "four-seats", "uarts": "pn532-uarts"}
"""The columns of the file: each is what the table of that name is built from."""
TITLES = {"camera": "camera table", "usb": "readers on USB", "uarts": "readers on UARTs"}


@dataclass(frozen=True, slots=True)
class Row:
    """One part: what one costs, about, in euros, and how many each column's table has."""

    part: str
    each: float
    numbers: Mapping[str, int]
    note: str = ""


def rows() -> tuple[Row, ...]:
    """All parts, in the file's order, then the resistors of the pin maps."""
    tables = {table.name: table for table in TABLES}
    mapped = {column: tables[name] for column, name in BY_TABLE.items()}
    with FILE.open(encoding="utf-8", newline="") as file:
        found = [
            Row(row["part"], float(row["each"]), {c: _number(row[c], mapped[c]) for c in BY_TABLE}, row["note"])
            for row in csv.DictReader(file)
        ]
    counts = {column: resistors(load_pins(table.pins, table), table) for column, table in mapped.items()}
    for ohm in sorted(set().union(*counts.values())):
        numbers = {column: count[ohm] for column, count in counts.items()}
        found.append(Row(f"resistor {ohms(ohm)}, 0.25 W", RESISTOR_EACH, numbers))
    return tuple(found)


def _number(written: str, table: Table) -> int:
    if written != "lamps":
        return int(written)
    return len({wire.part for wire in wires(load_pins(table.pins, table), table) if wire.kind in ("lamp", "centre")})


def total(column: str) -> float:
    """What all parts of a column cost together, in euros."""
    return sum(row.each * row.numbers[column] for row in rows())


def parts_table() -> str:
    """All parts as a table in Markdown: how many each table has, what one costs, and the sums."""
    lines = [
        "| part | each, about € | " + " | ".join(TITLES[column] for column in BY_TABLE) + " | |",
        "|---|---|" + "---|" * len(BY_TABLE) + "---|",
    ]
    for row in rows():
        numbers = " | ".join(str(row.numbers[column] or "-") for column in BY_TABLE)
        lines.append(f"| {row.part} | {row.each:g} | {numbers} | {row.note} |")
    sums = " | ".join(f"**{total(column):.0f} €**" for column in BY_TABLE)
    lines.append(f"| **together** | | {sums} | |")
    return "\n".join(lines)
