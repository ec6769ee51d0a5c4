"""`python -m ggp`, and the program `ggp`: the command line. Loading it may be interrupted, too."""

import gc
import sys

INTERRUPTED = 130  # the exit status
# New objects before the collector looks for circles. At Python's 700 a fifteenth of a short command is spent
# on looking at what was just loaded, which all stays.
NEW_OBJECTS = 50_000


def main() -> int:
    """Load the command line and run it; the exit status."""
    gc.set_threshold(NEW_OBJECTS)
    try:
        from ggp.cli import main as command_line
    except KeyboardInterrupt:  # what takes the longest of a short command
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    command_line()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
