"""Hypothesis strategies: any fact, and any game of facts. For every test that wants to hold for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tablepi import facts
from tablepi.cards import ALL_CARDS
from tablepi.facts import MOST_SEATS, Correct, Fact, Match

from .core.honest import RULES

seats = st.integers(0, MOST_SEATS - 1)
table_seats = st.integers(0, 3)
any_card = st.sampled_from(ALL_CARDS)
some_cards = st.lists(any_card, unique=True, max_size=14).map(tuple)
# All of Unicode that can be written (no lone surrogates), with something to see in it.
texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
numbers = st.integers(1, 400)
seconds = st.one_of(st.integers(0, 10**6), st.floats(0, 1e6, allow_nan=False))
certainty = st.one_of(st.sampled_from([0, 1]), st.floats(0, 1))
sources = st.one_of(st.sampled_from(["person", "camera", "camera-2", "reader-0", "reader-3"]), texts)
plain_json = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters(codec="utf-8"), max_size=5),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


def by_seat(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[int, Any]]:
    return st.dictionaries(seats, values, max_size=4)


@st.composite
def _dealt(draw: st.DrawFn) -> dict[int, tuple[Any, ...]]:
    """Hands in which no card lies twice."""
    cards = draw(st.permutations(ALL_CARDS))
    dealt, start = {}, 0
    for seat in draw(st.lists(seats, unique=True, max_size=4)):
        size = draw(st.integers(0, 13))
        dealt[seat] = tuple(cards[start : start + size])
        start += size
    return dealt


bids = st.one_of(st.integers(1, 13), st.sampled_from(["nil", "blind-nil"]))

# What each field may hold, under the name it has in JSON: one table, like the one that facts.py reads with.
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "at": seconds,
    "source": sources,
    "confidence": certainty,
    "rules": st.one_of(st.sampled_from(sorted({name for name, _ in RULES})), texts),
    "players": st.lists(texts, min_size=2, max_size=MOST_SEATS).map(tuple),
    "options": st.dictionaries(texts, plain_json, max_size=3),
    "dealer": seats,
    "hands": _dealt(),
    "seat": st.one_of(table_seats, seats),
    "card": any_card,
    "cards": some_cards,
    "count": st.integers(0, 52),
    "bid": bids,
    "exchange": st.booleans(),
    "declined": st.booleans(),
    "steady": seconds,
    "uid": texts,
    "n": numbers,
    "question": st.one_of(numbers.map("q{}".format), texts),
    "drop": st.just(True),
    "before": numbers,
    "reason": texts,
    "choice": st.sampled_from(["self", "others"]),
    "device": sources,
    "points": by_seat(st.integers(-1000, 1000)),
    "tricks": by_seat(st.integers(0, 52)),
}
_NEVER_SET = ("n", "before", "drop")
changes = st.lists(
    st.sampled_from([name for name in FIELDS if name not in _NEVER_SET]), unique=True, min_size=1, max_size=3
).flatmap(lambda names: st.fixed_dictionaries({n: maybe(FIELDS[n]) for n in names}))

_Kind = type[Fact]
_common = {"at": maybe(seconds), "source": maybe(sources), "confidence": maybe(certainty)}


def _made(kind: _Kind, **own: st.SearchStrategy[Any]) -> st.SearchStrategy[Fact]:
    return st.builds(kind, **own, **_common)


def _plainly(kind: _Kind, required: str = "", optional: str = "") -> st.SearchStrategy[Fact]:
    own = {name: FIELDS[name] for name in required.split()}
    return _made(kind, **own, **{name: maybe(FIELDS[name]) for name in optional.split()})


def _either(kind: _Kind, required: str, *ways: str) -> st.SearchStrategy[Fact]:
    """One of several combinations of fields."""
    return st.one_of([_plainly(kind, f"{required} {way}") for way in ways])


def _corrections() -> st.SearchStrategy[Fact]:
    insertable = st.one_of([made for kind, made in BY_KIND.items() if kind not in ("match", "correct")])
    return st.one_of(
        _made(Correct, n=numbers, set=changes, reason=maybe(texts)),
        _made(Correct, n=numbers, drop=st.just(True), reason=maybe(texts)),
        _made(Correct, before=numbers, insert=insertable, reason=maybe(texts)),
    )


BY_KIND: dict[str, st.SearchStrategy[Fact]] = {
    "match": _plainly(facts.Match, "rules players", "options"),
    "hand": _plainly(facts.Hand, "", "dealer hands"),
    "holds": _plainly(facts.Holds, "seat cards"),
    "pass": _either(facts.Pass, "seat", "cards", "count"),
    "passed": _plainly(facts.Passed),
    "bid": _plainly(facts.Bid, "seat bid", "exchange"),
    "exchange": st.one_of(
        _either(facts.Exchange, "seat", "cards", "count"),
        _made(facts.Exchange, seat=seats, declined=st.just(True)),
    ),
    "exchanged": _plainly(facts.Exchanged),
    "play": _plainly(facts.Play, "seat card"),
    "seen": _plainly(facts.Seen, "card", "seat steady"),
    "gone": _plainly(facts.Gone, "card", "seat"),
    "cleared": _plainly(facts.Cleared),
    "tag": st.one_of(_plainly(facts.Tag, "card", "seat uid"), _plainly(facts.Tag, "uid", "seat")),
    "untag": st.one_of(_plainly(facts.Untag, "card", "seat uid"), _plainly(facts.Untag, "uid", "seat")),
    "withdraw": _plainly(facts.Withdraw, "seat", "card"),
    "confirm": _plainly(facts.Confirm, "n"),
    "answer": _either(facts.Answer, "question", "card", "seat", ""),
    "choose": _plainly(facts.Choose, "seat choice"),
    "timeout": _plainly(facts.Timeout, "seat"),
    "leave": _plainly(facts.Leave, "seat"),
    "misdeal": _plainly(facts.Misdeal, "", "reason"),
    "lost": _plainly(facts.Lost, "device", "reason"),
    "found": _plainly(facts.Found, "device"),
    "tick": _plainly(facts.Tick),
    "end-hand": _plainly(facts.EndHand, "", "points tricks"),
    "end-match": _plainly(facts.EndMatch),
    "correct": st.deferred(_corrections),
}  # fmt: skip

any_match: st.SearchStrategy[Match] = BY_KIND["match"]  # type: ignore[assignment]
any_fact: st.SearchStrategy[Fact] = st.one_of(list(BY_KIND.values()))
later_facts = st.one_of([made for kind, made in BY_KIND.items() if kind != "match"])


def _in_time(game: list[Fact]) -> tuple[Fact, ...]:
    """The same facts with their times sorted, for a falling *at* is an error."""
    times = iter(sorted(fact.at for fact in game if fact.at is not None))
    return tuple(fact if fact.at is None else replace(fact, at=next(times)) for fact in game)


def any_game(most: int = 30) -> st.SearchStrategy[tuple[Fact, ...]]:
    """A match and up to *most* facts after it, in any order that time allows."""
    build: Callable[[Match, list[Fact]], tuple[Fact, ...]] = lambda match, rest: _in_time([match, *rest])  # noqa: E731
    return st.builds(build, any_match, st.lists(later_facts, max_size=most))
