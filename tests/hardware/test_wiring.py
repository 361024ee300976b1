"""The pin maps can be wired, the drawings and the READMEs' tables are what the scripts make of them, and no pin gives
more than it may."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise

import pytest
import yaml
from gpiozero.pins.mock import MockFactory

from hardware import draw_wiring as drawing
from hardware import wiring
from hardware.__main__ import READMES, blocks, drawings, filled, written
from hardware.wiring import HERE, TABLES, Table
from tablepi.views.lamps import MEANINGS

README = (HERE / "README.md").read_text(encoding="utf-8")
REMAKE = "run: python -m hardware"
BY_NAME = {table.name: table for table in TABLES}
FOUR_SEATS = BY_NAME["four-seats"]


@pytest.fixture(params=TABLES, ids=lambda table: table.name)
def table(request):
    return request.param


@pytest.fixture
def pins(table):
    return wiring.load_pins(table.pins, table)


def _numbers(branch: object) -> Iterator[int]:
    if isinstance(branch, int):
        yield branch
    elif isinstance(branch, dict):
        for value in branch.values():
            yield from _numbers(value)
    elif isinstance(branch, list):
        for value in branch:
            yield from _numbers(value)


# --- pins -----------------------------------------------------------------------------------------------------------


def test_the_pin_map_of_four_seats_is_the_published_one():
    assert wiring.load_pins(FOUR_SEATS.pins, FOUR_SEATS) == {
        "seats": [
            {"name": "N", "red": 17, "green": 27, "blue": 22},
            {"name": "E", "red": 23, "green": 24, "blue": 25},
            {"name": "S", "red": 16, "green": 20, "blue": 21},
            {"name": "W", "red": 26, "green": 19, "blue": 6},
        ],
        "centre": {"red": 4, "green": 5, "blue": 12},
        "buzzer": 18,
        "buttons": {"confirm": 10, "undo": 11},
    }


def test_every_pin_map_is_of_a_table():
    assert {path.name for path in HERE.glob("pins-*.yaml")} == {table.pins.name for table in TABLES}


@pytest.fixture(params=["c03111", "c04170"], ids=["Pi 4", "Pi 5"])
def header(request):
    """The pins of the header as gpiozero knows them, by their number there."""
    factory = MockFactory(revision=request.param)
    try:
        yield factory.board_info.headers["J8"].pins
    finally:
        factory.close()


def test_the_header_is_the_one_that_gpiozero_knows(header):
    ours = {n: f"GPIO{it}" if isinstance(it, int) else it for n, it in enumerate(wiring.HEADER, start=1)}
    assert ours == {number: pin.name for number, pin in header.items()}


@pytest.mark.parametrize(
    ("bus", "pins"),
    [
        ("uart", [bcm for uart in wiring.UARTS for bcm in (uart.tx, uart.rx)]),
        ("spi", list(wiring.SPI0)),
        ("i2c", [*wiring.CLOCK, *wiring.EEPROM]),
    ],
)
def test_each_pin_of_a_bus_can_carry_it(header, bus, pins):
    assert [bcm for bcm in pins if bus not in header[wiring.HEADER_PIN[bcm]].interfaces] == []


def test_no_two_uses_have_a_pin_in_common(table, pins):
    uarts = [bcm for uart in wiring.UARTS for bcm in (uart.tx, uart.rx)] if table.readers == "uarts" else []
    used = [*_numbers(pins), *uarts, *([wiring.RESET_PIN] if uarts else []), *wiring.CLOCK, *wiring.EEPROM]
    used += list(wiring.SPI0) if table.sticks else []
    assert sorted(used) == sorted(set(used))


def test_every_pin_has_one_wire_and_no_header_pin_has_two(table, pins):
    found = wiring.wires(pins, table)
    signals = [wire.bcm for wire in found if wire.bcm is not None]
    assert len(set(signals)) == len(signals)
    assert set(_numbers(pins)) <= set(signals)
    assert len({wire.pin for wire in found}) == len(found)
    for wire in found:
        assert wiring.HEADER[wire.pin - 1] == (wire.leg if wire.bcm is None else wire.bcm)


def test_readers_on_uarts_are_crossed_and_reset_together():
    uarts = BY_NAME["pn532-uarts"]
    found = wiring.wires(wiring.load_pins(uarts.pins, uarts), uarts)
    data = {(wire.part, wire.leg): wire.bcm for wire in found if wire.kind == "reader"}
    assert data == {
        ("reader N", "RXD"): 14,
        ("reader N", "TXD"): 15,
        ("reader E", "RXD"): 4,
        ("reader E", "TXD"): 5,
        ("reader S", "RXD"): 8,
        ("reader S", "TXD"): 9,
        ("reader W", "RXD"): 12,
        ("reader W", "TXD"): 13,
    }
    assert [wire.bcm for wire in found if wire.leg == "RSTPDN"] == [7]


def test_every_part_has_a_ground_of_its_own_but_the_readers_whose_ground_is_the_supplys(table, pins):
    found = wiring.wires(pins, table)
    grounded = sorted(wire.part for wire in found if wire.leg == "GND")
    assert grounded == sorted({wire.part for wire in found if wire.kind != "reader"})


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("four-seats", {"buzzer": 17}, "buzzer signal: pin 17 is taken by lamp N red"),
        ("four-seats", {"buzzer": 28}, "buzzer signal: 28 is no pin to use: take one of BCM 4 to 27"),
        ("four-seats", {"buzzer": 1}, "buzzer signal: 1 is no pin to use: take one of BCM 4 to 27"),
        ("four-seats", {"buzzer": 3}, "buzzer signal: pin 3 is SCL of the clock's I2C"),
        ("pn532-uarts", {"buzzer": 13}, "buzzer signal: pin 13 is taken by reader W TXD"),
        ("pn532-uarts", {"buzzer": 7}, "buzzer signal: pin 7 is taken by readers' supply RSTPDN"),
        ("ws2812", {"buttons": {"undo": 11}}, "buttons undo: pin 11 is SCLK of SPI"),
        ("ws2812", {"buttons": {"undo": 10}}, "buttons undo: pin 10 is MOSI of SPI"),
    ],
)
def test_a_pin_map_that_cannot_be_wired_is_refused(tmp_path, name, change, complaint):
    table, path = BY_NAME[name], tmp_path / "pins.yaml"
    path.write_text(yaml.safe_dump({**wiring.load_pins(table.pins, table), **change}))
    with pytest.raises(ValueError, match=f"^{re.escape(f'pins.yaml: {complaint}')}$"):
        wiring.load_pins(path, table)


# --- currents -------------------------------------------------------------------------------------------------------


def test_no_pin_gives_more_than_it_may_and_nor_do_all_together(table, pins):
    currents = [wiring.current_ma(wire) for wire in wiring.wires(pins, table)]
    assert max(currents) <= wiring.MOST_MA_A_PIN == 16
    assert sum(currents) <= wiring.MOST_MA == 50
    assert wiring.total_ma(pins, table) == sum(currents)


def test_a_lamp_takes_what_its_resistors_let_through():
    pins = wiring.load_pins(FOUR_SEATS.pins, FOUR_SEATS)
    taken = {(wire.part, wire.leg): wiring.current_ma(wire) for wire in wiring.wires(pins, FOUR_SEATS)}
    assert taken["lamp N", "red"] == pytest.approx(1.3 / 330 * 1000)
    assert taken["lamp N", "GND"] == 0
    assert taken["lamp W", "blue"] == pytest.approx((0.3 / 100 + 3.3 / 10_000) * 1000)
    assert taken["centre lamp", "red"] == pytest.approx((1.3 / 470 + 3.3 / 10_000) * 1000)
    assert taken["buzzer", "signal"] == pytest.approx(2.6 / 2200 * 1000)
    assert taken["buttons", "undo"] == 0


def test_a_lamp_on_a_pin_that_is_pulled_up_at_power_on_is_held_dark(table, pins):
    held = {wire.bcm for wire in wiring.wires(pins, table) if wiring.needs_pull_down(wire)}
    lamps = {n for part in ("seats", "centre") for n in _numbers(pins.get(part, []))}
    assert held == {bcm for bcm in lamps if bcm <= 8}


# --- drawings and tables --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [table.drawing for table in TABLES], ids=lambda file: file.name)
def test_a_drawing_is_what_the_script_draws(file):
    assert file.read_text(encoding="utf-8") == drawings()[file], REMAKE


def test_no_drawing_is_left_over():
    assert {path.name for path in HERE.glob("*.svg")} == {table.drawing.name for table in TABLES}


def test_the_readmes_have_every_table_that_the_scripts_make():
    made = blocks()
    stands = [written(readme.read_text(encoding="utf-8")) for readme in READMES]
    assert {name for each in stands for name in each} == set(made)
    for each in stands:
        assert each == {name: made[name] for name in each}, REMAKE


def test_a_table_is_made_anew_between_its_marks_alone():
    text = "before\n<!-- made: a -->\nold\n\n<!-- made -->\nafter <!-- made: a --> here\n"
    assert filled(text, {"a": "new"}) == "before\n<!-- made: a -->\nnew\n<!-- made -->\nafter <!-- made: a --> here\n"
    with pytest.raises(KeyError):
        filled(text, {})


def test_a_drawing_names_every_pin_and_shows_every_part(table, pins):
    words = [text.text for text in ET.fromstring(drawing.draw(pins, table)).iter("{http://www.w3.org/2000/svg}text")]
    for wire in wiring.wires(pins, table):
        if wire.bcm is not None:
            assert words.count(f"GPIO{wire.bcm}") == 1
    titles = {part.name[0].upper() + part.name[1:] for part in drawing.parts(pins, table)}
    assert titles <= set(words)


def test_a_drawing_stays_on_its_sheet(table, pins):
    sheet = ET.fromstring(drawing.draw(pins, table))
    height = float(sheet.attrib["height"])
    for box in sheet.iter("{http://www.w3.org/2000/svg}rect"):
        x, y, w, h = (float(box.attrib.get(key, 0)) for key in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= drawing.WIDTH
        assert 0 <= y <= y + h <= height


def test_no_word_leaves_the_part_that_it_stands_in(table, pins):
    sheet = ET.fromstring(drawing.draw(pins, table))
    for part in drawing.parts(pins, table):
        left = part.edge if part.side > 0 else part.edge - drawing.PART_WIDTH
        for text in sheet.iter("{http://www.w3.org/2000/svg}text"):
            x, y, size = (float(text.attrib[key]) for key in ("x", "y", "font-size"))
            if not (left <= x <= left + drawing.PART_WIDTH and part.top <= y <= part.top + part.height):
                continue
            wide = len(text.text or "") * size * (0.66 if "font-weight" in text.attrib else 0.58)
            begin = {"start": x, "middle": x - wide / 2, "end": x - wide}[text.attrib["text-anchor"]]
            assert left - 1 <= begin, text.text
            assert begin + wide <= left + drawing.PART_WIDTH + 1, text.text


def test_no_two_wires_lie_on_one_another(table, pins):
    placed = drawing.parts(pins, table)
    ways = drawing.routes(placed)
    assert set(ways) == set(wiring.wires(pins, table))
    upright = [x for way in ways.values() for (x, _), (x2, _) in pairwise(way) if x == x2]
    assert len(set(upright)) == len(upright)
    assert all(abs(x - drawing.HEADER_X) < drawing.PART_EDGE_X - 10 for x in upright)
    flat = [
        (wire, y, *sorted((x, x2)))
        for wire, way in ways.items()
        for (x, y), (x2, y2) in pairwise(way)
        if y == y2 and x != x2
    ]
    for n, (wire, y, left, right) in enumerate(flat):
        for other, y2, left2, right2 in flat[n + 1 :]:
            if wire != other and min(right, right2) > max(left, left2):
                assert abs(y - y2) >= drawing.APART, (wire, other)


def test_no_part_and_no_note_lies_over_another(table, pins):
    placed = drawing.parts(pins, table)
    for side in (-1, 1):
        for above, below in pairwise(part for part in placed if part.side == side):
            assert above.top + above.height < below.top
    x, top = drawing.sheet(placed, 12, table).notes
    beside = [p for p in placed if (p.side > 0) == (x > drawing.HEADER_X)]
    assert all(part.top + part.height < top for part in beside)


def test_another_pin_map_is_drawn_too():
    # Seats N and E change places on the header, so their lamps change sides.
    pins = wiring.load_pins(FOUR_SEATS.pins, FOUR_SEATS)
    north, east, *rest = pins["seats"]
    swapped = {**pins, "seats": [{**east, "name": "N"}, {**north, "name": "E"}, *rest]}
    sides = {part.name: part.side for part in drawing.parts(swapped, FOUR_SEATS)}
    assert (sides["lamp N"], sides["lamp E"]) == (1, -1)
    ET.fromstring(drawing.draw(swapped, FOUR_SEATS))


def test_every_drawing_is_shown_in_the_readme():
    shown = re.findall(r"!\[.+?\]\((wiring-.+?\.svg)\)", README)
    assert shown == [table.drawing.name for table in TABLES]


def test_the_legend_says_every_lamp_in_its_order_of_precedence():
    legend = README[README.index("| lamp | at a seat it means |") :].split("\n\n")[0].splitlines()[2:]
    colours = [re.split(r"\W", line.strip("| "))[0] for line in legend]
    assert colours == ["dark" if lamp.colour == "off" else lamp.colour for lamp in MEANINGS.values()]
    words = {"triple": "three", "fast": "fast", "double": "two", "blip": "blip", "slow": "0.8 s", "steady": "steady"}
    words |= {"uneven": "one long flash", "wink": "short gap"}
    for line, lamp in zip(legend, MEANINGS.values(), strict=True):
        assert words.get(lamp.rhythm, "nothing") in line


def test_a_lamp_of_one_colour_and_a_button_of_a_seat_are_drawn_too(tmp_path):
    path = tmp_path / "pins.yaml"
    path.write_text("seats: [{name: N, pin: 17}]\ncentre: {pin: 4}\nbuttons: {seat-0: 22, pause: 27}\n")
    plain = Table("plain", "one seat")
    pins = wiring.load_pins(path, plain)
    assert wiring.resistors(pins, plain) == {330: 1, 470: 1, 10_000: 1}
    words = [text.text for text in ET.fromstring(drawing.draw(pins, plain)).iter("{http://www.w3.org/2000/svg}text")]
    assert words.count("one colour") == 2
    assert {"seat-0", "pause"} <= set(words)


def test_a_table_without_readers_or_lamps_is_a_table_too(tmp_path):
    path = tmp_path / "pins.yaml"
    path.write_text("buttons: {confirm: 27}\n")
    bare = Table("bare", "one button")
    pins = wiring.load_pins(path, bare)
    assert [(wire.bcm, wire.leg) for wire in wiring.wires(pins, bare)] == [(None, "GND"), (27, "confirm")]
    ET.fromstring(drawing.draw(pins, bare))
