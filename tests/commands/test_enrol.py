"""``enrol``: named pictures are learned, unnamed ones asked about; each is kept at once, and none taken twice.

The reader is a stand-in that finds the indices that a picture's pixels tell; how well a deck is learned is tested with
the arithmetic.
"""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tablepi.cards import RANKS, card
from tablepi.commands.enrol import ENDING, _what_it_changes, asked_at, card_of, enrol, faces_file
from tablepi.errors import BadInput
from tablepi.vision.answers import GLYPHS
from tablepi.vision.faces import Faces, Learned, Look, load
from tablepi.vision.finder import Place
from tablepi.vision.namer import Named
from tablepi.vision.reader import MODELS

from .conftest import TABLEPI, Said, environ, tablepi

SIDE = 64


def picture(*cards: str, corners: int = 2, number: int = 0) -> np.ndarray:
    """A picture whose pixels tell the stand-in what to find: a column for each card, a row for each of its corners."""
    pixels = np.zeros((SIDE, SIDE, 3), np.uint8)
    pixels[-1, -1] = number
    for column, name in enumerate(cards):
        pixels[:corners, column] = card(name).index + 1
    return pixels


def write(file: Path, *cards: str, corners: int = 2, number: int = 0) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(file), picture(*cards, corners=corners, number=number))
    return file


class StandIn:
    """Reads what ``picture`` drew, cards side by side and each turned a little otherwise; counts what it was taught."""

    def __init__(self) -> None:
        self.taught: list[list[str]] = []
        self.ranks = np.zeros((len(GLYPHS), 13))
        for row, glyph in enumerate(GLYPHS[:13]):
            self.ranks[row, RANKS.index(glyph.replace("10", "T"))] = 1

    def learn(self, faces: Faces) -> Learned:
        self.taught.append([str(look.card) for look in faces.looks])
        return faces.told_by("stand-in", self._told).learned(self.ranks)

    def name(self, frame: np.ndarray) -> list[Named]:
        found = []
        for row, column in zip(*np.nonzero(frame[:8, :8, 0]), strict=True):
            chances = np.zeros(52)
            chances[frame[row, column, 0] - 1] = 0.9
            up = 0.8 * column
            x = 900.0 * column + row * (60 * np.cos(up) - 200 * np.sin(up))
            y = row * (60 * np.sin(up) + 200 * np.cos(up))
            found.append(Named(Place(x, y, up + np.pi * row, 30.0, 0.9), chances))
        return found

    def looks(self, frame: np.ndarray, places: Sequence[Place]) -> list[tuple[np.ndarray, np.ndarray]]:
        patches = np.zeros((2, 48, 48, 3), np.uint8)
        return [(patches, self._told(patches)) for _ in places]

    def _told(self, patches: np.ndarray) -> np.ndarray:
        return np.ones((len(patches), 40))


@dataclass(frozen=True)
class Told:
    status: int
    out: list[str]
    err: str
    questions: list[str]
    reader: StandIn


def run(*paths: Path, deck: Path, answers: Sequence[str | None] | None = None, json: bool = False) -> Told:
    """Run the command; *answers* is what the person says, None when nobody is there."""
    out, err, reader = io.StringIO(), io.StringIO(), StandIn()
    questions: list[str] = []
    left = list(answers or ())

    def ask(question: str) -> str | None:
        questions.append(question)
        return left.pop(0)

    status = enrol(
        map(str, paths),
        file=deck,
        json=json,
        language="en",
        out=out,
        err=err,
        ask=None if answers is None else ask,
        reader=reader,
    )
    assert not left
    return Told(status, out.getvalue().splitlines(), err.getvalue(), questions, reader)


def kept(deck: Path) -> list[str]:
    return [str(look.card) for look in load(deck).looks]


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return tmp_path / f"bicycle{ENDING}"


