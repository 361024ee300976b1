"""How well the card reader reads decks unlike any that trained it: those that the project draws for its virtual table.

``python -m tests.bench.vision_decks``. The faces share no font, no suit sign and no court with the training; the
tables, the light and the camera are drawn here as well. Everything follows from the seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import ALL_CARDS, Card
from tablepi.errors import TablePiError
from tablepi.virtual.deck import STYLES, Corner, Deck, Style

from .tables import Results, machine, print_table
from .vision_frames import FRAME
from .vision_score import Figures, Label, Photograph, Read, Verdict, figures, judge

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

SCENES = 24
LEAST = 20.0
"""Pixels of the smallest index that a card of a scene shows whole: a little above the reader's floor."""

CLOTHS = ((58, 92, 34), (120, 72, 40), (44, 34, 110), (60, 96, 140), (128, 126, 122), (40, 40, 44), (196, 204, 208))
"""Baize green, blue, wine, wood, grey, black, a pale sheet; blue, green, red."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One index as the camera sees it: where and how large in pixels, *up* in radians clockwise from the frame's up."""

    x: float
    y: float
    up: float
    size: float


@dataclass(frozen=True, slots=True)
class Lying:
    """A card of a scene and those of its indices that are seen whole, one at least."""

    card: Card
    indices: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """*frame* (720, 1280, 3) uint8 BGR, and the cards in it, the lowest first. Backs and jokers are no cards."""

    frame: Image
    lying: tuple[Lying, ...]


class Reader(Protocol):
    threshold: float

    def read(self, frame: Image) -> Sequence[Read]: ...


# --- scenes ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Laid:
    """Something laid on the table: *card* is None for a back or a joker; *to_frame* from millimetres of the card."""

    card: Card | None
    picture: Image
    to_frame: Matrix
    corners: tuple[Corner, ...]


def scenes(style: Style, count: int, *, seed: int = 1) -> Iterator[Scene]:
    """*count* photographs of cards of one deck; number *n* is the same whatever *count* is."""
    deck = Deck(style, scale=6.0)
    number = list(STYLES).index(style.name) if style.name in STYLES else len(STYLES)
    for n in range(count):
        yield scene(np.random.default_rng([seed, number, n]), deck)


def scene(rng: np.random.Generator, deck: Deck) -> Scene:
    """One photograph of up to seven cards, backs and jokers; every card shows an index of ``LEAST`` pixels whole."""
    view = _view(rng, deck)
    laid = _laid(rng, deck, view)
    frame = _table(rng)
    for one in laid:
        _lay(rng, frame, one, deck)
    shown = [(one.card, _shown(one, laid[i + 1 :], deck)) for i, one in enumerate(laid)]
    return Scene(_photographed(rng, frame), tuple(Lying(c, indices) for c, indices in shown if c is not None))


def _view(rng: np.random.Generator, deck: Deck) -> Matrix:
    """From millimetres of the table, about the middle of the frame, to pixels: so near that the deck's indices are
    large enough, and so far that a card fits."""
    index = max(at.size for at in deck.indices(ALL_CARDS[-1])) / deck.scale
    least = max(130.0, 1.35 * LEAST * deck.style.size[1] / index)
    high = float(np.exp(rng.uniform(np.log(least), np.log(least + 190))))
    scale = high / deck.style.size[1]
    tilt, side, roll = np.radians(rng.uniform(0, 32)), rng.uniform(-0.5, 0.5), rng.uniform(0, 2 * np.pi)
    away = rng.uniform(1.6, 3.0) * FRAME[0]
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, -np.sin(tilt) / away, 1]])
    middle = np.array([[1, 0, FRAME[0] / 2], [0, 1, FRAME[1] / 2], [0, 0, 1]])
    return middle @ _turn(side) @ lean @ _turn(roll) @ np.diag([scale, scale, 1])


def _turn(by: float) -> Matrix:
    return np.array([[np.cos(by), -np.sin(by), 0], [np.sin(by), np.cos(by), 0], [0, 0, 1]])


def _laid(rng: np.random.Generator, deck: Deck, view: Matrix) -> list[_Laid]:
    """Cards alone, on one another and in fans: laid one by one, each where all stay readable, or not at all."""
    wanted, laid = int(rng.integers(1, 8)), list[_Laid]()
    names = [ALL_CARDS[i] for i in rng.permutation(52)]
    pose = np.zeros(3)
    for _ in range(60):
        if len(laid) == wanted:
            break
        before = pose.copy()
        way = rng.random() if laid else 1.0
        if way < 0.3:  # the next of a fan
            turn = rng.uniform(0.12, 0.3)
            pose[:2] += _turn(pose[2])[:2, :2] @ [rng.uniform(12, 24), rng.uniform(-4, 4)]
            pose[2] += turn
        elif way < 0.6:  # across the last one
            pose = np.array([*(pose[:2] + rng.normal(0, 34, 2)), rng.uniform(0, 2 * np.pi)])
        else:
            at = np.array([[[rng.uniform(0.1, 0.9) * FRAME[0], rng.uniform(0.14, 0.86) * FRAME[1]]]])
            pose = np.array([*cv2.perspectiveTransform(at, np.linalg.inv(view))[0, 0], rng.uniform(0, 2 * np.pi)])
        trial = [*laid, _one(rng, deck, view, pose, names)]
        if all(o.card is None or _shown(o, trial[i + 1 :], deck) for i, o in enumerate(trial)):
            laid = trial
            if trial[-1].card is not None:
                names.remove(trial[-1].card)
        else:
            pose = before
    return laid


