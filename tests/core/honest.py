"""Honest games, played with all hands open, by players who always play legally. Written apart from the engine."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "CDHS"]
LOOK_ALIKE = str.maketrans("CSDH", "SCHD")


def look_alike(card: str) -> str:
    """The same rank in the other suit of the same colour."""
    return card[0] + card[1].translate(LOOK_ALIKE)


@dataclass(frozen=True)
class Laying:
    """One card laid: in which trick, and the hand it came from, itself included."""

    trick: int
    seat: int
    card: str
    hand: tuple[str, ...]
    led: str | None


@dataclass(frozen=True)
class HonestHand:
    """A whole hand: what each seat held, every card laid in order, who won each trick, the points taken."""

    hands: tuple[tuple[str, ...], ...]
    laid: tuple[Laying, ...]
    winners: tuple[int, ...]
    taken: tuple[int, ...]

    @property
    def points(self) -> dict[str, int]:
        """What the hand scores, a moon included."""
        if 26 in self.taken:
            return {str(seat): 26 - points for seat, points in enumerate(self.taken)}
        return {str(seat): points for seat, points in enumerate(self.taken)}


def play_hand(random: Random, *, revoke_at: int | None = None) -> HonestHand:
    """One hand of Hearts (a played heart breaks) with random legal cards. From the laying *revoke_at* on, the first
    seat that holds the led suit and something else does not follow, once."""
    deck = random.sample(DECK, 52)
    dealt = tuple(tuple(deck[seat * 13 : seat * 13 + 13]) for seat in range(4))
    hands = [list(hand) for hand in dealt]
    laid: list[Laying] = []
    winners: list[int] = []
    taken = [0, 0, 0, 0]
    broken = False
    leader = next(seat for seat in range(4) if "2C" in hands[seat])
    for number in range(1, 14):
        trick: list[tuple[int, str]] = []
        for step in range(4):
            seat = (leader + step) % 4
            hand, led = hands[seat], trick[0][1][1] if trick else None
            choice = _allowed(hand, led, number, broken)
            off_suit = [c for c in hand if c[1] != led]
            if led and off_suit and revoke_at is not None and len(laid) >= revoke_at and len(off_suit) < len(hand):
                choice, revoke_at = off_suit, None
            card = random.choice(choice)
            laid.append(Laying(number, seat, card, tuple(hand), led))
            hand.remove(card)
            trick.append((seat, card))
            broken = broken or card[1] == "H"
        suit = trick[0][1][1]
        leader = max((c for c in trick if c[1][1] == suit), key=lambda c: RANKS.index(c[1][0]))[0]
        winners.append(leader)
        taken[leader] += sum(13 if c == "QS" else c[1] == "H" for _, c in trick)
    return HonestHand(dealt, tuple(laid), tuple(winners), tuple(taken))


def _allowed(hand: list[str], led: str | None, number: int, broken: bool) -> list[str]:
    if led is None:
        if number == 1:
            return ["2C"]
        return hand if broken else [c for c in hand if c[1] != "H"] or hand
    following = [c for c in hand if c[1] == led]
    if following:
        return following
    if number == 1:
        return [c for c in hand if c[1] != "H" and c != "QS"] or hand
    return hand
