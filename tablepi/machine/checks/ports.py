"""Readers: their ports, and what else on the machine wants them."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..findings import Check, Finding, Findings, Looked, mend, ok, unknown
from ..host import Host, is_table
from ..plugged import Plugged, absent, cameras, serial_ports, usb_devices

_NO_PORTS = unknown("the table names no serial port of this machine")
_NONE_THERE = unknown("none of the table's serial ports is there")

ACS = "072f"
"""The USB vendor of the ACR122U (Advanced Card Systems)."""

_BY_NUMBER = re.compile(r"/dev/(ttyUSB|ttyACM|video)[0-9]+")
_UART_BY_NUMBER = re.compile(r"/dev/ttyAMA[1-9]")
_CONSOLE = re.compile(r"(?:^| )console=(ttyAMA[0-9]+|ttyS[0-9]+|serial[01])(?:,\S*)?(?= |$)")

BLACKLIST = "printf 'blacklist pn533_usb\\nblacklist pn533\\nblacklist nfc\\n' | sudo tee /etc/modprobe.d/tablepi.conf"


def _there(looked: Looked) -> Findings:
    if looked.no_file is not None:
        return looked.no_file
    away = absent(looked.host, looked.config, cameras(looked.host))
    told = [
        mend(f"{device} ({what}) is not there", "plug it in, or put in what `tablepi devices` shows")
        for what, device in away
    ]
    return told or ok("every reader and camera that the table names is plugged in")


def _by_number(looked: Looked) -> Findings:
    host = looked.host
    found: list[Finding] = []
    seen = [*serial_ports(host), *cameras(host)]
    for name, device in [*looked.ports(), *looked.videos()]:
        if not _BY_NUMBER.fullmatch(device):
            continue
        lasting = next((each.name for each in seen if each.node == device and each.name != device), None)
        key = "source" if "video" in device else "port"
        how = f"{key}: {lasting}" if lasting else f"plug it in, and put in the {key} that `tablepi devices` shows"
        found.append(mend(f"{name} is named {device}, which may be another device after the next start", how))
    if not found and not [*looked.ports(), *looked.videos()]:
        return looked.no_file or unknown("the table names no device by a path")
    return found or ok("devices are named by names that stay")


def _twins(looked: Looked) -> Findings:
    """Chips without a serial number (CH340): two alike have one link by-id, which leads to either."""
    host = looked.host
    ports = serial_ports(host)
    found: list[Finding] = []
    for name, device in looked.ports():
        if not device.startswith("/dev/serial/by-id/"):
            continue
        node = host.shown(host.real(host.at(device)))
        port = next((each for each in ports if each.node == node), None)
        if port is not None and port.usb is not None and not port.usb.serial and _alike(port, ports):
            text = f"{name}: its chip has no serial number, and another like it is plugged in: {device} leads to either"
            found.append(mend(text, f"port: {port.name}   (each plug then stays in its socket)"))
    if not found and not list(looked.ports()):
        return looked.no_file or _NO_PORTS
    return found or ok("every by-id name leads to one reader")


def _alike(port: Plugged, ports: list[Plugged]) -> bool:
    return any(other is not port and other.usb == port.usb for other in ports)


def _uart_by_number(looked: Looked) -> Findings:
    if looked.host.pi != 4:
        return unknown("only the numbers of a Raspberry Pi 4's UARTs move")
    found = [
        mend(
            f"{name} is named {device}: on a Pi 4 the numbers depend on which UARTs are on",
            "name it by the UART's address, with a rule of udev: hardware/README.md",
        )
        for name, device in looked.ports()
        if _UART_BY_NUMBER.fullmatch(device)
    ]
    return found or looked.no_file or ok("no UART is named by its number")


def _may_open(looked: Looked) -> Findings:
    host = looked.host
    there = [(name, device) for name, device in looked.ports() if host.there(device)]
    if not there:
        return looked.no_file or _NONE_THERE
    refused = [(name, device) for name, device in there if not host.may(host.at(device), os.R_OK | os.W_OK)]
    if refused:
        devices = ", ".join(f"{device} ({name})" for name, device in refused)
        return mend(f"{host.user} may not open {devices}", f"sudo adduser {host.user} dialout, and log in again")
    return ok(f"{host.user} may open the readers' ports")


def held(host: Host, named: list[tuple[str, str]]) -> Findings:
    """Who else has the devices that are *named* open."""
    found: list[Finding] = []
    table = None
    for name, device in named:
        for pid, words in host.holders(host.at(device)):
            if is_table(words):
                table = pid
            else:
                program = Path(words[0]).name if words else "a program"
                text = f"{device} ({name}) is open in {program} (process {pid})"
                found.append(mend(text, f"close it, or: sudo kill {pid}"))
    if found or table is None:
        return found or ok("nobody else has them open, as far as this user may see")
    return ok(f"the running table has them (process {table})")


def _busy(looked: Looked) -> Findings:
    there = [(name, device) for name, device in looked.ports() if looked.host.there(device)]
    return held(looked.host, there) if there else looked.no_file or _NONE_THERE


def _getty(looked: Looked) -> Findings:
    """The console of the kernel, or a login, on a UART of the table (raspberrypi/bookworm-feedback 251)."""
    host = looked.host
    ours = {host.real(host.at(device)).name: name for name, device in looked.ports()}
    if not ours:
        return looked.no_file or _NO_PORTS
    consoles = {host.real(host.at(f"/dev/{tty}")).name for tty in _CONSOLE.findall(host.text("/proc/cmdline"))}
    for folder in ("/etc/systemd/system", "/run/systemd/generator"):
        for unit in host.entries(folder, "getty.target.wants/serial-getty@*.service"):
            tty = unit.name.removeprefix("serial-getty@").removesuffix(".service")
            consoles.add(host.real(host.at(f"/dev/{tty}")).name)
    found = [
        mend(
            f"/dev/{tty} ({ours[tty]}) is the console of the kernel, with a login on it",
            "sudo raspi-config nonint do_serial_cons 1\n"
            f"sudo systemctl disable --now serial-getty@{tty} && sudo reboot",
        )
        for tty in sorted(consoles & set(ours))
    ]
    return found or ok("no login and no console on the readers' ports")


def _mini_uart(looked: Looked) -> Findings:
    host = looked.host
    if host.pi not in (3, 4):
        return unknown("only a Raspberry Pi 3 or 4 gives the mini-UART to the header")
    found = [
        mend(
            f"{device} ({name}) is the mini-UART, whose speed drifts with the processor's",
            "add dtoverlay=disable-bt to /boot/firmware/config.txt, write port: /dev/ttyAMA0, and restart",
        )
        for name, device in looked.ports()
        if host.real(host.at(device)).name == "ttyS0"
    ]
    return found or looked.no_file or ok("no reader is on the mini-UART")


def _modem_manager(looked: Looked) -> Findings:
    host = looked.host
    if not any("usb" in device.lower() or "ACM" in device for _, device in looked.ports()):
        return looked.no_file or unknown("the table has no reader on USB")
    running = any(host.text(folder / "comm").startswith("ModemManager") for folder in host.entries("/proc", "[0-9]*"))
    if running and "ID_MM_DEVICE_IGNORE" not in "".join(map(host.text, host.entries("/etc/udev/rules.d", "*.rules"))):
        return mend(
            "ModemManager runs, and talks to every serial port that is plugged in",
            "sudo systemctl disable --now ModemManager   (or install hardware/99-tablepi.rules)",
        )
    return ok("no ModemManager disturbs the readers")


def _udev_rules(looked: Looked) -> Findings:
    host = looked.host
    if not any(device.startswith("/dev/tablepi/") for _, device in looked.ports()):
        return looked.no_file or unknown("the table names no port by a name of these rules (/dev/tablepi/…)")
    if any("tablepi/" in host.text(rules) for rules in host.entries("/etc/udev/rules.d", "*.rules")):
        return ok("the rules that make /dev/tablepi/… are installed")
    return mend(
        "the table names ports by /dev/tablepi/…, and the rules that make these names are not installed",
        "sudo cp hardware/99-tablepi.rules /etc/udev/rules.d/\n"
        "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=tty",
    )


# --- PC/SC --------------------------------------------------------------------------------------------------------


def _by_pcsc(looked: Looked) -> bool:
    """Whether a reader is spoken to by PC/SC: the table names one, or one is plugged in."""
    named = any(reader.kind == "pcsc" for reader in looked.config.readers)
    return named or any(usb.vendor == ACS for usb in usb_devices(looked.host))


_NO_PCSC = unknown("the table names no reader by PC/SC, and none (ACR122U) is plugged in")


def _pn533(looked: Looked) -> Findings:
    """The kernel's driver takes the ACR122U away from pcscd (acshk/acsccid 3)."""
    host = looked.host
    modules = {line.partition(" ")[0] for line in host.text("/proc/modules").splitlines()}
    if not _by_pcsc(looked):
        return _NO_PCSC
    if "pn533_usb" in modules:
        text = "the kernel's driver pn533_usb has taken the reader, so that pcscd cannot have it"
        return mend(text, f"{BLACKLIST}\nsudo modprobe -r pn533_usb")
    return ok("no driver of the kernel takes the reader away")


