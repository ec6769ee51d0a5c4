"""The compiled program of passes: what it is, what a pass does, and the algebras that it is run in."""
