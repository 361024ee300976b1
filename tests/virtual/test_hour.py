"""The bench of an hour tells memory that grows, and a fact that got lost; and the table that it puts together plays."""

from __future__ import annotations

import argparse
import io
import queue
from collections import Counter

import pytest

from tablepi import facts as f
from tablepi.cards import card
from tests.bench import hour
from tests.bench.hour import Minute, missing, slope


def minutes(*resident_mb: float) -> list[Minute]:
    return [Minute(60.0 * n, mb, 9, 80, 100 * n, 0, 0, 1.0) for n, mb in enumerate(resident_mb, 1)]


@pytest.mark.parametrize(
    ("resident_mb", "an_hour"),
    [((), 0), ((300,), 0), ((200, 300, 300, 300), 0), ((300, 300, 301, 302, 303), 60), ((300, 340, 320, 319.5), -30)],
)
def test_memory_is_told_by_how_it_grows_in_the_second_half(resident_mb, an_hour):
    assert slope(minutes(*resident_mb)) == pytest.approx(an_hour, abs=1e-6)


def test_a_fact_that_is_neither_kept_nor_said_not_to_count_is_missing():
    given, kept = Counter({"a": 2, "b": 1, "c": 1, "d": 1}), Counter({"a": 1, "b": 1, "x": 3})
    assert missing(given, kept, Counter({"c": 1}), Counter({"d": 1})) == Counter({"a": 1})


def test_what_goes_into_the_inbox_is_counted_without_its_time():
    inbox: queue.Queue = queue.Queue()
    watched = hour._Inbox(inbox, io.StringIO())
    for at in (1.0, 2.0):
        inbox.put(f.Tag(seat=1, card=card("QS"), source="reader-1", at=at))
    inbox.put(None)
    assert (inbox.qsize(), watched.given()) == (
        3,
        Counter({'{"fact":"tag","seat":1,"card":"QS","source":"reader-1"}': 2}),
    )


@pytest.mark.slow
def test_minutes_of_play_end_with_all_closed_all_kept_and_all_checked(tmp_path, capsys):
    options = argparse.Namespace(minutes=2.0, speed=2.0, hands=1, seed=3, sources="readers", store=str(tmp_path))
    hour.play(options)  # whether memory is flat, minutes do not tell
    told = capsys.readouterr().out
    assert "and 0 are missing" in told
    assert "every ruling is as it was shown, and the store is sound" in told
    (threads,) = [line for line in told.splitlines() if line.startswith("threads ")]
    before, after = threads.split("; ")[0].split(" before, ")
    assert after == f"{before.removeprefix('threads ')} after"
