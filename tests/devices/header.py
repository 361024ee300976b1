"""The pins of a Pi's header, for cases that hold whatever is behind them: gpiozero's mock pins, or, with
``--kernel-pins``, the kernel's own chip (in the virtual Pi, ``virtual_pi.py``).

What a pin is and has is read back past gpiozero and lgpio: from the kernel's list of the chip's pins. What is wired to
a pin drives it from outside the kernel: by the chip's registers.
"""

from __future__ import annotations

import array
import fcntl
import mmap
import os
import re
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory

_LIT_AND_KILLED = """
import os, signal
import lgpio
chip = lgpio.gpiochip_open(0)
for number in {numbers}:
    lgpio.gpio_claim_output(chip, number, 1)
os.kill(os.getpid(), signal.SIGKILL)
"""
_HELD = """
import sys
import lgpio
chip = lgpio.gpiochip_open(0)
lgpio.gpio_claim_output(chip, {number}, 0)
print("held", flush=True)
sys.stdin.read()
"""


class MockHeader:
    """gpiozero's mock pins: what tablepi opens by itself is on them."""

    def __init__(self) -> None:
        self._before = Device.pin_factory
        self._factory = Device.pin_factory = MockFactory()

    def close(self) -> None:
        self._factory.reset()
        Device.pin_factory = self._before

    def levels(self, *numbers: int) -> tuple[int, ...]:
        return tuple(int(self._factory.pin(number).state) for number in numbers)

    def functions(self, *numbers: int) -> tuple[str, ...]:
        return tuple(self._factory.pin(number).function for number in numbers)

    def pulls(self, *numbers: int) -> tuple[str, ...]:
        return tuple(self._factory.pin(number).pull for number in numbers)

    def drive(self, number: int, level: int) -> None:
        pin = self._factory.pin(number)
        if level:
            pin.drive_high()
        else:
            pin.drive_low()

    @contextmanager
    def held(self, number: int) -> Iterator[str]:
        """While something else holds the pin: what is then said of it."""
        with LED(number):
            yield f"pin GPIO{number} is already in use by "

    def left_lit(self, *numbers: int) -> None:
        """As a program leaves its pins that was killed while they were high."""
        for number in numbers:
            pin = self._factory.pin(number)
            pin.function, pin.state = "output", 1


class KernelHeader:
    """The pins of the kernel's chip. Needs root, debugfs, and a kernel started with ``iomem=relaxed``."""

    _PINS = Path("/sys/kernel/debug/pinctrl/3f200000.gpio-pinctrl-bcm2835/pins")
    _REGISTERS, _SET, _CLEAR = 0x3F200000, 0x1C, 0x28
    _CHIP = Path("/dev/gpiochip0")
    # linux/gpio.h, struct gpio_v2_line_info: see tablepi/devices/gpio.py.
    _GET_LINEINFO, _LINE_BYTES, _OFFSET, _FLAGS = 0xC100B405, 256, slice(64, 68), slice(72, 80)
    _PULLED_UP, _PULLED_DOWN = 1 << 8, 1 << 9

    def close(self) -> None:
        """Nothing is held."""

    def levels(self, *numbers: int) -> tuple[int, ...]:
        told = self._told()
        return tuple(int(told[number][1] == "hi") for number in numbers)

    def functions(self, *numbers: int) -> tuple[str, ...]:
        told = self._told()
        return tuple(told[number][0] for number in numbers)

    def _told(self) -> dict[int, tuple[str, str]]:
        lines = re.findall(r"^pin (\d+) .*? function (\S+) in (hi|lo);", self._PINS.read_text(), re.M)
        functions = {"gpio_in": "input", "gpio_out": "output"}
        return {int(number): (functions.get(function, function), level) for number, function, level in lines}

    def pulls(self, *numbers: int) -> tuple[str, ...]:
        return tuple(self._pull(number) for number in numbers)

    def _pull(self, number: int) -> str:
        told = array.array("B", bytes(self._LINE_BYTES))
        told[self._OFFSET] = array.array("B", number.to_bytes(4, "little"))
        with self._CHIP.open("rb", buffering=0) as chip:
            fcntl.ioctl(chip, self._GET_LINEINFO, told)
        flags = int.from_bytes(told[self._FLAGS].tobytes(), "little")
        return "up" if flags & self._PULLED_UP else "down" if flags & self._PULLED_DOWN else "floating"

    def drive(self, number: int, level: int) -> None:
        memory = os.open("/dev/mem", os.O_RDWR | os.O_SYNC)
        try:
            with mmap.mmap(memory, mmap.PAGESIZE, offset=self._REGISTERS) as registers:
                at = self._SET if level else self._CLEAR
                registers[at : at + 4] = struct.pack("<I", 1 << number)
        finally:
            os.close(memory)

    @contextmanager
    def held(self, number: int) -> Iterator[str]:
        """While another program that uses lgpio holds the pin: what is then said of it."""
        with subprocess.Popen(
            [sys.executable, "-c", _HELD.format(number=number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            yield 'held by "lg" (another program that uses lgpio, such as a second tablepi)'  # until its input ends

    def left_lit(self, *numbers: int) -> None:
        """By a program that was killed while its pins were high."""
        killed = subprocess.run([sys.executable, "-c", _LIT_AND_KILLED.format(numbers=numbers)], timeout=60)
        assert killed.returncode == -signal.SIGKILL


Header = MockHeader | KernelHeader


def header_of(kind: str) -> Header:
    """The header of *kind*, ``mock`` or ``kernel``, for the rest of this process or until it is closed."""
    return KernelHeader() if kind == "kernel" else MockHeader()
