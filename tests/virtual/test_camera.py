"""The virtual camera: its pictures show what lies where the truth says, and its frames come as a camera's do."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from tablepi.cards import ALL_CARDS, card
from tablepi.virtual.camera import CameraSurface, VirtualCamera
from tablepi.virtual.deck import STYLES, Deck
from tablepi.virtual.felt import Felt, Lying, Scene
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.pose import MARKER_MM, MARKERS_MM, Pose

TINY, SMALL, USUAL, LARGE = (160, 90), (640, 360), (1280, 720), (2304, 1296)
TRICK = tuple(card(name) for name in ("QS", "2S", "TS", "KH"))
JOIN_S = 10.0


@cache
def photographer(size: tuple[int, int] = SMALL, seed: int = 1, style: str = "jumbo") -> Photographer:
    return Photographer(Pose.seeded(size, seed), STYLES[style], seed=seed)


def film(seed: int) -> list[bytes]:
    """A card laid and swept, by a camera of its own."""
    felt = Felt(seed=seed)
    felt.lay(1, TRICK[0], at=0.2)
    felt.sweep(0, at=1.2)
    made = Photographer(Pose.seeded(TINY, seed), STYLES["bridge"], seed=seed)
    with VirtualCamera(felt, made, clock=None) as camera:
        frames = [camera.grab() for _ in range(38)]
    return [frame.image.tobytes() for frame in frames if frame is not None]


def mapped(matrix: np.ndarray, points: object) -> np.ndarray:
    return cv2.perspectiveTransform(np.array(points, np.float64).reshape(-1, 1, 2), matrix).reshape(-1, 2)


def markers_in(image: np.ndarray) -> dict[int, np.ndarray]:
    """The corners of each marker, clockwise from the printed top left, in pixels."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # Pixels round a corner: less than the white margin, whose own corner would draw it outwards.
    settings.cornerRefinementWinSize, settings.relativeCornerRefinmentWinSize = 3, 10.0
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, numbers, _ = cv2.aruco.ArucoDetector(family, settings).detectMarkers(image)
    return {int(n): c[0] for n, c in zip(numbers.ravel(), corners, strict=True)}


def changed(before: np.ndarray, after: np.ndarray, least: int = 25) -> np.ndarray:
    return np.abs(before.astype(int) - after).max(2) > least


# --- where things are ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "seed"), [(USUAL, 1), (USUAL, 3), (LARGE, 4)])
def test_the_four_markers_are_found_where_the_truth_says(size, seed):
    made = photographer(size, seed)
    found = markers_in(made.photograph(Scene(), 0))
    half = MARKER_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    assert set(found) == {0, 1, 2, 3}
    for number, middle in enumerate(MARKERS_MM):
        true = mapped(made.pose.to_pixels(), square + middle)
        assert np.hypot(*(found[number] - true).T).max() < 0.6
        assert np.hypot(*(found[number] - true).mean(0)) < 0.2


def test_every_camera_has_the_whole_marked_square_in_its_picture_and_no_more_than_it_needs():
    for seed, size in itertools.product(range(50), (SMALL, USUAL, LARGE, (1024, 768), (480, 640))):
        pose = Pose.seeded(size, seed)
        margin = 235 + MARKER_MM * 5 / 8
        corners = mapped(pose.to_pixels(), [(x, y) for x in (-margin, margin) for y in (-margin, margin)])
        assert corners.min() >= 0
        assert (corners <= np.array(size) - 1).all()
        assert pose.density > 0.9 * min(size) / 520


def test_the_truth_leads_from_pixels_to_the_table_and_back():
    pose = Pose.seeded(USUAL, 5)
    points = [(-200.0, 130.0), (0.0, 0.0), (235.0, -235.0)]
    assert mapped(pose.to_table, mapped(pose.to_pixels(), points)) == pytest.approx(np.array(points))


def test_what_is_nearer_to_the_camera_is_larger():
    pose = Pose(USUAL, height=700.0)
    low, high = (mapped(pose.to_pixels(above), [(100.0, 0.0), (-100.0, 0.0)]) for above in (0.0, 70.0))
    assert (high[0, 0] - high[1, 0]) / (low[0, 0] - low[1, 0]) == pytest.approx(700 / 630)


