"""Keyboard-wedge readers: the keys byte by byte, and a keyboard of the kernel's own (uinput) where there is one."""

import errno
import fcntl
import os
import struct
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import card
from tablepi.devices.readers import LineReader
from tablepi.devices.roles import Role
from tablepi.devices.supervisor import DeviceLost
from tablepi.devices.wedge import KeyboardPort, Keys, open_keyboard
from tablepi.facts import Tag

A = "04A1B2C3D4E580"
ROLE = Role("reader-1", cards={A: card("QS")}, seat=1)
QS = Tag(seat=1, card=card("QS"), uid=A, source="reader-1")
TOP = {**dict(zip("1234567890", range(2, 12), strict=True)), "A": 30, "B": 48, "C": 46, "D": 32, "E": 18, "F": 33}
KEYPAD = dict(zip("7894561230", (71, 72, 73, 75, 76, 77, 79, 80, 81, 82), strict=True))
ENTER, TAB, KEYPAD_ENTER = 28, 15, 96
SHIFT = 42


def event(kind, code, value):
    return struct.pack("llHHi", 1700000000, 123456, kind, code, value)


def pressed(*codes):
    """The events of keys that are pressed, held for long enough to repeat, and let go."""
    one = [event(4, 4, c) + event(1, c, 1) + event(0, 0, 0) + event(1, c, 2) + event(1, c, 0) for c in codes]
    return b"".join(one)


def typed(text, *, keys=TOP, end=ENTER):
    return pressed(*(keys.get(sign, TOP.get(sign)) for sign in text), end)


@pytest.mark.parametrize("keys", [TOP, KEYPAD], ids=["top row", "keypad"])
@pytest.mark.parametrize("end", [ENTER, TAB, KEYPAD_ENTER], ids=["Enter", "Tab", "Enter of the keypad"])
@pytest.mark.parametrize("piece", [1, 7, 24, 5000])
def test_keys_become_the_bytes_of_a_line(keys, end, piece):
    events, told = typed("0012345678", keys=keys, end=end), Keys()
    assert b"".join(told.feed(events[i : i + piece]) for i in range(0, len(events), piece)) == b"0012345678\r"


def test_letters_are_upper_case_with_shift_or_without():
    assert Keys().feed(event(1, SHIFT, 1) + typed("04A1B2") + event(1, SHIFT, 0)) == b"04A1B2\r"


def test_a_key_that_types_nothing_and_keys_that_the_kernel_dropped_spoil_the_line():
    assert Keys().feed(pressed(TOP["0"], 59, TOP["4"])) == b"0?4"
    assert Keys().feed(pressed(TOP["0"]) + event(0, 3, 0) + pressed(TOP["4"])) == b"0?4"


@given(st.binary(max_size=500))
def test_no_events_upset_the_keys(noise):
    assert Keys().feed(noise).isascii()


@contextmanager
def keyboard():
    """A reader of the keys that are written into a pipe: what a keyboard gives, without its grab."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    opened = LineReader("/dev/input/x", ROLE, baud=None, open_port=lambda port, baud: KeyboardPort(ours))
    with opened:
        yield opened, theirs


def test_what_is_typed_is_read_like_a_line():
    with keyboard() as (reader, typing):
        os.write(typing, typed(A)[:100])
        assert reader.read() == ()
        os.write(typing, typed(A)[100:])
        assert reader.read() == (QS,)
        os.close(typing)


def test_a_keyboard_that_is_unplugged_is_lost():
    with keyboard() as (reader, typing):
        os.close(typing)
        with pytest.raises(DeviceLost, match="/dev/input/x: it was unplugged"):
            reader.read()


def test_a_reader_of_keys_can_be_cancelled():
    with keyboard() as (reader, typing):
        threading.Timer(0.05, reader.cancel).start()
        assert reader.read() == ()
        os.close(typing)


def test_what_cannot_be_grabbed_is_not_read(tmp_path):
    (tmp_path / "file").touch()
    for named, why in (("file", "this is no keyboard"), ("nothing", "nothing is plugged in there")):
        with (
            pytest.raises(DeviceLost, match=why),
            LineReader(f"{tmp_path}/{named}", ROLE, baud=None, open_port=open_keyboard),
        ):
            pass


def test_a_keyboard_that_another_program_has_grabbed_is_not_read(tmp_path, monkeypatch):
    def busy(*_):
        raise OSError(errno.EBUSY, "busy")

    (tmp_path / "file").touch()
    monkeypatch.setattr(fcntl, "ioctl", busy)
    with (
        pytest.raises(DeviceLost, match="another program has it open"),
        LineReader(f"{tmp_path}/file", ROLE, baud=None, open_port=open_keyboard),
    ):
        pass


# --- the kernel's own -------------------------------------------------------------------------------------------------

UINPUT = Path("/dev/uinput")
_SET_EVBIT, _SET_KEYBIT, _CREATE, _DESTROY = 0x40045564, 0x40045565, 0x5501, 0x5502


def until_told(reader):
    """The first facts of an open reader; each read waits for keys."""
    while not (told := reader.read()):
        pass
    return told


@contextmanager
def real_keyboard():
    """A keyboard of the kernel's: the path of its events, and a file into which keys are written."""
    if not os.access(UINPUT, os.W_OK):
        pytest.skip("this kernel has no /dev/uinput that may be written")
    before = set(Path("/dev/input").glob("event*"))
    made = os.open(UINPUT, os.O_WRONLY | os.O_NONBLOCK)
    try:
        fcntl.ioctl(made, _SET_EVBIT, 1)
        for code in range(1, 100):
            fcntl.ioctl(made, _SET_KEYBIT, code)
        os.write(made, b"tablepi wedge".ljust(80, b"\0") + struct.pack("HHHHI", 3, 1, 1, 1, 0) + bytes(64 * 4 * 4))
        fcntl.ioctl(made, _CREATE)
        for _ in range(500):
            if new := set(Path("/dev/input").glob("event*")) - before:
                break
            threading.Event().wait(0.01)
        else:
            pytest.skip("the kernel makes a keyboard, but nobody makes its device")
        yield new.pop(), made
    finally:
        os.close(made)


def test_a_real_keyboard_is_grabbed_read_and_lost():
    with real_keyboard() as (path, typing):
        wedge = LineReader(str(path), ROLE, baud=None, open_port=open_keyboard)
        with wedge:
            with (
                pytest.raises(DeviceLost, match="another program has it open"),
                LineReader(str(path), ROLE, baud=None, open_port=open_keyboard),
            ):
                pass
            os.write(typing, typed(A))
            assert until_told(wedge) == (QS,)
            fcntl.ioctl(typing, _DESTROY)
            with pytest.raises(DeviceLost, match="it was unplugged"):
                until_told(wedge)
