"""The file of a recording: gzip of JSON Lines, or the lines alone.

Lines are only ever added, and once a second all of them can be read from the file: what a pulled plug cuts off is at
most the last second, and the rest plays. PN532 readers say the same few frames ten times a second, and frames of a
camera are written in base64: both is what gzip is good at. ``zcat`` shows the lines, and lines that a person has cut
out of them or changed are a recording as well.

The first line is the head, ``{"recording": 1, …}``. In each other one, ``at`` is seconds since the recording began, and
*device* says whose stream it belongs to:

    {"table": {…}}                                              the configuration, with its readers' cards
    {"at", "device", "as": "port"|"source"|"facts"}             how the device is recorded; before all else of it
    {"at", "device", "opened": true}, {… "closed": true}
    {"at", "device", "failed": WHY, "doing": "open"|"read"|"write", "errno", "stuck"}
    {"at", "device", "read": HEX}, {… "wrote": HEX}             of a port
    {"at", "device", "frame": ITS OWN TIME, "asked", "jpeg"}    of a camera; *asked*: since when it was waited for
    {"at", "device", "over": true}                              a film has no more frames
    {"at", "device", "told": {fact, or command}}                of a device without port or camera
    {"at", "put": {fact, or command}}, {"at", "pressed": {…}}   by a person, or whoever plays one
    {"at", "resumed": [fact, …]}                                the game that was gone on with
    {"at", "end": true, "facts"}                                the table was left, with so many facts
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from ..errors import BadInput, shown
from ..facts import Fact, Match, NotAFact, from_dict, to_dict
from ..views.screen import Command

FORMAT = 1
"""Raised when an old tablepi would misunderstand."""

MOST_BYTES = 2_000_000_000
"""Size at which a recording ends: some ten minutes of a camera's frames, or many evenings of readers."""

LONGEST_S = 10_000_000.0
"""Seconds of the longest recording, some four months: what says more is damaged."""

LONGEST_LINE = 64_000_000
"""Bytes of a line; a frame of 4608 × 2592 pixels has some five million."""

Said = Fact | Command

KINDS = ("opened", "closed", "failed", "read", "wrote", "frame", "over", "told")

_IN_WORDS = {str: "text", int: "whole number", int | float: "number", dict: "object", list: "list"}


@dataclass(frozen=True, slots=True)
class Typed:
    """A press that is no fact or command: a key by its name, or, without one, the window that was closed."""

    key: str | None


@dataclass(frozen=True, slots=True)
class Event:
    """What a device did *at* a second of the recording, in *line* of the file. *told* is what the kind needs: bytes,
    (why, doing, errno, stuck), (time, place of the picture in ``Recording.pictures``), a fact."""

    at: float
    line: int
    kind: str
    told: Any = None
    asked: float | None = None


