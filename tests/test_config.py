"""YAML files that people write: what they say, and every complaint at once when they say it wrong."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from tablepi.cards import ALL_CARDS, card
from tablepi.config import (
    LARGEST_FILE,
    AntennaConfig,
    BadConfig,
    CameraConfig,
    Complaint,
    Config,
    DisplayConfig,
    LampPins,
    LampsConfig,
    Pins,
    ReaderConfig,
    Wrong,
    absent_devices,
    check_config,
    load_commands,
    load_config,
    load_deck,
    load_yaml,
    match_part,
)
from tablepi.errors import BadInput
from tablepi.vision.markers import by_hand

HARDWARE = Path(__file__).parent.parent / "hardware"


@pytest.fixture
def written(tmp_path):
    """Writes a file and gives its path."""

    def write(text: str | bytes, name: str = "table.yaml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def complaints(load, path):
    """(line, key, text) of all complaints that loading *path* brings."""
    with pytest.raises(BadConfig) as bad:
        load(path)
    assert str(bad.value) == "\n".join(str(c) for c in bad.value.complaints)
    return [(c.line, c.key, c.text) for c in bad.value.complaints]


# --- the configuration --------------------------------------------------------------------------------------------


def test_without_a_file_it_is_a_table_of_four_seats_without_devices():
    config = Config()
    assert len(config.players) == 4
    assert (config.readers, config.lamps.pins, config.deck, config.camera) == ((), None, None, None)


def test_a_whole_configuration(written):
    written("seats: [{name: N, red: 17, green: 27, blue: 22}]\ncentre: {red: 4, green: 5, blue: 12}\n", "pins.yaml")
    path = written("""\
players: [Rita, Ada, Bo, Cleo]
rules: hearts-cardems
options: {target: 50, moon: others, hurry: true, share: 0.5}
language: pt
deck: deck.yaml
camera: {source: rpicam, size: 2304x1296, fps: 12}
readers:
  - {name: reader-0, port: /dev/serial/by-id/x, seat: 0, repeats: true}
  - {name: tray, port: "socket://10.0.0.7:4000", baud: 115200, shared: true}
lamps: {pins: pins.yaml, common: anode, pwm: true}
display: {size: 800x480, fullscreen: true}
""")
    assert load_config(path) == Config(
        players=("Rita", "Ada", "Bo", "Cleo"),
        rules="hearts-cardems",
        options={"target": 50, "moon": "others", "hurry": True, "share": 0.5},
        language="pt-PT",
        deck=path.parent / "deck.yaml",
        camera=(CameraConfig(source="rpicam", size=(2304, 1296), fps=12),),
        readers=(
            ReaderConfig(name="reader-0", port="/dev/serial/by-id/x", seat=0, repeats=True),
            ReaderConfig(name="tray", port="socket://10.0.0.7:4000", baud=115200, shared=True),
        ),
        lamps=LampsConfig(
            pins=Pins(seats=(LampPins(name="N", red=17, green=27, blue=22),), centre=LampPins(red=4, green=5, blue=12)),
            common="anode",
            pwm=True,
        ),
        display=DisplayConfig(size=(800, 480), fullscreen=True),
    )


def test_pins_may_stand_in_the_configuration_itself(written):
    path = written("lamps:\n  pins:\n    seats:\n      - {red: 17, green: 27, blue: 22}\n")
    assert load_config(path).lamps.pins == Pins(seats=(LampPins(red=17, green=27, blue=22),))


def test_a_lamp_of_one_colour_has_one_pin_under_any_name(written):
    path = written("lamps: {pins: {seats: [{red: 17}, {pin: 18}], centre: {red: 4, green: 5, blue: 12}}}")
    pins = load_config(path).lamps.pins
    assert [lamp.numbers for lamp in (*pins.seats, pins.centre)] == [(17,), (18,), (4, 5, 12)]


def test_a_lamp_that_is_half_connected_is_complained_of_in_the_pin_map_too(written):
    written("seats: [{name: N}, {red: 17, pin: 18}]", "pins.yaml")
    remedy = "write red, green and blue, or one pin alone for a lamp of one colour"
    assert complaints(load_config, written("lamps: {pins: pins.yaml}")) == [
        (1, "seats[0]", f"has no pin: {remedy}"),
        (1, "seats[1]", f"has only pin and red: {remedy}"),
    ]


def test_buttons_have_known_names_and_seats_that_there_are(written):
    assert load_config(
        written("lamps: {pins: {buttons: {confirm: 10, undo: 11, pause: 9, seat-3: 8}}}")
    ).lamps.pins == Pins(buttons={"confirm": 10, "undo": 11, "pause": 9, "seat-3": 8})
    path = written("players: [A, B, C]\nlamps:\n  pins:\n    buttons: {conform: 10, seat-3: 11, seat-7: 12}\n")
    known = "known are confirm, undo, pause, next-hand, end-hand, seat-0 to seat-6"
    assert complaints(load_config, path) == [
        (4, "lamps.pins.buttons.conform", f"is no button: {known}"),
        (4, "lamps.pins.buttons.seat-7", f"is no button: {known}"),
        (4, "lamps.pins.buttons.seat-3", "GPIO 11: 3 players sit at seats 0 to 2"),
    ]


@pytest.mark.parametrize("spi", ["0.0", '"0.0"', "/dev/spidev0.0"])
def test_a_strip_is_told_by_its_port_and_its_pixels(written, spi):
    path = written(f"lamps: {{kind: ws2812, spi: {spi}, pixels: 4, centre: 2, brightness: 0.1}}\nsound: false\n")
    config = load_config(path)
    assert config.lamps == LampsConfig(kind="ws2812", spi="/dev/spidev0.0", pixels=4, centre=2, brightness=0.1)
    assert config.sound is False


def test_what_a_strip_and_lamps_on_pins_do_not_share_is_complained_of(written):
    strip = written("""\
lamps:
  kind: ws2812
  spi: /dev/ttyUSB0
  brightness: 2
  pwm: true
  pins: {seats: [{pin: 17}], buttons: {confirm: 10, undo: 24}, buzzer: 18}
