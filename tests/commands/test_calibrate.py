"""``calibrate sheet``: what is printed is found again, to scale, and read by the people who cut it out."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablepi.language import words
from tablepi.vision.markers import DICTIONARY, MIDDLES, SIDE, TRICK_RADIUS, Quad, find
from tablepi.vision.sheet import MAT, Box, Line, Page, Ring, Text, mat, pdf, sheet, svg

from .conftest import tablepi

SVG = "{http://www.w3.org/2000/svg}"
PER_MM = 4
POINT = 25.4 / 72

Rectangle = tuple[float, float, float, float, str]


def english(text: str) -> str:
    return text


def rectangles_of_svg(text: str) -> tuple[tuple[float, float], list[Rectangle]]:
    """The page's size in millimetres, and its rectangles."""
    page = ET.fromstring(text)
    size = float(page.attrib["width"].removesuffix("mm")), float(page.attrib["height"].removesuffix("mm"))
    assert page.attrib["viewBox"] == f"0 0 {size[0]:g} {size[1]:g}"  # so that a unit is a millimetre
    found = [
        (*(float(r.get(key, 0)) for key in ("x", "y", "width", "height")), r.attrib["fill"])
        for r in page.iter(f"{SVG}rect")
    ]
    return size, found  # type: ignore[return-value]


def rectangles_of_pdf(content: bytes) -> tuple[tuple[float, float], list[Rectangle]]:
    """The page's size in millimetres, and its rectangles."""
    text = content.decode("cp1252")
    box = re.search(r"/MediaBox \[0 0 (\S+) (\S+)\]", text)
    assert box is not None
    size = float(box[1]) * POINT, float(box[2]) * POINT
    # Everything is drawn in millimetres from the top left corner.
    scale = re.search(r"stream\n(\S+) 0 0 (\S+) 0 (\S+) cm\n", text)
    assert scale is not None
    assert np.allclose([float(n) * POINT for n in scale.groups()], (1, -1, size[1]), atol=1e-4)
    found: list[Rectangle] = [(0, 0, *size, "#ffffff")]
    for red, green, blue, x, y, w, h in re.findall(r"(\S+) (\S+) (\S+) rg (\S+) (\S+) (\S+) (\S+) re f", text):
        ink = "#" + "".join(f"{round(float(c) * 255):02x}" for c in (red, green, blue))
        found.append((float(x), float(y), float(w), float(h), ink))
    return size, found


def painted(size: tuple[float, float], rectangles: Iterable[Rectangle]) -> np.ndarray:
    """The page as a picture, (h, w, 3) uint8 BGR, PER_MM pixels a millimetre."""
    picture = np.zeros((round(size[1] * PER_MM), round(size[0] * PER_MM), 3), np.uint8)
    for x, y, w, h, ink in rectangles:
        x0, y0, x1, y1 = (round(v * PER_MM) for v in (x, y, x + w, y + h))
        picture[y0:y1, x0:x1] = [int(ink[i : i + 2], 16) for i in (5, 3, 1)]
    return picture


