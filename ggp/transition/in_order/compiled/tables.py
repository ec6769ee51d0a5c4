"""What compiled loops are given: a level's rules as arrays, and room to run them."""

from __future__ import annotations

from typing import Any, NamedTuple

Array = Any
# Ways in which things are marked to go: up, down, left, right, and action, which goes nowhere.
WAYS, ACTION = 5, 4
# Commands have a bit each; these mean something to the turn.
CANCEL, RESTART, WIN, AGAIN, CHECKPOINT = 1, 2, 4, 8, 16
MOST_MATCHES = 4096  # of a row, that are kept


class Tables(NamedTuple):
    """A level's rules. Ranges are (first, one after the last); planes are numbered as in `Ground`.

    - `planes`: lists of numbers, one after another, of which the others name ranges;
    - `tests`: (wanted, range of planes, cells from the start of the piece);
    - `cells`: (range of tests, range of planes that come, range of those that go, changes, range of the
      layers on which a rigid rule leaves its mark);
    - `pieces`: (first cell, cells, range of tests, room); `rooms`: where a piece can begin, in words;
    - `rows`: (first piece, pieces, step, sideways, direction, length, range of the distances at which
      matches touch);
    - `rules`: (first row, rows, the row that alone changes or -1, changes, commands, for a rigid one 1 + the
      number of its group among the rigid ones, else 0); `rigid`: the groups with these numbers;
    - `needs`: of each rule the planes that must not be empty, a bit each;
    - `groups`: (first rule, one after the last, group to which a loop goes back or -1);
    - `stages`: the ranges of their groups;
    - `layers`: range of the kinds of a layer;
    - `goals`: (quantifier, what, ground), each of these (range, together);
    - `first`: the board to which a commanded restart leads, or none where that is left to the referee;
    - `player`: the same for the player, and `drivers`: (kind, layer) of what an input marks.
    """

    planes: Array
    tests: Array
    cells: Array
    pieces: Array
    rooms: Array
    rows: Array
    rules: Array
    needs: Array
    rigid: Array
    groups: Array
    stages: Array
    layers: Array
    goals: Array
    first: Array
    player: Array
    drivers: Array
    steps: Array
    edges: Array
    height: int
    width: int
    kinds: int
    must_move: bool
    most_rounds: int  # of a group, and of a loop of groups


class Room(NamedTuple):
    """Where a turn is made: nothing is allocated while it runs."""

    board: Array  # (planes, words)
    trial: Array  # the same, where it is only asked whether anything would happen
    found: Array  # (3, words): where the pieces of a row are found
    there: Array  # (words,)
    filled: Array  # (masks,): a bit for each plane that may not be empty
    matches: Array  # (rows, matches, 3)
    counts: Array  # matches of each row
    chosen: Array  # of each row the match whose turn it is
    waiting: Array  # (marks, 3): cell, layer, way
    flags: Array  # (commands, ask, rules and choices of matches that were tried)
    rigid_groups: Array  # (cells, layers): numbers of groups, as bits of one
    rigid_marks: Array  # (cells, layers): marked by rigid rules
    banned: Array  # (groups + 1): groups that failed, and what is none
    stopped: Array  # (1,): not 0 where the turn that is made is not wanted any more
