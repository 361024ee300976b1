"""What keeps the games: the store and its disk; the clock; the power; and the table's own file."""

from __future__ import annotations

import os
import shutil

from ...journal import forgets_at_restart
from ..findings import Check, Findings, Looked, mend, ok, unknown

LEAST_ROOM = 200_000_000
"""Bytes that are to be free: about a season's photographs; the facts of a hand take 5 KB."""

OLDEST_S = 1_700_000_000
"""Seconds since 1970 of a day in 2023: a clock that says less was never set."""

POWER = (
    (0x1, "the voltage is too low now"),
    (0x4, "the processor is slowed down now"),
    (0x8, "the processor is too hot now"),
    (0x10000, "the voltage was too low since the start"),
    (0x40000, "the processor was slowed down since the start"),
    (0x80000, "the processor was too hot since the start"),
)
"""Bits of ``get_throttled``, as the documentation of ``vcgencmd`` has them."""

_HOT = 0x8 | 0x80000


def _file(looked: Looked) -> Findings:
    try:
        wrong = looked.wrong or looked.checked()
    except ImportError as error:  # of numpy or OpenCV, which have checks of their own
        return unknown(f"the table's film or faces cannot be looked at: {error}")
    if wrong:
        return [mend(complaint, f"tablepi config check {looked.file}") for complaint in wrong]
    return looked.no_file or ok(f"{looked.file} can be used")


def _writable(looked: Looked) -> Findings:
    host = looked.host
    if looked.store is None:
        return mend(looked.no_store, "name a folder of yours with --store")
    if not host.may(host.at(str(looked.store)), os.R_OK | os.W_OK | os.X_OK):
        how = f"run as its owner, or sudo chown -R {host.user} {looked.store}"
        return mend(f"{host.user} may not write to {looked.store}: no record is kept", how)
    return ok(f"games are kept in {looked.store}")


def _room(looked: Looked) -> Findings:
    if looked.store is None:
        return unknown("there is no store")
    try:
        free = shutil.disk_usage(looked.host.at(str(looked.store))).free
    except OSError as error:
        return unknown(f"{looked.store}: {error.strerror}")
    if free < LEAST_ROOM:
        how = f"sudo apt clean; delete what is not needed, or take photographs out of {looked.store}"
        return mend(f"{free // 1_000_000} MB are free on the disk of {looked.store}", how)
    return ok(f"{free // 1_000_000} MB are free")


def _overlay(looked: Looked) -> Findings:
    """With the overlay root of raspi-config all writes succeed, and are gone after the next start."""
    if looked.store is None:
        return unknown("there is no store")
    mounts = looked.host.text("/proc/self/mountinfo")
    if not mounts:
        return unknown("the disks cannot be listed (/proc/self/mountinfo)")
    forgets = forgets_at_restart(looked.store, mounts)
    if forgets is None:
        return ok("what is kept stays over a restart")
    return mend(forgets, "sudo raspi-config nonint do_overlayfs 1 && sudo reboot   (or --store on another disk)")


def _clock(looked: Looked) -> Findings:
    """A Pi without a battery goes on from where it was switched off: the dates of games are wrong, not their order."""
    host = looked.host
    told = host.ask(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    if told.text.strip() == "yes" or host.there("/run/systemd/timesync/synchronized"):
        return ok("the clock is set by the network")
    for rtc in host.entries("/sys/class/rtc"):
        seconds = host.text(rtc / "since_epoch")
        if seconds.isdecimal() and int(seconds) > OLDEST_S:
            return ok("the clock has a battery")
    if host.pi is None and not told.well:
        return unknown("nobody here says whether the clock is set")
    return mend(
        "nobody sets the clock, so that games get a wrong date (their order and the time limits are right)",
        "connect the network once: sudo timedatectl set-ntp true; without one, a DS3231 or the Pi 5's battery",
    )


def _throttled(looked: Looked) -> Findings:
    host = looked.host
    if host.pi is None:
        return unknown("this is no Raspberry Pi")
    files = host.entries("/sys/devices/platform", "soc*/soc*:firmware/get_throttled")
    told = host.text(files[0]) if files else host.ask(["vcgencmd", "get_throttled"]).text
    try:
        bits = int(told.strip().rpartition("=")[2], 16)
    except ValueError:
        return unknown("the firmware does not say (vcgencmd get_throttled)")
    said = [text for bit, text in POWER if bits & bit]
    if not said:
        return ok("voltage and heat have been right since the start")
    how = "take the Pi's own power supply and a short cable (27 W for a Pi 5), and hang readers on a powered hub"
    if bits & _HOT and not bits & ~_HOT:
        how = "give the Pi air: a heat sink, a fan, no closed box"
    return mend("; ".join(said), how)


CHECKS: tuple[Check, ...] = (
    Check("table-file", "the table's file can be used, and what it names: rules, deck, faces, films", _file),
    Check("store-writable", "the folder of the games may be written to", _writable),
    Check("store-disk-room", "there is room on its disk", _room),
    Check("overlay-root", "what is kept stays over a restart", _overlay),
    Check("clock", "the clock is set, by the network or by a battery", _clock),
    Check("throttled", "voltage and heat are right (a Raspberry Pi)", _throttled),
)
