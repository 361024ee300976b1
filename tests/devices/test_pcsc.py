"""PC/SC readers against the real service with a virtual reader (vpcd), whose cards are here; and what goes wrong."""

import os
import queue
import shutil
import socket
import struct
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from tablepi.cards import card
from tablepi.devices.pcsc import PcscReader
from tablepi.devices.roles import Role
from tablepi.devices.supervisor import DeviceLost, Supervisor
from tablepi.facts import Found, Lost, Tag, Untag

A, B = "04A1B2C3D4E580", "DEADBEEF"
DECK = {A: card("QS"), B: card("2C")}
ROLE = Role("reader-1", cards=DECK, seat=1)
QS = Tag(seat=1, card=card("QS"), uid=A, source="reader-1")
QS_GONE = Untag(seat=1, card=card("QS"), uid=A, source="reader-1")
TWO_C = Tag(seat=1, card=card("2C"), uid=B, source="reader-1")

READER = "Virtual PCD 00 00"
VPCD = ("127.0.0.1", 35963)
SERVICE = Path("/run/pcscd/pcscd.comm")


class VirtualCard:
    """A contactless card in the virtual reader, from ``__enter__`` to ``__exit__``: it speaks vpcd's protocol, a length
    of two bytes before each message, of which those of one byte are about its supply. *said* answers Get Data."""

    ATR = bytes.fromhex("3b8f8001804f0ca0000003060300030000000068")

    def __init__(self, said):
        self._said = said
        self._socket = None
        self._thread = threading.Thread(target=self._answer, daemon=True)

    def __enter__(self):
        self._socket = socket.create_connection(VPCD, timeout=10)
        self._socket.settimeout(None)
        self._thread.start()
        return self

    def __exit__(self, *_):
        with suppress(OSError):  # the service has ended
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _answer(self):
        with suppress(OSError), self._socket.makefile("rb") as heard:  # the reader is gone, or what it wanted
            while len(size := heard.read(2)) == 2:
                asked = heard.read(struct.unpack(">H", size)[0])
                if asked == b"\x04":
                    self._say(self.ATR)
                elif len(asked) > 1:
                    self._say(self._said if asked[:2] == b"\xff\xca" else b"\x6a\x81")

    def _say(self, said):
        self._socket.sendall(struct.pack(">H", len(said)) + said)


def uid(text):
    return bytes.fromhex(text) + b"\x90\x00"


