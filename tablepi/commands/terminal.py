"""What a person types at the terminal, line by line, into the inbox in which the devices' facts come, too."""

from __future__ import annotations

import os
import queue
import select
import threading
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TextIO

from ..views.words import Words

_FULL_INBOX_S = 0.1
"""Seconds after which who waits at a full inbox looks whether it is to stop."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that was typed, without its end; None: there will be no more."""

    line: str | None


ANSWERS = {"y": "yes", "n": "no", "s": "skip", "q": "quit"}
"""What a person may answer, by its letter: in every language, where that says nothing else by the letter."""


def answers_in(words: Words) -> str:
    """The answers with their letters, as they are told to a person."""
    return words.say("y yes, n no, s skip, q quit")


def answers_of(words: Words) -> dict[str, str]:
    """What each letter, and each word written out, means in a language: one of ``ANSWERS``."""
    told = [answer.split(" ") for answer in answers_in(words).split(", ")]
    meant = [(typed, means) for typed, means in zip(told, ANSWERS.values(), strict=True)]
    here = {typed: means for both, means in meant for typed in both}
    return ANSWERS | {means: means for means in ANSWERS.values()} | here


def somebody_at(terminal: TextIO | None) -> bool:
    """Whether a person may type at *terminal*."""
    return terminal is not None and not terminal.closed and terminal.isatty()


class TypedLines:
    """Puts each line of *terminal* into *inbox* as ``Typed``, from ``__enter__`` to ``__exit__``; none where it is
    closed, or no file.

    It reads the file's bytes, not the stream: a thread that waits within a stream keeps the program from ending.
    """

    def __init__(self, terminal: TextIO | None, inbox: queue.Queue[Any]) -> None:
        self._terminal = terminal
        self._inbox = inbox
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._read, name="terminal", daemon=True)
        self._fd = -1

    def __enter__(self) -> Self:
        with suppress(OSError, ValueError):  # it is closed, or a stand-in without a file
            self._fd = self._terminal.fileno() if self._terminal is not None else -1
        self._woken, self._waker = os.pipe()
        if self._fd >= 0:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._leaving.set()
        os.write(self._waker, b"!")
        if self._fd >= 0:
            self._thread.join()
        os.close(self._woken)
        os.close(self._waker)

    def _read(self) -> None:
        begun, received = b"", b"-"
        while received:
            ready, _, _ = select.select([self._fd, self._woken], [], [])
            if self._woken in ready:
                return
            try:
                received = os.read(self._fd, 4096)
            except OSError:  # the terminal has gone
                received = b""
            *lines, begun = (begun + received).split(b"\n")
            for line in lines if received or not begun else (*lines, begun):
                self._put(Typed(line.decode(errors="replace").rstrip("\r")))
        self._put(Typed(None))

    def _put(self, typed: Typed) -> None:
        while not self._leaving.is_set():
            with suppress(queue.Full):
                self._inbox.put(typed, timeout=_FULL_INBOX_S)
                return
