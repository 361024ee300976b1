"""The loop: with a real journal, clocks that the test turns, lamps and a glass that remember."""

from __future__ import annotations

import queue
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from tablepi import facts as f
from tablepi.devices.supervisor import Supervisor
from tablepi.facts import TWO_CARDS, Fact
from tablepi.journal import Journal, JournalBroken, JournalFull, export_jsonl
from tablepi.language import words
from tablepi.loop import IDLE_S, MOST_AT_ONCE, Clocks, Loop
from tablepi.table import Table, empty, fold
from tablepi.views.desk import Desk, Setup, new_match
from tablepi.views.screen import Command

from .script import NAMES, RULEBOOK, facts, held, match

NOON = datetime(2026, 11, 30, 12, 0, 0)
SETUP = Setup(tuple(NAMES), "hearts-cardems")
OPENED = held() + "0:2C 1:3C"


class Bench:
    """Everything around a loop. *told* remembers, in order, what each part was asked to do."""

    def __init__(self, record: Any) -> None:
        self.mono, self.wall = 100.0, NOON
        self.told: list[str] = []
        self.presses: list[object] = []
        self.screens: list[Any] = []
        self.lamps: list[Any] = []
        self.inbox: queue.Queue[Fact | None] = queue.Queue()
        self.record = record
        self.checked: list[Exception] = []

    def loop(self, *, until: Callable[[Table], bool] = lambda _: False, **more: Any) -> Loop:
        """A loop at this bench; one that does not end fails its test."""
        patience = time.monotonic() + 10

        def ended(table: Table) -> bool:
            assert time.monotonic() < patience, "the loop does not end"
            return until(table)

        glass = SimpleNamespace(draw=self._draw, presses=self._presses)
        parts: dict[str, Any] = {
            "record": self.record,
            "lamps": SimpleNamespace(show=self._shine),
            "display": glass,
            "heard": lambda table: self.told.append(f"heard {table.n}"),
            "check": self._check,
        }
        return Loop(
            rulebook=RULEBOOK,
            desk=Desk(SETUP),
            inbox=self.inbox,
            clocks=Clocks(mono=lambda: self.mono, wall=lambda: self.wall),
            words=words,
            until=ended,
            **(parts | more),
        )

    def say(self, script: str) -> None:
        for fact in facts(script):
            self.inbox.put(fact)

    def _draw(self, screen: Any) -> bool:
        self.told.append("screen")
        self.screens.append(screen)
        return True

    def _presses(self) -> list[object]:
        pressed, self.presses = self.presses, []
        return pressed

    def _shine(self, lamps: Any) -> None:
        self.told.append("lamps")
        self.lamps.append(lamps)

    def _check(self) -> None:
        for bug in self.checked:
            raise bug


class Failing:
    """A journal whose disk fails while ``broken`` says with what; it fails in the calls that ``in_calls`` names."""

    def __init__(self, journal: Journal, *in_calls: str) -> None:
        self._journal, self._in = journal, in_calls
        self.broken: JournalBroken | None = None

    def __getattr__(self, name: str) -> Any:
        if self.broken is not None and name in self._in:
            raise self.broken
        return getattr(self._journal, name)


FULL = JournalFull("games.sqlite: the disk is full: free some space")


@pytest.fixture
def journal(tmp_path) -> Iterator[Journal]:
    with Journal(tmp_path) as opened:
        yield opened


@pytest.fixture
def bench(journal) -> Bench:
    return Bench(journal)


def kept(journal: Journal, game: str | None) -> list[Fact]:
    assert game is not None
    return [fact for _, fact in journal.facts(game)]


def assert_the_journal_folds_to(loop: Loop, journal: Journal) -> None:
    assert loop.game is not None
    lines = list(export_jsonl(journal, loop.game))
    again = fold(empty(RULEBOOK), ((n, f.parse(line)) for n, line in enumerate(lines, 1)))
    assert (again.n, again.state, again.at) == (loop.table.n, loop.table.state, loop.table.at)
    assert [entry.fact for entry in again.log] == [entry.fact for entry in loop.table.log]


# --- what is kept ----------------------------------------------------------------------------------------------------


def test_a_fact_is_in_the_journal_before_the_lamps_answer_it(bench, journal):
    seen: list[int] = []
    lamps = SimpleNamespace(show=lambda _: seen.append(sum(g.facts for g in journal.games())))
    loop = bench.loop(lamps=lamps)
    for fact in facts(OPENED):
        loop.accept(fact)
    assert seen == [1, 2, 3, 4, 5]


def test_facts_are_kept_with_their_time_since_the_match_began_and_numbers_as_the_table_counts(bench, journal):
    loop = bench.loop()
    for fact in facts(OPENED):
        loop.accept(fact)
        bench.mono += 1.5
    assert [fact.at for fact in kept(journal, loop.game)] == [None, 1.5, 3.0, 4.5, 6.0]
    assert [n for n, _ in journal.facts(loop.game)] == [entry.n for entry in loop.table.log] == [1, 2, 3, 4, 5]
    assert_the_journal_folds_to(loop, journal)


