"""SAT solvers of PySAT: in this process where that is quick, else in one that can be ended."""
