"""Where everything on the screen goes. Pure: a ``Screen`` and a size give a ``Layout``; nothing is drawn here.

The screen is read from two metres by people who play, and touched by the one who sits at it. So: what must be seen at
once (cards, whose turn, the ruling) is large and never told by colour alone; buttons keep their places; words are made
smaller, wrapped and at last shortened, but nothing overlaps and nothing leaves its box.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..cards import Card
from ..views.screen import Photo, Screen, SeatView
from .boxes import Box, Measure, clean, line_height
from .overlay import draw_grid, draw_picker
from .pieces import (
    AMBER,
    BACK,
    BLUE,
    CARD_RATIO,
    DARK,
    INK,
    LEAF,
    MUTED,
    PLATE,
    RED,
    RIM,
    SUN,
    TONES,
    Arrow,
    CardBack,
    Colour,
    Face,
    Felt,
    LampPiece,
    Layout,
    Photograph,
    Sheet,
    Sign,
    Touch,
    spread,
)

# Seats on each of the two long sides, and on the far side, by the number of players; seat 0 sits alone at the bottom.
_SIDES = {1: (0, 0), 2: (0, 1), 3: (0, 2), 4: (1, 1), 5: (1, 2), 6: (2, 1), 7: (2, 2)}

_ONE_LINE = (*((steps, True) for steps in range(18, 12, -1)), *((steps, False) for steps in range(14, 10, -1)))
"""How the line at the top is tried: the size of its letters, with the title or without."""

_LEAST_NAME = 15  # steps of size of a name that takes two lines

_LARGEST_MARK = 0.3  # height of a mark over that of its card

_TALL_PHOTOS, _LOW_PHOTOS = 9, 5  # height of the photographs in twentieths of that of all words, and the least of it

# How a mark looks: shape, paper, ink, sign. Unproven is quiet on purpose: a quarter of all plays are.
_MARKS = {
    "unproven": ("disc", (214, 216, 210), (70, 74, 78), "?"),
    "pending": ("triangle", AMBER, DARK, "!"),
    "breach": ("octagon", RED, INK, "✕"),
    "proved": ("seal", RED, INK, "!!"),
}


def lay_out(screen: Screen, size: tuple[int, int], *, measure: Measure) -> Layout:
    """The picture of *screen* on a display of *size* pixels."""
    w, h = size
    wide = w >= h
    unit = min(w / 800, h / 480) if wide else min(w / 480, h / 800)
    sheet = Sheet(size, unit, measure, screen.language)
    whole = Box(0, 0, w, h)
    sheet.panel(whole, BACK)
    body = _header(sheet, whole.inset(sheet.u(6), sheet.u(4)), screen)
    if screen.picker is not None:
        draw_picker(sheet, body, screen.picker)
        return sheet.finished()
    if not screen.seats and screen.grid is None and screen.wanted is None:
        _welcome(sheet, body, screen, wide=wide)
        return sheet.finished()
    body = _tap_row(sheet, body, screen)
    gap = sheet.u(6)
    speaks = _speaks(screen)
    if not speaks:
        table, words = body, Box(0, 0, 0, 0)
    elif screen.grid and not (screen.question or screen.answers or screen.alerts or screen.photos):
        words, table = body.cut_bottom(sheet.u(84 if screen.headline and screen.ruling else 46), gap)
    elif wide:
        share = 0.33 if len(screen.seats) > 5 else 0.35
        words, table = body.cut_right(int(body.w * share), gap)
    else:
        words, table = body.cut_bottom(int(body.h * (0.44 if screen.question or screen.photos else 0.36)), gap)
    if screen.grid is not None:
        draw_grid(sheet, table, screen.grid)
    elif screen.wanted is not None:
        _wanted(sheet, table, screen.wanted)
    else:
        _table(sheet, table, screen)
    if speaks:
        _say(sheet, words, screen)
    # A key that two taps own is the answer's before the button's, and the button's before the seat's.
    first = {id(tap): i for i, tap in enumerate((*screen.answers, *screen.taps))}
    sheet.touches.sort(key=lambda touch: first.get(id(touch.tap), len(first)))
    return sheet.finished()


def _speaks(screen: Screen) -> bool:
    told = screen.headline or screen.ruling or screen.last or screen.question or screen.answers or screen.alerts
    return bool(told or screen.photos)


# --- the line at the top and the row of buttons ----------------------------------------------------------------------


def _chip_width(sheet: Sheet, text: str, tone: str, px: int) -> int:
    sign = TONES.get(tone, TONES["plain"]).sign
    return sheet.measure(f"{sign} {text}" if sign else text, px, False) + px


def _fit_in_a_line(sheet: Sheet, chips: list[tuple[str, str]], px: int, gap: int, room: int) -> bool:
    """Whether the chips have room in one line, whatever their numbers become: the line is not to change with them."""
    widest = [(re.sub(r"[0-9]+|–", "00", text), tone) for text, tone in chips]
    return sum(_chip_width(sheet, *chip, px) + gap for chip in widest) - gap <= room


def _header(sheet: Sheet, box: Box, screen: Screen) -> Box:
    """Title and chips; returns the rest of the box. Chips take one line, from which the title gives way, and two only
    when there are too many for one: a second line takes height from the table."""
    chips = [(clean(text), tone) for text, tone in screen.chips if clean(text)]
    title = clean(screen.title)
    gap, h = sheet.u(6), sheet.u(30)
    show_title = bool(title) and bool(screen.seats or screen.grid or screen.picker)
    if not chips and not show_title:
        return box
    title_w = min(sheet.measure(title, sheet.u(21), True), int(box.w * 0.3)) + sheet.u(8) if show_title else 0
    for steps, titled in _ONE_LINE:
        px = sheet.u(steps)
        if _fit_in_a_line(sheet, chips, px, gap, box.w - (title_w if titled else 0)):
            show_title = show_title and titled
            rows = [chips]
            break
    else:
        px = sheet.u(14)
        rows = _chip_rows(sheet, chips, box.w, first=box.w - title_w, px=px, gap=gap)
    bar, rest = box.cut_top(h * len(rows) + gap * (len(rows) - 1), sheet.u(4))
    for i, row in enumerate(rows):
        line = Box(bar.x, bar.y + i * (h + gap), bar.w, h)
        if i == 0 and show_title:
            place, line = line.cut_left(title_w)
            sheet.line(title, place.cut_left(place.w - sheet.u(8))[0], sheet.u(21), bold=True, least=0.6)
        natural = [_chip_width(sheet, *chip, px) for chip in row]
        spare = line.w - gap * (len(row) - 1)
        squeeze = min(1.0, spare / max(1, sum(natural)))
        for (text, tone_name), width in zip(row, natural, strict=True):
            chip, line = line.cut_left(int(width * squeeze) if squeeze < 1 else width, gap)
            tone = TONES.get(tone_name, TONES["plain"])
            sheet.panel(chip, tone.fill, radius=chip.h // 2)
            words = f"{tone.sign} {text}" if tone.sign else text
            sheet.line(words, chip.inset(px // 2 - 1, 1), px, colour=tone.ink, align="centre", least=0.8)
    return rest


def _chip_rows(
    sheet: Sheet, chips: list[tuple[str, str]], width: int, *, first: int, px: int, gap: int
) -> list[list[tuple[str, str]]]:
    """The chips in two lines: as many in the first as it holds."""
    used = 0
    for i, chip in enumerate(chips):
        used += _chip_width(sheet, *chip, px) + gap
        if used > first + gap and i:
            return [chips[:i], chips[i:]]
        if used > first + gap:
            return [[], chips] if first < width // 2 else [chips[:1], chips[1:]] if chips[1:] else [chips]
    return [chips]


def _tap_row(sheet: Sheet, box: Box, screen: Screen) -> Box:
    """The buttons at the bottom, always there; returns the rest of the box."""
    if not screen.taps:
        return box
    gap, h = sheet.u(6), sheet.u(48)
    columns = min(len(screen.taps), max(1, (box.w + gap) // (sheet.u(100) + gap)))
    rows = -(-len(screen.taps) // columns)
    row, rest = box.cut_bottom(min(rows * (h + gap) - gap, box.h // 3), sheet.u(6))
    sheet.buttons(screen.taps, row, px=sheet.u(19), least_w=sheet.u(100), least_h=min(h, row.h), gap=gap)
    return rest


# --- the table ---------------------------------------------------------------------------------------------------


def _sides(n: int) -> tuple[int, int]:
    third = (n - 1) // 3
    return _SIDES.get(n, (third, n - 1 - 2 * third))


def _table(sheet: Sheet, box: Box, screen: Screen) -> None:
    """The felt: a plate for each seat round the edge, its card in front of it, an arrow to whose turn it is."""
    sheet.pieces.append(Felt(box, sheet.u(22)))
    seats = screen.seats
    if not seats:
        return
    plates, cards, hub = _arrange(sheet, box.inset(sheet.u(6)), seats)
    for seat, plate, place in zip(seats, plates, cards, strict=True):
        _plate(sheet, plate, seat, screen)
        _card(sheet, place, seat, screen)
        if seat.tap is not None:
            sheet.touches += (Touch(plate, seat.tap), Touch(place, seat.tap))
    turn = next((i for i, seat in enumerate(seats) if seat.turn), None)
    if turn is not None:
        x, y = cards[turn].middle
        sheet.pieces.append(Arrow(hub, x - hub.middle[0], y - hub.middle[1], SUN))
    elif screen.centre.colour != "off":
        sheet.pieces.append(LampPiece(hub, screen.centre))


def _arrange(sheet: Sheet, box: Box, seats: tuple[SeatView, ...]) -> tuple[list[Box], list[Box], Box]:
    """A plate and a card's place for each of the *seats*, clockwise from the bottom, and the hub between the cards.

    The cards are as large as they can be without touching anything. Where the corners of the felt are free, the plates
    of the near and the far seat stand there beside their cards and not behind them, which leaves the cards more height.
    """
    n = len(seats)
    side, top = _sides(n)
    gap, flat, high = sheet.u(8), sheet.u(60), sheet.u(100 if n < 6 else 88)
    widest = sheet.u(300)
    corners = side < 2
    column = min(sheet.u(124), int(box.w * 0.23)) if side else 0
    middle = box.inset(column + gap, 0) if side else box
    roomy = side == 1 and any(
        len(_name_lines(sheet, f"▶ {clean(seat.name)}", column - 2 * sheet.u(8))) > 1 for seat in seats
    )
    left, right = _side_plates(box, side, column=column, high=high + sheet.u(22) if roomy else high, gap=gap)
    tops: list[Box] = []
    if top > 1 or (top and not corners):
        row = (box if corners else middle).cut_top(high)[0].columns(top, gap)
        h = flat if row[0].w >= sheet.u(180) else high
        tops = [place.cut_top(h)[0].centred(min(place.w, widest), h) for place in row]
        middle = middle.cut_top(h, gap)[1]
    bottoms: list[Box] = []
    if not corners:
        row_box, middle = middle.cut_bottom(flat, gap)
        bottoms = [row_box.centred(min(row_box.w, widest), flat)]

    cx, cy = middle.middle
    reach = min(sheet.u(54), middle.w // 4, middle.h // 4)
    hub = middle.centred(reach, reach)
    for h in range(max(9, min(sheet.u(170), middle.h // 2)), 8, -1):
        w = round(h * CARD_RATIO)
        rx, ry = (middle.w - w) / 2 - gap / 2, (middle.h - h) / 2 - gap / 2
        cards = [Box(int(cx + x * rx - w / 2), int(cy + y * ry - h / 2), w, h) for x, y in _ways(n)]
        beside = w // 2 + sheet.u(10)
        width = min(sheet.u(210), box.w // 2 - beside)
        for tall in (high, flat):
            low = bottoms or [Box(cx + beside, box.bottom - tall, width, tall)]
            far = tops or [Box(cx - beside - width, box.y, width, tall)][:top]
            plates = [*low, *left, *far, *right]
            if _clear(plates) and _apart(cards, [*plates, hub], gap):
                return plates, cards, hub
    return plates, cards, hub


def _side_plates(box: Box, n: int, *, column: int, high: int, gap: int) -> tuple[list[Box], list[Box]]:
    """*n* plates on the left, from the bottom up, and *n* on the right, from the top down."""
    if not n:
        return [], []
    high = min(high, (box.h - gap * (n - 1)) // n)
    middles = {1: (0.5,), 2: (0.26, 0.74)}.get(n) or tuple((i + 0.5) / n for i in range(n))
    tops = [int(min(max(box.y + box.h * m - high / 2, box.y), box.bottom - high)) for m in middles]
    left = [Box(box.x, y, column, high) for y in reversed(tops)]
    return left, [Box(box.right - column, y, column, high) for y in tops]


def _ways(n: int) -> list[tuple[float, float]]:
    """The way from the middle to each seat, clockwise from the bottom, stretched to the edges of a square."""
    ways = []
    for i in range(n):
        x, y = -math.sin(2 * math.pi * i / n), math.cos(2 * math.pi * i / n)
        far = max(abs(x), abs(y))
        ways.append((x / far, y / far))
    return ways


def _clear(boxes: list[Box]) -> bool:
    return all(not a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])


def _apart(cards: list[Box], others: list[Box], gap: int) -> bool:
    """Whether no card comes nearer than *gap* to another or half of that to anything else, and no mark on anything."""
    halos = [Box(c.x - gap // 2, c.y - gap // 2, c.w + gap, c.h + gap) for c in cards]
    marks = [_mark_place(c, _LARGEST_MARK) for c in cards]
    return all(not a.overlaps(b) for i, a in enumerate(halos) for b in (*halos[i + 1 :], *others)) and not any(
        mark.overlaps(b) for i, mark in enumerate(marks) for b in (*cards[:i], *cards[i + 1 :], *others)
    )


def _plate(sheet: Sheet, box: Box, seat: SeatView, screen: Screen) -> None:
    """Name, lamp with its words, and numbers of one seat. The plate of the seat to play is light, with an arrow."""
    fill, ink, quiet = (SUN, DARK, DARK) if seat.turn else (PLATE, INK, MUTED)
    if seat.mark in ("breach", "proved"):
        edge, edge_px = RED, sheet.u(4)
    elif seat.turn:
        edge, edge_px = INK, sheet.u(4)
    else:
        edge, edge_px = RIM, sheet.u(1)
    sheet.panel(box, fill, radius=sheet.u(10), edge=edge, edge_px=edge_px)
    inner = box.inset(sheet.u(8), sheet.u(6))
    stats = [
        (clean(value), clean(word))
        for value, word in zip((seat.points, seat.tricks, seat.total), screen.column_words, strict=True)
        if clean(value)
    ]
    numbers = Box(0, 0, 0, 0)
    lines = [_signed_name(seat)]
    if box.w >= 2.2 * box.h:
        if stats:
            numbers, inner = inner.cut_right(min(sheet.u(42) * len(stats), int(inner.w * 0.47)), sheet.u(6))
        bulb, inner = inner.cut_left(min(inner.h, sheet.u(36), inner.w // 3), sheet.u(6))
        below = bool(seat.lamp_words or seat.seconds)
        name, words = inner.cut_top(int(inner.h * 0.56)) if below else (inner, Box(0, 0, 0, 0))
    else:
        if box.h > sheet.u(110):
            lines = _name_lines(sheet, lines[0], inner.w)
        name, low = inner.cut_top(int(inner.h * 0.32) if len(lines) < 2 else 2 * line_height(sheet.u(_LEAST_NAME)))
        if stats:
            low, numbers = low.cut_top(int(inner.h * 0.28))
        bulb, words = low.cut_left(min(low.h, sheet.u(30)), sheet.u(5))
    if seat.card is None and not seat.covered and seat.mark in _MARKS:
        corner, name = name.cut_right(min(name.h, sheet.u(28)), sheet.u(3))
        _mark(sheet, corner.centred(corner.w, corner.w), seat.mark)
    if len(lines) > 1:
        sheet.stack(lines, name, sheet.u(_LEAST_NAME), colour=ink, bold=True)
    else:
        sheet.line(lines[0], name, sheet.u(24), colour=ink, bold=True, least=0.5)
    d = min(bulb.w, bulb.h)
    sheet.pieces.append(LampPiece(bulb.centred(d, d), seat.lamp))
    _words_and_seconds(sheet, words, seat, ink)
    _stats(sheet, numbers, stats, ink=ink, quiet=quiet)


def _words_and_seconds(sheet: Sheet, box: Box, seat: SeatView, ink: Colour) -> None:
    """The words of the lamp of a seat, and at the right the seconds that it has: these alone where both have no room,
    since who is in turn is told by the plate."""
    px, least, words = sheet.u(16), 0.72, clean(seat.lamp_words)
    if seat.seconds:
        large = sheet.u(21)
        clock, box = box.cut_right(sheet.measure(seat.seconds, large, True), sheet.u(5))
        sheet.line(seat.seconds, clock, large, colour=ink, bold=True, align="right", least=least)
        words = words if sheet.measure(words, round(px * least), False) <= box.w else ""
    sheet.line(words, box, px, colour=ink, least=least)


def _signed_name(seat: SeatView) -> str:
    return ("▶ " if seat.turn else "★ " if seat.won else "") + clean(seat.name)


def _name_lines(sheet: Sheet, name: str, width: int) -> list[str]:
    """The name of a seat in two lines, if one does not hold it whole and two do."""
    lines = sheet.lines(name, width, sheet.u(_LEAST_NAME), most=2, bold=True)
    whole = " ".join(lines) == name and all(len(line) > 1 for line in lines)
    return lines if whole else [name]


def _stats(sheet: Sheet, box: Box, stats: list[tuple[str, str]], *, ink: Colour, quiet: Colour) -> None:
    """Numbers side by side, each over its word, all of one size."""
    if not stats:
        return
    big, small, gap = sheet.u(26), sheet.u(13), sheet.u(3)
    room = box.w - gap * (len(stats) - 1)
    for steps in range(26, 9, -1):  # a word in place of a number (a nil) makes all smaller rather than be cut
        label = max(0.6 * small, min(small, sheet.u(steps / 2)))
        needs = [
            max(sheet.measure(v, sheet.u(steps), True), sheet.measure(w, round(label), False), 1) for v, w in stats
        ]
        if sum(needs) <= room:
            break
    spare = max(0, room - sum(needs)) // len(needs)
    places, rest = [], box
    for need in needs:
        place, rest = rest.cut_left(need + spare if sum(needs) <= room else room * need // sum(needs), gap)
        places.append(place)
    figures, labels = zip(*((p.cut_top(int(p.h * 0.64))) for p in places), strict=True)
    value_px = min(sheet.fit(v, f, big, bold=True, least=0.38) for (v, _), f in zip(stats, figures, strict=True))
    word_px = min(sheet.fit(w, p, small, least=0.6) for (_, w), p in zip(stats, labels, strict=True))
    for (value, word), figure, label in zip(stats, figures, labels, strict=True):
        sheet.line(value, figure, value_px, colour=ink, bold=True, align="centre", least=1)
        sheet.line(word, label, word_px, colour=quiet, align="centre", least=1)


def _mark(sheet: Sheet, box: Box, mark: str) -> None:
    shape, fill, ink, text = _MARKS[mark]
    sheet.pieces.append(Sign(box, shape, fill, ink, text))


def _mark_place(card: Box, share: float) -> Box:
    """Where the mark of a card stands: at its upper right corner, beside the rank and not over it."""
    d = int(card.h * share)
    return Box(card.right - d + d // 5, card.y - d // 6, d, d)


def _card(sheet: Sheet, box: Box, seat: SeatView, screen: Screen) -> None:
    """The card that lies in front of a seat, or its empty place."""
    rim = sheet.u(4)
    around = Box(box.x - rim, box.y - rim, box.w + 2 * rim, box.h + 2 * rim)
    radius = box.h // 12
    if seat.card is None and not seat.covered:
        edge, width = (SUN, sheet.u(4)) if seat.turn else (RIM, sheet.u(1))
        sheet.panel(box, None, radius=radius, edge=edge, edge_px=width)
        return
    if seat.mark in ("breach", "proved"):
        sheet.panel(around, RED, radius=radius + rim)
    elif seat.won:
        sheet.panel(around, LEAF, radius=radius + rim)
    elif seat.turn:
        sheet.panel(around, SUN, radius=radius + rim)
    sheet.pieces.append(CardBack(box) if seat.card is None else Face(box, seat.card, screen.language))
    if seat.order:
        d = max(int(box.h * 0.23), 6)
        corner = Box(box.x + d // 4, box.bottom - d - d // 4, d, d)
        sheet.pieces.append(Sign(corner, "disc", (52, 60, 68), INK, str(seat.order)))
    if seat.mark in _MARKS:
        _mark(sheet, _mark_place(box, 0.22 if seat.mark == "unproven" else _LARGEST_MARK), seat.mark)


# --- the words beside the table ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Block:
    """A part of the words: how high it is, how to draw it, how much higher it may become when there is room."""

    h: int
    draw: Callable[[Box], None]
    may_grow: int = 0
    low: bool = False  # stands at the bottom


def _say(sheet: Sheet, box: Box, screen: Screen) -> None:
    """Headline, question with its answers, rulings, latest play, photographs and alerts: as large as they fit, then
    cut. In a low place the photographs stand beside the words."""
    most = {"headline": 3, "question": 9, "ruling": 12, "standing": 9, "last": 6, "alerts": 12, "photos": _TALL_PHOTOS}
    gap = sheet.u(7)
    if screen.photos and box.w > box.h:
        place, box = box.cut_right(int(box.w * 0.42), gap)
        _photos(sheet, place, screen.photos, most["photos"]).draw(place)
        most["photos"] = 0
    blocks: list[_Block] = []

    def fits() -> bool:
        return sum(b.h for b in blocks) + gap * (len(blocks) - 1) <= box.h

    tight = False
    for scale, tight in (
        (1.25, False),
        (1.12, False),
        (1.0, False),
        (0.92, False),
        (0.92, True),
        (0.84, True),
        (0.76, True),
        (0.7, True),
    ):
        blocks = _blocks(sheet, box, screen, scale, most, tight=tight)
        headline = sheet.lines(screen.headline, box.w, sheet.u(29 * scale), most=most["headline"] + 1, bold=True)
        if fits() and len(headline) <= most["headline"]:  # rather smaller than cut
            break
    for name, least in (
        ("photos", _LOW_PHOTOS),
        ("alerts", 2),
        ("last", 2),
        ("photos", 0),
        ("standing", 2),
        ("ruling", 4),
        ("question", 3),
        ("headline", 2),
        ("last", 0),
        ("standing", 0),
        ("ruling", 2),
        ("alerts", 1),
        ("question", 2),
        ("headline", 1),
        ("ruling", 1),
        ("question", 1),
        ("alerts", 0),
        ("ruling", 0),
        ("headline", 0),
    ):
        while not fits() and most[name] > least:
            most[name] -= 1
            blocks = _blocks(sheet, box, screen, scale, most, tight=tight)
    spare = max(0, box.h - sum(b.h for b in blocks) - gap * (len(blocks) - 1))
    rest = box
    for block in blocks:
        more = min(spare, block.may_grow)
        spare -= more
        place, rest = (rest.cut_bottom if block.low else rest.cut_top)(block.h + more, gap)
        block.draw(place)


def _blocks(sheet: Sheet, box: Box, screen: Screen, scale: float, most: dict[str, int], *, tight: bool) -> list[_Block]:
    """What is to be said, at a *scale*, in at most so many lines; *tight* puts the answers side by side."""
    blocks: list[_Block] = []
    if screen.centre_words:
        d = sheet.u(24 * scale)

        def centre(place: Box) -> None:
            bulb, words = place.cut_left(d, sheet.u(6))
            sheet.pieces.append(LampPiece(bulb.centred(d, d), screen.centre))
            sheet.line(screen.centre_words, words, sheet.u(17 * scale), colour=MUTED)

        blocks.append(_Block(d, centre))
    if screen.headline and most["headline"]:
        px = sheet.u(29 * scale)
        headline = sheet.lines(screen.headline, box.w, px, most=most["headline"], bold=True)
        blocks.append(
            _Block(len(headline) * line_height(px), lambda place: sheet.stack(headline, place, px, bold=True))
        )
    if screen.question or screen.answers:
        blocks.append(_question(sheet, box, screen, scale, most["question"], tight=tight))
    if screen.ruling and most["ruling"]:
        blocks.append(_ruling(sheet, box.w, screen.ruling, screen.ruling_tone, 20 * scale, most["ruling"]))
        if most["standing"]:
            blocks += [_ruling(sheet, box.w, *told, 17 * scale, most["standing"]) for told in screen.standing]
    if screen.last and most["last"]:
        small = sheet.u(20 * scale)
        last = sheet.lines(screen.last, box.w, small, most=most["last"])
        blocks.append(_Block(len(last) * line_height(small), lambda place: sheet.stack(last, place, small)))
    if screen.alerts and most["alerts"]:
        blocks.append(_alerts(sheet, box.w, screen, scale, most["alerts"]))
    if screen.photos and most["photos"]:
        blocks.append(_photos(sheet, box, screen.photos, most["photos"]))
    return blocks


def _question(sheet: Sheet, box: Box, screen: Screen, scale: float, most: int, *, tight: bool) -> _Block:
    px, pad, gap = sheet.u(21 * scale), sheet.u(8), sheet.u(6)
    inner_w = box.w - 2 * pad
    words = sheet.lines(screen.question, inner_w, px, most=most, bold=True)
    words_h = len(words) * line_height(px)
    n = len(screen.answers)
    label_px = sheet.u(20)
    longest = max((sheet.measure(clean(t.label), label_px, True) for t in screen.answers), default=0)
    least_w = min(max(longest + sheet.u(40), sheet.u(84)), inner_w)
    least_h = sheet.u(58 if any(tap.card is not None for tap in screen.answers) and not tight else 46)
    if tight and n > 2:
        least_w = min(least_w, (inner_w - gap) // 2)
    room = Box(0, 0, inner_w, int(box.h * 0.66))
    rows = spread(n, room, least_w=least_w, least_h=least_h, gap=gap)[1] if n else 0
    answers_h = rows * (least_h + gap) - gap if n else 0
    between = gap if n and words else 0

    def draw(place: Box) -> None:
        sheet.panel(place, BLUE, radius=sheet.u(12), edge=INK, edge_px=sheet.u(2))
        text, buttons = place.inset(pad).cut_top(words_h, between)
        sheet.stack(words, text, px, bold=True)
        sheet.buttons(screen.answers, buttons, px=label_px, least_w=least_w, least_h=least_h, gap=gap)

    return _Block(words_h + answers_h + between + 2 * pad, draw, may_grow=rows * sheet.u(16))


def _ruling(sheet: Sheet, width: int, text: str, tone_name: str, steps: float, most: int) -> _Block:
    """A ruling in letters of so many *steps* on paper of its own, with the sign of its tone."""
    tone = TONES.get(tone_name, TONES["plain"])
    px, pad, d = sheet.u(steps), sheet.u(9), sheet.u(1.3 * steps) if tone.sign else 0
    beside = d + sheet.u(8) if d else 0
    words = sheet.lines(text, width - 2 * pad - beside, px, most=most)

    def draw(place: Box) -> None:
        sheet.panel(place, tone.fill, radius=sheet.u(12))
        inner = place.inset(pad)
        if d:
            disc, inner = inner.cut_left(d, sheet.u(8))
            sheet.pieces.append(Sign(disc.cut_top(d)[0], "disc", tone.ink, tone.fill, tone.sign))
        sheet.stack(words, inner, px, colour=tone.ink)

    return _Block(max(len(words) * line_height(px), d) + 2 * pad, draw)


def _alerts(sheet: Sheet, width: int, screen: Screen, scale: float, most: int) -> _Block:
    px, pad, d = sheet.u(17 * scale), sheet.u(7), sheet.u(20 * scale)
    told: list[list[str]] = []
    left = most
    for alert in screen.alerts:
        lines = sheet.lines(alert, width - 2 * pad - d - sheet.u(6), px, most=min(5, left)) if left else []
        if lines:
            told.append(lines)
            left -= len(lines)
    hidden = len(screen.alerts) - len(told)
    h = line_height(px)

    def draw(place: Box) -> None:
        sheet.panel(place, DARK, radius=sheet.u(10), edge=AMBER, edge_px=sheet.u(2))
        inner = place.inset(pad)
        for i, lines in enumerate(told):
            part, inner = inner.cut_top(h * len(lines))
            bulb, text = part.cut_left(d, sheet.u(6))
            sheet.pieces.append(Sign(bulb.cut_top(h)[0].centred(d, d), "triangle", AMBER, DARK, "!"))
            if hidden and i == len(told) - 1:
                more, text = text.cut_right(sheet.measure(f"+{hidden}", px, True), sheet.u(4))
                sheet.line(f"+{hidden}", more.cut_top(h)[0], px, colour=AMBER, bold=True, align="right")
            for j, line in enumerate(lines):
                sheet.line(line, Box(text.x, text.y + j * h, text.w, h), px, least=1)

    return _Block(h * sum(len(lines) for lines in told) + 2 * pad, draw, low=True)


def _photos(sheet: Sheet, box: Box, photos: tuple[Photo, ...], share: int) -> _Block:
    """The photographs with their captions, side by side or below each other; *share* twentieths of *box* high, and up
    to a square."""
    pad, gap = sheet.u(5), sheet.u(6)

    def draw(place: Box) -> None:
        parts = place.columns(len(photos), gap) if place.w >= place.h else place.rows(len(photos), gap)
        inner = [part.inset(pad) for part in parts]
        px = min(
            sheet.fit(clean(photo.caption), part, sheet.u(18), least=0.78)
            for photo, part in zip(photos, inner, strict=True)
        )
        told = [
            sheet.lines(photo.caption, part.w, px, most=min(3, part.h // line_height(px)))
            for photo, part in zip(photos, inner, strict=True)
        ]
        h = max(len(lines) for lines in told) * line_height(px)  # pictures side by side are of one height
        for photo, part, lines in zip(photos, parts, told, strict=True):
            sheet.panel(part, PLATE, radius=sheet.u(8), edge=RIM, edge_px=sheet.u(1))
            caption, picture = part.inset(pad).cut_bottom(h, sheet.u(3))
            if photo.jpeg is None:
                caption = part.inset(pad)
            elif picture.w and picture.h:
                sheet.pieces.append(Photograph(picture, photo.jpeg))
            sheet.stack(lines, caption, px, align="centre")

    if all(photo.jpeg is None for photo in photos):
        return _Block(sheet.u(70), draw, low=True)
    h = box.h * share // 20
    return _Block(h, draw, may_grow=max(0, box.w - h), low=True)


# --- a card to find -----------------------------------------------------------------------------------------------


def _wanted(sheet: Sheet, box: Box, card: Card) -> None:
    """One card on the cloth, as large as fits."""
    sheet.pieces.append(Felt(box, sheet.u(22)))
    place = box.inset(sheet.u(20))
    h = min(place.h, int(place.w / CARD_RATIO))
    sheet.pieces.append(Face(place.centred(int(h * CARD_RATIO), h), card, sheet.language))


# --- before a match ----------------------------------------------------------------------------------------------


def _welcome(sheet: Sheet, box: Box, screen: Screen, *, wide: bool) -> None:
    """No table yet: the title large, what to do, and the taps as large as a thumb."""
    sheet.pieces.append(Felt(box, sheet.u(22)))
    inner = box.inset(sheet.u(20), sheet.u(14))
    buttons = Box(0, 0, 0, 0)
    if screen.taps:
        gap = sheet.u(10)
        if wide:
            buttons, inner = inner.cut_right(int(inner.w * 0.46), sheet.u(20))
        else:
            buttons, inner = inner.cut_bottom(int(inner.h * 0.5), sheet.u(14))
        columns, rows = spread(len(screen.taps), buttons, least_w=buttons.w, least_h=sheet.u(52), gap=gap)
        h = min(buttons.h, rows * sheet.u(92) + (rows - 1) * gap)
        buttons = Box(buttons.x, buttons.y + (buttons.h - h) // 2, buttons.w, h)
        sheet.buttons(
            screen.taps, buttons, px=sheet.u(26), least_w=buttons.w // columns - gap, least_h=sheet.u(52), gap=gap
        )
    speaks = _speaks(screen)
    mast, words = inner.cut_top(int(inner.h * (0.42 if speaks else 1)), sheet.u(10))
    if not speaks:
        mast = mast.centred(mast.w, min(mast.h, sheet.u(190)))
    suits, title = mast.cut_bottom(int(mast.h * 0.42))
    sheet.line(screen.title, title, sheet.u(64), bold=True, least=0.3)
    step = min(suits.h, suits.w // 4)
    for i, (sign, colour) in enumerate((("♠", INK), ("♥", (255, 120, 120)), ("♣", INK), ("♦", (255, 120, 120)))):
        sheet.line(sign, Box(suits.x + i * step, suits.y, step, suits.h), int(step * 0.8), colour=colour, least=0.4)
    if speaks:
        _say(sheet, words, screen)
