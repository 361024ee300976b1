"""The table: everything that is known of a match, as a fold of its facts.

Theory of operation
===================

``step(table, fact)`` gives the next table. It is pure and total: no clock, no input or output, and no fact makes it
raise. Live play, ``referee``, replay, review and restart are this one function.

The table keeps its whole **log**. Most facts only move the state forward (``match.advance``). Some revise the past: a
correction, a card taken back, an answer, a confirmation, a card that fills a place left open. Nothing is deleted then.
The fact enters the log with its **revisions** (which earlier fact is changed, and how), the **effective** facts are
formed from the log, and what follows the earliest changed fact is derived again from the state before its hand. The
answer to a revision is the difference between two histories: each line that comes out differently, with the number of
the fact it belongs to.

Which fact a revision means is settled once, when it comes, from the table as it is then; later corrections do not move
it to another fact. A correction that is dropped itself no longer counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from . import facts as f
from .cards import Card, Seat, count, each, look_alikes
from .facts import Fact
from .judge import SOMEONE, Again, Felt, Laid
from .match import advance, in_doubt, match_complaint, seat_of, steadied, unsteady, wait_over
from .rules import Rulebook
from .sight import Agrees, Conflicts, Moves, Names, NewPlay, Reading, Repeat, doubtful, left, read
from .state import Deal, Item, Line, Lines, Question, State, cleared, ignored, turn, withdrawn


@dataclass(frozen=True, slots=True)
class Revision:
    """What a fact changes in the past. *do* is one of

    ``set`` fields of fact *n* to *changes*; ``drop`` it; ``insert`` *fact* before it; make its card ``sure``, or its
    seat and turn (``placed``), or only its seat (``seated``) or that none before it is missing (``unbroken``); take its
    card back (``annul``; *hole*: its place stays open, because others have played since), or say that it was ``swept``
    and not taken back; call its card ``unread``, or read it again (``reread``: *changes* from another look); take it
    for a ``look`` at another fact's card, or say that it ``counts`` though it was; or ``fill`` the place left open at
    *n* (*hole*: by a card taken back there) with the revising fact itself, or with *fact* number *late*, which has
    waited.
    """

    do: str
    n: int
    changes: Mapping[str, Any] | None = None
    fact: Fact | None = None
    hole: bool = False
    late: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact in the log: its number, what it revises, what it said itself, and the lines it stands for today. *mute*:
    it counts only by what it revises. *look*: the fact of the card that it told of once more; taken back, that card is
    gone with all that was told of it."""

    n: int
    fact: Fact
    revisions: tuple[Revision, ...] = ()
    mute: bool = False
    said: Lines = ()
    lines: Lines = ()
    look: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The table after all facts so far. *lines* are the answers to the latest fact, *at* the match's time in seconds.
    *marks* are the states before each hand: where deriving again may begin."""

    state: State
    log: tuple[Entry, ...] = ()
    lines: Lines = ()
    at: float = 0.0
    marks: tuple[tuple[int, State], ...] = ()

    @property
    def n(self) -> int:
        """The number of the latest fact; 0 before the first."""
        return self.log[-1].n if self.log else 0

    @property
    def deadline(self) -> float | None:
        """The time (seconds since the match began) at which the table wants a ``tick``, or None."""
        deal = self.state.deal
        return min((sighting.due for sighting in deal.waiting), default=None) if deal is not None else None

    def entry(self, n: int) -> Entry | None:
        """Fact *n* with the lines it stands for."""
        return next((entry for entry in reversed(self.log) if entry.n == n), None)


def empty(rulebook: Rulebook) -> Table:
    """The table before its match begins."""
    return Table(State(rulebook))


# --- the one way in ------------------------------------------------------------------------------------------------


def complaint(table: Table, fact: Fact) -> str | None:
    """Why a well-formed fact cannot belong to this match (a second match, a seat that does not exist, a falling time,
    an unknown rule set); None when it can. ``referee`` refuses such a line; ``step`` ignores such a fact."""
    match = table.state.match
    if isinstance(fact, f.Match):
        wrong = "a second match: one file is one match" if match is not None else None
        wrong = wrong or match_complaint(table.state.rulebook, fact)
        if wrong is not None:
            return f"match: {wrong}"
    if fact.at is not None and fact.at < table.at:
        return f"{fact.kind}: at: {fact.at:g} comes after {table.at:g}: time cannot fall"
    if match is None:
        return None
    inserted = fact.insert if isinstance(fact, f.Correct) else None
    for said in (fact,) if inserted is None else (fact, inserted):
        for seat in _seats_named(said):
            if seat >= len(match.players):
                last = len(match.players) - 1
                return f"{said.kind}: seat {seat} does not exist: {last + 1} play, seats 0 to {last}"
    return None


def _seats_named(fact: Fact) -> Iterable[Seat]:
    changes: Mapping[str, Any] = (fact.set or {}) if isinstance(fact, f.Correct) else {}
    for name in ("seat", "dealer"):
        yield from (s for s in (getattr(fact, name, None), changes.get(name)) if s is not None)
    for name in ("hands", "points", "tricks"):
        yield from getattr(fact, name, None) or ()
        yield from changes.get(name) or ()


def step(table: Table, fact: Fact, *, n: int | None = None) -> Table:
    """The table after *fact*. Never raises. *n* is the fact's number, by default the next one."""
    n = table.n + 1 if n is None else n
    at = max(table.at, fact.at or 0.0)
    wrong = complaint(table, fact)
    if wrong is not None:
        refused = Entry(n, fact, said=(ignored(table.state, n, fact, "refused", because=wrong),))
        refused = replace(refused, lines=refused.said)
        return replace(table, log=(*table.log, refused), lines=refused.said, at=at)
    # What the fact means is read from the table as it is when it comes: with the sightings that are steady by now.
    steady, _ = wait_over(table.state, fact.at)
    entry = _revise(table if steady is table.state else replace(table, state=steady), n, fact)
    fills = _ripe_fills(table.state, fact.at)
    if fills:
        entry = replace(entry, revisions=fills + entry.revisions)
    after = _rederive(table, entry, at) if entry.revisions else _forward(table, entry, at)
    deduced = _deduction(after.state.deal)
    if deduced is None:
        return after
    named = _rederive(table, replace(entry, revisions=(*entry.revisions, deduced)), at)
    # The last card is only certain if nothing speaks against it: otherwise the question stays open.
    return named if _at_fault(named) <= _at_fault(after) else after


