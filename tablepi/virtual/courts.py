"""The courts of the virtual table's decks: half a figure of plain shapes, joined at the waist to itself turned.

Jack, queen and king differ in hat, hair, collar, robe and what they hold, so that a person tells them apart without the
letter. The joker's fool stands here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..cards import SUITS
from . import outlines
from .outlines import Points, bezier
from .paper import Image, Ink, Placed, Sheet, diamond, polygons_of, rectangle, ring, tint

Kind = Literal["framed", "free", "flat"]


@dataclass(frozen=True, slots=True)
class Dress:
    """What all courts of a deck share: figures with a frame round them, without, or *flat* ones in tints of one ink."""

    kind: Kind
    suits: outlines.Suits
    inks: Mapping[str, Ink]
    paper: Ink


@dataclass(frozen=True, slots=True)
class _Inks:
    line: Ink
    skin: Ink
    hair: Ink
    robe: Ink
    trim: Ink
    gold: Ink
    light: Ink


class Court:
    """The figure of a jack, a queen or a king, in a box of *size* (width, height) millimetres.

    Its units are 34 to the width of a bridge card's box; (0, 0) is the middle of the card and y grows downwards, so
    that the head is at -18.
    """

    def __init__(self, dress: Dress, rank: str, suit: str, size: tuple[float, float]) -> None:
        self._dress, self._rank, self._suit, self._size = dress, rank, suit, size
        self._inks = _inks_of(dress, rank, suit)
        self._unit = min(size[0] / 34, size[1] / 67)
        self._line = 0.0 if dress.kind == "flat" else 0.42
        self._sheet = Sheet((1, 1), 1.0, dress.paper)

    def drawn(self, scale: float) -> Image:
        """The picture, ``FINER`` times as large as a face of *scale*, and the same from either end."""
        wide, high = self._size
        self._sheet = Sheet((round(high * scale), round(wide * scale)), scale, self._dress.paper)
        self._behind()
        self._robe()
        self._head()
        {"J": self._cap, "Q": self._coronet, "K": self._crown}[self._rank]()
        self._suit_sign()
        above = self._sheet.image
        rows, columns = above.shape[:2]
        slope = -0.22 if self._rank != "Q" else 0.22
        level = rows / 2 - 0.5 + slope * (np.arange(columns) - (columns - 1) / 2)
        upper = np.arange(rows)[:, None] < level[None]
        self._sheet.image[:] = np.where(upper[..., None], above, above[::-1, ::-1])
        self._sash(slope)
        if self._dress.kind == "framed":
            edge = rectangle(np.array(self._size) / 2 - 0.2) + np.array(self._size) / 2
            self._sheet.line(edge, self._inks.line, 0.4, closed=True)
        return self._sheet.image

    def _put(self, ink: Ink, *parts: Sequence[tuple[float, float]] | Points, line: bool = True) -> None:
        """Fill the outline that *parts* make one after the other, with a dark *line* round it."""
        outline = np.vstack(parts) * self._unit + np.array(self._size) / 2
        self._sheet.fill([outline], ink)
        if line and self._line:
            self._sheet.line(outline, self._inks.line, self._line * max(self._unit, 0.8), closed=True)

    def _stroke(self, ink: Ink, points: Sequence[tuple[float, float]] | Points, wide: float) -> None:
        placed = np.asarray(points, np.float64) * self._unit + np.array(self._size) / 2
        self._sheet.line(placed, ink, wide * self._unit, closed=False)

    def _behind(self) -> None:
        """What the figure holds, and what hangs down behind the head."""
        inks = self._inks
        if self._rank == "K":
            self._put(inks.light, [(10.6, -29), (11.7, -31.5), (12.8, -29), (12.8, -8), (10.6, -8)])
            self._put(inks.gold, [(8.2, -9.6), (15.2, -9.6), (15.2, -8), (8.2, -8)])
            self._put(inks.robe, ring((11.7, -6.4), 1.5))
        elif self._rank == "Q":
            self._put(
                inks.hair,
                bezier((0, -26.5), (-10.5, -26), (-8, -14), (-9.5, -7.5)),
                bezier((9.5, -7.5), (8, -14), (10.5, -26), (0, -26.5)),
            )
            self._stroke(inks.trim, bezier((12.6, -4), (13.6, -9), (12.2, -14)), 0.7)
            for turn in np.arange(5) * 2 * np.pi / 5:
                self._put(inks.robe, ring((12.2 + 1.9 * np.sin(turn), -16 - 1.9 * np.cos(turn)), 1.45))
            self._put(inks.gold, ring((12.2, -16), 1.25))
        else:
            self._stroke(inks.line, [(11.8, -30), (11.8, 4)], 1.0)
            self._put(inks.light, bezier((12.2, -29), (17, -27.5), (17, -21), (12.2, -19.6)), [(12.2, -29)])
            self._put(inks.gold, [(10.9, -30), (11.8, -33), (12.7, -30)])

    def _robe(self) -> None:
        inks, rank = self._inks, self._rank
        self._put(
            inks.robe,
            [(-17, 16)],
            bezier((-16.5, -2), (-15.5, -8), (-9, -9.5)),
            bezier((9, -9.5), (15.5, -8), (16.5, -2)),
            [(17, 16)],
        )
        for side in (-1, 1):
            if rank == "K":
                for low in range(3):
                    y = -4.0 + 4.5 * low
                    self._put(
                        inks.gold,
                        [(side * 16.5, y), (side * 7, y - 2.6), (side * 7, y - 0.9), (side * 16.5, y + 1.7)],
                        line=False,
                    )
            elif rank == "Q":
                for y in (-4.5, 0.0, 4.5, 9.0):
                    for x in (8.6, 13.0):
                        self._put(inks.gold, ring((side * x, y - 0.14 * x), 0.95), line=False)
            else:
                for x in (8.2, 11.6, 15.0):
                    self._put(
                        inks.trim,
                        [(side * x, -8), (side * (x + 1.6), -8), (side * (x + 1.6), 16), (side * x, 16)],
                        line=False,
                    )
        self._put(inks.trim, [(-5.6, 16), (-5.6, -9), (5.6, -9), (5.6, 16)])
        shape = outlines.sign(self._dress.suits, self._suit)
        for y in (-0.2, 6.6):
            self._put(inks.light, diamond(2.7, (0, y)), line=False)
            for p in polygons_of(Placed(shape, 0, y, 3.0)):
                self._put(self._dress.inks[self._suit], p, line=False)
        if rank == "K":  # ermine
            self._put(inks.light, bezier((-10, -10.6), (-7, -3.6), (7, -3.6), (10, -10.6)))
            for x, y in ((-6.2, -8.4), (-2.3, -6.7), (2.3, -6.7), (6.2, -8.4)):
                self._stroke(inks.line, [(x, y), (x * 1.03, y + 1.3)], 0.55)
        elif rank == "Q":  # pearls
            for turn in np.linspace(-1.15, 1.15, 9):
                self._put(inks.light, ring((7.6 * np.sin(turn), -12.0 + 5.2 * np.cos(turn)), 0.95))
        else:  # a ruff
            teeth = np.array(
                [(x, -8.6 + (2.6 if number % 2 else 0.4)) for number, x in enumerate(np.linspace(-8, 8, 13))]
            )
            self._put(inks.light, teeth, [(6, -11.4), (-6, -11.4)])

    def _head(self) -> None:
        inks, rank = self._inks, self._rank
        if rank == "J":
            self._put(
                inks.hair,
                [(-7.4, -23)],
                bezier((-8.6, -18), (-8.8, -14), (-7.4, -11.6)),
                bezier((7.4, -11.6), (8.8, -14), (8.6, -18)),
                [(7.4, -23)],
            )
        if rank == "K":
            for side in (-1, 1):
                for y in (-20.6, -17.4, -14.4):
                    self._put(inks.hair, ring((side * 6.2, y), 1.9))
        self._put(inks.skin, [(-2.3, -14), (-2.6, -9.4), (2.6, -9.4), (2.3, -14)])
        face = np.vstack(
            [
                bezier((-5.3, -24), (-5.7, -17), (-4.2, -11.4), (0, -11.2)),
                bezier((0, -11.2), (4.2, -11.4), (5.7, -17), (5.3, -24)),
            ]
        )
        self._put(inks.skin, face)
        if rank == "K":
            self._put(
                inks.hair,
                bezier((-5.4, -18.2), (-5.4, -9.5), (-2, -7.6), (0, -6.2)),
                bezier((0, -6.2), (2, -7.6), (5.4, -9.5), (5.4, -18.2)),
                bezier((5.4, -18.2), (3.4, -15.2), (1.4, -15.9), (0, -15.6)),
                bezier((0, -15.6), (-1.4, -15.9), (-3.4, -15.2), (-5.4, -18.2)),
            )
        for side in (-1, 1):
            self._stroke(inks.line, bezier((side * 0.9, -20.9), (side * 2.2, -21.7), (side * 3.7, -20.9)), 0.42)
            self._put(
                inks.light,
                bezier((side * 1.0, -19.4), (side * 2.2, -20.5), (side * 3.5, -19.4)),
                bezier((side * 3.5, -19.4), (side * 2.2, -18.7), (side * 1.0, -19.4)),
                line=False,
            )
            self._put(inks.line, ring((side * 2.2, -19.5), 0.58), line=False)
        self._stroke(inks.line, [(0.3, -19.4), (-0.8, -16.6), (0.5, -16.3)], 0.36)
        lips = self._dress.inks["H"]
        self._put(
            lips,
            bezier((-1.5, -14.2), (0, -15.2), (1.5, -14.2)),
            bezier((1.5, -14.2), (0, -13.1), (-1.5, -14.2)),
            line=False,
        )
        if rank == "Q":
            for side in (-1, 1):
                self._put(
                    inks.hair,
                    bezier((0, -25), (side * 3.6, -24.2), (side * 4.4, -21.6), (side * 5.5, -17.6)),
                    bezier((side * 6.4, -20), (side * 6.6, -25.6), (0, -26.2)),
                    line=False,
                )
        elif rank == "J":
            self._put(
                inks.hair,
                bezier((-5.6, -21.4), (-2, -22), (0.5, -23.4)),
                bezier((0.5, -23.4), (3, -22), (5.6, -21.4)),
                [(5.8, -25), (-5.8, -25)],
            )

    def _cap(self) -> None:
        inks = self._inks
        self._put(
            inks.robe,
            bezier((-8.4, -24), (-10.5, -29), (-3, -31), (3, -29.8)),
            bezier((3, -29.8), (8, -29), (9, -26), (8, -24)),
        )
        self._put(inks.gold, [(-8.2, -25), (7.9, -25), (7.7, -22.7), (-7.9, -22.7)])
        plume = np.vstack(
            [
                bezier((-5, -26), (-11, -27), (-14.6, -31), (-12, -33)),
                bezier((-12, -33), (-10, -30), (-6, -29.5), (-3.6, -27)),
            ]
        )
        self._put(inks.light, plume * [-1, 1] - [3, 0])
        if self._suit in "CH":
            self._put(inks.trim, diamond(1.2, (-4.4, -23.8)))

    def _coronet(self) -> None:
        inks = self._inks
        points = [
            (-7.2, -24),
            (-8.2, -29),
            (-5, -26.8),
            (-3.2, -30),
            (0, -27),
            (3.2, -30),
            (5, -26.8),
            (8.2, -29),
            (7.2, -24),
        ]
        self._put(inks.gold, points)
        for x, y in ((-8.2, -29.4), (-3.2, -30.4), (3.2, -30.4), (8.2, -29.4)):
            self._put(inks.light, ring((x, y), 0.95))
        for x in (-4, 0, 4):
            self._put(inks.robe, ring((x, -25.2), 0.7), line=False)

    def _crown(self) -> None:
        inks = self._inks
        self._put(inks.robe, [(-6.4, -25), (-6.4, -29), (6.4, -29), (6.4, -25)])
        for x in (-6.2, 0.0, 6.2):
            self._put(inks.gold, [(x - 2.0, -25), (x - 2.4, -28.4), (x, -32), (x + 2.4, -28.4), (x + 2.0, -25)])
            self._put(inks.light, ring((x, -28), 0.75), line=False)
        self._put(inks.gold, [(-8.2, -26), (8.2, -26), (7.6, -22.6), (-7.6, -22.6)])
        for x in (-5, -1.7, 1.7, 5):
            self._put(inks.trim, diamond(0.85, (x, -24.3)), line=False)

    def _suit_sign(self) -> None:
        shape = outlines.sign(self._dress.suits, self._suit)
        tall = 6.2 * self._unit
        x = self._size[0] / 2 - 13.2 * self._unit
        y = self._size[1] / 2 - 28.4 * self._unit
        self._sheet.fill(polygons_of(Placed(shape, x, y, tall)), self._dress.inks[self._suit])

    def _sash(self, slope: float) -> None:
        inks, x = self._inks, 17.0
        for half, ink in ((1.7, inks.line), (1.35, inks.gold), (0.4, inks.robe)):
            self._put(
                ink,
                [(-x, -slope * x - half), (x, slope * x - half), (x, slope * x + half), (-x, -slope * x + half)],
                line=False,
            )


def _inks_of(dress: Dress, rank: str, suit: str) -> _Inks:
    ink, light = dress.inks[suit], dress.paper
    if dress.kind == "flat":
        beard = {"J": 0.85, "Q": 0.7, "K": 0.95}[rank]
        return _Inks(
            line=ink,
            skin=tint(ink, light, 0.14),
            hair=tint(ink, light, beard),
            robe=tint(ink, light, 0.5),
            trim=tint(ink, light, 0.25),
            gold=tint(ink, light, 0.78),
            light=light,
        )
    gold: Ink = (60, 190, 240)
    red: Ink = (48, 42, 196)
    blue: Ink = (140, 74, 28)
    dark: Ink = (52, 44, 40)
    if dress.suits == "antique":
        gold, red, blue, dark = (96, 176, 208), (74, 70, 168), (124, 96, 66), (64, 62, 66)
    hair = {"J": (70, 150, 205), "Q": (40, 72, 116), "K": (150, 158, 164)}[rank]
    robe, trim = (red, blue) if (SUITS.index(suit) + "JQK".index(rank)) % 2 else (blue, red)
    return _Inks(dark, (190, 214, 244), hair, robe, trim, gold, light)


def jester(sheet: Sheet, middle: tuple[float, float], unit: float, inks: tuple[Ink, Ink]) -> None:
    """A fool's head with a cap of three points above *middle*, or below it for a *unit* below 0."""

    def put(ink: Ink, *parts: Sequence[tuple[float, float]] | Points) -> None:
        sheet.fill([np.vstack(parts) * unit + np.array(middle)], ink)

    first, second = inks
    put(first, bezier((-6, -14), (-16, -24), (-19, -14), (-17, -10)), bezier((-14, -14), (-10, -12), (-6, -9)))
    put(second, bezier((6, -14), (16, -24), (19, -14), (17, -10)), bezier((14, -14), (10, -12), (6, -9)))
    put(first, bezier((-7, -13), (-5, -24), (-2, -27), (3, -29)), bezier((3, -26), (3, -21), (7, -13)))
    for x, y in ((-17, -9), (17, -9), (4, -28)):
        put(second if x < 10 else first, ring((x, y), 1.8))
    put(second, ring((0, -8), 6.6))
    put((190, 214, 244), ring((0, -8), 6.0))
    for side in (-1, 1):
        put(second, ring((side * 2.3, -9.2), 0.8))
    put(first, bezier((-3.4, -6.4), (0, -2.8), (3.4, -6.4)), bezier((3.4, -6.4), (0, -4.6), (-3.4, -6.4)))
    for number in range(5):
        put(first if number % 2 else second, diamond(1.9, (-7.6 + 3.8 * number, -0.4)))
