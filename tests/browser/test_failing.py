"""A service that fails: the page keeps what it shows, waits, tries again and lets the person try again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import expect

from collapsi import parse_game
from tests.browser.contexts import new_context
from tests.browser.table import Table
from tests.browser.test_big import TWO
from tests.browser.test_kinds import BOARD
from tests.browser.test_shifting import DEAL
from tests.service import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page, Route

    from tests.service import Server

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
API = "**/api/v1/**"
BUSY = '{"detail": "too many questions of this kind at once"}'
LATER = 3600
"""Seconds to wait as the service says: more than the page does."""


class Act(NamedTuple):
    """Something that a person does in a view, and what the page shows when the service has answered."""

    state: dict[str, object]
    act: Callable[[Page], None]
    shown: Callable[[Page], object]


def click(selector: str) -> Callable[[Page], None]:
    """Click on the first of these."""
    return lambda page: page.locator(selector).first.click()


def has(selector: str, text: str) -> Callable[[Page], None]:
    """Wait until an element says something."""
    return lambda page: expect(page.locator(selector)).to_contain_text(text)


def typed(field: str, text: str, form: str) -> Callable[[Page], None]:
    """Type into a field and send it off; what was typed stays there."""

    def act(page: Page) -> None:
        page.locator(field).fill(text)
        page.locator(f"{form} button").click()
        expect(page.locator(field)).to_have_value(text)

    return act


ACTS = {
    "play": Act({"game": EXAMPLE, "blue": "you"}, click("[data-square=a2]"), has("#ply", "1 / 1")),
    "play, the computer": Act({"game": EXAMPLE}, click("[data-square=a2]"), has("#ply", "2 / 2")),
    "play, a deal": Act({"game": f"{EXAMPLE} a2", "blue": "you"}, click("#deal"), has("#ply", "0 / 0")),
    "play, a typed deal": Act(
        {"game": f"{EXAMPLE} a2", "blue": "you"},
        typed("#open-text", EXAMPLE, "#open"),
        has("#ply", "0 / 0"),
    ),
    "analyse": Act(
        {"game": EXAMPLE, "view": "analyse", "hints": 1}, click("[data-square=a2]"), has("#ply", "1 / 1")
    ),
    "analyse, hints": Act(
        {"game": EXAMPLE, "view": "analyse"}, click("#show-values"), has("#outcome", "Red wins in 13 moves")
    ),
    "puzzles": Act(
        {"view": "puzzles", "puzzle": EXAMPLE}, click("[data-square=d1]"), has("#puzzle-verdict", "No.")
    ),
    "puzzles, the next": Act(
        {"view": "puzzles", "puzzle": f"{EXAMPLE} d1"}, click("#puzzle-next"), has("#ply", "0 / 0")
    ),
    "daily": Act(
        {"view": "daily", "daily": "2026-01-01"}, click(".card.legal"), has("#turn", "(you) to move")
    ),
    "solo": Act({"view": "solo", "solo": BOARD}, click("[data-square=b1]"), has("#ply", "1 / 1")),
    "solo, a deal": Act({"view": "solo", "solo": f"{BOARD} b1"}, click("#deal"), has("#ply", "0 / 0")),
    "solo, opened": Act(
        {"view": "solo", "solo": f"{BOARD} b1"},
        typed("#open-text", BOARD, "#open"),
        has("#ply", "0 / 0"),
    ),
    "big": Act({"view": "big", "big": TWO, "seats": "you.you"}, click(".card.legal"), has("#ply", "1 / 1")),
    "big, the analysis": Act(
        {"view": "big", "big": TWO, "seats": "you.you"}, click("#show-values"), has("#analysis-stop", "Stop")
    ),
    "big, opened": Act(
        {"view": "big", "big": f"{TWO} c3", "seats": "you.you"},
        typed("#open-text", TWO, "#open"),
        has("#ply", "0 / 0"),
    ),
    "lessons": Act(
        {"view": "lessons", "lesson": "moving.1"}, click("#lesson-next"), has("#lesson-place", "2 of")
    ),
    "census": Act(
        {"game": DEAL}, click("[data-view=census]"), has("#census-rules", "not supported for shift")
    ),
    "edit": Act({"game": EXAMPLE, "view": "edit"}, click("[data-square=a2]"), has("#edit-text", "AA2Jr")),
    "share, opened": Act(
        {"game": f"{EXAMPLE} a2", "view": "share", "blue": "you"},
        typed("#open-text", EXAMPLE, "#open"),
        has("#ply", "0 / 0"),
    ),
    "rules": Act(
        {"view": "lessons"},
        click("[data-view=rules]"),
        lambda page: page.wait_for_function(
            "() => [...document.querySelectorAll('#examples img')].every((image) => image.naturalWidth)"
        ),
    ),
}


class Failing:
    """A page whose service can be made to fail, and whose clock the test turns on."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.page = table.page
        self.tries: list[str] = []

    def fail(self, *, status: int = 503, retry_after: float | None = LATER, dead: bool = False) -> None:
        """From now on every question fails."""
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        self.tries.clear()

        def answer(route: Route) -> None:
            self.tries.append(route.request.url)
            if dead:
                route.abort("connectionrefused")
            else:
                body = BUSY if status == 503 else "<h1>Bad gateway</h1>"
                route.fulfill(status=status, headers=headers, body=body)

        self.page.route(API, answer)

    def mend(self) -> None:
        """From now on the service answers."""
        self.page.unroute(API)

    def stop_clock(self) -> None:
        """Stop the clock of the page: from now on only the test turns it on."""
        clock = self.page.clock
        clock.pause_at(self.page.evaluate("Date.now() / 1000 + 600"))  # later than now, on a busy machine too

    def turn_clock_until(self, seen: Callable[[], bool], *, step: int = 100) -> int:
        """Turn the clock on until something is seen; the milliseconds that took.

        A response is seen by the test before the page handles it, so a timer may start later by the clock
        than the test knows: a fixed number of milliseconds after a response is a race.
        """
        patience = time.monotonic() + HANG_SECONDS
        turned = 0
        while not seen():
            assert time.monotonic() < patience, "it is never seen"
            self.page.clock.run_for(step)
            turned += step
        return turned

    def wait_for_notice(self) -> int:
        """Turn the clock on until the page says that it waits for the service."""
        notice = self.page.locator("#service-said")
        return self.turn_clock_until(lambda: bool(notice.text_content()))


