"""An evening before the camera alone, with everything that happens at a table: what is recorded wrongly, what is asked?

    python -m tests.bench.evening [--hands 100] [--seed 0] [--nuisance NAME|all|each] [--size 2304x1296|1280x720]
                                  [--jobs 1] [--match 4] [--style NAME] [--frames FOLDER] [--verbose]

Virtual players (tablepi/virtual/world.py) play whole hands with drawn cards, now and then by mistake; nuisances are
strewn in while cards are laid, between them, and while they are swept. The frames go through the real eye and reader
and the facts to the real table. All happens in one thread by the felt's time alone: a seed is an evening, frame by
frame, on every machine.

What is recorded in the end, after people's answers to the table's questions, is compared with the truth. Each trouble
is printed with its seed, hand, trick and the felt's time; with the ``--seed`` and ``--nuisance`` of that line, as many
hands of a match and the same size it is played again, and with ``--frames`` the frames around it are written as
pictures.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from tablepi import facts as f
from tablepi.cards import ALL_CARDS, Card, Seat
from tablepi.facts import Fact
from tablepi.sight import coming
from tablepi.state import Line
from tablepi.table import Table, complaint, empty, step
from tablepi.virtual.camera import FPS, VirtualCamera
from tablepi.virtual.deck import STYLES
from tablepi.virtual.felt import LAY_S, Face, Felt, Glass, Phone, Stranger, Told
from tablepi.virtual.photograph import Photographer, legible
from tablepi.virtual.players import FAULTS, Act, HandOver, Lay, Lift, Sweep
from tablepi.virtual.pose import MARKERS_MM, Pose
from tablepi.virtual.world import TRIES, AtOnce, Stuck, World
from tablepi.vision.eye import Eye
from tablepi.vision.reader import CardReader
from tests.bench.tables import Results, machine, print_table
from tests.script import RULEBOOK
from tests.virtual.truth import expected, game, ruled

SURE = 0.5
"""The confidence under which a card that the camera tells is a question anyway (as in ``sight``)."""
PATIENCE_S = 4.0
"""Seconds of the felt's time after which a card that is not told is put into place anew."""
RECENT_S = 10.0
"""Nuisances that began so long before a trouble are named with it."""
ALONE, AMONG = 0.35, 0.5
"""How likely it is that a nuisance happens at a card, a pause or a sweep: one alone, and any of all."""

Place = tuple[int, int, Seat]
"""Hand, trick, seat."""


# --- what is counted -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trouble:
    """Something that went wrong at a moment of the felt's time."""

    kind: str
    seed: int
    nuisance: str
    hand: int
    trick: int
    at: float
    text: str

    def line(self) -> str:
        return (
            f"{self.kind}: --seed {self.seed} --nuisance {self.nuisance}, hand {self.hand} trick {self.trick}, "
            f"{self.at:.2f} s: {self.text}"
        )


@dataclass
class Counts:
    """What happened in some matches. *late* and *gone*: seconds from a card's release, and from the going of the hand
    that laid it, to the fact; *ms*: processor time of each frame; *read*: of those in which something was read."""

    matches: int = 0
    hands: int = 0
    plays: int = 0
    nuisances: Counter[str] = field(default_factory=Counter)
    troubles: list[Trouble] = field(default_factory=list)
    entered: int = 0
    late: list[float] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    resident: tuple[float, float] = (0.0, 0.0)
    threads: int = 0

    def add(self, other: Counts) -> None:
        self.matches += other.matches
        self.hands += other.hands
        self.plays += other.plays
        self.nuisances += other.nuisances
        self.troubles += other.troubles
        self.entered += other.entered
        for name in ("late", "gone", "ms", "read"):
            getattr(self, name).extend(getattr(other, name))
        self.resident = self.resident[0] or other.resident[0], other.resident[1]
        self.threads = max(self.threads, other.threads)

    def of(self, kind: str) -> int:
        return sum(trouble.kind == kind for trouble in self.troubles)


