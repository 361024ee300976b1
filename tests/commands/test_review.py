"""Stepping through a logged game: where each button and key leads, what the buttons look like, which photographs are
shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from tablepi.commands.review import Photographs, moved, reviewed
from tablepi.facts import Confirm, Match, Seen, dumps, to_dict
from tablepi.journal import Journal
from tablepi.language import words
from tablepi.table import Table, empty, step
from tablepi.views.screen import Photo

from ..display.samples import jpeg
from ..script import NAMES, RULEBOOK, facts, held
from .conftest import Said

# Fact 6 is unproven (Bo denies clubs), fact 9 a breach (out of turn), fact 10 takes it back.
SCRIPT = held() + "0:2C 1:3C 2:4D 3:5C 3:6C 1:7D 1-7D 0:7C"
NONE = Photographs("a game", {})


def stepped(script: str) -> tuple[Table, ...]:
    tables = [empty(RULEBOOK)]
    for fact in facts(script):
        tables.append(step(tables[-1], fact))
    return tuple(tables[1:])


@pytest.fixture(scope="module")
def steps() -> tuple[Table, ...]:
    return stepped(SCRIPT)


def test_rulings_are_stepped_through_forwards_and_backwards(steps):
    places, place = [], 0
    for where in ("ruling", "ruling", "ruling", "ruling", "ruling-before", "ruling-before", "ruling-before"):
        place = moved(steps, place, where)
        places.append(steps[place].n)
    assert places == [6, 9, 10, 10, 9, 6, 6]


def test_steps_end_at_the_first_and_at_the_last_fact(steps):
    last = len(steps) - 1
    assert [moved(steps, 0, where) for where in ("back", "forward", "first", "last")] == [0, 1, 0, last]
    assert [moved(steps, last, where) for where in ("back", "forward", "first", "last")] == [last - 1, last, 0, last]


def test_every_button_has_a_key_and_forward_stands_out_until_the_last_step(steps):
    first, last = (reviewed(steps, at, NONE, words("en", tuple(NAMES))) for at in (0, len(steps) - 1))
    assert [(tap.label, tap.key) for tap in first.taps] == [
        ("First", "up"), ("Previous ruling", "p"), ("Back one", "left"), ("Forward", "right"), ("Next ruling", "n"),
        ("Last", "down"), ("Leave", "escape"),
    ]  # fmt: skip
    assert [[tap.label for tap in shown.taps if tap.strong] for shown in (first, last)] == [["Forward"], []]


# --- photographs -----------------------------------------------------------------------------------------------------


def picture(n: int) -> bytes:
    """The photograph of fact *n*."""
    return jpeg((n, 100, 50), (8, 8))


class Reviewed:
    """A game of *script* in which each sighting of the camera has a photograph, but those of *without*."""

    def __init__(self, folder: Path, script: str, *, without: tuple[int, ...] = ()) -> None:
        self.steps = stepped(script)
        files = {}
        for table in self.steps:
            if isinstance(table.log[-1].fact, Seen) and table.n not in without:
                files[table.n] = folder / f"{table.n}.jpg"
                files[table.n].write_bytes(picture(table.n))
        self.photographs = Photographs("a game", files)

    def photos(self, n: int, language: str = "en") -> tuple[Photo, ...]:
        """What the step of fact *n* shows, on a screen that otherwise is as without photographs."""
        place, spoken = n - 1, words(language, tuple(NAMES))
        screen = reviewed(self.steps, place, self.photographs, spoken)
        assert screen == replace(reviewed(self.steps, place, NONE, spoken), photos=screen.photos)
        return screen.photos

    def captions(self, n: int) -> list[str]:
        return [photo.caption for photo in self.photos(n)]


@pytest.fixture
def game(tmp_path) -> Callable[..., Reviewed]:
    return lambda script, **how: Reviewed(tmp_path, script, **how)


# Ada denies diamonds in trick 2 (fact 10), and lays the four of them in trick 4 (fact 17).
DENIED = held() + "0~2C 1~3C 2~4C 3~5C 3~5D 0~6D 1~2S 2~7D 2~8D 3~9D 0~JD 1~3S 0~KC "


def test_a_step_shows_the_photograph_of_its_cameras_play(game):
    told = game(DENIED)
    assert told.photos(5) == (Photo("Ada, trick 1: 3♣", picture(5)),)
    assert told.photos(7) == (Photo("Cleo, trick 1: 5♣", picture(7)),)  # the card that ends the trick belongs to it
    assert told.photos(8, "pt-PT") == (Photo("Cleo, vaza 2: 5♦", picture(8)),)
    assert told.photos(14, "pt-BR") == (Photo("Rita, vaza 3: J♦", picture(14)),)


def test_a_step_without_a_photograph_shows_none(game):
    told = game(held() + "0~2C 1#3C 2:4C", without=(4,))
    assert [told.photos(n) for n in range(1, 7)] == [()] * 6


def test_a_proof_shows_the_offending_play_and_the_card_that_proves_it(game):
    told = game(DENIED + "1#4D 1~4D 2~9C")
    proofs = [line for line in told.steps[16].lines if line.get("ruling") == "proved"]
    assert [(line["n"], line["offence"]["n"]) for line in proofs] == [(17, 10), (17, 15)]
    assert told.photos(17) == (Photo("Ada, trick 2: 2♠", picture(10)), Photo("Ada, trick 4: 4♦", picture(18)))
    assert told.photos(18) == (Photo("Ada, trick 4: 4♦", picture(18)),)
    assert told.photos(19) == (Photo("Bo, trick 4: 9♣", picture(19)),)


def test_a_proof_by_a_card_that_nobody_photographed_shows_the_offending_play_alone(game):
    assert game(DENIED + "1:4D", without=(15,)).photos(17) == (Photo("Ada, trick 2: 2♠", picture(10)),)


def test_a_play_in_doubt_is_shown_with_the_cards_that_may_be_misread(game):
    told = game(DENIED + "1~4D")
    (doubt, _) = [line for line in told.steps[16].lines if line.get("ruling") == "pending"]
    assert (doubt["offence"]["n"], doubt["check"]) == (10, [17])
    assert told.captions(17) == ["Ada, trick 2: 2♠", "Ada, trick 4: 4♦"]


def test_a_question_shows_the_card_that_it_asks_about(game):
    told = game(held() + "0~2C 1~3C 1#3S")
    (asked,) = [line for line in told.steps[5].lines if "question" in line]
    assert (asked["n"], asked["of"]) == (6, 5)
    assert told.photos(6) == (Photo("Ada, trick 1: 3♣", picture(5)),)


def test_a_corrected_card_is_shown_as_it_was_photographed_and_called_what_it_is(game):
    told = game(held() + '0~2C 1~3C {"fact":"correct","n":5,"set":{"card":"3S"}}')
    assert told.photos(5) == (Photo("Ada, trick 1: 3♣", picture(5)),)
    assert told.photos(6) == (Photo("Ada, trick 1: 3♠", picture(5)),)


def test_a_confirmed_card_and_one_taken_back_are_shown(game):
    told = game(held() + '0~2C 1~3D {"fact":"confirm","n":5} 1-3D {"fact":"confirm","n":99}')
    assert told.captions(6) == ["Ada, trick 1: 3♦"]
    assert told.captions(7) == ["Ada, trick 1: 3♦"]
    assert told.captions(8) == []


@pytest.mark.parametrize("script", ["0#2C 0~2C 1~3C", "0~2C 0#2C 1~3C", "0:2C 0~2C 1~3C"])
def test_a_play_that_a_reader_or_a_person_told_has_the_cameras_photograph_of_that_card(game, script):
    told = game(held() + script)
    seen = 4 if "~" in script[:4] else 5
    assert told.photos(4) == told.photos(5) == (Photo("Rita, trick 1: 2♣", picture(seen)),)


def test_the_last_card_of_a_trick_is_found_though_the_camera_saw_it_after_the_trick_was_complete(game):
    told = game(held() + "0#2C 1#3C 2#4C 3#5C 3~5C 3#6D")
    assert told.photos(7) == (Photo("Cleo, trick 1: 5♣", picture(8)),)
    assert told.photos(9) == ()


def test_the_same_card_seen_in_another_trick_is_no_photograph_of_a_play(game):
    told = game(held() + "0#2C 1#3C 2#4C 3#5C 3#6D 0~5C")
    assert told.captions(7) == []


def test_a_card_that_could_not_be_named_is_not_called_what_the_camera_guessed(game):
    guess = '{"fact":"seen","seat":0,"card":"2C","source":"camera","confidence":0.2,"steady":0.4}'
    told = game(held() + guess + ' {"fact":"answer","question":"q1","card":"2C"}')
    assert told.photos(4) == (Photo("Rita, trick 1: a card", picture(4)),)


def test_a_sighting_that_counts_only_when_it_has_lain_still_is_shown_when_it_does(game):
    glimpse = '{"fact":"seen","seat":0,"card":"2C","source":"camera","confidence":0.98,"steady":0,"at":1}'
    told = game(held() + glimpse + ' {"fact":"tick","at":2}')
    assert told.photos(5) == (Photo("Rita, trick 1: 2♣", picture(4)),)


def test_a_card_seen_between_hands_is_shown_without_a_trick(game):
    told = game(held() + '{"fact":"misdeal"} 2~9D {"fact":"seen","card":"8D","source":"camera"}')
    assert told.captions(5) == ["Bo: 9♦"]
    assert told.captions(6) == ["somebody: 8♦"]


@pytest.mark.parametrize("spoilt", [b"", b"\xff\xd8 half"], ids=["empty", "half"])
def test_a_photograph_that_cannot_be_read_is_said_and_stops_nothing(game, spoilt):
    told = game(DENIED)
    told.photographs.files[5].write_bytes(spoilt)
    told.photographs.files[6].unlink()
    told.photographs.files[7].unlink()
    told.photographs.files[7].mkdir()
    assert told.photos(5) == (Photo("Ada, trick 1: 3♣ (cannot be read)", None),)
    assert told.photos(6) == (Photo("Bo, trick 1: 4♣ (cannot be read)", None),)
    assert told.photos(7, "pt-PT") == (Photo("Cleo, vaza 1: 5♣ (ilegível)", None),)


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path) -> Path:
    """A store with one game, whose three sightings have photographs: one is spoilt, one only looks like a picture."""
    match, *others = facts(held() + "0~2C 1~3C 2~4C")
    assert isinstance(match, Match)
    (tmp_path / "store").mkdir()
    with Journal(tmp_path / "store") as journal:
        game = journal.begin(match, wall=datetime(2026, 11, 30, 12), mono=0.0)
        for fact in others:
            n = journal.append(game, fact, mono=1.0)
            if isinstance(fact, Seen):
                journal.keep_photo(game, n, {4: picture(4), 5: b"", 6: b"\xff\xd8 no picture \xff\xd9"}[n])
    return tmp_path / "store"


def test_without_a_screen_the_files_of_all_photographs_are_named_when_they_are_asked_for(here, store):
    said = here("review", "last", "--headless", "--photos")
    photos = store / "photos"
    assert (said.status, said.err) == (0, "")
    assert [line for line in said.out.splitlines() if "Photograph" in line] == [
        f"    4  Photograph: {photos}/0000000001_2026-11-30-1_4.jpg  Rita, trick 1: 2♣",
        f"    5  Photograph: {photos}/0000000002_2026-11-30-1_5.jpg  Ada, trick 1: 3♣ (cannot be read)",
        f"    6  Photograph: {photos}/0000000003_2026-11-30-1_6.jpg  Bo, trick 1: 4♣",
    ]
    assert f"    4  Fotografia: {photos}/0000000001_2026-11-30-1_4.jpg  Rita, vaza 1: 2♣\n" in here(
        "review", "last", "--headless", "--photos", "--lang", "pt"
    ).out  # fmt: skip
    assert "Photograph" not in here("review", "last", "--headless").out  # every play is legal


def test_without_a_screen_both_photographs_of_a_proof_are_named(here, tmp_path):
    (tmp_path / "store").mkdir()
    match, *others = facts(DENIED + "1~4D")
    assert isinstance(match, Match)
    with Journal(tmp_path / "store") as journal:
        game = journal.begin(match, wall=datetime(2026, 11, 30, 12), mono=0.0)
        for fact in (*others, Confirm(n=17)):
            n = journal.append(game, fact, mono=1.0)
            if isinstance(fact, Seen):
                journal.keep_photo(game, n, picture(n))
        photos = {n: str(path) for n, path in journal.photographed(game).items()}
    said = here("review", "last", "--headless")
    proof = [f"{photos[10]}  Ada, trick 2: 2♠", f"{photos[17]}  Ada, trick 4: 4♦"]
    assert [line for line in said.out.splitlines() if "Photograph" in line] == [
        *(f"   17  Photograph: {each}" for each in proof),  # in doubt
        *(f"   18  Photograph: {each}" for each in proof),
    ]


@pytest.mark.parametrize("size", ["800x480", "1280x800", "1920x1080"])
def test_a_picture_is_saved_though_the_photograph_of_the_last_step_is_none(here, store, tmp_path, size):
    said = here("review", "last", "--headless", "--size", size, "--picture", tmp_path / "last.png")
    assert (said.status, said.err) == (0, "")
    assert (tmp_path / "last.png").read_bytes()[:4] == b"\x89PNG"


def test_whatever_else_lies_among_the_photographs_is_not_shown(here, store):
    photos = store / "photos"
    whole = here("review", "last", "--headless", "--photos").out
    (game,) = {path.name.split("_")[1] for path in photos.iterdir()}
    (photos / f"0000000007_{game}_4.jpg").mkdir()
    (photos / f"0000000008_{game}_4.jpg").symlink_to("nowhere")
    os.mkfifo(photos / f"0000000009_{game}_4.jpg")
    with (photos / f"0000000010_{game}_4.jpg").open("wb") as huge:
        huge.truncate(1 << 34)
    (photos / f"0000000011_{game}_5.jpg").symlink_to("/dev/zero")
    (photos / f"0000000012_{game}_4.jpg~").write_bytes(picture(5))
    (photos / "IMG_0001.jpg").write_bytes(picture(5))
    assert here("review", "last", "--headless", "--photos") == Said(0, whole, "")


def test_a_window_steps_over_photographs_that_are_none(here, store, monkeypatch):
    import pygame

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    waits = []

    def onwards(_: int) -> None:
        waits.append(1)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RIGHT, unicode="", mod=0))
        if len(waits) == 7:
            pygame.event.post(pygame.event.Event(pygame.QUIT))

    monkeypatch.setattr(pygame.time, "wait", onwards)
    assert here("review", "last") == Said(0, "", "")
    assert len(waits) == 7


def test_a_confirmation_is_told_alike_by_the_referee_by_show_and_in_a_review(here, tmp_path):
    path = tmp_path / "game.jsonl"
    confirmed = (*facts(held() + "0~2C 1~3C"), Confirm(n=5))
    path.write_text("".join(dumps(to_dict(fact)) + "\n" for fact in confirmed))
    assert here("import", path).status == 0
    for command in (("referee", path), ("show", "last"), ("review", "last", "--headless")):
        assert "Confirmed: Ada played 3♣." in here(*command).out
