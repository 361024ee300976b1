"""Long tests wait for ``--slow``, and an error in the log fails the test that caused it.

A part that meets trouble reports it as a fact or raises; what it only logs as an error is trouble that nobody handled.
A test that means to cause such a record says so: ``@pytest.mark.logs_errors``.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

from .core.contract_lines import check_lines
from .script import Told


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the long tests (marked slow)")
    parser.addoption("--kernel-pins", action="store_true", help="a header's pins are the kernel's, not mock pins")


def pytest_configure(config: pytest.Config) -> None:
    # OpenCV asks once, at the first film that a process writes or reads; tests write some before tablepi reads any.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if "s" not in config.option.reportchars:  # a skipped test says why
        config.option.reportchars += "s"
    # The gate tries the same examples each time: it judges a change, not a day's luck. --slow tries new ones. How long
    # they take is no part of the judgement: a busy machine fails nothing.
    patient: dict[str, Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
    hypothesis.settings.register_profile("gate", derandomize=True, **patient)
    hypothesis.settings.register_profile("long", **patient)
    hypothesis.settings.load_profile("long" if config.getoption("--slow") else "gate")
    # Whoever starts the tests in the background of a script has them ignore some signals, and all that they start would
    # inherit that, and never hear what a test sends it. A signal with a handler is given to a child as by default.
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    config.addinivalue_line("markers", "logs_errors: the test means to cause records of level ERROR or CRITICAL")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    long = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]


class _Errors(logging.Handler):
    """Keeps what was logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    # A hook, not a fixture: hypothesis runs one test many times and objects to fixtures that are made once for all.
    errors = _Errors()
    logging.getLogger().addHandler(errors)
    try:
        outcome = yield
    finally:
        logging.getLogger().removeHandler(errors)
    if errors.messages and not item.get_closest_marker("logs_errors"):
        pytest.fail("unexpected in the log: " + "; ".join(errors.messages), pytrace=False)
    return outcome


@pytest.fixture(autouse=True)
def _in_the_contracts_form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test tells a table by script is answered in the contract's form and order."""
    told: list[Told] = []
    made = Told.__init__

    def remember(self: Told, *script: Any) -> None:
        told.append(self)
        made(self, *script)

    if not hasattr(request.function, "hypothesis"):  # those check their answers themselves
        monkeypatch.setattr(Told, "__init__", remember)
    yield
    for table in told:
        check_lines(enumerate(table.answers, 1))


@pytest.fixture
def x_server() -> Iterator[str]:
    """The name of an X server of its own, such as ``:103``."""
    read, write = os.pipe()
    # A number that no other worker uses: a server that ends takes away the socket of one that has just begun.
    number = f":{100 + os.getpid() % 5000}"
    command = ["Xvfb", number, "-displayfd", str(write), "-screen", "0", "1100x700x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as told:
            assert told.readline().strip(), "Xvfb did not start"
        yield number
    finally:
        server.terminate()
        server.wait(10)
