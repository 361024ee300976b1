"""Teaching the finder: where indices are, which way up, how large."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from tablepi.vision.finder import CELL, UNIT

from . import course, shards
from .nets import Finder
from .photographs import Photograph

SIDE = 256
BATCH = 32
POOL = 1500
SIZES = (10.0, 80.0)
"""Index sizes, in pixels of the network's input, that the finder answers for."""

Lesson = tuple[NDArray[np.uint8], NDArray[np.float32]]


def lesson(rng: np.random.Generator, image: NDArray[np.uint8], truth: NDArray[np.void]) -> Lesson:
    """A square of a scene at some scale, (256, 256, 3) uint8, and what is to be answered, (8, 64, 64) float32: heat,
    weight of the heat's loss, weight of the rest's loss, then the five numbers of ``Finder``."""
    seen = np.minimum(truth["rank_seen"], truth["suit_seen"]) if len(truth) else np.zeros(0)
    whole = np.flatnonzero(seen > 0.8)
    low, high = SIZES
    if len(whole):
        aim = truth[whole[rng.integers(len(whole))]]
        k = float(np.exp(rng.uniform(np.log(low), np.log(high)))) / aim["size"]
        k = float(np.clip(k, 0.25, 1.6))
        middle = np.array([aim["x"], aim["y"]]) * k + rng.uniform(-0.4, 0.4, 2) * SIDE
    else:
        k = float(np.exp(rng.uniform(np.log(0.3), np.log(1.5))))
        middle = rng.uniform(0, 1, 2) * image.shape[1::-1] * k
    scaled = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
    room = (max(n - SIDE, 0) for n in scaled.shape[1::-1])
    x0, y0 = (int(np.clip(m - SIDE / 2, 0, most)) for m, most in zip(middle, room, strict=True))
    part = scaled[y0 : y0 + SIDE, x0 : x0 + SIDE]
    square = np.full((SIDE, SIDE, 3), rng.integers(0, 255), np.uint8)
    left, top = (int(rng.integers(0, SIDE - n + 1)) for n in (part.shape[1], part.shape[0]))
    square[top : top + part.shape[0], left : left + part.shape[1]] = part
    if rng.random() < 0.5:
        gain = rng.uniform(0.6, 1.25) * rng.normal(1, 0.06, 3)
        square = np.clip(square * gain, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        square = cv2.GaussianBlur(square, (0, 0), rng.uniform(0.3, 0.9))
    return square, _answer(truth, seen, k, left - x0, top - y0)


def _answer(truth: NDArray[np.void], seen: NDArray[np.float32], k: float, dx: float, dy: float) -> NDArray[np.float32]:
    n = SIDE // CELL
    out = np.zeros((8, n, n), np.float32)
    out[1] = 1
    centres = (np.arange(n) + 0.5) * CELL - 0.5
    for row, share in zip(truth, seen, strict=True):
        x, y = (row["x"] + 0.5) * k - 0.5 + dx, (row["y"] + 0.5) * k - 0.5 + dy
        size = row["size"] * k
        if not (-size < x < SIDE + size and -size < y < SIDE + size):
            continue
        far = ((centres[None, :] - x) ** 2 + (centres[:, None] - y) ** 2) / size**2
        inside = 0 <= x < SIDE and 0 <= y < SIDE
        if share < 0.8 or not inside or not SIZES[0] * 0.85 < size < SIZES[1] * 1.15:
            if share > 0.3:
                out[1][far < 0.4**2] = 0
            continue
        heat = np.exp(-far / (2 * 0.13**2 + (2.0 / size) ** 2))
        column, line = (int(np.clip((v + 0.5) // CELL, 0, n - 1)) for v in (x, y))
        heat[line, column] = 1
        near = (heat > 0.45) & (heat > out[0])
        out[0] = np.maximum(out[0], heat)
        out[2][near] = heat[near]
        out[3][near], out[4][near] = np.sin(row["up"]), -np.cos(row["up"])
        out[5][near] = np.log(size / UNIT)
        out[6][near] = np.broadcast_to((x - centres)[None, :] / CELL, (n, n))[near]
        out[7][near] = np.broadcast_to((y - centres)[:, None] / CELL, (n, n))[near]
    return out


class Lessons(IterableDataset[Lesson]):
    """Lessons without end from shards, well mixed; *photographs*, where given, make one lesson in four."""

    def __init__(self, files: list[Path], *, seed: int, photographs: list[Photograph] | None = None) -> None:
        self._files, self._seed, self._photographs = files, seed, photographs or []

    def __iter__(self) -> Iterator[Lesson]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        seed = [self._seed, worker.id if worker else 0]
        rng, dice = np.random.default_rng(seed), random.Random(str(seed))
        pool: list[Lesson] = []
        while True:
            for image, truth in shards.read(dice.choice(self._files)):
                for _ in range(2):
                    made = lesson(rng, image, truth)
                    if self._photographs and dice.random() < 0.25:
                        photograph = dice.choice(self._photographs)
                        made = lesson(rng, photograph.image, photograph.truth)
                    if len(pool) < POOL:
                        pool.append(made)
                        continue
                    at = dice.randrange(len(pool))
                    yield pool[at]
                    pool[at] = made


def loss(told: Tensor, answer: Tensor) -> Tensor:
    """Focal loss of the heat (as of CenterNet) and smooth L1 of the rest where an index is."""
    heat, weight, near = answer[:, 0], answer[:, 1], answer[:, 2]
    p = torch.sigmoid(told[:, 0].float()).clamp(1e-4, 1 - 1e-4)
    peak = (heat > 0.99).float()
    pull = -((1 - p) ** 2) * torch.log(p) * peak
    push = -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * (1 - peak) * weight
    found = (pull.sum() + push.sum()) / peak.sum().clamp(min=1)
    rest = F.smooth_l1_loss(told[:, 1:].float(), answer[:, 3:], reduction="none", beta=0.2)
    scale = rest.new_tensor([1.0, 1.0, 1.0, 0.5, 0.5])[None, :, None, None]
    placed = (rest * scale * near[:, None]).sum() / near.sum().clamp(min=1)
    return found + placed


def teach(
    net: Finder, lessons: IterableDataset[Lesson], *, many: int, rate: float, keep: Path, say: Callable[[str], None]
) -> None:
    """Teach *net* *many* lessons; ``course.run`` says how it is kept and taken up again."""

    def wrong(batch: tuple[Tensor, Tensor]) -> Tensor:
        pictures, answers = (part.to(course.DEVICE) for part in batch)
        x = pictures.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last).float() / 255
        with course.precision():
            told = net(x)
        return loss(told, answers)

    batches = DataLoader(lessons, batch_size=BATCH, num_workers=1, prefetch_factor=4)
    course.run(net, batches, wrong, steps=many // BATCH, rate=rate, decay=1e-2, keep=keep, say=say)
