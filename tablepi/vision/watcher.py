"""From frames to facts: which cards have come to lie on the felt, and which have left it.

Theory of operation
===================

Most frames show nothing new. Each is looked at small (``stillness``) and must pass three gates:

1. **still**: nothing has moved for ``SETTLE_S``: no hand, no card that slides. What moves is never read. The camera,
   too, must stand where it stood: whoever knows is asked once (*where*), and when it was moved, all that is known keeps
   its place in millimetres, and is seen from the new place.
2. **changed**: somewhere the felt looks otherwise than when it was last understood. Only there it is read.
3. **agreed**: what changed is read in two frames or more. A card has come when the last two looks are sure and agree.
   What ``MOST_LOOKS`` do not agree about may be one of two cards that look alike, of which only one may still come, as
   the game knows (*expected*): then it is that one. Else it is a card *unread*, and the table will ask.

The still time between two movements is a **scene**. All that is found out in it (``Scene``) is thrown away when
something moves before it was understood, and only then becomes knowledge (``Known``) and facts::

    look → an index where a known card has one → another look at that card: the same, or a better name
         → a known card's name, elsewhere      → it was moved: no fact; but if it was covered, it is told again
         → neither                             → a card that has come
    a known card that is not read in what changed → bare cloth in its place → it has left
                                                  → anything else           → it is covered, and still lies there

A card that a hand or a glass or another card covers has not left; it has where cloth is seen in what of its place that
other card leaves free. What bare cloth looks like is learned wherever no card lies, and it is cloth in any light
(``Cloth``); where a card was laid on a telephone, that is what is bare. A hand across, a nudge, a lamp that flickers,
the sun, a knock against the camera leave the same cards on the felt, and make no fact.

Cards that come in one scene are told in the order of the seats, from the next one after the last card, but that of a
seat which took one back comes first; in a new trick, from the seat in turn (*turn*), or from the card that lay there
first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, cos, floor, hypot
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from ..cards import FULL_DECK, Card, Cards, Seat, look_alikes
from ..facts import Cleared, Fact, Gone, Seen
from ..frames import Frame
from .cloth import Cloth, covered
from .gather import weighed
from .index_size import Fit, IndexSize
from .reader import Reading
from .stillness import DARK, SPECKS, Stillness, boxes, differs
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
LONELY = 0.75
"""The mean confidence under which what is read is no card when nothing is read where its other index would be seen."""
INDEX = 0.2
"""An index as a share of its card."""
SHRUNK, GROWN, AMPLE = 0.9, 1.1, 1.3
"""By how much smaller a card's place is taken, and by how much larger that of one over it, where the one would have to
show beside the other: places waver by some millimetres, and cards are 57 to 63.5 wide. And by how much larger the place
that is cloth when it has left: it may have been misjudged by a centimetre."""
AT_ONCE_S, MEMORY_S = 0.7, 4.0
"""Seconds within which cards are laid at once; and for which the pictures of a movement are kept."""
OTHERWISE = 0.3
"""The share of a card's place that looks otherwise while it does not lie there."""
OTHER_END = 15.0
"""Millimetres round the place of a card's other index where something read, on its head, may be that one."""
UNREAD = 0.49
"""The most confidence of a card that is to be asked for: under one half the table takes no name (as in ``sight``)."""
CLOSE = 6
"""Pixels of the small picture between changes that belong together: about 17 mm, the space between pips."""
TIE = 0.1
"""The mean chance from which a card may be meant by looks that waver between it and one that looks like it."""
EDGE = 3.0
"""Pixels of the small picture beside what changed from which an index may be cut off where the reading ends."""
AROUND = 14.0
"""Millimetres read round a change: an index at its edge is seen whole."""


class Reader(Protocol):
    """What reads a part of a frame in which a millimetre has *per_mm* pixels: all readings, and where trust in them
    begins."""

    threshold: float

    def read(self, frame: Image, /, per_mm: float) -> Sequence[Reading]: ...


@dataclass(frozen=True, eq=False)
class Known:
    """A card known to lie on the felt: where, whose, and whether its name is sure. *since*: the scene in which it came,
    seconds. *before*: the small picture before it came, where a thing lay there that stays. *covered*: at the last look
    at its place it was not seen there, nor bare cloth."""

    card: Card
    placed: Placed
    whose: Whose
    sure: bool
    since: float
    before: Image | None = None
    covered: bool = False

    @property
    def seat(self) -> Seat | None:
        """Whose card it is, None where that is not clear."""
        return self.whose.seat if self.whose.sure else None


