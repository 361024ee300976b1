"""``enrol tags``: cards laid on readers at pseudo-terminals, a person who types at another, and the deck's file."""

from __future__ import annotations

import io
import os
import pty
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tablepi.cards import card
from tablepi.commands.enrol_tags import Lesson
from tablepi.commands.terminal import Typed
from tablepi.config import load_commands, load_deck
from tablepi.deck_file import DeckFile, with_tags
from tablepi.facts import Found, Lost, Tag
from tablepi.language import words
from tablepi.teaching import PACK, SETTLE_S, Teaching
from tablepi.views.screen import Command
from tablepi.virtual.pn532 import VirtualPn532
from tablepi.virtual.readers import VirtualReader

from .conftest import TABLEPI, environ, tablepi

A, B, C = "04A1B2C3D4E580", "04A1B2C3D4E581", "04E10000"


class Person:
    """Who sits at the terminal of a command: reads what it says, and types."""

    def __init__(self, *words: object, **more: str) -> None:
        self.ours, theirs = pty.openpty()
        self.said = ""
        command = [*TABLEPI, *map(str, words)]
        self.command = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ(**more))
        os.close(theirs)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.command.kill()
        self.command.wait()
        os.close(self.ours)

    def sees(self, text: str) -> None:
        """Wait until *text* has been said; what was said up to there is read."""
        while text not in self.said:
            assert select.select([self.ours], [], [], 20)[0], f"{text!r} was not said, only {self.said!r}"
            try:
                self.said += os.read(self.ours, 4096).decode()
            except OSError:
                raise AssertionError(f"{text!r} was not said, only {self.said!r}") from None
        self.said = self.said[self.said.index(text) + len(text) :]

    def types(self, line: str) -> None:
        os.write(self.ours, line.encode() + b"\n")

    def status(self) -> int:
        while self.command.poll() is None:  # a command whose terminal is not read would wait
            if select.select([self.ours], [], [], 0.05)[0]:
                try:
                    self.said += os.read(self.ours, 4096).decode()
                except OSError:
                    break
        return self.command.wait(20)


@contextmanager
def table(folder: Path, *, language: str = "en") -> Iterator[tuple[VirtualReader, VirtualPn532, Path]]:
    """A line reader, a PN532, and the file that names both and the deck."""
    file = folder / "table.yaml"
    file.write_text(
        f"deck: deck.yaml\nlanguage: {language}\nreaders:\n"
        f"  - {{name: reader-0, port: {folder}/line, seat: 0}}\n"
        f"  - {{name: reader-1, kind: pn532, port: {folder}/chip, seat: 1}}\n"
    )
    with ExitStack() as stack:
        line = stack.enter_context(VirtualReader(folder / "line"))
        chip = stack.enter_context(VirtualPn532(folder / "chip"))
        yield line, chip, file


def tags_of(deck: Path) -> dict[str, str]:
    return {uid: str(each) for uid, each in load_deck(deck).items()}


def test_cards_are_taught_by_every_reader_and_doubles_refused_by_name(tmp_path):
    deck = tmp_path / "deck.yaml"
    with table(tmp_path) as (line, chip, file), Person("enrol", "tags", "--config", file) as person:
        person.sees("0 of 52 cards have a tag.")
        person.sees("→ Lay 2♣ on a reader.")
        line.lay(C)
        person.sees(f"✓ 2♣  {C}")
        person.sees("→ Lay 3♣ on a reader.")
        assert tags_of(deck) == {C: "2C"}  # kept before the next card is asked for
        chip.lay(A)
        person.sees(f"✓ 3♣  {A}")
        chip.lift(A)
        person.sees("→ Lay 4♣ on a reader.")
        line.lay(A)
        person.sees("This tag is already 3♣'s: lay another.")
        person.types("q")
        person.sees("2 of 52 cards have a tag.")
        person.sees("the same command goes on")
        assert person.status() == 0
    assert tags_of(deck) == {C: "2C", A: "3C"}
    assert '  "2C": ["04E10000"]  # 2♣\n' in deck.read_text()


def test_two_cards_at_once_are_not_taken_until_one_is_taken_away(tmp_path):
    with table(tmp_path) as (_, chip, file), Person("enrol", "tags", "--config", file) as person:
        person.sees("→ Lay 2♣ on a reader.")
        chip.lay(A)
        chip.lay(B)
        person.sees("Two cards on reader 1: take one away.")
        assert not (tmp_path / "deck.yaml").exists()
        chip.lift(A)
        person.sees(f"✓ 2♣  {B}")


