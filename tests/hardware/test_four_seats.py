"""The pin map, the drawing, the README and the examples of the four-seat table agree with each other."""

from __future__ import annotations

import fnmatch
import importlib.util
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from gpiozero.pins.mock import MockFactory

from tablepi.cards import ALL_CARDS
from tablepi.config import check_config, load_config, load_deck
from tablepi.views.lamps import MEANINGS

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"
README = (HARDWARE / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawing() -> Iterator[ModuleType]:
    """The drawing script as a module: it lies outside the package."""
    spec = importlib.util.spec_from_file_location("draw_wiring", HARDWARE / "draw_wiring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["draw_wiring"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["draw_wiring"]


@pytest.fixture(scope="module")
def pins(drawing):
    return drawing.load_pins(drawing.PINS)


def test_the_pin_map_is_the_published_one(pins):
    assert pins == {
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


@pytest.mark.parametrize("revision", ["c03111", "c04170"], ids=["Pi 4", "Pi 5"])
def test_the_header_is_the_one_that_gpiozero_knows(drawing, revision):
    factory = MockFactory(revision=revision)
    try:
        known = {number: pin.name for number, pin in factory.board_info.headers["J8"].pins.items()}
    finally:
        factory.close()
    ours = {n: f"GPIO{it}" if isinstance(it, int) else it for n, it in enumerate(drawing.HEADER, start=1)}
    assert ours == known


def test_every_pin_of_the_map_has_one_wire_and_no_header_pin_has_two(drawing, pins):
    wires = drawing.wires(pins)
    assert sorted(wire.bcm for wire in wires if wire.bcm is not None) == sorted(_numbers(pins))
    assert len({wire.pin for wire in wires}) == len(wires)
    for wire in wires:
        assert drawing.HEADER[wire.pin - 1] == (wire.leg if wire.bcm is None else wire.bcm)


def _numbers(branch: object) -> Iterator[int]:
    if isinstance(branch, int):
        yield branch
    elif isinstance(branch, dict):
        for value in branch.values():
            yield from _numbers(value)
    elif isinstance(branch, list):
        for value in branch:
            yield from _numbers(value)


def test_every_part_has_a_ground_of_its_own(drawing, pins):
    parts = {wire.part for wire in drawing.wires(pins)}
    grounded = sorted(wire.part for wire in drawing.wires(pins) if wire.leg == "GND")
    assert grounded == sorted(parts)


def test_the_drawing_is_what_the_script_draws(drawing, pins):
    committed = (HARDWARE / "wiring-four-seats.svg").read_text(encoding="utf-8")
    assert committed == drawing.draw(pins), "run: python hardware/draw_wiring.py"


def test_the_drawing_names_every_pin_and_stays_on_its_sheet(drawing, pins):
    sheet = ET.fromstring(drawing.draw(pins))
    words = [text.text for text in sheet.iter("{http://www.w3.org/2000/svg}text")]
    for bcm in _numbers(pins):
        assert words.count(f"GPIO{bcm}") == 1
    for part in drawing.parts(pins):
        assert part.top + part.height < drawing.HEIGHT - 112


def test_no_two_wires_lie_on_one_another(drawing, pins):
    placed = drawing.parts(pins)
    runs = tuple(drawing._runs(placed))
    lanes = drawing._lanes(runs)
    assert len(set(lanes.values())) == len(runs)
    for part in placed:
        assert all(abs(x - drawing.HEADER_X) < drawing.PART_EDGE_X - 10 for x in lanes.values())
        assert len(set(part.terminals)) == len(part.wires)
    for side in (-1, 1):
        for above, below in pairwise(part for part in placed if part.side == side):
            assert above.top + above.height < below.top


def test_the_readme_has_the_wiring_table_that_the_script_makes(drawing, pins):
    begin, end = drawing.TABLE_BEGIN, drawing.TABLE_END
    committed = README[README.index(begin) + len(begin) : README.index(end)].strip()
    assert committed == drawing.wiring_table(pins), "run: python hardware/draw_wiring.py"


def test_everything_at_once_stays_under_the_limits_of_the_pins(drawing, pins):
    currents = [drawing.current_ma(wire) for wire in drawing.wires(pins)]
    assert max(currents) < 16
    assert sum(currents) < 50
    assert f"**everything at once** | **{sum(currents):.1f} mA**" in README


def test_the_readme_reckons_the_resistors_as_the_drawing_does(drawing):
    for ohms in (drawing.SEAT_OHM, drawing.CENTRE_OHM):
        for colour, ohm in ohms.items():
            over = drawing.SUPPLY_V - drawing.FORWARD_V[colour]
            assert f"{over:.1f} V / {ohm} Ω = {1000 * over / ohm:.1f} mA" in README


def test_the_parts_list_has_as_many_resistors_as_the_drawing(drawing, pins):
    wires = drawing.wires(pins)
    ohms = [drawing.series_ohm(wire) for wire in wires if drawing.series_ohm(wire)]
    ohms += [drawing.PULL_DOWN_OHM for wire in wires if drawing.needs_pull_down(wire)]
    bought = {}
    for number, value, unit in re.findall(r"^\| (\d+) \| resistor ([\d.]+) (k?)Ω", README, re.MULTILINE):
        bought[round(float(value) * (1000 if unit else 1))] = int(number)
    assert bought == {ohm: ohms.count(ohm) for ohm in set(ohms)}


def test_the_legend_says_every_lamp_in_its_order_of_precedence():
    legend = README[README.index("| lamp | at a seat it means |") :].split("\n\n")[0].splitlines()[2:]
    colours = [re.split(r"\W", line.strip("| "))[0] for line in legend]
    assert colours == ["dark" if lamp.colour == "off" else lamp.colour for lamp in MEANINGS.values()]
    words = {"triple": "three", "fast": "fast", "double": "two", "blip": "blip", "slow": "0.8 s", "steady": "steady"}
    words |= {"uneven": "one long flash", "wink": "short gap"}
    for line, lamp in zip(legend, MEANINGS.values(), strict=True):
        assert words.get(lamp.rhythm, "nothing") in line


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"buzzer": 17}, "pins.yaml: buzzer signal: pin 17 is taken by lamp N red"),
        ({"buzzer": 28}, "pins.yaml: buzzer signal: 28 is no pin to use: take one of BCM 2 to 27"),
        ({"buzzer": 1}, "pins.yaml: buzzer signal: 1 is no pin to use: take one of BCM 2 to 27"),
    ],
    ids=["taken", "not on the header", "for boards' EEPROM"],
)
def test_a_pin_map_that_cannot_be_wired_is_refused(drawing, pins, tmp_path, change, complaint):
    path = tmp_path / "pins.yaml"
    path.write_text(yaml.safe_dump({**pins, **change}))
    with pytest.raises(ValueError, match=re.escape(complaint)):
        drawing.load_pins(path)


