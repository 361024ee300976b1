"""The sheet with the four markers, and the whole mat: drawn to scale in millimetres, as SVG or as PDF.

A page is a list of marks, and each mark can be written in both formats. The origin is the page's top left corner, x
goes right and y down. The PDF is written here, in some fifty lines: it needs no more than boxes, lines, rings and words
in Helvetica, which every viewer has, and it asks not to be fitted to the paper. A library for that (reportlab) would be
another dependency on every table, for a file that most people print once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import cos, degrees, pi, sin, tau
from xml.sax.saxutils import escape

from .markers import CELLS, MIDDLES, SIDE, SQUARE, TRICK_RADIUS, cells

Say = Callable[[str], str]

BLACK, WHITE, GREY, CLOTH, CHALK = "#000000", "#ffffff", "#666666", "#1f4737", "#b9c9bf"
A4 = (210.0, 297.0)
CELL = SIDE / CELLS
MAT = 520.0
"""Millimetres of the mat's side: the marked square, the white round the markers, and a little cloth."""


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    ink: str = BLACK


@dataclass(frozen=True, slots=True)
class Line:
    """*dashes*: broken, to cut along."""

    x1: float
    y1: float
    x2: float
    y2: float
    ink: str = BLACK
    width: float = 0.25
    dashes: bool = False


@dataclass(frozen=True, slots=True)
class Ring:
    x: float
    y: float
    radius: float
    ink: str = BLACK
    width: float = 0.25


@dataclass(frozen=True, slots=True)
class Text:
    """*size* is that of the font, *turn* is in radians clockwise; (x, y) is the left end of the line on which the
    letters stand, or its *middle*."""

    x: float
    y: float
    text: str
    size: float = 3.6
    ink: str = BLACK
    turn: float = 0.0
    middle: bool = False


Mark = Box | Line | Ring | Text


@dataclass(frozen=True, slots=True)
class Page:
    """*marks* lie over each other in their order."""

    width: float
    height: float
    title: str
    marks: tuple[Mark, ...]


# --- the pages ----------------------------------------------------------------------------------------------------


def sheet(players: int, say: Say) -> Page:
    """An A4 page with the four markers to cut out, a ruler, and a sketch of the table of *players*."""
    title = say("The four markers of the table")
    return Page(*A4, title, tuple(_sheet(title, players, say)))


def mat(players: int, say: Say) -> Page:
    """A mat for the middle of the table of *players*, the markers in their places: MAT × MAT millimetres."""
    title = say("The mat of the table")
    return Page(MAT, MAT, title, tuple(_mat(players, say)))


def _sheet(title: str, players: int, say: Say) -> Iterator[Mark]:
    yield Text(15, 20, title, 7)
    steps = (
        say("Print at actual size (100 %), not fitted to the paper: the ruler must measure 100 mm."),
        say("Cut along the dashed lines: white must stay all round the black."),
        say("Lay each in its corner as sketched, all the same way up, their middles 470 mm apart."),
        say("Stick them down flat. The camera needs to see two across, better all four."),
    )
    for number, step in enumerate(steps, 1):
        yield Text(15, 24 + 6 * number, f"{number}. {step}")
    yield from _ruler(15, 58, say)
    for number, (x, y) in {3: (55.0, 95.0), 0: (155.0, 95.0), 2: (55.0, 163.0), 1: (155.0, 163.0)}.items():
        yield from _piece(number, x, y, players, say)
    yield from _sketch(105, 248, players, say)


def _piece(number: int, x: float, y: float, players: int, say: Say) -> Iterator[Mark]:
    """A marker to cut out, its middle at (x, y)."""
    left, right, top, bottom = x - 26, x + 26, y - 26, y + 38
    for x1, y1, x2, y2 in ((left, top, right, top), (right, top, right, bottom), (left, bottom, right, bottom),
                           (left, top, left, bottom)):  # fmt: skip
        yield Line(x1, y1, x2, y2, GREY, dashes=True)
    for x1, y1, x2, y2 in ((left, y, left + 4, y), (right, y, right - 4, y), (x, top, x, top + 1.5)):
        yield Line(x1, y1, x2, y2)  # where the middle is, for the measure
    yield from _marker(number, x, y)
    yield Line(x - 11, top + 6, x - 11, top + 2)  # an arrow up
    yield Line(x - 11, top + 2, x - 12, top + 3.4)
    yield Line(x - 11, top + 2, x - 10, top + 3.4)
    yield Text(x - 8.5, top + 6, say("side of {seat}").format(seat=_seat(0, players, say)), 3)
    yield Text(left + 4, y + 25.5, f"{number}", 7)
    yield Text(left + 12, y + 25.5, _corner(number, say), 5)
    one, other = neighbours(number, players)
    named = {"one": _named(one, players, say), "other": _named(other, players, say)}
    yield Text(left + 4, y + 30.5, say("between seats {one} and {other}").format(**named), 3)
    if number in (0, 3):
        beside = say("left of {seat}") if number == 0 else say("right of {seat}")
        yield Text(left + 4, y + 35, beside.format(seat=_seat(0, players, say)), 3)


