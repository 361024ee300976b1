"""The Pi's camera: a real child process that stands in for ``rpicam-vid``, and what can become of it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from tablepi.devices import camera as seam
from tablepi.devices import rpicam
from tablepi.devices.rpicam import STEADY, RpicamSource, bgr
from tablepi.devices.supervisor import DeviceLost

STAND_IN = Path(__file__).with_name("rpicam_vid.py")
ODD = (200, 120)  # a width that is no multiple of 64
BLACK, WHITE, RED, BLUE = [0, 0, 0], [255, 255, 255], [0, 0, 254], [254, 0, 0]


@pytest.fixture
def world(monkeypatch):
    """Tells what happens to the camera: words of the stand-in."""

    def tell(words):
        monkeypatch.setenv("RPICAM_VID", words)

    tell("")
    return tell


@pytest.fixture(autouse=True)
def _nothing_is_left_behind():
    def left():
        children = Path(f"/proc/self/task/{threading.main_thread().native_id}/children").read_text().split()
        return [t.name for t in threading.enumerate() if t.name.endswith("frames")], children

    before = left()
    yield
    assert left() == before


def source(**changes):
    return RpicamSource(**{"program": str(STAND_IN), "size": ODD, "fps": 200.0} | changes)


def frames_until_lost(opened):
    """How many frames *opened* gave before it was lost, and why it was."""
    given = []
    with pytest.raises(DeviceLost) as lost:
        given.extend(frame.at for frame in iter(opened.grab, None))
    return len(given), str(lost.value)


def fields(image):
    """The colours in the middle of the four fields that the stand-in shows."""
    height, width = image.shape[:2]
    return [image[y, x].tolist() for y in (height // 4, height * 5 // 8) for x in (width // 4, width * 5 // 8)]


# --- the stand-in -----------------------------------------------------------------------------------------------------


def clean():
    return {k: v for k, v in os.environ.items() if k not in ("LD_LIBRARY_PATH", "RPICAM_VID")}


def run(*options, **environment):
    return subprocess.run([STAND_IN, *options], env=clean() | environment, capture_output=True, timeout=20)


SHORT = ("-n", "--framerate", "1000", "--codec", "yuv420", "--flush", "-o", "-")


def test_the_stand_in_writes_frames_with_padded_rows_until_its_time_is_over():
    told = run("-t", "200", "--width", "200", "--height", "120", *SHORT)
    assert told.returncode == 0
    frame = 256 * 120 * 3 // 2
    count, rest = divmod(len(told.stdout), frame)
    assert (count > 1, rest) == (True, 0)
    first, second = told.stdout[:frame], told.stdout[frame : 2 * frame]
    assert first[:256] == bytes([0] * 100 + [255] * 100 + [0] * 56)
    assert first[: 119 * 256] == second[: 119 * 256]
    assert first != second
    assert b"configuring streams: (0) 200x120-YUV420/sYCC" in told.stderr


@pytest.mark.parametrize(
    ("options", "environment", "status", "says"),
    [
        (("--unheard-of",), {}, 255, "ERROR: *** unrecognized arguments: --unheard-of ***"),
        (SHORT, {"RPICAM_VID": "absent"}, 255, "ERROR: *** no cameras available ***"),
        (
            SHORT,
            {"RPICAM_VID": "busy"},
            255,
            "ERROR: *** failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a ***",
        ),
        (("--camera", "1"), {}, 255, "ERROR: *** selected camera is not available ***"),
        (SHORT, {"RPICAM_VID": "die=2"}, 255, "ERROR: *** failed to queue request ***"),
        (SHORT, {"LD_LIBRARY_PATH": "/x/cv2"}, 127, "rpicam-vid: symbol lookup error: libcamera.so: undefined symbol"),
    ],
)
def test_the_stand_in_ends_with_the_messages_of_the_real_one(options, environment, status, says):
    told = run(*options, **environment)
    assert (told.returncode, told.stderr.decode().splitlines()[-1]) == (status, says)


def test_the_stand_in_lists_its_cameras():
    assert b"0 : imx708 [4608x2592" in run("--list-cameras").stdout
    assert run("--list-cameras", RPICAM_VID="absent").stdout == b"No cameras available!\n"


def test_the_stand_in_can_freeze():
    told = run("-t", "200", "--width", "64", "--height", "4", *SHORT, RPICAM_VID="freeze=2")
    frames = [told.stdout[at : at + 384] for at in range(0, len(told.stdout), 384)]
    assert len(set(frames[:2])) == 2
    assert set(frames[1:]) == {frames[1]}


def test_the_stand_in_can_stop_in_the_middle_of_a_frame():
    command = [STAND_IN, "-t", "0", "--width", "64", "--height", "4", *SHORT]
    with subprocess.Popen(command, env=clean() | {"RPICAM_VID": "half=2"}, stdout=subprocess.PIPE) as child:
        assert len(child.stdout.read(384 * 5 // 2)) == 384 * 5 // 2
        assert select.select([child.stdout], [], [], 0.1)[0] == []
        child.terminate()


# --- frames -----------------------------------------------------------------------------------------------------------


def test_frames_are_pictures_in_the_right_colours_whatever_the_width(world):
    with source() as opened:
        first, second = opened.grab(), opened.grab()
    assert [f.image.shape for f in (first, second)] == [(120, 256, 3)] * 2  # the next multiple of 64
    assert [f.image.dtype for f in (first, second)] == [np.uint8] * 2
    for frame in (first, second):
        assert np.abs(np.array(fields(frame.image)) - [BLACK, WHITE, RED, BLUE]).max() <= 2
    assert first.at < second.at <= time.monotonic()


def test_a_height_that_is_odd_is_made_even(world):
    with source(size=(64, 47)) as opened:
        assert opened.grab().image.shape == (48, 64, 3)


def test_brightness_uses_the_whole_range():
    ramp = np.full((384, 256), 128, np.uint8)
    ramp[:256] = np.arange(256)
    grey = bgr(ramp)
    assert np.ptp(grey, axis=2).max() == 0
    assert np.abs(grey[0, :, 0].astype(int) - np.arange(256)).max() <= 1


def test_colours_are_those_of_jpeg():
    y, u, v = (c.astype(float) for c in np.meshgrid(*[np.arange(8, 256, 16)] * 3, indexing="ij"))
    exact = np.stack(
        (y + 1.772 * (u - 128), y - 0.344136 * (u - 128) - 0.714136 * (v - 128), y + 1.402 * (v - 128)), -1
    )
    frames = [np.repeat([a, a, a, a, b, c], 1).astype(np.uint8) for a, b, c in zip(y.flat, u.flat, v.flat, strict=True)]
    given = np.array([bgr(f.reshape(3, 2))[0, 0] for f in frames]).reshape(exact.shape)
    assert np.abs(given - np.clip(exact, 0, 255)).max() <= 2.5


def test_lens_and_shutter_are_held_unless_other_options_are_given(world, tmp_path):
    program = tmp_path / "rpicam-vid"
    program.write_text('#!/bin/sh\necho "$@" >"$0.told"\n')
    program.chmod(0o755)
    for options in (STEADY, ("--hflip",)):
        with (
            pytest.raises(DeviceLost),
            source(program=str(program), options=options, camera=1, size=(1280, 720), fps=12.5),
        ):
            pass
        assert (tmp_path / "rpicam-vid.told").read_text().split() == [
            *("-t", "0", "-n", "--camera", "1", "--width", "1280", "--height", "720", "--framerate", "12.5"),
            *("--codec", "yuv420", "--flush", "-o", "-", *options),
        ]


def test_what_cv2_tells_the_dynamic_linker_is_kept_from_the_child(world, monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/somewhere/cv2/../../lib64:")
    with source() as opened:
        assert opened.grab() is not None


def test_messages_without_end_do_not_stop_the_frames(world):
    world("chatty")
    with source() as opened:
        assert all(opened.grab() is not None for _ in range(20))


# --- losses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "changes", "why"),
    [
        ("absent", {}, "no camera is connected: switch off, and look at both ends of its ribbon cable"),
        ("busy", {}, "another program has it open"),
        ("", {"camera": 1}, "there is no camera of this number: rpicam-hello --list-cameras shows them"),
        ("", {"size": (9999, 2592)}, "it has no 10048 x 2592 pixels: ask for 4608 x 2592"),
        ("", {"options": ["--no"]}, f"{STAND_IN} ended with status 255: ERROR: *** unrecognized arguments: --no ***"),
        ("die", {}, f"{STAND_IN} ended with status 255: ERROR: *** failed to queue request ***"),
        ("", {"program": "no-such"}, "there is no program no-such: sudo apt install rpicam-apps-lite, or rpicam-apps"),
        (
            "",
            {"program": __file__},  # it may not be run
            f"there is no program {__file__}: sudo apt install rpicam-apps-lite, or rpicam-apps",
        ),
    ],
)
def test_a_camera_that_cannot_be_opened_says_why(world, words, changes, why):
    world(words)
    where = f"rpicam:{changes.get('camera', 0)}: "
    with pytest.raises(DeviceLost) as lost, source(**changes):
        pass
    assert str(lost.value) == where + why


def test_a_program_that_ends_without_a_word(world):
    with pytest.raises(DeviceLost, match=r"^rpicam:0: true ended with status 0$"), source(program="true"):
        pass


def test_a_camera_that_dies_while_it_is_looked_at(world):
    world("die=3")
    with source() as opened:
        count, why = frames_until_lost(opened)
    assert count <= 3
    assert why == f"rpicam:0: {STAND_IN} ended with status 255: ERROR: *** failed to queue request ***"


@pytest.mark.parametrize(("words", "how"), [("kill=3", "by SIGKILL"), ("end=3", "with status 0")])
def test_a_camera_that_is_gone_without_an_error_says_how(world, words, how):
    world(words)
    with source() as opened:
        _, why = frames_until_lost(opened)
    assert why.startswith(f"rpicam:0: {STAND_IN} ended {how}: ")


@pytest.mark.parametrize(
    ("word", "why"),
    [("stop", ""), ("half", ""), ("timeout", ": look at both ends of its ribbon cable")],
)
def test_a_camera_that_stops_is_lost_after_a_while(world, monkeypatch, word, why):
    monkeypatch.setattr(seam, "STOPPED_S", 1.0)
    world(f"{word}=3")
    with source() as opened:
        count, told = frames_until_lost(opened)
    assert count <= 3
    assert told == f"rpicam:0: no frame for 1 s{why}"


def test_a_camera_that_gives_no_frame_at_all_is_not_open(world, monkeypatch):
    monkeypatch.setattr(seam, "OPENING_S", 1.0)
    world("stop")
    with pytest.raises(DeviceLost, match=r"^rpicam:0: no frame for 1 s$"), source():
        pass


def test_a_camera_that_freezes_is_lost_and_found_when_it_shows_something_else(world, monkeypatch):
    monkeypatch.setattr(seam, "FROZEN_S", 0.2)
    world("freeze=3")
    camera = source()
    with camera as opened:
        _, told = frames_until_lost(opened)
    assert told == "rpicam:0: the same picture again and again"
    world("")
    with camera as opened:
        assert opened.grab() is not None


def test_a_lost_camera_can_be_opened_again(world):
    camera = source()
    world("absent")
    with pytest.raises(DeviceLost), camera:
        pass
    for words in ("die=2", "kill=2"):
        world(words)
        with camera as opened:
            frames_until_lost(opened)
    world("")
    with camera as opened:
        assert opened.grab() is not None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("words", ["", "deaf stop=3"])
def test_nothing_is_left_running_whatever_ends_the_program_that_looks(words, number):
    program = (
        "import signal, sys; from tablepi.devices.rpicam import RpicamSource\n"
        "with RpicamSource(program=sys.argv[1], size=(64, 48), fps=200.0) as opened:\n"
        "    opened.grab(); print(flush=True); signal.pause()"
    )
    command = [sys.executable, "-c", program, STAND_IN]
    environment = clean() | {"RPICAM_VID": words}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, **pipes) as looks:
        assert looks.stdout.readline() == b"\n"
        (child,) = children_of(looks.pid)
        gone = os.pidfd_open(child)
        looks.send_signal(number)
    ended = select.select([gone], [], [], 10.0)[0]
    os.close(gone)
    assert ended, "rpicam-vid still runs"


def test_the_camera_is_seen_without_setpriv_as_well(world, monkeypatch, tmp_path):
    (tmp_path / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    with source() as opened:
        assert opened.grab() is not None


def children_of(parent):
    threads = Path(f"/proc/{parent}/task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


# --- leaving ----------------------------------------------------------------------------------------------------------


def test_a_child_that_does_not_end_when_asked_is_killed(world, monkeypatch):
    monkeypatch.setattr(rpicam, "_TERM_S", 0.1)
    world("deaf")
    with source() as opened:
        assert opened.grab() is not None


def test_cancel_wakes_who_waits_for_a_frame(world):
    world("stop=1")
    with source() as opened:
        assert opened.grab() is not None
        threading.Timer(0.05, opened.cancel).start()
        assert opened.grab() is None
        assert opened.grab() is None


def test_cancel_wakes_an_opening(world):
    world("stop")
    camera = source()
    began = time.monotonic()
    waker = threading.Timer(0.3, camera.cancel)
    waker.start()
    with camera as opened:
        assert opened.grab() is None
    waker.join()
    assert time.monotonic() - began < seam.OPENING_S / 2