def _one(rng: np.random.Generator, deck: Deck, view: Matrix, pose: NDArray[np.float64], names: list[Card]) -> _Laid:
    wide, high = (pixels / deck.scale for pixels in reversed(deck.shape))
    to_middle = np.array([[1, 0, -wide / 2], [0, 1, -high / 2], [0, 0, 1]])
    there = np.array([[1, 0, pose[0]], [0, 1, pose[1]], [0, 0, 1]])
    to_frame = view @ there @ _turn(pose[2]) @ to_middle
    what = rng.random()
    if what < 0.1:
        return _Laid(None, deck.back() if what < 0.07 else deck.joker(), to_frame, ())
    return _Laid(names[0], deck.face(names[0]), to_frame, deck.indices(names[0]))


def _shown(one: _Laid, above: Sequence[_Laid], deck: Deck) -> tuple[Shown, ...]:
    """The indices of *one* that lie in the frame, under none of those *above*, and are large enough."""
    found = []
    for at in one.corners:
        x0, y0, x1, y1 = (v / deck.scale for v in at.box)
        m = 0.8  # millimetres of paper that must be seen around the index
        grid = np.stack(np.meshgrid(np.linspace(x0 - m, x1 + m, 7), np.linspace(y0 - m, y1 + m, 9)), -1).reshape(
            1, -1, 2
        )
        seen = cv2.perspectiveTransform(grid, one.to_frame)[0]
        if seen.min() < 2 or (seen > np.array(FRAME) - 2).any():
            continue
        if any(cv2.pointPolygonTest(_quad(o, deck), (float(x), float(y)), False) >= 0 for o in above for x, y in seen):
            continue
        shown = _as_seen(at, one.to_frame, deck)
        if shown.size >= LEAST:
            found.append(shown)
    return tuple(found)


def _as_seen(at: Corner, to_frame: Matrix, deck: Deck) -> Shown:
    middle, step = np.array([at.x, at.y]) / deck.scale, at.size / deck.scale / 4
    up = [0, -step if at.up == 0 else step]
    marks = middle + np.array([[[0, 0], up, [step, 0], [0, step]]])
    here, above, right, below = cv2.perspectiveTransform(marks, to_frame)[0]
    across, down = (right - here) * 4, (below - here) * 4
    size = np.sqrt(abs(across[0] * down[1] - across[1] * down[0]))
    return Shown(*(float(v) for v in (*here, np.arctan2(above[0] - here[0], here[1] - above[1]), size)))


def _quad(one: _Laid, deck: Deck) -> NDArray[np.float32]:
    wide, high = (pixels / deck.scale for pixels in reversed(deck.shape))
    edge = np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float64)
    return cv2.perspectiveTransform(edge, one.to_frame)[0].astype(np.float32)


def _table(rng: np.random.Generator) -> Image:
    wide, high = FRAME
    cloth = np.empty((high, wide, 3), np.float32)
    cloth[:] = np.array(CLOTHS[rng.integers(len(CLOTHS))]) * rng.uniform(0.75, 1.2)
    for cells, deep in ((5, 0.05), (40, 0.03), (360, 0.09)):  # worn places, folds, threads
        field = rng.normal(0, 1, (cells, cells * 2)).astype(np.float32)
        cloth *= 1 + deep * rng.uniform(0.2, 1) * cv2.resize(field, FRAME, interpolation=cv2.INTER_CUBIC)[..., None]
    return np.clip(cloth, 0, 255).astype(np.uint8)


