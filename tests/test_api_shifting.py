"""What the service says of the shifting board: every question, held against the library and against play."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

import collapsi
from collapsi import Game, analyse, format_game, parse_position
from collapsi.api import models
from collapsi.core.patch import WAYS
from collapsi.games.levels import Level
from collapsi.games.shifting.state import Shifting, Way
from collapsi.play.levels import choose_move
from tests.rule_sets import FOR_TWO
from tests.service import Server, running_server
from tests.test_api import API, problem, valid

if TYPE_CHECKING:
    from collections.abc import Iterator

SHIFTING = [rules for rules in FOR_TWO.values() if rules.kind == "shifting"]
ENDGAME = "A2.3-/-.2rA./-3Ab3./-.2.. r shift"
"""With gaps, and few cards left: quickly solved in both forms."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the whole module."""
    with running_server(tmp_path_factory.mktemp("cache")) as server:
        yield server


def some_games(seed: int, count: int) -> list[Game[Shifting]]:
    """Whole games by chance, in every reading."""
    rng = random.Random(seed)
    found: list[Any] = []
    for rules in SHIFTING:
        for _ in range(count):
            game: Any = Game.start(collapsi.deal(rng, rules))
            while game.position.moves:
                game = game.play(rng.choice(game.position.moves))
            found.append(game)
    return found


def laid(position: Shifting) -> dict[str, str]:
    """Every square as it is written."""
    return {position.board.square(cell): position.cell_text(cell) for cell in range(position.board.size)}


def written(squares: list[dict[str, Any]]) -> dict[str, str]:
    """The same of squares as the service shows them."""
    found = {}
    for square in squares:
        empty = "-" if square.get("gap") else "."
        found[square["square"]] = (square["card"] or empty) + (square["pawn"] or " ")[0].strip()
    return found


def test_a_game_is_shown_at_every_ply_with_both_halves_of_each_move(server: Server) -> None:
    for game in some_games(5, 2):
        for ply, position in enumerate(game.positions):
            shown = valid(models.Game, server.get(f"{API}/game", game=format_game(game), ply=ply))
            assert written(shown["squares"]) == laid(position)
            assert shown["columns"] == [position.board.square(at)[0] for at in range(position.board.columns)]
            assert len(shown["rows"]) == position.board.rows
            check_moves(position, shown["squares"])
            if ply:
                check_shift(game.positions[ply - 1], game.moves[ply - 1], position, shown)
            else:
                assert "shifted" not in shown
                assert shown["warnings"] == []


def check_moves(position: Shifting, squares: list[dict[str, Any]]) -> None:
    """Where the pawn may go, the board after the walk, and the four shifts; elsewhere why not."""
    moves = []
    for cell, square in enumerate(squares):
        refusal = position.walk_refusal(cell)
        assert square["move"] is None  # no move is its end square alone
        assert square["refusal"] == (refusal and {"kind": refusal[0], "text": refusal[1]})
        assert (
            ("shifts" in square) == ("walked" in square) == (square["path"] is not None) == (refusal is None)
        )
        if refusal:
            continue
        changed = {one["square"]: one for one in square["walked"]}
        between = written([{**one, **changed.get(one["square"], {})} for one in squares])
        start, letter = position.pawns[position.to_move], position.to_move.letter
        assert between == laid(position) | {
            position.board.square(start): ".",
            square["square"]: f"{square['card']}{letter}",
        }
        for shift, way in zip(square["shifts"], Way, strict=True):
            moves.append(shift["move"])
            assert shift["move"] == square["square"] + shift["shift"]
            check_arrow(position, shift, way)
    assert moves == [position.move_text(move) for move in position.moves]


def check_arrow(position: Shifting, shift: dict[str, Any], way: Way) -> None:
    """The arrow stands beyond the last card of the line: nothing but gaps lies further that way."""
    board, (down, right) = position.board, WAYS[way]
    assert tuple(shift["by"]) == (right, down)
    end, beyond = (board.cell(name) for name in (shift["move"][:-1], shift["beyond"]))
    assert end is not None
    assert beyond is not None
    assert not board.is_gap(beyond)
    row, column = divmod(end, board.columns)
    at, last = divmod(beyond, board.columns)
    assert (at == row) if way.is_row else (last == column)
    while 0 <= (at := at + down) < board.rows and 0 <= (last := last + right) < board.columns:
        assert board.is_gap(at * board.columns + last)


