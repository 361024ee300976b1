"""Players who play, and now and then err: a whole match as a sequence of acts, with the truth about each of them.

Everybody here plays from the own hand alone and knows no other. What really happened (who held what, which card was a
revoke, who won the trick) is known to this module and goes to the truth file; the referee gets only what a reader or a
camera would get. Nothing here has a clock or a port: ``world`` turns acts into tags on readers and touches on a
display, and chance comes in as a ``random.Random``, so that a seed is a match.

How a table goes on after a mistake: a card out of turn stays, and the seat whose turn it was plays next (on a lead it
leads after all, and the other card is an ordinary card of that trick); a revoke, a point on the first trick or a heart
led too early is noticed by nobody and stands; a card taken back returns to its hand. One trick has one mistake at most.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from .. import facts as f
from ..cards import ALL_CARDS, OF_SUIT, Card, Cards, Seat, cards_of, each
from ..facts import Fact
from ..judge import Felt
from ..passing import receiver
from ..rules import Bid, Game, Moment, Played, Rulebook, Spades
from ..rules.tricks import legal_cards
from ..state import Line
from ..table import Table, effective, empty, step

REVOKE = "revoke"
TURN = "turn"
FIRST_TRICK_POINTS = "first-trick-points"
HEARTS_NOT_BROKEN = "hearts-not-broken"
TAKEN_BACK = "taken-back"
FAULTS = (FIRST_TRICK_POINTS, HEARTS_NOT_BROKEN, REVOKE, TURN, TAKEN_BACK)
"""The mistakes that the players know, the rarest chance first."""

MISTAKE_RATE = 0.02
"""How likely a card is to be a mistake, beyond the one of each kind that a match has anyway: one a hand."""


# --- acts ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Enter:
    """A person at the display enters *fact*. *n* is its number in the script that it comes from, if any; *asked*: the
    script's own table asked something then, so what this table asks now is left to the answers of the script."""

    fact: Fact
    n: int | None = None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class DealHand:
    """The cards are dealt: *hands* by seat."""

    hand: int
    dealer: Seat
    hands: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class PassCards:
    """*seat* gives *cards* to the seat *to*."""

    hand: int
    seat: Seat
    cards: tuple[Card, ...]
    to: Seat


@dataclass(frozen=True, slots=True)
class AllPassed:
    """Everybody has taken up the passed cards."""

    hand: int


@dataclass(frozen=True, slots=True)
class Lay:
    """*seat* lays *card* on the felt.

    *fault* is one of ``FAULTS`` or None. *denied* is the led suit where the card denies it and the hand holds it: of a
    revoke, of a point on the first trick, of a card taken back. *n* as for ``Enter``, and so is *asked*.
    """

    hand: int
    trick: int
    seat: Seat
    card: Card
    fault: str | None = None
    denied: str | None = None
    n: int | None = None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Lift:
    """*seat* takes *card* back into the hand. *told* is the fact by which a script says so, where it has one; else a
    person says that the card was withdrawn. *n* as for ``Enter``."""

    hand: int
    trick: int
    seat: Seat
    card: Card
    n: int | None = None
    told: Fact | None = None


@dataclass(frozen=True, slots=True)
class Sweep:
    """The trick is collected: *cards* in the order they were laid, by seat. *winner* is None when it is not known."""

    hand: int
    trick: int
    cards: tuple[tuple[Seat, Card], ...]
    winner: Seat | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class HandOver:
    """The hand is over: the points that each seat *took* in tricks, what the sides scored for it, and their totals. In
    a game with *bids* each seat took tricks; *bags* are those that each side carries on."""

    hand: int
    took: tuple[int, ...]
    points: Mapping[str, int]
    totals: Mapping[str, int]
    bids: Mapping[Seat, Bid] = field(default_factory=dict)
    bags: Mapping[str, int] = field(default_factory=dict)


Act = Enter | DealHand | PassCards | AllPassed | Lay | Lift | Sweep | HandOver