# --- the table -----------------------------------------------------------------------------------------------------


@dataclass
class Lain:
    """A card that truly lies on the felt from the moment at which it is released until it has left."""

    seat: Seat
    card: Card
    since: float
    settled: float
    until: float = float("inf")
    told: bool = False


class Evening:
    """One match of *hands* hands, with the nuisances *names*, before a camera of *size*.

    It is the world's surface, its clock, and the loop that tells the table's facts.
    """

    tells: tuple[type[f.Tag] | type[f.Seen], ...] = (f.Seen,)
    tells_leaving = True

    def __init__(
        self,
        seed: int,
        name: str,
        *,
        hands: int,
        size: tuple[int, int],
        style: str | None = None,
        eye: Eye | None = None,
    ) -> None:
        self.seed, self.name = seed, name
        every = tuple(each for each in (*NUISANCES, *WAYS) if each not in APART)
        self.names = every if name == "all" else () if name in ("none", *GAMES) else (name,)
        self.rng = random.Random(f"{seed} {name}")
        pose = Pose.seeded(size, seed)
        decks = legible(pose)
        deck = STYLES[style] if style is not None else decks[seed % len(decks)]
        self.felt = Felt(4, seed=seed)
        self.photographer = Photographer(pose, deck, seed=seed)
        self.camera = VirtualCamera(self.felt, self.photographer, clock=None)
        self.eye = eye or Eye(CardReader(), 4)
        self.table: Table = empty(RULEBOOK)
        self.counts = Counts(matches=1)
        self.lain: list[Lain] = []
        self.agenda: list[tuple[float, Callable[[], object]]] = []
        self.happened: list[tuple[float, str]] = []
        self.hand = self.trick = 0
        self.dark_until = -1.0
        self.second = self.sunny = False
        self.standing: dict[type[Glass] | type[Phone], Seat] = {}
        self.times: Counter[tuple[int, str]] = Counter()
        self.released = -1.0  # when the latest card is let go
        self.laid_at = -1.0  # when the latest card was laid
        self.when: dict[tuple[int, Card], float] = {}  # when each card of a hand came to lie
        self.exempt: set[Place] = set()  # who laid a card too many as a nuisance: the table may well say so
        self.truth: list[Mapping[str, Any]] = []
        slips = {"mistakes": FAULTS, "taken-back": ("taken-back",)}.get(name, ())
        acts = game(seed, hands=hands, erring=bool(slips), kinds=slips)
        self.acts = list(_grouped(acts, self.rng, self._chance_of("at-once")))
        self.lays = [act for act in acts if isinstance(act, Lay)]
        self.tricks = {(a.hand, a.trick): dict(a.cards) for a in acts if isinstance(a, Sweep)}
        self.world = World(self.acts, self, self.put, write=self._note, patience_s=PATIENCE_S, wait=self.wait)

    @property
    def now(self) -> float:
        return self.camera.now()

    # --- the loop ---

    def play(self) -> Counts:
        finished = set()
        with self.camera:
            for _ in range(int(2 * FPS)):
                self._frame()
            while self.counts.of("stuck") < 6:  # a table that answers nothing is no evening
                try:
                    act = self.world.step()
                except Stuck as stuck:  # people go on, whatever the table has not seen
                    text = str(stuck).partition(":")[2].partition(", and no")[0].strip()
                    kind = "sweep not seen" if "swept" in text else "stuck"
                    self._trouble(kind, text, at=self.now - TRIES * PATIENCE_S)
                    continue
                if act is None:
                    break
                if isinstance(act, HandOver):
                    finished.add(act.hand)
                if isinstance(act, Lay | Lift | AtOnce | Sweep | HandOver):
                    self._pause()
        self._judge(finished)
        return self.counts

    def wait(self, ready: Callable[[], bool], seconds: float) -> bool:
        """Let the felt's time go on until something is so, at most so many seconds."""
        until = self.now + seconds
        while not ready():
            if self.now >= until:
                return False
            self._frame()
        return True

    def put(self, fact: Fact) -> None:
        """A person enters a fact."""
        self.counts.entered += isinstance(fact, f.Play)
        self._tell(fact)
        self.world.look(self.table)

    def _frame(self) -> None:
        while self.agenda and self.agenda[0][0] <= self.now:
            self.agenda.pop(0)[1]()
        frame = self.camera.grab()
        assert frame is not None
        reads = self.eye.watcher.reads if self.eye.watcher else 0
        began = time.process_time()
        try:
            facts = self.eye.look(frame)
        except Exception as bug:  # the rest of the evening is worth seeing
            facts = []
            where = traceback.extract_tb(bug.__traceback__)[-1]
            self._trouble("crash", f"{Path(where.filename).name}:{where.lineno} {where.name}: {str(bug)[:160]!r}")
        took = (time.process_time() - began) * 1000
        self.counts.ms.append(took)
        if self.eye.watcher and self.eye.watcher.reads > reads:
            self.counts.read.append(took)
        for fact in facts:
            self._check(fact, frame.at, self._tell(fact))
        if facts:
            self.world.look(self.table)

    def _tell(self, fact: Fact) -> tuple[Line, ...]:
        wrong = complaint(self.table, fact)
        if wrong is not None:
            self._trouble("refused", f"{fact}: {wrong}")
            return ()
        self.table = step(self.table, fact)
        self.eye.know(*coming(self.table.state.felt))
        for line in self.table.lines:
            if "question" in line:
                called_for = self.name == "mistakes" or (self.hand, self.trick) in {place[:2] for place in self.exempt}
                self._trouble("asked rightly" if called_for else "asked", f"{line['ask']} after {_brief(fact)}")
        return self.table.lines

    def _pause(self) -> None:
        """People take their time, or none."""
        seconds = self.rng.choice((0.0, self.rng.uniform(0.2, 1.5), self.rng.uniform(0.5, 4.0)))
        self._strew(seconds)
        self.wait(lambda: False, seconds)
        self.wait(lambda: self.now >= self.dark_until, 30.0)

    # --- the surface ---

    def lay(self, seat: Seat, laid: Card) -> None:
        if self.felt.lies(seat, laid):
            self.felt.lay(seat, laid, at=self.now)
            return
        at = self.now
        if self.laid_at == at:  # who lays at once with another does not wait for that hand to go
            at = max(at + self.rng.uniform(0.0, 0.8), self.released - LAY_S[0] / 2)  # but is no sooner ready
            self.note("at-once")
        self.laid_at = self.now
        told = self._laid(seat, laid, at)
        self.released = told.released or told.settled
        self._strew(told.settled - self.now + 0.5)

    def _laid(self, seat: Seat, laid: Card, at: float) -> Told:
        """The card is laid in one of the ways in which people lay cards."""
        way = next((way for way in ("slide", "turned", "two") if self.rng.random() < self._chance_of(way)), "")
        extra = self._held(seat, laid) if way == "two" else None
        if way == "slide":
            told = self.felt.slide(seat, laid, at=at)
        elif way == "turned":
            down = self.felt.lay(seat, "back", at=at)
            told = self.felt.turn_up(seat, laid, at=down.settled + self.rng.uniform(0.0, 1.5))
        elif extra is not None:
            told = self._laid_with(seat, laid, extra, at)
        else:
            way, told = "", self.felt.lay(seat, laid, at=at)
        if way:
            self.note(way)
        self.lies(seat, laid, told)
        return told

    def _laid_with(self, seat: Seat, laid: Card, extra: Card, at: float) -> Told:
        """Another card of the hand comes with it, above or below, and is taken back."""
        both = (laid, extra) if self.rng.random() < 0.5 else (extra, laid)
        told = self.felt.lay_both(seat, both, at=at)
        self.lies(seat, extra, told)
        self.exempt.add((self.hand, self.trick, seat))

        def away() -> None:
            if not self.felt.lies(seat, extra):
                return
            self.left(self.felt.lift(seat, extra, at=self.now))
            felt = self.table.state.felt
            if felt is not None and extra.bit & felt.seen and all(laid.card != extra for laid in felt.trick):
                # It looks like a card that is swept with its trick: that it was taken back, a person must say.
                self.put(f.Withdraw(seat=seat, card=extra, source="person"))

        self.later(self.rng.uniform(2.0, 4.0), away)
        return told

    def _held(self, seat: Seat, but: Card) -> Card | None:
        """A card that *seat* has still in its hand, *but* this one."""
        mine = [lay.card for lay in self.lays if lay.hand == self.hand and lay.seat == seat]
        laid = {lain.card for lain in self.lain}
        held = [card for card in mine if card not in laid and card != but]
        return self.rng.choice(held) if held else None

    def lift(self, seat: Seat, lifted: Card) -> None:
        self.left(self.felt.lift(seat, lifted, at=self.now))

    def sweep(self, seat: Seat | None) -> None:
        told = self.felt.sweep(seat, at=self.now)
        self.left(told)
        self._strew(told.settled - self.now)

    def lies(self, seat: Seat, face: Face, told: Told) -> None:
        """A card has been laid: that is true from now on."""
        if isinstance(face, Card):
            assert told.released is not None
            self.lain.append(Lain(seat, face, told.released, told.settled))
            self.when[self.hand, face] = told.released

    def left(self, told: Told) -> None:
        """What was lifted or swept does not lie there any more."""
        for lain in self.lain:
            if lain.card in told.faces and lain.until == float("inf"):
                lain.until = told.settled

    # --- nuisances ---

    def _chance_of(self, way: str) -> float:
        return 0.0 if way not in self.names else WAYS[way] / (1 if len(self.names) == 1 else 5)

    def _strew(self, seconds: float) -> None:
        """Perhaps a nuisance, somewhen within *seconds*."""
        names = [name for name in self.names if name in NUISANCES]
        if names and self.rng.random() < (ALONE if len(self.names) == 1 else AMONG):
            name = self.rng.choice(names)
            self.later(self.rng.uniform(0.0, max(seconds, 0.0)), lambda: self._happen(name))

    def _happen(self, name: str) -> None:
        before = len(self.felt.told)
        NUISANCES[name](self)
        if len(self.felt.told) > before:  # there was something to disturb
            self.note(name)

    def note(self, name: str) -> None:
        self.counts.nuisances[name] += 1
        self.happened.append((self.now, name))

    def later(self, seconds: float, do: Callable[[], object]) -> None:
        self.agenda.append((self.now + seconds, do))
        self.agenda.sort(key=lambda entry: entry[0])

    def lying(self) -> Lain | None:
        """A card that lies on the felt."""
        there = [x for x in self.lain if x.until == float("inf") and self.felt.lies(x.seat, x.card)]
        return self.rng.choice(there) if there else None

    def among_cards(self) -> tuple[float, float]:
        return self.rng.uniform(-110.0, 110.0), self.rng.uniform(-110.0, 110.0)

    def often(self, name: str, times: int) -> bool:
        """Whether something has happened so many times in this hand; if not, it happens once more."""
        if self.times[self.hand, name] >= times:
            return True
        self.times[self.hand, name] += 1
        return False

    def somebody(self) -> Seat:
        return self.rng.randrange(4)

    # --- the truth ---

    def _note(self, line: Mapping[str, Any]) -> None:
        self.truth.append(line)
        self.hand = line["hand"]
        if "laid" in line:
            self.trick = line["trick"]
        if "dealt" in line:
            self.trick, self.lain = 0, []

    def _check(self, fact: Fact, at: float, answers: Iterable[Line]) -> None:
        """Whether what the camera tells is so."""
        if isinstance(fact, f.Seen):
            true = [x for x in self.lain if x.card == fact.card and x.since <= at <= x.until]
            lain = next((x for x in true if fact.seat in (None, x.seat)), None)
            if lain is None:
                there = [f"{x.card} of seat {x.seat}" for x in self.lain if x.since <= at <= x.until]
                asked = fact.confidence is not None and fact.confidence < SURE
                asked = asked or fact.seat is None or any("question" in line for line in answers)
                kind = "false, asked" if asked else "phantom"
                if kind == "phantom" and self.name in APART:
                    kind, n = "mended", self.table.log[-1].n
                    self.later(1.5, lambda: self.put(f.Correct(n=n, drop=True, reason="display", source="person")))
                self._trouble(kind, f"{_brief(fact)}; there lie {', '.join(there) or 'none'}")
            elif not lain.told:
                lain.told = True
                self.counts.late.append(at - lain.since)
                self.counts.gone.append(at - lain.settled)
        elif isinstance(fact, f.Gone):
            # (In its last frame a card may be out of the picture already, in the hand that takes it.)
            true = [x for x in self.lain if x.card == fact.card and x.since <= at < x.until - 1 / FPS]
            if true:
                self._trouble("lost", f"{fact.card} of seat {true[0].seat} lies there still")

    def _judge(self, finished: set[int]) -> None:
        """Compare what stands in the end with the truth, for the hands that were played to their end."""
        lines = [line for entry in self.table.log for line in entry.lines]
        recorded = {(line["hand"], line["trick"]): line["cards"] for line in lines if line.get("event") == "trick"}
        self.counts.hands += len(finished)
        for (hand, trick), cards in self.tricks.items():
            if hand not in finished:
                continue
            self.counts.plays += len(cards)
            for seat, laid in cards.items():
                said = recorded.get((hand, trick), {}).get(str(seat))
                if said != str(laid):
                    at = self.when[hand, laid]
                    self._trouble("wrong", f"seat {seat} laid {laid}, recorded {said}", hand, trick, at)
        truth = [line for line in self.truth if line["hand"] in finished]
        verdicts, must = ruled([x for x in lines if x.get("hand") in finished]), expected(truth)
        guilty = {place[:3] for place in must.proved | must.breaches} | self.exempt
        accused = {place[:3] for place in verdicts.proved | verdicts.breaches}
        for hand, trick, seat in sorted(accused - guilty):
            self._trouble("innocent accused", f"seat {seat}", hand, trick)
        for hand, trick, seat in sorted(guilty - accused - self.exempt):
            self._trouble("offence not found", f"seat {seat}", hand, trick)

    def _trouble(
        self, kind: str, text: str, hand: int | None = None, trick: int | None = None, at: float | None = None
    ) -> None:
        hand, trick, at = hand or self.hand, trick or self.trick, self.now if at is None else at
        recent = [f"{name} {at - then:.1f} s before" for then, name in self.happened if at - RECENT_S < then <= at]
        text = f"{text} [{', '.join(recent[-4:]) or 'no nuisance'}; {self.photographer.deck.style.name}]"
        self.counts.troubles.append(Trouble(kind, self.seed, self.name, hand, trick, at, text))

    def write(self, folder: Path, trouble: Trouble) -> None:
        """The frames around *trouble*, as the watcher saw them, and their half."""
        last = round(trouble.at * FPS) + 6
        for number in range(max(last - 36, 1), last + 1, 3):
            picture = self.photographer.photograph(self.felt.scene(number / FPS), number)
            name = f"{trouble.nuisance}-{self.seed}-{trouble.kind.replace(' ', '-').replace(',', '')}-{number:06}.png"
            cv2.imwrite(str(folder / name), picture)