""")
    assert complaints(load_config, strip) == [
        (3, "lamps.spi", '"/dev/ttyUSB0": write an SPI port, such as /dev/spidev0.0, or 0.0 for short'),
        (4, "lamps.brightness", "2: write 1.0 or less"),
        (5, "lamps.pwm", "is for lamps of kind pins: leave it out"),
        (6, "lamps.pins.seats", "is for lamps of kind pins: leave it out"),
    ]
    clash = written("lamps: {kind: ws2812, pins: {buttons: {confirm: 10, undo: 24}, buzzer: 18}}")
    assert complaints(load_config, clash) == [
        (1, "lamps.pins.buttons.confirm", "GPIO 10 is one of the SPI port's: take another")
    ]
    assert complaints(load_config, written("lamps: {spi: 0.0}")) == [
        (1, "lamps.spi", "is for lamps of kind ws2812: leave it out")
    ]


def test_the_configuration_that_is_shipped_is_right():
    config = load_config(HARDWARE / "table-four-seats.yaml")
    assert [r.seat for r in config.readers] == [0, 1, 2, 3]
    assert config.lamps.pins is not None
    assert len(config.lamps.pins.seats) == 4


def test_a_configuration_cannot_be_changed():
    with pytest.raises(ValueError, match="frozen"):
        Config().language = "en"  # type: ignore[misc]


def test_every_complaint_comes_at_once_with_line_key_value_and_remedy(written):
    path = written("""\
players: [Rita, "", Bo, Cleo]
playrs: 3
language: fr
readers:
  - {name: r0, port: /dev/a, baud: fast, seat: 0}
  - {name: r0, port: /dev/a, seat: 4}
  - {name: r2, prt: /dev/b, seat: 1, shared: true}
  - {name: r3, port: /dev/c}
  - /dev/d
lamps:
  pins: {seats: [{red: 17, green: 17, blue: 99}, {red: 18, green: x}], buzzer: 18}
  common: anod
  pwm: on
display: {size: 10x10, fullscreen: yes, colour: red}
display: {}
""")
    assert sorted(complaints(load_config, path)) == sorted(
        [
            (1, "players[1]", "is empty: write a name"),
            (2, "playrs", "is not a key here: did you mean players?"),
            (3, "language", "\"fr\": write 'en', 'pt-PT', 'pt-BR' or 'pt'"),
            (5, "readers[0].baud", '"fast": write a whole number'),
            (6, "readers[1].name", '"r0" is that of readers[0].name too: each needs its own'),
            (6, "readers[1].port", '"/dev/a" is that of readers[0].port too: each needs its own'),
            (6, "readers[1].seat", "4: 4 players sit at seats 0 to 3"),
            (7, "readers[2].port", "is missing"),
            (7, "readers[2].prt", "is not a key here: did you mean port?"),
            (7, "readers[2].shared", "a reader has a seat or is shared: keep one of both"),
            (8, "readers[3]", "whose is it? write seat: 0 to 3, or shared: true"),
            (9, "readers[4]", '"/dev/d": write keys with their values, such as {key: value}'),
            (11, "lamps.pins.buzzer", "GPIO 18 is that of seats[1].red too: each needs its own"),
            (11, "lamps.pins.seats[0].blue", "99: write 27 or less"),
            (11, "lamps.pins.seats[0].green", "GPIO 17 is that of seats[0].red too: each needs its own"),
            (
                11,
                "lamps.pins.seats[1]",
                "has only green and red: write red, green and blue, or one pin alone for a lamp of one colour",
            ),
            (11, "lamps.pins.seats[1].green", '"x": write a whole number'),
            (12, "lamps.common", "\"anod\": write 'cathode' or 'anode'"),
            (13, "lamps.pwm", '"on": write true or false'),
            (14, "display.size", '"10x10": write 320x200 to 3840x2160'),
            (14, "display.colour", "is not a key here: known are size, fullscreen"),
            (14, "display.fullscreen", '"yes": write true or false'),
            (15, "display", "is written twice, first on line 14: keep one"),
        ]
    )


def test_a_complaint_is_one_line_that_begins_with_the_place(written):
    path = written("players: [Rita, Ada]\nlanguage: fr\n")
    with pytest.raises(BadInput) as bad:
        load_config(path)
    assert str(bad.value) == f"{path}:2: language: \"fr\": write 'en', 'pt-PT', 'pt-BR' or 'pt'"


def test_complaints_about_the_pin_map_name_its_own_file(written):
    pins = written("seats:\n  - {red: 1, green: 2, blue: 1}\n", "pins.yaml")
    path = written("lamps: {pins: pins.yaml}\nlanguage: fr\n")
    with pytest.raises(BadConfig) as bad:
        load_config(path)
    assert [(c.file, c.line, c.key) for c in bad.value.complaints] == [
        (pins, 2, "seats[0].blue"),
        (path, 2, "language"),
    ]


def test_a_pin_map_that_is_not_there_is_named_by_its_path(written):
    path = written("lamps: {pins: pins.yaml}\n")
    with pytest.raises(BadConfig) as bad:
        load_config(path)
    text = f"{path.parent / 'pins.yaml'}: there is no such file"
    assert bad.value.complaints == (Complaint(path, 1, "lamps.pins", text),)


@pytest.mark.parametrize("number", [1, 8])
def test_too_few_or_too_many_players(written, number):
    path = written(f"players: [{', '.join('ABCDEFGH'[:number])}]\n")
    assert complaints(load_config, path) == [(1, "players", f"{number} players: 2 to 7 can play")]


@pytest.mark.parametrize(
    ("size", "pixels"), [("320x200", (320, 200)), ("1024 x 600", (1024, 600)), ("3840×2160", (3840, 2160))]
)
def test_sizes_of_a_display(written, size, pixels):
    assert load_config(written(f"display: {{size: {size}}}\n")).display.size == pixels


@pytest.mark.parametrize(
    "size", ["319x200", "3840x2161", "big", "1024", "[1024, 600, 1]", "[10, 10]", "-1x5", "999999x9"]
)
def test_sizes_that_no_display_has(written, size):
    [(line, key, _)] = complaints(load_config, written(f"display: {{size: {size}}}\n"))
    assert (line, key.split("[")[0]) == (1, "display.size")


# --- the camera ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("/dev/v4l/by-id/usb-046d_C920-video-index0", "/dev/v4l/by-id/usb-046d_C920-video-index0"),
        ("rpicam", "rpicam"),
        ("rpicam:1", "rpicam:1"),
        ("films/friday.mp4", "{folder}/films/friday.mp4"),
        ("./2026", "{folder}/2026"),
    ],
)
def test_a_camera_is_a_path_as_seen_from_the_file_or_the_raspberry_pis_own(written, source, found):
    path = written(f"camera: {{source: {source}}}\n")
    assert load_config(path).camera == CameraConfig(source=found.format(folder=path.parent))


def test_a_camera_is_not_named_by_a_number(written):
    path = written("camera:\n  source: 0\n")
    text = "0: a camera's number changes: write its path, such as /dev/v4l/by-id/…"
    assert complaints(load_config, path) == [(2, "camera.source", text)]


def test_a_camera_that_is_written_as_a_path_alone_is_told_how_to_write_it(written):
    path = written("players: [Rita, Ada]\ncamera: /dev/video0\n")
    assert complaints(load_config, path) == [(2, "camera", '"/dev/video0": write camera: {source: /dev/video0}')]


@pytest.mark.parametrize("size", ["1280x720", "1280 × 720", "[1280, 720]"])
def test_the_size_of_a_frame_is_a_text_or_two_numbers(written, size):
    camera = load_config(written(f"camera: {{source: rpicam, size: {size}}}\n")).camera
    assert camera is not None
    assert camera.size == (1280, 720)


def test_the_table_can_be_told_by_the_corners_of_its_square(written):
    path = written("""\
