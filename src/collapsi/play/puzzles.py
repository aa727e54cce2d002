"""Puzzles: positions of real games in which exactly one move wins, or in which the turn decides.

They come from games of random deals. In a third of the games both sides move at random, in a third both play
perfectly, and in a third each move is random with probability one half. Every game gives at most one puzzle
and has its own random numbers, so a set depends only on its seed, not on how many are made at a time.

The difficulty of a puzzle is the number of plies to look ahead to be sure of the move. The move is certain if
its win ends within that distance, or if all other moves have lost by then. So it is the smaller of the plies
of the win and the plies until the last of the other moves has lost.

Puzzles of the kind `pass` ask whether the side to move would rather pass (`play.tempo`). They come from games
that have a position for either answer, and a coin decides between the answers: so each is right as often.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from collapsi.core.errors import CollapsiError
from collapsi.core.game import Game
from collapsi.core.state import count_plies
from collapsi.core.symmetry import symmetries
from collapsi.games.analysis import Analysis, outcome_json, position_json
from collapsi.games.classic.position import deal
from collapsi.games.classic.rules import STANDARD
from collapsi.games.kind import Can
from collapsi.games.registry import can, kind_named, require
from collapsi.play.analysis import analyse
from collapsi.play.enums import PuzzleKind, Turn
from collapsi.play.tempo import PassPuzzle, PassTrial, passed, try_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from collapsi.core.board import Board
    from collapsi.games.analysis import MoveValue
    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import Rules
    from collapsi.games.classic.solver import ClassicSolver
    from collapsi.play import json_types
    from collapsi.solving.solution import Solution

MOST_AT_ONCE = 512
"""Most games played at the same time: a few tenths of a second."""
FEWEST_AT_ONCE = 4
DEALS_A_PUZZLE = 30
"""Finding a puzzle takes about as long as solving this many deals."""
LONGEST_PASS = 6
"""Most plies to look ahead in a puzzle of the kind `pass`; most deals would need more than people see."""
MOST_BARREN = 2000
"""Give up after this many games without a new puzzle."""


def kind_of(sight: int) -> PuzzleKind:
    """Return the kind of a puzzle that needs `sight` plies of looking ahead.

    >>> kind_of(4), kind_of(13)
    (<PuzzleKind.MEDIUM: 'medium'>, <PuzzleKind.EXPERT: 'expert'>)
    """
    return [kind for kind in PuzzleKind if kind.asks_for_move and kind.least <= sight][-1]


@dataclass(frozen=True)
class Puzzle:
    """A position with a unique winning move, the game that leads to it, and how hard it is.

    >>> import collapsi
    >>> puzzle = Puzzle(collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r"))
    >>> puzzle.move.name, puzzle.plies, puzzle.refuted, puzzle.sight, puzzle.kind
    ('a2', 13, 12, 12, <PuzzleKind.EXPERT: 'expert'>)
    """

    game: Game
    solution: Solution | None = field(default=None, compare=False, repr=False)
    """The solution of the last position, if it is known already."""

    @property
    def position(self) -> Any:
        """The position in which to find the move."""
        return self.game.position

    @cached_property
    def analysis(self) -> Analysis:
        """The position solved."""
        return Analysis(self.position, self.solution) if self.solution else analyse(self.position)

    @property
    def move(self) -> MoveValue:
        """The winning move."""
        return self.analysis.moves[0]

    @property
    def answer(self) -> str:
        """The winning move in notation."""
        return self.move.name

    @property
    def plies(self) -> int:
        """Plies of the win, including the first move."""
        return self.move.plies

    @property
    def refuted(self) -> int:
        """Plies of the other move that loses last, including the move."""
        return self.analysis.moves[1].plies

    @property
    def sight(self) -> int:
        """Plies to look ahead to be sure of the move."""
        return min(self.plies, self.refuted)

    @property
    def kind(self) -> PuzzleKind:
        """How hard the puzzle is."""
        return kind_of(self.sight)

    @cached_property
    def card(self) -> bool:
        """Whether the card of rules in this package chooses the move and no other."""
        from collapsi.play.strategy.rulecard import bundled_card

        if not can(self.position.rules, Can.FOLLOW_CARD):
            return False
        return bundled_card(self.position.rules.name).choose(self.position) == (self.move.move,)

    @property
    def rating(self) -> str:
        """How to find the move, in words."""
        ahead = f"look {count_plies(self.sight)} ahead to be sure"
        if not can(self.position.rules, Can.FOLLOW_CARD):
            return ahead
        return f"{ahead}; the card of rules {'finds it' if self.card else 'does not find it'}"

    def to_json(self) -> json_types.Puzzle:
        """Return the puzzle as plain data, with its answer."""
        return {
            **position_json(self.position),
            "kind": self.kind,
            "sight": self.sight,
            "plies": self.plies,
            "refuted": self.refuted,
            "card": self.card,
            "move": self.answer,
            "line": list(self.analysis.line),
            "game": self.game.text,
        }


def is_puzzle(solution: Solution) -> bool:
    """Return whether exactly one of several moves wins."""
    moves = [value for value in solution.values if value]
    return len(moves) > 1 and sum(value > 0 for value in moves) == 1


@overload
def make_puzzles(
    seed: int,
    *,
    kind: Literal[PuzzleKind.EASY, PuzzleKind.MEDIUM, PuzzleKind.HARD, PuzzleKind.EXPERT] | None = ...,
    rules: Rules = ...,
    count: int = ...,
    jobs: int | None = ...,
) -> Iterator[Puzzle]: ...
@overload
def make_puzzles(
    seed: int,
    *,
    kind: Literal[PuzzleKind.PASS],
    rules: Rules = ...,
    count: int = ...,
    jobs: int | None = ...,
) -> Iterator[PassPuzzle]: ...
@overload
def make_puzzles(
    seed: int,
    *,
    kind: PuzzleKind | None,
    rules: Rules = ...,
    count: int = ...,
    jobs: int | None = ...,
) -> Iterator[Puzzle | PassPuzzle]: ...
def make_puzzles(
    seed: int,
    *,
    kind: PuzzleKind | None = None,
    rules: Rules = STANDARD,
    count: int = 1,
    jobs: int | None = None,
) -> Iterator[Puzzle | PassPuzzle]:
    """Yield `count` puzzles of a kind, or of all but `pass`; no two are equivalent under a symmetry.

    The first puzzles of a seed do not depend on `count`.

    >>> for puzzle in make_puzzles(7, kind=PuzzleKind.EASY, count=2):
    ...     print(puzzle.position.text, puzzle.sight, puzzle.move.name)
    A22b./..../..../3r3.. b 2 a1
    A2r.2/..../4AA2/.3b.. r 2 b3
    """
    require(rules, Can.PUZZLES)
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


class _GameInProgress:
    """A game with its own random numbers, its moves so far, and its puzzles."""

    def __init__(self, number: int, seed: int, rules: Rules) -> None:
        self.rng = random.Random(f"puzzle {seed} {number}")
        self.blunders = self.rng.choice((0.0, 0.5, 1.0))
        """Share of moves that are random."""
        self.start = self.position = deal(self.rng, rules)
        self.moves: list[int] = []
        self.puzzles: list[tuple[int, Solution]] = []
        """The number of moves before each puzzle, and its solution."""
        self.turns: dict[Turn, list[int]] = {turn: [] for turn in Turn}
        """By the better answer: the numbers of moves before positions where the turn decides."""

    def play(self, solution: Solution) -> None:
        """Make a move, random or best."""
        if is_puzzle(solution):
            self.puzzles.append((len(self.moves), solution))
        values = solution.values
        random_one = self.rng.random() < self.blunders
        best = max(value for value in values if value)
        moves = [move for move, value in enumerate(values) if (value if random_one else value == best)]
        self.moves.append(self.rng.choice(moves))
        self.position = self.position.play(self.moves[-1])

    def note_turn(self, if_moved: Solution, if_passed: Solution) -> None:
        """Note the position if the turn decides: the side to move wins, or loses, whichever it is."""
        moving, passing = (any(value > 0 for value in one.values) for one in (if_moved, if_passed))
        if moving != passing or not any(if_passed.values):  # or the other side cannot even move
            return
        here, there = Analysis(self.position, if_moved), Analysis(passed(self.position), if_passed)
        if min(here.plies, there.plies) <= LONGEST_PASS:
            self.turns[Turn.MOVE if moving else Turn.PASS].append(len(self.moves))

    def puzzle(self, kind: PuzzleKind | None) -> Puzzle | PassPuzzle | None:
        """Return a random puzzle of that kind, or None."""
        if kind is PuzzleKind.PASS:
            if not all(self.turns.values()):
                return None
            length = self.rng.choice(self.turns[self.rng.choice(list(Turn))])
            return PassPuzzle(Game.start(self.start, self.moves[:length]))
        found = []
        for length, solution in self.puzzles:
            puzzle = Puzzle(Game.start(self.start, self.moves[:length]), solution)
            if kind is None or puzzle.kind is kind:
                found.append(puzzle)
        return self.rng.choice(found) if found else None


def _puzzles_of(
    numbers: range, seed: int, kind: PuzzleKind | None, rules: Rules, jobs: int | None
) -> list[Puzzle | PassPuzzle | None]:
    """Return a puzzle of each game, played at the same time; None for a game without one of that kind."""
    games = [_GameInProgress(number, seed, rules) for number in numbers]
    # A game ends with at least two cards face up: with fewer cards than this no win is long enough.
    fewest = 2 + (kind.least if kind else 1)
    solver = cast("ClassicSolver", kind_named("classic").solver)  # with the backend in use
    under_way = games
    while under_way := [
        game for game in under_way if game.position.cards_left >= fewest and game.position.moves
    ]:
        positions = [game.position for game in under_way]
        solutions = list(solver.solutions(positions, jobs=jobs))
        if kind is PuzzleKind.PASS:
            swapped = solver.solutions(list(map(passed, positions)), jobs=jobs)
            for game, solution, if_passed in zip(under_way, solutions, swapped, strict=True):
                game.note_turn(solution, if_passed)
        for game, solution in zip(under_way, solutions, strict=True):
            game.play(solution)
    return [game.puzzle(kind) for game in games]


def orientation_free(position: Position) -> tuple[int, ...]:
    """Return a key that is equal for positions that a symmetry or swapped colours map to each other.

    It is the least sequence of cards over all symmetries that map the mover to the first cell.

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
    ways = _reorderings(position.board)[position.pawns[position.to_move]]
    return min(way(cards) for way in ways)


@lru_cache(maxsize=32)
def _reorderings(board: Board) -> list[list[Callable[[Sequence[int]], tuple[int, ...]]]]:
    """Return for each cell the symmetries that map it to the first cell, as functions that reorder cards."""
    ways: list[list[Callable[[Sequence[int]], tuple[int, ...]]]] = [[] for _ in range(board.size)]
    for symmetry in symmetries(board):
        reading = sorted(range(board.size), key=lambda cell: symmetry[cell])
        ways[reading[0]].append(itemgetter(*reading))
    return ways


@dataclass(frozen=True)
class Trial:
    """A move tried in a puzzle, and the proof that it wins or loses.

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
        """The proof: the move, and perfect play after it."""
        return (self.played.name, *self.after.line)

    @cached_property
    def puzzle(self) -> Puzzle | None:
        """The puzzle of the position, if exactly one of several moves wins."""
        solution = self.before.solution
        return Puzzle(Game.start(self.before.position), solution) if is_puzzle(solution) else None

    @property
    def only(self) -> bool:
        """Whether there is only one winning move."""
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

    def to_json(self) -> json_types.Trial:
        """Return the trial as plain data."""
        return {
            **position_json(self.before.position),
            "move": self.played.name,
            "right": self.right,
            "only": self.only,
            **outcome_json(self.played.outcome),
            "start": self.before.position.text,
            "line": list(self.line),
            "text": str(self),
            "rating": self.puzzle.rating if self.puzzle else None,
            "kind": self.puzzle.kind if self.puzzle else None,
        }


def try_move(before: Analysis, move: str) -> Trial | PassTrial:
    """Try a move in a position that the side to move can win, or answer "pass" or "move" in any position."""
    position = before.position
    if move in set(Turn):
        return try_turn(position, Turn(move))
    if before.winner is not position.to_move:
        msg = f"{position.to_move} cannot win here: there is no move to find"
        raise CollapsiError(msg)
    after = position.play(position.parse_move(move))
    played = next(one for one in before.moves if one.move == position.parse_move(move))
    return Trial(before, played, analyse(after))
