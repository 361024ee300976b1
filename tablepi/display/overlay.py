"""What is laid over the table: the picker of a card or of another choice, and tables of words. Pure."""

from __future__ import annotations

from ..cards import ALL_CARDS, RANKS, Card
from ..views.screen import Grid, Picker, Tap
from .boxes import Box, clean, line_height
from .pieces import DARK, INK, MUTED, STONE, SUN, Colour, Face, Sheet, Touch, spread

_HOLE: Colour = (54, 62, 70)
_TALLEST_CELL = 1.5  # height over width: a taller card is no card any more


def draw_picker(sheet: Sheet, box: Box, picker: Picker) -> None:
    """The picker over the whole *box*: title, what is typed, the cards as a grid, and its taps."""
    sheet.panel(box, STONE, radius=sheet.u(14), edge=SUN, edge_px=sheet.u(2))
    inner = box.inset(sheet.u(10), sheet.u(8))
    beside = min(sheet.u(110), inner.w // 3) + sheet.u(8) if picker.typed or picker.cards else 0
    title, px = _title(sheet, picker.title, inner.w - beside)
    head, inner = inner.cut_top(max(sheet.u(36), min(line_height(px) * len(title), inner.h // 3)), sheet.u(6))
    if beside:
        typed, head = head.cut_right(beside - sheet.u(8), sheet.u(8))
        typed = typed.centred(typed.w, min(typed.h, sheet.u(36)))
        sheet.panel(typed, DARK, radius=sheet.u(6), edge=INK if picker.typed else MUTED, edge_px=sheet.u(2))
        sheet.line(f"{clean(picker.typed)}▏", typed.inset(sheet.u(8), sheet.u(2)), sheet.u(24), bold=True)
    sheet.stack(title[: max(1, head.h // line_height(px))], head, px, bold=True)
    gap = sheet.u(6)
    if picker.cards:
        if picker.taps:
            columns = min(len(picker.taps), max(1, (inner.w + gap) // (sheet.u(110) + gap)))
            rows = -(-len(picker.taps) // columns)
            row, inner = inner.cut_bottom(min(rows * sheet.u(48) + (rows - 1) * gap, inner.h // 3), sheet.u(8))
            sheet.buttons(picker.taps, row, px=sheet.u(19), least_w=sheet.u(110), least_h=sheet.u(46), gap=gap)
        _cards(sheet, inner, picker.cards)
        return
    _choices(sheet, inner, picker.taps)


def _title(sheet: Sheet, text: str, width: int) -> tuple[list[str], int]:
    """A picker's title as large as two lines hold it whole, else shortened; and the size of its letters."""
    for steps in (24, 22, 20, 18, 16, 14):
        px = sheet.u(steps)
        lines = sheet.lines(text, width, px, most=2, bold=True)
        if " ".join(lines) == clean(text):
            break
    return lines, px


def _cards(sheet: Sheet, box: Box, cards: tuple[tuple[Card, Tap], ...]) -> None:
    """Suits as rows in the order in which they come, ranks from two to ace; a screen on its end turns the grid."""
    taps = dict(cards)
    suits = list(dict.fromkeys(card.suit for card, _ in cards))
    upright = box.h > box.w
    gap = sheet.u(4)
    across, down = (len(suits), len(RANKS)) if upright else (len(RANKS), len(suits))
    w = (box.w - gap * (across - 1)) // across
    h = (box.h - gap * (down - 1)) // down
    if not upright:
        h = min(h, int(w * _TALLEST_CELL))
    box = box.centred(w * across + gap * (across - 1), h * down + gap * (down - 1))
    for line, suit in enumerate(suits):
        for place, rank in enumerate(RANKS):
            column, row = (line, place) if upright else (place, line)
            cell = Box(box.x + column * (w + gap), box.y + row * (h + gap), w, h)
            card = next(c for c in ALL_CARDS if c.rank == rank and c.suit == suit)
            tap = taps.get(card)
            if tap is None:
                sheet.panel(cell, None, radius=sheet.u(5), edge=_HOLE, edge_px=sheet.u(1))
                continue
            sheet.touches.append(Touch(cell, tap))
            if tap.selected:
                sheet.panel(cell, SUN, radius=sheet.u(7))
                cell = cell.inset(sheet.u(5))
            sheet.pieces.append(Face(cell, card, sheet.language))


def _choices(sheet: Sheet, box: Box, taps: tuple[Tap, ...]) -> None:
    """Plain taps as large buttons: few columns when the labels are long, many when they are short."""
    if not taps:
        return
    gap, px = sheet.u(8), sheet.u(24)
    longest = max(sheet.measure(clean(tap.label), px, True) for tap in taps)
    least_w = min(max(longest + sheet.u(60), sheet.u(96)), box.w)
    columns, rows = spread(len(taps), box, least_w=least_w, least_h=sheet.u(48), gap=gap)
    h = min(box.h, rows * sheet.u(84) + (rows - 1) * gap)
    block = Box(box.x, box.y + (box.h - h) // 2, box.w, h)
    sheet.buttons(taps, block, px=px, least_w=(box.w - gap * (columns - 1)) // columns, least_h=sheet.u(40), gap=gap)


# --- tables of words ---------------------------------------------------------------------------------------------


def draw_grid(sheet: Sheet, box: Box, grid: Grid) -> None:
    """A table of words in *box*: as large as it fits; long cells are wrapped, then shortened; late rows are kept."""
    sheet.panel(box, STONE, radius=sheet.u(14))
    inner = box.inset(sheet.u(12), sheet.u(8))
    title, inner = inner.cut_top(sheet.u(36), sheet.u(4))
    sheet.line(grid.title, title, sheet.u(27), bold=True, least=0.55)
    inner = _notes(sheet, inner, grid.notes, rows=len(grid.rows) + 1)
    count = max([len(grid.head), *(len(row) for row in grid.rows)], default=0)
    if not count:
        return
    rows = [tuple(clean(c) for c in (*row, *[""] * (count - len(row)))) for row in (grid.head, *grid.rows)]
    has_head = any(rows[0])
    if not has_head:
        rows = rows[1:]
    for steps in (30, 27, 25, 23, 21, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10):
        px = sheet.u(steps)
        widths = _widths(sheet, rows, inner.w, px, has_head=has_head)
        cells, heights = _wrapped(sheet, rows, widths, px, most=3 if steps <= 21 else 1, has_head=has_head)
        whole = all(
            " ".join(cell) == text
            for row, line in zip(rows, cells, strict=True)
            for text, cell in zip(row, line, strict=True)
        )
        if sum(heights) <= inner.h and whole:
            break
    else:
        cells, heights = _wrapped(sheet, rows, widths, px, most=1, has_head=has_head)
    first = 1 if has_head else 0
    while sum(heights) > inner.h and len(heights) > first + 1:  # the oldest rows go: the last one is the news
        del cells[first], heights[first]
    _draw_rows(sheet, inner, cells, heights, widths, px, has_head=has_head)


def _notes(sheet: Sheet, box: Box, notes: tuple[str, ...], *, rows: int) -> Box:
    """Notes at the bottom of *box*, above which *rows* of words keep their room; returns the rest."""
    px = sheet.u(16)
    lines = [line for note in notes for line in sheet.lines(note, box.w, px, most=4)]
    room = max(int(box.h * 0.3), box.h - rows * line_height(sheet.u(21)))
    most = max(1, room // line_height(px))
    if len(lines) > most:
        lines = [*lines[: most - 1], "…"]
    if not lines:
        return box
    place, rest = box.cut_bottom(len(lines) * line_height(px), sheet.u(6))
    sheet.stack(lines, place, px, colour=MUTED)
    return rest


def _widths(sheet: Sheet, rows: list[tuple[str, ...]], width: int, px: int, *, has_head: bool) -> list[int]:
    """Widths of the columns: what each needs, and when that is too much, the widest give way first."""
    pad = px
    needs = [
        max(sheet.measure(row[i], px, has_head and r == 0) for r, row in enumerate(rows)) + pad
        for i in range(len(rows[0]))
    ]
    over = sum(needs) - width
    if over > 0:
        cap = max(needs)
        while cap > 1 and sum(min(need, cap) for need in needs) > width:
            cap -= 1
        return [min(need, cap) for need in needs]
    share = -over // len(needs)
    return [need + min(share, 5 * px) for need in needs]


def _wrapped(
    sheet: Sheet, rows: list[tuple[str, ...]], widths: list[int], px: int, *, most: int, has_head: bool
) -> tuple[list[list[list[str]]], list[int]]:
    """Each cell in lines, and the height of each row."""
    cells = [
        [
            sheet.lines(text, max(1, w - px), px, most=most, bold=has_head and r == 0)
            for text, w in zip(row, widths, strict=True)
        ]
        for r, row in enumerate(rows)
    ]
    heights = [max([1, *(len(cell) for cell in row)]) * line_height(px) + px // 5 for row in cells]
    return cells, heights


def _draw_rows(
    sheet: Sheet,
    box: Box,
    cells: list[list[list[str]]],
    heights: list[int],
    widths: list[int],
    px: int,
    *,
    has_head: bool,
) -> None:
    extra = min(max(0, box.h - sum(heights)) // max(1, len(heights)), px)
    for r, (row, h) in enumerate(zip(cells, heights, strict=True)):
        band, box = box.cut_top(h + extra)
        head = has_head and r == 0
        if r % 2:
            sheet.panel(Box(band.x, band.y, sum(widths), band.h), (52, 62, 72), radius=sheet.u(4))
        rest = band
        for i, (lines, w) in enumerate(zip(row, widths, strict=True)):
            cell, rest = rest.cut_left(w)
            left = i == 0 or not _numeric(cells, i, has_head)
            sheet.stack(
                lines,
                cell.inset(px // 2, 0),
                px,
                bold=head,
                colour=SUN if head else INK,
                align="left" if left else "right",
            )


def _numeric(cells: list[list[list[str]]], column: int, has_head: bool) -> bool:
    """Whether a column holds numbers: they stand at the right, unit under unit."""
    texts = [" ".join(row[column]) for row in cells[1 if has_head else 0 :]]
    return all(not text or (len(text) <= 8 and any(c.isdigit() for c in text)) for text in texts)
