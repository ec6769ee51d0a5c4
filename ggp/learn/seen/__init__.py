"""What can be said of boards and runs before any rule is known: layers, kinds, views, symmetries."""