@pytest.mark.parametrize(
    ("file", "shows"),
    [
        ("QS.jpg", "QS"),
        ("10C (2).png", "TC"),
        ("th-1.jpg", "TH"),
        ("D♠.jpg", None),
        ("Q♠.jpg", "QS"),
        ("QS/img1.jpg", "QS"),
        ("10h/7C.jpg", "7C"),
        ("IMG_2034.jpg", None),
        ("as it was.jpg", None),
        ("QSK.jpg", None),
        ("QS (2)/photo.jpg", None),
        ("11C.jpg", None),
    ],
)
def test_a_picture_shows_the_card_that_its_name_says_or_else_its_folders(file, shows):
    assert card_of(f"/photos/{file}") == (card(shows) if shows else None)


def test_named_pictures_are_learned_and_what_is_missing_is_told(tmp_path, deck):
    told = run(write(tmp_path / "QS.png", "QS"), write(tmp_path / "10H.png", "TH", corners=1), deck=deck)
    assert told.status == 0
    assert told.out == [
        f"{tmp_path / 'QS.png'}: Q♠, 2 corners learned",
        f"{tmp_path / '10H.png'}: 10♥, 1 corner learned",
        f"{deck}: 2 cards learned, from 3 corners (3 new) on 2 pictures",
        "on one picture only, and better on two: Q 10 ♥ ♠",
        "on no picture yet: A K J 9 8 7 6 5 4 3 2 ♣ ♦",
        "ranks and suit signs are learned apart: any card of a rank teaches that rank, any card of a suit its sign",
        told.out[-2],
        f"read with it: tablepi recognise PICTURE --faces {deck}",
    ]
    assert told.out[-2].startswith("Before ")
    assert kept(deck) == ["QS", "QS", "TH"]
    assert told.reader.taught == [[], ["QS", "QS"], ["QS", "QS", "TH"]]


def test_a_file_with_a_blank_in_its_name_is_told_so_that_it_can_be_pasted(tmp_path):
    old = tmp_path / f"old deck{ENDING}"
    told = run(write(tmp_path / "QS.png", "QS"), deck=old)
    assert told.out[-1] == f"read with it: tablepi recognise PICTURE --faces '{old}'"


def test_a_picture_that_was_learned_is_not_taken_twice_under_another_name_either(tmp_path, deck):
    first = write(tmp_path / "QS.png", "QS")
    run(first, deck=deck)
    told = run(first, write(tmp_path / "unnamed.png", "QS"), write(tmp_path / "TH.png", "TH"), deck=deck)
    assert told.out[:3] == [
        f"{first}: Q♠, learned before",
        f"{tmp_path / 'unnamed.png'}: Q♠, learned before",
        f"{tmp_path / 'TH.png'}: 10♥, 2 corners learned",
    ]
    assert told.out[3] == f"{deck}: 2 cards learned, from 4 corners (2 new) on 2 pictures"
    assert kept(deck) == ["QS", "QS", "TH", "TH"]


def test_a_picture_that_is_renamed_to_another_card_is_learned_anew(tmp_path, deck):
    wrong = write(tmp_path / "QS.png", "KS")
    run(wrong, deck=deck)
    run(wrong.rename(tmp_path / "KS.png"), deck=deck)
    assert kept(deck) == ["KS", "KS"]


def test_machines_get_a_line_a_picture_and_one_on_the_deck(tmp_path, deck):
    files = [write(tmp_path / "QS.png", "QS"), write(tmp_path / "KS.png"), write(tmp_path / "img.png", "KS")]
    told = run(*files, deck=deck, json=True)
    lines = [json.loads(line) for line in told.out]
    assert lines[:2] == [
        {"file": str(files[0]), "looks": {"QS": 2}},
        {"file": str(files[1]), "error": "no index was found: take it nearer, sharper or in more light"},
    ]
    assert "there is nobody to ask" in lines[2]["error"]
    assert lines[3] == {
        "deck": str(deck),
        "pictures": 1,
        "looks": 2,
        "cards": 1,
        "missing_ranks": list("AKJT98765432"),
        "missing_suits": list("CDH"),
        "before": lines[3]["before"],
        "after": lines[3]["after"],
    }
    assert told.status == 2


