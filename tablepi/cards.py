"""Cards, suits, ranks and seats: the words that everything else is said in.

A card is written rank then suit: ``2C``, ``TC``, ``QS``. Input also takes ``10C``, lower case and the suit signs.
Sets of cards are plain integers, one bit a card (``Cards``): the judge asks many small questions about sets, and an
``&`` answers each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Seat = int
"""A place at the table, numbered clockwise from 0; the left neighbour of seat *i* is *i* + 1."""

Cards = int
"""A set of cards: bit ``card.index`` is set when the card is in it."""

SUITS = "CDHS"
RANKS = "23456789TJQKA"
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_SIGN_TO_SUIT = {"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♥": "H", "♡": "H", "♠": "S", "♤": "S"}
_SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}

# What a rank is called where the cards speak another language: Portuguese Ás, Rei, Dama, Valete. Decks in Brazil carry
# the letters of the English ones.
RANK_LETTERS: dict[str, dict[str, str]] = {"en": {}, "pt": {"K": "R", "Q": "D", "J": "V"}, "pt-BR": {}}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One playing card. ``index`` is 0..51: rank in the order 2 to ace, four suits a rank in the order C D H S."""

    index: int

    @property
    def rank(self) -> str:
        return RANKS[self.index >> 2]

    @property
    def suit(self) -> str:
        return SUITS[self.index & 3]

    @property
    def bit(self) -> Cards:
        return 1 << self.index

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"card({str(self)!r})"

    def face(self, language: str = "en") -> str:
        """The card as people write it at the table: ``Q♠``, in Portugal ``D♠``."""
        letters = RANK_LETTERS.get(language, RANK_LETTERS.get(language[:2], {}))
        rank = letters.get(self.rank, "10" if self.rank == "T" else self.rank)
        return rank + SUIT_SIGNS[self.suit]


ALL_CARDS = tuple(Card(i) for i in range(52))
FULL_DECK: Cards = (1 << 52) - 1
_BY_NAME = {str(c): c for c in ALL_CARDS}


def card(text: str) -> Card:
    """Parse one card: ``QS``, ``qs``, ``10C``, ``T♣``. Raises ValueError that quotes the text."""
    name = text.strip().upper().replace("\ufe0f", "")
    if name.startswith("10"):
        name = "T" + name[2:]
    if len(name) == 2:
        name = name[0] + _SIGN_TO_SUIT.get(name[1], name[1])
    found = _BY_NAME.get(name)
    if found is None:
        raise ValueError(f"{text!r} is not a card: write rank then suit, such as QS, TC or 10C")
    return found


def hand_of_cards(text: str) -> tuple[Card, ...]:
    """Parse cards separated by spaces or commas: ``"QS AS KH"``. Raises ValueError for text that is no card or for a
    card written twice."""
    cards = tuple(card(word) for word in text.replace(",", " ").split())
    if len(set(cards)) != len(cards):
        twice = next(c for c in cards if cards.count(c) > 1)
        raise ValueError(f"{twice} is written twice in {text!r}")
    return cards


def cards_of(cards: Iterable[Card]) -> Cards:
    """The set that holds just *cards*."""
    mask = 0
    for c in cards:
        mask |= 1 << c.index
    return mask


def each(cards: Cards) -> Iterator[Card]:
    """The cards of a set, lowest index first."""
    while cards:
        low = cards & -cards
        yield ALL_CARDS[low.bit_length() - 1]
        cards ^= low


def count(cards: Cards) -> int:
    return cards.bit_count()


OF_SUIT: dict[str, Cards] = {s: cards_of(c for c in ALL_CARDS if c.suit == s) for s in SUITS}


def look_alikes(read: Card) -> tuple[Card, ...]:
    """Cards that a camera may have mistaken for *read*: the one list that the referee's guard uses.

    The same rank in the other suit of the same colour; confusions measured for the trained reader join here.
    """
    return (_BY_NAME[read.rank + _SAME_COLOUR[read.suit]],)
