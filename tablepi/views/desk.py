"""The person at the display: which choice lies open, what has been typed, and what a press means.

``press`` is pure: a desk, a table and what was pressed give the next desk and the facts that the person has entered.
Nothing here decides anything about the game; whatever is entered goes the way of every other fact.

A card is typed as two keys, rank and suit, on the bare table: it is the card of the seat that is expected to lay one
(``expected``). So no button of the table may own a key that begins a card. While bids are made no card is typed, and
digits are bids.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .. import facts as f
from ..cards import RANKS, Card, Seat, card, cards_of, each
from ..facts import Fact
from ..judge import Felt, Laid
from ..rules import Game
from ..rules.tricks import game_of
from ..state import Deal, Question, State
from ..table import Table, effective, undo
from .agreed import agreeable, choices, refusals, value_of, with_agreed
from .lamps import expected
from .screen import Action
from .words import DEFAULT_NAMES, unnamed

LANGUAGES = ("en", "pt-PT", "pt-BR")
LANGUAGE_NAMES = {"en": "English", "pt-PT": "Português", "pt-BR": "Português do Brasil"}

# What may be typed for a rank and for a suit; Portuguese cards say Ás, Rei, Dama, Valete, and paus, ouros, copas,
# espadas. The English letters of the ranks may be typed everywhere. A ten is T, 1, or 1 and 0.
_TYPED_RANKS = {"en": {"1": "T"}, "pt": {"r": "K", "d": "Q", "v": "J", "1": "T"}}
_TYPED_SUITS = {
    "en": {"c": "C", "d": "D", "h": "H", "s": "S"},
    "pt": {"p": "C", "o": "D", "c": "H", "e": "S"},
}

_CARD_PICKERS = ("card", "second", "answer", "correct", "wrong", "cards", "draw")
_OF_A_HAND = (
    *("card", "second", "answer", "correct", "wrong", "cards", "laid-by", "whose", "player", "seat", "passer", "pass"),
    *("bid", "bidder", "end-hand"),
)
_OF_A_SEAT = ("card", "second", "seat", "pass", "cards", "bid")
_BEFORE_A_HAND = ("dealer", "draw")
_BEFORE_A_MATCH = ("rules", "players", "name", "agreed", "agree")

LONGEST_NAME = 16

_MOST_DIGITS = 5

SURE = 0.9
"""Confidence from which a camera's reading of a card that was drawn is taken."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the next match begins with: the players by seat, and the rule set *chosen*. *options* are the table's own
    switches for the rule set *of*, and for no other; *agreed* are those that were set at the display, for the rule set
    that is chosen (see ``agreed``)."""

    players: tuple[str, ...]
    chosen: str
    options: tuple[tuple[str, object], ...] = ()
    of: str = ""
    agreed: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Pause:
    """The game stands still, because the player at seat *by* asked for it, or somebody; *since* is the latest fact
    then."""

    by: Seat | None
    since: int


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies open on the display. *open* names it, *argument* says about what:

    ``card`` (of seat, or nobody's yet), ``second`` (a second card of seat), ``whose``, ``player`` (which one),
    ``seat``, ``passer`` (which one), ``pass`` (how many cards seat gives away), ``cards`` (which ones), ``bidder``
    (which one), ``bid`` (of seat), ``answer`` (to question), ``wrong`` (which card), ``correct`` (fact), ``laid-by``
    (who, fact), ``dealer``, ``draw`` (for the first deal), ``end-hand``, ``leaver`` (which one), ``rules``, ``players``
    (how many), ``name`` (of seat), ``agreed``, ``agree`` (on which switch), ``menu``, ``sure`` (about what), ``help``,
    ``lamps``, ``scores``, or nothing.

    *typed* is a card half typed, a name, or a number; *refused* a typed card that cannot be chosen, a name that another
    has, how many points were left to give when the hand should have ended, or why the rule set refuses a value; *cards*
    are those chosen so far where several are asked for, in a draw by the seats *drawn*; *points* (in a game with bids:
    tricks) are being dealt out when a hand ends by agreement; *later* are the questions put off; *leaving* once the
    person has asked to leave. *since* is the latest fact when it was opened: what is opened for a card or a hand does
    not outlive it. *unveiled* is the latest fact when somebody asked to see the plays behind the rulings, at a table
    that keeps earlier tricks private. *pause* is the one that was asked for last, over or not (see ``paused``).
    """

    setup: Setup
    language: str = "en"
    open: str = ""
    argument: str = ""
    typed: str = ""
    refused: str = ""
    cards: tuple[Card, ...] = ()
    drawn: tuple[Seat, ...] = ()
    points: tuple[int, ...] = ()
    later: tuple[str, ...] = ()
    leaving: bool = False
    unveiled: int = 0
    pause: Pause | None = None
    since: int = field(default=0, compare=False)

    def closed(self) -> Desk:
        return replace(self, open="", argument="", typed="", refused="", cards=(), drawn=(), points=())

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
        case "play-by":
            return replace(desk.closed(), setup=_chosen(desk.setup, argument)), ()
        case "seats":
            return replace(desk, setup=_seated(desk.setup, int(argument), state)), ()
        case "letter" if desk.open == "name":
            return _spelt(desk, argument), ()
        case "letter" if desk.open == "agree":
            return _numbered(desk, state, argument), ()
        case "agree-on" if desk.open == "agree":
            return _agree(desk, state, argument, since=table.n), ()
        case "as-written" if desk.open == "agree":
            return _agree(desk, state, "as-written", since=table.n), ()
        case "as-written" if desk.open == "agreed":
            return replace(desk, setup=replace(desk.setup, agreed=())), ()
        case "named" if desk.open == "name":
            seat, name = int(desk.argument), desk.typed.strip()
            players = _renamed(desk.setup.players, seat, name)
            if players[seat].casefold() in (other.casefold() for i, other in enumerate(players) if i != seat):
                return replace(desk, refused=players[seat]), ()
            return replace(desk.opened("players", since=table.n), setup=replace(desk.setup, players=players)), ()
        case "unveil":
            return replace(desk.closed(), unveiled=table.n), ()
        case "pause":
            return _paused(desk.closed(), table, argument), ()
        case "next-hand":
            between = state.deal is None or state.deal.phase in ("choosing", "over")
            deals = state.match is not None and state.result is None and between
            return desk.closed(), (f.Hand(dealer=state.next_dealer, source="person"),) if deals else ()
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
            return replace(desk.opened(name, since=table.n), points=taken_so_far(state)), ()
        case "given":
            return _given_away(desk, state)
        case "chosen":
            return _choose(desk, table, argument)
        case "letter" | "named" | "agree-on" | "as-written":
            return desk, ()  # pressed on a screen that is no longer shown
        case _:
            return desk.opened(name, argument, since=table.n), ()


