"""Loops of the search that numba compiles."""
