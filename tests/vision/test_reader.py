"""The reader with its shipped models, on drawn tables: what it must read anywhere, and when it must say nothing."""

from __future__ import annotations

import hashlib

import cv2
import numpy as np
import pytest
import yaml

from tablepi.cards import card
from tablepi.errors import BadInput, Missing
from tablepi.virtual.deck import STYLES
from tablepi.virtual.felt import Glass, Lying, Scene
from tablepi.virtual.photograph import Photographer
from tablepi.virtual.pose import Pose
from tablepi.vision import CardReader
from tablepi.vision.reader import MODELS
from tests.vision.table_scene import decks, table


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def bridge():
    return decks("bridge")


def told(reader: CardReader, frame: np.ndarray) -> list[str]:
    """The cards that are read for sure, sorted."""
    return sorted(str(r.card) for r in reader.read(frame) if r.confidence >= reader.threshold)


@pytest.mark.parametrize("turn", range(0, 360, 30))
def test_a_card_is_read_whichever_way_it_lies(reader, bridge, turn):
    assert told(reader, table(bridge, [("QS", 640, 360, turn)])) == ["QS"]


def test_a_trick_is_read_and_each_card_once(reader, bridge):
    lying = [("2C", 640, 250, 4), ("KC", 780, 360, 88), ("7C", 640, 470, 184), ("QS", 500, 360, 273)]
    assert told(reader, table(bridge, lying)) == ["2C", "7C", "KC", "QS"]


def test_cards_covered_down_to_their_index_are_read(reader, bridge):
    lying = [(name, 380 + 70 * i, 360 - 6 * i, -12 + 5 * i) for i, name in enumerate(("3H", "8D", "JS", "TC", "AH"))]
    assert told(reader, table(bridge, lying, height=340)) == ["3H", "8D", "AH", "JS", "TC"]


def test_a_part_of_a_large_frame_is_read_as_well_where_the_size_of_a_millimetre_is_known(reader, bridge):
    """Two and a half pixels: it is searched less finely then."""
    lying = [("7C", 200, 200, 20), ("QS", 400, 260, -70)]
    frame = table(bridge, lying, size=(600, 460), height=222)
    known = sorted(str(r.card) for r in reader.read(frame, 2.5) if r.confidence >= reader.threshold)
    assert known == told(reader, frame)
    assert known == ["7C", "QS"]


def test_a_6_is_no_9_and_a_9_no_6(reader, bridge):
    lying = [("6H", 400, 360, 0), ("9S", 640, 360, 180), ("6C", 880, 360, 180)]
    assert told(reader, table(bridge, lying)) == ["6C", "6H", "9S"]


@pytest.mark.parametrize(
    ("style", "lying"),
    [("portuguese", ("RS", "DH", "VC")), ("german", ("KS", "DH", "BC")), ("bridge", ("KS", "QH", "JC"))],
)
def test_courts_are_read_in_every_language(reader, style, lying):
    frame = table(decks(style), [("KS", 400, 360, 5), ("QH", 640, 360, -8), ("JC", 880, 360, 3)])
    assert told(reader, frame) == ["JC", "KS", "QH"], f"printed {' '.join(lying)}"


def test_backs_and_jokers_are_no_cards(reader, bridge):
    assert told(reader, table(bridge, [("back", 400, 360, 10), ("joker", 700, 360, 40)])) == []


def test_an_empty_cloth_has_no_cards(reader, bridge):
    assert reader.read(table(bridge, [])) == []


def test_what_is_too_small_to_be_read_is_not_read(reader, bridge):
    lying = [("2C", 500, 360, 0), ("KD", 700, 360, 0), ("QS", 600, 200, 80)]
    assert told(reader, table(bridge, lying, height=50)) == []


@pytest.mark.parametrize("turn", [0, 33, 57, 90, 128, 180])
def test_a_box_bounds_its_card_whichever_way_it_lies(reader, bridge, turn):
    frame = table(bridge, [("8C", 640, 360, turn)])
    (reading,) = [r for r in reader.read(frame) if r.confidence >= reader.threshold]
    w, h, a = 260 * 57 / 89 / 2, 260 / 2, np.radians(turn)
    reach = w * abs(np.cos(a)) + h * abs(np.sin(a)), w * abs(np.sin(a)) + h * abs(np.cos(a))
    card = (640 - reach[0], 360 - reach[1], 640 + reach[0], 360 + reach[1])
    assert np.abs(np.array(reading.box) - card).max() < 14  # a twentieth of the card's height
    assert len(reading.indices) == 2


