"""The layout at every width, from a small phone to a desk: nothing lies outside the screen in any view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.contexts import new_context
from tests.browser.table import Table
from tests.browser.test_big import FOUR, TWO
from tests.browser.test_kinds import BOARD
from tests.browser.test_shifting import DEAL, ENDGAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.service import Server

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
GAME = f"{EXAMPLE} a2 b4 b3 d1 b2 a1 b1"
WIDTHS = (320, 360, 390, 430, 540, 640, 768, 812, 1024, 1280)
"""In CSS pixels; a window of 1,280 at 200 % zoom has 640."""
STATES: dict[str, tuple[dict[str, object], str]] = {
    "play": ({"game": EXAMPLE}, "body[data-view=play]"),
    "play, over": ({"game": GAME, "match": "0-0"}, "#record strong"),
    "play, opened with the computer to move": (
        {"game": EXAMPLE, "red": "1", "blue": "you"},
        "body[data-view=play]",
    ),
    "shifting": ({"game": f"{DEAL} d1l", "blue": "you"}, "#frame.shifting"),
    "shifting, half a move": ({"game": DEAL, "blue": "you", "half": "a2"}, "#board .arrow"),
    "shifting, hints": ({"game": ENDGAME, "view": "analyse", "hints": 1}, "#moves .chips"),
    "analyse": ({"game": GAME, "view": "analyse", "hints": 1, "ply": 4}, "#verdicts .bad"),
    "lessons": ({"view": "lessons"}, "#lesson-entries li"),
    "lesson": ({"view": "lessons", "lesson": "1.idea"}, "#lesson-moves li"),
    "puzzles": ({"view": "puzzles", "puzzle": f"{EXAMPLE} d1"}, "#puzzle-verdict p"),
    "daily": ({"view": "daily", "daily": "2026-01-01"}, "#daily-streak"),
    "edit": ({"game": EXAMPLE, "view": "edit"}, "#edit-verdict p"),
    "edit, shifting": ({"game": ENDGAME, "view": "edit"}, "#edit-verdict p"),
    "share": ({"game": GAME, "view": "share"}, "#copies input"),
    "census": ({"game": DEAL, "view": "census"}, "#census-rules strong + strong"),
    "solo": ({"view": "solo", "solo": BOARD, "hints": 1}, "#legend"),
    "big": ({"view": "big", "big": FOUR, "seats": "you.you.1.2", "points": "start"}, "#seats li"),
    "big, two": ({"view": "big", "big": TWO, "seats": "you.you"}, "#seats li"),
    "rules": ({"game": EXAMPLE, "view": "rules"}, "#big-ways figure"),
    "no game": ({"game": "nonsense"}, "#message button"),
}
OUTSIDE = """() => {
    const { scrollWidth, clientWidth } = document.scrollingElement;
    const isOutside = (element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        return !width || !height || left < 0 || right > clientWidth + .5;
    };
    const entries = document.querySelectorAll("#views [data-view], #help-button");
    const found = [...entries].filter(isOutside).map((entry) => entry.textContent);
    return scrollWidth > clientWidth ? [`${scrollWidth} px wide`, ...found] : found;
}"""
"""The navigation entries outside the viewport, and how wide the page is if it scrolls sideways."""


@pytest.fixture(scope="module")
def table(server: Server, browser: Browser) -> Iterator[Table]:
    """One page for all of these tests."""
    context = new_context(browser, viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    table = Table(context.new_page(), server.address)
    yield table
    assert table.complaints == []
    context.close()


@pytest.mark.parametrize("name", STATES)
def test_nothing_lies_outside_the_screen(table: Table, name: str) -> None:
    state, there = STATES[name]
    table.page.goto("about:blank")
    table.open(**state)
    expect(table.page.locator(there).first).to_be_visible()
    found = {}
    for width in WIDTHS:
        table.page.set_viewport_size({"width": width, "height": 720})
        found[width] = table.page.evaluate(OUTSIDE)
    assert {width: outside for width, outside in found.items() if outside} == {}


def test_every_entry_of_the_navigation_leads_to_its_view(table: Table) -> None:
    """Also where they stand in several rows, and at 200 % zoom."""
    table.page.set_viewport_size({"width": 640, "height": 360})
    table.open(game=EXAMPLE, blue="you")
    for entry in table.page.locator("#views [data-view]").all():
        view = entry.get_attribute("data-view")
        if view == "census":  # of the classic game it takes a while
            continue
        entry.click()
        expect(table.page.locator(f"body[data-view={view}]")).to_be_visible()
        expect(entry).to_have_attribute("aria-current", "page")
        assert table.page.evaluate(OUTSIDE) == []
