"""The shortest program that says what was seen: which questions are asked, in which view, in which order."""
