"""What a card reader got right and wrong on labelled photographs: the arithmetic, without any reader.

The rules, which every figure of ``tests.bench.vision`` follows:

- A reading is one physical card. A card that lies once and is read twice is right once and false once.
- *exact*: a completely labelled photograph of which all cards were read and nothing else.
- *wrong*: a completely labelled photograph with at least one false card.
- *recall*: labelled cards that were read, of all labelled cards.
- *precision*: right readings of all readings, on completely labelled photographs.
- On a photograph that is not completely labelled, a reading outside its labels may be a card that nobody labelled:
  it is neither right nor false, and the photograph enters recall alone.
- A photograph that is not legible enters none of these: there any reading is false, and it is counted apart.
- A mean is one over sources; those of fewer than ``SMALL`` photographs count together as one.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import yaml

from tablepi.cards import Card, card

SMALL = 20
SMALL_GROUP = "smaller sources"
ROUNDS = 2000
Z = 1.959964  # of a normal distribution 95 % lie within so many deviations
Box = tuple[int, int, int, int]


class Read(Protocol):
    """What is scored of a reading."""

    @property
    def card(self) -> Card: ...
    @property
    def confidence(self) -> float: ...
    @property
    def box(self) -> Box: ...


@dataclass(frozen=True, slots=True)
class Label:
    card: Card
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Photograph:
    """One line of labels.jsonl; ``source`` is the first word of the file's name."""

    file: str
    source: str
    labels: tuple[Label, ...]
    complete: bool = True
    legible: bool = True
    kind: str = "single"


@dataclass(frozen=True, slots=True)
class Confusion:
    """A false reading and the label it stands for; ``beside`` when that card was read as well, or None: for none."""

    label: Card | None
    read: Card
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """One photograph judged at one threshold. ``readings`` are all, surest first; the others are those kept.

    ``unjudged`` are readings outside the labels of a photograph that is not completely labelled; ``misplaced`` are
    right by their name, but lie outside the box of the card so named.
    """

    photograph: Photograph
    model: str
    threshold: float
    readings: tuple[Read, ...]
    right: tuple[Read, ...]
    false: tuple[Read, ...]
    unjudged: tuple[Read, ...]
    unread: tuple[Label, ...]
    twice: int
    misplaced: int

    @property
    def kept(self) -> int:
        return len(self.right) + len(self.false) + len(self.unjudged)

    @property
    def failed(self) -> bool:
        """Whether a person should look at it: a card missed or a card false."""
        return bool(self.false) or (self.photograph.legible and bool(self.unread))


def photographs(folder: Path) -> list[Photograph]:
    """The photographs that *folder*'s labels.jsonl names. Raises OSError, ValueError or KeyError for a bad file."""
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [_photograph(json.loads(line)) for line in lines if line.strip()]


def _photograph(line: dict) -> Photograph:
    labels = tuple(Label(card(c["card"]), tuple(c["box"]) if c["box"] else None) for c in line["cards"])
    source = Path(line["file"]).name.rpartition("_")[0]
    return Photograph(line["file"], source, labels, line["complete"], line["legible"], line["kind"])


def doubted(file: Path, among: Iterable[Photograph]) -> dict[str, str]:
    """The doubted photographs and the reason of each. Raises ValueError for one that is not *among* these."""
    entries = yaml.safe_load(file.read_text(encoding="utf-8")) or []
    reasons = {entry["file"]: entry["reason"] for entry in entries}
    unknown = reasons.keys() - {photograph.file for photograph in among}
    if unknown:
        raise ValueError(f"{file.name}: no photograph {', '.join(sorted(unknown))}")
    return reasons


def judge(photograph: Photograph, readings: Iterable[Read], *, threshold: float, model: str = "") -> Verdict:
    """What *readings* are worth on *photograph*; those below *threshold* are not counted."""
    readings = tuple(sorted(readings, key=lambda r: -r.confidence))
    open_labels, lying = list(photograph.labels), {label.card for label in photograph.labels}
    right: list[Read] = []
    other: list[Read] = []
    twice = misplaced = 0
    for reading in readings:
        if reading.confidence < threshold:
            continue
        matching = [label for label in open_labels if label.card == reading.card]
        if not matching or not photograph.legible:
            other.append(reading)
            twice += reading.card in lying and photograph.complete and photograph.legible
            continue
        best = min(matching, key=lambda label: not _inside(reading, label))
        open_labels.remove(best)
        right.append(reading)
        misplaced += best.box is not None and not _inside(reading, best)
    judged = photograph.complete or not photograph.legible
    return Verdict(
        photograph=photograph,
        model=model,
        threshold=threshold,
        readings=readings,
        right=tuple(right),
        false=tuple(other) if judged else (),
        unjudged=() if judged else tuple(other),
        unread=tuple(open_labels),
        twice=twice,
        misplaced=misplaced,
    )


def _inside(reading: Read, label: Label) -> bool:
    """Whether the middle of the reading lies in the label's box, or within a sixth of it around."""
    if label.box is None:
        return False
    x0, y0, x1, y1 = label.box
    x, y = (reading.box[0] + reading.box[2]) / 2, (reading.box[1] + reading.box[3]) / 2
    wide, high = (x1 - x0) / 6, (y1 - y0) / 6
    return x0 - wide <= x <= x1 + wide and y0 - high <= y <= y1 + high


