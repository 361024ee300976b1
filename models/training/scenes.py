"""Cards on a table, seen by a camera: what a photograph looks like, drawn with the truth beside it.

A scene is one square photograph at the camera's own resolution. Cards lie in the ways they do at tables (scattered,
in a trick, fanned, in rows), on cloth, wood, paper and desks with things on them, under one homography; then come
light, shadow, glare, colour cast, blur, noise and JPEG. The truth is one row for each corner index in the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tablepi.cards import SUITS
from tablepi.vision.answers import GLYPHS

from .decks import HEIGHT, Deck, Face, Image

SIZE = 512
"""Pixels of a scene's side."""

RANKS = "A23456789TJQK"  # as decks are unpacked; shards are drawn in this order

TRUTH = np.dtype(
    [("x", "f4"), ("y", "f4"), ("up", "f4"), ("size", "f4"), ("glyph", "i2"), ("suit", "i2"), ("card", "i2"),
     ("rank_seen", "f4"), ("suit_seen", "f4")]
)  # fmt: skip
"""One corner index: centre in pixels; direction of up in radians, clockwise from the picture's up; size in pixels (the
height of rank and suit together, or 1.15 times their width where that is more); which glyph of ``answers.GLYPHS`` and
suit of C D H S; which card of the scene it is on; the shares of rank and suit that nothing covers."""


@dataclass(frozen=True, slots=True)
class Scene:
    """*jpeg*: the photograph as the camera wrote it. *truth*: an array of TRUTH."""

    jpeg: bytes
    truth: NDArray[np.void]


@dataclass(slots=True)
class _Lying:
    face: Face
    to_image: NDArray[np.float64]  # homography, pixels of the face to pixels of the scene
    height: float  # of the card, in pixels of the scene, about


def draw(rng: np.random.Generator, deck: Deck, textures: list[Image]) -> Scene:
    """One scene with cards of *deck*."""
    image = _ground(rng, textures)
    view = _view(rng)
    if rng.random() < 0.5:
        _clutter(rng, image)
    height = float(np.exp(rng.triangular(np.log(75), np.log(160), np.log(560))))
    owner = np.zeros((SIZE, SIZE), np.uint8)  # which card is uppermost, 0 none, 255 something that covers
    lying: list[_Lying] = []
    if rng.random() < 0.97:
        names = [(r, s) for r in RANKS for s in SUITS]
        rng.shuffle(names)
        if rng.random() < 0.2:  # courts first: they are the hardest to tell
            names.sort(key=lambda name: name[0] not in "JQK")
        for i, (x, y, turn) in enumerate(_places(rng, height)):
            what = rng.random()
            face = deck.back() if what < 0.05 else deck.joker() if what < 0.075 else deck.face(*names[i])
            card = _Lying(face, view @ _similarity(x, y, turn, height / HEIGHT), height)
            _lay(rng, image, owner, card, i + 1, deck.corner_radius)
            lying.append(card)
    if rng.random() < 0.15:
        _hand(rng, image, owner)
    truth = _truth(lying, owner)
    return Scene(_photograph(rng, image, truth), truth)


def _similarity(x: float, y: float, turn: float, scale: float) -> NDArray[np.float64]:
    """From a face's pixels to the table: its middle at (x, y)."""
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    to_middle = np.array([[1, 0, -0.34 * HEIGHT], [0, 1, -0.5 * HEIGHT], [0, 0, 1]])
    return np.array([[c, -s, x], [s, c, y], [0, 0, 1]]) @ to_middle


def _view(rng: np.random.Generator) -> NDArray[np.float64]:
    """The table as the camera sees it: a homography that keeps the scene's middle, and about its scale there."""
    tilt = np.radians(rng.uniform(0, 12) if rng.random() < 0.45 else rng.uniform(8, 52))
    side, roll = rng.uniform(0, 2 * np.pi, 2)
    distance = rng.uniform(1.1, 3.5) * SIZE
    ct, st = np.cos(tilt), np.sin(tilt)

    def turn(a: float) -> NDArray[np.float64]:
        return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])

    lean = np.array([[1, 0, 0], [0, ct, 0], [0, st / distance, 1]])
    shift = np.array([[1, 0, SIZE / 2], [0, 1, SIZE / 2], [0, 0, 1]])
    return shift @ turn(side) @ lean @ turn(roll)


