"""What a table says where no screen shows it: the transcript, a game in sentences, and single lines beside it."""

from __future__ import annotations

from typing import TextIO

from ..language import words
from ..table import Table
from ..views.corrections import told_in_words
from ..views.words import number


def put_line(text: str, out: TextIO) -> None:
    """Write *text* as a line, at once and in one piece: several threads have something to say, and ``print`` writes the
    end of a line by itself, behind which another's may stand."""
    out.write(f"{text}\n")
    out.flush()


class Transcript:
    """Tells a game in sentences, where no screen shows it; at its end, what each has in all."""

    def __init__(self, out: TextIO, spoken: str) -> None:
        self._out, self._language = out, spoken

    def tell(self, table: Table) -> None:
        spoken = words(self._language, table.state.players)
        for text in told_in_words(table, spoken, turns=False):
            put_line(f"{table.n:5}  {text}", self._out)
        if any(line.get("event") == "match" for line in table.lines):
            totals = (f"{spoken.side(side)} {number(total)}" for side, total in table.state.totals.items())
            put_line(f"{table.n:5}  {spoken.say('Total')}: {', '.join(totals)}", self._out)
