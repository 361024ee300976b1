"""All checks, and how one is asked so that it always answers: what a check meets is a broken machine by its nature."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from .checks import keeping, pins, ports, screen, service, sight
from .findings import Check, Finding, Looked, unknown

CHECKS: tuple[Check, ...] = (
    *keeping.CHECKS,
    *ports.CHECKS,
    *sight.CHECKS,
    *pins.CHECKS,
    *screen.CHECKS,
    *service.CHECKS,
)

LONGEST_S = 50.0
"""Seconds that a check gets: the three programs that it may ask, and some."""


def examine(check: Check, looked: Looked, *, within_s: float = LONGEST_S) -> tuple[Finding, ...]:
    """What *check* finds, one or several. A check that breaks, or does not come to an end, has not looked."""
    found: list[Finding] = []

    def look() -> None:
        try:
            told = check.look(looked)
            found.extend((told,) if isinstance(told, Finding) else told)
        except Exception as fault:  # a fault of ours must not keep the other checks from being asked
            found[:] = [unknown(f"fault in tablepi: {fault!r}")]

    # A daemon, so that a disk or a driver that hangs in the kernel cannot keep the program from ending.
    thread = threading.Thread(target=look, name=check.name, daemon=True)
    thread.start()
    thread.join(within_s)
    if thread.is_alive() or not found:
        return (unknown("the machine does not answer"),)
    return tuple(found)


def examined(looked: Looked) -> Iterator[tuple[Check, Finding]]:
    """Every check with what it finds, in order."""
    for check in CHECKS:
        yield from ((check, finding) for finding in examine(check, looked))
