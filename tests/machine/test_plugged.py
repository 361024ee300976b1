"""What is plugged in, on machines written into a folder."""

from __future__ import annotations

import json
import struct
from io import StringIO

import pytest
import yaml

from tablepi.commands.devices import devices
from tablepi.config import Config, ReaderConfig, load_config
from tablepi.devices.querycap import Capabilities, capabilities
from tablepi.machine.host import Answer, this_host
from tablepi.machine.plugged import KINDS, absent, everything, serial_ports, with_lines

from .trees import Tree

LISTED = """Available cameras
-----------------
0 : imx708_wide [4608x2592 10-bit RGGB] (/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
1 : imx219 [3280x2464 10-bit RGGB] (/base/axi/pcie@120000/rp1/i2c@80000/imx219@10)
"""
"""What rpicam-hello prints, as its sources have it."""


@pytest.fixture
def pi5(tmp_path):
    """With an FTDI reader, two CH340 alike, a webcam, a reader that types, and a DSI panel on its second card."""
    tree = Tree(tmp_path, 5)
    tree.reader("ttyUSB0", "1-1.1", "0403:6001", "FT232R USB UART", "A50285BI")
    tree.reader("ttyUSB1", "1-1.2", "1a86:7523", "USB Serial", by_id="usb-1a86_USB_Serial-if00-port0")
    tree.reader("ttyUSB2", "1-1.3", "1a86:7523", "USB Serial", by_id="usb-1a86_USB_Serial-if00-port0")
    tree.camera(0, "1-2", "HD Pro Webcam C920", "0000000A")
    folder = tree.usb("1-1.4", "ffff:0035", "Sycreader RFID Technology Co., Ltd SYC ID&IC USB Reader")
    tree.write(f"{folder}/1-1.4:1.0/input/input5/name", "Sycreader USB Reader\n")
    tree.link("/sys/class/input/event3/device", f"{folder}/1-1.4:1.0/input/input5")
    tree.node("/dev/input/event3")
    tree.link("/dev/input/by-id/usb-Sycreader-event-kbd", "/dev/input/event3")
    tree.uart("ttyAMA0")
    tree.uart("ttyS0", kind="0")  # a place for a UART that is not there
    tree.write("/sys/class/tty/tty1/dev")  # a virtual console
    tree.node("/dev/tty1")
    tree.write("/sys/class/video4linux/video19/name", "bcm2835-codec-decode\n")
    tree.node("/dev/video19")
    tree.cameras["/dev/video19"] = Capabilities("bcm2835-codec", "bcm2835-codec-decode", captures=True)
    tree.node("/dev/gpiochip0")
    tree.node("/dev/spidev0.0")
    tree.screen("card0-HDMI-A-1", "disconnected", "")
    tree.screen("card1-DSI-1")
    tree.programs["rpicam-hello --list-cameras"] = Answer(0, LISTED)
    return tree


FTDI = "/dev/serial/by-id/usb-FT232R_USB_UART_A50285BI-if00-port0"
CH340 = "/dev/serial/by-path/platform-usb-0:1.2:1.0-port0"
OTHER = "/dev/serial/by-path/platform-usb-0:1.3:1.0-port0"
WEBCAM = "/dev/v4l/by-id/usb-HD_Pro_Webcam_C920_0000000A-video-index0"


def test_everything_is_listed_by_the_name_that_stays(pi5):
    assert [(each.kind, each.name, each.node) for each in everything(pi5.host())] == [
        ("serial", "/dev/ttyAMA0", "/dev/ttyAMA0"),
        ("serial", FTDI, "/dev/ttyUSB0"),
        ("serial", CH340, "/dev/ttyUSB1"),
        ("serial", OTHER, "/dev/ttyUSB2"),
        ("camera", WEBCAM, "/dev/video0"),
        ("camera", "rpicam", ""),
        ("camera", "rpicam:1", ""),
        ("pins", "pinctrl-rp1", "/dev/gpiochip11"),
        ("keyboard", "/dev/input/by-id/usb-Sycreader-event-kbd", "/dev/input/event3"),
        ("spi", "/dev/spidev0.0", "/dev/spidev0.0"),
        ("display", "DSI-1", "/dev/dri/card1"),
    ]


def test_a_device_says_what_it_is(pi5):
    told = {each.name: (each.what, each.note) for each in everything(pi5.host())}
    assert told[FTDI] == ("0403:6001 FT232R USB UART", "")
    assert told[CH340] == ("1a86:7523 USB Serial", "it has no serial number: its name is that of its socket")
    assert told[WEBCAM] == ("HD Pro Webcam C920", "")
    assert told["rpicam:1"] == ("the Pi's own: imx219", "")
    assert told["/dev/input/by-id/usb-Sycreader-event-kbd"] == ("Sycreader USB Reader", "")


