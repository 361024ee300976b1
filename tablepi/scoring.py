"""How hands and matches end: what a hand scores, its audit, whether the match is over, and the places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from . import facts as f
from .cards import Seat
from .rules import Game, Played
from .state import Answer, Deal, Line, Lines, Result, Score, State, ignored, verdict_line


def end_hand(state: State, game: Game, deal: Deal, n: int, fact: f.EndHand) -> Answer:
    """The hand ends by agreement, with the points of the whole hand."""
    players = len(state.players)
    points = {seat: (fact.points or {}).get(seat, 0) for seat in range(players)}
    if fact.points is None or min(points.values()) < 0 or sum(points.values()) != game.points_in_hand:
        because = str(game.points_in_hand)
        return state, (ignored(state, n, fact, "points-do-not-add-up", because=because),)
    return end_of_play(state, game, deal, n, points, dict.fromkeys(range(players), 0))


def end_of_play(
    state: State, game: Game, deal: Deal, n: int, taken: Mapping[Seat, int], tricks: Mapping[Seat, int]
) -> Answer:
    """The last card has been laid, or the players agree: each seat has *taken* these points, and won these *tricks*."""
    played = Played(
        taken,
        tricks,
        deal.auction.bids if deal.auction is not None else {},
        tuple((finding.seat, finding.rule) for finding in deal.settled),
        state.totals,
        state.scores[-1].bags or {} if state.scores else {},
    )
    state = replace(state, deal=replace(deal, phase="choosing", played=played), questions=())
    state, scored = _score(state, game, n)
    return state, (audit(deal, n), *scored)


def choose(state: State, game: Game, n: int, fact: f.Choose) -> Answer:
    """The shooter of a moon says what it does."""
    return state, (ignored(state, n, fact, "not-in-this-game"),)


def _score(state: State, game: Game, n: int) -> Answer:
    """Score the hand that has been played, or ask for the choice that it depends on."""
    deal = state.deal
    if deal is None or deal.played is None:
        return state, ()
    result = game.score(deal.played)
    totals = {side: total + result.points.get(side, 0) for side, total in state.totals.items()}
    score = Score(deal.number, result.points, totals, result.moon, result.sides, result.bags)
    state = replace(state, deal=replace(deal, phase="over"), scores=(*state.scores, score), choice=None)
    line: Line = {"event": "hand", "hand": deal.number}
    if result.sides is not None:
        line = {**line, "sides": {side: dict(told) for side, told in result.sides.items()}}
    else:
        moon = dict(result.moon) if result.moon else None
        line = {**line, "points": dict(result.points), "totals": totals, "moon": moon}
    reason = game.ended(totals, len(state.scores))
    if reason is None:
        return state, (line,)
    state, ending = end_match(state, game, reason)
    return state, (line, *ending)


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