@pytest.fixture(scope="module")
def shared(server: Server, browser: Browser) -> Iterator[Failing]:
    """One page for all of these tests."""
    context = new_context(browser, viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.clock.install()
    yield Failing(Table(page, server.address))
    context.close()


@pytest.fixture
def failing(shared: Failing) -> Iterator[Failing]:
    """The page; of failures that a test asked for the browser complains rightly."""
    shared.page.goto("about:blank")
    shared.table.complaints.clear()
    yield shared
    shared.mend()
    shared.page.clock.resume()
    asked_for = ("status of 503", "status of 502", "status of 500", "ERR_CONNECTION_REFUSED")
    assert [text for text in shared.table.complaints if not any(word in text for word in asked_for)] == []


@pytest.mark.parametrize("name", ACTS)
def test_nothing_is_lost_while_the_service_fails(failing: Failing, name: str) -> None:
    page, act = failing.page, ACTS[name]
    failing.table.open(**act.state)
    failing.table.wait_until_quiet()
    board = failing.table.board()
    failing.stop_clock()
    failing.fail()
    act.act(page)
    failing.wait_for_notice()
    expect(page.locator("#service")).to_contain_text("Waiting for the service …")
    expect(page.locator("#service")).to_contain_text("too many questions of this kind at once")
    expect(page.get_by_text("There is no game here")).to_have_count(0)
    expect(page.get_by_role("button", name="Deal a new one")).to_have_count(0)
    assert failing.table.board() == board
    failing.mend()
    page.get_by_role("button", name="Try again").locator("visible=true").first.click()
    page.clock.resume()  # the computer pauses before it moves
    act.shown(page)
    expect(page.locator("#service-said")).to_be_empty()


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        ({"status": 500}, "status 500"),
        ({"status": 502}, "status 502"),
        ({"dead": True}, "is “collapsi serve” still running?"),
    ],
)
def test_every_failure_is_waited_for(failing: Failing, failure: dict[str, bool], said: str) -> None:
    failing.table.open(game=EXAMPLE, blue="you")
    before = failing.table.board()
    failing.stop_clock()  # or the page may have tried again by itself before the click on "Try again"
    failing.fail(**failure)
    failing.table.card("a2").click()
    failing.wait_for_notice()
    expect(failing.page.locator("#service")).to_contain_text(said)
    assert failing.table.board() == before
    failing.table.wait_until_quiet()  # without Retry-After the page tries again as it shows the notice
    failing.mend()
    failing.page.get_by_role("button", name="Try again").click()
    failing.table.wait_for_plies(1)
    assert failing.table.game == parse_game(f"{EXAMPLE} a2")


