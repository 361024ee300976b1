"""A frame: what a camera saw, and when. Between the devices that give frames and the vision that reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]
    Box = tuple[int, int, int, int]


class Frame:
    """*image* (h, w, 3) uint8 BGR; *at*: seconds by the source's own clock, which never falls: a camera's monotonic
    clock, a film's own time.

    Most frames show nothing new, and are only looked at ``small``. A camera whose frames are no pictures yet gives its
    own kind of frame, which makes a picture when it is asked for one.
    """

    def __init__(self, image: Image, at: float) -> None:
        self.at = at
        self._image = image

    @property
    def image(self) -> Image:
        return self._image

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self._image.shape[:2]
        return width, height

    def small(self, part: Box, by: int) -> Image:
        """*part* (x0, y0, x1, y1) of the picture, *by* a whole number smaller; its width and height are multiples of
        that: (h, w, 3) uint8 BGR, each pixel the mean of those that it stands for."""
        import cv2
        import numpy as np

        x0, y0, x1, y1 = part
        size = (x1 - x0) // by, (y1 - y0) // by
        return np.asarray(cv2.resize(self._image[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA), np.uint8)
