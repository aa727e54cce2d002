"""Player's Choice and the solo game on the page, by mouse, keyboard and touch; and what a newcomer meets."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

import collapsi
from collapsi import analyse, format_game, parse_position
from collapsi.draw.svg import draw_analysis, draw_position
from collapsi.games.solo.analysis import analyse_solo
from collapsi.games.solo.notation import parse_solo, parse_solo_game
from collapsi.games.solo.rules import HOW_TO_PLAY_SOLO, SOLO_RULES, Exit
from tests.browser.contexts import new_context
from tests.browser.table import Table
from tests.browser.test_looking import shown_value
from tests.browser.test_playing import play_to_the_end
from tests.rule_sets import FOR_TWO

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.service import Server

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r choice"
BOARD = "A2X/3Jr2/A2A"
LARGE = "2A33/2Jr2A/A3X3/2A44"
STUCK = "2AJr/A22/3XA closed b1 a1 a2 b2 c3 c2"
HOPELESS = f"{BOARD} b1 c3 c2"
"""A game that cannot be solved any more: two moves are to be taken back."""


# Player's Choice


def test_two_people_choose_where_to_start(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you", motion=True)
    turn = table.page.locator("#turn")
    expect(turn).to_have_text("Red to choose a card to start on (Player’s Choice)")
    assert len(table.legal()) == 14
    table.card("c2").click()
    expect(turn).to_have_text("Red starts on c2. Blue to choose a card to start on (Player’s Choice)")
    expect(table.page.locator("#way line")).to_have_count(0)  # no pawn walked there
    expect(table.page.locator("#way circle")).to_have_count(0)
    table.card("c2").click()
    expect(table.page.locator("#message")).to_contain_text("c2 is occupied", ignore_case=True)
    table.card("b3").click()
    expect(turn).to_have_text("Blue starts on b3. Red to move: 2 steps from c2 (Player’s Choice)")
    assert "Jack" not in str(table.board())
    table.page.get_by_role("button", name="Undo").click()
    expect(turn).to_contain_text("Blue to choose a card to start on")
    table.card("a1").click()
    table.wait_for_plies(2)
    assert table.game.squares == ("c2", "a1")


@pytest.mark.parametrize("level", ["1", pytest.param("perfect", marks=pytest.mark.slow)])
def test_a_whole_game_of_choice_by_mouse(open_table: Callable[..., Table], level: str) -> None:
    table = open_table(game=EXAMPLE, blue=level)
    play_to_the_end(table, "red", random.Random(4))
    assert table.game.position.winner is not None
    table.page.get_by_role("button", name="Where did I go wrong?").click()
    looked = collapsi.review(table.game)
    expect(table.page.locator("#verdicts .verdict")).to_have_count(len(looked.moves))
    for text, move in zip(
        table.page.locator("#verdicts .verdict").all_text_contents(), looked.moves, strict=True
    ):
        assert move.summary in text


def test_a_whole_game_of_choice_by_keyboard(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, red="2", blue="you")
    table.let_move()
    rng = random.Random(5)
    while True:
        table.wait_for_turn("blue")
        if table.is_over():
            break
        square = rng.choice(table.legal())
        table.moving(lambda typed=square: table.page.keyboard.type(typed))  # type: ignore[misc]
    assert table.game.position.winner is not None


def test_a_whole_game_of_choice_on_a_phone(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="random", width=320, height=640, touch=True)
    rng = random.Random(6)
    while True:
        table.wait_for_turn("red")
        if table.is_over():
            break
        table.moving(table.card(rng.choice(table.legal())).tap)
    assert table.game.position.winner is not None


def test_hints_matches_deals_and_links_of_choice(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} c2", view="analyse", hints=1, blue="you")
    analysis = analyse(f"{EXAMPLE} c2")
    expect(table.page.locator("#board .value")).to_have_count(len(analysis.moves))
    assert table.values() == {move.to: shown_value(move, analysis.best) for move in analysis.moves}
    table.turn_to("share")
    assert table.page.get_by_label("Game as text", exact=True).input_value() == f"{EXAMPLE} c2"
    table.turn_to("play")
    table.page.get_by_role("button", name="Start a match").click()
    expect(table.page.locator("#match-score")).to_contain_text("Round 1")
    assert table.game.position.rules is FOR_TWO["choice"]
    table.page.get_by_role("button", name="End the match").click()
    old = format_game(table.game).split()[0]
    table.page.get_by_role("button", name="A deal I can win").click()
    table.page.wait_for_function("old => !location.search.includes(old)", arg=old)
    assert str(analyse(table.game.positions[0]).winner) == "red"


def test_every_rule_set_can_be_chosen_and_is_explained(open_table: Callable[..., Table]) -> None:
    table = open_table(game="A223/4A2Jr/3A23/Jb3A4 r", blue="you")
    for name, rules in FOR_TWO.items():
        table.choose_game(name)
        expect(table.page.locator("#deal-note")).to_have_text(rules.text)
        assert table.game.position.rules is rules
    table.turn_to("rules")
    for name, rules in FOR_TWO.items():
        shown = table.page.locator(f'.ways [data-rules="{name}"]')
        expect(shown).to_contain_text(rules.text)
        wait_for_picture(shown)
    expect(table.page.locator("#solo-how")).to_have_text(HOW_TO_PLAY_SOLO)
    for reading in Exit:
        shown = table.page.locator(f'#solo-ways [data-exit="{reading}"]')
        expect(shown).to_contain_text(SOLO_RULES[parse_solo(BOARD).board, reading].text)
        wait_for_picture(shown)


def wait_for_picture(figure: Locator) -> None:
    figure.scroll_into_view_if_needed()
    picture = figure.locator("img")
    expect(picture).to_have_attribute("alt", re.compile("."))
    expect(picture).not_to_have_js_property("naturalWidth", value=0)


def test_made_up_first_moves_are_played_too(open_table: Callable[..., Table]) -> None:
    table = open_table(game="A223/4A2Jr/3A23/Jb3A4 r 1,3|2", blue="you")
    expect(table.page.locator("#turn")).to_contain_text("1 or 3 steps from d2")
    expect(table.page.locator("#game-name")).to_have_text("First moves 1,3|2")
    table.turn_to("edit")
    expect(table.page.locator("#edit-rules")).to_have_value("1,3|2")


# Solo


def solved_text(table: Table) -> None:
    expect(table.page.locator("#turn")).to_contain_text("Solved in 8 moves")


def test_a_solo_board_is_solved_by_mouse(open_table: Callable[..., Table]) -> None:
    table = open_table(view="solo", solo=BOARD)
    position = parse_solo(BOARD)
    for number, square in enumerate(analyse_solo(BOARD).solution):
        table.wait_for_plies(number)
        assert table.legal() == sorted(map(position.move_text, position.moves))
        table.card(square).click()
        position = position.play(square)
    solved_text(table)
    assert parse_solo_game(table.state["solo"]).position.solved
    table.page.keyboard.press("u")
    expect(table.page.locator("#ply")).to_have_text("7 / 8")
    expect(table.page.locator("#turn")).to_contain_text("leave by the exit on c1")


def test_a_solo_board_is_solved_by_keyboard_and_touch(open_table: Callable[..., Table]) -> None:
    solution = analyse_solo(BOARD).solution
    typing = open_table(view="solo", solo=BOARD)
    for number, square in enumerate(solution, start=1):
        typing.page.keyboard.type(square)
        typing.wait_for_plies(number)
    solved_text(typing)
    phone = open_table(view="solo", solo=BOARD, width=320, height=640, touch=True)
    for number, square in enumerate(solution, start=1):
        phone.card(square).tap()
        phone.wait_for_plies(number)
    solved_text(phone)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("board", [BOARD, pytest.param(LARGE, marks=pytest.mark.slow)])
def test_a_solution_is_played_step_by_step(open_table: Callable[..., Table], board: str) -> None:
    table = open_table(view="solo", solo=board)
    analysis = analyse_solo(board)
    table.page.get_by_role("button", name="Still solvable?").click()
    expect(table.page.locator("#solo-said")).to_have_text(f"{analysis.verdict.capitalize()}.")
    if not analysis.solvable:
        return
    for number in range(1, len(analysis.solution) + 1):
        table.page.get_by_role("button", name="Next step of a solution").click()
        table.wait_for_plies(number)
    assert parse_solo_game(table.state["solo"]).position.solved


def test_solo_hints_and_the_way_back(open_table: Callable[..., Table]) -> None:
    table = open_table(view="solo", solo=HOPELESS)
    table.page.get_by_role("button", name="Hint", exact=True).click()
    expect(table.page.locator("#solo-said")).to_have_text("Cannot be solved any more: take back 2 moves.")
    table.page.get_by_role("button", name="Back to where it went wrong").click()
    expect(table.page.locator("#ply")).to_have_text("1 / 3")
    table.page.get_by_role("button", name="Hint", exact=True).click()
    expect(table.page.locator("#solo-said")).to_contain_text("then it can be solved in")
    table.page.keyboard.press("h")
    moves = analyse_solo(f"{BOARD} b1").moves
    expect(table.page.locator("#board .value")).to_have_count(len(moves))
    assert table.values() == {move.to: move.value + ("*" if move.wins else "") for move in moves}
    assert "cannot be solved any more" in table.board()["c3"].lower()
    table.page.locator("#turn").click()  # away from the buttons, which Space would press
    table.page.keyboard.press("Space")  # the hint is played
    table.wait_for_plies(2)
    assert analyse_solo(table.state["solo"]).solvable


def test_solo_refusals_links_and_texts(open_table: Callable[..., Table]) -> None:
    table = open_table(view="solo", solo=f"{BOARD} b1 a3")
    table.card("c1").click()
    expect(table.page.locator("#message")).to_contain_text("c1 is the exit", ignore_case=True)
    link = table.page.get_by_label("Link", exact=True).input_value()
    other = open_table()
    other.page.goto(link)
    expect(other.page.locator("#ply")).to_have_text("2 / 2")
    assert other.board() == table.board()
    table.page.locator("#open-text").fill("A2X/3Jr2/A2")
    table.page.get_by_role("button", name="Open it").click()
    expect(table.page.locator("#open-error")).to_have_text("Row 3 has 2 cards instead of 3: 'A2'.")
    table.page.locator("#open-text").fill(LARGE)
    table.page.get_by_role("button", name="Open it").click()
    expect(table.page.locator(".card")).to_have_count(16)
    table.page.go_back()
    expect(table.page.locator(".card")).to_have_count(9)
    wrong = open_table(view="solo", solo="nonsense")
    expect(wrong.page.locator("#turn")).to_have_text("There is no game here.")
    wrong.page.get_by_role("button", name="Deal a new one").click()
    expect(wrong.page.locator("#turn")).to_contain_text("8 cards to collapse")


def test_solo_boards_are_dealt(open_table: Callable[..., Table]) -> None:
    table = open_table(view="solo", solo=BOARD)
    page = table.page
    page.locator("#deal-deck").select_option("11112222333344")
    page.locator("#deal-difficulty").select_option("easy")
    page.locator("#deal-exit").select_option("closed")
    page.locator("#deal-seed").fill("7")
    page.locator("#deal").click()
    expect(page.locator(".card")).to_have_count(16)
    analysis = analyse_solo(table.state["solo"])
    assert (str(analysis.difficulty), str(analysis.position.rules.exit)) == ("easy", "closed")
    first = table.state["solo"]
    page.locator("#deal-seed").fill("x")
    page.locator("#deal").click()
    expect(page.locator("#deal-error")).to_contain_text("Seed")
    assert table.state["solo"] == first
    table.turn_to("analyse")  # the game for two is another game
    expect(page.locator("#turn")).to_contain_text("to move: 1 step")
    table.turn_to("solo")
    expect(page.locator("#turn")).to_contain_text("15 cards to collapse")
    assert table.state["solo"] == first
    table.reload()  # the form tells what is on the board
    expect(page.locator("#deal-deck")).to_have_value("11112222333344")
    expect(page.locator("#deal-exit")).to_have_value("closed")


@pytest.mark.parametrize("hints", [0, 1])
def test_solo_pictures_and_texts_are_downloaded(
    open_table: Callable[..., Table], tmp_path: Path, hints: int
) -> None:
    game = f"{BOARD} b1"
    table = open_table(view="solo", solo=game, hints=hints)
    content = {}
    for name, button in (("svg", "Board as SVG"), ("png", "Board as PNG"), ("txt", "Game as text")):
        with table.page.expect_download() as waiting:
            table.page.get_by_role("button", name=button, exact=True).click()
        assert waiting.value.suggested_filename == f"collapsi.{name}"
        waiting.value.save_as(tmp_path / name)
        content[name] = (tmp_path / name).read_bytes()
    drawn = draw_analysis(analyse_solo(game)) if hints else draw_position(parse_solo(game))
    assert content["svg"].decode() == drawn
    assert content["png"].startswith(b"\x89PNG")
    assert len(content["png"]) > 10_000  # drawn, not blank
    assert content["txt"].decode() == f"{game}\n"


# The first visit


@pytest.mark.parametrize("width", [320, pytest.param(1200, marks=pytest.mark.slow)])
def test_a_first_visit_shows_what_to_do(open_table: Callable[..., Table], width: int) -> None:
    table = open_table(width=width, height=640)
    hello = table.page.locator("#hello")
    expect(hello).to_contain_text("Click or tap a framed card")
    expect(hello).to_contain_text("a player who cannot move loses")
    assert table.state["blue"] == "1"  # not the perfect one
    expect(table.page.locator("[data-player=blue] option:checked")).to_contain_text("beginner")
    table.page.get_by_role("link", name="All the rules").click()
    expect(table.page.locator("body[data-view=rules]")).to_be_visible()
    table.page.go_back()
    expect(table.page.locator("body[data-view=play]")).to_be_visible()
    place = "frame => frame.getBoundingClientRect().top + scrollY"
    before = table.page.locator("#frame").evaluate(place)
    table.page.locator(".card.legal").first.click()
    table.wait_for_plies(2)
    expect(hello).to_contain_text("The card you leave collapses")  # it stays for the first game
    expect(hello).not_to_contain_text("Click or tap", use_inner_text=True)
    assert table.page.locator("#frame").evaluate(place) == before, "nothing moves"
    table.open()
    expect(table.page.locator("#ply")).to_have_text("0 / 0")
    expect(hello).to_be_hidden()  # in the next game it does not come again


DEALT = "A223/4A2Jr/3A23/Jb3A4 r"


@pytest.mark.parametrize(
    ("view", "size"),  # the ordinary run looks at each view on one screen
    [
        pytest.param(view, size, marks=[pytest.mark.slow] * ((number + turn) % 2))
        for number, view in enumerate(("play", "solo", "big", "shift"))
        for turn, size in enumerate(((390, 844), (1280, 800)))
    ],
)
def test_the_greeting_is_drawn_on_the_board(
    open_table: Callable[..., Table], size: tuple[int, int], view: str
) -> None:
    """Three things, and a walk of numbered steps over the edge, until one looks at a move."""
    state = {"game": f"{DEALT} shift", "blue": "you"} if view == "shift" else {"view": view}
    table = open_table(width=size[0], height=size[1], **state)
    page, hello = table.page, table.page.locator("#hello")
    expect(hello).to_contain_text("Your card’s number is how many steps you go; the board wraps around")
    expect(hello).to_contain_text("collapses")
    expect(page.locator("#hello-walk")).to_contain_text("steps from the")
    text = str(page.locator("#hello-walk").text_content())
    found = re.search(r"(\d) steps from the (\d) on ([a-f]\d)", text)
    assert found
    steps, square = int(found[1]), found[3]
    assert found[2] == found[1]
    assert table.board()[square].startswith(f"{square.upper()}, {steps}")
    numbers = [str(number) for number in range(1, steps + 1)]
    expect(page.locator("#way text")).to_have_text(numbers)
    expect(page.locator("#way .begin")).to_have_count(1)
    assert page.locator("#way line").count() > steps, "a step over the edge has two lines"
    page.locator(".card.legal").first.hover()
    expect(page.locator("#way .begin")).to_have_count(0)
    page.mouse.move(1, 1)
    expect(page.locator("#way .begin")).to_have_count(1)


@pytest.mark.parametrize(
    ("state", "aim"),
    [
        ({"game": EXAMPLE}, "a player who cannot move loses"),
        ({"view": "solo", "solo": BOARD}, "Collapse every card, then leave by the exit"),
    ],
)
def test_a_first_visit_by_a_link_does_too(
    open_table: Callable[..., Table], state: dict[str, object], aim: str
) -> None:
    table = open_table(**state)
    expect(table.page.locator("#hello")).to_contain_text(aim)


def test_there_is_no_greeting_where_no_move_is_possible(open_table: Callable[..., Table]) -> None:
    for state in ({"game": "..../.2r../..../.3b.. r", "blue": "you"}, {"view": "solo", "solo": STUCK}):
        table = open_table(**state)
        expect(table.page.locator("#ply")).not_to_be_empty()
        expect(table.page.locator("#hello")).to_be_hidden()
    expect(table.page.locator("#turn")).to_contain_text("Stuck with 2 cards to collapse")
    expect(table.page.locator("#solo-said")).to_contain_text("undo, or go back to where it went wrong")


def test_a_browser_that_keeps_nothing_can_play(server: Server, browser: Browser) -> None:
    page = new_context(browser, reduced_motion="reduce").new_page()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage',"
        " { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    table = Table(page, server.address)
    table.open(game="A223/4A2Jr/3A23/Jb3A4 r", blue="you")
    expect(page.locator("#hello")).to_be_visible()
    table.card("a2").click()
    table.wait_for_plies(1)
    page.locator("#deal").click()
    table.wait_for_plies(0)
    expect(page.locator("#hello")).to_be_hidden()
    assert table.complaints == []
    page.context.close()


def test_a_link_without_players_still_means_the_perfect_one(open_table: Callable[..., Table]) -> None:
    table = open_table(game="A223/4A2Jr/3A23/Jb3A4 r")
    expect(table.page.locator("[data-player=blue]")).to_have_value("perfect")


@pytest.mark.parametrize("view", ["play", "solo"])
def test_on_a_phone_controls_have_a_row_each(open_table: Callable[..., Table], view: str) -> None:
    table = open_table(width=320, height=640, touch=True, view=view)
    expect(table.page.locator("#ply")).to_have_text("0 / 0")
    for group, rows in (("#views button", 3), ("#steps button", 1)):
        boxes = [button.bounding_box() for button in table.page.locator(group).all()]
        assert len({round(box["y"]) for box in boxes if box}) <= rows, group
        assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 320 for box in boxes)
    table.turn_to("rules", Locator.tap)
    picture = table.page.locator("#examples img").first.bounding_box()
    assert picture is not None
    assert picture["width"] >= 240


# The page knows nothing by itself


def test_clicks_in_the_editor_are_never_lost(open_table: Callable[..., Table]) -> None:
    table = open_table(game="A223/4A2Jr/3A23/Jb3A4 r", view="edit")
    table.page.get_by_role("button", name="Collapsed", exact=True).click()
    expect(table.page.locator("#edit-text")).not_to_be_empty()
    table.page.evaluate(
        """() => ["a1", "b1", "c1", "d1"].forEach(
            (square) => document.querySelector(`[data-square=${square}]`).click())"""
    )
    expect(table.page.locator("#edit-text")).to_have_text("..../4A2Jr/3A23/Jb3A4 r")
    table.page.locator("#edit-rules").select_option("choice")
    expect(table.page.locator("#edit-text")).to_have_text("..../4A2Jr/3A23/Jb3A4 r choice")
    assert parse_position(table.state["draft"]).rules.name == "choice"


@pytest.mark.parametrize("draft", ["nonsense", "A223", "A" * 900, "A22r3/4A2Jr/3A23/J3A4 r"])
def test_a_draft_that_cannot_be_read_is_the_games_position(
    open_table: Callable[..., Table], draft: str
) -> None:
    table = open_table(game="A223/4A2Jr/3A23/Jb3A4 r", view="edit", draft=draft)
    expect(table.page.locator("#edit-text")).to_have_text("A223/4A2Jr/3A23/Jb3A4 r")