camera:
  source: rpicam
  corners: [[905, 95], [925.5, 640], [355, 640], [375, 95]]
  corners_size: [1280, 720]
""")
    assert load_config(path).camera == CameraConfig(
        source="rpicam",
        corners=((905, 95), (925.5, 640), (355, 640), (375, 95)),
        corners_size=(1280, 720),
    )


def test_what_a_camera_holds_may_be_told(written):
    path = written("""\
camera:
  source: rpicam:1
  height: 82.5
  exposure: 10
  gain: 2
  white: [1.9, 1.7]
  part: [0.25, 0, 0.5, 1]
  hold: false
  mains: 60
""")
    assert load_config(path).camera == CameraConfig(
        source="rpicam:1",
        height=82.5,
        exposure=10,
        gain=2,
        white=(1.9, 1.7),
        part=(0.25, 0, 0.5, 1),
        hold=False,
        mains=60,
    )


def test_several_cameras_have_names_and_each_its_own_corners(written):
    path = written("""\
camera:
  - {source: rpicam, height: 70}
  - {source: /dev/v4l/by-id/x, exposure: 10}
  - source: film.mp4
    name: camera-left
    corners: [[905, 95], [925, 640], [355, 640], [375, 95]]
    corners_size: 1280x720
""")
    config = load_config(path)
    assert config.cameras == (
        CameraConfig(source="rpicam", name="camera", height=70),
        CameraConfig(source="/dev/v4l/by-id/x", name="camera-2", exposure=10),
        CameraConfig(
            source=f"{path.parent}/film.mp4",
            name="camera-left",
            corners=((905, 95), (925, 640), (355, 640), (375, 95)),
            corners_size=(1280, 720),
        ),
    )
    assert config.camera == config.cameras[0]


@pytest.mark.parametrize("told", ["camera:\n", "camera: []\n", "players: [A, B]\n"])
def test_a_table_may_have_no_camera(written, told):
    config = load_config(written(told))
    assert (config.cameras, config.camera) == ((), None)


def test_every_complaint_about_several_cameras_comes_at_once(written):
    path = written("""\
camera:
  - {source: rpicam, name: left}
  - {source: rpicam:0, name: camera, fsp: 3}
  - {source: /dev/a, name: camera, height: 70, part: [0, 0, 1, 1], gain: 2, white: [2, 2]}
  - {source: /dev/b, part: [0.5, 0, 0.6, 1], mains: 55, gain: 99, exposure: 0, height: 7, hold: 1}
  - source: /dev/a
    corners: [[5, 5], [5, 5], [1, 90], [90, 1]]
    corners_size: 1280x720
""")
    own_place = "each corner has a place of its own"
    of_the_pi = "is for the Raspberry Pi's own camera (source: rpicam):"
    other_pixels = "other cameras find it by themselves"
    assert sorted(complaints(load_config, path)) == sorted(
        [
            (2, "camera[0].name", '"left": write a name that begins with camera, such as camera-left'),
            (3, "camera[1].source", '"rpicam:0" is that of camera[0].source too: each needs its own'),
            (3, "camera[1].fsp", "is not a key here: did you mean fps?"),
            (4, "camera[2].name", "that is the name of camera[1] too: each needs its own"),
            (4, "camera[2].height", f"{of_the_pi} no other camera's lens can be set by it"),
            (4, "camera[2].part", f"{of_the_pi} other cameras show the whole picture"),
            (4, "camera[2].gain", f"{of_the_pi} {other_pixels}"),
            (4, "camera[2].white", f"{of_the_pi} {other_pixels}"),
            (
                5,
                "camera[3].part",
                "[0.5, 0.0, 0.6, 1.0]: write left, top, width, height of a part, such as [0.25, 0.25, 0.5, 0.5]",
            ),
            (5, "camera[3].part", f"{of_the_pi} other cameras show the whole picture"),
            (5, "camera[3].mains", "55: write 50 or 60"),
            (5, "camera[3].gain", "99: write 64.0 or less"),
            (5, "camera[3].gain", f"{of_the_pi} {other_pixels}"),
            (5, "camera[3].exposure", "0: write 0.1 or more"),
            (5, "camera[3].height", "7: write 10.0 or more"),
            (5, "camera[3].height", f"{of_the_pi} no other camera's lens can be set by it"),
            (5, "camera[3].hold", "1: write true or false"),
            (6, "camera[4].source", '"/dev/a" is that of camera[2].source too: each needs its own'),
            (7, "camera[4].corners[1]", f"[5, 5] is where corners[0] is: {own_place}"),
        ]
    )


def test_one_film_or_device_under_two_names_is_noticed(written):
    path = written("""\
camera:
  - {source: f.avi}
  - {source: ./f.avi, name: camera-b}
  - {source: link.avi, name: camera-c}
readers:
  - {name: a, port: /dev/null, seat: 0}
  - {name: b, port: /dev/../dev/null, seat: 1}
