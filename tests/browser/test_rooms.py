"""People at machines of their own play live, in a room of the service."""

from __future__ import annotations

import random
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from collapsi import deal, parse_game
from tests.browser.table import Table
from tests.service import running_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.service import Server

PHONE = {"width": 390, "height": 844, "touch": True}
DESK = {"width": 1280, "height": 800}


def make_room(table: Table) -> None:
    """Do what the page says."""
    table.page.get_by_role("button", name="Play live").click()
    expect(table.page.locator("#room-invite")).to_be_visible()


def link_for(table: Table, colour: str) -> str:
    """The link that the page offers for a seat."""
    return table.page.get_by_label(f"Link for {colour}", exact=True).input_value()


def said(table: Table) -> Locator:
    """Who is there."""
    return table.page.locator("#room-said")


def play(mover: Table, others: list[Table], rng: random.Random, plies: int) -> None:
    """Click a legal card, and wait until everybody sees the move."""
    expect(mover.page.locator(".card.legal").first).to_be_visible()
    mover.card(rng.choice(mover.legal())).click()
    arrows = mover.page.locator("#board .arrow")
    if arrows.count():
        arrows.first.click()
    for table in (mover, *others):
        table.wait_for_plies(plies)


def game_of(table: Table) -> str:
    """The game in the address, of whatever kind."""
    state = table.state
    return (state.get("big") or state["game"]).replace("_", " ")


@contextmanager
def forgiven(*tables: Table) -> Iterator[None]:
    """Let the browser complain that the service does not answer, or has forgotten a room."""
    yield
    for table in tables:
        expected = ("net::ERR_", "status of 404", "status of 409", "status of 503")
        table.complaints[:] = [
            each for each in table.complaints if not any(text in each for text in expected)
        ]


@pytest.fixture
def pair(open_table: Callable[..., Table]) -> tuple[Table, Table]:
    """A desktop whose page has made a room for a short game, and a phone that has come by the link."""
    here, there = open_table(**DESK), open_table(**PHONE)
    make_room(here)
    expect(said(here)).to_have_text("Waiting for your friend to open the link.")
    there.page.goto(link_for(here, "blue"))
    for table in (here, there):
        expect(said(table)).to_have_text("Your friend is here.")
    return here, there


def test_a_phone_and_a_desktop_play_a_game_a_rematch_and_a_match(pair: tuple[Table, Table]) -> None:
    here, there = pair
    rng = random.Random(1)
    expect(here.page.locator("#room-invite")).to_be_hidden()
    expect(here.page.locator("#turn")).to_contain_text("Red (you) to move")
    expect(there.page.locator("#turn")).to_contain_text("Red (your friend) to move")
    assert there.legal() == []
    mover, other = here, there
    for ply in range(1, 20):
        play(mover, [other], rng, ply)
        assert game_of(here) == game_of(there)
        if mover.is_over():
            break
        mover, other = other, mover
    expect(mover.page.locator("#result")).to_contain_text("You won with")
    expect(other.page.locator("#result")).to_contain_text("Your friend won with")
    other.page.get_by_role("button", name="Play again").click()
    for table in pair:  # another begins
        table.wait_for_plies(0)
    expect(there.page.locator("#turn")).to_contain_text("Red (you) to move")
    expect(here.page.locator("#turn")).to_contain_text("Red (your friend) to move")
    here.page.get_by_role("button", name="Start a match").click()
    for table in pair:
        expect(table.page.locator("#match-score")).to_contain_text("(blue) 0.")
        table.wait_for_plies(0)
    expect(here.page.locator("#turn")).to_contain_text("Red (you) to move")
    play(here, [there], rng, 1)


def test_both_press_at_once_and_nobody_moves_twice(pair: tuple[Table, Table]) -> None:
    """The service's order counts: a second page of the same player shows the board as it is."""
    here, there = pair
    twin = Table(here.page.context.new_page(), here.address)
    twin.page.goto(here.page.url)
    expect(twin.page.locator(".card.legal").first).to_be_visible()
    first, second = here.legal()[:2]
    with forgiven(here, twin):
        here.card(first).click()
        twin.card(second).click()
        for table in (here, twin, there):
            table.wait_for_plies(1)
        assert game_of(here) == game_of(twin) == game_of(there)
        there.card(there.legal()[0]).dblclick()  # and two clicks are one move
        for table in (here, twin, there):
            table.wait_for_plies(2)


def test_the_line_drops_and_the_page_goes_on_by_itself(pair: tuple[Table, Table]) -> None:
    here, there = pair
    rng = random.Random(2)
    play(here, [there], rng, 1)
    with forgiven(here):
        here.page.context.set_offline(True)
        expect(said(here)).to_have_text("Reconnecting …")
        play(there, [], rng, 2)
        expect(here.page.locator("#ply")).to_have_text("1 / 1")
        here.page.context.set_offline(False)
        here.wait_for_plies(2)
    expect(said(here)).to_have_text("Your friend is here.")
    with forgiven(here):  # a move that is made while the line is down arrives later
        here.page.context.set_offline(True)
        expect(said(here)).to_have_text("Reconnecting …")
        here.card(here.legal()[0]).click()
        here.page.context.set_offline(False)
        for table in pair:
            table.wait_for_plies(3)
    play(there, [here], rng, 4)


def test_a_live_game_can_be_left_while_a_move_waits_for_the_line(pair: tuple[Table, Table]) -> None:
    here, there = pair
    with forgiven(here):
        here.page.context.set_offline(True)
        expect(said(here)).to_have_text("Reconnecting …")
        here.card(here.legal()[0]).click()
        here.page.get_by_role("button", name="Leave the live game").click()
        expect(here.page.locator("#room")).to_be_hidden()
        here.page.context.set_offline(False)
        here.wait_until_quiet()
    assert "token" not in here.state
    expect(there.page.locator("#ply")).to_have_text("0 / 0")  # the move was not sent


