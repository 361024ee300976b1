"""Judging plays without seeing hands.

Theory of operation
===================

The referee sees cards when they are laid, never the hands. So a play gets one of three grades:

``legal``     legal whatever the hands are;
``breach``    illegal whatever the hands are: out of turn, a wrong opening card, a card seen twice, a second card of one
              seat, or a card that a *known* hand shows to be wrong;
``unproven``  legal only if a **claim** is true. Every legality rule says "at that moment the hand holds only cards of
              some set": a discard says *no card of the led suit*, a point on trick 1 says *only points*. The game hands
              the judge the denied cards (``Game.claims``) and the judge keeps them.

A claim falls when its seat **shows** a denied card: it lays one later, or one is seen in its hand. Cards never enter a
hand after the pass, so the card was there when it was denied. Every standing claim that denied it is an offence of its
own, once.

It falls earlier, when it can be **counted** out: the unseen cards that the seat may hold by its claims are fewer than
the cards that it has left (``counting``). That is exact: at no earlier card is there a proof. A claim that falls with
the very card that makes it is a breach. When the claims of several seats leave no honest deal, and those of no single
seat do, ``someone`` has lied. What is known of the hands narrows it: cards scanned or shown, a pass that was seen, and
hands that are known as dealt though their pass is not: such a card lies with its giver or with its receiver.

Counting trusts the number of cards in each hand (``even``). After a pass whose cards nobody counted a finding by
counting waits until the card is shown.

The felt is a value. ``lay`` takes a ``Felt`` and one thing that happened and gives the next ``Felt`` and a ``Verdict``;
``replay`` folds a whole history. Nothing here keeps state, and nothing here raises on what players do.

The guard
---------
Cameras misread and miss. A finding (a breach or a fallen claim) is therefore shown as certain only if no **other
history** explains it. The other histories are tried, literally, through the same ``lay``:

* one camera-read card replaced by a look-alike that nobody has laid;
* the last card of a trick not seen, when its seat won and led the card that was taken for it;
* the cards in the order in which they came, none of them moved to a place left open, alone or with one of the others;
* the opening card laid by another seat;
* a reading that was only another look at a card known for certain: the same card elsewhere, or its look-alike there;
* for a breach by a camera-read card: that card laid by the seat whose turn it was, or a card of that seat laid just
  before and not seen.

A history explains a finding if the finding is gone in it, and either nothing new is found or, with another card, its
seat has done nothing and no more seats than before are guilty: what a misread card hides comes to light only in the
true history. While one does, the finding is ``pending`` and the table asks about that card, that seat or that missing
card. Cards read by a tag, entered or confirmed by a person are never doubted. With no doubtful card there is nothing to
try and nothing to wait for. The other histories are sought when the first doubt arises and laid along with the real one
until the last is settled. A second look at a card (``Again``) is no news on the felt as it is, but is kept: in another
history it is a card of its own.

A card that is known to lie there but not which (missed by the camera, or a reading that cannot be) is laid with card
``None``: it takes its seat's place, claims nothing, and the trick waits for its name. Until then it may have been a
heart, so no lead of hearts claims anything either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from .cards import Card, Cards, Seat, cards_of, each, look_alikes
from .counting import crowded, lacks
from .rules import Claim as Denial
from .rules import Game, Moment

_T = TypeVar("_T")

SOMEONE, NOBODY = "someone", -1


@dataclass(frozen=True, slots=True)
class Laid:
    """A card laid by a seat. *n* is its fact; *sure* unless only a camera says which card it is, *seated* unless only a
    camera says whose it is, *unbroken* unless only a camera, or a reader while another device is lost, says that none
    before it is missing.

    *hole*: nobody saw it; it is here because the game went on as if it had been laid. *late*: it came after the cards
    that follow it here, and was taken for the card of a place left open. *excused*: it was laid when the trick before
    still had another card, which has been replaced since; its seat led in good faith. *timed_out*: it was laid because
    the time of its seat had run out. *swept*: all cards of the trick in progress had left the felt before.
    """

    n: int
    seat: Seat
    card: Card | None
    sure: bool = True
    seated: bool = True
    unbroken: bool = True
    hole: bool = False
    late: bool = False
    excused: bool = False
    timed_out: bool = False
    swept: bool = False

    @property
    def placed(self) -> bool:
        """Whether its place in the order of play is certain."""
        return self.seated and self.unbroken

    @property
    def doubtful(self) -> bool:
        return self.card is not None and not (self.sure and self.placed)

    def resembles(self, other: Laid) -> bool:
        """Whether *other* may be a look at this card: the same card anywhere, or a look-alike at the same seat."""
        if self.card is None or other.card is None:
            return False
        return self.card == other.card or (self.seat == other.seat and other.card in look_alikes(self.card))


@dataclass(frozen=True, slots=True)
class Again:
    """A camera saw a card at *seat* that is taken for one which lies there: *card* once more, or another look at the
    card of fact *of*. No news, unless that one is not what it was taken for: then this is a card of its own."""

    n: int
    seat: Seat
    card: Card
    of: int | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """Cards known to be in a hand after fact *n*: scanned, shown, or taken back from the felt. *doubtful*: only a
    camera says whose hand that is."""

    n: int
    seat: Seat
    cards: Cards
    doubtful: bool = False


Happening = Laid | Held | Again


@dataclass(frozen=True, slots=True)
class Claim:
    """What the play of fact *n* denies, and still stands: *cards* are all those that it *denied* under one rule or
    another; *counted* out it waits for the card to be shown."""

    n: int
    trick: int
    seat: Seat
    card: Card
    denied: tuple[Denial, ...]
    cards: Cards
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """An offence on the face of the history: the play *n* of *seat*, the *rule*, and *how* it was found: ``breach`` at
    once (*shown* is then a card that it is known to have held, if one shows it; *counted*: counting shows it),
    ``shown`` by the *shown* card at fact *at*, or ``counted`` out then.

    *also* are rules that the same card broke besides, seen at once. *covered*: it is out of turn only if no card before
    it was missed, and a place is kept for that.

    Of ``someone`` who has lied *seats* are those that may have, and *seat* is ``NOBODY``; of one seat alone it is not
    known with which card.
    """

    n: int
    trick: int
    seat: Seat
    card: Card | None
    rule: str
    how: str
    at: int
    shown: Card | None = None
    seats: tuple[Seat, ...] = ()
    covered: bool = False
    also: tuple[str, ...] = ()
    counted: bool = False

    @property
    def key(self) -> tuple[int, str, tuple[Seat, ...]]:
        """Which offence it is, however it was proved, and whichever of the rules that it breaks was proved first."""
        return (0 if self.how == SOMEONE else self.n, self.rule if self.how == "breach" else "", self.seats)


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick. *winner* is None while a card of it is not known."""

    number: int
    lead: Seat
    cards: tuple[Laid, ...]
    winner: Seat | None
    points: int

    def card_of(self, seat: Seat) -> Laid | None:
        return next((laid for laid in self.cards if laid.seat == seat), None)

    @property
    def led(self) -> Card | None:
        """The card that led it, if that is known."""
        lead = self.card_of(self.lead)
        return lead.card if lead is not None else None


