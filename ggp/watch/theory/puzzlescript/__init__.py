"""Theories in PuzzleScript's words: rules in scan order, found by playing them.

A theory is what `ggp.model.scan` calls a turn: rules that mark and change, what is marked moves, and late
rules. The referee's own parts play it, so that it has the order of an engine's turn from the start. A turn
that comes out wrong says what would have to be done to a few of its cells (`fixes`); what would help at other
places and harm at none says what has to be so there (`conditions`); the best of such rules is put in.
"""
