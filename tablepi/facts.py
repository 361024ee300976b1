"""Facts: what a source says it saw, or a person entered. The only input of the table.

Every fact is a frozen dataclass that goes to JSON and back unchanged (``to_dict``, ``from_dict``). A line that is not a
fact raises ``NotAFact`` here, at the door; whatever passes the door is judged by the table and never raises.
The format is the project's contract: ``tablepi referee`` reads it and ``tablepi export`` writes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from .cards import Card, Seat, card, hand_of_cards
from .errors import BadInput

FORMAT = 1
"""Version of the fact format, written at the head of a journal; raised when an old reader would misunderstand."""

MOST_SEATS = 7
DEEPEST_OPTION = 8


class NotAFact(BadInput):
    """Error raised when a line is not a fact: bad JSON, an unknown kind or field, text that is no card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Common to all facts. *at* is seconds since the match began; *source* is ``person``, ``camera``, ``reader-2``…;
    *confidence* is 0 to 1. A fact without source is a person's."""

    kind: ClassVar[str] = ""
    at: float | None = None
    source: str | None = None
    confidence: float | None = None

    @property
    def by_camera(self) -> bool:
        """Only a camera's word about a card can be doubted."""
        return self.source is not None and self.source.startswith("camera")

    @property
    def by_reader(self) -> bool:
        return self.source is not None and self.source not in ("person", "clock") and not self.by_camera


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Fact):
    kind: ClassVar[str] = "match"
    rules: str
    players: tuple[str, ...]
    options: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand(Fact):
    """The next hand is dealt. *hands*: cards as dealt, before the pass, of the seats where they are known."""

    kind: ClassVar[str] = "hand"
    dealer: Seat | None = None
    hands: Mapping[Seat, tuple[Card, ...]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holds(Fact):
    """Cards known to be in a hand now (scanned, shown, picked up); may be a part of the hand."""

    kind: ClassVar[str] = "holds"
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Fact):
    """Cards a seat passed, or only their number."""

    kind: ClassVar[str] = "pass"
    seat: Seat
    cards: tuple[Card, ...] | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Fact):
    """All have passed."""

    kind: ClassVar[str] = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid(Fact):
    kind: ClassVar[str] = "bid"
    seat: Seat
    bid: int | str
    exchange: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Fact):
    kind: ClassVar[str] = "exchange"
    seat: Seat
    cards: tuple[Card, ...] | None = None
    count: int | None = None
    declined: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged(Fact):
    kind: ClassVar[str] = "exchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Fact):
    """A settled play: entered by a person, or imported."""

    kind: ClassVar[str] = "play"
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen(Fact):
    """The camera sees a card on the felt, lying still for *steady* seconds."""

    kind: ClassVar[str] = "seen"
    seat: Seat | None = None
    card: Card
    steady: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone(Fact):
    """The camera no longer sees a card that lay on the felt; or the reader under the pile reads it among the tricks."""

    kind: ClassVar[str] = "gone"
    seat: Seat | None = None
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared(Fact):
    """The felt is empty."""

    kind: ClassVar[str] = "cleared"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag(Fact):
    """A reader reads a tag. *card* when the deck file knows the tag, else *uid*; *seat* unless the reader is shared."""

    kind: ClassVar[str] = "tag"
    seat: Seat | None = None
    card: Card | None = None
    uid: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Untag(Fact):
    """A tag has left its reader."""

    kind: ClassVar[str] = "untag"
    seat: Seat | None = None
    card: Card | None = None
    uid: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(Fact):
    """A played card is taken back; without *card*, the seat's latest."""

    kind: ClassVar[str] = "withdraw"
    seat: Seat
    card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Fact):
    """A person looked: fact *n* is right."""

    kind: ClassVar[str] = "confirm"
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Fact):
    """Reply to a question. Neither *card* nor *seat* means: it is as it was read."""

    kind: ClassVar[str] = "answer"
    question: str
    card: Card | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Fact):
    """A person corrects the record: *n* with *set* or *drop*, or *before* with *insert*."""

    kind: ClassVar[str] = "correct"
    n: int | None = None
    set: Mapping[str, Any] | None = None
    drop: bool | None = None
    before: int | None = None
    insert: Fact | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(Fact):
    """The shooter's choice after a moon."""

    kind: ClassVar[str] = "choose"
    seat: Seat
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeout(Fact):
    kind: ClassVar[str] = "timeout"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Fact):
    kind: ClassVar[str] = "leave"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Misdeal(Fact):
    kind: ClassVar[str] = "misdeal"
    reason: str | None = None


