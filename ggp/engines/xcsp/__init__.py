"""XCSP3 solvers: where they stand, how they are run, what they answer."""
