"""Whether anything moves on the felt, told from light that flickers and a sensor that rustles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablepi.frames import Frame
from tablepi.vision.stillness import Stillness, boxes, differs, factor


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def cloth(rng, *, noise: float = 3.0, light: float = 1.0, card: tuple[int, int] | None = None) -> np.ndarray:
    """A frame of a green cloth, 1280×720, with a white card of 84×125 pixels at *card*."""
    frame = np.empty((720, 1280, 3), np.float32)
    frame[:] = (60, 110, 40)
    if card is not None:
        x, y = card
        cv2.rectangle(frame, (x, y), (x + 84, y + 125), (235, 238, 236), -1)
        cv2.rectangle(frame, (x + 8, y + 10), (x + 18, y + 30), (20, 20, 20), -1)
    frame = frame * light + rng.normal(0, noise, frame.shape)
    return np.clip(frame, 0, 255).astype(np.uint8)


def small(image: np.ndarray) -> np.ndarray:
    by = factor(image.shape[1])
    return Frame(image, 0.0).small((0, 0, image.shape[1], image.shape[0]), by)


def stills(frames) -> list[bool]:
    stillness = Stillness()
    return [stillness.look(small(frame), at / 15) for at, frame in enumerate(frames)]


def test_noise_is_no_motion(rng):
    assert stills(cloth(rng, noise=6) for _ in range(6)) == [False] + [True] * 5


@pytest.mark.parametrize("light", [0.5, 0.8, 1.08])
def test_a_lamp_that_changes_is_no_motion(rng, light):
    frames = [cloth(rng, light=level, card=(600, 300)) for level in (1.0, 1.0, light, light, 1.0)]
    assert stills(frames) == [False, True, True, True, True]


def test_a_card_that_comes_is_motion_once(rng):
    frames = [cloth(rng), cloth(rng), cloth(rng, card=(600, 300)), cloth(rng, card=(600, 300))]
    assert stills(frames) == [False, True, False, True]


def test_a_card_that_creeps_is_not_still(rng):
    """A pixel a frame, less than any two frames show."""
    frames = [cloth(rng, card=(600 + at, 300)) for at in range(12)]
    assert False in stills(frames)[1:]


def test_still_since_is_the_first_frame_that_looks_the_same(rng):
    stillness = Stillness()
    for at, frame in enumerate([cloth(rng), cloth(rng, card=(600, 300)), cloth(rng, card=(600, 300))]):
        stillness.look(small(frame), at / 10)
    assert stillness.since == 0.1


def test_what_moves_outside_the_felt_is_not_looked_at(rng):
    felt = np.zeros(small(cloth(rng)).shape[:2], bool)
    felt[:, :100] = True
    stillness = Stillness(felt)
    stillness.look(small(cloth(rng)), 0.0)
    assert stillness.look(small(cloth(rng, card=(900, 300))), 0.1)
    assert not stillness.look(small(cloth(rng, card=(100, 300))), 0.2)


def test_the_parts_that_differ_are_boxes_round_each_card(rng):
    before, after = cloth(rng), cloth(rng, card=(600, 300))
    frame = cloth(rng, card=(600, 300))
    frame[500:625, 200:284] = 240
    found = sorted(boxes(differs(small(frame), small(before))))
    assert len(found) == 2
    for (x0, y0, x1, y1), (x, y) in zip(found, [(200, 500), (600, 300)], strict=True):
        assert (x0 <= x / 4, y0 <= y / 4, x1 >= x / 4 + 21, y1 >= y / 4 + 31) == (True,) * 4
        assert x1 - x0 < 35
        assert y1 - y0 < 45
    assert boxes(differs(small(after), small(frame)))
