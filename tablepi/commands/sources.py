"""Facts from files and from standard input, line by line, with an error that names the line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import BadInput
from ..facts import Fact, NotAFact, parse

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read: a fact is some hundred."""


@contextmanager
def lines_of(path: str) -> Iterator[Iterator[bytes]]:
    """The lines of a file, or of standard input for ``-``, as they come. Raises BadInput that names the file."""
    if path == "-":
        yield _each(sys.stdin.buffer)
        return
    try:
        with Path(path).open("rb") as file:
            yield _each(file)
    except FileNotFoundError:
        raise BadInput(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise BadInput(f"{path}: is a folder: name a file of facts, one JSON object a line") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _each(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        yield line


def fact_on(line: bytes, number: int) -> Fact | None:
    """The fact of a line, None for a blank one. Raises NotAFact."""
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise NotAFact("not text in UTF-8: is this a file of facts, one JSON object a line?") from None
    if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
        raise NotAFact(f"longer than {LONGEST_LINE} bytes")
    return parse(text) if text.strip() else None
