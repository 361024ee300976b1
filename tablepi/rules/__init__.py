"""The games: what is legal, who wins a trick, what a hand scores. Rule sets are data; each names its game."""

from .hearts import Hearts
from .spades import Spades
from .tricks import BASE, Bid, Claim, Game, HandResult, Moment, Played, Rulebook, game_of

__all__ = ["BASE", "Bid", "Claim", "Game", "HandResult", "Hearts", "Moment", "Played", "Rulebook", "Spades", "game_of"]
