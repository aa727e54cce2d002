"""The analysis of a solo position, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.cached import cached_property
from collapsi.core.drawing import draw
from collapsi.games.analysis import LegalMove
from collapsi.games.solo.deals import Difficulty, deck_of
from collapsi.games.solo.notation import parse_solo
from collapsi.games.solo.search import SolutionTable

if TYPE_CHECKING:
    from fractions import Fraction

    from collapsi.games.solo import json_types
    from collapsi.games.solo.deals import Deck
    from collapsi.games.solo.state import Solo


@dataclass(frozen=True, repr=False)
class SoloMove(LegalMove["Solo"]):
    """A legal move with its number of solutions."""

    solutions: int
    """The number of solutions that begin with it."""

    @property
    def wins(self) -> bool:
        """Whether the position after the move can be solved."""
        return self.solutions > 0

    @property
    def value(self) -> str:
        """The number of solutions in at most four characters: `12`, `345k`."""
        for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
            if self.solutions >= max(size, 10_000):
                return f"{self.solutions // size}{unit}"
        return str(self.solutions)

    def __str__(self) -> str:
        return ways(self.solutions) if self.solutions else "cannot be solved any more"

    def to_json(self) -> json_types.SoloMoveSolved:
        """Return the move as plain data."""
        return {
            "move": self.name,
            "to": self.to,
            "path": list(self.path),
            "solvable": self.wins,
            "solutions": self.solutions,
        }


@dataclass(frozen=True, repr=False)
class SoloAnalysis:
    """A solved solo position.

    >>> analysis = analyse_solo("A2X/3Jr2/A2A")
    >>> analysis.solvable, analysis.solutions, analysis.best
    (True, 92, ('b1', 'a2', 'c2', 'b3'))
    >>> analysis.solution
    ('b1', 'a1', 'a2', 'c2', 'b3', 'a3', 'c3', 'c1')
    """

    position: Solo
    table: SolutionTable

    finished = True
    """No better answer follows."""
    status = "solved"

    @cached_property
    def solutions(self) -> int:
        """The number of solutions: different orders in which the cards can be landed on."""
        return self.table.count(self.position)

    @property
    def solvable(self) -> bool:
        """Whether the position can be solved, or is solved."""
        return self.solutions > 0

    @cached_property
    def moves(self) -> tuple[SoloMove, ...]:
        """Every legal move, in reading order."""
        position = self.position
        return tuple(
            SoloMove(position, move, self.table.count(position.play(move))) for move in position.moves
        )

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that keep the position solvable."""
        return tuple(move.name for move in self.moves if move.wins)

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The first solution in reading order; empty if there is none."""
        return tuple(map(self.position.move_text, next(self.table.solutions(self.position), ())))

    @property
    def line(self) -> tuple[str, ...] | None:
        """The first solution, under the name that all answers have; None where there is none."""
        return self.solution or (() if self.position.solved else None)

    @cached_property
    def share(self) -> Fraction:
        """The probability that random play solves the position."""
        return self.table.share(self.position)

    @cached_property
    def forced(self) -> int:
        """The least number of forced moves in a solution: only one of several keeps the position solvable."""
        return self.table.forced(self.position)

    @cached_property
    def deck(self) -> Deck | None:
        """The deck of which the position is a complete layout, or None."""
        return deck_of(self.position)

    @property
    def difficulty(self) -> Difficulty | None:
        """The difficulty within its deck; None if there is no solution or no deck."""
        if not self.solvable or self.deck is None:
            return None
        return self.deck.difficulty(self.share, self.position.rules.exit)

    @property
    def verdict(self) -> str:
        """The answer in one line.

        >>> analyse_solo("A2X/3Jr2/A2A").verdict
        'can be solved in 92 ways; 25.3 % of random play succeeds; forced moves: 0; easy for deck official'
        """
        if self.position.solved:
            return "solved"
        if not self.solvable:
            return "cannot be solved"
        parts = [
            f"can be solved in {ways(self.solutions)}",
            f"{per_cent(self.share)} of random play succeeds",
        ]
        parts.append(f"forced moves: {self.forced}")
        if self.difficulty is not None and self.deck is not None:
            parts.append(f"{self.difficulty} for deck {self.deck.name}")
        return "; ".join(parts)

    def steps(self) -> tuple[str, ...]:
        """Return the solution step by step: each move with the squares of its walk."""
        lines, position = [], self.position
        for number, square in enumerate(self.solution, start=1):
            walk = " ".join(map(position.board.square, position.path(square)))
            position = position.play(square)
            lines.append(f"{number:>2}. {square}  {walk}" + (" and out" if position.solved else ""))
        return tuple(lines)

    def __str__(self) -> str:
        lines = [str(self.position), self.verdict]
        lines += [f"{move.name}  {move}" for move in self.moves]
        if self.solution:
            lines += ["a solution, step by step", *self.steps()]
        return "\n".join(lines)

    @property
    def caption(self) -> str:
        """The answer in a few words, for a picture.

        >>> analyse_solo("A2X/3Jr2/A2A").caption
        '8 cards to collapse, 92 solutions'
        """
        if not self.moves:
            return self.position.turn
        count = f"{self.solutions:,}" if self.solutions else "no"
        return f"{self.position.turn}, {count} solution{'s' * (self.solutions > 1)}"

    def __repr__(self) -> str:
        return f"SoloAnalysis({self.position.text!r}: {self.caption})"

    def _repr_svg_(self) -> str:
        return draw("svg.draw_analysis", self)

    def facts_json(self) -> json_types.SoloFacts:
        """Return the number of solutions and the difficulty as plain data."""
        return {
            "position": self.position.text,
            "rules": self.position.rules.name,
            "exit": self.position.rules.exit,
            "solvable": self.solvable,
            "solutions": self.solutions,
            "share": float(self.share),
            "forced": self.forced,
            "deck": self.deck.name if self.deck else None,
            "difficulty": self.difficulty,
        }

    def to_json(self) -> json_types.SoloSolved:
        """Return the analysis as plain data."""
        return {
            **self.facts_json(),
            "solution": list(self.solution),
            "moves": [move.to_json() for move in self.moves],
        }


def analyse_solo(position: Solo | str, *, table: SolutionTable | None = None) -> SoloAnalysis:
    """Solve a solo position or its text, reusing the table of an earlier position if given."""
    if isinstance(position, str):
        position = parse_solo(position)
    return SoloAnalysis(position, table or SolutionTable(position))


def ways(count: int) -> str:
    """Return a number of solutions in words.

    >>> ways(1), ways(2345)
    ('1 way', '2,345 ways')
    """
    return f"{count:,} way{'s' * (count != 1)}"


def per_cent(share: Fraction | float) -> str:
    """Return a share in per cent with at least two significant digits.

    >>> per_cent(0.253), per_cent(0.0001234), per_cent(1)
    ('25.3 %', '0.012 %', '100.0 %')
    """
    percentage = 100 * float(share)
    return (
        f"{percentage:.1f} %" if percentage >= 1 or not percentage else f"{float(f'{percentage:.2g}'):.8g} %"
    )
