"""Buttons at the table: each closes a pin to ground, and asks for one thing (``views.screen.COMMANDS``).

gpiozero's thread hears the press and must not wait, or it hears no other: it only puts a command into the inbox, and
where that is full the press is lost, and said. Contacts bounce: gpiozero lets pass what holds for BOUNCE_S, and a
second press needs SPACING_S, which no finger misses. A button that is held, or stuck from the beginning, is no further
press.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

from gpiozero import Button

from ..errors import Missing
from ..views.screen import Command
from .gpio import cannot_have, give_back

log = logging.getLogger(__name__)

BOUNCE_S = 0.02
"""Seconds that a contact must hold."""

SPACING_S = 0.25
"""Seconds between two presses of one button, at least."""


class Inbox(Protocol):
    """Where the commands go, such as ``queue.Queue(maxsize)``."""

    def put_nowait(self, item: Command, /) -> None:
        """Raises queue.Full."""


def command_of(name: str) -> Command:
    """What the button *name* of a pin map asks for: ``seat-2`` is the confirm of seat 2."""
    seat = name.removeprefix("seat-")
    return Command(name) if seat == name else Command("confirm", seat)


@contextmanager
def open_buttons(
    pins: Mapping[str, int],
    inbox: Inbox,
    *,
    pin_factory: Any = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Mapping[str, str]]:
    """The buttons on *pins*, BCM numbers by name. What comes back says why which cannot be had; the others work.
    *pin_factory* is gpiozero's; None means its default."""
    with ExitStack() as stack:
        missing = {}
        for name, number in pins.items():
            try:
                stack.enter_context(_opened(name, number, inbox, pin_factory, clock))
            except Missing as error:
                missing[name] = str(error)
        yield missing


@contextmanager
def _opened(name: str, number: int, inbox: Inbox, pin_factory: Any, clock: Callable[[], float]) -> Iterator[None]:
    try:
        button = Button(number, pull_up=True, bounce_time=BOUNCE_S, pin_factory=pin_factory)
    except Exception as error:  # each of gpiozero's back ends has its own: lgpio.error is a bare Exception
        raise cannot_have(f"button {name}", number, error, pin_factory) from error
    command, pressed_at = command_of(name), -SPACING_S

    def pressed() -> None:
        nonlocal pressed_at
        now = clock()
        if now - pressed_at < SPACING_S:
            return
        pressed_at = now
        try:
            inbox.put_nowait(command)
        except queue.Full:
            log.warning("button %s: too much waits to be taken in, so this press is lost", name)

    try:
        button.when_pressed = pressed
        yield
    finally:
        give_back(button)
