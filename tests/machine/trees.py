"""Machines written into a folder: what ``/dev``, ``/sys``, ``/proc`` and ``/etc`` of a Raspberry Pi or a PC hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tablepi.devices.querycap import Capabilities
from tablepi.machine.host import Answer, Host

MODELS = {
    3: "Raspberry Pi 3 Model B Plus Rev 1.3",
    4: "Raspberry Pi 4 Model B Rev 1.5",
    5: "Raspberry Pi 5 Model B Rev 1.0",
}
CHIPS = {3: (0, "pinctrl-bcm2835"), 4: (0, "pinctrl-bcm2711"), 5: (11, "pinctrl-rp1")}
"""The chip behind the header; on a Pi 5 its number has moved three times."""


class Tree:
    """A machine below *root*: write into it, and take ``host()``. Programs that are not told are not installed."""

    def __init__(self, root: Path, pi: int | None = None) -> None:
        self.root = root
        self.pi = pi
        self.programs: dict[str, Answer] = {}
        self.asked: list[tuple[str, ...]] = []
        self.packages: dict[str, str] = {}
        self.folders: dict[str, Path] = {}
        self.environ: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.cameras: dict[str, Capabilities] = {}
        self.pins: dict[int, str] = {}
        self.refused: set[str] = set()
        self.write("/proc/self/mountinfo", "25 1 179:2 / / rw,noatime shared:1 - ext4 /dev/root rw\n")
        if pi is not None:
            self.write("/proc/device-tree/model", MODELS[pi] + "\0")
            number, label = CHIPS[pi]
            self.node(f"/dev/gpiochip{number}")
            self.labels[f"/dev/gpiochip{number}"] = label

    def host(self, **changes: object) -> Host:
        told = {
            "root": self.root,
            "environ": self.environ,
            "user": "rita",
            "python": "python3",
            "ask": self._ask,
            "may": lambda path, _: self._shown(path) not in self.refused,
            "chip_label": self._label,
            "pin_holder": lambda _, line: self.pins.get(line),
            "camera_says": self._camera,
            "installed": self.packages.get,
            "folder_of": self.folders.get,
        }
        return Host(**(told | changes))  # type: ignore[arg-type]

    # Writing.

    def write(self, path: str, text: str = "") -> Path:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def node(self, path: str) -> Path:
        return self.write(path)

    def link(self, path: str, to: str) -> None:
        """A link that leads to *to*, as udev makes them: relative."""
        file, target = self.root / path.lstrip("/"), self.root / to.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(os.path.relpath(target, file.parent))

    def usb(self, socket: str, ids: str, name: str = "", serial: str = "") -> str:
        """A USB device in *socket* such as 1-1.2; its folder in ``/sys``."""
        folder = f"/sys/devices/platform/usb1/{socket}"
        vendor, product = ids.split(":")
        self.write(f"{folder}/idVendor", vendor + "\n")
        self.write(f"{folder}/idProduct", product + "\n")
        if name:
            self.write(f"{folder}/product", name + "\n")
        if serial:
            self.write(f"{folder}/serial", serial + "\n")
        self.link(f"/sys/bus/usb/devices/{socket}", folder)
        return folder

    def reader(self, node: str, socket: str, ids: str, name: str, serial: str = "", *, by_id: str = "") -> None:
        """A USB reader with a serial port, with the links that udev makes of it."""
        folder = self.usb(socket, ids, name, serial)
        self.write(f"{folder}/{socket}:1.0/{node}/port_number", "0\n")
        self.write(f"/sys/class/tty/{node}/dev", "188:0\n")
        self.link(f"/sys/class/tty/{node}/device", f"{folder}/{socket}:1.0/{node}")
        self.node(f"/dev/{node}")
        by_id = by_id or f"usb-{name.replace(' ', '_')}{'_' if serial else ''}{serial}-if00-port0"
        if not (self.root / f"dev/serial/by-id/{by_id}").is_symlink():
            self.link(f"/dev/serial/by-id/{by_id}", f"/dev/{node}")
        self.link(f"/dev/serial/by-path/platform-usb-0:{socket[2:]}:1.0-port0", f"/dev/{node}")

    def uart(self, node: str, kind: str = "32") -> None:
        self.write(f"/sys/class/tty/{node}/type", kind + "\n")
        self.write(f"/sys/devices/platform/soc/{node}/uevent")
        self.link(f"/sys/class/tty/{node}/device", f"/sys/devices/platform/soc/{node}")
        self.node(f"/dev/{node}")

    def camera(self, number: int, socket: str, name: str, serial: str = "") -> None:
        """A webcam, which has a second node for metadata."""
        folder = self.usb(socket, "046d:082d", name, serial)
        for index in (0, 1):
            node = f"video{number + index}"
            self.write(f"{folder}/{socket}:1.0/video4linux/{node}/dev")
            self.write(f"/sys/class/video4linux/{node}/name", name + "\n")
            self.link(f"/sys/class/video4linux/{node}/device", f"{folder}/{socket}:1.0")
            self.node(f"/dev/{node}")
            by_id = f"usb-{name.replace(' ', '_')}{'_' if serial else ''}{serial}-video-index{index}"
            self.link(f"/dev/v4l/by-id/{by_id}", f"/dev/{node}")
            self.link(f"/dev/v4l/by-path/platform-usb-0:{socket[2:]}:1.0-video-index{index}", f"/dev/{node}")
            self.cameras[f"/dev/{node}"] = Capabilities("uvcvideo", name, captures=index == 0)

    def screen(self, connector: str, status: str = "connected", modes: str = "1024x600\n800x480\n") -> None:
        self.write(f"/sys/class/drm/{connector}/status", status + "\n")
        self.write(f"/sys/class/drm/{connector}/modes", modes)
        self.node(f"/dev/dri/{connector.partition('-')[0]}")

    def process(self, pid: int, *words: str, holds: str | None = None) -> None:
        self.write(f"/proc/{pid}/cmdline", "\0".join(words) + "\0")
        self.write(f"/proc/{pid}/comm", Path(words[0]).name[:15] + "\n")
        if holds is not None:
            folder = self.root / f"proc/{pid}/fd"
            folder.mkdir(exist_ok=True)
            (folder / "3").symlink_to(holds)

    # What a test stands in for.

    def _shown(self, path: Path) -> str:
        return "/" + str(Path(path).relative_to(self.root))

    def _ask(self, command: Sequence[str]) -> Answer:
        self.asked.append(tuple(command))
        words = " ".join(command)
        told = (answer for begin, answer in self.programs.items() if words.startswith(begin))
        return next(told, Answer(None, f"{command[0]}: No such file or directory"))

    def _label(self, chip: Path) -> str:
        if self._shown(chip) in self.refused:
            raise PermissionError(13, "Permission denied")
        return self.labels.get(self._shown(chip), "gpio-brcmstb@107d508500")

    def _camera(self, node: Path) -> Capabilities:
        node = node.resolve()  # as an opening does
        if self._shown(node) in self.refused:
            raise PermissionError(13, "Permission denied")
        if self._shown(node) not in self.cameras:
            raise OSError(25, "Inappropriate ioctl for device")
        return self.cameras[self._shown(node)]