def test_what_was_shown_is_kept_fact_by_fact_also_that_it_was_nothing(bench, journal):
    answers = []
    loop = bench.loop(heard=lambda table: answers.append((table.n, tuple(table.lines))))
    for fact in facts(OPENED + " 2:5H"):
        loop.accept(fact)
    assert list(journal.as_shown(loop.game)) == answers
    assert answers[0] == (1, ())
    assert [line["ruling"] for line in answers[-1][1] if "ruling" in line] == ["unproven"]


def test_a_fact_that_the_match_refuses_is_neither_kept_nor_acted_on(bench, journal, caplog):
    loop = bench.loop()
    for fact in facts(OPENED):
        loop.accept(fact)
    loop.accept(f.Play(seat=6, card=facts("2:4C")[0].card))
    assert (loop.table.n, len(kept(journal, loop.game))) == (5, 5)
    assert [r.getMessage() for r in caplog.records] == ['not counted: {"fact":"play","seat":6,"card":"4C","at":0.0}']


def test_before_a_match_a_card_counts_for_nothing_and_a_lost_device_is_shown(bench, journal, caplog):
    loop = bench.loop()
    loop.accept(facts("2#4C")[0])
    loop.accept(f.Lost(device="reader-2", reason="it was unplugged"))
    assert (loop.table.n, loop.table.state.lost, journal.games()) == (0, (("reader-2", "it was unplugged"),), ())
    assert len(caplog.records) == 1


def test_a_match_begins_a_new_game_where_a_lost_device_is_still_lost(bench, journal):
    loop = bench.loop()
    loop.accept(f.Lost(device="reader-2", reason=TWO_CARDS))
    for fact in facts(OPENED):
        loop.accept(fact)
    first = loop.game
    assert kept(journal, first)[1] == f.Lost(device="reader-2", reason=TWO_CARDS, at=0.0)
    loop.accept(facts(match())[0])
    assert [(g.id, g.facts, g.state) for g in journal.games()] == [(first, 6, "over"), (loop.game, 2, "open")]
    assert loop.table.state.lost == (("reader-2", TWO_CARDS),)
    assert_the_journal_folds_to(loop, journal)


def test_a_match_that_cannot_be_played_is_said_once_and_the_game_goes_on(bench, journal):
    loop = bench.loop()
    for fact in facts(OPENED):
        loop.accept(fact)
    before, game = loop.table, loop.game
    for _ in range(3):
        loop.accept(f.Match(rules="none", players=tuple(NAMES)))
    assert (loop.table, loop.game) == (before, game)
    known = ", ".join(sorted(RULEBOOK))
    assert loop.screen().alerts == (f"match: rules: no rule set 'none': known are {known}",)


# --- one turn --------------------------------------------------------------------------------------------------------


def test_lamps_answer_every_fact_of_a_burst_and_the_screen_is_drawn_once_after_it(bench):
    loop = bench.loop()
    bench.say(OPENED)
    loop.turn()
    assert bench.told == [*(w for n in range(1, 6) for w in ("lamps", f"heard {n}")), "screen"]


def test_the_buzzer_hears_of_what_must_not_be_missed_and_of_nothing_once_more(bench, journal):
    heard: list[str] = []
    buzzer = SimpleNamespace(sound=heard.append)
    loop = bench.loop(buzzer=buzzer)
    for fact in facts(OPENED + " 3:5D"):
        loop.accept(fact)
    assert heard == ["breach"]
    again = bench.loop(buzzer=buzzer)
    assert again.resume()
    assert (again.table.n, heard) == (6, ["breach"])


def test_a_flood_of_facts_does_not_keep_the_screen_blank(bench):
    loop = bench.loop(record=None)
    bench.say(held())
    for _ in range(3 * MOST_AT_ONCE):
        bench.inbox.put(f.Found(device="reader-1"))
    loop.turn()
    assert bench.told.count("screen") == 1
    assert 0 < bench.inbox.qsize() < 3 * MOST_AT_ONCE
    while not bench.inbox.empty():
        loop.turn()
    assert (loop.table.n, bench.told.count("screen")) == (3 + 3 * MOST_AT_ONCE, 4)


def test_a_passed_deadline_becomes_a_tick_and_the_sighting_counts(bench, journal):
    loop = bench.loop()
    for fact in facts(held()):
        loop.accept(fact)
    glimpsed = f.from_dict(
        {"fact": "seen", "seat": 0, "card": "2C", "source": "camera", "confidence": 0.98, "steady": 0}
    )
    loop.accept(glimpsed)
    due = loop.table.deadline
    assert due is not None
    assert loop.table.state.felt.trick == ()
    loop.turn()
    assert loop.table.n == 4  # not yet
    bench.mono += due
    loop.turn()
    assert kept(journal, loop.game)[-1] == f.Tick(at=due)
    assert [str(laid.card) for laid in loop.table.state.felt.trick] == ["2C"]


TIMED = match("hearts-tournament", timeouts={"play": 30, "pass": 60}) + '{"fact":"hand","dealer":0} '


def clock_of(loop: Loop, bench: Bench, *seconds: float) -> list[list[tuple[float | None, int]]]:
    """The time-outs that the loop tells, when and of which seat, after each of these seconds of waiting."""
    told = []
    for wait in seconds:
        before = loop.table.n
        bench.mono += wait
        loop.turn()
        later = [loop.table.entry(n) for n in range(before + 1, loop.table.n + 1)]
        told.append([(e.fact.at, e.fact.seat) for e in later if e is not None and isinstance(e.fact, f.Timeout)])
    return told


