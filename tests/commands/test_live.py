"""``demo`` and ``run``: the whole table as a program, from bytes on a line to the record."""

from __future__ import annotations

import json
import os
import pty
import queue
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import datetime
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tablepi import facts as f
from tablepi.cards import FULL_DECK, card, cards_of
from tablepi.cli import main
from tablepi.commands.parts import _Announcing, put_together, real_camera, supervised, tag_readers
from tablepi.config import CameraConfig, Config, ReaderConfig
from tablepi.devices.films import InItsOwnTime
from tablepi.devices.rpicam import RpicamSource
from tablepi.journal import Journal, JournalFull
from tablepi.table import Table, empty, fold
from tablepi.views.desk import new_match
from tablepi.virtual.pn532 import VirtualPn532
from tablepi.virtual.readers import VirtualReader
from tablepi.vision.eye import Eye

from ..children import rest_of
from ..films import film
from ..script import RULEBOOK, Told, held
from ..virtual.truth import expected, ruled
from .conftest import TABLEPI, environ, tablepi


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


# --- demo ------------------------------------------------------------------------------------------------------------


def test_a_demonstration_tells_its_game_and_says_where_it_is_and_how_to_see_it_again(played):
    *told, picture, last = played.said.out.splitlines()
    assert all(re.fullmatch(r" *\d+  \S.*", line) for line in told)
    assert "first. Places, with totals: " in told[-2]
    with Journal(played.store, readonly=True) as journal:
        (end,) = (e for _, e in journal.shown_lines(journal.find("last")) if e.get("event") == "match")
    names = ("Rita", "Ada", "Bo", "Cleo")
    assert told[-1].split("  ")[-1] == "Total: " + ", ".join(f"{names[int(s)]} {n}" for s, n in end["totals"].items())
    assert picture == f"the final screen: {played.picture}"
    assert last.startswith("game ")
    assert f" in {played.store}: see it again with `" in last
    assert said_of(told_again(last)) == (0, b"")
    assert played.picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert played.said.err == ""


def told_again(last: str) -> Any:
    """What the command says that a last line gives: as it would be pasted into a shell."""
    command = re.search("`(.*)`", last)
    assert command is not None
    return subprocess.run(command[1], shell=True, capture_output=True, timeout=60, env=environ())


def said_of(done: Any) -> tuple[int, bytes]:
    return done.returncode, done.stderr


def test_the_truth_file_says_every_card_and_every_fault_and_the_table_has_ruled_accordingly(played):
    truth = lines(played.truth)
    laid = [line for line in truth if "laid" in line]
    assert len({line["laid"] for line in laid}) == 52
    faults = [line for line in truth if "fault" in line and "laid" not in line]
    assert faults != []
    assert all({"seat", "trick", "fault"} <= set(line) for line in faults)
    with Journal(played.store, readonly=True) as journal:
        answers = [answer for _, answer in journal.as_shown(journal.find("last"))]
    assert ruled(line for answer in answers for line in answer) == expected(truth)


def tricks(store: Path) -> list[dict[str, Any]]:
    with Journal(store, readonly=True) as journal:
        return [
            {k: line.get(k) for k in ("hand", "trick", "cards", "winner", "points", "totals")}
            for _, line in journal.shown_lines(journal.find("last"))
            if line.get("event") in ("trick", "hand", "match")
        ]


def test_an_export_can_be_played_again_at_the_virtual_table(played, tmp_path):
    said = tablepi("--store", tmp_path, "demo", "--headless", "--sources", "readers", "--game", played.export)
    assert (said.status, said.err) == (0, "")
    assert tricks(tmp_path) == tricks(played.store)
    assert tablepi("--store", tmp_path, "check", "--all").status == 0


TWO_TRICKS = """
{"fact":"match","rules":"hearts-cardems","players":["Rita","Ada","Bo","Cleo"]}
{"fact":"hand","dealer":0}
{"fact":"passed"}
{"fact":"play","seat":1,"card":"2C"}
{"fact":"play","seat":2,"card":"TC"}
{"fact":"play","seat":3,"card":"5D"}
{"fact":"play","seat":0,"card":"AC"}
{"fact":"play","seat":0,"card":"KD"}
{"fact":"play","seat":1,"card":"QD"}
{"fact":"play","seat":2,"card":"4S"}
{"fact":"play","seat":3,"card":"6C"}
"""