def paused(desk: Desk, table: Table) -> Pause | None:
    """The pause that the game is in. A card laid ends it, and so does a new hand; what else is told meanwhile counts,
    and does not."""
    pause, state = desk.pause, table.state
    if pause is None or state.match is None or state.result is not None or pause.since > table.n:
        return None
    laid = max((what.n for what in state.felt.history if isinstance(what, Laid)), default=0) if state.felt else 0
    dealt = table.marks[-1][0] if table.marks else 0
    return pause if max(laid, dealt) <= pause.since else None


def _paused(desk: Desk, table: Table, seat: str) -> Desk:
    """*desk* in a pause, or out of the one that it is in."""
    if paused(desk, table) is not None or table.state.match is None or table.state.result is not None:
        return replace(desk, pause=None)
    by = int(seat) if seat.isdecimal() and int(seat) < len(table.state.players) else None
    return replace(desk, pause=Pause(by, table.n))


def type_key(desk: Desk, table: Table, key: str) -> Answered:
    """A key that no tap owns: a letter of a card. Typing a rank while nothing lies open enters the card of the seat
    that is expected to lay one; while a picker lies open, the card that it asks for."""
    desk = in_place(desk, table)
    key = key.lower().removeprefix("[").removesuffix("]")
    if desk.open == "name":
        return _spelt(desk, {"space": " "}.get(key, key)), ()
    if desk.open == "agree":
        return _numbered(desk, table.state, key), ()
    if desk.open == "end-hand" and key == "return":
        return _end_hand(desk, table.state)
    if key == "backspace":
        if desk.typed:
            return replace(desk, typed=desk.typed[:-1], refused=""), ()
        if desk.cards:
            return replace(desk, cards=desk.cards[:-1], drawn=desk.drawn[:-1], refused=""), ()
        return desk.closed() if desk.open in _CARD_PICKERS else desk, ()
    if desk.open not in _CARD_PICKERS and not (desk.open in ("", "seat") and _cards_are_laid(table.state)):
        return desk, ()
    if len(desk.typed) == 2:  # the card is known, its seat is asked for
        seat = key if key.isascii() and key.isdecimal() else "0"
        return _choose(desk, table, str(int(seat) - 1)) if 0 < int(seat) <= len(table.state.players) else (desk, ())
    if desk.typed == "T" and key == "0":
        return desk, ()  # 1, 0: the ten
    suit = suit_typed(key, desk.language)
    if desk.typed and suit is not None:
        return _typed(desk, table, desk.typed + suit)
    rank = rank_typed(key, desk.language)
    if rank is None:
        return desk, ()
    if desk.open in _CARD_PICKERS:
        return replace(desk, typed=rank, refused=""), ()
    seat = desk.argument if desk.open == "seat" else _argument(expected(table.state))
    lying = table.state.felt.lies(int(seat)) if desk.open == "seat" and table.state.felt is not None else None
    what = "second" if lying is not None and lying.card is not None else "card"
    return replace(desk.opened(what, seat, since=table.n), typed=rank), ()


