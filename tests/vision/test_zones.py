"""Where a card lies is reckoned from its indices, and whose it is from where it lies."""

from __future__ import annotations

from math import cos, hypot, isclose, pi, sin, tau

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import card
from tablepi.vision.markers import TRICK_RADIUS, through
from tablepi.vision.reader import Index, Reading
from tablepi.vision.zones import (
    BY_ONE,
    BY_SIDE,
    BY_TWO,
    CLEAR,
    HOLD,
    MARGIN,
    MIDDLE,
    Corner,
    Whose,
    Zones,
    on_table,
    place_of,
)

from .marked_table import hung

PLAYERS = st.integers(2, 7)
TURNS = st.floats(0, tau, exclude_max=True)
PLACES = st.floats(-200, 200)

POKER, BRIDGE = (63.5, 89.0), (57.0, 89.0)


def corner(x: float, y: float, turn: float, *, left: bool, top: bool, of: tuple[float, float] = (60.0, 89.0),
           inset: tuple[float, float] = (6.0, 11.0)) -> Corner:  # fmt: skip
    """An index of a card whose middle is (x, y), *inset* from its side and its end."""
    right, down = of[0] / 2 - inset[0], of[1] / 2 - inset[1]
    dx, dy = (-right if left else right), (-down if top else down)
    up = turn if top else turn + pi
    return Corner(x + dx * cos(turn) - dy * sin(turn), y + dx * sin(turn) + dy * cos(turn), up, 15.0)


def same_axis(one: float, other: float) -> bool:
    """Whether two turns are the same but for a half."""
    return isclose(sin(one - other), 0, abs_tol=1e-6)


# --- where a card lies --------------------------------------------------------------------------------------------


@given(
    PLACES, PLACES, TURNS, st.sampled_from([POKER, BRIDGE]), st.sampled_from([(5.0, 10.0), (7.0, 12.0), (9.0, 14.0)])
)
def test_a_card_lies_in_the_middle_between_its_two_indices(x, y, turn, of, inset):
    ends = [corner(x, y, turn, left=top, top=top, of=of, inset=inset) for top in (True, False)]
    lying = place_of(ends)
    assert np.allclose((lying.x, lying.y), (x, y))
    assert (same_axis(lying.turn, turn), 0 <= lying.turn <= pi, lying.within) == (True, True, BY_TWO)


@given(
    PLACES, PLACES, TURNS, st.sampled_from([POKER, BRIDGE]), st.sampled_from([(5.0, 10.0), (7.0, 12.0), (9.0, 14.0)])
)
def test_one_index_tells_the_middle_within_ten_millimetres(x, y, turn, of, inset):
    lying = place_of([corner(x, y, turn, left=True, top=True, of=of, inset=inset)])
    assert hypot(lying.x - x, lying.y - y) < lying.within == BY_ONE
    assert same_axis(lying.turn, turn)


@given(PLACES, PLACES, TURNS)
def test_two_indices_of_one_end_tell_the_middle_as_one_does(x, y, turn):
    lying = place_of([corner(x, y, turn, left=left, top=True) for left in (True, False)])
    assert hypot(lying.x - x, lying.y - y) < lying.within == BY_ONE


@given(PLACES, PLACES, TURNS, st.permutations([(True, True), (True, False), (False, True), (False, False)]))
def test_three_or_four_indices_tell_the_middle(x, y, turn, order):
    for count in (3, 4):
        lying = place_of([corner(x, y, turn, left=left, top=top) for left, top in order[:count]])
        assert np.allclose((lying.x, lying.y), (x, y))
        assert lying.within == BY_TWO


@given(PLACES, PLACES, TURNS)
def test_two_ends_of_one_side_leave_it_open_which_side(x, y, turn):
    lying = place_of([corner(x, y, turn, left=True, top=top) for top in (True, False)])
    assert hypot(lying.x - x, lying.y - y) < lying.within == BY_SIDE
    assert same_axis(lying.turn, turn)


def test_the_turn_of_a_card_is_the_mean_of_its_indices_though_one_stands_on_its_head():
    ends = [corner(0, 0, 0.02, left=True, top=True), corner(0, 0, -0.02, left=False, top=False)]
    assert sin(place_of(ends).turn) == pytest.approx(0, abs=1e-9)


# --- from the frame to the table ----------------------------------------------------------------------------------


def reading(*indices: Index) -> Reading:
    return Reading(card("QS"), 0.99, (0, 0, 1, 1), indices)


@given(st.floats(-35, 35), TURNS, PLACES, PLACES, TURNS)
def test_an_index_of_the_frame_stands_on_the_table_where_and_as_the_card_lies(tilt, camera_turn, x, y, up):
    to_frame = hung(tilt=tilt, turn=np.degrees(camera_turn))
    here, above = through([(x, y), (x + 5 * sin(up), y - 5 * cos(up))], to_frame)
    size = 2 * np.hypot(*(above - here))
    seen = Index(*here, float(np.arctan2(above[0] - here[0], here[1] - above[1])), float(size), 1.0, ())
    [told] = on_table(reading(seen), np.linalg.inv(to_frame))
    assert np.allclose((told.x, told.y), (x, y), atol=1e-6)
    assert cos(told.up - up) > 0.9999
    assert told.size == pytest.approx(10.0)


