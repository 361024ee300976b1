"""The lamps: one LED a seat and one in the centre, on pins by gpiozero, or pixels of a WS2812 strip.

``show`` is handed the wanted lamps after every fact and touches only those that differ. A lamp's rhythm begins, lit, at
the moment it is shown, not on a beat common to all: ``blip`` shines one slot in twelve, and a player who has just laid
a card must not wait for the beat to see the answer. Lamps that are shown together blink together.

A lamp on three pins has colours; one on a single pin says everything by its rhythm, which no two meanings share.

gpiozero's own ``blink`` knows one on and one off time, and its ``source`` needs a thread a lamp that wakes every slot;
so one thread here plays all lamps and wakes only when one of them changes.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any, Protocol, Self

from gpiozero import LED, PWMLED

from ..errors import Missing
from ..views.lamps import COLOURS, RHYTHMS, SLOT_S, Lamp, Lamps
from .gpio import cannot_have, header_pins
from .played import Played, slot_at

Level = tuple[float, float, float]
_DARK: Level = (0.0, 0.0, 0.0)


class LampPins(Protocol):
    """The BCM numbers of one lamp's pins: of red, green and blue, or a single one."""

    @property
    def numbers(self) -> tuple[int, ...]: ...


class PinMap(Protocol):
    """Where the lamps are connected; ``config.Pins`` is one."""

    @property
    def seats(self) -> Sequence[LampPins]: ...
    @property
    def centre(self) -> LampPins | None: ...


class LampsConfig(Protocol):
    """What ``open_lamps`` is told; ``config.LampsConfig`` is one."""

    @property
    def kind(self) -> str: ...
    @property
    def pins(self) -> PinMap | None: ...
    @property
    def common(self) -> str: ...
    @property
    def pwm(self) -> bool: ...
    @property
    def spi(self) -> str: ...
    @property
    def pixels(self) -> int: ...
    @property
    def centre(self) -> int: ...
    @property
    def brightness(self) -> float: ...


# --- what shines when, without pins -------------------------------------------------------------------------------


def is_lit(rhythm: str, seconds: float) -> bool:
    """Whether a lamp of *rhythm* shines *seconds* after it was shown."""
    slots = RHYTHMS[rhythm]
    return bool(slots[slot_at(seconds) % len(slots)])


def seconds_to_change(rhythm: str, seconds: float) -> float | None:
    """Seconds until ``is_lit`` changes, always more than 0; None when it never does."""
    slots = RHYTHMS[rhythm]
    now = slot_at(seconds)
    for ahead in range(1, len(slots)):
        if slots[(now + ahead) % len(slots)] != slots[now % len(slots)]:
            return (now + ahead) * SLOT_S - seconds
    return None


def level(lamp: Lamp, seconds: float, *, pwm: bool) -> Level:
    """Red, green and blue, 0 to 1, *seconds* after *lamp* was shown. Without *pwm* only 0 and 1: amber is red and
    green."""
    if not is_lit(lamp.rhythm, seconds):
        return _DARK
    red, green, blue = COLOURS[lamp.colour]
    return (red, green, blue) if pwm else (float(red > 0), float(green > 0), float(blue > 0))


# --- the lamps ----------------------------------------------------------------------------------------------------


class Light(ABC):
    """One lamp: what it is to show, since when, and what it shows."""

    def __init__(self) -> None:
        self.lamp = Lamp()
        self.since = 0.0
        self.level = _DARK

    def shine(self, wanted: Level) -> None:
        if wanted != self.level:
            self.set(wanted)
            self.level = wanted

    @abstractmethod
    def set(self, wanted: Level) -> None:
        """Make it shine so."""


