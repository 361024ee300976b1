"""What a check finds, and what it looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..config import Config
from .host import Host

Verdict = Literal["ok", "mend", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """*text* is what is the matter, or that nothing is; of ``unknown``, why it was not looked at. *how* is the command
    or the line that mends it; several are a line each."""

    verdict: Verdict
    text: str
    how: str = ""


def ok(text: str) -> Finding:
    return Finding("ok", text)


def mend(text: str, how: str) -> Finding:
    return Finding("mend", text, how)


def unknown(why: str) -> Finding:
    return Finding("unknown", why)


def ran(host: Host, python: str, well: str) -> Finding | str:
    """That a line of *python* runs on *host*, which is as *well* says, or that it could not be tried; else the last
    line of what it said."""
    told = host.ask([host.python, "-c", python])
    if told.well:
        return ok(well)
    if told.status is None:
        return unknown(told.text)
    return (told.text.splitlines() or [f"it ended with {told.status}"])[-1]


@dataclass(frozen=True)
class Looked:
    """What the checks look at: the *host*, and the table of *config*, from *file*. Without a file *config* is a table
    without devices; *wrong* are the complaints of a file that cannot be used, and *checked* gives those of one that can
    be read: of what it names, too. *store* is the folder of the games, None when it cannot be had, *no_store* why."""

    host: Host
    config: Config
    file: Path | None = None
    wrong: tuple[str, ...] = ()
    checked: Callable[[], tuple[str, ...]] = tuple
    store: Path | None = None
    no_store: str = ""

    @property
    def no_file(self) -> Finding | None:
        """That nothing is known of the table's devices, where that is so."""
        if self.wrong:
            return unknown("the table's file cannot be read")
        return unknown("no table's file was named (--config)") if self.file is None else None

    def pins(self) -> dict[int, str]:
        """The pins that the table uses, in BCM numbers, and what for."""
        resets = {reader.reset: f"reset of {reader.name}" for reader in self.config.readers if reader.reset is not None}
        pins = self.config.lamps.pins
        if pins is None:
            return resets
        lamps = [(f"lamp of seat {seat}", lamp) for seat, lamp in enumerate(pins.seats)]
        lamps += [("lamp of the centre", pins.centre)] if pins.centre is not None else []
        used = resets | {pin: name for name, lamp in lamps for pin in lamp.numbers}
        used |= {pin: f"button {name}" for name, pin in pins.buttons.items()}
        return used | ({pins.buzzer: "buzzer"} if pins.buzzer is not None else {})

    def ports(self) -> Iterator[tuple[str, str]]:
        """The serial ports of this machine that the table names: whose, and its path."""
        here = ((reader.name, reader.port) for reader in self.config.readers if reader.port.startswith("/dev/"))
        yield from ((name, port) for name, port in here if not port.startswith("/dev/input/"))

    def videos(self) -> Iterator[tuple[str, str]]:
        """The cameras of the table that are named by a path in ``/dev``: what they are called there, and the path."""
        for camera in self.config.cameras:
            if camera.source.startswith("/dev/"):
                yield camera.name, camera.source

    def own_cameras(self) -> Iterator[tuple[str, str]]:
        """The Raspberry Pi's own that the table names, each as ``rpicam`` or ``rpicam:1``."""
        for camera in self.config.cameras:
            if camera.source.startswith("rpicam"):
                yield camera.name, "rpicam" if camera.source == "rpicam:0" else camera.source


Findings = Finding | Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Check:
    """*look* answers whether it is *what*; *name* stays, for scripts and for people who ask each other."""

    name: str
    what: str
    look: Callable[[Looked], Findings]
