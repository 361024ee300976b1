"""What a person may name as a camera."""

from __future__ import annotations

import os

import pytest

from tablepi.devices.films import FilmSource, FolderSource
from tablepi.devices.rpicam import Held, RpicamSource
from tablepi.devices.sources import Asked, source_of
from tablepi.devices.v4l2 import V4L2Source
from tablepi.errors import BadInput


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("rpicam", RpicamSource),
        ("rpicam:1", RpicamSource),
        ("/dev/v4l/by-id/usb-none-video-index0", V4L2Source),  # not plugged in yet
        ("/dev/null", V4L2Source),  # opening it will tell
        ("camera", V4L2Source),  # a link to a device
        ("film.mp4", FilmSource),
        ("2026", FolderSource),
        (".", FolderSource),
    ],
)
def test_a_source_is_made_of_what_it_names(tmp_path, monkeypatch, text, kind):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "film.mp4").touch()
    (tmp_path / "2026").mkdir()
    (tmp_path / "camera").symlink_to("/dev/null")
    made = source_of(text)
    assert (type(made), made.name) == (kind, "rpicam:0" if text == "rpicam" else text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("film.avi", r"^film\.avi: there is no such file: name a film, a folder of pictures, a USB camera"),
        ("", r"^'': shows nothing: name a film"),
        ("0", r"^0: cameras change their numbers: name the camera by its stable path, /dev/v4l/by-id/"),
        ("rpicam:x", r"^rpicam:x: the Raspberry Pi's own cameras are rpicam:0 to rpicam:9$"),
        ("file/inside", r"^file/inside: cannot be read: Not a directory$"),
        ("x" * 300, r"cannot be read: File name too long$"),
        ("pipe", r"^pipe: shows nothing: name a film"),
        ("no\nfilm", r"^no\\nfilm: there is no such file: name a film"),
        ("/dev/\0", r"^/dev/\\x00: cannot be read: embedded null byte$"),
    ],
)
def test_what_names_no_source_is_said(tmp_path, monkeypatch, text, why):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match=why):
        source_of(text)


def test_a_camera_is_asked_for_the_size_and_the_rate_that_are_given():
    own = source_of("rpicam", size=(1280, 720), fps=5)
    assert (own._size, own._fps, source_of("rpicam")._size) == ((1280, 720), 5, None)
    usb = source_of("/dev/video0", size=(1280, 720), fps=5)
    assert (usb._size, usb._fps) == ((1280, 720), 5)
    assert source_of("/dev/video0")._size == (1920, 1080)


def test_the_pis_own_camera_is_asked_for_all_that_is_known(monkeypatch):
    made = {}
    monkeypatch.setattr("tablepi.devices.sources.RpicamSource", lambda **told: made.update(told))
    source_of(
        "rpicam:1",
        asked=Asked((1280, 720), 5, 80.0, 10.0, 2.5, (1.9, 1.7), (0.25, 0.0, 0.5, 1.0), hold=False, mains=60),
    )
    assert made == {
        "camera": 1,
        "size": (1280, 720),
        "fps": 5,
        "held": Held(lens=1.25, exposure_ms=10.0, gain=2.5, white=(1.9, 1.7)),
        "hold": False,
        "part": (0.25, 0.0, 0.5, 1.0),
        "mains": 60,
    }


def test_a_usb_camera_is_asked_for_what_it_may_have(monkeypatch):
    made = {}
    monkeypatch.setattr("tablepi.devices.sources.V4L2Source", lambda path, **told: made.update(told, path=path))
    source_of("/dev/video0", asked=Asked(exposure_ms=10.0, hold=False, mains=60))
    path = {"path": "/dev/video0", "size": (1920, 1080), "fps": 10.0}
    assert made == path | {"exposure_ms": 10.0, "hold": False, "mains": 60}