def _lay(rng: np.random.Generator, frame: Image, one: _Laid, deck: Deck) -> None:
    quad = _quad(one, deck)
    scale = float(np.sqrt(cv2.contourArea(quad) / np.prod(deck.shape)))
    picture, outline, shrink = one.picture, deck.outline(), 1.0
    if scale < 0.7:  # fewer pixels first, so that nothing aliases
        shrink = 1.4 * scale
        picture, outline = (
            cv2.resize(p, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) for p in (picture, outline)
        )
    rows, columns = picture.shape[:2]
    to_mm = np.diag([deck.shape[1] / columns / deck.scale, deck.shape[0] / rows / deck.scale, 1])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # a pixel's middle is half a pixel from its corner
    to_frame = np.linalg.inv(half) @ one.to_frame @ to_mm @ half
    flat = cv2.warpPerspective(picture, to_frame, FRAME, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(outline, to_frame, FRAME, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
    shade = cv2.GaussianBlur(alpha, (0, 0), rng.uniform(1.5, 4))
    shade = cv2.warpAffine(shade, np.array([[1, 0, rng.uniform(-3, 3)], [0, 1, rng.uniform(-1, 4)]]), FRAME)[..., None]
    under = frame * (1 - shade * rng.uniform(0.25, 0.5))
    frame[:] = np.clip(under * (1 - alpha) + flat * alpha * rng.uniform(0.93, 1.02), 0, 255).astype(np.uint8)


def _photographed(rng: np.random.Generator, table: Image) -> Image:
    """Lamp, lens, sensor, file."""
    light = table.astype(np.float32)
    lamp = rng.uniform(0.55, 1.15, (3, 4)).astype(np.float32)
    light *= cv2.resize(lamp, FRAME, interpolation=cv2.INTER_CUBIC)[..., None]
    if rng.random() < 0.4:  # somebody stands in the light
        shadow = np.zeros(table.shape[:2], np.uint8)
        cv2.fillPoly(shadow, [(rng.uniform(-0.2, 1.2, (4, 2)) * FRAME).astype(np.int32)], 255)
        light *= 1 - rng.uniform(0.15, 0.45) * cv2.GaussianBlur(shadow, (0, 0), 24).astype(np.float32)[..., None] / 255
    light *= rng.normal(1, 0.06, 3) * rng.uniform(0.75, 1.2)
    light = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.35, 1.1))
    noise = rng.normal(0, rng.uniform(1, 6), light.shape).astype(np.float32)
    shot = np.clip(light + noise, 0, 255).astype(np.uint8)
    written = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))])[1]
    return np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8)


# --- measuring ------------------------------------------------------------------------------------------------------


def read_scenes(reader: Reader, style: Style, count: int, *, seed: int = 1) -> list[tuple[Scene, Verdict]]:
    """Each scene with what *reader* made of it at its own threshold."""
    verdicts = []
    for n, shown in enumerate(scenes(style, count, seed=seed)):
        labels = tuple(Label(lying.card) for lying in shown.lying)
        photograph = Photograph(f"{style.name}-{n}", style.name, labels)
        verdicts.append((shown, judge(photograph, reader.read(shown.frame), threshold=reader.threshold)))
    return verdicts


def table_of(by_style: dict[str, Figures], *, seed: int) -> Results:
    """One row a style: images, exact, recall, false; the last is the mean over styles."""
    rows = [
        (name, str(f.images), f"{f.exact.value:.1%}", f"{f.recall.value:.1%}", f"{f.wrong.value:.1%}")
        for name, f in by_style.items()
    ]
    means = [np.mean([getattr(f, m).value for f in by_style.values()]) for m in ("exact", "recall", "wrong")]
    rows.append(("mean", str(sum(f.images for f in by_style.values())), *(f"{m:.1%}" for m in means)))
    return Results(
        f"Drawn decks unlike any in training, seed {seed}: exact, recall of cards, images with a false card",
        ("style", "images", "exact", "recall", "false"),
        tuple(rows),
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_decks")
    parser.add_argument("--models", type=Path, help="the reader's models instead of the project's own")
    parser.add_argument("--scenes", type=int, default=SCENES, help=f"scenes of each style ({SCENES})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--style", action="append", choices=list(STYLES), help="only this one; may be given again")
    parser.add_argument("--failed", type=Path, help="a folder for the pictures that were not read exactly")
    options = parser.parse_args(arguments)
    from tablepi.vision.reader import CardReader

    cv2.setNumThreads(1)
    try:
        reader = CardReader(options.models)
    except TablePiError as error:
        print(error, file=sys.stderr)
        return error.status
    by_style = {}
    for name in options.style or STYLES:
        seen = read_scenes(reader, STYLES[name], options.scenes, seed=options.seed)
        by_style[name] = figures([verdict for _, verdict in seen])
        for shown, verdict in seen:
            if verdict.failed:
                missed = " ".join(str(label.card) for label in verdict.unread)
                false = " ".join(str(reading.card) for reading in verdict.false)
                print(f"{verdict.photograph.file}: not read {missed or '-'}, false {false or '-'}", file=sys.stderr)
                if options.failed:
                    options.failed.mkdir(parents=True, exist_ok=True)
                    cv2.imwrite(str(options.failed / f"{verdict.photograph.file}.png"), shown.frame)
    print(machine())
    print_table(table_of(by_style, seed=options.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
