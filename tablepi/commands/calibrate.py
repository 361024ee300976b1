"""``tablepi calibrate sheet``: the markers by which the camera finds the table, to print."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from ..errors import BadInput
from ..files import write_whole
from ..language import words


def sheet(file: Path, *, mat: bool, players: int, language: str, out: TextIO) -> int:
    """Draw the sheet with the four markers, or with *mat* the whole mat, for a table of *players*, into *file*: its
    ending says whether as SVG or as PDF. Returns the exit status. Raises BadInput when it cannot be written so."""
    from ..vision import sheet as draw

    say = words(language, ()).say
    page = draw.mat(players, say) if mat else draw.sheet(players, say)
    match file.suffix.lower():
        case ".svg":
            content = draw.svg(page).encode()
        case ".pdf":
            content = draw.pdf(page)
        case _:
            raise BadInput(f"-o {file}: name a file that ends in .svg or .pdf")
    write_whole(file, content, option="-o")
    print(
        f"{file}: {say('Print at actual size (100 %), not fitted to the paper: the ruler must measure 100 mm.')}",
        file=out,
    )
    return 0
