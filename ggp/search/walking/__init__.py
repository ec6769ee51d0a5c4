"""Search for designs by which one piece that walks by itself gets where the goal wants it."""
