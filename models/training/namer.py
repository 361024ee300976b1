"""Teaching the namer: which rank, which suit, or no index at all, and how the patch was cut off the mark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from tablepi.vision.answers import GLYPHS
from tablepi.vision.patches import INDEX, SIDE, Pyramid

from . import course, shards
from .nets import Namer

BATCH = 128

WIDE = 88
"""Pixels of a stored patch: what a lesson cuts out, turned and shifted, lies inside."""

LABEL = np.dtype([("glyph", "i1"), ("suit", "i1"), ("size", "f4")])
"""What a patch shows: glyph -1 = no index (or none that can be named). *size*: pixels of the frame the index had."""


@dataclass(frozen=True)
class Patches:
    """*pixels* (n, 88, 88, 3) uint8 BGR, an index in the middle, upright, 36 pixels high; *labels* (n,) of LABEL."""

    pixels: NDArray[np.uint8]
    labels: NDArray[np.void]


def cut(rng: np.random.Generator, image: NDArray[np.uint8], truth: NDArray[np.void]) -> Patches:
    """The patches of one scene: every index that is seen, and as many places that are none, the likeliest to deceive:
    indices on their head or side, beside an index, hardly seen, and anywhere."""
    seen = np.minimum(truth["rank_seen"], truth["suit_seen"])
    frame = Pyramid(image)
    pixels, labels = [], []

    def add(x: float, y: float, up: float, size: float, glyph: int, suit: int) -> None:
        if -5 < x < image.shape[1] + 5 and -5 < y < image.shape[0] + 5:
            pixels.append(frame.cut(x, y, up, size, side=WIDE))
            labels.append((glyph, suit, size))

    whole = np.flatnonzero((seen > 0.8) & (truth["size"] > 9))
    for row in truth[whole]:
        add(row["x"], row["y"], row["up"], row["size"], row["glyph"], row["suit"])
        what = rng.random()
        size = row["size"] * np.exp(rng.normal(0, 0.15))
        if what < 0.3:  # on its head: a 6 must not be a 9
            add(row["x"], row["y"], row["up"] + np.pi + rng.normal(0, 0.35), size, -1, -1)
        elif what < 0.45:
            add(row["x"], row["y"], row["up"] + rng.choice([-1, 1]) * rng.uniform(1.2, 2.0), size, -1, -1)
        elif what < 0.75:  # beside it, where the pips are
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1.8) * row["size"]
            x, y = row["x"] + np.cos(way) * far, row["y"] + np.sin(way) * far
            others = np.hypot(truth["x"] - x, truth["y"] - y)
            if (others > 0.6 * truth["size"]).all():
                add(x, y, row["up"] + rng.choice([0, np.pi]) + rng.normal(0, 0.3), size, -1, -1)
        elif what < 0.85:  # far too large or small
            k = np.exp(rng.choice([-1, 1]) * rng.uniform(0.8, 1.3))
            add(row["x"], row["y"], row["up"] + rng.normal(0, 0.2), row["size"] * k, -1, -1)
    for row in truth[(seen < 0.55) & (truth["rank_seen"] + truth["suit_seen"] > 0.1)]:  # half a 3 is no J
        add(row["x"], row["y"], row["up"], row["size"], -1, -1)
    for _ in range(2):
        x, y = rng.uniform(0, image.shape[0], 2)
        if not len(truth) or (np.hypot(truth["x"] - x, truth["y"] - y) > 0.7 * truth["size"]).all():
            add(x, y, rng.uniform(0, 2 * np.pi), float(np.exp(rng.uniform(np.log(14), np.log(90)))), -1, -1)
    return Patches(np.array(pixels, np.uint8).reshape(-1, WIDE, WIDE, 3), np.array(labels, LABEL))


def cut_shard(file: Path, number: int) -> Patches:
    """The patches of every scene of a shard."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([7, number])
    parts = [cut(rng, image, truth) for image, truth in shards.read(file)]
    return Patches(np.concatenate([p.pixels for p in parts]), np.concatenate([p.labels for p in parts]))


def whiten(x: Tensor) -> Tensor:
    """As ``tablepi.vision.patches.whiten``, for a batch (n, 3, h, w) of 0..255."""
    flat = x.flatten(2)[:, :, ::3]
    paper = flat.float().kthvalue(int(0.75 * (flat.shape[2] - 1)) + 1, dim=2).values
    return (x / paper.clamp(min=24.0)[:, :, None, None]).clamp(0, 1.5)


