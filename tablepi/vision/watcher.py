"""From frames to facts: which cards have come to lie on the felt, and which have left it.

Theory of operation
===================

Most frames show nothing new. Each is looked at small (``stillness``) and must pass three gates:

1. **still**: nothing has moved for ``SETTLE_S``: no hand, no card that slides. What moves is never read.
2. **changed**: somewhere the felt looks otherwise than when it was last understood. Only there it is read.
3. **agreed**: what changed is read in two frames or more. A card has come when the last two looks are sure and agree;
   what ``MOST_LOOKS`` do not agree about is a card *unread*, and the table will ask.

The still time between two movements is a **scene**. All that is found out in it (``Scene``) is thrown away when
something moves before it was understood, and only then becomes knowledge (``Known``) and facts::

    look → an index where a known card has one → another look at that card: the same, or a better name
         → a known card's name, elsewhere      → it was moved: no fact; but if it was covered, it is told again
         → neither                             → a card that has come
    a known card that is not read in what changed → bare cloth in its place → it has left
                                                  → anything else           → it is covered, and still lies there

A card that a hand or a glass or another card covers has not left. What bare cloth looks like is learned wherever no
card lies. A hand across, a nudge, a lamp that flickers leave the same cards on the felt, and make no fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor, hypot
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from ..cards import Card, Seat
from ..facts import Cleared, Fact, Gone, Seen
from ..frames import Frame
from .reader import Reading
from .stillness import DARK, SPECKS, Stillness, boxes, differs, small
from .view import Placed, View
from .zones import Whose, Zones

Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]

SOURCE = "camera"
SETTLE_S = 0.12
"""Seconds that the felt must have been still before it is read: two frames at 15 a second."""
STEADY_S = 0.3
"""Seconds that a card must have lain still before it is told (as in ``sight``)."""
LOOKS, MOST_LOOKS = 2, 5
"""Frames in which a change is read at least, and at most."""
SAME_CORNER = 9.0
"""Millimetres within which two readings of an index are of the same corner."""
NEAR = 40.0
"""Millimetres within which a card that could not be read is taken for the one that lay there."""
MAYBE = 0.3
"""Mean confidence from which what stays unsure is a card that must be asked for."""
UNREAD = 0.49
"""The most confidence of a card that is to be asked for: under one half the table takes no name (as in ``sight``)."""
CLOSE = 6
"""Pixels of the small picture between changes that belong together: about 17 mm, the space between pips."""
AROUND = 14.0
"""Millimetres read round a change: an index at its edge is seen whole."""


class Reader(Protocol):
    """What reads a part of a frame: all readings, and where trust in them begins."""

    threshold: float

    def read(self, frame: Image, /) -> Sequence[Reading]: ...


@dataclass(frozen=True, eq=False)
class Known:
    """A card known to lie on the felt: where, whose, and whether its name is sure. *covered*: at the last look at its
    place it was not seen there, nor bare cloth."""

    card: Card
    placed: Placed
    whose: Whose
    sure: bool
    covered: bool = False

    @property
    def seat(self) -> Seat | None:
        """Whose card it is, None where that is not clear."""
        return self.whose.seat if self.whose.sure else None


_Look = tuple[Card, float, Placed]
"""What one look says of a card: its name, how sure, and where it lies."""


@dataclass(eq=False)
class _Found:
    """What the looks of a scene say of one card: of *lying*, or of one that may have come."""

    lying: Known | None
    looks: list[_Look | None] = field(default_factory=list)
    bare: int = 0

    def last_look(self) -> _Look | None:
        return next((look for look in reversed(self.looks) if look is not None), None)

    def last(self) -> Placed | None:
        look = self.last_look()
        return look[2] if look is not None else None


@dataclass
class _Scene:
    """The felt since it last moved: which *parts* of the small picture are being read, and what was found."""

    since: float
    parts: list[Box] | None = None
    looks: int = 0
    found: list[_Found] = field(default_factory=list)


class Watcher:
    """Watches the felt in *view* with *reader*, for a table of *players*. Not for two threads at once.

    *lying* are the cards known to lie there, the latest last; *reads* counts how often the reader was asked; *still*
    says whether nothing moved in the latest frame.
    """

    def __init__(self, reader: Reader, view: View, players: int) -> None:
        self.lying: tuple[Known, ...] = ()
        self.reads = 0
        self.still = False
        self._reader = reader
        self._view = view
        self._players = players
        self._zones = Zones(players)
        self._stillness = Stillness(view.felt)
        self._cloth = Cloth(view.felt)
        self._understood: Image | None = None
        self._scene = _Scene(0.0)
        self._latest: Seat = 0  # whose card came last

    def look(self, frame: Frame) -> list[Fact]:
        """The facts that *frame*, the next one, adds: mostly none. Their *at* is left to the table."""
        picture = small(frame.image)
        if float(picture[self._view.felt].mean()) < DARK:
            self._stillness = Stillness(self._view.felt)  # in the dark nobody knows whether anything moves
            self.still = False
            return []
        self.still = still = self._stillness.look(picture, frame.at)
        since = frame.at if self._stillness.since is None else self._stillness.since
        if since != self._scene.since:
            self._scene = _Scene(since)
        if not still or frame.at - since < SETTLE_S:
            return []
        scene = self._scene
        if scene.parts is None:
            scene.parts = self._news(picture)
        if not scene.parts:
            return []
        if scene.looks < LOOKS or (scene.looks < MOST_LOOKS and not all(self._decided(f) for f in scene.found)):
            self._read(scene, frame.image, picture)
        enough = scene.looks >= MOST_LOOKS or all(self._decided(f) for f in scene.found)
        if scene.looks < LOOKS or not enough or frame.at - since < STEADY_S:
            return []
        scene.parts = []
        facts = self._understand(scene, frame.at - since)
        self._understood = picture
        self._cloth.learn(picture, [self._view.quad(each.placed) for each in self.lying])
        return facts

    def _news(self, picture: Image) -> list[Box]:
        """Where the felt does not look as when it was last understood."""
        if self._understood is None:
            return [self._view.box]
        where = differs(picture, self._understood) & self._view.felt
        return self._whole(boxes(where)) if int(where.sum()) > SPECKS else []

    def _whole(self, parts: list[Box]) -> list[Box]:
        """*parts*, each with the whole of the cards that it touches, and those that overlap then made one: half a card
        is not to be read, nor one card as two."""
        cards = [_box_of(self._view.quad(each.placed)) for each in self.lying]
        todo, whole = list(parts), list[Box]()
        while todo:
            part = todo.pop()
            touched = [box for box in (part, *whole, *todo, *cards) if _overlap(part, box)]
            x0, y0, x1, y1 = zip(*touched, strict=True)
            wider = min(x0), min(y0), max(x1), max(y1)
            whole = [box for box in whole if box not in touched]
            todo = [box for box in todo if box not in touched]
            (whole if wider == part else todo).append(wider)
        return whole

    # --- a look ---------------------------------------------------------------------------------------------------

    def _read(self, scene: _Scene, image: Image, picture: Image) -> None:
        """Read the parts of *scene* once, and note what is said of each card there."""
        scene.looks += 1
        seen: dict[int, _Look] = {}
        for part in scene.parts or ():
            x0, y0, x1, y1 = self._view.pixels(part, around=AROUND)
            if x0 >= x1 or y0 >= y1:  # a part of the felt that the camera does not see
                continue
            self.reads += 1
            for reading in self._reader.read(np.ascontiguousarray(image[y0:y1, x0:x1])):
                placed = self._view.place(reading, x0, y0)
                found = self._whose(scene, reading, placed, seen.values())
                if found is not None:
                    before = seen.get(id(found))
                    if before is None or reading.confidence > before[1]:
                        seen[id(found)] = (reading.card, float(reading.confidence), placed)
        for each in self.lying:
            if self._within(scene, each) and not any(f.lying is each for f in scene.found):
                scene.found.append(_Found(each, [None] * (scene.looks - 1)))
        for found in scene.found:
            found.looks.append(seen.get(id(found)))
        read = [found for found in scene.found if found.looks[-1] is not None]
        unread = [found for found in scene.found if found.lying is not None and found.looks[-1] is None]
        cloth = self._cloth.seen(picture) if unread else None
        for found in unread:
            assert found.lying is not None
            quad = self._view.quad(found.lying.placed)
            bare = cloth is not None and self._cloth.bare(cloth, quad)
            found.bare += bare or self._shows_below(found.lying, quad, read)

    def _shows_below(self, lying: Known, quad: NDArray[np.float64], read: Iterable[_Found]) -> bool:
        """Whether an index is read where *lying* lay over it: then it does not any more."""
        below = self.lying[: self.lying.index(lying)]
        inner = quad.mean(0) + (quad - quad.mean(0)) * 0.85
        return any(
            _inside(inner, self._view.small_point(corner))
            for found in read
            if found.lying in below
            for look in found.looks[-1:]
            if look is not None
            for corner in look[2].corners
        )

    def _whose(self, scene: _Scene, reading: Reading, placed: Placed, seen: Iterable[_Look]) -> _Found | None:
        """Which card a reading is a look at; None when it is hardly a card. *seen* are the readings of this look that
        came before, the surer ones."""
        for found in scene.found:
            last = found.last()
            if last is not None and _same_corner(last, placed):
                return found
        known = next((each for each in self.lying if _same_corner(each.placed, placed)), None)
        known = known or next((each for each in self.lying if self._may_be(each, reading, placed)), None)
        there = next((f for f in scene.found if f.lying is not None and f.lying is known), None)
        if there is not None:
            return there
        if known is None and reading.confidence < self._reader.threshold:
            looks = (*seen, *(look for found in scene.found for look in found.looks if look is not None))
            sure = [where for _, confidence, where in looks if confidence >= self._reader.threshold]
            if reading.confidence < MAYBE / 2 or self._pictured(placed, False, sure):
                return None
        found = _Found(known, [None] * (scene.looks - 1))
        scene.found.append(found)
        return found

    def _may_be(self, known: Known, reading: Reading, placed: Placed) -> bool:
        """Whether a known card may be the one that was read elsewhere: there is only one, but both may be misread."""
        near = hypot(known.placed.x - placed.x, known.placed.y - placed.y) < NEAR
        return known.card == reading.card and (near or (known.sure and reading.confidence >= self._reader.threshold))

    def _pictured(self, placed: Placed, sure: bool, better: Iterable[Placed]) -> bool:
        """Whether what was read is no card, but a part of the picture of one of *better*, which are read better: its
        index lies on that card. Read surely it is a card that lies over that one, unless an index of that one is read
        where it would be covered: a court's picture can look like an index, even surely. Read unsurely it may be in the
        picture of any card that lies there, too."""
        index = [self._view.small_point(corner) for corner in placed.corners]
        if not sure:
            there = [self._view.quad(each, wider=1.15) for each in (*better, *(each.placed for each in self.lying))]
            return any(_inside(quad, point) for quad in there for point in index)
        own = self._view.quad(placed, wider=0.9)
        return any(
            any(_inside(self._view.quad(other), point) for point in index)
            and any(_inside(own, self._view.small_point(corner)) for corner in other.corners)
            for other in better
        )

    def _within(self, scene: _Scene, lying: Known) -> bool:
        """Whether a card lies in what is being read."""
        points = [self._view.small_point(corner) for corner in lying.placed.corners]
        return any(x0 <= x < x1 and y0 <= y < y1 for x0, y0, x1, y1 in scene.parts or () for x, y in points)

    # --- what the looks mean --------------------------------------------------------------------------------------

    def _decided(self, found: _Found) -> bool:
        """Whether the last looks agree."""
        last = found.looks[-LOOKS:]
        if len(last) < LOOKS:
            return False
        names = {look[0] for look in last if look is not None and look[1] >= self._reader.threshold}
        sure = [look is not None and look[1] >= self._reader.threshold for look in last]
        return (all(sure) and len(names) == 1) or not any(look is not None for look in last)

    def _understand(self, scene: _Scene, steady: float) -> list[Fact]:
        """Make knowledge of what was found, and the facts that tell it: who left, then who came."""
        left, kept = [], {each: each for each in self.lying}
        came: list[tuple[_Found, _Look]] = []
        for found in scene.found:
            was, now = found.lying, self._named(found)
            if now is None:
                if was is not None and found.bare >= LOOKS:
                    left.append(was)
                    del kept[was]
                elif was is not None:
                    kept[was] = replace(was, covered=True)
            elif was is None:
                came.append((found, now))
            elif was.sure and (now[0] == was.card or now[1] < self._reader.threshold):  # moved, or only seen worse
                if now[0] == was.card and was.covered and not _same_corner(was.placed, now[2]):
                    del kept[was]  # it left under cover, and may have been laid again: the table knows
                    came.append((found, now))
                elif now[0] == was.card:
                    placed = _better_known(was.placed, now[2])
                    whose = self._zones.seat_of(placed.x, placed.y, was.seat)
                    kept[was] = replace(was, placed=placed, whose=whose, covered=False)
            elif now[1] < self._reader.threshold:  # still unread
                kept[was] = replace(was, placed=now[2])
            else:  # it is called otherwise than before, or surely now: the table weighs both
                del kept[was]
                came.append((found, now))
        facts: list[Fact] = [Gone(card=each.card, seat=each.seat, source=SOURCE) for each in left]
        self.lying, new = tuple(kept.values()), []
        for found, (card, confidence, placed) in came:
            sure = confidence >= self._reader.threshold
            if self._pictured(placed, sure, self._better(scene, found)):
                continue
            whose = self._zones.seat_of(placed.x, placed.y)
            if whose.seat is not None:  # beyond the trick area lies no play
                new.append((Known(card, placed, whose, sure), confidence))
        new.sort(key=lambda each: ((each[0].whose.seat or 0) - self._latest - 1) % self._players)
        self.lying += tuple(lying for lying, _ in new)
        if left and not self.lying:
            facts.append(Cleared(source=SOURCE))
        for lying, confidence in new:
            self._latest = lying.whose.seat or 0
            facts.append(Seen(seat=lying.seat, card=lying.card, confidence=round(confidence, 3),
                              steady=round(steady, 2), source=SOURCE))  # fmt: skip
        return facts

    def _better(self, scene: _Scene, found: _Found) -> list[Placed]:
        """Where the cards lie that are read better than *found*."""

        def standing(look: _Look) -> tuple[bool, int, float]:
            return look[1] >= self._reader.threshold, len(look[2].corners), look[1]

        own = found.last_look()
        looks = [look for other in scene.found if (look := other.last_look()) is not None]
        return [look[2] for look in looks if own is None or standing(look) > standing(own)]

    def _named(self, found: _Found) -> _Look | None:
        """What a card is after all looks: name, confidence, place; None when no card was seen there."""
        last = [look for look in found.looks[-LOOKS:] if look is not None]
        if self._decided(found):
            return (last[-1][0], float(np.mean([sure for _, sure, _ in last])), last[-1][2]) if last else None
        said = [look for look in found.looks if look is not None]
        best = max({card for card, _, _ in said}, key=lambda name: sum(sure for card, sure, _ in said if card == name))
        mean = sum(sure for card, sure, _ in said if card == best) / len(found.looks)
        return (best, min(mean, UNREAD), said[-1][2]) if mean >= MAYBE else None

    def crop(self, image: Image, card: Card) -> Image | None:
        """The part of *image* that shows *card*, which lies on the felt; None when it does not."""
        lying = next((each for each in reversed(self.lying) if each.card == card), None)
        if lying is None:
            return None
        x0, y0, x1, y1 = self._view.pixels(_box_of(self._view.quad(lying.placed)), around=AROUND)
        return image[y0:y1, x0:x1]


class Cloth:
    """What the felt looks like where nothing lies.

    It is learned wherever no card is known to lie: at once as light and wear change it a little; where it looks
    altogether otherwise, only when that has stayed so, for that may be the rim of a card whose place was misjudged, or
    a thing that was put down for a while.
    """

    BARE, LEARNS, STAYS = 0.75, 0.2, 10
    """The share of a card's place that looks like cloth when it has left; how much of each picture is learned; how many
    pictures on end must show something else before that is the cloth."""

    def __init__(self, felt: NDArray[np.bool_]) -> None:
        self._felt = felt
        self._looks: NDArray[np.float32] | None = None
        self._otherwise = np.zeros(felt.shape, np.int32)  # in how many pictures on end it looked altogether otherwise

    def learn(self, picture: Image, quads: Iterable[NDArray[np.float64]]) -> None:
        """Learn from the small *picture* outside of *quads*, the places of cards (4, 2) in small pixels."""
        covered = np.zeros(self._felt.shape, np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(covered, quad.round().astype(np.int32), 1)
        free = (cv2.dilate(covered, np.ones((9, 9), np.uint8)) == 0) & self._felt
        if self._looks is None:
            self._looks = _round_about(picture, free)
            self._looks[free] = picture[free]
            return
        otherwise = _unlike(picture, self._looks)
        self._otherwise = np.where(otherwise & free, self._otherwise + 1, 0)
        stayed = self._otherwise >= self.STAYS
        self._looks[stayed] = picture[stayed]
        little = free & ~otherwise
        self._looks[little] += (picture[little] - self._looks[little]) * self.LEARNS

    def seen(self, picture: Image) -> NDArray[np.bool_] | None:
        """Where cloth is seen in the small *picture*; None before anything was learned."""
        return None if self._looks is None else ~_unlike(picture, self._looks)

    def bare(self, seen: NDArray[np.bool_], quad: NDArray[np.float64]) -> bool:
        """Whether cloth is *seen* at the place *quad*."""
        place = np.zeros(self._felt.shape, np.uint8)
        cv2.fillConvexPoly(place, quad.round().astype(np.int32), 1)
        inside = (place > 0) & self._felt
        return bool(inside.any() and seen[inside].mean() >= self.BARE)


def _round_about(picture: Image, free: NDArray[np.bool_]) -> NDArray[np.float32]:
    """*picture* as it would be without what is not *free*: the mean of what is free round about, which keeps the light
    that a lamp at one side makes uneven."""
    weight = cv2.GaussianBlur(free.astype(np.float32), (0, 0), 15)[..., None] + 1e-6
    mean = cv2.GaussianBlur(np.where(free[..., None], picture, 0).astype(np.float32), (0, 0), 15)
    return np.asarray(mean / weight, np.float32)


def _unlike(picture: Image, cloth: NDArray[np.float32]) -> NDArray[np.bool_]:
    return differs(picture, np.clip(cloth, 0, 255).astype(np.uint8))


def _better_known(was: Placed, now: Placed) -> Placed:
    """Where a card lies that was read again: where it was, when it is seen there still and fewer corners tell of it."""
    fewer = len(now.corners) < len(was.corners) and _same_corner(was, now)
    return was if fewer else now


def _same_corner(one: Placed, other: Placed) -> bool:
    return any(hypot(a.x - b.x, a.y - b.y) < SAME_CORNER for a in one.corners for b in other.corners)


def _box_of(quad: NDArray[np.float64]) -> Box:
    (x0, y0), (x1, y1) = quad.min(0).tolist(), quad.max(0).tolist()
    return floor(x0), floor(y0), ceil(x1), ceil(y1)


def _overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share a pixel, or nearly do."""
    return (
        one[0] <= other[2] + CLOSE
        and other[0] <= one[2] + CLOSE
        and one[1] <= other[3] + CLOSE
        and other[1] <= one[3] + CLOSE
    )


def _inside(quad: NDArray[np.float64], point: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32), point, False) >= 0
