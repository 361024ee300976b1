"""What is to be moved, so that the camera sees the table well: the verdicts on a ``survey``, in words.

Each check gives what it found to be well, or what is wrong and what to do. One fault has one advice: what only follows
from another one (a marker that is not seen because it is out of the picture, a focus that nobody can judge in the
dark) is left unsaid until that is mended.

All limits are here. Those of reading are measured on drawn scenes: eight cards of each of three or four decks with
standard indices, 1920 × 1080 and 2304 × 1296 pixels, read by the shipped reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import atan2, ceil, cos, degrees, hypot, radians, sin, tau
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .eye import ENOUGH, JUMBO_RANK, LEAST, RANK, WANTED
from .markers import CLOSE_ENOUGH, MIDDLES, SIDE, SQUARE, through
from .sheet import neighbours as neighbours
from .stillness import DARK, SATURATED, factor
from .survey import Marker, Survey, pixels_a_mm

Say = Callable[[str], str]
Verdict = Literal["well", "better", "wrong"]
"""All right; it works, but should be better; something has to be moved."""

SPARE, NO_SPARE, CUT = 20.0, 15.0, 4.0
"""Millimetres round the marked square that are to be in the picture; under the second it is told, as half of the two
centimetres is then gone at some place; under the third the white of a marker (3.75 mm) is cut, without which it is not
found."""
SOFT, BLURRED = 0.24, 0.28
"""Of the height of a standard rank: how wide the step from black to white may be. Of 32 cards 30 or 31 are read up to
0.23, 29 at 0.27, 24 at 0.31, 13 at 0.35."""
SOFT_PX, BLURRED_PX = 2.4, 2.8
"""The same in pixels, where ranks are low: a sharp step has 1.4 to 1.8, whatever the picture's size."""
DIM, DIMMER = 60.0, 40.0
"""Grey levels of the markers' paper. Drawn cards are read down to 17, but real cameras add noise in the dark. At 38 the
picture has a mean of 12, where the watching table takes the lamp for switched off; at 28 markers are not found."""
BLOWN = float(SATURATED)
"""Grey level of the markers' paper from which nobody knows how bright it is."""
VEILED = 55.0
"""Grey level of the markers' black, when their paper is blown, from which cards are misread: a deck of thin letters
lost none of its eight cards at 47, three at 60, and all at 90."""
UNEVEN = 3.0
"""How many times brighter the paper of one marker may be than that of another. Drawn cards are read at 8 times; but the
brighter side is blown before the darker one is bright enough."""
FLICKERS, BANDS = 0.15, 0.06
"""By how much of its brightness the whole picture may change between frames, and a part of it beyond that. The watcher
takes a change of a tenth for light, one of a fifth for motion; bands of 4 % for nothing, of 10 % for motion."""
SHAKES = 0.05
"""Pixels of the watcher's small picture by which the table may move from frame to frame: at 0.03 nothing is seen to
move, from 0.05 on everything."""
SHAKEN = 80
"""The frames of a hundred in which it stays within that, at least: a knock is no shaking."""
SHAKING_TAKES = 3
"""Frames without which nothing is said of what changes between them."""
SLANTED, LYING = 12.0, 30.0
"""Degrees from straight down. Drawn cards are read at 35 degrees as at none, where the rank is high enough; but at 12
the far side of the square is 10 cm farther away than the near one, which not every lens has sharp. Beyond 30 nothing
has been tried."""
STRETCHED = 0.08
"""By which part of itself one side of the square is longer than the other as no camera sees it: corners told 8 pixels
wrong make it 0.04. A picture of 4:3 drawn out to 16:9 has 0.29."""
ASKEW = 10.0
"""Degrees by which the square may be turned in the picture. By 10 it is 16 % larger, across and down, than upright; it
is only told where there is too little room."""
OFF_MIDDLE = 50.0
"""Millimetres off the middle of the table where a camera still hangs over it, as far as can be told of any lens."""
SHINES = 1.0
"""Square centimetres of a patch of glare that are told: an index, rank and suit together, has about that."""
SHINES_ON = 0.15
"""The part of a marker's black that glare must lie on to hide it."""
HALF = 0.62
"""The part of its cells that look as printed when at least a piece of a marker is to be seen. A bare cloth has 0.36 to
0.5, a marker of which a hand covers half 0.7 to 0.85."""