def test_a_reload_comes_back_to_the_seat_and_leaving_keeps_the_game(pair: tuple[Table, Table]) -> None:
    here, there = pair
    play(here, [there], random.Random(3), 1)
    there.reload()
    expect(said(there)).to_have_text("Your friend is here.")
    expect(there.page.locator("#turn")).to_contain_text("Blue (you) to move")
    here.page.locator("#back").click()  # looking back takes nothing back
    expect(here.page.locator("#ply")).to_have_text("0 / 1")
    assert here.legal() == []
    play(there, [here], random.Random(3), 2)  # and the next move is shown at once
    game = game_of(here)
    here.page.get_by_role("button", name="Leave the live game").click()
    expect(here.page.locator("#room")).to_be_hidden()
    assert game_of(here) == game
    assert "token" not in here.state


def test_the_service_is_killed_and_both_pages_go_on(
    open_table: Callable[..., Table], tmp_path: Path, server: Server
) -> None:
    here, there = open_table(**DESK), open_table(**PHONE)
    rng = random.Random(4)
    with forgiven(here, there):
        with running_server(tmp_path, loaded=False) as first:
            port = first.port
            here.page.goto(first.address)
            make_room(here)
            there.page.goto(link_for(here, "blue"))
            expect(said(here)).to_have_text("Your friend is here.")
            play(here, [there], rng, 1)
            play(there, [here], rng, 2)
            first.stop(signal.SIGKILL)
            for table in (here, there):
                expect(said(table)).to_have_text("Reconnecting …")
        with running_server(tmp_path, "--port", str(port), loaded=False):
            for table in (here, there):
                expect(said(table)).to_have_text("Your friend is here.")
            play(here, [there], rng, 3)
            play(there, [here], rng, 4)
            assert len(parse_game(game_of(here)).moves) == 4
            for table in (here, there):
                table.page.goto("about:blank")
                table.asked[:] = [server.address]  # this one had a server of its own


def test_four_people_and_a_spectator_on_the_big_board(open_table: Callable[..., Table]) -> None:
    colours = ("red", "blue", "green", "yellow")
    start = deal(random.Random(3), "big4").text
    red = open_table(view="big", big=start, seats="you.1.1.1", **DESK)
    make_room(red)
    expect(said(red)).to_have_text("Waiting for blue, green and yellow to open their links.")
    links = {colour: link_for(red, colour) for colour in colours[1:]}
    watch = red.page.get_by_label("Link to watch", exact=True).input_value()
    tables = {"red": red}
    for colour, link in links.items():
        tables[colour] = open_table(**PHONE)
        tables[colour].page.goto(link)
    spectator = open_table(**PHONE)
    spectator.page.goto(watch)
    everybody = [*tables.values(), spectator]
    for table in tables.values():
        expect(said(table)).to_have_text("All players are here.")
    expect(said(spectator)).to_have_text("You are watching. All players are here.")
    rng = random.Random(5)
    for ply in range(1, 7):
        mover = str(parse_game(game_of(red)).position.to_move)
        expect(tables[mover].page.locator("#turn")).to_contain_text(f"{mover.capitalize()} (you) to move")
        play(tables[mover], everybody, rng, ply)
    assert spectator.legal() == []
    spectator.card("a1").click()
    expect(spectator.page.locator("#message")).to_have_text("You are watching: only the players can move.")
    assert len({game_of(table) for table in everybody}) == 1


def test_the_computer_takes_a_seat(open_table: Callable[..., Table]) -> None:
    start = deal(random.Random(3), "big3").text
    red, green = open_table(view="big", big=start, seats="you.1.friend"), open_table(**PHONE)
    make_room(red)
    green.page.goto(link_for(red, "green"))
    expect(said(red)).to_have_text("Your friend is here.")
    rng = random.Random(6)
    expect(red.page.locator(".card.legal").first).to_be_visible()
    red.card(rng.choice(red.legal())).click()
    for table in (red, green):
        table.wait_for_plies(2)
    play(green, [red], rng, 3)


def test_a_wrong_link_says_so_and_leads_on(open_table: Callable[..., Table]) -> None:
    table = open_table(**PHONE)
    with forgiven(table):
        table.page.goto(f"{table.address}?room=none&token=none")
        expect(table.page.locator("#message")).to_contain_text("This game is not open any more")
        table.page.get_by_role("button", name="Play here without a room").click()
        expect(table.page.locator(".card.legal").first).to_be_visible()
        assert "room" not in table.state


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["joker", "choice", "shift", "shift-rotate", "big", "big3"])
def test_whole_games_of_every_kind(rules: str, open_table: Callable[..., Table]) -> None:
    rng = random.Random(7)
    start = deal(rng, rules).text
    is_big = rules.startswith("big")
    state = {"view": "big", "big": start, "seats": "you.friend.friend"} if is_big else {"game": start}
    tables = {"red": open_table(**state)}
    make_room(tables["red"])
    for colour in ("blue", "green")[: 2 if rules == "big3" else 1]:
        link = link_for(tables["red"], colour)
        tables[colour] = open_table(**PHONE)
        tables[colour].page.goto(link)
    ply = 0
    while (position := parse_game(game_of(tables["red"])).position).result is None:
        ply += 1
        play(tables[str(position.to_move)], [*tables.values()], rng, ply)
    expect(tables["red"].page.locator("#end-again")).to_be_visible()
    tables["blue"].page.locator("#end-again").click()
    for table in tables.values():
        table.wait_for_plies(0)
    expect(tables["blue"].page.locator("#turn")).to_contain_text("Red (you) to")
