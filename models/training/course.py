"""A course of lessons: the same for both networks, on a processor's cores or on a graphics card where there is one.

Every two minutes the network, the optimiser and how far it is are kept beside the result, so that a course which was
stopped goes on from there. Lessons are then drawn anew, not where they stopped: a course that was interrupted learns
as much, not to the last bit the same.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
KEEP_S = 120

Batch = TypeVar("Batch")


def _has_bfloat16() -> bool:
    try:
        return DEVICE == "cuda" or "avx512_bf16" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False


HAS_BFLOAT16 = _has_bfloat16()


def precision() -> AbstractContextManager[object]:
    """Networks are run in bfloat16 where the processor has it: half the time; where it has not, ten times as much."""
    return torch.autocast(DEVICE, torch.bfloat16, enabled=HAS_BFLOAT16)


def run(
    net: nn.Module,
    batches: Iterable[Batch],
    wrong: Callable[[Batch], Tensor],
    *,
    steps: int,
    rate: float,
    decay: float,
    keep: Path,
    say: Callable[[str], None],
) -> None:
    """Take *steps* steps down *wrong* of *batches*, the rate warmed up and then falling as a cosine, and write *net*'s
    weights to *keep*. What an interrupted run left beside it is taken up."""
    net.train().to(DEVICE, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)
    half = keep.with_suffix(".half")
    done = 0
    if half.exists():
        told = torch.load(half)
        net.load_state_dict(told["net"])
        optimiser.load_state_dict(told["optimiser"])
        done = told["done"]
        say(f"{keep.stem}: goes on after {done} of {steps} steps")
    kept, lately, total = time.monotonic(), 0, 0.0
    for batch in batches:
        if done >= steps:
            break
        share = done / steps
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, share * 40 + 0.02) * (0.495 * (1 + math.cos(math.pi * share)) + 0.01)
        loss = wrong(batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        done, lately, total = done + 1, lately + 1, total + loss.item()
        if time.monotonic() - kept > KEEP_S:
            state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "done": done}
            part = half.with_suffix(".part")
            torch.save(state, part)
            part.replace(half)
            say(f"{keep.stem}: step {done} of {steps}, loss {total / lately:.3f}")
            kept, lately, total = time.monotonic(), 0, 0.0
    torch.save({name: value.cpu() for name, value in net.state_dict().items()}, keep)
    half.unlink(missing_ok=True)
