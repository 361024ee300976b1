"""``deck check``: by readers at pseudo-terminals, by films, photographs and folders of them."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import cv2
import pytest

from tablepi.cards import card
from tablepi.commands.deck import Check, Look, Steady, wanted
from tablepi.config import Config
from tablepi.deck_file import with_tags
from tablepi.teaching import PACK
from tablepi.virtual.film import write_film
from tablepi.virtual.pn532 import VirtualPn532
from tablepi.virtual.readers import VirtualReader

from ..vision.table_scene import decks, table
from .conftest import tablepi
from .test_enrol_tags import Person

TAGS = {f"04A1B2{i:02X}": each for i, each in enumerate(PACK)}
UID = {str(each): uid for uid, each in TAGS.items()}
DOUBLE, JOKER = "04A1B3FF", "DEADBEEF"


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """All cards, the Q♠ with two tags, and the card of a command."""
    path = tmp_path / "deck.yaml"
    path.write_text(with_tags("", {**TAGS, DOUBLE: card("QS")}))
    return path


# --- by reader --------------------------------------------------------------------------------------------------------


def test_the_pack_is_laid_card_by_card_and_what_lacks_is_named(tmp_path, deck):
    with (
        VirtualReader(tmp_path / "line") as line,
        Person("deck", "check", "--reader", line.link, "--deck", deck) as person,
    ):
        person.sees("Enter ends.")
        for each in PACK:
            if str(each) not in ("7D", "AS"):
                line.lay(UID[str(each)])
        person.sees("✓ K♠  (50 of 52)")
        line.lay(JOKER)
        person.sees(f"A tag that is in no card: {JOKER}  (50 of 52)")
        person.types("")
        person.sees("50 of 52 cards are there.")
        person.sees("Missing: 7♦ A♠")
        person.sees(f"Tags that are in no card: {JOKER}")
        assert person.status() == 1


def test_a_whole_pack_is_said_to_be_whole(tmp_path, deck):
    with (
        VirtualReader(tmp_path / "line") as line,
        Person("deck", "check", "--reader", line.link, "--deck", deck, "--lang", "pt-PT") as person,
    ):
        person.sees("Enter termina.")
        for number, each in enumerate(PACK, 1):
            line.lay(UID[str(each)])
            person.sees(f"✓ {each.face('pt-PT')}  ({number} de 52)")
        person.sees("Estão todas as cartas.")
        person.types("")
        person.sees("O baralho está completo.")
        assert person.status() == 0


def test_an_interruption_ends_with_the_summary(tmp_path, deck):
    with (
        VirtualReader(tmp_path / "line") as line,
        Person("deck", "check", "--reader", line.link, "--deck", deck) as person,
    ):
        person.sees("Enter ends.")
        line.lay(UID["2C"])
        person.sees("✓ 2♣")
        person.command.send_signal(signal.SIGINT)
        person.sees("1 of 52 cards are there.")
        person.sees("Missing: 3♣ 4♣")
        assert person.status() == 1


def test_the_tables_file_says_readers_deck_rules_and_players(tmp_path, deck):
    config = tmp_path / "table.yaml"
    config.write_text(
        f"players: [Rita, Ada, Bo]\nrules: hearts-classic\ndeck: deck.yaml\nreaders:\n"
        f"  - {{name: reader-0, port: {tmp_path}/line, seat: 0}}\n"
        f"  - {{name: reader-1, kind: pn532, port: {tmp_path}/chip, seat: 1}}\n"
    )
    with (
        VirtualReader(tmp_path / "line") as line,
        VirtualPn532(tmp_path / "chip") as chip,
        Person("deck", "check", "--config", config) as person,
    ):
        person.sees("Enter ends.")
        line.lay(UID["2D"])
        person.sees("2♦ does not belong to this pack.  (0 of 51)")
        chip.lay(UID["QS"])
        person.sees("✓ Q♠  (1 of 51)")
        chip.lay(DOUBLE)
        chip.lift(UID["QS"])
        line.lay(UID["QS"])
        line.unplug()
        person.sees("reader-0 is missing: ")
        person.types("")
        person.sees("Of another pack, or left out of this one: 2♦")
        assert person.status() == 1


def test_without_a_terminal_it_ends_when_all_are_there_and_machines_read_it(tmp_path, deck):
    with VirtualReader(tmp_path / "line", repeats=True) as line:
        for uid in TAGS:
            line.lay(uid)
        said = tablepi("deck", "check", "--reader", line.link, "--deck", deck, "--json")
    *told, last = map(json.loads, said.out.splitlines())
    assert (said.status, said.err) == (0, "")
    assert [line["there"] for line in told] == [*range(1, 53)]
    assert {line["card"] for line in told} == {*UID}
    assert last == {
        "right": True,
        "there": 52,
        "of": 52,
        "missing": [],
        "twice": [],
        "perhaps": [],
        "others": [],
        "foreign": [],
        "unread": [],
        "unsure": {},
    }


# --- by camera --------------------------------------------------------------------------------------------------------


def spread(names):
    """A picture of up to ten cards, side by side."""
    lying = [(name, 140 + 250 * (i % 5), 190 + 340 * (i // 5), (i * 37) % 25 - 12) for i, name in enumerate(names)]
    return table(decks("bridge"), lying)


def photographs(folder, names):
    folder.mkdir()
    for start in range(0, len(names), 10):
        cv2.imwrite(str(folder / f"{start}.jpg"), spread(names[start : start + 10]))
    return folder


def test_what_lacks_what_is_there_twice_and_a_joker_are_found_on_photographs(tmp_path):
    names = [str(each) for each in PACK if str(each) not in ("7D", "AC")]
    folder = photographs(tmp_path / "mixed", [*names, *["5H", "QS", "joker", "3C", "TH", "2D", "4C", "QS"]])
    (folder / "notes.jpg").write_text("no picture")
    said = tablepi("deck", "check", "--camera", folder, "--json")
    told = json.loads(said.out.splitlines()[-1])
    assert said.status == 1
    assert said.err.startswith(f"tablepi: {folder}/notes.jpg: is no picture and no video: ")
    assert len(said.err.splitlines()) == 1
    assert told == {
        "right": False,
        "there": 50,
        "of": 52,
        "missing": ["AC", "7D"],
        "twice": ["QS"],
        "perhaps": [],
        "others": [],
        "foreign": [],
        "unread": [f"{folder}/50.jpg"],
        "unsure": {},
    }


def test_a_film_is_looked_at_as_the_cards_come_and_go(tmp_path):
    film = tmp_path / "pack.avi"
    names = ["2C", "QS", "TH"]
    frames = [spread(names[:n]) for n in (0, 1, 1, 2, 2, 3, 3)]
    write_film(film, [*frames, spread(["KD"])], fps=2.0)  # the king is there at one look only
    said = tablepi("deck", "check", "--camera", film, "--players", 4)
    assert said.status == 1
    live = ["✓ 2♣  (1 of 52)", "✓ Q♠  (2 of 52)", "✓ 10♥  (3 of 52)"]
    assert said.out.splitlines()[:4] == [*live, "3 of 52 cards are there."]


def test_a_single_photograph_is_enough_for_a_few_cards(tmp_path):
    photo = tmp_path / "three.jpg"
    cv2.imwrite(str(photo), spread(["2C", "QS", "TH"]))
    said = tablepi("deck", "check", "--camera", photo, "--json")
    assert [json.loads(line).get("card") for line in said.out.splitlines()] == ["2C", "TH", "QS", None]


def camera(folder, **world):
    """The environment in which the Raspberry Pi's own camera is a stand-in, which shows no cards."""
    (folder / "rpicam-vid").symlink_to(Path(__file__).parents[1] / "devices" / "rpicam_vid.py")
    return {"PATH": f"{folder}:{os.environ['PATH']}", **world}


