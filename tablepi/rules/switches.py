"""The switches of a rule set: how each is read from plain values, and what is wrong with one that cannot be.

The same switches come from three places: a shipped preset, a person's own file, and the options of a match. All are
plain values (texts, numbers, lists, mappings), and all go through ``set_switches``, so that one switch means the same
everywhere. Nothing here stops at the first fault: every complaint is told, with the place that it is about.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, TypeVar

from ..cards import OF_SUIT, Card, card, each, hand_of_cards

Place = tuple[str | int, ...]
"""Where a value stands: the switch, and inside of it keys and positions: ``("removed", "5")``."""

Wrong = tuple[Place, str]
"""A complaint: the place, and what is wrong there and would do instead."""

MOST_PLAYERS = 7


class Refused(ValueError):
    """Error raised when a value is no value of a switch; *wrongs* are all complaints, their places within it."""

    def __init__(self, *wrongs: Wrong) -> None:
        self.wrongs = wrongs
        super().__init__("; ".join(text for _, text in wrongs))


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: what *read* makes of a plain value (it raises ValueError), and the field that keeps it where that has
    another name. *merges*: a mapping whose keys replace those of the rule set that is changed, and leave the others.
    *nothing* is how None is written."""

    read: Callable[[Any], Any]
    field: str = ""
    merges: bool = False
    nothing: str = "null"


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

    def impossible(self) -> Iterator[Impossible]:
        """The combinations of its switches with which nobody can play."""


G = TypeVar("G", bound=HasSwitches)


def set_switches(game: G, values: Mapping[str, Any]) -> tuple[G, tuple[Wrong, ...]]:
    """*game* with the switches that *values* sets, and everything that is wrong with them; what is wrong is not set."""
    wrongs: list[Wrong] = []
    fields: dict[str, Any] = {}
    for name, value in values.items():
        switch = game.SWITCHES.get(name)
        if switch is None:
            wrongs.append(((name,), unknown(name, game.SWITCHES)))
            continue
        field = switch.field or name
        try:
            read = switch.read(value)
        except Refused as refused:
            wrongs += [((name, *place), text) for place, text in refused.wrongs]
        except ValueError as error:
            wrongs.append(((name,), str(error)))
        else:
            kept = getattr(game, field) if switch.merges else None
            fields[field] = {**kept, **read} if kept and read is not None else read
    changed = replace(game, **fields)
    if not wrongs:
        wrongs = [(_place_of(fault, values), fault.text) for fault in changed.impossible()]
    return changed, tuple(wrongs)


def with_switches(game: G, values: Mapping[str, Any]) -> G:
    """*game* with the switches that *values* sets. Raises ValueError that names every bad one."""
    changed, wrongs = set_switches(game, values)
    if wrongs:
        raise ValueError("; ".join(f"{'.'.join(map(str, place))}: {text}" for place, text in wrongs))
    return changed


def unknown(name: str, known: Iterable[str]) -> str:
    """That there is no switch *name*, with the one that may be meant."""
    known = list(known)
    near = difflib.get_close_matches(name.lower(), known, n=1)
    return f"no such switch: did you mean {near[0]}?" if near else f"no such switch: known are {', '.join(known)}"


def _place_of(fault: Impossible, values: Mapping[str, Any]) -> Place:
    """Where a person can mend it: at the first of its switches that *values* sets."""
    name = next((switch for switch in fault.switches if switch in values), fault.switches[0])
    value = values.get(name)
    inside = fault.key is not None and isinstance(value, Mapping) and fault.key in value
    return (name, fault.key) if inside and fault.key is not None else (name,)


# --- what a switch may hold ----------------------------------------------------------------------------------------


def shown(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"


def whole(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"{shown(value)} is not a whole number from {least} to {most}")
        return value

    return read


def seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 3600:
        raise ValueError(f"{shown(value)} is not a number of seconds from 0 to 3600")
    return value


def yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{shown(value)} is neither true nor false")
    return value


def one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        told = str(value) if type(value) is int else value  # a word may be a number, such as 26
        if not isinstance(told, str) or told not in words:
            raise ValueError(f"{shown(value)}: write {', '.join(words[:-1])} or {words[-1]}")
        return told

    return read


def or_nothing(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def list_of(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise ValueError(f"{shown(value)}: write a list, such as [a, b]")
        return tuple(_each_of(enumerate(value), read).values())

    return read_all


def by_key(read_key: Callable[[Any], Any], read: Callable[[Any], Any]) -> Callable[[Any], Mapping[Any, Any]]:
    """A mapping; in JSON and in YAML its keys are texts."""

    def read_all(value: Any) -> Mapping[Any, Any]:
        if not isinstance(value, Mapping):
            raise ValueError(f"{shown(value)}: write keys with their values, such as {{key: value}}")
        wrongs: list[Wrong] = []
        keys: dict[Any, Any] = {}
        for written in value:
            try:
                keys[written] = read_key(written)
            except ValueError as error:
                wrongs.append(((written,), str(error)))
        try:
            values = _each_of(((written, value[written]) for written in keys), read)
        except Refused as refused:
            wrongs += refused.wrongs
        if wrongs:
            raise Refused(*wrongs)
        return {keys[written]: values[written] for written in keys}

    return read_all


def _each_of(values: Iterable[tuple[Any, Any]], read: Callable[[Any], Any]) -> dict[Any, Any]:
    """Each value as *read*, by its key. Raises Refused with every complaint."""
    wrongs: list[Wrong] = []
    done: dict[Any, Any] = {}
    for key, value in values:
        try:
            done[key] = read(value)
        except Refused as refused:
            wrongs += [((key, *place), text) for place, text in refused.wrongs]
        except ValueError as error:
            wrongs.append(((key,), str(error)))
    if wrongs:
        raise Refused(*wrongs)
    return done


def players(value: Any) -> int:
    """A number of players."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) == 1:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value <= MOST_PLAYERS:
        raise ValueError(f"{shown(value)} is not a number of players from 2 to {MOST_PLAYERS}")
    return value


def counts(value: Any) -> tuple[int, ...]:
    """The numbers of players that can play: at least one, each once, lowest first."""
    read: tuple[int, ...] = list_of(players)(value)
    if not read or len(set(read)) != len(read):
        raise ValueError(f"{shown(value)}: write each number of players once, such as [3, 4, 5]")
    return tuple(sorted(read))


def some_cards(value: Any) -> tuple[Card, ...]:
    """Cards as a text, ``2D 2C``, or as a list."""
    if isinstance(value, list | tuple) and all(isinstance(v, str) for v in value):
        value = " ".join(value)
    if not isinstance(value, str):
        raise ValueError(f"{shown(value)} are no cards: write them like 2D 2C")
    return hand_of_cards(value)


def card_or(word: str) -> Callable[[Any], Card | None]:
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

    return read


def points_by_card(value: Any) -> Mapping[Card, int]:
    """What cards are worth: by card, and ``hearts`` for all of them."""
    written = by_key(_card_or_hearts, whole(-1000, 1000))(value)
    worth: dict[Card, int] = {}
    for cards in sorted(written, key=len, reverse=True):  # a card by its name stands above the suit
        worth |= dict.fromkeys(cards, written[cards])
    return worth


def _card_or_hearts(key: Any) -> tuple[Card, ...]:
    if key == "hearts":
        return tuple(each(OF_SUIT["H"]))
    return (card(str(key)),)