def test_it_goes_on_where_it_stopped_though_it_was_killed(tmp_path):
    with table(tmp_path) as (line, _, file):
        with Person("enrol", "tags", "--config", file) as person:
            person.sees("→ Lay 2♣")
            line.lay(A)
            person.sees("→ Lay 3♣")
            person.command.kill()
        with Person("enrol", "tags", "--config", file) as person:
            person.sees("1 of 52 cards have a tag.")
            person.sees("→ Lay 3♣")


def test_the_person_undoes_skips_and_chooses(tmp_path):
    deck = tmp_path / "deck.yaml"
    with table(tmp_path) as (line, _, file), Person("enrol", "tags", "--config", file) as person:
        person.sees("→ Lay 2♣")
        person.types("u")
        person.sees("Nothing has been taught yet")
        person.types("s")
        person.sees("→ Lay 3♣")
        person.types("10h")
        person.sees("→ Lay 10♥")
        line.lay(A)
        person.sees("→ Lay J♥")
        person.types("u")
        person.sees(f"Undone: 10♥ has not the tag {A} any more.")
        person.sees("→ Lay 10♥")
        assert tags_of(deck) == {}
        person.types("one")
        person.sees("“one” is no card: write rank and suit, such as QS.")
        os.write(person.ours, b"\x04")  # Ctrl-D
        person.sees("the same command goes on")
        assert person.status() == 0


def test_in_portuguese_it_is_left_and_passed_over_by_the_letters_of_test_hardware(tmp_path):
    with table(tmp_path, language="pt-PT") as (_, _, file), Person("enrol", "tags", "--config", file) as person:
        person.sees("p: passar; q: sair")
        person.sees("→ Pouse 2♣")
        person.types("s")  # yes there: here it is neither that nor skip
        person.sees("“s” não é uma carta")
        person.types("p")
        person.sees("→ Pouse 3♣")
        person.types("q")
        assert person.status() == 0


def test_a_card_may_have_several_tags(tmp_path):
    deck = tmp_path / "deck.yaml"
    with table(tmp_path) as (line, chip, file), Person("enrol", "tags", "--config", file, "--again") as person:
        person.sees("→ Lay 2♣")
        line.lay(A)
        person.sees("→ 2♣ has a tag. Lay another one of it, or Enter for the next card.")
        chip.lay(B)
        person.sees(f"✓ 2♣  {B}")
        person.types("")
        person.sees("→ Lay 3♣")
    assert tags_of(deck) == {A: "2C", B: "2C"}


def test_one_reader_is_named_by_its_port_and_an_interruption_keeps_what_was_taught(tmp_path):
    deck = tmp_path / "deck.yaml"
    with VirtualPn532(tmp_path / "chip") as chip:
        options = ("--reader", chip.link, "--kind", "pn532", "--deck", deck)
        with Person("enrol", "tags", *options, "--lang", "pt-BR") as person:
            person.sees("→ Coloque 2♣ num leitor.")
            chip.lay(A)
            person.sees("→ Coloque 3♣ num leitor.")
            person.types("qe")
            person.sees("→ Coloque Q♠ num leitor.")
            person.command.send_signal(signal.SIGINT)
            person.sees("O que foi ensinado fica guardado")
            assert person.status() == 130
    assert tags_of(deck) == {A: "2C"}


def test_the_last_card_ends_it(tmp_path):
    deck = tmp_path / "deck.yaml"
    deck.write_text(with_tags("", {f"04A1B2{i:02X}": c for i, c in enumerate(PACK) if c != card("QS")}))
    with table(tmp_path) as (line, _, file), Person("enrol", "tags", "--config", file) as person:
        person.sees("→ Lay Q♠")
        line.lay(C)
        person.sees("Every card has a tag.")
        assert person.status() == 0
        said = tablepi("enrol", "tags", "--config", file)
    assert (said.status, said.out, said.err) == (
        0,
        "Every card has a tag.\nTo add second tags, give --again.\n",
        "",
    )


def test_a_reader_that_is_pulled_out_is_said_and_comes_back(tmp_path):
    with table(tmp_path) as (line, chip, file), Person("enrol", "tags", "--config", file) as person:
        person.sees("→ Lay 2♣")
        line.unplug()
        person.sees("reader-0 is missing: ")
        chip.lay(A)
        person.sees("→ Lay 3♣")
        line.replug()
        person.sees("reader-0 is there again.")
        line.lay(B)
        person.sees("→ Lay 4♣")


