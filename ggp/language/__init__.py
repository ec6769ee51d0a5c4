"""Reading, writing and checking: the rule language, descriptions, TOML, level forms."""
