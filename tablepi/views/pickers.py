"""What is laid over the table when something is to be chosen: a card, a player, a number, what to do next.

Each picker says what it asks for, offers what can be chosen now, and can be left. What is plain is a tap that carries
its fact; what takes more than one press is kept on the desk meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import facts as f
from ..cards import SUITS, Seat, card
from ..judge import Felt, Laid
from ..state import State
from ..table import Table
from .agreements import agree_picker, agreed_picker
from .customs import bids, bonus, may_leave, may_run_out_of_time
from .desk import (
    LANGUAGE_NAMES,
    LANGUAGES,
    Desk,
    bid_fact,
    choosable,
    drawer_chosen,
    fitting_rules,
    giver,
    gives_away,
    laid_as,
    next_to_draw,
    numbers_of_players,
    open_question,
    paused,
    points_left,
)
from .lamps import awaited
from .questions import asked
from .screen import Command, Picker, Tap
from .words import Words, bid_in_words, game_in_words, legible, number

_MOST_PASSED = 6  # the highest number of passed cards that can be entered

_GIVING_KEYS = ("1234567", "qwertyu", "asdfghj", "zcvbnm,")  # one, five, the rest: below each other on most keyboards
_TAKING_KEYS = "890iopk"  # one back

_BID_KEYS = "123456789qwer"  # 1 to 9, and 10 to 13 in the row below them

_MENU_KEYS = "123456789abcdef"

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ACCENTED = "ãáâçéêíóôõú"


def picker(table: Table, desk: Desk, words: Words) -> Picker | None:
    say, state = words.say, table.state
    back = Tap(say("Back"), Command("close"), "escape")
    match desk.open:
        case "card" if len(desk.typed) == 2:
            title = say("Who plays {card}?").format(card=words.face(desk.typed))
            return Picker(title, taps=(*_seats(state, "chosen", words), back))
        case "card" | "second":
            title = say("Which card?")
            if desk.argument:
                title = say("{name}: which card?").format(name=words.name(int(desk.argument)))
            return _card_picker(title, table, desk, words, (*_more(state, desk, words, back), back))
        case "answer":
            question = open_question(desk, state)
            title = asked(table, question, words) if question is not None else ""
            return _card_picker(title, table, desk, words, (back,))
        case "wrong":
            return _card_picker(say("Which card was wrong?"), table, desk, words, (back,))
        case "correct":
            return _correct_picker(table, desk, words, back)
        case "laid-by":
            return _laid_by_picker(state, desk, words, back)
        case "whose":
            return Picker(say("Who plays?"), taps=(*_seats(state, "card", words), back))
        case "player":
            return Picker(say("Which player?"), taps=(*_seats(state, "seat", words), back))
        case "passer":
            return Picker(say("Who passes another number?"), taps=(*_passers(state, words), back))
        case "seat":
            return _seat_picker(state, int(desk.argument), words, back)
        case "pass":
            return _pass_picker(state, int(desk.argument), words, back)
        case "cards":
            return _given_picker(table, desk, words, back)
        case "bidder":
            return Picker(say("Which player's bid?"), taps=(*_seats(state, "bid", words), back))
        case "bid":
            return _bid_picker(table, int(desk.argument), words, back)
        case "dealer":
            names = words.shown(state.players)
            deals = tuple(Tap(name, f.Hand(dealer=i), str(i + 1)) for i, name in enumerate(names))
            draw = (Tap(say("Draw cards for it"), Command("draw"), "d"),) if state.deals == 0 else ()
            return Picker(say("Who deals?"), taps=(*deals, *draw, back))
        case "draw":
            return _draw_picker(table, desk, words, back)
        case "rules":
            return _rules_picker(state, desk, words, back)
        case "agreed":
            return agreed_picker(state, desk, words, back)
        case "agree":
            return agree_picker(state, desk, words)
        case "players":
            return _players_picker(state, desk, words, back)
        case "name":
            return _name_picker(desk, words, back)
        case "leaver":
            here = tuple(
                Tap(name, Command("sure", f"leaves:{i}"), str(i + 1))
                for i, name in enumerate(words.shown(state.players))
                if i not in state.left
            )
            return Picker(say("Who leaves the table?"), taps=(*here, back))
        case "end-hand":
            return _points_picker(desk, state, words, back)
        case "menu":
            return _menu(table, desk, words, back)
        case "sure":
            return _sure_picker(state, desk, words, back)
        case _:
            return None


def _seats(state: State, command: str, words: Words) -> tuple[Tap, ...]:
    names = words.shown(state.players)
    return tuple(Tap(name, Command(command, str(i)), str(i + 1)) for i, name in enumerate(names))


def _passers(state: State, words: Words) -> tuple[Tap, ...]:
    """The players who have not passed yet."""
    deal = state.deal
    seats = _seats(state, "pass", words)
    return tuple(tap for i, tap in enumerate(seats) if deal is not None and deal.pass_of(i) is None)


def _card_picker(title: str, table: Table, desk: Desk, words: Words, taps: tuple[Tap, ...]) -> Picker:
    """All cards that can be chosen; those of a rank half typed stand out, and a card refused is explained."""
    rank, state = desk.typed[:1], table.state
    by_suit = sorted(choosable(desk, table), key=lambda c: ("SHDC".index(c.suit), c.index))
    cards = tuple(
        (c, Tap(str(c), Command("chosen", str(c)), selected=c.rank == rank or c in desk.cards)) for c in by_suit
    )
    if desk.refused:
        title, mend = _refusal(state, desk, words)
        taps = (*mend, *taps)
    typed = card(rank + SUITS[0]).face(words.language)[:-1] if rank else ""
    return Picker(title, cards=cards, taps=taps, typed=typed)


def _refusal(state: State, desk: Desk, words: Words) -> tuple[str, tuple[Tap, ...]]:
    """Why a typed card cannot be chosen, and what may be done about it."""
    say, face, felt = words.say, words.face(desk.refused), state.felt
    places = felt.places() if felt is not None else iter(())
    number, laid = next((p for p in places if str(p[1].card) == desk.refused), (0, None))
    if laid is None or desk.open in ("answer", "wrong"):
        return say("It cannot be {card}. Which card?").format(card=face), ()
    title = say("{card} lies in trick {trick} already, from {name}. Which card?")
    mend = Tap(say("That one is wrong"), Command("correct", str(laid.n)), "x")
    return title.format(card=face, trick=number, name=words.name(laid.seat)), (mend,)


def _correct_picker(table: Table, desk: Desk, words: Words, back: Tap) -> Picker:
    say, place = words.say, laid_as(table.state, desk.argument)
    if place is None:
        return Picker(say("Which card is it?"), taps=(back,))
    number, laid = place
    title = say("{name}, trick {trick}: not {card} but which card?").format(
        name=words.name(laid.seat), trick=number, card=words.face(str(laid.card))
    )
    if laid.card is None:
        title = say("{name}: which card?").format(name=words.name(laid.seat))
        return _card_picker(title, table, desk, words, (back,))
    never = Tap(say("It was never played"), f.Correct(n=laid.n, drop=True, reason="display"), "x")
    another = Tap(say("Another player laid it"), Command("laid-by", str(laid.n)), "n")
    return _card_picker(title, table, desk, words, (another, never, back))


def _laid_by_picker(state: State, desk: Desk, words: Words, back: Tap) -> Picker:
    """Who laid a card that stands in the name of another."""
    say, place = words.say, laid_as(state, desk.argument)
    if place is None:
        return Picker(say("Who laid this card?"), taps=(back,))
    number, laid = place
    title = say("Who laid {card} in trick {trick}?").format(card=words.face(str(laid.card)), trick=number)
    others = tuple(
        Tap(name, f.Correct(n=laid.n, set={"seat": seat}, reason="display"), str(seat + 1))
        for seat, name in enumerate(words.shown(state.players))
        if seat != laid.seat
    )
    return Picker(title, taps=(*others, back))


def _seat_picker(state: State, seat: Seat, words: Words, back: Tap) -> Picker:
    """What can be done about a seat's card: the one that lies there, the one that it plays next."""
    say, felt = words.say, state.felt
    taps: list[Tap] = []
    if felt is None:
        return Picker(words.name(seat), taps=(back,))
    away = _away_taps(state, seat, words)
    lying = felt.lies(seat)
    last = felt.tricks[-1].card_of(seat) if felt.tricks else None
    laid = lying if lying is not None else last
    if laid is not None and laid.card is None:
        taps.append(Tap(say("Choose the card"), _naming(state, laid), "y", strong=True))
    if lying is None:
        strong = not taps
        taps.append(Tap(say("Enter the card"), Command("card", str(seat)), "return", strong=strong))
    if laid is not None and laid.card is not None:
        face = laid.card.face(words.language)
        if lying is not None or not any(felt.lies(mate) for mate in _side_of(felt, seat)):  # else it is established
            taps.append(Tap(say("Take {card} back").format(card=face), f.Withdraw(seat=seat, card=laid.card), "w"))
        taps.append(Tap(say("It is not {card}").format(card=face), Command("correct", str(laid.n)), "x"))
        taps.append(Tap(say("Another player laid it"), Command("laid-by", str(laid.n)), "n"))
        if not laid.sure:
            taps.append(Tap(say("It is {card}").format(card=face), f.Confirm(n=laid.n), "y"))
        if lying is not None:
            taps.append(Tap(say("A second card"), Command("second", str(seat)), "z"))
    return Picker(words.name(seat), taps=(*taps, *away, back))