def check_shift(before: Shifting, move: int, after: Shifting, shown: dict[str, Any]) -> None:
    """Cards, each carried from where it lay to where it lies, make the board before into the one after."""
    shifted = shown["shifted"]
    between = written(shifted["squares"])
    names = [slide["before"] for slide in shifted["slides"]]
    assert sorted(names) == sorted(square for square, text in between.items() if text != "-")
    carried = {slide["after"]: between[slide["before"]] for slide in shifted["slides"]}
    assert carried == {square: text for square, text in laid(after).items() if text != "-"}
    sliding = [slide for slide in shifted["slides"] if slide["strokes"]]
    end = before.board.square(before.end(move))
    assert end in [slide["before"] for slide in sliding]
    for slide in sliding:
        row = slide["before"][1:] == end[1:]
        assert row if before.way(move).is_row else slide["before"][0] == end[0]
    x0, y0, x1, y1 = shifted["trace"]
    down, right = WAYS[before.way(move)]
    assert (x1 > x0) - (x1 < x0) == right
    assert (y1 > y0) - (y1 < y0) == down
    for slide in sliding:
        cell = after.board.cell(slide["after"])
        assert cell is not None
        y, x = divmod(cell, after.board.columns)
        assert y0 == y1 == y or min(y0, y1) < y < max(y0, y1)
        assert x0 == x1 == x or min(x0, x1) < x < max(x0, x1)
    assert f"and shifted {'row' if before.way(move).is_row else 'column'} " in shown["went"]


@pytest.mark.parametrize("level", list(Level))
def test_every_level_plays_as_the_library_does(server: Server, level: Level) -> None:
    data = valid(
        models.ComputerMove, server.get(f"{API}/computer-move", position=ENDGAME, level=level.value, seed=7)
    )
    position: Any = parse_position(ENDGAME)
    chosen = choose_move(position, level, random.Random(7))
    assert data["move"] == position.move_text(chosen) == data["to"] + data["shift"]
    assert data["path"] == [position.board.square(cell) for cell in position.path(chosen)]


def test_deals(server: Server) -> None:
    for rules in SHIFTING:
        data = valid(models.Deal, server.get(f"{API}/deal", rules=rules.name, seed=3))
        assert data["position"] == collapsi.deal(random.Random(3), rules).text
    won = valid(models.Deal, server.get(f"{API}/deal", rules="shift-box", winner="blue", seed=3))
    assert analyse(won["position"]).winner is collapsi.Player.BLUE


def test_the_editor_shows_the_squares_beside_the_board(server: Server) -> None:
    data = valid(models.Draft, server.get(f"{API}/edit", draft=ENDGAME))
    assert data["draft"] == ENDGAME
    assert (len(data["rows"]), len(data["columns"])) == (6, 7)
    inside = {square: text for square, text in written(data["squares"]).items() if text != "-"}
    assert inside == {square: text for square, text in laid(parse_position(ENDGAME)).items() if text != "-"}
    assert "-" in data["lay"]
    grown = valid(models.Draft, server.get(f"{API}/edit", draft=ENDGAME, lay="A", square="@2"))
    assert grown["draft"] == "-A2.3-/A-.2rA./--3Ab3./--.2.. r shift"
    assert "17" in grown["error"]
    turning = valid(models.Draft, server.get(f"{API}/edit", draft="A223/4A2Jr/3A23/Jb3A4 r shift-rotate"))
    assert len(turning["squares"]) == 16
    assert "-" not in turning["lay"]


@pytest.mark.parametrize(
    ("endpoint", "query"),
    [
        ("census", {"rules": "shift"}),
        ("deal", {"rules": "shift", "plies": "7"}),
        ("census/deal", {"position": "A223/4A2Jr/3A23/Jb3A4 r shift"}),
        ("puzzle", {"rules": "shift-box"}),
    ],
)
def test_what_is_for_the_classic_game_is_refused(
    server: Server, endpoint: str, query: dict[str, str]
) -> None:
    assert "not supported for shift" in problem(server.get(f"{API}/{endpoint}", **query))


def test_half_a_move_is_no_move(server: Server) -> None:
    said = problem(server.get(f"{API}/game", game="A223/4A2Jr/3A23/Jb3A4 r shift d1"))
    assert "half a move" in said


def test_the_readings_are_told(server: Server) -> None:
    data = valid(models.Service, server.get(f"{API}/about"))
    assert [rules["name"] for rules in data["rules"] if rules["shifts"]] == [rules.name for rules in SHIFTING]
    assert data["shifting"]["open"]
