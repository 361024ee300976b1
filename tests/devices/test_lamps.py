"""Lamps on gpiozero's mock pins: their rhythms and their thread. What holds on the kernel's pins as well is in
``test_header.py``. Whole lists of states are compared: gpiozero's own ``assert_states`` stops at the
shorter list."""

import threading
from itertools import groupby, pairwise

import pytest
from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from tablepi.config import LampPins, LampsConfig, Pins
from tablepi.devices import gpio
from tablepi.devices.lamps import GpioLamps, NoLamps, is_lit, level, open_lamps, seconds_to_change
from tablepi.errors import Missing
from tablepi.views.lamps import COLOURS, MEANINGS, RHYTHMS, SLOT_S, Lamp, Lamps

PINS = Pins(seats=(LampPins(red=17, green=27, blue=22), LampPins(red=23, green=24, blue=25)),
            centre=LampPins(red=4, green=5, blue=12))  # fmt: skip
OFF, TURN, BREACH, LOST = Lamp(), MEANINGS["turn"], MEANINGS["breach"], MEANINGS["lost"]


@pytest.fixture
def factory():
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


class Clock:
    """A clock that a test sets: the lamps' own thread, when it wakes, finds nothing to change."""

    now = 100.0

    def __call__(self):
        return self.now


def still(factory, **changes):
    """Lamps whose clock stands at 100 s."""
    return GpioLamps(PINS, pin_factory=factory, **{"clock": Clock()} | changes)


def states(factory, number):
    """Every level that a pin has had since it was opened, repetitions left out."""
    return [state for state, _ in groupby(s.state for s in factory.pin(number).states)]


def levels(factory, *numbers):
    return tuple(float(factory.pin(n).state) for n in numbers)


# --- the pure part ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rhythm", RHYTHMS)
def test_a_rhythm_is_its_slots_over_and_over(rhythm):
    slots = RHYTHMS[rhythm]
    count = 3 * len(slots)
    assert [int(is_lit(rhythm, n * SLOT_S)) for n in range(count)] == list(slots) * 3
    assert [int(is_lit(rhythm, (n + 0.99) * SLOT_S)) for n in range(count)] == list(slots) * 3


@pytest.mark.parametrize("rhythm", [r for r in RHYTHMS if r != "off"])
def test_every_rhythm_begins_lit_so_that_a_lamp_answers_at_once(rhythm):
    assert is_lit(rhythm, 0.0)


@pytest.mark.parametrize("rhythm", RHYTHMS)
def test_waking_at_each_change_sees_every_change(rhythm):
    seen, at = [is_lit(rhythm, 0.0)], 0.0
    while (wait := seconds_to_change(rhythm, at)) is not None and at < 10:
        assert wait > 0.01
        at += wait
        seen.append(is_lit(rhythm, at))
    assert all(a != b for a, b in pairwise(seen))
    by_slot = [k for k, _ in groupby(bool(RHYTHMS[rhythm][n % len(RHYTHMS[rhythm])]) for n in range(101))]
    assert seen[: len(by_slot)] == by_slot


def test_without_pwm_a_colour_is_on_or_off_and_amber_is_red_and_green():
    assert {c: level(Lamp(c, "steady"), 0.0, pwm=False) for c in COLOURS} == {
        "off": (0, 0, 0),
        "white": (1, 1, 1),
        "green": (0, 1, 0),
        "red": (1, 0, 0),
        "amber": (1, 1, 0),
        "blue": (0, 0, 1),
    }
    assert level(LOST, 0.0, pwm=True) == COLOURS["amber"]
    assert level(LOST, SLOT_S, pwm=True) == (0, 0, 0)


# --- on pins ------------------------------------------------------------------------------------------------------


def test_the_levels_of_a_pin_are_those_of_the_rhythm_and_no_others(factory):
    clock = Clock()
    with still(factory, clock=clock) as lamps:
        lamps.show(Lamps((BREACH, OFF), OFF))
        for n in range(6):
            clock.now = 100.0 + n * SLOT_S
            lamps.play(clock.now)
        assert states(factory, 17) == [0, 1, 0, 1, 0, 1, 0]
        assert states(factory, 27) == states(factory, 22) == [0]


def test_the_thread_plays_the_rhythms():
    flashed = threading.Semaphore(0)

    class Watched(MockPWMPin):
        def _set_state(self, value):
            super()._set_state(value)
            if value == 0 and self.info.name == "GPIO17":
                flashed.release()

    factory = MockFactory(pin_class=Watched)
    with GpioLamps(PINS, pin_factory=factory) as lamps:
        while flashed.acquire(blocking=False):
            pass  # what opening did
        lamps.show(Lamps((BREACH, OFF), OFF))
        assert flashed.acquire(timeout=5)
        assert flashed.acquire(timeout=5)
    assert states(factory, 17)[:5] == [0, 1, 0, 1, 0]
    factory.reset()


def test_the_lamps_that_do_not_change_are_not_touched_and_keep_their_rhythm():
    touched = []

    class Watched(MockPWMPin):
        def _set_state(self, value):
            super()._set_state(value)
            touched.append(self.info.name)

    factory, clock = MockFactory(pin_class=Watched), Clock()
    with still(factory, clock=clock) as lamps:
        lamps.show(Lamps((TURN, OFF), OFF))
        clock.now = 101.0
        lamps.play(clock.now)  # the slow lamp is dark now
        touched.clear()
        lamps.show(Lamps((TURN, BREACH), OFF))
        lamps.play(clock.now)
        assert touched == ["GPIO23", "GPIO24", "GPIO25"]
        assert levels(factory, 17, 23) == (0, 1)
    factory.reset()


