"""The algebras that `ggp.kernel` can evaluate a pass in: one state, many states, formulas."""
