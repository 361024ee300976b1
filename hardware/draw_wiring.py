"""Draws the wiring of a table from its pin map, so that the drawing and the program can never disagree.

    python hardware/draw_wiring.py [PINS.yaml]

writes ``wiring-four-seats.svg`` beside ``pins-four-seats.yaml`` (``wiring-NAME.svg`` for ``pins-NAME.yaml``) and the
wiring table between the two markers of README.md. The tests compare both with what this script makes.

How it is laid out: the 40-pin header stands in the middle, each part (a lamp, the buttons, the buzzer) beside the side
of the header that has most of its pins, and every wire has a lane of its own between them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import yaml

PinMap = Mapping[str, Any]

HERE = Path(__file__).resolve().parent
PINS = HERE / "pins-four-seats.yaml"
TABLE_BEGIN, TABLE_END = "<!-- wiring table: begin -->", "<!-- wiring table: end -->"

# The 40-pin header: what each pin carries, pins 1 to 40. A number is a BCM pin.
HEADER: tuple[int | str, ...] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15),
    *(17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND"),
    *(6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
HEADER_PIN = {carries: pin for pin, carries in enumerate(HEADER, start=1) if isinstance(carries, int)}
FIVE_VOLT_PIN = 4

SUPPLY_V = 3.3
FORWARD_V = {"red": 2.0, "green": 3.0, "blue": 3.0}
SEAT_OHM = {"red": 330, "green": 100, "blue": 100}
# With the seats' resistors in the centre too, all lamps white and the buzzer would pass the limit of all pins together.
CENTRE_OHM = {"red": 470, "green": 150, "blue": 150}
PULL_DOWN_OHM = 10_000
BASE_V, BASE_OHM = 0.7, 2_200

# These pins have the chip's own pull-up at power-on, the rest of 9 to 27 its pull-down: without a stronger pull-down
# outside, a lamp on one of these glows until the program runs.
PULLED_UP_AT_POWER_ON = range(9)

RESERVED = {2: "clock SDA", 3: "clock SCL"}  # I2C of a DS3231 clock; 0 and 1 are for the EEPROM of plug-on boards

INK = {
    "red": "#d32f2f",
    "green": "#2e9d43",
    "blue": "#2460d8",
    "GND": "#222222",
    "5V": "#e07b00",
    "buzzer": "#8a4b08",
    "confirm": "#7b1fa2",
    "undo": "#00838f",
}


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: from *pin* of the header (1 to 40) to the *leg* of a part; *bcm* is None for supply and ground."""

    pin: int
    bcm: int | None
    part: str
    leg: str

    @property
    def row(self) -> int:
        return (self.pin - 1) // 2

    @property
    def side(self) -> int:
        """-1 for the left column of the header (odd pins), 1 for the right one."""
        return -1 if self.pin % 2 else 1


def load_pins(path: Path) -> PinMap:
    """The pin map in the file *path*, checked. Raises ValueError that names the file and the pin."""
    pins: PinMap = yaml.safe_load(path.read_text(encoding="utf-8"))
    used: dict[int, str] = {}
    for part, leg, bcm in _signals(pins):
        where = f"{part} {leg}"
        if bcm not in HEADER_PIN or bcm < 2:
            raise ValueError(f"{path.name}: {where}: {bcm!r} is no pin to use: take one of BCM 2 to 27")
        if bcm in used:
            raise ValueError(f"{path.name}: {where}: pin {bcm} is taken by {used[bcm]}")
        used[bcm] = where
    return pins


def _signals(pins: PinMap) -> Iterator[tuple[str, str, int]]:
    for seat in pins["seats"]:
        yield from ((f"lamp {seat['name']}", colour, seat[colour]) for colour in SEAT_OHM)
    yield from (("buttons", name, bcm) for name, bcm in pins["buttons"].items())
    yield "buzzer", "signal", pins["buzzer"]
    yield from (("centre lamp", colour, pins["centre"][colour]) for colour in CENTRE_OHM)


