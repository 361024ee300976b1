"""The file of a recording: what is cut off, damaged, another's or too large; and a disk that fills up meanwhile."""

from __future__ import annotations

import gzip
import json
from contextlib import closing, suppress

import pytest

from tablepi.config import Config
from tablepi.errors import BadInput
from tablepi.recording.recorder import Recorder
from tablepi.recording.tape import Typed, line_of, load, said_of
from tablepi.views.screen import Command

from ..commands.test_full_disk import files_of
from ..replayed import replayed
from ..script import facts, held
from .live import PLAYERS, live, told

HEAD = {"recording": 1, "setup": {"players": list(PLAYERS), "chosen": "hearts-cardems", "options": [], "of": ""}}
TABLE = {"table": {"config": {"players": list(PLAYERS)}, "cards": {}, "gapless": False}}
SETUP = ":1: is damaged: setup is to say what the start screen offered: players, chosen, options, of"
READER = {"at": 0.1, "device": "reader-0", "as": "port"}
END = {"at": 2.0, "end": True}


def written(path, *lines, head=HEAD, table=TABLE):
    path.write_text("".join(json.dumps(line) + "\n" for line in (head, table, *lines)))
    return path


@pytest.fixture
def recorded(tmp_path):
    file = tmp_path / "a.rec"
    with live(file, Config(players=PLAYERS)) as table:
        table.tell(held() + "0:2C 1:3C 2:4C 3:5C")
    return file


@pytest.mark.parametrize("said", [*facts(held() + "0:2C"), Command("correct", "2"), Typed("q"), Typed(None)])
def test_what_people_say_goes_to_json_and_back(said):
    assert said_of(json.loads(json.dumps(line_of(said)))) == said


def test_a_recording_that_is_cut_off_anywhere_plays_up_to_there_and_says_so(recorded, tmp_path):
    whole = replayed(recorded)
    content, cut = recorded.read_bytes(), tmp_path / "cut.rec"
    ends, half = {}, 0
    for length in range(0, len(content), 3):
        cut.write_bytes(content[:length])
        with suppress(BadInput), load(cut) as recording:
            ends[len(recording.said)] = recording.cut
            half = length if len(recording.said) == 5 else half
    assert max(ends) == 7
    assert [ends[said] for said in range(7)] == [said + 3 for said in range(7)]  # the head, the table, then each
    cut.write_bytes(content[:half])
    assert told(replayed(cut, remarked=(f"{cut}:8: is cut off here: what came before played",))) == told(whole)[:5]


def test_lines_that_a_person_has_cut_out_are_a_recording_too(recorded, tmp_path):
    lines = gzip.decompress(recorded.read_bytes()).splitlines(keepends=True)
    short = tmp_path / "short.jsonl"
    short.write_bytes(b"".join(line for line in lines if b'"5C"' not in line))
    assert [entry.fact for entry in replayed(short).log] == [entry.fact for entry in replayed(recorded).log][:-1]


