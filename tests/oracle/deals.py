"""Two oracles that say whether a game can have been honest, told only the cards that were laid.

``EveryDeal`` tries every deal of a small deck, as the definition says. ``Watcher`` does whole decks: it deals the
unseen cards out one by one, moving dealt ones where it must, until all lie or one cannot. Neither knows the engine's
theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..core.honest import HonestHand, Laying, Rules

Hands = tuple[frozenset[str], ...]


class EveryDeal:
    """Every deal that the cards laid so far leave possible, and the cards that were laid against the rules in it."""

    def __init__(self, cards: Sequence[str], players: int) -> None:
        self.by: dict[str, int] = {}  # who has laid each card
        self.left: list[tuple[Hands, frozenset[str]]] = [
            (deal, frozenset()) for deal in _deals(frozenset(cards), players, len(cards) // players)
        ]

    def lay(self, seat: int, card: str, honest: Callable[[frozenset[str]], bool]) -> None:
        """*seat* lays *card*, which is *honest* from some hands (the card included)."""
        after = []
        for hands, illegal in self.left:
            hand = hands[seat]
            if card in hand:
                rest = (*hands[:seat], hand - {card}, *hands[seat + 1 :])
                after.append((rest, illegal if honest(hand) else illegal | {card}))
        self.left = after
        self.by[card] = seat

    @property
    def honest(self) -> bool:
        """Whether there is a deal in which nobody has broken a rule."""
        return self.explained(frozenset())

    def explained(self, offences: frozenset[str]) -> bool:
        """Whether there is a deal in which no card was laid against the rules but, perhaps, the *offences*."""
        return any(illegal <= offences for _, illegal in self.left)

    @property
    def offences(self) -> frozenset[str]:
        """The cards that were laid against the rules in every deal."""
        return frozenset.intersection(*(illegal for _, illegal in self.left))

    @property
    def culprits(self) -> frozenset[int]:
        """Those who have broken a rule in every deal, be it with this card or with that."""
        return frozenset.intersection(*(self._who(illegal) for _, illegal in self.left))

    def one_of(self, seats: frozenset[int], *, besides: frozenset[str]) -> bool:
        """Whether one of *seats* has broken a rule in every deal, *besides* with these cards."""
        return all(self._who(illegal - besides) & seats for _, illegal in self.left)

    def _who(self, illegal: frozenset[str]) -> frozenset[int]:
        return frozenset(self.by[card] for card in illegal)


def _deals(cards: frozenset[str], players: int, size: int) -> Iterator[Hands]:
    if players == 1:
        yield (cards,)
        return
    for hand in _choose(sorted(cards), size):
        for rest in _deals(cards - hand, players - 1, size):
            yield (hand, *rest)


def _choose(cards: Sequence[str], size: int) -> Iterator[frozenset[str]]:
    if size == 0:
        yield frozenset()
        return
    for place in range(len(cards) - size + 1):
        for rest in _choose(cards[place + 1 :], size - 1):
            yield rest | {cards[place]}


class Watcher:
    """What somebody knows who sees each card that is laid, and no hand; or, with the dealt hands of *open_deal*, no
    pass: of each hand three cards went to the seat that the pass goes to, nobody saw which."""

    def __init__(self, rules: Rules, *, open_deal: HonestHand | None = None) -> None:
        self.rules = rules
        self.seats = range(rules.players)
        self.room = [len(rules.deck) // rules.players for _ in self.seats]
        self.unseen = set(rules.deck)
        self.denied: list[set[str]] = [set() for _ in self.seats]
        self.shown: set[int] = set()
        self.open_deal = open_deal
        self.handed_on = [0 for _ in self.seats]  # how many of each hand's passed cards have been laid

    def lay(self, laying: Laying) -> None:
        seat, card = laying.seat, laying.card
        self.unseen.remove(card)
        self.room[seat] -= 1
        if card in self.denied[seat]:
            self.shown.add(seat)
        self.denied[seat] |= self.rules.denied(card, laying.moment)
        if self.open_deal is not None and card not in self.open_deal.dealt[seat]:
            self.handed_on[self._giver(seat)] += 1

    @property
    def honest(self) -> bool:
        return self._possible(set(self.seats))

    @property
    def culprits(self) -> frozenset[int]:
        return frozenset(seat for seat in self.seats if not self._possible({seat}))

    def one_of(self, seats: frozenset[int]) -> bool:
        """Whether one of *seats* has certainly broken a rule."""
        return not self._possible(set(seats))

    def _possible(self, believed: set[int]) -> bool:
        """Whether the cards can lie so that what the *believed* seats have denied is true."""
        if believed & self.shown:
            return False
        if self.open_deal is not None:
            return self._possible_pass(self.open_deal, believed)
        may_hold = {
            card: [seat for seat in self.seats if seat not in believed or card not in self.denied[seat]]
            for card in self.unseen
        }
        return _can_be_dealt(may_hold, self.room)

    def _giver(self, seat: int) -> int:
        assert self.open_deal is not None
        passed = self.open_deal.passed
        return next(s for s in self.seats if set(passed[s]) <= set(self.open_deal.hands[seat]) - self._own(seat))

    def _own(self, seat: int) -> set[str]:
        assert self.open_deal is not None
        return set(self.open_deal.dealt[seat])

    def _possible_pass(self, deal: HonestHand, believed: set[int]) -> bool:
        for receiver in self.seats:
            giver = self._giver(receiver)
            left = self.unseen & self._own(giver)
            to_pass = len(deal.passed[giver]) - self.handed_on[giver]
            must_go = left & self.denied[giver] if giver in believed else set()
            must_stay = left & self.denied[receiver] if receiver in believed else set()
            if must_go & must_stay or len(must_go) > to_pass or len(must_stay) > len(left) - to_pass:
                return False
        return True


def _can_be_dealt(may_hold: Mapping[str, Sequence[int]], room: Sequence[int]) -> bool:
    held: list[list[str]] = [[] for _ in room]

    def dealt(card: str, tried: set[int]) -> bool:
        for seat in may_hold[card]:
            if seat in tried:
                continue
            tried.add(seat)
            if len(held[seat]) < room[seat]:
                held[seat].append(card)
                return True
            for other in held[seat]:
                if dealt(other, tried):
                    held[seat][held[seat].index(other)] = card
                    return True
        return False

    return all(dealt(card, set()) for card in may_hold)
