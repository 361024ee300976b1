"""The screen of a table: what the display shows now, in words of the chosen language.

``screen(table, desk, words)`` is a pure function. It asks the game only for what every game has (points, broken or not,
the direction of the pass), so that it needs to know none.

What is told of a trick
=======================

The latest play is always told. A ruling that people must not miss (a proof, a breach, a card in doubt) outlives it: it
stays on the screen until the next trick begins, or until it holds no longer (the card is taken back, the doubt is
cleared). The breach of the uppermost card comes first, because it can still be put right; then proofs, older breaches
and doubts. The lamps keep the same time (``lamps.shown_since``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import facts as f
from ..cards import SUITS, Card, Seat, card
from ..judge import Felt, Finding, Laid
from ..passing import receiver
from ..state import Deal, Line, Question, State
from ..table import Table, undo
from .corrections import correction_in_words, correction_tone
from .desk import (
    LANGUAGE_NAMES,
    LANGUAGES,
    Desk,
    choosable,
    in_place,
    laid_as,
    latest_laid,
    new_match,
    open_question,
    points_left,
    points_taken,
)
from .lamps import MEANINGS, Lamp, expected, lamps, shown_since
from .screen import Command, Grid, Picker, Screen, SeatView, Tap
from .words import (
    Words,
    broken_in_words,
    direction_in_words,
    game_in_words,
    in_words,
    missing_in_words,
    moon_in_words,
    offence_in_words,
    trouble_in_words,
)

_TONES = {
    "legal": "plain",
    "unproven": "plain",
    "ignored": "warn",
    "withdrawn": "plain",
    "cleared": "good",
    "pending": "warn",
    "breach": "bad",
    "proved": "bad",
}

_PAGES = ("help", "lamps", "scores")  # what covers the table and needs no words beside it

_MOST_TOLD = 3  # rulings told at once

_MOST_PASSED = 6  # the highest number of passed cards that can be entered

_GIVING_KEYS = ("1234567", "qwertyu", "asdfghj")  # a point, five, the rest: below each other on most keyboards

_ANSWER_KEYS = ("f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9")  # digits and letters begin a card


def screen(
    table: Table,
    desk: Desk,
    words: Words,
    *,
    readers: Mapping[str, Seat | None] | None = None,
    alerts: tuple[str, ...] = (),
) -> Screen:
    """What the display shows: the table, and over it what the person at the display has opened.

    *readers* says which seat each reader serves; *alerts* are faults that the table cannot know (a full disk).
    """
    state = table.state
    desk = in_place(desk, table)
    wanted = lamps(state, readers=readers)
    page = desk.open in _PAGES
    ruling, tone, last = ("", "plain", "") if page else _told(table, desk, words)
    question = None if page else _shown_question(state, desk)
    return Screen(
        language=desk.language,
        title="tablepi" if state.match is None else game_in_words(state.match.rules, words),
        seats=tuple(_seat(state, seat, words, wanted.seats[seat]) for seat in range(len(state.players))),
        chips=_chips(state, words),
        headline="" if page else _headline(state, desk, words),
        ruling=ruling,
        ruling_tone=tone,
        last=last,
        question=_asked(table, question, words) if question is not None else "",
        answers=_answers(question, words, put_off=not _blocks(state)) if question is not None else (),
        alerts=() if page else _alerts(state, words, readers or {}) + tuple(trouble_in_words(x, words) for x in alerts),
        grid=_grid(table, desk, words),
        picker=_picker(table, desk, words),
        taps=_taps(table, desk, words, by_hand=not readers),
        centre=wanted.centre,
        centre_words="" if wanted.centre == MEANINGS["turn"] else lamp_in_words(wanted.centre, words, centre=True),
        column_words=(words.say("Points"), words.say("Tricks"), words.say("Total")),
    )


def lamp_in_words(lamp: Lamp, words: Words, *, centre: bool = False) -> str:
    """What the lamp of a seat, or the one in the centre, means, in a word or two."""
    say = words.say
    texts = {
        "proof": say("proved"),
        "breach": say("illegal"),
        "question": say("question"),
        "lost": say("device missing") if centre else say("no reader"),
        "turn": say("to play"),
        "winner": say("took it"),
    }
    return texts.get(lamp.meaning, "")


# --- the table -----------------------------------------------------------------------------------------------------


def _seat(state: State, seat: Seat, words: Words, lamp: Lamp) -> SeatView:
    deal, name = state.deal, words.name(seat)
    total = next((str(t) for side, t in state.totals.items() if str(seat) in side.split("-")), "")
    if deal is None:
        return SeatView(seat, name, total=total, lamp=lamp, lamp_words=lamp_in_words(lamp, words))
    felt = deal.felt
    trick = felt.before_the_players
    place = next((i for i, laid in enumerate(trick) if laid.seat == seat), None)
    laid = trick[place] if place is not None else None
    awaited = deal.phase == "playing" and expected(state) == seat
    return SeatView(
        seat,
        name,
        card=laid.card if laid is not None else None,
        covered=laid is not None and laid.card is None and not awaited,
        mark=_mark(deal, felt, laid),
        order=0 if place is None else place + 1,
        turn=awaited,
        won=bool(felt.tricks) and not felt.trick and felt.tricks[-1].winner == seat,
        points=str(points_taken(state)[seat]),
        tricks=str(sum(1 for t in felt.tricks if t.winner == seat)),
        total=total,
        lamp=lamp,
        lamp_words=_passes_to(state, deal, seat, words) or lamp_in_words(lamp, words),
        tap=_seat_tap(deal, seat, name),
    )


def _passes_to(state: State, deal: Deal, seat: Seat, words: Words) -> str:
    """Whom a seat passes its cards to, and whether it has; a wrong number is said."""
    if deal.phase != "passing" or deal.direction is None:
        return ""
    name = words.name(receiver(deal.direction, seat, len(state.players)))
    passed, right = deal.pass_of(seat), state.game.pass_count if state.game is not None else 0
    if passed is None:
        return f"→ {name}"
    return f"→ {name} ✓" if passed.count == right else f"→ {name} ✗ {passed.count}"


def _seat_tap(deal: Deal, seat: Seat, name: str) -> Tap | None:
    if deal.phase == "playing":
        return Tap(name, Command("seat", str(seat)))
    if deal.phase == "passing" and deal.pass_of(seat) is None:
        return Tap(name, Command("pass", str(seat)))
    return None


def _mark(deal: Deal, felt: Felt, laid: Laid | None) -> str:
    if laid is None:
        return ""
    for finding in deal.settled:
        if laid.n == finding.n:
            return "breach" if finding.how == "breach" else "proved"
    if any(laid.n == finding.n for finding in deal.pending):
        return "pending"
    return "unproven" if any(laid.n == claim.n for claim in felt.claims) else ""


def _chips(state: State, words: Words) -> tuple[tuple[str, str], ...]:
    say, deal, game = words.say, state.deal, state.game
    if deal is None or game is None:
        return ()
    chips = [(say("Hand {number}").format(number=deal.number), "plain")]
    if deal.direction is not None:
        tone = "warn" if deal.phase == "passing" else "plain"
        chips.append((direction_in_words(deal.direction, words), tone))
    if deal.phase == "playing":
        broken = broken_in_words(game.broken_event, deal.felt.broken, words)
        chips.append((broken, "good" if deal.felt.broken else "plain"))
        number = min(deal.felt.number, deal.felt.size)
        chips.append((say("Trick {number} of {size}").format(number=number, size=deal.felt.size), "plain"))
    return tuple(chips)


def _headline(state: State, desk: Desk, words: Words) -> str:
    """Whose turn it is, or what to do now."""
    say, deal = words.say, state.deal
    if state.match is None:
        return game_in_words(desk.setup.chosen, words)
    if state.result is not None:
        winners = say(" and ").join(words.side(side) for side in state.result.winners)
        return say("The match is over: {winners} first.").format(winners=winners)
    if deal is None or deal.phase == "over":
        return say("Next hand: {dealer} deals.").format(dealer=words.name(state.next_dealer))
    if deal.phase == "passing":
        return direction_in_words(deal.direction, words)
    felt = deal.felt
    if felt.complete and felt.holes:
        number, hole = next((number, laid) for number, laid in felt.places() if laid.card is None)
        text = say("{name}'s card in trick {trick} is not known, so the hand has no score yet.")
        return text.format(name=words.name(hole.seat), trick=number)
    seat = expected(state)
    if seat is not None and seat != felt.turn:
        return say("{name} lays another card.").format(name=words.name(seat))
    if felt.turn is not None:
        return say("{name} to play.").format(name=words.name(felt.turn))
    opening = felt.game.opening(felt.deck)
    if opening is not None and felt.number == 1 and not felt.trick:
        return say("Whoever holds {card} opens.").format(card=opening.face(words.language))
    return say("Who leads is not known yet.")


def _alerts(state: State, words: Words, readers: Mapping[str, Seat | None]) -> tuple[str, ...]:
    say = words.say
    alerts = []
    for device in state.lost:
        seat = readers.get(device)
        if seat is not None and seat < len(state.players):
            text = say("No reader for {name}: enter the cards here.").format(name=words.name(seat))
        else:
            text = missing_in_words(device, words)
        alerts.append(text)
    alerts += [say("Unknown tag: {uid}").format(uid=uid) for uid in state.strangers[-1:]]
    return tuple(alerts)


# --- what is told --------------------------------------------------------------------------------------------------


def _told(table: Table, desk: Desk, words: Words) -> tuple[str, str, str]:
    """The ruling with its tone, and the latest play where the ruling is about another."""
    state, deal = table.state, table.state.deal
    if state.match is None:
        names = words.shown(desk.setup.players)
        players = ", ".join(f"{words.place(seat, len(names))} {name}" for seat, name in enumerate(names))
        return "", "plain", words.say("Seats, clockwise: {players}.").format(players=players)
    if deal is not None and deal.phase == "over":
        return "", "plain", ""  # the scores tell everything
    latest, tone = _latest(table, words)
    if deal is None:
        return latest, tone, ""
    if deal.phase == "passing":
        count = state.game.pass_count if state.game is not None else 0
        text = words.say("{count} cards each. Touch a player who passes another number.")
        return latest, tone, text.format(count=count)
    standing = _standing(table, deal, words)
    if not standing:
        return latest, tone, ""
    text = " ".join(told for _, told, _ in standing[:_MOST_TOLD])
    own = any(n == table.n for _, _, n in standing)
    if own and (put_right := correction_in_words(table, words, outcome=False)):
        latest, own = put_right, False  # what came of it is told already
    first = standing[0][0]
    bad = first in deal.settled
    if bad and deal.felt.uppermost(first.n) and first.rule not in ("too-many-cards", "duplicate"):
        text += " " + words.say("Take it back, or play on: then it stands.")
    return text, "bad" if bad else "warn", "" if own or latest in text else latest


def _standing(table: Table, deal: Deal, words: Words) -> list[tuple[Finding, str, int]]:
    """The findings of the trick before the players' eyes that still hold, the most urgent first: in words, with the
    fact that told them."""
    felt = deal.felt
    since = shown_since(felt)

    def urgency(finding: Finding) -> tuple[int, int]:
        if finding not in deal.settled:
            return 3, finding.n
        if finding.how != "breach":
            return 1, finding.n
        return (0 if felt.uppermost(finding.n) else 2), -finding.n

    fresh = [x for x in (*deal.settled, *deal.pending) if (x.n if x.how == "breach" else x.at) >= since]
    told: list[tuple[Finding, str, int]] = []
    for finding in sorted(fresh, key=urgency):
        line = _line_about(table, finding, "pending" if finding not in deal.settled else finding.how)
        if line is None:
            continue
        text, before = in_words(line, words), told[-1][0] if told else None
        if before is not None and finding.shown is not None and _alike(before, finding):
            text = words.say("The same in trick {trick}.").format(trick=finding.trick)
        told.append((finding, text, int(line.get("by", line["n"]))))
    return told


def _alike(one: Finding, other: Finding) -> bool:
    """Whether one card has proved both, of the same rule."""
    return (one.seat, one.rule, one.shown, one.at) == (other.seat, other.rule, other.shown, other.at)


def _line_about(table: Table, finding: Finding, how: str) -> Line | None:
    """The line that told of a finding."""
    for line in _lines_backwards(table):
        match line.get("ruling"):
            case "breach" if how == "breach" and (line["n"], line["rules"][:1]) == (finding.n, [finding.rule]):
                return line
            case "proved" if how not in ("breach", "pending") and _names(line, finding):
                return line
            case "pending" if how == "pending" and _names(line, finding):
                return line
    return None


def _names(line: Line, finding: Finding) -> bool:
    return (line["offence"]["n"], line["offence"]["rule"]) == (finding.n, finding.rule)


def _lines_backwards(table: Table) -> Iterator[Line]:
    yield from table.lines
    for entry in reversed(table.log):
        yield from entry.lines


def _latest(table: Table, words: Words) -> tuple[str, str]:
    """The most telling ruling of the latest fact that has one, in words with its tone, and what came of it."""
    weight = ("proved", "breach", "pending", "cleared", "withdrawn", "ignored", "unproven", "legal")
    for entry in reversed(table.log[-12:]):
        latest = entry.n == table.n
        if latest and (put_right := correction_in_words(table, words)):
            return put_right, correction_tone(table)
        told = entry.lines + (table.lines if latest else ())
        # An unknown tag has a place of its own, among the alerts.
        lines = [line for line in told if line.get("ruling") in weight and line.get("reason") != "unknown-tag"]
        if lines:
            line = min(lines, key=lambda told: weight.index(told["ruling"]))
            events = [e for e in entry.lines if e.get("event") in ("hearts-broken", "spades-broken", "trick")]
            return " ".join(filter(None, (in_words(x, words) for x in (line, *events)))), _TONES[line["ruling"]]
        if isinstance(entry.fact, f.Hand | f.Misdeal | f.Passed):
            return next((in_words(e, words) for e in entry.lines if e.get("event") == "misdeal"), ""), "plain"
    return "", "plain"


# --- questions -----------------------------------------------------------------------------------------------------


def _blocks(state: State) -> bool:
    """Whether the hand cannot be scored before a question is answered."""
    return state.felt is not None and state.felt.complete


def _shown_question(state: State, desk: Desk) -> Question | None:
    """The oldest question that nobody has put off; at the end of a hand nothing can be put off any more."""
    return next((q for q in state.questions if q.id not in desk.later or _blocks(state)), None)


def _asked(table: Table, question: Question, words: Words) -> str:
    entry = table.entry(question.n)
    lines = (*(entry.lines if entry is not None else ()), *table.lines)
    line = next((said for said in lines if said.get("question") == question.id), None)
    return in_words(line, words) if line is not None else words.say("Which card is it?")


def _answers(question: Question, words: Words, *, put_off: bool) -> tuple[Tap, ...]:
    say, id = words.say, question.id
    cards = [c for c in question.candidates if isinstance(c, Card)]
    taps: list[Tap]
    if question.ask == "seat":
        seats = [c for c in question.candidates if not isinstance(c, Card)]
        taps = [Tap(words.name(seat), f.Answer(question=id, seat=seat)) for seat in seats]
    elif question.ask == "missing" or len(cards) > 4:
        taps = [Tap(say("Choose the card"), Command("answer", id), strong=True)]
        if question.ask == "missing":
            taps.append(Tap(say("No card is missing"), f.Answer(question=id)))
    else:
        taps = [Tap(c.face(words.language), f.Answer(question=id, card=c), card=c) for c in cards]
        if question.why in ("duplicate", "unreadable"):
            taps.append(Tap(say("Another card"), Command("correct", str(question.of))))
        elif question.why not in ("which", "conflict") and len(cards) < 2:
            taps.append(Tap(say("As it was read"), f.Answer(question=id)))
    if put_off:
        taps.append(Tap(say("Not known"), Command("later", id)))
    keyed = zip(taps, _ANSWER_KEYS, strict=False)
    return tuple(Tap(t.label, t.action, key, strong=t.strong, card=t.card) for t, key in keyed)


# --- pickers -------------------------------------------------------------------------------------------------------


def _picker(table: Table, desk: Desk, words: Words) -> Picker | None:
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
            return _card_picker(title, table, desk, words, (back,))
        case "answer":
            question = open_question(desk, state)
            title = _asked(table, question, words) if question is not None else ""
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
        case "dealer":
            names = words.shown(state.players)
            deals = tuple(Tap(name, f.Hand(dealer=i), str(i + 1)) for i, name in enumerate(names))
            return Picker(say("Who deals?"), taps=(*deals, back))
        case "end-hand":
            return _points_picker(desk, state, words, back)
        case "menu":
            return _menu(state, desk, words, back)
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
    cards = tuple((c, Tap(str(c), Command("chosen", str(c)), selected=c.rank == rank)) for c in by_suit)
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
    lying = felt.lies(seat)
    last = felt.tricks[-1].card_of(seat) if felt.tricks else None
    laid = lying if lying is not None else last  # until it plays again, its last card can be taken back
    if laid is not None and laid.card is None:
        taps.append(Tap(say("Choose the card"), _naming(state, laid), "y", strong=True))
    if lying is None:
        strong = not taps
        taps.append(Tap(say("Enter the card"), Command("card", str(seat)), "return", strong=strong))
    if laid is not None and laid.card is not None:
        face = laid.card.face(words.language)
        taps.append(Tap(say("Take {card} back").format(card=face), f.Withdraw(seat=seat, card=laid.card), "w"))
        taps.append(Tap(say("It is not {card}").format(card=face), Command("correct", str(laid.n)), "x"))
        taps.append(Tap(say("Another player laid it"), Command("laid-by", str(laid.n)), "n"))
        if not laid.sure:
            taps.append(Tap(say("It is {card}").format(card=face), f.Confirm(n=laid.n), "y"))
        if lying is not None:
            taps.append(Tap(say("A second card"), Command("second", str(seat)), "z"))
    return Picker(words.name(seat), taps=(*taps, back))


def _naming(state: State, laid: Laid) -> Command:
    """How a card that lies there, nobody knows which, is named."""
    question = next((q for q in state.questions if q.seat == laid.seat and q.ask != "seat"), None)
    if question is not None:
        return Command("answer", question.id)
    return Command("card", str(laid.seat)) if laid.hole else Command("correct", str(laid.n))


def _pass_picker(state: State, seat: Seat, words: Words, back: Tap) -> Picker:
    right = state.game.pass_count if state.game is not None else 0
    labels = (words.say("No card"), words.say("1 card"))  # not the bare number: a button that is its key hides it
    taps = tuple(
        Tap(
            labels[n] if n < 2 else words.say("{count} cards").format(count=n),
            f.Pass(seat=seat, count=n),
            str(n),
            strong=n == right,
        )
        for n in range(max(_MOST_PASSED, right) + 1)
    )
    return Picker(words.say("How many cards does {name} pass?").format(name=words.name(seat)), taps=(*taps, back))


def _points_picker(desk: Desk, state: State, words: Words, back: Tap) -> Picker:
    say, left, names = words.say, points_left(desk, state), words.shown(state.players)
    points = ", ".join(f"{name} {desk.points[seat]}" for seat, name in enumerate(names))
    again = Tap(say("Begin again"), Command("give"), "x")
    if left == 0:
        done = Tap(say("End the hand so"), Command("end-hand"), "return", strong=True)
        return Picker(say("End the hand: {points}").format(points=points), taps=(done, again, back))
    taps: list[Tap] = []
    for seat, name in enumerate(names):
        one, five, rest = (row[seat] for row in _GIVING_KEYS)
        taps.append(Tap(f"{name} +1", Command("give", f"{seat}+1"), one))
        taps.append(Tap(f"{name} +5", Command("give", f"{seat}+5"), five))
        taps.append(Tap(say("{name}: the rest").format(name=name), Command("give", f"{seat}*"), rest))
    title = say("{left} points to give: {points}").format(left=left, points=points)
    return Picker(title, taps=(*taps, again, back))


def _menu(state: State, desk: Desk, words: Words, back: Tap) -> Picker:
    """What is seldom wanted."""
    say, felt = words.say, state.felt
    taps: list[tuple[str, Command]] = []
    if felt is not None and any(laid.card is not None for _, laid in felt.places()):
        taps.append((say("Correct an earlier card"), Command("wrong")))
    if felt is not None and state.deal is not None and state.deal.phase == "playing":
        taps.append((say("A card of another player"), Command("player")))
    if _passers(state, words) and state.deal is not None and state.deal.phase == "passing":
        taps.append((say("A player passes another number"), Command("passer")))
    if state.deal is not None and state.deal.phase != "over":
        taps.append((say("End the hand by agreement"), Command("end-hand")))
        taps.append((say("Misdeal: deal again"), Command("sure", "misdeal")))
    if state.result is None:
        taps.append((say("End the match"), Command("sure", "end-match")))
    taps.append((_following_language(desk), Command("language")))
    taps.append((say("Leave"), Command("sure", "leave")))
    keyed = tuple(Tap(label, action, str(i + 1)) for i, (label, action) in enumerate(taps))
    return Picker(say("Menu"), taps=(*keyed, back))


def _sure_picker(state: State, desk: Desk, words: Words, back: Tap) -> Picker:
    say = words.say
    end = say("End the match now?")
    if state.deal is not None and state.deal.phase != "over":
        end = say("End the match now? The hand that is being played does not count.")
    asked: dict[str, tuple[str, f.Fact | Command]] = {
        "misdeal": (say("Misdeal: annul this hand and deal again?"), f.Misdeal()),
        "end-match": (end, f.EndMatch()),
        "leave": (say("Leave tablepi? The game is kept and goes on next time."), Command("leave")),
    }
    title, action = asked.get(desk.argument, ("", Command("close")))
    return Picker(title, taps=(Tap(say("Yes"), action, say("y")), back))


def _following_language(desk: Desk) -> str:
    return LANGUAGE_NAMES[LANGUAGES[(LANGUAGES.index(desk.language) + 1) % len(LANGUAGES)]]


# --- grids and buttons ---------------------------------------------------------------------------------------------


def _grid(table: Table, desk: Desk, words: Words) -> Grid | None:
    state = table.state
    if desk.open == "help":
        return _keys_grid(words)
    if desk.open == "lamps":
        return _lamps_grid(words)
    if desk.open == "scores" or (desk.open == "" and _hand_over(state) and state.scores):
        return _scores_grid(table, words)
    return None


def _hand_over(state: State) -> bool:
    return state.result is not None or (state.deal is not None and state.deal.phase == "over")


def _scores_grid(table: Table, words: Words) -> Grid:
    say, state = words.say, table.state
    rows = [
        (say("Hand {number}").format(number=score.hand), *(str(score.points[side]) for side in score.points))
        for score in state.scores[-8:]
    ]
    rows.append((say("Total"), *(str(total) for total in state.totals.values())))
    head = ("", *(words.side(side) for side in state.totals))
    return Grid(say("Scores"), head, tuple(rows), _notes(table, words))


def _notes(table: Table, words: Words) -> tuple[str, ...]:
    """What the end of the hand found: the moon, the offences that stand, what stays open."""
    latest = next((e for e in reversed(table.log) if any(line.get("event") == "hand" for line in e.lines)), None)
    if latest is None:
        return ()
    notes = [correction_in_words(table, words, outcome=False)]
    notes += [moon_in_words(line, words) for line in latest.lines if line.get("event") == "hand"]
    for line in latest.lines:
        if line.get("ruling") != "confirmed":
            continue
        say, standing, unresolved = words.say, line["offences"], line["unresolved"]
        text = in_words({**line, "unresolved": ()}, words)
        if standing:
            text += " " + say("These rules set no penalty: it is only recorded.")
        notes += [text, "; ".join(offence_in_words(offence, words) for offence in standing)]
        if unresolved:
            listed = "; ".join(offence_in_words(offence, words) for offence in unresolved)
            text = say("Not resolved: {unresolved}.").format(unresolved=listed)
            ended = isinstance(latest.fact, f.EndHand)
            notes.append(text + " " + say("Later cards would have told.") if ended else text)
    return tuple(filter(None, notes))


def _keys_grid(words: Words) -> Grid:
    say = words.say
    rows = (
        (say("2…10 J Q K A, then C D H S"), say("the next card: rank, then suit (QS is Q♠)")),
        ("⏎", say("the next step: start, deal, enter a card")),
        ("W", say("take the latest card back")),
        ("U", say("undo what was entered last")),
        ("F2 F3 F4…", say("answer a question of the table")),
        ("Esc", say("menu, or back")),
        (say("touch a player"), say("enter, take back or correct the card of that player")),
    )
    notes = (
        say("The arrow and the yellow plate show who is to play."),
        say("On a card: ? legal only if the player truly lacks the suit; ! please look; ✕ illegal; !! proved illegal."),
    )
    return Grid(say("Playing at this table"), (say("Key"), say("What it does")), rows, notes)


def _lamps_grid(words: Words) -> Grid:
    say = words.say
    meanings = (
        ("turn", say("this seat is to play")),
        ("winner", say("this seat took the trick, and leads the next")),
        ("breach", say("the card just laid is illegal: take it back or play on")),
        ("proof", say("an earlier card of this seat is proved illegal: the display says which")),
        ("question", say("the table asks something: answer on the display")),
        ("lost", say("a device is not there: plug it in, or enter the cards by hand")),
    )
    rhythms = {
        "steady": say("steady"),
        "slow": say("slow blink"),
        "fast": say("fast blink"),
        "double": say("two flashes"),
        "triple": say("three flashes"),
        "blip": say("one short flash"),
    }
    colours = {
        "white": say("white"),
        "green": say("green"),
        "red": say("red"),
        "amber": say("amber"),
        "blue": say("blue"),
    }
    rows = tuple((colours[MEANINGS[m].colour], rhythms[MEANINGS[m].rhythm], text) for m, text in meanings)
    return Grid(say("What the lamps mean"), (say("Lamp"), say("Rhythm"), say("Meaning")), rows)


def _taps(table: Table, desk: Desk, words: Words, *, by_hand: bool) -> tuple[Tap, ...]:
    """The row of buttons. While cards are played, none owns a key that begins a card. *by_hand*: no reader reads the
    cards, so that entering one is the natural next step."""
    say, state, deal = words.say, table.state, table.state.deal
    language = Tap(_following_language(desk), Command("language"), "l")
    if desk.open in _PAGES:
        back = Tap(say("Back"), Command("close"), "escape", strong=True)
        other = {
            "help": (Tap(say("The lamps"), Command("lamps"), "f1"),),
            "lamps": (Tap(say("The keys"), Command("help"), "f1"),),
        }.get(desk.open, ())
        return back, *other, language
    help_tap = Tap(say("Help"), Command("help"), "f1")
    if state.match is None:
        start = Tap(say("Start the match"), new_match(desk.setup), "return", strong=True)
        others = (Tap(say("Other rules"), Command("rules"), "n"),) if len(desk.setup.rules) > 1 else ()
        return start, *others, help_tap, language, Tap(say("Leave"), Command("sure", "leave"), "escape")
    taps: list[Tap] = []
    if state.result is not None:
        taps.append(Tap(say("New match"), new_match(desk.setup), "return", strong=True))
    elif deal is None or deal.phase == "over":
        taps.append(Tap(say("Next hand"), f.Hand(dealer=state.next_dealer), "return", strong=True))
        taps.append(Tap(say("Who deals?"), Command("dealer"), "n"))
    elif deal.phase == "passing":
        taps.append(Tap(say("All have passed"), f.Passed(), "return", strong=True))
    else:
        taps += _playing_taps(state, deal, words, by_hand=by_hand)
    if undo(table) is not None:
        taps.append(Tap(say("Undo"), Command("undo"), "u"))
    if any(question.id in desk.later for question in state.questions) and not _blocks(state):
        taps.append(Tap(say("Question"), Command("questions"), "f9"))
    if not _hand_over(state):
        taps.append(Tap(say("Scores"), Command("scores"), "i"))
    return (*taps, help_tap, Tap(say("Menu"), Command("menu"), "escape"))


def _second_card(state: State) -> Laid | None:
    """The second card of a seat whose cards the table asks about: it lies on the felt, but in no place of the trick."""
    for question in reversed(state.questions):
        if question.why == "which" and question.seat is not None and isinstance(question.candidates[-1], Card):
            return Laid(question.other or question.n, question.seat, question.candidates[-1])
    return None


def _playing_taps(state: State, deal: Deal, words: Words, *, by_hand: bool) -> list[Tap]:
    say, felt, seat = words.say, deal.felt, expected(state)
    enter = Command("whose") if seat is None else Command("card", str(seat))
    latest = latest_laid(felt)
    wrong = latest is not None and any(x.how == "breach" and x.n == latest.n for x in deal.settled)
    wrong = wrong and latest is not None and felt.uppermost(latest.n)
    taps: list[Tap] = []
    if seat is not None or not felt.complete:
        taps.append(Tap(say("Enter the card"), enter, "return", strong=by_hand and not wrong))
    second = _second_card(state)
    if second is not None and (latest is None or second.n > latest.n):
        latest = second
    if latest is not None and latest.card is not None:
        label = say("Take {card} back").format(card=latest.card.face(words.language))
        taps.append(Tap(label, f.Withdraw(seat=latest.seat, card=latest.card), "w", strong=wrong))
    return taps
