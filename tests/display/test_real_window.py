"""One real window, on a real X server without a screen, pressed by real X events."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pygame
import pytest

from tablepi.display import Closed, Display, Key
from tablepi.facts import Hand
from tablepi.views.screen import Command
from tests.display.samples import mid_trick

NEEDED = ("Xvfb", "xdotool")
ABSENT = [name for name in NEEDED if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)} (apt install xvfb xdotool)")

SIZE = (800, 480)
PATIENCE_S = 20.0


def until(display: Display, wanted: object) -> list[object]:
    """All presses up to *wanted*; fails when it does not come."""
    pressed: list[object] = []
    end = time.monotonic() + PATIENCE_S
    while wanted not in pressed:
        assert time.monotonic() < end, f"{wanted} did not come, only {pressed}"
        event = pygame.event.wait(200)  # returns at once when something happens
        if event.type != pygame.NOEVENT:
            pygame.event.post(event)
        pressed += display.presses()
    return pressed


def test_a_real_window_shows_the_table_and_is_clicked_typed_on_and_resized(x_server, monkeypatch, tmp_path):
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", x_server)
    screen = mid_trick()

    def xdo(*words: str | int) -> str:
        done = subprocess.run(
            ["xdotool", *map(str, words)], env={**os.environ, "DISPLAY": x_server}, capture_output=True, text=True,
            check=True, timeout=PATIENCE_S,
        )  # fmt: skip
        return done.stdout.strip()

    with Display(size=SIZE, caption="tablepi under test") as display:
        assert display.draw(screen) is True
        window = pygame.display.get_wm_info()["window"]
        assert xdo("getwindowname", window) == "tablepi under test"
        place = {t.tap.action: t.box.middle for t in display._layout.touches}

        xdo("mousemove", "--window", window, *place[Command("scores")], "click", 1)
        assert until(display, Command("scores")) == [Command("scores")]

        xdo("windowfocus", "--sync", window, "key", "n")
        assert until(display, Hand()) == [Hand()]
        xdo("key", "q")
        assert until(display, Key("q")) == [Key("q")]

        if shutil.which("import"):
            display.draw(screen)
            grabbed, drawn = tmp_path / "grabbed.png", tmp_path / "drawn.png"
            display.picture(drawn)
            subprocess.run(
                ["import", "-display", x_server, "-window", str(window), grabbed], check=True, timeout=PATIENCE_S
            )
            assert same_picture(grabbed, drawn)

        xdo("windowsize", window, 960, 640)
        end = time.monotonic() + PATIENCE_S
        while display.size != (960, 640):
            assert time.monotonic() < end, display.size
            pygame.event.post(pygame.event.wait(200))
            display.presses()
        assert display.draw(screen) is True
        place = {t.tap.action: t.box.middle for t in display._layout.touches}
        xdo("mousemove", "--window", window, *place[Command("help")], "click", 1)
        assert Command("help") in until(display, Command("help"))

        pygame.event.post(pygame.event.Event(pygame.QUIT))
        assert until(display, Closed()) == [Closed()]


def same_picture(one: Path, other: Path) -> bool:
    a, b = (pygame.image.tobytes(pygame.image.load(p).convert(24), "RGB") for p in (one, other))
    return a == b
