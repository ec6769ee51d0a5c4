"""The learner `tree`: which kinds are movers, and what each of them does."""
