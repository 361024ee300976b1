"""A camera that was moved is told from a table on which something was."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablepi.vision.anchors import Anchors, Camera, apart
from tablepi.vision.markers import MIDDLES, find

from .marked_table import HALF, PER_MM, drawn, hung, photographed

LENS = hung()


def pushed(dx: float, dy: float, turn: float = 0.0) -> np.ndarray:
    """The camera's homography when its picture has gone so many pixels, and turned so many degrees."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    about = np.array([[1, 0, 640], [0, 1, 360], [0, 0, 1]])
    return about @ [[c, -s, dx], [s, c, dy], [0, 0, 1]] @ np.linalg.inv(about) @ LENS


def blot(table: np.ndarray, x: float, y: float, radius: float = 60) -> np.ndarray:
    """The table with an arm at (x, y)."""
    over = table.copy()
    cv2.circle(
        over, (round((x + HALF) * PER_MM), round((y + HALF) * PER_MM)), round(radius * PER_MM), (120, 150, 200), -1
    )
    return over


def covered(table: np.ndarray, *numbers: int) -> np.ndarray:
    for number in numbers:
        table = blot(table, *MIDDLES[number])
    return table


def littered() -> np.ndarray:
    """A table without markers; things stand at its edge."""
    rng = np.random.default_rng(5)
    table = np.full((2 * HALF * PER_MM, 2 * HALF * PER_MM, 3), (62, 84, 40), np.uint8)
    for angle in range(10, 360, 45):
        x, y = 285 * np.cos(np.radians(angle)), 285 * np.sin(np.radians(angle))
        corners = cv2.boxPoints(((float((x + HALF) * PER_MM), float((y + HALF) * PER_MM)), (90, 60), float(angle * 3)))
        cv2.fillPoly(table, [corners.astype(np.int32)], rng.integers(90, 255, 3).tolist())
    return table


class Marked:
    """Anchors by the markers of a table, and what they say of it later."""

    def __init__(self, table: np.ndarray | None = None) -> None:
        self.table = drawn() if table is None else table
        image = photographed(self.table, LENS)
        self._anchors = Anchors(image, find(image).to_table, marked=True)

    def look(self, lens: np.ndarray = LENS, *, hidden: tuple[int, ...] = (), light: float = 1.0) -> Camera:
        image = photographed(covered(self.table, *hidden), lens)
        return self._anchors.look(np.clip(image * light, 0, 255).astype(np.uint8))


@pytest.fixture(scope="module")
def marked() -> Marked:
    return Marked()


@pytest.mark.parametrize("hidden", [(), (0,), (0, 1), (1, 2, 3)])
@pytest.mark.parametrize("light", [0.25, 1.0, 1.6])
def test_a_camera_stands_while_a_marker_is_seen_in_its_place(marked, hidden, light):
    assert marked.look(hidden=hidden, light=light) is Camera.STANDS


@pytest.mark.parametrize(("dx", "dy", "turn"), [(4, 0, 0), (0, -9, 0), (12, 8, 0), (0, 0, 1.0), (0, 0, -2.5)])
@pytest.mark.parametrize("hidden", [(), (2,), (0, 3), (0, 1, 2)])
def test_a_camera_that_was_pushed_has_moved_whatever_is_covered(marked, dx, dy, turn, hidden):
    assert marked.look(pushed(dx, dy, turn), hidden=hidden) is Camera.MOVED


def test_a_tremble_is_no_move(marked):
    assert marked.look(pushed(0.8, -0.8)) is Camera.STANDS


def test_of_a_camera_that_looks_elsewhere_nothing_is_known(marked):
    assert marked.look(pushed(200, 90)) is Camera.UNKNOWN
    assert marked.look(hidden=(0, 1, 2, 3)) is Camera.UNKNOWN


def test_a_marker_that_was_pushed_is_not_the_camera(marked):
    x, y = MIDDLES[1]
    marked = Marked()
    marked.table = drawn({**MIDDLES, 1: (x - 11, y + 6)})
    assert marked.look() is Camera.STANDS


def test_markers_that_were_laid_askew_stay_where_they_are():
    askew = {number: (x + 3.0 * (-1) ** number, y) for number, (x, y) in MIDDLES.items()}
    assert Marked(drawn(askew)).look() is Camera.STANDS


class Littered:
    """Anchors by what stands at the edge of a table without markers."""

    def __init__(self) -> None:
        self.table = littered()
        self._anchors = Anchors(photographed(self.table, LENS), np.linalg.inv(LENS), marked=False)

    def look(self, lens: np.ndarray = LENS, table: np.ndarray | None = None) -> Camera:
        return self._anchors.look(photographed(self.table if table is None else table, lens))


def test_without_markers_what_stands_beside_the_cards_tells_that_the_camera_moved():
    littered = Littered()
    assert [littered.look(), littered.look()] == [Camera.STANDS, Camera.STANDS]
    assert littered.look(pushed(10, 6)) is Camera.MOVED
    assert littered.look(pushed(0, 0, 2.0)) is Camera.MOVED
    assert littered.look() is Camera.STANDS


def test_without_markers_an_arm_that_was_there_from_the_start_has_no_voice():
    """It is never seen twice in one place."""
    bare = np.full_like(littered(), (62, 84, 40))
    arm = blot(bare, 270, 0, radius=25)
    anchors = Anchors(photographed(arm, LENS), np.linalg.inv(LENS), marked=False)
    assert [anchors.look(photographed(blot(bare, 270, y, 25), LENS)) for y in (30, 60, -90)] == [Camera.STANDS] * 3


def test_without_markers_or_anything_else_beside_the_cards_nothing_tells_of_a_move():
    bare = np.full_like(littered(), (62, 84, 40))
    anchors = Anchors(photographed(bare, LENS), np.linalg.inv(LENS), marked=False)
    assert anchors.look(photographed(bare, pushed(20, 0))) is Camera.STANDS


def test_how_far_apart_two_views_see_the_table_is_told_in_millimetres():
    one = np.diag([0.5, 0.5, 1.0])
    other = np.array([[0.5, 0, 3.0], [0, 0.5, 4.0], [0, 0, 1]])
    assert apart(one, other) == pytest.approx(5.0)