def test_the_indices_of_a_reading_keep_their_order():
    seen = (Index(10, 20, 0.0, 30, 1.0, ()), Index(50, 60, pi / 2, 30, 1.0, ()))
    told = on_table(reading(*seen), np.diag([2.0, 2.0, 1.0]))
    assert told == (Corner(20, 40, 0.0, 60.0), Corner(100, 120, pytest.approx(pi / 2), 60.0))


# --- whose place that is ------------------------------------------------------------------------------------------


def at(way: float, away: float) -> tuple[float, float]:
    """The place that lies *away* from the middle in the direction *way*, clockwise from the top."""
    return away * sin(way), -away * cos(way)


def test_four_seats_are_north_east_south_west():
    places = {0: (0, -120), 1: (120, 0), 2: (0, 120), 3: (-120, 0)}
    assert {seat: Zones(4).seat_of(*place) for seat, place in places.items()} == {
        seat: Whose(seat, True) for seat in range(4)
    }


@pytest.mark.parametrize("players", range(2, 8))
def test_a_card_in_front_of_a_seat_is_surely_its_own(players):
    zones = Zones(players)
    for seat in range(players):
        for away in (45, 100, TRICK_RADIUS):
            assert zones.seat_of(*at(zones.direction(seat), away)) == Whose(seat, True)


@given(PLAYERS, TURNS, st.floats(0, 260), st.integers(0, 6), st.sampled_from([None, 0, 1]))
def test_a_table_turned_by_a_seat_is_the_same_table(players, way, away, turned, before):
    zones = Zones(players)
    # Off the very borders, where a hair decides.
    edge = (way * players / tau + 0.5) % 1
    if min(edge, 1 - edge) * away < 0.01:
        return
    one = zones.seat_of(*at(way, away), before)
    other = zones.seat_of(
        *at(way + tau * turned / players, away), None if before is None else (before + turned) % players
    )
    assert other == Whose(None if one.seat is None else (one.seat + turned) % players, one.sure)


@given(PLAYERS, TURNS, st.floats(0, 400))
def test_a_card_outside_the_trick_area_is_nobodys(players, way, away):
    outside = away > TRICK_RADIUS + MARGIN
    told = Zones(players).seat_of(*at(way, away))
    assert (told.seat is None) == outside


@given(PLAYERS, st.integers(0, 6), st.floats(0, CLEAR - 0.1), st.floats(MIDDLE, TRICK_RADIUS), st.booleans())
def test_a_card_laid_on_a_border_is_nobodys_surely(players, border, beside, along, left):
    way = tau * (border + 0.5) / players
    x, y = at(way, along)
    side = beside if left else -beside
    assert not Zones(players).seat_of(x + side * cos(way), y + side * sin(way)).sure


@given(PLAYERS, TURNS, st.floats(0, MIDDLE - 0.1))
def test_a_card_laid_on_the_middle_is_nobodys_surely(players, way, away):
    assert not Zones(players).seat_of(*at(way, away)).sure


@given(
    PLAYERS,
    st.integers(0, 6),
    st.floats(0, TRICK_RADIUS),
    st.lists(st.floats(-HOLD + 0.1, HOLD - 0.1), min_size=1, max_size=30),
)
def test_a_card_that_wavers_about_a_border_keeps_its_seat(players, border, along, wavers):
    zones = Zones(players)
    before, way = border % players, tau * (border % players + 0.5) / players
    for beside in wavers:
        x, y = at(way, along)
        told = zones.seat_of(x + beside * cos(way), y + beside * sin(way), before)
        assert told == Whose(before, True)


@given(PLAYERS, TURNS, st.floats(0, TRICK_RADIUS), st.lists(st.tuples(TURNS, st.floats(0, HOLD / 2)), max_size=20))
def test_a_card_never_goes_to_another_seat_and_back_by_less_than_the_hold(players, way, away, wavers):
    zones = Zones(players)
    x, y = at(way, away)
    before, owners = None, []
    for to, by in wavers:
        dx, dy = at(to, by)
        told = zones.seat_of(x + dx, y + dy, before)
        before = told.seat if told.sure else before
        owners.append(before)
    sure = [owner for owner in owners if owner is not None]
    assert len(set(sure)) <= 1


@pytest.mark.parametrize("players", range(2, 8))
def test_a_card_that_is_moved_clearly_into_another_piece_changes_its_seat(players):
    zones = Zones(players)
    next_seat = 1 % players
    assert zones.seat_of(*at(zones.direction(next_seat), 120), before=0) == Whose(next_seat, True)


def test_a_card_that_slides_over_the_rim_is_still_in_the_trick_and_further_out_it_is_not():
    rim = TRICK_RADIUS + MARGIN
    zones = Zones(4)
    assert zones.seat_of(0, -(rim + HOLD - 1), before=0) == Whose(0, True)
    assert zones.seat_of(0, -(rim + HOLD - 1)) == Whose(None, True)
    assert zones.seat_of(0, -(rim + HOLD + 1), before=0) == Whose(None, True)