def test_a_camera_is_watched_until_the_person_ends_it(tmp_path):
    with Person("deck", "check", "--camera", "rpicam", **camera(tmp_path)) as person:
        person.sees("Lay the cards under the camera, one after the other or spread out. Enter ends.")
        person.types("")
        person.sees("0 of 52 cards are there.")
        assert person.status() == 1


def test_a_camera_that_is_lost_is_said_after_what_was_seen_so_far(tmp_path):
    said = tablepi("deck", "check", "--camera", "rpicam", **camera(tmp_path, RPICAM_VID="die=3"))
    assert said.status == 3
    assert "0 of 52 cards are there.\nMissing: 2♣ " in said.out
    assert said.err.splitlines()[-1].startswith("tablepi: rpicam:0: ")


def test_only_what_two_looks_in_a_row_show_counts_and_a_joker_is_told_once_while_it_lies():
    steady, joker = Steady(), (100.0, 100.0, 60.0)
    two, one = Look((card("QS"), card("QS"))), Look((card("QS"),), unread=(joker,))
    seen = [steady.of(each) for each in (two, one, one, one, Look(), one, one)]
    assert [each.cards for each in seen] == [(), (card("QS"),), (card("QS"),), (card("QS"),), (), (), (card("QS"),)]
    assert [each.unread for each in seen] == [(), (), (joker,), (), (), (), (joker,)]


