"""``tablepi test hardware``: each device of the table in turn, together with the person who sits at it.

What a program can see by itself it says (a reader that reads, a camera that sees the table); for the rest it asks. The
devices are those that ``run`` would open, opened as it opens them.
"""

from __future__ import annotations

import argparse
import os
import queue
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import StringIO
from itertools import cycle
from pathlib import Path
from typing import Any, Literal, TextIO

from ..cards import Seat, card
from ..config import CameraConfig, Config, LampPins, Pins, ReaderConfig, is_taught, load_config, load_deck
from ..errors import TablePiError
from ..facts import TWO_CARDS, Fact, Found, Lost, Tag
from ..language import words
from ..views.lamps import Lamp, Lamps
from ..views.screen import Command, Screen, SeatView, Tap
from ..views.words import Words, notice_in_words, reason_first
from . import parts
from .calibrate import camera as calibrated
from .config import source_wrong
from .reading import INBOX, device_in_words, tell_each_tag
from .terminal import Typed, TypedLines, answers_in, answers_of

TURN_S = 0.7
"""Seconds that a lamp shows each colour."""

DRAW_S = 0.05
"""Seconds between looks at what was touched on the display."""

BEEP_S = 2.0
"""Seconds between the sounds of the buzzer."""

COLOURS = ("red", "green", "blue")
"""One for each pin of a lamp: exchanged or broken wires show."""

SHOWN = (("AS", "red"), ("KH", "green"), ("QD", "blue"), ("JC", "white"))
"""What lies before a seat on the display, and the colour of its lamp there."""

