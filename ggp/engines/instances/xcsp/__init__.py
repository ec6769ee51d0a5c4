"""XCSP3-core as an Encoding: what a file says, constraint by constraint, for solvers that do not read XML."""
