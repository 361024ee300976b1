"""Writes down what a table's ports, cameras and people give, while it plays.

Nothing waits for the recording: a thread of its own compresses and writes. Bytes and presses are always kept; when the
disk is slower than the camera, frames are left out, and how many is said in the file. A disk that is full, or a file
that has grown as large as one may, ends the recording and not the game: ``trouble`` says so.
"""

from __future__ import annotations

import base64
import errno
import os
import queue
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..devices.camera import EndOfFilm
from ..errors import BadInput
from ..facts import Fact, dumps, to_dict
from ..frames import Frame
from ..views.screen import Command
from .tape import FORMAT, MOST_BYTES, Said, Typed, line_of

JPEG_QUALITY = 95
"""Of 100. A USB camera's frames are JPEG before we get them; once more at 95 changes little, and takes a fraction of
the time and the room that a file without losses would."""

FLUSHED_S = 1.0
"""Seconds after which what was written can be read from the file, and is on the disk."""

FRAMES_WAITING = 8
"""Frames that may wait to be written, 6 MB each at 1920 × 1080; a further one is left out."""


class Recorder:
    """A recording in *file*, from ``__enter__`` to ``__exit__``; *about* is what its first line says besides the
    version. *frames*: those of the cameras are kept, too; else a camera is recorded by the facts that it told.

    Raises BadInput at the beginning when the file cannot be written, or is there already.
    """

    plays_again = False
    gapless = False

    def __init__(
        self,
        file: Path,
        *,
        about: Mapping[str, Any],
        frames: bool = False,
        clock: Callable[[], float] = time.monotonic,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.trouble: str | None = None
        """Why the recording ended before the game, if it did."""
        self._file = file
        self._about = dict(about)
        self._frames = frames
        self._clock = clock
        self._most_bytes = most_bytes
        self._began = clock()
        self._lock = threading.Lock()  # so that the lines are in the order of their times
        self._queue: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._over = False
        self._waiting = 0  # frames
        self._left_out: dict[str, int] = {}
        self._thread = threading.Thread(target=self._write, name="recorder", daemon=True)

    def __enter__(self) -> Self:
        try:
            self._out = _Whole(self._file)
        except FileExistsError:
            raise BadInput(f"--record {self._file}: is there already: name another file") from None
        except OSError as error:
            raise BadInput(
                f"--record {self._file}: cannot be written: {error.strerror}: name a file in a folder of yours"
            ) from None
        self._queue.put({"recording": FORMAT} | self._about)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.left(None)
        self._queue.put(None)
        self._thread.join()

    # --- what is recorded

    def table(
        self, config: Mapping[str, Any], cards: Mapping[str, Any], commands: Mapping[str, str], *, gapless: bool
    ) -> None:
        """The configuration of the table, as data, and in which card each tag is, or in the card of which command."""
        known = {uid: str(card) for uid, card in cards.items()}
        self._queue.put(
            {"table": {"config": dict(config), "cards": known, "commands": dict(commands), "gapless": gapless}}
        )

    def resumed(self, facts: Iterable[Fact]) -> None:
        """The game that the table goes on with."""
        self.note(resumed=[to_dict(fact) for fact in facts])

    def port(self, name: str, open_port: Callable[[str, int], Any]) -> Callable[[str, int], Any]:
        """*open_port* of the reader *name*, recorded."""
        self.note(device=name, **{"as": "port"})

        def opened(where: str, baud: int) -> Any:
            return _Port(self._doing(name, "open", lambda: open_port(where, baud)), name, self)

        return opened

    def clock(self, name: str) -> Callable[[], float]:
        return time.monotonic

    def source(self, name: str, made: Callable[[], Any]) -> Any:
        """The source of the camera *name*, recorded."""
        if not self._frames:
            return made()
        self.note(device=name, **{"as": "source"})
        return _Source(made(), name, self)

    def has(self, name: str, kind: str) -> bool:
        return True

    def device(self, device: Any, kind: str) -> Any:
        """*device*, recorded by what it tells unless it is recorded as what *kind* says."""
        if kind == "source" and self._frames:
            return device
        self.note(device=device.name, **{"as": "facts"})
        return _Device(device, self)

    def put_by(self, put: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """*put*, by which people enter facts, recorded."""

        def putting(said: Said | None) -> Any:
            if said is not None:
                self.note(put=line_of(said))
            return put(said)

        return putting

    def display(self, display: Any, typed: Callable[[object], str | None]) -> Any:
        """*display*, whose presses are recorded."""
        return _Glass(display, typed, self) if display is not None else None

    def left(self, facts: int | None) -> None:
        """The table was left, when it had taken in so many *facts*: what its devices still give it did not get."""
        self.note(end=True, **({} if facts is None else {"facts": facts}))
        self._over = True

    # --- how

    def note(self, **line: Any) -> None:
        """Write down *line* with the time, soon. From any thread."""
        with self._lock:
            if self.trouble is None and not self._over:
                self._queue.put({"at": self.now()} | line)

    def frame(self, name: str, frame: Frame, asked: float) -> None:
        """Write down a frame of the camera *name*, unless too many wait."""
        with self._lock:
            if self.trouble is not None or self._over:
                return
            if self._waiting >= FRAMES_WAITING:
                self._left_out[name] = self._left_out.get(name, 0) + 1
                return
            self._waiting += 1
            line: dict[str, Any] = {"at": self.now(), "device": name, "frame": frame.at, "asked": asked}
            if left_out := self._left_out.pop(name, 0):
                line["left_out"] = left_out
            self._queue.put(line | {"image": frame.image})

    def now(self) -> float:
        return round(self._clock() - self._began, 4)

    def _doing(self, name: str, what: str, act: Callable[[], Any]) -> Any:
        """What *act* returns; how it fails is noted. A port fails by OSError, termios.error or ValueError."""
        try:
            done = act()
        except EndOfFilm:
            raise
        except Exception as error:
            code = error.args[0] if error.args and isinstance(error.args[0], int) else getattr(error, "errno", None)
            stuck = {"stuck": True} if type(error).__name__ == "SerialTimeoutException" else {}
            self.note(device=name, failed=str(error), doing=what, errno=code, **stuck)
            raise
        if what == "open":
            self.note(device=name, opened=True)
        return done

    # --- the writing thread

    def _write(self) -> None:
        zipper = zlib.compressobj(level=3, wbits=31)  # 31: as gzip
        flushed = time.monotonic()
        line: dict[str, Any] | None = {}
        with self._out as out:
            while line is not None:
                with suppress(queue.Empty):
                    line = self._queue.get(timeout=max(0.0, flushed + FLUSHED_S - time.monotonic()))
                    if line is not None and self.trouble is None:
                        self._try(out, zipper.compress((dumps(self._plain(line)) + "\n").encode()))
                if self.trouble is None and time.monotonic() - flushed >= FLUSHED_S:
                    self._try(out, zipper.flush(zlib.Z_SYNC_FLUSH), keep=True)
                    flushed = time.monotonic()
                    if self.trouble is None and out.size > self._most_bytes:
                        self._try(out, zipper.flush(), keep=True)
                        self.trouble = self.trouble or f"{self._file}: {self._most_bytes / 1e9:g} GB"
            if self.trouble is None:
                self._try(out, zipper.flush(), keep=True)

    def _try(self, out: _Whole, content: bytes, *, keep: bool = False) -> None:
        """What cannot be written whole is taken out again, and ends the recording."""
        try:
            out.write(content)
            if keep:
                out.keep()
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            self.trouble = f"{self._file}: {'the disk is full' if full else error.strerror}"
            out.take_back()

    def _plain(self, line: dict[str, Any]) -> dict[str, Any]:
        image = line.pop("image", None)
        if image is not None:
            import cv2

            _, jpeg = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
            line["jpeg"] = base64.b64encode(jpeg.tobytes()).decode()
            with self._lock:
                self._waiting -= 1
        return line


class _Whole:
    """A new file that holds whole what was kept: gzip could not be read beyond half of a write."""

    def __init__(self, file: Path) -> None:
        self._out = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        self.size = 0
        self._kept = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._out)

    def write(self, content: bytes) -> None:
        left = memoryview(content)
        while left:
            left = left[os.write(self._out, left) :]
        self.size += len(content)

    def keep(self) -> None:
        os.fdatasync(self._out)
        self._kept = self.size

    def take_back(self) -> None:
        with suppress(OSError):
            os.ftruncate(self._out, self._kept)


class _Port:
    """A port whose bytes are noted, in both directions. All else of it is its own."""

    def __init__(self, port: Any, name: str, recorder: Recorder) -> None:
        self.__dict__.update(_port=port, _name=name, _recorder=recorder)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._port, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._port, name, value)

    @property
    def in_waiting(self) -> int:
        return int(self._recorder._doing(self._name, "read", lambda: self._port.in_waiting))

    def read(self, size: int, /) -> bytes:
        received: bytes = self._recorder._doing(self._name, "read", lambda: self._port.read(size))
        if received:
            self._recorder.note(device=self._name, read=received.hex())
        return received

    def write(self, sent: bytes, /) -> int | None:
        self._recorder.note(device=self._name, wrote=bytes(sent).hex())  # before the answer to it
        written: int | None = self._recorder._doing(self._name, "write", lambda: self._port.write(sent))
        return written

    def close(self) -> None:
        self._recorder.note(device=self._name, closed=True)
        self._port.close()


