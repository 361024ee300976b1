"""What is plugged in, by the names that stay: for each device the line that goes into the table's file.

Numbers (``/dev/ttyUSB0``, ``/dev/video0``) are whichever was found first. The names that stay are made by udev: by-id
where the chip has a serial number, by-path, that of its socket, where it has none: then two alike have one name by-id,
which leads to either of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from ..config import Config
from ..devices.gpio import PI_CHIPS
from ..devices.querycap import OF_THE_PI, Capabilities
from .host import Host

KINDS = {
    "serial": "serial ports",
    "camera": "cameras",
    "pins": "pins",
    "pcsc": "readers by PC/SC",
    "keyboard": "keyboards (readers that type may be among them)",
    "spi": "SPI",
    "display": "displays",
}
"""Every kind of device, and its heading."""

READERS = {"serial": "", "pcsc": "kind: pcsc, ", "keyboard": "kind: wedge, "}
"""Kinds of devices that may be readers, and what tells it in the table's file."""

_READERS_PCSC = "import smartcard.System as s; print(*s.readers(), sep='\\n')"
_PI_CAMERA = re.compile(r"^([0-9]) : (\S+)", re.MULTILINE)
_MODE = re.compile(r"[0-9]{3,5}x[0-9]{3,5}")
_PORT_UNKNOWN = "0"  # linux/serial_core.h: a place for a UART that is not there


@dataclass(frozen=True, slots=True)
class Usb:
    """A USB device: vendor and product in hex; what it calls itself and its serial number, empty where it has none."""

    vendor: str
    product: str
    name: str = ""
    serial: str = ""

    def __str__(self) -> str:
        return f"{self.vendor}:{self.product} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Plugged:
    """One device. *name* is the one that stays, *node* what the kernel calls it now, *what* it says of itself, *line*
    what goes into the table's file, and *used* by what of that file it is used, if it is."""

    kind: str
    name: str
    node: str = ""
    what: str = ""
    line: str = ""
    usb: Usb | None = None
    note: str = ""
    used: str = ""


def usb_of(host: Host, device: Path) -> Usb | None:
    """The USB device of which the device at *device* in ``/sys`` is a part; None when it is on no USB."""
    top = host.real(host.at("/sys"))
    for folder in (host.real(device), *host.real(device).parents):
        if folder == top or not folder.is_relative_to(top):
            return None
        if vendor := host.text(folder / "idVendor"):
            names = (host.text(folder / "manufacturer"), host.text(folder / "product"))
            product, serial = host.text(folder / "idProduct"), host.text(folder / "serial")
            return Usb(vendor, product, " ".join(filter(None, names)), serial)
    return None


def usb_devices(host: Host) -> list[Usb]:
    """All that is on USB."""
    found = (usb_of(host, folder) for folder in host.entries("/sys/bus/usb/devices") if ":" not in folder.name)
    return [usb for usb in found if usb is not None]


def lasting(host: Host, node: Path, folder: str, *, apart: bool) -> str:
    """The name that stays of *node* in ``/dev``: one of *folder*'s by-id, or of its by-path where two alike cannot be
    told *apart* by-id; the node's own where udev has made none."""
    for by in ("by-id", "by-path") if apart else ("by-path", "by-id"):
        for link in host.entries(f"/dev/{folder}/{by}"):
            if host.real(link) == host.real(node):
                return host.shown(link)
    return host.shown(node)


# --- serial ports -------------------------------------------------------------------------------------------------


