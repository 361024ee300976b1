"""What is wrong with how the camera sees the table is told, each fault by its own advice and nothing besides."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tablepi.cards import card
from tablepi.virtual.camera import VirtualCamera
from tablepi.virtual.felt import Felt
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.pose import Pose
from tablepi.vision.advice import Advice, advise
from tablepi.vision.eye import JUMBO_RANK
from tablepi.vision.markers import CORNERS, MIDDLES, Homography, through
from tablepi.vision.survey import Survey, Surveyor

from .marked_table import HALF, PER_MM, drawn, hung, lay

Light = NDArray[np.float32]
"""A picture before it is exposed: (h, w, 3) of any brightness."""

SIZE = (1920, 1080)
SHOWS = 565.0
"""Millimetres along the short side of the picture: the square, and 3 cm to spare."""
SKIN, PAPER = (120, 140, 190), (200, 205, 205)
PHOTOGRAPHS = os.environ.get("TABLEPI_PHOTOS")
LAMP_ON_A_CARD = ("quentin0312_0005", "quentin0312_0017", "quentin0312_0164")
"""Photographs in which a lamp is plainly reflected."""
GOOD_LIGHT = ("animanoproje_0025", "kentdoan_0026", "quentin0312_0165")
"""Photographs of other sources in which nothing is too bright."""


# --- the scenes ---------------------------------------------------------------------------------------------------


def moved(to_frame: Homography, x: float, y: float) -> Homography:
    """The same camera, hung elsewhere: (x, y) of the table lies where the middle was."""
    return to_frame @ np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1.0]])


def light_of(table: NDArray[np.uint8], to_frame: Homography, size: tuple[int, int], soft: float = 0.6) -> Light:
    """What falls on the sensor of a table that is drawn (``marked_table``), in even light."""
    finer = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
    edge = 0.5 / PER_MM - HALF
    to_mm = np.array([[1 / PER_MM, 0, edge], [0, 1 / PER_MM, edge], [0, 0, 1]])
    big = cv2.warpPerspective(
        table, finer @ to_frame @ to_mm, (2 * size[0], 2 * size[1]), flags=cv2.INTER_AREA, borderValue=(62, 84, 40)
    )
    small = cv2.resize(big, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), soft), np.float32) * np.float32(0.8) + 8  # paper 212, print 8


def exposed(light: Light, count: int = 1, *, first: int = 0, noise: float = 2.5) -> list[NDArray[np.uint8]]:
    """Frames of a scene that does not change; of different numbers they have different noise."""
    rngs = (np.random.default_rng(first + number) for number in range(count))
    grains = (noise * rng.standard_normal(light.shape, np.float32) for rng in rngs)
    return [np.clip(light + grain, 0, 255).astype(np.uint8) for grain in grains]


TO_FRAME = hung(SIZE, tilt=1, turn=2, shows=SHOWS)


@pytest.fixture(scope="module")
def well() -> Light:
    """A table with nothing wrong, at 1920 × 1080."""
    return light_of(drawn(), TO_FRAME, SIZE)


def place(seat: int) -> str:
    return f"{seat} ({'NESW'[seat]})"


def surveyed(frames: Iterable[NDArray[np.uint8]], **how: object) -> Survey:
    surveyor = Surveyor(**how)  # type: ignore[arg-type]
    for frame in frames:
        surveyor.look(frame)
    return surveyor.survey()


def told(frames: Iterable[NDArray[np.uint8]], *, rank: float = 8.0, live: bool = True, **how: object) -> list[Advice]:
    """The advice that is not that all is well."""
    found = advise(surveyed(frames, **how), 4, str, place, rank=rank, live=live)
    return [each for each in found if each.verdict != "well"]


def names(advice: Sequence[Advice]) -> list[tuple[str, str]]:
    return [(each.what, each.verdict) for each in advice]


def covered(light: Light, corners: Sequence[tuple[float, float]], colour: object) -> Light:
    copy = light.copy()
    cv2.fillPoly(copy, [through(corners, TO_FRAME).round().astype(np.int32)], colour, cv2.LINE_AA)  # type: ignore[call-overload]
    return copy


def beside(number: int, x0: float, x1: float) -> list[tuple[float, float]]:
    """A piece of the table over a marker, from x0 to x1 off its middle."""
    x, y = MIDDLES[number]
    return [(x + x0, y - 35), (x + x1, y - 35), (x + x1, y + 35), (x + x0, y + 35)]


def shining(light: Light, at: tuple[float, float], radius: float, peak: float) -> Light:
    """A lamp that is reflected at a place of the table, its light fading over *radius* millimetres."""
    (x, y), height, width = through([at], TO_FRAME)[0], light.shape[0], light.shape[1]
    rows, columns = np.mgrid[:height, :width]
    far = np.hypot(columns - x, rows - y) / (SIZE[1] / SHOWS)
    return np.asarray(light + (peak * np.exp(-(far**2) / (2 * radius**2)))[..., None])


# --- nothing is wrong ---------------------------------------------------------------------------------------------


def test_of_a_good_picture_every_check_says_that_it_is_well(well):
    found = advise(surveyed(exposed(well, 4)), 4, str, place)
    assert [(each.check, each.verdict) for each in found] == [
        (check, "well")
        for check in ("markers", "seats", "square", "tilt", "index", "focus", "light", "glare", "frames")
    ]
    assert [each.text for each in found[:5]] == [
        "The markers 0, 1, 2, 3 are seen.",
        "The seats in the picture: 0 (N) top, 1 (E) right, 2 (S) bottom, 3 (W) left.",
        "All of the marked square is in the picture, with 2 cm to spare.",
        "The camera hangs about 70 cm above the table, 1 cm off its middle, 1° aslant.",
        "A rank of 8 mm is 15 pixels high (16 are wanted).",
    ]


@pytest.mark.parametrize("size", [(1920, 1080), (2304, 1296)], ids=str)
@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (6, 90), (4, 183), (9, 271)])
def test_nothing_is_told_of_a_camera_that_hangs_well_whichever_way_it_is_turned(size, tilt, turn):
    to_frame = hung(size, tilt=tilt, turn=turn, shows=SHOWS + 3 * tilt)
    assert names(told(exposed(light_of(drawn(), to_frame, size), 2))) == []


def test_a_picture_upside_down_is_no_fault_and_it_is_said_where_the_seats_are():
    found = advise(surveyed(exposed(light_of(drawn(), hung(SIZE, tilt=1, turn=182, shows=SHOWS), SIZE))), 4, str, place)
    assert [each.text for each in found if each.check == "seats"] == [
        "The seats in the picture: 0 (N) bottom, 1 (E) left, 2 (S) top, 3 (W) right."
    ]
    assert {each.verdict for each in found} == {"well"}


@pytest.mark.parametrize("seed", range(4))
def test_the_virtual_table_is_well_with_cards_on_it_and_without(seed):
    pose = Pose.seeded((1920, 1080), seed)
    photographer = Photographer(pose, legible(pose)[0], seed=seed)
    with VirtualCamera(Felt(4, seed=seed), photographer, clock=None) as camera:
        for number, name in enumerate(("2C", "QS", "KH", "TD") if seed % 2 else ()):
            camera.felt.lay(number, card(name), at=number)
        frames = [camera.at(6 + number / 15) for number in range(3)]
    assert names(told(frames)) == []


def test_white_cards_are_no_glare_and_change_nothing(well):
    """Brighter than the camera can tell, as paper in the middle of the table may be."""
    table = well
    for x, y in ((-90, -30), (0, -120), (60, 20), (75, 35)):
        table = covered(table, [(x, y), (x + 57, y), (x + 57, y + 89), (x, y + 89)], (290, 290, 290))
    assert names(told(exposed(table))) == []


@pytest.mark.skipif(PHOTOGRAPHS is None, reason="TABLEPI_PHOTOS names no folder of photographs")
def test_whatever_lies_on_real_cloths_between_the_markers_is_no_fault_but_real_glare():
    """The markers are laid onto photographs of cards, as white as the cards: where those are blown, they are too."""
    folder = Path(str(PHOTOGRAPHS)) / "images"
    for file in sorted({*sorted(folder.glob("*.jpg"))[::40], *(folder / f"{name}.jpg" for name in LAMP_ON_A_CARD)}):
        photograph = np.asarray(cv2.imread(str(file)), np.float32)
        white = min(255.0, float(np.percentile(photograph.max(2), 99)))
        found = names(told(exposed(marked(photograph, white))))
        if white >= 249.5:
            assert found == [("bright", "better")], file.stem
        else:
            assert found == ([("glare", "wrong")] if file.stem in LAMP_ON_A_CARD else []), file.stem


@pytest.mark.skipif(PHOTOGRAPHS is None, reason="TABLEPI_PHOTOS names no folder of photographs")
@pytest.mark.parametrize(
    ("fault", "wanted"),
    [
        (lambda light: cv2.GaussianBlur(light, (0, 0), 3), [("blurred", "wrong")]),
        (lambda light: hung_elsewhere(light, tilt=22, turn=0, shows=620), [("tilted", "better"), ("coarse", "better")]),
        (lambda light: hung_elsewhere(light, tilt=0, turn=2, shows=900), [("coarse", "wrong")]),
        (lambda light: covered(light, beside(2, 3, 40), SKIN), [("half-hidden", "wrong")]),
        (lambda light: shining(light, (60, 30), 15, 400), [("glare", "wrong")]),
        (lambda light: light * 0.1, [("dark", "wrong")]),
        (lambda light: light * 2 + 70, [("bright", "wrong")]),
        (lambda light: hung_elsewhere(light, tilt=1, turn=182, shows=SHOWS), []),
    ],
    ids=["blurred", "tilted", "too far", "half hidden", "a lamp", "dark", "too bright", "upside down"],
)
def test_what_is_wrong_is_told_over_real_cards_and_cloths_too(fault, wanted):
    folder = Path(str(PHOTOGRAPHS)) / "images"
    for name in GOOD_LIGHT:
        photograph = np.asarray(cv2.imread(str(folder / f"{name}.jpg")), np.float32)
        table = marked(photograph, float(np.percentile(photograph.max(2), 99)))
        assert names(told(exposed(fault(table), 2))) == wanted, name


def hung_elsewhere(light: Light, *, tilt: float, turn: float, shows: float) -> Light:
    """The same table as a camera sees it that hangs otherwise (``marked_table.hung``)."""
    way = hung(SIZE, tilt=tilt, turn=turn, shows=shows) @ np.linalg.inv(TO_FRAME)
    seen = cv2.warpPerspective(light, way, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


def marked(photograph: Light, white: float) -> Light:
    """A photograph as the cloth of the table: the markers are laid onto it."""
    k = max(SIZE[0] / photograph.shape[1], SIZE[1] / photograph.shape[0])
    cloth = cv2.resize(photograph, None, fx=k, fy=k, interpolation=cv2.INTER_LINEAR)
    y, x = (cloth.shape[0] - SIZE[1]) // 2, (cloth.shape[1] - SIZE[0]) // 2
    cloth = cloth[y : y + SIZE[1], x : x + SIZE[0]]
    paper = np.zeros_like(drawn({}))
    for mx, my in MIDDLES.values():
        left, top, side = (round(v * PER_MM) for v in (mx + HALF - 18.75, my + HALF - 18.75, 37.5))
        paper[top : top + side, left : left + side] = 255
    there = (light_of(paper, TO_FRAME, SIZE) - light_of(np.zeros_like(paper), TO_FRAME, SIZE)) / (255 * 0.8)
    return np.asarray(cloth * (1 - there) + there * light_of(drawn(), TO_FRAME, SIZE) / 212 * white)


# --- the markers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("colour", [SKIN, PAPER, (70, 90, 50)], ids=["hand", "paper", "cloth"])
def test_a_marker_that_is_hidden_is_named_with_its_place(well, number, colour):
    found = told(exposed(covered(well, beside(number, -35, 35), colour)))
    assert names(found) == [("hidden", "wrong")]
    between = "0 (N) and 1 (E)", "1 (E) and 2 (S)", "2 (S) and 3 (W)", "3 (W) and 0 (N)"
    assert found[0].text == (
        f"Marker {number}, between seats {between[number]}, is not seen: uncover it, or lay it there."
    )


@pytest.mark.parametrize("from_", [-2, 3, 8, 11], ids=lambda x: f"{50 - x / 0.3:.0f}%")
@pytest.mark.parametrize("colour", [SKIN, PAPER], ids=["hand", "paper"])
def test_a_marker_of_which_a_part_is_hidden_is_told_from_one_that_is_not_there(well, from_, colour):
    assert names(told(exposed(covered(well, beside(2, from_, 40), colour)))) == [("half-hidden", "wrong")]


def test_two_markers_of_one_side_that_are_missing_are_both_named():
    table = drawn({0: MIDDLES[0], 3: MIDDLES[3]})
    found = told(exposed(light_of(table, TO_FRAME, SIZE)))
    assert [(each.what, each.figures) for each in found] == [("hidden", {"marker": 1}), ("hidden", {"marker": 2})]


@pytest.mark.parametrize(("there", "seen"), [((), "No marker is seen."), ((2,), "Of the markers only 2 is seen.")])
def test_too_few_markers_are_said_with_the_other_way_to_tell_the_table(there, seen):
    [found] = told(exposed(light_of(drawn({n: MIDDLES[n] for n in there}), TO_FRAME, SIZE)))
    rest = "Uncover them, bring them into the picture, or tell where the square is (--corners)."
    assert (found.what, found.verdict, found.text) == ("none", "wrong", f"{seen} {rest}")


@pytest.mark.parametrize(
    ("lies", "wrong"),
    [
        ({0: 1, 1: 0}, {0: 1, 1: 0}),
        ({0: 2, 2: 0}, {0: 2, 2: 0}),
        ({1: 2, 2: 3, 3: 1}, {2: 1, 3: 2, 1: 3}),
    ],
    ids=["beside", "across", "three round"],
)
def test_markers_that_changed_places_are_named_and_all_else_is_measured(lies, wrong):
    """*lies*: in whose place each marker lies; *wrong*: which marker lies in a place."""
    middles = {number: MIDDLES[lies.get(number, number)] for number in MIDDLES}
    light = light_of(drawn(middles), TO_FRAME, SIZE)
    found = told(exposed(light))
    assert {each.figures["corner"]: each.figures["marker"] for each in found} == wrong
    assert {each.what for each in found} == {"swapped"}
    assert {("swapped", "wrong"), ("blurred", "wrong")} == set(
        names(told(exposed(cv2.GaussianBlur(light, (0, 0), 2.2))))
    )


@pytest.mark.parametrize("turned", [{2: 1}, {0: 1, 1: 2}, {0: 3, 2: 2, 3: 1}], ids=str)
def test_markers_that_lie_turned_are_named(turned):
    found = told(exposed(light_of(drawn(turned=turned), TO_FRAME, SIZE)))
    assert [(each.what, each.figures["marker"]) for each in found] == [("turned", number) for number in sorted(turned)]


def test_a_marker_that_was_pushed_is_told_with_how_far():
    x, y = MIDDLES[3]
    [found] = told(exposed(light_of(drawn({**MIDDLES, 3: (x + 40, y + 30)}), TO_FRAME, SIZE)))
    assert found.text == "Marker 3 lies 5 cm off its place, between seats 3 (W) and 0 (N): put it back."


def test_a_second_marker_of_a_number_and_one_of_another_number_are_told():
    table = drawn()
    lay(table, 1, (20, -30))
    assert names(told(exposed(light_of(table, TO_FRAME, SIZE)))) == [("twice", "wrong")]
    table = drawn({n: middle for n, middle in MIDDLES.items() if n != 2})
    lay(table, 6, MIDDLES[2])
    [found] = told(exposed(light_of(table, TO_FRAME, SIZE)))
    assert found.text == "Marker 6 is none of the table's: print 0 to 3 (tablepi calibrate sheet)."


def test_a_mirrored_picture_is_recognised(well):
    assert names(told(np.ascontiguousarray(frame[:, ::-1]) for frame in exposed(well))) == [("mirrored", "wrong")]


def test_a_hand_that_passes_over_a_marker_hides_nothing(well):
    hand = covered(well, beside(1, -35, 35), SKIN)
    assert names(told(exposed(well, 5) + exposed(hand, 2, first=5) + exposed(well, 3, first=7))) == []


# --- told by hand -------------------------------------------------------------------------------------------------


def by_hand(dx: float = 0.0) -> tuple[Sequence[tuple[float, float]], tuple[int, int]]:
    return through([(x + dx, y) for x, y in CORNERS], TO_FRAME).tolist(), SIZE


def test_a_table_without_markers_is_well_where_its_corners_are_told():
    bare = exposed(light_of(drawn({}), TO_FRAME, SIZE), 3)
    assert names(told(bare, by_hand=by_hand())) == []
    [first, *_] = advise(surveyed(bare, by_hand=by_hand()), 4, str, place)
    assert first.text == "The table is where the four corners say."
    assert names(told(exposed(light_of(drawn({}), TO_FRAME, SIZE) * 0.1), by_hand=by_hand())) == [("dark", "wrong")]


def test_corners_that_the_markers_deny_are_told(well):
    assert names(told(exposed(well), by_hand=by_hand(dx=8))) == []
    [found] = told(exposed(well), by_hand=by_hand(dx=40))
    assert (found.what, found.text) == (
        "corners-off",
        "The corners lie 4 cm off where the markers tell: tell them anew, or leave them out.",
    )


@pytest.mark.parametrize(("wide", "what"), [(0.96, []), (0.88, [("stretched", "wrong")])])
def test_corners_of_what_no_camera_sees_as_a_square_are_told(wide, what):
    bare = exposed(light_of(drawn({}), TO_FRAME, SIZE), 3)
    corners, size = by_hand()
    middle = np.mean(corners, axis=0)
    narrower = (middle + (np.array(corners) - middle) * (wide, 1)).tolist()
    found = names(told(bare, by_hand=(narrower, size)))
    assert [each for each in found if each[0] != "coarse"] == what


def test_a_picture_that_is_drawn_out_to_another_shape_is_told(well):
    """A webcam of 4:3 that is asked for 16:9."""
    [image, *_] = exposed(well)
    height, width = image.shape[:2]
    narrow = image[:, (width - height * 4 // 3) // 2 : (width + height * 4 // 3) // 2]
    [found] = told([cv2.resize(narrow, (width, height))])
    assert (found.what, found.verdict, found.text) == (
        "stretched",
        "wrong",
        "The picture is stretched by 29 %: choose another picture size.",
    )


# --- how the camera hangs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "shows", "verdict", "larger"),
    [
        ((1920, 1080), 600, None, None),
        ((1920, 1080), 700, "better", None),
        ((1920, 1080), 900, "wrong", None),
        ((1920, 1080), 1200, "wrong", None),
        ((1920, 1080), 2400, "wrong", None),
        ((2304, 1296), 720, None, None),
        ((2304, 1296), 800, "better", None),
        ((1280, 720), 560, "better", "1920x1080"),
        ((1280, 720), 800, "wrong", "1920x1080"),
        ((1280, 720), 1800, "wrong", "1920x1080"),
        ((640, 480), 560, "wrong", "1920x1080"),
    ],
)
def test_a_camera_too_far_away_is_told_how_much_lower_to_hang_or_which_size_to_give(size, shows, verdict, larger):
    """The camera hangs ever higher, with one lens: 66° across."""
    height = shows * 0.77 * size[0] / size[1]
    found = told(exposed(light_of(drawn(), hung(size, tilt=0, turn=0, shows=shows), size)), height=height)
    assert names(found) == ([] if verdict is None else [("coarse", verdict)])
    # It may come down until the short side of the picture shows the square with 2 cm to spare, or half a millimetre
    # has a pixel: 16 for a rank of 8 mm.
    nearest = max(540.0, size[1] / 2)
    for each in found:
        assert each.figures["pixels"] == pytest.approx(8 * size[1] / shows, abs=0.1)
        assert each.figures.get("size") == larger
        assert each.figures.get("lower_cm", 0) == pytest.approx(height * (1 - nearest / shows) / 10, abs=2)


def test_a_deck_of_jumbo_indices_may_be_seen_from_farther_away():
    frames = exposed(light_of(drawn(), hung((1280, 720), tilt=0, turn=0, shows=600), (1280, 720)))
    assert names(told(frames)) == [("coarse", "wrong")]
    assert names(told(frames, rank=JUMBO_RANK)) == []


@pytest.mark.parametrize(("shows", "what"), [(545, None), (526, "narrow"), (512, "narrow"), (507, "cut"), (504, "cut")])
def test_a_camera_too_near_is_told_to_hang_higher(shows, what):
    to_frame = hung((2304, 1296), tilt=0, turn=0, shows=shows)
    found = told(exposed(light_of(drawn(), to_frame, (2304, 1296))))
    assert [each.what for each in found] == ([what] if what is not None else [])
    for each in found:
        assert "Hang the camera higher" in each.text
        assert "Move" not in each.text


@pytest.mark.parametrize(
    ("off", "way"),
    [
        ((0, 60), "towards seat 0 (N)"),
        ((0, -60), "towards seat 2 (S)"),
        ((420, 0), "towards seat 3 (W)"),
        ((-420, 0), "towards seat 1 (E)"),
        ((0, 140), "towards seat 0 (N)"),
    ],
    ids=str,
)
def test_a_camera_off_the_middle_is_told_which_way_to_move(off, way):
    to_frame = moved(hung(SIZE, tilt=0, turn=0, shows=SHOWS), *off)
    [found] = told(exposed(light_of(drawn(), to_frame, SIZE)))
    assert (found.what, found.verdict) == ("cut", "wrong")
    assert way in found.text
    assert "higher" not in found.text
    # Back so far that the square has 15 mm to spare: of the picture there are 32 beside it, along the short side.
    room = (SHOWS * (SIZE[0] / SIZE[1] if off[0] else 1.0) - 500) / 2
    wanted = max(abs(off[0]), abs(off[1])) - room + 15
    assert np.hypot(*found.figures["move_mm"]) == pytest.approx(wanted, abs=4)  # type: ignore[misc]


@pytest.mark.parametrize(("tilt", "verdict"), [(10, None), (14, "better"), (22, "better"), (33, "wrong")])
@pytest.mark.parametrize(
    ("turn", "towards"), [(0, "2 (S)"), (90, "1 (E)"), (180, "0 (N)"), (270, "3 (W)")], ids=["0", "90", "180", "270"]
)
def test_a_tilted_camera_is_told_how_much_and_which_way_to_move(tilt, verdict, turn, towards):
    size = (3840, 2160)
    to_frame = hung(size, tilt=tilt, turn=turn, shows=700)
    found = told(exposed(light_of(drawn(), to_frame, size)))
    assert names(found) == ([] if verdict is None else [("tilted", verdict)])
    for each in found:
        assert each.figures["degrees"] == pytest.approx(tilt, abs=1.5)
        assert f"° aslant, towards seat {towards}. Move it about " in each.text
        assert f" cm towards seat {towards}, over the middle" in each.text
        # It hangs on the other side: as far off as its height and the angle say.
        assert np.hypot(*each.figures["off_mm"]) == pytest.approx(700 * np.sin(np.radians(tilt)), rel=0.2)  # type: ignore[misc]


def test_a_camera_turned_about_its_axis_is_told_so_where_there_is_no_room():
    askew = exposed(light_of(drawn(), hung(SIZE, tilt=0, turn=30, shows=SHOWS), SIZE))
    [found] = told(askew)
    assert (found.what, found.verdict) == ("cut", "wrong")
    assert " Turn it by 30° about its axis, so that the square stands upright in the picture." in found.text
    assert names(told(exposed(light_of(drawn(), hung((2304, 1296), tilt=0, turn=30, shows=740), (2304, 1296))))) == []


# --- focus --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blur", "verdict"),
    [(0.5, None), (0.9, None), (1.4, "better"), (2.0, "wrong"), (3, "wrong"), (4, "wrong"), (6, "wrong")],
)
def test_a_blurred_picture_is_told_from_a_sharp_one(well, blur, verdict):
    assert names(told(exposed(cv2.GaussianBlur(well, (0, 0), blur), 2))) == (
        [] if verdict is None else [("blurred", verdict)]
    )


@pytest.mark.parametrize("size", [(1280, 720), (2304, 1296)], ids=str)
def test_how_sharp_a_picture_is_does_not_depend_on_its_size(size):
    to_frame = hung(size, tilt=1, turn=2, shows=SHOWS)
    assert ("blurred", "better") not in names(told(exposed(light_of(drawn(), to_frame, size))))
    blurred = cv2.GaussianBlur(light_of(drawn(), to_frame, size), (0, 0), 2.0 * size[1] / 1080)
    assert ("blurred", "wrong") in names(told(exposed(blurred)))


@pytest.mark.parametrize("corners", [(1,), (3,), (0, 1)], ids=str)
def test_a_blurred_corner_is_named(well, corners):
    soft, light = cv2.GaussianBlur(well, (0, 0), 2.0), well.copy()
    for number in corners:
        x, y = through([MIDDLES[number]], TO_FRAME)[0].astype(int)
        piece = np.s_[max(0, y - 75) : y + 75, x - 75 : x + 75]
        light[piece] = soft[piece]
    [found] = told(exposed(light))
    assert (found.what, found.figures["markers"]) == ("blurred-corner", list(corners))


# --- light --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "verdict"),
    [
        (1.0, None),
        (0.5, None),
        (0.3, None),
        (0.24, "better"),
        (0.15, "wrong"),
        (0.1, "wrong"),
        (0.05, "wrong"),
        (0.02, "wrong"),
    ],
)
def test_a_dark_picture_is_told(well, times, verdict):
    assert names(told(exposed(well * times, 3))) == ([] if verdict is None else [("dark", verdict)])


@pytest.mark.parametrize(
    ("times", "veil", "verdict"),
    [(1.1, 0, None), (1.3, 0, "better"), (2, 0, "better"), (3, 0, "better"), (1.4, 50, "wrong"), (2, 70, "wrong")],
)
def test_a_picture_too_bright_is_told_and_its_white_is_not_taken_for_glare(well, times, veil, verdict):
    table = covered(well, [(0, 0), (57, 0), (57, 89), (0, 89)], (230, 230, 230))
    assert names(told(exposed(table * times + veil, 3))) == ([] if verdict is None else [("bright", verdict)])


def test_a_room_without_light_and_a_lens_into_the_sun_are_told():
    assert names(told(exposed(np.full((1080, 1920, 3), 4.0), 3))) == [("dark", "wrong")]
    assert names(told(exposed(np.full((1080, 1920, 3), 300.0), 3), live=False)) == [("bright", "wrong")]


@pytest.mark.parametrize(("times", "verdict"), [(1.5, None), (2.5, None), (4, "better"), (6, "wrong")])
def test_uneven_light_is_told_with_its_brighter_side(well, times, verdict):
    east = np.clip((np.arange(SIZE[0]) - 480) / 960, 0, 1)[None, :, None]
    found = told(exposed(well * (1 / times + (1 - 1 / times) * east), 3))
    assert names(found) == ([] if verdict is None else [("uneven", verdict)])
    for each in found:
        light, dark = each.text.split(" than ")
        assert "1 (E)" in light
        assert "3 (W)" in dark


@pytest.mark.parametrize(("by", "flickers"), [(0.05, False), (0.1, False), (0.25, True), (0.4, True)])
def test_a_lamp_that_flickers_is_told(well, by, flickers):
    frames = [exposed(well * (1 - by / 2 + by / 2 * np.sin(2.1 * n)), first=n)[0] for n in range(8)]
    assert names(told(frames)) == ([("flicker", "wrong")] if flickers else [])


@pytest.mark.parametrize(("by", "flickers"), [(0.01, False), (0.06, True), (0.15, True)])
def test_bands_that_wander_through_the_picture_are_flicker(well, by, flickers):
    rows = np.arange(SIZE[1])[:, None, None] / 180
    frames = [exposed(well * (1 - by + by * np.sin(2.1 * n + rows)), first=n)[0] for n in range(8)]
    assert names(told(frames)) == ([("flicker", "wrong")] if flickers else [])


@pytest.mark.parametrize("radius", [5, 10, 25])
@pytest.mark.parametrize(
    ("at", "way"),
    [
        ((0, -90), "9 cm from the middle, towards seat 0 (N)"),
        ((-100, 100), "14 cm from the middle, towards seats 2 (S) and 3 (W)"),
    ],
)
def test_a_lamp_on_the_cloth_is_told_with_its_place(well, radius, at, way):
    [found] = told(exposed(shining(well, at, radius, 400)))
    assert (found.what, found.text) == (
        "glare",
        f"A lamp is reflected {way}: move the lamp on that side, or shade it.",
    )


def test_a_faint_sheen_and_a_speck_are_no_glare(well):
    assert names(told(exposed(shining(well, (60, 30), 30, 90)))) == []
    speck = exposed(shining(well, (60, 30), 3, 400))
    assert names(told(speck)) == []
    [patch] = surveyed(speck).patches
    assert np.allclose((patch.x, patch.y), (60, 30), atol=1)
    assert 0.3 < patch.area < 0.9


@pytest.mark.parametrize("number", range(4))
def test_a_lamp_on_a_marker_is_told_as_that_and_not_as_a_marker_that_is_hidden(well, number):
    [found] = told(exposed(shining(well, MIDDLES[number], 15, 400)))
    assert (found.what, found.figures) == ("glare-marker", {"marker": number})


# --- from frame to frame ------------------------------------------------------------------------------------------


def shifted(light: Light, way: Iterable[tuple[float, float]]) -> list[NDArray[np.uint8]]:
    frames = []
    for number, (x, y) in enumerate(way):
        to = np.array([[1, 0, x], [0, 1, y]])
        there = cv2.warpAffine(light, to, SIZE, borderMode=cv2.BORDER_REPLICATE)
        frames += exposed(np.asarray(there, np.float32), first=number)
    return frames


@pytest.mark.parametrize(("by", "shakes"), [(0.0, False), (0.15, False), (0.5, True), (1.0, True), (4.0, True)])
def test_a_camera_that_shakes_is_told_and_is_not_out_of_focus(well, by, shakes):
    frames = shifted(well, [(by * np.sin(2.1 * n), by * np.cos(2.9 * n)) for n in range(10)])
    assert names(told(frames)) == ([("shakes", "wrong")] if shakes else [])


def test_a_camera_that_slides_is_told_and_one_that_was_knocked_once_is_not(well):
    assert names(told(shifted(well, [(0.3 * n, 0.0) for n in range(10)]))) == [("shakes", "wrong")]
    assert names(told(shifted(well, [(0.0, 0.0)] * 5 + [(3.0, 1.0)] + [(0.0, 0.0)] * 4))) == []


def test_a_camera_that_repeats_one_frame_is_frozen_and_a_film_may(well):
    frames = exposed(well) * 4
    assert names(told(frames)) == [("frozen", "wrong")]
    assert names(told(frames, live=False)) == []


# --- what is told -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["dark", "far"])
def test_where_the_live_table_finds_no_markers_the_table_is_measured_all_the_same(well, fault):
    light = {
        "dark": lambda: well * 0.1,
        "far": lambda: light_of(drawn(), hung((1280, 720), tilt=0, turn=0, shows=1800), (1280, 720)),
    }[fault]()
    survey = surveyed(exposed(light))
    assert not survey.plainly
    assert survey.to_table is not None
    to_frame = hung((1280, 720), tilt=0, turn=0, shows=1800) if fault == "far" else TO_FRAME
    assert np.allclose(through(through(CORNERS, to_frame), survey.to_table), CORNERS, atol=6)


def test_two_faults_are_two_pieces_of_advice(well):
    frames = exposed(covered(cv2.GaussianBlur(well, (0, 0), 1.4), beside(0, 0, 40), SKIN))
    assert names(told(frames)) == [("half-hidden", "wrong"), ("blurred", "better")]


@pytest.mark.parametrize("players", [2, 3, 5, 7])
def test_seats_are_named_at_tables_of_any_number(well, players):
    seats: Mapping[str, object] = next(
        each for each in advise(surveyed(exposed(well)), players, str, str) if each.check == "seats"
    ).figures
    assert [spot["seat"] for spot in seats["seats"]] == list(range(players))  # type: ignore[attr-defined]
