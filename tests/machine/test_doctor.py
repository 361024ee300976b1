"""Every check, on machines written into a folder: what is wrong there, with its mend, and that else all is well."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

import pytest
import yaml

from tablepi.commands.config import check_file
from tablepi.commands.doctor import doctor
from tablepi.config import Config, ReaderConfig, load_config
from tablepi.devices.querycap import Capabilities
from tablepi.errors import Missing
from tablepi.machine.checks.pins import LGPIO
from tablepi.machine.checks.screen import LIBRARIES
from tablepi.machine.checks.sight import NUMPY, READER
from tablepi.machine.doctor import CHECKS, examine, examined
from tablepi.machine.findings import Check, Finding, Looked, mend, ok, unknown
from tablepi.machine.host import Answer, ask, this_host

from .test_plugged import LISTED
from .trees import Tree

ROOT = Path(__file__).parents[2]
FTDI = "/dev/serial/by-id/usb-FT232R_USB_UART_A50285BI-if00-port0"
CH340 = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
WEBCAM = "/dev/v4l/by-id/usb-C920_0000000A-video-index0"
LAMPS = "lamps: {pins: {seats: [{red: 17, green: 27, blue: 22}], buttons: {confirm: 10}, buzzer: 18}}"
UNIT = (ROOT / "systemd" / "tablepi.service").read_text()

Machine = Callable[[Tree], str]
"""Writes a machine, and returns the text of its table's file without the players."""


@dataclass(frozen=True)
class Case:
    """A machine on which a check finds something, and how it differs when all is well; *of* is which Pi it is."""

    check: str
    wrong: Machine
    found: tuple[Finding, ...]
    well: Machine
    of: int | None = 5


def reader(port: str) -> str:
    return f"readers: [{{name: reader-0, port: {port}, seat: 0}}]"


def ftdi(tree: Tree) -> str:
    tree.reader("ttyUSB0", "1-1.1", "0403:6001", "FT232R USB UART", "A50285BI")
    return reader(FTDI)


def twins(tree: Tree, count: int) -> str:
    for n in range(count):
        by_id = CH340.rpartition("/")[2]
        tree.reader(f"ttyUSB{n}", f"1-1.{n + 1}", "1a86:7523", "USB Serial", by_id=by_id)
    return reader(CH340)


def webcam(tree: Tree) -> str:
    tree.camera(0, "1-2", "C920", "0000000A")
    return f"camera: {{source: {WEBCAM}}}"


def uart(tree: Tree, *, console: str) -> str:
    tree.uart("ttyAMA0")
    tree.link("/dev/serial0", "/dev/ttyAMA0")
    tree.write("/proc/cmdline", f"{console} console=tty1 root=/dev/mmcblk0p2\n")
    return reader("/dev/ttyAMA0")


def boots(tree: Tree, *lines: str) -> str:
    tree.write("/boot/firmware/config.txt", "\n".join(lines) + "\n")
    return LAMPS


def says(tree: Tree, program: str, status: int | None, text: str, table: str = "") -> str:
    tree.programs[program] = Answer(status, text)
    return table


def has(tree: Tree, table: str = "", **versions: str) -> str:
    tree.packages |= {name.replace("_", "-"): version for name, version in versions.items()}
    return table


def acs(tree: Tree, *files: tuple[str, str]) -> str:
    """A machine with an ACR122U."""
    tree.usb("1-1.4", "072f:2200", "ACR122U")
    for path, text in files:
        tree.write(path, text)
    return ""


def graphics(tree: Tree, *, settings: str = "", status: str = "connected") -> str:
    tree.screen("card0-HDMI-A-1", "disconnected", "")
    tree.screen("card1-DSI-1", status)
    if settings:
        tree.write("/etc/tablepi/environment", settings + "\n")
    return ""


def sdl(tree: Tree, build: str, content: bytes) -> str:
    graphics(tree)
    site = tree.root / "site"
    (site / f"{build}.libs").mkdir(parents=True)
    (site / f"{build}.libs" / "libSDL2-2-00000000.0.so").write_bytes(content)
    tree.folders["pygame"] = site
    return ""


def libraries(tree: Tree, *lacking: str, drivers: bool = True) -> str:
    graphics(tree)
    if drivers:
        tree.write("/usr/lib/aarch64-linux-gnu/dri/vc4_dri.so")
    listed = "\n".join(f"\t{name} (libc6,AArch64) => /lib/{name}" for name in LIBRARIES if name not in lacking)
    return says(tree, "/sbin/ldconfig -p", 0, listed)


def refusing(tree: Tree, table: str, *devices: str) -> str:
    tree.refused |= set(devices)
    return table


def unit(tree: Tree, text: str = UNIT, *, groups: str = "dialout gpio input render tty video") -> str:
    tree.write("/etc/systemd/system/tablepi.service", text)
    tree.write("/etc/passwd", "root:x:0:0::/root:/bin/sh\ntablepi:x:999:999::/var/lib/tablepi:/usr/sbin/nologin\n")
    tree.write("/etc/group", "".join(f"{name}:x:1:\n" for name in groups.split()))
    return ""


def without(*words: str) -> str:
    return "\n".join(line for line in UNIT.splitlines() if not line.startswith(words))


