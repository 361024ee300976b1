"""What the drawings are made of that is not ours: fonts, court pictures, textures; fetched by name and version.

Everything comes from the package registries that ``npm`` and ``apt`` are set to, never into the repository. Licences:
fonts of ``@fontsource`` SIL OFL 1.1 or Apache 2.0 (each package says), DejaVu and FreeFont their own free licences,
Symbola free for any use; ``gnome-cards-data`` GPL (its court pictures are only looked at by the networks);
``gimp-data`` GPL.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

_LINES = [line for line in Path(__file__).with_name("fonts.txt").read_text().split("\n") if line and line[0] != "#"]
FONTS = [line.removeprefix("!") for line in _LINES]

HELD_OUT = {line[1:] for line in _LINES if line[0] == "!"}
"""Fonts of the held-out decks: on those the threshold is fixed and enrolment is measured; no training deck has them."""

WEIGHTS = (300, 400, 600, 700, 900)
DEBIAN = ("gnome-cards-data", "gimp-data", "fonts-symbola", "fonts-freefont-ttf",
          "fonts-dejavu-core")  # fmt: skip


def fetch(folder: Path) -> None:
    """Fetch every package into *folder*; what is there already stays. Needs npm, apt-get and dpkg."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "package.json").exists():
        (folder / "package.json").write_text(json.dumps({"private": True}))
        names = [f"@fontsource/{name}" for name in FONTS]
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *names], cwd=folder,
                       check=True)  # fmt: skip
    for name in DEBIAN:
        if not list(folder.glob(f"{name}_*.deb")):
            subprocess.run(["apt-get", "download", name], cwd=folder, check=True)
            subprocess.run(["dpkg", "-x", next(folder.glob(f"{name}_*.deb")).name, "debian"], cwd=folder, check=True)
    if not (folder / "courts").exists():
        _courts(folder, folder / "courts")


def fonts(folder: Path, *, held_out: bool) -> tuple[Path, ...]:
    """Font files (.woff2) that ranks are written in: those of the held-out decks, or all the others."""
    found = []
    for name in FONTS:
        if (name in HELD_OUT) == held_out:
            files = folder / "node_modules" / "@fontsource" / name / "files"
            found += [f for w in WEIGHTS if (f := files / f"{name}-latin-{w}-normal.woff2").exists()]
    return tuple(found)


def suit_fonts(folder: Path, *, held_out: bool) -> tuple[Path, ...]:
    """Font files that have the four suit signs."""
    names = {
        False: [
            "Symbola_hint",
            "FreeSerif",
            "FreeSans",
            "FreeMono",
            "DejaVuSans",
            "DejaVuSansMono",
            "FreeSerifBold",
            "FreeSansBold",
        ],
        True: ["DejaVuSerif", "DejaVuSans-Bold", "FreeMonoBold", "FreeSerifItalic"],
    }[held_out]
    known = {f.stem: f for f in (folder / "debian/usr/share/fonts").rglob("*.ttf")}
    known |= {f.stem: f for f in (folder / "debian/usr/share/fonts").rglob("*.otf")}
    return tuple(known[n] for n in names if n in known)


def courts(folder: Path, *, held_out: bool) -> list[list[NDArray[np.uint8]]]:
    """Court pictures, deck by deck: 12 pictures BGR, uint8, jack queen king of each suit in the order C D H S."""
    decks = sorted((folder / "courts").glob("*.png"))
    kept = [d for i, d in enumerate(decks) if (i % 5 == 2) == held_out]
    out = []
    for deck in kept:
        sheet = cv2.imread(str(deck))
        width = sheet.shape[1] // 12
        out.append([np.ascontiguousarray(sheet[:, i * width : (i + 1) * width]) for i in range(12)])
    return out


def textures(folder: Path) -> list[NDArray[np.uint8]]:
    """Pictures of wood, stone, cloth and paper, BGR uint8, from the patterns of gimp-data."""
    out = []
    for file in sorted((folder / "debian/usr/share/gimp/2.0/patterns").rglob("*")):
        try:
            image = _pattern(file) if file.suffix == ".pat" else np.asarray(Image.open(file).convert("RGB"))[..., ::-1]
        except (OSError, ValueError):
            continue
        if min(image.shape[:2]) >= 48:
            out.append(np.ascontiguousarray(image))
    return out


def _pattern(file: Path) -> NDArray[np.uint8]:
    """A GIMP pattern: a header of big-endian words (its size, version, width, height, bytes a pixel), then pixels."""
    raw = file.read_bytes()
    header, _, width, height, channels = np.frombuffer(raw[:20], ">u4")
    pixels = np.frombuffer(raw[header : header + width * height * channels], np.uint8).reshape(height, width, channels)
    return cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR) if channels in (1, 2) else pixels[..., 2::-1]


CARD = (240, 336)  # pixels of a court picture's whole card


def _courts(folder: Path, out: Path) -> None:
    """Cut the court pictures out of the vector decks: one sheet of twelve a deck."""
    building = out.with_name("courts.part")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir()
    # GNOME's decks: one drawing of 13 columns (ace to king) by 5 rows (clubs, diamonds, hearts, spades, rest).
    for svg in sorted((folder / "debian/usr/share/aisleriot/cards").glob("*.svgz")):
        sheet = _raster(gzip.decompress(svg.read_bytes()), 13 * CARD[0], 5 * CARD[1])
        if sheet is not None:
            cards = [_inside(sheet, row, column) for row in range(4) for column in (10, 11, 12)]
            cv2.imwrite(str(building / f"gnome-{svg.stem}.png"), np.hstack(cards))
    shutil.move(building, out)


def _raster(svg: bytes, width: int, height: int) -> NDArray[np.uint8] | None:
    made = subprocess.run(
        ["rsvg-convert", "-w", str(width), "-h", str(height), "-b", "white"],
        input=svg,
        capture_output=True,
        check=False,
    )
    if made.returncode:
        return None
    return cv2.imdecode(np.frombuffer(made.stdout, np.uint8), cv2.IMREAD_COLOR)


def _inside(sheet: NDArray[np.uint8], row: int, column: int) -> NDArray[np.uint8]:
    """The middle of a card, without its indices."""
    w, h = CARD
    x0, y0 = column * w + round(0.17 * w), row * h + round(0.06 * h)
    return sheet[y0 : y0 + round(0.88 * h), x0 : x0 + round(0.66 * w)]
