"""The eye finds the table, tells what comes to lie on it, and keeps a photograph of each card that it told."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablepi.cards import card
from tablepi.facts import Gone, Seen
from tablepi.frames import Frame
from tablepi.virtual.camera import VirtualCamera
from tablepi.virtual.felt import Felt
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.pose import Pose
from tablepi.vision.eye import PHOTOGRAPHS, Eye
from tablepi.vision.reader import CardReader


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture
def camera():
    pose = Pose.seeded((1280, 720), 4)
    with VirtualCamera(Felt(4, seed=4), Photographer(pose, legible(pose)[0], seed=4), clock=None) as camera:
        yield camera


def watch(eye: Eye, camera: VirtualCamera, seconds: float) -> list:
    until, facts = camera.now() + seconds, []
    while camera.now() < until:
        facts += eye.look(camera.grab())
    return facts


def test_a_card_that_is_laid_is_told_with_its_photograph_which_shows_that_card(reader, camera):
    eye = Eye(reader, 4)
    assert watch(eye, camera, 0.6) == []
    assert eye.found
    camera.felt.lay(2, card("QS"), at=camera.now())
    [told] = watch(eye, camera, 1.6)
    assert (type(told), told.seat, told.card, told.source) == (Seen, 2, card("QS"), "camera")
    jpeg = eye.photo(told)
    photograph = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert [r.card for r in reader.read(photograph) if r.confidence >= reader.threshold] == [card("QS")]
    assert len(jpeg) < 40_000
    assert eye.photo(told) is None  # once
    camera.felt.lift(2, card("QS"), at=camera.now())
    assert isinstance(watch(eye, camera, 1.6)[0], Gone)


def test_a_table_without_markers_is_not_found_and_it_is_said_why(reader):
    eye = Eye(reader, 4)
    cloth = np.full((360, 640, 3), (60, 110, 40), np.uint8)
    assert eye.look(Frame(cloth, 0.0)) == []
    assert not eye.found
    assert eye.trouble.startswith("none of the markers 0 to 3 is seen: ")


def test_the_table_is_looked_for_again_until_its_markers_are_seen(reader, camera):
    eye = Eye(reader, 4)
    frame = camera.grab()
    eye.look(Frame(np.zeros_like(frame.image), 0.0))
    eye.look(Frame(frame.image, 0.2))
    assert not eye.found  # not at every frame: it takes a while
    eye.look(Frame(frame.image, 0.6))
    assert (eye.found, eye.trouble) == (True, "")


def test_a_table_told_by_hand_needs_no_markers(reader):
    corners = ((560, 40), (560, 320), (80, 320), (80, 40))
    eye = Eye(reader, 4, by_hand=(corners, (640, 360)))
    eye.look(Frame(np.full((360, 640, 3), 90, np.uint8), 0.0))
    assert eye.found


def test_a_camera_of_another_size_is_another_view(reader, camera):
    eye = Eye(reader, 4)
    frame = camera.grab()
    eye.look(frame)
    watcher = eye.watcher
    eye.look(Frame(cv2.resize(frame.image, (960, 540)), frame.at + 1))
    assert eye.found
    assert eye.watcher is not watcher


def test_photographs_that_nobody_fetches_do_not_fill_the_memory(reader, camera):
    eye = Eye(reader, 4)
    frame = camera.grab()
    eye.look(frame)
    camera.felt.lay(2, card("QS"), at=camera.now())
    [told] = watch(eye, camera, 1.6)
    kept = eye.photo(told)
    for number in range(PHOTOGRAPHS + 5):
        eye._photos[Seen(card=card("QS"), seat=number % 4, steady=float(number))] = kept
    eye._keep(told, eye.watcher, frame)
    assert len(eye._photos) == PHOTOGRAPHS


def test_markers_that_appear_put_an_assumed_table_right(reader, camera):
    """A film begins in the dark."""
    eye = Eye(reader, 4, anywhere=True)
    frame = camera.grab()
    eye.look(Frame(np.zeros_like(frame.image), 0.0))
    assert (eye.found, eye.trouble.split(": ")[1]) == (True, "the whole picture is taken for the table")
    assumed = eye.watcher
    eye.look(Frame(np.zeros_like(frame.image), 1.0))
    assert eye.watcher is assumed
    eye.look(Frame(frame.image, 2.0))
    assert (eye.trouble, eye.watcher is assumed) == ("", False)


# --- how large the cards are -----------------------------------------------------------------------------------------


def coarse(width: int, *, anywhere: bool = False) -> str:
    """What is said of frames of *width*, whose height is 9/16 of it and that of the marked square told by hand."""
    height = width * 9 // 16
    left, right = (width - height) // 2, (width + height) // 2
    corners = ((right, 0), (right, height), (left, height), (left, 0))
    by_hand = None if anywhere else (corners, (width, height))
    eye = Eye(Blind(), 4, by_hand=by_hand, anywhere=anywhere)
    eye.look(Frame(np.full((height, width, 3), 90, np.uint8), 0.0))
    assert eye.found
    return eye.coarse


class Blind:
    """A reader that never sees a card."""

    threshold = 0.9

    def read(self, frame):
        return ()


def test_a_picture_in_which_a_rank_is_too_low_is_said_to_be_coarse():
    wanted = "16 are wanted: use a larger picture size, or hang the camera lower"
    jumbo = "a jumbo index (15 mm) is large enough"
    assert [coarse(width) for width in (1920, 1600, 1500, 1200, 1000, 800)] == [
        "",
        "",
        f"the picture is coarse: a rank of 8 mm has 13 pixels, {wanted}; {jumbo}",
        f"the picture is coarse: a rank of 8 mm has 10 pixels, {wanted}; {jumbo}",
        f"the picture is too coarse: a rank of 8 mm has 8 pixels, {wanted}; {jumbo}",
        f"the picture is too coarse: a rank of 8 mm has 7 pixels, {wanted}",
    ]


def test_where_the_whole_picture_is_taken_for_the_table_nothing_is_said_of_the_cards_size():
    assert coarse(640, anywhere=True) == ""


def test_a_camera_that_gives_larger_pictures_is_coarse_no_more(reader, camera):
    eye = Eye(reader, 4)
    frame = camera.grab()
    eye.look(frame)
    assert eye.coarse.startswith("the picture is coarse: ")
    eye.look(Frame(cv2.resize(frame.image, (1920, 1080)), frame.at + 1))
    assert (eye.found, eye.coarse) == (True, "")