def _brief(fact: Fact) -> str:
    told = (getattr(fact, name, None) for name in ("seat", "card", "confidence"))
    return " ".join(map(str, (fact.kind, *(value for value in told if value is not None))))


def _grouped(acts: Iterable[Act], rng: random.Random, share: float) -> Iterator[Act | AtOnce]:
    """Of *share* of the cards the next one is laid at once with them, and perhaps the one after that."""
    group: list[Lay] = []
    for act in acts:
        if isinstance(act, Lay) and act.fault is None and share:
            group.append(act)
            if rng.random() < share:
                continue
            yield AtOnce(tuple(group)) if len(group) > 1 else group[0]
            group = []
            continue
        if group:
            yield AtOnce(tuple(group)) if len(group) > 1 else group[0]
            group = []
        yield act


# --- nuisances -----------------------------------------------------------------------------------------------------


def _cross(evening: Evening) -> None:
    """A hand over the table, sometimes one that stays there."""
    evening.felt.cross(evening.somebody(), at=evening.now, pause_s=evening.rng.choice((0.0, 0.0, 1.0, 4.0)))


def _nudge(evening: Evening) -> None:
    lain = evening.lying()
    if lain is not None:
        evening.felt.nudge(lain.seat, lain.card, at=evening.now, by_mm=evening.rng.uniform(4.0, 16.0))