def seen(picture: np.ndarray) -> dict[int, Quad]:
    """The corners of each marker of the whole dictionary, in millimetres of the page."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    quads, numbers, _ = detector.detectMarkers(picture)
    assert numbers is not None
    assert len(set(numbers.ravel().tolist())) == len(quads)
    return {int(n): (quad.reshape(4, 2) + 0.5) / PER_MM for n, quad in zip(numbers.ravel(), quads, strict=True)}


@pytest.fixture(params=["svg", "pdf"])
def read(request):
    """What draws a page, and reads its rectangles again."""
    return {"svg": lambda p: rectangles_of_svg(svg(p)), "pdf": lambda p: rectangles_of_pdf(pdf(p))}[request.param]


def test_the_sheet_has_four_markers_upright_to_scale_with_white_around(read):
    size, rectangles = read(sheet(4, english))
    assert np.allclose(size, (210, 297), atol=0.01)
    picture = painted(size, rectangles)
    found = seen(picture)
    assert sorted(found) == [0, 1, 2, 3]
    middles = {n: quad.mean(0) for n, quad in found.items()}
    # They lie on the paper as they will lie on the table.
    assert all(np.sign(middles[n][0] - 105) == np.sign(x) for n, (x, _) in MIDDLES.items())
    assert middles[0][1] == pytest.approx(middles[3][1], abs=0.3)
    assert middles[0][1] < middles[1][1]
    for number, quad in found.items():
        half = SIDE / 2
        upright = middles[number] + np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        assert np.allclose(quad, upright, atol=0.3)
        x, y = (round(v * PER_MM) for v in middles[number] - half - SIDE / 8)
        around = round(SIDE * 10 / 8 * PER_MM)
        edge = picture[y + 1 : y + around - 1, x + 1 : x + around - 1]
        assert (edge[: PER_MM * 2] == 255).all()
        assert (edge[:, : PER_MM * 2] == 255).all()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_the_mat_is_a_table_with_its_markers_in_place(read, players):
    size, rectangles = read(mat(players, english))
    assert np.allclose(size, (MAT, MAT), atol=0.01)
    picture = painted(size, rectangles)
    found = find(picture)
    assert (found.why, found.twice, found.misplaced) == ("", (), ())
    assert found.to_table is not None
    edge = 0.5 / PER_MM - MAT / 2
    assert np.allclose(found.to_table, [[1 / PER_MM, 0, edge], [0, 1 / PER_MM, edge], [0, 0, 1]], atol=1e-2)
    assert found.residual < 0.2


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_the_mats_pads_lie_in_the_trick_area_and_not_over_each_other(players):
    pads = np.full((round(MAT), round(MAT)), 0, np.uint8)
    lines = [m for m in mat(players, english).marks if isinstance(m, Line)]
    ends = [(m.x1, m.y1, m.x2, m.y2) for m in lines]
    inside = [e for e in ends if all(np.hypot(e[i] - MAT / 2, e[i + 1] - MAT / 2) < TRICK_RADIUS for i in (0, 2))]
    assert len(inside) == 4 * players
    for first in range(0, len(inside), 4):
        pad = np.zeros_like(pads)
        corners = np.array([e[:2] for e in inside[first : first + 4]]).round().astype(np.int32)
        cv2.fillConvexPoly(pad, corners, 1)
        assert int(pad.sum()) == pytest.approx(70 * 100, rel=0.05)
        pads += cv2.erode(pad, np.ones((3, 3)))
    assert pads.max() == 1


def test_the_ruler_is_a_hundred_millimetres_long():
    for page in (sheet(4, english), mat(4, english)):
        [text] = [m for m in page.marks if isinstance(m, Text) and "100 mm long" in m.text]
        ruler = next(m for m in page.marks if isinstance(m, Line) and m.y1 == m.y2 == text.y and m.x2 + 4 == text.x)
        assert ruler.x2 - ruler.x1 == 100


@pytest.mark.parametrize(
    ("players", "beside"),
    [
        (2, ["between seats 0 and 1"] * 2 + ["between seats 1 and 0"] * 2),
        (4, [f"between seats {a} and {b}" for a, b in pairwise(("0 (N)", "1 (E)", "2 (S)", "3 (W)", "0 (N)"))]),
        (7, [f"between seats {a} and {b}" for a, b in ((0, 1), (2, 3), (4, 5), (6, 0))]),
    ],
)
def test_each_marker_is_named_with_its_number_its_corner_and_the_seats_beside_it(players, beside):
    texts = [m.text for m in sheet(players, english).marks if isinstance(m, Text)]
    between = [text for text in texts if text.startswith("between")]
    assert between == [beside[number] for number in (3, 0, 2, 1)]
    for number, named in enumerate(("NE", "SE", "SW", "NW")):
        assert texts[texts.index(named) - 1] == str(number)
    seats = [f"seat {n} ({'NESW'[n]})" if players == 4 else f"seat {n}" for n in range(players)]
    assert texts[texts.index(beside[0]) + 1] == f"left of {seats[0]}" or players == 2
    assert [text for text in texts if text.startswith(("left", "right"))] == [
        f"right of {seats[0]}",
        f"left of {seats[0]}",
    ]
    assert {*seats, f"side of {seats[0]}"} <= set(texts)


@pytest.mark.parametrize("language", ["en", "pt-PT", "pt-BR"])
@pytest.mark.parametrize("draw", [sheet, mat])
def test_no_word_leaves_the_page_in_any_language(draw, language):
    page: Page = draw(7, words(language, ()).say)
    for mark in page.marks:
        if isinstance(mark, Text) and not mark.turn:
            width = 0.55 * mark.size * len(mark.text)  # of Helvetica, amply
            left = mark.x - width / 2 if mark.middle else mark.x
            assert left > 5, mark
            assert left + width < page.width - 5, mark


def test_a_pdf_is_found_its_way_through_and_asks_not_to_be_scaled():
    content = pdf(sheet(4, english))
    assert content.startswith(b"%PDF-1.6\n")
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", content)[1])  # type: ignore[index]
    table = content[start:].split(b"\n")
    count = int(table[1].split()[1])
    assert table[0] == b"xref"
    for number, entry in enumerate(table[3 : 2 + count], 1):
        assert len(entry) == 19  # and the line's end: twenty bytes each
        assert content[int(entry[:10]) :].startswith(b"%d 0 obj\n" % number)
    [(length, stream)] = re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", content, re.DOTALL)
    assert int(length) == len(stream)
    assert b"/PrintScaling /None" in content


def test_words_keep_their_accents_and_brackets_in_both_formats():
    page = Page(100, 100, "Posição <1>", (Text(1, 2, "À volta (50 %) & mais\\"), Ring(50, 50, 10), Box(0, 0, 1, 1)))
    [text] = ET.fromstring(svg(page)).iter(f"{SVG}text")
    assert text.text == "À volta (50 %) & mais\\"
    assert "(À volta \\(50 %\\) & mais\\\\) Tj".encode("cp1252") in pdf(page)


# --- the command --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sheet.svg", "sheet.PDF"])
def test_the_sheet_is_written_and_how_to_print_it_is_said(here, tmp_path, name):
    said = here("calibrate", "sheet", "-o", tmp_path / name)
    told = "Print at actual size (100 %), not fitted to the paper: the ruler must measure 100 mm."
    assert (said.status, said.out, said.err) == (0, f"{tmp_path / name}: {told}\n", "")
    page = sheet(4, english)
    assert (tmp_path / name).read_bytes() == (svg(page).encode() if name.endswith("svg") else pdf(page))


def test_the_mat_is_written_for_as_many_as_sit_there_in_their_language(here, tmp_path):
    said = here("calibrate", "sheet", "--mat", "--players", 5, "--lang", "pt", "-o", tmp_path / "mat.svg")
    assert said.status == 0
    texts = [t.text for t in ET.fromstring((tmp_path / "mat.svg").read_text(encoding="utf-8")).iter(f"{SVG}text")]
    assert [t for t in texts if t and t.startswith("lugar")] == [f"lugar {n}" for n in range(5)]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-o", "sheet.png"), "tablepi: -o sheet.png: name a file that ends in .svg or .pdf\n"),
        (("-o", "sheet"), "tablepi: -o sheet: name a file that ends in .svg or .pdf\n"),
        (("-o", "none/sheet.pdf"), "-o none/sheet.pdf: cannot be written: No such file or directory"),
        (("-o", "folder.pdf"), "-o folder.pdf: cannot be written: Is a directory"),
        (("-o", "sheet.pdf", "--players", "8"), "'8' is not a whole number of 2 to 7"),
        ((), "the following arguments are required: -o"),
    ],
)
def test_what_cannot_be_written_is_one_message(here, tmp_path, monkeypatch, options, told):
    monkeypatch.chdir(tmp_path)
    Path("folder.pdf").mkdir()
    said = here("calibrate", "sheet", *options)
    assert said.status == 2
    assert told in said.err
    assert "Traceback" not in said.err


def test_calibrate_as_a_program_of_its_own(tmp_path):
    said = tablepi("calibrate", "sheet", "-o", tmp_path / "sheet.pdf")
    assert (said.status, said.err) == (0, "")
    assert (tmp_path / "sheet.pdf").read_bytes().endswith(b"%%EOF\n")
