"""Rewrites of an encoding, each with its way back, until it says what a solver can take."""
