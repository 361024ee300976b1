"""The layout says where everything is, so what people would complain about can be checked without looking."""

import math
from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablepi.cards import card
from tablepi.display.boxes import Box
from tablepi.display.layout import lay_out
from tablepi.display.painter import Painter
from tablepi.display.pieces import SUN, TONES, Arrow, CardBack, Face, LampPiece, Layout, Panel, Photograph, Sign, Words
from tablepi.views.screen import Grid, Picker, Screen, Tap
from tests.display.samples import (
    GREEN_PHOTO,
    RED_PHOTO,
    SAMPLES,
    SIZES,
    UNREADABLE,
    long_words,
    mid_trick,
    mid_trick_pt,
    photographed,
    players,
    question,
    three_rulings,
)

TABLES = [name for name, screen in SAMPLES.items() if screen.seats and not screen.picker and not screen.grid]


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    pygame.font.init()
    yield Painter()
    pygame.font.quit()


def laid_out(screen: Screen, size: tuple[int, int], painter: Painter) -> Layout:
    return lay_out(screen, size, measure=painter.measure)


def taps_shown(screen: Screen) -> list[Tap]:
    """The taps that this screen offers: while a picker is open only its own; under a grid no seats."""
    if screen.picker is not None:
        return [*(tap for _, tap in screen.picker.cards), *screen.picker.taps]
    seats = [] if screen.grid else [seat.tap for seat in screen.seats if seat.tap]
    return [*seats, *screen.answers, *screen.taps]


def overlapping(boxes: list[Box]) -> list[tuple[Box, Box]]:
    return [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :] if a.overlaps(b)]