""")
    path.with_name("link.avi").symlink_to(path.with_name("f.avi"))
    assert complaints(load_config, path) == [
        (3, "camera[1].source", '"./f.avi" is that of camera[0].source too: each needs its own'),
        (4, "camera[2].source", '"link.avi" is that of camera[0].source too: each needs its own'),
        (7, "readers[1].port", '"/dev/../dev/null" is that of readers[0].port too: each needs its own'),
    ]


@pytest.mark.parametrize("source", ["rpicam:12", "rpicam:", "rpicam:one"])
def test_the_raspberry_pis_own_cameras_have_one_figure(written, source):
    path = written(f"camera: {{source: '{source}'}}\n")
    text = f'"{source}": the Raspberry Pi\'s own cameras are rpicam:0 to rpicam:9'
    assert complaints(load_config, path) == [(1, "camera.source", text)]
    assert check_config(path) == (Complaint(path, 1, "camera.source", text),)


def test_a_table_has_four_cameras_at_most(written):
    path = written("camera:\n" + "".join(f"  - {{source: /dev/{i}}}\n" for i in range(5)))
    assert complaints(load_config, path) == [(1, "camera", "too many: write 4 at most")]


def test_a_name_that_another_camera_has_for_want_of_one_is_complained_of(written):
    path = written("camera:\n  - {source: /dev/a, name: camera-2}\n  - source: /dev/b\n")
    assert complaints(load_config, path) == [
        (3, "camera[1].name", "that is the name of camera[0] too: each needs its own")
    ]


def test_each_camera_that_is_no_device_or_not_plugged_in_is_noted(written):
    path = written("camera:\n  - {source: /dev/none/camera}\n  - {source: friday.mp4}\n")
    assert [(c.line, c.key) for c in absent_devices(path)] == [(2, "camera[0].source")]
    text = '"friday.mp4": there is no such film, folder or device: write its path as seen from this file, or rpicam'
    assert check_config(path) == (Complaint(path, 3, "camera[1].source", text),)


def test_every_complaint_about_a_camera_comes_at_once(written):
    path = written("""\
camera:
  sorce: rpicam
  size: 100x100
  fps: 0
  corners: [[905, 95], [355, 640], [1925, 640], [375, -1]]
  corners_size: 1280x720
""")
    assert sorted(complaints(load_config, path)) == sorted(
        [
            (1, "camera.source", "is missing"),
            (2, "camera.sorce", "is not a key here: did you mean source?"),
            (3, "camera.size", '"100x100": write 320x180 to 4608x2592'),
            (4, "camera.fps", "0: write 1 or more"),
            (
                5,
                "camera.corners",
                "do not go round clockwise: write the square's north-east, south-east, south-west, north-west",
            ),
            (5, "camera.corners[2]", "[1925, 640] lies outside a frame of 1280x720"),
            (5, "camera.corners[3]", "[375, -1] lies outside a frame of 1280x720"),
        ]
    )


@pytest.mark.parametrize(
    ("told", "key", "text"),
    [
        (
            "corners: [[90, 10], [90, 90], [10, 90], [10, 10]]",
            "corners",
            "of a frame of which size? write corners_size, such as 1280x720",
        ),
        ("corners_size: 1280x720", "corners_size", "is for corners: write them too, or leave it out"),
        ("corners: [[9, 1], [9, 9], [1, 9]], corners_size: 1280x720", "corners[3]", "is missing"),
        ("corners: [[9, 1], [9, 9], [1, 9], [1, x]], corners_size: 1280x720", "corners[3][1]", '"x": write a number'),
        ("corners: here, corners_size: 1280x720", "corners", '"here": write a list, such as [a, b]'),
        (
            "corners: [[90, 10], [90, 90], [10, 90], [10, 10]], corners_size: big",
            "corners_size",
            '"big": write width x height, such as 1280x720',
        ),
    ],
    ids=["no size", "no corners", "three corners", "a word in a corner", "a word for all", "a size that is none"],
)
def test_corners_that_tell_no_place_bring_one_complaint(written, told, key, text):
    path = written(f"camera: {{source: rpicam, {told}}}\n")
    assert complaints(load_config, path) == [(1, f"camera.{key}", text)]


ORDER = "do not go round clockwise: write the square's north-east, south-east, south-west, north-west"


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        (["[10, 10]", "[10, 90]", "[90, 90]", "[90, 10]"], [(3, "", ORDER)]),
        (["[90, 10]", "[10, 90]", "[90, 90]", "[10, 10]"], [(3, "", ORDER)]),
        (
            ["[5, 5]", "[5, 5]", "[5, 5]", "[5, 5]"],
            [
                (5 + i, f"[{1 + i}]", f"[5, 5] is where corners[{i}] is: each corner has a place of its own")
                for i in range(3)
            ],
        ),
        (
            ["[900, 100]", "[900.5, 100.25]", "[300, 600]", "[300, 100]"],
            [(5, "[1]", "[900.5, 100.25] is where corners[0] is: each corner has a place of its own")],
        ),
        (
            ["[900, 100]", "[904, 103]", "[300, 600]", "[300, 100]"],
            [(5, "[1]", "[904, 103] is only 5 pixels from corners[0]: each corner has a place of its own")],
        ),
        (
            ["[900, 100]", "[905, 350]", "[900, 600]", "[300, 100]"],
            [(5, "[1]", "[905, 350] lies on a line with corners[0] and corners[2]: no square looks so")],
        ),
        (
            ["[900, 100]", "[500, 340]", "[900, 600]", "[300, 300]"],
            [(5, "[1]", "[500, 340] lies inside of the other three: no square looks so")],
        ),
        (
            ["[100, 100]", "[200, 200]", "[300, 300]", "[1400, 1400]"],
            [
                (4, "[0]", "[100, 100] lies on a line with corners[3] and corners[1]: no square looks so"),
                (5, "[1]", "[200, 200] lies on a line with corners[0] and corners[2]: no square looks so"),
                (6, "[2]", "[300, 300] lies on a line with corners[1] and corners[3]: no square looks so"),
                (7, "[3]", "[1400, 1400] lies outside a frame of 1280x720"),
                (7, "[3]", "[1400, 1400] lies on a line with corners[2] and corners[0]: no square looks so"),
            ],
        ),
        (
            ["[900, -1]", "[900, x]", "[1300, 600]"],
            [
                (3, "[3]", "is missing"),
                (4, "[0]", "[900, -1] lies outside a frame of 1280x720"),
                (5, "[1][1]", '"x": write a number'),
                (6, "[2]", "[1300, 600] lies outside a frame of 1280x720"),
            ],
        ),
        (
            ["[900, 100]", "[900]", "[300, 900]", "here", "[300, 100]"],
            [
                (3, "", "too many: write 4 at most"),
                (5, "[1]", "[900]: write x and y, such as [905, 95]"),
                (6, "[2]", "[300, 900] lies outside a frame of 1280x720"),
                (7, "[3]", '"here": write x and y, such as [905, 95]'),
            ],
        ),
    ],
    ids=["mirrored", "crossing", "of no size", "nearly of one side", "of a short side", "three on a line", "a dent",
         "all on a line", "three and a word", "five"],
)  # fmt: skip
def test_corners_of_what_is_no_square_are_all_complained_of_at_once_each_on_its_line(written, corners, said):
    lines = "".join(f"    - {corner}\n" for corner in corners)
    path = written(f"camera:\n  source: rpicam\n  corners:\n{lines}  corners_size: 1280x720\n")
    assert complaints(load_config, path) == [(line, f"camera.corners{key}", text) for line, key, text in said]


def test_corners_are_looked_at_though_it_is_not_known_of_which_size_their_frame_is(written):
    path = written("camera: {source: rpicam, corners: [[5, 5], [5, 5], [1, 90], [1, 1]]}\n")
    assert [(key, text.split(":")[0]) for _, key, text in complaints(load_config, path)] == [
        ("camera.corners", "of a frame of which size? write corners_size, such as 1280x720"),
        ("camera.corners[1]", "[5, 5] is where corners[0] is"),
        ("camera.corners[3]", "[1, 1] is only 6 pixels from corners[1]"),
    ]


@given(st.lists(st.tuples(st.integers(0, 1279), st.integers(0, 719)), min_size=4, max_size=4))
def test_whatever_corners_pass_the_table_can_be_reckoned_from(tmp_path_factory, corners):
    path = tmp_path_factory.mktemp("corners") / "table.yaml"
    told = [list(corner) for corner in corners]
    path.write_text(f"camera: {{source: rpicam, corners: {told}, corners_size: 1280x720}}\n")
    with suppress(BadConfig):
        camera = load_config(path).camera
        assert camera is not None
        for frame in ((1280, 720), (320, 180), (4608, 2592)):
            to_table = by_hand(camera.corners, (1280, 720), frame)
            assert np.isfinite(np.linalg.inv(to_table)).all()


# --- devices ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/dev/v4l/by-id/usb-…", "/dev/v4l/by-id/...", "/dev/v4l/by-id/<your camera>"])
def test_a_path_that_stands_for_ones_own_is_no_device(written, path):
    config = written(f"camera: {{source: {path}}}\nreaders:\n  - {{name: r, port: {path}, seat: 0}}\n")
    text = f'"{path}" stands for a path of yours: write one that `ls /dev/v4l/by-id` shows'
    assert complaints(load_config, config) == [(1, "camera.source", text), (3, "readers[0].port", text)]
    assert absent_devices(config) == ()


def test_a_device_that_is_not_plugged_in_is_no_fault_and_is_told(written):
    path = written("""\
