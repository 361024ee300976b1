"""``tablepi enrol faces``: the reader learns a deck's own faces from pictures of its cards; ``enrol list`` tells what a
deck's file holds, and ``enrol forget`` takes cards out of it.

What a picture shows is told by its name (``QS.jpg``) or its folder's (``QS/1.jpg``), or by the person who is asked.
Each picture is kept as soon as it is learned, so that one may stop at any time and go on another day.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from ..cards import ALL_CARDS, RANKS, SUIT_SIGNS, SUITS, Card, card
from ..errors import BadInput, shown
from ..facts import dumps

if TYPE_CHECKING:  # at run time numpy and cv2 are imported when the command runs
    import numpy as np
    from numpy.typing import NDArray

    from ..pictures import Picture
    from ..vision.faces import Faces, Learned
    from ..vision.finder import Place
    from ..vision.namer import Named

    Cuts = tuple[NDArray[np.uint8], NDArray[np.float64]]

ENDING = ".faces.npz"
SECONDS = 1.0
"""Between the frames of a video that are looked at."""
SEEN = 0.3
"""The chance from which a person is asked about a reading."""


class Learner(Protocol):
    """What reads a frame and learns a deck (see tablepi.vision.CardReader)."""

    def learn(self, faces: Faces) -> Learned: ...

    def name(self, frame: NDArray[np.uint8]) -> Sequence[Named]: ...

    def looks(self, frame: NDArray[np.uint8], places: Sequence[Place]) -> Sequence[Cuts]: ...


SURELY = 0.95
"""Chance of another card from which a picture's name is doubted."""


APART = "ranks and suit signs are learned apart: any card of a rank teaches that rank, any card of a suit its sign"


class Stopped(Exception):
    """Raised when the person wants to stop."""


def faces_file(option: str, deck: str, store: Callable[[], Path]) -> Path:
    """The file of a deck's faces, as *option* names it: *deck* itself when it ends in ``.faces.npz``, else the deck of
    that name in the *store*, which is asked only then. Raises BadInput, for a name with a slash, too: it would be lost
    in a folder that nobody meant."""
    if deck.endswith(ENDING):
        return Path(deck)
    if deck.strip() in ("", ".", "..") or deck != deck.strip():
        raise BadInput(f"{option} {deck!r}: name the deck, such as bicycle, or a file, such as ./bicycle{ENDING}")
    if "/" in deck:
        raise BadInput(f"{option} {deck!r}: a deck's name has no slash, and a file ends in {ENDING}")
    return store() / "faces" / (deck + ENDING)


def asked_at(terminal: TextIO | None, err: TextIO) -> Callable[[str], str | None] | None:
    """How to ask a person who sits at *terminal*: the question goes to *err*. None when it is no terminal."""
    if terminal is None or terminal.closed or not terminal.isatty():
        return None

    def ask(question: str) -> str | None:
        print(question, end="", file=err, flush=True)
        answer = terminal.readline()
        if not answer:
            print(file=err)
        return answer.rstrip("\n") if answer else None

    return ask


def card_of(file: str) -> Card | None:
    """The card that a file's name or its folder's says: ``QS.jpg``, ``10C (2).png``, ``Q♠_b1.jpg`` no more than
    figures and marks behind it, and ``QS/anything.jpg``. None when neither does."""
    path = Path(file)
    for name, marks in ((path.stem, True), (path.absolute().parent.name, False)):
        told = re.match(r"\s*((?:10|[2-9TJQKA])[CDHS♣♧♦♢♥♡♠♤]\ufe0f?)(.*)", name, re.IGNORECASE | re.DOTALL)
        if told is not None and not any(c.isalpha() for c in told[2]) and (marks or not told[2].strip()):
            return card(told[1])
    return None