def _pcscd(looked: Looked) -> Findings:
    if not _by_pcsc(looked):
        return _NO_PCSC
    if looked.host.there("/run/pcscd/pcscd.comm"):
        return ok("pcscd can be asked")
    return mend("pcscd does not run", "sudo apt install pcscd && sudo systemctl enable --now pcscd.socket")


def _pyscard(looked: Looked) -> Findings:
    if not _by_pcsc(looked):
        return _NO_PCSC
    version = looked.host.installed("pyscard")
    if version is not None:
        return ok(f"pyscard {version}")
    return mend("pyscard is not installed, or this environment does not see it", "sudo apt install python3-pyscard")


def _polkit(looked: Looked) -> Findings:
    """pcscd asks polkit who is there, and that refuses who has no session of his own (LudovicRousseau/PCSC 229)."""
    host = looked.host
    if not _by_pcsc(looked):
        return _NO_PCSC
    if "tablepi:" not in host.text("/etc/passwd"):
        return unknown("the table is no service here: there is no user tablepi")
    if any("org.debian.pcsc-lite" in host.text(rules) for rules in host.entries("/etc/polkit-1/rules.d")):
        return ok("a rule lets the service use pcscd")
    rule = (
        'polkit.addRule(function(a, s) { if (a.id.indexOf("org.debian.pcsc-lite.") == 0 && s.user == "tablepi") '
        "return polkit.Result.YES; });"
    )
    return mend(
        "polkit keeps the service's user from pcscd", f"echo '{rule}' | sudo tee /etc/polkit-1/rules.d/50-tablepi.rules"
    )


CHECKS = (
    Check("devices-there", "every reader and camera that the table names is plugged in", _there),
    Check("usb-by-number", "no device is named by a number that moves (/dev/ttyUSB0, /dev/video0)", _by_number),
    Check("usb-twins", "no by-id name belongs to two readers without a serial number", _twins),
    Check("uart-by-number", "no UART of a Raspberry Pi 4 is named by its number", _uart_by_number),
    Check("group-dialout", "the readers' ports may be opened by this user", _may_open),
    Check("busy-port", "no other program has a reader's port open", _busy),
    Check("serial-getty", "no login and no console of the kernel is on a reader's UART", _getty),
    Check("mini-uart", "no reader is on the mini-UART, whose speed drifts", _mini_uart),
    Check("modem-manager", "ModemManager does not talk to the readers", _modem_manager),
    Check("udev-rules", "the rules that make /dev/tablepi/… are there when the table names such a port", _udev_rules),
    Check("pn533-module", "the kernel does not take the ACR122U away", _pn533),
    Check("pcscd", "pcscd can be asked where a reader needs it", _pcscd),
    Check("pyscard", "pyscard is installed where a reader needs it", _pyscard),
    Check("polkit-pcsc", "polkit lets the service's user have pcscd", _polkit),
)
