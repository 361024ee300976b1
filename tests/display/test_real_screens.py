"""Screens of real tables, every game and three to seven players, fit on the smallest displays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pygame
import pytest

from tablepi.display.layout import lay_out
from tablepi.display.painter import Painter
from tablepi.display.pieces import Face, Felt, Layout, Words
from tablepi.language import words
from tablepi.table import Table
from tablepi.views.desk import Desk, press
from tablepi.views.scene import screen
from tablepi.views.screen import Command, Screen
from tablepi.views.words import notice_in_words
from tablepi.vision.eye import _coarse
from tests.views.tables import HAND, MOMENTS, SETUP, SPADES, TOURNAMENT, bid, command, desk, game, seen, table_of

from .test_layout import check_nothing_overlaps, overlapping, taps_shown

SIZES = ((800, 480), (1024, 600))
OPENED = (
    *((), ("menu",), ("seat:1",), ("bid:1",), ("pass:1",), ("cards:1",), ("end-hand",), ("scores",), ("rules",)),
    *(("players", "seats:7"), ("name:1", "letter:a"), ("dealer",), ("draw",)),
    ("draw", "chosen:TS", "chosen:TH", "chosen:TD"),
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
    for language in ("en", "pt-PT", "pt-BR"):
        for shown in screens(moment, language):
            layout = lay_out(shown, size, measure=painter.measure)
            check_nothing_overlaps(layout)
            assert {id(t.tap) for t in layout.touches} == {id(tap) for tap in taps_shown(shown)}
            assert overlapping([t.box for t in layout.touches]) == []
            assert [t.tap.label for t in layout.touches if min(t.box.w, t.box.h) < 44] == []
            assert not cut(shown, layout), (moment, language, cut(shown, layout))


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("language", ["en", "pt-PT", "pt-BR"])
@pytest.mark.parametrize(
    ("rules", "set"),
    [
        (
            "hearts-tournament",
            "target=10000 hands=1000 illegal=whole-hand moon=auto timeouts.play=none timeouts.pass=60",
        ),
        ("hearts-black-maria", "target=10000 hands=1000 illegal=whole-hand moon=auto"),
        ("spades", "target=10000 nil=1000 blind_nil=1000 exchange=yes suicide=yes"),
    ],
)
def test_every_page_of_what_is_agreed_is_told_whole_and_can_be_touched(rules, set, language, size, painter):
    table, at = table_of(""), Desk(replace(SETUP, chosen=rules), language=language)
    pages = []
    for name, value in (each.split("=") for each in set.split()):
        for what in (("agreed", ""), ("agree", name), ("letter", "9"), ("agree-on", "99999"), ("agree-on", value)):
            at, _ = press(at, table, Command(*what))
            pages.append(at)
        pages += [press(at, table, Command("agree", name))[0]]
    pages.append(at.closed())
    assert len(at.setup.agreed) == len(set.split()) - set.count("none")
    for page in pages:
        shown = seen(table, page)
        layout = lay_out(shown, size, measure=painter.measure)
        check_nothing_overlaps(layout)
        assert {id(t.tap) for t in layout.touches} == {id(tap) for tap in taps_shown(shown)}
        assert [t.tap.label for t in layout.touches if min(t.box.w, t.box.h) < 44] == []
        assert not cut(shown, layout), (page, cut(shown, layout))


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("language", ["en", "pt-PT", "pt-BR"])
def test_the_seconds_that_are_left_are_told_whole_at_every_seat(language, size, painter):
    passing = game("hearts-tournament") + HAND
    for script, seats in ((TOURNAMENT + "0:2C ", (1,)), (TOURNAMENT + "3:2C ", (0,)), (passing, (0, 1, 2, 3))):
        table = table_for(FOUR, script)
        spoken = words(language, table.state.players)
        shown = screen(table, desk(language), spoken, seconds={seat: 100 + seat for seat in seats})
        bare = replace(shown, seats=tuple(replace(seat, lamp_words="") for seat in shown.seats))
        for picture in (shown, bare):
            layout = lay_out(picture, size, measure=painter.measure)
            check_nothing_overlaps(layout)
            told = [piece.text for piece in layout.pieces if isinstance(piece, Words)]
            assert [text for seat in range(4) if (text := f"{100 + seat} s") in told] == [f"{100 + s} s" for s in seats]
            halves = [seat.lamp_words for seat in picture.seats if seat.seconds and seat.lamp_words]
            assert all(
                text in told or not any(t.startswith(text[:4]) for t in told) for text in halves
            )  # whole, or not


COARSE = "the picture is too coarse: a rank of 8 mm has 9 pixels, 16 are wanted"  # as the eye says it


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The cards are too small for the camera (9 of 16 pixels): hang it lower."),
        ("pt-PT", "Cartas pequenas demais para a câmara (9 de 16 píxeis): baixem-na."),
        ("pt-BR", "Cartas pequenas demais para a câmera (9 de 16 pixels): abaixem-na."),
    ],
)
@pytest.mark.parametrize(
    "moment", ["before a match", "opening", "in a trick", "breach", "proof", "doubt", "covered card"]
)
def test_that_the_cards_are_too_small_for_the_camera_is_told_whole(moment, language, said, painter):
    table = table_of(MOMENTS[moment])
    spoken = words(language, table.state.players)
    shown = screen(table, desk(language), spoken, alerts=(notice_in_words(COARSE, spoken),))
    layout = lay_out(shown, (800, 480), measure=painter.measure)
    assert shown.alerts == (said,)
    assert said in " ".join(piece.text for piece in layout.pieces if isinstance(piece, Words))
    check_nothing_overlaps(layout)


def test_what_the_eye_says_of_a_coarse_picture_is_what_the_display_knows():
    """A square of the marked table that is 500 pixels wide: a rank of 8 mm has 8 of them."""
    pixels_a_millimetre = 1.0
    to_table = np.array([[1 / pixels_a_millimetre, 0, -250], [0, 1 / pixels_a_millimetre, -250], [0, 0, 1.0]])
    told = _coarse(to_table)
    assert notice_in_words(": ".join(told.split(": ")[:2]), words("pt-PT", ())) == (
        "Cartas pequenas demais para a câmara (8 de 16 píxeis): baixem-na."
    )


FOUR = ("Rita", "Maria Antónia", "João", "Conceição")
COMPASS = ("North", "East", "South", "West")


def table_for(players: tuple[str, ...], script: str) -> Table:
    """The table after a script, with other players."""
    first, rest = script.split("} ", 1)
    return table_of(json.dumps(json.loads(first + "}") | {"players": players}) + " " + rest)


def written(shown: Screen, size: tuple[int, int], painter: Painter) -> list[str]:
    return [p.text for p in lay_out(shown, size, measure=painter.measure).pieces if isinstance(p, Words)]


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("language", ["en", "pt-PT", "pt-BR"])
def test_a_nil_that_has_failed_is_told_whole_at_every_seat(language, size, painter):
    nils = SPADES + bid(1, "nil") + bid(2, "nil") + bid(3, "blind-nil") + bid(0, "blind-nil")
    tricks = "1:2C 2:AC 3:KC 0:QC 2:KD 3:AD 0:2D 1:3D 3:2H 0:AH 1:3H 2:4H 0:5C 1:TC 2:3C 3:4C "
    shown = seen(table_for(FOUR, nils + tricks), desk(language))
    shown = replace(shown, seats=tuple(replace(seat, total="−148") for seat in shown.seats))
    assert [seat.points[-1] for seat in shown.seats] == ["✗"] * 4
    texts = written(shown, size, painter)
    assert [texts.count(points) for points in {seat.points for seat in shown.seats}] == [2, 2]
    assert texts.count("−148") == 4


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("script", [SPADES, TOURNAMENT], ids=["spades", "tournament"])
def test_the_name_of_every_player_is_told_whole_also_when_it_is_that_players_turn(script, turn, size, painter):
    shown = seen(table_for(FOUR, script), desk("pt-PT"))
    shown = replace(shown, seats=tuple(replace(seat, turn=seat.seat == turn) for seat in shown.seats))
    layout = lay_out(shown, size, measure=painter.measure)
    check_nothing_overlaps(layout)
    told = " ".join(piece.text for piece in layout.pieces if isinstance(piece, Words))
    assert [name for name in FOUR if (f"▶ {name}" if name == FOUR[turn] else name) not in told] == []


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("language", ["en", "pt-PT", "pt-BR"])
@pytest.mark.parametrize("players", [COMPASS, FOUR], ids=["compass", "long"])
def test_the_table_of_spades_keeps_its_place_from_the_first_bid_to_the_last_trick(players, language, size, painter):
    bids = SPADES + bid(1, 4) + bid(2, "nil") + bid(3, 4) + bid(0, 5)
    cloths = set()
    for script in (SPADES, bids, bids + "1:2C 2:AC 3:KC 0:QC "):
        shown = seen(table_for(players, script), desk(language))
        layout = lay_out(shown, size, measure=painter.measure)
        cloths |= {piece.box for piece in layout.pieces if isinstance(piece, Felt)}
        texts = [piece.text for piece in layout.pieces if isinstance(piece, Words)]
        assert [chip for chip, _ in shown.chips if chip not in texts] == []
        if players is COMPASS:
            assert len({p.box.y for p in layout.pieces if isinstance(p, Words) and p.text in dict(shown.chips)}) == 1
    assert len(cloths) == 1


def test_brazilian_faces_are_drawn_with_the_letters_of_brazilian_decks(painter):
    table = table_of(MOMENTS["in a trick"])
    for language, queen in (("en", "Q♠"), ("pt-PT", "D♠"), ("pt-BR", "Q♠")):
        layout = lay_out(seen(table, desk(language)), (800, 480), measure=painter.measure)
        assert queen in [piece.card.face(piece.language) for piece in layout.pieces if isinstance(piece, Face)]


def cut(shown: Screen, layout: Layout) -> list[str]:
    """What is told but not whole: the headline, the question, the rulings, and the words on buttons."""
    told = " ".join(piece.text for piece in layout.pieces if isinstance(piece, Words))
    if shown.picker is not None:
        labels = tuple(tap.label for tap in shown.picker.taps)
        return [text for text in (shown.picker.title, *labels) if text not in told]
    labels = tuple(tap.label for tap in (*shown.answers, *shown.taps) if tap.card is None)
    rulings = (shown.ruling, *(text for text, _ in shown.standing))
    return [text for text in (shown.headline, shown.question, *rulings, *labels) if text not in told]
