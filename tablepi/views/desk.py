"""The person at the display: which choice lies open, what has been typed, and what a press means.

``press`` is pure: a desk, a table and what was pressed give the next desk and the facts that the person has entered.
Nothing here decides anything about the game; whatever is entered goes the way of every other fact.

A card is typed as two keys, rank and suit, on the bare table: it is the card of the seat that is expected to lay one
(``expected``). So no button of the table may own a key that begins a card.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .. import facts as f
from ..cards import RANKS, Card, Seat, cards_of, each
from ..facts import Fact
from ..judge import Felt, Laid
from ..state import Question, State
from ..table import Table, undo
from .lamps import expected
from .screen import Action

LANGUAGES = ("en", "pt-PT", "pt-BR")
LANGUAGE_NAMES = {"en": "English", "pt-PT": "Português", "pt-BR": "Português do Brasil"}

# What may be typed for a rank and for a suit; Portuguese cards say Ás, Rei, Dama, Valete, and paus, ouros, copas,
# espadas. A ten is T, 1, or 1 and 0.
_TYPED_RANKS = {"en": {"1": "T"}, "pt": {"r": "K", "d": "Q", "v": "J", "1": "T"}}
_TYPED_SUITS = {
    "en": {"c": "C", "d": "D", "h": "H", "s": "S"},
    "pt": {"p": "C", "o": "D", "c": "H", "e": "S"},
}

_CARD_PICKERS = ("card", "second", "answer", "correct", "wrong")
_OF_A_HAND = (*_CARD_PICKERS, "laid-by", "whose", "player", "seat", "passer", "pass", "end-hand")


@dataclass(frozen=True, slots=True)
class Setup:
    """What the next match begins with; *rules* are the names to choose from."""

    players: tuple[str, ...]
    rules: tuple[str, ...]
    chosen: str
    options: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies open on the display. *open* names it, *argument* says about what:

    ``card`` (of seat, or nobody's yet), ``second`` (a second card of seat), ``whose``, ``player`` (which one),
    ``seat``, ``passer`` (which one), ``pass`` (of seat), ``answer`` (to question), ``wrong`` (which card), ``correct``
    (fact), ``laid-by`` (who, fact), ``dealer``, ``end-hand``, ``menu``, ``sure`` (about what), ``help``, ``lamps``,
    ``scores``, or nothing.

    *typed* is a card half typed, *refused* a typed card that cannot be chosen; *points* are being dealt out when a hand
    ends by agreement; *later* are the questions put off; *leaving* once the person has asked to leave. *since* is the
    latest fact when it was opened: what is opened for a card or a hand does not outlive it.
    """

    setup: Setup
    language: str = "en"
    open: str = ""
    argument: str = ""
    typed: str = ""
    refused: str = ""
    points: tuple[int, ...] = ()
    later: tuple[str, ...] = ()
    leaving: bool = False
    since: int = field(default=0, compare=False)

    def closed(self) -> Desk:
        return replace(self, open="", argument="", typed="", refused="", points=())

    def opened(self, what: str, argument: str = "", *, since: int) -> Desk:
        return replace(self.closed(), open=what, argument=argument, since=since)


Answered = tuple[Desk, tuple[Fact, ...]]
"""A desk after a press, and the facts that the press means."""


def press(desk: Desk, table: Table, action: Action) -> Answered:
    """The desk after a press, and the facts it means: none, one, or a few."""
    state = table.state
    desk = in_place(desk, table)
    if isinstance(action, Fact):
        if isinstance(action, f.Match) and state.match is not None and state.result is None:
            return desk.closed(), ()  # pressed twice
        return desk.closed(), (_signed(action),)
    name, argument = action.name, action.argument
    match name:
        case "close":
            return desk.closed(), ()
        case "leave":
            return replace(desk.closed(), leaving=True), ()
        case "language":
            following = LANGUAGES[(LANGUAGES.index(desk.language) + 1) % len(LANGUAGES)]
            return replace(desk, language=following, typed="", refused=""), ()
        case "rules":
            return replace(desk, setup=_next_rules(desk.setup)), ()
        case "undo":
            back = undo(table)
            return desk.closed(), () if back is None else (back,)
        case "later":
            return replace(desk.closed(), later=(*desk.later, argument)), ()
        case "questions":
            return replace(desk.closed(), later=()), ()
        case "give":
            return _give(desk, state, argument), ()
        case "end-hand" if desk.open == "end-hand":
            return _end_hand(desk, state)
        case "end-hand":
            return replace(desk.opened(name, since=table.n), points=points_taken(state)), ()
        case "chosen":
            return _choose(desk, table, argument)
        case _:
            return desk.opened(name, argument, since=table.n), ()