def test_the_time_for_a_card_runs_from_the_card_before_and_is_up_once(bench, journal):
    loop = bench.loop()
    for fact in facts(TIMED + '{"fact":"passed"} 0:2C'):
        loop.accept(fact)
    loop.turn()
    assert clock_of(loop, bench, 30.9, 0.2, 100.0) == [[], [(31.1, 1)], []]
    assert kept(journal, loop.game)[-1] == f.Timeout(seat=1, at=31.1, source="clock")
    bench.say("1:3C")
    assert clock_of(loop, bench, 0.0, 30.9, 0.2) == [[], [], [(162.2, 2)]]


def test_the_time_for_a_card_begins_anew_when_a_question_is_answered(bench):
    loop = bench.loop()
    for fact in facts(TIMED + '{"fact":"passed"} 0:2C 1:3C 2:3C'):
        loop.accept(fact)
    loop.turn()
    (question,) = loop.table.state.questions
    assert clock_of(loop, bench, 100.0) == [[]]
    loop.accept(f.Answer(question=question.id, card=facts("0:KC")[0].card))
    assert clock_of(loop, bench, 0.0, 30.9, 0.2) == [[], [], [(131.1, 3)]]


def test_the_time_for_the_pass_is_up_for_all_who_have_not_passed(bench):
    loop = bench.loop()
    for fact in facts(TIMED + '{"fact":"pass","seat":2,"count":3}'):
        loop.accept(fact)
    loop.turn()
    assert clock_of(loop, bench, 60.9, 0.2, 100.0) == [[], [(61.1, 0), (61.1, 1), (61.1, 3)], []]


def test_in_a_pause_the_time_stands_still_and_what_is_told_is_kept(bench, journal):
    loop = bench.loop()
    for fact in facts(TIMED + '{"fact":"passed"} 0:2C'):
        loop.accept(fact)
    loop.turn()
    assert clock_of(loop, bench, 20.0) == [[]]
    bench.mono += 5.0  # 25 of 30 seconds are over
    bench.inbox.put(Command("pause", "3"))
    loop.turn()
    assert (loop.screen().headline, loop.screen().seats[1].seconds) == ("Cleo has paused the game.", "5 s")
    bench.say('{"fact":"lost","device":"reader-2"}')
    assert clock_of(loop, bench, 100.0, 400.0) == [[], []]
    assert (loop.screen().headline, loop.screen().seats[1].seconds) == ("Cleo has paused the game.", "5 s")
    bench.mono += 100.0
    bench.inbox.put(Command("pause"))
    loop.turn()
    assert clock_of(loop, bench, 5.9, 0.2) == [[], [(631.1, 1)]]
    assert [fact.kind for fact in kept(journal, loop.game)[4:]] == ["lost", "timeout"]
    assert_the_journal_folds_to(loop, journal)


def test_the_time_before_a_pause_counts_to_the_moment_when_it_was_asked_for(bench):
    waits = [3.0, 10.0]

    class Waited(queue.Queue):
        """An inbox at which the loop waits that long."""

        def get(self, block: bool = True, timeout: float | None = None) -> Any:
            bench.mono += waits.pop(0) if block else 0.0
            return super().get(block, timeout)

    bench.inbox = Waited()
    loop = bench.loop()
    for fact in facts(TIMED + '{"fact":"passed"} 0:2C'):
        loop.accept(fact)
    for _ in range(2):  # a pause, and its end
        bench.inbox.put(Command("pause"))
        loop.turn()
    assert loop.screen().seats[1].seconds == "27 s"


def test_a_card_laid_ends_a_pause_and_the_next_player_has_the_whole_time(bench):
    loop = bench.loop()
    for fact in facts(TIMED + '{"fact":"passed"} 0:2C'):
        loop.accept(fact)
    bench.inbox.put(Command("pause"))
    loop.turn()
    bench.mono += 500.0
    bench.say("1#3C")
    assert clock_of(loop, bench, 0.0, 30.9, 0.2) == [[], [], [(531.1, 2)]]


def test_a_pause_does_not_outlive_its_match(bench):
    loop = bench.loop()
    for fact in facts(OPENED):
        loop.accept(fact)
    bench.inbox.put(Command("pause"))
    loop.turn()
    for fact in facts(held()):
        loop.accept(fact)
    assert loop.desk.pause is None


def seconds_shown(loop: Loop, bench: Bench, *waits: float) -> list[list[str]]:
    """The seconds that the display shows at each seat, picture by picture, in turns after each of these waits."""
    bench.screens.clear()
    for wait in waits:
        bench.mono += wait
        loop.turn()
    pictures = [[seat.seconds for seat in screen.seats] for screen in bench.screens]
    return [now for i, now in enumerate(pictures) if not i or now != pictures[i - 1]]


