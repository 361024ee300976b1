"""Lamps of WS2812 pixels ("NeoPixel") on the data line of an SPI port.

A WS2812 takes a bit every 1.25 µs: high for a third of that is 0, for two thirds 1. Three bits of an SPI port at
2.4 MHz make such a bit, 100 or 110: 0.42 and 0.83 µs, where the sheet wants 0.4 and 0.8 µs, 0.15 either way. A pixel is
24 bits, green, red, blue, each from its highest bit, so nine bytes; it passes on what comes after its own. When the
line has been low for 280 µs (older ones: 50 µs) all show what they have taken.

The kernel takes one message of 4,096 bytes, and a pause within would show half a picture; so there is a most of pixels.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from ..errors import Missing
from .lamps import Level, Light, PlayedLamps

log = logging.getLogger(__name__)

SPEED_HZ = 2_400_000

RESET = bytes(90)
"""Low for 300 µs."""

MOST_PIXELS = (4096 - 2 * len(RESET)) // 9

REFRESH_S = 1.0
"""Seconds after which the pixels are sent again: a strip whose plug was loose then shows what it should."""

_WIRE = re.compile(r"(?:/dev/spidev)?(\d+)\.(\d+)")


def _three_bits_each(value: int) -> int:
    bits = 0
    for n in range(7, -1, -1):
        bits = bits << 3 | (0b110 if value >> n & 1 else 0b100)
    return bits


_ENCODED = tuple(_three_bits_each(value).to_bytes(3, "big") for value in range(256))


def encoded(pixels: Iterable[tuple[int, int, int]]) -> bytes:
    """What an SPI port at SPEED_HZ sends so that a strip shows *pixels*: red, green and blue of each, 0 to 255, the one
    next to the Pi first. The line is low before, which ends whatever was under way, and after it."""
    grb = (_ENCODED[green] + _ENCODED[red] + _ENCODED[blue] for red, green, blue in pixels)
    return RESET + b"".join(grb) + RESET


def dimmed(level: Level, brightness: float) -> tuple[int, int, int]:
    """The bytes of red, green and blue for a *level* at a *brightness*, both 0 to 1. What shines is never dimmed to
    nothing."""
    red, green, blue = (0 if part <= 0 else max(1, round(255 * part * brightness)) for part in level)
    return red, green, blue


class Port(Protocol):
    """Where the bytes go."""

    name: str

    def open(self) -> None:
        """Raises Missing."""

    def write(self, sent: bytes) -> None:
        """Send all in one go. Raises OSError."""

    def close(self) -> None: ...


class SpiPort:
    """An SPI port such as ``/dev/spidev0.0``, or ``0.0``, through spidev."""

    def __init__(self, path: str) -> None:
        found = _WIRE.fullmatch(path)
        if found is None:
            raise Missing(f"{path}: is no SPI port: write one such as /dev/spidev0.0")
        self._wire = int(found[1]), int(found[2])
        self.name = f"/dev/spidev{found[1]}.{found[2]}"
        self._spi: Any = None

    def open(self) -> None:
        try:
            import spidev
        except ImportError:
            raise Missing(
                "WS2812 lamps need spidev (sudo apt install python3-spidev, or pip: tablepi[ws2812])"
            ) from None
        spi = spidev.SpiDev()
        try:
            spi.open(*self._wire)
            spi.max_speed_hz, spi.mode = SPEED_HZ, 0
        except FileNotFoundError:
            raise Missing(f"{self.name} is not there: is SPI on? (sudo raspi-config, Interface Options)") from None
        except PermissionError:
            raise Missing(f"not allowed to use {self.name} (sudo adduser $USER spi)") from None
        except OSError as error:
            raise Missing(f"{self.name}: {error.strerror or error}") from error
        self._spi = spi

    def write(self, sent: bytes) -> None:
        self._spi.writebytes2(sent)

    def close(self) -> None:
        if self._spi is not None:
            self._spi.close()
        self._spi = None


class StripLight(Light):
    """A lamp of some pixels; the level waits until the whole strip is sent."""

    def __init__(self, pixels: int) -> None:
        super().__init__()
        self.pixels = pixels
        self.wanted: Level = (0.0, 0.0, 0.0)

    def set(self, wanted: Level) -> None:
        self.wanted = wanted


class StripLamps(PlayedLamps):
    """The lamps of *seats* seats on one strip: *pixels* of each, from seat 0 on, then *centre* of the centre lamp, if
    there are any. *brightness* is the most that a pixel shines, 0 to 1."""

    longest_wait_s = REFRESH_S

    def __init__(
        self,
        port: Port,
        seats: int,
        *,
        pixels: int,
        centre: int = 0,
        brightness: float = 0.2,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(clock=clock)
        self._port = port
        self._count = seats
        self._pixels, self._centre_pixels = pixels, centre
        self._brightness = brightness
        self._opened = False
        self._failing = False

    def open(self) -> None:
        self._port.open()
        self._opened = True
        self.seats = [StripLight(self._pixels) for _ in range(self._count)]
        self.centre = StripLight(self._centre_pixels) if self._centre_pixels else None
        self.send()  # what a crash left shining

    def send(self) -> None:
        lit = [dimmed(light.wanted, self._brightness) for light in self._lights() for _ in range(light.pixels)]
        try:
            self._port.write(encoded(lit))
            self._failing = False
        except OSError as error:
            if not self._failing:  # the game goes on
                log.warning("the lamps on %s cannot be set: %s", self._port.name, error.strerror or error)
            self._failing = True

    def give_back(self) -> None:
        if self._opened:
            self._port.close()
        self._opened = False
