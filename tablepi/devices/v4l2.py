"""USB cameras, by Video4Linux through OpenCV.

OpenCV says of a camera that it cannot open only that it cannot. So the device is asked first, by the calls that V4L2
has for it, and every reason has its sentence. Numbers of requests and places in their answers are those of
``linux/videodev2.h``; they are the same on 32 and 64 bits.

What a camera does by itself (exposure, white balance, focus) settles for a while and is then held, where it can be. By
the driver's own calls, since OpenCV says on standard error what a camera has not, and cannot say what is. A control
that is read while the camera sets it may tell what was set last by hand; so a picture that is another once it is held
(``_UsbCamera``) sets the camera free again.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from ..errors import BadInput, shown
from ..frames import Frame
from .camera import FPS, Camera, Image, Light, LiveSource, Size
from .querycap import OF_THE_PI, capabilities
from .supervisor import DeviceLost

log = logging.getLogger(__name__)

SIZE = (1920, 1080)
"""What is asked of a USB camera: 1280 × 720 shows a standard index with 11 pixels, which is marginal."""

STABLE = "/dev/v4l/by-id/…"

_REQBUFS = 0xC0145608
_MMAP_CAPTURE = struct.pack("5I", 0, 1, 1, 0, 0)  # no buffers, V4L2_BUF_TYPE_VIDEO_CAPTURE, V4L2_MEMORY_MMAP

_G_CTRL = 0xC008561B
_S_CTRL = 0xC008561C

POWER_LINE = 0x00980918
HERTZ = {50: 1, 60: 2}
EXPOSURE_AUTO, EXPOSURE = 0x009A0901, 0x009A0902
EXPOSURE_MANUAL, EXPOSURE_AUTOMATIC, EXPOSURE_BY_APERTURE = 1, 0, 3
"""A webcam has manual and *by aperture*, whose aperture is fixed, and refuses the rest."""

EXPOSURE_VARIES_FPS = 0x009A0903
GAIN = 0x00980913
WHITE_AUTO, WHITE = 0x0098090C, 0x0098091A
FOCUS_AUTO, FOCUS = 0x009A090C, 0x009A090A
"""Controls (``linux/v4l2-controls.h``). Exposures are in units of 0.1 ms."""

SETTLING_S = 2.0
"""Seconds that a camera gets to set itself."""

_PROVED_S = 1.0
"""Seconds after which the picture must be as bright as before it was held."""

_AS_BRIGHT = (0.7, 1.4)

_WHY = {
    errno.ENOENT: "nothing is plugged in there",
    errno.EACCES: "not allowed: add this user to the group that owns it (video)",
    errno.EPERM: "not allowed: add this user to the group that owns it (video)",
    errno.EBUSY: "another program has it open",
    errno.EIO: "it was unplugged",
    errno.ENXIO: "it was unplugged",
    errno.ENODEV: "it was unplugged",
    errno.ENOTTY: "this is not a camera",
    errno.EINVAL: "this is not a camera",
    errno.EISDIR: "this is a folder, not a camera",
}


class Capture(Protocol):
    """What is used of a ``cv2.VideoCapture``."""

    def set(self, name: int, value: float, /) -> bool: ...
    def get(self, name: int, /) -> float: ...
    def read(self) -> Any: ...
    def release(self) -> None: ...


def open_capture(path: str) -> Capture:
    """The opened camera; a read of it waits one second. Raises OSError with the ``errno`` or the words that tell why
    not."""
    _ask(path)
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")  # OpenCV asks once, at its first read
    capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
    if not capture.isOpened():
        raise OSError("OpenCV cannot open it: unplug it and plug it in again")
    return capture


def _ask(path: str) -> None:
    """Whether a camera is there that gives frames to who asks now. Raises OSError."""
    device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        told = capabilities(device)
        if told.driver in OF_THE_PI:
            raise OSError("this is the Raspberry Pi's own camera: name it rpicam")
        if not told.captures:
            raise OSError("this part of the camera gives no pictures: name the one that ends in -video-index0")
        try:
            fcntl.ioctl(device, _REQBUFS, bytearray(_MMAP_CAPTURE))
        except OSError as error:
            if error.errno == errno.EBUSY:
                raise
    finally:
        os.close(device)


class Controls:
    """The controls of the camera at *path*. Raises OSError."""

    def __init__(self, path: str) -> None:
        self._device = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def get(self, control: int) -> int | None:
        """Its value; None when the camera does not have it."""
        told = bytearray(struct.pack("Ii", control, 0))
        try:
            fcntl.ioctl(self._device, _G_CTRL, told)
        except OSError:
            return None
        return int(struct.unpack("Ii", told)[1])

    def set(self, control: int, value: int) -> bool:
        """Whether the camera has taken *value*."""
        try:
            fcntl.ioctl(self._device, _S_CTRL, bytearray(struct.pack("Ii", control, value)))
        except OSError:
            return False
        return True

    def close(self) -> None:
        os.close(self._device)


class V4L2Source(LiveSource):
    """A USB camera by its stable path; a link is followed anew at each opening. *open_capture* and *open_controls* are
    for the pretended.

    A camera that has not this *size* or not so many frames a second (*fps*) gives what it has; the size is what the
    frames say, and another one than asked is in the log, as is another format than MJPEG. Exposure, white balance and
    focus settle and are held, unless *hold* is false; *exposure_ms* is held from the beginning. *mains* are the hertz
    of the lamps. Raises BadInput for a number instead of a path.
    """

    def __init__(
        self,
        path: str,
        *,
        size: Size = SIZE,
        fps: float = FPS,
        exposure_ms: float | None = None,
        hold: bool = True,
        mains: int = 50,
        open_capture: Callable[[str], Capture] = open_capture,
        open_controls: Callable[[str], Controls] = Controls,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if path.isdecimal():
            raise BadInput(f"{path}: cameras change their numbers: name the camera by its stable path, {STABLE}")
        super().__init__(path, clock)
        self._path = path
        self._size = size
        self._fps = fps
        self._exposure_ms = exposure_ms
        self._hold = hold
        self._mains = mains
        self._open_capture = open_capture
        self._open_controls = open_controls
        self._told = size
        self._told_format = ""

    def _open(self) -> Camera:
        path = os.path.realpath(self._path)
        try:
            capture = self._open_capture(path)
        except OSError as error:
            raise DeviceLost(f"{self.name}: {_WHY.get(error.errno or 0) or error}") from error
        # The format before the size: uncompressed, many cameras have only small pictures or few of them, and OpenCV
        # takes the size that fits the format it has. One buffer: what lies in more is the past.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._check_format(capture)
        controls = None
        with suppress(OSError):  # it was unplugged, which the first read tells
            controls = self._open_controls(path)
        settings = None if controls is None else _Settings(self.name, controls, self._exposure_ms, self._mains)
        return _UsbCamera(self._path, capture, settings, hold=self._hold, clock=self._clock)

    def _check_format(self, capture: Capture) -> None:
        code = int(capture.get(cv2.CAP_PROP_FOURCC)) & 0xFFFFFFFF
        told = code.to_bytes(4, "little").decode("latin-1")
        if told not in ("MJPG", "JPEG", self._told_format):
            self._told_format = told
            text = "%s: gives uncompressed pictures (%s), not MJPEG: large ones come seldom"
            log.warning(text, self.name, shown(told))

    def _frame(self, image: Image, at: float) -> Frame:
        size = image.shape[1], image.shape[0]
        if size != self._told:
            self._told = size
            log.warning("%s: gives %d x %d pixels, not %d x %d as asked", self.name, *size, *self._size)
        return Frame(image, at)


class _Settings:
    """What a camera does by itself: set free, or held as it is then. What it does not have is let be."""

    def __init__(self, name: str, controls: Controls, exposure_ms: float | None, mains: int) -> None:
        self._name = name
        self._controls = controls
        self._exposure = round(exposure_ms * 10) if exposure_ms is not None else None
        self._mains = mains
        self.close = controls.close

    def free(self) -> None:
        put = self._controls.set
        put(POWER_LINE, HERTZ[self._mains])
        put(EXPOSURE_VARIES_FPS, 0)
        put(FOCUS_AUTO, 1)
        self.free_light()

    def free_light(self) -> None:
        put = self._controls.set
        put(WHITE_AUTO, 1)
        if self._exposure is not None:
            put(EXPOSURE_AUTO, EXPOSURE_MANUAL)
            if not put(EXPOSURE, self._exposure):
                log.warning("%s: does not take an exposure of %g ms", self._name, self._exposure / 10)
        elif not put(EXPOSURE_AUTO, EXPOSURE_BY_APERTURE):
            put(EXPOSURE_AUTO, EXPOSURE_AUTOMATIC)

    def hold(self) -> None:
        self._freeze(FOCUS_AUTO, 0, FOCUS)
        self._freeze(WHITE_AUTO, 0, WHITE)
        if self._exposure is None:
            self._freeze(EXPOSURE_AUTO, EXPOSURE_MANUAL, EXPOSURE, GAIN)

    def _freeze(self, automatic: int, manual: int, *values: int) -> None:
        """Stop what is *automatic* at the *values* that it has found. They are read first: some cameras go back to
        other ones when they are set by hand."""
        found = [(value, self._controls.get(value)) for value in values]
        if self._controls.set(automatic, manual):
            for value, was in found:
                if was is not None:
                    self._controls.set(value, was)

    def exposure_is_wrong(self) -> None:
        log.warning("%s: its exposure cannot be held, so it follows the light", self._name)
        self.free_light()


class _UsbCamera:
    """Its settings are free, held and proved, and held for good; or given up.

    free --SETTLING_S--> proving --_PROVED_S--> held --the light changes--> free
                            |
                            +-- brighter or darker than before --> given up
    """

    says = ""

    def __init__(
        self, path: str, capture: Capture, settings: _Settings | None, *, hold: bool, clock: Callable[[], float]
    ) -> None:
        self._path = Path(path)
        self._capture = capture
        self._settings = settings
        self._hold = hold
        self._clock = clock
        self._light: Light | None = None  # while it is held
        self._before: float | None = None  # how bright it was, while that is to be proved
        self._until: float | None = None  # when it is held, or proved
        if settings is not None:
            settings.free()

    def read(self) -> Image | None:
        try:
            got, image = self._capture.read()
        except cv2.error:  # a frame that is damaged in a way that OpenCV does not forgive
            got, image = False, None
        if got and image is not None and image.ndim == 3:
            frame = np.asarray(image, np.uint8)
            if self._settings is not None and self._hold:
                self._see_to(self._settings, float(frame[::16, ::16].mean()), self._clock())
            return frame
        if not self._path.exists():
            raise DeviceLost(f"{shown(str(self._path))}: {_WHY[errno.ENODEV]}")
        return None

    def _see_to(self, settings: _Settings, bright: float, now: float) -> None:
        if self._light is not None:
            if self._light.changed(bright, now):
                settings.free_light()
                self._light = None
        elif self._until is None:
            self._until = now + SETTLING_S
        elif now < self._until:
            return
        elif self._before is None:
            self._before, self._until = bright, now + _PROVED_S
            settings.hold()
        else:
            low, high = _AS_BRIGHT
            if low <= bright / max(self._before, 1.0) <= high:
                self._light = Light()
            else:
                settings.exposure_is_wrong()
                self._hold = False
            self._before = self._until = None

    def close(self) -> None:
        self._capture.release()
        if self._settings is not None:
            self._settings.close()
