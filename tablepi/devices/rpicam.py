"""The Raspberry Pi's own camera, through its program ``rpicam-vid`` as a child process.

Its Python library is bound to the system's numpy and does not live in an environment of one's own; the program has no
such ties. It writes each frame to its standard output as I420: brightness at full size, then two planes of colour at
half of it. It is started up to three times:

    --list-cameras --> the sensor's modes --> --metadata: light and lens settle --> frames, all of it held

Nothing can be held while it runs, and what an automatic finds differs from start to start. So the values that it has
settled at are read from the metadata of a run without frames, and given to the run that shows the table. Learnt of the
program, from its sources (https://github.com/raspberrypi/rpicam-apps) where nothing else is said:

* Rows are padded, to 64 bytes on a Pi 4; on a Pi 5 those of colour are, so that brightness has a multiple of 128
  (``computeOptimalStride`` in libcamera's pisp.cpp). So that many pixels are asked for, and nothing is padded.
* A size that the sensor does not have is changed, which only a line among its messages tells. Read at the wrong size
  the frames would be stripes.
* Of the sensor's modes it takes one of the right shape, also if that shows the middle of the field alone, as Camera
  Module 2 has one at 1920 x 1080 (``selectMode``). So the mode is named.
* For I420 it uses the colours of JPEG: brightness from 0 to 255 (``get_colourspace_flags``). OpenCV takes it for
  television's 16 to 235, which would blow out white cards.
* What a camera cannot do is passed over in silence: a lens that does not move has no LensPosition among its metadata.
* Autofocus hunts when a hand comes near, and the same position is not the same distance with every module
  (https://github.com/raspberrypi/picamera2/issues/1098).
* Lamps flicker twice in a period of the mains. An exposure of a multiple of that shows no stripes.
* OpenCV sets LD_LIBRARY_PATH at its import, to libraries that are not the program's
  (https://github.com/opencv/opencv-python/issues/1268).
* Ctrl-C at a terminal goes to all processes of its group, and would tell us of a lost camera while we leave: the child
  has a group of its own.
* Nothing ends it when we are killed while it has no frame to write, and it would keep the camera from whoever comes
  next. ``setpriv`` (util-linux, on every Debian) has the kernel kill it as soon as the thread that started it is gone,
  however that ended.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import selectors
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import IO, Self

import cv2
import numpy as np

from ..errors import shown
from ..frames import Frame
from .camera import FPS, Camera, Image, Light, LiveSource, Size
from .supervisor import DeviceLost

log = logging.getLogger(__name__)

SIZE = (2304, 1296)
"""The whole field of Camera Module 3 in its middle mode. Other sensors are asked for as many rows."""

ALIGNED = 128
"""Pixels of which the width is a multiple."""

HEIGHT_CM = 70.0
"""How high above the table the lens is taken to be when it finds nothing to focus on."""

SETTLED = 10
"""Frames in a row whose light is the same: then it has settled."""

SETTLING_S = 6.0
"""Seconds after which it is taken as it is: the light of a flickering lamp never comes to rest."""

SLACK = 0.9
"""Of the frames a second that are asked for: a mode with so many is fast enough."""

_SAME = 1.03
"""How much two measures of the same light may differ."""

_FOCUSED, _NOT_FOCUSED = "2", "3"
_SEARCHING = "1"
"""Of AfState and AeState (libcamera's control_ids_core.yaml)."""

_WAIT_S = 0.5
"""Longest wait for bytes: so late is a stop noticed when no frames come."""

_TERM_S = 1.0
"""Seconds that the child gets to end when it is asked to."""

_LINES = 20
"""How many of its last messages are kept."""

_LONGEST = 4096
"""Bytes of a message without an end."""

_MEANING = {
    "no cameras available": "no camera is connected: switch off, and look at both ends of its ribbon cable",
    "selected camera is not available": "there is no camera of this number: rpicam-hello --list-cameras shows them",
    "failed to acquire camera": "another program has it open",
}
_SILENT = "frontend has timed out"
"""The sensor sends nothing. The program starts it anew, often with success, so nothing is lost yet."""

_NOT_ITS_OWN = ("LD_LIBRARY_PATH", "LIBCAMERA_LOG_LEVELS", "LIBCAMERA_LOG_FILE")
"""Of our environment: the last two would keep from us what it says."""

_SIZE_GIVEN = re.compile(r"configuring streams: \(0\) (\d+)x(\d+)-YUV420")

_CAMERA = re.compile(r"^(\d+) : ", re.MULTILINE)
_MODE = re.compile(r"'S?[A-Z]+(\d+)\w*' :|(\d+)x(\d+) \[([\d.]+) fps - \(\d+, \d+\)/(\d+)x(\d+) crop\]")
"""In the list of cameras: a format with its bits, or a mode of it: size, frames a second, part of the sensor."""

Steps = Generator[Image | str, None, None]
"""Frames; where none came for a while, what may be wrong, empty when nothing is known of it."""

Part = tuple[float, float, float, float]
"""A part of the field: left, top, width, height, each from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Mode:
    """One of a sensor's modes: its *size*, the *bits* of a pixel, and the pixels of the sensor that it shows."""

    size: Size
    bits: int
    fps: float
    shows: Size


@dataclass(frozen=True, slots=True)
class Held:
    """What is held: the lens in dioptres, exposure in milliseconds, gain, and the gains of red and blue. None: not
    known, or a lens that does not move."""

    lens: float | None = None
    exposure_ms: float | None = None
    gain: float | None = None
    white: tuple[float, float] | None = None

    @property
    def lit(self) -> bool:
        """Whether all that has to do with light is known."""
        return None not in (self.exposure_ms, self.gain, self.white)

    def but(self, other: Held) -> Held:
        """These values, and those of *other* where none are known."""
        return Held(
            other.lens if self.lens is None else self.lens,
            other.exposure_ms if self.exposure_ms is None else self.exposure_ms,
            other.gain if self.gain is None else self.gain,
            other.white if self.white is None else self.white,
        )

    def options(self) -> list[str]:
        told = []
        if self.lens is not None:
            told += ["--autofocus-mode", "manual", "--lens-position", f"{self.lens:.2f}"]
        if self.exposure_ms is not None:
            told += ["--shutter", str(round(self.exposure_ms * 1000))]
        if self.gain is not None:
            told += ["--gain", f"{self.gain:.3f}"]
        if self.white is not None:
            told += ["--awbgains", "{:.3f},{:.3f}".format(*self.white)]
        return told


class RpicamSource(LiveSource):
    """The Pi's camera number *camera*, through *program* with further *options*.

    *held* are values that are known. What is not is let settle at the first opening, and then held; light also anew
    after it has changed for good. With *hold* false lens and light follow all the time. *part* is the part of the
    field that is shown, *mains* are the hertz of the lamps. Frames may be up to 127 pixels wider and one pixel higher
    than *size*; None: as high as ``SIZE``, as wide as the field.
    """

    def __init__(
        self,
        *,
        camera: int = 0,
        size: Size | None = None,
        fps: float = FPS,
        held: Held | None = None,
        hold: bool = True,
        part: Part | None = None,
        mains: int = 50,
        program: str = "rpicam-vid",
        options: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(f"rpicam:{camera}", clock)
        self._camera = camera
        self._size = size
        self._fps = fps
        self._part = part
        self._mains = mains
        self._program = program
        self._options = list(options)
        self._given = held or Held()
        self._hold = hold
        self._modes: tuple[Mode, ...] = ()
        self._held: Held | None = None

    def _open(self) -> Camera:
        return _PiCamera(self._frames())

    def _frame(self, image: Image, at: float) -> Frame:
        return I420Frame(image, at)

    # What the camera's thread does, step by step; what was learnt at one opening stays learnt.

    def _frames(self) -> Steps:
        if not self._modes:
            self._modes = yield from self._listed()
        mode, size = fitting(self._modes, self._size, self._fps, self._part)
        command = [self._program, "-t", "0", "-n", "--camera", str(self._camera)]
        command += ["--width", str(size[0]), "--height", str(size[1]), "--framerate", f"{self._fps:g}"]
        if mode is not None:
            command += ["--mode", f"{mode.size[0]}:{mode.size[1]}:{mode.bits}:P"]
        if self._part is not None:
            command += ["--roi", ",".join(f"{n:g}" for n in self._part)]
        command += ["--codec", "yuv420", *self._options]
        if not self._hold:
            self._held = self._given
            command += self._automatic()
        elif self._held is None or not self._held.lit:
            known = self._given.but(self._held or Held())
            settled = known.lit and known.lens is not None
            self._held = known if settled else known.but((yield from self._settled(command, known)))
        yield from self._shown([*command, *self._held.options()], size)

    def _automatic(self) -> list[str]:
        """Short exposures, since cards are laid while it looks, and none that show how lamps flicker."""
        return ["--exposure", "sport", "--flicker-period", f"{round(500_000 / self._mains)}us"]

    def _listed(self) -> Generator[str, None, tuple[Mode, ...]]:
        """The sensor's modes; none where they are not told, and the program chooses."""
        told = b""
        with _Child(self.name, [self._program, "--list-cameras"]) as child:
            while (got := child.take()) != b"":
                if got is None:
                    yield child.says
                told += got or b""
        return modes_in(told.decode(errors="replace"), self._camera)

    def _settled(self, command: list[str], known: Held) -> Generator[str, None, Held]:
        """What the automatics come to rest at while *known* is held."""
        focus = ["--autofocus-mode", "auto"] if known.lens is None else []
        command = [*command, *self._automatic(), *focus, *known.options(), "-o", "/dev/null"]
        rest, frames = b"", deque[Mapping[str, str]](maxlen=SETTLED)
        until = float("inf")
        with _Child(self.name, [*command, "--metadata", "-", "--metadata-format", "txt"]) as child:
            while self._clock() < until and not at_rest(frames, focused=known.lens is None):
                got = child.take()
                if got == b"":
                    raise child.ended()
                if got is None:
                    yield child.says or "light and lens do not settle"
                *whole, rest = (rest + (got or b"")).split(b"\n\n")
                if whole and not frames:
                    until = self._clock() + SETTLING_S
                frames += [_metadata(frame.decode(errors="replace")) for frame in whole]
        found = _found(frames[-1])
        if known.lens is None and frames[-1].get("AfState") == _NOT_FOCUSED:
            told = (
                "%s: the lens finds nothing to focus on and is set for %g cm: say how high the camera hangs (height:)"
            )
            log.warning(told, self.name, HEIGHT_CM)
            found = replace(found, lens=100 / HEIGHT_CM)
        log.info("%s: held are %s", self.name, found)
        return found

    def _shown(self, command: list[str], size: Size) -> Steps:
        """The frames, until the program ends. Raises DeviceLost, also when the light has changed for good."""
        light = Light() if self._hold and not self._given.lit else None
        with _Child(self.name, [*command, "--flush", "-o", "-"], size) as child:
            while True:
                image = np.empty((size[1] * 3 // 2, size[0]), np.uint8)
                yield from child.fill(image)
                if light is not None and light.changed(float(image[: size[1] : 16, ::16].mean()), self._clock()):
                    self._held = replace(self._held or Held(), exposure_ms=None, gain=None, white=None)
                    raise DeviceLost(f"{self.name}: the light has changed: the exposure is set anew")
                yield image


class _PiCamera:
    """*steps* as a camera."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self.says = ""

    def read(self) -> Image | None:
        came = next(self._steps)
        if isinstance(came, str):
            self.says = came
            return None
        return came

    def close(self) -> None:
        self._steps.close()


def modes_in(told: str, camera: int) -> tuple[Mode, ...]:
    """The modes of camera number *camera* in the answer to ``--list-cameras``; none where it is not understood."""
    found = {int(at[1]): at.end() for at in _CAMERA.finditer(told)}
    if camera not in found:
        return ()
    end = min((start for start in found.values() if start > found[camera]), default=len(told))
    modes, bits = [], 0
    for each in _MODE.finditer(told, found[camera], end):
        if each[1]:
            bits = int(each[1])
        else:
            width, height, shown_width, shown_height = (int(each[i]) for i in (2, 3, 5, 6))
            modes.append(Mode((width, height), bits, float(each[4]), (shown_width, shown_height)))
    return tuple(modes)


def fitting(modes: Sequence[Mode], size: Size | None, fps: float, part: Part | None) -> tuple[Mode | None, Size]:
    """The mode to take, and the size to ask for: of those that show the whole field, fast enough, the coarsest that
    has the rows for *part* of it, else the finest. None where no modes are known."""
    _, _, wide, high = part or (0, 0, 1, 1)
    mode = None
    if modes:
        field = max(mode.shows[0] * mode.shows[1] for mode in modes)
        whole = [mode for mode in modes if mode.shows[0] * mode.shows[1] == field]
        fast = [mode for mode in whole if mode.fps >= SLACK * fps] or whole
        enough = [mode for mode in fast if mode.size[1] * high >= (size or SIZE)[1]]
        mode = min(enough or fast, key=lambda m: (m.size[1] if enough else -m.size[1], -m.bits))
    if size is None and mode is not None:
        rows = min(SIZE[1], int(mode.size[1] * high)) // 2 * 2
        columns = rows * mode.shows[0] * wide / (mode.shows[1] * high)
        return mode, (max(1, int(columns / ALIGNED)) * ALIGNED, rows)  # fewer rather than more: they would cost rows
    width, height = size or SIZE
    return mode, (-(-width // ALIGNED) * ALIGNED, -(-height // 2) * 2)


def _metadata(frame: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in frame.splitlines() if "=" in line)


def at_rest(frames: Sequence[Mapping[str, str]], *, focused: bool) -> bool:
    """Whether the light of the latest frames is the same; with *focused*, the lens that has looked for its focus, too.
    *frames* are their metadata, at most ``SETTLED``."""
    if len(frames) < SETTLED:
        return False
    if frames[-1].get("AeState") == _SEARCHING:
        return False
    if focused and frames[-1].get("AfState", _FOCUSED) not in (_FOCUSED, _NOT_FOCUSED):
        return False
    lights = [_found(frame) for frame in frames]
    measures = [((x.exposure_ms or 1) * (x.gain or 1), *(x.white or (1, 1))) for x in lights]
    return all(max(same) <= _SAME * min(same) for same in zip(*measures, strict=True))


def _found(frame: Mapping[str, str]) -> Held:
    """What the metadata of a frame tell."""

    def told(name: str) -> list[float]:
        return [float(n) for n in re.findall(r"[\d.]+", frame.get(name, ""))]

    lens, exposure, gain, white = map(told, ("LensPosition", "ExposureTime", "AnalogueGain", "ColourGains"))
    return Held(
        lens[0] if lens else None,
        exposure[0] / 1000 if exposure else None,
        gain[0] if gain else None,
        (white[0], white[1]) if len(white) == 2 else None,
    )


def bgr(i420: Image) -> Image:
    """The picture, (h, w, 3) BGR, of an I420 frame of full range: (h · 3/2, w) uint8, h and w even. Within 2 of the
    exact value in each channel."""
    height = len(i420) * 2 // 3
    squeezed = np.empty_like(i420)  # to television's range, which is what OpenCV undoes
    cv2.convertScaleAbs(i420[:height], squeezed[:height], 219 / 255, 16)
    cv2.convertScaleAbs(i420[height:], squeezed[height:], 224 / 255, 128 * (1 - 224 / 255))
    return np.asarray(cv2.cvtColor(squeezed, cv2.COLOR_YUV2BGR_I420), np.uint8)


class I420Frame(Frame):
    """A frame as it came, (h · 3/2, w) uint8: h rows of brightness, then two planes of colour (Cb, Cr) of half the
    height and width. It becomes a picture (``bgr``) when one is asked for, which costs three times as much as a small
    one."""

    def __init__(self, planes: Image, at: float) -> None:
        self.at = at
        self._planes = planes
        self._rows = len(planes) * 2 // 3

    @cached_property
    def image(self) -> Image:
        return bgr(self._planes)

    @property
    def size(self) -> Size:
        return self._planes.shape[1], self._rows

    def small(self, part: tuple[int, int, int, int], by: int) -> Image:
        """As of any frame, but the colour of each pixel is only about that of its place: it may be off by a pixel."""
        x0, y0, x1, y1 = part
        size = (x1 - x0) // by, (y1 - y0) // by
        bright = cv2.resize(self._planes[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
        least = max(1, by // 2)  # a whole number is fast
        colours = []
        for plane in self._planes[self._rows :].reshape(2, self._rows // 2, -1):
            colour = plane[y0 // 2 : y1 // 2, x0 // 2 : x1 // 2]
            rows, columns = colour.shape[0] // least, colour.shape[1] // least
            colour = colour[: rows * least, : columns * least]
            less = cv2.resize(colour, (columns, rows), interpolation=cv2.INTER_AREA)
            colours.append(cv2.resize(less, size, interpolation=cv2.INTER_LINEAR))
        cb, cr = colours
        return np.asarray(cv2.cvtColor(cv2.merge([bright, cr, cb]), cv2.COLOR_YCrCb2BGR), np.uint8)


class _Child:
    """The running program. Its messages are read along with what it writes: a full pipe would stop it. *size* is that
    of its frames, if it has any."""

    def __init__(self, where: str, command: Sequence[str], size: Size | None = None) -> None:
        """Raises DeviceLost when the program cannot be started."""
        self._where = where
        self._program = command[0]
        self._size = size
        program = shutil.which(self._program)
        if program is None:
            raise DeviceLost(
                f"{where}: there is no program {self._program}: sudo apt install rpicam-apps-lite, or rpicam-apps"
            )
        setpriv = shutil.which("setpriv")
        bound = [setpriv, "--pdeathsig", "KILL", "--"] if setpriv is not None else []
        environment = {k: v for k, v in os.environ.items() if k not in _NOT_ITS_OWN}
        try:
            self._process = subprocess.Popen(
                [*bound, program, *command[1:]],
                bufsize=0,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise DeviceLost(f"{where}: {self._program} cannot be started: {error.strerror}") from None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._output: IO[bytes] = self._process.stdout
        self._messages: IO[bytes] = self._process.stderr
        os.set_blocking(self._messages.fileno(), False)
        with suppress(OSError):  # to the most that anybody may have: a frame of 4.5 MB wakes us 16 times less often
            fcntl.fcntl(self._output, fcntl.F_SETPIPE_SZ, 1 << 20)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._messages, selectors.EVENT_READ)
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._begun = b""  # a message whose end has not come yet
        self.says = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self) -> bytes | None:
        """What it has written; empty when it has ended, None when nothing came for a while."""
        memory = bytearray(1 << 16)
        got = self._take(memoryview(memory))
        return None if got is None else bytes(memory[:got])

    def fill(self, image: Image) -> Generator[str, None, None]:
        """Fill *image* with what it writes. Raises DeviceLost when it ends."""
        memory = image.reshape(-1).data
        while memory.nbytes:
            got = self._take(memory)
            if got == 0:
                raise self.ended()
            if got is None:
                yield self.says
            memory = memory[got or 0 :]

    def _take(self, memory: memoryview) -> int | None:
        while True:
            ready = [key.fileobj for key, _ in self._selector.select(_WAIT_S)]
            if not ready:
                return None
            if self._messages in ready:
                self._listen()
            if self._output in ready:
                return os.readv(self._output.fileno(), [memory])

    def close(self) -> None:
        """End the child, and wait until it is gone."""
        self._process.terminate()
        try:
            self._process.wait(_TERM_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._selector.close()
        self._output.close()
        self._messages.close()

    def _listen(self) -> None:
        """Take the messages that are there. Raises DeviceLost when one says why no frames will come, or that they have
        not the size that was asked for."""
        try:
            told = os.read(self._messages.fileno(), 1 << 20)
        except BlockingIOError:
            return
        if not told:
            with suppress(KeyError):  # it is asked once more when the child has ended
                self._selector.unregister(self._messages)
        *lines, self._begun = (self._begun + told).split(b"\n")
        if not told or len(self._begun) > _LONGEST:
            lines, self._begun = [*lines, self._begun], b""
        for line in lines:
            self._heed(line.decode(errors="replace").strip())

    def _heed(self, line: str) -> None:
        if line:
            self._lines.append(line)
        for words, meaning in _MEANING.items():
            if words in line:
                raise DeviceLost(f"{self._where}: {meaning}")
        if _SILENT in line:
            self.says = "look at both ends of its ribbon cable"
        given = _SIZE_GIVEN.search(line)
        if given and self._size is not None and (int(given[1]), int(given[2])) != self._size:
            width, height = self._size
            raise DeviceLost(f"{self._where}: it has no {width} x {height} pixels: ask for {given[1]} x {given[2]}")

    def ended(self) -> DeviceLost:
        """Why there will be no more frames."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_TERM_S)
        for _ in range(2):  # what is there, and the end of it
            self._listen()
        errors = [line for line in self._lines if "ERROR" in line] or list(self._lines)
        status = self._process.poll()
        how = f"with status {status}" if status is None or status >= 0 else f"by {signal.Signals(-status).name}"
        return DeviceLost(f"{self._where}: {self._program} ended {how}" + "".join(f": {shown(e)}" for e in errors[-1:]))
