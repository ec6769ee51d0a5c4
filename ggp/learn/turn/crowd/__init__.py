"""Turns in which several things happen at once: which change is whose doing, and what of it is needed."""
