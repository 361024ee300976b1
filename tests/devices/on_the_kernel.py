"""What only the kernel's chip can say, in the virtual Pi (``virtual_pi.py``); not collected anywhere else."""

from __future__ import annotations

import array
import fcntl
import os
import subprocess
from pathlib import Path

import pytest

from tablepi.cli import main
from tablepi.config import LampPins, LampsConfig, Pins
from tablepi.devices.gpio import PI_CHIPS, chip_label, header_pins, pi_chip, pin_holder
from tablepi.devices.lamps import open_lamps

DEVICES = Path("/dev")
ONE = LampsConfig(pins=Pins(seats=(LampPins(pin=17),)))

# linux/gpio.h, struct gpiohandle_request: 64 lines, flags, 64 levels, the consumer (32), how many lines, a descriptor.
_GET_LINEHANDLE, _BYTES = 0xC16CB403, 364
_FLAGS, _CONSUMER, _COUNT, _DESCRIPTOR = slice(256, 260), 324, slice(356, 360), slice(360, 364)


@pytest.fixture
def another():
    """The pin 17, held by whatever calls itself "doorbell"."""
    asked = array.array("B", bytes(_BYTES))
    asked[0:4] = array.array("B", (17).to_bytes(4, "little"))
    asked[_FLAGS] = array.array("B", (1).to_bytes(4, "little"))  # an input
    asked[_CONSUMER : _CONSUMER + 8] = array.array("B", b"doorbell")
    asked[_COUNT] = array.array("B", (1).to_bytes(4, "little"))
    with (DEVICES / "gpiochip0").open("rb", buffering=0) as chip:
        fcntl.ioctl(chip, _GET_LINEHANDLE, asked)
    descriptor = int.from_bytes(asked[_DESCRIPTOR].tobytes(), "little")
    yield
    os.close(descriptor)


@pytest.fixture
def without_revision():
    """As under another firmware: nothing tells which Pi this is."""
    subprocess.run(["busybox", "umount", "/proc/cpuinfo"], check=True)
    yield
    subprocess.run(["busybox", "mount", "--bind", "/tmp/cpuinfo", "/proc/cpuinfo"], check=True)


def test_the_chip_of_the_header_is_the_one_with_its_label():
    labels = {chip.name: chip_label(chip) for chip in DEVICES.glob("gpiochip*")}
    assert labels == {"gpiochip0": "pinctrl-bcm2835", "gpiochip1": "raspberrypi-exp-gpio"}
    assert [label for label in labels.values() if label in PI_CHIPS] == ["pinctrl-bcm2835"]
    with header_pins() as factory:
        assert (pi_chip(DEVICES), factory.chip) == (0, 0)


def test_lgpio_is_called_lg_by_the_kernel_and_a_free_pin_has_no_holder():
    with open_lamps(ONE) as lamps:
        assert (lamps.reason, pin_holder(DEVICES / "gpiochip0", 17)) == ("", "lg")
    assert pin_holder(DEVICES / "gpiochip0", 17) is None


@pytest.mark.usefixtures("another")
def test_a_pin_is_busy_by_the_name_of_its_holder():
    with open_lamps(ONE) as lamps:
        assert lamps.reason == 'lamp of seat 0 (GPIO 17): held by "doorbell": lamps are shown on the display'


@pytest.mark.usefixtures("another")
def test_the_command_says_who_holds_a_pin(tmp_path, capsys):
    (tmp_path / "table.yaml").write_text("lamps: {pins: {seats: [{pin: 17}]}}\n")
    assert main(["lamps", "off", "--config", str(tmp_path / "table.yaml")]) == 3
    assert capsys.readouterr().err == (
        'tablepi: lamp of seat 0 (GPIO 17): held by "doorbell": lamps are shown on the display\n'
    )


@pytest.mark.usefixtures("without_revision")
def test_a_pi_that_does_not_tell_its_revision_has_no_lamps_and_says_why():
    with open_lamps(ONE) as lamps:
        assert lamps.reason == (
            "lamp of seat 0 (GPIO 17): unable to locate Pi revision in /proc/device-tree or /proc/cpuinfo: "
            "lamps are shown on the display"
        )
