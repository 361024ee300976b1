"""Rulings, questions and events in words.

The core speaks in numbers and names of rules; here a line becomes a sentence for the people at the table. Every text
goes through ``say``, which gettext gives (the catalogues are loaded at the edge), and names its parts, so that a
translation may order them as its language does. Players' names stand without an article: nobody's gender is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import category

from ..cards import Card, card
from ..facts import NO_TAGS, TWO_CARDS
from ..state import Deal, Line, State

DEFAULT_NAMES = ("North", "East", "South", "West")
"""The names of four players whom nobody has named: they are translated where they are shown, and so is ``unnamed``."""


def legible(text: str) -> str:
    """*text* with a box in place of each character that a terminal or a screen would obey, or could not show at all:
    one that controls the line or the way in which it is read, or half a character. What joins letters or keeps them
    apart stays."""
    if text.isprintable():
        return text
    return "".join("□" if category(c) in ("Cc", "Cf", "Cs") and c not in "\u200c\u200d" else c for c in text)


def unnamed(seat: int) -> str:
    """The name of a player whom nobody has named, at a table without the sides of the compass."""
    return f"Seat {seat}"


@dataclass(frozen=True, slots=True)
class Words:
    """How to say things: *say* translates a text, *language* decides what cards are called, *names* are the players.

    *veiled*: cards of earlier tricks are not named, because the table keeps them private.
    """

    say: Callable[[str], str]
    language: str = "en"
    names: tuple[str, ...] = ()
    veiled: bool = False

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
        if names == DEFAULT_NAMES:
            return say("North"), say("East"), say("South"), say("West")
        unknown = say("Seat {seat}")
        return tuple(unknown.format(seat=i) if name == unnamed(i) else legible(name) for i, name in enumerate(names))

    def either(self, seats: Iterable[int]) -> str:
        """Players one of whom is meant."""
        return self.one_of(self.name(seat) for seat in seats)

    def one_of(self, told: Iterable[str]) -> str:
        """Things one of which is meant."""
        *others, last = (*told,) or ("",)
        return self.say(" or ").join(filter(None, (", ".join(others), last)))

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


def in_context(line: Line, state: State) -> Line:
    """The line with what its sentence depends on besides: whether a turn is one to play, to bid or to give cards, and
    a time-out one of the pass; whether the player of a card has left; with which card an offence was counted out; in
    which tricks someone's may have been, and against which rules; at the end of a match who has left, and which hand
    was not played to its end. Of a line told of *state*."""
    deal = state.deal
    if line.get("event") == "match":
        return {**line, "left": state.left, "unscored": unscored_hand(state)}
    if deal is None:
        return line
    if line.get("event") == "timeout" and deal.phase == "passing":
        return {**line, "passing": True}
    if line.get("event") == "turn" and deal.phase == "bidding" and deal.auction is not None:
        return {**line, "to": "bid" if deal.auction.turn is not None else "give"}
    if line.get("hand") != deal.number:
        return line
    if line.get("seat") in state.left and ("card" in line or "offence" in line):
        line = {**line, "left": True}
    match line.get("ruling"):
        case "proved" if line["how"] == "counted":
            return {**line, **_upon(line, deal)}
        case "someone":
            claims = [x for x in deal.felt.claims if x.seat in line["seats"] and x.n <= line["n"] and not x.counted]
            rules = dict.fromkeys(claim.denied[0][1] for claim in claims)
            return {**line, "tricks": sorted({claim.trick for claim in claims}), "rules": list(rules)}
        case _:
            return line


def unscored_hand(state: State) -> int | None:
    """The hand that was dealt last, if it has no score."""
    scored = state.scores[-1].hand if state.scores else 0
    return state.deals if state.deals > scored else None


def _upon(line: Line, deal: Deal) -> Line:
    """*upon* which card an offence was counted out, if it was a card."""
    offence = line["offence"]
    found = next((x for x in deal.settled if (x.n, x.rule) == (offence["n"], offence["rule"])), None)
    for trick, laid in deal.felt.places():
        if found is not None and laid.n == found.at and laid.card is not None:
            return {"upon": {"trick": trick, "seat": laid.seat, "card": str(laid.card)}}
    return {}


def _legal(line: Line, words: Words) -> str:
    say, name = words.say, words.name(line["seat"])
    if "bid" in line:
        return say("{name} bids {bid}.").format(name=name, bid=bid_in_words(line, words))
    if "cards" in line:
        return _gives(line, words)
    text = say("{name} has left: {card} is played.") if line.get("left") else say("{name} plays {card}.")
    text = text.format(name=name, card=words.face(line["card"]))
    if line.get("note") == "source-silent":
        text += " " + say("The source has no rule for this; it is allowed.")
    return text


def _gives(line: Line, words: Words) -> str:
    """Cards that are passed, or given to the partner in an exchange."""
    say = words.say
    text = say("{name} passes {cards}.")
    if line.get("declined"):
        text = say("{name} exchanges no cards.")
    elif line["cards"] is None:
        text = say("{name} passes {count} cards.")
    return text.format(name=words.name(line["seat"]), count=line.get("count"), cards=words.faces(line["cards"]))


def _unproven(line: Line, words: Words) -> str:
    say, leads = words.say, "led" not in line
    texts = {
        "follow-suit": say("{name} plays {card}: legal only without {suit} in hand."),
        "first-trick-points": say(
            "{name} plays {card} on the first trick: legal only with nothing but points in hand."
        ),
        "hearts-not-broken": say("{name} leads {card}, hearts unbroken: legal only with nothing but hearts in hand."),
        "spades-not-broken": say("{name} leads {card}, spades unbroken: legal only with nothing but spades in hand."),
        "first-trick-spades": say("{name} leads {card} to the first trick: legal only with nothing but spades in hand.")
        if leads
        else say("{name} plays {card} on the first trick: legal only with nothing but spades in hand."),
        "lowest-card": say("{name} has left, {card} is played: legal only without a lower legal card in hand.")
        if line.get("left")
        else say("{name}'s time is up, {card} is played: legal only without a lower legal card in hand."),
    }
    return _of_play(texts, line, words)


def _breach(line: Line, words: Words) -> str:
    say, rule = words.say, line["rules"][0]
    if "bid" in line:
        return _bid_breach(line, words)
    if "cards" in line:
        return _giving_breach(line, words)
    if line.get("how") == "counted":
        none = say("The cards still unseen leave {name} no such hand, so it is illegal.")
        return f"{_unproven(line, words)} {none.format(name=words.name(line['seat']))}"
    texts = {
        "turn": say("{name} plays {card} out of turn: it was {awaited}'s turn."),
        "opening": say("{name} opens with {card}: {expected} must open."),
        "duplicate": say("{card} is here twice: from {twin} in trick {twin_trick} and now from {name}."),
        "too-many-cards": say("{name} lays a second card, {card}, beside {first}."),
        "not-in-deck": say("{name} plays {card}, which is not in this deck."),
        "not-in-hand": say("{name} plays {card}, which is not in that hand."),
        "follow-suit": say("{name} plays {card} but holds {held}: {suit} must be followed."),
        "first-trick-points": say("{name} plays {card} on the first trick but holds {held}, which is no point."),
        "hearts-not-broken": say("{name} leads {card} before hearts are broken but holds {held}."),
        "spades-not-broken": say("{name} leads {card} before spades are broken but holds {held}."),
        "first-trick-spades": say("{name} plays {card} on the first trick but holds {held}, which is no spade."),
        "lowest-card": say("{name} has left, {card} is played, but {held} is in hand: the lowest legal card is due.")
        if line.get("left")
        else say("{name}'s time is up, {card} is played, but {held} is in hand: the lowest legal card is due."),
    }
    if rule == "turn" and line.get("awaited") is None:
        texts["turn"] = say("{name} plays {card} out of turn.")
    elif rule == "duplicate" and not line.get("twin"):
        texts["duplicate"] = say("{card} is here twice, now from {name}.")
    elif rule == "too-many-cards" and "first" not in line:
        texts["too-many-cards"] = say("{name} lays one card too many, {card}.")
    elif rule in _OF_A_KNOWN_HAND and "held" not in line:
        texts = {}
    return _of_play(texts, line, words)


_OF_A_KNOWN_HAND = (
    *("follow-suit", "first-trick-points", "hearts-not-broken", "spades-not-broken", "first-trick-spades"),
    "lowest-card",
)


def _of_play(texts: Mapping[str, str], line: Line, words: Words) -> str:
    twin, expected, rule = line.get("twin") or {}, line.get("expected"), line["rules"][0]
    text = texts.get(rule) or words.say("{name} plays {card} against the rules ({rule}).")
    name = words.name(line["seat"])
    if line.get("left") and rule != "lowest-card":
        name = words.say("{name} (has left)").format(name=name)
    return text.format(
        name=name,
        card=words.face(line.get("card")),
        awaited=words.name(line.get("awaited")),
        expected=words.face(expected) if isinstance(expected, str) else expected,
        twin=words.name(twin.get("seat")),
        twin_trick=twin.get("trick"),
        first=words.face(line.get("first")),
        held=words.face(line.get("held")),
        suit=words.suit(line.get("led") or line.get("held")),
        rule=rule_in_words(rule, words),
    )


def _bid_breach(line: Line, words: Words) -> str:
    say = words.say
    texts = {
        "bid-order": say("{name} bids {bid} out of turn: it was {awaited}'s turn to bid."),
        "bid-range": say("{name} bids {bid}: these rules have no such bid."),
        "blind-nil-deficit": say("{name} bids {bid}: that side is {behind} points behind, {expected} are needed."),
        "exchange-deficit": say("{name} bids {bid}: that side is {behind} points behind, {expected} are needed."),
        "suicide": say("{name} bids {bid}: one of that side must bid nil in each hand."),
    }
    rule = line["rules"][0]
    if "stands" in line:
        texts["bid-order"] = say("{name} bids {bid}, but has bid {stands} already: that stands.")
    elif line.get("awaited") is None:
        texts["bid-order"] = say("{name} bids {bid} out of turn.")
    elif line.get("behind", 0) < 0:
        ahead = say("{name} bids {bid}: that side leads, and would have to be {expected} points behind.")
        texts |= {"blind-nil-deficit": ahead, "exchange-deficit": ahead}
    text = texts.get(rule, "{name}: {bid} ({rule})")
    if "stands" not in line:  # the second bid of a seat counts for nothing, its first one stands
        text = f"{text} {say('The bid stands until it is corrected.')}"
    return text.format(
        name=words.name(line["seat"]),
        bid=bid_in_words(line, words),
        awaited=words.name(line.get("awaited")),
        stands=bid_in_words({"bid": line.get("stands")}, words),
        behind=line.get("behind"),
        expected=line.get("expected"),
        rule=rule_in_words(rule, words),
    )


def _giving_breach(line: Line, words: Words) -> str:
    """What is wrong with cards that are passed or exchanged."""
    say, cards, rule = words.say, line["cards"], line["rules"][0]
    texts = {
        "pass-count": say("{name} passes {count} cards: {expected} must be passed."),
        "exchange-count": say("{name} passes {count} cards: {expected} must be passed."),
        "not-in-hand": say("{name} passes {card}: not all of these are in that hand."),
        "not-in-deck": say("{name} passes {card}: not all of these are in this deck."),
        "turn": say("{name} passes cards before {awaited} does, who asked for the exchange."),
    }
    return texts.get(rule, "{name}: {card} ({rule})").format(
        name=words.name(line["seat"]),
        card=words.faces(cards),
        count=line.get("count", len((cards or "").split())),
        expected=line.get("expected"),
        awaited=words.name(line.get("awaited")),
        rule=rule_in_words(rule, words),
    )


def _pending(line: Line, words: Words) -> str:
    say, offence = words.say, line["offence"]
    veiled, uncounted = words.veiled and offence["trick"] != line["trick"], line.get("because") == "pass-not-counted"
    texts = {
        (False, False): say(
            "{name}'s {card} in trick {trick} looks wrong ({rule}), but a card may be misread or missing: please look."
        ),
        (False, True): say(
            "{name}'s {card} in trick {trick} looks wrong ({rule}), but nobody counted the cards that were passed: "
            "only a card of that hand can prove it."
        ),
        (True, False): say(
            "An earlier card of {name} looks wrong ({rule}), but it may be misread or missing: please look."
        ),
        (True, True): say(
            "An earlier card of {name} looks wrong ({rule}), but nobody counted the cards that were passed: "
            "only a card of that hand can prove it."
        ),
    }
    return _of_offence(texts[veiled, uncounted], line, words, offence)


def _proved(line: Line, words: Words) -> str:
    say, offence = words.say, line["offence"]
    if words.veiled and offence["trick"] != line["trick"]:
        text = say("It is proved that {name} has played against the rules: {rule}.")
    elif line["how"] == "counted":
        text = _counted(line, words)
    elif line.get("in_hand"):
        text = say("In trick {trick} {name} played {card} while holding {shown}, which was seen in that hand since.")
    else:
        text = {
            "follow-suit": say(
                "In trick {trick} {name} did not follow {suit} while holding {shown}: it came in trick {now}."
            ),
            "first-trick-points": say(
                "On the first trick {name} played {card} while holding {shown}, which is no point: "
                "it came in trick {now}."
            ),
            "hearts-not-broken": say(
                "In trick {trick} {name} led {card}, hearts unbroken, while holding {shown}: it came in trick {now}."
            ),
            "spades-not-broken": say(
                "In trick {trick} {name} led {card}, spades unbroken, while holding {shown}: it came in trick {now}."
            ),
            "first-trick-spades": say(
                "On the first trick {name} played {card} while holding {shown}, which is no spade: "
                "it came in trick {now}."
            ),
            "lowest-card": say(
                "In trick {trick}, {name} having left, {card} was played while {shown}, which was due, was in hand: "
                "it came in trick {now}."
            )
            if line.get("left")
            else say(
                "In trick {trick}, {name}'s time up, {card} was played while {shown}, which was due, was in hand: "
                "it came in trick {now}."
            ),
        }.get(
            offence["rule"],
            say("In trick {trick} {name} played {card} while holding {shown}: it came in trick {now}."),
        )
    if line.get("among") and not words.veiled:
        text += " " + say("It may have been an earlier card of the same player.")
    return _of_offence(text, line, words, offence)


def _counted(line: Line, words: Words) -> str:
    """What was done, from which hands alone it is legal, and with which card it became certain that it was none."""
    say, rule = words.say, line["offence"]["rule"]
    text = {
        "follow-suit": say(
            "In trick {trick} {name} did not follow {led} with {card}: legal only without {led} in hand."
        )
        if "led" in line
        else say("In trick {trick} {name} did not follow suit with {card}: legal only without that suit in hand."),
        "first-trick-points": say(
            "On the first trick {name} played {card}: legal only with nothing but points in hand."
        ),
        "hearts-not-broken": say(
            "In trick {trick} {name} led {card}, hearts unbroken: legal only with nothing but hearts in hand."
        ),
        "spades-not-broken": say(
            "In trick {trick} {name} led {card}, spades unbroken: legal only with nothing but spades in hand."
        ),
        "first-trick-spades": say(
            "On the first trick {name} played {card}: legal only with nothing but spades in hand."
        ),
        "lowest-card": say(
            "In trick {trick}, {name} having left, {card} was played: legal only without a lower legal card in hand."
        )
        if line.get("left")
        else say(
            "In trick {trick}, {name}'s time up, {card} was played: legal only without a lower legal card in hand."
        ),
    }.get(rule, say("In trick {trick} {name}'s {card} was against the rules ({rule})."))
    if "upon" in line:
        proof = say("Since {other}'s {last} in trick {since} the cards still unseen leave {name} no such hand.")
    else:
        proof = say("In trick {now} the cards still unseen leave {name} no such hand.")
    return f"{text} {proof}"


def _someone(line: Line, words: Words) -> str:
    say = words.say
    text = say("{names} has played against the rules.")
    if line.get("tricks") and not words.veiled:
        text = say("{names} has played against the rules in trick {tricks} ({rules}).")
    more = say("The cards still unseen show that they cannot all have played legally, but not which of them did not.")
    if len(line["seats"]) == 1:
        more = say("The cards still unseen show that not all of those plays were legal, but not which.")
    return f"{text} {more}".format(
        names=words.either(line["seats"]),
        tricks=words.one_of(map(str, line.get("tricks", ()))),
        rules=", ".join(rule_in_words(rule, words) for rule in line.get("rules", ())),
    )


def _cleared(line: Line, words: Words) -> str:
    text = words.say("{name}'s {card} in trick {trick} was in order.")
    if words.veiled:
        text = words.say("Nothing is held against {name} any more.")
    return _of_offence(text, line, words, line["offence"])


def _of_offence(text: str, line: Line, words: Words, offence: Mapping[str, Any]) -> str:
    upon = line.get("upon") or {}
    return text.format(
        name=words.name(line["seat"]),
        card=words.face(offence["card"]),
        trick=offence["trick"],
        now=line.get("trick"),
        shown=words.face(line.get("shown")),
        suit=words.suit(line.get("shown")),
        led=words.suit(line.get("led")),
        rule=rule_in_words(offence["rule"], words),
        other=words.name(upon.get("seat")),
        last=words.face(upon.get("card")),
        since=upon.get("trick"),
    )


def _withdrawn(line: Line, words: Words) -> str:
    return words.say("{name} takes {card} back.").format(name=words.name(line["seat"]), card=words.face(line["card"]))


def _confirmed(line: Line, words: Words) -> str:
    say, offences, unresolved = words.say, len(line["offences"]), len(line["unresolved"])
    text = (
        say("Hand {hand}: no offence stands.") if not offences else say("Hand {hand}: offences that stand: {offences}.")
    )
    if unresolved:
        text += " " + say("Not resolved: {unresolved} (plays that no later card settled).")
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
        "not-in-this-game": {
            "timeout": say("these rules have no time-outs"),
            "leave": say("these rules let nobody leave"),
            "bid": say("these rules have no bids"),
        }.get(line.get("fact", ""), say("these rules have no exchange of cards")),
        "no-pass": say("no cards are passed now"),
        "passed-already": say("this seat has passed already"),
        "impossible-hand": say("these cards cannot all be in that hand"),
        "points-do-not-add-up": say("the points must come to {because}"),
        "tricks-do-not-add-up": say("the tricks must come to {because}"),
        "no-exchange": say("no cards are exchanged now"),
        "exchanged-already": say("this seat has given its cards already"),
        "during-pass": say("cards are being passed"),
        "during-exchange": say("cards are being exchanged"),
        "left-already": say("this player has left already"),
        "not-awaited": say("nothing is awaited of this seat"),
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
    if line["why"] == "pile":
        text = say("{card} lies on the pile, but nobody was seen to lay it: who did?")
        return text.format(card=words.face(line["card"]))
    if line["ask"] == "seat":
        return say("Who laid this card?") if line["why"] == "whose" else say("Is this card {name}'s?").format(name=name)
    texts = {
        "which": say("{name} has laid two cards: which one counts, {either}?"),
        "conflict": say("Two cards were read from {name}: which one counts, {either}?"),
    }
    text = texts.get(line["why"], say("Which card did {name} lay in trick {trick}: {either}?"))
    return text.format(name=name, either=either, trick=line["trick"])


def _event(line: Line, words: Words) -> str:
    say = words.say
    match line["event"]:
        case "pass":
            return direction_in_words(line["direction"], words)
        case "turn" if line["seat"] is not None:
            return turn_in_words(line["seat"], words, to=line.get("to", "play"))
        case "turn" if "card" in line:
            return say("Whoever holds {card} opens.").format(card=words.face(line["card"]))
        case "hearts-broken":
            return say("Hearts are broken from now on.")
        case "spades-broken":
            return say("Spades are broken from now on.")
        case "trick":
            text = (
                say("{name} takes trick {trick}: {points}.") if line["points"] else say("{name} takes trick {trick}.")
            )
            return text.format(name=words.name(line["winner"]), trick=line["trick"], points=signed(line["points"]))
        case "timeout" if line.get("cards"):
            text = say("{name}'s time is up: {cards} are passed.")
            return text.format(name=words.name(line["seat"]), cards=words.faces(line["cards"]))
        case "timeout" if line.get("card"):
            text = say("{name}'s time is up: {card} is to be laid.")
            return text.format(name=words.name(line["seat"]), card=words.face(line["card"]))
        case "timeout":
            text = say("{name}'s time is up: the lowest legal card is to be laid, rather one without points.")
            if line.get("passing"):
                text = say(
                    "{name}'s time is up: Q♠, A♠, K♠ are passed, then the highest hearts, then the highest cards."
                )
            return text.format(name=words.name(line["seat"]))
        case "leave":
            text = say("{name} has left: somebody lays the lowest legal card each time, and the place is the last.")
            return text.format(name=words.name(line["seat"]))
        case "choice":
            return choice_in_words(line["seat"], words)
        case "hand" if "sides" in line:
            sides = "; ".join(side_in_words(side, told, words) for side, told in line["sides"].items())
            return say("Hand {hand}: {scores}.").format(hand=line["hand"], scores=sides)
        case "hand":
            scores = ", ".join(f"{words.side(side)} {number(points)}" for side, points in line["points"].items())
            text = say("Hand {hand}: {scores}.").format(hand=line["hand"], scores=scores)
            return f"{text} {moon_in_words(line, words)}".strip()
        case "misdeal":
            return say("Misdeal: hand {hand} does not count.").format(hand=line["hand"])
        case "match":
            return f"{over_in_words(line['winners'], words)} {places_in_words(line, words)}"
        case "rederived":
            return say("The record is put right from there on.")
        case "void":
            return _void(line, words)
        case _:
            return ""


def over_in_words(winners: Iterable[str], words: Words) -> str:
    """That a match is over, and who has won it."""
    told = words.say(" and ").join(words.side(side) for side in winners)
    return words.say("The match is over: {winners} first.").format(winners=told)


def places_in_words(line: Line, words: Words) -> str:
    """All places of a match that is over, each with its total, and what else the event says of its end."""
    say, left, told = words.say, {str(seat) for seat in line.get("left", ())}, []
    for place, sides in numbered(line["places"]):
        text = say("{place}. {names} ({total})")
        if left.intersection(sides):
            text = say("{place}. {names}, who has left ({total})")
        names = say(" and ").join(words.side(side) for side in sides)
        told.append(text.format(place=place, names=names, total=number(line["totals"][sides[0]])))
    text = say("Places, with totals: {places}.").format(places="; ".join(told))
    return f"{text} {unscored_in_words(line.get('unscored'), words)}".strip()


def numbered(places: Iterable[Sequence[str]]) -> Iterator[tuple[int, Sequence[str]]]:
    """The sides by place, each place with its number: after two that share the first comes the third."""
    place = 1
    for sides in places:
        yield place, sides
        place += len(sides)


def unscored_in_words(hand: int | None, words: Words) -> str:
    """That a match has ended before its last *hand* was played to its end; empty for None."""
    return words.say("Hand {hand} was not finished and is not scored.").format(hand=hand) if hand is not None else ""


def moon_in_words(line: Line, words: Words) -> str:
    """Who has shot the moon in a hand; empty when nobody has."""
    moon = line.get("moon")
    if not moon:
        return ""
    text = words.say("{name} has shot the moon.")
    if moon.get("choice") == "self":
        text = words.say("{name} has shot the moon: the points come off that total.")
    return text.format(name=words.name(moon["seat"]))


def choice_in_words(seat: int, words: Words) -> str:
    """The question that the shooter of a moon is asked."""
    text = words.say("{name} has shot the moon: do the points come off that total, or do all the others get them?")
    return text.format(name=words.name(seat))


def turn_in_words(seat: int, words: Words, *, to: str = "play") -> str:
    """Whose turn it is *to* play, to bid, or to give cards."""
    say = words.say
    texts = {"bid": say("{name} to bid."), "give": say("{name} to give cards.")}
    return texts.get(to, say("{name} to play.")).format(name=words.name(seat))


def bid_in_words(line: Mapping[str, Any], words: Words) -> str:
    """A bid as it is called at the table; *line* has it as ``bid`` and, maybe, ``exchange``."""
    say, bid = words.say, line["bid"]
    if bid == "blind-nil":
        return say("blind nil with an exchange") if line.get("exchange") else say("blind nil")
    return say("nil") if bid == "nil" else str(bid)


def side_in_words(side: str, told: Mapping[str, int], words: Words) -> str:
    """What a hand brought to a side of partners, as the event ``hand`` tells it."""
    text = words.say("{side}: bid {bid}, tricks {tricks}: {score} (total {total}, bags {bags})")
    return text.format(
        **{**told, "score": signed(told["score"]), "total": number(told["total"])}, side=words.side(side)
    )


def removed_in_words(cards: Iterable[Card], words: Words) -> str:
    """The cards that are not played with; empty when all are."""
    faces = " ".join(c.face(words.language) for c in cards)
    return words.say("Not in the deck: {cards}.").format(cards=faces) if faces else ""


def game_in_words(rules: str, words: Words) -> str:
    """What a rule set is called at the table; its own name where it has no other."""
    say = words.say
    texts = {
        "hearts-cardems": say("Hearts (CardEMS)"),
        "hearts-classic": say("Hearts (classic)"),
        "hearts-tournament": say("Hearts (tournament)"),
        "hearts-black-maria": say("Hearts (Black Maria)"),
        "hearts-omnibus": say("Hearts (J♦ takes off 10)"),
        "hearts-spot": say("Hearts (each its rank)"),
        "spades": say("Spades"),
    }
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
        "spades-not-broken": say("spades led too early"),
        "first-trick-spades": say("spade on the first trick"),
        "lowest-card": say("not the lowest card"),
        "duplicate": say("card seen twice"),
        "too-many-cards": say("two cards of one seat"),
        "not-in-deck": say("card not in the deck"),
        "not-in-hand": say("card not in that hand"),
        "pass-count": say("wrong number of cards passed"),
        "exchange-count": say("wrong number of cards exchanged"),
        "exchange-deficit": say("not far enough behind to exchange cards"),
        "blind-nil-deficit": say("not far enough behind for a blind nil"),
        "bid-order": say("bid out of turn"),
        "bid-range": say("no such bid"),
        "suicide": say("no nil on that side"),
    }
    return texts.get(rule, rule)


def offence_in_words(offence: Mapping[str, Any], words: Words) -> str:
    """An offence as the score sheet lists it: when, who, which card, which rule."""
    if "seats" in offence:
        return words.say("Trick {trick}: {names}").format(trick=offence["trick"], names=words.either(offence["seats"]))
    rule = rule_in_words(offence["rule"], words)
    if words.veiled:
        return f"{words.name(offence['seat'])} ({rule})"
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
    "someone": _someone,
    "cleared": _cleared,
    "withdrawn": _withdrawn,
    "confirmed": _confirmed,
    "void": _void,
}


_COARSE = re.compile(r"the picture is (?:too )?coarse: a rank of \S+ mm has (\d+) pixels, (\d+) are wanted")
"""What the eye says of a picture whose cards are too small to be read (``vision.eye``)."""


def path_apart(told: str) -> tuple[str, str]:
    """What a device or the store says of itself, and the path, one without spaces, that stands before it, or ""."""
    apart = re.fullmatch(r"(/\S*?): (.+)", told, re.DOTALL)
    return (apart[2], apart[1]) if apart is not None else (told, "")


def reason_first(told: str) -> str:
    """What a device or the store says of itself, with the path that stands before it behind: where a line has no room
    for all, the reason stays."""
    why, path = path_apart(told)
    return f"{why} ({path})" if path else why


def notice_in_words(notice: str, words: Words) -> str:
    """What the display says of a part of the table: known notices have words, others say themselves."""
    say = words.say
    texts = {
        "lamps-on-display": say("The lamps are shown on the display only."),
        "no-gpio": say("No GPIO pins here: lamps and buttons are on the display only."),
        "no-buzzer": say("The buzzer cannot be had; the game goes on without."),
        "goes-on": say("The open game goes on with its own players; a new one: Menu, End the match."),
        "no-deck-file": say(
            "The readers have no deck file, so every tag is unknown: name one (deck:) in the table's file."
        ),
    }
    if notice == "no-tag-yet":
        return say("No tag is known yet: teach them with `tablepi enrol tags --config FILE`")
    name, _, why = notice.partition(": ")
    if name == "no-buttons":
        return say("No button {names}: use the display.").format(names=why)
    if name == "no-record":
        return say("The record is not being kept: {why}").format(why=trouble_in_words(why, words))
    if name == "not-recorded":
        return say("The recording has ended, the game goes on: {why}").format(why=reason_first(why))
    if coarse := _COARSE.match(notice):
        text = say("The cards are too small for the camera ({pixels} of {wanted} pixels): hang it lower.")
        return text.format(pixels=coarse[1], wanted=coarse[2])
    return texts.get(notice) or trouble_in_words(notice, words)


def missing_in_words(device: str, words: Words, *, seat: int | None = None, reason: str | None = None) -> str:
    """That a device is missing, with the *reason* that it gave; *seat*: the one that has it to itself. One that people
    have named is called as they call it. A reader on which two cards lie is not missing: a card is to be taken away."""
    say, name = words.say, words.name(seat)
    reader, camera = re.fullmatch(r"reader-(\d+)", device), re.fullmatch(r"camera-(.+)", device)
    if reason == TWO_CARDS:
        text = say("Two cards on {device}: take one away.")
        if seat is not None:
            text = say("Two cards on {name}'s reader: take one away.")
        elif reader is not None:
            text = say("Two cards on reader {number}: take one away.")
    elif reason is not None and reason.startswith(NO_TAGS):
        text = say("What {device} sends are no tags: enter the cards here.")
        if baud := re.search(r"\d+", reason):
            text = say("What {device} sends are no tags: is its baud rate {baud}?").replace("{baud}", baud[0])
        reason = None
    elif seat is not None:
        text = say("No reader for {name}: enter the cards here.")
    elif device == "camera":
        text = say("The camera is missing; the game goes on.")
    elif camera is not None:
        text = say("Camera {number} is missing; the game goes on.")
    elif reader is not None:
        text = say("Reader {number} is missing; the game goes on.")
    else:
        text = say("{device} is missing; the game goes on.")
    numbered = reader or camera
    told = text.format(name=name, device=device, number=numbered[1] if numbered is not None else "")
    if not reason or reason == TWO_CARDS:
        return told
    why, path = path_apart(reason)
    return f"{told} ({notice_in_words(why, words)}{'; ' if path else ''}{path})"


def trouble_in_words(trouble: str, words: Words) -> str:
    """What the journal or the system says of a fault, with the phrases that are known in the words of the table: files
    and numbers stay, a path last."""
    say = words.say
    phrases = {
        "the picture is too dark: is the lens covered, or the lamp off?": say(
            "the picture is too dark: is the lens covered, or the lamp off?"
        ),
        "the same picture again and again": say("the same picture again and again"),
        "and nothing to be seen in it: is the lens covered, or the room dark?": say(
            "and nothing to be seen in it: is the lens covered, or the room dark?"
        ),
        "the camera has moved, or its markers are covered": say("the camera has moved, or its markers are covered"),
        "the camera has moved, or something is before its lens": say(
            "the camera has moved, or something is before its lens"
        ),
        "the camera has moved": say("the camera has moved"),
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
    return reason_first(trouble)


def number(value: int) -> str:
    """A number with a minus sign, not a hyphen."""
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    """A number with its sign; 0 has none."""
    return ("+" if value > 0 else "") + number(value)


def with_text(line: Line, words: Words, state: State | None = None) -> Line:
    """The line with its sentence, as ``referee`` prints rulings and questions; events carry none. *state* is the one
    that it was told of."""
    if "event" in line:
        return line
    return {**line, "text": in_words(in_context(line, state) if state is not None else line, words)}
