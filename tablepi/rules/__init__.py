"""The games: what is legal, who wins a trick, what a hand scores. Rule sets are data; each names its game."""

from .hearts import Hearts
from .tricks import Claim, Game, HandResult, Moment, Rulebook

__all__ = ["Claim", "Game", "HandResult", "Hearts", "Moment", "Rulebook"]