def serial_ports(host: Host) -> list[Plugged]:
    """Ports behind which something may be: no virtual consoles, and no place for a UART that is not there."""
    found = []
    for tty in host.entries("/sys/class/tty"):
        node = host.at(f"/dev/{tty.name}")
        if not (tty / "device").exists() or host.text(tty / "type") == _PORT_UNKNOWN or not node.exists():
            continue
        if host.real(host.at("/dev/serial1")) == host.real(node):
            continue  # the one that Bluetooth has
        usb = usb_of(host, tty / "device")
        name = lasting(host, node, "serial", apart=usb is None or bool(usb.serial))
        what = str(usb) if usb is not None else "a UART on the header" if host.pi else "a serial port of this machine"
        note = ""
        if usb is not None and name == host.shown(node):
            note = "udev has made no lasting name: the number may be another tomorrow"
        elif usb is not None and not usb.serial:
            note = "it has no serial number: its name is that of its socket"
        found.append(Plugged("serial", name, host.shown(node), what, usb=usb, note=note))
    return found


# --- cameras ------------------------------------------------------------------------------------------------------


def cameras(host: Host) -> list[Plugged]:
    """USB cameras, and the Raspberry Pi's own as its program lists them."""
    found = []
    for video in host.entries("/sys/class/video4linux", "video*"):
        node = host.at(f"/dev/{video.name}")
        says = camera_says(host, node)
        usb = usb_of(host, video / "device")
        if usb is None and says is None:
            continue  # what the Pi's decoders and its own camera are made of, or nothing that we may ask
        if says is not None and (says.driver in OF_THE_PI or says.driver.startswith("bcm2835") or not says.captures):
            continue
        name = lasting(host, node, "v4l", apart=usb is None or bool(usb.serial))
        what = says.card if says is not None else host.text(video / "name")
        note = "" if says is not None else "not allowed to ask it: add this user to the group video"
        found.append(Plugged("camera", name, host.shown(node), what, f"camera: {{source: {_quoted(name)}}}", usb, note))
    return found + pi_cameras(host)


def camera_says(host: Host, node: Path) -> Capabilities | None:
    """What the camera at *node* says of itself; None when it cannot be asked."""
    try:
        return host.camera_says(node)
    except OSError:
        return None


def pi_cameras(host: Host) -> list[Plugged]:
    """The Pi's own cameras, in the order in which ``rpicam:1`` counts."""
    told = host.ask(["rpicam-hello", "--list-cameras"])
    if not told.well:
        return []
    return [
        Plugged("camera", name, what=f"the Pi's own: {sensor}", line=f"camera: {{source: {name}}}")
        for number, sensor in _PI_CAMERA.findall(told.text)
        for name in ("rpicam" if number == "0" else f"rpicam:{number}",)
    ]


# --- the rest -----------------------------------------------------------------------------------------------------


def gpio_chips(host: Host) -> list[Plugged]:
    """The GPIO chip behind the header, by its label."""
    found = []
    for chip in host.entries("/dev", "gpiochip*"):
        try:
            label = host.chip_label(chip)
        except PermissionError:
            note = "not allowed to ask it: add this user to the group gpio"
            found.append(Plugged("pins", host.shown(chip), host.shown(chip), note=note))
            continue
        except OSError:
            continue
        if label in PI_CHIPS:
            line = "lamps: {pins: pins-four-seats.yaml}"
            found.append(Plugged("pins", label, host.shown(chip), f"the header of a {PI_CHIPS[label]}", line))
    return found


def pcsc_readers(host: Host) -> list[Plugged]:
    """The readers that pcscd knows, where pyscard is installed."""
    if host.installed("pyscard") is None:
        return []
    told = host.ask([host.python, "-c", _READERS_PCSC])
    return [Plugged("pcsc", name, what="PC/SC") for name in told.text.splitlines() if told.well and name.strip()]


def keyboards(host: Host) -> list[Plugged]:
    """Keyboards on USB: a reader that types its numbers is one."""
    found = []
    for link in host.entries("/dev/input/by-id", "*-event-kbd"):
        node = host.real(link)
        name = host.text(host.at(f"/sys/class/input/{node.name}/device/name"))
        usb = usb_of(host, host.at(f"/sys/class/input/{node.name}/device"))
        found.append(Plugged("keyboard", host.shown(link), host.shown(node), name or str(usb or ""), usb=usb))
    return found