def both(*machines: Machine) -> Machine:
    """A machine with all of these; the table's file is that of the last."""

    def write(tree: Tree) -> str:
        return [machine(tree) for machine in machines][-1]

    return write


def holds(tree: Tree, table: str, device: str, *words: str) -> str:
    tree.process(4711, *words, holds=device)
    return table


def mounted(kind: str) -> Machine:
    def write(tree: Tree) -> str:
        tree.write("/proc/self/mountinfo", f"25 1 0:2 / / rw,noatime shared:1 - {kind} {kind} rw\n")
        return ""

    return write


def found(text: str, how: str) -> tuple[Finding, ...]:
    return (mend(text, how),)


AGAIN = "sudo cp systemd/tablepi.service /etc/systemd/system/ && sudo systemctl daemon-reload"
BLACKLIST = "printf 'blacklist pn533_usb\\nblacklist pn533\\nblacklist nfc\\n' | sudo tee /etc/modprobe.d/tablepi.conf"

CASES = (
    Case(
        "store-writable",
        lambda tree: refusing(tree, "", "/store"),
        found("rita may not write to /store: no record is kept", "run as its owner, or sudo chown -R rita /store"),
        lambda _: "",
    ),
    Case(
        "overlay-root",
        mounted("overlay"),
        found(
            "/store lies in an overlay (raspi-config, Performance, Overlay File System): games are lost at the next "
            "restart; name a folder on a disk with --store",
            "sudo raspi-config nonint do_overlayfs 1 && sudo reboot   (or --store on another disk)",
        ),
        mounted("ext4"),
    ),
    Case(
        "clock",
        lambda tree: says(tree, "timedatectl", 0, "no\n"),
        found(
            "nobody sets the clock, so that games get a wrong date (their order and the time limits are right)",
            "connect the network once: sudo timedatectl set-ntp true; without one, a DS3231 or the Pi 5's battery",
        ),
        lambda tree: says(tree, "timedatectl", 0, "yes\n"),
    ),
    Case(
        "throttled",
        lambda tree: str(tree.write("/sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n") and ""),
        found(
            "the voltage is too low now; the processor is slowed down now; the voltage was too low since the start; "
            "the processor was slowed down since the start",
            "take the Pi's own power supply and a short cable (27 W for a Pi 5), and hang readers on a powered hub",
        ),
        lambda tree: says(tree, "vcgencmd get_throttled", 0, "throttled=0x0\n"),
    ),
    Case(
        "devices-there",
        lambda _: reader(FTDI),
        found(f"{FTDI} (reader reader-0) is not there", "plug it in, or put in what `tablepi devices` shows"),
        ftdi,
    ),
    Case(
        "usb-by-number",
        both(ftdi, lambda _: reader("/dev/ttyUSB0")),
        found("reader-0 is named /dev/ttyUSB0, which may be another device after the next start", f"port: {FTDI}"),
        ftdi,
    ),
    Case(
        "usb-twins",
        lambda tree: twins(tree, 2),
        found(
            f"reader-0: its chip has no serial number, and another like it is plugged in: {CH340} leads to either",
            "port: /dev/serial/by-path/platform-usb-0:1.1:1.0-port0   (each plug then stays in its socket)",
        ),
        lambda tree: twins(tree, 1),
    ),
    Case(
        "uart-by-number",
        lambda _: reader("/dev/ttyAMA3"),
        found(
            "reader-0 is named /dev/ttyAMA3: on a Pi 4 the numbers depend on which UARTs are on",
            "name it by the UART's address, with a rule of udev: hardware/README.md",
        ),
        lambda _: reader("/dev/ttyAMA0"),
        of=4,
    ),
    Case(
        "group-dialout",
        both(ftdi, lambda tree: refusing(tree, reader(FTDI), FTDI)),
        found(f"rita may not open {FTDI} (reader-0)", "sudo adduser rita dialout, and log in again"),
        ftdi,
    ),
    Case(
        "busy-port",
        both(ftdi, lambda tree: holds(tree, reader(FTDI), "/dev/ttyUSB0", "/usr/bin/minicom", "-D", "/dev/ttyUSB0")),
        found(f"{FTDI} (reader-0) is open in minicom (process 4711)", "close it, or: sudo kill 4711"),
        both(ftdi, lambda tree: holds(tree, reader(FTDI), "/dev/ttyUSB0", "python", "/opt/bin/tablepi", "run")),
    ),
    Case(
        "serial-getty",
        lambda tree: uart(tree, console="console=serial0,115200"),
        found(
            "/dev/ttyAMA0 (reader-0) is the console of the kernel, with a login on it",
            "sudo raspi-config nonint do_serial_cons 1\n"
            "sudo systemctl disable --now serial-getty@ttyAMA0 && sudo reboot",
        ),
        lambda tree: uart(tree, console="console=ttyAMA10,115200"),
    ),
    Case(
        "mini-uart",
        both(
            lambda tree: uart(tree, console=""),
            lambda tree: str(tree.node("/dev/ttyS0") and ""),
            lambda tree: str(tree.link("/dev/serial7", "/dev/ttyS0") or reader("/dev/serial7")),
        ),
        found(
            "/dev/serial7 (reader-0) is the mini-UART, whose speed drifts with the processor's",
            "add dtoverlay=disable-bt to /boot/firmware/config.txt, write port: /dev/ttyAMA0, and restart",
        ),
        lambda tree: uart(tree, console=""),
        of=3,
    ),
    Case(
        "modem-manager",
        both(ftdi, lambda tree: str(tree.process(77, "/usr/sbin/ModemManager") or reader(FTDI))),
        found(
            "ModemManager runs, and talks to every serial port that is plugged in",
            "sudo systemctl disable --now ModemManager   (or install hardware/99-tablepi.rules)",
        ),
        both(
            ftdi,
            lambda tree: str(tree.process(77, "/usr/sbin/ModemManager") or ""),
            lambda tree: (
                tree.write("/etc/udev/rules.d/99-tablepi.rules", (ROOT / "hardware/99-tablepi.rules").read_text())
                and reader(FTDI)
            ),
        ),
    ),
    Case(
        "udev-rules",
        lambda _: reader("/dev/tablepi/reader-0"),
        found(
            "the table names ports by /dev/tablepi/…, and the rules that make these names are not installed",
            "sudo cp hardware/99-tablepi.rules /etc/udev/rules.d/\n"
            "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=tty",
        ),
        lambda tree: (
            tree.write("/etc/udev/rules.d/99-tablepi.rules", (ROOT / "hardware/99-tablepi.rules").read_text())
            and reader("/dev/tablepi/reader-0")
        ),
    ),
    Case(
        "pn533-module",
        lambda tree: acs(tree, ("/proc/modules", "pn533_usb 16384 0 - Live 0x0\npn533 40960 1 pn533_usb, Live 0x0\n")),
        found(
            "the kernel's driver pn533_usb has taken the reader, so that pcscd cannot have it",
            f"{BLACKLIST}\nsudo modprobe -r pn533_usb",
        ),
        lambda tree: acs(tree, ("/proc/modules", "snd 1 0 - Live 0x0\n")),
        of=None,
    ),
    Case(
        "pcscd",
        lambda tree: acs(tree),
        found("pcscd does not run", "sudo apt install pcscd && sudo systemctl enable --now pcscd.socket"),
        lambda tree: acs(tree, ("/run/pcscd/pcscd.comm", "")),
        of=None,
    ),
    Case(
        "pyscard",
        lambda tree: acs(tree),
        found("pyscard is not installed, or this environment does not see it", "sudo apt install python3-pyscard"),
        both(lambda tree: has(tree, pyscard="2.3.1"), lambda tree: acs(tree)),
        of=None,
    ),
    Case(
        "polkit-pcsc",
        both(lambda tree: unit(tree), lambda tree: acs(tree)),
        found(
            "polkit keeps the service's user from pcscd",
            'echo \'polkit.addRule(function(a, s) { if (a.id.indexOf("org.debian.pcsc-lite.") == 0 && '
            's.user == "tablepi") return polkit.Result.YES; });\' | sudo tee /etc/polkit-1/rules.d/50-tablepi.rules',
        ),
        both(
            lambda tree: unit(tree),
            lambda tree: acs(tree, ("/etc/polkit-1/rules.d/50-tablepi.rules", "org.debian.pcsc-lite.access_pcsc")),
        ),
    ),
    Case(
        "opencv-gui",
        lambda tree: has(tree, opencv_python="4.12.0.88", opencv_python_headless="5.0.0.93"),
        found(
            "opencv-python and opencv-python-headless are both installed, each over files of the other",
            "python3 -m pip uninstall -y opencv-python opencv-python-headless\n"
            "python3 -m pip install opencv-python-headless",
        ),
        lambda tree: has(tree, opencv_python_headless="5.0.0.93"),
    ),
    Case(
        "opencv-gui",
        lambda tree: has(tree, opencv_python="4.12.0.88"),
        found(
            "opencv-python has windows of its own (Qt), and ends the program where there is no desktop",
            "python3 -m pip uninstall -y opencv-python\npython3 -m pip install opencv-python-headless",
        ),
        lambda _: "",
    ),
    Case(
        "numpy-abi",
        lambda tree: says(
            tree, f"python3 -c {NUMPY}", 1, "Traceback\nValueError: numpy.dtype size changed, Expected 96, got 88\n"
        ),
        found(
            "numpy and OpenCV cannot be used together: ValueError: numpy.dtype size changed, Expected 96, got 88",
            "python3 -m pip install --upgrade opencv-python-headless",
        ),
        lambda tree: says(tree, f"python3 -c {NUMPY}", 0, ""),
    ),
    Case(
        "models",
        lambda tree: says(
            tree, f"python3 -c {READER}", 1, "Traceback\ntablepi.errors.Missing: /m/finder.onnx: is not there\n"
        ),
        found(
            "cards cannot be read: /m/finder.onnx: is not there", "git checkout -- models   (where the project lies)"
        ),
        lambda tree: says(tree, f"python3 -c {READER}", 0, ""),
    ),
    Case(
        "camera-csi-by-number",
        both(
            lambda tree: str(tree.node("/dev/video0") and ""),
            lambda tree: str(tree.cameras.update({"/dev/video0": Capabilities("rp1-cfe", "rp1-cfe", True)}) or ""),
            lambda _: "camera: {source: /dev/video0}",
        ),
        found("camera: /dev/video0 is the Pi's own camera, which gives nothing there", "source: rpicam"),
        webcam,
    ),
    Case(
        "camera-csi-by-number",
        both(webcam, lambda _: f"camera: {{source: {WEBCAM.replace('index0', 'index1')}}}"),
        found(
            f"camera: {WEBCAM.replace('index0', 'index1')} is a part of the camera that gives no pictures",
            f"source: {WEBCAM}",
        ),
        webcam,
    ),
    Case(
        "rpicam",
        lambda _: "camera: {source: rpicam}",
        found("rpicam-vid is not installed", "sudo apt install rpicam-apps-lite"),
        both(
            lambda tree: says(tree, "rpicam-hello --list-cameras", 0, LISTED),
            lambda tree: says(tree, "rpicam-hello --version", 0, "rpicam-apps build: v1.9\n"),
            lambda tree: says(tree, "rpicam-vid --version", 0, "rpicam-apps build: v1.9\n"),
            lambda _: "camera: {source: rpicam}",
        ),
    ),
    Case(
        "group-camera",
        both(webcam, lambda tree: refusing(tree, webcam_line(), WEBCAM)),
        found(f"rita may not open {WEBCAM}", "sudo adduser rita video, and log in again"),
        webcam,
    ),
    Case(
        "busy-camera",
        both(webcam, lambda tree: holds(tree, webcam_line(), "/dev/video0", "cheese")),
        found(f"{WEBCAM} (camera) is open in cheese (process 4711)", "close it, or: sudo kill 4711"),
        webcam,
    ),
    Case(
        "gpio-chip",
        lambda tree: refusing(tree, LAMPS, "/dev/gpiochip11"),
        found("rita may not open /dev/gpiochip11", "sudo adduser rita gpio, and log in again"),
        lambda _: LAMPS,
    ),
    Case(
        "gpio-chip",
        lambda tree: str(tree.labels.clear() or LAMPS),
        found("no GPIO chip has a label of the header's", "sudo apt update && sudo apt full-upgrade && sudo reboot"),
        lambda _: LAMPS,
    ),
    Case(
        "gpio-chip",
        lambda _: LAMPS,
        found("the table has pins, and this is no Raspberry Pi", "take lamps: out of the table's file"),
        lambda tree: str(
            tree.node("/dev/gpiochip4") and (tree.labels.update({"/dev/gpiochip4": "pinctrl-rp1"}) or LAMPS)
        ),
        of=None,
    ),
    Case(
        "lgpio-stub",
        lambda tree: says(
            tree, f"python3 -c {LGPIO}", 1, "AttributeError: module 'lgpio' has no attribute 'gpiochip_open'\n", LAMPS
        ),
        found(
            "lgpio is the empty package of that name (0.0.0.2)",
            "python3 -m pip uninstall -y lgpio\nsudo apt install python3-lgpio",
        ),
        lambda tree: says(tree, f"python3 -c {LGPIO}", 0, "", LAMPS),
    ),
    Case(
        "lgpio-stub",
        lambda tree: says(tree, f"python3 -c {LGPIO}", 1, "ModuleNotFoundError: No module named 'lgpio'\n", LAMPS),
        found(
            "lgpio is not installed, or this environment does not see it",
            "sudo apt install python3-lgpio\n"
            "rm -r .venv && make .venv/.installed   (on a Pi that sees the system's packages)",
        ),
        lambda tree: says(tree, f"python3 -c {LGPIO}", 0, "", LAMPS),
    ),
    Case(
        "busy-pins",
        lambda tree: str(tree.pins.update({17: "gpio-fan", 3: "i2c"}) or LAMPS),
        found(
            "GPIO 17 (lamp of seat 0) is taken by gpio-fan",
            "end what has it (gpioinfo shows it as gpio-fan), or wire the lamp of seat 0 to another pin",
        ),
        lambda tree: str(tree.pins.update({3: "i2c"}) or LAMPS),
    ),
    Case(
        "spi-pins",
        lambda tree: boots(tree, "dtparam=i2c_arm=on,spi=on"),
        found("SPI is on, and has GPIO 10 (button confirm)", "sudo raspi-config nonint do_spi 1 && sudo reboot"),
        lambda tree: boots(tree, "#dtparam=spi=on", "dtparam=spi=off"),
    ),
    Case(
        "spi-on",
        lambda _: "lamps: {kind: ws2812}",
        found("/dev/spidev0.0 is not there: SPI is off", "sudo raspi-config nonint do_spi 0 && sudo reboot"),
        lambda tree: str(tree.folders.update(spidev=tree.node("/dev/spidev0.0")) or "lamps: {kind: ws2812}"),
    ),
    Case(
        "spi-on",
        lambda tree: refusing(tree, str(tree.node("/dev/spidev0.0") and "lamps: {kind: ws2812}"), "/dev/spidev0.0"),
        found("rita may not use /dev/spidev0.0", "sudo adduser rita spi, and log in again"),
        lambda tree: str(tree.folders.update(spidev=tree.node("/dev/spidev0.0")) or "lamps: {kind: ws2812}"),
    ),
    Case(
        "overlay-pins",
        lambda tree: boots(tree, "[all]", "dtoverlay=w1-gpio,gpiopin=17", "[pi4]", "dtoverlay=hifiberry-dac"),
        found(
            "dtoverlay=w1-gpio,gpiopin=17 takes GPIO 17 (lamp of seat 0)",
            "take that line out of /boot/firmware/config.txt, and restart",
        ),
        lambda tree: boots(tree, "dtoverlay=w1-gpio", "dtoverlay=uart2-pi5"),
    ),
    Case(
        "two-pygames",
        lambda tree: has(tree, pygame="2.6.1", pygame_ce="2.5.8"),
        found(
            "pygame 2.6.1 and pygame-ce 2.5.8 are both installed, each over files of the other",
            "python3 -m pip uninstall -y pygame pygame-ce\npython3 -m pip install pygame-ce",
        ),
        lambda tree: has(tree, pygame_ce="2.5.8"),
    ),
    Case(
        "pygame-kmsdrm",
        lambda tree: sdl(tree, "pygame", b"\x7fELF x11 wayland dummy"),
        found(
            "the SDL that pygame brought along cannot draw on a console without a desktop (KMSDRM)",
            "python3 -m pip uninstall -y pygame\npython3 -m pip install pygame-ce",
        ),
        lambda tree: sdl(tree, "pygame_ce", b"\x7fELF x11 KMSDRM dummy"),
    ),
    Case(
        "kmsdrm-libs",
        lambda tree: libraries(tree, "libgbm.so.1", "libEGL.so.1"),
        found("a console's graphics lack libgbm1 libegl1", "sudo apt install libgbm1 libegl1"),
        libraries,
    ),
    Case(
        "kmsdrm-libs",
        lambda tree: libraries(tree, drivers=False),
        found("Mesa's drivers are not there, so that nothing draws", "sudo apt install libgl1-mesa-dri"),
        libraries,
    ),
    Case(
        "drm-connector",
        lambda tree: graphics(tree, status="disconnected"),
        found(
            "no screen is connected, or it was switched on after the Pi",
            "switch the screen on before the Pi, look at its cable; else add video=HDMI-A-1:1920x1080@60D to the line "
            "in /boot/firmware/cmdline.txt, and restart",
        ),
        graphics,
    ),
    Case(
        "drm-card",
        lambda tree: graphics(tree, settings="SDL_KMSDRM_DEVICE_INDEX=0"),
        found(
            "/etc/tablepi/environment names graphics card 0, and the screen is at card 1",
            "take SDL_KMSDRM_DEVICE_INDEX out of /etc/tablepi/environment, or write 1",
        ),
        lambda tree: graphics(tree, settings="SDL_KMSDRM_DEVICE_INDEX=1"),
    ),
    Case(
        "sdl-renderer",
        lambda tree: graphics(tree, settings="SDL_RENDER_DRIVER=opengl"),
        found(
            "/etc/tablepi/environment sets SDL_RENDER_DRIVER=opengl, with which a console's screen stays black",
            "take SDL_RENDER_DRIVER out of /etc/tablepi/environment",
        ),
        graphics,
    ),
    Case(
        "group-video",
        lambda tree: refusing(tree, graphics(tree), "/dev/dri/card1"),
        found(
            "rita may not use /dev/dri/card1",
            "sudo adduser rita video && sudo adduser rita render, and log in again",
        ),
        graphics,
    ),
    Case(
        "input-group",
        lambda tree: refusing(tree, str(tree.node("/dev/input/event0") and ""), "/dev/input/event0"),
        found("rita may not use /dev/input/event0", "sudo adduser rita input, and log in again"),
        lambda tree: str(tree.node("/dev/input/event0") and ""),
    ),
    Case(
        "watchdog-unit",
        lambda tree: unit(tree, without("WatchdogSec")),
        found("the unit does not notice a table that hangs (Type=notify, WatchdogSec=20)", AGAIN),
        unit,
    ),
    Case(
        "unit-folder",
        lambda tree: unit(tree, without("Environment=LG_WD")),
        found("the unit gives lgpio no folder that it may write to (WorkingDirectory, LG_WD)", AGAIN),
        unit,
    ),
    Case(
        "unit-console",
        lambda tree: unit(tree, without("Conflicts")),
        found("a login is left under the table's screen, and gets its keys (Conflicts=getty@tty1.service)", AGAIN),
        unit,
    ),
    Case(
        "unit-groups",
        lambda tree: unit(tree, groups="dialout input render tty video"),
        found(
            "there is no group gpio: the service does not start (216/GROUP, 217/USER)",
            "sudo cp systemd/sysusers-tablepi.conf /etc/sysusers.d/tablepi.conf && sudo systemd-sysusers",
        ),
        unit,
    ),
)