@pytest.mark.parametrize("sources", ["camera", "both"])
def test_cards_before_the_virtual_camera_are_refereed_and_photographed(tmp_path, sources):
    """The 6♣ shows that the 5♦ did not have to be laid."""
    script = tmp_path / "two-tricks.jsonl"
    script.write_text(TWO_TRICKS.lstrip())
    store = tmp_path / "store"
    said = tablepi("--store", store, "demo", "--headless", "--sources", sources, "--game", script, "--seed", 3)
    assert (said.status, said.err) == (0, "")
    with Journal(store, readonly=True) as journal:
        game = journal.find("last")
        seen = {n: fact for n, fact in journal.facts(game) if isinstance(fact, f.Seen)}
        tags = [fact for _, fact in journal.facts(game) if isinstance(fact, f.Tag)]
        told = [line for _, answer in journal.as_shown(game) for line in answer]
        photographs = journal.photographed(game)
    laid = [(1, "2C"), (2, "TC"), (3, "5D"), (0, "AC"), (0, "KD"), (1, "QD"), (2, "4S"), (3, "6C")]
    assert [(fact.seat, str(fact.card)) for fact in seen.values()] == laid
    # A player who is not answered within two seconds, as a busy computer may be, puts his card down once more.
    assert list(dict.fromkeys((fact.seat, str(fact.card)) for fact in tags)) == (laid if sources == "both" else [])
    assert [(line["seat"], line["offence"]["card"]) for line in told if line.get("ruling") == "proved"] == [(3, "5D")]
    assert set(photographs) == set(seen)
    assert tablepi("--store", store, "check", "--all").status == 0


def test_a_demonstration_without_a_screen_plays_without_a_window(tmp_path):
    said = tablepi("--store", tmp_path, "demo", "--sources", "readers", "--hands", 1)
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines()[-2] == f"the final screen: {tmp_path / 'last-demo.png'}"
    assert (tmp_path / "last-demo.png").exists()


def test_a_demonstration_in_a_window_says_first_what_opens_how_long_it_lasts_and_how_to_end_it(tmp_path):
    words = ("demo", "--sources", "readers", "--hands", "2")
    with started("--store", str(tmp_path), *words, SDL_VIDEODRIVER="dummy") as child:
        assert child.stdout is not None
        assert child.stdout.readline().decode() == (
            "a window has opened, where the game plays by itself for about 2 min: close it to end, "
            "or press Esc, then Leave\n"
        )


def test_a_demonstration_whose_window_does_not_open_says_so_and_plays_without_one(tmp_path):
    said = tablepi("--store", tmp_path, "demo", "--sources", "readers", "--hands", 1, SDL_VIDEODRIVER="none-such")
    assert said.status == 0
    assert said.err.startswith("tablepi: display: cannot open a window on SDL_VIDEODRIVER=none-such: ")
    assert said.err.endswith(" Playing without a window\n")
    assert "first." in said.out


def test_the_demonstrations_of_a_user_are_apart_from_the_games_that_people_played(tmp_path):
    home = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    said = tablepi("demo", "--headless", "--sources", "readers", "--hands", 1, **home)
    assert said.status == 0
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("games.sqlite")) == [
        "tablepi/demo/games.sqlite"
    ]


@pytest.mark.parametrize("name", ["Ada", " Ada"])
def test_a_game_of_two_players_of_one_name_is_refused_with_the_name(here, tmp_path, name):
    script = tmp_path / "game.jsonl"
    script.write_text(TWO_TRICKS.lstrip().replace('"Bo"', f'"{name}"'))
    said = here("demo", "--headless", "--sources", "readers", "--game", script)
    told = f"tablepi: {script}: players: 'Ada' is there twice: give each player a name of its own\n"
    assert (said.status, said.out, said.err) == (2, "", told)
    assert here("referee", script).status == 0


