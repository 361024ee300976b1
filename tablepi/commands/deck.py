"""``tablepi deck check``: are all cards of the pack there, is one there twice, is one foreign?

The person goes through the pack, card by card, at a reader or under a camera; or there is a film, a photograph or a
folder of photographs of cards that are spread out. ``pack`` counts; here is what sees the cards, and what is said.
"""

from __future__ import annotations

import argparse
import queue
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from .. import presets
from ..cards import Card, Cards, cards_of, count, each
from ..config import Config, load_config
from ..deck_file import DeckFile
from ..errors import BadInput, shown
from ..facts import Found, Lost, Tag, dumps
from ..language import language, words
from ..pack import Pack
from ..rules.switches import set_switches
from ..teaching import PACK, Thing
from ..views.words import Words
from .parts import camera_source, card_reader
from .reading import INBOX, deck_of, device_in_words, following, opened_readers, readers_of
from .terminal import Typed, TypedLines, somebody_at

if TYPE_CHECKING:  # at run time numpy and cv2 are imported when the command runs
    from ..pictures import Picture
    from ..vision.reader import CardReader

LOOK_S = 0.5
"""Seconds between two frames of a film that are looked at."""

UNSURE = 0.5
"""The confidence from which a card that is missing is said to lie, perhaps, in a picture."""


def deck_check(options: argparse.Namespace, store: Callable[[], Path]) -> int:
    """``deck check`` as the command line says; *store* has the enrolled faces. Returns 0 when the pack is whole and
    nothing else is in it, else 1.

    Raises BadInput, and Missing when the reader or the camera is not there, or is lost while it is used.
    """
    config = load_config(options.config) if options.config is not None else Config()
    spoken = words(language(options.lang or config.language), ())
    pack = wanted(config, options.rules, options.players)
    check = Check(Pack(pack), spoken, json=options.json, out=sys.stdout, err=sys.stderr)
    if options.camera is not None and options.reader is not None:
        raise BadInput("--reader or --camera: give one of both")
    if options.camera is None and options.reader is None and not config.readers and not config.cameras:
        if options.config is not None:
            raise BadInput(f"{options.config}: neither a reader nor a camera is named there: give --reader or --camera")
        raise BadInput("what with? give --reader PORT, --camera SOURCE, or --config FILE that names some")
    try:
        if options.camera is not None or (options.reader is None and not config.readers):
            _by_camera(check, options, config, store)
        else:
            _by_reader(check, options, config)
    except KeyboardInterrupt:
        pass  # that is how a person says that this is all
    finally:
        check.summary()
    return 0 if check.pack.right else 1


def wanted(config: Config, named: str | None = None, players: int | None = None) -> Cards:
    """The pack of the rule set *named*, for as many *players*; what is None is that of *config*. Raises BadInput."""
    rules = presets.rule_set(named or config.rules)
    game, wrongs = set_switches(rules.game, config.options if named is None else {})
    if wrongs:
        raise BadInput("; ".join(f"options.{'.'.join(map(str, place))}: {text}" for place, text in wrongs))
    number = len(config.players) if players is None else players
    if number not in game.players:
        can = ", ".join(map(str, game.players))
        raise BadInput(f"{number} players: {rules.name} is for {can}: give --players N, or --rules NAME")
    return game.deck(number)


# --- readers ----------------------------------------------------------------------------------------------------------


def _by_reader(check: Check, options: argparse.Namespace, config: Config) -> None:
    readers = readers_of(options, config)
    deck = deck_of(options, config)
    tags = DeckFile(deck).tags()
    if not tags:
        raise BadInput(f"{shown(str(deck))}: no tag is known yet: teach them with `tablepi enrol tags`")
    inbox: queue.Queue[Any] = queue.Queue(INBOX)
    with ExitStack() as stack:
        supervisor, told = opened_readers(stack, readers, inbox)
        alone = not somebody_at(sys.stdin)
        stack.enter_context(TypedLines(None if alone else sys.stdin, inbox))
        check.begin(check.words.say("Lay the cards on a reader, one after the other. Enter ends."))
        happened: Any
        for happened in told:
            check.take(happened, tags, time.monotonic())
        while not check.over and not (alone and not check.pack.missing):  # where nobody can say that this is all
            check.take(following(inbox), tags, time.monotonic())
            supervisor.check()


# --- cameras ----------------------------------------------------------------------------------------------------------