def _at_fault(table: Table) -> set[tuple[object, ...]]:
    """The offences of the hand on the face of it, and those that stand."""
    deal = table.state.deal
    if deal is None:
        return set()
    return {finding.key for finding in deal.felt.findings} | {("stands", *finding.key) for finding in deal.settled}


def fold(table: Table, numbered: Iterable[tuple[int, Fact]]) -> Table:
    """The table after every numbered fact."""
    for n, fact in numbered:
        table = step(table, fact, n=n)
    return table


def _forward(table: Table, entry: Entry, at: float) -> Table:
    marks = (*table.marks, (entry.n, table.state)) if isinstance(entry.fact, f.Hand) else table.marks
    state, lines = advance(table.state, _item(entry))
    return Table(state, (*table.log, replace(entry, lines=lines) if lines else entry), lines, at, marks)


DEDUCED = "deduced"


def _deduction(deal: Deal | None) -> Revision | None:
    """When all is laid but one card that nobody saw, one card of the deck has not been seen, and nothing else is in
    doubt, it is that card."""
    felt = deal.felt if deal is not None and deal.phase == "playing" else None
    if deal is None or felt is None or not felt.complete or len(felt.holes) != 1:
        return None
    hole = felt.holes[0]
    if not hole.hole or count(felt.deck & ~felt.seen) != 1 or any(finding.n != hole.n for finding in deal.pending):
        return None
    card = next(each(felt.deck & ~felt.seen))
    for happening in felt.history:
        # A look-alike of that seat was seen twice: it may be this card that was misread, the first time.
        if isinstance(happening, Again) and happening.seat == hole.seat and happening.card in look_alikes(card):
            return None
    return Revision("insert", hole.n, fact=f.Play(seat=hole.seat, card=card, source=DEDUCED))


# --- which fact a revision means -----------------------------------------------------------------------------------

_REVISING = (f.Correct, f.Withdraw, f.Confirm, f.Answer)


def _revise(table: Table, n: int, fact: Fact) -> Entry:
    """The log entry of *fact*: with the revisions that it means now, or with the reason why it is ignored."""
    state = table.state
    match fact:
        case f.Correct():
            return _correct(table, n, fact)
        case f.Confirm():
            target = table.entry(fact.n)
            if target is None or _stands_for(target) is None:
                return _refuse(state, n, fact, "no-such-fact")
            return Entry(n, fact, _certain(fact.n))
        case f.Answer():
            return _answer(state, n, fact)
        case f.Withdraw():
            return _withdraw(state, n, fact)
        case f.Gone(card=Card() as card) if not fact.by_reader:  # who takes a card back does not lay it on the pile
            return _gone(table, n, fact, card)
        case f.Play():
            return _entered(table, n, fact)
        case f.Seen() | f.Tag():
            return _sensed(table, n, fact)
        case _:
            return Entry(n, fact)


