"""Whole matches of Hearts by every rule set and number of players: honest hands are never accused, and the points of
each hand are those of the rule set."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from tablepi import facts as f
from tablepi.facts import Fact
from tablepi.rules import Hearts
from tablepi.virtual.players import Act, AllPassed, DealHand, Enter, HandOver, Lay, PassCards, play_match

from ..script import RULEBOOK, Told

SEATED = ("Rita", "Ada", "Bo", "Cleo", "Duarte", "Eva", "Filipe")
TABLES = [(name, n) for name, game in sorted(RULEBOOK.items()) if isinstance(game, Hearts) for n in game.players]


def entered(acts: Iterable[Act]) -> Iterable[Fact]:
    """What a person enters of *acts*."""
    for act in acts:
        match act:
            case Enter(fact=fact):
                yield fact
            case DealHand():
                yield f.Hand(dealer=act.dealer)
            case PassCards():
                yield f.Pass(seat=act.seat, cards=act.cards)
            case AllPassed():
                yield f.Passed()
            case Lay():
                yield f.Play(seat=act.seat, card=act.card)


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_an_honest_match_accuses_nobody_and_scores_what_was_taken(rules, players):
    game = RULEBOOK[rules]
    match = f.Match(rules=rules, players=SEATED[:players])
    acts = list(play_match(match, game, hands=4, rng=Random(players)))
    told = Told(entered(acts))
    assert told.rulings("breach", "proved", "pending", "someone", "ignored") == []
    assert told.questions() == []
    over = [act for act in acts if isinstance(act, HandOver)]
    assert [(e["points"], e["totals"]) for e in told.events("hand")] == [(a.points, a.totals) for a in over]
    assert {sum(act.took) for act in over} == {game.points_in_hand}
    assert len(told.events("trick")) == len(over) * (game.deck(players).bit_count() // players)
    assert len(told.events("match")) == 1