def test_two_players_of_one_name_in_the_tables_file_are_refused_with_the_name(here, tmp_path):
    (tmp_path / "table.yaml").write_text("players: [Ada, Ada, Bo, Cleo]\n")
    said = here("run", "--config", tmp_path / "table.yaml")
    told = f'tablepi: {tmp_path / "table.yaml"}:1: players: "Ada" is there twice: give each player a name of its own\n'
    assert (said.status, said.out, said.err) == (2, "", told)


def test_an_interrupted_demonstration_says_where_its_game_is_and_ends_with_130(tmp_path):
    with started("--store", str(tmp_path), "demo", "--headless", "--speed", "1") as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        out, err = rest_of(child, within_s=20)
    assert (child.returncode, err) == (130, b"")
    assert said_of(told_again(out.decode().splitlines()[-1])) == (0, b"")


def test_a_demonstration_that_gives_up_says_why_and_how_its_game_can_be_seen_all_the_same(tmp_path, monkeypatch, here):
    from tablepi.virtual.camera import CameraSurface

    monkeypatch.setattr(CameraSurface, "sweep", lambda *_: None)  # so the camera never tells that the felt is empty
    monkeypatch.setattr("tablepi.virtual.world.PATIENCE_S", 0.5)
    monkeypatch.setattr("sys.argv", [str(Path(__file__).parents[2] / "tablepi" / "__main__.py")])  # as by TABLEPI
    script = tmp_path / "two-tricks.jsonl"
    script.write_text(TWO_TRICKS.lstrip())
    store = tmp_path / "with a blank"
    said = here("--store", store, "demo", "--headless", "--sources", "camera", "--game", script, "--seed", 3)
    assert said.status == 2
    assert "trick 1 of hand 1 was swept, and no camera told the table of it within" in said.err
    assert "try a slower table (--speed 0.5), or --sources readers" in said.err
    assert said_of(told_again(said.out.splitlines()[-1])) == (0, b"")


# --- run -------------------------------------------------------------------------------------------------------------


@contextmanager
def started(*words: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(
        [*TABLEPI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ(PYTHONUNBUFFERED="1", **more)
    )
    with child:
        try:
            yield child
        finally:
            if child.poll() is None:
                child.terminate()
                child.wait(20)


VIRTUAL = ("run", "--virtual", "--headless", "--speed", "30")


def test_a_table_without_a_screen_says_what_to_do_and_ends_with_3(tmp_path):
    said = tablepi("--store", tmp_path, "run", SDL_VIDEODRIVER="none-such")
    assert (said.status, said.out) == (3, "")
    assert said.err.startswith("tablepi: display: cannot open a window")
    assert "--headless" in said.err


def test_a_second_table_on_one_store_is_told_who_has_it(tmp_path):
    with started("--store", str(tmp_path), *VIRTUAL) as child:
        assert child.stdout is not None
        assert child.stdout.readline().startswith(b"tablepi is ready")
        for command in (VIRTUAL, ("demo", "--headless"), ("import", "-")):
            said = tablepi("--store", tmp_path, *command)
            assert (said.status, said.out) == (3, "")
            assert f"process {child.pid} is using this store" in said.err
            assert len(said.err.splitlines()) == 1
        assert tablepi("--store", tmp_path, "games").status == 0  # reading is for everybody


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_the_table_in_order_and_the_next_one_goes_on(tmp_path, number, status):
    with started("--store", str(tmp_path), *VIRTUAL) as child:
        assert child.stdout is not None
        for _ in range(4):
            child.stdout.readline()
        child.send_signal(number)
        _, err = rest_of(child, within_s=20)
    assert (child.returncode, err) == (status, b"")
    with started("--store", str(tmp_path), *VIRTUAL) as child:
        assert child.stdout is not None
        assert child.stdout.readline().startswith(b"tablepi goes on: game ")
    assert tablepi("--store", tmp_path, "check", "--all").status == 0


def test_a_new_game_can_be_begun_instead_of_going_on(tmp_path):
    for _ in range(2):
        with started("--store", str(tmp_path), *VIRTUAL, "--new") as child:
            assert child.stdout is not None
            assert child.stdout.readline().startswith(b"tablepi is ready: game not begun")
            child.stdout.readline()
    with Journal(tmp_path, readonly=True) as journal:
        assert [(game.state, game.reason) for game in journal.games()] == [
            ("over", "left for a new game"),
            ("open", None),
        ]


def test_a_table_whose_listener_has_gone_ends_quietly_and_keeps_its_record(tmp_path):
    for command in (("run", "--virtual", "--headless"), ("demo", "--headless")):
        store = tmp_path / command[0]
        piped = (
            f"{' '.join(TABLEPI)} --store {store} {' '.join(command)} --speed 100 | head -3; exit ${{PIPESTATUS[0]}}"
        )
        done = subprocess.run(["/bin/bash", "-c", piped], capture_output=True, env=environ(), timeout=60)
        assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, b"", 3)
        assert tablepi("--store", store, "check", "--all").status == 0


@contextmanager
def turning(store: Path, *words: object, **more: str) -> Iterator[tuple[subprocess.Popen[bytes], Iterator[Table]]]:
    """A table under the eyes of a service manager, and its record after each turn of its loop."""
    address = store.parent / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(address))
        manager.settimeout(20)
        watched = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "200000"}
        with started("--store", str(store), "run", *map(str, words), **watched, **more) as child:

            def tables() -> Iterator[Table]:
                while True:
                    if manager.recv(4096) != b"WATCHDOG=1":
                        continue
                    with Journal(store, readonly=True) as journal:
                        game = journal.unfinished()
                        yield fold(empty(RULEBOOK), journal.facts(game) if game is not None else ())

            yield child, tables()


