"""Puzzles without movement: what each cell may still take, narrowed by every goal word, and tried where that ends.

No variables and no constraints of solvers are made: a goal word looks at the choices that cells have left, and says
which of them no answer has. So this is a second opinion on the answers of all that works through the Encoding.
"""
