"""The games: what is legal, who wins a trick, what a hand scores. Rule sets are data; each names its game."""

from .hearts import Hearts
from .tricks import Bid, Claim, Game, HandResult, Moment, Played, Rulebook

__all__ = ["Bid", "Claim", "Game", "HandResult", "Hearts", "Moment", "Played", "Rulebook"]
