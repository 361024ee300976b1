"""The threshold is fixed on drawn decks alone, by the share of false cards that may be told."""

from __future__ import annotations

import numpy as np
import pytest

from models.training import measure
from models.training.measure import Told


def told(right: str, *chances: float) -> Told:
    """Readings of one scene each; *right* has a + for each that was right."""
    n = len(right)
    assert n == len(chances)
    return Told(np.array(chances), np.array([c == "+" for c in right]), np.arange(n), np.array(chances))


def test_the_threshold_is_the_lowest_that_lets_no_more_false_cards_through():
    readings = told("+++-++", 0.99, 0.95, 0.9, 0.8, 0.7, 0.6)
    assert measure.threshold(readings, 1.0, 0.0, most=0.0) == 0.9
    assert measure.threshold(readings, 1.0, 0.0, most=0.2) == 0.6
    assert measure.threshold(readings, 1.0, 0.0, most=0.17) == 0.6  # one in six
    assert measure.threshold(readings, 1.0, 0.0, most=0.1) == 0.9


def test_a_reader_that_is_sure_of_what_is_false_may_tell_nothing():
    assert measure.threshold(told("-+", 0.99, 0.9), 1.0, 0.0, most=0.1) == 0.999


def test_the_calibration_makes_the_confidence_come_true():
    rng = np.random.default_rng(7)
    chances = rng.uniform(0.02, 0.98, 4000)
    true = 1 / (1 + np.exp(-(0.5 * np.log(chances / (1 - chances)) - 1)))
    readings = Told(chances, rng.random(4000) < true, np.arange(4000), chances)
    slope, shift = measure.calibrate(readings)
    assert (slope, shift) == (pytest.approx(0.5, abs=0.06), pytest.approx(-1.0, abs=0.1))


def test_the_table_tells_what_each_threshold_costs():
    lines = measure.table(told("++-", 0.99, 0.95, 0.9), 1.0, 0.0, 3).splitlines()
    assert lines[0].split("  ") == ["threshold", "recall", "false cards", "scenes with one"]
    assert lines[1].split() == ["0.300", "100.00%", "33.33%", "33.33%"]
    assert lines[-1].split() == ["0.995", "0.00%", "0.00%", "0.00%"]
