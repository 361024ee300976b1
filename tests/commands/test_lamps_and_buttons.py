"""``tablepi lamps``, and the lamps, buttons and the buzzer of a table that runs, on gpiozero's mock pins."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tablepi.commands.parts import end_on_signals, lamps_and_buttons
from tablepi.config import Config, LampPins, LampsConfig, Pins
from tablepi.devices import gpio
from tablepi.devices.ws2812 import encoded
from tablepi.views.lamps import MEANINGS, Lamp, Lamps
from tablepi.views.screen import Command
from tablepi.views.sounds import SOUNDS

from ..children import rest_of
from .conftest import environ

PINS = Pins(
    seats=(LampPins(red=17, green=27, blue=22), LampPins(pin=23)), buttons={"confirm": 10, "undo": 11}, buzzer=18
)
TABLE = "lamps: {pins: {seats: [{red: 17, green: 27, blue: 22}, {pin: 23}], centre: {pin: 4}, "
TABLE += "buttons: {confirm: 10, undo: 11, next-hand: 9}, buzzer: 18}}\n"


@pytest.fixture
def factory(monkeypatch):
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


@pytest.fixture
def no_gpio(monkeypatch):
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(gpio, "pi_chip", lambda devices: None)


# --- the command --------------------------------------------------------------------------------------------------


def test_the_legend_has_every_lamp_and_every_sound_with_its_rhythm(here):
    said = here("lamps")
    lines = said.out.splitlines()
    assert (said.status, said.err, len(lines)) == (0, "", 2 + len(MEANINGS) - 1 + 1 + len(SOUNDS))
    assert lines[0] == "What the lamps mean (▮ = 0.1 s)"
    assert (
        "  ▮·▮·▮·▮·▮·▮·▮·▮·▮·▮·  red    fast blink                 the card just laid is illegal: take it b" in said.out
    )
    assert (
        "  ▮·▮                   two short            the card just laid is illegal: take it back or play" in said.out
    )


@pytest.mark.parametrize(
    ("spoken", "title", "sounds"),
    [
        ("pt-PT", "O que dizem as luzes (▮ = 0,1 s)", "O que diz o sinal sonoro"),
        ("pt-BR", "O que dizem as luzes (▮ = 0,1 s)", "O que diz o sinal sonoro"),
    ],
)
def test_the_legend_speaks_portuguese(here, spoken, title, sounds):
    lines = here("--lang", spoken, "lamps").out.splitlines()
    assert (lines[0], lines[len(MEANINGS) + 1]) == (title, sounds)


def test_all_is_off_after_a_crash(here, tmp_path, factory):
    (tmp_path / "table.yaml").write_text(TABLE)
    for number in (17, 23, 4, 18):  # as the crash left them
        factory.pin(number).function = "output"
        factory.pin(number).state = 1
    told = here("lamps", "off", "--config", tmp_path / "table.yaml")
    assert (told.status, told.out, told.err) == (0, "", "")
    assert [factory.pin(number).state for number in (17, 27, 22, 23, 4, 18)] == [0] * 6


def test_a_table_without_lamps_has_none_to_turn_off(here, tmp_path, no_gpio):
    (tmp_path / "table.yaml").write_text("players: [A, B, C]\n")
    assert here("lamps", "off", "--config", tmp_path / "table.yaml").status == 0


def test_a_strip_is_made_dark_though_the_buzzer_cannot_be_had(here, tmp_path, no_gpio, monkeypatch):
    sent = []
    port = SimpleNamespace(name="strip", open=lambda: None, write=sent.append, close=lambda: None)
    monkeypatch.setattr("tablepi.devices.ws2812.SpiPort", lambda path: port)
    (tmp_path / "table.yaml").write_text("lamps: {kind: ws2812, pixels: 2, pins: {buzzer: 18}}\n")
    told = here("lamps", "off", "--config", tmp_path / "table.yaml")
    assert (told.status, told.err) == (3, "tablepi: no GPIO here\n")
    assert set(sent) == {encoded([(0, 0, 0)] * 8)}


def test_lamps_that_cannot_be_turned_off_are_said_with_the_reason(here, tmp_path, no_gpio):
    (tmp_path / "table.yaml").write_text(TABLE)
    told = here("lamps", "off", "--config", tmp_path / "table.yaml")
    assert (told.status, told.err) == (3, "tablepi: no GPIO here\n")
    assert here("lamps", "off").status == 2


# --- at the table -------------------------------------------------------------------------------------------------


def opened(stack: ExitStack, inbox: queue.Queue, **config):
    given = Config(**{"lamps": LampsConfig(pins=PINS)} | config)
    return lamps_and_buttons(stack, given, given.lamps, inbox, None)


def test_lamps_buttons_and_buzzer_of_a_table_are_opened_together(factory, capsys):
    inbox: queue.Queue = queue.Queue()
    with ExitStack() as stack:
        lamps, buzzer, lacking = opened(stack, inbox)
        lamps.show(Lamps((MEANINGS["winner"], MEANINGS["winner"]), Lamp()))
        factory.pin(11).drive_low()
        assert [factory.pin(n).state for n in (17, 27, 22, 23)] == [0, 1, 0, 1]
        assert (inbox.get_nowait(), lacking, buzzer is not None) == (Command("undo"), (), True)
    assert capsys.readouterr().err == ""
    assert [factory.pin(n).function for n in (17, 23, 10, 18)] == ["input"] * 4


def test_a_table_that_wants_no_sound_leaves_the_buzzer_alone(factory):
    with ExitStack() as stack:
        assert opened(stack, queue.Queue(), sound=False)[1:] == (None, ())
        with LED(18):
            pass


def test_what_cannot_be_had_is_said_once_each_and_the_rest_works(factory, capsys):
    with ExitStack() as stack:
        for number in (23, 10, 18):
            stack.enter_context(LED(number))
        inbox: queue.Queue = queue.Queue()
        lamps, buzzer, lacking = opened(stack, inbox)
        assert lacking == ("lamps-on-display", "no-buttons: confirm", "no-buzzer")
        assert (lamps.reason.startswith("lamp of seat 1 (GPIO 23): "), buzzer) == (True, None)
        factory.pin(11).drive_low()
        assert inbox.get_nowait() == Command("undo")
    said = capsys.readouterr().err.splitlines()
    assert [line.split(")")[0] for line in said] == [
        "tablepi: lamp of seat 1 (GPIO 23",
        "tablepi: button confirm (GPIO 10",
        "tablepi: buzzer (GPIO 18",
    ]


def test_without_gpio_the_game_goes_on_and_says_so_once(no_gpio, capsys):
    with ExitStack() as stack:
        lamps, buzzer, lacking = opened(stack, queue.Queue())
        lamps.show(Lamps((MEANINGS["winner"],), Lamp()))
        assert (buzzer, lacking) == (None, ("no-gpio",))
    assert capsys.readouterr().err == ("tablepi: no GPIO here: lamps are shown on the display, no buttons, no buzzer\n")


def test_a_table_without_any_says_nothing(no_gpio, capsys):
    with ExitStack() as stack:
        assert opened(stack, queue.Queue(), lamps=LampsConfig())[1:] == (None, ())
    assert capsys.readouterr().err == ""


def test_a_table_may_have_no_lamp_but_that_in_the_centre(factory):
    with ExitStack() as stack:
        lamps, _, lacking = opened(stack, queue.Queue(), lamps=LampsConfig(pins=Pins(centre=LampPins(pin=4))))
        lamps.show(Lamps((), MEANINGS["turn"]))
        assert (factory.pin(4).state, lacking) == (1, ())


@pytest.mark.usefixtures("here")
def test_a_signal_ends_the_program_in_order_before_there_is_a_loop():
    end_on_signals()
    for number in (signal.SIGTERM, signal.SIGHUP):
        with pytest.raises(SystemExit) as ended:
            signal.raise_signal(number)
        assert ended.value.code == 0


PROGRAM = """
import atexit, sys, threading
from itertools import groupby
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin
from tablepi.cli import main
class Watched(MockPin):
    def _set_state(self, value):
        super()._set_state(value)
        if value and self.info.name == "GPIO4":
            print("the centre is lit", flush=True)
