"""Decks that nobody prints: each draws its own index font, suit signs, sizes, places, colours, pips and courts.

A face is an upright picture of a card and the truth about its corner indices. Sizes are in millimetres of a card 89 mm
high (bridge 57 mm to poker 63.5 mm wide): standard indices are about 8 mm, jumbo 15, for weak eyes 24.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from . import glyphs
from .glyphs import Mask

Image = NDArray[np.uint8]

HEIGHT = 480
"""Pixels of a face, top to bottom."""
MM = HEIGHT / 89

LETTERS = (  # jack, queen, king as decks print them
    ("J", "Q", "K"),
    ("V", "D", "R"),
    ("B", "D", "K"),
)


@dataclass(frozen=True, slots=True)
class Corner:
    """One index of a face. Boxes are (x0, y0, x1, y1) in pixels of the face; *turned* says that it stands on its
    head there."""

    rank: tuple[float, float, float, float]
    suit: tuple[float, float, float, float]
    turned: bool


@dataclass(frozen=True, slots=True)
class Face:
    """*image* (height, width, 3) uint8 BGR; *glyph* and *suit* are None for a joker, a back or a foreign card."""

    image: Image
    corners: tuple[Corner, ...]
    glyph: str | None = None
    suit: str | None = None


@dataclass(frozen=True)
class Stock:
    """What decks are made from."""

    fonts: tuple[Path, ...]
    suit_fonts: tuple[Path, ...]
    courts: list[list[Image]]


class Deck:
    """A deck drawn at random. ``face(rank, suit)`` draws a card once and keeps it."""

    def __init__(self, rng: np.random.Generator, stock: Stock) -> None:
        self._rng = rng
        self._width = round(HEIGHT * rng.uniform(56, 65) / 89)
        self.corner_radius = rng.uniform(2, 4.5) * MM
        while True:
            self._font = stock.fonts[rng.integers(len(stock.fonts))]
            if glyphs.can_write(self._font, "A234567890JQKRDVB1"):
                break
        self._courts = stock.courts[rng.integers(len(stock.courts))] if stock.courts and rng.random() < 0.9 else None
        self._suits = glyphs.suits(rng, stock.suit_fonts)
        self._pips = self._suits if rng.random() < 0.8 else glyphs.suits(rng, stock.suit_fonts)
        kind = rng.choice(4, p=[0.14, 0.46, 0.3, 0.1])
        self._rank_mm = [rng.uniform(4.6, 6.4), rng.uniform(6.4, 9.6), rng.uniform(10, 17), rng.uniform(17, 24)][kind]
        self._suit_mm = self._rank_mm * (rng.uniform(0.45, 0.75) if rng.random() < 0.5 else rng.uniform(0.6, 1.05))
        if kind == 3:
            self._suit_mm = min(self._suit_mm, 15)
        self._gap_mm = self._rank_mm * rng.uniform(0.02, 0.28)
        self._squeeze = rng.uniform(0.5, 1.15)
        self._column_mm = max(rng.uniform(0.62, 1.0) * self._rank_mm, 4.2)  # the widest a rank may be
        self._edge_mm = rng.uniform(1.2, 3.6), rng.uniform(1.8, 5.0)
        self._sideways = rng.random() < 0.04
        self._four = rng.random() < (0.34 if self._rank_mm < 12 else 0.06)
        self._kerning = rng.uniform(-0.07, 0.05)
        self._pen = int(rng.choice([-1, 0, 0, 0, 0, 1, 2]))
        self._letters = LETTERS[rng.choice(3, p=[0.48, 0.24, 0.28])]
        pen = glyphs.Pen(rng)
        often = rng.choice([0.0, 0.25, 0.9], p=[0.3, 0.35, 0.35])
        self._own = {t: pen.draw(t) for t in glyphs.DRAWN if rng.random() < (max(often, 0.5) if t == "Q" else often)}
        self._colours = _colours(rng)
        self._paper = _paper(rng)
        self._pip_mm = rng.uniform(7.5, 14.5) if kind < 2 else rng.uniform(6, 12)
        self._inset = self._edge_mm[0] + self._column_mm + rng.uniform(-1.5, 3.5) + self._pip_mm / 2
        self._frame = rng.random() < 0.15
        self._tint = _tint(rng) if rng.random() < 0.1 else None
        self._big_ace = rng.uniform(12, 42)
        self._wear = rng.uniform(0, 1) if rng.random() < 0.2 else 0.0
        self._court_frame = rng.random() < 0.65
        self._court_inset = rng.uniform(0.7, 1.15)
        self._court_clear = rng.random() < 0.6
        self._court_pip = rng.random() < 0.6
        self._pipless = rng.random() < 0.05
        self._faces: dict[tuple[str, str], Face] = {}
        self._back: Face | None = None

    def face(self, rank: str, suit: str) -> Face:
        """The card of *rank* (``A 2 … 9 T J Q K``) and *suit* (``C D H S``)."""
        found = self._faces.get((rank, suit))
        if found is None:
            found = self._faces[rank, suit] = self._draw(rank, suit)
        return found

    def back(self) -> Face:
        """A card face down."""
        if self._back is None:
            self._back = Face(_back(self._rng, self._width), ())
        return self._back

    def joker(self) -> Face:
        """A joker: no card, though its corners look like indices. Drawn anew each time."""
        rng = self._rng
        image = self._blank()
        self._middle(image, self._courts[rng.integers(12)] if self._courts else None, (200, 30, 60))
        colour = self._colours[rng.choice(list("CDHS"))]
        text = rng.choice(["JOKER", "J", "★", "JOLLY", "O"])
        x, y = (self._edge_mm[0] + self._column_mm / 2) * MM, self._edge_mm[1] * MM
        size = self._rank_mm * MM * (0.55 if len(text) > 1 else 1.0)
        for turned in (False, True):
            at = y
            for letter in text:
                if letter == "★":
                    angle = np.arange(10) * np.pi / 5 - np.pi / 2
                    radius = np.where(np.arange(10) % 2, 0.4, 1.0)
                    star = np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None] * 50 + 60
                    mask = np.zeros((120, 120), np.uint8)
                    cv2.fillPoly(mask, [star.astype(np.int32)], 255)
                    shape = glyphs.crop(mask.astype(np.float32) / 255)
                else:
                    shape = self._rank_shape(letter)
                self._stamp(image, shape, colour, (x, at + size / 2), size, turned=turned)
                at += size * 1.1
        return Face(image, ())

    def _draw(self, rank: str, suit: str) -> Face:
        image = self._blank()
        glyph = self._glyph(rank)
        if rank in "JQK":
            art = self._courts["JQK".index(rank) + 3 * "CDHS".index(suit)] if self._courts else None
            self._middle(image, art, self._colours[suit])
            if self._court_pip:
                self._pair(image, self._pips[suit], suit, (self._inset, 10.0 + self._pip_mm * 0.3), self._pip_mm * 0.9)
        elif not self._pipless or rank == "A":
            self._spots(image, rank, suit)
        corners = self._indices(image, glyph, suit)
        if self._wear:
            _wear(self._rng, image, self._wear)
        return Face(image, corners, glyph, suit)

    def _glyph(self, rank: str) -> str:
        if rank in "JQK":
            return self._letters["JQK".index(rank)]
        return "10" if rank == "T" else rank

    def _blank(self) -> Image:
        image = np.empty((HEIGHT, self._width, 3), np.uint8)
        image[:] = self._paper
        if self._frame:
            m = round(self._rng.uniform(1.0, 2.2) * MM)
            cv2.rectangle(image, (m, m), (self._width - m, HEIGHT - m), self._colours["S"], 1, cv2.LINE_AA)
        return image

    def _rank_shape(self, text: str) -> Mask:
        if text in self._own:
            return self._own[text]
        shape = glyphs.rank(self._font, text, self._kerning if len(text) > 1 else 0.0)
        if self._pen:
            kernel = np.ones((3, 3), np.uint8)
            padded = np.pad(shape, 3)
            shape = cv2.erode(padded, kernel) if self._pen < 0 else cv2.dilate(padded, kernel, iterations=self._pen)
            shape = glyphs.crop(shape) if (shape > 0.3).sum() > 200 else glyphs.rank(self._font, text)
        return shape

    def _indices(self, image: Image, glyph: str, suit: str) -> tuple[Corner, ...]:
        rank_shape, suit_shape = self._rank_shape(glyph), self._suits[suit]
        height = self._rank_mm * MM
        width = min(rank_shape.shape[1] / rank_shape.shape[0] * height * self._squeeze, self._column_mm * MM)
        suit_h = self._suit_mm * MM
        suit_w = suit_shape.shape[1] / suit_shape.shape[0] * suit_h
        if suit_w > self._column_mm * MM * 1.15:
            suit_h *= self._column_mm * MM * 1.15 / suit_w
            suit_w = self._column_mm * MM * 1.15
        x, y = (self._edge_mm[0] + self._column_mm / 2) * MM, self._edge_mm[1] * MM
        if self._sideways:
            pip = x + (self._column_mm / 2 + self._gap_mm) * MM + suit_w / 2, y + height - suit_h / 2
        else:
            pip = x, y + height + self._gap_mm * MM + suit_h / 2
        corners = []
        places = [(False, False), (True, False)] + ([(False, True), (True, True)] if self._four else [])
        for turned, mirrored in places:
            boxes = []
            for shape, centre, size in (
                (rank_shape, (x, y + height / 2), (width, height)),
                (suit_shape, pip, (suit_w, suit_h)),
            ):
                at = (self._width - centre[0] if mirrored else centre[0], centre[1])
                if glyph in "JQKRDVB" and self._court_clear:
                    paper = np.ones((4, 4), np.float32)
                    self._stamp(image, paper, self._paper, at, size[1] * 1.15, width=size[0] * 1.15, turned=turned)
                boxes.append(self._stamp(image, shape, self._colours[suit], at, size[1], width=size[0], turned=turned))
            corners.append(Corner(boxes[0], boxes[1], turned))
        return tuple(corners)

    def _stamp(
        self,
        image: Image,
        shape: Mask,
        colour: tuple[int, int, int],
        centre: tuple[float, float],
        height: float,
        *,
        width: float | None = None,
        turned: bool = False,
    ) -> tuple[float, float, float, float]:
        """Print *shape* with its middle at *centre*; *turned* prints it, and its place, upside down. Returns its
        box."""
        h = max(2, round(height))
        w = max(2, round(shape.shape[1] / shape.shape[0] * height if width is None else width))
        mask = cv2.resize(shape, (w, h), interpolation=cv2.INTER_AREA)
        x, y = centre
        if turned:
            mask, x, y = mask[::-1, ::-1], image.shape[1] - x, image.shape[0] - y
        x0, y0 = round(x - w / 2), round(y - h / 2)
        cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x0 + w, image.shape[1]), min(y0 + h, image.shape[0])
        if cx1 > cx0 and cy1 > cy0:
            part = image[cy0:cy1, cx0:cx1]
            alpha = mask[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0, None]
            part[:] = (part * (1 - alpha) + np.array(colour, np.float32) * alpha).astype(np.uint8)
        return (x0, y0, x0 + w, y0 + h)

    def _pair(self, image: Image, shape: Mask, suit: str, at_mm: tuple[float, float], size_mm: float) -> None:
        for turned in (False, True):
            self._stamp(image, shape, self._colours[suit], (at_mm[0] * MM, at_mm[1] * MM), size_mm * MM, turned=turned)

    def _spots(self, image: Image, rank: str, suit: str) -> None:
        width_mm = self._width / MM
        left, middle, top = self._inset, width_mm / 2, self._edge_mm[1] + self._pip_mm * 0.75
        shape, size, half = self._pips[suit], self._pip_mm, 89 / 2
        if left > middle - size * 1.05:  # no room for three columns beside a huge index
            size = max((middle - left + size) / 2.3, 4.5)
            left = middle - size * 1.1
        if self._tint is not None:
            x = round((left - size * 0.7) * MM)
            y = round((top - size * 0.4) * MM)
            cv2.rectangle(image, (x, y), (self._width - x, HEIGHT - y), self._tint, -1)
            cv2.rectangle(image, (x, y), (self._width - x, HEIGHT - y), (60, 60, 60), 1)
        third, quarter = top + (89 - 2 * top) / 3, top + (89 - 2 * top) / 6
        columns = {  # top half only: (x, y) printed upright and again turned
            "2": [(middle, top)], "3": [(middle, top)], "4": [(left, top)], "5": [(left, top)], "6": [(left, top)],
            "7": [(left, top)], "8": [(left, top), (middle, (top + half) / 2)], "9": [(left, top), (left, third)],
            "T": [(left, top), (left, third), (middle, quarter)],
        }.get(rank, [])  # fmt: skip
        for x, y in columns:
            self._pair(image, shape, suit, (x, y), size)
            if x == left:
                self._pair(image, shape, suit, (width_mm - x, y), size)
        once = {"3": [(middle, half)], "5": [(middle, half)], "9": [(middle, half)],
                "6": [(left, half), (width_mm - left, half)],
                "7": [(left, half), (width_mm - left, half), (middle, (top + half) / 2)],
                "8": [(left, half), (width_mm - left, half)]}.get(rank, [])  # fmt: skip
        for x, y in once:
            self._stamp(image, shape, self._colours[suit], (x * MM, y * MM), size * MM)
        if rank == "A":
            big = self._big_ace if suit == "S" else min(self._big_ace, 26)
            self._stamp(image, shape, self._colours[suit], (middle * MM, half * MM), big * MM)
            if suit == "S" and self._big_ace > 20:
                self._stamp(image, shape, self._paper, (middle * MM, half * MM), big * MM * 0.7)
                self._stamp(image, self._pips["S"], self._colours[suit], (middle * MM, half * MM), big * MM * 0.5)

    def _middle(self, image: Image, art: Image | None, colour: tuple[int, int, int]) -> None:
        """The court's picture, framed or not."""
        x = round((self._edge_mm[0] + min(self._column_mm, 13) * self._court_inset) * MM)
        y = round(self._rng.uniform(3.5, 9) * MM)
        w, h = self._width - 2 * x, HEIGHT - 2 * y
        if art is None:
            art = _scribble(self._rng, colour)
        picture = cv2.resize(art, (w, h), interpolation=cv2.INTER_AREA)
        paper = np.array(self._paper, np.float32) / 255
        image[y : y + h, x : x + w] = (picture * paper).astype(np.uint8)
        if self._court_frame:
            cv2.rectangle(image, (x, y), (x + w, y + h), (120, 40, 20), 2, cv2.LINE_AA)


