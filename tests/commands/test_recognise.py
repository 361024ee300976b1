"""``recognise``: one line a picture or frame, in the contract's form; what cannot be read is told and the rest goes on.

The reader is a stand-in that finds what a test put there; how well cards are read is tested elsewhere.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tablepi.cards import Card, card
from tablepi.commands.recognise import Every, every_of, recognise
from tablepi.errors import BadInput
from tablepi.vision.drawing import SURE, UNSURE, Mark, marked

from ..children import rest_of
from .conftest import environ, tablepi

FELT = (40, 110, 30)


@dataclass(frozen=True, slots=True)
class Reading:
    """As the reader of tablepi.vision tells a card."""

    card: Card
    confidence: float
    box: tuple[int, int, int, int]


QUEEN = Reading(card("QS"), 0.98765, (10, 20, 50, 80))
TEN = Reading(card("TH"), 0.9, (60, 20, 100, 80))
MAYBE = Reading(card("5C"), 0.4, (110, 20, 150, 80))


class StandIn:
    """Finds the same cards on every frame that is not black, and keeps the sizes of the frames that it saw."""

    threshold = 0.8

    def __init__(self, *readings: Reading) -> None:
        self.readings = list(readings)
        self.saw: list[tuple[int, ...]] = []

    def read(self, frame: np.ndarray) -> list[Any]:
        self.saw.append(frame.shape)
        return self.readings if frame.any() else []


@dataclass(frozen=True)
class Told:
    status: int
    out: list[str]
    err: list[str]

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out]


def ask(
    *paths: Path | str, reader: StandIn | None = None, clock: Callable[[], float] | None = None, **how: Any
) -> Told:
    out, err = io.StringIO(), io.StringIO()
    asked = {"json": False, "all": False, "draw": None, "every": Every(), "language": "en"} | how
    ticks = iter(range(10**6))
    status = recognise(
        [str(path) for path in paths],
        **asked,
        out=out,
        err=err,
        reader=reader or StandIn(QUEEN, TEN, MAYBE),
        clock=clock or (lambda: next(ticks) * 0.0125),
    )
    return Told(status, out.getvalue().splitlines(), err.getvalue().splitlines())


def felt(path: Path, width: int = 160, height: int = 120, colour: tuple[int, int, int] = FELT) -> Path:
    assert cv2.imwrite(str(path), np.full((height, width, 3), colour, np.uint8))
    return path


def video(path: Path, frames: int = 20) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (160, 120))
    for number in range(frames):
        writer.write(np.full((120, 160, 3), 3 * number % 190 + 60, np.uint8))
    writer.release()
    return path


# --- lines -----------------------------------------------------------------------------------------------------------


def test_a_line_of_json_is_the_contracts(tmp_path):
    path = felt(tmp_path / "x.png")
    told = ask(path, json=True)
    assert told == Told(
        0,
        [
            f'{{"file":"{path}","width":160,"height":120,"ms":12.5,"cards":['
            '{"card":"QS","confidence":0.9877,"box":[10,20,50,80]},{"card":"TH","confidence":0.9,"box":[60,20,100,80]}]}'
        ],
        [],
    )


def test_cards_under_the_threshold_are_told_when_all_are_asked_for(tmp_path):
    path = felt(tmp_path / "x.png")
    assert [each["card"] for each in ask(path, json=True, all=True).lines[0]["cards"]] == ["QS", "TH", "5C"]
    assert ask(path).out == [f"{path}: Q♠ 98 %, 10♥ 90 %"]
    assert ask(path, all=True).out == [f"{path}: Q♠ 98 %, 10♥ 90 %; unsure: 5♣ 40 %"]
    assert ask(path, all=True, reader=StandIn(MAYBE)).out == [f"{path}: no card; unsure: 5♣ 40 %"]


def test_a_picture_without_a_card_is_no_error(tmp_path):
    path = felt(tmp_path / "x.png", colour=(0, 0, 0))
    assert ask(path) == Told(0, [f"{path}: no card"], [])
    assert ask(path, json=True).lines[0]["cards"] == []


def test_cards_are_named_in_the_tables_language(tmp_path):
    path = felt(tmp_path / "x.png")
    assert ask(path, language="pt-PT").out == [f"{path}: D♠ 98 %, 10♥ 90 %"]
    assert ask(path, language="pt-PT", all=True, reader=StandIn(MAYBE)).out == [
        f"{path}: nenhuma carta; duvidosas: 5♣ 40 %"
    ]
    film = video(tmp_path / "x.avi")
    every = Every(frames=15)
    assert ask(film, language="pt-BR", every=every, reader=StandIn()).out == [
        f"{film}, quadro 0, 0.00 s: nenhuma carta",
        f"{film}, quadro 15, 1.50 s: nenhuma carta",
    ]
    assert ask(path, language="pt-PT", json=True).lines[0]["cards"][0]["card"] == "QS"


def test_what_is_not_certain_is_not_called_so(tmp_path):
    path = felt(tmp_path / "x.png")
    sure = StandIn(Reading(QUEEN.card, 0.9996, QUEEN.box), Reading(TEN.card, 1.0, TEN.box))
    assert ask(path, reader=sure).out == [f"{path}: Q♠ 99 %, 10♥ 100 %"]


def test_a_line_comes_when_its_picture_is_read(tmp_path):
    """Each is flushed before the next one is looked at."""
    paths = [felt(tmp_path / f"{name}.png") for name in "abc"]
    out = io.TextIOWrapper(raw := io.BytesIO(), encoding="utf-8")

    class Watching(StandIn):
        def read(self, frame: np.ndarray) -> list[Any]:
            self.saw.append((raw.getvalue().count(b"\n"),))
            return []

    reader = Watching()
    how: dict[str, Any] = {"json": True, "all": False, "draw": None, "every": Every(), "language": "en"}
    assert recognise(map(str, paths), **how, out=out, err=io.StringIO(), reader=reader) == 0
    assert reader.saw == [(0,), (1,), (2,)]


def test_frames_of_a_video_carry_number_and_time(tmp_path):
    path = video(tmp_path / "x.avi")
    lines = ask(path, json=True, every=Every(frames=7)).lines
    assert [list(line) for line in lines] == [["file", "frame", "time", "width", "height", "ms", "cards"]] * 3
    assert [(line["frame"], line["time"]) for line in lines] == [(0, 0.0), (7, 0.7), (14, 1.4)]
    assert ask(path, every=Every(seconds=1.5)).out == [
        f"{path}, frame 0, 0.00 s: Q♠ 98 %, 10♥ 90 %",
        f"{path}, frame 15, 1.50 s: Q♠ 98 %, 10♥ 90 %",
    ]


def test_boxes_on_a_huge_picture_are_in_its_own_pixels(tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.pictures.decoding.MOST_PIXELS_KEPT", 160 * 120)
    reader = StandIn(QUEEN)
    (line,) = ask(felt(tmp_path / "x.jpg", 640, 480), json=True, reader=reader).lines
    assert reader.saw == [(120, 160, 3)]
    assert (line["width"], line["height"], line["cards"][0]["box"]) == (640, 480, [40, 80, 200, 320])


# --- what cannot be read ---------------------------------------------------------------------------------------------


def test_a_file_that_cannot_be_read_is_told_in_its_place_and_the_others_go_on(tmp_path):
    good, cut = felt(tmp_path / "a.jpg"), felt(tmp_path / "b.jpg")
    cut.write_bytes(cut.read_bytes()[:-20])
    told = ask(good, cut, good)
    assert told == Told(
        2,
        [f"{good}: Q♠ 98 %, 10♥ 90 %"] * 2,
        [f"tablepi: {cut}: is cut off: the end of the picture is missing; copy it again"],
    )
    answered = ask(tmp_path, tmp_path / "none", json=True)
    assert answered.status == 2
    assert [line.get("error", "read") for line in answered.lines] == [
        "read",
        "is cut off: the end of the picture is missing; copy it again",
        "there is no such file",
    ]
    assert [line["file"] for line in answered.lines] == [str(path) for path in (good, cut, tmp_path / "none")]
    assert list(answered.lines[1]) == ["file", "error"]
    assert len(answered.err) == 2


def test_a_video_with_a_broken_tail_gives_its_frames_and_one_error(tmp_path):
    path = video(tmp_path / "x.avi", 60)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 3 // 4])
    answered = ask(path, json=True)
    *frames, last = answered.lines
    assert [line["frame"] for line in frames] == list(range(len(frames)))
    assert 10 < len(frames) < 60
    assert last["error"].endswith(f" bytes are missing; {len(frames)} frames could be read")
    assert (answered.status, len(answered.err)) == (2, 1)


def test_what_a_folder_holds_besides_is_counted_for_people(tmp_path):
    path = felt(tmp_path / "x.png")
    (tmp_path / "notes.txt").write_text("words")
    assert ask(tmp_path).err == [f"{tmp_path}: 1 other file is neither picture nor video"]
    assert ask(tmp_path).out == [f"{path}: Q♠ 98 %, 10♥ 90 %"]
    (tmp_path / "more.txt").write_text("words")
    assert ask(tmp_path).err == [f"{tmp_path}: 2 other files are no pictures or videos"]
    assert ask(tmp_path, json=True).err == []


def test_a_name_with_a_newline_is_one_line(tmp_path):
    path = felt(tmp_path / "two\nlines.png")
    assert ask(path).out == [f"{tmp_path}/two\\nlines.png: Q♠ 98 %, 10♥ 90 %"]
    assert ask(path, json=True).lines[0]["file"] == str(path)
    assert ask(tmp_path / "no\nne").err == [f"tablepi: {tmp_path}/no\\nne: there is no such file"]


# --- copies ----------------------------------------------------------------------------------------------------------


def test_a_copy_shows_boxes_names_and_confidence_and_the_line_says_where(tmp_path):
    path, copies = felt(tmp_path / "x.png", 960, 720), tmp_path / "new" / "copies"
    assert ask(path, draw=copies).out == [f"{path}: Q♠ 98 %, 10♥ 90 % → {copies / 'x.jpg'}"]
    copy = cv2.imread(str(copies / "x.jpg")).astype(int)
    assert copy.shape == (720, 960, 3)
    edge = copy[40:78, 10].mean(axis=0)  # left side of the first box
    assert np.abs(edge - SURE).max() < 40
    assert np.abs(copy[500:, 500:] - FELT).max() < 12
    assert np.abs(copy[66:78, 112:148] - FELT).max() < 12  # the unsure card was not asked for


def test_a_copy_is_named_in_the_line_of_json(tmp_path):
    path = felt(tmp_path / "x.png")
    (line,) = ask(path, draw=tmp_path / "copies", json=True).lines
    assert list(line) == ["file", "width", "height", "ms", "cards", "drawn"]
    assert line["drawn"] == str(tmp_path / "copies" / "x.jpg")


def test_no_copy_is_written_over_a_source_or_another_copy(tmp_path):
    (tmp_path / "b").mkdir()
    sources = [felt(tmp_path / "x.jpg"), felt(tmp_path / "x.png"), felt(tmp_path / "b" / "x.jpg")]
    before = [path.read_bytes() for path in sources]
    told = ask(*sources, draw=tmp_path, json=True)
    assert [line["drawn"] for line in told.lines] == [str(tmp_path / f"x-{n}.jpg") for n in (2, 3, 4)]
    assert [path.read_bytes() for path in sources] == before
    assert len({*tmp_path.glob("x*.jpg")}) == 4


def test_copies_in_a_folder_that_is_read_are_not_read(tmp_path):
    felt(tmp_path / "x.png")
    for _ in range(2):
        told = ask(tmp_path, draw=tmp_path / "copies", json=True)
        assert [line["file"] for line in told.lines] == [str(tmp_path / "x.png")]
    assert sorted(path.name for path in (tmp_path / "copies").iterdir()) == ["x-2.jpg", "x.jpg"]


def test_each_frame_of_a_video_is_a_copy(tmp_path):
    ask(video(tmp_path / "x.avi"), draw=tmp_path / "copies", every=Every(frames=10))
    assert sorted(path.name for path in (tmp_path / "copies").iterdir()) == ["x-000000.jpg", "x-000010.jpg"]


def test_a_copy_of_a_long_name_and_of_a_picture_that_no_jpeg_can_hold(tmp_path):
    long = felt(tmp_path / ("♠" * 83 + ".png"))
    thin = felt(tmp_path / "thin.png", 70_000, 2)
    told = ask(long, thin, draw=tmp_path / "copies", json=True)
    assert told.status == 0
    assert Path(told.lines[0]["drawn"]).name == "♠" * 66 + ".jpg"
    assert cv2.imread(told.lines[1]["drawn"]).shape == (1, 16_000, 3)


@pytest.mark.parametrize("where", ["file", "file/in", "/proc/none"])
def test_a_folder_that_cannot_be_written_is_an_error_before_any_work(tmp_path, where):
    (tmp_path / "file").write_text("mine")
    reader = StandIn()
    with pytest.raises(BadInput) as raised:
        ask(felt(tmp_path / "x.png"), draw=tmp_path / where, reader=reader)
    assert str(raised.value).startswith(f"--draw {tmp_path / where}: ")
    assert reader.saw == []
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_goes_away_meanwhile_is_one_error(tmp_path):
    copies = tmp_path / "copies"

    class Mover(StandIn):
        def read(self, frame: np.ndarray) -> list[Any]:
            copies.rmdir()
            return []

    with pytest.raises(BadInput, match=r"x\.jpg: cannot be written: No such file or directory"):
        ask(felt(tmp_path / "x.png"), draw=copies, reader=Mover())


@pytest.mark.parametrize("size", [(1, 1), (30, 20), (160, 120), (1280, 720), (4000, 3000)])
def test_a_label_can_be_read_at_any_size(size):
    """Its letters are at least ten pixels tall, and not a large part of a large picture."""
    width, height = size
    frame = np.full((height, width, 3), 255, np.uint8)
    copy = marked(frame, [Mark((0, 0, width, height), "QS 98 %")])
    assert np.all(frame == 255)
    assert max(copy.shape[:2]) >= 450
    inked = np.flatnonzero((copy < 60).all(axis=2).any(axis=1))
    assert 10 <= np.ptp(inked) <= max(16, copy.shape[0] // 25)


def test_labels_stay_within_the_picture_and_off_each_other():
    frame = np.zeros((400, 600, 3), np.uint8)
    fan = [Mark((590, 0, 600, 40), text, text != "5C 40 %") for text in ("QS 98 %", "KS 97 %", "5C 40 %")]
    alone = [int((marked(frame, [mark]) == (SURE if mark.sure else UNSURE)).all(axis=2).sum()) for mark in fan]
    copy = marked(frame, fan)
    green, amber = (int((copy == colour).all(axis=2).sum()) for colour in (SURE, UNSURE))
    box = 10 * 40  # all three share it, and at most all of its line is hidden
    assert green > alone[0] + alone[1] - 2 * box > max(alone[:2])
    assert amber > alone[2] - box


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1", Every(frames=1)),
        ("250", Every(frames=250)),
        ("0.5s", Every(seconds=0.5)),
        ("2S", Every(seconds=2.0)),
        (" 3 ", Every(frames=3)),
    ],
)
def test_how_often_is_frames_or_seconds(text, told):
    assert every_of(text) == told


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "1.5", "s", "0s", "-2s", "nans", "infs", "1e9s", "²", "9" * 5000, "fast"]
)
def test_how_often_that_makes_no_sense(here, text):
    answer = here("recognise", "x", f"--every={text}")
    assert (answer.status, answer.out) == (2, "")
    assert "neither frames, such as 10, nor seconds, such as 0.5s" in answer.err


@pytest.mark.parametrize("words", [["recognise"], ["recognise", "--draw", "", "x"], ["recognise", "x", "--xml"]])
def test_words_that_the_command_does_not_understand(here, words):
    answer = here(*words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("usage: ")


def test_only_what_cannot_be_read_needs_no_reader(here, tmp_path):
    """The reader's models are loaded when there is something to read."""
    answer = here("recognise", "--json", tmp_path / "none.jpg", tmp_path)
    assert answer.status == 2
    assert [json.loads(line)["error"] for line in answer.out.splitlines()] == [
        "there is no such file",
        "no picture or video in this folder",
    ]
    assert answer.err == (
        f"tablepi: {tmp_path}/none.jpg: there is no such file\n"
        f"tablepi: {tmp_path}: no picture or video in this folder\n"
    )


