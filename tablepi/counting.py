"""Whether an honest deal is left: the cards that nobody has seen, and who has denied holding which.

Every rule of a trick game lets a card be played only from a hand without certain others, so a play *denies* cards, and
denials add up while cards leave a hand: what a seat denied once it cannot hold later. All plays so far can have been
legal if and only if the unseen cards can be dealt out so that each seat gets as many as it still holds and none that it
denied. By Hall's theorem that is so exactly when for every set of seats the unseen cards that may lie only with them
fit into their hands; there are 2 to the power of seats such sets, and no earlier proof exists than this one.

* A seat is **guilty** for certain when no deal is left even if everybody else may have lied: when too few cards are
  left that it may hold.
* When no deal is left and no single seat is guilty for certain, **someone** has lied: one of the seats whose denials
  leave too little room.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from .cards import Cards, Seat


def lacks(unseen: Cards, room: int, denied: Cards) -> bool:
    """Whether a seat with *room* cards has denied so many of the *unseen* ones that it cannot have as many."""
    return (unseen & ~denied).bit_count() < room


def crowded(unseen: Cards, room: Sequence[int], denied: Sequence[Cards]) -> frozenset[Seat]:
    """The fewest seats whose denials together leave no deal; none when a deal is left.

    Unseen cards beyond what the seats have room for lie where nobody knows (a card laid that could not be read).
    """
    every = unseen.bit_count()
    if every < sum(room):  # the hands are not what they are taken for
        return frozenset()
    deniers = tuple(seat for seat, cards in enumerate(denied) if cards & unseen)
    for liars in _groups(deniers):
        denied_by_all, elsewhere = unseen, every
        for seat in liars:
            denied_by_all &= denied[seat]
            elsewhere -= room[seat]
        if denied_by_all.bit_count() > elsewhere:
            return frozenset(liars)
    return frozenset()


@cache
def _groups(seats: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    """Every group of *seats* but the empty one, the smaller first."""
    return tuple(group for size in range(1, len(seats) + 1) for group in combinations(seats, size))
