"""The same games seen by camera alone, by readers alone, and by both: do the plays and the rulings come out the same?

    python -m tests.bench.sources [--seeds 20] [--hands 4] [--first 0] [--sources camera both readers] [--size 1280x720]

Players who err play through the virtual world: hands lay drawn cards before the virtual camera, whose frames go through
the real eye and reader. Felt time runs as fast as the frames can be read. What was ruled is compared with what the
truth file demands (tests/virtual/truth.py, written apart from the engine).

With ``--misread`` the games are told as facts instead, by a camera that takes some cards for look-alikes and misses
some: nobody innocent may be accused, and every such fault must be mended by the answers to the table's questions or be
listed as unresolved.
"""

from __future__ import annotations

import argparse
import queue
import random
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import cv2

from tablepi import facts as f
from tablepi.cards import Card, Seat, look_alikes
from tablepi.sight import coming
from tablepi.state import Line
from tablepi.virtual.world import Stuck, Surfaces, World
from tests.bench.tables import machine
from tests.script import Told
from tests.virtual.truth import Verdicts, expected, game, ruled

OVER = object()


class TagFelt:
    """Readers without ports: what is laid is told at once."""

    tells = (f.Tag,)
    tells_leaving = False

    def __init__(self, inbox: queue.Queue[Any]) -> None:
        self._inbox = inbox

    def lay(self, seat: Seat, card: Card) -> None:
        self._inbox.put(f.Tag(seat=seat, card=card, source=f"reader-{seat}"))

    def lift(self, seat: Seat, card: Card) -> None: ...

    def sweep(self, winner: Seat | None) -> None: ...


@dataclass(frozen=True)
class Seen:
    """How a game was seen. *tricks* are the cards of each trick by seat; *asked* the table's questions, *entered* the
    cards that people had to enter; *frames* and *reads* of the camera."""

    seed: int
    source: str
    tricks: dict[tuple[int, int], dict[str, str]]
    verdicts: Verdicts
    truth: Verdicts
    asked: int
    entered: int
    plays: int
    frames: int = 0
    reads: int = 0
    seconds: float = 0.0


def play(seed: int, source: str, *, hands: int, size: tuple[int, int] = (1280, 720)) -> Seen:
    """One game of *hands* hands with mistakes, seen by *source*: ``camera``, ``readers`` or ``both``."""
    from tablepi.virtual.camera import CameraSurface, VirtualCamera
    from tablepi.virtual.felt import Felt
    from tablepi.virtual.photograph import Photographer, legible
    from tablepi.virtual.pose import Pose
    from tablepi.vision.eye import Eye
    from tablepi.vision.reader import CardReader

    cv2.setNumThreads(1)
    began = time.perf_counter()
    inbox: queue.Queue[Any] = queue.Queue()
    pose = Pose.seeded(size, seed)
    decks = legible(pose)
    felt = Felt(4, seed=seed)
    camera = VirtualCamera(felt, Photographer(pose, decks[seed % len(decks)], seed=seed), clock=None)
    eye = Eye(CardReader(), 4)
    surfaces: list[Any] = [TagFelt(inbox)] if source in ("readers", "both") else []
    surfaces += [CameraSurface(camera)] if source in ("camera", "both") else []
    truth: list[Any] = []
    told, frames = Told(""), 0
    world = World(game(seed, hands=hands), Surfaces(*surfaces), inbox.put, write=truth.append, patience_s=4.0,
                  on_done=lambda: inbox.put(OVER))  # fmt: skip
    with camera, world:
        over = False
        while not over:
            try:
                fact = inbox.get_nowait() if source != "readers" else inbox.get(timeout=10)
            except queue.Empty:
                frame = camera.grab()
                frames += 1
                seen = eye.look(frame) if frame is not None else []
                for each in seen:
                    told.tell([each])
                if seen:
                    world.look(told.table)
                eye.know(*coming(told.table.state.felt))
                continue
            over = fact is OVER
            if not over:
                told.tell([fact])
                world.look(told.table)
    return Seen(
        seed,
        source,
        _tricks(_in_the_end(told)),
        ruled(_in_the_end(told)),
        expected(truth),
        len(told.questions()),
        sum(isinstance(e.fact, f.Play) for e in told.table.log),
        sum("laid" in line for line in truth),
        frames,
        eye.watcher.reads if eye.watcher is not None else 0,
        time.perf_counter() - began,
    )


def _in_the_end(told: Told) -> list[Line]:
    """What every fact stands for when all corrections and answers are in."""
    return [line for entry in told.table.log for line in entry.lines]


def _tricks(lines: Iterable[Any]) -> dict[tuple[int, int], dict[str, str]]:
    return {(line["hand"], line["trick"]): line["cards"] for line in lines if line.get("event") == "trick"}


