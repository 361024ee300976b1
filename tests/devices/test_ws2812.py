"""Lamps of WS2812 pixels, down to the bits on the line; the port is one that remembers what was written."""

import errno
import subprocess
import sys

import pytest

from tablepi.config import LampsConfig
from tablepi.devices.lamps import open_lamps
from tablepi.devices.ws2812 import MOST_PIXELS, REFRESH_S, RESET, SPEED_HZ, SpiPort, StripLamps, dimmed, encoded
from tablepi.errors import Missing
from tablepi.facts import MOST_SEATS
from tablepi.views.lamps import MEANINGS, SLOT_S, Lamp, Lamps

OFF, TURN, BREACH, LOST = Lamp(), MEANINGS["turn"], MEANINGS["breach"], MEANINGS["lost"]
RED, WHITE, DARK = (51, 0, 0), (51, 51, 51), (0, 0, 0)


class Port:
    """A port that remembers the pixels that a strip on it would show; *broken* is what a write raises."""

    name = "/dev/spidev0.0"

    def __init__(self):
        self.told, self.shown, self.broken = [], [], None

    def open(self):
        self.told.append("open")

    def write(self, sent):
        if self.broken is not None:
            raise self.broken
        self.shown.append(decoded(sent))

    def close(self):
        self.told.append("close")


def decoded(sent):
    """What a strip makes of the bytes: the line is read as a pixel reads it, by how long it is high."""
    line = "".join(f"{byte:08b}" for byte in sent).strip("0")
    line += "0" * (-len(line) % 3)
    bits = [{"100": "0", "110": "1"}[line[i : i + 3]] for i in range(0, len(line), 3)]
    assert len(bits) % 24 == 0
    pixels = ["".join(bits[i : i + 24]) for i in range(0, len(bits), 24)]
    return [(int(p[8:16], 2), int(p[:8], 2), int(p[16:], 2)) for p in pixels]


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def strip(port, **changes):
    return StripLamps(port, 2, **{"pixels": 1, "clock": Clock()} | changes)


# --- bytes --------------------------------------------------------------------------------------------------------


def test_a_pixel_is_nine_bytes_green_red_blue_between_two_pauses():
    assert encoded([(0x01, 0x80, 0xFF)]) == (
        RESET
        + (0b110100100100100100100100).to_bytes(3, "big")  # green 0x80
        + (0b100100100100100100100110).to_bytes(3, "big")  # red 0x01
        + (0b110110110110110110110110).to_bytes(3, "big")  # blue 0xFF
        + RESET
    )
    assert encoded([]) == RESET * 2


def test_every_byte_is_read_back_by_the_lengths_on_the_line():
    pixels = [(n, 255 - n, n ^ 0x55) for n in range(256)]
    assert decoded(encoded(pixels)) == pixels


def test_the_lengths_on_the_line_are_those_of_the_sheet():
    bit_us = 1e6 / SPEED_HZ
    assert 0.25 <= bit_us <= 0.55  # a 0 is high for one of three
    assert 0.65 <= 2 * bit_us <= 0.95  # a 1 for two
    assert 8 * len(RESET) * bit_us >= 280


def test_the_longest_strip_fits_into_one_message_of_the_kernel():
    assert len(encoded([DARK] * MOST_PIXELS)) <= 4096
    most = LampsConfig.model_fields["pixels"].metadata[1].le
    assert (MOST_SEATS + 1) * most <= MOST_PIXELS


def test_brightness_is_the_most_and_what_shines_is_never_dark():
    assert [dimmed(level, 0.2) for level in ((1, 1, 1), (1, 0.4, 0), (0, 0, 0))] == [WHITE, (51, 20, 0), DARK]
    assert dimmed((1, 0.1, 0), 0.01) == (3, 1, 0)


# --- lamps --------------------------------------------------------------------------------------------------------


def test_the_pixels_are_those_of_seat_0_first_and_of_the_centre_last():
    port = Port()
    with strip(port, pixels=2, centre=3) as lamps:
        lamps.show(Lamps((BREACH, TURN), LOST))
        assert port.shown[-1] == [RED] * 2 + [WHITE] * 2 + [(51, 20, 0)] * 3