class _Source:
    """A camera's source whose frames are noted."""

    def __init__(self, source: Any, name: str, recorder: Recorder) -> None:
        self.name = source.name
        self._source, self._name, self._recorder = source, name, recorder

    @property
    def dropped(self) -> int:
        return int(self._source.dropped)

    def __enter__(self) -> Self:
        self._recorder._doing(self._name, "open", self._source.__enter__)
        return self

    def __exit__(self, *told: Any) -> None:
        self._recorder.note(device=self._name, closed=True)
        self._source.__exit__(*told)

    def grab(self) -> Frame | None:
        asked = self._recorder.now()
        try:
            frame: Frame | None = self._recorder._doing(self._name, "read", self._source.grab)
        except EndOfFilm:
            self._recorder.note(device=self._name, over=True)
            raise
        if frame is not None:
            self._recorder.frame(self._name, frame, asked)
        return frame

    def cancel(self) -> None:
        self._source.cancel()


class _Device:
    """A device of the supervisor whose facts are noted."""

    def __init__(self, device: Any, recorder: Recorder) -> None:
        self.name = device.name
        self._device, self._recorder = device, recorder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def __enter__(self) -> Self:
        self._recorder._doing(self.name, "open", self._device.__enter__)
        return self

    def __exit__(self, *told: Any) -> None:
        self._recorder.note(device=self.name, closed=True)
        self._device.__exit__(*told)

    def read(self) -> Iterable[Said]:
        for told in self._recorder._doing(self.name, "read", lambda: list(self._device.read())):
            self._recorder.note(device=self.name, told=line_of(told))
            yield told

    def cancel(self) -> None:
        self._device.cancel()


class _Glass:
    """A display whose presses are noted."""

    def __init__(self, display: Any, typed: Callable[[object], str | None], recorder: Recorder) -> None:
        self._display, self._typed, self._recorder = display, typed, recorder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._display, name)

    def presses(self) -> Iterable[object]:
        for pressed in self._display.presses():
            said = pressed if isinstance(pressed, Fact | Command) else Typed(self._typed(pressed))
            self._recorder.note(pressed=line_of(said))
            yield pressed
