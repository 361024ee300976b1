"""``tablepi review``: a logged game on the display, step by step, forwards and backwards.

A camera's plays have photographs. A step shows that of its own play, and when it is about an earlier one (a card is
proved illegal, asked about, corrected or taken back), the photograph of that one too: it is what people look for. A
play that a reader or a person told has the photograph of the same card that the camera saw in the same trick.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from .. import facts as f
from ..cards import Card, Seat
from ..errors import BadInput, TablePiError
from ..journal import read_photo
from ..language import language, words
from ..table import Table
from ..views.corrections import told_in_words
from ..views.desk import Desk, Setup
from ..views.scene import screen
from ..views.screen import Command, Photo, Screen, Tap
from ..views.words import Words
from .log import opened, tables

WAIT_MS = 33
"""Milliseconds between two looks at the keys."""

_TELLING = ("unproven", "breach", "proved", "pending", "cleared", "withdrawn")

_ACCUSING = ("breach", "proved", "pending")
"""Rulings whose photographs are named where no screen shows them."""

_OF_PLAYS = ("legal", "unproven", "breach")
"""Rulings on a play; it may be an earlier one, which has lain still for long enough only now."""

_MORE_KEYS = {"home": "first", "end": "last"}
"""What keys do that no button shows."""

MOST_PHOTOS = 2
"""Photographs shown at once: the play that a step is about, and its own."""


@dataclass(frozen=True, slots=True)
class Photographs:
    """The photographs of *game*: *files* by the n of the fact that each proves."""

    game: str
    files: Mapping[int, Path]

    def jpeg(self, n: int) -> bytes | None:
        """That of fact *n*, one of *files*; None when it is spoilt, cannot be read, or was thrown away meanwhile."""
        try:
            return read_photo(self.files[n])
        except TablePiError:
            return None


def review(options: argparse.Namespace) -> int:
    """Show a logged game. Headless, every ruling is printed, and the last screen saved where a picture is wanted."""
    spoken = language(options.lang or "en")
    with opened(options.store) as journal:
        game = journal.find(options.game)
        steps = tuple(tables(journal, game))
        photographs = Photographs(game, journal.photographed(game))
    if not steps:
        raise BadInput(f"{game}: there are no facts in it")
    said = words(spoken, steps[-1].state.players)
    from ..display import Display

    if options.headless:
        _print(steps, photographs, said, all_photos=options.photos)
        if options.picture is None:
            return 0
    with Display(
        size=options.size or (1024, 600), fullscreen=options.fullscreen, headless=options.headless, caption=game
    ) as display:
        if options.headless:
            display.draw(reviewed(steps, len(steps) - 1, photographs, said))
        else:
            import pygame

            _step_through(steps, photographs, said, display, wait=lambda: pygame.time.wait(WAIT_MS))
        if options.picture is not None:
            display.picture(options.picture)
            print(f"the last screen: {options.picture}")
    return 0


def _print(steps: tuple[Table, ...], photographs: Photographs, spoken: Words, *, all_photos: bool) -> None:
    for place, table in enumerate(steps):
        for text in told_in_words(table, spoken, turns=False):
            print(f"{table.n:5}  {text}", file=sys.stdout)
        if not all_photos and not any(line.get("ruling") in _ACCUSING for line in table.lines):
            continue
        proofs = pictured(steps, place, photographs.files)
        for then in (step for step in steps if step.n in proofs):
            shown = _photo(table, then, photographs, spoken)
            named = f"{photographs.files[then.n]}  {shown.caption}"
            print(f"{table.n:5}  {spoken.say('Photograph: {file}').format(file=named)}", file=sys.stdout)


def _step_through(
    steps: tuple[Table, ...], photographs: Photographs, spoken: Words, display: object, *, wait: Callable[[], object]
) -> None:
    from ..display import Closed, Display, Key

    assert isinstance(display, Display)
    place, shown = 0, reviewed(steps, 0, photographs, spoken)
    while True:
        display.draw(shown)
        before = place
        for pressed in display.presses():
            if isinstance(pressed, Closed) or pressed == Command("leave"):
                return
            if isinstance(pressed, Command):
                place = moved(steps, place, pressed.name)
            elif isinstance(pressed, Key):
                place = moved(steps, place, _MORE_KEYS.get(pressed.name, ""))
        if place != before:
            shown = reviewed(steps, place, photographs, spoken)
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


def reviewed(steps: tuple[Table, ...], place: int, photographs: Photographs, spoken: Words) -> Screen:
    """The screen of one step, with the buttons that lead to others instead of those that play, and its photographs."""
    say, table = spoken.say, steps[place]
    now = screen(table, Desk(Setup((), ""), language=spoken.language), spoken)
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
    chips = ((f"{photographs.game} · {table.n}/{steps[-1].n}", "warn"), *now.chips)
    proofs = pictured(steps, place, photographs.files)
    photos = tuple(_photo(table, then, photographs, spoken) for then in steps if then.n in proofs)
    return replace(now, taps=taps, seats=seats, answers=(), picker=None, chips=chips, photos=photos)


# --- photographs -----------------------------------------------------------------------------------------------------


def pictured(steps: tuple[Table, ...], place: int, kept: Collection[int]) -> tuple[int, ...]:
    """The facts whose photographs, of those *kept*, step *place* shows, in their order."""
    wanted = (*_told_of(steps[place]), steps[place].n)
    found = dict.fromkeys(proof for n in wanted if (proof := photographed(steps, n, kept)) is not None)
    return tuple(sorted([*found][:MOST_PHOTOS]))


def _told_of(table: Table) -> Iterator[int]:
    """The facts that a step is about, the most telling first."""
    fact = table.log[-1].fact
    if isinstance(fact, f.Correct | f.Confirm) and fact.n is not None:
        yield fact.n
    for line in sorted(table.lines, key=lambda line: "offence" not in line):
        if "offence" in line:  # and then those that may have been misread, or the card that proves it
            yield line["offence"]["n"]
            yield from line.get("check", (line["n"],))
        elif "question" in line or line.get("ruling") == "withdrawn":
            yield line["of"]
        elif line.get("ruling") in _OF_PLAYS and "by" not in line:
            yield line["n"]


def photographed(steps: tuple[Table, ...], n: int, kept: Collection[int]) -> int | None:
    """The fact, of those *kept*, whose photograph shows the card of fact *n*: its own, or that of the camera's nearest
    sight of the same card in the same trick. None when there is none."""
    then = _step_of(steps, n)
    if then is None or n in kept:
        return None if then is None else n
    sights = [t.n for t in steps if t.n in kept and _laid(t) == _laid(then) and _trick(t) == _trick(then)]
    return min(sights, key=lambda sight: abs(sight - n), default=None) if _laid(then) is not None else None


def _step_of(steps: tuple[Table, ...], n: int) -> Table | None:
    return next((table for table in steps if table.n == n), None)


def _laid(table: Table) -> Card | None:
    """The card that the latest fact of *table* lays; None for one that lays none."""
    fact = table.log[-1].fact
    return fact.card if isinstance(fact, f.Seen | f.Tag | f.Play) else None


def _trick(table: Table) -> tuple[int, int] | None:
    """The hand, and the trick before the players' eyes; None between hands."""
    deal = table.state.deal
    if deal is None:
        return None
    felt = deal.felt
    return deal.number, felt.tricks[-1].number if felt.tricks and not felt.trick else felt.number