def _refuse(state: State, n: int, fact: Fact, reason: str) -> Entry:
    return Entry(n, fact, said=(ignored(state, n, fact, reason),))


def _stands_for(entry: Entry) -> Fact | None:
    """The fact that an entry contributes to the game: itself, or what it inserts."""
    if not isinstance(entry.fact, _REVISING):
        return entry.fact
    return next((r.fact for r in entry.revisions if r.do == "insert"), None)


def _correct(table: Table, n: int, fact: f.Correct) -> Entry:
    state = table.state
    target = table.entry(fact.n if fact.n is not None else fact.before or 0)
    if target is None:
        return _refuse(state, n, fact, "no-such-fact")
    if fact.insert is not None:
        if isinstance(fact.insert, _REVISING):
            return _refuse(state, n, fact, "cannot-insert")
        return Entry(n, fact, (Revision("insert", target.n, fact=fact.insert),))
    if fact.drop:
        if isinstance(target.fact, f.Match):
            return _refuse(state, n, fact, "match-stays")
        return Entry(n, fact, (Revision("drop", target.n),))
    was = _stands_for(target)
    changed = f.corrected(was, fact.set or {}) if was is not None else None
    if changed is None:
        return _refuse(state, n, fact, "no-such-field")
    if isinstance(changed, f.Match) and (
        match_complaint(state.rulebook, changed) or len(changed.players) != len(state.players)
    ):
        return _refuse(state, n, fact, "match-stays")
    if target.mute and not isinstance(target.fact, _REVISING):
        # It was another word about a card: that card is meant. Or it told of one that lay there: not as corrected.
        if target.revisions:
            return Entry(n, fact, (Revision("set", target.revisions[0].n, changes=fact.set),))
        return Entry(n, fact, (Revision("counts", target.n), Revision("set", target.n, changes=fact.set)))
    return Entry(n, fact, (Revision("set", target.n, changes=fact.set),))


def _answer(state: State, n: int, fact: f.Answer) -> Entry:
    question = next((q for q in state.questions if q.id == fact.question), None)
    if question is None:
        return _refuse(state, n, fact, "no-such-question")
    of, other, card = question.of, question.other, fact.card
    sure, seated = Revision("sure", of), Revision("seated", of)
    if question.why == "conflict" and fact.seat is None:
        # One card lies there: what the other source said of it no longer counts, but as a look at that card.
        named = (Revision("set", of, changes={"card": card}),) if card not in (None, question.candidates[0]) else ()
        return Entry(n, fact, (*named, sure, Revision("look", question.n, changes={"of": of})))
    if question.why == "pile" and question.card is not None:
        if fact.card is not None:
            return _refuse(state, n, fact, "not-asked")
        if fact.seat is None:  # nobody: it is a foreign card, or was laid there by mistake
            return Entry(n, fact, (Revision("drop", of),))
        missed = f.Play(seat=fact.seat, card=question.card, at=fact.at, source=fact.source)
        holes = state.felt.holes if state.felt is not None else ()
        theirs = [place for place in holes if place.seat == fact.seat and not place.sure]
        covered = next((place for place in theirs if not place.hole), None)
        if covered is not None:  # a camera saw it lie there, and could not read it
            return Entry(n, fact, (Revision("set", covered.n, changes={"card": question.card}), *_certain(covered.n)))
        return Entry(n, fact, (Revision("insert", theirs[0].n if theirs else of, fact=missed),))
    if question.why == "duplicate" and fact.seat is None:
        card = card or next((c for c in question.candidates if isinstance(c, Card)), None)
    if fact.seat is not None or card is None:
        if fact.seat is None and question.ask == "missing":  # nothing is: but it may be something else yet
            return Entry(n, fact, (Revision("unbroken", of),))
        if fact.seat is None:  # it is as it was read
            return Entry(n, fact, (sure if question.ask == "card" else seated,))
        if question.ask != "seat":
            return _refuse(state, n, fact, "not-asked")
        return Entry(n, fact, (Revision("set", of, changes={"seat": fact.seat}), seated))
    if question.ask == "seat" or (question.why == "which" and card not in question.candidates):
        return _refuse(state, n, fact, "not-asked")
    if question.ask == "missing" and question.seat is not None:
        missed = f.Play(seat=question.seat, card=card, at=fact.at, source=fact.source)
        return Entry(n, fact, (Revision("insert", of, fact=missed),))  # another may be missing besides
    if question.why == "which" and other is not None:
        if card == question.candidates[0]:  # the second one goes back
            return Entry(n, fact, (Revision("annul", other),))
        return Entry(n, fact, _swapped(question))
    if question.why == "duplicate" and other is not None and card == question.candidates[0]:
        earlier = next((laid for _, laid in state.felt.places() if laid.n == other), None) if state.felt else None
        if earlier is not None and earlier.sure:  # there is only one: it was seen once more
            return Entry(n, fact, (Revision("look", of, changes={"of": other}),))
        # The later reading is right, so the earlier one was not that card.
        return Entry(n, fact, (Revision("unread", other), sure))
    return Entry(n, fact, (Revision("set", of, changes={"card": card}), sure))


