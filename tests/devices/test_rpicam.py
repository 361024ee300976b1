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
from tablepi.devices.rpicam import Held, I420Frame, Mode, RpicamSource, at_rest, bgr, fitting, modes_in
from tablepi.devices.supervisor import DeviceLost
from tablepi.frames import Frame

from ..bench.camera import i420

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


@pytest.fixture
def told(monkeypatch, tmp_path):
    """Gives what each run of the program was asked, in order."""
    file = tmp_path / "told"
    monkeypatch.setenv("RPICAM_TOLD", str(file))
    return lambda: file.read_text().splitlines()


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
        (("--unheard-of",), {}, 255, "ERROR: *** unrecognised option '--unheard-of' ***"),
        (("--width", "wide"), {}, 255, "ERROR: *** the argument ('wide') for option '--width' is invalid ***"),
        (("--shutter", "--flush"), {}, 255, "ERROR: *** the required argument for option '--shutter' is missing ***"),
        (("--autofocus-mode", "once"), {}, 255, "ERROR: *** Invalid AfMode:once ***"),
        (("--awbgains", "1.9"), {}, 255, "ERROR: *** Invalid AWB gains ***"),
        (("--lens-position", "near"), {}, 255, "ERROR: *** Invalid lens position: near ***"),
        (("--metadata-format", "xml"), {}, 255, "ERROR: *** unrecognised metadata format xml ***"),
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


def test_the_stand_in_tells_its_metadata_until_they_settle_and_keeps_what_is_fixed():
    silent = ("-n", "-t", "400", "--framerate", "1000", "--codec", "yuv420", "-o", "/dev/null", "--metadata", "-")
    txt = ("--metadata-format", "txt")
    first, *_, last = run(*silent, *txt).stdout.decode().split("\n\n")[:-1]
    assert first.splitlines()[0] == "ExposureTime=1677"
    assert last.splitlines()[:5] == [
        "ExposureTime=9998",
        "AnalogueGain=2.000000",
        "FrameDuration=66666",
        "AeState=2",
        "ColourGains=[ 1.900000, 1.700000 ]",
    ]
    assert "LensPosition=1.370000" in last
    fixed = run(*silent, *txt, "--shutter", "5000", "--gain", "3", "--awbgains", "2,1", "--lens-position", "1.5")
    told = fixed.stdout.decode().split("\n\n")[0]
    for line in ("ExposureTime=5000", "AnalogueGain=3.000000", "ColourGains=[ 2.000000, 1.000000 ]", "AeState=2"):
        assert line in told
    assert "LensPosition=1.500000" in told


def test_the_stand_in_passes_over_what_its_lens_cannot_do():
    silent = ("-t", "100", "--framerate", "1000", "--codec", "yuv420", "-o", "/dev/null", "--metadata", "-")
    lens = ("--metadata-format", "txt", "--autofocus-mode", "manual", "--lens-position", "1.4")
    told = run(*silent, *lens, RPICAM_VID="imx219")
    assert told.returncode == 0
    assert b"ExposureTime=" in told.stdout
    assert b"LensPosition" not in told.stdout


def test_the_stand_in_pads_the_rows_of_a_pi_5_further():
    command = ("-t", "100", "--width", "192", "--height", "4", *SHORT)
    for world, row in (("", 192), ("pisp", 256)):
        told = run(*command, RPICAM_VID=world).stdout
        frame = row * 4 * 3 // 2
        assert len(told) % frame == 0
        assert told[:row] == bytes([0] * 96 + [255] * 96).ljust(row, b"\0")


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
    with source(size=(128, 47)) as opened:
        assert opened.grab().image.shape == (48, 128, 3)


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


