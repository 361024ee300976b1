"""The eye finds the table, tells what comes to lie on it, and keeps a photograph of each card that it told."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablepi.cards import card
from tablepi.devices.rpicam import I420Frame
from tablepi.facts import Gone, Seen
from tablepi.frames import Frame
from tablepi.virtual.camera import VirtualCamera
from tablepi.virtual.felt import Felt
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.pose import Pose
from tablepi.vision.eye import PHOTOGRAPHS, TOO_DARK, Eye
from tablepi.vision.markers import CORNERS, MIDDLES, through
from tablepi.vision.reader import CardReader

from ..bench.camera import i420
from .marked_table import HALF, PER_MM, hung, photographed
from .test_anchors import littered, pushed


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


def test_what_the_pis_own_camera_gives_is_told_like_any_picture(reader, camera):
    eye, facts = Eye(reader, 4), []
    camera.felt.lay(2, card("QS"), at=0.5)
    camera.felt.lift(2, card("QS"), at=2.2)
    while camera.now() < 4.0:
        frame = camera.grab()
        facts += eye.look(I420Frame(i420(frame.image), frame.at))
    assert [(type(fact), fact.seat, fact.card) for fact in facts[:2]] == [(Seen, 2, card("QS")), (Gone, 2, card("QS"))]
    assert (eye.found, len(facts)) == (True, 3)


def test_a_table_without_markers_is_not_found_and_it_is_said_why(reader):
    eye = Eye(reader, 4)
    cloth = np.full((360, 640, 3), (60, 110, 40), np.uint8)
    assert eye.look(Frame(cloth, 0.0)) == []
    assert not eye.found
    assert eye.trouble.startswith("none of the markers 0 to 3 is seen: ")


def test_the_table_is_looked_for_again_until_its_markers_are_seen(reader, camera):
    eye = Eye(reader, 4)
    frame = camera.grab()
    eye.look(Frame(np.full_like(frame.image, 90), 0.0))
    eye.look(Frame(frame.image, 0.2))
    assert not eye.found  # not at every frame: it takes a while
    eye.look(Frame(frame.image, 0.6))
    assert (eye.found, eye.trouble) == (True, "")


def test_a_table_told_by_hand_needs_no_markers(reader):
    corners = ((560, 40), (560, 320), (80, 320), (80, 40))
    eye = Eye(reader, 4, by_hand=(corners, (640, 360)))
    eye.look(Frame(np.full((360, 640, 3), 90, np.uint8), 0.0))
    assert eye.found


def larger(frame: Frame) -> Frame:
    height, width = frame.image.shape[:2]
    return Frame(cv2.resize(frame.image, (width * 3 // 2, height * 3 // 2)), frame.at)


def test_of_pictures_of_another_size_no_card_is_told_anew_and_one_that_left_meanwhile_is_gone(trick, camera):
    """As when a camera comes back in another mode."""
    there = {each.card for each in trick.watcher.lying}
    frames = [camera.grab() for _ in range(12)]
    assert [trick.look(larger(frame)) for frame in frames] == [[]] * 12
    assert {each.card for each in trick.watcher.lying} == there
    camera.felt.sweep(0, at=camera.now())
    told = []
    while camera.now() < frames[-1].at + 4:
        told += trick.look(larger(camera.grab()))
    assert {fact.card for fact in told if fact.kind == "gone"} == there
    assert told[-1].kind == "cleared"


@pytest.mark.parametrize(("size", "found"), [((640, 360), True), ((1280, 718), True), ((640, 480), False)])
def test_corners_are_told_for_pictures_of_one_shape(reader, size, found):
    eye = Eye(reader, 4, by_hand=(((560, 40), (560, 320), (80, 320), (80, 40)), (640, 360)))
    eye.look(Frame(np.full((size[1], size[0], 3), 90, np.uint8), 0.0))
    why = "the corners were told in a picture of 640x360, and one of 640x480 shows another part"
    remedy = "give it that size again, or tell it the corners anew (tablepi calibrate camera)"
    assert (eye.found, eye.trouble) == (found, "" if found else f"{why}: {remedy}")


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
    """A film begins with a hand before the lens."""
    eye = Eye(reader, 4, anywhere=True)
    frame = camera.grab()
    eye.look(Frame(np.full_like(frame.image, 90), 0.0))
    assert (eye.found, eye.trouble.split(": ")[1]) == (True, "the whole picture is taken for the table")
    assumed = eye.watcher
    eye.look(Frame(np.full_like(frame.image, 90), 1.0))
    assert eye.watcher is assumed
    eye.look(Frame(frame.image, 2.0))
    assert (eye.trouble, eye.watcher is assumed) == ("", False)


# --- a table that is not seen any more -------------------------------------------------------------------------------


def test_in_the_dark_the_table_is_not_looked_for_and_it_is_said_what_may_be_wrong(reader, camera, monkeypatch):
    monkeypatch.setattr("tablepi.vision.markers.find", lambda image: pytest.fail("there is nothing to be found"))
    for eye in (Eye(reader, 4), Eye(reader, 4, anywhere=True)):
        assert (eye.look(Frame(np.full((360, 640, 3), 9, np.uint8), 0.0)), eye.found, eye.trouble) == (
            [], False, "the picture is too dark: is the lens covered, or the lamp off?",
        )  # fmt: skip


def test_a_room_that_is_dark_is_told_and_when_it_is_light_again_all_goes_on(trick, camera):
    frames = [camera.grab() for _ in range(15)]
    assert [trick.look(Frame(frame.image // 12, frame.at)) for frame in frames] == [[]] * 15
    assert (trick.found, trick.trouble) == (False, TOO_DARK)
    assert watch(trick, camera, 1.0) == []
    assert (trick.found, trick.trouble) == (True, "")
    camera.felt.lay(0, card("9C"), at=camera.now())
    assert [(fact.seat, fact.card) for fact in watch(trick, camera, 1.6)] == [(0, card("9C"))]


@pytest.mark.parametrize("covered", ["by paper", "by a cloth", "out of focus"])
def test_a_lens_before_which_something_is_is_told_and_all_goes_on_when_it_is_gone(trick, camera, covered):
    rng = np.random.default_rng(5)

    def hidden():
        frame = camera.grab()
        if covered == "out of focus":
            image = cv2.GaussianBlur(frame.image, (0, 0), 30)
        else:
            grey = np.full(frame.image.shape, 200 if covered == "by paper" else 40, np.float32)
            image = np.clip(grey + rng.normal(0, 2, grey.shape), 0, 255).astype(np.uint8)
        return Frame(image, frame.at)

    assert [trick.look(hidden()) for _ in range(12)] == [[]] * 12
    assert (trick.found, trick.trouble.split(":")[0]) == (False, "the camera has moved, or its markers are covered")
    assert watch(trick, camera, 1.2) == []
    assert (trick.found, trick.trouble) == (True, "")


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

    def read(self, frame, per_mm):
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


# --- a camera that is moved ------------------------------------------------------------------------------------------


@pytest.fixture
def trick(reader, camera):
    """An eye that knows of two cards on the felt."""
    eye = Eye(reader, 4)
    watch(eye, camera, 0.6)
    for seat, name in ((2, "QS"), (3, "5D")):
        camera.felt.lay(seat, card(name), at=camera.now())
        assert [(fact.seat, fact.card) for fact in watch(eye, camera, 1.6)] == [(seat, card(name))]
    return eye


@pytest.mark.parametrize(("mm", "degrees"), [(4, 0.2), (12, 0.8), (40, 1.5)])
def test_a_camera_that_is_knocked_finds_the_table_again_and_forgets_no_card(trick, camera, mm, degrees):
    watcher = trick.watcher
    camera.felt.knock(at=camera.now() + 0.2, by_mm=mm, by_deg=degrees)
    assert watch(trick, camera, 2.0) == []
    assert (trick.found, trick.watcher is watcher) == (True, True)
    places = {str(each.card): (each.placed.x, each.placed.y) for each in watcher.lying}
    true = {str(each.face): (each.x, each.y) for each in camera.felt.scene(camera.now()).cards}
    assert {name: pytest.approx(place, abs=8) for name, place in true.items()} == places
    camera.felt.lay(0, card("9C"), at=camera.now())
    camera.felt.sweep(0, at=camera.now() + 1.5)
    told = watch(trick, camera, 4.0)
    assert (told[0].seat, told[0].card) == (0, card("9C"))
    assert {str(fact.card) for fact in told[1:-1]} == {"QS", "5D", "9C"}


def test_while_a_moved_camera_sees_no_marker_nothing_is_told_and_it_is_said_why(trick, camera):
    camera.felt.knock(at=camera.now(), by_mm=12, by_deg=0.8)
    camera.felt.lay(0, card("9C"), at=camera.now())
    facts = [trick.look(without_markers(camera)) for _ in range(30)]
    assert facts == [[]] * 30
    assert not trick.found
    assert trick.trouble.startswith("the camera has moved, or its markers are covered: none of the markers 0 to 3")
    assert [(fact.seat, fact.card) for fact in watch(trick, camera, 1.5)] == [(0, card("9C"))]
    assert (trick.found, trick.trouble) == (True, "")


def without_markers(camera: VirtualCamera) -> Frame:
    """The next frame, with something dark lying over each corner of the marked square."""
    frame = camera.grab()
    corners = through(list(MIDDLES.values()), np.linalg.inv(camera.to_table))
    for x, y in corners.round().astype(int).tolist():
        cv2.circle(frame.image, (x, y), 40, (30, 30, 40), -1)
    return frame


def test_a_camera_whose_table_was_told_by_hand_is_said_to_have_moved_until_it_is_put_back():
    lens = hung((1280, 720))
    table = littered()
    corners = through(CORNERS, lens)
    eye = Eye(Blind(), 4, by_hand=(corners, (1280, 720)))
    at = 0.0

    def see(lens, *, card_at: float) -> None:
        nonlocal at
        laid = table.copy()
        x = round((card_at + HALF) * PER_MM)
        laid[1100:1450, x : x + 240] = 245
        image = photographed(laid, lens)
        for _ in range(4):
            at += 0.2
            eye.look(Frame(image, at))

    for place in (0, 30, 60):
        see(lens, card_at=place)
        assert (eye.found, eye.trouble) == (True, "")
    see(pushed(14, 5), card_at=60)
    assert not eye.found
    assert (
        eye.trouble
        == "the camera has moved: put it back as it was, or tell it the corners anew (tablepi calibrate camera)"
    )
    see(lens, card_at=60)
    assert (eye.found, eye.trouble) == (True, "")
    for _ in range(4):
        at += 0.2
        eye.look(Frame(np.full((720, 1280, 3), 150, np.uint8), at))
    assert (eye.found, eye.trouble.split(";")[0]) == (
        False,
        "the camera has moved, or something is before its lens: take that away",
    )


def test_a_still_table_is_not_searched_for_markers(trick, camera, monkeypatch):
    searched = []
    monkeypatch.setattr("tablepi.vision.markers.find", searched.append)
    watch(trick, camera, 1.0)
    camera.felt.lay(0, card("9C"), at=camera.now())
    watch(trick, camera, 1.6)
    assert searched == []
