"""Draws the wiring of a table from its pin map, as an SVG.

How it is laid out: the 40-pin header stands in the middle, each part (a lamp, the buttons, a reader) beside the side of
the header that has most of its pins, and every wire has a lane of its own between them. Parts with pins on both sides
stand at the bottom. What is not on the header (USB) is drawn below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from xml.sax.saxutils import escape

from .wiring import (
    BASE_OHM,
    CENTRE_OHM,
    CLOCK,
    FORWARD_V,
    HEADER,
    PIXELS_A_STICK,
    PULL_DOWN_OHM,
    RESET_PIN,
    SEAT_OHM,
    SPI0,
    STRIP_OHM,
    SUPPLY_V,
    PinMap,
    Table,
    Wire,
    needs_pull_down,
    ohms,
    series_ohm,
    side_of,
    wires,
)

INK = {
    "red": "#d32f2f",
    "green": "#2e9d43",
    "blue": "#2460d8",
    "GND": "#222222",
    "5V": "#e07b00",
    "signal": "#8a4b08",
    "confirm": "#7b1fa2",
    "undo": "#00838f",
    "RXD": "#ad1457",
    "TXD": "#00695c",
    "RSTPDN": "#6d4c41",
    "data": "#ad1457",
    "pin": "#9a7400",
}
OTHER_BUTTON = "#455a64"

# --- where everything stands ----------------------------------------------------------------------------------------

WIDTH = 1480
HEADER_X, HEADER_Y, PITCH = WIDTH // 2, 175, 34
COLUMN_DX, LABEL_DX = 26, 140  # from the middle of the header: the pins; where their labels end and wires begin
PART_EDGE_X, PART_WIDTH = 360, 330  # where a part's terminals are, from the middle
LANES_WIDTH, WIDEST_LANE = 206, 12  # for all the wires of a side, and for one
PART_ROW, PART_HEAD, PULL_DOWN_ROW, PART_GAP = 36, 34, 26, 22
EXTRA_HEIGHT = {"reader": 28, "supply": 66, "strip": 120}  # for what a part shows below its terminals
APART = 8  # of two wires that run along each other
NOTE_ROW, NOTE_WIDTH, USB_HEIGHT = 23, 480, 140
BELOW_Y = HEADER_Y + 20 * PITCH + 8  # wires that change sides pass under the header here


@dataclass(frozen=True, slots=True)
class Part:
    """One part as drawn: its wires in the order of its terminals, its *side* of the header and its *top*."""

    name: str
    side: int
    wires: tuple[Wire, ...]
    top: float

    @property
    def kind(self) -> str:
        return self.wires[0].kind

    @property
    def edge(self) -> float:
        return HEADER_X + self.side * PART_EDGE_X

    @property
    def terminals(self) -> tuple[float, ...]:
        """The y of each wire's terminal."""
        ys: list[float] = []
        y = self.top + PART_HEAD + PART_ROW / 2
        for wire in self.wires:
            ys.append(y)
            y += PART_ROW + PULL_DOWN_ROW * needs_pull_down(wire)
        return tuple(ys)

    @property
    def height(self) -> float:
        rows = len(self.wires) * PART_ROW + PULL_DOWN_ROW * sum(map(needs_pull_down, self.wires))
        return PART_HEAD + rows + 6 + EXTRA_HEIGHT.get(self.kind, 0)


def parts(pins: PinMap, table: Table) -> tuple[Part, ...]:
    """The parts of the table where they are drawn: beside their pins, those with pins on both sides at the bottom. One
    of whose wires would run along another part's is moved down until it does not."""
    grouped: dict[str, list[Wire]] = {}
    for wire in wires(pins, table):
        grouped.setdefault(wire.part, []).append(wire)
    waiting = [Part(name, side_of(own), tuple(own), 0.0) for name, own in grouped.items()]
    waiting.sort(key=lambda part: (_on_both_sides(part), _mean_y(part)))
    moved = dict.fromkeys(grouped, 0)
    placed = _placed(waiting, moved)
    while (clash := next(_side_by_side(placed), None)) is not None:
        moved[clash] += 4
        placed = _placed(waiting, moved)
    return placed


