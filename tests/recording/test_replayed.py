"""What was recorded happens again: bytes, frames and presses, through today's code."""

from __future__ import annotations

import base64
import gzip
import json
import queue
from contextlib import ExitStack, nullcontext
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from tablepi import facts as f
from tablepi.cards import ALL_CARDS, card
from tablepi.commands.parts import PLAYED, Virtual, tag_readers
from tablepi.commands.replay import play
from tablepi.config import AntennaConfig, Config, LampsConfig, Pins, ReaderConfig
from tablepi.facts import to_dict
from tablepi.journal import Journal
from tablepi.recording.replayer import Replayer
from tablepi.recording.tape import Typed, load
from tablepi.views.screen import Command
from tablepi.virtual.pn532 import VirtualPn532
from tablepi.virtual.readers import VirtualReader
from tablepi.virtual.world import uid_of

from ..replayed import replayed
from ..script import NAMES, held, match
from ..script import facts as script
from .live import PLAYERS, deck, live, told
from .test_tape import written

TWO, THREE, FOUR, FIVE = (card(name) for name in ("2C", "3C", "4C", "5C"))


def config_of(folder: Path, *readers: ReaderConfig) -> Config:
    (folder / "deck.yaml").write_text(deck(*ALL_CARDS))
    return Config(players=PLAYERS, deck=folder / "deck.yaml", readers=readers)


def rulings(tables):
    return [[line for line in table.lines if "ruling" in line or "event" in line] for table in tables]


def has(kind, **fields):
    """Whether the table was told such a fact."""
    return lambda table: any(
        isinstance(entry.fact, kind) and all(getattr(entry.fact, k) == v for k, v in fields.items())
        for entry in table.log
    )


