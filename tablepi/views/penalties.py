"""What the offences of a hand have done to its score, in words, where the rules take something for them.

The event ``hand`` says only what each has scored. Why, is found in the audit of that hand; and in what it was scored
by, because a spade on the first trick may be a revoke as well, which nothing tells but the score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..cards import Seat
from ..state import Line
from ..table import Table
from .customs import punished
from .words import Words, in_words, number


def hand_in_words(table: Table, line: Line, words: Words) -> str:
    """What a hand has scored, and which offences changed that. Of an event ``hand`` told at *table*."""
    return " ".join((in_words(line, words), *penalties_in_words(table, line, words)))


def penalties_in_words(table: Table, line: Line, words: Words) -> tuple[str, ...]:
    """A sentence for each side whose offence has changed the score of the hand that *line* tells."""
    say, guilty = words.say, _guilty(table, int(line["hand"]))
    if not guilty:
        return ()
    if "sides" in line:
        return tuple(
            say("The contract of {side} does not score ({revokes}); what is lost counts.").format(
                side=words.side(side),
                revokes=say(" and ").join(_revoke(seat, guilty[seat], words) for seat in seats),
            )
            for side in line["sides"]
            if (seats := sorted((s for s in guilty if str(s) in side.split("-")), key=lambda s: guilty[s] or 99))
        )
    points = number(max(line["points"][str(seat)] for seat in guilty))
    if len(guilty) == 1:
        text = say("{name} takes {points} for the offence, the others nothing.")
        return (text.format(name=words.name(next(iter(guilty))), points=points),)
    names = say(" and ").join(words.name(seat) for seat in sorted(guilty))
    return (
        say("{names} take {points} each for their offences, the others nothing.").format(names=names, points=points),
    )


def _revoke(seat: Seat, trick: int | None, words: Words) -> str:
    if trick is None:
        return words.say("{name}'s revoke").format(name=words.name(seat))
    return words.say("{name}'s revoke in trick {trick}").format(name=words.name(seat), trick=trick)


def _guilty(table: Table, hand: int) -> Mapping[Seat, int | None]:
    """The seats whose offences have changed the score of a hand, each with the trick of the first one that did."""
    game, guilty = table.state.game, dict[Seat, int | None]()
    standing = [offence for offence in _audited(table, hand) if "seat" in offence]  # of someone's nobody pays
    for offence in standing:
        if punished(game, _rules(table, offence)):
            guilty.setdefault(offence["seat"], offence["trick"])
    deal = table.state.deal
    if deal is None or deal.number != hand or deal.played is None:
        return guilty
    for seat, rule in deal.played.offences:
        if punished(game, (rule,)):
            tricks = [offence["trick"] for offence in standing if offence["seat"] == seat]
            guilty.setdefault(seat, tricks[0] if len(tricks) == 1 else None)
    return guilty


def _audited(table: Table, hand: int) -> tuple[Mapping[str, Any], ...]:
    """The offences of a hand that stand."""
    for entry in reversed(table.log):
        for line in entry.lines:
            if line.get("ruling") == "confirmed" and line["hand"] == hand:
                return tuple(line["offences"])
    return ()


def _rules(table: Table, offence: Mapping[str, Any]) -> Iterator[str]:
    """The rules that the card of an offence has broken: the audit names only the first."""
    yield offence["rule"]
    entry = table.entry(offence["n"])
    for line in entry.lines if entry is not None else ():
        if line.get("ruling") == "breach" and line.get("n") == offence["n"]:
            yield from line["rules"]
