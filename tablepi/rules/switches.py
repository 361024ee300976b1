"""The switches of a rule set: how each is read from plain values, and what is wrong with one that cannot be.

The same switches come from three places: a shipped preset, a person's own file, and the options of a match. All are
plain values (texts, numbers, lists, mappings), and all go through ``set_switches``, so that one switch means the same
everywhere. Nothing here stops at the first fault: every complaint is told, with the place that it is about. What goes
together is looked at even then; where a value cannot be read, that of the rule set that is changed stands in for it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, TypeVar

from ..cards import OF_SUIT, Card, card, each, hand_of_cards

Place = tuple[str | int, ...]
"""Where a value stands: the switch, and inside of it keys and positions: ``("removed", "5")``."""

Wrong = tuple[Place, str]
"""A complaint: the place, and what is wrong there and would do instead."""

MOST_PLAYERS = 7

NEAR = 0.75
"""How alike two words are, at least, of which one may be meant by the other (``difflib``): ``targett`` is ``target``,
but ``revoke`` is not ``removed``."""


class Refused(ValueError):
    """Error raised when a value is no value of a switch; *wrongs* are all complaints, their places within it. *rest* is
    what can be used of the value all the same, None: nothing; *lost* are the keys of a mapping that it lacks."""

    def __init__(self, *wrongs: Wrong, rest: Any = None, lost: Collection[str] = ()) -> None:
        self.wrongs, self.rest, self.lost = wrongs, rest, lost
        super().__init__("; ".join(text for _, text in wrongs))


@dataclass(frozen=True, slots=True)
class Allowed:
    """The values that a switch may have. *read* makes of a plain value what the rule set keeps; it raises ValueError.
    *text* says which they are, and *words* what each of a few words means."""

    text: str
    read: Callable[[Any], Any]
    words: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, value: Any) -> Any:
        return self.read(value)


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: the values that it may have, what it *means* to a person, and the field that keeps it where that has
    another name. *merges*: a mapping whose keys replace those of the rule set that is changed, and leave the others.
    *nothing* is how None is written. *ends*: a switch that a person's own rule set has as 0 where it sets this one to 0
    and says nothing of that."""

    allowed: Allowed
    means: str
    field: str = ""
    merges: bool = False
    nothing: str = "null"
    ends: str = ""


@dataclass(frozen=True, slots=True)
class Impossible:
    """Values that do not go together. *switches* are those at fault, the likeliest first; *key* is inside of one."""

    switches: tuple[str, ...]
    text: str
    key: str | None = None


class HasSwitches(Protocol):
    """A rule set: a frozen dataclass whose fields the switches set."""

    SWITCHES: ClassVar[Mapping[str, Switch]]
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def impossible(self, unread: Collection[Place] = ()) -> Iterator[Impossible]:
        """The combinations of its switches with which nobody can play. *unread* are switches, and keys inside of one,
        whose values are not those that a person meant: what depends on them alone is left out."""


G = TypeVar("G", bound=HasSwitches)


def set_switches(game: G, values: Mapping[str, Any]) -> tuple[G, tuple[Wrong, ...]]:
    """*game* with the switches that *values* sets, and everything that is wrong with them. Of a value
    that is wrong only what is right in it is set."""
    changed, wrongs, unread = read_switches(game, values)
    faults = ((_place_of(fault, values), fault.text) for fault in changed.impossible(unread))
    return changed, (*wrongs, *faults)


def read_switches(game: G, values: Mapping[str, Any]) -> tuple[G, tuple[Wrong, ...], frozenset[Place]]:
    """*game* with the switches that *values* sets, what is wrong with each by itself, and the switches, or keys inside
    of one, that could not be read."""
    wrongs: list[Wrong] = []
    unread: set[Place] = set()
    fields: dict[str, Any] = {}
    strays = unknown((name for name in values if name not in game.SWITCHES), game.SWITCHES)
    for name, value in values.items():
        if name in strays:
            wrongs.append(((name,), strays[name]))
            continue
        switch = game.SWITCHES[name]
        try:
            read = switch.allowed(value)
        except ValueError as error:
            refused = error if isinstance(error, Refused) else Refused(((), str(error)))
            wrongs += [((name, *place), text) for place, text in refused.wrongs]
            unread |= {(name, key) for key in refused.lost}
            if refused.rest is None:
                unread.add((name,))
                continue
            read = refused.rest
        kept = getattr(game, switch.field or name) if switch.merges else None
        fields[switch.field or name] = {**kept, **read} if kept and read is not None else read
    return replace(game, **fields), tuple(wrongs), frozenset(unread)


