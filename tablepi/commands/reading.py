"""The tag readers that a command uses by itself, without a game: those of a port, or of a table's file."""

from __future__ import annotations

import argparse
import queue
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..config import Config, ReaderConfig
from ..errors import BadInput, Missing
from ..facts import TWO_CARDS, Fact, Found, Lost
from ..views.words import Words, missing_in_words, reason_first
from .parts import supervised, tag_readers

INBOX = 256
"""Facts, presses and typed lines that may wait."""

OPENING_S = 5.0
"""Seconds that the readers get to be opened, before it is said which are missing."""


def readers_of(options: argparse.Namespace, config: Config) -> tuple[ReaderConfig, ...]:
    """The readers that the command line names: one port, or all of the table's file. Raises BadInput."""
    if options.reader is None and options.config is None:
        raise BadInput("which reader? give --reader PORT, or --config FILE whose readers are used")
    if options.reader is None and not config.readers:
        raise BadInput(f"{options.config}: no reader is named there: add one (readers: …), or give --reader PORT")
    if options.reader is None:
        return config.readers
    try:
        told = ReaderConfig(name="reader", port=options.reader, kind=options.kind, baud=options.baud, shared=True)
    except ValidationError as error:
        raise BadInput(f"--reader: {error.errors()[0]['msg'].removeprefix('Value error, ')}") from None
    return (told,)


def deck_of(options: argparse.Namespace, config: Config) -> Path:
    """The deck's file that the command line names, or the table's file. Raises BadInput."""
    deck: Path | None = options.deck or config.deck
    if deck is None:
        raise BadInput("which file is the deck's? give --deck deck.yaml, or name it in the table's file (deck: …)")
    return deck


def opened_readers(
    stack: ExitStack, readers: Sequence[ReaderConfig], inbox: queue.Queue[Any]
) -> tuple[Any, tuple[Fact, ...]]:
    """The readers' supervisor, on *stack*, and what it told already; what comes later is in *inbox*, each tag by its
    number alone. Raises Missing when none of the readers is there."""
    devices = tag_readers(tuple(readers), {}, virtual=False)
    tell_each_tag(devices)
    supervisor = stack.enter_context(supervised(devices, inbox))
    supervisor.wait_tried(OPENING_S)
    told = []
    while not inbox.empty():
        told.append(inbox.get())
    lost = {fact.device: fact.reason for fact in told if isinstance(fact, Lost) and fact.reason != TWO_CARDS}
    if len(lost) == len(readers):
        told = [f"{name}: {reason}" for name, reason in lost.items()]
        raise Missing(told[0] if len(told) == 1 else "\n  ".join(("none of the readers is there:", *told)))
    return supervisor, tuple(told)


def tell_each_tag(devices: Sequence[Any]) -> None:
    """Have the readers *devices* tell each tag as it is read: what it means in a game is no matter here."""
    for role in (role for device in devices for role in device.roles):
        role.means = "play"


def following(inbox: queue.Queue[Any], *, due: float | None = None, most_s: float | None = None) -> Any:
    """What comes next in *inbox*; None when nothing comes before the time *due* (monotonic), or within *most_s*."""
    waits = [] if most_s is None else [most_s]
    if due is not None:
        waits.append(max(0.001, due - time.monotonic()))
    try:
        return inbox.get(timeout=min(waits, default=None))
    except queue.Empty:
        return None


def device_in_words(fact: Lost | Found, words: Words) -> str:
    """What is to be said of a reader that is missing, is there again, or has two cards on it."""
    if isinstance(fact, Found):
        return words.say("{device} is there again.").format(device=fact.device)
    if fact.reason == TWO_CARDS:
        return missing_in_words(fact.device, words, reason=TWO_CARDS)
    return words.say("{device} is missing: {why}").format(device=fact.device, why=reason_first(fact.reason or ""))
