"""What a Video4Linux device says of itself, by the kernel's own call: neither OpenCV nor a file's name tells it.

The number of the request and the places in its answer are those of ``linux/videodev2.h``; they are the same on 32 and
64 bits.
"""

from __future__ import annotations

import fcntl
import struct
from dataclasses import dataclass

_QUERYCAP = 0x80685600
_CAPTURE = 0x1 | 0x1000  # V4L2_CAP_VIDEO_CAPTURE, …_MPLANE
_DEVICE_CAPS = 0x80000000

OF_THE_PI = ("unicam", "rp1-cfe", "bcm2835-isp", "pispbe")
"""Drivers of the Raspberry Pi's own camera. OpenCV opens them and then waits for frames that never come:
https://github.com/raspberrypi/rpicam-apps/issues/598."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The *driver*, what the *card* calls itself, and whether this node *captures* pictures: a camera has others, too,
    such as one for metadata."""

    driver: str
    card: str
    captures: bool


def capabilities(device: int) -> Capabilities:
    """Those of the open file *device*. Raises OSError, with ENOTTY when it is no such device."""
    told = bytearray(104)
    fcntl.ioctl(device, _QUERYCAP, told)
    of_all, of_this = struct.unpack_from("II", told, 84)
    return Capabilities(
        driver=_text(told[:16]),
        card=_text(told[16:48]),
        captures=bool((of_this if of_all & _DEVICE_CAPS else of_all) & _CAPTURE),
    )


def _text(told: bytearray) -> str:
    return told.split(b"\0")[0].decode(errors="replace").strip()
