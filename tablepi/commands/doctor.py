"""``tablepi doctor``: what is to be mended on this machine, and how."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from ..config import BadConfig, Config, load_config
from ..errors import TablePiError
from ..facts import dumps
from ..machine.doctor import examined
from ..machine.findings import Finding, Looked
from ..machine.host import Host
from ..views.words import legible
from .config import complaints_of

SIGNS = {"mend": "!", "ok": "ok"}
"""What stands before a line: to be mended; well."""


def doctor(file: Path | None, *, store: Callable[[], Path], json: bool, host: Host, out: TextIO) -> int:
    """Print what every check finds on *host*, for the table of *file* if one is named. Returns 1 when something is to
    be mended. Raises BadConfig when there is no such file."""
    count = dict.fromkeys(("mend", "ok", "unknown"), 0)
    unseen: dict[str, list[str]] = {}
    for check, finding in examined(_looked(file, store, host)):
        count[finding.verdict] += 1
        if json:
            one = {"check": check.name, "verdict": finding.verdict, "text": finding.text, "mend": finding.how or None}
            print(dumps(one), file=out, flush=True)
        elif finding.verdict == "unknown":
            unseen.setdefault(finding.text, []).append(check.name)
        else:
            _tell(check.name, finding, out)
    for why, names in unseen.items():
        print(f"–  not looked at: {', '.join(names)}: {legible(why)}", file=out)
    if not json:
        print(f"{count['mend']} to mend, {count['ok']} well, {count['unknown']} not looked at", file=out)
    return 1 if count["mend"] else 0


def _tell(name: str, finding: Finding, out: TextIO) -> None:
    print(f"{SIGNS[finding.verdict]:<3}{name}: {legible(finding.text)}", file=out, flush=True)
    for line in finding.how.splitlines():
        print(f"       {legible(line)}", file=out, flush=True)


def _looked(file: Path | None, store: Callable[[], Path], host: Host) -> Looked:
    config, wrong = Config(), tuple[str, ...]()
    if file is not None:
        try:
            config = load_config(file)
        except BadConfig as bad:
            if not file.is_file():  # that is bad input, not a finding
                raise
            wrong = tuple(map(str, bad.complaints))

    def checked() -> tuple[str, ...]:
        return tuple(map(str, complaints_of(file, store))) if file is not None else ()

    try:
        return Looked(host, config, file, wrong, checked, store())
    except TablePiError as error:
        return Looked(host, config, file, wrong, checked, None, str(error))
