"""`python -m ggp.cli`: the command line."""

from ggp.cli import main

if __name__ == "__main__":
    main()
