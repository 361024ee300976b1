"""The pins of the header: lamps, buttons, buzzer. ``config.txt`` is the firmware's, as its documentation describes it:
https://www.raspberrypi.com/documentation/computers/config_txt.html; which overlay takes which pins is from the
overlays' README beside the firmware."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from ..findings import Check, Finding, Findings, Looked, mend, ok, ran, unknown
from ..host import Host, is_table
from ..plugged import gpio_chips

_NO_PINS = unknown("the table has no lamps, buttons or buzzer")
_NO_PI = unknown("this is no Raspberry Pi")

LGPIO = "import lgpio; lgpio.gpiochip_open"

_ON = ("on", "1", "yes", "true", "okay")
_SPI0 = (7, 8, 9, 10, 11)
_I2S = (18, 19, 20, 21)
_PARAMETERS = {
    "spi": _SPI0,
    "i2c": (2, 3),
    "i2c1": (2, 3),
    "i2c_arm": (2, 3),
    "i2s": _I2S,
    "uart0": (14, 15),
    "uart0_console": (14, 15),
}
_OVERLAYS = {
    "i2c-rtc": (2, 3),
    "uart0": (14, 15),
    "uart1": (14, 15),
    "uart2": (0, 1),
    "uart3": (4, 5),
    "uart4": (8, 9),
    "uart5": (12, 13),
    "uart0-pi5": (14, 15),
    "uart1-pi5": (0, 1),
    "uart2-pi5": (4, 5),
    "uart3-pi5": (8, 9),
    "uart4-pi5": (12, 13),
    "pwm": (18,),
    "pwm-2chan": (18, 19),
    "spi1-1cs": (18, 19, 20, 21),
}
_SOUND = ("hifiberry", "iqaudio", "justboom", "googlevoicehat", "max98357a", "i2s-dac", "allo-")


def boot_lines(host: Host) -> list[str]:
    """The settings of ``config.txt`` that hold for this Raspberry Pi."""
    text = host.text("/boot/firmware/config.txt") or host.text("/boot/config.txt")
    holds, lines = True, []
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if section := re.fullmatch(r"\[(.*)\]", line):
            holds = section[1] in ("all", f"pi{host.pi}", f"pi{host.pi}+") or (section[1], host.pi) == ("pi02", 3)
        elif line and holds:
            lines.append(line)
    return lines


def taken_pins(host: Host) -> dict[int, str]:
    """The pins that ``config.txt`` gives to the kernel, each with the setting that does."""
    return {pin: line for line in boot_lines(host) for pin in _taken_by(line)}


def _taken_by(line: str) -> Iterator[int]:
    key, _, value = line.replace(" ", "").partition("=")
    if key == "enable_uart" and value == "1":
        yield from (14, 15)
    elif key == "dtparam":
        for told in value.split(","):
            name, _, state = told.partition("=")
            if state.lower() in _ON:
                yield from _PARAMETERS.get(name, ())
    elif key == "dtoverlay":
        name, *parameters = value.split(",")
        if name in ("w1-gpio", "w1-gpio-pullup"):
            pin = dict(told.partition("=")[::2] for told in parameters).get("gpiopin", "4")
            yield from (int(pin),) if pin.isdecimal() else ()
        elif name.startswith("spi0-"):
            yield from _SPI0
        elif name.startswith(_SOUND):
            yield from _I2S
        else:
            yield from _OVERLAYS.get(name, ())


def _gpio_chip(looked: Looked) -> Findings:
    if not looked.pins():
        return looked.no_file or _NO_PINS
    host = looked.host
    found = gpio_chips(host)
    chip = next((chip for chip in found if chip.line), None)
    if chip is not None:
        return ok(f"{chip.node} is the header's ({chip.name})")
    if found:
        return mend(f"{host.user} may not open {found[0].node}", f"sudo adduser {host.user} gpio, and log in again")
    if host.pi is None:
        return mend("the table has pins, and this is no Raspberry Pi", "take lamps: out of the table's file")
    told = "no GPIO chip has a label of the header's" if host.entries("/dev", "gpiochip*") else "there is no GPIO chip"
    return mend(told, "sudo apt update && sudo apt full-upgrade && sudo reboot")


def _lgpio(looked: Looked) -> Findings:
    if not looked.pins():
        return looked.no_file or _NO_PINS
    host = looked.host
    if host.pi is None:
        return _NO_PI
    last = ran(host, LGPIO, "lgpio can be imported, and is whole")
    if isinstance(last, Finding):
        return last
    apt = "sudo apt install python3-lgpio"
    if "has no attribute" in last:
        return mend(
            "lgpio is the empty package of that name (0.0.0.2)", f"{host.python} -m pip uninstall -y lgpio\n{apt}"
        )
    if "No module named" in last:
        return mend(
            "lgpio is not installed, or this environment does not see it",
            f"{apt}\nrm -r .venv && make .venv/.installed   (on a Pi that sees the system's packages)",
        )
    return mend(f"lgpio cannot be imported: {last}", f"{host.python} -m pip uninstall -y lgpio\n{apt}")


def _busy_pins(looked: Looked) -> Findings:
    host, pins = looked.host, looked.pins()
    if not pins:
        return looked.no_file or _NO_PINS
    chip = next((chip for chip in gpio_chips(host) if chip.line), None)
    if chip is None:
        return unknown("no GPIO chip that can be asked")
    table = [pid for pid, words in host.processes() if is_table(words)]
    if table:
        return ok(f"the table runs (process {table[0]}), and has its pins itself")
    found = []
    for pin, what in sorted(pins.items()):
        holder = host.pin_holder(host.at(chip.node), pin)
        if holder is not None:
            how = f"end what has it (gpioinfo shows it as {holder}), or wire the {what} to another pin"
            found.append(mend(f"GPIO {pin} ({what}) is taken by {holder}", how))
    return found or ok(f"all {len(pins)} pins are free")


def _spi_pins(looked: Looked) -> Findings:
    host, pins = looked.host, looked.pins()
    ours = [pin for pin in _SPI0 if pin in pins]
    if not ours:
        return looked.no_file or unknown("the table uses none of the pins of SPI (GPIO 7 to 11)")
    setting = next((line for pin, line in taken_pins(host).items() if pin in _SPI0 and "spi" in line), None)
    if host.entries("/dev", "spidev0.*") or setting is not None:
        what = ", ".join(f"{pin} ({pins[pin]})" for pin in ours)
        return mend(f"SPI is on, and has GPIO {what}", "sudo raspi-config nonint do_spi 1 && sudo reboot")
    return ok("SPI is off: its pins are free")


def _spi_on(looked: Looked) -> Findings:
    host, lamps = looked.host, looked.config.lamps
    if lamps.kind != "ws2812":
        return looked.no_file or unknown("the table's lamps are no WS2812 pixels")
    if not host.there(lamps.spi):
        return mend(f"{lamps.spi} is not there: SPI is off", "sudo raspi-config nonint do_spi 0 && sudo reboot")
    if not host.may(host.at(lamps.spi), os.R_OK | os.W_OK):
        return mend(f"{host.user} may not use {lamps.spi}", f"sudo adduser {host.user} spi, and log in again")
    if host.folder_of("spidev") is None:
        return mend("spidev is not installed, or this environment does not see it", "sudo apt install python3-spidev")
    return ok(f"{lamps.spi} may be used")


def _overlay_pins(looked: Looked) -> Findings:
    host, pins = looked.host, looked.pins()
    if not pins:
        return looked.no_file or _NO_PINS
    if host.pi is None:
        return _NO_PI
    both = {pin: line for pin, line in taken_pins(host).items() if pin in pins and "spi=" not in line}
    found: list[Finding] = []
    for line in dict.fromkeys(both.values()):
        what = ", ".join(f"{pin} ({pins[pin]})" for pin, told in sorted(both.items()) if told == line)
        found.append(mend(f"{line} takes GPIO {what}", "take that line out of /boot/firmware/config.txt, and restart"))
    return found or ok("config.txt gives none of the table's pins to anything else")


CHECKS = (
    Check("gpio-chip", "the header's GPIO chip is found by its label, and may be opened", _gpio_chip),
    Check("lgpio-stub", "lgpio is there, and not the empty package of that name", _lgpio),
    Check("busy-pins", "no other program has one of the table's pins", _busy_pins),
    Check("spi-pins", "SPI is off where the table uses its pins", _spi_pins),
    Check("spi-on", "SPI is on and may be used by this user, where the lamps are WS2812 pixels", _spi_on),
    Check("overlay-pins", "config.txt gives the table's pins to nothing else (1-Wire, I²C, I²S, UARTs)", _overlay_pins),
)
