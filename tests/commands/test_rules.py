"""``rules``: what is printed of a rule set; and a person's own rule set, from its file through every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablepi.journal import Journal

from .conftest import Said, tablepi

OWN = """\
base: hearts-black-maria
moon: self
values: {JD: -10}
"""


@pytest.fixture
def friday(tmp_path) -> Path:
    path = tmp_path / "friday.yaml"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_each_switch_is_shown_with_its_value_its_rows_and_their_words(here):
    shown = here("rules", "show", "hearts-cardems").out
    assert shown.startswith("hearts-cardems: 4 players, source 000_71ad3c7828cf0232.txt\n\nplayers: [4]\n")
    assert (
        "\ntie: play_on\n"
        "    # what comes of several lowest totals when the target is reached\n"
        "    # may be\n"
        "    #   play_on: another hand is played\n"
        "    #   shared: the match is over, the place is shared\n"
        "    R067 000_71ad3c7828cf0232.txt:22 «Aos 100 ou mais, a partida só termina se um jogador sozinho tiver o "
        "menor total acumulado»\n"
        "    R068 000_71ad3c7828cf0232.txt:5 «se houver empate na menor pontuação, joga-se outra rodada»\n"
    ) in shown
    assert "\nvalues: {hearts: 1, QS: 13}\n    # what cards are worth; " in shown
    assert "\n    #   pass: for the cards that are passed\n    the source knows none\n" in shown


def test_what_may_be_written_is_shown_as_it_is_read(here):
    shown = here("rules", "show", "hearts-cardems").out
    assert "    # may be a whole number from 1 to 1000, or null for none\n" in shown
    assert "    # may be {number of players: cards like 2D 2C, or [] for none}, such as {5: 2D 2C}\n" in shown
    assert (
        "    # may be\n"
        "    #   record: nothing, it is only kept on record\n"
        "    #   26: its player gets 26 points, the others 0 that hand\n"
        "    #   whole-hand: its player gets the points of the whole hand, the others 0; another's moon is void\n"
    ) in shown


@pytest.mark.parametrize("words", [("show", "spades"), ("spades",)])
def test_show_may_be_left_out(here, words):
    said = here("rules", *words)
    assert (said.status, said.out.splitlines()[0]) == (0, "spades: 4 players, source 001_146818d276d318f2.txt")


def test_a_file_may_be_shown_without_the_word_too_and_only_one(here, friday):
    assert here("rules", friday) == here("rules", "show", friday)
    assert here("rules", "show", friday, friday) == Said(
        2, "", "tablepi: rules: name one rule set, such as `tablepi rules show hearts-classic`\n"
    )


def test_a_blind_nil_that_goes_with_the_nil_is_shown_with_the_line_of_that(here, tmp_path):
    path = tmp_path / "no-nil.yaml"
    path.write_text("base: spades\nnil: 0\n")
    switches = here("rules", "show", path).out.split("\n\n")
    (blind,) = (told for told in switches if told.startswith("blind_nil:"))
    assert (blind.splitlines()[0], blind.splitlines()[-1]) == ("blind_nil: 0", f"    with nil: {path}, line 2")


def test_of_a_rule_set_of_ones_own_the_lines_of_the_file_are_behind_what_it_changes(here, friday):
    shown = here("rules", "show", friday).out
    assert shown.startswith(
        "friday: 3, 4, 5, 6, 7 players, source 004_fd2e5e766a311082.txt, changes hearts-black-maria\n"
    )
    told = {lines[0]: lines[-1] for lines in (switch.splitlines() for switch in shown.split("\n\n"))}
    assert told["moon: self"] == f"    {friday}, line 2"
    assert told["values: {hearts: 1, QS: 13, JD: -10}"] == f"    {friday}, line 3"
    assert told["queen_breaks: true"].startswith("    R055 ")


@pytest.mark.parametrize("command", [("rules", "show"), ("demo", "--rules")])
def test_a_file_that_is_wrong_is_told_with_every_complaint(here, tmp_path, command):
    path = tmp_path / "mine.yaml"
    path.write_text("base: hearts-classic\npass_cont: 3\nmoon: 7\n", encoding="utf-8")
    assert here(*command, path) == Said(
        2,
        "",
        f"tablepi: {path}:2: pass_cont: no such switch: did you mean pass_count?\n"
        f"{path}:3: moon: 7: write others, self, choice or auto\n",
    )


def test_a_game_by_a_rule_set_of_ones_own_is_the_same_when_its_file_has_changed_or_gone(friday, tmp_path):
    store, again = tmp_path / "store", tmp_path / "again"
    options = ("--headless", "--sources", "readers", "--hands", 1, "--seed", 3, "--players", 3)
    said = tablepi("--store", store, "demo", "--rules", friday, *options)
    assert (said.status, said.err) == (0, "")
    friday.write_text("base: hearts-cardems\ntarget: 26\n", encoding="utf-8")
    assert tablepi("--store", store, "check", "--all").status == 0
    friday.unlink()
    assert tablepi("--store", store, "check", "--all").status == 0
    with Journal(store, readonly=True) as journal:
        (entry,) = journal.games()
        told = [line for _, line in journal.shown_lines(entry.id) if line.get("event") == "hand"]
    assert (entry.rules, sum(told[0]["points"].values())) == ("friday", 16)
    export = tmp_path / "game.jsonl"
    assert tablepi("--store", store, "export", "last", "-o", export).status == 0
    assert tablepi("--store", again, "import", export).status == 0
    assert tablepi("--store", again, "check", "--all").status == 0
    assert tablepi("referee", export).status == 0


@pytest.mark.parametrize("file", ["friday.yaml", "./friday.yaml"])
def test_the_tables_file_names_one_beside_it(here, friday, tmp_path, file):
    table = tmp_path / "table.yaml"
    table.write_text(f"rules: {file}\noptions: {{target: 60}}\n", encoding="utf-8")
    assert here("config", "check", table) == Said(0, f"{table}: nothing to mend\n", "")


def test_what_is_wrong_with_it_is_told_with_the_rest_of_the_tables_file(here, friday, tmp_path):
    friday.write_text("base: hearts-classic\nplayers: [8]\nsun: hot\n", encoding="utf-8")
    table = tmp_path / "table.yaml"
    table.write_text("rules: friday.yaml\ncamera: {source: no-film.mp4}\n", encoding="utf-8")
    checked = here("config", "check", table)
    assert (checked.status, checked.out.splitlines()) == (
        1,
        [
            f'{table}:2: camera.source: "no-film.mp4": there is no such film, folder or device: '
            "write its path as seen from this file, or rpicam",
            f"{friday}:2: players[0]: 8 is not a number of players from 2 to 7",
            f"{friday}:3: sun: 'hot': write moon or double",
        ],
    )
    ran = here("run", "--headless", "--config", table)
    assert (ran.status, ran.err.splitlines()[0]) == (
        2,
        f"tablepi: {friday}:2: players[0]: 8 is not a number of players from 2 to 7",
    )


def test_a_file_that_is_not_there_is_named(here, tmp_path):
    table = tmp_path / "table.yaml"
    table.write_text("rules: monday.yaml\n", encoding="utf-8")
    told = f"{table}:1: rules: {tmp_path / 'monday.yaml'}: there is no such file\n"
    assert here("config", "check", table).out == told


def test_r064_at_the_end_of_the_input_a_moon_is_settled_by_default(here, tmp_path):
    game = tmp_path / "game.jsonl"
    names = ["Rita", "Ada", "Bo", "Cleo"]
    said = [
        {"fact": "match", "rules": "hearts-black-maria", "players": names, "options": {"target": 26}},
        {"fact": "hand"},
        {"fact": "end-hand", "points": {"1": 26}},
    ]
    game.write_text("".join(json.dumps(line) + "\n" for line in said))
    answers = [json.loads(line) for line in here("referee", game, "--json").out.splitlines()]
    assert [line.get("ruling", line.get("event")) for line in answers] == [
        "pass",
        "confirmed",
        "choice",
        "hand",
        "match",
    ]
    assert answers[3]["moon"] == {"seat": 1, "choice": "others"}
    assert answers[4]["winners"] == ["1"]
