"""What was learned of one deck's own faces: looks at its cards whose names a person vouched for, and what they change.

The namer's answers are drawn from 160 numbers in which faces that look alike lie close together. Where the looks at a
deck lie, its answers can be put right without training anything: kernel ridge regression in closed form, with the
network's own answers as what is believed beforehand. Each look asks for what its right answer lacks to a clear margin
(nothing, where it is read clearly already), the regression spreads that to what lies near, and far from every look the
correction fades to nothing, so that another deck's cards are read as before. How wide it spreads and how much it is
held back is chosen by leaving out one picture at a time: the choice that names what was left out best, and none unless
that is plainly better than the network alone. What cannot be checked so, such as a single look, changes nothing.

Whether a place is an index at all is not corrected: on held-out decks, those with letters never met among them, the
namer knows indices from other things, and a correction made it take a few of those for cards.

A file holds the looks, as small pictures, with what the namer said of them: with another namer (after an update of the
project) they are shown to it anew.
"""

from __future__ import annotations

import errno
import io
import math
import warnings
import zipfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..cards import ALL_CARDS, Card
from ..errors import BadInput
from ..files import write_whole
from .answers import HIDDEN, SUIT, Floats, rank_chances, softmax
from .patches import SIDE

Ask = Callable[[NDArray[np.uint8]], Floats]
"""From patches (n, 48, 48, 3) to what the namer says of each, a row of logits and of the numbers behind them."""


VERSION = 1

MARGIN = 4.0
"""Nats by which a look's right rank and suit should lead every other: as clear as a clear card. More makes readings
surer than they are right."""
LEAST = 1e-6
"""The chance that no rank falls under, so that a correction can lift it."""
CHOICES = ((8.0, 0.3), (8.0, 1.0), (20.0, 0.3))
"""Sharpness and ridge to choose from. Sharpness: how fast a correction fades with 1 - cosine from a look; strangers are
half a cosine away, where 8 leaves a fiftieth. Ridge: by how many looks' worth what the network believes is held to."""
PROVED_RANK, PROVED_SUIT = 0.5, 2.0
"""By how many standard errors, over what was left out, a correction must have made things better to be used. Decks have
letters of their own, seldom suits: on held-out decks corrections of the suit that were but likely did more harm."""
MOST_CUTS = 1200
"""That are learned from: the work grows with their cube. Of very many looks fewer cuts each are taken."""
MOST_BYTES = 400_000_000
"""Of one array of a file: of more looks than these twelve thousand nobody could learn. A small file may claim more."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One index of *card*, cut several times a little differently. *picture* tells which picture it is from.
    *patches* (cuts, 48, 48, 3) uint8 BGR; *told* (cuts, width): what the namer says of each."""

    card: Card
    picture: str
    patches: NDArray[np.uint8]
    told: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """A correction of some logits: how near each look is, made sharper, times its *weights*."""

    weights: Floats
    sharpness: float

    def __call__(self, near: Floats) -> Floats:
        """For each row of *near*, the cosines with the looks."""
        return np.asarray(_kernel(near, self.sharpness) @ self.weights)


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What *faces* change, ready for use. *before* and *after*: how likely the right card of a look is said to be, on
    average: by the namer alone, and with what the looks of the other pictures teach; 0 without looks."""

    faces: Faces
    before: float
    after: float
    looks: Floats
    rank: Bend
    suit: Bend

    def correction(self, hidden: Floats) -> tuple[Floats, Floats]:
        """What to add to the logits of the ranks (n, 13) and of the suits (n, 4), for rows *hidden* of the numbers
        behind the namer's answers. Next to nothing for rows unlike any look."""
        near = unit(hidden) @ self.looks.T
        return self.rank(near), self.suit(near)

    def corrected(self, told: Floats, ranks: Floats) -> tuple[Floats, Floats]:
        """The chances of the ranks (n, 13) and of the suits (n, 4), for rows *told* by the namer, whose chances of the
        *ranks* were (n, 13): what those lack to 1 is no rank, before and after."""
        rank, suit = self.correction(told[:, HIDDEN])
        lifted = np.maximum(ranks, LEAST) * np.exp(rank)
        no_rank = np.maximum(1 - ranks.sum(1, keepdims=True), 0)
        return (
            lifted / (lifted.sum(1, keepdims=True) + no_rank),
            softmax(told[:, SUIT] + suit),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """The looks at one deck. *model* is the hash of the namer that what was *told* comes from."""

    model: str
    looks: tuple[Look, ...] = ()

    def cards_of(self, picture: str) -> frozenset[Card]:
        """The cards that looks from *picture* show; none when it was not taken."""
        return frozenset(look.card for look in self.looks if look.picture == picture)

    def joined(self, looks: Sequence[Look]) -> Faces:
        """These looks and *looks*; those of the same pictures give way."""
        anew = {look.picture for look in looks}
        return replace(self, looks=(*(old for old in self.looks if old.picture not in anew), *looks))

    def without(self, cards: Collection[Card]) -> Faces:
        """These looks but for those at *cards*."""
        return replace(self, looks=tuple(look for look in self.looks if look.card not in cards))

    def told_by(self, model: str, ask: Ask) -> Faces:
        """The same looks as the namer *model* sees them: *ask* shows them to it."""
        if model == self.model:
            return self
        return Faces(model, tuple(replace(look, told=ask(look.patches)) for look in self.looks))

    def learned(self, ranks: Floats) -> Learned:
        """What the looks change. *ranks* (17, 13): which rank each glyph means."""
        return _fit(self, ranks)

    def save(self, file: Path) -> None:
        """Write them to *file*, whole or not at all. Raises BadInput when it cannot be written."""
        written = io.BytesIO()
        np.savez_compressed(written, **self._arrays())
        write_whole(file, written.getvalue(), folders=True)

    def _arrays(self) -> dict[str, Any]:
        return {
            "version": np.array(VERSION),
            "model": np.array(self.model),
            "pictures": np.array([look.picture for look in self.looks], dtype=np.str_),
            "cards": np.array([str(look.card) for look in self.looks], dtype=np.str_),
            "patches": np.stack([look.patches for look in self.looks]) if self.looks else np.zeros(0, np.uint8),
            "told": np.stack([look.told for look in self.looks]).astype(np.float32) if self.looks else np.zeros(0),
        }


def load(file: Path) -> Faces:
    """The looks kept in *file*. Raises BadInput when it is damaged or no such file, or not there."""
    try:
        if file.exists() and not file.is_file():  # a pipe would be waited for
            raise BadInput(f"{file}: is no file: name the file of a deck's faces")
        with file.open("rb") as opened:
            kept = _read(opened)
    except FileNotFoundError:
        raise BadInput(f"{file}: there are no faces: enrol the deck first (tablepi enrol faces)") from None
    except BadInput:
        raise
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    if kept is None:
        raise BadInput(f"{file}: is damaged, or holds no enrolled faces: delete it and enrol the deck again")
    if isinstance(kept, int):
        raise BadInput(f"{file}: a later tablepi wrote these faces: update tablepi, or enrol the deck again")
    return kept


def _read(file: IO[bytes]) -> Faces | int | None:
    """The looks in an open *file*; the version of a later tablepi's, None when it holds none. Raises OSError when it
    cannot be read."""
    try:
        with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(file) as entries:
            version = _array(entries, "version")
            if version.dtype.kind not in "iu" or version.ndim or version < VERSION:
                return None
            if version > VERSION:
                return int(version)
            return _faces(*(_array(entries, name) for name in ("model", "pictures", "cards", "patches", "told")))
    except Exception as error:  # where bytes have changed, zipfile and numpy raise a dozen kinds, down to TokenError
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):  # EINVAL: of a place before the file
            raise
        return None


