"""The README says what there is: its commands exist, all of them are named, and its example answers as printed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tablepi.cli import _parser

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
SUBCOMMANDS = next(action for action in _parser()._actions if action.dest == "command").choices


def test_every_command_is_named():
    assert {name for name in SUBCOMMANDS if not re.search(rf"`(tablepi )?{name}\b", README)} == set()


def test_no_command_is_named_that_does_not_exist():
    named = set(re.findall(r"(?:bin/|`)tablepi ([a-z]+)", README))
    assert named
    assert named - set(SUBCOMMANDS) == set()


@pytest.mark.parametrize("name", sorted(SUBCOMMANDS))
def test_every_option_and_argument_of_a_command_has_help(name):
    assert [action.dest for action in SUBCOMMANDS[name]._actions if not action.help] == []


def test_the_example_answers_as_it_is_printed():
    block = re.search(r"\$ (printf .*?referee -)\n(.*?)```", README, re.S)
    assert block is not None
    command, printed = block[1].replace("\\\n", " "), block[2]
    words = shlex.split(command.split("|")[0])
    facts = "\n".join(words[2:]) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "tablepi", "referee", "-"], input=facts, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == printed.splitlines()


def test_the_way_from_the_devices_to_the_game_is_the_same_here_and_in_the_page_of_the_hardware():
    block = README.split("go on in this order", 1)[1].split("```")[1]
    here = re.findall(r"^\.venv/bin/tablepi ([a-z ]+?)(?: --| mine| +#|$)", block, re.M)
    page = (Path(__file__).parent.parent / "hardware" / "README.md").read_text(encoding="utf-8")
    there = re.findall(r"^\| \d \| `tablepi ([a-z ]+?)(?: --| mine|`)", page, re.M)
    assert here == ["devices", "enrol tags", "config check", "doctor", "deck check", "test hardware", "run"]
    assert [command for command in there if command != "calibrate camera"] == here


def test_its_pictures_and_files_are_there():
    root = Path(__file__).parent.parent
    named = re.findall(r"\]\(([^)#]+)\)", README) + re.findall(r"`((?:hardware|systemd|docs)/[\w./-]+)`", README)
    assert [name for name in named if not (root / name).exists()] == []