def test_the_seat_in_turn_shows_the_whole_seconds_that_it_still_has_until_the_time_out_has_its_words(bench):
    loop = bench.loop()
    for fact in facts(TIMED + '{"fact":"passed"} 0:2C'):
        loop.accept(fact)
    shown = seconds_shown(loop, bench, 0.0, 0.0, 0.4, 0.5, 0.2, 26.9, 1.9, 0.2)  # up to 30.1, without the grace
    assert shown == [["", text, "", ""] for text in ("30 s", "29 s", "2 s", "1 s", "")]
    words_at_ada = [screen.seats[1].lamp_words for screen in bench.screens]
    assert seconds_shown(loop, bench, 0.8, 0.2) == [["", "", "", ""]]  # 31.1: it is up
    assert (words_at_ada[-1], bench.screens[-1].seats[1].lamp_words) == ("to play", "time is up")


def test_the_countdown_makes_one_picture_a_second_and_none_without_a_limit(bench):
    loop = bench.loop()
    hour = match("hearts-tournament", timeouts={"play": 3600}) + '{"fact":"hand","dealer":0} '
    for fact in facts(hour + '{"fact":"passed"} 0:2C'):
        loop.accept(fact)
    loop.turn()
    different = []
    for _ in range(40):
        bench.mono += 0.1
        loop.turn()
        if not different or bench.screens[-1] is not different[-1]:
            different.append(bench.screens[-1])
    assert [screen.seats[1].seconds for screen in different] == ["3600 s", "3599 s", "3598 s", "3597 s", "3596 s"]
    for fact in facts(match("hearts-tournament") + '{"fact":"hand","dealer":0} {"fact":"passed"} 0:2C'):
        loop.accept(fact)
    assert seconds_shown(loop, bench, 0.0, 5.0, 5.0) == [["", "", "", ""]]
    assert len({id(screen) for screen in bench.screens}) == 1


def test_while_cards_are_passed_each_who_has_not_shows_the_seconds_and_a_question_stops_them(bench):
    loop = bench.loop()
    for fact in facts(TIMED + '{"fact":"pass","seat":2,"count":3}'):
        loop.accept(fact)
    assert seconds_shown(loop, bench, 0.0, 59.5) == [["60 s", "60 s", "", "60 s"], ["1 s", "1 s", "", "1 s"]]
    for fact in facts('{"fact":"passed"} 0:2C 1:3C 2:3C'):
        loop.accept(fact)
    assert loop.table.state.questions != ()
    assert seconds_shown(loop, bench, 0.0, 5.0) == [["", "", "", ""]]


def test_without_seconds_nobodys_time_is_ever_up(bench):
    loop = bench.loop()
    for fact in facts(match("hearts-tournament") + '{"fact":"hand","dealer":0} {"fact":"passed"} 0:2C'):
        loop.accept(fact)
    assert clock_of(loop, bench, 0.0, 10_000.0) == [[], []]


def test_a_press_enters_a_fact_and_the_screen_shows_it_in_the_same_turn(bench, journal):
    loop = bench.loop()
    bench.presses = [new_match(SETUP), f.Hand(dealer=0), f.Passed(), facts("0:2C")[0]]
    bench.inbox.put(None)
    loop.turn()
    assert [fact.kind for fact in kept(journal, loop.game)] == ["match", "hand", "passed", "play"]
    assert [fact.source for fact in kept(journal, loop.game)] == ["person"] * 4
    assert [str(seat.card) for seat in bench.screens[-1].seats if seat.card] == ["2C"]


def test_r084_cards_shown_to_readers_draw_for_the_first_deal_and_the_highest_deals(bench, journal):
    loop = bench.loop()
    for fact in facts(match()):
        loop.accept(fact)
    bench.presses = [Command("draw")]
    loop.turn()
    for seat, drawn in ((1, "KD"), (3, "9C"), (0, "KH"), (2, "2S")):
        bench.say(f'{{"fact":"tag","seat":{seat},"card":"{drawn}","source":"reader-{seat}"}}')
        loop.turn()
    picker = bench.screens[-1].picker
    assert picker.title == "The highest card deals: Rita K♥, Ada K♦, Bo 2♠, Cleo 9♣"
    bench.presses = [picker.taps[0].action]
    loop.turn()
    assert (loop.table.state.deal.dealer, kept(journal, loop.game)[-1].kind) == (0, "hand")
    assert_the_journal_folds_to(loop, journal)


def test_keys_type_a_card(bench, journal):
    loop = bench.loop(typed=lambda pressed: pressed if isinstance(pressed, str) else None)
    for fact in facts(held() + "0:2C"):
        loop.accept(fact)
    bench.presses = ["9", "c"]
    bench.inbox.put(None)
    loop.turn()
    assert kept(journal, loop.game)[-1] == f.Play(seat=1, card=facts("1:9C")[0].card, source="person", at=0.0)


def test_a_bug_in_a_device_leaves_the_loop_after_its_facts_are_kept(bench, journal):
    loop = bench.loop()
    bench.say(OPENED)
    bench.inbox.put(f.Lost(device="reader-1", reason="fault in tablepi"))
    bench.checked = [ZeroDivisionError("a bug")]
    with pytest.raises(ZeroDivisionError):
        loop.run()
    assert loop.game is not None
    assert_the_journal_folds_to(loop, journal)


def test_a_bug_is_found_though_no_fact_tells_of_it(bench):
    loop = bench.loop()
    bench.checked = [ZeroDivisionError("a bug")]
    bench.inbox.put(None)
    with pytest.raises(ZeroDivisionError):
        loop.run()


