"""What a person names as a camera, as a source of frames."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadInput, shown
from .camera import FPS, Size, Source
from .films import FilmSource, FolderSource
from .rpicam import Held, Part, RpicamSource
from .v4l2 import SIZE as USB_SIZE
from .v4l2 import V4L2Source

_CAN_BE = "name a film, a folder of pictures, a USB camera (/dev/v4l/by-id/…) or rpicam, the Raspberry Pi's own camera"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a camera; None: what suits its kind, or what it finds by itself and then holds. *height_cm* is
    how high it hangs, for the lens; *gain*, *white* and *part* of the field are for the Pi's own (``rpicam``)."""

    size: Size | None = None
    fps: float = FPS
    height_cm: float | None = None
    exposure_ms: float | None = None
    gain: float | None = None
    white: tuple[float, float] | None = None
    part: Part | None = None
    hold: bool = True
    mains: int = 50


def source_of(text: str, *, size: Size | None = None, fps: float = FPS, asked: Asked | None = None) -> Source:
    """The source that *text* names: a film, a folder of pictures, a device's path, ``rpicam`` or ``rpicam:1``.

    *asked* is what a camera is asked for, or *size* and *fps* alone. Nothing is opened: a camera may be plugged in
    later. Raises BadInput.
    """
    asked = asked or Asked(size=size, fps=fps)
    if own := re.fullmatch(r"rpicam(?::([0-9]))?", text):
        return _own(int(own[1] or 0), asked)
    path = Path(text)
    try:
        mode = path.stat().st_mode if text else 0
    except FileNotFoundError:
        if text.startswith("/dev/") or text.isdecimal():  # a number is refused there
            return _usb(text, asked)
        if text.startswith("rpicam:"):
            raise BadInput(f"{shown(text)}: the Raspberry Pi's own cameras are rpicam:0 to rpicam:9") from None
        raise BadInput(f"{shown(text)}: there is no such file: {_CAN_BE}") from None
    except OSError as error:
        raise BadInput(f"{shown(text)}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # there is a NUL in it
        raise BadInput(f"{shown(text)}: cannot be read: {error}") from None
    if stat.S_ISCHR(mode):
        return _usb(text, asked)
    if stat.S_ISDIR(mode):
        return FolderSource(path)
    if stat.S_ISREG(mode):
        return FilmSource(path)
    raise BadInput(f"{shown(text)}: shows nothing: {_CAN_BE}")


def _own(number: int, asked: Asked) -> RpicamSource:
    lens = 100 / asked.height_cm if asked.height_cm is not None else None  # in dioptres
    return RpicamSource(
        camera=number,
        size=asked.size,
        fps=asked.fps,
        held=Held(lens, asked.exposure_ms, asked.gain, asked.white),
        hold=asked.hold,
        part=asked.part,
        mains=asked.mains,
    )


def _usb(path: str, asked: Asked) -> V4L2Source:
    return V4L2Source(
        path,
        size=asked.size or USB_SIZE,
        fps=asked.fps,
        exposure_ms=asked.exposure_ms,
        hold=asked.hold,
        mains=asked.mains,
    )
