"""Puzzles: positions of real games in which exactly one move wins.

They come from games of random deals, a third each: both sides move at random, both play perfectly, or both
toss a coin at every ply which of the two to do. Every game gives one puzzle at the most, and every game has
its own source of chance, so a set depends on its seed alone and not on how many are made at a time.

How hard a puzzle is: how many plies ahead one must look to be sure of the move. A win that ends within sight
is seen; and who sees that every other move loses knows the move too. So it is the shorter of the two: the
plies of the win, and the plies until the last of the other moves has lost.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING

from collapsi.analysis import Analysis, analyse, outcome_json, position_json
from collapsi.errors import CollapsiError
from collapsi.game import Game
from collapsi.lazy import lazy
from collapsi.position import deal
from collapsi.rules import STANDARD, refuse_shifting
from collapsi.solve import answers
from collapsi.state import count_plies
from collapsi.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from collapsi import json_shapes
    from collapsi.analysis import MoveValue
    from collapsi.board import Board
    from collapsi.position import Position
    from collapsi.rules import Rules
    from collapsi.solve.search import Solution

MOST_AT_ONCE = 512
"""Games played side by side at the most: some tenths of a second."""
FEWEST_AT_ONCE = 4
DEALS_A_PUZZLE = 30
"""To find a single puzzle takes about as long as to solve so many deals."""
MOST_BARREN = 2000
"""After so many games without a new puzzle there are hardly any more."""


class PuzzleKind(StrEnum):
    """How hard a puzzle is, by the plies that one must look ahead."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"

    @property
    def least(self) -> int:
        """The fewest plies that one must look ahead."""
        return {PuzzleKind.EASY: 1, PuzzleKind.MEDIUM: 3, PuzzleKind.HARD: 5, PuzzleKind.EXPERT: 7}[self]

    @property
    def text(self) -> str:
        """What people are told of it.

        >>> PuzzleKind.EASY.text, PuzzleKind.EXPERT.text
        ('look 1 or 2 plies ahead', 'look 7 or more plies ahead')
        """
        most = "more" if self is PuzzleKind.EXPERT else self.least + 1
        return f"look {self.least} or {most} plies ahead"


def kind_of(sight: int) -> PuzzleKind:
    """The kind of puzzle where one must look so many plies ahead.

    >>> kind_of(4), kind_of(13)
    (<PuzzleKind.MEDIUM: 'medium'>, <PuzzleKind.EXPERT: 'expert'>)
    """
    return [kind for kind in PuzzleKind if kind.least <= sight][-1]


@dataclass(frozen=True)
class Puzzle:
    """A position with a unique winning move, the game that led to it, and how hard it is.

    >>> import collapsi
    >>> puzzle = Puzzle(collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r"))
    >>> puzzle.move.name, puzzle.plies, puzzle.refuted, puzzle.sight, puzzle.kind
    ('a2', 13, 12, 12, <PuzzleKind.EXPERT: 'expert'>)
    """

    game: Game
    solution: Solution | None = field(default=None, compare=False, repr=False)
    """Of the last position, if somebody has solved it already."""

    @property
    def position(self) -> Position:
        """Where the move is to be found."""
        return self.game.position

    @lazy
    def analysis(self) -> Analysis:
        """The position solved."""
        return Analysis(self.position, self.solution) if self.solution else analyse(self.position)

    @property
    def move(self) -> MoveValue:
        """The one that wins."""
        return self.analysis.moves[0]

    @property
    def plies(self) -> int:
        """How long the win takes, its first move included."""
        return self.move.plies

    @property
    def refuted(self) -> int:
        """How long the longest-lived of the other moves lives, itself included."""
        return self.analysis.moves[1].plies

    @property
    def sight(self) -> int:
        """How many plies one must look ahead to be sure of the move."""
        return min(self.plies, self.refuted)

    @property
    def kind(self) -> PuzzleKind:
        """How hard that is."""
        return kind_of(self.sight)

    @lazy
    def card(self) -> bool:
        """Whether the card of rules that comes with the package names the move and no other."""
        from collapsi.strategy.rulecard import kept_card

        if self.position.rules.shift is not None:
            return False  # it speaks of the classic game
        return kept_card(self.position.rules.name).choose(self.position) == (self.move.move,)

    @property
    def rating(self) -> str:
        """How the move can be found, in words."""
        ahead = f"look {count_plies(self.sight)} ahead to be sure"
        if self.position.rules.shift is not None:
            return ahead
        return f"{ahead}; the card of rules {'finds it' if self.card else 'does not find it'}"

    def to_json(self) -> json_shapes.Puzzle:
        """The puzzle as plain data, with its answer."""
        return {
            **position_json(self.position),
            "kind": self.kind,
            "sight": self.sight,
            "plies": self.plies,
            "refuted": self.refuted,
            "card": self.card,
            "move": self.move.name,
            "line": list(self.analysis.line),
            "game": self.game.text,
        }