def _swapped(question: Question) -> tuple[Revision, ...]:
    """Of two cards of one seat the second is the play, in the first one's place, and the first goes back."""
    first, second = question.candidates[:2]
    other = question.other or question.n
    return (
        Revision("set", question.of, changes={"card": second}),
        Revision("set", other, changes={"card": first}),
        Revision("annul", other),
    )


def _withdraw(state: State, n: int, fact: f.Withdraw) -> Entry:
    felt = state.felt
    if felt is None:
        return _refuse(state, n, fact, "no-hand")
    one_of_two = _one_of_two(state, n, fact, fact.seat, fact.card)
    if one_of_two is not None:
        return one_of_two
    for number, laid in felt.places():
        if laid.seat == fact.seat and laid.card is not None and fact.card in (None, laid.card):
            # In its trick, and in the last one until its side plays to the next; after that it is established.
            side = _side_of(felt, laid.seat)
            if number != felt.number and (number != felt.number - 1 or any(felt.lies(seat) for seat in side)):
                return _refuse(state, n, fact, "established")
            return Entry(n, fact, (_take_back(felt, laid),), said=(withdrawn(state, n, laid, number),))
    return _refuse(state, n, fact, "not-laid")


def _one_of_two(state: State, n: int, fact: Fact, seat: Seat | None, card: Card | None) -> Entry | None:
    """What it means that *card* of *seat* goes back, where the table has asked which of two cards is the play: the
    other is. Without a card the second goes back. None when nothing of the kind was asked."""
    number = state.felt.number if state.felt is not None else None
    for question in state.questions:
        if question.why != "which" or question.seat is None or seat not in (None, question.seat):
            continue
        first, *second = question.candidates
        if card in (None, *second):
            back = Laid(question.other or n, question.seat, next((c for c in second if isinstance(c, Card)), None))
            return Entry(n, fact, (Revision("annul", back.n),), said=(withdrawn(state, n, back, number),))
        if card == first:
            back = Laid(question.of, question.seat, card)
            return Entry(n, fact, _swapped(question), said=(withdrawn(state, n, back, number),))
    return None


def _side_of(felt: Felt, seat: Seat) -> list[Seat]:
    """*seat* and its partners."""
    sides = ([int(each) for each in side.split("-")] for side in felt.game.sides(felt.players))
    return next(side for side in sides if seat in side)


def _entered(table: Table, n: int, fact: f.Play) -> Entry:
    """A person enters a card. Where a reader or the camera has told of a card already, it may be that one."""
    state, felt = table.state, table.state.felt
    if felt is None or state.deal is None:
        return Entry(n, fact)
    lies = next((laid for _, laid in felt.places() if laid.card == fact.card), None)
    near = lies if lies is not None else felt.lies(fact.seat)
    told = table.entry(near.n) if near is not None else None
    if told is None or not isinstance(told.fact, f.Seen | f.Tag):
        return _fill(state, n, fact, fact.seat)
    reading = read(felt, fact, fact.seat, fact.card, lifted=state.deal.lifted, asked=in_doubt(state))
    if isinstance(reading, Conflicts) and not reading.laid.sure:  # a person's word names what the camera saw
        reading = Names(reading.laid, fact.card)
    if isinstance(reading, Repeat):
        return Entry(n, fact, mute=True, look=reading.laid.n)
    return _meant(state, n, fact, fact.seat, reading)


def _take_back(felt: Felt, laid: Laid, *, freed: bool = False) -> Revision:
    """Taking back *laid*. Its place stays open when others have played over it; but a card out of turn that was lifted
    before (*freed*) leaves no place: its seat plays when its turn comes."""
    return Revision("annul", laid.n, hole=not felt.uppermost(laid.n) and not (freed and _out_of_turn(felt, laid)))