@pytest.mark.parametrize(("by", "part"), [(7, (14, 7, 245, 196)), (4, (0, 0, 256, 200)), (1, (32, 32, 64, 64))])
def test_a_frame_is_small_without_becoming_a_picture(by, part, monkeypatch):
    y, x = np.mgrid[:200, :256].astype(float)
    picture = np.stack([x, 255 - y, 128 + 50 * np.sin(x / 60)], -1).astype(np.uint8)  # colours that fade
    wanted = Frame(bgr(i420(picture)), 0.0).small(part, by)
    monkeypatch.setattr("tablepi.devices.rpicam.bgr", lambda _: pytest.fail("it is no picture yet"))
    frame = I420Frame(i420(picture), 2.5)
    assert (frame.size, frame.at, frame.small(part, by).shape) == ((256, 200), 2.5, wanted.shape)
    off = np.abs(frame.small(part, by).astype(int) - wanted)
    assert (off.max() <= 8, off.mean() < 2) == (True, True)  # a pixel further the colours are up to 7 others


# --- what is asked of it ----------------------------------------------------------------------------------------------

FRAMES = "-t 0 -n --camera 0 --width 2304 --height 1296 --framerate 200 --mode 2304:1296:10:P --codec yuv420"
AUTOMATIC = "--exposure sport --flicker-period 10000us"
METADATA = "-o /dev/null --metadata - --metadata-format txt"
LIGHT = "--shutter 9998 --gain 2.000 --awbgains 1.900,1.700"


def asked(told, **changes):
    with source(**{"size": None} | changes) as opened:
        opened.grab()
    return told()


def test_light_and_lens_settle_first_and_are_held_for_the_frames(world, told):
    assert asked(told) == [
        "--list-cameras",
        f"{FRAMES} {AUTOMATIC} --autofocus-mode auto {METADATA}",
        f"{FRAMES} --autofocus-mode manual --lens-position 1.37 {LIGHT} --flush -o -",
    ]


def test_what_is_known_is_held_while_the_rest_settles(world, told):
    assert asked(told, held=Held(lens=1.25, exposure_ms=4.0), mains=60)[1:] == [
        f"{FRAMES} --exposure sport --flicker-period 8333us --autofocus-mode manual --lens-position 1.25 "
        f"--shutter 4000 {METADATA}",
        f"{FRAMES} --autofocus-mode manual --lens-position 1.25 --shutter 4000 --gain 2.000 --awbgains 1.900,1.700 "
        "--flush -o -",
    ]


def test_nothing_needs_to_settle_when_all_is_known(world, told):
    known = Held(lens=1.0, exposure_ms=10.0, gain=2.5, white=(1.5, 2.5))
    assert asked(told, held=known)[1:] == [
        f"{FRAMES} --autofocus-mode manual --lens-position 1.00 --shutter 10000 --gain 2.500 --awbgains 1.500,2.500 "
        "--flush -o -"
    ]


def test_nothing_is_held_that_is_to_follow(world, told):
    assert asked(told, hold=False, options=["--hflip"])[1:] == [f"{FRAMES} --hflip {AUTOMATIC} --flush -o -"]


def test_a_lens_that_does_not_move_is_let_be(world, told):
    world("imx219")
    frames = FRAMES.replace("2304:1296", "3280:2464").replace("--width 2304", "--width 1664")
    assert asked(told)[1:] == [
        f"{frames} {AUTOMATIC} --autofocus-mode auto {METADATA}",
        f"{frames} {LIGHT} --flush -o -",
    ]


def test_a_lens_that_finds_nothing_is_set_for_the_usual_height_and_says_so(world, told, caplog):
    world("plain")
    assert "--lens-position 1.43 " in asked(told)[-1]
    assert caplog.messages == [
        "rpicam:0: the lens finds nothing to focus on and is set for 70 cm: say how high the camera hangs (height:)"
    ]


def test_light_that_never_settles_is_taken_as_it_is(world, told, monkeypatch):
    monkeypatch.setattr(rpicam, "SETTLING_S", 0.3)
    world("restless")
    assert asked(told)[-1].split("--shutter ")[1].split()[0] in ("9998", "14997")