def is_puzzle(solution: Solution) -> bool:
    """Whether exactly one of several moves wins."""
    moves = [value for value in solution.values if value]
    return len(moves) > 1 and sum(value > 0 for value in moves) == 1


def make_puzzles(
    seed: int,
    *,
    kind: PuzzleKind | None = None,
    rules: Rules = STANDARD,
    count: int = 1,
    jobs: int | None = None,
) -> Iterator[Puzzle]:
    """So many puzzles of a kind, of all kinds if none is named; no two are the same in another orientation.

    Fewer puzzles of the same seed are the first of more.

    >>> for puzzle in make_puzzles(7, kind=PuzzleKind.EASY, count=2):
    ...     print(puzzle.position.text, puzzle.sight, puzzle.move.name)
    A22b./..../..../3r3.. b 2 a1
    A2r.2/..../4AA2/.3b.. r 2 b3
    """
    refuse_shifting(rules, "puzzles are")
    seen: set[tuple[int, ...]] = set()
    number = barren = 0
    while len(seen) < count:
        batch = range(number, number + min(max(2 * (count - len(seen)), FEWEST_AT_ONCE), MOST_AT_ONCE))
        number = batch.stop
        for found in _puzzles_of(batch, seed, kind, rules, jobs):
            if found is None or (same := orientation_free(found.position)) in seen:
                barren += 1
                if barren == MOST_BARREN:
                    what = f"{kind or ''} puzzles".strip()
                    msg = f"{MOST_BARREN:,} games under {rules} rules gave no more {what} than {len(seen)}"
                    raise CollapsiError(msg)
                continue
            barren = 0
            seen.add(same)
            yield found
            if len(seen) == count:
                return


class _Playing:
    """A game while it is played: its own chance, the moves so far, and where the puzzles are."""

    def __init__(self, number: int, seed: int, rules: Rules) -> None:
        self.rng = random.Random(f"puzzle {seed} {number}")
        self.blunders = self.rng.choice((0.0, 0.5, 1.0))
        """How often a move is made at random."""
        self.start = self.position = deal(self.rng, rules)
        self.moves: list[int] = []
        self.puzzles: list[tuple[int, Solution]] = []
        """How many moves lead to each, and its solution."""

    def play(self, solution: Solution) -> None:
        """One more move."""
        if is_puzzle(solution):
            self.puzzles.append((len(self.moves), solution))
        values = solution.values
        random_one = self.rng.random() < self.blunders
        best = max(value for value in values if value)
        moves = [move for move, value in enumerate(values) if (value if random_one else value == best)]
        self.moves.append(self.rng.choice(moves))
        self.position = self.position.play(self.moves[-1])

    def puzzle(self, kind: PuzzleKind | None) -> Puzzle | None:
        """One of the puzzles of that kind by chance, if there is any."""
        found = []
        for length, solution in self.puzzles:
            puzzle = Puzzle(Game.start(self.start, self.moves[:length]), solution)
            if kind is None or puzzle.kind is kind:
                found.append(puzzle)
        return self.rng.choice(found) if found else None


def _puzzles_of(
    numbers: range, seed: int, kind: PuzzleKind | None, rules: Rules, jobs: int | None
) -> list[Puzzle | None]:
    """The puzzle of each of these games, played side by side; None where there is none of that kind."""
    games = [_Playing(number, seed, rules) for number in numbers]
    # A game goes on until two cards are left at the most: with fewer cards nothing so long can be found.
    fewest = 2 + (kind.least if kind else 1)
    under_way = games
    while under_way := [
        game for game in under_way if game.position.cards_left >= fewest and game.position.moves
    ]:
        positions = [game.position for game in under_way]
        for game, solution in zip(under_way, answers.solutions(positions, jobs=jobs), strict=True):
            game.play(solution)
    return [game.puzzle(kind) for game in games]


