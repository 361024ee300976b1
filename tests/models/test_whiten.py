"""The namer is taught on patches whitened as the table whitens them."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch teaches the networks: pip install '.[train]'")

import numpy as np
import torch

from models.training import namer
from tablepi.vision import patches


def test_training_and_table_whiten_alike():
    rng = np.random.default_rng(4)
    light = rng.uniform(0.1, 1.0, (12, 1, 1, 3))  # of every colour, from dusk to glare
    seen = np.clip(rng.integers(0, 256, (12, 48, 48, 3)) * light, 0, 255).astype(np.uint8)
    taught = namer.whiten(torch.from_numpy(seen).permute(0, 3, 1, 2).float()).numpy()
    # The one takes the percentile between two pixels, the other the lower of them: at most one grey level of 24.
    np.testing.assert_allclose(taught, patches.whiten(seen), rtol=1 / 24)
