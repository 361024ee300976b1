"""PN532 readers: their frames byte by byte, and the whole driver with virtual chips on real pseudo-terminals."""

import os
import queue
import random
import statistics
import termios
import threading
from contextlib import ExitStack

import pytest
import serial
import serial.rfc2217
from hypothesis import given
from hypothesis import strategies as st

from tablepi.cards import card
from tablepi.devices import pn532
from tablepi.devices.pn532 import Frames, Pn532Reader, Sign, frame, targets
from tablepi.devices.presence import TWO_CARDS
from tablepi.devices.roles import Role
from tablepi.devices.supervisor import DeviceLost, Supervisor
from tablepi.facts import Found, Lost, Tag, Untag
from tablepi.virtual.pn532 import Chip, VirtualPn532, answer
from tablepi.virtual.readers import REPEAT_S, VirtualReader

from .network import served

A, B, CLASSIC = "04A1B2C3D4E580", "04A1B2C3D4E581", "DEADBEEF"
DECK = {A: card("QS"), B: card("2C")}
ROLE = Role("reader-1", cards=DECK, seat=1)
QS = Tag(seat=1, card=card("QS"), uid=A, source="reader-1")
TWO_C = Tag(seat=1, card=card("2C"), uid=B, source="reader-1")
QS_GONE = Untag(seat=1, card=card("QS"), uid=A, source="reader-1")
LIST, RF, SAM, FIRMWARE, PARAMETERS = 0x4A, 0x32, 0x14, 0x02, 0x12


# --- frames ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payload", "whole"),
    [
        ("d402", "0000ff02fed4022a00"),
        ("d414011401", "0000ff05fbd4140114010200"),
        ("d43205ff0102", "0000ff06fad43205ff0102f300"),
        ("d4320100", "0000ff04fcd4320100f900"),
        ("d44a0200", "0000ff04fcd44a0200e000"),
        ("d5" * 255, "0000ffff01" + "d5" * 255 + "d500"),
    ],
)
def test_a_frame_is_made_by_the_byte(payload, whole):
    assert frame(bytes.fromhex(payload)).hex() == whole


FIRMWARE_1_6 = bytes.fromhex("d50332010607")


@pytest.mark.parametrize(
    ("received", "read"),
    [
        ("0000ff00ff00", [Sign.ACK]),
        ("0000ffff0000", [Sign.NACK]),
        ("0000ff01ff7f8100", [Sign.REFUSED]),
        ("0000ff06fad50332010607e800", [FIRMWARE_1_6]),
        ("0000ff00ff000000ff06fad50332010607e800", [Sign.ACK, FIRMWARE_1_6]),
        ("00ff06fad50332010607e8", [FIRMWARE_1_6]),
        ("0000ffffff0006fad50332010607e800", [FIRMWARE_1_6]),
        ("a5ff0055" + "0000ff06fad50332010607e800" + "a5ff", [FIRMWARE_1_6]),
        ("0000ff06fad50332010607e900", [Sign.DAMAGED]),
        ("0000ff06fad50332010606e800", [Sign.DAMAGED]),
        ("0000ff07fad50332010607e800", [Sign.DAMAGED]),
        ("0000ff0000", [Sign.DAMAGED]),
        ("0000ffffffffff0200", [Sign.DAMAGED]),
        ("0000ff06fad5030000ff06fad50332010607e800", [Sign.DAMAGED, FIRMWARE_1_6]),
        ("0000ff06fad503320106", []),
        ("", []),
    ],
    ids=[
        "ACK",
        "NACK",
        "refused",
        "an answer",
        "two",
        "neither preamble nor postamble",
        "extended",
        "noise around",
        "checksum",
        "a byte of it",
        "length",
        "no length",
        "longer than any",
        "a byte lost, then said again",
        "not all of it",
        "nothing",
    ],
)
@pytest.mark.parametrize("piece", [1, 2, 5, 100])
def test_a_stream_is_cut_into_frames(received, read, piece):
    frames, stream = Frames(), bytes.fromhex(received)
    cut = [r for i in range(0, len(stream), piece) for r in frames.feed(stream[i : i + piece])]
    assert cut == read


@given(st.lists(st.binary(max_size=100)), st.binary(max_size=200))
def test_no_bytes_upset_the_frames_and_the_next_answers_are_read(noise, said):
    frames = Frames()
    for piece in noise:
        frames.feed(piece)
    frames.feed(bytes(266))  # what noise has begun is over by then
    assert frames.feed(answer(0x02, said) * 2)[-1] == b"\xd5\x03" + said


