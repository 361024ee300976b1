"""Teaching on from a network that was shipped: the ONNX file holds all that was learned, so none of it need be learned
again.

Batch normalisation was folded into the convolutions when the network was written. It is unfolded here: each layer's
normalisation gets the mean and spread that its outputs have on real lessons, and the scale and shift that undo it, so
that the network says what the file says and can be taught as before.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def load(net: nn.Module, file: Path, lessons: Iterable[Tensor]) -> None:
    """Fill *net* with the weights of *file*, which ``export.onnx`` wrote from such a net; *lessons* are some batches
    of its input. Raises ValueError when the file holds another kind of net."""
    graph = onnx.load(str(file)).graph
    known = {w.name: torch.from_numpy(numpy_helper.to_array(w).copy()) for w in graph.initializer}
    weights = [[known[name] for name in node.input[1:]] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers = [m for m in net.modules() if isinstance(m, nn.Conv2d | nn.Linear)]
    shapes = [tuple(layer.weight.shape) for layer in layers]
    if [tuple(weight.shape) for weight, _ in weights] != shapes:
        raise ValueError(f"{file}: this is not a network of the kind to be taught: its layers have other shapes")
    after = dict(pairwise(net.modules()))  # a normalisation stands right after its convolution
    norms = {layer: after[layer] for layer in layers if isinstance(after.get(layer), nn.BatchNorm2d)}
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, weights, strict=True):
            layer.weight.copy_(weight)
            if layer in norms:
                _plain(norms[layer], bias)
            else:
                layer.bias.copy_(bias)
        _unfold(net, norms, lessons)


def _plain(norm: nn.BatchNorm2d, bias: Tensor) -> None:
    """Make *norm* add *bias* and nothing else."""
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.fill_(1)
    norm.bias.copy_(bias)


def _unfold(net: nn.Module, norms: dict[nn.Conv2d, nn.BatchNorm2d], lessons: Iterable[Tensor]) -> None:
    seen: dict[nn.Conv2d, list[tuple[Tensor, Tensor]]] = {layer: [] for layer in norms}

    def keep(layer: nn.Module, _: tuple[Tensor], out: Tensor) -> None:
        seen[layer].append((out.mean((0, 2, 3)), out.square().mean((0, 2, 3))))

    hooks = [layer.register_forward_hook(keep) for layer in norms]
    net.eval()
    for batch in lessons:
        net(batch)
    for hook in hooks:
        hook.remove()
    for layer, norm in norms.items():
        mean = torch.stack([m for m, _ in seen[layer]]).mean(0)
        spread = torch.stack([s for _, s in seen[layer]]).mean(0) - mean.square()
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.add_(mean)
