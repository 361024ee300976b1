"""Games played with all hands open, by players who play any legal card at random, but for one offence where a test
wants it. Written apart from the engine: a card is its name, a hand a list, the rules are told once more, plainly.

The offender breaks one rule at one card. A slip is forgotten: after it he plays legally at random, like the others. One
who *hides* keeps back the cards that would show his offence, as long as he has others, and breaks rules again to do so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "CDHS"]
LOOK_ALIKE = str.maketrans("CSDH", "SCHD")
NAMES = ["Rita", "Ada", "Bo", "Cleo", "Davi", "Eva", "Fil"]


def look_alike(card: str) -> str:
    """The same rank in the other suit of the same colour."""
    return card[0] + card[1].translate(LOOK_ALIKE)


@dataclass(frozen=True)
class Moment:
    """When a card is laid: in which trick, the suit that was led (None: this card leads), whether the closed suit has
    been broken."""

    trick: int
    led: str | None
    broken: bool


@dataclass(frozen=True)
class Rules:
    """What one rule set says of the plays of a hand, for one number of players. *closed* is the suit that may not be
    led until it is broken: by any card of it, or (*by_discard*) only by one thrown on another suit; *queen_breaks*: by
    the queen of spades too. *trumps*: the closed suit beats the others, and no card opens or is kept from trick 1.
    *cycle* are the directions in which cards are passed, hand after hand; none where they are not passed."""

    name: str
    players: int
    deck: tuple[str, ...]
    closed: str = "H"
    by_discard: bool = False
    queen_breaks: bool = False
    trumps: bool = False
    cycle: tuple[str, ...] = ()
    values: Callable[[str], int] = lambda card: 0

    @property
    def opening(self) -> str | None:
        """The lowest club of the deck, which opens; none with trumps."""
        return None if self.trumps else min((c for c in self.deck if c[1] == "C"), key=_height)

    def allowed(self, hand: Sequence[str], now: Moment) -> list[str]:
        """The cards of *hand* that may be laid."""
        if now.led is not None:
            following = [c for c in hand if c[1] == now.led]
            if following or now.trick > 1 or self.trumps:
                return following or list(hand)
            return [c for c in hand if c[1] != "H" and c != "QS"] or list(hand)
        if now.trick == 1 and self.opening is not None:
            return [c for c in hand if c == self.opening]
        if now.broken:
            return list(hand)
        return [c for c in hand if c[1] != self.closed] or list(hand)

    def rule(self, hand: Sequence[str], now: Moment) -> str:
        """The rule that a card of *hand* breaks which is not allowed now."""
        if now.led is not None:
            return "follow-suit" if any(c[1] == now.led for c in hand) else "first-trick-points"
        if now.trick == 1:
            return "first-trick-spades" if self.trumps else "opening"
        return "spades-not-broken" if self.closed == "S" else "hearts-not-broken"

    def denied(self, card: str, now: Moment) -> frozenset[str]:
        """The cards that nobody can hold who lays *card* legally: every rule is of that form."""
        return frozenset(c for c in self.deck if c != card and card not in self.allowed([card, c], now))

    def breaks(self, card: str, now: Moment) -> bool:
        """Whether *card* breaks the closed suit."""
        if card[1] == self.closed:
            return not self.by_discard or now.led not in (None, self.closed)
        return self.queen_breaks and card == "QS"

    def winner(self, trick: Sequence[tuple[int, str]]) -> int:
        """The seat that takes a trick, whose cards are given as they were laid."""
        suit = trick[0][1][1]
        if self.trumps and any(card[1] == self.closed for _, card in trick):
            suit = self.closed
        return max((laid for laid in trick if laid[1][1] == suit), key=lambda laid: _height(laid[1]))[0]


def _height(card: str) -> int:
    return RANKS.index(card[0])


_REMOVED = {3: "2D", 5: "2D 2C", 6: "2D 3D 3C 4C", 7: "2D 3D 3C"}


def plain_points(card: str) -> int:
    return 13 if card == "QS" else int(card[1] == "H")


def omnibus_points(card: str) -> int:
    return -10 if card == "JD" else plain_points(card)


def spot_points(card: str) -> int:
    return 2 + _height(card) if card[1] == "H" else plain_points(card)


def _hearts(name: str, cycles: dict[int, str], **rules: Any) -> dict[tuple[str, int], Rules]:
    """A Hearts rule set for each number of players, with the cycle of its passes."""
    sets = {}
    for players, cycle in cycles.items():
        deck = tuple(c for c in DECK if c not in _REMOVED.get(players, "").split())
        sets[name, players] = Rules(
            name, players, deck, cycle=tuple(cycle.split()), **{"values": plain_points, **rules}
        )
    return sets


_FOUR = "left right across hold"
_CLASSIC = {3: "left right hold", 4: _FOUR, 5: "left right hold", 6: _FOUR}
_MARIA = {3: "left right", 4: _FOUR, 5: "left right", 6: "left right", 7: "left right"}
# The rule sets of the sources, by name and number of players.
RULES: dict[tuple[str, int], Rules] = {
    **_hearts("hearts-cardems", {4: _FOUR}),
    **_hearts("hearts-tournament", {3: "left right hold", 4: _FOUR, 5: "left right hold"}),
    **_hearts("hearts-classic", _CLASSIC, by_discard=True),
    **_hearts("hearts-black-maria", _MARIA, queen_breaks=True),
    **_hearts("hearts-omnibus", _MARIA, queen_breaks=True, values=omnibus_points),
    **_hearts("hearts-spot", _MARIA, queen_breaks=True, values=spot_points),
    ("spades", 4): Rules("spades", 4, tuple(DECK), closed="S", by_discard=True, trumps=True),
}
CARDEMS = RULES["hearts-cardems", 4]


@dataclass(frozen=True)
class Offence:
    """An offence to be made: the *rule* to break (None: any but those that are seen at once), at the first chance from
    laying *at* on, and whether it is hidden."""

    rule: str | None
    at: int = 0
    hides: bool = False


@dataclass(frozen=True)
class Laying:
    """One card laid: in which trick, the hand it came from, itself included, and whether that was legal."""

    trick: int
    seat: int
    card: str
    hand: tuple[str, ...]
    led: str | None
    broken: bool
    legal: bool

    @property
    def moment(self) -> Moment:
        return Moment(self.trick, self.led, self.broken)


@dataclass(frozen=True)
class HonestHand:
    """A whole hand: what was *dealt* and *passed* in which *direction*, the *hands* that each seat began with, every
    card laid in order, who won each trick, the cards that each seat *won*."""

    rules: Rules
    direction: str
    dealt: tuple[tuple[str, ...], ...]
    passed: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    laid: tuple[Laying, ...] = ()
    winners: tuple[int, ...] = ()
    won: tuple[tuple[str, ...], ...] = ()

    @property
    def shooter(self) -> int | None:
        """The seat that won every card that costs points, if any."""
        costly = {card for card in self.rules.deck if self.rules.values(card) > 0}
        return next((seat for seat, cards in enumerate(self.won) if costly and costly <= set(cards)), None)

    @property
    def points(self) -> dict[str, int]:
        """What a hand of Hearts scores; after a moon each of the others has the points that the shooter has not."""
        points = [sum(map(self.rules.values, cards)) for cards in self.won]
        if self.shooter is not None:
            moon = sum(value for card in self.rules.deck if (value := self.rules.values(card)) > 0)
            points = [p - moon if seat == self.shooter else p + moon for seat, p in enumerate(points)]
        return {str(seat): p for seat, p in enumerate(points)}

    @property
    def offences(self) -> tuple[int, ...]:
        """The layings that were illegal."""
        return tuple(number for number, laying in enumerate(self.laid) if not laying.legal)

    @property
    def shown(self) -> int | None:
        """The laying at which the offender lays a card that he denied with his first offence: the latest proof."""
        if not self.offences:
            return None
        first = self.offences[0]
        offender = self.laid[first]
        denied = self.rules.denied(offender.card, offender.moment)
        later = enumerate(self.laid[first + 1 :], first + 1)
        return next(number for number, laid in later if laid.seat == offender.seat and laid.card in denied)

    def before_play(self) -> list[dict[str, object]]:
        """The facts of a match whose first hand this is, up to the first card: the passed cards counted, or bids."""
        players = self.rules.players
        facts: list[dict[str, object]] = [
            {"fact": "match", "rules": self.rules.name, "players": NAMES[:players]},
            {"fact": "hand", "dealer": 0},
        ]
        if self.rules.trumps:
            return facts + [{"fact": "bid", "seat": (1 + i) % players, "bid": 3} for i in range(players)]
        facts += [{"fact": "pass", "seat": seat, "count": 3} for seat in range(players)]
        return [*facts, {"fact": "passed"}]


def deal(random: Random, rules: Rules = CARDEMS, direction: str = "hold", *, rich: int | None = None) -> HonestHand:
    """A hand that is dealt and passed: three random cards from each, unless it is a hold hand. The seat *rich* gets
    most of the closed suit and the highest of the others, so that it comes to lead from that suit alone."""
    cards = random.sample(rules.deck, len(rules.deck))
    size = len(cards) // rules.players
    if rich is not None:
        cards.sort(key=lambda c: (c[1] != rules.closed or random.random() < 0.15, -_height(c)))
        cards[size:] = random.sample(cards[size:], len(cards) - size)
    hands_ = [tuple(cards[start : start + size]) for start in range(0, len(cards), size)]
    dealt = tuple(hands_ if rich is None else hands_[-rich:] + hands_[:-rich])
    passed = tuple(() if direction == "hold" else tuple(random.sample(hand, 3)) for hand in dealt)
    steps = {"left": 1, "right": -1, "across": rules.players // 2, "hold": 0}[direction]
    hands = []
    for seat, hand in enumerate(dealt):
        kept = tuple(c for c in hand if c not in passed[seat])
        hands.append(kept + passed[(seat - steps) % rules.players])
    return HonestHand(rules, direction, dealt, passed, tuple(hands))


def play_hand(
    random: Random, rules: Rules = CARDEMS, *, direction: str = "hold", offence: Offence | None = None
) -> HonestHand:
    """One whole hand."""
    return play_out(random, deal(random, rules, direction), offence)


def play_out(random: Random, begun: HonestHand, offence: Offence | None = None, *, lawless: float = 0.0) -> HonestHand:
    """The hand that has been dealt, played to its end. Where no card opens, the seat left of the dealer, 0, leads. With
    the chance *lawless* a seat lays any card of its hand, but for the one that opens."""
    rules, players = begun.rules, begun.rules.players
    hands = [list(hand) for hand in begun.hands]
    leader = next((seat for seat, hand in enumerate(hands) if rules.opening in hand), 1)
    laid: list[Laying] = []
    winners: list[int] = []
    won: list[list[str]] = [[] for _ in hands]
    broken = False
    offender, hidden = None, frozenset[str]()
    for number in range(1, len(hands[0]) + 1):
        trick: list[tuple[int, str]] = []
        for step in range(players):
            seat = (leader + step) % players
            hand = hands[seat]
            now = Moment(number, trick[0][1][1] if trick else None, broken)
            allowed = rules.allowed(hand, now)
            opens = number == 1 and now.led is None and rules.opening is not None
            choice = hand if lawless and not opens and random.random() < lawless else allowed
            if offence is not None and len(laid) >= offence.at and offender is None:
                illegal = [c for c in hand if c not in allowed]
                if illegal and rules.rule(hand, now) in ([offence.rule] if offence.rule else rules_to_break(rules)):
                    choice, offender = illegal, seat
            elif seat == offender and hidden:
                choice = [c for c in allowed if c not in hidden] or [c for c in hand if c not in hidden] or allowed
            card = random.choice(choice)
            if seat == offender and offence is not None and offence.hides and not hidden:
                hidden = rules.denied(card, now)
            laid.append(Laying(number, seat, card, tuple(hand), now.led, broken, card in allowed))
            hand.remove(card)
            trick.append((seat, card))
            broken = broken or rules.breaks(card, now)
        leader = rules.winner(trick)
        winners.append(leader)
        won[leader] += [card for _, card in trick]
    return replace(begun, laid=tuple(laid), winners=tuple(winners), won=tuple(map(tuple, won)))


def rules_to_break(rules: Rules) -> tuple[str, ...]:
    """The rules that an offence can break and only a later card prove."""
    if rules.trumps:
        return ("follow-suit", "first-trick-spades", "spades-not-broken")
    return ("follow-suit", "first-trick-points", "hearts-not-broken")


def erring_hand(random: Random, rules: Rules, *, rule: str | None, hides: bool, direction: str = "hold") -> HonestHand:
    """A whole hand with an offence against *rule*, or any, at the first chance from a random card on. Hands in which
    there is none are dealt again."""
    while True:
        begun = deal(random, rules, direction)
        if rule == "first-trick-points" and all(
            rules.opening in hand or any(c[1] == "C" for c in hand) for hand in begun.hands
        ):
            continue
        at = 0 if rule and rule.startswith("first-trick") else random.randrange(len(rules.deck) * 3 // 4)
        hand = play_out(random, begun, Offence(rule, at, hides))
        if hand.offences:
            return hand