def test_the_box_of_a_card_covered_down_to_its_index_bounds_the_index(reader, bridge):
    frame = table(bridge, [("8C", 600, 360, 0), ("back", 640, 380, 0)])
    (reading,) = [r for r in reader.read(frame) if r.confidence >= reader.threshold]
    x0, y0, x1, y1 = reading.box
    assert (x1 - x0 < 60, y1 - y0 < 60) == (True, True)
    assert 600 - 260 * 57 / 89 / 2 - 10 < x0 < 600 - 30


def test_the_same_frame_is_always_read_the_same(reader, bridge):
    frame = table(bridge, [("4D", 500, 300, 20), ("JC", 700, 400, 70)])
    assert reader.read(frame) == reader.read(frame.copy()) == CardReader().read(frame)


@pytest.mark.parametrize("shape", [(1, 1, 3), (5, 900, 3), (16, 16, 3)])
def test_a_tiny_frame_has_no_cards(reader, shape):
    assert reader.read(np.full(shape, 128, np.uint8)) == []


@pytest.mark.parametrize(
    "frame", [np.zeros((10, 10), np.uint8), np.zeros((10, 10, 4), np.uint8), np.zeros((10, 10, 3), np.float32),
              np.zeros((0, 10, 3), np.uint8)]
)  # fmt: skip
def test_what_is_no_frame_is_refused(reader, frame):
    with pytest.raises(ValueError, match="a frame is"):
        reader.read(frame)


def test_a_deck_that_has_other_letters_is_read_by_them(bridge):
    """On a Dutch deck V is the queen (vrouw) and B the jack (boer)."""
    dutch = CardReader(letters={"K": "K", "V": "Q", "B": "J"})
    frame = table(decks("portuguese"), [("JH", 640, 360, 0)])  # printed V
    assert told(dutch, frame) == ["QH"]


def test_the_models_are_those_that_were_measured():
    settings = yaml.safe_load((MODELS / "reader.yaml").read_text())
    for name, known in settings["sha256"].items():
        assert hashlib.sha256((MODELS / name).read_bytes()).hexdigest() == known


def test_models_that_are_not_there_are_named(tmp_path):
    with pytest.raises(Missing, match=r"reader\.yaml"):
        CardReader(tmp_path)


def test_models_that_are_none_are_named(tmp_path):
    (tmp_path / "reader.yaml").write_text((MODELS / "reader.yaml").read_text())
    (tmp_path / "finder.onnx").write_bytes(b"no network")
    with pytest.raises(Missing, match=r"finder.onnx: OpenCV .* cannot read this model"):
        CardReader(tmp_path)


def test_settings_that_lack_a_number_are_told_which(tmp_path):
    (tmp_path / "reader.yaml").write_text("threshold: high\n")
    with pytest.raises(BadInput, match="need the numbers threshold, slope, shift"):
        CardReader(tmp_path)


def test_rotating_the_frame_does_not_change_what_is_read(reader, bridge):
    frame = table(bridge, [("5S", 500, 300, 12), ("AD", 760, 380, 100)])
    for turn in (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE):
        assert told(reader, cv2.rotate(frame, turn)) == ["5S", "AD"]


@pytest.mark.parametrize("name", ["8D", "8H", "8S"])
def test_an_8_whose_only_index_in_sight_is_half_under_a_glass_is_no_6(reader, name):
    """The rim takes its upper right side away, a little less of it each time, and in the end nothing."""
    photographer = Photographer(Pose.seeded((1280, 720), 734), STYLES["magnum"], seed=734)
    lying = Lying(face=card(name), x=3.8, y=-91.0, turn=-173.5)
    said = []
    for x in (24.0, 25.0, 26.0, 27.0, 28.0, 46.0):
        scene = Scene(cards=(lying,), hands=(), glasses=(Glass(x=x, y=-107.1),), lamp=1.0)
        frame = np.ascontiguousarray(photographer.photograph(scene, 1)[100:310, 560:780])
        said.append([str(r.card) for r in reader.read(frame, 1.28) if r.confidence >= reader.threshold])
    assert [names for names in said if names not in ([], [name])] == []
    assert said[-1] == [name]
