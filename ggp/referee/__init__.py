"""Who decides that a plan is right: passes, semantics, trajectories, sessions; no code shared with what is judged."""
