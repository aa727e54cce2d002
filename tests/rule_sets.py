"""The named rule sets of the games for two on the 4×4 board, for tests that take all of them."""

from __future__ import annotations

from typing import Any

from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.shifting.rules import SHIFTING_RULE_SETS

SHIFTING = list(SHIFTING_RULE_SETS.values())
FOR_TWO: dict[str, Any] = {**CLASSIC_RULE_SETS, **SHIFTING_RULE_SETS}
