"""``tablepi calibrate sheet``: the markers by which the camera finds the table, to print; ``calibrate camera``: whether
the camera sees the table well, and what is to be moved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import combinations
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

from ..errors import BadInput, shown
from ..facts import dumps
from ..files import same, write_whole
from ..language import words

if TYPE_CHECKING:  # at run time numpy and cv2 are imported when the command runs
    from ..config import CameraConfig, Config
    from ..devices.camera import Image, Source
    from ..vision.survey import Survey

Point = tuple[float, float]
Kind = Literal["camera", "recording", "picture"]

FRAMES, APART_S = 12, 0.12
"""Frames that are looked at, at most, and seconds between them: enough to see a lamp flicker and an arm sway."""
SETTLES_S = 1.0
"""Seconds in which a live camera finds its exposure, before its frames count."""
SIGNS = {"well": "ok", "better": "?", "wrong": "!"}
"""What stands before a line: all right; it works, but should be better; something has to be moved."""
PICTURES = (".jpg", ".jpeg", ".png")
"""Endings of the files that ``--draw`` writes."""


def sheet(file: Path, *, mat: bool, players: int, language: str, out: TextIO) -> int:
    """Draw the sheet with the four markers, or with *mat* the whole mat, for a table of *players*, into *file*: its
    ending says whether as SVG or as PDF. Returns the exit status. Raises BadInput when it cannot be written so."""
    from ..vision import sheet as draw

    say = words(language, ()).say
    page = draw.mat(players, say) if mat else draw.sheet(players, say)
    match file.suffix.lower():
        case ".svg":
            content = draw.svg(page).encode()
        case ".pdf":
            content = draw.pdf(page)
        case _:
            raise BadInput(f"-o {file}: name a file that ends in .svg or .pdf")
    write_whole(file, content, option="-o")
    print(
        f"{file}: {say('Print at actual size (100 %), not fitted to the paper: the ruler must measure 100 mm.')}",
        file=out,
    )
    return 0


def camera(
    named: str | None,
    config_file: Path | None,
    *,
    corners: Sequence[Point] | None,
    jumbo: bool,
    draw: Path | None,
    json: bool,
    language: str,
    out: TextIO,
) -> int:
    """Look at some frames of what is *named* (a camera, a film, a folder, a picture), else of the camera in the table's
    file, and tell whether the table is seen well and what is to be moved.

    *corners* are those of the marked square, in pixels, as the table's file has them. *jumbo*: the deck's indices are
    large. *draw* is where a copy of the picture goes, with what was found in it. Returns the exit status: 0, or 1 when
    something has to be moved. Raises BadInput, DeviceLost.
    """
    from ..config import Config, load_config
    from ..vision.advice import advise
    from ..vision.eye import JUMBO_RANK, RANK
    from ..vision.overlay import drawn
    from ..vision.survey import Surveyor

    if draw is not None and draw.suffix.lower() not in PICTURES:
        raise BadInput(f"--draw {draw}: name a file that ends in {' or '.join(PICTURES)}")
    config = load_config(config_file) if config_file is not None else Config()
    told, name = _meant(named, config, config_file)
    if draw is not None and _is_looked_at(draw, name):
        raise BadInput(f"--draw {shown(str(draw))}: is the picture that is looked at: name another file")
    surveyor = Surveyor(height=told.height * 10 if told is not None and told.height is not None else None)
    with _opened(name, told) as (images, kind):
        for image in images:
            size = image.shape[1], image.shape[0]
            surveyor.by_hand = _by_hand(corners, told, size, config_file)
            surveyor.look(image)
    if surveyor.last is None:
        raise BadInput(f"{shown(name)}: there is no picture in it that can be read")
    survey = surveyor.survey()
    spoken, players = words(language, ()), len(config.players)

    def place(seat: int) -> str:
        return spoken.place(seat, players)

    found = advise(survey, players, spoken.say, place, rank=JUMBO_RANK if jumbo else RANK, live=kind == "camera")
    if draw is not None:
        _write(draw, drawn(surveyor.last, survey, players, place))
    well = all(each.verdict != "wrong" for each in found)
    lines = _for_the_file(survey, name if kind != "picture" else None, told, config_file, spoken.say)
    if json:
        for each in found:
            one = {"check": each.check, "what": each.what, "verdict": each.verdict, "text": each.text, **each.figures}
            print(dumps(one), file=out)
        print(dumps({"well": well, "frames": survey.frames, **_table(survey), "yaml": lines}), file=out)
        return 0 if well else 1
    for each in found:
        print(f"{SIGNS[each.verdict]:<3}{each.text}", file=out)
    end = spoken.say("Nothing has to be moved.")
    if not well:
        end = spoken.say("Mend what is marked with !, and calibrate again.")
    print(end, file=out)
    if lines:
        print(f"\n{spoken.say('For the file of the table:')}\n\n{lines}", file=out)
    return 0 if well else 1


def _meant(named: str | None, config: Config, file: Path | None) -> tuple[CameraConfig | None, str]:
    """The camera of the configuration that is meant, that of the name, else the first, if it has one; and the source.
    Raises BadInput."""
    if named is not None:
        by_name = {camera.name: camera for camera in config.cameras}
        return (by_name[named], by_name[named].source) if named in by_name else (config.camera, named)
    if config.camera is not None:
        return config.camera, config.camera.source
    if file is not None:
        raise BadInput(f"{file}: names no camera: name one here, such as rpicam, or write camera: {{source: …}} there")
    raise BadInput("name a camera, a film, a folder or a picture, or the file of a table that has one (--config)")


def _is_looked_at(file: Path, named: str) -> bool:
    """Whether *file* is what is *named*, or one of the pictures in the folder of that name: by whatever name. Raises
    BadInput when the folder cannot be looked at."""
    from ..pictures import pictures_in

    if not os.path.isdir(named):  # noqa: PTH112 (False for any error: what is wrong is said when it is opened)
        return same(file, named)
    return any(same(file, each) for each in pictures_in(named))


@contextmanager
def _opened(named: str, told: CameraConfig | None) -> Iterator[tuple[Iterator[Image], Kind]]:
    """The pictures of what is *named*, asked for what the table's file says; and what that is. Raises BadInput,
    DeviceLost."""
    from ..devices.films import FilmSource, Recording
    from ..devices.sources import source_of
    from ..pictures import picture
    from ..pictures.headers import VIDEOS
    from ..pictures.names import opened
    from .parts import camera_source

    source = camera_source(named, told) if told is not None else source_of(named)
    if isinstance(source, FilmSource):
        with opened(named) as (_, kind):
            film = kind in VIDEOS
        if not film:
            yield iter([picture(named).frame]), "picture"
            return
    recorded = isinstance(source, Recording)
    with source:
        yield _some(source, 0.0 if recorded else SETTLES_S), "recording" if recorded else "camera"


def _some(source: Source, after_s: float) -> Iterator[Image]:
    """Some frames of an open source, from so many seconds after the first one on."""
    from ..devices.camera import EndOfFilm

    due: float | None = None
    count = 0
    with suppress(EndOfFilm):
        while count < FRAMES and (frame := source.grab()) is not None:
            due = frame.at + after_s if due is None else due
            if frame.at >= due:
                due, count = frame.at + APART_S, count + 1
                yield frame.image


def _by_hand(
    corners: Sequence[Point] | None, told: CameraConfig | None, size: tuple[int, int], file: Path | None
) -> tuple[Sequence[Point], tuple[int, int]] | None:
    """The square's corners where they are told, and the size of the frame that they are told in, be it here or in the
    table's *file*. Raises BadInput."""
    from ..config import SMALLEST_SQUARE
    from ..vision.markers import by_hand

    if corners is None:
        if told is None or told.corners is None or told.corners_size is None:
            return None
        try:
            by_hand(told.corners, told.corners_size, size)
        except ValueError as error:
            raise BadInput(
                f"{file}: camera.corners: {error}: tell them anew with --corners, or give that size"
            ) from None
        return told.corners, told.corners_size
    if outside := [f"{x:g},{y:g}" for x, y in corners if not (0 <= x < size[0] and 0 <= y < size[1])]:
        lies = "lies" if len(outside) == 1 else "lie"
        told_of = f"the picture, which has {size[0]}x{size[1]} pixels"
        raise BadInput(f"--corners {' '.join(outside)}: {lies} outside of {told_of}")
    for (x, y), (u, v) in combinations(corners, 2):
        if hypot(x - u, y - v) < SMALLEST_SQUARE:
            raise BadInput(f"--corners {x:g},{y:g} {u:g},{v:g}: are {hypot(x - u, y - v):.0f} pixels apart: no square "
                           "is so small")  # fmt: skip
    try:
        by_hand(corners, size, size)
    except ValueError as error:
        raise BadInput(f"--corners: {error}") from None
    for i, (x, y) in enumerate(corners):
        (ax, ay), (bx, by) = corners[i - 1], corners[(i + 1) % 4]
        if abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < SMALLEST_SQUARE * hypot(bx - ax, by - ay):
            raise BadInput(f"--corners {x:g},{y:g}: lies on a line with its neighbours: no square looks so")
    return corners, size