def spi_devices(host: Host) -> list[Plugged]:
    return [Plugged("spi", host.shown(device), host.shown(device)) for device in host.entries("/dev", "spidev*")]


def displays(host: Host) -> list[Plugged]:
    """The connectors on which a screen is."""
    found = []
    for status in host.entries("/sys/class/drm", "card*-*/status"):
        if host.text(status) != "connected":
            continue
        card, _, connector = status.parent.name.partition("-")
        mode = next(iter(host.text(status.parent / "modes").splitlines()), "")
        size = f"size: {mode}, " if _MODE.fullmatch(mode) else ""
        line = f"display: {{{size}fullscreen: true}}"
        found.append(Plugged("display", connector, f"/dev/dri/{card}", mode, line))
    return found


def everything(host: Host) -> list[Plugged]:
    """All that is there, of every kind."""
    return [
        *serial_ports(host),
        *cameras(host),
        *gpio_chips(host),
        *pcsc_readers(host),
        *keyboards(host),
        *spi_devices(host),
        *displays(host),
    ]


# --- beside the table's file --------------------------------------------------------------------------------------


def named(config: Config) -> Iterator[tuple[str, str]]:
    """Each device that *config* names by a path or as the Pi's own camera: what it is there, and its name."""
    for reader in config.readers:
        yield f"reader {reader.name}", reader.port
    for camera in config.cameras:
        if camera.source.startswith(("/dev/", "rpicam")):
            yield f"camera {camera.name}", camera.source


def with_lines(found: Iterable[Plugged], host: Host, config: Config) -> list[Plugged]:
    """*found*, each with what uses it in *config*, and with the line that would make it a part of the table. Seats are
    counted on from those that have a reader; where all have one, no line is made for another."""
    used = {_device(host, device): what for what, device in named(config)}
    names, seats = {reader.name for reader in config.readers}, {reader.seat for reader in config.readers}
    numbers = (n for n in count() if n not in seats and f"reader-{n}" not in names)
    told = []
    for each in found:
        what = used.get(_device(host, each.node or each.name), "")
        if each.kind == "pins" and config.lamps.pins is not None:
            what = "lamps"
        if each.kind == "pcsc":
            told_by = (r for r in config.readers if r.kind == "pcsc" and r.port.casefold() in each.name.casefold())
            what = next((f"reader {reader.name}" for reader in told_by), "")
        if each.kind in READERS and not what and not _of_the_board(each, host):
            n = next(numbers)
            line = f"- {{name: reader-{n}, {READERS[each.kind]}port: {_quoted(each.name)}, seat: {n}}}"
            each = replace(each, line=line if n < len(config.players) else "")
        told.append(replace(each, used=what))
    return told


def _of_the_board(each: Plugged, host: Host) -> bool:
    """Whether it is a serial port of a computer's own, where nobody connects a reader; a Pi's is on its header."""
    return each.kind == "serial" and each.usb is None and not host.pi


def absent(host: Host, config: Config, found: Iterable[Plugged]) -> list[tuple[str, str]]:
    """What *config* names and is not there, as ``named`` tells it."""
    own = {each.name for each in found if each.kind == "camera"}

    def is_there(device: str) -> bool:
        if device.startswith("rpicam"):
            return _own(device) in own
        return host.there(device)

    return [(what, device) for what, device in named(config) if _local(device) and not is_there(device)]


def _local(device: str) -> bool:
    """Whether it is a device of this machine: no URL of a port, and no film."""
    return device.startswith(("/dev/", "rpicam"))


def _own(device: str) -> str:
    return "rpicam" if device == "rpicam:0" else device


def _device(host: Host, name: str) -> str:
    """One name for all that lead to a device."""
    return str(host.real(host.at(name))) if name.startswith("/") else _own(name)


def _quoted(name: str) -> str:
    """*name* as a value in braces: in quotes where YAML would take it for something else."""
    return name if re.fullmatch(r"[\w./+@-][\w./+:@-]*", name) else f'"{name}"'