camera: {source: /dev/none/camera}
readers:
  - {name: a, port: /dev/null, seat: 0}
  - {name: b, port: /dev/none/b, seat: 1}
  - {name: c, port: "socket://10.0.0.7:4000", seat: 2}
""")
    assert check_config(path) == ()
    remedy = "is not there now: is it plugged in? `ls /dev/none` shows what is"
    assert absent_devices(path) == (
        Complaint(path, 1, "camera.source", f"/dev/none/camera {remedy}"),
        Complaint(path, 4, "readers[1].port", f"/dev/none/b {remedy}"),
    )
    assert absent_devices(path.with_name("none.yaml")) == ()


def test_a_film_that_is_not_there_is_a_fault(written):
    path = written("players: [Rita, Ada]\ncamera: {source: friday.mp4}\n")
    text = '"friday.mp4": there is no such film, folder or device: write its path as seen from this file, or rpicam'
    assert check_config(path) == (Complaint(path, 2, "camera.source", text),)
    written("a film", "friday.mp4")
    assert check_config(path) == ()


def test_faces_are_a_decks_name_or_a_file_as_seen_from_the_configuration(written):
    asked: list[str] = []

    def wrong(faces: str) -> str | None:
        asked.append(faces)
        return "there is none"

    for told, found in (
        ("grandmother", "grandmother"),
        ("./deck", "{folder}/deck"),
        ("a.faces.npz", "{folder}/a.faces.npz"),
    ):
        path = written(f"players: [Rita, Ada]\nfaces: {told}\n")
        assert load_config(path).faces == found.format(folder=path.parent)
        assert check_config(path, faces=wrong) == (Complaint(path, 2, "faces", "there is none"),)
        assert asked.pop() == found.format(folder=path.parent)


# Every text of a configuration, with a place for what it is to hold.
TEXTS = {
    "players[0]": 'players: ["{}", Ada]',
    "rules": 'rules: "{}"',
    "options.a": 'options: {{a: "{}"}}',
    "deck": 'deck: "{}"',
    "faces": 'faces: "{}"',
    "camera.source": 'camera: {{source: "{}"}}',
    "readers[0].name": 'readers: [{{name: "{}", port: /dev/a, seat: 0}}]',
    "readers[0].port": 'readers: [{{name: a, port: "/dev/{}", seat: 0}}]',
    "lamps.pins": 'lamps: {{pins: "{}"}}',
    "letters": 'letters: "{}"',
}


@pytest.mark.parametrize("key", TEXTS)
@pytest.mark.parametrize(
    ("written_as", "number"),
    [
        (r"a\0b", 0),
        (r"a\ud800b", 0xD800),
        (r"a\e[31mb", 27),
        (r"a\Nb", 0x85),
        (r"a\u202eb", 0x202E),
        (r"\u2066a", 0x2066),
    ],
)
def test_a_character_that_no_name_has_is_complained_of_wherever_it_stands(written, key, written_as, number):
    path = written(TEXTS[key].format(written_as) + "\n")
    told = complaints(load_config, path)
    assert all(text.isprintable() for _, _, text in told)
    assert [(line, at) for line, at, text in told if f"(U+{number:04X})" in text] == [(1, key)]
    assert [(c.line, c.key) for c in check_config(path) if f"(U+{number:04X})" in c.text] == [(1, key)]


def test_a_name_may_join_its_letters_and_keep_them_apart(written):
    assert load_config(written('players: ["a\u200db", "a\u200cb"]\n')).players == ("a\u200db", "a\u200cb")


def test_a_character_that_turns_the_line_is_named_where_it_was_only_pasted(written):
    (told,) = complaints(load_config, written("players: [Ri\u202eta, Ada]\n"))
    assert told == (1, "players[0]", r'"Ri\u202eta": has a character (U+202E) that no name has: take it out')


def test_a_key_and_a_card_have_no_such_character_either(written):
    told = complaints(load_config, written('"a\\0": 1\n'))
    assert told == [(1, "a\ufffd", r'"a\x00": has a character (U+0000) that no name has: take it out')]
    told = complaints(load_deck, written('cards: {QS: ["04A1B2C3\\0"], "QH\\0": []}\n'))
    assert [(key, "U+0000" in text) for _, key, text in told if "U+" in text] == [
        ("cards.QS[0]", True),
        ("cards.QH\ufffd", True),
    ]


def test_a_number_is_never_infinite(written):
    path = written(
        f"options: {{a: {'9' * 400}.0}}\ncamera: {{source: rpicam, fps: {'9' * 400}, corners: [[{'9' * 400}.0, 1]]}}\n"
    )
    assert {key for _, key, _ in complaints(load_config, path)} >= {"camera.fps", "camera.corners[0][0]"}
    for word in (".inf", "-.inf", ".nan", "1e999", "Infinity", "NaN"):
        (told,) = complaints(load_config, written(f"camera: {{source: rpicam, fps: {word}}}\n"))
        assert told == (1, "camera.fps", f'"{word}": write a whole number')


def test_the_camera_in_the_shipped_configuration_is_right_when_its_marks_are_taken_off(written):
    text = (HARDWARE / "table-four-seats.yaml").read_text(encoding="utf-8")
    _, block = text.split("take the marks off the lines below.\n")
    config = load_config(written("".join(line.removeprefix("# ") for line in block.splitlines(keepends=True))))
    assert config.camera is not None
    assert (config.camera.size, config.camera.fps) == ((1280, 720), 15)
    assert config.camera.corners is not None


# --- what YAML would guess ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "letters"), [("RDV", "RDV"), ("k d b", "KDB"), ("'KQJ'", "KQJ"), ("K V B", "KVB"), ("", None)]
)
def test_the_letters_of_a_decks_courts(written, text, letters):
    assert load_config(written(f"letters: {text}\n")).letters == letters


@pytest.mark.parametrize("text", ["KQ", "KKJ", "HVB", "KQJA", "'1 2 3'"])
def test_letters_that_no_deck_has_are_told_what_to_write(written, text):
    with pytest.raises(BadConfig, match=r"letters.*write the letters of king, queen and jack as the cards show them"):
        load_config(written(f"letters: {text}\n"))


def test_a_word_is_a_text_where_a_text_is_wanted(written):
    path = written("players: [No, on, 0123, 12:34, 1e3, 2026-01-02, true]\n")
    assert load_config(path).players == ("No", "on", "0123", "12:34", "1e3", "2026-01-02", "true")


@pytest.mark.parametrize("names", ["Ada, Bo, Ada, Cleo", "Ada, Bo, ' Ada ', Cleo"])
def test_two_players_of_one_name_are_told_which(written, names):
    assert complaints(load_config, written(f"rules: spades\nplayers: [{names}]\n")) == [
        (2, "players", '"Ada" is there twice: give each player a name of its own')
    ]


def test_a_file_may_have_a_number_for_its_name(written):
    path = written("deck: 2026\n")
    assert load_config(path).deck == path.parent / "2026"


def test_nothing_is_not_a_text(written):
    assert complaints(load_config, written("players: [Rita, ~]\n")) == [(1, "players[1]", "null: write a text")]


def test_a_quoted_number_is_not_a_number(written):
    path = written('readers: [{name: a, port: b, seat: "0"}]\n')
    assert complaints(load_config, path) == [(1, "readers[0].seat", '"0": write a whole number')]


@pytest.mark.parametrize(
    ("content", "line", "text"),
    [
        (b"", None, "is empty: write at least players: [Rita, Ada, Bo, Cleo]"),
        (b"# only a remark\n", None, "is empty: write at least players: [Rita, Ada, Bo, Cleo]"),
        (b"players: [Rita]\nrules:\n\tx: 1\n", 3, "a tab: indent with spaces"),
        (b"\x89PNG\r\n\x1a\n\x00", 1, "is not a text in UTF-8: save it as UTF-8"),
        (b"players: [Rita, Jos\xe9]\n", 1, "is not a text in UTF-8: save it as UTF-8"),
        (b"a: 1\n\x00\n", None, "is not YAML: unacceptable character #x0000: special characters are not allowed"),
        (b"players: [Rita, Ada\n", 2, "expected ',' or ']', but got '<stream end>'"),
        (b"a: &x [1]\nb: *x\n", 2, "an alias (*name) is not taken here: write the value"),
        (b"a: 1\n---\nb: 1\n", 2, "but found another document"),
        (b"[" * 5000, None, "is nested too deeply"),
        (b"#" * (LARGEST_FILE + 1), None, "is larger than 1 MB: is it a YAML file?"),
        (b"- Rita\n- Ada\n", 1, '["Rita", "Ada"]: write keys with their values, such as {key: value}'),
        (b"Rita\n", 1, '"Rita": write keys with their values, such as {key: value}'),
        (b"? [a, b]\n: 1\n", 1, "a key must be a word"),
    ],
    ids=[
        "empty",
        "only a remark",
        "a tab",
        "a picture",
        "Latin-1",
        "a zero byte",
        "not closed",
        "an alias",
        "two documents",
        "deep",
        "large",
        "a list",
        "a word",
        "a list as key",
    ],
)
def test_a_file_that_is_no_configuration_is_one_complaint(written, content, line, text):
    assert complaints(load_config, written(content)) == [(line, "", text)]


def test_a_file_that_is_not_there_and_a_folder_are_named(tmp_path):
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    for path, text in (
        (tmp_path / "none.yaml", "there is no such file"),
        (tmp_path, "is a folder, not a file"),
        (pipe, "is a pipe, not a file"),
    ):
        with pytest.raises(BadInput) as bad:
            load_config(path)
        assert str(bad.value) == f"{path}: {text}"


@given(st.binary(max_size=300) | st.text(st.sampled_from("playersdck:[]{}-,?&*!|>'\"%@`#\t\n 01no~"), max_size=80))
def test_no_file_brings_anything_but_complaints(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "table.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    for load in (load_config, load_deck):
        with suppress(BadConfig):
            load(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cards: {QS: [04A1B2C3]}\n", "is a deck, not a table: give the table's file, which names this one (deck: …)"),
        (
            "seats: []\nbuzzer: 3\n",
            "is a pin map, not a table: give the table's file, which names this one (lamps: {pins: …})",
        ),
    ],
)
def test_another_file_of_the_table_is_called_what_it_is(written, text, said):
    path = written(text)
    assert complaints(load_config, path) == [(None, "", said)]
    assert check_config(path) == (Complaint(path, None, "", said),)


def test_what_is_said_of_the_match_can_be_used_though_the_devices_cannot(written):
    path = written("players: [Rita, Ada]\nrules: mine.yaml\nreaders: many\n")
    assert match_part(path) == Config(players=("Rita", "Ada"), rules=str(path.parent / "mine.yaml"))
    assert match_part(written("players: many\n")) is None
    assert match_part(path.parent / "none.yaml") is None


# --- the deck -----------------------------------------------------------------------------------------------------


def test_a_deck_gives_the_card_of_each_tag(written):
    path = written('cards:\n  QS: [04A1B2C3D4E580, "04:11:22:33"]\n  10C: [12345678, 01234567]\n  "A♥": [dead-beef]\n')
    assert dict(load_deck(path)) == {
        "04A1B2C3D4E580": card("QS"),
        "04112233": card("QS"),
        "12345678": card("TC"),
        "01234567": card("TC"),
        "DEADBEEF": card("AH"),
    }


def test_the_deck_that_is_shipped_has_all_cards():
    assert len(set(load_deck(HARDWARE / "deck-example.yaml").values())) == 52


def test_every_complaint_about_a_deck_comes_at_once(written):
    path = written("""\
