"""Passing cards before a hand: what is seen of it, and what is known of the hands after it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from . import facts as f
from .cards import Cards, Seat, cards_of, count
from .judge import Felt, begin
from .rules import Game
from .state import Answer, Deal, PassedOn, State, ignored


def opened_felt(game: Game, players: int, known: tuple[Cards, ...], full: tuple[bool, ...] | None = None) -> Felt:
    size = game.deck(players).bit_count() // players
    return begin(game, players, known=known, full=full or tuple(count(cards) == size for cards in known))


def receiver(direction: str, seat: Seat, players: int) -> Seat:
    """The seat that gets what *seat* passes."""
    steps = {"left": 1, "right": -1, "across": players // 2, "left-2": 2, "right-2": -2}
    return (seat + steps.get(direction, 0)) % players


def pass_cards(state: State, deal: Deal, n: int, fact: f.Pass) -> Answer:
    game = state.game
    if game is None or deal.phase != "passing":
        return state, (ignored(state, n, fact, "no-pass"),)
    if deal.pass_of(fact.seat) is not None:
        return state, (ignored(state, n, fact, "passed-already"),)
    cards = None if fact.cards is None else cards_of(fact.cards)
    number = len(fact.cards) if fact.cards is not None else fact.count or 0
    rules = []
    if number != game.pass_count:
        rules.append("pass-count")
    if cards is not None:
        mine, size = deal.dealt[fact.seat], deal.felt.size
        others = 0
        for seat, dealt in enumerate(deal.dealt):
            others |= dealt if seat != fact.seat else 0
        for earlier in deal.passes:
            others |= earlier.cards or 0
        if cards & ~deal.felt.deck:
            rules.append("not-in-deck")
        elif cards & others or (count(mine) == size and cards & ~mine):
            rules.append("not-in-hand")
    line: dict[str, Any] = {
        "ruling": "breach" if rules else "legal",
        "n": n,
        "hand": deal.number,
        "trick": None,
        "seat": fact.seat,
        "cards": None if fact.cards is None else " ".join(map(str, fact.cards)),
        "rules": rules,
    }
    if fact.cards is None:
        line["count"] = number
    if "pass-count" in rules:
        line["expected"] = game.pass_count
    deal = replace(deal, passes=(*deal.passes, PassedOn(fact.seat, cards, number)))
    return replace(state, deal=deal), (line,)


def passed(state: State, deal: Deal) -> State:
    """The passing is over: what is known of the hands now."""
    game, players = state.game, len(state.players)
    if game is None:
        return state
    size = deal.felt.size
    known: list[Cards] = []
    full: list[bool] = []
    for seat in range(players):
        giver = next(s for s in range(players) if receiver(deal.direction or "hold", s, players) == seat)
        given, got = deal.pass_of(seat), deal.pass_of(giver)
        mine = deal.dealt[seat]
        kept = mine & ~given.cards if given is not None and given.cards is not None else 0
        received = got.cards if got is not None and got.cards is not None else 0
        known.append((kept | received) & deal.felt.deck)
        full.append(count(mine) == size and count(known[-1]) == size)
    felt = opened_felt(game, players, tuple(known), tuple(full))
    return replace(state, deal=replace(deal, phase="playing", felt=felt))
