"""What watching costs: a frame in which nothing moves, one in which something moves, one that is read; and how long it
takes from the hand's letting go of a card to the fact that tells it.

What a Raspberry Pi would take is estimated, not measured: nobody has run it on one.
"""

from __future__ import annotations

import statistics
import time

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import ALL_CARDS
from tablepi.devices.rpicam import I420Frame
from tablepi.facts import Seen
from tablepi.virtual.camera import FPS, VirtualCamera
from tablepi.virtual.felt import Felt
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.pose import Pose
from tablepi.vision.eye import Eye
from tablepi.vision.reader import CardReader

from .tables import Results

TRICKS = 6

PI_5, PI_4 = (3.0, 3.0), (8.0, 10.0)
"""How many times longer than on the EPYC of a small virtual machine: estimates from what OpenCV takes on each for the
same picture and network, from the least to the most."""

ASKED = {
    "nothing moves": "< 10 % of a core",
    "what changed is read": "< 120 ms, aim 33",
    "release of a card to fact": "< 0.6 s",
}


def watched_frames() -> Results:
    """Processor milliseconds of a frame, median and 95th percentile, and the share of a core that so many a second
    take; seconds of the felt's time from release to fact; at two sizes, for frames of a USB camera and of the Pi's."""
    cv2.setNumThreads(1)
    rows = []
    for size, planar in (((1280, 720), False), ((2304, 1296), False), ((2304, 1296), True)):
        still, moving, read, released = _evening(size, planar=planar)
        named = f"{size[0]}×{size[1]}{', I420' if planar else ''}"
        for what, taken in (("nothing moves", still), ("something moves", moving), ("what changed is read", read)):
            usual, late = statistics.median(taken), sorted(taken)[int(len(taken) * 0.95)]
            share = what != "what changed is read"  # which are few
            rows.append((f"{named}: {what}", str(len(taken)), f"{usual:.1f} ms", f"{late:.1f} ms",
                         *(_estimated(usual, times, share=share) for times in ((1.0, 1.0), PI_5, PI_4)),
                         ASKED.get(what, "")))  # fmt: skip
        late = sorted(released)[int(len(released) * 0.95)]
        what = "release of a card to fact"
        rows.append((f"{named}: {what}", str(len(released)), f"{statistics.median(released):.2f} s", f"{late:.2f} s",
                     "", "", "", ASKED[what]))  # fmt: skip
    title = f"Watching the felt, one thread, processor time; {FPS:g} frames a second of the felt's time"
    columns = ("", "count", "median", "95 %", "here", "Pi 5, estimated", "Pi 4, estimated", "asked")
    return Results(title, columns, tuple(rows))


def _estimated(ms: float, times: tuple[float, float], *, share: bool) -> str:
    """What *ms* here are where it takes so many *times* longer; the *share* of a core at ``FPS`` frames a second."""
    least, most = (f"{ms * by * FPS / 10 if share else ms * by:.0f}" for by in times)
    return f"{least if least == most else f'{least} to {most}'} {'%' if share else 'ms'}"


def _evening(size: tuple[int, int], *, planar: bool) -> tuple[list[float], list[float], list[float], list[float]]:
    felt, pose = Felt(4, seed=2), Pose.seeded(size, 2)
    decks = legible(pose)
    camera = VirtualCamera(felt, Photographer(pose, decks[0], seed=2), clock=None)
    eye = Eye(CardReader(), 4)
    at, released = 2.0, []
    for trick in range(TRICKS):
        for seat in range(4):
            told = felt.lay(seat, ALL_CARDS[4 * trick + seat], at=at)
            released.append(told.settled)
            at = told.settled + 1.2
        at = felt.sweep(trick % 4, at=at).settled + 1.2
    still, moving, read, seen = [], [], [], []
    reads = 0
    with camera:
        while camera.now() < at:
            frame = camera.grab()
            assert frame is not None
            if planar:
                frame = I420Frame(i420(frame.image), frame.at)
            began = time.process_time()
            facts = eye.look(frame)
            took = (time.process_time() - began) * 1000
            seen += [frame.at for fact in facts if isinstance(fact, Seen)]
            if eye.watcher is None:
                continue
            if eye.watcher.reads > reads:
                reads = eye.watcher.reads
                read.append(took)
            elif eye.watcher.still:
                still.append(took)
            else:
                moving.append(took)
    assert len(seen) == len(released), "every card is told once"
    return still, moving, read, [there - gone for there, gone in zip(seen, released, strict=True)]


def i420(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The frame of the Pi's own camera that shows that *picture*."""
    y, cr, cb = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))
    half = picture.shape[1] // 2, picture.shape[0] // 2
    colours = [cv2.resize(plane, half, interpolation=cv2.INTER_AREA).reshape(-1, 2 * half[0]) for plane in (cb, cr)]
    return np.concatenate([y, *colours]).astype(np.uint8)
