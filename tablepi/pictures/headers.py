"""What a picture's or a video's own headers say, read with the standard library alone.

OpenCV decodes; it does not say how large a picture is before it has decoded it, it shows a JPEG without its lower half
as if it were whole, and which kinds it turns upright depends on its version. All three are asked here instead.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import BinaryIO

HEAD = 512
"""How many bytes of a file tell what it is."""

PICTURES = ("jpeg", "png", "gif", "webp", "bmp", "tiff", "pnm")
VIDEOS = ("mp4", "avi", "matroska", "video")

_SIGNATURES = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"II+\0", "tiff"),
    (b"MM\0+", "tiff"),
    (b"\x1aE\xdf\xa3", "matroska"),
    (b"FLV\x01", "video"),
    (b"0&\xb2u\x8ef\xcf\x11", "video"),  # Windows Media
    (b"OggS", "video"),
    (b"\0\0\x01\xba", "video"),  # MPEG
    (b"\0\0\x01\xb3", "video"),
    (b"YUV4MPEG2 ", "video"),
    (b"\0\0\0\x0cjP  ", "JPEG 2000"),
)
_QUICKTIME = (b"moov", b"mdat", b"wide", b"free", b"skip")
_HEIC = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_SEGMENTS_IN_A_SCAN = (0xC4, 0xDA, 0xDB, 0xDD, 0xDC, *range(0xE0, 0xF0), 0xFE)
_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
_CHUNK = 1 << 20


class Damaged(ValueError):
    """Error raised when the headers cannot be followed: the file is cut off or is not what it begins as."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a picture says of itself. ``width`` and ``height`` are as stored, before it is turned upright;
    ``orientation`` is EXIF's, 1..8; ``whole`` tells whether the end of the picture is there; ``in_rows`` whether it
    can be decoded at a reduced size without being held in memory at full size in any form."""

    width: int
    height: int
    orientation: int = 1
    whole: bool = True
    in_rows: bool = False


@dataclass(frozen=True, slots=True)
class Length:
    """How long a video says it is: bytes that are missing at its end, and seconds, None where it does not say."""

    missing: int = 0
    seconds: float | None = None


def kind_of(head: bytes) -> str | None:
    """What a file that begins with *head* (``HEAD`` bytes of it) is: one of ``PICTURES`` or ``VIDEOS``, another name
    for a known kind that cannot be read, or None."""
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    if head[:4] == b"RIFF":
        return {b"WEBP": "webp", b"AVI ": "avi"}.get(head[8:12])
    if head[4:8] == b"ftyp":
        return "HEIC" if head[8:12] in _HEIC else "AVIF" if head[8:12] in (b"avif", b"avis") else "mp4"
    if head[4:8] in _QUICKTIME:
        return "mp4"
    if head[:2] == b"BM" and len(head) >= 26 and head[6:10] == bytes(4):
        return "bmp"
    if re.match(rb"P[1-6]\s+[\d#]", head):
        return "pnm"
    for first, step in ((0, 188), (4, 192)):  # an MPEG transport stream, plain and as cameras write it
        if head[first : first + 2 * step + 1 : step] == b"GGG":
            return "video"
    return None


def picture_header(file: BinaryIO, kind: str) -> Header:
    """The header of a picture of *kind* (one of ``PICTURES``). Raises Damaged; OSError when the file cannot be read."""
    readers = {"jpeg": _jpeg, "png": _png, "gif": _gif, "webp": _webp, "bmp": _bmp, "tiff": _tiff, "pnm": _pnm}
    file.seek(0)
    try:
        header = readers[kind](file)
    except (struct.error, IndexError) as error:
        raise Damaged(str(error)) from None
    if header.width < 1 or header.height < 1:
        raise Damaged("no size")
    return header


def video_length(file: BinaryIO, kind: str) -> Length:
    """How long a video of *kind* (one of ``VIDEOS``) says it is; an empty Length where it does not say.
    Raises OSError when the file cannot be read."""
    size = file.seek(0, 2)
    file.seek(0)
    readers = {"mp4": _mp4, "avi": _avi, "matroska": _matroska}
    try:
        return readers[kind](file, size) if kind in readers else Length()
    except (struct.error, IndexError):
        return Length()


def _take(file: BinaryIO, count: int) -> bytes:
    taken = file.read(count)
    if len(taken) < count:
        raise Damaged("cut off")
    return taken


# --- pictures --------------------------------------------------------------------------------------------------------


def _jpeg(file: BinaryIO) -> Header:
    _take(file, 2)
    width = height = 0
    orientation, in_rows = 1, True
    while True:
        marker = _take(file, 2)
        while marker == b"\xff\xff":  # fill
            marker = b"\xff" + _take(file, 1)
        if marker[0] != 0xFF or marker[1] == 0xD9:
            raise Damaged("no picture")
        length = struct.unpack(">H", _take(file, 2))[0] - 2
        segment = _take(file, max(length, 0))
        if marker[1] == 0xE1 and segment[:6] == b"Exif\0\0":
            orientation = _orientation(segment[6:])
        elif 0xC0 <= marker[1] <= 0xCF and marker[1] not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", segment[1:5])
            in_rows = marker[1] in (0xC0, 0xC1)  # the others keep the whole picture's coefficients
        elif marker[1] == 0xDA:
            return Header(width, height, orientation, whole=_reaches_end_of_image(file), in_rows=in_rows)


def _reaches_end_of_image(file: BinaryIO) -> bool:
    """Whether a JPEG, read up to its first scan, has an end marker. A thumbnail's own end lies in a segment that is
    stepped over."""
    kept = b""
    while chunk := file.read(_CHUNK):
        chunk = kept + chunk
        start = file.tell() - len(chunk)
        kept = chunk[-1:]
        for found in _MARKER.finditer(chunk):
            if chunk[found.end() - 1] == 0xD9:
                return True
            if chunk[found.end() - 1] in _SEGMENTS_IN_A_SCAN:
                file.seek(start + found.end())
                length = file.read(2)
                if len(length) == 2:
                    file.seek(int.from_bytes(length) - 2, 1)
                kept = b""
                break
    return False


def _orientation(tiff: bytes) -> int:
    """EXIF's orientation in a block of tags; 1 where it has none that makes sense."""
    try:
        order = {b"II": "<", b"MM": ">"}[tiff[:2]]
        at = struct.unpack_from(order + "I", tiff, 4)[0]
        count = struct.unpack_from(order + "H", tiff, at)[0]
        for place in range(at + 2, at + 2 + 12 * count, 12):
            tag, form = struct.unpack_from(order + "HH", tiff, place)
            if (tag, form) == (274, 3):
                told: int = struct.unpack_from(order + "H", tiff, place + 8)[0]
                return told if 1 <= told <= 8 else 1
    except (struct.error, KeyError):
        pass
    return 1


