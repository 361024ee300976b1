"""What a referee must have ruled on a game of which everything is known, said apart from the engine: from the lines of
the truth file alone, with the rules of Hearts written out once more, plainly.

Both sides are brought to one shape, ``Verdicts``, and compared whole.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tablepi import facts as f
from tablepi.facts import Fact
from tablepi.state import Line
from tablepi.virtual.players import (
    Act,
    AllPassed,
    DealHand,
    Enter,
    Lay,
    Lift,
    PassCards,
    Slips,
    play_match,
    truth_of,
)

from ..script import NAMES, RULEBOOK

RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class Verdicts:
    """A game as a referee ruled it. Places are hand, trick, seat, card; *breaches* add the rule; *proved* are the
    offence, its rule, and the trick and card that showed it; *hands* are trick winners, scores and totals."""

    breaches: set[tuple[Any, ...]]
    proved: set[tuple[Any, ...]]
    withdrawn: set[tuple[Any, ...]]
    hands: list[tuple[Any, ...]]


def expected(truth: Iterable[Mapping[str, Any]]) -> Verdicts:
    """What must have been ruled, once every hand has been played to its end."""
    verdicts = Verdicts(set(), set(), set(), [])
    by_hand: dict[int, list[Mapping[str, Any]]] = {}
    for line in truth:
        by_hand.setdefault(line["hand"], []).append(line)
    totals = [0, 0, 0, 0]
    for hand, lines in by_hand.items():
        _judge_hand(hand, lines, verdicts)
        winners, took = _tricks(lines)
        shot = 26 in took
        scored = [26 - points for points in took] if shot else took
        totals = [total + points for total, points in zip(totals, scored, strict=True)]
        verdicts.hands.append((hand, winners, scored, list(totals)))
    return verdicts


def _judge_hand(hand, lines, verdicts):
    hidden = []  # offences that nobody has seen yet: place, and what each rule denied
    in_sight = {}  # cards taken back, which everybody knows to be in a hand, by card
    for line in lines:
        if "laid" not in line:
            continue
        seat, card, trick, fault = line["seat"], line["laid"], line["trick"], line["fault"]
        place = (hand, trick, seat, card)
        for offence in list(hidden):
            rule = next((r for r, denies in offence["denied"].items() if denies(card)), None)
            if offence["place"][2] == seat and rule is not None:
                verdicts.proved.add((*offence["place"], rule, trick, card))
                hidden.remove(offence)
        in_sight.pop(card, None)
        if fault == "taken-back":
            verdicts.withdrawn.add(place)
            in_sight[card] = seat
        elif fault == "turn":
            verdicts.breaches.add((*place, "turn"))
        elif fault is not None:
            denied = _denied(line)
            known = [r for r, denies in denied.items() if any(s == seat and denies(c) for c, s in in_sight.items())]
            if known:
                verdicts.breaches.add((*place, known[0]))
                denied = {rule: denies for rule, denies in denied.items() if rule not in known}
            hidden.append({"place": place, "denied": denied})


def _denied(line):
    """What a wrong card denies holding, by the rule that it breaks if that is not so."""
    suit = line.get("denied")
    if line["fault"] == "revoke":
        return {"follow-suit": lambda card: card[1] == suit}
    if line["fault"] == "hearts-not-broken":
        return {"hearts-not-broken": lambda card: card[1] != "H"}
    assert line["fault"] == "first-trick-points"  # the first trick is a trick of clubs
    return {
        "follow-suit": lambda card: card[1] == "C",
        "first-trick-points": lambda card: card[1] not in "CH" and card != "QS",
    }


def _tricks(lines):
    """The winner of each trick and the points that each seat took."""
    winners, took = [], [0, 0, 0, 0]
    for trick in range(1, 14):
        stand = [x for x in lines if "laid" in x and x["trick"] == trick and x["fault"] != "taken-back"]
        assert len({x["seat"] for x in stand}) == len(stand) == 4
        led = next(x["laid"] for x in stand if x["fault"] != "turn")[1]
        winner = max((x for x in stand if x["laid"][1] == led), key=lambda x: RANKS.index(x["laid"][0]))["seat"]
        winners.append(winner)
        took[winner] += sum(13 if x["laid"] == "QS" else x["laid"][1] == "H" for x in stand)
    return winners, took


def ruled(lines: Iterable[Line]) -> Verdicts:
    """What a table ruled, from all that it ever told. The ruling on a card that was taken back accuses nobody."""
    lines = list(lines)
    back = {line["of"] for line in lines if line.get("ruling") == "withdrawn"}
    verdicts = Verdicts(set(), set(), set(), [])
    winners: list[int] = []
    for line in lines:
        if line.get("ruling") == "breach" and line["n"] not in back:
            verdicts.breaches.add((*_place(line, line), line["rules"][0]))
        elif line.get("ruling") == "proved":
            offence = line["offence"]
            verdicts.proved.add((*_place(line, offence), offence["rule"], line["trick"], line["shown"]))
        elif line.get("ruling") == "withdrawn":
            verdicts.withdrawn.add(_place(line, line))
        elif line.get("event") == "trick":
            winners[line["trick"] - 1 :] = [line["winner"]]
        elif line.get("event") == "hand":
            points, totals = list(line["points"].values()), list(line["totals"].values())
            verdicts.hands.append((line["hand"], winners, points, totals))
            winners = []
    return verdicts


def _place(line, of):
    return line["hand"], of["trick"], line["seat"], of["card"]


# --- games without ports -------------------------------------------------------------------------------------------


def game(seed: int, *, hands: int = 4, rules: str = "hearts-cardems", erring: bool = True, **slips: Any) -> list[Act]:
    """The acts of a match."""
    rng = random.Random(seed)
    match = f.Match(rules=rules, players=tuple(NAMES))
    making = Slips(rng, hands=hands, **slips) if erring else None
    return list(play_match(match, RULEBOOK[rules], hands=hands, rng=rng, slips=making))


def truth_lines(acts: Iterable[Act]) -> list[Mapping[str, Any]]:
    return [line for act in acts for line in truth_of(act)]


def told(acts: Iterable[Act]) -> Iterable[Fact]:
    """What readers that repeat, and a person at the display, tell of *acts*."""
    lying = 0
    for act in acts:
        match act:
            case Enter(fact=fact):
                yield fact
            case DealHand():
                yield f.Hand(dealer=act.dealer)
            case PassCards():
                yield f.Pass(seat=act.seat, count=len(act.cards))
            case AllPassed():
                yield f.Passed()
            case Lay():
                lying = lying % 4 + 1
                yield f.Tag(seat=act.seat, card=act.card, source=f"reader-{act.seat}")
            case Lift() if lying == 4:  # the trick is full: only a person can tell taking back from sweeping
                lying -= 1
                yield f.Withdraw(seat=act.seat, card=act.card)
            case Lift():
                lying -= 1
                yield f.Untag(seat=act.seat, card=act.card, source=f"reader-{act.seat}")