def truth_of(act: Act) -> tuple[Mapping[str, Any], ...]:
    """The lines of the truth file for one act: of a card laid, the card (and its fault once more, if it is one); of a
    trick its winner; of a hand who held what, what was passed and the points. Nothing for the rest."""
    match act:
        case Lay():
            where = {"seat": act.seat, "hand": act.hand, "trick": act.trick}
            denied = {} if act.denied is None else {"denied": act.denied}
            laid = {"laid": str(act.card), **where, "fault": act.fault, **denied}
            if act.fault is None:
                return (laid,)
            return laid, {"fault": act.fault, **where, "card": str(act.card), **denied}
        case Lift():
            return ({"lifted": str(act.card), "seat": act.seat, "hand": act.hand, "trick": act.trick},)
        case Sweep(winner=int()):
            return ({"winner": act.winner, "hand": act.hand, "trick": act.trick, "points": act.points},)
        case DealHand():
            hands = {str(seat): _spelt(each(cards)) for seat, cards in enumerate(act.hands)}
            return ({"dealt": hands, "hand": act.hand, "dealer": act.dealer},)
        case PassCards():
            return ({"passed": _spelt(act.cards), "seat": act.seat, "to": act.to, "hand": act.hand},)
        case HandOver():
            took = {str(seat): points for seat, points in enumerate(act.took)}
            bids = {str(seat): bid.nil or bid.tricks for seat, bid in sorted(act.bids.items())}
            told = {"hand": act.hand, "took": took, "points": dict(act.points), "totals": dict(act.totals)}
            return ({**told, "bids": bids} if bids else told,)
        case _:
            return ()