def _straighten(evening: Evening) -> None:
    lain = evening.lying()
    if lain is not None:
        evening.felt.straighten(lain.seat, lain.card, at=evening.now)


def _flicker(evening: Evening) -> None:
    evening.felt.lamp(evening.rng.uniform(0.4, 0.9), evening.rng.uniform(0.1, 2.0), at=evening.now)


def _lamp(evening: Evening) -> None:
    """The ceiling lamp goes out for some seconds; nobody plays until it burns again."""
    if evening.now < evening.dark_until:
        return
    seconds = evening.rng.uniform(1.0, 6.0)
    evening.felt.switch("ceiling", on=False, at=evening.now)
    evening.felt.switch("ceiling", on=True, at=evening.now + seconds)
    evening.dark_until = evening.now + seconds + 0.5


def _second_lamp(evening: Evening) -> None:
    evening.second = not evening.second
    evening.felt.switch("second", on=evening.second, at=evening.now)


def _sun(evening: Evening) -> None:
    """The sun comes out, or a cloud takes it away, quickly or slowly."""
    evening.sunny = not evening.sunny
    seconds = evening.rng.choice((0.5, 1.0, 6.0))
    (evening.felt.shine if evening.sunny else evening.felt.cloud)(at=evening.now, seconds=seconds)


