"""What the facts so far come to: the match, the deal in play, the scores, the questions; and the lines that tell it.

Only types and the plainest lines are here. What changes them is in ``match`` (plays and questions), ``passing`` and
``scoring``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import facts as f
from .cards import Card, Cards, Seat
from .facts import Fact
from .judge import SOMEONE, Felt, Finding, Laid
from .rules import Bid, Game, Played, Rulebook

Line = Mapping[str, Any]
"""One ruling, question or event, as the contract writes it."""

Lines = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the table asks. *n* is the fact that raised it, *of* the fact it asks about, *other* the fact of
    the other card where two are compared. *candidates* are cards, or seats where *ask* is ``seat``. *card* is the one
    that lies on the pile, where nobody was seen to lay it."""

    id: str
    n: int
    of: int
    seat: Seat | None
    ask: str
    why: str
    candidates: tuple[Card | Seat, ...]
    other: int | None = None
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class PassedOn:
    """What one seat passed: *cards* where they were seen, and how many."""

    seat: Seat
    cards: Cards | None
    count: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A sighting that is not steady yet, and the time when it will be."""

    due: float
    item: Item

    @property
    def where(self) -> tuple[Card | None, Seat | None]:
        return getattr(self.item.fact, "card", None), getattr(self.item.fact, "seat", None)


@dataclass(frozen=True, slots=True)
class Exchanging:
    """What a seat gave to its partner: *cards* where they were seen, and how many where they were counted; or that it
    *declined* the exchange that it had asked for."""

    seat: Seat
    cards: Cards | None
    count: int | None
    declined: bool = False


@dataclass(frozen=True, slots=True)
class Auction:
    """The bids of a hand by seat, in the order in which they came, and who has given cards in an exchange.

    *turn* is the seat that is to bid, None when all have; *giving* the seat that is to give cards now, the one that bid
    blind nil first, then its partner.
    """

    bids: Mapping[Seat, Bid]
    turn: Seat | None
    giving: Seat | None = None
    given: tuple[Exchanging, ...] = ()

    @property
    def awaited(self) -> Seat | None:
        """The seat that is to bid or to give cards; None when nothing more is awaited."""
        return self.turn if self.turn is not None else self.giving

    def gave(self, seat: Seat) -> Exchanging | None:
        return next((given for given in self.given if given.seat == seat), None)


@dataclass(frozen=True, slots=True)
class Choice:
    """The shooter of a moon, and what it may choose from, before hand *hand* is scored."""

    seat: Seat
    of: tuple[str, ...]
    hand: int


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal. *phase* is ``passing``, ``bidding`` (an exchange included), ``playing``, ``choosing`` (what a moon
    does) or ``over``; *dealt* are the cards known as dealt, by seat; *auction* its bids, where the game has them;
    *played* what it came to once it is played; *timed_out* the seats whose next card is laid because their time has run
    out.

    *pending* are offences that another history still explains, *settled* those that stand. *lifted* are facts whose
    card has left the felt, *freed* those of them that nobody had played over; *waiting* are sightings that are not
    steady yet, with the time when they will be. *taken* are the cards that were laid and taken back since the last one
    that stays, with the fact that took each back.
    """

    number: int
    dealer: Seat
    direction: str | None
    phase: str
    dealt: tuple[Cards, ...]
    felt: Felt
    passes: tuple[PassedOn, ...] = ()
    pending: tuple[Finding, ...] = ()
    settled: tuple[Finding, ...] = ()
    lifted: tuple[int, ...] = ()
    freed: tuple[int, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    taken: tuple[tuple[Laid, int], ...] = ()
    auction: Auction | None = None
    played: Played | None = None
    timed_out: tuple[Seat, ...] = ()

    @property
    def done(self) -> bool:
        """Whether all its cards have been laid, or the players have agreed how it ends."""
        return self.phase == "over" or self.played is not None

    @property
    def all_passed(self) -> bool:
        """Whether every seat has told what it passed, though nobody has said that the passing is over."""
        return self.phase == "passing" and len({each.seat for each in self.passes}) == self.felt.players

    def pass_of(self, seat: Seat) -> PassedOn | None:
        return next((p for p in self.passes if p.seat == seat), None)


@dataclass(frozen=True, slots=True)
class Score:
    """A scored hand: its deal number, what each side scored, the totals after it, and the moon, if any. In a game of
    partners *sides* is what the event ``hand`` says of each, *bags* what each carries on."""

    hand: int
    points: Mapping[str, int]
    totals: Mapping[str, int]
    moon: Mapping[str, Any] | None
    sides: Mapping[str, Mapping[str, int]] | None = None
    bags: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended: *places* best first, the final *totals*, and the *reason*."""

    places: tuple[tuple[str, ...], ...]
    totals: Mapping[str, int]
    reason: str

    @property
    def winners(self) -> tuple[str, ...]:
        return self.places[0] if self.places else ()


@dataclass(frozen=True, slots=True)
class State:
    """What the facts so far come to. *lost* are the devices that are missing, each with the reason that it gave, the
    latest last; so are *strangers*, tags that no deck file knows; *left* are the seats whose players have left, the
    first to leave first; *choice* is what the shooter of a moon is asked."""

    rulebook: Rulebook
    match: f.Match | None = None
    game: Game | None = None
    deals: int = 0
    scores: tuple[Score, ...] = ()
    deal: Deal | None = None
    next_dealer: Seat = 0
    result: Result | None = None
    questions: tuple[Question, ...] = ()
    lost: tuple[tuple[str, str | None], ...] = ()
    strangers: tuple[str, ...] = ()
    left: tuple[Seat, ...] = ()
    choice: Choice | None = None

    @property
    def players(self) -> tuple[str, ...]:
        return self.match.players if self.match is not None else ()

    @property
    def totals(self) -> Mapping[str, int]:
        """The totals of the sides after the scored hands."""
        if self.scores:
            return self.scores[-1].totals
        return dict.fromkeys(self.game.sides(len(self.players)), 0) if self.game is not None else {}

    @property
    def felt(self) -> Felt | None:
        """The felt of the deal in play."""
        return self.deal.felt if self.deal is not None and self.deal.phase == "playing" else None


@dataclass(frozen=True, slots=True)
class Item:
    """A fact as it counts: corrected already; its card made *sure* by a person or a tag, or its seat (*seated*), or
    that none before it is missing (*unbroken*); taken back by fact *annulled* (*hole*: its place stays open); *unread*
    (its card is not what was read), *mute* (it only revises others), *excused* (see ``Laid``), a *look* at the card of
    that fact, and what it *said*.

    A card that fills a place left open counts there, *late*, if the place is still open when the past is derived again;
    else where it came, as the *spare* item of the same fact."""

    n: int
    fact: Fact
    sure: bool = False
    seated: bool = False
    unbroken: bool = False
    annulled: int = 0
    hole: bool = False
    unread: bool = False
    mute: bool = False
    look: int | None = None
    excused: bool = False
    late: bool = False
    spare: bool = False
    said: Lines = ()


Answer = tuple[State, Lines]


# --- lines ---------------------------------------------------------------------------------------------------------


def turn(state: State) -> Lines:
    """Whose turn it is, as an event: to bid, to give cards in an exchange, or to play; before the opening card the
    card, and nothing when no hand is in play."""
    felt, deal = state.felt, state.deal
    if deal is not None and deal.phase == "bidding" and deal.auction is not None:
        awaited = deal.auction.awaited
        return () if awaited is None else ({"event": "turn", "hand": deal.number, "seat": awaited},)
    if felt is None or deal is None or felt.complete:
        return ()
    line: dict[str, Any] = {"event": "turn", "hand": deal.number, "seat": felt.turn}
    opening = felt.game.opening(felt.deck)
    if not felt.trick and felt.number == 1 and felt.leader is None and opening is not None:
        line["card"] = str(opening)
    return (line,)


def offence(finding: Finding) -> Line:
    """How a later line names the offence."""
    return {"n": finding.n, "trick": finding.trick, "card": str(finding.card), "rule": finding.rule}


def verdict_line(finding: Finding) -> Line:
    """An offence in the audit of a hand; of someone's the seats that it may have been."""
    if finding.how == SOMEONE:
        return {"seats": list(finding.seats), "n": finding.n, "trick": finding.trick, "how": SOMEONE}
    return {"seat": finding.seat, **offence(finding), "how": finding.how}


def cleared(hand: int, n: int, finding: Finding) -> Line:
    """The line for a pending offence that was none."""
    return {"ruling": "cleared", "n": n, "hand": hand, "seat": finding.seat, "offence": offence(finding)}


def ignored(state: State, n: int, fact: Fact, reason: str, *, because: str | None = None) -> Line:
    """The line for a fact that makes no sense now."""
    deal = state.deal
    line: dict[str, Any] = {
        "ruling": "ignored",
        "n": n,
        "hand": deal.number if deal is not None else None,
        "trick": deal.felt.number if deal is not None and deal.phase == "playing" else None,
        "seat": getattr(fact, "seat", None),
    }
    for name in ("card", "device", "uid"):
        value = getattr(fact, name, None)
        if value is not None:
            line[name] = str(value)
    line |= {"rules": [], "fact": fact.kind, "reason": reason}
    if because is not None:
        line["because"] = because
    return line


def withdrawn(state: State, n: int, laid: Laid, number: int | None) -> Line:
    """The line for a card taken back."""
    deal = state.deal
    return {
        "ruling": "withdrawn",
        "n": n,
        "of": laid.n,
        "hand": deal.number if deal is not None else None,
        "trick": number,
        "seat": laid.seat,
        "card": str(laid.card) if laid.card is not None else None,
    }
