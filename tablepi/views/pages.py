"""Pages that cover the table: the scores, the keys, what the lamps mean."""

from __future__ import annotations

from collections.abc import Iterator

from .. import facts as f
from ..rules import Game
from ..state import State
from ..table import Entry, Table
from .corrections import correction_in_words
from .customs import bids, pause
from .desk import Desk, agreed_game
from .lamps import MEANINGS
from .penalties import penalties_in_words
from .screen import Grid
from .words import (
    Words,
    bid_in_words,
    in_words,
    moon_in_words,
    number,
    numbered,
    offence_in_words,
    side_in_words,
    unscored_hand,
    unscored_in_words,
)

PAGES = ("help", "lamps", "scores")  # what covers the table and needs no words beside it


def page(table: Table, desk: Desk, words: Words) -> Grid | None:
    state = table.state
    if desk.open == "help":
        return _keys_grid(_game(state, desk), words)
    if desk.open == "lamps":
        return _lamps_grid(words)
    if desk.open == "scores" or (desk.open == "" and hand_over(state) and (state.scores or state.result)):
        return _scores_grid(table, words)
    return None


def hand_over(state: State) -> bool:
    return state.result is not None or (state.deal is not None and state.deal.phase == "over")


def _scores_grid(table: Table, words: Words) -> Grid:
    say, state = words.say, table.state
    rows = [
        (say("Hand {number}").format(number=score.hand), *(number(score.points[side]) for side in score.points))
        for score in state.scores[-8:]
    ]
    rows.append((say("Total"), *(number(total) for total in state.totals.values())))
    if state.scores and state.scores[-1].bags is not None:
        rows.append((say("Bags"), *(str(bags) for bags in state.scores[-1].bags.values())))
    if state.result is not None:
        places = {side: str(place) for place, sides in numbered(state.result.places) for side in sides}
        rows.append((say("Place"), *(places[side] for side in state.totals)))
    head = ("", *(words.side(side) for side in state.totals))
    return Grid(say("Scores"), head, tuple(rows), _notes(table, words))


def _notes(table: Table, words: Words) -> tuple[str, ...]:
    """What the end of the hand found: the moon, contracts and nils, the offences that stand, what stays open; and which
    hand the end of the match has broken off."""
    say, state = words.say, table.state
    notes = [unscored_in_words(unscored_hand(state), words)] if state.result is not None else []
    scored, audited = _latest(table, "event", "hand"), _latest(table, "ruling", "confirmed")
    if scored is None or audited is None:
        return tuple(filter(None, notes))
    notes += correction_in_words(table, words)[:1]
    penalties = {}
    for line in scored.lines:
        if line.get("event") == "hand":
            penalties[line["hand"]] = penalties_in_words(table, line, words)
            notes += [moon_in_words(line, words)]
            notes += [side_in_words(side, told, words) for side, told in line.get("sides", {}).items()]
    notes.append(" ".join(_nils(state, words)))
    for line in audited.lines:
        if line.get("ruling") != "confirmed":
            continue
        standing, unresolved = line["offences"], line["unresolved"]
        text = in_words({**line, "unresolved": ()}, words)
        if standing and line["hand"] in penalties:
            none = say("These rules set no penalty: it is only recorded.")
            text += " " + (" ".join(penalties[line["hand"]]) or none)
        notes += [text, "; ".join(offence_in_words(offence, words) for offence in standing)]
        if unresolved:
            listed = "; ".join(offence_in_words(offence, words) for offence in unresolved)
            text = say("Not resolved: {unresolved}.").format(unresolved=listed)
            ended = isinstance(audited.fact, f.EndHand)
            notes.append(text + " " + say("Later cards would have told.") if ended else text)
    wait = pause(state.game, "hand")
    if wait and state.result is None:
        notes.append(say("The rules give everybody {seconds} seconds to read this.").format(seconds=f"{wait:g}"))
    return tuple(filter(None, notes))


def _latest(table: Table, kind: str, word: str) -> Entry | None:
    """The fact that was last answered with such a line: a hand is scored later than audited, if its moon left a
    choice."""
    return next((e for e in reversed(table.log) if any(line.get(kind) == word for line in e.lines)), None)


