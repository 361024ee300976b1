"""Live cameras: the newest frame, losses, leaving; by a pretended USB camera, since every camera shares this."""

from __future__ import annotations

import errno
import os
import queue
import struct
import threading

import cv2
import numpy as np
import pytest

from tablepi.devices import camera as seam
from tablepi.devices.camera import FROZEN_S, LIGHT_S, STOPPED_S, Newest
from tablepi.devices.supervisor import DeviceLost, Supervisor
from tablepi.devices.v4l2 import Controls, V4L2Source
from tablepi.errors import BadInput
from tablepi.facts import Found, Lost

from .usb_camera import Clock, UsbCamera

HD = (1280, 720)


@pytest.fixture
def usb(tmp_path):
    return UsbCamera(tmp_path, Clock())


@pytest.fixture(autouse=True)
def _no_thread_is_left_behind():
    yield
    assert [t.name for t in threading.enumerate() if t.name.endswith("frames")] == []


def seams(usb):
    return {"open_capture": usb.open, "open_controls": usb.open_controls, "clock": usb.clock}


def source(usb, **changes):
    return V4L2Source(str(usb.link), **{"size": HD} | seams(usb) | changes)


def seen(frame):
    """Which picture a frame is, and how many seconds after the start of the clock it came."""
    return int(frame.image[0, 0, 0]), round(frame.at - 100.0, 3)


def why_lost(opened):
    with pytest.raises(DeviceLost) as lost:
        list(iter(opened.grab, None))
    return str(lost.value)


# --- the pretended camera ---------------------------------------------------------------------------------------------


def test_the_pretended_camera_takes_a_size_for_the_format_that_is_set(usb):
    capture = usb.open(str(usb.link))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1280)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 720)
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    assert capture.size == (640, 480)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 720)
    assert capture.size == (1280, 720)


def test_the_pretended_camera_gives_its_acts_and_then_nothing(usb):
    capture = usb.open(str(usb.link))
    usb.show(7)
    got, image = capture.read()
    assert (got, image.shape, image[0, 0].tolist(), usb.clock.now) == (True, (480, 640, 3), [7, 7, 7], 100.1)
    assert capture.read() == (False, None)
    usb.wait()


def test_the_pretended_camera_fails_when_it_is_unplugged_and_gets_another_number(usb):
    capture = usb.open(os.path.realpath(usb.link))
    usb.unplug()
    assert capture.read() == (False, None)
    usb.plug(1)
    assert capture.read() == (False, None)
    assert usb.link.resolve().name == "video1"


def test_the_pretended_camera_refuses_what_it_sets_by_itself_or_does_not_have(usb):
    controls = usb.open_controls(str(usb.link))
    assert [controls.set(0x009A0902, 100), controls.set(0x009A0901, 0), controls.set(0x009A0901, 1)] == [0, 0, 1]
    assert [controls.set(0x009A0902, 100), controls.get(0x009A0902)] == [True, 100]
    del usb.controls["focus"]
    assert [controls.set(0x009A090A, 10), controls.get(0x009A090A)] == [False, None]
    assert usb.controls_set == [("auto_exposure", 1), ("exposure", 100)]


# --- frames -----------------------------------------------------------------------------------------------------------


def test_a_frame_is_what_the_camera_saw_and_when(usb):
    usb.show(1)
    with source(usb) as opened:
        frame = opened.grab()
        assert seen(frame) == (1, 0.1)
        assert (frame.image.shape, frame.image.dtype) == ((720, 1280, 3), np.uint8)
        usb.show(2)
        assert seen(opened.grab()) == (2, 0.2)
    assert (usb.opened, usb.released, opened.dropped) == (1, 1, 0)


def test_the_newest_frame_wins_and_those_it_replaced_are_counted(usb):
    usb.show(1)
    camera = source(usb)
    with camera as opened:
        usb.show(2, 3, 4)
        usb.wait()
        assert seen(opened.grab()) == (4, 0.4)
        assert opened.dropped == 3
        usb.show(5)
        usb.wait()
        assert seen(opened.grab()) == (5, 0.5)
        usb.show(6)
        usb.wait()
    usb.show(7)
    with camera as opened:
        assert seen(opened.grab()) == (7, 0.7)
    assert camera.dropped == 3