def test_a_rhythm_is_played_and_the_strip_is_sent_again_though_nothing_changes():
    port, clock = Port(), Clock()
    with strip(port, clock=clock) as lamps:
        lamps.show(Lamps((BREACH, OFF), OFF))
        clock.now += SLOT_S
        assert lamps.play(clock.now) == pytest.approx(SLOT_S)
        assert port.shown[-1] == [DARK, DARK]
        lamps.show(Lamps((MEANINGS["winner"], OFF), OFF))
        sent = len(port.shown)
        assert lamps.play(clock.now) == REFRESH_S
        assert port.shown[sent:] == [[(0, 51, 0), DARK]]


def test_a_strip_is_dark_from_the_moment_it_is_opened_and_when_it_is_closed():
    port = Port()
    lamps = strip(port)
    lamps.open()
    assert (port.shown, port.told.pop()) == ([[DARK, DARK]], "open")
    with lamps:
        lamps.show(Lamps((BREACH, TURN), OFF))
    assert (port.shown[-1], port.told) == ([DARK, DARK], ["open", "close"])
    lamps.close()
    assert port.told == ["open", "close"]


def test_a_port_that_fails_is_said_once_and_the_game_goes_on(caplog):
    port, clock = Port(), Clock()
    with strip(port, clock=clock) as lamps:
        port.broken = OSError(errno.EIO, "Input/output error")
        lamps.show(Lamps((BREACH, OFF), OFF))
        lamps.play(clock.now)
        assert [r.getMessage() for r in caplog.records] == [
            "the lamps on /dev/spidev0.0 cannot be set: Input/output error"
        ]
        port.broken = None
        lamps.play(clock.now)
        assert port.shown[-1] == [RED, DARK]


# --- the port -----------------------------------------------------------------------------------------------------


class Spidev:
    """What stands for the library: its port opens, or fails as the kernel does."""

    def __init__(self, error=None):
        self.error, self.told = error, []

    def SpiDev(self):
        return self

    def open(self, bus, device):
        if self.error is not None:
            raise self.error
        self.told.append(("open", bus, device))

    def writebytes2(self, sent):
        self.told.append(bytes(sent))

    def close(self):
        self.told.append("close")


def test_the_port_is_opened_by_its_numbers_at_the_speed_of_the_code(monkeypatch):
    spidev = Spidev()
    monkeypatch.setitem(sys.modules, "spidev", spidev)
    port = SpiPort("/dev/spidev10.1")
    port.open()
    port.write(b"ab")
    port.close()
    port.close()
    assert (spidev.told, spidev.max_speed_hz, spidev.mode) == ([("open", 10, 1), b"ab", "close"], SPEED_HZ, 0)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FileNotFoundError(errno.ENOENT, "no"), "/dev/spidev0.0 is not there: is SPI on? (sudo raspi-config, Interf"),
        (PermissionError(errno.EACCES, "no"), "not allowed to use /dev/spidev0.0 (sudo adduser $USER spi)"),
        (OSError(errno.EBUSY, "Device or resource busy"), "/dev/spidev0.0: Device or resource busy"),
    ],
)
def test_a_port_that_cannot_be_had_leaves_the_lamps_to_the_display_and_says_why(monkeypatch, error, told):
    monkeypatch.setitem(sys.modules, "spidev", Spidev(error))
    with open_lamps(LampsConfig(kind="ws2812"), seats=4) as lamps:
        assert lamps.reason.startswith(told)
        assert lamps.reason.endswith(": lamps are shown on the display")


def test_without_spidev_the_way_to_get_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(Missing, match=r"^WS2812 lamps need spidev \(sudo apt install python3-spidev"):
        SpiPort("0.0").open()


def test_nothing_of_the_strip_is_imported_for_lamps_on_pins():
    program = "import sys, tablepi.devices.lamps; print({'spidev', 'tablepi.devices.ws2812'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout == "set()\n"
