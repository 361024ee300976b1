"""The world that plays: it performs acts at a table that it knows only through the table's ports.

Theory of operation
===================

A card is laid on a **surface** (virtual readers here; whatever can be seen laying a card will do), and what a person
does at the display goes into the same inbox as the display's touches. Then the world waits, as people do, until the
table has answered: the loop calls ``look(table)`` after each fact, and the act is answered when the log has the fact
that it leads to. The next act follows after a pause. Nothing is polled::

    world --lays a tag--> reader --bytes--> device thread --fact--> inbox --> loop --look(table)--> world
          \\--put(fact)-------------------------------------------> inbox

A card that gets no answer is laid again, as a person would; when that does not help, the world gives up and says what
it was waiting for (``check``).

Questions of the table are answered with the truth. In a scripted game the answers are the script's own where the
script's table asked as well; one that this table never asked for (it read the card right) is left out.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from .. import facts as f
from ..cards import ALL_CARDS, Card, Seat, look_alikes
from ..errors import TablePiError
from ..facts import Fact
from ..state import Question
from ..table import Table
from .players import Act, AllPassed, DealHand, Enter, HandOver, Lay, Lift, PassCards, Sweep, truth_of
from .readers import VirtualReader

PATIENCE_S = 2.0
"""Seconds of the felt's time after which a card that the table does not answer is laid again: twice the silence after
which a reader reports the same tag anew."""

TRIES = 3
"""How often an act is tried before the world gives up."""

STOP_S = 3.0
"""Seconds that the world's thread gets to end."""

NAME = "virtual table"


class Stuck(TablePiError):
    """Error raised when the table does not answer an act of the virtual table."""


def patience_s(speed: float) -> float:
    """Seconds to wait for the table's answer where the felt's time goes at *speed*. A slow hand and a slow camera take
    their time; a fast table is not read any faster."""
    return PATIENCE_S / min(speed, 1.0)


# --- cards and where they are laid ---------------------------------------------------------------------------------


def uid_of(card: Card) -> str:
    """The tag in a card of the virtual deck: seven bytes, as in an NTAG sticker, the same in every run."""
    return f"0471{card.index:02X}5EC0DE80"


def virtual_deck() -> dict[str, Card]:
    """The virtual deck as a deck file says it: the card of each of its 52 tags."""
    return {uid_of(card): card for card in ALL_CARDS}


class Surface(Protocol):
    """Where cards are laid. *tells*: the kinds of facts by which the table is told of a card laid there, each once;
    *tells_leaving*: whether it is told when a card leaves."""

    tells: tuple[type[f.Tag] | type[f.Seen], ...]
    tells_leaving: bool

    def lay(self, seat: Seat, card: Card) -> None:
        """Lay *card*, or once more put it where it lies."""

    def lift(self, seat: Seat, card: Card) -> None:
        """Take *card* back."""

    def sweep(self, winner: Seat | None) -> None:
        """*winner* takes all cards that lie there."""


class TagSurface:
    """A reader for each seat, or one that all share. *tells_leaving*: the readers repeat what lies on them."""

    tells = (f.Tag,)

    def __init__(self, readers: Mapping[Seat, VirtualReader] | VirtualReader, *, tells_leaving: bool = False) -> None:
        self.tells_leaving = tells_leaving
        self._readers = readers
        self._lying: list[tuple[Seat, Card]] = []

    def lay(self, seat: Seat, card: Card) -> None:
        if (seat, card) not in self._lying:
            self._lying.append((seat, card))
        self._reader(seat).lay(uid_of(card))

    def lift(self, seat: Seat, card: Card) -> None:
        self._lying.remove((seat, card))
        self._reader(seat).lift(uid_of(card))

    def sweep(self, winner: Seat | None) -> None:
        for seat, card in tuple(self._lying):
            self.lift(seat, card)

    def _reader(self, seat: Seat) -> VirtualReader:
        return self._readers if isinstance(self._readers, VirtualReader) else self._readers[seat]


class Surfaces:
    """Several surfaces in one place, as readers under the cloth and a camera above it."""

    def __init__(self, *surfaces: Surface) -> None:
        self.tells = tuple(kind for surface in surfaces for kind in surface.tells)
        self.tells_leaving = any(surface.tells_leaving for surface in surfaces)
        self._surfaces = surfaces

    def lay(self, seat: Seat, card: Card) -> None:
        for surface in self._surfaces:
            surface.lay(seat, card)

    def lift(self, seat: Seat, card: Card) -> None:
        for surface in self._surfaces:
            surface.lift(seat, card)

    def sweep(self, winner: Seat | None) -> None:
        for surface in self._surfaces:
            surface.sweep(winner)


# --- the world -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AtOnce:
    """Cards that several seats lay without waiting for the table to have seen the one before."""

    lays: tuple[Lay, ...]