def orientation_free(position: Position) -> tuple[int, ...]:
    """The same for all positions that a symmetry of the board, or other colours, make into each other.

    The mover is laid on the first cell, in every way; the least reading of the cards then stands for all.

    >>> import collapsi
    >>> one = orientation_free(collapsi.parse_position("..../.2r../.Ab../.2.. r"))
    >>> one == orientation_free(collapsi.parse_position("..../..../.2Ar2b/.... b"))
    True
    >>> one == orientation_free(collapsi.parse_position("..../..../.2Ab2r/.... b"))
    False
    """
    other = position.pawns[position.to_move.other]
    cards = [-1 if card is None else int(card) for card in position.cards]
    cards[other] += 8
    ways = _ways_to_lay(position.board)[position.pawns[position.to_move]]
    return min(way(cards) for way in ways)


@cache
def _ways_to_lay(board: Board) -> list[list[Callable[[Sequence[int]], tuple[int, ...]]]]:
    """For each cell the symmetries that take it to the first one, each as a reading of the cells in order."""
    ways: list[list[Callable[[Sequence[int]], tuple[int, ...]]]] = [[] for _ in range(board.size)]
    for symmetry in symmetries(board):
        reading = sorted(range(board.size), key=lambda cell: symmetry[cell])
        ways[reading[0]].append(itemgetter(*reading))
    return ways


@dataclass(frozen=True)
class Trial:
    """A move tried where a win is to be found, and the proof that it wins or does not.

    >>> trial = try_move(analyse("A223/4A2Jr/3A23/Jb3A4 r"), "d1")
    >>> trial.right, str(trial)
    (False, 'd1 loses: blue goes to a3 and wins in 11 plies')
    """

    before: Analysis
    played: MoveValue
    after: Analysis

    @property
    def right(self) -> bool:
        """Whether it wins."""
        return self.played.wins

    @property
    def line(self) -> tuple[str, ...]:
        """The move, and perfect play to the end after it: the proof."""
        return (self.played.name, *self.after.line)

    @lazy
    def puzzle(self) -> Puzzle | None:
        """The puzzle that it was, if just one of several moves wins."""
        solution = self.before.solution
        return Puzzle(Game.start(self.before.position), solution) if is_puzzle(solution) else None

    @property
    def only(self) -> bool:
        """Whether there was only one winning move to be found."""
        return sum(move.wins for move in self.before.moves) == 1

    def __str__(self) -> str:
        name, other = self.played.name, self.after.position.to_move
        if not self.right:
            reply, plies = self.after.line[0], count_plies(self.after.plies)
            return f"{name} loses: {other} goes to {reply} and wins in {plies}"
        what = f"{name} is the only move that wins" if self.only else f"{name} wins"
        how = f"{other} cannot move" if not self.after.moves else f"in {count_plies(self.played.plies)}"
        quicker = (
            ""
            if self.played.outcome == self.before.outcome
            else (f"; the quickest, {self.before.best[0]}, takes {count_plies(self.before.plies)}")
        )
        return f"{what}{':' if not self.after.moves else ','} {how}{quicker}"

    def to_json(self) -> json_shapes.Trial:
        """The trial as plain data."""
        return {
            **position_json(self.before.position),
            "move": self.played.name,
            "right": self.right,
            "only": self.only,
            **outcome_json(self.played.outcome),
            "line": list(self.line),
            "text": str(self),
            "rating": self.puzzle.rating if self.puzzle else None,
            "kind": self.puzzle.kind if self.puzzle else None,
        }


def try_move(before: Analysis, move: str) -> Trial:
    """Try a move in a position that the side to move can win."""
    position = before.position
    if before.winner is not position.to_move:
        msg = f"{position.to_move} cannot win here: there is no move to find"
        raise CollapsiError(msg)
    after = position.play(position.parse_move(move))
    played = next(one for one in before.moves if one.move == position.parse_move(move))
    return Trial(before, played, analyse(after))
