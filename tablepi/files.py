"""Files written whole or not at all.

A full disk, an interrupt or a pulled plug must not leave half a file where a whole one stood or is looked for: it would
be printed, handed on or read as if it were whole. So the content goes into a file beside it, which takes the name only
when everything is in it.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from .errors import BadInput


def write_whole(file: Path, content: bytes, *, option: str = "", folders: bool = False) -> None:
    """Write *content* to *file*, which a person named, by *option* (such as ``-o``) if any: as ``put`` does, and with
    *folders* its folders are made. Raises BadInput when that fails; what stood there before stands there still."""
    try:
        if folders:
            file.parent.mkdir(parents=True, exist_ok=True)
        put(file, content)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = "free some space, or name a file on another disk" if full else "name a file in a folder of yours"
        raise BadInput(f"{option} {file}: cannot be written: {error.strerror}: {remedy}".lstrip()) from None


def same(file: Path, other: str | Path) -> bool:
    """Whether both names lead to one file that is there: what is written to it would take the other's place."""
    try:
        return file.samefile(other)
    except OSError:  # one of them is not there
        return False


def put(file: Path, content: bytes, *, synced: bool = True) -> None:
    """Write *content* to *file*, whole or not at all; *synced* waits until a pulled plug cannot halve it either.

    A file that is replaced keeps its permissions, and a link stays one: what it leads to is replaced. A pipe or a
    device is written into as it is. Raises OSError.
    """
    target = Path(os.path.realpath(file))
    if target.is_symlink() or (file.exists() and not file.is_file()):  # a link to itself; /dev/stdout; a folder
        file.write_bytes(content)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
    short = os.fsdecode(os.fsencode(target.name)[:200])  # a name has 255 bytes at most
    aside = target.with_name(f".{short}.{os.getpid()}.part")
    try:
        aside.unlink(missing_ok=True)  # left by a process of this number that was killed
        with aside.open("xb") as out:
            out.write(content)
            out.flush()
            if synced:
                os.fsync(out.fileno())
        with suppress(OSError):  # there was none, or it is another's
            aside.chmod(stat.S_IMODE(target.stat().st_mode))
        aside.replace(target)
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
