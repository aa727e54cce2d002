"""Two people at two machines: a game by links that are sent to and fro."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from collapsi import deal
from collapsi.games.big.notation import parse_big_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.table import Table

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
PHONE = {"width": 390, "height": 844, "touch": True}


def sent_link(table: Table, colour: str) -> str:
    """The link that the page offers for the friend who is to move."""
    expect(table.page.locator("#friend-send")).to_be_visible()
    expect(table.page.locator("#turn")).to_contain_text(f"{colour.capitalize()} (your friend) to move")
    return table.page.get_by_label(f"Link for {colour}", exact=True).input_value()


def play(table: Table, rng: random.Random, plies: int) -> None:
    """Click a legal card, and wait until this number of moves is shown."""
    expect(table.page.locator(".card.legal").first).to_be_visible()
    table.card(rng.choice(table.legal())).click()
    table.wait_for_plies(plies)


def test_a_game_by_links_between_a_phone_and_a_desktop(open_table: Callable[..., Table]) -> None:
    """By what the page says: invite, move, send; the friend opens, moves, sends back."""
    here, there = open_table(), open_table(**PHONE)
    rng = random.Random(4)
    here.page.get_by_role("button", name="Play by link").click()
    expect(here.page.get_by_role("button", name="Play by link")).to_be_hidden()
    expect(here.page.locator("#friend")).to_be_hidden()  # it is our turn
    mover, other, colour = here, there, "blue"
    for ply in range(20):
        play(mover, rng, ply + 1)
        if mover.is_over():
            break
        link = sent_link(mover, colour)
        game = mover.game
        other.page.goto(link)
        expect(other.page.locator("#turn")).to_contain_text(f"{colour.capitalize()} (you) to")
        assert other.game == game
        mover, other, colour = other, mover, "red" if colour == "blue" else "blue"
    assert mover.game.position.winner is not None
    expect(mover.page.locator("#result")).to_contain_text("You won with")
    expect(mover.page.locator("#friend")).to_be_hidden()


def test_nobody_moves_for_a_friend(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2", red="you", blue="friend")
    expect(table.page.locator("#let-move")).to_be_hidden()
    assert table.legal() == []
    table.card("b4").click()
    expect(table.page.locator("#message")).to_have_text(
        "It is blue's turn, and blue is played by your friend."
    )
    table.page.locator("#undo").click()  # before the link is sent
    expect(table.page.locator("#ply")).to_have_text("0 / 1")
    expect(table.page.locator("#friend")).to_be_hidden()


@pytest.mark.parametrize("shares", [True, False])
def test_a_link_is_shared_by_the_browser_or_copied(shares: bool, open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2", red="you", blue="friend")
    stub = "async (data) => { window.shared = data; }" if shares else "undefined"
    clipboard = "{value: {writeText: async (text) => { window.copied = text; }}}"
    table.page.evaluate(
        f"() => {{ navigator.share = {stub}; Object.defineProperty(navigator, 'clipboard', {clipboard}); }}"
    )
    link = sent_link(table, "blue")
    table.page.locator("#friend-send").click()
    if shares:
        table.page.wait_for_function("link => window.shared?.url === link", arg=link)
    else:
        table.page.wait_for_function("link => window.copied === link", arg=link)
        expect(table.page.locator("#message")).to_contain_text("copied")


def test_four_people_on_the_big_board_pass_the_link_round(open_table: Callable[..., Table]) -> None:
    table = open_table(view="big", big=deal(random.Random(3), "big4").text, seats="you.1.1.1")
    table.page.get_by_role("button", name="Play by link").click()
    rng = random.Random(5)
    for ply in range(6):
        mover = str(parse_big_game(table.state["big"]).position.to_move)
        expect(table.page.locator("#turn")).to_contain_text(f"{mover.capitalize()} (you) to move")
        play(table, rng, ply + 1)
        after = str(parse_big_game(table.state["big"]).position.to_move)
        table.page.goto(sent_link(table, after))
    assert len(parse_big_game(table.state["big"]).moves) == 6


def test_the_computer_plays_beside_friends(open_table: Callable[..., Table]) -> None:
    table = open_table(view="big", big=deal(random.Random(3), "big3").text, seats="you.friend.1")
    rng = random.Random(6)
    play(table, rng, 1)
    table.page.goto(sent_link(table, "blue"))
    expect(table.page.locator("#turn")).to_contain_text("Blue (you) to move")
    play(table, rng, 3)  # the computer has moved too
    sent_link(table, "red")
