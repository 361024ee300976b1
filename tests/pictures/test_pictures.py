"""Whatever a person names: the frames that are in it, upright and with the file's own size, or one clear error."""

from __future__ import annotations

import base64
import os
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tablepi.errors import shown
from tablepi.pictures import PassedOver, Picture, Unreadable, picture, pictures, pictures_in
from tablepi.pictures import decoding as module
from tablepi.pictures.headers import HEAD, kind_of

from ..films import film as video

RED, GREEN, BLUE, WHITE = (0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255)

# 16 x 16 pixels of pure red, as printers write it: OpenCV cannot write such files.
CMYK = base64.b85decode(
    "|JeWT01iQ9Z(?NtWB>pF0095n07C!`2?`4e2n`Dg3l0tq4-+626A}^=CmbFZATB8}FfJ)AEHgSvJ~K8(H!LkcS3yQhPEu1+GCo>i"
    "T2Nq0QBqI;zyK5o01yBW1Va%3O%VWD5dcdO0RO}Q6#xMN00000000000000000007|HJ?k5CH%H0000000000000000095m01gC0"
    "08Ic{080P>KLDpD34)ve0095l"
)
# Two frames of 2 x 2 pixels: red, then blue.
GIF = bytes.fromhex(
    "47494638396102000200810000ff00000000ff00000000000021f904000a0000002c00000000020002000008060001080410"
    "100021f904010a0001002c0000000002000200810000ff0000000000000000000806000108041010003b"
)


def corners(height: int = 48, width: int = 64) -> np.ndarray:
    """A picture that shows how it is turned: red, green; blue, white."""
    drawn = np.zeros((height, width, 3), np.uint8)
    half, middle = height // 2, width // 2
    drawn[:half, :middle], drawn[:half, middle:], drawn[half:, :middle], drawn[half:, middle:] = RED, GREEN, BLUE, WHITE
    return drawn


