"""``tablepi watch``: a filmed game comes out as the facts that it was made from."""

from __future__ import annotations

import json
import os
import select
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablepi.cards import card
from tablepi.virtual.felt import Felt
from tablepi.virtual.film import frames_of, perform, write_film, write_truth
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.players import Lay, Sweep
from tablepi.virtual.pose import Pose

from ..devices.test_rpicam import children_of
from .conftest import TABLEPI, environ, tablepi

TRICK = ((1, "2C"), (2, "QS"), (3, "6C"), (0, "TC"))
COARSE = (
    "the picture is coarse: a rank of 8 mm has 10 pixels, 16 are wanted: "
    "use a larger picture size, or hang the camera lower; a jumbo index (15 mm) is large enough"
)
"""What is said of a film of 1280 × 720 pixels."""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trick by four hands, and its sweep; the truth lies beside it."""
    path = tmp_path_factory.mktemp("film") / "trick.avi"
    felt, pose = Felt(4, seed=2), Pose.seeded((1280, 720), 2)
    laid = tuple((seat, card(name)) for seat, name in TRICK)
    acts = [Lay(1, 1, seat, what) for seat, what in laid] + [Sweep(1, 1, laid, winner=0)]
    end = perform(acts, felt, begin=0.5, pace_s=0.6)
    write_film(path, frames_of(felt, Photographer(pose, legible(pose)[0], seed=2), until=end))
    write_truth(path.with_suffix(".jsonl"), felt.told)
    return path


def test_a_filmed_trick_comes_out_as_it_was_played(film):
    said = tablepi("watch", film, "--json")
    assert (said.status, said.err) == (0, f"tablepi: {film}: {COARSE}\n")
    facts = [json.loads(line) for line in said.out.splitlines()]
    truth = [json.loads(line) for line in film.with_suffix(".jsonl").read_text().splitlines()]
    laid = [(line["seat"], line["card"]) for line in truth if line["act"] == "lay"]
    assert [(fact["seat"], fact["card"]) for fact in facts if fact["fact"] == "seen"] == laid == list(TRICK)
    assert {fact["card"] for fact in facts if fact["fact"] == "gone"} == {name for _, name in TRICK}
    assert facts[-1]["fact"] == "cleared"
    assert [fact["at"] for fact in facts] == sorted(fact["at"] for fact in facts)


def test_what_is_watched_can_be_refereed(film, tmp_path):
    game = tmp_path / "game.jsonl"
    begun = '{"fact":"match","rules":"hearts-cardems","players":["Rita","Ada","Bo","Cleo"]}\n'
    begun += '{"fact":"hand","dealer":0}\n'
    game.write_text(begun + tablepi("watch", film, "--json").out)
    said = tablepi("referee", game, "--json")
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert said.status == 0
    assert [(x["ruling"], x["seat"], x["card"]) for x in lines if "ruling" in x] == [
        ("legal", 1, "2C"),
        ("unproven", 2, "QS"),
        ("legal", 3, "6C"),
        ("legal", 0, "TC"),
    ]
    assert [(x["winner"], x["points"]) for x in lines if x.get("event") == "trick"] == [(0, 13)]


def test_people_read_which_seat_laid_what_in_their_language(film):
    said = tablepi("--lang", "pt", "watch", film)
    lines = said.out.splitlines()
    assert [line.split("  ")[1].rsplit(" ", 2)[0] for line in lines[:4]] == [
        "lugar 1 (E): 2♣",
        "lugar 2 (S): D♠",
        "lugar 3 (O): 6♣",
        "lugar 0 (N): 10♣",
    ]
    assert lines[4].endswith(" saiu da mesa")
    assert lines[-1].endswith("o pano está vazio")


def test_a_film_without_a_card_has_no_facts(tmp_path):
    path = tmp_path / "cloth.avi"
    rng = np.random.default_rng(1)
    cloth = rng.normal((60, 110, 40), 6, (240, 320, 3))
    write_film(path, (np.clip(cloth + rng.normal(0, 2, cloth.shape), 0, 255).astype(np.uint8) for _ in range(30)))
    said = tablepi("watch", path, "--json")
    assert (said.status, said.out) == (0, "")
    assert said.err == (
        f"tablepi: {path}: none of the markers 0 to 3 is seen: the whole picture is taken for the table\n"
        f"tablepi: {path}: 30 frames, and no card came to lie still in them\n"
    )


def pictures(film, folder, count):
    """A folder of *count* pictures of the film's first card."""
    folder.mkdir()
    capture = cv2.VideoCapture(str(film))
    for _ in range(18):  # the first card lies, the hand is away
        capture.grab()
    for number in range(count):
        _, frame = capture.read()
        cv2.imwrite(str(folder / f"{number}.jpg"), frame)
    capture.release()
    return folder


