"""``python -m models.training WORK``: from nothing to the files in models/, step by step; what is done stays done.

    fetch        fonts, court pictures, textures                                     WORK/materials
    draw         scenes, training and held out                                       WORK/shards
    finder       the finder, on drawn scenes                                         WORK/finder.pt
    namer        the namer, on patches of drawn scenes                               WORK/namer.pt
    mine         the namer again, with the places that deceive the finder            WORK/namer-mined.pt
    drawn        both as ONNX: the model of drawn data alone                         models/drawn
    photographs  both again, with the photographs that may train (TABLEPI_PHOTOS)    WORK/*-photographs.pt
    ship         both as ONNX: the model that is shipped                             models
    measure      calibration and threshold of each, on held-out decks                reader.yaml beside each

Named steps alone are done, or all. One more is only done when it is named, in the place of ``finder`` and ``namer``:

    take-up      both networks from models/drawn, to be taught on                    WORK/finder.pt, WORK/namer.pt

On two cores all take about four hours, most of it ``finder`` and ``namer``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import torch
import yaml
from torch.utils.data import DataLoader

from tablepi.vision.finder import Finder as FinderAtTable
from tablepi.vision.patches import Pyramid
from tablepi.vision.reader import CardReader

from . import export, finder, measure, namer, photographs, shards, sources, taken_up
from .nets import Finder, Namer

MODELS = Path(__file__).resolve().parents[1]
TAKE_UP = "take-up"
STEPS = ("fetch", "draw", "finder", "namer", "mine", "drawn", "photographs", "ship", "measure")

SHARDS, HELD_OUT = 96, 6
FINDER_LESSONS, NAMER_LESSONS, MINED_LESSONS = 200_000, 1_500_000, 2_000_000
FINDER_PHOTOGRAPHS, NAMER_PHOTOGRAPHS = 20_000, 120_000
FALSE_CARDS = 0.01
"""The share of the cards told on held-out scenes that may be false: the threshold is the lowest that keeps it. A hand
has 52 cards, each is looked at in two frames or more that must agree, and these scenes are drawn harder than tables
are: small, smeared, glaring, half covered."""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.training", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("work", type=Path, help="a folder for what is made on the way (about 3 GB)")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"of {', '.join(STEPS)} (all)")
    parser.add_argument("--small", action="store_true", help="a hundredth of everything: does it run at all?")
    options = parser.parse_args(argv)
    unknown = [step for step in options.steps if step not in (*STEPS, TAKE_UP)]
    if unknown:
        parser.error(f"no step {', '.join(unknown)}: known are {', '.join((*STEPS, TAKE_UP))}")
    torch.set_num_threads(os.cpu_count() or 1)
    course = _Course(options.work, 100 if options.small else 1)
    for step in options.steps or STEPS:
        print(f"— {step}", flush=True)
        getattr(course, step.replace("-", "_"))()
    return 0


class _Course:
    """The steps. *less* divides how much is drawn and taught."""

    def __init__(self, work: Path, less: int) -> None:
        self._work, self._less = work, less
        self._materials, self._shards = work / "materials", work / "shards"
        self._out = MODELS if less == 1 else work / "models"

    def fetch(self) -> None:
        sources.fetch(self._materials)

    def draw(self) -> None:
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(shards.draw, range(n, n + 1), self._shards, self._materials, held_out=held_out)
                    for held_out, many in ((True, HELD_OUT), (False, SHARDS))
                    for n in range(max(1, many // self._less))]  # fmt: skip
            for job in jobs:
                job.result()

    def finder(self) -> None:
        if not (self._work / "finder.pt").exists():
            lessons = finder.Lessons(self._drawn_shards(), seed=1)
            self._teach_finder(Finder(), lessons, FINDER_LESSONS, 3e-3, "finder.pt")

    def namer(self) -> None:
        if not (self._work / "namer.pt").exists():
            parts = [namer.cut_shard(file, i) for i, file in enumerate(self._drawn_shards())]
            self._teach_namer(Namer(), _joined(parts), NAMER_LESSONS, 2e-3, "namer.pt")

    def take_up(self) -> None:
        drawn = self._drawn_shards()[:1]
        pictures = islice(DataLoader(finder.Lessons(drawn, seed=1), batch_size=finder.BATCH), 10)
        patches = islice(namer.lessons(namer.cut_shard(drawn[0], 0), batch=namer.BATCH, seed=1), 20)
        for net, name, lessons in (
            (Finder(), "finder", [x.permute(0, 3, 1, 2).float() / 255 for x, _ in pictures]),
            (Namer(), "namer", [x for x, *_ in patches]),
        ):
            taken_up.load(net, MODELS / "drawn" / f"{name}.onnx", lessons)
            torch.save(net.state_dict(), self._work / f"{name}.pt")

    def mine(self) -> None:
        if not (self._work / "namer-mined.pt").exists():
            self._teach_namer(self._namer("namer.pt"), self._mined(), MINED_LESSONS, 1e-3, "namer-mined.pt")

    def drawn(self) -> None:
        self._export("finder.pt", "namer-mined.pt", self._out / "drawn")

    def photographs(self) -> None:
        folder = os.environ.get("TABLEPI_PHOTOS")
        if folder is None:
            sys.exit("TABLEPI_PHOTOS names no folder of photographs: the steps photographs and ship need one")
        known = list(photographs.lessons(Path(folder), self._out / "drawn"))
        if not (self._work / "finder-photographs.pt").exists():
            lessons = finder.Lessons(self._drawn_shards(), seed=2, photographs=known)
            self._teach_finder(self._finder("finder.pt"), lessons, FINDER_PHOTOGRAPHS, 6e-4, "finder-photographs.pt")
        if not (self._work / "namer-photographs.pt").exists():
            drawn = [namer.cut_shard(file, i) for i, file in enumerate(self._drawn_shards()[::2])]
            parts = drawn + [p.patches for p in known for _ in range(3)]
            self._teach_namer(self._namer("namer-mined.pt"), _joined(parts), NAMER_PHOTOGRAPHS, 4e-4,
                              "namer-photographs.pt")  # fmt: skip

    def ship(self) -> None:
        self._export("finder-photographs.pt", "namer-photographs.pt", self._out)

    def measure(self) -> None:
        for folder in (self._out / "drawn", self._out):
            scenes = max(20, 1500 // self._less)
            files = sorted(self._shards.glob("held-out-*.npz"))
            told = measure.read_scenes(CardReader(folder), files, limit=scenes, least_pixels=22)
            slope, shift = measure.calibrate(told)
            print(f"{folder}: slope {slope:.3f}, shift {shift:.3f}\n{measure.table(told, slope, shift, scenes)}")
            threshold = measure.threshold(told, slope, shift, most=FALSE_CARDS)
            self._write_settings(folder, threshold=threshold, slope=slope, shift=shift)

    def _drawn_shards(self) -> list[Path]:
        return sorted(self._shards.glob("drawn-*.npz"))

    def _mined(self) -> namer.Patches:
        """The patches of the drawn shards, and the places where the finder sees an index that is none."""
        model = self._work / "mine.onnx"
        export.onnx(self._finder("finder.pt"), (1, 3, 480, 832), model)
        at_table = FinderAtTable(model, least=0.1)
        parts = []
        for i, file in enumerate(self._drawn_shards()):
            parts.append(namer.cut_shard(file, i))
            if i % 8 == 0:  # looking for them takes long, and some thousands will do
                parts += _deceived(at_table, file)
        return _joined(parts)

    def _teach_finder(self, net: Finder, lessons: finder.Lessons, many: int, rate: float, name: str) -> None:
        finder.teach(net, lessons, many=many // self._less, rate=rate, keep=self._work / name, say=_say)

    def _teach_namer(self, net: Namer, patches: namer.Patches, many: int, rate: float, name: str) -> None:
        namer.teach(net, patches, many=many // self._less, rate=rate, keep=self._work / name, say=_say)

    def _finder(self, name: str) -> Finder:
        net = Finder()
        net.load_state_dict(torch.load(self._work / name))
        return net

    def _namer(self, name: str) -> Namer:
        net = Namer()
        net.load_state_dict(torch.load(self._work / name))
        return net

    def _export(self, finder_name: str, namer_name: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        export.onnx(self._finder(finder_name), (1, 3, 480, 832), folder / "finder.onnx")
        export.onnx(export.Telling(self._namer(namer_name)), (1, 3, 48, 48), folder / "namer.onnx")
        self._write_settings(folder, threshold=0.9, slope=1.0, shift=0.0)

    def _write_settings(self, folder: Path, *, threshold: float, slope: float, shift: float) -> None:
        settings = {
            "threshold": round(threshold, 4),
            "slope": round(slope, 4),
            "shift": round(shift, 4),
            "least_pixels": 16,
            "least_score": 0.2,
            "doubt": 0.9,
            "sha256": {
                f"{name}.onnx": hashlib.sha256((folder / f"{name}.onnx").read_bytes()).hexdigest()
                for name in ("finder", "namer")
            },
        }
        (folder / "reader.yaml").write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")


def _deceived(at_table: FinderAtTable, file: Path) -> Iterator[namer.Patches]:
    for image, truth in shards.read(file):
        frame, pixels, labels = Pyramid(image), [], []
        for place in at_table.find(image):
            far = np.hypot(truth["x"] - place.x, truth["y"] - place.y) if len(truth) else np.zeros(0)
            if (far > 0.6 * np.maximum(truth["size"], place.size)).all():
                pixels.append(frame.cut(place.x, place.y, place.up, place.size, side=namer.WIDE))
                labels.append((-1, -1, place.size))
        if pixels:
            yield namer.Patches(np.array(pixels), np.array(labels, namer.LABEL))


def _joined(parts: list[namer.Patches]) -> namer.Patches:
    return namer.Patches(np.concatenate([p.pixels for p in parts]), np.concatenate([p.labels for p in parts]))


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
