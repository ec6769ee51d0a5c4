"""Making levels: at random for roll-outs; solvable ones, with a difficulty, in a later release."""