@dataclass(frozen=True, slots=True)
class Felt:
    """One hand as it has been laid so far.

    *size* is the number of cards that each hand begins with.

    *leader* is the seat that must lead the next trick (None: whoever holds the opening card, or not known); *lead* the
    seat that did lead the trick in progress; *proper* the seat that should have led it, while it still may. *known* are
    the cards known to be in each hand now, *full* says whether they are all of it; *even* that each hand began with its
    full number of cards. *unpassed* are hands known as they were dealt, whose cards have gone unseen to the seat of
    *receivers*, *passed* of them each. *veiled*: a card lies whose name is
    not known, and which may have broken the suit that must be broken. *disputed*: after a lead by the wrong seat nobody
    can tell which suit is to be followed; *claimants* may then have won that trick, and lead. *findings* are the
    offences on the face of it; while one of them is in doubt, *others* are the other histories (see the guard), which
    are laid along.
    """

    game: Game
    players: int
    deck: Cards
    size: int
    known: tuple[Cards, ...]
    full: tuple[bool, ...]
    even: bool = True
    unpassed: tuple[Cards, ...] = ()
    receivers: tuple[Seat, ...] = ()
    passed: int = 0
    leader: Seat | None = None
    lead: Seat | None = None
    proper: Seat | None = None
    number: int = 1
    trick: tuple[Laid, ...] = ()
    tricks: tuple[Trick, ...] = ()
    broken: bool = False
    veiled: bool = False
    disputed: bool = False
    claimants: tuple[Seat, ...] = ()
    seen: Cards = 0
    claims: tuple[Claim, ...] = ()
    findings: tuple[Finding, ...] = ()
    history: tuple[Happening, ...] = ()
    opened: Felt | None = None  # this felt before anything was laid: where other histories begin
    others: tuple[OtherHistory, ...] | None = field(
        default=None, compare=False
    )  # laid on along with it, while in doubt

    @property
    def led(self) -> Card | None:
        """The card that leads the trick in progress, if it is known."""
        lead = self.lead
        for laid in self.trick:
            if laid.seat == lead:
                return laid.card
        return None

    @property
    def before_the_players(self) -> tuple[Laid, ...]:
        """The cards as they lie: the trick in progress, or the last one until a card is led."""
        return self.trick or (self.tricks[-1].cards if self.tricks else ())

    @property
    def complete(self) -> bool:
        return len(self.tricks) == self.size

    @property
    def settled(self) -> bool:
        """Whether every card of the finished tricks is known."""
        return all(trick.winner is not None for trick in self.tricks)

    @property
    def turn(self) -> Seat | None:
        """The seat whose card is awaited; None before the opening card, after the last, or when it is not known."""
        if self.complete or not self.trick:
            return None if self.complete else self.leader
        if self.proper is not None:
            return self.proper
        seat = self.lead or 0
        while self.lies(seat) is not None:  # a full trick is finished at once, so there is an end
            seat = (seat + 1) % self.players
        return seat

    @property
    def opens(self) -> Card | None:
        """The card that whoever holds it must open the hand with, while no card lies; None where there is no such."""
        return self.game.opening(self.deck) if self.number == 1 and not self.trick else None

    @property
    def holes(self) -> tuple[Laid, ...]:
        """Places that wait for the name of their card."""
        every = [laid for trick in self.tricks for laid in trick.cards] + list(self.trick)
        return tuple(laid for laid in every if laid.card is None)

    def may_play(self, seat: Seat) -> bool:
        """Whether it is *seat*'s turn. After a lead by the wrong seat, the proper leader may still lead and the next
        seat may accept the lead by playing to it."""
        if not self.trick:
            return self.leader is None or seat == self.leader
        if self.proper is not None:
            return seat in (self.proper, self.next_to_lead)
        return seat == self.turn

    @property
    def next_to_lead(self) -> Seat:
        return ((self.lead or 0) + 1) % self.players

    def lies(self, seat: Seat) -> Laid | None:
        """The card of *seat* in the trick in progress."""
        for laid in self.trick:
            if laid.seat == seat:
                return laid
        return None

    def left_in(self, seat: Seat) -> int:
        """How many cards *seat* still holds."""
        return self.size - len(self.tricks) - (self.lies(seat) is not None)

    def uppermost(self, n: int) -> bool:
        """Whether nobody has played over the card of fact *n*."""
        latest = next((h for h in reversed(self.history) if isinstance(h, Laid)), None)
        return latest is not None and latest.n == n

    def places(self) -> Iterator[tuple[int, Laid]]:
        """Every card laid in place, with the number of its trick, latest trick first."""
        for laid in reversed(self.trick):
            yield self.number, laid
        for trick in reversed(self.tricks):
            for laid in reversed(trick.cards):
                yield trick.number, laid

    def taken(self, seat: Seat) -> Cards:
        """The cards of the tricks that *seat* has won."""
        return cards_of(c.card for t in self.tricks if t.winner == seat for c in t.cards if c.card is not None)

    def moment(self, seat: Seat) -> Moment:
        """The moment at which *seat* would lay a card now."""
        led = None if seat == self.proper else self.led
        return Moment(self.number, led, self.broken or self.veiled, self.deck)

    def legal(self, seat: Seat) -> Cards:
        """The cards that *seat* may legally lay now, as far as its hand is known: from a full hand just the legal ones,
        else every unseen card that no known card forbids. Empty when it is not its turn."""
        if self.complete or not self.may_play(seat):
            return 0
        moment, mine = self.moment(seat), self.known[seat]
        legal = 0
        for card in each(mine if self.full[seat] else self.unseen_for(seat)):
            allowed = self.game.forbidden(moment, card) is None
            if allowed and not any(denied & mine & ~card.bit for denied, _ in self.game.claims(moment, card)):
                legal |= card.bit
        return legal

    def unseen_for(self, seat: Seat) -> Cards:
        """Cards that may still be in *seat*'s hand."""
        elsewhere = 0
        for other, cards in enumerate(self.known):
            if other != seat:
                elsewhere |= cards
        return self.deck & ~self.seen & ~elsewhere


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one happening means. *grade* and *rules* are None and empty for cards that are only held.

    *found* are the offences found now, a breach of this play first; *broke* whether the suit broke; *trick* the trick
    that it finished. *twin* is the other laying of a card seen twice, *first* the seat's first card of a second one.
    *awaited* is the seat whose turn it was, *led* the card it had to follow. *counted*: counting shows the breach.
    *silent*: allowed by an exception that the source does not write down.
    """

    grade: str | None = None
    rules: tuple[str, ...] = ()
    found: tuple[Finding, ...] = ()
    broke: bool = False
    trick: Trick | None = None
    number: int = 0
    twin: Laid | None = None
    first: Laid | None = None
    awaited: Seat | None = None
    led: Card | None = None
    holds: Card | None = None
    silent: bool = False
    counted: bool = False


def begin(
    game: Game,
    players: int,
    *,
    known: tuple[Cards, ...] | None = None,
    full: tuple[bool, ...] | None = None,
    even: bool = True,
    unpassed: tuple[Cards, ...] = (),
    receivers: tuple[Seat, ...] = (),
    leader: Seat | None = None,
) -> Felt:
    """The empty felt of a hand, with what is known of the hands (after the pass); *leader* opens it, where no card
    does."""
    nothing = (0,) * players
    deck = game.deck(players)
    felt = Felt(
        game,
        players,
        deck,
        deck.bit_count() // players,
        known or nothing,
        full or (False,) * players,
        even,
        unpassed,
        receivers,
        game.pass_count,
        leader,
    )
    felt, _ = _with_last_hand(felt, 0)
    return replace(felt, opened=felt)


def replay(felt: Felt, history: Iterable[Happening]) -> Felt:
    """The felt after *history*, from *felt*."""
    for happening in history:
        felt, _ = lay(felt, happening)
    return felt


def lay(felt: Felt, happening: Happening) -> tuple[Felt, Verdict]:
    """The felt after one happening, and what it means. Total: any seat of the table, any card, at any time."""
    after, verdict = _lay(felt, happening)
    if felt.others is not None:
        after = replace(after, others=_laid_along(felt, after, happening, verdict))
    return after, verdict


def _lay(felt: Felt, happening: Happening) -> tuple[Felt, Verdict]:
    after, verdict = _laid(felt, happening)
    counted = _counted(after, happening.n) if any(not claim.counted for claim in after.claims) else ()
    return _with_counted(after, verdict, happening.n, counted) if counted else (after, verdict)


def _laid(felt: Felt, happening: Happening) -> tuple[Felt, Verdict]:
    if isinstance(happening, Held):
        return _hold(felt, happening)
    if isinstance(happening, Again):
        if happening.card.bit & felt.seen or _seen_already(felt, happening):
            return replace(felt, history=(*felt.history, happening)), Verdict(number=felt.number)
        happening = Laid(happening.n, happening.seat, happening.card, sure=False, seated=False, unbroken=False)
    if happening.card is not None:
        return _judge(felt, happening, happening.card)
    changes, trick = _place(felt, happening)
    return replace(felt, history=(*felt.history, happening), **changes), Verdict(number=felt.number, trick=trick)


def _seen_already(felt: Felt, again: Again) -> bool:
    """Whether another look is one at the card that it was taken for, and not the next card of its seat."""
    lying = felt.lies(again.seat)
    if lying is not None or felt.trick or not felt.tricks:
        return lying is not None and lying.n == again.of
    look_at = next((laid for laid in felt.tricks[-1].cards if laid.n == again.of), None)
    return look_at is not None and (look_at.card is None or felt.turn not in (None, again.seat))


def _hold(felt: Felt, held: Held) -> tuple[Felt, Verdict]:
    cards = held.cards & felt.deck & ~felt.seen
    known = _with(felt.known, held.seat, felt.known[held.seat] | cards)
    all_of_it = felt.full[held.seat] or known[held.seat].bit_count() == felt.left_in(held.seat)
    full = _with(felt.full, held.seat, all_of_it)
    felt = replace(felt, known=known, full=full, history=(*felt.history, held))
    felt, found = _show(felt, held.seat, cards, held.n)
    felt, more = _with_last_hand(felt, held.n)
    return felt, Verdict(found=found + more, number=felt.number)


def _with_last_hand(felt: Felt, n: int) -> tuple[Felt, tuple[Finding, ...]]:
    """The felt with the one hand that is not known, where all others are and nothing is missing: it has the rest. And
    the offences that fact *n* shows by that."""
    unknown = [seat for seat, full in enumerate(felt.full) if not full]
    if len(unknown) != 1:
        return felt, ()
    (seat,), rest = unknown, felt.unseen_for(unknown[0])
    if rest.bit_count() != felt.left_in(seat):
        return felt, ()
    felt = replace(felt, known=_with(felt.known, seat, rest), full=_with(felt.full, seat, True))
    return _show(felt, seat, rest, n)


def _judge(felt: Felt, laid: Laid, card: Card) -> tuple[Felt, Verdict]:
    """Grade a card laid by a seat, then place it."""
    seat = laid.seat
    awaited = felt.turn
    if _repeats(felt, laid):
        return replace(felt, history=(*felt.history, laid)), Verdict(number=felt.number)
    claims_trick = not felt.trick and seat in felt.claimants
    missed = () if claims_trick else _missed(felt, laid, awaited)
    for card_of in missed:
        felt = replace(felt, **_place(felt, card_of)[0])
    first = felt.lies(seat)
    twin = next((other for _, other in felt.places() if other.card == card), None) if card.bit & felt.seen else None
    in_turn = first is None and (felt.may_play(seat) or laid.excused or claims_trick) and not felt.complete
    moment = felt.moment(seat)
    provable: list[str] = []
    if not card.bit & felt.deck:
        provable.append("not-in-deck")
    if twin is not None:
        provable.append("duplicate")
    if first is not None or felt.complete:
        provable.append("too-many-cards")
    elif not in_turn or missed:
        provable.append("turn")
    readable = twin is None and bool(card.bit & felt.deck)
    placed = first is None and not felt.complete and (readable or in_turn)
    claims: tuple[Denial, ...] = ()
    broken_rules: tuple[str, ...] = ()
    holds: Card | None = None
    silent = False
    if placed and readable:
        leads = not felt.trick or seat == felt.proper
        forbidden = felt.game.forbidden(moment, card) if leads else None
        if forbidden is not None:
            provable.append(forbidden)
        if _held_elsewhere(felt, seat, card):
            provable.append("not-in-hand")
        unknown = felt.disputed or (felt.led is None and not leads)  # what is to be followed
        if forbidden is None and not unknown and not _in_good_faith(felt, laid) and not _either(felt, laid):
            claims, broken_rules, holds, silent = _weigh(felt, laid, card, moment)
            provable.extend(broken_rules)
    rules = tuple(provable) + tuple(rule for _, rule in claims if rule not in provable)
    grade = "breach" if provable else "unproven" if claims else "legal"
    found: tuple[Finding, ...] = ()
    if provable:
        rule, *also = provable
        covered = rule == "turn" and bool(missed)
        at = laid.n
        found = (Finding(at, felt.number, seat, card, rule, "breach", at, holds, covered=covered, also=tuple(also)),)
    changes: dict[str, Any] = {"history": (*felt.history, laid)}
    standing, shown = _fallen(felt, seat, card.bit, laid.n) if readable else (felt.claims, ())
    known, broke, trick = felt.known[seat], False, None
    if placed:
        # An illegally played card of that suit opens it for everyone: the others act in good faith.
        opens = felt.game.breaks(moment, card) or (bool(provable) and felt.game.breakable(card))
        broke = readable and not felt.broken and opens
        joined, trick = _place(felt, laid if readable else replace(laid, card=None))
        changes |= joined | {"broken": felt.broken or broke, "seen": felt.seen | (card.bit if readable else 0)}
        known &= ~card.bit
        if claims and not broken_rules:  # else it is against the rules: what it would deny is no news
            standing = (*standing, Claim(laid.n, felt.number, seat, card, claims, _union(cards for cards, _ in claims)))
    elif readable:  # a second card of one seat takes no place: it stays in the hand, seen
        known |= card.bit
    if known != felt.known[seat]:
        changes["known"] = _with(felt.known, seat, known)
    elif placed and readable and card.bit & _union(felt.known):
        changes["known"] = tuple(cards & ~card.bit for cards in felt.known)  # it is not where it was known to be
    after = replace(felt, claims=standing, findings=felt.findings + found + shown, **changes)
    return after, Verdict(
        grade, rules, found + shown, broke, trick, felt.number, twin, first, awaited, moment.led, holds, silent
    )


def _in_good_faith(felt: Felt, laid: Laid) -> bool:
    """Whether the seat of *laid* followed another card than the one that leads now, which has been replaced since; or
    led after a trick of which a card has been replaced, perhaps the one that broke the suit."""
    lead = felt.lies(felt.lead) if felt.lead is not None else None
    return laid.excused and (lead is None or lead.n > laid.n)


def _either(felt: Felt, laid: Laid) -> bool:
    """Whether *laid* may lead, its seat being entitled to, or be thrown on the lead of the wrong seat before it."""
    wrong = felt.led
    return laid.seat == felt.proper == felt.next_to_lead and wrong is not None and not _same_suit(wrong, laid.card)


def _repeats(felt: Felt, laid: Laid) -> bool:
    """Whether a camera sees again what its seat has just laid. (``sight`` finds that on the felt as it is; here it is
    another history, in which the card was read right the first time.)"""
    if laid.placed or laid.sure:
        return False
    last = felt.tricks[-1].cards if felt.tricks else ()
    return any(other.card == laid.card and other.seat == laid.seat for other in (*felt.trick, *last))


def _missed(felt: Felt, laid: Laid, awaited: Seat | None) -> tuple[Laid, ...]:
    """The places to keep for cards that nobody saw, before *laid*: of the seat before, when a camera sees its
    neighbour's card instead of its own, or a card of a seat that has played while only one card is wanting; of all
    seats whose cards are wanting, when the trick is swept. A covered card is commoner than a card out of turn, so the
    game goes on as if it lay there, and the table asks for it."""
    if laid.unbroken or awaited is None:
        return ()
    if laid.swept and felt.trick:
        return tuple(_unseen(laid, seat) for seat in range(felt.players) if felt.lies(seat) is None)
    return (_unseen(laid, awaited),) if _covered(felt, laid, awaited) else ()


def _covered(felt: Felt, laid: Laid, awaited: Seat) -> bool:
    """Whether a card of *awaited* that nobody saw would let *laid* be laid now: it follows, or it leads next."""
    if len(felt.trick) == felt.players - 1:
        return felt.lies(laid.seat) is not None
    return (awaited + 1) % felt.players == laid.seat and felt.lies(laid.seat) is None


def _weigh(
    felt: Felt, laid: Laid, card: Card, moment: Moment
) -> tuple[tuple[Denial, ...], tuple[str, ...], Card | None, bool]:
    """What playing *card* denies and nobody can tell yet; the rules a known hand shows broken; the card that shows it;
    and whether a known hand needed an exception that the source does not write."""
    seat, game = laid.seat, felt.game
    mine = felt.known[seat] & ~card.bit
    last = felt.left_in(seat) == 1
    standing: list[Denial] = []
    broken: list[str] = []
    holds: Card | None = None
    silent = False
    denials = game.claims(moment, card)
    for denied, rule in (*denials, *game.timed_out(moment, card)) if laid.timed_out else denials:
        silent = silent or (felt.full[seat] and felt.game.silent(rule))
        if denied & mine:
            broken.append(rule)
            holds = holds or next(each(denied & mine))
        elif not felt.full[seat] and not last and denied & felt.unseen_for(seat) & ~card.bit:
            standing.append((denied, rule))
    return tuple(standing), tuple(broken), holds, silent and not broken


def _held_elsewhere(felt: Felt, seat: Seat, card: Card) -> bool:
    """Whether known hands show that *seat* cannot have *card*."""
    if felt.full[seat]:
        return not card.bit & felt.known[seat]
    dealt_to = next((giver for giver, dealt in enumerate(felt.unpassed) if dealt & card.bit), None)
    if dealt_to is not None and seat not in (dealt_to, felt.receivers[dealt_to]):
        return True
    return bool(card.bit & _union(felt.known) & ~felt.known[seat])


def _show(felt: Felt, seat: Seat, cards: Cards, n: int) -> tuple[Felt, tuple[Finding, ...]]:
    """*cards* turned up from *seat*'s hand."""
    standing, found = _fallen(felt, seat, cards, n)
    return (replace(felt, claims=standing, findings=felt.findings + found), found) if found else (felt, ())