def type_key(desk: Desk, table: Table, key: str) -> Answered:
    """A key that no tap owns: a letter of a card. Typing a rank while nothing lies open enters the card of the seat
    that is expected to lay one; while a picker lies open, the card that it asks for."""
    desk = in_place(desk, table)
    key = key.lower().removeprefix("[").removesuffix("]")
    tongue = desk.language[:2]
    if key == "backspace":
        if desk.typed:
            return replace(desk, typed=desk.typed[:-1], refused=""), ()
        return desk.closed() if desk.open in _CARD_PICKERS else desk, ()
    if desk.open not in ("", "seat", *_CARD_PICKERS) or not _in_play(table.state):
        return desk, ()
    if len(desk.typed) == 2:  # the card is known, its seat is asked for
        seat = key if key.isascii() and key.isdecimal() else "0"
        return _choose(desk, table, str(int(seat) - 1)) if 0 < int(seat) <= len(table.state.players) else (desk, ())
    if desk.typed == "T" and key == "0":
        return desk, ()  # 1, 0: the ten
    suit = _TYPED_SUITS[tongue].get(key)
    if desk.typed and suit is not None:
        return _typed(desk, table, desk.typed + suit)
    rank = _TYPED_RANKS[tongue].get(key, key.upper())
    if len(rank) != 1 or rank not in RANKS:
        return desk, ()
    if desk.open in _CARD_PICKERS:
        return replace(desk, typed=rank, refused=""), ()
    seat = desk.argument if desk.open == "seat" else _argument(expected(table.state))
    lying = table.state.felt.lies(int(seat)) if desk.open == "seat" and table.state.felt is not None else None
    what = "second" if lying is not None and lying.card is not None else "card"
    return replace(desk.opened(what, seat, since=table.n), typed=rank), ()


def _typed(desk: Desk, table: Table, written: str) -> Answered:
    if written not in {str(c) for c in choosable(desk, table)}:
        return replace(desk, typed="", refused=written), ()
    if desk.open == "card" and desk.argument == "":
        return replace(desk, typed=written), ()  # nobody's turn: whose card it is, is asked next
    return _choose(desk, table, written)


def in_place(desk: Desk, table: Table) -> Desk:
    """*desk* without what can no longer lie open, because the table has moved on beneath it."""
    state = table.state
    asked = {question.id for question in state.questions}
    if not asked.issuperset(desk.later):
        desk = replace(desk, later=tuple(id for id in desk.later if id in asked))
    if desk.open in _OF_A_HAND:
        dealt = table.marks[-1][0] if table.marks else 0
        if not _in_play(state) or dealt > desk.since or not _still_open(desk, state):
            return desk.closed()
    if desk.open == "menu" and state.match is None:
        return desk.closed()
    return desk


def _in_play(state: State) -> bool:
    return state.deal is not None and state.deal.phase != "over"


def _still_open(desk: Desk, state: State) -> bool:
    felt, passing = state.felt, state.deal is not None and state.deal.phase == "passing"
    match desk.open:
        case "card" if desk.argument and felt is not None:  # a reader may have been quicker
            mine = (laid for _, laid in felt.places() if laid.seat == int(desk.argument) and laid.card is not None)
            return all(laid.n <= desk.since for laid in mine)
        case "answer":
            return open_question(desk, state) is not None
        case "correct" | "laid-by":
            return laid_as(state, desk.argument) is not None
        case "passer" | "pass":
            return passing
        case "player" | "seat" | "second" | "wrong":
            return not passing
        case _:
            return True