def enrol(
    paths: Iterable[str],
    *,
    file: Path,
    json: bool,
    language: str,
    out: TextIO,
    err: TextIO,
    ask: Callable[[str], str | None] | None,
    reader: Learner | None = None,
) -> int:
    """Learn a deck's faces from the pictures of *paths*; each is kept in *file* as soon as it is learned.

    *ask* puts a question to the person and returns the answer, None when there will be no more; it is None itself when
    nobody is there. Returns the exit status: 0, or 2 when from some picture nothing could be learned, which is told,
    and the others go on. Raises BadInput when *file* cannot be used, Missing when the models are not there.
    """
    from ..pictures import PassedOver, Unreadable, pictures
    from ..vision.faces import Faces, load

    faces = load(file) if file.exists() else Faces("")
    if reader is None:
        from ..vision.reader import CardReader

        reader = CardReader()
    learned = reader.learn(faces)
    if faces.looks and learned.faces is not faces:
        learned.faces.save(file)  # as a newer model sees them
    enrolment = _Enrolment(reader, learned, file, language, ask, err)
    status = 0
    try:
        for found in pictures(paths, seconds=SECONDS):
            if isinstance(found, PassedOver):
                what = "file is no picture" if found.count == 1 else "files are no pictures"
                print(f"{shown(found.folder)}: {found.count} other {what}", file=err, flush=True)
                continue
            line: dict[str, Any]
            if isinstance(found, Unreadable):
                line, text = {"file": found.file, "error": found.why}, str(found)
            else:
                line, text = enrolment.take(found)
                text = f"{shown(found.file)}: {text}"
            if "error" in line:
                status = 2
                print(f"tablepi: {text}", file=err, flush=True)
            if json:
                print(dumps(line), file=out, flush=True)
            elif "error" not in line:
                print(text, file=out, flush=True)
    except Stopped:
        print("stopped: what was learned so far is kept; the same command goes on", file=err, flush=True)
    _tell_deck(enrolment.learned, file, len(faces.looks), json=json, language=language, out=out)
    return status


@dataclass(slots=True)
class _Enrolment:
    """Takes one picture after the other; what is ``learned`` grows."""

    reader: Learner
    learned: Learned
    file: Path
    language: str
    ask: Callable[[str], str | None] | None
    err: TextIO

    def take(self, picture: Picture) -> tuple[dict[str, Any], str]:
        """What became of *picture*: a line for machines, with ``error`` when nothing could be learned, and words.
        Raises Stopped."""
        line: dict[str, Any] = {"file": picture.file}
        if picture.number is not None:
            line |= {"frame": picture.number, "time": picture.time}
        shape = "x".join(map(str, picture.frame.shape))
        name = hashlib.sha256(shape.encode() + picture.frame.tobytes()).hexdigest()[:32]
        said, known = card_of(picture.file), self.learned.faces.cards_of(name)
        if known and (said is None or known == {said}):
            cards = " ".join(each.face(self.language) for each in sorted(known))
            return line | {"known": sorted(map(str, known))}, f"{cards}, learned before"
        if said is None and self.ask is None:
            why = "its name tells no card and there is nobody to ask: name it like QS.jpg, or run this on a terminal"
            return line | {"error": why}, why
        named = self.reader.name(picture.frame)
        try:
            taken = self._named(named, said) if said is not None else list(self._asked(picture, named))
        except BadInput as error:
            return line | {"error": str(error)}, str(error)
        if not taken:
            return line | {"looks": {}}, "skipped"
        self._keep(picture, name, taken)
        counts = {str(each): sum(len(i) for c, i in taken if c == each) for each in sorted({c for c, _ in taken})}
        words = "; ".join(f"{card(c).face(self.language)}, {_count(n, 'corner')} learned" for c, n in counts.items())
        seems = _other_than(said, taken[0][1]) if said is not None else None
        if seems is None:
            return line | {"looks": counts}, words
        doubt = f"it looks like {seems.face(self.language)}: if so, name it rightly and enrol it once more"
        return line | {"looks": counts, "seems": str(seems)}, f"{words}; {doubt}"

    def _named(self, named: Sequence[Named], said: Card) -> list[tuple[Card, Sequence[Named]]]:
        from ..vision.looks import likely, of_card

        if not likely(named):
            raise BadInput("no index was found: take it nearer, sharper or in more light")
        indices = of_card(named, said)
        if not indices:
            raise BadInput(
                f"several cards, and which is {said.face(self.language)} cannot be told: one card a picture, please"
            )
        return [(said, indices)]

    def _asked(self, picture: Picture, named: Sequence[Named]) -> Iterator[tuple[Card, Sequence[Named]]]:
        """What the person vouches for."""
        from ..vision.gather import gather
        from ..vision.looks import likely, one_card

        found = likely(named)
        if not found:
            raise BadInput("no index was found: take it nearer, sharper or in more light")
        readings = [(c, indices) for c, chance, indices in gather(found) if chance >= SEEN]
        if one_card(found):  # though its corners may be read as two
            readings = [(readings[0][0] if readings else ALL_CARDS[int(found[0].chances.argmax())], tuple(found))]
        readings.sort(key=lambda each: min(index.place.x for index in each[1]))
        for number, (read, indices) in enumerate(readings, 1):
            where = f", card {number} of {len(readings)} from the left" if len(readings) > 1 else ""
            told = self._answer(f"{shown(picture.file)}{where}: {read.face(self.language)}?", read)
            if told is not None:
                yield told, indices

    def _answer(self, question: str, read: Card) -> Card | None:
        """The card that the person says, None when it is skipped. Raises Stopped."""
        assert self.ask is not None
        keys = "Enter = yes, or write the card, s = skip, q = stop"
        while True:
            answer = self.ask(f"{question} ({keys}) ")
            match answer.strip().lower() if answer is not None else "q":
                case "":
                    return read
                case "s":
                    return None
                case "q":
                    raise Stopped
                case written:
                    try:
                        return card(written)
                    except ValueError as error:
                        print(error, file=self.err, flush=True)

    def _keep(self, picture: Picture, name: str, taken: Sequence[tuple[Card, Sequence[Named]]]) -> None:
        from ..vision.faces import Look

        looks = []
        for said, indices in taken:
            cuts = self.reader.looks(picture.frame, [each.place for each in indices])
            looks += [Look(said, name, patches, told) for patches, told in cuts]
        faces = self.learned.faces.joined(looks)
        faces.save(self.file)
        self.learned = self.reader.learn(faces)


