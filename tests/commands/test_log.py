"""``games``, ``show``, ``export``, ``import``, ``check`` and ``review`` on a game that was played."""

from __future__ import annotations

import json
import os
import sqlite3

import pytest

from tablepi.journal import Journal
from tablepi.language import words
from tablepi.views.words import with_text

from ..core.contract_lines import check_lines
from .conftest import Said


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_new_store_has_no_games_and_says_how_to_get_one(here, tmp_path):
    assert here("games") == Said(
        0, f"no games in {tmp_path / 'store'} yet: play one with `tablepi run` or `tablepi demo`\n", ""
    )
    assert here("games", "--json") == Said(0, "", "")


def test_games_lists_what_was_played(here, played):
    (game,) = lines(here("--store", played.store, "games", "--json").out)
    facts = len(played.export.read_text().splitlines())
    assert (game["rules"], game["players"], game["facts"], game["state"]) == (
        "hearts-cardems",
        ["Rita", "Ada", "Bo", "Cleo"],
        facts,
        "over",
    )
    told = here("--store", played.store, "games").out
    assert [row.split()[0] for row in told.splitlines()] == ["game", game["game"]]
    assert "Rita, Ada, Bo, Cleo" in told


def test_a_players_name_that_a_terminal_would_obey_is_told_with_boxes(here, tmp_path):
    facts = tmp_path / "game.jsonl"
    facts.write_text(
        json.dumps({"fact": "match", "rules": "hearts-cardems", "players": ["R\x1b[1mi", "A\u202eda", "Bo", "Cleo"]})
        + "\n"
    )
    assert here("import", facts).status == 0
    assert "R□[1mi, A□da, Bo, Cleo" in here("games").out


def test_show_gives_every_fact_with_the_answers_that_the_journal_noted_when_they_were_shown(here, played):
    shown = lines(here("--store", played.store, "show", "last", "--json").out)
    spoken = words("en", ("Rita", "Ada", "Bo", "Cleo"))
    with Journal(played.store, readonly=True) as journal:
        game = journal.find("last")
        noted = [(n, [with_text(line, spoken) for line in answer]) for n, answer in journal.as_shown(game)]
    assert [(line["n"], line["answers"]) for line in shown] == noted
    check_lines((line["n"], line["answers"]) for line in shown)
    assert [line["fact"] for line in shown] == lines(played.export.read_text())


def test_show_in_words_goes_up_to_the_fact_that_is_asked_for(here, played):
    told = here("--store", played.store, "show", "last", "--at", 5).out
    whole = here("--store", played.store, "show", "last").out
    assert whole.startswith(told)
    assert [line.split()[0] for line in told.splitlines() if line.lstrip()[:1].isdigit()] == list("12345")


def test_show_speaks_portuguese(here, played):
    told = here("--store", played.store, "--lang", "pt", "show", "last").out
    assert "Ada joga 2♣." in told
    assert "Ada plays" not in told
    assert here("--store", played.store, "--lang", "pt-PT", "show", "last").out == told


def test_an_export_imported_and_exported_again_is_the_same_byte_for_byte(here, played, tmp_path):
    imported = here("import", played.export)
    assert (imported.status, imported.err) == (0, "")
    game = imported.out.strip()
    assert here("export", game, "-o", tmp_path / "again.jsonl") == Said(0, "", "")
    assert (tmp_path / "again.jsonl").read_bytes() == played.export.read_bytes()
    assert here("export", "last").out.encode() == played.export.read_bytes()
    assert here("check", game).status == 0


def test_an_imported_game_is_listed_as_one_and_a_second_import_names_the_first(here, played):
    first = here("import", played.export).out.strip()
    again = here("import", played.export)
    second = again.out.strip()
    assert again == Said(0, f"{second}\n", f"tablepi: kept as {second}; the same facts are already kept as {first}\n")
    rows = [row.split() for row in here("games").out.splitlines()]
    assert [(row[0], row[3]) for row in rows] == [("game", "state"), (first, "imported"), (second, "imported")]
    assert [game["state"] for game in lines(here("games", "--json").out)] == ["over", "over"]


def test_an_export_folded_by_the_referee_says_byte_for_byte_what_show_says(here, played):
    refereed = here("referee", played.export, "--json").out
    shown = here("--store", played.store, "show", "last", "--json").out
    dumped = "".join(
        json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in lines(shown)
        for answer in line["answers"]
    )
    assert refereed == dumped
    assert '"breach"' in refereed
    assert '"proved"' in refereed


