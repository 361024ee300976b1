"""Where the store is, and whether a restart wipes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablepi.errors import BadInput, Missing
from tablepi.journal import forgets_at_restart, store_folder


@pytest.mark.parametrize(
    ("option", "environ", "chosen"),
    [
        ("a", {"TABLEPI_STORE": "b", "STATE_DIRECTORY": "c"}, "a"),
        (None, {"TABLEPI_STORE": "b", "STATE_DIRECTORY": "c"}, "b"),
        (None, {"TABLEPI_STORE": "", "STATE_DIRECTORY": "c"}, "c"),
        (None, {"STATE_DIRECTORY": "c:d"}, "c"),
        (None, {"TABLEPI_STORE": "deep/er"}, "deep/er"),
    ],
    ids=["option", "TABLEPI_STORE", "empty is unset", "first of systemd's", "made with its parents"],
)
def test_the_store_is_where_the_first_that_says_so_says_and_is_made(tmp_path, monkeypatch, option, environ, chosen):
    monkeypatch.chdir(tmp_path)
    folder = store_folder(option, environ)
    assert (folder, folder.is_dir()) == (tmp_path / chosen, True)
    assert store_folder(option, environ) == folder


def test_without_any_word_it_is_the_users_data_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = store_folder(None, {})
    assert folder.is_relative_to(tmp_path)
    assert (folder.name, folder.is_dir()) == ("tablepi", True)


def test_a_tilde_is_the_home_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store_folder("~/store", {}) == tmp_path / "store"


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_file_in_its_place_is_refused(tmp_path, below):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput) as refused:
        store_folder(None, {"TABLEPI_STORE": f"{tmp_path}/file{below}"})
    assert str(refused.value) == (
        f"{tmp_path}/file{below} (TABLEPI_STORE): a file is in the way: name a folder, such as --store ~/tablepi"
    )


def test_an_empty_option_is_refused():
    with pytest.raises(BadInput, match=r"^--store: empty"):
        store_folder(" ", {})


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc, where nobody can make a folder")
def test_a_folder_that_cannot_be_made_is_missing_with_the_reason():
    with pytest.raises(Missing) as missing:
        store_folder("/proc/tablepi", {})
    assert str(missing.value).startswith("/proc/tablepi (--store): ")
    assert str(missing.value).endswith(": name a folder of yours, such as --store ~/tablepi")


MOUNTS = """\
21 1 0:20 / / rw,relatime shared:1 - overlay overlayroot rw,lowerdir=/lower
22 21 179:2 / /home rw,noatime shared:2 - ext4 /dev/mmcblk0p2 rw
23 21 0:21 / /run rw - tmpfs tmpfs rw
24 21 8:1 / /media/usb\\040stick rw shared:4 master:1 - vfat /dev/sda1 rw
25 21 0:22 / /home/pi/.cache rw - tmpfs tmpfs rw
half a line
"""


@pytest.mark.parametrize(
    ("folder", "where"),
    [
        ("/var/lib/tablepi", "an overlay (raspi-config, Performance, Overlay File System)"),
        ("/run/tablepi", "memory (tmpfs)"),
        ("/home/pi/tablepi", None),
        ("/home/pi/.cache/tablepi", "memory (tmpfs)"),
        ("/media/usb stick/tablepi", None),
        ("/runner", "an overlay (raspi-config, Performance, Overlay File System)"),
    ],
)
def test_a_store_that_a_restart_wipes_is_said(folder, where):
    told = (
        where and f"{folder} lies in {where}: games are lost at the next restart; name a folder on a disk with --store"
    )
    assert forgets_at_restart(Path(folder), MOUNTS) == told