@pytest.mark.parametrize("words", ["", "imx219"])
def test_what_has_settled_stays_so_at_the_next_opening(world, told, words):
    world(words)
    camera = source()
    for _ in range(2):
        with camera as opened:
            opened.grab()
    runs = told()
    assert len(runs) == 4
    assert runs[3] == runs[2]


def test_a_part_of_the_field_is_shown_in_a_mode_that_has_the_pixels_for_it(world, told):
    last = asked(told, part=(0.25, 0.25, 0.5, 0.5), fps=15.0)[-1]
    assert last.startswith(
        "-t 0 -n --camera 0 --width 2304 --height 1296 --framerate 15 --mode 4608:2592:10:P --roi 0.25,0.25,0.5,0.5 "
    )


def test_a_camera_that_does_not_tell_its_modes_chooses_one(world, told):
    world("unlisted")
    assert FRAMES.replace(" --mode 2304:1296:10:P", "") in asked(told)[-1]


def test_a_start_that_takes_its_time_is_waited_for(world, monkeypatch):
    monkeypatch.setattr(rpicam, "_WAIT_S", 0.05)
    world("slow=400")
    with source() as opened:
        assert opened.grab() is not None


@pytest.mark.parametrize("words", ["", "pisp"])
def test_no_width_is_asked_for_that_would_be_padded(world, words):
    world(words)
    for width in (1, 128, 129, 192, 320):
        with source(size=(width, 48)) as opened:
            image = opened.grab().image
        assert image.shape == (48, -(-width // 128) * 128, 3)
        assert np.abs(np.array(fields(image)) - [BLACK, WHITE, RED, BLUE]).max() <= 2


def test_light_that_has_changed_for_good_is_met_with_another_exposure(world, told, monkeypatch):
    monkeypatch.setattr(seam, "LIGHT_S", 0.1)
    world("dusk=5")
    camera = source()
    with camera as opened:
        count, why = frames_until_lost(opened)
    assert count > 5
    assert why == "rpicam:0: the light has changed: the exposure is set anew"
    with camera as opened:
        opened.grab()
    first, second = told()[1], told()[3]
    assert ("--autofocus-mode auto" in first, "--lens-position 1.37" in second) == (True, True)
    assert "--shutter" not in second


def test_an_exposure_that_was_given_stays_whatever_the_light(world, monkeypatch):
    monkeypatch.setattr(seam, "LIGHT_S", 0.0)
    world("dusk=5 end=50")
    with source(held=Held(exposure_ms=4.0, gain=2.0, white=(1.9, 1.7))) as opened:
        _, why = frames_until_lost(opened)
    assert "ended with status 0" in why


MODULE_3 = (
    Mode((1536, 864), 10, 120.13, (3072, 1728)),
    Mode((2304, 1296), 10, 56.03, (4608, 2592)),
    Mode((4608, 2592), 10, 14.35, (4608, 2592)),
)
HQ = (
    Mode((1332, 990), 10, 120.05, (2664, 1980)),
    Mode((2028, 1080), 12, 50.03, (4056, 2160)),
    Mode((2028, 1520), 12, 40.01, (4056, 3040)),
    Mode((4056, 3040), 12, 10.0, (4056, 3040)),
)
GLOBAL_SHUTTER = (Mode((1456, 1088), 10, 60.38, (1456, 1088)),)


@pytest.mark.parametrize(
    ("modes", "size", "fps", "part", "mode", "asked"),
    [
        (MODULE_3, None, 15, None, (2304, 1296), (2304, 1296)),
        (MODULE_3, (1280, 720), 15, None, (2304, 1296), (1280, 720)),  # not the one that shows less
        (MODULE_3, (4608, 2592), 15, None, (4608, 2592), (4608, 2592)),  # 14.35 are enough
        (MODULE_3, (4608, 2592), 30, None, (2304, 1296), (4608, 2592)),
        (MODULE_3, None, 14, (0.2, 0.0, 0.5, 1.0), (2304, 1296), (1152, 1296)),
        (MODULE_3, None, 14, (0.25, 0.25, 0.5, 0.5), (4608, 2592), (2304, 1296)),
        (HQ, None, 15, None, (2028, 1520), (1664, 1296)),
        (HQ, None, 5, (0.25, 0.25, 0.5, 0.5), (4056, 3040), (1664, 1296)),
        (GLOBAL_SHUTTER, None, 15, None, (1456, 1088), (1408, 1088)),
        ((), None, 15, None, None, (2304, 1296)),
        ((), (1000, 999), 15, None, None, (1024, 1000)),
    ],
)
def test_the_mode_shows_the_whole_field_with_no_more_rows_than_needed(modes, size, fps, part, mode, asked):
    chosen, wanted = fitting(modes, size, fps, part)
    assert (chosen.size if chosen else None, wanted) == (mode, asked)


def test_the_deeper_of_two_modes_alike_is_taken():
    shallow, deep = (Mode((1640, 1232), bits, 40.0, (3280, 2464)) for bits in (8, 10))
    for modes in ((shallow, deep), (deep, shallow)):
        assert fitting(modes, (1280, 960), 15, None)[0] is deep


def test_modes_are_read_of_the_camera_that_is_meant():
    told = run("--list-cameras").stdout.decode()
    other = run("--list-cameras", RPICAM_VID="imx219").stdout.decode().splitlines()[2:]
    both = told + "\n" + "\n".join(other).replace("0 : imx219", "1 : imx219")
    assert modes_in(both, 0) == modes_in(told, 0) == MODULE_3
    assert modes_in(both, 1)[3:5] == (
        Mode((3280, 2464), 10, 21.19, (3280, 2464)),
        Mode((640, 480), 8, 206.65, (1280, 960)),
    )
    assert modes_in(both, 2) == modes_in("No cameras available!\n", 0) == ()


def metadata(count, **changes):
    common = {"ExposureTime": "9998", "AnalogueGain": "2.0", "ColourGains": "[ 1.9, 1.7 ]", "AeState": "2"}
    return [common | {name: value(i) for name, value in changes.items()} for i in range(count)]


@pytest.mark.parametrize(
    ("frames", "rests"),
    [
        (metadata(10), True),
        (metadata(9), False),
        (metadata(10, ExposureTime=lambda i: str(9998 - 400 * (i == 0))), False),
        (metadata(10, ExposureTime=lambda i: str(10000 * 2**i), AnalogueGain=lambda i: str(2 / 2**i)), True),
        (metadata(10, ColourGains=lambda i: f"[ 1.9, {1.7 + 0.01 * i} ]"), False),
        (metadata(10, AeState=lambda _: "1"), False),
        (metadata(10, AfState=lambda i: "1" if i == 9 else "2"), False),
        (metadata(10, AfState=lambda _: "0"), False),
        (metadata(10, AfState=lambda _: "3"), True),
        ([{"ExposureTime": "9998"}] * 10, True),
    ],
)
def test_light_and_lens_are_at_rest_when_ten_frames_are_alike(frames, rests):
    assert at_rest(frames, focused=True) == rests


def test_a_lens_that_is_held_is_not_waited_for():
    assert at_rest(metadata(10, AfState=lambda _: "0"), focused=False)


def test_what_cv2_tells_the_dynamic_linker_is_kept_from_the_child(world, monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/somewhere/cv2/../../lib64:")
    with source() as opened:
        assert opened.grab() is not None


def test_the_size_is_told_whatever_the_library_is_to_log(world, monkeypatch):
    monkeypatch.setenv("LIBCAMERA_LOG_LEVELS", "*:FATAL")
    with pytest.raises(DeviceLost, match=r"it has no 10112 x 2592 pixels"), source(size=(9999, 2592)):
        pass


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
        ("", {"size": (9999, 2592)}, "it has no 10112 x 2592 pixels: ask for 4608 x 2592"),
        ("", {"options": ["--no"]}, f"{STAND_IN} ended with status 255: ERROR: *** unrecognised option '--no' ***"),
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
