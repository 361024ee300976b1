"""Files are written whole or not at all, whatever stands in their place and however the disk refuses."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tablepi.errors import BadInput
from tablepi.files import put, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_and_one_that_stands_there_is_replaced(tmp_path):
    for content in (b"first", b"", b"third"):
        write_whole(tmp_path / "sheet.pdf", content)
        assert (tmp_path / "sheet.pdf").read_bytes() == content
    assert names(tmp_path) == ["sheet.pdf"]


def test_folders_are_made_only_where_that_is_wanted(tmp_path):
    write_whole(tmp_path / "a" / "b" / "deck", b"looks", folders=True)
    assert (tmp_path / "a" / "b" / "deck").read_bytes() == b"looks"
    with pytest.raises(BadInput, match=r"c/deck: cannot be written: No such file or directory"):
        write_whole(tmp_path / "c" / "deck", b"looks")


def test_what_is_replaced_keeps_its_permissions(tmp_path):
    private = tmp_path / "private"
    private.write_bytes(b"old")
    private.chmod(0o600)
    put(private, b"new")
    assert (private.stat().st_mode & 0o777, private.read_bytes()) == (0o600, b"new")


def test_a_link_stays_one_and_what_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/file")
    for content in (b"first", b"second"):  # it leads nowhere at first
        put(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "there" / "file").read_bytes() == content
    assert (names(tmp_path), names(tmp_path / "there")) == (["link", "there"], ["file"])


def test_a_pipe_and_a_device_are_written_into_as_they_are(tmp_path):
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    put(pipe, b"facts")
    reader.join()
    put(Path("/dev/null"), b"facts")
    assert (heard, pipe.is_fifo()) == ([b"facts"], True)


def test_what_is_written_to_the_standard_output_by_name_arrives_there():
    program = "from pathlib import Path; from tablepi.files import put; put(Path('/dev/stdout'), b'facts')"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert told.stdout == b"facts"


def test_a_name_as_long_as_names_can_be_is_written(tmp_path):
    longest = tmp_path / ("é" * 127 + "x")
    put(longest, b"content")
    assert longest.read_bytes() == b"content"
    assert len(names(tmp_path)) == 1


def test_what_a_killed_process_of_the_same_number_left_is_written_over(tmp_path):
    (tmp_path / f".file.{os.getpid()}.part").write_bytes(b"half a f")
    put(tmp_path / "file", b"content")
    assert names(tmp_path) == ["file"]


# What the parts of a person's path are, and what is said of it.
REFUSED = [
    ("folder", "Is a directory"),
    ("none/file", "No such file or directory"),
    ("text/file", "Not a directory"),
    ("loop", "Too many levels of symbolic links"),
    ("x" * 300, "File name too long"),
]


@pytest.mark.parametrize(("where", "why"), REFUSED, ids=[where[:10] for where, _ in REFUSED])
def test_what_cannot_be_written_is_named_with_its_option_and_a_remedy(tmp_path, where, why):
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("a file in its place")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(BadInput) as refused:
        write_whole(tmp_path / where, b"content", option="-o")
    said = f"-o {tmp_path / where}: cannot be written: {why}: name a file in a folder of yours"
    assert str(refused.value) == said
    assert names(tmp_path) == ["folder", "loop", "text"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_is_protected_is_not_replaced(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "file").chmod(0o444)
    with pytest.raises(BadInput, match="Permission denied"):
        write_whole(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_full_disk_is_told_as_one():
    with pytest.raises(BadInput) as refused:
        write_whole(Path("/dev/full"), b"content", option="-o")
    told = "-o /dev/full: cannot be written: No space left on device: free some space, or name a file on another disk"
    assert str(refused.value) == told


# A file that may not grow stands for a disk that fills up: a real error of write(), in its middle.
CUT_SHORT = """
import resource, sys
from pathlib import Path
from tablepi.errors import BadInput
from tablepi.files import write_whole

resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
for name in sys.argv[1:]:
    try:
        write_whole(Path(name), bytes(1_000_000))
    except BadInput as error:
        print(error)
"""


def test_a_disk_that_fills_up_leaves_what_was_there_and_no_half_of_what_was_to_come(tmp_path):
    old, new, link = tmp_path / "old", tmp_path / "new", tmp_path / "link"
    old.write_bytes(b"old")
    link.symlink_to(old)
    told = subprocess.run([sys.executable, "-c", CUT_SHORT, old, new, link], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == [
        f"{path}: cannot be written: File too large: name a file in a folder of yours" for path in (old, new, link)
    ]
    assert (names(tmp_path), old.read_bytes()) == (["link", "old"], b"old")
