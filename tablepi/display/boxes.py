"""Places on the screen, and words made to fit them.

Pure: no pygame. How wide a text is comes from a ``Measure`` that is handed in, so that layouts can be computed and
compared without a screen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from ..views.words import legible

Measure = Callable[[str, int, bool], int]
"""Width in pixels of a text at a size in pixels, bold or not."""

LEADING = 1.2
"""Height of a line over the size of its letters; the shipped font needs 1.17."""


class Box(NamedTuple):
    """A rectangle in pixels, from its top left corner."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def middle(self) -> tuple[int, int]:
        return self.x + self.w // 2, self.y + self.h // 2

    def inset(self, across: int, down: int | None = None) -> Box:
        """The box without a margin; never narrower than nothing."""
        down = across if down is None else down
        across, down = min(across, self.w // 2), min(down, self.h // 2)
        return Box(self.x + across, self.y + down, self.w - 2 * across, self.h - 2 * down)

    def cut_top(self, h: int, gap: int = 0) -> tuple[Box, Box]:
        """The uppermost *h* pixels, and what remains below a gap."""
        h = max(0, min(h, self.h))
        gap = min(gap, self.h - h)
        return Box(self.x, self.y, self.w, h), Box(self.x, self.y + h + gap, self.w, self.h - h - gap)

    def cut_bottom(self, h: int, gap: int = 0) -> tuple[Box, Box]:
        """The lowest *h* pixels, and what remains above a gap."""
        h = max(0, min(h, self.h))
        gap = min(gap, self.h - h)
        return Box(self.x, self.bottom - h, self.w, h), Box(self.x, self.y, self.w, self.h - h - gap)

    def cut_left(self, w: int, gap: int = 0) -> tuple[Box, Box]:
        """The leftmost *w* pixels, and what remains beyond a gap."""
        w = max(0, min(w, self.w))
        gap = min(gap, self.w - w)
        return Box(self.x, self.y, w, self.h), Box(self.x + w + gap, self.y, self.w - w - gap, self.h)

    def cut_right(self, w: int, gap: int = 0) -> tuple[Box, Box]:
        """The rightmost *w* pixels, and what remains before a gap."""
        w = max(0, min(w, self.w))
        gap = min(gap, self.w - w)
        return Box(self.right - w, self.y, w, self.h), Box(self.x, self.y, self.w - w - gap, self.h)

    def centred(self, w: int, h: int) -> Box:
        """A box of *w* by *h* in the middle of this one."""
        return Box(self.x + (self.w - w) // 2, self.y + (self.h - h) // 2, w, h)

    def columns(self, n: int, gap: int = 0) -> list[Box]:
        """*n* boxes side by side, as equal as whole pixels allow."""
        edges = [self.x + (self.w + gap) * i // n for i in range(n + 1)]
        return [Box(a, self.y, max(0, b - gap - a), self.h) for a, b in pairwise(edges)]

    def rows(self, n: int, gap: int = 0) -> list[Box]:
        """*n* boxes one below the other, as equal as whole pixels allow."""
        edges = [self.y + (self.h + gap) * i // n for i in range(n + 1)]
        return [Box(self.x, a, self.w, max(0, b - gap - a)) for a, b in pairwise(edges)]

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def overlaps(self, other: Box) -> bool:
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def within(self, other: Box) -> bool:
        return other.x <= self.x and other.y <= self.y and self.right <= other.right and self.bottom <= other.bottom


def line_height(px: int) -> int:
    """Pixels that one line of letters of *px* pixels takes."""
    return math.ceil(px * LEADING)


def clean(text: str) -> str:
    """*text* on one line, without what a font cannot draw or would obey: control characters, half characters,
    pictures."""
    shown = (c if c <= "\uffff" else "□" for c in legible(" ".join(text.split())))
    return "".join(shown)


def shorten(text: str, width: int, px: int, *, bold: bool, measure: Measure) -> str:
    """*text*, or as much of its beginning as fits into *width* with an ellipsis; "" when not even that fits."""
    if measure(text, px, bold) <= width:
        return text
    least, most = 0, len(text)
    while least < most:
        half = (least + most + 1) // 2
        if measure(text[:half].rstrip() + "…", px, bold) <= width:
            least = half
        else:
            most = half - 1
    if least:
        return text[:least].rstrip() + "…"
    return "…" if measure("…", px, bold) <= width else ""


def wrap(text: str, width: int, px: int, *, bold: bool, measure: Measure) -> list[str]:
    """*text* in lines no wider than *width*; a word that is wider is broken."""
    lines: list[str] = []
    current = ""
    for word in text.split():
        candidate = f"{current} {word}" if current else word
        if measure(candidate, px, bold) <= width:
            current = candidate
            continue
        if current:
            lines.append(current)
        while measure(word, px, bold) > width and len(word) > 1:
            fits = next((n for n in range(len(word) - 1, 0, -1) if measure(word[:n], px, bold) <= width), 1)
            lines.append(word[:fits])
            word = word[fits:]
        current = word
    if current:
        lines.append(current)
    return lines


def paragraph(text: str, width: int, px: int, *, most: int, bold: bool, measure: Measure) -> list[str]:
    """*text* in at most *most* lines no wider than *width*, the last one shortened when there is more to say."""
    lines = wrap(text, width, px, bold=bold, measure=measure)
    if len(lines) > most:
        rest = " ".join(lines[most - 1 :]) if most else ""
        # The rest is longer than a line, so shortening it always shows that something is missing.
        lines = [*lines[: most - 1], shorten(rest, width, px, bold=bold, measure=measure)] if most else []
    return [
        line if measure(line, px, bold) <= width else shorten(line, width, px, bold=bold, measure=measure)
        for line in lines
        if line
    ]