def webcam_line() -> str:
    return f"camera: {{source: {WEBCAM}}}"


def looked(tree: Tree, table: str, folder: Path, **changes: object) -> Looked:
    file = folder / "table.yaml"
    file.write_text(f"players: [A, B, C, D]\n{table}\n")
    tree.root.joinpath("store").mkdir(exist_ok=True)
    return Looked(tree.host(), load_config(file), file, store=Path("/store"), **changes)  # type: ignore[arg-type]


def named(name: str) -> Check:
    return next(check for check in CHECKS if check.name == name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.check)
def test_what_is_wrong_is_said_with_its_mend(case, tmp_path):
    tree = Tree(tmp_path / "machine", case.of)
    assert examine(named(case.check), looked(tree, case.wrong(tree), tmp_path)) == case.found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.check)
def test_all_is_well_without_it(case, tmp_path):
    tree = Tree(tmp_path / "machine", case.of)
    (finding,) = examine(named(case.check), looked(tree, case.well(tree), tmp_path))
    assert (finding.verdict, finding.how) == ("ok", ""), finding


OTHERWISE = {"table-file", "store-disk-room"}  # tried below


def test_every_check_is_tried():
    assert {check.name for check in CHECKS} == {case.check for case in CASES} | OTHERWISE


def test_a_full_disk_is_said_before_it_is_full(tmp_path, monkeypatch):
    tree = Tree(tmp_path / "machine", 4)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(32_000_000_000, 31_900_000_000, 99_000_000))
    (finding,) = examine(named("store-disk-room"), looked(tree, "", tmp_path))
    assert (finding.verdict, finding.text) == ("mend", "99 MB are free on the disk of /store")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(32_000_000_000, 0, 32_000_000_000))
    assert examine(named("store-disk-room"), looked(tree, "", tmp_path)) == (ok("32000 MB are free"),)


