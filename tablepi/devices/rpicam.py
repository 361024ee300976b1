"""The Raspberry Pi's own camera, through its program ``rpicam-vid`` as a child process.

Its Python library is bound to the system's numpy and does not live in an environment of one's own; the program has no
such ties. It writes each frame to its standard output as I420: brightness at full size, then two planes of colour at
half of it. Learnt of it, from its sources (https://github.com/raspberrypi/rpicam-apps) where nothing else is said:

* Rows are padded to a multiple of 64 bytes, so that many pixels are asked for and nothing is padded.
* A size that the sensor does not have is changed, which only a line among its messages tells. Read at the wrong size
  the frames would be stripes.
* For I420 it uses the colours of JPEG: brightness from 0 to 255 (``get_colourspace_flags``). OpenCV takes it for
  television's 16 to 235, which would blow out white cards.
* Autofocus hunts when a hand comes near, and a long exposure smears: both are held.
* OpenCV sets LD_LIBRARY_PATH at its import, to libraries that are not the program's
  (https://github.com/opencv/opencv-python/issues/1268).
* Ctrl-C at a terminal goes to all processes of its group, and would tell us of a lost camera while we leave: the child
  has a group of its own.
* Nothing ends it when we are killed while it has no frame to write, and it would keep the camera from whoever comes
  next. ``setpriv`` (util-linux, on every Debian) has the kernel kill it as soon as the thread that started it is gone,
  however that ended.
"""

from __future__ import annotations

import fcntl
import os
import re
import selectors
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

import cv2
import numpy as np

from ..errors import shown
from .camera import FPS, Camera, Image, LiveSource, Size
from .supervisor import DeviceLost

SIZE = (2304, 1296)
"""Camera Module 3 sees its whole field at this size; at 1280 × 720 the sensor's mode is cropped."""

STEADY = ("--autofocus-mode", "manual", "--lens-position", "1.4", "--shutter", "4000")
"""The lens at 1.4 dioptres, for a camera 70 cm above the table; 1/250 s. Lenses that do not move ignore theirs."""

_WAIT_S = 0.5
"""Longest wait for bytes: so late is a stop noticed when no frames come."""

_TERM_S = 1.0
"""Seconds that the child gets to end when it is asked to."""

_LINES = 20
"""How many of its last messages are kept."""

_LONGEST = 4096
"""Bytes of a message without an end."""

_MEANING = {
    "no cameras available": "no camera is connected: switch off, and look at both ends of its ribbon cable",
    "selected camera is not available": "there is no camera of this number: rpicam-hello --list-cameras shows them",
    "failed to acquire camera": "another program has it open",
}
_SILENT = "frontend has timed out"
"""The sensor sends nothing. The program starts it anew, often with success, so nothing is lost yet."""

_SIZE_GIVEN = re.compile(r"configuring streams: \(0\) (\d+)x(\d+)-YUV420")


