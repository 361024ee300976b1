"""The screen of a table: what the display shows now, in words of the chosen language.

``screen(table, desk, words)`` is a pure function. It asks the game only for what every game has (points, broken or not,
the direction of the pass), so that it needs to know none.
"""

from __future__ import annotations

from collections.abc import Mapping

from .. import facts as f
from ..cards import Card, Seat
from ..judge import Felt, Laid
from ..match import Deal, Line, Question, State
from ..table import Table, undo
from .desk import (
    Desk,
    choosable,
    latest_laid,
    new_match,
    open_question,
    points_left,
    points_taken,
)
from .lamps import MEANINGS, Lamp, lamps
from .screen import Command, Grid, Picker, Screen, SeatView, Tap
from .words import Words, broken_in_words, direction_in_words, in_words

_TONES = {
    "legal": "plain",
    "unproven": "plain",
    "ignored": "plain",
    "withdrawn": "plain",
    "cleared": "good",
    "pending": "warn",
    "breach": "bad",
    "proved": "bad",
}


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
    wanted = lamps(state, readers=readers)
    ruling, tone = _last_ruling(table, words) if desk.open not in ("help", "scores") else ("", "plain")
    questions = state.questions
    return Screen(
        language=desk.language,
        title="tablepi",
        seats=tuple(_seat(state, seat, words, wanted.seats[seat], table) for seat in range(len(state.players))),
        chips=_chips(state, words),
        headline=_headline(state, desk, words) if desk.open not in ("help", "scores") else "",
        ruling=ruling,
        ruling_tone=tone,
        question=_asked(table, questions[0], words) if questions else "",
        answers=_answers(questions[0], words) if questions else (),
        alerts=_alerts(state, words) + alerts,
        grid=_grid(table, desk, words),
        picker=_picker(table, desk, words),
        taps=_taps(table, desk, words),
        centre=wanted.centre,
        centre_words=lamp_in_words(wanted.centre, words),
        column_words=(words.say("Points"), words.say("Tricks"), words.say("Total")),
    )


def lamp_in_words(lamp: Lamp, words: Words) -> str:
    """What a lamp means, in a word or two."""
    say = words.say
    texts = {
        "proof": say("proved"),
        "breach": say("illegal"),
        "question": say("question"),
        "lost": say("device lost"),
        "turn": say("to play"),
        "winner": say("took it"),
    }
    return texts.get(lamp.meaning, "")


# --- the table -----------------------------------------------------------------------------------------------------


def _shown_felt(state: State) -> Felt | None:
    return state.deal.felt if state.deal is not None else None


def _shown_trick(felt: Felt) -> tuple[tuple[Laid, ...], Seat | None]:
    """The cards as they lie and their lead: the trick in progress, or the last one until a card is led."""
    if felt.trick or not felt.tricks:
        return felt.trick, felt.lead
    return felt.tricks[-1].cards, felt.tricks[-1].lead


def _seat(state: State, seat: Seat, words: Words, lamp: Lamp, table: Table) -> SeatView:
    felt, deal = _shown_felt(state), state.deal
    total = next((str(t) for side, t in state.totals.items() if str(seat) in side.split("-")), "")
    view = SeatView(seat, words.name(seat), total=total, lamp=lamp, lamp_words=lamp_in_words(lamp, words))
    if felt is None or deal is None:
        return view
    trick, _ = _shown_trick(felt)
    place = next((i for i, laid in enumerate(trick) if laid.seat == seat), None)
    laid = trick[place] if place is not None else None
    finished = felt.tricks[-1].winner if felt.tricks and not felt.trick else None
    return SeatView(
        seat,
        words.name(seat),
        card=laid.card if laid is not None else None,
        covered=laid is not None and laid.card is None,
        mark=_mark(deal, felt, laid),
        order=0 if place is None else place + 1,
        turn=deal.phase == "playing" and felt.turn == seat,
        won=finished == seat,
        points=str(points_taken(state)[seat]),
        tricks=str(sum(1 for t in felt.tricks if t.winner == seat)),
        total=total,
        lamp=lamp,
        lamp_words=lamp_in_words(lamp, words),
        tap=Tap(words.name(seat), Command("seat", str(seat))) if deal.phase == "playing" else None,
    )


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
    deal, game = state.deal, state.game
    if state.match is None or game is None:
        return ()
    chips = [(state.match.rules, "plain")]
    if deal is not None:
        chips.append((words.say("Hand {number}").format(number=deal.number), "plain"))
        if deal.direction is not None:
            tone = "warn" if deal.phase == "passing" else "plain"
            chips.append((direction_in_words(deal.direction, words), tone))
        broken = broken_in_words(game.broken_event, deal.felt.broken, words)
        chips.append((broken, "good" if deal.felt.broken else "plain"))
        if deal.phase == "playing" and not deal.felt.complete:
            trick = words.say("Trick {number} of {size}").format(number=deal.felt.number, size=deal.felt.size)
            chips.append((trick, "plain"))
    return tuple(chips)


