"""What is learned of a deck's own faces: the arithmetic on made-up answers of a namer, and the file that keeps it."""

from __future__ import annotations

import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tablepi.cards import RANKS, Card, card
from tablepi.errors import BadInput
from tablepi.vision.answers import HIDDEN, RANK, SUIT, softmax
from tablepi.vision.faces import VERSION, Faces, Learned, Look, load
from tablepi.vision.finder import Place
from tablepi.vision.looks import of_card
from tablepi.vision.namer import Named

LETTERS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
GLYPHS = RANK.stop
MEANS = np.zeros((GLYPHS, 13))  # four letters more that this reader does not use
for row, rank in enumerate(LETTERS):
    MEANS[row, RANKS.index(rank)] = 1

CUTS, WIDTH = 3, 160


class Deck:
    """Makes up what a namer says of a deck: each rank and suit has a direction of its own among the numbers behind the
    answers, and the answers are right, but for what *misread* says (rank shown → rank read)."""

    def __init__(self, seed: int, misread: dict[str, str] | None = None) -> None:
        self.rng = np.random.default_rng(seed)
        self.ranks = self.rng.normal(size=(13, WIDTH)) ** 2
        self.suits = self.rng.normal(size=(4, WIDTH)) ** 2
        self.misread = misread or {}

    def told(self, shown: Card, cuts: int = CUTS) -> np.ndarray:
        read = LETTERS.index(self.misread.get(shown.rank, shown.rank))
        rows = self.rng.normal(0, 0.3, (cuts, GLYPHS + 10 + WIDTH))
        rows[:, read] += 6
        rows[:, GLYPHS + (shown.index & 3)] += 6
        rows[:, GLYPHS + 4] += 5
        behind = 2 * self.ranks[shown.index >> 2] + self.suits[shown.index & 3]
        rows[:, HIDDEN] = np.maximum(behind + self.rng.normal(0, 0.3, (cuts, WIDTH)), 0)
        return rows.astype(np.float32).astype(np.float64)

    def look(self, name: str, picture: str | None = None) -> Look:
        patches = self.rng.integers(0, 255, (CUTS, 48, 48, 3)).astype(np.uint8)
        return Look(card(name), picture or name, patches, self.told(card(name)))


def names(learned: Learned, told: np.ndarray) -> list[str]:
    """How rows are read with what was learned."""
    ranks, suits = learned.corrected(told, softmax(told[:, :GLYPHS]) @ MEANS)
    return [RANKS[r] + "CDHS"[s] for r, s in zip(ranks.argmax(1), suits.argmax(1), strict=True)]