factory = Device.pin_factory = MockFactory(pin_class=Watched)
def press():
    for line in sys.stdin:
        factory.pin(int(line)).drive_low()
        factory.pin(int(line)).drive_high()
atexit.register(lambda: print("lamp", [int(s) for s, _ in groupby(s.state for s in factory.pin(4).states)][:3],
    int(factory.pin(4).state), flush=True))
threading.Thread(target=press, daemon=True).start()
sys.exit(main(sys.argv[1:]))
"""


def test_a_hand_is_dealt_by_the_buttons_and_a_stopped_table_is_dark(tmp_path):
    (tmp_path / "table.yaml").write_text(TABLE)
    words = ("--store", tmp_path / "store", "run", "--headless", "--config", tmp_path / "table.yaml")
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ(),
        text=True,
    ) as child:
        patience = threading.Timer(60, child.kill)
        patience.start()
        try:
            assert child.stdin is not None
            assert child.stdout is not None
            assert child.stdout.readline().startswith("tablepi is ready")
            for button, told in ((9, "2  Pass left ←"), (10, "the centre is lit")):
                child.stdin.write(f"{button}\n")
                child.stdin.flush()
                assert child.stdout.readline().strip() == told
            child.send_signal(signal.SIGTERM)
            out, err = rest_of(child, within_s=30)
        finally:
            patience.cancel()
            child.kill()
    assert (child.returncode, err, out.splitlines()[-1]) == (0, "", "lamp [0, 1, 0] 0")