def rank_typed(key: str, language: str) -> str | None:
    """The rank that a key means where the cards speak *language*."""
    rank = _TYPED_RANKS[language[:2]].get(key.lower(), key.upper())
    return rank if len(rank) == 1 and rank in RANKS else None


def suit_typed(key: str, language: str) -> str | None:
    """The suit that a key means in *language*."""
    return _TYPED_SUITS[language[:2]].get(key.lower())


def card_typed(text: str, language: str) -> Card:
    """The card that a person writes: ``QS``, ``10♥``, and in Portuguese ``DE`` as well. Raises ValueError."""
    written = text.strip().replace("10", "1")
    rank, suit = rank_typed(written[:1], language), suit_typed(written[1:], language)
    return card(rank + suit if rank is not None and suit is not None else text)


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
    if desk.pause is not None and paused(desk, table) is None:
        desk = replace(desk, pause=None)
    if desk.open in _OF_A_HAND:
        dealt = table.marks[-1][0] if table.marks else 0
        if not _in_play(state) or dealt > desk.since or not _still_open(desk, state):
            return desk.closed()
    between = state.match is None or state.result is not None
    wrong_time = {
        **dict.fromkeys(_BEFORE_A_MATCH, not between),
        **dict.fromkeys(_BEFORE_A_HAND, between or (state.deal is not None and state.deal.phase != "over")),
        **dict.fromkeys(("menu", "scores"), state.match is None),
        "leaver": between,
    }
    if desk.open == "name" and int(desk.argument or 0) >= len(desk.setup.players):
        return desk.closed()
    if desk.open == "agree" and desk.argument not in agreeable(agreed_game(desk.setup, state)):
        return desk.closed()
    return desk.closed() if wrong_time.get(desk.open, False) else desk


def _in_play(state: State) -> bool:
    """Whether a hand is being played, or what comes before the first card."""
    return state.deal is not None and state.deal.phase in ("passing", "bidding", "playing")


def _cards_are_laid(state: State) -> bool:
    """Whether a typed card is one that a seat lays; the first one ends the passing."""
    return state.deal is not None and state.deal.phase in ("passing", "playing")


