"""How long a card's number takes from the wire to the inbox: for the benchmark, and tested like the rest."""

from __future__ import annotations

import queue
import time
from contextlib import ExitStack
from pathlib import Path

from tablepi.devices.readers import LineReader
from tablepi.devices.roles import Role
from tablepi.devices.supervisor import Supervisor
from tablepi.facts import Fact
from tablepi.virtual.readers import VirtualReader


def bytes_to_fact_ms(folder: Path, *, reads: int = 200, readers: int = 4) -> list[float]:
    """Milliseconds from writing a line to a pseudo-terminal to its fact in the inbox, one for each of *reads*.

    *readers* ports in *folder* are open; the lines go to them in turns, one at a time.
    """
    inbox: queue.Queue[Fact] = queue.Queue(maxsize=64)
    taken = []
    with ExitStack() as stack:
        worlds = [stack.enter_context(VirtualReader(folder / f"reader-{i}")) for i in range(readers)]
        devices = [LineReader(str(w.link), Role(f"reader-{i}", cards={}, seat=i)) for i, w in enumerate(worlds)]
        supervisor = stack.enter_context(Supervisor(devices, inbox))
        if not supervisor.wait_tried(10.0):
            raise TimeoutError("the readers do not open")
        for n in range(reads):
            began = time.perf_counter()
            worlds[n % readers].lay(f"{n:08X}")
            inbox.get(timeout=10.0)
            taken.append((time.perf_counter() - began) * 1000)
    return taken
