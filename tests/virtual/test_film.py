"""Games of the virtual table as films, with the truth beside them."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablepi.cards import card
from tablepi.errors import BadInput
from tablepi.facts import Match
from tablepi.presets import rulebook
from tablepi.virtual.deck import STYLES
from tablepi.virtual.felt import Felt, Scene
from tablepi.virtual.film import frames_of, perform, write_film, write_truth
from tablepi.virtual.photograph import Photographer
from tablepi.virtual.players import Lay, Lift, Sweep, play_match
from tablepi.virtual.pose import Pose

SIZE = (320, 180)


@pytest.fixture(scope="module")
def photographer() -> Photographer:
    return Photographer(Pose.seeded(SIZE, 1), STYLES["jumbo"], seed=1)


def read(path: Path) -> list[np.ndarray]:
    film = cv2.VideoCapture(str(path))
    frames = []
    while (got := film.read())[0]:
        frames.append(got[1])
    film.release()
    return frames


def test_a_whole_hand_is_performed_in_its_order():
    match = Match(rules="hearts-cardems", players=("Rita", "Ada", "Bo", "Cleo"))
    acts = list(play_match(match, rulebook()[match.rules], hands=1, rng=random.Random(3)))
    seen = [act for act in acts if isinstance(act, Lay | Lift | Sweep)]
    felt = Felt(seed=3)
    end = perform(acts, felt, pace_s=0.5)
    told = felt.told
    assert [one.act for one in told] == [type(act).__name__.lower() for act in seen]
    assert [one.seat for one in told] == [act.winner if isinstance(act, Sweep) else act.seat for act in seen]
    assert [one.faces for one in told if one.act == "sweep"] == [
        tuple(laid for _, laid in act.cards) for act in seen if isinstance(act, Sweep)
    ]
    assert all(b.at == pytest.approx(a.settled + 0.5) for a, b in pairwise(told))
    assert felt.scene(end) == Scene()


@pytest.mark.parametrize("name", ["game.avi", "game.mp4"])
def test_a_film_can_be_played_and_shows_what_was_filmed(tmp_path, photographer, name):
    felt = Felt(seed=2)
    end = perform([Lay(1, 1, 0, card("QS")), Sweep(1, 1, ((0, card("QS")),), 2)], felt, begin=0.2, pace_s=0.2)
    frames = list(frames_of(felt, photographer, until=end, fps=10))
    assert len(frames) == pytest.approx(end * 10, abs=1)
    assert write_film(tmp_path / name, frames, fps=10) == len(frames)
    played = read(tmp_path / name)
    assert [frame.shape for frame in played] == [frame.shape for frame in frames]
    assert max(np.abs(a.astype(int) - b).mean() for a, b in zip(played, frames, strict=True)) < 8


def test_the_truth_of_a_film_is_a_line_for_each_act(tmp_path):
    felt = Felt(seed=2)
    perform([Lay(1, 1, 0, card("QS")), Lift(1, 1, 0, card("QS"))], felt, begin=1.0)
    write_truth(tmp_path / "truth.jsonl", felt.told)
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines == [told.line() for told in felt.told]
    assert [(line["time"], line["act"], line["seat"], line["card"]) for line in lines] == [
        (1.0, "lay", 0, "QS"),
        (round(felt.told[0].settled + 1.0, 3), "lift", 0, "QS"),
    ]


def test_a_film_that_cannot_be_written_says_why(tmp_path, photographer):
    frame = photographer.photograph(Scene(), 0)
    with pytest.raises(BadInput, match=r"game\.gif: a film's name ends in \.avi or \.mp4"):
        write_film(tmp_path / "game.gif", [frame])
    with pytest.raises(BadInput, match="cannot be written"):
        write_film(tmp_path / "nowhere" / "game.avi", [frame])
    with pytest.raises(BadInput, match="needs a frame"):
        write_film(tmp_path / "game.avi", [])
    with pytest.raises(BadInput, match="cannot be written: No such file"):
        write_truth(tmp_path / "nowhere" / "truth.jsonl", [])