class Mad:
    """A device whose driver has a bug."""

    name = "reader-3"

    def __enter__(self) -> Mad:
        return self

    def __exit__(self, *_: object) -> None: ...

    def read(self) -> tuple[Fact, ...]:
        return (1 / 0,)  # type: ignore[return-value]

    def cancel(self) -> None: ...


def test_the_bug_of_a_device_thread_leaves_the_loop(bench):
    supervisor = Supervisor([Mad()], bench.inbox)
    supervisor.__enter__()
    loop = bench.loop(check=supervisor.check)
    with pytest.raises(ZeroDivisionError):
        loop.run()
    assert supervisor.stop() == ()
    assert [device for device, _ in loop.table.state.lost] == ["reader-3"]


# --- leaving ---------------------------------------------------------------------------------------------------------


def test_it_ends_when_the_person_leaves(bench):
    loop = bench.loop()
    bench.presses = [Command("leave")]
    bench.inbox.put(None)
    loop.run()
    assert loop.desk.leaving


def test_it_ends_when_the_window_is_closed(bench):
    loop = bench.loop()
    bench.presses = [object()]
    bench.inbox.put(None)
    loop.run()
    assert loop.desk.leaving


def test_it_ends_when_until_says_so_and_not_before(bench):
    loop = bench.loop(until=lambda table: table.n == 5)
    bench.say(OPENED)
    loop.run()
    assert loop.table.n == 5


def test_a_stop_from_another_thread_ends_the_wait(bench):
    loop = bench.loop(display=None)
    threading.Timer(0.05, loop.stop).start()
    began = time.monotonic()
    loop.run()
    assert time.monotonic() - began < IDLE_S / 2


@contextmanager
def on_alarm(act) -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, lambda *_: act())
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_stop_from_a_signal_handler_ends_the_wait(bench):
    loop = bench.loop(display=None)
    with on_alarm(loop.stop):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        began = time.monotonic()
        loop.run()
    assert time.monotonic() - began < IDLE_S / 2


def test_no_fact_that_was_taken_is_lost_when_signals_stop_it_anywhere(bench, journal):
    """The handler strikes at every place of the loop: each run takes some facts, and all that are gone from the inbox
    are on the table."""
    for strike in range(30):
        bench.inbox = queue.Queue()
        loop = bench.loop(display=None, record=None)
        bench.say(OPENED + " 2:4C 3:5C" * 40)
        put = bench.inbox.qsize()
        with on_alarm(loop.stop):
            signal.setitimer(signal.ITIMER_REAL, 0.0003 * (strike + 1))
            loop.run()
        left = sum(1 for fact in list(bench.inbox.queue) if fact is not None)
        assert loop.table.n + left == put


def test_a_match_that_is_over_is_closed_when_the_table_is_left(bench, journal):
    loop = bench.loop(until=lambda table: table.state.result is not None)
    bench.say(OPENED + ' {"fact":"end-match"}')
    loop.run()
    assert [(g.state, g.reason) for g in journal.games()] == [("over", "agreement")]


# --- the watchdog ----------------------------------------------------------------------------------------------------


class Watching:
    watchdog_s = 0.01

    def __init__(self, told: list[str]) -> None:
        self._told = told

    def ready(self) -> None:
        self._told.append("ready")

    def watchdog(self) -> None:
        self._told.append("alive")

    def stopping(self) -> None:
        self._told.append("stopping")


def test_the_watchdog_hears_of_each_whole_turn_and_of_nothing_less(bench):
    loop = bench.loop(watchdog=Watching(bench.told), until=lambda _: bench.told.count("alive") == 2)
    bench.say(match())
    loop.run()
    assert bench.told == [
        "lamps",
        "screen",
        "ready",
        "lamps",
        "heard 1",
        "screen",
        "alive",
        "screen",
        "alive",
        "stopping",
    ]


def test_a_turn_that_fails_is_not_reported_as_life(bench):
    loop = bench.loop(watchdog=Watching(bench.told))
    bench.say(match())
    bench.checked = [ZeroDivisionError("a bug")]
    with pytest.raises(ZeroDivisionError):
        loop.run()
    assert "alive" not in bench.told
    assert bench.told[-1] == "stopping"


# --- a journal that fails --------------------------------------------------------------------------------------------


def test_a_full_journal_does_not_stop_the_game_says_so_and_takes_everything_in_order_when_it_works_again(journal):
    record = Failing(journal, "append")
    bench = Bench(record)
    loop = bench.loop()
    for fact in facts(OPENED):
        loop.accept(fact)
    record.broken = FULL
    for fact in facts("2:4C 3:5C 3:5D"):
        bench.mono += 1
        loop.accept(fact)
    assert [str(laid.card) for laid in loop.table.state.felt.trick] == ["5D"]
    assert loop.screen().alerts == (f"The record is not being kept: {FULL}",)
    assert len(kept(journal, loop.game)) == 5
    record.broken = None
    loop.accept(facts("0:6D")[0])
    assert loop.screen().alerts == ()
    assert_the_journal_folds_to(loop, journal)
    assert [fact.at for fact in kept(journal, loop.game)][5:] == [1.0, 2.0, 3.0, 3.0]
    # What was shown meanwhile was not noted, and nothing is pretended; the latest is.
    assert [n for n, _ in journal.as_shown(loop.game)] == [1, 2, 3, 4, 5, 9]


