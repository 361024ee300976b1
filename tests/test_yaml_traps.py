"""Words that YAML takes for something else (``no`` for false, ``04E10000`` for infinity) do no harm in a table's file,
its pin map and its deck: a text is what stands there, and a number only what is plainly one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tablepi.cards import ALL_CARDS
from tablepi.config import BadConfig, Pins, camera_written, load_config, load_deck, load_yaml

WORDS = (
    *("yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "y", "n", "Y", "N"),
    *("true", "false", "True", "FALSE", "TRUE", "Null", "NULL", "none", "None", "nan", "inf", ".nan", ".inf", "-.inf"),
    *("12:34", "1:2:3", "23:59:59", "0123", "017", "0o17", "08", "0x1F", "0b101", "1_000", "1e5", "1E5", "1e-5"),
    *("04E10000", "7E5", "5e10", "1.5e3", ".5", "5.", "+7", "-3", "00", "000", "2026-01-02", "2026-01-02T10:00:00Z"),
    *("2C", "10C", "QS", "1D", "3E", "9E9", "1/2", "==", "a=b", "50%", "C#"),
)
"""What some reader of YAML, 1.1 or 1.2, takes for no text, and what looks like it."""

NAMES = st.one_of(
    st.sampled_from(WORDS),
    st.from_regex(r"\A[0-9]{1,3}[eE:_.-]?[0-9]{1,6}\Z"),
    st.text(st.characters(categories=["L", "N"], max_codepoint=0x2FF), min_size=1, max_size=12),
)
ANY_NAME = st.text(st.characters(categories=["L", "N", "P", "S", "Zs", "M"]), min_size=1, max_size=20).filter(
    lambda name: name.strip() == name and name != ""
)
PLAYER, FORM = "Somebody Else", st.sampled_from(["[{}, {}]", "\n  - {}\n  - {}"])


def write(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "table.yaml"
    path.write_text(text)
    return path


def test_the_words_are_traps():
    """Most of them: what YAML reads is not the text that stands there."""
    read = [yaml.safe_load(f"- {word}") for word in WORDS]
    assert sum(told != [word] for told, word in zip(read, WORDS, strict=True)) > 30


@settings(deadline=None)
@given(NAMES, FORM)
def test_a_players_name_is_what_stands_there(tmp_path_factory, name, form):
    path = write(tmp_path_factory, f"players: {form.format(name, PLAYER)}\n")
    assert load_config(path).players == (name, PLAYER)


@settings(deadline=None)
@given(ANY_NAME, FORM)
def test_any_name_may_be_written_in_quotes(tmp_path_factory, name, form):
    path = write(tmp_path_factory, f"players: {form.format(json.dumps(name, ensure_ascii=False), PLAYER)}\n")
    assert load_config(path).players == (name, PLAYER)


@settings(deadline=None)
@given(NAMES, NAMES)
def test_a_readers_name_and_port_are_what_stands_there(tmp_path_factory, name, port):
    path = write(tmp_path_factory, f"readers: [{{name: x{name}, port: {port}, seat: 0}}]\n")
    (reader,) = load_config(path).readers
    assert (reader.name, reader.port, reader.seat) == (f"x{name}", port, 0)


@settings(deadline=None)
@given(st.one_of(NAMES, ANY_NAME, st.sampled_from(("-", "null", "~", "a: b", "a #b", "rpicam:2", "12"))), st.booleans())
def test_a_camera_is_written_as_the_file_has_it(tmp_path_factory, name, beside):
    assume(str(Path(name)) == str(Path(name)).strip())  # not so in ./ a
    path = write(tmp_path_factory, "")
    source = str(path.parent / name) if beside else f"./{name}"
    path.write_text(str(camera_written(source, path)), encoding="utf-8")
    camera = load_config(path).camera
    assert camera is not None
    assert Path(camera.source) == Path(source).absolute()


@pytest.mark.parametrize("name", [b"od\xffd", b"turned\xe2\x80\xae", b"esc\x1b", b"spaced "])
def test_a_camera_whose_name_no_file_can_have_is_not_written(name):
    assert camera_written(os.fsdecode(name), None) is None


@pytest.mark.parametrize(
    ("source", "file", "written"),
    [
        ("rpicam:1", "mine/table.yaml", "rpicam:1"),
        ("/dev/video0", "mine/table.yaml", "/dev/video0"),
        ("mine/f.avi", "mine/table.yaml", "f.avi"),
        ("mine/../f.avi", "mine/table.yaml", "../f.avi"),
        ("f.avi", "table.yaml", "f.avi"),
        ("f.avi", None, "f.avi"),
        ("null", None, "'null'"),
        ("-", None, "'-'"),
    ],
)
def test_a_camera_below_the_file_is_written_as_seen_from_there(source, file, written):
    assert camera_written(source, Path(file) if file else None) == f"camera:\n  source: {written}\n"


@settings(deadline=None)
@given(st.sampled_from(WORDS), st.sampled_from(["lamps.pwm", "display.fullscreen", "readers.0.repeats"]))
def test_yes_and_on_are_not_taken_for_true_and_it_is_said_where(tmp_path_factory, word, place):
    text = {
        "lamps.pwm": f"lamps: {{pwm: {word}}}\n",
        "display.fullscreen": f"\ndisplay: {{fullscreen: {word}}}\n",
        "readers.0.repeats": f"readers:\n  - {{name: a, port: b, seat: 0, repeats: {word}}}\n",
    }[place]
    path = write(tmp_path_factory, text)
    if word in ("true", "false"):
        config = load_config(path)
        got = (config.lamps.pwm, config.display.fullscreen, *(reader.repeats for reader in config.readers))
        assert any(got) == (word == "true")
        return
    with pytest.raises(BadConfig) as bad:
        load_config(path)
    (complaint,) = bad.value.complaints
    assert complaint.key.replace("[", ".").replace("]", "") == place
    assert complaint.line == text.count("\n")
    assert complaint.text.endswith(": write true or false")
    assert word.casefold() in complaint.text.casefold() or complaint.text[0] in "-0123456789"


@settings(deadline=None)
@given(
    st.sampled_from(WORDS)
    | st.from_regex(r"\A[-+]?[0-9_:.eExX]{1,6}\Z").filter(lambda w: w[-1] != ":" and w.strip("._+-"))
)
def test_a_pin_is_the_number_that_plainly_stands_there_or_it_is_complained_of(tmp_path_factory, word):
    path = write(tmp_path_factory, f"buzzer: {word}\n")
    plain = word.lstrip("+-")
    if plain.isdecimal() and (plain == "0" or plain[0] != "0") and 0 <= int(word) <= 27:
        assert load_yaml(path, Pins).buzzer == int(word)
        return
    with pytest.raises(BadConfig) as bad:
        load_yaml(path, Pins)
    assert {(complaint.line, complaint.key) for complaint in bad.value.complaints} == {(1, "buzzer")}


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True))
def test_a_lamp_may_have_any_name_and_a_button_of_another_name_is_told_as_it_was_written(tmp_path_factory, names):
    """Those with ``null`` in its writings, too: as a key it is a word."""
    lamp = f"seats:\n  - {{name: {names[0]}, red: 20, green: 21, blue: 22}}\n"
    assert load_yaml(write(tmp_path_factory, lamp), Pins).seats[0].name == names[0]
    path = write(tmp_path_factory, "buttons:\n" + "".join(f"  {name}: {pin}\n" for pin, name in enumerate(names)))
    with pytest.raises(BadConfig) as bad:
        load_yaml(path, Pins)
    told = [(complaint.line, complaint.key) for complaint in bad.value.complaints]
    assert told == [(line, f"buttons.{name}") for line, name in enumerate(names, 2)]


def test_every_card_may_be_a_key_without_quotes(tmp_path_factory):
    for write_card in (str, lambda c: str(c).lower(), lambda c: str(c).replace("T", "10"), lambda c: c.face()):
        text = "cards:\n" + "".join(f"  {write_card(c)}: [04A1B2{c.index:02X}]\n" for c in ALL_CARDS)
        assert dict(load_deck(write(tmp_path_factory, text))) == {f"04A1B2{c.index:02X}": c for c in ALL_CARDS}


@settings(deadline=None)
@given(st.sampled_from(WORDS))
def test_a_key_that_is_no_card_is_named_as_it_stands_there(tmp_path_factory, word):
    path = write(tmp_path_factory, f"cards:\n  {word}: [04A1B2C3]\n")
    if word in ("2C", "10C", "QS"):
        assert len(load_deck(path)) == 1
        return
    with pytest.raises(BadConfig) as bad:
        load_deck(path)
    (complaint,) = bad.value.complaints
    assert (complaint.line, complaint.key) == (2, f"cards.{word}")
    assert complaint.text.startswith(f"{word!r} is not a card")


@settings(deadline=None)
@given(st.sampled_from(WORDS))
def test_a_tag_that_is_none_is_named_as_it_stands_there(tmp_path_factory, word):
    path = write(tmp_path_factory, f"cards: {{QS: [{word}]}}\n")
    if word in ("04E10000", "2026-01-02"):  # four bytes, and four bytes with dashes between
        assert [*load_deck(path)] == [word.replace("-", "")]
        return
    with pytest.raises(BadConfig) as bad:
        load_deck(path)
    assert [(c.line, c.key) for c in bad.value.complaints] == [(1, "cards.QS[0]")]
