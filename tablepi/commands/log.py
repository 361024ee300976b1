"""The log: ``games``, ``show``, ``export``, ``import``, ``check``, and the stepping that ``review`` shows."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from .. import presets
from ..errors import BadInput, TablePiError
from ..facts import dumps, to_dict
from ..files import write_whole
from ..journal import Journal, JournalBroken, export_jsonl, import_jsonl, store_folder, verify
from ..language import words
from ..state import Line
from ..table import Table, empty, step
from ..views.corrections import told_in_words
from ..views.words import legible, with_text
from .sources import game_in, lines_of


@contextmanager
def opened(store: str | None) -> Iterator[Journal]:
    """The journal for reading."""
    with Journal(store_folder(store, os.environ), readonly=True) as journal:
        yield journal


def tables(journal: Journal, game: str) -> Iterator[Table]:
    """The table after each fact of *game*."""
    table = empty(presets.rulebook())
    for n, fact in journal.facts(game):
        table = step(table, fact, n=n)
        yield table


def games(store: str | None, *, json: bool, out: TextIO) -> int:
    with opened(store) as journal:
        listed = journal.games()
        if json:
            for game in listed:
                entry = {
                    "game": game.id,
                    "rules": game.rules,
                    "players": list(game.players),
                    "started": game.started,
                    "facts": game.facts,
                    "state": game.state,
                }
                print(dumps(entry), file=out)
            return 0
        if not listed:
            print(f"no games in {journal.folder} yet: play one with `tablepi run` or `tablepi demo`", file=out)
        else:
            print(f"{'game':16} {'begun':20} {'rules':18} {'state':8} {'facts':5}  players", file=out)
        for game in listed:
            people = ", ".join(map(legible, game.players))
            state = "imported" if (game.reason or "").startswith("imported from ") else game.state
            print(f"{game.id:16} {game.started:20} {game.rules:18} {state:8} {game.facts:5}  {people}", file=out)
    return 0


def show(store: str | None, name: str, *, at: int | None, json: bool, language: str, out: TextIO) -> int:
    """Every fact of a game with what was ruled on it, up to fact *at*."""
    with opened(store) as journal:
        game = journal.find(name)
        last = 0
        for table in tables(journal, game):
            last = table.n
            if at is not None and table.n > at:
                break
            spoken = words(language, table.state.players)
            fact = table.log[-1].fact
            if json:
                answers = [with_text(line, spoken, table.state) for line in table.lines]
                print(dumps({"n": table.n, "fact": to_dict(fact), "answers": answers}), file=out)
            else:
                print(f"{table.n:5}  {dumps(to_dict(fact))}", file=out)
                for text in told_in_words(table, spoken):
                    print(f"         {text}", file=out)
        if at is not None and at > last:
            raise BadInput(f"{game}: there is no fact {at}: it has {last}")
    return 0


def export(store: str | None, name: str, *, to: str | None, out: TextIO) -> int:
    """The facts of a game as JSON Lines; into a file, whole or not at all, unless that is a pipe or a device."""
    with opened(store) as journal:
        lines = list(export_jsonl(journal, journal.find(name)))
    text = "".join(line.rstrip("\n") + "\n" for line in lines)
    if to is None or to == "-":
        out.write(text)
        return 0
    write_whole(Path(to), text.encode(), option="-o")
    return 0


def import_(store: str | None, path: str, *, wall: datetime, out: TextIO) -> int:
    """Keep a game from a file of facts: all of it, or none. Its id is printed; on standard error the game, if any, that
    has the same facts already."""
    name = "standard input" if path == "-" else path
    with lines_of(path) as lines, Journal(store_folder(store, os.environ)) as journal:
        texts = (dumps(to_dict(fact)) if fact is not None else "" for fact in game_in(lines, name))
        game = import_jsonl(journal, texts, name=name, wall=wall)
        twin = _twin(journal, game)
    print(game, file=out)
    if twin is not None:
        print(f"tablepi: kept as {game}; the same facts are already kept as {twin}", file=sys.stderr)
    return 0


def _twin(journal: Journal, game: str) -> str | None:
    """The first other game whose facts are those of *game*."""
    facts = list(export_jsonl(journal, game))
    for other in journal.games():
        if other.id != game and other.facts == len(facts):
            with suppress(TablePiError):  # a damaged one is no twin
                if list(export_jsonl(journal, other.id)) == facts:
                    return other.id
    return None


def check(store: str | None, name: str | None, *, out: TextIO) -> int:
    """Fold logged facts with today's engine and tell every ruling that differs from what was shown; verify the store.
    Returns 1 when anything is not as it should be."""
    wrong = 0
    with opened(store) as journal:
        for text in verify(journal):
            print(text, file=out)
            wrong += 1
        chosen = [game.id for game in journal.games()] if name is None else [journal.find(name)]
        for game in chosen:
            found: list[str] = []
            try:
                found += _differences(journal, game)
            except JournalBroken as error:  # verify has said more
                found.append(str(error))
            for text in found:
                print(f"{game}: {text}", file=out)
            wrong += len(found)
        if not wrong:
            facts = sum(entry.facts for entry in journal.games() if entry.id in chosen)
            print(
                f"{len(chosen)} games, {facts} facts: every ruling is as it was shown, and the store is sound", file=out
            )
    return 1 if wrong else 0


def _differences(journal: Journal, game: str) -> Iterator[str]:
    shown = dict(journal.as_shown(game))
    for table in tables(journal, game):
        then = shown.get(table.n)
        now = tuple(_as_json(line) for line in table.lines)
        if then is not None and tuple(map(_as_json, then)) != now:
            before, after = "; ".join(map(dumps, then)) or "nothing", "; ".join(now) or "nothing"
            yield f"fact {table.n}: shown then: {before}; today: {after}"


def _as_json(line: Line) -> str:
    return dumps(line)