def _thing(kind: type[Glass] | type[Phone]) -> Callable[[Evening], None]:
    """A glass or a telephone is put down, mostly beside the cards, sometimes among them or on a marker, and taken away
    later."""

    def happen(evening: Evening) -> None:
        if kind in evening.standing:
            evening.felt.take_away(evening.standing.pop(kind), kind, at=evening.now)
            return
        to = evening.rng.choice((None, None, evening.among_cards(), evening.rng.choice(MARKERS_MM)))
        seat = evening.standing[kind] = evening.somebody()
        (evening.felt.put_glass if kind is Glass else evening.felt.put_phone)(seat, at=evening.now, to=to)

    return happen


def _something(face: Face, *, outside: bool = False) -> Callable[[Evening], None]:
    """What is no card of this game is laid, and taken away after some seconds if nobody swept it with the trick."""

    def happen(evening: Evening) -> None:
        seat = evening.somebody()
        if evening.felt.lies(seat, face):
            return
        to = evening.rng.choice(((-280.0, 0.0), (280.0, 0.0), (-280.0, 90.0), (280.0, -90.0))) if outside else None
        evening.felt.lay(seat, face, at=evening.now, to=to)

        def away() -> None:
            if evening.felt.lies(seat, face):
                evening.felt.lift(seat, face, at=evening.now)

        evening.later(evening.rng.uniform(1.5, 6.0), away)

    return happen