Outcome = Literal["well", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Tried:
    """How one thing fared; *why* it failed or was skipped, where more is known than what the person said."""

    what: str
    outcome: Outcome
    why: str = ""


class _Quit(Exception):
    """Raised when the person leaves, or there is nobody any more."""


def walk(
    file: Path | None,
    *,
    language: str | None,
    terminal: TextIO | None,
    out: TextIO,
    pin_factory: Any = None,
) -> int:
    """Walk through the devices of the table in *file*; without one there is only the display. *pin_factory* is
    gpiozero's, None the Pi's. Returns 1 when something failed, else 0. Raises BadConfig."""
    config = load_config(file) if file is not None else Config()
    spoken = words(language or config.language, config.players)
    inbox: queue.Queue[Any] = queue.Queue(INBOX)
    tried: list[Tried] = []
    with TypedLines(terminal, inbox):
        person = _Person(inbox, out, spoken, nobody=terminal is None)
        person.tell_the_answers()
        try:
            for one in _all(config, file, person, pin_factory):
                tried.append(one)
                person.says(f"  {_outcome(one, spoken)}")
        except _Quit:
            person.says(spoken.say("Left before the end."))
    return _summary(tried, spoken, out)


def _all(config: Config, file: Path | None, person: _Person, pin_factory: Any) -> Iterator[Tried]:
    yield from _pins(config, person, pin_factory)
    yield from _readers(config, person, pin_factory)
    yield from _cameras(config, file, person)
    yield from _display(config, person)


def _outcome(one: Tried, spoken: Words) -> str:
    say = spoken.say
    said = {"well": say("well"), "failed": say("failed"), "skipped": say("skipped")}[one.outcome]
    return f"{said}: {one.why}" if one.why else said


def _summary(tried: Sequence[Tried], spoken: Words, out: TextIO) -> int:
    failed = [one for one in tried if one.outcome == "failed"]
    well, skipped = (sum(one.outcome == outcome for one in tried) for outcome in ("well", "skipped"))
    text = spoken.say("{well} well, {failed} failed, {skipped} skipped.")
    print(text.format(well=well, failed=len(failed), skipped=skipped), file=out)
    for one in failed:
        print(f"  {one.what}: {_outcome(one, spoken)}", file=out)
    return 1 if failed else 0


# --- the person -----------------------------------------------------------------------------------------------------


class _Person:
    """Who sits at the terminal: answers come into *inbox*, in which what devices tell comes, too."""

    def __init__(self, inbox: queue.Queue[Any], out: TextIO, spoken: Words, *, nobody: bool) -> None:
        self.inbox = inbox
        self.spoken = spoken
        self._out = out
        self._typed: deque[Typed] = deque([Typed(None)] if nobody else [])
        self._answers = answers_of(spoken)

    def says(self, text: str) -> None:
        print(text, file=self._out, flush=True)

    def tell_the_answers(self) -> None:
        self.says(answers_in(self.spoken))

    def asks(self, what: str, text: str, meanwhile: Callable[[], None] | None = None, every_s: float = 1.0) -> Tried:
        """Ask whether *text* is so; *meanwhile* is done until the answer, at once and again after *every_s*."""
        self.says(text)
        while True:
            match self.answer(meanwhile, every_s):
                case "yes":
                    return Tried(what, "well")
                case "no":
                    return Tried(what, "failed")
                case "skip":
                    return Tried(what, "skipped")
                case "":
                    self.tell_the_answers()
                case _:  # a fact of a device that is not asked about
                    continue

    def answer(self, meanwhile: Callable[[], None] | None = None, every_s: float = 1.0) -> str | Fact | Command:
        """The next answer (``yes``, ``no``, ``skip``; empty when it was none of them), or what a device tells
        next. Raises _Quit."""
        while not self._typed:
            if meanwhile is not None:
                meanwhile()
            try:
                heard = self.inbox.get(timeout=every_s if meanwhile is not None else None)
            except queue.Empty:
                continue
            if not isinstance(heard, Typed):
                told: Fact | Command = heard
                return told
            self._typed.append(heard)
        line = self._typed.popleft().line
        if line is None:
            self._typed.append(Typed(None))
            raise _Quit
        meant = self._answers.get(line.strip().lower(), "")
        if meant == "quit":
            raise _Quit
        return meant

    def waiting(self) -> list[Fact | Command]:
        """What devices have told already; what was typed waits on."""
        told = []
        while not self.inbox.empty():
            heard = self.inbox.get()
            if isinstance(heard, Typed):
                self._typed.append(heard)
            else:
                told.append(heard)
        return told


# --- lamps, buttons, buzzer -----------------------------------------------------------------------------------------


def _pins(config: Config, person: _Person, pin_factory: Any) -> Iterator[Tried]:
    """Lamps, buttons and buzzer: they share the pins."""
    with ExitStack() as stack:
        lamps, buzzer, lacking = parts.lamps_and_buttons(stack, config, config.lamps, person.inbox, pin_factory)
        yield from _lamps(config, person, lamps, lacking)
        if "no-gpio" in lacking:
            person.says(person.spoken.say("The pins:"))
            yield Tried(person.spoken.say("the pins"), "failed", notice_in_words("no-gpio", person.spoken))
            return
        yield from _buttons(config, person, lacking)
        yield from _buzzer(person, buzzer, lacking)


def _lamps(config: Config, person: _Person, lamps: Any, lacking: Sequence[str]) -> Iterator[Tried]:
    say, told = person.spoken.say, config.lamps
    if "lamps-on-display" in lacking:
        person.says(say("The lamps:"))
        yield Tried(say("the lamps"), "failed", notice_in_words("lamps-on-display", person.spoken))
    if lamps.reason:
        return
    pins, strip = told.pins or Pins(), told.kind == "ws2812"
    seats = len(config.players) if strip else len(pins.seats)
    names = [say("the lamp of seat {seat}").format(seat=_place(person, config, seat)) for seat in range(seats)]
    tried: list[tuple[str, Seat | None, LampPins | None]] = [
        (name, seat, None if strip else pins.seats[seat]) for seat, name in enumerate(names)
    ]
    if told.centre if strip else pins.centre is not None:
        tried.append((say("the lamp of the centre"), None, None if strip else pins.centre))
    for name, seat, wired in tried:
        single = wired is not None and wired.pin is not None
        shown = cycle([Lamp("white", "slow", "test")] if single else [Lamp(c, "steady", "test") for c in COLOURS])

        def turn(seat: Seat | None = seat, shown: Iterator[Lamp] = shown) -> None:
            lamps.show(_only(seat, seats, next(shown)))

        text = say("{lamp} shines red, green and blue, over and over, and no other does.")
        if single:
            text = say("{lamp} blinks, and no other does.")
        text = text.format(lamp=name)
        yield person.asks(name, text[:1].upper() + text[1:], turn, TURN_S)


def _buttons(config: Config, person: _Person, lacking: Sequence[str]) -> Iterator[Tried]:
    say = person.spoken.say
    buttons = config.lamps.pins.buttons if config.lamps.pins is not None else {}
    missing = [name for told in lacking if told.startswith("no-buttons: ") for name in told[12:].split(", ")]
    for button in buttons:
        name = say("the button {button}").format(button=button)
        if button in missing:
            text = notice_in_words(f"no-buttons: {button}", person.spoken)
            person.says(text)
            yield Tried(name, "failed", text)
        else:
            yield _button(button, name, tuple(buttons), person)


def _button(button: str, name: str, buttons: Sequence[str], person: _Person) -> Tried:
    from ..devices.buttons import command_of

    say = person.spoken.say
    person.waiting()  # what was pressed before it was asked for
    person.says(say("Press the button {button}.").format(button=button))
    while True:
        match person.answer():
            case Command() as pressed if pressed == command_of(button):
                return Tried(name, "well")
            case Command() as pressed:
                other = next((each for each in buttons if command_of(each) == pressed), pressed.name)
                person.says(f"  {say('That was the button {other}.').format(other=other)}")
            case "yes" | "no":
                return Tried(name, "failed", say("no press was felt"))
            case "skip":
                return Tried(name, "skipped")
            case "":
                person.tell_the_answers()


def _buzzer(person: _Person, buzzer: Any, lacking: Sequence[str]) -> Iterator[Tried]:
    say = person.spoken.say
    if "no-buzzer" in lacking:
        person.says(say("The buzzer:"))
        yield Tried(say("the buzzer"), "failed", notice_in_words("no-buzzer", person.spoken))
    if buzzer is not None:
        text = say("The buzzer beeps twice, again and again.")
        yield person.asks(say("the buzzer"), text, lambda: buzzer.sound("breach"), BEEP_S)


def _only(seat: Seat | None, seats: int, lamp: Lamp) -> Lamps:
    """The lamps when only that of *seat* shines; None is the centre's."""
    return Lamps(
        tuple(lamp if each == seat else Lamp() for each in range(seats)), centre=lamp if seat is None else Lamp()
    )


def _place(person: _Person, config: Config, seat: Seat) -> str:
    return person.spoken.place(seat, len(config.players))


# --- readers --------------------------------------------------------------------------------------------------------


def _readers(config: Config, person: _Person, pin_factory: Any) -> Iterator[Tried]:
    if not config.readers:
        return
    cards = dict(load_deck(config.deck)) if is_taught(config.deck) else {}
    if config.deck is not None and not is_taught(config.deck):
        person.says(notice_in_words("no-tag-yet", person.spoken))
    with ExitStack() as stack:
        devices = parts.tag_readers(config.readers, cards, virtual=False, pin_factory=pin_factory)
        tell_each_tag(devices)
        supervisor = stack.enter_context(parts.supervised(devices, person.inbox))
        supervisor.wait_tried(parts.OPENING_S)
        lost = {fact.device: reason_first(fact.reason or "") for fact in person.waiting() if isinstance(fact, Lost)}
        for reader in config.readers:
            yield _reader(reader, config, person, lost)


def _reader(reader: ReaderConfig, config: Config, person: _Person, lost: dict[str, str]) -> Tried:
    say = person.spoken.say
    name = reader.name
    if reader.seat is not None:
        name += f" ({say('seat {seat}').format(seat=_place(person, config, reader.seat))})"
    if reader.name in lost:
        person.says(device_in_words(Lost(device=reader.name, reason=lost[reader.name]), person.spoken))
        return Tried(reader.name, "failed", lost[reader.name])
    person.says(say("Lay a card on {reader}.").format(reader=name))
    while True:
        match person.answer():
            case Tag() as tag if tag.source == reader.name:
                person.says(f"  {_tag_in_words(tag, person.spoken)}")
                return Tried(reader.name, "well")
            case Tag() as tag:
                text = say("That was {other}. If the card lies on {reader}, their ports are exchanged.")
                person.says(f"  {text.format(other=tag.source, reader=reader.name)}")
            case Lost() as told:
                if told.reason != TWO_CARDS:
                    lost[told.device] = reason_first(told.reason or "")
                person.says(f"  {device_in_words(told, person.spoken)}")
            case Found() as told:
                if lost.pop(told.device, None) is not None:
                    person.says(f"  {device_in_words(told, person.spoken)}")
            case "yes" | "no":
                return Tried(reader.name, "failed", lost.get(reader.name) or say("no card was read"))
            case "skip":
                return Tried(reader.name, "skipped")
            case "":
                person.tell_the_answers()
            case _:  # a card that is lifted
                continue


def _tag_in_words(tag: Tag, spoken: Words) -> str:
    if tag.card is not None:
        return spoken.say("{card} is read.").format(card=tag.card.face(spoken.language))
    return spoken.say("A tag is read that is in no card of the deck's file: {uid}").format(uid=tag.uid)


# --- cameras --------------------------------------------------------------------------------------------------------


def _cameras(config: Config, file: Path | None, person: _Person) -> Iterator[Tried]:
    for camera in config.cameras:
        person.says(person.spoken.say("{camera}: looking for some seconds …").format(camera=camera.name))
        yield _camera(camera, file, person)


def _camera(camera: CameraConfig, file: Path | None, person: _Person) -> Tried:
    told = StringIO()
    spoken = person.spoken.language
    wrong = source_wrong(camera.source)
    if wrong is not None:  # a picture, which can be calibrated, but shows no game
        return Tried(camera.name, "failed", reason_first(wrong))
    try:
        status = calibrated(
            camera.name, file, corners=None, jumbo=False, draw=None, json=False, language=spoken, out=told
        )
    except TablePiError as error:
        return Tried(camera.name, "failed", reason_first(str(error)))
    for line in told.getvalue().splitlines():
        if line.startswith(("!", "?")):
            person.says(f"  {line}")
    return Tried(camera.name, "failed" if status else "well")


# --- display --------------------------------------------------------------------------------------------------------


def _display(config: Config, person: _Person) -> Iterator[Tried]:
    say = person.spoken.say
    name = say("the display")
    if not parts.has_screen(os.environ):
        if "display" in config.model_fields_set:
            person.says(say("The display:"))
            yield Tried(name, "skipped", say("there is no screen here"))
        return
    options = argparse.Namespace(command="test", headless=False, picture=None, size=None, fullscreen=False)
    try:
        with parts.opened_display(options, config) as display:
            pattern = _Pattern(display, config, person)
            text = say("The display shows every player with a card and a lamp, upright and whole, and answers a touch.")
            yield person.asks(name, text, pattern.show, DRAW_S)
    except TablePiError as error:
        person.says(say("The display:"))
        yield Tried(name, "failed", str(error))


class _Pattern:
    """The test pattern on a display; says when its button is touched."""

    def __init__(self, display: Any, config: Config, person: _Person) -> None:
        self._display, self._person = display, person
        self._players = config.players
        self._touched = False

    def show(self) -> None:
        for pressed in self._display.presses():
            if isinstance(pressed, Command) and not self._touched:
                self._touched = True
                self._person.says(f"  {self._person.spoken.say('The touch was felt.')}")
        self._display.draw(pattern(self._players, self._person.spoken, touched=self._touched))


def pattern(players: tuple[str, ...], spoken: Words, *, touched: bool) -> Screen:
    """A table of *players* in which a wrong colour, a cut edge or a mirrored side is seen, and a button to touch."""
    say = spoken.say
    shown = zip(spoken.shown(players), cycle(SHOWN), strict=False)
    return Screen(
        language=spoken.language,
        title="tablepi",
        seats=tuple(
            SeatView(seat, player, card=card(face), lamp=Lamp(colour, "steady", "test"))
            for seat, (player, (face, colour)) in enumerate(shown)
        ),
        headline=say("The touch was felt.") if touched else say("Touch the button"),
        taps=(Tap(say("Touch me"), Command("touch"), "return", strong=True),),
    )
