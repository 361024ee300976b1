"""From a scene to a picture: what a camera of a given pose would have photographed.

The picture is made of layers, each drawn once and kept while it does not change::

    the bare table, lit and a little out of focus          once, and when the camera is knocked
    + shadows and cards that lie still                      when a card comes, goes or begins to move
    + cards that move, hands, their shadows, smeared        each picture
    x other lights than the usual ones                      each picture with such a light
    x the lamp, + the sensor's noise                        each picture

A picture of a scene in which nothing moves costs a copy and the noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from ..cards import Seat
from . import hand as hands
from .cloth import GAIN_STEP, bare_table, gains_of, light_of, window_of
from .deck import STYLES, Deck, Style
from .felt import Face, Glass, Hand, Light, Lying, Phone, Posture, Scene, Shift, Stranger
from .hand import Tone
from .paper import Image, ring
from .pose import Matrix, Pose

EXPOSURE_S = 0.008
"""How long the shutter is open: what moves smears over the way that it goes meanwhile."""

DEFOCUS_PX = 0.55
"""The blur of a lens that is not quite in focus: the standard deviation, pixels at 720 rows."""

NOISE = 2.4
"""The standard deviation of the sensor's noise, grey levels."""

INDEX_PX = 22.0
"""The least height of an index, rank and suit together, that a picture should show."""

_FINER = 2  # each pixel of a card is drawn as so many by so many, then averaged
_LAMP = (0.42, -0.3)  # how far a shadow falls for each millimetre of height, along x and y
_SECOND = (-0.9, 0.55)  # the same with a second lamp, which stands lower
_WINDOW = (0.25, 0.5)
_SUN = (0.8, 0.7)
_SUN_GAIN = np.array([1.0, 1.2, 1.45], np.float32)  # how much the sun adds to the usual light, blue, green and red
_MOST_GAIN = 4.0  # the most by which light is multiplied
_NOISE_STEPS = (149, 151)  # how far the two fields of noise are shifted, at most; without a common divisor
_GLASS_MM = (36.0, 95.0)  # radius and height
_PHONE_MM = (71.0, 147.0, 8.0)  # width, length and thickness


_Shadow = tuple[tuple[float, float], float, float]
"""Where a lamp's shadows fall for each millimetre of height, how strong they are, and how soft: 1 and 1 as usual."""

_USUAL: tuple[_Shadow, ...] = ((_LAMP, 1.0, 1.0),)


@dataclass(frozen=True, slots=True)
class _Patch:
    """A piece of the picture: its left and top pixel, and (h, w, 4) uint8, colours already times alpha."""

    x: int
    y: int
    pixels: Image


def legible(pose: Pose, least_px: float = INDEX_PX) -> tuple[Style, ...]:
    """The decks whose indices are tall enough in that camera's pictures: at 720 rows only those with large ones."""
    return tuple(s for s in STYLES.values() if (s.index + s.gap + s.sign) * pose.density >= least_px)


