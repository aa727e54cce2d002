"""A game opened from Analyse, the editor or a link: the computer adds no move until it is asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.contexts import new_context
from tests.browser.table import Table
from tests.browser.test_big import TWO, wait_for_state
from tests.browser.test_shifting import DEAL, ENDGAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Route

    from tests.service import Server

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
BUTTON = "Let the computer move"


@pytest.fixture(scope="module")
def shared(server: Server, browser: Browser) -> Iterator[Table]:
    """One page for all of these tests."""
    context = new_context(browser, viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    table = Table(context.new_page(), server.address)
    yield table
    assert table.complaints == []
    context.close()


@pytest.fixture
def table(shared: Table) -> Table:
    """The page, as if nothing had been open before."""
    shared.page.goto("about:blank")
    return shared


def assert_waits(table: Table, game: str, part: str = "game") -> None:
    """The computer waits: it is not asked for a move, not even when the position is shown once more."""
    button = table.page.get_by_role("button", name=BUTTON)
    table.asked.clear()
    for _ in range(2):  # there and back
        before = table.state.get("flip")
        table.page.locator("#flip").click()
        table.page.wait_for_function(
            "flip => new URLSearchParams(location.search).get('flip') !== flip", arg=before
        )
        expect(button).to_be_visible()
    table.wait_until_quiet()
    assert [url for url in table.asked if "computer-move" in url] == []
    assert table.state[part].replace("_", " ") == game


@pytest.mark.parametrize(
    ("state", "part", "moves"),
    [
        ({"game": f"{EXAMPLE} a2"}, "game", 1),
        ({"game": EXAMPLE, "red": "1", "blue": "you"}, "game", 0),
        ({"game": f"{DEAL} d1l", "blue": "random"}, "game", 1),
        ({"game": ENDGAME, "red": "random", "blue": "you"}, "game", 0),
        ({"big": TWO, "view": "big", "seats": "1.you"}, "big", 0),
        ({"big": f"{TWO} c3", "view": "big", "seats": "you.1"}, "big", 1),
    ],
)
def test_a_link_is_opened_as_it_is(table: Table, state: dict[str, object], part: str, moves: int) -> None:
    table.open(**state)
    assert_waits(table, str(state[part]), part)
    table.page.keyboard.type("a1")
    expect(table.page.locator("#message")).to_contain_text(f"Press “{BUTTON}” to go on.")
    table.reload()
    assert_waits(table, str(state[part]), part)
    table.let_move()
    table.wait_for_plies(moves + 1)
    expect(table.page.get_by_role("button", name=BUTTON)).to_be_hidden()


def test_the_persons_move_begins_the_play(table: Table) -> None:
    table.open(game=f"{EXAMPLE} a2 b4")
    expect(table.page.get_by_role("button", name=BUTTON)).to_be_hidden()
    table.card("d1").click()
    table.wait_for_plies(4)


def test_a_game_that_is_being_analysed_gets_no_move(table: Table) -> None:
    table.open(game=EXAMPLE, view="analyse")
    table.card("a2").click()
    table.wait_for_plies(1)
    table.turn_to("play")
    assert_waits(table, f"{EXAMPLE} a2")
    table.turn_to("rules")
    table.turn_to("play")
    assert_waits(table, f"{EXAMPLE} a2")
    table.let_move()
    table.wait_for_plies(2)
    table.reload()
    table.page.locator(".card.legal").first.click()  # play goes on as usual
    table.wait_for_plies(4)


def test_a_game_begun_in_play_and_analysed_gets_no_move(table: Table) -> None:
    table.open(blue="1")
    table.page.locator(".card.legal").first.click()
    table.wait_for_plies(2)
    table.turn_to("analyse")
    table.page.locator(".card.legal").first.click()
    table.wait_for_plies(3)
    game = table.state["game"].replace("_", " ")
    table.turn_to("play")
    assert_waits(table, game)


def test_computers_do_not_go_on_with_a_game_that_was_analysed(table: Table) -> None:
    """Not even if they were playing when it was left."""
    table.open(game=EXAMPLE, red="1", blue="1", view="analyse")
    table.turn_to("play")
    table.page.route("**/computer-move?*", lambda _: None)  # no answer
    with table.page.expect_request("**/computer-move?*"):
        table.page.get_by_role("button", name="Start", exact=True).click()
    table.turn_to("analyse")
    table.card("a2").click()
    table.wait_for_plies(1)
    table.page.unroute("**/computer-move?*")
    table.turn_to("play")
    expect(table.page.locator("#run")).to_have_text("Go on")
    assert table.game.squares == ("a2",)


def test_the_editors_position_gets_no_move(table: Table) -> None:
    table.open(game=EXAMPLE, view="edit", red="1", blue="you")
    expect(table.page.locator("#edit-text")).to_have_text(EXAMPLE)
    table.card("a1").click()  # an ace lies there: it stays as it is
    table.page.locator("#edit-play").click()
    expect(table.page.locator("body[data-view=play]")).to_be_visible()
    assert_waits(table, EXAMPLE)


def test_a_game_that_is_pasted_gets_no_move(table: Table) -> None:
    table.open(game=EXAMPLE, view="share")
    table.page.locator("#open-text").fill(f"{EXAMPLE} d1")
    table.page.get_by_role("button", name="Open it").locator("visible=true").click()
    table.wait_for_plies(1)
    assert_waits(table, f"{EXAMPLE} d1")
    table.page.locator("#open-text").fill(f"{EXAMPLE} a2")
    table.page.get_by_role("button", name="Open it").locator("visible=true").click()
    table.page.wait_for_function("() => location.search.includes('_a2')")
    assert_waits(table, f"{EXAMPLE} a2")
    table.choose_game("big")
    table.page.locator("#open-text").fill(f"{TWO} c3")
    table.page.get_by_role("button", name="Open it").locator("visible=true").click()
    table.wait_for_plies(1)
    assert_waits(table, f"{TWO} c3", "big")


def test_a_game_begun_in_play_goes_on_at_once(table: Table) -> None:
    """A deal of any kind, also after a reload while the computer thinks, and after a look at the rules."""
    table.open(game=f"{EXAMPLE} a2", red="1", blue="you")
    page = table.page
    with page.expect_response("**/computer-move?*"):
        page.locator("#again").click()
    table.wait_for_turn("blue")
    page.locator("#deal").click()
    page.wait_for_function("() => !location.search.includes('A223/4A2Jr')")
    table.wait_for_turn("blue")
    page.locator("#open-text").fill(EXAMPLE)
    page.get_by_role("button", name="Open it").locator("visible=true").click()
    page.wait_for_function("() => location.search.includes('A223/4A2Jr')")
    table.wait_for_turn("blue")
    held: list[Route] = []  # the computer thinks for long, until the page is loaded again

    def hold(question: Route) -> None:
        if len(held) < 2:
            held.append(question)
        else:
            question.continue_()

    page.route("**/computer-move?*", hold)
    with page.expect_request("**/computer-move?*"):
        page.locator("#again").click()
    table.turn_to("rules")
    with page.expect_request("**/computer-move?*"):
        table.turn_to("play")
    page.reload()
    table.wait_for_plies(1)
    page.unroute("**/computer-move?*")


def test_a_round_begun_on_the_big_board_goes_on_at_once(table: Table) -> None:
    table.open(big=f"{TWO} c3", view="big", seats="random.you")
    with table.page.expect_response("**/big/computer-move?*"):
        table.page.locator("#again").click()
    wait_for_state(table, "blue")
    table.page.locator("#deal").click()
    table.page.wait_for_function("() => !location.search.includes('..A.../')")
    wait_for_state(table, "blue")
