"""Films and folders: every frame, in order, by the recording's own time."""

from __future__ import annotations

import itertools
import os
import struct
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablepi.devices.camera import EndOfFilm
from tablepi.devices.films import FilmSource, FolderSource, InItsOwnTime
from tablepi.errors import BadInput

from ..films import film

RED, GREEN, BLUE, WHITE = (0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255)
NONE = "is no picture and no video: what can be read are JPEG, PNG, WebP, GIF, TIFF, BMP or PNM pictures, and videos"


def bar(image):
    """Which frame of `film` this is, by its bar."""
    return int((image[4:12].mean(axis=(0, 2)) > 160).sum()) - 1


def played(source):
    """All frames of *source*."""
    frames = []
    with source as opened, pytest.raises(EndOfFilm, match=f"^{source.name}$"):
        frames.extend(iter(opened.grab, None))
    return frames


def plain(colour, width=8, height=6):
    return np.full((height, width, 3), colour, np.uint8)


def write(path, image, *options):
    path.write_bytes(cv2.imencode(path.suffix, image, options)[1].tobytes())
    return path


def colours(frames):
    return [tuple(255 * (int(c) > 127) for c in frame.image[0, 0]) for frame in frames]


def open_files():
    return {str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()} - {"/proc/self/fd"}


# --- films ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["avi", "mp4", "mkv"])
def test_a_film_is_all_its_frames_by_its_own_time(tmp_path, capfd, kind):
    source = FilmSource(film(tmp_path / f"x.{kind}"))
    frames = played(source)
    assert [f.at for f in frames] == [pytest.approx(n / 10) for n in range(30)]
    assert all(abs(bar(f.image) - n) <= 1 for n, f in enumerate(frames))
    assert {(f.image.shape, str(f.image.dtype)) for f in frames} == {((48, 64, 3), "uint8")}
    assert source.dropped == 0
    assert capfd.readouterr() == ("", "")


def test_a_film_begins_anew_when_it_is_opened_again(tmp_path):
    source = FilmSource(film(tmp_path / "x.avi", 3))
    before = open_files()
    for _ in range(2):
        with source as opened:
            assert [bar(opened.grab().image) for _ in range(2)] == [0, 1]
    assert open_files() == before
    assert len(played(source)) == 3


def test_after_the_end_there_is_still_nothing(tmp_path):
    with FilmSource(film(tmp_path / "x.avi", 1)) as opened:
        assert opened.grab() is not None
        for _ in range(2):
            with pytest.raises(EndOfFilm):
                opened.grab()


def test_a_film_can_be_cancelled_until_it_is_opened_again(tmp_path):
    source = FilmSource(film(tmp_path / "x.avi", 2))
    source.cancel()
    with source as opened:
        assert opened.grab() is not None
        opened.cancel()
        assert opened.grab() is None
    assert len(played(source)) == 2


@pytest.mark.parametrize("kind", ["avi", "mkv"])
def test_a_film_with_a_broken_tail_gives_its_frames_and_then_ends(tmp_path, capfd, caplog, kind):
    path = film(tmp_path / f"x.{kind}")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 6 // 10])
    frames = played(FilmSource(path))
    assert 8 < len(frames) < 24
    assert [f.at for f in frames] == [pytest.approx(n / 10) for n in range(len(frames))]
    missing = len(whole) - len(whole) * 6 // 10
    assert caplog.messages == [
        f"{path}: is cut off: its last {missing} bytes are missing; {len(frames)} frames could be read"
    ]
    assert capfd.readouterr() == ("", "")


def test_a_film_of_nonsense_times_goes_on_by_its_rate(tmp_path):
    """Each sample of the film is said to last for nothing."""
    path = film(tmp_path / "x.mp4")
    whole = bytearray(path.read_bytes())
    at = whole.index(b"stts") + 8
    count, _, lasts = struct.unpack_from(">III", whole, at)
    assert (count, lasts > 0) == (1, True)
    struct.pack_into(">I", whole, at + 8, 0)
    path.write_bytes(whole)
    times = [f.at for f in played(FilmSource(path))]
    assert len(times) == 30
    steps = {round(b - a, 6) for a, b in itertools.pairwise(times)}
    assert len(steps) == 1
    assert min(steps) > 0


def test_a_film_is_turned_upright(tmp_path):
    path = tmp_path / "x.mp4"
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (64, 48))
    drawn = plain(WHITE, 64, 48)
    drawn[:, :32] = RED  # on the left as it was filmed: above, when turned
    writer.write(drawn)
    writer.release()
    whole = bytearray(path.read_bytes())
    one = 1 << 16
    matrix = struct.pack(">9i", 0, one, 0, -one, 0, 0, 48 * one, 0, 1 << 30)
    at = whole.index(b"tkhd") + 4 + 40
    whole[at : at + 36] = matrix
    path.write_bytes(whole)
    (frame,) = played(FilmSource(path))
    assert frame.image.shape == (64, 48, 3)
    assert [frame.image[y, 24].tolist()[0] > 127 for y in (8, 56)] == [False, True]