def as_read(told: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return softmax(told[:, :GLYPHS]) @ MEANS, softmax(told[:, SUIT])


def test_a_king_printed_with_a_letter_that_reads_as_a_six_is_learned_for_the_suits_not_shown_too():
    deck = Deck(1, {"K": "6"})
    shown = ["KS", "KH", "KC", "6S", "6H", "QD", "QC", "2S", "AH", "TD"]
    learned = Faces("m", tuple(map(deck.look, shown))).learned(MEANS)
    assert names(learned, deck.told(card("KD"))) == ["KD"] * CUTS
    assert names(learned, deck.told(card("6C"))) == ["6C"] * CUTS
    assert learned.before < 0.75
    assert learned.after > learned.before + 0.05


def test_two_looks_of_one_picture_are_enough_where_no_other_picture_shows_that_rank():
    deck = Deck(2, {"Q": "8"})
    looks = [deck.look(name) for name in ("2S", "3H", "8C", "TD", "AS")]
    looks += [deck.look("QS", "queen"), deck.look("QS", "queen")]
    assert names(Faces("m", tuple(looks)).learned(MEANS), deck.told(card("QS"))) == ["QS"] * CUTS


def test_suits_that_are_read_for_each_other_are_learned_card_by_card_where_each_was_seen_twice():
    deck = Deck(3)
    swapped = {"C": "S", "S": "C", "D": "D", "H": "H"}

    def told(shown: Card) -> np.ndarray:
        rows = deck.told(shown)
        rows[:, SUIT] = deck.told(card(shown.rank + swapped[shown.suit]))[:, SUIT]
        return rows

    shown = [card(r + s) for r in "2349" for s in "CDHS"]
    looks = [Look(c, f"{c} {again}", deck.look(str(c)).patches, told(c)) for c in shown for again in (1, 2)]
    learned = Faces("m", tuple(looks)).learned(MEANS)
    assert [names(learned, told(card(n)))[0] for n in ("9C", "9S", "9D", "9H")] == ["9C", "9S", "9D", "9H"]


def test_what_is_unlike_every_look_is_read_as_before():
    deck = Deck(4, {"K": "6"})
    learned = Faces("m", tuple(deck.look(n) for n in ("KS", "KH", "KC", "KD", "6S", "2H", "3C"))).learned(MEANS)
    strange = deck.told(card("5S"))
    strange[:, HIDDEN] = 0
    strange[:, HIDDEN.start : HIDDEN.start + 20] = 9.0  # far from where any look lies
    ranks, suits = learned.corrected(strange, as_read(strange)[0])
    assert np.abs(ranks - as_read(strange)[0]).max() < 0.01
    assert np.abs(suits - as_read(strange)[1]).max() < 0.01


def test_clear_cards_of_another_deck_stay_what_they_are():
    learned = Faces("m", tuple(Deck(5, {"K": "6"}).look(f"{r}{s}") for r in "K6Q2A" for s in "CDHS")).learned(MEANS)
    other = Deck(6)
    cards = [card(f"{r}{s}") for r in RANKS for s in "CDHS"]
    assert [names(learned, other.told(c, 1))[0] for c in cards] == [str(c) for c in cards]


def test_a_deck_that_is_read_well_already_is_changed_by_hardly_anything():
    deck = Deck(7)
    learned = Faces("m", tuple(deck.look(f"{r}{s}") for r in "K62A9" for s in "CDHS")).learned(MEANS)
    told = deck.told(card("TS"))
    assert np.abs(learned.corrected(told, as_read(told)[0])[0] - as_read(told)[0]).max() < 0.02


def test_a_single_look_changes_nothing_for_nothing_can_tell_whether_it_helps():
    deck = Deck(8, {"K": "6"})
    learned = Faces("m", (deck.look("KS"),)).learned(MEANS)
    rank, suit = learned.correction(deck.told(card("KS"))[:, HIDDEN])
    assert not rank.any()
    assert not suit.any()


def test_looks_that_say_nothing_in_common_change_nothing():
    deck = Deck(9)
    rng = np.random.default_rng(9)
    looks = []
    for number in range(24):  # the wrong names, at random
        look = deck.look(f"{RANKS[rng.integers(13)]}{'CDHS'[rng.integers(4)]}", f"picture {number}")
        looks.append(replace(look, card=card(f"{RANKS[rng.integers(13)]}{'CDHS'[rng.integers(4)]}")))
    learned = Faces("m", tuple(looks)).learned(MEANS)
    told = deck.told(card("7D"))
    assert names(learned, told) == ["7D"] * CUTS


def test_chances_that_a_letter_means_no_rank_are_kept():
    deck = Deck(10, {"K": "6"})
    learned = Faces("m", tuple(deck.look(n) for n in ("KS", "KH", "KC", "6S", "2H"))).learned(MEANS)
    told = deck.told(card("2S"))
    told[:, 15] = told[:, 1] + 2  # a letter that this deck does not have is likelier
    ranks, _ = learned.corrected(told, as_read(told)[0])
    assert (ranks.sum(1) < 0.5).all()


# --- the file ---------------------------------------------------------------------------------------------------------


def some(model: str = "m") -> Faces:
    deck = Deck(11)
    return Faces(model, tuple(deck.look(n, f"picture of {n}") for n in ("KS", "TH", "TH", "2C")))


def told_of(faces: Faces) -> list[tuple[str, str, bytes, bytes]]:
    return [(str(k.card), k.picture, k.patches.tobytes(), k.told.tobytes()) for k in faces.looks]


def test_what_is_saved_is_loaded_and_nothing_else_lies_in_the_folder(tmp_path):
    file = tmp_path / "new" / "deck.faces.npz"
    some().save(file)
    assert (load(file).model, told_of(load(file))) == ("m", told_of(some()))
    assert [p.name for p in file.parent.iterdir()] == ["deck.faces.npz"]


def test_a_deck_without_looks_is_saved_and_loaded(tmp_path):
    Faces("m").save(tmp_path / "deck.faces.npz")
    kept = load(tmp_path / "deck.faces.npz")
    assert (kept.model, kept.looks) == ("m", ())


@pytest.mark.parametrize("spoil", ["cut", "empty", "text", "flipped", "other arrays", "plain array", "pickled"])
def test_a_damaged_file_is_told_as_such(tmp_path, spoil):
    file = tmp_path / "deck.faces.npz"
    some().save(file)
    whole = file.read_bytes()
    if spoil == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif spoil == "empty":
        file.write_bytes(b"")
    elif spoil == "text":
        file.write_text("cards: {}\n")
    elif spoil == "flipped":
        file.write_bytes(whole[:5000] + bytes(50) + whole[5050:])
    elif spoil == "other arrays":
        np.savez(file, version=VERSION, model="m", pictures=["a"], cards=["KS"], patches=[1], told=[2.0])
    elif spoil == "plain array":
        with file.open("wb") as out:
            np.save(out, np.zeros(3))
    else:
        np.savez(file, version=np.array([{}], dtype=object))
    with pytest.raises(BadInput, match="is damaged, or holds no enrolled faces: delete it"):
        load(file)


def spoilt(file: Path, **arrays: np.ndarray | bytes) -> None:
    """Writes the looks to *file* with other *arrays*; bytes stand for an array's whole file."""
    with zipfile.ZipFile(file, "w") as entries:
        for name, array in ({key: np.asarray(value) for key, value in some()._arrays().items()} | arrays).items():
            with entries.open(f"{name}.npy", "w") as entry:
                entry.write(array) if isinstance(array, bytes) else np.save(entry, array)


def header(text: str) -> bytes:
    """An array's file that has this header and ends behind it."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


TOLD = (CUTS, GLYPHS + 10 + WIDTH)


@pytest.mark.parametrize(
    "arrays",
    [
        {"patches": header(f"{{'descr': '|u1', 'fortran_order': False, 'shape': (4, {10**12}, 48, 48, 3)}}")},
        {"patches": header("{'descr': '|u1', 'fortran_order': False, 'shape': (-1, -1)}")},
        {"told": header("{'descr': '<f4', 'fortran_order': False, 'shape': (")},
        {"told": header("(" * 5000)},
        {"told": header("{'descr': '<f4', 'fortran_order': False, 'shape': (4L, 3L, 187L), }")},
        {"told": b"\x93NUMPY\x09\x00" + bytes(90)},
        {"told": np.zeros((4, *TOLD), np.complex64)},
        {"told": np.full((4, *TOLD), 1e300)},
        {"told": np.full((4, *TOLD), np.nan, np.float32)},
        {"patches": np.zeros((4, 0, 48, 48, 3), np.uint8), "told": np.zeros((4, 0, TOLD[1]), np.float32)},
        {"version": np.array(np.inf)},
        {"version": np.array(0)},
        {"version": np.array(-1)},
        {"version": np.array([VERSION])},
        {"version": np.array("1")},
        {"model": np.array(1.5)},
        {"cards": np.array([b"KS", b"TH", b"TH", b"2C"])},
        {"cards": np.array("KS")},
        {"cards": np.array(["KS", "TH", "TH", "1C"])},
        {"pictures": np.array([1, 2, 3, 4])},
    ],
    ids=lambda arrays: str(arrays)[:60],
)
def test_an_array_that_no_faces_have_is_damage_however_much_its_header_claims(tmp_path, arrays):
    file = tmp_path / "deck.faces.npz"
    spoilt(file)
    assert told_of(load(file)) == told_of(some())
    spoilt(file, **arrays)
    with pytest.raises(BadInput) as error:
        load(file)
    assert str(error.value) == f"{file}: is damaged, or holds no enrolled faces: delete it and enrol the deck again"


@pytest.mark.parametrize(
    ("record", "place", "value"),
    [(b"PK\x01\x02", 8, 1), (b"PK\x01\x02", 10, 12), (b"PK\x01\x02", 10, 14), (b"PK\x01\x02", 10, 99)],
    ids=["encrypted", "bzip2", "lzma", "no such compression"],
)
def test_an_entry_that_says_to_be_of_another_kind_is_damage(tmp_path, record, place, value):
    file = tmp_path / "deck.faces.npz"
    some().save(file)
    content = bytearray(file.read_bytes())
    content[content.index(record) + place] = value
    content[content.index(b"PK\x03\x04") + place - 2] = value
    file.write_bytes(content)
    with pytest.raises(BadInput, match="is damaged, or holds no enrolled faces: delete it"):
        load(file)


def test_an_entry_that_is_said_to_lie_before_the_file_is_damage(tmp_path):
    file = tmp_path / "deck.faces.npz"
    some().save(file)
    content = bytearray(file.read_bytes())
    at = content.index(b"PK\x05\x06") + 16  # where the directory lies: now far behind its place
    content[at : at + 4] = struct.pack("<I", 2**31)
    file.write_bytes(content)
    with pytest.raises(BadInput, match="is damaged, or holds no enrolled faces: delete it"):
        load(file)


def test_an_array_that_swells_to_more_than_any_deck_has_is_damage(tmp_path, monkeypatch):
    some().save(tmp_path / "deck.faces.npz")
    monkeypatch.setattr("tablepi.vision.faces.MOST_BYTES", 50_000)
    with pytest.raises(BadInput, match="is damaged, or holds no enrolled faces: delete it"):
        load(tmp_path / "deck.faces.npz")


def test_a_file_of_a_later_version_is_told_as_such(tmp_path):
    file = tmp_path / "deck.faces.npz"
    spoilt(file, version=np.array(VERSION + 1))
    with pytest.raises(BadInput, match="a later tablepi wrote these faces"):
        load(file)


def test_a_deck_that_was_never_enrolled_is_told_as_such(tmp_path):
    with pytest.raises(BadInput, match="there are no faces: enrol the deck first"):
        load(tmp_path / "deck.faces.npz")


def test_a_file_that_cannot_be_written_is_told_and_leaves_nothing_behind(tmp_path):
    (tmp_path / "deck.faces.npz").mkdir()
    with pytest.raises(BadInput, match="cannot be written"):
        some().save(tmp_path / "deck.faces.npz")
    assert [p.name for p in tmp_path.iterdir()] == ["deck.faces.npz"]


def test_another_model_is_shown_the_looks_anew():
    faces = some()
    asked = []

    def ask(patches: np.ndarray) -> np.ndarray:
        asked.append(patches.tobytes())
        return np.full((len(patches), 40), 7.0)

    assert faces.told_by("m", ask) is faces
    anew = faces.told_by("newer", ask)
    assert asked == [look.patches.tobytes() for look in faces.looks]
    assert anew.model == "newer"
    assert all((look.told == 7).all() for look in anew.looks)


def test_looks_of_a_picture_seen_again_take_the_place_of_the_old():
    faces = some()
    again = Deck(12).look("9S", "picture of TH")
    joined = faces.joined([again])
    assert [str(look.card) for look in joined.looks] == ["KS", "2C", "9S"]
    assert joined.cards_of("picture of TH") == {card("9S")}
    assert joined.cards_of("picture of QH") == set()


# --- which indices are the card's ------------------------------------------------------------------------------------


def named(at: tuple[float, float], up: float, *, size: float = 30, **chances: float) -> Named:
    told = np.zeros(52)
    for name, chance in chances.items():
        told[card(name.removeprefix("_")).index] = chance
    return Named(Place(*at, up, size, 0.9), told)


def test_both_corners_of_the_only_card_are_looks_at_it_however_they_are_read():
    corners = [named((20, 20), 0.1, _8S=0.6), named((120, 180), 3.2, QS=0.3, _7S=0.2)]
    assert of_card(corners, card("KS")) == tuple(corners)


def test_a_second_card_is_not_learned_under_the_first_ones_name():
    right = named((20, 20), 0, KS=0.9)
    turned = named((120, 180), np.pi, _8S=0.4)
    other = named((420, 20), 0, _5S=0.95)
    aslant = named((20, 180), 1.0, _8S=0.4)
    assert of_card([right, turned, other, aslant], card("KS")) == (right, turned)


def test_nothing_is_taken_of_several_cards_none_of_which_reads_as_the_one_named():
    assert of_card([named((20, 20), 0, _5S=0.9), named((120, 180), 1.0, _7H=0.9)], card("KS")) == ()


def test_what_is_hardly_an_index_is_no_look():
    assert of_card([named((20, 20), 0, KS=0.2)], card("KS")) == ()
