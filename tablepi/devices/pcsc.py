"""PC/SC readers, such as the ACR122U, by way of the service ``pcscd`` and pyscard (the extra ``pcsc``).

The service watches the reader and tells when a card comes or goes. A card is asked for its UID by the command that
PC/SC has for that (part 3, 3.2.2.1.3, Get Data: ``FF CA 00 00 00``). One card at a time is listed.

    closed --context, reader found--> watched --card--> asked for its UID --> presence --> facts
      ^                                 |
      +--------- DeviceLost ------------+  no service, not allowed, no such reader, unplugged
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..views.screen import Action
from .presence import GONE_S, Antenna
from .roles import Role
from .supervisor import DeviceLost

log = logging.getLogger(__name__)

LOOK_S = 0.1
"""Seconds between looks while it is not sure whether a card has left."""

WATCH_S = 2.0
"""Seconds after which the service is asked again, though it has told nothing."""

_GET_UID = [0xFF, 0xCA, 0x00, 0x00, 0x00]
_DONE = [0x90, 0x00]

_GRABBERS = ("pn533_usb", "pn533")
"""Modules of the kernel that take an ACR122U for themselves (https://github.com/acshk/acsccid/issues/3)."""


class PcscReader:
    """One PC/SC reader, a ``supervisor.Device``. *reader* is its name as the service has it, or a part of it that no
    other has; *role* and *gone_s* are those of ``Antenna``. *modules* lists those of the kernel."""

    def __init__(
        self,
        reader: str,
        role: Role,
        *,
        gone_s: float = GONE_S,
        clock: Callable[[], float] = time.monotonic,
        modules: Path = Path("/proc/modules"),
    ) -> None:
        self.name = role.name
        self.roles = (role,)
        self.antenna = Antenna(role, gone_s=gone_s)
        self.reader = ""
        """The name of the reader that was opened last."""
        self._wanted = reader
        self._clock = clock
        self._modules = modules
        self._lock = threading.Lock()  # between opening, closing and cancel
        self._context: Any = None
        self._cancelled = False
        self._state = 0
        self._uid: str | None = None

    def __enter__(self) -> Self:
        scard = self._library()
        code, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_SYSTEM)
        self._check(code)
        with self._lock:
            self._context, self._cancelled = context, False
        try:
            self.reader = self._found()
        except BaseException:
            self._close()
            raise
        self._state, self._uid = scard.SCARD_STATE_UNAWARE, None
        self.antenna.reopened(self._clock())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._close()

    def read(self) -> tuple[Action, ...]:
        """Wait until a card comes or goes, or it is sure that one has gone; return what follows, mostly nothing.

        Returns at once when ``cancel`` is or was called. Raises DeviceLost.
        """
        scard = self._library()
        if self._cancelled:
            return ()
        wait_s = LOOK_S if self.antenna.in_doubt else WATCH_S
        asked = [(self.reader, self._state)]
        code, told = scard.SCardGetStatusChange(self._context, int(wait_s * 1000), asked)
        if self._cancelled or code == scard.SCARD_E_CANCELLED:
            return ()
        if code != scard.SCARD_E_TIMEOUT:
            self._check(code)
            state = told[0][1]
            if state & (scard.SCARD_STATE_UNKNOWN | scard.SCARD_STATE_UNAVAILABLE | scard.SCARD_STATE_IGNORE):
                raise self._lost("it was unplugged: plug it in again")
            self._state = state & ~scard.SCARD_STATE_CHANGED
            self._uid = self._asked() if state & scard.SCARD_STATE_PRESENT else None
        elif self._uid is None and self._state & scard.SCARD_STATE_PRESENT:
            self._uid = self._asked()  # it could not be read when it came
        return self.antenna.polled((self._uid,) if self._uid is not None else (), self._clock())

    def cancel(self) -> None:
        """Wake ``read``, from another thread."""
        with self._lock:
            self._cancelled = True
            if self._context is not None:
                self._library().SCardCancel(self._context)

    # --- the service

    def _close(self) -> None:
        with self._lock:
            context, self._context = self._context, None
        if context is not None:
            self._library().SCardReleaseContext(context)

    def _library(self) -> Any:
        try:
            from smartcard import scard
        except ImportError as error:
            raise self._lost(
                "pyscard is missing: sudo apt install python3-pyscard, or pip install 'tablepi[pcsc]'"
            ) from error
        return scard

    def _found(self) -> str:
        """The one reader whose name has what is wanted. Raises DeviceLost."""
        scard = self._library()
        code, names = scard.SCardListReaders(self._context, [])
        if code != scard.SCARD_E_NO_READERS_AVAILABLE:
            self._check(code)
        fitting = [str(name) for name in names if self._wanted.casefold() in name.casefold()]
        if self._wanted in fitting:
            return self._wanted
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise self._lost(f"several readers are called so: write more of the name of one ({_listed(fitting)})")
        if names:
            raise self._lost(f"no reader is called so: there are {_listed(names)}")
        if (grabber := self._grabber()) is not None:
            raise self._lost(
                f"the kernel's {grabber} has taken it: sudo modprobe -r {grabber}, and hardware/README.md for good"
            )
        raise self._lost("no reader is plugged in: plug it in")

    def _grabber(self) -> str | None:
        try:
            loaded = {line.split(" ", 1)[0] for line in self._modules.read_text().splitlines()}
        except OSError:
            return None
        return next((name for name in _GRABBERS if name in loaded), None)

    def _asked(self) -> str | None:
        """The UID of the card that lies there; None when it cannot be read, as one that has just gone."""
        scard = self._library()
        protocols = scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1
        code, card, protocol = scard.SCardConnect(self._context, self.reader, scard.SCARD_SHARE_SHARED, protocols)
        if code != scard.SCARD_S_SUCCESS:
            log.info("%s: the card cannot be read: %s", self.reader, scard.SCardGetErrorMessage(code))
            return None
        try:
            pci = scard.SCARD_PCI_T0 if protocol == scard.SCARD_PROTOCOL_T0 else scard.SCARD_PCI_T1
            code, said = scard.SCardTransmit(card, pci, _GET_UID)
        finally:
            scard.SCardDisconnect(card, scard.SCARD_LEAVE_CARD)
        if code != scard.SCARD_S_SUCCESS or said[-2:] != _DONE or len(said) < 6:
            log.info("%s: the card does not say its number", self.reader)
            return None
        return bytes(said[:-2]).hex().upper()

    def _check(self, code: int) -> None:
        """Raises DeviceLost unless *code* is that of a success."""
        scard = self._library()
        if code == scard.SCARD_S_SUCCESS:
            return
        why = {
            scard.SCARD_E_NO_SERVICE: "the service is not running: sudo systemctl enable --now pcscd.socket",
            scard.SCARD_E_SERVICE_STOPPED: "the service was stopped: sudo systemctl start pcscd.socket",
            scard.SCARD_W_SECURITY_VIOLATION: (
                "this user may not use the service (polkit): see hardware/README.md, or run as a user who is logged in"
            ),
            scard.SCARD_E_UNKNOWN_READER: "it was unplugged: plug it in again",
            scard.SCARD_E_READER_UNAVAILABLE: "it was unplugged: plug it in again",
        }.get(code)
        raise self._lost(why or scard.SCardGetErrorMessage(code))

    def _lost(self, why: str) -> DeviceLost:
        return DeviceLost(f"{self._wanted}: {why}")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