def lines_of(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def test_line_readers_that_are_unplugged_in_mid_line_tell_the_same_again(tmp_path):
    north = VirtualReader(tmp_path / "north", piece=3, junk=b"\x00\xff")
    east = VirtualReader(tmp_path / "east", repeats=True)
    config = config_of(
        tmp_path,
        ReaderConfig(name="reader-0", port=str(north.link), seat=0),
        ReaderConfig(name="reader-1", port=str(east.link), seat=1, repeats=True),
    )
    file = tmp_path / "a.rec"
    with north, east, live(file, config) as table:
        table.tell(held())
        north.lay(uid_of(TWO))
        table.until(has(f.Tag, card=TWO))
        north.say(uid_of(THREE)[:6].encode())
        north.unplug()
        table.until(has(f.Lost, device="reader-0"))
        east.lay(uid_of(FOUR))
        table.until(has(f.Tag, card=FOUR))
        north.replug()
        table.until(has(f.Found, device="reader-0"))
        east.lift(uid_of(FOUR))
        table.until(has(f.Untag, card=FOUR))
        east.lay(uid_of(FIVE))
        table.until(has(f.Tag, card=FIVE))
        then = told(table.loop.table)
    heard = []
    with load(file) as recording:
        again = play(recording, heard=heard.append)
    assert told(again.table) == then
    assert rulings(heard) == rulings(table.heard)
    assert told(replayed(file)) == then


def test_pn532_readers_tell_the_same_again_with_every_loss(tmp_path):
    chips = [VirtualPn532(tmp_path / f"chip-{seat}", piece=1 if seat else None) for seat in range(2)]
    config = config_of(
        tmp_path,
        *(ReaderConfig(name=f"reader-{s}", port=str(c.link), kind="pn532", seat=s) for s, c in enumerate(chips)),
    )
    file = tmp_path / "a.rec"
    with ExitStack() as stack:
        for chip in chips:
            stack.enter_context(chip)
        table = stack.enter_context(live(file, config))
        table.tell(held())
        chips[0].lay(uid_of(TWO))
        table.until(has(f.Tag, card=TWO))
        chips[1].chip.too_late = True
        chips[1].chip.damaged = 1
        chips[1].lay(uid_of(THREE))
        table.until(has(f.Tag, card=THREE))
        chips[0].unplug()
        table.until(has(f.Lost, device="reader-0"))
        chips[0].replug()
        table.until(has(f.Found, device="reader-0"))
        chips[1].chip.deaf = True
        table.until(has(f.Lost, device="reader-1"))
        chips[1].chip.deaf = False
        table.until(has(f.Found, device="reader-1"))
        chips[1].lift(uid_of(THREE))
        table.until(has(f.Untag, card=THREE))
        then = told(table.loop.table)
    assert told(replayed(file)) == then


def a_card_is_laid_on_a_pn532(tmp_path):
    """The lines of a recording of it, and every fact that the table took in."""
    chip, file = VirtualPn532(tmp_path / "chip"), tmp_path / "a.rec"
    config = config_of(tmp_path, ReaderConfig(name="reader-0", port=str(chip.link), kind="pn532", seat=0))
    with chip, live(file, config) as table:
        table.tell(held())
        chip.lay(uid_of(TWO))
        table.until(has(f.Tag, card=TWO))
        then = told(table.loop.table)
    return lines_of(file), then


def test_an_answer_that_was_read_late_since_the_machine_was_busy_is_that_answer_again(tmp_path):
    lines, then = a_card_is_laid_on_a_pn532(tmp_path)
    late = 0.0
    for line, after in zip(lines, [*lines[1:], {}], strict=True):
        if "read" in line and "wrote" in after and late < 1.0:  # the answer is whole: an ACK that is late ends the wait
            late += 0.3
        if "at" in line:
            line["at"] += late
    busy = tmp_path / "busy.jsonl"
    busy.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert told(replayed(busy)) == then


COMMANDS = "commands: {undo: [04AAAAAAAAAA80], pause: [04AAAAAAAAAA81]}\n"


def test_readers_of_every_meaning_tell_the_same_again(tmp_path):
    means = {"play": 0, "hand": 1, "pass": 0, "pile": None, "command": None}
    antennas = {"1": AntennaConfig(seat=1), "2": AntennaConfig(seat=3, means="pass")}
    readers = (
        *(ReaderConfig(name=name, port=str(tmp_path / name), seat=seat, means=name) for name, seat in means.items()),
        ReaderConfig(name="mux", port=str(tmp_path / "mux"), antennas=antennas, repeats=True),
    )
    config = config_of(tmp_path, *readers)
    (tmp_path / "deck.yaml").write_text(deck(*ALL_CARDS) + COMMANDS)
    file = tmp_path / "a.rec"
    with ExitStack() as stack:
        world = {name: stack.enter_context(VirtualReader(tmp_path / name)) for name in (*means, "mux")}
        table = stack.enter_context(live(file, config))
        table.tell(match() + '{"fact":"hand","dealer":0} ')
        for name in ("QS", "KS", "AS"):
            world["pass"].lay(uid_of(card(name)))
            world["mux"].say(f"2:{uid_of(card(name.replace('S', 'H')))}\r\n".encode())
        table.until(has(f.Pass, seat=0))
        table.until(has(f.Pass, seat=3))
        world["hand"].lay(uid_of(THREE))
        table.until(has(f.Holds, seat=1))
        table.tell('{"fact":"passed"} ')
        world["play"].lay(uid_of(TWO))
        table.until(has(f.Tag, card=TWO))
        world["command"].lay("04AAAAAAAAAA81")
        table.until(lambda _: table.loop.desk.pause is not None)
        world["mux"].say(f"1:{uid_of(THREE)}\r\n".encode())
        table.until(has(f.Untag, card=THREE))
        world["command"].lay("04AAAAAAAAAA80")
        table.until(has(f.Correct))
        world["pile"].lay(uid_of(TWO))
        table.until(has(f.Gone, card=TWO))
        then, desk = told(table.loop.table), table.loop.desk
    with load(file) as recording:
        again = play(recording)
    assert told(again.table) == then
    assert again.desk == desk


@pytest.mark.parametrize("apart_ms", [1, 7, 13, 19])
def test_what_a_silence_tells_comes_before_what_another_reader_says_a_millisecond_later(tmp_path, apart_ms):
    """Three passed cards in a stack: the second and the third are told when the first was not said for a second."""
    config = config_of(
        tmp_path,
        ReaderConfig(name="mux", port="/dev/a", antennas={"2": AntennaConfig(seat=3, means="pass")}, repeats=True),
        ReaderConfig(name="hand", port="/dev/b", seat=1, means="hand"),
    )
    begun = [*script(match()), f.Hand(dealer=0)]
    passed = [f"2:{uid_of(card(name))}\r\n".encode().hex() for name in ("QH", "KH", "AH")]
    file = written(
        tmp_path / "a.jsonl",
        *({"at": 0.1, "device": name, "as": "port"} for name in ("mux", "hand")),
        *({"at": 0.1, "device": name, "opened": True} for name in ("mux", "hand")),
        *({"at": 0.2, "put": to_dict(fact)} for fact in begun),
        *({"at": 0.5 + n * apart_ms / 1000, "device": "mux", "read": tag} for n, tag in enumerate(passed)),
        {"at": 1.501, "device": "hand", "read": f"{uid_of(THREE)}\r\n".encode().hex()},
        {"at": 3.0, "end": True},
        table={
            "table": {
                "config": config.model_dump(mode="json", by_alias=True, include=PLAYED),
                "cards": {uid_of(each): str(each) for each in ALL_CARDS},
                "gapless": False,
            }
        },
    )
    passes, holds = told(replayed(file))[2:]
    assert (passes.kind, passes.cards) == ("pass", tuple(card(name) for name in ("QH", "KH", "AH")))
    assert (holds.kind, holds.cards) == ("holds", (THREE,))


class PcscStandIn:
    """A PC/SC reader whose cards are laid by the test."""

    def __init__(self, port, role):
        self.name, self.roles, self._role = role.name, (role,), role
        self.laid = queue.Queue()

    def __enter__(self):
        return self

    def __exit__(self, *told):
        pass

    def read(self):
        uid = self.laid.get()
        return self._role.laid(uid) if uid else ()

    def cancel(self):
        self.laid.put("")


def test_a_reader_by_pcsc_tells_what_it_told(tmp_path, monkeypatch):
    made = []

    def stand_in(port, role):
        made.append(PcscStandIn(port, role))
        return made[-1]

    monkeypatch.setattr("tablepi.devices.pcsc.PcscReader", stand_in)
    file = tmp_path / "a.rec"
    config = config_of(tmp_path, ReaderConfig(name="reader-0", port="ACR122", kind="pcsc", seat=0))
    with live(file, config) as table:
        table.tell(held())
        made[0].laid.put(uid_of(TWO))
        table.until(has(f.Tag, card=TWO))
        then = told(table.loop.table)
    assert told(replayed(file)) == then
    assert len(made) == 1


def test_a_button_at_the_table_is_pressed_again(tmp_path, monkeypatch):
    factory = MockFactory()
    monkeypatch.setattr("tablepi.devices.gpio.header_pins", lambda: nullcontext(factory))
    lamps = LampsConfig(pins=Pins(buttons={"undo": 11}))
    file = tmp_path / "a.rec"
    with live(file, Config(players=PLAYERS, lamps=lamps)) as table:
        table.tell(held() + "0:2C")
        factory.pin(11).drive_low()
        table.until(has(f.Correct))
        then = told(table.loop.table)
    assert told(replayed(file)) == then


def test_no_pin_of_this_machine_resets_a_board_that_was_recorded(tmp_path):
    factory = MockFactory()
    told = (ReaderConfig(name="reader-0", port="/dev/a", kind="pn532", seat=0, reset=7),)
    with load(written(tmp_path / "a.jsonl", {"at": 0.1, "device": "reader-0", "as": "port"})) as recording:
        (board,) = tag_readers(told, {}, virtual=False, pin_factory=factory, tape=Replayer(recording))
        assert board._reset is None


def test_a_trick_before_the_camera_is_seen_again_in_its_frames(tmp_path):
    config = Config(players=PLAYERS)
    file = tmp_path / "a.rec"
    laid = [(0, TWO), (1, THREE), (2, FOUR), (3, FIVE)]
    with live(file, config, frames=True, virtual=Virtual("camera", seed=3)) as table:
        table.tell(held())
        for seat, each in laid:
            table.table.surface.lay(seat, each)
            table.until(has(f.Seen, seat=seat, card=each))
        then = told(table.loop.table)
        photographed = table.loop._record.photographed(table.loop.game)
    photographs = []
    with load(file) as recording:
        loop = play(recording, heard=lambda now: photographs.append(now.n))
        frames = sum(event.kind == "frame" for event in recording.streams["camera"])
    assert [(fact.kind, fact.seat, fact.card) for fact in told(loop.table)[3:]] == [
        (fact.kind, fact.seat, fact.card) for fact in then[3:]
    ]
    assert len(photographed) == 4
    assert frames > 20


@pytest.mark.parametrize("picture", [b"", b"hello", b"\xff\xd8\xff", b"\x89PNG"])
def test_a_frame_that_is_no_picture_is_said_and_the_rest_plays(tmp_path, picture):
    path = written(
        tmp_path / "a.jsonl",
        {"at": 0.1, "device": "camera", "as": "source"},
        {"at": 0.2, "device": "camera", "opened": True},
        {"at": 0.7, "device": "camera", "frame": 0.0, "asked": 0.6, "jpeg": base64.b64encode(picture).decode()},
        {"at": 0.8, "put": json.loads(match())},
        {"at": 2.0, "end": True},
        table={"table": {"config": {"players": list(PLAYERS), "camera": [{"source": "film.avi"}]}, "cards": {}}},
    )
    remarked = (f"{path}: camera at 0.7 s: the picture in line 5 cannot be read",)
    assert told(replayed(path, remarked=remarked)) == [*script(match())]


def test_a_camera_whose_frames_are_not_kept_tells_what_it_told(tmp_path):
    config = Config(players=PLAYERS)
    file = tmp_path / "a.rec"
    with live(file, config, virtual=Virtual("camera", seed=3)) as table:
        table.tell(held())
        table.table.surface.lay(0, TWO)
        table.until(has(f.Seen, seat=0, card=TWO))
        then = told(table.loop.table)
    assert told(replayed(file)) == then
    assert [line for line in lines_of(file) if "frame" in line] == []
    assert file.stat().st_size < 2_000


def test_what_people_pressed_is_pressed_again_and_the_desk_is_the_same(tmp_path):
    file = tmp_path / "a.rec"
    key_of = {"q": "q", "d": "d", "escape": "escape"}.get
    with live(file, Config(players=PLAYERS), key_of=key_of) as table:
        table.hands.pressed = [
            f.Match(rules="hearts-cardems", players=PLAYERS, source="person"),
            f.Hand(dealer=0, source="person"),
            f.Passed(source="person"),
            f.Play(seat=1, card=TWO, source="person"),
            Command("language", "pt-PT"),
            "q",
            "window closed",
        ]
        table.until(lambda _: table.loop.desk.leaving)
        then, desk = told(table.loop.table), table.loop.desk
    with load(file) as recording:
        assert [said for _, pressed, said in recording.said if pressed][-3:] == [
            Command("language", "pt-PT"),
            Typed("q"),
            Typed(None),
        ]
        again = play(recording)
    assert told(again.table) == then
    assert again.desk == desk


def test_a_game_that_was_gone_on_with_is_gone_on_with_again(tmp_path):
    store, file = tmp_path / "store", tmp_path / "a.rec"
    with live(tmp_path / "first.rec", Config(players=PLAYERS), store=store) as table:
        table.tell(held() + "0:2C 1:3C")
    with live(file, Config(players=PLAYERS), store=store, resume=True) as table:
        table.tell("2:4C")
        then = told(table.loop.table)
    assert told(replayed(file)) == then
    assert [line["resumed"][0]["players"] for line in lines_of(file) if "resumed" in line] == [NAMES]


def test_a_replay_waits_as_long_as_it_took_over_its_speed(tmp_path):
    file = tmp_path / "a.rec"
    with live(file, Config(players=PLAYERS)) as table:
        table.tell(held())
    now, waited = [50.0], []

    def wait(seconds):
        waited.append(seconds)
        now[0] += seconds

    with load(file) as recording:
        tape = Replayer(recording, speed=4.0, clock=lambda: now[0], wait=wait)
        came = [tape.get(True, None) for _ in range(3)]
        with pytest.raises(queue.Empty):
            tape.get(True, None)
        assert tape.over
        assert [fact.kind for fact in came] == ["match", "hand", "passed"]
        assert sum(waited) == pytest.approx(recording.end / 4.0)


def test_a_driver_that_writes_otherwise_today_is_said(tmp_path):
    lines, _ = a_card_is_laid_on_a_pn532(tmp_path)
    place = next(i for i, line in enumerate(lines) if "wrote" in line)
    then = lines[place]["wrote"]
    for line in lines:
        if line.get("wrote") == then:
            line["wrote"] = "00"
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with load(changed) as recording:
        loop = play(recording)
    (differs,) = loop.tape.differs
    assert differs.startswith("reader-0 at ")
    assert differs.endswith(f": then 00 was written, now {then} is")
    assert not has(f.Tag, card=TWO)(loop.table)


def test_the_store_of_people_is_not_touched_by_a_replay(tmp_path, monkeypatch):
    file = tmp_path / "a.rec"
    with live(file, Config(players=PLAYERS)) as table:
        table.tell(held() + "0:2C")
    store = tmp_path / "mine"
    store.mkdir()
    with Journal(store) as journal:
        journal.games()
    monkeypatch.setenv("TABLEPI_STORE", str(store))
    replayed(file)
    with Journal(store, readonly=True) as journal:
        assert list(journal.games()) == []
