"""Cards of which nothing is read: a joker among cards is told, and nothing else is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablepi.virtual.deck import STYLES
from tablepi.vision.reader import CardReader
from tablepi.vision.unread import unread

from .table_scene import decks, table

CARDS = [("QS", 160, 200, 3), ("2C", 400, 200, -10), ("TH", 160, 520, 180), ("AS", 1100, 520, 45)]


@pytest.fixture(scope="module")
def reader():
    return CardReader()


def found(reader, frame):
    return unread(frame, reader.read(frame), sure=reader.threshold)


@pytest.mark.parametrize("what", ["joker", "back"])
@pytest.mark.parametrize("style", STYLES)
def test_a_joker_and_a_card_face_down_are_told_with_their_place(reader, style, what):
    (box,) = found(reader, table(decks(style), [*CARDS, (what, 700, 300, 8)]))
    x0, y0, x1, y1 = box
    assert (abs((x0 + x1) / 2 - 700) < 8, abs((y0 + y1) / 2 - 300) < 8) == (True, True)


@pytest.mark.parametrize("style", STYLES)
def test_cards_that_are_read_are_not_told(reader, style):
    assert found(reader, table(decks(style), CARDS)) == []


def test_without_a_card_that_is_read_nobody_knows_how_large_one_is(reader):
    assert found(reader, table(decks("bridge"), [("joker", 700, 300, 8)])) == []


def test_paper_of_another_size_or_shape_is_no_card(reader):
    frame = table(decks("bridge"), CARDS)
    frame[280:340, 560:620] = 235  # a note
    frame[300:440, 760:1000] = (40, 200, 230)  # something yellow, as large as a card
    cv2.circle(frame, (760, 590), 100, (235, 235, 235), -1)  # a saucer
    assert found(reader, frame) == []


def test_a_frame_without_anything_has_none(reader):
    assert found(reader, np.full((480, 640, 3), 60, np.uint8)) == []