def test_without_udev_the_number_is_named_and_said_to_change(tmp_path):
    tree = Tree(tmp_path)
    folder = tree.usb("1-1.1", "0403:6001", "FT232R USB UART", "A50285BI")
    tree.write(f"{folder}/1-1.1:1.0/ttyUSB0/port_number")
    tree.link("/sys/class/tty/ttyUSB0/device", f"{folder}/1-1.1:1.0/ttyUSB0")
    tree.node("/dev/ttyUSB0")
    (port,) = serial_ports(tree.host())
    assert (port.name, port.note) == (
        "/dev/ttyUSB0",
        "udev has made no lasting name: the number may be another tomorrow",
    )


def test_the_uart_that_bluetooth_has_is_none_of_ours(tmp_path):
    tree = Tree(tmp_path, 3)
    tree.uart("ttyAMA0")
    tree.uart("ttyS0", kind="40")
    tree.link("/dev/serial1", "/dev/ttyAMA0")
    assert [port.name for port in serial_ports(tree.host())] == ["/dev/ttyS0"]


def test_what_may_not_be_asked_is_listed_with_the_reason(pi5):
    pi5.refused = {"/dev/gpiochip11", "/dev/video0", "/dev/video1"}
    notes = {each.name: each.note for each in everything(pi5.host()) if each.note}
    assert notes["/dev/gpiochip11"] == "not allowed to ask it: add this user to the group gpio"
    assert notes[WEBCAM] == "not allowed to ask it: add this user to the group video"


def test_readers_by_pc_sc_are_asked_for_only_where_pyscard_is(pi5):
    pi5.programs["python3 -c import smartcard"] = Answer(0, "ACS ACR122U PICC Interface 00 00\n")
    assert not any(each.kind == "pcsc" for each in everything(pi5.host()))
    pi5.packages["pyscard"] = "2.3.1"
    assert [each.name for each in everything(pi5.host()) if each.kind == "pcsc"] == ["ACS ACR122U PICC Interface 00 00"]


def test_nothing_at_all_is_listed_on_an_empty_machine(tmp_path):
    assert everything(Tree(tmp_path).host()) == []


def test_this_machine_is_listed_without_an_error():
    assert {each.kind for each in everything(this_host())} <= set(KINDS)


# --- beside the table's file --------------------------------------------------------------------------------------


def table(path, text):
    path.write_text(text)
    return path


def test_each_line_is_one_that_the_tables_file_takes(pi5, tmp_path):
    config = Config()
    pi5.packages["pyscard"] = "2.3.1"
    pi5.programs["python3 -c import smartcard"] = Answer(0, "ACS ACR122U PICC Interface 00 00\n")
    found = with_lines(everything(pi5.host()), pi5.host(), config)
    ports = [each.line for each in found if each.kind in ("serial", "pcsc", "keyboard")]
    others = [each.line for each in found if each.name in (WEBCAM, "DSI-1")]
    file = table(tmp_path / "table.yaml", "\n".join(["players: [A, B, C, D]", *others, "readers:", *ports]))
    read = load_config(file)
    assert [(r.name, r.kind, r.port, r.seat) for r in read.readers] == [
        ("reader-0", "lines", "/dev/ttyAMA0", 0),
        ("reader-1", "lines", FTDI, 1),
        ("reader-2", "lines", CH340, 2),
        ("reader-3", "lines", OTHER, 3),
    ]  # and no line for a fifth and a sixth reader
    six = Config(players=tuple("ABCDEF"), rules="hearts-cardems")
    more = [
        each.line for each in with_lines(everything(pi5.host()), pi5.host(), six) if each.kind in ("pcsc", "keyboard")
    ]
    assert yaml.safe_load("\n".join(more)) == [
        {"name": "reader-4", "kind": "pcsc", "port": "ACS ACR122U PICC Interface 00 00", "seat": 4},
        {"name": "reader-5", "kind": "wedge", "port": "/dev/input/by-id/usb-Sycreader-event-kbd", "seat": 5},
    ]
    by_its_name = Config(readers=(ReaderConfig(name="acs", kind="pcsc", port="acr122u", shared=True),))
    told = {each.kind: each.used for each in with_lines(everything(pi5.host()), pi5.host(), by_its_name) if each.used}
    assert told == {"pcsc": "reader acs"}
    assert [camera.source for camera in read.cameras] == [WEBCAM]
    assert (read.display.size, read.display.fullscreen) == ((1024, 600), True)
    assert all(isinstance(yaml.safe_load(each.line), dict | list) for each in found if each.line)