def test_a_card_that_is_read_in_doubt_is_said_where_it_is_missing(tmp_path):
    import io

    from tablepi.language import words
    from tablepi.pack import Pack

    out = io.StringIO()
    pack = card("QS").bit | card("KS").bit
    check = Check(Pack(pack), words("en", ()), json=False, out=out, err=io.StringIO())
    check.picture(Look((card("KS"),), unsure=pack), "a.jpg")
    check.summary()
    assert out.getvalue().splitlines()[1:] == [
        "1 of 2 cards are there.",
        "Missing: Q♠",
        "Q♠ may be in a.jpg: it could not be read for certain.",
    ]


# --- which pack, and what cannot be done ------------------------------------------------------------------------------


def test_the_pack_is_that_of_rules_and_players():
    assert wanted(Config()).bit_count() == 52
    assert wanted(Config(), "hearts-classic", 5).bit_count() == 50
    assert not wanted(Config(rules="hearts-classic", players=("Rita", "Ada", "Bo"))) & card("2D").bit


@pytest.mark.parametrize(
    ("options", "status", "told"),
    [
        ((), 2, "what with? give --reader PORT, --camera SOURCE, or --config FILE that names some"),
        (("--reader", "none", "--deck", "deck.yaml"), 3, "reader: none: nothing is plugged in there"),
        (("--reader", "none"), 2, "which file is the deck's?"),
        (("--reader", "none", "--deck", "new.yaml"), 2, "new.yaml: no tag is known yet: teach them with"),
        (("--camera", "none.mp4"), 2, "none.mp4: there is no such file"),
        (("--camera", "/dev/v4l/by-id/none"), 3, "/dev/v4l/by-id/none: nothing is plugged in there"),
        (("--camera", "text.jpg"), 2, "text.jpg: is no picture and no video"),
        (("--camera", "empty"), 2, "empty: no picture or video in this folder"),
        (("--camera", "x.jpg", "--reader", "none"), 2, "--reader or --camera: give one of both"),
        (("--camera", "text.jpg", "--players", "3"), 2, "3 players: hearts-cardems is for 4: give --players N, or"),
        (("--camera", "text.jpg", "--rules", "none"), 2, "no rule set 'none'"),
        (("--config", "bare.yaml"), 2, "bare.yaml: neither a reader nor a camera is named there"),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_one_line(tmp_path, monkeypatch, here, deck, options, status, told):
    monkeypatch.chdir(tmp_path)
    Path("text.jpg").write_text("no picture")
    Path("bare.yaml").write_text("players: [Rita, Ada, Bo, Cleo]\n")
    Path("empty").mkdir()
    said = here("deck", "check", *options)
    assert (said.status, said.out) == (status, "")
    assert told in said.err
    assert len(said.err.splitlines()) == 1
