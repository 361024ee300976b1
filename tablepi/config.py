"""The configuration and other YAML files, read and checked: every complaint at once, each with file, line and remedy.

YAML guesses what a word is: ``no`` is false, ``12:34`` is 754, ``0123`` is 83. Here the place decides instead. A word
is a number, true, false or nothing only when it is plainly written so, and where a text is wanted it is taken as it
stands. So a player may be called No and a tag may be 04112233.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import stat
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import hypot
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeGuard, TypeVar, get_args
from unicodedata import category

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from .cards import FULL_DECK, Card, card, cards_of, each
from .devices.roles import Means
from .devices.tags import plainly, uid
from .errors import BadInput, shown
from .facts import MOST_SEATS
from .views.screen import COMMANDS

LARGEST_FILE = 1 << 20
"""Bytes of the largest YAML file that is read: a deck is 2 KB."""

Size = tuple[int, int]
"""Width and height in pixels."""

SMALLEST_DISPLAY = (320, 200)
LARGEST_DISPLAY = (3840, 2160)
SMALLEST_FRAME = (320, 180)
LARGEST_FRAME = (4608, 2592)  # all that the Raspberry Pi's Camera Module 3 has
SMALLEST_SQUARE = 10.0
"""Pixels that a corner of the marked square is away from the line between its neighbours, at least. Where indices can
be read it is hundreds; of a square without an extent nothing can be reckoned."""

Place = tuple[str | int, ...]
"""Where a value stands in a file: ``("readers", 1, "port")``."""


# --- complaints ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a check finds: the place, and what is wrong with the value there and would do instead."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing to mend. *line* is 1-based; *key* is written as ``readers[1].port`` and empty for the whole file."""

    file: Path
    line: int | None
    key: str
    text: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else str(self.file)
        return f"{where}: {self.key}: {self.text}" if self.key else f"{where}: {self.text}"


class BadConfig(BadInput):
    """Error raised when a YAML file cannot be used; *complaints* are all that is to mend, one a line of the message."""

    def __init__(self, complaints: Iterable[Complaint]) -> None:
        self.complaints = tuple(sorted(complaints, key=lambda c: (str(c.file), c.line or 0)))
        super().__init__("\n".join(str(c) for c in self.complaints))


# --- YAML to plain values -----------------------------------------------------------------------------------------

_NOTHING = ("", "~", "null")
_TRUTH = {"true": True, "false": False}
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})\.[0-9]{1,30}")  # never infinite


class _Loader(yaml.BaseLoader):
    """Every word a text, and no aliases: a file of ten lines of them unfolds to gigabytes."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.events.AliasEvent):
            parser: Any = self  # the stubs leave peek_event untyped
            said = "an alias (*name) is not taken here: write the value"
            raise yaml.composer.ComposerError(None, None, said, parser.peek_event().start_mark)
        return super().compose_node(parent, index)


@dataclass
class Sheet:
    """A YAML file as plain values, with the line of every place and the words as they were written."""

    file: Path
    value: Any = None
    lines: dict[Place, int] = field(default_factory=dict)
    words: dict[Place, str] = field(default_factory=dict)
    complaints: list[Complaint] = field(default_factory=list)
    alone: set[Place] = field(default_factory=set)  # lists that were written as their only item

    def complain(self, place: Place, text: str) -> None:
        known = next((place[:n] for n in range(len(place), -1, -1) if place[:n] in self.lines), ())
        written = tuple(step for i, step in enumerate(place) if step != 0 or place[:i] not in self.alone)
        self.complaints.append(Complaint(self.file, self.lines.get(known), _written(written), text))

    def take_as_list(self, key: str) -> None:
        """Make a mapping at *key* a list of one."""
        if not isinstance(_get(self.value, key), dict):
            return
        self.value[key] = [self.value[key]]
        self.alone.add((key,))
        self.lines = {_in_list(place, key): line for place, line in self.lines.items()}
        self.words = {_in_list(place, key): word for place, word in self.words.items()}

    def take(self, node: yaml.Node, place: Place) -> Any:
        self.lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self._take_mapping(node, place)
        if isinstance(node, yaml.SequenceNode):
            return [self.take(item, (*place, i)) for i, item in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)
        if (bad := _unwritable(node.value)) is not None:
            self.complain(place, bad)
            return _clean(node.value)
        if node.style is not None:  # in quotes
            return node.value
        self.words[place] = node.value
        return _plain(node.value)

    def _take_mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        taken: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.complaints.append(Complaint(self.file, line, _written(place), "a key must be a word"))
                continue
            key = key_node.value
            if (bad := _unwritable(key)) is not None:
                self.complaints.append(Complaint(self.file, line, _written((*place, _clean(key))), bad))
                continue
            here = (*place, key)
            if key in taken:
                text = f"is written twice, first on line {self.lines[here]}: keep one"
                self.complaints.append(Complaint(self.file, line, _written(here), text))
                continue
            self.lines[here] = line
            taken[key] = self.take(value_node, here)
        return taken


def _is_no_text(sign: str) -> bool:
    """Whether no name, path or word has this character: one that controls, but the tab, the end of a line and what
    joins letters or keeps them apart, or half a character. In quotes YAML makes them (\\0, \\ud800), and some are
    pasted unseen (U+202E); a file's name cannot have some, and a terminal obeys others."""
    return category(sign) in ("Cc", "Cf", "Cs") and sign not in "\t\n\u200c\u200d"


def _unwritable(text: str) -> str | None:
    """What is wrong with a text that cannot be shown or used as a path, else None."""
    found = next(filter(_is_no_text, text), None)
    if found is None:
        return None
    return f'"{shown(text[:60])}": has a character (U+{ord(found):04X}) that no name has: take it out'


def _clean(text: str) -> str:
    return "".join("\ufffd" if _is_no_text(sign) else sign for sign in text)


def _plain(word: str) -> Any:
    if word in _NOTHING:
        return None
    if word in _TRUTH:
        return _TRUTH[word]
    if _WHOLE.fullmatch(word):
        return int(word)
    if _DECIMAL.fullmatch(word):
        return float(word)
    return word


def _in_list(place: Place, key: str) -> Place:
    """*place* when the value at *key*, in which it may be, is the first of a list."""
    return (key, 0, *place[1:]) if place[:1] == (key,) and len(place) > 1 else place