def _write(file: Path, copy: Image) -> None:
    import cv2

    _, content = cv2.imencode(file.suffix.lower(), copy)
    write_whole(file, content.tobytes(), option="--draw")


def _table(survey: Survey) -> dict[str, object]:
    """Where the table lies, for programs."""
    return {"corners": _corners(survey), "corners_size": list(survey.size)}


def _corners(survey: Survey) -> list[list[float]] | None:
    """The marked square's corners as the table's file takes them; None where it is not known, or not in the picture."""
    from ..vision.markers import CORNERS, through

    if survey.to_table is None:
        return None
    corners = through(CORNERS, survey.to_frame).round(1).tolist()
    inside = all(0 <= x < survey.size[0] and 0 <= y < survey.size[1] for x, y in corners)
    return corners if inside else None


def _for_the_file(
    survey: Survey, named: str | None, told: CameraConfig | None, file: Path | None, say: Callable[[str], str]
) -> str:
    """The lines for the table's *file*; of the corners only a note when the markers tell where the table is: written
    there they would be believed, even when the camera has moved. Empty when there is nothing to say."""
    from ..config import LARGEST_FRAME, SMALLEST_FRAME, camera_written

    corners, (width, height) = _corners(survey), survey.size
    fits = all(low <= n <= high for low, n, high in zip(SMALLEST_FRAME, survey.size, LARGEST_FRAME, strict=True))
    if corners is None or not fits or (named is None and not survey.by_hand):
        return ""
    size = f"{width}x{height}"
    lines = ["camera:"]
    if named is not None:  # what can be watched: no picture
        begun = camera_written(named, file)
        why = say("{source}: no table's file can have this name: give it another").format(source=shown(named))
        lines = [begun.rstrip() if begun is not None else f"camera:\n  # {why}", f"  size: {size}"]
    if told is not None and "fps" in told.model_fields_set:
        lines.append(f"  fps: {told.fps}")
    note = "" if survey.by_hand else "# "
    lines += [f"  {note}corners: {corners}", f"  {note}corners_size: {size}"]
    return "\n".join(lines)