def wires(pins: PinMap) -> tuple[Wire, ...]:
    """Every wire of the table, part by part. Each part gets the free ground pin nearest to its other pins."""
    signals = [Wire(HEADER_PIN[bcm], bcm, part, leg) for part, leg, bcm in _signals(pins)]
    free = [Wire(pin, None, "", "GND") for pin, carries in enumerate(HEADER, start=1) if carries == "GND"]
    found: list[Wire] = []
    for part in dict.fromkeys(wire.part for wire in signals):
        own = [wire for wire in signals if wire.part == part]
        side, row = _side(own), sum(wire.row for wire in own) / len(own)
        # A ground on the other side of the header is as good as one that is six rows away.
        ground = min(free, key=lambda wire: abs(wire.row - row) + 6 * (wire.side != side))
        free.remove(ground)
        if part == "buzzer":
            own.append(Wire(FIVE_VOLT_PIN, None, part, "5V"))
        found += sorted([*own, Wire(ground.pin, None, part, "GND")], key=lambda wire: wire.pin)
    return tuple(found)


def _side(own: Iterable[Wire]) -> int:
    return -1 if sum(wire.side for wire in own) <= 0 else 1


def needs_pull_down(wire: Wire) -> bool:
    """Whether a lamp on this wire glows at power-on unless a resistor holds the pin down."""
    return wire.leg in FORWARD_V and wire.bcm in PULLED_UP_AT_POWER_ON


def series_ohm(wire: Wire) -> int:
    """The resistor, in ohms, between the pin of *wire* and what it drives; 0 where there is none."""
    if wire.leg == "signal":
        return BASE_OHM
    return (CENTRE_OHM if wire.part == "centre lamp" else SEAT_OHM).get(wire.leg, 0)


def current_ma(wire: Wire) -> float:
    """The most that *wire* draws from its pin, in mA; the pin's own resistance makes it a little less. Buttons, ground
    and supply draw nothing from a pin."""
    ohm = series_ohm(wire)
    if not ohm:
        return 0.0
    driven = 1000 * (SUPPLY_V - FORWARD_V.get(wire.leg, BASE_V)) / ohm
    return driven + (1000 * SUPPLY_V / PULL_DOWN_OHM if needs_pull_down(wire) else 0.0)


def wiring_table(pins: PinMap) -> str:
    """The wires as a table in Markdown, in the order of the header's pins."""
    lines = ["| header pin | BCM | goes to | through |", "|---|---|---|---|"]
    for wire in sorted(wires(pins), key=lambda wire: wire.pin):
        carries = wire.leg if wire.bcm is None else str(wire.bcm)
        lines.append(f"| {wire.pin} | {carries} | {_destination(wire)} | {_through(wire)} |")
    return "\n".join(lines)


def _destination(wire: Wire) -> str:
    if wire.leg == "GND":
        return f"{wire.part}, " + ("cathode" if "lamp" in wire.part else "ground")
    return f"{wire.part}, {wire.leg}"


def _through(wire: Wire) -> str:
    if wire.leg in FORWARD_V:
        pull_down = "; 10 kΩ from the pin to ground" if needs_pull_down(wire) else ""
        return f"{series_ohm(wire)} Ω{pull_down}"
    if wire.part == "buzzer" and wire.leg == "signal":
        return "2.2 kΩ to the base of the transistor"
    return "no resistor: the pin's own pull-up" if wire.part == "buttons" and wire.bcm is not None else "-"


# --- the drawing -------------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 1480, 1330
HEADER_X, HEADER_Y, PITCH = WIDTH // 2, 175, 34
COLUMN_DX, LABEL_DX = 26, 140  # from the middle of the header: the pins; where their labels end and wires begin
PART_EDGE_X, PART_WIDTH = 360, 330  # where a part's terminals are, from the middle
LANE = 12
PART_ROW, PART_HEAD, PULL_DOWN_ROW, PART_GAP = 36, 34, 26, 22
BELOW_Y = HEADER_Y + 20 * PITCH + 8  # wires that change sides pass under the header here


@dataclass(frozen=True, slots=True)
class Part:
    """One part as drawn: its wires in the order of its terminals, its *side* of the header and its *top*."""

    name: str
    side: int
    wires: tuple[Wire, ...]
    top: float

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
        return PART_HEAD + len(self.wires) * PART_ROW + PULL_DOWN_ROW * sum(map(needs_pull_down, self.wires)) + 6


