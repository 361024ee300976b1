"""The buzzer on gpiozero's mock pins."""

import subprocess
import sys
import threading
from itertools import groupby

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tablepi.devices.buzzer import GpioBuzzer, seconds_to_change, sounds_at
from tablepi.errors import Missing
from tablepi.views.lamps import SLOT_S
from tablepi.views.sounds import HERTZ, SOUNDS


@pytest.fixture
def factory():
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


class Clock:
    """A clock that a test sets: the buzzer's own thread, when it wakes, finds nothing to change."""

    now = 100.0

    def __call__(self):
        return self.now


def played(buzzer, clock, heard, slots):
    """What is heard in each of so many slots from now on."""
    began, told = clock.now, []
    for n in range(slots):
        clock.now = began + n * SLOT_S
        buzzer.play(clock.now)
        told.append(heard())
    return tuple(told)


@pytest.mark.parametrize("name", SOUNDS)
def test_a_sound_is_its_slots_once(name):
    slots = SOUNDS[name]
    assert [int(sounds_at(name, n * SLOT_S)) for n in range(len(slots) + 5)] == [*slots, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("name", SOUNDS)
def test_waking_at_each_change_hears_every_change(name):
    heard, at = [sounds_at(name, 0.0)], 0.0
    while (wait := seconds_to_change(name, at)) is not None:
        assert wait > 0.01
        at += wait
        heard.append(sounds_at(name, at))
    assert heard == [bool(slot) for slot, _ in groupby((*SOUNDS[name], 0))]


@pytest.mark.parametrize("name", SOUNDS)
def test_an_active_buzzer_is_switched_on_and_off(factory, name):
    clock = Clock()
    with GpioBuzzer(18, pin_factory=factory, clock=clock) as buzzer:
        buzzer.sound(name)
        heard = played(buzzer, clock, lambda: int(factory.pin(18).state), len(SOUNDS[name]) + 2)
        assert heard == (*SOUNDS[name], 0, 0)


def test_a_tonal_buzzer_is_given_the_pitch(factory):
    clock = Clock()
    with GpioBuzzer(18, tonal=True, pin_factory=factory, clock=clock) as buzzer:
        for name in SOUNDS:
            buzzer.sound(name)
            heard = played(buzzer, clock, lambda: factory.pin(18).frequency, len(SOUNDS[name]) + 1)
            assert heard == pytest.approx((*(HERTZ[name] if slot else None for slot in SOUNDS[name]), None))


def test_a_new_sound_takes_the_place_of_the_one_before(factory):
    clock = Clock()
    with GpioBuzzer(18, pin_factory=factory, clock=clock) as buzzer:
        buzzer.sound("question")
        played(buzzer, clock, lambda: None, 3)
        buzzer.sound("breach")
        heard = played(buzzer, clock, lambda: int(factory.pin(18).state), 6)
        assert heard == (1, 0, 1, 0, 0, 0)


def test_the_thread_plays_the_sound():
    beeped = threading.Semaphore(0)

    class Watched(MockPWMPin):
        def _set_state(self, value):
            super()._set_state(value)
            if value:
                beeped.release()

    factory = MockFactory(pin_class=Watched)
    with GpioBuzzer(18, pin_factory=factory) as buzzer:
        buzzer.sound("breach")
        assert beeped.acquire(timeout=5)
        assert beeped.acquire(timeout=5)
    factory.reset()


def test_the_buzzer_is_silent_and_its_pin_given_back_when_closed(factory):
    with GpioBuzzer(18, pin_factory=factory, clock=Clock()) as buzzer:
        buzzer.sound("question")
        buzzer.play(100.0)
        pin = factory.pin(18)
        assert pin.state == 1
    assert pin.state == 0
    buzzer.close()
    with LED(18, pin_factory=factory):
        pass


def test_the_buzzer_is_silent_when_the_program_ends_without_closing_it():
    program = """
import atexit
from gpiozero.pins.mock import MockFactory
from tablepi.devices.buzzer import GpioBuzzer
factory = MockFactory()
atexit.register(lambda: print(factory.pin(18).states[-2].state, factory.pin(18).states[-1].state))
buzzer = GpioBuzzer(18, pin_factory=factory, clock=lambda: 100.0).__enter__()
buzzer.sound("question")
buzzer.play(100.0)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert (ended.stdout, ended.stderr) == ("True False\n", "")


def test_a_pin_that_cannot_be_had_is_named(factory):
    with LED(18, pin_factory=factory), pytest.raises(Missing, match=r"^buzzer \(GPIO 18\): "):
        GpioBuzzer(18, pin_factory=factory).__enter__()


def test_a_fault_while_playing_is_raised_by_the_next_sound(factory):
    died = threading.Event()

    def clock():
        if threading.current_thread().name == "buzzer":
            died.set()
            raise ZeroDivisionError("a bug")
        return 100.0

    with GpioBuzzer(18, pin_factory=factory, clock=clock) as buzzer:
        assert died.wait(5)
        buzzer._player.join(5)
        with pytest.raises(ZeroDivisionError):
            buzzer.sound("breach")
