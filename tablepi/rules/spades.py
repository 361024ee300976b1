"""Spades in partnerships under a rule set's switches. Each one's source is in the preset file and in the rule matrix.

The seats 0 and 2 play against 1 and 3. Deviations from the words, as settled: a hand of nothing but spades may lead one
on the first trick (``silent``); the tricks of a failed nil count for the partner's contract and as bags; both partners
may bid nil, then every trick is a bag; equal totals at the target mean another hand. A spade that is led, legally or
not, breaks nothing: only one laid on another suit does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ..cards import FULL_DECK, OF_SUIT, Card, Cards, Seat
from .switches import Allowed, Impossible, Place, Switch, one_of, or_nothing, shown, whole, with_switches, yes_or_no
from .tricks import PUBLIC, Bid, Claim, HandResult, Moment, Played

SIDES = {"0-2": (0, 2), "1-3": (1, 3)}


def partner(seat: Seat) -> Seat:
    """The seat across the table."""
    return (seat + 2) % 4


def side_of(seat: Seat) -> str:
    """The key of the side that *seat* plays for."""
    return "0-2" if seat % 2 == 0 else "1-3"


def _four(value: Any) -> tuple[int, ...]:
    if value not in ([4], (4,)):
        raise ValueError(f"{shown(value)}: only Spades for four in partnerships is played: write [4]")
    return (4,)


def _nil_or_none(value: Any) -> int:
    """The points of a nil; false is a nil that nobody can bid, and ``no`` is what YAML says for it."""
    return 0 if value is False or value == "no" else int(_points_of_a_nil(value))


_points_of_a_nil = whole(0, 1000, hint=", 0 for none")
_nil = Allowed(_points_of_a_nil.text, _nil_or_none)


@dataclass(frozen=True, slots=True)
class Spades:
    """One Spades rule set. The field names are the switches of the preset files.

    *floor*: a total at or below it ends the match, None: no floor. *nil* and *blind_nil*: the points that one wins or
    loses, 0: it cannot be bid. *blind_nil_deficit* and *exchange_deficit*: how many points a side must be behind for a
    blind nil, and for one that exchanges cards. *exchange*: whether that was agreed; so *suicide*, that each side must
    have a nil. *both_nil*: both partners may bid nil. *nil_tricks_count*: the tricks of a failed nil count for the
    partner's contract; else they are only bags, and those only where the contract is made without them.
    *bag_penalty* points go for every *bag_limit* bags. *first_trick_spades*: who must not lay a spade on the first
    trick, the ``leader`` or ``all``. *lead_breaks*: a spade that is led breaks spades too. *revoke*: a side that has
    revoked scores ``no_points`` (what it loses, it loses), or its revoke is on ``record`` only. *tie*: equal totals at
    the target mean another hand (``play_on``) or a ``shared`` place. *minimum_bid*: the least number that may be bid.
    """

    name: str
    source: str
    players: tuple[int, ...] = (4,)
    target: int = 500
    floor: int | None = None
    nil: int = 100
    blind_nil: int = 200
    blind_nil_deficit: int = 100
    exchange: bool = False
    exchange_deficit: int = 200
    suicide: bool = False
    both_nil: bool = True
    nil_tricks_count: bool = True
    bag_limit: int = 10
    bag_penalty: int = 100
    first_trick_spades: Literal["leader", "all"] = "leader"
    lead_breaks: bool = False
    revoke: Literal["no_points", "record"] = "no_points"
    tie: Literal["play_on", "shared"] = "play_on"
    minimum_bid: int = 1

    SWITCHES: ClassVar[Mapping[str, Switch]] = {
        "players": Switch(Allowed("[4]", _four), "how many can play: two against two"),
        "target": Switch(whole(1, 10_000), "the total that ends the match once a side has it"),
        "floor": Switch(
            or_nothing(whole(-10_000, -1)), "the total that ends the match once a side has it, or has even less"
        ),
        "nil": Switch(
            _nil,
            "the points that a nil wins or loses; with 0 nobody can bid one, and in a rule set's file nor a blind nil, "
            "unless blind_nil is written there, too",
            ends="blind_nil",
        ),
        "blind_nil": Switch(
            _nil,
            "the points that a blind nil wins or loses; with 0 nobody can bid one; 0, too, where a rule set's file "
            "says nil: 0 and nothing of it",
        ),
        "blind_nil_deficit": Switch(whole(0, 10_000), "by how many points a side must be behind to bid a blind nil"),
        "exchange": Switch(yes_or_no, "whether who bids a blind nil may exchange two cards with the partner"),
        "exchange_deficit": Switch(
            whole(0, 10_000), "by how many points a side must be behind for a blind nil that exchanges cards"
        ),
        "suicide": Switch(yes_or_no, "whether each side must bid a nil in each hand"),
        "both_nil": Switch(yes_or_no, "whether both partners may bid a nil"),
        "nil_tricks_count": Switch(
            yes_or_no,
            "whether the tricks of a nil that has failed count for the partner's contract; else they are bags, where "
            "that is made without them",
        ),
        "bag_limit": Switch(whole(1, 1000), "how many bags cost the bag_penalty"),
        "bag_penalty": Switch(whole(0, 1000), "the points that so many bags cost"),
        "first_trick_spades": Switch(
            one_of(
                {
                    "leader": "who leads it may not lead one; who cannot follow suit may lay one",
                    "all": "nobody may lay one, except from a hand of nothing but spades",
                }
            ),
            "who may not lay a spade on the first trick",
        ),
        "lead_breaks": Switch(yes_or_no, "whether a spade that is led breaks spades, too"),
        "revoke": Switch(
            one_of(
                {
                    "no_points": "the side scores no points in that hand; what it loses, it loses",
                    "record": "nothing, it is only kept on record",
                }
            ),
            "what a card that did not follow suit, and was not taken back, costs when the hand is scored",
        ),
        "tie": Switch(
            one_of({"play_on": "another hand is played", "shared": "the match is over, the place is shared"}),
            "what comes of equal totals when the target is reached",
        ),
        "minimum_bid": Switch(whole(1, 13), "the least number of tricks that may be bid"),
    }

    # --- cards -----------------------------------------------------------------------------------------------------

    def deck(self, players: int) -> Cards:
        return FULL_DECK

    def sides(self, players: int) -> tuple[str, ...]:
        return tuple(SIDES)

    def pass_direction(self, players: int, scored: int) -> str | None:
        return None

    @property
    def pass_count(self) -> int:
        return 2

    def opening(self, deck: Cards) -> Card | None:
        return None

    def opener(self, dealer: Seat, players: int) -> Seat | None:
        return (dealer + 1) % players

    def forbidden(self, moment: Moment, card: Card) -> str | None:
        return None

    def claims(self, moment: Moment, card: Card) -> tuple[Claim, ...]:
        others = moment.deck & ~_SPADES
        first_trick: tuple[Claim, ...] = ()
        if moment.led is None:
            if card.suit != "S":
                return ()
            if moment.trick == 1:
                first_trick = ((others, "first-trick-spades"),)
            return first_trick if moment.broken else (*first_trick, (others, "spades-not-broken"))
        led = moment.deck & OF_SUIT[moment.led.suit]
        if card.bit & led:
            return ()
        if moment.trick == 1 and card.suit == "S" and self.first_trick_spades == "all":
            first_trick = ((others & ~led, "first-trick-spades"),)
        return (*first_trick, (led, "follow-suit"))

    def breaks(self, moment: Moment, card: Card) -> bool:
        if card.suit != "S":
            return False
        return self.lead_breaks if moment.led is None else moment.led.suit != "S"

    def breakable(self, card: Card) -> bool:
        return card.suit == "S" and self.lead_breaks

    @property
    def broken_event(self) -> str:
        return "spades-broken"

    def wins(self, led: Card, card: Card) -> int:
        if card.suit == "S":
            return 100 + card.index
        return 1 + card.index if card.suit == led.suit else 0

    def points(self, cards: Cards) -> int:
        return 0

    @property
    def points_in_hand(self) -> int:
        return 0

    def timed_out(self, moment: Moment, card: Card) -> tuple[Claim, ...]:
        return ()

    def silent(self, rule: str) -> bool:
        return rule == "first-trick-spades"

    @property
    def timeouts(self) -> Mapping[str, float | None] | None:
        return None

    @property
    def leaving(self) -> bool:
        return False

    def to_pass(self, hand: Cards) -> tuple[Card, ...]:
        return ()

    @property
    def pauses(self) -> Mapping[str, float]:
        return {}

    @property
    def public(self) -> tuple[str, ...]:
        return PUBLIC

    # --- bids ------------------------------------------------------------------------------------------------------

    @property
    def bidding(self) -> bool:
        return True

    def bid_rules(self, seat: Seat, bid: Bid, bids: Mapping[Seat, Bid], totals: Mapping[str, int]) -> tuple[str, ...]:
        """The rules that *seat* breaks with *bid*, its turn apart: *bids* came before it, *totals* are those before the
        hand. The most specific rule first."""
        behind, other = self.behind(seat, totals), bids.get(partner(seat))
        blind = bid.nil == "blind-nil"
        rules = []
        if self.suicide and other is not None and not any(self._sacrifices(each, behind) for each in (bid, other)):
            rules.append("suicide")
        if blind and bid.exchange and not self._may_exchange(behind):
            rules.append("exchange-deficit")
        if blind and behind < self.blind_nil_deficit:
            rules.append("blind-nil-deficit")
        both = bid.nil is not None and other is not None and other.nil is not None
        if bid.nil is None:
            known = bid.tricks >= self.minimum_bid
        else:
            known = bool(self.blind_nil if blind else self.nil) and (self.both_nil or not both)
        return tuple(rules) if known and (blind or not bid.exchange) else (*rules, "bid-range")

    def behind(self, seat: Seat, totals: Mapping[str, int]) -> int:
        """By how many points the side of *seat* is behind the other; negative when it leads."""
        mine = side_of(seat)
        return max(total for side, total in totals.items() if side != mine) - totals[mine]

    def _may_exchange(self, behind: int) -> bool:
        return self.exchange and behind >= self.exchange_deficit

    def _sacrifices(self, bid: Bid, behind: int) -> bool:
        """Whether *bid* is one that ``suicide`` asks for: a nil, or a blind nil with an exchange that is allowed."""
        return bid.nil == "nil" or (bid.nil == "blind-nil" and bid.exchange and self._may_exchange(behind))

    # --- score -----------------------------------------------------------------------------------------------------

    def score(self, hand: Played) -> HandResult:
        sides = {side: self._score_side(side, seats, hand) for side, seats in SIDES.items()}
        points = {side: told["score"] for side, told in sides.items()}
        return HandResult(points, sides=sides, bags={side: told["bags"] for side, told in sides.items()})

    def _score_side(self, side: str, seats: tuple[Seat, ...], hand: Played) -> Mapping[str, int]:
        won = {seat: hand.tricks.get(seat, 0) for seat in seats}
        nils = {seat: bid.nil for seat, bid in hand.bids.items() if seat in seats and bid.nil is not None}
        contract = sum(bid.tricks for seat, bid in hand.bids.items() if seat in seats)
        tricks = sum(won.values())
        towards = tricks if self.nil_tricks_count else sum(won[seat] for seat in seats if seat not in nils)
        made = towards >= contract
        parts = [10 * contract if made else -10 * contract]
        for seat, nil in nils.items():
            worth = self.blind_nil if nil == "blind-nil" else self.nil
            parts.append(worth if won[seat] == 0 else -worth)
        over = tricks - contract if made else 0
        if self.revoke == "no_points" and any(s in seats and rule == "follow-suit" for s, rule in hand.offences):
            parts, over = [min(part, 0) for part in parts], 0
        penalties, bags = divmod(hand.bags.get(side, 0) + over, self.bag_limit)
        score = sum(parts) + over - self.bag_penalty * penalties
        total = hand.totals.get(side, 0) + score
        return {"bid": contract, "tricks": tricks, "score": score, "bags": bags, "total": total}

    def ended(self, totals: Mapping[str, int], hands: int) -> str | None:
        decided = max(totals.values()) >= self.target or (self.floor is not None and min(totals.values()) <= self.floor)
        equal = len(set(totals.values())) == 1
        return "target" if decided and (self.tie == "shared" or not equal) else None

    def places(self, totals: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
        ranked = sorted(set(totals.values()), reverse=True)
        return tuple(tuple(side for side, total in totals.items() if total == value) for value in ranked)

    # --- switches --------------------------------------------------------------------------------------------------

    def with_options(self, options: Mapping[str, Any]) -> Spades:
        return with_switches(self, options)

    def impossible(self, unread: Collection[Place] = ()) -> Iterator[Impossible]:
        """As ``HasSwitches`` has it; no switch that keeps its value is at fault by itself."""
        if self.exchange and not self.blind_nil:
            text = "only a blind nil exchanges cards, and none can be bid: write blind_nil, such as blind_nil: 200"
            yield Impossible(("exchange", "blind_nil"), text)
        if self.suicide and not self.nil:
            yield Impossible(("suicide", "nil"), "each side must have a nil, and none can be bid")


_SPADES = OF_SUIT["S"]
