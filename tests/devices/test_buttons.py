"""Buttons on gpiozero's mock pins, whose contacts the test closes and opens."""

import queue
from contextlib import contextmanager

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory

from tablepi.config import BUTTONS
from tablepi.devices.buttons import BOUNCE_S, SPACING_S, command_of, open_buttons
from tablepi.views.screen import COMMANDS, Command

PINS = {"confirm": 10, "undo": 11, "seat-2": 9}


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def factory():
    factory = MockFactory()
    yield factory
    factory.reset()


@contextmanager
def table(factory, *, pins=PINS, room=8):
    """The buttons, their inbox, and a clock that stands still."""
    inbox, clock = queue.Queue(room), Clock()
    with open_buttons(pins, inbox, pin_factory=factory, clock=clock) as missing:
        yield inbox, clock, missing


def push(factory, number):
    factory.pin(number).drive_low()
    factory.pin(number).drive_high()


def asked(inbox):
    return [inbox.get_nowait() for _ in range(inbox.qsize())]


def test_each_button_asks_for_its_own(factory):
    with table(factory) as (inbox, _, missing):
        for number in (11, 9, 10):
            push(factory, number)
        assert (asked(inbox), missing) == ([Command("undo"), Command("confirm", "2"), Command("confirm")], {})


def test_every_name_of_a_button_is_a_command_of_the_table():
    assert {command_of(name).name for name in BUTTONS} == set(COMMANDS)
    assert command_of("end-hand") == Command("end-hand")


def test_a_button_is_pulled_up_and_gpiozero_waits_out_the_bouncing(factory):
    with table(factory):
        assert [(factory.pin(n).pull, factory.pin(n).bounce) for n in PINS.values()] == [("up", BOUNCE_S)] * 3


def test_a_button_that_is_held_is_one_press_and_so_is_one_that_bounces(factory):
    with table(factory) as (inbox, clock, _):
        factory.pin(10).drive_low()
        clock.now += 60
        assert asked(inbox) == [Command("confirm")]
        factory.pin(10).drive_high()
        for _ in range(5):  # faster than any finger
            clock.now += SPACING_S / 10
            push(factory, 10)
        assert asked(inbox) == [Command("confirm")]


def test_a_second_press_of_the_same_finger_counts_and_another_button_need_not_wait(factory):
    with table(factory) as (inbox, clock, _):
        push(factory, 10)
        push(factory, 11)
        clock.now += SPACING_S
        push(factory, 10)
        assert asked(inbox) == [Command("confirm"), Command("undo"), Command("confirm")]


def test_a_button_that_is_stuck_from_the_beginning_is_no_press(factory):
    factory.pin(10).drive_low()
    with table(factory) as (inbox, _, _):
        assert asked(inbox) == []


def test_a_full_inbox_loses_the_press_and_says_so(factory, caplog):
    with table(factory, room=1) as (inbox, _, _):
        push(factory, 10)
        push(factory, 11)
        assert asked(inbox) == [Command("confirm")]
        assert [r.getMessage() for r in caplog.records] == [
            "button undo: too much waits to be taken in, so this press is lost"
        ]


def test_a_pin_that_cannot_be_had_is_named_and_the_other_buttons_work(factory):
    with LED(10, pin_factory=factory), table(factory) as (inbox, _, missing):
        (why,) = missing.values()
        assert (list(missing), why.startswith("button confirm (GPIO 10): ")) == (["confirm"], True)
        push(factory, 11)
        assert asked(inbox) == [Command("undo")]


def test_the_pins_are_given_back_and_press_nothing_more(factory):
    with table(factory) as (inbox, _, _):
        pin = factory.pin(10)
    push(factory, 10)
    assert (asked(inbox), pin.function) == ([], "input")
    with LED(10, pin_factory=factory):
        pass


def test_a_pin_that_is_busy_when_the_table_closes_is_given_back_a_little_later(factory, monkeypatch):
    with table(factory) as (_, _, missing):
        pin, busy = factory.pin(10), iter([True, False])
        close = pin.close

        def closed_later():
            if next(busy):
                raise Exception("'GPIO busy'")
            close()

        monkeypatch.setattr(pin, "close", closed_later)
    assert (missing, pin.function, next(busy, "closed")) == ({}, "input", "closed")
