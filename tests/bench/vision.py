"""How well the card reader reads real photographs, how fast, and how far its confidence can be trusted.

``make bench-vision``, or ``python -m tests.bench.vision``. ``TABLEPI_PHOTOS`` names the folder of the photographs. The
rules of counting are in ``vision_score``; ``doubted.yaml`` beside this file lists the photographs whose label is in
doubt.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Protocol

import cv2
import numpy as np

from tablepi.cards import ALL_CARDS
from tablepi.errors import Missing, TablePiError

from .tables import Results, machine, print_table
from .vision_frames import as_frame, opened, spread
from .vision_peer import TemplateReader
from .vision_score import (
    MEASURES,
    NAMED,
    SMALL_GROUP,
    Figures,
    Mean,
    Photograph,
    Read,
    Share,
    Verdict,
    confusions,
    doubted,
    error_of,
    figures,
    grouped,
    groups,
    judge,
    kind_of,
    means,
    photographs,
    reliability,
)
from .vision_sheet import write_plot, write_sheets

PROJECT = Path(__file__).parents[2]
DOUBTED = Path(__file__).with_name("doubted.yaml")

# Photographs of these sources train the shipped model, so it is not measured on them.
TRAINED_ON = ("quentin0312", "obind", "jackfurby", "mspkvp")
OVERLAPPING = "quentin0312"  # the source of the row "overlapping cards (RF100)"
SHIPPED, DRAWN = "shipped", "drawn data alone"

# How many times longer one thread of a board takes than one thread of the machine that runs this benchmark. The least
# and the most that is thought likely, and where it comes from. Replace by a measurement as soon as there is one.
RATIOS = (
    ("Raspberry Pi 5", 3.0, 3.0, "estimate for cv2.dnn against one core of a shared EPYC server; not measured"),
    ("Raspberry Pi 4", 8.0, 10.0, "estimate for cv2.dnn against one core of a shared EPYC server; not measured"),
)

TIMED_PER_GROUP, LOOKS = 8, 3
MEMORY_PHOTOGRAPHS = 20
SWEEP = (0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)


class Reader(Protocol):
    threshold: float

    def read(self, frame: np.ndarray) -> Sequence[Read]: ...


OpenReader = Callable[[Path | None], Reader]


@dataclass(frozen=True)
class Seen:
    """One photograph read: what came of it, and the milliseconds it took by the clock and of the processor."""

    verdict: Verdict
    wall: float
    processor: float

    @property
    def source(self) -> str:
        return self.verdict.photograph.source


@dataclass(frozen=True)
class Timing:
    """Milliseconds of one reader, a number a frame."""

    reader: str
    wall: tuple[float, ...]
    processor: tuple[float, ...]


def card_reader(models: Path | None) -> Reader:
    """The project's reader. Raises Missing when the models are not there."""
    try:
        from tablepi.vision.reader import CardReader
    except ImportError as error:
        raise Missing(
            f"tablepi.vision.reader cannot be imported ({error}): there is no card reader to measure yet"
        ) from error
    return CardReader(models)


# --- reading --------------------------------------------------------------------------------------------------------


def read_all(
    reader: Reader, among: Sequence[Photograph], folder: Path, *, model: str, threshold: float | None = None
) -> list[Seen]:
    """What *reader* makes of each photograph as it is, with a line of progress on standard error."""
    seen = []
    threshold = reader.threshold if threshold is None else threshold
    for number, photograph in enumerate(among, 1):
        frame = opened(folder / photograph.file)
        wall, processor = perf_counter(), process_time()
        readings = reader.read(frame)
        took = (perf_counter() - wall) * 1000, (process_time() - processor) * 1000
        seen.append(Seen(judge(photograph, readings, threshold=threshold, model=model), *took))
        if sys.stderr.isatty() or number == len(among):
            end = "\n" if number == len(among) else "\r"
            print(f"{model}: {number} of {len(among)} photographs", end=end, file=sys.stderr, flush=True)
    return seen


