"""The transcript: a game in sentences, where no screen shows it."""

from __future__ import annotations

from typing import TextIO

from ..language import words
from ..table import Table
from ..views.corrections import told_in_words
from ..views.words import number


class Transcript:
    """Tells a game in sentences, where no screen shows it; at its end, what each has in all."""

    def __init__(self, out: TextIO, spoken: str) -> None:
        self._out, self._language = out, spoken

    def tell(self, table: Table) -> None:
        spoken = words(self._language, table.state.players)
        for text in told_in_words(table, spoken, turns=False):
            print(f"{table.n:5}  {text}", file=self._out, flush=True)
        if any(line.get("event") == "match" for line in table.lines):
            totals = (f"{spoken.side(side)} {number(total)}" for side, total in table.state.totals.items())
            print(f"{table.n:5}  {spoken.say('Total')}: {', '.join(totals)}", file=self._out, flush=True)
