"""A game of the virtual table as a video file, and what is true of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2

from ..errors import BadInput
from ..facts import dumps
from .camera import FPS
from .felt import Felt, Told
from .paper import Image
from .photograph import Photographer
from .players import Act, Lay, Lift, Sweep

CODECS = {".avi": "MJPG", ".mp4": "mp4v"}
"""What a film is coded as, by the end of its name. Motion JPEG keeps most; mp4v is smaller."""

PACE_S = 1.0
"""Seconds from the end of one act to the beginning of the next."""


def perform(acts: Iterable[Act], felt: Felt, *, begin: float = 1.0, pace_s: float = PACE_S) -> float:
    """Plan those of *acts* that are seen on the felt, from time *begin* on; what is said at a display is not. Returns
    when a film of them may end: a pace after the last has settled."""
    at = begin
    for act in acts:
        match act:
            case Lay():
                told = felt.lay(act.seat, act.card, at=at)
            case Lift():
                told = felt.lift(act.seat, act.card, at=at)
            case Sweep():
                told = felt.sweep(act.winner, at=at)
            case _:
                continue
        at = told.settled + pace_s
    return at


def frames_of(felt: Felt, photographer: Photographer, *, until: float, fps: float = FPS) -> Iterator[Image]:
    """The pictures of a film that begins at time 0: those of time 0, 1/fps, 2/fps … before *until*."""
    number = 0
    while number / fps < until:
        yield photographer.photograph(felt.scene(number / fps), number)
        number += 1


def write_film(path: Path, frames: Iterable[Image], *, fps: float = FPS) -> int:
    """Write *frames*, (height, width, 3) uint8 BGR, all of one size, to a video file; how many there were.

    Raises BadInput for a name that does not end as one of ``CODECS``, for a file that cannot be written and for a film
    without a frame.
    """
    codec = CODECS.get(path.suffix.lower())
    if codec is None:
        raise BadInput(f"{path}: a film's name ends in {' or '.join(CODECS)}")
    writer: cv2.VideoWriter | None = None
    count = 0
    try:
        for frame in frames:
            if writer is None:
                size = frame.shape[1], frame.shape[0]
                writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), fps, size)
                if not writer.isOpened():
                    raise BadInput(f"{path}: cannot be written: name a file in a folder of yours, or one in .avi")
            writer.write(frame)
            count += 1
    finally:
        if writer is not None:
            writer.release()
    if not count:
        raise BadInput(f"{path}: a film needs a frame at least")
    return count


def write_truth(path: Path, told: Iterable[Told]) -> None:
    """Write what really happened, a line of JSON for each act (``Told.line``), in the order of time.

    Raises BadInput for a file that cannot be written.
    """
    lines = (dumps(one.line()) + "\n" for one in sorted(told, key=lambda one: one.at))
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}: name a file in a folder of yours") from None
