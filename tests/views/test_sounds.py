"""What is heard, and when nothing is."""

from __future__ import annotations

import pytest

from tablepi.views.sounds import HERTZ, SOUNDS, sound

from ..script import Told, held
from .tables import BREACH, DOUBT, MOMENTS, OPENING_HAND, PROOF, TWO_CARDS, table_of


@pytest.mark.parametrize(
    ("script", "heard"),
    [
        (held(), None),
        (OPENING_HAND, None),  # a trick is over
        (BREACH, "breach"),
        (PROOF, "proof"),
        (DOUBT, "question"),
        (TWO_CARDS, "breach"),  # it asks, too
        (MOMENTS["someone"], "someone"),
        (MOMENTS["time is up"], "timeout"),
        (MOMENTS["scored"], None),
        (MOMENTS["bid out of turn"], "breach"),
    ],
)
def test_the_latest_fact_is_heard_if_it_must_not_be_missed(script, heard):
    assert sound(table_of(script).lines) == heard


def test_what_a_correction_brings_to_light_is_not_heard():
    script = OPENING_HAND + "3:5D 0:6D 1:2S 2:7D 2:8D 3:9D 0:JD "
    assert sound(table_of(script + "1:4D").lines) == "proof"
    lines = Told(script + "1:3S").tell('{"fact":"correct","n":15,"set":{"card":"4D"}}')
    assert "proved" in [line.get("ruling") for line in lines]
    assert sound(lines) is None


def test_no_two_sounds_are_alike_and_each_has_a_pitch():
    assert len(set(SOUNDS.values())) == len(SOUNDS)
    assert HERTZ.keys() == SOUNDS.keys()
    assert all(slots[0] and slots[-1] for slots in SOUNDS.values())