def _written(place: Place) -> str:
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def read_sheet(path: Path, example: str) -> Sheet:
    """The values of a YAML file; *example* is what an empty one is told to hold at least. Raises BadConfig when nothing
    at all can be read from it."""

    def bad(text: str, line: int | None = None) -> BadConfig:
        return BadConfig([Complaint(path, line, "", text)])

    try:
        pipe = stat.S_ISFIFO(path.stat().st_mode)
        content = b""
        if not pipe:  # which would be waited for without end
            with path.open("rb") as file:
                content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise bad("there is no such file") from None
    except IsADirectoryError:
        raise bad("is a folder, not a file") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise bad(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if pipe:
        raise bad("is a pipe, not a file")
    if len(content) > LARGEST_FILE:
        raise bad(f"is larger than {LARGEST_FILE >> 20} MB: is it a YAML file?")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise bad("is not a text in UTF-8: save it as UTF-8", line) from None
    sheet = Sheet(path)
    try:
        node = yaml.compose(text, Loader=_Loader)
        if node is None:
            raise bad(f"is empty: write at least {example}")
        sheet.value = sheet.take(node, ())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "is not YAML"
        if "\\t" in problem:
            problem = "a tab: indent with spaces"
        raise bad(problem, mark.line + 1 if mark else None) from None
    except yaml.YAMLError as error:
        raise bad(f"is not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise bad("is nested too deeply") from None
    return sheet


# --- plain values to a model --------------------------------------------------------------------------------------

M = TypeVar("M", bound=BaseModel)
Check = Callable[[Any], Iterable[Wrong]]
"""Looks at the plain values of a whole file, whatever their types, for what no single field shows."""


def load_yaml(path: Path, model: type[M], *, checks: Iterable[Check] = (), example: str = "key: value") -> M:
    """The *model* that a YAML file says.

    Raises BadConfig with every complaint at once: those of the YAML, of the model, and of *checks*, which are asked
    even when fields are wrong. *example* is what an empty file is told to hold at least.
    """
    return _validated(read_sheet(path, example), model, checks)


def _validated(sheet: Sheet, model: type[M], checks: Iterable[Check] = ()) -> M:
    made, errors = _attempt(model, sheet.value)
    # Where a text is wanted, a word that looks like a number is the text that was written.
    texts = (e["loc"] for e in errors if e["type"] == "string_type")
    words = {place: sheet.words[place] for place in texts if sheet.words.get(place, "") not in _NOTHING}
    for place, word in words.items():
        _put(sheet.value, place, word)
    if words:
        made, errors = _attempt(model, sheet.value)
    for error in errors:
        sheet.complain(*_said(error, model))
    for check in checks:
        for wrong in check(sheet.value):
            sheet.complain(wrong.place, wrong.text)
    if sheet.complaints or made is None:
        raise BadConfig(sheet.complaints)
    return made


def _attempt(model: type[M], value: Any) -> tuple[M | None, list[Any]]:
    # By way of JSON, because there a strict model takes a list where it keeps a tuple.
    try:
        return model.model_validate_json(json.dumps(value)), []
    except ValidationError as error:
        return None, list(error.errors(include_url=False))


def _put(value: Any, place: Place, word: str) -> None:
    for step in place[:-1]:
        value = value[step]
    value[place[-1]] = word


_WANTED = {
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
    "float_parsing": "write a number",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "string_type": "write a text",
    "tuple_type": "write a list, such as [a, b]",
    "list_type": "write a list, such as [a, b]",
    "dict_type": "write keys with their values, such as {key: value}",
    "model_type": "write keys with their values, such as {key: value}",
    "model_attributes_type": "write keys with their values, such as {key: value}",
}


def _said(error: Any, model: type[BaseModel]) -> tuple[Place, str]:
    """The place and the words of one of pydantic's errors."""
    place = tuple(step for step in error["loc"] if step != "[key]")
    kind, context, value = error["type"], error.get("ctx", {}), _show(error["input"])
    match kind:
        case "missing":
            return place, "is missing"
        case "extra_forbidden":
            return place, _unknown_key(str(place[-1]), _keys_at(model, place[:-1]))
        case "literal_error":
            return place, f"{value}: write {context['expected']}"
        case "greater_than_equal":
            return place, f"{value}: write {context['ge']} or more"
        case "less_than_equal":
            return place, f"{value}: write {context['le']} or less"
        case "too_short":
            return place, f"{context['actual_length']} given: write {context['min_length']} or more"
        case "too_long":
            return place, f"too many: write {context['max_length']} at most"
        case "string_too_short":
            return place, "is empty: write a text"
        case "value_error":
            return place, str(context["error"])
        case _:
            return place, f"{value}: {_WANTED.get(kind, error['msg'])}"


def _unknown_key(key: str, known: Iterable[str]) -> str:
    known = list(known)
    near = difflib.get_close_matches(key.lower(), known, n=1)
    if near:
        return f"is not a key here: did you mean {near[0]}?"
    return f"is not a key here: known are {', '.join(known)}"


def _keys_at(model: type[BaseModel], place: Place) -> Iterable[str]:
    inner: type[BaseModel] | None = model
    for step in place:
        fields = _fields(inner)
        if isinstance(step, str) and step in fields:
            inner = next(_models_in(fields[step].annotation), None)
    return _fields(inner)


def _fields(model: type[BaseModel] | None) -> dict[str, Any]:
    """The fields of a model, as they are written."""
    return {} if model is None else {told.alias or name: told for name, told in model.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _show(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


# --- the configuration --------------------------------------------------------------------------------------------


class Part(BaseModel):
    """A part of a configuration: frozen, no unknown keys, and a number is not taken for a text."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Takes a size from a text such as ``1024x600``, or from a list of two numbers."""

    least: Size
    most: Size
    example: str

    def __call__(self, value: object) -> Size:
        size = value
        if isinstance(value, str) and (told := re.fullmatch(r"\s*(\d{1,5})\s*[x×]\s*(\d{1,5})\s*", value)):
            size = int(told[1]), int(told[2])
        if not (isinstance(size, list | tuple) and [type(n) for n in size] == [int, int]):
            raise ValueError(f"{_show(value)}: write width x height, such as {self.example}")
        if not all(low <= n <= high for n, low, high in zip(size, self.least, self.most, strict=True)):
            least, most = ("x".join(map(str, limit)) for limit in (self.least, self.most))
            raise ValueError(f"{_show(value)}: write {least} to {most}")
        return size[0], size[1]


_display_size = _Sizes(SMALLEST_DISPLAY, LARGEST_DISPLAY, "1024x600")
_frame_size = _Sizes(SMALLEST_FRAME, LARGEST_FRAME, "1280x720")


def _name(value: str) -> str:
    if not value.strip():
        raise ValueError("is empty: write a name")
    return value.strip()


def _players(value: tuple[str, ...]) -> tuple[str, ...]:
    if not 2 <= len(value) <= MOST_SEATS:
        raise ValueError(f"{len(value)} players: 2 to {MOST_SEATS} can play")
    twice = next((name for name in value if value.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{_show(twice)} is there twice: give each player a name of its own")
    return value


_PLACEHOLDER = re.compile(r"…|\.\.\.|[<>]")


def _own(value: str) -> str:
    placeholder = _PLACEHOLDER.search(value)
    if placeholder is not None and value.startswith("/dev/"):
        folder = value[: placeholder.start()].rpartition("/")[0]
        raise ValueError(f"{_show(value)} stands for a path of yours: write one that `ls {folder}` shows")
    return value


Name = Annotated[str, AfterValidator(_name)]
Device = Annotated[Name, AfterValidator(_own)]
Pin = Annotated[int, Field(ge=0, le=27)]  # what the header has, in BCM numbers
SeatNumber = Annotated[int, Field(ge=0)]  # its upper bound is the number of players


class LampPins(Part):
    """The BCM numbers of one lamp: *red*, *green* and *blue*, or a single one of them, or *pin* alone: an LED of one
    colour."""

    name: str = ""
    red: Pin | None = None
    green: Pin | None = None
    blue: Pin | None = None
    pin: Pin | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """Those of red, green and blue, or the single one."""
        return tuple(n for n in (self.red, self.green, self.blue, self.pin) if n is not None)


def _button(name: str) -> str:
    if name not in BUTTONS:
        known = f"{', '.join(COMMANDS)}, seat-0 to seat-{MOST_SEATS - 1}"
        raise ValueError(f"is no button: known are {known}")
    return name


BUTTONS = (*COMMANDS, *(f"seat-{seat}" for seat in range(MOST_SEATS)))
"""The names of buttons: what each asks for, or the seat for which it confirms."""

ButtonName = Annotated[str, AfterValidator(_button)]


class Pins(Part):
    """A pin map: what is soldered where. A *tonal* buzzer makes no sound by itself, and is given the pitch."""

    seats: tuple[LampPins, ...] = ()
    centre: LampPins | None = None
    buttons: dict[ButtonName, Pin] = Field(default_factory=dict)
    buzzer: Pin | None = None
    tonal: bool = False

    @property
    def lamps(self) -> tuple[LampPins, ...]:
        """Those of the seats, and the one in the centre, if there is one."""
        return self.seats if self.centre is None else (*self.seats, self.centre)


def _spi(value: str) -> str:
    if not _SPI.fullmatch(value):
        raise ValueError(f"{_show(value)}: write an SPI port, such as /dev/spidev0.0, or 0.0 for short")
    return value if value.startswith("/") else f"/dev/spidev{value}"


_SPI = re.compile(r"(/dev/spidev)?[0-9]{1,2}\.[0-9]")

MOST_PIXELS = 48
"""Pixels of one lamp, so that seven seats and the centre fit into one message to the SPI port."""

SPI_PINS = {"0": range(7, 12), "1": range(16, 22)}
"""The BCM numbers that an SPI port of the Raspberry Pi takes."""


class LampsConfig(Part):
    """*pins* is a pin map, or in the file the name of one; None: no lamps. *common* is the legs joined in each LED.

    Lamps of *kind* ``ws2812`` are a strip on an *spi* port: *pixels* for each seat, then *centre* for the one in the
    centre; *brightness* is the most that they shine, of 1. The pin map then has buttons and buzzer alone.
    """

    kind: Literal["pins", "ws2812"] = "pins"
    pins: Pins | None = None
    common: Literal["cathode", "anode"] = "cathode"
    pwm: bool = False
    spi: Annotated[str, AfterValidator(_spi)] = "/dev/spidev0.0"
    pixels: Annotated[int, Field(ge=1, le=MOST_PIXELS)] = 8
    centre: Annotated[int, Field(ge=0, le=MOST_PIXELS)] = 0
    brightness: Annotated[float, Field(ge=0.01, le=1)] = 0.2


class AntennaConfig(Part):
    """One antenna of a multiplexer: whose it is, and what it means."""

    seat: SeatNumber | None = None
    shared: bool = False
    means: Means = "play"


class ReaderConfig(Part):
    """One reader: of *kind* ``lines``, which types each tag's number; a ``wedge``, which types it like a keyboard; a
    ``pn532`` over HSU; ``pcsc``, whose *port* is its name, or enough of it. What it *means* is told in
    ``devices.roles``. A *shared* one has no seat. A multiplexer has *antennas* instead, by the names that it says.

    *repeats* says that a line reader names a tag again while the tag lies, *decimal* that it does not say it in hex.
    The field of a PN532 is off between two looks unless *field_off* says no; those that lie *close* to each other,
    under 10 cm, look in turns; *reset* is the pin that its RSTPDN is wired to, in BCM numbers, which several may share.
    """

    name: Name
    port: Device
    kind: Literal["lines", "pn532", "pcsc", "wedge"] = "lines"
    baud: Annotated[int, Field(ge=300, le=4_000_000)] = 9600
    seat: SeatNumber | None = None
    shared: bool = False
    means: Means = "play"
    antennas: dict[str, AntennaConfig] = Field(default_factory=dict)
    repeats: bool = False
    decimal: bool = False
    field_off: bool = True
    close: bool = False
    reset: Pin | None = None


class DisplayConfig(Part):
    """*size* is width and height in pixels."""

    size: Annotated[Size, BeforeValidator(_display_size)] = (1024, 600)
    fullscreen: bool = False


FrameSize = Annotated[Size, BeforeValidator(_frame_size)]
Pixel = tuple[float, float]


_RPICAM = re.compile(r"rpicam(:[0-9])?")


def _source(value: str) -> str:
    if value.isdecimal():
        raise ValueError(f"{value}: a camera's number changes: write its path, such as /dev/v4l/by-id/…")
    if value.startswith("rpicam:") and not _RPICAM.fullmatch(value):
        raise ValueError(f"{_show(value)}: the Raspberry Pi's own cameras are rpicam:0 to rpicam:9")
    return value


CAMERAS = 4
"""The most of a table."""


def _camera_name(value: str) -> str:
    if not value.startswith("camera"):
        raise ValueError(f"{_show(value)}: write a name that begins with camera, such as camera-left")
    return value


def _share(value: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    left, top, width, height = value
    if min(left, top) < 0 or min(width, height) < 0.1 or max(left + width, top + height) > 1:
        raise ValueError(f"{_show(value)}: write left, top, width, height of a part, such as [0.25, 0.25, 0.5, 0.5]")
    return value


ColourGain = Annotated[float, Field(ge=0.1, le=32)]


class CameraConfig(Part):
    """*source* is a camera's path, ``rpicam`` or ``rpicam:1``, a film, or a folder of pictures; paths are absolute, or
    relative to the working folder. *size* and *fps* are what a camera is asked for; None: what suits its kind.

    Facts come from *name*. A camera lets exposure, white balance and focus settle, and holds them, unless *hold* is
    false. What is told here is held from the beginning: *exposure* in milliseconds; of the Raspberry Pi's own camera
    *gain*, the gains of red and blue (*white*), and its *height* above the table in centimetres, for the lens. *part*
    is the part of its field that it shows: left, top, width, height, of 1. *mains* are the hertz of the lamps.

    *corners* tell where the table is when there are no markers: those of the marked square, north-east, south-east,
    south-west, north-west (north is seat 0's side), each x and y in pixels of a frame of *corners_size*.
    """

    source: Annotated[Device, AfterValidator(_source)]
    name: Annotated[Name, AfterValidator(_camera_name)] = "camera"
    size: FrameSize | None = None
    fps: Annotated[int, Field(ge=1, le=120)] = 15
    height: Annotated[float, Field(ge=10, le=300)] | None = None
    exposure: Annotated[float, Field(ge=0.1, le=100)] | None = None
    gain: Annotated[float, Field(ge=1, le=64)] | None = None
    white: tuple[ColourGain, ColourGain] | None = None
    part: Annotated[tuple[float, float, float, float], AfterValidator(_share)] | None = None
    hold: bool = True
    mains: Literal[50, 60] = 50
    corners: tuple[Pixel, Pixel, Pixel, Pixel] | None = None
    corners_size: FrameSize | None = None


Language = Annotated[
    Literal["en", "pt-PT", "pt-BR", "pt"], AfterValidator(lambda told: "pt-PT" if told == "pt" else told)
]


COURT_LETTERS = "JQKRDVB"


def _letters(value: object) -> object:
    if not isinstance(value, str):
        return value
    told = value.replace(" ", "").upper()
    if len(told) != 3 or len(set(told)) != 3 or not set(told) <= set(COURT_LETTERS):
        raise ValueError(
            f"{_show(value)}: write the letters of king, queen and jack as the cards show them, such as KQJ, RDV or "
            f"KDB (the reader knows {' '.join(COURT_LETTERS)})"
        )
    return told


class Config(Part):
    """The whole configuration; without a file it is a table of four seats without devices.

    *rules* is a preset's name, or like *deck* a path, absolute or relative to the working folder.
    *letters* are those of king, queen and jack on the cards, for the camera; None: whatever is plain in any language.
    *sound* is whether the buzzer of the pin map, if there is one, is to be heard.
    *faces* is a deck that ``enrol faces`` taught, by its name or its file, with a path like that of *deck*.
    """

    players: Annotated[tuple[Name, ...], AfterValidator(_players)] = ("North", "East", "South", "West")
    rules: Name = "hearts-cardems"
    options: dict[str, Any] = Field(default_factory=dict)
    language: Language = "en"
    deck: Path | None = None
    letters: Annotated[str | None, BeforeValidator(_letters)] = None
    faces: Name | None = None
    cameras: Annotated[tuple[CameraConfig, ...], Field(alias="camera", max_length=CAMERAS)] = ()
    readers: tuple[ReaderConfig, ...] = ()
    lamps: LampsConfig = LampsConfig()
    sound: bool = True
    display: DisplayConfig = DisplayConfig()

    @property
    def camera(self) -> CameraConfig | None:
        """The first camera."""
        return self.cameras[0] if self.cameras else None


def load_config(path: Path, *, pins_wanted: bool = True) -> Config:
    """The configuration in *path*; files that it names are relative to it. Raises BadConfig with every complaint.

    The pin map is read too, and its complaints join; one that is not there is none, unless *pins_wanted*. The deck is
    not read: see ``load_deck``.
    """
    sheet = read_sheet(path, "players: [Rita, Ada, Bo, Cleo]")
    other = _other_file(sheet.value)
    if other is not None:
        raise BadConfig([Complaint(path, None, "", other)])
    camera, lamps = _get(sheet.value, "camera"), _get(sheet.value, "lamps")
    if not isinstance(camera, dict | list | None):
        sheet.complain(("camera",), f"{_show(camera)}: write camera: {{source: {camera}}}")
    if not isinstance(camera, dict | list) and isinstance(sheet.value, dict):
        sheet.value["camera"] = []
    sheet.take_as_list("camera")
    if isinstance(lamps, dict) and isinstance(lamps.get("pins"), str):
        file, lamps["pins"] = path.parent / lamps["pins"], None
        try:
            if _is_there(sheet, ("lamps", "pins"), file, wanted=pins_wanted):
                of_pins = [_pins_used_twice, _lamps_half_connected]
                pins = load_yaml(file, Pins, checks=of_pins, example="seats: […]")
                lamps["pins"] = pins.model_dump(exclude_unset=True)
        except BadConfig as error:
            sheet.complaints += error.complaints
    checks: list[Check] = [
        _readers_disagree,
        lambda value: _cameras_disagree(value, path.parent),
        *(_config_pins_are_wrong, _lamps_disagree, _corners_are_wrong),
    ]
    config = _validated(sheet, Config, checks)
    found: dict[str, Any] = {}
    if config.deck is not None:
        found["deck"] = path.parent / config.deck
    if config.faces is not None:
        found["faces"] = _faces_beside(path, config.faces)
    if is_rules_file(config.rules):
        found["rules"] = str(path.parent / config.rules)
    found["cameras"] = tuple(_found(camera, path, i) for i, camera in enumerate(config.cameras))
    return config.model_copy(update=found)


def config_kept(value: Any, path: Path, line: int) -> Config:
    """The configuration that *line* of a file keeps as plain values, where no path is one beside it. Raises
    BadConfig."""
    return _validated(Sheet(path, value, {(): line}), Config)


def _found(camera: CameraConfig, path: Path, number: int) -> CameraConfig:
    """A camera as seen from the configuration in *path*, with a name."""
    told = {} if "name" in camera.model_fields_set else {"name": _default_name(number)}
    if not _RPICAM.fullmatch(camera.source):
        told["source"] = str(path.parent / camera.source)
    return camera.model_copy(update=told)


def _default_name(number: int) -> str:
    return f"camera-{number + 1}" if number else "camera"


def camera_written(source: str, file: Path | None) -> str | None:
    """The beginning of a camera in the table's *file*, or in one in the working folder: ``camera:``, and under it its
    *source*, a path as seen from here. None when no such file can have it: it is no text, or means something else."""
    written = source
    if not _RPICAM.fullmatch(source):
        path, beside = Path(source), file.parent if file is not None else Path()
        try:
            written = str(path.relative_to(beside))
        except ValueError:
            written = str(path.absolute())
        if written == "rpicam" or written.startswith("rpicam:") or written.isdecimal():
            written = str(path.absolute())
    try:
        taken = CameraConfig(source=written).source
    except ValidationError:
        return None
    if taken != written or _unwritable(written) is not None:
        return None
    # Told in the words of YAML 1.1, which takes more for something else than is done here, and so quotes enough.
    text: str = yaml.safe_dump({"camera": {"source": written}}, allow_unicode=True, width=len(written) * 8 + 80)
    return text


def match_part(path: Path) -> Config | None:
    """What the configuration in *path* says of the match alone, the rest as without a file; None when that cannot be
    used, as ``load_config`` says."""
    try:
        sheet = read_sheet(path, "")
        told = sheet.value if isinstance(sheet.value, dict) else {}
        sheet.value = {key: told[key] for key in ("players", "rules", "options") if key in told}
        sheet.complaints.clear()
        config = _validated(sheet, Config)
    except BadConfig:
        return None
    rules = str(path.parent / config.rules) if is_rules_file(config.rules) else config.rules
    return config.model_copy(update={"rules": rules})


def located(path: Path, wrongs: Iterable[Wrong]) -> tuple[Complaint, ...]:
    """Complaints about values of the configuration in *path*, with their lines. Raises BadConfig when it cannot be
    read."""
    sheet = read_sheet(path, "")
    sheet.complaints.clear()
    sheet.take_as_list("camera")
    for wrong in wrongs:
        sheet.complain(wrong.place, wrong.text)
    return tuple(sheet.complaints)


def _other_file(value: Any) -> str | None:
    """What a file is that is no table's, when that is plain."""
    if not isinstance(value, dict) or not value:
        return None
    if set(value) <= set(_DeckFile.model_fields):
        return "is a deck, not a table: give the table's file, which names this one (deck: …)"
    if set(value) <= set(Pins.model_fields):
        return "is a pin map, not a table: give the table's file, which names this one (lamps: {pins: …})"
    return None


def _is_there(sheet: Sheet, place: Place, file: Path, *, wanted: bool) -> bool:
    """Whether the *file* that *place* names is there; where it is *wanted* and is not, it is complained of."""
    there = os.path.exists(file)  # noqa: PTH110 (False for a name that no file can have, too)
    if wanted and not there:
        sheet.complain(place, f"{file}: there is no such file")
    return there


def is_rules_file(rules: str) -> bool:
    """Whether *rules* names a file, and not a rule set that ships with tablepi."""
    return "/" in rules or rules.endswith((".yaml", ".yml"))


def _faces_beside(path: Path, faces: str) -> str:
    """A file of *faces* as seen from the configuration in *path*; the name of a deck in the store stays one."""
    return str(path.parent / faces) if "/" in faces or faces.endswith(".faces.npz") else faces


def _readers_disagree(value: Any) -> Iterator[Wrong]:
    readers = [(i, r) for i, r in enumerate(_list(_get(value, "readers"))) if isinstance(r, dict)]
    for key in ("port", "name"):
        told = [(("readers", i, key), r[key].strip()) for i, r in readers if isinstance(r.get(key), str)]
        for place, first in _repeated([(place, _really(text) if key == "port" else text) for place, text in told]):
            yield Wrong(place, f"{_show(_at(value, place))} is that of {_written(first)} too: each needs its own")
    for i, reader in readers:
        for key, kinds in _OF_KINDS.items():
            if key in reader and reader.get("kind", "lines") not in kinds and reader.get("kind", "lines") in _KINDS:
                yield Wrong(("readers", i, key), f"is for readers of kind {' or '.join(kinds)}: leave it out")
        if isinstance(reader.get("name"), str) and reader["name"].startswith("camera"):  # whose word can be doubted
            yield Wrong(("readers", i, "name"), f"{_show(reader['name'])}: only a camera's name begins with camera")
        if isinstance(reader.get("name"), str) and reader["name"].strip() in _NO_READERS:
            yield Wrong(
                ("readers", i, "name"), f"{_show(reader['name'])}: that is no reader's word: write another name"
            )
    players = _get(value, "players")
    seats = len(players) if isinstance(players, list) else len(Config().players)
    pins = {number: place for place, number in _numbers(_get(_get(value, "lamps"), "pins"), ("lamps", "pins"))}
    for i, reader in readers:
        if type(reset := reader.get("reset")) is int and reset in pins:
            text = f"GPIO {reset} is that of {_written(pins[reset])} too: each needs its own"
            yield Wrong(("readers", i, "reset"), text)
        for wrong in _antennas_are_wrong(reader, seats) if reader.get("antennas") else _nobodys(reader, seats):
            yield Wrong(("readers", i, *wrong.place), wrong.text)


def _really(device: str) -> str:
    """A *device* under the one name that all of its names lead to; what is no path in ``/dev`` as it is."""
    return os.path.realpath(device) if device.startswith("/dev/") else device


_NO_READERS = ("person", "clock", "deduced")
"""The sources of facts that no reader tells."""

_OF_KINDS = {
    "baud": ("lines",),
    "repeats": ("lines",),
    "decimal": ("lines", "wedge"),
    "antennas": ("lines",),
    "field_off": ("pn532",),
    "close": ("pn532",),
    "reset": ("pn532",),
}
"""Keys that are not for readers of every kind."""

_KINDS = ("lines", "pn532", "pcsc", "wedge")  # of another one it is said that there is none


def _antennas_are_wrong(reader: Mapping[str, Any], seats: int) -> Iterator[Wrong]:
    for key in ("seat", "shared", "means"):
        if key in reader:
            yield Wrong((key,), "each antenna has its own: leave it out here")
    antennas = reader["antennas"]
    names = antennas if isinstance(antennas, dict) else ()
    for place, first in _repeated([(("antennas", name), plainly(name)) for name in names]):
        yield Wrong(place, f"is the same antenna as {first[-1]}: keep one")
    for name, antenna in antennas.items() if isinstance(antennas, dict) else ():
        if not _ANTENNA.fullmatch(name):
            yield Wrong(("antennas", name), "write the number that it says before each tag, such as 2 or A2")
        for wrong in _nobodys(antenna, seats) if isinstance(antenna, dict) else ():
            yield Wrong(("antennas", name, *wrong.place), wrong.text)


_ANTENNA = re.compile(r"[A-Za-z]{0,10} ?[0-9]{1,3}")

_OF_ONE_SEAT = ("hand", "pass")
_OF_NO_SEAT = ("pile", "command")


def _nobodys(reader: Mapping[str, Any], seats: int) -> Iterator[Wrong]:
    """What is wrong with whose a *reader* is, given what it means."""
    seat, shared, means = reader.get("seat"), reader.get("shared"), reader.get("means")
    if seat is not None and means in _OF_NO_SEAT:
        yield Wrong(("seat",), f"a reader that means {means} is nobody's: leave it out")
    elif seat is not None and shared is True:
        yield Wrong(("shared",), "a reader has a seat or is shared: keep one of both")
    elif shared is True and means in _OF_ONE_SEAT:
        yield Wrong(("shared",), f"whose {means} is it? write seat: 0 to {seats - 1} in its place")
    elif seat is None and means in _OF_ONE_SEAT:
        yield Wrong((), f"whose {means} is it? write seat: 0 to {seats - 1}")
    elif seat is None and shared is not True and means not in _OF_NO_SEAT:
        yield Wrong((), f"whose is it? write seat: 0 to {seats - 1}, or shared: true")
    if type(seat) is int and seat >= seats and means not in _OF_NO_SEAT:
        yield Wrong(("seat",), f"{seat}: {seats} players sit at seats 0 to {seats - 1}")


def _cameras(value: Any) -> list[tuple[Place, Any]]:
    """The cameras in a configuration that is taken as a list, each with its place."""
    return [(("camera", i), camera) for i, camera in enumerate(_list(_get(value, "camera")))]


_OF_THE_PI = {
    "height": "no other camera's lens can be set by it",
    "gain": "other cameras find it by themselves",
    "white": "other cameras find it by themselves",
    "part": "other cameras show the whole picture",
}
"""Keys for the Raspberry Pi's own camera, and why they are for no other."""


def _cameras_disagree(value: Any, folder: Path) -> Iterator[Wrong]:
    """What is wrong with the cameras of a configuration in *folder*, taken together, and with keys of other kinds."""
    cameras = _cameras(value)
    told: list[tuple[Place, Hashable]] = []
    for place, camera in cameras:
        source = _get(camera, "source")
        source = source.strip() if isinstance(source, str) else ""
        if _is_path(source):
            told.append(((*place, "source"), os.path.realpath(folder / source)))
        elif source:
            told.append(((*place, "source"), "rpicam:0" if source == "rpicam" else source))
    for place, first in _repeated(told):
        yield Wrong(place, f"{_show(_at(value, place))} is that of {_written(first)} too: each needs its own")
    names = [((*place, "name"), _get(camera, "name") or _default_name(i)) for i, (place, camera) in enumerate(cameras)]
    for place, first in _repeated([(place, name) for place, name in names if isinstance(name, str)]):
        yield Wrong(place, f"that is the name of {_written(first[:-1])} too: each needs its own")
    for place, camera in cameras:
        source = _get(camera, "source")
        if not isinstance(source, str) or _RPICAM.fullmatch(source.strip()):
            continue
        for key, why in _OF_THE_PI.items():
            if _get(camera, key) is not None:
                yield Wrong((*place, key), f"is for the Raspberry Pi's own camera (source: rpicam): {why}")


def _corners_are_wrong(value: Any) -> Iterator[Wrong]:
    for place, camera in _cameras(value):
        for wrong in _corners_of(camera):
            yield Wrong((*place, *wrong.place), wrong.text)


def _corners_of(camera: Any) -> Iterator[Wrong]:
    """What is wrong with the corners that are told of one *camera*."""
    corners, told_in = _get(camera, "corners"), _get(camera, "corners_size")
    place: Place = ("corners",)
    if corners is not None and told_in is None:
        yield Wrong(place, "of a frame of which size? write corners_size, such as 1280x720")
    if corners is None and told_in is not None:
        yield Wrong(("corners_size",), "is for corners: write them too, or leave it out")
    if len(_list(corners)) > 4:  # of which nothing else is said
        for i, corner in enumerate(corners):
            if not _is_pixel(corner):
                yield Wrong((*place, i), f"{_show(corner)}: write x and y, such as [905, 95]")
    pixels = [(i, tuple(corner)) for i, corner in enumerate(_list(corners)) if _is_pixel(corner)]
    try:
        size = _frame_size(told_in)
    except ValueError:  # said already
        pass
    else:
        for i, (x, y) in pixels:
            if not (0 <= x < size[0] and 0 <= y < size[1]):
                yield Wrong((*place, i), f"{_show([x, y])} lies outside a frame of {size[0]}x{size[1]}")
    if len(_list(corners)) == len(pixels) == 4:
        for wrong in _square_is_wrong([corner for _, corner in pixels]):
            yield Wrong((*place, *wrong.place), wrong.text)


def _square_is_wrong(corners: Sequence[Pixel]) -> Iterator[Wrong]:
    """What keeps four *corners* from being those of a square as a camera sees it, told clockwise."""
    same = {
        j: i
        for i, j in combinations(range(4), 2)
        if hypot(corners[i][0] - corners[j][0], corners[i][1] - corners[j][1]) < SMALLEST_SQUARE
    }
    for j, i in same.items():
        apart = hypot(corners[i][0] - corners[j][0], corners[i][1] - corners[j][1])
        where = f"is where corners[{i}] is" if apart < 1 else f"is only {apart:.0f} pixels from corners[{i}]"
        yield Wrong((j,), f"{_show(corners[j])} {where}: each corner has a place of its own")
    if same:
        return
    bends = [_bend(corners[i - 1], corners[i], corners[(i + 1) % 4]) for i in range(4)]
    inward = [i for i in range(4) if bends[i] <= -SMALLEST_SQUARE]
    if len(inward) == 1:
        yield Wrong((*inward,), f"{_show(corners[inward[0]])} lies inside of the other three: no square looks so")
    elif inward:
        text = "do not go round clockwise: write the square's north-east, south-east, south-west, north-west"
        yield Wrong((), text)
    for i in range(4):
        if abs(bends[i]) < SMALLEST_SQUARE:
            text = f"lies on a line with corners[{(i - 1) % 4}] and corners[{(i + 1) % 4}]: no square looks so"
            yield Wrong((i,), f"{_show(corners[i])} {text}")


def _is_pixel(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(n) in (int, float) for n in value)


def _bend(a: Pixel, b: Pixel, c: Pixel) -> float:
    """How far *b* lies from the line that leads from *a* to *c*, in pixels: to its left, y downwards, is above 0, so
    that the way turns right there."""
    turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    return turn / hypot(c[0] - a[0], c[1] - a[1])


def _config_pins_are_wrong(value: Any) -> Iterator[Wrong]:
    pins = _get(_get(value, "lamps"), "pins")
    for wrong in (*_pins_used_twice(pins), *_lamps_half_connected(pins)):
        yield Wrong(("lamps", "pins", *wrong.place), wrong.text)


def _lamps_half_connected(value: Any) -> Iterator[Wrong]:
    lamps: list[tuple[Place, Any]] = [(("seats", i), lamp) for i, lamp in enumerate(_list(_get(value, "seats")))]
    centre = _get(value, "centre")
    for place, lamp in [*lamps, (("centre",), centre)] if centre is not None else lamps:
        named = lamp if isinstance(lamp, dict) else {"pin": lamp}  # a lamp that is no mapping is said already
        legs = [leg for leg in ("blue", "green", "pin", "red") if named.get(leg) is not None]
        if len(legs) != 1 and legs != ["blue", "green", "red"]:
            has = f"has only {' and '.join(legs)}" if legs else "has no pin"
            yield Wrong(place, f"{has}: write red, green and blue, or one pin alone for a lamp of one colour")


_OF_PINS, _OF_A_STRIP = ("common", "pwm"), ("spi", "pixels", "centre", "brightness")


def _lamps_disagree(value: Any) -> Iterator[Wrong]:
    lamps = _get(value, "lamps")
    pins, strip = _get(lamps, "pins"), _get(lamps, "kind") == "ws2812"
    for key in _OF_PINS if strip else _OF_A_STRIP:
        if _get(lamps, key) is not None:
            other = "pins" if strip else "ws2812"
            yield Wrong(("lamps", key), f"is for lamps of kind {other}: leave it out")
    players = _get(value, "players")
    seats = len(players) if isinstance(players, list) else len(Config().players)
    for name, pin in pressed.items() if isinstance(pressed := _get(pins, "buttons"), dict) else ():
        seat = name.removeprefix("seat-")
        if name in BUTTONS and seat != name and int(seat) >= seats:
            place: Place = ("lamps", "pins", "buttons", name)
            yield Wrong(place, f"GPIO {pin}: {seats} players sit at seats 0 to {seats - 1}")
    if not strip:
        return
    for key in ("seats", "centre"):
        if _get(pins, key):
            yield Wrong(("lamps", "pins", key), "is for lamps of kind pins: leave it out")
    spi = str(_get(lamps, "spi") or "0.0").removeprefix("/dev/spidev")
    for place, number in _numbers({key: _get(pins, key) for key in ("buttons", "buzzer")}, ()):
        if number in SPI_PINS.get(spi.partition(".")[0], ()):
            yield Wrong(("lamps", "pins", *place), f"GPIO {number} is one of the SPI port's: take another")
    for i, reader in enumerate(_list(_get(value, "readers"))):
        number = _get(reader, "reset")
        if type(number) is int and number in SPI_PINS.get(spi.partition(".")[0], ()):
            yield Wrong(("readers", i, "reset"), f"GPIO {number} is one of the SPI port's: take another")


def _pins_used_twice(value: Any) -> Iterator[Wrong]:
    for place, first in _repeated(list(_numbers(value, ()))):
        yield Wrong(place, f"GPIO {_at(value, place)} is that of {_written(first)} too: each needs its own")


def _numbers(value: Any, place: Place) -> Iterator[tuple[Place, int]]:
    if type(value) is int:
        yield place, value
    elif isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _numbers(inner, (*place, step))


def _repeated(values: Iterable[tuple[Place, Hashable]]) -> Iterator[tuple[Place, Place]]:
    """The places whose value stood before, each with the place where it stood first."""
    first: dict[Hashable, Place] = {}
    for place, value in values:
        if value in first:
            yield place, first[value]
        else:
            first[value] = place


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _at(value: Any, place: Place) -> Any:
    for step in place:
        value = value[step]
    return value


# --- the deck -----------------------------------------------------------------------------------------------------


class _DeckFile(Part):
    cards: dict[str, tuple[str, ...]]
    commands: dict[str, tuple[str, ...]] = Field(default_factory=dict)


NO_TAG_YET = "no tag is known yet: teach them with `tablepi enrol tags --config FILE`"
"""What is said of a deck whose file is not there: it is made by teaching its tags."""


def is_taught(deck: Path | None) -> TypeGuard[Path]:
    """Whether a deck is named whose file is there: one that is not there yet has no tags."""
    return deck is not None and os.path.exists(deck)  # noqa: PTH110 (False for a name that no file can have, too)


def load_deck(path: Path) -> Mapping[str, Card]:
    """Which card each tag is in, by UID as readers give it (``devices.tags.uid``). Raises BadConfig.

    The file is ``cards: {QS: [04A1B2C3D4E580, …], …}``; it need not have every card, and a card may have several tags.
    """
    return load_tags(path)[0]


def load_commands(path: Path) -> Mapping[str, str]:
    """What the cards that command ask for (``views.screen.COMMANDS``), by the UID of each tag in one. Raises BadConfig.

    They stand in the deck's file as ``commands: {undo: [04A1B2C3D4E580], …}``.
    """
    return load_tags(path)[1]


def load_tags(path: Path) -> tuple[Mapping[str, Card], Mapping[str, str]]:
    """Both of a deck's file, which is read once: that of ``load_deck``, and that of ``load_commands``."""
    deck = _validated(read_sheet(path, "cards: {QS: [04A1B2C3D4E580]}"), _DeckFile, [_deck_is_wrong])
    cards = {uid(tag): card(name) for name, tags in deck.cards.items() for tag in tags}
    commands = {uid(tag): name for name, tags in deck.commands.items() for tag in tags}
    return MappingProxyType(cards), MappingProxyType(commands)


def _deck_is_wrong(value: Any) -> Iterator[Wrong]:
    names: list[tuple[Place, Hashable]] = []
    tags: list[tuple[Place, Hashable]] = []
    things = [
        (key, name, written)
        for key in ("cards", "commands")
        for name, written in (_get(value, key).items() if isinstance(_get(value, key), dict) else ())
    ]
    for key, name, written in things:
        try:
            if key == "cards":
                names.append(((key, name), card(name)))
            elif name not in COMMANDS:
                yield Wrong((key, name), _unknown_key(name, COMMANDS))
        except ValueError as error:
            yield Wrong((key, name), str(error))
        for i, tag in enumerate(_list(written)):
            place: Place = (key, name, i)
            try:
                if isinstance(tag, str):
                    tags.append((place, uid(tag)))
            except ValueError as error:
                yield Wrong(place, str(error))
    for place, first in _repeated(names):
        yield Wrong(place, f"is the same card as {first[-1]}: write all its tags in one place")
    for place, first in _repeated(tags):
        yield Wrong(place, f"{_show(_at(value, place))} is a tag of {first[1]} too: a tag is in one card")


def check_config(
    path: Path,
    *,
    faces: Callable[[str], str | None] = lambda _: None,
    film: Callable[[Path], str | None] = lambda _: None,
) -> tuple[Complaint, ...]:
    """All that is to mend in a configuration, its pin map and its deck, without opening any device; () when it is well.
    *faces* says what is wrong with the faces of a name, if anything, and *film* what keeps a file or a folder from
    being a camera's source.

    A deck that lacks cards can be played with, but it is complained of here. A device that is not there is no fault:
    see ``absent_devices``.
    """
    found: list[Complaint] = []
    try:
        load_config(path)
    except BadConfig as bad:
        found += bad.complaints
    try:
        sheet = read_sheet(path, "")
    except BadConfig:  # said already
        return tuple(found)
    unwritable = {complaint.key for complaint in sheet.complaints}
    sheet.complaints.clear()
    sheet.take_as_list("camera")
    for place, camera in _cameras(sheet.value):
        source = _get(camera, "source")
        if isinstance(source, str) and _is_path(source.strip()):
            file = path.parent / source.strip()
            away = not source.strip().startswith("/dev/") and not os.path.exists(file)  # noqa: PTH110 (any error)
            wrong = f"{_show(source)}: {_NO_FILM}" if away else film(file)
            if wrong is not None:
                sheet.complain((*place, "source"), wrong)
    learned = _get(sheet.value, "faces")
    if isinstance(learned, str) and learned.strip():
        wrong = faces(_faces_beside(path, learned.strip()))
        if wrong is not None:
            sheet.complain(("faces",), wrong)
    named = _get(sheet.value, "deck")
    deck = path.parent / named if isinstance(named, str) else None
    if deck is not None and not is_taught(deck):
        sheet.complain(("deck",), f"{deck}: {NO_TAG_YET}")
        deck = None
    found += [complaint for complaint in sheet.complaints if complaint.key not in unwritable]
    if deck is not None:
        try:
            lacking = FULL_DECK & ~cards_of(load_deck(deck).values())
        except BadConfig as bad:
            found += bad.complaints
        else:
            if lacking:
                cards = " ".join(str(c) for c in each(lacking))
                found.append(Complaint(deck, None, "cards", f"no tag is known for {cards}"))
    return tuple(found)


def absent_devices(path: Path) -> tuple[Complaint, ...]:
    """The devices that a configuration names and that are not plugged in now, if it can be read at all: no fault, but
    the reason why a table that is right stays blind."""
    try:
        sheet = read_sheet(path, "")
    except BadConfig:
        return ()
    unwritable = {complaint.key for complaint in sheet.complaints}
    sheet.complaints.clear()
    sheet.take_as_list("camera")
    named: list[tuple[Place, Any]] = [((*place, "source"), _get(c, "source")) for place, c in _cameras(sheet.value)]
    named += [(("readers", i, "port"), _get(r, "port")) for i, r in enumerate(_list(_get(sheet.value, "readers")))]
    for place, device in named:
        if not isinstance(device, str) or not device.startswith("/dev/") or _PLACEHOLDER.search(device):
            continue
        if not os.path.exists(device):  # noqa: PTH110 (False where it may not be asked, too)
            folder = device.rpartition("/")[0]
            sheet.complain(place, f"{device} is not there now: is it plugged in? `ls {folder}` shows what is")
    return tuple(complaint for complaint in sheet.complaints if complaint.key not in unwritable)


_NO_FILM = "there is no such film, folder or device: write its path as seen from this file, or rpicam"


def _is_path(source: str) -> bool:
    return bool(source) and not source.isdecimal() and source != "rpicam" and not source.startswith("rpicam:")
