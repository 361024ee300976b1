"""The virtual table's camera: a source of frames, and a surface that cards are laid on with a hand.

The felt has no clock of its own. In a demonstration it has the world's: the camera waits until its next frame is due,
as a real one does. In tests and films each ``grab`` is the next frame, however soon it is asked for, and virtual time
is what the frames make it::

    clock=time.monotonic   grab waits for the next 1/fps, `at` is the clock's time, frames that nobody fetched are lost
    clock=None             grab never waits, `at` is 1/fps, 2/fps, 3/fps …
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from ..cards import Card, Seat
from ..facts import Seen
from ..frames import Frame
from .felt import Felt
from .paper import Image
from .photograph import Photographer

FPS = 15.0

NAME = "virtual camera"


class VirtualCamera:
    """Films *felt* with *photographer*, *fps* frames a second. *speed*: how fast the felt's time goes by the
    clock's. *quality*: that of the JPEG files that the camera sends (1 to 100), None for pictures as they are.

    ``grab`` belongs to one thread at a time; ``now`` and ``cancel`` may be called from any.
    """

    def __init__(
        self,
        felt: Felt,
        photographer: Photographer,
        *,
        name: str = NAME,
        fps: float = FPS,
        clock: Callable[[], float] | None = time.monotonic,
        speed: float = 1.0,
        quality: int | None = None,
    ) -> None:
        self.name = name
        self.fps = fps
        self.felt = felt
        self._photographer = photographer
        self._clock = clock
        self._speed = speed
        self._quality = quality
        self._dropped = 0
        self._frames = 0
        self._due = 0.0
        self._cancelled = threading.Event()

    def __enter__(self) -> Self:
        self._photographer.meet(self.felt.seats)
        self._cancelled.clear()
        self._due = self.now()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.cancel()

    @property
    def to_table(self) -> NDArray[np.float64]:
        """The truth that is to be found by the markers: 3×3 float64, from pixels of a frame to millimetres."""
        return self._photographer.pose.to_table

    @property
    def dropped(self) -> int:
        """How many frames came while nobody grabbed."""
        return self._dropped

    def now(self) -> float:
        """The time on the felt: the clock's, or that of the latest frame."""
        return self._frames / self.fps if self._clock is None else self._clock() * self._speed

    def at(self, t: float) -> Image:
        """The picture at time *t*: (height, width, 3) uint8 BGR. In the thread that grabs."""
        return self._developed(t, round(t * 1000))

    def grab(self) -> Frame | None:
        """The next frame, when it is due; None at once when ``cancel`` is or was called."""
        if self._clock is not None:
            self._cancelled.wait(max(0.0, self._due - self.now()) / self._speed)
        if self._cancelled.is_set():
            return None
        self._frames += 1
        now = self.now()
        if self._clock is not None:
            late = max(0, math.floor((now - self._due) * self.fps))
            self._dropped += late
            self._due += (1 + late) / self.fps
        return Frame(self._developed(now, self._frames), now)

    def cancel(self) -> None:
        """Wake ``grab``, from another thread."""
        self._cancelled.set()

    def _developed(self, t: float, number: int) -> Image:
        picture = self._photographer.photograph(self.felt.scene(t), number)
        if self._quality is None:
            return picture
        _, sent = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, self._quality))
        return np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8)


class CameraSurface:
    """Lays cards on the felt before *camera*, for ``world.World``. *tells_leaving*: whether the table is told by what
    the camera sees that a card has left."""

    tells = (Seen,)

    def __init__(self, camera: VirtualCamera, *, tells_leaving: bool = True) -> None:
        self.tells_leaving = tells_leaving
        self._camera = camera

    def lay(self, seat: Seat, card: Card) -> None:
        """A hand lays *card*, or puts it into place anew. Returns before it has."""
        self._camera.felt.lay(seat, card, at=self._camera.now())

    def lift(self, seat: Seat, card: Card) -> None:
        """A hand takes *card* back. Raises ValueError when it does not lie there."""
        self._camera.felt.lift(seat, card, at=self._camera.now())

    def sweep(self, seat: Seat | None) -> None:
        """The hand of *seat*, who has won (None: of who laid last), takes all cards together."""
        self._camera.felt.sweep(seat, at=self._camera.now())