def test_every_frame_is_either_given_or_counted_as_dropped(usb):
    numbers = range(200)
    for number in numbers:
        usb.give(lambda number=number: usb.picture(number, (64, 48)))
    camera = source(usb, size=(64, 48))
    given = []
    with camera as opened:
        while numbers[-1] not in given:
            given.append(seen(opened.grab())[0])
    assert given == sorted(set(given))
    assert len(given) + camera.dropped == len(numbers)


def test_compressed_pictures_are_asked_for_before_the_size(usb):
    usb.show(1)
    with source(usb) as opened:
        assert opened.grab().image.shape == (720, 1280, 3)


def test_a_camera_without_the_size_that_is_asked_gives_its_own_and_says_so_once(usb, caplog):
    camera = source(usb, size=(1920, 1080))
    for _ in range(2):
        usb.show(1)
        with camera as opened:
            assert opened.grab().image.shape == (720, 1280, 3)
    assert caplog.messages == [f"{usb.link}: gives 1280 x 720 pixels, not 1920 x 1080 as asked"]


@pytest.mark.parametrize(
    "damage", [(False, None), (True, None), (True, np.zeros((1, 999), np.uint8)), cv2.error("bad")]
)
def test_a_damaged_frame_is_none(usb, damage):
    def act():
        if isinstance(damage, Exception):
            raise damage
        return damage

    usb.do(act)
    usb.show(2)
    with source(usb) as opened:
        assert seen(opened.grab()) == (2, 0.1)


def test_a_camera_that_does_not_compress_is_used_and_said_once(usb, caplog):
    usb.formats = {"YUYV": ((640, 480), (1280, 720))}
    camera = source(usb)
    for _ in range(2):
        usb.show(1)
        with camera as opened:
            assert opened.grab().image.shape == (720, 1280, 3)
    assert caplog.messages == [f"{usb.link}: gives uncompressed pictures (YUYV), not MJPEG: large ones come seldom"]


# --- what a camera does by itself -------------------------------------------------------------------------------------

FREE = [("power_line", 1), ("varies_fps", 0), ("auto_focus", 1), ("auto_white", 1), ("auto_exposure", 3)]
HELD = [
    *(("auto_focus", 0), ("focus", 35), ("auto_white", 0), ("white", 4100)),
    *(("auto_exposure", 1), ("exposure", 157), ("gain", 40)),
]


def look(usb, opened, seconds, brightness=100):
    """So many *seconds* of frames, each as bright as that on the whole."""

    def frame():
        image = usb.picture(0, (64, 48))
        image[:] = image // 32 + brightness  # of which the mean is a little more
        return image

    for _ in range(round(seconds / usb.every)):
        usb.give(frame)
    usb.wait()
    opened.grab()


def test_exposure_white_balance_and_focus_settle_and_are_held(usb):
    usb.controls |= {"auto_exposure": 1, "auto_white": 0, "auto_focus": 0}  # somebody has left them so
    usb.show(1)
    with source(usb) as opened:
        assert usb.controls_set == FREE
        look(usb, opened, 1.9)
        assert usb.controls_set == FREE
        look(usb, opened, 0.3)
        assert usb.controls_set == FREE + HELD
        look(usb, opened, 20)
    assert usb.controls_set == FREE + HELD
    assert usb.controls_closed == 1


def test_a_camera_has_only_what_it_has(usb):
    usb.controls = {"auto_exposure": 3, "exposure": 157}
    usb.show(1)
    with source(usb, mains=60) as opened:
        look(usb, opened, 3)
    assert usb.controls_set == [("auto_exposure", 3), ("auto_exposure", 1), ("exposure", 157)]


def test_an_exposure_that_is_given_is_set_at_once(usb):
    usb.show(1)
    with source(usb, exposure_ms=10.0, mains=60) as opened:
        assert usb.controls_set == [("power_line", 2), *FREE[1:4], ("auto_exposure", 1), ("exposure", 100)]
        look(usb, opened, 5)
    assert usb.controls_set[6:] == HELD[:4]


def test_an_exposure_that_is_not_taken_is_said(usb, caplog):
    del usb.controls["exposure"]
    usb.show(1)
    with source(usb, exposure_ms=10.0):
        pass
    assert caplog.messages == [f"{usb.link}: does not take an exposure of 10 ms"]


def test_what_is_to_follow_is_not_held(usb):
    usb.show(1)
    with source(usb, hold=False) as opened:
        look(usb, opened, 20)
    assert usb.controls_set == FREE


