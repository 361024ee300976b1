"""Pictures of a benchmark run: the photographs that failed, and how far confidence can be trusted.

Drawn with OpenCV alone, so that the benchmark needs nothing that the reader does not need.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import ALL_CARDS

from .vision_score import Bin, Read, Verdict, confusions, error_of

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
THUMB, CELL_WIDE, CELL_HIGH = 400, 840, 470
ACROSS, DOWN = 2, 4
CROP = 130  # an index at 3 times its size is cut to this at most
GREEN, RED, AMBER, WHITE, BLACK, GREY = (
    (60, 200, 60),
    (40, 40, 255),
    (0, 170, 255),
    (255, 255, 255),
    (0, 0, 0),
    (90,) * 3,
)
FONT = cv2.FONT_HERSHEY_SIMPLEX


def write_sheets(failed: Sequence[Verdict], folder: Path, file: Path) -> list[Path]:
    """Contact sheets of the failed photographs, numbered when one does not hold them, and a list of them as text.

    Green: right. Red: false. Amber, thin: below the threshold. White, thin: missed, where its box is known. Beside each
    photograph the indices of what went wrong, turned upright, at three times their size or as much as fits. Returns
    the files written.
    """
    per_sheet, written = ACROSS * DOWN, []
    for first in range(0, max(len(failed), 1), per_sheet):
        number = first // per_sheet + 1
        cells = [_cell(verdict, folder, first + i + 1) for i, verdict in enumerate(failed[first : first + per_sheet])]
        cells += [np.zeros((CELL_HIGH, CELL_WIDE, 3), np.uint8)] * (-len(cells) % ACROSS or (0 if cells else ACROSS))
        sheet = np.vstack([np.hstack(cells[i : i + ACROSS]) for i in range(0, len(cells), ACROSS)])
        path = file.with_stem(f"{file.stem}-{number}") if len(failed) > per_sheet else file
        _write(path, sheet)
        written.append(path)
    text = file.with_name(f"{file.stem}-failures.txt")
    text.write_text("\n".join(_entry(verdict, i) for i, verdict in enumerate(failed, 1)) + "\n", encoding="utf-8")
    return [*written, text]


def _write(path: Path, image: Image) -> None:
    if not cv2.imwrite(str(path), image):
        raise OSError(f"{path}: cannot be written")


def _said(readings: Iterable[Read]) -> str:
    return " ".join(f"{reading.card} ({reading.confidence:.2f})" for reading in readings) or "nothing"


def _line(verdict: Verdict) -> str:
    truth = " ".join(str(label.card) for label in verdict.photograph.labels)
    kept = [reading for reading in verdict.readings if reading.confidence >= verdict.threshold]
    return f"{Path(verdict.photograph.file).name} | {truth} | read {_said(kept)}"


def _wrong(verdict: Verdict) -> list[Read]:
    """What to look at: the false readings, then what was read of the missed cards below the threshold, or near them."""
    below = [reading for reading in verdict.readings if reading.confidence < verdict.threshold]
    missed = {label.card for label in verdict.unread}
    return [*verdict.false, *(r for r in below if r.card in missed), *(r for r in below if r.card not in missed)]


def _entry(verdict: Verdict, number: int) -> str:
    """One failure as text: what was false or missed, and what the indices of it looked like to the reader."""
    photograph = verdict.photograph
    state = "" if photograph.legible else ", not legible: any card is false"
    state += "" if photograph.complete else ", not all cards labelled"
    lines = [f"{number}. {_line(verdict)}", f"   {verdict.model} model, {photograph.kind}{state}"]
    for confusion in confusions(verdict):
        beside = " as well" if confusion.beside else ""
        lines.append(f"   false: {confusion.read}, from {confusion.label or 'no card near'}{beside}")
    if photograph.legible and verdict.unread:
        lines.append(f"   missed: {' '.join(str(label.card) for label in verdict.unread)}")
    for reading in _wrong(verdict)[:8]:
        kind = "false" if reading in verdict.false else "below the threshold"
        lines.append(f"   {kind}: {reading.card} {reading.confidence:.3f} at {reading.box}")
        lines += [f"      {_seen(index)}" for index in getattr(reading, "indices", ())]
    return "\n".join(lines)


def _seen(index) -> str:
    best = sorted(zip(index.chances, ALL_CARDS, strict=False), key=lambda pair: -pair[0])[:3]
    likely = ", ".join(f"{card} {chance:.2f}" for chance, card in best)
    turned = math.degrees(index.up)
    where = f"index at {index.x:.0f},{index.y:.0f}, {index.size:.0f} px, up at {turned:.0f}°, score {index.score:.2f}"
    return f"{where}: {likely}, no card {1 - sum(index.chances):.2f}"


def _cell(verdict: Verdict, folder: Path, number: int) -> Image:
    cell = np.zeros((CELL_HIGH, CELL_WIDE, 3), np.uint8)
    frame = cv2.imread(str(folder / verdict.photograph.file))
    scale = min(THUMB / frame.shape[1], THUMB / frame.shape[0])
    thumb = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for label in verdict.unread:
        if label.box:
            x0, y0, x1, y1 = (round(v * scale) for v in label.box)
            cv2.rectangle(thumb, (x0, y0), (x1, y1), WHITE, 1)
            _words(thumb, f"missed {label.card}", (x0 + 4, y1 - 5), WHITE)
    right = {id(reading) for reading in verdict.right}
    false = {id(reading) for reading in verdict.false}
    for reading in reversed(verdict.readings):
        kept = reading.confidence >= verdict.threshold
        colour = GREEN if id(reading) in right else RED if id(reading) in false else GREY if kept else AMBER
        if kept or reading.confidence > 0.05:
            _boxed(thumb, reading, scale, colour, 2 if kept else 1)
    cell[: thumb.shape[0], : thumb.shape[1]] = thumb
    x, y = THUMB + 10, 0
    for reading in _wrong(verdict):
        colour = RED if id(reading) in false else AMBER
        for index in getattr(reading, "indices", ()):
            if y + CROP + 16 > THUMB:
                x, y = x + CROP + 14, 0
            if x + CROP > CELL_WIDE:
                break
            cell[y : y + CROP, x : x + CROP] = upright(frame, index)
            _words(cell, f"{reading.card} {reading.confidence:.2f}", (x, y + CROP + 12), colour)
            y += CROP + 18
    for row, part in enumerate(_wrapped(f"{number}. {_line(verdict)}", 118)[:3]):
        _words(cell, part, (4, THUMB + 18 + 20 * row), WHITE)
    return cell


def _wrapped(text: str, width: int) -> list[str]:
    return [text[i : i + width] for i in range(0, len(text), width)]


def _boxed(thumb: Image, reading: Read, scale: float, colour: Colour, weight: int) -> None:
    x0, y0, x1, y1 = (round(v * scale) for v in reading.box)
    cv2.rectangle(thumb, (x0, y0), (x1, y1), colour, weight)
    _words(thumb, f"{reading.card} {reading.confidence:.2f}", (x0, max(y0 - 3, 10)), colour)


def _words(image: Image, text: str, at: tuple[int, int], colour: Colour) -> None:
    cv2.putText(image, text, at, FONT, 0.42, BLACK, 3, cv2.LINE_AA)
    cv2.putText(image, text, at, FONT, 0.42, colour, 1, cv2.LINE_AA)


def upright(frame: Image, index) -> Image:
    """The surroundings of an index, turned upright, at three times their size or as much as fits."""
    zoom = min(3.0, CROP / (1.3 * max(index.size, 1.0)))
    sin, cos = math.sin(index.up) / zoom, math.cos(index.up) / zoom
    # From a place in the crop to its place in the frame: right is (cos, sin) there, down is (-sin, cos).
    half = CROP / 2
    matrix = np.array([[cos, -sin, index.x - half * (cos - sin)], [sin, cos, index.y - half * (sin + cos)]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(frame, matrix, (CROP, CROP), flags=flags, borderMode=cv2.BORDER_CONSTANT)


def write_plot(bins: Sequence[Bin], file: Path, *, threshold: float) -> None:
    """A reliability diagram: what readings claim, against how many of them are right.

    A dot is a bin of all readings alike with its 95 % interval and count, a square the mean over sources. On the left
    everything, on the right the corner above 0.9 once more, where the readings that are believed lie.
    """
    panels = np.hstack([_panel(bins, lowest, threshold) for lowest in (0.0, 0.9)])
    head = np.full((64, panels.shape[1], 3), 255, np.uint8)
    count = sum(one.right.all for one in bins)
    title = f"Readings on complete, legible photographs: {count}, calibration error {error_of(bins):.3f}"
    _plain_words(head, title, (PANEL_LEFT, 26), 0.55)
    key = "dot: share right of all readings alike, 95 % interval, count below; square: mean over sources; "
    _plain_words(
        head, f"{key}amber: threshold {threshold:.2f}. Across: confidence claimed. Up: right.", (PANEL_LEFT, 50)
    )
    _write(file, np.vstack([head, panels]))


PANEL, PANEL_LEFT = 560, 60
BLUE = (170, 60, 0)


def _panel(bins: Sequence[Bin], lowest: float, threshold: float) -> Image:
    plot = np.full((PANEL + 100, PANEL + 100, 3), 255, np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        across, up = ((max(v, lowest) - lowest) / (1 - lowest) for v in (x, y))
        return PANEL_LEFT + round(across * PANEL), 14 + round((1 - up) * PANEL)

    for value in np.linspace(lowest, 1, 11):
        cv2.line(plot, at(value, lowest), at(value, 1), (225,) * 3, 1)
        cv2.line(plot, at(lowest, value), at(1, value), (225,) * 3, 1)
        _plain_words(plot, f"{value:.2f}", (at(value, 0)[0] - 14, PANEL + 34))
        _plain_words(plot, f"{value:.2f}", (PANEL_LEFT - 42, at(0, value)[1] + 5))
    cv2.line(plot, at(lowest, lowest), at(1, 1), GREY, 1, cv2.LINE_AA)
    if threshold >= lowest:
        cv2.line(plot, at(threshold, lowest), at(threshold, 1), AMBER, 2)
    for place, one in enumerate(one for one in bins if one.claimed >= lowest):
        low, high = one.right.interval()
        cv2.line(plot, at(one.claimed, low), at(one.claimed, high), BLUE, 2)
        cv2.circle(plot, at(one.claimed, one.right.value), 5, BLUE, cv2.FILLED, cv2.LINE_AA)
        x, y = at(one.claimed, one.over_groups)
        cv2.rectangle(plot, (x - 5, y - 5), (x + 5, y + 5), RED, 1)
        # Counts in three rows: the bins near 1 lie close together.
        _plain_words(plot, str(one.right.all), (x - 12, PANEL + 54 + 16 * (place % 3)), colour=BLUE)
    return plot


def _plain_words(image: Image, text: str, at: tuple[int, int], size: float = 0.42, colour: Colour = BLACK) -> None:
    cv2.putText(image, text, at, FONT, size, colour, 1, cv2.LINE_AA)
