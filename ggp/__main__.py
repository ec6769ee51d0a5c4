"""`python -m ggp`, and the program `ggp`: the command line. Loading it may be interrupted, too."""

import sys

INTERRUPTED = 130  # the exit status


def main() -> int:
    """Load the command line and run it; the exit status."""
    try:
        from ggp.cli import main as command_line
    except KeyboardInterrupt:  # what takes the longest of a short command
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    command_line()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
