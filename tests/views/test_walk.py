"""Every screen that can be reached by pressing is reached, and everything on it is pressed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablepi import facts as f
from tablepi import journal
from tablepi.cards import RANKS, Card
from tablepi.facts import TWO_CARDS, Fact
from tablepi.language import words
from tablepi.table import Table, complaint, empty, step
from tablepi.views.desk import Desk, points_left, press
from tablepi.views.lamps import Lamp
from tablepi.views.screen import Command, Screen, Tap
from tablepi.views.words import trouble_in_words

from .. import strategies
from ..script import RULEBOOK
from .tables import MANY, MOMENTS, desk, seen, strike, table_of, taps_of

CARD_KEYS = {*RANKS.lower(), "0", "1", "r", "d", "v"}


def pressed(shown: Screen) -> list[Tap]:
    """The taps of a screen; of the cards of a picker, which are all alike, a few."""
    taps = taps_of(shown)
    cards = len(shown.picker.cards) if shown.picker is not None else 0
    return [*taps[:cards:11], *taps[cards:]]


def reached(table: Table, language: str) -> list[tuple[Desk, Screen]]:
    """Every desk that pressing leads to while the table stays as it is, with what is shown then."""
    waiting, known, found = [desk(language)], set(), []
    while waiting:
        at = waiting.pop()
        alike = much_alike(at, table)
        if alike in known or at.language != language:
            continue
        known.add(alike)
        shown = seen(table, at)
        found.append((at, shown))
        waiting += [press(at, table, tap.action)[0] for tap in pressed(shown)]
    return found


def much_alike(at: Desk, table: Table) -> Desk:
    """*at* without what changes nothing of what can be pressed: how points are shared out as long as some are left,
    which cards have been chosen, how a name or a number is written, which names there are, what was agreed, but that
    it was, and whether on what lies open; and a pause, which has tests of its own."""
    agreed = tuple((name == at.argument, None) for name, _ in at.setup.agreed)
    return replace(
        at,
        points=(min(1, points_left(at, table.state)),) if at.points else (),
        cards=at.cards[:1] * len(at.cards),
        typed="1" if at.open in ("name", "agree") and at.typed else at.typed,
        refused="" if at.open == "agree" else at.refused,
        pause=None,
        setup=replace(at.setup, players=("",) * len(at.setup.players), agreed=tuple(sorted(set(agreed)))),
    )


def accepted(table: Table, fact: Fact) -> Table:
    if isinstance(fact, f.Match):
        table = empty(RULEBOOK)
    assert complaint(table, fact) is None
    after = step(table, fact)
    refused = [line for line in after.lines if line.get("ruling") == "ignored"]
    assert [line for line in refused if "by" not in line] == [], fact  # a correction may make a later fact idle
    return after


@pytest.mark.parametrize("language", ["en", "pt-PT"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_tap_leads_somewhere(moment, language):
    table = table_of(MOMENTS[moment])
    entered: list[Fact] = []
    for at, shown in reached(table, language):
        for tap in pressed(shown):
            after, facts = press(at, table, tap.action)
            assert after != at or facts or tap.action == Command("give"), (at, tap)
            for fact in facts:
                if fact not in entered:
                    seen(accepted(table, fact), after)
                    entered.append(fact)


@pytest.mark.parametrize("moment", MOMENTS)
def test_no_two_taps_of_a_screen_share_a_key_and_every_picker_can_be_left(moment):
    for _, shown in reached(table_of(MOMENTS[moment]), "en"):
        keys = [tap.key for tap in taps_of(shown) if tap.key]
        assert len(keys) == len(set(keys)), shown
        assert all(tap.label for tap in taps_of(shown))
        assert shown.picker is None or "escape" in keys


@pytest.mark.parametrize("language", ["en", "pt-PT", "pt-BR"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_no_tap_of_a_table_in_play_takes_a_key_that_begins_a_card(moment, language):
    table = table_of(MOMENTS[moment])
    if table.state.felt is None:
        return
    shown = seen(table, desk(language))
    assert {tap.key for tap in taps_of(shown)} & CARD_KEYS == set()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_press_on_a_screen_that_is_no_longer_shown_is_no_error(moment):
    """Two presses may come between two pictures, and a reader may change the table beneath an open picker."""
    table = table_of(MOMENTS[moment])
    walk = reached(table, "en")
    stale = [at for at, _ in walk]
    taps = {tap.action for _, shown in walk for tap in pressed(shown) if isinstance(tap.action, Command)}
    for other in ("before a match", "passing", "in a trick", "covered card", "scored", "match over"):
        there = table_of(MOMENTS[other])
        for at in stale:
            seen(there, at)
        for action in taps:
            after, facts = press(desk(), there, action)
            seen(there, after)
            assert all(complaint(there, fact) is None for fact in facts)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 10**6), min_size=30, max_size=120), st.sampled_from(["en", "pt-PT", "pt-BR"]))
def test_whoever_presses_anything_never_breaks_anything(presses, language):
    """A child at the display: every press is one of what is shown then, and what it enters is accepted."""
    table, at = table_of(MOMENTS["first card"]), desk(language)
    for number in presses:
        taps = taps_of(seen(table, at))
        at, facts = press(at, table, taps[number % len(taps)].action)
        for fact in facts:
            table = accepted(table, fact) if not isinstance(fact, f.Match) else step(empty(RULEBOOK), fact)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(strategies.later_facts, max_size=25), st.text("1230tjqkarvdcpoehs", max_size=12))
def test_no_table_is_too_strange_to_be_shown_and_typed_on(strange, keys):
    table, at = table_of(MOMENTS["a trick is over"]), desk()
    for fact in strange:
        table = step(table, fact)
        for open in ("", "wrong", "card", "seat", "menu", "scores", "bid", "pass", "cards", "end-hand"):
            seen(table, at.opened(open, "1" if open in ("card", "seat", "bid", "pass", "cards") else "", since=table.n))
    for key in keys:
        at, facts = strike(at, table, key)
        assert all(complaint(table, fact) is None for fact in facts)
        for fact in facts:
            table = step(table, fact)
        seen(table, at)


def sentences(value: object) -> Iterator[str]:
    """Every text that a screen shows: what its taps do and what its keys are called is not shown."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from sentences(each)
    elif is_dataclass(value) and not isinstance(value, f.Fact | Command | Lamp | Card):
        for field in fields(value):
            if field.name not in UNSEEN:
                yield from sentences(getattr(value, field.name))


