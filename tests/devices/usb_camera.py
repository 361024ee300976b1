"""The world's side of a USB camera: plugged in behind a stable link, and what it does, act by act.

What it imitates of OpenCV's V4L2: a size is taken for the format that is set at that moment; a read waits a while and
then fails; of an unplugged camera it fails at once; and only one thread may touch it. And of a webcam's controls: they
stay as they were set until it is unplugged; while it sets one by itself, that one is refused; it knows no exposure that
is automatic altogether.
"""

from __future__ import annotations

import errno
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

PATIENCE_S = 0.01
"""How long a read waits for a frame."""

SIZES = {"YUYV": ((640, 480),), "MJPG": ((640, 480), (1280, 720))}


AUTOMATIC = {"exposure": ("auto_exposure", 3), "white": ("auto_white", 1), "focus": ("auto_focus", 1)}
"""What sets a control, and when it does."""

IDS = {
    0x00980918: "power_line",
    0x009A0903: "varies_fps",
    0x009A0901: "auto_exposure",
    0x009A0902: "exposure",
    0x00980913: "gain",
    0x0098090C: "auto_white",
    0x0098091A: "white",
    0x009A090C: "auto_focus",
    0x009A090A: "focus",
}
"""As ``v4l2-ctl --list-ctrls`` has them."""


class Clock:
    """Stands still until it is told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class UsbCamera:
    """A camera that is plugged in. *clock* goes on by *every* seconds with each frame."""

    def __init__(self, folder: Path, clock: Clock, *, every: float = 0.1) -> None:
        self.link = folder / "usb-Pretended-video-index0"
        self.clock = clock
        self.every = every
        self.busy = False
        self.formats = SIZES
        self.controls = {"power_line": 2, "varies_fps": 1, "auto_exposure": 3, "exposure": 157, "gain": 40}
        self.controls |= {"auto_white": 1, "white": 4100, "auto_focus": 1, "focus": 35}
        self.controls_set: list[tuple[str, int]] = []
        self.controls_closed = 0
        self.opened = self.released = 0
        self._folder = folder
        self._acts: queue.Queue[Callable[[], tuple[bool, np.ndarray | None]]] = queue.Queue()
        self._acting = False
        self._noise = np.random.default_rng(1)
        self.plug(0)

    # What happens to it.

    def plug(self, number: int) -> None:
        """Into a socket that gives it this number."""
        node = self._folder / f"video{number}"
        node.touch()
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(node)

    def unplug(self) -> None:
        self.link.resolve().unlink()
        self.link.unlink()

    def picture(self, number: int, size: tuple[int, int] = (1280, 720)) -> np.ndarray:
        """*number* in its first pixel, and noise."""
        image = np.empty((size[1], size[0], 3), np.uint8)
        image[:] = self._noise.integers(0, 256, (size[1], 1, 3))
        image[0, 0] = number
        return image

    def show(self, *numbers: int) -> None:
        """A frame for each number, and each another."""
        for number in numbers:
            self.give(lambda number=number: self.picture(number))

    def give(self, picture: Callable[[], np.ndarray]) -> None:
        def act() -> tuple[bool, np.ndarray]:
            self.clock.now += self.every
            return True, picture()

        self.do(act)

    def do(self, act: Callable[[], tuple[bool, np.ndarray | None]]) -> None:
        """*act* is the next read."""
        self._acts.put(act)

    def wait(self) -> None:
        """Until every act is over, and what came of it is where it belongs."""
        self._acts.join()

    def forget(self) -> None:
        """Acts that nobody has read for do not happen."""
        with suppress(queue.Empty):
            while True:
                self._acts.get_nowait()
                self._acts.task_done()

    # What OpenCV does.

    def open(self, path: str) -> Capture:
        if self.busy:
            raise OSError(errno.EBUSY, "Device or resource busy")
        with Path(path).open():
            self.opened += 1
        return Capture(self, Path(path))

    def open_controls(self, path: str) -> Controls:
        with Path(path).open():
            return Controls(self)

    def act(self) -> tuple[bool, np.ndarray | None]:
        if self._acting:
            self._acting = False
            self._acts.task_done()
        try:
            act = self._acts.get(timeout=PATIENCE_S)
        except queue.Empty:
            return False, None
        self._acting = True
        return act()


class Capture:
    """What is used of a ``cv2.VideoCapture``."""

    def __init__(self, camera: UsbCamera, node: Path) -> None:
        self.size = (640, 480)
        self._camera = camera
        self._node = node
        self._thread = threading.get_ident()
        self._format = "YUYV"
        self._asked = [0, 0]

    def set(self, name: int, value: float, /) -> bool:
        self._only_one_thread()
        if name == cv2.CAP_PROP_FOURCC:
            asked = int(value).to_bytes(4, "little").decode()
            self._format = asked if asked in self._camera.formats else self._format
        if name == cv2.CAP_PROP_FRAME_WIDTH:
            self._asked[0] = int(value)
        if name == cv2.CAP_PROP_FRAME_HEIGHT:
            self._asked[1] = int(value)
            self.size = min(self._camera.formats[self._format], key=lambda size: abs(size[1] - self._asked[1]))
        return True

    def get(self, name: int, /) -> float:
        self._only_one_thread()
        return int.from_bytes(self._format.encode(), "little") if name == cv2.CAP_PROP_FOURCC else -1.0

    def read(self) -> tuple[bool, np.ndarray | None]:
        self._only_one_thread()
        if not self._node.exists():
            return False, None
        got, image = self._camera.act()
        return got, None if image is None else image[: self.size[1], : self.size[0]].copy()

    def release(self) -> None:
        self._only_one_thread()
        self._camera.released += 1

    def _only_one_thread(self) -> None:
        assert threading.get_ident() == self._thread


class Controls:
    """What is used of ``v4l2.Controls``."""

    def __init__(self, camera: UsbCamera) -> None:
        self._camera = camera

    def get(self, control: int) -> int | None:
        return self._camera.controls.get(IDS[control])

    def set(self, control: int, value: int) -> bool:
        name, has = IDS[control], self._camera.controls
        automatic, while_it_is = AUTOMATIC.get(name, ("", None))
        refused = name not in has or (while_it_is is not None and has.get(automatic) == while_it_is)
        if refused or (name == "auto_exposure" and value not in (1, 3)):
            return False
        has[name] = value
        self._camera.controls_set.append((name, value))
        return True

    def close(self) -> None:
        self._camera.controls_closed += 1
