"""``tablepi watch``: a film, a folder of pictures or a camera in, what happens on the felt out, a line a fact.

With ``--json`` the lines are facts, as ``referee`` reads them: begin a match and a hand, and let the watched table
follow::

    (echo '{"fact":"match","rules":"hearts-cardems","players":["Rita","Ada","Bo","Cleo"]}'
     echo '{"fact":"hand","dealer":0}'
     tablepi watch table.mp4 --json) | tablepi referee -
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ..errors import shown
from ..facts import Cleared, Fact, Gone, Seen, dumps, to_dict
from ..language import words
from ..views.words import DEFAULT_NAMES, Words
from .telling import put_line

if TYPE_CHECKING:  # at run time numpy and cv2 are imported when the command runs
    from ..devices.camera import Source
    from ..vision.eye import Eye

FEW = 5.0
"""Pictures a second under which a card may not lie still in as many as are needed (see ``vision.watcher``)."""

MORE_FRAMES = (
    "a card is told when three pictures in a row show it lying still: give more pictures of each, such as "
    "`ffmpeg -i film.mp4 -r 10 frames/f%04d.png` makes of a film"
)


def opened(
    named: str,
    config_file: Path | None,
    *,
    store: Callable[[], Path],
    json: bool,
    language: str,
    out: TextIO,
    err: TextIO,
) -> int:
    """``watch`` with what the command line names; *store* has the enrolled decks. Raises BadInput and Missing."""
    from ..config import Config, load_config
    from .parts import camera_source, opened_eye

    config = load_config(config_file) if config_file is not None else Config()
    source = camera_source(named, config.camera)
    eye = opened_eye(config, store() if config.faces is not None else Path(), anywhere=True)
    return watch(source, eye, config.players, json=json, language=language, out=out, err=err)


def watch(
    source: Source, eye: Eye, players: Sequence[str], *, json: bool, language: str, out: TextIO, err: TextIO
) -> int:
    """Tell what *eye* sees in *source*, until it ends; times are seconds since the first frame. Returns the exit
    status: 0, 1 when the table was never found in the picture, 2 when pictures could not be read, as of a film that is
    cut off: what was seen in the others is told all the same.

    Raises DeviceLost when a camera fails.
    """
    from ..devices.camera import EndOfFilm
    from ..devices.films import Recording

    spoken = words(language, tuple(map(shown, players)))
    began: float | None = None
    troubled, coarse, found, frames, facts, lasted = "", "", False, 0, 0, 0.0
    with source, suppress(EndOfFilm):
        while (frame := source.grab()) is not None:
            began = frame.at if began is None else began
            frames, lasted = frames + 1, frame.at - began
            for fact in eye.look(frame):
                facts += 1
                fact = replace(fact, at=round(frame.at - began, 3))
                put_line(dumps(to_dict(fact)) if json else _text(fact, spoken), out)
            found = found or eye.found
            if eye.trouble != troubled:
                troubled = eye.trouble
                if troubled:
                    put_line(f"tablepi: {source.name}: {troubled}", err)
            if eye.coarse != coarse:
                coarse = eye.coarse
                if coarse:
                    put_line(f"tablepi: {source.name}: {coarse}", err)
    if not facts:
        told = f"{frames} frames, and no card came to lie still in them"
        if frames == 1:
            told = "one frame, and no card came to lie still in it"
        if isinstance(source, Recording) and frames < FEW * lasted + 3:
            told += f": {MORE_FRAMES}"
        put_line(f"tablepi: {source.name}: {told}", err)
    if not frames or (isinstance(source, Recording) and not source.whole):
        return 2
    return 0 if found else 1


def _text(fact: Fact, words: Words) -> str:
    """Such as ``0:12.4  Ada: Q♠ 98 %``."""
    say, tenths = words.say, round((fact.at or 0.0) * 10)
    when = f"{tenths // 600}:{tenths % 600 / 10:04.1f}"
    match fact:
        case Seen(seat=seat, card=card, confidence=confidence):
            return f"{when}  {_who(seat, words)}: {card.face(words.language)} {int((confidence or 0) * 100)} %"
        case Gone(card=card) if card is not None:
            return f"{when}  " + say("{card} has left").format(card=card.face(words.language))
        case Cleared():
            return f"{when}  " + say("the felt is empty")
        case _:
            return f"{when}  {dumps(to_dict(fact))}"


def _who(seat: int | None, words: Words) -> str:
    """The player that the table's file names, else the number of the seat."""
    if seat is None or words.names != DEFAULT_NAMES:
        return words.name(seat)
    return words.say("seat {seat}").format(seat=words.place(seat, len(words.names)))
