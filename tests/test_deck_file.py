"""A deck's file: what is written is read back, whatever the tags, and what a person wrote in it stays."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tablepi.cards import ALL_CARDS, card
from tablepi.config import load_deck
from tablepi.deck_file import HEAD, DeckFile, tags_in, with_tags
from tablepi.errors import BadInput
from tablepi.teaching import PACK

UIDS = st.one_of(
    st.sampled_from(["04E10000", "00000000", "12345678", "0123456701", "1E500000", "0E0E0E0E", "04112233"]),
    st.binary(min_size=4, max_size=10).map(lambda read: read.hex().upper()),
    st.tuples(st.integers(0, 99), st.integers(0, 999999)).map(lambda n: f"{n[0]:02}E{n[1]:07}"),
)
DECKS = st.dictionaries(UIDS, st.sampled_from(ALL_CARDS), max_size=12)


@settings(deadline=None)
@given(DECKS)
def test_every_tag_that_is_written_is_read_back_in_its_card(tmp_path_factory, tags):
    path = tmp_path_factory.mktemp("deck") / "deck.yaml"
    path.write_text(with_tags("", tags))
    assert dict(load_deck(path)) == tags_in(path.read_text()) == tags


@settings(deadline=None)
@given(DECKS)
def test_it_is_read_back_without_the_quotes_too(tmp_path_factory, tags):
    path = tmp_path_factory.mktemp("deck") / "deck.yaml"
    path.write_text(with_tags("", tags).replace('"', ""))
    assert dict(load_deck(path)) == tags


@settings(deadline=None)
@given(DECKS)
def test_any_program_that_reads_yaml_reads_it_as_text(tags):
    told = yaml.safe_load(with_tags("", tags))["cards"]
    assert {each: card(name) for name, each_tags in told.items() for each in each_tags} == tags


SPACE = st.sampled_from(["", " ", ":", "-"])


@settings(deadline=None)
@given(DECKS, SPACE, st.sampled_from(["flow", "lines", "one"]), st.booleans(), st.sampled_from(["\n", "\r\n"]), DECKS)
def test_whatever_way_a_person_wrote_it_others_join_and_go_again(tags, between, way, quoted, end, more):
    text = "cards:\n" if tags else "cards: {}\n"
    mark = '"' if quoted else ""
    for number, each in enumerate({c: [t for t in tags if tags[t] == c] for c in tags.values()}.items()):
        name, mine = each
        written = [mark + between.join(t[i : i + 2] for i in range(0, len(t), 2)) + mark for t in mine]
        text += f"  # above {number}\n  {name}:"
        text += "".join(f"\n    - {t}" for t in written) if way == "lines" else f" [{', '.join(written)}]"
        text += f"  # behind {number}\n"
    text = ("name: mine  # and mine\n" + text + "# the end\n").replace("\n", end)
    both = {**tags, **more}
    joined = with_tags(text, both)
    assert tags_in(joined) == both
    for said in ("name: mine  # and mine", "# the end", *(f"# above {n}" for n in range(len(set(tags.values()))))):
        assert said in joined
    if not {*both.values()} - {*tags.values()} and both == tags:
        assert joined == text
    again = with_tags(joined, tags)
    assert tags_in(again) == tags
    assert with_tags(again, tags) == again


def test_a_new_file_says_what_it_is_and_has_one_card_a_line():
    told = with_tags("", {"04A1B2C4": card("QS"), "04A1B2C3": card("TH"), "04A1B2C5": card("QS")})
    assert told == HEAD + 'cards:\n  "TH": ["04A1B2C3"]  # 10♥\n  "QS": ["04A1B2C4", "04A1B2C5"]  # Q♠\n'


def test_cards_stand_by_suit_and_rank_and_comments_and_other_keys_stay():
    text = (
        "# Grandmother's\ncards:  # red backs\n  # courts\n  QS: [04A1B2C3]   # bent\n"
        "  2C:\n    - 04112233\n    - 04112244  # the sticker\n\n  # hearts\n  KH: [04E10000]\n# tail\nowner: Rita\n"
    )
    assert with_tags(text, {**tags_in(text), "04000000": card("3C"), "04112255": card("2C")}) == (
        "# Grandmother's\ncards:  # red backs\n  # courts\n"
        '  "2C": ["04112233", "04112244", "04112255"]  # the sticker\n  "3C": ["04000000"]  # 3♣\n\n'
        '  # hearts\n  "KH": ["04E10000"]  # K♥\n  "QS": ["04A1B2C3"]   # bent\n# tail\nowner: Rita\n'
    )


def test_what_does_not_change_is_not_touched():
    text = "commands: {undo: [AABBCCDD]}  # mine\ncards: {QS: [04A1B2C3]}\n"
    told = with_tags(text, {**tags_in(text), "04A1B2C4": card("KS")})
    assert told.startswith("commands: {undo: [AABBCCDD]}  # mine\n")
    assert tags_in(told) == {"AABBCCDD": "undo", "04A1B2C3": card("QS"), "04A1B2C4": card("KS")}
    assert with_tags(text, tags_in(text)) == text


def test_the_card_of_a_command_is_written_beside_the_cards():
    told = with_tags("cards: {QS: [04A1B2C3]}", {"04A1B2C3": card("QS"), "AABBCCDD": "undo"})
    assert told == 'cards: {QS: [04A1B2C3]}\ncommands:\n  undo: ["AABBCCDD"]\n'
    assert tags_in(with_tags("", {"AABBCCDD": "undo"})) == {"AABBCCDD": "undo"}


def test_the_last_card_that_goes_leaves_an_empty_deck(tmp_path):
    file = DeckFile(tmp_path / "deck.yaml")
    file.add("04A1B2C3", card("QS"))
    file.remove("04A1B2C3")
    assert (tmp_path / "deck.yaml").read_text() == HEAD + "cards: {}\n"
    assert file.tags() == {}


def test_what_is_written_meanwhile_stays(tmp_path):
    file = DeckFile(tmp_path / "new" / "deck.yaml")
    file.add("04A1B2C3", card("2C"))
    with file.path.open("a") as opened:
        opened.write("  AS: [04A1B2FF]  # mine\n")
    file.add("04A1B2C4", card("3C"))
    assert file.tags() == {"04A1B2C3": card("2C"), "04A1B2C4": card("3C"), "04A1B2FF": card("AS")}
    assert "# mine" in file.path.read_text()


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n", "\ufeff# nothing\n"])
def test_a_file_with_nothing_in_it_is_begun(tmp_path, text):
    file = DeckFile(tmp_path / "deck.yaml")
    file.path.write_text(text)
    assert file.tags() == {}
    file.add("04A1B2C3", card("2C"))
    assert file.tags() == {"04A1B2C3": card("2C")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cards: {QS: [no tag]}\n", "cards.QS[0]: 'no tag' is not a tag's UID"),
        ("cards: [\n", "deck.yaml:2: "),
        ("{cards: {QS: [04A1B2C3]}}\n", "write `cards:` on a line of its own"),
        ("cards: {QS: [04A1B2C3]}\n...\n# behind the end\n---\n", "deck.yaml"),
    ],
    ids=["a complaint", "no YAML", "all in braces", "two documents"],
)
def test_a_file_that_cannot_be_added_to_is_left_as_it_is(tmp_path, text, told):
    file = DeckFile(tmp_path / "deck.yaml")
    file.path.write_text(text)
    with pytest.raises(BadInput, match=r"deck\.yaml") as error:
        file.add("04A1B2C4", card("2C"))
    assert told in str(error.value)
    assert file.path.read_text() == text


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        DeckFile(tmp_path).add("04A1B2C4", card("2C"))


def test_the_shipped_example_is_as_it_would_be_written():
    """But for the signs behind the lines, which a person may leave out."""
    text = (Path(__file__).parents[1] / "hardware" / "deck-example.yaml").read_text()
    tags = tags_in(text)
    assert tuple(tags.values()) == PACK
    fewer = {each: thing for each, thing in tags.items() if thing != card("QS")}
    assert with_tags(text, fewer) != text
    assert tags_in(with_tags(with_tags(text, fewer), tags)) == tags
