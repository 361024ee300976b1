"""What a correction has changed, in a sentence or two.

A fact that revises the past (a correction, an undo, an answer, a confirmation, another look of a reader or the camera)
is answered with every line that comes out differently. People want to hear two things first: what now stands in the
record, and what came of it. The first is the difference between the facts that counted before and those that count
now, so that it is found in one way whoever revised what, and an undone correction tells itself too. The second is the
gravest of the changed lines; whose turn it is stands on the display, and at the end of the answer, anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import facts as f
from ..cards import Card, Seat
from ..state import Item, Line
from ..table import UNDO, Entry, Table, effective
from .penalties import hand_in_words
from .words import Words, bid_in_words, in_context, in_words

_FALLEN = ("proved", "breach", "pending")
_PUT_RIGHT = f.Correct | f.Answer | f.Confirm


def told_in_words(table: Table, words: Words, *, turns: bool = True) -> Iterator[str]:
    """The sentences of the answer to the latest fact; *turns*: also whose turn it is."""
    told = ""
    for line in table.lines:
        if line.get("event") == "turn" and not turns:
            continue
        correction = " ".join(correction_in_words(table, words)) if line.get("event") == "rederived" else ""
        if line.get("event") == "rederived" and not correction and not _changed_earlier(table):
            continue
        told = correction or told
        text = correction or (
            hand_in_words(table, line, words)
            if line.get("event") == "hand"
            else in_words(in_context(line, table.state), words)
        )
        if text and (correction or text not in told):
            yield text


def correction_in_words(table: Table, words: Words) -> tuple[str, ...]:
    """What the latest fact has put right, or confirmed, and what came of it. Empty where it revises nothing, and where
    it tells itself what it is: a card laid or taken back."""
    entry = table.log[-1] if table.log else None
    if entry is None or not entry.revisions or not (entry.mute or isinstance(entry.fact, _PUT_RIGHT)):
        return ()
    n, what = _what(table, entry, words)
    what = what or words.say("The record is put right from there on.")
    return tuple(filter(None, (what, _outcome(table, n, words))))


def correction_tone(table: Table) -> str:
    """The tone in which the display says it."""
    rulings = {line.get("ruling") for line in _changed(table)}
    if rulings & {"proved", "breach"}:
        return "bad"
    return "warn" if "pending" in rulings else "good" if list(_fallen(table)) else "plain"


# --- what now stands ------------------------------------------------------------------------------------------------

_Play = tuple[Seat | None, Card | None]


def _what(table: Table, entry: Entry, words: Words) -> tuple[int, str]:
    """The first play that counts otherwise than before: the number of its fact, and what is so now."""
    say, fact = words.say, entry.fact
    before, after = _plays(effective(table.log[:-1])), _plays(effective(table.log))
    undone = isinstance(fact, f.Correct) and fact.drop and fact.reason == UNDO
    n = next((n for n in sorted({*before, *after}) if before.get(n) != after.get(n)), 0)
    old, new = before.get(n), after.get(n)
    if old is not None and new is None:
        gone = say("Undone: {name} plays {card}.") if undone else say("Corrected: {name} did not play {card}.")
        return n, _of_play(gone, old, words)
    if old is None and new is not None:
        return n, _of_play(say("Added: {name} played {card}."), new, words)
    if old is not None and new is not None and old[0] == new[0]:
        return n, _of_play(say("Corrected: {name} played {card}, not {was}."), new, words, was=old)
    if old is not None and new is not None:
        return n, _of_play(say("Corrected: {card} is {name}'s, not {other}'s."), new, words, was=old)
    if bid := _what_bid(table, words):
        return 0, bid
    if undone:
        return 0, say("Undone.")
    sure = min(revision.n for revision in entry.revisions)
    return sure, _of_play(say("Confirmed: {name} played {card}."), after[sure], words) if sure in after else ""


def _what_bid(table: Table, words: Words) -> str:
    """The first bid that counts otherwise than before, as it is now; empty when there is none."""
    say, (before, after) = words.say, (_bids(effective(log)) for log in (table.log[:-1], table.log))
    n = next((n for n in sorted({*before, *after}) if before.get(n) != after.get(n)), 0)
    old, new = before.get(n), after.get(n)
    was, bid = (
        bid_in_words({"bid": b.bid, "exchange": b.exchange}, words) if b is not None else "" for b in (old, new)
    )
    if old is not None and new is None:
        return say("Undone: {name} bids {bid}.").format(name=words.name(old.seat), bid=was)
    if old is not None and new is not None:
        return say("Corrected: {name} bids {bid}, not {was}.").format(name=words.name(new.seat), bid=bid, was=was)
    return ""


def _bids(items: list[Item]) -> dict[int, f.Bid]:
    return {item.n: item.fact for item in items if isinstance(item.fact, f.Bid)}


def _plays(items: list[Item]) -> dict[int, _Play]:
    """Who laid what, by the fact that says so; without what was taken back."""
    plays: dict[int, _Play] = {}
    for item in items:
        if isinstance(item.fact, f.Play | f.Seen | f.Tag) and not (item.mute or item.annulled or item.look):
            plays.setdefault(item.n, (item.fact.seat, None if item.unread else item.fact.card))
    return plays


def _of_play(text: str, play: _Play, words: Words, *, was: _Play = (None, None)) -> str:
    return text.format(
        name=words.name(play[0]),
        card=words.face(str(play[1])),
        was=words.face(str(was[1])),
        other=words.name(was[0]),
    )


# --- what came of it ------------------------------------------------------------------------------------------------


def _changed(table: Table) -> tuple[Line, ...]:
    """The lines that come out differently by the latest fact, and its own."""
    return tuple(line for line in table.lines if table.n in (line.get("by"), line.get("n")))


def _changed_earlier(table: Table) -> bool:
    """Whether anything that was told of earlier facts comes out differently."""
    return any(line.get("by") == table.n for line in table.lines)


def _fallen(table: Table) -> Iterator[Line]:
    """Offences, and doubts, that stand no longer."""
    for line in _changed(table):
        if line.get("ruling") == "void" and line["was"].get("ruling") in _FALLEN:
            yield line["was"]


def _outcome(table: Table, n: int, words: Words) -> str:
    """The gravest of what came out differently, else how the play of fact *n* is judged now; empty when that is nothing
    of weight."""
    say, changed = words.say, _changed(table)
    for grave in ("proved", "breach", "pending"):
        lines = [line for line in changed if line.get("ruling") == grave]
        if len(lines) > 1:
            return {
                "proved": say("That proves {count} offences."),
                "breach": say("That makes {count} plays illegal."),
                "pending": say("That leaves {count} plays in doubt."),
            }[grave].format(count=len(lines))
        if lines:
            return in_words(in_context(lines[0], table.state), words)
    fallen = list(_fallen(table))
    if len(fallen) > 1:
        return say("{count} accusations fall.").format(count=len(fallen))
    if fallen:
        name, trick = words.name(fallen[0]["seat"]), fallen[0].get("offence", fallen[0])["trick"]
        if trick is None:  # a bid, or cards that were passed
            return say("That is no longer held against {name}.").format(name=name)
        return say("Nothing is held against {name} in trick {trick} any more.").format(name=name, trick=trick)
    for line in changed:
        if line.get("event") == "hand":
            return hand_in_words(table, line, words)
    for line in changed:
        if line.get("event") == "trick":
            return say("Trick {trick} is {name}'s.").format(trick=line["trick"], name=words.name(line["winner"]))
        if line.get("event") == "void" and line["was"]["event"] == "trick":
            return say("Trick {trick} is open again.").format(trick=line["was"]["trick"])
    own = next((line for line in changed if line.get("n") == n and line.get("ruling") in ("legal", "unproven")), None)
    if own is None:
        return ""
    if own["ruling"] == "unproven" and own["rules"][0] == "follow-suit":
        return say("Legal only without {suit} in hand.").format(suit=words.suit(own.get("led")))
    return say("It is legal.") if own["ruling"] == "legal" else in_words(own, words)
