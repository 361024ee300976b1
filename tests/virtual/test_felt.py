"""The felt: cards lie where they were laid, hands come and go, and the same acts make the same scenes."""

from __future__ import annotations

import math
import threading
from itertools import pairwise

import pytest

from tablepi.cards import ALL_CARDS, card
from tablepi.virtual.felt import (
    EDGE_MM,
    KNOCK_S,
    SCATTER_DEG,
    SCATTER_MM,
    SUN_MM_S,
    Felt,
    Glass,
    Light,
    Lying,
    Phone,
    Scene,
    Shift,
    Stranger,
    angle_of,
    upright_for,
)

TRICK = tuple(card(name) for name in ("QS", "2S", "TS", "KH"))
STEP_S = 0.002  # after a card has come to rest its speed, measured over the last moment, is nothing


def felt_with_a_trick(*, seed: int = 1) -> Felt:
    felt = Felt(seed=seed)
    for seat, laid in enumerate(TRICK):
        felt.lay(seat, laid, at=float(seat))
    return felt


def times(start: float, end: float, step: float = 0.01) -> list[float]:
    return [start + step * n for n in range(math.ceil((end - start) / step))]


def outside(thing: Lying) -> bool:
    """Whether no part of it can be in the picture."""
    half = 45
    return abs(thing.x) > EDGE_MM[0] - half or abs(thing.y) > EDGE_MM[1] - half


def away(turn: float) -> float:
    """How far a turn is from 0, degrees."""
    return abs((turn + 180) % 360 - 180)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_a_laid_card_lies_before_its_player_upright_to_them_a_little_off(seats):
    felt = Felt(seats, seed=3)
    for number, laid in enumerate(ALL_CARDS[: 4 * seats]):
        seat = number % seats
        told = felt.lay(seat, laid, at=10.0 * number)
        (lying,) = felt.scene(told.settled).cards
        assert lying == told.place
        out, toward = math.hypot(lying.x, lying.y), math.atan2(lying.y, lying.x)
        assert 72 <= out <= 124
        assert away(math.degrees(toward - angle_of(seat, seats))) <= math.degrees(math.atan(SCATTER_MM / 72))
        assert away(lying.turn - upright_for(seat, seats)) <= SCATTER_DEG
        felt.sweep(seat, at=told.settled)


def test_later_cards_lie_over_earlier_ones():
    felt = felt_with_a_trick()
    assert tuple(lying.face for lying in felt.scene(felt.settled).cards) == TRICK


def test_a_card_comes_in_a_hand_from_outside_and_the_hand_goes_without_it():
    felt = Felt(seed=2)
    told = felt.lay(1, TRICK[0], at=5.0)
    assert felt.scene(4.99) == Scene()
    assert 0.5 <= told.settled - told.at <= 0.7
    seen = [felt.scene(t) for t in times(5.0, told.settled)]
    assert all(len(scene.hands) == 1 for scene in seen)
    assert outside(seen[0].cards[0])
    assert not seen[0].cards[0].still
    # The card stays as it was laid while the hand withdraws.
    rest = next(n for n, scene in enumerate(seen) if scene.cards[0].still)
    assert 0.4 < rest / len(seen) < 0.6
    assert {scene.cards for scene in seen[rest:]} == {(told.place,)}
    assert felt.scene(told.settled) == Scene((told.place,))


def test_a_card_in_the_hand_stays_in_the_hand():
    felt = Felt(seed=2)
    told = felt.lay(0, TRICK[0], at=0.0)
    moving = [scene for t in times(0.0, told.settled) if not (scene := felt.scene(t)).cards[0].still]
    offsets = {
        (round(s.cards[0].x - s.hands[0].x, 6), round(s.cards[0].y - s.hands[0].y, 6), s.cards[0].turn) for s in moving
    }
    assert len(offsets) == 1
    assert all(s.cards[0].above == s.hands[0].above for s in moving)


def test_a_lifted_card_leaves_in_the_hand():
    felt = felt_with_a_trick()
    told = felt.lift(2, TRICK[2], at=10.0)
    before = felt.scene(10.0).cards
    last = felt.scene(told.settled - 0.001).cards
    assert [lying.face for lying in before] == list(TRICK)
    assert outside(next(lying for lying in last if lying.face == TRICK[2]))
    assert felt.scene(told.settled).cards == (*before[:2], before[3])


