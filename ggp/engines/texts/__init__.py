"""A level as the text of a format that is written from constraints, and tools of its field that read it."""