def of_another_card(sign: Box, card_place: Box) -> bool:
    """A sign may lie on the card that it belongs to: its middle does, or its left half."""
    x, y = sign.middle
    return not Box(card_place.x, card_place.y - sign.h, card_place.w + sign.w // 2, card_place.h + sign.h).holds(x, y)


def check_nothing_overlaps(layout: Layout) -> None:
    whole = Box(0, 0, *layout.size)
    assert [p for p in layout.pieces if not p.box.within(whole)] == []
    solid = [p.box for p in layout.pieces if isinstance(p, Words | Face | CardBack | LampPiece | Arrow | Photograph)]
    assert overlapping(solid) == []
    words = [p.box for p in layout.pieces if isinstance(p, Words | Arrow | LampPiece | Photograph)]
    signs = [p.box for p in layout.pieces if isinstance(p, Sign)]
    assert [(w, s) for w in words for s in signs if w.overlaps(s)] == []
    assert overlapping(signs) == []
    cards = [p.box for p in layout.pieces if isinstance(p, Face | CardBack)]
    assert [(s, c) for s in signs for c in cards if s.overlaps(c) and of_another_card(s, c)] == []


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_overlaps_or_leaves_the_screen(name, size, painter):
    layout = laid_out(SAMPLES[name], size, painter)
    check_nothing_overlaps(layout)
    for piece in layout.pieces:
        if isinstance(piece, Words):
            assert painter.measure(piece.text, piece.px, piece.bold) <= piece.box.w


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", SAMPLES)
def test_every_tap_has_a_place_of_its_own(name, size, painter):
    screen = SAMPLES[name]
    layout = laid_out(screen, size, painter)
    assert {t.tap for t in layout.touches} == set(taps_shown(screen))
    assert overlapping([t.box for t in layout.touches]) == []
    assert all(layout.tap_at(*t.box.middle) is t.tap for t in layout.touches)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_finger_hits_every_button_of_a_seven_inch_screen(name, painter):
    layout = laid_out(SAMPLES[name], (800, 480), painter)
    assert [t for t in layout.touches if min(t.box.w, t.box.h) < 44] == []


@pytest.mark.parametrize("n", range(2, 8))
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_seats_go_round_clockwise_from_the_bottom(n, size, painter):
    screen = players(n)
    screen = replace(screen, seats=tuple(replace(s, card=card("QS"), mark="") for s in screen.seats))
    faces = [p.box for p in laid_out(screen, size, painter).pieces if isinstance(p, Face)]
    assert len(faces) == n
    cx = sum(b.middle[0] for b in faces) / n
    cy = sum(b.middle[1] for b in faces) / n
    # Clockwise as seen on the screen, from straight down.
    turns = [math.atan2(-(b.middle[0] - cx), b.middle[1] - cy) % (2 * math.pi) for b in faces]
    turns[0] = 0 if turns[0] > 6 else turns[0]
    assert turns == sorted(turns)
    assert turns[0] < 0.3


def test_four_seats_sit_at_the_bottom_left_top_and_right(painter):
    screen = mid_trick()
    screen = replace(screen, seats=tuple(replace(s, card=card("QS")) for s in screen.seats))
    south, west, north, east = (p.box for p in laid_out(screen, (800, 480), painter).pieces if isinstance(p, Face))
    assert west.middle[0] < north.x < north.right < east.middle[0]
    assert (north.x, west.y) == (south.x, east.y)
    assert north.bottom <= west.middle[1] <= south.y


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_cards_are_large_enough_to_be_read_from_across_the_table(size, painter):
    for n, least in ((2, 0.2), (3, 0.2), (4, 0.2), (5, 0.16), (6, 0.12), (7, 0.11)):
        faces = [p.box for p in laid_out(players(n), size, painter).pieces if isinstance(p, Face)]
        assert min(b.h for b in faces) >= least * min(size), (n, faces)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_whose_turn_it_is_shows_in_the_plate_in_its_name_and_by_an_arrow(name, size, painter):
    screen = SAMPLES[name]
    layout = laid_out(screen, size, painter)
    seat = next((i for i, s in enumerate(screen.seats) if s.turn), None)
    arrows = [p for p in layout.pieces if isinstance(p, Arrow)]
    names = [p for p in layout.pieces if isinstance(p, Words) and p.text.startswith("▶ ")]
    if seat is None:
        assert (arrows, names) == ([], [])
        return
    (arrow,), (words,) = arrows, names
    plate = next(p for p in layout.pieces if isinstance(p, Panel) and p.fill == SUN and words.box.within(p.box))
    x, y = arrow.box.middle
    place = next(t.box for t in layout.touches if t.tap is screen.seats[seat].tap and t.box != plate.box)
    assert (arrow.dx, arrow.dy) == (place.middle[0] - x, place.middle[1] - y)


def test_the_marks_differ_in_shape_and_sign(painter):
    layout = laid_out(long_words(), (1280, 720), painter)
    marks = [(p.shape, p.text) for p in layout.pieces if isinstance(p, Sign) and p.text in ("?", "!", "✕", "!!")][:4]
    assert marks == [("seal", "!!"), ("octagon", "✕"), ("triangle", "!"), ("disc", "?")]


def test_a_mark_without_a_card_stands_on_the_plate(painter):
    screen = players(4)
    screen = replace(screen, seats=(*screen.seats[:3], replace(screen.seats[3], mark="proved")))
    layout = laid_out(screen, (800, 480), painter)
    check_nothing_overlaps(layout)
    assert [p.shape for p in layout.pieces if isinstance(p, Sign) and p.shape == "seal"] == ["seal"]


def test_portuguese_faces_are_drawn_with_portuguese_letters(painter):
    faces = [p for p in laid_out(mid_trick_pt(), (800, 480), painter).pieces if isinstance(p, Face)]
    assert [p.card.face(p.language) for p in faces] == ["10♥", "D♠", "V♥"]


def test_a_question_is_told_whole_on_the_smallest_screen(painter):
    screen = question()
    text = " ".join(p.text for p in laid_out(screen, (800, 480), painter).pieces if isinstance(p, Words))
    assert screen.question in text


def test_a_ruling_of_usual_length_is_told_whole(painter):
    for screen in (mid_trick(), mid_trick_pt()):
        text = " ".join(p.text for p in laid_out(screen, (800, 480), painter).pieces if isinstance(p, Words))
        assert screen.ruling in text
        assert screen.headline in text


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (480, 800)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_each_ruling_stands_on_paper_of_its_own_tone_and_the_latest_is_the_largest(size, painter):
    screen = replace(three_rulings(), chips=())
    layout = laid_out(screen, size, painter)
    papers = [p for p in layout.pieces if isinstance(p, Panel) and p.fill in (TONES["bad"].fill, TONES["warn"].fill)]
    written = []
    for paper in papers:
        lines = [p for p in layout.pieces if isinstance(p, Words) and p.box.within(paper.box)]
        if text := " ".join(line.text for line in lines if line.text != "✕"):
            written.append((text, paper.fill, lines[0].px, paper.box.y))
    rulings = ((screen.ruling, screen.ruling_tone), *screen.standing)
    assert [(text, fill) for text, fill, _, _ in written] == [(text, TONES[tone].fill) for text, tone in rulings]
    first, *others = (px for _, _, px, _ in written)
    assert all(px < first for px in others)
    assert [y for *_, y in written] == sorted(y for *_, y in written)


def test_an_answer_that_is_a_card_is_drawn_as_one(painter):
    screen = question()
    layout = laid_out(screen, (800, 480), painter)
    cards = [tap for tap in screen.answers if tap.card is not None]
    places = [next(t.box for t in layout.touches if t.tap is tap) for tap in cards]
    drawn = [[p.card for p in layout.pieces if isinstance(p, Face) and p.box.within(place)] for place in places]
    assert drawn == [[tap.card] for tap in cards]


def test_the_latest_play_stands_below_the_ruling_and_gives_way_first(painter):
    def texts(screen: Screen) -> str:
        return " ".join(p.text for p in laid_out(screen, (800, 480), painter).pieces if isinstance(p, Words))

    told = replace(mid_trick(), last="Bo plays 4♣.")
    assert texts(told).index(told.ruling) < texts(told).index(told.last)
    crowded = replace(long_words(), last="Bo plays 4♣.")
    assert "Bo plays 4♣." not in texts(crowded)


# --- photographs -----------------------------------------------------------------------------------------------------


def told(layout: Layout) -> str:
    return " ".join(p.text for p in layout.pieces if isinstance(p, Words))


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize(
    "screen",
    [mid_trick(), mid_trick_pt(), replace(question(), answers=()), players(4)],
    ids=["mid_trick", "mid_trick_pt", "question", "players"],
)
def test_photographs_cover_nothing_and_shorten_no_words(screen, size, painter):
    for photos in ((GREEN_PHOTO,), (GREEN_PHOTO, RED_PHOTO)):
        without, layout = laid_out(screen, size, painter), laid_out(photographed(*photos, screen=screen), size, painter)
        assert [p.jpeg for p in layout.pieces if isinstance(p, Photograph)] == [photo.jpeg for photo in photos]
        for text in (screen.headline, screen.ruling, screen.question, *(photo.caption for photo in photos)):
            assert text in told(layout)
        faces = [[p for p in pieces if isinstance(p, Face)] for pieces in (without.pieces, layout.pieces)]
        assert size[0] < size[1] or faces[0] == faces[1]  # on a screen on its end, the table gives up a little


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_a_photograph_is_large_enough_to_read_the_card(size, painter):
    for photos, least in (((GREEN_PHOTO,), 0.28), ((GREEN_PHOTO, RED_PHOTO), 0.2)):
        layout = laid_out(photographed(*photos, screen=players(4)), size, painter)
        places = [p.box for p in layout.pieces if isinstance(p, Photograph)]
        assert min(min(box.w, box.h) for box in places) >= least * min(size)


def test_a_photograph_that_cannot_be_read_is_a_note_and_takes_little_room(painter):
    layout = laid_out(photographed(UNREADABLE), (800, 480), painter)
    assert UNREADABLE.caption in told(layout)
    assert [p for p in layout.pieces if isinstance(p, Photograph)] == []


def test_a_headline_is_rather_smaller_than_cut(painter):
    screen = replace(mid_trick(), headline="Ainda não se sabe quem começa a vaza.", ruling="")
    text = " ".join(p.text for p in laid_out(screen, (800, 480), painter).pieces if isinstance(p, Words))
    assert screen.headline in text


def test_chosen_cards_of_a_picker_stand_out(painter):
    taps = [Tap(str(c), mid_trick().taps[0].action, selected=str(c) == "QS") for c in (card("JS"), card("QS"))]
    picker = Picker("?", cards=tuple(zip((card("JS"), card("QS")), taps, strict=True)))
    layout = laid_out(Screen(language="en", title="", picker=picker), (800, 480), painter)
    halos = [p.box for p in layout.pieces if isinstance(p, Panel) and p.fill == SUN]
    (queen,) = (p.box for p in layout.pieces if isinstance(p, Face) and str(p.card) == "QS")
    assert [queen.within(halo) for halo in halos] == [True]


def test_alerts_that_have_no_room_are_counted(painter):
    layout = laid_out(replace(question(), alerts=tuple(f"Reader {i} is lost" for i in range(9))), (800, 480), painter)
    text = [p.text for p in layout.pieces if isinstance(p, Words)]
    shown = [t for t in text if t.startswith("Reader") and t.endswith("is lost")]
    assert f"+{9 - len(shown)}" in text


def test_the_picker_keeps_a_hole_for_each_card_that_cannot_be_chosen(painter):
    some = (card("2S"), card("AS"), card("2H"))
    picker = Picker("?", cards=tuple((c, Tap(str(c), mid_trick().taps[0].action)) for c in some))
    layout = laid_out(Screen(language="en", title="", picker=picker), (800, 480), painter)
    two, ace, low = (p.box for p in layout.pieces if isinstance(p, Face))
    assert two.y == ace.y < low.y
    assert two.x == low.x < ace.x
    assert (ace.x - two.x) // 12 > two.w  # twelve columns further, eleven of them holes


def test_a_long_title_of_a_picker_is_wrapped_rather_than_made_small(painter):
    title = "Q♠ lies in trick 3 already, from Rita. Which card?"
    some = tuple((c, Tap(str(c), mid_trick().taps[0].action)) for c in (card("2S"), card("AS")))
    for picker in (Picker(title, cards=some), Picker(f"{title} {title}", taps=mid_trick().taps[:2])):
        layout = laid_out(Screen(language="en", title="", picker=picker), (800, 480), painter)
        check_nothing_overlaps(layout)
        head = [p for p in layout.pieces if isinstance(p, Words)]
        lines = [p for p in head if p.box.y < 70 and p.text != "▏"]
        assert " ".join(p.text for p in lines) == picker.title
        assert [p.px >= 20 for p in lines] == [True, True]


def test_notes_below_a_short_grid_take_the_room_that_there_is_and_say_when_it_is_too_little(painter):
    def told(notes: int, rows: int) -> list[str]:
        some = tuple((f"row {n}", "1") for n in range(rows))
        grid = Grid("Scores", ("", "Ada"), some, tuple(f"note {n}" for n in range(notes)))
        layout = laid_out(Screen(language="en", title="", grid=grid), (800, 480), painter)
        return [p.text for p in layout.pieces if isinstance(p, Words) and p.text.startswith(("note", "…"))]

    assert told(8, 2) == [f"note {n}" for n in range(8)]
    assert told(40, 2)[-1] == "…"
    assert told(3, 9) == ["note 0", "note 1", "note 2"]


def test_a_grid_keeps_its_last_rows_when_there_are_too_many(painter):
    rows = tuple((str(i), str(i * 26)) for i in range(1, 80))
    layout = laid_out(Screen(language="en", title="", grid=Grid("Scores", ("Hand", "Ada"), rows)), (800, 480), painter)
    check_nothing_overlaps(layout)
    text = [p.text for p in layout.pieces if isinstance(p, Words)]
    assert text[:3] == ["Scores", "Hand", "Ada"]
    assert text[-2:] == ["79", "2054"]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_window_that_is_far_too_small_is_no_error(name, painter):
    for size in ((60, 40), (1, 1), (200, 1000), (1000, 120)):
        assert laid_out(SAMPLES[name], size, painter).size == size


words = st.text(st.characters(codec="utf-8"), max_size=60)
PHOTOS = [(), (GREEN_PHOTO,), (UNREADABLE,), (RED_PHOTO, GREEN_PHOTO), (UNREADABLE, RED_PHOTO)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.tuples(st.integers(320, 1400), st.integers(320, 1100)), st.integers(1, 9))
def test_no_words_on_no_screen_break_the_layout(painter, data, size, n):
    base = long_words()
    seat = base.seats[0]
    screen = replace(
        base,
        title=data.draw(words),
        headline=data.draw(words),
        ruling=data.draw(words),
        standing=tuple((data.draw(words), "bad") for _ in range(data.draw(st.integers(0, 2)))),
        question=data.draw(words),
        seats=tuple(
            replace(seat, seat=i, name=data.draw(words), turn=i == 1, points=data.draw(words)) for i in range(n)
        ),
        chips=tuple((data.draw(words), "warn") for _ in range(data.draw(st.integers(0, 6)))),
        answers=base.answers[: data.draw(st.integers(0, 6))],
        taps=base.taps[: data.draw(st.integers(0, 8))],
        alerts=base.alerts[: data.draw(st.integers(0, 5))],
        photos=tuple(replace(photo, caption=data.draw(words)) for photo in data.draw(st.sampled_from(PHOTOS))),
        grid=data.draw(st.sampled_from([None, Grid("t", ("a", "b"), ((data.draw(words), "1"),), ("note",))])),
    )
    layout = laid_out(screen, size, painter)
    whole = Box(0, 0, *size)
    assert [p for p in layout.pieces if not p.box.within(whole)] == []
    assert overlapping([p.box for p in layout.pieces if isinstance(p, Words | Photograph)]) == []
    assert overlapping([t.box for t in layout.touches if not any(t.tap is s.tap for s in screen.seats)]) == []


@pytest.mark.parametrize("size", SIZES)
def test_a_card_that_is_wanted_is_the_largest_thing_there(painter, size):
    shown = SAMPLES["wanted"]
    layout = lay_out(shown, size, measure=painter.measure)
    (face,) = (piece for piece in layout.pieces if isinstance(piece, Face))
    assert (face.card, face.language) == (card("QS"), "pt-PT")
    assert face.box.h >= 0.3 * size[1]
    words = [piece.box for piece in layout.pieces if isinstance(piece, Words)]
    assert not any(face.box.overlaps(box) for box in words)
