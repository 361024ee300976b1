"""The virtual reader imitates the world: what comes out of the port is what a real reader would type."""

import os
import select
import termios
import tty
from contextlib import suppress

import pytest

from tablepi.virtual.readers import VirtualReader


class Port:
    """The program's end of a port, opened by its path."""

    def __init__(self, link):
        self.fd = os.open(link, os.O_RDWR | os.O_NOCTTY)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        os.close(self.fd)

    def take(self, count):
        """*count* bytes; fails when they do not come."""
        taken = b""
        while len(taken) < count:
            assert select.select([self.fd], [], [], 5)[0], f"only {taken!r} came"
            taken += os.read(self.fd, count - len(taken))
        return taken

    def is_silent(self):
        return not select.select([self.fd], [], [], 0)[0]


@pytest.mark.parametrize(
    ("way", "line"),
    [
        ({}, b"04A1B2C3\r\n"),
        ({"ending": b"\r"}, b"04A1B2C3\r"),
        ({"ending": b"\n"}, b"04A1B2C3\n"),
        ({"separator": ":"}, b"04:A1:B2:C3\r\n"),
        ({"junk": b"\x00\xff"}, b"\x00\xff04A1B2C3\r\n"),
        ({"piece": 1}, b"04A1B2C3\r\n"),
        ({"piece": 3}, b"04A1B2C3\r\n"),
    ],
    ids=str,
)
def test_a_laid_tag_is_typed(tmp_path, way, line):
    with VirtualReader(tmp_path / "reader-0", **way) as world, Port(world.link) as port:
        world.lay("04A1B2C3")
        assert port.take(len(line)) == line
        assert port.is_silent()


def test_the_port_is_raw_and_changes_no_byte(tmp_path):
    with VirtualReader(tmp_path / "reader-0") as world, Port(world.link) as port:
        every = bytes(range(256))
        world.say(every)
        assert port.take(256) == every
        assert not termios.tcgetattr(port.fd)[tty.LFLAG] & (termios.ECHO | termios.ICANON)


def test_a_reader_that_repeats_says_the_lying_tags_until_they_are_lifted(tmp_path):
    with VirtualReader(tmp_path / "reader-0", repeats=True, ending=b"\n") as world, Port(world.link) as port:
        world.lay("AAAAAAAA")
        assert port.take(27) == b"AAAAAAAA\n" * 3
        world.lay("BBBBBBBB")
        world.lift("AAAAAAAA")
        world.say(b"#")
        while port.take(1) != b"#":
            pass  # what was said before the lift
        assert port.take(18) == b"BBBBBBBB\n" * 2
        world.lift("BBBBBBBB")
        with pytest.raises(ValueError, match="not in list"):
            world.lift("BBBBBBBB")


def test_a_reader_that_does_not_repeat_says_a_tag_once(tmp_path):
    with VirtualReader(tmp_path / "reader-0", ending=b"\n") as world, Port(world.link) as port:
        world.lay("AAAAAAAA")
        world.lift("AAAAAAAA")
        world.lay("AAAAAAAA")
        assert port.take(18) == b"AAAAAAAA\n" * 2
        assert port.is_silent()


def test_unplugging_breaks_the_open_port_and_removes_the_link(tmp_path):
    with VirtualReader(tmp_path / "reader-0") as world, Port(world.link) as port:
        world.unplug()
        with suppress(OSError):  # or the end of file, as Linux likes
            assert os.read(port.fd, 1) == b""
        with pytest.raises(termios.error):
            termios.tcflush(port.fd, termios.TCIFLUSH)
        assert not world.link.is_symlink()
        world.unplug()
        world.lay("AAAAAAAA")  # onto a reader without a plug: nothing


def test_replugging_makes_a_new_port_behind_the_same_link(tmp_path):
    with VirtualReader(tmp_path / "reader-0", ending=b"\n") as world:
        world.unplug()
        world.replug()
        world.replug()
        with Port(world.link) as port:
            world.lay("AAAAAAAA")
            assert port.take(9) == b"AAAAAAAA\n"


def test_the_link_takes_the_place_of_one_left_by_a_crash(tmp_path):
    link = tmp_path / "reader-0"
    link.symlink_to("/nowhere")
    with VirtualReader(link) as world:
        assert str(link.readlink()).startswith("/dev/pts/")
        assert world.missed == 0
    assert not link.is_symlink()


def test_what_nobody_reads_falls_on_the_floor_in_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr("tablepi.virtual.readers._PATIENCE_S", 0.0)
    with VirtualReader(tmp_path / "reader-0") as world:
        world.say(b"x" * 100_000)
        assert 0 < world.missed < 100_000
