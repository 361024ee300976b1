"""``referee``: facts in, rulings out, line by line."""

from __future__ import annotations

import dataclasses
import json
import queue
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablepi.commands.parts import setup
from tablepi.commands.rules import as_told
from tablepi.commands.sources import LONGEST_LINE
from tablepi.config import Config
from tablepi.facts import KINDS, Fact, Match, parse
from tablepi.views.desk import new_match

from ..core.contract_lines import complaint_about
from .conftest import TABLEPI, Said, environ, tablepi

MATCH = '{"fact":"match","rules":"hearts-cardems","players":["Rita","Ada","Bo","Cleo"]}\n'
HELD = MATCH + '{"fact":"hand","dealer":0}\n{"fact":"passed"}\n'
OPENED = HELD + '{"fact":"play","seat":0,"card":"2C"}\n'


@contextmanager
def streaming(*options: str) -> Iterator[tuple[Any, queue.Queue[str]]]:
    """A referee at the other end of two pipes, and the lines that it has said."""
    said: queue.Queue[str] = queue.Queue()
    child = subprocess.Popen(
        [*TABLEPI, "referee", "-", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ()
    )
    with child:
        assert child.stdin is not None
        assert child.stdout is not None
        out = child.stdout

        def listen() -> None:
            for line in out:
                said.put(line.decode())

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            yield child, said
        finally:
            if not child.stdin.closed:
                child.stdin.close()
            child.wait(20)
            listener.join(20)


def test_each_line_is_answered_before_the_next_one_is_sent(played, here):
    shown = [json.loads(line) for line in here("--store", played.store, "show", "last", "--json").out.splitlines()]
    with streaming("--json") as (child, said):
        for line in shown:
            child.stdin.write(json.dumps(line["fact"]).encode() + b"\n")
            child.stdin.flush()
            assert [json.loads(said.get(timeout=20)) for _ in line["answers"]] == line["answers"]
    assert said.empty()
    assert child.returncode == 0


def test_an_interrupted_referee_ends_with_130_and_no_traceback():
    with streaming() as (child, said):
        child.stdin.write(OPENED.encode())
        child.stdin.flush()
        while "2♣" not in said.get(timeout=20):
            pass
        child.send_signal(signal.SIGINT)
        assert child.wait(20) == 130


def test_the_answers_are_in_the_form_and_order_of_the_contract(played, here):
    told = [json.loads(line) for line in here("referee", played.export, "--json").out.splitlines()]
    assert [complaint for line in told if (complaint := complaint_about(line)) is not None] == []
    assert {line["ruling"] for line in told if "ruling" in line} >= {
        "legal",
        "unproven",
        "breach",
        "proved",
        "confirmed",
    }


def test_it_speaks_to_people_without_json(here, tmp_path):
    game = tmp_path / "game.jsonl"
    game.write_text(OPENED)
    said = here("referee", game)
    assert said.status == 0
    assert "    4  Rita plays 2♣.\n" in said.out
    assert "    4  Rita joga 2♣.\n" in here("referee", game, "--lang", "pt").out


def test_a_line_that_is_no_fact_is_answered_with_an_error_and_ends_it(here, tmp_path):
    game = tmp_path / "game.jsonl"
    game.write_text(HELD + '\n{"fact":"play","seat":0,"card":"2X"}\n{"fact":"play","seat":0,"card":"2C"}\n')
    said = here("referee", game, "--json")
    assert said.status == 2
    last = json.loads(said.out.splitlines()[-1])
    assert (set(last), last["line"]) == ({"error", "line"}, 5)
    assert said.err == f"{game}: line 5: {last['error']}\n"
    assert "'2X'" in last["error"]


def test_lenient_skips_and_counts_lines_and_keeps_their_numbers(here, tmp_path):
    game = tmp_path / "game.jsonl"
    long = b'{"fact":"lost","device":"' + b"x" * (2 * LONGEST_LINE) + b'"}\n'
    game.write_bytes(b"hello\n" + HELD.encode() + long + b"\xff\xfe\n\n" + b'{"fact":"play","seat":0,"card":"2C"}\n')
    said = here("referee", game, "--json", "--lenient")
    told = [json.loads(line) for line in said.out.splitlines()]
    assert said.status == 0
    assert [line["line"] for line in told if "error" in line] == [1, 5, 6]
    assert [(line["ruling"], line["n"]) for line in told if "ruling" in line] == [("legal", 8)]
    assert said.err.splitlines()[-1] == f"{game}: 3 lines skipped"


def test_a_game_may_come_with_a_byte_order_mark_and_windows_line_ends(here, tmp_path):
    game = tmp_path / "game.jsonl"
    game.write_bytes(b"\xef\xbb\xbf" + OPENED.replace("\n", "\r\n").encode())
    assert here("referee", game).status == 0


def test_breaches_are_no_failure_of_the_command(here, tmp_path):
    game = tmp_path / "game.jsonl"
    game.write_text(HELD + '{"fact":"play","seat":1,"card":"3H"}\n')
    said = here("referee", game, "--json")
    assert (said.status, said.err) == (0, "")
    assert [line["ruling"] for line in map(json.loads, said.out.splitlines()) if "ruling" in line] == ["breach"]


# --- rules in a file --------------------------------------------------------------------------------------------------

OVER = '{"fact":"hand","dealer":0}\n{"fact":"end-hand","points":{"0":26,"1":-10}}\n'


@pytest.fixture
def friday(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "friday.yaml"
    path.write_text("base: hearts-classic\ntarget: 26\nvalues: {JD: -10}\n")
    return path


@pytest.mark.parametrize("named", ["friday.yaml", "./friday.yaml", "{}/friday.yaml"])
def test_a_match_may_name_a_file_and_is_the_one_that_says_all_of_it(here, friday, named):
    game, whole = friday.parent / "game.jsonl", friday.parent / "whole.jsonl"
    game.write_text(MATCH.replace("hearts-cardems", named.format(friday.parent)) + OVER)
    options = {"base": "hearts-classic", "target": 26, "values": {"JD": -10}}
    whole.write_text(
        json.dumps({"fact": "match", "rules": "friday", "players": ["Rita", "Ada", "Bo", "Cleo"], "options": options})
        + "\n"
        + OVER
    )
    told = here("referee", game, "--json")
    assert told == here("referee", whole, "--json")
    assert json.loads(told.out.splitlines()[-1])["totals"] == {"0": 0, "1": 16, "2": 26, "3": 26}


def test_a_match_that_names_a_file_is_that_of_the_demonstration(friday):
    begun = Match(rules="friday.yaml", players=("Rita", "Ada", "Bo", "Cleo"), options={"target": 60})
    config = Config(players=begun.players, rules="friday.yaml", options={"target": 60})
    assert dataclasses.replace(as_told(begun), source="person") == new_match(setup(config))


def test_a_rule_set_that_is_called_like_a_file_is_no_file(here, friday):
    friday.write_text("no: rule set\n")
    options = '"options":{"base":"hearts-classic"},'
    game = friday.parent / "game.jsonl"
    game.write_text(MATCH.replace("hearts-cardems", "friday.yaml").replace('"players"', options + '"players"'))
    assert here("referee", game).status == 0


def test_what_is_wrong_in_the_file_is_told_with_its_lines(here, friday):
    friday.write_text("base: hearts-classic\ntarget: 0\nsun: hot\n")
    game = friday.parent / "game.jsonl"
    game.write_text(MATCH.replace("hearts-cardems", "friday.yaml"))
    complaints = (
        "rules: friday.yaml:2: target: 0 is not a whole number from 1 to 10000\n"
        "friday.yaml:3: sun: 'hot': write moon or double"
    )
    assert here("referee", game) == Said(2, "", f"{game}: line 1: {complaints}\n")
    said = here("referee", game, "--json")
    assert (said.status, json.loads(said.out)) == (2, {"error": complaints, "line": 1})


def test_a_file_of_rules_that_is_not_there_is_named(here, friday):
    game = friday.parent / "game.jsonl"
    game.write_text(MATCH.replace("hearts-cardems", "monday.yml"))
    assert here("referee", game) == Said(2, "", f"{game}: line 1: rules: monday.yml: there is no such file\n")


@pytest.mark.parametrize("named", ["/etc/passwd", "friday", "friday.yaml\\u0000.yaml"])
def test_only_a_yaml_file_is_looked_for(here, friday, named):
    game = friday.parent / "game.jsonl"
    game.write_text(MATCH.replace("hearts-cardems", named))
    said = here("referee", game)
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"{game}: line 1: match: rules: no rule set ")


# --- whoever listens --------------------------------------------------------------------------------------------------


def test_the_readme_lists_every_kind_of_fact_with_its_fields():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]*) \|", readme.split("### All kinds of facts")[1], re.M))
    common = {field.name for field in dataclasses.fields(Fact)}
    fields = {
        kind: {field.name for field in dataclasses.fields(known)} - common
        for kind, known in KINDS.items()
        if kind != "tick"  # the table's own
    }
    assert {kind: set(re.findall(r"`([a-z]+)`", told)) for kind, told in listed.items()} == fields


