"""Photographs as frames: opening them, and making camera frames of 1280×720 out of photographs of any shape."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

FRAME = (1280, 720)
Image = NDArray[np.uint8]
T = TypeVar("T")


def opened(file: Path) -> Image:
    """The photograph, BGR, turned as its EXIF says. Raises OSError when it cannot be read."""
    image = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if image is None:
        raise OSError(f"{file}: not a picture that OpenCV reads")
    return image


def as_frame(photograph: Image) -> Image:
    """A frame of 1280×720 that shows the whole photograph, for timing.

    An upright photograph is laid on its side, so that more of the frame is filled. It is then scaled until it just
    fits, nothing cut off. What stays free at its sides is filled with the photograph itself, repeated: a plain margin
    holds no card and would cost a reader nothing, so it would look faster than it is.
    """
    if photograph.shape[0] > photograph.shape[1]:
        photograph = cv2.rotate(photograph, cv2.ROTATE_90_CLOCKWISE)
    high, wide = photograph.shape[:2]
    scale = min(FRAME[0] / wide, FRAME[1] / high)
    size = min(FRAME[0], round(wide * scale)), min(FRAME[1], round(high * scale))
    fitted = cv2.resize(photograph, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    left, top = (FRAME[0] - size[0]) // 2, (FRAME[1] - size[1]) // 2
    right, bottom = FRAME[0] - size[0] - left, FRAME[1] - size[1] - top
    return cv2.copyMakeBorder(fitted, top, bottom, left, right, cv2.BORDER_WRAP)


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most *count* of the items, taken at even distances."""
    count = min(count, len(items))
    return [items[i * len(items) // count] for i in range(count)]