def test_a_card_that_does_not_lie_there_cannot_be_lifted():
    felt = felt_with_a_trick()
    with pytest.raises(ValueError, match="QS of seat 1 does not lie on the felt"):
        felt.lift(1, TRICK[0], at=9.0)


@pytest.mark.parametrize("winner", range(4))
def test_a_swept_felt_is_empty_and_the_cards_went_to_the_winners_edge(winner):
    felt = felt_with_a_trick()
    told = felt.sweep(winner, at=10.0)
    assert told.faces == TRICK
    assert 1.0 <= told.settled - told.at <= 1.2
    direction = math.cos(angle_of(winner, 4)), math.sin(angle_of(winner, 4))
    last = felt.scene(told.settled - 0.005)
    assert [lying.face for lying in last.cards] == list(TRICK)
    assert all(outside(lying) and lying.x * direction[0] + lying.y * direction[1] > 330 for lying in last.cards)
    assert {hand.seat for t in times(told.at, told.settled) for hand in felt.scene(t).hands} == {winner}
    assert felt.scene(told.settled) == Scene()


def test_a_card_is_swept_without_leaps():
    felt = felt_with_a_trick()
    told = felt.sweep(1, at=10.0)
    scenes = [felt.scene(t) for t in times(told.at, told.settled - 0.002, 0.002)]
    steps = [
        math.hypot(b.x - a.x, b.y - a.y)
        for before, after in pairwise(scenes)
        for a, b in zip(before.cards, after.cards, strict=True)
    ]
    assert max(steps) < 12  # 6 m/s
    assert all(len(scene.cards) == 4 for scene in scenes)


def test_nobody_told_who_won_the_last_to_lay_sweeps():
    felt = felt_with_a_trick()
    assert felt.sweep(None, at=10.0).seat == 3


def test_a_card_laid_again_is_put_into_place_anew():
    felt = felt_with_a_trick()
    first = felt.scene(felt.settled).cards[0]
    told = felt.lay(0, TRICK[0], at=10.0)
    cards = felt.scene(told.settled).cards
    assert [lying.face for lying in cards] == [*TRICK[1:], TRICK[0]]
    assert cards[-1] == told.place != first


def test_a_seats_second_card_lies_beside_its_first():
    felt = Felt(seed=4)
    first, second = (felt.lay(2, laid, at=0.0).place for laid in TRICK[:2])
    assert first is not None
    assert second is not None
    assert 5 <= second.x - first.x <= 53


def test_a_hand_does_one_thing_after_the_other_and_nobody_lays_into_a_sweep():
    felt = Felt(seed=5)
    first = felt.lay(0, TRICK[0], at=1.0)
    second = felt.lay(0, TRICK[1], at=1.0)
    other = felt.lay(1, TRICK[2], at=1.0)
    assert (second.at, other.at) == (first.settled, 1.0)
    sweep = felt.sweep(3, at=1.0)
    assert first.settled < sweep.at < second.settled  # the card lies; the hand is still on its way back
    assert felt.lay(2, TRICK[3], at=1.5).at == sweep.settled


def test_a_nudged_card_stays_the_card_it_was_near_to_where_it_lay():
    felt = felt_with_a_trick()
    before = felt.scene(9.0).cards
    told = felt.nudge(1, TRICK[1], at=9.0)
    after = {lying.face: lying for lying in felt.scene(told.settled).cards}
    assert set(after) == set(TRICK)
    moved = after[TRICK[1]]
    assert math.hypot(moved.x - before[1].x, moved.y - before[1].y) == pytest.approx(14)
    assert {before[0], before[2], before[3]} < set(after.values())


def test_a_hand_that_crosses_and_pauses_touches_nothing():
    felt = felt_with_a_trick()
    before = felt.scene(9.0).cards
    told = felt.cross(2, at=9.0, pause_s=3.0)
    assert told.settled - told.at > 3.8
    scenes = [felt.scene(t) for t in times(9.0, told.settled, 0.05)]
    assert {scene.cards for scene in scenes} == {before}
    resting = [scene.hands[0] for scene in scenes if scene.hands[0].vx == scene.hands[0].vy == 0]
    assert 55 <= len(resting) <= 65
    assert felt.scene(told.settled) == Scene(before)


