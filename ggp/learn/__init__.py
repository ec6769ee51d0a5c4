"""Learning the rules of a game from what was seen of it: trajectories in, rules out.

Nothing here reads a description. A learner is given the shell of a game (its kinds, its goal, what may be
placed; no rules) and trajectories; `ggp.harness.learning` makes those and judges what was learned.
"""