def _headline(state: State, desk: Desk, words: Words) -> str:
    say, deal = words.say, state.deal
    if state.match is None:
        return say("Start a match: {rules}, {players}").format(
            rules=desk.setup.chosen, players=", ".join(desk.setup.players)
        )
    if state.result is not None:
        winners = say(" and ").join(words.side(side) for side in state.result.winners)
        return say("The match is over: {winners} first.").format(winners=winners)
    if deal is None or deal.phase == "over":
        dealer = words.name(state.next_dealer)
        return say("Deal the next hand: {dealer} deals.").format(dealer=dealer)
    if deal.phase == "passing":
        return direction_in_words(deal.direction, words)
    felt = deal.felt
    if felt.complete:
        return say("A card of this hand is not known: answer the question or end the hand.")
    if felt.turn is not None:
        return say("{name} to play.").format(name=words.name(felt.turn))
    opening = felt.game.opening(felt.deck)
    if opening is not None and felt.number == 1 and not felt.trick:
        return say("Whoever holds {card} opens.").format(card=opening.face(words.language))
    return say("The next card?")


def _last_ruling(table: Table, words: Words) -> tuple[str, str]:
    """The most telling ruling of the latest facts, in words, with its tone."""
    weight = ("proved", "breach", "pending", "cleared", "withdrawn", "ignored", "unproven", "legal")
    for entry in reversed(table.log[-12:]):
        told = entry.lines + (table.lines if entry.n == table.n else ())
        # An unknown tag has a place of its own, among the alerts.
        lines = [line for line in told if line.get("ruling") in weight and line.get("reason") != "unknown-tag"]
        if lines:
            line = min(lines, key=lambda told: weight.index(told["ruling"]))
            return in_words(line, words), _TONES[line["ruling"]]
    return "", "plain"


def _alerts(state: State, words: Words) -> tuple[str, ...]:
    say = words.say
    lost = tuple(say("{device} is missing; the game goes on").format(device=d) for d in state.lost)
    strangers = tuple(say("Unknown tag: {uid}").format(uid=s) for s in state.strangers[-1:])
    return lost + strangers


# --- questions and pickers -----------------------------------------------------------------------------------------


def _asked(table: Table, question: Question, words: Words) -> str:
    entry = table.entry(question.n)
    line: Line | None = (
        next((said for said in entry.lines if said.get("question") == question.id), None) if entry else None
    )
    return in_words(line, words) if line is not None else words.say("Which card is it?")


def _answers(question: Question, words: Words) -> tuple[Tap, ...]:
    say = words.say
    as_read = Tap(say("As it was read"), f.Answer(question=question.id), "y")
    if question.ask == "seat":
        seats = (c for c in question.candidates if not isinstance(c, Card))
        return tuple(Tap(words.name(s), f.Answer(question=question.id, seat=s), str(s + 1)) for s in seats)
    cards = [c for c in question.candidates if isinstance(c, Card)]
    if question.ask == "missing" or len(cards) > 4:
        pick = Tap(say("Choose the card"), Command("answer", question.id), "y", strong=True)
        return pick, Tap(say("No card is missing"), f.Answer(question=question.id), "z")
    taps = tuple(
        Tap(c.face(words.language), f.Answer(question=question.id, card=c), str(i + 1)) for i, c in enumerate(cards)
    )
    if question.why in ("duplicate", "unreadable"):
        return (*taps, Tap(say("Another card"), Command("correct", str(question.of)), "z"))
    return taps if question.why in ("which", "conflict") else (*taps, as_read) if len(cards) < 2 else taps


