"""What the felt looks like where nothing lies, in any light: a card that has left is told by it from a covered one.

A place is a card's: its four corners in pixels of the small picture (see ``view``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from .stillness import DIFFERS, SATURATED, worst

Image = NDArray[np.uint8]

SAME_COLOUR = 0.1
"""By how much each colour of the cloth may differ where it is brighter or darker than elsewhere: lamps and sun are
warmer or colder than each other."""
COLOURED = 0.968
"""The cosine of the angle (15°) between a cloth's colour and white under which it is told from a card by its colour."""
DIM, LIT = 0.3, 0.45
"""The share of its usual brightness under which cloth is not told from a card any more: both are black; and from which
on it surely is again."""


class Cloth:
    """What the felt looks like where nothing lies.

    It is learned wherever no card is known to lie: at once as light and wear change it a little; where it looks
    altogether otherwise, only when that has stayed so, for that may be the rim of a card whose place was misjudged, or
    a thing that was put down for a while.

    Light is no other cloth. What all of the felt has become brighter or darker by is taken off, and for each place
    apart it may be brighter or darker still, as where the sun falls or a second lamp stands, when its colour stays: a
    card is white, and no cloth turns white in the sun. (Only a cloth that is grey or white itself must keep its
    brightness, too.)

    Where a thing stood so long that it was learned, and then was taken away, the cloth is seen by what it is elsewhere.
    """

    BARE, LEARNS, STAYS, LASTS = 0.75, 0.2, 10, 3
    """The share of a card's place that looks like cloth when it has left; how much of each picture is learned; how many
    pictures on end in which no card lies there must show something else before that is the cloth, or a thing that was
    put down to stay."""
    SHOWS, BESIDE = 0.1, 0.9
    """The share of a card's place that is free beside the cards over it when that can tell; and the share of this that
    is cloth when it has left: cards that lie more than a centimetre or so apart, or turned by ten degrees."""
    CORNERS, ENOUGH, SOME = 3, 0.35, 0.15
    """The corners of a card's place that are cloth, and the share of all of it, when it has left and something, as a
    glass, hides the rest; and the share when cloth is seen where its indices were."""

    def __init__(self, felt: NDArray[np.bool_], looks: Image | None = None) -> None:
        self._felt = felt
        self._looks: NDArray[np.float32] | None = None if looks is None else looks.astype(np.float32)
        self._otherwise = np.zeros(felt.shape, np.int32)  # in how many pictures on end it looked altogether otherwise

    def move(self, to_new: NDArray[np.float64], felt: NDArray[np.bool_]) -> None:
        """The cloth is seen from elsewhere: *to_new* takes the small picture's places to those of the new one, where it
        is seen in *felt*."""
        self._felt, self._otherwise = felt, np.zeros(felt.shape, np.int32)
        if self._looks is not None:
            size = felt.shape[1], felt.shape[0]
            moved = cv2.warpPerspective(self._looks, to_new, size, borderMode=cv2.BORDER_REPLICATE)
            self._looks = np.asarray(moved, np.float32)

    def learn(self, picture: Image, quads: Iterable[NDArray[np.float64]]) -> None:
        """Learn from the small *picture* outside of *quads*, the places of cards (4, 2) in small pixels."""
        free = self._free(quads)
        if self._looks is None:
            self._looks = _round_about(picture, free)
            self._looks[free] = picture[free]
            return
        light = _light(picture, self._looks, free)
        otherwise = ~_alike(picture, self._looks, light)
        self._otherwise = np.where(free, np.where(otherwise, self._otherwise + 1, 0), self._otherwise)
        usual = picture / light
        stayed = self._otherwise >= self.STAYS
        self._looks[stayed] = usual[stayed]
        little = free & ~otherwise
        self._looks[little] += (usual[little] - self._looks[little]) * self.LEARNS

    def seen(self, picture: Image, quads: Iterable[NDArray[np.float64]]) -> NDArray[np.bool_] | None:
        """Where cloth is seen in the small *picture*, in which cards may lie at *quads*; None before anything was
        learned."""
        if self._looks is None:
            return None
        light = _light(picture, self._looks, self._free(quads))
        seen = np.zeros(self._felt.shape, bool)
        for looks in (self._looks, self._plain(self._looks)):
            seen |= _alike(picture, looks, light) & ~_under(DIM, picture, looks)
        return seen

    def dim(self, picture: Image) -> NDArray[np.bool_]:
        """Where the small *picture* is too dark to tell cloth from a card: nowhere before anything was learned."""
        return np.zeros(self._felt.shape, bool) if self._looks is None else _under(DIM, picture, self._looks)

    def lit(self, picture: Image) -> NDArray[np.bool_]:
        """Where it is bright enough, and not by a hair."""
        return np.ones(self._felt.shape, bool) if self._looks is None else ~_under(LIT, picture, self._looks)

    def _plain(self, looks: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cloth all of one colour, that of most of it: so it looks again where a thing stood that was learned."""
        some = looks[self._felt][::4]  # a quarter tells as much
        return np.broadcast_to(np.median(some, axis=0), looks.shape) if len(some) else looks

    def covered_for_long(self, quad: NDArray[np.float64]) -> bool:
        """Whether something else than cloth has lain at a card's place *quad* for a while, in a part of it at least,
        and in the rest of it nothing."""
        long = self._otherwise >= self.LASTS
        return self._share(long, quad) >= self.SOME and self._share(long | (self._otherwise == 0), quad) >= self.BARE

    def bare(self, seen: NDArray[np.bool_], quad: NDArray[np.float64], indices: Sequence[NDArray[np.float64]]) -> bool:
        """Whether cloth is *seen* at the place *quad* of a card: nearly everywhere; or where its *indices* were read
        that nothing is known to lie over, or its corners would be seen, beside what hides the rest."""
        share = self._share(seen, quad)
        if share >= self.BARE:
            return True
        if share >= self.SOME and indices and all(self._share(seen, index) >= self.BARE for index in indices):
            return True
        middle = quad.mean(0)
        corners = [(middle + 0.85 * (corner - middle)) + 0.15 * (quad - middle) for corner in quad]
        return share >= self.ENOUGH and sum(self._share(seen, c) >= self.BARE for c in corners) >= self.CORNERS

    def beside(
        self,
        seen: NDArray[np.bool_],
        quad: NDArray[np.float64],
        ample: NDArray[np.float64],
        others: Iterable[NDArray[np.float64]],
    ) -> bool:
        """Whether a card at *quad* would have to show beside *others*, and cloth is *seen* there and all round it, in
        *ample*."""
        hidden, place = covered(self._felt.shape, others), self._inside(quad)
        shows = place & ~hidden
        if not shows.any() or shows.sum() < self.SHOWS * place.sum():
            return False
        return all(float(seen[there].mean()) >= self.BESIDE for there in (shows, self._inside(ample) & ~hidden))

    def _share(self, seen: NDArray[np.bool_], quad: NDArray[np.float64]) -> float:
        inside = self._inside(quad)
        return float(seen[inside].mean()) if inside.any() else 0.0

    def _inside(self, quad: NDArray[np.float64]) -> NDArray[np.bool_]:
        return covered(self._felt.shape, [quad]) & self._felt

    def _free(self, quads: Iterable[NDArray[np.float64]]) -> NDArray[np.bool_]:
        near = cv2.dilate(covered(self._felt.shape, quads).astype(np.uint8), np.ones((9, 9), np.uint8))
        return np.asarray((np.asarray(near, np.uint8) == 0) & self._felt, bool)


def covered(shape: tuple[int, ...], quads: Iterable[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Which pixels of a small picture of *shape* (h, w) lie in one of *quads*: (h, w)."""
    inside = np.zeros(shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(inside, quad.round().astype(np.int32), 1)
    return inside > 0


def _round_about(picture: Image, free: NDArray[np.bool_]) -> NDArray[np.float32]:
    """*picture* as it would be without what is not *free*: the mean of what is free round about, which keeps the light
    that a lamp at one side makes uneven."""
    weight = cv2.GaussianBlur(free.astype(np.float32), (0, 0), 15)[..., None] + 1e-6
    mean = cv2.GaussianBlur(np.where(free[..., None], picture, 0).astype(np.float32), (0, 0), 15)
    return np.asarray(mean / weight, np.float32)


def _light(picture: Image, cloth: NDArray[np.float32], free: NDArray[np.bool_]) -> NDArray[np.float32]:
    """By how much each colour of *picture* is brighter than *cloth*, where that is *free*: (3,)."""
    some = free.copy()
    some[1::2] = some[:, 1::2] = False  # a quarter tells as much
    if not some.any():
        return np.ones(3, np.float32)
    return np.asarray(np.median((picture[some] + 1) / (cloth[some] + 1), axis=0).clip(0.1, 8.0), np.float32)


def _under(share: float, picture: Image, cloth: NDArray[np.float32]) -> NDArray[np.bool_]:
    return np.asarray(picture.sum(2) < share * cloth.sum(2), bool)


def _alike(picture: Image, cloth: NDArray[np.float32], light: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where *picture* is *cloth* in that *light*, or in more or less of it: (h, w)."""
    usual = np.maximum(cloth * light, 1.0)
    square = np.einsum("hwc,hwc->hw", usual, usual)
    more = np.einsum("hwc,hwc->hw", usual, picture.astype(np.float32)) / square
    white = usual.sum(2) / np.sqrt(3 * square)  # the cosine of the angle between its colour and white
    more = np.where(white < COLOURED, more.clip(0.3, 3.5), more.clip(0.75, 1.33))[..., None]
    expected = usual * more
    off = np.abs(picture - np.minimum(expected, 255)) - SAME_COLOUR * expected
    off[(picture >= SATURATED) & (picture < expected)] = 0  # nobody knows how bright that was
    limit = DIFFERS * max(1.0, float(light.max()))  # noise grows with the light
    return np.asarray(cv2.blur(worst(off.astype(np.float32)), (3, 3)) <= limit, bool)
