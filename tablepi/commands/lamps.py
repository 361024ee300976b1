"""``tablepi lamps``: what the lamps and the buzzer mean, and all of them off after a crash."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from ..config import Pins, load_config
from ..errors import Missing
from ..language import words
from ..views.lamps import MEANINGS, RHYTHMS
from ..views.pages import lamp_rows, sound_rows
from ..views.sounds import SOUNDS
from ..views.words import Words

_SHOWN = 20  # slots of a rhythm: none repeats later than that


def legend(*, language: str, out: TextIO) -> int:
    """Print what each lamp and each sound means, with its rhythm."""
    for line in _legend(words(language, ())):
        print(line, file=out)
    return 0


def _legend(spoken: Words) -> Iterator[str]:
    say = spoken.say
    rows = lamp_rows(spoken)
    colours, rhythms = (max(len(row[i]) for row in rows.values()) for i in (0, 1))
    yield f"{say('What the lamps mean')} (▮ = 0,1 s)" if spoken.language != "en" else "What the lamps mean (▮ = 0.1 s)"
    for meaning, (colour, rhythm, text) in rows.items():
        slots = RHYTHMS[MEANINGS[meaning].rhythm]
        yield f"  {_drawn(slots * (_SHOWN // len(slots) + 1))[:_SHOWN]}  {colour:{colours}}  {rhythm:{rhythms}}  {text}"
    yield ""
    yield say("What the buzzer says")
    sounds = sound_rows(spoken)
    names = max(len(sound) for sound, _ in sounds.values())
    for name, (sound, text) in sounds.items():
        yield f"  {_drawn(SOUNDS[name]):{_SHOWN}}  {sound:{names}}  {text}"


def _drawn(slots: tuple[int, ...]) -> str:
    return "".join("▮" if slot else "·" for slot in slots)


def off(config_file: Path) -> int:
    """Make the lamps of a table dark and its buzzer silent: after a crash the pins stay as they were. Raises BadInput,
    and Missing where they cannot be had."""
    config = load_config(config_file)
    lamps, pins = config.lamps, config.lamps.pins or Pins()
    from ..devices.buzzer import GpioBuzzer
    from ..devices.gpio import header_pins
    from ..devices.lamps import open_lamps

    wrong: list[str] = []
    with ExitStack() as stack:
        factory = None
        try:
            if pins.lamps or pins.buzzer is not None:
                factory = stack.enter_context(header_pins())
        except Missing as error:
            wrong.append(str(error))
            pins = Pins()
        try:
            if pins.buzzer is not None:
                stack.enter_context(GpioBuzzer(pins.buzzer, tonal=pins.tonal, pin_factory=factory))
        except Missing as error:
            wrong.append(str(error))
        if lamps.kind == "ws2812" or pins.lamps:
            opened = stack.enter_context(open_lamps(lamps, seats=len(config.players), pin_factory=factory))
            wrong += [opened.reason] if opened.reason else []
    if wrong:
        raise Missing("; ".join(wrong))
    return 0
