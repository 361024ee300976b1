"""Networks as ONNX files that ``cv2.dnn`` runs: plain convolutions, additions, enlargements and matrices."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from .nets import Namer


class Telling(nn.Module):
    """The namer as the table uses it: its answers, then the 160 numbers they are drawn from, in one row. Enrolled
    decks are told apart by those numbers."""

    def __init__(self, namer: Namer) -> None:
        super().__init__()
        self.namer = namer

    def forward(self, x: Tensor) -> Tensor:
        _, inner, bend, outer = self.namer.told
        looks = bend(inner(self.namer.seen(x)))
        return torch.cat([outer(looks), looks], 1)


def onnx(net: nn.Module, sample: tuple[int, ...], file: Path) -> None:
    """Write *net* to *file*; *sample* is the shape of an input whose height and width may change."""
    net = net.eval().to(memory_format=torch.contiguous_format)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net,
            (torch.zeros(sample),),
            str(file),
            dynamo=False,
            opset_version=13,
            input_names=["frame"],
            output_names=["told"],
            dynamic_axes={"frame": {2: "height", 3: "width"}} if sample[2] > 48 else None,
        )
