"""The notices reach a real datagram socket, and a game goes on when nobody listens."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tablepi.notify import SEND_TIMEOUT_S, Notifier

TIMEOUT_S = 5.0


@contextmanager
def listening(address: str | bytes) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(address)
        receiver.settimeout(TIMEOUT_S)
        yield receiver


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[socket.socket]:
    with listening(str(tmp_path / "notify")) as receiver:
        yield receiver


@pytest.fixture
def notifier(receiver: socket.socket) -> Notifier:
    return Notifier.from_environ({"NOTIFY_SOCKET": receiver.getsockname()})


def test_a_table_that_runs_says_so_in_order(receiver, notifier):
    notifier.ready()
    notifier.status("seat 2 to lead")
    notifier.watchdog()
    notifier.stopping()
    heard = [receiver.recv(200) for _ in range(4)]
    assert heard == [b"READY=1", b"STATUS=seat 2 to lead", b"WATCHDOG=1", b"STOPPING=1"]


def test_an_abstract_socket_is_reached():
    name = f"tablepi-test-{os.getpid()}"
    with listening(b"\0" + name.encode()) as receiver:
        Notifier.from_environ({"NOTIFY_SOCKET": "@" + name}).watchdog()
        assert receiver.recv(200) == b"WATCHDOG=1"


def test_a_status_of_two_lines_cannot_become_another_notice(receiver, notifier):
    notifier.status("reader-2 lost\nWATCHDOG=trigger")
    assert receiver.recv(200) == b"STATUS=reader-2 lost WATCHDOG=trigger"


def test_a_status_keeps_its_letters(receiver, notifier):
    notifier.status("à espera de Zé: ♥")
    assert receiver.recv(200).decode() == "STATUS=à espera de Zé: ♥"


def test_a_status_that_is_no_proper_text_still_goes_out(receiver, notifier):
    notifier.status("lost /dev/\udcff")
    assert receiver.recv(200) == b"STATUS=lost /dev/?"


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1234"}])
def test_without_a_socket_to_send_to_nothing_happens(environ):
    notifier = Notifier.from_environ(environ)
    notifier.ready()
    notifier.status("waiting")
    notifier.watchdog()
    notifier.stopping()
    assert notifier == Notifier()


def test_a_vanished_socket_does_not_stop_the_game(receiver, notifier):
    notifier.ready()
    assert receiver.recv(200) == b"READY=1"
    Path(receiver.getsockname()).unlink()
    notifier.watchdog()
    receiver.setblocking(False)
    with pytest.raises(BlockingIOError):
        receiver.recv(200)


def test_a_socket_whose_owner_died_does_not_stop_the_game(receiver, notifier):
    receiver.close()
    notifier.watchdog()
    assert Path(notifier.address).exists()


def test_a_full_receiver_holds_the_loop_up_only_briefly(receiver, notifier):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as flood:
        flood.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                flood.sendto(b"X=1", notifier.address)
    began = time.monotonic()
    notifier.watchdog()
    took = time.monotonic() - began
    assert SEND_TIMEOUT_S / 2 < took < TIMEOUT_S


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({"WATCHDOG_USEC": "20000000"}, 10.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}, 10.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getppid())}, None),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "me"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "²"}, None),
        ({}, None),
    ],
    ids=["anyone", "this process", "the parent", "no process", "off", "no number", "no plain digit", "not watched"],
)
def test_the_watchdog_is_fed_at_half_its_time_by_the_watched_process_only(environ, seconds):
    assert Notifier.from_environ(environ).watchdog_s == seconds
