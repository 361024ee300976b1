"""Rule sets as files: the shipped ones are whole, and a person's own is a base with changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tablepi import presets
from tablepi.cards import OF_SUIT, card
from tablepi.config import BadConfig, Config, load_config
from tablepi.errors import BadInput
from tablepi.facts import Match, dumps, from_dict, to_dict
from tablepi.match import match_complaint
from tablepi.rules import Hearts, Spades, game_of
from tablepi.rules.switches import unknown

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


def test_the_switches_that_there_are_are_listed_once():
    known = ", ".join(RULEBOOK["spades"].SWITCHES)
    assert list(unknown(["sauce", "nill", "salt"], RULEBOOK["spades"].SWITCHES).items()) == [
        ("sauce", f"no such switch: known are {known}"),
        ("nill", "no such switch: did you mean nil?"),
        ("salt", "no such switch"),
    ]


def test_a_switch_that_is_only_a_little_like_another_is_not_that_one():
    match = Match(rules="hearts-classic", players=tuple(NAMES), options={"revoke": "record"})
    assert str(match_complaint(RULEBOOK, match)).startswith("options: revoke: no such switch: known are players, ")


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("Target", "no such switch: did you mean target?"),
        ("pass-count", "no such switch: did you mean pass_count?"),
        ("pass", "no such switch: did you mean pass_cycle or pass_count?"),
        ("nmae", "no such switch: did you mean name?"),
        ("revoke", "no such switch of Hearts: it is one of Spades"),
        ("game", "no such switch here: the base says the game: leave it out"),
        ("source", "no such switch here: only a rule set of tablepi names one: leave it out"),
        ("rows", "no such switch here: only a rule set of tablepi has them: leave it out"),
    ],
)
def test_only_what_is_near_is_thought_to_be_meant(own, key, words):
    assert complaints(own(f"base: hearts-classic\n{key}: 3\n")) == [(2, key, words)]


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
        (9, "hands", "'some' is not a whole number from 1 to 1000, or null for none"),
        (10, "queen_breaks", "1 is neither true nor false"),
        (11, "values.XX", "'XX' is not a card: write rank then suit, such as QS, TC or 10C"),
        (11, "values.QS", "'many' is not a whole number from -1000 to 1000, 0 for none"),
        (12, "pauses", "[2, 5]: write keys with their values, such as {trick: 2, hand: 5}"),
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
        ("removed: {4: QS 2C 2D 3D}", 2, "removed.4", "QS is worth points: a card of points stays in the deck of 4"),
        (
            "players: [3, 4]\nvalues: {2D: 1}",
            3,
            "values",
            "2D is worth points: a card of points stays in the deck of 3",
        ),
        ("players: [5, 6]\nopening: 2D", 3, "opening", "2D opens, but is not in the deck of 5, 6 players"),
        ("pass_count: 20", 2, "pass_count", "20 cards are passed, but a hand of 6 has 8: pass 8 at most"),
        (
            "players: [4]\nremoved: {4: 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD "
            "2S 3S 4S 5S 6S 7S 8S 9S TS JS KS AS 2H 3H 4H 5H 6H 7H 8H}\nvalues: {hearts: 0}",
            3,
            "removed.4",
            "3 cards are passed, but a hand of 4 has 2",
        ),
        ("removed: {4: 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S}", 2, "removed.4", "no club is left to open"),
        ("players: [2]\npass_cycle: {2: [left-2]}", 3, "pass_cycle.2", "two to the left of one of 2 players"),
        ("players: []", 2, "players", "write each number of players once"),
        ("players: [4, 4]", 2, "players", "write each number of players once"),
        ("players: 4", 2, "players", "4: write a list: [4]"),
        ("players: four", 2, "players", "'four': write a list, such as [3, 4, 5]"),
        ("pass_cycle: {4: hold}", 2, "pass_cycle.4", "'hold': write a list: [hold]"),
        ("public: trick", 2, "public", "'trick': write a list: [trick]"),
        ("removed:", 2, "removed", "null: write keys with their values, such as {5: 2D 2C}"),
        ("removed: {5: }", 2, "removed.5", "null are no cards: write them like 2D 2C, or [] for none"),
        ("timeouts: 30", 2, "timeouts", "30: write keys with their values, such as {play: 30, pass: 60}, or null for"),
        ("values: {QS: 5, qs: 3}", 2, "values.qs", "says the same as QS: keep one"),
        ("target:", 2, "target", "null is not a whole number from 1 to 10000"),
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


def test_what_does_not_go_together_is_told_with_the_values_that_are_wrong_by_themselves(own):
    text = """\