def test_what_was_kept_back_gets_a_last_chance_at_the_end(journal):
    record = Failing(journal, "append", "shown")
    bench = Bench(record)
    loop = bench.loop(until=lambda table: table.n == 5)
    loop.accept(facts(match())[0])
    record.broken = FULL
    for fact in facts(OPENED)[1:]:
        loop.accept(fact)
    record.broken = None
    loop.run()
    assert_the_journal_folds_to(loop, journal)


@pytest.mark.logs_errors
def test_what_could_not_be_kept_to_the_end_is_said(journal, caplog):
    record = Failing(journal, "append", "shown")
    bench = Bench(record)
    loop = bench.loop(until=lambda table: table.n == 5)
    loop.accept(facts(match())[0])
    record.broken = FULL
    for fact in facts(OPENED)[1:]:
        loop.accept(fact)
    loop.run()
    assert caplog.records[-1].getMessage() == f"not kept: the last 4 facts of {loop.game}"


@pytest.mark.logs_errors
def test_what_one_game_could_not_keep_does_not_spill_into_the_next(journal):
    record = Failing(journal, "append")
    loop = Bench(record).loop()
    loop.accept(facts(match())[0])
    record.broken = FULL
    for fact in facts(OPENED)[1:]:
        loop.accept(fact)
    loop.accept(facts(match("hearts-classic"))[0])
    record.broken = None
    loop.accept(f.Hand(dealer=1))
    assert_the_journal_folds_to(loop, journal)
    assert [(game.rules, game.facts) for game in journal.games()] == [("hearts-cardems", 1), ("hearts-classic", 2)]


def test_a_game_whose_begin_fails_is_played_and_kept_whole_when_the_journal_works_again(journal):
    record = Failing(journal, "begin")
    bench = Bench(record)
    loop = bench.loop()
    record.broken = FULL
    for fact in facts(OPENED):
        loop.accept(fact)
    assert (loop.game, journal.games(), loop.table.n) == (None, (), 5)
    assert loop.screen().alerts == (f"The record is not being kept: {FULL}",)
    record.broken = None
    loop.accept(facts("2:4C")[0])
    assert loop.screen().alerts == ()
    assert_the_journal_folds_to(loop, journal)


def test_a_journal_that_cannot_note_what_was_shown_still_keeps_the_facts(journal):
    record = Failing(journal, "shown")
    bench = Bench(record)
    loop = bench.loop()
    record.broken = FULL
    for fact in facts(OPENED):
        loop.accept(fact)
    assert loop.screen().alerts == (f"The record is not being kept: {FULL}",)
    assert_the_journal_folds_to(loop, journal)


def test_a_disk_that_really_refuses_is_told_on_the_screen_and_the_game_goes_on(bench, journal):
    loop = bench.loop()
    loop.accept(facts(match())[0])
    (pages,) = journal._store.execute("PRAGMA page_count").fetchone()
    journal._store.execute(f"PRAGMA max_page_count = {pages}")
    loop.accept(f.Lost(device="reader-1", reason="x" * 5000))
    assert [alert for alert in loop.screen().alerts if "free some space" in alert] != []
    assert [device for device, _ in loop.table.state.lost] == ["reader-1"]
    journal._store.execute("PRAGMA max_page_count = 100000")
    loop.accept(f.Found(device="reader-1"))
    assert loop.screen().alerts == ()
    assert_the_journal_folds_to(loop, journal)


def test_a_sync_that_fails_at_the_end_of_a_hand_is_told_and_the_game_goes_on(tmp_path):
    def refuse(_) -> None:
        raise OSError(5, "Input/output error")

    journal = Journal(tmp_path, sync=refuse).__enter__()
    loop = Bench(journal).loop()
    for fact in facts(held() + '{"fact":"end-hand","points":{"0":26,"1":0,"2":0,"3":0}}'):
        loop.accept(fact)
    (alert,) = loop.screen().alerts
    assert alert.startswith("The record is not being kept: ")
    assert "Input/output error" in alert
    for fact in facts('{"fact":"hand"} {"fact":"passed"}'):
        loop.accept(fact)
    assert_the_journal_folds_to(loop, journal)
    with pytest.raises(JournalBroken):
        journal.__exit__(None, None, None)


def test_without_a_journal_it_plays_and_keeps_nothing_back(bench):
    loop = bench.loop(record=None)
    for fact in facts(OPENED):
        loop.accept(fact)
    assert (loop.table.n, loop.game, loop._kept_back, loop.screen().alerts) == (5, None, (), ())


# --- photographs -----------------------------------------------------------------------------------------------------

SEEN = held() + "0~2C 1~3C"


def jpeg(seen: Fact) -> bytes:
    """A photograph that names its card."""
    return b"\xff\xd8" + str(getattr(seen, "card", "")).encode() + b"\xff\xd9"


def photos(journal: Journal, game: str | None) -> dict[int, bytes | None]:
    assert game is not None
    return {n: journal.photo(game, n) for n in journal.photographed(game)}