UNSEEN = ("key", "action", "language", "ruling_tone", "mark", "chips")
SAME_IN_BOTH = {
    *MANY, *(f"→ {name}" for name in MANY), *(f"{name} +{n}" for name in MANY for n in (1, 5)),
    *(f"{name} −{n}" for name in MANY for n in (1, 10)), *(f"{seat} {name}" for seat, name in enumerate(MANY)),
    "0 (N) Rita", "1 (E) Ada", "2 (S) Bo", "Rita & Bo", "Ada & Cleo",
    "tablepi", "Esc", "Menu", "Total", "English", "Português", "Português do Brasil",
    "bad", "warn",  # the tones of rulings, which are not shown
}  # fmt: skip

TROUBLES = (
    "games.sqlite: database or disk is full: free some space, or give another folder with --store",
    "lock: Permission denied: run as the store's owner, or name another store with --store",
    "games.sqlite: database is locked: another program holds the file; close it",
    "games.sqlite: disk I/O error: see whether its disk is mounted, writable and healthy (dmesg)",
    "photos: of games that are in no record here: set aside as photos.aside-1",
    "/run/tablepi lies in memory (tmpfs): games are lost at the next restart; name a folder on a disk with --store",
)


@pytest.mark.parametrize("language", ["pt-PT", "pt-BR"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_in_english_is_shown_in_portuguese(moment, language):
    """No text with a word in it is that of the English screen, whatever has been opened, with devices missing."""
    lost = ' {"fact":"lost","device":"camera"} {"fact":"lost","device":"reader-9"} {"fact":"lost","device":"reader-1"}'
    lost += f' {{"fact":"lost","device":"reader-2","reason":"{TWO_CARDS}"}}'
    table = table_of(MOMENTS[moment] + lost) if MOMENTS[moment] else table_of("")
    for at, shown in reached(table, language):
        english = {*sentences(seen(table, replace(at, language="en")))}
        alike = english & {*sentences(shown)} - SAME_IN_BOTH
        assert {text for text in alike if re.search(r"[a-z]{2}", text)} == set()


@pytest.mark.parametrize("trouble", TROUBLES)
def test_what_the_journal_complains_of_is_said_in_portuguese(trouble):
    told = trouble_in_words(trouble, words("pt-BR", ()))
    assert not re.search(r"\b(the|is|in|of|and|with|set|free|disk|file|games|another|see)\b(?!\.)", told), told
    assert trouble_in_words(trouble, words("en", ())).split(":")[0] == trouble.split(":")[0]


def test_a_trouble_is_said_before_the_path_that_has_it():
    told = trouble_in_words("/home/pi/games.sqlite: database or disk is full: free some space", words("en", ()))
    assert told == "database or disk is full: free some space (/home/pi/games.sqlite)"


def test_the_phrases_that_are_known_are_those_that_the_journal_says():
    said = "".join(path.read_text(encoding="utf-8") for path in Path(journal.__file__).parent.glob("*.py"))
    own = [text for text in map(str, TROUBLES) for text in re.split(r": ", text)[2:]]
    assert [text for text in own if text.split(" as ")[0] not in said] == []
