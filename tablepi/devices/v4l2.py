"""USB cameras, by Video4Linux through OpenCV.

OpenCV says of a camera that it cannot open only that it cannot. So the device is asked first, by the calls that V4L2
has for it, and every reason has its sentence. Numbers of requests and places in their answers are those of
``linux/videodev2.h``; they are the same on 32 and 64 bits.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from ..errors import BadInput, shown
from .camera import FPS, Camera, Image, LiveSource, Size
from .supervisor import DeviceLost

log = logging.getLogger(__name__)

SIZE = (1920, 1080)
"""What is asked of a USB camera: 1280 × 720 shows a standard index with 11 pixels, which is marginal."""

STABLE = "/dev/v4l/by-id/…"

_QUERYCAP = 0x80685600
_REQBUFS = 0xC0145608
_CAPTURE = 0x1 | 0x1000  # V4L2_CAP_VIDEO_CAPTURE, …_MPLANE
_DEVICE_CAPS = 0x80000000
_MMAP_CAPTURE = struct.pack("5I", 0, 1, 1, 0, 0)  # no buffers, V4L2_BUF_TYPE_VIDEO_CAPTURE, V4L2_MEMORY_MMAP

_OF_THE_PI = ("unicam", "rp1-cfe", "bcm2835-isp", "pispbe")
"""Drivers of the Pi's own camera. OpenCV opens them and then waits for frames that never come:
https://github.com/raspberrypi/rpicam-apps/issues/598."""

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
        told = bytearray(104)
        fcntl.ioctl(device, _QUERYCAP, told)
        driver = told[:16].split(b"\0")[0].decode(errors="replace")
        of_all, of_this = struct.unpack_from("II", told, 84)
        if driver in _OF_THE_PI:
            raise OSError("this is the Raspberry Pi's own camera: name it rpicam")
        if not (of_this if of_all & _DEVICE_CAPS else of_all) & _CAPTURE:
            raise OSError("this part of the camera gives no pictures: name the one that ends in -video-index0")
        try:
            fcntl.ioctl(device, _REQBUFS, bytearray(_MMAP_CAPTURE))
        except OSError as error:
            if error.errno == errno.EBUSY:
                raise
    finally:
        os.close(device)


class V4L2Source(LiveSource):
    """A USB camera by its stable path; a link is followed anew at each opening. *open_capture* is for the pretended.

    A camera that has not this *size* or not so many frames a second (*fps*) gives what it has; the size is what the
    frames say, and another one than asked is in the log. Raises BadInput for a number instead of a path.
    """

    def __init__(
        self,
        path: str,
        *,
        size: Size = SIZE,
        fps: float = FPS,
        open_capture: Callable[[str], Capture] = open_capture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if path.isdecimal():
            raise BadInput(f"{path}: cameras change their numbers: name the camera by its stable path, {STABLE}")
        super().__init__(path, clock)
        self._path = path
        self._size = size
        self._fps = fps
        self._open_capture = open_capture
        self._told = size

    def _open(self) -> Camera:
        try:
            capture = self._open_capture(os.path.realpath(self._path))
        except OSError as error:
            raise DeviceLost(f"{self.name}: {_WHY.get(error.errno or 0) or error}") from error
        # The format before the size: uncompressed, many cameras have only small pictures or few of them, and OpenCV
        # takes the size that fits the format it has. One buffer: what lies in more is the past.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return _UsbCamera(self._path, capture)

    def _picture(self, image: Image) -> Image:
        size = image.shape[1], image.shape[0]
        if size != self._told:
            self._told = size
            log.warning("%s: gives %d x %d pixels, not %d x %d as asked", self.name, *size, *self._size)
        return image


class _UsbCamera:
    says = ""

    def __init__(self, path: str, capture: Capture) -> None:
        self._path = Path(path)
        self._capture = capture

    def read(self) -> Image | None:
        try:
            got, image = self._capture.read()
        except cv2.error:  # a frame that is damaged in a way that OpenCV does not forgive
            got, image = False, None
        if got and image is not None and image.ndim == 3:
            return np.asarray(image, np.uint8)
        if not self._path.exists():
            raise DeviceLost(f"{shown(str(self._path))}: {_WHY[errno.ENODEV]}")
        return None

    def close(self) -> None:
        self._capture.release()
