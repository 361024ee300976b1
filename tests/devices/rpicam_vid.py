#!/usr/bin/env -S python3 -S
"""A stand-in for ``rpicam-vid``: its options, its messages, its metadata and its frames, on any machine, with the
standard library.

It shows four fields, black, white, red and blue, above a line of noise, in I420 of full range and rows padded to 64
bytes, written in pieces of an odd size. It has Camera Module 3, of 4608 × 2592 pixels: what is asked beyond that is cut
to it. Light and lens need some frames to settle, and what was fixed stays as it was given. As with the real one
(``core/options.cpp``, ``core/rpicam_app.cpp``, ``output/output.cpp`` of rpicam-apps) an option that it does not know
ends it, and one that the camera cannot follow is passed over in silence.

What happens to it is told by the environment variable RPICAM_VID, for want of an option that the real one does not
have: words of ``WORLD``, the ones with a number as ``freeze=3``, after so many frames. The file RPICAM_TOLD gets a line
for each run: what it was asked.
"""

from __future__ import annotations

import os
import signal
import sys
import time

WORLD = {
    "absent": "no camera is connected",
    "busy": "another program has it",
    "deaf": "does not end when asked to",
    "chatty": "says 100 KB with each frame",
    "imx219": "is Camera Module 2, whose lens does not move",
    "pisp": "is on a Pi 5, where rows have a multiple of 128 bytes",
    "slow": "needs so many milliseconds to start",
    "restless": "the light never settles",
    "plain": "the lens finds nothing to focus on",
    "unlisted": "does not tell its modes",
    "stop": "sends no more frames, and says nothing",
    "half": "stops in the middle of the next frame",
    "timeout": "sends no more frames, and says that the sensor is silent",
    "freeze": "sends the last frame again and again",
    "dusk": "it gets dark",
    "die": "ends with an error",
    "kill": "is killed",
    "end": "ends as if nothing were wrong",
}
PIECE = 65521
FIELDS = ((0, 128, 128), (255, 128, 128), (76, 85, 255), (29, 255, 107))  # YUV of JPEG: black, white, red, blue
LARGEST = {"imx708": (4608, 2592), "imx219": (3280, 2464)}
LISTED = {
    "imx708": """\
0 : imx708 [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
                             2304x1296 [56.03 fps - (0, 0)/4608x2592 crop]
                             4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]
""",
    "imx219": """\
0 : imx219 [3280x2464 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx219@10)
    Modes: 'SRGGB10_CSI2P' : 640x480 [206.65 fps - (1000, 752)/1280x960 crop]
                             1640x1232 [41.85 fps - (0, 0)/3280x2464 crop]
                             1920x1080 [47.57 fps - (680, 692)/1920x1080 crop]
                             3280x2464 [21.19 fps - (0, 0)/3280x2464 crop]
           'SRGGB8' : 640x480 [206.65 fps - (1000, 752)/1280x960 crop]
                      1640x1232 [83.70 fps - (0, 0)/3280x2464 crop]
                      1920x1080 [47.57 fps - (680, 692)/1920x1080 crop]
                      3280x2464 [21.19 fps - (0, 0)/3280x2464 crop]
""",
}
LIGHT_RESTS, LENS_RESTS = 8, 12  # after so many frames

FLAGS = ("nopreview", "flush", "list-cameras", "hflip")
SHORT = {"-n": "nopreview", "-t": "timeout", "-o": "output"}
KNOWN: dict[str, tuple[type, object]] = {
    "timeout": (int, 5000),
    "output": (str, ""),
    "camera": (int, 0),
    "width": (int, 640),
    "height": (int, 480),
    "framerate": (float, 30.0),
    "codec": (str, "h264"),
    "mode": (str, ""),
    "roi": (str, "0,0,0,0"),
    "shutter": (str, "0"),
    "gain": (float, 0.0),
    "awbgains": (str, "0,0"),
    "exposure": (str, "normal"),
    "flicker-period": (str, "0s"),
    "autofocus-mode": (str, "default"),
    "lens-position": (str, ""),
    "metadata": (str, ""),
    "metadata-format": (str, "json"),
}


def fail(message: str) -> None:
    say(f"ERROR: *** {message} ***")
    sys.exit(255)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def options(words: list[str]) -> dict:
    """What was asked; as Boost's ``program_options`` and ``Options::Parse`` take it."""
    asked = {name: default for name, (_, default) in KNOWN.items()} | dict.fromkeys(FLAGS, False)
    words = list(words)
    while words:
        word = words.pop(0)
        name = SHORT.get(word, word.removeprefix("--"))
        if not word.startswith("-"):
            fail("too many positional options have been specified on the command line")
        elif name in FLAGS:
            asked[name] = True
        elif name not in KNOWN:
            fail(f"unrecognised option '{word}'")
        elif not words or words[0].startswith("--"):
            fail(f"the required argument for option '{word}' is missing")
        else:
            value = words.pop(0)
            try:
                asked[name] = KNOWN[name][0](value)
            except ValueError:
                fail(f"the argument ('{value}') for option '{word}' is invalid")
    check(asked)
    return asked


