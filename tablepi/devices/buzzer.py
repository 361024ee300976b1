"""The buzzer: plays a sound of ``views.sounds`` while the game goes on, and is silent in the end. A new sound takes the
place of one that is being made: it is the later news.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from gpiozero import Buzzer, TonalBuzzer
from gpiozero.tones import Tone

from ..views.lamps import SLOT_S
from ..views.sounds import HERTZ, SOUNDS
from .gpio import cannot_have
from .played import Played, slot_at


def sounds_at(name: str, seconds: float) -> bool:
    """Whether the sound *name* is heard *seconds* after it began."""
    slot = slot_at(seconds)
    return slot < len(SOUNDS[name]) and bool(SOUNDS[name][slot])


def seconds_to_change(name: str, seconds: float) -> float | None:
    """Seconds until ``sounds_at`` changes, always more than 0; None once the sound is over."""
    slots, now = (*SOUNDS[name], 0), slot_at(seconds)
    after = (slot for slot in range(now + 1, len(slots)) if slots[slot] != slots[now])
    slot = next(after, None)
    return None if slot is None else slot * SLOT_S - seconds


class GpioBuzzer(Played):
    """A buzzer on *pin*, from ``__enter__`` to ``__exit__``. An active one beeps by itself; a *tonal* one is given the
    pitch. ``__enter__`` raises Missing."""

    def __init__(
        self,
        pin: int,
        *,
        tonal: bool = False,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("buzzer", clock)
        self._pin = pin
        self._tonal = tonal
        self._pin_factory = pin_factory
        self._buzzer: Any = None
        self._sound: str | None = None
        self._since = 0.0
        self._heard: float | None = None  # the pitch that is heard now, in Hz

    def open(self) -> None:
        kind = TonalBuzzer if self._tonal else Buzzer
        try:
            self._buzzer = kind(self._pin, pin_factory=self._pin_factory)
        except Exception as error:  # each of gpiozero's back ends has its own: lgpio.error is a bare Exception
            raise cannot_have("buzzer", self._pin, error, self._pin_factory) from error

    def sound(self, name: str) -> None:
        """Begin the sound *name*; never waits. Raises what went wrong in the thread that plays, if it died."""
        with self.asked() as now:
            self._sound, self._since = name, now
            self.wake()

    def play(self, now: float) -> float | None:
        """Make the buzzer say what its sound has at *now*; seconds until the next change, None if there is none."""
        with self._changed:
            name, elapsed = self._sound, max(0.0, now - self._since)
            if name is None:
                return None
            self._hear(HERTZ[name] if sounds_at(name, elapsed) else None)
            return seconds_to_change(name, elapsed)

    def leave(self) -> None:
        if self._buzzer is not None:
            self._hear(None)
            self._buzzer.close()
        self._buzzer = None

    def _hear(self, hertz: float | None) -> None:
        if hertz == self._heard:
            return
        self._heard = hertz
        if self._tonal:
            self._buzzer.play(None if hertz is None else Tone.from_frequency(hertz))
        elif hertz is None:
            self._buzzer.off()
        else:
            self._buzzer.on()