def _more(state: State, desk: Desk, words: Words, back: Tap) -> tuple[Tap, ...]:
    """What else there is to do about the seat whose card is asked for, if there is anything."""
    if desk.open != "card" or not desk.argument or desk.refused:
        return ()
    others = _seat_picker(state, int(desk.argument), words, back).taps
    label = words.say("More about {name}").format(name=words.name(int(desk.argument)))
    return (Tap(label, Command("seat", desk.argument), "m"),) if len(others) > 2 else ()  # besides the card, and back


def _side_of(felt: Felt, seat: Seat) -> Iterator[Seat]:
    """The seats that play together with *seat*, and itself."""
    for side in felt.game.sides(felt.players):
        seats = [int(each) for each in side.split("-")]
        if seat in seats:
            yield from seats


def _away_taps(state: State, seat: Seat, words: Words) -> tuple[Tap, ...]:
    """What can be said of a player who does not play: that the time is up, that the player has left."""
    say, game, deal = words.say, state.game, state.deal
    taps = []
    if may_run_out_of_time(game) and deal is not None and seat not in (*deal.timed_out, *state.left):
        due = awaited(state) == seat if deal.phase == "playing" else gives_away(state, seat)
        if due:
            taps.append(Tap(say("The time is up"), f.Timeout(seat=seat), "u"))
    if may_leave(game) and seat not in state.left:
        taps.append(Tap(say("Leaves the table"), Command("sure", f"leaves:{seat}"), "l"))
    return tuple(taps)


