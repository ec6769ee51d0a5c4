"""The goal words, one file each: judge it, encode it, draw it, say it. `ggp.registry.GOALS` lists them.

A word's module offers `GRAMMAR` (a Lark fragment with a rule named like the word), `build(items, place)`
and a frozen dataclass that is a `ggp.model.Term`. What else a term may offer, each with the same meaning
in every word:

- `holds(instance, state)`: the referee's judgement.
- `test(algebra, planes)`: the same over the compiled boards, in any algebra of `ggp.algebra`, for search and
  encoders. A word that speaks of values instead offers `constrain(values)`.
- `regions(instance)`: the sets of cells it speaks of, for drawing and for propagation.
- `say(instance)` and `source()`: in words, and as the description writes it.
"""
