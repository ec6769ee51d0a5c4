"""Solvers of 0/1 programs, in processes of their own."""