def test_another_pin_map_is_drawn_too(drawing, pins):
    # Seats N and E change places on the header, so their lamps change sides.
    north, east, *rest = pins["seats"]
    swapped = {**pins, "seats": [{**east, "name": "N"}, {**north, "name": "E"}, *rest]}
    sides = {part.name: part.side for part in drawing.parts(swapped)}
    assert (sides["lamp N"], sides["lamp E"]) == (1, -1)
    ET.fromstring(drawing.draw(swapped))


def test_the_example_table_has_a_reader_for_each_seat(pins):
    table = yaml.safe_load((HARDWARE / "table-four-seats.yaml").read_text(encoding="utf-8"))
    readers = table["readers"]
    assert [reader["seat"] for reader in readers] == list(range(len(pins["seats"])))
    assert [reader["name"] for reader in readers] == [f"reader-{n}" for n in range(4)]
    assert len({reader["port"] for reader in readers}) == 4
    assert all(reader["port"].startswith("/dev/serial/by-id/") for reader in readers)
    assert (HARDWARE / table["lamps"]["pins"]).exists()
    assert len(table["players"]) == 4
    assert set(table) == {"players", "rules", "language", "deck", "readers", "lamps", "display"}


def test_the_program_accepts_the_examples_as_the_install_notes_lay_them_out(tmp_path):
    for name, installed in (
        ("table-four-seats.yaml", "table.yaml"),
        ("pins-four-seats.yaml", "pins-four-seats.yaml"),
        ("deck-example.yaml", "deck-example.yaml"),
    ):
        shutil.copy(HARDWARE / name, tmp_path / installed)
    config = load_config(tmp_path / "table.yaml")
    assert config.deck is not None
    deck = load_deck(config.deck)
    assert (len(config.readers), len(deck), set(deck.values())) == (4, 52, set(ALL_CARDS))
    assert config.lamps.pins is not None
    assert [lamp.red for lamp in config.lamps.pins.seats] == [17, 23, 16, 26]


def test_the_example_is_the_three_files_that_the_readme_copies():
    config = load_config(HARDWARE / "table-four-seats.yaml")
    named = yaml.safe_load((HARDWARE / "table-four-seats.yaml").read_text(encoding="utf-8"))
    files = {"table-four-seats.yaml", named["deck"], named["lamps"]["pins"]}
    assert {path.name for path in HARDWARE.glob("*.yaml")} == files
    assert config.deck == HARDWARE / "deck-example.yaml"


def test_the_example_table_stands_as_it_is_but_for_the_ports():
    assert check_config(HARDWARE / "table-four-seats.yaml") == ()


def test_the_example_deck_has_a_tag_of_its_own_in_every_card():
    deck = yaml.safe_load((HARDWARE / "deck-example.yaml").read_text(encoding="utf-8"))["cards"]
    assert set(deck) == {str(card) for card in ALL_CARDS}
    tags = [tag for tags in deck.values() for tag in tags]
    assert len(set(tags)) == len(tags) == 52
    assert all(isinstance(tag, str) and re.fullmatch(r"04[0-9A-F]{12}", tag) for tag in tags)


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.2.1:1.0", ["tablepi/reader-0"]),
        ("platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.2.4:1.0", ["tablepi/reader-3"]),
        ("platform-xhci-hcd.0-usb-0:1.2:1.0", ["tablepi/reader-1"]),
        ("platform-xhci-hcd.0-usbv2-0:1.3:1.0", ["tablepi/reader-2"]),
        ("platform-xhci-hcd.0-usb-0:1:1.0", []),
        ("platform-xhci-hcd.0-usb-0:1.5:1.0", []),
        ("platform-xhci-hcd.0-usb-0:1.1:1.2", []),
    ],
    ids=["hub, Pi 4", "last socket", "hub, Pi 5", "newer udev", "no hub", "socket 5", "another interface"],
)
def test_a_reader_is_named_by_its_socket(path, names):
    assert [name for pattern, name in _names_by_path() if fnmatch.fnmatchcase(path, pattern)] == names


def _names_by_path() -> list[tuple[str, str]]:
    rules = (HARDWARE / "99-tablepi.rules").read_text(encoding="utf-8").splitlines()
    active = [rule for rule in rules if rule and not rule.startswith("#")]
    for rule in active:
        for clause in rule.split(", "):
            assert re.fullmatch(r'(\w+|ENV\{\w+\})(==|=|\+=)"[^"]+"', clause), clause
    return re.findall(r'ENV\{ID_PATH\}=="([^"]+)", SYMLINK\+="([^"]+)"', "\n".join(active))