cards:
  QS: [04A1B2C3D4E580, 04112233]
  "Q♠": [04-a1-b2-c3-d4-e5-80]
  ZZ: [12345678]
  2C: [xx, 04112233, 12]
  3C: 04A1B2C4
  4C: [99887766]
  4C: [99887755]
""")
    remedy = "write 4 to 10 bytes in hex, such as 04A1B2C3D4E580"
    assert sorted(complaints(load_deck, path)) == sorted(
        [
            (3, "cards.Q♠", "is the same card as QS: write all its tags in one place"),
            (3, "cards.Q♠[0]", '"04-a1-b2-c3-d4-e5-80" is a tag of QS too: a tag is in one card'),
            (4, "cards.ZZ", "'ZZ' is not a card: write rank then suit, such as QS, TC or 10C"),
            (5, "cards.2C[0]", f"'xx' is not a tag's UID: {remedy}"),
            (5, "cards.2C[1]", '"04112233" is a tag of QS too: a tag is in one card'),
            (5, "cards.2C[2]", f"'12' is not a tag's UID: {remedy}"),
            (6, "cards.3C", '"04A1B2C4": write a list, such as [a, b]'),
            (8, "cards.4C", "is written twice, first on line 7: keep one"),
        ]
    )


def test_a_deck_that_is_not_there_is_named(tmp_path):
    assert complaints(load_deck, tmp_path / "deck.yaml") == [(None, "", "there is no such file")]


def test_a_check_goes_through_the_configuration_and_all_that_it_names(written):
    whole = "cards:\n" + "".join(f"  {c}: [{c.index:08X}]\n" for c in ALL_CARDS)
    path = written("deck: deck.yaml\nlanguage: fr\nlamps: {pins: pins.yaml}\n")
    written("seats: 4\n", "pins.yaml")
    deck = written("cards:\n  2C: [no tag]\n", "deck.yaml")
    assert [(c.file.name, c.line, c.key) for c in check_config(path)] == [
        ("pins.yaml", 1, "seats"),
        ("table.yaml", 2, "language"),
        ("deck.yaml", 2, "cards.2C[0]"),
    ]
    path = written("players: [Rita, Ada]\ndeck: none.yaml\n")
    text = f"{path.parent / 'none.yaml'}: no tag is known yet: teach them with `tablepi enrol tags --config FILE`"
    assert check_config(path) == (Complaint(path, 2, "deck", text),)
    path = written("deck: deck.yaml\n")
    written(whole.replace("  QS:", "#").replace("  2D:", "#"), "deck.yaml")
    assert check_config(path) == (Complaint(deck, None, "cards", "no tag is known for 2D QS"),)
    written(whole, "deck.yaml")
    assert check_config(path) == ()


def test_a_check_of_what_cannot_be_read_says_so_once(tmp_path):
    path = tmp_path / "none.yaml"
    assert check_config(path) == (Complaint(path, None, "", "there is no such file"),)


# --- any other model ----------------------------------------------------------------------------------------------


class Penalty(BaseModel):
    model_config = ConfigDict(extra="forbid")
    card: str
    points: int


class House(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    penalties: tuple[Penalty, ...] = ()
    anything: dict[str, Any] = {}


def test_any_model_can_be_read_with_checks_of_its_own(written):
    path = written("name: 12\npenalties:\n  - {card: QS, points: 13}\nanything: {a: [1, x, true, ~]}\n", "house.yaml")
    assert load_yaml(path, House) == House(
        name="12", penalties=(Penalty(card="QS", points=13),), anything={"a": [1, "x", True, None]}
    )

    def unlucky(value):
        yield Wrong(("penalties", 0, "points"), "13 is unlucky")

    with pytest.raises(BadConfig) as bad:
        load_yaml(path, House, checks=[unlucky])
    assert bad.value.complaints == (Complaint(path, 3, "penalties[0].points", "13 is unlucky"),)


def test_an_unknown_key_deep_inside_is_told_the_nearest_there(written):
    path = written("name: x\npenalties:\n  - card: QS\n    ponts: 13\n    points: 1\n", "house.yaml")
    assert complaints(lambda p: load_yaml(p, House), path) == [
        (4, "penalties[0].ponts", "is not a key here: did you mean points?")
    ]


def test_a_readers_name_must_not_look_like_a_cameras_whose_word_can_be_doubted(written):
    path = written("readers:\n  - {name: camera-1, port: /dev/a, seat: 0}\n")
    assert complaints(load_config, path) == [
        (2, "readers[0].name", '"camera-1": only a camera\'s name begins with camera')
    ]


def test_a_pn532_reader_says_its_kind_and_what_is_only_for_line_readers_is_refused(written):
    path = written("""readers:
  - {name: one, port: /dev/a, kind: pn532, seat: 0, close: true}
  - {name: two, port: /dev/b, kind: pn532, seat: 1, field_off: false}