def _fallen(felt: Felt, seat: Seat, cards: Cards, n: int) -> tuple[tuple[Claim, ...], tuple[Finding, ...]]:
    """The claims that still stand when *cards* turn up from *seat*'s hand, and the offences of those that do not."""
    found: list[Finding] = []
    standing: list[Claim] = []
    for claim in felt.claims:
        fallen = None
        if claim.seat == seat:
            fallen = next(((denied & cards, rule) for denied, rule in claim.denied if denied & cards), None)
        if fallen is None:
            standing.append(claim)
        else:
            shown = next(each(fallen[0]))
            found.append(Finding(claim.n, claim.trick, seat, claim.card, fallen[1], "shown", n, shown))
    return (tuple(standing), tuple(found)) if found else (felt.claims, ())


# --- counting ------------------------------------------------------------------------------------------------------


def _counted(felt: Felt, n: int) -> tuple[Finding, ...]:
    """The offences that counting finds now, at fact *n*."""
    pools = tuple(_pools(felt))
    standing = [claim for claim in felt.claims if not claim.counted]
    liars = _liars(felt, pools, standing)
    if not liars:
        return ()
    false = [claim for claim in standing if _lacks(pools, claim.seat, claim.cards)]
    found = [
        Finding(claim.n, claim.trick, claim.seat, claim.card, _false_rule(pools, claim), "counted", n)
        for claim in false
    ]
    if false:
        liars = _liars(felt, pools, [claim for claim in standing if claim not in false])
    if liars and not any(finding.how == SOMEONE and liars.issuperset(finding.seats) for finding in felt.findings):
        found.append(Finding(n, felt.number, NOBODY, None, SOMEONE, SOMEONE, n, seats=tuple(sorted(liars))))
    return tuple(found)


