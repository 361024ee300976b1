"""From sensor facts to plays: what a reading means, given what lies on the felt.

Readers and cameras say what they see again and again, and they see the same card both. A reading is therefore compared
with the cards that lie there:

* the same card of the same seat is a repeat; from a tag it makes a camera's reading certain (the sources **agree**);
* another card of a seat whose card has left its place takes that one back (**instead**); in a finished trick only if
  no other card of it has left, since tricks are swept;
* a tag and a camera that name different cards for one seat **conflict**: the table asks, and never guesses;
* a card that a winner sweeps over the reader with the trick is no play;
* anything else is a new play, and the judge says what it is worth.

A camera's card counts once it has lain still for ``STEADY_S``; a reading under ``READABLE`` is laid without a name and
asked for: a card misread is worse than a card not read.
"""

from __future__ import annotations

from dataclasses import dataclass

from .cards import Card, Seat
from .facts import Fact, Seen, Tag
from .judge import Felt, Laid

STEADY_S = 0.3
"""Seconds that a card must have lain still before the camera's word makes it a play."""

READABLE = 0.5
"""Confidence below which a camera's reading names no card."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Nothing new: the card is known to lie there, or to have been swept."""


@dataclass(frozen=True, slots=True)
class Agrees:
    """A tag, or a person, says what the camera said of *laid*: it is certain now."""

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


Reading = Repeat | Agrees | Conflicts | NewPlay


def doubtful(fact: Fact) -> bool:
    """Whether a fact's card may be wrong: only a camera's."""
    return fact.by_camera or (isinstance(fact, Seen) and fact.source is None)


def read(felt: Felt, fact: Seen | Tag, seat: Seat, card: Card, *, lifted: tuple[int, ...]) -> Reading:
    """What a sensor's word that *card* lies at *seat* means; *lifted* are the facts whose cards have left the felt."""
    certain = not doubtful(fact)
    for number, laid in felt.places() if card.bit & felt.seen else ():
        if laid.card != card:
            continue
        if laid.seat == seat:
            if number < felt.number - 1 and seat == felt.turn and not certain:
                break  # long swept away: what lies there now, in its turn, is another card, misread now or then
            return Agrees(laid) if certain and not laid.sure else Repeat()
        swept = next((t for t in felt.tricks if t.number == number), None)
        if certain and swept is not None and swept.winner == seat:
            return Repeat()
    lying = felt.lies(seat)
    if lying is None or lying.card is None:
        return NewPlay(instead=_back_from_last_trick(felt, seat, lifted))
    if lying.n in lifted:
        return NewPlay(instead=lying)
    if lying.sure != certain:
        return Conflicts(lying, card)
    return NewPlay()


def _back_from_last_trick(felt: Felt, seat: Seat, lifted: tuple[int, ...]) -> Laid | None:
    """The card that *seat* took back from the trick just finished, if it is that."""
    if felt.trick or not felt.tricks or seat == felt.leader:
        return None
    gone = [laid for laid in felt.tricks[-1].cards if laid.n in lifted]
    return gone[0] if len(gone) == 1 and gone[0].seat == seat and gone[0].card is not None else None


def left(felt: Felt, seat: Seat | None, card: Card) -> Laid | None:
    """The card that a ``gone`` or ``untag`` means: of the trick in progress, or of the last one until a card is led."""
    lying = felt.trick or (felt.tricks[-1].cards if felt.tricks else ())
    return next((laid for laid in lying if laid.card == card and seat in (None, laid.seat)), None)