# The command line as a program of its own, with a reader that sees one card everywhere.
PROGRAM = """
import sys, types
stand_in = types.ModuleType("tablepi.vision.reader")
class Reading:
    def __init__(self, card, confidence, box):
        self.card, self.confidence, self.box = card, confidence, box
class CardReader:
    threshold = 0.8
    def __init__(self, models=None, *, letters=None, faces=None):
        self.d = "Q" if letters is None else letters["D"]  # the rank that a D on a card means
    def read(self, frame):
        from tablepi.cards import card
        return [Reading(card(self.d + "S"), 0.9, (0, 0, 9, 9))]
stand_in.CardReader, stand_in.Reading, stand_in.Index = CardReader, Reading, object
sys.modules["tablepi.vision.reader"] = stand_in
from tablepi.cli import main
sys.exit(main())
"""


def begin(*words: object, **more: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, "recognise", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ(), **more)


def test_the_command_wires_its_options(tmp_path):
    path = video(tmp_path / "x.avi")
    with begin("--json", "--draw", tmp_path / "copies", "--every", "1.5s", path) as program:
        out, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (0, b"")
    assert [json.loads(line)["frame"] for line in out.splitlines()] == [0, 15]
    assert len(list((tmp_path / "copies").iterdir())) == 2
    with begin("--lang", "pt", path, "--every", "99") as program:
        assert program.communicate(timeout=60)[0].decode() == f"{path}, fotograma 0, 0.00 s: D♠ 90 %\n"
    config = tmp_path / "table.yaml"
    config.write_text("letters: DQV\n")  # a deck whose D is its king
    with begin(path, "--every", "99", "--config", config) as program:
        assert program.communicate(timeout=60)[0].decode() == f"{path}, frame 0, 0.00 s: K♠ 90 %\n"


