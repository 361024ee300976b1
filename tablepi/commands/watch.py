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
from ..views.words import Words

if TYPE_CHECKING:  # at run time numpy and cv2 are imported when the command runs
    from ..devices.camera import Source
    from ..vision.eye import Eye


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
    from ..devices.sources import source_of
    from .parts import opened_eye

    config = load_config(config_file) if config_file is not None else Config()
    camera = config.camera
    source = source_of(named, size=camera.size, fps=camera.fps) if camera is not None else source_of(named)
    eye = opened_eye(config, store() if config.faces is not None else Path(), anywhere=True)
    return watch(source, eye, config.players, json=json, language=language, out=out, err=err)


def watch(
    source: Source, eye: Eye, players: Sequence[str], *, json: bool, language: str, out: TextIO, err: TextIO
) -> int:
    """Tell what *eye* sees in *source*, until it ends; times are seconds since the first frame. Returns the exit
    status: 0, 1 when the table was never found in the picture, 2 when there was no picture that can be read.

    Raises DeviceLost when a camera fails.
    """
    from ..devices.camera import EndOfFilm

    spoken = words(language, tuple(map(shown, players)))
    began: float | None = None
    troubled, frames, facts = "", 0, 0
    with source, suppress(EndOfFilm):
        while (frame := source.grab()) is not None:
            began = frame.at if began is None else began
            frames += 1
            for fact in eye.look(frame):
                facts += 1
                fact = replace(fact, at=round(frame.at - began, 3))
                print(dumps(to_dict(fact)) if json else _text(fact, spoken), file=out, flush=True)
            if eye.trouble != troubled:
                troubled = eye.trouble
                if troubled:
                    print(f"tablepi: {source.name}: {troubled}", file=err, flush=True)
    if not facts:
        seen = f"{frames} frames" if frames != 1 else "one frame"
        print(f"tablepi: {source.name}: {seen}, and no card came to lie still in them", file=err, flush=True)
    if not frames:
        return 2
    return 1 if troubled and not eye.found else 0


def _text(fact: Fact, words: Words) -> str:
    """Such as ``0:12.4  Ada: Q♠ 98 %``."""
    say, tenths = words.say, round((fact.at or 0.0) * 10)
    when = f"{tenths // 600}:{tenths % 600 / 10:04.1f}"
    match fact:
        case Seen(seat=seat, card=card, confidence=confidence):
            name = words.name(seat)
            return f"{when}  {name}: {card.face(words.language)} {int((confidence or 0) * 100)} %"
        case Gone(card=card) if card is not None:
            return f"{when}  " + say("{card} has left").format(card=card.face(words.language))
        case Cleared():
            return f"{when}  " + say("the felt is empty")
        case _:
            return f"{when}  {dumps(to_dict(fact))}"
