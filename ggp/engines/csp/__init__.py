"""Constraint solvers that read a file, XCSP3 or FlatZinc: where they stand, how they run, what they say."""
