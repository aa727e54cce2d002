"""Tempo: what changes if the other player moves first, and where a player would rather pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import CollapsiError
from collapsi.core.players import Player
from collapsi.core.state import count_plies
from collapsi.games.analysis import outcome_json, position_json
from collapsi.play.analysis import analyse
from collapsi.play.enums import PuzzleKind, Turn

if TYPE_CHECKING:
    from collapsi.core.game import Game
    from collapsi.games.analysis import Analysis
    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import Rules
    from collapsi.play import json_types


class Tempo(StrEnum):
    """Who wins a deal, depending on who starts."""

    STARTER = "starter"
    RED = "red"
    BLUE = "blue"
    SECOND = "second"

    @property
    def text(self) -> str:
        """The same in words."""
        return _TEXTS[self]


_TEXTS = {
    Tempo.STARTER: "the starter wins",
    Tempo.RED: "red wins either way",
    Tempo.BLUE: "blue wins either way",
    Tempo.SECOND: "whoever starts loses",
}

KINDS = (Tempo.SECOND, Tempo.BLUE, Tempo.RED, Tempo.STARTER)
"""By whether red wins if it starts, times 2, plus whether blue wins if it starts."""


def is_symmetric(rules: Rules) -> bool:
    """Return whether both players have the same first moves, so that only who starts makes a difference."""
    red, blue = rules.first_walks
    return red == blue


def passed(position: Position) -> Position:
    """Return the position with the other side to move."""
    return replace(position, to_move=position.to_move.other)


def tempo_of(deal: Position) -> Tempo | None:
    """Return who wins a deal, depending on who starts; None if the players have different first moves.

    >>> from collapsi.games.registry import parse_position
    >>> tempo_of(parse_position("JrA2A/AJbA2/2323/3434 r")).text
    'whoever starts loses'
    """
    if not is_symmetric(deal.rules):
        return None
    starts = {position.to_move: analyse(position).winner for position in (deal, passed(deal))}
    wins = [starts[player] is player for player in (Player.RED, Player.BLUE)]
    return KINDS[2 * wins[0] + wins[1]]


@dataclass(frozen=True)
class Choice:
    """A position in which the side to move imagines that it could pass.

    >>> from collapsi.games.registry import parse_position
    >>> choice = Choice(parse_position("JrA2A/AJbA2/2323/3434 r"))
    >>> choice.best, str(choice)
    (<Turn.PASS: 'pass'>, 'if red moves, blue wins in 8 plies; after a pass, red wins in 8 plies')
    """

    position: Any

    @cached_property
    def after(self) -> dict[Turn, Analysis]:
        """Perfect play after each answer."""
        return {Turn.MOVE: analyse(self.position), Turn.PASS: analyse(passed(self.position))}

    def wins(self, turn: Turn) -> bool:
        """Return whether the side to move wins after this answer."""
        return bool(self.after[turn].winner is self.position.to_move)

    @property
    def best(self) -> Turn:
        """Whether to move or to pass: a pass is better only if it wins and every move loses."""
        return Turn.PASS if self.wins(Turn.PASS) and not self.wins(Turn.MOVE) else Turn.MOVE

    @property
    def decides(self) -> bool:
        """Whether one answer wins and the other loses."""
        return self.wins(Turn.PASS) is not self.wins(Turn.MOVE)

    @property
    def sight(self) -> int:
        """Plies to look ahead to be sure of the answer."""
        return min(analysis.plies for analysis in self.after.values())

    @property
    def rating(self) -> str:
        """How to find the answer, in words."""
        return f"look {count_plies(self.sight)} ahead to be sure"

    def __str__(self) -> str:
        how = [f"{each.winner} wins in {count_plies(each.plies)}" for each in self.after.values()]
        return f"if {self.position.to_move} moves, {how[0]}; after a pass, {how[1]}"


@dataclass(frozen=True)
class PassPuzzle:
    """A puzzle that asks whether the side to move would rather pass: one answer wins, the other loses."""

    game: Game
    kind = PuzzleKind.PASS

    @property
    def position(self) -> Any:
        """The position of the question."""
        return self.game.position

    @cached_property
    def choice(self) -> Choice:
        """The position with both answers."""
        return Choice(self.position)

    @property
    def answer(self) -> str:
        """The right answer: "pass" or "move"."""
        return self.choice.best.value

    @property
    def rating(self) -> str:
        """How to find the answer, in words."""
        return self.choice.rating

    def to_json(self) -> json_types.Puzzle:
        """Return the puzzle as plain data, with its answer."""
        best = self.choice.best
        other = Turn.MOVE if best is Turn.PASS else Turn.PASS
        return {
            **position_json(self.position),
            "kind": self.kind,
            "sight": self.choice.sight,
            "plies": self.choice.after[best].plies,
            "refuted": self.choice.after[other].plies,
            "card": False,
            "move": self.answer,
            "line": list(self.choice.after[best].line),
            "game": self.game.text,
        }


@dataclass(frozen=True)
class PassTrial:
    """An answer to "would you rather pass?", and the proof.

    >>> from collapsi.games.registry import parse_position
    >>> try_turn(parse_position("JrA2A/AJbA2/2323/3434 r"), Turn.MOVE).right
    False
    """

    choice: Choice
    turn: Turn

    @property
    def right(self) -> bool:
        """Whether the other answer is not better."""
        return self.turn is self.choice.best

    @property
    def only(self) -> bool:
        """Whether one answer wins and the other loses."""
        return self.choice.decides

    @property
    def after(self) -> Analysis:
        """The position after the answer: that of the question, or the same with the other side to move."""
        return self.choice.after[self.turn]

    @property
    def line(self) -> tuple[str, ...]:
        """The proof: perfect play after the answer."""
        return self.after.line

    def __str__(self) -> str:
        return str(self.choice)

    def to_json(self) -> json_types.Trial:
        """Return the trial as plain data."""
        return {
            **position_json(self.choice.position),
            "move": self.turn.value,
            "right": self.right,
            "only": self.only,
            **outcome_json(self.after.outcome),
            "start": self.after.position.text,
            "line": list(self.line),
            "text": str(self),
            "rating": self.choice.rating if self.only else None,
            "kind": PuzzleKind.PASS if self.only else None,
        }


def try_turn(position: Position, turn: Turn) -> PassTrial:
    """Answer whether the side to move would rather pass."""
    if not position.moves:
        msg = f"{position.to_move} cannot move: the game is over"
        raise CollapsiError(msg)
    return PassTrial(Choice(position), turn)
