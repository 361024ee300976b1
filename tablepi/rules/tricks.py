"""The one small shape that every trick-taking game has here.

The table, the judge and the views know a game only by ``Game``. A legality rule of a trick game always says: *this card
may be played only from a hand without certain others*. So a game answers with **claims**: which cards a play denies
holding, and under which rule. Known hands settle a claim at once; unknown hands leave it standing until a denied card
turns up. The legal cards of a known hand follow from the same claims, so there is one source of legality.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..cards import Card, Cards, Seat, each


@dataclass(frozen=True, slots=True)
class Moment:
    """When a card is laid: the trick's number from 1, the card that was led (None: this card leads), whether the suit
    that must be broken (hearts in Hearts) is broken, and the deck in play."""

    trick: int
    led: Card | None
    broken: bool
    deck: Cards


Claim = tuple[Cards, str]
"""Cards that a play denies holding, and the rule under which it does."""


@dataclass(frozen=True, slots=True)
class Bid:
    """How many *tricks* a seat says that it takes: 1 or more, or 0 for a *nil* (``nil`` or ``blind-nil``). *exchange*:
    a blind nil that asks its partner for cards."""

    tricks: int
    nil: str | None = None
    exchange: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that is over, as far as a score depends on it: the points of the cards that each seat has *taken*, the
    *tricks* it has won, its *bid*; the offences that stand, as seat and rule, in the order in which they were found;
    the *totals* and the *bags* of each side before it; and what the shooter of a moon *chose*, if anything."""

    taken: Mapping[Seat, int]
    tricks: Mapping[Seat, int] = field(default_factory=dict)
    bids: Mapping[Seat, Bid] = field(default_factory=dict)
    offences: tuple[tuple[Seat, str], ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    bags: Mapping[str, int] = field(default_factory=dict)
    chose: str | None = None


@dataclass(frozen=True, slots=True)
class HandResult:
    """What a hand scores: *points* by side; the seat that shot the *moon* with what it chose, or None; in a game of
    partners *sides*, what the event ``hand`` says of each (bid, tricks, score, bags, total); and the *bags* that each
    carries on. *choice*: what the shooter of a moon must still choose from, before anything is scored."""

    points: Mapping[str, int]
    moon: Mapping[str, Any] | None = None
    sides: Mapping[str, Mapping[str, int]] | None = None
    bags: Mapping[str, int] | None = None
    choice: tuple[str, ...] = ()


class Game(Protocol):
    """A game under one rule set. Everything is a pure function of its arguments."""

    @property
    def name(self) -> str:
        """The rule set's name."""

    @property
    def source(self) -> str:
        """The document that it follows."""

    @property
    def players(self) -> tuple[int, ...]:
        """The player counts it can be played with."""

    def deck(self, players: int) -> Cards:
        """The cards in play."""

    def sides(self, players: int) -> tuple[str, ...]:
        """The sides that score, as keys: ``"0"``, or ``"0-2"`` for partners."""

    def pass_direction(self, players: int, scored: int) -> str | None:
        """Where cards go after *scored* hands: ``left``, ``right``, ``across``, ``hold``…; None: no passing."""

    @property
    def pass_count(self) -> int:
        """How many cards each passes."""

    def opening(self, deck: Cards) -> Card | None:
        """The card that must open the first trick, whoever holds it; None when a seat opens."""

    def forbidden(self, moment: Moment, card: Card) -> str | None:
        """The rule that *card* breaks now whatever the hands are, or None."""

    def claims(self, moment: Moment, card: Card) -> tuple[Claim, ...]:
        """What playing *card* now denies holding; the most specific rule first, the denied sets disjoint."""

    def breaks(self, moment: Moment, card: Card) -> bool:
        """Whether *card* breaks the suit that must be broken."""

    def breakable(self, card: Card) -> bool:
        """Whether *card* is of the suit that must be broken."""

    @property
    def broken_event(self) -> str:
        """The event that says so: ``hearts-broken``."""

    def wins(self, led: Card, card: Card) -> int:
        """How high *card* stands in a trick that *led* opened; 0 can never win."""

    def points(self, cards: Cards) -> int:
        """The points that the cards of a trick or of a pile are worth."""

    @property
    def points_in_hand(self) -> int:
        """The points that all tricks of a hand are worth together."""

    @property
    def bidding(self) -> bool:
        """Whether a hand begins with bids."""

    def opener(self, dealer: Seat, players: int) -> Seat | None:
        """The seat that leads the first trick; None where a card opens."""

    def timed_out(self, moment: Moment, card: Card) -> tuple[Claim, ...]:
        """What laying *card* for a seat whose time has run out denies holding, besides ``claims``."""

    def score(self, hand: Played) -> HandResult:
        """What a hand scores, or what has to be chosen first."""

    def ended(self, totals: Mapping[str, int], hands: int) -> str | None:
        """Why the match is over after *hands* scored hands (``target``, ``hands``), or None."""

    def places(self, totals: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
        """The sides by place, best first; equal sides share a place."""

    def silent(self, rule: str) -> bool:
        """Whether the source has no rule for the exception that was used to allow a play under *rule*."""

    def with_options(self, options: Mapping[str, Any]) -> Game:
        """This game with the table's own switches. Raises ValueError that names every bad one."""


Rulebook = Mapping[str, Game]
"""The rule sets by name."""


def legal_cards(game: Game, moment: Moment, hand: Cards) -> Cards:
    """The cards of a known *hand* that may be played now."""
    legal = 0
    for card in each(hand):
        if game.forbidden(moment, card) is None and not any(denied & hand for denied, _ in game.claims(moment, card)):
            legal |= card.bit
    return legal
