"""Instances in solvers' formats: read with bounds, solved by every family, judged by their lines."""