def _png(file: BinaryIO) -> Header:
    size = file.seek(0, 2)
    at, width, height, orientation = 8, 0, 0, 1
    while at + 12 <= size:
        file.seek(at)
        length, name = struct.unpack(">I4s", _take(file, 8))
        if not name.isalpha():  # the rest was never written
            break
        if name == b"IHDR":
            width, height = struct.unpack(">II", _take(file, 8))
        elif name == b"eXIf" and length <= _CHUNK:
            orientation = _orientation(_take(file, length))
        elif name == b"IEND":
            return Header(width, height, orientation)
        elif not width:
            raise Damaged("no header")
        at += 12 + length
    return Header(width, height, orientation, whole=False)


def _gif(file: BinaryIO) -> Header:
    width, height, flags = struct.unpack("<6xHHB2x", _take(file, 13))
    try:
        _colours(file, flags)
        while (block := _take(file, 1)) != b";":
            if block == b"!":
                _take(file, 1)
            elif block == b",":
                _colours(file, _take(file, 9)[8])
                _take(file, 1)
            else:
                raise Damaged("no block")
            while length := _take(file, 1)[0]:
                _take(file, length)
    except Damaged:
        return Header(width, height, whole=False)
    return Header(width, height)


def _colours(file: BinaryIO, flags: int) -> None:
    if flags & 0x80:
        _take(file, 3 << ((flags & 7) + 1))


def _webp(file: BinaryIO) -> Header:
    size = file.seek(0, 2)
    file.seek(4)
    end = 8 + struct.unpack("<I", _take(file, 4))[0]
    at, width, height, orientation = 12, 0, 0, 1
    while at + 8 <= min(end, size):
        file.seek(at)
        name, length = struct.unpack("<4sI", _take(file, 8))
        if not name[:1].isalpha():  # the rest was never written
            return Header(width, height, orientation, whole=False)
        if name == b"EXIF" and length <= _CHUNK:
            orientation = _orientation(_take(file, length).removeprefix(b"Exif\0\0"))
        elif not width:
            width, height = _webp_size(name, _take(file, 10))
        at += 8 + length + length % 2
    return Header(width, height, orientation, whole=end <= size)


