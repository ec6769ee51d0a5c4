"""The effects as passes, and their names: what a line of the InteractionSet does to the forms that meet.

Each function lowers one line. `lower.meets` gives the conditions under which a form meets a partner, and
`lower.only_one` stops the game where two partners at once would be more than a pass can say.
"""

from __future__ import annotations

from ggp.importers.vgdl.dialects import BESIDE
from ggp.importers.vgdl.effects.changing import transform, transform_all, transform_if_count, transform_others
from ggp.importers.vgdl.effects.facing import attract, flip, reverse
from ggp.importers.vgdl.effects.going_back import step_back, turn_around, undo_all
from ggp.importers.vgdl.effects.health import fill_health, gain_health, lose_health
from ggp.importers.vgdl.effects.killing import (
    kill,
    kill_all,
    kill_both,
    kill_by_way,
    kill_if_alive,
    kill_if_from_above,
    shield,
)
from ggp.importers.vgdl.effects.lines import Lower, keep_all
from ggp.importers.vgdl.effects.making import leave, leave_behind, leave_beside
from ggp.importers.vgdl.effects.moving import bounce, teleport, wrap
from ggp.importers.vgdl.effects.resources import (
    change_resource,
    collect,
    collect_if_held,
    kill_if_holds,
    kill_if_other_has,
    spawn_if_has,
)

LOWERED: dict[str, Lower] = {
    "stepBack": step_back,
    "undoAll": undo_all,
    "turnAround": turn_around,
    "killSprite": kill,
    "killBoth": kill_both,
    "killAll": kill_all,
    "killIfAlive": kill_if_alive,
    "killIfFromAbove": kill_if_from_above,
    "killIfFrontal": kill_by_way(frontal=True),
    "killIfNotFrontal": kill_by_way(frontal=False),
    "shieldFrom": shield,
    "transformTo": transform,
    "transformToAll": transform_all,
    "transformIfCount": transform_if_count,
    "removeScore": keep_all,
    "TransformOthersTo": transform_others,
    "spawn": leave,
    "spawnBehind": leave_behind,
    **{name: leave_beside(way) for name, way in BESIDE.items()},
    "addHealthPointsToMax": fill_health,
    "cloneSprite": leave,
    "bounceForward": bounce,
    "pullWithIt": bounce,
    "wrapAround": wrap,
    "teleportToExit": teleport,
    "reverseDirection": reverse,
    "attractGaze": attract,
    "flipDirection": flip,
    "collectResource": collect,
    "collectResourceIfHeld": collect_if_held,
    "changeResource": change_resource,
    "killIfHasMore": kill_if_holds(more=True),
    "killIfHasLess": kill_if_holds(more=False),
    "killIfOtherHasMore": kill_if_other_has(more=True),
    "killIfOtherHasLess": kill_if_other_has(more=False),
    "spawnIfHasMore": spawn_if_has(more=True),
    "spawnIfHasLess": spawn_if_has(more=False),
    "subtractHealthPoints": lose_health,
    "addHealthPoints": gain_health,
}
