"""Games as JSON Lines: the way out and the way in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from .. import facts
from ..errors import BadInput
from ..facts import Fact, Match, NotAFact
from .store import Journal


def export_jsonl(journal: Journal, game: str) -> Iterator[str]:
    """One line of JSON for each fact of *game*, without line ends, in order; line *n* is fact *n*.

    Raises JournalBroken at a fact that is damaged or missing: later lines would stand for the wrong n.
    """
    expected = 1
    for n, fact in journal.facts(game):
        if n != expected:
            raise BadInput(f"{game}: fact {expected} is missing: `tablepi check {game}` says more")
        expected += 1
        yield facts.dumps(facts.to_dict(fact))


def import_jsonl(journal: Journal, lines: Iterable[str], *, name: str, wall: datetime) -> str:
    """Keep the game in *lines* as one that is over; its new id comes back. Line *n* becomes fact *n*.

    *lines* may end in a line end. Split the text at ``\\n`` only (as a text file does): ``str.splitlines`` also splits
    at signs that may stand inside a name. *name* is the file, for messages; *wall* is now. Raises BadInput with file,
    line and value for the first line that is no fact or not in its place; then nothing is kept. A blank line is refused
    unless only blank ones follow: facts are referred to by line, and an export would lose the count.
    """
    return journal.add_finished(list(_checked(lines, name)), wall=wall, reason=f"imported from {name}")


def _checked(lines: Iterable[str], name: str) -> Iterator[Fact]:
    blank: int | None = None
    at = 0.0
    n = 0
    for n, line in enumerate(lines, 1):
        if not line.strip():
            blank = blank or n
            continue
        if blank is not None:
            raise BadInput(f"{name}, line {blank}: blank: facts are counted by line; remove it and mend the n after it")
        try:
            fact = facts.parse(line)
        except NotAFact as error:
            raise BadInput(f"{name}, line {n}: {error}") from None
        if isinstance(fact, Match) is not (n == 1):
            told = (
                "a second match: a file holds one game" if n > 1 else f"a game begins with its match, not {fact.kind}"
            )
            raise BadInput(f"{name}, line {n}: {told}: {line.strip()[:80]}")
        if fact.at is not None:
            if fact.at < at:
                raise BadInput(f"{name}, line {n}: at falls from {at:g} to {fact.at:g}")
            at = fact.at
        yield fact
    if n == 0 or blank == 1:
        raise BadInput(f"{name}: empty: a game begins with its match")
