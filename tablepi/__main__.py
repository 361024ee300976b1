"""``python -m tablepi``."""

import sys

from .cli import main

sys.exit(main())
