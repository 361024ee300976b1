"""From the small picture of the felt to its place in the frame and on the table, and back."""

from __future__ import annotations

import numpy as np
import pytest

from tablepi.frames import Frame
from tablepi.vision.markers import through
from tablepi.vision.view import Placed, View
from tablepi.vision.zones import Corner

from .marked_table import drawn, hung, photographed

SIZE = (1280, 720)


def view(**hanging: float) -> View:
    return View(np.linalg.inv(hung(SIZE, **hanging)), SIZE)


def card_at(x: float, y: float) -> Placed:
    return Placed(x, y, 0.3, (Corner(x, y, 0.3, 15.0),))


@pytest.mark.parametrize("place", [(0, 0), (120, -60), (-150, 90)])
def test_a_card_is_at_the_same_place_in_the_small_picture_and_in_the_frame(place):
    seen = view()
    x, y = seen.small_point(Corner(*place, 0.0, 15.0))
    x0, y0, x1, y1 = seen.pixels((round(x) - 1, round(y) - 1, round(x) + 2, round(y) + 2), around=0)
    there = through([place], np.linalg.inv(seen.to_table))[0]
    assert (x0 <= there[0] <= x1, y0 <= there[1] <= y1) == (True, True)
    assert x1 - x0 <= 16


def test_the_small_picture_is_the_felt_alone():
    seen = view()
    picture = seen.small(Frame(photographed(drawn(), hung(SIZE), SIZE), 0.0))
    assert picture.shape[:2] == seen.felt.shape == (seen.box[3], seen.box[2])
    assert picture.shape[1] < 0.7 * SIZE[0] / 4
    assert seen.felt.any(0).all()
    assert seen.felt.any(1).all()


def test_what_one_camera_sees_is_found_in_the_picture_of_another():
    before, after = view(), view(tilt=9, turn=5, shows=700)
    moved = through(before.quad(card_at(80, 40)), after.small_from(before))
    assert moved == pytest.approx(after.quad(card_at(80, 40)), abs=0.01)


def test_how_many_pixels_a_millimetre_has_is_told_for_the_place_that_is_asked_for():
    flat = view(tilt=0, turn=0, shows=720)
    assert flat.per_mm(flat.box) == pytest.approx(1.0, abs=0.01)
    tilted = view(tilt=25, turn=0)
    w, h = tilted.box[2:]
    assert abs(tilted.per_mm((0, 0, w, 10)) - tilted.per_mm((0, h - 10, w, h))) > 0.1