def chosen(everything: Sequence[Photograph], *, source: str | None, limit: int | None) -> list[Photograph]:
    """The photographs of the sources whose name holds *source*, at most *limit* of each."""
    by_source: dict[str, list[Photograph]] = {}
    for photograph in everything:
        if source is None or source in photograph.source:
            by_source.setdefault(photograph.source, []).append(photograph)
    return [p for those in by_source.values() for p in (those if limit is None else spread(those, limit))]


def time_frames(readers: Mapping[str, Reader], frames: Sequence[np.ndarray]) -> list[Timing]:
    """Each reader on each frame, the readers in turn, so that what else the machine does meets them alike.

    A frame's time is the median of ``LOOKS`` looks at it.
    """
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in readers}
    for reader in readers.values():
        reader.read(frames[0])  # the first look also sets the networks up
    for frame in frames:
        for name, reader in readers.items():
            looks = [_timed(reader, frame) for _ in range(LOOKS)]
            taken[name].append((median(w for w, _ in looks), median(p for _, p in looks)))
    return [Timing(name, tuple(w for w, _ in t), tuple(p for _, p in t)) for name, t in taken.items()]


def _timed(reader: Reader, frame: np.ndarray) -> tuple[float, float]:
    wall, processor = perf_counter(), process_time()
    reader.read(frame)
    return (perf_counter() - wall) * 1000, (process_time() - processor) * 1000


