"""The benchmark on photographs: its arithmetic, its plain reader, and that it says what it measured."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tablepi.cards import card

from ..bench import vision
from ..bench.vision_frames import as_frame, spread
from ..bench.vision_memory import peak_mib
from ..bench.vision_peer import GLYPH, TemplateReader, drawn_suit, fitted
from ..bench.vision_score import (
    SMALL_GROUP,
    Confusion,
    Label,
    Mean,
    Photograph,
    Share,
    confusions,
    doubted,
    error_of,
    figures,
    grouped,
    groups,
    judge,
    kind_of,
    means,
    reliability,
    score,
)
from ..bench.vision_sheet import CROP, upright


@dataclass(frozen=True)
class Said:
    """A reading as a test writes it."""

    name: str
    confidence: float = 1.0
    box: tuple[int, int, int, int] = (0, 0, 10, 10)
    indices: tuple = ()

    @property
    def card(self):
        return card(self.name)


def photograph(cards: str, *, source: str = "attic", number: int = 1, **more) -> Photograph:
    labels = tuple(Label(card(name)) for name in cards.split())
    return Photograph(f"images/{source}_{number:04}.jpg", source, labels, **more)


def judged(lie: str, read: str, **more):
    return judge(photograph(lie, **more), [Said(name) for name in read.split()], threshold=0.5)


# --- one photograph -------------------------------------------------------------------------------------------------


def test_an_image_is_exact_when_all_its_cards_are_read_and_nothing_else():
    assert str(score([(["QS", "4H"], ["4H", "QS"])])) == (
        "1 images: exact 100.0% (1/1), recall 100.0% (2/2), precision 100.0% (2/2), wrong 0.0% (0/1), 0 cards twice"
    )


def test_a_missed_card_is_not_exact_but_not_wrong_either():
    found = score([(["QS", "4H"], ["QS"])])
    assert (found.exact, found.recall, found.precision, found.wrong) == (
        Share(0, 1),
        Share(1, 2),
        Share(1, 1),
        Share(0, 1),
    )


def test_a_card_read_twice_where_it_lies_once_is_right_once_and_false_once():
    found = score([(["QS"], ["QS", "QS"])])
    assert (found.exact, found.recall, found.precision, found.wrong, found.twice) == (
        Share(0, 1),
        Share(1, 1),
        Share(1, 2),
        Share(1, 1),
        1,
    )


def test_a_card_that_lies_twice_may_be_read_twice():
    assert score([(["QS", "QS"], ["QS", "QS"])]).exact == Share(1, 1)


def test_readings_below_the_threshold_are_not_counted_but_kept():
    verdict = judge(photograph("QS"), [Said("QS", 0.9), Said("QC", 0.49)], threshold=0.5)
    assert (figures([verdict]).exact, len(verdict.readings), verdict.failed) == (Share(1, 1), 2, False)


def test_a_reading_at_the_threshold_is_kept():
    assert figures([judge(photograph("QS"), [Said("QS", 0.5)], threshold=0.5)]).exact == Share(1, 1)


def test_an_image_not_wholly_labelled_enters_recall_alone():
    found = figures([judged("QS 4H", "QS 9D", complete=False)])
    assert (found.images, found.exact, found.recall, found.precision, found.wrong) == (
        1,
        Share(0, 0),
        Share(1, 2),
        Share(0, 0),
        Share(0, 0),
    )


def test_on_an_image_that_is_not_legible_any_card_is_false_and_no_other_figure_knows_it():
    verdict = judged("QS 4H", "QS", legible=False, complete=False)
    assert (len(verdict.false), len(verdict.right), verdict.failed) == (1, 0, True)
    assert figures([verdict]).images == 0
    assert not judged("QS 4H", "", legible=False).failed


def test_a_right_name_outside_its_box_is_told_apart():
    boxed = replace(photograph(""), labels=(Label(card("QS"), (100, 100, 200, 240)),))
    there = judge(boxed, [Said("QS", box=(110, 110, 130, 150))], threshold=0.5)
    elsewhere = judge(boxed, [Said("QS", box=(400, 110, 430, 150))], threshold=0.5)
    assert (there.misplaced, elsewhere.misplaced, len(elsewhere.right)) == (0, 1, 1)


# --- intervals and means --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [(Share(0, 10), 0.0, 0.2775), (Share(5, 10), 0.2366, 0.7634), (Share(81, 263), 0.2553, 0.3662)],
)
def test_the_interval_of_a_share_is_wilsons(share, low, high):
    assert share.interval() == pytest.approx((low, high), abs=5e-5)


def test_a_share_of_nothing_has_no_value():
    assert math.isnan(Share(0, 0).value)


def twenty(source: str, right: int) -> list:
    return [judged("QS", "QS" if i < right else "", source=source, number=i) for i in range(20)]


def test_the_mean_is_over_sources_and_the_small_ones_are_one():
    verdicts = twenty("attic", 20) + [judged("4H", "4H", source="attic", number=i) for i in range(20, 100)]
    verdicts += twenty("barn", 10)
    verdicts += [judged("QS", "", source="cellar", number=i) for i in range(3)]
    verdicts += [judged("QS", "", source="den", number=1)]
    names = groups([v.photograph for v in verdicts])
    by_group = grouped(verdicts, names)
    assert {name: len(group) for name, group in by_group.items()} == {"attic": 100, "barn": 20, SMALL_GROUP: 4}
    over = means(by_group)["exact"]
    assert over.value == pytest.approx((1 + 0.5 + 0) / 3)
    # Only the barn varies: half of 20 images, a third of the mean.
    assert (over.low, over.high) == pytest.approx((0.5 - 1.96 * 0.112 / 3, 0.5 + 1.96 * 0.112 / 3), abs=0.012)


def test_a_source_where_nothing_was_read_has_no_precision_and_is_left_out_of_that_mean():
    over = means({"attic": twenty("attic", 20), "barn": twenty("barn", 0)})
    assert (over["precision"].value, over["exact"].value) == (1.0, 0.5)
    assert means({"attic": twenty("attic", 20)})["wrong"] == Mean(0.0, 0.0, 0.0)


# --- confusions -----------------------------------------------------------------------------------------------------


def kinds(lie: str, read: str) -> list:
    return [(str(c.label), str(c.read), c.beside, kind_of(c)) for c in confusions(judged(lie, read))]


def test_a_queen_of_clubs_read_as_spades_is_named_twice():
    assert kinds("QC 4H", "4H QS") == [("QC", "QS", False, ("Q♣/Q♠", "♣/♠"))]


def test_each_false_card_stands_for_the_unread_card_most_like_it():
    assert kinds("9D 6H KS", "9H 6D JS") == [
        ("9D", "9H", False, ("♥/♦",)),
        ("6H", "6D", False, ("♥/♦",)),
        ("KS", "JS", False, ("rank",)),
    ]


def test_a_second_corner_misread_stands_beside_the_card_that_was_read_as_well():
    assert kinds("QC", "QC QS") == [("QC", "QS", True, ("Q♣/Q♠", "♣/♠"))]
    assert kinds("QC", "QC QC") == [("QC", "QC", True, ("card twice",))]
    assert kinds("QC", "QC 9D") == [("None", "9D", True, ("no such card near",))]


def test_a_known_box_decides_which_card_was_misread():
    left, right = (0, 0, 100, 140), (300, 0, 400, 140)
    lie = replace(photograph(""), labels=(Label(card("9D"), left), Label(card("9S"), right)))
    verdict = judge(lie, [Said("9H", box=(310, 10, 330, 40))], threshold=0.5)
    assert confusions(verdict) == [Confusion(card("9S"), card("9H"))]


def test_a_false_card_in_the_box_of_one_card_does_not_stand_for_a_missed_card_elsewhere():
    left, right = (0, 0, 100, 140), (300, 0, 400, 140)
    lie = replace(photograph(""), labels=(Label(card("9D"), left), Label(card("KS"), right)))
    verdict = judge(lie, [Said("9D", 0.9, (10, 10, 30, 40)), Said("JS", 0.8, (60, 90, 80, 120))], threshold=0.5)
    assert confusions(verdict) == [Confusion(card("9D"), card("JS"), beside=True)]


def test_an_unlabelled_card_of_an_image_not_wholly_labelled_is_no_confusion_and_no_failure():
    verdict = judged("QS", "QS 9D", complete=False)
    assert (confusions(verdict), verdict.failed, len(verdict.unjudged)) == ([], False, 1)


# --- calibration ----------------------------------------------------------------------------------------------------


def test_reliability_counts_readings_below_the_threshold_and_weighs_sources_apart():
    sure = [judge(photograph("QS"), [Said("QS", 0.92)], threshold=0.95) for _ in range(3)]
    false = [judge(photograph("QS", source="barn"), [Said("QC", 0.94)], threshold=0.95)]
    unlabelled = [judge(photograph("QS", complete=False), [Said("9D", 0.93)], threshold=0.5)]
    (only,) = reliability({"attic": sure + unlabelled, "barn": false})
    assert (only.low, only.high, only.right, only.over_groups) == (0.9, 0.95, Share(3, 4), 0.5)
    assert error_of([only]) == pytest.approx(abs(only.claimed - 0.75))


def test_a_confidence_of_one_has_its_bin():
    (only,) = reliability({"attic": [judged("QS", "QS")]})
    assert (only.claimed, only.right) == (1.0, Share(1, 1))


# --- frames and doubts ----------------------------------------------------------------------------------------------


def test_a_frame_shows_the_whole_photograph_and_no_empty_margin():
    upright = np.full((900, 435, 3), 90, np.uint8)
    upright[:40, :40] = 255
    frame = as_frame(upright)
    assert frame.shape == (720, 1280, 3)
    assert frame.min() >= 80  # repeated, not padded with black
    assert (frame[:, -60:] == 255).any()  # its first corner lies at the right after a quarter turn


def test_photographs_are_picked_at_even_distances():
    assert spread(range(10), 4) == [0, 2, 5, 7]
    assert spread("abc", 9) == ["a", "b", "c"]


def test_a_doubted_photograph_must_exist(tmp_path):
    file = tmp_path / "doubted.yaml"
    file.write_text("- {file: images/attic_0001.jpg, reason: the 6 lies face down}\n")
    assert doubted(file, [photograph("QS")]) == {"images/attic_0001.jpg": "the 6 lies face down"}
    with pytest.raises(ValueError, match="attic_0001"):
        doubted(file, [photograph("QS", number=2)])


@pytest.mark.parametrize("up", [0.0, 0.7, math.pi / 2, 3.0, -1.2])
def test_an_index_on_the_sheet_is_turned_upright(up):
    frame = np.zeros((400, 400, 3), np.uint8)
    top = (round(200 + 12 * math.sin(up)), round(180 - 12 * math.cos(up)))
    cv2.circle(frame, top, 3, (255, 255, 255), cv2.FILLED)
    index = SimpleNamespace(x=200.0, y=180.0, up=up, size=30.0)
    rows, columns = np.nonzero(upright(frame, index)[..., 0] > 127)
    assert (rows.mean(), columns.mean()) == pytest.approx((CROP / 2 - 36, CROP / 2), abs=4)


# --- the plain reader -----------------------------------------------------------------------------------------------


def drawn_table(name: str, *, turned: float = 0.0) -> np.ndarray:
    """A dark table with one card, its index drawn at two corners; *turned* in degrees."""
    face = np.full((340, 240, 3), 245, np.uint8)
    ink = (30, 30, 200) if name[1] in "HD" else (20, 20, 20)
    cv2.putText(face, name[0], (12, 46), cv2.FONT_HERSHEY_SIMPLEX, 1.3, ink, 4, cv2.LINE_AA)
    suit = cv2.resize(drawn_suit(name[1]), (30, 34), interpolation=cv2.INTER_AREA)
    face[58:92, 10:40][suit > 127] = ink
    lower = face[::-1, ::-1].copy()
    face = np.minimum(face, lower)
    middle = cv2.getRotationMatrix2D((120, 170), turned, 1.0)
    middle[:, 2] += (300 - 120, 260 - 170)
    table = np.full((520, 640, 3), (50, 70, 40), np.uint8)
    return cv2.warpAffine(face, middle, (640, 520), dst=table, borderMode=cv2.BORDER_TRANSPARENT)


@pytest.mark.parametrize("turned", [0.0, 30.0, 90.0, 200.0])
@pytest.mark.parametrize("name", ["7S", "QH", "4D", "KC"])
def test_the_plain_reader_reads_a_whole_card_at_any_angle(name, turned):
    (reading,) = TemplateReader().read(drawn_table(name, turned=turned))
    assert (str(reading.card), reading.confidence >= TemplateReader.threshold) == (name, True)
    x0, y0, x1, y1 = reading.box
    assert (x0 + x1) / 2 == pytest.approx(300, abs=6)
    assert (y0 + y1) / 2 == pytest.approx(260, abs=6)


@pytest.mark.parametrize("corner", [(slice(100, 190), slice(186, 232)), (slice(330, 420), slice(368, 414))])
def test_the_plain_reader_makes_do_with_either_corner(corner):
    table = drawn_table("7S")
    table[corner] = 245  # this corner's index is worn off
    (reading,) = TemplateReader().read(table)
    assert str(reading.card) == "7S"


@pytest.mark.parametrize("shape", [(720, 1280, 3), (40, 30, 3), (1, 1, 3)])
def test_the_plain_reader_sees_no_card_on_an_empty_table(shape):
    assert TemplateReader().read(np.full(shape, 80, np.uint8)) == []


def test_the_plain_reader_does_not_name_a_blank_card():
    table = np.full((520, 640, 3), 50, np.uint8)
    cv2.rectangle(table, (200, 100), (440, 440), (245, 245, 245), cv2.FILLED)
    assert TemplateReader().read(table) == []


def test_a_mark_is_compared_without_its_margins():
    mark = np.zeros((100, 100), np.uint8)
    mark[30:50, 60:74] = 255
    assert fitted(mark).shape == GLYPH
    assert fitted(mark).min() == 255


# --- the command ----------------------------------------------------------------------------------------------------


@dataclass
class KnownReader:
    """Says the cards of the picture by the grey that it is filled with."""

    answers: dict[int, list[Said]]
    threshold: float = 0.5
    read_greys: list[int] = field(default_factory=list)

    def read(self, frame):
        grey = int(frame[frame.shape[0] // 2, frame.shape[1] // 2, 0])
        self.read_greys.append(grey)
        return self.answers.get(grey, [])


@pytest.fixture
def album(tmp_path, monkeypatch):
    """Three photographs: two of a source of its own and one of a source that trains the shipped model."""
    (tmp_path / "images").mkdir()
    lines = []
    for grey, name, lie in ((10, "attic_0001", "QS"), (20, "attic_0002", "QC"), (30, "obind_0001", "4H")):
        file = f"images/{name}.png"
        cv2.imwrite(str(tmp_path / file), np.full((48, 64, 3), grey, np.uint8))
        cards = [{"card": lie, "box": [0, 0, 60, 40]}]
        lines.append({"file": file, "cards": cards, "complete": True, "legible": True, "kind": "single"})
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.setenv("TABLEPI_PHOTOS", str(tmp_path))
    return tmp_path


@pytest.fixture
def readers(tmp_path):
    """What ``main`` opens: the shipped model reads attics, and only the drawn one reads the obind photograph."""
    index = type("Index", (), {"x": 20.0, "y": 20.0, "up": 0.5, "size": 12.0, "score": 0.9, "chances": (0.0,) * 52})()
    false = Said("QS", 0.8, (10, 10, 30, 30), (index,))
    shipped = KnownReader({10: [Said("QS", 0.9)], 20: [false, Said("QC", 0.3)], 30: [Said("9D")]})
    drawn = KnownReader({30: [Said("4H")]})
    folder = tmp_path / "drawn"
    return lambda models: drawn if models == folder else shipped


def test_without_photographs_it_says_so_in_one_line(monkeypatch, capsys):
    monkeypatch.delenv("TABLEPI_PHOTOS", raising=False)
    assert vision.main([]) == 0
    assert capsys.readouterr().out == "bench-vision is skipped: TABLEPI_PHOTOS names no folder of photographs\n"


def rows_of(text: str, title: str) -> list[list[str]]:
    """The rows of the printed table whose title begins so, cut at double spaces."""
    lines = text[text.index(f"\n{title}") + 1 :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip().split("  ") if cell.strip()] for line in lines]


def test_sources_that_trained_the_shipped_model_are_measured_with_the_other_one(
    album, readers, capsys, restored_threads, no_doubts
):
    (album / "drawn").mkdir()
    assert vision.main(["--quick", "--drawn-models", str(album / "drawn")], open_reader=readers) == 0
    printed = capsys.readouterr().out
    rows = {row[0]: row for row in rows_of(printed, "As labelled")}
    assert rows["obind"][1:4] == ["drawn data alone", "1", "100.0 % [20.7–100.0] 1/1"]
    assert rows["attic"][1:4] == ["shipped", "2", "50.0 % [9.5–90.5] 1/2"]
    trained = {row[0]: row for row in rows_of(printed, "The shipped model on the sources")}
    assert trained["obind"][1:4] == ["shipped", "1", "0.0 % [0.0–79.3] 0/1"]
    assert ["QC", "QS", "instead", "1", "attic"] in rows_of(printed, "Pairs that were confused")


def test_without_a_second_model_those_sources_have_no_figures_and_it_says_so(
    album, readers, capsys, restored_threads, no_doubts
):
    assert vision.main(["--quick", "--drawn-models", str(album / "none")], open_reader=readers) == 0
    printed = capsys.readouterr().out
    assert "NO SECOND MODEL" in printed
    assert "obind" not in {row[0] for row in rows_of(printed, "As labelled")}


def test_doubted_photographs_are_taken_out_of_a_second_table(album, readers, capsys, restored_threads, monkeypatch):
    doubts = album / "doubted.yaml"
    doubts.write_text("- {file: images/attic_0002.png, reason: a club or a spade}\n")
    monkeypatch.setattr(vision, "DOUBTED", doubts)
    assert vision.main(["--quick", "--drawn-models", str(album / "none")], open_reader=readers) == 0
    printed = capsys.readouterr().out
    without = {row[0]: row for row in rows_of(printed, "Without the 1 doubted")}
    assert without["attic"][2:4] == ["1", "100.0 % [20.7–100.0] 1/1"]
    assert "images/attic_0002.png: a club or a spade" in printed


def test_the_files_hold_what_failed_and_every_reading(album, readers, capsys, restored_threads, no_doubts):
    files = {name: album / f"out{ending}" for name, ending in OUTPUTS.items()}
    options = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    assert vision.main(["--quick", "--drawn-models", str(album / "none"), *options], open_reader=readers) == 0
    assert [cv2.imread(str(files[name])).shape[2] for name in ("sheet", "plot")] == [3, 3]
    listed = files["sheet"].with_name(files["sheet"].stem + "-failures.txt").read_text()
    assert listed.startswith("1. attic_0002.png | QC | read QS (0.80)\n")
    assert "false: QS, from QC" in listed
    assert "below the threshold: QC 0.300" in listed
    dumped = [json.loads(line) for line in files["dump"].read_text().splitlines()]
    assert [(line["file"], [(r["card"], r["right"]) for r in line["readings"]]) for line in dumped] == [
        ("images/attic_0001.png", [("QS", True)]),
        ("images/attic_0002.png", [("QS", False), ("QC", True)]),
        ("images/obind_0001.png", [("9D", False)]),
    ]
    assert json.loads(files["json"].read_text())["failed"] == ["images/attic_0002.png"]


OUTPUTS = {"sheet": ".jpg", "plot": ".png", "dump": ".jsonl", "json": ".json"}


def test_times_are_taken_of_each_reader_on_each_frame():
    reader = KnownReader({})
    frames = [np.full((720, 1280, 3), grey, np.uint8) for grey in (40, 50)]
    (timing,) = vision.time_frames({"known": reader}, frames)
    assert reader.read_greys == [40, *[40] * vision.LOOKS, *[50] * vision.LOOKS]
    assert (timing.reader, len(timing.wall), len(timing.processor)) == ("known", 2, 2)


def test_an_estimate_is_the_measured_time_times_the_ratio():
    table = vision.pi_table(vision.Timing("known", (12.0,), (10.0,)))
    assert [row[1:3] for row in table.rows] == [("3", "10.0 × = 30"), ("8 to 10", "10.0 × = 80 to 100")]


def test_memory_is_that_of_a_process_of_its_own(album):
    ballast = np.ones(60_000_000, np.uint8)  # the child must not count what its parent holds
    found = vision.memory([album / "images" / "attic_0001.png"], reader="template", models=None, as_frames=True)
    assert 10 < found["imported"] <= found["open"] <= found["read"]
    assert found["read"] < peak_mib()
    assert ballast.all()


@pytest.fixture
def restored_threads():
    before = cv2.getNumThreads()
    yield
    cv2.setNumThreads(before)


@pytest.fixture
def no_doubts(tmp_path, monkeypatch):
    file = tmp_path / "nothing-doubted.yaml"
    file.write_text("[]\n")
    monkeypatch.setattr(vision, "DOUBTED", file)