def _nils(state: State, words: Words) -> Iterator[str]:
    """What became of each nil of the hand that has just been played."""
    say, deal = words.say, state.deal
    if deal is None or deal.auction is None or deal.played is None:
        return
    for seat, bid in deal.auction.bids.items():
        if bid.nil is not None:
            text = say("{name}: {bid} failed.") if deal.played.tricks.get(seat) else say("{name}: {bid} made.")
            yield text.format(name=words.name(seat), bid=bid_in_words({"bid": bid.nil}, words))


def _game(state: State, desk: Desk) -> Game | None:
    """The game that is played, or would be."""
    if state.match is not None and state.result is None:
        return state.game
    return agreed_game(desk.setup, state)


def _bid_keys(game: Game | None, words: Words) -> Iterator[tuple[str, str]]:
    """The keys of the bids that there are, once the bid is asked for."""
    offered = {(made.bid, bool(made.exchange)) for made in bids(game, 0)}
    if offered:
        yield "⏎, 1…9", words.say("the bid of the player in turn: its tricks")
        yield "⏎, Q W E R", words.say("a bid of 10, 11, 12 or 13")
    for bid, exchange, key in (("nil", False, "0"), ("blind-nil", False, "B"), ("blind-nil", True, "X")):
        if (bid, exchange) in offered:
            yield f"⏎, {key}", bid_in_words({"bid": bid, "exchange": exchange}, words)


def _keys_grid(game: Game | None, words: Words) -> Grid:
    say = words.say
    rows = (
        (say("2…10 J Q K A, then C D H S"), say("the next card: rank, then suit (QS is Q♠)")),
        *_bid_keys(game, words),
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


def lamp_rows(words: Words) -> dict[str, tuple[str, str, str]]:
    """Colour, rhythm and meaning of each lamp in words, by its name in ``MEANINGS``."""
    say = words.say
    meanings = (
        ("turn", say("this seat is to play")),
        ("winner", say("this seat took the trick, and leads the next")),
        ("breach", say("the card just laid is illegal: take it back or play on")),
        ("proof", say("an earlier card of this seat is proved illegal: the display says which")),
        ("someone", say("in the centre: somebody has played illegally, nobody can tell who")),
        ("question", say("the table asks something: answer on the display")),
        ("timeout", say("this seat's time is up: its lowest legal card is laid")),
        ("lost", say("a device is not there: plug it in, or enter the cards by hand")),
    )
    rhythms = {
        "steady": say("steady"),
        "slow": say("slow blink"),
        "fast": say("fast blink"),
        "double": say("two flashes"),
        "triple": say("three flashes"),
        "blip": say("one short flash"),
        "wink": say("long, with a short gap"),
        "uneven": say("one long flash, one short"),
    }
    colours = {
        "white": say("white"),
        "green": say("green"),
        "red": say("red"),
        "amber": say("amber"),
        "blue": say("blue"),
    }
    return {m: (colours[MEANINGS[m].colour], rhythms[MEANINGS[m].rhythm], text) for m, text in meanings}


def _lamps_grid(words: Words) -> Grid:
    say = words.say
    rows = tuple(lamp_rows(words).values())
    note = say("Lamps of one colour: the rhythm says it.")
    return Grid(say("What the lamps mean"), (say("Lamp"), say("Rhythm"), say("Meaning")), rows, (note,))


def sound_rows(words: Words) -> dict[str, tuple[str, str]]:
    """How each sound of the buzzer is heard, and what it means, by its name in ``SOUNDS``."""
    say = words.say
    return {
        "breach": (say("two short"), say("the card just laid is illegal: take it back or play on")),
        "proof": (say("three short"), say("an earlier card is proved illegal: the display says which")),
        "someone": (say("one long, one short"), say("somebody has played illegally, nobody can tell who")),
        "question": (say("one long"), say("the table asks something: answer on the display")),
        "timeout": (say("two long"), say("a player's time is up")),
    }
