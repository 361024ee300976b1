"""What each pin of a table is wired to, reckoned from its pin map: wires, currents, and both as tables in Markdown.

The program and the drawing read the same pin map, so they cannot disagree. What a pin map does not hold is here: what
the header carries, which pins a bus takes, and what the resistors are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

PinMap = Mapping[str, Any]
Kind = Literal["lamp", "centre", "buttons", "buzzer", "reader", "supply", "strip"]

HERE = Path(__file__).resolve().parent

# The 40-pin header: what each pin carries, pins 1 to 40. A number is a BCM pin.
HEADER: tuple[int | str, ...] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15),
    *(17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND"),
    *(6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
HEADER_PIN = {carries: pin for pin, carries in enumerate(HEADER, start=1) if isinstance(carries, int)}
FIVE_VOLT_PIN = 4

# --- buses ---------------------------------------------------------------------------------------------------------

EEPROM = {0: "ID_SD", 1: "ID_SC"}
"""For the EEPROM of plug-on boards: looked at by the firmware at every start."""
CLOCK = {2: "SDA", 3: "SCL"}
"""I2C of a DS3231 clock: kept free for it in every pin map. The board pulls both up with 1.8 kΩ."""
SPI0 = {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"}
"""What ``dtparam=spi=on`` takes, whether it is wired or not."""


@dataclass(frozen=True, slots=True)
class Uart:
    """One serial port of the header, the same pins on a Pi 4 and a Pi 5: what switches it on in config.txt, and the
    name of its device in the kernel, by the address of its registers. *tx* and *rx* are the Pi's own, BCM."""

    tx: int
    rx: int
    pi4: tuple[str, ...]
    pi4_device: str
    pi5: tuple[str, ...]
    pi5_device: str
    pi5_port: str


# Overlays and pins: the kernel's overlays/README and the uartN-pi5 overlays; addresses: bcm2711.dtsi and rp1.dtsi.
UARTS = (
    Uart(
        *(14, 15),
        *(("enable_uart=1", "dtoverlay=disable-bt"), "fe201000.serial"),
        *(("dtoverlay=uart0-pi5",), "1f00030000.serial", "/dev/ttyAMA0"),
    ),
    Uart(4, 5, ("dtoverlay=uart3",), "fe201600.serial", ("dtoverlay=uart2-pi5",), "1f00038000.serial", "/dev/ttyAMA2"),
    Uart(8, 9, ("dtoverlay=uart4",), "fe201800.serial", ("dtoverlay=uart3-pi5",), "1f0003c000.serial", "/dev/ttyAMA3"),
    Uart(
        *(12, 13),
        *(("dtoverlay=uart5",), "fe201a00.serial"),
        *(("dtoverlay=uart4-pi5",), "1f00040000.serial", "/dev/ttyAMA4"),
    ),
)
"""Those of seats 0 to 3. The UART on GPIO 0 and 1 is left to the EEPROM."""
RESET_PIN = 7
"""RSTPDN of all the reader boards: low switches the chips off, and GPIO 7 is pulled up from power-on."""

# --- resistors -----------------------------------------------------------------------------------------------------

SUPPLY_V = 3.3
# "pin" is a lamp of one colour: reckoned for red, the most; a white or blue one takes less, and shines less.
FORWARD_V = {"red": 2.0, "green": 3.0, "blue": 3.0, "pin": 2.0}
SEAT_OHM = {"red": 330, "green": 100, "blue": 100, "pin": 330}
# With the seats' resistors in the centre too, all lamps white and the buzzer would pass the limit of all pins together.
CENTRE_OHM = {"red": 470, "green": 150, "blue": 150, "pin": 470}
PULL_DOWN_OHM = 10_000
BASE_V, BASE_OHM = 0.7, 2_200
RESET_OHM = 10_000  # the pull-up on each reader board, an estimate: pulled down, the pin takes the current of all
STRIP_OHM = 330

MOST_MA_A_PIN, MOST_MA = 16, 50

READER_MA = 150  # one PN532 board with its field on, the most: an estimate
PIXEL_MA = 60  # one WS2812B, white and full: three colours of 20 mA, an estimate
PIXELS_A_STICK = 8
STRIP_SHARE = 0.2
"""The most that the lamps of a strip shine, of 1."""