def with_switches(game: G, values: Mapping[str, Any]) -> G:
    """*game* with the switches that *values* sets. Raises ValueError that names every bad one."""
    changed, wrongs = set_switches(game, values)
    if wrongs:
        raise ValueError("; ".join(f"{'.'.join(map(str, place))}: {text}" for place, text in wrongs))
    return changed


def unknown(names: Iterable[str], known: Iterable[str], also: Iterable[str] = ()) -> dict[str, str]:
    """That there are no such switches, by name, with those that may be meant: of *known*, or *also* of other keys.
    All that are known are listed once, at the first for which no other name is near."""
    known = list(known)
    told: dict[str, str] = {}
    listed = f": known are {', '.join(known)}"
    for name in names:
        meant = near(name, [*known, *also])
        if meant:
            told[name] = f"no such switch: did you mean {either(meant)}?"
        else:
            told[name], listed = f"no such switch{listed}", ""
    return told


def near(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known names that may be meant by *name*: the same but for capitals or dashes, those that begin with it as
    ``pass_count`` begins with ``pass``, or the one that is spelt much like it."""
    by_spelling = {_plainly(one): one for one in known}
    plain = _plainly(name)
    if plain in by_spelling:
        return (by_spelling[plain],)
    begun = tuple(one for spelling, one in by_spelling.items() if plain and spelling.startswith(f"{plain}_"))
    alike = difflib.get_close_matches(plain, by_spelling, n=1, cutoff=NEAR)
    return begun or tuple(by_spelling[spelling] for spelling in alike)


def _plainly(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def either(words: Iterable[str]) -> str:
    """Several words as a choice: ``record, 26 or whole-hand``."""
    *rest, last = words or ("",)
    return f"{', '.join(rest)} or {last}" if rest else last


def _place_of(fault: Impossible, values: Mapping[str, Any]) -> Place:
    """Where a person can mend it: at the first of its switches that *values* sets."""
    name = next((switch for switch in fault.switches if switch in values), fault.switches[0])
    value = values.get(name)
    inside = fault.key is not None and isinstance(value, Mapping) and fault.key in value
    return (name, fault.key) if inside and fault.key is not None else (name,)


# --- what a switch may hold ----------------------------------------------------------------------------------------


def shown(value: object) -> str:
    """A plain value as a rule set's file writes it, a text in quotes; cut where it is long."""
    text = repr(value) if isinstance(value, str) else _flow(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _flow(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return f"[{', '.join(map(_flow, value))}]"
        case Mapping():
            return f"{{{', '.join(f'{key}: {_flow(inner)}' for key, inner in value.items())}}}"
        case _:
            return str(value)


def whole(least: int, most: int, *, hint: str = "") -> Allowed:
    """A whole number; *hint* says what a number of note does."""
    text = f"a whole number from {least} to {most}{hint}"

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"{shown(value)} is not {text}")
        return value

    return Allowed(text, read)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 3600:
        raise ValueError(f"{shown(value)} is not a number of seconds from 0 to 3600")
    return value


seconds = Allowed("a number of seconds from 0 to 3600", _seconds)


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{shown(value)} is neither true nor false")
    return value


yes_or_no = Allowed("true or false", _yes_or_no)


def one_of(words: Mapping[str, str]) -> Allowed:
    """One of a few words, each with what it means."""
    which = either(words)

    def read(value: Any) -> str:
        told = str(value) if type(value) is int else value  # a word may be a number, such as 26
        if not isinstance(told, str) or told not in words:
            raise ValueError(f"{shown(value)}: write {which}")
        return told

    return Allowed(which, read, words)


def or_nothing(some: Allowed) -> Allowed:
    """What *some* allows, or None."""
    text = ", or null for none"

    def read(value: Any) -> Any:
        if value is None:
            return None
        try:
            return some(value)
        except Refused as refused:
            wrongs = ((place, told if place else told + text) for place, told in refused.wrongs)
            raise Refused(*wrongs, rest=refused.rest, lost=refused.lost) from None
        except ValueError as error:
            raise ValueError(f"{error}{text}") from None

    return Allowed(some.text + text, read, some.words)


def list_of(some: Allowed, *, example: str) -> Allowed:
    """A list of what *some* allows."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise _no_list(value, some, example)
        values, wrongs = _each_of(enumerate(value), some)
        if wrongs:
            raise Refused(*wrongs, rest=tuple(values.values()) or None)
        return tuple(values.values())

    return Allowed(f"a list of {some.text}, such as {example}", read, some.words)


def _no_list(value: Any, some: Allowed, example: str) -> Refused:
    """That *value* is no list: one alone only wants its brackets."""
    try:
        alone = some(value)
    except ValueError:
        return Refused(((), f"{shown(value)}: write a list, such as {example}"))
    return Refused(((), f"{shown(value)}: write a list: [{_flow(value)}]"), rest=(alone,))


def by_key(key: Allowed, some: Allowed, *, example: str) -> Allowed:
    """A mapping; in JSON and in YAML its keys are texts."""

    def read(value: Any) -> Mapping[Any, Any]:
        if not isinstance(value, Mapping):
            raise ValueError(f"{shown(value)}: write keys with their values, such as {example}")
        wrongs: list[Wrong] = []
        keys: dict[Any, Any] = {}
        for written in value:
            try:
                told = key(written)
                same = next((other for other, known in keys.items() if known == told), None)
                if same is not None:
                    raise ValueError(f"says the same as {same}: keep one")
                keys[written] = told
            except ValueError as error:
                wrongs.append(((written,), str(error)))
        values, more = _each_of(((written, value[written]) for written in keys), some)
        done = {keys[written]: values[written] for written in keys if written in values}
        if wrongs or more:
            lost = [str(written) for written in keys if written not in values]
            raise Refused(*wrongs, *more, rest=done or None, lost=lost)
        return done

    return Allowed(f"{{{key.text}: {some.text}}}, such as {example}", read, some.words or key.words)


def _each_of(values: Iterable[tuple[Any, Any]], some: Allowed) -> tuple[dict[Any, Any], list[Wrong]]:
    """Each value as *some* reads it, by its key, as far as it can; and every complaint."""
    wrongs: list[Wrong] = []
    done: dict[Any, Any] = {}
    for key, value in values:
        try:
            done[key] = some(value)
        except Refused as refused:
            wrongs += [((key, *place), text) for place, text in refused.wrongs]
            if refused.rest is not None:
                done[key] = refused.rest
        except ValueError as error:
            wrongs.append(((key,), str(error)))
    return done, wrongs


def _player_number(value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) == 1:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value <= MOST_PLAYERS:
        raise ValueError(f"{shown(value)} is not a number of players from 2 to {MOST_PLAYERS}")
    return value


players = Allowed("number of players", _player_number)
_some_players = list_of(players, example="[3, 4, 5]")


def _counts(value: Any) -> tuple[int, ...]:
    try:
        read: tuple[int, ...] = _some_players(value)
    except Refused as refused:
        raise Refused(*refused.wrongs, rest=refused.rest and tuple(sorted(set(refused.rest)))) from None
    if not read or len(set(read)) != len(read):
        once = tuple(sorted(set(read))) or None
        raise Refused(((), f"{shown(value)}: write each number of players once, such as [3, 4, 5]"), rest=once)
    return tuple(sorted(read))


counts = Allowed(f"a list of numbers from 2 to {MOST_PLAYERS}, such as [3, 4, 5]", _counts)
"""The numbers of players that can play: at least one, each once, lowest first."""


def _some_cards(value: Any) -> tuple[Card, ...]:
    if isinstance(value, list | tuple) and all(isinstance(v, str) for v in value):
        value = " ".join(value)
    if not isinstance(value, str):
        raise ValueError(f"{shown(value)} are no cards: write them like 2D 2C, or [] for none")
    return hand_of_cards(value)


some_cards = Allowed("cards like 2D 2C, or [] for none", _some_cards)
"""Cards as a text, ``2D 2C``, or as a list."""


def card_or(word: str) -> Allowed:
    """A card, or *word* for None."""

    def read(value: Any) -> Card | None:
        if value == word:
            return None
        if not isinstance(value, str):
            raise ValueError(f"{shown(value)} is not a card: write one, such as 2C, or {word}")
        try:
            return card(value)
        except ValueError as error:
            raise ValueError(f"{error}, or {word}") from None

    return Allowed(f"a card, such as 2C, or {word}", read)


def _card_or_hearts(key: Any) -> tuple[Card, ...]:
    if key == "hearts":
        return tuple(each(OF_SUIT["H"]))
    return (card(str(key)),)


_worth = by_key(
    Allowed("card, or hearts for all of them", _card_or_hearts),
    whole(-1000, 1000, hint=", 0 for none"),
    example="{hearts: 1, QS: 13}",
)


def _points_by_card(value: Any) -> Mapping[Card, int]:
    try:
        return _by_single_card(_worth(value))
    except Refused as refused:
        raise Refused(*refused.wrongs, rest=refused.rest and _by_single_card(refused.rest)) from None


def _by_single_card(written: Mapping[tuple[Card, ...], int]) -> Mapping[Card, int]:
    worth: dict[Card, int] = {}
    for cards in sorted(written, key=len, reverse=True):  # a card by its name stands above the suit
        worth |= dict.fromkeys(cards, written[cards])
    return worth


points_by_card = Allowed(_worth.text, _points_by_card)
"""What cards are worth: by card, and ``hearts`` for all of them."""
