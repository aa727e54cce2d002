"""The chooser of games: what the service offers, by mouse, touch and keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from collapsi.api import about

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.table import Table

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
GAMES = about.service()["games"]


def test_a_choice_says_that_it_deals_and_keeps_the_game(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    page, note = table.page, table.page.locator("#chooser-note")
    page.locator("#chooser-button").click()
    expect(note).to_have_text("A choice deals a new game at once.")
    assert page.locator("#chooser .tile strong").all_text_contents() == [game["title"] for game in GAMES]
    assert page.locator("#chooser .tile .note").all_text_contents() == [game["text"] for game in GAMES]
    names = [choice["name"] for game in GAMES for choice in game["choices"]]
    offered = page.locator("#chooser [data-choice]").evaluate_all(
        "buttons => buttons.map((button) => button.dataset.choice)"
    )
    assert offered == names
    page.wait_for_function(
        "() => [...document.querySelectorAll('#chooser img')].every((image) => image.naturalWidth)"
    )
    expect(page.locator("#chooser .tile[aria-current]")).to_have_attribute("data-choice", "standard")
    page.keyboard.press("n")  # a letter does nothing here
    page.keyboard.press("Escape")
    expect(page.locator("#chooser")).to_be_hidden()
    table.card("a2").click()  # a game under way is kept
    table.wait_for_plies(1)
    page.locator("#chooser-button").click()
    expect(note).to_contain_text("The game on the board stays in “My games”.")
    page.locator('#chooser [data-choice="joker"]').click()
    expect(page.locator("#turn")).to_contain_text("1, 2, 3 or 4 steps")
    expect(page.locator("#game-name")).to_have_text("Joker")
    page.get_by_role("button", name="Continue your game").click()
    table.wait_for_plies(1)
    assert table.game.text == f"{EXAMPLE} a2"


def test_rules_of_your_own_are_dealt_or_refused_in_place(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    page = table.page
    page.locator("#chooser-button").click()
    page.get_by_label("Rules of your own").fill("nonsense")
    page.keyboard.press("Enter")
    expect(page.locator("#chooser-error")).to_contain_text("nonsense")
    assert table.game.text == EXAMPLE
    page.get_by_label("Rules of your own").fill("1,3|2@5,4,3,2")
    page.keyboard.press("Enter")
    expect(page.locator("#chooser")).to_be_hidden()
    expect(page.locator("#turn")).to_contain_text("1 or 3 steps")
    assert table.game.position.rules.name == "1,3|2@5,4,3,2"


def test_by_keyboard_and_back_to_the_game_played_last(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    page = table.page
    page.locator("#chooser-button").press("Enter")
    page.locator('#chooser [data-choice="closed"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("body[data-view=solo]")).to_be_visible()
    expect(page.locator("#game-name")).to_have_text("Solo, exit closed")
    board = table.state["solo"]
    assert board.endswith("_closed")
    table.turn_to("rules")
    table.turn_to("solo")
    assert table.state["solo"] == board


def test_on_a_phone(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you", width=390, height=844, touch=True)
    page = table.page
    page.locator("#chooser-button").tap()
    page.get_by_role("button", name="Big board: 3 players").tap()
    expect(page.locator("body[data-view=big]")).to_be_visible()
    expect(page.locator("#seats li")).to_have_count(3)
    expect(page.locator("#game-name")).to_have_text("Big board, 3 players")
