"""Lamps, buttons and pins that others hold, on a Pi's header: on gpiozero's mock pins, and in the virtual Pi
(``test_virtual_pi.py``) on the kernel's own chip.

Here tablepi finds its pins by itself, and what comes of it is read back from the header, not asked of gpiozero."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys

import pytest
from gpiozero import Button

from tablepi.cli import main
from tablepi.config import LampPins, LampsConfig, Pins
from tablepi.devices.buttons import open_buttons
from tablepi.devices.buzzer import GpioBuzzer
from tablepi.devices.gpio import give_back, header_pins
from tablepi.devices.lamps import GpioLamps, open_lamps
from tablepi.views.lamps import COLOURS, MEANINGS, RHYTHMS, SLOT_S, Lamp, Lamps
from tablepi.views.screen import Command
from tablepi.views.sounds import SOUNDS

from ..children import rest_of
from .header import header_of

PINS = Pins(seats=(LampPins(red=17, green=27, blue=22), LampPins(red=23, green=24, blue=25)),
            centre=LampPins(red=4, green=5, blue=12))  # fmt: skip
NUMBERS = (17, 27, 22, 23, 24, 25, 4, 5, 12)
OFF, TURN, BREACH = Lamp(), MEANINGS["turn"], MEANINGS["breach"]
ANODE_OR_CATHODE = pytest.mark.parametrize("common", ["cathode", "anode"])


@pytest.fixture
def kind(request):
    return "kernel" if request.config.getoption("--kernel-pins") else "mock"


@pytest.fixture
def header(kind, monkeypatch):
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    header = header_of(kind)
    yield header
    header.close()


class Clock:
    """A clock that a test sets: the lamps' own thread, when it wakes, finds nothing to change."""

    now = 100.0

    def __call__(self):
        return self.now


# --- lamps --------------------------------------------------------------------------------------------------------


def test_a_lamp_shines_before_show_returns(header):
    with open_lamps(LampsConfig(pins=PINS)) as lamps:
        assert lamps.reason == ""
        lamps.show(Lamps((MEANINGS["winner"], OFF), BREACH))
        assert header.levels(*NUMBERS)[:6] == (0, 1, 0, 0, 0, 0)
        assert header.functions(*NUMBERS) == ("output",) * 9


@ANODE_OR_CATHODE
def test_every_colour_is_what_its_pins_have(header, common):
    shown = {}
    with open_lamps(LampsConfig(pins=PINS, common=common)) as lamps:
        for colour in COLOURS:
            lamps.show(Lamps((OFF, Lamp(colour, "off" if colour == "off" else "steady")), OFF))
            shown[colour] = header.levels(23, 24, 25)
        others = header.levels(17, 27, 22, 4, 5, 12)
    lit = {
        "off": (0, 0, 0),
        "white": (1, 1, 1),
        "green": (0, 1, 0),
        "red": (1, 0, 0),
        "amber": (1, 1, 0),
        "blue": (0, 0, 1),
    }
    dark = 1 if common == "anode" else 0
    assert shown == {colour: tuple(level ^ dark for level in levels) for colour, levels in lit.items()}
    assert others == (dark,) * 6


@pytest.mark.parametrize("rhythm", ["slow", "fast", "double", "triple", "blip", "steady", "off"])
def test_a_lamp_plays_its_whole_rhythm(header, rhythm):
    clock = Clock()
    with header_pins() as factory, GpioLamps(PINS, pin_factory=factory, clock=clock) as lamps:
        lamps.show(Lamps((Lamp("green", rhythm), OFF), OFF))
        played = []
        for n in range(2 * len(RHYTHMS[rhythm])):
            clock.now = 100.0 + n * SLOT_S
            lamps.play(clock.now)
            played.append(header.levels(17, 27, 22))
        assert played == [(0, slot, 0) for slot in RHYTHMS[rhythm] * 2]


@pytest.mark.parametrize("lamp", [LampPins(red=17), LampPins(pin=17)])
def test_a_lamp_of_one_colour_says_every_meaning_by_its_rhythm(header, lamp):
    clock, one = Clock(), Pins(seats=(lamp,))
    with header_pins() as factory, GpioLamps(one, pin_factory=factory, clock=clock) as lamps:
        for meaning in MEANINGS.values():
            lamps.show(Lamps((meaning,), OFF))
            began, played = clock.now, []
            for n in range(len(RHYTHMS[meaning.rhythm])):
                clock.now = began + n * SLOT_S
                lamps.play(clock.now)
                played += header.levels(17)
            assert tuple(played) == RHYTHMS[meaning.rhythm]


@ANODE_OR_CATHODE
def test_every_lamp_is_dark_when_closed_and_its_pins_are_given_back(header, common):
    dark = 1 if common == "anode" else 0
    with open_lamps(LampsConfig(pins=PINS, common=common)) as lamps:
        lamps.show(Lamps((Lamp("white", "steady"),) * 2, Lamp("white", "steady")))
        assert header.levels(*NUMBERS) == (1 - dark,) * 9
    assert (header.levels(*NUMBERS), header.functions(*NUMBERS)) == ((dark,) * 9, ("input",) * 9)
    with header.held(17):
        pass