def test_an_export_does_not_replace_a_device_or_a_link(here, played, tmp_path):
    fifo, link, file = tmp_path / "fifo", tmp_path / "link", tmp_path / "file"
    os.mkfifo(fifo)
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    assert here("--store", played.store, "export", "last", "-o", fifo).status == 0
    assert os.read(reading, 1 << 16) == played.export.read_bytes()
    os.close(reading)
    file.write_text("old")
    link.symlink_to(file)
    assert here("--store", played.store, "export", "last", "-o", link).status == 0
    assert (link.is_symlink(), file.read_bytes()) == (True, played.export.read_bytes())
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "store") == ["fifo", "file", "link"]


def test_an_export_that_fails_leaves_the_old_file_and_nothing_beside_it(here, played, tmp_path):
    (tmp_path / "folder").mkdir()
    said = here("--store", played.store, "export", "last", "-o", tmp_path / "folder")
    assert (said.status, said.out) == (2, "")
    assert f"-o {tmp_path / 'folder'}: cannot be written: Is a directory" in said.err
    assert [path.name for path in tmp_path.iterdir() if path.name != "store"] == ["folder"]


def test_a_game_by_a_rule_set_of_a_file_is_imported_with_the_whole_rule_set(here, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours.yaml").write_text("base: spades\ntarget: 300\n")
    match = {"fact": "match", "rules": "ours.yaml", "players": ["Rita", "Ada", "Bo", "Cleo"]}
    (tmp_path / "game.jsonl").write_text(json.dumps(match) + "\n")
    assert here("import", "game.jsonl").status == 0
    (kept,) = lines(here("export", "last").out)
    assert (kept["rules"], kept["options"]["base"], kept["options"]["target"]) == ("ours", "spades", 300)
    (tmp_path / "ours.yaml").write_text("base: spades\ntargets: 300\n")
    refused = here("import", "game.jsonl")
    assert refused.status == 2
    assert "ours.yaml:2: targets: no such switch" in refused.err


def test_a_file_with_one_bad_line_is_not_imported_at_all(here, played, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(played.export.read_text() + '{"fact":"play","seat":4,"card":"2C"}\n')
    count = len(played.export.read_text().splitlines())
    assert here("import", bad) == Said(
        2, "", f"tablepi: {bad}: line {count + 1}: play: seat 4 does not exist: 4 play, seats 0 to 3\n"
    )
    assert here("games", "--json").out == ""


def test_check_finds_every_ruling_as_it_was_shown(here, played):
    facts = len(played.export.read_text().splitlines())
    sound = f"1 games, {facts} facts: every ruling is as it was shown, and the store is sound\n"
    assert here("--store", played.store, "check", "--all") == Said(0, sound, "")
    assert here("--store", played.store, "check", "last") == Said(0, sound, "")


@pytest.fixture
def copied(played, tmp_path):
    """A copy of the store that may be spoilt; SQL for it."""
    folder = tmp_path / "spoilt"
    folder.mkdir()
    with sqlite3.connect(played.store / "games.sqlite") as whole, sqlite3.connect(folder / "games.sqlite") as copy:
        whole.backup(copy)
    whole.close()
    copy.execute("PRAGMA journal_mode = WAL")
    yield folder, copy
    copy.close()


def test_check_tells_a_ruling_that_today_s_engine_gives_differently(here, copied):
    folder, _ = copied
    with Journal(folder) as journal:
        journal.shown(journal.find("last"), 4, [{"ruling": "breach", "n": 4}])
    said = here("--store", folder, "check", "--all")
    assert said.status == 1
    assert "fact 4: shown then:" in said.out
    assert len(said.out.splitlines()) == 1


def test_check_tells_of_a_damaged_fact_and_goes_on(here, copied):
    folder, copy = copied
    with copy:
        copy.execute("UPDATE facts SET line = replace(line, '\"seat\":', '\"seat\": ') WHERE n = 9")
    said = here("--store", folder, "check", "--all")
    assert said.status == 1
    assert "fact 9 is damaged (checksum)" in said.out
    assert said.err == ""


def test_review_without_a_screen_prints_every_ruling_and_saves_the_last_screen(here, played, tmp_path):
    said = here("--store", played.store, "review", "last", "--headless", "--picture", tmp_path / "last.png")
    *told, last = said.out.splitlines()
    assert (said.status, said.err) == (0, "")
    assert last == f"the last screen: {tmp_path / 'last.png'}"
    assert (tmp_path / "last.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert "\n".join(told) + "\n" in played.said.out


def test_review_in_a_window_ends_when_the_window_is_closed(here, played, monkeypatch):
    import pygame

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    waits = []

    def close_soon(_: int) -> None:
        waits.append(1)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RIGHT, unicode="", mod=0))
        if len(waits) == 3:
            pygame.event.post(pygame.event.Event(pygame.QUIT))

    monkeypatch.setattr(pygame.time, "wait", close_soon)
    assert here("--store", played.store, "review", "last") == Said(0, "", "")
    assert len(waits) == 3
