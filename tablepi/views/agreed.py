"""What a table agrees on before a match: which switches of the rule set are asked for at the display, and what is set.

A switch is named as in a rule set's file; ``timeouts.play`` is what stands under ``play`` in ``timeouts``. What may be
written, and what is impossible together, is the rule set's to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rules import Game, Hearts, Spades
from ..rules.switches import Allowed, set_switches, yes_or_no

_OF_HEARTS = ("target", "hands", "illegal", "moon")
_TIMES = ("timeouts.play", "timeouts.pass")
_OF_SPADES = ("target", "nil", "blind_nil", "exchange", "suicide")


def agreeable(game: Game | None) -> tuple[str, ...]:
    """The switches of *game* on which tables agree; times only where the rule set knows time-outs."""
    if isinstance(game, Spades):
        return _OF_SPADES
    if not isinstance(game, Hearts):
        return ()
    return _OF_HEARTS if game.timeouts is None else (*_OF_HEARTS, *_TIMES)


def value_of(game: Game, name: str) -> Any:
    """What a switch of *game* is set to."""
    switch, _, key = name.partition(".")
    kept = getattr(game, switch)
    return kept.get(key) if key else kept


def allowed(game: Game, name: str) -> Allowed:
    """What may be written for a switch of *game*."""
    assert isinstance(game, Hearts | Spades)
    return game.SWITCHES[name.partition(".")[0]].allowed


def choices(game: Game, name: str) -> tuple[Any, ...]:
    """The few values that a switch may have; empty where it is a number."""
    if allowed(game, name) is yes_or_no:
        return True, False
    return () if "." in name else tuple(allowed(game, name).words)


def may_be_none(game: Game, name: str) -> bool:
    """Whether a number may also be none at all."""
    return not refusals(game, {name: None})


def with_agreed(options: Mapping[str, Any], agreed: Mapping[str, Any]) -> dict[str, Any]:
    """The *options* of a match in which this was *agreed*, too."""
    told = dict(options)
    for name, value in agreed.items():
        switch, _, key = name.partition(".")
        told[switch] = {**(told.get(switch) or {}), key: value} if key else value
    return told


def refusals(game: Game, agreed: Mapping[str, Any]) -> tuple[str, ...]:
    """What *game* has against it, in the rule set's own words."""
    assert isinstance(game, Hearts | Spades)
    _, wrongs = set_switches(game, with_agreed({}, agreed))
    return tuple(text for _, text in wrongs)