# --- a camera that errs, told as facts ------------------------------------------------------------------------------


def misread(seed: int, *, hands: int, share: float) -> dict[str, int]:
    """One game told by a camera that takes *share* of the cards for look-alikes and misses *share*: counts of cards,
    of faults made, of faults that stand in the end without being asked about or listed, and of innocents accused."""
    rng = random.Random(seed * 7919 + 1)
    faults: list[tuple[str, Seat, Card]] = []
    truth: list[Any] = []
    inbox: queue.Queue[Any] = queue.Queue()

    class Erring:
        tells = (f.Seen,)
        tells_leaving = False

        def lay(self, seat: Seat, card: Card) -> None:
            if (seat, card) in laid:
                return  # it lies there, and looks as it did
            laid.append((seat, card))
            told_as.pop((seat, card), None)
            what, chance = card, rng.random()
            if chance < share:
                what = rng.choice(sorted(look_alikes(card)))
                faults.append(("misread", seat, card))
            elif chance < 2 * share:
                faults.append(("unseen", seat, card))
                inbox.put(None)
                return
            told_as[seat, card] = what
            inbox.put(f.Seen(seat=seat, card=what, confidence=0.97, steady=0.4, source="camera"))

        def lift(self, seat: Seat, card: Card) -> None:
            laid.remove((seat, card))

        def sweep(self, winner: Seat | None) -> None:
            """As the watcher tells it: whatever it saw has gone, by the name that it took it for."""
            for seat, card in rng.sample(laid, len(laid)):
                if (seat, card) in told_as:
                    inbox.put(f.Gone(seat=seat, card=told_as.pop((seat, card)), source="camera"))
            inbox.put(f.Cleared(source="camera"))
            laid.clear()

    laid: list[tuple[Seat, Card]] = []
    told_as: dict[tuple[Seat, Card], Card] = {}
    told = Told("")
    world = World(game(seed, hands=hands), Erring(), inbox.put, write=truth.append, patience_s=15.0, attentive=False,
                  on_done=lambda: inbox.put(OVER))  # fmt: skip
    with world:
        while (fact := inbox.get(timeout=20)) is not OVER:
            if fact is not None:
                told.tell([fact])
                world.look(told.table)
    verdicts, must = ruled(_in_the_end(told)), expected(truth)
    accused = {place[:3] for place in verdicts.proved | verdicts.breaches}
    guilty = {place[:3] for place in must.proved | must.breaches}
    points = {hand: scored for hand, _, scored, _ in verdicts.hands}
    wrong = sum(points.get(hand) != scored for hand, _, scored, _ in must.hands)
    ends = [line for line in _in_the_end(told) if line.get("ruling") == "confirmed"]
    unresolved = sum(len(line.get("unresolved", ())) for line in ends)
    return {
        "cards": sum("laid" in line for line in truth),
        "faults": len(faults),
        "questions": len(told.questions()),
        "innocent accused": len(accused - guilty),
        "offences not found": len(guilty - accused),
        "hands scored otherwise": wrong,
        "unresolved": unresolved,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--hands", type=int, default=4)
    parser.add_argument("--sources", nargs="+", default=["readers", "camera", "both"])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--misread", type=float, help="the share of cards misread, and of cards missed")
    options = parser.parse_args()
    print(machine(), flush=True)
    seeds = range(options.first, options.first + options.seeds)
    if options.misread is not None:
        sums: dict[str, int] = {}
        for seed in seeds:
            for name, count in misread(seed, hands=options.hands, share=options.misread).items():
                sums[name] = sums.get(name, 0) + count
        print(", ".join(f"{name} {count}" for name, count in sums.items()))
        return 1 if sums["innocent accused"] else 0
    width, height = map(int, options.size.split("x"))
    wrong = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(play, seed, source, hands=options.hands, size=(width, height))
                for seed in seeds for source in options.sources]  # fmt: skip
        by_seed: dict[int, Seen] = {}
        for job in jobs:
            try:
                seen = job.result()
            except Stuck as stuck:
                wrong += 1
                print(stuck, flush=True)
                continue
            first = by_seed.setdefault(seen.seed, seen)
            same, right = seen.tricks == first.tricks, seen.verdicts == seen.truth
            wrong += not (same and right)
            print(f"seed {seen.seed:3} {seen.source:8} {'same plays' if same else 'OTHER PLAYS':11} "
                  f"{'right rulings' if right else 'WRONG RULINGS'}, {seen.plays} cards, {seen.asked} asked, "
                  f"{seen.entered} entered by hand, {seen.frames} frames, {seen.reads} read, {seen.seconds:.0f} s",
                  flush=True)  # fmt: skip
    print(f"{wrong} of {len(jobs)} games differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
