"""Short films for tests, each frame of which says which one it is."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

WHITE = (255, 255, 255)


def film(path: Path, frames: int = 30, rate: float = 10.0) -> Path:
    """Frame n is a bar of n + 1 pixels on noise, so that each frame takes room in the file."""
    code = {".avi": "MJPG", ".mp4": "mp4v", ".mkv": "mp4v"}[path.suffix]
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*code), rate, (64, 48))
    assert writer.isOpened()
    noise = np.random.default_rng(1)
    for number in range(frames):
        drawn = noise.integers(0, 90, (48, 64, 3), np.uint8)
        drawn[:16, : number + 1] = WHITE
        writer.write(drawn)
    writer.release()
    return path
