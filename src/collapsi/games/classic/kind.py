"""The classic game: two pawns on a board that does not shift."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from collapsi.core.cards import Card
from collapsi.games.classic.made_up import find_rules
from collapsi.games.classic.rules import CLASSIC_RULE_SETS, STANDARD, Rules
from collapsi.games.kind import Can, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.game import Game
    from collapsi.core.reasons import Reason
    from collapsi.games.classic.position import Position
    from collapsi.games.classic.solver import ClassicSolver


class ClassicKind(Kind):
    """The classic game as a kind."""

    name = "classic"
    title = "the classic game"
    rule_sets = CLASSIC_RULE_SETS
    can = frozenset(Can) - {Can.FACTS}  # the census has them
    opponents = None

    def find_rules(self, text: str) -> Rules | None:
        return find_rules(text)

    def capabilities(self, rules: Rules) -> frozenset[Can]:
        """Return all capabilities; on other boards than 4×4 without census and strategy cards.

        Similar deals are counted for the named rule sets.
        """
        missing = set() if rules.name in CLASSIC_RULE_SETS else {Can.SIMILAR}
        if rules.board != STANDARD.board:
            missing |= {Can.CENSUS, Can.DECKS, Can.STRATEGY, Can.LADDER}
        return self.can - missing

    def parse(self, words: list[str], rules: Rules | None, named: str | None) -> Game[Position]:
        from collapsi.games.classic.notation import parse_game

        return parse_game(words, rules, named)

    def lay(self, cards: Sequence[Card], rules: Rules) -> Position:
        from collapsi.games.classic.position import lay

        return lay(cards, rules)

    def find_faults(self, state: Position) -> tuple[Reason, ...]:
        from collapsi.games.classic.faults import find_faults

        return find_faults(state)

    def finds_traps(self, state: Position) -> bool:
        """Return whether no free first move lies ahead, which has too many lines."""
        return Card.JACK not in state.cards or max(map(len, state.rules.first_walks)) <= 2

    @cached_property
    def solver(self) -> ClassicSolver:
        """The solver: interpreted, compiled or WebAssembly."""
        from collapsi.games.classic.solver import ClassicSolver

        return ClassicSolver()


KIND = ClassicKind()
