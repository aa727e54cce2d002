"""The tree of moves on the page: variations, comments, promotion, deletion, and its link."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from collapsi import analyse, parse_game, review

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.table import Table

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
GAME = f"{EXAMPLE} a2 a3 c4"
BLUNDERS = f"{EXAMPLE} a2 b4 b3 d1 b2 a1 b1"
TREE = f"{GAME.removesuffix(' c4')} (b4! {{why not}} (d4) d1) c4 d1"


def tree_of(table: Table) -> str:
    """The game in the URL with its variations."""
    return table.state.get("tree", "")


def wait_for_tree(table: Table, text: str) -> None:
    """Wait until the URL has this tree."""
    table.page.wait_for_function(
        """text => (new URLSearchParams(location.search).get("tree") ?? "") === text""", arg=text
    )


def lines(table: Table) -> list[str]:
    """The rows of the list of moves, without numbers."""
    script = """rows => rows.map(
        (row) => [...row.querySelectorAll("button")].map((each) => each.textContent).join(" "))"""
    found: list[str] = table.page.locator("#tree .tree-line").evaluate_all(script)
    return found


def move(table: Table, name: str) -> None:
    table.page.locator("#tree button").get_by_text(name, exact=True).click()


def test_another_move_becomes_a_variation(open_table: Callable[..., Table]) -> None:
    table = open_table(game=GAME, view="analyse", ply=1)
    expect(table.page.locator("#tree .tree-line")).to_have_count(1)
    assert lines(table) == ["a2 a3 c4"]
    table.card("b4").click()
    table.wait_for_plies(2)
    wait_for_tree(table, f"{EXAMPLE} a2 a3 (b4) c4")
    assert lines(table) == ["a2 a3", "b4", "c4"]
    table.card("d1").click()
    table.wait_for_plies(3)
    wait_for_tree(table, f"{EXAMPLE} a2 a3 (b4 d1) c4")

    move(table, "a3")
    expect(table.page.locator("#ply")).to_have_text("2 / 3")
    expect(table.page.locator('#tree [aria-current="step"]')).to_have_text("a3")
    table.page.keyboard.press("ArrowDown")
    expect(table.page.locator('#tree [aria-current="step"]')).to_have_text("b4")
    table.page.keyboard.press("ArrowRight")
    expect(table.page.locator('#tree [aria-current="step"]')).to_have_text("d1")
    table.page.keyboard.press("ArrowLeft")
    expect(table.page.locator("#ply")).to_have_text("2 / 3")
    table.page.keyboard.press("ArrowUp")
    expect(table.page.locator('#tree [aria-current="step"]')).to_have_text("a3")
    table.card("c4").click()  # a move that is known goes on as it did
    expect(table.page.locator('#tree [aria-current="step"]')).to_have_text("c4")
    assert tree_of(table) == f"{EXAMPLE} a2 a3 (b4 d1) c4"


def test_promote_delete_and_comment(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4 d1", tree=f"{EXAMPLE} a2 a3 (b4 d1) c4", view="analyse")
    page = table.page
    expect(page.locator("#tree .tree-line")).to_have_count(3)
    page.locator("#tree-comment").fill("so much for <b>that</b> } \\ x")
    page.locator("#tree-glyph").select_option("!?")
    comment = "so much for <b>that</b> \\} \\\\ x"
    wait_for_tree(table, f"{EXAMPLE} a2 a3 (b4 d1!? {{{comment}}}) c4")
    expect(page.locator("#tree .comment")).to_have_text("so much for <b>that</b> } \\ x")
    assert page.locator("#tree .comment b").count() == 0

    page.locator("#tree-promote").click()
    wait_for_tree(table, f"{EXAMPLE} a2 b4 (a3 c4) d1!? {{{comment}}}")
    expect(page.locator("#tree-promote")).to_have_attribute("aria-disabled", "true")
    parsed = parse_game(tree_of(table))
    assert parsed.node("a2 b4 d1").comment == "so much for <b>that</b> } \\ x"

    move(table, "a3")
    expect(page.locator('#tree [aria-current="step"]')).to_have_text("a3")
    page.locator("#tree-delete").click()
    wait_for_tree(table, f"{EXAMPLE} a2 b4 d1!? {{{comment}}}")
    expect(page.locator("#tree-said")).to_contain_text("a3 and the moves after it are deleted.")
    page.locator("#tree-said button").click()
    wait_for_tree(table, f"{EXAMPLE} a2 b4 (a3 c4) d1!? {{{comment}}}")
    expect(page.locator('#tree [aria-current="step"]')).to_have_text("c4")


def test_a_link_carries_the_tree(open_table: Callable[..., Table]) -> None:
    table = open_table(game=GAME, view="analyse", ply=1)
    table.card("b4").click()
    table.wait_for_plies(2)
    wait_for_tree(table, f"{EXAMPLE} a2 a3 (b4) c4")
    again = open_table()
    again.page.goto(table.page.url)
    expect(again.page.locator("#tree .tree-line")).to_have_count(3)
    assert lines(again) == ["a2 a3", "b4", "c4"]
    again.turn_to("share")
    expect(again.page.locator("#copies-1")).to_have_value(f"{EXAMPLE} a2 a3 (b4) c4")


def test_a_tree_can_be_pasted_and_named_as_the_game(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, view="share")
    table.page.locator("#open-text").fill(TREE)
    table.page.locator("#open button").click()
    table.wait_for_plies(4)
    wait_for_tree(table, parse_game(TREE).text)
    assert table.state["game"].replace("_", " ") == f"{EXAMPLE} a2 a3 c4 d1"
    table.turn_to("analyse")
    expect(table.page.locator("#tree .comment")).to_have_text("why not")
    named = open_table()
    named.page.goto(f"{named.address}?game={quote(TREE)}&view=analyse")
    named.wait_for_plies(4)
    wait_for_tree(named, parse_game(TREE).text)


def test_moves_taken_back_in_play_are_kept(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    for number, square in enumerate(("a2", "a3"), start=1):
        table.card(square).click()
        table.wait_for_plies(number)
    table.page.locator("#undo").click()
    expect(table.page.locator("#ply")).to_have_text("1 / 2")
    table.card("b4").click()
    table.wait_for_plies(2)
    wait_for_tree(table, f"{EXAMPLE} a2 b4 (a3)")
    table.page.go_back()
    expect(table.page.locator("#turn")).to_contain_text("Blue to move")
    table.card("d4").click()
    wait_for_tree(table, f"{EXAMPLE} a2 d4 (b4) (a3)")
    table.turn_to("analyse")
    expect(table.page.locator("#tree .tree-line")).to_have_count(3)


@pytest.mark.parametrize(
    "tree",
    [
        "((((",
        f"{EXAMPLE} a2 (zz)",
        f"{EXAMPLE} a2 {{" + "x" * 3000 + "}",
        f"{EXAMPLE} a2 " + "(d1 " * 900,
        "A223/4A2Jr/3A23/Jb3A4 r b4 (a2)",
    ],
)
def test_a_hostile_tree_is_refused_and_the_game_stays(open_table: Callable[..., Table], tree: str) -> None:
    table = open_table(game=GAME, view="analyse", tree=tree)
    expect(table.page.locator("#message")).to_contain_text("The variations in this link cannot be read.")
    expect(table.page.locator("#ply")).to_have_text("3 / 3")
    assert lines(table) == ["a2 a3 c4"]
    assert tree_of(table) == ""


def test_script_in_a_comment_is_text(open_table: Callable[..., Table]) -> None:
    comment = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    table = open_table()
    table.page.goto(f"{table.address}?game={quote(f'{EXAMPLE} a2 {{{comment}}}')}&view=analyse")
    expect(table.page.locator("#tree .comment")).to_have_text(comment)
    assert table.page.locator("#tree img, #tree script").count() == 0


def test_variations_of_the_other_kinds(open_table: Callable[..., Table]) -> None:
    table = open_table(solo="A2X/3Jr2/A2A b1", view="solo", ply=0)
    expect(table.page.locator("#ply")).to_have_text("0 / 1")
    assert table.page.locator("#tree-panel").is_hidden()
    table.card("b3").click()
    table.wait_for_plies(1)
    expect(table.page.locator("#tree .tree-line")).to_have_count(2)
    wait_for_tree(table, "A2X/3Jr2/A2A b3 (b1)")
    table.turn_to("analyse")
    expect(table.page.locator("#turn")).to_contain_text("to move")
    wait_for_tree(table, "")
    table.turn_to("solo")
    wait_for_tree(table, "A2X/3Jr2/A2A b3 (b1)")


@pytest.mark.parametrize(
    ("width", "height", "dark"),
    [
        (390, 844, True),
        pytest.param(768, 1024, False, marks=pytest.mark.slow),
        pytest.param(1280, 800, False, marks=pytest.mark.slow),
    ],
)
def test_the_list_of_moves_is_accessible(
    open_table: Callable[..., Table], width: int, height: int, *, dark: bool
) -> None:
    table = open_table(game=TREE, view="analyse", width=width, height=height, dark=dark)
    expect(table.page.locator("#tree .tree-line")).to_have_count(4)
    found = Axe().run(table.page)
    assert found.violations_count == 0, found.generate_report()
    assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_review_opens_where_the_game_turned_and_shows_why(open_table: Callable[..., Table]) -> None:
    table = open_table(game=BLUNDERS, view="analyse", hints=1, blue="you")
    page = table.page
    expect(page.locator("#verdicts .verdict")).to_have_count(7)
    looked = review(table.game)
    (mistake, *_) = looked.turning_points
    refuting = page.locator(f'[data-line="refute {mistake.number}"]')
    expect(refuting).to_have_text(list(mistake.after.line))
    line = [*table.game.squares[: mistake.number], *mistake.after.line]
    for index in (0, 2):
        refuting.nth(index).click()
        expect(page.locator("#ply")).to_have_text(f"{mistake.number + index + 1} / {len(line)}")
        expect(refuting.nth(index)).to_have_attribute("aria-current", "step")
    assert list(table.game.squares) == line
    assert parse_game(tree_of(table)).squares == parse_game(BLUNDERS).squares, "the game is the main line"
    page.locator("#forward").click()
    expect(refuting.nth(3)).to_have_attribute("aria-current", "step")
    better = page.locator(f'[data-line="better {mistake.number}"]')
    expect(better).to_have_text(list(mistake.before.line))
    better.first.click()
    expect(page.locator('#tree [aria-current="step"]')).to_have_text(mistake.before.best[0])
    expect(page.locator("#verdicts .verdict")).to_have_count(7)  # the review of the game stays
    page.locator(f'#verdicts [data-ply="{mistake.number}"]').click()
    expect(page.locator("#ply")).to_have_text(f"{mistake.number} / 7")
    assert table.game.squares == parse_game(BLUNDERS).squares
    expect(page.locator(f'#verdicts [data-ply="{mistake.number}"]')).to_have_attribute("aria-current", "step")


@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_on_a_phone_the_board_stays_in_sight_while_the_review_is_read(
    open_table: Callable[..., Table], *, dark: bool
) -> None:
    table = open_table(
        game=BLUNDERS, view="analyse", hints=1, blue="you", width=390, height=844, touch=True, dark=dark
    )
    page, dock = table.page, table.page.locator("#dock")
    expect(page.locator("#verdicts .verdict")).to_have_count(7)
    expect(dock).to_be_hidden()
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.locator("#verdicts").evaluate("list => list.scrollIntoView()")
    expect(dock).to_be_visible()
    expect(page.locator("#frame.docked")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight") == tall, "nothing moves"
    page.locator('#verdicts [data-ply="3"]').tap()
    expect(page.locator("#ply")).to_have_text("3 / 7")
    expect(page.locator("#dock-said")).to_contain_text("Red went from a2 to b3")
    expect(page.locator("#frame.docked")).to_be_in_viewport(ratio=1)
    page.locator('[data-line="refute 3"]').first.tap()
    expect(page.locator("#ply")).to_have_text("4 / 10")
    page.locator("#dock-forward").tap()
    expect(page.locator("#ply")).to_have_text("5 / 10")
    page.locator("#dock-back").tap()
    expect(page.locator("#ply")).to_have_text("4 / 10")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("scrollTo(0, 0)")
    expect(dock).to_be_hidden()
    expect(page.locator("#frame.docked")).to_have_count(0)


def test_next_to_its_panels_the_board_is_not_made_small(open_table: Callable[..., Table]) -> None:
    table = open_table(game=BLUNDERS, view="analyse", hints=1, width=1280, height=800)
    expect(table.page.locator("#verdicts .verdict")).to_have_count(7)
    table.page.locator("#verdicts .verdict").last.scroll_into_view_if_needed()
    expect(table.page.locator("#board")).to_be_in_viewport(ratio=0.9)
    expect(table.page.locator("#dock")).to_be_hidden()


def test_a_lost_game_opens_at_the_last_chance(open_table: Callable[..., Table]) -> None:
    game = parse_game(f"{EXAMPLE} d1 d4 b2")
    while not game.position.result:
        game = game.play(analyse(game.position).best[0])
    table = open_table(game=game.text, blue="you")
    table.page.locator("#end-look").click()
    expect(table.page.locator("#verdicts .verdict")).to_have_count(len(game.moves))
    expect(table.page.locator("#ply")).to_have_text(f"1 / {len(game.moves)}")


def test_the_deal_of_a_future_day_is_refused(open_table: Callable[..., Table]) -> None:
    table = open_table(view="daily", daily="2999-01-01")
    expect(table.page.locator("#message")).to_contain_text("The deal of 2999-01-01 is not open yet")
    table.page.get_by_role("button", name="Deal a new one").click()
    expect(table.page.locator("#daily-what")).to_contain_text("Today’s deal")
    table.page.get_by_text("Earlier days").click()
    expect(table.page.locator("#daily-days li")).to_have_count(7)
    table.page.locator("#daily-days button").first.click()
    expect(table.page.locator("#daily-what")).to_contain_text("The deal of")
