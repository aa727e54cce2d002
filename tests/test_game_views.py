"""Games as the page shows them, at every ply and square by square, compared with the states themselves."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from collapsi import Game, parse_position
from collapsi.api import models
from collapsi.api.views import how_to_walk_json
from collapsi.core.patch import WAYS
from collapsi.draw.svg import strokes
from collapsi.games.shifting.state import Shifting, Way
from collapsi.play.match import parse_match
from collapsi.site import answering
from tests.fitting import fitting
from tests.test_conformance import KINDS, some_games

VIEWS = {"big": ("big/game", models.BigGame), "solo": ("solo/game", models.SoloGame)}
"""Of kinds with their own paths in the API."""
WON = "..../.2r../.Ab../.... r"
"""Red cannot move: blue has won with two cards face up."""


def view(game: Game[Any], **query: object) -> Any:
    """The answer of the API about a game, which fits its type."""
    path, shape = VIEWS.get(game.position.rules.kind, ("game", models.Game))
    status, _, text = answering.answer(path, urlencode({"game": game.text, **query}))
    assert status == 200, text
    return fitting(shape, text)


@pytest.mark.parametrize("name", KINDS)
def test_a_game_is_shown_at_every_ply(name: str) -> None:
    for game in some_games(KINDS[name], 2):
        for ply, position in enumerate(game.positions):
            shown = view(game, ply=ply)
            assert (shown["game"], shown["start"]) == (game.text, game.positions[0].text)
            assert (shown["moves"], shown["ply"]) == (list(game.squares), ply)
            assert (shown["position"], shown["text"]) == (position.text, str(position))
            assert (shown["to_move"], shown["cards_left"]) == (str(position.to_move), position.cards_left)
            assert not shown.get("warnings")
            check_result(position, shown)
            check_squares(position, shown)
            if ply:
                before, move = game.positions[ply - 1], game.moves[ply - 1]
                drawn = shown["moved"], shown["moved_strokes"]
                assert drawn == path_shown(before, before.path(move))
                assert shown["moved_by"] == str(before.to_move)
            else:
                assert shown["moved"] is shown["moved_strokes"] is shown["moved_by"] is None
        assert view(game) == shown, "the last position if no ply is given"


def path_shown(position: Any, path: tuple[int, ...]) -> tuple[object, object]:
    """A path as the names of its squares, and as strokes to be drawn."""
    drawn = [[list(stroke) for stroke in step] for step in strokes(position.board, path)]
    return [position.board.square(cell) for cell in path], drawn


def check_result(position: Any, shown: dict[str, Any]) -> None:
    over = position.result is not None
    if position.rules.kind == "solo":
        assert (shown["over"], shown["solved"]) == (over, position.solved)
        return
    assert shown["winner"] == (str(position.winner) if over else None)
    assert (shown["task"] is None) == over
    if position.rules.kind == "big":
        assert shown["movers"][shown["ply"]] == str(position.to_move)
    else:
        assert shown["points"] == (position.cards_left if over else None)


def check_squares(position: Any, shown: dict[str, Any]) -> None:
    """Cards, pawns, gaps, and for each square the way there or the reason why there is none."""
    board, shifts = position.board, isinstance(position, Shifting)
    assert (len(shown["rows"]), len(shown["columns"])) == (board.rows, board.columns)
    for cell, square in enumerate(shown["squares"]):
        assert (square["square"], written(square)) == (board.square(cell), position.cell_text(cell))
        refusal = position.walk_refusal(cell) if shifts else position.refusal(cell)
        assert square["refusal"] == (refusal and {"kind": refusal[0], "text": refusal[1]})
        if refusal:
            assert square["move"] is square["path"] is square["strokes"] is None
            continue
        path = position.path(4 * cell if shifts else cell)
        assert (square["path"], square["strokes"]) == path_shown(position, path)
        assert square["move"] == (None if shifts else position.move_text(cell))


def written(square: dict[str, Any]) -> str:
    """A square as notation writes it."""
    return ("-" if square.get("gap") else square["card"] or ".") + (square["pawn"] or "")[:1]


@pytest.mark.parametrize(
    ("score", "red", "blue", "winner", "following"),
    [("0-0", 0, 2, None, "2-0"), ("9-4", 9, 6, None, "6-9"), ("15-14", 15, 16, "blue", None)],
)
def test_a_won_round_scores(
    score: str, red: int, blue: int, winner: str | None, following: str | None
) -> None:
    match = view(Game.start(parse_position(WON)), match=score)["match"]
    assert match == {"red": red, "blue": blue, "winner": winner, "next": following}
    playing = view(Game.start(parse_position("A223/4A2Jr/3A23/Jb3A4 r")), match=score)["match"]
    before = parse_match(score)
    assert playing == {"red": before.red, "blue": before.blue, "winner": None, "next": None}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2AA3/..../..../.ArAb. r", "3 steps from the 3 on d1"),
        ("AAA2/..../..../.ArAb. r", "2 steps from the 2 on d1"),
        ("AAA4/..../..../.ArAb. r", None),
        ("AAAAA4/....../....../....../....../.ArAb... r big", "4 steps from the 4 on f1"),
    ],
)
def test_an_example_of_a_walk_goes_over_the_edge(text: str, said: str | None) -> None:
    """Here with its first step, as no second one does."""
    walk = how_to_walk_json(parse_position(text))["walk"]
    assert (walk and walk["text"]) == said
    if walk:
        assert [len(step) for step in walk["strokes"]] == [2] + [1] * (walk["steps"] - 1)


# The two halves of a move on the Shifting Board


@pytest.mark.parametrize("name", [name for name in KINDS if name.startswith("shift")])
def test_both_halves_of_each_move_are_shown(name: str) -> None:
    for game in some_games(KINDS[name], 2):
        for ply, position in enumerate(game.positions):
            shown = view(game, ply=ply)
            check_shifts(position, shown["squares"])
            if ply:
                check_shifted(game.positions[ply - 1], game.moves[ply - 1], position, shown)
            else:
                assert "shifted" not in shown


def laid(position: Shifting) -> dict[str, str]:
    """Every square as notation writes it."""
    return {position.board.square(cell): position.cell_text(cell) for cell in range(position.board.size)}


def check_shifts(position: Shifting, squares: list[dict[str, Any]]) -> None:
    """The board after each walk, and the four shifts that may follow it."""
    moves = []
    for square in squares:
        assert ("shifts" in square) == ("walked" in square) == (square["path"] is not None)
        if square["path"] is None:
            continue
        changed = {one["square"]: one for one in square["walked"]}
        between = {one["square"]: written({**one, **changed.get(one["square"], {})}) for one in squares}
        assert between == laid(position) | {
            position.board.square(position.pawns[position.to_move]): ".",
            square["square"]: f"{square['card']}{position.to_move.letter}",
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


def check_shifted(before: Shifting, move: int, after: Shifting, shown: dict[str, Any]) -> None:
    """Cards, each carried from where it lay to where it lies, make the board before into the one after."""
    shifted = shown["shifted"]
    between = {square["square"]: written(square) for square in shifted["squares"]}
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