def test_a_picture_that_is_another_once_it_is_held_is_set_free_again(usb, caplog):
    usb.show(1)
    with source(usb, size=(64, 48)) as opened:
        look(usb, opened, 2.2)
        look(usb, opened, 20, brightness=30)
    assert usb.controls_set == [*FREE, *HELD, ("auto_white", 1), ("auto_exposure", 3)]
    assert caplog.messages == [f"{usb.link}: its exposure cannot be held, so it follows the light"]


def test_when_the_light_has_changed_for_good_exposure_settles_anew(usb):
    usb.show(1)
    with source(usb) as opened:
        look(usb, opened, 5)
        assert usb.controls_set == FREE + HELD
        look(usb, opened, LIGHT_S - 1, brightness=40)  # a shadow
        look(usb, opened, 1)
        look(usb, opened, LIGHT_S - 1, brightness=40)
        assert usb.controls_set == FREE + HELD
        look(usb, opened, 2, brightness=40)
        assert usb.controls_set == [*FREE, *HELD, *FREE[3:]]
        look(usb, opened, 5)
    assert usb.controls_set == [*FREE, *HELD, *FREE[3:], *HELD]


def test_a_camera_without_controls_is_seen_as_well(usb):
    def refuse(path):
        raise OSError(errno.EBUSY, "busy")

    usb.show(1)
    with source(usb, open_controls=refuse) as opened:
        look(usb, opened, 5)


def test_controls_are_read_and_set_as_the_driver_wants_it(tmp_path, monkeypatch):
    has = {0x009A0902: 157}

    def ioctl(_, request, told):
        control, value = struct.unpack("Ii", told)
        if control not in has:
            raise OSError(errno.EINVAL, "Invalid argument")
        if request == 0xC008561C:  # VIDIOC_S_CTRL
            has[control] = value
        elif request == 0xC008561B:  # VIDIOC_G_CTRL
            told[4:] = struct.pack("i", has[control])

    monkeypatch.setattr("fcntl.ioctl", ioctl)
    node = tmp_path / "video0"
    node.touch()
    controls = Controls(str(node))
    assert [controls.get(0x009A0902), controls.set(0x009A0902, -3), controls.get(0x009A0902)] == [157, True, -3]
    assert [controls.get(1), controls.set(1, 1)] == [None, False]
    controls.close()


# --- opening ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (errno.EACCES, "not allowed: add this user to the group that owns it (video)"),
        (errno.EPERM, "not allowed: add this user to the group that owns it (video)"),
        (errno.EBUSY, "another program has it open"),
        (errno.ENODEV, "it was unplugged"),
        (errno.ENOTTY, "this is not a camera"),
        ("OpenCV cannot open it", "OpenCV cannot open it"),
        (errno.EMFILE, "[Errno 24] Too many open files"),
    ],
)
def test_a_camera_that_cannot_be_opened_says_why(usb, error, why):
    def refuse(path):
        raise OSError(error, os.strerror(error)) if isinstance(error, int) else OSError(error)

    with pytest.raises(DeviceLost) as lost, source(usb, open_capture=refuse):
        pass
    assert str(lost.value) == f"{usb.link}: {why}"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("{folder}/nothing", "nothing is plugged in there"),
        ("{folder}", "this is a folder, not a camera"),
        ("{folder}/file", "this is not a camera"),
        ("/dev/null", "this is not a camera"),
        ("{tty}", "this is not a camera"),
    ],
)
def test_what_is_no_camera_is_not_opened(tmp_path, capfd, path, why):
    (tmp_path / "file").touch()
    ends = os.openpty()
    where = path.format(folder=tmp_path, tty=os.ttyname(ends[1]))
    with pytest.raises(DeviceLost) as lost, V4L2Source(where):
        pass
    for end in ends:
        os.close(end)
    assert str(lost.value) == f"{where}: {why}"
    assert capfd.readouterr() == ("", "")


def kernel(driver="uvcvideo", of_this=0x04200001, error=None):
    """What stands in for a driver's answers: to what it is, and to whether it is free."""

    def ioctl(device, request, told):
        if request == 0x80685600:
            told[:] = struct.pack("16s32s32sIII12x", driver.encode(), b"Webcam", b"usb-1", 0x60000, 0x84A00001, of_this)
        elif error is not None:
            raise OSError(error, os.strerror(error))

    return ioctl


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"error": errno.EBUSY}, "another program has it open"),
        ({"of_this": 0x04A00000}, "this part of the camera gives no pictures: name the one that ends in -video-index0"),
        ({"driver": "unicam"}, "this is the Raspberry Pi's own camera: name it rpicam"),
        ({"driver": "rp1-cfe"}, "this is the Raspberry Pi's own camera: name it rpicam"),
        ({}, "OpenCV cannot open it: unplug it and plug it in again"),
        ({"error": errno.EINVAL}, "OpenCV cannot open it: unplug it and plug it in again"),  # it has no such buffers
    ],
)
def test_a_camera_is_asked_what_it_is_before_opencv_opens_it(tmp_path, monkeypatch, answers, why):
    monkeypatch.setattr("fcntl.ioctl", kernel(**answers))
    node = tmp_path / "video0"
    node.touch()
    with pytest.raises(DeviceLost) as lost, V4L2Source(str(node)):
        pass
    assert str(lost.value) == f"{node}: {why}"


