"""Typed dicts for every JSON answer of the library and its commands, each defined in its own layer.

`collapsi.core.json_types` says how they are used. What only the service says is in `api.models`.
"""

from collapsi.census.json_types import *
from collapsi.core.json_types import *
from collapsi.facts.json_types import *
from collapsi.games.big.json_types import *
from collapsi.games.solo.json_types import *
from collapsi.play.json_types import *
from collapsi.play.strategy.json_types import *
from collapsi.study.json_types import *