def test_what_cannot_be_learned_from_is_told_and_the_others_go_on(tmp_path, deck):
    (tmp_path / "KH.jpg").write_text("no picture")
    files = [
        tmp_path / "KH.jpg",
        write(tmp_path / "2S.png"),
        write(tmp_path / "3S.png", "4S", "5S"),
        write(tmp_path / "QS.png", "QS"),
    ]
    told = run(*files, deck=deck)
    assert told.status == 2
    assert told.err.splitlines() == [
        told.err.splitlines()[0],
        f"tablepi: {files[1]}: no index was found: take it nearer, sharper or in more light",
        f"tablepi: {files[2]}: several cards, and which is 3♠ cannot be told: one card a picture, please",
    ]
    assert str(files[0]) in told.err.splitlines()[0]
    assert kept(deck) == ["QS", "QS"]


def test_the_only_card_is_learned_as_named_though_it_reads_as_another(tmp_path, deck):
    run(write(tmp_path / "KS.png", "8S"), deck=deck)
    assert kept(deck) == ["KS", "KS"]


def test_a_person_says_yes_corrects_skips_and_stops(tmp_path, deck):
    files = [write(tmp_path / f"{n}.png", name) for n, name in enumerate(("QS", "8H", "2C", "3C", "4C"))]
    told = run(*files, deck=deck, answers=["", "what?", "kh", "s", "q"])
    keys = "(Enter = yes, or write the card, s = skip, q = stop) "
    reads = ["Q♠", "8♥", "8♥", "2♣", "3♣"]
    assert told.questions == [f"{files[i]}: {r}? {keys}" for i, r in zip((0, 1, 1, 2, 3), reads, strict=True)]
    assert told.status == 0
    assert "'what?' is not a card" in told.err
    assert "stopped: what was learned so far is kept; the same command goes on" in told.err
    assert kept(deck) == ["QS", "QS", "KH", "KH"]

    again = run(*files, deck=deck, answers=["", "", None])
    assert [q.split(":")[0] for q in again.questions] == [str(f) for f in files[2:]]
    assert kept(deck) == ["QS", "QS", "KH", "KH", "2C", "2C", "3C", "3C"]


def test_of_several_cards_those_that_the_person_vouches_for_are_learned(tmp_path, deck):
    file = write(tmp_path / "trick.png", "QS", "8H", "2C")
    told = run(file, deck=deck, answers=["", "s", "3c"])
    assert [q.split(" (")[0] for q in told.questions] == [
        f"{file}, card 1 of 3 from the left: Q♠?",
        f"{file}, card 2 of 3 from the left: 8♥?",
        f"{file}, card 3 of 3 from the left: 2♣?",
    ]
    assert sorted(kept(deck)) == ["3C", "3C", "QS", "QS"]


def test_a_picture_that_shows_another_card_than_its_name_says_is_told(tmp_path, deck):
    """It is learned all the same: what is read wrongly is what a deck is taught for."""
    told = run(write(tmp_path / "KS.png", "JC"), deck=deck)
    file = tmp_path / "KS.png"
    assert told.status == 0
    assert told.out[0] == (
        f"{file}: K♠, 2 corners learned; it looks like J♣: if so, name it rightly and enrol it once more"
    )
    renamed = file.rename(tmp_path / "JC.png")
    assert run(renamed, deck=deck).out[0] == f"{renamed}: J♣, 2 corners learned"
    assert kept(deck) == ["JC", "JC"]


def test_what_was_kept_by_another_model_is_shown_to_this_one(tmp_path, deck):
    run(write(tmp_path / "QS.png", "QS"), deck=deck)
    Faces("older", load(deck).looks).save(deck)
    run(write(tmp_path / "TH.png", "TH"), deck=deck)
    assert load(deck).model == "stand-in"
    assert kept(deck) == ["QS", "QS", "TH", "TH"]