# These pins have the chip's own pull-up at power-on, the rest of 9 to 27 its pull-down: without a stronger pull-down
# outside, a lamp on one of these glows until the program runs.
PULLED_UP_AT_POWER_ON = range(9)


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is drawn: its pin map is ``pins-NAME.yaml``, its drawing ``wiring-NAME.svg``. *readers* are those of
    tags; *sticks* of WS2812 are its lamps, on SPI, whose pin is no matter of the pin map."""

    name: str
    title: str
    readers: Literal["usb", "uarts"] | None = None
    sticks: int = 0

    @property
    def pins(self) -> Path:
        return HERE / f"pins-{self.name}.yaml"

    @property
    def drawing(self) -> Path:
        return HERE / f"wiring-{self.name}.svg"

    @property
    def seats(self) -> int:
        return len(UARTS)


TABLES = (
    Table("camera", "camera and display, two buttons and a buzzer"),
    Table("four-seats", "four seats, readers on USB", readers="usb"),
    Table("pn532-uarts", "four seats, PN532 readers on the Pi's UARTs", readers="uarts"),
    Table("ws2812", "four seats, WS2812 lamps, readers on USB", readers="usb", sticks=len(UARTS) + 1),
)


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: from *pin* of the header (1 to 40) to the *leg* of a part; *bcm* is None for supply and ground."""

    pin: int
    bcm: int | None
    part: str
    leg: str
    kind: Kind

    @property
    def row(self) -> int:
        return (self.pin - 1) // 2

    @property
    def side(self) -> int:
        """-1 for the left column of the header (odd pins), 1 for the right one."""
        return -1 if self.pin % 2 else 1


# --- the pin map ---------------------------------------------------------------------------------------------------


def load_pins(path: Path, table: Table) -> PinMap:
    """The pin map in the file *path*, checked for *table*. Raises ValueError that names the file and the pin."""
    pins: PinMap = yaml.safe_load(path.read_text(encoding="utf-8"))
    taken = {bcm: f"{line} of SPI" for bcm, line in SPI0.items()} if table.sticks else {}
    taken |= {bcm: f"{line} of the clock's I2C" for bcm, line in CLOCK.items()}
    used: dict[int, str] = {}
    for kind, part, leg, bcm in _signals(pins, table):
        where = f"{part} {leg}"
        if bcm not in HEADER_PIN or bcm in EEPROM:
            raise ValueError(f"{path.name}: {where}: {bcm!r} is no pin to use: take one of BCM 4 to 27")
        if bcm in taken and kind != "strip":
            raise ValueError(f"{path.name}: {where}: pin {bcm} is {taken[bcm]}")
        if bcm in used:
            raise ValueError(f"{path.name}: {where}: pin {bcm} is taken by {used[bcm]}")
        used[bcm] = where
    return pins


def _signals(pins: PinMap, table: Table) -> Iterator[tuple[Kind, str, str, int]]:
    names = [seat["name"] for seat in pins.get("seats", ())]
    if table.readers == "uarts":
        for name, uart in zip(names, UARTS, strict=True):
            yield from (("reader", f"reader {name}", leg, bcm) for leg, bcm in (("RXD", uart.tx), ("TXD", uart.rx)))
        yield "supply", "readers' supply", "RSTPDN", RESET_PIN
    for seat in pins.get("seats", ()):
        yield from (("lamp", f"lamp {seat['name']}", leg, seat[leg]) for leg in SEAT_OHM if leg in seat)
    if table.sticks:
        yield "strip", "WS2812 lamps", "data", next(bcm for bcm, line in SPI0.items() if line == "MOSI")
    yield from (("buttons", "buttons", name, bcm) for name, bcm in pins.get("buttons", {}).items())
    if "buzzer" in pins:
        yield "buzzer", "buzzer", "signal", pins["buzzer"]
    if "centre" in pins:
        yield from (("centre", "centre lamp", leg, pins["centre"][leg]) for leg in CENTRE_OHM if leg in pins["centre"])