def _stranger(evening: Evening) -> None:
    """A card of another deck: its back or its joker among the cards, its face outside the trick area."""
    shown = evening.rng.choice(ALL_CARDS)
    strangers = (Stranger("back"), False), (Stranger("joker"), False), (Stranger(shown), True)
    face, outside = evening.rng.choice(strangers)
    _something(face, outside=outside)(evening)


def _stranger_up(evening: Evening) -> None:
    """A card of another deck, face up among the cards, twice a hand at most."""
    if evening.often("stranger-up", 2):
        return
    _something(Stranger(evening.rng.choice(ALL_CARDS)))(evening)


def _knock(evening: Evening) -> None:
    """The camera is knocked, twice a hand at most; sometimes a hand is over a marker meanwhile."""
    if evening.often("knock", 2):
        return
    if evening.rng.random() < 0.5:
        to = evening.rng.choice(MARKERS_MM)
        evening.felt.cross(evening.somebody(), at=evening.now, pause_s=evening.rng.uniform(0.5, 5.0), to=to)
    evening.felt.knock(at=evening.now + evening.rng.uniform(0.0, 1.0), by_mm=evening.rng.choice((2.0, 6.0, 12.0)),
                       by_deg=evening.rng.choice((0.1, 0.4, 0.8)))  # fmt: skip