def _placed(waiting: Iterable[Part], moved: Mapping[str, int]) -> tuple[Part, ...]:
    bottom = {-1: HEADER_Y - 60.0, 1: HEADER_Y - 60.0}
    placed: list[Part] = []
    for part in waiting:
        undecided = sum(wire.side for wire in part.wires) == 0
        side = min(bottom, key=lambda each: bottom[each]) if undecided else part.side
        wish = BELOW_Y + 20 if _on_both_sides(part) else _mean_y(part) - part.height / 2
        top = round(max(wish, bottom[side])) + moved[part.name]
        bottom[side] = top + part.height + PART_GAP
        placed.append(Part(part.name, side, part.wires, top))
    return tuple(placed)


def _side_by_side(placed: tuple[Part, ...]) -> Iterator[str]:
    """The parts that stand so that a wire's last stretch runs near along another wire, and looks joined to it."""
    owner = {wire: part for part in placed for wire in part.wires}
    flat = [
        (wire, (x1, y1) == points[-1], y0, *sorted((x0, x1)))
        for wire, points in routes(placed).items()
        for (x0, y0), (x1, y1) in pairwise(points)
        if y0 == y1
    ]
    for (one, first_ends, y, left, right), (other, second_ends, y2, left2, right2) in combinations(flat, 2):
        if one != other and abs(y - y2) < APART and min(right, right2) > max(left, left2):
            if second_ends:
                yield owner[other].name
            elif first_ends:
                yield owner[one].name


def _on_both_sides(part: Part) -> bool:
    return len({wire.side for wire in part.wires}) > 1


def _mean_y(part: Part) -> float:
    return sum(_pin_y(wire) for wire in part.wires) / len(part.wires)


def _pin_y(wire: Wire) -> float:
    return HEADER_Y + PITCH * (wire.row + 0.5)


@dataclass(frozen=True, slots=True)
class Run:
    """One upright stretch of a wire in the lanes of one side, from height *begin* to height *end*."""

    wire: Wire
    side: int
    begin: float
    end: float


def _runs(placed: Iterable[Part]) -> Iterator[Run]:
    below = BELOW_Y
    for part in placed:
        for wire, y in zip(part.wires, part.terminals, strict=True):
            if wire.side == part.side:
                yield Run(wire, part.side, _pin_y(wire), y)
            else:
                yield Run(wire, wire.side, _pin_y(wire), below)
                yield Run(wire, part.side, below, y)
                below += WIDEST_LANE


def _lanes(runs: Iterable[Run]) -> dict[tuple[int, int], float]:
    """The x of each run, by pin and side. Runs that go down take the lanes near the header lowest pin first, those that
    go up highest first: then wires whose terminals stand in the order of their pins never cross."""
    lanes: dict[tuple[int, int], float] = {}
    for side in (-1, 1):
        own = [run for run in runs if run.side == side]
        down = sorted((run for run in own if run.end >= run.begin), key=lambda run: -run.begin)
        up = sorted((run for run in own if run.end < run.begin), key=lambda run: run.begin)
        wide = min(WIDEST_LANE, LANES_WIDTH / (len(own) or 1))
        for number, run in enumerate(down + up, start=1):
            lanes[run.wire.pin, side] = HEADER_X + side * (LABEL_DX + wide * number)
    return lanes


def routes(placed: Iterable[Part]) -> dict[Wire, tuple[tuple[float, float], ...]]:
    """The corners of each wire's way from its pin to its part."""
    placed = tuple(placed)
    runs = tuple(_runs(placed))
    lanes = _lanes(runs)
    ways: dict[Wire, tuple[tuple[float, float], ...]] = {}
    for part in placed:
        for wire, y in zip(part.wires, part.terminals, strict=True):
            points = [(HEADER_X + wire.side * LABEL_DX, _pin_y(wire))]
            for run in (run for run in runs if run.wire == wire):
                x = lanes[wire.pin, run.side]
                points += [(x, run.begin), (x, run.end)]
            ways[wire] = (*points, (part.edge, y))
    return ways


