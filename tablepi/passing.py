"""Passing cards before a hand: what is seen of it, and what is known of the hands after it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from . import facts as f
from .cards import Cards, Seat, cards_of, count
from .judge import Felt, begin
from .rules import Game, Hearts
from .state import Answer, Deal, PassedOn, State, ignored


def opened_felt(game: Game, players: int, known: tuple[Cards, ...], leader: Seat | None = None) -> Felt:
    """The empty felt of a hand of which these cards are known as dealt; *leader* opens it, where no card does."""
    size = game.deck(players).bit_count() // players
    return begin(game, players, known=known, full=tuple(count(cards) == size for cards in known), leader=leader)


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
    rules, kept = [], None
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
        elif isinstance(game, Hearts) and fact.seat in (*deal.timed_out, *state.left):
            # What is known of the hand is to go in order (R077).
            first = game.to_pass(mine | cards)[:number]
            kept = next((card for card in first if not card.bit & cards), None)
            rules += ["lowest-card"] if kept is not None else []
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
    if kept is not None:
        line["held"] = str(kept)
    deal = replace(deal, passes=(*deal.passes, PassedOn(fact.seat, cards, number)))
    return replace(state, deal=deal), (line,)


def passed(state: State, deal: Deal) -> State:
    """The passing is over: what is known of the hands now. Each has its full number of cards for certain only if every
    pass was counted."""
    game, players = state.game, len(state.players)
    if game is None:
        return state
    size = deal.felt.size
    known: list[Cards] = []
    full: list[bool] = []
    unpassed: list[Cards] = []
    receivers = tuple(receiver(deal.direction or "hold", seat, players) for seat in range(players))
    even = all(given is not None and given.count == game.pass_count for given in map(deal.pass_of, range(players)))
    for seat in range(players):
        giver = receivers.index(seat)
        given, got = deal.pass_of(seat), deal.pass_of(giver)
        mine = deal.dealt[seat]
        kept = mine & ~given.cards if given is not None and given.cards is not None else 0
        received = got.cards if got is not None and got.cards is not None else 0
        known.append((kept | received) & deal.felt.deck)
        full.append(count(mine) == size and count(known[-1]) == size)
        hidden = count(mine) == size and (given is None or given.cards is None)
        unpassed.append(mine if hidden else 0)
    felt = begin(
        game,
        players,
        known=tuple(known),
        full=tuple(full),
        even=even,
        unpassed=tuple(unpassed) if any(unpassed) else (),
        receivers=receivers,
    )
    return replace(state, deal=replace(deal, phase="playing", felt=felt, timed_out=()))
