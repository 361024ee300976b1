"""Rulings, questions and events in words.

The core speaks in numbers and names of rules; here a line becomes a sentence for the people at the table. Every text
goes through ``say``, which gettext gives (the catalogues are loaded at the edge), and names its parts, so that a
translation may order them as its language does. Players' names stand without an article: nobody's gender is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..cards import card
from ..state import Line

DEFAULT_NAMES = ("North", "East", "South", "West")
"""The players' names where nobody has named them: only these are translated, and only where they are shown."""


@dataclass(frozen=True, slots=True)
class Words:
    """How to say things: *say* translates a text, *language* decides what cards are called, *names* are the players."""

    say: Callable[[str], str]
    language: str = "en"
    names: tuple[str, ...] = ()

    def name(self, seat: int | None) -> str:
        if seat is None:
            return self.say("somebody")
        names = self.shown(self.names)
        return names[seat] if seat < len(names) else self.say("seat {seat}").format(seat=seat)

    def place(self, seat: int, players: int) -> str:
        """The number of a seat, and at a table of four its side of the compass, as on the markers and the lamps."""
        say = self.say
        return f"{seat} ({(say('N'), say('E'), say('S'), say('W'))[seat]})" if players == 4 else f"{seat}"

    def shown(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names as people read them."""
        say = self.say
        return (say("North"), say("East"), say("South"), say("West")) if names == DEFAULT_NAMES else names

    def face(self, written: str | None) -> str:
        return card(written).face(self.language) if written and written != "None" else self.say("a card")

    def faces(self, written: str | None) -> str:
        return " ".join(self.face(word) for word in (written or "").split())

    def suit(self, written: str | None) -> str:
        say = self.say
        names = {"C": say("clubs"), "D": say("diamonds"), "H": say("hearts"), "S": say("spades")}
        return names.get((written or "")[-1:], say("that suit"))

    def side(self, side: str) -> str:
        return " & ".join(self.name(int(seat)) for seat in side.split("-"))


def in_words(line: Line, words: Words) -> str:
    """The sentence for one line; empty for a line that needs none."""
    if "question" in line:
        return _question(line, words)
    if "event" in line:
        return _event(line, words)
    tell = _RULINGS.get(line["ruling"])
    return tell(line, words) if tell is not None else ""


def _legal(line: Line, words: Words) -> str:
    say, name = words.say, words.name(line["seat"])
    if "cards" in line:
        if line["cards"] is None:
            return say("{name} passes {count} cards.").format(name=name, count=line["count"])
        return say("{name} passes {cards}.").format(name=name, cards=words.faces(line["cards"]))
    text = say("{name} plays {card}.").format(name=name, card=words.face(line["card"]))
    if line.get("note") == "source-silent":
        text += " " + say("The source has no rule for this; it is allowed.")
    return text


def _unproven(line: Line, words: Words) -> str:
    say = words.say
    texts = {
        "follow-suit": say("{name} plays {card}: legal only without {suit} in hand."),
        "first-trick-points": say(
            "{name} plays {card} on the first trick: legal only with nothing but points in hand."
        ),
        "hearts-not-broken": say("{name} leads {card}, hearts unbroken: legal only with nothing but hearts in hand."),
    }
    return texts[line["rules"][0]].format(
        name=words.name(line["seat"]), card=words.face(line["card"]), suit=words.suit(line.get("led"))
    )


def _breach(line: Line, words: Words) -> str:
    say, twin = words.say, line.get("twin") or {}
    texts = {
        "turn": say("{name} plays {card} out of turn: it is {awaited}'s turn."),
        "opening": say("{name} opens with {card}: {expected} must open."),
        "duplicate": say("{card} is here twice: from {twin} in trick {twin_trick} and now from {name}."),
        "too-many-cards": say("{name} lays a second card, {card}, beside {first}."),
        "not-in-deck": say("{name} plays {card}, which is not in this deck."),
        "not-in-hand": say("{name} plays {card}, which is not in that hand."),
        "follow-suit": say("{name} plays {card} but holds {held}: {suit} must be followed."),
        "first-trick-points": say("{name} plays {card} on the first trick but holds {held}, which is no point."),
        "hearts-not-broken": say("{name} leads {card} before hearts are broken but holds {held}."),
        "pass-count": say("{name} passes {count} cards: {expected} must be passed."),
    }
    cards = line.get("cards")
    expected = line.get("expected")
    rule = line["rules"][0]
    text = texts[rule]
    if rule == "turn" and line.get("awaited") is None:
        text = say("{name} plays {card} out of turn.")
    elif rule == "duplicate" and not twin:
        text = say("{card} is here twice, now from {name}.")
    elif rule == "too-many-cards" and "first" not in line:
        text = say("{name} lays one card too many, {card}.")
    elif cards:
        text = {
            "not-in-hand": say("{name} passes {card}: not all of these are in that hand."),
            "not-in-deck": say("{name} passes {card}: not all of these are in this deck."),
        }.get(rule, text)
    return text.format(
        name=words.name(line["seat"]),
        card=words.faces(cards) if cards else words.face(line.get("card")),
        awaited=words.name(line.get("awaited")),
        expected=words.face(expected) if isinstance(expected, str) else expected,
        twin=words.name(twin.get("seat")),
        twin_trick=twin.get("trick"),
        first=words.face(line.get("first")),
        held=words.face(line.get("held")),
        suit=words.suit(line.get("led") or line.get("held")),
        count=line.get("count", len((cards or "").split())),
    )


def _pending(line: Line, words: Words) -> str:
    offence = line["offence"]
    text = words.say("{name}'s {card} in trick {trick} looks wrong, but a card may be misread or missing: please look.")
    return _of_offence(text, line, words, offence)


def _proved(line: Line, words: Words) -> str:
    say, offence = words.say, line["offence"]
    texts = {
        "follow-suit": say(
            "In trick {trick} {name} did not follow {suit} while holding {shown}: it came in trick {now}."
        ),
        "first-trick-points": say(
            "On the first trick {name} played {card} while holding {shown}, which is no point: it came in trick {now}."
        ),
        "hearts-not-broken": say(
            "In trick {trick} {name} led {card}, hearts unbroken, while holding {shown}: it came in trick {now}."
        ),
    }
    text = texts[offence["rule"]]
    if line.get("in_hand"):
        text = say("In trick {trick} {name} played {card} while holding {shown}, which was seen in that hand since.")
    return _of_offence(text, line, words, offence)


def _cleared(line: Line, words: Words) -> str:
    return _of_offence(words.say("{name}'s {card} in trick {trick} was in order."), line, words, line["offence"])


def _of_offence(text: str, line: Line, words: Words, offence: Mapping[str, Any]) -> str:
    return text.format(
        name=words.name(line["seat"]),
        card=words.face(offence["card"]),
        trick=offence["trick"],
        now=line.get("trick"),
        shown=words.face(line.get("shown")),
        suit=words.suit(line.get("shown")),
    )


def _withdrawn(line: Line, words: Words) -> str:
    return words.say("{name} takes {card} back.").format(name=words.name(line["seat"]), card=words.face(line["card"]))


def _confirmed(line: Line, words: Words) -> str:
    say, offences, unresolved = words.say, len(line["offences"]), len(line["unresolved"])
    text = (
        say("Hand {hand}: no offence stands.") if not offences else say("Hand {hand}: offences that stand: {offences}.")
    )
    if unresolved:
        text += " " + say("Not resolved: {unresolved}.")
    return text.format(hand=line["hand"], offences=offences, unresolved=unresolved)


def _void(line: Line, words: Words) -> str:
    was = in_words(line["was"], words)
    return words.say("No longer so: {was}").format(was=was) if was else ""


def _ignored(line: Line, words: Words) -> str:
    say = words.say
    texts = {
        "no-match": say("no match has begun"),
        "no-hand": say("no hand is being played"),
        "hand-not-over": say("the hand is not over: end it or call a misdeal first"),
        "match-over": say("the match is over"),
        "not-in-this-game": say("this rule set has no such thing"),
        "no-pass": say("no cards are passed now"),
        "passed-already": say("this seat has passed already"),
        "impossible-hand": say("these cards cannot all be in that hand"),
        "points-do-not-add-up": say("the points must come to {because}"),
        "unknown-tag": say("the deck file does not know this tag: {uid}"),
        "no-such-fact": say("there is no such fact"),
        "no-such-field": say("that cannot be set there"),
        "no-such-question": say("that question is not open"),
        "not-asked": say("that is not what was asked"),
        "cannot-insert": say("that cannot be inserted"),
        "match-stays": say("the match itself stays as it is"),
        "established": say("it is too late to take that card back"),
        "not-laid": say("that card does not lie there"),
        "refused": "{because}",
    }
    why = str(texts.get(line["reason"], line["reason"])).format(
        because=line.get("because", ""), uid=line.get("uid", "")
    )
    return say("Not counted: {why}.").format(why=why)


def _question(line: Line, words: Words) -> str:
    say, faces = words.say, [words.face(c) for c in line["candidates"] if isinstance(c, str)]
    name = words.name(line["seat"])
    either = say(" or ").join(faces[:4])
    if line["ask"] == "missing":
        text = say("{name}'s card in trick {trick} was not seen: which card is it?")
        return text.format(name=name, trick=line["trick"])
    if line["ask"] == "seat":
        return say("Who laid this card?") if line["why"] == "whose" else say("Is this card {name}'s?").format(name=name)
    texts = {
        "which": say("{name} has laid two cards: which one counts, {either}?"),
        "conflict": say("Reader and camera differ about {name}'s card: {either}?"),
    }
    text = texts.get(line["why"], say("Which card did {name} lay in trick {trick}: {either}?"))
    return text.format(name=name, either=either, trick=line["trick"])


def _event(line: Line, words: Words) -> str:
    say = words.say
    match line["event"]:
        case "pass":
            return direction_in_words(line["direction"], words)
        case "turn" if line["seat"] is not None:
            return say("{name} to play.").format(name=words.name(line["seat"]))
        case "turn" if "card" in line:
            return say("Whoever holds {card} opens.").format(card=words.face(line["card"]))
        case "hearts-broken":
            return say("Hearts are broken from now on.")
        case "spades-broken":
            return say("Spades are broken from now on.")
        case "trick":
            name = words.name(line["winner"])
            if line["points"] == 0:
                return say("{name} takes trick {trick}.").format(name=name, trick=line["trick"])
            return say("{name} takes trick {trick}: +{points}.").format(
                name=name, trick=line["trick"], points=line["points"]
            )
        case "hand":
            scores = ", ".join(f"{words.side(side)} {points}" for side, points in line["points"].items())
            text = say("Hand {hand}: {scores}.").format(hand=line["hand"], scores=scores)
            return f"{text} {moon_in_words(line, words)}".strip()
        case "misdeal":
            return say("Misdeal: hand {hand} does not count.").format(hand=line["hand"])
        case "match":
            winners = say(" and ").join(words.side(side) for side in line["winners"])
            return say("The match is over: {winners} first.").format(winners=winners)
        case "rederived":
            return say("The record is put right from there on.")
        case "void":
            return _void(line, words)
        case _:
            return ""


def moon_in_words(line: Line, words: Words) -> str:
    """Who has shot the moon in a hand; empty when nobody has."""
    moon = line.get("moon")
    return words.say("{name} has shot the moon.").format(name=words.name(moon["seat"])) if moon else ""


def game_in_words(rules: str, words: Words) -> str:
    """What a rule set is called at the table; its own name where it has no other."""
    say = words.say
    texts = {"hearts-cardems": say("Hearts (CardEMS)"), "hearts-classic": say("Hearts (classic)")}
    return texts.get(rules, rules)


def rule_in_words(rule: str, words: Words) -> str:
    """What a rule is called at the table."""
    say = words.say
    texts = {
        "turn": say("out of turn"),
        "opening": say("wrong opening card"),
        "follow-suit": say("suit not followed"),
        "first-trick-points": say("points on the first trick"),
        "hearts-not-broken": say("hearts led too early"),
        "duplicate": say("card seen twice"),
        "too-many-cards": say("two cards of one seat"),
        "not-in-deck": say("card not in the deck"),
        "not-in-hand": say("card not in that hand"),
        "pass-count": say("wrong number of cards passed"),
    }
    return texts.get(rule, rule)


def offence_in_words(offence: Mapping[str, Any], words: Words) -> str:
    """An offence as the score sheet lists it: when, who, which card, which rule."""
    rule = rule_in_words(offence["rule"], words)
    return words.say("Trick {trick}: {name}, {card} ({rule})").format(
        trick=offence["trick"], name=words.name(offence["seat"]), card=words.face(offence["card"]), rule=rule
    )


def direction_in_words(direction: str | None, words: Words) -> str:
    say = words.say
    texts = {
        "left": say("Pass left ←"),
        "right": say("Pass right →"),
        "across": say("Pass across ↑"),
        "hold": say("No passing"),
        "left-2": say("Pass two to the left ←"),
        "right-2": say("Pass two to the right →"),
    }
    return texts.get(direction or "", "")


def broken_in_words(event: str, broken: bool, words: Words) -> str:
    """Whether the suit that must be broken is."""
    say = words.say
    texts = {
        "hearts-broken": (say("Hearts not broken"), say("Hearts broken")),
        "spades-broken": (say("Spades not broken"), say("Spades broken")),
    }
    return texts.get(event, ("", ""))[broken]


_RULINGS: dict[str, Callable[[Line, Words], str]] = {
    "legal": _legal,
    "unproven": _unproven,
    "breach": _breach,
    "ignored": _ignored,
    "pending": _pending,
    "proved": _proved,
    "cleared": _cleared,
    "withdrawn": _withdrawn,
    "confirmed": _confirmed,
    "void": _void,
}


def notice_in_words(notice: str, words: Words) -> str:
    """What the display says of a part of the table: known notices have words, others say themselves."""
    say = words.say
    texts = {
        "lamps-on-display": say("The lamps are shown on the display only."),
        "goes-on": say("The open game goes on with its own players; a new one: Menu, End the match."),
        "no-deck-file": say(
            "The readers have no deck file, so every tag is unknown: name one (deck:) in the table's file."
        ),
    }
    name, _, why = notice.partition(": ")
    if name == "no-record":
        return say("The record is not being kept: {why}").format(why=trouble_in_words(why, words))
    return texts.get(notice) or trouble_in_words(notice, words)


def missing_in_words(device: str, words: Words) -> str:
    """That a device is missing which no seat has to itself. One that people have named is called as they call it."""
    say, reader = words.say, re.fullmatch(r"reader-(\d+)", device)
    if device == "camera":
        return say("The camera is missing; the game goes on.")
    if reader is not None:
        return say("Reader {number} is missing; the game goes on.").format(number=reader[1])
    return say("{device} is missing; the game goes on.").format(device=device)


def trouble_in_words(trouble: str, words: Words) -> str:
    """What the journal or the system says of a fault, with the phrases that are known in the words of the table: files
    and numbers stay."""
    say = words.say
    phrases = {
        "free some space, or give another folder with --store": say(
            "free some space, or give another folder with --store"
        ),
        "another program holds the file; close it": say("another program holds the file; close it"),
        "run as the store's owner, or name another store with --store": say(
            "run as the store's owner, or name another store with --store"
        ),
        "the store is damaged; the next `tablepi run` sets it aside": say(
            "the store is damaged; the next `tablepi run` sets it aside"
        ),
        "see whether its disk is mounted, writable and healthy (dmesg)": say(
            "see whether its disk is mounted, writable and healthy (dmesg)"
        ),
        "of games that are in no record here": say("of games that are in no record here"),
        "set aside as": say("set aside as"),
        "the last room on the disk is left to the record": say("the last room on the disk is left to the record"),
        "a new store was begun": say("a new store was begun"),
        "games are lost at the next restart; name a folder on a disk with --store": say(
            "games are lost at the next restart; name a folder on a disk with --store"
        ),
        "lies in memory": say("lies in memory"),
        "lies in an overlay": say("lies in an overlay"),
        "database or disk is full": say("database or disk is full"),
        "No space left on device": say("No space left on device"),
        "disk I/O error": say("disk I/O error"),
        "Input/output error": say("Input/output error"),
        "database is locked": say("database is locked"),
        "Read-only file system": say("Read-only file system"),
        "attempt to write a readonly database": say("attempt to write a readonly database"),
        "Permission denied": say("Permission denied"),
    }
    for phrase, said in phrases.items():
        trouble = trouble.replace(phrase, said)
    return trouble


def with_text(line: Line, words: Words) -> Line:
    """The line with its sentence, as ``referee`` prints rulings and questions; events carry none."""
    if "event" in line:
        return line
    return {**line, "text": in_words(line, words)}