def _naming(state: State, laid: Laid) -> Command:
    """How a card that lies there, nobody knows which, is named."""
    question = next((q for q in state.questions if q.seat == laid.seat and q.ask != "seat"), None)
    if question is not None:
        return Command("answer", question.id)
    return Command("card", str(laid.seat)) if laid.hole else Command("correct", str(laid.n))


def _pass_picker(state: State, seat: Seat, words: Words, back: Tap) -> Picker:
    """How many cards a seat passes or, in an exchange, gives to its partner."""
    say, right = words.say, state.game.pass_count if state.game is not None else 0
    labels = (say("No card"), say("1 card"))  # not the bare number: a button that is its key hides it
    exchange = giver(state) == seat
    kind = f.Exchange if exchange else f.Pass
    numbers = tuple(
        Tap(
            labels[n] if n < 2 else say("{count} cards").format(count=n),
            kind(seat=seat, count=n),
            str(n),
            strong=n == right,
        )
        for n in range(max(_MOST_PASSED, right) + 1)
    )
    which = Tap(say("Choose the cards"), Command("cards", str(seat)), "k")
    title = say("How many cards does {name} pass?").format(name=words.name(seat))
    if not exchange:
        return Picker(title, taps=(*numbers, which, *_away_taps(state, seat, words), back))
    title = say("How many cards does {name} give?").format(name=words.name(seat))
    auction = state.deal.auction if state.deal is not None else None
    asked = auction is not None and seat in auction.bids and auction.bids[seat].exchange
    declined = (Tap(say("No exchange"), f.Exchange(seat=seat, declined=True), "n"),) if asked else ()
    return Picker(title, taps=(*numbers, which, *declined, back))


def _given_picker(table: Table, desk: Desk, words: Words, back: Tap) -> Picker:
    """Which cards a seat passes, or gives to its partner: as many as are pressed."""
    say, state = words.say, table.state
    right = state.game.pass_count if state.game is not None else 0
    title = say("{name}: which cards? {number} of {count}").format(
        name=words.name(int(desk.argument)), number=len(desk.cards), count=right
    )
    done = Tap(say("These cards"), Command("given"), "return", strong=len(desk.cards) == right)
    return _card_picker(title, table, desk, words, (done, back) if desk.cards else (back,))