def _liars(felt: Felt, pools: Iterable[tuple[Cards, list[int]]], claims: Iterable[Claim]) -> frozenset[Seat]:
    """The fewest seats whose *claims* cannot all be true; none when they can."""
    denied = [0] * felt.players
    for claim in claims:
        denied[claim.seat] |= claim.cards
    crowds = [crowd for cards, room in pools if (crowd := crowded(cards, room, denied))]
    return min(crowds, key=len, default=frozenset())


def in_conflict(felt: Felt, seats: Iterable[Seat]) -> bool:
    """Whether the claims of *seats* that still stand cannot all be true."""
    theirs = [claim for claim in felt.claims if claim.seat in seats and not claim.counted]
    return bool(_liars(felt, tuple(_pools(felt)), theirs))


def _pools(felt: Felt) -> Iterator[tuple[Cards, list[int]]]:
    """The unseen cards that are not known to be in a hand, by what is known of where they may lie, each with the room
    that the seats have for them."""
    free = felt.deck & ~felt.seen & ~_union(felt.known)
    room = [felt.size - len(felt.tricks) - cards.bit_count() for cards in felt.known]
    for laid in felt.trick:
        room[laid.seat] -= 1
    for giver, dealt in enumerate(felt.unpassed):
        if not dealt:
            continue
        to = felt.receivers[giver]
        arrived = felt.known[to] | cards_of(
            laid.card for _, laid in felt.places() if laid.seat == to and laid.card is not None
        )
        given = felt.passed - (dealt & arrived).bit_count()
        kept = (free & dealt).bit_count() - given
        if not 0 <= given <= room[to] or not 0 <= kept <= room[giver]:
            return  # the hands are not what they are taken for
        yield free & dealt, [given if s == to else kept if s == giver else 0 for s in range(felt.players)]
        room[to] -= given
        room[giver] -= kept
        free &= ~dealt
    yield free, room


