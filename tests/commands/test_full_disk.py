"""A disk that fills up under a command: a clear error, and of what was written no half, but what was there before.

A file that may not grow stands for that disk: its write() fails in the middle.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tablepi.errors import BadInput
from tablepi.journal import Journal

from .test_enrol import kept, run, write
from .test_recognise import ask, felt


@contextmanager
def files_of(most: int) -> Iterator[None]:
    """Within it no file grows beyond *most* bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


COMMANDS = {
    "sheet": ("calibrate", "sheet", "-o"),
    "mat": ("calibrate", "sheet", "--mat", "-o"),
    "export": ("export", "last", "-o"),
    "picture": ("review", "last", "--headless", "--picture"),
}


@pytest.mark.parametrize("stood", [b"what stood there", None], ids=["over another file", "a new file"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_leaves_no_half_file(here, played, tmp_path, command, stood):
    file = tmp_path / f"file.{'svg' if command == 'sheet' else 'pdf'}"
    if stood is not None:
        file.write_bytes(stood)
    with Journal(played.store, readonly=True) as journal:
        journal.games()  # so that SQLite has its own files beside the store already
        with files_of(1000):
            said = here("--store", played.store, *COMMANDS[command], file)
    assert said.status == 2
    assert said.err.endswith(f"{file}: cannot be written: File too large: name a file in a folder of yours\n")
    assert (file.read_bytes() if file.exists() else None) == stood
    assert [path.name for path in tmp_path.iterdir() if path not in (file, tmp_path / "store")] == []


def test_a_deck_that_cannot_be_kept_stays_as_it_was(tmp_path):
    deck = tmp_path / "decks" / "deck"
    run(write(tmp_path / "QS.png", "QS"), deck=deck)
    picture = write(tmp_path / "TH.png", "TH")
    with files_of(1000), pytest.raises(BadInput, match=r"deck: cannot be written: File too large"):
        run(picture, deck=deck)
    assert (kept(deck), [path.name for path in deck.parent.iterdir()]) == (["QS", "QS"], ["deck"])


def test_a_copy_that_cannot_be_written_whole_is_not_there_at_all(tmp_path):
    copies = tmp_path / "copies"
    picture = felt(tmp_path / "x.png")
    ask(picture, draw=copies)
    (first,) = copies.iterdir()
    content = first.read_bytes()
    with files_of(1000), pytest.raises(BadInput, match=r"x-2\.jpg: cannot be written: File too large"):
        ask(picture, draw=copies)
    assert [(path, path.read_bytes()) for path in copies.iterdir()] == [(first, content)]


def test_a_device_that_is_full_is_told_as_that(here, played):
    said = here("--store", played.store, "export", "last", "-o", "/dev/full")
    why = "No space left on device: free some space, or name a file on another disk"
    assert (said.status, said.err) == (2, f"tablepi: -o /dev/full: cannot be written: {why}\n")
    assert Path("/dev/full").is_char_device()