def test_the_card_of_a_command_is_taught_beside_the_pack(tmp_path):
    deck = tmp_path / "deck.yaml"
    deck.write_text(f"cards: {{QS: [{A}]}}  # mine\n")
    with table(tmp_path) as (line, _, file), Person("enrol", "tags", "--config", file, "--command", "undo") as person:
        person.sees("→ Lay the card “undo” on a reader.")
        person.types("KS")
        person.sees("Only this card is taught now.")
        line.lay(A)
        person.sees("This tag is already Q♠'s: lay another.")
        line.lay(B)
        person.sees(f"✓ the card “undo”  {B}")
        assert person.status() == 0
    assert (tags_of(deck), dict(load_commands(deck))) == ({A: "QS"}, {B: "undo"})
    assert deck.read_text().startswith(f"cards: {{QS: [{A}]}}  # mine\n")
    with table(tmp_path) as (line, _, file), Person("enrol", "tags", "--config", file) as person:
        person.sees("→ Lay 2♣")
        line.lay(B)
        person.sees("This tag is already the card “undo”'s: lay another.")


def test_what_a_reader_means_in_a_game_is_no_matter(tmp_path):
    file = tmp_path / "table.yaml"
    file.write_text(
        f"deck: deck.yaml\nreaders:\n  - {{name: reader-0, port: {tmp_path}/line, seat: 0, means: hand}}\n"
        f"  - {{name: reader-1, kind: pn532, port: {tmp_path}/chip, means: command}}\n"
    )
    with (
        VirtualReader(tmp_path / "line") as line,
        VirtualPn532(tmp_path / "chip") as chip,
        Person("enrol", "tags", "--config", file) as person,
    ):
        person.sees("→ Lay 2♣")
        line.lay(A)
        person.sees("→ Lay 3♣")
        chip.lay(B)
        chip.lay(C)
        person.sees("Two cards on reader 1: take one away.")
        chip.lift(C)
        person.sees(f"✓ 3♣  {B}")


# --- what cannot be done ----------------------------------------------------------------------------------------------


def test_without_any_reader_that_is_there_it_is_not_begun(tmp_path):
    deck = tmp_path / "deck.yaml"
    said = tablepi("enrol", "tags", "--reader", tmp_path / "none", "--deck", deck)
    assert (said.status, said.out) == (3, "")
    assert said.err == f"tablepi: reader: {tmp_path}/none: nothing is plugged in there\n"
    assert not deck.exists()


def test_each_of_several_readers_that_are_missing_has_a_line(tmp_path):
    file = tmp_path / "table.yaml"
    readers = ", ".join(f"{{name: reader-{n}, port: {tmp_path}/none-{n}, seat: {n}}}" for n in (0, 1))
    file.write_text(f"players: [A, B]\ndeck: deck.yaml\nreaders: [{readers}]\n")
    said = tablepi("enrol", "tags", "--config", file)
    assert (said.status, said.err.splitlines()[0]) == (3, "tablepi: none of the readers is there:")
    assert sorted(said.err.splitlines()[1:]) == [
        f"  reader-{n}: {tmp_path}/none-{n}: nothing is plugged in there" for n in (0, 1)
    ]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--deck", "d.yaml"), "which reader? give --reader PORT, or --config FILE whose readers are used"),
        (("--reader", "line"), "which file is the deck's? give --deck deck.yaml"),
        (("--reader", "", "--deck", "d.yaml"), "--reader: is empty: write a name"),
        (("--config", "bare.yaml", "--deck", "d.yaml"), "bare.yaml: no reader is named there"),
        (("--reader", "line", "--deck", "d.yaml", "--command", "none"), "--command 'none': known are confirm, undo"),
        (("--config", "none.yaml"), "none.yaml: there is no such file"),
        (("--reader", "line", "--deck", "bad.yaml"), "bad.yaml:1: cards.QS[0]: 'no tag' is not a tag's UID"),
        (("--reader", "line", "--deck", "."), ".: cannot be read: Is a directory"),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_one_line(tmp_path, monkeypatch, here, options, told):
    monkeypatch.chdir(tmp_path)
    Path("bare.yaml").write_text("players: [Rita, Ada]\n")
    Path("bad.yaml").write_text("cards: {QS: [no tag]}\n")
    said = here("enrol", "tags", *options)
    assert (said.status, said.out) == (2, "")
    assert told in said.err
    assert len(said.err.splitlines()) == 1


# --- one step at a time -----------------------------------------------------------------------------------------------


def lesson(path: Path, *, spoken: str = "en", again: bool = False) -> Lesson:
    file = DeckFile(path)
    begun = Lesson(Teaching.begun(PACK, file.tags(), again=again), file, words(spoken, ()), io.StringIO())
    begun.begin()
    return begun


def lay(taught: Lesson, uid: str, at: float = 0.0) -> None:
    taught.take(Tag(uid=uid, source="reader-0"), at)
    taught.take(None, at + SETTLE_S)