def _lacks(pools: Iterable[tuple[Cards, list[int]]], seat: Seat, denied: Cards) -> bool:
    """Whether *seat* cannot have as many cards as it has left, none of them *denied*."""
    return any(lacks(cards, room[seat], denied) for cards, room in pools)


def _false_rule(pools: Iterable[tuple[Cards, list[int]]], claim: Claim) -> str:
    """The rule under which *claim* denied what its seat holds; the most specific where only all together are false."""
    alone = (rule for denied, rule in claim.denied if _lacks(pools, claim.seat, denied))
    return next(alone, claim.denied[0][1])


def _with_counted(felt: Felt, verdict: Verdict, n: int, counted: tuple[Finding, ...]) -> tuple[Felt, Verdict]:
    """The felt and the verdict with what counting has found. What a card itself denies in vain is a breach."""
    own = next((finding for finding in counted if finding.n == n and finding.how == "counted"), None)
    found, claims = verdict.found, felt.claims
    if own is not None and felt.even and verdict.grade == "unproven":
        breach = replace(own, how="breach", counted=True)
        counted = (breach, *(finding for finding in counted if finding is not own))
        rules = (own.rule, *(rule for rule in verdict.rules if rule != own.rule))
        verdict = replace(verdict, grade="breach", rules=rules, counted=True)
        claims = tuple(claim for claim in claims if claim.n != n)
    out = {finding.n for finding in counted if finding.how == "counted"}
    claims = tuple(replace(claim, counted=True) if claim.n in out else claim for claim in claims)
    breaches = tuple(finding for finding in counted if finding.how == "breach")
    rest = tuple(finding for finding in counted if finding.how != "breach")
    felt = replace(felt, claims=claims, findings=felt.findings + counted)
    return felt, replace(verdict, found=(*breaches, *found, *rest))