class _Look(NamedTuple):
    """What one look says of a card: its name, how sure, and where it lies; how likely that card is, and each that looks
    like it (*chances*); and whether it is read as an index of which only a *part* is seen: then it is not sure."""

    card: Card
    confidence: float
    placed: Placed
    chances: tuple[tuple[Card, float], ...] = ()
    part: bool = False


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
        return look.placed if look is not None else None


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
    says whether nothing moved in the latest frame. *expected* are the cards that may still come, as whoever knows the
    game says: it parts two that look alike where the looks do not. *turn* is whose turn it is, if anybody knows, and
    *opens* the card that a hand must be opened with: of cards that come at once that seat's, or that one, is the first.

    *where* is asked in each scene before anything is read, with its frame and the view until then: the view now, which
    is another one when the camera was moved; None when it is not known, and nothing is read.
    """

    def __init__(
        self,
        reader: Reader,
        view: View,
        players: int,
        *,
        where: Callable[[Frame, View], View | None] = lambda _, view: view,
    ) -> None:
        self.expected: Cards = FULL_DECK
        self.turn: Seat | None = None
        self.opens: Card | None = None
        self.lying: tuple[Known, ...] = ()
        self.reads = 0
        self.still = False
        self._reader = reader
        self._view = view
        self._players = players
        self._where = where
        self._zones = Zones(players)
        self._stillness = Stillness(view.felt)
        self._cloth = Cloth(view.felt)
        self._index_size = IndexSize()
        self._understood: Image | None = None
        self._dim = np.zeros(view.felt.shape, bool)  # where that was too dark to tell which cards had left
        self._moving: deque[tuple[float, Image]] = deque()  # the pictures of the latest movement
        self._scene = _Scene(0.0)
        self._latest: Seat = 0  # whose card came last

    def look(self, frame: Frame) -> list[Fact]:
        """The facts that *frame*, the next one, adds: mostly none. Their *at* is left to the table."""
        picture = self._view.small(frame)
        if float(picture[self._view.felt].mean()) < DARK:
            self._stillness = Stillness(self._view.felt)  # in the dark nobody knows whether anything moves
            self.still = False
            return []
        self.still = still = self._stillness.look(picture, frame.at)
        if not still:
            self._remember(frame.at, picture)
        since = frame.at if self._stillness.since is None else self._stillness.since
        if since != self._scene.since:
            self._scene = _Scene(since)
        if not still or frame.at - since < SETTLE_S:
            return []
        if self._scene.parts == [] and self._parts(self._lit_again(picture)):
            self._scene = _Scene(since)
        scene = self._scene
        if scene.parts is None:
            view = self._where(frame, self._view)
            if view is not self._view:
                if view is not None:
                    self.move_to(view)
                return []
            scene.parts = self._news(picture)
        if not scene.parts:
            return []
        if scene.looks < LOOKS or (scene.looks < MOST_LOOKS and not all(self._decided(f) for f in scene.found)):
            self._read(scene, frame.image, picture)
        enough = scene.looks >= MOST_LOOKS or all(self._decided(f) for f in scene.found)
        if scene.looks < LOOKS or not enough or frame.at - since < STEADY_S:
            return []
        scene.parts = []
        facts = self._understand(scene, frame.at - since, picture)
        self._understood, self._dim = picture, self._cloth.dim(picture)
        self._moving.clear()
        self._cloth.learn(picture, [self._view.quad(each.placed) for each in self.lying])
        return facts

    def _before(self, placed: Placed, picture: Image) -> Image | None:
        """The picture before this one, if a card that has come was laid on a thing that had lain there for a while: not
        on a card face down."""
        before = self._understood
        if before is None or not self._cloth.covered_for_long(self._view.quad(placed)):
            return None
        return before if self._otherwise(placed, picture, before) else None

    def _otherwise(self, placed: Placed, picture: Image, then: Image) -> bool:
        """Whether the place of a card looked otherwise *then*."""
        place = covered(picture.shape[:2], [self._view.quad(placed)])
        return float(differs(picture, then)[place].mean()) > OTHERWISE

    def move_to(self, view: View) -> None:
        """The camera was moved, or its pictures have another size, and now has this *view*. What lies on the table lies
        where it did, and all of it is read again; the cloth is where it was, too."""
        self._cloth.move(view.small_from(self._view), view.felt)
        self._view, self._understood, self._dim = view, None, np.zeros(view.felt.shape, bool)
        self.lying = tuple(replace(each, before=None) for each in self.lying)
        self._stillness = Stillness(view.felt)
        self._moving.clear()

    def _news(self, picture: Image) -> list[Box]:
        """Where the felt does not look as when it was last understood, or can be seen again since."""
        if self._understood is None:
            return [self._view.box]
        return self._parts((differs(picture, self._understood) | self._lit_again(picture)) & self._view.felt)

    def _lit_again(self, picture: Image) -> NDArray[np.bool_]:
        """Where it was too dark when the felt was last understood, and is not any more."""
        return self._dim & self._view.felt & self._cloth.lit(picture) if self._dim.any() else self._dim

    def _parts(self, where: NDArray[np.bool_]) -> list[Box]:
        """The parts of the small picture to be read because of what has changed *where*."""
        return self._whole(boxes(where)) if int(where.sum()) > SPECKS else []

    def _whole(self, parts: list[Box]) -> list[Box]:
        """*parts*, each with the whole of the cards that it touches, and those that overlap then made one: half a card
        is not to be read, nor one card as two."""
        cards = [_box_of(self._view.quad(each.placed)) for each in self.lying]
        todo, whole = list(parts), list[Box]()
        while todo:
            part = todo.pop()
            touched = [box for box in (part, *whole, *todo) if _overlap(part, box, CLOSE)]
            touched += [box for box in cards if _overlap(part, box, 0)]
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
        looks = [look for part in scene.parts or () for look in self._looks(part, image)]
        looks.sort(key=lambda look: not any(_same_corner(each.placed, look.placed) for each in self.lying))
        for look in looks:  # first those at a place where a card is known to lie: that one was not moved
            found = self._whose(scene, look, seen.values())
            if found is not None:
                before = seen.get(id(found))
                if before is None or look.confidence > before.confidence:
                    seen[id(found)] = look
        for each in self.lying:
            if self._within(scene, each) and not any(f.lying is each for f in scene.found):
                scene.found.append(_Found(each, [None] * (scene.looks - 1)))
        for found in scene.found:
            found.looks.append(seen.get(id(found)))
        read = [found for found in scene.found if found.looks[-1] is not None]
        unread = [(found, lying) for found in scene.found if found.looks[-1] is None and (lying := found.lying)]
        places = [self._view.quad(each.placed) for each in self.lying]
        cloth = self._cloth.seen(picture, places) if unread else None
        others = [look.placed for look in seen.values()]
        for found, lying in unread:
            found.bare += (
                (cloth is not None and self._shows_cloth(cloth, lying, others))
                or self._looks_as_before(lying, picture, places)
                or self._shows_below(lying, read)
            )

    def _looks(self, part: Box, image: Image) -> Iterator[_Look]:
        """What is read in *part*."""
        x0, y0, x1, y1 = self._view.pixels(part, around=AROUND)
        if x0 >= x1 or y0 >= y1:  # a part of the felt that the camera does not see
            return
        self.reads += 1
        for reading in self._reader.read(np.ascontiguousarray(image[y0:y1, x0:x1]), self._view.per_mm(part)):
            placed, confidence = self._view.place(reading, x0, y0), float(reading.confidence)
            fit = self._index_size.fit(placed.corners)
            if fit is Fit.NONE or not self._touches(placed, part, by=EDGE):  # beside it may be half an index
                continue
            if fit is Fit.PART:
                yield _Look(reading.card, min(confidence, UNREAD), placed, part=confidence >= LONELY)
            else:
                yield _Look(reading.card, confidence, placed, _chances(reading))

    def _shows_cloth(self, cloth: NDArray[np.bool_], lying: Known, read: Sequence[Placed]) -> bool:
        """Whether *cloth* is seen in the place of *lying*, as far as the cards do not hide it that are *read*."""
        over = [self._view.quad(each) for each in read]
        indices = [
            self._view.quad(replace(lying.placed, x=corner.x, y=corner.y, turn=corner.up), wider=INDEX)
            for corner in lying.placed.corners
            if not any(_inside(quad, self._view.small_point(corner)) for quad in over)
        ]
        if self._cloth.bare(cloth, self._view.quad(lying.placed), indices):
            return True
        others = (*read, *(each.placed for each in self.lying if each is not lying))
        inner, ample = (self._view.quad(lying.placed, wider=wider) for wider in (SHRUNK, AMPLE))
        return self._cloth.beside(cloth, inner, ample, [self._view.quad(each, wider=GROWN) for each in others])

    def _looks_as_before(self, lying: Known, picture: Image, places: Sequence[NDArray[np.float64]]) -> bool:
        """Whether the place of *lying* looks as before it came: it lay on a thing that lies there still. *places* are
        those of all cards that lie there."""
        if lying.before is None:
            return False
        same = Cloth(self._view.felt, lying.before).seen(picture, places)
        return same is not None and self._cloth.bare(same, self._view.quad(lying.placed), ())

    def _shows_below(self, lying: Known, read: Iterable[_Found]) -> bool:
        """Whether an index is read where *lying* lay over it: then it does not any more."""
        below = [each for each in self.lying if each.since < lying.since]  # of those that came at once nobody knows
        inner = self._view.quad(lying.placed, wider=0.85)
        return any(
            _inside(inner, self._view.small_point(corner))
            for found in read
            if found.lying in below
            for look in found.looks[-1:]
            if look is not None
            for corner in look.placed.corners
        )

    def _whose(self, scene: _Scene, look: _Look, seen: Iterable[_Look]) -> _Found | None:
        """Which card this is a *look* at; None when it is hardly a card. *seen* are those that came before in the same
        frame, the surer ones."""
        placed = look.placed
        for found in scene.found:
            last = found.last()
            if last is not None and _same_corner(last, placed):
                return found
        there = [each for each in self.lying if _same_corner(each.placed, placed)]
        there.sort(key=lambda each: (each.card == look.card, not each.covered))  # then the uppermost
        known = there[-1] if there else None
        if known is None or (known.covered and known.card != look.card):
            moved = (each for each in self.lying if self._may_be(scene, each, look, seen))
            known = next(moved, known)
        noted = next((f for f in scene.found if f.lying is not None and f.lying is known), None)
        if noted is not None:
            return noted
        if known is None and look.confidence < self._reader.threshold:
            others = (*seen, *(other for found in scene.found for other in found.looks if other is not None))
            sure = [other.placed for other in others if other.confidence >= self._reader.threshold]
            if look.confidence < MAYBE / 2 or self._pictured(placed, False, sure):
                return None
        found = _Found(known, [None] * (scene.looks - 1))
        scene.found.append(found)
        return found

    def _may_be(self, scene: _Scene, known: Known, look: _Look, seen: Iterable[_Look]) -> bool:
        """Whether a known card may be the one that was read elsewhere: there is only one, but both may be misread, and
        one of another deck may look the same. While its own place has not changed, or it is *seen* there, it is not."""
        if known.card != look.card:
            return False
        if hypot(known.placed.x - look.placed.x, known.placed.y - look.placed.y) < NEAR:
            return True
        left = known.covered or self._within(scene, known)
        left = left and not any(each.card == known.card and _same_corner(known.placed, each.placed) for each in seen)
        return left and known.sure and look.confidence >= self._reader.threshold

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
        return any(self._touches(lying.placed, part) for part in scene.parts or ())

    def _touches(self, placed: Placed, part: Box, by: float = 0.0) -> bool:
        """Whether an index of a card lies in *part*, or at most *by* pixels beside it."""
        points = [self._view.small_point(corner) for corner in placed.corners]
        x0, y0, x1, y1 = part
        return any(x0 - by <= x < x1 + by and y0 - by <= y < y1 + by for x, y in points)

    # --- what the looks mean --------------------------------------------------------------------------------------

    def _decided(self, found: _Found) -> bool:
        """Whether the last looks agree."""
        last = found.looks[-LOOKS:]
        if len(last) < LOOKS:
            return False
        names = {look.card for look in last if look is not None and look.confidence >= self._reader.threshold}
        sure = [look is not None and look.confidence >= self._reader.threshold for look in last]
        return (all(sure) and len(names) == 1) or not any(look is not None for look in last)

    def _understand(self, scene: _Scene, steady: float, picture: Image) -> list[Fact]:
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
            elif was.sure and (
                now.card == was.card or now.confidence < self._reader.threshold
            ):  # moved, or only seen worse
                if now.card == was.card and was.covered and not _same_corner(was.placed, now.placed):
                    del kept[was]  # it left under cover, and may have been laid again: the table knows
                    came.append((found, now))
                elif now.card == was.card:
                    placed = _better_known(was.placed, now.placed)
                    whose = self._zones.seat_of(placed.x, placed.y, was.seat)
                    kept[was] = replace(was, placed=placed, whose=whose, covered=False)
            elif now.confidence < self._reader.threshold:  # still unread
                kept[was] = replace(was, placed=now.placed)
            else:  # it is called otherwise than before, or surely now: the table weighs both
                del kept[was]
                came.append((found, now))
        self.lying, new = tuple(kept.values()), []
        there = {each.card for each in self.lying if each.sure}  # of these an unread one was none: its name was a guess
        facts: list[Fact] = [
            Gone(card=each.card, seat=each.seat, source=SOURCE) for each in left if each.sure or each.card not in there
        ]
        for found, (card, confidence, placed, *_) in came:
            sure = confidence >= self._reader.threshold
            if self._pictured(placed, sure, self._better(scene, found)):
                continue
            if not sure and self._lonely(scene, found):
                continue
            whose = self._zones.seat_of(placed.x, placed.y)
            if whose.seat is not None:  # beyond the trick area lies no play
                was = found.lying
                since, before = scene.since, self._before(placed, picture)
                if was is not None and not was.covered:  # it lay there already
                    since, before = was.since, was.before
                new.append((Known(card, placed, whose, sure, since, before), confidence))
                if sure:
                    self._index_size.learn(placed.corners)
        if len(new) > 1:
            first = self._first([each for each, _ in new], picture)
            instead = {each.whose.seat for each in left} if self._some_lie() else set()

            def order(each: Known) -> tuple[bool, int]:
                seat = each.whose.seat or 0
                return seat not in instead, (seat - first) % self._players

            new.sort(key=lambda each: order(each[0]))
        self.lying += tuple(lying for lying, _ in new)
        if left and not self.lying:
            facts.append(Cleared(source=SOURCE))
        for lying, confidence in new:
            self._latest = lying.whose.seat or 0
            facts.append(Seen(seat=lying.seat, card=lying.card, confidence=round(confidence, 3),
                              steady=round(steady, 2), source=SOURCE))  # fmt: skip
        return facts

    def _first(self, new: Sequence[Known], picture: Image) -> Seat:
        """At which seat the first of the *new* cards was laid, which came at once, as far as *picture* tells: the next
        one after the last; in a new trick, that of the card that opens, or whose turn it is, unless another's card lay
        there for a while already when that one's place was still bare."""
        if self._some_lie():
            return (self._latest + 1) % self._players
        laid = [(self._since(each, picture), each.whose.seat or 0) for each in new]
        at, first = min(laid)
        in_turn = [each for each in new if each.card == self.opens or each.whose.seat == self.turn]
        turn = in_turn[0].whose.seat or 0 if in_turn else first
        if first == turn:
            return first
        later = any(self._lay_nothing(in_turn, then) for when, then in self._moving if when >= at + AT_ONCE_S)
        return first if later else turn

    def _some_lie(self) -> bool:
        """Whether cards lie in sight, those of the trick in progress."""
        return any(not each.covered for each in self.lying)

    def _lay_nothing(self, places: Iterable[Known], then: Image) -> bool:
        """Whether nothing but cloth was seen *then* where those cards lie now. That it looked otherwise than now is not
        enough: a hand, a shadow or the sun may have been over a card that lay there."""
        quads = [self._view.quad(each.placed) for each in places]
        cloth = self._cloth.seen(then, quads)
        return cloth is not None and all(self._cloth.bare(cloth, quad, ()) for quad in quads)

    def _since(self, lying: Known, picture: Image) -> float:
        """Since when the place of a card has looked as in *picture*."""
        then = (at for at, then in reversed(self._moving) if self._otherwise(lying.placed, picture, then))
        return next(then, -np.inf)

    def _remember(self, at: float, picture: Image) -> None:
        """Keep what moves for a while: it tells which of several cards came first."""
        self._moving.append((at, picture))
        while at - self._moving[0][0] > MEMORY_S:
            self._moving.popleft()

    def _better(self, scene: _Scene, found: _Found) -> list[Placed]:
        """Where the cards lie that are read better than *found*."""

        def standing(look: _Look) -> tuple[bool, int, float]:
            return look.confidence >= self._reader.threshold, len(look.placed.corners), look.confidence

        own = found.last_look()
        looks = [look for other in scene.found if (look := other.last_look()) is not None]
        return [look.placed for look in looks if own is None or standing(look) > standing(own)]

    def _lonely(self, scene: _Scene, found: _Found) -> bool:
        """Whether only one index is read of what lies there in full view: of a card both are. A joker's picture, or
        what is printed on a glass, has but one place that looks a little like an index."""
        looks = [look for look in found.looks if look is not None]
        alone = [look.placed for look in looks if len(look.placed.corners) == 1]
        if 2 * len(alone) <= len(looks) or np.mean([look.confidence for look in looks]) >= LONELY:
            return False
        if any(look.part for look in looks):  # what hides the one end may hide the other
            return False
        (this,) = alone[-1].corners
        x, y = 2 * alone[-1].x - this.x, 2 * alone[-1].y - this.y
        others = [look for other in scene.found if other is not found and (look := other.last_look()) is not None]
        ends = [corner for look in others for corner in look.placed.corners if cos(corner.up - this.up) < -0.7]
        if any(hypot(corner.x - x, corner.y - y) < OTHER_END for corner in ends):
            return False
        over = [look.placed for look in others if look.confidence >= self._reader.threshold]
        over += [each.placed for each in self.lying if not each.covered]
        point = self._view.small_point(replace(this, x=x, y=y))
        return not any(_inside(self._view.quad(placed), point) for placed in over)

    def _named(self, found: _Found) -> _Look | None:
        """What a card is after all looks: name, confidence, place; None when no card was seen there."""
        last = [look for look in found.looks[-LOOKS:] if look is not None]
        if self._decided(found):
            if not last:
                return None
            return _Look(last[-1].card, float(np.mean([look.confidence for look in last])), last[-1].placed)
        said = [look for look in found.looks if look is not None]
        votes = {one.card: sum(each.confidence for each in said if each.card == one.card) for one in said}
        best = max(votes, key=lambda card: votes[card])
        mean = votes[best] / len(found.looks)
        if found.lying is None and (told := self._by_the_game(best, found.looks)) is not None:
            return _Look(*told, said[-1].placed)
        return _Look(best, min(mean, UNREAD), said[-1].placed) if mean >= MAYBE else None

    def _by_the_game(self, best: Card, looks: Sequence[_Look | None]) -> tuple[Card, float] | None:
        """The card, and how sure, where *looks* are sure that it is *best* or one that looks like it, but not which,
        and only one of them may still come."""
        alike = (best, *look_alikes(best))
        chances = [dict(look.chances) if look is not None else {} for look in looks]
        mean = {card: float(np.mean([each.get(card, 0.0) for each in chances])) for card in alike}
        coming = [card for card in alike if card.bit & self.expected]
        if len(coming) != 1 or sum(mean.values()) < self._reader.threshold or mean[coming[0]] < TIE:
            return None
        return coming[0], sum(mean.values())

    def crop(self, image: Image, card: Card) -> Image | None:
        """The part of *image* that shows *card*, which lies on the felt; None when it does not."""
        lying = next((each for each in reversed(self.lying) if each.card == card), None)
        if lying is None:
            return None
        x0, y0, x1, y1 = self._view.pixels(_box_of(self._view.quad(lying.placed)), around=AROUND)
        return image[y0:y1, x0:x1]


