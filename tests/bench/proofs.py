"""How early an offence is proved, and whether anybody innocent is accused: one offence a hand, in every rule set.

The simulator (``core/honest.py``, which shares no code with the referee): hands are dealt at random, everybody plays a
random legal card, and one player breaks a rule once, at the first chance from a random card of the first three quarters
of the hand on. He does not follow suit, lays points on the first trick, or leads the suit that is not broken, whatever
that chance is; most often he does not follow. After a *slip* he plays on at random like the others. One who *hides* it
keeps back the cards that would show it while he has others, and breaks rules again to do so. The referee is told that
three cards were passed from each seat (in Spades the bids), and each card as a reader tells it.

*Shown* is the card that the offender denied and lays himself in the end. *Earlier* counts the plays between the card at
which the referee names him and that one. *Accused* is a seat in a ruling ``breach`` or ``proved``, in the audit, or all
seats of a ``someone`` that leaves the offender out.

With a camera, one card of the hand is misread: as its look-alike (the same rank, the other suit of its colour), against
which the referee promises to accuse nobody innocent, or as any other card. Nobody answers what the table asks. That is
done with hands in which everybody is honest, too.

The random numbers begin with ``SEED``. A long run: ``python -m tests.bench.proofs --hands 1000``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random

from tablepi import presets
from tablepi.facts import from_dict
from tablepi.state import Line, Lines
from tablepi.table import empty, step

from ..core.honest import DECK, RULES, HonestHand, Rules, erring_hand, look_alike, play_hand
from .tables import Results, print_table

SEED = 7
RULEBOOK = presets.rulebook()
# Omnibus and spot Hearts are played as Black Maria is.
TABLES = [rules for rules in RULES.values() if rules.name not in ("hearts-omnibus", "hearts-spot")]


@dataclass(frozen=True)
class Outcome:
    """What the referee made of one hand: the laying at which it named the offender, if it did; that at which it first
    said that somebody had broken a rule; and the innocent whom it accused."""

    named: int | None
    noticed: int | None
    innocent: frozenset[int]


def refereed(hand: HonestHand, facts: list[dict[str, object]], *, dealt_known: bool = False) -> Outcome:
    """*hand* as the referee sees it: one of *facts* for each card, and (*dealt_known*) the hands before the pass."""
    offender = hand.laid[hand.offences[0]].seat if hand.offences else None
    table = empty(RULEBOOK)
    for line in hand.before_play():
        if dealt_known and line["fact"] == "hand":
            line = {**line, "hands": {str(seat): " ".join(cards) for seat, cards in enumerate(hand.dealt)}}
        table = step(table, from_dict(line))
    named = noticed = None
    innocent: set[int] = set()
    for number, line in enumerate(facts):
        table = step(table, from_dict(line))
        for seats in accused(table.lines):
            noticed = number if noticed is None else noticed
            named = number if named is None and seats == {offender} else named
            innocent |= seats if offender not in seats else set()
    return Outcome(named, noticed, frozenset(innocent))


def accused(lines: Lines) -> Iterator[set[int]]:
    """The seats of each accusation: one of them has broken a rule."""
    for line in lines:
        match line.get("ruling"):
            case "breach" | "proved" | "someone":
                yield _who(line)
            case "confirmed":
                yield from map(_who, line["offences"])


def _who(line: Line) -> set[int]:
    return set(line["seats"]) if "seats" in line else {line["seat"]}


def by_reader(hand: HonestHand) -> list[dict[str, object]]:
    return [{"fact": "tag", "seat": c.seat, "card": c.card, "source": f"reader-{c.seat}"} for c in hand.laid]


def by_camera(hand: HonestHand, misread: int, as_card: str) -> list[dict[str, object]]:
    facts = []
    for number, laying in enumerate(hand.laid):
        card = as_card if number == misread else laying.card
        seen = {"fact": "seen", "seat": laying.seat, "card": card, "source": "camera"}
        facts.append({**seen, "confidence": 0.97, "steady": 0.4})
    return facts


def earlier_than_shown(hands: int = 40) -> Results:
    """How much earlier than the card that shows an offence the referee names the offender."""
    rows = []
    for rules in TABLES:
        for hides in (False, True):
            random = Random(f"{SEED} {rules.name} {rules.players} {hides}")
            rows.append(
                _row_of_proofs(rules, hides, [erring_hand(random, rules, rule=None, hides=hides) for _ in range(hands)])
            )
    columns = ("rules, players, offender", "named", "mean", "most", "at once", "someone first", "innocent accused")
    title = f"plays by which an offender is named earlier than his card shows it, {hands} hands each, cards by readers"
    return Results(title, columns, tuple(rows))


def _row_of_proofs(rules: Rules, hides: bool, hands: list[HonestHand]) -> tuple[str, ...]:
    earlier, at_once, someone, innocent = [], 0, 0, 0
    for hand in hands:
        outcome = refereed(hand, by_reader(hand))
        if outcome.named is not None and hand.shown is not None:
            earlier.append(hand.shown - outcome.named)
            at_once += outcome.named == hand.offences[0]
            someone += outcome.noticed != outcome.named
        innocent += bool(outcome.innocent)
    mean = f"{sum(earlier) / len(earlier):.2f}" if earlier else "–"
    shares = (f"{100 * count / len(hands):.0f} %" for count in (at_once, someone))
    who = f"{rules.name}, {rules.players}, {'hides it' if hides else 'slips'}"
    return (who, str(len(earlier)), mean, str(max(earlier, default=0)), *shares, str(innocent))


def named_at_once(hands: int = 40) -> Results:
    """How many offences are named with the very card, after a pass that nobody saw: with hands that nobody knows, and
    with hands that are known as they were dealt."""
    rows = []
    for rules in (rules for rules in TABLES if rules.cycle):
        random = Random(f"{SEED} {rules.name} {rules.players}")
        erring = [
            erring_hand(random, rules, rule=None, hides=bool(number % 2), direction="left") for number in range(hands)
        ]
        shares = []
        for known in (False, True):
            outcomes = [refereed(hand, by_reader(hand), dealt_known=known) for hand in erring]
            at_once = sum(o.named == hand.offences[0] for o, hand in zip(outcomes, erring, strict=True))
            innocent = sum(bool(o.innocent) for o in outcomes)
            shares += [f"{100 * at_once / hands:.0f} %", str(innocent)]
        rows.append((f"{rules.name}, {rules.players}", *shares))
    columns = ("rules, players", "hands unknown", "innocent accused", "known as dealt", "innocent accused")
    title = f"offences named with the card that commits them, after a hidden pass, {hands} hands each, cards by readers"
    return Results(title, columns, tuple(rows))


def one_card_misread(hands: int = 5) -> Results:
    """Whom the referee accuses when a camera misreads one card of a hand, with an offence and without."""
    rows = []
    for rules in TABLES:
        random = Random(f"{SEED} {rules.name} {rules.players}")
        erring = [erring_hand(random, rules, rule=None, hides=bool(number % 2)) for number in range(hands)]
        honest = [play_hand(random, rules) for _ in range(hands)]
        for as_what, as_card in (("its look-alike", look_alike), ("another", partial(_any_other, random))):
            without, offence = ([_misread(random, hand, as_card) for hand in some] for some in (honest, erring))
            innocent = (sum(bool(o.innocent) for o in outcomes) for outcomes in (without, offence))
            named = sum(o.named is not None for o in offence)
            rows.append((f"{rules.name}, {rules.players}, as {as_what}", *map(str, (*innocent, named))))
    columns = ("rules, players, read", "innocent accused, no offence", "innocent accused, with one", "offender named")
    title = f"one card misread by a camera, {hands} hands each without and with an offence, no question answered"
    return Results(title, columns, tuple(rows))


def _misread(random: Random, hand: HonestHand, as_card: Callable[[str], str]) -> Outcome:
    misread = random.randrange(len(hand.laid))
    return refereed(hand, by_camera(hand, misread, as_card(hand.laid[misread].card)))


def _any_other(random: Random, card: str) -> str:
    return random.choice([c for c in DECK if c not in (card, look_alike(card))])


def main() -> None:
    parser = argparse.ArgumentParser(description="How early offences are proved, and whom the referee accuses.")
    parser.add_argument("--hands", type=int, default=1000, help="hands for each rule set and number of players")
    hands = parser.parse_args().hands
    print_table(earlier_than_shown(hands))
    print_table(named_at_once(hands))
    print_table(one_card_misread(hands))


if __name__ == "__main__":
    main()
