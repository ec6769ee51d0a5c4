"""Who decides that a plan is right. It shares no code with what it judges."""
