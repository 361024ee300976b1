"""``python -m tablepi``, and the program ``tablepi``."""

import sys


def main() -> int:
    """Run the command line and return its exit status (see ``cli.main``): 130, without a word, also where a person
    interrupts before it is there."""
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