def _array(entries: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """The array *name*, which is as large as its bytes are, whatever its header claims. Raises what zipfile and numpy
    do when it is damaged, ValueError when it is larger than any of ours."""
    with entries.open(f"{name}.npy") as entry:
        content = io.BytesIO(entry.read(MOST_BYTES + 1))
    if content.getbuffer().nbytes > MOST_BYTES or np.lib.format.read_magic(content) != (1, 0):
        raise ValueError("no such array")
    shape, _, kind = np.lib.format.read_array_header_1_0(content)
    if math.prod(shape) * kind.itemsize != len(content.getbuffer()) - content.tell():
        raise ValueError("an array of another size")
    content.seek(0)
    return np.asarray(np.load(content, allow_pickle=False))


def _faces(
    model: NDArray[np.str_],
    pictures: NDArray[np.str_],
    cards: NDArray[np.str_],
    patches: NDArray[np.uint8],
    told: NDArray[np.float32],
) -> Faces:
    """Raises ValueError when the arrays do not belong together, KeyError when one names no card."""
    if model.ndim or any(texts.dtype.kind != "U" for texts in (model, pictures, cards)):
        raise ValueError("names that are no texts")
    n = len(cards)
    if n == 0:
        return Faces(str(model))
    fits = patches.dtype == np.uint8 and patches.ndim == 5 and patches.shape[2:] == (SIDE, SIDE, 3)
    fits = fits and told.dtype == np.float32 and told.ndim == 3 and told.shape[2] > HIDDEN.start
    fits = fits and patches.shape[:2] == told.shape[:2] and patches.shape[1] > 0
    if not fits or len(patches) != n or len(pictures) != n or not np.isfinite(told).all():
        raise ValueError("arrays of other sizes")
    known = {str(card): card for card in ALL_CARDS}
    return Faces(
        str(model),
        tuple(
            Look(known[str(card)], str(picture), cuts, rows.astype(np.float64))
            for card, picture, cuts, rows in zip(cards, pictures, patches, told, strict=True)
        ),
    )


# --- the arithmetic ---------------------------------------------------------------------------------------------------


def unit(hidden: Floats) -> Floats:
    """Rows of length 1."""
    return np.asarray(hidden / np.maximum(np.linalg.norm(hidden, axis=1, keepdims=True), 1e-9))


def _fit(faces: Faces, ranks: Floats) -> Learned:
    looks = faces.looks
    if not looks:
        nothing = Bend(np.zeros((0, 1)), CHOICES[0][0])
        return Learned(faces, 0.0, 0.0, np.zeros((0, 1)), nothing, nothing)
    cuts = max(1, min(looks[0].told.shape[0], MOST_CUTS // len(looks)))
    told = np.concatenate([look.told[:cuts] for look in looks])
    behind = unit(told[:, HIDDEN])
    names = np.array([look.card.index for look in looks])
    pictures = np.unique([look.picture for look in looks], return_inverse=True)[1]
    near = behind @ behind.T
    rank = _bend(near, np.log(np.maximum(rank_chances(told, ranks), LEAST)), names >> 2, pictures, PROVED_RANK)
    suit = _bend(near, told[:, SUIT], names & 3, pictures, PROVED_SUIT)
    before, after = float(np.mean(rank.before * suit.before)), float(np.mean(rank.after * suit.after))
    return Learned(faces, before, after, behind, rank.bend, suit.bend)


@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    """*before* and *after*: the chance of the right one, cut by cut, as the network has it, and learned from others."""

    bend: Bend
    before: Floats
    after: Floats


def _bend(
    near: Floats, logits: Floats, names: NDArray[np.int64], pictures: NDArray[np.int64], proved: float
) -> _Choice:
    """The correction of *logits* (cuts, k). *names* and *pictures*, a look each: which one is right, and where it was
    seen; *near* the cosines of the cuts. None unless it is better by *proved* standard errors."""
    cuts = len(logits) // len(names)
    right = np.repeat(names, cuts)
    parts = [np.flatnonzero(np.repeat(part, cuts)) for part in _left_out(names, pictures)]
    before = _chance(logits, right)
    lacks = _lacks(logits, right)
    best, most = _Choice(Bend(np.zeros_like(lacks), CHOICES[0][0]), before, before), 0.0
    for sharpness, ridge in CHOICES if len(parts) > 1 else ():
        inverse = np.linalg.inv(_kernel(near, sharpness) + ridge * cuts * np.eye(len(near)))
        weights = inverse @ lacks
        others = np.empty_like(lacks)  # what is added to each when its part is left out, without solving that anew
        for part in parts:
            others[part] = lacks[part] - np.linalg.solve(inverse[np.ix_(part, part)], weights[part])
        after = _chance(logits + others, right)
        better = _surprise(before) - _surprise(after)
        shares = np.array([better[part].sum() for part in parts]) / len(better)
        error = np.sqrt(((shares - shares.mean()) ** 2).sum() * len(parts) / (len(parts) - 1))
        if better.mean() > max(most, proved * error):
            best, most = _Choice(Bend(np.asarray(weights), sharpness), before, after), float(better.mean())
    return best


def _left_out(names: NDArray[np.int64], pictures: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """Which looks are left out together: those of one picture; but one by one those of a name that no other picture
    shows, for nothing could be learned of it without them."""
    seen = {name: len(set(pictures[names == name].tolist())) for name in set(names.tolist())}
    alone = np.array([seen[name] == 1 for name in names.tolist()])
    parts = [(pictures == picture) & ~alone for picture in range(int(pictures.max()) + 1)]
    parts += [np.arange(len(names)) == look for look in np.flatnonzero(alone)]
    return [part for part in parts if part.any()]


def _kernel(near: Floats, sharpness: float) -> Floats:
    return np.asarray(np.exp(-sharpness * (1 - near)))


def _lacks(logits: Floats, right: NDArray[np.int64]) -> Floats:
    """What must be added for the right one to lead every other by MARGIN: half by raising it, half by lowering those
    that come too near."""
    rows = np.arange(len(logits))
    over = np.maximum(logits - logits[rows, right][:, None] + MARGIN, 0)
    over[rows, right] = 0
    lacks = -over / 2
    lacks[rows, right] = over.max(1) / 2
    return np.asarray(lacks)


def _chance(logits: Floats, right: NDArray[np.int64]) -> Floats:
    return np.asarray(softmax(logits)[np.arange(len(logits)), right])


def _surprise(chances: Floats) -> Floats:
    return np.asarray(-np.log(np.maximum(chances, 1e-4)))
