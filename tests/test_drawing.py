"""The drawings: well-formed, complete, and never by colour alone."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given, settings

from collapsi import Position, analyse, parse_position
from collapsi.core.board import Board
from collapsi.draw.svg import OUT, draw_analysis, draw_position, strokes
from tests.strategies import set_up

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


@settings(max_examples=30)
@given(set_up(most_cards=9))
def test_a_drawing_shows_cards_pawns_and_values(position: Position) -> None:
    analysis = analyse(position)
    written = texts(draw_analysis(analysis))
    for move in analysis.moves:
        assert move.value.replace("-", "−") in written
    assert {"R", "B", "a", "d", "1", "4"} <= set(written)
    free = [
        cell for cell, card in enumerate(position.cards) if card is not None and cell not in position.pawns
    ]
    cards = [position.cell_text(cell) for cell in free] * 2 + [
        position.cell_text(cell)[0] for cell in position.pawns
    ]
    values = [move.value.replace("-", "−") for move in analysis.moves]
    names = [
        "a",
        "b",
        "c",
        "d",
        "1",
        "2",
        "3",
        "4",
        "R",
        "B",
        f"{position.turn}, {analysis.outcome}" if analysis.moves else position.turn,
    ]
    assert sorted(written) == sorted(cards + values + names)


@settings(max_examples=30)
@given(set_up(most_cards=9))
def test_best_moves_are_filled_and_others_outlined(position: Position) -> None:
    """Whatever the colours: a best move's value lies on the colour of its frame, another's does not."""
    analysis = analyse(position)
    root = ET.fromstring(draw_analysis(analysis))
    marks = [
        (mark.attrib, text)
        for mark, text in pairwise(root.iter())
        if mark.tag == f"{SVG}rect" and text.tag == f"{SVG}text" and (text.text or " ")[0] in "+−"
    ]
    assert len(marks) == len(analysis.moves)
    for mark, text in marks:
        assert text.get("fill") != mark["fill"], "the value can be read"
    filled = [text.text for mark, text in marks if mark["fill"] == mark["stroke"]]
    best = [move.value.replace("-", "−") for move in analysis.moves if move.to in analysis.best]
    assert sorted(map(str, filled)) == sorted(best)


def test_the_picture_is_described_in_words() -> None:
    root = ET.fromstring(draw_position(parse_position("A223/4A2Jr/3A23/Jb3A4 r")))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == root.get("aria-label") == "red to move: A223/4A2Jr/3A23/Jb3A4 r"
    assert root.get("role") == "img"


@pytest.mark.parametrize(
    "position", ["A223/4A2Jr/3A23/Jb3A4 r choice", "A223/4A2Jr/3A23/Jb3A4 b joker", "..../.2r../..../.3b.. r"]
)
def test_the_caption_fits_under_the_board(position: str) -> None:
    """By a generous estimate: of a bold letter two thirds of its height."""
    root = ET.fromstring(draw_analysis(analyse(position)))
    caption = list(root.iter(f"{SVG}text"))[-1]
    wide = len(caption.text or "") * float(caption.get("font-size", "")) * 0.66
    assert wide <= float(root.get("width", ""))


def test_a_walk_over_the_edge_leaves_and_comes_in_again() -> None:
    """From d2 to a2 is one step: two dashed lines, neither across the board."""
    position = parse_position("A223/4A2Jr/3A23/Jb3A4 r")
    root = ET.fromstring(draw_position(position, path=position.path("a2")))
    lines = [[float(line.get(name, "")) for name in ("x1", "x2")] for line in root.iter(f"{SVG}line")]
    assert len(lines) == 2
    (out, edge), (again, centre) = lines
    assert 0 < edge - out < 100, "to the right, out of the board"
    assert 0 < centre - again < 100, "and in again from the left"
    assert again < out


@pytest.mark.parametrize("board", [Board(3, 3), Board(4, 4), Board(5, 3), Board(6, 6)])
def test_every_step_is_a_stroke_or_leaves_on_one_side_and_comes_in_on_the_other(board: Board) -> None:
    for here in range(board.size):
        y, x = divmod(here, board.columns)
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            column, row = (x + right) % board.columns, (y + down) % board.rows
            (step,) = strokes(board, (here, row * board.columns + column))
            assert (step[0][:2], step[-1][2:]) == ((x, y), (column, row))
            lengths = {(x1 - x0, y1 - y0) for x0, y0, x1, y1 in step}
            if (x + right, y + down) == (column, row):
                assert lengths == {(right, down)}
                continue
            assert len(step) == 2
            assert lengths == {(OUT * right, OUT * down)}
            for x_out, y_out in (step[0][2:], step[1][:2]):
                assert not (-0.5 <= x_out < board.columns - 0.5 and -0.5 <= y_out < board.rows - 0.5)