def _other_than(said: Card, indices: Sequence[Named]) -> Card | None:
    """The card that a picture surely shows as it is read now, when that is not the one that its name says."""
    from ..vision.gather import gather

    read = {c: chance for c, chance, _ in gather(indices)}
    best = max(read, key=lambda c: read[c], default=said)
    return best if best != said and read[best] >= SURELY else None


# --- what a deck's file holds -----------------------------------------------------------------------------------------


def list_decks(
    file: Path | None, *, store: Callable[[], Path], json: bool, language: str, out: TextIO, err: TextIO
) -> int:
    """Tell what was learned of the deck in *file*, card by card; without one, which decks the *store* has. Returns the
    exit status: 0, or 2 when a deck of the store cannot be read, which is told. Raises BadInput for *file*."""
    from ..vision.faces import load

    if file is not None:
        faces = load(file)
        if json:
            looks = {str(each): count for each, count in _looks(faces).items()}
            print(dumps(_deck_line(faces, file) | {"looks_at": looks}), file=out)
        else:
            for text in (*_learned(faces, file), *_cards(faces, language), *_wanting(faces, language)):
                print(text, file=out)
        return 0
    folder, status = store() / "faces", 0
    decks = sorted(folder.glob(f"*{ENDING}"))
    if not decks and not json:
        print(f"no deck in {shown(str(folder))} yet: teach one with `tablepi enrol faces PATH… --deck NAME`", file=out)
    for deck in decks:
        try:
            faces = load(deck)
        except BadInput as error:
            status = 2
            print(f"tablepi: {shown(str(error))}", file=err, flush=True)
            continue
        name = deck.name.removesuffix(ENDING)
        print(dumps(_deck_line(faces, deck)) if json else "".join(_learned(faces, name)), file=out)
    return status


def forget(file: Path, names: Iterable[str], *, language: str, out: TextIO) -> int:
    """Take what was learned of the cards *names* out of the deck in *file*: of all, or of none. Their pictures may be
    enrolled again. Raises BadInput for what is no card, and for one that was never learned."""
    from ..vision.faces import load

    faces = load(file)
    looks, cards = _looks(faces), []
    for name in names:
        try:
            cards.append(card(name))
        except ValueError as error:
            raise BadInput(str(error)) from None
    never = sorted({each.face(language) for each in cards if each not in looks})
    if never:
        known = " ".join(each.face(language) for each in looks) or "none"
        raise BadInput(f"{file}: nothing was learned of {' '.join(never)}: the cards that were are {known}")
    left = faces.without(cards)
    left.save(file)
    for each in dict.fromkeys(cards):
        print(f"{each.face(language)}: forgotten, with its {_count(looks[each], 'corner')}", file=out)
    for text in (*_learned(left, file), *_wanting(left, language)):
        print(text, file=out)
    if not left.looks:
        print(f"nothing is left to read with: {file} may be deleted", file=out)
    return 0


