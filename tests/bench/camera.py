"""What watching costs: a frame in which nothing moves, one in which something moves, one that is read; and how long it
takes from the hand's letting go of a card to the fact that tells it."""

from __future__ import annotations

import statistics
import time

import cv2

from tablepi.cards import ALL_CARDS
from tablepi.facts import Seen
from tablepi.virtual.camera import FPS, VirtualCamera
from tablepi.virtual.felt import Felt
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.pose import Pose
from tablepi.vision.eye import Eye
from tablepi.vision.reader import CardReader

from .tables import Results

TRICKS = 6


def watched_frames() -> Results:
    """Processor milliseconds of a frame, median and 95th percentile, and seconds of the felt's time from release to
    fact, at two sizes."""
    cv2.setNumThreads(1)
    rows = []
    for size in ((1280, 720), (2304, 1296)):
        still, moving, read, released = _evening(size)
        for what, taken in (("nothing moves", still), ("something moves", moving), ("what changed is read", read)):
            late = sorted(taken)[int(len(taken) * 0.95)]
            rows.append((f"{size[0]}×{size[1]}, {what}", str(len(taken)), f"{statistics.median(taken):.1f} ms",
                         f"{late:.1f} ms"))  # fmt: skip
        late = sorted(released)[int(len(released) * 0.95)]
        rows.append((f"{size[0]}×{size[1]}, release of a card to fact", str(len(released)),
                     f"{statistics.median(released):.2f} s", f"{late:.2f} s"))  # fmt: skip
    title = f"Watching the felt, one thread, processor time; {FPS:g} frames a second of the felt's time"
    return Results(title, ("", "count", "median", "95th percentile"), tuple(rows))


def _evening(size: tuple[int, int]) -> tuple[list[float], list[float], list[float], list[float]]:
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