def giver(state: State) -> Seat | None:
    """The seat that is to give cards to its partner now."""
    deal = state.deal
    bidding = deal is not None and deal.phase == "bidding"
    return deal.auction.giving if bidding and deal is not None and deal.auction is not None else None


def _still_open(desk: Desk, state: State) -> bool:
    felt, deal = state.felt, state.deal
    passing = deal is not None and deal.phase == "passing"
    if desk.open in _OF_A_SEAT and desk.argument and int(desk.argument) >= len(state.players):
        return False
    match desk.open:
        case "card" if desk.argument and felt is not None:  # a reader may have been quicker
            mine = (laid for _, laid in felt.places() if laid.seat == int(desk.argument) and laid.card is not None)
            return all(laid.n <= desk.since for laid in mine)
        case "answer":
            return open_question(desk, state) is not None
        case "correct" | "laid-by":
            return laid_as(state, desk.argument) is not None
        case "passer":
            return passing
        case "pass" | "cards":
            return desk.argument != "" and gives_away(state, int(desk.argument))
        case "end-hand":
            return len(desk.points) == len(state.players)
        case "bid" | "bidder":
            return deal is not None and deal.auction is not None
        case "whose" | "player" | "seat" | "second" | "wrong":
            return deal is not None and deal.phase == "playing"
        case _:
            return True


def gives_away(state: State, seat: Seat) -> bool:
    """Whether *seat* may still say which cards it passes, or gives to its partner."""
    deal = state.deal
    if deal is None or seat >= len(state.players):
        return False
    return giver(state) == seat or (deal.phase == "passing" and deal.pass_of(seat) is None)


def choosable(desk: Desk, table: Table) -> tuple[Card, ...]:
    """The cards that the open picker offers; on the bare table those that have not been seen."""
    state = table.state
    question = open_question(desk, state)
    if question is not None:
        return tuple(c for c in question.candidates if isinstance(c, Card))
    if desk.open == "draw" and state.game is not None:
        left = state.game.deck(len(state.players)) & ~cards_of(desk.cards)
        return tuple(each(left)) if drawer_chosen(desk, state) is None else ()
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


_SUITS_OF_A_DRAW = "CDHS"  # equal ranks: spades before hearts, diamonds, clubs


def drawer_chosen(desk: Desk, state: State) -> Seat | None:
    """The seat that has drawn the highest card for the first deal, once all have drawn."""
    if desk.open != "draw" or len(desk.cards) < len(state.players):
        return None
    highest = max(desk.cards, key=lambda c: (RANKS.index(c.rank), _SUITS_OF_A_DRAW.index(c.suit)))
    return desk.drawn[desk.cards.index(highest)]


def next_to_draw(desk: Desk, state: State) -> Seat:
    """The first seat that has not drawn for the first deal."""
    return next((seat for seat in range(len(state.players)) if seat not in desk.drawn), 0)


def shown_to_a_device(desk: Desk, table: Table, fact: Fact) -> Desk:
    """*desk* after the word of a reader or a camera. While the first deal is drawn for, the card is what the player
    has drawn who sits there, or the next one to draw where nobody does; it is no play, since no hand has begun. A
    camera that is not sure enough is no witness: that card is entered by hand."""
    if desk.open != "draw" or in_place(desk, table).open != "draw" or not isinstance(fact, f.Tag | f.Seen):
        return desk
    unsure = fact.confidence is not None and fact.confidence < SURE
    seat = next_to_draw(desk, table.state) if fact.seat is None else fact.seat
    if unsure or fact.card not in choosable(desk, table) or seat in desk.drawn:
        return desk
    return _draws(desk, seat, fact.card)


def _draws(desk: Desk, seat: Seat, card: Card) -> Desk:
    return replace(desk, cards=(*desk.cards, card), drawn=(*desk.drawn, seat), typed="", refused="")


def bid_fact(table: Table, seat: Seat) -> tuple[int, f.Bid] | None:
    """The bid of *seat* in the hand that is being played, with the number of its fact."""
    dealt = table.marks[-1][0] if table.marks else 0
    bids = ((item.n, item.fact) for item in effective(table.log) if item.n > dealt and isinstance(item.fact, f.Bid))
    return next(((n, fact) for n, fact in reversed(tuple(bids)) if fact.seat == seat), None)