def _spelt(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


# --- when somebody errs --------------------------------------------------------------------------------------------


class Slips:
    """Decides when somebody errs. In a match of *hands* hands each kind is due once, spread over the hands, and happens
    at the first chance after that; *rate* is how likely each further card is to be a mistake."""

    def __init__(
        self, rng: random.Random, *, hands: int, rate: float = MISTAKE_RATE, kinds: Sequence[str] = FAULTS
    ) -> None:
        unknown = [kind for kind in kinds if kind not in FAULTS]
        if unknown:
            raise ValueError(f"no such mistake: {', '.join(unknown)}; known are {', '.join(FAULTS)}")
        self._rng = rng
        self._rate = rate
        self._kinds = frozenset(kinds)
        self._due: dict[str, tuple[int, int]] = {}
        for place, kind in enumerate(rng.sample(list(kinds), len(kinds))):
            trick = {FIRST_TRICK_POINTS: 1, HEARTS_NOT_BROKEN: 2}.get(kind) or rng.randint(2, 8)
            self._due[kind] = (1 + place * hands // len(kinds), trick)

    def is_due(self, kind: str, *, hand: int) -> bool:
        """Whether *kind* is still to happen in this hand."""
        return kind in self._due and self._due[kind][0] <= hand

    def choose(self, chances: Mapping[str, float], *, hand: int, trick: int) -> str | None:
        """The mistake of a seat that could make those of *chances*, which says how likely each is when it is due; None
        for an honest card."""
        possible = [kind for kind in FAULTS if kind in chances and kind in self._kinds]
        for kind in possible:
            if kind in self._due and self._due[kind] <= (hand, trick) and self._rng.random() < chances[kind]:
                del self._due[kind]
                return kind
        if possible and self._rng.random() < self._rate:
            return self._rng.choice(possible)
        return None


# --- a match -------------------------------------------------------------------------------------------------------


def deal(deck: Cards, players: int, rng: random.Random) -> tuple[Cards, ...]:
    """The shuffled *deck* dealt to *players* equal hands."""
    cards = list(each(deck))
    rng.shuffle(cards)
    return tuple(cards_of(cards[seat::players]) for seat in range(players))


def play_match(
    match: f.Match, game: Game, *, hands: int, rng: random.Random, slips: Slips | None = None
) -> Iterator[Act]:
    """The acts of a match of *hands* hands, or fewer when it is decided before; without *slips* nobody errs.

    *game* is the one that *match* says, its options included.
    """
    players = len(match.players)
    yield Enter(match)
    yield from _play_hands(
        game,
        totals=dict.fromkeys(game.sides(players), 0),
        dealer=rng.randrange(players),
        hands=hands,
        rng=rng,
        slips=slips,
    )


def play_on(table: Table, *, hands: int, rng: random.Random, slips: Slips | None = None) -> Iterator[Act]:
    """The acts that go on with an interrupted match until it has *hands* scored hands, or none when it is over.

    What lies stays; the cards that nobody has seen are dealt anew, so that everybody can have told the truth so far.
    """
    state = table.state
    if state.game is None or state.result is not None:
        return
    game, scored, totals, deal_ = state.game, len(state.scores), dict(state.totals), state.deal
    bags = state.scores[-1].bags or {} if state.scores else {}
    if deal_ is not None and deal_.phase != "over":
        if deal_.phase == "passing":
            yield AllPassed(deal_.number)
        play = _Hand(game, deal_.number, deal_.dealer, _unseen_dealt(deal_.felt, rng), rng, slips)
        play.take_up(deal_.felt)
        if deal_.auction is not None:
            play.bids = dict(deal_.auction.bids)
            if deal_.auction.giving is not None:
                yield Enter(f.Exchanged(source="person"))
        over = yield from _play_hand(play, game, totals, bags, scored)
        scored, totals, bags = scored + 1, dict(over.totals), over.bags
        if game.ended(totals, scored) is not None:
            return
    yield from _play_hands(
        game,
        totals=totals,
        bags=bags,
        dealer=state.next_dealer,
        hands=hands,
        rng=rng,
        slips=slips,
        scored=scored,
        dealt_before=state.deals,
    )


def _play_hands(
    game: Game,
    *,
    totals: Mapping[str, int],
    dealer: Seat,
    hands: int,
    rng: random.Random,
    slips: Slips | None,
    scored: int = 0,
    dealt_before: int = 0,
    bags: Mapping[str, int] = MappingProxyType({}),
) -> Iterator[Act]:
    """Hands until *hands* are scored or the match is decided; *dealt_before* counts the misdeals too."""
    players = sum(len(side.split("-")) for side in totals)
    number = dealt_before
    while scored < hands:
        number += 1
        dealt = DealHand(number, dealer, deal(game.deck(players), players, rng))
        yield dealt
        held = list(dealt.hands)
        direction = game.pass_direction(players, scored)
        if direction not in (None, "hold"):
            for passed in _passes(dealt, direction or "hold", game.pass_count, rng):
                held[passed.seat] &= ~cards_of(passed.cards)
                held[passed.to] |= cards_of(passed.cards)
                yield passed
            yield AllPassed(number)
        play = _Hand(game, number, dealer, held, rng, slips)
        over = yield from _play_hand(play, game, totals, bags, scored)
        totals, bags, scored = over.totals, over.bags, scored + 1
        if game.ended(totals, scored) is not None:
            return
        dealer = (dealer + 1) % players
    yield Enter(f.EndMatch(source="person"))


def _play_hand(
    play: _Hand, game: Game, totals: Mapping[str, int], bags: Mapping[str, int], scored: int
) -> Generator[Act, None, HandOver]:
    yield from play.bidding(totals)
    yield from play.acts()
    piles = dict(enumerate(play.piles))
    tricks = {seat: pile.bit_count() // len(piles) for seat, pile in piles.items()}
    played = Played(
        dict(enumerate(play.took)), tricks, play.bids, tuple(play.offences), totals, bags, cards=piles, hands=scored
    )
    result = game.score(played)
    choice = None
    if result.choice:  # the shooter of a moon does what is better for it
        result = game.score(replace(played, chose="auto"))
        choice = f.Choose(seat=(result.moon or {})["seat"], choice=(result.moon or {})["choice"], source="person")
    points = result.points
    after = {side: total + points[side] for side, total in totals.items()}
    took = tuple(tricks.values()) if play.bids else tuple(play.took)
    over = HandOver(play.number, took, points, after, play.bids, result.bags or {})
    yield over
    if choice is not None:
        yield Enter(choice)
    return over


def _unseen_dealt(felt: Felt, rng: random.Random) -> list[Cards]:
    """Hands for an interrupted hand: known cards where they are known to be, the rest so that no standing claim is
    false. Where that cannot be, somebody has lied, and any seat with room gets the card."""
    held = list(felt.known)
    room = [felt.size - sum(1 for _, laid in felt.places() if laid.seat == seat) for seat in range(felt.players)]
    free = felt.deck & ~felt.seen
    for cards in held:
        free &= ~cards
    denied = [0] * felt.players
    for claim in felt.claims:
        for cards, _ in claim.denied:
            denied[claim.seat] |= cards
    unseen = list(each(free))
    rng.shuffle(unseen)
    at: dict[Card, Seat] = {}

    def place(card: Card, tried: set[Seat]) -> bool:
        """Find a seat for *card*, moving cards dealt before to other seats if need be."""
        for seat in rng.sample(range(felt.players), felt.players):
            if seat in tried or denied[seat] & card.bit:
                continue
            tried.add(seat)
            mine = [other for other, where in at.items() if where == seat]
            if len(mine) + held[seat].bit_count() < room[seat] or any(place(other, tried) for other in mine):
                at[card] = seat
                return True
        return False

    for card in unseen:
        if not place(card, set()):
            taken = Counter(at.values())
            at[card] = max(range(felt.players), key=lambda s: room[s] - held[s].bit_count() - taken[s])
    for card, seat in at.items():
        held[seat] |= card.bit
    return held


def _passes(dealt: DealHand, direction: str, number: int, rng: random.Random) -> Iterator[PassCards]:
    for seat, hand in enumerate(dealt.hands):
        given = tuple(rng.sample(list(each(hand)), number))
        yield PassCards(dealt.hand, seat, given, receiver(direction, seat, len(dealt.hands)))


class _Hand:
    """A hand while it is played. *took* are the points that each seat has taken so far, *piles* the cards; *bids* what
    it has bid; *offences* stand, as seat and rule: whoever broke a rule shows it by the last card."""

    def __init__(
        self, game: Game, number: int, dealer: Seat, held: list[Cards], rng: random.Random, slips: Slips | None
    ) -> None:
        self.number = number
        self.bids: dict[Seat, Bid] = {}
        self.offences: list[tuple[Seat, str]] = []
        self.took = [0] * len(held)
        self._dealer = dealer
        self.piles: list[Cards] = [0] * len(held)
        self._game = game
        self._held = held
        self._rng = rng
        self._slips = slips
        self._deck = game.deck(len(held))
        self._broken = False
        self._slipped = False  # whether the trick in progress has its mistake
        self._trick = 1
        self._led: Card | None = None
        self._lying: list[tuple[Seat, Card]] = []
        self._to_play: list[Seat] = []

    def take_up(self, felt: Felt) -> None:
        """Go on from *felt* instead of from the beginning."""
        self.piles = [felt.taken(seat) for seat in range(felt.players)]
        self.took = [self._game.points(pile) for pile in self.piles]
        self.offences = [(finding.seat, finding.rule) for finding in felt.findings]
        self._broken, self._trick = felt.broken, felt.number
        self._lying = [(laid.seat, laid.card) for laid in felt.trick if laid.card is not None]
        first = felt.turn
        if first is not None:
            self._led = felt.moment(first).led
            lead = first if self._led is None else felt.lead or 0
            lying = {laid.seat for laid in felt.trick}
            self._to_play = [s for k in range(felt.players) if (s := (lead + k) % felt.players) not in lying]

    def bidding(self, totals: Mapping[str, int]) -> Iterator[Act]:
        """Who has not bid bids in turn, by the own hand: a trick for each ace and king and each spade beyond the third,
        nil on a poor hand, as far as the rules allow it."""
        if not isinstance(self._game, Spades):
            return
        for seat in ((self._dealer + k) % 4 for k in range(1, 5)):
            if seat in self.bids:
                continue
            hand = self._held[seat]
            high = sum(card.rank in "AK" for card in each(hand)) + max(0, (hand & OF_SUIT["S"]).bit_count() - 3)
            wanted = [Bid(max(self._game.minimum_bid, high)), Bid(0, "nil")]
            if high == 0 or (high == 1 and self._rng.random() < 0.5):
                wanted.reverse()
            allowed = (bid for bid in wanted if not self._game.bid_rules(seat, bid, self.bids, totals))
            bid = next(allowed, wanted[0])
            self.bids[seat] = bid
            yield Enter(f.Bid(seat=seat, bid=bid.nil or bid.tricks, source="person"))

    def acts(self) -> Iterator[Act]:
        opening = self._game.opening(self._deck)
        players = len(self._held)
        opener = self._game.opener(self._dealer, players) or 0
        leader = next((seat for seat, cards in enumerate(self._held) if opening and cards & opening.bit), opener)
        for trick in range(self._trick, self._deck.bit_count() // players + 1):
            self._trick = trick
            self._to_play = self._to_play or [(leader + k) % players for k in range(players)]
            yield from self._play_trick()
            leader = self._winner()
            swept = cards_of(card for _, card in self._lying)
            points = self._game.points(swept)
            self.piles[leader] |= swept
            self.took[leader] += points
            yield Sweep(self.number, self._trick, tuple(self._lying), leader, points)
            self._led, self._lying, self._slipped = None, [], False

    def _play_trick(self) -> Iterator[Act]:
        while self._to_play:
            seat = self._to_play[0]
            kind = self._mistake(seat)
            self._slipped = self._slipped or kind is not None
            if kind == TURN:
                hasty = self._rng.choice(self._to_play[1:])
                yield self._lay(hasty, self._pick(self._legal(hasty)), TURN)
            elif kind == TAKEN_BACK:
                yield from self._take_back(seat)
            elif kind is not None:
                wrong = self._wrong(seat)[kind]
                yield self._lay(seat, self._rng.choice(self._quiet(wrong) or wrong), kind)
            else:
                yield self._lay(seat, self._pick(self._legal(seat)), None)

    def _lay(self, seat: Seat, card: Card, fault: str | None) -> Lay:
        """*seat* lays *card* for good."""
        act = Lay(self.number, self._trick, seat, card, fault, self._denied(seat, card))
        self._broken = self._broken or self._game.breaks(self._moment(), card)
        if fault is not None:
            self.offences.append((seat, "follow-suit" if fault == REVOKE else fault))
        self._held[seat] &= ~card.bit
        self._lying.append((seat, card))
        self._to_play.remove(seat)
        if self._led is None and fault != TURN:  # who leads out of turn gives the lead back to the seat that had it
            self._led = card
        return act

    def _take_back(self, seat: Seat) -> Iterator[Act]:
        """A card is laid and taken back, sometimes because it was wrong; then a legal one is laid."""
        legal = self._legal(seat)
        wrong = [card for cards in self._wrong(seat).values() for card in cards]
        right = list(each(legal)) if legal.bit_count() > 1 else []
        first = self._rng.choice(wrong if wrong and (not right or self._rng.random() < 0.5) else right)
        yield Lay(self.number, self._trick, seat, first, TAKEN_BACK, self._denied(seat, first))
        yield Lift(self.number, self._trick, seat, first)
        yield self._lay(seat, self._pick(legal & ~first.bit), None)

    def _mistake(self, seat: Seat) -> str | None:
        opens = self._trick == 1 and self._led is None and self._game.opening(self._deck) is not None
        if self._slips is None or self._slipped or opens:
            return None
        wrong = self._wrong(seat)
        # Whoever of the seats comes to it, so that it is not always the first; but only one of them leads.
        chance = 1 / len(self._to_play)
        chances = {kind: 1.0 if kind == HEARTS_NOT_BROKEN else chance for kind in wrong}
        if FIRST_TRICK_POINTS in wrong and self._slips.is_due(HEARTS_NOT_BROKEN, hand=self.number):
            # A heart on the first trick would break hearts and leave no chance for the other mistake.
            last = len(self._to_play) == 1
            chances[FIRST_TRICK_POINTS] = 1.0 if last or self._quiet(wrong[FIRST_TRICK_POINTS]) else 0.0
        if len(self._to_play) > 1:
            chances[TURN] = chance
        if wrong or self._legal(seat).bit_count() > 1:
            chances[TAKEN_BACK] = chance
        return self._slips.choose(chances, hand=self.number, trick=self._trick)

    def _quiet(self, cards: list[Card]) -> list[Card]:
        """Those of *cards* that break no suit, while the mistake of leading it too early is still due."""
        if self._slips is None or not self._slips.is_due(HEARTS_NOT_BROKEN, hand=self.number):
            return []
        return [card for card in cards if not self._game.breaks(self._moment(), card)]

    def _wrong(self, seat: Seat) -> dict[str, list[Card]]:
        """The cards in *seat*'s hand that would be a mistake now, by its kind."""
        hand, moment = self._held[seat], self._moment()
        wrong: dict[str, list[Card]] = {}
        for card in each(hand):
            broken = [rule for denied, rule in self._game.claims(moment, card) if denied & hand]
            if broken:
                kind = REVOKE if broken[0] == "follow-suit" else broken[0]
                wrong.setdefault(kind, []).append(card)
        return {kind: cards for kind, cards in wrong.items() if kind in FAULTS}

    def _legal(self, seat: Seat) -> Cards:
        return legal_cards(self._game, self._moment(), self._held[seat])

    def _pick(self, cards: Cards) -> Card:
        return self._rng.choice(list(each(cards)))

    def _moment(self) -> Moment:
        return Moment(self._trick, self._led, self._broken, self._deck)

    def _denied(self, seat: Seat, card: Card) -> str | None:
        """The led suit, when *card* says that *seat* has none of it and *seat* has."""
        led = self._led
        if led is None or card.suit == led.suit or not self._held[seat] & OF_SUIT[led.suit]:
            return None
        return led.suit

    def _winner(self) -> Seat:
        led = self._led or ALL_CARDS[0]
        return max(self._lying, key=lambda laid: self._game.wins(led, laid[1]))[0]


# --- a scripted game -----------------------------------------------------------------------------------------------


def acts_of(facts: Iterable[Fact], rulebook: Rulebook) -> Iterator[Act]:
    """The acts that tell a game written as *facts*: cards are laid, lifted and swept, the rest is entered at the
    display. Faults are not known of such a game, so all are None.

    The export of a real game is full of what devices said: each source told of the same card, a card left the felt
    because it was taken back or because its trick was swept, a card was misread and asked about. What a fact meant
    is therefore looked up in a table that folds the game along with the acts:

    - a card that came to lie is laid once, whoever told of it again; where a device had misread it, as it truly was
      (its answer, or its correction);
    - a card that left a trick in progress is lifted; one of a finished trick is swept with the others before the next
      card is laid, unless its seat laid another in its place: then it was lifted;
    - what a device says of itself (lost, found, cleared, tick) is left out.
    """
    script = [*facts]
    table = _Script(rulebook, script)
    for n, fact in enumerate(script, 1):
        yield from table.acts(n, fact)
    yield from table.last_sweep()


class _Script:
    """How far a scripted game has come: its table, and what lies on the felt by the fact that laid it."""

    def __init__(self, rulebook: Rulebook, script: Sequence[Fact]) -> None:
        self._table = empty(rulebook)
        self._lying: dict[tuple[Seat, Card], int] = {}
        self._lifted: set[tuple[Seat, Card]] = set()  # of the trick in progress
        self._leaving: dict[tuple[Seat, Card], tuple[int, Fact]] = {}  # of a finished trick, not swept yet
        self._came_to_lie: set[int] = set()
        table = empty(rulebook)
        for n, fact in enumerate(script, 1):
            table = step(table, fact, n=n)
            if (felt := _felt(table)) is not None:
                self._came_to_lie.update(laid.n for _, laid in felt.places())
        self._truly = {item.n: item.fact for item in effective(table.log) if isinstance(item.fact, f.Seen | f.Tag)}

    def acts(self, n: int, fact: Fact) -> Iterator[Act]:
        in_trick = self._in_progress()
        self._table = step(self._table, fact, n=n)
        match fact:
            case f.Cleared() if not in_trick:
                yield from self._sweep()
            case f.Lost() | f.Found() | f.Tick() | f.Cleared():
                return
            case f.Play() | f.Seen() | f.Tag():
                yield from self._told(n, self._truly.get(n, fact))
            case f.Withdraw() | f.Gone() | f.Untag():
                yield from self._left(n, fact, in_trick=in_trick)
            case f.Hand():
                yield from self._sweep()
                yield self._enter(n, fact)
            case _:
                yield self._enter(n, fact)

    def last_sweep(self) -> Iterator[Act]:
        """Collect the last trick, if it is full: cards that leave a trick in progress would be taken back."""
        if not self._in_progress():
            yield from self._sweep()

    def _in_progress(self) -> bool:
        """Whether the cards before the players are of a trick that is not full yet."""
        felt = _felt(self._table)
        return felt is not None and bool(felt.trick)

    def _told(self, n: int, fact: f.Play | f.Seen | f.Tag) -> Iterator[Act]:
        """A word about a card: that it was laid, or once more that it lies there, or nothing that counts."""
        ruled = {line["ruling"] for line in self._own(n) if "ruling" in line}
        if fact.seat is not None and fact.card is not None:
            where = fact.seat, fact.card
            again = where in self._lifted and where not in self._lying
            if n in self._came_to_lie or again or ruled & {"legal", "unproven", "breach"}:
                yield from self._make_room()
                self._lying[where] = n
                self._lifted.discard(where)
                yield Lay(*self._moment(n), *where, n=n, asked=self._asks())
                return
            self._leaving.pop(where, None)
        if ruled or self._asks():
            yield self._enter(n, fact)

    def _left(self, n: int, fact: f.Withdraw | f.Gone | f.Untag, *, in_trick: bool) -> Iterator[Act]:
        """A card left the felt, or a person says that it was taken back."""
        where = next(
            (w for w in reversed(self._lying) if fact.seat in (None, w[0]) and fact.card in (None, w[1])), None
        )
        if where is None:
            yield self._enter(n, fact)
        elif isinstance(fact, f.Withdraw) or in_trick:
            yield self._lift(where, n, fact)
        else:
            self._leaving[where] = n, fact
            if len(self._leaving) == len(self._lying):
                yield from self._sweep()

    def _make_room(self) -> Iterator[Act]:
        """Before a card is laid: collect the trick before it, or lift the card of that trick that it takes the place
        of."""
        felt = _felt(self._table)
        lie = felt.before_the_players if felt is not None else ()
        stale = [w for w, n in self._lying.items() if not any(x.n == n or (x.seat, x.card) == w for x in lie)]
        if len(stale) == len(self._lying):
            yield from self._sweep()
        for where in stale:
            if where in self._leaving:
                yield self._lift(where, *self._leaving[where])

    def _sweep(self) -> Iterator[Act]:
        if self._lying:
            yield Sweep(*self._moment(next(iter(self._lying.values()))), tuple(self._lying))
        self._lying, self._lifted, self._leaving = {}, set(), {}

    def _lift(self, where: tuple[Seat, Card], n: int, fact: Fact) -> Act:
        at = self._lying.pop(where)
        self._leaving.pop(where, None)
        self._lifted.add(where)
        return Lift(*self._moment(at), *where, n=n, told=replace(fact, at=None))

    def _enter(self, n: int, fact: Fact) -> Act:
        return Enter(replace(fact, at=None), n, asked=self._asks())

    def _asks(self) -> bool:
        return any("question" in line for line in self._table.lines)

    def _own(self, n: int) -> Iterator[Line]:
        """What the table rules on fact *n* itself, which is the latest."""
        return (line for line in self._table.lines if line.get("n") == n and "by" not in line)

    def _moment(self, n: int) -> tuple[int, int]:
        """The hand, and the trick that fact *n* laid a card in."""
        deal = self._table.state.deal
        if deal is None:
            return self._table.state.deals, 1
        number = next((number for number, laid in deal.felt.places() if laid.n == n), deal.felt.number)
        return deal.number, number


def _felt(table: Table) -> Felt | None:
    """The felt of the hand that is played, or of the last one that was."""
    return table.state.deal.felt if table.state.deal is not None else None
