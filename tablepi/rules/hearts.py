"""Hearts under a rule set's switches. Each switch's source is in its preset file and in the rule matrix.

Deviations from the words, as settled: a hand of nothing but points may play one on the first trick in every preset, and
a hand of nothing but hearts may lead one; where the source has no such exception the ruling says so (``silent``).
An illegally played heart opens hearts for everyone (good faith), so breaking does not ask whether a play was legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from ..cards import FULL_DECK, OF_SUIT, RANKS, Card, Cards, Seat, card, cards_of, each
from . import switches as s
from .switches import Impossible, Place, Switch
from .tricks import PUBLIC, SHOWN_TO_ALL, Claim, HandResult, Moment, Played

QUEEN_OF_SPADES = card("QS")
DIRECTIONS = {
    "left": "to the next player, clockwise",
    "right": "to the player before",
    "across": "to the player opposite",
    "hold": "nothing is passed",
    "left-2": "to the second player, clockwise",
    "right-2": "to the second player before",
}
CARD_RULES = ("opening", "follow-suit", "first-trick-points", "hearts-not-broken", "lowest-card")
"""The rules about which card may be laid: breaking one is what the switch ``illegal`` punishes."""

_FIRST_PASSED = (card("QS"), card("AS"), card("KS"))


@dataclass(frozen=True, slots=True)
class Hearts:
    """One Hearts rule set. The fields are the switches of the preset files.

    *removed*, *pass_cycle*: by player count. *opens*: the card that opens, None: the lowest club in the deck.
    *first_trick_points*: ``unless_only`` (from a hand of nothing but points) or ``allowed``. *hearts_break*:
    ``discarded`` (only a heart thrown on another suit breaks) or ``played``; *lead_breaks*: one that is led breaks too
    where else only a discarded one does; *queen_breaks*: so does the queen of spades.

    *moon*: ``others`` (each gets the points), ``self`` (they are taken off the shooter's), ``choice`` (of the shooter),
    or ``auto`` (what is better for the shooter). *sun*: all tricks are the ``moon`` and nothing more, or ``double`` it.
    *values*: what cards are worth; the moon is all cards that are worth more than 0.

    *target* and *hands* end the match, *tie* says whether a tie for the lowest total means another hand (``play_on``)
    or a ``shared`` place. *timeouts*: the seconds for a ``play`` and for a ``pass``, where they are set; None: there
    are no time-outs. *leaving*: who leaves is played for, and ranked last. *pauses*: seconds after a ``trick`` and a
    ``hand``. *public*: what everybody may see (``PUBLIC``). *illegal*: a card against the rules is only on
    ``record``; or its player gets ``26`` and the others nothing; or the points of the ``whole-hand``, which annuls
    another's moon. *silent_on*: rules whose exception the source does not write down.
    """

    name: str
    source: str
    players: tuple[int, ...] = (4,)
    removed: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    pass_cycle: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    pass_count: int = 3
    opens: Card | None = None
    first_trick_points: Literal["unless_only", "allowed"] = "unless_only"
    hearts_break: Literal["discarded", "played"] = "played"
    lead_breaks: bool = True
    queen_breaks: bool = False
    moon: Literal["others", "self", "choice", "auto"] = "others"
    sun: Literal["moon", "double"] = "moon"
    values: Mapping[Card, int] = field(default_factory=lambda: dict(s.points_by_card({"hearts": 1, "QS": 13})))
    target: int = 100
    hands: int | None = None
    tie: Literal["play_on", "shared"] = "shared"
    timeouts: Mapping[str, float | None] | None = None
    leaving: bool = False
    pauses: Mapping[str, float] = field(default_factory=dict)
    public: tuple[str, ...] = PUBLIC
    illegal: Literal["record", "26", "whole-hand"] = "record"
    silent_on: tuple[str, ...] = ()
    # Made of the values: the cards of each worth, and those that are worth more than 0.
    worth: tuple[tuple[Cards, int], ...] = field(init=False, repr=False, compare=False)
    point_cards: Cards = field(init=False, repr=False, compare=False)

    SWITCHES: ClassVar[Mapping[str, Switch]] = {
        "players": Switch(s.counts, "how many can play"),
        "removed": Switch(
            s.by_key(s.players, s.some_cards, example="{5: 2D 2C}"),
            "the cards that are taken out of the pack, so that it divides; what is said of a number of players stands "
            "in place of what the base says of it, and other numbers stay as they are there",
            merges=True,
        ),
        "pass_cycle": Switch(
            s.by_key(
                s.players,
                s.list_of(s.one_of(DIRECTIONS), example="[left, right, across, hold]"),
                example="{3: [left, right, hold]}",
            ),
            "where cards are passed, hand by hand and then from the beginning; numbers of players that are not "
            "written stay as in the base",
            merges=True,
        ),
        "pass_count": Switch(
            s.whole(1, 26), "how many cards each player passes (pass_cycle: {4: [hold]} where none is passed)"
        ),
        "opening": Switch(
            s.card_or("lowest-club"),
            "the card that must open the first trick; lowest-club is the lowest one in the pack",
            field="opens",
            nothing="lowest-club",
        ),
        "first_trick_points": Switch(
            s.one_of(
                {
                    "unless_only": "only from a hand that has nothing but points",
                    "allowed": "by whoever cannot follow suit",
                }
            ),
            "whether a card of points may be laid on the first trick",
        ),
        "hearts_break": Switch(
            s.one_of(
                {
                    "discarded": "one that is laid on another suit (see lead_breaks for one that is led)",
                    "played": "any, also one that is led",
                }
            ),
            "which heart breaks hearts, so that hearts may be led from then on",
        ),
        "lead_breaks": Switch(
            s.yes_or_no, "whether a heart that is led breaks hearts, too, where hearts_break is discarded"
        ),
        "queen_breaks": Switch(s.yes_or_no, "whether the queen of spades breaks hearts, too"),
        "moon": Switch(
            s.one_of(
                {
                    "others": "each of the others gets the points, the shooter none",
                    "self": "the points are taken off the shooter's total, the others get none",
                    "choice": "the shooter says which of the two",
                    "auto": "others, unless that ends the match with the shooter not first",
                }
            ),
            "what it scores to take every card that is worth more than 0",
        ),
        "sun": Switch(
            s.one_of({"moon": "no more than the moon", "double": "twice the moon"}), "what it scores to take all tricks"
        ),
        "values": Switch(
            s.points_by_card,
            "what cards are worth; a card that is not written is worth what it is in the base (QS: 0 takes the points "
            "of a card away)",
            merges=True,
        ),
        "target": Switch(s.whole(1, 10_000), "the total that ends the match once somebody has it"),
        "hands": Switch(
            s.or_nothing(s.whole(1, 1000)),
            "the number of hands after which the match is over, if the target has not ended it before",
        ),
        "tie": Switch(
            s.one_of({"play_on": "another hand is played", "shared": "the match is over, the place is shared"}),
            "what comes of several lowest totals when the target is reached",
        ),
        "timeouts": Switch(
            s.or_nothing(
                s.by_key(
                    s.one_of({"play": "for a card", "pass": "for the cards that are passed"}),
                    s.or_nothing(s.seconds),
                    example="{play: 30, pass: 60}",
                )
            ),
            "the time that a player has; null for one of them: a person says when it is up, null for both: there are "
            "no time-outs",
            merges=True,
        ),
        "leaving": Switch(s.yes_or_no, "whether a player may leave: the seat is played for, and ranked last"),
        "pauses": Switch(
            s.by_key(
                s.one_of({"trick": "after a trick", "hand": "after a hand"}), s.seconds, example="{trick: 2, hand: 5}"
            ),
            "how long the table waits; 0 for not at all, and what is not written stays as in the base",
            merges=True,
        ),
        "public": Switch(
            s.list_of(s.one_of(SHOWN_TO_ALL), example="[trick, points, totals]"), "what the display shows to everybody"
        ),
        "illegal": Switch(
            s.one_of(
                {
                    "record": "nothing, it is only kept on record",
                    "26": "its player gets 26 points, the others 0 that hand",
                    "whole-hand": "its player gets the points of the whole hand, the others 0; another's moon is void",
                }
            ),
            "what a card that was laid against the rules, and not taken back, costs when the hand is scored",
        ),
        "silent_on": Switch(
            s.list_of(
                s.one_of(
                    {
                        "first-trick-points": "points on the first trick from a hand of nothing but points",
                        "hearts-not-broken": "hearts led from a hand of nothing but hearts",
                    }
                ),
                example="[first-trick-points]",
            ),
            "the exceptions for which the ruling says that the source has no rule; it changes no ruling",
        ),
    }

    def __post_init__(self) -> None:
        worth: dict[int, Cards] = {}
        for each_card, value in self.values.items():
            if value:
                worth[value] = worth.get(value, 0) | each_card.bit
        object.__setattr__(self, "worth", tuple((cards, value) for value, cards in worth.items()))
        object.__setattr__(self, "point_cards", cards_of(c for c, value in self.values.items() if value > 0))

    # --- the deal and the pass ---

    def deck(self, players: int) -> Cards:
        return FULL_DECK & ~cards_of(self.removed.get(players, ()))

    def sides(self, players: int) -> tuple[str, ...]:
        return tuple(str(seat) for seat in range(players))

    def pass_direction(self, players: int, scored: int) -> str | None:
        cycle = self.pass_cycle.get(players)
        return cycle[scored % len(cycle)] if cycle else None

    def to_pass(self, hand: Cards) -> tuple[Card, ...]:
        """The cards of *hand* in the order in which they go when the time for passing has run out (002, line 29): the
        queen, ace and king of spades, the hearts from the top, then the highest; equal ranks spades before diamonds
        before clubs, as settled."""
        return tuple(sorted(each(hand), key=_passed_first))

    @property
    def bidding(self) -> bool:
        return False

    # --- what may be laid ---

    def opening(self, deck: Cards) -> Card | None:
        return self.opens or next(each(deck & OF_SUIT["C"]), None)

    def opener(self, dealer: Seat, players: int) -> Seat | None:
        return None

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
        if moment.trick == 1 and card.bit & self.point_cards and self.first_trick_points == "unless_only":
            return (moment.deck & ~self.point_cards & ~led, "first-trick-points"), follow
        return (follow,)

    def timed_out(self, moment: Moment, card: Card) -> tuple[Claim, ...]:
        """*card* denies every card that could have been laid instead and comes before it: no points before points, then
        the lower rank, then clubs, diamonds, spades, hearts (002, line 28; the order of suits as settled)."""
        denied: Cards = 0
        for cards, _ in self.claims(moment, card):
            denied |= cards
        mine, lower = self._lowest_first(card), 0
        for other in each(moment.deck & ~denied & ~card.bit):
            if self._lowest_first(other) < mine and self._could_be_laid(moment, other, beside=card):
                lower |= other.bit
        return ((lower, "lowest-card"),) if lower else ()

    def _lowest_first(self, card: Card) -> tuple[bool, int, int]:
        return bool(card.bit & self.point_cards), RANKS.index(card.rank), "CDSH".index(card.suit)

    def _could_be_laid(self, moment: Moment, card: Card, *, beside: Card) -> bool:
        """Whether a hand that holds *beside*, too, may lay *card*."""
        return self.forbidden(moment, card) is None and not any(
            beside.bit & cards for cards, _ in self.claims(moment, card)
        )

    def breaks(self, moment: Moment, card: Card) -> bool:
        if card == QUEEN_OF_SPADES:
            return self.queen_breaks
        if card.suit != "H":
            return False
        if self.hearts_break == "played":
            return True
        return self.lead_breaks if moment.led is None else moment.led.suit != "H"

    def breakable(self, card: Card) -> bool:
        return card.suit == "H"

    @property
    def broken_event(self) -> str:
        return "hearts-broken"

    def silent(self, rule: str) -> bool:
        return rule in self.silent_on

    # --- what it scores ---

    def wins(self, led: Card, card: Card) -> int:
        return 1 + card.index if card.suit == led.suit else 0

    def points(self, cards: Cards) -> int:
        return sum((cards & those).bit_count() * value for those, value in self.worth)

    @property
    def points_in_hand(self) -> int:
        return self.points(FULL_DECK)

    def score(self, hand: Played) -> HandResult:
        guilty = {seat for seat, rule in hand.offences if rule in CARD_RULES} if self.illegal != "record" else ()
        if guilty:
            penalty = 26 if self.illegal == "26" else self.points_in_hand
            return HandResult({str(seat): penalty if seat in guilty else 0 for seat in hand.taken})
        shooter = self._shooter(hand)
        if shooter is None:
            return HandResult({str(seat): points for seat, points in hand.taken.items()})
        choice = hand.chose or self.moon
        if choice == "choice":
            return HandResult({}, {"seat": shooter}, choice=("self", "others"))
        if choice == "auto":
            choice = self._better(hand, shooter)
        return HandResult(self._moon(hand, shooter, choice), {"seat": shooter, "choice": choice})

    def _shooter(self, hand: Played) -> Seat | None:
        """The seat that has taken every card worth more than 0. Where only points are known (a hand that ended by
        agreement), the one that has all of them, the bonus cards in or out."""
        every = self.points(self.point_cards)
        for seat, taken in hand.taken.items():
            if hand.cards is not None:
                if self.point_cards and not self.point_cards & ~hand.cards[seat]:
                    return seat
            elif every and (taken == every or (taken == self.points_in_hand and _none_but(seat, hand.taken))):
                return seat
        return None

    def _moon(self, hand: Played, shooter: Seat, choice: str) -> dict[str, int]:
        """What a moon scores; bonus cards count for whoever has taken them (omnibus: the moon is without J♦)."""
        every = self.points(self.point_cards)
        size = every * 2 if self.sun == "double" and _none_but(shooter, hand.tricks) else every
        scored = {}
        for seat, taken in hand.taken.items():
            bonus = taken - every if seat == shooter else taken
            moon = (-size if choice == "self" else 0) if seat == shooter else (0 if choice == "self" else size)
            scored[str(seat)] = moon + bonus
        return scored

    def _better(self, hand: Played, shooter: Seat) -> str:
        """26 to the others, unless that ends the match with the shooter not first: then 26 off the shooter's own."""
        points = self._moon(hand, shooter, "others")
        totals = {side: hand.totals.get(side, 0) + scored for side, scored in points.items()}
        lost = self.ended(totals, hand.hands + 1) is not None and str(shooter) not in self.places(totals)[0]
        return "self" if lost else "others"

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

    # --- its switches ---

    def with_options(self, options: Mapping[str, Any]) -> Hearts:
        return s.with_switches(self, options)

    def impossible(self, unread: Collection[Place] = ()) -> Iterator[Impossible]:
        """As ``HasSwitches`` has it. Numbers of players that cannot be read are no reason to leave anything out."""

        def known(switch: str, players: int | None = None) -> bool:
            return (switch,) not in unread and (switch, str(players)) not in unread

        packs = [players for players in self.players if known("removed", players)]
        for players in packs:
            yield from self._no_pack(players, opening_known=known("opening"))
        if known("opening"):
            yield from self._opens_nowhere(packs)
        for players in self.players:
            yield from self._no_way_to_pass(players, cycle_known=known("pass_cycle", players))
        if known("pass_count"):
            yield from self._too_many_passed()
        if known("values"):
            yield from self._points_removed(packs)

    def _no_pack(self, players: int, *, opening_known: bool) -> Iterator[Impossible]:
        deck, key = self.deck(players), str(players)
        over = deck.bit_count() % players
        if over:
            at_fault = ("removed", "players") if players in self.removed else ("players", "removed")
            text = f"{deck.bit_count()} cards do not divide among {players} players: remove {over} more, or fewer"
            yield Impossible(at_fault, text, key)
        if opening_known and self.opening(deck) is None:
            yield Impossible(("removed", "opening"), f"no club is left to open with {players} players", key)

    def _opens_nowhere(self, packs: Iterable[int]) -> Iterator[Impossible]:
        opens = self.opens
        without = [players for players in packs if opens is not None and not opens.bit & self.deck(players)]
        if without:
            key = str(without[0]) if len(without) == 1 else None
            text = f"{opens} opens, but is not in the deck of {', '.join(map(str, without))} players"
            yield Impossible(("opening", "removed"), text, key)

    def _no_way_to_pass(self, players: int, *, cycle_known: bool) -> Iterator[Impossible]:
        cycle, key = self.pass_cycle.get(players, ()), str(players)
        if not cycle and cycle_known:
            text = f"says nothing of {players} players: write {players}: [hold] where nothing is passed"
            yield Impossible(("pass_cycle", "players"), text, key)
        if "across" in cycle and players % 2:
            yield Impossible(("pass_cycle",), f"nobody sits across from anybody with {players} players", key)
        if players == 2 and {"left-2", "right-2"} & set(cycle):
            yield Impossible(("pass_cycle",), "two to the left of one of 2 players sits that player", key)

    def _too_many_passed(self) -> Iterator[Impossible]:
        """Told once, of the number of players with the smallest hands."""
        pass_some = (players for players in self.players if set(self.pass_cycle.get(players, ())) != {"hold"})
        size, players = min(
            ((self.deck(players).bit_count() // players, players) for players in pass_some), default=(0, 0)
        )
        if 0 < size < self.pass_count:  # of a hand without cards more is said elsewhere
            text = f"{self.pass_count} cards are passed, but a hand of {players} has {size}: pass {size} at most"
            yield Impossible(("pass_count", "removed", "players"), text, str(players))

    def _points_removed(self, packs: Iterable[int]) -> Iterator[Impossible]:
        for players in packs:
            for gone in self.removed.get(players, ()):
                if self.values.get(gone):
                    text = f"{gone} is worth points: a card of points stays in the deck of {players} players"
                    yield Impossible(("removed", "values"), text, str(players))


def _passed_first(card: Card) -> tuple[int, int, int]:
    if card in _FIRST_PASSED:
        return 0, _FIRST_PASSED.index(card), 0
    return 1 if card.suit == "H" else 2, -RANKS.index(card.rank), "SDCH".index(card.suit)


def _none_but(seat: Seat, taken: Mapping[Seat, int]) -> bool:
    """Whether nobody but *seat* has taken anything."""
    return bool(taken.get(seat)) and not any(points for other, points in taken.items() if other != seat)