def taken_so_far(state: State) -> tuple[int, ...]:
    """The points that each seat has taken in the hand so far; in a game with bids, its tricks."""
    deal = state.deal
    if deal is None:
        return (0,) * len(state.players)
    felt = deal.felt
    if felt.game.bidding:
        return tricks_won(deal)
    return tuple(felt.game.points(felt.taken(seat)) for seat in range(felt.players))


def tricks_won(deal: Deal) -> tuple[int, ...]:
    """The tricks that each seat has won; in a game with bids, as agreed where the hand ended so."""
    felt = deal.felt
    if deal.played is not None and felt.game.bidding:
        return tuple(deal.played.tricks.get(seat, 0) for seat in range(felt.players))
    return tuple(sum(1 for trick in felt.tricks if trick.winner == seat) for seat in range(felt.players))


def points_left(desk: Desk, state: State) -> int:
    """The points, or tricks, of the hand that nobody has been given yet."""
    game, deal = state.game, state.deal
    if game is None or deal is None:
        return 0
    return (deal.felt.size if game.bidding else game.points_in_hand) - sum(desk.points)


def latest_laid(felt: Felt) -> Laid | None:
    """The latest card in place on the felt that can still be taken back."""
    places = ((number, laid) for number, laid in felt.places() if laid.card is not None)
    return next((laid for number, laid in places if number == felt.number or not felt.trick), None)


def new_match(setup: Setup) -> f.Match:
    """The fact that begins the match of *setup*."""
    options = with_agreed(_own(setup), dict(setup.agreed)) or None
    return f.Match(rules=setup.chosen, players=setup.players, options=options, source="person")


def _give(desk: Desk, state: State, argument: str) -> Desk:
    """``"2+5"`` gives seat 2 five points more, or what is left of them; ``"2*"`` all that are left; ``""`` begins
    again from nothing."""
    if not argument:
        return replace(desk, points=(0,) * len(state.players), refused="")
    seat, left = int(argument[0]), points_left(desk, state)
    more = left if argument[1:] == "*" else min(int(argument[1:]), left)
    return replace(desk, points=tuple(p + more if s == seat else p for s, p in enumerate(desk.points)), refused="")


def _end_hand(desk: Desk, state: State) -> Answered:
    if left := points_left(desk, state):
        return replace(desk, refused=str(left)), ()
    shares = dict(enumerate(desk.points))
    if state.game is not None and state.game.bidding:
        return desk.closed(), (f.EndHand(tricks=shares, source="person"),)
    return desk.closed(), (f.EndHand(points=shares, source="person"),)


def _given_away(desk: Desk, state: State) -> Answered:
    """The cards that have been chosen are passed, or given to the partner."""
    if desk.open != "cards" or not desk.cards:
        return desk, ()
    seat = int(desk.argument)
    kind = f.Pass if giver(state) is None else f.Exchange
    return desk.closed(), (kind(seat=seat, cards=desk.cards, source="person"),)


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
        case "cards":
            others = tuple(c for c in desk.cards if c != chosen)
            cards = others if chosen in desk.cards else (*others, chosen)
            return replace(desk, cards=cards, typed="", refused=""), ()
        case "draw":
            return _draws(desk, next_to_draw(desk, table.state), chosen), ()
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


# --- before a match ------------------------------------------------------------------------------------------------


def fitting_rules(state: State, setup: Setup, players: int) -> tuple[str, ...]:
    """The rule sets that *players* can play by, the table's own first."""
    shipped = tuple(name for name, game in state.rulebook.items() if players in game.players)
    if setup.of in state.rulebook:
        return shipped
    try:
        own = game_of(state.rulebook, setup.of, dict(setup.options))
    except ValueError:
        return shipped
    return (setup.of, *shipped) if players in own.players else shipped


def _own(setup: Setup) -> dict[str, object]:
    """The table's own switches for the rule set that is chosen."""
    return dict(setup.options) if setup.of == setup.chosen else {}


