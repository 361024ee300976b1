"""Which chip the header's pins are on, and who holds a pin: with the kernel's bytes written out."""

import errno
from array import array
from types import SimpleNamespace

import pytest
from gpiozero import Device

from tablepi.devices.gpio import GIVING_BACK_S, cannot_have, give_back, pi_chip, pin_holder
from tablepi.errors import Missing


def chips(folder, **labels):
    for name in labels:
        (folder / name).touch()

    def label(chip):
        if isinstance(labels[chip.name], OSError):
            raise labels[chip.name]
        return labels[chip.name]

    return SimpleNamespace(devices=folder, label=label)


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        ({"gpiochip0": "pinctrl-bcm2835"}, 0),
        ({"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}, 0),
        ({"gpiochip4": "pinctrl-rp1", "gpiochip0": "gpio-brcmstb@107d508500"}, 4),
        ({"gpiochip10": "gpio-brcmstb@107d508500", "gpiochip11": "pinctrl-rp1"}, 11),
        ({"gpiochip0": OSError(errno.ENODEV, "gone"), "gpiochip15": "pinctrl-rp1"}, 15),
        ({"gpiochip0": "INTC1056:00"}, None),
        ({}, None),
    ],
    ids=["Pi 3", "Pi 4", "Pi 5 once", "Pi 5 now", "one is gone", "a laptop", "none"],
)
def test_the_chip_of_the_header_is_found_by_its_label(tmp_path, labels, number):
    found = chips(tmp_path, **labels)
    assert pi_chip(found.devices, label=found.label) == number


def test_a_chip_that_is_forbidden_is_named_with_the_remedy(tmp_path):
    found = chips(tmp_path, gpiochip0=PermissionError(errno.EACCES, "Permission denied"))
    with pytest.raises(Missing, match=r"not allowed to use .*/gpiochip0 \(sudo adduser"):
        pi_chip(found.devices, label=found.label)


def test_a_file_that_is_no_chip_has_no_label(tmp_path):
    (tmp_path / "gpiochip0").touch()
    assert pi_chip(tmp_path) is None


# --- who holds a pin ----------------------------------------------------------------------------------------------


@pytest.fixture
def kernel(tmp_path):
    """A chip whose lines have the consumers that a test gives; None: a line that is free."""
    (tmp_path / "gpiochip4").touch()
    held = {}

    def ioctl(_, request, told):
        assert (request, len(told)) == (0xC100B405, 256)  # _IOWR(0xB4, 5, struct gpio_v2_line_info)
        line = int.from_bytes(told[64:68].tobytes(), "little")
        consumer = held.get(line)
        if consumer is not None:
            told[32 : 32 + len(consumer)] = array("B", consumer)
            told[72] = 0b101  # used, an output

    return SimpleNamespace(chip=tmp_path / "gpiochip4", held=held, ioctl=ioctl)


def test_the_holder_of_a_pin_is_called_as_the_kernel_calls_it(kernel):
    kernel.held.update({8: b"spi0 CS0", 17: b"lg", 4: b""})
    told = [pin_holder(kernel.chip, pin, ioctl=kernel.ioctl) for pin in (8, 17, 4, 22)]
    assert told == ["spi0 CS0", "lg", "the kernel", None]


def test_the_holder_of_a_pin_of_no_chip_cannot_be_told(tmp_path):
    assert pin_holder(tmp_path / "gpiochip0", 4) is None
    (tmp_path / "gpiochip0").touch()
    assert pin_holder(tmp_path / "gpiochip0", 4) is None


@pytest.mark.parametrize(
    ("holder", "chip", "told"),
    [
        ("spi0 CS0", 0, 'lamp of seat 2 (GPIO 16): held by "spi0 CS0"'),
        ("lg", 0, 'lamp of seat 2 (GPIO 16): held by "lg" (another program that uses lgpio, such as a second tablepi)'),
        (None, 0, "lamp of seat 2 (GPIO 16): 'GPIO busy' (another program may hold it)"),
        ("spi0 CS0", None, "lamp of seat 2 (GPIO 16): 'GPIO busy' (another program may hold it)"),
    ],
)
def test_a_pin_that_cannot_be_had_is_named_with_its_holder(monkeypatch, tmp_path, holder, chip, told):
    monkeypatch.setattr("tablepi.devices.gpio.pin_holder", lambda path, pin: holder if pin == 16 else None)
    monkeypatch.setattr(Device, "pin_factory", None)
    factory = SimpleNamespace() if chip is None else SimpleNamespace(chip=chip)
    error = cannot_have("lamp of seat 2", 16, Exception("'GPIO busy'"), factory, devices=tmp_path)
    assert str(error) == told


# --- giving back --------------------------------------------------------------------------------------------------


class Busy:
    """A button whose line lgpio's thread still waits on, for so many attempts to close it."""

    def __init__(self, attempts):
        self.attempts = attempts
        self.waited = []

    def close(self):
        if self.attempts:
            self.attempts -= 1
            raise Exception("'GPIO busy'")


@pytest.mark.parametrize("attempts", [0, 1, len(GIVING_BACK_S)])
def test_a_pin_that_is_still_listened_to_is_given_back_a_little_later(attempts, caplog):
    button = Busy(attempts)
    give_back(button, pause=button.waited.append)
    assert (button.attempts, button.waited, caplog.records) == (0, list(GIVING_BACK_S[:attempts]), [])


def test_a_pin_that_can_never_be_given_back_is_said_and_nothing_is_raised(caplog):
    button = Busy(len(GIVING_BACK_S) + 1)
    give_back(button, pause=button.waited.append)
    assert (button.attempts, button.waited) == (0, list(GIVING_BACK_S))
    assert [record.getMessage() for record in caplog.records] == ["a pin cannot be given back: 'GPIO busy'"]