def parts(pins: PinMap) -> tuple[Part, ...]:
    """The parts of the table where they are drawn: beside their pins, those with pins on both sides at the bottom."""
    grouped: dict[str, list[Wire]] = {}
    for wire in wires(pins):
        grouped.setdefault(wire.part, []).append(wire)
    waiting = [Part(name, _side(own), tuple(own), 0.0) for name, own in grouped.items()]
    waiting.sort(key=lambda part: (len({wire.side for wire in part.wires}) > 1, _mean_y(part)))
    bottom = {-1: 0.0, 1: 0.0}
    placed: list[Part] = []
    for part in waiting:
        both_sides = len({wire.side for wire in part.wires}) > 1
        wish = BELOW_Y + 20 if both_sides else _mean_y(part) - part.height / 2
        top = round(max(wish, bottom[part.side]))
        bottom[part.side] = top + part.height + PART_GAP
        placed.append(Part(part.name, part.side, part.wires, top))
    return tuple(placed)


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
                below += LANE


def _lanes(runs: Iterable[Run]) -> dict[tuple[int, int], float]:
    """The x of each run, by pin and side. Runs that go down take the lanes near the header lowest pin first, those that
    go up highest first: then wires whose terminals stand in the order of their pins never cross."""
    lanes: dict[tuple[int, int], float] = {}
    for side in (-1, 1):
        own = [run for run in runs if run.side == side]
        down = sorted((run for run in own if run.end >= run.begin), key=lambda run: -run.begin)
        up = sorted((run for run in own if run.end < run.begin), key=lambda run: run.begin)
        for number, run in enumerate(down + up, start=1):
            lanes[run.wire.pin, side] = HEADER_X + side * (LABEL_DX + LANE * number)
    return lanes


def draw(pins: PinMap) -> str:
    """The wiring of a table with common-cathode lamps and readers on USB, as the text of an SVG file."""
    placed = parts(pins)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ' font-family="DejaVu Sans, Arial, sans-serif" font-size="14">',
        "<title>Wiring of a four-seat table</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(40, 46, "tablepi: wiring of a four-seat table", size=26, bold=True),
        _text(
            40,
            72,
            "Common-cathode lamps, buttons and buzzer on the Raspberry Pi's header; tag readers on USB.",
            size=15,
        ),
        *_wire_lines(placed),
        *_header(pins),
    ]
    for part in placed:
        out += _part(part)
    out += _notes()
    out += _usb(pins)
    return "\n".join([*out, "</svg>", ""])


def _wire_lines(placed: tuple[Part, ...]) -> Iterator[str]:
    runs = tuple(_runs(placed))
    lanes = _lanes(runs)
    for part in placed:
        for wire, y in zip(part.wires, part.terminals, strict=True):
            points: list[tuple[float, float]] = [(HEADER_X + wire.side * LABEL_DX, _pin_y(wire))]
            for run in (run for run in runs if run.wire == wire):
                x = lanes[wire.pin, run.side]
                points += [(x, run.begin), (x, run.end)]
            points.append((part.edge, y))
            path = "M" + " L".join(f"{x:g},{y:g}" for x, y in points)
            # The white edge lets the upper wire of a crossing pass over the lower one: they do not join.
            yield f'<path d="{path}" fill="none" stroke="white" stroke-width="7"/>'
            yield f'<path d="{path}" fill="none" stroke="{INK[_ink(wire)]}" stroke-width="2.5"/>'


def _ink(wire: Wire) -> str:
    return "buzzer" if wire.part == "buzzer" and wire.leg == "signal" else wire.leg


