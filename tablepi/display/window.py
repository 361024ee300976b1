"""The window: shows a ``Screen`` and says what was pressed on it. Knows no game.

Opens under X11, Wayland, on a bare console (KMS) or without any screen, and belongs to the thread that opened it.
"""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType

import pygame

from ..errors import BadInput, Missing
from ..files import write_whole
from ..views.screen import Action, Screen, Tap
from .keys import Closed, Key, names_of
from .layout import lay_out
from .painter import Painter
from .pieces import Layout

_ECHO_S = 0.6
"""Seconds in which a mouse press at the place of a finger's press is that press again: some drivers send both, and not
all of them mark the second one."""

_DRM = Path("/sys/class/drm")


class Display:
    """A window, or the whole screen, on which a table is shown. Opens on ``with``; raises Missing when there is none.

    *size* is in pixels and is the screen's own with *fullscreen*. *headless* draws without any screen. *rotate* turns
    the picture clockwise by 0, 90, 180 or 270 degrees, for panels that are mounted so; touches are turned with it.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1024, 600),
        fullscreen: bool = False,
        headless: bool = False,
        caption: str = "tablepi",
        rotate: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if rotate not in (0, 90, 180, 270):
            raise BadInput(f"rotate: {rotate} is not 0, 90, 180 or 270")
        if min(size) < 200:
            raise BadInput(f"size: {size[0]}x{size[1]} is too small to be read; 200x200 is the least")
        self._size = size
        self._fullscreen = fullscreen
        self._headless = headless
        self._caption = caption
        self._rotate = rotate
        self._clock = clock
        self._painter: Painter | None = None
        self._canvas: pygame.Surface | None = None
        self._layout: Layout | None = None
        self._shown: Screen | None = None
        self._stale = True
        self._finger: tuple[float, float, float] | None = None  # when and where a finger pressed last
        self._pointer_hidden = False
        self._close = ExitStack()

    def __enter__(self) -> Display:
        with ExitStack() as stack:
            asked = dict(os.environ)
            stack.enter_context(_environment(_wanted(asked, headless=self._headless)))
            try:
                stack.callback(pygame.display.quit)
                pygame.display.init()
                driver = pygame.display.get_driver()
                if driver in ("dummy", "offscreen") and not self._headless and "SDL_VIDEODRIVER" not in asked:
                    raise pygame.error("no video device but the pretended one")
                stack.callback(pygame.font.quit)
                pygame.font.init()
                pygame.display.set_caption(self._caption)
                self._open_window()
            except (pygame.error, NotImplementedError) as error:
                raise Missing(_no_screen(str(error), asked)) from error
            self._painter = Painter()
            self._shown, self._layout, self._stale = None, None, True
            pygame.event.clear()  # a window tells of its own birth; that is no reason to draw twice
            self._close = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._painter = self._canvas = self._layout = self._shown = None
        self._close.close()

    def _open_window(self) -> None:
        if self._fullscreen:
            pygame.display.set_mode(pygame.display.get_desktop_sizes()[0], pygame.FULLSCREEN)
        else:
            pygame.display.set_mode(self._size, 0 if self._headless else pygame.RESIZABLE)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels, as it is read (after *rotate*)."""
        w, h = self._window().get_size()
        return (h, w) if self._rotate in (90, 270) else (w, h)

    def _window(self) -> pygame.Surface:
        window = pygame.display.get_surface()
        if window is None or self._painter is None:
            raise RuntimeError("the display is not open: use it in a with statement")
        return window

    def draw(self, screen: Screen) -> bool:
        """Show *screen*. Draws only when it differs from what is shown, or when the window lost its picture (resized,
        uncovered); returns whether it drew. Call it after each ``presses``."""
        window = self._window()
        if screen == self._shown and not self._stale:
            return False
        assert self._painter is not None
        size = self.size
        self._layout = lay_out(screen, size, measure=self._painter.measure)
        if self._canvas is None or self._canvas.get_size() != size:
            self._canvas = pygame.Surface(size) if self._rotate else None
        canvas = self._canvas or window
        self._painter.paint(canvas, self._layout)
        if self._canvas is not None:
            window.blit(pygame.transform.rotate(self._canvas, -self._rotate), (0, 0))
        pygame.display.flip()
        self._shown, self._stale = screen, False
        return True

    def presses(self) -> list[Action | Key | Closed]:
        """What was pressed since the last call, in order: the action of a tap that was hit by mouse, finger or key, a
        ``Key`` that no tap owns, ``Closed``. Never waits. Presses are matched with what is shown."""
        self._window()
        pressed: list[Action | Key | Closed] = []
        for event in pygame.event.get():
            found = self._press(event)
            if found is not None:
                pressed.append(found)
        return pressed

    def _press(self, event: pygame.event.Event) -> Action | Key | Closed | None:
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            # SDL sends both when the last window is closed: the second one is the one that counts.
            return Closed() if event.type == pygame.QUIT else None
        if event.type in (pygame.VIDEORESIZE, pygame.VIDEOEXPOSE, pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED):
            self._stale = True
        elif event.type == pygame.FINGERDOWN:
            w, h = self._window().get_size()
            self._finger = (self._clock(), event.x * w, event.y * h)
            self._show_pointer(False)
            return self._tapped(event.x * w, event.y * h)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            if not getattr(event, "touch", False) and not self._echo(*event.pos):
                return self._tapped(*event.pos)
        elif event.type == pygame.MOUSEMOTION and not getattr(event, "touch", False) and not self._echo(*event.pos):
            self._show_pointer(True)
        elif event.type == pygame.KEYDOWN:
            return self._key(event)
        return None

    def _echo(self, x: float, y: float) -> bool:
        """Whether the mouse only repeats what a finger did."""
        if self._finger is None:
            return False
        at, fx, fy = self._finger
        near = 0.04 * max(self._window().get_size())
        return self._clock() - at < _ECHO_S and abs(x - fx) <= near and abs(y - fy) <= near

    def _tapped(self, x: float, y: float) -> Action | None:
        """The action under a point of the window, in its pixels."""
        w, h = self._window().get_size()
        x, y = {0: (x, y), 90: (y, w - 1 - x), 180: (w - 1 - x, h - 1 - y), 270: (h - 1 - y, x)}[self._rotate]
        tap = self._layout.tap_at(x, y) if self._layout else None
        return tap.action if tap else None

    def _key(self, event: pygame.event.Event) -> Action | Key | None:
        names = names_of(event)
        taps: list[Tap] = [tap for name in names if self._layout and (tap := self._layout.tap_for(name))]
        if taps:
            return taps[0].action
        return Key(names[0]) if names else None

    def _show_pointer(self, shown: bool) -> None:
        """Hide the mouse pointer from a finger on. It becomes transparent: a switched-off pointer kills touches with
        some drivers."""
        if shown != self._pointer_hidden:
            return
        self._pointer_hidden = not shown
        with suppress(pygame.error):  # a console without a pointer has none to hide
            if shown:
                pygame.mouse.set_cursor(pygame.SYSTEM_CURSOR_ARROW)
            else:
                pygame.mouse.set_cursor((8, 8), (0, 0), (0,) * 8, (0,) * 8)

    def picture(self, path: str | os.PathLike[str]) -> None:
        """Write what is shown as a PNG file. Raises BadInput when the file cannot be written."""
        shown = self._canvas or self._window()
        drawn = io.BytesIO()
        pygame.image.save(shown, drawn, "picture.png")
        write_whole(Path(path), drawn.getvalue())


