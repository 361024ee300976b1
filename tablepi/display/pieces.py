"""What a picture is made of: plain pieces with a place, drawn in order. The painter knows how, the layout where."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..cards import Card
from ..views.lamps import Lamp
from ..views.screen import Tap
from .boxes import LEADING, Box, Measure, clean, line_height, paragraph, shorten

Colour = tuple[int, int, int]

BACK: Colour = (14, 18, 22)
FELT: Colour = (10, 82, 52)
PLATE: Colour = (6, 34, 26)
RIM: Colour = (70, 128, 102)
STONE: Colour = (40, 48, 56)
KEY: Colour = (58, 68, 80)
INK: Colour = (248, 248, 242)
MUTED: Colour = (190, 202, 196)
DARK: Colour = (12, 14, 16)
SUN: Colour = (255, 218, 74)
RED: Colour = (198, 26, 34)
AMBER: Colour = (255, 178, 16)
BLUE: Colour = (24, 84, 176)
GREEN: Colour = (22, 104, 62)
LEAF: Colour = (88, 214, 124)

CARD_RATIO = 0.71  # width over height of a poker card, 63 by 88 mm


@dataclass(frozen=True, slots=True)
class Tone:
    """How a tone looks: paper, ink and a sign, so that it is told without colours too."""

    fill: Colour
    ink: Colour
    sign: str


TONES: dict[str, Tone] = {
    "plain": Tone(STONE, INK, ""),
    "good": Tone(GREEN, INK, "✓"),
    "warn": Tone(AMBER, DARK, "!"),
    "bad": Tone(RED, INK, "✕"),
}


@dataclass(frozen=True, slots=True)
class Panel:
    """A rounded area. *edge* is drawn inside the box, *edge_px* wide; without *fill* there is only the edge."""

    box: Box
    fill: Colour | None
    radius: int = 0
    edge: Colour | None = None
    edge_px: int = 0


@dataclass(frozen=True, slots=True)
class Felt:
    """The cloth of the table."""

    box: Box
    radius: int


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; the box is as wide as the text and as high as its line."""

    box: Box
    text: str
    px: int
    colour: Colour
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Face:
    """A card face up, with the rank letters of *language*."""

    box: Box
    card: Card
    language: str


@dataclass(frozen=True, slots=True)
class CardBack:
    """A card that lies there and is not known."""

    box: Box


@dataclass(frozen=True, slots=True)
class Sign:
    """A round lamp-like or polygon sign: ``disc``, ``octagon``, ``triangle`` or ``seal``, with a short text in it."""

    box: Box
    shape: str
    fill: Colour
    ink: Colour
    text: str


@dataclass(frozen=True, slots=True)
class LampPiece:
    """A lamp: its colour in the middle, its rhythm as a ring that is read like a clock's face."""

    box: Box
    lamp: Lamp


@dataclass(frozen=True, slots=True)
class Arrow:
    """A fat arrow that points into a direction (*dx*, *dy*), in pixels to the right and down."""

    box: Box
    dx: float
    dy: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Photograph:
    """A JPEG picture, as large as the box holds it whole, in the middle of it."""

    box: Box
    jpeg: bytes = field(repr=False)


Piece = Panel | Felt | Words | Face | CardBack | Sign | LampPiece | Arrow | Photograph


