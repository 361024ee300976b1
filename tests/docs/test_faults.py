"""The pages of faults have every word that the table says when something is wrong, as it says it, and no other."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tablepi.language import words
from tablepi.views.lamps import MEANINGS
from tablepi.views.pages import sound_rows
from tablepi.views.scene import lamp_in_words

from .said import DISPLAY, RECORD, plain, reasons, spoken

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"en": "faults.md", "pt-PT": "avarias.md"}

MISREAD = (
    "{card} is here twice: from {twin} in trick {twin_trick} and now from {name}.",
    "{card} is here twice, now from {name}.",
    "{name} lays a second card, {card}, beside {first}.",
    "{name} plays {card}, which is not in this deck.",
)
"""The rulings behind which a misreading may be."""

LIGHTS = {
    "en": {
        "red": "red", "amber": "amber", "blue": "blue", "white": "white", "green": "green",
        "triple": "three short flashes and a pause", "fast": "fast", "uneven": "one long flash and a short one",
        "double": "two short flashes and a pause", "wink": "with a short gap", "steady": "steady", "slow": "slow",
        "blip": "one short blip in 1.2 s", "centre": " (centre)",
    },
    "pt-PT": {
        "red": "vermelha", "amber": "âmbar", "blue": "azul", "white": "branca", "green": "verde",
        "triple": "três lampejos", "fast": "pisca depressa", "uneven": "um lampejo longo e um curto",
        "double": "dois lampejos", "wink": "longa, com um corte breve", "steady": "fixa", "slow": "pisca devagar",
        "blip": "um lampejo curto", "centre": " (centro)",
    },
}  # fmt: skip


@pytest.fixture(params=PAGES)
def language(request) -> str:
    return request.param


@pytest.fixture
def say(language) -> Callable[[str], str]:
    return words(language, ()).say


@pytest.fixture
def page(language) -> str:
    return (DOCS / PAGES[language]).read_text(encoding="utf-8")


def rows(page: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:2] == "| "]


def bold(cell: str) -> list[str]:
    return re.findall(r"\*\*(.+?)\*\*", cell)


def told(page: str) -> list[str]:
    """What stands in the first cells, outside of the table of lamps."""
    return [text for row in rows(page) for text in bold(row[0])]


def test_every_word_of_the_code_has_a_row_and_every_row_is_a_word_of_the_code(page, say):
    translated = [plain(say(text)) for text in (*spoken(DISPLAY), *spoken(RECORD), *MISREAD)]
    code, rows_say = {*translated, *reasons()}, set(told(page))
    assert (sorted(code - rows_say), sorted(rows_say - code)) == ([], [])


def test_every_row_says_what_to_do(page):
    assert [row for row in rows(page) if bold(row[0]) and (len(row) < 2 or not all(row[1:]))] == []


def test_every_lamp_has_a_row_with_its_colour_its_rhythm_and_its_word(page, language):
    spoken_here, light = words(language, ()), LIGHTS[language]
    shown = [
        *((lamp, False, False) for name, lamp in MEANINGS.items() if name != "idle"),
        (MEANINGS["lost"], False, True),
        (MEANINGS["lost"], True, False),
    ]
    wanted = {
        f"{light[lamp.colour]}, {light[lamp.rhythm]}"
        + (light["centre"] if centre or lamp.meaning == "someone" else "")
        + " = "
        + lamp_in_words(lamp, spoken_here, centre=centre, crowded=crowded)
        for lamp, centre, crowded in shown
    }
    lamps = [row for row in rows(page) if len(row) == 4 and bold(row[1]) and not bold(row[0])]
    assert {f"{row[0]} = {bold(row[1])[0]}" for row in lamps} == wanted


def test_every_sound_has_a_row_with_what_it_means(page, language):
    sounds = [list(row) for row in sound_rows(words(language, ())).values()]
    assert [row for row in rows(page) if row in sounds] == sounds


def test_the_words_of_the_rulings_are_those_of_the_code():
    source = (DOCS.parent / "tablepi" / "views" / "words.py").read_text(encoding="utf-8")
    assert [text for text in MISREAD if f'"{text}"' not in source] == []


def test_the_checks_that_it_names_exist(page):
    from tablepi.machine.doctor import CHECKS

    named = {
        name for cell in re.findall(r"`tablepi doctor` \(([^)]+)\)", page) for name in re.findall(r"`([\w-]+)`", cell)
    }
    assert named
    assert named <= {check.name for check in CHECKS}
