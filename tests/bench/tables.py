"""What a benchmark returns, and how it is printed."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Results:
    """One table: what was measured, the names of its columns, and its rows, already as text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def machine() -> str:
    """The machine and the interpreter, in one line."""
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, {_python()}"


def _python() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


def _processor() -> str:
    model = Path("/proc/device-tree/model")  # a Raspberry Pi says what it is here
    if model.exists():
        return model.read_text().strip("\0\n")
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def print_table(results: Results) -> None:
    widths = [max(len(row[i]) for row in (results.columns, *results.rows)) for i in range(len(results.columns))]
    print(f"\n{results.title}")
    for row in (results.columns, *results.rows):
        print(
            "  "
            + "  ".join(
                cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            )
        )
