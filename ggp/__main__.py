"""`python -m ggp`, and the program `ggp`: the command line. Loading it may be interrupted, too."""

import sys


def main() -> None:
    """Load the command line and run it."""
    try:
        from ggp.cli import main as command_line
    except KeyboardInterrupt:  # what takes the longest of a short command
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    command_line()


if __name__ == "__main__":
    main()