def test_the_service_says_when_to_ask_again(failing: Failing) -> None:
    """Retry-After is honoured, and a failure of less than a second is not reported."""
    page, clock = failing.page, failing.page.clock
    failing.table.open(game=EXAMPLE, blue="you")
    failing.stop_clock()
    failing.fail(retry_after=7)
    notice = page.locator("#service-said")
    with page.expect_response(API):
        failing.table.card("a2").click()
    assert failing.wait_for_notice() >= 1000
    expect(notice).to_contain_text("Waiting for the service …")
    clock.run_for(5800)  # with the second until the notice, and the step that showed it: 6.8 to 6.9 s
    assert len(failing.tries) == 1
    failing.mend()
    with page.expect_response(API):
        clock.run_for(200)
    failing.table.wait_for_plies(1)
    expect(notice).to_be_empty()


@pytest.mark.parametrize("retry_after", [None, 3, LATER])
def test_it_is_not_asked_for_ever(failing: Failing, retry_after: float | None) -> None:
    page, clock = failing.page, failing.page.clock
    failing.table.open(game=EXAMPLE, blue="you")
    failing.stop_clock()
    failing.fail(retry_after=retry_after)
    failing.table.card("a2").click()
    failing.turn_clock_until(lambda: len(failing.tries) == 5, step=1000)
    notice = page.locator("#service-said")
    expect(notice).to_have_text("The service cannot answer now: too many questions of this kind at once.")
    clock.run_for(600_000)
    assert len(failing.tries) == 5
    failing.mend()
    page.get_by_role("button", name="Try again").click()
    failing.table.wait_for_plies(1)


def test_another_view_is_not_held_up(failing: Failing) -> None:
    """Failed questions of another view are dropped, and so is their notice."""
    failing.table.open(game=f"{EXAMPLE} a2", blue="you")
    page = failing.page
    failing.stop_clock()
    failing.fail()
    failing.table.card("b4").click()
    failing.wait_for_notice()
    expect(page.locator("#service-said")).to_contain_text("Waiting for the service …")
    failing.mend()
    failing.table.choose_game("open")
    expect(page.locator("body[data-view=solo]")).to_be_visible()
    expect(page.locator("#service-said")).to_be_empty()
    expect(page.locator("#message")).to_be_empty()
    page.go_back()
    failing.table.wait_for_plies(2)


def test_cards_laid_meanwhile_are_not_lost(failing: Failing) -> None:
    failing.table.open(game=EXAMPLE, view="edit")
    page = failing.page
    expect(page.locator("#edit-text")).to_have_text(EXAMPLE)
    page.get_by_role("button", name="Collapsed", exact=True).click()
    failing.stop_clock()
    failing.fail()
    for square in ("a1", "b1", "c1"):
        failing.table.card(square).click()
    failing.wait_for_notice()
    expect(page.locator("#service-said")).to_contain_text("Waiting for the service …")
    failing.mend()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#edit-text")).to_have_text("...3/4A2Jr/3A23/Jb3A4 r")
