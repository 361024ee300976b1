"""Errors that a person can act on.

Each says what was wrong, where, the value, and what to try. The command line prints the message alone and ends with
the error's ``status`` (see the contract: 2 bad input or usage, 3 a device or resource is missing).
"""


class TablePiError(Exception):
    """Error raised when tablepi cannot do what was asked; the message is meant for the person who asked."""

    status = 2


class BadInput(TablePiError, ValueError):
    """Error raised when a file, a line, an option or a value that a person gave cannot be used."""


class Missing(TablePiError, OSError):
    """Error raised when a device, a port, a screen or another resource is not there."""

    status = 3


def shown(name: str) -> str:
    """A name that a person gave, on one line of text: what cannot be printed is written as Python writes it."""
    if not name:
        return "''"
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in name)