@pytest.mark.parametrize(
    ("told", "uids"),
    [
        ("00", ()),
        ("01010044000704a1b2c3d4e580", (A,)),
        ("02010044000704a1b2c3d4e580020044000704a1b2c3d4e581", (A, B)),
        ("010100040804deadbeef", (CLASSIC,)),
        ("0101000420040811223305788070020201004400", None),
        ("0101000420040811223305" + "78807002", ("08112233",)),
        ("02" + "010004200408112233057880700202" + "0044000704a1b2c3d4e580", ("08112233", A)),
        ("01010084000a0102030405060708090a", ("0102030405060708090A",)),
        ("", None),
        ("01", None),
        ("01010044000704a1b2c3d4e5", None),
        ("01010044000704a1b2c3d4e58000", None),
        ("01020044000704a1b2c3d4e580", None),
        ("010100440005aabbccddee", None),
        ("00010044000704a1b2c3d4e580", None),
    ],
)
def test_a_list_of_targets_is_read_or_refused(told, uids):
    if uids is None:
        with pytest.raises(ValueError, match="no list of targets"):
            targets(bytes.fromhex(told))
    else:
        assert targets(bytes.fromhex(told)) == uids


@given(st.binary(max_size=60))
def test_no_answer_upsets_the_list_of_targets(told):
    try:
        listed = targets(told)
    except ValueError:
        return
    assert len(listed) == told[0]
    assert all(len(uid) in (8, 14, 20) for uid in listed)


# --- the reader -----------------------------------------------------------------------------------------------------


def reader(world, **changes):
    return Pn532Reader(str(world.link), ROLE, **{"poll_s": 0.01} | changes)


def next_facts(opened, count):
    """The next *count* facts of an open reader; fewer when a thousand polls do not tell them."""
    told = []
    for _ in range(1000):
        if len(told) >= count:
            break
        told += opened.read()
    return told


@pytest.fixture
def world(tmp_path):
    with VirtualPn532(tmp_path / "by-id") as world:
        yield world


@pytest.fixture
def impatient(monkeypatch):
    """Where nobody answers, a shorter time to wait for it shows the same."""
    monkeypatch.setattr(pn532, "ANSWER_S", 0.02)


@pytest.mark.parametrize("piece", [None, 1, 5])
def test_cards_come_and_go(tmp_path, piece):
    with VirtualPn532(tmp_path / "by-id", piece=piece) as world, reader(world) as opened:
        assert opened.chip == "PN532 1.6"
        assert opened.read() == ()
        world.lay(A)
        assert next_facts(opened, 1) == [QS]
        world.lift(A)
        world.lay(CLASSIC)
        assert next_facts(opened, 2) == [QS_GONE, Tag(seat=1, uid=CLASSIC, source="reader-1")]


def test_a_lying_card_is_read_once_however_often_it_is_polled(world):
    world.lay(A)
    with reader(world, poll_s=0.0) as opened:
        assert [fact for _ in range(100) for fact in opened.read()] == [QS]
    assert sum(command[0] == LIST for command in world.chip.commands) == 100


def test_two_cards_are_both_read_and_told_until_one_is_taken_away(world):
    world.lay(A)
    with reader(world) as opened:
        assert next_facts(opened, 1) == [QS]
        world.lay(B)
        assert next_facts(opened, 2) == [TWO_C, Lost(device="reader-1", reason=TWO_CARDS)]
        world.lift(A)
        assert next_facts(opened, 2) == [QS_GONE, Found(device="reader-1")]


def test_a_telephone_is_no_card(world):
    world.lay("08AABBCC", phone=True)
    world.lay(A)
    with reader(world) as opened:
        assert next_facts(opened, 1) == [QS]
        assert [fact for _ in range(20) for fact in opened.read()] == []


@pytest.mark.parametrize("speed", [115200, 230400, 460800, 921600])
@pytest.mark.parametrize("asleep", [False, True])
def test_a_chip_that_a_crash_has_left_at_any_speed_is_found_and_kept_at_the_usual_one(world, speed, asleep, request):
    if speed > 115200:
        request.getfixturevalue("impatient")
    world.chip.speed, world.chip.asleep = speed, asleep
    world.lay(A)
    for _ in range(3):  # a machine that is busy answers late
        try:
            with reader(world) as opened:
                assert next_facts(opened, 1) == [QS]
            break
        except DeviceLost:
            continue
    assert (world.chip.speed, world.chip.asleep) == (115200, False)