def _header(pins: PinMap) -> Iterator[str]:
    height = 20 * PITCH
    yield _text(HEADER_X, HEADER_Y - 40, "40-pin header, seen from above", "middle", bold=True)
    yield _text(HEADER_X, HEADER_Y - 20, "pin 1: towards the SD card; even pins: the board's edge", "middle", size=12)
    yield _box(HEADER_X - 54, HEADER_Y - 6, 108, height + 12, "#2b2b2b", radius=6)
    by_pin = {wire.pin: wire for wire in wires(pins)}
    for pin, carries in enumerate(HEADER, start=1):
        wire = by_pin.get(pin)
        side, y = (-1 if pin % 2 else 1), HEADER_Y + PITCH * ((pin - 1) // 2 + 0.5)
        x = HEADER_X + side * COLUMN_DX
        ink = INK[_ink(wire)] if wire else "#9a9a9a"
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
            spare = RESERVED.get(carries, "") if isinstance(carries, int) else ""
            yield _text(HEADER_X + side * 60, y + 4, f"{name} {spare}".strip(), anchor, 11, ink="#9a9a9a")


def _part(part: Part) -> Iterator[str]:
    away = part.side  # the way from the terminals into the part
    left = part.edge if away > 0 else part.edge - PART_WIDTH
    yield _box(left, part.top, PART_WIDTH, part.height, "#fbfaf5", edge="#bbb", radius=8)
    title = part.name[0].upper() + part.name[1:]
    yield _text(left + 12, part.top + 22, title, size=16, bold=True)
    if part.name == "buzzer":
        yield from _buzzer(part)
        return
    rail = part.edge + away * 290
    ys: list[float] = []
    for wire, y in zip(part.wires, part.terminals, strict=True):
        yield _terminal(part, wire, y)
        if wire.leg == "GND":
            yield _line(part.edge, y, rail, y, INK["GND"])
            what = "common cathode" if "lamp" in part.name else "both other sides"
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
    return f'<rect x="{x:g}" y="{y - 5:g}" width="10" height="10" fill="{INK[_ink(wire)]}"/>'


def _lamp_leg(part: Part, wire: Wire, y: float, rail: float) -> Iterator[str]:
    away, ink = part.side, INK[wire.leg]
    yield _line(part.edge, y, part.edge + away * 60, y, ink)
    yield _resistor(part.edge + away * 90, y, f"{series_ohm(wire)} Ω", ink)
    yield _line(part.edge + away * 120, y, part.edge + away * 170, y, ink)
    yield _led(part.edge + away * 184, y, away, ink)
    yield _line(part.edge + away * 198, y, rail, y, INK["GND"])
    yield _text(part.edge + away * 240, y - 6, wire.leg, "middle", 13, bold=True, ink=ink)


def _pull_down(part: Part, wire: Wire, y: float, rail: float) -> Iterator[str]:
    away, low, ink = part.side, y + PULL_DOWN_ROW, INK[wire.leg]
    x = part.edge + away * 34
    yield f'<path d="M{x:g},{y:g} V{low:g} H{part.edge + away * 60:g}" fill="none" stroke="{ink}" stroke-width="2.5"/>'
    yield _dot(x, y, ink)
    yield _resistor(part.edge + away * 90, low, "10 kΩ", "#222")
    yield _line(part.edge + away * 120, low, rail, low, INK["GND"])


def _switch(part: Part, wire: Wire, y: float, rail: float) -> Iterator[str]:
    away, ink = part.side, INK[wire.leg]
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
    for wire, y in zip(part.wires, part.terminals, strict=True):
        yield _terminal(part, wire, y)
    e, x = part.edge, part.edge + away * 210
    base_y, five, ground = at["signal"], at["5V"], at["GND"]
    low, high = base_y + 16, base_y - 16
    yield f'<path d="M{e:g},{five:g} H{x:g} V{five + 4:g}" fill="none" stroke="{INK["5V"]}" stroke-width="2.5"/>'
    yield f'<path d="M{x:g},{high - 2:g} V{five:g}" stroke="#222" stroke-width="2.5"/>'
    yield f'<circle cx="{x:g}" cy="{five + 2:g}" r="12" fill="white" stroke="#222" stroke-width="2.5"/>'
    yield _text(x, five - 3 + 10, "+", "middle", 14, bold=True)
    yield _text(x + away * 56, five + 6, "buzzer", "middle", 13, bold=True, ink=INK["buzzer"])
    yield _line(e, base_y, e + away * 60, base_y, INK["buzzer"])
    yield _resistor(e + away * 90, base_y, "2.2 kΩ", INK["buzzer"])
    yield _line(e + away * 120, base_y, x - away * 14, base_y, INK["buzzer"])
    yield _line(x - away * 14, base_y - 11, x - away * 14, base_y + 11, "#222", 4)
    yield _line(x - away * 14, base_y - 5, x, high, "#222")
    yield _line(x - away * 14, base_y + 5, x, low, "#222")
    yield _arrow_head(x, low, away)
    yield f'<path d="M{x:g},{low:g} V{ground:g} H{e:g}" fill="none" stroke="#222" stroke-width="2.5"/>'
    yield _text(x - away * 24, base_y - 9, "B", "middle", 11)
    yield _text(x + away * 10, high + 6, "C", "middle", 11)
    yield _text(x + away * 12, low + 6, "E", "middle", 11)
    yield _text(x + away * 62, base_y + 4, "NPN, BC337", "middle", 12)


def _notes() -> Iterator[str]:
    x, y = HEADER_X + PART_EDGE_X - 150, 910
    lines = [
        ("Notes", True),
        ("Wires that cross do not join. A dot is a joint.", False),
        ("In the circles: the header's pins. GPIO: the number that the pin map uses.", False),
        ("Each resistor sits at the Pi's end of its wire.", False),
        *((_ohms_law(ohm, colours), False) for ohm, colours in _by_ohm()),
        ("10 kΩ: keeps a lamp dark while its pin is pulled up at power-on.", False),
        ("Buttons close to ground: the pins' own pull-ups hold them high.", False),
        ("Never wire 5 V to a GPIO pin. Power off before you change a wire.", True),
    ]  # fmt: skip
    yield _box(x, y, 480, 24 + 23 * len(lines), "#f3f7fb", edge="#b7c9da", radius=8)
    for number, (line, bold) in enumerate(lines):
        yield _text(x + 14, y + 30 + 23 * number, line, size=16 if line == "Notes" else 11.5, bold=bold)


def _by_ohm() -> Iterator[tuple[int, tuple[str, ...]]]:
    for ohms in (SEAT_OHM, CENTRE_OHM):
        for ohm in dict.fromkeys(ohms.values()):
            yield ohm, tuple(colour for colour in ohms if ohms[colour] == ohm)


def _ohms_law(ohm: int, colours: tuple[str, ...]) -> str:
    volts = FORWARD_V[colours[0]]
    ma = 1000 * (SUPPLY_V - volts) / ohm
    return f"{', '.join(colours)} {ohm} Ω: ({SUPPLY_V} V − {volts} V) / {ohm} Ω = {ma:.1f} mA"


def _usb(pins: PinMap) -> Iterator[str]:
    y, count = HEIGHT - 112, len(pins["seats"])
    width = 210
    yield _text(40, y - 14, "Readers: USB, no wire to the header", size=16, bold=True)
    yield _box(40, y, 150, 80, "#e8f0e8", edge="#8aa58a", radius=8)
    yield _text(115, y + 36, "Raspberry Pi", "middle", bold=True)
    yield _text(115, y + 56, "any USB socket", "middle", 12)
    yield _line(190, y + 40, 260, y + 40, "#444", 4)
    yield _box(260, y, 170, 80, "#eee", edge="#999", radius=8)
    yield _text(345, y + 36, "powered hub", "middle", bold=True)
    yield _text(345, y + 56, "own 5 V supply", "middle", 12)
    for number, seat in enumerate(pins["seats"]):
        x = 500 + number * (width + 24)
        yield _box(x, y, width, 80, "#fbfaf5", edge="#bbb", radius=8)
        yield _text(x + width / 2, y + 32, f"reader-{number}", "middle", 15, bold=True)
        yield _text(x + width / 2, y + 54, f"seat {number} ({seat['name']}), hub socket {number + 1}", "middle", 12)
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


def main(arguments: list[str]) -> None:
    """Write the drawing, and the table for the default pin map, beside this script."""
    path = Path(arguments[0]) if arguments else PINS
    pins = load_pins(path)
    path.with_name(path.name.replace("pins-", "wiring-", 1)).with_suffix(".svg").write_text(
        draw(pins), encoding="utf-8"
    )
    if path == PINS:
        readme = HERE / "README.md"
        before, rest = readme.read_text(encoding="utf-8").split(TABLE_BEGIN)
        after = rest.split(TABLE_END)[1]
        readme.write_text(
            f"{before}{TABLE_BEGIN}\n{wiring_table(pins)}\n{TABLE_END}{after}",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main(sys.argv[1:])
