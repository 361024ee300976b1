"""A frame: what a camera saw, and when. Between the devices that give frames and the vision that reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """*image* (h, w, 3) uint8 BGR; *at*: seconds by the source's own clock, which never falls: a camera's monotonic
    clock, a film's own time."""

    image: NDArray[np.uint8]
    at: float
