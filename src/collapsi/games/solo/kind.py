"""The solo game as a kind: one pawn collapses every card, then leaves by the exit."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from collapsi.core.cards import Card, jacks_of
from collapsi.games.kind import Can, Kind
from collapsi.games.solo.rules import SOLO_BOARDS, SOLO_RULE_SETS, SoloRules

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.core.game import Game
    from collapsi.games.solo.solver import SoloSolver
    from collapsi.games.solo.state import Solo


class SoloKind(Kind):
    """The kind of the solo game."""

    name = "solo"
    title = "the solo game"
    path = "solo/"
    aim = "The card you leave collapses. Collapse every card, then leave by the exit, X."
    rule_sets = SOLO_RULE_SETS
    can: frozenset[Can] = frozenset()
    opponents = None

    def owns(self, rows: Sequence[str]) -> bool:
        """Return whether the rows have the size of a solo board and one X: no other game has an exit."""
        text = "".join(rows).upper()
        if text.count("X") != 1 or text.count("R") != 1 or not set(text) <= set("A234JXR."):
            return False
        sizes = [len(re.sub("r", "", row, flags=re.IGNORECASE)) for row in rows]
        return any(sizes == [board.columns] * board.rows for board in SOLO_BOARDS)

    def parse(self, words: list[str], rules: SoloRules | None, named: str | None) -> Game[Solo]:
        from collapsi.games.solo.notation import parse_game

        return parse_game(words, rules.exit if rules else None)

    def lay(self, cards: Sequence[Card], rules: SoloRules) -> Solo:
        """Return the layout of these cards: the pawn on the first jack, the exit on the second."""
        from collapsi.games.solo.state import Solo

        return Solo(tuple(cards), (jacks_of(cards)[0],), rules)

    def deal(self, rng: random.Random, rules: SoloRules) -> Solo:
        """Deal a layout of the official deck that can be solved."""
        from collapsi.games.solo.deals import deal_solvable

        return deal_solvable(rng, reading=rules.exit)

    @cached_property
    def solver(self) -> SoloSolver:
        """Counts all solutions."""
        from collapsi.games.solo.solver import SoloSolver

        return SoloSolver()


KIND = SoloKind()
