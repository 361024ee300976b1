"""The virtual PN532 says what a real one would: transcripts of real exchanges, and two libraries that others wrote."""

import os
import select
import termios
import tty
from contextlib import contextmanager

import pytest

from tablepi.virtual.pn532 import RF_S, Chip, VirtualPn532

NTAG, OTHER_NTAG, CLASSIC = "04A1B2C3D4E580", "04A1B2C3D4E581", "DEADBEEF"
ACK = "0000ff00ff00"
NACK = "0000ffff0000"
SYNTAX_ERROR = "0000ff01ff7f8100"
WAKE = "5555" + 15 * "00"
FIRMWARE = "0000ff02fed4022a00"
FIRMWARE_1_6 = "0000ff06fad50332010607e800"
SAM = "0000ff05fbd4140114010200"
FEW_RETRIES = "0000ff06fad43205ff0102f300"
FIELD_OFF = "0000ff04fcd4320100f900"
LIST_ONE, LIST_TWO = "0000ff04fcd44a0100e100", "0000ff04fcd44a0200e000"
NONE = "0000ff03fdd54b00e000"
PARAMETERS_NONE = "0000ff03fdd412001a00"


def awake(*cards):
    chip = Chip()
    chip.hear(bytes.fromhex(WAKE), 0.0)
    for uid in cards:
        chip.lay(uid)
    return chip


def said(chip, *frames, at=0.0):
    """What the chip says to *frames*, each after the answer to the one before, in hex without the ACKs of commands."""
    answers = []
    for sent in frames:
        reply = chip.hear(bytes.fromhex(sent), at)
        while chip.due is not None:
            at = max(at, chip.due)
            reply += chip.say(at)
        answers.append(reply.hex().removeprefix(ACK))
    return answers


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (FIRMWARE, FIRMWARE_1_6),
        (SAM, "0000ff02fed5151600"),
        (FEW_RETRIES, "0000ff02fed533f800"),
        (FIELD_OFF, "0000ff02fed533f800"),
        (PARAMETERS_NONE, "0000ff02fed5131800"),
        ("0000ff02fed4022a", FIRMWARE_1_6),  # its postamble is not waited for
        ("0000ff02fed402", ""),  # the checksum is
        ("0000ff02fed4999300", SYNTAX_ERROR),  # no such command
        ("0000ff02fed4022b00", ""),  # the checksum is wrong: it is not even acknowledged
        ("0000ff02ffd4022a00", ""),  # that of the length
        ("00ff02fed4022a", FIRMWARE_1_6),  # neither preamble nor postamble
        ("0000ffffff0002fed4022a00", FIRMWARE_1_6),  # an extended frame
        ("a5ff00" + FIRMWARE, FIRMWARE_1_6),  # noise before
    ],
)
def test_a_command_is_answered_by_the_byte(command, answer):
    chip = awake()
    reply = chip.hear(bytes.fromhex(command), 0.0) + chip.say(0.0)
    assert reply.hex() == (ACK + answer if answer else "")


@pytest.mark.parametrize(
    ("cards", "command", "answer"),
    [
        ([], LIST_TWO, NONE),
        ([NTAG], LIST_TWO, "0000ff0ff1d54b01010044000704a1b2c3d4e5804000"),
        ([CLASSIC], LIST_TWO, "0000ff0cf4d54b010100040804deadbeef9600"),
        ([NTAG, CLASSIC], LIST_ONE, "0000ff0cf4d54b010100040804deadbeef9600"),
    ],
    ids=["none", "seven bytes", "four bytes", "one of two"],
)
def test_cards_are_listed_by_the_byte(cards, command, answer):
    assert said(awake(*cards), FEW_RETRIES, command)[1] == answer


def test_two_cards_are_listed_as_the_air_orders_them_and_a_third_is_not_seen():
    two = ["0000ff1be5d54b02010044000704a1b2c3d4e581020044000704a1b2c3d4e5809e00"]
    assert said(awake(NTAG, OTHER_NTAG), LIST_TWO) == two
    assert said(awake(OTHER_NTAG, NTAG), LIST_TWO) == two
    assert said(awake(OTHER_NTAG, NTAG, "04A1B2C3D4E500"), LIST_TWO) == two


@pytest.mark.parametrize("piece", [1, 2, 3, 7])
def test_a_command_may_come_in_pieces(piece):
    chip, sent = awake(), bytes.fromhex(FIRMWARE + SAM)
    heard = b"".join(chip.hear(sent[i : i + piece], 0.0) + chip.say(0.0) for i in range(0, len(sent), piece))
    assert heard.hex() == ACK + FIRMWARE_1_6 + ACK + "0000ff02fed5151600"