@dataclass(frozen=True, slots=True)
class Sheet:
    """How high the drawing is, and where its notes stand: below the column of parts that ends first."""

    height: float
    notes: tuple[float, float]


def sheet(placed: Iterable[Part], notes: int, table: Table) -> Sheet:
    """The sheet for these parts and so many lines of notes."""
    placed = tuple(placed)
    crossing = sum(wire.side != part.side for part in placed for wire in part.wires)
    bottom = {side: max((p.top + p.height for p in placed if p.side == side), default=0.0) for side in (1, -1)}
    side = min(bottom, key=lambda each: bottom[each])
    top = max(bottom[side] + PART_GAP, BELOW_Y + 20 + WIDEST_LANE * crossing)
    left = HEADER_X + side * PART_EDGE_X - (150 if side > 0 else NOTE_WIDTH - 150)
    low = max(*bottom.values(), top + _notes_height(notes))
    return Sheet(round(low + 30 + (USB_HEIGHT if table.readers == "usb" else 0)), (left, top))


def _notes_height(lines: int) -> float:
    return 24 + NOTE_ROW * lines


# --- the drawing ----------------------------------------------------------------------------------------------------


def draw(pins: PinMap, table: Table) -> str:
    """The wiring of *table*, with common-cathode lamps, as the text of an SVG file."""
    placed = parts(pins, table)
    notes = tuple(_notes(pins, table))
    paper = sheet(placed, len(notes), table)
    height = paper.height
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' font-family="DejaVu Sans, Arial, sans-serif" font-size="14">',
        f"<title>Wiring: {escape(table.title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        _text(40, 46, f"tablepi: {table.title}", size=26, bold=True),
        _text(40, 72, f"Drawn from {table.pins.name}. {_what_is_on_the_header(placed)}", size=15),
        *_wire_lines(placed),
        *_header(pins, table),
    ]
    for part in placed:
        out += _part(part, table)
    out += _note_box(notes, *paper.notes)
    if table.readers == "usb":
        out += _usb(table, height)
    return "\n".join([*out, "</svg>", ""])


def _what_is_on_the_header(placed: tuple[Part, ...]) -> str:
    kinds = {
        "reader": "PN532 boards",
        "lamp": "common-cathode lamps",
        "strip": "WS2812 lamps",
        "buttons": "buttons",
        "buzzer": "buzzer",
    }
    there = [words for kind, words in kinds.items() if any(part.kind == kind for part in placed)]
    return f"On the Raspberry Pi's header: {', '.join(there)}."


def _wire_lines(placed: tuple[Part, ...]) -> Iterator[str]:
    for wire, points in routes(placed).items():
        path = "M" + " L".join(f"{x:g},{y:g}" for x, y in points)
        # The white edge lets the upper wire of a crossing pass over the lower one: they do not join.
        yield f'<path d="{path}" fill="none" stroke="white" stroke-width="7"/>'
        yield f'<path d="{path}" fill="none" stroke="{_ink(wire)}" stroke-width="2.5"/>'


def _ink(wire: Wire) -> str:
    return INK.get(wire.leg, OTHER_BUTTON)


