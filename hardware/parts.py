"""What to buy: ``parts.csv`` with the resistors and lamps that the pin maps ask for, and the sums."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass

from .wiring import BASE_OHM, HERE, TABLES, Table, load_pins, ohms, resistors, wires

FILE = HERE / "parts.csv"
RESISTOR_EACH = 0.1

BY_TABLE: Mapping[str, str] = {"camera": "camera", "usb": "four-seats", "uarts": "pn532-uarts"}
"""The columns of the file: each is what the table of that name is built from."""
TITLES = {"camera": "camera table", "usb": "readers on USB", "uarts": "readers on UARTs"}


@dataclass(frozen=True, slots=True)
class Row:
    """One part: what one costs, about, in euros, how many each column's table has, and which of those tables can do
    without (*spare*)."""

    part: str
    each: float
    numbers: Mapping[str, int]
    spare: tuple[str, ...] = ()
    note: str = ""


def rows() -> tuple[Row, ...]:
    """All parts, in the file's order, then the resistors of the pin maps."""
    tables = {table.name: table for table in TABLES}
    mapped = {column: tables[name] for column, name in BY_TABLE.items()}
    with FILE.open(encoding="utf-8", newline="") as file:
        found = [
            Row(
                row["part"],
                float(row["each"]),
                {c: _number(row[c], mapped[c]) for c in BY_TABLE},
                tuple(row["spare"].split()),
                row["note"],
            )
            for row in csv.DictReader(file)
        ]
    counts = {column: resistors(load_pins(table.pins, table), table) for column, table in mapped.items()}
    for ohm in sorted(set().union(*counts.values())):
        numbers = {column: count[ohm] for column, count in counts.items()}
        spare = tuple(BY_TABLE) if ohm == BASE_OHM else ()  # it goes with the buzzer
        found.append(Row(f"resistor {ohms(ohm)}, 0.25 W", RESISTOR_EACH, numbers, spare))
    return tuple(found)


def _number(written: str, table: Table) -> int:
    if written != "lamps":
        return int(written)
    return len({wire.part for wire in wires(load_pins(table.pins, table), table) if wire.kind in ("lamp", "centre")})


def total(column: str, *, spare: bool = True) -> float:
    """What all parts of a column cost together, in euros; without *spare* only those that it cannot do without."""
    return sum(row.each * row.numbers[column] for row in rows() if spare or column not in row.spare)


def parts_table() -> str:
    """All parts as a table in Markdown: how many each table has, in brackets those that may be left out, what one
    costs, and the sums with and without those."""
    lines = [
        "| part | each, about € | " + " | ".join(TITLES[column] for column in BY_TABLE) + " | |",
        "|---|---|" + "---|" * len(BY_TABLE) + "---|",
    ]
    for row in rows():
        numbers = " | ".join(_shown(row, column) for column in BY_TABLE)
        lines.append(f"| {row.part} | {row.each:g} | {numbers} | {row.note} |")
    for title, spare in (("together", True), ("without what stands in brackets", False)):
        sums = " | ".join(f"**{total(column, spare=spare):.0f} €**" for column in BY_TABLE)
        lines.append(f"| **{title}** | | {sums} | |")
    return "\n".join(lines)


def _shown(row: Row, column: str) -> str:
    number = str(row.numbers[column] or "-")
    return f"({number})" if column in row.spare and row.numbers[column] else number