def test_what_another_program_has_set_is_set_anew(world):
    with reader(world):
        pass
    assert [command.hex() for command in world.chip.commands] == [
        "14011401",
        "02",
        "1200",
        "3205ff0102",
        "320100",
    ]


def test_the_field_is_off_between_polls_unless_it_is_to_stay(world):
    with reader(world) as opened:
        assert not world.chip.field
        opened.read()
        assert not world.chip.field
    with reader(world, field_off=False) as opened:
        opened.read()
        assert world.chip.field


def test_neighbours_that_share_the_air_never_hide_each_others_cards(tmp_path):
    air = threading.Lock()
    with ExitStack() as stack:
        worlds = [stack.enter_context(VirtualPn532(tmp_path / f"by-id-{i}")) for i in range(2)]
        for world, other in zip(worlds, reversed(worlds), strict=True):
            world.chip.neighbours = (other.chip,)
            world.lay(A)
        devices = [stack.enter_context(reader(world, air=air, poll_s=0.001)) for world in worlds]
        listed = [[], []]

        def poll(number):
            for _ in range(30):
                listed[number] += [devices[number]._listed()]

        polling = [threading.Thread(target=poll, args=(number,)) for number in range(2)]
        for thread in polling:
            thread.start()
        for thread in polling:
            thread.join()
    assert listed == [[(A,)] * 30] * 2


def test_a_neighbour_whose_field_stays_on_hides_the_cards(tmp_path):
    with VirtualPn532(tmp_path / "1") as world, VirtualPn532(tmp_path / "2") as other:
        world.chip.neighbours = (other.chip,)
        world.lay(A)
        with reader(world) as opened, reader(other, field_off=False) as neighbour:
            assert next_facts(opened, 1) == [QS]
            neighbour.read()
            assert next_facts(opened, 1) == [QS_GONE]


@pytest.mark.parametrize("too_late", [False, True])
def test_an_answer_that_comes_late_is_not_taken_for_that_to_the_next_poll(world, impatient, too_late):
    with reader(world) as opened:
        world.chip.too_late = too_late
        world.lay(A)
        world.chip.late_s = 0.03
        with pytest.raises(DeviceLost, match="does not answer any more"):
            next_facts(opened, 1)
        world.chip.late_s = 0.0
        world.lift(A)
        assert [opened._listed() for _ in range(5)] == [()] * 5


class ChipPort:
    """A port right at a chip, which has answered before a write returns. Where *late* has bytes for what is written,
    they come before the chip's own words, once."""

    timeout = 0.0
    baudrate = 115200

    def __init__(self):
        self.chip = Chip()
        self.sent = []
        self.late = {}
        self._ours, self._theirs = os.pipe()
        os.set_blocking(self._ours, False)
        self.in_waiting = 4096

    def fileno(self):
        return self._ours

    def read(self, size):
        try:
            return os.read(self._ours, size)
        except BlockingIOError:
            return b""

    def write(self, sent):
        self.sent.append(sent)
        said = self.late.pop(sent, b"") + self.chip.hear(sent, 0.0)
        while self.chip.due is not None:
            said += self.chip.say(self.chip.due)
        os.write(self._theirs, said)

    def flush(self):
        pass

    def close(self):
        os.close(self._ours)
        os.close(self._theirs)


LIST_TWO = frame(bytes.fromhex("d44a0200"))
ENDS = bytes.fromhex("0000ff00ff00")  # the host's ACK


def test_a_poll_ends_what_was_before_lists_two_cards_and_switches_the_field_off():
    port = ChipPort()
    with Pn532Reader("/dev/x", ROLE, open_port=lambda where, baud: port) as opened:
        opened.read()
    assert port.sent[-3:] == [ENDS, LIST_TWO, frame(bytes.fromhex("d4320100"))]


@pytest.mark.parametrize(
    ("when", "late"),
    [
        (ENDS, answer(LIST, bytes.fromhex("01010044000704a1b2c3d4e580"))),
        (ENDS, ENDS + answer(LIST, bytes.fromhex("01010044000704a1b2c3d4e580"))),
        (LIST_TWO, answer(LIST, bytes.fromhex("01010044000704a1b2c3d4e580"))),
        (LIST_TWO, answer(RF)),
    ],
    ids=["the answer", "ACK and answer", "the answer while the next is asked", "the answer to another command"],
)
def test_what_comes_late_is_no_answer_to_the_next_poll(when, late):
    port = ChipPort()
    with Pn532Reader("/dev/x", ROLE, open_port=lambda where, baud: port) as opened:
        assert opened.read() == ()
        port.late[when] = late
        assert opened.read() == ()
        port.chip.lay(B)
        assert opened.read() == (TWO_C,)


