"""What plays, and what is played: worlds, Gymnasium's environments, players, and the arena they meet in."""
