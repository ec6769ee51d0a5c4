"""The words of PuzzleScript that mean something by themselves."""

from __future__ import annotations

SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")

WITH_VALUE = frozenset(
    "title author homepage background_color text_color key_repeat_interval realtime_interval again_interval "
    "flickscreen zoomscreen color_palette youtube".split()
)
WITHOUT_VALUE = frozenset(
    "run_rules_on_level_start norepeat_action require_player_movement debug verbose_logging "
    "throttle_movement noundo noaction norestart scanline".split()
)
PALETTES = frozenset(
    "mastersystem gameboycolour amiga arnecolors famicom atari pastel ega amstrad proteus_mellow "
    "proteus_rich proteus_night c64 whitingjp".split()
) | frozenset(map(str, range(1, 15)))

COLOURS = (
    "black white gray darkgray lightgray grey darkgrey lightgrey red darkred lightred brown darkbrown "
    "lightbrown orange yellow green darkgreen lightgreen blue lightblue darkblue purple pink transparent"
).split()
MOST_COLOURS = 10
SIDE = 5  # of a sprite, in pixels

# --- rules ------------------------------------------------------------------------------------------------

ABSOLUTE = ("up", "down", "left", "right")
RELATIVE = ("^", "v", "<", ">", "perpendicular", "parallel")
# What a word for several ways stands for. `_par` and `_perp` remember where they came from: a way that was
# `parallel` on the left is not the `horizontal` on the right.
SEVERAL = {
    "horizontal": ("left", "right"),
    "horizontal_par": ("left", "right"),
    "horizontal_perp": ("left", "right"),
    "vertical": ("up", "down"),
    "vertical_par": ("up", "down"),
    "vertical_perp": ("up", "down"),
    "moving": ("up", "down", "left", "right", "action"),
    "orthogonal": ("up", "down", "left", "right"),
}
# In a rule turned to a direction, what ^ v < > parallel perpendicular stand for.
TURNED = {
    "right": dict(zip(("^", "v", "<", ">"), ("up", "down", "left", "right"), strict=True)),
    "up": dict(zip(("^", "v", "<", ">"), ("left", "right", "down", "up"), strict=True)),
    "down": dict(zip(("^", "v", "<", ">"), ("right", "left", "up", "down"), strict=True)),
    "left": dict(zip(("^", "v", "<", ">"), ("down", "up", "right", "left"), strict=True)),
}
for _direction, _turned in TURNED.items():
    _level = _direction in ("left", "right")
    _turned["parallel"] = "horizontal_par" if _level else "vertical_par"
    _turned["perpendicular"] = "vertical_perp" if _level else "horizontal_perp"
BEFORE_OBJECTS = frozenset(
    "> < ^ v up down left right moving stationary no randomdir random horizontal vertical orthogonal "
    "perpendicular parallel action".split()
)
BEFORE_BRACKETS = frozenset("up down left right horizontal vertical orthogonal late rigid random".split())
SOUND_COMMANDS = tuple(f"sfx{number}" for number in range(11))
COMMANDS = frozenset((*SOUND_COMMANDS, "cancel", "checkpoint", "restart", "win", "message", "again"))

# --- sounds -----------------------------------------------------------------------------------------------

SOUND_EVENTS = frozenset(
    "undo restart titlescreen startgame cancel endgame startlevel endlevel showmessage closemessage".split()
) | frozenset(SOUND_COMMANDS)
SOUND_VERBS = frozenset("move action create destroy cantmove".split())
SOUND_WAYS = frozenset("up down left right horizontal vertical orthogonal".split())

KEYWORDS = (
    frozenset(SECTIONS)
    | BEFORE_OBJECTS
    | SOUND_VERBS
    | SOUND_EVENTS
    | frozenset("... | [ ] late rigid any all some message win again cancel".split())
) - {"orthogonal"}