def test_what_is_no_card_can_lie_there_too():
    felt = Felt(seed=6)
    felt.lay(0, "back", at=0.0)
    felt.lay(1, "joker", at=1.0)
    glass = felt.put_glass(2, at=2.0)
    scene = felt.scene(glass.settled)
    assert [lying.face for lying in scene.cards] == ["back", "joker"]
    assert [math.hypot(g.x, g.y) > 200 for g in scene.glasses] == [True]
    felt.sweep(0, at=5.0)
    assert felt.scene(7.0) == Scene(glasses=scene.glasses)


def test_a_card_slid_into_place_never_leaves_the_cloth_and_is_under_the_hand_until_it_lies():
    felt = Felt(seed=11)
    told = felt.slide(1, TRICK[0], at=2.0)
    assert told.released is not None
    under_way = [felt.scene(t) for t in times(2.0, told.released)]
    assert outside(under_way[0].cards[0])
    assert {scene.cards[0].above for scene in under_way} == {0.0}
    offsets = {(round(s.cards[0].x - s.hands[0].x, 6), round(s.cards[0].y - s.hands[0].y, 6)) for s in under_way}
    assert len(offsets) == 1
    assert {felt.scene(t).cards for t in times(told.released + STEP_S, told.settled)} == {(told.place,)}
    assert felt.scene(told.settled) == Scene((told.place,))


def test_two_cards_from_one_hand_come_to_lie_in_the_same_moment_the_second_over_the_first():
    felt = Felt(seed=12)
    told = felt.lay_both(2, (TRICK[0], TRICK[1]), at=1.0)
    assert told.released is not None
    just_before, then = felt.scene(told.released - 0.01), felt.scene(told.released + STEP_S)
    assert [lying.above > 0 for lying in just_before.cards] == [True, True]
    assert [(lying.face, lying.still) for lying in then.cards] == [(TRICK[0], True), (TRICK[1], True)]
    first, second = then.cards
    assert 9 <= math.hypot(second.x - first.x, second.y - first.y) <= 30
    assert len(just_before.hands) == 1
    assert (told.place, told.line()["cards"]) == (second, "QS 2S")
    felt.lift(2, TRICK[0], at=told.settled)
    assert felt.scene(felt.settled).cards == (second,)


def test_two_seats_may_lay_at_once():
    felt = Felt(seed=13)
    told = [felt.lay(seat, TRICK[seat], at=1.0) for seat in (0, 1)]
    assert {each.at for each in told} == {1.0}
    assert [hand.seat for hand in felt.scene(1.2).hands] == [0, 1]
    assert [lying.face for lying in felt.scene(felt.settled).cards] == list(TRICK[:2])


def test_a_card_laid_face_down_is_that_card_when_it_has_been_turned():
    felt = Felt(seed=14)
    felt.lay(3, "back", at=0.0)
    told = felt.turn_up(3, TRICK[0], at=2.0)
    assert told.released is not None
    seen = [felt.scene(t).cards[0] for t in times(told.at, told.settled)]
    shown = [lying.face for lying in seen]
    turned = shown.index(TRICK[0])
    assert set(shown[:turned]) == {"back"}
    assert set(shown[turned:]) == {TRICK[0]}
    assert min(lying.wide for lying in seen) < 0.3
    assert all(lying.wide == 1.0 for lying in seen if lying.still)
    assert felt.scene(told.released + STEP_S).cards == (told.place,)
    assert not felt.lies(3, "back")
    assert felt.lift(3, TRICK[0], at=5.0).faces == (TRICK[0],)


def test_only_a_card_that_lies_face_down_can_be_turned():
    felt = felt_with_a_trick()
    with pytest.raises(ValueError, match="back of seat 0 does not lie on the felt"):
        felt.turn_up(0, TRICK[0], at=9.0)


def test_a_straightened_card_lies_straight_where_it_lay():
    felt = felt_with_a_trick(seed=15)
    for seat, laid in enumerate(TRICK):
        before = next(lying for lying in felt.scene(felt.settled).cards if lying.face == laid)
        place = felt.straighten(seat, laid, at=felt.settled).place
        assert place is not None
        assert away(place.turn - upright_for(seat, 4)) <= 1.5
        assert math.hypot(place.x - before.x, place.y - before.y) <= math.hypot(6, 6)