@pytest.mark.parametrize("turn", [0.0, 37.0, 180.0, -95.0])
def test_a_card_is_photographed_where_it_lies_and_as_it_is_printed(turn):
    made = photographer(USUAL, 1, "bridge")
    lying = Lying(card("7S"), 60.0, -80.0, turn)
    picture = made.photograph(Scene((lying,)), 0)
    deck = Deck(STYLES["bridge"], scale=2.0)
    printed = cv2.GaussianBlur(deck.face(card("7S")), (0, 0), 1.2)
    h, w = printed.shape[:2]
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    on_table = np.array([[c, -s, lying.x], [s, c, lying.y], [0, 0, 1]])
    to_mm = np.array([[0.5, 0, -(w - 1) / 4], [0, 0.5, -(h - 1) / 4], [0, 0, 1]])
    place = made.pose.to_pixels() @ on_table @ to_mm
    seen = cv2.warpPerspective(picture, place, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    inner = np.s_[8:-8, 8:-8]
    alike = np.corrcoef(seen[inner].ravel(), printed[inner].ravel())[0, 1]
    mistaken = np.corrcoef(seen[::-1, ::-1][inner].ravel(), printed[inner].ravel())[0, 1]
    assert alike > 0.97
    assert mistaken < 0.9  # a seven has one pip more above


def test_a_card_changes_the_picture_only_near_to_where_it_lies():
    made = photographer(USUAL)
    lying = Lying(TRICK[1], -50.0, 40.0, 20.0)
    rows, columns = np.nonzero(changed(made.photograph(Scene(), 7), made.photograph(Scene((lying,)), 7)))
    spots = mapped(made.pose.to_table, np.stack([columns, rows], 1))
    assert spots.mean(0) == pytest.approx((-50.0, 40.0), abs=2.5)
    assert np.hypot(*(spots - (-50.0, 40.0)).T).max() < 62  # half a card's diagonal, its shadow


def test_the_later_of_two_cards_covers_the_earlier():
    made = photographer()
    under, over = Lying("back", 0.0, 0.0, 0.0), Lying(TRICK[0], 0.0, 0.0, 0.0)
    alone = made.photograph(Scene((over,)), 3).astype(int)
    both = made.photograph(Scene((under, over)), 3).astype(int)
    turned = made.photograph(Scene((over, under)), 3).astype(int)
    x, y = mapped(made.pose.to_pixels(), [(0.0, 0.0)])[0].astype(int)
    middle = np.s_[y - 12 : y + 12, x - 12 : x + 12]
    assert np.abs(both - alone)[middle].max() < 4
    assert np.abs(turned - alone)[middle].mean() > 30


def test_indices_are_tall_enough_to_be_read_on_every_deck_that_is_called_legible():
    for seed in range(20):
        usual, large = Pose.seeded(USUAL, seed), Pose.seeded(LARGE, seed)
        decks = legible(usual)
        assert {"jumbo", "four-colour", "magnum"} <= {style.name for style in decks}
        assert len(legible(large)) == len(STYLES)
        for style in decks:
            deck = Deck(style, scale=usual.density)
            assert min(corner.size for c in ALL_CARDS for corner in deck.indices(c)) >= 22


# --- what moves ----------------------------------------------------------------------------------------------------


def test_a_hand_and_its_shadow_are_seen_while_it_crosses_and_not_after():
    felt, made = Felt(seed=3), photographer()
    told = felt.cross(1, at=1.0)
    before, during, after = (made.photograph(felt.scene(t), 9) for t in (0.9, 1.0 + 0.5, told.settled))
    assert changed(before, during).mean() > 0.04
    assert np.array_equal(before, after)


def test_a_fast_card_is_smeared():
    made = photographer(USUAL)
    still = made.photograph(Scene((Lying(TRICK[1], 0.0, 0.0, 0.0),)), 1)
    fast = made.photograph(Scene((Lying(TRICK[1], 0.0, 0.0, 0.0, vx=2000.0),)), 1)

    def edges(picture: np.ndarray) -> float:
        return float(np.abs(np.diff(picture[300:420, 580:700].astype(int), axis=1)).max())

    assert edges(fast) < 0.4 * edges(still)


def test_a_glass_a_back_and_a_joker_can_be_photographed():
    felt, made = Felt(seed=4), photographer()
    empty = made.photograph(felt.scene(-1.0), 1)
    felt.lay(0, "back", at=0.0)
    felt.lay(2, "joker", at=0.0)
    seen = [changed(empty, made.photograph(felt.scene(felt.settled), 1)).mean()]
    felt.put_glass(1, at=2.0)
    seen.append(changed(empty, made.photograph(felt.scene(felt.settled), 1)).mean())
    assert 0.01 < seen[0] < seen[1] < 0.2


def test_a_dimmer_lamp_makes_a_darker_picture():
    felt, made = Felt(), photographer()
    felt.lamp(0.5, 1.0, at=1.0)
    usual, dim = (made.photograph(felt.scene(t), 1).mean() for t in (0.5, 1.5))
    assert dim == pytest.approx(0.5 * usual, rel=0.02)


# --- films ---------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_film_bit_for_bit():
    first = film(11)
    assert len(first) == 38
    assert film(11) == first
    assert all(a != b for a, b in zip(film(12), first, strict=True))


def test_no_two_frames_are_alike_though_nothing_moves():
    with VirtualCamera(Felt(), photographer(), clock=None) as camera:
        frames = [camera.grab() for _ in range(300)]
    assert len({frame.image.tobytes() for frame in frames if frame is not None}) == 300


def test_a_camera_without_a_clock_makes_time_itself():
    with VirtualCamera(Felt(), photographer(), clock=None, fps=10) as camera:
        assert camera.now() == 0
        frames = [camera.grab() for _ in range(3)]
        assert [frame.at for frame in frames if frame is not None] == [0.1, 0.2, 0.3]
        assert (camera.now(), camera.dropped) == (0.3, 0)


def test_the_picture_of_a_moment_does_not_depend_on_what_was_asked_before():
    felt = Felt(seed=5)
    felt.lay(0, TRICK[0], at=0.5)
    made = photographer(seed=2)
    camera = VirtualCamera(felt, made, clock=None)
    first = [camera.at(t) for t in (0.7, 0.8, 2.0)]
    again = [camera.at(t) for t in (2.0, 0.8, 0.7)]
    assert all(np.array_equal(a, b) for a, b in zip(first, again[::-1], strict=True))


def test_a_frame_that_came_as_jpeg_is_a_little_other():
    felt = Felt()
    plain = VirtualCamera(felt, photographer(), clock=None)
    sent = VirtualCamera(felt, photographer(), clock=None, quality=80)
    a, b = plain.at(1.0), sent.at(1.0)
    assert (a.shape, a.dtype) == (b.shape, b.dtype)
    assert 0 < np.abs(a.astype(int) - b).mean() < 4


# --- a source of frames --------------------------------------------------------------------------------------------


def test_a_camera_with_a_clock_gives_frames_at_its_rate():
    begun = time.monotonic()
    with VirtualCamera(Felt(), photographer(), fps=50) as camera:
        at = [frame.at for _ in range(6) if (frame := camera.grab()) is not None]
    assert at == sorted(at)
    assert begun <= at[0]
    assert at[5] - at[0] >= 4.9 / 50


def test_frames_that_nobody_fetched_are_dropped():
    clock = itertools.chain([0.0], itertools.repeat(0.0, 2), itertools.repeat(1.0))  # opened, the first frame, a pause
    with VirtualCamera(Felt(), photographer(), fps=10, clock=lambda: next(clock)) as camera:
        frames = [camera.grab(), camera.grab()]
    assert [frame.at for frame in frames if frame is not None] == [0.0, 1.0]
    assert camera.dropped == 9


def test_cancel_wakes_who_waits_for_a_frame():
    got: list[object] = []
    with VirtualCamera(Felt(), photographer(), fps=0.001) as camera:
        assert camera.grab() is not None
        waiting = threading.Thread(target=lambda: got.append(camera.grab()))
        waiting.start()
        camera.cancel()
        waiting.join(JOIN_S)
        assert not waiting.is_alive()
        assert [*got, camera.grab()] == [None, None]
    with camera:
        assert camera.grab() is not None  # opened anew


def test_cards_are_laid_lifted_and_swept_before_the_camera_from_another_thread():
    felt = Felt(seed=9)
    with VirtualCamera(felt, photographer(), clock=None) as camera:
        surface = CameraSurface(camera)
        assert surface.tells_leaving

        def faces_after(act: Callable[..., None], *what: object) -> list[object]:
            player = threading.Thread(target=act, args=what)
            player.start()
            while player.is_alive() or camera.now() < felt.settled:
                camera.grab()
            return [lying.face for lying in felt.scene(camera.now()).cards]

        assert faces_after(surface.lay, 0, TRICK[0]) == [TRICK[0]]
        assert faces_after(surface.lay, 1, TRICK[1]) == [TRICK[0], TRICK[1]]
        assert faces_after(surface.lift, 0, TRICK[0]) == [TRICK[1]]
        assert faces_after(surface.lay, 0, TRICK[2]) == [TRICK[1], TRICK[2]]
        assert faces_after(surface.sweep, 3) == []
    assert [told.act for told in felt.told] == ["lay", "lay", "lift", "lay", "sweep"]