DECK = "cards: {2C: [04A1B2C3D4E580]}\n"


def test_a_port_that_is_not_there_is_lost_and_the_table_plays(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "deck.yaml").write_text(DECK)
    (tmp_path / "table.yaml").write_text(
        "players: [Rita, Ada, Bo, Cleo]\ndeck: deck.yaml\n"
        f"readers:\n  - {{name: north, port: {tmp_path / 'none'}, seat: 0}}\n"
    )
    with turning(tmp_path / "store", "--headless", "--config", tmp_path / "table.yaml") as (_, tables):
        table = next(table for table in tables if table.state.lost)
    (lost,) = (entry.fact for entry in table.log if isinstance(entry.fact, f.Lost))
    assert (lost.device, table.state.players) == ("north", ("Rita", "Ada", "Bo", "Cleo"))


def test_a_reader_that_is_plugged_in_reads_and_one_that_is_pulled_is_lost(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "deck.yaml").write_text(DECK)
    ours, theirs = pty.openpty()
    (tmp_path / "table.yaml").write_text(
        f"deck: deck.yaml\nreaders:\n  - {{name: north, port: {os.ttyname(theirs)}, seat: 0}}\n"
    )
    with turning(tmp_path / "store", "--headless", "--config", tmp_path / "table.yaml") as (_, tables):
        next(table for table in tables if table.n == 1)
        os.close(theirs)
        os.write(ours, b"04A1B2C3D4E580\r\n")
        table = next(table for table in tables if table.n > 1)
        assert table.log[1].fact.kind == "tag"
        os.close(ours)
        assert [device for device, _ in next(table for table in tables if table.state.lost).state.lost] == ["north"]


def test_a_table_with_a_window_plays_there_and_not_on_standard_output(tmp_path):
    (tmp_path / "store").mkdir()
    with turning(tmp_path / "store", "--virtual", "--speed", 100, SDL_VIDEODRIVER="dummy") as (child, tables):
        next(table for table in tables if table.n > 10)
        child.terminate()
        assert child.communicate(timeout=20) == (b"", b"")
    assert child.returncode == 0


