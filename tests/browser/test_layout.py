"""Every view on every screen: it fits, with the controls of a board, nothing jumps, axe finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from collapsi import analyse
from tests.browser.contexts import new_context
from tests.browser.table import Table
from tests.browser.test_big import FOUR, MANY, TWO
from tests.browser.test_kinds import BOARD
from tests.browser.test_shifting import BOX, DEAL, ENDGAME, TURNING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.service import Server

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
ZUGZWANG = "JrA2A/AJbA2/2323/3434 r"
GAME = f"{EXAMPLE} a2 b4 b3 d1 b2 a1 b1"
BIG_OVER = " ".join([TWO, *analyse(TWO).line])
SOLO_OVER = "2AJr/A22/3XA closed b1 a1 a2 b2 c3 c2"
PEOPLE = "you.you.you.you"
WIDTHS = (320, 360, 390, 430, 540, 640, 768, 812, 1024, 1280)
"""In CSS pixels; a window of 1,280 at 200 % zoom has 640."""
PHONE, TABLET, DESK = (390, 844), (768, 1024), (1280, 800)
SCREENS = [(size, dark) for dark in (False, True) for size in (PHONE, DESK, TABLET)]
Screen = tuple[tuple[int, int], bool]


class View(NamedTuple):
    """A state of the page: its parameters, what is seen there, and whether the board must fit the screen."""

    state: dict[str, Any]
    seen: str
    fits: bool = False
    act: Callable[[Page], None] | None = None


def stop_estimating(page: Page) -> None:
    expect(page.locator("#board .value")).to_have_count(3)
    page.locator("#analysis-stop").click()
    expect(page.locator("#analysis-stop")).to_have_text("Go on")


def review_the_round(page: Page) -> None:
    page.get_by_role("button", name="Where did I go wrong?").click()
    expect(page.locator("#verdicts .verdict").first).to_be_attached()
    expect(page.locator("#look-stop")).to_be_hidden()


def choose_a_count(page: Page) -> None:
    page.locator("#lesson-moves button").first.click()
    expect(page.locator("#lesson-moves [aria-pressed=true]")).to_have_count(1)


def open_similar(page: Page) -> None:
    """Ask for deals like this one."""
    page.locator("#similar summary").click()
    expect(page.locator("#similar-moves tr").first).to_be_visible()
    page.locator("#similar").scroll_into_view_if_needed()


def open_chooser(page: Page) -> None:
    page.locator("#chooser-button").click()
    expect(page.locator("#chooser")).to_be_visible()


def make_room(page: Page) -> None:
    page.get_by_role("button", name="Play live").click()
    expect(page.locator("#room-invite")).to_be_visible()


VIEWS: dict[str, View] = {
    "play": View({"game": EXAMPLE}, "body[data-view=play]", fits=True),
    "play, over": View({"game": GAME, "match": "0-0"}, "#record strong", fits=True),
    "play, opened with the computer to move": View(
        {"game": EXAMPLE, "red": "1", "blue": "you"}, "#let-move", fits=True
    ),
    "play, live": View({"game": EXAMPLE}, "#room-make", act=make_room),
    "joker": View({"game": f"{EXAMPLE} joker", "blue": "you"}, ".card.legal", fits=True),
    "choice": View({"game": f"{EXAMPLE} choice", "blue": "you"}, ".card.legal", fits=True),
    "chooser": View({"game": f"{EXAMPLE} a2", "blue": "you"}, "#chooser-button", act=open_chooser),
    "help": View({"game": EXAMPLE}, "#help-button", act=lambda page: page.locator("#help-button").click()),
    "shifting": View({"game": f"{DEAL} d1l", "blue": "you"}, "#frame.shifting", fits=True),
    "shifting, box": View({"game": BOX, "blue": "you"}, "#frame.shifting", fits=True),
    "shifting, turning lines": View({"game": TURNING, "blue": "you"}, "#frame.shifting", fits=True),
    "shifting, half a move": View({"game": DEAL, "blue": "you", "half": "a2"}, "#board .arrow", fits=True),
    "shifting, half a move with hints": View({"game": ENDGAME, "half": "d2", "hints": 1}, "#legend"),
    "shifting, hints": View({"game": ENDGAME, "view": "analyse", "hints": 1}, "#moves .chips", fits=True),
    "analyse": View({"game": GAME, "view": "analyse", "hints": 1, "ply": 4}, "#verdicts .bad", fits=True),
    "analyse, similar deals": View(
        {"game": f"{EXAMPLE} joker", "view": "analyse"}, "#similar", act=open_similar, fits=True
    ),
    "analyse, choice": View(
        {"game": f"{EXAMPLE} choice c2", "view": "analyse", "hints": 1}, "#legend", fits=True
    ),
    "lessons": View({"view": "lessons"}, "#lesson-entries li"),
    "lesson": View({"view": "lessons", "lesson": "moving.1"}, "#lesson", fits=True),
    "lesson, counted": View({"view": "lessons", "lesson": "1.idea"}, "#lesson-moves li", act=choose_a_count),
    "drill": View({"view": "lessons", "lesson": "1.1"}, "#lesson"),
    "puzzles": View({"view": "puzzles", "puzzle": EXAMPLE}, "#puzzle-answer", fits=True),
    "puzzles, tried": View({"view": "puzzles", "puzzle": f"{EXAMPLE} d1"}, "#puzzle-verdict p", fits=True),
    "puzzles, pass": View({"view": "puzzles", "puzzle": ZUGZWANG, "pass": "ask"}, "#puzzle-pass", fits=True),
    "puzzles, passed": View(
        {"view": "puzzles", "puzzle": ZUGZWANG, "pass": "pass"}, "#puzzle-verdict button", fits=True
    ),
    "daily": View({"view": "daily", "daily": "2026-01-01"}, "#daily-streak", fits=True),
    "edit": View({"game": EXAMPLE, "view": "edit"}, "#edit-verdict p"),
    "edit, shifting": View({"game": ENDGAME, "view": "edit"}, "#edit-verdict p"),
    "share": View({"game": GAME, "view": "share"}, "#copies input"),
    "census": View({"game": DEAL, "view": "census"}, "#census-rules strong + strong"),
    "api": View({"game": EXAMPLE, "view": "api"}, "#programs-copies input"),
    "solo": View({"view": "solo", "solo": BOARD, "hints": 1}, "#legend", fits=True),
    "solo, over": View({"view": "solo", "solo": SOLO_OVER}, "#ply", fits=True),
    "big": View({"view": "big", "big": MANY}, "#seats li", fits=True),
    "big, four": View(
        {"view": "big", "big": FOUR, "seats": "you.you.1.2", "points": "start"}, "#seats li", fits=True
    ),
    "big, live": View({"view": "big", "big": FOUR, "seats": "you.1.1.2"}, "#room-make", act=make_room),
    "big, hints": View(
        {"view": "big", "big": TWO, "seats": "you.you", "hints": 1}, "#certainty.exact", fits=True
    ),
    "big, an estimate": View(
        {"view": "big", "big": MANY, "seats": "you.you.you", "hints": 1}, "#certainty", act=stop_estimating
    ),
    "big, over": View(
        {"view": "big", "big": BIG_OVER, "seats": "you.you", "points": "start"},
        "#end-look",
        fits=True,
        act=review_the_round,
    ),
    "rules": View({"game": EXAMPLE, "view": "rules"}, "#big-ways figure"),
    "no game": View({"game": "nonsense"}, "#message button"),
}
OUTSIDE = """() => {
    const { scrollWidth, clientWidth } = document.scrollingElement;
    const isOutside = (element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        return !width || !height || left < 0 || right > clientWidth + .5;
    };
    const entries = document.querySelectorAll("#views button, #places:not([hidden]) button, #help-button");
    const found = [...entries].filter(isOutside).map((entry) => entry.textContent);
    return scrollWidth > clientWidth ? [`${scrollWidth} px wide`, ...found] : found;
}"""
"""The navigation entries outside the viewport, and how wide the page is if it scrolls sideways."""
BELOW = """() => {
    scrollTo(0, 0);
    const names = "#turn, #frame, #end, #let-move, #bar button, #lesson-next, #puzzle-next";
    const shown = [...document.querySelectorAll(names)].filter((part) => part.checkVisibility());
    const isBelow = (part) => part.getBoundingClientRect().bottom > innerHeight;
    return shown.filter(isBelow).map((part) => `${part.id} ends at ${part.getBoundingClientRect().bottom}`);
}"""
"""The parts of the table that are below the screen."""
MOVED = "localStorage.setItem('collapsi: has moved', '1')"


@pytest.fixture(scope="module")
def table(server: Server, browser: Browser) -> Iterator[Table]:
    """One page for all of these tests."""
    context = new_context(browser, viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    table = Table(context.new_page(), server.address)
    table.open()
    yield table
    assert table.complaints == []
    context.close()


def look(table: Table, name: str, widths: Sequence[int], screens: list[Screen], pictures: Path) -> None:
    """Load a view once, and look at it with all these widths and on all these screens."""
    page, view = table.page, VIEWS[name]
    page.set_viewport_size({"width": 1280, "height": 720})
    page.evaluate(MOVED if "view" in view.state else "localStorage.clear()")  # in Play with the greeting
    table.open(**view.state)
    expect(page.locator(view.seen).first).to_be_visible()
    table.wait_until_quiet()
    if view.fits:
        for width, height in (PHONE, DESK):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BELOW) == [], (width, height)
    if view.act:
        view.act(page)
    found = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 720})
        found[width] = page.evaluate(OUTSIDE)
    assert {width: outside for width, outside in found.items() if outside} == {}
    for (width, height), dark in screens:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light")
        picture = f"{name.replace(', ', '-').replace(' ', '-')}-{width}-{'dark' if dark else 'light'}.png"
        page.screenshot(path=pictures / picture)
        violations = Axe().run(page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == []


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_fits_and_is_accessible(table: Table, screenshots: Path, name: str) -> None:
    """Each view has the narrowest and every third other width, and one screen for axe; they take turns."""
    turn = list(VIEWS).index(name)
    widths = [WIDTHS[0], *WIDTHS[1 + turn % 3 :: 3]]
    look(table, name, widths, [SCREENS[turn % len(SCREENS)]], screenshots)


@pytest.mark.slow
@pytest.mark.parametrize("name", VIEWS)
def test_every_view_is_accessible_on_every_screen(table: Table, screenshots: Path, name: str) -> None:
    look(table, name, WIDTHS, SCREENS, screenshots)


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize(
    ("state", "move"),
    [
        ({"game": EXAMPLE, "blue": "you"}, "a2"),
        ({"game": f"{EXAMPLE} choice", "blue": "you"}, "a2"),
        ({"solo": BOARD, "view": "solo"}, None),
        ({"big": TWO, "view": "big", "seats": PEOPLE}, None),
        ({"big": FOUR, "view": "big", "seats": PEOPLE}, None),
    ],
)
def test_the_first_move_moves_nothing_but_the_pawn(
    table: Table, size: tuple[int, int], state: dict[str, object], move: str | None
) -> None:
    """Not even the first one of all, after which the greeting is shorter."""
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("localStorage.clear()")
    table.open(**state)
    expect(page.locator("#hello")).to_be_visible()
    before = page.locator("#frame").bounding_box()
    (table.card(move) if move else page.locator(".card.legal").first).click()
    table.wait_for_plies(1)
    expect(page.locator("#hello")).to_have_class("begun")
    assert page.locator("#frame").bounding_box() == before


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize(
    ("state", "plies"),
    [
        ({"game": "..../.2r../.Ab../.2.. r b4", "blue": "you"}, 1),
        ({"solo": SOLO_OVER, "view": "solo"}, 6),
        ({"big": BIG_OVER, "view": "big", "seats": PEOPLE}, len(BIG_OVER.split()) - 3),
    ],
)
def test_the_end_moves_nothing(
    table: Table, size: tuple[int, int], state: dict[str, object], plies: int
) -> None:
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(MOVED)
    table.open(**state, ply=plies - 1)
    expect(page.locator("#ply")).to_have_text(f"{plies - 1} / {plies}")
    before = [page.locator(part).bounding_box() for part in ("#frame", "#bar")]
    page.locator("#forward").click()
    table.wait_for_plies(plies)
    expect(page.locator("#end")).to_be_visible()
    assert [page.locator(part).bounding_box() for part in ("#frame", "#bar")] == before


def test_every_entry_of_the_navigation_leads_to_its_view(table: Table) -> None:
    """Also where they stand in several rows, and at 200 % zoom; and places behind a door too."""
    table.page.set_viewport_size({"width": 640, "height": 360})
    table.open(game=DEAL, blue="you")
    views = table.page.locator("#views [data-view]").evaluate_all(
        "entries => entries.map((entry) => entry.dataset.view)"
    )
    for view in (*views, "rules", "edit", "share", "api"):
        table.turn_to(view)
        current = table.page.locator("nav [aria-current=page]")
        expect(current).to_have_count(1 if view in ("play", "puzzles", "daily") else 2)
        assert table.page.evaluate(OUTSIDE) == []
