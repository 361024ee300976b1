"""How high a camera may hang: what its lens covers and how many pixels that leaves for the rank of an index.

A lens that draws straight lines straight, looking straight down, covers 2·h·tan(angle/2) from the height h. The short
side of the picture must hold the marked square; its rows are the pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, ceil, degrees, floor, hypot, radians, tan

from tablepi.vision.eye import JUMBO_RANK, LEAST, RANK, WANTED
from tablepi.vision.markers import SQUARE

COVERED = SQUARE + 20.0
"""Millimetres that the picture's short side covers at least: the marked square, and 1 cm on either side."""

MOVING_MM_S = 1000.0
"""A card that is put down, millimetres a second: an estimate."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's lens: its angles of view across and down, in degrees, and the sizes of picture that it is used with.
    *focal_mm*, *f_number* and *pixel_mm*, the pixel's side in the first of the sizes, are known of few."""

    name: str
    across: float
    down: float
    sizes: tuple[tuple[int, int], ...]
    focal_mm: float = 0.0
    f_number: float = 0.0
    pixel_mm: float = 0.0


def from_diagonal(angle: float, width: int, height: int) -> tuple[float, float]:
    """The angles across and down, in degrees, of a lens of so many degrees across the diagonal of width:height."""
    half = tan(radians(angle) / 2) / hypot(width, height)
    return 2 * degrees(atan(half * width)), 2 * degrees(atan(half * height))


# Camera Module 3: angles as Raspberry Pi gives them; f 4.74 mm (Wide 2.75), f/1.8 (f/2.2), pixels of 1.4 µm, of which
# 2304 × 1296 takes two by two.
LENSES = (
    Lens("Camera Module 3 (66° × 41°)", 66, 41, ((2304, 1296), (1280, 720)), 4.74, 1.8, 0.0028),
    Lens("Camera Module 3 Wide (102° × 67°)", 102, 67, ((2304, 1296),), 2.75, 2.2, 0.0028),
    Lens("USB camera, 78° across the diagonal", *from_diagonal(78, 16, 9), ((1920, 1080), (1280, 720))),
)


def covers_mm(angle: float, height_mm: float) -> float:
    """The millimetres of the table that an *angle* of view, in degrees, covers from a height."""
    return 2 * height_mm * tan(radians(angle) / 2)


def height_for(angle: float, covered_mm: float) -> float:
    """The height in millimetres from which an *angle* covers so much."""
    return covered_mm / (2 * tan(radians(angle) / 2))


def rank_pixels(rows: int, covered_mm: float, rank_mm: float) -> float:
    """Pixels of a rank when the picture's *rows* cover so many millimetres."""
    return rows * rank_mm / covered_mm


def heights_cm(lens: Lens, rows: int, rank_mm: float) -> tuple[int, int] | None:
    """From where to where, in whole centimetres, the camera may hang: it sees enough of the table, and a rank has the
    pixels that are wanted. None when both cannot be had."""
    lowest = height_for(lens.down, COVERED) / 10
    highest = height_for(lens.down, rows * rank_mm / WANTED) / 10
    return (ceil(lowest), floor(highest)) if ceil(lowest) <= floor(highest) else None


def heights_table() -> str:
    """How high each camera may hang, as a table in Markdown."""
    lines = ["| camera | picture | standard index | jumbo index |", "|---|---|---|---|"]
    for lens in LENSES:
        for number, (width, rows) in enumerate(lens.sizes):
            said = (heights_cm(lens, rows, rank) for rank in (RANK, JUMBO_RANK))
            cells = " | ".join("too coarse" if span is None else f"{span[0]} to {span[1]} cm" for span in said)
            lines.append(f"| {'' if number else lens.name} | {width}×{rows} | {cells} |".replace("|  |", "| |"))
    return "\n".join(lines)


def cover_table() -> str:
    """From which height each camera covers enough, and what a rank is then, as a table in Markdown."""
    lines = [
        f"| camera | covers {COVERED / 10:g} cm from | and across | picture | standard index | jumbo index |",
        "|---|---|---|---|---|---|",
    ]
    for lens in LENSES:
        height = height_for(lens.down, COVERED)
        first = f"{lens.name} | {ceil(height / 10)} cm | {covers_mm(lens.across, height) / 10:.0f} cm"
        for width, rows in lens.sizes:
            cells = " | ".join(_judged(rank_pixels(rows, COVERED, rank)) for rank in (RANK, JUMBO_RANK))
            lines.append(f"| {first} | {width}×{rows} | {cells} |")
            first = " | | "
    return "\n".join(lines)


AREAS_CM = (40, 52, 90)
ROWS = (720, 1080, 1296, 2160, 2592)


def pixels_table() -> str:
    """Pixels of a rank, standard and jumbo, by the rows of the picture and what they cover, as a table in Markdown."""
    lines = [
        "| rows | " + " | ".join(f"{area} cm: standard, jumbo" for area in AREAS_CM) + " |",
        "|---|" + "---|" * len(AREAS_CM),
    ]
    for rows in ROWS:
        cells = []
        for area in AREAS_CM:
            both = (rank_pixels(rows, 10 * area, rank) for rank in (RANK, JUMBO_RANK))
            cells.append(", ".join(_judged(pixels) for pixels in both))
        lines.append(f"| {rows} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _judged(pixels: float) -> str:
    """Whole pixels: bold where they are enough, in brackets where hardly any card is read."""
    if pixels >= WANTED:
        return f"**{floor(pixels)}**"
    return f"({floor(pixels)})" if pixels < LEAST else f"{floor(pixels)}"


def sharp_cm(lens: Lens, height_cm: float) -> tuple[float, float]:
    """From where to where things are sharp, in centimetres before the lens, when it is set to *height_cm*: they are
    blurred by one pixel at most."""
    height = 10 * height_cm
    hyperfocal = lens.focal_mm**2 / (lens.f_number * lens.pixel_mm)
    near = hyperfocal * height / (hyperfocal + height) / 10
    return near, hyperfocal * height / (hyperfocal - height) / 10 if height < hyperfocal else float("inf")


EXPOSURES_MS = (4.0, 10.0, 20.0)
SHARP_HEIGHTS_CM = (70, 86)


def sharpness_table() -> str:
    """Which depth is sharp, and what a moving card smears over, as a table in Markdown."""
    lens = LENSES[0]
    _, rows = lens.sizes[0]
    lines = ["| set to | sharp from | to |", "|---|---|---|"]
    for height in SHARP_HEIGHTS_CM:
        near, far = sharp_cm(lens, height)
        lines.append(f"| {height} cm | {ceil(near)} cm | {floor(far)} cm |")
    lines += [
        "",
        "| exposure | a card at 1 m/s smears over | pixels at " + f"{SHARP_HEIGHTS_CM[0]} cm |",
        "|---|---|---|",
    ]
    for exposure in EXPOSURES_MS:
        smear = MOVING_MM_S * exposure / 1000
        pixels = rank_pixels(rows, covers_mm(lens.down, 10 * SHARP_HEIGHTS_CM[0]), smear)
        lines.append(f"| {exposure:g} ms | {smear:g} mm | {pixels:.0f} |")
    return "\n".join(lines)
