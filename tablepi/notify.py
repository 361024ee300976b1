"""Tells systemd how the program is doing: ready, alive, what it waits for, stopping.

Only the loop calls this, so that a loop that hangs is restarted. The protocol is one datagram of ``NAME=value`` lines
to a socket named in the environment (``sd_notify(3)``); a package for that would be larger than the code.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

SEND_TIMEOUT_S = 0.1
"""Longest that a message may hold up the loop when the receiver's queue is full."""


@dataclass(frozen=True, slots=True)
class Notifier:
    """Sends notices to *address*, or nowhere when that is empty: outside systemd every call does nothing.

    *watchdog_s* is how often, in seconds, ``watchdog`` must be called: half the time after which systemd restarts the
    program. It is None when nobody watches.
    """

    address: str = ""
    watchdog_s: float | None = None

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Notifier:
        """The notifier that *environ* (such as ``os.environ``) asks for; values it cannot use count as absent."""
        address = environ.get("NOTIFY_SOCKET", "")
        return cls(address if address.startswith(("/", "@")) else "", _watchdog_s(environ))

    def ready(self) -> None:
        """The loop runs and takes cards."""
        self._send("READY=1")

    def status(self, text: str) -> None:
        """Show *text* as the state of the service in ``systemctl status``; line breaks become spaces."""
        self._send("STATUS=" + " ".join(text.split()))

    def watchdog(self) -> None:
        """The loop has done a whole turn."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The program is on its way out and should be given time to finish."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self.address:
            return
        # A leading "@" stands for the zero byte that marks Linux' abstract socket names.
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to_systemd:
                to_systemd.settimeout(SEND_TIMEOUT_S)
                to_systemd.sendto(message.encode(errors="replace"), address)
        except OSError:
            # The receiver is gone, full or refuses: a game never stops for that, and there is nobody else to tell.
            return


def _watchdog_s(environ: Mapping[str, str]) -> float | None:
    # WATCHDOG_PID names the process that is watched; a child that inherits the environment is not.
    watched, usec = environ.get("WATCHDOG_PID", ""), environ.get("WATCHDOG_USEC", "")
    if watched and watched != str(os.getpid()):
        return None
    if not usec.isascii() or not usec.isdigit() or int(usec) == 0:
        return None
    return int(usec) / 2_000_000
