"""How long the table takes over one fact, and how many hands it replays in a second, with OpenSpiel for scale."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter, thread_time

from tablepi import presets
from tablepi.facts import Fact, from_dict
from tablepi.table import empty, fold, step

from ..core.honest import HonestHand, Laying, look_alike, play_hand
from .tables import Results

SEED = 7
HANDS = 60
NAMES = ["Rita", "Ada", "Bo", "Cleo"]
Reading = Callable[[Laying], list[dict[str, object]]]


def _tag(laying: Laying) -> dict[str, object]:
    return {"fact": "tag", "seat": laying.seat, "card": laying.card, "source": f"reader-{laying.seat}"}


def _seen(laying: Laying) -> dict[str, object]:
    where = {"seat": laying.seat, "card": laying.card, "source": "camera"}
    return {"fact": "seen", **where, "confidence": 0.97, "steady": 0.4}


WATCHED: dict[str, Reading] = {
    "readers": lambda laying: [_tag(laying)],
    "camera": lambda laying: [_seen(laying)],
    "both": lambda laying: [_seen(laying), _tag(laying)],
}


def _facts(hand: HonestHand, reading: Reading, *, misread: int | None = None) -> list[Fact]:
    begun: list[dict[str, object]] = [
        {"fact": "match", "rules": "hearts-cardems", "players": NAMES},
        {"fact": "hand", "dealer": 0},
        {"fact": "passed"},
    ]
    laid: list[dict[str, object]] = []
    for number, laying in enumerate(hand.laid):
        facts = reading(laying)
        if number == misread:
            facts = [{**fact, "card": look_alike(laying.card)} for fact in facts]
        laid += facts
    return [from_dict(line) for line in begun + laid]


def fold_one_fact() -> Results:
    """Microseconds for one fact of a four-handed game."""
    rulebook, random = presets.rulebook(), Random(SEED)
    hands = [play_hand(random) for _ in range(HANDS)]
    rows = []
    for name, reading in WATCHED.items():
        rows.append(_timed(name, [_facts(hand, reading) for hand in hands], rulebook))
    misread = [_facts(hand, WATCHED["camera"], misread=random.randrange(52)) for hand in hands[:10]]
    rows.append(_timed("camera, one card misread", misread, rulebook))
    title = f"one fact, 4 players, {HANDS} hands (microseconds of processor time)"
    return Results(title, ("sources", "facts", "median", "p99", "most"), tuple(rows))


def _timed(name: str, games: list[list[Fact]], rulebook: presets.Rulebook) -> tuple[str, ...]:
    took = []
    for facts in games:
        table = empty(rulebook)
        for fact in facts:
            start = thread_time()  # the thread's own time: what others do on this machine is not the table's
            table = step(table, fact)
            took.append((thread_time() - start) * 1e6)
    took.sort()
    p99 = took[int(len(took) * 0.99)]
    return (name, str(len(took)), f"{median(took):.0f}", f"{p99:.0f}", f"{took[-1]:.0f}")


def replay_hands() -> Results:
    """Hands in a second: the table's replay, and OpenSpiel driven from Python through the same plays."""
    rulebook, random = presets.rulebook(), Random(SEED)
    hands = [play_hand(random) for _ in range(HANDS)]
    rows = []
    for name, reading in WATCHED.items():
        games = [_facts(hand, reading) for hand in hands]
        start = perf_counter()
        for facts in games:
            fold(empty(rulebook), enumerate(facts, 1))
        rows.append((f"tablepi, {name}", f"{HANDS / (perf_counter() - start):.0f}"))
    rows.append(("OpenSpiel from Python", _openspiel(hands)))
    return Results(f"replay, 4 players, {HANDS} hands", ("engine", "hands a second"), tuple(rows))


def _openspiel(hands: list[HonestHand]) -> str:
    try:
        import pyspiel
    except ImportError:
        return "not installed"
    game = pyspiel.load_game("hearts(qs_breaks_hearts=false)")
    number = {rank + suit: r * 4 + s for r, rank in enumerate("23456789TJQKA") for s, suit in enumerate("CDHS")}
    start = perf_counter()
    for hand in hands:
        state = game.new_initial_state()
        state.apply_action(0)  # no passing
        for place in range(52):
            state.apply_action(number[hand.hands[place % 4][place // 4]])
        for laying in hand.laid:
            state.legal_actions()
            state.apply_action(number[laying.card])
        state.returns()
    return f"{len(hands) / (perf_counter() - start):.0f}"