def _webp_size(name: bytes, head: bytes) -> tuple[int, int]:
    if name == b"VP8X":
        return int.from_bytes(head[4:7], "little") + 1, int.from_bytes(head[7:10], "little") + 1
    if name == b"VP8L":
        bits = int.from_bytes(head[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack("<HH", head[6:10])
    return width & 0x3FFF, height & 0x3FFF


def _bmp(file: BinaryIO) -> Header:
    head = _take(file, 26)
    if struct.unpack_from("<I", head, 14)[0] == 12:
        return Header(*struct.unpack_from("<HH", head, 18))
    width, height = struct.unpack_from("<ii", head, 18)
    return Header(width, abs(height))  # a negative height is stored from the top


def _tiff(file: BinaryIO) -> Header:
    head = _take(file, 16)
    order = "<" if head[:2] == b"II" else ">"
    big = struct.unpack_from(order + "H", head, 2)[0] == 43
    at: int = struct.unpack_from(order + ("8xQ" if big else "4xI"), head)[0]
    file.seek(at)
    count: int = struct.unpack(order + ("Q" if big else "H"), _take(file, 8 if big else 2))[0]
    told: dict[int, int] = {}
    for _ in range(min(count, 4096)):
        entry = _take(file, 20 if big else 12)
        tag, form = struct.unpack_from(order + "HH", entry)
        if form in (3, 4):
            told[tag] = struct.unpack_from(order + ("H" if form == 3 else "I"), entry, 12 if big else 8)[0]
    return Header(told.get(256, 0), told.get(257, 0), told.get(274, 1))


def _pnm(file: BinaryIO) -> Header:
    head = re.sub(rb"#[^\r\n]*", b" ", file.read(_CHUNK))
    told = re.match(rb"P[1-6]\s+(\d{1,9})\s+(\d{1,9})\s", head)
    if told is None:
        raise Damaged("no size")
    return Header(int(told[1]), int(told[2]))


# --- videos ----------------------------------------------------------------------------------------------------------


def _mp4(file: BinaryIO, size: int) -> Length:
    at, seconds = 0, None
    while at + 8 <= size:
        length, name, head = _box(file, at)
        if length == 0:  # up to the end
            break
        if length < head or not all(0x20 <= letter < 0x7F or letter == 0xA9 for letter in name):
            return Length(seconds=seconds)  # what follows is no part of it
        if name == b"moov":
            seconds = _movie_seconds(file, at + head, min(at + length, size))
        at += length
    return Length(max(0, at - size), seconds)


def _box(file: BinaryIO, at: int) -> tuple[int, bytes, int]:
    """A box of an MP4 file: its length, its name, and the length of its own head."""
    file.seek(at)
    length, name = struct.unpack(">I4s", file.read(8))
    if length == 1:
        return struct.unpack(">Q", file.read(8))[0], name, 16
    return length, name, 8


def _movie_seconds(file: BinaryIO, at: int, end: int) -> float | None:
    while at + 8 <= end:
        length, name, head = _box(file, at)
        if name == b"mvhd":
            told = file.read(32)
            scale, lasts = struct.unpack_from(">IQ" if told[0] else ">II", told, 20 if told[0] else 12)
            return lasts / scale if scale and lasts else None
        if length < head:
            break
        at += length
    return None


def _avi(file: BinaryIO, size: int) -> Length:
    at = end = 0
    while at + 12 <= size:
        file.seek(at)
        name, length = struct.unpack("<4sI", file.read(8))
        if name != b"RIFF" or length in (0, 0xFFFFFFFF):  # the latter: never closed by who wrote it
            break
        end = at + 8 + length
        at = end + length % 2
    return Length(max(0, end - size))


def _matroska(file: BinaryIO, size: int) -> Length:
    file.seek(4)
    length, _ = _number(file)
    file.seek(length, 1)
    if file.read(4) != b"\x18S\x80g":  # the segment, which holds all the rest
        return Length()
    length, unknown = _number(file)
    return Length() if unknown else Length(max(0, file.tell() + length - size))


def _number(file: BinaryIO) -> tuple[int, bool]:
    """A number of Matroska's, and whether it says that the number is not known."""
    first = file.read(1)[0]
    more = 8 - first.bit_length()
    if more > 7:
        raise IndexError("no number")
    told = int.from_bytes(bytes([first]) + file.read(more))
    bits = 7 * (more + 1)
    told &= (1 << bits) - 1
    return told, told == (1 << bits) - 1