PROGRAM = """
import atexit, sys, threading
from tablepi.commands.parts import end_on_signals
from tablepi.config import LampPins, LampsConfig, Pins
from tablepi.devices.lamps import open_lamps
from tablepi.views.lamps import MEANINGS, Lamp, Lamps
from tests.devices.header import header_of

ending, kind, common = sys.argv[1:]
header = header_of(kind)
end_on_signals()
lamp = LampPins(red=17, green=27, blue=22)
opened = open_lamps(LampsConfig(pins=Pins(seats=(lamp,), centre=LampPins(pin=4)), common=common))
told = lambda: print(*header.levels(17, 27, 22, 4), *header.functions(17, 4), flush=True)
atexit.register(told)
lamps = opened.__enter__()
lamps.show(Lamps((MEANINGS["winner"],), Lamp("white", "steady")))
told()
while ending == "waits":
    threading.Event().wait(0.1)  # for ever and in one go, it would sleep through a signal that comes just before
"""


@ANODE_OR_CATHODE
@pytest.mark.parametrize("ending", ["ends", "waits"])
def test_lamps_are_dark_when_the_program_ends_or_is_told_to_end(header, kind, common, ending):
    words = [sys.executable, "-c", PROGRAM, ending, kind, common]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lit = child.stdout.readline()
        if ending == "waits":
            child.send_signal(signal.SIGTERM)
        out, err = rest_of(child, within_s=120)
    green, dark = ("1 0 1 0", "1 1 1 1") if common == "anode" else ("0 1 0 1", "0 0 0 0")
    assert (lit, out, err) == (f"{green} output output\n", f"{dark} input input\n", "")
    assert child.returncode == 0
    if kind == "kernel":  # mock pins end with their process
        assert " ".join(map(str, header.levels(17, 27, 22, 4))) == dark


@pytest.mark.parametrize(("common", "dark"), [("cathode", 0), ("anode", 1)])
def test_what_a_program_that_was_killed_left_lit_is_turned_off(header, tmp_path, common, dark):
    (tmp_path / "table.yaml").write_text(
        f"lamps: {{common: {common}, pins: {{seats: [{{red: 17, green: 27, blue: 22}}, {{pin: 23}}], buzzer: 18}}}}\n"
    )
    header.left_lit(17, 23, 18)
    assert header.levels(17, 23, 18) == (1, 1, 1)
    assert main(["lamps", "off", "--config", str(tmp_path / "table.yaml")]) == 0
    assert header.levels(17, 27, 22, 23, 18) == (dark,) * 4 + (0,)
    assert header.functions(17, 27, 22, 23, 18) == ("input",) * 5


# --- pins that others hold ----------------------------------------------------------------------------------------


def test_a_pin_that_is_held_leaves_the_table_without_lamps_and_names_lamp_pin_and_holder(header):
    with header.held(25) as holder, open_lamps(LampsConfig(pins=PINS)) as lamps:
        assert lamps.reason.startswith(f"lamp of seat 1 (GPIO 25): {holder}")
        assert lamps.reason.endswith(": lamps are shown on the display")
        assert header.functions(17, 27, 22, 23, 24) == ("input",) * 5
    with open_lamps(LampsConfig(pins=PINS)) as lamps:
        assert lamps.reason == ""


def test_a_button_that_is_held_is_named_and_the_others_can_be_had(header):
    pins = {"confirm": 10, "undo": 11}
    with (
        header.held(10) as holder,
        header_pins() as factory,
        open_buttons(pins, queue.Queue(), pin_factory=factory) as missing,
    ):
        assert list(missing) == ["confirm"]
        assert missing["confirm"].startswith(f"button confirm (GPIO 10): {holder}")
        assert header.pulls(11) == ("up",)


# --- buttons and the buzzer ---------------------------------------------------------------------------------------


def test_a_button_is_an_input_that_is_pulled_up_and_is_given_back(header):
    with header_pins() as factory, open_buttons({"confirm": 10, "seat-2": 9}, queue.Queue(), pin_factory=factory) as no:
        assert (no, header.functions(10, 9), header.pulls(10, 9)) == ({}, ("input",) * 2, ("up",) * 2)
    with header.held(10), header.held(9):
        pass


def test_a_buttons_pin_is_read_as_it_is_driven(header):
    with header_pins() as factory:
        button = Button(10, pull_up=True, pin_factory=factory)
        seen = []
        for level in (1, 0, 1):
            header.drive(10, level)
            seen.append(button.is_pressed)
        give_back(button)
    assert seen == [False, True, False]


def test_a_press_asks_for_what_its_button_is_for(header, kind):
    if kind == "kernel":
        pytest.skip("QEMU's model of the Pi's GPIO raises no interrupts, so nobody is told of a press")
    inbox: queue.Queue[Command] = queue.Queue()
    with header_pins() as factory, open_buttons({"confirm": 10, "seat-2": 9}, inbox, pin_factory=factory):
        for number in (9, 10):
            header.drive(number, 0)
            header.drive(number, 1)
        assert [inbox.get(timeout=10) for _ in range(2)] == [Command("confirm", "2"), Command("confirm")]


def test_buttons_can_be_given_back_and_had_again_at_any_time(header):
    for _ in range(20):
        with header_pins() as factory, open_buttons({"confirm": 10}, queue.Queue(), pin_factory=factory) as missing:
            assert missing == {}
    assert header.functions(10) == ("input",)


@pytest.mark.parametrize("name", SOUNDS)
def test_the_buzzer_plays_its_whole_sound(header, name):
    clock = Clock()
    with header_pins() as factory, GpioBuzzer(18, pin_factory=factory, clock=clock) as buzzer:
        buzzer.sound(name)
        heard = []
        for n in range(len(SOUNDS[name]) + 1):
            clock.now = 100.0 + n * SLOT_S
            buzzer.play(clock.now)
            heard += header.levels(18)
        assert heard == [*SOUNDS[name], 0]
    assert (header.levels(18), header.functions(18)) == ((0,), ("input",))
