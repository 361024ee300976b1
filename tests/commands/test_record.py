"""``run --record`` and ``run --replay``: as a program, with real pseudo-terminals."""

from __future__ import annotations

import gzip
import json
import re
import signal
import threading
from typing import Any

import pytest

from tablepi.recording.recorder import Recorder, _Whole

from ..children import rest_of
from .conftest import tablepi
from .test_full_disk import files_of
from .test_live import VIRTUAL, started


def transcript(out: str) -> list[str]:
    return [line for line in out.splitlines() if re.match(r" *\d+  ", line)]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Any:
    """A recording of a table that was left with Ctrl-C, and what it printed."""
    folder = tmp_path_factory.mktemp("recorded")
    words = ("--store", str(folder / "store"), *VIRTUAL, "--record", str(folder / "a.rec"))
    with started(*words) as child:
        assert child.stdout is not None
        printed = [child.stdout.readline().decode() for _ in range(40)]
        child.send_signal(signal.SIGINT)
        out, err = rest_of(child, within_s=20)
    assert (child.returncode, err) == (130, b"")
    return folder / "a.rec", "".join(printed) + out.decode()


def test_a_recording_prints_the_same_transcript_again(recorded, here):
    file, printed = recorded
    said = here("run", "--headless", "--replay", file)
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == transcript(printed)
    assert len(said.out.splitlines()) >= 39


def test_a_recording_can_be_looked_at_in_a_window_at_another_speed_and_in_another_language(recorded, tmp_path):
    file, printed = recorded
    picture = tmp_path / "last.png"
    words = ("--lang", "pt-PT", "run", "--replay", file, "--speed", 100, "--picture", picture)
    said = tablepi(*words, SDL_VIDEODRIVER="dummy")
    assert (said.status, said.err) == (0, "")
    told, last = said.out.splitlines()[:-1], said.out.splitlines()[-1]
    assert len(told) == len(transcript(printed))
    assert told != transcript(printed)
    assert last == f"the final screen: {picture}"


def test_a_recording_says_what_is_in_it_in_plain_lines(recorded):
    file, _ = recorded
    head, table, *lines = map(json.loads, gzip.decompress(file.read_bytes()).splitlines())
    assert (head["recording"], head["language"], head["display"], head["files"]) == (1, "en", False, {})
    assert [reader["name"] for reader in table["table"]["config"]["readers"]] == [f"reader-{s}" for s in range(4)]
    assert len(table["table"]["cards"]) == 52
    assert [line["as"] for line in lines if "as" in line] == ["port"] * 4
    assert [line["put"]["fact"] for line in lines if "put" in line][:3] == ["match", "hand", "passed"]
    assert {len(bytes.fromhex(line["read"])) for line in lines if "read" in line} == {16}
    assert lines[-1].keys() == {"at", "end", "facts"}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--virtual",), "--virtual: a recording is played as it is: leave it out, or leave out --replay"),
        (("--new",), "--new: a recording is played as it is: leave it out, or leave out --replay"),
        (("--record", "b"), "--record: a recording is played as it is: leave it out, or leave out --replay"),
        (("--record-frames",), "--record-frames: a recording is played as it is: leave it out, or leave out --replay"),
        (("--rules", "spades"), "--rules: a recording is played as it is: leave it out, or leave out --replay"),
    ],
)
def test_a_recording_is_played_as_it_is(here, recorded, words, why):
    said = here("run", "--headless", "--replay", recorded[0], *words)
    assert (said.status, said.out, said.err) == (2, "", f"tablepi: {why}\n")


def test_frames_are_recorded_into_a_recording(here):
    said = here("run", "--headless", "--record-frames")
    assert (said.status, said.err) == (2, "tablepi: --record-frames: name the recording, too: --record FILE\n")


def test_a_recording_that_is_there_already_stays_and_no_table_begins(here, recorded):
    before = recorded[0].read_bytes()
    said = here("run", "--headless", "--record", recorded[0])
    assert (said.status, said.out) == (2, "")
    assert said.err == f"tablepi: --record {recorded[0]}: is there already: name another file\n"
    assert recorded[0].read_bytes() == before


@pytest.mark.parametrize(
    ("deck", "why"),
    [(None, ": there is no such file"), (b"cards: {} # \xff", ":1: is not a text in UTF-8: save it as UTF-8")],
)
def test_a_deck_that_cannot_be_used_is_said_before_anything_is_recorded(here, tmp_path, deck, why):
    (tmp_path / "table.yaml").write_text("deck: deck.yaml\n")
    if deck is not None:
        (tmp_path / "deck.yaml").write_bytes(deck)
    said = here("run", "--headless", "--record", tmp_path / "a.rec", "--config", tmp_path / "table.yaml")
    assert (said.status, said.out, said.err) == (2, "", f"tablepi: {tmp_path / 'deck.yaml'}{why}\n")
    assert not (tmp_path / "a.rec").exists()


def test_a_full_disk_ends_the_recording_with_one_notice_and_not_the_game(here, tmp_path, monkeypatch):
    file, notices = tmp_path / "a.rec", []
    monkeypatch.setattr("tablepi.recording.recorder.FLUSHED_S", 0.0)
    entered, taken_back, failed = Recorder.__enter__, _Whole.take_back, threading.Event()

    def on_a_small_disk(recorder: Recorder) -> Recorder:
        with files_of(0):
            opened = entered(recorder)
            assert failed.wait(10)
        return opened

    def noticed(out: _Whole) -> None:
        taken_back(out)
        failed.set()

    def stopped_after_three_turns(loop: Any) -> Any:
        turn = loop.turn

        def counted() -> None:
            loop.stop()  # which wakes it, too
            turn()
            notices.append(loop.notices)
            loop._stopping = len(notices) == 3

        monkeypatch.setattr(loop, "turn", counted)
        return threading.Event()

    monkeypatch.setattr(Recorder, "__enter__", on_a_small_disk)
    monkeypatch.setattr(_Whole, "take_back", noticed)
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_after_three_turns)
    said = here("--lang", "pt-BR", "run", "--headless", "--record", file)
    told = f"A gravação parou, o jogo continua: File too large ({file})"
    assert (said.status, said.err) == (0, f"tablepi: {told}\n")
    assert notices == [(f"not-recorded: {file}: File too large",)] * 3
    assert file.read_bytes() == b""