def memory(files: Sequence[Path], *, reader: str, models: Path | None, as_frames: bool) -> dict[str, float]:
    """The peak resident memory, in MiB, of a fresh process that reads *files*."""
    command = [sys.executable, "-m", "tests.bench.vision_memory", "--reader", reader]
    command += ["--models", str(models)] if models else []
    command += ["--as-frames"] if as_frames else []
    done = subprocess.run([*command, *map(str, files)], cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(
            f"the process whose memory is measured ended with {done.returncode}: {done.stderr.strip()[-500:]}"
        )
    return json.loads(done.stdout)


# --- tables ---------------------------------------------------------------------------------------------------------


def _percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{value * 100:.1f} %"


def _range(low: float, high: float) -> str:
    return "" if math.isnan(low) else f" [{low * 100:.1f}–{high * 100:.1f}]"


def _share(share: Share) -> str:
    return f"{_percent(share.value)}{_range(*share.interval())} {share.some}/{share.all}"


def _mean(mean: Mean) -> str:
    return f"{_percent(mean.value)}{_range(mean.low, mean.high)}"


COLUMNS = ("source", "model", "images", *MEASURES, "twice", "misplaced")


def _figures_row(name: str, verdicts: Sequence[Verdict], model: str | None = None) -> tuple[str, ...]:
    f = figures(verdicts)
    model = model or " + ".join(sorted({v.model for v in verdicts}))
    shares = (_share(getattr(f, measure)) for measure in MEASURES)
    return (name, model, str(f.images), *shares, str(f.twice), str(f.misplaced))


def figures_table(title: str, verdicts: Sequence[Verdict], names: Mapping[str, str]) -> Results:
    """Each source, the mean over them, and after it, for comparison only, all images alike."""
    rows = []
    by_group = grouped(verdicts, names)
    for name, group in by_group.items():
        rows.append(_figures_row(name, group))
        if name == SMALL_GROUP:
            for source in sorted({v.photograph.source for v in group}):
                rows.append(_figures_row(f"  {source}", [v for v in group if v.photograph.source == source]))
            continue
        overlapping = [v for v in group if v.photograph.kind == "overlap"]
        if 0 < len(overlapping) < len(group):
            rows.append(_figures_row("  of these overlapping", overlapping))
    over = means(by_group)
    legible = sum(v.photograph.legible for v in verdicts)
    mean = (_mean(over[measure]) for measure in MEASURES)
    rows.append((f"MEAN over {len(by_group)}", "", str(legible), *mean, "", ""))
    rows.append(_figures_row("all images alike", verdicts, " "))
    return Results(title, COLUMNS, tuple(rows))


def confusion_table(verdicts: Iterable[Verdict]) -> tuple[Results, Results]:
    """How often each kind of confusion came, and each pair of cards that was confused."""
    found = [(v.photograph.source, confusion) for v in verdicts for confusion in confusions(v)]
    kinds = Counter(kind for _, confusion in found for kind in kind_of(confusion))
    counted = tuple((kind, str(kinds[kind])) for kind in NAMED)
    pairs = Counter((str(c.label or "nothing"), str(c.read), c.beside) for _, c in found)
    rows = []
    for (label, read, beside), number in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
        sources = sorted(
            {s for s, c in found if (str(c.label or "nothing"), str(c.read), c.beside) == (label, read, beside)}
        )
        how = "read as well" if beside else "instead"
        rows.append((label, read, how, str(number), ", ".join(sources)))
    return (
        Results(f"False cards above the threshold, by kind ({len(found)} in all)", ("kind", "false cards"), counted),
        Results("Pairs that were confused", ("lies there", "read", "how", "times", "sources"), tuple(rows)),
    )


def reliability_table(verdicts: Sequence[Verdict], names: Mapping[str, str]) -> Results:
    bins = reliability(grouped(verdicts, names))
    title = f"Confidence on complete, legible photographs: calibration error {error_of(bins):.3f} over all readings"
    rows = tuple(
        (f"{b.low:.2f} to {b.high:.2f}", f"{b.claimed:.3f}", _share(b.right), _percent(b.over_groups)) for b in bins
    )
    return Results(title, ("confidence", "claimed", "right", "right, mean over sources"), rows)


def sweep_table(verdicts: Sequence[Verdict], names: Mapping[str, str]) -> Results:
    rows = []
    for threshold in SWEEP:
        again = [judge(v.photograph, v.readings, threshold=threshold, model=v.model) for v in verdicts]
        over = means(grouped(again, names))
        rows.append((f"{threshold:.2f}", *(_mean(over[measure]) for measure in MEASURES)))
    title = "Mean over sources at other thresholds (to see what it costs; the threshold is chosen on drawn decks)"
    return Results(title, ("threshold", *MEASURES), tuple(rows))


def native_table(seen: Sequence[Seen]) -> Results:
    rows = []
    for source in dict.fromkeys(one.source for one in seen):
        those = [one for one in seen if one.source == source]
        wall, processor = [one.wall for one in those], [one.processor for one in those]
        rows.append((source, those[0].verdict.model, str(len(those)), *_spread_of(wall), *_spread_of(processor)))
    columns = ("source", "model", "images", "median", "p95", "processor median", "processor p95")
    return Results("Milliseconds a photograph as it is, one thread", columns, tuple(rows))


def time_table(timings: Sequence[Timing]) -> Results:
    rows = tuple((t.reader, str(len(t.wall)), *_spread_of(t.wall), *_spread_of(t.processor)) for t in timings)
    title = f"Milliseconds a frame of 1280×720, one thread, median of {LOOKS} looks at each frame, readers in turn"
    return Results(title, ("reader", "frames", "median", "p95", "processor median", "processor p95"), rows)


def _spread_of(times: Sequence[float]) -> tuple[str, str]:
    return f"{median(times):.1f}", f"{np.percentile(times, 95):.1f}"


def pi_table(timing: Timing) -> Results:
    """The estimate for the boards: milliseconds of the processor measured here, times a ratio."""
    middle, late = median(timing.processor), float(np.percentile(timing.processor, 95))
    rows = []
    for board, least, most, reason in RATIOS:
        ratio = f"{least:g}" if least == most else f"{least:g} to {most:g}"
        rows.append((board, ratio, *(_product(ms, least, most) for ms in (middle, late)), reason))
    title = "Estimate for boards, one thread: milliseconds measured above × ratio = estimate"
    return Results(title, ("board", "ratio", "median", "p95", "where the ratio comes from"), tuple(rows))


def _product(ms: float, least: float, most: float) -> str:
    low, high = f"{ms * least:.0f}", f"{ms * most:.0f}"
    return f"{ms:.1f} × = {low}" if low == high else f"{ms:.1f} × = {low} to {high}"


def aim_table(
    verdicts: Sequence[Verdict], names: Mapping[str, str], *, ms: Timing | None, plain: Timing | None
) -> Results:
    """The rows of what was asked beside what was measured."""
    by_group = grouped(verdicts, names)
    over = means(by_group)
    per_source = {name: figures(group).exact for name, group in by_group.items() if name != SMALL_GROUP}
    known = {name: share for name, share in per_source.items() if share.all}
    worst = min(known, key=lambda name: known[name].value, default=None)
    overlap = figures([v for v in verdicts if v.photograph.source == OVERLAPPING and v.photograph.kind == "overlap"])
    kinds = Counter(kind for v in verdicts for confusion in confusions(v) for kind in kind_of(confusion))
    queens, reds = kinds["Q♣/Q♠"], kinds["♥/♦"]
    rows = [
        _aim("exact, mean over sources", (97, 99), over["exact"].value * 100, _mean(over["exact"])),
        _aim(
            f"worst source of 20 or more, exact ({worst or 'none'})",
            (92, 97),
            known[worst].value * 100 if worst else math.nan,
            _share(known[worst]) if worst else "–",
        ),
        _aim("recall of cards, mean", (98.5, 99.5), over["recall"].value * 100, _mean(over["recall"])),
        _aim("images with a false card, mean", (0.7, 0.2), over["wrong"].value * 100, _mean(over["wrong"])),
        _aim("overlapping cards (RF100), exact", (95, 98), overlap.exact.value * 100, _share(overlap.exact)),
        _aim("confusions Q♣/Q♠ and ♥/♦", (0, 0), queens + reds, f"{queens} and {reds}", unit=""),
    ]
    if ms:
        beside = f", plain reader {median(plain.wall):.1f}" if plain else ""
        rows.append(
            _aim("ms a 1280×720 frame", (60, 33), median(ms.wall), f"{median(ms.wall):.1f} median{beside}", unit=" ms")
        )
    return Results("What was asked", ("on complete, legible images", "reach", "aim", "measured", ""), tuple(rows))


def _aim(name: str, asked: tuple[float, float], value: float, text: str, *, unit: str = " %") -> tuple[str, ...]:
    reach, aim = asked
    falling = unit != " %" or reach > aim  # less is better
    sign = -1 if falling else 1
    if math.isnan(value):
        state = "not measured"
    else:
        state = "aim" if sign * value >= sign * aim else "reach" if sign * value >= sign * reach else "below reach"
    return (name, f"{reach:g}{unit}", f"{aim:g}{unit}", text, state)


# --- the run --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Readings:
    """What the readers made of the photographs: the figures, and the shipped model where it was trained."""

    main: list[Seen]
    trained: list[Seen]

    def verdicts(self) -> list[Verdict]:
        return [one.verdict for one in self.main]


def read_photographs(
    among: Sequence[Photograph], folder: Path, *, shipped: Reader, drawn: Reader | None, threshold: float | None
) -> Readings:
    """Sources that trained the shipped model are read by the *drawn* one for the figures; without it they have none."""
    trained = [p for p in among if p.source in TRAINED_ON]
    others = [p for p in among if p.source not in TRAINED_ON]
    main = read_all(shipped, others, folder, model=SHIPPED, threshold=threshold)
    apart = read_all(shipped, trained, folder, model=SHIPPED, threshold=threshold)
    if drawn:
        main += read_all(drawn, trained, folder, model=DRAWN, threshold=threshold)
    return Readings(main, apart)


def print_figures(readings: Readings, names: Mapping[str, str], doubts: Mapping[str, str]) -> None:
    verdicts = readings.verdicts()
    at = " and ".join(sorted({f"{v.model} {v.threshold:.3f}" for v in verdicts})) or "no reading"
    print_table(figures_table(f"As labelled, threshold: {at}", verdicts, names))
    print(
        "  [..]: 95 % interval: Wilson for a source (cards of one image are not independent: take those of recall and\n"
        "  precision as too narrow), bootstrap over images for the mean (it knows only failures that it has met).\n"
        "  twice: a card read twice where it lies once, also a false card. misplaced: right by name, outside its box.\n"
        "  Images that are not completely labelled enter recall alone: what they hold besides is not known."
    )
    inside = [v for v in verdicts if v.photograph.file in doubts]
    if inside:
        without = [v for v in verdicts if v.photograph.file not in doubts]
        print_table(figures_table(f"Without the {len(inside)} doubted photographs", without, names))
        for verdict in inside:
            print(f"  {verdict.photograph.file}: {doubts[verdict.photograph.file]}")
    else:
        print("\nWithout doubted photographs: none of these is doubted (doubted.yaml): the same figures.")
    dim = [v for v in verdicts if not v.photograph.legible]
    if dim:
        false = [f"{Path(v.photograph.file).name}: {_cards(v.false)}" for v in dim if v.false]
        print(f"\nNot legible, {len(dim)} photographs: {len(false)} with a card, any is false. {'; '.join(false)}")
    if readings.trained:
        title = "The shipped model on the sources whose photographs trained it (trained on these: no measure of it)"
        print_table(figures_table(title, [one.verdict for one in readings.trained], names))


def _cards(readings: Iterable[Read]) -> str:
    return " ".join(f"{reading.card} ({reading.confidence:.2f})" for reading in readings)


def dump(readings: Readings, file: Path) -> None:
    """One line of JSON a photograph and model: its labels and every reading, also those below the threshold."""
    with file.open("w", encoding="utf-8") as out:
        for seen in (*readings.main, *readings.trained):
            verdict = seen.verdict
            photograph = verdict.photograph
            right = {id(reading) for reading in judge(photograph, verdict.readings, threshold=-math.inf).right}
            line = {
                "file": photograph.file,
                "source": photograph.source,
                "model": verdict.model,
                "threshold": verdict.threshold,
                "complete": photograph.complete,
                "legible": photograph.legible,
                "cards": [str(label.card) for label in photograph.labels],
                "ms": round(seen.wall, 1),
                "readings": [{**_reading_line(r), "right": id(r) in right} for r in verdict.readings],
            }
            out.write(json.dumps(line) + "\n")


def _reading_line(reading: Read) -> dict[str, object]:
    indices = [
        {
            "x": round(float(i.x), 1),
            "y": round(float(i.y), 1),
            "up": round(float(i.up), 3),
            "size": round(float(i.size), 1),
            "score": round(float(i.score), 4),
            "chances": {str(c): round(float(p), 4) for c, p in zip(ALL_CARDS, i.chances, strict=True) if p > 0.005},
        }
        for i in getattr(reading, "indices", ())
    ]
    box = [int(v) for v in reading.box]
    return {
        "card": str(reading.card),
        "confidence": round(float(reading.confidence), 5),
        "box": box,
        "indices": indices,
    }


def described(name: str, models: Path, reader: Reader) -> str:
    """One line that says which model this was."""
    files = sorted(models.glob("*.onnx")) if models.is_dir() else []
    hashes = ", ".join(f"{file.name} {sha256(file.read_bytes()).hexdigest()[:12]}" for file in files)
    return f"{name} model: {models} ({hashes or 'no onnx files there'}), threshold {reader.threshold:.3f}"


def summary(readings: Readings, names: Mapping[str, str]) -> dict[str, object]:
    """The figures as plain values, for a file."""
    verdicts = readings.verdicts()
    by_group = grouped(verdicts, names)
    kinds = Counter(kind for v in verdicts for confusion in confusions(v) for kind in kind_of(confusion))
    return {
        "machine": machine(),
        "opencv": cv2.__version__,
        "sources": {name: _plain(figures(group)) for name, group in by_group.items()},
        "mean": {name: [None if math.isnan(x) else x for x in mean] for name, mean in means(by_group).items()},
        "trained_on": {s: _plain(figures(g)) for s, g in grouped([o.verdict for o in readings.trained], names).items()},
        "confusions": {kind: kinds[kind] for kind in NAMED},
        "calibration": [asdict(one) for one in reliability(by_group)],
        "calibration_error": None if math.isnan(error := error_of(reliability(by_group))) else error,
        "failed": [v.photograph.file for v in verdicts if v.failed],
    }


def _plain(f: Figures) -> dict[str, object]:
    """The shares as pairs: some, all."""
    return asdict(f)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision", description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=Path, help="folder of the shipped model (default: models)")
    parser.add_argument(
        "--drawn-models",
        type=Path,
        default=PROJECT / "models" / "drawn",
        help="folder of the model trained on drawn data alone (default: models/drawn)",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most N photographs of a source")
    parser.add_argument("--source", metavar="NAME", help="only the sources whose name holds this")
    parser.add_argument("--threshold", type=float, help="instead of the readers' own")
    parser.add_argument("--quick", action="store_true", help="the figures alone: no time, no memory, no plain reader")
    parser.add_argument("--sweep", action="store_true", help="the mean at other thresholds as well")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="write the photographs that failed, .jpg or .png")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write the reliability diagram, .png")
    parser.add_argument("--dump", type=Path, metavar="FILE", help="write every reading, JSON lines")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures, JSON")
    return parser


def main(arguments: list[str], *, open_reader: OpenReader = card_reader) -> int:
    options = _parser().parse_args(arguments)
    if not os.environ.get("TABLEPI_PHOTOS"):
        print("bench-vision is skipped: TABLEPI_PHOTOS names no folder of photographs")
        return 0
    cv2.setNumThreads(1)
    try:
        return _run(options, Path(os.environ["TABLEPI_PHOTOS"]), open_reader)
    except TablePiError as error:
        print(error, file=sys.stderr)
        return error.status


def _run(options: argparse.Namespace, folder: Path, open_reader: OpenReader) -> int:
    everything = photographs(folder)
    names, doubts = groups(everything), doubted(DOUBTED, everything)
    among = chosen(everything, source=options.source, limit=options.limit)
    if not among:
        print(f"no source is called {options.source!r}: known are {', '.join(names)}", file=sys.stderr)
        return 2
    shipped = open_reader(options.models)
    drawn = open_reader(options.drawn_models) if options.drawn_models.is_dir() else None
    print(f"{machine()}, OpenCV {cv2.__version__}, one thread")
    print(described(SHIPPED, options.models or PROJECT / "models", shipped))
    if drawn:
        print(described(DRAWN, options.drawn_models, drawn))
    else:
        print(
            f"NO SECOND MODEL in {options.drawn_models}: the sources that trained the shipped model "
            f"({', '.join(TRAINED_ON)}) have no figures, and the mean is over the others alone"
        )
    if len(among) < len(everything):
        print(f"A PART of the photographs: {len(among)} of {len(everything)}")
    readings = read_photographs(among, folder, shipped=shipped, drawn=drawn, threshold=options.threshold)
    report = _report(options, readings, names, doubts)
    timings = [] if options.quick else _print_cost(options, readings, names, folder, shipped, report)
    ms, plain = (timings[0], timings[1]) if timings else (None, None)
    print_table(aim_table(readings.verdicts(), names, ms=ms, plain=plain))
    _write_files(options, readings, names, folder, shipped, report)
    return 0


def _report(
    options: argparse.Namespace, readings: Readings, names: Mapping[str, str], doubts: Mapping[str, str]
) -> dict[str, object]:
    verdicts = readings.verdicts()
    print_figures(readings, names, doubts)
    for table in confusion_table(verdicts):
        print_table(table)
    print_table(reliability_table(verdicts, names))
    if options.sweep:
        print_table(sweep_table(verdicts, names))
    return summary(readings, names)


def _print_cost(
    options: argparse.Namespace,
    readings: Readings,
    names: Mapping[str, str],
    folder: Path,
    shipped: Reader,
    report: dict[str, object],
) -> list[Timing]:
    """The plain reader's figures, times and memory; returns the times of the shipped reader and of the plain one."""
    everyone = [*readings.main, *(one for one in readings.trained if one.verdict.model == SHIPPED)]
    among = list({one.verdict.photograph.file: one.verdict.photograph for one in everyone}.values())
    plain = TemplateReader()
    peer = read_all(plain, among, folder, model="plain")
    print_table(figures_table("The plain contour-and-template reader", [one.verdict for one in peer], names))
    print_table(native_table(readings.main))
    by_group: dict[str, list[Photograph]] = {}
    for photograph in among:
        by_group.setdefault(names[photograph.source], []).append(photograph)
    picked = [p for group in by_group.values() for p in spread(group, TIMED_PER_GROUP)]
    frames = [as_frame(opened(folder / p.file)) for p in picked]
    timings = time_frames({"card reader": shipped, "plain reader": plain}, frames)
    print_table(time_table(timings))
    print(
        f"  Frames: up to {TIMED_PER_GROUP} photographs of each line of the mean, laid on their side where upright, "
        "scaled to fit\n  1280×720 with nothing cut off, the rest of the frame filled with the photograph repeated. "
        "p95: over the frames.\n  Processor time above the clock's would mean that more than one thread was at work."
    )
    print_table(pi_table(timings[0]))
    report["ms"] = {t.reader: {"median": median(t.wall), "p95": float(np.percentile(t.wall, 95))} for t in timings}
    report["memory_mib"] = _print_memory(options, among, folder)
    return timings


def _print_memory(options: argparse.Namespace, among: Sequence[Photograph], folder: Path) -> dict[str, object]:
    files = [(folder / p.file).resolve() for p in spread(among, MEMORY_PHOTOGRAPHS)]
    models = options.models.resolve() if options.models else None
    found, rows = {}, []
    for reader, as_frames in (("cards", True), ("cards", False), ("template", True)):
        name = {"cards": "card reader", "template": "plain reader"}[reader]
        name += ", frames of 1280×720" if as_frames else ", photographs as they are"
        try:
            peak = memory(files, reader=reader, models=models, as_frames=as_frames)
        except Missing as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        found[name] = peak
        rows.append((name, *(f"{peak[step]:.0f}" for step in ("imported", "open", "read"))))
    title = f"Peak memory of a fresh process that reads {len(files)} photographs one after the other (MiB resident)"
    print_table(Results(title, ("reader", "imported", "reader open", "read"), tuple(rows)))
    return found


def _write_files(
    options: argparse.Namespace,
    readings: Readings,
    names: Mapping[str, str],
    folder: Path,
    shipped: Reader,
    report: dict[str, object],
) -> None:
    verdicts = readings.verdicts()
    written: list[Path] = []
    if options.sheet:
        written += write_sheets([v for v in verdicts if v.failed], folder, options.sheet)
    if options.plot:
        bins = reliability(grouped(verdicts, names))
        threshold = shipped.threshold if options.threshold is None else options.threshold
        write_plot(bins, options.plot, threshold=threshold)
        written.append(options.plot)
    if options.dump:
        dump(readings, options.dump)
        written.append(options.dump)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(options.json)
    if written:
        print(f"\nwritten: {', '.join(map(str, written))}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
