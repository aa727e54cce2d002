"""The questions of the exam: positions of games from deals that no training or validation data has.

They are stored in `questions.txt` as games, one per line, so that their deals are known; `drawing` has made
this file. A question is the last position of its game.

There are two kinds. In a *won* position some moves win and others lose. Its difficulty is that of a puzzle
(`collapsi.play.puzzles`): the plies to look ahead to be sure of a winning move, because a win is in sight or
because every losing move has lost by then. In a *lost* position every move loses, but some lose sooner.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from collapsi.games.registry import parse_game
from collapsi.play.analysis import analyse_many
from collapsi.play.enums import PuzzleKind
from collapsi.play.puzzles import kind_of

if TYPE_CHECKING:
    from collapsi.core.game import Game
    from collapsi.games.analysis import Analysis, MoveValue
    from collapsi.games.classic.position import Position

PHASES = ((1, 2), (3, 5), (6, 9), (10, 14))
"""First and last ply; the same as for cards of rules."""

Phase = tuple[int, int]

DIFFICULTIES = tuple(kind for kind in PuzzleKind if kind.asks_for_move)
"""By the plies to look ahead."""


@dataclass(frozen=True)
class Question:
    """A position, solved."""

    game: Game[Position]
    analysis: Analysis[Position]

    @property
    def position(self) -> Position:
        """The position in which to find a move."""
        return self.game.position

    @property
    def is_won(self) -> bool:
        """Whether there is a win to keep; otherwise there is a loss to delay."""
        return self.analysis.moves[0].wins

    @property
    def phase(self) -> Phase:
        """The phase of the game, by the number of the ply to be played."""
        ply = 1 + self.position.cards.count(None)
        return next(phase for phase in PHASES if ply <= phase[1])

    @cached_property
    def difficulty(self) -> PuzzleKind | None:
        """How hard it is to keep the win; None for a lost position."""
        if not self.is_won:
            return None
        winning = min(move.plies for move in self.analysis.moves if move.wins)
        losing = max(move.plies for move in self.analysis.moves if not move.wins)
        return kind_of(min(winning, losing))

    def value(self, move: int) -> MoveValue:
        """Return the value of a move."""
        return next(value for value in self.analysis.moves if value.move == move)


@lru_cache(maxsize=1)
def load_questions() -> tuple[Question, ...]:
    """Return the questions of the exam.

    >>> questions = load_questions()
    >>> len(questions), sum(question.is_won for question in questions)
    (1200, 960)
    """
    text = files("collapsi.study.exam").joinpath("questions.txt").read_text("utf-8")
    games = [parse_game(line) for line in text.splitlines()]
    analyses = analyse_many([game.position for game in games])
    return tuple(map(Question, games, analyses))