def test_a_card_of_another_deck_is_another_card_and_says_so():
    felt = Felt(seed=16)
    felt.lay(0, TRICK[0], at=0.0)
    told = felt.lay(0, Stranger(TRICK[0]), at=1.0)
    assert told.line()["card"] == "QS of another deck"
    felt.lift(0, Stranger(TRICK[0]), at=2.0)
    assert [lying.face for lying in felt.scene(felt.settled).cards] == [TRICK[0]]


def test_what_lies_aside_is_not_swept():
    felt = felt_with_a_trick(seed=17)
    aside = felt.lay(1, Stranger("back"), at=5.0, to=(280.0, 10.0)).place
    assert aside is not None
    assert (aside.x, aside.y) == (280.0, 10.0)
    assert felt.sweep(2, at=8.0).faces == TRICK
    assert felt.scene(felt.settled).cards == (aside,)


def test_a_glass_and_a_telephone_are_put_down_and_taken_away():
    felt = Felt(seed=18)
    felt.put_glass(1, at=0.0, to=(50.0, 60.0))
    felt.put_phone(2, at=1.0)
    scene = felt.scene(felt.settled)
    assert [(g.x, g.y, g.still) for g in scene.glasses] == [(50.0, 60.0, True)]
    assert [math.hypot(p.x, p.y) > 200 and p.still for p in scene.phones] == [True]
    told = felt.take_away(1, Glass, at=5.0)
    assert felt.scene(5.0).glasses == scene.glasses
    assert not felt.scene(told.settled - 0.05).glasses[0].still
    assert felt.scene(told.settled) == Scene(phones=scene.phones)
    felt.take_away(2, Phone, at=7.0)
    assert felt.scene(felt.settled) == Scene()
    with pytest.raises(ValueError, match="seat 2 has no phone on the felt"):
        felt.take_away(2, Phone, at=9.0)


def test_a_hand_can_lie_on_any_point_for_a_while():
    felt = Felt(seed=19)
    told = felt.cross(1, at=1.0, pause_s=2.0, to=(235.0, 235.0))
    (hand,) = felt.scene((told.at + told.settled) / 2).hands
    assert (hand.x, hand.y, hand.vx, hand.vy) == (235.0, 235.0, 0.0, 0.0)


def test_lamps_are_switched_off_and_on():
    felt = Felt()
    felt.switch("ceiling", on=False, at=1.0)
    felt.switch("second", on=True, at=2.0)
    felt.switch("ceiling", on=True, at=3.0)
    seen = [felt.scene(t).light for t in (0.9, 1.02, 1.5, 2.5, 3.5)]
    assert [light.ceiling for light in seen] == pytest.approx([1, 0.5, 0, 0, 1])
    assert [light.second for light in seen] == [0, 0, 0, 1, 1]


def test_the_sun_creeps_and_a_cloud_takes_it_away_in_a_second():
    felt = Felt(seed=20)
    felt.shine(at=1.0, seconds=2.0)
    felt.cloud(at=100.0, seconds=1.0)
    early, full, late, half, gone = (felt.scene(t).light.sun for t in (2.0, 3.0, 100.0, 100.5, 101.0))
    assert early is not None
    assert full is not None
    assert late is not None
    assert half is not None
    assert gone is None
    assert [sun.strength for sun in (early, full, late, half)] == pytest.approx([0.5, 1.0, 1.0, 0.5])
    assert math.hypot(late.x - full.x, late.y - full.y) == pytest.approx(97 * SUN_MM_S)
    assert felt.scene(0.5).light == felt.scene(101.0).light == Light()


def test_a_knocked_camera_hangs_otherwise_at_once_and_for_good():
    felt = Felt(seed=21)
    felt.knock(at=2.0, by_mm=6.0, by_deg=0.5)
    felt.knock(at=5.0, by_mm=6.0, by_deg=0.5)
    before, between, after, later, again = (felt.scene(t).shift for t in (2.0, 2.1, 2.0 + KNOCK_S, 4.9, 6.0))
    assert before == Shift()
    assert 3 <= math.hypot(after.x, after.y) <= 6
    assert max(map(abs, (after.turn, *after.tilt))) <= 0.5
    assert (between.x, between.y) == pytest.approx((after.x / 2, after.y / 2))
    assert (between.turn, *between.tilt) == pytest.approx((after.turn / 2, after.tilt[0] / 2, after.tilt[1] / 2))
    assert later == after
    assert 3 <= math.hypot(again.x - after.x, again.y - after.y) <= 6


