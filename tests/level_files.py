"""Texts of foreign level forms, and reading them: what several test files ask about."""

from __future__ import annotations

import pytest

from ggp.errors import DescriptionError
from ggp.language.levels import builtin
from ggp.language.readers import headed, xsb
from ggp.model import Game, Level

SOKOBAN = builtin("sokoban")[0]
LEMMINGS = builtin("lemmings")[0]
HEADER = {"header": ["horizon+1", "budget"]}

COLLECTION = """\
; A collection
; of two levels

; First

####
#@ ##
# $. #
######

Title: The first
Author: nobody

; 2
'the second'

  -#####
  _#@$.#
   #####
Title: Second
"""
# The first level.txt, with the stray blanks of its first commit.
LEVEL_TXT = """\
20
3
XXXXXXXXXX
X<     XXX
X X      X
X        X
X      X X
X XX     X
X    X X X
XX   XX  X\x20\x20
XX   X XTX
XXXXXXXXXX
"""


def read_xsb(text: str, game: Game = SOKOBAN) -> tuple[Level, ...]:
    return xsb.read(text.encode(), "set/my levels.xsb", game, {})


def read_headed(text: str, game: Game = LEMMINGS) -> Level:
    (level,) = headed.read(text.encode(), "level.txt", game, HEADER)
    return level


def fault(text: str, form: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        read_xsb(text) if form == "xsb" else read_headed(text)
    return str(caught.value)
