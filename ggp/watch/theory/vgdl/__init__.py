"""Theories in VGDL's words: what each sort of thing is, and what comes of two that meet.

A theory is a game of VGDL without maps. It is tried by playing it: the built-in engine plays each turn that
was seen from the board before it, and what ends otherwise says where the theory is wrong. So a theory has the
order of an engine's turn, and all that hangs on it, from the start, where rules about cells must find it
piece by piece. What says all turns becomes a description by the importer, like any other game of VGDL.

The idea is that of theory-based learning (Tsividis et al. 2021); there theories are drawn by their
likelihood, and here they are mended where a turn shows that they must be.
"""
