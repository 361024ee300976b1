"""Commands that play a recording run here as those of ``tests/commands`` do."""

from ..commands.conftest import here

__all__ = ["here"]
