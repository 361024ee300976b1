"""A sample of the real photographs, read out of the box. ``make bench-vision`` reads all and prints the figures; here
only what must never happen, and that most cards are read at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tablepi.vision import CardReader
from tests.bench.vision_frames import opened, spread
from tests.bench.vision_score import Photograph, Verdict, confusions, judge, kind_of, photographs

PHOTOGRAPHS = os.environ.get("TABLEPI_PHOTOS")
pytestmark = pytest.mark.skipif(PHOTOGRAPHS is None, reason="TABLEPI_PHOTOS names no folder of photographs")


def read(among: list[Photograph]) -> list[Verdict]:
    reader, folder = CardReader(), Path(str(PHOTOGRAPHS))
    return [judge(p, reader.read(opened(folder / p.file)), threshold=reader.threshold, model="shipped") for p in among]


@pytest.fixture(scope="module")
def everything() -> list[Photograph]:
    return photographs(Path(str(PHOTOGRAPHS)))


def test_most_cards_of_every_source_are_read_and_no_queen_of_clubs_becomes_one_of_spades(everything):
    sources = sorted({p.source for p in everything})
    sample = [p for s in sources for p in spread([q for q in everything if q.source == s and q.legible], 4)]
    verdicts = read(sample)
    labelled = sum(len(v.photograph.labels) for v in verdicts)
    assert labelled > 80
    assert sum(len(v.right) for v in verdicts) > 0.85 * labelled
    kinds = {kind for v in verdicts for confusion in confusions(v) for kind in kind_of(confusion)}
    assert not kinds & {"Q♣/Q♠", "♥/♦", "red/black"}


def test_of_cards_too_small_to_read_nothing_is_said(everything):
    verdicts = read([p for p in everything if not p.legible])
    assert len(verdicts) == 4
    assert [v.false for v in verdicts] == [()] * 4
