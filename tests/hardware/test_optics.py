"""Heights, pixels and blur are those of a lens that draws straight lines straight; the mat is as large as is said."""

from __future__ import annotations

import re

import pytest

from hardware import optics
from hardware.wiring import HERE
from tablepi.vision import sheet
from tablepi.vision.eye import JUMBO_RANK, RANK
from tablepi.vision.markers import CORNERS, MIDDLES, SIDE, SQUARE

CM3, WIDE, USB = optics.LENSES
README = (HERE / "README.md").read_text(encoding="utf-8")


def test_the_short_side_of_camera_module_3_covers_half_a_metre_from_67_cm():
    assert optics.height_for(41, 500) == pytest.approx(668.6, abs=0.1)
    assert optics.covers_mm(41, 668.6) == pytest.approx(500, abs=0.1)
    assert optics.covers_mm(66, 668.6) == pytest.approx(868, abs=1)


def test_a_diagonal_of_78_degrees_is_70_across_and_43_down():
    across, down = optics.from_diagonal(78, 16, 9)
    assert (across, down) == (pytest.approx(70.4, abs=0.1), pytest.approx(43.3, abs=0.1))


@pytest.mark.parametrize(
    ("rows", "covered", "rank", "pixels"),
    [(720, 900, RANK, 6.4), (1080, 500, RANK, 17.3), (1296, 500, JUMBO_RANK, 38.9), (2592, 400, JUMBO_RANK, 97.2)],
)
def test_a_rank_has_so_many_pixels(rows, covered, rank, pixels):
    assert optics.rank_pixels(rows, covered, rank) == pytest.approx(pixels, abs=0.05)


@pytest.mark.parametrize(
    ("lens", "rows", "rank", "heights"),
    [
        (CM3, 1296, RANK, (70, 86)),
        (CM3, 720, RANK, None),
        (CM3, 720, JUMBO_RANK, (70, 90)),
        (WIDE, 1296, RANK, (40, 48)),
        (USB, 1080, RANK, (66, 68)),
    ],
)
def test_a_camera_hangs_where_it_sees_the_square_and_a_rank_is_large_enough(lens, rows, rank, heights):
    assert optics.heights_cm(lens, rows, rank) == heights


@pytest.mark.parametrize("lens", optics.LENSES, ids=lambda lens: lens.name)
@pytest.mark.parametrize("rank", [RANK, JUMBO_RANK])
def test_both_ends_of_the_heights_hold(lens, rank):
    for _, rows in lens.sizes:
        heights = optics.heights_cm(lens, rows, rank)
        if heights is not None:
            low, high = (optics.covers_mm(lens.down, 10 * height) for height in heights)
            assert low >= optics.COVERED
            assert optics.rank_pixels(rows, high, rank) >= optics.WANTED


def test_the_sharp_depth_lies_round_the_height_and_blurs_one_pixel_at_its_ends():
    near, far = optics.sharp_cm(CM3, 75)
    assert near < 75 < far
    for depth in (near, far):
        # A point at this depth, drawn by a lens that is set to 75 cm: similar triangles, in millimetres.
        aperture = CM3.focal_mm / CM3.f_number
        blur = aperture * abs(10 * depth - 750) / (10 * depth) * CM3.focal_mm / (750 - CM3.focal_mm)
        assert blur == pytest.approx(CM3.pixel_mm, rel=0.01)


def test_ten_centimetres_off_the_right_height_a_card_is_still_sharp():
    near, far = optics.sharp_cm(CM3, 75)
    assert near <= 65
    assert far >= 85


def test_the_mat_is_as_large_as_the_readme_says_and_its_marks_are_500_mm_apart():
    page = sheet.mat(4, str)
    assert (page.width, page.height) == (520, 520)
    assert "520 × 520 mm" in README
    outer = [abs(x) + SIDE / 2 for middle in MIDDLES.values() for x in middle]
    assert set(outer) == {SQUARE / 2} == {abs(x) for corner in CORNERS for x in corner}
    chalk = [mark for mark in page.marks if isinstance(mark, sheet.Line) and mark.width == 0.5]
    across = {mark.y1 for mark in chalk if mark.y1 == mark.y2} & {10.0, 510.0}
    down = {mark.x1 for mark in chalk if mark.x1 == mark.x2} & {10.0, 510.0}
    assert across == down == {10.0, 510.0}


def test_the_mats_pdf_is_520_mm_wide_and_asks_not_to_be_scaled():
    pdf = sheet.pdf(sheet.mat(4, str))
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert box is not None
    assert [float(side) / 72 * 25.4 for side in box.groups()] == pytest.approx([520, 520], abs=0.01)
    assert b"/PrintScaling /None" in pdf
