"""What a reader that runs by itself takes of memory: ``python -m tests.bench.vision_memory``, in a process of its own.

Prints one line of JSON: the peak in MiB once everything is imported, once the reader is open, and at the end.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from pathlib import Path

import cv2

from .vision_frames import as_frame, opened


def peak_mib() -> float:
    """The most memory that this process has had resident, in MiB.

    Linux hands a child its parent's ``ru_maxrss``, so a small child of a large parent would look large there; what the
    kernel says of this process's own memory is asked first.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines() if ":" in line)
        if "VmHWM" in lines:
            return int(lines["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_memory")
    parser.add_argument("--reader", choices=("cards", "template"), default="cards")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--as-frames", action="store_true", help="as frames of 1280×720 instead of as they are")
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if options.reader == "cards":
        from tablepi.vision.reader import CardReader

        imported = peak_mib()
        reader = CardReader(options.models)
    else:
        from .vision_peer import TemplateReader

        imported = peak_mib()
        reader = TemplateReader()
    ready = peak_mib()
    for file in options.files:
        photograph = opened(file)
        reader.read(as_frame(photograph) if options.as_frames else photograph)
    print(json.dumps({"imported": imported, "open": ready, "read": peak_mib()}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
