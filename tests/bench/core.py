"""How long the table takes over one fact, and how many hands it replays and checks in a second; with OpenSpiel and a
plain-Python engine of the package index for scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from io import StringIO
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any

from tablepi import presets
from tablepi.commands.log import check
from tablepi.facts import EndMatch, Fact, Match, from_dict
from tablepi.journal import Journal
from tablepi.table import empty, fold, step

from ..core.honest import CARDEMS, NAMES, RULES, HonestHand, Laying, look_alike, play_hand
from .tables import Results

SEED = 7
HANDS = 60
LOGGED_HANDS = 400
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
    laid: list[dict[str, object]] = []
    for number, laying in enumerate(hand.laid):
        facts = reading(laying)
        if number == misread:
            facts = [{**fact, "card": look_alike(laying.card)} for fact in facts]
        laid += facts
    return [from_dict(line) for line in [*hand.before_play(), *laid]]


def fold_one_fact() -> Results:
    """Microseconds for one fact, in every rule set, for every number of players and for every way to watch four."""
    rulebook, random = presets.rulebook(), Random(SEED)
    rows = []
    for rules in RULES.values():
        hands = [play_hand(random, rules) for _ in range(HANDS)]
        games = [_facts(hand, WATCHED["readers"]) for hand in hands]
        rows.append((f"{rules.name}, {rules.players}, readers", *_timed(games, rulebook)))
    hands = [play_hand(random) for _ in range(HANDS)]
    for name in ("camera", "both"):
        games = [_facts(hand, WATCHED[name]) for hand in hands]
        rows.append((f"{CARDEMS.name}, 4, {name}", *_timed(games, rulebook)))
    misread = [_facts(hand, WATCHED["camera"], misread=random.randrange(52)) for hand in hands[:10]]
    rows.append((f"{CARDEMS.name}, 4, camera, one card misread", *_timed(misread, rulebook)))
    title = f"one fact, {HANDS} hands each (microseconds of processor time)"
    return Results(title, ("rules, players, sources", "facts", "median", "p99", "most"), tuple(rows))


def _timed(games: list[list[Fact]], rulebook: presets.Rulebook) -> tuple[str, ...]:
    took = []
    for facts in games:
        table = empty(rulebook)
        for fact in facts:
            start = thread_time()  # the thread's own time: what others do on this machine is not the table's
            table = step(table, fact)
            took.append((thread_time() - start) * 1e6)
    took.sort()
    p99 = took[int(len(took) * 0.99)]
    return str(len(took)), f"{median(took):.0f}", f"{p99:.0f}", f"{took[-1]:.0f}"


def replay_hands() -> Results:
    """Hands in a second: the table's replay, `check` over a log, and two other engines, driven from Python through the
    same plays. Those judge with all hands known and keep no record; the plain one knows no rule but following suit."""
    rulebook, random = presets.rulebook(), Random(SEED)
    hands = [play_hand(random) for _ in range(HANDS)]
    rows = []
    for name, reading in WATCHED.items():
        games = [_facts(hand, reading) for hand in hands]
        start = perf_counter()
        for facts in games:
            fold(empty(rulebook), enumerate(facts, 1))
        rows.append((f"tablepi, {name}", f"{HANDS / (perf_counter() - start):.0f}"))
    rows.append((f"tablepi check, {LOGGED_HANDS} hands of readers in a log", _checked(random, rulebook)))
    rows.append(("OpenSpiel (C++) from Python", _openspiel(hands)))
    rows.append(("whist 0.1 (plain Python)", _whist(hands)))
    return Results(f"replay, 4 players, {HANDS} hands", ("engine", "hands a second"), tuple(rows))


def _checked(random: Random, rulebook: presets.Rulebook) -> str:
    """`tablepi check --all` over a store of real files: games of ten hands, as they were shown."""
    with TemporaryDirectory() as folder:
        with Journal(Path(folder)) as journal:
            for _ in range(LOGGED_HANDS // 10):
                _keep(journal, rulebook, [play_hand(random) for _ in range(10)])
        out, start = StringIO(), perf_counter()
        wrong = check(folder, None, out=out)
        took = perf_counter() - start
    if wrong:
        raise AssertionError(out.getvalue())
    return f"{LOGGED_HANDS / took:.0f}"


def _keep(journal: Journal, rulebook: presets.Rulebook, hands: Iterable[HonestHand]) -> None:
    """Log a game of *hands*, none of them with a pass, with what the table answers to each fact."""
    match = Match(rules="hearts-cardems", players=tuple(NAMES[:4]), options={"target": 10_000})
    facts = [from_dict({"fact": "hand"}), EndMatch()]
    laid = [[from_dict(_tag(laying)) for laying in hand.laid] for hand in hands]
    game = journal.begin(match, wall=datetime(2026, 1, 1), mono=0.0, boot="bench")
    table = step(empty(rulebook), match, n=1)
    for fact in [fact for hand in laid for fact in (facts[0], *hand)] + facts[1:]:
        n = journal.append(game, fact, mono=0.0)
        table = step(table, fact, n=n)
        journal.shown(game, n, table.lines)
    journal.close(game, "finished")


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


def _whist(hands: list[HonestHand]) -> str:
    try:
        from whist.cards import Card, Rank, Suit
        from whist.game import Game
        from whist.game_actions import PlayAction
    except ImportError:
        return "not installed"
    suits: dict[str, Any] = {"C": Suit.Club, "D": Suit.Diamond, "H": Suit.Heart, "S": Suit.Spade}
    ranks: dict[str, Any] = dict(zip("23456789TJQKA", list(Rank)[1:], strict=False))
    named = {rank + suit: Card(suits[suit], ranks[rank]) for rank in ranks for suit in suits}
    start = perf_counter()
    for hand in hands:
        game = Game()
        for player, cards in zip(game.state.players, hand.hands, strict=True):
            for card in cards:
                game.state.hands[player].give(named[card], sort=False)
        game.state.turn = hand.laid[0].seat
        for laying in hand.laid:
            action = PlayAction(named[laying.card])
            if not game.is_valid_action(game.current_player, action):
                raise AssertionError(f"whist does not allow {laying}")
            game.take_action(game.current_player, action)
    return f"{len(hands) / (perf_counter() - start):.0f}"
