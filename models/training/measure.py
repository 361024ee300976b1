"""Measuring the reader on held-out decks, and fixing there what it says of itself: calibration and threshold.

No photograph takes part: the decks are drawn with fonts, suit signs and courts that trained nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import SUITS, card
from tablepi.vision.answers import GLYPHS, rank_of
from tablepi.vision.gather import gather
from tablepi.vision.reader import CardReader, calibrated, logit

from . import shards


@dataclass(frozen=True)
class Told:
    """What the reader said of drawn scenes. *chances* and *right*, one a reading, before calibration; *scenes* the
    scene of each; *found* the chance given to each card that lay readable, 0 when it was not read."""

    chances: NDArray[np.float64]
    right: NDArray[np.bool_]
    scenes: NDArray[np.int64]
    found: NDArray[np.float64]


def read_scenes(reader: CardReader, files: Iterable[Path], *, limit: int, least_pixels: float) -> Told:
    """Read the first *limit* scenes of *files*. A card lies readable when an index of at least *least_pixels* is seen
    whole; it is no false card to read one of which a third is seen."""
    cv2.setNumThreads(1)
    chances, right, of, found = [], [], [], []
    scene = 0
    for file in files:
        for image, truth in shards.read(file):
            if scene == limit:
                break
            seen = np.minimum(truth["rank_seen"], truth["suit_seen"]) if len(truth) else np.zeros(0)
            names = np.array([card_shown(row) for row in truth], dtype=np.int64)
            told = {}
            for what, chance, _ in gather(reader.name(image)):
                chances.append(chance)
                right.append(bool(((names == what.index) & (seen > 0.3)).any()) and what.index not in told)
                of.append(scene)
                told[what.index] = max(chance, told.get(what.index, 0.0))
            readable = set(names[(seen > 0.8) & (truth["size"] >= least_pixels)].tolist())
            found += [told.get(index, 0.0) for index in sorted(readable)]
            scene += 1
    return Told(np.array(chances), np.array(right, bool), np.array(of), np.array(found))


def card_shown(row: np.void) -> int:
    """The index of the card that a row of ``scenes.TRUTH`` is on."""
    return card(f"{rank_of(GLYPHS[row['glyph']])}{SUITS[row['suit']]}").index


def calibrate(told: Told) -> tuple[float, float]:
    """Slope and shift of the logit that make the confidence come true (logistic regression, Newton's method, with a
    gentle pull to slope 1)."""
    x = np.stack([logit(told.chances), np.ones(len(told.chances))], 1)
    y = told.right.astype(float)
    w = np.array([1.0, 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (p - y) + 1e-2 * (w - [1, 0])
        curve = (x * (p * (1 - p))[:, None]).T @ x + 1e-2 * np.eye(2)
        w = w - np.linalg.solve(curve, slope)
    return float(w[0]), float(w[1])


def table(told: Told, slope: float, shift: float, scenes: int) -> str:
    """Lines: threshold, share of readable cards read, share of the cards told that are false, and of scenes with such
    a card."""
    sure, found = calibrated(told.chances, slope, shift), calibrated(told.found, slope, shift)
    found[told.found == 0] = 0
    lines = ["threshold  recall  false cards  scenes with one"]
    for threshold in (0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995):
        said = sure >= threshold
        wrong = said & ~told.right
        false, scenes_wrong = wrong.sum() / max(1, said.sum()), len(set(told.scenes[wrong].tolist())) / scenes
        lines.append(f"{threshold:9.3f} {np.mean(found >= threshold):7.2%} {false:12.2%} {scenes_wrong:16.2%}")
    return "\n".join(lines)


def threshold(told: Told, slope: float, shift: float, *, most: float) -> float:
    """The lowest confidence from which on at most the share *most* of the cards told is false; a whole number of
    thousandths, from 0.5 to 0.999."""
    sure = calibrated(told.chances, slope, shift)
    order = np.argsort(-sure)
    false = np.cumsum(~told.right[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(false <= most)
    lowest = sure[order][allowed[-1]] if len(allowed) else 1.0
    return float(np.clip(np.floor(lowest * 1000 + 1e-6) / 1000, 0.5, 0.999))
