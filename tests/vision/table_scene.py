"""A cloth with cards of the project's own decks on it, for tests: flat, sharp, evenly lit, turned as asked."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import card
from tablepi.virtual.deck import STYLES, Deck

Lying = tuple[str, float, float, float]
"""A card's name (or ``back``, ``joker``), its middle in pixels, and its turn in degrees, clockwise."""


def decks(name: str) -> Deck:
    """The deck of that style."""
    return Deck(STYLES[name])


def table(
    deck: Deck, lying: Iterable[Lying], *, size: tuple[int, int] = (1280, 720), height: float = 260.0
) -> NDArray[np.uint8]:
    """A frame of *size* (width, height), uint8 BGR, with cards *height* pixels tall, later ones over earlier ones."""
    rng = np.random.default_rng(5)
    frame = np.clip(rng.normal((62, 84, 40), 3, (size[1], size[0], 3)), 0, 255).astype(np.uint8)
    for name, x, y, turn in lying:
        face = {"back": deck.back, "joker": deck.joker}.get(name, lambda name=name: deck.face(card(name)))()
        k = height / face.shape[0]
        small = cv2.resize(face, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        h, w = small.shape[:2]
        to = cv2.getRotationMatrix2D((w / 2 - 0.5, h / 2 - 0.5), -turn, 1.0)
        to[:, 2] += (x - w / 2, y - h / 2)
        mask = cv2.warpAffine(np.full((h, w), 255, np.uint8), to, size)
        flat = cv2.warpAffine(small, to, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        frame[mask > 127] = flat[mask > 127]
    return frame
