"""Line readers on real pseudo-terminals."""

import os
import queue
import socket
import termios
import threading
from contextlib import ExitStack

import pytest

from tablepi.cards import card
from tablepi.devices.readers import LineReader, open_port
from tablepi.devices.roles import Role
from tablepi.devices.supervisor import DeviceLost, Supervisor
from tablepi.devices.tags import STRANGE
from tablepi.facts import NO_TAGS, Found, Lost, Tag, Untag
from tablepi.virtual.readers import VirtualReader

from .latency import bytes_to_fact_ms
from .network import served

A = "04A1B2C3D4E580"
B = "04DEADBEEF1280"
DECK = {A: card("QS"), B: card("2C")}
ROLE = Role("reader-1", cards=DECK, seat=1)
QS = Tag(seat=1, card=card("QS"), uid=A, source="reader-1")
TWO_C = Tag(seat=1, card=card("2C"), uid=B, source="reader-1")


def reader(world, **changes):
    return LineReader(str(world.link), ROLE, **changes)


def next_facts(opened, count):
    """The next *count* facts of an open reader; each read waits for bytes."""
    told = []
    while len(told) < count:
        told += opened.read()
    return told


@pytest.mark.parametrize(
    "way",
    [
        {"ending": b"\r"},
        {"ending": b"\n"},
        {"ending": b"\r\n"},
        {"separator": ":"},
        {"separator": "-"},
        {"separator": " "},
        {"piece": 1},
        {"piece": 5},
        {"junk": b"\x00\xff\x80"},
        {"junk": b"reader v1.2\r\n"},
    ],
    ids=str,
)
def test_a_reader_reads_however_it_is_said(tmp_path, way):
    with VirtualReader(tmp_path / "by-id", **way) as world, reader(world) as opened:
        world.lay(A)
        world.lay(B.lower())
        assert next_facts(opened, 2) == [QS, TWO_C]


def test_a_lying_card_is_read_once_though_the_reader_repeats_it(tmp_path):
    with VirtualReader(tmp_path / "by-id") as world, reader(world) as opened:
        for _ in range(50):
            world.lay(A)
        world.lay(B)
        assert next_facts(opened, 2) == [QS, TWO_C]


def test_a_card_that_leaves_a_repeating_reader_is_told(tmp_path):
    with VirtualReader(tmp_path / "by-id", repeats=True) as world, reader(world, repeats=True, gap_s=0.3) as opened:
        world.lay(A)
        assert next_facts(opened, 1) == [QS]
        world.lift(A)
        assert next_facts(opened, 1) == [Untag(seat=1, card=card("QS"), uid=A, source="reader-1")]


def test_two_programs_cannot_have_one_reader(tmp_path):
    with VirtualReader(tmp_path / "by-id") as world, reader(world) as opened:
        with pytest.raises(DeviceLost, match=r"by-id: another program has it open"), reader(world):
            pass
        world.lay(A)
        assert next_facts(opened, 1) == [QS]


@pytest.mark.parametrize(
    ("port", "why"),
    [
        ("{folder}/nothing", "nothing is plugged in there"),
        ("{folder}", "folder, not a serial port"),
        ("{folder}/file", "Could not configure port"),
        ("nonsense://x", "invalid URL"),
        ("socket://127.0.0.1:{port}", "refused|nobody"),
    ],
)
def test_a_port_that_cannot_be_opened_is_named_with_the_reason(tmp_path, port, why):
    (tmp_path / "file").touch()
    with socket.create_server(("127.0.0.1", 0)) as closed:
        number = closed.getsockname()[1]
    where = port.format(folder=tmp_path, port=number)
    with pytest.raises(DeviceLost, match=why) as lost, LineReader(where, ROLE):
        pass
    assert str(lost.value).startswith(f"{where}: ")


def test_a_baud_rate_that_is_none_is_named(tmp_path):
    with VirtualReader(tmp_path / "by-id") as world, pytest.raises(DeviceLost, match="baud"), reader(world, baud=-1):
        pass