def test_a_table_whose_disk_is_full_at_the_start_plays_without_a_record_and_says_so(here, tmp_path, monkeypatch):
    def full(_: Journal) -> Journal:
        raise JournalFull("games.sqlite: the disk is full: free some space")

    monkeypatch.setattr(Journal, "__enter__", full)
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_at_once)
    said = here("run", "--headless")
    assert said.status == 0
    assert said.err == "tablepi: The record is not being kept: games.sqlite: the disk is full: free some space\n"


def test_a_table_whose_deck_is_not_taught_yet_goes_on_and_says_so(here, tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_at_once)
    config = tmp_path / "table.yaml"
    config.write_text("deck: deck.yaml\nreaders: [{name: r, port: /dev/serial/by-id/none, shared: true}]\n")
    said = here("run", "--headless", "--config", config)
    assert said.status == 0
    told = "tablepi: No tag is known yet: teach them with `tablepi enrol tags --config FILE`"
    assert told in said.err.splitlines()


def stopped_at_once(loop: Any) -> Any:
    loop.stop()
    return threading.Event()


def test_a_damaged_store_is_set_aside_and_said(tmp_path):
    (tmp_path / "games.sqlite").write_bytes(b"no store at all" * 1000)
    with started("--store", str(tmp_path), *VIRTUAL) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().startswith(b"tablepi is ready")
        assert b"set aside as games.damaged-1.sqlite; a new store was begun" in child.stderr.readline()
    assert (tmp_path / "games.damaged-1.sqlite").read_bytes() == b"no store at all" * 1000


def test_the_last_screen_of_a_table_can_be_kept_as_a_picture(tmp_path):
    with started("--store", str(tmp_path), *VIRTUAL, "--picture", str(tmp_path / "last.png")) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.terminate()
        out, err = rest_of(child, within_s=20)
    assert (child.returncode, err) == (0, b"")
    assert out.decode().splitlines()[-1] == f"the final screen: {tmp_path / 'last.png'}"
    assert (tmp_path / "last.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_what_a_table_without_a_screen_says_of_its_parts_is_in_words_of_its_language(here, tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_at_once)
    lamps = "{seats: [{red: 17, green: 27, blue: 22}]}"
    (tmp_path / "table.yaml").write_text(f"language: pt-PT\nlamps: {{pins: {lamps}}}\n")
    said = here("run", "--headless", "--config", tmp_path / "table.yaml")
    assert "tablepi: As luzes só aparecem no ecrã." in said.err.splitlines()


@pytest.fixture
def begins(here, monkeypatch) -> Any:
    """Runs the live table and gives the match that its start screen would begin."""
    setups = []

    def stopped(loop: Any) -> Any:
        setups.append(loop.desk.setup)
        return stopped_at_once(loop)

    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped)

    def run(*words: object) -> Any:
        said = here("run", "--headless", "--new", *words)
        assert (said.status, said.err) == (0, "")
        return new_match(setups[-1])

    return run


def test_the_rules_that_the_start_screen_offers_first_can_be_named(begins, tmp_path):
    names = ("North", "East", "South", "West")
    assert begins() == f.Match(rules="hearts-cardems", players=names, source="person")
    assert begins("--rules", "spades") == f.Match(rules="spades", players=names, source="person")
    (tmp_path / "friday.yaml").write_text("base: spades\nnil: 0\n")
    assert begins("--rules", tmp_path / "friday.yaml") == f.Match(
        rules="friday", players=names, options={"base": "spades", "nil": 0, "blind_nil": 0}, source="person"
    )


def test_rules_that_are_named_are_those_of_the_players_in_the_tables_file_but_not_of_its_options(begins, tmp_path):
    (tmp_path / "table.yaml").write_text("players: [Rita, Ada, Bo, Cleo]\noptions: {target: 50}\n")
    names = ("Rita", "Ada", "Bo", "Cleo")
    for_cardems = f.Match(rules="hearts-cardems", players=names, options={"target": 50}, source="person")
    assert begins("--config", tmp_path / "table.yaml") == for_cardems
    assert begins("--config", tmp_path / "table.yaml", "--rules", "hearts-cardems") == for_cardems
    assert begins("--config", tmp_path / "table.yaml", "--rules", "spades") == f.Match(
        rules="spades", players=names, source="person"
    )


