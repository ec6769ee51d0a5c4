"""Puzzles without movement: what cells may still take, narrowed by every goal word, then tried.

No variables and no constraints of solvers are made: a goal word looks at the choices that cells have left,
and says which of them no answer has. So this is a second opinion on all that works through the Encoding.
"""