def _marker(evening: Evening) -> None:
    """A hand lies on a marker for a while."""
    to = evening.rng.choice(MARKERS_MM)
    evening.felt.cross(evening.somebody(), at=evening.now, pause_s=evening.rng.uniform(0.5, 6.0), to=to)


NUISANCES: dict[str, Callable[[Evening], None]] = {
    "cross": _cross,
    "nudge": _nudge,
    "straighten": _straighten,
    "flicker": _flicker,
    "lamp": _lamp,
    "second-lamp": _second_lamp,
    "sun": _sun,
    "glass": _thing(Glass),
    "phone": _thing(Phone),
    "back": _something("back"),
    "joker": _something("joker"),
    "stranger": _stranger,
    "stranger-up": _stranger_up,
    "marker": _marker,
    "knock": _knock,
}
WAYS = {"slide": 0.6, "turned": 0.5, "two": 0.1, "at-once": 0.5}
"""Nuisances that are a way of laying a card, and how likely each is where it is the only one."""
APART = ("stranger-up",)
"""What a camera can hardly know to be no play, so that people must see it on the display and say that it was never
played: not among all."""
GAMES = ("mistakes", "taken-back")
"""Games whose players make mistakes: all that there are, where the table does well to ask, or one."""


# --- the report ----------------------------------------------------------------------------------------------------


def play(seed: int, name: str, options: argparse.Namespace) -> Counts:
    """One match with the nuisance *name*."""
    cv2.setNumThreads(1)
    width, height = map(int, options.size.split("x"))
    gc.collect()
    before = _resident_mb()
    evening = Evening(seed, name, hands=options.match, size=(width, height), style=options.style)
    counts = evening.play()
    if options.frames is not None:
        options.frames.mkdir(parents=True, exist_ok=True)
        for trouble in counts.troubles:
            evening.write(options.frames, trouble)
    del evening
    gc.collect()
    counts.resident = before, _resident_mb()
    counts.threads = threading.active_count() - 1
    return counts


def _resident_mb() -> float:
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if status.exists() else 0.0


KINDS = {
    "wrong": "wrong",
    "asked": "asked",
    "asked rightly": "rightly",
    "phantom": "phantom",
    "false, asked": "false, asked",
    "mended": "mended",
    "lost": "lost",
    "innocent accused": "accused",
    "offence not found": "missed",
    "sweep not seen": "unswept",
    "stuck": "stuck",
    "refused": "refused",
    "crash": "crash",
}
"""The kinds of trouble, and the head of each one's column. *wrong*: a play that is recorded otherwise than it was, or
not; *rightly* asked is what an offence or a card too many called for; *phantom*: a card told that does not lie there,
*mended* where people had to say so unasked; *lost*: one told to have left that lies there;
*unswept*: tricks swept away untold; *refused*: facts that the table cannot take; *crash*: a frame that the eye raised
an error at."""
COLUMNS = ("", "hands", "plays", "nuisances", *KINDS.values(), "entered")
TIMES = ("", "frames", "release to fact", "95 %", "hand gone to fact", "95 %", "ms a frame", "95 %", "read ms", "95 %")


