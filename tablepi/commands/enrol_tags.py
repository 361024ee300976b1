"""``tablepi enrol tags``: a deck's tags are taught, card by card, into a file that people can read.

It asks for a card, the person lays it on any of the readers, and so on through the pack. What has been taught is in the
file before the next card is asked for. ``teaching`` decides what a tag means, ``deck_file`` keeps it; here are the
terminal and the display.
"""

from __future__ import annotations

import argparse
import os
import queue
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

from ..cards import SUITS, Card, card
from ..config import Config, load_config
from ..deck_file import DeckFile
from ..errors import BadInput, Missing
from ..facts import TWO_CARDS, Fact, Found, Lost
from ..language import language, words
from ..teaching import PACK, Alone, Known, Laid, Lying, Outcome, Taught, Teaching, Thing, Undone
from ..views.desk import card_typed, rank_typed, suit_typed
from ..views.screen import COMMANDS, Command, Picker, Screen, Tap
from ..views.words import Words
from .parts import has_screen
from .reading import INBOX, deck_of, device_in_words, following, opened_readers, readers_of
from .terminal import Typed, TypedLines, answers_of, somebody_at

FRAME_S = 1 / 30
"""Seconds between two looks at what was pressed on the display."""

TYPED = {"": "on", "u": "undo"}
"""What may be typed at the terminal instead of a card; and the answers that ``MEANT`` has, as the language has them."""

MEANT = {"skip": "skip", "quit": "leave"}
"""What is done by an answer (``terminal.ANSWERS``); there is nothing here to say yes or no to."""


def enrol_tags(options: argparse.Namespace) -> int:
    """``enrol tags`` as the command line says. Returns 0, be the deck whole or not: what was taught is kept.

    Raises BadInput, and Missing when no reader is there.
    """
    config = load_config(options.config) if options.config is not None else Config()
    readers = readers_of(options, config)
    file = DeckFile(deck_of(options, config))
    spoken = words(language(options.lang or config.language), ())
    teaching = Teaching.begun(asked_for(options.of_command), file.tags(), again=options.again)
    inbox: queue.Queue[Any] = queue.Queue(INBOX)
    with ExitStack() as stack:
        supervisor, told = opened_readers(stack, readers, inbox)
        display = stack.enter_context(_display(options, config))
        stack.enter_context(TypedLines(sys.stdin, inbox))
        ends = display is None or somebody_at(sys.stdin)
        lesson = Lesson(teaching, file, spoken, out=sys.stdout, ends_with_input=ends)
        try:
            lesson.begin()
            for fact in told:
                lesson.take(fact, time.monotonic())
            while not lesson.over:
                happened = following(inbox, due=lesson.deadline, most_s=FRAME_S if display is not None else None)
                lesson.take(happened, time.monotonic())
                if display is not None:
                    lesson.press(display.presses())
                    display.draw(lesson.screen())
                supervisor.check()
        finally:
            lesson.end()
    return 0


def asked_for(command: str | None) -> tuple[Thing, ...]:
    """The whole pack, or the card of a *command*. Raises BadInput."""
    if command is None:
        return PACK
    if command not in COMMANDS:
        raise BadInput(f"--command {command!r}: known are {', '.join(COMMANDS)}")
    return (command,)


@contextmanager
def _display(options: argparse.Namespace, config: Config) -> Iterator[Any]:
    """The window, where there is a screen and it is wanted; else None."""
    if options.headless or not has_screen(os.environ):
        yield None
        return
    from ..display import Display

    fullscreen = options.fullscreen or config.display.fullscreen
    with ExitStack() as stack:
        try:
            display = stack.enter_context(Display(size=options.size or config.display.size, fullscreen=fullscreen))
        except Missing as error:
            print(f"tablepi: {error}. Going on at the terminal alone", file=sys.stderr)
            display = None
        yield display