def check(asked: dict) -> None:
    if asked["exposure"] not in ("normal", "sport", "short", "long", "custom"):
        fail(f"Invalid exposure mode:{asked['exposure']}")
    if asked["autofocus-mode"] not in ("default", "manual", "auto", "continuous"):
        fail(f"Invalid AfMode:{asked['autofocus-mode']}")
    if len(numbers(asked["awbgains"], ",")) != 2:
        fail("Invalid AWB gains")
    if asked["lens-position"] not in ("", "default") and not numbers(asked["lens-position"], ","):
        fail(f"Invalid lens position: {asked['lens-position']}")
    if asked["metadata-format"] not in ("json", "txt"):
        fail(f"unrecognised metadata format {asked['metadata-format']}")
    if asked["mode"] and len(numbers(":".join(asked["mode"].split(":")[:2]), ":")) != 2:
        fail("Invalid mode")


def numbers(text: str, between: str) -> list[float]:
    try:
        return [float(part) for part in text.split(between)]
    except ValueError:
        return []


def planes(width: int, height: int, aligned: int) -> list[bytearray]:
    """Y, U and V, rows padded. *height* is even."""
    stride = -(-width // aligned) * aligned
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


def metadata(asked: dict, count: int, world: dict) -> str:
    """Of frame number *count*, as text."""
    still = max(0, LIGHT_RESTS - count)
    shaken = 1.5 if "restless" in world and count % 2 else 1.0
    exposure = int(asked["shutter"]) or round(9998 * 0.8**still * shaken)
    red, blue = numbers(asked["awbgains"], ",")
    if not red:
        red, blue = 1.9 * 0.95**still, 1.7 * 1.05**still
    told = [
        f"ExposureTime={exposure}",
        f"AnalogueGain={asked['gain'] or 2.0 * 0.9**still:.6f}",
        "FrameDuration=66666",
        f"AeState={2 if int(asked['shutter']) or not still else 1}",
        f"ColourGains=[ {red:.6f}, {blue:.6f} ]",
        "FocusFoM=702",
    ]
    if "imx219" not in world:
        seeks = asked["autofocus-mode"] == "auto"
        moves = seeks and count < LENS_RESTS
        fixed = numbers(asked["lens-position"], ",")
        lens = fixed[0] if fixed else 10.0 - 0.5 * count if moves else 1.37
        state = 0 if not seeks else 1 if moves else 3 if "plain" in world else 2
        told += [f"LensPosition={lens:.6f}", f"AfState={state}", "AfPauseState=0"]
    return "\n".join([*told, "ScalerCrop=(0, 0)/4608x2592", "SensorTimestamp=8303502247000"]) + "\n\n"


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
    if "RPICAM_TOLD" in os.environ:
        with open(os.environ["RPICAM_TOLD"], "a") as told:  # noqa: PTH123 (pathlib takes its time to load)
            told.write(" ".join(sys.argv[1:]) + "\n")
    asked = options(sys.argv[1:])
    world = {
        word.partition("=")[0]: int(word.partition("=")[2] or 0) for word in os.environ.get("RPICAM_VID", "").split()
    }
    assert set(world) <= set(WORLD), world
    sensor = "imx219" if "imx219" in world else "imx708"
    if asked["list-cameras"]:
        told = "" if "unlisted" in world else "Available cameras\n-----------------\n" + LISTED[sensor]
        print("No cameras available!" if "absent" in world else told)
        return
    time.sleep(world.get("slow", 0) / 1000)
    say("[0:00:01.1] [300]  INFO Camera camera_manager.cpp:326 libcamera v0.5.2")
    if "absent" in world:
        fail("no cameras available")
    if asked["camera"]:
        fail("selected camera is not available")
    if "busy" in world:
        say("[0:00:01.2] [300]  INFO Camera camera.cpp:1008 Pipeline handler in use by another process")
        fail("failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a")
    if "deaf" in world:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    assert asked["codec"] == "yuv420", "only that is stood in for"
    width, height = min(asked["width"], LARGEST[sensor][0]), min(asked["height"], LARGEST[sensor][1])
    if "LIBCAMERA_LOG_LEVELS" not in os.environ:
        say(
            f"[0:00:01.3] [300]  INFO Camera camera.cpp:1215 configuring streams: (0) {width}x{height}-YUV420/sYCC "
            "(1) 2304x1296-SBGGR10_CSI2P/RAW"
        )
    luma, *chroma = planes(width, height, 128 if "pisp" in world else 64)
    row = len(luma) // height
    began = time.monotonic()
    count = 0
    while not asked["timeout"] or time.monotonic() - began < asked["timeout"] / 1000:
        if "freeze" not in world or count < world["freeze"]:
            luma[-row : len(luma) - row + width] = os.urandom(width)
        if "dusk" in world and count == world["dusk"]:
            luma = bytearray(brightness // 2 for brightness in luma)
        frame = bytes(luma) + b"".join(chroma)
        if asked["output"] == "-":
            for word, after in world.items():
                if after == count:
                    happen(word, frame)
            if "chatty" in world:
                say("x" * 100_000)
            write(frame)
        if asked["metadata"] == "-":
            assert asked["metadata-format"] == "txt", "only that is stood in for"
            write(metadata(asked, count, world).encode())
        count += 1
        time.sleep(1 / asked["framerate"])


if __name__ == "__main__":
    main()
