"""What a person names as a camera, as a source of frames."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from ..errors import BadInput, shown
from .camera import FPS, Size, Source
from .films import FilmSource, FolderSource
from .rpicam import SIZE as PI_SIZE
from .rpicam import RpicamSource
from .v4l2 import SIZE as USB_SIZE
from .v4l2 import V4L2Source

_CAN_BE = "name a film, a folder of pictures, a USB camera (/dev/v4l/by-id/…) or rpicam, the Raspberry Pi's own camera"


def source_of(text: str, *, size: Size | None = None, fps: float = FPS) -> Source:
    """The source that *text* names: a film, a folder of pictures, a device's path, ``rpicam`` or ``rpicam:1``.

    *size* and *fps* are what a camera is asked for (None: what suits its kind). Nothing is opened: a camera may be
    plugged in later. Raises BadInput.
    """
    if own := re.fullmatch(r"rpicam(?::([0-9]))?", text):
        return RpicamSource(camera=int(own[1] or 0), size=size or PI_SIZE, fps=fps)
    path = Path(text)
    try:
        mode = path.stat().st_mode if text else 0
    except FileNotFoundError:
        if text.startswith("/dev/") or text.isdecimal():  # a number is refused there
            return V4L2Source(text, size=size or USB_SIZE, fps=fps)
        raise BadInput(f"{shown(text)}: there is no such file: {_CAN_BE}") from None
    except OSError as error:
        raise BadInput(f"{shown(text)}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # there is a NUL in it
        raise BadInput(f"{shown(text)}: cannot be read: {error}") from None
    if stat.S_ISCHR(mode):
        return V4L2Source(text, size=size or USB_SIZE, fps=fps)
    if stat.S_ISDIR(mode):
        return FolderSource(path)
    if stat.S_ISREG(mode):
        return FilmSource(path)
    raise BadInput(f"{shown(text)}: shows nothing: {_CAN_BE}")
