"""The pins of the Raspberry Pi's header: which chip they are on, and who holds one that cannot be had.

The number of that chip moves from kernel to kernel and from board to board, its label does not. Of a pin that is busy
lgpio says no more than that; the kernel knows its holder by name.
"""

from __future__ import annotations

import array
import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import Missing

log = logging.getLogger(__name__)

PI_CHIPS = {"pinctrl-rp1": "Raspberry Pi 5", "pinctrl-bcm2711": "Raspberry Pi 4", "pinctrl-bcm2835": "Raspberry Pi"}
"""Labels of the GPIO chip behind the header, and on which boards it is: the last on all earlier ones."""

# linux/gpio.h. A chip's information is its name and label, 32 bytes each, and the number of its lines; that of a line
# its name and its consumer, 32 bytes each, its number, how many attributes it has, its flags, ten attributes, padding.
_GPIO_GET_CHIPINFO_IOCTL = 0x8044B401
_CHIP_BYTES = 68
_GPIO_V2_GET_LINEINFO_IOCTL = 0xC100B405
_LINE_BYTES = 256
_CONSUMER, _OFFSET, _FLAGS = slice(32, 64), slice(64, 68), slice(72, 80)
_USED = 1

_OURS = "lg"
"""What lgpio, and so gpiozero, calls itself."""


@contextmanager
def header_pins(devices: Path = Path("/dev")) -> Iterator[Any]:
    """``with header_pins() as factory``: gpiozero's factory of the pins of this Pi, or None where its own choice stands
    (a program or ``GPIOZERO_PIN_FACTORY`` has set it). Raises Missing."""
    from gpiozero import Device

    if Device.pin_factory is not None or "GPIOZERO_PIN_FACTORY" in os.environ:
        yield None
        return
    chip = pi_chip(devices)
    if chip is None:
        raise Missing("no GPIO here")
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        factory = LGPIOFactory(chip=chip)
    except ImportError:
        raise Missing("GPIO needs lgpio (sudo apt install python3-lgpio)") from None
    except Exception as error:  # lgpio.error is a bare Exception; the empty lgpio 0.0.0.2 gives AttributeError
        raise Missing(f"GPIO chip {chip}: {error}") from error
    try:
        yield factory
    finally:
        give_back(factory)


GIVING_BACK_S = (0.001, 0.01, 0.1, 1.0)
"""Seconds between two attempts to give a pin back."""


def give_back(opened: Any, *, pause: Callable[[float], None] = time.sleep) -> None:
    """Close what gpiozero has opened, a device or a factory.

    The kernel holds the line of a button until lgpio's thread, which waits for presses, has looked up again. Until
    then, on a loaded Pi longer than lgpio itself allows for, closing it fails as "GPIO busy". What can never be given
    back is said in the log: it is free when the program ends.
    """
    for seconds in (*GIVING_BACK_S, None):
        try:
            opened.close()
            return
        except Exception as error:  # lgpio.error is a bare Exception
            if seconds is None:
                log.warning("a pin cannot be given back: %s", error)
            else:
                pause(seconds)


def cannot_have(what: str, pin: int, error: Exception, factory: Any, *, devices: Path = Path("/dev")) -> Missing:
    """That *what* has no pin, with the holder of that *pin* where the kernel names one, else what *error* says."""
    from gpiozero import Device

    chip = getattr(factory or Device.pin_factory, "chip", None)
    holder = pin_holder(devices / f"gpiochip{chip}", pin) if isinstance(chip, int) else None
    if holder is None:
        busy = " (another program may hold it)" if "busy" in str(error).lower() else ""
        return Missing(f"{what} (GPIO {pin}): {error}{busy}")
    whose = " (another program that uses lgpio, such as a second tablepi)" if holder == _OURS else ""
    return Missing(f'{what} (GPIO {pin}): held by "{holder}"{whose}')


def pin_holder(chip: Path, pin: int, *, ioctl: Callable[..., Any] = fcntl.ioctl) -> str | None:
    """Who holds a *pin* of *chip*, as the kernel calls it; None when nobody does, or it cannot be told."""
    told = array.array("B", bytes(_LINE_BYTES))
    told[_OFFSET] = array.array("B", pin.to_bytes(4, "little"))
    try:
        with chip.open("rb", buffering=0) as opened:
            ioctl(opened, _GPIO_V2_GET_LINEINFO_IOCTL, told)
    except OSError:
        return None
    if not int.from_bytes(told[_FLAGS].tobytes(), "little") & _USED:
        return None
    return told[_CONSUMER].tobytes().split(b"\0")[0].decode(errors="replace") or "the kernel"


def chip_label(chip: Path) -> str:
    """The label of a GPIO chip such as ``/dev/gpiochip0``. Raises OSError."""
    told = array.array("B", bytes(_CHIP_BYTES))
    with chip.open("rb", buffering=0) as opened:
        fcntl.ioctl(opened, _GPIO_GET_CHIPINFO_IOCTL, told)
    return told[32:64].tobytes().split(b"\0")[0].decode()


def pi_chip(devices: Path, *, label: Callable[[Path], str] = chip_label) -> int | None:
    """The number of the GPIO chip behind the header of a Raspberry Pi, found by its label; None when there is none.

    Raises Missing when the only chips are ones that this user may not open.
    """
    refused: Path | None = None
    for chip in sorted(devices.glob("gpiochip*")):
        number = chip.name.removeprefix("gpiochip")
        try:
            if number.isdecimal() and label(chip) in PI_CHIPS:
                return int(number)
        except PermissionError:
            refused = chip
        except OSError:
            continue  # no GPIO chip after all: another may be
    if refused is not None:
        raise Missing(f"not allowed to use {refused} (sudo adduser $USER gpio)")
    return None
