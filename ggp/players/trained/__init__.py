"""Policies learned from solved levels: `ggp train` makes them, and the player `policy:FILE` plays by them."""
