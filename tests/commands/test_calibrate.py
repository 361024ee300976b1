"""``calibrate sheet``: what is printed is found again, to scale, and read by the people who cut it out; ``calibrate
camera``: whatever gives pictures is looked at, and what is to be moved is told to people and to programs.
"""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablepi.config import load_config
from tablepi.devices import sources
from tablepi.devices.camera import EndOfFilm
from tablepi.frames import Frame
from tablepi.language import words
from tablepi.virtual.film import write_film
from tablepi.vision.markers import CORNERS, DICTIONARY, MIDDLES, SIDE, TRICK_RADIUS, Quad, find, through
from tablepi.vision.sheet import MAT, Box, Line, Page, Ring, Text, mat, pdf, sheet, svg

from ..vision.marked_table import drawn, hung, photographed
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


# --- the command: sheet -------------------------------------------------------------------------------------------


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


# --- the command: camera ------------------------------------------------------------------------------------------

SIZE = (1920, 1080)
TO_FRAME = hung(SIZE, tilt=1, turn=2, shows=565)
WELL = "Nothing has to be moved."
MEND = "Mend what is marked with !, and calibrate again."


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    return photographed(drawn(), TO_FRAME, SIZE)


@pytest.fixture(scope="module")
def bare() -> np.ndarray:
    """A table without markers."""
    return photographed(drawn({}), TO_FRAME, SIZE)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes a picture into the folder in which the command then runs."""
    monkeypatch.chdir(tmp_path)

    def written(name: str, image: np.ndarray) -> str:
        Path(name).parent.mkdir(exist_ok=True)
        assert cv2.imwrite(name, image)
        return name

    return written


class Pretended:
    """A live camera that gives these pictures, one each tenth of a second, and then no more."""

    name = "pretended"
    dropped = 0

    def __init__(self, images: Iterable[np.ndarray]) -> None:
        self._images = iter(images)
        self._at = 100.0
        self.open = False

    def __enter__(self):
        self.open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.open = False

    def grab(self) -> Frame:
        assert self.open
        self._at += 0.1
        for image in self._images:
            return Frame(image, self._at)
        raise EndOfFilm(self.name)

    def cancel(self) -> None: ...


def test_a_picture_of_a_good_table_has_nothing_to_move(here, write, table):
    said = here("calibrate", "camera", write("table.png", table))
    assert (said.status, said.err) == (0, "")
    *lines, end = said.out.splitlines()
    assert end == WELL
    assert lines[0] == "ok The markers 0, 1, 2, 3 are seen."
    assert {line[:3] for line in lines} == {"ok "}


def test_what_is_wrong_is_marked_and_the_status_says_so(here, write, table):
    x, y = through([MIDDLES[1]], TO_FRAME)[0].astype(int)
    hidden = table.copy()
    hidden[y - 70 : y + 70, x - 70 : x + 70] = (120, 140, 190)
    said = here("calibrate", "camera", write("hidden.png", hidden))
    lines = said.out.splitlines()
    assert said.status == 1
    assert lines[0] == "!  Marker 1, between seats 1 (E) and 2 (S), is not seen: uncover it, or lay it there."
    assert lines[-1] == MEND
    assert [line for line in lines if line.startswith("!")] == lines[:1]


def test_what_only_could_be_better_leaves_the_status_alone(here, write, table):
    said = here("calibrate", "camera", write("small.png", cv2.resize(table, (1280, 720), interpolation=cv2.INTER_AREA)))
    assert said.status == 0
    assert [line for line in said.out.splitlines() if not line.startswith("ok ")] == [
        "?  A rank of 8 mm is only 10 pixels high: 16 are wanted. Let it give larger pictures (size: 1920x1080), if it "
        "can. Or play with jumbo indices (15 mm): they have 19 pixels.",
        WELL,
    ]
    said = here("calibrate", "camera", "--jumbo", "small.png")
    assert (said.status, "?" in said.out) == (0, False)


def test_programs_get_an_object_for_each_check_and_one_at_the_end(here, write, table):
    said = here("calibrate", "camera", write("dark.png", np.asarray(table * 0.1, np.uint8)), "--json")
    *found, end = map(json.loads, said.out.splitlines())
    assert (said.status, said.err) == (1, "")
    assert [(each["check"], each["what"]) for each in found if each["verdict"] == "wrong"] == [("light", "dark")]
    assert all(each["text"] for each in found)
    assert {name: end[name] for name in ("well", "frames", "corners_size")} == {
        "well": False,
        "frames": 1,
        "corners_size": [1920, 1080],
    }
    assert np.allclose(end["corners"], through(CORNERS, TO_FRAME), atol=1)


@pytest.mark.parametrize("kind", ["folder", "film"])
def test_films_and_folders_are_looked_at_too_and_a_camera_that_shakes_is_seen_in_them(here, write, table, kind):
    images = [np.roll(table, 2 * (n % 2), 1) for n in range(5)]
    if kind == "film":
        write_film(Path("shakes.avi"), [image for image in images for _ in range(2)], fps=10)
    for number, image in enumerate(images if kind == "folder" else ()):
        write(f"shakes/{number}.jpg", image)
    said = here("calibrate", "camera", "shakes" if kind == "folder" else "shakes.avi")
    assert said.status == 1
    assert "!  The picture shakes by " in said.out


def test_a_live_camera_first_finds_its_exposure_and_may_not_repeat_itself(here, monkeypatch, table):
    rng = np.random.default_rng(1)
    lit = [np.clip(table + rng.normal(0, 2, table.shape), 0, 255).astype(np.uint8) for _ in range(4)]
    dark = [np.zeros_like(table)] * 10
    given = Pretended(dark + lit)
    monkeypatch.setattr(sources, "source_of", lambda *_, **__: given)
    said = here("calibrate", "camera", "/dev/video-pretended")
    assert (said.status, given.open, WELL in said.out) == (0, False, True)
    monkeypatch.setattr(sources, "source_of", lambda *_, **__: Pretended([lit[0]] * 20))
    said = here("calibrate", "camera", "/dev/video-pretended")
    assert (said.status, said.out.startswith("!  The picture is frozen")) == (1, True)


def test_the_lines_for_the_tables_file_are_taken_by_it(here, write, table, bare):
    """The markers tell better where the table is, so with them the corners are only a note."""
    for number, image in enumerate((table, bare)):
        for copy in range(2):
            write(f"pictures-{number}/{copy}.png", image)
    corners = [f"{x:.1f},{y:.1f}" for x, y in through(CORNERS, TO_FRAME)]
    for options, told in (
        (("pictures-0",), None),
        (("pictures-1", "--corners", *corners), through(CORNERS, TO_FRAME)),
    ):
        said = here("calibrate", "camera", *options)
        assert said.status == 0
        lines = said.out.split("For the file of the table:\n\n")[1]
        Path("table.yaml").write_text(f"players: [Rita, Ada, Bo, Cleo]\n{lines}", encoding="utf-8")
        camera = load_config(Path("table.yaml")).camera
        assert camera is not None
        assert (camera.source, camera.size) == (options[0], SIZE)
        assert (camera.corners is None) == (told is None)
        if told is not None:
            assert np.allclose(camera.corners, told, atol=0.1)
            assert camera.corners_size == SIZE
            # And so they are when the file is asked.
            again = here("calibrate", "camera", "--config", "table.yaml")
            assert (again.status, again.out) == (0, said.out)


def test_the_source_is_written_as_the_tables_file_has_it_and_in_quotes_where_it_needs_them(here, write, table):
    for folder in ("mine/films", "null"):
        Path(folder).mkdir(parents=True)
        write(f"{folder}/1.png", table)
    Path("mine/table.yaml").write_text("camera: {source: films}\n")
    told = [
        here("calibrate", "camera", *options).out.split("For the file of the table:\n\n")[1].splitlines()[:3]
        for options in (("--config", "mine/table.yaml"), ("null",))
    ]
    size = "  size: 1920x1080"
    assert told == [["camera:", "  source: films", size], ["camera:", "  source: 'null'", size]]


def test_a_name_that_no_file_can_have_is_told_in_place_of_its_line(here, write, table):
    odd = os.fsdecode(b"od\xffd")
    Path(odd).mkdir()
    Path(write("1.png", table)).rename(Path(odd, "1.png"))
    told = here("calibrate", "camera", odd).out.split("For the file of the table:\n\n")[1].splitlines()[:3]
    said = "# od\\udcffd: no table's file can have this name: give it another"
    assert told == ["camera:", f"  {said}", "  size: 1920x1080"]


def test_the_cameras_of_the_tables_file_are_known_by_name_and_its_players_are_the_seats(here, write, table):
    for side in ("left", "right"):
        write(f"{side}/1.png", table if side == "left" else np.asarray(table * 0.1, np.uint8))
    cameras = "camera: [{source: left, name: camera-left}, {source: right, name: camera-right}]"
    Path("table.yaml").write_text(f"players: [A, B, C]\n{cameras}\n", encoding="utf-8")
    said = here("calibrate", "camera", "--config", "table.yaml")
    assert said.status == 0
    assert "The seats in the picture: 0 top, 1 bottom right, 2 bottom left." in said.out
    assert here("calibrate", "camera", "camera-right", "--config", "table.yaml").status == 1


def test_it_is_said_in_portuguese(here, write, table):
    picture = write("table.png", table)
    assert here("--lang", "pt", "calibrate", "camera", picture).out.endswith("Não é preciso mexer em nada.\n")
    there = here("--lang", "pt-BR", "calibrate", "camera", picture).out
    assert "A câmera está cerca de " in there
    assert "1 (L) à direita" in there


@pytest.mark.parametrize("name", ["copy.jpg", "copy.PNG"])
def test_the_copy_shows_the_markers_the_square_and_the_seats(here, write, table, name):
    said = here("calibrate", "camera", write("table.png", table), "--draw", name)
    copy = cv2.imread(name)
    assert (said.status, copy.shape) == (0, table.shape)
    drawn_on = np.abs(copy.astype(int) - table).max(2) > 60
    edge = through([(0, -250), (250, 0), (0, 250), (-250, 0)], TO_FRAME).round().astype(int)
    assert all(drawn_on[y - 3 : y + 4, x - 3 : x + 4].any() for x, y in edge)
    inside = through([(0, -60), (60, 0), (0, 60), (-60, 0)], TO_FRAME).round().astype(int)
    assert not any(drawn_on[y - 3 : y + 4, x - 3 : x + 4].any() for x, y in inside)
    border = through([(80, -80), (80, 80), (-80, 80), (-80, -80)], TO_FRAME).round().astype(int)
    assert all(drawn_on[y - 3 : y + 4, x - 3 : x + 4].any() for x, y in border)


@pytest.mark.parametrize("looked_at", ["mine/own.png", "mine", "camera"])
@pytest.mark.parametrize("draw", ["mine/own.png", "mine/../mine/own.png", "link.png", "hard.png"])
def test_no_copy_is_written_over_what_is_looked_at_by_whatever_name(here, write, table, looked_at, draw):
    own = Path(write("mine/own.png", table))
    Path("link.png").symlink_to(own)
    Path("hard.png").hardlink_to(own)
    Path("table.yaml").write_text("camera: {source: mine}\n")
    before = own.read_bytes()
    said = here("calibrate", "camera", looked_at, "--config", "table.yaml", "--draw", draw)
    assert (said.status, said.out) == (2, "")
    assert said.err == f"tablepi: --draw {draw}: is the picture that is looked at: name another file\n"
    assert own.read_bytes() == before


def test_a_copy_may_take_the_place_of_an_earlier_one_and_lie_beside_what_is_looked_at(here, write, table):
    write("mine/own.png", table)
    for _ in range(2):
        said = here("calibrate", "camera", "mine/own.png", "--draw", "mine/copy.png")
        assert (said.status, said.err) == (0, "")


def test_where_the_table_is_not_found_the_copy_has_lines_to_read_the_corners_off(here, write, bare):
    said = here("calibrate", "camera", write("bare.png", bare), "--draw", "copy.png")
    assert (said.status, said.out.startswith("!  No marker is seen.")) == (1, True)
    copy = cv2.imread("copy.png")
    assert (copy[50, 100::100] > 200).all()
    assert (copy[100::100, 250] > 200).all()
    assert (copy[150, 120:180] < 200).all()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("none.jpg",), "tablepi: none.jpg: there is no such file: name a film, a folder of pictures, a USB camera"),
        (("words.txt",), "tablepi: words.txt: "),
        (("empty",), "tablepi: empty: "),
        (("half.jpg",), "tablepi: half.jpg: "),
        (("7",), "tablepi: 7: cameras change their numbers"),
        ((), "tablepi: name a camera, a film, a folder or a picture, or the file of a table that has one (--config)\n"),
        (("--config", "plain.yaml"), "tablepi: plain.yaml: names no camera: name one here"),
        (("--config", "none.yaml"), "tablepi: none.yaml: there is no such file\n"),
        (
            ("table.png", "--draw", "copy.txt"),
            "tablepi: --draw copy.txt: name a file that ends in .jpg or .jpeg or .png\n",
        ),
        (
            ("table.png", "--draw", "none/copy.jpg"),
            "--draw none/copy.jpg: cannot be written: No such file or directory",
        ),
        (
            ("table.png", "--corners", "1,1", "9,1", "9,9", "x"),
            "'x' is not a place in the picture: write it like 905,95.5",
        ),
        (("table.png", "--corners", "1,1"), "argument --corners: expected 4 arguments"),
        (
            ("table.png", "--corners", "1400,50", "1400,1000", "500,1000", "500,1200"),
            "tablepi: --corners 500,1200: lies outside of the picture, which has 1920x1080 pixels\n",
        ),
        (
            ("table.png", "--corners", "1920,50", "1400,1000", "500,1000", "500,1200"),
            "tablepi: --corners 1920,50 500,1200: lie outside of the picture, which has 1920x1080 pixels\n",
        ),
        (
            ("table.png", "--corners", "641,359", "641,361", "639,361", "639,359"),
            "tablepi: --corners 641,359 641,361: are 2 pixels apart: no square is so small\n",
        ),
        (
            ("table.png", "--config", "square.yaml"),
            "tablepi: square.yaml: camera.corners: the corners were told in a picture of 640x480, and one of 1920x1080 "
            "shows another part: tell them anew with --corners, or give that size\n",
        ),
        (
            ("table.png", "--corners", "500,50", "500,1000", "1400,1000", "1400,50"),
            "tablepi: --corners: the square's corners [[500.0, 50.0], [500.0, 1000.0], [1400.0, 1000.0], "
            "[1400.0, 50.0]] do not go round clockwise from north-east\n",
        ),
        (
            ("table.png", "--corners", "1400,50", "1400,1000", "945,530", "500,50"),
            "tablepi: --corners 945,530: lies on a line with its neighbours: no square looks so\n",
        ),
    ],
)
def test_what_cannot_be_looked_at_is_one_message(here, write, table, options, told):
    write("table.png", table)
    Path("words.txt").write_text("Cut along the dashed lines.")
    Path("empty").mkdir()
    Path("half.jpg").write_bytes(cv2.imencode(".jpg", table)[1].tobytes()[:5000])
    Path("plain.yaml").write_text("players: [Rita, Ada, Bo, Cleo]\n")
    Path("square.yaml").write_text(
        "camera: {source: table.png, corners: [[500, 40], [500, 440], [100, 440], [100, 40]], corners_size: 640x480}\n"
    )
    said = here("calibrate", "camera", *options)
    assert (said.status, said.out) == (2, "")
    assert told in said.err
    assert "Traceback" not in said.err
    assert said.err.startswith("usage: ") or said.err.count("\n") == 1


def test_a_camera_that_is_not_there_is_missing(here):
    said = here("calibrate", "camera", "/dev/v4l/by-id/none")
    assert (said.status, said.out) == (3, "")
    assert said.err == "tablepi: /dev/v4l/by-id/none: nothing is plugged in there\n"
