"""Games learned as theories: whole games in the words of the system that plays them, found by playing.

A theory plays each turn that was seen from the board before it, and what ends otherwise says where it is
wrong. So it has the order of an engine's turn, and all that hangs on it, from the start, where rules about
cells must find it piece by piece.
"""