def _corner(number: int, say: Say) -> str:
    return (say("NE"), say("SE"), say("SW"), say("NW"))[number]


def neighbours(number: int, players: int) -> tuple[int, int]:
    """The seats on either side of a marker's corner; no seat of up to seven looks into a corner."""
    before = int((2 * number + 1) / 8 * players)
    return before, (before + 1) % players


def _marker(number: int, x: float, y: float) -> Iterator[Mark]:
    """A marker with its middle at (x, y), on white. Runs of cells along rows and along columns lie over each other, so
    that no hair of white shows between them on a screen."""
    around = SIDE + 2 * CELL
    yield Box(x - around / 2, y - around / 2, around, around, WHITE)
    black = ~cells(number)
    for row in range(CELLS):
        for begin, count in _runs(black[row].tolist()):
            yield Box(x - SIDE / 2 + begin * CELL, y - SIDE / 2 + row * CELL, count * CELL, CELL)
    for column in range(CELLS):
        for begin, count in _runs(black[:, column].tolist()):
            if count > 1:
                yield Box(x - SIDE / 2 + column * CELL, y - SIDE / 2 + begin * CELL, CELL, count * CELL)


def _runs(row: list[bool]) -> Iterator[tuple[int, int]]:
    begin = None
    for place, black in enumerate([*row, False]):
        if black and begin is None:
            begin = place
        elif not black and begin is not None:
            yield begin, place - begin
            begin = None


def _ruler(x: float, y: float, say: Say, ink: str = BLACK) -> Iterator[Mark]:
    """100 mm, a tick for each 10."""
    yield Line(x, y, x + 100, y, ink)
    for ten in range(11):
        yield Line(x + 10 * ten, y, x + 10 * ten, y - (4 if ten % 5 == 0 else 2.5), ink)
    yield Text(x + 104, y, say("This line is 100 mm long: measure it."), 3.2, ink)


def _sketch(x: float, y: float, players: int, say: Say) -> Iterator[Mark]:
    """The table at 1:9, its middle at (x, y)."""
    scale = 1 / 9
    half = SQUARE / 2 * scale
    for x1, y1, x2, y2 in ((-1, -1, 1, -1), (1, -1, 1, 1), (1, 1, -1, 1), (-1, 1, -1, -1)):
        yield Line(x + x1 * half, y + y1 * half, x + x2 * half, y + y2 * half, GREY)
    yield Ring(x, y, TRICK_RADIUS * scale, GREY)
    side = SIDE * scale
    for number, (mx, my) in MIDDLES.items():
        yield Box(x + mx * scale - side / 2, y + my * scale - side / 2, side, side)
        yield Text(x + mx * scale * 0.84, y + my * scale * 0.84 + 1.2, f"{number}", 3.4, middle=True)
    far = MIDDLES[0][0] * scale
    yield Line(x - far + side / 2, y - far, x + far - side / 2, y - far, width=0.15)
    yield Text(x, y - half - 1, "470 mm", 3, middle=True)
    yield Line(x - far, y - far + side / 2, x - far, y + far - side / 2, width=0.15)
    yield Text(x - half - 1, y, "470 mm", 3, turn=-pi / 2, middle=True)
    for seat in range(players):
        way = tau * seat / players
        out = (half + 8) / max(abs(sin(way)), abs(cos(way)))  # round the square, not round the ring
        yield Text(x + 1.2 * out * sin(way), y - out * cos(way) + 1.2, _seat(seat, players, say), 3.6, middle=True)


def _seat(seat: int, players: int, say: Say) -> str:
    return say("seat {seat}").format(seat=_named(seat, players, say))


def _named(seat: int, players: int, say: Say) -> str:
    """The number of a seat, and at a table of four its side of the compass, as the lamps are named."""
    return f"{seat} ({(say('N'), say('E'), say('S'), say('W'))[seat]})" if players == 4 else f"{seat}"


def _mat(players: int, say: Say) -> Iterator[Mark]:
    middle, half = MAT / 2, SQUARE / 2
    yield Box(0, 0, MAT, MAT, CLOTH)
    free = half - SIDE - 2 * CELL  # up to the white of the markers
    for x1, y1, x2, y2 in ((-free, -half, free, -half), (half, -free, half, free), (-free, half, free, half),
                           (-half, -free, -half, free)):  # fmt: skip
        yield Line(middle + x1, middle + y1, middle + x2, middle + y2, CHALK, 0.5)
    yield Ring(middle, middle, TRICK_RADIUS, CHALK, 0.5)
    for number, (x, y) in MIDDLES.items():
        yield from _marker(number, middle + x, middle + y)
        named = f"{number} {_corner(number, say)}"
        yield Text(middle + x, middle + y - (1 if y > 0 else -1) * 24 + 2, named, 5, CHALK, middle=True)
    for seat in range(players):
        yield from _pad(middle, tau * seat / players, _seat(seat, players, say))
    yield from _ruler(middle - 80, middle + half - 14, say, CHALK)


