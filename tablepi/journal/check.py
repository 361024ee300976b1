"""Whether the store still holds what was put into it."""

from __future__ import annotations

from .errors import JournalBroken
from .store import Journal


def verify(journal: Journal) -> tuple[str, ...]:
    """What is wrong with the store itself, one sentence each; empty when it is sound.

    Looks at SQLite's pages and indexes, the checksum of every row, gaps in n, lines that no longer parse.
    """
    complaints = []
    try:
        for complaint in journal.complaints():
            complaints.append(complaint)
    except JournalBroken as error:  # a page so bad that the rows behind it cannot be read
        complaints.append(str(error))
    return tuple(complaints)
