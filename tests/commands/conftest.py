"""Runs commands: here, or as a program of its own where signals, pipes and devices matter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tablepi.cli import main

TABLEPI = (sys.executable, "-m", "tablepi")
NO_SCREEN = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR")


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


def environ(**more: str) -> Mapping[str, str]:
    """The environment of a machine without a screen and without a store of ours."""
    mine = {k: v for k, v in os.environ.items() if k not in (*NO_SCREEN, "TABLEPI_STORE", "STATE_DIRECTORY")}
    return mine | more


def tablepi(*words: object, stdin: bytes = b"", patience_s: float = 60, **more: str) -> Said:
    """Run a command as a program of its own."""
    done = subprocess.run(
        [*TABLEPI, *map(str, words)], input=stdin, capture_output=True, env=environ(**more), timeout=patience_s
    )
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def here(capsys, monkeypatch, tmp_path) -> Iterator[Callable[..., Said]]:
    """Run a command in this process, with a store of the test's: an error that nobody put in words fails the test."""
    for name in (*NO_SCREEN, "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TABLEPI_STORE", str(tmp_path / "store"))

    def run(*words: object) -> Said:
        capsys.readouterr()
        try:
            status = main([*map(str, words)])
        except SystemExit as ended:  # argparse ends so
            status = int(ended.code or 0)
        return Said(status, *capsys.readouterr())

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield run
    for number, handler in handlers.items():  # a table that plays takes them
        signal.signal(number, handler)


@dataclass(frozen=True)
class Played:
    """A demonstration with mistakes, its store, and the files it wrote."""

    said: Said
    store: Path
    truth: Path
    picture: Path
    export: Path


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("demo")
    truth, picture, export = folder / "truth.jsonl", folder / "last.png", folder / "game.jsonl"
    options = ("--hands", 1, "--seed", 7, "--mistakes", "--headless", "--truth", truth, "--picture", picture)
    said = tablepi("--store", folder / "store", "demo", "--sources", "readers", *options)
    assert said.status == 0, said.err
    assert tablepi("--store", folder / "store", "export", "last", "-o", export).status == 0
    return Played(said, folder / "store", truth, picture, export)