def _union(sets: Iterable[Cards]) -> Cards:
    every = 0
    for cards in sets:
        every |= cards
    return every


def _place(felt: Felt, laid: Laid) -> tuple[dict[str, Any], Trick | None]:
    """What changes when a card (or a place without a known card) joins the trick, and the trick that it finishes."""
    if felt.complete or felt.lies(laid.seat) is not None:
        return {}, None
    trick, lead, proper = (*felt.trick, laid), felt.lead, felt.proper
    veiled, disputed = felt.veiled or laid.card is None, felt.disputed
    if not felt.trick:
        lead = laid.seat
        wrong = felt.leader is not None and laid.seat != felt.leader and not laid.excused
        proper = felt.leader if wrong else None
    elif proper == laid.seat:
        # The seat that should have led lays its card after all: it leads, as it is entitled to. Where it is also the
        # next to follow the wrong lead, it may have meant that: then nobody claims anything.
        disputed = _either(felt, laid)
        lead, proper = laid.seat, None
    elif proper is not None and laid.seat == felt.next_to_lead:
        proper = None
    if len(trick) < felt.players:
        return {"trick": trick, "lead": lead, "proper": proper, "veiled": veiled, "disputed": disputed}, None
    lead, leads = _leads(felt, trick, lead or 0) if disputed else (lead, ())
    done = _finish(felt, trick, lead or 0)
    claimants = {_finish(felt, trick, seat).winner for seat in leads} - {None}
    after: dict[str, Any] = {
        "tricks": (*felt.tricks, done),
        "trick": (),
        "lead": None,
        "proper": None,
        "disputed": False,
    }
    after["claimants"] = tuple(sorted(claimants))
    return after | {"leader": done.winner, "number": felt.number + 1, "veiled": veiled}, done


def _leads(felt: Felt, trick: tuple[Laid, ...], proper: Seat) -> tuple[Seat, tuple[Seat, ...]]:
    """Who led a disputed trick, whose first card is the wrong lead, whose second that of the *proper* leader, and all
    who may have. The proper leader is entitled to; but where all others, who had a choice, followed the wrong lead and
    not his, they took that for the lead."""
    wrong, others = trick[0], {laid.card.suit for laid in trick[2:] if laid.card is not None}
    led_wrong, led_proper = (first.card is not None and first.card.suit in others for first in trick[:2])
    if led_proper and not led_wrong:
        return proper, ()
    accepted = led_wrong and len(others) == 1 and len(felt.tricks) < felt.size - 1
    return (wrong.seat if accepted else proper), (wrong.seat, proper)


