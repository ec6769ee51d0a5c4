"""The goal words, one file each: judge it, encode it, draw it, say it. `ggp.registry.GOALS` lists them.

A word's module offers `GRAMMAR` (a Lark fragment with a rule named like the word), `build(items, place)`
and a frozen dataclass that is a `ggp.model.Term`. What else a term may offer, each with the same meaning
in every word:

- `holds(instance, state)`: the referee's judgement.
- `test(algebra, planes)`: the same over the compiled boards, in any algebra of `ggp.algebra`, for search and
  encoders.
- `cell_by_cell(instance)`: does it hold of a board just if it holds of each of its cells alone?
- `constrain(values)`: posts it over what stands on the cells at the end (`ggp.encoding.values`). A word that
  has this and no `test` is judged at the end of a run only, by `holds` where a search comes to one.
- `regions(instance)`: the sets of cells it speaks of, for drawing and for propagation.
- `strokes(instance, state)`: (piece, cell, two neighbours) for pieces that are drawn as a stroke from one to
  the other.
- `finished(instance, state)`: the sets of cells that are complete as they are, which pictures part from the
  others by lines.
- `faults(instance)`: (message, remedy, cell) for what no level can mean, such as a clue out of range.
- `say(instance)` and `source()`: in words, and as the description writes it.
- `reads(instance, state, region)`: what the clue of a region would be for this board, for generators; a word
  whose clues are single numbers can do without, for then they are tried.
- `asks(instance, state)`: for a word that holds on no board without clues: lists of (cell, piece), of each of
  which the map must show one for this board to be right; for generators too.
"""
