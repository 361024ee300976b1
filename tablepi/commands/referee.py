"""``tablepi referee``: facts in, rulings and scores out; the whole engine without devices."""

from __future__ import annotations

from typing import TextIO

from .. import presets
from ..errors import BadInput
from ..facts import Fact, Match, NotAFact, dumps
from ..language import words
from ..scoring import default_choice
from ..table import Table, complaint, empty, step
from ..views.corrections import told_in_words
from ..views.words import Words, with_text
from .rules import as_told
from .sources import fact_on, lines_of


def referee(path: str, *, json: bool, lenient: bool, language: str, out: TextIO, err: TextIO) -> int:
    """Answer each line as it comes. Returns the exit status: 0, or 2 at the first line that is no fact (*lenient*
    skips and counts those)."""
    table = empty(presets.rulebook())
    spoken = words(language, ())
    skipped = facts = 0
    with lines_of(path) as lines:
        for number, line in enumerate(lines, 1):
            try:
                fact = fact_on(line, number)
                if fact is None:
                    continue
                fact = _with_rules(fact)
                wrong = complaint(table, fact)
                if wrong is not None:
                    raise NotAFact(wrong)
            except NotAFact as error:
                _tell_error(str(error), number, path, json=json, out=out, err=err)
                if not lenient:
                    return 2
                skipped += 1
                continue
            facts += 1
            table = step(table, fact, n=number)
            if table.state.match is not None:
                spoken = words(language, table.state.players)
            _tell(table, spoken, json=json, out=out)
        chosen = default_choice(table.state)
        if chosen is not None:  # nobody is left who could choose: a fact like any other, one line after the last
            _tell(step(table, chosen, n=table.n + 1), spoken, json=json, out=out)
    if skipped:
        print(f"{path}: {skipped} {'line' if skipped == 1 else 'lines'} skipped", file=err)
    if not facts and not skipped:
        print(f"{path}: no facts in it: write one JSON object a line", file=err)
        return 2
    return 0


def _with_rules(fact: Fact) -> Fact:
    """*fact*; of a match whose rules are a file, the match that needs the file no more."""
    try:
        return as_told(fact) if isinstance(fact, Match) else fact
    except BadInput as error:
        raise NotAFact(f"rules: {error}") from None


def _tell(table: Table, spoken: Words, *, json: bool, out: TextIO) -> None:
    told = (
        (dumps(with_text(line, spoken, table.state)) for line in table.lines) if json else told_in_words(table, spoken)
    )
    for text in told:
        print(text if json else f"{table.n:5}  {text}", file=out)
    out.flush()


def _tell_error(text: str, number: int, path: str, *, json: bool, out: TextIO, err: TextIO) -> None:
    if json:
        print(dumps({"error": text, "line": number}), file=out, flush=True)
    name = "standard input" if path == "-" else path
    print(f"{name}: line {number}: {text}", file=err, flush=True)