def _chances(reading: Reading) -> tuple[tuple[Card, float], ...]:
    """How likely the card of *reading* is, and each that looks like it; nothing where no index says."""
    looks = [np.array(index.chances) for index in reading.indices if index.chances]
    if not looks:
        return ()
    together = weighed(looks)
    return tuple((card, float(together[card.index])) for card in (reading.card, *look_alikes(reading.card)))


def _better_known(was: Placed, now: Placed) -> Placed:
    """Where a card lies that was read again: where it was, when it is seen there still and fewer corners tell of it."""
    fewer = len(now.corners) < len(was.corners) and _same_corner(was, now)
    return was if fewer else now


def _same_corner(one: Placed, other: Placed) -> bool:
    return any(hypot(a.x - b.x, a.y - b.y) < SAME_CORNER for a in one.corners for b in other.corners)


def _box_of(quad: NDArray[np.float64]) -> Box:
    (x0, y0), (x1, y1) = quad.min(0).tolist(), quad.max(0).tolist()
    return floor(x0), floor(y0), ceil(x1), ceil(y1)


def _overlap(one: Box, other: Box, by: int) -> bool:
    """Whether two boxes share a pixel, or are no more than *by* pixels apart."""
    return one[0] <= other[2] + by and other[0] <= one[2] + by and one[1] <= other[3] + by and other[1] <= one[3] + by


def _inside(quad: NDArray[np.float64], point: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32), point, False) >= 0
