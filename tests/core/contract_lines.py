"""Whether a line is in the form of the contract: written from the contract, not from the engine.

Each form names the keys that the contract gives and what their values must be; *extra* keys are those that it leaves
open and the engine uses today, so that a key nobody knows is found too. ``text`` is added where words are added.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

RULES = frozenset(
    {"turn", "opening", "follow-suit", "first-trick-points", "hearts-not-broken", "spades-not-broken"}
    | {"first-trick-spades", "lowest-card", "duplicate", "not-in-deck", "too-many-cards", "not-in-hand", "pass-count"}
    | {"exchange-count", "exchange-deficit", "bid-order", "bid-range", "blind-nil-deficit", "suicide"}
)
CARDS = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "CDHS")
DIRECTIONS = frozenset(["left", "right", "across", "hold", "left-2", "right-2"])

Check = Callable[[Any], bool]


def whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: object) -> bool:
    """A fact's number, a hand's, a trick's: from 1."""
    return isinstance(value, int) and whole(value) and value >= 1


def seat(value: object) -> bool:
    return isinstance(value, int) and whole(value) and 0 <= value <= 6


def seat_key(value: object) -> bool:
    return isinstance(value, str) and value in set("0123456")


def side_key(value: object) -> bool:
    return seat_key(value) or value in ("0-2", "1-3")


def card(value: object) -> bool:
    return value in CARDS


def cards(value: object) -> bool:
    return isinstance(value, str) and all(word in CARDS for word in value.split())


def text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def one_of(*values: object) -> Check:
    return lambda value: value in values


def list_of(check: Check, *, least: int = 0) -> Check:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(check, value))