def test_lamps_shown_together_blink_together_and_one_shown_later_begins_lit(factory):
    clock = Clock()
    with still(factory, clock=clock) as lamps:
        lamps.show(Lamps((BREACH, OFF), BREACH))
        clock.now = 100.15
        lamps.play(clock.now)
        assert levels(factory, 17, 4) == (0, 0)
        lamps.show(Lamps((BREACH, BREACH), BREACH))
        assert levels(factory, 17, 4, 23) == (0, 0, 1)


def test_the_wait_is_until_the_next_change_of_any_lamp(factory):
    with still(factory) as lamps:
        lamps.show(Lamps((TURN, OFF), MEANINGS["winner"]))
        assert lamps.play(100.0) == pytest.approx(0.8)
        lamps.show(Lamps((TURN, BREACH), MEANINGS["winner"]))
        assert lamps.play(100.0) == pytest.approx(0.1)
        lamps.show(Lamps((OFF, OFF), MEANINGS["winner"]))
        assert lamps.play(100.0) is None


def test_pwm_dims_amber(factory):
    with still(factory, pwm=True) as lamps:
        lamps.show(Lamps((LOST, OFF), OFF))
        assert levels(factory, 17, 27, 22) == pytest.approx(COLOURS["amber"])


@pytest.mark.parametrize("lamp", [LampPins(red=17), LampPins(pin=17)])
def test_a_lamp_of_one_colour_that_is_dimmed_says_every_meaning_by_its_rhythm(factory, lamp):
    clock, one = Clock(), Pins(seats=(lamp,))
    with GpioLamps(one, pwm=True, pin_factory=factory, clock=clock) as lamps:
        for meaning in MEANINGS.values():
            lamps.show(Lamps((meaning,), OFF))
            began, played = clock.now, []
            for n in range(len(RHYTHMS[meaning.rhythm])):
                clock.now = began + n * SLOT_S
                lamps.play(clock.now)
                played.append(int(factory.pin(17).state))
            assert tuple(played) == RHYTHMS[meaning.rhythm]


def test_no_two_meanings_have_one_rhythm_even_if_watched_from_its_middle():
    def turned(slots):
        whole = slots * (120 // len(slots))
        return {whole[n:] + whole[:n] for n in range(len(slots))}

    rhythms = [RHYTHMS[lamp.rhythm] for lamp in MEANINGS.values()]
    for i, one in enumerate(rhythms):
        for other in rhythms[i + 1 :]:
            assert turned(one) & turned(other) == set(), (one, other)


def test_pins_that_only_switch_are_enough_without_pwm():
    factory = MockFactory(pin_class=MockPin)
    with still(factory) as lamps:
        lamps.show(Lamps((LOST, OFF), OFF))
        assert levels(factory, 17, 27, 22) == (1, 1, 0)
    factory.reset()


def test_a_table_with_more_seats_than_lamps_shows_what_it_has(factory):
    with still(factory) as lamps:
        lamps.show(Lamps((OFF, BREACH, TURN, TURN), OFF))
        assert levels(factory, 17, 23) == (0, 1)


def test_a_pin_that_is_busy_is_named_with_its_lamp_and_no_lamp_stays_open(factory):
    with LED(25, pin_factory=factory):
        with pytest.raises(Missing, match=r"^lamp of seat 1 \(GPIO 25\): .*25"), still(factory):
            pass
        with LED(17, pin_factory=factory):
            pass


def test_a_fault_while_playing_is_raised_by_the_next_show(factory):
    died = threading.Event()

    def clock():
        if threading.current_thread().name == "lamps":
            died.set()
            raise ZeroDivisionError("a bug")
        return 100.0

    with still(factory, clock=clock) as lamps:
        assert died.wait(5)
        lamps._player.join(5)
        with pytest.raises(ZeroDivisionError):
            lamps.show(Lamps((OFF, OFF), OFF))


# --- which lamps --------------------------------------------------------------------------------------------------


@pytest.fixture
def no_pins_chosen(monkeypatch):
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(Device, "pin_factory", None)


def test_lamps_of_the_configuration_are_opened_and_given_back_in_the_end(factory):
    with open_lamps(LampsConfig(pins=PINS, common="anode"), pin_factory=factory) as lamps:
        assert lamps.reason == ""
        lamps.show(Lamps((BREACH, OFF), OFF))
        assert levels(factory, 17, 27) == (0, 1)
        green = factory.pin(27)
    assert green.function == "input"


def test_gpiozeros_own_choice_of_pins_is_kept(factory, monkeypatch):
    monkeypatch.setattr(Device, "pin_factory", factory)
    with open_lamps(LampsConfig(pins=PINS)) as lamps:
        assert isinstance(lamps, GpioLamps)


@pytest.mark.usefixtures("no_pins_chosen")
def test_where_there_is_no_gpio_the_display_is_told_and_showing_does_nothing(monkeypatch):
    monkeypatch.setattr(gpio, "pi_chip", lambda devices: None)
    with open_lamps(LampsConfig(pins=PINS)) as lamps:
        assert isinstance(lamps, NoLamps)
        assert lamps.reason == "no GPIO here: lamps are shown on the display"
        lamps.show(Lamps((BREACH, OFF), OFF))


def test_without_a_pin_map_there_are_no_lamps():
    with open_lamps(LampsConfig()) as lamps:
        assert lamps.reason == "no lamps in the configuration: lamps are shown on the display"
