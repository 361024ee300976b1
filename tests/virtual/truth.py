"""What a referee must have ruled on a game of which everything is known, said apart from the engine: from the lines of
the truth file alone, with the rules of Hearts written out once more, plainly.

Both sides are brought to one shape, ``Verdicts``, and compared whole.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablepi import facts as f
from tablepi.facts import Fact
from tablepi.rules import game_of
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
    """A game as a referee ruled it. Places are hand, trick, seat, card; *breaches* add the rule; *proved* are offences;
    *hands* are trick winners, scores and totals. *shown*: the rule of an offence, and the trick and the card that
    showed it; *counted*: the trick in which counting proved it, which is for the referee to find."""

    breaches: set[tuple[Any, ...]]
    proved: set[tuple[Any, ...]]
    withdrawn: set[tuple[Any, ...]]
    hands: list[tuple[Any, ...]]
    shown: dict[tuple[Any, ...], tuple[Any, ...]] = field(default_factory=dict, compare=False)
    counted: dict[tuple[Any, ...], int] = field(default_factory=dict, compare=False)

    def proves_as_early_as(self, truth: Verdicts) -> bool:
        """Whether no offence was proved later than by its card, and what was shown was shown by that card."""
        return all(truth.shown[place] == shown for place, shown in self.shown.items()) and all(
            trick <= truth.shown[place][1] for place, trick in self.counted.items()
        )


def expected(truth: Iterable[Mapping[str, Any]], *, penalty: int = 0) -> Verdicts:
    """What must have been ruled, once every hand has been played to its end. In Hearts a card against the rules may
    have a *penalty*: then it is all that the hand scores."""
    verdicts = Verdicts(set(), set(), set(), [])
    by_hand: dict[int, list[Mapping[str, Any]]] = {}
    for line in truth:
        by_hand.setdefault(line["hand"], []).append(line)
    totals, bags = [0, 0, 0, 0], [0, 0]
    for hand, lines in by_hand.items():
        _judge_hand(hand, lines, verdicts)
        if "bids" in lines[-1]:
            winners, scored = _tricks(lines, trump="S")[0], [0, 0]
            revoked = {x["seat"] % 2 for x in lines if "laid" in x and x["fault"] == "revoke"}
            for side in (0, 1):
                bids = [lines[-1]["bids"][str(seat)] for seat in (side, side + 2)]
                won = [winners.count(seat) for seat in (side, side + 2)]
                scored[side], bags[side] = _side(bids, won, bags[side], revoked=side in revoked)
            totals = [total + points for total, points in zip(totals, scored, strict=False)]
            verdicts.hands.append((hand, winners, scored, list(totals)))
            continue
        winners, took = _tricks(lines)
        shot = 26 in took
        scored = [26 - points for points in took] if shot else took
        guilty = {x["seat"] for x in lines if "laid" in x and x["fault"] not in (None, "turn", "taken-back")}
        if penalty and guilty:
            scored = [penalty if seat in guilty else 0 for seat in range(4)]
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
                verdicts.proved.add(offence["place"])
                verdicts.shown[offence["place"]] = rule, trick, card
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


def _side(bids, won, bags, *, revoked):
    """What two partners score in Spades, and the bags that they carry on."""
    contract = sum(bid for bid in bids if isinstance(bid, int))
    made = sum(won) >= contract
    parts = [contract * 10 if made else contract * -10]
    parts += [-100 if tricks else 100 for bid, tricks in zip(bids, won, strict=True) if bid == "nil"]
    over = sum(won) - contract if made and not revoked else 0
    points = sum(min(part, 0) if revoked else part for part in parts) + over
    return points - (bags + over) // 10 * 100, (bags + over) % 10


def _tricks(lines, trump=None):
    """The winner of each trick and the points that each seat took in Hearts."""
    winners, took = [], [0, 0, 0, 0]
    for trick in range(1, 14):
        stand = [x for x in lines if "laid" in x and x["trick"] == trick and x["fault"] != "taken-back"]
        assert len({x["seat"] for x in stand}) == len(stand) == 4
        led = next(x["laid"] for x in stand if x["fault"] != "turn")[1]
        suit = trump if any(x["laid"][1] == trump for x in stand) else led
        winner = max((x for x in stand if x["laid"][1] == suit), key=lambda x: RANKS.index(x["laid"][0]))["seat"]
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
        if line.get("ruling") == "breach" and line.get("how") == "counted":
            verdicts.proved.add(_place(line, line))
            verdicts.counted[_place(line, line)] = line["trick"]
        elif line.get("ruling") == "breach" and line["n"] not in back:
            verdicts.breaches.add((*_place(line, line), line["rules"][0]))
        elif line.get("ruling") == "proved":
            place = _place(line, line["offence"])
            verdicts.proved.add(place)
            if line["how"] == "shown":
                verdicts.shown[place] = line["offence"]["rule"], line["trick"], line["shown"]
            else:
                verdicts.counted[place] = line["trick"]
        elif line.get("ruling") == "withdrawn":
            verdicts.withdrawn.add(_place(line, line))
        elif line.get("event") == "trick":
            winners[line["trick"] - 1 :] = [line["winner"]]
        elif line.get("event") == "hand":
            told = line.get("sides", {}).values()
            points = [side["score"] for side in told] or list(line["points"].values())
            totals = [side["total"] for side in told] or list(line["totals"].values())
            verdicts.hands.append((line["hand"], winners, points, totals))
            winners = []
    return verdicts


def _place(line, of):
    return line["hand"], of["trick"], line["seat"], of["card"]


# --- games without ports -------------------------------------------------------------------------------------------


def game(
    seed: int,
    *,
    hands: int = 4,
    rules: str = "hearts-cardems",
    erring: bool = True,
    options: Mapping[str, Any] | None = None,
    **slips: Any,
) -> list[Act]:
    """The acts of a match."""
    rng = random.Random(seed)
    match = f.Match(rules=rules, players=tuple(NAMES), options=options)
    making = Slips(rng, hands=hands, **slips) if erring else None
    return list(play_match(match, game_of(RULEBOOK, rules, options), hands=hands, rng=rng, slips=making))


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
