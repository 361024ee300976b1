"""A camera that watches the table is one device: its facts, its losses, and the table that it does not find."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from tablepi.cards import card
from tablepi.devices.camera import EndOfFilm
from tablepi.devices.supervisor import DeviceLost
from tablepi.devices.table_camera import BLIND_S, TableCamera
from tablepi.facts import Found, Lost, Seen
from tablepi.frames import Frame

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

    def look(self, frame):
        self.found = frame.at >= self.since
        return self.facts.get(frame.at, [])


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
