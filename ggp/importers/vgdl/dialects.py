"""The dialects of VGDL: what a text can name in each, and what is known besides.

`PY_VGDL` is VGDL 2.0, as py-vgdl reads it; `GVGAI` what the framework of the GVGAI competitions reads. Words
that are in `other_*` belong to the dialect and are not taken here; a refusal says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ggp.importers.vgdl import ontology
from ggp.importers.vgdl.fixed import Fixed
from ggp.importers.vgdl.ontology import ARROWS, PRODUCES, Base, Takes, avatar


@dataclass(frozen=True, slots=True, eq=False)
class Dialect(Fixed):
    """What a text of this dialect can name. `header`: arguments of the first line."""

    name: str
    bases: Mapping[str, Base]
    other_bases: frozenset[str]
    effects: Mapping[str, Takes]
    other_effects: frozenset[str]
    terminations: Mapping[str, frozenset[str]]
    header: frozenset[str]
    looks: frozenset[str]
    movement: frozenset[str]
    swallowed: frozenset[str]
    ends_by_default: bool | None
    """What a termination says of winning that does not say it (None: it must)."""


COUNTS = frozenset({"stype", "limit", "win", "scoreChange"})
PY_VGDL = Dialect(
    "py-vgdl",
    ontology.BASES,
    ontology.OTHER_BASES,
    ontology.EFFECTS,
    ontology.OTHER_EFFECTS,
    MappingProxyType(dict.fromkeys(ontology.TERMINATIONS, COUNTS)),
    frozenset({"block_size", "title"}),
    ontology.LOOKS,
    ontology.MOVEMENT,
    ontology.SWALLOWED,
    None,
)

PACK = frozenset({"value", "limit"})
FLICKERS = frozenset({"limit"})
SHOOTS = PRODUCES | {"ammo"}
SPAWNS = PRODUCES | {"prob", "total", "spawnorientation"}
KEEPS = frozenset({"cons"})
STRAYS = KEEPS | {"stype1", "stype2", "epsilon"}
TIMED = frozenset({"timer", "repeating"})  # arguments of an effect that comes by the clock
GVGAI_BASES: Mapping[str, Base] = MappingProxyType(
    {
        "Immovable": Base(static=True),
        "Door": Base(static=True),
        "Passive": Base(),
        "Conveyor": Base(static=True, oriented=True),
        "Missile": Base(oriented=True, speed=1),
        "Resource": Base(resource=True, takes=PACK),
        "ResourcePack": Base(static=True, resource=True, takes=PACK),
        "Flicker": Base(does="flicker", takes=FLICKERS),
        "OrientedFlicker": Base(oriented=True, does="flicker", takes=FLICKERS),
        "SpawnPoint": Base(static=True, does="spawn", takes=SPAWNS),
        "Portal": Base(static=True, takes=PRODUCES),
        "RandomNPC": Base(speed=1, does="wander", takes=KEEPS),
        "Chaser": Base(speed=1, does="chase", takes=KEEPS | PRODUCES),
        "Fleeing": Base(speed=1, does="flee", takes=KEEPS | PRODUCES),
        "AlternateChaser": Base(speed=1, does="chase", takes=frozenset({"stype1", "stype2"})),
        "RandomAltChaser": Base(speed=1, does="stray", takes=STRAYS),
        "RandomMissile": Base(oriented=True, speed=1, does="set off"),
        "Bomber": Base(oriented=True, does="spawn", takes=SPAWNS),
        "RandomBomber": Base(oriented=True, speed=1, does="bomb", takes=SPAWNS),
        "Spreader": Base(does="spread", takes=FLICKERS | PRODUCES | {"spreadprob"}),
        "MovingAvatar": avatar(*ARROWS, does="walk"),
        "NullAvatar": avatar(does="walk"),
        "MissileAvatar": avatar(oriented=True, does="fly"),
        "HorizontalAvatar": avatar("left", "right", does="walk"),
        "VerticalAvatar": avatar("up", "down", does="walk"),
        "FlakAvatar": avatar("left", "right", "space", does="drop", takes=SHOOTS | {"minAmmo", "ammoCost"}),
        "OngoingAvatar": avatar(*ARROWS, oriented=True, does="go on"),
        "OngoingTurningAvatar": avatar(*ARROWS, oriented=True, does="turn", takes=frozenset({"spawnBehind"})),
        "OrientedAvatar": avatar(*ARROWS, oriented=True, does="face"),
        "ShootAvatar": avatar(*ARROWS, "space", oriented=True, does="shoot", takes=SHOOTS),
    }
)
GVGAI_OTHER_BASES = frozenset(
    """ErraticMissile Walker WalkerJumper PathChaser
    RandomInertial PathAltChaser RandomPathAltChaser
    SpriteProducer
    BomberRandomMissile OngoingShootAvatar AimedAvatar PlatformerAvatar BirdAvatar
    SpaceshipAvatar CarAvatar WizardAvatar LanderAvatar ShootOnlyAvatar SpawnPointMultiSprite
    LOSChaser""".split()
)
# In whole cells `pixelPerfect` is a plain step back, and `align` moves nothing.
BESIDE: Mapping[str, str] = MappingProxyType(
    {"spawnAbove": "up", "spawnRight": "right", "spawnBelow": "down", "spawnLeft": "left"}
)
"""Effects that make something in the next cell, and which."""
COLLECTS = frozenset({"collectResource", "collectResourceIfHeld"})
HOLDS = Takes(("resource",), ("limit",))
GVGAI_EFFECTS: Mapping[str, Takes] = MappingProxyType(
    {
        "stepBack": Takes((), ("pixelPerfect",)),
        "undoAll": Takes((), ("notStype",)),
        "killSprite": Takes(),
        "killBoth": Takes(partner=True),
        "killIfAlive": Takes(partner=True),
        "killAll": Takes(("stype",)),
        "transformTo": Takes(("stype",), ("killSecond", "forceOrientation")),
        "transformToAll": Takes(("stype", "stypeTo"), ("killSecond", "forceOrientation")),
        "transformIfCount": Takes(
            ("stype", "stypeCount"), ("estype", "geq", "leq", "killSecond", "forceOrientation"), partner=True
        ),
        "removeScore": Takes((), ("stype",)),
        "cloneSprite": Takes(),
        "spawn": Takes(("stype",), ("prob",)),
        "spawnBehind": Takes(("stype",), ("prob",), partner=True),
        "bounceForward": Takes((), ("repeat",), partner=True),
        "pullWithIt": Takes(partner=True),
        "wrapAround": Takes(),
        "teleportToExit": Takes(partner=True),
        "reverseDirection": Takes(),
        "turnAround": Takes(),
        "attractGaze": Takes((), ("align", "prob"), partner=True),
        "collectResource": Takes((), ("killResource",), partner=True),
        "changeResource": Takes(("resource",), ("value", "killResource"), partner=True),
        "collectResourceIfHeld": Takes(("heldResource",), ("value", "killResource"), partner=True),
        "spawnIfHasMore": Takes(("resource", "stype"), ("limit", "spend", "prob")),
        "spawnIfHasLess": Takes(("resource", "stype"), ("limit", "prob")),
        **dict.fromkeys(BESIDE, Takes(("stype",), ("prob",), partner=True)),
        "killIfHasMore": HOLDS,
        "killIfHasLess": HOLDS,
        "killIfOtherHasMore": Takes(("resource",), ("limit", "subtract"), partner=True),
        "killIfFromAbove": Takes(partner=True),
        "subtractHealthPoints": Takes((), ("value", "limit", "scoreChangeIfKilled")),
        "addHealthPoints": Takes((), ("value", "killSecond")),
        "addHealthPointsToMax": Takes((), ("value", "killSecond")),
        "flipDirection": Takes(),
        "shieldFrom": Takes(("stype", "ftype")),
        "killIfFrontal": Takes(partner=True),
        "killIfNotFrontal": Takes(partner=True),
    }
)
GVGAI_OTHER_EFFECTS = frozenset(
    """transformToSingleton wallStop
    align addTimer
    updateSpawnType increaseSpeedToAll decreaseSpeedToAll setSpeedForAll
    transformToRandomChild spawnIfCounterSubTypes bounceDirection wallBounce
    killIfSlow waterPhysics halfSpeed killIfNotUpright killIfFast wallReverse""".split()
)
WHY: Mapping[str, str] = MappingProxyType(
    {"addTimer": "each meeting starts a clock of its own, and any number of them run at once"}
)
"""Why some effects are not taken, where it is not for want of asking."""
GVGAI = Dialect(
    "GVGAI",
    GVGAI_BASES,
    GVGAI_OTHER_BASES,
    GVGAI_EFFECTS,
    GVGAI_OTHER_EFFECTS,
    MappingProxyType(
        {
            "SpriteCounter": frozenset({"stype", "limit", "win"}),
            "SpriteCounterMore": frozenset({"stype", "limit", "win"}),
            "MultiSpriteCounter": frozenset({"stype1", "stype2", "stype3", "limit", "win", "min"}),
            "Timeout": frozenset({"limit", "win"}),
        }
    ),
    frozenset({"key_handler", "square_size", "no_players", "obs"}),
    ontology.LOOKS | {"frameRate", "portal", "rotateInPlace", "orientedImg", "solid"},
    frozenset({"speed", "cooldown", "orientation", "healthPoints", "limitHealthPoints", "maxHealthPoints"}),
    frozenset(),
    False,
)
DIALECTS: Mapping[str, Dialect] = MappingProxyType({one.name: one for one in (PY_VGDL, GVGAI)})