# --- shares and their intervals -------------------------------------------------------------------------------------


class Share(NamedTuple):
    """*some* of *all*."""

    some: int
    all: int

    @property
    def value(self) -> float:
        return self.some / self.all if self.all else math.nan

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of Wilson, which stays sensible at 0 and at 1."""
        if not self.all:
            return math.nan, math.nan
        n, p = self.all, self.value
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


class Mean(NamedTuple):
    """A mean over sources with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What was counted over some legible photographs."""

    images: int
    exact: Share
    recall: Share
    precision: Share
    wrong: Share
    twice: int
    misplaced: int

    def __str__(self) -> str:
        shares = ((name, getattr(self, name)) for name in MEASURES)
        text = ", ".join(f"{name} {share.value:.1%} ({share.some}/{share.all})" for name, share in shares)
        return f"{self.images} images: {text}, {self.twice} cards twice"


# Each measure is a share of two columns of ``_row``.
MEASURES = {"exact": (0, 1), "recall": (2, 3), "precision": (4, 5), "wrong": (6, 1)}


def _row(verdict: Verdict) -> tuple[int, ...]:
    complete, labels = verdict.photograph.complete, len(verdict.photograph.labels)
    right, false = len(verdict.right), len(verdict.false)
    exact = complete and not verdict.unread and not false
    given = (right, right + false) if complete else (0, 0)
    return (int(exact), int(complete), right, labels, *given, int(complete and false > 0))


def _columns(verdicts: Iterable[Verdict]) -> np.ndarray:
    rows = [_row(verdict) for verdict in verdicts if verdict.photograph.legible]
    return np.array(rows, dtype=np.int64).reshape(-1, 7)


def figures(verdicts: Sequence[Verdict]) -> Figures:
    """The figures of all *verdicts* alike; photographs that are not legible are left out."""
    columns = _columns(verdicts)
    total = columns.sum(axis=0)
    shares = {name: Share(int(total[a]), int(total[b])) for name, (a, b) in MEASURES.items()}
    legible = [verdict for verdict in verdicts if verdict.photograph.legible]
    twice, misplaced = sum(v.twice for v in legible), sum(v.misplaced for v in legible)
    return Figures(len(columns), **shares, twice=twice, misplaced=misplaced)


def score(pairs: Iterable[tuple[Iterable[Card | str], Iterable[Read | Card | str]]], threshold: float = 0.0) -> Figures:
    """The figures of a list of (cards that lie there, readings), each image complete and legible, all alike.

    A card is a ``Card`` or its name; a reading is a ``Reading``, or a card alone, which counts as sure.
    """
    verdicts = []
    for number, (cards, readings) in enumerate(pairs):
        labels = tuple(Label(_card(c)) for c in cards)
        read = [_Sure(_card(r)) if isinstance(r, (str, Card)) else r for r in readings]
        verdicts.append(judge(Photograph(str(number), "", labels), read, threshold=threshold))
    return figures(verdicts)


@dataclass(frozen=True, slots=True)
class _Sure:
    card: Card
    confidence: float = 1.0
    box: Box = (0, 0, 0, 0)


def _card(given: Card | str) -> Card:
    return given if isinstance(given, Card) else card(given)


def groups(among: Iterable[Photograph]) -> dict[str, str]:
    """For each source, what it counts as in a mean: itself, or one of the smaller sources."""
    counts = Counter(photograph.source for photograph in among)
    return {source: source if count >= SMALL else SMALL_GROUP for source, count in counts.items()}


def grouped(verdicts: Iterable[Verdict], names: Mapping[str, str]) -> dict[str, list[Verdict]]:
    """The verdicts by group, the largest first and the smaller sources last."""
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(names[verdict.photograph.source], []).append(verdict)
    return dict(sorted(found.items(), key=lambda item: (item[0] == SMALL_GROUP, -len(item[1]))))


def means(by_group: Mapping[str, Sequence[Verdict]], *, rounds: int = ROUNDS, seed: int = 1) -> dict[str, Mean]:
    """Each measure as the mean over groups, with the interval of a bootstrap over the images within each group.

    A group in which a measure has no value (precision where nothing was read) is left out of that measure. The
    bootstrap knows only failures that it has met: a mean of 100 % comes with an interval of no width.
    """
    random = np.random.default_rng(seed)
    tables = [columns for columns in map(_columns, by_group.values()) if len(columns)]
    plain = [columns.sum(axis=0)[None] for columns in tables]
    drawn = [random.multinomial(len(c), np.full(len(c), 1 / len(c)), size=rounds) @ c for c in tables]
    result = {}
    for name, pair in MEASURES.items():
        value, spread = _mean_share(plain, pair), _mean_share(drawn, pair)
        spread = spread[~np.isnan(spread)]
        low, high = np.percentile(spread, (2.5, 97.5)) if len(spread) else (math.nan, math.nan)
        result[name] = Mean(float(value[0]), float(low), float(high))
    return result


def _mean_share(sums: list[np.ndarray], pair: tuple[int, int]) -> np.ndarray:
    """The mean over groups of one measure, for each row of column sums; nan where no group has a value."""
    some = np.array([s[:, pair[0]] for s in sums], dtype=float).reshape(len(sums), -1)
    whole = np.array([s[:, pair[1]] for s in sums], dtype=float).reshape(len(sums), -1)
    has = whole > 0
    shares = np.divide(some, whole, out=np.zeros_like(some), where=has)
    count = has.sum(axis=0)
    total = shares.sum(axis=0)
    return np.divide(total, count, out=np.full(total.shape, math.nan), where=count > 0)


# --- confusions -----------------------------------------------------------------------------------------------------


def confusions(verdict: Verdict) -> list[Confusion]:
    """Each false reading of a legible photograph with the card it was most likely read from.

    A card that was not read is looked for first: in whose box the reading lies, then whose rank or suit it shares.
    A false reading that is left over is set beside a card that was read as well: the same card again, a look-alike,
    or the card in whose box it lies.
    """
    if not verdict.photograph.legible:
        return []
    labels, unread = verdict.photograph.labels, list(verdict.unread)
    false, found = list(verdict.false), []
    while pairs := [(r, lab) for r in false for lab in unread if _may_be(r, lab, labels)]:
        reading, label = min(pairs, key=lambda pair: _distance(*pair))
        false.remove(reading)
        unread.remove(label)
        found.append(Confusion(label.card, reading.card))
    for reading in false:
        near = min(labels, key=lambda label: _distance(reading, label), default=None)
        if near and not (_inside(reading, near) or (near.box is None and _apart(reading.card, near.card) < 2)):
            near = None
        found.append(Confusion(near.card if near else None, reading.card, beside=True))
    return found


def _may_be(reading: Read, label: Label, labels: Sequence[Label]) -> bool:
    """Whether the reading can be of this card: it lies in no box, or in this one."""
    return _inside(reading, label) or not any(_inside(reading, other) for other in labels)


def _distance(reading: Read, label: Label) -> tuple[bool, int]:
    elsewhere = label.box is not None and not _inside(reading, label)
    return elsewhere, _apart(reading.card, label.card)


def _apart(one: Card, other: Card) -> int:
    return (one.rank != other.rank) + (one.suit != other.suit)


NAMED = ("Q♣/Q♠", "♥/♦", "♣/♠", "red/black", "rank", "rank and suit", "card twice", "no such card near")


def kind_of(confusion: Confusion) -> tuple[str, ...]:
    """What a confusion counts as, of ``NAMED``: a queen of clubs read as spades is Q♣/Q♠ and ♣/♠ as well."""
    if confusion.label is None:
        return ("no such card near",)
    label, read = confusion.label, confusion.read
    if label == read:
        return ("card twice",)
    if label.rank != read.rank:
        return ("rank",) if label.suit == read.suit else ("rank and suit",)
    suits = {label.suit, read.suit}
    if suits == {"C", "S"}:
        return ("Q♣/Q♠", "♣/♠") if label.rank == "Q" else ("♣/♠",)
    return ("♥/♦",) if suits == {"H", "D"} else ("red/black",)


# --- calibration ----------------------------------------------------------------------------------------------------

EDGES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings of a like confidence: the mean of what they claim, the share that is right, and its mean over groups."""

    low: float
    high: float
    claimed: float
    right: Share
    over_groups: float