@dataclass
class Recording:
    """A recording that was read. *table* is said in line *table_line*; *streams* are the events of each device, in
    order; *kinds* how each was recorded;
    *said* what was put (False) and pressed (True), with its time; *cut* is the line at which the file breaks off;
    *facts* how many the table had taken in when it was left, at its *end*."""

    path: Path
    head: Mapping[str, Any]
    table: Mapping[str, Any] = field(default_factory=dict)
    table_line: int = 0
    kinds: dict[str, str] = field(default_factory=dict)
    streams: dict[str, list[Event]] = field(default_factory=dict)
    said: list[tuple[float, bool, Said | Typed]] = field(default_factory=list)
    resumed: tuple[float, tuple[Fact, ...]] | None = None
    end: float = 0.0
    facts: int | None = None
    cut: int | None = None
    pictures: IO[bytes] = field(default_factory=tempfile.TemporaryFile)

    def picture(self, place: tuple[int, int]) -> bytes:
        """The JPEG file at *place*."""
        self.pictures.seek(place[0])
        return self.pictures.read(place[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.pictures.close()


def load(path: Path, *, most_bytes: int = MOST_BYTES) -> Recording:
    """The recording in *path*, all of it: what is wrong with it is known before it plays. Its pictures are laid in a
    file of their own, which has no name. Raises BadInput."""
    try:
        if not path.is_file():
            raise BadInput(f"{path}: there is no such file: name a recording that `run --record` made")
        if path.stat().st_size > most_bytes + LONGEST_LINE:
            raise BadInput(f"{path}: is too large: a recording has at most {most_bytes / 1e9:g} GB")
        with path.open("rb") as file:
            zipped = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if zipped else path.open("rb") as lines:
            return _read(path, lines)
    except OSError as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None


def _read(path: Path, lines: Any) -> Recording:
    with ExitStack() as on_error:
        recording: Recording | None = None
        bytes_seen: dict[bytes, bytes] = {}
        number = 0
        try:
            for number, line in _lines(lines):
                if recording is None:
                    recording = on_error.enter_context(Recording(path, _head(path, line)))
                else:
                    _take(recording, number, _object(line), bytes_seen)
        except (zlib.error, gzip.BadGzipFile):
            why = "the rest cannot be unzipped: copy the file again"
            raise BadInput(f"{path}: is damaged after line {number}: {why}") from None
        except _TooLong:
            raise BadInput(f"{path}:{number + 1}: is too long to be a line of a recording") from None
        except BadInput as error:
            if isinstance(error, NotAFact):
                raise _damaged(path, number, error) from None
            raise
        except ValueError as error:
            raise _damaged(path, number, error) from None
        if recording is None:
            raise BadInput(f"{path}: is no recording: it is empty, or was cut off in its first line")
        if not recording.table:
            raise BadInput(f"{path}: was cut off before the table was there")
        if not recording.end:
            recording.cut = number + 1
        times = [event.at for events in recording.streams.values() for event in events]
        recording.end = max([recording.end, *times, *(at for at, _, _ in recording.said)])
        on_error.pop_all()
        return recording


def _damaged(path: Path, number: int, error: ValueError) -> BadInput:
    return BadInput(f"{path}:{number}: is damaged: {error}: delete the line to play the rest")


class _TooLong(Exception):
    """Raised at a line that is longer than any of ours."""


def _lines(file: Any) -> Iterator[tuple[int, bytes]]:
    """Each whole line with its number, up to where the file ends or breaks off."""
    number = 0
    while True:
        number += 1
        try:
            line = file.readline(LONGEST_LINE)
        except EOFError:  # the rest of what was compressed is not there
            return
        if len(line) >= LONGEST_LINE:
            raise _TooLong
        if not line.endswith(b"\n"):
            return
        yield number, line


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object that *line* is. Raises ValueError."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise ValueError("it is no JSON object")
    return told


def _head(path: Path, line: bytes) -> Mapping[str, Any]:
    try:
        head = _object(line)
        version = _of(head, "recording", int)
    except ValueError:
        version = 0
    if version < 1:
        raise BadInput(f"{path}: is no recording: name a file that `run --record` made")
    if version != FORMAT:
        raise BadInput(f"{path}: is a recording of version {version}, this tablepi reads {FORMAT}: update tablepi")
    if not isinstance(head.get("language", ""), str):
        raise BadInput(f"{path}: is damaged: {head['language']!r} is no language")
    return head


def _of(line: Mapping[str, Any], key: str, kind: Any) -> Any:
    """What *line* says at *key*. Raises ValueError when it says nothing there, or something of another *kind*."""
    if key not in line:
        raise ValueError(f"{key} is missing")
    if not isinstance(line[key], kind) or isinstance(line[key], bool):
        raise ValueError(f"{key}: {_show(line[key])} is no {_IN_WORDS[kind]}")
    return line[key]


def _number(line: Mapping[str, Any], key: str, least: float, most: float, what: str) -> float:
    """The number that *line* says at *key*. Raises ValueError when it is none, or not within the bounds."""
    value = _of(line, key, int | float)
    if not least <= value <= most:
        raise ValueError(f"{key}: {_show(value)} is no {what}")
    return float(value)


def _second(line: Mapping[str, Any], key: str) -> float:
    """The time of the recording that *line* says at *key*. Raises ValueError."""
    return _number(line, key, 0.0, LONGEST_S, "second of a recording")


def _bytes(line: Mapping[str, Any], key: str, decode: Callable[[str], bytes], how: str) -> bytes:
    """The bytes that *line* says at *key*. Raises ValueError for what *decode* cannot read."""
    text = _of(line, key, str)
    try:
        return decode(text)
    except ValueError:
        raise ValueError(f"{key}: {_show(text)} is not written in {how}") from None


def _show(value: object) -> str:
    text = shown(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else text[:57] + "…"


def _take(recording: Recording, number: int, line: dict[str, Any], bytes_seen: dict[bytes, bytes]) -> None:
    """Put a line where it belongs. Raises ValueError for one that is none."""
    if "table" in line:
        recording.table, recording.table_line = _of(line, "table", dict), number
        return
    at = _second(line, "at")
    if "end" in line:
        recording.end, recording.facts = at, _of(line, "facts", int) if "facts" in line else None
    elif "resumed" in line:
        game = _of(line, "resumed", list)
        if not all(isinstance(fact, dict) for fact in game):
            raise ValueError(f"resumed: {_show(game)} is no list of facts")
        facts = tuple(map(from_dict, game))
        if not facts or not isinstance(facts[0], Match):
            raise ValueError("the game that was gone on with has no beginning")
        recording.resumed = at, facts
    elif "put" in line or "pressed" in line:
        key = "pressed" if "pressed" in line else "put"
        recording.said.append((at, key == "pressed", said_of(_of(line, key, dict))))
    elif "as" in line:
        if line["as"] not in ("port", "source", "facts"):
            raise ValueError(f"no such kind of device: {_show(line['as'])}")
        device = _of(line, "device", str)
        recording.kinds[device] = line["as"]
        recording.streams.setdefault(device, [])
    else:
        kind = next((kind for kind in KINDS if kind in line), None)
        if kind is None:
            raise ValueError("nothing happens in it")
        device = _of(line, "device", str)
        if device not in recording.streams:
            raise ValueError(f"device: {_show(device)}: no line before says how it is recorded")
        told: Any = None
        if kind in ("read", "wrote"):
            told = _bytes(line, kind, bytes.fromhex, "hexadecimal digits")
            told = bytes_seen.setdefault(told, told)  # an evening of PN532 readers says the same over and over
        elif kind == "failed":
            code = line.get("errno")
            if not isinstance(code, int | None):
                raise ValueError(f"errno: {_show(code)} is no number")
            told = str(line["failed"]), line.get("doing", "read"), code, line.get("stuck", False)
        elif kind == "told":
            told = said_of(_of(line, "told", dict))
        elif kind == "frame":
            jpeg = _bytes(line, "jpeg", partial(base64.b64decode, validate=True), "base64")
            taken_at = _number(line, "frame", -sys.float_info.max, sys.float_info.max, "time")
            told = taken_at, (recording.pictures.tell(), recording.pictures.write(jpeg))
        asked = _second(line, "asked") if "asked" in line else None
        recording.streams[device].append(Event(at, number, kind, told, asked))


def said_of(line: Mapping[str, Any]) -> Any:
    """What a person put or pressed, from its line. Raises ValueError."""
    if "fact" in line:
        return from_dict(line)
    if "command" in line:
        return Command(_of(line, "command", str), _of(line, "argument", str))
    return Typed(None if line.get("key", "") is None else _of(line, "key", str))


def line_of(said: Said | Typed) -> dict[str, Any]:
    """The line of what a person put or pressed."""
    if isinstance(said, Typed):
        return {"key": said.key}
    if isinstance(said, Command):
        return {"command": said.name, "argument": said.argument}
    return dict(to_dict(said))
