"""The languages that tablepi speaks, from gettext catalogues.

Texts in the source are English. ``pt-PT`` has a catalogue; ``pt-BR`` has one for the words that differ and falls back
on it; any other language is English.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from .errors import BadInput
from .views.desk import LANGUAGES
from .views.words import Words

CATALOGUES = Path(str(resources.files("tablepi") / "locale"))


def language(asked: str) -> str:
    """The language that *asked* names: ``pt`` is ``pt-PT``. Raises BadInput."""
    known = {each.lower(): each for each in LANGUAGES} | {"pt": "pt-PT"}
    found = known.get(asked.replace("_", "-").lower())
    if found is None:
        raise BadInput(f"language {asked!r}: known are {', '.join(LANGUAGES)}")
    return found


def words(spoken: str, names: tuple[str, ...]) -> Words:
    """The words of a language, for these players."""
    return Words(_say(spoken), spoken, names)


def _say(spoken: str) -> Callable[[str], str]:
    wanted = {"pt-PT": ["pt_PT"], "pt-BR": ["pt_BR", "pt_PT"]}.get(spoken, [])
    if not wanted:
        return gettext.NullTranslations().gettext
    return gettext.translation("tablepi", CATALOGUES, languages=wanted, fallback=True).gettext