def encoded(kind: str, drawn: np.ndarray | None = None, *options: int) -> bytes:
    return cv2.imencode(kind, corners() if drawn is None else drawn, options)[1].tobytes()


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def seen(found: Picture) -> list[list[tuple[int, ...]]]:
    """The colours of the four corners of a frame, as rows; each channel as 0 or 255."""
    height, width = found.frame.shape[:2]
    rows = ((height // 4, 3 * height // 4), (width // 4, 3 * width // 4))
    return [[tuple(255 * (int(c) > 127) for c in found.frame[y, x]) for x in rows[1]] for y in rows[0]]


UPRIGHT = [[RED, GREEN], [BLUE, WHITE]]


def why(*paths: Path | str) -> list[str]:
    """What went wrong with each of *paths*: all of it, and nothing else."""
    found = list(pictures(paths))
    assert all(isinstance(each, Unreadable) for each in found)
    return [each.why for each in found if isinstance(each, Unreadable)]


# --- kinds of pictures -----------------------------------------------------------------------------------------------

GREY = cv2.cvtColor(corners(), cv2.COLOR_BGR2GRAY)
ALPHA = np.dstack([corners(), np.full((48, 64), 7, np.uint8)])
KINDS: dict[str, Callable[[], bytes]] = {
    "plain.jpg": lambda: encoded(".jpg"),
    "progressive.jpg": lambda: encoded(".jpg", None, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "restarts.jpg": lambda: encoded(".jpg", None, cv2.IMWRITE_JPEG_RST_INTERVAL, 2),
    "plain.png": lambda: encoded(".png"),
    "alpha.png": lambda: encoded(".png", ALPHA),
    "alpha.webp": lambda: encoded(".webp", ALPHA),
    "deep.png": lambda: encoded(".png", corners().astype(np.uint16) * 257),
    "deep-alpha.png": lambda: encoded(".png", ALPHA.astype(np.uint16) * 257),
    "deep.tif": lambda: encoded(".tif", corners().astype(np.uint16) * 257),
    "plain.tif": lambda: encoded(".tif"),
    "plain.webp": lambda: encoded(".webp"),
    "lossless.webp": lambda: encoded(".webp", None, cv2.IMWRITE_WEBP_QUALITY, 101),
    "plain.bmp": lambda: encoded(".bmp"),
    "plain.ppm": lambda: encoded(".ppm"),
    "palette.png": lambda: palette(),
}


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, depth: int, colour: int, *chunks: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IEND", b"")


def palette() -> bytes:
    """64 x 48 pixels of 2 bits each, from a palette of four colours."""
    rows = [bytes([0]) + bytes([a] * 8 + [b] * 8) for a, b in [(0b00000000, 0b01010101)] * 24 + [(0xAA, 0xFF)] * 24]
    colours = chunk(b"PLTE", bytes([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]))
    return png(64, 48, 2, 3, colours, chunk(b"IDAT", zlib.compress(b"".join(rows))))


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_picture_is_three_channels_of_eight_bits(tmp_path, capfd, name):
    found = picture(write(tmp_path / name, KINDS[name]()))
    assert (found.file, found.width, found.height) == (str(tmp_path / name), 64, 48)
    assert (found.number, found.time) == (None, None)
    assert (found.frame.shape, found.frame.dtype, seen(found)) == ((48, 64, 3), np.uint8, UPRIGHT)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", [".jpg", ".png", ".pgm", ".tif", ".bmp", ".webp"])
def test_a_grey_picture_has_three_equal_channels(tmp_path, kind):
    found = picture(write(tmp_path / f"grey{kind}", encoded(kind, GREY)))
    assert found.frame.shape == (48, 64, 3)
    assert np.ptp(found.frame, axis=2).max() == 0
    assert abs(int(found.frame[10, 10, 0]) - int(GREY[10, 10])) < 4


def test_grey_with_transparency_is_grey(tmp_path):
    rows = b"".join(bytes([0]) + bytes([90, 128] * 4) for _ in range(3))
    found = picture(write(tmp_path / "x.png", png(4, 3, 8, 4, chunk(b"IDAT", zlib.compress(rows)))))
    assert found.frame.tolist() == [[[90, 90, 90]] * 4] * 3


def test_a_picture_made_for_printing(tmp_path):
    found = picture(write(tmp_path / "x.jpg", CMYK))
    assert seen(found) == [[RED, RED], [RED, RED]]


@pytest.mark.parametrize("kind", [".jpg", ".png", ".bmp", ".tif", ".webp", ".ppm"])
def test_a_picture_of_one_pixel(tmp_path, kind):
    found = picture(write(tmp_path / f"x{kind}", encoded(kind, np.full((1, 1, 3), 200, np.uint8))))
    assert (found.width, found.height, found.frame.shape) == (1, 1, (1, 1, 3))
    assert found.box((0, 0, 1, 1)) == (0, 0, 1, 1)


def test_the_content_counts_and_not_the_name(tmp_path):
    assert seen(picture(write(tmp_path / "photo", encoded(".png")))) == UPRIGHT
    assert seen(picture(write(tmp_path / "photo.gif", encoded(".jpg")))) == UPRIGHT


# --- animated --------------------------------------------------------------------------------------------------------


def animated(path: Path) -> Path:
    if path.suffix == ".gif":
        return write(path, GIF)
    animation = cv2.Animation()
    animation.frames = [corners(), 255 - corners(), corners()]
    animation.durations = [100, 100, 100]
    assert cv2.imwriteanimation(str(path), animation)
    return path


@pytest.mark.parametrize("kind", ["gif", "png", "webp"])
def test_an_animated_picture_is_its_first_frame(tmp_path, capfd, kind):
    (found,) = pictures([animated(tmp_path / f"x.{kind}")])
    assert isinstance(found, Picture)
    assert found.number is None
    assert seen(found) == ([[RED, RED], [RED, RED]] if kind == "gif" else UPRIGHT)
    assert capfd.readouterr() == ("", "")


# --- turned by EXIF --------------------------------------------------------------------------------------------------

# How the stored picture must be turned, said with numpy.
TURNED: dict[int, Callable[[np.ndarray], np.ndarray]] = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.swapaxes(0, 1),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: a.swapaxes(0, 1)[::-1, ::-1],
    8: lambda a: np.rot90(a, 1),
}


def exif(orientation: int, order: str = "<") -> bytes:
    mark = b"II*\0" if order == "<" else b"MM\0*"
    return mark + struct.pack(order + "IHHHIHHI", 8, 1, 274, 3, 1, orientation, 0, 0)


def with_exif(kind: str, tags: bytes, drawn: np.ndarray | None = None) -> bytes:
    content = encoded(f".{kind}", drawn)
    if kind == "jpg":
        block = b"Exif\0\0" + tags
        return content[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + content[2:]
    if kind == "png":
        return content[:33] + chunk(b"eXIf", tags) + content[33:]
    height, width = (corners() if drawn is None else drawn).shape[:2]
    head = bytes([8, 0, 0, 0]) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunks = b"VP8X" + struct.pack("<I", 10) + head + content[12:]
    chunks += b"EXIF" + struct.pack("<I", len(tags)) + tags + bytes(len(tags) % 2)
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def tiff(orientation: int) -> bytes:
    drawn = corners()[:, :, ::-1].tobytes()
    tags = [(256, 64), (257, 48), (258, 8), (259, 1), (262, 2), (273, 8), (274, orientation)]
    tags += [(277, 3), (278, 48), (279, len(drawn)), (284, 1)]
    entries = b"".join(struct.pack("<HHII", tag, 4 if value > 65535 else 3, 1, value) for tag, value in tags)
    return b"II*\0" + struct.pack("<I", 8 + len(drawn)) + drawn + struct.pack("<H", len(tags)) + entries + bytes(4)


@pytest.mark.parametrize("orientation", TURNED)
@pytest.mark.parametrize("kind", ["jpg", "png", "webp", "tif"])
def test_a_picture_is_given_as_people_see_it(tmp_path, capfd, kind, orientation):
    content = tiff(orientation) if kind == "tif" else with_exif(kind, exif(orientation, "<>"[orientation % 2]))
    found = picture(write(tmp_path / f"x.{kind}", content))
    upright = TURNED[orientation](corners())
    assert (found.height, found.width) == upright.shape[:2] == found.frame.shape[:2]
    assert seen(found) == seen(Picture("", upright, 1, 1))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("tags", [exif(0), exif(9), exif(6)[:12], b"", b"XX*\0" + bytes(20), b"II*\0\xff\xff\xff\xff"])
def test_a_turn_that_makes_no_sense_is_none(tmp_path, tags):
    assert seen(picture(write(tmp_path / "x.jpg", with_exif("jpg", tags)))) == UPRIGHT


# --- huge ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("most", "factor"), [(64 * 48, 1), (64 * 48 - 1, 2), (800, 2), (767, 4), (100, 8), (1, 8)])
@pytest.mark.parametrize("kind", ["jpg", "png"])
def test_a_picture_over_the_bound_is_read_smaller_and_its_boxes_are_the_files(
    tmp_path, monkeypatch, kind, most, factor
):
    monkeypatch.setattr(module, "MOST_PIXELS_KEPT", most)
    found = picture(write(tmp_path / f"x.{kind}", with_exif(kind, exif(6))))
    assert (found.width, found.height) == (48, 64)
    assert found.frame.shape == (64 // factor, 48 // factor, 3)
    assert seen(found) == [[BLUE, RED], [WHITE, GREEN]]
    assert found.box((0, 1, 3, 4)) == (0, factor, 3 * factor, 4 * factor)


def test_a_box_loses_nothing_and_stays_within_the_file():
    found = Picture("", np.zeros((25, 33, 3), np.uint8), 131, 99)
    assert found.box((0, 0, 33, 25)) == (0, 0, 131, 99)
    assert found.box((1, 1, 2, 2)) == (3, 3, 8, 8)
    assert found.box((-3, -1, 40, 30)) == (0, 0, 131, 99)


@pytest.mark.parametrize("kind", [".jpg", ".png"])
def test_a_picture_that_is_long_and_one_pixel_thin(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(module, "MOST_PIXELS_KEPT", 10)
    found = picture(write(tmp_path / f"x{kind}", encoded(kind, np.full((1, 900, 3), 200, np.uint8))))
    assert (found.width, found.height) == (900, 1)
    assert found.frame.shape[0] == 1
    assert found.frame.shape[1] in (112, 113)


def test_a_hundred_megapixels_cost_less_memory_than_they_have_pixels(tmp_path):
    huge = tmp_path / "huge.jpg"
    assert cv2.imwrite(str(huge), np.full((10_000, 10_000), 140, np.uint8))
    program = (
        "import resource, sys; from tablepi.pictures import picture\n"
        "def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
        "before = most(); found = picture(sys.argv[1])\n"
        "print(found.width, found.height, *found.frame.shape, most() - before)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(huge)], capture_output=True, text=True, check=True)
    *size, grown = map(int, done.stdout.split())
    assert size == [10_000, 10_000, 5_000, 5_000, 3]
    assert grown < 120  # MB; the picture at full size would be 300


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.png", png(100_000, 100_000, 8, 2, chunk(b"IDAT", b""))),
        ("x.gif", GIF[:6] + b"\xff\xff\xff\xff" + GIF[10:]),
        ("x.bmp", b"BM" + bytes(12) + struct.pack("<Iii", 40, 60_000, -60_000) + bytes(40)),
        ("x.ppm", b"P6 # made by hand\n99999 99999\n255\n" + bytes(100)),
        ("x.tif", tiff(1).replace(struct.pack("<HHII", 256, 3, 1, 64), struct.pack("<HHII", 256, 4, 1, 1 << 28))),
        ("x.webp", with_exif("webp", exif(1)).replace(b"\x3f\0\0\x2f\0\0", b"\xff\x3f\0\xff\x3f\0", 1)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_picture_that_claims_to_be_larger_than_memory_is_not_decoded(tmp_path, name, content):
    (told,) = why(write(tmp_path / name, content))
    assert told.startswith("is too large: ")
    assert told.endswith(" megapixels, and 120 can be read: make it smaller")


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".tif"])
def test_a_file_of_a_terabyte_is_told_at_once(tmp_path, kind):
    path = write(tmp_path / f"x{kind}", encoded(kind)[:-9])
    os.truncate(path, 1 << 40)
    assert why(path) == ["is too large: 1099.5 GB, and no picture that can be read has more than 1"]


# --- what cannot be read ---------------------------------------------------------------------------------------------

CUT = "is cut off: the end of the picture is missing; copy it again"
NONE = "is no picture and no video: what can be read are JPEG, PNG, WebP, GIF, TIFF, BMP or PNM pictures, and videos"


def test_a_jpeg_without_its_end_is_an_error_even_when_only_the_end_marker_is_missing(tmp_path, capfd):
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    for options in ((), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (cv2.IMWRITE_JPEG_RST_INTERVAL, 4)):
        whole = encoded(".jpg", noise, *options)
        assert isinstance(picture(write(tmp_path / "x.jpg", whole + b"what a telephone adds")), Picture)
        for length in (len(whole) // 2, len(whole) * 9 // 10, len(whole) - 2, len(whole) - 1):
            assert why(write(tmp_path / "x.jpg", whole[:length])) == [CUT]
    assert capfd.readouterr() == ("", "")


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_picture(tmp_path):
    thumbnail = encoded(".jpg", np.zeros((8, 8, 3), np.uint8))
    assert thumbnail.endswith(b"\xff\xd9")
    whole = with_exif("jpg", exif(1) + thumbnail, np.random.default_rng(1).integers(0, 255, (99, 99, 3), np.uint8))
    assert isinstance(picture(write(tmp_path / "x.jpg", whole)), Picture)
    assert why(write(tmp_path / "x.jpg", whole[: len(whole) * 2 // 3])) == [CUT]


@pytest.mark.parametrize("kind", [".png", ".webp"])
def test_a_cut_png_or_webp_is_an_error(tmp_path, capfd, kind):
    whole = encoded(kind)
    for length in (len(whole) * 2 // 3, len(whole) - 1):
        assert why(write(tmp_path / f"x{kind}", whole[:length])) == [CUT]
    assert capfd.readouterr() == ("", "")


def test_a_picture_for_which_room_was_made_that_was_never_filled(tmp_path):
    room = 1 << 29
    for name, begun in {
        "x.png": encoded(".png")[:33],
        "x.webp": b"RIFF" + struct.pack("<I", room - 8) + encoded(".webp")[8:],
    }.items():
        os.truncate(write(tmp_path / name, begun), room)
        assert why(tmp_path / name) == [CUT]


def test_a_cut_animation_is_an_error_although_its_first_frame_is_there(tmp_path, capfd):
    for kind in ("gif", "png", "webp"):
        path = animated(tmp_path / f"x.{kind}")
        assert why(write(path, path.read_bytes()[:-8])) == [CUT]
    assert capfd.readouterr() == ("", "")


WHOLE = {**{name: make() for name, make in KINDS.items()}, "x.gif": GIF, "cmyk.jpg": CMYK, "turned.tif": tiff(6)}


@pytest.mark.parametrize("name", WHOLE)
def test_a_picture_cut_anywhere_is_one_error_and_nothing_else_is_said(tmp_path, capfd, name):
    whole = WHOLE[name]
    whole = whole[:-4] if name == "turned.tif" else whole  # which say that no second page follows
    lengths = sorted({*random.Random(name).sample(range(1, len(whole)), 12), 4, 9, 26, len(whole) - 1})
    kept = [length for length in lengths if not why_one(write(tmp_path / name, whole[:length]))]
    assert kept == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", WHOLE)
def test_a_picture_damaged_anywhere_is_read_or_is_one_error(tmp_path, capfd, name):
    chance = random.Random(name)
    for _ in range(12):
        bad = bytearray(WHOLE[name])
        for _ in range(3):
            bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        why_one(write(tmp_path / name, bytes(bad)))
    assert capfd.readouterr() == ("", "")


def why_one(path: Path) -> str | None:
    (found,) = pictures([path])
    return found.why if isinstance(found, Unreadable) else None


def test_files_that_are_no_pictures(tmp_path):
    text = write(tmp_path / "text.jpg", b"hello, world\n" * 100)
    assert why(text) == [NONE]
    assert why(write(tmp_path / "empty.jpg", b"")) == ["is empty"]
    assert why(write(tmp_path / "x.heic", bytes(4) + b"ftypheic" + bytes(99))) == [
        "is in HEIC, which is not read here: save it as JPEG"
    ]
    assert why(tmp_path / "none.jpg", "", text / "x.jpg", tmp_path / ("a" * 300)) == [
        "there is no such file",
        "there is no such file",
        "cannot be read: Not a directory",
        "cannot be read: File name too long",
    ]
    os.mkfifo(tmp_path / "pipe.jpg")
    assert why(tmp_path / "pipe.jpg", "/dev/null") == ["is not a file: name a picture, a video or a folder"] * 2
    (tmp_path / "round.jpg").symlink_to(tmp_path / "round.jpg")
    assert why(tmp_path / "round.jpg") == ["cannot be read: Too many levels of symbolic links"]


def test_a_file_whose_bytes_the_system_refuses():
    assert why("/proc/self/mem") == ["cannot be read: Input/output error"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the system refuses root nothing")
def test_a_file_and_a_folder_that_may_not_be_read(tmp_path):
    write(tmp_path / "x.jpg", encoded(".jpg")).chmod(0)
    (tmp_path / "folder").mkdir(0)
    assert why(tmp_path / "x.jpg", tmp_path / "folder") == ["cannot be read: Permission denied"] * 2


def test_the_others_go_on_and_keep_their_order(tmp_path):
    bad, good = write(tmp_path / "bad.jpg", b"no"), write(tmp_path / "good.png", encoded(".png"))
    found = list(pictures([good, bad, tmp_path / "none", good]))
    assert [type(each).__name__ for each in found] == ["Picture", "Unreadable", "Unreadable", "Picture"]
    assert [each.file for each in found if not isinstance(each, PassedOver)] == [
        str(path) for path in (good, bad, tmp_path / "none", good)
    ]


def test_one_picture_raises_what_is_wrong_with_it(tmp_path):
    with pytest.raises(Unreadable, match=r"none\.jpg: there is no such file$"):
        picture(tmp_path / "none.jpg")


def test_standard_error_is_whole_again_after_a_bad_picture(tmp_path, capfd):
    why(write(tmp_path / "x.png", encoded(".png")[:90]), write(tmp_path / "x.bmp", encoded(".bmp")[:900]))
    os.write(2, b"still here\n")
    assert capfd.readouterr() == ("", "still here\n")


# --- folders and names -----------------------------------------------------------------------------------------------


def given(*paths: Path | str, leave_out: Path | None = None) -> list[Any]:
    """The names of the files that were read, with errors and counts in their places."""
    return [
        each if isinstance(each, PassedOver) else str(each) if isinstance(each, Unreadable) else each.file
        for each in pictures(paths, leave_out=leave_out)
    ]


def test_a_folder_is_read_by_name_and_what_is_no_picture_is_counted(tmp_path):
    (tmp_path / "b").mkdir()
    for name in ("c.png", "b/2.png", "b/1.PNG", "a", ".hidden.png"):
        write(tmp_path / name, encoded(".png"))
    for name in ("notes.txt", "b/script.ts", "empty"):
        write(tmp_path / name, b"" if name == "empty" else b"words")
    os.mkfifo(tmp_path / "pipe")
    wrong = write(tmp_path / "wrong.jpg", b"words")
    assert given(tmp_path) == [
        *(str(tmp_path / name) for name in ("a", "b/1.PNG", "b/2.png", "c.png")),
        f"{wrong}: {NONE}",
        PassedOver(str(tmp_path), 5),
    ]


def test_numbers_in_names_are_put_in_order_by_their_value(tmp_path):
    in_order = ["02.png", "2.png", "2b.png", "10.png", "A1.png", "a1.png", "a2.png", "٣1.png"]
    for name in sorted(in_order):
        write(tmp_path / name, encoded(".png"))
    assert given(tmp_path) == pictures_in(tmp_path) == [str(tmp_path / name) for name in in_order]


def test_a_folder_with_no_picture_is_an_error(tmp_path):
    assert why(tmp_path) == ["no picture or video in this folder"]
    write(tmp_path / "notes.txt", b"words")
    assert why(tmp_path) == ["no picture or video in this folder (1 other file)"]


def test_links_that_lead_in_a_circle_end(tmp_path):
    (tmp_path / "in").mkdir()
    write(tmp_path / "in" / "x.png", encoded(".png"))
    (tmp_path / "in" / "out").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "in")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "gone.jpg").symlink_to(tmp_path / "none")
    assert given(tmp_path) == [
        str(tmp_path / "again" / "x.png"),
        f"{tmp_path / 'gone.jpg'}: there is no such file",
        PassedOver(str(tmp_path), 1),
    ]


def test_a_folder_that_is_left_out_is_not_entered_but_may_be_named(tmp_path):
    (tmp_path / "copies").mkdir()
    one, two = write(tmp_path / "x.png", encoded(".png")), write(tmp_path / "copies" / "x.png", encoded(".png"))
    assert given(tmp_path) == [str(two), str(one)]
    assert given(tmp_path, leave_out=tmp_path / "copies") == [str(one)]
    assert given(tmp_path / "copies", leave_out=tmp_path / "copies") == [str(two)]


NAMES = ["with space.png", "Dona d'Água ♠.png", "two\nlines.png", "%03d.png", "http:x.png", "-.png", "a:b.png"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_every_sort(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    write(Path(name), encoded(".png"))
    assert given(name, tmp_path, Path()) == [name, str(tmp_path / name), name]


def test_a_name_that_is_no_text(tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.png")
    write(Path(name), encoded(".png"))
    assert given(tmp_path) == [name]


def test_a_name_is_shown_on_one_line():
    assert shown("two\nlines\x1b[1m ♠.png") == "two\\nlines\\x1b[1m ♠.png"
    assert shown("\udcff") == "\\udcff"
    assert shown("") == "''"


def test_a_file_named_twice_is_given_twice(tmp_path):
    path = write(tmp_path / "x.png", encoded(".png"))
    assert given(path, path, tmp_path) == [str(path)] * 3


# --- videos ----------------------------------------------------------------------------------------------------------


def bar(found: Picture) -> int:
    """Which frame of `video` this is, by its bar."""
    return int((found.frame[4:12].mean(axis=(0, 2)) > 160).sum()) - 1


def frames(found: list[Any]) -> list[tuple[int | None, float | None, int]]:
    return [(each.number, each.time, bar(each)) for each in found if isinstance(each, Picture)]


@pytest.mark.parametrize("kind", ["avi", "mp4", "mkv"])
def test_a_video_is_its_frames_with_number_and_time(tmp_path, capfd, kind):
    found = list(pictures([video(tmp_path / f"x.{kind}")]))
    assert all(abs(shows - number) <= 1 for number, _, shows in frames(found))
    assert [(n, t) for n, t, _ in frames(found)] == [(n, pytest.approx(n / 10)) for n in range(30)]
    assert len(found) == 30
    assert {(each.width, each.height, each.frame.shape) for each in found} == {(64, 48, (48, 64, 3))}
    assert capfd.readouterr() == ("", "")


def test_a_frame_in_so_many_or_in_so_much_time(tmp_path):
    path = video(tmp_path / "x.avi")
    assert [each.number for each in pictures([path], frames=7)] == [0, 7, 14, 21, 28]
    assert [each.number for each in pictures([path], seconds=0.5)] == [0, 5, 10, 15, 20, 25]
    assert [each.number for each in pictures([path], seconds=0.01)] == list(range(30))
    assert [each.number for each in pictures([path], seconds=60)] == [0]
    assert picture(path).number == 0


@pytest.mark.parametrize("kind", ["avi", "mkv"])
def test_of_a_video_that_is_cut_off_the_frames_are_given_and_then_one_error(tmp_path, capfd, kind):
    path = video(tmp_path / f"x.{kind}")
    whole = path.read_bytes()
    *read, last = pictures([write(path, whole[: len(whole) * 6 // 10])])
    assert 8 < len(read) < 24
    assert [number for number, _, _ in frames(read)] == list(range(len(read)))
    assert isinstance(last, Unreadable)
    assert last.why == (
        f"is cut off: its last {len(whole) - len(whole) * 6 // 10} bytes are missing; {len(read)} frames could be read"
    )
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["avi", "mkv", "mp4"])
def test_of_a_video_whose_tail_is_overwritten_likewise(tmp_path, capfd, kind):
    path = video(tmp_path / f"x.{kind}")
    whole = path.read_bytes()
    begin = len(whole) // 2
    end = whole.rindex(b"moov") - 4 if kind == "mp4" else len(whole)
    *read, last = pictures([write(path, whole[:begin] + bytes(end - begin) + whole[end:])])
    assert 5 < len(read) < 24
    assert isinstance(last, Unreadable)
    assert last.why.startswith(f"is damaged or cut off: {len(read)} frames could be read, ")
    assert last.why.endswith(" of 3.0 s")
    assert capfd.readouterr() == ("", "")


def test_a_video_whose_index_is_lost_has_no_frame(tmp_path, capfd):
    path = video(tmp_path / "x.mp4")
    whole = path.read_bytes()
    (told,) = why(write(path, whole[: len(whole) // 2]))
    assert told.startswith("is cut off: its last ")
    assert told.endswith(" bytes are missing; no frame could be read")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("content", [b"\x1aE\xdf\xa3", b"OggS" + bytes(99), b"RIFF\xff\0\0\0AVI ", b"\0\0\x01\xba"])
def test_a_video_without_a_frame(tmp_path, capfd, content):
    (told,) = why(write(tmp_path / "x.mkv", content))
    assert "no frame" in told
    assert capfd.readouterr() == ("", "")


def test_a_video_that_was_trimmed_without_being_written_anew_is_whole(tmp_path):
    """Telephones trim so: all frames stay in the file, and the movie is said to be shorter."""
    path = video(tmp_path / "x.mp4")
    whole = bytearray(path.read_bytes())
    at = whole.index(b"elst") + 4
    count, old = struct.unpack_from(">II", whole, at + 4)
    assert count == 1
    scale, lasts = struct.unpack_from(">II", whole, whole.index(b"mvhd") + 16)
    assert old == lasts
    struct.pack_into(">I", whole, at + 8, lasts // 3)
    struct.pack_into(">I", whole, whole.index(b"mvhd") + 20, lasts // 3)
    found = list(pictures([write(path, bytes(whole))]))
    assert 0 < len(found) < 30
    assert frames(found) == [(n, pytest.approx(n / 10), n) for n in range(len(found))]
    assert scale > 0


def test_frames_of_a_video_are_held_to_the_bound_too(tmp_path, monkeypatch):
    path = video(tmp_path / "x.avi", 2)
    monkeypatch.setattr(module, "MOST_PIXELS_KEPT", 1000)
    assert [(each.width, each.height, each.frame.shape) for each in pictures([path])] == [(64, 48, (24, 32, 3))] * 2
    monkeypatch.setattr(module, "MOST_PIXELS_DECODED", 1000)
    (told,) = why(path)
    assert told.startswith("is too large: ")


def test_a_video_is_read_only_as_far_as_someone_looks_and_then_let_go(tmp_path):
    stream = pictures([video(tmp_path / "x.avi", 400)])
    before = open_files()
    assert [next(stream).number for _ in range(3)] == [0, 1, 2]
    stream.close()
    assert open_files() == before


def open_files() -> set[str]:
    return {str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()} - {"/proc/self/fd"}


# --- what a file is --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"P6 4 4 255\n", "pnm"),
        (b"P6 is a name\n", None),
        (b"BMW makes cars, and this is a text about them", None),
        (b"RIFF\0\0\0\0WAVE", None),
        (b"".join(b"G" + bytes(187) for _ in range(3)), "video"),
        (b"GGG" + b"x" * 500, None),
        (bytes(4) + b"ftypisom", "mp4"),
        (bytes(4) + b"ftypavif", "AVIF"),
        (b"", None),
    ],
)
def test_what_a_file_is_by_how_it_begins(head, kind):
    assert kind_of(head[:HEAD]) == kind
