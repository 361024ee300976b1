"""The display without a screen: SDL's dummy driver draws for real and takes real events."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from tablepi.cards import Card, card
from tablepi.display import Closed, Display, Key
from tablepi.display.boxes import Box
from tablepi.display.painter import Painter
from tablepi.display.pieces import Face, Felt, LampPiece, Layout, Photograph, Words
from tablepi.display.window import _wanted
from tablepi.errors import BadInput, Missing
from tablepi.views.lamps import MEANINGS
from tablepi.views.screen import Action, Command, Photo, Screen, Tap
from tests.display.samples import GREEN_PHOTO, RED_PHOTO, SAMPLES, jpeg, mid_trick, photographed, picker, players

SIZE = (800, 480)


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def display(clock: Clock) -> Iterator[Display]:
    with Display(size=SIZE, headless=True, clock=clock) as opened:
        yield opened


def click(x: float, y: float, *, touch: bool = False, button: int = 1) -> None:
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(int(x), int(y)), button=button, touch=touch))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(int(x), int(y)), button=button, touch=touch))


def finger(x: float, y: float, size: tuple[int, int] = SIZE) -> None:
    where = {"touch_id": 1, "finger_id": 0, "x": x / size[0], "y": y / size[1], "dx": 0.0, "dy": 0.0}
    pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, **where))
    pygame.event.post(pygame.event.Event(pygame.FINGERUP, **where))


def strike(key: int, typed: str = "", mod: int = 0) -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=typed, mod=mod, scancode=0))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, unicode=typed, mod=mod, scancode=0))


def strike_named(name: str) -> None:
    strike(pygame.key.key_code(name), name if len(name) == 1 else "")


def touches(display: Display) -> list[tuple[Box, Tap]]:
    assert display._layout is not None
    return [(t.box, t.tap) for t in display._layout.touches]


def place_of(display: Display, action: Action) -> tuple[int, int]:
    return next(box.middle for box, tap in touches(display) if tap.action == action)


# --- drawing --------------------------------------------------------------------------------------------------------


def test_an_equal_screen_is_not_drawn_again(display):
    assert display.draw(mid_trick()) is True
    assert display.presses() == []
    assert display.draw(mid_trick()) is False
    assert display.draw(replace(mid_trick(), headline="Rita to play")) is True
    assert display.draw(mid_trick()) is True


@pytest.mark.parametrize("lost", [pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED], ids=["pygame 1's name", "pygame 2's name"])
def test_an_uncovered_window_is_drawn_again(display, lost):
    display.draw(mid_trick())
    pygame.event.post(pygame.event.Event(lost))
    assert display.presses() == []
    assert display.draw(mid_trick()) is True
    assert display.draw(mid_trick()) is False


def test_a_resized_window_is_laid_out_anew(display):
    display.draw(mid_trick())
    before = touches(display)
    pygame.display.set_mode((1024, 600))
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=(1024, 600), w=1024, h=600))
    display.presses()
    assert display.draw(mid_trick()) is True
    assert display.size == (1024, 600)
    assert touches(display) != before


def test_the_picture_is_a_png_of_what_is_shown(display, tmp_path):
    display.draw(mid_trick())
    display.picture(tmp_path / "a.png")
    display.draw(mid_trick())
    display.picture(str(tmp_path / "b.whatever"))
    display.draw(players(7))
    display.picture(tmp_path / "c.png")
    a, b, c = ((tmp_path / name).read_bytes() for name in ("a.png", "b.whatever", "c.png"))
    assert a.startswith(b"\x89PNG")
    assert a == b != c
    assert pygame.image.load(tmp_path / "a.png").get_size() == SIZE


def test_a_picture_that_cannot_be_written_says_where(display, tmp_path):
    with pytest.raises(BadInput, match=r"no-folder/a\.png: cannot be written: No such file"):
        display.picture(tmp_path / "no-folder" / "a.png")


def test_two_displays_draw_the_same_screen_alike(tmp_path):
    for name in ("one.png", "two.png"):
        with Display(size=SIZE, headless=True) as opened:
            opened.draw(players(5) if name == "two.png" else mid_trick())  # what was kept must not show through
            opened.draw(mid_trick())
            opened.picture(tmp_path / name)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


def test_no_piece_is_drawn_outside_its_box(display):
    names = (
        "mid_trick", "mid_trick_pt", "question", "picker_pt", "players_7", "lamps", "long_words", "help", "start",
        "two_photos",
    )  # fmt: skip
    pieces = {}
    for name in names:
        display.draw(SAMPLES[name])
        for piece in display._layout.pieces:
            pieces[type(piece), replace(piece, box=Box(0, 0, piece.box.w, piece.box.h))] = piece
    canvas = pygame.Surface((SIZE[0] + 40, SIZE[1] + 40))
    canvas.fill((255, 0, 255))
    blank = pixels(canvas)
    for piece in pieces.values():
        box = Box(piece.box.x + 20, piece.box.y + 20, piece.box.w, piece.box.h)
        display._painter.paint(canvas, Layout(SIZE, (replace(piece, box=box),), ()))
        drawn = isinstance(piece, Words) or pixels(canvas) != blank
        canvas.fill((255, 0, 255), box)
        assert pixels(canvas) == blank, piece
        assert drawn, piece


def test_every_rhythm_and_colour_of_a_lamp_looks_different(display):
    painter, looks = Painter(), set()
    for lamp in MEANINGS.values():
        canvas = pygame.Surface((40, 40))
        painter.paint(canvas, Layout((40, 40), (LampPiece(Box(0, 0, 40, 40), lamp),), ()))
        looks.add(pixels(canvas))
    assert len(looks) == len(MEANINGS)
    grey = set()  # and so it does without colours: the rhythm alone tells
    for lamp in MEANINGS.values():
        canvas = pygame.Surface((40, 40))
        painter.paint(canvas, Layout((40, 40), (LampPiece(Box(0, 0, 40, 40), replace(lamp, colour="white")),), ()))
        grey.add(pixels(canvas))
    assert len(grey) == len({lamp.rhythm for lamp in MEANINGS.values()})


def test_all_fifty_two_cards_look_different_in_both_languages(display):
    display.draw(SAMPLES["empty"])

    def look(c: Card, language: str) -> bytes:
        canvas = pygame.Surface((70, 98))
        display._painter.paint(canvas, Layout((70, 98), (Face(Box(0, 0, 70, 98), c, language),), ()))
        return pixels(canvas)

    every = [Card(i) for i in range(52)]
    assert len({look(c, "en") for c in every}) == 52
    assert len({look(c, "pt-PT") for c in every}) == 52
    assert look(card("QS"), "en") != look(card("QS"), "pt-PT")
    assert look(card("9S"), "en") == look(card("9S"), "pt-PT")


@pytest.mark.parametrize("size", [(42, 60), (70, 98), (120, 170), (55, 80)])
def test_a_ten_is_squeezed_so_that_the_corner_of_the_mark_stays_free(display, size):
    w, h = size
    canvas = pygame.Surface(size)
    display._painter.paint(canvas, Layout(size, (Face(Box(0, 0, w, h), card("TS"), "en"),), ()))
    corner = [
        canvas.get_at((x, y)) for x in range(int(w * 0.74), int(w * 0.9)) for y in range(int(h * 0.1), int(h * 0.4))
    ]
    assert min(min(c[:3]) for c in corner) > 200


def test_the_felt_is_not_redrawn_piece_by_piece(display):
    """A second drawing only copies pictures that are kept."""
    display.draw(mid_trick())
    kept = dict(display._painter._kept)
    display.draw(players(4))
    display.draw(mid_trick())
    assert {k: v for k, v in display._painter._kept.items() if k in kept} == kept
    assert any(isinstance(p, Felt) for p in display._layout.pieces)


# --- photographs -----------------------------------------------------------------------------------------------------


def drawn(display: Display, photograph: bytes, size: tuple[int, int]) -> pygame.Surface:
    canvas = pygame.Surface(size)
    display._painter.paint(canvas, Layout(size, (Photograph(Box(0, 0, *size), photograph),), ()))
    return canvas


def test_a_photograph_fills_its_place_as_far_as_its_shape_allows(display):
    canvas = drawn(display, jpeg((40, 160, 60), (400, 300)), (100, 120))
    ink = pygame.mask.from_threshold(canvas, (40, 160, 60), (30, 30, 30)).get_bounding_rects()
    assert [tuple(rect) for rect in ink] == [(0, 22, 100, 75)]


def test_a_photograph_is_shown_with_a_step_and_gone_with_the_next(display):
    display.draw(photographed(GREEN_PHOTO))
    (place,) = (p.box for p in display._layout.pieces if isinstance(p, Photograph))
    shown = [display._window().get_at(place.middle)[:3]]
    display.draw(photographed(RED_PHOTO))
    shown.append(display._window().get_at(place.middle)[:3])
    display.draw(mid_trick())
    shown.append(display._window().get_at(place.middle)[:3])
    greenest, reddest = (max(range(3), key=lambda i: colour[i]) for colour in shown[:2])
    assert (greenest, reddest) == (1, 0)
    assert len(set(shown)) == 3


@pytest.mark.parametrize(
    "broken",
    [b"\xff\xd8\xff\xd9", b"", b"\xff\xd8" + bytes(200) + b"\xff\xd9", jpeg((40, 160, 60))[:200] + b"\xff\xd9"],
    ids=["no picture", "nothing", "zeros", "half"],
)
def test_a_photograph_that_is_no_picture_is_a_question_mark_and_no_crash(display, broken):
    assert display.draw(photographed(Photo("Ada, trick 6: 9♦", broken), RED_PHOTO))
    assert pixels(drawn(display, broken, (90, 60))) == pixels(drawn(display, b"not a picture", (90, 60)))


def test_few_photographs_are_kept_and_one_that_is_shown_again_is_not_read_again(display):
    every = [jpeg((n, 2 * n, 3 * n)) for n in range(9)]
    for photograph in every:
        drawn(display, photograph, (90, 60))
    kept = display._painter._photos
    assert [key[2] for key in kept] == every[-4:]
    again = kept[90, 60, every[-4]]
    drawn(display, every[-4], (90, 60))
    assert kept[90, 60, every[-4]] is again
    assert [key[2] for key in kept] == [*every[-3:], every[-4]]


# --- presses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_every_tap_is_hit_by_mouse_by_finger_and_by_its_key(display, name):
    display.draw(SAMPLES[name])
    for box, tap in touches(display):
        click(*box.middle)
        assert display.presses() == [tap.action]
        display._clock.now += 10
        finger(*box.middle)
        assert display.presses() == [tap.action]
        display._clock.now += 10
        if tap.key:
            strike_named(tap.key)
            above = () if SAMPLES[name].picker else (*SAMPLES[name].answers, *SAMPLES[name].taps)
            owners = [t for t in above if t.key == tap.key]
            assert display.presses() == [owners[0].action if owners else tap.action]


def test_presses_come_in_order_and_once(display):
    display.draw(mid_trick())
    click(*place_of(display, Command("scores")))
    strike_named("q")
    click(*place_of(display, Command("help")))
    assert display.presses() == [Command("scores"), Key("q"), Command("help")]
    assert display.presses() == []


def test_a_finger_that_also_plays_a_mouse_is_one_press(display, clock):
    display.draw(mid_trick())
    x, y = place_of(display, Command("scores"))
    finger(x, y)
    click(x, y, touch=True)  # SDL's own echo, marked
    click(x + 3, y - 2)  # another driver's echo, not marked
    assert display.presses() == [Command("scores")]
    clock.now += 0.3
    click(x, y)
    assert display.presses() == []
    clock.now += 1.0
    click(x, y)
    assert display.presses() == [Command("scores")]


def test_two_fingers_are_two_presses_and_a_mouse_elsewhere_is_one_more(display):
    display.draw(mid_trick())
    scores, undo = place_of(display, Command("scores")), place_of(display, Command("undo"))
    finger(*scores)
    finger(*undo)
    click(*scores)
    assert display.presses() == [Command("scores"), Command("undo"), Command("scores")]


def test_the_wheel_the_right_button_and_the_bare_felt_do_nothing(display):
    display.draw(mid_trick())
    x, y = place_of(display, Command("scores"))
    click(x, y, button=3)
    click(x, y, button=4)
    click(400, 300)
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(1, 1), buttons=(0, 0, 0), touch=False))
    assert display.presses() == []


def test_a_press_before_anything_is_shown_is_no_error(display):
    click(10, 10)
    strike_named("n")
    assert display.presses() == [Key("n")]


def test_while_a_picker_is_open_only_its_taps_count_and_letters_are_for_typing(display):
    display.draw(mid_trick())
    below = [box.middle for box, _ in touches(display)]
    display.draw(picker())
    own = [tap.action for _, tap in touches(display)]
    for place in below:
        click(*place)
    assert [p for p in display.presses() if p not in own] == []
    for name in ("n", "s", "1", "q", "backspace", "f1"):  # keys of the table's taps
        strike_named(name)
    assert display.presses() == [Key(n) for n in ("n", "s", "1", "q", "backspace", "f1")]
    strike_named("escape")
    assert display.presses() == [Command("cancel")]


@pytest.mark.parametrize(
    ("key", "typed", "mod", "expected"),
    [
        (pygame.K_q, "Q", pygame.KMOD_LSHIFT, [Key("q")]),
        (pygame.K_KP7, "", 0, [Key("7")]),
        (pygame.K_KP7, "7", pygame.KMOD_NUM, [Key("7")]),
        (pygame.K_KP_ENTER, "\r", 0, [Command("go")]),
        (pygame.K_RETURN, "\r", 0, [Command("go")]),
        (pygame.K_KP1, "1", pygame.KMOD_NUM, [Command("one")]),
        (pygame.K_AMPERSAND, "1", pygame.KMOD_LSHIFT, [Command("one")]),  # a French keyboard's digit
        (pygame.K_AMPERSAND, "&", 0, [Key("&")]),
        (pygame.K_SEMICOLON, "ç", 0, [Key("ç")]),
        (pygame.K_SPACE, " ", 0, [Key("space")]),
        (pygame.K_TAB, "\t", 0, [Key("tab")]),
        (pygame.K_F5, "", 0, [Key("f5")]),
        (pygame.K_n, "n", pygame.KMOD_NUM | pygame.KMOD_CAPS, [Command("next")]),
        (pygame.K_n, "\x0e", pygame.KMOD_LCTRL, []),
        (pygame.K_n, "n", pygame.KMOD_LALT, []),
        (pygame.K_n, "n", pygame.KMOD_LMETA, []),
        (pygame.K_2, "@", pygame.KMOD_RALT, [Key("@")]),
        (pygame.K_LSHIFT, "", pygame.KMOD_LSHIFT, []),
        (pygame.K_CAPSLOCK, "", 0, []),
    ],
)
def test_a_key_is_what_it_types(display, key, typed, mod, expected):
    taps = (Tap("Next", Command("next"), "n"), Tap("Go", Command("go"), "return"), Tap("One", Command("one"), "1"))
    display.draw(Screen(language="en", title="t", seats=mid_trick().seats[:0], taps=taps))
    strike(key, typed, mod)
    assert display.presses() == expected


def test_closing_the_window_is_said_once(display):
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert display.presses() == [Closed()]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_panel_mounted_on_its_side_is_drawn_and_touched_turned(turn, clock):
    with Display(size=SIZE, headless=True, rotate=turn, clock=clock) as display:
        display.draw(mid_trick())
        w, h = display.size
        assert (w, h) == (SIZE if turn in (0, 180) else SIZE[::-1])
        # The strong button is yellow: look for it where the turned panel shows it, and press there.
        box, tap = next((b, t) for b, t in touches(display) if t.strong)
        x, y = box.x + 6, box.middle[1]
        px, py = {0: (x, y), 90: (h - 1 - y, x), 180: (w - 1 - x, h - 1 - y), 270: (y, w - 1 - x)}[turn]
        assert pygame.display.get_surface().get_at((px, py))[:3] == (255, 218, 74)
        click(px, py)
        assert display.presses() == [tap.action]
        clock.now += 10
        finger(px + 0.5, py + 0.5)
        assert display.presses() == [tap.action]


def test_a_key_of_an_answer_is_not_the_key_of_a_seat(display):
    seat = replace(mid_trick().seats[0], tap=Tap("", Command("seat"), "1"))
    answer, button = Tap("9♣", Command("answer"), "1"), Tap("One", Command("button"), "1")
    screen = Screen(language="en", title="", seats=(seat,), taps=(button,))
    display.draw(screen)
    strike_named("1")
    display.draw(replace(screen, answers=(answer,)))
    strike_named("1")
    assert display.presses() == [Command("answer")] * 2  # what is shown when they are read counts
    display.draw(screen)
    strike_named("1")
    assert display.presses() == [Command("button")]


# --- opening and closing --------------------------------------------------------------------------------------------


def test_nothing_opens_before_with_and_nothing_stays_after_it():
    before = dict(os.environ)
    display = Display(size=SIZE, headless=True)
    assert not pygame.display.get_init()
    with display:
        assert pygame.display.get_init()
        assert pygame.display.get_driver() == "dummy"
        assert not pygame.mixer or not pygame.mixer.get_init()
    assert not pygame.display.get_init()
    assert dict(os.environ) == before
    with display:  # and it can be opened again
        assert display.draw(mid_trick()) is True
    with pytest.raises(RuntimeError, match="not open"):
        display.draw(mid_trick())


def test_a_size_or_turn_that_cannot_be_used_is_refused():
    with pytest.raises(BadInput, match="size: 20x480 is too small"):
        Display(size=(20, 480))
    with pytest.raises(BadInput, match="rotate: 45"):
        Display(rotate=45)


def test_a_desktop_that_does_not_answer_is_missing(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":9876")
    before = dict(os.environ)
    with pytest.raises(Missing, match=r"display: cannot open a window on SDL_VIDEODRIVER=x11: .* Try --headless"):
        Display().__enter__()
    assert not pygame.display.get_init()
    assert dict(os.environ) == before


def test_without_desktop_and_console_the_message_says_what_to_try_and_nothing_else_is_printed():
    code = (
        "from tablepi.errors import TablePiError\n"
        "from tablepi.display import Display\n"
        "try:\n"
        "    Display().__enter__()\n"
        "except TablePiError as error:\n"
        "    print(error); raise SystemExit(error.status)\n"
    )
    unset = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "PYGAME_HIDE_SUPPORT_PROMPT", "XDG_RUNTIME_DIR")
    environ = {k: v for k, v in os.environ.items() if k not in unset}
    if any(Path("/dev/dri").glob("card*")):
        pytest.skip("this machine has a graphics card: a window on the console would really open")
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.returncode == 3
    assert done.stdout.count("\n") == 1
    for word in (
        "cannot open a window",
        "DISPLAY",
        "--headless",
        "libgbm1",
        "groups video, render, input",
        "pygame-ce",
    ):
        assert word in done.stdout


def test_a_bare_console_gets_the_settings_without_which_it_stays_black(tmp_path):
    for card_, status in (
        ("card0-HDMI-A-1", "disconnected"),
        ("card1-HDMI-A-1", "disconnected"),
        ("card1-DSI-2", "connected"),
    ):
        (tmp_path / card_).mkdir()
        (tmp_path / card_ / "status").write_text(status + "\n")
    common = {"SDL_AUDIODRIVER": "dummy", "SDL_TOUCH_MOUSE_EVENTS": "0"}
    kms = {"SDL_VIDEODRIVER": "kmsdrm"}
    gles = {"SDL_RENDER_DRIVER": "opengles2", "SDL_FRAMEBUFFER_ACCELERATION": "opengles2"}
    index = {"SDL_KMSDRM_DEVICE_INDEX": "1"}
    assert _wanted({}, headless=False, drm=tmp_path) == common | gles | index | kms
    assert _wanted({"DISPLAY": ":0"}, headless=False, drm=tmp_path) == common
    assert _wanted({"WAYLAND_DISPLAY": "wayland-0"}, headless=False, drm=tmp_path) == common
    assert (
        _wanted({"DISPLAY": ":0", "SDL_VIDEODRIVER": "KMSDRM"}, headless=False, drm=tmp_path) == common | gles | index
    )
    assert _wanted({"DISPLAY": ":0"}, headless=True, drm=tmp_path) == common | {"SDL_VIDEODRIVER": "dummy"}
    own = {"SDL_RENDER_DRIVER": "software", "SDL_KMSDRM_DEVICE_INDEX": "0", "SDL_AUDIODRIVER": "alsa"}
    assert _wanted(own, headless=False, drm=tmp_path) == {
        "SDL_VIDEODRIVER": "kmsdrm",
        "SDL_TOUCH_MOUSE_EVENTS": "0",
        "SDL_FRAMEBUFFER_ACCELERATION": "opengles2",
    }
    (tmp_path / "wayland-0").touch()  # a desktop that is running, asked from a shell that is not on it
    assert _wanted({"XDG_RUNTIME_DIR": str(tmp_path)}, headless=False, drm=tmp_path) == common
    assert "SDL_KMSDRM_DEVICE_INDEX" not in _wanted({}, headless=False, drm=tmp_path / "none")