def test_a_damaged_deck_is_not_written_over(tmp_path, deck):
    deck.write_bytes(b"PK\3\4 and then nothing")
    with pytest.raises(BadInput, match="is damaged, or holds no enrolled faces"):
        run(write(tmp_path / "QS.png", "QS"), deck=deck)
    assert deck.read_bytes() == b"PK\3\4 and then nothing"


def test_a_deck_is_a_file_or_a_name_in_the_store(tmp_path):
    def store() -> Path:
        return tmp_path / "store"

    def no_store() -> Path:
        raise AssertionError("the store was asked")

    assert faces_file("--deck", "bicycle", store) == tmp_path / "store" / "faces" / f"bicycle{ENDING}"
    assert faces_file("--deck", f"bicycle{ENDING}", no_store) == Path(f"bicycle{ENDING}")
    assert faces_file("--deck", f"my decks/bicycle{ENDING}", no_store) == Path(f"my decks/bicycle{ENDING}")
    assert faces_file("--deck", "old bicycle", store) == tmp_path / "store" / "faces" / f"old bicycle{ENDING}"
    for nothing in ("", " ", ".", "..", " bicycle"):
        with pytest.raises(BadInput, match=r"--deck .*: name the deck, such as bicycle"):
            faces_file("--deck", nothing, store)


@pytest.mark.parametrize("name", ["old/bicycle", "./bicycle", "/bicycle", "/"])
def test_a_name_with_a_slash_is_neither_a_deck_nor_a_file(name, tmp_path):
    with pytest.raises(BadInput) as wrong:
        faces_file("--deck", name, lambda: tmp_path)
    assert str(wrong.value) == f"--deck '{name}': a deck's name has no slash, and a file ends in .faces.npz"


def test_a_person_is_asked_at_a_terminal_alone():
    master, slave = pty.openpty()
    with os.fdopen(master, "r+b", buffering=0) as person, os.fdopen(slave, "r", encoding="utf-8") as terminal:
        said = io.StringIO()
        ask = asked_at(terminal, said)
        assert ask is not None
        person.write(b"QS\n")
        assert ask("Q♠? ") == "QS"
        person.write(b"\4")  # Ctrl-D
        assert ask("again? ") is None
        assert said.getvalue() == "Q♠? again? \n"
    assert asked_at(io.StringIO("yes"), io.StringIO()) is None
    assert asked_at(None, io.StringIO()) is None


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (0.62, 0.91, "Before learning it was 62 % sure of these cards, after it 91 %."),
        (0.62, 0.62, "Before and after learning it was 62 % sure of these cards: more pictures may change that."),
        (0.961, 0.959, "Before and after learning it was 96 % sure of these cards: more pictures may change that."),
    ],
)
def test_what_was_learned_is_said_to_change_something_only_when_it_does(deck, before, after, told):
    learned = replace(StandIn().learn(Faces("", (look("QS", "a"),))), before=before, after=after)
    assert _what_it_changes(learned) == told


# --- what a deck's file holds ----------------------------------------------------------------------------------------


def look(name: str, picture: str) -> Look:
    return Look(card(name), picture, np.zeros((2, 48, 48, 3), np.uint8), np.ones((2, 40)))


@pytest.fixture
def taught(tmp_path) -> Path:
    """A store with one deck, of three cards on three pictures."""
    faces = Faces("stand-in", tuple(look(*told) for told in (("QS", "1"), ("QS", "1"), ("QH", "2"), ("TD", "3"))))
    faces.save(tmp_path / "store" / "faces" / f"bicycle{ENDING}")
    return tmp_path / "store" / "faces" / f"bicycle{ENDING}"


