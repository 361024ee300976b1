"""Bids and the exchange of cards that a blind nil may ask for: from the deal to the first lead."""

from __future__ import annotations

from . import facts as f
from .rules import Game
from .state import Answer, Auction, Deal, State, ignored


def opened(game: Game, dealer: int, players: int) -> Auction | None:
    """The auction of a new hand; None in a game without bids."""
    return None


def answer(state: State, game: Game, deal: Deal | None, n: int, fact: f.Bid | f.Exchange | f.Exchanged) -> Answer:
    """The state after a bid or a part of an exchange, and the ruling on it."""
    return state, (ignored(state, n, fact, "not-in-this-game"),)
