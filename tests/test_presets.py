"""Rule sets as files: the shipped ones are whole, and a person's own is a base with changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablepi import presets
from tablepi.cards import card
from tablepi.config import BadConfig, Config, load_config
from tablepi.errors import BadInput
from tablepi.facts import Match, dumps, from_dict, to_dict
from tablepi.match import match_complaint
from tablepi.rules import game_of

from .script import NAMES, RULEBOOK, Told


@pytest.fixture
def own(tmp_path):
    """Writes a rule set and gives its path."""

    def write(text: str, name: str = "friday.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def complaints(path: Path) -> list[tuple[int | None, str, str]]:
    with pytest.raises(BadConfig) as bad:
        presets.load(path)
    return [(c.line, c.key, c.text) for c in bad.value.complaints]


# --- the shipped ones ------------------------------------------------------------------------------------------------


def test_every_rule_set_of_the_sources_is_there():
    hearts = [f"hearts-{name}" for name in ("black-maria", "cardems", "classic", "omnibus", "spot", "tournament")]
    assert list(presets.shipped()) == [*hearts, "spades"]


@pytest.mark.parametrize("name", sorted(RULEBOOK))
def test_a_shipped_rule_set_says_every_switch_and_what_is_behind_it(name):
    rule_set = presets.shipped()[name]
    whole = presets.shipped()[rule_set.base] if rule_set.base else rule_set
    assert list(whole.changes) == list(rule_set.game.SWITCHES)
    assert set(rule_set.rows) == set(rule_set.game.SWITCHES)
    assert rule_set.game.name == name
    assert list(rule_set.game.impossible()) == []


@pytest.mark.parametrize("name", sorted(RULEBOOK))
def test_a_row_behind_a_switch_is_one_of_the_matrix(name):
    behind = [row for rows in presets.shipped()[name].rows.values() for row in rows]
    numbers = {row for row in behind if row[:1] == "R" and row[1:].isdecimal()}
    assert numbers
    assert numbers <= set(presets.rows())


def test_the_values_are_what_the_files_say():
    assert [game.source[:3] for game in RULEBOOK.values()] == ["004", "000", "003", "004", "004", "002", "001"]
    assert RULEBOOK["hearts-omnibus"].values[card("JD")] == -10
    assert RULEBOOK["hearts-omnibus"].removed == RULEBOOK["hearts-black-maria"].removed


# --- a person's own --------------------------------------------------------------------------------------------------


def test_a_base_and_changes_are_a_rule_set_named_after_its_file(own):
    mine = presets.load(own("base: hearts-classic\ntarget: 50\nvalues: {JD: -10}\nremoved: {5: 2S 3S}\n"))
    assert (mine.name, mine.base, mine.game.name, mine.game.target) == ("friday", "hearts-classic", "friday", 50)
    classic = RULEBOOK["hearts-classic"]
    assert mine.game.values == {**classic.values, card("JD"): -10}
    assert mine.game.removed == {**classic.removed, 5: (card("2S"), card("3S"))}
    assert mine.game.hearts_break == "discarded"


def test_it_may_have_a_name_of_its_own(own):
    assert presets.load(own("name: Clube da Rita\nbase: spades\nsuicide: true\n")).name == "Clube da Rita"


def test_unknown_switches_are_told_by_name_with_the_one_that_is_meant(own):
    assert complaints(own("base: hearts-classic\ntargett: 50\nsauce: hot\n")) == [
        (2, "targett", "no such switch: did you mean target?"),
        (3, "sauce", f"no such switch: known are {', '.join(RULEBOOK['hearts-classic'].SWITCHES)}"),
    ]


def test_every_complaint_is_told_at_once_with_its_line(own):
    text = """\
base: hearts-clasic
name: ""
moon: perhaps
removed:
  5: 2D 2X
  9: 3D
