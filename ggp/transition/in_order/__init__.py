"""Rules in scan order, run as machine code: the referee's order of everything, on machine words.

`writing` makes arrays of the rules of a level, and `compiled` has the loops that run them. What is rare (a
restart, a turn that goes on and on, too many matches) is not done here: such a turn is left to the referee
(`ASK`), so that what a turn is stands in one place.
"""
