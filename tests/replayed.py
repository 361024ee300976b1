"""A bug report becomes a test: the table that a recording leads to.

Put the file beside the test, and say what is to be so at the end::

    def test_what_was_reported():
        table = replayed(Path(__file__).parent / "friday.rec")
        assert [line["text"] for line in table.lines if "ruling" in line] == ["…"]
"""

from __future__ import annotations

from pathlib import Path

from tablepi.commands.replay import play, remarks
from tablepi.recording.tape import load
from tablepi.table import Table


def replayed(path: Path, *, remarked: tuple[str, ...] = ()) -> Table:
    """The table at the end of the recording in *path*. Fails unless what is to be said of the replay, such as that a
    driver of today does something else, is what was *remarked*."""
    with load(path) as recording:
        loop = play(recording)
        assert remarks(recording, loop.tape) == remarked
        table: Table = loop.table
        return table