def _bid_picker(table: Table, seat: Seat, words: Words, back: Tap) -> Picker:
    """The bids that a seat may make; of one that has bid, another bid in place of that."""
    say, state = words.say, table.state
    stands = bid_fact(table, seat)
    name = words.name(seat)
    title = say("What does {name} bid?").format(name=name)
    if stands is not None:
        was = bid_in_words({"bid": stands[1].bid, "exchange": stands[1].exchange}, words)
        title = say("{name}: not {bid} but what?").format(name=name, bid=was)
    keys = {"nil": "0", "blind-nil": "b"}
    taps = []
    for bid_made in bids(state.game, seat):
        bid, exchange = bid_made.bid, bool(bid_made.exchange)
        if stands is not None and (bid, exchange) == (stands[1].bid, bool(stands[1].exchange)):
            continue
        key = keys[bid] if isinstance(bid, str) else _BID_KEYS[bid - 1]
        fact: f.Fact = bid_made
        if stands is not None:
            changes = {"bid": bid} | ({"exchange": exchange} if exchange or stands[1].exchange else {})
            fact = f.Correct(n=stands[0], set=changes, reason="display")
        taps.append(Tap(bid_in_words({"bid": bid, "exchange": exchange}, words), fact, "x" if exchange else key))
    return Picker(title, taps=(*taps, back))


def _points_picker(desk: Desk, state: State, words: Words, back: Tap) -> Picker:
    say, left, names = words.say, points_left(desk, state), words.shown(state.players)
    bidding = state.game is not None and state.game.bidding
    given = ", ".join(f"{name} {number(desk.points[seat])}" for seat, name in enumerate(names))
    again = Tap(say("Begin again"), Command("give"), "x")
    fewer = [
        Tap(f"{name} −1", Command("give", f"{seat}-1"), _TAKING_KEYS[seat])
        for seat, name in enumerate(names)
        if desk.points[seat] > 0
    ]
    if left == 0:
        done = Tap(say("End the hand so"), Command("end-hand"), "return", strong=True)
        return Picker(say("End the hand: {points}").format(points=given), taps=(done, *fewer, again, back))
    less = bonus(state.game)
    taps: list[Tap] = []
    for seat, name in enumerate(names):
        one, five, rest, off = (row[seat] for row in _GIVING_KEYS)
        taps.append(Tap(f"{name} +1", Command("give", f"{seat}+1"), one))
        taps.append(Tap(f"{name} +5", Command("give", f"{seat}+5"), five))
        taps.append(Tap(say("{name}: the rest").format(name=name), Command("give", f"{seat}*"), rest))
        if less:
            taps.append(Tap(f"{name} −{-less}", Command("give", f"{seat}{less}"), off))
    title = say("{left} tricks to give: {points}") if bidding else say("{left} points to give: {points}")
    if desk.refused:
        title = say("The hand cannot end yet. Tricks still to give: {left}. {points}")
        if not bidding:
            title = say("The hand cannot end yet. Points still to give: {left}. {points}")
    return Picker(title.format(left=left, points=given), taps=(*taps, *fewer, again, back))


# --- before a hand and before a match ------------------------------------------------------------------------------


def _draw_picker(table: Table, desk: Desk, words: Words, back: Tap) -> Picker:
    """Who deals first: each draws a card, the highest deals."""
    say, state = words.say, table.state
    dealer = drawer_chosen(desk, state)
    by_seat = sorted(zip(desk.drawn, desk.cards, strict=True), key=lambda drawn: drawn[0])
    drawn = ", ".join(f"{words.name(seat)} {c.face(words.language)}" for seat, c in by_seat)
    if dealer is not None:
        deals = Tap(say("{name} deals").format(name=words.name(dealer)), f.Hand(dealer=dealer), "return", strong=True)
        again = Tap(say("Begin again"), Command("draw"), "x")
        return Picker(say("The highest card deals: {cards}").format(cards=drawn), taps=(deals, again, back))
    title = say("Each draws a card, the highest deals. {name}: which card?")
    if drawn:
        title = say("Drawn: {cards}. {name}: which card?")
    title = title.format(cards=drawn, name=words.name(next_to_draw(desk, state)))
    return _card_picker(title, table, desk, words, (back,))


def _rules_picker(state: State, desk: Desk, words: Words, back: Tap) -> Picker:
    players = len(desk.setup.players)
    taps = tuple(
        Tap(game_in_words(name, words), Command("play-by", name), str(i + 1) if i < 9 else "", selected=chosen)
        for i, name in enumerate(fitting_rules(state, desk.setup, players))
        for chosen in (name == desk.setup.chosen,)
    )
    return Picker(words.say("Rules for {count} players").format(count=players), taps=(*taps, back))