def reliability(by_group: Mapping[str, Sequence[Verdict]]) -> list[Bin]:
    """How often the readings of a confidence are right, on complete, legible photographs; empty bins are left out."""
    said = [
        (group, reading.confidence, hit)
        for group, verdicts in by_group.items()
        for verdict in verdicts
        for reading, hit in hits(verdict)
    ]
    bins = []
    for low, high in pairwise(EDGES):
        inside = [(g, c, hit) for g, c, hit in said if low <= c < high or (c >= 1.0 == high)]
        if inside:
            shares = [np.mean([hit for g, _, hit in inside if g == group]) for group in {g for g, _, _ in inside}]
            right = Share(sum(hit for _, _, hit in inside), len(inside))
            bins.append(Bin(low, high, float(np.mean([c for _, c, _ in inside])), right, float(np.mean(shares))))
    return bins


def hits(verdict: Verdict) -> list[tuple[Read, bool]]:
    """Every reading of a complete, legible photograph, also those below the threshold, and whether it is right."""
    if not (verdict.photograph.complete and verdict.photograph.legible):
        return []
    all_kept = judge(verdict.photograph, verdict.readings, threshold=-math.inf)
    right = {id(reading) for reading in all_kept.right}
    return [(reading, id(reading) in right) for reading in all_kept.readings]


def error_of(bins: Iterable[Bin]) -> float:
    """The expected calibration error: the mean distance between claimed and right, weighed by the readings."""
    bins = list(bins)
    total = sum(b.right.all for b in bins)
    return sum(abs(b.claimed - b.right.value) * b.right.all for b in bins) / total if total else math.nan