@dataclass(slots=True)
class Lesson:
    """The course of the teaching, told on *out* and, by ``screen``, on a display. *ends_with_input*: whether it is over
    when nothing more can be typed."""

    teaching: Teaching
    file: DeckFile
    words: Words
    out: TextIO
    ends_with_input: bool = True
    over: bool = False
    _lying: Lying = field(default_factory=Lying)
    _asked: Thing | None = None
    _said: str = ""
    _tone: str = "plain"
    _missing: dict[str, str] = field(default_factory=dict)
    _picking: bool = False
    _rank: str = ""

    @property
    def deadline(self) -> float | None:
        """When ``take`` is to be called though nothing happens, in its clock."""
        return self._lying.deadline

    def begin(self) -> None:
        """Say how far the deck is, and ask for the first card."""
        say = self.words.say
        self._print(self._so_far())
        if self.teaching.asked is None:
            self._print(say("To add second tags, give --again."))
        else:
            self._print(
                say("Lay each card on a reader. Enter: the next card; u: undo; s: skip; q: quit; or a card's name.")
            )
        self._ask()

    def end(self) -> None:
        """Say what has become of it."""
        done, say = len(self.teaching.done), self.words.say
        if done or self.teaching.asked is not None:
            self._print(self._so_far())
        if self.teaching.lacking:
            self._print(say("What was taught is kept; the same command goes on."))

    def take(self, happened: Fact | Typed | None, at: float) -> None:
        """Act on a fact or a typed line, or only on the time that has passed."""
        for laid in self._lying.settled(at):
            self._laid(laid)
        match happened:
            case Typed(line=None):
                self.over = self.over or self.ends_with_input
            case Typed(line=str(line)):
                self._typed(line.strip())
            case Lost() | Found():
                self._device(happened)
                for laid in self._lying.heard(happened, at):
                    self._laid(laid)
            case Fact():
                for laid in self._lying.heard(happened, at):
                    self._laid(laid)
        self._ask()

    def press(self, pressed: list[Any]) -> None:
        """Act on what was pressed on the display."""
        from ..display import Closed, Key

        for each in pressed:
            match each:
                case Closed():
                    self.over = True
                case Command(name="choose"):
                    self._picking, self._rank = True, ""
                case Command(name="back"):
                    self._picking = False
                case Command(name="chosen", argument=name):
                    self._choose(card(name))
                case Command(name=name):
                    self._do(name)
                case Key(name=key) if self._picking:
                    self._key(key)
        self._ask()

    # --- what happens

    def _laid(self, laid: Laid) -> None:
        if not isinstance(laid, Alone):
            self._say(device_in_words(Lost(device=laid.reader, reason=TWO_CARDS), self.words), "bad")
            return
        self._become(*self.teaching.laid(laid.uid))

    def _become(self, teaching: Teaching, outcome: Outcome) -> None:
        """Keep in the file what has changed, and say it. What cannot be kept has not happened."""
        say, face = self.words.say, self._face
        try:
            match outcome:
                case Taught(uid, thing):
                    self.file.add(uid, thing)
                    self._print(f"✓ {face(thing)}  {uid}")
                    self._said, self._tone = face(thing), "good"  # the display has a sign for that
                    self._asked = None  # so that the next one is asked for, be it the same again
                case Undone(uid, thing):
                    self.file.remove(uid)
                    self._say(say("Undone: {card} has not the tag {uid} any more.").format(card=face(thing), uid=uid))
                case Known(uid, thing):
                    self._say(say("This tag is already {card}'s: lay another.").format(card=face(thing)), "bad")
                    return
                case None:
                    return
        except BadInput as error:
            self._say(str(error), "bad")
            return
        self.teaching = teaching

    def _typed(self, line: str) -> None:
        typed = line.lower()
        wanted = TYPED.get(typed) or MEANT.get(answers_of(self.words).get(typed, ""))
        if wanted is not None:
            self._do(wanted)
            return
        try:
            thing = card_typed(line, self.words.language)
            if thing in self.teaching.pack:
                self._choose(thing)
            else:
                self._say(self.words.say("Only this card is taught now."), "bad")
        except ValueError:
            text = self.words.say("{text} is no card: write rank and suit, such as {example}.")
            self._say(text.format(text=f"“{line}”", example=self.words.say("QS")), "bad")

    def _do(self, name: str) -> None:
        match name:
            case "on":
                self.teaching = self.teaching.gone_on()
                self._asked = None
            case "skip":
                self.teaching = self.teaching.skipped()
            case "undo" if not self.teaching.done:
                self._say(self.words.say("Nothing has been taught yet that could be undone."))
            case "undo":
                self._become(*self.teaching.undone())
            case "leave":
                self.over = True

    def _choose(self, thing: Thing) -> None:
        self.teaching, self._picking = self.teaching.chosen(thing), False

    def _key(self, key: str) -> None:
        """A letter of a card that is typed at the display."""
        suit, rank = suit_typed(key, self.words.language), rank_typed(key, self.words.language)
        if self._rank and suit is not None:
            self._choose(card(self._rank + suit))
        elif rank is not None:
            self._rank = rank

    def _device(self, fact: Lost | Found) -> None:
        if isinstance(fact, Found):
            if self._missing.pop(fact.device, None) is not None:
                self._say(device_in_words(fact, self.words), "good")
        elif fact.reason != TWO_CARDS:
            self._missing[fact.device] = device_in_words(fact, self.words)
            self._print(self._missing[fact.device])

    # --- what is shown

    def screen(self) -> Screen:
        """What the display shows now: the card that is asked for, large."""
        say, asked = self.words.say, self.teaching.asked
        skip = next(key for key, means in answers_of(self.words).items() if means == "skip" and len(key) == 1)
        taps = (
            Tap(say("Next card"), Command("on"), "return", strong=self.teaching.again),
            Tap(say("Undo"), Command("undo"), "u"),
            Tap(say("Skip"), Command("skip"), skip),
            *((Tap(say("Another card"), Command("choose"), "c"),) if len(self.teaching.pack) > 1 else ()),
            Tap(say("Leave"), Command("leave"), "escape"),
        )
        picker = None
        if self._picking:
            by_suit = sorted(PACK, key=lambda c: ("SHDC".index(c.suit), c.index))
            cards = tuple((c, Tap(str(c), Command("chosen", str(c)), selected=c.rank == self._rank)) for c in by_suit)
            typed = card(self._rank + SUITS[0]).face(self.words.language)[:-1] if self._rank else ""
            picker = Picker(say("Which card?"), cards, (Tap(say("Back"), Command("back"), "escape"),), typed)
        return Screen(
            language=self.words.language,
            title=say("Teach the tags"),
            chips=((self._so_far(), "plain"),),
            headline=self._question(asked) if asked is not None else "",
            ruling=self._said,
            ruling_tone=self._tone,
            alerts=tuple(self._missing.values()),
            taps=taps,
            picker=picker,
            wanted=asked if isinstance(asked, Card) else None,
        )

    def _ask(self) -> None:
        """Ask for the card, when it is another one; the teaching is over when there is none."""
        asked = self.teaching.asked
        if asked is None:
            self.over = True
        elif not self.over and asked != self._asked:
            self._print(f"→ {self._question(asked)}")
        self._asked = asked

    def _question(self, thing: Thing) -> str:
        text = self.words.say("Lay {card} on a reader.")
        if self.teaching.count(thing):
            text = self.words.say("{card} has a tag. Lay another one of it, or Enter for the next card.")
        return text.format(card=self._face(thing))

    def _so_far(self) -> str:
        lacking, all_ = len(self.teaching.lacking), len(self.teaching.pack)
        if not lacking:
            return self.words.say("Every card has a tag.")
        return self.words.say("{count} of {all} cards have a tag.").format(count=all_ - lacking, all=all_)

    def _face(self, thing: Thing) -> str:
        if isinstance(thing, Card):
            return thing.face(self.words.language)
        return self.words.say("the card “{command}”").format(command=thing)

    def _say(self, text: str, tone: str = "plain") -> None:
        self._said, self._tone = text, tone
        self._print(text)

    def _print(self, text: str) -> None:
        print(text, file=self.out, flush=True)