def test_the_photograph_of_a_cameras_play_is_found_by_game_and_fact_afterwards(tmp_path):
    with Journal(tmp_path) as journal:
        loop = Bench(journal).loop(photo=jpeg)
        for fact in facts(SEEN):
            loop.accept(fact)
    with Journal(tmp_path, readonly=True) as reader:
        assert photos(reader, loop.game) == {4: b"\xff\xd82C\xff\xd9", 5: b"\xff\xd83C\xff\xd9"}


def test_only_the_sightings_of_a_camera_are_asked_for_a_photograph(bench, journal):
    asked: list[Fact] = []
    loop = bench.loop(photo=asked.append)
    told = facts(
        held()
        + '0#2C 0~2C 1:3C 2#4C {"fact":"gone","card":"4C","source":"camera"} {"fact":"seen","seat":2,"card":"4C"} '
        '{"fact":"seen","seat":3,"card":"5C","source":"camera-2"} {"fact":"lost","device":"camera"}'
    )
    for fact in told:
        loop.accept(fact)
    assert [told.index(fact) for fact in asked] == [4, 9]
    assert [fact is told[i] for fact, i in zip(asked, (4, 9), strict=True)] == [True, True]  # as it came, without time
    assert photos(journal, loop.game) == {}  # there was none


def test_a_sighting_that_the_match_refuses_is_not_asked_for_its_photograph(bench, caplog):
    asked: list[Fact] = []
    loop = bench.loop(photo=asked.append)
    for fact in facts("0~2C " + held() + "6~2C"):
        loop.accept(fact)
    assert (asked, len(caplog.records)) == ([], 2)


def test_a_play_is_kept_and_answered_before_its_photograph_is_asked_for(bench, journal):
    at_asking: list[tuple[int, list[str]]] = []
    loop = bench.loop(photo=lambda _: at_asking.append((len(kept(journal, loop.game)), list(bench.told))))
    for fact in facts(held()):
        loop.accept(fact)
    bench.told.clear()
    loop.accept(facts("0~2C")[0])
    assert at_asking == [(4, ["lamps", "heard 4"])]


def test_a_photograph_that_cannot_be_kept_costs_no_fact_and_is_said_once(tmp_path, caplog):
    (tmp_path / "photos").write_text("a file in its place")
    with Journal(tmp_path) as journal:
        bench = Bench(journal)
        loop = bench.loop(photo=jpeg)
        for fact in facts(SEEN):
            bench.inbox.put(fact)
        loop.turn()
        assert_the_journal_folds_to(loop, journal)
        (alert,) = bench.screens[-1].alerts
        path, why = tmp_path / "photos", "File exists: see whether its disk is mounted, writable and healthy (dmesg)"
        assert alert == f"The cards are recorded, but their photographs cannot be kept: {why} ({path})"
        assert [r.getMessage() for r in caplog.records] == [f"the journal cannot keep photographs: {path}: {why}"]
        (tmp_path / "photos").unlink()
        bench.inbox.put(facts("2~4C")[0])
        loop.turn()
        assert bench.screens[-1].alerts == ()
        assert list(photos(journal, loop.game)) == [6]


def test_a_disk_that_is_nearly_full_keeps_the_facts_and_says_once_that_photographs_are_not_kept(tmp_path, caplog):
    with Journal(tmp_path, photos_leave_free=1 << 60) as journal:
        loop = Bench(journal).loop(photo=jpeg)
        for fact in facts(SEEN):
            loop.accept(fact)
        assert_the_journal_folds_to(loop, journal)
        (alert,) = loop.screen().alerts
        said = "the last room on the disk is left to the record"
        assert alert.startswith(f"The cards are recorded, but their photographs cannot be kept: {said}")
        assert alert.endswith(f"({tmp_path / 'photos'})")
        (logged,) = caplog.records
        assert f"the journal cannot keep photographs: {tmp_path / 'photos'}: {said}" in logged.getMessage()
        assert photos(journal, loop.game) == {}


def test_a_disk_without_room_for_photographs_is_told_as_one_trouble_with_the_record(journal):
    record = Failing(journal, "keep_photo", "append")
    bench = Bench(record)
    loop = bench.loop(photo=jpeg)
    for fact in facts(held()):
        loop.accept(fact)
    record.broken = FULL
    for fact in facts("0~2C 1~3C"):
        loop.accept(fact)
    assert loop.screen().alerts == (f"The record is not being kept: {FULL}",)
    record.broken = None
    loop.accept(facts("2~4C")[0])
    assert loop.screen().alerts == ()
    assert_the_journal_folds_to(loop, journal)
    # Those of the facts that were kept back are lost, and no other fact has got them.
    assert photos(journal, loop.game) == {6: b"\xff\xd84C\xff\xd9"}


def test_a_photograph_is_found_under_the_facts_number_after_a_resume(tmp_path):
    game, _ = interrupted(tmp_path, SEEN + ' {"fact":"lost","device":"reader-1"}')
    with Journal(tmp_path) as journal:
        loop = Bench(journal).loop(photo=jpeg)
        assert loop.resume()
        loop.accept(facts("2~4C")[0])
        ((n, photo),) = photos(journal, game).items()
        assert (dict(journal.facts(game))[n].card, photo) == (facts("2~4C")[0].card, b"\xff\xd84C\xff\xd9")


