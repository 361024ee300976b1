"""A course of lessons that was stopped goes on from where it was kept."""

from __future__ import annotations

from itertools import repeat

import pytest

pytest.importorskip("torch", reason="torch teaches the networks: pip install '.[train]'")

import torch

from models.training import course


def test_an_interrupted_course_is_taken_up_after_the_steps_it_had_done(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "KEEP_S", -1.0)  # keep after every step
    net = torch.nn.Conv2d(1, 1, 1)
    keep, said, steps = tmp_path / "net.pt", [], []

    def wrong(batch):
        if len(steps) == 3:
            raise KeyboardInterrupt
        steps.append(batch)
        return net(torch.ones(1, 1, 2, 2)).square().mean()

    def run():
        course.run(net, repeat(0), wrong, steps=5, rate=0.1, decay=0.0, keep=keep, say=said.append)

    with pytest.raises(KeyboardInterrupt):
        run()
    assert [file.name for file in tmp_path.iterdir()] == ["net.half"]
    kept = {name: value.clone() for name, value in net.state_dict().items()}
    steps.append("and on")  # past the interruption
    for value in net.parameters():
        torch.nn.init.zeros_(value)
    run()
    assert "net: goes on after 3 of 5 steps" in said
    assert len(steps) == 4 + 2
    assert [file.name for file in tmp_path.iterdir()] == ["net.pt"]
    assert not torch.equal(torch.load(keep)["weight"], torch.zeros(1, 1, 1, 1))
    assert set(torch.load(keep)) == set(kept)