""")
    assert load_config(path).readers == (
        ReaderConfig(name="one", port="/dev/a", kind="pn532", seat=0, close=True),
        ReaderConfig(name="two", port="/dev/b", kind="pn532", seat=1, field_off=False),
    )
    path = written("""readers:
  - {name: one, port: /dev/a, kind: pn532, seat: 0, baud: 9600, repeats: true}
  - {name: two, port: /dev/b, kind: pn53, seat: 1}
  - {name: three, port: /dev/c, seat: 2, close: true}
""")
    assert sorted(complaints(load_config, path)) == [
        (2, "readers[0].baud", "is for readers of kind lines: leave it out"),
        (2, "readers[0].repeats", "is for readers of kind lines: leave it out"),
        (3, "readers[1].kind", "\"pn53\": write 'lines', 'pn532', 'pcsc' or 'wedge'"),
        (4, "readers[2].close", "is for readers of kind pn532: leave it out"),
    ]


def test_a_reader_says_what_it_means_and_whose_it_is(written):
    path = written("""readers:
  - {name: one, port: /dev/a, seat: 0}
  - {name: two, port: /dev/b, seat: 0, means: hand}
  - {name: three, port: /dev/c, seat: 1, means: pass}
  - {name: four, port: /dev/d, means: pile}
  - {name: five, port: /dev/e, means: command}
  - {name: six, port: /dev/f, shared: true}
