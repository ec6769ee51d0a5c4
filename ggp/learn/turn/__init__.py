"""What a turn is: one pass, a loop, passes in a row, or a deed and what comes of it."""