def test_what_was_learned_of_a_deck_is_listed_card_by_card(here, taught):
    for deck in ("bicycle", taught):
        said = here("enrol", "list", deck, "--lang", "en")
        assert (said.status, said.err, said.out.splitlines()) == (
            0,
            "",
            [
                f"{taught}: 3 cards learned, from 4 corners on 3 pictures",
                "  corners of each: 10♦ 1",
                "  corners of each: Q♥ 1",
                "  corners of each: Q♠ 2",
                "on one picture only, and better on two: 10 ♦ ♥ ♠",
                "on no picture yet: A K J 9 8 7 6 5 4 3 2 ♣",
            ],
        )
    assert "D♠ 2" in here("--lang", "pt", "enrol", "list", "bicycle").out


def test_machines_get_the_same_line_on_a_deck_with_its_cards(here, taught):
    line = json.loads(here("enrol", "list", "bicycle", "--json").out)
    deck = {"deck": str(taught), "pictures": 3, "looks": 4, "cards": 3, "missing_ranks": list("AKJ98765432"),
            "missing_suits": ["C"]}  # fmt: skip
    assert line == deck | {"looks_at": {"TD": 1, "QH": 1, "QS": 2}}
    assert json.loads(here("enrol", "list", "--json").out) == deck


def test_the_decks_of_the_store_are_listed_and_one_that_is_damaged_is_told(here, taught):
    assert here("enrol", "list") == Said(0, "bicycle: 3 cards learned, from 4 corners on 3 pictures\n", "")
    damaged = taught.with_name(f"worn{ENDING}")
    damaged.write_bytes(b"no looks")
    os.mkfifo(taught.with_name(f"a pipe{ENDING}"))
    said = here("enrol", "list")
    assert (said.status, said.out) == (2, "bicycle: 3 cards learned, from 4 corners on 3 pictures\n")
    assert [line.split(": ")[1:3] for line in said.err.splitlines()] == [
        [str(taught.with_name(f"a pipe{ENDING}")), "is no file"],
        [str(damaged), "is damaged, or holds no enrolled faces"],
    ]


def test_a_decks_name_that_a_terminal_would_obey_is_told_as_python_writes_it(here, taught):
    taught.rename(taught.with_name(f"bi\x1b[31mcycle{ENDING}"))
    taught.with_name(f"wo\x1brn{ENDING}").write_bytes(b"no looks")
    said = here("enrol", "list")
    assert said.out == "bi\\x1b[31mcycle: 3 cards learned, from 4 corners on 3 pictures\n"
    assert f"wo\\x1brn{ENDING}: is damaged" in said.err
    assert "\x1b" not in said.err


def test_a_store_without_decks_says_how_to_get_one(here, tmp_path):
    told = f"no deck in {tmp_path / 'store' / 'faces'} yet: teach one with `tablepi enrol faces PATH… --deck NAME`\n"
    assert here("enrol", "list") == Said(0, told, "")
    assert here("enrol", "list", "--json") == Said(0, "", "")
    said = here("enrol", "list", "bicycle")
    assert (said.status, said.out) == (2, "")
    assert "there are no faces: enrol the deck first" in said.err


def test_cards_are_forgotten_and_their_pictures_may_be_enrolled_again(here, tmp_path, deck):
    files = [write(tmp_path / f"{name}.png", name) for name in ("QS", "QH", "TD")]
    run(*files, deck=deck)
    said = here("enrol", "forget", deck, "qs", "10D", "QS")
    assert (said.status, said.err, said.out.splitlines()) == (
        0,
        "",
        [
            "Q♠: forgotten, with its 2 corners",
            "10♦: forgotten, with its 2 corners",
            f"{deck}: 1 card learned, from 2 corners on 1 picture",
            "on one picture only, and better on two: Q ♥",
            "on no picture yet: A K J 10 9 8 7 6 5 4 3 2 ♣ ♦ ♠",
        ],
    )
    assert kept(deck) == ["QH", "QH"]
    assert run(*files, deck=deck).out[:3] == [
        f"{files[0]}: Q♠, 2 corners learned",
        f"{files[1]}: Q♥, learned before",
        f"{files[2]}: 10♦, 2 corners learned",
    ]