def test_players_whom_nobody_has_named_are_as_many_as_the_rules_are_for(begins, tmp_path):
    (tmp_path / "three.yaml").write_text("base: hearts-classic\nplayers: [3]\n")
    assert begins("--rules", tmp_path / "three.yaml").players == ("Seat 0", "Seat 1", "Seat 2")


def test_rules_that_cannot_be_played_are_an_error_before_the_game(here, tmp_path):
    (tmp_path / "table.yaml").write_text("players: [A, B, C]\nrules: hearts-classic\n")
    (tmp_path / "friday.yaml").write_text("base: spades\nmoon: 3\n")
    assert here("run", "--rules", "bridge").err.startswith("tablepi: --rules: no rule set 'bridge': known are ")
    assert here("run", "--rules", tmp_path / "friday.yaml").err == (
        f"tablepi: {tmp_path / 'friday.yaml'}:2: moon: no such switch of Spades: it is one of Hearts\n"
    )
    said = here("run", "--config", tmp_path / "table.yaml", "--rules", "spades")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("tablepi: --rules: spades is for 4 players, not 3")


def test_a_virtual_table_plays_by_the_rules_that_are_named(tmp_path):
    (tmp_path / "friday.yaml").write_text("base: hearts-black-maria\nplayers: [5]\n")
    with started("--store", str(tmp_path), *VIRTUAL, "--rules", str(tmp_path / "friday.yaml")) as child:
        assert child.stdout is not None
        for _ in range(3):
            child.stdout.readline()
    with Journal(tmp_path, readonly=True) as journal:
        (game,) = journal.games()
    assert (game.rules, len(game.players)) == ("friday", 5)


def test_a_game_that_goes_on_keeps_its_players_and_says_so(here, tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_at_once)
    (tmp_path / "store").mkdir()
    with Journal(tmp_path / "store") as journal:
        journal.begin(
            f.Match(rules="hearts-cardems", players=("A", "B", "C", "D")), wall=datetime(2026, 11, 30), mono=0
        )
    (tmp_path / "table.yaml").write_text("players: [Rita, Ada, Bo, Cleo]\n")
    said = here("--store", tmp_path / "store", "run", "--headless", "--config", tmp_path / "table.yaml")
    told = "tablepi: The open game goes on with its own players; a new one: Menu, End the match."
    assert told in said.err.splitlines()


def test_a_camera_that_is_not_there_is_said_where_no_screen_shows_it(tmp_path):
    config = tmp_path / "table.yaml"
    config.write_text("camera: {source: /dev/v4l/by-id/none}\n")
    with started("--store", str(tmp_path / "store"), "run", "--headless", "--config", str(config)) as child:
        assert child.stderr is not None
        told = "tablepi: camera is missing: nothing is plugged in there (/dev/v4l/by-id/none)\n"
        assert child.stderr.readline().decode() == told


