"""What is seen at each moment of a turn when random levels are played: which pieces share cells, which
markers are there. It proves nothing, but what was seen need not be asked.
"""

from __future__ import annotations

import random
from itertools import combinations

from ggp.errors import IllFormed
from ggp.generate.random_levels import random_level
from ggp.model import Game, Piece
from ggp.model.board import Action, State
from ggp.proof.equivalence.programs import Node, blank, flow_of, forms_of, program_of
from ggp.proof.equivalence.windows import Met
from ggp.referee.inputs import all_actions
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards, clear_markers, run_program
from ggp.transition.program import Pass, Transition, given, input_words

LEVELS = 30
TURNS = 8
SIZE = 5  # rows and columns


def watch(game: Game, points: int) -> list[Met]:
    """What was seen at each point: pairs of planes on one cell, and markers with forms of input."""
    watcher = Watcher(game, points)
    rng = random.Random(0)
    for _ in range(LEVELS):
        level = random_level(game, rng, rows=SIZE, columns=SIZE, horizon=TURNS).level
        watcher.play(State(tuple(here for row in level.board for here in row)), rng)
    return watcher.seen


class Watcher:
    """Plays levels of one size pass by pass and notes what it sees."""

    def __init__(self, game: Game, points: int) -> None:
        instance = blank(game, SIZE, SIZE)
        self.game = game
        self.transition: Transition = compile_instance(instance)
        self.bits = Bits(self.transition)
        self.actions: list[Action | None] = [*all_actions(instance)] or [None]
        words = [form.words for form in forms_of(instance)]
        self.nodes = [flow_of(given(program_of(game, self.transition), each)).nodes for each in words]
        self.forms = {each: number for number, each in enumerate(words)}
        self.seen = [Met(set(), set()) for _ in range(points)]

    def play(self, state: State, rng: random.Random) -> None:
        """Play some turns with random inputs, until rules collide."""
        boards = self.bits.pack(state)
        for _ in range(TURNS):
            action = rng.choice(self.actions)
            form = self.forms[input_words(action)]
            try:
                after = self.picked(boards, action)
                self.note(0, form, after)
                boards = clear_markers(self.bits, self.run(self.nodes[form], form, after))
            except IllFormed:
                return

    def picked(self, boards: Boards, action: Action | None) -> Boards:
        """The boards with the marker of a pick."""
        if action is None or action.cell is None or self.game.input is None:
            return boards
        plane = self.transition.number[Piece(str(self.game.input.pick), action.direction)]
        return (*boards[:plane], boards[plane] | self.bits.bit(*action.cell), *boards[plane + 1 :])

    def run(self, nodes: tuple[Node, ...], form: int, boards: Boards) -> Boards:
        """Run steps, noting the boards after each, and before each run of a loop's body."""
        for node in nodes:
            if isinstance(node.step, Pass):
                boards = run_program(self.bits, (node.step,), boards)
                self.note(node.point, form, boards)
                continue
            for _ in range(node.step.bound + 1):
                self.note(node.point, form, boards)
                after = self.run(node.body, form, boards)
                if after == boards:
                    break
                boards = after
        return boards

    def note(self, point: int, form: int, boards: Boards) -> None:
        """Note which pieces share cells, and which markers there are."""
        there = [plane for plane, board in enumerate(boards) if board]
        self.seen[point].there.update((plane, form) for plane in there if plane in self.transition.markers)
        self.seen[point].pairs.update((a, b) for a, b in combinations(there, 2) if boards[a] & boards[b])