def _players_picker(state: State, desk: Desk, words: Words, back: Tap) -> Picker:
    say, names = words.say, words.shown(desk.setup.players)
    others = tuple(
        Tap(say("{count} players").format(count=number), Command("seats", str(number)), str(number))
        for number in numbers_of_players(state)
        if number != len(names)
    )
    seats = tuple(
        Tap(f"{words.place(seat, len(names))} {name}", Command("name", str(seat)), _GIVING_KEYS[1][seat])
        for seat, name in enumerate(names)
    )
    done = Tap(say("Done"), Command("close"), "return", strong=True)
    title = say("{count} players. Touch a name to change it.").format(count=len(names))
    return Picker(title, taps=(*seats, *others, done, back))


def _name_picker(desk: Desk, words: Words, back: Tap) -> Picker:
    """A name, letter by letter: touched here, or typed."""
    say, players = words.say, len(desk.setup.players)
    letters = _LETTERS + (_ACCENTED if words.language.startswith("pt") else "")
    begins = not desk.typed or desk.typed[-1] in " -"
    keyed = tuple(Tap(c.upper() if begins else c, Command("letter", c), c if c in _LETTERS else "") for c in letters)
    rest = (
        Tap("␣", Command("letter", " "), "space"),
        *((Tap("⌫", Command("letter", "backspace"), "backspace"),) if desk.typed else ()),
        Tap(say("Done"), Command("named"), "return", strong=True),
    )
    title = say("Who sits at {seat}?").format(seat=words.place(int(desk.argument), players))
    if desk.refused:
        taken = say("{name} sits at this table already: another name, please.").format(name=legible(desk.refused))
        title = f"{taken} {title}"
    return Picker(title, taps=(*keyed, *rest, back), typed=desk.typed)


# --- the menu ------------------------------------------------------------------------------------------------------


def _menu(table: Table, desk: Desk, words: Words, back: Tap) -> Picker:
    """What is seldom wanted."""
    say, state = words.say, table.state
    felt, deal = state.felt, state.deal
    in_play = deal is not None and deal.phase in ("passing", "bidding", "playing")
    taps: list[tuple[str, f.Fact | Command]] = []
    if felt is not None and any(laid.card is not None for _, laid in felt.places()):
        taps.append((say("Correct an earlier card"), Command("wrong")))
    if felt is not None:
        taps.append((say("A card of another player"), Command("player")))
    if deal is not None and deal.phase == "passing" and _passers(state, words):
        taps.append((say("A player passes another number"), Command("passer")))
    if deal is not None and deal.auction is not None and in_play:
        taps.append((say("A bid of any player"), Command("bidder")))
    late = awaited(state)
    if late is not None and (out := [tap for tap in _away_taps(state, late, words) if isinstance(tap.action, f.Fact)]):
        taps.append((say("{name}'s time is up").format(name=words.name(late)), out[0].action))
    if state.result is None and may_leave(state.game) and len(state.left) < len(state.players):
        taps.append((say("A player leaves the table"), Command("leaver")))
    if in_play:
        taps.append((say("End the hand by agreement"), Command("end-hand")))
        taps.append((say("Misdeal: deal again"), Command("sure", "misdeal")))
    if state.result is None:
        taps.append((say("End the match"), Command("sure", "end-match")))
        pausing = paused(desk, table) is not None
        taps.append((say("Go on") if pausing else say("Pause the game"), Command("pause")))
    taps.append((following_language(desk), Command("language")))
    taps.append((say("Leave"), Command("sure", "leave")))
    keyed = tuple(Tap(label, action, _MENU_KEYS[i]) for i, (label, action) in enumerate(taps))
    return Picker(say("Menu"), taps=(*keyed, back))


def _sure_picker(state: State, desk: Desk, words: Words, back: Tap) -> Picker:
    say = words.say
    end = say("End the match now?")
    if state.deal is not None and state.deal.phase not in ("choosing", "over"):
        end = say("End the match now? The hand that is being played does not count.")
    asked: dict[str, tuple[str, f.Fact | Command]] = {
        "misdeal": (say("Misdeal: annul this hand and deal again?"), f.Misdeal()),
        "end-match": (end, f.EndMatch()),
        "leave": (say("Leave tablepi? The game is kept and goes on next time."), Command("leave")),
    }
    what, _, seat = desk.argument.partition(":")
    if what == "leaves" and seat.isdecimal() and int(seat) < len(state.players):
        title = say("Does {name} leave the table for good? Somebody lays the cards, and the place is the last.")
        asked[desk.argument] = (title.format(name=words.name(int(seat))), f.Leave(seat=int(seat)))
    title, action = asked.get(desk.argument, ("", Command("close")))
    return Picker(title, taps=(Tap(say("Yes"), action, say("y")), back))


def following_language(desk: Desk) -> str:
    return LANGUAGE_NAMES[LANGUAGES[(LANGUAGES.index(desk.language) + 1) % len(LANGUAGES)]]
