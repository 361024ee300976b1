"""The readers of a table's file, put together: what each means, and what the loop is told of them."""

from __future__ import annotations

import queue
from contextlib import ExitStack, nullcontext
from typing import Any

import pytest

from tablepi import facts as f
from tablepi.cards import card
from tablepi.commands.parts import cards_to_pass, put_together, seats_served, supervised, tag_readers
from tablepi.config import AntennaConfig, Config, ReaderConfig
from tablepi.devices.pcsc import PcscReader
from tablepi.devices.pn532 import Pn532Reader
from tablepi.devices.readers import LineReader
from tablepi.devices.wedge import open_keyboard
from tablepi.views.screen import Command
from tablepi.virtual.pn532 import VirtualPn532
from tablepi.virtual.readers import VirtualReader

from ..script import Told, held, match

QS, TWO_C, KH, UNDO = "04A1B2C3D4E580", "04A1B2C3D4E581", "04A1B2C3D4E582", "04AAAAAAAAAA80"
DECK = {QS: card("QS"), TWO_C: card("2C"), KH: card("KH")}
HAND = '{"fact":"hand","dealer":0} '


def told_by(devices: list[Any], act: Any, number: int) -> list[Any]:
    """The first *number* things that come into the inbox after *act*."""
    inbox: queue.Queue[Any] = queue.Queue()
    with supervised(devices, inbox) as supervisor:
        assert supervisor.wait_tried(10)
        act()
        return [inbox.get(timeout=10) for _ in range(number)]


def test_each_reader_translates_as_it_is_told(tmp_path):
    means = {"play": 0, "hand": 1, "pass": 2, "pile": None}
    told = tuple(
        ReaderConfig(name=name, port=str(tmp_path / name), seat=seat, means=name) for name, seat in means.items()
    )
    devices = tag_readers(told, DECK, {UNDO: "undo"}, virtual=False)
    devices[2].roles[0].passing = (1, 2)
    with ExitStack() as stack:
        worlds = {name: stack.enter_context(VirtualReader(tmp_path / name)) for name in means}

        def act() -> None:
            for world in worlds.values():
                world.lay(QS)
            worlds["pass"].lay(KH)
            worlds["pile"].lay(UNDO)

        came = told_by(devices, act, 5)
    assert set(came) == {
        f.Tag(seat=0, card=card("QS"), uid=QS, source="play"),
        f.Holds(seat=1, cards=(card("QS"),), source="hand"),
        f.Pass(seat=2, cards=(card("QS"), card("KH")), source="pass"),
        f.Gone(card=card("QS"), source="pile"),
        Command("undo"),
    }


def test_two_boards_before_one_seat_tell_once_that_a_card_has_left(tmp_path):
    names = ("left", "right")
    told = tuple(ReaderConfig(name=name, port=str(tmp_path / name), kind="pn532", seat=0) for name in names)
    with ExitStack() as stack:
        left, right = (stack.enter_context(VirtualPn532(tmp_path / name)) for name in names)
        inbox: queue.Queue[Any] = queue.Queue()
        supervisor = stack.enter_context(supervised(tag_readers(told, DECK, virtual=False), inbox))
        assert supervisor.wait_tried(10)
        left.lay(QS)
        right.lay(QS)
        both = {inbox.get(timeout=10).source, inbox.get(timeout=10).source}
        left.lift(QS)
        right.lift(QS)
        came = [inbox.get(timeout=10)]
        right.lay(TWO_C)
        came.append(inbox.get(timeout=10))
    assert both == {"left", "right"}
    assert [(type(fact), str(fact.card)) for fact in came] == [(f.Untag, "QS"), (f.Tag, "2C")]


