"""Screens of real tables, every game and three to seven players, fit on the smallest displays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from tablepi.display.layout import lay_out
from tablepi.display.painter import Painter
from tablepi.display.pieces import Layout, Words
from tablepi.views.screen import Screen
from tests.views.tables import MOMENTS, command, seen, table_of

from .test_layout import check_nothing_overlaps, overlapping, taps_shown

SIZES = ((800, 480), (1024, 600))
OPENED = (
    *((), ("menu",), ("seat:1",), ("bid:1",), ("pass:1",), ("cards:1",), ("end-hand",), ("scores",), ("rules",)),
    *(("players", "seats:7"), ("name:1", "letter:a"), ("dealer",), ("draw",)),
)
"""What lies open: nothing, and each picker that has many buttons somewhere."""


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    pygame.font.init()
    yield Painter()
    pygame.font.quit()


def screens(moment: str, language: str) -> Iterator[Screen]:
    table, known = table_of(MOMENTS[moment]), []
    for names in OPENED:
        shown = seen(table, replace(command(table, *names), language=language))
        if shown not in known:
            known.append(shown)
            yield shown


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_real_screen_fits_and_can_be_touched(moment, size, painter):
    for language in ("en", "pt-PT"):
        for shown in screens(moment, language):
            layout = lay_out(shown, size, measure=painter.measure)
            check_nothing_overlaps(layout)
            assert {id(t.tap) for t in layout.touches} == {id(tap) for tap in taps_shown(shown)}
            assert overlapping([t.box for t in layout.touches]) == []
            assert [t.tap.label for t in layout.touches if min(t.box.w, t.box.h) < 44] == []
            assert not cut(shown, layout), (moment, language, cut(shown, layout))


def cut(shown: Screen, layout: Layout) -> list[str]:
    """What is told but not whole: the headline, the question, the ruling, and the words on buttons."""
    told = " ".join(piece.text for piece in layout.pieces if isinstance(piece, Words))
    if shown.picker is not None:
        labels = tuple(tap.label for tap in shown.picker.taps)
        return [text for text in (shown.picker.title, *labels) if text not in told]
    labels = tuple(tap.label for tap in (*shown.answers, *shown.taps) if tap.card is None)
    return [text for text in (shown.headline, shown.question, shown.ruling, *labels) if text not in told]