def ruled_game(setup: Setup, state: State) -> Game | None:
    """The game of the rule set that is chosen, as the table's file has it; None where there is no such rule set."""
    return _game(state, setup.chosen, _own(setup))


def agreed_game(setup: Setup, state: State) -> Game | None:
    """The game that the next match would be, with what was agreed."""
    return _game(state, setup.chosen, with_agreed(_own(setup), dict(setup.agreed)))


def _game(state: State, rules: str, options: dict[str, object]) -> Game | None:
    try:
        return game_of(state.rulebook, rules, options)
    except ValueError:
        return None


def _numbered(desk: Desk, state: State, key: str) -> Desk:
    """*desk* with one digit more of a number, or less."""
    if key == "backspace":
        return replace(desk, typed=desk.typed[:-1], refused="")
    game = ruled_game(desk.setup, state)
    digit = key.isascii() and key.isdecimal() and len(key) == 1
    if not digit or len(desk.typed) >= _MOST_DIGITS or game is None or choices(game, desk.argument):
        return desk
    return replace(desk, typed=desk.typed + key, refused="")


def _agree(desk: Desk, state: State, written: str, *, since: int) -> Desk:
    """A value was chosen for the switch that lies open, or what the rule set says. What the rule set refuses is not
    set, and why is kept."""
    game = ruled_game(desk.setup, state)
    if game is None:
        return desk
    name, few = desk.argument, choices(game, desk.argument)
    value: object = {"yes": True, "no": False, "none": None}.get(written, written)
    if written.isascii() and written.isdecimal() and not few:
        value = int(written)
    agreed = {**dict(desk.setup.agreed), name: value_of(game, name) if written == "as-written" else value}
    if refused := refusals(game, agreed):
        return replace(desk, typed="", refused=refused[0])
    differs = tuple((n, agreed[n]) for n in agreeable(game) if n in agreed and agreed[n] != value_of(game, n))
    return replace(desk.opened("agreed", since=since), setup=replace(desk.setup, agreed=differs))


def numbers_of_players(state: State) -> tuple[int, ...]:
    """The numbers of players for which there is a rule set."""
    return tuple(sorted({number for game in state.rulebook.values() for number in game.players}))


def _seated(setup: Setup, number: int, state: State) -> Setup:
    """*setup* for *number* players: those who have names keep them, and rules that do not fit give way."""
    nobody = setup.players == DEFAULT_NAMES or all(name == unnamed(i) for i, name in enumerate(setup.players))
    named = () if nobody else setup.players
    players = DEFAULT_NAMES if number == len(DEFAULT_NAMES) and not named else _with_names(named, number)
    fitting = fitting_rules(state, setup, number)
    chosen = setup.chosen if setup.chosen in fitting else next(iter(fitting), setup.chosen)
    return _chosen(replace(setup, players=players), chosen)


def _chosen(setup: Setup, rules: str) -> Setup:
    """*setup* with another rule set: what was agreed belongs to the one before."""
    return replace(setup, chosen=rules, agreed=setup.agreed if rules == setup.chosen else ())


def _with_names(named: tuple[str, ...], number: int) -> tuple[str, ...]:
    return (*named[:number], *(unnamed(seat) for seat in range(len(named), number)))


def _renamed(players: tuple[str, ...], seat: Seat, name: str) -> tuple[str, ...]:
    others = tuple(unnamed(i) for i in range(len(players))) if players == DEFAULT_NAMES else players
    return tuple((name or unnamed(seat)) if i == seat else other for i, other in enumerate(others))


def _spelt(desk: Desk, key: str) -> Desk:
    """*desk* with one letter more of a name, or less: a capital begins a word."""
    if key == "backspace":
        return replace(desk, typed=desk.typed[:-1], refused="")
    if len(key) != 1 or not (key.isprintable()) or len(desk.typed) >= LONGEST_NAME:
        return desk
    begins = not desk.typed or desk.typed[-1] in " -"
    return replace(desk, typed=desk.typed + (key.upper() if begins else key.lower()), refused="")
