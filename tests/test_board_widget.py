"""The board in notebooks, on the side of Python; `tests/browser/test_notebook.py` clicks on it."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest
import traitlets

import collapsi
from collapsi import CollapsiError, Game, IllegalMoveError, parse_position
from collapsi.api import about
from collapsi.api.views import game_json
from collapsi.ecosystem.notebook import HERE, BoardWidget, bundle
from collapsi.games.big.rules import BIG
from collapsi.play.match import Match
from tests.test_cli import EXAMPLE


def receive(board: BoardWidget, **content: Any) -> None:
    """What a click in the browser sends."""
    board._handle_custom_msg(content, [])


def test_the_game_follows_what_is_clicked() -> None:
    board = collapsi.board(EXAMPLE)
    assert board.view["shown"] == game_json(board.game, None, Match())
    assert (board.view["analysis"], board.view["said"]) == (None, "red to move")
    receive(board, move="a2")
    assert board.position == parse_position(EXAMPLE).play("a2")
    assert board.view["shown"]["moves"] == ["a2"]
    receive(board, move="a2")  # a second click on what was shown before
    receive(board, move="z9")
    receive(board)
    assert board.game.squares == ("a2",)
    receive(board, back=True)
    receive(board, back=True)
    assert board.game == Game.start(parse_position(EXAMPLE))


def test_values_are_those_of_the_analysis() -> None:
    board = collapsi.board(EXAMPLE, values=True)
    assert board.view["analysis"] == collapsi.analyse(EXAMPLE).to_json()
    board.values = False
    assert board.view["analysis"] is None
    board.values = True
    board.play("a2")
    assert board.view["analysis"] == collapsi.analyse(f"{EXAMPLE} a2").to_json()
    ended = collapsi.board("..../.2r../.Ab../.2.. r b4", values=True)
    assert ended.view["analysis"] is None
    assert ended.view["said"] == "red has won: blue cannot move"


@pytest.mark.parametrize("rules", ["joker", "choice", "shift", "standard@5,4,3,2", "joker@3x4"])
def test_games_for_two_are_shown(rules: str) -> None:
    import random

    board = collapsi.board(collapsi.deal(random.Random(1), collapsi.parse_rules(rules)))
    move = board.position.move_text(board.position.moves[0])
    receive(board, move=move)
    assert board.view["shown"]["moves"] == [move]


def test_another_game_can_be_shown() -> None:
    board = collapsi.board(collapsi.parse_position(EXAMPLE))
    game = collapsi.parse_game(f"{EXAMPLE} a2 b4")
    board.game = game
    assert board.view["shown"]["ply"] == 2
    board.take_back()
    assert board.game.squares == ("a2",)
    with pytest.raises(IllegalMoveError):
        board.play("c2")
    with pytest.raises(traitlets.TraitError):
        board.values = "yes"  # type: ignore[assignment]


def test_what_cannot_be_shown_is_refused() -> None:
    import random

    big = collapsi.deal(random.Random(1), BIG)
    for shown in (big, Game.start(big)):
        with pytest.raises(CollapsiError, match="shows the classic game and the Shifting Board, not the big"):
            collapsi.board(shown)
    board = collapsi.board(EXAMPLE)
    with pytest.raises(CollapsiError, match="not the big"):
        board.game = Game.start(big)
    assert board.position.text == EXAMPLE


def test_where_boards_cannot_be_shown_there_is_a_picture() -> None:
    shown: Any = collapsi.board(EXAMPLE)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown[0]
    assert ET.fromstring(shown[0]["image/svg+xml"]).tag == "{http://www.w3.org/2000/svg}svg"


def test_the_script_is_the_pages_own_in_one_piece() -> None:
    """Every module once and before it is needed, with nothing imported and one export."""
    script = bundle(HERE / "notebook.js")
    assert script == BoardWidget._esm
    assert "\nimport " not in script
    assert script.count("\nexport ") == script.count("\nexport default { render };") == 1
    for module in ("dom", "about", "arrows", "board", "squares"):
        name = f"module_{module}"
        assert script.count(f"const {name} = ") == 1
        assert script.index(f"const {name} = ") < script.index(f" = {name};")
    board = (HERE.parent / "page" / "js" / "board.js").read_text(encoding="utf-8")
    assert board.partition("export class Board")[2].splitlines()[10] in script


def test_what_the_board_knows_is_what_the_page_knows() -> None:
    board, service = collapsi.board(EXAMPLE), about.service()
    assert board.about["pawn"] == service["pawn"]
    assert board.about["cards"] == service["cards"]
    shifts = {rules["name"] for rules in board.about["rules"] if rules["shifts"]}
    assert shifts == {"shift", "shift-box", "shift-rotate"}
    assert ":root" not in board.style
    assert "#frame {" in board.style
