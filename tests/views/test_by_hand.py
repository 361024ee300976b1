"""A hand is refereed by hand, with no reader: through the real display, the real loop and a real journal.

Once by keys alone, once by mouse and finger alone, and once in a real window with a real keyboard.
"""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import pygame
import pytest

from tablepi.cards import card
from tablepi.display import Display, Key
from tablepi.display.boxes import Box
from tablepi.errors import TablePiError
from tablepi.facts import Fact, Play
from tablepi.journal import Journal
from tablepi.language import words
from tablepi.loop import Clocks, Loop
from tablepi.table import Table, empty, fold, step
from tablepi.views.desk import Desk, Setup
from tablepi.views.screen import Command, Tap

from ..script import RULEBOOK
from .tables import SETUP, playable

SIZE = (800, 480)
LETTERS = {
    "en": {"T": "1 0", **{c: c.lower() for c in "JQKACDHS"}},
    "pt": {"T": "1 0", "J": "v", "Q": "d", "K": "r", "A": "a", "C": "p", "D": "o", "H": "c", "S": "e"},
}


def letters(written: str, language: str) -> list[str]:
    """The keys of a card."""
    return " ".join(LETTERS[language[:2]].get(letter, letter) for letter in written).split()


class Hands:
    """The person at the display: strikes keys, touches what is shown, sees what comes of it."""

    def __init__(self, loop: Loop, display: Display, inbox: queue.Queue[Fact | None]) -> None:
        self._loop, self._display, self._inbox = loop, display, inbox
        self._finger = False

    def _turn(self) -> None:
        self._inbox.put(None)  # the loop waits for nothing
        self._loop.turn()

    @property
    def table(self) -> Table:
        return self._loop.table

    def key(self, *names: str) -> None:
        for name in names:
            typed = name if len(name) == 1 else ""
            code = pygame.key.key_code(name)
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=typed, mod=0, scancode=0))
            self._turn()

    def _places(self) -> list[tuple[Box, Tap]]:
        layout = self._display._layout
        assert layout is not None
        return [(touch.box, touch.tap) for touch in layout.touches]

    def touch(self, wanted: str | Callable[[Tap], bool]) -> None:
        """Press what has these words on it, with the mouse and with a finger in turns."""
        fits = (lambda tap: tap.label == wanted) if isinstance(wanted, str) else wanted
        found = [box.middle for box, tap in self._places() if fits(tap)]
        assert found, (wanted, [tap.label for _, tap in self._places()])
        x, y = found[0]
        if self._finger:
            where = {"touch_id": 1, "finger_id": 0, "x": x / SIZE[0], "y": y / SIZE[1], "dx": 0.0, "dy": 0.0}
            pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, **where))
        else:
            pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1, touch=False))
        self._finger = not self._finger
        self._turn()

    def seat(self, seat: int) -> None:
        self.touch(lambda tap: tap.action == Command("seat", str(seat)))

    def card(self, written: str) -> None:
        self.touch(lambda tap: tap.action == Command("chosen", written))

    def hint(self, label: str) -> str:
        """The key that a button shows."""
        return next(tap.key for _, tap in self._places() if tap.label == label)