def _by_camera(check: Check, options: argparse.Namespace, config: Config, store: Callable[[], Path]) -> None:
    source = options.camera if options.camera is not None else config.cameras[0].source
    files = Path(source).is_file() or Path(source).is_dir()
    if not files:
        from ..devices.sources import source_of

        source_of(source)  # says what is wrong with its name, before the models are loaded
    reader = card_reader(config, store)
    if files:
        _pictures(check, source, reader)
    else:
        _live(check, source, config, reader)


def _pictures(check: Check, source: str, reader: CardReader) -> None:
    """A film, a photograph, or a folder of them. Raises BadInput when there is none that can be read."""
    from ..pictures import PassedOver, Unreadable, pictures

    looks = 0
    steady = Steady()
    for found in pictures([source], seconds=LOOK_S):
        match found:
            case PassedOver():
                continue
            case Unreadable():
                if not looks and found.file == source:
                    raise found
                check.complain(str(found))
            case _ if found.number is None:
                check.picture(look(reader, found.frame), _name(found))
            case _:
                check.picture(steady.of(look(reader, found.frame)), _name(found))
        looks += 1


def _name(picture: Picture) -> str:
    name = shown(picture.file)
    return name if picture.number is None else f"{name}, {picture.time:.1f} s"


def _live(check: Check, named: str, config: Config, reader: CardReader) -> None:
    """A camera, until the person ends it. Raises DeviceLost."""
    source = camera_source(named, config.camera)
    inbox: queue.Queue[Any] = queue.Queue(INBOX)
    alone = not somebody_at(sys.stdin)
    steady = Steady()
    with source, TypedLines(None if alone else sys.stdin, inbox):
        check.begin(check.words.say("Lay the cards under the camera, one after the other or spread out. Enter ends."))
        while not check.over and not (alone and not check.pack.missing):
            frame = source.grab()
            if frame is not None:
                check.picture(steady.of(look(reader, frame.image)), named)
            while not inbox.empty():
                check.take(inbox.get(), {}, 0.0)


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a picture shows: the *cards* that are sure, each as often as it lies there; those that are
    *unsure*; those of which a second one, *perhaps*, lies there; and the places (x, y, size in pixels) of cards of
    which nothing is read."""

    cards: tuple[Card, ...] = ()
    unsure: Cards = 0
    perhaps: Cards = 0
    unread: tuple[tuple[float, float, float], ...] = ()


def look(reader: CardReader, frame: Any) -> Look:
    """What *reader* sees in *frame*."""
    from ..vision.unread import unread

    readings = reader.read(frame)
    sure = tuple(r.card for r in readings if r.confidence >= reader.threshold)
    doubted = cards_of(r.card for r in readings if UNSURE <= r.confidence < reader.threshold)
    there = cards_of(sure)
    boxes = unread(frame, readings, sure=reader.threshold)
    places = tuple(((x0 + x1) / 2, (y0 + y1) / 2, min(x1 - x0, y1 - y0)) for x0, y0, x1, y1 in boxes)
    return Look(sure, doubted & ~there, doubted & there, places)


class Steady:
    """Of looks at what may move, what is in two of them in a row: a hand that draws a card blurs it."""

    def __init__(self) -> None:
        self._before = Look()
        self._told: tuple[tuple[float, float, float], ...] = ()

    def of(self, now: Look) -> Look:
        """What was there at the look before, too. A card of which nothing is read is told once while it lies."""
        before, self._before = self._before, now
        cards = [card for card in set(now.cards) for _ in range(min(now.cards.count(card), before.cards.count(card)))]
        unread = tuple(place for place in now.unread if _near(place, before.unread))
        new = tuple(place for place in unread if not _near(place, self._told))
        self._told = unread
        return Look(tuple(sorted(cards)), now.unsure & before.unsure, now.perhaps & before.perhaps, new)


def _near(place: tuple[float, float, float], others: Sequence[tuple[float, float, float]]) -> bool:
    x, y, size = place
    return any(abs(x - other[0]) + abs(y - other[1]) < size / 2 for other in others)


# --- what is said -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Check:
    """The course of a check, told on *out*: in words, or as JSON, a line for each card and one for the end."""

    pack: Pack
    words: Words
    json: bool
    out: TextIO
    err: TextIO
    over: bool = False
    _begun: bool = False
    _unsure: dict[Card, str] = field(default_factory=dict)

    def begin(self, how: str) -> None:
        self._begun = True
        self._say(how)

    def take(self, happened: Any, tags: dict[str, Thing], at: float) -> None:
        """Act on a fact or a typed line. *tags* says what each tag is in."""
        match happened:
            case Typed():
                self.over = True
            case Tag(uid=str(uid)):
                thing = tags.get(uid)
                if isinstance(thing, str):  # the card of a command belongs to no pack
                    self._say(thing)
                else:
                    self._saw(self.pack.tag(uid, thing, at))
            case Lost() | Found():
                self.complain(device_in_words(happened, self.words))

    def picture(self, seen: Look, where: str) -> None:
        """Count what a look shows; *where* names the picture."""
        self._begun = True
        for card in each(seen.unsure):
            self._unsure.setdefault(card, where)
        self._saw(self.pack.picture(seen.cards, perhaps=seen.perhaps, unread=[where] * len(seen.unread)))

    def complain(self, text: str) -> None:
        print(f"tablepi: {text}", file=self.err, flush=True)

    def _saw(self, now: Pack) -> None:
        """Say what is new."""
        before, self.pack = self.pack, now
        say = self.words.say
        for number, card in enumerate(each(now.there & ~before.there), before.number + 1):
            self._line({"card": str(card)}, f"✓ {self._face(card)}", number)
        if now.there != before.there and not now.missing:
            self._say(say("All cards are there. If others are left, show them, too; Enter ends."))
        for card in each(now.others & ~before.others):
            self._line({"other": str(card)}, say("{card} does not belong to this pack.").format(card=self._face(card)))
        for card in each(now.twice & ~before.twice):
            self._line({"twice": str(card)}, say("{card} is there twice.").format(card=self._face(card)))
        for card in each(now.perhaps & ~before.perhaps):
            text = say("{card} is perhaps there twice: look. (A card with two tags is one card.)")
            self._line({"perhaps": str(card)}, text.format(card=self._face(card)))
        for uid in now.foreign[len(before.foreign) :]:
            self._line({"foreign": uid}, say("A tag that is in no card: {uid}").format(uid=uid))
        for where in now.unread[len(before.unread) :]:
            text = say("Nothing can be read of a card in {where}: is it a joker, or face down?")
            self._line({"unread": where}, text.format(where=where))

    def summary(self) -> None:
        """Say how the pack is; nothing where no check was begun."""
        if not self._begun:
            return
        pack, say = self.pack, self.words.say
        if self.json:
            told: dict[str, Any] = {"right": pack.right, "there": pack.number, "of": count(pack.wanted)}
            for name in ("missing", "twice", "perhaps", "others"):
                told[name] = [str(card) for card in by_suit(getattr(pack, name))]
            told |= {"foreign": list(pack.foreign), "unread": list(pack.unread)}
            told["unsure"] = {str(c): where for c, where in self._unsure.items() if c.bit & pack.missing}
            print(dumps(told), file=self.out, flush=True)
            return
        self._say(say("{count} of {all} cards are there.").format(count=pack.number, all=count(pack.wanted)))
        for text, cards in (
            (say("Missing: {cards}"), pack.missing),
            (say("There twice: {cards}"), pack.twice),
            (say("Of another pack, or left out of this one: {cards}"), pack.others),
            (say("Perhaps there twice: {cards}"), pack.perhaps),
        ):
            if cards:
                self._say(text.format(cards=self._faces(cards)))
        for card, where in self._unsure.items():
            if card.bit & pack.missing:
                text = say("{card} may be in {where}: it could not be read for certain.")
                self._say(text.format(card=self._face(card), where=where))
        if pack.foreign:
            self._say(say("Tags that are in no card: {uids}").format(uids=", ".join(pack.foreign)))
        if pack.unread:
            self._say(say("Cards of which nothing can be read: {count}").format(count=len(pack.unread)))
        if pack.right:
            self._say(say("The pack is whole."))

    def _line(self, told: dict[str, Any], text: str, number: int | None = None) -> None:
        """Something that is new, with how many are there."""
        number = self.pack.number if number is None else number
        if self.json:
            print(dumps(told | {"there": number}), file=self.out, flush=True)
            return
        so_far = self.words.say("{count} of {all}").format(count=number, all=count(self.pack.wanted))
        print(f"{text}  ({so_far})", file=self.out, flush=True)

    def _say(self, text: str) -> None:
        if not self.json:
            print(text, file=self.out, flush=True)

    def _face(self, card: Card) -> str:
        return card.face(self.words.language)

    def _faces(self, cards: Cards) -> str:
        return " ".join(map(self._face, by_suit(cards)))


def by_suit(cards: Cards) -> list[Card]:
    """The cards in the order in which a pack is sorted."""
    return [card for card in PACK if card.bit & cards]
