#!/usr/bin/env -S python3 -S
"""A stand-in for ``rpicam-vid``: its options, its messages and its frames, on any machine, with the standard library.

It shows four fields, black, white, red and blue, above a line of noise, in I420 of full range and rows padded to 64
bytes, written in pieces of an odd size. A sensor of 4608 × 2592 pixels: what is asked beyond that is cut to it.

What happens to it is told by the environment variable RPICAM_VID, for want of an option that the real one does not
have: words of ``WORLD``, the ones with a number as ``freeze=3``, after so many frames.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time

WORLD = {
    "absent": "no camera is connected",
    "busy": "another program has it",
    "deaf": "does not end when asked to",
    "chatty": "says 100 KB with each frame",
    "stop": "sends no more frames, and says nothing",
    "half": "stops in the middle of the next frame",
    "timeout": "sends no more frames, and says that the sensor is silent",
    "freeze": "sends the last frame again and again",
    "die": "ends with an error",
    "kill": "is killed",
    "end": "ends as if nothing were wrong",
}
PIECE = 65521
LARGEST = (4608, 2592)
FIELDS = ((0, 128, 128), (255, 128, 128), (76, 85, 255), (29, 255, 107))  # YUV of JPEG: black, white, red, blue


class Options(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        fail(message)


def fail(message: str) -> None:
    say(f"ERROR: *** {message} ***")
    sys.exit(255)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def options() -> argparse.Namespace:
    known = Options(allow_abbrev=False, add_help=False)
    known.add_argument("-t", "--timeout", type=int, default=5000)
    known.add_argument("-n", "--nopreview", action="store_true")
    known.add_argument("-o", "--output", default="")
    known.add_argument("--camera", type=int, default=0)
    known.add_argument("--width", type=int, default=640)
    known.add_argument("--height", type=int, default=480)
    known.add_argument("--framerate", type=float, default=30.0)
    known.add_argument("--codec", default="h264")
    known.add_argument("--flush", action="store_true")
    known.add_argument("--shutter", default="0")
    known.add_argument("--autofocus-mode", default="default")
    known.add_argument("--lens-position", default="")
    known.add_argument("--list-cameras", action="store_true")
    return known.parse_args()


def planes(width: int, height: int) -> list[bytearray]:
    """Y, U and V, rows padded. *height* is even."""
    stride = -(-width // 64) * 64
    drawn = []
    for plane, scale in ((0, 1), (1, 2), (2, 2)):
        wide, row = -(-width // scale), stride // scale
        rows = [
            (
                bytes([FIELDS[2 * below][plane]]) * (wide // 2)
                + bytes([FIELDS[2 * below + 1][plane]]) * (wide - wide // 2)
            )
            for below in (0, 1)
        ]
        half = height // scale // 2
        drawn.append(bytearray(rows[0].ljust(row, b"\0") * half + rows[1].ljust(row, b"\0") * (height // scale - half)))
    return drawn


def write(content: bytes) -> None:
    for start in range(0, len(content), PIECE):
        piece = content[start : start + PIECE]
        while piece:
            piece = piece[os.write(1, piece) :]


def rest() -> None:
    while True:
        time.sleep(3600)


def happen(word: str, frame: bytes) -> None:
    """What *word* of the world means; nothing for a camera that is well."""
    if word == "half":
        write(frame[: len(frame) // 2])
    if word == "timeout":
        say("[0:00:09.5] [301]  WARN V4L2 v4l2_videodevice.cpp:2095 /dev/video4[16:cap]: Dequeue timer has expired!")
        say("[0:00:09.5] [301] ERROR RPI pipeline_base.cpp:1364 Camera frontend has timed out!")
        say("ERROR: Device timeout detected, attempting a restart!!!")
    if word in ("stop", "half", "timeout"):
        rest()
    if word == "die":
        fail("failed to queue request")
    if word == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "end":
        sys.exit(0)


def main() -> None:
    if "LD_LIBRARY_PATH" in os.environ:  # what cv2 puts there
        say("rpicam-vid: symbol lookup error: libcamera.so: undefined symbol")
        sys.exit(127)
    asked = options()
    world = {
        word.partition("=")[0]: int(word.partition("=")[2] or 0) for word in os.environ.get("RPICAM_VID", "").split()
    }
    assert set(world) <= set(WORLD), world
    if asked.list_cameras:
        print("No cameras available!" if "absent" in world else "Available cameras\n0 : imx708 [4608x2592 10-bit RGGB]")
        return
    say("[0:00:01.1] [300]  INFO Camera camera_manager.cpp:326 libcamera v0.5.2")
    if "absent" in world:
        fail("no cameras available")
    if asked.camera:
        fail("selected camera is not available")
    if "busy" in world:
        say("[0:00:01.2] [300]  INFO Camera camera.cpp:1008 Pipeline handler in use by another process")
        fail("failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a")
    if "deaf" in world:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    assert (asked.codec, asked.output) == ("yuv420", "-"), "only that is stood in for"
    width, height = min(asked.width, LARGEST[0]), min(asked.height, LARGEST[1])
    say(
        f"[0:00:01.3] [300]  INFO Camera camera.cpp:1215 configuring streams: (0) {width}x{height}-YUV420/sYCC "
        "(1) 2304x1296-SBGGR10_CSI2P/RAW"
    )
    luma, *chroma = planes(width, height)
    row = len(luma) // height
    began = time.monotonic()
    count = 0
    while not asked.timeout or time.monotonic() - began < asked.timeout / 1000:
        if "freeze" not in world or count < world["freeze"]:
            luma[-row : len(luma) - row + width] = os.urandom(width)
        frame = bytes(luma) + b"".join(chroma)
        for word, after in world.items():
            if after == count:
                happen(word, frame)
        if "chatty" in world:
            say("x" * 100_000)
        write(frame)
        count += 1
        time.sleep(1 / asked.framerate)


if __name__ == "__main__":
    main()
