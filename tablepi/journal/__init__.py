"""The journal: every fact of every game, committed before it is acted on, in one SQLite file.

A program that dies loses no fact it acted on; a pulled plug loses at most the last tenth of a second. From the facts
everything else is derived again, so nothing else is kept but the rulings as they were shown and the photographs.
"""

from .check import verify
from .errors import JournalBroken, JournalFull
from .folder import forgets_at_restart, store_folder
from .lines import export_jsonl, import_jsonl
from .photos import read_photo
from .store import GameEntry, Journal

__all__ = [
    "GameEntry",
    "Journal",
    "JournalBroken",
    "JournalFull",
    "export_jsonl",
    "forgets_at_restart",
    "import_jsonl",
    "read_photo",
    "store_folder",
    "verify",
]
