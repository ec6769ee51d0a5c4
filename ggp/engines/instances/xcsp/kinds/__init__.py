"""The constraints of XCSP3-core by families: each function writes one kind."""
