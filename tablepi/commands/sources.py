"""Facts from files and from standard input, line by line, with an error that names the line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from .. import presets
from ..errors import BadInput
from ..facts import Fact, Match, NotAFact, parse
from ..table import complaint, empty, step
from .rules import as_told

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read: a fact is some hundred."""


@contextmanager
def lines_of(path: str) -> Iterator[Iterator[bytes]]:
    """The lines of a file, or of standard input for ``-``, as they come. Raises BadInput that names the file."""
    if path == "-":
        if sys.stdin is None:
            raise BadInput("standard input is closed: name a file of facts, or give one by a pipe")
        yield _each(sys.stdin.buffer, "standard input")
        return
    with ExitStack() as opened:
        try:
            file = opened.enter_context(Path(path).open("rb"))
        except FileNotFoundError:
            raise BadInput(f"{path}: there is no such file") from None
        except IsADirectoryError:
            raise BadInput(f"{path}: is a folder: name a file of facts, one JSON object a line") from None
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
        yield _each(file, path)


def _each(file: BinaryIO, name: str) -> Iterator[bytes]:
    while line := _line(file, name):
        yield line
        whole = line
        while len(whole) == LONGEST_LINE and not whole.endswith(b"\n"):  # it is refused; what is left of it goes too
            whole = _line(file, name)


def _line(file: BinaryIO, name: str) -> bytes:
    try:
        return file.readline(LONGEST_LINE)
    except OSError as error:
        raise BadInput(f"{name}: cannot be read: {error.strerror}") from None


def fact_on(line: bytes, number: int) -> Fact | None:
    """The fact of a line, None for a blank one. Raises NotAFact."""
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise NotAFact("not text in UTF-8: is this a file of facts, one JSON object a line?") from None
    if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
        raise NotAFact(f"longer than {LONGEST_LINE} bytes")
    return parse(text) if text.strip() else None


def game_in(lines: Iterable[bytes], name: str) -> Iterator[Fact | None]:
    """The facts of one whole game, None for a blank line. Raises BadInput that names file and line, for what is no fact
    and for what cannot belong to the game."""
    table = empty(presets.rulebook())
    for number, line in enumerate(lines, 1):
        try:
            fact = fact_on(line, number)
            fact = as_told(fact) if isinstance(fact, Match) else fact
            wrong = complaint(table, fact) if fact is not None else None
        except BadInput as error:
            wrong = str(error)
        if wrong is not None:
            raise BadInput(f"{name}: line {number}: {wrong}")
        if fact is not None:
            table = step(table, fact, n=number)
        yield fact
