"""Levels and plans as people see them: pictures, films, text in a terminal, tiles."""