def test_what_the_table_uses_is_known_under_any_of_its_names(pi5, tmp_path):
    text = f"""
players: [A, B, C, D]
readers:
  - {{name: reader-0, port: /dev/ttyUSB0, seat: 0}}
  - {{name: reader-1, port: {OTHER}, seat: 1}}
  - {{name: reader-2, port: /dev/serial/by-id/usb-Gone-if00-port0, seat: 2}}
  - {{name: reader-3, port: "socket://192.168.0.7:4000", seat: 3}}
camera: [{{source: "rpicam:0"}}, {{source: "rpicam:3"}}]
"""
    config = load_config(table(tmp_path / "table.yaml", text))
    found = with_lines(everything(pi5.host()), pi5.host(), config)
    assert {each.name: each.used for each in found if each.used} == {
        FTDI: "reader reader-0",
        OTHER: "reader reader-1",
        "rpicam": "camera camera",
    }
    assert absent(pi5.host(), config, found) == [
        ("reader reader-2", "/dev/serial/by-id/usb-Gone-if00-port0"),
        ("camera camera-2", "rpicam:3"),
    ]


def test_the_command_tells_it_to_people_and_to_programs(pi5, tmp_path):
    gone = "/dev/serial/by-id/usb-Gone-if00-port0"
    readers = f"[{{name: r, port: {FTDI}, seat: 0}}, {{name: s, port: {gone}, seat: 1}}]"
    text = f"players: [A, B]\nreaders: {readers}\n"
    file, out = table(tmp_path / "table.yaml", text), StringIO()
    assert devices(file, json=False, host=pi5.host(), out=out) == 0
    printed = out.getvalue()
    assert f"  {FTDI} (/dev/ttyUSB0)  0403:6001 FT232R USB UART\n      used here by reader r\n" in printed
    assert "- {name: reader-2" not in printed  # both seats have one
    assert printed.endswith(f"named in {file} and not there:\n  {gone}  reader s\n")
    out = StringIO()
    devices(file, json=True, host=pi5.host(), out=out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert next(line for line in lines if line["name"] == FTDI) == {
        "kind": "serial",
        "name": FTDI,
        "node": "/dev/ttyUSB0",
        "what": "0403:6001 FT232R USB UART",
        "usb": "0403:6001",
        "serial": "A50285BI",
        "line": None,
        "note": None,
        "used": "reader r",
    }
    assert lines[-1] == {"kind": "absent", "name": gone, "used": "reader s"}


def test_a_port_of_a_computers_own_is_listed_without_a_line(tmp_path):
    tree = Tree(tmp_path)
    tree.uart("ttyS0", kind="4")
    (port,) = with_lines(everything(tree.host()), tree.host(), Config())
    assert (port.name, port.line) == ("/dev/ttyS0", "")


def test_a_pin_map_that_is_not_there_yet_keeps_nothing_from_being_listed(pi5, tmp_path):
    file, out = table(tmp_path / "table.yaml", "players: [A, B]\nlamps: {pins: pins.yaml}\n"), StringIO()
    assert devices(file, json=False, host=pi5.host(), out=out) == 0
    assert FTDI in out.getvalue()


def test_a_name_that_would_obey_a_terminal_is_shown_as_boxes(pi5):
    pi5.write("/sys/devices/platform/usb1/1-1.1/product", "FT\x1b[2J232R\n")
    out = StringIO()
    devices(None, json=False, host=pi5.host(), out=out)
    assert "0403:6001 FT□[2J232R" in out.getvalue()


# --- what a camera says -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of_all", "of_this", "captures"),
    [(0x84A00001, 0x04200001, True), (0x84A00001, 0x04A00000, False), (0x1, 0x0, True), (0x84201000, 0x04201000, True)],
    ids=["a webcam", "its node for metadata", "an old driver, which tells of all", "many planes"],
)
def test_a_node_that_captures_is_told_from_one_for_metadata(monkeypatch, of_all, of_this, captures):
    def ioctl(_, request, told):
        assert request == 0x80685600
        told[:] = struct.pack("16s32s32sIII12x", b"uvcvideo", b"C920", b"usb-1.2", 0x60100, of_all, of_this)

    monkeypatch.setattr("fcntl.ioctl", ioctl)
    assert capabilities(7) == Capabilities("uvcvideo", "C920", captures)
