"""What is told of a hand while it is played.

The latest play is always told. A ruling that people must not miss (a proof, a breach, a card in doubt) outlives it: it
stays on the screen until the next trick begins, or until it holds no longer (the card is taken back, the doubt is
cleared). The breach of the uppermost card comes first, because it can still be put right; then proofs, older breaches
and doubts. The lamps keep the same time (``lamps.shown_since``).
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import facts as f
from ..judge import SOMEONE, Finding
from ..state import Deal, Line, State
from ..table import Table
from .corrections import correction_in_words, correction_tone
from .customs import pause, removed
from .desk import Desk, giver
from .lamps import shown_since
from .words import Words, in_context, in_words, removed_in_words

_TONES = {
    "legal": "plain",
    "unproven": "plain",
    "ignored": "warn",
    "withdrawn": "plain",
    "cleared": "good",
    "pending": "warn",
    "someone": "bad",
    "breach": "bad",
    "proved": "bad",
}

_MOST_TOLD = 3  # rulings told at once


def told(table: Table, desk: Desk, words: Words) -> tuple[str, str, str]:
    """The ruling with its tone, and the latest play where the ruling is about another."""
    state, deal = table.state, table.state.deal
    if state.match is None:
        names = words.shown(desk.setup.players)
        players = ", ".join(f"{words.place(seat, len(names))} {name}" for seat, name in enumerate(names))
        return "", "plain", words.say("Seats, clockwise: {players}.").format(players=players)
    if deal is not None and deal.phase == "over":
        return "", "plain", ""  # the scores tell everything
    latest, tone = _latest(table, words)
    out = removed_in_words(removed(state), words)
    if deal is None:
        return latest, tone, out
    if deal.phase == "passing":
        count = state.game.pass_count if state.game is not None else 0
        text = words.say("{count} cards each. Touch a player who passes another number.")
        return latest, tone, f"{text.format(count=count)} {out}".strip()
    if deal.phase == "bidding":
        if giver(state) is not None:
            text = words.say("Face down: first whoever has bid blind nil, then the partner gives back.")
            return latest, tone, text
        return latest, tone, words.say("Touch a player to enter that bid, or to put it right.")
    standing = _standing(table, deal, words)
    if not standing:
        return latest, tone, out if not any(deal.felt.places()) else _pause(deal, state, words)
    text = " ".join(told for _, told, _ in standing[:_MOST_TOLD])
    own = any(n == table.n for _, _, n in standing)
    if own and (put_right := correction_in_words(table, words, outcome=False)):
        latest, own = put_right, False  # what came of it is told already
    first = standing[0][0]
    bad = first in deal.settled
    if bad and deal.felt.uppermost(first.n) and first.rule not in ("too-many-cards", "duplicate"):
        text += " " + words.say("Take it back, or play on: then it stands.")
    return text, "bad" if bad else "warn", "" if own or latest in text else latest


def _pause(deal: Deal, state: State, words: Words) -> str:
    """How long a finished trick is to be looked at, where the rules say so; it lies there until the next is led."""
    wait = pause(state.game, "trick")
    if not wait or deal.felt.trick or not deal.felt.tricks:
        return ""
    return words.say("{seconds} seconds until the next trick.").format(seconds=f"{wait:g}")


def veils(table: Table, desk: Desk, words: Words) -> bool:
    """Whether a ruling that is told leaves out the earlier cards that it is about, and nobody has asked for them."""
    deal = table.state.deal
    if not words.veiled or deal is None or desk.open:
        return False
    if deal.phase == "over":
        return bool(deal.settled or deal.pending)
    since = shown_since(deal.felt)
    return any(finding.n < since <= finding.at for finding in (*deal.settled, *deal.pending))


def _standing(table: Table, deal: Deal, words: Words) -> list[tuple[Finding, str, int]]:
    """The findings of the trick before the players' eyes that still hold, the most urgent first: in words, with the
    fact that told them."""
    felt = deal.felt
    since = shown_since(felt)

    def urgency(finding: Finding) -> tuple[int, int]:
        if finding not in deal.settled:
            return 3, finding.n
        if finding.how != "breach":
            return 1, finding.n
        return (0 if felt.uppermost(finding.n) else 2), -finding.n

    fresh = [x for x in (*deal.settled, *deal.pending) if (x.n if x.how == "breach" else x.at) >= since]
    told: list[tuple[Finding, str, int]] = []
    for finding in sorted(fresh, key=urgency):
        line = _line_about(table, finding, "pending" if finding not in deal.settled else finding.how)
        if line is None:
            continue
        text, before = in_words(line, words), told[-1][0] if told else None
        if before is not None and finding.shown is not None and _alike(before, finding):
            if words.veiled:
                continue
            text = words.say("The same in trick {trick}.").format(trick=finding.trick)
        told.append((finding, text, int(line.get("by", line["n"]))))
    return told


def _alike(one: Finding, other: Finding) -> bool:
    """Whether one card has proved both, of the same rule."""
    return (one.seat, one.rule, one.shown, one.at) == (other.seat, other.rule, other.shown, other.at)


def _line_about(table: Table, finding: Finding, how: str) -> Line | None:
    """The line that told of a finding."""
    for line in _lines_backwards(table):
        match line.get("ruling"):
            case "breach" if how == "breach" and (line["n"], line["rules"][:1]) == (finding.n, [finding.rule]):
                return line
            case "someone" if how == SOMEONE and line["n"] == finding.n:
                return line
            case "proved" if how not in ("breach", "pending") and _names(line, finding):
                return line
            case "pending" if how == "pending" and _names(line, finding):
                return line
    return None


def _names(line: Line, finding: Finding) -> bool:
    return (line["offence"]["n"], line["offence"]["rule"]) == (finding.n, finding.rule)


def _lines_backwards(table: Table) -> Iterator[Line]:
    yield from table.lines
    for entry in reversed(table.log):
        yield from entry.lines


def _latest(table: Table, words: Words) -> tuple[str, str]:
    """The most telling ruling of the latest fact that has one, in words with its tone, and what came of it."""
    weight = ("proved", "breach", "someone", "pending", "cleared", "withdrawn", "ignored", "unproven", "legal")
    for entry in reversed(table.log[-12:]):
        latest = entry.n == table.n
        if latest and (put_right := correction_in_words(table, words)):
            return put_right, correction_tone(table)
        told = entry.lines + (table.lines if latest else ())
        # An unknown tag has a place of its own, among the alerts.
        lines = [line for line in told if line.get("ruling") in weight and line.get("reason") != "unknown-tag"]
        if lines:
            line = min(lines, key=lambda told: weight.index(told["ruling"]))
            events = [e for e in entry.lines if e.get("event") in ("hearts-broken", "spades-broken", "trick")]
            return " ".join(filter(None, (in_words(x, words) for x in (line, *events)))), _TONES[line["ruling"]]
        if isinstance(entry.fact, f.Hand | f.Misdeal | f.Passed | f.Exchanged):
            return next((in_words(e, words) for e in entry.lines if e.get("event") == "misdeal"), ""), "plain"
        away = next((line for line in entry.lines if line.get("event") in ("timeout", "leave")), None)
        if away is not None:
            return in_words(in_context(away, table.state), words), "warn"
    return "", "plain"
