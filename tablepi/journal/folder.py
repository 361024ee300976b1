"""Where the store is, and whether what is written there survives a restart."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ..errors import BadInput, Missing

_FORGETFUL = {
    "overlay": "an overlay (raspi-config, Performance, Overlay File System)",
    "tmpfs": "memory (tmpfs)",
    "ramfs": "memory (ramfs)",
}


def store_folder(option: str | None, environ: Mapping[str, str]) -> Path:
    """The store's folder, absolute, made when it is not there: ``--store``, else ``TABLEPI_STORE``, else systemd's
    ``STATE_DIRECTORY`` (the first of its list), else the user's data directory.

    Raises BadInput when something that is no folder stands in its place, Missing when it cannot be made or entered.
    """
    chosen, told_by = _chosen(option, environ)
    folder = Path(os.path.abspath(chosen.expanduser()))  # noqa: PTH100 (a link stays a link in messages)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise BadInput(
            f"{folder} ({told_by}): a file is in the way: name a folder, such as --store ~/tablepi"
        ) from None
    except OSError as error:
        raise Missing(
            f"{folder} ({told_by}): {error.strerror}: name a folder of yours, such as --store ~/tablepi"
        ) from None
    if not os.access(folder, os.R_OK | os.X_OK):
        raise Missing(f"{folder} ({told_by}): no permission to read: run as its owner or name another with --store")
    return folder


def _chosen(option: str | None, environ: Mapping[str, str]) -> tuple[Path, str]:
    # An empty variable is how people unset one in a unit file.
    if option is not None:
        if not option.strip():
            raise BadInput("--store: empty: name a folder, such as --store ~/tablepi")
        return Path(option), "--store"
    if told := environ.get("TABLEPI_STORE"):
        return Path(told), "TABLEPI_STORE"
    if told := environ.get("STATE_DIRECTORY", "").split(":")[0]:
        return Path(told), "STATE_DIRECTORY"
    import platformdirs

    return platformdirs.user_data_path("tablepi", appauthor=False), "the user's data directory"


def forgets_at_restart(folder: Path, mounts: str) -> str | None:
    """What to tell people when *folder* lies on a file system that a restart wipes, else None.

    *mounts* is the text of ``/proc/self/mountinfo``. With the overlay root of raspi-config every write succeeds and is
    gone after the next start (RPi-Distro/raspi-config PR 135).
    """
    below, kind = "", ""
    for line in mounts.splitlines():
        words = line.split(" ")
        if "-" not in words[6:] or len(words) < words.index("-", 6) + 2:
            continue
        # Blanks in a mount point are written as octal.
        place = words[4].encode().decode("unicode_escape").encode("latin-1", "replace").decode("utf-8", "replace")
        # The last mount on a place hides those before it.
        if folder.is_relative_to(place) and len(place) >= len(below):
            below, kind = place, words[words.index("-", 6) + 1]
    if kind not in _FORGETFUL:
        return None
    return (
        f"{folder} lies in {_FORGETFUL[kind]}: games are lost at the next restart; name a folder on a disk with --store"
    )
