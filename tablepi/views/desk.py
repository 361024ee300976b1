"""The person at the display: which choice lies open, what has been typed, and what a press means.

``press`` is pure: a desk, a table and what was pressed give the next desk and the facts that the person has entered.
Nothing here decides anything about the game; whatever is entered goes the way of every other fact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .. import facts as f
from ..cards import RANKS, Card, Seat, each
from ..facts import Fact
from ..judge import Felt
from ..match import Question, State
from ..table import Table, undo
from .screen import Action

LANGUAGES = ("en", "pt-PT", "pt-BR")

# What may be typed for a rank and for a suit; Portuguese cards say Ás, Rei, Dama, Valete, and paus, ouros, copas,
# espadas.
_TYPED_RANKS = {"en": {"1": "T"}, "pt": {"r": "K", "d": "Q", "v": "J", "1": "T"}}
_TYPED_SUITS = {
    "en": {"c": "C", "d": "D", "h": "H", "s": "S"},
    "pt": {"p": "C", "o": "D", "c": "H", "e": "S"},
}


@dataclass(frozen=True, slots=True)
class Setup:
    """What the next match begins with; *rules* are the names to choose from."""

    players: tuple[str, ...]
    rules: tuple[str, ...]
    chosen: str
    options: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies open on the display: *open* names it (``card``, ``whose``, ``seat``, ``answer``, ``correct``,
    ``end-hand``, ``sure``, ``help``, ``scores``, or nothing), *argument* says about what; *typed* is a card half typed;
    *points* are being dealt out when a hand ends by agreement; *leaving* once the person has asked to leave."""

    setup: Setup
    language: str = "en"
    open: str = ""
    argument: str = ""
    typed: str = ""
    points: tuple[int, ...] = ()
    leaving: bool = False

    def closed(self) -> Desk:
        return replace(self, open="", argument="", typed="", points=())


def press(desk: Desk, table: Table, action: Action) -> tuple[Desk, tuple[Fact, ...]]:
    """The desk after a press, and the facts it means: none, one, or a few."""
    if isinstance(action, Fact):
        return desk.closed(), (_signed(action),)
    name, argument = action.name, action.argument
    match name:
        case "close":
            return desk.closed(), ()
        case "leave":
            return replace(desk.closed(), leaving=True), ()
        case "language":
            following = LANGUAGES[(LANGUAGES.index(desk.language) + 1) % len(LANGUAGES)]
            return replace(desk, language=following), ()
        case "rules":
            return replace(desk, setup=_next_rules(desk.setup)), ()
        case "undo":
            back = undo(table)
            return desk.closed(), () if back is None else (back,)
        case "give":
            return _give(desk, table, argument), ()
        case "end-hand" if desk.open == "end-hand":
            points = dict(enumerate(desk.points))
            return desk.closed(), (f.EndHand(points=points, source="person"),)
        case "end-hand":
            return replace(desk.closed(), open=name, points=points_taken(table.state)), ()
        case "chosen":
            return desk.closed(), _chosen(desk, table, argument)
        case _:
            return replace(desk.closed(), open=name, argument=argument), ()


def type_key(desk: Desk, table: Table, key: str) -> tuple[Desk, tuple[Fact, ...]]:
    """A key that no tap owns: a letter of a card. Typing a rank while nothing lies open enters the card of the seat
    whose turn it is (of the seat chosen, where a picker is open)."""
    key = key.lower().removeprefix("[").removesuffix("]")
    tongue = desk.language[:2]
    if key == "backspace":
        return replace(desk, typed=desk.typed[:-1]), ()
    if desk.open in ("", "card", "correct", "answer") and not desk.typed:
        rank = _TYPED_RANKS[tongue].get(key, key.upper() if len(key) == 1 else "")
        seat = table.state.felt.turn if table.state.felt is not None else None
        if len(rank) != 1 or rank not in RANKS:
            return desk, ()
        if desk.open:
            return replace(desk, typed=rank), ()
        return replace(desk.closed(), open="card", argument="" if seat is None else str(seat), typed=rank), ()
    suit = _TYPED_SUITS[tongue].get(key)
    if desk.typed and key == "0" and desk.typed == "T":
        return desk, ()  # 1, 0: the ten
    if not desk.typed or suit is None:
        return desk, ()
    written = desk.typed + suit
    if desk.open == "card" and desk.argument == "":
        return replace(desk, typed=written), ()  # whoever it is: the seat is asked for next
    if written not in {str(c) for c in choosable(desk, table)}:
        return replace(desk, typed=""), ()
    return desk.closed(), _chosen(desk, table, written)