def test_two_cards_that_still_lie_when_the_reader_is_back_are_told_again(world):
    world.lay(A)
    world.lay(B)
    crowded = Lost(device="reader-1", reason=TWO_CARDS)
    closed = reader(world)
    closed.antenna._crowded_s = 0.0
    with closed as opened:
        assert next_facts(opened, 3) == [TWO_C, QS, crowded]
    with closed as opened:
        assert next_facts(opened, 1) == [crowded]


def test_a_damaged_answer_is_asked_for_again(world):
    with reader(world) as opened:
        world.lay(A)
        world.chip.damaged = 2
        world.chip.junk = b"\x00\xff\x13\x00"
        assert next_facts(opened, 1) == [QS]
    assert [command.hex() for command in world.chip.commands[-2:]] == ["4a0200", "320100"]


def test_a_chip_whose_supply_dipped_is_set_up_again_and_nothing_is_lost(world):
    with reader(world) as opened:
        world.lay(A)
        assert next_facts(opened, 1) == [QS]
        world.reset()
        world.lay(B)
        assert next_facts(opened, 1) == [TWO_C]
    assert b"\x32\x05\xff\x01\x02" in world.chip.commands[-6:]


def test_a_chip_that_does_not_answer_is_reset_by_its_pin(world, impatient):
    world.chip.deaf = True
    pulses = []

    def reset():
        pulses.append("reset")
        world.chip.deaf = False
        world.reset()

    with reader(world, reset=reset):
        pass
    assert pulses == ["reset"]


def test_a_chip_that_answers_is_not_reset(world):
    pulses = []
    with reader(world, reset=lambda: pulses.append("reset")):
        pass
    assert pulses == []


# --- what is wrong ----------------------------------------------------------------------------------------------------


def lost(device):
    """What is said of a device that cannot be opened, without its port."""
    with pytest.raises(DeviceLost) as raised, device:
        pass
    where, _, why = str(raised.value).partition(": ")
    assert where == device._where
    return why


def test_silence_says_what_to_look_at(world, impatient):
    world.chip.deaf = True
    assert lost(reader(world)).startswith("no PN532 answers: set the board's switches to HSU (UART), cross TX and RX")


def test_a_line_reader_is_told_from_a_pn532(tmp_path, monkeypatch):
    monkeypatch.setattr(pn532, "ANSWER_S", 2 * REPEAT_S)  # in which it is heard
    with VirtualReader(tmp_path / "by-id", repeats=True) as line_reader:
        line_reader.lay(A)
        why = lost(reader(line_reader))
    assert why.startswith("something else than a PN532 answers (b'04A1B2C3D4E580")
    assert why.endswith("is it a reader that types its numbers as lines?")


def test_joined_wires_are_named(impatient):
    echo = Pn532Reader("loop://", ROLE, open_port=lambda port, baud: serial.serial_for_url(port))
    assert lost(echo) == "what is sent comes back: TX and RX are joined, cross them"


def test_another_chip_is_named(world):
    world.chip.firmware = bytes.fromhex("33020707")
    assert lost(reader(world)) == "a chip of another kind answers (firmware 33020707): a PN532 is wanted"


def test_a_port_where_nothing_is_says_what_to_try(tmp_path):
    nothing = Pn532Reader(f"{tmp_path}/nothing", ROLE)
    assert lost(nothing) == "nothing is plugged in there: plug it in, or name another port (ls -l /dev/serial/by-id)"


def test_two_programs_cannot_have_one_reader(world):
    with reader(world):
        assert lost(reader(world)) == "another program has it open: close that program"


@pytest.mark.parametrize("where", ["nonsense://x", "socket://127.0.0.1:x", "rfc2217://127.0.0.1:1"])
def test_a_url_that_leads_nowhere_is_named(where):
    assert lost(Pn532Reader(where, ROLE))


