"""From one frame to the cards in it: find indices, name them, put those of one card together, say how sure.

One frame through five files: ``patches`` (the frame and its halves) → ``finder`` (where an index may be) → ``namer``
(what each says) → ``gather`` (which are of one card) → this one, which gives each card its confidence. Of a card of
which one index is seen there is nothing else that could contradict it: that index is looked at more closely first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import ArrayLike, NDArray

from ..cards import Card
from ..errors import BadInput, Missing
from .faces import Faces, Learned
from .finder import Finder, Place
from .gather import gather
from .namer import Named, Namer
from .patches import Pyramid

MODELS = Path(__file__).resolve().parents[2] / "models"
"""The project's models/ folder."""


@dataclass(frozen=True, slots=True)
class Index:
    """One corner index: centre (x, y) and size (rank and suit together) in pixels of the frame, *up* in radians
    clockwise from the frame's up, *score* of the finder, and *chances* of the 52 cards by ``Card.index``: what they
    lack to 1 is no card."""

    x: float
    y: float
    up: float
    size: float
    score: float
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One physical card. *confidence* 0..1 is calibrated: of the cards read with 0.9, nine in ten are right. *box*
    (x0, y0, x1, y1) in pixels of the frame bounds the card where indices of both its ends are read, else its indices;
    it may reach beyond the frame."""

    card: Card
    confidence: float
    box: tuple[int, int, int, int]
    indices: tuple[Index, ...]


class CardReader:
    """Reads frames. The same frame always gives the same readings. Not for two threads at once."""

    threshold: float
    """The confidence under which a reading is not to be trusted."""

    def __init__(
        self,
        models: Path | None = None,
        *,
        letters: Mapping[str, str] | None = None,
        faces: Faces | None = None,
    ) -> None:
        """*models*: the folder of finder.onnx, namer.onnx and reader.yaml; None is the project's own. *letters*: which
        rank (J, Q or K) each court letter of the deck means, None for English, French, Portuguese and German together.
        *faces*: what was learned of the deck's own faces. Raises Missing when the models are not there or cannot be
        read."""
        folder = MODELS if models is None else models
        told = _settings(folder / "reader.yaml")
        self.threshold = told["threshold"]
        self._slope, self._shift = told["slope"], told["shift"]
        self._least_pixels = told["least_pixels"]
        self._finder = Finder(folder / "finder.onnx", least=told["least_score"])
        self._namer = Namer(folder / "namer.onnx", letters, doubt=told["doubt"])
        if faces is not None:
            self.learn(faces)

    def learn(self, faces: Faces) -> Learned:
        """Read with what *faces* teach from now on; in it, they are as this reader's model sees them."""
        return self._namer.learn(faces)

    def read(self, frame: NDArray[np.uint8], per_mm: float | None = None) -> list[Reading]:
        """The cards of *frame* (h, w, 3) uint8 BGR, surest first, those below the threshold too. Where it is known how
        many pixels a millimetre of the table has, *per_mm*, a part of a large frame is searched no finer than an index
        needs. Raises ValueError for an array that is no such frame."""
        cards = gather(self.name(frame, per_mm), per_mm)
        unsure, others = list[Named](), list[Named]()
        for _, _, indices in cards:
            alone = len(indices) == 1 and self._namer.unsure_alone(indices[0])
            (unsure if alone else others).extend(indices)
        if unsure:
            cards = gather([*others, *self._namer.again(Pyramid(frame), unsure)], per_mm)
        return [self._reading(card, chance, indices) for card, chance, indices in cards]

    def name(self, frame: NDArray[np.uint8], per_mm: float | None = None) -> list[Named]:
        """The indices of *frame* before they are put together."""
        if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8 or not frame.size:
            raise ValueError(f"a frame is (height, width, 3) of uint8, not {frame.shape} of {frame.dtype}")
        # The finder's size is rougher than the namer's: what is a little too small by its word is still asked about.
        places = [p for p in self._finder.find(frame, per_mm) if p.size >= 0.8 * self._least_pixels]
        return [n for n in self._namer.name(Pyramid(frame), places) if n.place.size >= self._least_pixels]

    def looks(
        self, frame: NDArray[np.uint8], places: Sequence[Place]
    ) -> list[tuple[NDArray[np.uint8], NDArray[np.float64]]]:
        """What ``faces.Look`` keeps of the indices at *places*, which ``name`` gave: their patches, and what is told of
        each."""
        pyramid = Pyramid(frame)
        return [self._namer.look(pyramid, place) for place in places]

    def _reading(self, card: Card, chance: float, indices: tuple[Named, ...]) -> Reading:
        sure = float(calibrated(chance, self._slope, self._shift))
        return Reading(
            card,
            sure,
            _box(indices),
            tuple(
                Index(n.place.x, n.place.y, n.place.up, n.place.size, n.place.score, tuple(n.chances.tolist()))
                for n in indices
            ),
        )


SIDE, END = 0.45, 0.8
"""Index sizes from an index to the side and to the end of its card: 6 and 11 of 14 mm on ordinary cards."""


def _box(indices: Sequence[Named]) -> tuple[int, int, int, int]:
    """What bounds the indices of a card, and the card when both its ends are among them."""
    points = [(n.place.x + dx * n.place.size / 2, n.place.y + dy * n.place.size / 2)
              for n in indices for dx, dy in ((-1, -1), (1, 1))]  # fmt: skip
    first = indices[0].place
    for other in (n.place for n in indices[1:]):
        if np.cos(other.up - first.up) < 0:  # the other end: the card lies between them, and a margin round it
            up = np.angle(np.exp(1j * first.up) - np.exp(1j * other.up))
            c, s, size = np.cos(up), np.sin(up), (first.size + other.size) / 2
            dx, dy = other.x - first.x, other.y - first.y
            half_w = abs(dx * c + dy * s) / 2 + SIDE * size
            half_h = abs(-dx * s + dy * c) / 2 + END * size
            x, y = (first.x + other.x) / 2, (first.y + other.y) / 2
            points += [(x + u * half_w * c - v * half_h * s, y + u * half_w * s + v * half_h * c)
                       for u in (-1, 1) for v in (-1, 1)]  # fmt: skip
    xs, ys = zip(*points, strict=True)
    return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))


def logit(chance: ArrayLike) -> NDArray[np.float64]:
    """The logit of each *chance*; that of 0 and 1 is finite."""
    p = np.clip(chance, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(p) - np.log(1 - p))


def calibrated(chance: ArrayLike, slope: float, shift: float) -> NDArray[np.float64]:
    """The confidence that each *chance* is worth: a logistic curve, whose *slope* and *shift* the training fits."""
    return np.asarray(1 / (1 + np.exp(-np.clip(slope * logit(chance) + shift, -30, 30))))


def _settings(file: Path) -> dict[str, float]:
    try:
        told = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Missing(f"{file}: the card reader's settings are not there: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        raise BadInput(f"{file}: these settings of the card reader cannot be read: get them again") from None
    names = ("threshold", "slope", "shift", "least_pixels", "least_score", "doubt")
    if not isinstance(told, dict) or not all(isinstance(told.get(n), (int, float)) for n in names):
        raise BadInput(f"{file}: the card reader's settings need the numbers {', '.join(names)}")
    return {n: float(told[n]) for n in names}
