"""Programs that a test started, and reads from while they run."""

from __future__ import annotations

import subprocess
import threading
from typing import AnyStr


def rest_of(child: subprocess.Popen[AnyStr], *, within_s: float) -> tuple[AnyStr, AnyStr]:
    """All that *child* says from now on to its end, which it has reached then: (output, errors). After *within_s*
    seconds it is killed.

    A test that has read lines of it needs this: ``Popen.communicate`` reads beside the pipe's own file, and loses what
    that had read ahead.
    """
    assert child.stdout is not None
    assert child.stderr is not None
    patience = threading.Timer(within_s, child.kill)
    patience.start()
    try:
        out, errors = child.stdout.read(), child.stderr.read()
        child.wait()
    finally:
        patience.cancel()
    return out, errors
