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


SHOWN_TO_ALL = {
    "trick": "the trick in progress",
    "counts": "how many cards each player holds",
    "points": "the points of the hand so far",
    "totals": "the points of the match",
    "direction": "where cards are passed",
    "broken": "whether the suit that must be broken is broken",
    "tricks": "the tricks before",
}

PUBLIC = tuple(SHOWN_TO_ALL)
"""What a table may show to everybody."""

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
    """A hand that is over, as far as a score depends on it: the points of the cards that each seat has *taken*, those
    *cards* (None where only the points were told), the *tricks* it has won, its *bid*; the offences that stand, as seat
    and rule, in the order in which they were found; how many *hands* were scored before it, with the *totals* and the
    *bags* of each side then; and what the shooter of a moon *chose*, if anything."""

    taken: Mapping[Seat, int]
    tricks: Mapping[Seat, int] = field(default_factory=dict)
    bids: Mapping[Seat, Bid] = field(default_factory=dict)
    offences: tuple[tuple[Seat, str], ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    bags: Mapping[str, int] = field(default_factory=dict)
    chose: str | None = None
    cards: Mapping[Seat, Cards] | None = None
    hands: int = 0


@dataclass(frozen=True, slots=True)
class HandResult:
    """What a hand scores: *points* by side; the seat that shot the *moon* with what it chose, or None; in a game of
    partners *sides*, what the event ``hand`` says of each (bid, tricks, score, bags, total); and the *bags* that each
    carries on. *choice*: what the shooter of a moon must still choose from, before anything is scored; *moon* is then
    the seat alone."""

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
        """What playing *card* now denies holding; the most specific rule first."""

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

    @property
    def pauses(self) -> Mapping[str, float]:
        """The seconds that the table waits after a ``trick`` and after a ``hand``."""

    @property
    def public(self) -> tuple[str, ...]:
        """What everybody at the table may see, of ``PUBLIC``."""

    def with_options(self, options: Mapping[str, Any]) -> Game:
        """This game with the table's own switches. Raises ValueError that names every bad one."""


Rulebook = Mapping[str, Game]
"""The rule sets by name."""

BASE = "base"
"""The option by which a match says that its rules are a table's own, and which rule set they change."""


def game_of(rulebook: Rulebook, rules: str, options: Mapping[str, Any] | None) -> Game:
    """The game of a match by its name and its options. A table's own rule set is no part of the rulebook: its match
    says all of it, the ``base`` and what differs, so that it can be played again where nobody has the file any more.
    Raises ValueError that says what is wrong."""
    changes = dict(options or {})
    base = changes.pop(BASE, None)
    if base is not None and rules in rulebook:
        raise ValueError(f"rules: {rules} is a rule set of tablepi: give one with a base of its own another name")
    game = rulebook.get(rules if base is None else base) if isinstance(base, str | None) else None
    if game is None:
        what = f"rules: no rule set {rules!r}" if base is None else f"options: base: no rule set {base!r}"
        raise ValueError(f"{what}: known are {', '.join(sorted(rulebook))}")
    try:
        return game.with_options(changes)
    except ValueError as error:
        raise ValueError(f"options: {error}") from None


def legal_cards(game: Game, moment: Moment, hand: Cards) -> Cards:
    """The cards of a known *hand* that may be played now."""
    legal = 0
    for card in each(hand):
        if game.forbidden(moment, card) is None and not any(denied & hand for denied, _ in game.claims(moment, card)):
            legal |= card.bit
    return legal
