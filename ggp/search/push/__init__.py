"""Search for games of one agent that pushes: tables, bounds, compiled loops."""