def test_the_lamp_flickers_and_burns_again():
    felt = Felt()
    felt.lamp(0.5, 0.4, at=1.0)
    assert [felt.scene(t).lamp for t in (0.9, 1.0, 1.02, 1.2, 1.38, 1.4, 9.0)] == pytest.approx(
        [1, 1, 0.75, 0.5, 0.75, 1, 1]
    )


def test_the_same_acts_make_the_same_scenes_in_whatever_order_they_are_asked_for():
    once, again, other = felt_with_a_trick(), felt_with_a_trick(), felt_with_a_trick(seed=2)
    for felt in (once, again, other):
        felt.slide(1, TRICK[0], at=4.0)
        felt.lay(2, "back", at=4.0)
        felt.turn_up(2, TRICK[1], at=5.0)
        felt.put_phone(3, at=5.0)
        felt.shine(at=5.5)
        felt.knock(at=5.8)
        felt.switch("second", on=True, at=5.9)
        felt.sweep(2, at=6.5)
        felt.take_away(3, Phone, at=7.0)
    asked = times(0.0, 10.0, 0.05)
    forwards = [once.scene(t) for t in asked]
    backwards = [again.scene(t) for t in reversed(asked)]
    assert forwards == backwards[::-1] == [once.scene(t) for t in asked]
    assert forwards != [other.scene(t) for t in asked]


def test_scenes_may_be_asked_for_while_others_act():
    felt = Felt(seed=7)

    def play() -> None:
        for number, laid in enumerate(ALL_CARDS):
            felt.lay(number % 4, laid, at=0.1 * number)
            if number % 4 == 3:
                felt.sweep(0, at=0.1 * number)

    player = threading.Thread(target=play)
    player.start()
    while player.is_alive():
        felt.scene(3.0)
    player.join()
    assert felt.scene(felt.settled) == Scene()
    assert len(felt.told) == 52 + 13


def test_the_truth_is_told_line_by_line():
    felt = Felt(seed=8)
    laid = felt.lay(0, card("7H"), at=1.0)
    assert laid.place is not None
    assert laid.line() == {
        "time": 1.0,
        "act": "lay",
        "seat": 0,
        "card": "7H",
        "x": round(laid.place.x, 1),
        "y": round(laid.place.y, 1),
        "turn": round(laid.place.turn, 1),
        "settled": round(laid.settled, 3),
    }
    felt.lay(1, "back", at=2.0)
    swept = felt.sweep(1, at=3.0)
    assert swept.line() == {
        "time": 3.0,
        "act": "sweep",
        "seat": 1,
        "cards": "7H back",
        "settled": round(swept.settled, 3),
    }
    assert felt.lamp(0.5, 0.25, at=9.0).line() == {"time": 9.0, "act": "lamp", "settled": 9.25}
    assert [told.act for told in felt.told] == ["lay", "lay", "sweep", "lamp"]


def test_a_felt_that_forgets_shows_the_same_and_does_not_grow_in_hours():
    felt, keeping = Felt(seed=5, forgets=True), Felt(seed=5)
    now, grown = 0.0, set()
    for number in range(40):
        for each in (felt, keeping):
            for seat in range(4):
                each.lay(seat, ALL_CARDS[(4 * number + seat) % 52], at=now + seat)
            each.nudge(1, ALL_CARDS[(4 * number + 1) % 52], at=now + 4.5)
            each.sweep(number % 4, at=now + 5.0)
        assert felt.settled == keeping.settled
        for t in times(now, felt.settled + 0.2, step=0.3):
            assert felt.scene(t) == keeping.scene(t)
        now = felt.settled + 0.2
        felt.scene(now)
        grown.add((len(felt._motions), len(felt.told)))
    assert (grown, len(keeping.told)) == ({(0, 0)}, 240)
