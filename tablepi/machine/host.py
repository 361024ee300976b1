"""The machine as files, programs and packages: the one seam through which ``plugged`` and the checks look at it.

Everything is below a *root*, so that a whole Raspberry Pi can be written into a folder. Nothing here waits long: a
program that does not answer is as good as none.
"""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata, util
from pathlib import Path

from ..devices.gpio import chip_label, pin_holder
from ..devices.querycap import Capabilities, capabilities

ASK_S = 15.0
"""Seconds that a program gets to answer: ``rpicam-hello --list-cameras`` takes 1 to 2 on a Pi, OpenCV and the networks
from a slow card may take 10 (an estimate)."""

_LARGEST = 1 << 20
"""Bytes of a file that are read at most."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program said. *status* is None when it did not get so far, and *text* says why."""

    status: int | None
    text: str

    @property
    def well(self) -> bool:
        return self.status == 0


def ask(command: Sequence[str]) -> Answer:
    """Run *command* and wait for its answer, not for long. It gets none of what libraries put into our environment:
    OpenCV sets LD_LIBRARY_PATH and QT_* at its import (https://github.com/opencv/opencv-python/issues/1268). A Python
    finds this tablepi, and no other that may be installed."""
    theirs = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH" and not k.startswith("QT_")}
    try:
        with tempfile.TemporaryDirectory(prefix="tablepi-") as folder:  # lgpio leaves a pipe where it is imported
            done = subprocess.run(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=ASK_S,
                env=theirs | {"LC_ALL": "C", "PYTHONPATH": str(Path(__file__).parents[2])},
                cwd=folder,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return Answer(None, f"{command[0]} does not answer")
    except OSError as error:
        return Answer(None, f"{command[0]}: {error.strerror}")
    return Answer(done.returncode, done.stdout.decode(errors="replace"))


def camera_says(path: Path) -> Capabilities:
    """What the camera at *path* says of itself. Raises OSError."""
    device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        return capabilities(device)
    finally:
        os.close(device)


def installed(name: str) -> str | None:
    """The version of a Python package that is installed beside us; None when it is not."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def folder_of(module: str) -> Path | None:
    """The folder in which a Python module or package lies, without importing it; None when there is none."""
    try:
        found = util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent.parent if found.submodule_search_locations else Path(found.origin).parent


@dataclass(frozen=True)
class Host:
    """One machine. The functions are what a test stands in for; *root* is where its files are."""

    root: Path = Path("/")
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    user: str = ""
    python: str = sys.executable
    ask: Callable[[Sequence[str]], Answer] = ask
    may: Callable[[Path, int], bool] = os.access
    chip_label: Callable[[Path], str] = chip_label
    pin_holder: Callable[[Path, int], str | None] = pin_holder
    camera_says: Callable[[Path], Capabilities] = camera_says
    installed: Callable[[str], str | None] = installed
    folder_of: Callable[[str], Path | None] = folder_of

    def at(self, path: str) -> Path:
        """Where *path* is below the root: ``at("/dev/ttyUSB0")``."""
        return self.root / path.lstrip("/")

    def shown(self, path: Path) -> str:
        """*path* as the machine itself names it."""
        return "/" + str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)

    def real(self, path: Path) -> Path:
        """Where the links of *path* lead; *path* itself where that cannot be told."""
        try:
            return Path(os.path.realpath(path))
        except (OSError, ValueError):
            return path

    def there(self, path: str) -> bool:
        return os.path.exists(self.at(path))  # noqa: PTH110 (False for a name that no file can have, too)

    def text(self, path: Path | str) -> str:
        """What stands in a small file, without the blanks around it; empty when it cannot be read."""
        try:
            with (self.at(path) if isinstance(path, str) else path).open("rb") as file:
                return file.read(_LARGEST).decode(errors="replace").strip(" \t\r\n\0")
        except (OSError, ValueError):
            return ""

    def entries(self, folder: str, pattern: str = "*") -> list[Path]:
        """What lies in *folder*, in order; empty when there is none."""
        try:
            return sorted(self.at(folder).glob(pattern))
        except (OSError, ValueError):
            return []

    @property
    def model(self) -> str:
        """What the Raspberry Pi calls itself, such as ``Raspberry Pi 5 Model B Rev 1.0``; empty on another machine."""
        told = self.text("/proc/device-tree/model")
        return told if "Raspberry Pi" in told else ""

    @property
    def pi(self) -> int | None:
        """Which Raspberry Pi this is, from 1; None on another machine. A Zero 2 is a 3, a Zero a 1, a 400 a 4."""
        for word, number in (("Pi 5", 5), ("Compute Module 5", 5), ("Pi 4", 4), ("Compute Module 4", 4)):
            if word in self.model:
                return number
        if any(word in self.model for word in ("Pi 3", "Zero 2", "Compute Module 3")):
            return 3
        if not self.model:
            return None
        return 2 if "Pi 2" in self.model else 1

    @property
    def desktop(self) -> bool:
        """Whether this session has a desktop on which a window can open."""
        return any(self.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))

    def processes(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Every process that can be seen but ours, with its command line."""
        for folder in self.entries("/proc"):
            if folder.name.isdecimal() and int(folder.name) != os.getpid():
                yield int(folder.name), tuple(filter(None, self.text(folder / "cmdline").split("\0")))

    def holders(self, device: Path) -> list[tuple[int, tuple[str, ...]]]:
        """The processes that have *device* open, as far as this user may see."""
        wanted = self.shown(self.real(device))
        return [(pid, words) for pid, words in self.processes() if wanted in self._open_files(pid)]

    def _open_files(self, pid: int) -> Iterator[str]:
        try:
            for link in self.at(f"/proc/{pid}/fd").iterdir():
                try:
                    yield os.readlink(link)  # noqa: PTH115 (a text, for what may be no path: socket:[4711])
                except OSError:
                    continue
        except OSError:  # another's, or it has just ended
            return


def this_host() -> Host:
    """The machine that we run on."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = str(os.getuid())
    return Host(user=user)


def is_table(words: Sequence[str]) -> bool:
    """Whether a command line is that of a running table."""
    names = [Path(word).name for word in words]
    return "run" in names and ("tablepi" in names or "tablepi" in " ".join(names[:3]))
