"""What can go wrong with the journal, and how SQLite's words for it become ours."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from ..errors import TablePiError

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BESIDE = 1 << 16
"""Bytes that SQLite needs beside a store, even to read it (32 KB, in whole blocks)."""


class JournalBroken(TablePiError):
    """Error raised when the record cannot be read, written or synced: the table may go on, but says so."""

    status = 3


class JournalFull(JournalBroken):
    """Error raised when there is no room left for the record; what was acknowledged before is kept."""


def means_damage(error: sqlite3.Error) -> bool:
    """True when *error* is about what the file holds, not about reaching it."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _DAMAGE


def translated(error: sqlite3.Error, path: Path) -> JournalBroken:
    """The journal's word for an error of SQLite, with the file and what to try."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return JournalFull(f"{path}: {error}: free some space, or give another folder with --store")
    if code == sqlite3.SQLITE_IOERR and _is_full(path):  # which is what it says where it cannot map its own file
        return JournalFull(f"{path}: its disk is full: free some space, or give another folder with --store")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalBroken(f"{path}: {error}: another program holds the file; close it")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return JournalBroken(f"{path}: {error}: run as the store's owner, or name another store with --store")
    if means_damage(error):
        return JournalBroken(f"{path}: {error}: the store is damaged; the next `tablepi run` sets it aside")
    return JournalBroken(f"{path}: {error}: see whether its disk is mounted, writable and healthy (dmesg)")


def translated_os(error: OSError, path: Path) -> JournalBroken:
    """The journal's word for an error of the operating system."""
    said = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return JournalFull(f"{path}: {said}: free some space, or give another folder with --store")
    return JournalBroken(f"{path}: {said}: see whether its disk is mounted, writable and healthy (dmesg)")


def _is_full(path: Path) -> bool:
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _BESIDE