def test_a_reader_over_the_network_is_read(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        opened = LineReader(f"socket://127.0.0.1:{server.getsockname()[1]}", ROLE)
        with opened, server.accept()[0] as peer:
            peer.sendall(A.encode() + b"\r\n")
            assert next_facts(opened, 1) == [QS]
            peer.shutdown(socket.SHUT_RDWR)
            with pytest.raises(DeviceLost, match="socket"):
                next_facts(opened, 1)


# pyserial's rfc2217 names its thread in the old way, and does not close the socket of a peer that is gone.
@pytest.mark.filterwarnings("ignore:set(Daemon|Name)", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("kind", "baud"), [("socket", 115200), ("rfc2217", 19200)])
def test_a_reader_on_another_computer_is_read_at_its_speed_and_its_loss_is_told(tmp_path, kind, baud):
    with VirtualReader(tmp_path / "by-id") as world, ExitStack() as network:
        address, port = network.enter_context(served(world, rfc2217=kind == "rfc2217"))
        with LineReader(f"{kind}://{address}", ROLE, baud=19200) as opened:
            world.lay(A)
            world.lay(B)
            assert next_facts(opened, 2) == [QS, TWO_C]
            assert port.baudrate == baud  # a plain socket cannot set it
            network.close()
            with pytest.raises(DeviceLost, match=rf"^{kind}://"):
                next_facts(opened, 1)


def test_a_flood_of_lines_is_read_to_its_end_and_tells_of_each_card_once(tmp_path):
    with VirtualReader(tmp_path / "by-id") as world, reader(world) as opened:

        def flood():
            for _ in range(300):
                world.say(f"{A}\r\n".encode() * 10)
            world.lay(B)

        flooding = threading.Thread(target=flood)
        flooding.start()
        assert next_facts(opened, 2) == [QS, TWO_C]
        flooding.join()
    assert world.missed == 0


def test_what_sends_no_tags_is_told_with_the_baud_rate_that_it_was_asked_for(tmp_path):
    with VirtualReader(tmp_path / "by-id") as world, reader(world, baud=19200) as opened:
        for _ in range(STRANGE):
            world.say(b"\xf8\x1e\x86\x98\x06\x18\r")
        assert next_facts(opened, 1) == [Lost(device="reader-1", reason=f"{NO_TAGS}: is its baud rate 19200?")]
        world.lay(A)
        assert next_facts(opened, 2) == [Found(device="reader-1"), QS]


def test_a_port_that_cannot_be_selected_is_read_too():
    port = open_port("loop://", 9600)
    with LineReader("loop://", ROLE, open_port=lambda where, baud: port) as opened:
        port.write(A.encode() + b"\r")
        assert next_facts(opened, 1) == [QS]
        opened.cancel()
        assert opened.read() == ()


def test_a_cancelled_read_returns_at_once(tmp_path):
    with VirtualReader(tmp_path / "by-id") as world, reader(world) as opened:
        told = queue.Queue()
        waiting = threading.Thread(target=lambda: told.put(opened.read()))
        waiting.start()
        opened.cancel()
        assert told.get(timeout=5) == ()
        waiting.join()


def test_cancel_of_a_closed_reader_is_nothing(tmp_path):
    with VirtualReader(tmp_path / "by-id") as world:
        closed = reader(world)
        closed.cancel()
        with closed:
            pass
        closed.cancel()


class BrokenPort:
    """A port whose plug has been pulled, as Linux says it to a program that asks for the bytes that wait."""

    timeout = 0.0

    def __init__(self, error):
        self._error = error
        self._ours, self._theirs = os.pipe()
        os.write(self._theirs, b"!")

    @property
    def in_waiting(self):
        raise self._error

    def fileno(self):
        return self._ours

    def read(self, size):
        raise self._error

    def close(self):
        os.close(self._ours)
        os.close(self._theirs)
        raise self._error


@pytest.mark.parametrize(
    "error", [termios.error(5, "Input/output error"), OSError(5, "Input/output error"), OSError(19, "No such device")]
)
def test_every_way_to_say_unplugged_is_one(error):
    broken = LineReader("/dev/x", ROLE, open_port=lambda port, baud: BrokenPort(error))
    with pytest.raises(DeviceLost, match=r"^/dev/x: it was unplugged$"), broken:
        broken.read()


def test_unplugging_tells_the_reader_that_reads(tmp_path):
    with VirtualReader(tmp_path / "by-id") as world, reader(world) as opened:
        world.unplug()
        with pytest.raises(DeviceLost, match=r"by-id: it was unplugged"):
            opened.read()


def test_unplugged_is_lost_once_and_replugged_is_found_and_reads_again(tmp_path):
    inbox = queue.Queue(maxsize=4)
    with VirtualReader(tmp_path / "by-id") as world:
        supervisor = Supervisor([reader(world)], inbox, backoff_s=(0.001,))
        with supervisor:
            assert supervisor.wait_tried(5)
            world.lay(A)
            assert inbox.get(timeout=5) == QS
            world.unplug()
            assert inbox.get(timeout=5) == Lost(device="reader-1", reason=f"{world.link}: it was unplugged")
            world.replug()
            assert inbox.get(timeout=5) == Found(device="reader-1")
            world.lay(B)
            assert inbox.get(timeout=5) == TWO_C
        assert inbox.empty()


def test_a_reader_that_is_not_there_at_the_start_is_lost_until_it_is_plugged_in(tmp_path):
    inbox = queue.Queue(maxsize=4)
    with VirtualReader(tmp_path / "by-id") as world:
        world.unplug()
        with Supervisor([reader(world)], inbox, backoff_s=(0.001,)):
            assert inbox.get(timeout=5) == Lost(device="reader-1", reason=f"{world.link}: nothing is plugged in there")
            world.replug()
            assert inbox.get(timeout=5) == Found(device="reader-1")


def test_a_storm_on_four_readers_loses_nothing_and_doubles_nothing(tmp_path):
    each = 500
    inbox = queue.Queue(maxsize=8)
    with ExitStack() as stack:
        worlds = [stack.enter_context(VirtualReader(tmp_path / f"by-id-{i}", piece=5 + i)) for i in range(4)]
        devices = [LineReader(str(w.link), Role(f"reader-{i}", cards={}, seat=i)) for i, w in enumerate(worlds)]
        supervisor = stack.enter_context(Supervisor(devices, inbox))
        assert supervisor.wait_tried(5)

        def storm(seat):
            for n in range(each):
                worlds[seat].lay(f"{seat:02X}{n:06X}")

        storms = [threading.Thread(target=storm, args=(seat,)) for seat in range(4)]
        for thread in storms:
            thread.start()
        told = [inbox.get(timeout=10) for _ in range(4 * each)]
        for thread in storms:
            thread.join()
        assert inbox.empty()
    for seat in range(4):
        assert [f for f in told if f.seat == seat] == [
            Tag(seat=seat, uid=f"{seat:02X}{n:06X}", source=f"reader-{seat}") for n in range(each)
        ]
    assert [w.missed for w in worlds] == [0, 0, 0, 0]


def test_a_line_is_a_fact_without_waiting(tmp_path):
    taken = bytes_to_fact_ms(tmp_path, reads=40, readers=4)
    assert len(taken) == 40
    assert sorted(taken)[20] < 15  # the median, which is under 1; a reader that polled at 30 Hz would have 17
