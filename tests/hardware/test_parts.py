"""The list of parts has what the pin maps ask for, and its sums are sums."""

from __future__ import annotations

import pytest

from hardware import parts, wiring
from hardware.wiring import TABLES

BY_NAME = {table.name: table for table in TABLES}


@pytest.mark.parametrize(("column", "name"), parts.BY_TABLE.items())
def test_the_list_has_every_resistor_and_lamp_of_the_pin_map(column, name):
    table = BY_NAME[name]
    pins = wiring.load_pins(table.pins, table)
    numbers = {row.part: row.numbers[column] for row in parts.rows()}
    asked = wiring.resistors(pins, table)
    listed = {part: number for part, number in numbers.items() if part.startswith("resistor") and number}
    assert listed == {f"resistor {wiring.ohms(ohm)}, 0.25 W": number for ohm, number in asked.items()}
    lamps = len(pins.get("seats", ())) + ("centre" in pins)
    assert numbers["RGB LED, 5 mm, diffuse, common cathode"] == lamps
    buttons = next(number for part, number in numbers.items() if part.startswith("push button"))
    assert buttons == len(pins["buttons"])


def test_the_reader_tables_have_a_board_a_seat_and_the_camera_table_none():
    boards = next(row.numbers for row in parts.rows() if row.part.startswith("PN532"))
    assert boards == {"camera": 0, "usb": 4, "uarts": 4}


def cells():
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in parts.parts_table().splitlines()[2:]]


def test_a_sum_is_the_sum_of_its_column_and_the_second_one_leaves_out_what_stands_in_brackets():
    *listed, together, without = cells()
    for n, column in enumerate(parts.BY_TABLE, start=2):
        bought = [(float(line[1]), line[n]) for line in listed if line[n] != "-"]
        added = sum(each * int(number.strip("()")) for each, number in bought)
        needed = sum(each * int(number) for each, number in bought if "(" not in number)
        assert (together[n], without[n]) == (f"**{added:.0f} €**", f"**{needed:.0f} €**")
        assert parts.total(column) == pytest.approx(added)
        assert parts.total(column, spare=False) == pytest.approx(needed)


def test_the_camera_table_can_do_without_whatever_is_soldered():
    listed = cells()[:-2]
    assert [line[0] for line in listed if line[2].startswith("(")] == [
        "lamp with a shade, to stand at the side",
        "mat, 520 × 520 mm, matt, printed",
        "NPN transistor BC337 (or 2N2222)",
        "active buzzer, 5 V",
        "diode 1N4148",
        "push button, normally open (arcade, 30 mm): confirm, undo",
        "40-pin socket or screw-terminal board for the header; wire, plugs (JST-XH or Dupont)",
        "DS3231 clock, or the Pi 5's clock battery",
        "resistor 2.2 kΩ, 0.25 W",
    ]


def test_a_part_that_no_table_needs_is_not_listed():
    assert [row.part for row in parts.rows() if not any(row.numbers.values())] == []