def _colours(rng: np.random.Generator) -> dict[str, tuple[int, int, int]]:
    """Printing inks, BGR."""

    def ink(b: tuple[int, int], g: tuple[int, int], r: tuple[int, int]) -> tuple[int, int, int]:
        return int(rng.integers(*b)), int(rng.integers(*g)), int(rng.integers(*r))

    black = ink((5, 60), (5, 50), (5, 50)) if rng.random() < 0.9 else ink((60, 110), (20, 50), (10, 40))
    red = ink((10, 80), (5, 60), (165, 245)) if rng.random() < 0.85 else ink((60, 130), (50, 120), (210, 250))
    colours = {"C": black, "S": black, "H": red, "D": red}
    if rng.random() < 0.12:
        colours["C"] = ink((20, 80), (100, 150), (10, 60))
        colours["D"] = (
            ink((160, 230), (70, 120), (10, 60)) if rng.random() < 0.7 else ink((10, 50), (120, 160), (220, 250))
        )
    return colours


def _paper(rng: np.random.Generator) -> tuple[int, int, int]:
    white = int(rng.integers(225, 254))
    if rng.random() < 0.75:
        return white, white, white
    return white - int(rng.integers(5, 40)), white - int(rng.integers(0, 12)), white


def _tint(rng: np.random.Generator) -> tuple[int, int, int]:
    return int(rng.integers(120, 240)), int(rng.integers(170, 245)), int(rng.integers(170, 245))