def _pad(middle: float, way: float, name: str) -> Iterator[Mark]:
    """The place for the card of the seat that sits that *way* (radians clockwise from the top): 70 × 100 mm, for which
    seven seats have room. Its name stands upright for who sits there."""

    def at(right: float, out: float) -> tuple[float, float]:
        return middle + right * cos(way) + out * sin(way), middle + right * sin(way) - out * cos(way)

    corners = [at(-35, 80), at(35, 80), at(35, 180), at(-35, 180)]
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        yield Line(x1, y1, x2, y2, CHALK, 0.5)
    yield Text(*at(0, 192), name, 8, CHALK, way + pi, middle=True)


# --- SVG ----------------------------------------------------------------------------------------------------------


def svg(page: Page) -> str:
    """*page* as the text of an SVG file, one unit a millimetre."""
    w, h = _n(page.width), _n(page.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}"'
        ' font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(page.title)}</title>",
        f'<rect width="{w}" height="{h}" fill="{WHITE}"/>',
        *(_svg(mark) for mark in page.marks),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _svg(mark: Mark) -> str:
    match mark:
        case Box(x, y, width, height, ink):
            return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" fill="{ink}"/>'
        case Line(x1, y1, x2, y2, ink, width, dashes):
            broken = ' stroke-dasharray="2 1.5"' if dashes else ""
            ends = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
            return f'<line {ends} stroke="{ink}" stroke-width="{_n(width)}"{broken}/>'
        case Ring(x, y, radius, ink, width):
            round_ = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"'
            return f'<circle {round_} fill="none" stroke="{ink}" stroke-width="{_n(width)}"/>'
        case Text(x, y, text, size, ink, turn, middle):
            where = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="{ink}"'
            where += ' text-anchor="middle"' if middle else ""
            where += f' transform="rotate({_n(degrees(turn))} {_n(x)} {_n(y)})"' if turn else ""
            return f"<text {where}>{escape(text)}</text>"


def _n(number: float) -> str:
    return f"{round(number, 3):g}"


# --- PDF ----------------------------------------------------------------------------------------------------------

POINTS = 72 / 25.4
"""Points of a millimetre."""
ROUND = 0.5522847
"""How far the handles of a quarter of a circle reach, in radii."""


def pdf(page: Page) -> bytes:
    """*page* as a PDF file of one page (PDF 1.6), which asks the viewer not to scale it in print."""
    # From here on a unit is a millimetre, and y goes down.
    begin = f"{POINTS:.6f} 0 0 {-POINTS:.6f} 0 {page.height * POINTS:.3f} cm"
    drawn = "\n".join([begin, *(_pdf(mark) for mark in page.marks)]).encode("cp1252", "replace")
    box = f"[0 0 {page.width * POINTS:.3f} {page.height * POINTS:.3f}]".encode()
    title = _string(page.title)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>" % box,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Title {title} /Producer (tablepi) >>".encode("cp1252", "replace"),
    ]
    file = bytearray(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n")  # four bytes that say: not a text
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    file += b"trailer\n<< /Size %d /Root 1 0 R /Info 6 0 R >>\n" % (len(objects) + 1)
    file += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(file)


def _pdf(mark: Mark) -> str:
    match mark:
        case Box(x, y, width, height, ink):
            return f"{_colour(ink)} rg {_n(x)} {_n(y)} {_n(width)} {_n(height)} re f"
        case Line(x1, y1, x2, y2, ink, width, dashes):
            pen = f"{_colour(ink)} RG {_n(width)} w {'[2 1.5]' if dashes else '[]'} 0 d"
            return f"{pen} {_n(x1)} {_n(y1)} m {_n(x2)} {_n(y2)} l S"
        case Ring(x, y, radius, ink, width):
            path = f"{_n(x + radius)} {_n(y)} m"
            for quarter in range(4):
                (c, s), (nc, ns) = ((cos(a), sin(a)) for a in (quarter * pi / 2, (quarter + 1) * pi / 2))
                points = ((c - ROUND * s, s + ROUND * c), (nc + ROUND * ns, ns - ROUND * nc), (nc, ns))
                path += "".join(f" {_n(x + radius * px)} {_n(y + radius * py)}" for px, py in points) + " c"
            return f"{_colour(ink)} RG {_n(width)} w [] 0 d {path} S"
        case Text(x, y, text, size, ink, turn, middle):
            c, s = cos(turn), sin(turn)
            # Near enough for a few words: a letter of Helvetica is about half as wide as its size.
            back = 0.5 * len(text) * size / 2 if middle else 0.0
            at = f"{c:.5f} {s:.5f} {s:.5f} {-c:.5f} {_n(x - back * c)} {_n(y - back * s)}"
            return f"BT /F {_n(size)} Tf {_colour(ink)} rg {at} Tm {_string(text)} Tj ET"


def _colour(ink: str) -> str:
    return " ".join(f"{int(ink[i : i + 2], 16) / 255:.3g}" for i in (1, 3, 5))


def _string(text: str) -> str:
    return "(" + "".join("\\" + c if c in "()\\" else c for c in text) + ")"