def choosable(desk: Desk, table: Table) -> tuple[Card, ...]:
    """The cards that the open picker offers; on the bare table those that have not been seen."""
    state = table.state
    question = open_question(desk, state)
    if question is not None:
        return tuple(c for c in question.candidates if isinstance(c, Card))
    if state.deal is None:
        return ()
    felt = state.deal.felt
    there = cards_of(laid.card for _, laid in felt.places() if laid.card is not None)
    return tuple(each(there if desk.open == "wrong" else felt.deck & ~there))


def open_question(desk: Desk, state: State) -> Question | None:
    """The question whose picker lies open."""
    if desk.open != "answer":
        return None
    return next((q for q in state.questions if q.id == desk.argument), None)


def laid_as(state: State, n: str) -> tuple[int, Laid] | None:
    """The number of the trick, and the card that fact *n* laid in it."""
    felt = state.felt
    return next((place for place in felt.places() if str(place[1].n) == n), None) if felt is not None else None


def points_taken(state: State) -> tuple[int, ...]:
    """The points that each seat has taken in the hand so far."""
    felt = state.deal.felt if state.deal is not None else None
    if felt is None:
        return (0,) * len(state.players)
    return tuple(felt.game.points(felt.taken(seat)) for seat in range(felt.players))


def points_left(desk: Desk, state: State) -> int:
    """The points of the hand that nobody has been given yet."""
    return (state.game.points_in_hand if state.game is not None else 0) - sum(desk.points)


def latest_laid(felt: Felt) -> Laid | None:
    """The latest card in place on the felt that can still be taken back."""
    places = ((number, laid) for number, laid in felt.places() if laid.card is not None)
    return next((laid for number, laid in places if number == felt.number or not felt.trick), None)


def new_match(setup: Setup) -> f.Match:
    """The fact that begins the match of *setup*."""
    options = dict(setup.options) if setup.options else None
    return f.Match(rules=setup.chosen, players=setup.players, options=options, source="person")


def _give(desk: Desk, state: State, argument: str) -> Desk:
    """``"2+5"`` gives seat 2 five points more, or what is left of them; ``"2*"`` all that are left; ``""`` begins
    again from nothing."""
    if not argument:
        return replace(desk, points=(0,) * len(state.players))
    seat, left = int(argument[0]), points_left(desk, state)
    more = left if argument[1:] == "*" else min(int(argument[1:]), left)
    return replace(desk, points=tuple(p + more if s == seat else p for s, p in enumerate(desk.points)))


def _end_hand(desk: Desk, state: State) -> Answered:
    if points_left(desk, state) != 0:
        return desk, ()
    return desk.closed(), (f.EndHand(points=dict(enumerate(desk.points)), source="person"),)


def _choose(desk: Desk, table: Table, written: str) -> Answered:
    """A card was chosen in the open picker, or the seat of a typed card."""
    choices = {str(c): c for c in choosable(desk, table)}
    if desk.open == "card" and len(desk.typed) == 2 and written.isdecimal():
        typed = choices.get(desk.typed)
        return desk.closed(), () if typed is None else (f.Play(seat=int(written), card=typed, source="person"),)
    chosen = choices.get(written)
    if chosen is None:
        return desk, ()
    match desk.open:
        case "answer":
            return desk.closed(), (f.Answer(question=desk.argument, card=chosen, source="person"),)
        case "correct":
            n = int(desk.argument)
            return desk.closed(), (f.Correct(n=n, set={"card": chosen}, source="person", reason="display"),)
        case "wrong":
            felt = table.state.felt
            places = felt.places() if felt is not None else iter(())
            n = next((laid.n for _, laid in places if laid.card == chosen), 0)
            return desk.opened("correct", str(n), since=table.n), ()
        case "card" if desk.argument == "":
            return replace(desk, typed=written, refused=""), ()
        case "card" | "second":
            return desk.closed(), (f.Play(seat=int(desk.argument), card=chosen, source="person"),)
        case _:
            return desk, ()


def _argument(seat: Seat | None) -> str:
    return "" if seat is None else str(seat)


def _signed(fact: Fact) -> Fact:
    return fact if fact.source is not None else replace(fact, source="person")


def _next_rules(setup: Setup) -> Setup:
    place = setup.rules.index(setup.chosen) if setup.chosen in setup.rules else -1
    return replace(setup, chosen=setup.rules[(place + 1) % len(setup.rules)])