def test_the_examples_of_facts_in_the_readme_are_facts():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^\| `[a-z-]+` \|.*\| `(\{.*\})` \|$", readme.split("### All kinds of facts")[1], re.M)
    assert {parse(line).kind for line in examples} == set(KINDS) - {"tick"}


def test_nobody_listens_any_more(played):
    head = subprocess.run(
        f"{' '.join(TABLEPI)} referee {played.export} --json | head -1; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        env=environ(),
        timeout=60,
    )
    assert (head.returncode, head.stderr) == (0, b"")


def test_standard_input_or_output_may_be_closed_or_full(played):
    def shell(rest: str) -> Said:
        done = subprocess.run(
            f"{' '.join(TABLEPI)} {rest}", shell=True, capture_output=True, env=environ(), timeout=60, text=True
        )
        return Said(done.returncode, done.stdout, done.stderr)

    closed = "tablepi: standard input is closed: name a file of facts, or give one by a pipe\n"
    assert shell("referee - <&-") == Said(2, "", closed)
    assert shell(f"referee {played.export} >&-") == Said(0, "", "")
    assert shell(f"referee {played.export} >/dev/full") == Said(
        3, "", "tablepi: standard output: No space left on device\n"
    )


def test_the_output_is_utf_8_whatever_the_locale_says(played):
    said = tablepi("--store", played.store, "show", "last", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (said.status, said.err) == (0, "")
    assert "♣" in said.out