""")
    assert [(reader.means, reader.seat) for reader in load_config(path).readers] == [
        ("play", 0),
        ("hand", 0),
        ("pass", 1),
        ("pile", None),
        ("command", None),
        ("play", None),
    ]
    path = written("""readers:
  - {name: one, port: /dev/a, means: hand}
  - {name: two, port: /dev/b, means: pass, shared: true}
  - {name: three, port: /dev/c, means: pile, seat: 9}
  - {name: four, port: /dev/d, means: command, seat: 0}
  - {name: five, port: /dev/e, means: hands, seat: 0}
  - {name: six, port: /dev/f, means: pass, seat: 9}
""")
    assert sorted(complaints(load_config, path)) == [
        (2, "readers[0]", "whose hand is it? write seat: 0 to 3"),
        (3, "readers[1].shared", "whose pass is it? write seat: 0 to 3 in its place"),
        (4, "readers[2].seat", "a reader that means pile is nobody's: leave it out"),
        (5, "readers[3].seat", "a reader that means command is nobody's: leave it out"),
        (6, "readers[4].means", "\"hands\": write 'play', 'hand', 'pass', 'pile' or 'command'"),
        (7, "readers[5].seat", "9: 4 players sit at seats 0 to 3"),
    ]


def test_the_cards_that_command_stand_in_the_deck(written):
    path = written(
        "cards: {QS: [04A1B2C3D4E580]}\ncommands:\n  undo: [04112233, 04-11-22-44]\n  next-hand: [04112255]\n"
    )
    assert dict(load_commands(path)) == {"04112233": "undo", "04112244": "undo", "04112255": "next-hand"}
    assert dict(load_deck(path)) == {"04A1B2C3D4E580": card("QS")}
    assert dict(load_commands(written("cards: {QS: [04A1B2C3D4E580]}\n"))) == {}
    path = written("cards: {QS: [04A1B2C3D4E580]}\ncommands: {undo: [04A1B2C3D4E580, x], nexthand: []}\n")
    assert sorted(complaints(load_commands, path)) == [
        (2, "commands.nexthand", "is not a key here: did you mean next-hand?"),
        (2, "commands.undo[0]", '"04A1B2C3D4E580" is a tag of QS too: a tag is in one card'),
        (2, "commands.undo[1]", "'x' is not a tag's UID: write 4 to 10 bytes in hex, such as 04A1B2C3D4E580"),
    ]


def test_an_antenna_is_named_once_however_it_is_written(written):
    path = written("""readers:
  - {name: mux, port: /dev/a, antennas: {2: {seat: 0}, 02: {seat: 1}, A2: {seat: 2}, 'a 02': {seat: 3}}}
""")
    assert complaints(load_config, path) == [
        (2, "readers[0].antennas.02", "is the same antenna as 2: keep one"),
        (2, "readers[0].antennas.a 02", "is the same antenna as A2: keep one"),
    ]


def test_no_reader_is_named_as_a_source_that_is_none(written):
    path = written(
        "readers:\n  - {name: person, port: /dev/a, means: pile}\n  - {name: clock, port: /dev/b, seat: 0}\n"
    )
    assert complaints(load_config, path) == [
        (2, "readers[0].name", '"person": that is no reader\'s word: write another name'),
        (3, "readers[1].name", '"clock": that is no reader\'s word: write another name'),
    ]


def test_a_reset_pin_is_none_of_the_lamps_port(written):
    text = "lamps: {kind: ws2812}\nreaders:\n  - {name: a, port: /dev/a, kind: pn532, seat: 0, reset: 10}\n"
    text += "  - {name: b, port: /dev/b, kind: pn532, seat: 1, reset: 16}\n"
    assert complaints(load_config, written(text)) == [
        (3, "readers[0].reset", "GPIO 10 is one of the SPI port's: take another")
    ]


def test_a_multiplexer_names_its_antennas(written):
    path = written("""readers:
  - {name: mux, port: /dev/a, antennas: {1: {seat: 0}, A2: {seat: 1, means: hand}, 3: {means: pile}}}
""")
    assert load_config(path).readers[0].antennas == {
        "1": AntennaConfig(seat=0),
        "A2": AntennaConfig(seat=1, means="hand"),
        "3": AntennaConfig(means="pile"),
    }
    path = written("""readers:
  - {name: mux, port: /dev/a, seat: 0, antennas: {1: {}, left: {seat: 1}, 3: {seat: 7}, 4: {means: hand, shared: true}}}
  - {name: one, port: /dev/b, seat: 0, kind: pn532, antennas: {1: {seat: 0}}, decimal: true}
""")
    assert sorted(complaints(load_config, path)) == [
        (2, "readers[0].antennas.1", "whose is it? write seat: 0 to 3, or shared: true"),
        (2, "readers[0].antennas.3.seat", "7: 4 players sit at seats 0 to 3"),
        (2, "readers[0].antennas.4.shared", "whose hand is it? write seat: 0 to 3 in its place"),
        (2, "readers[0].antennas.left", "write the number that it says before each tag, such as 2 or A2"),
        (2, "readers[0].seat", "each antenna has its own: leave it out here"),
        (3, "readers[1].antennas", "is for readers of kind lines: leave it out"),
        (3, "readers[1].decimal", "is for readers of kind lines or wedge: leave it out"),
        (3, "readers[1].seat", "each antenna has its own: leave it out here"),
    ]


def test_boards_may_share_a_reset_pin_but_not_with_a_lamp(written):
    readers = """readers:
  - {name: one, port: /dev/a, kind: pn532, seat: 0, reset: 7}
  - {name: two, port: /dev/b, kind: pn532, seat: 1, reset: 7}
"""
    assert [reader.reset for reader in load_config(written(readers)).readers] == [7, 7]
    path = written(readers + "lamps: {pins: {seats: [{red: 7, green: 8, blue: 9}]}}\n")
    assert complaints(load_config, path) == [
        (2, "readers[0].reset", "GPIO 7 is that of lamps.pins.seats[0].red too: each needs its own"),
        (3, "readers[1].reset", "GPIO 7 is that of lamps.pins.seats[0].red too: each needs its own"),
    ]