# --- how SDL is asked to open -----------------------------------------------------------------------------------------


def _wanted(environ: Mapping[str, str], *, headless: bool, drm: Path = _DRM) -> dict[str, str]:
    """Settings for SDL that this display needs and *environ* does not give yet."""
    wanted = {
        "SDL_AUDIODRIVER": "dummy",  # no sound comes from here, and ALSA would complain on standard error
        "SDL_TOUCH_MOUSE_EVENTS": "0",  # a finger is a finger; without this SDL also plays a mouse
    }
    if headless:
        return {"SDL_VIDEODRIVER": "dummy"} | {k: v for k, v in wanted.items() if k not in environ}
    bare = sys.platform == "linux" and not _desktop(environ)
    if environ.get("SDL_VIDEODRIVER", "kmsdrm" if bare else "").lower() == "kmsdrm":
        # Named, so that SDL does not try desktops first, whose libraries complain on standard error.
        wanted["SDL_VIDEODRIVER"] = "kmsdrm"
        # With SDL's own choice, desktop OpenGL, every call succeeds and the panel stays black.
        wanted |= {"SDL_RENDER_DRIVER": "opengles2", "SDL_FRAMEBUFFER_ACCELERATION": "opengles2"}
        card = _connected_card(drm)
        if card is not None:
            wanted["SDL_KMSDRM_DEVICE_INDEX"] = card
    return {k: v for k, v in wanted.items() if k not in environ}


def _desktop(environ: Mapping[str, str]) -> str:
    """Name of the desktop that a window would open on; "" on a bare console."""
    named = environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")
    if named:
        return named
    runtime = environ.get("XDG_RUNTIME_DIR")
    return "wayland-0" if runtime and (Path(runtime) / "wayland-0").exists() else ""


def _connected_card(drm: Path) -> str | None:
    """The number of the first graphics card with a screen on it: a Pi 5 has several, and their numbers change."""
    for status in sorted(drm.glob("card*-*/status")):
        try:
            if status.read_text().strip() == "connected":
                return status.parent.name.split("-")[0].removeprefix("card")
        except OSError:
            continue
    return None


class _environment:
    """Sets variables for the time of a ``with``, and puts back what was there."""

    def __init__(self, wanted: Mapping[str, str]) -> None:
        self._wanted = wanted
        self._before: dict[str, str | None] = {}

    def __enter__(self) -> None:
        self._before = {name: os.environ.get(name) for name in self._wanted}
        os.environ.update(self._wanted)

    def __exit__(self, *_: object) -> None:
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _no_screen(reason: str, environ: Mapping[str, str]) -> str:
    desktop = _desktop(environ)
    driver = environ.get("SDL_VIDEODRIVER")
    if driver:
        tried = f"SDL_VIDEODRIVER={driver}"
    elif desktop:
        tried = f"the desktop at {desktop}"
    else:
        tried = "the console (there is no desktop: DISPLAY and WAYLAND_DISPLAY are not set)"
    return (
        f"display: cannot open a window on {tried}: {reason}. Try --headless; on a desktop, start from its terminal; "
        "on a console without a desktop: sudo apt install libgbm1 libegl1 libgles2 libgl1-mesa-dri, add the user to "
        "the groups video, render, input and tty, and use pygame-ce (pip's pygame cannot draw on a console)"
    )