def test_a_camera_is_named_by_its_stable_path_and_not_by_a_number():
    with pytest.raises(BadInput, match=r"^0: cameras change their numbers: .*/dev/v4l/by-id/"):
        V4L2Source("0")


def test_a_camera_that_gives_no_frame_is_not_open(usb, monkeypatch):
    monkeypatch.setattr(seam, "OPENING_S", 0.0)
    with pytest.raises(DeviceLost, match=r"index0: no frame for 0 s$"), source(usb):
        pass
    assert (usb.opened, usb.released) == (1, 1)


def test_the_link_is_followed_anew_at_each_opening(usb):
    camera = source(usb)
    for number in (1, 2):
        usb.show(number)
        with camera as opened:
            assert seen(opened.grab())[0] == number
        usb.unplug()
        usb.plug(number)


# --- losses -----------------------------------------------------------------------------------------------------------


def test_a_camera_that_stops_is_lost_after_a_while_and_not_before(usb):
    usb.show(1)
    with source(usb) as opened:
        opened.grab()
        usb.wait()
        usb.clock.now += STOPPED_S - 0.2
        usb.show(2)
        assert seen(opened.grab()) == (2, STOPPED_S)
        usb.wait()
        usb.clock.now += STOPPED_S
        assert why_lost(opened) == f"{usb.link}: no frame for 3 s"


def test_a_camera_that_repeats_one_frame_for_ever_is_lost(usb):
    same = usb.picture(1)
    usb.show(0)
    with source(usb) as opened:
        for _ in range(round(FROZEN_S / usb.every)):
            usb.give(lambda: same)
        usb.wait()
        assert seen(opened.grab()) == (1, 5.1)
        usb.give(lambda: same)
        usb.give(lambda: same)
        usb.wait()
        assert why_lost(opened) == f"{usb.link}: the same picture again and again"


def test_a_scene_in_which_nothing_moves_is_not_frozen(usb):
    still = usb.picture(1)

    def noisy():
        still[719, 1279, 2] ^= 1
        return still

    usb.show(0)
    with source(usb) as opened:
        for _ in range(40):
            for _ in range(5):
                usb.give(noisy)
            usb.wait()
            assert opened.grab() is not None
    assert usb.clock.now - 100 > 3 * FROZEN_S


def test_a_camera_that_sees_nothing_is_told_so(usb):
    def black():
        return np.zeros((720, 1280, 3), np.uint8)

    usb.every = FROZEN_S
    usb.give(black)
    with source(usb) as opened:
        usb.give(black)
        assert why_lost(opened) == (
            f"{usb.link}: the same picture again and again, and nothing to be seen in it: "
            "is the lens covered, or the room dark?"
        )


def test_a_frozen_camera_is_not_open_before_it_gives_another_frame(usb, monkeypatch):
    usb.every = FROZEN_S
    same = usb.picture(1)
    camera = source(usb)
    usb.give(lambda: same)
    with camera as opened:
        usb.give(lambda: same)
        assert why_lost(opened) == f"{usb.link}: the same picture again and again"
    usb.every = 0.1
    usb.give(lambda: same)
    with monkeypatch.context() as hurry:
        hurry.setattr(seam, "OPENING_S", 0.0)
        with pytest.raises(DeviceLost, match=r"the same picture again and again$"), camera:
            pass
    usb.give(lambda: same)
    usb.show(2)
    with camera as opened:
        assert seen(opened.grab())[0] == 2


def test_an_unplugged_camera_is_lost_at_once_though_its_reads_only_fail(usb):
    usb.show(1)
    with source(usb) as opened:
        opened.grab()
        usb.unplug()
        assert why_lost(opened) == f"{usb.link}: it was unplugged"


