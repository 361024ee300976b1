"""The reset pin of PN532 boards: their RSTPDN on a pin of the Pi, which brings back a chip that nothing else wakes.

Several boards may hang on one pin. A pulse resets them all, and each reader finds its chip again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from ..errors import Missing
from .gpio import cannot_have, header_pins

log = logging.getLogger(__name__)

LOW_S = 0.01
"""Seconds that the pin is held low."""

READY_S = 0.05
"""Seconds that the chip gets afterwards: its clock starts, and its firmware (an estimate, for want of a figure)."""


class ResetPin:
    """A pin, in BCM numbers, that is low while the boards on it are reset, and else high. Call it to reset them: it
    returns when they have had their time. A pin that cannot be had is said once in the log.

    *pin_factory* is gpiozero's; None: that of this Pi's header.
    """

    def __init__(self, number: int, pin_factory: Any = None, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._number = number
        self._pin_factory = pin_factory
        self._pause = pause
        self._lock = threading.Lock()  # the threads of the readers that share it
        self._pin: Any = None
        self._refused = False
        self._opened_until_the_end = ExitStack()

    def __call__(self) -> None:
        with self._lock:
            pin = self._opened()
            if pin is not None:
                pin.on()
                self._pause(LOW_S)
                pin.off()
                self._pause(READY_S)

    def _opened(self) -> Any:
        if self._pin is None and not self._refused:
            from gpiozero import DigitalOutputDevice

            factory = self._pin_factory
            try:
                factory = factory or self._opened_until_the_end.enter_context(header_pins())
                self._pin = DigitalOutputDevice(self._number, active_high=False, pin_factory=factory)
            except Exception as error:  # gpiozero's and those of its back ends have no base of their own
                self._refused = True
                missing = error if isinstance(error, Missing) else cannot_have("reset", self._number, error, factory)
                log.warning("the boards cannot be reset: %s", missing)
        return self._pin