class Seconds:
    """A clock that goes on a second at each look: a finger and the mouse are never taken for one press."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@contextmanager
def at_the_table(folder: Path, language: str, setup: Setup = SETUP) -> Iterator[Hands]:
    inbox: queue.Queue[Fact | None] = queue.Queue()
    seconds = Seconds()
    with Display(size=SIZE, headless=True, clock=seconds) as display, Journal(folder) as journal:
        loop = Loop(
            rulebook=RULEBOOK,
            desk=Desk(setup, language=language),
            inbox=inbox,
            clocks=Clocks(mono=seconds, wall=lambda: datetime(2026, 11, 30)),
            words=words,
            record=journal,
            display=display,
            typed=lambda pressed: pressed.name if isinstance(pressed, Key) else None,
        )
        loop.show()
        yield Hands(loop, display, inbox)
        assert loop.game is not None
        kept = fold(empty(RULEBOOK), journal.facts(loop.game))
        assert kept.state == loop.table.state


def told(table: Table, *rulings: str) -> list[tuple[str, int, str]]:
    """Rulings as they stand in the record: which, of which seat, about which card."""
    lines = (line for entry in table.log for line in entry.lines)
    return [(x["ruling"], x["seat"], x["card"]) for x in lines if x.get("ruling") in rulings]


def scored_hand(table: Table) -> None:
    state = table.state
    assert len(state.scores) == 1
    assert sum(state.scores[0].points.values()) in (26, 78)  # all 26 with one player are 26 for each other
    assert len(state.deal.felt.tricks) == 13


def test_a_hand_is_refereed_by_keys_alone(tmp_path):
    with at_the_table(tmp_path, "en") as hands:
        hands.key("return", "return", "return")  # start, deal, all have passed
        hands.key("3", "c", "3")  # Bo opens with the wrong card …
        assert told(hands.table, "breach") == [("breach", 2, "3C")]
        hands.key("w")  # … and takes it back
        hands.key("2", "c", "2")
        while len(hands.table.state.felt.tricks) < 4:
            hands.key(*letters(playable(hands.table.state), "en"))
        right = playable(hands.table.state)
        hands.key("k", "s", "u")  # a slip, undone
        assert hands.table.state.felt.trick == ()
        hands.key("k", "s")  # the slip again, seen only a card later
        assert str(hands.table.state.felt.trick[0].card) == "KS"
        hands.key(*letters(playable(hands.table.state), "en"))
        hands.key("escape")
        hands.key(hands.hint("Correct an earlier card"), "k", "s", *letters(right, "en"))
        assert str(hands.table.state.felt.trick[0].card) == right
        hands.key("w")
        while hands.table.state.deal.phase == "playing":
            hands.key(*letters(playable(hands.table.state), "en"))
        scored_hand(hands.table)
        assert told(hands.table, "breach") == [("breach", 2, "3C")]
        assert told(hands.table, "withdrawn")[0] == ("withdrawn", 2, "3C")
        assert told(hands.table, "proved") == []
        hands.key("return")  # next hand
        assert (hands.table.state.deal.number, hands.table.state.deal.dealer) == (2, 1)
        hands.key("escape")
        hands.key(hands.hint("End the match"), "y")
        assert hands.table.state.result is not None
        assert hands.table.state.result.reason == "agreement"


def test_a_hand_is_refereed_by_mouse_and_finger_alone(tmp_path):
    with at_the_table(tmp_path, "pt-PT") as hands:
        for label in ("Começar o jogo", "Mão seguinte", "Todos passaram"):
            hands.touch(label)
        hands.touch("Indicar a carta")
        hands.touch("Ada")
        hands.card("2C")
        hands.seat(3)  # Cleo is too quick
        hands.touch("Indicar a carta")
        hands.card("9C")
        assert told(hands.table, "breach") == [("breach", 3, "9C")]
        hands.touch("Retirar 9♣")
        while len(hands.table.state.felt.tricks) < 3:
            hands.touch("Indicar a carta")
            hands.card(playable(hands.table.state))
        seat = hands.table.state.felt.turn
        right = playable(hands.table.state)
        hands.touch("Indicar a carta")
        hands.card("AS")  # the wrong card was touched
        hands.seat(seat)
        hands.touch("Não é A♠")
        hands.card(right)
        assert [str(laid.card) for laid in hands.table.state.felt.trick] == [right]
        hands.touch("Indicar a carta")
        hands.card(playable(hands.table.state))
        hands.touch("Desfazer")
        assert [str(laid.card) for laid in hands.table.state.felt.trick] == [right]
        while hands.table.state.deal.phase == "playing":
            hands.touch("Indicar a carta")
            hands.card(playable(hands.table.state))
        scored_hand(hands.table)
        assert told(hands.table, "breach", "proved") == [("breach", 3, "9C")]
        hands.touch("Mão seguinte")
        hands.touch("Menu")
        hands.touch("Terminar o jogo")
        hands.touch("Sim")
        assert hands.table.state.result is not None


def test_a_question_and_an_unplayable_hand_are_settled_by_touch(tmp_path):
    with at_the_table(tmp_path, "en") as hands:
        hands.key("return", "return", "return", "2", "c", "1")
        hands.seat(0)
        hands.touch("A second card")
        hands.card("5D")  # Rita has laid two cards
        hands.touch(lambda tap: tap.card == card("2C"))
        assert hands.table.state.questions == ()
        hands.touch("Menu")
        hands.touch("End the hand by agreement")
        for label in ("Ada +5", "Bo +1", "Cleo: the rest", "End the hand so"):
            hands.touch(label)
        assert dict(hands.table.state.totals) == {"0": 0, "1": 5, "2": 1, "3": 20}


def lay_out(hands: Hands, *, keys: bool) -> None:
    """All cards of a hand, by keys or by touch."""
    while (deal := hands.table.state.deal) is not None and deal.phase == "playing":
        written = playable(hands.table.state)
        if keys:
            hands.key(*letters(written, "en"))
        else:
            hands.touch("Enter the card")
            hands.card(written)


def test_a_hand_of_spades_is_refereed_by_keys_alone(tmp_path):
    with at_the_table(tmp_path, "en") as hands:
        hands.key("n")
        hands.key(hands.hint("Spades"), "return", "return")
        hands.key("return", "4", "return", "0", "return", "1", "return", "q")  # Ada 4, Bo nil, Cleo 1, Rita 10 …
        hands.key("u", "return", "3")  # … which was a slip
        assert [bid.tricks for bid in hands.table.state.deal.auction.bids.values()] == [4, 0, 1, 3]
        lay_out(hands, keys=True)
        (score,) = hands.table.state.scores
        assert sum(told["tricks"] for told in score.sides.values()) == 13
        hands.key("return")  # the next hand, which ends by agreement
        for bid in ("4", "0", "1", "3"):
            hands.key("return", bid)
        hands.key("escape")
        hands.key(hands.hint("End the hand by agreement"), "w", "w", "a", "return")
        assert hands.table.state.scores[1].sides["1-3"]["tricks"] == 10
        assert hands.table.state.scores[1].sides["0-2"]["tricks"] == 3


def test_a_hand_of_spades_with_an_exchange_is_refereed_by_mouse_and_finger_alone(tmp_path):
    agreed = (("exchange", True), ("exchange_deficit", 0), ("blind_nil_deficit", 0))
    setup = Setup(SETUP.players, "spades", agreed, "spades")
    with at_the_table(tmp_path, "en", setup) as hands:
        for label in ("Start the match", "Next hand", "Enter the bid", "blind nil with an exchange"):
            hands.touch(label)
        for bid in ("4", "5", "nil"):
            hands.touch("Enter the bid")
            hands.touch(bid)
        hands.touch(lambda tap: tap.action == Command("bid", "0"))
        hands.touch("6")  # Rita's was six, not nil
        hands.touch("2 cards given")
        hands.touch(lambda tap: tap.action == Command("pass", "3"))
        hands.touch("Choose the cards")
        for written in ("2C", "9H", "3D", "9H"):
            hands.card(written)
        hands.touch("These cards")
        assert [given.count for given in hands.table.state.deal.auction.given] == [2, 2]
        lay_out(hands, keys=False)
        assert hands.table.state.scores[0].sides["0-2"]["bid"] == 10


def test_what_was_agreed_is_set_by_mouse_and_finger_or_by_keys_and_the_match_is_played_so(tmp_path):
    with at_the_table(tmp_path, "en", Setup(SETUP.players, "spades")) as hands:
        for label in ("Agreed", "Target: 500", "2", "5", "0", "Done", "Suicide: no", "yes", "Done"):
            hands.touch(label)
        hands.key("a", "4", "1", "2", "8", "0", "backspace", "9", "return", "return")
        hands.touch("Start the match")
        game = hands.table.state.game
        assert (game.target, game.suicide, game.exchange, game.nil) == (250, True, True, 89)


def test_five_players_a_pass_a_moon_and_its_choice_by_mouse_and_finger_alone(tmp_path):
    with at_the_table(tmp_path, "en") as hands:
        hands.touch("Players: 4")
        hands.touch("5 players")
        hands.touch("4 Seat 4")
        for letter in "eva":
            hands.touch(lambda tap, letter=letter: tap.action == Command("letter", letter))
        hands.touch("Done")
        hands.touch("Done")
        hands.touch("Other rules")
        hands.touch("Hearts (Black Maria)")
        for label in ("Start the match", "Who deals?", "Draw cards for it"):
            hands.touch(label)
        for written in ("2S", "TD", "AH", "AC", "KS"):
            hands.card(written)
        hands.touch("Bo deals")
        assert hands.table.state.players == ("Rita", "Ada", "Bo", "Cleo", "Eva")
        assert hands.table.state.deal.dealer == 2
        hands.touch(lambda tap: tap.action == Command("pass", "4"))
        hands.touch("3 cards")
        hands.touch("All have passed")
        hands.touch("Menu")
        for label in ("End the hand by agreement", "Eva: the rest", "End the hand so", "Off that total"):
            hands.touch(label)
        assert dict(hands.table.state.totals) == {"0": 0, "1": 0, "2": 0, "3": 0, "4": -26}


def test_a_time_out_and_a_player_who_leaves_are_entered_by_keys_and_by_touch(tmp_path):
    with at_the_table(tmp_path, "en", Setup(SETUP.players, "hearts-tournament")) as hands:
        hands.key("return", "return", "return", "2", "c", "1")
        hands.key("escape")
        hands.key(hands.hint("Ada's time is up"))
        assert hands.table.state.deal.timed_out == (1,)
        hands.key("3", "c")
        assert hands.table.state.deal.timed_out == ()
        hands.touch("Bo")  # in turn: its card is asked for, and what else there is
        hands.touch("More about Bo")
        hands.touch("Leaves the table")
        hands.touch("Yes")
        assert hands.table.state.left == (2,)
        lay_out(hands, keys=True)
        scored_hand(hands.table)


# --- in a real window ------------------------------------------------------------------------------------------------

PATIENCE_S = 30.0
ABSENT = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]


def under_the_pointer(xdo: Callable[..., str]) -> str:
    """What xdotool says lies under the pointer; nothing when a window went while it looked: SDL tries one out first."""
    try:
        return xdo("getmouselocation", "--shell")
    except subprocess.CalledProcessError:
        return ""


@pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)} (apt install xvfb xdotool)")
def test_a_hand_is_refereed_by_a_real_keyboard_in_a_real_window(x_server, tmp_path):
    environ = {**os.environ, "DISPLAY": x_server, "SDL_VIDEODRIVER": "x11"}
    command = [sys.executable, "-m", "tablepi", "--store", str(tmp_path), "run", "--size", "800x480"]
    run = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def xdo(*words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=environ, capture_output=True, text=True, check=True, timeout=PATIENCE_S
        )
        return done.stdout

    def until(wanted: Callable[[Table], bool], patience_s: float = PATIENCE_S) -> Table | None:
        """The table from the journal, read beside its writer, when it is as wanted; None when it does not become so."""
        end = time.monotonic() + patience_s
        while not wanted(table := kept(tmp_path)):
            if time.monotonic() > end:
                return None
            with suppress(subprocess.TimeoutExpired):
                raise AssertionError(f"tablepi ended: {run.wait(0.02)}")
        return table

    def enter(*keys: str, facts: int) -> Table:
        """Strike keys, and see what the journal says when their facts have come."""
        before = kept(tmp_path).n
        xdo("key", "--delay", "8", *keys)
        table = until(lambda now: now.n >= before + facts)
        assert table is not None, f"no fact came of {keys}"
        return table

    try:
        # Without a window manager the keys go where the pointer is; the root window is there before ours.
        root = xdo("mousemove", "550", "350", "getmouselocation", "--shell")
        while under_the_pointer(xdo) in ("", root):
            assert run.poll() is None, run.stdout and run.stdout.read()
        began = None
        while began is None:  # a window that has just come may not listen yet
            xdo("key", "Return")
            began = until(lambda table: table.n > 0, 5.0)
        table = enter("Return", facts=1)
        table = enter("Return", facts=1)
        table = enter("3", "c", "3", facts=1)
        table = enter("w", facts=1)
        table = enter("2", "c", "2", facts=1)
        while table.state.deal.phase == "playing":
            planned, keys, cards = table, [], min(4, 52 - len(list(table.state.felt.places())))
            for _ in range(cards):
                written = playable(planned.state)
                keys += letters(written, "en")
                planned = step(planned, Play(seat=planned.state.felt.turn, card=card(written)))
            table = enter(*keys, facts=cards)
        scored_hand(table)
        assert told(table, "breach", "proved") == [("breach", 2, "3C")]
        enter("Return", facts=1)
        xdo("key", "--delay", "150", "Escape", "4", "y")  # menu, end the match, yes
        assert until(lambda table: table.state.result is not None) is not None
        xdo("key", "--delay", "150", "Escape", "2", "y")  # menu, leave, yes
        out, _ = run.communicate(timeout=PATIENCE_S)
        assert (run.returncode, out) == (0, "")
    finally:
        if run.poll() is None:
            run.kill()
        run.communicate()


def kept(folder: Path) -> Table:
    try:
        with Journal(folder, readonly=True) as journal:
            last = journal.last()
            return fold(empty(RULEBOOK), journal.facts(last) if last is not None else ())
    except TablePiError:  # the store is not made yet
        return empty(RULEBOOK)
