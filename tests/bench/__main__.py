"""Run every benchmark, or those whose names are given, and print their tables with the machine named."""

from __future__ import annotations

import sys

from . import camera, core, latency, proofs
from .tables import machine, print_table

# Add a benchmark here: a function that returns one table.
BENCHMARKS = (
    core.fold_one_fact,
    core.replay_hands,
    proofs.earlier_than_shown,
    proofs.named_at_once,
    proofs.one_card_misread,
    latency.bytes_to_lamp,
    camera.watched_frames,
)


def main(names: list[str]) -> int:
    known = {benchmark.__name__: benchmark for benchmark in BENCHMARKS}
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}: known are {', '.join(known)}", file=sys.stderr)
        return 2
    print(machine())
    for name in names or known:
        print_table(known[name]())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
