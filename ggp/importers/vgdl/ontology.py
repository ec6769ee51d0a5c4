"""The classes, effects and terminations that the built-in engine knows, and what it knows of the others.

Everything a text can name is in one of the tables below. What py-vgdl has and this engine lacks is listed
too, so that the refusal can say which of the two it is: unknown, or not supported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ggp.importers.vgdl.fixed import Fixed, Vector

DIRECTIONS: Mapping[str, Vector] = MappingProxyType(
    {"UP": (-1, 0), "LEFT": (0, -1), "DOWN": (1, 0), "RIGHT": (0, 1)}
)
"""The directions by name, in the order in which py-vgdl goes through them."""

COLOURS = frozenset(
    """GREEN BLUE RED GRAY WHITE BROWN BLACK ORANGE YELLOW PINK GOLD LIGHTRED LIGHTORANGE LIGHTBLUE
    LIGHTGREEN LIGHTGRAY DARKGRAY DARKBLUE""".split()
)

LOOKS = frozenset(
    {
        "color",
        "img",
        "autotiling",
        "randomtiling",
        "hidden",
        "shrinkfactor",
        "draw_arrow",
        "portal",
        "invisible",
    }
)
"""Arguments of sprites that change how they look and nothing else."""

MOVEMENT = frozenset({"speed", "cooldown", "orientation", "strength"})


@dataclass(frozen=True, slots=True)
class Base(Fixed):
    """A class of sprites. `keys` are those an avatar listens to; `does` is what it does by itself."""

    static: bool = False  # never moves by itself
    oriented: bool = False  # has an orientation, which `transformTo` hands on
    frozen: bool = False  # must never be moved at all
    resource: bool = False
    speed: int | None = None
    strength: int | None = None
    avatar: bool = False
    keys: tuple[str, ...] = ()
    does: str = ""
    takes: frozenset[str] = frozenset()


def avatar(*keys: str, **rest: object) -> Base:
    """A class of avatars that listens to `keys`."""
    return Base(avatar=True, speed=1, keys=keys, **rest)  # type: ignore[arg-type]


ARROWS = ("up", "down", "left", "right")
PRODUCES = frozenset({"stype"})

BASES: Mapping[str, Base] = MappingProxyType(
    {
        "Immovable": Base(static=True),
        "Immutable": Base(static=True, frozen=True),
        "Passive": Base(),
        "OrientedSprite": Base(oriented=True),
        "Conveyor": Base(static=True, oriented=True, strength=1),
        "Missile": Base(oriented=True, speed=1),
        "Resource": Base(resource=True, takes=frozenset({"value", "limit", "res_type"})),
        "ResourcePack": Base(static=True, resource=True, takes=frozenset({"value", "limit", "res_type"})),
        "Flicker": Base(does="flicker", takes=frozenset({"limit"})),
        "OrientedFlicker": Base(oriented=True, speed=0, does="flicker", takes=frozenset({"limit"})),
        "SpawnPoint": Base(static=True, does="spawn", takes=PRODUCES | {"prob", "total"}),
        "Portal": Base(static=True, takes=PRODUCES),
        "RandomNPC": Base(speed=1, does="wander"),
        "Chaser": Base(speed=1, does="chase", takes=PRODUCES),
        "Fleeing": Base(speed=1, does="flee", takes=PRODUCES),
        "MovingAvatar": avatar(*ARROWS, does="walk"),
        "HorizontalAvatar": avatar("left", "right", does="walk"),
        "VerticalAvatar": avatar("up", "down", does="walk"),
        "FlakAvatar": avatar("left", "right", "space", does="drop", takes=PRODUCES),
        "OrientedAvatar": avatar(*ARROWS, oriented=True, does="face"),
        "ShootAvatar": avatar(*ARROWS, "space", oriented=True, does="shoot", takes=PRODUCES | {"ammo"}),
        "ShootEverywhereAvatar": avatar(
            *ARROWS, "space", oriented=True, does="shoot-all", takes=PRODUCES | {"ammo"}
        ),
    }
)

OTHER_BASES = frozenset(
    """AStarChaser Bomber ErraticMissile RandomInertial RandomMissile Spreader
    SpriteProducer WalkJumper Walker AimedAvatar AimedFlakAvatar Avatar InertialAvatar MarioAvatar
    NoisyRotatingFlippingAvatar RotatingAvatar RotatingFlippingAvatar""".split()
)


@dataclass(frozen=True, slots=True)
class Takes:
    """What an effect takes: the names of its arguments, those it must have first."""

    must: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    partner: bool = False  # needs something to collide with, so neither EOS nor ANY will do


RESOURCE = Takes(("resource",), ("limit",))
OTHER_RESOURCE = Takes(("resource",), ("limit",), partner=True)

EFFECTS: Mapping[str, Takes] = MappingProxyType(
    {
        "killSprite": Takes(),
        "killBoth": Takes(partner=True),
        "killIfAlive": Takes(partner=True),
        "transformTo": Takes((), ("stype",)),
        "stepBack": Takes(),
        "undoAll": Takes(),
        "bounceForward": Takes(partner=True),
        "conveySprite": Takes(partner=True),
        "reverseDirection": Takes(),
        "teleportToExit": Takes(partner=True),
        "collectResource": Takes(partner=True),
        "changeResource": Takes(("resource",), ("value",)),
        "spawnIfHasMore": Takes(("resource", "stype"), ("limit",)),
        "killIfHasMore": RESOURCE,
        "killIfHasLess": RESOURCE,
        "killIfOtherHasMore": OTHER_RESOURCE,
        "killIfOtherHasLess": OTHER_RESOURCE,
        "SpendResource": Takes(("target",), ("amount",)),
        "SpendAvatarResource": Takes(("target",), ("amount",)),
        "AvatarCollectResource": Takes(),
        "KillOthers": Takes(("target",)),
        "KillIfAvatarWithoutResource": Takes(("target",)),
        "TransformOthersTo": Takes(("target", "stype")),
        "NullEffect": Takes(),
        "killIfFromAbove": Takes(partner=True),
        "pullWithIt": Takes(partner=True),
        "turnAround": Takes(),
        "wrapAround": Takes(),
    }
)

OTHER_EFFECTS = frozenset(
    """attractGaze bounceDirection cloneSprite flipDirection killIfSlow slipForward wallBounce wallStop
    windGust""".split()
)

TERMINATIONS = frozenset({"SpriteCounter", "MultiSpriteCounter", "ResourceCounter", "Timeout"})

# Python's own names, since py-vgdl evaluates the value of an argument before it takes it for a name.
PYTHON = frozenset(
    """ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
    ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
    EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError
    FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError
    InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
    ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError
    OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
    StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError
    UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
    UnicodeWarning UserWarning ValueError Warning ZeroDivisionError abs aiter all anext any ascii bin bool
    breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir
    divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id
    input int isinstance issubclass iter len license list locals map max memoryview min next object oct
    open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str
    sum super tuple type vars zip""".split()
)

# What else its parser can see: its own names, and what its modules of the ontology bring with them.
PARSER = frozenset(
    """self estr registry ontology vgdl FunctionType BasicGame SpriteRegistry Effect FunctionalEffect Node
    VGDLParser indent_tree_parser Action ACTION BASEDIRS NOOP Color Dict List NewType Optional Tuple Union
    VGDLSprite GridPhysics ContinuousPhysics GravityPhysics Physics Termination Vector2 constants physics
    sprites avatars terminations effects itertools logging pygame np sqrt once_per_step unit_vector
    stochastic_effects kill_effects neighbor_position""".split()
)

SWALLOWED = frozenset(
    {*PYTHON, *PARSER, *DIRECTIONS, *COLOURS, *BASES, *OTHER_BASES, *EFFECTS, *OTHER_EFFECTS, *TERMINATIONS}
)
"""Names that py-vgdl reads as something of its own, so that no sprite called so can be an argument."""

SPECIAL = frozenset({"EOS", "ANY"})
TIME = "TIME"  # what GVGAI calls the partner of an effect that comes by the clock
"""Partners that are no sprites: off the map, and anywhere on it."""