SIZES = ((1280, 720), (1920, 1080), (2304, 1296), (3840, 2160))
"""Sizes of a picture that cameras have."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a *check* found: *what* by name, how it stands (*verdict*), in words, and the *figures* that it is about."""

    check: str
    what: str
    verdict: Verdict
    text: str
    figures: Mapping[str, object] = field(default_factory=dict)


def advise(
    survey: Survey, players: int, say: Say, place: Callable[[int], str], *, rank: float = RANK, live: bool = True
) -> tuple[Advice, ...]:
    """All that is to be said of *survey* at a table of *players*. *place* names a seat, *rank* is how high one of the
    deck's is in millimetres; *live*: the frames come from a camera, of which no two are alike."""
    return tuple(_Adviser(survey, players, say, place, rank, live).all())


@dataclass(frozen=True, slots=True)
class _Adviser:
    survey: Survey
    players: int
    say: Say
    place: Callable[[int], str]
    rank: float
    live: bool

    def all(self) -> Iterator[Advice]:
        say = self.say
        if self.live and self.survey.same:
            text = say("The picture is frozen: every frame is the same. Unplug the camera and plug it in again.")
            yield Advice("frames", "frozen", "wrong", text)
        light = [*self._light()]
        if self.survey.to_table is None:
            # In the dark, or when all is white, nothing else can be told.
            yield from [each for each in light if each.verdict == "wrong"] or [self._lost()]
            return
        size, focus = [*self._size()], [] if self._blinded(light) else [*self._focus()]
        excused = any(each.verdict == "wrong" for each in (*light, *size, *focus))
        dark = any(each.what == "dark" and each.verdict == "wrong" for each in light)
        yield from self._markers(excused=excused, dark=dark)
        yield self._seats()
        yield from self._square()
        yield from self._tilt()
        yield from size
        yield from focus
        yield from light
        yield from self._glare()
        yield from self._stillness()

    def _decimal(self, value: float) -> str:
        """A number with one decimal, as the language writes it."""
        return f"{value:.1f}".replace(".", self.say("."))

    # --- the markers ---

    def _lost(self) -> Advice:
        say, survey = self.say, self.survey
        if survey.mirrored:
            text = say("The picture is mirrored: switch off the camera's mirror image (selfie view).")
            return Advice("markers", "mirrored", "wrong", text)
        if len(survey.seen) == len(MIDDLES):
            text = say("The markers do not lie as their sheet shows: each in its corner, all the same way up.")
            return Advice("markers", "misplaced", "wrong", text)
        if survey.soft:
            return Advice("focus", "blurred", "wrong", self._blurred())
        seen = self._numbers(survey.seen)
        what = say("No marker is seen.")
        if len(survey.seen) == 1:
            what = say("Of the markers only {numbers} is seen.").format(numbers=seen)
        elif survey.seen:
            what = say("Of the markers only {numbers} are seen.").format(numbers=seen)
        if survey.twice:
            what = say("Marker {numbers} is there more than once.").format(numbers=self._numbers(survey.twice))
        if survey.others:
            what += " " + self._of_others()
        remedy = say("Uncover them, bring them into the picture, or tell where the square is (--corners).")
        return Advice("markers", "none", "wrong", f"{what} {remedy}", {"seen": list(survey.seen)})

    def _of_others(self) -> str:
        text = self.say("Marker {numbers} is none of the table's: print 0 to 3 (tablepi calibrate sheet).")
        return text.format(numbers=self._numbers(self.survey.others))

    def _markers(self, *, excused: bool, dark: bool) -> Iterator[Advice]:
        """*excused*: the picture is so bad that a marker may well lie there and not be found; *dark*: nothing can be
        told of one."""
        say, survey = self.say, self.survey
        wrong = [*self._misplaced()]
        if survey.by_hand:
            if survey.off is not None and survey.off > CLOSE_ENOUGH:
                text = say("The corners lie {cm} cm off where the markers tell: tell them anew, or leave them out.")
                text = text.format(cm=_cm(survey.off))
                wrong.append(Advice("markers", "corners-off", "wrong", text, {"mm": round(survey.off)}))
        elif not dark:
            wrong += self._unseen(excused)
        yield from wrong
        if wrong:
            return
        if survey.by_hand:
            yield Advice("markers", "corners", "well", say("The table is where the four corners say."))
        elif survey.plainly or survey.laid:
            text = say("The markers {numbers} are seen.").format(numbers=self._numbers(survey.seen))
            yield Advice("markers", "seen", "well", text, {"seen": list(survey.seen)})

    def _misplaced(self) -> Iterator[Advice]:
        say, survey = self.say, self.survey
        for corner, (number, quarters) in sorted(survey.laid.items()):
            figures = {"marker": number, "corner": corner, "quarters": quarters}
            if number != corner:
                text = say("Marker {number} lies where {other} belongs, {between}: exchange them.")
                text = text.format(number=number, other=corner, between=self._between(corner))
                yield Advice("markers", "swapped", "wrong", text, figures)
            elif quarters:
                text = say("Marker {number}, {between}, is turned: all stand the same way up.")
                text = text.format(number=number, between=self._between(corner))
                yield Advice("markers", "turned", "wrong", text, figures)
        if survey.pushed is not None:
            number, dx, dy, turned = survey.pushed
            figures = {"marker": number, "mm": round(hypot(dx, dy)), "degrees": round(turned)}
            if hypot(dx, dy) < SIDE / 2:
                text = say("Marker {number}, {between}, is turned: all stand the same way up.")
                text = text.format(number=number, between=self._between(number))
                yield Advice("markers", "turned", "wrong", text, figures)
            else:
                text = say("Marker {number} lies {cm} cm off its place, {between}: put it back.")
                text = text.format(number=number, cm=_cm(hypot(dx, dy)), between=self._between(number))
                yield Advice("markers", "pushed", "wrong", text, figures)
        for number in survey.twice:
            text = say("Marker {numbers} is there more than once.").format(numbers=number)
            text += " " + say("Leave one.")
            yield Advice("markers", "twice", "wrong", text, {"marker": number})
        if survey.others and not survey.by_hand:
            yield Advice("markers", "other", "wrong", self._of_others(), {"markers": list(survey.others)})

    def _unseen(self, excused: bool) -> Iterator[Advice]:
        """*excused*: the picture is so bad that a marker may well lie there and not be found."""
        say, survey = self.say, self.survey
        others = through([*survey.others.values()], np.asarray(survey.to_table))
        for number, marker in survey.markers.items():
            # Out of the picture, twice there, shone on, exchanged for another one: that is told elsewhere.
            if number in survey.seen or marker.shown < 1 or number in survey.twice or marker.blown > SHINES_ON:
                continue
            if any(hypot(*(at - MIDDLES[number])) < SIDE for at in others):
                continue
            if excused and (marker.fits >= HALF or not survey.plainly):
                continue
            told = {"number": number, "between": self._between(number)}
            if marker.fits >= HALF:
                text = say("Marker {number}, {between}, is half hidden: clear what lies over it.").format(**told)
                yield Advice("markers", "half-hidden", "wrong", text, {"marker": number})
            else:
                text = say("Marker {number}, {between}, is not seen: uncover it, or lay it there.").format(**told)
                yield Advice("markers", "hidden", "wrong", text, {"marker": number})

    # --- where the table lies in the picture ---

    def _seats(self) -> Advice:
        say, survey = self.say, self.survey
        sides = [
            *(say("right"), say("bottom right"), say("bottom"), say("bottom left")),
            *(say("left"), say("top left"), say("top"), say("top right")),
        ]
        told, figures = [], []
        for seat in range(self.players):
            way = tau * seat / self.players
            middle, (x, y) = through([(0, 0), (150 * sin(way), -150 * cos(way))], survey.to_frame)
            dx, dy = x - middle[0], y - middle[1]
            told.append(f"{self.place(seat)} {sides[round(atan2(dy, dx) / (tau / 8)) % 8]}")
            figures.append({"seat": seat, "x": round(float(x)), "y": round(float(y))})
        text = say("The seats in the picture: {seats}.").format(seats=", ".join(told))
        return Advice("seats", "seats", "well", text, {"seats": figures})

    def _square(self) -> Iterator[Advice]:
        say, survey = self.say, self.survey
        assert survey.hangs is not None
        spare = _spare(survey)
        figures: dict[str, object] = {"spare_mm": round(spare)}
        if spare >= NO_SPARE:
            text = say("All of the marked square is in the picture, with {cm} cm to spare.").format(cm=_cm(spare))
            yield Advice("square", "whole", "well", text, figures)
            return
        verdict: Verdict = "wrong" if spare < CUT else "better"
        what = say("The marked square is at the very edge of the picture.")
        if spare < CUT:
            what = say("The marked square is not wholly in the picture.")
        what_name = "cut" if spare < CUT else "narrow"
        if survey.hangs.tilt >= SLANTED:  # which is to be mended first
            yield Advice("square", what_name, verdict, what, figures)
            return
        remedies = self._upright()
        # The lens sees more from further away: all comes nearer to the middle of the picture.
        bounds = _bounds(survey, NO_SPARE, upright=True)
        size, middle = np.array(survey.size) - 1.0, (np.array(survey.size) - 1) / 2
        times = max(1.0, float(((bounds[1] - bounds[0]) / size).max()))
        if times > 1.001:
            higher = max(10.0, survey.hangs.height * (times - 1))
            figures["higher_cm"] = _cm(higher)
            text = say("Hang the camera higher: at {percent} % of its height, about {cm} cm more.")
            remedies.append(text.format(percent=ceil(100 * times), cm=_cm(higher)))
        low, high = middle + (bounds - middle) / times
        move = np.maximum(-low, 0) - np.maximum(high - size, 0)
        if np.abs(move).max() > 0.005 * size.max() or not remedies:
            ends = through([middle, middle - move * times], np.asarray(survey.to_table))
            x, y = (ends[1] - ends[0]).tolist()
            figures["move_mm"] = [round(x), round(y)]
            text = say("Move the camera {cm} cm {way}, or turn it that way.")
            remedies.append(text.format(cm=_cm(hypot(x, y)), way=self._way(x, y)))
        yield Advice("square", what_name, verdict, " ".join([what, *remedies]), figures)

    def _upright(self) -> list[str]:
        """That the camera is to be turned about its axis, if it is."""
        askew = _askew(self.survey)
        if abs(askew) < ASKEW:
            return []
        text = self.say("Turn it by {degrees}° about its axis, so that the square stands upright in the picture.")
        return [text.format(degrees=round(abs(askew)))]

    def _tilt(self) -> Iterator[Advice]:
        say, hangs = self.say, self.survey.hangs
        assert hangs is not None
        if hangs.stretched > STRETCHED:
            text = say("The picture is stretched by {percent} %: choose another picture size.")
            if self.survey.by_hand:
                text = say("No camera sees such a square, one side is {percent} % too long: tell the corners anew.")
            percent = round(100 * hangs.stretched)
            yield Advice("tilt", "stretched", "wrong", text.format(percent=percent), {"percent": percent})
            return
        off = hypot(hangs.x, hangs.y)
        figures = {
            "degrees": round(hangs.tilt, 1),
            "height_cm": _cm(hangs.height),
            "off_mm": [round(hangs.x), round(hangs.y)],
        }
        told: dict[str, object] = {"degrees": round(hangs.tilt), "height": _cm(hangs.height), "cm": _cm(off)}
        if hangs.tilt < SLANTED:
            text = say("The camera hangs about {height} cm above the table, {cm} cm off its middle, {degrees}° aslant.")
            yield Advice("tilt", "straight", "well", text.format(**told), figures)
            return
        verdict: Verdict = "wrong" if hangs.tilt >= LYING else "better"
        told["way"] = self._way(*hangs.towards)
        what = say("The camera looks {degrees}° aslant, {way}.").format(**told)
        remedy = say("Turn it until it looks straight down.")
        if off > OFF_MIDDLE:
            told["way"] = self._way(-hangs.x, -hangs.y)
            remedy = say("Move it about {cm} cm {way}, over the middle, and let it look straight down.").format(**told)
        yield Advice("tilt", "tilted", verdict, f"{what} {remedy}", figures)

    # --- how large and how sharp ---

    def _size(self) -> Iterator[Advice]:
        say, survey = self.say, self.survey
        assert survey.hangs is not None
        a_mm = float(pixels_a_mm(survey.to_frame, [(0, 0)])[0])
        pixels, jumbo = a_mm * self.rank, a_mm * JUMBO_RANK
        figures: dict[str, object] = {"rank_mm": self.rank, "pixels": round(pixels, 1), "jumbo_pixels": round(jumbo, 1)}
        told = {"mm": f"{self.rank:g}", "pixels": int(pixels), "wanted": WANTED, "jumbo": int(jumbo)}
        if pixels >= ENOUGH:
            text = say("A rank of {mm} mm is {pixels} pixels high ({wanted} are wanted).").format(**told)
            yield Advice("index", "legible", "well", text, figures)
            return
        text = say("A rank of {mm} mm is only {pixels} pixels high: {wanted} are wanted.").format(**told)
        remedies = self._upright()
        low, high = _bounds(survey, SPARE, upright=True)
        room = max(1.0, float(((np.array(survey.size) - 1) / np.maximum(high - low, 1)).min()))
        nearer = min(room, WANTED / pixels)
        if nearer > 1.03:
            lower = survey.hangs.height * (1 - 1 / nearer)
            figures["lower_cm"] = _cm(lower)
            hint = say("Hang the camera lower: at {percent} % of its height, about {cm} cm less.")
            remedies.append(hint.format(percent=round(100 / nearer), cm=_cm(lower)))
        if nearer * pixels < ENOUGH:
            larger = [
                size for size in SIZES if min(np.array(size) / survey.size) * nearer * pixels >= (ENOUGH + WANTED) / 2
            ]
            if larger:
                width, height = larger[0]
                figures["size"] = f"{width}x{height}"
                hint = say("Let it give larger pictures (size: {size}), if it can.")
                remedies.append(hint.format(size=f"{width}x{height}"))
        if self.rank < JUMBO_RANK and jumbo >= ENOUGH:
            hint = say("Or play with jumbo indices (15 mm): they have {jumbo} pixels.")
            remedies.append(hint.format(**told))
        verdict: Verdict = "wrong" if pixels < LEAST else "better"
        yield Advice("index", "coarse", verdict, " ".join([text, *remedies]), figures)

    def _focus(self) -> Iterator[Advice]:
        say, survey = self.say, self.survey
        judged = {n: m for n, m in self._judged().items() if m.blown <= SHINES_ON}
        if not judged:
            return
        a_mm = dict(zip(judged, pixels_a_mm(survey.to_frame, [MIDDLES[n] for n in judged]), strict=True))
        wide = {n: m.step for n, m in judged.items()}
        figures = {"step_px": {str(n): round(step, 1) if np.isfinite(step) else None for n, step in wide.items()}}
        soft = [n for n, step in wide.items() if step > max(SOFT_PX, SOFT * RANK * a_mm[n])]
        blurred = [n for n in soft if wide[n] > max(BLURRED_PX, BLURRED * RANK * a_mm[n])]
        if not soft:
            text = say("The picture is sharp: black turns white within {pixels} pixels.")
            text = text.format(pixels=self._decimal(max(wide.values())))
            yield Advice("focus", "sharp", "well", text, figures)
            return
        verdict: Verdict = "wrong" if blurred else "better"
        if len(soft) == len(wide):
            yield Advice("focus", "blurred", verdict, self._blurred(), figures)
        else:
            where = "; ".join(self._between(n) for n in soft)
            text = say("The picture is blurred {where}: hang the camera straight, or focus it between near and far.")
            yield Advice("focus", "blurred-corner", verdict, text.format(where=where), {**figures, "markers": soft})

    def _blurred(self) -> str:
        return self.say("The picture is blurred: focus the camera, on the cloth, and lock it there. Wipe the lens.")

    def _judged(self) -> dict[int, Marker]:
        """The markers that tell of focus and light: those that were found, wherever they lie."""
        survey = self.survey
        return {n: m for n, m in survey.markers.items() if n in survey.seen or survey.laid}

    # --- the light ---

    def _light(self) -> Iterator[Advice]:
        say, survey = self.say, self.survey
        judged = self._judged()
        if not judged:
            if survey.level < DARK:
                text = say("The picture is dark: more light is needed, or a longer exposure.")
                yield Advice("light", "dark", "wrong", text, {"level": round(survey.level)})
            elif survey.level > BLOWN - 20:
                text = say("The picture is too bright: less light is needed, or a shorter exposure.")
                yield Advice("light", "bright", "wrong", text, {"level": round(survey.level)})
            return
        shone = {n for n, m in judged.items() if m.blown > SHINES_ON}
        bright = [n for n, m in judged.items() if m.white >= BLOWN]
        figures: dict[str, object] = {"white": {str(n): round(m.white) for n, m in judged.items()}}
        wrong = []
        if 2 * len(bright) >= len(judged):
            veiled = max(m.black for m in judged.values()) >= VEILED
            text = say("The picture is too bright: less light is needed, or a shorter exposure.")
            wrong.append(Advice("light", "bright", "wrong" if veiled else "better", text, figures))
        else:
            whites = {n: m.white for n, m in judged.items() if n not in shone} or {
                n: m.white for n, m in judged.items()
            }
            dark, light = min(whites, key=lambda n: whites[n]), max(whites, key=lambda n: whites[n])
            verdict: Verdict = "wrong" if whites[dark] < DIMMER else "better"
            if whites[light] > UNEVEN * whites[dark]:
                text = say("The light is uneven, {times} times brighter {here} than {there}: add a lamp.")
                text = text.format(
                    times=round(whites[light] / whites[dark]), here=self._between(light), there=self._between(dark)
                )
                wrong.append(Advice("light", "uneven", verdict, text, figures))
            elif whites[dark] < DIM:
                text = say("The picture is dark: more light is needed, or a longer exposure.")
                wrong.append(Advice("light", "dark", verdict, text, figures))
        wrong += self._flicker(judged, figures)
        yield from wrong
        if not wrong:
            darkest = round(min(m.white for m in judged.values()))
            text = say("The light is right: white paper has {white} of 255.").format(white=darkest)
            yield Advice("light", "right", "well", text, figures)

    def _flicker(self, judged: Mapping[int, Marker], figures: Mapping[str, object]) -> Iterator[Advice]:
        if self.survey.frames < SHAKING_TAKES:
            return
        whites = np.array([m.whites for m in judged.values() if len(m.whites)]).reshape(-1, self.survey.frames)
        whites = whites[:, ~np.isnan(whites).any(0)]
        if whites.size == 0 or whites.shape[1] < SHAKING_TAKES or whites.min() <= 0:
            return
        by_frame = whites / np.median(whites, axis=1, keepdims=True)
        whole = np.median(by_frame, axis=0)
        flickers, bands = float(np.ptp(whole)), float(np.ptp(by_frame / whole, axis=1).max())
        if flickers > FLICKERS or bands > BANDS:
            text = self.say("The light flickers: take another lamp, or an exposure of 10 or 20 ms, and lock it.")
            flicker = {"flicker": round(flickers, 3), "bands": round(bands, 3)}
            yield Advice("light", "flicker", "wrong", text, {**figures, **flicker})

    def _blinded(self, light: Sequence[Advice]) -> bool:
        """Whether there is too much light, or too little, to judge the focus by."""
        return any(each.what == "bright" or (each.what == "dark" and each.verdict == "wrong") for each in light)

    def _glare(self) -> Iterator[Advice]:
        say, survey = self.say, self.survey
        judged = self._judged()
        if 2 * sum(m.white >= BLOWN for m in judged.values()) >= max(1, len(judged)) and judged:
            return  # all that is white is as bright as glare
        wrong = []
        for number, marker in survey.markers.items():
            if marker.blown > SHINES_ON and not survey.by_hand:
                text = say("A lamp shines on marker {number}, {between}: move the lamp, or shade it.")
                text = text.format(number=number, between=self._between(number))
                wrong.append(Advice("glare", "glare-marker", "wrong", text, {"marker": number}))
        patches = [patch for patch in survey.patches if patch.area >= SHINES]
        if patches:
            largest = patches[0]
            text = say("A lamp is reflected {cm} cm from the middle, {way}: move the lamp on that side, or shade it.")
            text = text.format(cm=_cm(hypot(largest.x, largest.y)), way=self._way(largest.x, largest.y))
            spots = [{"x": round(p.x), "y": round(p.y), "cm2": round(p.area, 1)} for p in patches]
            wrong.append(Advice("glare", "glare", "wrong", text, {"patches": spots}))
        yield from wrong
        if not wrong:
            yield Advice("glare", "none", "well", say("No lamp is reflected."))

    # --- from frame to frame ---

    def _stillness(self) -> Iterator[Advice]:
        say, survey = self.say, self.survey
        moved = [m.moved for n, m in survey.markers.items() if n in survey.seen and len(m.moved)]
        if survey.frames < SHAKING_TAKES or not moved:
            return
        together = np.array(moved)
        together = together[:, ~np.isnan(together).any((0, 2))]
        if together.shape[1] < SHAKING_TAKES:
            return
        far = np.hypot(*np.median(together, axis=0).T)
        usual = float(np.percentile(far, SHAKEN)) if len(far) > 2 * SHAKING_TAKES else float(far.max())
        figures = {"pixels": round(usual, 2)}
        if usual > SHAKES * factor(survey.size[0]):
            text = say("The picture shakes by {pixels} pixels: fix the camera, its arm, or the table.")
            yield Advice("frames", "shakes", "wrong", text.format(pixels=self._decimal(usual)), figures)
        else:
            yield Advice("frames", "still", "well", say("The camera stands still."), figures)

    # --- words ---

    def _numbers(self, numbers: Iterable[int]) -> str:
        return ", ".join(map(str, numbers))

    def _between(self, number: int) -> str:
        one, other = (self.place(seat) for seat in neighbours(number, self.players))
        return self.say("between seats {one} and {other}").format(one=one, other=other)

    def _way(self, x: float, y: float) -> str:
        """Towards which seat, or which two, a step (x, y) on the table goes."""
        half = round(atan2(x, -y) * 2 * self.players / tau) % (2 * self.players)
        if half % 2 == 0:
            return self.say("towards seat {seat}").format(seat=self.place(half // 2))
        one, other = half // 2, (half // 2 + 1) % self.players
        return self.say("towards seats {one} and {other}").format(one=self.place(one), other=self.place(other))


def _cm(mm: float) -> int:
    return max(0, round(mm / 10))


def _bounds(survey: Survey, spare: float, *, upright: bool = False) -> NDArray[np.float64]:
    """(2, 2): the least and the largest x and y of the marked square, with so many millimetres round it, in pixels; as
    it would be, the camera turned until the square stands *upright*, if it stands askew."""
    reach = SQUARE / 2 + spare
    at = through([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)], survey.to_frame)
    if upright and abs(askew := _askew(survey)) >= ASKEW:
        c, s = cos(radians(askew)), sin(radians(askew))
        middle = (np.array(survey.size) - 1) / 2
        at = (at - middle) @ np.array([[c, -s], [s, c]]) + middle
    return np.stack([at.min(0), at.max(0)])


def _askew(survey: Survey) -> float:
    """By how many degrees the square is turned in the picture, clockwise, to the nearest side: -45 to 45."""
    (x0, y0), (x1, y1) = through([(-SQUARE / 2, 0), (SQUARE / 2, 0)], survey.to_frame)
    return (degrees(atan2(y1 - y0, x1 - x0)) + 45) % 90 - 45


def _spare(survey: Survey) -> float:
    """How many millimetres all round the marked square are in the picture; negative where it is cut."""
    whole = np.array(survey.size) - 1.0
    low, high = -SQUARE / 2, 200.0
    for _ in range(ceil(np.log2((high - low) / 0.1))):
        middle = (low + high) / 2
        bounds = _bounds(survey, middle)
        if (bounds[0] >= 0).all() and (bounds[1] <= whole).all():
            low = middle
        else:
            high = middle
    return low