def test_without_a_store_its_reason_is_said(tmp_path):
    table = Looked(Tree(tmp_path).host(), Config(), no_store="/store: a file is in the way")
    assert examine(named("store-writable"), table) == (
        mend("/store: a file is in the way", "name a folder of yours with --store"),
    )


# --- what the checks do not say --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pi", [None, 3, 4, 5])
def test_on_a_bare_machine_nothing_is_said_of_devices_that_the_table_does_not_have(pi, tmp_path):
    tree = Tree(tmp_path / "machine", pi)
    has(tree, pygame_ce="2.5.8")
    says(tree, "timedatectl", 0, "yes\n")
    told = list(examined(looked(tree, "", tmp_path)))
    assert [(check.name, finding) for check, finding in told if finding.verdict == "mend"] == []
    assert [finding for _, finding in told if "fault in tablepi" in finding.text] == []


def test_without_a_tables_file_its_devices_are_not_looked_at(tmp_path):
    table = Looked(Tree(tmp_path, 5).host(), Config(), store=Path("/"))
    for name in ("devices-there", "group-dialout", "gpio-chip", "rpicam", "busy-camera", "usb-by-number"):
        assert examine(named(name), table) == (unknown("no table's file was named (--config)"),)


def test_a_pi_5_whose_chip_has_another_number_is_well(tmp_path):
    for number in (0, 4, 11, 15):
        tree = Tree(tmp_path / f"machine-{number}")
        tree.write("/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
        tree.node("/dev/gpiochip10")
        tree.node(f"/dev/gpiochip{number}")
        tree.labels[f"/dev/gpiochip{number}"] = "pinctrl-rp1"
        assert examine(named("gpio-chip"), looked(tree, LAMPS, tmp_path)) == (
            ok(f"/dev/gpiochip{number} is the header's (pinctrl-rp1)"),
        )


def test_the_running_table_is_not_in_its_own_way(tmp_path):
    tree = Tree(tmp_path / "machine", 5)
    ftdi(tree)
    tree.pins[17] = "lg"
    holds(tree, "", "/dev/ttyUSB0", "/opt/tablepi/.venv/bin/python", "/opt/tablepi/.venv/bin/tablepi", "run")
    table = looked(tree, f"{reader(FTDI)}\n{LAMPS}", tmp_path)
    assert examine(named("busy-port"), table) == (ok("the running table has them (process 4711)"),)
    assert examine(named("busy-pins"), table) == (ok("the table runs (process 4711), and has its pins itself"),)


def test_a_reader_that_types_is_to_be_readable_on_a_desktop_too(tmp_path):
    tree = Tree(tmp_path / "machine", None)
    tree.environ["DISPLAY"] = ":0"
    port = "/dev/input/by-id/usb-Sycreader-event-kbd"
    tree.node(port)
    table = looked(tree, f"readers: [{{name: reader-0, kind: wedge, port: {port}, shared: true}}]", tmp_path)
    assert examine(named("input-group"), table) == (unknown("a desktop is running here: a window opens on it"),)
    tree.refused.add(port)
    assert examine(named("input-group"), table) == (
        mend(f"rita may not read {port}", "sudo adduser rita input, and log in again"),
    )


def test_a_program_that_has_a_real_port_open_is_found(tmp_path):
    ours, theirs = os.openpty()
    port = os.ttyname(theirs)
    holder = subprocess.Popen(["cat"], stdin=theirs, stdout=subprocess.DEVNULL)
    try:
        host = replace(Tree(tmp_path / "machine", 5).host(), root=Path("/"))
        config = Config(readers=(ReaderConfig(name="reader-0", port=port, seat=0),))
        table = Looked(host, config, tmp_path / "table.yaml")
        how = f"close it, or: sudo kill {holder.pid}"
        assert examine(named("busy-port"), table) == (
            mend(f"{port} (reader-0) is open in cat (process {holder.pid})", how),
        )
    finally:
        holder.kill()
        holder.wait()
        os.close(theirs)
        os.close(ours)


def test_a_desktop_needs_nothing_of_a_console(tmp_path):
    tree = Tree(tmp_path / "machine", 5)
    sdl(tree, "pygame", b"")
    tree.environ["WAYLAND_DISPLAY"] = "wayland-0"
    for name in ("pygame-kmsdrm", "kmsdrm-libs", "sdl-renderer", "group-video", "input-group"):
        assert examine(named(name), looked(tree, "", tmp_path)) == (
            unknown("a desktop is running here: a window opens on it"),
        )


def test_debians_pygame_draws_on_a_console(tmp_path):
    tree = Tree(tmp_path / "machine", 5)
    graphics(tree)
    tree.folders["pygame"] = tree.root
    assert examine(named("pygame-kmsdrm"), looked(tree, "", tmp_path)) == (
        ok("pygame uses the system's SDL, which can draw on a console"),
    )


def test_heat_alone_asks_for_air(tmp_path):
    tree = Tree(tmp_path / "machine", 4)
    says(tree, "vcgencmd get_throttled", 0, "throttled=0x80000\n")
    assert examine(named("throttled"), looked(tree, "", tmp_path)) == (
        mend("the processor was too hot since the start", "give the Pi air: a heat sink, a fan, no closed box"),
    )


def test_a_clock_with_a_battery_is_well_without_a_network_and_an_empty_one_is_not(tmp_path):
    tree = Tree(tmp_path / "machine", 5)
    says(tree, "timedatectl", 0, "no\n")
    tree.write("/sys/class/rtc/rtc0/since_epoch", "1790000000\n")
    assert examine(named("clock"), looked(tree, "", tmp_path)) == (ok("the clock has a battery"),)
    tree.write("/sys/class/rtc/rtc0/since_epoch", "73\n")
    assert examine(named("clock"), looked(tree, "", tmp_path))[0].verdict == "mend"


def test_a_setting_of_an_added_file_counts(tmp_path):
    tree = Tree(tmp_path / "machine", 5)
    unit(tree)
    tree.write("/etc/systemd/system/tablepi.service.d/override.conf", "[Service]\nWatchdogSec=0\n")
    assert examine(named("watchdog-unit"), looked(tree, "", tmp_path))[0].verdict == "mend"


# --- total, and not for ever ----------------------------------------------------------------------------------------


def test_every_check_answers_whatever_stands_in_the_files(tmp_path):
    """Folders where files should be, bytes where text should be, programs that answer nonsense."""
    tree = Tree(tmp_path / "machine", 5)
    table = f"{ftdi(tree)}\n{webcam(tree)}\n{LAMPS}"
    graphics(tree)
    acs(tree)
    unit(tree, "\x00=\n=\n[\n")
    for program in ("python3", "rpicam-hello", "rpicam-vid", "timedatectl", "vcgencmd", "/sbin/ldconfig"):
        tree.programs[program] = Answer(0, "\udcff\x00=]:{")
    (tree.root / "proc/modules").mkdir()
    (tree.root / "proc/cmdline").write_bytes(bytes(range(256)))
    (tree.root / "boot/firmware/config.txt").mkdir(parents=True)
    (tree.root / "sys/class/drm/card9-X").mkdir()
    (tree.root / "sys/class/drm/card9-X/status").mkdir()
    (tree.root / "proc/99").mkdir()
    (tree.root / "sys/class/rtc/rtc0/since_epoch").mkdir(parents=True)
    tree.link("/dev/serial/by-id/loop", "/dev/serial/by-id/loop")
    told = list(examined(looked(tree, table, tmp_path)))
    assert [(check.name, finding) for check, finding in told if "fault in tablepi" in finding.text] == []
    assert {check.name for check, _ in told} == {check.name for check in CHECKS}


def test_a_check_that_breaks_or_hangs_has_not_looked(tmp_path):
    def breaks(_: Looked) -> Finding:
        raise ZeroDivisionError("by zero")

    over = threading.Event()

    def hangs(_: Looked) -> Finding:
        over.wait()
        return ok("at last")

    table = Looked(Tree(tmp_path).host(), Config())
    assert examine(Check("broken", "", breaks), table) == (unknown("fault in tablepi: ZeroDivisionError('by zero')"),)
    assert examine(Check("hangs", "", hangs), table, within_s=0.01) == (unknown("the machine does not answer"),)
    over.set()


def test_a_program_gets_nothing_that_libraries_left_in_our_environment_and_not_much_time(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/cv2/lib64:")
    monkeypatch.setenv("QT_QPA_FONTDIR", "/cv2/fonts")
    told = ask(["sh", "-c", "env; pwd"])
    assert told.well
    assert "LD_LIBRARY_PATH" not in told.text
    assert "QT_" not in told.text
    monkeypatch.setattr("tablepi.machine.host.ASK_S", 0.05)
    assert ask(["sleep", "60"]) == Answer(None, "sleep does not answer")
    assert ask(["no-such-program"]) == Answer(None, "no-such-program: No such file or directory")


# --- the command ----------------------------------------------------------------------------------------------------


def told(tree: Tree, file: Path | None, *, json: bool = False, store: Callable[[], Path]) -> tuple[int, str]:
    out = StringIO()
    return doctor(file, store=store, json=json, host=tree.host(), out=out), out.getvalue()


def test_the_command_says_what_to_mend_and_ends_with_1(tmp_path):
    tree = Tree(tmp_path / "machine", 5)
    has(tree, pygame_ce="2.5.8")
    says(tree, "timedatectl", 0, "yes\n")
    (tmp_path / "machine/store").mkdir()
    file = tmp_path / "table.yaml"
    file.write_text(f"players: [A, B, C, D]\n{ftdi(tree).replace(FTDI, '/dev/ttyUSB0')}\n")
    status, printed = told(tree, file, store=lambda: Path("/store"))
    assert status == 1
    text = "reader-0 is named /dev/ttyUSB0, which may be another device after the next start"
    assert f"!  usb-by-number: {text}\n       port: {FTDI}\n" in printed
    assert "ok store-writable: games are kept in /store\n" in printed
    assert (
        "–  not looked at: camera-csi-by-number, group-camera, busy-camera: the table has no camera on USB\n" in printed
    )
    assert re.search(r"^1 to mend, \d+ well, \d+ not looked at\n\Z", printed, re.M)


def test_with_nothing_to_mend_it_ends_with_0_and_programs_get_an_object_a_check(tmp_path):
    tree = Tree(tmp_path / "machine")
    has(tree, pygame_ce="2.5.8")
    status, printed = told(tree, None, json=True, store=lambda: Path("/"))
    lines = [json.loads(line) for line in printed.splitlines()]
    assert status == 0
    assert [line["check"] for line in lines] == [check.name for check in CHECKS]
    assert lines[[check.name for check in CHECKS].index("two-pygames")] == {
        "check": "two-pygames",
        "verdict": "ok",
        "text": "pygame-ce 2.5.8",
        "mend": None,
    }


def test_a_file_that_cannot_be_used_is_a_finding_of_its_own(tmp_path):
    tree = Tree(tmp_path / "machine", 5)
    file = tmp_path / "table.yaml"
    file.write_text("players: [A, B]\nlamp: on\nreaders: none\n")
    status, printed = told(tree, file, store=lambda: Path("/"))
    assert status == 1
    assert f"!  table-file: {file}:2: lamp: is not a key here: did you mean lamps?\n" in printed
    assert f"!  table-file: {file}:3: readers: " in printed
    assert "the table's file cannot be read" in printed


def test_what_the_file_names_is_looked_at_as_config_check_does(tmp_path):
    tree = Tree(tmp_path / "machine", 5)
    (tmp_path / "machine/store").mkdir()
    file = tmp_path / "table.yaml"
    file.write_text("camera: {source: none.avi}\nfaces: ./none.faces.npz\nrules: none\n")
    status, printed = told(tree, file, store=lambda: Path("/store"))
    out = StringIO()
    check_file(file, store=lambda: Path("/store"), out=out)
    assert status == 1
    lines = [line.removeprefix("!  table-file: ") for line in printed.splitlines() if " table-file: " in line]
    assert lines == out.getvalue().splitlines()
    assert [line.split(": ")[1] for line in lines] == ["camera.source", "faces", "rules"]


def test_where_films_and_faces_cannot_be_looked_at_that_is_said(tmp_path):
    def broken() -> tuple[str, ...]:
        raise ImportError("numpy: no module")

    table = replace(looked(Tree(tmp_path / "machine", 5), "", tmp_path), checked=broken)
    why = "the table's film or faces cannot be looked at: numpy: no module"
    assert examine(named("table-file"), table) == (Finding("unknown", why),)


def test_a_store_that_cannot_be_had_is_one_too(tmp_path):
    def none() -> Path:
        raise Missing("/store (--store): Permission denied: name a folder of yours, such as --store ~/tablepi")

    status, printed = told(Tree(tmp_path / "machine", 5), None, store=none)
    assert status == 1
    assert "!  store-writable: /store (--store): Permission denied" in printed


def test_this_machine_is_examined_without_a_fault(tmp_path):
    file = ROOT / "hardware" / "table-four-seats.yaml"
    table = Looked(this_host(), load_config(file), file, store=tmp_path)
    assert [finding.text for _, finding in examined(table) if "fault in tablepi" in finding.text] == []


# --- the documentation ------------------------------------------------------------------------------------------------


def test_the_page_of_the_checks_has_them_all_in_their_order_and_words():
    page = (ROOT / "docs" / "doctor.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| (.+?) \|$", page, re.M)
    assert rows == [(check.name, check.what) for check in CHECKS]


def test_a_line_that_a_mend_gives_for_the_tables_file_is_yaml():
    lines = [
        how for case in CASES for finding in case.found for how in [finding.how] if how.startswith(("port:", "source:"))
    ]
    assert lines
    assert all(isinstance(yaml.safe_load(line.split("   (")[0]), dict) for line in lines)
