"""Hearts under a rule set's switches. Each switch's source is in its preset file and in the rule matrix.

Deviations from the words, as settled: a hand of nothing but points may play one on the first trick in every preset, and
a hand of nothing but hearts may lead one; where the source has no such exception the ruling says so (``silent``).
An illegally played heart opens hearts for everyone (good faith), so breaking does not ask whether a play was legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from ..cards import FULL_DECK, OF_SUIT, Card, Cards, Seat, card, cards_of, each
from .tricks import Claim, HandResult, Moment, Played

QUEEN_OF_SPADES = card("QS")
DIRECTIONS = ("left", "right", "across", "hold", "left-2", "right-2")


@dataclass(frozen=True, slots=True)
class Hearts:
    """One Hearts rule set. The field names are the switches of the preset files.

    *removed*, *pass_cycle*: by player count. *hearts_break*: ``discarded`` (only a heart thrown on another suit breaks)
    or ``played``. *tie*: ``play_on`` (a tie for the lowest total means another hand) or ``shared``. *silent_on*: rules
    whose exception the source does not write down.
    """

    name: str
    source: str
    players: tuple[int, ...] = (4,)
    removed: Mapping[int, tuple[Card, ...]] | None = None
    pass_cycle: Mapping[int, tuple[str, ...]] | None = None
    pass_count: int = 3
    hearts_break: Literal["discarded", "played"] = "played"
    queen_breaks: bool = False
    moon: Literal["others", "self"] = "others"
    queen: int = 13
    target: int = 100
    hands: int | None = None
    tie: Literal["play_on", "shared"] = "shared"
    silent_on: tuple[str, ...] = ()

    OPTIONS = ("pass_count", "hearts_break", "queen_breaks", "moon", "queen", "target", "hands", "tie")

    def deck(self, players: int) -> Cards:
        return FULL_DECK & ~cards_of((self.removed or {}).get(players, ()))

    def sides(self, players: int) -> tuple[str, ...]:
        return tuple(str(seat) for seat in range(players))

    def pass_direction(self, players: int, scored: int) -> str | None:
        cycle = (self.pass_cycle or {}).get(players)
        return cycle[scored % len(cycle)] if cycle else None

    def opening(self, deck: Cards) -> Card | None:
        return next(each(deck & OF_SUIT["C"]), None)

    def forbidden(self, moment: Moment, card: Card) -> str | None:
        if moment.trick == 1 and moment.led is None and card != self.opening(moment.deck):
            return "opening"
        return None

    def claims(self, moment: Moment, card: Card) -> tuple[Claim, ...]:
        if moment.led is None:
            if card.suit == "H" and not moment.broken and moment.trick > 1:
                return ((moment.deck & ~OF_SUIT["H"], "hearts-not-broken"),)
            return ()
        led = OF_SUIT[moment.led.suit]
        if card.bit & led:
            return ()
        follow: Claim = (moment.deck & led, "follow-suit")
        if moment.trick == 1 and card.bit & _POINT_CARDS:
            return (moment.deck & ~_POINT_CARDS & ~led, "first-trick-points"), follow
        return (follow,)

    def breaks(self, moment: Moment, card: Card) -> bool:
        if card == QUEEN_OF_SPADES:
            return self.queen_breaks
        if card.suit != "H":
            return False
        discarded = moment.led is not None and moment.led.suit != "H"
        return discarded or self.hearts_break == "played"

    def breakable(self, card: Card) -> bool:
        return card.suit == "H"

    @property
    def broken_event(self) -> str:
        return "hearts-broken"

    def wins(self, led: Card, card: Card) -> int:
        return 1 + card.index if card.suit == led.suit else 0

    def points(self, cards: Cards) -> int:
        queen = self.queen if cards & QUEEN_OF_SPADES.bit else 0
        return (cards & OF_SUIT["H"]).bit_count() + queen

    @property
    def points_in_hand(self) -> int:
        return 13 + self.queen

    @property
    def bidding(self) -> bool:
        return False

    def opener(self, dealer: Seat, players: int) -> Seat | None:
        return None

    def timed_out(self, moment: Moment, card: Card) -> tuple[Claim, ...]:
        return ()

    def score(self, hand: Played) -> HandResult:
        taken = hand.taken
        shooter = next((seat for seat, points in taken.items() if points == self.points_in_hand), None)
        if shooter is None:
            return HandResult({str(seat): points for seat, points in taken.items()})
        if self.moon == "self":
            points = {str(seat): -self.points_in_hand if seat == shooter else 0 for seat in taken}
        else:
            points = {str(seat): 0 if seat == shooter else self.points_in_hand for seat in taken}
        return HandResult(points, {"seat": shooter, "choice": self.moon})

    def ended(self, totals: Mapping[str, int], hands: int) -> str | None:
        if self.hands is not None and hands >= self.hands:
            return "hands"
        if max(totals.values()) < self.target:
            return None
        lowest = min(totals.values())
        alone = sum(total == lowest for total in totals.values()) == 1
        return "target" if alone or self.tie == "shared" else None

    def places(self, totals: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
        ranked = sorted(set(totals.values()))
        return tuple(tuple(side for side, total in totals.items() if total == value) for value in ranked)

    def silent(self, rule: str) -> bool:
        return rule in self.silent_on

    def with_options(self, options: Mapping[str, Any]) -> Hearts:
        complaints = [
            f"{name}: {reason}" for name, value in options.items() if (reason := self._refuse(name, value)) is not None
        ]
        if complaints:
            raise ValueError("; ".join(complaints))
        return replace(self, **options)

    def _refuse(self, name: str, value: object) -> str | None:
        if name not in self.OPTIONS:
            return f"no such option; known are {', '.join(self.OPTIONS)}"
        choices = {
            "hearts_break": ("discarded", "played"),
            "moon": ("others", "self"),
            "tie": ("play_on", "shared"),
            "queen_breaks": (True, False),
        }.get(name)
        if choices is not None:
            return (
                None if value in choices and isinstance(value, type(choices[0])) else f"{value!r} is none of {choices}"
            )
        if name == "hands" and value is None:
            return None
        least, most = {"pass_count": (1, 7), "queen": (1, 100), "target": (1, 10_000), "hands": (1, 1000)}[name]
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            return f"{value!r} is not a whole number from {least} to {most}"
        return None


_POINT_CARDS: Cards = OF_SUIT["H"] | QUEEN_OF_SPADES.bit
SWITCHES = tuple(f.name for f in fields(Hearts))
