"""From sensor facts to plays: what a reading means, given what lies on the felt.

Readers and cameras say what they see again and again, and they see the same card both. A reading is therefore compared
with the cards that lie there:

* the same card of the same seat is a repeat; from a tag it makes a camera's reading certain (the sources **agree**);
* a tag of a card that the camera saw at another seat says whose it is (**moves**);
* a card at a seat whose card could not be named **names** it; so does a tag, while the table asks about that card, and
  a second look at the opening card;
* a card at a seat whose unread card of the finished trick lies there still is that one: it is named, or asked for;
* another card of a seat whose card has left its place takes that one back (**instead**); in a trick that is finished,
  or that only wants one card, only if no other card of it has left, since tricks are swept;
* a tag and a camera, or two looks of a camera, that name different cards for one seat **conflict**: the table asks, and
  never guesses; so it does when a camera sees a second card of a seat in a trick that is full, but not swept;
* a card that a winner sweeps over the reader with the trick, or that is seen where it pulls it in, is no play;
* anything else is a new play, and the judge says what it is worth.

A camera's card counts once it has lain still for ``STEADY_S``; a reading under ``READABLE`` is laid without a name and
asked for: a card misread is worse than a card not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from .cards import FULL_DECK, Card, Cards, Seat, look_alikes
from .facts import Fact, Gone, Seen, Untag
from .judge import Felt, Laid

STEADY_S = 0.3
"""Seconds that a card must have lain still before the camera's word makes it a play."""

READABLE = 0.5
"""Confidence below which a camera's reading names no card."""