base: hearts-black-maria
moon: 3
players: [3, 4, 5, 6, 7, 8]
removed: {5: 2D, 6: 2X}
opening: 2D
pass_count: 20
pass_cycle: {3: [across, up], 7: [up]}
"""
    assert complaints(own(text)) == [
        (2, "moon", "3: write others, self, choice or auto"),
        (3, "players[5]", "8 is not a number of players from 2 to 7"),
        (4, "removed.6", "'2X' is not a card: write rank then suit, such as QS, TC or 10C"),
        (4, "removed.5", "51 cards do not divide among 5 players: remove 1 more, or fewer"),
        (5, "opening", "2D opens, but is not in the deck of 3, 5, 7 players"),
        (6, "pass_count", "20 cards are passed, but a hand of 7 has 7: pass 7 at most"),
        (7, "pass_cycle.3[1]", "'up': write left, right, across, hold, left-2 or right-2"),
        (7, "pass_cycle.7[0]", "'up': write left, right, across, hold, left-2 or right-2"),
        (7, "pass_cycle.3", "nobody sits across from anybody with 3 players"),
    ]


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("players: 5", (2, "players")),
        ("players: [5, nine]", (2, "players[1]")),
    ],
)
def test_players_that_were_meant_are_those_that_are_looked_at(own, wrong, complaint):
    found = complaints(own(f"base: hearts-cardems\n{wrong}\nremoved: {{5: 2D}}\n"))
    assert [(line, key) for line, key, _ in found] == [complaint, (2, "players"), (3, "removed.5")]
    assert found[1][2].startswith("says nothing of 5 players")


def test_numbers_of_players_that_cannot_be_read_are_those_of_the_base(own):
    found = complaints(own("base: hearts-classic\nplayers: lots\nremoved: {4: 2D}\n"))
    assert [(line, key) for line, key, _ in found] == [(2, "players"), (3, "removed.4")]


@pytest.mark.parametrize(
    "text",
    [
        "players: [5]\npass_cycle: {5: [hold]}\nremoved: {5: 2X 2C}",  # a card more would do
        "opening: 2X\nremoved: {4: 2C 2D 2S 3S}",  # whatever opens, it is not the 2C
        "players: [4, 6]\nremoved: {6: 2D 3D 3C 4C}\npass_cycle: {6: [up]}",
        "removed: {4: 2H 2C 2D 3D}\nopening: 3C\nvalues: 5",
        "removed: 4\nplayers: [4, 6]\npass_cycle: {6: [hold]}",
        "pass_count: many\nremoved: {4: 2D 2C 2S 3S}\nopening: 3C",
    ],
)
def test_nothing_is_said_to_be_impossible_only_for_a_value_that_cannot_be_read(own, text):
    assert len(complaints(own(f"base: hearts-cardems\n{text}\n"))) == 1


@pytest.mark.parametrize("base", ["", "base: bridge\n", "base: [spades]\n", "base: other.yaml\n"])
def test_without_a_base_the_switches_are_looked_at_as_those_of_the_game_that_has_most_of_them(own, base):
    found = complaints(own(f"{base}target: 0\nbag_limit: few\nsuicide: 3\nsauce: 1\n"))
    line = len(base.splitlines())
    assert found[0][1] == ("base" if base else "")
    assert [(at - line, key) for at, key, _ in found[1:]] == [
        (1, "target"), (2, "bag_limit"), (3, "suicide"), (4, "sauce")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("target: 50\n", 1, "", "has no base: write the rule set that it changes"),
        ("base: 7\n", 1, "base", "no rule set '7': known are hearts-black-maria"),
        ("base:\n", 1, "base", "null: write the name of one rule set: known are hearts-black-maria"),
        ("base: [hearts]\n", 1, "base", "[hearts]: write the name of one rule set: known are hearts-black-maria"),
        ("base: {spades: 1}\n", 1, "base", "{spades: 1}: write the name of one rule set: known are"),
        ("base: hearts\n", 1, "base", "no rule set 'hearts': did you mean hearts-black-maria, hearts-cardems,"),
        ("base: a.yaml\n", 1, "base", "'a.yaml': a base is one of the rule sets of tablepi, and not a file: known are"),
        ("base: ./spades.yaml\n", 1, "base", "a base is one of the rule sets of tablepi, and not a file: did you mean"),
        ("Base: hearts-classic\n", 1, "Base", "no such switch: did you mean base?"),
        ('base: "spa\\0des"\n', 1, "base", "has a character (U+0000) that no name has"),
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


def test_the_example_of_the_readme_changes_what_it_says(own):
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    classic = RULEBOOK["hearts-classic"]
    example = readme.split("```yaml\nbase:")[1].split("```")[0]
    assert presets.load(own(f"base:{example}")).game == replace(
        classic,
        name="friday",
        target=50,
        queen_breaks=True,
        values={**classic.values, card("JD"): -10},
        removed={**classic.removed, 5: (card("2S"), card("3S"))},
    )


# --- what is taken away ---------------------------------------------------------------------------------------------


def test_a_value_is_taken_away_with_0_and_cards_that_are_removed_with_an_empty_list(own):
    mine = presets.load(own("base: hearts-black-maria\nplayers: [4, 5]\nvalues: {QS: 0}\nremoved: {5: 2D 2C, 6: []}\n"))
    assert isinstance(mine.game, Hearts)
    assert (mine.game.points_in_hand, mine.game.point_cards) == (13, OF_SUIT["H"])
    assert mine.game.removed[6] == ()
    assert mine.game.removed[3] == RULEBOOK["hearts-black-maria"].removed[3]


@pytest.mark.parametrize("none", ["0", "no", "false"])
def test_without_a_nil_there_is_no_blind_nil_either(own, none):
    mine = presets.load(own(f"base: spades\nnil: {none}\n"))
    assert isinstance(mine.game, Spades)
    assert (mine.game.nil, mine.game.blind_nil) == (0, 0)
    assert replace(game_of(RULEBOOK, mine.name, mine.options({})), name="friday") == mine.game


def test_a_blind_nil_that_is_written_stays_without_a_nil(own):
    mine = presets.load(own("base: spades\nnil: 0\nblind_nil: 150\n"))
    assert isinstance(mine.game, Spades)
    assert (mine.game.nil, mine.game.blind_nil) == (0, 150)


def test_a_blind_nil_that_went_with_the_nil_is_missed_where_cards_are_exchanged(own):
    assert complaints(own("base: spades\nexchange: true\nnil: 0\n")) == [
        (
            2,
            "exchange",
            "only a blind nil exchanges cards, and none can be bid: write blind_nil, such as blind_nil: 200",
        )
    ]


@pytest.mark.parametrize(("written", "told"), [("null", "null"), ("", "null"), ("true", "true"), ("never", "'never'")])
def test_a_nil_that_is_no_number_says_what_to_write(own, written, told):
    assert complaints(own(f"base: spades\nnil: {written}\n")) == [
        (2, "nil", f"{told} is not a whole number from 0 to 1000, 0 for none")
    ]


# --- odd files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("base: &b spades\nname: *b\n", 2, "", "an alias (*name) is not taken here"),
        ("base: spades\nnil: 0\nnil: 1\n", 3, "nil", "is written twice, first on line 2"),
        ("base: spades\ntarget: .nan\n", 2, "target", "'.nan' is not a whole number from 1 to 10000"),
        ("base: spades\ntarget: 99999999999999999999\n", 2, "target", "is not a whole number from 1 to 10000"),
        ("base: spades\n\tnil: 0\n", 2, "", "a tab: indent with spaces"),
        ("base: spades\n<<: {nil: 0}\n", 2, "<<", "no such switch"),
        ("base: spades\n? [a]\n: 5\n", 2, "", "a key must be a word"),
        ("base: spades\n5: 3\n", 2, "5", "no such switch"),
        ("---\nbase: spades\n---\nbase: spades\n", 3, "", "another document"),
        (f"base: spades\nnil: {'[' * 400}{']' * 400}\n", None, "", "is nested too deeply"),
    ],
)
def test_an_odd_file_is_one_complaint(own, text, line, key, words):
    ((at, where, said),) = complaints(own(text))
    assert (at, where) == (line, key)
    assert words in said


def test_a_byte_order_mark_changes_nothing(own):
    assert presets.load(own("\ufeffbase: spades\ntarget: 250\n")).game == replace(
        RULEBOOK["spades"], name="friday", target=250
    )


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