class PlayedLamps(Played):
    """Lamps and the thread that plays their rhythms, from ``__enter__`` to ``__exit__``, which leaves them dark.

    ``__enter__`` raises Missing when they cannot be had.
    """

    reason = ""
    """Why there are no lamps: there are."""

    pwm = True
    """Whether a colour may be dimmed."""

    longest_wait_s: float | None = None
    """Seconds after which the lamps are sent again though none has changed; None: never."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__("lamps", clock)
        self.seats: list[Any] = []
        self.centre: Any = None

    @abstractmethod
    def open(self) -> None:
        """Fill ``seats`` and ``centre`` with a Light each. Raises Missing; what was opened is given back then."""

    @abstractmethod
    def send(self) -> None:
        """Bring to the lamps what their lights were set to, where that takes a step of its own."""

    @abstractmethod
    def give_back(self) -> None:
        """Leave what ``open`` took; all lights are dark."""

    def show(self, lamps: Lamps) -> None:
        """Make the lamps show *lamps*; those that show theirs already are not touched. A seat without a lamp is
        skipped. Raises what went wrong in the thread that plays the rhythms, if it died."""
        with self.asked() as now:
            wanted: list[tuple[Light, Lamp]] = list(zip(self.seats, lamps.seats, strict=False))
            if self.centre is not None:
                wanted.append((self.centre, lamps.centre))
            changed = [(light, lamp) for light, lamp in wanted if lamp != light.lamp]
            for light, lamp in changed:
                light.lamp, light.since = lamp, now
                light.shine(level(lamp, 0.0, pwm=self.pwm))
            if changed:
                self.send()
                self.wake()

    def play(self, now: float) -> float | None:
        """Bring every lamp to what its rhythm shows at *now*; seconds until the next change, None if there is none."""
        waits = [] if self.longest_wait_s is None else [self.longest_wait_s]
        with self._changed:
            for light in self._lights():
                elapsed = max(0.0, now - light.since)
                light.shine(level(light.lamp, elapsed, pwm=self.pwm))
                if (wait := seconds_to_change(light.lamp.rhythm, elapsed)) is not None:
                    waits.append(wait)
            self.send()
        return min(waits, default=None)

    def leave(self) -> None:
        if lights := self._lights():
            for light in lights:
                light.set(_DARK)
            self.send()
        self.give_back()
        self.seats, self.centre = [], None

    def _lights(self) -> list[Any]:
        return self.seats if self.centre is None else [*self.seats, self.centre]


class PinLight(Light):
    """A lamp on pins: the LEDs of red, green and blue, or a single one."""

    def __init__(self, leds: Sequence[Any]) -> None:
        super().__init__()
        self.leds = leds

    def set(self, wanted: Level) -> None:
        single = (float(max(wanted) > 0),)
        for led, value in zip(self.leds, wanted if len(self.leds) > 1 else single, strict=True):
            led.value = value


class GpioLamps(PlayedLamps):
    """Lamps on pins.

    *pwm* dims colours by software pulses, which flicker on a busy Pi: without it a pin is on or off. *pin_factory* is
    gpiozero's; None means its default. ``__enter__`` raises Missing that names the lamp, the pin that cannot be had,
    and its holder if that can be told.
    """

    def __init__(
        self,
        pins: PinMap,
        *,
        common_anode: bool = False,
        pwm: bool = False,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(clock=clock)
        self.pwm = pwm
        self._pins = pins
        self._common_anode = common_anode
        self._pin_factory = pin_factory
        self._leds: list[Any] = []

    def open(self) -> None:
        for seat, pins in enumerate(self._pins.seats):
            self.seats.append(self._light(f"lamp of seat {seat}", pins))
        if self._pins.centre is not None:
            self.centre = self._light("lamp of the centre", self._pins.centre)

    def send(self) -> None:
        """Nothing to do: a pin is set at once."""

    def give_back(self) -> None:
        for led in self._leds:
            led.close()
        self._leds.clear()

    def _light(self, name: str, pins: LampPins) -> PinLight:
        return PinLight([self._led(name, number) for number in pins.numbers])

    def _led(self, name: str, number: int) -> Any:
        kind = PWMLED if self.pwm else LED
        try:
            led = kind(number, active_high=not self._common_anode, pin_factory=self._pin_factory)
        except Exception as error:  # each of gpiozero's back ends has its own: lgpio.error is a bare Exception
            raise cannot_have(name, number, error, self._pin_factory) from error
        self._leds.append(led)
        return led


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
def open_lamps(config: LampsConfig, *, seats: int = 0, pin_factory: Any = None) -> Iterator[PlayedLamps | NoLamps]:
    """``with open_lamps(config) as lamps``: the lamps of *config*, or NoLamps, whose ``reason`` is one line.

    *seats* are those of the table, for a strip, which does not tell them itself. *pin_factory* is for other pins than
    the Pi's; gpiozero's environment variable ``GPIOZERO_PIN_FACTORY`` works too.
    """
    with ExitStack() as stack:
        try:
            lamps: PlayedLamps | NoLamps = stack.enter_context(_configured(config, stack, seats, pin_factory))
        except Missing as error:
            lamps = NoLamps(f"{error}: lamps are shown on the display")
        yield lamps


def _configured(config: LampsConfig, stack: ExitStack, seats: int, pin_factory: Any) -> PlayedLamps:
    if config.kind == "ws2812":
        from .ws2812 import SpiPort, StripLamps

        port = SpiPort(config.spi)
        return StripLamps(port, seats, pixels=config.pixels, centre=config.centre, brightness=config.brightness)
    if config.pins is None or not (config.pins.seats or config.pins.centre):
        raise Missing("no lamps in the configuration")
    if pin_factory is None:
        pin_factory = stack.enter_context(header_pins())
    return GpioLamps(config.pins, common_anode=config.common == "anode", pwm=config.pwm, pin_factory=pin_factory)