TWO_CARDS = "two cards lie on it: take one away"
"""The reason of a reader that is there, but cannot be trusted until a card has been taken away."""

NO_TAGS = "what it sends are no tags"
"""How the reason of a reader begins that is there, but understood by nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost(Fact):
    kind: ClassVar[str] = "lost"
    device: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Fact):
    kind: ClassVar[str] = "found"
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(Fact):
    """Nothing happened but time: the table's deadline has passed."""

    kind: ClassVar[str] = "tick"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndHand(Fact):
    """The hand ends by agreement. *points* (or, in Spades, *tricks*) are those of the whole hand."""

    kind: ClassVar[str] = "end-hand"
    points: Mapping[Seat, int] | None = None
    tricks: Mapping[Seat, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndMatch(Fact):
    kind: ClassVar[str] = "end-match"


KINDS: dict[str, type[Fact]] = {
    k.kind: k
    for k in (
        Match, Hand, Holds, Pass, Passed, Bid, Exchange, Exchanged, Play, Seen, Gone, Cleared, Tag, Untag, Withdraw,
        Confirm, Answer, Correct, Choose, Timeout, Leave, Misdeal, Lost, Found, Tick, EndHand, EndMatch,
    )
}  # fmt: skip


# --- from JSON -----------------------------------------------------------------------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{_show(value)} is not a text")
    if any("\ud800" <= letter <= "\udfff" for letter in value):  # JSON can say it, UTF-8 cannot
        raise ValueError(f"{_show(value)} holds half a character")
    return value


def _whole(least: int, most: int | None = None) -> Callable[[object], int]:
    def parse(value: object) -> int:
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or value < least
            or (most is not None and value > most)
        ):
            bound = f"{least} or more" if most is None else f"{least} to {most}"
            raise ValueError(f"{_show(value)} is not a whole number of {bound}")
        return value

    return parse


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond what a float can hold
        return False


