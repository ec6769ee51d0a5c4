"""Forms of level files, one a file: rows of characters, codes, links."""
