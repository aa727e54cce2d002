"""Laying out a board, against the plainest way to do it: a list of texts, one a square."""

from __future__ import annotations

import random

import pytest

from collapsi import CollapsiError, deal, format_position, parse_position
from collapsi.play.draft import WHAT_CAN_BE_LAID, format_draft, parse_draft
from tests.rule_sets import FOR_TWO

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"


def laid(cells: list[str], cell: int, what: str) -> list[str]:
    """The naive twin: cells as they are written, such as `A`, `2r` and `.`."""
    cells = list(cells)
    if what not in "rb":
        cells[cell] = what + cells[cell][1:]
        return cells
    was_here = cells[cell][1:] == what
    cells = [text.replace(what, "") for text in cells]
    if not was_here:
        cells[cell] = cells[cell][0] + what
    return cells


def test_laying_is_what_it_is_on_paper() -> None:
    rng = random.Random(1)
    for rules in (rules for rules in FOR_TWO.values() if not rules.leaves_square):
        draft = parse_draft(format_position(deal(rng, rules)))
        cells = [text for row in format_draft(draft).split()[0].split("/") for text in split(row)]
        for _ in range(200):
            cell, what = rng.randrange(16), rng.choice(WHAT_CAN_BE_LAID)
            draft = draft.lay(what, rules.board.square(cell))
            cells = laid(cells, cell, what)
            rows = "/".join("".join(cells[start : start + 4]) for start in range(0, 16, 4))
            assert format_draft(draft).split()[0] == rows
            assert parse_draft(format_draft(draft)) == draft


def split(row: str) -> list[str]:
    """A row square by square."""
    found: list[str] = []
    for letter in row:
        if letter in "rb":
            found[-1] += letter
        else:
            found.append(letter)
    return found


def test_a_whole_draft_is_a_position_and_the_other_way_round() -> None:
    rng = random.Random(2)
    for rules in FOR_TWO.values():
        position = deal(rng, rules)
        draft = parse_draft(format_position(position))
        assert draft.position() == position
        assert format_draft(draft) == format_position(position)
    assert parse_draft(f"{EXAMPLE} a2 b4").position() == parse_position(f"{EXAMPLE} a2 b4")
    assert format_draft(parse_draft("1223/4121r/3123/1b314/0")) == EXAMPLE


def test_side_rules_and_clearing() -> None:
    draft = parse_draft(EXAMPLE)
    assert format_draft(draft.give_turn("b").under("choice")) == f"{EXAMPLE[:-1]}b choice"
    empty = draft.lay(".")
    assert format_draft(empty) == "..../..../..../.... r"
    with pytest.raises(CollapsiError, match="no red pawn"):
        empty.position()
    with pytest.raises(CollapsiError, match="collapsed card at a1"):
        empty.lay("r", "a1").lay("b", "b1").position()
    linked = parse_draft("a223/4a2j/3a23/.B3a4_b_joker")
    assert format_draft(linked) == "A223/4A2J/3A23/.b3A4 b joker"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "A223/4A2J/3A23 r",
        "A223/4A2J/3A23/J3A45 r",
        "A22r3/4A2Jr/3A23/J3A4 r",
        "A22rb3/4A2J/3A23/J3A4 r",
        "rA223/4A2J/3A23/J3A4 r",
        "A223/4A2J/3A23/J3A4 x",
        "A223/4A2J/3A23/J3A4 r chess",
        "A223/4A2J/3A23/J3A4 r joker a2",
        "A" * 1001,
    ],
)
def test_what_is_no_draft_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(CollapsiError) as caught:
        parse_draft(text)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("what", "square", "said"),
    [
        ("x", "a1", "cannot be laid"),
        ("A", "e1", "no square"),
        ("r", None, "one square"),
        ("", "a1", "cannot"),
    ],
)
def test_what_cannot_be_laid_is_refused(what: str, square: str | None, said: str) -> None:
    with pytest.raises(CollapsiError, match=said):
        parse_draft(EXAMPLE).lay(what, square)
