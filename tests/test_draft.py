"""Laying out a board, compared with a plain version on texts by place."""

from __future__ import annotations

import random
import re
from typing import Any
from urllib.parse import urlencode

import pytest

from collapsi import CollapsiError, MalformedError, Player, deal, format_position, parse_position
from collapsi.api import models
from collapsi.play.draft import Draft, format_draft, parse_draft, what_can_be_laid
from collapsi.site import answering
from tests.fitting import fitting
from tests.rule_sets import FOR_TWO
from tests.test_game_views import written

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
SHIFT = f"{EXAMPLE} shift"


def laid(draft: Draft, what: str, place: tuple[int, int]) -> str | None:
    """The naive twin: texts by place, written row by row; None for what is refused."""
    rows = [re.findall(r"[A234J.-][rb]?", row) for row in format_draft(draft).split()[0].split("/")]
    texts = {(y, x): text for y, row in enumerate(rows) for x, text in enumerate(row) if text != "-"}
    if place not in texts and (what in "rb" or not draft.rules.leaves_square):
        return None
    if what in "rb":
        was_here = texts[place].endswith(what)
        texts = {at: text.replace(what, "") for at, text in texts.items()}
        texts[place] = texts[place][0] + ("" if was_here else what)
    elif what == "-":
        texts.pop(place, None)
    else:
        texts[place] = what + texts.get(place, "?")[1:]
    if not texts:
        return None
    ys, xs = [y for y, _ in texts], [x for _, x in texts]
    return "/".join(
        "".join(texts.get((y, x), "-") for x in range(min(xs), max(xs) + 1))
        for y in range(min(ys), max(ys) + 1)
    )


@pytest.mark.parametrize("rules", FOR_TWO)
def test_laying_is_what_it_is_on_paper(rules: str) -> None:
    rng = random.Random(1)
    refused = 0
    for _ in range(10):
        draft = parse_draft(format_position(deal(rng, rules)))
        for _ in range(20):
            row, column = rng.randrange(-1, draft.board.rows + 1), rng.randrange(-1, draft.board.columns + 1)
            what = rng.choice(what_can_be_laid(draft.rules))
            square, expected = draft.square(row, column), laid(draft, what, (row, column))
            if expected is None:
                refused += 1
                with pytest.raises(MalformedError):
                    draft.lay(what, square)
                continue
            draft = draft.lay(what, square)
            assert format_draft(draft).split()[0] == expected
            assert parse_draft(format_draft(draft)) == draft
    assert refused > 5


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


def test_a_draft_under_other_rules() -> None:
    draft = parse_draft("A223r-/-4A2./-3A23/-Jb3A4 b shift")
    assert format_draft(draft.under("shift-box")) == "A223r-/-4A2./-3A23/-Jb3A4 b shift-box"
    for name in ("standard", "shift-rotate"):
        assert draft.under(name) == Draft.empty(FOR_TWO[name], Player.BLUE)
    whole = parse_draft(SHIFT)
    for name in FOR_TWO:
        assert format_draft(whole.under(name)).split()[0] == SHIFT.split(maxsplit=1)[0]
    assert format_draft(draft.lay("3")) == "3333/3333/3333/3333 b shift"
    assert format_draft(parse_draft("--A-/-2--/---- r shift")) == "-A/2- r shift"


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
    ("text", "what", "square", "message"),
    [
        (EXAMPLE, "x", "a1", "cannot be laid"),
        (EXAMPLE, "A", "e1", r"no square of this board \(squares are a1 to d4\)$"),
        (EXAMPLE, "r", None, "one square"),
        (EXAMPLE, "", "a1", "cannot"),
        (SHIFT, "-", None, "one square"),
        (SHIFT, "r", "e1", "no card on e1"),
        (SHIFT, "A", "f1", r"no square of this board \(squares are a1 to d4, next to it from @0 on\)$"),
        (SHIFT, "A", "@6", "no square"),
        (f"{SHIFT}-rotate", "-", "a1", "cannot be laid"),
        (f"{SHIFT}-rotate", "A", "e1", "no square"),
        ("A r shift", "-", "a1", "has to stay"),
        ("A" + "." * 25 + " r shift", "A", "{1", "at most"),
    ],
)
def test_what_cannot_be_laid_is_refused(text: str, what: str, square: str | None, message: str) -> None:
    with pytest.raises(CollapsiError, match=message) as caught:
        parse_draft(text).lay(what, square)
    assert "\n" not in str(caught.value)


def test_a_side_grows_to_its_limit() -> None:
    longest = parse_draft("A" + "." * 24 + " r shift").lay("A", "z1")
    assert format_draft(longest) == "A" + "." * 24 + "A r shift"


def edited(draft: str, **query: str) -> Any:
    """The answer of the API about a draft."""
    return fitting(models.Draft, answering.answer("edit", urlencode({"draft": draft, **query}))[2])


def test_the_editor_shows_the_squares_around_a_board_that_can_grow() -> None:
    text = "A2.3-/-.2rA./-3Ab3./-.2.. r shift"
    data, position = edited(text), parse_position(text)
    assert data["draft"] == text
    assert (len(data["rows"]), len(data["columns"])) == (6, 7)
    shown = {square["square"]: written(square) for square in data["squares"]}
    laid_out = {position.board.square(cell): position.cell_text(cell) for cell in range(position.board.size)}
    assert {square: card for square, card in shown.items() if card != "-"} == {
        square: card for square, card in laid_out.items() if card != "-"
    }
    assert "-" in data["lay"]
    grown = edited(text, lay="A", square="@2")
    assert grown["draft"] == "-A2.3-/A-.2rA./--3Ab3./--.2.. r shift"
    assert "17" in grown["error"]
    fixed = edited(f"{SHIFT}-rotate")
    assert len(fixed["squares"]) == 16
    assert "-" not in fixed["lay"]


@pytest.mark.parametrize("between", ["", "/"])
@pytest.mark.parametrize(("length", "shown"), [(25, 27 * 3), (26, 26)])
def test_around_the_longest_board_are_no_squares(between: str, length: int, shown: int) -> None:
    assert len(edited(f"{between.join('A' * length)} r shift")["squares"]) == shown
