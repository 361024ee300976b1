"""The tables' files that ship are ones that the program takes, and they fit the pin maps, the rules of udev and each
other."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
import yaml

from hardware.wiring import HERE, PIXELS_A_STICK, RESET_PIN, STRIP_SHARE, TABLES
from tablepi.cards import ALL_CARDS
from tablepi.config import load_config, load_deck

EXAMPLES = sorted(path.name for path in HERE.glob("table-*.yaml"))
README = (HERE / "README.md").read_text(encoding="utf-8")


@pytest.fixture(params=EXAMPLES)
def example(request):
    return HERE / request.param


def plain(name):
    return yaml.safe_load((HERE / name).read_text(encoding="utf-8"))


def test_config_check_has_nothing_to_mend_but_ports_that_are_not_there(example):
    done = subprocess.run(
        [sys.executable, "-m", "tablepi", "config", "check", str(example)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    *notes, last = done.stdout.splitlines()
    assert last == f"{example}: nothing to mend"
    assert [note for note in notes if not note.endswith("(a note, no complaint)")] == []


def test_an_example_with_a_fault_is_complained_of(example, tmp_path):
    for file in HERE.glob("*.yaml"):
        shutil.copy(file, tmp_path)
    mine = tmp_path / example.name
    mine.write_text(mine.read_text(encoding="utf-8").replace("players:", "plyers:"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tablepi", "config", "check", str(mine)], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "plyers: is not a key here: did you mean players?" in done.stdout + done.stderr


def test_an_example_says_what_it_is_before_anything_else(example):
    assert example.read_text(encoding="utf-8").startswith("# ")


def test_every_example_is_named_in_the_readme(example):
    assert f"`{example.name}`" in README


def test_the_examples_name_the_pin_maps_and_the_deck_and_leave_none_over():
    named = set()
    for name in EXAMPLES:
        table = plain(name)
        named |= {table.get("deck"), table.get("lamps", {}).get("pins")} - {None}
    others = {path.name for path in HERE.glob("*.yaml")} - set(EXAMPLES)
    assert others == named == {"deck-example.yaml", *(table.pins.name for table in TABLES)}


def test_a_table_takes_the_pin_map_of_its_name():
    maps = {name: plain(name).get("lamps", {}).get("pins") for name in EXAMPLES}
    assert {name: pins for name, pins in maps.items() if pins} == {
        "table-camera.yaml": "pins-camera.yaml",
        "table-four-seats.yaml": "pins-four-seats.yaml",
        "table-pn532-uarts.yaml": "pins-pn532-uarts.yaml",
        "table-pn532-usb.yaml": "pins-four-seats.yaml",
        "table-ws2812.yaml": "pins-ws2812.yaml",
    }


@pytest.mark.parametrize(
    ("name", "kind", "ports"),
    [
        ("table-four-seats.yaml", "lines", "/dev/serial/by-id/"),
        ("table-pn532-usb.yaml", "pn532", "/dev/serial/by-id/"),
        ("table-pn532-uarts.yaml", "pn532", "/dev/tablepi/"),
        ("table-ws2812.yaml", "pn532", "/dev/serial/by-id/"),
    ],
)
def test_each_seat_has_a_reader_on_a_port_that_keeps_its_name(name, kind, ports):
    readers = load_config(HERE / name).readers
    assert [(reader.name, reader.seat, reader.kind) for reader in readers] == [
        (f"reader-{n}", n, kind) for n in range(4)
    ]
    assert len({reader.port for reader in readers}) == 4
    assert [reader.port for reader in readers if not reader.port.startswith(ports)] == []


def test_the_boards_on_uarts_are_reset_by_the_pin_that_is_wired():
    assert {reader.reset for reader in load_config(HERE / "table-pn532-uarts.yaml").readers} == {RESET_PIN}


def test_the_smallest_table_is_camera_display_and_two_buttons():
    config = load_config(HERE / "table-camera.yaml")
    assert (len(config.cameras), config.readers, config.deck) == (1, (), None)
    assert config.camera.source == "rpicam"
    assert config.lamps.pins is not None
    assert config.lamps.pins.seats == ()
    assert config.lamps.pins.buttons == {"confirm": 10, "undo": 11}


def test_the_strip_is_as_long_and_as_bright_as_its_supply_was_reckoned_for():
    lamps = load_config(HERE / "table-ws2812.yaml").lamps
    assert (lamps.kind, lamps.spi) == ("ws2812", "/dev/spidev0.0")
    assert (lamps.pixels, lamps.centre, lamps.brightness) == (PIXELS_A_STICK, PIXELS_A_STICK, STRIP_SHARE)
    assert lamps.pins is not None
    assert (lamps.pins.seats, lamps.pins.centre) == ((), None)


def test_the_reader_of_a_pc_is_for_all_and_named_by_its_model():
    [reader] = load_config(HERE / "table-acr122u.yaml").readers
    assert (reader.kind, reader.port, reader.shared, reader.seat) == ("pcsc", "ACR122U", True, None)


def test_the_table_by_hand_has_no_device():
    config = load_config(HERE / "table-by-hand.yaml")
    assert (config.cameras, config.readers, config.lamps.pins) == ((), (), None)


def test_the_program_accepts_the_examples_as_the_install_notes_lay_them_out(tmp_path):
    for name, installed in (
        ("table-four-seats.yaml", "table.yaml"),
        ("pins-four-seats.yaml", "pins-four-seats.yaml"),
        ("deck-example.yaml", "deck-example.yaml"),
    ):
        shutil.copy(HERE / name, tmp_path / installed)
    config = load_config(tmp_path / "table.yaml")
    assert config.deck is not None
    deck = load_deck(config.deck)
    assert (len(config.readers), len(deck), set(deck.values())) == (4, 52, set(ALL_CARDS))
    assert config.lamps.pins is not None
    assert [lamp.red for lamp in config.lamps.pins.seats] == [17, 23, 16, 26]


def test_the_example_deck_has_a_tag_of_its_own_in_every_card():
    deck = plain("deck-example.yaml")["cards"]
    assert set(deck) == {str(card) for card in ALL_CARDS}
    tags = [tag for tags in deck.values() for tag in tags]
    assert len(set(tags)) == len(tags) == 52
    assert all(isinstance(tag, str) and re.fullmatch(r"04[0-9A-F]{12}", tag) for tag in tags)


def test_the_readme_names_files_and_commands_that_exist():
    files = re.findall(r"`([\w-]+\.(?:yaml|svg|txt|rules|conf|csv))`", README)
    files += re.findall(r"hardware/([\w.-]+)", README)
    made_by_you = {"table.yaml", "tablepi.conf"}
    assert files
    assert [name for name in files if name not in made_by_you and not (HERE / name).exists()] == []
    anchors = {
        re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.+)$", README, re.M)
    }
    assert [link for link in re.findall(r"\]\(#(.+?)\)", README) if link not in anchors] == []