def _header(pins: PinMap, table: Table) -> Iterator[str]:
    height = 20 * PITCH
    reserved = {bcm: f"clock {line}" for bcm, line in CLOCK.items()}
    reserved |= {bcm: f"SPI {line}" for bcm, line in SPI0.items()} if table.sticks else {}
    yield _text(HEADER_X, HEADER_Y - 40, "40-pin header, seen from above", "middle", bold=True)
    yield _text(HEADER_X, HEADER_Y - 20, "pin 1: towards the SD card; even pins: the board's edge", "middle", size=12)
    yield _box(HEADER_X - 54, HEADER_Y - 6, 108, height + 12, "#2b2b2b", radius=6)
    by_pin = {wire.pin: wire for wire in wires(pins, table)}
    for pin, carries in enumerate(HEADER, start=1):
        wire = by_pin.get(pin)
        side, y = (-1 if pin % 2 else 1), HEADER_Y + PITCH * ((pin - 1) // 2 + 0.5)
        x = HEADER_X + side * COLUMN_DX
        ink = _ink(wire) if wire else "#9a9a9a"
        shape = f'<rect x="{x - 13:g}" y="{y - 13:g}" width="26" height="26"' if pin == 1 else None
        yield (
            shape or f'<circle cx="{x:g}" cy="{y:g}" r="13"'
        ) + f' fill="{ink if wire else "#f4f4f4"}" stroke="white" stroke-width="1.5"/>'
        yield _text(x, y + 4.5, str(pin), "middle", 12, bold=True, ink="white" if wire else "#555")
        name = f"GPIO{carries}" if isinstance(carries, int) else carries
        anchor = "end" if side < 0 else "start"
        if wire:
            yield _text(HEADER_X + side * 60, y + 5, name, anchor, bold=True, ink=ink)
            x0, x1 = sorted((HEADER_X + side * 124, HEADER_X + side * LABEL_DX))
            yield f'<path d="M{x0:g},{y:g} H{x1:g}" stroke="{ink}" stroke-width="2.5"/>'
        else:
            spare = reserved.get(carries, "") if isinstance(carries, int) else ""
            yield _text(HEADER_X + side * 60, y + 4, f"{name} {spare}".strip(), anchor, 11, ink="#9a9a9a")


def _part(part: Part, table: Table) -> Iterator[str]:
    left = part.edge if part.side > 0 else part.edge - PART_WIDTH
    yield _box(left, part.top, PART_WIDTH, part.height, "#fbfaf5", edge="#bbb", radius=8)
    title = part.name[0].upper() + part.name[1:]
    yield _text(left + 12, part.top + 22, title, size=16, bold=True)
    yield from (_terminal(part, wire, y) for wire, y in zip(part.wires, part.terminals, strict=True))
    match part.kind:
        case "buzzer":
            yield from _buzzer(part)
        case "reader":
            yield from _reader(part)
        case "supply":
            yield from _supply(part)
        case "strip":
            yield from _strip(part, table)
        case _:
            yield from _to_a_rail(part)


def _to_a_rail(part: Part) -> Iterator[str]:
    """A lamp, or the buttons: every leg ends at a rail that goes to ground."""
    away = part.side  # the way from the terminals into the part
    rail = part.edge + away * 290
    ys: list[float] = []
    for wire, y in zip(part.wires, part.terminals, strict=True):
        if wire.leg == "GND":
            yield _line(part.edge, y, rail, y, INK["GND"])
            what = "the other sides" if part.kind == "buttons" else "common cathode"
            yield _text(part.edge + away * 190, y - 6, what, "middle", 12)
            ys.append(y)
        elif wire.leg in FORWARD_V:
            yield from _lamp_leg(part, wire, y, rail)
            ys.append(y)
            if needs_pull_down(wire):
                yield from _pull_down(part, wire, y, rail)
                ys.append(y + PULL_DOWN_ROW)
        else:
            yield from _switch(part, wire, y, rail)
            ys.append(y)
    yield _line(rail, min(ys), rail, max(ys), INK["GND"])
    # A dot wherever three ends meet on the rail.
    yield from (_dot(rail, y) for y in ys if min(ys) < y < max(ys))


def _terminal(part: Part, wire: Wire, y: float) -> str:
    x = part.edge - 5
    return f'<rect x="{x:g}" y="{y - 5:g}" width="10" height="10" fill="{_ink(wire)}"/>'


def _lamp_leg(part: Part, wire: Wire, y: float, rail: float) -> Iterator[str]:
    away, ink = part.side, _ink(wire)
    yield _line(part.edge, y, part.edge + away * 60, y, ink)
    yield _resistor(part.edge + away * 90, y, ohms(series_ohm(wire)), ink)
    yield _line(part.edge + away * 120, y, part.edge + away * 170, y, ink)
    yield _led(part.edge + away * 184, y, away, ink)
    yield _line(part.edge + away * 198, y, rail, y, INK["GND"])
    name = "one colour" if wire.leg == "pin" else wire.leg
    yield _text(part.edge + away * 240, y - 6, name, "middle", 13, bold=True, ink=ink)


def _pull_down(part: Part, wire: Wire, y: float, rail: float) -> Iterator[str]:
    away, low, ink = part.side, y + PULL_DOWN_ROW, _ink(wire)
    x = part.edge + away * 34
    yield f'<path d="M{x:g},{y:g} V{low:g} H{part.edge + away * 60:g}" fill="none" stroke="{ink}" stroke-width="2.5"/>'
    yield _dot(x, y, ink)
    yield _resistor(part.edge + away * 90, low, ohms(PULL_DOWN_OHM), "#222")
    yield _line(part.edge + away * 120, low, rail, low, INK["GND"])


def _switch(part: Part, wire: Wire, y: float, rail: float) -> Iterator[str]:
    away, ink = part.side, _ink(wire)
    a, b = part.edge + away * 110, part.edge + away * 160
    yield _line(part.edge, y, a, y, ink)
    yield _line(a, y, b - away * 4, y - 14, ink)
    yield _line(b, y, rail, y, INK["GND"])
    yield _dot(a, y, ink) + _dot(b, y)
    yield _text(part.edge + away * 225, y - 6, wire.leg, "middle", 13, bold=True, ink=ink)


def _buzzer(part: Part) -> Iterator[str]:
    """The buzzer between 5 V and an NPN transistor that its pin switches."""
    away = part.side
    at = {wire.leg: y for wire, y in zip(part.wires, part.terminals, strict=True)}
    e, x = part.edge, part.edge + away * 210
    base_y, five, ground = at["signal"], at["5V"], at["GND"]
    low, high = base_y + 16, base_y - 16
    yield f'<path d="M{e:g},{five:g} H{x:g} V{five + 4:g}" fill="none" stroke="{INK["5V"]}" stroke-width="2.5"/>'
    yield f'<path d="M{x:g},{high - 2:g} V{five:g}" stroke="#222" stroke-width="2.5"/>'
    yield f'<circle cx="{x:g}" cy="{five + 2:g}" r="12" fill="white" stroke="#222" stroke-width="2.5"/>'
    yield _text(x, five - 3 + 10, "+", "middle", 14, bold=True)
    yield _text(x + away * 56, five + 6, "buzzer", "middle", 13, bold=True, ink=INK["signal"])
    yield _line(e, base_y, e + away * 60, base_y, INK["signal"])
    yield _resistor(e + away * 90, base_y, ohms(BASE_OHM), INK["signal"])
    yield _line(e + away * 120, base_y, x - away * 14, base_y, INK["signal"])
    yield _line(x - away * 14, base_y - 11, x - away * 14, base_y + 11, "#222", 4)
    yield _line(x - away * 14, base_y - 5, x, high, "#222")
    yield _line(x - away * 14, base_y + 5, x, low, "#222")
    yield _arrow_head(x, low, away)
    yield f'<path d="M{x:g},{low:g} V{ground:g} H{e:g}" fill="none" stroke="#222" stroke-width="2.5"/>'
    yield _text(x - away * 24, base_y - 9, "B", "middle", 11)
    yield _text(x + away * 10, high + 6, "C", "middle", 11)
    yield _text(x + away * 12, low + 6, "E", "middle", 11)
    yield _text(x + away * 62, base_y + 4, "NPN, BC337", "middle", 12)


def _reader(part: Part) -> Iterator[str]:
    """A PN532 board: its two lines of data; supply, ground and reset come from the readers' supply."""
    away = part.side
    board = part.edge + away * 150
    x = min(board, board + away * 160)
    top, bottom = part.top + PART_HEAD, part.top + PART_HEAD + 2 * PART_ROW
    yield _box(x, top, 160, bottom - top, "#e8eef7", edge="#8a9cc0", radius=6)
    for wire, y in zip(part.wires, part.terminals, strict=True):
        ink = _ink(wire)
        yield _line(part.edge, y, board, y, ink)
        towards = away if wire.leg == "RXD" else -away
        yield _chevron(part.edge + away * 75, y, towards, ink)
        yield _text(board + away * 12, y + 5, wire.leg, "start" if away > 0 else "end", 14, bold=True, ink=ink)
    yield _text(board + away * 110, (top + bottom) / 2 + 5, "PN532", "middle", 14, bold=True)
    words = "Switches: HSU. VCC, GND and RSTPDN: see the supply."
    yield _text(min(part.edge, part.edge + away * PART_WIDTH) + 12, bottom + 24, words, size=10.5)


def _supply(part: Part) -> Iterator[str]:
    """The supply of the reader boards, and their common reset."""
    away = part.side
    start, end = part.edge + away * 20, part.edge + away * 160
    left = min(part.edge, part.edge + away * PART_WIDTH)
    anchor = "start" if away > 0 else "end"
    words = {"RSTPDN": "to all RSTPDN", "GND": "to all GND"}
    at = {wire.leg: y for wire, y in zip(part.wires, part.terminals, strict=True)}
    for leg, y in at.items():
        yield _line(part.edge, y, end, y, INK[leg])
        yield _text(end + away * 8, y + 4, words[leg], anchor, 12, bold=True, ink=INK[leg])
    low = part.top + PART_HEAD + len(part.wires) * PART_ROW + 6
    five = low + 14
    yield _line(start, five, end, five, INK["5V"])
    yield _text(end + away * 8, five + 4, "to all VCC", anchor, 12, bold=True, ink=INK["5V"])
    yield _box(min(start, start + away * 90), low - 8, 90, 50, "#eee", edge="#999", radius=6)
    yield _text(start + away * 45, low + 12, "supply", "middle", 12, bold=True)
    yield _text(start + away * 45, low + 30, "5 V, 3 A", "middle", 12)
    yield _line(start + away * 45, at["GND"], start + away * 45, low - 8, INK["GND"])
    yield _dot(start + away * 45, at["GND"])
    yield _text(left + PART_WIDTH - 12, part.top + 22, "not on the Pi's 5 V", "end", 11)


def _strip(part: Part, table: Table) -> Iterator[str]:
    """The sticks of WS2812 one behind the other, with a level shifter before and a supply of their own."""
    away = part.side
    e = part.edge
    at = {wire.leg: y for wire, y in zip(part.wires, part.terminals, strict=True)}
    data, ground = at["data"], at["GND"]
    yield _line(e, data, e + away * 40, data, INK["data"])
    tip, back = e + away * 76, e + away * 40
    triangle = f"M{back:g},{data - 16:g} V{data + 16:g} L{tip:g},{data:g} Z"
    yield f'<path d="{triangle}" fill="white" stroke="#222" stroke-width="2"/>'
    yield _text(e + away * 58, data - 20, "74AHCT125", "middle", 11, bold=True)
    yield _line(tip, data, e + away * 100, data, INK["data"])
    yield _resistor(e + away * 130, data, ohms(STRIP_OHM), INK["data"])
    yield _line(e + away * 160, data, e + away * 200, data, INK["data"])
    yield _text(e + away * 206, data + 5, "DIN of stick 1", "start" if away > 0 else "end", 12, bold=True)
    yield _line(e, ground, e + away * 290, ground, INK["GND"])
    yield _text(e + away * 190, ground - 6, "GND of all sticks", "middle", 12)
    low = max(data, ground) + 34
    five = low + 20
    yield _line(e + away * 110, five, e + away * 290, five, INK["5V"])
    yield _text(e + away * 215, five + 18, "5V of all sticks and", "middle", 11)
    yield _text(e + away * 215, five + 32, "of the 74AHCT125", "middle", 11)
    yield _box(min(e + away * 20, e + away * 110), low, 90, 44, "#eee", edge="#999", radius=6)
    yield _text(e + away * 65, low + 18, "supply", "middle", 12, bold=True)
    yield _text(e + away * 65, low + 35, "5 V, 3 A", "middle", 12)
    yield _line(e + away * 65, ground, e + away * 65, low, INK["GND"])
    yield _dot(e + away * 65, ground)
    x = e + away * 140
    yield from _capacitor(x, ground, five)
    left = min(e, e + away * PART_WIDTH)
    order = f"{table.sticks} sticks of {PIXELS_A_STICK}: each DOUT to the next DIN."
    yield _text(left + 12, part.top + part.height - 12, order, size=11)


def _capacitor(x: float, ground: float, five: float) -> Iterator[str]:
    middle = (ground + five) / 2
    yield _line(x, ground, x, middle - 4, INK["GND"])
    yield _line(x - 12, middle - 4, x + 12, middle - 4, "#222", 3)
    yield _line(x - 12, middle + 4, x + 12, middle + 4, INK["5V"], 3)
    yield _line(x, middle + 4, x, five, INK["5V"])
    yield _dot(x, ground) + _dot(x, five, INK["5V"])
    yield _text(x + 18, middle + 4, "1000 µF", "start", 11, bold=True)


def _notes(pins: PinMap, table: Table) -> Iterator[tuple[str, bool]]:
    """The notes beside the drawing, each with whether it stands out."""
    all_wires = wires(pins, table)
    kinds = {wire.kind for wire in all_wires}
    yield "Notes", True
    yield "Wires that cross do not join. A dot is a joint.", False
    yield "In the circles: the header's pins. GPIO: the number that the pin map uses.", False
    for kind, values in (("lamp", SEAT_OHM), ("centre", CENTRE_OHM)):
        if kind in kinds:
            yield from ((line, False) for line in _ohms_law(values))
    if any(map(needs_pull_down, all_wires)):
        yield f"{ohms(PULL_DOWN_OHM)}: keeps a lamp dark while its pin is pulled up at power-on.", False
    if "lamp" in kinds:
        yield "Each resistor sits at the Pi's end of its wire.", False
    if "reader" in kinds:
        yield "RXD, TXD are the board's names: the Pi sends to RXD, and hears TXD.", False
        yield f"RSTPDN (GPIO{RESET_PIN}) only where the board has it; RSTO is another pin.", False
    if "strip" in kinds:
        yield "Sticks in this order: seats 0, 1, 2, 3, then the centre.", False
        yield "The 74AHCT125 lifts 3.3 V to the 5 V that the lamps ask for.", False
        yield "SPI is on: the pins marked SPI are not free.", False
    if "buttons" in kinds:
        yield "Buttons close to ground: the pins' own pull-ups hold them high.", False
    yield "Never wire 5 V to a GPIO pin. Power off before you change a wire.", True


def _ohms_law(values: dict[str, int]) -> Iterator[str]:
    for ohm in dict.fromkeys(values.values()):
        colours = [colour for colour in values if values[colour] == ohm and colour != "pin"]
        volts = FORWARD_V[colours[0]]
        ma = 1000 * (SUPPLY_V - volts) / ohm
        yield f"{', '.join(colours)} {ohms(ohm)}: ({SUPPLY_V} V − {volts} V) / {ohms(ohm)} = {ma:.1f} mA"


def _note_box(notes: tuple[tuple[str, bool], ...], x: float, top: float) -> Iterator[str]:
    yield _box(x, top, NOTE_WIDTH, _notes_height(len(notes)), "#f3f7fb", edge="#b7c9da", radius=8)
    for number, (line, bold) in enumerate(notes):
        size = 16 if number == 0 else 11.5
        yield _text(x + 14, top + 30 + NOTE_ROW * number, line, size=size, bold=bold)


def _usb(table: Table, height: float) -> Iterator[str]:
    y, count = height - 112, table.seats
    width = 210
    yield _text(40, y - 14, "Readers: USB, no wire to the header", size=16, bold=True)
    yield _box(40, y, 150, 80, "#e8f0e8", edge="#8aa58a", radius=8)
    yield _text(115, y + 36, "Raspberry Pi", "middle", bold=True)
    yield _text(115, y + 56, "any USB socket", "middle", 12)
    yield _line(190, y + 40, 260, y + 40, "#444", 4)
    yield _box(260, y, 170, 80, "#eee", edge="#999", radius=8)
    yield _text(345, y + 36, "powered hub", "middle", bold=True)
    yield _text(345, y + 56, "own 5 V supply", "middle", 12)
    for number, name in zip(range(count), "NESW", strict=True):
        x = 500 + number * (width + 24)
        yield _box(x, y, width, 80, "#fbfaf5", edge="#bbb", radius=8)
        yield _text(x + width / 2, y + 32, f"reader-{number}", "middle", 15, bold=True)
        yield _text(x + width / 2, y + 54, f"seat {number} ({name}), hub socket {number + 1}", "middle", 12)
        yield _line(x + width / 2, y, x + width / 2, y - 8, "#444", 4)
    last = 500 + (count - 1) * (width + 24) + width / 2
    yield f'<path d="M430,{y + 40:g} H465 V{y - 8:g} H{last:g}" fill="none" stroke="#444" stroke-width="4"/>'


# --- shapes ------------------------------------------------------------------------------------------------------


def _text(x: float, y: float, words: str, anchor: str = "start", size: float = 14, *, bold: bool = False,
          ink: str = "#111") -> str:  # fmt: skip
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:g}"{weight} fill="{ink}">'
        f"{escape(words)}</text>"
    )