def _tell_deck(learned: Learned, file: Path, before: int, *, json: bool, language: str, out: TextIO) -> None:
    faces = learned.faces
    if json:
        sure = {"before": round(learned.before, 4), "after": round(learned.after, 4)}
        print(dumps(_deck_line(faces, file) | sure), file=out, flush=True)
        return
    wanting = [*_wanting(faces, language)]
    for text in (*_learned(faces, file, new=len(faces.looks) - before), *wanting, *([APART] if wanting else [])):
        print(text, file=out)
    if faces.looks:
        print(_what_it_changes(learned), file=out)
        print(f"read with it: tablepi recognise PICTURE --faces {quote(str(file))}", file=out)
    out.flush()


def _deck_line(faces: Faces, file: Path) -> dict[str, Any]:
    pictures = _pictures(faces)
    return {
        "deck": str(file),
        "pictures": len({look.picture for look in faces.looks}),
        "looks": len(faces.looks),
        "cards": len(_looks(faces)),
        "missing_ranks": [rank for rank in _RANKS if not pictures[rank]],
        "missing_suits": [suit for suit in SUITS if not pictures[suit]],
    }


def _learned(faces: Faces, deck: Path | str, *, new: int | None = None) -> Iterator[str]:
    """How much was learned; *new*: so many corners of it just now."""
    pictures = _count(len({look.picture for look in faces.looks}), "picture")
    cards, corners = _count(len(_looks(faces)), "card"), _count(len(faces.looks), "corner")
    yield f"{shown(str(deck))}: {cards} learned, from {corners}{'' if new is None else f' ({new} new)'} on {pictures}"


def _cards(faces: Faces, language: str) -> Iterator[str]:
    """The corners of each card, a line for each suit that has some."""
    for suit in SUITS:
        told = [f"{each.face(language)} {count}" for each, count in _looks(faces).items() if each.suit == suit]
        if told:
            yield f"  corners of each: {', '.join(told)}"


def _wanting(faces: Faces, language: str) -> Iterator[str]:
    """Of which letters and signs there are too few pictures. A deck's letters are alike in all its suits, so any card
    with the letter will do."""
    pictures = _pictures(faces)

    def told(some: Iterable[str]) -> str:
        return " ".join(SUIT_SIGNS[each] if each in SUITS else card(f"{each}C").face(language)[:-1] for each in some)

    once = [each for each in (*_RANKS, *SUITS) if len(pictures[each]) == 1]
    never = [each for each in (*_RANKS, *SUITS) if not pictures[each]]
    if once:
        yield f"on one picture only, and better on two: {told(once)}"
    if never:
        yield f"on no picture yet: {told(never)}"


def _what_it_changes(learned: Learned) -> str:
    before, after = (f"{100 * chance:.0f} %" for chance in (learned.before, learned.after))
    if before == after:
        return f"Before and after learning it was {after} sure of these cards: more pictures may change that."
    return f"Before learning it was {before} sure of these cards, after it {after}."


_RANKS = RANKS[::-1]


def _looks(faces: Faces) -> dict[Card, int]:
    """How many corners of each card were learned, by suit and then from the ace down."""
    counts = Counter(look.card for look in faces.looks)
    return {each: counts[each] for each in sorted(counts, key=lambda c: (SUITS.index(c.suit), _RANKS.index(c.rank)))}


def _pictures(faces: Faces) -> dict[str, set[str]]:
    """On which pictures each rank and each suit was seen."""
    found: dict[str, set[str]] = {each: set() for each in (*RANKS, *SUITS)}
    for look in faces.looks:
        found[look.card.rank].add(look.picture)
        found[look.card.suit].add(look.picture)
    return found


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
