"""Search that goes on where it looks best: some plan soon, where the best one would take too long."""