@pytest.mark.parametrize("moment", ["heard", "acknowledged", "answered"])
@pytest.mark.parametrize("command", [SAM, FIRMWARE, PARAMETERS, RF, LIST])
def test_unplugged_in_any_state_it_is_lost_and_found_and_reads_again(world, command, moment):
    inbox = queue.Queue()
    world.falls_out = (command, moment)
    with Supervisor([reader(world)], inbox, backoff_s=(0.001,)):
        gone = Lost(device="reader-1", reason=f"{world.link}: it was unplugged: plug it in again")
        assert inbox.get(timeout=5) == gone
        world.lay(A)
        world.replug()
        assert [inbox.get(timeout=5) for _ in range(2)] == [Found(device="reader-1"), QS]
    assert inbox.empty()


def test_unplugged_between_two_polls_it_is_lost_at_once(world):
    with reader(world) as opened:
        opened._poll_s = 3600.0
        opened.read()
        world.unplug()
        with pytest.raises(DeviceLost, match=r"by-id: it was unplugged: plug it in again$"):
            opened.read()


def test_a_chip_that_falls_silent_is_lost(world, impatient):
    with reader(world) as opened:
        world.chip.deaf = True
        with pytest.raises(DeviceLost, match="its PN532 does not answer any more: unplug it and plug it in again"):
            opened.read()


class BrokenPort:
    """A port that fails in its own way at one of its calls, and answers like a chip before."""

    timeout = 0.0
    baudrate = 115200

    def __init__(self, call, error):
        self._call, self._error = call, error
        self._ours, self._theirs = os.pipe()

    def _may_fail(self, call):
        if call == self._call:
            raise self._error

    @property
    def in_waiting(self):
        self._may_fail("in_waiting")
        return 0

    def fileno(self):
        return self._ours

    def read(self, size):
        self._may_fail("read")
        return os.read(self._ours, 4096)

    def write(self, sent):
        self._may_fail("write")
        os.write(self._theirs, b"!")

    def flush(self):
        pass

    def close(self):
        os.close(self._ours)
        os.close(self._theirs)
        raise self._error


@pytest.mark.parametrize("call", ["in_waiting", "read", "write"])
@pytest.mark.parametrize(
    ("error", "why"),
    [
        (termios.error(5, "Input/output error"), "it was unplugged: plug it in again"),
        (OSError(5, "Input/output error"), "it was unplugged: plug it in again"),
        (OSError(19, "No such device"), "it was unplugged: plug it in again"),
        (
            serial.SerialException("device reports readiness to read but returned no data"),
            "it was unplugged: plug it in again",
        ),
        (
            serial.SerialTimeoutException("Write timeout"),
            "it takes no more bytes: unplug it and plug it in again",
        ),
    ],
    ids=str,
)
def test_every_way_in_which_a_port_fails_is_one(call, error, why):
    broken = Pn532Reader("/dev/x", ROLE, open_port=lambda port, baud: BrokenPort(call, error))
    assert lost(broken) == why


# --- stopping ---------------------------------------------------------------------------------------------------------


def test_a_cancelled_read_returns_at_once_and_so_does_each_after_it(world):
    with reader(world) as opened:
        opened.read()
        opened._due += 3600.0
        told = queue.Queue()
        waiting = threading.Thread(target=lambda: told.put(opened.read()))
        waiting.start()
        opened.cancel()
        assert told.get(timeout=5) == ()
        waiting.join()
        world.lay(A)
        assert [opened.read() for _ in range(3)] == [()] * 3


def test_an_opening_can_be_cancelled(world, monkeypatch):
    monkeypatch.setattr(pn532, "ANSWER_S", 3600.0)
    world.chip.deaf = True
    waits = threading.Event()
    opened = reader(world)
    receive = opened._receive

    def receive_and_tell(until):
        if until:
            waits.set()
        return receive(until)

    monkeypatch.setattr(opened, "_receive", receive_and_tell)
    told = queue.Queue()

    def read():
        with opened:
            told.put(opened.read())

    opening = threading.Thread(target=read)
    opening.start()
    assert waits.wait(5)
    opened.cancel()
    assert told.get(timeout=5) == ()
    opening.join()


def test_cancel_of_a_closed_reader_is_nothing_and_it_opens_again(world):
    closed = reader(world)
    closed.cancel()
    world.lay(A)
    with closed:
        assert next_facts(closed, 1) == [QS]
        closed.cancel()
    closed.cancel()
    with closed:
        world.lay(B)
        assert next_facts(closed, 1) == [TWO_C]


# --- over the network -------------------------------------------------------------------------------------------------