def test_a_name_that_means_something_to_ffmpeg(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("rtsp:x.avi", "%03d.avi", "-.avi", "\udcff.avi"):
        film(tmp_path / "x.avi", 2).replace(name)
        with FilmSource(name) as opened:
            assert opened.grab().at == 0.0


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "there is no such file"),
        (b"", "is empty"),
        (b"not a film at all", NONE),
        (b"RIFF\xff\0\0\0AVI ", "is cut off: its last 251 bytes are missing; no frame could be read"),
        (b"OggS" + bytes(99), "holds no frame that can be read: it is damaged, cut off or has no picture"),
        (b"\xff\xd8\xff", "is a picture and no video: name a video, or a folder of pictures"),
    ],
)
def test_what_is_no_film_is_named(tmp_path, capfd, content, why):
    path = tmp_path / "x.avi"
    if content is not None:
        path.write_bytes(content)
    before = open_files()
    with pytest.raises(BadInput) as wrong, FilmSource(path):
        pass
    assert str(wrong.value) == f"{path}: {why}"
    assert capfd.readouterr() == ("", "")
    assert open_files() == before


def test_what_is_no_file_is_no_film_and_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.avi")
    for path in (tmp_path, tmp_path / "pipe.avi", "/dev/zero"):
        with pytest.raises(BadInput) as wrong, FilmSource(path):
            pass
        assert str(wrong.value) == f"{path}: is not a file: name a picture, a video or a folder"


# --- folders ----------------------------------------------------------------------------------------------------------


def test_a_folder_is_its_pictures_in_the_order_that_a_person_expects(tmp_path):
    for name, colour in {"shot10.png": BLUE, "shot2.jpg": GREEN, "Shot1.webp": RED, "shot2b.bmp": WHITE}.items():
        write(tmp_path / name, plain(colour))
    frames = played(FolderSource(tmp_path))
    assert colours(frames) == [RED, GREEN, WHITE, BLUE]
    assert [f.at for f in frames] == [0.0, 1.0, 2.0, 3.0]
    assert {(f.image.shape, str(f.image.dtype)) for f in frames} == {((6, 8, 3), "uint8")}


def test_pictures_come_so_many_a_second(tmp_path):
    for number in range(3):
        write(tmp_path / f"{number}.png", plain(RED))
    assert [f.at for f in played(FolderSource(tmp_path, fps=4.0))] == [0.0, 0.25, 0.5]


def test_a_picture_that_cannot_be_read_is_passed_over_and_named(tmp_path, caplog, capfd):
    write(tmp_path / "1.png", plain(RED))
    (tmp_path / "2.png").write_bytes(b"no picture")
    (tmp_path / "3.jpg").touch()
    os.mkfifo(tmp_path / "4.jpg")
    (tmp_path / "5.jpg").symlink_to(tmp_path / "nowhere")
    jpeg = write(tmp_path / "6.jpg", np.random.default_rng(1).integers(0, 255, (90, 90, 3), np.uint8))
    jpeg.write_bytes(jpeg.read_bytes()[:-900])
    png = write(tmp_path / "7.png", np.random.default_rng(1).integers(0, 255, (90, 90, 3), np.uint8))
    png.write_bytes(png.read_bytes()[:-900])
    with (tmp_path / "8.jpg").open("wb") as sparse:
        sparse.write(cv2.imencode(".jpg", plain(RED))[1].tobytes()[:-2])
        sparse.truncate(1 << 40)
    (tmp_path / "9.heic").write_bytes(bytes(4) + b"ftypheic" + bytes(99))
    write(tmp_path / "10.png", plain(BLUE))
    frames = played(FolderSource(tmp_path))
    assert (colours(frames), [f.at for f in frames]) == ([RED, BLUE], [0.0, 9.0])
    assert [m.removeprefix(f"{tmp_path}/") for m in caplog.messages] == [
        f"2.png: passed over: {NONE}",
        "3.jpg: passed over: is empty",
        "4.jpg: passed over: is not a file: name a picture, a video or a folder",
        "5.jpg: passed over: there is no such file",
        "6.jpg: passed over: is cut off: the end of the picture is missing; copy it again",
        "7.png: passed over: is cut off: the end of the picture is missing; copy it again",
        "8.jpg: passed over: is too large: 1099.5 GB, and no picture that can be read has more than 1",
        "9.heic: passed over: is in HEIC, which is not read here: save it as JPEG",
    ]
    assert capfd.readouterr() == ("", "")


