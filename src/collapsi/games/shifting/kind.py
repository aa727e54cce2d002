"""The shifting board: each move also shifts the row or column that it ends on."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from collapsi.core.patch import Wrap
from collapsi.games.kind import Can, Kind
from collapsi.games.shifting.made_up import find_rules
from collapsi.games.shifting.rules import SHIFTING_RULE_SETS, ShiftingRules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.cards import Card
    from collapsi.core.game import Game
    from collapsi.core.reasons import Reason
    from collapsi.core.symmetry import Symmetry
    from collapsi.games.shifting.solver import ShiftingSolver
    from collapsi.games.shifting.state import Shifting

TRAP_CARDS = 10
"""From this number of face-up cards, following all lines takes some tenths of a second."""


class ShiftingKind(Kind):
    """The shifting board as a kind."""

    name = "shifting"
    title = "the shifting board"
    rule_sets = SHIFTING_RULE_SETS
    shifts = True
    aim = (
        "Then choose an arrow: it shifts the row or column you ended on. The card you left collapses, and "
        "a player who cannot move loses."
    )
    can = frozenset(
        {
            Can.COUNT_GAMES,
            Can.COACH,
            Can.EDIT,
            Can.STUDY,
            Can.BENCH,
            Can.FACTS,
            Can.REVIEW,
            Can.OPPONENTS,
        }
    )
    opponents = None

    def find_rules(self, text: str) -> ShiftingRules | None:
        return find_rules(text)

    def capabilities(self, rules: ShiftingRules) -> frozenset[Can]:
        """Return the capabilities; a census needs a board that stays a square, so that lines must rotate."""
        return self.can | {Can.CENSUS} if rules.wrap is Wrap.ROTATE else self.can

    def parse(self, words: list[str], rules: ShiftingRules | None, named: str | None) -> Game[Shifting]:
        from collapsi.games.shifting.notation import parse_game

        return parse_game(words, rules, named)

    def lay(self, cards: Sequence[Card], rules: ShiftingRules) -> Shifting:
        from collapsi.games.shifting.state import lay

        return lay(cards, rules)

    def symmetries(self, rules: ShiftingRules) -> tuple[Symmetry, ...]:
        """Return the symmetries of the square that map every shift to a shift."""
        from collapsi.games.shifting.symmetry import symmetries

        return symmetries(rules)

    def find_faults(self, state: Shifting) -> tuple[Reason, ...]:
        from collapsi.games.shifting.faults import find_faults

        return find_faults(state)

    @cached_property
    def solver(self) -> ShiftingSolver:
        """The search kernel of the shifting board."""
        from collapsi.games.shifting.solver import ShiftingSolver

        return ShiftingSolver()

    def finds_traps(self, state: Shifting) -> bool:
        """Return whether at most `TRAP_CARDS` are face up."""
        return state.cards_left <= TRAP_CARDS

    def heuristic(self, state: Shifting, moves: Sequence[int], name: str) -> tuple[int, ...]:
        from collapsi.games.shifting.heuristics import Heuristic

        return Heuristic(name).choose(state, moves)


KIND = ShiftingKind()