def _places(rng: np.random.Generator, height: float) -> list[tuple[float, float, float]]:
    """Where cards lie on the table: (x, y, turn) each, the lowest first; (0, 0) is the scene's middle."""
    reach = SIZE * 0.62
    room = (SIZE / height) ** 2
    kind = rng.choice(["scatter", "trick", "fan", "row", "spread"], p=[0.34, 0.16, 0.18, 0.18, 0.14])
    turn = rng.uniform(0, 2 * np.pi)
    if kind == "trick":
        n = int(rng.integers(2, 6))
        apart = rng.uniform(0.25, 0.75) * height
        angles = turn + np.arange(n) * 2 * np.pi / n
        centre = rng.normal(0, 0.12 * SIZE, 2)
        return [
            (centre[0] + apart * np.cos(a), centre[1] + apart * np.sin(a), a + np.pi / 2 + rng.normal(0, 0.3))
            for a in angles
        ]
    if kind in ("fan", "row", "spread"):
        n = int(np.clip(rng.integers(2, 12), 2, 3 + room * 2))
        open_ = rng.uniform(0.05, 0.3) if kind == "fan" else rng.normal(0, 0.03)
        step = height * (rng.uniform(0.1, 0.4) if kind != "spread" else rng.uniform(0.6, 0.9))
        along = turn + (0 if rng.random() < 0.75 else np.pi / 2) * (kind == "row")
        x, y, a = *(rng.uniform(-0.5, 0.5, 2) * SIZE * 0.8), turn
        x -= np.cos(along) * step * n / 2
        y -= np.sin(along) * step * n / 2
        out = []
        for _ in range(n):
            out.append((x, y, a + rng.normal(0, 0.04)))
            x += np.cos(along + (a - turn)) * step
            y += np.sin(along + (a - turn)) * step
            a += open_
        return out
    n = int(np.clip(rng.integers(1, 9), 1, 1 + room * 3))
    straight = rng.random() < 0.3
    return [
        (
            *rng.uniform(-reach, reach, 2),
            (turn + rng.normal(0, 0.06) if straight else rng.uniform(0, 2 * np.pi)),
        )
        for _ in range(n)
    ]


