"""A shipped network that is taken up to be taught on says what its file says."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch teaches the networks: pip install '.[train]'")
pytest.importorskip("onnx", reason="onnx reads what was shipped: pip install '.[train]'")

import cv2
import numpy as np
import torch

from models.training import export, taken_up
from models.training.nets import Finder, Namer
from tablepi.vision.reader import MODELS


@pytest.mark.parametrize(
    ("net", "shape", "file"),
    [(Finder(), (2, 3, 64, 96), "finder.onnx"), (Namer(), (40, 3, 48, 48), "namer.onnx")],
    ids=["finder", "namer"],
)
def test_a_network_taken_up_and_written_again_answers_as_before(net, shape, file, tmp_path):
    torch.manual_seed(1)
    lessons = [torch.rand(shape) for _ in range(3)]
    taken_up.load(net, MODELS / file, lessons)
    written = export.Telling(net) if isinstance(net, Namer) else net
    export.onnx(written, (1, *shape[1:]), tmp_path / file)
    frame = np.random.default_rng(2).random((1, *shape[1:])).astype(np.float32)
    told = []
    for model in (MODELS / file, tmp_path / file):
        run = cv2.dnn.readNet(str(model))
        run.setInput(frame)
        told.append(run.forward())
    np.testing.assert_allclose(told[1], told[0], rtol=1e-3, atol=2e-3)
    mean = [m.running_mean for m in net.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    assert all(bool(m.abs().max() > 1e-3) for m in mean)  # it was unfolded: such a net can be taught


def test_another_kind_of_network_is_refused_by_name():
    with pytest.raises(ValueError, match=r"finder\.onnx.*other shapes"):
        taken_up.load(Namer(), MODELS / "finder.onnx", [])