def test_it_sleeps_until_it_is_woken_and_what_comes_meanwhile_is_lost():
    chip = Chip()
    assert said(chip, FIRMWARE)[0] == ""
    chip.power_up()
    assert said(chip, "55" + FIRMWARE)[0] == ""  # its clock has only begun
    chip.power_up()
    assert said(chip, WAKE + FIRMWARE)[0] == FIRMWARE_1_6
    chip.power_up()
    assert said(chip, 10 * "00" + FIRMWARE)[0] == FIRMWARE_1_6  # nfcpy wakes it like this
    assert said(chip, "0000ff03fdd41610060000", FIRMWARE) == ["0000ff03fdd517001400", ""]  # PowerDown


def test_a_search_without_retries_set_ends_when_a_card_comes_or_the_host_ends_it():
    chip = awake()
    assert chip.hear(bytes.fromhex(LIST_TWO), 0.0).hex() == ACK
    assert chip.say(RF_S) == b""
    assert chip.due is None
    chip.lay(CLASSIC)
    chip.look(60.0)
    assert chip.say(60.0 + RF_S).hex() == "0000ff0cf4d54b010100040804deadbeef9600"
    chip.lift(CLASSIC)
    chip.hear(bytes.fromhex(LIST_TWO), 61.0)
    assert chip.hear(bytes.fromhex(ACK), 61.0) == b""
    chip.lay(CLASSIC)
    chip.look(62.0)
    assert chip.due is None


def test_what_is_ended_too_late_is_answered_before_the_next():
    chip = awake(CLASSIC)
    chip.too_late = True
    chip.hear(bytes.fromhex(LIST_TWO), 0.0)
    assert chip.hear(bytes.fromhex(ACK + FIRMWARE), 0.001).hex() == "0000ff0cf4d54b010100040804deadbeef9600" + ACK


def test_an_answer_is_said_again_when_it_was_not_understood():
    chip = awake()
    chip.damaged = 1
    assert said(chip, FIRMWARE, NACK) == [FIRMWARE_1_6.replace("e800", "1700"), FIRMWARE_1_6]


def test_the_supply_takes_its_settings_with_it():
    chip = awake()
    said(chip, FEW_RETRIES, "0000ff03fdd410071500", ACK)
    assert chip.speed == 921600
    chip.power_up()
    assert chip.speed == 115200
    chip.hear(bytes.fromhex(WAKE + LIST_TWO), 0.0)
    assert chip.say(99.0) == b""  # it searches for ever


def test_the_speed_changes_when_its_answer_is_acknowledged():
    chip = awake()
    assert said(chip, "0000ff03fdd410071500") == ["0000ff02fed5111a00"]
    assert chip.speed == 115200
    chip.hear(bytes.fromhex(ACK), 0.0)
    assert chip.speed == 921600


def test_a_telephone_is_told_with_its_iso_14443_4_and_has_another_number_after_each_field():
    chip = awake()
    chip.lay("08AABBCC", phone=True)
    first, without, off, second = said(chip, LIST_ONE, PARAMETERS_NONE, FIELD_OFF, LIST_ONE)
    assert first == "0000ff11efd54b010100042004" + "08aabbcc" + "0578807002" + "0e00"
    assert (without, off) == ("0000ff02fed5131800", "0000ff02fed533f800")
    assert second.startswith("0000ff0cf4d54b01010004200408")
    assert second[26:34] != first[26:34]


def test_the_field_is_on_from_a_search_until_it_is_switched_off():
    chip = awake()
    fields = [chip.field]
    for command in (LIST_TWO, ACK, FIELD_OFF):
        said(chip, command)
        fields.append(chip.field)
    assert fields == [False, True, True, False]


def test_the_field_of_a_neighbour_hides_the_cards():
    chip, neighbour = awake(NTAG), awake()
    chip.neighbours = (neighbour,)
    said(neighbour, FEW_RETRIES, LIST_TWO)
    assert said(chip, FEW_RETRIES, LIST_TWO)[1] == NONE
    said(neighbour, FIELD_OFF)
    assert said(chip, LIST_TWO)[0].startswith("0000ff0ff1d54b01")


