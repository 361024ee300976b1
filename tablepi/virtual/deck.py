"""Decks for the virtual table, drawn by this project: faces, backs and jokers that trained no reader.

The virtual camera films them, the benchmark asks whether the reader reads decks it has never met, and the tests need
pictures whose truth is known to the pixel. A ``Style`` says what a deck looks like, in millimetres; a ``Deck`` draws
it. Letters, suit signs and courts are the project's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

import numpy as np

from ..cards import SUITS, Card
from . import courts, outlines
from .courts import Court, Dress, jester
from .outlines import Lettering, Shape, bezier
from .paper import Image, Ink, Placed, Sheet, diamond, polygons_of, rectangle, tint

BRIDGE = (57.0, 89.0)
POKER = (63.5, 89.0)

BLACK: Ink = (28, 24, 24)
RED: Ink = (38, 26, 200)
TWO_COLOURS: Mapping[str, Ink] = MappingProxyType({"C": BLACK, "D": RED, "H": RED, "S": BLACK})
FOUR_COLOURS: Mapping[str, Ink] = MappingProxyType({"C": (48, 118, 22), "D": (176, 82, 12), "H": RED, "S": BLACK})


@dataclass(frozen=True, slots=True)
class Style:
    """What a deck looks like; lengths in millimetres.

    *letters* stand for jack, queen and king. *index*: height of a rank, *sign*: of the suit below it, *column*: the
    widest that a rank may be, *edge*: from the card's side and top to the index. *corners*: 2 or 4 indices. *pip*: the
    height of a pip; *layout*: pips as usual, or one large sign that leaves room to huge indices. *court*: figures with
    a frame round them, without, or flat ones of few inks.
    """

    name: str
    lettering: Lettering
    letters: str = "JQK"
    size: tuple[float, float] = BRIDGE
    radius: float = 3.2
    index: float = 7.4
    sign: float = 5.4
    gap: float = 0.9
    column: float = 5.6
    edge: tuple[float, float] = (2.2, 3.0)
    corners: Literal[2, 4] = 2
    suits: outlines.Suits = "classic"
    inks: Mapping[str, Ink] = field(default_factory=lambda: TWO_COLOURS)
    paper: Ink = (249, 251, 251)
    pip: float = 11.0
    layout: Literal["pips", "one"] = "pips"
    court: courts.Kind = "framed"
    back: Ink = (140, 60, 30)


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        style.name: style
        for style in (
            Style("bridge", Lettering(0.19, 0.13, 0.56, 2.6)),
            Style(
                "jumbo",
                Lettering(0.195, 0.135, 0.66, 2.7, blunt=True, curled=True),
                size=POKER,
                index=14.5,
                sign=11.5,
                gap=1.2,
                column=11.0,
                edge=(2.4, 3.4),
                suits="round",
                pip=10.0,
                court="free",
                back=(40, 30, 150),
            ),
            Style(
                "four-colour",
                Lettering(0.14, 0.14, 0.6, 2.3, soft=True, open=True, curled=True),
                size=POKER,
                index=9.5,
                sign=7.0,
                gap=1.0,
                column=7.4,
                edge=(2.6, 3.4),
                suits="round",
                inks=FOUR_COLOURS,
                pip=11.5,
                court="free",
                back=(120, 110, 20),
            ),
            Style(
                "portuguese",
                Lettering(0.165, 0.06, 0.6, 2.1, serif=0.09, ball=True, curled=True),
                letters="VDR",
                index=7.0,
                sign=5.2,
                column=6.4,
                edge=(1.9, 3.0),
                paper=(240, 248, 250),
                pip=11.5,
                back=(50, 90, 20),
            ),
            Style(
                "german",
                Lettering(0.17, 0.12, 0.58, 2.3, serif=0.1, flat=True, capped=True),
                letters="BDK",
                radius=4.5,
                index=6.2,
                sign=4.8,
                gap=0.7,
                column=5.6,
                edge=(2.0, 2.8),
                corners=4,
                pip=10.0,
                back=(60, 40, 40),
            ),
            Style(
                "antique",
                Lettering(0.132, 0.045, 0.46, 2.3, serif=0.06, ball=True, flat=True),
                radius=1.2,
                index=6.6,
                sign=5.0,
                gap=0.8,
                column=4.4,
                edge=(2.6, 3.6),
                suits="antique",
                inks=MappingProxyType({"C": (44, 46, 52), "D": (52, 44, 164), "H": (52, 44, 164), "S": (44, 46, 52)}),
                paper=(205, 226, 236),
                pip=12.5,
                back=(60, 70, 110),
            ),
            Style(
                "magnum",
                Lettering(0.19, 0.15, 0.64, 3.4, capped=True, blunt=True),
                size=POKER,
                index=25.0,
                sign=14.0,
                gap=1.8,
                column=18.0,
                edge=(2.6, 3.2),
                pip=17.0,
                layout="one",
                court="flat",
                back=(150, 40, 110),
            ),
            Style(
                "modern",
                Lettering(0.115, 0.105, 0.74, 2.0),
                size=POKER,
                radius=5.0,
                index=7.6,
                sign=5.6,
                gap=1.3,
                column=7.6,
                edge=(3.6, 4.4),
                suits="geometric",
                inks=MappingProxyType({"C": (66, 40, 26), "D": (70, 56, 226), "H": (70, 56, 226), "S": (66, 40, 26)}),
                paper=(242, 246, 248),
                pip=9.5,
                court="flat",
                back=(90, 60, 30),
            ),
            Style(
                "sloped",
                Lettering(0.17, 0.085, 0.56, 2.2, slant=0.2, serif=0.06, ball=True, curled=True),
                size=POKER,
                index=8.6,
                sign=6.2,
                gap=0.9,
                column=8.0,
                edge=(2.2, 3.2),
                pip=12.0,
                back=(30, 30, 120),
            ),
        )
    }
)


@dataclass(frozen=True, slots=True)
class Corner:
    """One index of a face, pixels of the face: its middle; *up* in radians, 0 or π for one that stands on its head;
    *size*, the greater of its height and 1.15 times its width, rank and suit together; *box*, x0, y0, x1, y1."""

    x: float
    y: float
    up: float
    size: float
    box: tuple[float, float, float, float]


class Deck:
    """A deck of one style. Every face is drawn once and kept; the pictures handed out are not to be written to."""

    def __init__(self, style: Style, *, scale: float = 8.0) -> None:
        """*scale*: pixels of a face for each millimetre."""
        self.style = style
        self.scale = scale
        self.shape = round(style.size[1] * scale), round(style.size[0] * scale)  # height and width in pixels
        self._high, self._wide = (pixels / scale for pixels in self.shape)
        self._faces: dict[Card | str, Image] = {}

    def face(self, card: Card) -> Image:
        """The face of *card*: (height, width, 3) uint8, BGR, square corners."""
        if card not in self._faces:
            self._faces[card] = self._draw(card)
        return self._faces[card]

    def back(self) -> Image:
        """A card face down, as ``face``."""
        if "back" not in self._faces:
            self._faces["back"] = self._draw_back()
        return self._faces["back"]

    def joker(self) -> Image:
        """A joker, as ``face``: no card, though its corners look like indices."""
        if "joker" not in self._faces:
            self._faces["joker"] = self._draw_joker()
        return self._faces["joker"]

    def outline(self) -> Image:
        """Where the card is: (height, width) uint8, 255 within its round corners."""
        sheet = Sheet(self.shape, self.scale, (0, 0, 0))
        r = self.style.radius
        at = [(r, r), (self._wide - r, r), (self._wide - r, self._high - r), (r, self._high - r)]
        quarter = bezier((-r, 0), (-r, -0.552 * r), (-0.552 * r, -r), (0, -r))
        turns = [np.array([[1, 0], [0, 1]]), np.array([[0, 1], [-1, 0]]), -np.eye(2), np.array([[0, -1], [1, 0]])]
        sheet.fill([np.vstack([quarter @ turn + middle for turn, middle in zip(turns, at, strict=True)])], (255,) * 3)
        return np.ascontiguousarray(sheet.finished()[:, :, 0])

    def letter(self, card: Card) -> str:
        """What this deck prints for the rank of *card*."""
        if card.rank in "JQK":
            return self.style.letters["JQK".index(card.rank)]
        return "10" if card.rank == "T" else card.rank

    def indices(self, card: Card) -> tuple[Corner, ...]:
        """Where the indices of *card* are, those that stand upright first."""
        x0, y0, x1, y1 = self._index_box(card)
        places = [(x0, y0, x1, y1)]
        if self.style.corners == 4:
            places.append((self._wide - x1, y0, self._wide - x0, y1))
        turned = [(self._wide - c, self._high - d, self._wide - a, self._high - b) for a, b, c, d in places]
        size = max(y1 - y0, 1.15 * (x1 - x0)) * self.scale
        corners = []
        for up, boxes in ((0.0, places), (np.pi, turned)):
            for box in boxes:
                a, b, c, d = (v * self.scale for v in box)
                corners.append(Corner((a + c) / 2, (b + d) / 2, up, size, (a, b, c, d)))
        return tuple(corners)

    # --- faces ------------------------------------------------------------------------------------------------------

    def _draw(self, card: Card) -> Image:
        sheet = Sheet(self.shape, self.scale, self.style.paper)
        if card.rank in "JQK":
            self._court(sheet, card)
        else:
            self._pips(sheet, card)
        ink = self.style.inks[card.suit]
        for placed in self._index(card):
            for right in (False, True)[: self.style.corners // 2]:
                x = self._wide - placed.x if right else placed.x
                self._both_ends(sheet, Placed(placed.shape, x, placed.y, placed.high), ink)
        return sheet.finished()

    def _index(self, card: Card) -> tuple[Placed, Placed]:
        style = self.style
        rank = outlines.rank(style.lettering, self.letter(card), widest=style.column / style.index)
        sign = outlines.sign(style.suits, card.suit)
        x, y = style.edge[0] + style.column / 2, style.edge[1]
        below = y + style.index + style.gap + style.sign / 2
        return Placed(rank, x, y + style.index / 2, style.index), Placed(sign, x, below, style.sign)

    def _index_box(self, card: Card) -> tuple[float, float, float, float]:
        rank, sign = self._index(card)
        half = max(rank.shape.width * rank.high, sign.shape.width * sign.high) / 2
        return rank.x - half, rank.y - rank.high / 2, rank.x + half, sign.y + sign.high / 2

    def _column(self) -> float:
        """How far the indices reach from the card's side, millimetres."""
        signs = max(outlines.sign(self.style.suits, s).width for s in SUITS) * self.style.sign
        return self.style.edge[0] + self.style.column / 2 + max(self.style.column, signs) / 2

    def _both_ends(self, sheet: Sheet, placed: Placed, ink: Ink) -> None:
        points = polygons_of(placed)
        sheet.fill(points, ink)
        sheet.fill([[self._wide, self._high] - p for p in points], ink)

    def _pips(self, sheet: Sheet, card: Card) -> None:
        style, ink = self.style, self.style.inks[card.suit]
        shape = outlines.sign(style.suits, card.suit)
        middle, half = self._wide / 2, self._high / 2
        if card.rank == "A" or style.layout == "one":
            self._one(sheet, card, shape, ink)
            return
        inner = self._column() + 1.1
        widest = max(outlines.sign(style.suits, s).width for s in SUITS)
        pip = min(style.pip, (middle - inner) / (1.55 * widest))
        left = max(0.3 * self._wide, inner + pip * widest / 2)
        top = 6.5 + pip / 2
        third, quarter = top + (self._high - 2 * top) / 3, top + (self._high - 2 * top) / 6
        row = (top + half) / 2
        sides = {"4": (top,), "5": (top,), "6": (top,), "7": (top,), "8": (top,), "9": (top, third), "T": (top, third)}
        between = {"2": top, "3": top, "8": row, "T": quarter}
        for y in sides.get(card.rank, ()):
            for x in (left, self._wide - left):
                self._both_ends(sheet, Placed(shape, x, y, pip), ink)
        if card.rank in between:
            self._both_ends(sheet, Placed(shape, middle, between[card.rank], pip), ink)
        alone = []
        if card.rank in "678":
            alone += [(left, half), (self._wide - left, half)]
        if card.rank in "359":
            alone.append((middle, half))
        if card.rank == "7":
            alone.append((middle, row))
        for x, y in alone:
            sheet.fill(polygons_of(Placed(shape, x, y, pip)), ink)

    def _one(self, sheet: Sheet, card: Card, shape: Shape, ink: Ink) -> None:
        """One sign in the middle; the ace of spades is larger, with its own sign cut out in it."""
        style, at = self.style, (self._wide / 2, self._high / 2)
        pip = style.pip if style.layout == "one" else 1.5 * style.pip
        room = 2 * (at[0] - self._column() - 1.0) / shape.width  # where it may stand beside the indices
        if card.rank == "A" and card.suit == "S":
            large = min(2.7 * style.pip, max(room, self._high - 2 * self._index_box(card)[3] - 2))
            sheet.fill(polygons_of(Placed(shape, *at, large)), ink)
            sheet.fill(polygons_of(Placed(shape, *at, 0.72 * large)), style.paper)
            sheet.fill(polygons_of(Placed(shape, *at, 0.6 * large)), ink)
        else:
            sheet.fill(polygons_of(Placed(shape, *at, min(pip, max(room, 6.0)))), ink)

    def _court(self, sheet: Sheet, card: Card) -> None:
        style = self.style
        above = style.edge[1] + (2.2 if style.court == "framed" else 0.0)
        x, y = round((self._column() + 0.9) * self.scale), round(above * self.scale)
        rows, columns = self.shape
        size = (columns - 2 * x) / self.scale, (rows - 2 * y) / self.scale
        dress = Dress(style.court, style.suits, style.inks, style.paper)
        sheet.paste(Court(dress, card.rank, card.suit, size).drawn(self.scale), x, y)

    def _draw_joker(self) -> Image:
        sheet = Sheet(self.shape, self.scale, self.style.paper)
        style, ink = self.style, self.style.inks["H"]
        tall = min(0.62 * style.index, 9.0)
        x, y = style.edge[0] + style.column / 2, style.edge[1] + tall / 2
        for number, letter in enumerate("JOKER"):
            shape = outlines.rank(style.lettering, letter, widest=style.column / tall)
            self._both_ends(sheet, Placed(shape, x, y + number * tall * 1.16, tall), ink)
        unit = min(1.0, (self._wide - 2 * self._column()) / 36)
        for turn in (1, -1):
            jester(sheet, (self._wide / 2, self._high / 2), turn * unit, (style.inks["H"], style.inks["S"]))
        return sheet.finished()

    def _draw_back(self) -> Image:
        sheet = Sheet(self.shape, self.scale, self.style.paper)
        ink, margin, middle = self.style.back, 3.5, np.array([self._wide / 2, self._high / 2])
        half = middle - margin
        sheet.fill([rectangle(half) + middle], ink)
        pale = tint(self.style.paper, ink, 0.72)
        step = 4.2
        for row in range(-10, 11):
            for column in range(-8, 9):
                at = np.array([(column + 0.5 * (row % 2)) * step, row * step * 0.86])
                reach = half - 2.2 - np.abs(at)
                if (reach > step * 0.5).all() and np.hypot(*at) > 9.5:
                    sheet.fill([diamond(1.15) + at + middle], pale)
                    sheet.fill([diamond(0.45) + at + middle], ink)
        for radius, colour in ((9.2, pale), (8.6, ink), (7.4, pale), (4.0, ink)):
            waves = np.linspace(0, 2 * np.pi, 240, endpoint=False)
            edge = radius * (1 + 0.05 * np.cos(12 * waves))
            sheet.fill([np.stack([np.cos(waves), np.sin(waves)], 1) * edge[:, None] + middle], colour)
        sheet.line(rectangle(half - 1.1) + middle, pale, 0.4, closed=True)
        return sheet.finished()