def test_a_half_line_at_the_end_of_plain_lines_is_where_it_is_cut_off(tmp_path):
    path = written(tmp_path / "a.jsonl", READER)
    with path.open("a") as file:
        file.write('{"at":1.0,"dev')
    with load(path) as recording:
        assert (recording.cut, recording.end, recording.kinds) == (4, 0.0, {"reader-0": "port"})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", ": is no recording: it is empty, or was cut off in its first line"),
        (b"players: [Rita]\n", ": is no recording: name a file that `run --record` made"),
        (b"[1, 2]\n", ": is no recording: name a file that `run --record` made"),
        (b'{"fact":"match"}\n', ": is no recording: name a file that `run --record` made"),
        (b'{"recording":2}\n', ": is a recording of version 2, this tablepi reads 1: update tablepi"),
        (b'{"recording":0}\n', ": is no recording: name a file that `run --record` made"),
        (b'{"recording":"2"}\n', ": is no recording: name a file that `run --record` made"),
        (b"[" * 100_000 + b"\n", ": is no recording: name a file that `run --record` made"),
        (b'{"recording":1}\n', ": was cut off before the table was there"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), ": is no recording: name a file that `run --record` made"),
    ],
)
def test_what_is_no_recording_is_said_in_one_line(here, tmp_path, content, why):
    path = tmp_path / "a.rec"
    path.write_bytes(content)
    said = here("run", "--headless", "--replay", path)
    assert (said.status, said.out, said.err) == (2, "", f"tablepi: {path}{why}\n")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"at": 1.0}, "nothing happens in it"),
        ({"device": "reader-0", "read": "00"}, "at is missing"),
        ({"at": "soon", "end": True}, 'at: "soon" is no number'),
        ({"at": True, "end": True}, "at: true is no number"),
        ({"at": 1.0, "read": "00"}, "device is missing"),
        ({"at": 1.0, "device": ["reader-0"], "read": "00"}, 'device: ["reader-0"] is no text'),
        ({"at": 1.0, "device": "reader-0", "read": "xyz"}, 'read: "xyz" is not written in hexadecimal digits'),
        ({"at": 1.0, "device": "reader-0", "wrote": 12}, "wrote: 12 is no text"),
        ({"at": 1.0, "device": "reader-9", "read": "00"}, 'device: "reader-9": no line before says how it is recorded'),
        ({"at": 1.0, "device": "reader-0", "as": "oracle"}, 'no such kind of device: "oracle"'),
        ({"at": 1.0, "device": 0, "as": "port"}, "device: 0 is no text"),
        ({"at": 1.0, "device": "reader-0", "frame": 1.0}, "jpeg is missing"),
        ({"at": 1.0, "device": "reader-0", "frame": 1.0, "jpeg": "?"}, 'jpeg: "?" is not written in base64'),
        ({"at": 1.0, "device": "reader-0", "frame": 1.0, "jpeg": "é"}, 'jpeg: "é" is not written in base64'),
        ({"at": 1.0, "device": "reader-0", "frame": 1.0, "jpeg": 5}, "jpeg: 5 is no text"),
        ({"at": 1.0, "device": "reader-0", "frame": "now", "jpeg": ""}, 'frame: "now" is no number'),
        ({"at": 1.0, "device": "reader-0", "frame": float("inf"), "jpeg": ""}, "frame: Infinity is no time"),
        ({"at": 1.0, "device": "reader-0", "told": 5}, "told: 5 is no object"),
        ({"at": 1.0, "device": "reader-0", "failed": "gone", "errno": [5]}, "errno: [5] is no number"),
        ({"at": 1.0, "device": "reader-0", "opened": True, "asked": None}, "asked: null is no number"),
        (
            {"at": 1.0, "put": {"fact": "play", "seat": 0, "card": "1X"}},
            "play: card: '1X' is not a card: write rank then suit, such as QS, TC or 10C",
        ),
        ({"at": 1.0, "put": "undo"}, 'put: "undo" is no object'),
        ({"at": 1.0, "pressed": {}}, "key is missing"),
        ({"at": 1.0, "pressed": {"key": 5}}, "key: 5 is no text"),
        ({"at": 1.0, "pressed": {"command": "correct"}}, "argument is missing"),
        ({"at": 1.0, "resumed": 3}, "resumed: 3 is no list"),
        ({"at": 1.0, "resumed": [3]}, "resumed: [3] is no list of facts"),
        ({"at": 1.0, "resumed": []}, "the game that was gone on with has no beginning"),
        ({"at": 1.0, "resumed": [{"fact": "tick"}]}, "the game that was gone on with has no beginning"),
        ({"at": float("inf"), "device": "reader-0", "opened": True}, "at: Infinity is no second of a recording"),
        ({"at": float("nan"), "device": "reader-0", "opened": True}, "at: NaN is no second of a recording"),
        ({"at": -1.0, "device": "reader-0", "opened": True}, "at: -1.0 is no second of a recording"),
        ({"at": 1e8, "device": "reader-0", "opened": True}, "at: 100000000.0 is no second of a recording"),
        ({"at": 10**400, "end": True}, f"at: {10**56}… is no second of a recording"),
        ({"at": 1.0, "end": True, "facts": float("inf")}, "facts: Infinity is no whole number"),
        ({"table": [TABLE]}, "table: [{"),
        (["at"], "it is no JSON object"),
        (7, "it is no JSON object"),
    ],
    ids=str,
)
def test_a_line_that_is_damaged_is_named_before_anything_plays(tmp_path, line, why):
    path = written(tmp_path / "a.jsonl", READER, line, END)
    with pytest.raises(BadInput) as error:
        load(path)
    said = str(error.value)
    assert said.startswith(f"{path}:4: is damaged: {why}")
    assert said.endswith(": delete the line to play the rest")


@pytest.mark.parametrize(
    "line", ["[" * 100_000, "{'at': 1.0}", '{"at": ' + "9" * 5000 + "}", "\0"], ids=lambda text: text[:9]
)
def test_a_line_that_is_no_json_is_damaged(tmp_path, line):
    path = written(tmp_path / "a.jsonl", READER)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(BadInput) as error:
        load(path)
    assert str(error.value) == f"{path}:4: is damaged: it is no JSON object: delete the line to play the rest"


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ({"language": 5}, ": is damaged: 5 is no language"),
        ({"faces": "é"}, ":1: is damaged: faces are not those of a deck: take them out of the line to play without"),
        ({"faces": 5}, ":1: is damaged: faces are not those of a deck: take them out of the line to play without"),
        ({"faces": "AAAA"}, ":1: is damaged: faces are not those of a deck: take them out of the line to play without"),
        ({"setup": None}, SETUP),
        ({"setup": {"players": []}}, SETUP),
        ({"setup": HEAD["setup"] | {"options": [7]}}, SETUP),
    ],
    ids=str,
)
def test_a_first_line_that_is_damaged_is_said_in_one_line(here, tmp_path, head, why):
    table = {"table": {**TABLE["table"], "config": {"players": list(PLAYERS), "faces": "mine"}}}
    path = written(tmp_path / "a.jsonl", END, head=HEAD | head, table=table)
    said = here("run", "--headless", "--replay", path)
    assert (said.status, said.out, said.err) == (2, "", f"tablepi: {path}{why}\n")


