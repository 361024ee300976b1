"""``tablepi recognise``: pictures, folders and videos in, the cards that lie there out, one line a picture or frame."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from ..errors import BadInput, shown
from ..facts import dumps
from ..files import put
from ..language import words
from ..views.words import Words

if TYPE_CHECKING:  # at run time numpy and cv2 are imported when the command runs
    import numpy as np
    from numpy.typing import NDArray

    from ..pictures import Picture, Unreadable
    from ..vision.reader import Reading


class Reader(Protocol):
    """What reads a frame (see tablepi.vision): all readings, surest first, and where trust in them begins."""

    threshold: float

    def read(self, frame: NDArray[np.uint8]) -> Sequence[Reading]: ...


@dataclass(frozen=True, slots=True)
class Every:
    """Which frames of a video are read: each *frames*-th, or one each *seconds* where those are given."""

    frames: int = 1
    seconds: float = 0.0


def every_of(text: str) -> Every:
    """``10`` is every tenth frame, ``0.5s`` one each half second. Raises ValueError."""
    wrong = ValueError(f"{text[:40]!r} is neither frames, such as 10, nor seconds, such as 0.5s")
    number = text.strip().lower()
    if number.isascii() and number.isdecimal() and len(number) < 10 and int(number) > 0:
        return Every(frames=int(number))
    try:
        seconds = float(number.removesuffix("s")) if number.endswith("s") else 0.0
    except ValueError:
        raise wrong from None
    if not 0.001 <= seconds <= 86400:
        raise wrong
    return Every(seconds=seconds)


def recognise(
    paths: Iterable[str],
    *,
    json: bool,
    all: bool,
    draw: Path | None,
    every: Every,
    faces: Path | None = None,
    letters: str | None = None,
    language: str,
    out: TextIO,
    err: TextIO,
    reader: Reader | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> int:
    """Answer each picture and frame as it is read; *all* also tells the readings under the reader's threshold; *faces*
    is a file of what was learned of the deck, *letters* are those of its king, queen and jack. What cannot be read is
    told and the others go on. Returns the exit status: 0, or 2 when something could not be read.

    Raises BadInput when copies cannot be written to *draw* or *faces* cannot be used, Missing when the reader's models
    are not there.
    """
    copies = _Copies(draw) if draw is not None else None
    learned = None
    if faces is not None:
        from ..vision.faces import load

        learned = load(faces)
    from ..pictures import PassedOver, Unreadable, pictures

    spoken = words(language, ())
    status = 0
    for found in pictures(paths, frames=every.frames, seconds=every.seconds, leave_out=draw):
        if isinstance(found, PassedOver):
            if not json:
                what = "file is neither picture nor video" if found.count == 1 else "files are no pictures or videos"
                print(f"{shown(found.folder)}: {found.count} other {what}", file=err, flush=True)
        elif isinstance(found, Unreadable):
            status = 2
            _tell_error(found, json=json, out=out, err=err)
        else:
            if reader is None:  # not before there is something to read
                from ..vision.answers import meaning
                from ..vision.reader import CardReader

                reader = trained = CardReader(letters=meaning(letters) if letters is not None else None)
                if learned is not None:
                    trained.learn(learned)
            began = clock()
            readings = reader.read(found.frame)
            ms = (clock() - began) * 1000
            told = [each for each in readings if all or each.confidence >= reader.threshold]
            drawn = copies.write(found, told, reader.threshold) if copies is not None else None
            if json:
                print(dumps(_line(found, told, ms, drawn)), file=out, flush=True)
            else:
                text = _text(told, reader.threshold, spoken)
                to = f" → {shown(str(drawn))}" if drawn is not None else ""
                print(f"{_heading(found, spoken)}: {text}{to}", file=out, flush=True)
    return status


def _tell_error(error: Unreadable, *, json: bool, out: TextIO, err: TextIO) -> None:
    if json:
        print(dumps({"file": error.file, "error": error.why}), file=out, flush=True)
    print(f"tablepi: {error}", file=err, flush=True)


def _line(picture: Picture, readings: Sequence[Reading], ms: float, drawn: Path | None) -> dict[str, Any]:
    line: dict[str, Any] = {"file": picture.file}
    if picture.number is not None:
        line |= {"frame": picture.number, "time": picture.time}
    line |= {"width": picture.width, "height": picture.height, "ms": round(ms, 1)}
    line["cards"] = [
        {
            "card": str(each.card),
            "confidence": round(float(each.confidence), 4),
            "box": list(picture.box(each.box)),
        }
        for each in readings
    ]
    return line if drawn is None else line | {"drawn": str(drawn)}


def _heading(picture: Picture, words: Words) -> str:
    name = shown(picture.file)
    if picture.number is None:
        return name
    return f"{name}, " + words.say("frame {number}, {time} s").format(number=picture.number, time=f"{picture.time:.2f}")


def _text(readings: Sequence[Reading], threshold: float, words: Words) -> str:
    """Such as ``Q♠ 98 %, 10♥ 91 %; unsure: 5♣ 40 %``."""

    def cards(some: Iterable[Reading]) -> str:
        return ", ".join(f"{each.card.face(words.language)} {_percent(each.confidence)}" for each in some)

    text = cards(each for each in readings if each.confidence >= threshold) or words.say("no card")
    unsure = cards(each for each in readings if each.confidence < threshold)
    return f"{text}; {words.say('unsure: {cards}').format(cards=unsure)}" if unsure else text


def _percent(confidence: float) -> str:
    return f"{int(confidence * 100 + 1e-9)} %"  # rounded down: what is not certain is not called so


@dataclass(frozen=True, slots=True)
class _Copies:
    """Writes copies of what was read into a folder, under names that are nobody's yet: no source and no earlier copy
    is ever written over."""

    folder: Path

    def __post_init__(self) -> None:
        """Raises BadInput when nothing can be written there, so that it is known before the work."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=self.folder):
                pass
        except (FileExistsError, NotADirectoryError):
            raise BadInput(f"--draw {shown(str(self.folder))}: a file is in the way: name a folder") from None
        except OSError as error:
            raise self._cannot(self.folder, error) from None

    def write(self, picture: Picture, readings: Sequence[Reading], threshold: float) -> Path:
        """Where the copy of *picture* is now. Raises BadInput when it cannot be written."""
        import cv2

        from ..vision.drawing import Mark, marked

        marks = [
            Mark(each.box, f"{each.card} {_percent(each.confidence)}", each.confidence >= threshold)
            for each in readings
        ]
        stem = Path(picture.file).stem
        while len(os.fsencode(stem)) > 200:  # room for the rest of the name
            stem = stem[:-1]
        if picture.number is not None:
            stem += f"-{picture.number:06}"
        _, encoded = cv2.imencode(".jpg", marked(picture.frame, marks), (cv2.IMWRITE_JPEG_QUALITY, 90))
        return self._written(stem, encoded.tobytes())

    def _written(self, stem: str, content: bytes) -> Path:
        for number in count(1):
            path = self.folder / (f"{stem}.jpg" if number == 1 else f"{stem}-{number}.jpg")
            try:
                path.touch(exist_ok=False)  # from here on the name is ours
                try:
                    put(path, content, synced=False)
                except BaseException:
                    path.unlink()  # no copy is to be seen that is none
                    raise
            except FileExistsError:
                continue
            except OSError as error:
                raise self._cannot(path, error) from None
            return path
        raise AssertionError(stem)

    def _cannot(self, path: Path, error: OSError) -> BadInput:
        return BadInput(f"--draw {shown(str(path))}: cannot be written: {error.strerror}: name a folder of yours")