def _same_suit(one: Card, other: Card | None) -> bool:
    return other is not None and one.suit == other.suit


def _finish(felt: Felt, cards: tuple[Laid, ...], lead: Seat) -> Trick:
    led = next((laid.card for laid in cards if laid.seat == lead), None)
    if led is None or any(laid.card is None for laid in cards):
        return Trick(felt.number, lead, cards, None, 0)
    best = max(cards, key=lambda laid: felt.game.wins(led, laid.card) if laid.card else 0)
    points = felt.game.points(cards_of(laid.card for laid in cards if laid.card))
    return Trick(felt.number, lead, cards, best.seat, points)


def _with(values: tuple[_T, ...], seat: Seat, value: _T) -> tuple[_T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


# --- the guard -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Explanation:
    """Another history in which a finding is innocent: fact *n* was really *card*, or by *seat*, or *seat* laid a card
    just before it that nobody saw (*ask* is ``card``, ``seat`` or ``missing``)."""

    ask: str
    n: int
    seat: Seat
    card: Card | None = None


OtherHistory = tuple[Explanation, Felt]
"""What may have happened instead, and the felt as it would lie then."""

Doubts = Mapping[Finding, tuple[Explanation, ...]]
"""For each finding, what else would explain it, likeliest first; nothing where it is certain."""


def explanations(felt: Felt, findings: Iterable[Finding]) -> tuple[Felt, Doubts]:
    """The doubts about *findings*, and the felt with the other histories at hand while there are doubts."""
    asked = tuple(findings)
    explained: dict[Finding, list[Explanation]] = {finding: [] for finding in asked}
    base = {finding.key for finding in felt.findings}
    others = felt.others
    if others is None:
        others = tuple(_other_histories(felt, {f.n for f in asked if f.how == "breach"}))
    accused = {finding.seat for finding in felt.findings} - {NOBODY}
    for kept in (True, False):  # a place kept for a card that was missed counts only where nothing else explains it
        for explanation, other in others:
            there = [finding for finding in other.findings if kept or not finding.covered]
            keys, seats = {finding.key for finding in there}, {finding.seat for finding in there} - {NOBODY}
            for finding in asked:
                innocent = explanation.ask == "card" and finding.seat not in seats and len(seats) <= len(accused)
                if finding.key not in keys and (keys <= base or innocent):
                    explained[finding].append(explanation)
        asked = tuple(finding for finding in asked if not explained[finding])
        if not asked:
            break
    doubts = {finding: tuple(sorted(found, key=_likelihood(finding))) for finding, found in explained.items()}
    return replace(felt, others=others if any(doubts.values()) else None), doubts


def _laid_along(before: Felt, after: Felt, happening: Happening, verdict: Verdict) -> tuple[OtherHistory, ...] | None:
    """The other histories after one happening more; None when they have to be sought anew, because cards that came
    earlier follow one that was moved."""
    if any(isinstance(h, Laid) and h.late and h.n >= happening.n for h in after.history):
        return None
    if any(finding.rule == "too-many-cards" for finding in verdict.found):
        return None  # the first card of that seat may have been taken back
    others = [
        (explanation, _lay(other, happening)[0])
        for explanation, other in before.others or ()
        if explanation.ask != "card" or _still_possible(after, explanation)
    ]
    if isinstance(happening, Held):
        others += [
            (explanation, replay(replace(before, others=None), (held,)))
            for explanation, held in _held_by(before, happening)
        ]
    if isinstance(happening, Laid) and happening.doubtful:
        breach = any(finding.how == "breach" for finding in verdict.found)
        then = replace(before, others=None)
        for explanation, instead in _instead(after, then, happening, breach):
            others.append((explanation, replay(then, instead)))
    return tuple(others)


def _other_histories(felt: Felt, breaches: set[int]) -> Iterator[OtherHistory]:
    """Every history that differs in one thing. *breaches* are the cards that were illegal when they were laid."""
    opened = felt.opened
    if opened is None or not any(
        h.doubtful or (isinstance(h, Laid) and h.late) for h in felt.history if not isinstance(h, Again)
    ):
        return
    histories = [felt.history]
    late = next((h for h in felt.history if isinstance(h, Laid) and h.late), None)
    if late is not None:
        came = _as_it_came(felt.history, places=True)
        histories += [came, _as_it_came(felt.history, places=False)]
        if not late.placed:
            yield Explanation("missing", late.n, late.seat), replay(opened, came)
    for history in histories:
        then = opened
        for place, laid in enumerate(history):
            for explanation, held in _held_by(then, laid) if isinstance(laid, Held) else ():
                yield explanation, replay(then, (held, *history[place + 1 :]))
            if isinstance(laid, Laid) and laid.doubtful:
                for explanation, instead in _instead(felt, then, laid, laid.n in breaches):
                    yield explanation, replay(then, (*instead, *history[place + 1 :]))
                second = next((h for h in history[place + 1 :] if isinstance(h, Laid) and _second(felt, h, laid)), None)
                if second is not None:  # which took the place of this one, or was read in its place
                    rest = (h for h in history[place + 1 :] if h is not second)
                    explanation = Explanation("card", laid.n, laid.seat, second.card)
                    yield explanation, replay(then, (replace(laid, card=second.card), *rest))
            then, _ = _lay(then, laid)


def _held_by(felt: Felt, held: Held) -> Iterator[tuple[Explanation, Held]]:
    """Who may have taken the card back instead, where only a camera says who did: a neighbour."""
    for step in (1, -1) if held.doubtful else ():
        seat = (held.seat + step) % felt.players
        yield Explanation("seat", held.n, seat), replace(held, seat=seat)


def _second(felt: Felt, second: Laid, laid: Laid) -> bool:
    """Whether *second* is a second card of the seat of *laid*, as a camera saw it."""
    too_many = any((f.n, f.rule) == (second.n, "too-many-cards") for f in felt.findings)
    return too_many and second.doubtful and second.seat == laid.seat


def _as_it_came(history: tuple[Happening, ...], *, places: bool) -> tuple[Happening, ...]:
    """The history with the cards that were moved to a place left open back where they came; the place is still open, or
    (without *places*) there never was one."""
    came: list[Happening] = []
    moved: list[Laid] = []
    for happening in history:
        if isinstance(happening, Laid) and happening.late:
            moved.append(replace(happening, late=False))
            if places:
                came.append(_unseen(happening, happening.seat))
        else:
            came.append(happening)
    for laid in sorted(moved, key=lambda laid: laid.n):
        after = max((i for i, h in enumerate(came) if h.n < laid.n), default=-1)
        came.insert(after + 1, laid)
    return tuple(came)


def _instead(felt: Felt, then: Felt, laid: Laid, breach: bool) -> Iterator[tuple[Explanation, tuple[Laid, ...]]]:
    """What may have happened instead of *laid*, on the felt as it was *then*."""
    for card in look_alikes(laid.card) if laid.card is not None and not laid.sure else ():
        if _may_be(felt, laid, card):
            yield Explanation("card", laid.n, laid.seat, card), (replace(laid, card=card),)
    if laid.placed:
        return
    same = next(
        (other for other in then.before_the_players if other.sure and other.placed and other.resembles(laid)), None
    )
    if same is not None and not (
        laid.seated and same.seat != laid.seat
    ):  # it is that card, seen in the wrong zone or misread
        yield Explanation("seat" if same.seat != laid.seat else "card", laid.n, same.seat, same.card), ()
    unread = next((o for o in then.before_the_players if o.card is None and not o.hole and o.seat == laid.seat), None)
    if unread is not None:  # it is a better look at that card
        yield Explanation("card", unread.n, unread.seat), ()
    awaited = then.turn
    if awaited == laid.seat and len(then.trick) == then.players - 1 and not laid.unbroken:
        yield Explanation("missing", laid.n, laid.seat), (_unseen(laid, laid.seat), laid)
    opening = felt.game.opening(felt.deck) if awaited is None and then.number == 1 else None
    if (
        laid.card == opening and not laid.seated
    ):  # whoever lays it leads: nothing at once shows that it is seen at the wrong seat
        for seat in range(then.players):
            if seat != laid.seat:
                yield Explanation("seat", laid.n, seat), (replace(laid, seat=seat),)
    if not breach:
        return
    if awaited is not None and awaited != laid.seat and not laid.seated:
        yield Explanation("seat", laid.n, awaited), (replace(laid, seat=awaited),)
    missed = (laid.seat - 1) % felt.players if awaited is None else awaited
    if laid.unbroken:
        return
    unseen = _wanting(then, laid, missed)
    if unseen and (awaited is not None or len(unseen) == 1):
        cards = (_unseen(laid, seat, opening if seat == missed else None) for seat in unseen)
        yield Explanation("missing", laid.n, missed, opening), (*cards, laid)


def _wanting(felt: Felt, laid: Laid, first: Seat) -> tuple[Seat, ...]:
    """The seats whose cards would be missing, *first* first, if *laid* came in turn: one or two of them."""
    if (laid.swept and felt.trick) or (len(felt.trick) == felt.players - 1 and felt.lies(laid.seat) is not None):
        wanting = [seat for seat in range(felt.players) if felt.lies(seat) is None]
    else:
        steps = (laid.seat - first) % felt.players
        wanting = [(first + step) % felt.players for step in range(steps)]
    free = len(wanting) <= 2 and not any(felt.lies(seat) for seat in wanting)
    return tuple(sorted(wanting, key=lambda seat: (seat - first) % felt.players)) if free else ()


def _still_possible(felt: Felt, explanation: Explanation) -> bool:
    laid = next((h for h in felt.history if isinstance(h, Laid) and h.n == explanation.n), None)
    return laid is None or explanation.card is None or _may_be(felt, laid, explanation.card)


def _may_be(felt: Felt, laid: Laid, card: Card) -> bool:
    """Whether *laid* may have been *card*: nobody has laid that, unless one was another look at the other."""
    if card.bit & felt.unseen_for(laid.seat):
        return True
    return any(
        isinstance(h, Laid) and h.card == card and h.seat == laid.seat and (h.n < laid.n or not h.sure)
        for h in felt.history
    )


def _unseen(laid: Laid, seat: Seat, card: Card | None = None) -> Laid:
    """A card of *seat* that nobody saw, laid just before *laid*."""
    return Laid(laid.n, seat, card, sure=False, hole=True)


def _likelihood(finding: Finding) -> Callable[[Explanation], tuple[int, bool, int]]:
    """A covered card is commoner than a card in the wrong zone, and that than a misread one; but a wrong opening card
    is first of all a misread opening card."""
    order = ("card", "missing", "seat") if finding.rule == "opening" else ("missing", "seat", "card")
    return lambda explanation: (order.index(explanation.ask), explanation.n != finding.n, explanation.n)
