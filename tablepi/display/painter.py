"""Draws the pieces of a layout on a pygame surface.

Curves are drawn four times as large and scaled down, because pygame draws them without smoothing; what is drawn that
way is kept, so that a redraw only copies pictures. Only calls that pygame and pygame-ce share are used.
"""

from __future__ import annotations

import io
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path

import pygame

from ..cards import SUIT_SIGNS, Card
from ..views.lamps import COLOURS, RHYTHMS, Lamp
from .boxes import Box
from .pieces import (
    DARK,
    FELT,
    INK,
    Arrow,
    CardBack,
    Colour,
    Face,
    Felt,
    LampPiece,
    Layout,
    Panel,
    Photograph,
    Piece,
    Sign,
    Words,
)

FONTS = Path(__file__).parent / "fonts"
_FINE = 4  # how many times as large curves are drawn
_MOST_KEPT = 300  # pictures kept: two screens, of about 150 each
_MOST_PHOTOS = 4  # photographs kept, which are large and seldom come back
_CARD_RED: Colour = (200, 16, 46)
_CARD_BLACK: Colour = (16, 18, 20)
_PAPER: Colour = (253, 252, 246)


class Painter:
    """Fonts and pictures of one display, drawn once and kept. pygame.font must be initialised."""

    def __init__(self) -> None:
        self._fonts: dict[tuple[int, bool], pygame.font.Font] = {}
        self._widths: OrderedDict[Hashable, int] = OrderedDict()
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()
        self._photos: OrderedDict[tuple[int, int, bytes], pygame.Surface] = OrderedDict()

    def measure(self, text: str, px: int, bold: bool) -> int:
        """Width of *text* in pixels: the layout's measure."""
        key = (text, px, bold)
        width = self._widths.get(key)
        if width is None:
            width = self._font(px, bold).size(text)[0]
            self._widths[key] = width
            if len(self._widths) > 20 * _MOST_KEPT:
                self._widths.popitem(last=False)
        return width

    def paint(self, surface: pygame.Surface, layout: Layout) -> None:
        """Draw *layout* over the whole of *surface*."""
        for piece in layout.pieces:
            self._draw(surface, piece)

    def _draw(self, surface: pygame.Surface, piece: Piece) -> None:
        match piece:
            case Panel():
                self._panel(surface, piece)
            case Words(box, text, px, colour, bold):
                surface.blit(self._words(text, px, colour, bold), box[:2])
            case Felt(box, radius):
                surface.blit(self._keep(("felt", box.w, box.h, radius), lambda: self._felt(box, radius)), box[:2])
            case Face(box, card, language):
                # Twelve languages may write a rank differently; the letters, not the language, make the picture.
                rank = card.face(language)[:-1]
                picture = self._keep(("face", card, rank, box.w, box.h), lambda: self._face(box, card, rank))
                surface.blit(picture, box[:2])
            case CardBack(box):
                surface.blit(self._keep(("back", box.w, box.h), lambda: self._back(box)), box[:2])
            case Sign(box, shape, fill, ink, text):
                key: Hashable = ("sign", box.w, box.h, shape, fill, ink, text)
                surface.blit(self._keep(key, lambda: self._sign(box, shape, fill, ink, text)), box[:2])
            case LampPiece(box, lamp):
                key = ("lamp", box.w, lamp.colour, lamp.rhythm)
                surface.blit(self._keep(key, lambda: self._lamp(box, lamp)), box[:2])
            case Arrow(box, dx, dy, colour):
                turn = round(math.degrees(math.atan2(dy, dx)))
                key = ("arrow", box.w, box.h, turn, colour)
                surface.blit(self._keep(key, lambda: self._arrow(box, turn, colour)), box[:2])
            case Photograph(box, jpeg):
                picture = self._photo(box, jpeg)
                surface.blit(picture, box.centred(*picture.get_size())[:2])

    def _keep(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The picture kept under *key*, made the first time; the longest unused one is forgotten."""
        picture = self._kept.get(key)
        if picture is None:
            picture = self._kept[key] = make()
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return picture

    # --- letters ---

    def _font(self, px: int, bold: bool) -> pygame.font.Font:
        font = self._fonts.get((px, bold))
        if font is None:
            name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
            font = self._fonts[px, bold] = pygame.font.Font(str(FONTS / name), px)
        return font

    def _words(self, text: str, px: int, colour: Colour, bold: bool) -> pygame.Surface:
        return self._keep(
            ("words", text, px, colour, bold), lambda: self._font(px, bold).render(text, True, colour).convert_alpha()
        )

    def _glyph(self, text: str, colour: Colour, width: int, height: int) -> pygame.Surface:
        """*text* cut to its ink and scaled to *height*, squeezed where it is wider than *width*."""
        large = self._font(max(24, 2 * height), True).render(text, True, colour)
        ink = large.subsurface(large.get_bounding_rect())
        w = max(1, round(ink.get_width() * height / ink.get_height()))
        return pygame.transform.smoothscale(ink.convert_alpha(), (min(w, max(1, width)), max(1, height)))

    # --- areas ---

    def _disc(self, radius: int, colour: Colour) -> pygame.Surface:
        def make() -> pygame.Surface:
            fine = pygame.Surface((2 * radius * _FINE, 2 * radius * _FINE), pygame.SRCALPHA)
            fine.fill((*colour, 0))
            pygame.draw.circle(fine, colour, (radius * _FINE, radius * _FINE), radius * _FINE)
            return pygame.transform.smoothscale(fine, (2 * radius, 2 * radius))

        return self._keep(("disc", radius, colour), make)

    def _rounded(self, surface: pygame.Surface, box: Box, radius: int, colour: Colour) -> None:
        """A filled area with smooth corners: four quarters of a disc and two bars."""
        x, y, w, h = box
        r = min(radius, w // 2, h // 2)
        if r <= 0:
            surface.fill(colour, box)
            return
        surface.fill(colour, (x + r, y, w - 2 * r, h))
        surface.fill(colour, (x, y + r, r, h - 2 * r))
        surface.fill(colour, (x + w - r, y + r, r, h - 2 * r))
        disc = self._disc(r, colour)
        for dx, dy, part in (
            (0, 0, (0, 0, r, r)),
            (w - r, 0, (r, 0, r, r)),
            (0, h - r, (0, r, r, r)),
            (w - r, h - r, (r, r, r, r)),
        ):
            surface.blit(disc, (x + dx, y + dy), part)

    def _panel(self, surface: pygame.Surface, panel: Panel) -> None:
        box, edge_px = panel.box, panel.edge_px if panel.edge else 0
        if panel.fill is None and panel.edge:
            key = ("frame", box.w, box.h, panel.radius, panel.edge, edge_px)
            surface.blit(self._keep(key, lambda: self._frame(panel)), box[:2])
            return
        if panel.edge and edge_px:
            self._rounded(surface, box, panel.radius, panel.edge)
        if panel.fill:
            self._rounded(surface, box.inset(edge_px), max(0, panel.radius - edge_px), panel.fill)

    def _frame(self, panel: Panel) -> pygame.Surface:
        """Only the edge of an area; what lies under it stays visible."""
        w, h, fine = panel.box.w, panel.box.h, 2
        large = pygame.Surface((w * fine, h * fine), pygame.SRCALPHA)
        edge = panel.edge or INK
        large.fill((*edge, 0))
        pygame.draw.rect(
            large, edge, large.get_rect(), width=panel.edge_px * fine, border_radius=max(0, panel.radius * fine)
        )
        return pygame.transform.smoothscale(large, (w, h))

    def _felt(self, box: Box, radius: int) -> pygame.Surface:
        """The cloth: a little lighter in the middle, with a wooden rim."""
        cloth = pygame.Surface((9, 9))
        for x in range(9):
            for y in range(9):
                far = min(1.0, math.hypot(x - 4, y - 4) / 5.6)
                cloth.set_at((x, y), tuple(round(c * (1.12 - 0.34 * far)) for c in FELT))
        picture = pygame.Surface((box.w, box.h), pygame.SRCALPHA)
        self._rounded(picture, Box(0, 0, box.w, box.h), radius, (96, 62, 34))
        rim = max(2, radius // 7)
        mask = pygame.Surface((box.w, box.h), pygame.SRCALPHA)
        self._rounded(mask, Box(0, 0, box.w, box.h).inset(rim), radius - rim, (255, 255, 255))
        mask.blit(pygame.transform.smoothscale(cloth, (box.w, box.h)), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        picture.blit(mask, (0, 0))
        return picture.convert_alpha()

    # --- cards ---

    def _sheet(self, box: Box) -> tuple[pygame.Surface, int]:
        picture = pygame.Surface((box.w, box.h), pygame.SRCALPHA)
        radius = max(3, min(box.w, box.h) // 9)
        whole = Box(0, 0, box.w, box.h)
        self._rounded(picture, whole, radius, (120, 124, 120))
        self._rounded(picture, whole.inset(1), radius - 1, _PAPER)
        return picture, radius

    def _face(self, box: Box, card: Card, rank: str) -> pygame.Surface:
        """A card: its rank large at the top left, its suit large at the bottom right, as on cards for tired eyes."""
        picture, _ = self._sheet(box)
        colour = _CARD_RED if card.suit in "DH" else _CARD_BLACK
        w, h = box.w, box.h
        if w > 1.4 * h:  # a low, wide cell of an upright screen: rank and suit side by side
            rank_box, suit_box = (int(w * 0.4), int(h * 0.62)), (int(w * 0.36), int(h * 0.62))
            left, right = Box(0, 0, w // 2, h), Box(w // 2, 0, w - w // 2, h)
            for text, size, place in ((rank, rank_box, left), (SUIT_SIGNS[card.suit], suit_box, right)):
                glyph = self._glyph(text, colour, *size)
                picture.blit(glyph, place.centred(*glyph.get_size())[:2])
            return picture
        high = min(int(h * 0.36), int(w * 0.56))
        glyph = self._glyph(rank, colour, int(w * 0.56), high)
        picture.blit(glyph, (int(w * 0.1), int(w * 0.1)))
        high = min(int(h * 0.42), int(w * 0.62))
        glyph = self._glyph(SUIT_SIGNS[card.suit], colour, int(w * 0.64), high)
        margin = int(w * 0.09)
        picture.blit(glyph, (w - margin - glyph.get_width(), h - margin - glyph.get_height()))
        return picture

    def _back(self, box: Box) -> pygame.Surface:
        """A card whose face is not known: a lattice and a question mark."""
        picture, radius = self._sheet(box)
        w, h = box.w, box.h
        inner = Box(0, 0, w, h).inset(max(3, w // 14))
        self._rounded(picture, inner, max(1, radius - w // 14), (28, 62, 130))
        step = max(6, w // 7)
        picture.set_clip(pygame.Rect(inner.inset(2)))
        for x in range(-h, w + h, step):
            pygame.draw.aaline(picture, (120, 160, 224), (x, 0), (x + h, h))
            pygame.draw.aaline(picture, (120, 160, 224), (x, h), (x + h, 0))
        picture.set_clip(None)
        d = int(w * 0.62)
        disc = self._sign(Box(0, 0, d, d), "disc", _PAPER, DARK, "?")
        picture.blit(disc, ((w - d) // 2, (h - d) // 2))
        return picture

    # --- photographs ---

    def _photo(self, box: Box, jpeg: bytes) -> pygame.Surface:
        """The photograph in the size in which *box* holds it; a question mark for one that is no picture."""
        key = (box.w, box.h, jpeg)
        picture = self._photos.pop(key, None)
        if picture is None:
            picture = self._developed(box, jpeg)
            if len(self._photos) >= _MOST_PHOTOS:
                self._photos.popitem(last=False)
        self._photos[key] = picture
        return picture

    def _developed(self, box: Box, jpeg: bytes) -> pygame.Surface:
        try:
            photo = pygame.image.load(io.BytesIO(jpeg), "photo.jpg").convert()
        except pygame.error:
            d = max(1, min(box.w, box.h) // 2)
            return self._sign(Box(0, 0, d, d), "disc", DARK, INK, "?")
        share = min(box.w / photo.get_width(), box.h / photo.get_height())
        size = (max(1, int(photo.get_width() * share)), max(1, int(photo.get_height() * share)))
        return pygame.transform.smoothscale(photo, size)

    # --- signs ---

    def _polygon(self, box: Box, shape: str, fill: Colour, edge: Colour) -> pygame.Surface:
        w, h = box.w * _FINE, box.h * _FINE
        fine = pygame.Surface((w, h), pygame.SRCALPHA)
        cx, cy, r = w / 2, h / 2, min(w, h) / 2

        def ring(n: int, *, start: float, radii: tuple[float, ...]) -> list[tuple[float, float]]:
            return [
                (
                    cx + radii[i % len(radii)] * math.cos(start + 2 * math.pi * i / n),
                    cy + radii[i % len(radii)] * math.sin(start + 2 * math.pi * i / n),
                )
                for i in range(n)
            ]

        def points(size: float) -> list[tuple[float, float]]:
            if shape == "octagon":
                return ring(8, start=math.pi / 8, radii=(size,))
            if shape == "seal":
                return ring(24, start=0, radii=(size, size * 0.82))
            return ring(3, start=-math.pi / 2, radii=(size * 1.08,))

        if shape == "disc":
            pygame.draw.circle(fine, edge, (cx, cy), r)
            pygame.draw.circle(fine, fill, (cx, cy), r * 0.88)
        else:
            if shape == "triangle":
                cy += r * 0.2
            pygame.draw.polygon(fine, edge, points(r))
            pygame.draw.polygon(fine, fill, points(r * 0.84))
        return pygame.transform.smoothscale(fine, (box.w, box.h))

    def _sign(self, box: Box, shape: str, fill: Colour, ink: Colour, text: str) -> pygame.Surface:
        picture = self._polygon(box, shape, fill, ink)
        share = {"triangle": 0.42, "disc": 0.5}.get(shape, 0.46)
        high = max(4, int(box.h * share))
        if text in "✕✓":
            high = max(4, int(high * 0.9))
        glyph = self._glyph(text, ink, int(box.w * 0.66), high)
        x, y = (box.w - glyph.get_width()) // 2, (box.h - glyph.get_height()) // 2
        if shape == "triangle":
            y += int(box.h * 0.12)
        picture.blit(glyph, (x, y))
        return picture

    def _lamp(self, box: Box, lamp: Lamp) -> pygame.Surface:
        """A bulb in its colour inside a ring that shows one turn of its rhythm: bright while it shines."""
        d = min(box.w, box.h)
        size = d * _FINE
        fine = pygame.Surface((size, size), pygame.SRCALPHA)
        centre, r = (size / 2, size / 2), size / 2
        slots = RHYTHMS.get(lamp.rhythm, (0,))
        slots = slots * max(1, -(-10 // len(slots)))
        red, green, blue = COLOURS.get(lamp.colour, COLOURS["off"])
        lit = lamp.colour != "off" and any(slots)
        # Pure blue is the darkest of the lamp's colours; on a screen it needs some white to be seen.
        colour = tuple(round(255 * (c + (1 - c) * lift)) for c, lift in ((red, 0.12), (green, 0.3), (blue, 0.12)))
        pygame.draw.circle(fine, (150, 158, 154), centre, r)
        pygame.draw.circle(fine, DARK, centre, r * 0.93)
        if lit:
            for i, on in enumerate(slots):
                if on:
                    until = i + (1 if slots[(i + 1) % len(slots)] else 0.82)
                    self._slice(fine, centre, r * 0.9, i / len(slots), until / len(slots))
            pygame.draw.circle(fine, DARK, centre, r * 0.68)
            pygame.draw.circle(fine, colour, centre, r * 0.56)
        else:
            pygame.draw.circle(fine, (44, 50, 48), centre, r * 0.56)
        return pygame.transform.smoothscale(fine, (d, d))

    def _slice(self, surface: pygame.Surface, centre: tuple[float, float], r: float, start: float, end: float) -> None:
        """A slice of a disc from *start* to *end*, in turns, clockwise from the top."""
        steps = 6
        turns = [start + (end - start) * i / steps for i in range(steps + 1)]
        rim = [(centre[0] + r * math.sin(2 * math.pi * t), centre[1] - r * math.cos(2 * math.pi * t)) for t in turns]
        pygame.draw.polygon(surface, INK, [centre, *rim])

    def _arrow(self, box: Box, turn: int, colour: Colour) -> pygame.Surface:
        """A fat arrow; *turn* is in degrees, clockwise from the right."""
        w, h = box.w * _FINE, box.h * _FINE
        fine = pygame.Surface((w, h), pygame.SRCALPHA)
        r = min(w, h) / 2
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

        for ink, tip, wing, stem, tail in ((DARK, 0.98, 0.86, 0.4, 0.9), (colour, 0.84, 0.64, 0.28, 0.78)):
            neck = 0.07 - (tip - 0.91) * 0.7
            half = [(tip, 0.0), (neck, -wing), (neck, -stem), (-tail, -stem)]
            outline = half + [(x, -y) for x, y in reversed(half[1:])]
            pygame.draw.polygon(
                fine, ink, [(w / 2 + r * (x * cos - y * sin), h / 2 + r * (x * sin + y * cos)) for x, y in outline]
            )
        return pygame.transform.smoothscale(fine, (box.w, box.h))
