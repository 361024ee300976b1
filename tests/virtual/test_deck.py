"""Drawn decks: every face is another, prints what it says where it says it, and stands on its head as well."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from tablepi.cards import ALL_CARDS, Card, card
from tablepi.virtual.deck import BRIDGE, POKER, STYLES, Deck

SCALE = 5.0  # pixels for each millimetre: the styles' finest strokes are still wider than a pixel
INK = 60  # a pixel that differs from the paper by so much is printed on
COURTS = "JQK"

every_style = pytest.mark.parametrize("name", STYLES)


@cache
def deck(name: str) -> Deck:
    return Deck(STYLES[name], scale=SCALE)


def ink(deck: Deck, picture: np.ndarray) -> np.ndarray:
    """Where something is printed."""
    return np.abs(picture.astype(int) - deck.style.paper).max(2) > INK


def cut(picture: np.ndarray, box: tuple[float, float, float, float], *, around: float = 0.0) -> np.ndarray:
    x0, y0, x1, y1 = box
    return picture[round(y0 - around) : round(y1 + around), round(x0 - around) : round(x1 + around)]


def upright(deck: Deck, laid: Card) -> np.ndarray:
    """The first index of *laid*."""
    return cut(deck.face(laid), deck.indices(laid)[0].box)


def extent(ink: np.ndarray) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def red(pixels: np.ndarray) -> bool:
    blue, green, red = np.median(pixels, axis=0)
    return bool(red > 140 and blue < 90 and green < 90)


@every_style
def test_a_deck_has_52_different_faces_of_one_size(name):
    faces = [deck(name).face(c) for c in ALL_CARDS]
    wide, high = STYLES[name].size
    assert {(f.shape, f.dtype) for f in faces} == {((round(high * SCALE), round(wide * SCALE), 3), np.dtype(np.uint8))}
    assert len({f.tobytes() for f in faces}) == 52


@every_style
def test_every_index_differs_from_every_other(name):
    small = [cv2.resize(upright(deck(name), c), (24, 48), interpolation=cv2.INTER_AREA).astype(int) for c in ALL_CARDS]
    nearest = min(np.abs(a - b).mean() for i, a in enumerate(small) for b in small[:i])
    assert nearest > 2.5


@every_style
def test_the_index_fills_the_box_that_it_is_said_to_have(name):
    for c in ALL_CARDS:
        at = deck(name).indices(c)[0]
        printed = ink(deck(name), cut(deck(name).face(c), at.box, around=1))
        high, wide = printed.shape
        x0, y0, x1, y1 = extent(printed)
        # a pixel of margin, and the tips of the signs fade before they end
        assert (x0 <= 4, y0 <= 3, wide - x1 <= 4, high - y1 <= 6) == (True,) * 4, (c, printed.shape, (x0, y0, x1, y1))
        assert 0.12 < printed.mean() < 0.75, c


@every_style
def test_nothing_is_printed_around_an_index(name):
    for c in ALL_CARDS:
        for at in deck(name).indices(c):
            ring = ink(deck(name), cut(deck(name).face(c), at.box, around=3)).copy()
            ring[2:-2, 2:-2] = False
            assert not ring.any(), (c, at)


@every_style
def test_the_places_of_the_indices_are_told_as_a_reader_tells_them(name):
    style, high = STYLES[name], deck(name).shape[0]
    tall = (style.index + style.gap + style.sign) * SCALE
    for c in ALL_CARDS:
        corners = deck(name).indices(c)
        assert [at.up for at in corners] == [0.0] * (style.corners // 2) + [np.pi] * (style.corners // 2)
        for at in corners:
            x0, y0, x1, y1 = at.box
            assert (at.x, at.y) == pytest.approx(((x0 + x1) / 2, (y0 + y1) / 2))
            assert y1 - y0 == pytest.approx(tall)
            assert at.size == pytest.approx(max(tall, 1.15 * (x1 - x0)))
            assert (at.y < high / 2) == (at.up == 0.0)


@every_style
def test_all_indices_of_a_card_look_alike(name):
    for c in ALL_CARDS:
        first, *others = deck(name).indices(c)
        printed = cut(deck(name).face(c), first.box).astype(int)
        for at in others:
            other = cut(deck(name).face(c), at.box)
            other = other[::-1, ::-1] if at.up else other
            high, wide = (min(a, b) for a, b in zip(printed.shape[:2], other.shape[:2], strict=True))
            assert np.abs(printed[:high, :wide] - other[:high, :wide]).mean() < 5, (c, at)


@every_style
def test_a_turned_court_is_the_same_card(name):
    for c in ALL_CARDS:
        if c.rank in COURTS:
            face = deck(name).face(c).astype(int)
            assert np.abs(face - face[::-1, ::-1]).mean() < 1, c


@every_style
def test_a_turned_number_differs_only_where_one_pip_stands_upright(name):
    for c in ALL_CARDS:
        face = deck(name).face(c).astype(int)
        differs = (np.abs(face - face[::-1, ::-1]).max(2) > 120).mean()
        if c.suit == "D" and c.rank not in "7" + COURTS:
            assert differs < 0.002, c  # a diamond has no foot
        elif c.rank in "24T" and STYLES[name].layout == "pips":
            assert differs < 0.002, c


@every_style
def test_jack_queen_and_king_are_other_figures(name):
    style = STYLES[name]
    for suit in "CDHS":
        faces = [deck(name).face(card(rank + suit)).astype(int) for rank in COURTS]
        middle = [f[:, round(len(f[0]) * 0.36) : round(len(f[0]) * 0.64)] for f in faces]
        apart = [np.abs(middle[i] - middle[j]).mean() for i, j in ((0, 1), (0, 2), (1, 2))]
        assert min(apart) > (4 if style.layout == "one" else 12), suit


@every_style
def test_the_suits_have_the_deck_s_inks(name):
    style = STYLES[name]
    for c in ALL_CARDS:
        sign = upright(deck(name), c)[round((style.index + style.gap) * SCALE) :]
        high, wide = sign.shape[:2]
        middle = sign[round(0.4 * high) : round(0.6 * high), round(0.42 * wide) : round(0.58 * wide)].reshape(-1, 3)
        assert np.abs(np.median(middle, axis=0) - style.inks[c.suit]).max() <= 3, c
        if c.suit == "H" or (c.suit == "D" and name != "four-colour"):
            assert red(middle) or name == "modern", c
        else:
            assert not red(middle), c


def test_the_numbers_show_as_many_pips_as_they_say():
    plain = deck("bridge")
    inner = slice(round(11 * SCALE), round(46 * SCALE))
    for rank, count in zip("23456789T", range(2, 11), strict=True):
        for suit in "DHS":
            printed = ink(plain, plain.face(card(rank + suit)))[:, inner].astype(np.uint8)
            assert cv2.connectedComponents(printed)[0] - 1 == count, rank + suit


def test_the_letters_are_those_of_the_deck():
    told = {name: "".join(deck(name).letter(card(r + "S")) for r in "TJQKA") for name in STYLES}
    assert told == dict.fromkeys(STYLES, "10JQKA") | {"portuguese": "10VDRA", "german": "10BDKA"}


def test_the_named_styles_are_what_people_call_them():
    sizes = {name: style.size for name, style in STYLES.items()}
    assert set(sizes.values()) == {BRIDGE, POKER}
    assert [name for name, style in STYLES.items() if style.corners == 4] == ["german"]
    assert [name for name, style in STYLES.items() if len(set(style.inks.values())) == 4] == ["four-colour"]
    by_index = sorted(STYLES, key=lambda name: STYLES[name].index)
    assert by_index[-2:] == ["jumbo", "magnum"]


@every_style
def test_the_same_deck_is_drawn_the_same_again(name):
    again = Deck(STYLES[name], scale=SCALE)
    for c in (card("AS"), card("TD"), card("QC")):
        assert np.array_equal(again.face(c), deck(name).face(c))
    assert np.array_equal(again.back(), deck(name).back())
    assert np.array_equal(again.joker(), deck(name).joker())


@every_style
def test_backs_and_jokers_look_the_same_from_either_end_and_like_no_card(name):
    faces = {deck(name).face(c).tobytes() for c in ALL_CARDS}
    for picture in (deck(name).back(), deck(name).joker()):
        assert picture.shape == deck(name).face(card("AS")).shape
        assert picture.tobytes() not in faces
        assert np.abs(picture.astype(int) - picture[::-1, ::-1]).mean() < 3


@every_style
def test_the_outline_has_round_corners_and_leaves_every_index_whole(name):
    within = deck(name).outline()
    assert (within.shape, within[0, 0], within[within.shape[0] // 2, 0]) == (deck(name).shape, 0, 255)
    high, wide = STYLES[name].size[1] * SCALE, STYLES[name].size[0] * SCALE
    missing = (4 - np.pi) * (STYLES[name].radius * SCALE) ** 2
    assert (within < 128).sum() == pytest.approx(missing, rel=0.12, abs=12)
    assert within.size == pytest.approx(high * wide, rel=0.01)
    for c in (card("TD"), card("QC")):
        for at in deck(name).indices(c):
            assert cut(within, at.box).min() == 255


def test_a_deck_can_be_drawn_at_any_scale():
    small, large = (Deck(STYLES["bridge"], scale=s) for s in (3.0, 9.0))
    assert small.shape == (267, 171)
    assert large.shape == (801, 513)
    shrunk = cv2.resize(large.face(card("8S")), small.shape[::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(shrunk.astype(int) - small.face(card("8S"))).mean() < 2
    assert [at.size * 3 for at in small.indices(card("KH"))] == pytest.approx(
        [at.size for at in large.indices(card("KH"))]
    )