def test_a_tag_that_cannot_be_kept_is_not_taught_and_can_be_laid_again(tmp_path):
    taught = lesson(tmp_path / "deck.yaml")
    (tmp_path / "deck.yaml").write_text("cards: [\n")
    lay(taught, A)
    assert "deck.yaml:2: " in taught.screen().ruling
    assert (taught.teaching.asked, taught.teaching.done) == (card("2C"), ())
    (tmp_path / "deck.yaml").unlink()
    lay(taught, A, 5.0)
    assert tags_of(tmp_path / "deck.yaml") == {A: "2C"}


def test_the_display_shows_the_card_that_is_asked_for_and_what_became_of_the_last(tmp_path):
    taught = lesson(tmp_path / "deck.yaml", spoken="pt-PT")
    lay(taught, A)
    shown = taught.screen()
    assert (shown.wanted, shown.headline) == (card("3C"), "Pouse 3♣ num leitor.")
    assert (shown.ruling, shown.ruling_tone) == ("2♣", "good")
    assert [tap.label for tap in shown.taps] == ["Carta seguinte", "Desfazer", "Passar", "Outra carta", "Sair"]
    taught.take(Lost(device="reader-0", reason="it was unplugged"), 2.0)
    assert taught.screen().alerts == ("Falta reader-0: it was unplugged",)
    taught.take(Found(device="reader-0"), 3.0)
    assert taught.screen().alerts == ()


def test_a_card_is_chosen_on_the_display_by_touch_and_by_keys(tmp_path):
    from tablepi.display import Key

    taught = lesson(tmp_path / "deck.yaml", spoken="pt-PT")
    taught.press([Command("choose")])
    picker = taught.screen().picker
    assert picker is not None
    assert {each for each, _ in picker.cards} == {*PACK}
    taught.press([dict(picker.cards)[card("QS")].action])
    assert (taught.screen().wanted, taught.screen().picker) == (card("QS"), None)
    taught.press([Command("choose"), Key("r"), Key("e")])  # rei de espadas
    assert taught.screen().wanted == card("KS")
    taught.press([Command("choose"), Command("back"), Command("skip")])
    assert taught.screen().wanted == card("AS")
    taught.press([Command("leave")])
    assert taught.over


def test_without_a_terminal_the_display_is_enough(tmp_path):
    taught = lesson(tmp_path / "deck.yaml")
    taught.take(Typed(None), 0.0)
    assert taught.over
    shown = lesson(tmp_path / "deck.yaml")
    shown.ends_with_input = False
    shown.take(Typed(None), 0.0)
    assert not shown.over


def test_with_a_screen_terminal_and_readers_are_heard_as_well(tmp_path):
    """SDL's pretended screen: what it shows is tested with the layout."""
    screen = {"SDL_VIDEODRIVER": "dummy"}
    with table(tmp_path) as (line, _, file), Person("enrol", "tags", "--config", file, **screen) as person:
        person.sees("→ Lay 2♣")
        person.types("s")
        person.sees("→ Lay 3♣")
        line.lay(A)
        person.sees(f"✓ 3♣  {A}")
        person.types("q")
        assert person.status() == 0


def test_a_screen_that_does_not_open_is_said_and_the_terminal_goes_on(tmp_path):
    screen = {"SDL_VIDEODRIVER": "none-such"}
    with table(tmp_path) as (_, _, file), Person("enrol", "tags", "--config", file, **screen) as person:
        person.sees("Going on at the terminal alone")
        person.sees("→ Lay 2♣")


ABSENT = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]


@pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)} (apt install xvfb xdotool)")
def test_a_real_window_asks_for_the_card_and_its_keys_are_heard(tmp_path, x_server):
    screen = {"DISPLAY": x_server, "SDL_VIDEODRIVER": "x11"}

    def xdo(*words: str) -> str:
        return subprocess.run(
            ["xdotool", *words], env=environ(**screen), capture_output=True, text=True, check=False, timeout=30
        ).stdout

    # Without a window manager the keys go where the pointer is; the root window is there before ours.
    root = xdo("mousemove", "300", "300", "getmouselocation", "--shell")
    with table(tmp_path) as (line, _, file), Person("enrol", "tags", "--config", file, **screen) as person:
        person.sees("→ Lay 2♣")
        line.lay(A)
        person.sees(f"✓ 2♣  {A}")
        until = time.monotonic() + 30
        while xdo("getmouselocation", "--shell") in ("", root):
            assert time.monotonic() < until, "no window came"
        while person.command.poll() is None:  # a window that has just come may not listen yet
            assert time.monotonic() < until, "the window hears no key"
            xdo("key", "Escape")
        person.sees("the same command goes on")
        assert person.status() == 0
