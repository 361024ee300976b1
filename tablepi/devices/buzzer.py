"""The buzzer: plays a sound of ``views.sounds`` while the game goes on, and is silent in the end.

Like the lamps it is played by one thread that wakes only at a change. A new sound takes the place of one that is being
made: it is the later news.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from gpiozero import Buzzer, TonalBuzzer
from gpiozero.tones import Tone

from ..views.lamps import SLOT_S
from ..views.sounds import HERTZ, SOUNDS
from .gpio import cannot_have


def sounds_at(name: str, seconds: float) -> bool:
    """Whether the sound *name* is heard *seconds* after it began."""
    slot = _slot(seconds)
    return slot < len(SOUNDS[name]) and bool(SOUNDS[name][slot])


def seconds_to_change(name: str, seconds: float) -> float | None:
    """Seconds until ``sounds_at`` changes, always more than 0; None once the sound is over."""
    slots, now = (*SOUNDS[name], 0), _slot(seconds)
    after = (slot for slot in range(now + 1, len(slots)) if slots[slot] != slots[now])
    slot = next(after, None)
    return None if slot is None else slot * SLOT_S - seconds


def _slot(seconds: float) -> int:
    return int(seconds / SLOT_S + 1e-6)


class GpioBuzzer:
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
        self._pin = pin
        self._tonal = tonal
        self._pin_factory = pin_factory
        self._clock = clock
        self._buzzer: Any = None
        self._sound: str | None = None
        self._since = 0.0
        self._heard: float | None = None  # the pitch that is heard now, in Hz
        self._changed = threading.Condition()
        self._closing = False
        self._bug: Exception | None = None
        self._player = threading.Thread(target=self._play_on, name="buzzer", daemon=True)

    def __enter__(self) -> Self:
        kind = TonalBuzzer if self._tonal else Buzzer
        try:
            self._buzzer = kind(self._pin, pin_factory=self._pin_factory)
        except Exception as error:  # each of gpiozero's back ends has its own: lgpio.error is a bare Exception
            raise cannot_have("buzzer", self._pin, error, self._pin_factory) from error
        atexit.register(self.close)
        self._player.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def sound(self, name: str) -> None:
        """Begin the sound *name*; never waits. Raises what went wrong in the thread that plays, if it died."""
        with self._changed:
            if self._bug is not None:
                raise self._bug
            self._sound, self._since = name, self._clock()
            self._changed.notify()

    def play(self, now: float) -> float | None:
        """Make the buzzer say what its sound has at *now*; seconds until the next change, None if there is none."""
        with self._changed:
            name, elapsed = self._sound, max(0.0, now - self._since)
            if name is None:
                return None
            self._hear(HERTZ[name] if sounds_at(name, elapsed) else None)
            return seconds_to_change(name, elapsed)

    def close(self) -> None:
        """Silent, and the pin given back. A second call does nothing."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._player.is_alive():
            self._player.join()
        if self._buzzer is not None:
            self._hear(None)
            self._buzzer.close()
        self._buzzer = None
        atexit.unregister(self.close)

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

    def _play_on(self) -> None:
        try:
            with self._changed:
                while not self._closing:
                    self._changed.wait(self.play(self._clock()))
        except Exception as bug:  # raised again by the next sound
            self._bug = bug
