"""A deck's file as people read it: which tag is in which card, one card a line, by suit and rank.

It belongs to a person, who may have put comments and other keys into it. So only the lines of the cards are written
anew: other keys stay as they are, and so do comments above a card's line and behind it. ``config.load_deck`` reads what
is written here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from .cards import Card, card
from .config import load_deck
from .devices.tags import uid as uid_of
from .errors import BadInput
from .files import write_whole
from .teaching import PACK, Thing

HEAD = """\
# Which tag is in which card. A card is rank then suit, a tag is its number (UID) in hex. A card may have several tags,
# a tag is in one card. `tablepi enrol tags` writes here, and leaves comments and other keys as they are.
"""

SECTIONS = ("cards", "commands")
"""The keys that hold tags: of the cards, and of the cards that give commands."""

_Sections = Mapping[str, tuple[yaml.ScalarNode, yaml.MappingNode]]


@dataclass(frozen=True, slots=True)
class DeckFile:
    """The deck in *path*. Each change is read, made and written anew, so that what a person changes meanwhile stays."""

    path: Path

    def tags(self) -> dict[str, Thing]:
        """What each tag is in, by UID; nothing where there is no file yet, or nothing in it. Raises BadInput."""
        text = self._text()
        if _is_blank(text):
            return {}
        load_deck(self.path)  # says everything that is wrong
        return tags_in(text)

    def add(self, uid: str, thing: Thing) -> None:
        """Write that a tag is in *thing*. Raises BadInput, and then the file is as it was."""
        self._write({**self.tags(), uid: thing})

    def remove(self, uid: str) -> None:
        """Take a tag out again. Raises BadInput, and then the file is as it was."""
        self._write({each: thing for each, thing in self.tags().items() if each != uid})

    def _text(self) -> str:
        try:
            return self.path.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError:
            raise BadInput(f"{self.path}: is not a text in UTF-8: save it as UTF-8") from None
        except OSError as error:
            raise BadInput(f"{self.path}: cannot be read: {error.strerror}") from None

    def _write(self, tags: Mapping[str, Thing]) -> None:
        try:
            text = with_tags(self._text(), tags)
            written = tags_in(text) == tags
        except yaml.YAMLError:
            written = False
        if not written:
            raise BadInput(
                f"{self.path}: is written in a way into which no tag can be put: write `cards:` on a line of its own, "
                "and below it a line for each card"
            )
        write_whole(self.path, text.encode(), folders=True)


def _is_blank(text: str) -> bool:
    """Whether nothing is in a text but comments. What is no YAML is something."""
    try:
        return _root(text) is None
    except yaml.YAMLError:
        return False


# --- the text ---------------------------------------------------------------------------------------------------------


def tags_in(text: str) -> dict[str, Thing]:
    """What each tag is in, by the *text* of a deck that is in order. Raises yaml.YAMLError."""
    sections = _sections(text)
    return {
        uid: entry.thing
        for name in SECTIONS
        for entry in _entries(sections, name)
        for uid in map(uid_of, entry.written)
    }


def with_tags(text: str, tags: Mapping[str, Thing]) -> str:
    """*text* in which just *tags* are in the cards, and the cards of commands. Raises yaml.YAMLError."""
    if _root(text) is None:
        text = (_ended(text) if text.strip() else HEAD) + "cards: {}\n"
    sections = _sections(text)
    for name in SECTIONS:
        wanted: dict[Thing, list[str]] = {}
        for uid, thing in sorted(tags.items(), key=lambda each: _order(each[1])):
            if isinstance(thing, Card) == (name == "cards"):
                wanted.setdefault(thing, []).append(uid)
        if wanted != {entry.thing: [*map(uid_of, entry.written)] for entry in _entries(sections, name)}:
            text = _with_section(text, sections, name, wanted)
            sections = _sections(text)
    return text


@dataclass(frozen=True, slots=True)
class _Entry:
    """One card of a text: its tags as they are written, the places from its key to the end of its tags."""

    thing: Thing
    written: tuple[str, ...]
    start: int
    end: int


def _with_section(text: str, sections: _Sections, name: str, wanted: Mapping[Thing, Sequence[str]]) -> str:
    found = sections.get(name)
    if found is None:
        return f"{_ended(text)}{name}:\n{''.join(_line('  ', *each) for each in wanted.items())}"
    key, section = found
    colon = text.index(":", key.end_mark.index) + 1
    entries = [*_entries(sections, name)]
    if section.flow_style or not entries:
        lines = "".join(_line("  ", *each) for each in wanted.items()).rstrip("\n")
        return text[:colon] + (f"\n{lines}" if lines else " {}") + text[section.end_mark.index :]
    place = first = _line_start(text, entries[0].start)
    above: dict[Thing, str] = {}
    behind: dict[Thing, str] = {}
    for entry in entries:
        above[entry.thing] = text[place : _line_start(text, entry.start)]
        place = _line_end(text, entry.end)
        behind[entry.thing] = text[entry.end : place].rstrip()
    indent = " " * section.start_mark.column
    lines = "".join(
        above.pop(thing, "") + _line(indent, thing, uids, behind=behind.get(thing, ""))
        for thing, uids in wanted.items()
    )
    lines += "".join(above.values())  # what was said of cards that have no tag any more
    head = text[:first] if wanted else text[:colon] + " {}" + text[colon:first]
    return head + lines + text[place:]


def _line(indent: str, thing: Thing, uids: Sequence[str], *, behind: str = "") -> str:
    """One line, which ends with the card's sign, or with what stood *behind* it."""
    # In quotes, because other programs that read YAML take some of these numbers for numbers.
    tags = ", ".join(f'"{uid}"' for uid in uids)
    name, sign = (f'"{thing}"', f"  # {thing.face()}") if isinstance(thing, Card) else (thing, "")
    return f"{indent}{name}: [{tags}]{behind or sign}\n"


def _root(text: str) -> yaml.Node | None:
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.BaseLoader)
    return node


def _sections(text: str) -> _Sections:
    """The keys that hold tags, each with what it holds."""
    root = _root(text)
    pairs = root.value if isinstance(root, yaml.MappingNode) else ()
    return {k.value: (k, v) for k, v in pairs if k.value in SECTIONS and isinstance(v, yaml.MappingNode)}


def _entries(sections: _Sections, name: str) -> Iterator[_Entry]:
    for key, tags in sections[name][1].value if name in sections else ():
        last = tags.value[-1] if tags.value and not tags.flow_style else tags
        thing = card(key.value) if name == "cards" else key.value
        written = tuple(tag.value for tag in tags.value)
        yield _Entry(thing, written, key.start_mark.index, last.end_mark.index)


def _order(thing: Thing) -> tuple[int, str]:
    return (PACK.index(thing), "") if isinstance(thing, Card) else (len(PACK), thing)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _line_start(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def _line_end(text: str, place: int) -> int:
    """The place behind the line."""
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1