def lessons(patches: Patches, *, batch: int, seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Batches without end: patches off the mark (n, 3, 48, 48) whitened, glyphs, suits (-1: none), offsets (n, 5)."""
    rng = np.random.default_rng(seed)
    n = len(patches.labels)
    while True:
        order = rng.permutation(n)
        for start in range(0, n - batch, batch):
            rows = np.sort(order[start : start + batch])
            wide = torch.from_numpy(patches.pixels[rows]).permute(0, 3, 1, 2).float()
            labels = patches.labels[rows]
            x, offsets = jitter(wide, rng, wild=rng.random(batch) < 0.5)
            yield (
                spoil(x, rng),
                torch.from_numpy(labels["glyph"].astype(np.int64)),
                torch.from_numpy(labels["suit"].astype(np.int64)),
                offsets,
            )


def jitter(wide: Tensor, rng: np.random.Generator, wild: NDArray[np.bool_]) -> tuple[Tensor, Tensor]:
    """Cut (n, 3, 48, 48) out of *wide* (n, 3, 88, 88), shifted, turned, scaled and a little sheared; *wild* says for
    which as far as the finder may err. The offsets say how to cut again: the index lies at (x, y) index sizes from the
    patch's middle, its up turned by the angle, its size exp(last) times the one assumed."""
    n = len(wide)
    spread = np.where(wild, 1.0, 0.25)
    shift = np.clip(rng.normal(0, 0.13, (n, 2)) * spread[:, None], -0.35, 0.35)
    turn = np.clip(rng.normal(0, 0.3, n) * spread, -0.75, 0.75)
    scale = np.exp(np.clip(rng.normal(0, 0.17, n) * spread, -0.4, 0.4))
    shear = rng.normal(0, 0.08, n)
    slim = np.exp(rng.normal(0, 0.14, n))  # seen aslant: narrower or lower than printed
    # A patch pixel p (from the middle) shows the wide patch's pixel  m + k·R(turn)·p : the assumed frame is turned,
    # shifted by m and k times as large as the true one.
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    half, wide_half = SIDE / 2, WIDE / 2
    theta = np.zeros((n, 2, 3), np.float32)
    theta[:, 0, 0], theta[:, 0, 1] = c, -s + shear * c
    theta[:, 1, 0], theta[:, 1, 1] = s, c + shear * s
    theta[:, :, 0] *= slim[:, None]
    theta[:, :, 1] /= slim[:, None]
    theta[:, :, :2] *= half / wide_half
    moved = shift * INDEX
    theta[:, 0, 2], theta[:, 1, 2] = moved[:, 0] / wide_half, moved[:, 1] / wide_half
    grid = F.affine_grid(torch.from_numpy(theta), [n, 3, SIDE, SIDE], align_corners=False)
    x = F.grid_sample(wide, grid, mode="bilinear", padding_mode="border", align_corners=False)
    # Where the true index lies in the patch: p = R(-turn)·(-m)/k.
    px = (-moved[:, 0] * np.cos(turn) - moved[:, 1] * np.sin(turn)) / scale / slim / INDEX
    py = (moved[:, 0] * np.sin(turn) - moved[:, 1] * np.cos(turn)) / scale * slim / INDEX
    offsets = np.stack([px, py, np.sin(-turn), np.cos(-turn), -np.log(scale)], 1).astype(np.float32)
    return x, torch.from_numpy(offsets)


def spoil(x: Tensor, rng: np.random.Generator) -> Tensor:
    """Other light and lenses for each patch, then whitened."""
    n = len(x)

    def each(values: NDArray[np.float64]) -> Tensor:
        return torch.from_numpy(values.astype(np.float32)).view(n, -1, 1, 1)

    gain = np.exp(rng.normal(0, 0.15, (n, 3))) * np.exp(rng.normal(0, 0.15, (n, 1)))
    x = x * each(gain)
    for often, shape, weakest in ((0.3, (3, 3), 0.0), (0.07, (1, 7), 0.3), (0.07, (7, 1), 0.3)):  # blurred, or moved
        some = np.flatnonzero(rng.random(n) < often)
        if len(some):
            rows, pad = torch.from_numpy(some), (shape[1] // 2,) * 2 + (shape[0] // 2,) * 2
            soft = F.avg_pool2d(F.pad(x[rows], pad, mode="replicate"), shape, 1)
            much = torch.from_numpy(rng.uniform(weakest, 1, (len(some), 1, 1, 1)).astype(np.float32))
            x[rows] += (soft - x[rows]) * much
    coarse = rng.random(n) < 0.12  # few pixels
    if coarse.any():
        rows = torch.from_numpy(np.flatnonzero(coarse))
        few = int(rng.integers(20, 36))
        small = F.interpolate(x[rows], size=(few, few), mode="bilinear", antialias=True, align_corners=False)
        x[rows] = F.interpolate(small, size=(SIDE, SIDE), mode="bilinear", align_corners=False)
    grain = np.abs(rng.normal(0, 4, (n, 1))) * (rng.random((n, 1)) < 0.5)
    x = x + torch.randn_like(x) * each(grain)
    veil = np.where(rng.random((n, 1)) < 0.22, rng.uniform(0, 0.7, (n, 1)), 0.0)  # glare, over-exposed, faded
    x = x + (235 - x) * each(veil)
    return whiten(x.clamp(0, 255))


def loss(told: Tensor, glyphs: Tensor, suits: Tensor, offsets: Tensor) -> Tensor:
    told = told.float()
    g = len(GLYPHS)
    real = (glyphs >= 0).float()
    is_index = F.binary_cross_entropy_with_logits(told[:, g + 4], real * 0.99 + 0.005)
    which = F.cross_entropy(told[:, :g], glyphs, ignore_index=-1, label_smoothing=0.01)
    suit = F.cross_entropy(told[:, g : g + 4], suits, ignore_index=-1, label_smoothing=0.01)
    off = F.smooth_l1_loss(told[:, g + 5 :], offsets, reduction="none", beta=0.05).sum(1)
    return which + suit + is_index + 2.0 * (off * real).sum() / real.sum().clamp(min=1)


def teach(
    net: Namer, patches: Patches, *, many: int, rate: float, keep: Path, say: Callable[[str], None], seed: int = 3
) -> None:
    """Teach *net* *many* patches; ``course.run`` says how it is kept and taken up again."""

    def wrong(batch: tuple[Tensor, Tensor, Tensor, Tensor]) -> Tensor:
        x, glyphs, suits, offsets = (part.to(course.DEVICE) for part in batch)
        with course.precision():
            told = net(x.contiguous(memory_format=torch.channels_last))
        return loss(told, glyphs, suits, offsets)

    torch.manual_seed(seed)
    batches = lessons(patches, batch=BATCH, seed=seed)
    course.run(net, batches, wrong, steps=many // BATCH, rate=rate, decay=2e-2, keep=keep, say=say)