class Photographer:
    """Photographs scenes with a camera of *pose* and a deck of *style*. Not for two threads at once.

    *stranger*: the style of the other deck of which a card may lie there, by default one that the seed chooses.
    *defocus* and *noise*: ``DEFOCUS_PX`` and ``NOISE`` by default. *pose* is where the camera hung for the latest
    picture: a knock changes it.
    """

    def __init__(
        self,
        pose: Pose,
        style: Style,
        *,
        seed: int = 0,
        stranger: Style | None = None,
        defocus: float = DEFOCUS_PX,
        noise: float = NOISE,
    ) -> None:
        self.pose = self._hung = pose
        scale = math.ceil(2 * _FINER * pose.density) / 2
        self.deck = Deck(style, scale=scale)
        others = [other for other in STYLES.values() if other.name != style.name]
        self.other_deck = Deck(stranger or others[seed % len(others)], scale=scale)
        self._seed = seed
        self._shift = Shift()
        self._shadows = _USUAL
        self._gains: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        self._lit: tuple[object, ...] = ()
        self._gained: Image | None = None  # in that light
        self._defocus = defocus * pose.size[1] / 720
        self._light = light_of(pose, seed)
        self._dim_light = _bytes(self._light * 255)
        self._bare = self._through_lens(bare_table(pose, seed) * self._light)
        self._faces: dict[Face, Image] = {}
        self._outlines = {deck: deck.outline() for deck in (self.deck, self.other_deck)}
        self._hands: dict[tuple[Posture, Seat], Image] = {}
        self._patches: dict[Lying, _Patch] = {}
        self._lying: tuple[object, ...] = (), (), (), _USUAL
        self._still = self._bare  # with what lies still on it
        self._noise = _noise_fields(pose.size, noise, seed)

    def meet(self, seats: int) -> None:
        """Draw the players' hands before they are needed: a tenth of a second each."""
        for seat in range(seats):
            self._hand("holding", seat)
            self._hand("flat", seat)

    def photograph(self, scene: Scene, number: int) -> Image:
        """The picture of *scene*: (height, width, 3) uint8 BGR, a fresh array. The *number* of the picture decides the
        noise: pictures of different numbers differ."""
        if scene.shift != self._shift:
            self._hang(scene.shift)
        self._shadows = _shadows_of(scene.light)
        cards = tuple(card for card in scene.cards if card.still)
        glasses = tuple(glass for glass in scene.glasses if glass.still)
        phones = tuple(phone for phone in scene.phones if phone.still)
        still = cards, glasses, phones, self._shadows
        if still != self._lying:
            self._lying, self._still = still, self._picture_of(cards, glasses, phones)
        out = self._still.copy()
        for phone in scene.phones:
            if not phone.still:
                self._draw_phone(out, phone)
        for card in scene.cards:
            if not card.still:
                self._draw_card(out, card)
        for glass in scene.glasses:
            if not glass.still:
                self._draw_glass(out, glass)
        for hand in sorted(scene.hands, key=lambda hand: hand.above):
            self._draw_hand(out, hand)
        if scene.light != Light():
            cv2.multiply(out, self._gain_of(scene), out, _MOST_GAIN / 255)
        if scene.lamp != 1.0:
            cv2.convertScaleAbs(out, out, scene.lamp)
        return self._noisy(out, number)

    def _hang(self, shift: Shift) -> None:
        """The camera hangs otherwise."""
        self._shift = shift
        self.pose = self._hung
        if shift != Shift():
            self.pose = self._hung.shifted(shift.x, shift.y, shift.turn, shift.tilt)
        self._bare = self._through_lens(bare_table(self.pose, self._seed) * self._light)
        self._patches.clear()
        self._lying = ()

    def _through_lens(self, sharp: NDArray[np.float32]) -> Image:
        return _bytes(np.asarray(cv2.GaussianBlur(sharp, (0, 0), self._defocus)) if self._defocus else sharp)

    def _noisy(self, out: Image, number: int) -> Image:
        """Two fields, one added and one taken away, each shifted otherwise in each picture."""
        h, w = out.shape[:2]
        for field, steps, do in zip(self._noise, _NOISE_STEPS, (cv2.add, cv2.subtract), strict=True):
            y, x = divmod(number * 1237 % (steps * steps), steps)
            do(out, field[y : y + h, x : x + w], out)
        return out

    def _gain_of(self, scene: Scene) -> Image:
        """``_gain``, reckoned anew when the light is another, or a shadow that the sun throws."""
        threw = (scene.hands, scene.cards, scene.glasses) if scene.light.sun is not None else ()
        lit = scene.light, self.pose, *threw
        if lit != self._lit or self._gained is None:
            self._lit, self._gained = lit, self._gain(scene)
        return self._gained

    def _gain(self, scene: Scene) -> Image:
        """By how much the light of *scene* is brighter than usual: (height, width, 3) uint8, of ``_MOST_GAIN``."""
        self._gains = self._gains or gains_of(self._hung, self._seed)
        dark, second = self._gains
        light = scene.light
        gain = dark + (1 - dark) * light.ceiling + second * light.second
        if light.sun is not None:
            gain = gain + self._sunny(scene)[..., None] * (light.sun.strength * _SUN_GAIN / 255)
        whole = cv2.resize(gain, None, None, GAIN_STEP, GAIN_STEP, cv2.INTER_LINEAR)
        return _bytes(np.asarray(whole)[: self.pose.size[1], : self.pose.size[0]] * (255 / _MOST_GAIN))

    def _sunny(self, scene: Scene) -> Image:
        """Where the sun falls: (rows, columns) uint8, as fine as ``gains_of``; hands and glasses throw shadows."""
        sun, (w, h) = scene.light.sun, self.pose.size
        assert sun is not None
        size = -(-w // GAIN_STEP), -(-h // GAIN_STEP)
        coarse = np.diag([1 / GAIN_STEP, 1 / GAIN_STEP, 1.0]) @ _shift((1 - GAIN_STEP) / 2, (1 - GAIN_STEP) / 2)
        to_coarse = coarse @ self.pose.to_pixels()
        patch, place = window_of(sun, self.pose.density / GAIN_STEP)
        lit = np.asarray(cv2.warpPerspective(patch, to_coarse @ place, size), np.uint8)
        for alpha, up, own in self._sunlit(scene):
            fallen = _shift(_SUN[0] * up, _SUN[1] * up) @ own
            shade = cv2.GaussianBlur(cv2.warpPerspective(alpha, to_coarse @ fallen, size), (0, 0), 0.8)
            lit = np.asarray(cv2.subtract(lit, cv2.multiply(lit, shade, None, 1 / 255)), np.uint8)
        return lit

    def _sunlit(self, scene: Scene) -> Iterator[tuple[Image, float, Matrix]]:
        """What throws a shadow in the sun: its outline, how high it is, and where its pixels are on the table."""
        for hand in scene.hands:
            picture, own = self._hand_of(hand)
            yield np.ascontiguousarray(picture[..., 3]), hand.above + 14.0, own
        for card in scene.cards:
            if not card.still:
                yield self._outlines[self._deck_of(card.face)], card.above, self._card_place(card)
        for glass in scene.glasses:
            disc, own = _disc_at(glass, _GLASS_MM[0])
            for up in (0.3, 0.6, 0.9):
                yield np.asarray(disc[..., 3] // 3, np.uint8), glass.above + up * _GLASS_MM[1], own

    # --- layers ---

    def _picture_of(self, cards: Iterable[Lying], glasses: Iterable[Glass], phones: Iterable[Phone]) -> Image:
        out = self._bare.copy()
        for phone in phones:
            self._draw_phone(out, phone)
        self._patches = {card: self._patches.get(card) or self._card(card) for card in cards}
        for card, patch in self._patches.items():
            self._draw_shadow_of_card(out, card)
            self._put(out, patch)
        for glass in glasses:
            self._draw_glass(out, glass)
        return out

    def _draw_card(self, out: Image, card: Lying) -> None:
        self._draw_shadow_of_card(out, card)
        self._put(out, self._card(card))

    def _draw_shadow_of_card(self, out: Image, card: Lying) -> None:
        up = card.above + 1.2  # cards are never quite flat
        strength = 0.42 if card.above == 0 else 0.36
        outline = self._outlines[self._deck_of(card.face)]
        self._cast(out, outline, self._card_place(card), up, 0.9 + 0.16 * card.above, strength)

    def _card(self, card: Lying) -> _Patch:
        if card.face not in self._faces:
            self._faces[card.face] = self._printed(card.face)
        face, speed = self._faces[card.face], (card.vx, card.vy)
        return self._seen(face, self.pose.to_pixels(card.above) @ self._card_place(card), speed, finer=_FINER)

    def _printed(self, face: Face) -> Image:
        deck = self._deck_of(face)
        own = face.face if isinstance(face, Stranger) else face
        drawn = deck.back() if own == "back" else deck.joker() if own == "joker" else deck.face(own)
        return _cut_out(drawn, self._outlines[deck])

    def _deck_of(self, face: Face) -> Deck:
        return self.other_deck if isinstance(face, Stranger) else self.deck

    def _card_place(self, card: Lying) -> Matrix:
        """From the pixels of a face to the table."""
        deck = self._deck_of(card.face)
        h, w = deck.shape
        narrow = np.diag([max(card.wide, 0.01), 1.0, 1.0])
        return _shift(card.x, card.y) @ _turn(card.turn) @ narrow @ _scaled(1 / deck.scale, ((w - 1) / 2, (h - 1) / 2))

    def _draw_hand(self, out: Image, hand: Hand) -> None:
        picture, own = self._hand_of(hand)
        up = hand.above + 14.0  # half a hand's thickness
        alpha = np.ascontiguousarray(picture[..., 3])
        self._cast(out, alpha, own, up, 3.0 + 0.14 * hand.above, 0.45)
        place = self.pose.to_pixels(hand.above + 10.0) @ own
        self._put(out, self._seen(picture, place, (hand.vx, hand.vy)))

    def _hand_of(self, hand: Hand) -> tuple[Image, Matrix]:
        """The picture of a hand, and where its pixels are on the table."""
        tip = (hands.LEFT_MM * hands.SCALE - 0.5, hands.TOP_MM * hands.SCALE - 0.5)
        mirror = np.diag([-1.0 if hand.left else 1.0, 1.0, 1.0])
        own = _shift(hand.x, hand.y) @ _turn(hand.turn) @ mirror @ _scaled(1 / hands.SCALE, tip)
        return self._hand(hand.posture, hand.seat), own

    def _hand(self, posture: Posture, seat: Seat) -> Image:
        if (posture, seat) not in self._hands:
            self._hands[posture, seat] = hands.drawn(posture, Tone.seeded(self._seed, seat))
        return self._hands[posture, seat]

    def _draw_glass(self, out: Image, glass: Glass) -> None:
        """From above: what is in it, low; the wall; the rim, nearer to the camera and so aside of it."""
        radius, high = _GLASS_MM
        speed = glass.vx, glass.vy
        disc, own = _disc_at(glass, radius)
        for part in range(3):
            up = glass.above + high * (0.3 + 0.3 * part)
            self._cast(out, np.ascontiguousarray(disc[..., 3]), own, up, 3.0 + 0.05 * up, 0.14)
        drink, wall = _disc(radius - 2.5, (26, 84, 150, 190)), _disc(radius, (225, 232, 232, 14))
        rim = _disc(radius, (238, 242, 245, 140), 2.0)
        layers = [(drink, up) for up in np.arange(4.0, 0.6 * high, 9.0)]
        layers += [(wall, up) for up in np.arange(0.6 * high, high, 12.0)] + [(rim, high)]
        for picture, up in layers:
            self._put(out, self._seen(picture, self.pose.to_pixels(glass.above + up) @ own, speed))

    def _draw_phone(self, out: Image, phone: Phone) -> None:
        picture = _phone()
        wide, _, thick = _PHONE_MM
        h, w = picture.shape[:2]
        own = _shift(phone.x, phone.y) @ _turn(phone.turn) @ _scaled(wide / w, ((w - 1) / 2, (h - 1) / 2))
        self._cast(out, np.ascontiguousarray(picture[..., 3]), own, phone.above + thick, 1.5 + 0.14 * phone.above, 0.45)
        self._put(out, self._seen(picture, self.pose.to_pixels(phone.above + thick) @ own, (phone.vx, phone.vy)))

    # --- the lens ---

    def _seen(self, picture: Image, place: Matrix, speed: tuple[float, float], finer: int = 1) -> _Patch:
        """*picture* (4 channels, its pixels at *place*) through the lens, smeared by *speed* mm/s."""
        smear = self._smear(speed)
        pad = 2 + math.ceil(3 * self._defocus) + math.ceil(max(map(abs, smear)))
        x, y, w, h = self._box(picture, place, pad)
        if not w or not h:
            return _Patch(0, 0, np.zeros((0, 0, 4), np.uint8))
        grid = np.array([[finer, 0, (finer - 1) / 2], [0, finer, (finer - 1) / 2], [0, 0, 1]])
        seen = cv2.warpPerspective(picture, grid @ _shift(-x, -y) @ place, (w * finer, h * finer))
        if finer > 1:
            seen = cv2.resize(seen, (w, h), interpolation=cv2.INTER_AREA)
        if self._defocus:
            seen = cv2.GaussianBlur(seen, (0, 0), self._defocus)
        return _Patch(x, y, _smeared(np.asarray(seen, np.uint8), smear))

    def _put(self, out: Image, patch: _Patch) -> None:
        """*patch*, lit, over *out*."""
        h, w = patch.pixels.shape[:2]
        if not h or not w:
            return
        part = np.s_[patch.y : patch.y + h, patch.x : patch.x + w]
        blue, green, red, alpha = cv2.split(patch.pixels)
        lit = cv2.multiply(cv2.merge([blue, green, red]), self._dim_light[part], None, 1 / 255)
        behind = 255 - alpha
        under = cv2.multiply(out[part], cv2.merge([behind] * 3), None, 1 / 255)
        cv2.add(under, lit, out[part])

    def _cast(self, out: Image, shape: Image, own: Matrix, up: float, blur_mm: float, strength: float) -> None:
        """The shadows of an outline whose pixels are at *own* on the table, *up* above it: one of each lamp."""
        for (x, y), part, soft in self._shadows:
            place = self.pose.to_pixels() @ _shift(x * up, y * up) @ own
            self._shade(out, shape, place, soft * blur_mm, part * strength)

    def _shade(self, out: Image, shape: Image, place: Matrix, blur_mm: float, strength: float) -> None:
        """A shadow of the outline *shape* (one channel): darkens *out*. Drawn coarsely, as soft as it is."""
        blur = blur_mm * self.pose.density
        coarse = min(max(int(blur / 1.5), 1), 8)
        pad = math.ceil(2.5 * blur) + coarse
        x, y, w, h = self._box(shape, place, pad)
        if not w or not h:
            return
        small = (math.ceil(w / coarse), math.ceil(h / coarse))
        grid = np.diag([1 / coarse, 1 / coarse, 1.0]) @ _shift((1 - coarse) / 2, (1 - coarse) / 2)
        fallen = cv2.warpPerspective(shape, grid @ _shift(-x, -y) @ place, small)
        fallen = cv2.GaussianBlur(fallen, (0, 0), blur / coarse)
        left = cv2.convertScaleAbs(fallen, None, -strength, 0)
        fallen = cv2.resize(255 - left, (small[0] * coarse, small[1] * coarse), interpolation=cv2.INTER_LINEAR)[:h, :w]
        part = out[y : y + h, x : x + w]
        cv2.multiply(part, cv2.merge([fallen] * 3), part, 1 / 255)

    def _smear(self, speed: tuple[float, float]) -> tuple[float, float]:
        k = EXPOSURE_S * self.pose.density
        return speed[0] * k, speed[1] * k

    def _box(self, picture: Image, place: Matrix, pad: int) -> tuple[int, int, int, int]:
        """Left, top, width and height of the part of the frame where *picture* is seen."""
        h, w = picture.shape[:2]
        corners = place @ np.array([[0, w, w, 0], [0, 0, h, h], [1, 1, 1, 1]])
        xs, ys = corners[0] / corners[2], corners[1] / corners[2]
        x0, y0 = max(math.floor(xs.min()) - pad, 0), max(math.floor(ys.min()) - pad, 0)
        x1, y1 = min(math.ceil(xs.max()) + pad, self.pose.size[0]), min(math.ceil(ys.max()) + pad, self.pose.size[1])
        return x0, y0, max(x1 - x0, 0), max(y1 - y0, 0)


def _shadows_of(light: Light) -> tuple[_Shadow, ...]:
    """Of the lamps that are on; where there is none, the window's."""
    if light.second > 0.5:
        return ((_LAMP, 0.62, 1.0), (_SECOND, 0.5, 0.9)) if light.ceiling > 0.5 else ((_SECOND, 1.1, 0.9),)
    return _USUAL if light.ceiling > 0.5 else ((_WINDOW, 0.5, 2.5),)


def _shift(x: float, y: float) -> Matrix:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def _turn(degrees: float) -> Matrix:
    """Clockwise, as y grows downwards."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _scaled(step: float, origin: tuple[float, float]) -> Matrix:
    """From pixels of *step* mm to millimetres from the pixel *origin*."""
    return np.array([[step, 0, -step * origin[0]], [0, step, -step * origin[1]], [0, 0, 1.0]])


def _bytes(values: NDArray[np.floating]) -> Image:
    return np.asarray(np.clip(values + 0.5, 0, 255), np.uint8)


def _cut_out(picture: Image, outline: Image) -> Image:
    """*picture* within *outline*, colours already times alpha, with a clear edge of one pixel."""
    alpha = outline.copy()
    alpha[:1] = alpha[-1:] = 0
    alpha[:, :1] = alpha[:, -1:] = 0
    colours = cv2.multiply(picture, cv2.merge([alpha] * 3), None, 1 / 255)
    return np.asarray(np.dstack((colours, alpha)), np.uint8)


def _disc(radius: float, tint: tuple[int, int, int, int] = (0, 0, 0, 255), wide: float = 0.0) -> Image:
    """A disc, or with *wide* a ring, of ``hands.SCALE`` pixels a millimetre: (n, n, 4) uint8; *tint* with alpha."""
    side = math.ceil(2 * (radius + 3) * hands.SCALE)
    middle = (side - 1) / 2
    edge = np.asarray((ring((middle, middle), radius * hands.SCALE) * 16).round(), np.int32)
    mask = np.zeros((side, side), np.uint8)
    if wide:
        cv2.polylines(mask, [edge], True, 255, round(wide * hands.SCALE), cv2.LINE_AA, 4)
    else:
        cv2.fillPoly(mask, [edge], 255, cv2.LINE_AA, 4)
    share = mask[..., None].astype(np.float32) / 255 * tint[3] / 255
    return _bytes(np.concatenate((share * np.array(tint[:3], np.float32), 255 * share), 2))


def _disc_at(glass: Glass, radius: float) -> tuple[Image, Matrix]:
    """A disc, and where its pixels are on the table when it lies where *glass* stands."""
    disc = _disc(radius)
    middle = (disc.shape[0] - 1) / 2
    return disc, _shift(glass.x, glass.y) @ _scaled(1 / hands.SCALE, (middle, middle))


@cache
def _phone() -> Image:
    """A telephone from above, whose screen tells the time in large digits: 4 channels as ``_disc``."""
    k = 4  # pixels a millimetre
    w, h = round(_PHONE_MM[0] * k), round(_PHONE_MM[1] * k)
    body, mask = np.zeros((h, w, 3), np.uint8), np.zeros((h, w), np.uint8)
    r = 9 * k
    for x, y in ((r, r), (w - r, r), (r, h - r), (w - r, h - r)):
        cv2.circle(mask, (x, y), r - 2, 255, -1, cv2.LINE_AA)
    mask[r : h - r, 2:-2], mask[2:-2, r : w - r] = 255, 255
    body[:] = 52, 48, 46
    shade = np.linspace(1.0, 0.55, h, dtype=np.float32)[3 * k : -3 * k, None, None]
    body[3 * k : -3 * k, 3 * k : -3 * k] = (shade * np.array([150, 96, 60], np.float32)).astype(np.uint8)
    white = (240, 240, 240)
    cv2.putText(body, "10:47", (7 * k, 44 * k), cv2.FONT_HERSHEY_SIMPLEX, 0.66 * k, white, round(1.1 * k), cv2.LINE_AA)
    for line in range(3):
        top = (78 + 20 * line) * k
        cv2.rectangle(body, (8 * k, top), (w - 8 * k, top + 14 * k), (205, 200, 198), -1, cv2.LINE_AA)
    return np.dstack((cv2.multiply(body, cv2.merge([mask] * 3), None, 1 / 255), mask))


def _smeared(pixels: Image, smear: tuple[float, float]) -> Image:
    """*pixels* along the way *smear*, which they go while the shutter is open: the mean of 2, 4, 8 … places on it."""
    x, y = smear
    while math.hypot(x, y) > 1.0:
        x, y = x / 2, y / 2
        dx, dy = round(x), round(y)
        if dx or dy:
            pixels = np.asarray(cv2.addWeighted(pixels, 0.5, _moved(pixels, dx, dy), 0.5, 0), np.uint8)
    return pixels


def _moved(pixels: Image, dx: int, dy: int) -> Image:
    """*pixels* moved by whole pixels; what comes in at the sides is what was there."""
    h, w = pixels.shape[:2]
    out = pixels.copy()
    if abs(dx) < w and abs(dy) < h:
        out[max(dy, 0) : h + min(dy, 0), max(dx, 0) : w + min(dx, 0)] = pixels[
            max(-dy, 0) : h + min(-dy, 0), max(-dx, 0) : w + min(-dx, 0)
        ]
    return out


def _noise_fields(size: tuple[int, int], noise: float, seed: int) -> list[Image]:
    """A field of noise to add and one to take away, each larger than a picture by its steps. A sensor's colours are
    made of its neighbours' too, so noise is a little coarser than a pixel."""
    rng = np.random.default_rng((seed, 6))
    fields = []
    for steps in _NOISE_STEPS:
        shape = size[1] + steps, size[0] + steps, 3
        rough = cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (0, 0), 0.5)
        fields.append(_bytes(np.asarray(rough) * (noise / math.sqrt(2) / float(np.std(rough))) + 3 * noise))
    return fields
