"""What a rule set adds to the play of cards: bids, time-outs, players who leave, tricks that are private.

The other views ask the game only for what every game has, and these functions for the rest.
"""

from __future__ import annotations

from collections.abc import Iterable

from .. import facts as f
from ..cards import Card, Seat, each
from ..rules import Game, Hearts, Spades
from ..rules.hearts import CARD_RULES
from ..state import State

_ALL = (1 << 52) - 1


def may_run_out_of_time(game: Game | None) -> bool:
    """Whether somebody may say that a player's time is up."""
    return isinstance(game, Hearts) and game.timeouts is not None


def may_leave(game: Game | None) -> bool:
    """Whether a player may leave, and the others play on."""
    return isinstance(game, Hearts) and game.leaving


def private_tricks(game: Game | None) -> bool:
    """Whether the tricks before the one in progress are nobody's business."""
    return game is not None and "tricks" not in game.public


def pause(game: Game | None, after: str) -> float:
    """The seconds to wait after a ``trick`` or a ``hand``; 0 where the rules say nothing."""
    return game.pauses.get(after, 0) if game is not None else 0


def punished(game: Game | None, rules: Iterable[str]) -> bool:
    """Whether an offence against one of *rules* changes the score."""
    if isinstance(game, Spades):
        return game.revoke != "record" and "follow-suit" in rules
    return isinstance(game, Hearts) and game.illegal != "record" and any(rule in CARD_RULES for rule in rules)


def bonus(game: Game | None) -> int:
    """What the cards that take points off are worth together: 0, or less."""
    return sum(value for value in game.values.values() if value < 0) if isinstance(game, Hearts) else 0


def bids(game: Game | None, seat: Seat) -> tuple[f.Bid, ...]:
    """The bids that there are: numbers, then nil, blind nil and blind nil with an exchange where they are played.
    Whether the score allows one is for the rules to say."""
    if not isinstance(game, Spades):
        return ()
    numbers = tuple(f.Bid(seat=seat, bid=tricks) for tricks in range(game.minimum_bid, 14))
    named = (f.Bid(seat=seat, bid=nil) for nil, played in (("nil", game.nil), ("blind-nil", game.blind_nil)) if played)
    exchange = (f.Bid(seat=seat, bid="blind-nil", exchange=True),) if game.exchange else ()
    return (*numbers, *named, *exchange)


def removed(state: State) -> tuple[Card, ...]:
    """The cards that are not played with, by suit."""
    if state.game is None:
        return ()
    out = each(_ALL & ~state.game.deck(len(state.players)))
    return tuple(sorted(out, key=lambda c: ("CDHS".index(c.suit), c.index)))
