"""The lamps: one RGB LED a seat and one in the centre, by gpiozero.

``show`` is handed the wanted lamps after every fact and touches only those that differ. A lamp's rhythm begins, lit, at
the moment it is shown, not on a beat common to all: ``blip`` shines one slot in twelve, and a player who has just laid
a card must not wait for the beat to see the answer. Lamps that are shown together blink together.

gpiozero's own ``blink`` knows one on and one off time, and its ``source`` needs a thread a lamp that wakes every slot;
so one thread here plays all lamps and wakes only when one of them changes.
"""

from __future__ import annotations

import array
import atexit
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from gpiozero import RGBLED, Device

from ..errors import Missing
from ..views.lamps import COLOURS, RHYTHMS, SLOT_S, Lamp, Lamps

Level = tuple[float, float, float]
_DARK: Level = (0.0, 0.0, 0.0)

PI_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the GPIO chip behind the header: Pi 5; Pi 4; the earlier ones. Its number moves from kernel to kernel."""

_GPIO_GET_CHIPINFO_IOCTL = 0x8044B401  # linux/gpio.h: name and label, 32 bytes each, and the number of lines


class LampPins(Protocol):
    """The BCM numbers of one lamp's pins."""

    @property
    def red(self) -> int: ...
    @property
    def green(self) -> int: ...
    @property
    def blue(self) -> int: ...


class PinMap(Protocol):
    """Where the lamps are connected; ``config.Pins`` is one."""

    @property
    def seats(self) -> Sequence[LampPins]: ...
    @property
    def centre(self) -> LampPins | None: ...


class LampsConfig(Protocol):
    """What ``open_lamps`` is told; ``config.LampsConfig`` is one."""

    @property
    def pins(self) -> PinMap | None: ...
    @property
    def common(self) -> str: ...
    @property
    def pwm(self) -> bool: ...


# --- what shines when, without pins -------------------------------------------------------------------------------


def is_lit(rhythm: str, seconds: float) -> bool:
    """Whether a lamp of *rhythm* shines *seconds* after it was shown."""
    slots = RHYTHMS[rhythm]
    return bool(slots[_slot(seconds) % len(slots)])


def seconds_to_change(rhythm: str, seconds: float) -> float | None:
    """Seconds until ``is_lit`` changes, always more than 0; None when it never does."""
    slots = RHYTHMS[rhythm]
    now = _slot(seconds)
    for ahead in range(1, len(slots)):
        if slots[(now + ahead) % len(slots)] != slots[now % len(slots)]:
            return (now + ahead) * SLOT_S - seconds
    return None


def _slot(seconds: float) -> int:
    return int(seconds / SLOT_S + 1e-6)  # three slots of 0.1 s are 0.30000000000000004 s: not short of the fourth


def level(lamp: Lamp, seconds: float, *, pwm: bool) -> Level:
    """Red, green and blue, 0 to 1, *seconds* after *lamp* was shown. Without *pwm* only 0 and 1: amber is red and
    green."""
    if not is_lit(lamp.rhythm, seconds):
        return _DARK
    red, green, blue = COLOURS[lamp.colour]
    return (red, green, blue) if pwm else (float(red > 0), float(green > 0), float(blue > 0))


# --- the lamps ----------------------------------------------------------------------------------------------------


class _Light:
    """One LED, what it is to show, since when, and what it shows."""

    def __init__(self, led: RGBLED) -> None:
        self.led = led
        self.lamp = Lamp()
        self.since = 0.0
        self.level = _DARK

    def shine(self, wanted: Level) -> None:
        if wanted != self.level:
            self.led.value = wanted
            self.level = wanted