@pytest.mark.parametrize(
    ("script", "passing"),
    [
        (match(), None),
        (match() + HAND, (1, 3)),
        (match() + HAND + '{"fact":"pass","seat":0,"count":3} ', (1, 3)),
        (match() + HAND + '{"fact":"pass","seat":2,"count":3} ', None),
        (match() + HAND + '{"fact":"pass","seat":2,"count":3} {"fact":"correct","n":3,"drop":true} ', (1, 3)),
        (held(), None),
        (held("spades"), None),
    ],
    ids=["no hand", "passing", "another has passed", "has passed", "taken back", "passed", "no passing"],
)
def test_a_seat_passes_cards_until_it_has(script, passing):
    assert cards_to_pass(Told(script).table.state, 2) == passing


def test_the_readers_of_passed_cards_know_how_many_there_are(tmp_path, monkeypatch):
    made: list[Any] = []
    monkeypatch.setattr("tablepi.commands.parts.supervised", lambda devices, inbox: nullcontext(made.extend(devices)))
    readers = (
        ReaderConfig(name="reader-0", port="/dev/a", seat=0),
        ReaderConfig(name="pass-0", port="/dev/b", seat=0, means="pass"),
        ReaderConfig(name="pass-1", port="/dev/c", seat=1, means="pass"),
    )
    with ExitStack() as stack:
        parts = put_together(stack, Config(readers=readers), display=None, virtual=None, notices=(), store=tmp_path)
        parts.know(Told(match() + HAND + '{"fact":"pass","seat":1,"count":3} ').table)
    assert [role.passing for device in made for role in device.roles] == [None, (1, 3), None]


def test_the_antennas_of_a_multiplexer_are_read_on_one_port(tmp_path):
    antennas = {"1": AntennaConfig(seat=0), "2": AntennaConfig(seat=1, means="hand")}
    told = (ReaderConfig(name="mux", port=str(tmp_path / "mux"), antennas=antennas),)
    with VirtualReader(tmp_path / "mux") as world:

        def act() -> None:
            world.say(f"A2:{KH}\r\nA1:{QS}\r\n".encode())

        came = told_by(tag_readers(told, DECK, virtual=False), act, 2)
    assert came == [
        f.Holds(seat=1, cards=(card("KH"),), source="mux"),
        f.Tag(seat=0, card=card("QS"), uid=QS, source="mux"),
    ]


def test_boards_on_one_reset_pin_share_it():
    told = tuple(ReaderConfig(name=name, port=f"/dev/{name}", kind="pn532", seat=0, reset=7) for name in ("a", "b"))
    one, two = tag_readers(told, DECK, virtual=False)
    assert one._reset is not None
    assert one._reset is two._reset


def test_a_reader_is_of_the_kind_that_is_told():
    kinds = ("lines", "pn532", "pcsc", "wedge")
    told = tuple(ReaderConfig(name=kind, port=f"/dev/{kind}", kind=kind, seat=0) for kind in kinds)
    made = tag_readers(told, DECK, virtual=False)
    assert [type(device) for device in made] == [LineReader, Pn532Reader, PcscReader, LineReader]
    assert made[3]._open_port is open_keyboard


def test_the_display_asks_for_cards_only_where_a_seats_one_reader_is_missing():
    readers = (
        ReaderConfig(name="one", port="/dev/a", seat=0),
        ReaderConfig(name="two", port="/dev/b", seat=1),
        ReaderConfig(name="two-too", port="/dev/c", seat=1),
        ReaderConfig(name="hand", port="/dev/d", seat=0, means="hand"),
        ReaderConfig(name="tray", port="/dev/e", shared=True),
        ReaderConfig(name="mux", port="/dev/f", antennas={"1": AntennaConfig(seat=2), "2": AntennaConfig(seat=3)}),
        ReaderConfig(name="pair", port="/dev/g", antennas={"1": AntennaConfig(seat=4), "2": AntennaConfig(seat=4)}),
    )
    alone = {"one": 0, "pair": 4}
    assert seats_served(readers) == {reader.name: alone.get(reader.name) for reader in readers}