def _out_of_turn(felt: Felt, laid: Laid) -> bool:
    return any(finding.n == laid.n and finding.rule == "turn" for finding in felt.findings)


def _gone(table: Table, n: int, fact: f.Gone, card: Card) -> Entry:
    """A card has left. It is taken back while it is the only one of its trick: when others leave too, it is swept."""
    state, felt = table.state, table.state.felt
    one_of_two = _one_of_two(state, n, fact, fact.seat, card)
    in_progress = felt is not None and bool(felt.trick) and not any(x.n in _lifted(state) for x in felt.trick)
    if one_of_two is not None and in_progress:  # else the trick is swept
        return one_of_two
    laid = left(felt, fact, card) if felt is not None else None
    if felt is None or state.deal is None or laid is None:
        return Entry(n, fact)
    swept = tuple(Revision("swept", entry.n) for entry in _just_taken_back(table))
    if laid not in felt.trick:  # a finished trick is swept, and with it what was taken for a lead
        return Entry(n, fact, swept)
    if swept or any(other.n in state.deal.lifted for other in felt.trick if other is not laid):
        return Entry(n, fact, swept)
    if _sweeping(table, laid):
        return Entry(n, fact)
    back = _take_back(felt, laid)
    if back.hole:  # others have played over it: it stands, unless its seat lays another
        return Entry(n, fact)
    return Entry(n, fact, (back,), said=(withdrawn(state, n, laid, felt.number),))


def _sweeping(table: Table, lead: Laid) -> bool:
    """Whether the trick before was swept since *lead* was laid: then it may be a card of that one, which was misread or
    missed one."""
    since = (entry for entry in reversed(table.log) if entry.n > lead.n)
    return any(isinstance(entry.fact, f.Gone) and not entry.revisions for entry in since)


def _just_taken_back(table: Table) -> list[Entry]:
    """The cards that have left since anything else was told."""
    since: list[Entry] = []
    for entry in reversed(table.log):
        if isinstance(entry.fact, f.Tick | f.Lost | f.Found):
            continue
        if not isinstance(entry.fact, f.Gone):
            break
        if any(revision.do == "annul" for revision in entry.revisions):
            since.append(entry)
    return since


def _fill(state: State, n: int, fact: f.Play | f.Seen | f.Tag, seat: Seat) -> Entry:
    """A play of a seat whose place was left open goes there; any other is simply the next fact."""
    hole = _open_place(state.felt, seat, fact.card, _lifted(state)) if state.felt is not None else None
    return Entry(n, fact, (Revision("fill", hole.n, hole=hole.sure),)) if hole is not None else Entry(n, fact)


def _ripe_fills(state: State, at: float | None) -> tuple[Revision, ...]:
    """The places left open that are filled by sightings which are steady by now."""
    deal, felt = state.deal, state.felt
    fills: list[Revision] = []
    for sighting in deal.waiting if deal is not None and felt is not None and at is not None else ():
        card, seat = sighting.where
        if felt is None or at is None or card is None or seat is None or sighting.due > at or card.bit & felt.seen:
            continue
        hole = _open_place(felt, seat, card, _lifted(state))
        if hole is not None:
            fills.append(Revision("fill", hole.n, fact=steadied(sighting.item.fact), late=sighting.item.n))
    return tuple(fills)


def _lifted(state: State) -> tuple[int, ...]:
    return state.deal.lifted if state.deal is not None else ()


def _open_place(felt: Felt, seat: Seat, card: Card | None, lifted: tuple[int, ...]) -> Laid | None:
    """The place left open that a card of *seat* fills: in the trick in progress; in the last one, if its card was taken
    back there; or where a card was missed there, as long as no card has been laid to the next and the card follows suit
    (any other card is rather the lead of a seat that has won), or none of its cards has left, where that is told."""
    lying = felt.lies(seat)
    if lying is not None:
        return lying if lying.hole and lying.card is None else None
    last = felt.tricks[-1] if felt.tricks else None
    laid = last.card_of(seat) if last is not None else None
    if last is None or laid is None or not laid.hole or laid.card is not None or card is None:
        return None
    if laid.sure:  # its card was taken back there: the seat owes another
        return laid
    if felt.trick:
        return None
    if lifted and not any(other.n in lifted for other in last.cards):
        return laid
    follows = last.led is not None and last.led.suit == card.suit
    return laid if follows or not felt.may_play(seat) else None