class Pieces(StringIO):
    """A stream that keeps what it is given apart, as another thread could stand between."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def write(self, text: str) -> int:
        self.pieces.append(text)
        return super().write(text)


@pytest.mark.usefixtures("here")
def test_each_line_of_a_table_is_written_in_one_piece(tmp_path, monkeypatch):
    config, out, err = tmp_path / "table.yaml", Pieces(), Pieces()
    config.write_text("lamps: {pins: {buzzer: 18}}\n")
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    assert main(["demo", "--headless", "--sources", "readers", "--hands", "1", "--seed", "7"]) == 0
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_at_once)
    assert main(["run", "--headless", "--config", str(config)]) == 0
    announcing = _Announcing(queue.Queue(), err)
    for fact in (f.Lost(device="camera", reason="/dev/none: nothing is plugged in there"), f.Found(device="camera")):
        announcing.put(fact, timeout=1)
    assert [piece for piece in out.pieces + err.pieces if not piece.endswith("\n")] == []
    assert out.pieces[-1].startswith("tablepi is ready: ")
    assert err.pieces[-2:] == [
        "tablepi: camera is missing: nothing is plugged in there (/dev/none)\n",
        "tablepi: camera is there again\n",
    ]


def test_a_film_that_is_over_is_said_with_its_name(tmp_path):
    config, path = tmp_path / "table.yaml", film(tmp_path / "friday.avi", 3)
    config.write_text("camera: {source: friday.avi}\n")
    with started("--store", str(tmp_path / "store"), "run", "--headless", "--config", str(config)) as child:
        assert child.stderr is not None
        assert child.stderr.readline().decode() == f"tablepi: {path}: the film is over; Ctrl-C ends the table\n"


def test_a_film_at_the_table_plays_in_its_own_time_and_a_camera_does_anyway(tmp_path):
    path = film(tmp_path / "friday.avi", 3)
    assert type(real_camera(CameraConfig(source=str(path)))) is InItsOwnTime
    assert type(real_camera(CameraConfig(source=str(tmp_path)))) is InItsOwnTime
    assert type(real_camera(CameraConfig(source="rpicam"))) is RpicamSource


def test_a_table_without_a_screen_says_when_no_hand_is_open_and_that_it_cannot_begin_one(here, tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_at_once)
    store = tmp_path / "store"
    ready = here("run", "--headless").out.splitlines()[0]
    assert ready == (
        f"tablepi is ready: game not begun, store {store}; no hand is open, and without a window or a button "
        "nobody can deal: begin one with `tablepi run` first, or referee a film with `tablepi watch … | "
        "tablepi referee -`; Ctrl-C ends it"
    )
    with Journal(store) as journal:
        match = f.Match(rules="hearts-cardems", players=("A", "B", "C", "D"))
        game = journal.begin(match, wall=datetime(2026, 11, 30), mono=0)
        journal.append(game, f.Hand(dealer=0), mono=1)
    goes_on = here("run", "--headless").out.splitlines()[0]
    assert goes_on == f"tablepi goes on: game {game}, store {store}; Ctrl-C ends it"


def test_a_table_without_a_screen_names_the_button_and_the_card_that_deal(here, tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_at_once)
    config = tmp_path / "table.yaml"
    (tmp_path / "deck.yaml").write_text(
        "cards: {QS: [04A1B2C5]}\ncommands: {next-hand: [04A1B2C3], undo: [04A1B2C4]}\n"
    )
    config.write_text(
        "deck: deck.yaml\nreaders: [{name: r, port: /dev/serial/by-id/none, shared: true}]\n"
        "lamps: {pins: {buttons: {undo: 11, confirm: 9}}}\n"
    )
    ready = here("run", "--headless", "--config", config).out.splitlines()[0]
    assert ready.endswith(
        "; no hand is open: to deal, press the button confirm or lay the card “next-hand” on a reader; Ctrl-C ends it"
    )


@pytest.mark.parametrize(
    ("lamps", "how"),
    [
        ("lamps: {pins: {buttons: {seat-0: 9}}}", "press the button seat-0"),
        ("deck: deck.yaml", "lay the card “next-hand” on a reader"),
    ],
)
def test_a_table_without_a_screen_whose_hands_can_be_dealt_does_not_say_that_nobody_can(
    here, tmp_path, monkeypatch, lamps, how
):
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_at_once)
    (tmp_path / "deck.yaml").write_text("cards: {}\ncommands: {next-hand: [04A1B2C3D4E580]}\n")
    reader = f"readers: [{{name: desk, port: {tmp_path}/desk, means: command}}]"
    (tmp_path / "table.yaml").write_text(f"{lamps}\n{reader}\n")
    said = here("run", "--headless", "--config", tmp_path / "table.yaml")
    ready = f"tablepi is ready: game not begun, store {tmp_path / 'store'}"
    assert said.out.splitlines()[0] == f"{ready}; no hand is open: to deal, {how}; Ctrl-C ends it"


class Coarse:
    """An eye that finds the cards too small, and sees nothing."""

    found, trouble, coarse = True, "", "the picture is coarse: 10 pixels: hang the camera lower"

    def look(self, _):
        return []

    def know(self, *_):
        pass

    def photo(self, _):
        return None


def test_a_picture_that_is_too_coarse_is_said_once(here, tmp_path, monkeypatch):
    notices = []

    def stopped_after_three_turns(loop: Any) -> Any:
        turn = loop.turn

        def counted() -> None:
            loop.stop()  # which wakes it, too
            turn()
            notices.append(loop.notices)
            loop._stopping = len(notices) == 3

        monkeypatch.setattr(loop, "turn", counted)
        return threading.Event()

    monkeypatch.setattr("tablepi.commands.parts.opened_eye", lambda *_: Coarse())
    monkeypatch.setattr("tablepi.commands.parts.stop_on_signals", stopped_after_three_turns)
    film(tmp_path / "friday.avi", 30)
    (tmp_path / "table.yaml").write_text("camera: {source: friday.avi}\n")
    said = here("run", "--headless", "--config", tmp_path / "table.yaml")
    assert (said.status, said.err) == (0, f"tablepi: camera: {Coarse.coarse}\n")
    assert notices == [("the picture is coarse: 10 pixels",)] * 3


def test_faces_that_nobody_taught_are_an_error_before_the_game(tmp_path):
    config = tmp_path / "table.yaml"
    config.write_text("camera: {source: rpicam}\nfaces: grandmother\n")
    told = tablepi("--store", tmp_path / "store", "run", "--headless", "--config", config)
    assert (told.status, told.out) == (2, "")
    assert "grandmother.faces.npz" in told.err


def test_a_table_may_have_readers_of_both_kinds(tmp_path):
    chip, lines = VirtualPn532(tmp_path / "pn532"), VirtualReader(tmp_path / "lines")
    told = (
        ReaderConfig(name="reader-0", port=str(tmp_path / "pn532"), kind="pn532", seat=0, close=True),
        ReaderConfig(name="reader-1", port=str(tmp_path / "lines"), seat=1),
    )
    deck = {"04A1B2C3D4E580": card("2C"), "04A1B2C3D4E581": card("3C")}
    inbox: queue.Queue[Any] = queue.Queue()
    with chip, lines, supervised(tag_readers(told, deck, virtual=False), inbox) as supervisor:
        assert supervisor.wait_tried(10)
        chip.lay("04A1B2C3D4E580")
        lines.lay("04A1B2C3D4E581")
        came: list[Any] = []
        while sum(isinstance(fact, f.Tag) for fact in came) < 2:
            came.append(inbox.get(timeout=10))
    assert sorted((fact.source, fact.seat, str(fact.card)) for fact in came if isinstance(fact, f.Tag)) == [
        ("reader-0", 0, "2C"),
        ("reader-1", 1, "3C"),
    ]


def test_the_eyes_of_the_cameras_know_which_cards_may_still_come_and_whose_turn_it_is(tmp_path, monkeypatch):
    eyes = [Eye(SimpleNamespace(), 4) for _ in range(2)]
    made = iter(eyes)
    monkeypatch.setattr("tablepi.commands.parts.opened_eye", lambda *told: next(made))
    monkeypatch.setattr("tablepi.commands.parts.real_camera", lambda camera: None)
    monkeypatch.setattr("tablepi.commands.parts.table_cameras", lambda cameras: [])
    monkeypatch.setattr("tablepi.commands.parts.supervised", lambda devices, inbox: nullcontext())
    config = Config(camera=(CameraConfig(source="/dev/a"), CameraConfig(source="/dev/b", name="camera-2")))
    with ExitStack() as stack:
        parts = put_together(stack, config, display=None, virtual=None, notices=(), store=tmp_path)
        known = []
        for played in ("", "0:2C 1:3C"):
            parts.know(Told(held() + played).table)
            known.append([(eye.expected, eye.turn, eye.opens) for eye in eyes])
    assert known == [
        [(FULL_DECK, None, card("2C"))] * 2,
        [(FULL_DECK & ~cards_of([card("2C"), card("3C")]), 2, None)] * 2,
    ]
