"""The row of buttons below the table: what can be done now, the natural next step first."""

from __future__ import annotations

from dataclasses import replace

from .. import facts as f
from ..cards import Card
from ..judge import Laid
from ..state import Deal, State
from ..table import Table, undo
from .desk import Desk, latest_laid, new_match, paused, ruled_game
from .lamps import awaited, expected
from .pages import PAGES, hand_over
from .pickers import following_language
from .questions import blocks
from .screen import Command, Tap
from .telling import veils
from .words import Words


def buttons(table: Table, desk: Desk, words: Words, *, by_hand: bool) -> tuple[Tap, ...]:
    """The row of buttons. While cards are played, none owns a key that begins a card. *by_hand*: no reader reads the
    cards, so that entering one is the natural next step."""
    say, state, deal = words.say, table.state, table.state.deal
    language = Tap(following_language(desk), Command("language"), "l")
    if desk.open in PAGES:
        back = Tap(say("Back"), Command("close"), "escape", strong=True)
        other = {
            "help": (Tap(say("The lamps"), Command("lamps"), "f1"),),
            "lamps": (Tap(say("The keys"), Command("help"), "f1"),),
        }.get(desk.open, ())
        return back, *other, language
    help_tap = Tap(say("Help"), Command("help"), "f1")
    other_match = (
        Tap(say("Other rules"), Command("rules"), "n"),
        Tap(say("Players: {count}").format(count=len(desk.setup.players)), Command("players"), "p"),
        *((Tap(say("Agreed"), Command("agreed"), "a"),) if ruled_game(desk.setup, state) else ()),
    )
    if state.match is None:
        start = Tap(say("Start the match"), new_match(desk.setup), "return", strong=True)
        return start, *other_match, help_tap, language, Tap(say("Leave"), Command("sure", "leave"), "escape")
    taps: list[Tap] = []
    if state.result is not None:
        taps.append(Tap(say("New match"), new_match(desk.setup), "return", strong=True))
        taps += other_match
    elif deal is None or deal.phase == "over":
        taps.append(Tap(say("Next hand"), f.Hand(dealer=state.next_dealer), "return", strong=True))
        taps.append(Tap(say("Who deals?"), Command("dealer"), "n"))
    elif deal.phase == "passing":
        taps.append(Tap(say("All have passed"), f.Passed(), "return", strong=True))
    elif deal.phase == "bidding":
        taps += _bidding_taps(state, deal, words)
    elif deal.phase == "choosing":
        taps.append(Tap(say("Next hand"), f.Hand(dealer=state.next_dealer), "return"))
    elif deal.phase == "playing":
        taps += _playing_taps(state, deal, words, by_hand=by_hand)
    if paused(desk, table) is not None:  # Enter goes on; what it would do else takes a touch
        go_on = Tap(say("Go on"), Command("pause"), "return", strong=True)
        taps = [go_on, *(replace(t, key="", strong=False) if t.key == "return" else t for t in taps)]
    if undo(table) is not None:
        taps.append(Tap(say("Undo"), Command("undo"), "u"))
    if veils(table, desk, words):
        taps.append(Tap(say("Show plays"), Command("unveil"), "p"))
    if any(question.id in desk.later for question in state.questions) and not blocks(state):
        taps.append(Tap(say("Question"), Command("questions"), "f9"))
    if not hand_over(state):
        taps.append(Tap(say("Scores"), Command("scores"), "i"))
    return (*taps, help_tap, Tap(say("Menu"), Command("menu"), "escape"))


def _bidding_taps(state: State, deal: Deal, words: Words) -> list[Tap]:
    """The bid that is due, or the cards that are given in an exchange."""
    say, auction, seat = words.say, deal.auction, awaited(state)
    if auction is None or seat is None:
        return []
    if auction.turn is not None:
        taps = [Tap(say("Enter the bid"), Command("bid", str(seat)), "return", strong=True)]
        if auction.giving is not None:
            taps.append(Tap(say("The exchange"), Command("pass", str(auction.giving)), "x"))
        return taps
    count = state.game.pass_count if state.game is not None else 0
    return [
        Tap(say("{count} cards given").format(count=count), f.Exchange(seat=seat, count=count), "return", strong=True),
        Tap(say("Another number"), Command("pass", str(seat)), "n"),
        Tap(say("All given"), f.Exchanged(), "x"),
    ]


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
    if deal.auction is not None and deal.auction.turn is not None:
        taps.append(Tap(say("Enter the bid"), Command("bid", str(deal.auction.turn)), "b"))
    if latest is not None and latest.card is not None:
        label = say("Take {card} back").format(card=latest.card.face(words.language))
        taps.append(Tap(label, f.Withdraw(seat=latest.seat, card=latest.card), "w", strong=wrong))
    return taps