def _row(name: str, counts: Counts) -> tuple[str, ...]:
    numbers = counts.hands, counts.plays, counts.nuisances.total(), *map(counts.of, KINDS), counts.entered
    return (name, *map(str, numbers))


def _times(name: str, counts: Counts) -> tuple[str, ...]:
    return (name, str(len(counts.ms)), *_spread(counts.late, "{:.2f}"), *_spread(counts.gone, "{:.2f}"),
            *_spread(counts.ms, "{:.1f}"), *_spread(counts.read, "{:.0f}"))  # fmt: skip


def _spread(values: list[float], form: str) -> tuple[str, str]:
    if not values:
        return "", ""
    return form.format(statistics.median(values)), form.format(sorted(values)[int(len(values) * 0.95)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = (*NUISANCES, *WAYS, *GAMES)
    parser.add_argument("--hands", type=int, default=100, help="hands of each nuisance")
    parser.add_argument("--match", type=int, default=4, help="hands of a match; each has a seed and a deck of its own")
    parser.add_argument("--seed", type=int, default=0, help="the first match's; each later one's is the next number")
    parser.add_argument("--nuisance", default="all", help=f"all, each, none or one of {', '.join(known)}")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--style", choices=sorted(STYLES), help="the deck; by default each match has the next one")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--frames", type=Path, help="a folder for the frames around each trouble")
    parser.add_argument("--verbose", action="store_true", help="print each question, too")
    options = parser.parse_args()
    if options.nuisance not in ("all", "each", "none", *known):
        parser.error(f"no nuisance {options.nuisance}: known are {', '.join(known)}")
    names = ("none", *known, "all") if options.nuisance == "each" else (options.nuisance,)
    options.match = min(options.match, options.hands)
    seeds = range(options.seed, options.seed + -(-options.hands // options.match))
    print(machine(), flush=True)
    again = f"--hands {options.match} --match {options.match} --size {options.size}"
    print(f"to see one again: {again} and what its line says", flush=True)
    sums = {name: Counts() for name in names}
    jobs = [(seed, name) for name in names for seed in seeds]
    quiet = () if options.verbose else ("asked", "asked rightly", "false, asked")
    for name, counts in _played(jobs, options):
        for trouble in counts.troubles:
            if trouble.kind not in quiet:
                print(trouble.line(), flush=True)
        if options.verbose:
            print(f"{name}, a match of {counts.hands} hands: {len(counts.ms)} frames", file=sys.stderr, flush=True)
        sums[name].add(counts)
    whole = Counts()
    for counts in sums.values():
        whole.add(counts)
    rows = [*sums.items(), ("together", whole)] if len(sums) > 1 else list(sums.items())
    title = f"Evenings before the camera alone, {options.size}"
    print_table(Results(title, COLUMNS, tuple(_row(*row) for row in rows)))
    title = f"Seconds of the felt's time at {FPS:g} frames a second; processor time"
    print_table(Results(title, TIMES, tuple(_times(*row) for row in rows)))
    share = 1000 / max(whole.plays, 1)
    print(f"of 1,000 plays {whole.of('wrong') * share:.1f} wrong, {whole.of('asked') * share:.1f} asked; "
          f"{', '.join(f'{name} {count}' for name, count in whole.nuisances.most_common())}")  # fmt: skip
    print(f"{whole.resident[0]:.0f} MB resident before, {whole.resident[1]:.0f} MB after; {whole.threads} threads left")
    return 1 if whole.of("wrong") or whole.of("phantom") or whole.of("innocent accused") else 0


def _played(jobs: list[tuple[int, str]], options: argparse.Namespace) -> Iterator[tuple[str, Counts]]:
    if options.jobs == 1:
        for seed, name in jobs:
            yield name, play(seed, name, options)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        running = [(name, pool.submit(play, seed, name, options)) for seed, name in jobs]
        for name, job in running:
            yield name, job.result()


if __name__ == "__main__":
    sys.exit(main())