NOTHING_ASKED: Mapping[int, tuple[Card, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Repeat:
    """Nothing new: it is *laid* once more, which is known to lie there, or to have been swept."""

    laid: Laid


@dataclass(frozen=True, slots=True)
class Agrees:
    """A tag, or a person, says what the camera said of *laid*: it is certain now."""

    laid: Laid


@dataclass(frozen=True, slots=True)
class Names:
    """The card that *laid* is, which could not be named or is in doubt, is *card*."""

    laid: Laid
    card: Card


@dataclass(frozen=True, slots=True)
class Moves:
    """The card that *laid* is lies at another seat than the camera said."""

    laid: Laid


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Two sources name different cards for the one that *laid* is."""

    laid: Laid
    card: Card


@dataclass(frozen=True, slots=True)
class NewPlay:
    """A card is laid, *instead* of one that was taken back, if any."""

    instead: Laid | None = None


Reading = Repeat | Agrees | Names | Moves | Conflicts | NewPlay


def coming(felt: Felt | None) -> tuple[Cards, Seat | None, Card | None]:
    """What the game knows of the cards to come, for who watches the table: those that may still come, whose turn it is,
    and the card that a hand must be opened with now. *felt* is None between hands."""
    return (FULL_DECK, None, None) if felt is None else (felt.deck & ~felt.seen, felt.turn, felt.opens)


def doubtful(fact: Fact) -> bool:
    """Whether a fact's card may be wrong: only a camera's."""
    return fact.by_camera or (isinstance(fact, Seen) and fact.source is None)


def unreadable(fact: Fact) -> bool:
    """Whether a camera's reading is too unsure to name a card."""
    return fact.confidence is not None and fact.confidence < READABLE and doubtful(fact)


def read(
    felt: Felt,
    fact: Fact,
    seat: Seat,
    card: Card,
    *,
    lifted: tuple[int, ...] = (),
    asked: Mapping[int, tuple[Card, ...]] = NOTHING_ASKED,
) -> Reading:
    """What the word of *fact* that *card* lies at *seat* means. *lifted* are the facts whose cards have left the felt,
    *asked* those whose cards are in doubt, with the cards that they may be."""
    certain, lying = not doubtful(fact), felt.lies(seat)
    guess = unreadable(fact) and seat == felt.turn and not any(laid.card == card for laid in felt.before_the_players)
    if card.bit & felt.seen and not guess:  # (A guess at a card that was swept is a guess at another one.)
        number, laid = next((number, laid) for number, laid in felt.places() if laid.card == card)
        lies = number >= felt.number - 1 and laid.n not in lifted
        if laid.seat == seat and (certain or lies or seat != felt.turn):
            return Agrees(laid) if certain and laid.doubtful else Repeat(laid)
        # (What a camera sees again after it was swept, at a seat in turn, is another card, misread now or then.)
        swept = next((t for t in felt.tricks if t.number == number), None)
        lately = number == felt.number - 1
        if swept is not None and swept.winner == seat and (certain or (lately and lifted)):
            return Repeat(laid)
        if not certain and laid.sure and laid.placed and (swept is None or (lately and seat != felt.turn)):
            return Repeat(laid)  # it is known where that card lies: the camera sees it beside its place
        if not certain and swept is None and lying is not None:
            return Repeat(laid)  # it was pushed over
        if certain and not laid.placed and (swept is None or felt.uppermost(laid.n)):
            return Moves(laid)
    if lying is None:
        back = _back_from_last_trick(felt, seat, card, lifted, watched=not certain)
        last = felt.tricks[-1].card_of(seat) if felt.tricks and not felt.trick else None
        if last is None:
            return NewPlay(instead=back)
        # While the trick is known to lie there, it is rather a second card of that seat in it. Else it may be the lead
        # of a seat in turn, or follow a lead that was missed: if it does not look like that seat's last card, for then
        # it is rather that one, seen better.
        second = not certain and _lies_still(felt.tricks[-1].cards, lifted)
        alike = last.card is not None and not last.sure and card in look_alikes(last.card)
        after = felt.turn is not None and seat == (felt.turn + 1) % felt.players
        next_one = seat == felt.turn or (after and not certain and not second and not alike)
        if last.card is None and not last.hole and not certain and not unreadable(fact):
            # It may be a better look at that card, which was asked about; or, once the trick is swept, the next card of
            # its seat. Where cards that leave are told, none of this trick has; before the first is, nobody knows.
            if any(laid.n in lifted for laid in felt.tricks[-1].cards):
                return NewPlay(instead=back)
            if card in asked.get(last.n, ()):
                return Names(last, card)
            if lifted or len(felt.tricks) == 1:
                return Conflicts(last, card)
        if back is not None or last.hole or next_one:
            return NewPlay(instead=back)
        if unreadable(fact):
            return Repeat(last)
        look = _another_look(felt, last, card, certain=certain, asked=asked)
        return look or (Conflicts(last, card) if second else NewPlay())
    if unreadable(fact):
        return Repeat(lying)
    if lying.hole and lying.card is None:
        return NewPlay()
    # While only one card of the trick is wanting, a second card is rather the next lead, and that one was missed: but
    # not before a camera, while the trick is known to lie there.
    nearly = len(felt.trick) == felt.players - 1 and (certain or not _lies_still(felt.trick, lifted))
    left_felt = sum(laid.n in lifted for laid in felt.trick)
    gone = left_felt > 1 and (nearly or left_felt == len(felt.trick))  # the trick is swept
    if gone:
        return NewPlay()
    if lying.n in lifted:
        return NewPlay(instead=lying)
    look = _another_look(felt, lying, card, certain=certain, asked=asked)
    if look is not None:
        return look
    return Conflicts(lying, card) if lying.sure != certain or not (certain or nearly) else NewPlay()


def _lies_still(trick: Sequence[Laid], lifted: tuple[int, ...]) -> bool:
    """Whether all cards of a trick are known to lie there: where cards that leave are told, none of it was."""
    return bool(lifted) and not any(laid.n in lifted for laid in trick)


def _another_look(
    felt: Felt, laid: Laid, card: Card, *, certain: bool, asked: Mapping[int, tuple[Card, ...]]
) -> Reading | None:
    """What a reading means that may be a second look at *laid*; None when it is not one."""
    if laid.card is None:
        if card.bit & felt.seen:
            return Repeat(laid)
        if certain and (laid in felt.trick or felt.uppermost(laid.n)):
            return Names(laid, card)
        if card in asked.get(laid.n, ()) and felt.uppermost(laid.n):
            return Names(laid, card)
        return Conflicts(laid, card) if laid in felt.trick else None
    if card not in look_alikes(laid.card) or (laid.sure and certain):
        return None
    if laid.sure:
        return Conflicts(laid, card)
    settled = laid.n in asked and (certain or felt.seen == laid.card.bit)
    return Names(laid, card) if settled else Conflicts(laid, card)


def _back_from_last_trick(felt: Felt, seat: Seat, card: Card, lifted: tuple[int, ...], *, watched: bool) -> Laid | None:
    """The card that *seat* took back from the trick just finished, for *card*, if it is that. Of the seat that has won
    it may be the sweep, unless the others' cards are told when they leave (those of all are if a camera has *watched*)
    and the new one follows: the winner's own card may leave first, and a card that does not follow is rather a lead."""
    if felt.trick or not felt.tricks or felt.leader is None:
        return None
    last = felt.tricks[-1].cards
    gone = [laid for laid in last if laid.n in lifted]
    if len(gone) != 1 or gone[0].seat != seat or gone[0].card is None:
        return None
    told = watched or any(laid.n in lifted and laid.seat != seat for _, laid in felt.places())
    led = felt.tricks[-1].led
    follows = led is not None and led.suit == card.suit
    return gone[0] if seat != felt.leader or (told and (watched or follows)) else None


def left(felt: Felt, fact: Gone | Untag, card: Card) -> Laid | None:
    """The card that has left: of the trick in progress, or of the last one until a card is led. A camera may have seen
    it pushed over to another seat. One that could not be read is meant by any name that lies nowhere else: the name was
    a guess."""
    there = [laid for laid in felt.before_the_players if laid.card == card]
    here = next((laid for laid in there if fact.seat in (None, laid.seat)), None)
    if here is not None or isinstance(fact, Untag):
        return here
    unread = [x for x in felt.before_the_players if x.card is None and not x.hole and fact.seat in (None, x.seat)]
    if len(unread) == 1:
        return unread[0]
    return next(iter(there), None)