@dataclass(frozen=True, slots=True)
class Touch:
    """Where a tap is pressed."""

    box: Box
    tap: Tap


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole picture: its size, its pieces in the order in which they are drawn, and where it can be touched."""

    size: tuple[int, int]
    pieces: tuple[Piece, ...]
    touches: tuple[Touch, ...]

    def tap_at(self, x: float, y: float) -> Tap | None:
        """The tap under a point in pixels."""
        return next((t.tap for t in reversed(self.touches) if t.box.holds(x, y)), None)

    def tap_for(self, key: str) -> Tap | None:
        """The first tap that owns a key."""
        return next((t.tap for t in self.touches if t.tap.key and t.tap.key == key), None)


KEY_CAPS = {
    "return": "⏎",
    "escape": "Esc",
    "backspace": "⌫",
    "space": "␣",
    "tab": "⇥",
    "delete": "Del",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
}


@dataclass(slots=True)
class Sheet:
    """A picture in the making. *unit* is the pixels of one step of size: 1 on an 800 by 480 screen; *language* is that
    of the letters on the cards."""

    size: tuple[int, int]
    unit: float
    measure: Measure
    language: str = "en"
    pieces: list[Piece] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)

    def u(self, steps: float) -> int:
        """Steps of size in whole pixels, at least one."""
        return max(1, round(steps * self.unit))

    def finished(self) -> Layout:
        return Layout(self.size, tuple(self.pieces), tuple(self.touches))

    def panel(
        self, box: Box, fill: Colour | None, *, radius: int = 0, edge: Colour | None = None, edge_px: int = 0
    ) -> None:
        if box.w > 0 and box.h > 0:
            self.pieces.append(Panel(box, fill, min(radius, box.w // 2, box.h // 2), edge, edge_px))

    def fit(self, text: str, box: Box, px: int, *, bold: bool = False, least: float = 0.7) -> int:
        """The size, from *px* down to *least* of it, at which *text* fits into *box*; else the smallest."""
        floor = max(6, round(px * least))
        px = min(px, int(box.h / LEADING))
        while px > floor and self.measure(text, px, bold) > box.w:
            px -= 1
        return max(1, min(px, int(box.h / LEADING)))

    def line(
        self,
        text: str,
        box: Box,
        px: int,
        *,
        colour: Colour = INK,
        bold: bool = False,
        align: str = "left",
        least: float = 0.7,
    ) -> Box:
        """Write one line, made smaller and then shortened until it fits. Returns where it stands."""
        text = clean(text)
        px = self.fit(text, box, px, bold=bold, least=least)
        text = shorten(text, box.w, px, bold=bold, measure=self.measure)
        w, h = self.measure(text, px, bold) if text else 0, line_height(px)
        x = {"left": box.x, "centre": box.x + (box.w - w) // 2, "right": box.right - w}[align]
        place = Box(x, box.y + (box.h - h) // 2, w, h)
        if text:
            self.pieces.append(Words(place, text, px, colour, bold))
        return place

    def lines(self, text: str, width: int, px: int, *, most: int, bold: bool = False) -> list[str]:
        """*text* wrapped into at most *most* lines of *width* pixels."""
        return paragraph(clean(text), width, px, most=most, bold=bold, measure=self.measure)

    def stack(
        self, texts: list[str], box: Box, px: int, *, colour: Colour = INK, bold: bool = False, align: str = "left"
    ) -> None:
        """Write lines below each other, in the middle of *box* up and down."""
        h = line_height(px)
        y = box.y + max(0, box.h - h * len(texts)) // 2
        for i, text in enumerate(texts):
            self.line(text, Box(box.x, y + i * h, box.w, h), px, colour=colour, bold=bold, align=align, least=1)

    def label(self, text: str, box: Box, px: int, *, colour: Colour, most: int = 2) -> None:
        """Write a button's words: one line if it fits large, else up to *most* lines, else shortened."""
        text = clean(text)
        floor = min(px, max(6, round(px * 0.62)))
        for size in range(px, floor - 1, -1):
            lines = self.lines(text, box.w, size, most=99, bold=True)
            whole = " ".join(lines) == text  # a broken word reads badly: rather smaller
            rows = min(most, max(1, int(box.h / line_height(size))))
            if whole and len(lines) <= rows:
                break
        else:
            rows = min(most, max(1, int(box.h / line_height(size))))
            lines = self.lines(text, box.w, size, most=rows, bold=True)
        self.stack(lines, box, size, colour=colour, bold=True, align="centre")

    def button(self, tap: Tap, box: Box, *, px: int, fill: Colour = KEY, ink: Colour = INK) -> None:
        """A tap as something to press, with the key that does the same."""
        if tap.strong or tap.selected:
            fill, ink = SUN, DARK
        edge = tuple(min(255, c + 46) for c in fill)
        self.panel(box, fill, radius=self.u(9), edge=(edge[0], edge[1], edge[2]), edge_px=self.u(2))
        self.touches.append(Touch(box, tap))
        inner = box.inset(self.u(7), self.u(3))
        hint = KEY_CAPS.get(tap.key, tap.key.upper())
        size = self.u(12)
        if hint and hint != clean(tap.label).upper():
            w = self.measure(hint, size, False) + self.u(8)
            if w <= inner.w // 3:
                cap, inner = inner.cut_right(w, self.u(4))
                cap = cap.centred(w, line_height(size) + self.u(2))
                self.panel(cap, None, radius=self.u(4), edge=ink, edge_px=1)
                self.line(hint, cap.inset(self.u(3), 1), size, colour=ink, align="centre")
        if tap.card is not None:
            h = min(inner.h, int(inner.w / CARD_RATIO))
            self.pieces.append(Face(inner.centred(int(h * CARD_RATIO), h), tap.card, self.language))
            return
        short = len(clean(tap.label)) <= 3 and not tap.label.isalpha()  # a number: it may be large
        self.label(tap.label, inner, px * 3 // 2 if short else px, colour=ink)

    def buttons(self, taps: tuple[Tap, ...], box: Box, *, px: int, least_w: int, least_h: int, gap: int) -> None:
        """Taps as a block of equal buttons that fills *box*: as few columns as *least_h* allows, never overlapping."""
        if not taps or box.w <= 0 or box.h <= 0:
            return
        columns, rows = spread(len(taps), box, least_w=least_w, least_h=least_h, gap=gap)
        for i, row in enumerate(box.rows(rows, gap)):
            part = taps[i * columns : (i + 1) * columns]
            for tap, place in zip(part, row.columns(columns, gap), strict=False):
                self.button(tap, place, px=px)


def spread(n: int, box: Box, *, least_w: int, least_h: int, gap: int) -> tuple[int, int]:
    """Columns and rows for *n* equal buttons in *box*; tight boxes give narrower ones before lower ones."""
    least_w, least_h = max(1, least_w), max(1, least_h)
    most_rows = max(1, (box.h + gap) // (least_h + gap))
    most_columns = max(1, (box.w + gap) // (least_w + gap))
    columns = max(1, min(n, most_columns))
    if -(-n // columns) > most_rows:
        columns = -(-n // most_rows)
    rows = -(-n // columns)
    return -(-n // rows), rows
