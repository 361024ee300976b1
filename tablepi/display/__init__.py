"""The display: pygame draws a ``Screen`` and turns touches, clicks and keys back into its actions.

Importing this package imports pygame; only the command that shows something does so. Raises Missing where pygame
cannot be used.
"""

import os
import warnings

from ..errors import Missing

# pygame greets on standard output, where ``--json`` writes; only this switch, before the import, stops it.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pygame 2.6 uses a deprecated part of setuptools
        import pygame
    pygame.display, pygame.font, pygame.event  # noqa: B018
except (ImportError, AttributeError) as error:
    # With both pygame and pygame-ce installed, removing one leaves a torso of the other.
    raise Missing(
        f"display: pygame cannot be used: {error}. Try: pip uninstall -y pygame pygame-ce; pip install pygame-ce"
    ) from error

from .keys import Closed, Key
from .window import Display

__all__ = ["Closed", "Display", "Key"]
