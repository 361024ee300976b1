"""The reset pin of PN532 boards, on mock pins."""

from contextlib import contextmanager

import pytest
from gpiozero.pins.mock import MockFactory

from tablepi.devices.reset import LOW_S, READY_S, ResetPin
from tablepi.errors import Missing


@pytest.fixture
def pins():
    factory = MockFactory()
    yield factory
    factory.reset()


def test_a_pulse_is_low_for_a_while_and_gives_the_chip_its_time(pins):
    seen = []
    reset = ResetPin(7, pins, pause=lambda seconds: seen.append((seconds, pins.pin(7).state)))
    reset()
    reset()
    assert seen == [(LOW_S, False), (READY_S, True)] * 2
    assert pins.pin(7).state


def test_a_pin_is_not_touched_before_it_is_wanted(pins):
    ResetPin(7, pins)
    assert pins.pins == {}


def test_a_pin_that_cannot_be_had_is_said_once(pins, caplog):
    reset = ResetPin(99, pins, pause=lambda seconds: pytest.fail("there is no pin to hold low"))
    reset()
    reset()
    (told,) = caplog.messages
    assert told.startswith("the boards cannot be reset: reset (GPIO 99): ")


def test_a_machine_without_pins_is_said_and_not_asked_again(monkeypatch, caplog):
    asked = []

    @contextmanager
    def none_here():
        asked.append(True)
        raise Missing("no GPIO here")
        yield

    monkeypatch.setattr("tablepi.devices.reset.header_pins", none_here)
    reset = ResetPin(7, pause=lambda seconds: pytest.fail("there is no pin to hold low"))
    reset()
    reset()
    assert (caplog.messages, asked) == (["the boards cannot be reset: no GPIO here"], [True])