def wires(pins: PinMap, table: Table) -> tuple[Wire, ...]:
    """Every wire of *table*, part by part. Each part gets the free ground pin nearest to its other pins; reader boards
    have theirs at the supply, where all grounds meet."""
    signals = [Wire(HEADER_PIN[bcm], bcm, part, leg, kind) for kind, part, leg, bcm in _signals(pins, table)]
    free = [pin for pin, carries in enumerate(HEADER, start=1) if carries == "GND"]
    found: list[Wire] = []
    for part in dict.fromkeys(wire.part for wire in signals):
        own = [wire for wire in signals if wire.part == part]
        kind = own[0].kind
        if kind != "reader":
            side, row = side_of(own), sum(wire.row for wire in own) / len(own)
            # A ground on the other side of the header is as good as one that is six rows away.
            ground = min(free, key=lambda pin: abs((pin - 1) // 2 - row) + 6 * ((1 if pin % 2 == 0 else -1) != side))
            free.remove(ground)
            own.append(Wire(ground, None, part, "GND", kind))
        if kind == "buzzer":
            own.append(Wire(FIVE_VOLT_PIN, None, part, "5V", kind))
        found += sorted(own, key=lambda wire: wire.pin)
    return tuple(found)


def side_of(own: Iterable[Wire]) -> int:
    """The side of the header that has most of these wires."""
    return -1 if sum(wire.side for wire in own) <= 0 else 1


# --- resistors and currents ----------------------------------------------------------------------------------------


def needs_pull_down(wire: Wire) -> bool:
    """Whether a lamp on this wire glows at power-on unless a resistor holds the pin down."""
    return wire.leg in FORWARD_V and wire.bcm in PULLED_UP_AT_POWER_ON


def series_ohm(wire: Wire) -> int:
    """The resistor, in ohms, between the pin of *wire* and what it drives; 0 where there is none."""
    match wire.kind, wire.leg:
        case "lamp", colour:
            return SEAT_OHM.get(colour, 0)
        case "centre", colour:
            return CENTRE_OHM.get(colour, 0)
        case "buzzer", "signal":
            return BASE_OHM
        case "strip", "data":
            return STRIP_OHM
        case _:
            return 0


def current_ma(wire: Wire) -> float:
    """The most that *wire* draws from its pin or lets flow into it, in mA; the pin's own resistance makes it a little
    less. Buttons, inputs of chips, ground and supply draw nothing from a pin."""
    if wire.leg == "RSTPDN":
        return 1000 * SUPPLY_V / RESET_OHM * len(UARTS)
    if wire.leg not in FORWARD_V and wire.leg != "signal":
        return 0.0
    driven = 1000 * (SUPPLY_V - FORWARD_V.get(wire.leg, BASE_V)) / series_ohm(wire)
    return driven + (1000 * SUPPLY_V / PULL_DOWN_OHM if needs_pull_down(wire) else 0.0)


def total_ma(pins: PinMap, table: Table) -> float:
    """What all pins give together when everything shines and sounds at once, in mA."""
    return sum(current_ma(wire) for wire in wires(pins, table))


def resistors(pins: PinMap, table: Table) -> Counter[int]:
    """How many resistors of how many ohms *table* has."""
    all_wires = wires(pins, table)
    return Counter(
        [ohm for wire in all_wires if (ohm := series_ohm(wire))]
        + [PULL_DOWN_OHM for wire in all_wires if needs_pull_down(wire)]
    )


def ohms(value: int) -> str:
    """``330 Ω``, ``2.2 kΩ``."""
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value} Ω"


# --- as Markdown ---------------------------------------------------------------------------------------------------


def wiring_table(pins: PinMap, table: Table) -> str:
    """The wires as a table, in the order of the header's pins."""
    lines = ["| header pin | BCM | goes to | through |", "|---|---|---|---|"]
    for wire in sorted(wires(pins, table), key=lambda wire: wire.pin):
        carries = wire.leg if wire.bcm is None else str(wire.bcm)
        lines.append(f"| {wire.pin} | {carries} | {_destination(wire)} | {_through(wire)} |")
    return "\n".join(lines)


def _destination(wire: Wire) -> str:
    if wire.leg == "GND":
        return f"{wire.part}, " + ("cathode" if wire.kind in ("lamp", "centre") else "ground")
    return f"{wire.part}, {wire.leg}"


def _through(wire: Wire) -> str:
    match wire.kind:
        case "lamp" | "centre" if wire.leg in FORWARD_V:
            pull_down = f"; {ohms(PULL_DOWN_OHM)} from the pin to ground" if needs_pull_down(wire) else ""
            return f"{ohms(series_ohm(wire))}{pull_down}"
        case "buzzer" if wire.leg == "signal":
            return f"{ohms(BASE_OHM)} to the base of the transistor"
        case "buttons" if wire.bcm is not None:
            return "no resistor: the pin's own pull-up"
        case "supply" if wire.bcm is not None:
            return "no resistor: each board pulls it up"
        case "strip" if wire.bcm is not None:
            return f"74AHCT125, then {ohms(STRIP_OHM)}"
        case _:
            return "-"


def resistor_table() -> str:
    """The arithmetic of every resistor."""
    lines = ["| where | forward voltage | R | current |", "|---|---|---|---|"]
    for where, values in (("a seat's", SEAT_OHM), ("the centre's", CENTRE_OHM)):
        for ohm in dict.fromkeys(values.values()):
            colours = [colour for colour in values if values[colour] == ohm]
            named = ", ".join(colours).replace("pin", "or its only one")
            lines.append(f"| {where} {named} | {_reckoned(FORWARD_V[colours[0]], ohm)} |")
    lines.append(f"| base of the transistor | {_reckoned(BASE_V, BASE_OHM)} |")
    return "\n".join(lines)


def _reckoned(volts: float, ohm: int) -> str:
    over = SUPPLY_V - volts
    return f"{volts:.1f} V | {ohms(ohm)} | {over:.1f} V / {ohms(ohm)} = {1000 * over / ohm:.1f} mA"


def current_table(maps: Iterable[tuple[PinMap, Table]]) -> str:
    """What the pins of each table give at most, part by part, in mA."""
    columns = [(table.name, wires(pins, table)) for pins, table in maps]
    lines = ["| what | " + " | ".join(f"`{name}`" for name, _ in columns) + " |", "|---|" + "---|" * len(columns)]
    rows: tuple[tuple[str, tuple[Kind, ...]], ...] = (
        ("the seats' lamps, all white", ("lamp",)),
        ("the centre lamp, white", ("centre",)),
        ("base of the buzzer's transistor", ("buzzer",)),
        ("reset of the readers", ("supply",)),
    )
    for what, kinds in rows:
        sums = [sum(current_ma(wire) for wire in own if wire.kind in kinds) for _, own in columns]
        lines.append(f"| {what} | " + " | ".join(f"{ma:.1f}" if ma else "-" for ma in sums) + " |")
    most = [max(map(current_ma, own)) for _, own in columns]
    lines.append(f"| the most of one pin (under {MOST_MA_A_PIN}) | " + " | ".join(f"{ma:.1f}" for ma in most) + " |")
    total = [sum(map(current_ma, own)) for _, own in columns]
    lines.append(f"| **all at once** (under {MOST_MA}) | " + " | ".join(f"**{ma:.1f}**" for ma in total) + " |")
    return "\n".join(lines)


def strip_table() -> str:
    """What the lamps of a strip take from their supply."""
    pixels = PIXELS_A_STICK * max(table.sticks for table in TABLES)
    full = pixels * PIXEL_MA / 1000
    return "\n".join(
        [
            "| what shines | from the 5 V supply |",
            "|---|---|",
            f"| {pixels} lamps white and full, {PIXEL_MA} mA each | {full:.2f} A |",
            f"| the same at `brightness: {STRIP_SHARE:g}` | {full * STRIP_SHARE:.2f} A |",
        ]
    )


def uart_table() -> str:
    """The readers' UARTs: pins, and what switches them on."""
    lines = [
        "| seat | GPIO TX, RX | header pins | Pi 4, config.txt | its device | Pi 5, config.txt | its device | port |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for seat, (name, uart) in enumerate(zip("NESW", UARTS, strict=True)):
        pins = f"{HEADER_PIN[uart.tx]}, {HEADER_PIN[uart.rx]}"
        four, five = (" ".join(f"`{line}`" for line in of) for of in (uart.pi4, uart.pi5))
        lines.append(
            f"| {seat} ({name}) | {uart.tx}, {uart.rx} | {pins} | {four} | `{uart.pi4_device}` | {five} |"
            f" `{uart.pi5_device}` (`{uart.pi5_port}`) | `/dev/tablepi/reader-{seat}` |"
        )
    return "\n".join(lines)