pass_cycle: {4: [left, up]}
target: 0
hands: some
queen_breaks: 1
values: {XX: 1, QS: many}
pauses: [2, 5]
target: 3
"""
    assert complaints(own(text)) == [
        (1, "base", "no rule set 'hearts-clasic': did you mean hearts-classic?"),
        (2, "name", "is not a name: write a text"),
        (3, "moon", "'perhaps': write others, self, choice or auto"),
        (5, "removed.5", "'2X' is not a card: write rank then suit, such as QS, TC or 10C"),
        (6, "removed.9", "9 is not a number of players from 2 to 7"),
        (7, "pass_cycle.4[1]", "'up': write left, right, across, hold, left-2 or right-2"),
        (8, "target", "0 is not a whole number from 1 to 10000"),
        (9, "hands", "'some' is not a whole number from 1 to 1000"),
        (10, "queen_breaks", "1 is neither true nor false"),
        (11, "values.XX", "'XX' is not a card: write rank then suit, such as QS, TC or 10C"),
        (11, "values.QS", "'many' is not a whole number from -1000 to 1000"),
        (12, "pauses", "[2, 5]: write keys with their values, such as {key: value}"),
        (13, "target", "is written twice, first on line 8: keep one"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("removed: {5: 2D}", 2, "removed.5", "51 cards do not divide among 5 players: remove 1 more, or fewer"),
        ("players: [3, 7]\npass_cycle: {7: [hold]}", 2, "players", "52 cards do not divide among 7 players"),
        ("players: [4]\nremoved:\n  4: 2D", 4, "removed.4", "51 cards do not divide among 4 players"),
        ("opening: 2C", 2, "opening", "2C opens, but is not in the deck of 5 players"),
        ("pass_count: 9", 2, "pass_count", "9 cards are passed, but a hand of 6 has 8"),
        ("pass_cycle: {5: [left, across]}", 2, "pass_cycle.5", "nobody sits across from anybody with 5 players"),
        ("pass_cycle: {4: []}", 2, "pass_cycle.4", "says nothing of 4 players: write 4: [hold]"),
        ("removed: {4: QS 2C 2D 2H}", 2, "removed", "QS is worth points: a card of points stays in the deck"),
        ("removed: {4: 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S}", 2, "removed.4", "no club is left to open"),
        ("players: [2]\npass_cycle: {2: [left-2]}", 3, "pass_cycle.2", "two to the left of one of 2 players"),
        ("players: []", 2, "players", "write each number of players once"),
        ("players: [4, 4]", 2, "players", "write each number of players once"),
        ("removed: {4: 2D 2D}", 2, "removed.4", "2D is written twice"),
    ],
)
def test_combinations_with_which_nobody_can_play_are_told_where_they_can_be_mended(own, text, line, key, words):
    found = complaints(own(f"base: hearts-classic\n{text}\n"))
    assert [(at, where) for at, where, _ in found] == [(line, key)]
    assert words in found[0][2]


def test_several_impossible_things_are_told_at_once(own):
    found = complaints(own("base: hearts-classic\nplayers: [4, 5, 7]\nopening: 2C\npass_count: 9\n"))
    assert [(line, key) for line, key, _ in found] == [
        (2, "players"),
        (2, "players"),
        (3, "opening"),
        (4, "pass_count"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("target: 50\n", 1, "", "has no base: write the rule set that it changes"),
        ("base: 7\n", 1, "base", "no rule set '7': known are hearts-black-maria"),
        ("base: hearts-classic\nname: spades\n", 2, "name", "spades is a rule set of tablepi: give this one a name"),
        ("[hearts]\n", 1, "", "write switches with their values"),
        ("base: hearts-classic\ngame: hearts\n", 2, "game", "no such switch"),
        ("base: spades\nmoon: self\n", 2, "moon", "no such switch"),
    ],
)
def test_a_file_that_is_no_rule_set_says_why(own, text, line, key, words):
    ((at, where, said),) = complaints(own(text))
    assert (at, where) == (line, key)
    assert words in said


def test_a_name_that_nobody_knows_is_told_with_those_that_are_known():
    with pytest.raises(
        BadInput, match=r"no rule set 'bridge': known are hearts-black-maria, .*, spades; one of your own"
    ):
        presets.rule_set("bridge")


# --- a match that is played by it ------------------------------------------------------------------------------------


def begun(path: Path, **options: object) -> Match:
    mine = presets.rule_set(str(path))
    return Match(rules=mine.name, players=tuple(NAMES), options=mine.options(options))


def test_its_match_says_all_of_it_and_is_played_again_when_the_file_is_gone(own):
    path = own("base: hearts-classic\ntarget: 26\nvalues: {JD: -10}\nremoved: {5: 2S 3S}\nopening: 2C\nplayers: [4]\n")
    match = begun(path)
    line = dumps(to_dict(match))
    path.unlink()
    told = Told([from_dict(json.loads(line))])
    assert told.table.state.game == game_of(RULEBOOK, "friday", json.loads(line)["options"])
    assert (told.table.state.game.target, told.table.state.game.points_in_hand) == (26, 16)
    told.tell('{"fact":"hand"} {"fact":"end-hand","points":{"0":26,"1":-10}}')
    assert told.events("match")[0]["totals"] == {"0": 0, "1": 16, "2": 26, "3": 26}


def test_the_tables_options_stand_above_the_file(own):
    match = begun(own("base: hearts-classic\ntarget: 26\n"), target=60)
    assert game_of(RULEBOOK, match.rules, match.options).target == 60


@pytest.mark.parametrize(
    ("rules", "options", "words"),
    [
        ("friday", {}, "rules: no rule set 'friday': known are hearts-black-maria"),
        ("friday", {"base": "bridge"}, "options: base: no rule set 'bridge': known are"),
        ("friday", {"base": ["spades"]}, "options: base: no rule set"),
        ("spades", {"base": "hearts-classic"}, "rules: spades is a rule set of tablepi"),
        ("friday", {"base": "hearts-classic", "opening": "2X"}, "options: opening: '2X' is not a card"),
        ("hearts-cardems", {"removed": {"4": "2D"}}, "options: removed.4: 51 cards do not divide"),
        ("hearts-cardems", {"players": [3]}, "options: players: 52 cards do not divide among 3"),
    ],
)
def test_a_match_that_says_something_impossible_is_refused(rules, options, words):
    complaint = match_complaint(RULEBOOK, Match(rules=rules, players=tuple(NAMES), options=options))
    assert complaint is not None
    assert complaint.startswith(words)


def test_the_tables_file_may_name_a_file_beside_it(own, tmp_path):
    own("base: hearts-tournament\nhands: 8\n")
    config = load_config(own("rules: friday.yaml\n", "table.yaml"))
    assert config == Config(rules=str(tmp_path / "friday.yaml"))
    assert presets.rule_set(config.rules).game.hands == 8
