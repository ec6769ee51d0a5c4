"""Whole games from other systems' files, as data of our model: a package a system."""