class GpioLamps:
    """Lamps on pins, from ``__enter__`` to ``__exit__``, which leaves them dark.

    *pwm* dims colours by software pulses, which flicker on a busy Pi: without it a pin is on or off. *pin_factory* is
    gpiozero's; None means its default. ``__enter__`` raises Missing that names the lamp whose pin cannot be had.
    """

    reason = ""
    """Why there are no lamps: there are."""

    def __init__(
        self,
        pins: PinMap,
        *,
        common_anode: bool = False,
        pwm: bool = False,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins = pins
        self._common_anode = common_anode
        self._pwm = pwm
        self._pin_factory = pin_factory
        self._clock = clock
        self._changed = threading.Condition()
        self._closing = False
        self._bug: Exception | None = None
        self._seats: list[_Light] = []
        self._centre: _Light | None = None
        self._player = threading.Thread(target=self._play_on, name="lamps", daemon=True)

    def __enter__(self) -> Self:
        try:
            for seat, pins in enumerate(self._pins.seats):
                self._seats.append(self._light(f"lamp of seat {seat}", pins))
            if self._pins.centre is not None:
                self._centre = self._light("lamp of the centre", self._pins.centre)
        except Missing:
            self.close()
            raise
        atexit.register(self.close)
        self._player.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def show(self, lamps: Lamps) -> None:
        """Make the lamps show *lamps*; those that show theirs already are not touched. A seat without a lamp is
        skipped. Raises what went wrong in the thread that plays the rhythms, if it died."""
        with self._changed:
            if self._bug is not None:
                raise self._bug
            now = self._clock()
            wanted: list[tuple[_Light, Lamp]] = list(zip(self._seats, lamps.seats, strict=False))
            if self._centre is not None:
                wanted.append((self._centre, lamps.centre))
            for light, lamp in wanted:
                if lamp != light.lamp:
                    light.lamp, light.since = lamp, now
                    light.shine(level(lamp, 0.0, pwm=self._pwm))
            self._changed.notify()

    def play(self, now: float) -> float | None:
        """Bring every lamp to what its rhythm shows at *now*; seconds until the next change, None if there is none."""
        waits = []
        with self._changed:
            for light in self._lights():
                elapsed = max(0.0, now - light.since)
                light.shine(level(light.lamp, elapsed, pwm=self._pwm))
                if (wait := seconds_to_change(light.lamp.rhythm, elapsed)) is not None:
                    waits.append(wait)
        return min(waits, default=None)

    def close(self) -> None:
        """All dark, all pins given back. A second call does nothing."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._player.is_alive():
            self._player.join()
        for light in self._lights():
            light.led.value = _DARK
            light.led.close()
        self._seats, self._centre = [], None
        atexit.unregister(self.close)

    def _lights(self) -> list[_Light]:
        return self._seats if self._centre is None else [*self._seats, self._centre]

    def _play_on(self) -> None:
        try:
            with self._changed:
                while not self._closing:
                    self._changed.wait(self.play(self._clock()))
        except Exception as bug:  # raised again by the next show
            self._bug = bug

    def _light(self, name: str, pins: LampPins) -> _Light:
        numbers = (pins.red, pins.green, pins.blue)
        try:
            led = RGBLED(*numbers, active_high=not self._common_anode, pwm=self._pwm, pin_factory=self._pin_factory)
        except Exception as error:  # each of gpiozero's back ends has its own: lgpio.error is a bare Exception
            where = ", ".join(f"GPIO {n}" for n in numbers)
            busy = " (another program may hold it)" if "busy" in str(error).lower() else ""
            raise Missing(f"{name} ({where}): {error}{busy}") from error
        return _Light(led)


class NoLamps:
    """Lamps that are not there. *reason* is for the display, which shows every lamp anyway."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

    def show(self, lamps: Lamps) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


@contextmanager
def open_lamps(
    config: LampsConfig, *, pin_factory: Any = None, devices: Path = Path("/dev")
) -> Iterator[GpioLamps | NoLamps]:
    """``with open_lamps(config) as lamps``: the lamps of *config*, or NoLamps, whose ``reason`` is one line.

    *pin_factory* is for other pins than the Pi's; gpiozero's environment variable ``GPIOZERO_PIN_FACTORY`` works too.
    """
    with ExitStack() as stack:
        try:
            lamps: GpioLamps | NoLamps = stack.enter_context(_configured(config, stack, pin_factory, devices))
        except Missing as error:
            lamps = NoLamps(f"{error}: lamps are shown on the display")
        yield lamps


def _configured(config: LampsConfig, stack: ExitStack, pin_factory: Any, devices: Path) -> GpioLamps:
    if config.pins is None:
        raise Missing("no lamps in the configuration")
    if pin_factory is None and Device.pin_factory is None and "GPIOZERO_PIN_FACTORY" not in os.environ:
        pin_factory = _pi_pins(devices)
        stack.callback(pin_factory.close)
    return GpioLamps(config.pins, common_anode=config.common == "anode", pwm=config.pwm, pin_factory=pin_factory)


def _pi_pins(devices: Path) -> Any:
    """gpiozero's factory for the header of this Pi. Raises Missing."""
    chip = pi_chip(devices)
    if chip is None:
        raise Missing("no GPIO here")
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory(chip=chip)
    except ImportError:
        raise Missing("GPIO needs lgpio (sudo apt install python3-lgpio)") from None
    except Exception as error:  # lgpio.error is a bare Exception; the empty lgpio 0.0.0.2 gives AttributeError
        raise Missing(f"GPIO chip {chip}: {error}") from error


def chip_label(chip: Path) -> str:
    """The label of a GPIO chip such as ``/dev/gpiochip0``. Raises OSError."""
    told = array.array("B", bytes(68))
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