_Answers = Callable[[Fact], bool]
"""Whether a fact in the log is the answer that an act waits for."""


class World:
    """Performs *acts* on *surface*, and enters at the display with *put*, which may wait while the inbox is full.

    Inside the ``with`` block a thread performs them; ``step`` does it one by one instead. The loop calls ``look`` after
    each fact and ``check`` when it has time. *pause_s* are the seconds between a card and the next, *passes* says what
    the display is told of the passed cards, *attentive* whether people see to it that each card is seen, *write* gets
    the lines of the truth file. *wait* waits until something is so, for some seconds at most, and returns whether it
    is: with it the world can be stepped in the loop's own thread, while the felt's time goes on. ``done`` is set when
    all acts have been performed and answered, when the world gave up, and when it was stopped; then the world's thread
    calls *on_done*, which may wake a loop that waits.
    """

    def __init__(
        self,
        acts: Iterable[Act | AtOnce],
        surface: Surface,
        put: Callable[[Fact], object],
        *,
        pause_s: float = 0.0,
        passes: Literal["hidden", "count", "open"] = "hidden",
        write: Callable[[Mapping[str, Any]], object] | None = None,
        patience_s: float = PATIENCE_S,
        attentive: bool = True,
        wait: Callable[[Callable[[], bool], float], bool] | None = None,
        on_done: Callable[[], object] = lambda: None,
    ) -> None:
        self.done = threading.Event()
        self._acts = iter(acts)
        self._surface = surface
        self._put = put
        self._pause_s = pause_s
        self._passes = passes
        self._write = write
        self._patience_s = patience_s
        self._attentive = attentive
        self._wait = wait or self._wait_for
        self._on_done = on_done
        self._told = threading.Condition()  # the table and what is awaited of it, between the loop's thread and ours
        self._table: Table | None = None
        self._since = 0  # entries of the log before the act in progress
        self._awaited: list[_Answers] = []
        self._stopping = False
        self._lying: list[tuple[Seat, Card]] = []
        self._laid: list[tuple[int, Seat, Card]] = []  # of this hand, each after how many entries of the log
        self._unnoticed: list[tuple[Seat, Card]] = []  # of this hand
        self._numbers: dict[int, int] = {}  # number in the script -> number at this table
        self._asked: list[Question] = []
        self._together = False  # whether several cards are awaited, any of which may be seen before the others
        self._scripted = False  # whether what is asked now is left to the answers of a script
        self._bug: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        self._thread.join(STOP_S)
        if error is None:
            self.check()

    def look(self, table: Table) -> None:
        """The table after a fact; called by the loop, and once before the first fact when the table is not new."""
        with self._told:
            self._table = table
            self._told.notify_all()

    def stop(self) -> None:
        """Perform no further act."""
        with self._told:
            self._stopping = True
            self._told.notify_all()

    def check(self) -> None:
        """Raise what ended the world before its acts were over: Stuck, or a bug."""
        if self._bug is not None:
            raise self._bug

    def step(self) -> Act | AtOnce | None:
        """Perform the next act and wait for its answer; None when there is none any more, or when stopped.

        Raises Stuck when the table does not answer.
        """
        act = next(self._acts, None)
        if act is None or self._stopping:
            return None
        acts = act.lays if isinstance(act, AtOnce) else (act,)
        lays = [each for each in acts if isinstance(each, Lay)]
        for line in (line for each in acts for line in truth_of(each)):
            if self._write is not None:
                self._write(line)
        with self._told:
            self._since = len(self._table.log) if self._table is not None else 0
            self._awaited = []
            self._together = isinstance(act, AtOnce)
            self._scripted = isinstance(act, Enter | Lay) and act.asked
        for each in acts:
            self._perform(each)
        for attempt in range(TRIES if self._attentive else 1):
            for lay in lays if attempt else ():
                if len(lays) == 1 or not self._is_known(lay.card):
                    self._surface.lay(lay.seat, lay.card)
            if self._wait_answered():
                if not isinstance(act, AtOnce):  # no script has cards laid at once
                    self._note(act)
                return None if self._stopping else act
        if lays and f.Seen in self._surface.tells:  # the camera does not see it: people do
            if not self._attentive:
                self._unnoticed += [(lay.seat, lay.card) for lay in lays]
                return act
            for lay in lays:
                if not self._is_known(lay.card):
                    self._enter(f.Play(seat=lay.seat, card=lay.card, source="person"))
            if all(self._is_known(lay.card) for lay in lays) or self._wait_answered():
                return None if self._stopping else act
        raise Stuck(self._stuck(acts[0]))

    # What follows runs in the thread that performs.

    def _stuck(self, act: Act) -> str:
        """What the table has not answered, for how long, and what may help."""
        waited = f"{self._patience_s * (TRIES if self._attentive else 1):g} s"
        match act:
            case Lay():
                done = f"{act.card} of seat {act.seat} (hand {act.hand}, trick {act.trick}) was laid {TRIES} times"
            case Lift():
                done = f"{act.card} of seat {act.seat} (hand {act.hand}, trick {act.trick}) was taken back"
            case Sweep():
                done = f"trick {act.trick} of hand {act.hand} was swept"
            case Enter():
                return f"{NAME}: {act.fact.kind!r} was entered, and the table did not take it in within {waited}"
            case _:
                return f"{NAME}: the table did not answer {type(act).__name__} within {waited}"
        sees = "camera" if f.Seen in self._surface.tells else "reader"
        hint = "try a slower table (--speed 0.5), or --sources readers" if sees == "camera" else "is the machine busy?"
        return f"{NAME}: {done}, and no {sees} told the table of it within {waited}: {hint}"

    def _run(self) -> None:
        try:
            while (act := self.step()) is not None:
                if isinstance(act, Lay | AtOnce | Sweep | HandOver):
                    self._pause()
        except Exception as bug:
            self._bug = bug
        finally:
            self.done.set()
            self._on_done()

    def _pause(self) -> None:
        self._wait(lambda: self._stopping, self._pause_s)

    def _wait_for(self, ready: Callable[[], bool], seconds: float) -> bool:
        with self._told:
            return self._told.wait_for(ready, seconds)

    def _perform(self, act: Act) -> None:
        match act:
            case Lay():
                if (act.seat, act.card) not in self._lying:
                    self._lying.append((act.seat, act.card))
                for kind in self._surface.tells:
                    self._await(_lies(kind, act.seat, act.card))
                self._laid.append((self._since, act.seat, act.card))
                self._surface.lay(act.seat, act.card)
            case Lift():
                self._take_back(act)
            case Sweep():
                self._sweep(act.winner)
            case Enter():
                fact = self._renumbered(act.fact)
                if not isinstance(fact, f.Answer) or self._is_open(fact.question):
                    self._enter(fact)
            case DealHand():
                self._laid.clear()
                self._unnoticed.clear()
                self._asked.clear()
                self._enter(f.Hand(dealer=act.dealer, source="person"))
            case PassCards() if self._passes == "count":
                self._enter(f.Pass(seat=act.seat, count=len(act.cards), source="person"))
            case PassCards() if self._passes == "open":
                self._enter(f.Pass(seat=act.seat, cards=act.cards, source="person"))
            case AllPassed():
                self._enter(f.Passed(source="person"))
            case HandOver():
                for seat, card in self._unnoticed:  # people see at the latest now that the table awaits a card
                    if not self._is_known(card):
                        self._enter(f.Play(seat=seat, card=card, source="person"))
            case _:
                pass

    def _take_back(self, act: Lift) -> None:
        # The last card of a trick leaves the felt like a swept one: that it was taken back, a person must say.
        said_by_person = act.told is None or isinstance(act.told, f.Withdraw)
        told = self._surface.tells_leaving and (self._in_trick(act.card) or not said_by_person)
        self._lift(act.seat, act.card)
        if not told:
            self._enter(act.told or f.Withdraw(seat=act.seat, card=act.card, source="person"))

    def _sweep(self, winner: Seat | None) -> None:
        swept, self._lying = self._lying, []
        for _, card in swept:
            if self._surface.tells_leaving:
                self._await(_leaves(card))
        self._surface.sweep(winner)

    def _lift(self, seat: Seat, card: Card) -> None:
        self._lying.remove((seat, card))
        self._laid = [each for each in self._laid if each[1:] != (seat, card)]
        if self._surface.tells_leaving:
            self._await(_leaves(card))
        self._surface.lift(seat, card)

    def _enter(self, fact: Fact) -> None:
        self._await(lambda logged: replace(logged, at=fact.at) == fact)
        self._put(fact)

    def _await(self, answers: _Answers) -> None:
        with self._told:
            self._awaited.append(answers)

    def _wait_answered(self) -> bool:
        """Wait until all that is awaited is in the log, answering the table's questions meanwhile. False when it takes
        longer than a person's patience."""
        while True:
            answered = self._wait(
                lambda: self._stopping or self._answered() or self._question() is not None, self._patience_s
            )
            with self._told:
                question = None if self._stopping else self._question()
            if question is None:
                return answered
            self._asked.append(question[0])
            self._enter(question[1])

    def _answered(self) -> bool:
        told = self._table.log[self._since :] if self._table is not None else ()
        return all(any(answers(entry.fact) for entry in told) for answers in self._awaited)

    def _question(self) -> tuple[Question, f.Answer | f.Correct] | None:
        """A question of the table that has not been answered yet, and the true answer."""
        for question in self._table.state.questions if self._table is not None else ():
            if self._scripted and question not in self._asked:
                self._asked.append(question)
            if question in self._asked:
                continue
            if self._is_of_nothing(question):
                return question, f.Correct(n=question.of, drop=True, reason="display", source="person")
            answer = self._truth(question)
            if answer is not None:
                return question, replace(answer, question=question.id, source="person")
        return None

    def _is_of_nothing(self, question: Question) -> bool:
        """Whether a question is about what a camera took for a card where none was laid: a joker, a back, nothing."""
        entry = self._table.entry(question.of) if self._table is not None else None
        told = entry.fact if entry is not None else None
        if not isinstance(told, f.Seen) or question.why in ("which", "conflict"):
            return False
        if any(asked.of == question.of for asked in self._asked):  # what it is has been said
            return False
        laid = [(seat, card) for since, seat, card in self._laid if told.seat in (None, seat)]
        if any(card == told.card for _, card in laid):
            return False
        # It may be another card misread, or one that nobody could read: one that the table does not know yet.
        return all(self._is_known(card) for _, card in laid)

    def _truth(self, question: Question) -> f.Answer | None:
        """What really lies there: whose card it is, or which card it is, or was missed."""
        where = next((i for i, entry in enumerate(self._table.log if self._table else ()) if entry.n == question.of), 0)
        before = [each for each in self._laid if each[0] <= where]
        if question.ask == "seat":
            named = self._named(question.of)
            may_be = (named, *look_alikes(named)) if named is not None else ()  # it may have been misread
            of = next((seat for _, seat, card in reversed(before) if card in may_be), before[-1][1] if before else None)
            return f.Answer(question="", seat=of) if of is not None else None
        theirs = [card for _, seat, card in reversed(before) if question.seat in (None, seat)]
        if question.ask == "missing":
            missed = [card for seat, card in self._unnoticed if seat == question.seat and not self._is_known(card)]
            # Or one that lay below another one. Of a card laid just now alone nobody says that it was missed.
            earlier = [each for each in before if self._together or each[0] < self._since]
            missed += [card for _, seat, card in earlier if seat == question.seat and not self._is_known(card)]
            return f.Answer(question="", card=missed[0] if missed else None)  # or nothing is missing
        if question.why in ("which", "conflict", "duplicate"):
            theirs = [card for card in theirs if card in question.candidates] or theirs
        return f.Answer(question="", card=theirs[0]) if theirs else None

    def _named(self, n: int) -> Card | None:
        entry = self._table.entry(n) if self._table is not None else None
        return getattr(entry.fact, "card", None) if entry is not None else None

    def _is_known(self, card: Card) -> bool:
        felt = self._table.state.felt if self._table is not None else None
        return felt is not None and bool(card.bit & felt.seen)

    def _in_trick(self, card: Card) -> bool:
        felt = self._table.state.felt if self._table is not None else None
        return felt is not None and any(laid.card == card for laid in felt.trick)

    def _is_open(self, question: str) -> bool:
        return self._table is not None and any(each.id == question for each in self._table.state.questions)

    # A scripted game names facts by the numbers that they have in its file.

    def _note(self, act: Act) -> None:
        n = act.n if isinstance(act, Enter | Lay | Lift) else None
        if n is None or self._table is None or not self._awaited:
            return
        answer = next((e for e in self._table.log[self._since :] if self._awaited[0](e.fact)), None)
        if answer is not None:
            self._numbers[n] = answer.n

    def _renumbered(self, fact: Fact) -> Fact:
        match fact:
            case f.Confirm():
                return replace(fact, n=self._number(fact.n))
            case f.Correct():
                n = None if fact.n is None else self._number(fact.n)
                before = None if fact.before is None else self._number(fact.before)
                return replace(fact, n=n, before=before)
            case f.Answer():
                # The number in a question's id is that of the fact that raised it.
                asked = re.sub(r"\d+", lambda digits: str(self._number(int(digits[0]))), fact.question)
                return replace(fact, question=asked)
            case _:
                return fact

    def _number(self, n: int) -> int:
        return self._numbers.get(n, n)


def _lies(kind: type[Fact], seat: Seat, card: Card) -> _Answers:
    """A fact of *kind* about *card*, or a camera's word about another card of that seat, which it may have misread; a
    person may have entered it as well."""

    def answers(fact: Fact) -> bool:
        if isinstance(fact, f.Play) and fact.card == card:
            return True
        return isinstance(fact, kind) and (_names(fact, card) or (isinstance(fact, f.Seen) and fact.seat == seat))

    return answers


def _leaves(card: Card) -> _Answers:
    return lambda fact: isinstance(fact, f.Cleared) or (isinstance(fact, f.Untag | f.Gone) and _names(fact, card))


def _names(fact: Fact, card: Card) -> bool:
    return getattr(fact, "card", None) == card or getattr(fact, "uid", None) == uid_of(card)
