"""How hands and matches end: what a hand scores, its audit, whether the match is over, and the places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from . import facts as f
from .cards import Seat
from .rules import Game
from .state import Answer, Deal, Line, Lines, Result, Score, State, ignored, verdict_line


def end_hand(state: State, game: Game, deal: Deal, n: int, fact: f.EndHand) -> Answer:
    players = len(state.players)
    points = {seat: (fact.points or {}).get(seat, 0) for seat in range(players)}
    if fact.points is None or min(points.values()) < 0 or sum(points.values()) != game.points_in_hand:
        because = str(game.points_in_hand)
        return state, (ignored(state, n, fact, "points-do-not-add-up", because=because),)
    return score_hand(state, game, deal, n, points)


def score_hand(state: State, game: Game, deal: Deal, n: int, taken: Mapping[Seat, int]) -> Answer:
    result = game.score(taken)
    totals = {side: total + result.points.get(side, 0) for side, total in state.totals.items()}
    score = Score(deal.number, result.points, totals, result.moon)
    state = replace(state, deal=replace(deal, phase="over"), scores=(*state.scores, score), questions=())
    lines: Lines = (
        audit(deal, n),
        {
            "event": "hand",
            "hand": deal.number,
            "points": dict(result.points),
            "totals": totals,
            "moon": dict(result.moon) if result.moon else None,
        },
    )
    reason = game.ended(totals, len(state.scores))
    if reason is None:
        return state, lines
    state, ending = end_match(state, game, reason)
    return state, lines + ending


def end_match(state: State, game: Game, reason: str) -> Answer:
    result = Result(game.places(state.totals), state.totals, reason)
    line = {
        "event": "match",
        "places": [list(place) for place in result.places],
        "totals": dict(result.totals),
        "winners": list(result.winners),
        "reason": reason,
    }
    return replace(state, result=result, deal=None, questions=()), (line,)


def broken_off(deal: Deal | None, n: int) -> Lines:
    """The audit of a hand that is not played out: told when there is something to tell."""
    if deal is None or deal.phase == "over" or not (deal.pending or deal.settled):
        return ()
    return (audit(deal, n),)


def audit(deal: Deal, n: int) -> Line:
    """The offences of a hand that stand, and what stays unresolved; claims that no later card can settle are that."""
    unresolved = [verdict_line(finding) for finding in deal.pending]
    if not deal.felt.complete:
        unresolved += [
            {"seat": c.seat, "n": c.n, "trick": c.trick, "card": str(c.card), "rule": c.denied[0][1]}
            for c in deal.felt.claims
        ]
    offences = [verdict_line(finding) for finding in deal.settled]
    return {"ruling": "confirmed", "n": n, "hand": deal.number, "offences": offences, "unresolved": unresolved}
