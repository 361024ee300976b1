"""The threads of devices: losses, bugs, a full inbox, and the end. Scripted devices; real ones in ``test_readers``."""

import queue
import threading

import pytest

from tablepi.devices.supervisor import DeviceLost, Supervisor
from tablepi.errors import BadInput, Missing
from tablepi.facts import Found, Lost, Tag, Tick

TAG = Tag(seat=0, uid="DEADBEEF", source="reader-0")


class ScriptedDevice:
    """A device that does what its script says: at each opening one list of acts, each a fact, an error or ``wait``.

    After the script it opens and waits. *opened* counts the openings that went well.
    """

    def __init__(self, name, *script):
        self.name = name
        self.opened = 0
        self.waiting = threading.Event()
        self._script = [list(acts) for acts in script]
        self._acts = []
        self._cancelled = threading.Event()

    def __enter__(self):
        self._acts = self._script.pop(0) if self._script else []
        if self._acts and self._acts[0] == "missing":
            raise DeviceLost(f"{self.name}: not there")
        self.opened += 1
        return self

    def __exit__(self, *exc):
        pass

    def read(self):
        if not self._acts:
            self.waiting.set()
            self._cancelled.wait()
            return ()
        act = self._acts.pop(0)
        if isinstance(act, Exception):
            raise act
        return (act,)

    def cancel(self):
        self._cancelled.set()


def drained(inbox):
    return [inbox.get_nowait() for _ in range(inbox.qsize())]


def test_facts_come_in_their_order():
    inbox = queue.Queue()
    device = ScriptedDevice("reader-0", [TAG, Tick(), TAG])
    with Supervisor([device], inbox):
        assert device.waiting.wait(5)
    assert drained(inbox) == [TAG, Tick(), TAG]


def test_a_device_that_is_lost_is_reported_once_and_tried_until_it_is_found():
    inbox = queue.Queue()
    device = ScriptedDevice(
        "reader-0", [TAG, DeviceLost("/dev/x: it was unplugged")], ["missing"], ["missing"], ["missing"], [TAG]
    )
    with Supervisor([device], inbox, backoff_s=(0.0,)):
        assert device.waiting.wait(5)
    assert drained(inbox) == [
        TAG,
        Lost(device="reader-0", reason="/dev/x: it was unplugged"),
        Found(device="reader-0"),
        TAG,
    ]
    assert device.opened == 2


def test_a_device_that_opens_at_the_first_try_is_not_found_because_it_was_not_lost():
    inbox = queue.Queue()
    device = ScriptedDevice("reader-0")
    with Supervisor([device], inbox) as supervisor:
        assert supervisor.wait_tried(5)
        assert device.waiting.wait(5)
    assert drained(inbox) == []


def test_a_lost_device_is_something_missing_to_the_person_who_started_the_table():
    assert issubclass(DeviceLost, Missing)
    assert DeviceLost.status == 3


def test_a_bug_in_a_thread_wakes_the_loop_and_is_raised_there():
    inbox = queue.Queue()
    bug = ZeroDivisionError("a bug")
    broken = ScriptedDevice("reader-0", [TAG, bug])
    well = ScriptedDevice("reader-1")

    def loop():
        with Supervisor([broken, well], inbox) as supervisor:
            while True:
                inbox.get(timeout=5)
                supervisor.check()

    with pytest.raises(ZeroDivisionError) as raised:
        loop()
    assert raised.value is bug


def test_the_fact_of_a_bug_says_that_the_device_is_lost():
    inbox = queue.Queue()
    supervisor = Supervisor([ScriptedDevice("reader-0", [KeyError("seat")])], inbox)

    def run():
        with supervisor:
            assert inbox.get(timeout=5) == Lost(device="reader-0", reason="fault in tablepi: KeyError('seat')")

    with pytest.raises(KeyError):  # at the end too: nobody asked in between
        run()


def test_what_a_person_named_wrongly_is_no_fault_of_ours():
    inbox = queue.Queue()
    supervisor = Supervisor([ScriptedDevice("camera", [BadInput("film.mp4: there is no such file")])], inbox)

    def run():
        with supervisor:
            assert inbox.get(timeout=5) == Lost(device="camera", reason="film.mp4: there is no such file")

    with pytest.raises(BadInput):
        run()


def test_the_error_of_the_loop_is_not_hidden_by_a_bug_in_a_thread():
    inbox = queue.Queue()

    def loop():
        with Supervisor([ScriptedDevice("reader-0", [KeyError("seat")])], inbox):
            inbox.get(timeout=5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loop()


def test_a_producer_waits_while_the_inbox_is_full_and_loses_nothing():
    inbox = queue.Queue(maxsize=1)
    told = [Tag(seat=0, uid=f"{n:08X}", source="reader-0") for n in range(50)]
    device = ScriptedDevice("reader-0", told)
    with Supervisor([device], inbox):
        assert [inbox.get(timeout=5) for _ in told] == told
        assert device.waiting.wait(5)
    assert inbox.empty()


def test_a_producer_at_a_full_inbox_can_be_stopped():
    inbox = queue.Queue(maxsize=1)
    supervisor = Supervisor([ScriptedDevice("reader-0", [TAG] * 5)], inbox)
    with supervisor:
        assert supervisor.stop(deadline_s=5) == ()


def test_a_device_in_its_back_off_can_be_stopped():
    inbox = queue.Queue()
    supervisor = Supervisor([ScriptedDevice("reader-0", ["missing"])], inbox, backoff_s=(3600.0,))
    with supervisor:
        assert inbox.get(timeout=5) == Lost(device="reader-0", reason="reader-0: not there")
        assert supervisor.stop(deadline_s=5) == ()


def test_a_device_that_hangs_is_named_and_does_not_keep_the_others():
    hanging, well = ScriptedDevice("reader-0"), ScriptedDevice("reader-1")
    released = hanging._cancelled
    hanging.cancel = lambda: None
    supervisor = Supervisor([hanging, well], queue.Queue())
    with supervisor:
        assert hanging.waiting.wait(5)
        assert well.waiting.wait(5)
        assert supervisor.stop(deadline_s=0.05) == ("reader-0",)
        released.set()


def test_attempts_slow_down_until_the_device_can_be_read(monkeypatch):
    pauses = []
    supervisor = Supervisor([ScriptedDevice("reader-0")], queue.Queue(), backoff_s=(1.0, 2.0, 5.0))
    lost = DeviceLost("x")
    supervisor._watches[0].device = device = ScriptedDevice(
        "reader-0", ["missing"], [lost], ["missing"], ["missing"], [TAG, lost], ["missing"]
    )
    stopping = supervisor._stopping
    monkeypatch.setattr(stopping, "wait", lambda pause: pauses.append(pause))
    with supervisor:
        assert device.waiting.wait(5)
    assert pauses == [1.0, 2.0, 5.0, 5.0, 1.0, 2.0]