def _sensed(table: Table, n: int, fact: f.Seen | f.Tag) -> Entry:
    state, card = table.state, fact.card
    felt, deal = state.felt, state.deal
    if felt is None or deal is None or card is None or unsteady(fact):
        return Entry(n, fact)
    seat = seat_of(state, fact, card)
    if seat is None:
        return Entry(n, fact)
    neighbours = _neighbours_card(state, felt, seat, card)
    if neighbours is not None:
        return Entry(n, fact, (neighbours,))
    if isinstance(fact, f.Tag):
        laid = _read_in_passing(table, felt, fact, seat)
        if laid is not None and laid in felt.trick:
            opened = not felt.tricks and felt.trick == (laid,) and laid.n in deal.lifted
            if opened or (felt.may_play(seat) and _out_of_turn(felt, laid)):
                return _meant(state, n, fact, seat, Moves(laid))
        if laid is not None and not felt.may_play(seat):
            return Entry(n, fact, mute=True, look=laid.n)
        if passed_by := _held_elsewhere(table, felt, fact, seat):
            return Entry(n, fact, passed_by)
    reading = read(felt, fact, seat, card, lifted=deal.lifted, asked=in_doubt(state))
    if isinstance(reading, Agrees) and reading.laid.n not in in_doubt(state) and not deal.pending:
        return Entry(n, fact, look=reading.laid.n)  # nothing depends on it
    return _meant(state, n, fact, seat, reading)


def _read_in_passing(table: Table, felt: Felt, fact: f.Tag, seat: Seat) -> Laid | None:
    """The card that lies at another seat, or was swept, with the very tag that is read at *seat* now. One tag is one
    card: one of the two readers read it while it was carried over, or pushed there."""
    laid = next((laid for _, laid in felt.places() if laid.card == fact.card), None)
    if laid is None or laid.seat == seat or fact.uid is None:
        return None
    # Not the first that told of it alone: that may have been another.
    told = (entry.fact for entry in table.log if entry.n >= laid.n)
    same = any(isinstance(each, f.Tag) and (each.uid, each.seat) == (fact.uid, laid.seat) for each in told)
    return laid if same else None


def _held_elsewhere(table: Table, felt: Felt, fact: f.Tag, seat: Seat) -> tuple[Revision, ...]:
    """What readers said of a card that is read at *seat* now, by which it was in another hand: they read it while it
    was carried over, and so that does not count."""
    card = fact.card
    if (
        card is None
        or card.bit & felt.seen
        or not any(card.bit & felt.known[s] for s in range(felt.players) if s != seat)
    ):
        return ()
    dealt = table.marks[-1][0] if table.marks else 0
    said: list[Revision] = []
    for entry in table.log:
        match entry.fact:
            case f.Tag(seat=int(other), uid=str(uid)) if other != seat and uid == fact.uid and entry.n > dealt:
                said.append(Revision("drop", entry.n))
            case f.Holds(seat=other, cards=(only,)) if other != seat and only == card and entry.n > dealt:
                said += [Revision("drop", entry.n)] if entry.fact.by_reader else []
    return tuple(said)


def _neighbours_card(state: State, felt: Felt, seat: Seat, card: Card) -> Revision | None:
    """What another card of *seat* says of one that was asked about, seen there but perhaps its neighbour's: while both
    lie in one trick, in which the neighbour has none, that one is the neighbour's."""
    lying = felt.before_the_players
    if (
        not state.questions
        or card.bit & felt.seen
        or not felt.tricks
        or any(laid.n in _lifted(state) for laid in lying)
    ):
        return None
    for question in state.questions:
        laid = next((laid for laid in lying if laid.n == question.of and laid.seat == seat), None)
        if question.ask != "seat" or laid is None or laid.placed:
            continue
        others = [c for c in question.candidates if isinstance(c, int) and c != seat]
        theirs = next((laid for laid in lying if laid.seat in others), None)
        if len(others) == 1 and (theirs is None or theirs.card is None):
            return Revision("set", laid.n, changes={"seat": others[0]})
    return None


def _meant(state: State, n: int, fact: f.Play | f.Seen | f.Tag, seat: Seat, reading: Reading) -> Entry:
    """The log entry of a fact that was read so."""
    felt, deal = state.felt, state.deal
    if felt is None or deal is None:
        return Entry(n, fact)
    match reading:
        case Agrees(laid=laid):
            return Entry(n, fact, _certain(laid.n), mute=True)
        case Names(laid=laid, card=card):
            reread = Revision("reread", laid.n, changes={"card": card, "confidence": fact.confidence})
            return Entry(n, fact, (reread, *(() if doubtful(fact) else _certain(laid.n))), mute=True)
        case Moves(laid=laid):
            return Entry(n, fact, (Revision("set", laid.n, changes={"seat": seat}), *_certain(laid.n)), mute=True)
        case NewPlay(instead=Laid() as instead):
            back = _take_back(felt, instead, freed=instead.n in deal.freed)
            fill = (Revision("fill", back.n, hole=True),) if back.hole else ()
            number = felt.number if instead in felt.trick else felt.number - 1
            return Entry(n, fact, (back, *fill), said=(withdrawn(state, n, instead, number),))
        case NewPlay():
            return _fill(state, n, fact, seat)
        case Repeat(laid=laid) | Conflicts(laid=laid):
            return Entry(n, fact, look=laid.n)


