"""What speaks to the contract of a state, and to nothing else, works for a game it has never heard of.

The game here is the classic one in disguise: a move is another number and has another name, and of the
position inside nothing can be seen but what `collapsi.state` promises.
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from collapsi import Game, Position, analyse, analyse_many, deal, review
from collapsi.drawing import draw_analysis, draw_position
from collapsi.errors import CollapsiError, IllegalMoveError
from collapsi.games.solo_notation import parse_solo
from collapsi.match import Match
from collapsi.opponent import Level, choose_move, liked_moves
from collapsi.rules import CLASSIC
from collapsi.solve import answers, definition
from collapsi.solve.search import Solution, solve
from collapsi.state import Duel, board_text
from collapsi.terminal import draw_board, move_table, turn, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi.board import Board
    from collapsi.faults import Reason
    from collapsi.rules import Card, Player
    from collapsi.state import Outcome, Refusal

FACTOR, MORE = 3, 5


@dataclass(frozen=True)
class Disguised:
    """A position whose moves are numbered and named otherwise."""

    _inside: Position

    @property
    def rules(self) -> Any:
        return self._inside.rules

    @property
    def board(self) -> Board:
        return self._inside.board

    @property
    def cards(self) -> tuple[Card | None, ...]:
        return self._inside.cards

    @property
    def pawns(self) -> tuple[int, ...]:
        return self._inside.pawns

    @property
    def to_move(self) -> Player:
        return self._inside.to_move

    @property
    def turn(self) -> str:
        return self._inside.turn

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(FACTOR * cell + MORE for cell in self._inside.moves)

    @property
    def result(self) -> tuple[int, ...] | None:
        return self._inside.result

    def outcome(self, points: int, /) -> Outcome:
        return self._inside.outcome(points)

    @property
    def text(self) -> str:
        return f"disguised {self._inside.text}"

    @property
    def dealt(self) -> bool:
        return self._inside.dealt

    @property
    def faults(self) -> tuple[Reason, ...]:
        return self._inside.faults

    def play(self, move: int | str, /) -> Disguised:
        return Disguised(self._inside.play(self.end(self._number(move))))

    def path(self, move: int | str, /) -> tuple[int, ...]:
        return self._inside.path(self.end(self._number(move)))

    def end(self, move: int, /) -> int:
        cell, rest = divmod(move - MORE, FACTOR)
        if rest:
            msg = f"{move} is no move"
            raise IllegalMoveError(msg)
        return cell

    def refusal(self, move: int | str, /) -> tuple[Refusal, str] | None:
        return self._inside.refusal(self.end(self._number(move)))

    def move_text(self, move: int, /) -> str:
        return ">" + self._inside.board.square(self.end(move))

    def line_text(self, moves: Sequence[int], /) -> tuple[str, ...]:
        return tuple(map(self.move_text, moves))

    def shift(self, move: int, /) -> str | None:
        return self._inside.shift(move)

    def parse_move(self, text: str, /) -> int:
        return FACTOR * self._inside.parse_move(text[1:]) + MORE

    def cell_text(self, cell: int, /) -> str:
        return self._inside.cell_text(cell)

    def _number(self, move: int | str) -> int:
        return self.parse_move(move) if isinstance(move, str) else move


def solutions(states: Sequence[Disguised], *, jobs: int | None = None) -> Iterable[Solution]:
    """A solver for disguised positions."""
    assert jobs is None
    for state in states:
        inside = solve(state._inside)
        values = [0] * (FACTOR * state.board.size + MORE)
        for cell, value in enumerate(inside.values):
            values[FACTOR * cell + MORE] = value
        yield Solution(tuple(values), tuple(FACTOR * cell + MORE for cell in inside.line))


@pytest.fixture(params=CLASSIC)
def pair(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[Game, Game[Disguised]]:
    """The same game, plain and disguised."""
    classic = answers.solutions

    def either(states: Sequence[Any], *, jobs: int | None = None) -> Iterable[Solution]:
        return solutions(states) if isinstance(states[0], Disguised) else classic(states, jobs=jobs)

    monkeypatch.setattr(answers, "solutions", either)
    rng = random.Random(5)
    plain = Game.start(deal(rng, CLASSIC[request.param]))
    while plain.position.moves:
        plain = plain.play(rng.choice(plain.position.moves))
    names = [f">{square}" for square in plain.squares]
    return plain, Game.start(Disguised(plain.positions[0]), names)


def test_game_analysis_and_review(pair: tuple[Game, Game[Disguised]]) -> None:
    plain, disguised = pair
    assert disguised.text == " ".join(["disguised", plain.positions[0].text, *disguised.squares])
    assert disguised.undo().position == Disguised(plain.positions[-2])
    for position, state in zip(plain.positions, disguised.positions, strict=True):
        expected, found = analyse(position), analyse(state)
        assert found.outcome == expected.outcome
        assert found.best == tuple(f">{square}" for square in expected.best)
        assert found.line == tuple(f">{square}" for square in expected.line)
        assert found.line_of_play.position.result == expected.line_of_play.position.result
        for move, plain_move in zip(found.moves, expected.moves, strict=True):
            assert (move.name, move.to) == (f">{plain_move.name}", plain_move.to)
            assert (move.cell, move.path, move.value) == (plain_move.cell, plain_move.path, plain_move.value)
        data = found.to_json()
        assert data["position"] == state.text
        assert [move["move"] for move in data["moves"]] == [move.name for move in found.moves]
        assert [move["to"] for move in data["moves"]] == [move.to for move in expected.moves]
    verdicts, plain_verdicts = review(disguised).moves, review(plain).moves
    assert [move.verdict for move in verdicts] == [move.verdict for move in plain_verdicts]
    assert [move.name for move in verdicts] == list(disguised.squares)


def test_judge_opponents_and_match(pair: tuple[Game, Game[Disguised]]) -> None:
    plain, disguised = pair
    late, late_plain = disguised.positions[-4], plain.positions[-4]
    assert definition.points(late) == definition.points(late_plain)
    assert definition.score(late) == definition.score(late_plain)
    assert definition.count_games(late) == definition.count_games(late_plain)
    for level in Level:
        if level.character.card is not None:
            continue  # a card of rules speaks of the classic game
        liked = [disguised.positions[1].end(move) for move in liked_moves(disguised.positions[1], level)]
        assert tuple(liked) == liked_moves(plain.positions[1], level)
    assert (
        choose_move(disguised.positions[0], Level.PERFECT, random.Random(1)) in disguised.positions[0].moves
    )
    assert Match(3, 4).after(disguised.position) == Match(3, 4).after(plain.position)


def test_drawing_and_terminal(pair: tuple[Game, Game[Disguised]]) -> None:
    plain, disguised = pair

    def shown(state: Duel) -> str:
        solved = analyse(state)
        console = Console(file=io.StringIO(), width=100)
        console.print(draw_board(state, solved), turn(state), verdict(solved), move_table(solved))
        written = console.file
        assert isinstance(written, io.StringIO)
        return written.getvalue()

    for position, state in zip(plain.positions[:3], disguised.positions[:3], strict=True):
        assert draw_position(state).replace("disguised ", "") == draw_position(position)
        assert draw_analysis(analyse(state)).replace("disguised ", "") == draw_analysis(analyse(position))
        assert board_text(state) == str(position)
        assert shown(state).replace(">", "").split() == shown(position).split()


def test_a_game_for_one_has_no_winner_to_name() -> None:
    with pytest.raises(CollapsiError, match=r"Solo\('A2X/3Jr2/A2A'\): the game `solo` is not one for two"):
        analyse_many([parse_solo("A2X/3Jr2/A2A")])  # type: ignore[list-item]