def test_a_huge_picture_is_decoded_smaller(tmp_path):
    assert cv2.imwrite(str(tmp_path / "huge.jpg"), np.full((10_000, 10_000), 140, np.uint8))
    assert [f.image.shape for f in played(FolderSource(tmp_path))] == [(5_000, 5_000, 3)]


def test_a_name_of_two_lines_is_told_on_one(tmp_path, caplog):
    folder = tmp_path / "two\nlines"
    folder.mkdir()
    write(folder / "1.png", plain(RED))
    (folder / "2\n.png").touch()
    source = FolderSource(folder)
    assert source.name == f"{tmp_path}/two\\nlines"
    with source as opened:
        assert opened.grab() is not None
        with pytest.raises(EndOfFilm):
            opened.grab()
    assert caplog.messages == [f"{tmp_path}/two\\nlines/2\\n.png: passed over: is empty"]


def test_a_photograph_is_turned_upright_and_its_thumbnail_is_not_taken_for_its_end(tmp_path, caplog):
    drawn = plain(WHITE, 64, 48)
    drawn[:, :32] = RED
    content = cv2.imencode(".jpg", drawn)[1].tobytes()
    thumbnail = cv2.imencode(".jpg", plain(RED))[1].tobytes()
    tiff = struct.pack("<2sHIHHHIHHI", b"II", 42, 8, 1, 0x0112, 3, 1, 6, 0, 0) + thumbnail
    exif = b"Exif\0\0" + tiff
    whole = content[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + content[2:]
    (tmp_path / "1.jpg").write_bytes(whole)
    (tmp_path / "2.jpg").write_bytes(whole[:-2])
    (frame,) = played(FolderSource(tmp_path))
    assert frame.image.shape == (64, 48, 3)
    assert [frame.image[y, 24].tolist()[0] > 127 for y in (8, 56)] == [False, True]
    assert caplog.messages == [
        f"{tmp_path}/2.jpg: passed over: is cut off: the end of the picture is missing; copy it again"
    ]


def test_what_is_no_picture_of_the_folder_is_not_looked_at(tmp_path, caplog):
    write(tmp_path / "1.png", plain(RED)).rename(tmp_path / "1")  # a picture for all that
    (tmp_path / "truth.json").write_text("{}")
    (tmp_path / ".hidden.png").write_bytes(b"")
    (tmp_path / "inside.png").mkdir()
    write(tmp_path / "inside.png" / "2.png", plain(BLUE))
    film(tmp_path / "film.avi", 2)
    assert colours(played(FolderSource(tmp_path))) == [RED]
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("folder", "why"),
    [
        ("empty", "no picture in this folder"),
        ("nothing", "there is no such file"),
        ("file", "cannot be read: Not a directory"),
    ],
)
def test_a_folder_without_pictures_is_named(tmp_path, folder, why):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(BadInput) as wrong, FolderSource(tmp_path / folder):
        pass
    assert str(wrong.value) == f"{tmp_path / folder}: {why}"


# --- in their own time ------------------------------------------------------------------------------------------------


class Waits(threading.Event):
    """An event with a clock of its own, which only waiting moves on."""

    def __init__(self, now: float) -> None:
        super().__init__()
        self.now = now
        self.waited: list[float] = []

    def wait(self, timeout=None):
        self.waited.append(pytest.approx(timeout))
        self.now += timeout
        return self.is_set()


def test_a_film_in_its_own_time_gives_each_frame_when_it_was_filmed(tmp_path):
    waits = Waits(now=1000.0)
    source = InItsOwnTime(FilmSource(film(tmp_path / "x.avi", 4)), lambda: waits.now, waits)
    for _ in range(2):  # and begins anew
        assert [f.at for f in played(source)] == [pytest.approx(n / 10) for n in range(4)]
        assert waits.waited == [0.0, 0.1, 0.1, 0.1]
        waits.waited.clear()


def test_a_frame_that_is_late_is_given_at_once_and_the_next_at_its_time(tmp_path):
    waits = Waits(now=1000.0)
    with InItsOwnTime(FilmSource(film(tmp_path / "x.avi", 4)), lambda: waits.now, waits) as opened:
        opened.grab()
        waits.now += 0.25
        assert [round(opened.grab().at, 3) for _ in range(3)] == [0.1, 0.2, 0.3]
    assert waits.waited == [0.0, 0.0, 0.0, 0.05]


def test_whoever_waits_for_a_frames_time_is_woken_by_cancel(tmp_path):
    for number in range(2):
        write(tmp_path / f"{number}.png", plain(RED))
    source = InItsOwnTime(FolderSource(tmp_path, fps=1 / 3600))
    with source as opened:
        assert opened.grab() is not None
        waking = threading.Timer(0.0, opened.cancel)
        waking.start()
        assert opened.grab() is None
        waking.join()
    with source as opened:
        assert opened.grab() is not None
