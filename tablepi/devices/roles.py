"""What a card that a reader reads means, which is a matter of where the reader lies: a pure translation, tag by tag.

==========  ======================================================================================================
play        before a seat: the card is laid (``Tag``), or has left (``Untag``)
hand        beside a seat: each card that is drawn over it is in that hand (``Holds``)
pass        beside a seat: the cards that it passes, told together once there are as many as it is to pass (``Pass``)
pile        under the swept tricks: the card lies no longer on the felt (``Gone``)
command     only for cards that command, which any other reader takes as well
==========  ======================================================================================================

A tag that no card is known for becomes a ``Tag`` with its UID alone, whatever the reader means: the table says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from ..cards import Card, Seat
from ..facts import Gone, Holds, Pass, Tag, Untag
from ..views.screen import Action, Command

Means = Literal["play", "hand", "pass", "pile", "command"]
MEANS: tuple[Means, ...] = get_args(Means)

NO_COMMANDS: Mapping[str, str] = MappingProxyType({})


class Pad:
    """The place before one seat, where it has several antennas or readers: which of them has which tag."""

    def __init__(self) -> None:
        self._lying: set[tuple[str, object]] = set()  # each change and look is one step: readers are threads

    def laid(self, uid: str, on: object) -> bool:
        """Note that *uid* lies on one antenna; True when it lay on no other."""
        alone = all(other != uid for other, _ in self._lying.copy())
        self._lying.add((uid, on))
        return alone

    def left(self, uid: str, on: object) -> bool:
        """Note that *uid* has left one antenna; True when it lies on no other."""
        self._lying.discard((uid, on))
        return all(other != uid for other, _ in self._lying.copy())


class Role:
    """What one reader, or one antenna of it, means: facts and commands from the tags that are laid and leave.

    *name* is the reader's, *seat* None where nobody has it to himself. *cards* says which card a UID is in, *commands*
    what the cards that command ask for. *pad* is common to all that lie before one seat: a card that one of them has no
    more and another one has still did not leave. Give it only to readers that tell when a tag leaves.
    """

    def __init__(
        self,
        name: str,
        *,
        cards: Mapping[str, Card],
        commands: Mapping[str, str] = NO_COMMANDS,
        seat: Seat | None = None,
        means: Means = "play",
        pad: Pad | None = None,
    ) -> None:
        self.name = name
        self.seat = seat
        self.means = means
        self.passing: tuple[int, int] | None = None
        """The number of the hand for which this seat is to pass cards now, and how many; set by who knows the table."""
        self._cards = cards
        self._commands = commands
        self._pad = pad
        self._given: tuple[int, tuple[Card, ...]] = (0, ())  # for which hand, and the cards so far

    def laid(self, uid: str) -> tuple[Action, ...]:
        """What it means that a tag is laid."""
        command = self._commands.get(uid)
        if command is not None:
            if self._pad is not None and not self._pad.laid(uid, self):
                return ()  # it was asked for already
            return (Command(command, "" if self.seat is None else str(self.seat)),)
        card = self._cards.get(uid)
        if card is None:
            return (Tag(seat=self.seat, uid=uid, source=self.name),)
        match self.means:
            case "play":
                if self._pad is not None:
                    self._pad.laid(uid, self)
                return (Tag(seat=self.seat, card=card, uid=uid, source=self.name),)
            case "hand" if self.seat is not None:
                return (Holds(seat=self.seat, cards=(card,), source=self.name),)
            case "pass" if self.seat is not None:
                return self._passes(self.seat, card)
            case "pile":
                return (Gone(card=card, source=self.name),)
            case _:
                return ()

    def left(self, uid: str) -> tuple[Action, ...]:
        """What it means that a tag has left."""
        if self._pad is not None and not self._pad.left(uid, self):
            return ()
        if self.means != "play" or uid in self._commands:
            return ()
        return (Untag(seat=self.seat, card=self._cards.get(uid), uid=uid, source=self.name),)

    def is_known(self, uid: str) -> bool:
        """Whether it is a tag of this table."""
        return uid in self._cards or uid in self._commands

    def _passes(self, seat: Seat, card: Card) -> tuple[Action, ...]:
        """Cards that are passed are drawn over the reader one by one, so one that has left is still passed."""
        if self.passing is None:
            return ()
        hand, number = self.passing
        given = self._given[1] if self._given[0] == hand else ()
        given = (*(other for other in given if other != card), card)
        if len(given) < number:
            self._given = hand, given
            return ()
        self._given = hand, ()
        return (Pass(seat=seat, cards=given, source=self.name),)
