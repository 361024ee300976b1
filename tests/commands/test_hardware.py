"""``test hardware``: what is asked of the person, what the person does then, and what comes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import cv2
import pytest

from tablepi.commands import hardware, parts
from tablepi.commands.hardware import pattern, walk
from tablepi.commands.terminal import answers_in, answers_of
from tablepi.devices.lamps import GpioLamps
from tablepi.language import words
from tablepi.views.desk import LANGUAGES
from tablepi.views.screen import Command
from tablepi.virtual.readers import VirtualReader

from ..display.test_layout import check_nothing_overlaps, laid_out, painter  # noqa: F401 (a fixture)
from ..vision.marked_table import drawn, hung, photographed
from .conftest import tablepi

QS, TWO_C, UNKNOWN = "04A1B2C3D4E580", "04DEADBEEF1280", "04FFFFFFFFFF80"


class Person(StringIO):
    """Reads what the program says, and does what is laid down for the first words that it knows, once each: types a
    line, or acts."""

    def __init__(self, *script: tuple[str, str | Callable[[], object]]) -> None:
        super().__init__()
        self._script = list(script)
        read, typing = os.pipe()
        self.terminal, self._typing = os.fdopen(read), os.fdopen(typing, "w")

    def write(self, said: str) -> int:
        if self._script and self._script[0][0] in said:
            _, does = self._script.pop(0)
            if isinstance(does, str):
                self.type(does)
            else:
                does()
        return super().write(said)

    def type(self, line: str) -> None:
        print(line, file=self._typing, flush=True)

    def leave(self) -> None:
        self._typing.close()

    def checked(self) -> str:
        """What the program said; everything that was laid down has been done."""
        assert self._script == []
        return self.getvalue()


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(parts, "has_screen", lambda environ: "SDL_VIDEODRIVER" in environ)


def table(folder: Path, *lines: str, players: str = "[A, B, C, D]") -> Path:
    file = folder / "table.yaml"
    file.write_text("\n".join((f"players: {players}", *lines)) + "\n")
    return file


def walked(file: Path | None, person: Person, **more: object) -> tuple[int, str]:
    with person.terminal:
        status = walk(file, language=None, terminal=person.terminal, out=person, **more)  # type: ignore[arg-type]
    person.leave()
    return status, person.checked()


# --- lamps ----------------------------------------------------------------------------------------------------------

LAMPS = """lamps:
  pins:
    seats: [{red: 17, green: 27, blue: 22}, {red: 23, green: 24, blue: 25}]
    centre: {red: 4, green: 5, blue: 12}
"""


def test_a_pin_of_nothing_is_driven_for_weeks_and_remembers_the_latest_of_it_only():
    pin = parts.mock_pins().pin(17)
    pin.output_with_state(0)
    pin.frequency = 100
    driven = [step % 20 / 20 for step in range(5000)]
    for state in driven:
        pin.state = state
    assert [told.state for told in pin.states] == driven[-parts.STATES_KEPT :]


def test_each_lamp_shows_its_three_colours_by_itself_until_the_person_answers(tmp_path, monkeypatch):
    pins = parts.mock_pins()
    lamps = {"seat 0": (17, 27, 22), "seat 1": (23, 24, 25), "the centre": (4, 5, 12)}
    shone: list[list[tuple[str, int]]] = []
    person = Person()
    show = GpioLamps.show

    def looking(self: GpioLamps, wanted: object) -> None:
        show(self, wanted)  # type: ignore[arg-type]
        lit = [(name, i) for name, numbers in lamps.items() for i, n in enumerate(numbers) if pins.pin(n).state]
        if lit not in shone:
            shone.append(lit)
            if len(shone) % 3 == 0:  # all colours of one lamp have been seen
                person.type("y" if len(shone) < 9 else "n")

    monkeypatch.setattr(GpioLamps, "show", looking)
    monkeypatch.setattr(hardware, "TURN_S", 0.001)
    status, said = walked(table(tmp_path, LAMPS), person, pin_factory=pins)
    assert shone == [[(name, i)] for name in lamps for i in range(3)]
    assert (status, said) == (
        1,
        "y yes, n no, s skip, q quit\n"
        "The lamp of seat 0 (N) shines red, green and blue, over and over, and no other does.\n  well\n"
        "The lamp of seat 1 (E) shines red, green and blue, over and over, and no other does.\n  well\n"
        "The lamp of the centre shines red, green and blue, over and over, and no other does.\n  failed\n"
        "2 well, 1 failed, 0 skipped.\n"
        "  the lamp of the centre: failed\n",
    )
    assert not any(pins.pin(n).state for numbers in lamps.values() for n in numbers)  # dark again


BUTTONS = """    buttons: {undo: 11, seat-1: 9}
    buzzer: 18