def _number(least: float, most: float | None = None) -> Callable[[object], float]:
    def parse(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            raise ValueError(f"{_show(value)} is not a number")
        if value < least or (most is not None and value > most):
            bound = f"{least:g} or more" if most is None else f"{least:g} to {most:g}"
            raise ValueError(f"{_show(value)} is not a number of {bound}")
        return value

    return parse


def _seat(value: object) -> Seat:
    if isinstance(value, str) and len(value) == 1 and value.isdecimal() and value.isascii():
        value = int(value)
    try:
        return _whole(0, MOST_SEATS - 1)(value)
    except ValueError:
        raise ValueError(f"{_show(value)} is not a seat: seats are numbered from 0") from None


def _card(value: object) -> Card:
    if not isinstance(value, str):
        raise ValueError(f'{_show(value)} is not a card: write it like "QS"')
    return card(value)


def _cards(value: object) -> tuple[Card, ...]:
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        value = " ".join(value)
    if not isinstance(value, str):
        raise ValueError(f'{_show(value)} is not a list of cards: write them like "QS AS KH"')
    return hand_of_cards(value)


def _yes(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{_show(value)} is neither true nor false")
    return value


def _bid(value: object) -> int | str:
    if value in ("nil", "blind-nil"):
        return str(value)
    try:
        return _whole(1, 13)(value)
    except ValueError:
        raise ValueError(f'{_show(value)} is not a bid: 1 to 13, "nil" or "blind-nil"') from None


def _choice(value: object) -> str:
    if value not in ("self", "others"):
        raise ValueError(f'{_show(value)} is not a choice: "self" or "others"')
    return str(value)


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        raise ValueError(f"{_show(value)} is not a list of names")
    if not 2 <= len(value) <= MOST_SEATS:
        raise ValueError(f"{len(value)} players: 2 to {MOST_SEATS} can play")
    return tuple(_text(v) for v in value)


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{_show(value)} is not an object")
    return value


def _options(value: object) -> dict[str, Any]:
    options = _object(value)
    _check_plain(options, DEEPEST_OPTION)
    return options


def _check_plain(value: object, depth: int) -> None:
    """Refuse what could not be written as JSON again."""
    if depth == 0:
        raise ValueError("nested too deeply")
    if isinstance(value, dict):
        for name, inner in value.items():
            _text(name)
            _check_plain(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check_plain(inner, depth - 1)
    elif isinstance(value, str) and value.strip():
        _text(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{_show(value)} is not a number")


def _by_seat(parse: Callable[[object], Any]) -> Callable[[object], dict[Seat, Any]]:
    def parse_all(value: object) -> dict[Seat, Any]:
        return {_seat(k): parse(v) for k, v in _object(value).items()}

    return parse_all


def _fields_to_set(value: object) -> dict[str, Any]:
    """The values of a correction, checked like the fields of a fact; ``null`` clears an optional field."""
    changes = _object(value)
    if not changes:
        raise ValueError("nothing to set")
    parsed = {}
    for name, raw in changes.items():
        if name not in _PARSE or name in ("n", "before", "insert", "set", "drop"):
            raise ValueError(f"{name!r} is not a field that can be set")
        try:
            parsed[name] = None if raw is None else _PARSE[name](raw)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return parsed


_PARSE: dict[str, Callable[[Any], Any]] = {
    "at": _number(0),
    "source": _text,
    "confidence": _number(0, 1),
    "rules": _text,
    "players": _names,
    "options": _options,
    "dealer": _seat,
    "hands": _by_seat(_cards),
    "seat": _seat,
    "card": _card,
    "cards": _cards,
    "count": _whole(0, 52),
    "bid": _bid,
    "exchange": _yes,
    "declined": _yes,
    "steady": _number(0),
    "uid": _text,
    "n": _whole(1),
    "question": _text,
    "set": _fields_to_set,
    "drop": _yes,
    "before": _whole(1),
    "insert": lambda value: from_dict(_object(value)),
    "reason": _text,
    "choice": _choice,
    "device": _text,
    "points": _by_seat(_whole(-1000, 1000)),
    "tricks": _by_seat(_whole(0, 52)),
}


def _show(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except RecursionError:
        return "…"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 60 else text[:57] + "…"


def from_dict(line: Mapping[str, Any]) -> Fact:
    """The fact that a JSON object says. Raises NotAFact that names the field, the value and what would do."""
    kind = line.get("fact")
    known = KINDS.get(kind) if isinstance(kind, str) else None
    if known is None:
        if "fact" not in line:
            raise NotAFact('no "fact": each line says its kind, such as {"fact":"play","seat":2,"card":"2C"}')
        raise NotAFact(f"unknown fact {_show(kind)}: known are {', '.join(KINDS)}")
    mine = {f.name: f for f in fields(known)}
    values: dict[str, Any] = {}
    for name, value in line.items():
        if name == "fact":
            continue
        if name not in mine:
            raise NotAFact(f"{kind}: unknown field {_show(name)}: its fields are {', '.join(mine)}")
        if value is None:
            continue
        try:
            values[name] = _PARSE[name](value)
        except ValueError as error:
            raise NotAFact(f"{kind}: {name}: {error}") from None
    missing = [f.name for f in mine.values() if f.name not in values and _required(f)]
    if missing:
        raise NotAFact(f"{kind}: {', '.join(missing)} missing")
    fact = known(**values)
    _check_whole(fact)
    return fact


def _required(field: Any) -> bool:
    return field.default is not None


def _check_whole(fact: Fact) -> None:
    """Refuse facts whose fields do not go together."""
    match fact:
        case Pass(cards=None, count=None):
            raise NotAFact("pass: say the cards or their count")
        case Pass(cards=cards, count=count) if cards is not None and count is not None and len(cards) != count:
            raise NotAFact(f"pass: {len(cards)} cards are named but count is {count}")
        case Exchange(cards=None, count=None, declined=None | False):
            raise NotAFact('exchange: say the cards, their count, or "declined":true')
        case Exchange(cards=cards, count=count, declined=True) if cards is not None or count is not None:
            raise NotAFact("exchange: declined goes with neither cards nor count")
        case Exchange(cards=cards, count=count) if cards is not None and count is not None and len(cards) != count:
            raise NotAFact(f"exchange: {len(cards)} cards are named but count is {count}")
        case Tag(card=None, uid=None) | Untag(card=None, uid=None):
            raise NotAFact(f"{fact.kind}: say the card or the uid")
        case Correct(n=None, before=None):
            raise NotAFact("correct: say n (with set or drop) or before (with insert)")
        case Correct(n=n, before=before) if n is not None and before is not None:
            raise NotAFact("correct: n and before do not go together")
        case Correct(n=int(), set=None, drop=None | False):
            raise NotAFact('correct: with n say set or "drop":true')
        case Correct(n=int(), set=changes, drop=True) if changes is not None:
            raise NotAFact("correct: set and drop do not go together")
        case Correct(before=int(), insert=None):
            raise NotAFact("correct: with before say insert")
        case Correct(before=int(), set=changes, drop=drop) if changes is not None or drop is not None:
            raise NotAFact("correct: set and drop go with n, not with before")
        case Correct(n=int(), insert=insert) if insert is not None:
            raise NotAFact("correct: insert goes with before, not with n")
        case Correct(insert=Match() | Correct()):
            raise NotAFact(f"correct: a {fact.insert.kind if fact.insert else ''} cannot be inserted")
        case Answer(card=c, seat=s) if c is not None and s is not None:
            raise NotAFact("answer: say the card or the seat, not both")
        case Hand(hands=hands) if hands:
            given = [c for cards in hands.values() for c in cards]
            if len(set(given)) != len(given):
                twice = next(c for c in given if given.count(c) > 1)
                raise NotAFact(f"hand: hands: {twice} is in two hands")
        case _:
            pass


def parse(line: str) -> Fact:
    """The fact that one line of JSON says. Raises NotAFact."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotAFact(f"not JSON: {error}: {_show(line.strip())}") from None
    if not isinstance(value, dict):
        raise NotAFact(f"not a JSON object: {_show(value)}")
    try:
        return from_dict(value)
    except RecursionError:
        raise NotAFact("nested too deeply") from None


# --- to JSON -------------------------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Fact):
        return to_dict(value)
    if isinstance(value, tuple):
        if all(isinstance(v, Card) for v in value):
            return " ".join(str(v) for v in value)
        return [_plain(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    return value


def to_dict(fact: Fact) -> dict[str, Any]:
    """The fact as a JSON object, ``fact`` first, fields that say nothing left out. ``from_dict`` gives it back."""
    line: dict[str, Any] = {"fact": fact.kind}
    own = [f.name for f in fields(fact)]
    for name in own[3:] + own[:3]:  # the fact's own fields first, then at, source and confidence
        value = getattr(fact, name)
        if value is not None:
            line[name] = _explicit(value) if name == "set" else _plain(value)
    return line


def _explicit(changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if value is None else _plain(value) for name, value in changes.items()}


def dumps(line: Mapping[str, Any]) -> str:
    """One line of JSON as the project writes it: no spaces, real letters, the key order of *line*."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def corrected(fact: Fact, changes: Mapping[str, Any]) -> Fact | None:
    """*fact* with a person's *changes*; None when it has no such field or the result is no fact."""
    names = {f.name for f in fields(fact)}
    if not set(changes) <= names:
        return None
    try:
        changed = replace(fact, **changes)
        return from_dict(to_dict(changed))
    except NotAFact:
        return None
