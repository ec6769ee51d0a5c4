"""Inner loops as machine code: compiled once a machine, kept where nobody else may write."""
