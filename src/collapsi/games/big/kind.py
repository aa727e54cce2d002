"""The big board as a kind: two to four pawns, and a player who cannot move is out."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from collapsi.games.big.rules import BIG_RULE_SETS, BigRules
from collapsi.games.kind import Can, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collapsi.core.cards import Card
    from collapsi.core.game import Game
    from collapsi.core.reasons import Reason
    from collapsi.core.stuck import Stuck
    from collapsi.games.big.levels import BigOpponents
    from collapsi.games.big.match import BigMatch
    from collapsi.games.big.review import BigReview
    from collapsi.games.big.solver import BigSolver
    from collapsi.games.big.state import BigState
    from collapsi.games.kind import Limits


class BigKind(Kind):
    """The kind of the big board."""

    name = "big"
    title = "the big board"
    path = "big/"
    aim = "The card you leave collapses. A player who cannot move is out; the last one left wins."
    rule_sets = BIG_RULE_SETS
    can = frozenset({Can.LADDER, Can.STUDY, Can.FACTS, Can.REVIEW, Can.OPPONENTS})

    def capabilities(self, rules: BigRules) -> frozenset[Can]:
        """Return what the rules can be used for; the solver that `bench` measures is for two players."""
        return self.can | {Can.BENCH} if rules.players == 2 else self.can

    def parse(self, words: list[str], rules: BigRules | None, named: str | None) -> Game[BigState]:
        from collapsi.games.big.notation import parse_game

        return parse_game(words, rules, named)

    def lay(self, cards: Sequence[Card], rules: BigRules) -> BigState:
        from collapsi.games.big.state import lay_big

        return lay_big(cards, rules)

    def find_faults(self, state: BigState) -> tuple[Reason, ...]:
        from collapsi.games.big.faults import find_faults

        return find_faults(state)

    @cached_property
    def solver(self) -> BigSolver:
        """The engine, the exact search and the judge of endgames."""
        from collapsi.games.big.solver import BigSolver

        return BigSolver()

    def reviews(self, game: Game[BigState], limits: Limits) -> Iterator[BigReview]:
        """Yield reviews, from the last move to the first."""
        from collapsi.games.big.review import review_steps
        from collapsi.games.big.search import TABLE

        return review_steps(game, seed=limits.seed, table=TABLE)

    def events(self, before: BigState, after: BigState) -> list[str]:
        """Describe who went out."""
        from collapsi.games.big.state import went_out

        return went_out(before, after)

    def find_stuck(self, before: BigState | None, after: BigState) -> list[Stuck]:
        """Return why the players who went out by the move cannot move."""
        from collapsi.games.big.state import find_stuck_players

        return [] if before is None else find_stuck_players(before, after)

    def match(self, rules: BigRules, text: str = "") -> BigMatch:
        """Read a match, or start one: one round per player."""
        from collapsi.games.big.match import BigMatch, parse_big_match

        return parse_big_match(text, rules) if text else BigMatch.start(rules)

    @cached_property
    def opponents(self) -> BigOpponents:
        """The computer players."""
        from collapsi.games.big.levels import BigOpponents

        return BigOpponents()


KIND = BigKind()
