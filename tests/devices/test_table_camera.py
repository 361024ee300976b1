"""A camera that watches the table is one device: its facts, its losses, and the table that it does not find."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

import cv2
import numpy as np
import pytest

from tablepi.cards import card
from tablepi.devices.camera import EndOfFilm
from tablepi.devices.supervisor import DeviceLost, Supervisor
from tablepi.devices.table_camera import BLIND_S, TableCamera
from tablepi.devices.witnesses import Witnesses
from tablepi.facts import Found, Gone, Lost, Seen
from tablepi.frames import Frame
from tablepi.journal import Journal
from tablepi.language import words
from tablepi.loop import Clocks, Loop
from tablepi.views.desk import Desk, Setup
from tablepi.virtual.camera import VirtualCamera
from tablepi.virtual.felt import Felt
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.pose import Pose
from tablepi.vision.eye import Eye as RealEye
from tablepi.vision.markers import MIDDLES, through

from ..script import NAMES, RULEBOOK, facts, held

DARK = np.zeros((4, 4, 3), np.uint8)
QUEEN = Seen(seat=1, card=card("QS"), confidence=0.98, steady=0.3, source="camera")


@dataclass
class Frames:
    """A source of frames at the times *at*; after them the film is over."""

    at: list[float | None]
    name: str = "frames"
    dropped: int = 0
    open: bool = False
    cancelled: bool = False

    def __enter__(self):
        self.open = True
        return self

    def __exit__(self, *_):
        self.open = False

    def grab(self):
        if not self.at:
            raise EndOfFilm
        at = self.at.pop(0)
        return None if at is None else Frame(DARK, at)

    def cancel(self):
        self.cancelled = True


@dataclass
class Eye:
    """Sees *facts* in a frame of that time; knows the table from *since* on."""

    facts: dict[float, list] = field(default_factory=dict)
    since: float = 0.0
    found: bool = False
    trouble: str = "no marker is seen"
    photos: dict = field(default_factory=dict)

    def look(self, frame):
        self.found = frame.at >= self.since
        return self.facts.get(frame.at, [])

    def photo(self, fact):
        return self.photos.pop(fact, None)


def test_what_the_eye_sees_comes_as_facts_and_a_woken_camera_has_none():
    camera = TableCamera("camera", Frames([0.0, None, 1.0]), Eye({1.0: [QUEEN]}))
    with camera:
        assert [list(camera.read()) for _ in range(3)] == [[], [], [QUEEN]]


def test_the_source_is_opened_closed_and_woken_with_the_device():
    source = Frames([])
    camera = TableCamera("camera", source, Eye())
    with camera:
        assert source.open
        camera.cancel()
    assert (source.open, source.cancelled) == (False, True)


def test_a_film_that_ends_is_a_camera_that_is_lost():
    camera = TableCamera("camera", Frames([]), Eye())
    with camera, pytest.raises(DeviceLost, match=r"^frames: the film is over$"):
        list(camera.read())
    with pytest.raises(DeviceLost, match=r"^frames: the film is over$"):  # and stays so: it is not played again
        camera.__enter__()


def test_a_table_that_is_not_found_is_told_once_and_again_when_it_is():
    times = [0.0, 1.0, BLIND_S + 0.1, BLIND_S + 1, 20.0, 21.0]
    camera = TableCamera("camera", Frames(list(times)), Eye(since=20.0))
    with camera:
        told = [list(camera.read()) for _ in times]
    assert told == [[], [], [Lost(device="camera", reason="no marker is seen")], [], [Found(device="camera")], []]


@dataclass
class Tampered:
    """The virtual camera, with what *does* does to its pictures, such as a hand before the lens."""

    camera: VirtualCamera
    does: Callable[[VirtualCamera, np.ndarray], np.ndarray] | None = None
    name: str = "virtual"
    dropped: int = 0

    def __enter__(self):
        self.camera.__enter__()
        return self

    def __exit__(self, *error):
        self.camera.__exit__(*error)

    def grab(self):
        frame = self.camera.grab()
        return frame if self.does is None else Frame(self.does(self.camera, frame.image), frame.at)

    def cancel(self):
        self.camera.cancel()


def without_markers(camera, image):
    corners = through(list(MIDDLES.values()), np.linalg.inv(camera.to_table))
    for x, y in corners.round().astype(int).tolist():
        cv2.circle(image, (x, y), 25, (30, 30, 40), -1)
    return image


@pytest.mark.parametrize(
    ("does", "why"),
    [
        (lambda _, image: image // 12, "the picture is too dark: is the lens covered, or the lamp off?"),
        (without_markers, "the camera has moved, or its markers are covered: none of the markers 0 to 3 is seen"),
    ],
    ids=["a dark lens", "a knock while all markers are covered"],
)
def test_a_table_that_is_not_seen_any_more_is_told_after_a_while_and_found_again(does, why):
    pose = Pose.seeded((640, 360), 4)
    virtual = VirtualCamera(Felt(4, seed=4), Photographer(pose, legible(pose, 0)[0], seed=4), clock=None, fps=5)
    source = Tampered(virtual)
    camera = TableCamera("camera", source, RealEye(Blind(), 4))

    def told(seconds):
        until = virtual.now() + seconds
        return [fact for _ in iter(lambda: virtual.now() < until, False) for fact in camera.read()]

    with camera:
        assert told(1.0) == []
        source.does = does
        virtual.felt.knock(at=virtual.now(), by_mm=12, by_deg=0.8)
        assert told(BLIND_S) == []
        [lost] = told(1.5)
        assert (lost.kind, lost.device, lost.reason[: len(why)]) == ("lost", "camera", why)
        assert told(1.0) == []
        source.does = None
        assert told(1.5) == [Found(device="camera")]


class Blind:
    """A reader that never sees a card."""

    threshold = 0.9

    def read(self, frame, per_mm):
        return ()


# --- several cameras --------------------------------------------------------------------------------------------------


def test_facts_bear_the_name_of_their_camera_and_photographs_are_found_by_them():
    camera = TableCamera("camera-2", Frames([0.0]), Eye({0.0: [QUEEN]}, photos={QUEEN: b"queen"}))
    with camera:
        (told,) = camera.read()
    assert told == replace(QUEEN, source="camera-2")
    assert told.by_camera
    assert [camera.photo(told), camera.photo(told)] == [b"queen", None]  # once


@dataclass
class Sees(Eye):
    """An eye that does not find the table in the seconds *blind*."""

    blind: range = range(0)

    def look(self, frame):
        self.found = int(frame.at) not in self.blind
        return self.facts.get(frame.at, [])


class Shown:
    """A source whose frames are shown to it: times, or a loss. It is open until it is lost, and cannot be opened
    again."""

    name, dropped = "shown", 0

    def __init__(self):
        self._frames = queue.Queue()
        self._over = False

    def show(self, at):
        self._frames.put(at)

    def __enter__(self):
        if self._over:
            raise DeviceLost("shown: it was unplugged")
        return self

    def __exit__(self, *_):
        pass

    def grab(self):
        at = self._frames.get(timeout=5)
        if isinstance(at, DeviceLost):
            self._over = True
            raise at
        return None if at is None else Frame(DARK, at)

    def cancel(self):
        self.show(None)


def test_a_card_that_the_other_camera_still_sees_has_not_left_until_that_is_blind_or_lost():
    """The first one takes a sleeve for bare cloth; the second is covered, and found again, and then unplugged."""
    queen, seven = replace(QUEEN, source="camera-2"), replace(QUEEN, card=card("7H"), source="camera-2")
    left = Gone(seat=1, card=QUEEN.card, source="camera")
    witnesses, shown = Witnesses(), Shown()
    one = TableCamera(
        "camera",
        Frames([0.0, 1.0, 2.0, 3.0]),
        Sees(
            {0.0: [QUEEN], 1.0: [left], 2.0: [replace(QUEEN, card=seven.card)], 3.0: [replace(left, card=seven.card)]}
        ),
        witnesses,
    )
    two = TableCamera("camera-2", shown, Sees({0.0: [queen], 20.0: [seven]}, blind=range(5, 15)), witnesses)

    def look(at):
        shown.show(at)
        return list(two.read())

    with one, two:
        assert [list(one.read()), look(0.0), list(one.read())] == [[QUEEN], [queen], []]
        assert [look(5.0), look(5.0 + BLIND_S)] == [[], [left, Lost(device="camera-2", reason="no marker is seen")]]
        assert [look(15.0), look(20.0)] == [[Found(device="camera-2")], [seven]]
        assert [list(one.read()), list(one.read())] == [[replace(QUEEN, card=seven.card)], []]
        shown.show(DeviceLost("it was unplugged"))
        told = two.read()
        assert next(told) == replace(left, card=seven.card)
        with pytest.raises(DeviceLost, match="unplugged"):
            next(told)


def jpeg(text):
    return b"\xff\xd8" + text.encode() + b"\xff\xd9"


def sees(seat, name):
    return Seen(seat=seat, card=card(name), confidence=0.98, steady=0.4, source="camera")


def test_a_card_that_two_cameras_see_is_one_play_and_the_loss_of_one_does_not_stop_the_other(tmp_path):
    four, five = sees(2, "4C"), sees(3, "5C")
    first, second = Shown(), Shown()
    cameras = [
        TableCamera("camera", first, Eye({1.0: [four]}, photos={four: jpeg("A 4C")})),
        TableCamera(
            "camera-2", second, Eye({1.0: [four], 2.0: [five]}, photos={four: jpeg("B 4C"), five: jpeg("B 5C")})
        ),
    ]
    inbox, photographed = queue.Queue(), {camera.name: camera.photo for camera in cameras}
    with Journal(tmp_path) as journal, Supervisor(cameras, inbox, backoff_s=(60.0,)):
        loop = Loop(
            rulebook=RULEBOOK,
            desk=Desk(Setup(tuple(NAMES), "hearts-cardems")),
            inbox=inbox,
            clocks=Clocks(mono=lambda: 100.0, wall=lambda: datetime(2026, 11, 30)),
            words=words,
            record=journal,
            photo=lambda fact: photographed[fact.source](fact),
        )
        answers = []

        def hear(source, frame):
            source.show(frame)
            loop.accept(inbox.get(timeout=5))
            answers.append([line["ruling"] for line in loop.table.lines if "ruling" in line])

        for fact in facts(held() + "0:2C 1:3C"):
            loop.accept(fact)
        hear(first, 1.0)
        hear(second, 1.0)
        hear(first, DeviceLost("first: it was unplugged"))
        assert [device for device, _ in loop.table.state.lost] == ["camera"]
        hear(second, 2.0)
        assert answers == [["legal"], [], [], ["legal"]]
        (trick,) = [line for line in loop.table.lines if line.get("event") == "trick"]
        assert trick["cards"] == {"0": "2C", "1": "3C", "2": "4C", "3": "5C"}
        kept = {n: journal.photo(loop.game, n) for n in journal.photographed(loop.game)}
    assert kept == {6: jpeg("A 4C"), 7: jpeg("B 4C"), 9: jpeg("B 5C")}