def by_seat(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(seat_key(k) and check(v) for k, v in value.items())


def by_side(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(side_key(k) and check(v) for k, v in value.items())


def shape(**keys: Check) -> Check:
    return lambda value: (
        isinstance(value, dict) and set(value) == set(keys) and all(c(value[k]) for k, c in keys.items())
    )


def rule(value: object) -> bool:
    return value in RULES


offence = shape(n=number, trick=number, card=none(card), rule=rule)
by_somebody = shape(
    seat=seat, n=number, trick=number, card=none(card), rule=rule, how=one_of("breach", "shown", "counted")
)
by_someone = shape(seats=list_of(seat, least=1), n=number, trick=number, how=one_of("someone"))
reported = lambda value: by_somebody(value) or by_someone(value)  # noqa: E731
unresolved = lambda value: reported(value) or shape(seat=seat, n=number, trick=number, card=card, rule=rule)(value)  # noqa: E731
moon = none(shape(seat=seat, choice=one_of("self", "others")))
play_extra = {
    "awaited": seat,
    "expected": lambda value: card(value) or whole(value),
    "held": card,
    "led": card,
    "twin": shape(n=number, seat=seat, trick=number),
    "first": card,
    "note": one_of("source-silent"),
    "how": one_of("counted"),
    "card": none(card),
    "cards": none(cards),
    "bid": lambda value: value in ("nil", "blind-nil") or (whole(value) and 1 <= value <= 13),
    "count": whole,
    "exchange": one_of(True),
    "declined": one_of(True),
    "stands": lambda value: value in ("nil", "blind-nil") or whole(value),
    "behind": whole,
}
on_play = {"n": number, "hand": number, "trick": none(number), "seat": seat, "rules": list_of(rule)}

# What each line must have, and what it may have besides. Every line may carry "by" (after a revision) and "text".
FORMS: dict[tuple[str, str], tuple[Mapping[str, Check], Mapping[str, Check]]] = {
    ("ruling", "legal"): (on_play, play_extra),
    ("ruling", "unproven"): (on_play, play_extra),
    ("ruling", "breach"): (on_play, play_extra),
    ("ruling", "ignored"): (
        {"n": number, "hand": none(number), "trick": none(number), "seat": none(seat), "rules": list_of(rule)},
        {"card": card, "device": text, "uid": text, "fact": text, "reason": text, "because": text},
    ),
    ("ruling", "pending"): (
        {
            "n": number,
            "hand": number,
            "trick": number,
            "seat": seat,
            "offence": offence,
            "check": list_of(number, least=1),
        },
        {"because": one_of("pass-not-counted")},
    ),
    ("ruling", "proved"): (
        {
            "n": number,
            "hand": number,
            "trick": number,
            "seat": seat,
            "how": one_of("shown", "counted"),
            "offence": offence,
        },
        {"shown": card, "led": card, "in_hand": one_of(True)},
    ),
    ("ruling", "cleared"): ({"n": number, "hand": number, "seat": seat, "offence": offence}, {}),
    ("ruling", "someone"): ({"n": number, "hand": number, "seats": list_of(seat, least=1)}, {}),
    ("ruling", "withdrawn"): (
        {"n": number, "of": number, "hand": number, "trick": number, "seat": seat, "card": none(card)},
        {},
    ),
    ("ruling", "confirmed"): (
        {"n": number, "hand": number, "offences": list_of(reported), "unresolved": list_of(unresolved)},
        {},
    ),
    ("ruling", "void"): ({"n": number, "was": lambda line: complaint_about(line) is None, "by": number}, {}),
    ("event", "void"): ({"n": number, "was": lambda line: complaint_about(line) is None, "by": number}, {}),
    ("event", "pass"): ({"hand": number, "direction": one_of(*DIRECTIONS)}, {}),
    ("event", "turn"): ({"hand": number, "seat": none(seat)}, {"card": card}),
    ("event", "hearts-broken"): ({"n": number}, {}),
    ("event", "spades-broken"): ({"n": number}, {}),
    ("event", "trick"): (
        {
            "hand": number,
            "trick": number,
            "lead": seat,
            "cards": by_seat(card),
            "winner": seat,
            "points": whole,
        },
        {},
    ),
    ("event", "hand"): ({"hand": number, "points": by_seat(whole), "totals": by_seat(whole), "moon": moon}, {}),
    ("event", "choice"): ({"seat": seat, "of": list_of(one_of("self", "others"), least=2)}, {}),
    ("event", "timeout"): ({"hand": number, "seat": seat}, {"card": card, "cards": cards}),
    ("event", "leave"): ({"seat": seat}, {}),
    ("event", "misdeal"): ({"hand": number}, {}),
    ("event", "match"): (
        {
            "places": list_of(list_of(side_key, least=1)),
            "totals": by_side(whole),
            "winners": list_of(side_key),
            "reason": one_of("target", "hands", "agreement", "left"),
        },
        {},
    ),
    ("event", "rederived"): ({"n": number, "from": number}, {}),
}
HAND_OF_SIDES: tuple[Mapping[str, Check], Mapping[str, Check]] = (
    {"hand": number, "sides": by_side(shape(bid=whole, tricks=whole, score=whole, bags=whole, total=whole))},
    {},
)
QUESTION: tuple[Mapping[str, Check], Mapping[str, Check]] = (
    {
        "question": text,
        "n": number,
        "seat": none(seat),
        "ask": one_of("card", "seat", "missing"),
        "candidates": list_of(lambda value: card(value) or seat(value)),
    },
    {"of": number, "why": text, "trick": none(number), "card": card},
)


def complaint_about(line: Any) -> str | None:
    """What is wrong with one line, or None."""
    if not isinstance(line, dict):
        return f"not an object: {line!r}"
    kinds = [key for key in ("ruling", "question", "event") if key in line]
    if len(kinds) != 1:
        return f"neither a ruling, a question nor an event: {line}"
    (kind,) = kinds
    form = QUESTION if kind == "question" else FORMS.get((kind, line[kind]))
    if line.get("event") == "hand" and "sides" in line:
        form = HAND_OF_SIDES
    if form is None:
        return f"no such {kind}: {line}"
    must, may = form
    common: dict[str, Check] = {"text": text, "by": number}
    if kind == "event":
        common["n"] = number  # the fact that it belongs to, when it is told again
    for key, check in must.items():
        if key not in line:
            return f"{key} is missing: {line}"
        if not check(line[key]):
            return f"{key} is wrong: {line}"
    for key, value in line.items():
        if key in must or (key == kind and kind != "question"):
            continue
        check = may.get(key) or common.get(key)  # type: ignore[assignment]
        if check is None:
            return f"{key} is not known: {line}"
        if not check(value):
            return f"{key} is wrong: {line}"
    return _of_its_kind(kind, line)


def _of_its_kind(kind: str, line: Mapping[str, Any]) -> str | None:
    """What the keys must be to each other."""
    word = line[kind]
    if word in ("legal", "unproven", "breach") and len({"card", "cards", "bid"} & set(line)) != 1:
        return f"not one card, cards or bid: {line}"
    if word in ("unproven", "breach") and not line["rules"]:
        return f"no rule is named: {line}"
    if word == "legal" and line["rules"]:
        return f"a legal play breaks rules: {line}"
    if kind == "event" and word == "trick" and str(line["winner"]) not in line["cards"]:
        return f"the winner laid no card: {line}"
    if kind == "event" and word == "match" and sorted(s for p in line["places"] for s in p) != sorted(line["totals"]):
        return f"places and totals name other sides: {line}"
    if kind == "question" and (line["ask"] == "seat") != all(map(seat, line["candidates"])) and line["candidates"]:
        return f"candidates of the wrong sort: {line}"
    return None


# The order of the answers to one fact. A question follows what it is about; the contract gives it no place of its own.
_ORDER = (
    {"legal", "unproven", "breach", "ignored", "withdrawn", "timeout", "leave"},
    {"pending", "proved", "cleared", "someone", "question"},
    {"hearts-broken", "spades-broken"},
    {"trick"},
    {"confirmed"},
    {"choice"},
    {"hand"},
    {"match", "misdeal"},
    {"pass"},
    {"turn"},
)


def _rank(line: Mapping[str, Any], n: int) -> int:
    word = "question" if "question" in line else line.get("ruling", line.get("event"))
    if word == "breach" and "by" in line:
        return 1  # an earlier pending one that is certain now
    return next(place for place, words in enumerate(_ORDER) if word in words)


def order_complaint(lines: Sequence[Mapping[str, Any]], n: int) -> str | None:
    """Whether the answers to fact *n* come in the contract's order. Sightings that have become steady by its time are
    answered first, each in that order."""
    rederived = next((i for i, line in enumerate(lines) if line.get("event") == "rederived"), None)
    if rederived is None:
        answers: list[list[Mapping[str, Any]]] = [[]]
        for line in lines:
            if _rank(line, n) == 0 and all(earlier.get("n") != n for earlier in answers[-1]):
                answers.append([])  # what came before is about sightings that became steady
            answers[-1].append(line)
            if line.get("event") == "turn":
                answers.append([])
        for answer in answers:
            ranks = [_rank(line, n) for line in answer]
            if ranks != sorted(ranks):
                return f"out of order: {[line.get('ruling', line.get('event', 'question')) for line in answer]}"
        return None
    if any("event" in line for line in lines[:rederived]):
        return f"an event before rederived: {list(lines)}"
    later = lines[rederived + 1 :]
    turns = [i for i, line in enumerate(later) if line.get("event") == "turn"]
    if turns not in ([], [len(later) - 1]):
        return f"the turn is not the last: {list(lines)}"
    return None


def check_lines(answers: Iterable[tuple[int, Sequence[Mapping[str, Any]]]]) -> None:
    """Assert that every answer is in the contract's form and order, and goes through JSON unchanged."""
    for n, lines in answers:
        for line in lines:
            assert complaint_about(line) is None, complaint_about(line)
            assert json.loads(json.dumps(line)) == line, line
        assert order_complaint(lines, n) is None, f"fact {n}: {order_complaint(lines, n)}"
