"""The table as a service: its unit, and the user it runs as."""

from __future__ import annotations

from ..findings import Check, Finding, Findings, Looked, mend, ok, unknown
from ..host import Host

GROUPS = ("dialout", "gpio", "input", "render", "tty", "video")

AGAIN = "sudo cp systemd/tablepi.service /etc/systemd/system/ && sudo systemctl daemon-reload"


def unit(host: Host) -> dict[str, list[str]]:
    """The settings of the installed unit and of what was added to it, each with all its values; empty without one."""
    folders = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")
    texts = [text for folder in folders if (text := host.text(f"{folder}/tablepi.service"))][:1]
    if not texts:
        return {}
    texts += map(host.text, host.entries("/etc/systemd/system/tablepi.service.d", "*.conf"))
    told: dict[str, list[str]] = {}
    for line in "\n".join(texts).splitlines():
        key, equals, value = line.strip().partition("=")
        if not equals or key.startswith(("#", ";")):
            continue
        if value.strip():
            told.setdefault(key.strip(), []).append(value.strip())
        else:  # an empty value takes back what was set before
            told.pop(key.strip(), None)
    return told


_NO_UNIT = unknown("the table is no service here")


def _watchdog(looked: Looked) -> Findings:
    told = unit(looked.host)
    if not told:
        return _NO_UNIT
    if told.get("Type", ["simple"])[-1] == "notify" and told.get("WatchdogSec", ["0"])[-1] not in ("0", "infinity"):
        return ok(f"a table that hangs is started anew after {told['WatchdogSec'][-1]} s")
    return mend("the unit does not notice a table that hangs (Type=notify, WatchdogSec=20)", AGAIN)


def _folder(looked: Looked) -> Findings:
    """lgpio leaves a pipe in its working folder, and changes to LG_WD at its import (gpiozero 1106)."""
    told = unit(looked.host)
    if not told:
        return _NO_UNIT
    if "WorkingDirectory" in told and any(each.strip('"').startswith("LG_WD=") for each in told.get("Environment", [])):
        return ok("lgpio has a folder that it may write to")
    return mend("the unit gives lgpio no folder that it may write to (WorkingDirectory, LG_WD)", AGAIN)


def _console(looked: Looked) -> Findings:
    told = unit(looked.host)
    if not told:
        return _NO_UNIT
    if any("getty@tty1.service" in each.split() for each in told.get("Conflicts", [])):
        return ok("no login is under the table's screen")
    return mend("a login is left under the table's screen, and gets its keys (Conflicts=getty@tty1.service)", AGAIN)


def _groups(looked: Looked) -> Findings:
    host = looked.host
    if not unit(host):
        return _NO_UNIT
    users = {line.partition(":")[0] for line in host.text("/etc/passwd").splitlines()}
    groups = {line.partition(":")[0] for line in host.text("/etc/group").splitlines()}
    found: list[Finding] = []
    lacking = [group for group in GROUPS if group not in groups]
    if "tablepi" not in users or lacking:
        what = "there is no user tablepi" if "tablepi" not in users else f"there is no group {', '.join(lacking)}"
        how = "sudo cp systemd/sysusers-tablepi.conf /etc/sysusers.d/tablepi.conf && sudo systemd-sysusers"
        found.append(mend(f"{what}: the service does not start (216/GROUP, 217/USER)", how))
    return found or ok("the service's user and groups are there")


CHECKS = (
    Check("watchdog-unit", "the service is started anew when the table hangs", _watchdog),
    Check("unit-folder", "the service gives lgpio a folder that it may write to", _folder),
    Check("unit-console", "the service has the screen and its keys to itself", _console),
    Check("unit-groups", "the service's user and groups are there", _groups),
)
