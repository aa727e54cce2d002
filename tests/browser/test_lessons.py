"""The lessons played through: how to move, and lines of the card with their drills, by every device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from collapsi import parse_position
from collapsi.play.strategy.rulecard import Points, bundled_card

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.table import Table
    from tests.service import Server

PHONE = {"width": 320, "height": 640, "touch": True}
POINTS_LINE = next(
    number for number, line in enumerate(bundled_card().lines, start=1) if isinstance(line, Points)
)


@pytest.fixture
def lessons(server: Server) -> Any:
    """What the service teaches."""
    return server.get_json("/api/v1/lessons")


def by_mouse(table: Table, square: str) -> None:
    table.card(square).click()


def by_keyboard(table: Table, square: str) -> None:
    table.page.keyboard.type(square)


def by_touch(table: Table, square: str) -> None:
    table.card(square).tap()


def say_next(table: Table, choose: Callable[[Table, str], None]) -> None:
    """Go on: the way on has the focus when a step is done."""
    if choose is by_keyboard:
        table.page.keyboard.press("Enter")
    elif choose is by_touch:
        table.page.locator("#lesson-next").tap()
    else:
        table.page.locator("#lesson-next").click()


def is_in_sight(table: Table, selector: str) -> bool:
    """Whether all of an element can be seen without scrolling."""
    box = table.page.locator(selector).bounding_box()
    size = table.page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def wrong_squares(task: Any) -> list[tuple[str, str]]:
    """Some squares that a beginner may try in vain, and what must be said to that."""
    position = parse_position(task["position"])
    found: dict[str, tuple[str, str]] = {}
    for cell in range(16):
        refusal = position.refusal(cell)
        square = position.board.square(cell)
        if refusal is not None:
            found.setdefault(refusal[0], (square, refusal[1]))
        elif square not in task["wanted"]:
            found.setdefault("legal", (square, task["otherwise"]))
    return list(found.values())


@pytest.mark.parametrize(
    ("choose", "size"),
    [
        pytest.param(by_mouse, {}, id="mouse", marks=pytest.mark.slow),
        pytest.param(by_keyboard, {}, id="keyboard", marks=pytest.mark.slow),
        pytest.param(by_touch, PHONE, id="phone"),
    ],
)
def test_how_to_move_is_played_through(
    open_table: Callable[..., Table],
    lessons: Any,
    choose: Callable[[Table, str], None],
    size: dict[str, Any],
) -> None:
    table = open_table(motion=choose is by_mouse, **size)
    page, turn, message = table.page, table.page.locator("#turn"), table.page.locator("#message")
    page.get_by_role("link", name="Learn it step by step").click()
    for number, task in enumerate(lessons["moving"], start=1):
        expect(page.locator("#lesson-place")).to_have_text(
            f"How to move: {number} of {len(lessons['moving'])}"
        )
        expect(page.locator("#lesson-heading")).to_have_text(task["title"])
        expect(page.locator("#lesson-text")).to_have_text(task["text"])
        expect(turn).to_have_text(task["task"])
        assert bool(table.legal()) == task["framed"]
        for square, said in wrong_squares(task):
            choose(table, square)
            expect(message).to_contain_text(said, ignore_case=True)
            expect(turn).to_have_text(task["task"])
        choose(table, task["wanted"][-1])
        expect(turn).to_have_text(task["right"])
        after = parse_position(f"{task['position']} {task['wanted'][-1]}")
        assert "collapsed" in table.board()[after.board.square(parse_position(task["position"]).pawns[0])]
        assert "red pawn" in table.board()[task["wanted"][-1]]
        expect(page.locator("#lesson-next")).to_be_focused()
        assert is_in_sight(table, "#lesson-next")
        assert is_in_sight(table, "#turn")
        say_next(table, choose)
    expect(page.locator("#lesson-list")).to_be_visible()
    expect(page.locator("#lesson-entries button").first).to_contain_text("done ✓")
    table.open()
    expect(page.locator("#hello")).to_be_hidden()  # who has been taught needs no hint
    table.open(view="lessons")
    expect(page.locator("#lesson-entries button").first).to_contain_text("done ✓")
    page.get_by_role("button", name="Reset my progress").click()
    expect(page.locator("#lesson-entries button").first).to_contain_text("new")


@pytest.mark.parametrize(
    ("choose", "size", "line"),
    [
        pytest.param(by_mouse, {}, 1, id="mouse"),
        pytest.param(by_keyboard, {}, POINTS_LINE, id="keyboard"),
        pytest.param(by_touch, PHONE, POINTS_LINE, id="phone", marks=pytest.mark.slow),
    ],
)
def test_a_line_is_learned_with_its_drills(
    open_table: Callable[..., Table],
    server: Server,
    lessons: Any,
    choose: Callable[[Table, str], None],
    size: dict[str, Any],
    line: int,
) -> None:
    table = open_table(view="lessons", **size)
    page, turn = table.page, table.page.locator("#turn")
    lesson = lessons["lines"][line - 1]
    page.locator("#lesson-entries button").nth(line).click()
    expect(page.locator("#lesson-heading")).to_have_text(lesson["text"])
    expect(page.locator("#lesson-text")).to_have_text(lesson["idea"])
    look_at_counts(table, lesson["example"], choose)
    page.locator("#lesson-next").click()
    expect(page.locator("#lesson-text")).to_have_text(lesson["limit"])
    if lesson["failure"] is not None:
        expect(turn).to_have_text(lesson["failure"]["text"])
        look_at_counts(table, lesson["failure"], choose)
    page.locator("#lesson-next").click()
    for number in range(1, lessons["drills"] + 1):
        drill = server.get_json("/api/v1/drill", line=line, seed=number - 1)
        expect(page.locator("#lesson-place")).to_have_text(
            f"Line {line}: drill {number} of {lessons['drills']}"
        )
        expect(turn).to_have_text(drill["task"])
        expect(page.locator("#lesson-counted")).to_be_hidden()  # not before an answer
        assert table.values() == {}
        assert table.legal() == sorted(move["to"] for move in drill["moves"] if move["left"])
        for move in drill["moves"]:
            if move["move"] != drill["answer"]:
                choose(table, move["to"])
                expect(page.locator("#message")).to_have_text(move["said"])
        choose(table, drill["answer"])
        (right,) = (move for move in drill["moves"] if move["move"] == drill["answer"])
        expect(turn).to_have_text(right["said"])
        expect(page.locator("#lesson-next")).to_be_focused()
        say_next(table, choose)
    expect(page.locator("#lesson-entries button").nth(line)).to_contain_text("done ✓")


def look_at_counts(table: Table, read: Any, choose: Callable[[Table, str], None]) -> None:
    """The counts of all moves that are left, then the cards that count for each."""
    expect(table.page.locator("#turn")).to_have_text(read["text"])
    left = [move for move in read["moves"] if move["left"]]
    expect(table.page.locator("#lesson-moves li")).to_have_count(len(left))
    counts = {move["to"]: move["count"] + ("*" if move["kept"] else "") for move in left}
    assert table.values() == counts
    for move in left:
        choose(table, move["to"])
        expect(table.page.locator("#lesson-moves [aria-pressed=true]")).to_contain_text(move["counted"])
        assert table.values() == {mark["square"]: f"{mark['text']}*" for mark in move["marks"]}
    choose(table, left[-1]["to"])  # again: all counts are back
    expect(table.page.locator("#lesson-moves [aria-pressed=true]")).to_have_count(0)
    assert table.values() == counts


def test_a_lesson_has_an_address_and_back_works(open_table: Callable[..., Table], lessons: Any) -> None:
    table = open_table(view="lessons", lesson="moving.3")
    page, place = table.page, table.page.locator("#lesson-place")
    expect(place).to_contain_text("3 of 7")
    page.locator("#lesson-back").click()
    expect(place).to_contain_text("2 of 7")
    page.go_back()
    expect(place).to_contain_text("3 of 7")
    for odd in ("moving.99", "77.idea", "1.nothing", "x"):
        table.open(view="lessons", lesson=odd)
        expect(page.locator("#lesson-entries li")).to_have_count(1 + len(lessons["lines"]))
    table.open(view="lessons", lesson="1.10")
    page.locator("#lesson-next").click()
    expect(page.locator("#lesson-list")).to_be_visible()
    table.open(view="lessons", lesson="1.11")  # there are more, for who wants
    expect(place).to_have_text("Line 1: drill 11")
    page.locator("#lesson-back").click()
    expect(place).to_contain_text("drill 10 of 10")


def test_a_game_waits_while_one_learns(open_table: Callable[..., Table]) -> None:
    game = "A223/4A2Jr/3A23/Jb3A4 r a2 b4"
    table = open_table(game=game, blue="you")
    table.turn_to("lessons")
    table.page.locator("#lesson-entries button").first.click()
    expect(table.page.locator("#lesson-place")).to_contain_text("How to move")
    for key in ("ArrowLeft", "Home", "u", "n", "h", " "):  # they belong to a game
        table.page.keyboard.press(key)
    table.card("d1").click()
    expect(table.page.locator("#lesson-next")).to_be_focused()
    table.turn_to("play")
    expect(table.page.locator("#ply")).to_have_text("2 / 2")
    assert table.game.squares == ("a2", "b4")