def choosable(desk: Desk, table: Table) -> tuple[Card, ...]:
    """The cards that the open picker offers."""
    question = open_question(desk, table.state)
    felt = table.state.felt
    if question is not None:
        return tuple(c for c in question.candidates if isinstance(c, Card))
    if felt is None:
        deal = table.state.deal
        return tuple(each(deal.felt.deck)) if deal is not None else ()
    if desk.open == "correct":
        here = next((laid.card for _, laid in felt.places() if str(laid.n) == desk.argument), None)
        return tuple(c for c in each(felt.deck & ~felt.seen) if c != here)
    return tuple(each(felt.deck & ~felt.seen))


def open_question(desk: Desk, state: State) -> Question | None:
    """The question whose picker lies open."""
    if desk.open != "answer":
        return None
    return next((q for q in state.questions if q.id == desk.argument), None)


def points_taken(state: State) -> tuple[int, ...]:
    """The points that each seat has taken in the hand so far."""
    felt = state.deal.felt if state.deal is not None else None
    if felt is None:
        return (0,) * len(state.players)
    return tuple(felt.game.points(felt.taken(seat)) for seat in range(felt.players))


def points_left(desk: Desk, state: State) -> int:
    """The points of the hand that nobody has been given yet."""
    return (state.game.points_in_hand if state.game is not None else 0) - sum(desk.points)


def latest_laid(felt: Felt) -> tuple[Seat, Card] | None:
    """The latest card on the felt that can still be taken back."""
    for number, laid in felt.places():
        if laid.card is not None and (number == felt.number or not felt.trick):
            return laid.seat, laid.card
    return None


def _give(desk: Desk, table: Table, argument: str) -> Desk:
    """``"2"`` gives seat 2 one point more, ``"2*"`` all that are left."""
    seat, left = int(argument.rstrip("*")), points_left(desk, table.state)
    more = left if argument.endswith("*") else min(1, left)
    return replace(desk, points=tuple(p + more if s == seat else p for s, p in enumerate(desk.points)))


def _chosen(desk: Desk, table: Table, written: str) -> tuple[Fact, ...]:
    chosen = next((c for c in choosable(desk, table) if str(c) == written), None)
    if desk.open == "card" and len(desk.typed) == 2 and written.isdigit():  # a typed card, and now its seat
        typed = next((c for c in choosable(desk, table) if str(c) == desk.typed), None)
        return () if typed is None else (f.Play(seat=int(written), card=typed, source="person"),)
    if chosen is None:
        return ()
    if desk.open == "answer":
        return (f.Answer(question=desk.argument, card=chosen, source="person"),)
    if desk.open == "correct":
        return (f.Correct(n=int(desk.argument), set={"card": chosen}, source="person", reason="display"),)
    if desk.argument == "":
        return ()
    return (f.Play(seat=int(desk.argument), card=chosen, source="person"),)


def _signed(fact: Fact) -> Fact:
    return fact if fact.source is not None else replace(fact, source="person")


def _next_rules(setup: Setup) -> Setup:
    place = setup.rules.index(setup.chosen) if setup.chosen in setup.rules else -1
    return replace(setup, chosen=setup.rules[(place + 1) % len(setup.rules)])


def new_match(setup: Setup) -> f.Match:
    """The fact that begins the match of *setup*."""
    options = dict(setup.options) if setup.options else None
    return f.Match(rules=setup.chosen, players=setup.players, options=options, source="person")
