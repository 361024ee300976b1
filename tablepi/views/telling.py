"""What is told of a hand while it is played.

The latest play is always told. A ruling that people must not miss (a proof, a breach, a card in doubt) outlives it: it
stays on the screen until the next trick begins, or until it holds no longer (the card is taken back, the doubt is
cleared). Each is told once, the latest first; of those that one card has brought, its own breach first, because it can
still be put right, then proofs, older breaches and doubts. The lamps keep the same time (``lamps.shown_since``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .. import facts as f
from ..judge import SOMEONE, Finding
from ..state import Deal, Line, State
from ..table import Table
from .agreements import agreed_in_words
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

_ASKED_ABOUT = ("too-many-cards", "duplicate")  # instead of being taken back


@dataclass(frozen=True, slots=True)
class Told:
    """The ruling that matters most, *others* that stand besides, each with its *tone*, and *last*, what came last where
    the rulings tell of something else."""

    ruling: str
    tone: str
    last: str
    others: tuple[tuple[str, str], ...] = ()


def told(table: Table, desk: Desk, words: Words) -> Told:
    """What is told beside the table."""
    state, deal = table.state, table.state.deal
    if state.match is None:
        names = words.shown(desk.setup.players)
        players = ", ".join(f"{words.place(seat, len(names))} {name}" for seat, name in enumerate(names))
        seats = words.say("Seats, clockwise: {players}.").format(players=players)
        return Told(agreed_in_words(state, desk, words), "plain", seats)
    if state.result is not None or (deal is not None and deal.phase == "over"):
        return Told("", "plain", "")  # the scores tell everything
    parts, tone = _latest(table, words)
    latest = " ".join(parts)
    out = removed_in_words(removed(state), words)
    if deal is None:
        return Told(latest, tone, out)
    if deal.phase == "passing":
        count = state.game.pass_count if state.game is not None else 0
        text = words.say("{count} cards each. Touch a player who passes another number.")
        return Told(latest, tone, f"{text.format(count=count)} {out}".strip())
    if deal.phase == "bidding":
        if giver(state) is not None:
            text = words.say("Face down: first whoever has bid blind nil, then the partner gives back.")
            return Told(latest, tone, text)
        return Told(latest, tone, words.say("Touch a player to enter that bid, or to put it right."))
    standing = _standing(table, deal, words)
    if not standing and tone == "bad" and isinstance(table.log[-1].fact, f.Bid):
        advice = words.say("To put the bid right: {menu}, {entry}.")
        return Told(latest, tone, advice.format(menu=words.say("Menu"), entry=words.say("A bid of any player")))
    if not standing:
        return Told(latest, tone, out if not any(deal.felt.places()) else _pause(deal, state, words))
    if any(ruling.at == table.n for ruling in standing) and correction_in_words(table, words):
        parts = parts[:1]  # what came of it is told already
    done = next((ruling for ruling in standing if _may_go_back(ruling.finding, deal)), None)
    advice = words.say("Take it back, or play on: then it stands.")
    rulings = tuple(
        (f"{ruling.text} {advice}" if ruling is done else ruling.text, ruling.tone) for ruling in standing[:_MOST_TOLD]
    )
    said = {text for ruling in standing for text in ruling.said}
    return Told(*rulings[0], " ".join(part for part in parts if part not in said), rulings[1:])


def _may_go_back(finding: Finding, deal: Deal) -> bool:
    """Whether it is about a card that can simply be taken back."""
    breach = finding.how == "breach" and finding.rule not in _ASKED_ABOUT
    return breach and finding in deal.settled and deal.felt.uppermost(finding.n)


@dataclass(frozen=True, slots=True)
class _Ruling:
    """A *finding*, with those of the same *kind* that the same card has brought: all that is *said* of them, in one
    *text*. *at* is the fact that told of it."""

    finding: Finding
    kind: tuple[object, ...]
    text: str
    said: tuple[str, ...]
    tone: str
    at: int


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


def _standing(table: Table, deal: Deal, words: Words) -> list[_Ruling]:
    """The findings of the trick before the players' eyes that still hold, the latest first, none twice."""
    felt = deal.felt
    since = shown_since(felt)

    def urgency(found: tuple[Finding, Line]) -> tuple[int, int, int]:
        finding, line = found
        if finding not in deal.settled:
            return -_at(line), 3, finding.n
        if finding.how != "breach":
            return -_at(line), 1, finding.n
        return -_at(line), 0 if felt.uppermost(finding.n) else 2, -finding.n

    fresh = [x for x in (*deal.settled, *deal.pending) if (x.n if x.how == "breach" else x.at) >= since]
    lines = ((x, _line_about(table, x, "pending" if x not in deal.settled else x.how)) for x in fresh)
    told: list[_Ruling] = []
    for finding, line in sorted(((x, line) for x, line in lines if line is not None), key=urgency):
        line = in_context(line, table.state)
        text, kind = in_words(line, words), _kind(finding, line)
        if any(text in ruling.said for ruling in told):
            continue
        same = next((i for i, ruling in enumerate(told) if ruling.kind == kind), None)
        if same is None or words.veiled or finding.how not in ("shown", "counted"):
            told.append(_Ruling(finding, kind, text, (text,), _TONES[line["ruling"]], _at(line)))
        else:
            more = words.say("The same in trick {trick}.").format(trick=finding.trick)
            told[same] = replace(told[same], text=f"{told[same].text} {more}", said=(*told[same].said, text))
    return told


def _at(line: Line) -> int:
    """The fact that told it."""
    return int(line.get("by", line["n"]))


def _kind(finding: Finding, line: Line) -> tuple[object, ...]:
    """What two findings have in common that one card has proved of the same rule: of their sentences all but trick and
    card."""
    suit = str(line.get("led", ""))[-1:]
    return line["ruling"], finding.how, finding.seat, finding.rule, finding.shown, finding.at, suit


def _line_about(table: Table, finding: Finding, how: str) -> Line | None:
    """The line that told of a finding."""
    for line in _lines_backwards(table):
        match line.get("ruling"):
            case "breach" if how == "breach" and line["n"] == finding.n and finding.rule in line["rules"]:
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


def _latest(table: Table, words: Words) -> tuple[tuple[str, ...], str]:
    """The most telling ruling of the latest fact that has one, in words with its tone, and after it what came of it."""
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
            parts = (in_words(in_context(x, table.state), words) for x in (line, *events))
            return tuple(filter(None, parts)), _TONES[line["ruling"]]
        if isinstance(entry.fact, f.Hand | f.Misdeal | f.Passed | f.Exchanged):
            return tuple(in_words(e, words) for e in entry.lines if e.get("event") == "misdeal"), "plain"
        away = next((line for line in entry.lines if line.get("event") in ("timeout", "leave")), None)
        if away is not None:
            return (in_words(in_context(away, table.state), words),), "warn"
    return (), "plain"
