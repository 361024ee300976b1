"""Keyboard-wedge readers, which type each tag's number like a keyboard: as a port of which a line reader reads.

Such a reader is taken for this program alone (EVIOCGRAB), since what it types would go to whatever has the keyboard, a
login on the console before all; one that cannot be grabbed is not read. What comes are the kernel's input events, one
for each key: those of digits and letters, at the top and on the keypad, become the bytes that a line reader would send,
Enter and Tab end a line. Key codes do not depend on the layout that is set for the keyboard.

The numbers are those of the kernel's ``linux/input-event-codes.h`` and ``linux/input.h``.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct

from .readers import Port

_EVENT = struct.Struct("llHHi")  # seconds, microseconds, type, code, value
_EV_SYN, _EV_KEY = 0, 1
_SYN_DROPPED = 3
_PRESSED = 1
_EVIOCGRAB = 0x40044590
_AT_ONCE = 256

_TYPED = {
    **dict(enumerate("1234567890", 2)),
    **dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True)),  # the keypad
    **dict(enumerate("QWERTYUIOP", 16)),
    **dict(enumerate("ASDFGHJKL", 30)),
    **dict(enumerate("ZXCVBNM", 44)),
    12: "-",
    74: "-",
    13: "=",
    39: ":",
    51: ",",
    57: " ",  # 39 is : with shift, which is of no account here
    28: "\r",
    96: "\r",
    15: "\r",  # Enter, that of the keypad, Tab
}
_SHIFTS = (42, 54)


class Keys:
    """Turns input events into the bytes that they type."""

    def __init__(self) -> None:
        self._begun = b""

    def feed(self, received: bytes) -> bytes:
        """What the events type that *received* completes. What the kernel has dropped spoils the line: it is noise."""
        self._begun += received
        whole = len(self._begun) - len(self._begun) % _EVENT.size
        events, self._begun = self._begun[:whole], self._begun[whole:]
        typed = b""
        for _, _, kind, code, value in _EVENT.iter_unpack(events):
            if kind == _EV_KEY and value == _PRESSED and code not in _SHIFTS:
                typed += _TYPED.get(code, "?").encode()
            elif kind == _EV_SYN and code == _SYN_DROPPED:
                typed += b"?"
        return typed


class KeyboardPort:
    """A keyboard that was opened and grabbed as *handle*, read like a serial line."""

    timeout: float | None = 0.0

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._keys = Keys()

    @property
    def in_waiting(self) -> int:
        return 0

    def fileno(self) -> int:
        return self._handle

    def read(self, size: int, /) -> bytes:
        """What was typed, of however many events; nothing while nothing was. Raises OSError."""
        try:
            received = os.read(self._handle, _EVENT.size * _AT_ONCE)
        except BlockingIOError:
            return b""
        if not received:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return self._keys.feed(received)

    def close(self) -> None:
        os.close(self._handle)  # which also lets it go


def open_keyboard(port: str, baud: int) -> Port:
    """The keyboard at *port*, such as ``/dev/input/by-id/…-event-kbd``, for this program alone. Raises OSError."""
    try:
        handle = os.open(port, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except PermissionError as error:
        raise OSError("not allowed: add this user to the group input") from error
    try:
        fcntl.ioctl(handle, _EVIOCGRAB, 1)
    except OSError as error:
        os.close(handle)
        if error.errno in (errno.ENOTTY, errno.EINVAL):
            raise OSError("this is no keyboard: name one that `ls /dev/input/by-id/*-event-kbd` shows") from error
        raise
    return KeyboardPort(handle)
