"""The catalogues say everything, with the same parts, and are compiled from what stands in them."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import tablepi
from tablepi.language import CATALOGUES, language, words
from tablepi.views.words import in_words, with_text

from .script import NAMES, Told, held

SOURCE = Path(tablepi.__file__).parent


@pytest.fixture(scope="module")
def texts() -> set[str]:
    """Every text in the source that goes through ``say``."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    first = (call.args[0] for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "say")
    return {text.value for text in first if isinstance(text, ast.Constant) and isinstance(text.value, str)}


def catalogue(name: str) -> dict[str, str]:
    with (CATALOGUES / name / "LC_MESSAGES" / "tablepi.po").open("rb") as file:
        return {str(m.id): str(m.string) for m in read_po(file) if m.id}


def parts(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


def test_portuguese_has_every_text_and_no_other(texts):
    assert set(catalogue("pt_PT")) == texts


def test_brazilian_portuguese_has_only_texts_that_there_are(texts):
    assert set(catalogue("pt_BR")) <= texts


@pytest.mark.parametrize("name", ["pt_PT", "pt_BR"])
def test_a_translation_names_no_part_that_the_text_does_not_have(name):
    assert {
        text: parts(said) - parts(text) for text, said in catalogue(name).items() if parts(said) - parts(text)
    } == {}


@pytest.mark.parametrize("name", ["pt_PT", "pt_BR"])
def test_the_compiled_catalogue_is_that_of_the_written_one(name):
    """Its texts: the file also names the time and the compiler."""
    with (CATALOGUES / name / "LC_MESSAGES" / "tablepi.mo").open("rb") as file:
        compiled = {str(m.id): str(m.string) for m in read_mo(file) if m.id}
    assert compiled == catalogue(name)


def test_no_translation_is_empty():
    assert [text for text, said in (catalogue("pt_PT") | catalogue("pt_BR")).items() if not said.strip()] == []


@pytest.mark.parametrize(
    ("spoken", "told"),
    [
        ("en", "In trick 2 Ada did not follow diamonds while holding 4♦: it came in trick 4."),
        ("pt-PT", "Na vaza 2, Ada não serviu ouros, tendo 4♦ na mão: jogou essa carta na vaza 4."),
        ("pt-BR", "Na vaza 2, Ada não seguiu ouros, tendo 4♦ na mão: jogou essa carta na vaza 4."),
    ],
)
def test_a_proof_names_both_plays(spoken, told):
    game = Told(held() + "0:2C 1:3C 2:4C 3:5C 3:5D 0:6D 1:2S 2:7D 2:8D 3:9D 0:JD 1:3S 0:KC 1:4D")
    (first, _) = game.rulings("proved")
    assert in_words(first, words(spoken, tuple(NAMES))) == told


def test_the_queen_is_a_dama_in_portuguese():
    game = Told(held() + "0:2C 1:QS")
    assert with_text(game.rulings("unproven")[0], words("pt-PT", tuple(NAMES)))["text"] == (
        "Ada joga D♠ na primeira vaza: só é legal se só tiver cartas de pontos."
    )


def test_pt_is_european_portuguese():
    assert [language(asked) for asked in ("pt", "PT-pt", "pt_BR", "en")] == ["pt-PT", "pt-PT", "pt-BR", "en"]