# pyserial's rfc2217 names its thread in the old way, and does not close the socket of a peer that is gone.
@pytest.mark.filterwarnings("ignore:set(Daemon|Name)", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", ["socket", "rfc2217"])
def test_a_reader_over_the_network_is_read_and_its_loss_is_told(world, kind):
    with ExitStack() as network:
        address, _ = network.enter_context(served(world, rfc2217=kind == "rfc2217"))
        with Pn532Reader(f"{kind}://{address}", ROLE) as opened:
            world.lay(A)
            assert next_facts(opened, 1) == [QS]
            network.close()
            with pytest.raises(DeviceLost, match=rf"^{kind}://"):
                next_facts(opened, 1)


# --- cards that come and go -------------------------------------------------------------------------------------------


class InboxBySource:
    """An inbox that keeps the facts of each reader apart."""

    def __init__(self, names):
        self.of = {name: queue.Queue() for name in names}

    def put(self, fact, /, *, timeout):
        self.of[fact.device if isinstance(fact, Lost | Found) else fact.source].put(fact)


def come_and_go(folder, *, rounds, seats=4, faults=True, seed=0):
    """Lay and lift cards on *seats* readers at once, *rounds* times each, while chips are disturbed. Each act has to
    tell just what happened. Returns the milliseconds from each card in the field to its fact."""
    names = [f"reader-{seat}" for seat in range(seats)]
    inbox = InboxBySource(names)
    taken, wrong = [], []
    with ExitStack() as stack:
        worlds = [stack.enter_context(VirtualPn532(folder / n, piece=1 if n == names[0] else None)) for n in names]
        devices = [
            Pn532Reader(str(w.link), Role(n, cards={}, seat=seat))
            for seat, (n, w) in enumerate(zip(names, worlds, strict=True))
        ]
        for device in devices:
            device.antenna._crowded_s = 1e9  # that is told by its time, not by what happens
        supervisor = stack.enter_context(Supervisor(devices, inbox))
        assert supervisor.wait_tried(10)

        def hand(seat):
            try:
                rng = random.Random(seed + seat)
                taken.extend(_hand(worlds[seat], seat, inbox.of[names[seat]], rounds, faults, rng))
            except BaseException as error:
                wrong.append(error)

        hands = [threading.Thread(target=hand, args=(seat,)) for seat in range(seats)]
        for thread in hands:
            thread.start()
        for thread in hands:
            thread.join()
        if wrong:
            raise wrong[0]
    assert [told for name in names for told in inbox.of[name].queue] == []
    return taken


def _hand(world, seat, told, rounds, faults, rng):
    lying, taken, clock = [], [], pn532.time.monotonic
    moving = threading.Event()
    for number in range(rounds):
        moving.wait(rng.uniform(0.0, 0.1))  # a hand is not in step with the polls
        if faults:
            world.chip.junk = rng.choice([b"", b"\x00", b"\xff\x00\x00"])
            world.chip.late_s = rng.choice([0.0, 0.0, 0.02])
            world.chip.damaged = rng.choice([0, 0, 1])
            world.chip.too_late = rng.random() < 0.5
            if rng.random() < 0.05:
                world.reset()
        gone = lying.pop(rng.randrange(len(lying))) if lying and (len(lying) == 2 or rng.random() < 0.5) else None
        laid = f"04{seat:02X}{number:08X}80" if gone is None or (not lying and rng.random() < 0.5) else None
        expected = []
        if gone:
            world.lift(gone)
            expected.append(Untag(seat=seat, uid=gone, source=world.link.name))
        began = clock()
        if laid:
            world.lay(laid)
            lying.append(laid)
            expected.append(Tag(seat=seat, uid=laid, source=world.link.name))
        for fact in expected:
            assert told.get(timeout=20) == fact
        if laid and not gone:
            taken.append((clock() - began) * 1000)
    return taken


def test_cards_that_come_and_go_on_four_disturbed_readers_are_told_once_each(tmp_path):
    assert len(come_and_go(tmp_path, rounds=6)) >= 8


def test_a_card_is_told_soon(tmp_path):
    taken = come_and_go(tmp_path, rounds=10, faults=False)
    assert statistics.median(taken) < 100  # about 26 where nothing else runs: half a pause and a poll


@pytest.mark.slow
def test_cards_come_and_go_for_minutes(tmp_path):
    taken = sorted(come_and_go(tmp_path, rounds=400, seed=random.randrange(1000)))
    print(f"\ncard to fact: median {taken[len(taken) // 2]:.0f} ms, p95 {taken[len(taken) * 95 // 100]:.0f} ms")
    assert taken[len(taken) // 2] < 200