def _scribble(rng: np.random.Generator, colour: tuple[int, int, int]) -> Image:
    """A court of no school: stripes, robes and faces of random shapes, the same from either end."""
    image = np.full((300, 160, 3), 250, np.uint8)
    inks = [colour, (30, 30, 30), (40, 200, 240), (170, 60, 20), (30, 30, 200), (200, 220, 240)]
    for _ in range(int(rng.integers(6, 30))):
        points = rng.integers(0, 160, (int(rng.integers(3, 7)), 2)).astype(np.int32)
        ink = inks[rng.integers(len(inks))]
        if rng.random() < 0.6:
            cv2.fillPoly(image, [points], ink, cv2.LINE_AA)
        else:
            cv2.polylines(image, [points], bool(rng.random() < 0.5), ink, int(rng.integers(1, 5)), cv2.LINE_AA)
    cv2.circle(image, (80, 60), int(rng.integers(15, 35)), (190, 210, 240), -1, cv2.LINE_AA)
    image[150:] = image[:150][::-1, ::-1]
    return image


def _back(rng: np.random.Generator, width: int) -> Image:
    ink = tuple(int(v) for v in rng.integers(10, 200, 3))
    image = np.full((HEIGHT, width, 3), 245, np.uint8)
    m = int(rng.integers(4, 26))
    image[m:-m, m:-m] = ink
    step = int(rng.integers(8, 40))
    for x in range(-HEIGHT, width, step):
        cv2.line(image, (x, 0), (x + HEIGHT, HEIGHT), (235, 235, 235), int(rng.integers(1, 3)), cv2.LINE_AA)
        cv2.line(image, (x + HEIGHT, 0), (x, HEIGHT), (235, 235, 235), 1, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(image, (width // 2, HEIGHT // 2), int(rng.integers(20, 80)), (240, 240, 240), -1, cv2.LINE_AA)
    return image


def _wear(rng: np.random.Generator, image: Image, much: float) -> None:
    """Stains, scratches and rubbed places."""
    for _ in range(int(40 * much)):
        x, y = int(rng.integers(image.shape[1])), int(rng.integers(image.shape[0]))
        tone = (250, 250, 250) if rng.random() < 0.6 else (130, 150, 170)
        if rng.random() < 0.5:
            end = (x + int(rng.integers(-60, 60)), y + int(rng.integers(-60, 60)))
            cv2.line(image, (x, y), end, tone, 1, cv2.LINE_AA)
        else:
            cv2.circle(image, (x, y), int(rng.integers(1, 4)), tone, -1, cv2.LINE_AA)