def _box(x: float, y: float, width: float, height: float, fill: str, *, edge: str = "none", radius: float = 0) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}"'
        f' stroke="{edge}"/>'
    )


def _line(x0: float, y0: float, x1: float, y1: float, ink: str, width: float = 2.5) -> str:
    return f'<path d="M{x0:g},{y0:g} L{x1:g},{y1:g}" stroke="{ink}" stroke-width="{width:g}"/>'


def _dot(x: float, y: float, ink: str = "#222") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="4.5" fill="{ink}"/>'


def _resistor(x: float, y: float, value: str, ink: str) -> str:
    body = f'<rect x="{x - 30:g}" y="{y - 9:g}" width="60" height="18" fill="white" stroke="{ink}" stroke-width="2"/>'
    return body + _text(x, y + 4.5, value, "middle", 12, bold=True)


def _led(x: float, y: float, away: int, ink: str) -> str:
    a, b = x - away * 14, x + away * 12
    triangle = f'<path d="M{a:g},{y - 11:g} L{a:g},{y + 11:g} L{b:g},{y:g} Z" fill="{ink}"/>'
    return triangle + _line(b, y - 11, b, y + 11, "#222", 3)


def _arrow_head(x: float, y: float, away: int) -> str:
    return f'<path d="M{x:g},{y:g} l{-away * 10:g},-1 l{away * 5:g},-8 Z" fill="#222"/>'


def _chevron(x: float, y: float, towards: int, ink: str) -> str:
    return f'<path d="M{x + towards * 9:g},{y:g} l{-towards * 16:g},-8 v16 Z" fill="{ink}"/>'