@contextmanager
def opened(world, speed=termios.B115200):
    """The program's end of the port, at a speed."""
    fd = os.open(world.link, os.O_RDWR | os.O_NOCTTY)
    try:
        settings = termios.tcgetattr(fd)
        settings[tty.ISPEED] = settings[tty.OSPEED] = speed
        termios.tcsetattr(fd, termios.TCSANOW, settings)
        yield fd
    finally:
        os.close(fd)


def exchanged(fd, sent, count):
    """*count* bytes that come after *sent*; fails when they do not come."""
    os.write(fd, bytes.fromhex(sent))
    taken = b""
    while len(taken) < count:
        assert select.select([fd], [], [], 5)[0], f"only {taken.hex()} came"
        taken += os.read(fd, count - len(taken))
    return taken.hex()


@pytest.mark.parametrize("piece", [None, 1, 5])
def test_it_answers_at_its_port(tmp_path, piece):
    with VirtualPn532(tmp_path / "reader", piece=piece) as world, opened(world) as fd:
        assert exchanged(fd, WAKE + FIRMWARE, 19) == ACK + FIRMWARE_1_6


def test_at_another_speed_each_hears_noise(tmp_path):
    with VirtualPn532(tmp_path / "reader") as world, opened(world, termios.B921600) as fd:
        os.write(fd, bytes.fromhex(WAKE + FIRMWARE))
        assert not select.select([fd], [], [], 0.1)[0]
        world.chip.speed = 921600
        assert exchanged(fd, FIRMWARE, 19) == ACK + FIRMWARE_1_6


def test_a_card_that_comes_ends_a_search(tmp_path):
    with VirtualPn532(tmp_path / "reader") as world, opened(world) as fd:
        assert exchanged(fd, WAKE + LIST_ONE, 6) == ACK
        world.lay(CLASSIC)
        assert exchanged(fd, "", 19) == "0000ff0cf4d54b010100040804deadbeef9600"
        with pytest.raises(KeyError):
            world.lift(NTAG)


@pytest.mark.parametrize("moment", ["heard", "acknowledged", "answered"])
def test_the_plug_falls_out_when_it_is_to(tmp_path, moment):
    with VirtualPn532(tmp_path / "reader") as world, opened(world) as fd:
        world.falls_out = (0x02, moment)
        os.write(fd, bytes.fromhex(WAKE + FIRMWARE))
        end = select.poll()
        end.register(fd, 0)  # only the hang-up
        assert end.poll(5000)
        assert not world.link.is_symlink()
        world.replug()
        assert world.chip.asleep


# --- the judges -----------------------------------------------------------------------------------------------------

judged = pytest.mark.filterwarnings("ignore")  # of what those libraries do


@judged
def test_adafruits_library_reads_cards(tmp_path):
    library = pytest.importorskip("adafruit_pn532.uart", reason="adafruit-circuitpython-pn532 is not installed")
    import serial

    with VirtualPn532(tmp_path / "reader") as world, serial.Serial(str(world.link), 115200, timeout=0.1) as port:
        reader = library.PN532_UART(port)
        assert reader.firmware_version == (0x32, 1, 6, 7)
        assert reader.read_passive_target(timeout=0.1) is None
        for uid in (NTAG, CLASSIC):
            world.lay(uid)
            assert reader.read_passive_target(timeout=2).hex().upper() == uid
            world.lift(uid)


@judged
def test_nfcpy_reads_cards_and_leaves_the_chip_faster_when_it_crashes(tmp_path):
    reason = "nfcpy is not installed"
    nfc = pytest.importorskip("nfc", reason=reason)
    pn532 = pytest.importorskip("nfc.clf.pn532", reason=reason)
    transport = pytest.importorskip("nfc.clf.transport", reason=reason)
    from nfc.clf import RemoteTarget

    with VirtualPn532(tmp_path / "reader") as world:
        clf = nfc.ContactlessFrontend()
        clf.device = device = pn532.init(transport.TTY(str(world.link)))
        assert (device._chipset_name, world.chip.speed) == ("PN532v1.6", 921600)
        assert clf.sense(RemoteTarget("106A")) is None
        world.lay(NTAG)
        target = clf.sense(RemoteTarget("106A"))
        assert target.sdd_res.hex().upper() == NTAG
        tag = nfc.tag.activate(clf, target)
        assert tag.identifier.hex().upper() == NTAG
        assert tag.type == "Type2Tag"
        assert world.chip.speed == 921600  # and so it stays if the program ends here
        device.close()
        assert (world.chip.speed, world.chip.asleep) == (115200, True)
