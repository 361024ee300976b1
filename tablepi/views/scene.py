"""The screen of a table: what the display shows now, in words of the chosen language.

``screen(table, desk, words)`` is a pure function: the seats round the table, the standing facts, whose turn it is, and
beside them what is told, asked and offered, which have files of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..cards import Seat
from ..facts import TWO_CARDS
from ..judge import SOMEONE, Felt, Laid
from ..passing import receiver
from ..state import Deal, State
from ..table import Table
from .buttons import buttons
from .customs import private_tricks, removed
from .desk import Desk, giver, in_place, paused, taken_so_far, tricks_won
from .lamps import MEANINGS, Lamp, awaited, chooser, expected, lamps
from .pages import PAGES, page
from .pickers import picker
from .questions import answers, asked, blocks, choices, shown_question
from .screen import Command, Screen, SeatView, Tap
from .telling import Told, told
from .words import (
    Words,
    broken_in_words,
    choice_in_words,
    direction_in_words,
    game_in_words,
    missing_in_words,
    number,
    over_in_words,
    removed_in_words,
    trouble_in_words,
    turn_in_words,
)


def screen(
    table: Table,
    desk: Desk,
    words: Words,
    *,
    readers: Mapping[str, Seat | None] | None = None,
    alerts: tuple[str, ...] = (),
    seconds: Mapping[Seat, int] | None = None,
) -> Screen:
    """What the display shows: the table, and over it what the person at the display has opened.

    *readers* says which seat each reader serves; *alerts* are faults that the table cannot know (a full disk); so are
    the *seconds* that a seat still has, where its time is limited.
    """
    state = table.state
    desk = in_place(desk, table)
    words = replace(words, veiled=private_tricks(state.game) and desk.unveiled != table.n)
    wanted = lamps(state, readers=readers)
    covered = desk.open in PAGES
    telling = Told("", "plain", "") if covered else told(table, desk, words)
    question, choosing = ("", ()) if covered else _question(table, desk, words)
    crowded = {(readers or {}).get(device) for device, reason in state.lost if reason == TWO_CARDS}
    centre_words = lamp_in_words(wanted.centre, words, centre=True, crowded=None in crowded)
    left = seconds or {}
    return Screen(
        language=desk.language,
        title="tablepi" if state.match is None else game_in_words(state.match.rules, words),
        seats=tuple(
            _seat(state, seat, words, wanted.seats[seat], left=left.get(seat), crowded=seat in crowded)
            for seat in range(len(state.players))
        ),
        chips=_chips(state, words),
        headline="" if covered else _pause(table, desk, words) or _headline(state, desk, words),
        ruling=telling.ruling,
        ruling_tone=telling.tone,
        standing=telling.others,
        last=telling.last,
        question=question,
        answers=choosing,
        alerts=()
        if covered
        else _alerts(state, words, readers or {}) + tuple(trouble_in_words(x, words) for x in alerts),
        grid=page(table, desk, words),
        picker=picker(table, desk, words),
        taps=buttons(table, desk, words, by_hand=not readers),
        centre=wanted.centre,
        centre_words="" if wanted.centre == MEANINGS["turn"] else centre_words,
        column_words=_columns(state, words),
    )


def _question(table: Table, desk: Desk, words: Words) -> tuple[str, tuple[Tap, ...]]:
    """What the table asks now, and the answers; the choice after a moon is asked last."""
    state = table.state
    question = shown_question(state, desk)
    if question is not None:
        return asked(table, question, words), answers(question, words, put_off=not blocks(state))
    seat = chooser(state)
    return (choice_in_words(seat, words), choices(state, words)) if seat is not None else ("", ())


def _columns(state: State, words: Words) -> tuple[str, str, str]:
    """How the three numbers of a seat are called: a game with bids has no points of a seat, and where earlier tricks
    are private it is the number of cards in hand that everybody may know."""
    say = words.say
    first = say("Bid") if state.game is not None and state.game.bidding else say("Points")
    second = say("Cards") if private_tricks(state.game) else say("Tricks")
    return first, second, say("Total")


def lamp_in_words(lamp: Lamp, words: Words, *, centre: bool = False, crowded: bool = False) -> str:
    """What the lamp of a seat, or the one in the centre, means, in a word or two; *crowded*: two cards lie on its
    reader, which is why that counts as lost."""
    say = words.say
    texts = {
        "proof": say("proved"),
        "breach": say("illegal"),
        "someone": say("somebody, illegal"),
        "question": say("question"),
        "timeout": say("time is up"),
        "lost": say("two cards") if crowded else say("device missing") if centre else say("no reader"),
        "turn": say("to play"),
        "winner": say("took it"),
    }
    return texts.get(lamp.meaning, "")


# --- the table -----------------------------------------------------------------------------------------------------


def _seat(state: State, seat: Seat, words: Words, lamp: Lamp, *, left: int | None, crowded: bool) -> SeatView:
    deal, name, means = state.deal, words.name(seat), lamp_in_words(lamp, words, crowded=crowded)
    total = next((number(t) for side, t in state.totals.items() if str(seat) in side.split("-")), "")
    if deal is None:
        return SeatView(seat, name, total=total, lamp=lamp, lamp_words=means)
    felt = deal.felt
    trick = felt.before_the_players
    place = next((i for i, laid in enumerate(trick) if laid.seat == seat), None)
    laid = trick[place] if place is not None else None
    owes = deal.phase == "playing" and expected(state) == seat
    second = felt.left_in(seat) if private_tricks(felt.game) else tricks_won(deal)[seat]
    return SeatView(
        seat,
        name,
        card=laid.card if laid is not None else None,
        covered=laid is not None and laid.card is None and not owes,
        mark=_mark(deal, felt, laid),
        order=0 if place is None else place + 1,
        turn=awaited(state) == seat,
        won=bool(felt.tricks) and not felt.trick and felt.tricks[-1].winner == seat,
        points=_bid(deal, seat, words) if felt.game.bidding else number(taken_so_far(state)[seat]),
        tricks=str(second),
        total=total,
        lamp=lamp,
        lamp_words=_does(state, deal, seat, words) or means,
        seconds=f"{left} s" if left else "",
        tap=_seat_tap(state, deal, seat, name),
    )


def _does(state: State, deal: Deal, seat: Seat, words: Words) -> str:
    """What a seat is about that its lamp does not say: it passes, bids, gives cards; its player has left."""
    say = words.say
    if deal.phase == "bidding" and deal.auction is not None and awaited(state) == seat:
        return say("bids") if deal.auction.turn is not None else say("gives cards")
    if seat in state.left:
        return say("has left")
    return _passes_to(state, deal, seat, words)


def _bid(deal: Deal, seat: Seat, words: Words) -> str:
    """The bid of a seat in a word, with a cross once its nil has failed."""
    say = words.say
    bid = deal.auction.bids.get(seat) if deal.auction is not None else None
    if bid is None:
        return "–"
    if bid.nil is None:
        return str(bid.tricks)
    failed = " ✗" if tricks_won(deal)[seat] else ""
    return (say("blind") if bid.nil == "blind-nil" else say("nil")) + failed


def _passes_to(state: State, deal: Deal, seat: Seat, words: Words) -> str:
    """Whom a seat passes its cards to, and whether it has; a wrong number is said."""
    if deal.phase != "passing" or deal.direction is None:
        return ""
    name = words.name(receiver(deal.direction, seat, len(state.players)))
    passed, right = deal.pass_of(seat), state.game.pass_count if state.game is not None else 0
    if passed is None:
        return f"→ {name}"
    return f"→ {name} ✓" if passed.count == right else f"→ {name} ✗ {passed.count}"


def _seat_tap(state: State, deal: Deal, seat: Seat, name: str) -> Tap | None:
    """What touching a seat is for at the moment: the card of the one in turn, or of whoever opens; of any other seat
    what there is to do about it."""
    if deal.phase == "playing":
        plays = expected(state) == seat or not (deal.felt.tricks or deal.felt.trick)
        return Tap(name, Command("card" if plays else "seat", str(seat)))
    if deal.phase == "passing" and deal.pass_of(seat) is None:
        return Tap(name, Command("pass", str(seat)))
    if deal.phase == "bidding":
        gives = awaited(state) == seat == giver(state)
        return Tap(name, Command("pass" if gives else "bid", str(seat)))
    return None


def _mark(deal: Deal, felt: Felt, laid: Laid | None) -> str:
    if laid is None:
        return ""
    for finding in deal.settled:
        if laid.n == finding.n and finding.how != SOMEONE:  # of someone's, *n* is only the card that showed it
            return "breach" if finding.how == "breach" else "proved"
    if any(laid.n == finding.n and finding.how != SOMEONE for finding in deal.pending):
        return "pending"
    return "unproven" if any(laid.n == claim.n for claim in felt.claims) else ""


def _chips(state: State, words: Words) -> tuple[tuple[str, str], ...]:
    say, deal, game = words.say, state.deal, state.game
    if deal is None or game is None:
        return ()
    chips = [(say("Hand {number}").format(number=deal.number), "plain")]
    if deal.phase != "over" and not any(deal.felt.places()) and (out := removed(state)):
        chips.append((removed_in_words(out, words).rstrip("."), "warn"))
    if deal.direction is not None:
        tone = "warn" if deal.phase == "passing" else "plain"
        chips.append((direction_in_words(deal.direction, words), tone))
    if deal.phase in ("bidding", "playing"):  # alike, so that the table keeps its place when the first card is led
        broken = broken_in_words(game.broken_event, deal.felt.broken, words)
        chips.append((broken, "good" if deal.felt.broken else "plain"))
        trick = min(deal.felt.number, deal.felt.size)
        chips.append((say("Trick {number} of {size}").format(number=trick, size=deal.felt.size), "plain"))
    if deal.auction is not None:
        chips += [(_contract(state, deal, side, words), "plain") for side in game.sides(len(state.players))]
    return tuple(chips)


def _contract(state: State, deal: Deal, side: str, words: Words) -> str:
    """The tricks of a side and what it has bid together, a dash before its first bid, and the bags that it has from
    before."""
    say, seats = words.say, [int(seat) for seat in side.split("-")]
    bids = deal.auction.bids if deal.auction is not None else {}
    made = [bids[seat].tricks for seat in seats if seat in bids]
    contract = str(sum(made)) if made else "–"
    tricks = sum(tricks_won(deal)[seat] for seat in seats)
    bags = (state.scores[-1].bags or {}).get(side, 0) if state.scores else 0
    return say("{side}: tricks {tricks}/{contract}, bags {bags}").format(
        tricks=tricks, contract=contract, bags=bags, side=words.side(side)
    )


def _pause(table: Table, desk: Desk, words: Words) -> str:
    """That the game stands still, and who asked for it."""
    say, pause = words.say, paused(desk, table)
    if pause is None:
        return ""
    return say("Paused.") if pause.by is None else say("{name} has paused the game.").format(name=words.name(pause.by))


def _headline(state: State, desk: Desk, words: Words) -> str:
    """Whose turn it is, or what to do now."""
    say, deal = words.say, state.deal
    if state.match is None:
        return game_in_words(desk.setup.chosen, words)
    if state.result is not None:
        return over_in_words(state.result.winners, words)
    if deal is None or deal.phase == "over":
        return say("Next hand: {dealer} deals.").format(dealer=words.name(state.next_dealer))
    if deal.phase == "passing":
        return direction_in_words(deal.direction, words)
    if (shooter := chooser(state)) is not None:
        return say("{name} chooses.").format(name=words.name(shooter))
    felt, seat = deal.felt, awaited(state)
    if deal.phase == "bidding" and seat is not None:
        bids = deal.auction is not None and deal.auction.turn is not None
        return turn_in_words(seat, words, to="bid" if bids else "give")
    if felt.complete and felt.holes:
        trick, hole = next((trick, laid) for trick, laid in felt.places() if laid.card is None)
        text = say("{name}'s card in trick {trick} is not known, so the hand has no score yet.")
        return text.format(name=words.name(hole.seat), trick=trick)
    if seat is not None and seat in state.left:
        return say("{name} has left: the lowest legal card is to be laid.").format(name=words.name(seat))
    if seat is not None and seat in deal.timed_out:
        return say("{name} to play: the lowest legal card.").format(name=words.name(seat))
    if seat is not None and seat != felt.turn:
        return say("{name} lays another card.").format(name=words.name(seat))
    if felt.turn is not None:
        return say("{name} to play.").format(name=words.name(felt.turn))
    if felt.opens is not None:
        return say("Whoever holds {card} opens.").format(card=felt.opens.face(words.language))
    return say("Who leads is not known yet.")


def _alerts(state: State, words: Words, readers: Mapping[str, Seat | None]) -> tuple[str, ...]:
    alerts = []
    for device, reason in state.lost:
        seat = readers.get(device)
        whose = seat if seat is not None and seat < len(state.players) else None
        alerts.append(missing_in_words(device, words, seat=whose, reason=reason))
    alerts += [words.say("Unknown tag: {uid}").format(uid=uid) for uid in state.strangers[-1:]]
    return tuple(alerts)
