"""What the table asks, and the answers that can be given with one press."""

from __future__ import annotations

from .. import facts as f
from ..cards import Card
from ..state import Question, State
from ..table import Table
from .desk import Desk
from .lamps import chooser
from .screen import Command, Tap
from .words import Words, in_words

_ANSWER_KEYS = ("f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9")  # digits and letters begin a card


def blocks(state: State) -> bool:
    """Whether the hand cannot be scored before a question is answered."""
    return state.felt is not None and state.felt.complete


def shown_question(state: State, desk: Desk) -> Question | None:
    """The oldest question that nobody has put off; at the end of a hand nothing can be put off any more."""
    return next((q for q in state.questions if q.id not in desk.later or blocks(state)), None)


def asked(table: Table, question: Question, words: Words) -> str:
    entry = table.entry(question.n)
    lines = (*(entry.lines if entry is not None else ()), *table.lines)
    line = next((said for said in lines if said.get("question") == question.id), None)
    return in_words(line, words) if line is not None else words.say("Which card is it?")


def answers(question: Question, words: Words, *, put_off: bool) -> tuple[Tap, ...]:
    say, id = words.say, question.id
    cards = [c for c in question.candidates if isinstance(c, Card)]
    taps: list[Tap]
    if question.ask == "seat":
        seats = [c for c in question.candidates if not isinstance(c, Card)]
        taps = [Tap(words.name(seat), f.Answer(question=id, seat=seat)) for seat in seats]
        if question.why == "pile":
            taps.append(Tap(say("Nobody"), f.Answer(question=id)))
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


def choices(state: State, words: Words) -> tuple[Tap, ...]:
    """What the shooter of a moon may choose from."""
    say, choice = words.say, state.choice
    if choice is None or chooser(state) is None:
        return ()
    labels = {"self": say("Off that total"), "others": say("To all the others")}
    taps = (Tap(labels.get(each, each), f.Choose(seat=choice.seat, choice=each)) for each in choice.of)
    return tuple(Tap(t.label, t.action, key) for t, key in zip(taps, _ANSWER_KEYS, strict=False))