def _picker(table: Table, desk: Desk, words: Words) -> Picker | None:
    say, state = words.say, table.state
    close = Tap(say("Back"), Command("close"), "escape")
    match desk.open:
        case "card" if len(desk.typed) == 2:
            title = say("Who lays {card}?").format(card=words.face(desk.typed))
            seats = tuple(
                Tap(name, Command("chosen", str(seat)), str(seat + 1)) for seat, name in enumerate(state.players)
            )
            return Picker(title, taps=(*seats, close))
        case "card":
            who = words.name(int(desk.argument)) if desk.argument else say("Who?")
            return _card_picker(say("{name}: which card?").format(name=who), table, desk, close)
        case "correct":
            return _card_picker(say("Which card is it really?"), table, desk, close)
        case "answer":
            question = open_question(desk, state)
            return _card_picker(_asked(table, question, words), table, desk, close) if question is not None else None
        case "whose":
            seats = tuple(Tap(name, Command("card", str(i)), str(i + 1)) for i, name in enumerate(state.players))
            return Picker(say("Who lays a card?"), taps=(*seats, close))
        case "seat":
            return _seat_picker(state, int(desk.argument), words, close)
        case "end-hand":
            return _points_picker(desk, state, words, close)
        case "sure":
            texts: dict[str, tuple[str, f.Fact | Command]] = {
                "misdeal": (say("Misdeal: annul this hand?"), f.Misdeal()),
                "end-match": (say("End the match now?"), f.EndMatch()),
                "new-match": (say("Start a new match?"), new_match(desk.setup)),
                "leave": (say("Leave tablepi? The game is kept and goes on next time."), Command("leave")),
            }
            title, action = texts[desk.argument]
            return Picker(title, taps=(Tap(say("Yes"), action, "y", strong=True), close))
        case _:
            return None


def _card_picker(title: str, table: Table, desk: Desk, close: Tap) -> Picker:
    by_suit = sorted(choosable(desk, table), key=lambda c: ("SHDC".index(c.suit), c.index))
    cards = tuple((c, Tap(str(c), Command("chosen", str(c)))) for c in by_suit)
    return Picker(title, cards=cards, taps=(close,), typed=desk.typed)


def _seat_picker(state: State, seat: Seat, words: Words, close: Tap) -> Picker:
    say, felt = words.say, state.felt
    taps: list[Tap] = []
    if felt is not None:
        trick, _ = _shown_trick(felt)
        laid = next((laid for laid in trick if laid.seat == seat), None)
        if felt.lies(seat) is None:
            taps.append(Tap(say("Enter the card"), Command("card", str(seat)), "return", strong=True))
        if laid is not None and laid.card is not None:
            face = laid.card.face(words.language)
            taps.append(Tap(say("Take {card} back").format(card=face), f.Withdraw(seat=seat, card=laid.card), "w"))
            taps.append(Tap(say("{card} is another card").format(card=face), Command("correct", str(laid.n)), "x"))
            taps.append(Tap(say("{card} is right").format(card=face), f.Confirm(n=laid.n), "y"))
            if felt.lies(seat) is not None:
                taps.append(Tap(say("A second card"), Command("card", str(seat)), "z"))
    return Picker(words.name(seat), taps=(*taps, close))


def _points_picker(desk: Desk, state: State, words: Words, close: Tap) -> Picker:
    say, left = words.say, points_left(desk, state)
    if left == 0:
        points = ", ".join(f"{name} {desk.points[seat]}" for seat, name in enumerate(state.players))
        done = Tap(say("End the hand so"), Command("end-hand"), "return", strong=True)
        return Picker(say("End the hand: {points}").format(points=points), taps=(done, close))
    taps: list[Tap] = []
    for seat, name in enumerate(state.players):
        label = say("{name}: {points}, one more").format(name=name, points=desk.points[seat])
        taps.append(Tap(label, Command("give", str(seat)), str(seat + 1)))
        taps.append(Tap(say("All the rest to {name}").format(name=name), Command("give", f"{seat}*")))
    return Picker(say("End the hand by agreement: {left} points to give").format(left=left), taps=(*taps, close))


# --- grids and buttons ---------------------------------------------------------------------------------------------


def _grid(table: Table, desk: Desk, words: Words) -> Grid | None:
    say, state = words.say, table.state
    if desk.open == "help":
        return _help(words)
    over = state.result is not None or (state.deal is not None and state.deal.phase == "over")
    if desk.open == "scores" or (over and desk.open == ""):
        rows = [
            (say("Hand {number}").format(number=score.hand), *(str(score.points[side]) for side in score.points))
            for score in state.scores[-8:]
        ]
        rows.append((say("Total"), *(str(total) for total in state.totals.values())))
        head = ("", *(words.side(side) for side in state.totals))
        return Grid(say("Scores"), head, tuple(rows), _notes(table, words))
    return None


def _notes(table: Table, words: Words) -> tuple[str, ...]:
    """What the end of the hand found: the moon, the offences that stand, what stays open."""
    latest = next((e for e in reversed(table.log) if any(line.get("event") == "hand" for line in e.lines)), None)
    if latest is None:
        return ()
    told = [line for line in latest.lines if line.get("ruling") == "confirmed" or line.get("moon")]
    notes = [in_words(line, words) for line in told]
    confirmed = next((line for line in told if line.get("ruling") == "confirmed"), None)
    for offence in (confirmed or {}).get("offences", ()):
        text = words.say("Trick {trick}: {name}, {card}").format(
            trick=offence["trick"], name=words.name(offence["seat"]), card=words.face(offence["card"])
        )
        notes.append(f"{text} ({rule_in_words(offence['rule'], words)})")
    return tuple(notes)


