"""The loops, and what they are given: nothing else is imported here, as what is kept hangs on these files."""