"""


def test_without_pins_they_have_all_failed_with_the_reason(tmp_path, capsys):
    if any(Path("/dev").glob("gpiochip*")):
        pytest.skip("this machine has GPIO")
    status, said = walked(table(tmp_path, LAMPS, BUTTONS), Person())
    assert (status, said) == (
        1,
        "y yes, n no, s skip, q quit\n"
        "The pins:\n  failed: No GPIO pins here: lamps and buttons are on the display only.\n"
        "0 well, 1 failed, 0 skipped.\n"
        "  the pins: failed: No GPIO pins here: lamps and buttons are on the display only.\n",
    )
    assert capsys.readouterr().err == ("tablepi: no GPIO here: lamps are shown on the display, no buttons, no buzzer\n")


def test_a_button_is_well_when_it_is_pressed_and_another_one_is_told(tmp_path):
    pins = parts.mock_pins()

    def press(number: int) -> None:
        pins.pin(number).drive_low()
        pins.pin(number).drive_high()

    person = Person(
        ("Press the button undo", lambda: press(9)),
        ("That was the button seat-1", lambda: press(11)),
        ("Press the button seat-1", "n"),
        ("The buzzer beeps", "s"),
    )
    file = table(tmp_path, f"lamps:\n  pins:\n{BUTTONS}")
    assert walked(file, person, pin_factory=pins) == (
        1,
        "y yes, n no, s skip, q quit\n"
        "Press the button undo.\n  That was the button seat-1.\n  well\n"
        "Press the button seat-1.\n  failed: no press was felt\n"
        "The buzzer beeps twice, again and again.\n  skipped\n"
        "1 well, 1 failed, 1 skipped.\n"
        "  the button seat-1: failed: no press was felt\n",
    )


def test_a_lamp_of_one_colour_blinks(tmp_path):
    person = Person(("The lamp of seat 0 (N) blinks, and no other does.", "y"))
    status, said = walked(table(tmp_path, "lamps: {pins: {seats: [{pin: 17}]}}"), person, pin_factory=parts.mock_pins())
    assert (status, said.splitlines()[-1]) == (0, "1 well, 0 failed, 0 skipped.")


# --- readers --------------------------------------------------------------------------------------------------------


@pytest.fixture
def world(tmp_path) -> Iterator[tuple[VirtualReader, VirtualReader]]:
    with VirtualReader(tmp_path / "port-0") as first, VirtualReader(tmp_path / "port-1") as second:
        yield first, second


def two_readers(folder: Path) -> Path:
    (folder / "deck.yaml").write_text(f'cards: {{QS: ["{QS}"], 2C: ["{TWO_C}"]}}\n')
    readers = ", ".join(f"{{name: reader-{n}, port: {folder / f'port-{n}'}, seat: {n}}}" for n in (0, 1))
    return table(folder, "deck: deck.yaml", f"readers: [{readers}]")


def test_a_reader_is_well_as_soon_as_it_reads_a_card(world, tmp_path):
    person = Person(
        ("Lay a card on reader-0", lambda: world[0].lay(QS)),
        ("Lay a card on reader-1", lambda: world[1].lay(UNKNOWN)),
    )
    assert walked(two_readers(tmp_path), person) == (
        0,
        "y yes, n no, s skip, q quit\n"
        "Lay a card on reader-0 (seat 0 (N)).\n  Q♠ is read.\n  well\n"
        "Lay a card on reader-1 (seat 1 (E)).\n"
        f"  A tag is read that is in no card of the deck's file: {UNKNOWN}\n  well\n"
        "2 well, 0 failed, 0 skipped.\n",
    )


def test_two_ports_that_are_exchanged_are_found(world, tmp_path):
    person = Person(
        ("Lay a card on reader-0", lambda: world[1].lay(QS)),
        ("That was reader-1", "n"),
        ("Lay a card on reader-1", "s"),
    )
    status, said = walked(two_readers(tmp_path), person)
    assert status == 1
    assert "  That was reader-1. If the card lies on reader-0, their ports are exchanged.\n  failed: no card" in said
    assert said.endswith("0 well, 1 failed, 1 skipped.\n  reader-0: failed: no card was read\n")


def test_a_reader_that_is_not_there_has_failed_and_no_card_is_asked_for(world, tmp_path):
    world[0].unplug()
    status, said = walked(two_readers(tmp_path), Person(("Lay a card on reader-1", lambda: world[1].lay(TWO_C))))
    assert status == 1
    why = f"nothing is plugged in there ({tmp_path / 'port-0'})"
    assert said.splitlines()[1:3] == [f"reader-0 is missing: {why}", f"  failed: {why}"]
    assert "Lay a card on reader-0" not in said


def test_a_deck_that_is_not_taught_yet_is_said_and_its_tags_are_unknown(world, tmp_path):
    file = two_readers(tmp_path)
    (tmp_path / "deck.yaml").unlink()
    laid = [(f"Lay a card on reader-{n}", lambda n=n: world[n].lay(QS)) for n in (0, 1)]
    status, said = walked(file, Person(*laid))
    assert (status, said.splitlines()[1]) == (
        0,
        "No tag is known yet: teach them with `tablepi enrol tags --config FILE`",
    )


def test_a_reader_that_is_pulled_out_may_be_plugged_in_while_it_is_asked_for(world, tmp_path):
    person = Person(
        ("Lay a card on reader-0", world[0].unplug),
        ("reader-0 is missing", world[0].replug),
        ("reader-0 is there again", lambda: world[0].lay(QS)),
        ("Lay a card on reader-1", "n"),
    )
    status, said = walked(two_readers(tmp_path), person)
    assert status == 1
    assert said.splitlines()[1:6] == [
        "Lay a card on reader-0 (seat 0 (N)).",
        f"  reader-0 is missing: it was unplugged ({tmp_path / 'port-0'})",
        "  reader-0 is there again.",
        "  Q♠ is read.",
        "  well",
    ]


def test_an_answer_that_is_none_is_met_with_those_that_are(world, tmp_path):
    person = Person(
        ("Lay a card on reader-0", "maybe"),
        ("y yes, n no, s skip, q quit", "y"),  # nothing was read, whatever the person says
        ("Lay a card on reader-1", "q"),
    )
    status, said = walked(two_readers(tmp_path), person)
    assert status == 1
    assert said.endswith("Left before the end.\n0 well, 1 failed, 0 skipped.\n  reader-0: failed: no card was read\n")


def test_when_the_terminal_goes_the_walk_is_over(world, tmp_path):
    person = Person()
    person.leave()
    status, said = walked(two_readers(tmp_path), person)
    assert (status, said.splitlines()[-2:]) == (0, ["Left before the end.", "0 well, 0 failed, 0 skipped."])


def test_from_a_pipe_it_is_the_same(tmp_path):
    """The whole program, with pretended pins, and readers that are not there."""
    file = table(tmp_path, LAMPS, "readers: [{name: r, port: /dev/serial/by-id/none, shared: true}]")
    said = tablepi("test", "hardware", "--config", file, stdin=b"y\ny\ns\n", GPIOZERO_PIN_FACTORY="mock")
    assert (said.status, said.err) == (1, "")
    assert said.out.splitlines()[-3:] == [
        "  failed: nothing is plugged in there (/dev/serial/by-id/none)",
        "2 well, 1 failed, 1 skipped.",
        "  r: failed: nothing is plugged in there (/dev/serial/by-id/none)",
    ]


# --- cameras --------------------------------------------------------------------------------------------------------


def test_a_camera_says_what_calibrating_it_does(tmp_path):
    seen = photographed(drawn(), hung((1920, 1080), tilt=1, turn=2, shows=565), (1920, 1080))
    for folder, image in (("well", seen), ("blank", seen * 0)):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "1.png"), image)
    cameras = "camera: [{source: well}, {source: blank}, {source: /dev/v4l/by-id/none}, {source: well/1.png}]"
    status, said = walked(table(tmp_path, cameras), Person())
    assert status == 1
    lines = said.splitlines()
    assert lines[1] == "camera: looking for some seconds …"
    assert lines[lines.index("camera-2: looking for some seconds …") - 1] == "  well"
    assert any(line.startswith("  !  ") for line in lines[lines.index("camera-2: looking for some seconds …") :])
    picture = "is a picture and no video: name a video, or a folder of pictures"
    assert lines[-3:] == [
        "  camera-2: failed",
        "  camera-3: failed: nothing is plugged in there (/dev/v4l/by-id/none)",
        f"  camera-4: failed: {picture} ({tmp_path}/well/1.png)",
    ]


# --- display --------------------------------------------------------------------------------------------------------


class Touched:
    """A display whose button is touched once it is drawn."""

    def __init__(self) -> None:
        self.drawn: list[object] = []

    def presses(self) -> list[object]:
        return [Command("touch")] * len(self.drawn)

    def draw(self, screen: object) -> bool:
        self.drawn.append(screen)
        return True


def test_the_display_shows_a_pattern_and_says_that_it_was_touched(tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(hardware, "DRAW_S", 0.001)
    display = Touched()
    monkeypatch.setattr(parts, "opened_display", lambda *_: nullcontext(display))
    status, said = walked(table(tmp_path), Person(("The touch was felt", "y")))
    spoken = words("en", ("A", "B", "C", "D"))
    assert display.drawn[0] == pattern(("A", "B", "C", "D"), spoken, touched=False)
    assert display.drawn[-1] == pattern(("A", "B", "C", "D"), spoken, touched=True)
    assert (status, said.count("The touch was felt.")) == (0, 1)
    assert said.endswith("  well\n1 well, 0 failed, 0 skipped.\n")


def test_the_real_window_opens_and_closes(tmp_path):
    said = tablepi("test", "hardware", "--lang", "pt-BR", stdin=b"s\n", SDL_VIDEODRIVER="dummy")
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == [
        "s sim, n não, p pular, q sair",
        "A tela mostra cada jogador com uma carta e uma luz, direita e inteira, e responde ao toque.",
        "  em ordem",
        "1 em ordem, 0 com falha, 0 pulados.",
    ]


def test_a_display_that_is_named_is_skipped_where_there_is_no_screen(tmp_path):
    status, said = walked(table(tmp_path, "display: {fullscreen: true}"), Person())
    assert (status, said.splitlines()[1:]) == (
        0,
        ["The display:", "  skipped: there is no screen here", "0 well, 0 failed, 1 skipped."],
    )


@pytest.mark.parametrize("players", range(2, 8))
def test_the_pattern_fits_on_a_small_screen(players, painter):  # noqa: F811
    names = tuple(f"Player {n}" for n in range(players))
    check_nothing_overlaps(laid_out(pattern(names, words("en", names), touched=False), (800, 480), painter))


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_letters_that_are_told_mean_yes_no_skip_and_quit_and_q_always_quits(language):
    spoken = words(language, ())
    told = answers_in(spoken).split(", ")
    meant = answers_of(spoken)
    assert [[meant[typed] for typed in each.split(" ")] for each in told] == [
        [each, each] for each in ("yes", "no", "skip", "quit")
    ]
    assert [meant[typed] for typed in "ynq"] == ["yes", "no", "quit"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_english_words_are_taken_in_every_language(language):
    meant = answers_of(words(language, ()))
    assert [meant[word] for word in ("yes", "no", "skip", "quit")] == ["yes", "no", "skip", "quit"]


def test_nothing_is_said_of_what_the_table_does_not_have(tmp_path):
    assert walked(table(tmp_path), Person()) == (0, "y yes, n no, s skip, q quit\n0 well, 0 failed, 0 skipped.\n")
