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
from tablepi.virtual.felt import Felt, Light, Lying, Phone, Scene, Shift, Stranger, Sun
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
    felt.shine(at=0.5)
    felt.switch("second", on=True, at=0.8)
    felt.knock(at=1.0)
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


def test_a_phone_is_photographed_where_it_lies():
    made = photographer()
    rows, columns = np.nonzero(
        changed(made.photograph(Scene(), 7), made.photograph(Scene(phones=(Phone(70.0, -30.0, 25.0),)), 7))
    )
    spots = mapped(made.pose.to_table, np.stack([columns, rows], 1))
    assert spots.mean(0) == pytest.approx((70.0, -30.0), abs=5)  # it is 8 mm high, and has a shadow
    assert 70 < np.hypot(*(spots - (70.0, -30.0)).T).max() < 95  # half its diagonal is 82 mm


@pytest.mark.parametrize("face", [TRICK[0], "back", "joker"])
def test_a_card_of_another_deck_looks_otherwise(face):
    made = photographer(USUAL)
    own, strange = (made.photograph(Scene((Lying(f, 0.0, 0.0, 0.0),)), 1) for f in (face, Stranger(face)))
    rows, columns = np.nonzero(changed(own, strange, 60))
    spots = mapped(made.pose.to_table, np.stack([columns, rows], 1))
    assert len(spots) > 200
    assert np.hypot(*spots.T).max() < 60


def test_a_card_half_turned_over_is_seen_narrow():
    made = photographer(USUAL)
    empty = made.photograph(Scene(), 1)

    def wide(card: Lying) -> float:
        rows, columns = np.nonzero(changed(empty, made.photograph(Scene((card,)), 1), 60))  # more than a shadow makes
        xs = mapped(made.pose.to_table, np.stack([columns, rows], 1))[:, 0]
        return float(np.percentile(xs, 99) - np.percentile(xs, 1))

    whole, half = (wide(Lying("back", 0.0, 0.0, 0.0, wide=share)) for share in (1.0, 0.5))
    assert half / whole == pytest.approx(0.5, abs=0.06)


# --- light ---------------------------------------------------------------------------------------------------------


def lit(light: Light, *cards: Lying) -> np.ndarray:
    return photographer().photograph(Scene(cards, light=light), 1).astype(float)


def test_without_the_ceiling_lamp_it_is_darker_and_bluer_and_with_a_second_one_brighter_and_warmer():
    usual, dark, bright = lit(Light()), lit(Light(ceiling=0.0)), lit(Light(second=1.0))
    assert dark.mean() < 0.5 * usual.mean()
    assert bright.mean() > 1.1 * usual.mean()

    def warmth(picture: np.ndarray) -> float:
        return float(picture[..., 2].mean() / picture[..., 0].mean())

    assert warmth(dark) < warmth(usual) < warmth(bright)


def test_a_lamp_that_comes_on_makes_no_leap_half_way():
    halves = [lit(Light(second=level)).mean() for level in (0.0, 0.25, 0.5, 0.75, 1.0)]
    steps = np.diff(halves)
    assert steps.min() > 0
    assert steps.max() / steps.min() < 1.3


def test_another_lamp_throws_another_shadow():
    card_in_the_air = Lying("back", 0.0, 0.0, 0.0, above=40.0)

    def shaded(light: Light) -> np.ndarray:
        """Where the middle of the shadow is, from the middle of the card."""
        bare, with_card = lit(light), lit(light, card_in_the_air)
        rows, columns = np.nonzero((with_card < 0.9 * bare - 3).all(2))
        return mapped(photographer().pose.to_table, np.stack([columns, rows], 1)).mean(0)

    usual, other = shaded(Light()), shaded(Light(ceiling=0.0, second=1.0))
    assert usual[0] > 10 > -10 > other[0]


def test_what_comes_from_a_window_is_soft():
    x, y = mapped(photographer().pose.to_pixels(40.0), [(-36.0, -49.0), (36.0, 49.0)]).astype(int).T

    def darkest(light: Light) -> float:
        """How much is left of the light where the shadow of a card is darkest, beside the card."""
        cards = (Lying(TRICK[1], 0.0, 0.0, 0.0, above=40.0),)
        share = cv2.blur(lit(light, *cards).mean(2), (5, 5)) / cv2.blur(lit(light).mean(2), (5, 5))
        share[y[0] : y[1], x[0] : x[1]] = 1.0
        return float(share[100:260, 200:440].min())

    assert darkest(Light(ceiling=0.0)) > darkest(Light()) + 0.1