def _ground(rng: np.random.Generator, textures: list[Image]) -> Image:
    kind = rng.random()
    if kind < 0.3 and textures:
        image = textures[rng.integers(len(textures))]
        k = float(np.exp(rng.uniform(np.log(0.6), np.log(4))))
        image = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_LINEAR)
        again = -(-SIZE // np.array(image.shape[:2]))
        image = np.tile(image, (*again, 1))[:SIZE, :SIZE].astype(np.float32)
        if rng.random() < 0.5:
            image = image * rng.uniform(0.3, 1.2, 3)
    else:
        level = rng.choice([rng.uniform(5, 40), rng.uniform(30, 200), rng.uniform(190, 250)], p=[0.25, 0.45, 0.3])
        tone = np.clip(level * rng.uniform(0.55, 1.35, 3) if rng.random() < 0.7 else np.full(3, level), 0, 255)
        image = np.empty((SIZE, SIZE, 3), np.float32)
        image[:] = tone
        for octave in range(int(rng.integers(0, 6))):
            n = 4 << octave
            fine = rng.normal(0, 1, (n, n if rng.random() < 0.7 else 2)).astype(np.float32)
            image += (cv2.resize(fine, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC) * rng.uniform(0, 7))[..., None]
        if rng.random() < 0.35:  # weave
            grain = rng.normal(0, rng.uniform(2, 14), (SIZE, SIZE, 1)).astype(np.float32)
            image += grain if rng.random() < 0.5 else cv2.blur(grain, (7, 1))[..., None]
    return np.clip(image, 0, 255).astype(np.uint8)


def _clutter(rng: np.random.Generator, image: Image) -> None:
    """Things that lie on tables and are no cards: sheets with print, coins, pens, cloth edges, boxes."""
    fonts = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]
    for _ in range(int(rng.integers(1, 7))):
        x, y = (int(v) for v in rng.integers(-60, SIZE, 2))
        ink = tuple(int(v) for v in rng.integers(0, 255, 3))
        kind = rng.choice(["sheet", "coin", "line", "text", "block"], p=[0.3, 0.2, 0.15, 0.2, 0.15])
        if kind == "coin":
            r = int(rng.integers(6, 60))
            cv2.circle(image, (x, y), r, ink, -1, cv2.LINE_AA)
            cv2.circle(image, (x, y), int(r * 0.8), tuple(int(v * 0.7) for v in ink), 2, cv2.LINE_AA)
            word = str(rng.integers(1, 50))
            cv2.putText(image, word, (x - r // 3, y + r // 3), fonts[0], r / 35, (40, 40, 40), 2, cv2.LINE_AA)
        elif kind == "line":
            end = tuple(int(v) for v in rng.integers(0, SIZE, 2))
            cv2.line(image, (x, y), end, ink, int(rng.integers(1, 16)), cv2.LINE_AA)
        elif kind == "text":
            word = "".join(rng.choice(list("A23456789JQKRDVB10CHS&%"), int(rng.integers(1, 6))))
            cv2.putText(image, word, (x, y), fonts[rng.integers(4)], rng.uniform(0.4, 3), ink, int(rng.integers(1, 5)),
                        cv2.LINE_AA)  # fmt: skip
        else:
            w, h = (int(v) for v in rng.integers(30, 320, 2))
            if kind == "sheet":
                ink = tuple(int(v) for v in np.clip(rng.integers(190, 255) + rng.integers(-20, 20, 3), 0, 255))
            box = cv2.boxPoints(((x + w / 2, y + h / 2), (w, h), float(rng.uniform(0, 180))))
            cv2.fillPoly(image, [box.astype(np.int32)], ink, cv2.LINE_AA)
            if kind == "sheet":
                for line in range(int(rng.integers(0, 8))):
                    word = "".join(rng.choice(list("abcdefgo nrstu 12345678 AKQJ"), 12))
                    cv2.putText(image, word, (x + 5, y + 14 + 16 * line), fonts[rng.integers(4)], rng.uniform(0.3, 0.7),
                                (50, 50, 50), 1, cv2.LINE_AA)  # fmt: skip


def _lay(
    rng: np.random.Generator, image: Image, owner: NDArray[np.uint8], card: _Lying, number: int, radius: float
) -> None:
    face = card.face.image
    h, w = face.shape[:2]
    quad = cv2.perspectiveTransform(np.array([[[0, 0], [w, 0], [w, h], [0, h]]], np.float64), card.to_image)[0]
    if not np.isfinite(quad).all() or np.abs(quad - SIZE / 2).max() > 3 * SIZE:
        return
    margin = 12
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - margin, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + margin, SIZE)
    if x1 <= x0 or y1 <= y0:
        return
    shrink = 1.0
    side = np.sqrt(cv2.contourArea(quad.astype(np.float32)) / (w * h))
    while side * shrink < 0.55 and shrink < 8:  # fewer pixels first, so that nothing aliases
        face = cv2.resize(face, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        shrink = h / face.shape[0]
    shrink_x = w / face.shape[1]
    move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
    h_roi = move @ card.to_image @ np.diag([shrink_x, shrink, 1.0])
    alpha = _rounded(face.shape[0], face.shape[1], radius / shrink)
    size = (int(x1 - x0), int(y1 - y0))
    flat = cv2.warpPerspective(face, h_roi, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(alpha, h_roi, size, flags=cv2.INTER_LINEAR)
    part = image[y0:y1, x0:x1]
    if rng.random() < 0.8:  # the shadow under its edge
        far = rng.uniform(0, 5)
        shade = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.8, 5))
        angle = rng.uniform(0, 2 * np.pi)
        shade = cv2.warpAffine(shade, np.float32([[1, 0, far * np.cos(angle)], [0, 1, far * np.sin(angle)]]), size)
        part[:] = (part * (1 - shade[..., None] * (rng.uniform(0.1, 0.6) / 255))).astype(np.uint8)
    tone = rng.uniform(0.86, 1.06)
    a = cv2.merge([mask] * 3).astype(np.float32) / 255
    part[:] = np.clip(part * (1 - a) + flat * (a * tone), 0, 255).astype(np.uint8)
    cv2.fillConvexPoly(owner, quad.round().astype(np.int32), number)


def _rounded(h: int, w: int, radius: float) -> NDArray[np.uint8]:
    r = max(1, round(radius))
    mask = np.zeros((h, w), np.uint8)
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def _hand(rng: np.random.Generator, image: Image, owner: NDArray[np.uint8]) -> None:
    """A hand over the table: an arm from the edge, a palm, some fingers."""
    skin = np.array([rng.uniform(60, 170), rng.uniform(90, 190), rng.uniform(130, 230)]) * rng.uniform(0.5, 1.0)
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    palm = SIZE / 2 + way * rng.uniform(0.2, 0.55) * SIZE + rng.normal(0, 40, 2)
    thick = rng.uniform(25, 90)
    layer = np.zeros((SIZE, SIZE), np.uint8)
    end = tuple(int(v) for v in palm + way * SIZE)
    cv2.line(layer, tuple(int(v) for v in palm), end, 255, int(thick * 1.5), cv2.LINE_AA)
    for spread in np.linspace(-0.5, 0.5, 4) + rng.normal(0, 0.08, 4):
        a = angle + np.pi + spread
        tip = palm + np.array([np.cos(a), np.sin(a)]) * thick * rng.uniform(0.8, 1.8)
        cv2.line(layer, tuple(int(v) for v in palm), tuple(int(v) for v in tip), 255, int(thick * 0.42), cv2.LINE_AA)
    shade = cv2.GaussianBlur(layer, (0, 0), thick / 6).astype(np.float32)[..., None] / 255
    a = layer[..., None].astype(np.float32) / 255
    image[:] = np.clip(image * (1 - 0.4 * shade) * (1 - a) + skin * (0.55 + 0.5 * shade) * a, 0, 255).astype(np.uint8)
    owner[layer > 127] = 255


def _truth(lying: list[_Lying], owner: NDArray[np.uint8]) -> NDArray[np.void]:
    rows = []
    for number, card in enumerate(lying, 1):
        if card.face.glyph is None:
            continue
        for corner in card.face.corners:
            both = np.array([corner.rank, corner.suit])
            x0, y0 = both[:, :2].min(0)
            x1, y1 = both[:, 2:].max(0)
            size = max(y1 - y0, 1.15 * (x1 - x0))
            centre = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
            up = np.array([0, 1.0 if corner.turned else -1.0])
            steps = np.array([[0.0, 0.0], up, [1.0, 0.0], [0.0, 1.0]])
            marks = (centre + steps * size / 4)[None]
            at, above, right, below = cv2.perspectiveTransform(marks, card.to_image)[0]
            if not (at.min() > -SIZE and at.max() < 2 * SIZE):
                continue
            across, down = (right - at) * 4, (below - at) * 4
            pixels = np.sqrt(abs(across[0] * down[1] - across[1] * down[0]))
            angle = np.arctan2(above[0] - at[0], -(above[1] - at[1]))
            seen = [_share_seen(box, card.to_image, owner, number) for box in (corner.rank, corner.suit)]
            rows.append((at[0], at[1], angle, pixels, GLYPHS.index(card.face.glyph), SUITS.index(card.face.suit),
                         number, *seen))  # fmt: skip
    return np.array(rows, TRUTH)


def _share_seen(
    box: tuple[float, float, float, float], to_image: NDArray[np.float64], owner: NDArray[np.uint8], number: int
) -> float:
    x0, y0, x1, y1 = box
    xs, ys = np.meshgrid(np.linspace(x0, x1, 9), np.linspace(y0, y1, 9))
    points = np.stack([xs.ravel(), ys.ravel()], 1)[None]
    at = np.round(cv2.perspectiveTransform(points, to_image)[0]).astype(int)
    inside = ((at >= 0) & (at < SIZE)).all(1)
    seen = owner[at[inside, 1], at[inside, 0]] == number
    return float(seen.sum() / len(at))


def _photograph(rng: np.random.Generator, image: Image, truth: NDArray[np.void]) -> bytes:
    """Light, lens, sensor, file."""
    light = image.astype(np.float32)
    if rng.random() < 0.7:  # uneven light, a lamp at one side
        field = cv2.resize(
            rng.uniform(0.5, 1.15, (3, 3)).astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC
        )
        light *= field[..., None] ** rng.uniform(0.2, 1.0)
    if rng.random() < 0.2:  # the shadow of somebody
        shade = np.zeros((SIZE, SIZE), np.uint8)
        cv2.fillPoly(shade, [rng.integers(-100, SIZE + 100, (4, 2)).astype(np.int32)], 255)
        soft = cv2.GaussianBlur(shade, (0, 0), rng.uniform(2, 25)).astype(np.float32)[..., None] / 255
        light *= 1 - soft * rng.uniform(0.2, 0.6)
    if rng.random() < 0.15:  # glare
        glow = np.zeros((SIZE, SIZE), np.uint8)
        at = tuple(int(v) for v in rng.integers(0, SIZE, 2))
        axes = tuple(int(v) for v in rng.integers(10, 110, 2))
        cv2.ellipse(glow, at, axes, float(rng.uniform(0, 180)), 0, 360, 255, -1)
        soft = cv2.GaussianBlur(glow, (0, 0), rng.uniform(6, 30)).astype(np.float32)[..., None]
        light += soft * rng.uniform(0.2, 0.9)
    cast = rng.normal(1, 0.05, 3)
    if rng.random() < 0.22:
        cast = rng.uniform(0.5, 1.15, 3)
    light *= cast
    light *= rng.uniform(0.35, 0.8) if rng.random() < 0.25 else rng.uniform(0.8, 1.3)
    if rng.random() < 0.35:
        light = 255 * np.power(np.clip(light, 0, 255) / 255, rng.uniform(0.6, 1.6))
    if rng.random() < 0.3:  # veiling light: black is not black
        veil = rng.uniform(0, 50)
        light = light * (1 - veil / 255) + veil
    seen = truth["size"][np.minimum(truth["rank_seen"], truth["suit_seen"]) > 0.8] if len(truth) else []
    size = float(np.median(seen)) if len(seen) else 40.0
    blur = abs(rng.normal(0, 0.022)) * size + (rng.uniform(0.2, 0.9) if rng.random() < 0.5 else 0.0)
    if blur > 0.25:
        light = cv2.GaussianBlur(light, (0, 0), min(blur, 0.075 * size + 0.4))
    if rng.random() < 0.12:  # something moved
        length = rng.uniform(0.03, 0.2) * size
        if length > 1.5:
            n = int(np.ceil(length)) | 1
            kernel = np.zeros((n, n), np.float32)
            a = rng.uniform(0, np.pi)
            half = np.array([np.cos(a), np.sin(a)]) * (n // 2)
            p = tuple(int(v) for v in np.round(n // 2 + half))
            q = tuple(int(v) for v in np.round(n // 2 - half))
            cv2.line(kernel, p, q, 1.0, 1)
            light = cv2.filter2D(light, -1, kernel / kernel.sum())
    if rng.random() < 0.25:  # a telephone sharpens
        light += (light - cv2.GaussianBlur(light, (0, 0), 1.2)) * rng.uniform(0.3, 1.6)
    grain = rng.uniform(0, 4) if rng.random() < 0.75 else rng.uniform(4, 14)
    noise = np.empty((SIZE, SIZE, 3), np.float32)
    cv2.randn(noise, 0, grain)
    if rng.random() < 0.4:
        noise = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.4, 1.0)) * 1.6
    shot = np.clip(light + noise, 0, 255).astype(np.uint8)
    quality = int(rng.integers(35, 70)) if rng.random() < 0.3 else int(rng.integers(70, 97))
    return cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