class Service:
    """The real pcscd, started and stopped."""

    def __init__(self):
        self._running = None

    def start(self):
        self._running = subprocess.Popen(
            ["pcscd", "--foreground"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(1000):
            with socket.socket() as probe:
                if SERVICE.exists() and probe.connect_ex(VPCD) == 0:
                    return
            assert self._running.poll() is None, "pcscd ends at once"
            threading.Event().wait(0.01)
        pytest.fail("pcscd does not listen")

    def stop(self):
        if self._running is not None:
            self._running.terminate()
            self._running.wait()
            self._running = None


@pytest.fixture
def service():
    pytest.importorskip("smartcard.scard", reason="pyscard is not installed")
    if shutil.which("pcscd") is None or not Path("/etc/reader.conf.d/vpcd").exists():
        pytest.skip("no pcscd with a virtual reader: apt install pcscd vsmartcard-vpcd")
    if os.geteuid() != 0:
        pytest.skip("only root may start a pcscd")
    if SERVICE.exists():
        pytest.skip("a pcscd is running, which is not ours")
    service = Service()
    service.start()
    yield service
    service.stop()


@pytest.fixture
def told(service):
    """The inbox of a watched reader."""
    inbox = queue.Queue()
    with Supervisor([PcscReader(READER, ROLE)], inbox, backoff_s=(0.05,)) as supervisor:
        assert supervisor.wait_tried(10)
        yield inbox


def test_cards_come_and_go_on_the_real_service(told):
    with VirtualCard(uid(A)):
        assert told.get(timeout=10) == QS
    assert told.get(timeout=10) == QS_GONE
    with VirtualCard(uid(B)):
        assert told.get(timeout=10) == TWO_C


def test_a_card_that_does_not_say_its_number_is_passed_over(told):
    with VirtualCard(b"\x6a\x81"), pytest.raises(queue.Empty):
        told.get(timeout=1)
    with VirtualCard(uid(A)):
        assert told.get(timeout=10) == QS


def test_a_service_that_is_stopped_and_started_loses_nothing_that_lies_there(service, told):
    with VirtualCard(uid(A)):
        assert told.get(timeout=10) == QS
        service.stop()
        lost = told.get(timeout=10)
        assert (type(lost), lost.device) == (Lost, "reader-1")
    service.start()
    assert told.get(timeout=10) == Found(device="reader-1")
    assert told.get(timeout=10) == QS_GONE


def test_a_reader_is_found_by_a_part_of_its_name_that_no_other_has(service):
    with PcscReader("pcd 00 01", ROLE) as opened:
        assert opened.reader == "Virtual PCD 00 01"
    with pytest.raises(DeviceLost, match=r'several readers are called so.*"Virtual PCD 00 00", "Virtual PCD 00 01"'):
        PcscReader("Virtual", ROLE).__enter__()
    with pytest.raises(DeviceLost, match='ACR122U: no reader is called so: there are "Virtual PCD 00 00"'):
        PcscReader("ACR122U", ROLE).__enter__()


def test_a_cancelled_read_returns_at_once(service):
    with PcscReader(READER, ROLE) as opened:
        opened.read()  # how it is at the beginning
        came = queue.Queue()
        waiting = threading.Thread(target=lambda: came.put(opened.read()))
        waiting.start()
        opened.cancel()
        assert came.get(timeout=10) == ()
        waiting.join()


# --- what goes wrong --------------------------------------------------------------------------------------------------


def test_without_pyscard_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "smartcard", None)
    with pytest.raises(DeviceLost, match="ACR122U: pyscard is missing: sudo apt install python3-pyscard"):
        PcscReader("ACR122U", ROLE).__enter__()


NAMES = [
    *("SCARD_S_SUCCESS", "SCARD_SCOPE_SYSTEM", "SCARD_STATE_UNAWARE", "SCARD_E_NO_READERS_AVAILABLE"),
    *("SCARD_E_NO_SERVICE", "SCARD_E_SERVICE_STOPPED", "SCARD_W_SECURITY_VIOLATION", "SCARD_E_UNKNOWN_READER"),
    "SCARD_E_READER_UNAVAILABLE",
]


def library(*, opens=0, names=(), lists=0):
    """What stands in for pyscard where the service refuses: its calls give these codes."""
    codes = {name: 0 if name == "SCARD_S_SUCCESS" else number for number, name in enumerate(NAMES)}
    return SimpleNamespace(
        **codes,
        SCardEstablishContext=lambda scope: (opens, "context"),
        SCardReleaseContext=lambda context: 0,
        SCardListReaders=lambda context, groups: (lists, list(names)),
        SCardGetErrorMessage=lambda code: f"error {code}",
    )


@pytest.mark.parametrize(
    ("refusal", "modules", "why"),
    [
        ({"opens": 4}, "", "the service is not running: sudo systemctl enable --now pcscd.socket"),
        ({"opens": 6}, "", "this user may not use the service (polkit)"),
        ({"opens": 77}, "", "error 77"),
        ({"lists": 3}, "", "no reader is plugged in"),
        ({"lists": 3}, "pn533_usb 24576 0 - Live 0x0\npn533 1 1 pn533_usb\n", "the kernel's pn533_usb has taken it"),
        ({"names": ["ACS ACR122U 00", "ACS ACR122U 01"]}, "", "several readers are called so"),
    ],
)
def test_what_the_service_refuses_is_said_with_what_to_do(tmp_path, monkeypatch, refusal, modules, why):
    (tmp_path / "modules").write_text(modules)
    monkeypatch.setattr(PcscReader, "_library", lambda self: library(**refusal))
    reader = PcscReader("ACR122U", ROLE, modules=tmp_path / "modules")
    with pytest.raises(DeviceLost) as lost:
        reader.__enter__()
    assert str(lost.value).startswith(f"ACR122U: {why}")