def test_the_sun_lights_a_patch_that_has_a_soft_edge_and_lies_where_it_is_said():
    made = photographer()
    sun = Sun(30.0, -20.0, 40.0, 1.0)
    gain = lit(Light(sun=sun)).mean(2) / lit(Light()).mean(2)
    rows, columns = np.nonzero(cv2.blur(gain, (5, 5)) > 1.5)
    spots = mapped(made.pose.to_table, np.stack([columns, rows], 1))
    assert spots.mean(0) == pytest.approx((30.0, -20.0), abs=6)
    assert gain[:20].mean() == pytest.approx(1, abs=0.02)  # beyond it all is as usual
    edge = cv2.GaussianBlur(gain, (0, 0), 1.5)
    steepest = np.abs(np.diff(edge, axis=1)).max() * made.pose.density
    assert steepest < 0.12  # of the light, each millimetre
    weak = lit(Light(sun=Sun(30.0, -20.0, 40.0, 0.3))).mean()
    assert lit(Light()).mean() < weak < lit(Light(sun=sun)).mean()


def test_a_hand_throws_a_shadow_in_the_sun():
    felt, made = Felt(seed=3), photographer()
    felt.cross(2, at=0.0, pause_s=2.0, to=(0.0, 0.0))
    scene = felt.scene(1.2)
    sun = Light(sun=Sun(20.0, 20.0, 0.0, 1.0))
    hand_alone = made.photograph(scene, 1).astype(float).mean(2)
    in_sun = made.photograph(Scene(hands=scene.hands, light=sun), 1).astype(float).mean(2)
    bare = lit(sun).mean(2) / lit(Light()).mean(2)
    unlit = (bare > 1.8) & (in_sun / hand_alone < 1.2)  # where the sun would fall, and does not
    spots = mapped(made.pose.to_table, np.stack(np.nonzero(unlit)[::-1], 1))
    assert len(spots) > 500
    assert spots[:, 1].max() > 60  # along the arm


# --- a knock -------------------------------------------------------------------------------------------------------


def test_a_knocked_camera_sees_the_markers_where_its_new_place_says():
    made = Photographer(Pose.seeded(USUAL, 3), STYLES["jumbo"], seed=3)
    before = markers_in(made.photograph(Scene(), 0))
    hung = made.pose
    found = markers_in(made.photograph(Scene(shift=Shift(4.0, -3.0, 0.6, (0.2, -0.15))), 1))
    half = MARKER_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    assert set(found) == {0, 1, 2, 3}
    for number, middle in enumerate(MARKERS_MM):
        assert np.hypot(*(found[number] - mapped(made.pose.to_pixels(), square + middle)).T).max() < 0.6
        assert np.hypot(*(found[number] - before[number]).T).min() > 2
    back = markers_in(made.photograph(Scene(), 0))
    assert made.pose == hung
    assert all(np.array_equal(back[number], before[number]) for number in before)


def test_a_camera_pushed_aside_sees_all_pushed_the_other_way():
    pose = Pose(USUAL, height=700.0)
    moved = mapped(pose.shifted(5.0, 0.0, 0.0, (0.0, 0.0)).to_pixels(), [(0.0, 0.0), (100.0, 50.0)])
    assert moved == pytest.approx(mapped(pose.to_pixels(), [(-5.0, 0.0), (95.0, 50.0)]))


def test_a_tilted_camera_hangs_where_it_hung():
    """Lines of sight meet in the pinhole: a point above the table is hidden by the same point below it as before."""
    pose = Pose(USUAL, height=700.0, tilt=(1.0, -2.0), roll=3.0, aim=(4.0, 5.0))
    tilted = pose.shifted(0.0, 0.0, 0.0, (0.8, 0.5))
    seen = mapped(pose.to_pixels(100.0), [(60.0, -40.0)])
    behind = mapped(np.linalg.inv(pose.to_pixels()), seen)
    assert mapped(tilted.to_pixels(), behind) == pytest.approx(mapped(tilted.to_pixels(100.0), [(60.0, -40.0)]))
    assert np.hypot(*(mapped(tilted.to_pixels(), behind) - seen).T) > 5


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