def rule_in_words(rule: str, words: Words) -> str:
    """What a rule is called at the table."""
    say = words.say
    texts = {
        "turn": say("out of turn"),
        "opening": say("wrong opening card"),
        "follow-suit": say("suit not followed"),
        "first-trick-points": say("points on the first trick"),
        "hearts-not-broken": say("hearts led too early"),
        "duplicate": say("card seen twice"),
        "too-many-cards": say("two cards of one seat"),
        "not-in-deck": say("card not in the deck"),
        "not-in-hand": say("card not in that hand"),
        "pass-count": say("wrong number of cards passed"),
    }
    return texts.get(rule, rule)


def _help(words: Words) -> Grid:
    say = words.say
    meanings = (
        ("turn", say("this seat is to play")),
        ("winner", say("this seat took the last trick")),
        ("breach", say("the card just laid is illegal: take it back or play on")),
        ("proof", say("an earlier card of this seat is proved illegal: the display says which")),
        ("question", say("the table asks something: answer on the display")),
        ("lost", say("a device is not there: plug it in, or go on by hand")),
    )
    rhythms = {
        "steady": say("steady"),
        "slow": say("slow blink"),
        "fast": say("fast blink"),
        "double": say("two flashes"),
        "triple": say("three flashes"),
        "blip": say("short blip"),
    }
    colours = {
        "white": say("white"),
        "green": say("green"),
        "red": say("red"),
        "amber": say("amber"),
        "blue": say("blue"),
    }
    rows = tuple((colours[MEANINGS[m].colour], rhythms[MEANINGS[m].rhythm], text) for m, text in meanings)
    notes = (
        say("On a card: ? legal only if the player truly lacks the suit; ! please look; ✕ illegal; !! proved illegal."),
        say("Touch a seat to enter, take back or correct its card; or type it, rank and suit."),
    )
    return Grid(say("What the lamps mean"), (say("Lamp"), say("Rhythm"), say("Meaning")), rows, notes)


def _taps(table: Table, desk: Desk, words: Words) -> tuple[Tap, ...]:
    say, state = words.say, table.state
    help_tap = Tap(say("Help"), Command("help"), "f1")
    language = Tap(desk.language, Command("language"), "l")
    leave = Tap(say("Leave"), Command("sure", "leave"), "escape")
    if desk.open in ("help", "scores"):
        return Tap(say("Back"), Command("close"), "escape", strong=True), language
    if state.match is None:
        start = Tap(say("Start the match"), new_match(desk.setup), "return", strong=True)
        return start, Tap(say("Other rules"), Command("rules"), "n"), help_tap, language, leave
    if state.result is not None:
        again = Tap(say("New match"), new_match(desk.setup), "return", strong=True)
        return again, Tap(say("Undo"), Command("undo"), "u"), help_tap, language, leave
    taps: list[Tap] = []
    deal = state.deal
    if deal is None or deal.phase == "over":
        taps.append(Tap(say("Next hand"), f.Hand(dealer=state.next_dealer), "return", strong=True))
        others = (state.next_dealer + 1) % max(1, len(state.players))
        if not state.scores and state.deals == 0:
            label = say("{name} deals").format(name=words.name(others))
            taps.append(Tap(label, f.Hand(dealer=others), "n"))
    elif deal.phase == "passing":
        taps.append(Tap(say("All have passed"), f.Passed(), "return", strong=True))
    elif deal.felt.turn is not None:
        taps.append(Tap(say("Enter the card"), Command("card", str(deal.felt.turn)), "return"))
    else:
        taps.append(Tap(say("Enter the card"), Command("whose"), "return"))
    if undo(table) is not None:
        taps.append(Tap(say("Undo"), Command("undo"), "u"))
    if deal is not None and deal.phase != "over":
        latest = latest_laid(deal.felt)
        if latest is not None:
            label = say("Take {card} back").format(card=latest[1].face(words.language))
            taps.append(Tap(label, f.Withdraw(seat=latest[0], card=latest[1]), "w"))
        taps.append(Tap(say("End hand"), Command("end-hand"), "g"))
        taps.append(Tap(say("Misdeal"), Command("sure", "misdeal"), "m"))
    taps.append(Tap(say("Scores"), Command("scores"), "i"))
    taps.append(Tap(say("End match"), Command("sure", "end-match"), "x"))
    return (*taps, help_tap, language, leave)