def test_a_deck_that_forgets_all_reads_as_if_it_had_never_been_taught(here, taught):
    said = here("enrol", "forget", "bicycle", "QS", "QH", "TD")
    assert (said.status, said.out.splitlines()[-1]) == (0, f"nothing is left to read with: {taught} may be deleted")
    assert kept(taught) == []
    assert (
        here("enrol", "list", "bicycle").out.splitlines()[0]
        == f"{taught}: 0 cards learned, from 0 corners on 0 pictures"
    )


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (["QS", "2C", "3C"], "nothing was learned of 2♣ 3♣: the cards that were are 10♦ Q♥ Q♠"),
        (["QS", "joker"], "'joker' is not a card: write rank then suit, such as QS, TC or 10C"),
    ],
)
def test_nothing_is_forgotten_when_a_card_cannot_be(here, taught, cards, told):
    before = taught.read_bytes()
    said = here("enrol", "forget", "bicycle", *cards)
    assert (said.status, said.out) == (2, "")
    assert told in said.err
    assert taught.read_bytes() == before


def test_usage_is_told_without_a_traceback(tmp_path):
    said = tablepi("enrol", "faces", tmp_path)
    assert said.status == 2
    assert "--deck" in said.err
    said = tablepi("recognise", write(tmp_path / "QS.png", "QS"), "--faces", tmp_path / f"none{ENDING}")
    assert (said.status, said.out) == (2, "")
    assert "there are no faces: enrol the deck first" in said.err


# --- with the project's own models ---------------------------------------------------------------------------------

shipped = pytest.mark.skipif(not (MODELS / "namer.onnx").exists(), reason="models/ holds no card reader")


def drawn(file: Path, rank: str, suit: tuple[int, int, int]) -> Path:
    """A plain card: two corners with *rank* above a diamond."""
    image = np.full((700, 500, 3), (60, 110, 40), np.uint8)
    cv2.rectangle(image, (50, 50), (450, 650), (245, 245, 245), -1)
    corner = np.full((120, 70, 3), 245, np.uint8)
    cv2.putText(corner, rank, (8, 58), cv2.FONT_HERSHEY_SIMPLEX, 2.0, suit, 7, cv2.LINE_AA)
    cv2.fillPoly(corner, [np.array([(33, 68), (53, 92), (33, 116), (13, 92)])], suit, cv2.LINE_AA)
    image[65:185, 60:130] = corner
    image[515:635, 370:440] = corner[::-1, ::-1]
    assert cv2.imwrite(str(file), image)
    return file


@shipped
def test_the_reader_itself_learns_a_deck_and_reads_with_it(tmp_path):
    files = [drawn(tmp_path / f"{rank}D.png", rank, (40, 30, 200)) for rank in "2479KQ"]
    deck = tmp_path / f"plain{ENDING}"
    said = tablepi("enrol", "faces", *files, "--deck", deck, "--json")
    lines: list[dict[str, Any]] = [json.loads(line) for line in said.out.splitlines()]
    assert said.status == 0, said.err
    assert [list(line["looks"]) for line in lines[:-1]] == [["2D"], ["4D"], ["7D"], ["9D"], ["KD"], ["QD"]]
    assert lines[-1]["cards"] == 6
    assert lines[-1]["after"] >= lines[-1]["before"]
    read = tablepi("recognise", files[0], "--faces", deck, "--json", "--all")
    assert (read.status, json.loads(read.out)["cards"][0]["card"]) == (0, "2D")


@shipped
def test_nobody_is_asked_where_nobody_sits(tmp_path):
    file = drawn(tmp_path / "photo.png", "7", (40, 30, 200))
    done = subprocess.run(
        [*TABLEPI, "enrol", "faces", str(file), "--deck", str(tmp_path / f"plain{ENDING}")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environ(),
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "its name tells no card and there is nobody to ask: name it like QS.jpg" in done.stderr.decode()