def test_bad_files_print_nothing_but_our_own_words(tmp_path):
    for kind in ("png", "jpg", "bmp", "tif", "webp"):
        path = felt(tmp_path / f"x.{kind}")
        path.write_bytes(path.read_bytes()[:-30])
    path = video(tmp_path / "x.avi")
    path.write_bytes(path.read_bytes()[:-3000])
    (tmp_path / "x.mp4").write_bytes(bytes(4) + b"ftypisom" + bytes(range(256)) * 9)
    with begin(tmp_path, "--json") as program:
        out, err = program.communicate(timeout=60)
    assert program.returncode == 2
    assert len([line for line in out.splitlines() if b'"error"' in line]) == 7
    assert [line.startswith(b"tablepi: ") for line in err.splitlines()] == [True] * 7


def test_a_name_that_is_no_text_is_answered_in_json(tmp_path):
    path = felt(tmp_path / "x.png")
    path.rename(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.png"))
    with begin(tmp_path, "--json") as program:
        out, _ = program.communicate(timeout=60)
    assert program.returncode == 0
    assert json.loads(out)["file"] == f"{tmp_path}/\udcff.png"


def test_whoever_reads_us_may_go(tmp_path):
    with begin(video(tmp_path / "x.avi", 3000), "--json") as program:
        assert json.loads(program.stdout.readline())["frame"] == 0
        program.stdout.close()
        assert program.wait(60) == 0
        assert program.stderr.read() == b""


def test_an_interrupt_ends_it_at_once(tmp_path):
    with begin(video(tmp_path / "x.avi", 3000), "--json") as program:
        assert json.loads(program.stdout.readline())["frame"] == 0  # and it stops when the pipe is full
        program.send_signal(signal.SIGINT)
        out, err = rest_of(program, within_s=60)
    assert (program.returncode, err) == (130, b"")
    assert out.count(b"\n") < 2999


def test_closed_standard_error_is_no_hindrance(tmp_path):
    good, bad = felt(tmp_path / "a.png"), felt(tmp_path / "b.png")
    bad.write_bytes(bad.read_bytes()[:-30])
    command = 'exec "$@" 2>&-'
    words = [sys.executable, "-c", PROGRAM, "recognise", "--json", str(bad), str(good)]
    done = subprocess.run(["sh", "-c", command, "sh", *words], stdout=subprocess.PIPE, env=environ(), timeout=60)
    assert done.returncode == 2
    assert ["error" in json.loads(line) for line in done.stdout.splitlines()] == [True, False]


def test_the_program_itself_tells_a_missing_file():
    said = tablepi("recognise", "none.jpg")
    assert (said.status, said.out, said.err) == (2, "", "tablepi: none.jpg: there is no such file\n")