def test_a_bug_in_the_thread_is_raised_where_frames_are_waited_for(usb):
    bug = ZeroDivisionError("a bug")

    def act():
        raise bug

    usb.show(1)
    with source(usb) as opened:
        opened.grab()
        usb.do(act)
        with pytest.raises(ZeroDivisionError) as raised:
            opened.grab()
    assert raised.value is bug
    assert usb.released == 1


class Watched:
    """A camera as a device of a supervisor: the number of each frame is a fact."""

    def __init__(self, camera):
        self.name = "camera"
        self.camera = camera
        self.cancel = camera.cancel

    def __enter__(self):
        return self.camera.__enter__()

    def __exit__(self, *exc):
        return self.camera.__exit__(*exc)

    def read(self):
        frame = self.camera.grab()
        return () if frame is None else (seen(frame)[0],)


def test_unplugged_is_lost_once_and_replugged_is_found_and_sees_again(usb):
    inbox = queue.Queue()
    usb.show(1)
    with Supervisor([Watched(source(usb))], inbox, backoff_s=(0.001,)):
        assert inbox.get(timeout=5) == 1
        usb.unplug()
        assert inbox.get(timeout=5) == Lost(device="camera", reason=f"{usb.link}: it was unplugged")
        usb.plug(3)
        usb.show(2)
        assert inbox.get(timeout=5) == Found(device="camera")
        assert inbox.get(timeout=5) == 2
    assert inbox.empty()
    assert usb.opened == usb.released == 2


# --- leaving ----------------------------------------------------------------------------------------------------------


def elsewhere(call):
    """*call* in another thread; what it returns is in the queue."""
    told = queue.Queue()
    threading.Thread(target=lambda: told.put(call()), daemon=True).start()
    return told


def test_cancel_wakes_who_waits_for_a_frame_until_the_camera_is_opened_again(usb):
    usb.show(1)
    camera = source(usb)
    with camera as opened:
        opened.grab()
        told = elsewhere(opened.grab)
        opened.cancel()
        assert told.get(timeout=5) is None
        usb.show(2)
        assert opened.grab() is None
    usb.forget()  # the second, if the camera was left before it came
    usb.show(3)
    with camera as opened:
        assert seen(opened.grab())[0] == 3


def test_cancel_of_a_camera_that_is_not_open_is_nothing(usb):
    usb.show(1)
    camera = source(usb)
    camera.cancel()
    with camera as opened:
        assert seen(opened.grab())[0] == 1
    camera.cancel()


def test_cancel_wakes_an_opening_that_hangs(usb):
    opening, go_on = threading.Event(), threading.Event()

    def hang(path):
        opening.set()
        go_on.wait(5)
        return usb.open(path)

    camera = source(usb, open_capture=hang)
    told = elsewhere(camera.__enter__)
    assert opening.wait(5)
    camera.cancel()
    assert told.get(timeout=5) is camera
    assert camera.grab() is None
    go_on.set()
    camera.__exit__(None, None, None)
    assert usb.opened == usb.released == 1


def test_a_driver_that_hangs_keeps_nobody_and_is_not_opened_a_second_time(usb, monkeypatch):
    hanging, go_on = threading.Event(), threading.Event()

    def hang():
        hanging.set()
        go_on.wait(5)
        return True, usb.picture(9)

    usb.show(1)
    camera = source(usb)
    with monkeypatch.context() as hurry:
        hurry.setattr(seam, "_LEAVE_S", 0.01)
        with camera as opened:
            opened.grab()
            usb.do(hang)
            assert hanging.wait(5)
    with pytest.raises(DeviceLost, match=r"index0: its driver does not answer any more: unplug the camera"), camera:
        pass
    go_on.set()
    camera._thread.join(5)
    usb.show(2)
    with camera as opened:
        assert seen(opened.grab())[0] == 2
    assert usb.opened == usb.released == 2


def test_who_waits_in_another_thread_is_woken_when_the_camera_is_left(usb):
    usb.show(1)
    with source(usb) as opened:
        opened.grab()
        told = elsewhere(opened.grab)
    assert told.get(timeout=5) is None


def test_a_frame_that_came_before_the_camera_failed_is_seen_and_then_the_failure():
    """A camera may die before anybody has looked at its first frames."""
    newest, image = Newest(lambda: 5.0), np.zeros((2, 2, 3), np.uint8)
    newest.put(image)
    newest.fail(DeviceLost("it is gone"))
    assert newest.take() == (image, 5.0)
    with pytest.raises(DeviceLost, match="it is gone"):
        newest.take()
