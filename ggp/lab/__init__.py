"""The laboratory: programs that try to find a wrong answer, or an input that breaks a promise."""