def test_what_came_in_the_moment_after_the_end_does_not_keep_a_replay_from_ending(tmp_path):
    late = {"at": 3.0, "device": "reader-0", "opened": True}
    with load(written(tmp_path / "a.jsonl", READER, END, late)) as recording:
        assert recording.end == 3.0


def test_bits_that_changed_are_damage_and_no_end(recorded):
    content = bytearray(recorded.read_bytes())
    content[len(content) // 2] ^= 0xFF
    recorded.write_bytes(content)
    with pytest.raises(BadInput, match=r"a\.rec(:\d+)?: is damaged") as error:
        load(recorded)
    assert "\n" not in str(error.value)


def test_a_recording_that_is_larger_than_any_is_refused(recorded, tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.recording.tape.LONGEST_LINE", 100)
    with pytest.raises(BadInput, match=r"a\.rec: is too large: a recording has at most 1e-07 GB"):
        load(recorded, most_bytes=100)
    with pytest.raises(BadInput, match=r"a\.rec:1: is too long to be a line of a recording"):
        load(recorded)


@pytest.mark.parametrize("name", ["none", ""])
def test_a_recording_that_is_not_there_is_named(here, tmp_path, name):
    said = here("run", "--headless", "--replay", tmp_path / name)
    told_of = f"tablepi: {tmp_path / name}: there is no such file: name a recording that `run --record` made\n"
    assert (said.status, said.err) == (2, told_of)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"config": {"dice": 2}}, "dice: is not a key here: known are players, rules, "),
        ({"config": {"camera": "x"}}, 'camera: "x": write a list, such as [a, b]'),
        ({"config": {"players": [1], "cursor": 2}}, "players[0]: 1: write a text; cursor: is not a key here: "),
        ({"config": 5}, "5: write keys with their values"),
        ({"config": None}, "null: write keys with their values"),
        ({}, "null: write keys with their values"),
        ({"config": {}, "cards": 5}, 'cards: write each tag with what it is in, such as {"04A1B2C3D4E580": "QS"}'),
        ({"config": {}, "commands": {"04A1B2C3": ["undo"]}}, "commands: write each tag with what it is in, such as "),
        (
            {"config": {}, "cards": {"04A1B2C3": "1X"}},
            "cards.1X: '1X' is not a card: write rank then suit, such as QS, TC or 10C",
        ),
    ],
    ids=str,
)
def test_the_table_of_another_tablepi_is_refused_in_one_line(tmp_path, told, why):
    path = written(tmp_path / "a.jsonl", END, table={"table": told | {"gapless": False}})
    with pytest.raises(BadInput) as error:
        replayed(path)
    said = str(error.value)
    assert said.startswith(f"{path}:2: its table is not one that this tablepi knows: {why}")
    assert "\n" not in said


def test_a_recording_is_never_written_over_another_file(tmp_path):
    (tmp_path / "a.rec").write_text("mine")
    with pytest.raises(BadInput, match=r"^--record .*a\.rec: is there already: name another file$"):
        Recorder(tmp_path / "a.rec", about={}).__enter__()
    assert (tmp_path / "a.rec").read_text() == "mine"
    with pytest.raises(BadInput, match=r"^--record .*b: cannot be written: No such file"):
        Recorder(tmp_path / "none" / "b", about={}).__enter__()


def test_a_disk_that_fills_up_ends_the_recording_with_what_was_whole_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.recording.recorder.FLUSHED_S", 0.0)
    file = tmp_path / "a.rec"
    with files_of(3_000), closing(facts_of_a_long_game()) as game:
        recorder = Recorder(file, about=HEAD)
        with recorder:
            recorder.table({"players": list(PLAYERS)}, {}, {}, gapless=False)
            put = recorder.put_by(lambda _: None)
            for fact in game:
                put(fact)
    assert recorder.trouble == f"{file}: File too large"
    with load(file) as recording:
        kept = len(recording.said)
        assert recording.cut is not None
    assert 10 < kept < 400


def facts_of_a_long_game():
    yield from facts(held())
    for n in range(400):
        yield from facts(f'{{"fact":"misdeal","reason":"{n * 7919}"}}')


def test_a_recording_that_is_as_large_as_may_be_ends_and_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.recording.recorder.FLUSHED_S", 0.0)
    file = tmp_path / "a.rec"
    recorder = Recorder(file, about=HEAD, most_bytes=1_000)
    with recorder:
        recorder.table({"players": list(PLAYERS)}, {}, {}, gapless=False)
        put = recorder.put_by(lambda _: None)
        for fact in facts_of_a_long_game():
            put(fact)
    assert recorder.trouble == f"{file}: 1e-06 GB"
    with load(file) as recording:
        assert 3 < len(recording.said) < 400
