"""The two networks, small enough for one core of a Raspberry Pi. See ``tablepi/vision`` for how they are used."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tablepi.vision.answers import GLYPHS


def _step(before: int, after: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class Finder(nn.Module):
    """(n, 3, h, w) BGR, 0 to 1, h and w multiples of 16 → (n, 6, h/4, w/4): heat (a logit), up as (x, y), log of the
    size over 24 pixels, offset (x, y) in cells from the cell's middle to the index's."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 48, 64)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.stem = _step(3, a, 2)
        self.two = nn.Sequential(_step(a, b, 2), _step(b, b))
        self.three = nn.Sequential(_step(b, c, 2), _step(c, c), _step(c, c), _step(c, c))
        self.four = nn.Sequential(_step(c, d, 2), _step(d, d), _step(d, d), nn.Conv2d(d, c, 1))
        self.back = nn.Conv2d(c, b, 1)
        self.joined = _step(b, b)
        self.head = nn.Conv2d(b, 6, 1)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        two = self.two(self.stem(x))
        three = self.three(two)
        three = three + F.interpolate(self.four(three), scale_factor=2.0, mode="nearest")
        two = self.joined(two + F.interpolate(self.back(three), scale_factor=2.0, mode="nearest"))
        out: Tensor = self.head(two)
        return out


OFFSETS = 5
"""How a patch was cut off the mark: x, y (in index sizes), sine and cosine of the turn, log of the size."""


class Namer(nn.Module):
    """(n, 3, 48, 48) whitened → (n, 17 + 4 + 1 + 5): logits of the glyphs and the suits, a logit that this is an index
    at all, and the patch's offsets."""

    def __init__(self, widths: tuple[int, int, int, int] = (24, 48, 96, 128)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.seen = nn.Sequential(
            _step(3, a, 2),
            _step(a, b),
            _step(b, b, 2),
            _step(b, c),
            _step(c, c, 2),
            _step(c, d),
            _step(d, d, 2),
            nn.Flatten(),
        )
        self.told = nn.Sequential(
            nn.Dropout(0.2),
            nn.Linear(d * 9, 160),
            nn.ReLU(inplace=True),
            nn.Linear(160, len(GLYPHS) + 4 + 1 + OFFSETS),
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.told(self.seen(x))
        return out