def _photo(now: Table, then: Table, photographs: Photographs, spoken: Words) -> Photo:
    """The photograph of the fact of step *then*, with what step *now* knows of it: whose card, and in which trick."""
    trick, seat, card = _play(now, then)
    name, face = spoken.name(seat), spoken.face(str(card))
    caption = f"{name}: {face}"
    if trick is not None:
        caption = spoken.say("{name}, trick {trick}: {card}").format(name=name, trick=trick, card=face)
    jpeg = photographs.jpeg(then.n)
    if jpeg is None:
        caption = spoken.say("{photograph} (cannot be read)").format(photograph=caption)
    return Photo(caption, jpeg)


def _play(now: Table, then: Table) -> tuple[int | None, Seat | None, Card | None]:
    """Trick, seat and card of what the fact of step *then* laid or saw, as step *now* knows them; as that fact has them
    where the card is there no more, and in another hand."""
    where, card, deal = _trick(then), _laid(then), now.state.deal
    if deal is not None and where is not None and deal.number == where[0]:
        places = [*deal.felt.places()]
        own = [(trick, laid) for trick, laid in places if laid.n == then.n]
        same = [(trick, laid) for trick, laid in places if card is not None and laid.card == card]
        for trick, laid in own or same:
            return trick, laid.seat, laid.card
    return None if where is None else where[1], getattr(then.log[-1].fact, "seat", None), card
