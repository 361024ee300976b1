"""``tablepi review``: a logged game on the display, step by step, forwards and backwards."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace

from ..errors import BadInput
from ..language import language, words
from ..table import Table
from ..views.desk import Desk, Setup
from ..views.scene import screen
from ..views.screen import Command, Screen, Tap
from ..views.words import Words, in_words
from .log import opened, tables

WAIT_MS = 33
"""Milliseconds between two looks at the keys."""

_TELLING = ("unproven", "breach", "proved", "pending", "cleared", "withdrawn")

_MORE_KEYS = {"home": "first", "end": "last"}
"""What keys do that no button shows."""


def review(options: argparse.Namespace) -> int:
    """Show a logged game. Headless, every ruling is printed, and the last screen saved where a picture is wanted."""
    spoken = language(options.lang or "en")
    with opened(options.store) as journal:
        game = journal.find(options.game)
        steps = tuple(tables(journal, game))
    if not steps:
        raise BadInput(f"{game}: there are no facts in it")
    from ..display import Display

    if options.headless:
        _print(steps, words(spoken, steps[-1].state.players))
        if options.picture is None:
            return 0
    with Display(
        size=options.size or (1024, 600), fullscreen=options.fullscreen, headless=options.headless, caption=game
    ) as display:
        if options.headless:
            display.draw(reviewed(steps, len(steps) - 1, game, words(spoken, steps[-1].state.players)))
        else:
            import pygame

            _step_through(steps, game, spoken, display, wait=lambda: pygame.time.wait(WAIT_MS))
        if options.picture is not None:
            display.picture(options.picture)
            print(f"the last screen: {options.picture}")
    return 0


def _print(steps: tuple[Table, ...], spoken: Words) -> None:
    for table in steps:
        for text in filter(None, (in_words(line, spoken) for line in table.lines if line.get("event") != "turn")):
            print(f"{table.n:5}  {text}", file=sys.stdout)


def _step_through(
    steps: tuple[Table, ...], game: str, spoken: str, display: object, *, wait: Callable[[], object]
) -> None:
    from ..display import Closed, Display, Key

    assert isinstance(display, Display)
    place, names = 0, steps[-1].state.players
    while True:
        display.draw(reviewed(steps, place, game, words(spoken, names)))
        for pressed in display.presses():
            if isinstance(pressed, Closed) or pressed == Command("leave"):
                return
            if isinstance(pressed, Command):
                place = moved(steps, place, pressed.name)
            elif isinstance(pressed, Key):
                place = moved(steps, place, _MORE_KEYS.get(pressed.name, ""))
        wait()


def moved(steps: tuple[Table, ...], place: int, where: str) -> int:
    """The step that a press leads to from step *place*."""
    last = len(steps) - 1
    match where:
        case "back":
            return max(0, place - 1)
        case "forward":
            return min(last, place + 1)
        case "first":
            return 0
        case "last":
            return last
        case "ruling":
            return next((i for i in range(place + 1, last + 1) if _telling(steps[i])), place)
        case "ruling-before":
            return next((i for i in range(place - 1, -1, -1) if _telling(steps[i])), place)
        case _:
            return place


def _telling(table: Table) -> bool:
    return any(line.get("ruling") in _TELLING for line in table.lines)


def reviewed(steps: tuple[Table, ...], place: int, game: str, spoken: Words) -> Screen:
    """The screen of one step, with the buttons that lead to others instead of those that play."""
    say, table = spoken.say, steps[place]
    now = screen(table, Desk(Setup((), (), ""), language=spoken.language), spoken)
    taps = (
        Tap(say("First"), Command("first"), "up"),
        Tap(say("Previous ruling"), Command("ruling-before"), "p"),
        Tap(say("Back one"), Command("back"), "left"),
        Tap(say("Forward"), Command("forward"), "right", strong=place < len(steps) - 1),
        Tap(say("Next ruling"), Command("ruling"), "n"),
        Tap(say("Last"), Command("last"), "down"),
        Tap(say("Leave"), Command("leave"), "escape"),
    )
    seats = tuple(replace(seat, tap=None) for seat in now.seats)
    chips = ((f"{game} · {table.n}/{steps[-1].n}", "warn"), *now.chips)
    return replace(now, taps=taps, seats=seats, answers=(), picker=None, chips=chips)