class RpicamSource(LiveSource):
    """The Pi's camera number *camera*, through *program* with further *options*. Frames may be up to 63 pixels wider
    and one pixel higher than *size*."""

    def __init__(
        self,
        *,
        camera: int = 0,
        size: Size = SIZE,
        fps: float = FPS,
        program: str = "rpicam-vid",
        options: Sequence[str] = STEADY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(f"rpicam:{camera}", clock)
        self._size = -(-size[0] // 64) * 64, -(-size[1] // 2) * 2
        width, height = map(str, self._size)
        self._command = [program, "-t", "0", "-n", "--camera", str(camera), "--width", width, "--height", height]
        self._command += ["--framerate", f"{fps:g}", "--codec", "yuv420", "--flush", "-o", "-", *options]

    def _open(self) -> Camera:
        return _Child(self.name, self._command, self._size)

    def _picture(self, image: Image) -> Image:
        return bgr(image)


def bgr(i420: Image) -> Image:
    """The picture, (h, w, 3) BGR, of an I420 frame of full range: (h · 3/2, w) uint8, h and w even. Within 2 of the
    exact value in each channel."""
    height = len(i420) * 2 // 3
    squeezed = np.empty_like(i420)  # to television's range, which is what OpenCV undoes
    cv2.convertScaleAbs(i420[:height], squeezed[:height], 219 / 255, 16)
    cv2.convertScaleAbs(i420[height:], squeezed[height:], 224 / 255, 128 * (1 - 224 / 255))
    return np.asarray(cv2.cvtColor(squeezed, cv2.COLOR_YUV2BGR_I420), np.uint8)


class _Child:
    """The running program. Its messages are read along with its frames: a full pipe would stop it."""

    def __init__(self, where: str, command: Sequence[str], size: Size) -> None:
        """Raises DeviceLost when the program cannot be started."""
        self._where = where
        self._program = command[0]
        self._size = size
        program = shutil.which(self._program)
        if program is None:
            raise DeviceLost(
                f"{where}: there is no program {self._program}: sudo apt install rpicam-apps-lite, or rpicam-apps"
            )
        setpriv = shutil.which("setpriv")
        bound = [setpriv, "--pdeathsig", "KILL", "--"] if setpriv is not None else []
        environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
        try:
            self._process = subprocess.Popen(
                [*bound, program, *command[1:]],
                bufsize=0,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise DeviceLost(f"{where}: {self._program} cannot be started: {error.strerror}") from None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._frames: IO[bytes] = self._process.stdout
        self._messages: IO[bytes] = self._process.stderr
        os.set_blocking(self._messages.fileno(), False)
        with suppress(OSError):  # to the most that anybody may have: a frame of 4.5 MB wakes us 16 times less often
            fcntl.fcntl(self._frames, fcntl.F_SETPIPE_SZ, 1 << 20)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._frames, selectors.EVENT_READ)
        self._selector.register(self._messages, selectors.EVENT_READ)
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._begun = b""  # a message whose end has not come yet
        self.says = ""
        self._image, self._filled = self._empty(), 0

    def read(self) -> Image | None:
        while self._filled < self._image.nbytes:
            ready = [key.fileobj for key, _ in self._selector.select(_WAIT_S)]
            if not ready:
                return None
            if self._messages in ready:
                self._listen()
            if self._frames in ready:
                got = os.readv(self._frames.fileno(), [self._image.reshape(-1)[self._filled :].data])
                if not got:
                    raise self._ended()
                self._filled += got
        image = self._image
        self._image, self._filled = self._empty(), 0
        return image

    def close(self) -> None:
        """End the child, and wait until it is gone."""
        self._process.terminate()
        try:
            self._process.wait(_TERM_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._selector.close()
        self._frames.close()
        self._messages.close()

    def _empty(self) -> Image:
        return np.empty((self._size[1] * 3 // 2, self._size[0]), np.uint8)

    def _listen(self) -> None:
        """Take the messages that are there. Raises DeviceLost when one says why no frames will come, or that they have
        not the size that was asked for."""
        try:
            told = os.read(self._messages.fileno(), 1 << 20)
        except BlockingIOError:
            return
        if not told:
            with suppress(KeyError):  # it is asked once more when the child has ended
                self._selector.unregister(self._messages)
        *lines, self._begun = (self._begun + told).split(b"\n")
        if not told or len(self._begun) > _LONGEST:
            lines, self._begun = [*lines, self._begun], b""
        for line in lines:
            self._heed(line.decode(errors="replace").strip())

    def _heed(self, line: str) -> None:
        if line:
            self._lines.append(line)
        for words, meaning in _MEANING.items():
            if words in line:
                raise DeviceLost(f"{self._where}: {meaning}")
        if _SILENT in line:
            self.says = "look at both ends of its ribbon cable"
        given = _SIZE_GIVEN.search(line)
        if given and (int(given[1]), int(given[2])) != self._size:
            width, height = self._size
            raise DeviceLost(f"{self._where}: it has no {width} x {height} pixels: ask for {given[1]} x {given[2]}")

    def _ended(self) -> DeviceLost:
        """Why there will be no more frames."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_TERM_S)
        for _ in range(2):  # what is there, and the end of it
            self._listen()
        errors = [line for line in self._lines if "ERROR" in line] or list(self._lines)
        status = self._process.poll()
        how = f"with status {status}" if status is None or status >= 0 else f"by {signal.Signals(-status).name}"
        return DeviceLost(f"{self._where}: {self._program} ended {how}" + "".join(f": {shown(e)}" for e in errors[-1:]))