def _certain(n: int) -> tuple[Revision, Revision]:
    return Revision("sure", n), Revision("placed", n)


# --- deriving again ------------------------------------------------------------------------------------------------


def _item(entry: Entry) -> Item:
    took_back = isinstance(entry.fact, f.Gone) and any(r.do == "annul" for r in entry.revisions)
    refused = bool(entry.said) and not entry.revisions  # it says why, whatever is derived again
    mute = entry.mute or took_back or refused or isinstance(entry.fact, _REVISING)
    return Item(entry.n, entry.fact, mute=mute, said=entry.said)


def effective(log: tuple[Entry, ...]) -> list[Item]:
    """The facts as they count today, in the order in which they count."""
    dropped: set[int] = set()
    looks: dict[int, list[int]] = {}
    swept = {revision.n for entry in log for revision in entry.revisions if revision.do == "swept"}
    log = tuple(replace(entry, revisions=(), said=()) if entry.n in swept else entry for entry in log)
    for entry in log:
        if entry.look is not None:
            looks.setdefault(entry.look, []).append(entry.n)
    for entry in reversed(log):  # the latest speaks first: a drop may undo an earlier drop
        if entry.n not in dropped:
            dropped.update(r.n for r in entry.revisions if r.do == "drop")
            back = [r.n for r in entry.revisions if r.do in ("drop", "annul")]
            dropped.update(look for laid in back for look in looks.get(laid, ()) if look < entry.n)
    items: list[Item] = []
    for entry in log:
        if entry.n in dropped:
            continue
        place, spare = len(items), False
        for revision in entry.revisions:
            at = next((i for i, item in enumerate(items) if _is_meant(item, revision)), None)
            if at is None:
                continue
            if revision.do == "insert" and revision.fact is not None:
                items.insert(at, Item(entry.n, revision.fact, sure=True))
                place = len(items)
            elif revision.do == "fill" and items[at].annulled:
                place = at + 1
                items[at] = replace(items[at], hole=False)
                items[place:] = [replace(item, excused=True) for item in items[place:]]
            elif revision.do == "fill" and revision.hole:
                continue  # its place is not open any more: the card was not taken back after all
            elif revision.do == "fill" and revision.fact is not None and revision.late is not None:
                items.insert(at, Item(revision.late, revision.fact, late=True))
                place = len(items)
            elif revision.do == "fill":
                items.insert(at, replace(_item(entry), late=True, said=()))
                spare = True
                place = len(items)
            else:
                same = [i for i, item in enumerate(items) if _is_meant(item, revision)]
                for i in same:
                    items[i] = _revised(items[i], revision, by=entry.n)
                if revision.do == "set" and "card" in (revision.changes or {}):  # what else was read there was misread
                    told = looks.get(revision.n, ())
                    items = [_looked_otherwise(item, revision) if item.n in told else item for item in items]
        items.insert(place, replace(_item(entry), spare=spare))
    return items


def _looked_otherwise(item: Item, revision: Revision) -> Item:
    """What told once more of a card that was misread, as *revision* says: another look at it; and what a person entered
    is a card of its own, unless it is that one."""
    if isinstance(item.fact, f.Play):
        return replace(item, mute=item.fact.card == (revision.changes or {}).get("card"))
    return replace(item, look=revision.n)


def _is_meant(item: Item, revision: Revision) -> bool:
    return item.n == revision.n and (not item.mute or revision.do == "counts") and item.fact.source != DEDUCED


def _revised(item: Item, revision: Revision, *, by: int) -> Item:
    match revision.do:
        case "set":
            changes = revision.changes or {}
            changed = f.corrected(item.fact, changes)
            return replace(item, fact=changed or item.fact, sure=item.sure or "card" in changes, unread=False)
        case "reread":
            changed = f.corrected(item.fact, revision.changes or {})
            return replace(item, fact=changed or item.fact, unread=False)
        case "sure":
            return replace(item, sure=True)
        case "placed":
            return replace(item, seated=True, unbroken=True)
        case "seated":
            return replace(item, seated=True)
        case "unbroken":
            return replace(item, unbroken=True)
        case "annul":
            return replace(item, annulled=by, hole=revision.hole)
        case "unread":
            return replace(item, unread=True)
        case "counts":
            return replace(item, mute=False)
        case "look":
            return replace(item, look=(revision.changes or {}).get("of"))
        case _:
            return item