def test_without_a_journal_photographs_are_thrown_away(bench):
    loop = bench.loop(record=None, photo=jpeg)
    for fact in facts(SEEN):
        loop.accept(fact)
    assert (loop.table.n, loop.screen().alerts) == (5, ())


# --- going on after an interruption ----------------------------------------------------------------------------------


def interrupted(folder, script: str, *, mono: float = 5000.0) -> tuple[str, Any]:
    """A game in *folder* that was interrupted after *script*, at *mono* of its boot; its id and its table."""
    with Journal(folder) as journal:
        bench = Bench(journal)
        bench.mono = mono
        loop = bench.loop()
        for fact in facts(script):
            loop.accept(fact)
            bench.mono += 2
        assert loop.game is not None
        return loop.game, loop.table


def test_it_resumes_the_same_hand_though_the_machine_has_booted_and_the_wall_clock_has_jumped_back(tmp_path):
    game, table = interrupted(tmp_path, OPENED)
    with Journal(tmp_path) as journal:
        bench = Bench(journal)
        bench.mono, bench.wall = 3.0, datetime(1970, 1, 1)
        loop = bench.loop()
        assert loop.resume()
        assert (loop.game, loop.table) == (game, table)
        bench.mono += 1
        bench.wall = datetime(2030, 1, 1)
        loop.accept(facts("2:4C")[0])
        assert [fact.at for fact in kept(journal, game)] == [None, 2.0, 4.0, 6.0, 8.0, 9.0]
        assert_the_journal_folds_to(loop, journal)
        assert [g.id for g in journal.games()] == [game]


def test_time_never_falls_though_the_monotonic_clock_would(bench, journal):
    loop = bench.loop()
    for fact in facts(OPENED):
        loop.accept(fact)
        bench.mono += 1
    bench.mono -= 50
    loop.accept(facts("2:4C")[0])
    assert [fact.at for fact in kept(journal, loop.game)] == [None, 1.0, 2.0, 3.0, 4.0, 4.0]


def test_a_device_that_was_lost_counts_as_found_after_a_resume(tmp_path):
    game, _ = interrupted(tmp_path, OPENED + ' {"fact":"lost","device":"reader-1"} {"fact":"lost","device":"camera"}')
    with Journal(tmp_path) as journal:
        loop = Bench(journal).loop()
        assert loop.resume()
        assert loop.table.state.lost == ()
        assert [fact.device for fact in kept(journal, game)[-2:]] == ["reader-1", "camera"]
        assert_the_journal_folds_to(loop, journal)


def test_a_sighting_that_was_not_steady_when_the_power_went_gets_its_tick_after_the_resume(tmp_path):
    glimpse = ' {"fact":"seen","seat":0,"card":"2C","source":"camera","confidence":0.98,"steady":0}'
    _, table = interrupted(tmp_path, held() + glimpse)
    assert table.deadline is not None
    with Journal(tmp_path) as journal:
        bench = Bench(journal)
        bench.mono = 0.5
        loop = bench.loop()
        assert loop.resume()
        bench.mono += 1
        bench.inbox.put(None)
        loop.turn()
        assert [str(laid.card) for laid in loop.table.state.felt.trick] == ["2C"]
        assert_the_journal_folds_to(loop, journal)


def test_a_match_that_is_over_is_closed_and_not_resumed(tmp_path):
    game, _ = interrupted(tmp_path, OPENED + ' {"fact":"end-match"}')
    with Journal(tmp_path) as journal:
        loop = Bench(journal).loop()
        assert not loop.resume()
        assert (loop.game, loop.table.n, journal.unfinished()) == (None, 0, None)
        assert [(g.id, g.state) for g in journal.games()] == [(game, "over")]


def test_there_is_nothing_to_resume_in_a_new_store(bench):
    loop = bench.loop()
    assert not loop.resume()
    assert loop.table.n == 0


def test_a_full_disk_at_the_start_does_not_give_the_interrupted_hand_up(tmp_path):
    game, table = interrupted(tmp_path, OPENED)
    with Journal(tmp_path) as journal:
        record = Failing(journal, "resume")
        record.broken = FULL
        loop = Bench(record).loop()
        assert loop.resume()
        assert (loop.game, loop.table) == (game, table)
        loop.accept(facts("2:4C")[0])
        assert loop.screen().alerts == (f"The record is not being kept: {FULL}",)
        assert len(kept(journal, game)) == 5
        record.broken = None
        loop.accept(facts("3:5C")[0])
        assert loop.screen().alerts == ()
        assert_the_journal_folds_to(loop, journal)


def test_a_damaged_game_is_not_resumed_and_not_overwritten(tmp_path):
    game, _ = interrupted(tmp_path, OPENED)
    store = sqlite3.connect(tmp_path / "games.sqlite")
    store.execute("UPDATE facts SET line = replace(line, '2C', '9C')")
    store.commit()
    store.close()
    with Journal(tmp_path) as journal:
        loop = Bench(journal).loop()
        with pytest.raises(JournalBroken, match=f"{game}, fact 4 is damaged"):
            loop.resume()
        assert (loop.game, loop.table.n, journal.unfinished()) == (None, 0, game)
