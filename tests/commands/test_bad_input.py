"""Whatever a command is given: one clear message that names what is wrong, the contract's exit status, no traceback."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablepi.journal import Journal
from tablepi.vision.faces import Faces

from ..films import film
from ..script import RULEBOOK
from .conftest import TABLEPI, Said, environ, tablepi

MATCH = '{"fact":"match","rules":"hearts-cardems","players":["Rita","Ada","Bo","Cleo"]}\n'

FILES: dict[str, bytes] = {
    "empty": b"",
    "blank": b"\n \n\n",
    "binary": bytes(reversed(range(256))) * 20,
    "text": b"hello, world\n",
    "list.json": b"[1, 2]\n",
    "number.json": b"12\n",
    "deep.json": b"[" * 100_000 + b"\n",
    "nan.json": MATCH.encode() + b'{"fact":"tag","at":NaN,"seat":0,"card":"2C"}\n',
    "huge.json": MATCH.encode() + b'{"fact":"hand","dealer":' + b"9" * 5000 + b"}\n",
    "norules.jsonl": MATCH.replace("hearts-cardems", "bridge").encode(),
    "option.jsonl": b'{"fact":"match","rules":"hearts-cardems","players":["a","b","c","d"],"options":{"sauce":1}}\n',
    "two.jsonl": b'{"fact":"match","rules":"hearts-cardems","players":["a","b"]}\n',
    "seat.jsonl": MATCH.encode() + b'{"fact":"hand","dealer":6}\n',
    "twice.jsonl": (MATCH * 2).encode(),
    "falling.jsonl": MATCH.encode() + b'{"fact":"hand","at":5}\n{"fact":"passed","at":4}\n',
    "half.jsonl": MATCH.encode() + b'{"fact":"lost","device":"\\ud800"}\n',
    "key.yaml": b"players: [Rita, Ada, Bo, Cleo]\nrooles: hearts-cardems\n",
    "rules.yaml": b"rules: bridge\n",
    "two.yaml": b"players: [Rita, Ada]\n",
    "option.yaml": b"options: {sauce: 1}\n",
    "deck.yaml": b"deck: none.yaml\n",
    "port.yaml": b"readers:\n  - {name: a, port: /dev/x, seat: 0}\n  - {name: b, port: /dev/x, seat: 1}\n",
    "seat.yaml": b"readers:\n  - {name: a, port: /dev/x, seat: 4}\n",
    "size.yaml": b"display: {size: 9x9}\n",
    "language.yaml": b"language: fr\n",
    "tab.yaml": b"players:\n\t- Rita\n",
}


@pytest.fixture
def files(tmp_path) -> Path:
    folder = tmp_path / "files"
    (folder / "folder").mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    return folder


# What a person gave, and what the message must say of it.
NO_GAME = [
    ("none", ["there is no such file"]),
    ("folder", ["is a folder"]),
    ("a" * 300, ["File name too long"]),
    ("folder/none", ["there is no such file"]),
    ("text/none", ["text/none"]),
    ("empty", []),
    ("blank", []),
    ("binary", ["line 1", "UTF-8"]),
    ("text", ["line 1", "not JSON"]),
    ("list.json", ["line 1"]),
    ("number.json", ["line 1"]),
    ("deep.json", ["line 1"]),
    ("nan.json", ["line 2"]),
    ("huge.json", ["line 2"]),
    ("norules.jsonl", ["line 1", "'bridge'", "hearts-cardems"]),
    ("option.jsonl", ["line 1", "sauce"]),
    ("two.jsonl", ["line 1", "4 players, not 2"]),
    ("seat.jsonl", ["line 2", "seat 6 does not exist", "seats 0 to 3"]),
    ("twice.jsonl", ["line 2", "a second match"]),
    ("falling.jsonl", ["line 3", "4 comes after 5"]),
    ("half.jsonl", ["line 2", "half a character"]),
]


@pytest.mark.parametrize("command", [("referee",), ("import",), ("demo", "--headless", "--game")], ids=lambda c: c[0])
@pytest.mark.parametrize(("name", "said"), NO_GAME, ids=[name[:20] for name, _ in NO_GAME])
def test_a_file_that_holds_no_game(here, files, command, name, said):
    answer = here(*command, files / name)
    assert answer.status == 2
    assert len(answer.err.splitlines()) == 1
    assert [word for word in (str(files / name), *said) if word not in answer.err] == []
    if command[0] != "referee":
        assert answer.out == ""
        assert here("games", "--json").out == ""


NO_CONFIG = [
    ("none", ["there is no such file"]),
    ("folder", ["is a folder"]),
    ("empty", ["is empty", "players"]),
    ("binary", ["UTF-8"]),
    ("text", [":1: "]),
    ("key.yaml", [":2: rooles", "did you mean rules?"]),
    ("rules.yaml", ["rules: no rule set 'bridge'", "hearts-cardems"]),
    ("two.yaml", ["players: hearts-cardems is for 4 players, not 2"]),
    ("option.yaml", ["options", "sauce"]),
    ("port.yaml", [":3: readers[1].port", "/dev/x", "readers[0].port"]),
    ("seat.yaml", [":2: readers[0].seat: 4", "seats 0 to 3"]),
    ("size.yaml", [":1: display.size", "9x9", "320x200"]),
    ("language.yaml", [":1: language", "fr", "pt-PT"]),
    ("tab.yaml", [":2: ", "tab"]),
]


@pytest.mark.parametrize(("name", "said"), NO_CONFIG, ids=[name for name, _ in NO_CONFIG])
def test_a_configuration_that_cannot_be_used(here, files, name, said):
    answer = here("run", "--headless", "--config", files / name)
    assert (answer.status, answer.out) == (2, "")
    assert [word for word in (str(files / name), *said) if word not in answer.err] == []
    checked = here("config", "check", files / name)
    assert checked.status == (2 if name in ("none", "folder") else 1)
    assert [word for word in (str(files / name), *said) if word not in checked.out + checked.err] == []


def test_a_deck_that_is_not_there_is_to_be_taught(here, files):
    checked = here("config", "check", files / "deck.yaml")
    told = f"{files / 'none.yaml'}: no tag is known yet: teach them with `tablepi enrol tags --config FILE`"
    assert (checked.status, told in checked.out) == (1, True)


def test_a_configuration_is_complained_of_all_at_once_and_a_good_one_is_praised(here, tmp_path):
    table = tmp_path / "table.yaml"
    table.write_text("rooles: x\nlanguage: fr\ndisplay: {size: 9x9}\n")
    assert len(here("config", "check", table).out.splitlines()) == 3
    table.write_text("players: [Rita, Ada, Bo, Cleo]\n")
    assert here("config", "check", table).out == f"{table}: nothing to mend\n"


def test_a_source_that_shows_nothing_is_complained_of_before_a_table_waits_for_it(here, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "note.txt").write_text("no picture")
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "1.png").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    table, told = tmp_path / "table.yaml", []
    for source in ("pipe", "empty", "text", "pictures"):
        table.write_text(f"camera: {{source: {source}}}\n")
        said = here("config", "check", table)
        told.append((said.status, said.out.removeprefix(f"{table}:1: camera.source: ").split(": name")[0].rstrip()))
    assert told == [
        (1, f"{tmp_path}/pipe: shows nothing"),
        (1, f"{tmp_path}/empty: no picture in this folder"),
        (1, f"{tmp_path}/text: no picture in this folder"),
        (0, f"{table}: nothing to mend"),
    ]


def unseen(folder: Path) -> dict[str, str]:
    """Sources in *folder* that can never show a game, and what is said of them."""
    whole = film(folder / "whole.avi").read_bytes()
    (folder / "cut.avi").write_bytes(whole[:3000])
    film(folder / "none.avi", 0)
    cv2.imwrite(str(folder / "table.png"), np.zeros((9, 9, 3), np.uint8))
    return {
        "table.png": "is a picture and no video: name a video, or a folder of pictures",
        "cut.avi": f"is cut off: its last {len(whole) - 3000} bytes are missing; no frame could be read",
        "none.avi": "holds no frame that can be read: it is damaged, cut off or has no picture",
        "pipe": "shows nothing: name a film, a folder of pictures, a USB camera (/dev/v4l/by-id/…) or rpicam, the "
        "Raspberry Pi's own camera",
    }


def test_a_source_that_can_never_show_a_game_is_refused_before_the_store_is_touched(here, tmp_path):
    table, wanted, told = tmp_path / "table.yaml", [], []
    os.mkfifo(tmp_path / "pipe")
    for source, why in unseen(tmp_path).items():
        table.write_text(f"players: [A, B, C, D]\ncamera:\n  - {{source: rpicam}}\n  - {{source: {source}}}\n")
        told.append((here("config", "check", table), here("run", "--headless", "--config", table)))
        line = f"{table}:4: camera[1].source: {tmp_path}/{source}: {why}\n"
        wanted.append((Said(1, line, ""), Said(2, "", f"tablepi: {line}")))
    assert told == wanted
    assert not (tmp_path / "store").exists()


def test_faces_that_are_not_there_are_told_before_a_game_is_begun(here, tmp_path):
    table = tmp_path / "table.yaml"
    table.write_text("camera: {source: rpicam}\nfaces: ./none.faces.npz\n")
    told = f"tablepi: {table}:2: faces: {tmp_path}/none.faces.npz: there are no faces: enrol the deck first"
    assert here("run", "--headless", "--config", table) == Said(2, "", f"{told} (tablepi enrol faces)\n")
    assert not (tmp_path / "store").exists()


def test_a_device_that_is_not_plugged_in_is_noted_and_spoils_nothing(here, tmp_path):
    table = tmp_path / "table.yaml"
    table.write_text("camera: {source: /dev/none/camera}\n")
    told = (
        f"{table}:1: camera.source: /dev/none/camera is not there now: is it plugged in? `ls /dev/none` shows what is"
    )
    assert here("config", "check", table) == Said(0, f"{told} (a note, no complaint)\n{table}: nothing to mend\n", "")


def test_a_path_of_the_readme_is_told_before_a_table_waits_for_it(here, tmp_path):
    table = tmp_path / "table.yaml"
    table.write_text("camera: {source: /dev/v4l/by-id/usb-…}\n")
    for command in (("config", "check"), ("run", "--headless", "--config")):
        said = here(*command, table)
        assert said.status == (1 if command[0] == "config" else 2)
        told = f'{table}:1: camera.source: "/dev/v4l/by-id/usb-…" stands for a path of yours: write one that `ls '
        assert told in said.out + said.err


def test_faces_that_were_never_learned_are_complained_of_with_all_the_rest(here, tmp_path):
    table = tmp_path / "table.yaml"
    table.write_text("rooles: x\nfaces: grandmother\n")
    said = here("config", "check", table)
    file = tmp_path / "store" / "faces" / "grandmother.faces.npz"
    remedy = "`tablepi enrol faces PHOTOS --deck grandmother`"
    told = f"{table}:2: faces: there is no {file}: enrol the deck first: {remedy}"
    assert (said.status, said.out.splitlines()[1]) == (1, told)
    Faces("").save(file)
    assert (
        here("config", "check", table).out.splitlines()[1]
        == f"{table}:2: faces: nothing is learned in {file}: {remedy}"
    )
    file.write_bytes(b"looks")
    assert "is damaged, or holds no enrolled faces" in here("config", "check", table).out.splitlines()[1]


def test_faces_that_are_damaged_are_told_alike_by_every_command(here, tmp_path):
    file, table = tmp_path / "mine.faces.npz", tmp_path / "table.yaml"
    table.write_text(f"faces: {file}\n")
    with zipfile.ZipFile(file, "w") as entries:
        entries.writestr("version.npy", b"\x93NUMPY\x01\x00\x20\x00" + b"{'descr': '<i8', 'shape': (".ljust(32))
    told = f"{file}: is damaged, or holds no enrolled faces: delete it and enrol the deck again\n"
    checked = here("config", "check", table)
    assert (checked.status, checked.out) == (1, f"{table}:1: faces: {told}")
    for words in (("enrol", "forget", file, "QS"), ("enrol", "list", file), ("recognise", "x.png", "--faces", file)):
        said = here(*words)
        assert (said.status, said.out, said.err) == (2, "", f"tablepi: {told}")


def test_what_is_wrong_with_the_match_is_told_with_its_line_and_what_may_be_meant_besides_all_the_rest(here, tmp_path):
    table = tmp_path / "table.yaml"

    def told(text: str) -> list[str]:
        table.write_text(text)
        said = here("config", "check", table)
        assert said.status == 1
        return [line.removeprefix(str(table)) for line in said.out.splitlines()]

    assert told("players: [A, B, C, D]\nlanguage: fr\nrules: hearts-clasic\n") == [
        ":2: language: \"fr\": write 'en', 'pt-PT', 'pt-BR' or 'pt'",
        ":3: rules: no rule set 'hearts-clasic': did you mean hearts-classic?",
    ]
    assert told("rules: hearts-cardems\noptions:\n  targt: 50\n") == [
        ":3: options.targt: no such switch: did you mean target?"
    ]
    (wrong,) = told("rules: hearts-cardems\nplayers: [A, B, C]\n")
    assert wrong.startswith(":2: players: hearts-cardems is for 4 players, not 3: rule sets for 3 are hearts-")
    assert told("rules: ./mine.yaml\n") == [f":1: rules: {tmp_path}/mine.yaml: there is no such file"]
    run = here("run", "--headless", "--config", table)
    assert (run.status, run.err) == (2, f"tablepi: {table}:1: rules: {tmp_path}/mine.yaml: there is no such file\n")


def test_a_name_that_no_file_can_have_is_a_complaint_and_no_traceback(here, tmp_path):
    table = tmp_path / "table.yaml"
    table.write_text('camera: {source: "a\\0b"}\nfaces: "a\\0b"\ndeck: "a\\0b"\n')
    assert here("run", "--headless", "--config", table).status == 2
    said = here("config", "check", table)
    assert (said.status, [line.split(": ")[1] for line in said.out.splitlines()[:3]]) == (
        1,
        ["camera.source", "faces", "deck"],
    )


USAGE = [
    [],
    ["none-such"],
    ["run", "--speed", "fast"],
    ["run", "--speed", "0"],
    ["run", "--speed", "-1"],
    ["run", "--speed", "nan"],
    ["run", "--speed", "inf"],
    ["run", "--size", "big"],
    ["run", "--size", "1x1"],
    ["run", "--size", "9" * 5000 + "x600"],
    ["run", "extra"],
    ["demo", "--hands", "0"],
    ["demo", "--hands", "-1"],
    ["demo", "--hands", "1.5"],
    ["demo", "--hands", "9" * 5000],
    ["demo", "--hands", "²"],
    ["demo", "--players", "1"],
    ["demo", "--players", "8"],
    ["demo", "--players", "3"],
    ["demo", "--seed", "x"],
    ["demo", "--seed", "-5"],
    ["demo", "--rules", "bridge"],
    ["demo", "--sources", "smell"],
    ["referee"],
    ["referee", "-", "--xml"],
    ["rules", "none-such"],
    ["rules", "show", "bridge"],
    ["show"],
    ["show", "last"],
    ["show", "2026-01-01-1"],
    ["show", "last", "--at", "0"],
    ["show", "last", "--at", "-3"],
    ["show", "last", "--at", "10000000000"],
    ["export", "last"],
    ["export", "../../etc/passwd"],
    ["export", "last", "--format", "xml"],
    ["import"],
    ["check"],
    ["check", "last"],
    ["review", "last", "--headless"],
    ["config"],
    ["config", "check"],
    ["config", "mend", "x"],
    ["--lang", "fr", "games"],
    ["--store", "", "games"],
    ["--store", "a\nb", "games"],
    ["referee", "a\nb"],
    ["import", "a\nb"],
    ["config", "check", "a\tb"],
    ["calibrate", "sheet", "-o", "a\nb.pdf"],
    ["enrol", "list", "a\nb"],
    ["demo", "--truth", "a\rb"],
]


@pytest.mark.parametrize("words", USAGE, ids=lambda words: " ".join(words)[:40] or "nothing")
def test_words_that_no_command_understands(here, words):
    answer = here(*words)
    assert (answer.status, answer.out) == (2, "")
    *usage, last = answer.err.splitlines()
    assert last.startswith("tablepi")
    assert len(last) < 500 or "9999" in last
    assert usage == [] or usage[0].startswith("usage: ")
    assert "object at 0x" not in answer.err


def test_a_fact_that_the_game_does_not_have(here, played):
    answer = here("--store", played.store, "show", "last", "--json", "--at", 10**9)
    facts = len(played.export.read_text().splitlines())
    assert answer.status == 2
    assert answer.err.endswith(f": there is no fact {10**9}: it has {facts}\n")


STORED = [
    ("games",),
    ("show", "last"),
    ("export", "last"),
    ("check", "--all"),
    ("review", "last", "--headless"),
    ("import",),
    ("demo", "--headless"),
    ("run", "--headless"),
]


@pytest.mark.parametrize("command", STORED, ids=lambda command: command[0])
def test_a_store_that_is_a_file_or_cannot_be_made(here, files, played, command):
    words = (*command, played.export) if command[0] == "import" else command
    answer = here("--store", files / "text", *words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == (
        f"tablepi: {files / 'text'} (--store): a file is in the way: name a folder, such as --store ~/tablepi\n"
    )
    answer = here("--store", "/proc/none", *words)
    assert (answer.status, answer.out) == (3, "")
    assert answer.err.startswith("tablepi: /proc/none (--store): ")
    assert len(answer.err.splitlines()) == 1


@pytest.mark.parametrize("command", STORED[:5], ids=lambda command: command[0])
def test_a_store_of_another_program(here, tmp_path, command):
    (tmp_path / "other").mkdir()
    with sqlite3.connect(tmp_path / "other" / "games.sqlite") as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    answer = here("--store", tmp_path / "other", *command)
    assert (answer.status, answer.out) == (2, "")
    assert "belongs to another program" in answer.err


@pytest.mark.parametrize("where", ["folder", "none/file", "text/file", "/proc/none"])
@pytest.mark.parametrize("option", ["-o", "--truth", "--picture", "review --picture"])
def test_a_file_that_cannot_be_written(here, files, played, option, where):
    command = {
        "-o": ("export", "last", "-o"),
        "--truth": ("demo", "--headless", "--truth"),
        "--picture": ("demo", "--headless", "--picture"),
        "review --picture": ("review", "last", "--headless", "--picture"),
    }[option]
    path = files / where
    store = ("--store", played.store) if command[0] != "demo" else ()
    answer = here(*store, *command, path)
    assert answer.status == 2
    assert str(path) in answer.err
    assert len(answer.err.splitlines()) == 1
    if command[0] == "demo":
        assert answer.out == ""  # before the game, not after it
    assert sorted(path.name for path in files.iterdir()) == sorted([*FILES, "folder"])


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("none-such 2>/dev/full", 2),
        ("import none 2>/dev/full", 2),
        ("recognise none 2>/dev/full", 2),
        ("recognise none 2> >(true)", 2),
        ("rules >/dev/full 2>/dev/full", 3),
    ],
)
def test_a_complaint_that_cannot_be_told_changes_nothing_of_how_a_command_ends(command, status):
    words = ["/bin/bash", "-c", f"exec {shlex.join(TABLEPI)} {command}"]
    done = subprocess.run(words, capture_output=True, env=environ(), timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", b"")


INSTALLED = (sys.executable, "-c", "import sys; from tablepi.__main__ import main; sys.exit(main())")


@pytest.mark.parametrize("program", [TABLEPI, INSTALLED], ids=["module", "script"])
def test_an_interruption_before_anything_has_begun_is_no_traceback(tmp_path, program):
    (tmp_path / "argparse.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")  # imported early
    path = os.pathsep.join((str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])))
    done = subprocess.run([*program, "rules"], capture_output=True, env=environ(PYTHONPATH=path), timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize("option", ["--truth", "--picture"])
def test_the_game_that_is_played_is_not_written_over(here, files, option):
    game, link = files / "twice.jsonl", files / "link"
    link.symlink_to(game)
    told = f"tablepi: {option} {link}: is the game that is played: name another file\n"
    assert here("demo", "--headless", "--game", game, option, link) == Said(2, "", told)
    assert game.read_bytes() == FILES["twice.jsonl"]


def test_a_disk_that_fills_up_under_the_truth(here, tmp_path):
    answer = here("demo", "--headless", "--sources", "readers", "--hands", 1, "--truth", "/dev/full")
    assert answer.status == 2
    assert answer.err == (
        "tablepi: --truth /dev/full: cannot be written: No space left on device: name a file in a folder of yours\n"
    )


def test_rules_are_listed_and_shown(here):
    listed = here("rules")
    assert [line.split()[0] for line in listed.out.splitlines()] == sorted(RULEBOOK)
    shown = here("rules", "show", "hearts-classic")
    assert (shown.status, shown.err) == (0, "")
    assert "players: [3, 4, 5, 6]\n    # how many can play\n" in shown.out
    assert "\n    R003 003_4cd40873b18f167f.txt:7 «treze cartas a cada um" in shown.out


def test_nothing_is_written_where_nothing_was_played(here, tmp_path):
    here("games")
    assert list((tmp_path / "store").iterdir()) == []


def test_a_game_with_strange_names_goes_through_every_command(here, tmp_path):
    names = ["Zoë\u2028", "{name}", "'; DROP TABLE games; --", "لَيْلَى"]
    game = tmp_path / "game.jsonl"
    said = [{"fact": "match", "rules": "hearts-cardems", "players": names}, {"fact": "hand", "dealer": 0}]
    said += [{"fact": "passed"}, {"fact": "play", "seat": 0, "card": "2C"}, {"fact": "play", "seat": 3, "card": "3H"}]
    game.write_text("".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in said))
    assert here("import", game).status == 0
    for command in (("games",), ("show", "last"), ("check", "--all"), ("review", "last", "--headless")):
        answer = here(*command)
        assert (answer.status, answer.err) == (0, "")
    assert here("export", "last").out == game.read_text()
    assert here("review", "last", "--headless", "--picture", tmp_path / "x.png").status == 0


def test_no_command_of_a_plain_program_leaves_a_traceback(files, tmp_path):
    """As a program of its own, since an error here would be the test's: the commands that take files and stores."""
    tab, binary, deep = files / "tab.yaml", files / "binary", files / "deep.json"
    for words in (("referee", deep), ("import", binary), ("config", "check", tab), ("run", "--config", tab)):
        said = tablepi("--store", tmp_path / "store", *words)
        assert said.status in (1, 2)
        assert "Traceback" not in said.err


def test_a_journal_that_is_empty_has_no_last_game(here, tmp_path):
    with Journal(tmp_path):
        pass
    answer = here("--store", tmp_path, "show", "last")
    assert (answer.status, answer.out) == (2, "")
    assert str(tmp_path) in answer.err