def _rederive(table: Table, entry: Entry, at: float) -> Table:
    """The table after a fact that revises the past, and the answer: what comes out differently."""
    first = min(revision.n for revision in entry.revisions)
    items = effective((*table.log, entry))
    mark = next((m for m in reversed(table.marks) if m[0] < first), None)
    start = next((i for i, item in enumerate(items) if mark and item.n == mark[0] and not item.mute), 0)
    state = mark[1] if mark is not None and start else State(table.state.rulebook)
    kept = {item.n for item in items[:start]}
    marks = [m for m in table.marks if m[0] in kept]
    lines: dict[int, Lines] = {}
    for item in items[start:]:
        if isinstance(item.fact, f.Hand):
            marks.append((item.n, state))
        state, answer = advance(state, item)
        lines[item.n] = lines.get(item.n, ()) + answer
    innocent = _cleared(table.state, state, entry.n)
    own = lines.get(entry.n, ())
    said, rest = own[: len(entry.said)], own[len(entry.said) :]
    entry = replace(entry, said=said + innocent, lines=said + innocent + rest)
    log = tuple(e if e.n in kept else replace(e, lines=lines.get(e.n, ())) for e in table.log)
    changes = [line for old, new in zip(table.log, log, strict=True) for line in _changes(old, new, entry.n)]
    rulings = tuple(line for line in rest if "ruling" in line or "question" in line)
    events = tuple(line for line in rest if "event" in line and line["event"] != "turn")
    rederived: Line = {"event": "rederived", "n": entry.n, "from": first}
    answers = (*said, *rulings[:1], *innocent, *rulings[1:], rederived, *changes, *events, *turn(state))
    return Table(state, (*log, entry), answers, at, tuple(marks))


def _cleared(before: State, after: State, by: int) -> Lines:
    """The pending offences of the hand that turned out innocent."""
    old, new = before.deal, after.deal
    if old is None:
        return ()
    same = new is not None and new.number == old.number
    still = {finding.key for finding in new.pending + new.settled} if new is not None and same else set()
    return tuple(cleared(old.number, by, p) for p in old.pending if p.key not in still and p.how != SOMEONE)


def _changes(old: Entry, new: Entry, by: int) -> Lines:
    """What is told of an earlier fact when its lines come out differently: every changed line again, and the vanished
    ones as void. Turns are not told again (the current one ends the answer), a question only if it is new."""
    if old.lines == new.lines:
        return ()
    before = {_about(line): line for line in old.lines if _retold(line)}
    after = {_about(line): line for line in new.lines if _retold(line)}
    void = tuple(
        {"ruling" if "ruling" in line else "event": "void", "n": old.n, "was": line, "by": by}
        for about, line in before.items()
        if about not in after
    )
    again = tuple({**line, "n": old.n, "by": by} for about, line in after.items() if before.get(about) != line)
    asked = tuple(line for line in new.lines if "question" in line and line not in old.lines)
    return void + again + asked


def _retold(line: Line) -> bool:
    return "question" not in line and line.get("event") != "turn"


def _about(line: Line) -> tuple[Any, ...]:
    """What a line is about: a later line about the same takes its place."""
    if "event" in line:
        return ("event", line["event"])
    if line["ruling"] in ("withdrawn", "confirmed"):
        return (line["ruling"], line.get("of"))
    about = line["offence"]["n"] if "offence" in line else line["n"]
    return ("ruling", about)


UNDO = "undo"
"""The reason of a correction that takes the latest fact back; it is not taken back itself."""


def undo(table: Table) -> f.Correct | None:
    """The correction that takes back the latest thing that counts, or None when there is nothing to take back."""
    for item in reversed(effective(table.log)):
        if isinstance(item.fact, f.Lost | f.Found | f.Tick | f.Match | f.Gone | f.Untag | f.Cleared):
            continue
        if isinstance(item.fact, f.Correct) and item.fact.drop and item.fact.reason == UNDO:
            continue
        entry = table.entry(item.n)
        if entry is not None and (entry.revisions or any(line.get("ruling") != "ignored" for line in entry.lines)):
            return f.Correct(n=item.n, drop=True, source="person", reason=UNDO)
    return None
