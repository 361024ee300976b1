"""A live table that is recorded: real readers on pseudo-terminals, the real loop, people who press."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tablepi.commands import parts
from tablepi.config import Config
from tablepi.facts import Fact
from tablepi.journal import Journal
from tablepi.loop import Loop
from tablepi.recording.recorder import Recorder
from tablepi.table import Table
from tablepi.virtual.world import uid_of

from ..script import NAMES
from ..script import facts as script

TURNS = 2_000
"""Turns of the loop after which a test gives up; each takes 5 s at most where nothing happens."""


class Hands:
    """A display that nobody sees, and what is pressed on it."""

    def __init__(self) -> None:
        self.pressed: list[object] = []

    def draw(self, screen: object) -> bool:
        return True

    def presses(self) -> Iterator[object]:
        while self.pressed:
            yield self.pressed.pop(0)


@dataclass
class Live:
    """A table that is recorded. *hands* press on its display."""

    loop: Loop
    table: parts.Parts
    hands: Hands
    put: Callable[[Any], object]
    heard: list[Table]

    def until(self, so: Callable[[Table], bool]) -> None:
        """Let the loop turn until the table is *so*."""
        for _ in range(TURNS):
            if so(self.loop.table):
                return
            self.loop.turn()
        raise AssertionError(f"it does not come so: {[entry.fact for entry in self.loop.table.log]}")

    def tell(self, said: str) -> None:
        """Facts that people put, and the table takes in."""
        for fact in script(said):
            self.put(fact)
            self.until(lambda table, fact=fact: any(same(entry.fact, fact) for entry in table.log))


def same(one: Fact, other: Fact) -> bool:
    return replace(one, at=None) == replace(other, at=None)


@contextmanager
def live(
    file: Path,
    config: Config,
    *,
    frames: bool = False,
    virtual: parts.Virtual | None = None,
    key_of: Callable[[object], str | None] = lambda _: None,
    resume: bool = False,
    store: Path | None = None,
) -> Iterator[Live]:
    """A table of *config* whose recording is in *file* at the end."""
    about = {
        "language": "en",
        "display": True,
        "setup": {k: v for k, v in asdict(parts.setup(config)).items() if k != "agreed"},
    }
    hands, heard = Hands(), []
    with ExitStack() as stack:
        folder = store or file.with_suffix(".store")
        folder.mkdir(exist_ok=True)
        journal = stack.enter_context(Journal(folder))
        recorder = stack.enter_context(Recorder(file, about=about, frames=frames))
        table = parts.put_together(
            stack,
            config,
            display=recorder.display(hands, key_of),
            virtual=virtual,
            notices=(),
            store=folder,
            tape=recorder,
        )
        loop = table.loop(config, argparse.Namespace(lang="en"), record=journal, heard=heard.append, check=lambda: None)
        loop._typed = key_of
        if resume:
            assert loop.resume()
            recorder.resumed(fact for _, fact in journal.facts(loop.game or ""))
        yield Live(loop, table, hands, recorder.put_by(table.inbox.put), heard)


def told(table: Table) -> list[Fact]:
    """Every fact that the table took in, without its second."""
    return [replace(entry.fact, at=None) for entry in table.log]


def deck(*cards: Any) -> str:
    """A deck file in which *cards* have the tags of the virtual deck."""
    return "cards:\n" + "".join(f"  {card}: [{uid_of(card)}]\n" for card in cards)


PLAYERS = tuple(NAMES)