def test_a_card_on_three_pictures_of_a_folder_is_told(film, tmp_path):
    folder = pictures(film, tmp_path / "three", 3)
    said = tablepi("watch", folder, "--json")
    facts = [json.loads(line) for line in said.out.splitlines()]
    assert (said.status, said.err) == (0, f"tablepi: {folder}: {COARSE}\n")
    assert [(fact["fact"], fact["seat"], fact["card"]) for fact in facts] == [("seen", 1, "2C")]


@pytest.mark.parametrize(
    ("count", "told"),
    [(2, "2 frames, and no card came to lie still in them"), (1, "one frame, and no card came to lie still in it")],
)
def test_a_card_on_fewer_pictures_is_not_told_and_it_is_said_how_many_are_needed(film, tmp_path, count, told):
    folder = pictures(film, tmp_path / "few", count)
    said = tablepi("watch", folder, "--json")
    more = (
        "a card is told when three pictures in a row show it lying still: give more pictures of each, such as "
        "`ffmpeg -i film.mp4 -r 10 frames/f%04d.png` makes of a film"
    )
    assert (said.status, said.out) == (0, "")
    assert said.err == f"tablepi: {folder}: {COARSE}\ntablepi: {folder}: {told}: {more}\n"


@pytest.mark.parametrize(
    ("named", "status", "told"),
    [
        ("none.mp4", 2, "none.mp4: there is no such file"),
        ("0", 2, "/dev/v4l/by-id"),
        ("/dev/v4l/by-id/none", 3, "/dev/v4l/by-id/none"),
        ("text.mp4", 2, "text.mp4: is no picture and no video: "),
        ("two\nlines.mp4", 2, "two\\nlines.mp4: is empty"),
        ("empty\n", 2, "empty\\n: no picture in this folder"),
        ("/dev/two\nlines", 3, "/dev/two\\nlines: nothing is plugged in there"),
        ("photo.jpg", 2, "photo.jpg: is a picture and no video: name a video, or a folder of pictures"),
    ],
)
def test_what_cannot_be_watched_is_said_in_one_line_that_begins_with_its_name(
    named, status, told, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("text.mp4").write_text("not a film")
    Path("two\nlines.mp4").touch()
    Path("empty\n").mkdir()
    cv2.imwrite("photo.jpg", np.zeros((48, 64, 3), np.uint8))
    said = tablepi("watch", named)
    assert (said.status, said.out) == (status, "")
    assert told in said.err
    assert "camera: " not in said.err
    assert len(said.err.splitlines()) == 1


def test_of_a_film_that_is_cut_off_what_is_there_is_told_and_the_status_says_that_some_is_not(film, tmp_path):
    cut = tmp_path / "cut.avi"
    cut.write_bytes(film.read_bytes()[: 2 * film.stat().st_size // 3])
    said = tablepi("watch", cut, "--json")
    assert [json.loads(line)["card"] for line in said.out.splitlines()][:1] == ["2C"]
    assert (said.status, "is cut off: its last" in said.err) == (2, True)


def test_of_a_folder_with_a_picture_that_cannot_be_read_the_others_are_told_and_the_status_says_so(film, tmp_path):
    folder = pictures(film, tmp_path / "three", 3)
    (folder / "9.jpg").write_bytes((folder / "0.jpg").read_bytes()[:-500])
    said = tablepi("watch", folder, "--json")
    assert [json.loads(line)["card"] for line in said.out.splitlines()] == ["2C"]
    assert (said.status, "9.jpg: passed over: is cut off" in said.err) == (2, True)


def test_names_of_two_lines_are_told_on_one(film, tmp_path):
    config = tmp_path / "table.yaml"
    config.write_text('players: ["Ri\\nta", "A\\tda", "Bo\\Lb", "Cleo"]\n')
    named = tmp_path / "two\nlines.avi"
    named.symlink_to(film)
    said = tablepi("watch", named, "--config", config)
    assert (said.status, said.err.splitlines()) == (0, [f"tablepi: {tmp_path}/two\\nlines.avi: {COARSE}"])
    lines = said.out.splitlines()
    assert len(lines) == 9
    assert [line.split("  ")[1].rsplit(" ", 2)[0] for line in lines[:4]] == [
        "A\\tda: 2♣",
        "Bo\\u2028b: Q♠",
        "Cleo: 6♣",
        "Ri\\nta: 10♣",
    ]


def test_a_watch_that_is_ended_leaves_no_camera_running(tmp_path):
    (tmp_path / "rpicam-vid").symlink_to(Path(__file__).parents[1] / "devices" / "rpicam_vid.py")
    world = environ(PATH=f"{tmp_path}:{os.environ['PATH']}", RPICAM_VID="stop=3")
    with subprocess.Popen([*TABLEPI, "watch", "rpicam"], env=world, stderr=subprocess.PIPE) as watching:
        assert watching.stderr.readline().startswith(b"tablepi: rpicam:0: none of the markers")  # a frame was seen
        (child,) = children_of(watching.pid)
        gone = os.pidfd_open(child)
        watching.terminate()
    ended = select.select([gone], [], [], 10.0)[0]
    os.close(gone)
    assert ended, "rpicam-vid still runs"
