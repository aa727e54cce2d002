"""Links into the page: every view with every rule set it has, and what the page shows there."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.conftest import FLAGS
from tests.browser.contexts import new_context, wait_until_quiet
from tests.contract.commands import BIG, DEALS, ENDGAMES, OVER, PUBLISHED, SOLO, SOLO_OVER, without
from tests.service import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

SMALL = without(DEALS, *BIG)
PEOPLE = "you.you.you.you"

LINKS: list[dict[str, str]] = [
    *({"game": text, "blue": "you"} for text in SMALL.values()),
    {"game": f"{PUBLISHED} a2 b4", "blue": "you", "ply": "1", "flip": "1"},
    {"game": PUBLISHED, "blue": "you", "match": "9-4", "round": "3"},
    {"game": OVER["standard"], "blue": "you"},
    {"game": "nonsense", "blue": "you"},
    *({"view": "analyse", "game": text, "blue": "you"} for text in SMALL.values()),
    *(
        {"view": "analyse", "game": ENDGAMES[name], "blue": "you", "hints": "1"}
        for name in ("standard", "shift")
    ),
    {"view": "lessons"},
    {"view": "lessons", "lesson": "moving.1"},
    {"view": "puzzles", "puzzle": PUBLISHED},
    {"view": "puzzles", "puzzle": f"{PUBLISHED} d1"},
    {"view": "puzzles", "puzzle": PUBLISHED, "pass": "ask"},
    {"view": "puzzles", "puzzle": PUBLISHED, "pass": "pass"},
    {"view": "daily", "daily": "2026-10-02"},
    {"view": "edit", "game": PUBLISHED, "blue": "you", "draft": "A223/4A2J/3A23/J3A4 r"},
    *({"view": "share", "game": text, "blue": "you"} for text in SMALL.values()),
    *({"view": "solo", "solo": text} for text in (*SOLO, SOLO_OVER)),
    *({"view": "big", "big": DEALS[name], "seats": PEOPLE} for name in BIG),
    {"view": "big", "big": OVER["big3"], "seats": PEOPLE, "points": "start"},
    {"view": "rules", "game": PUBLISHED, "blue": "you"},
    {"view": "api", "game": PUBLISHED, "blue": "you"},
    {"view": "nonsense", "game": PUBLISHED, "blue": "you"},
    {"view": "census", "game": PUBLISHED, "blue": "you"},
]
"""The parameters of each link. The census comes last: to show it starts to take it."""

FACTS = """() => {
  const shown = (element) => element.checkVisibility();
  const text = (element) => element.innerText.trim().replace(/\\s+/g, " ");
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const texts = (selector) => all(selector).map(text).filter(Boolean);
  const steps = document.querySelector('[role=group][aria-label="Step through the game"]');
  return {
    title: [document.title],
    view: texts('nav [aria-current=page]'),
    heading: texts("h2, h3"),
    status: texts("[role=status]"),
    alert: texts("[role=alert]"),
    steps: shown(steps) ? [text(steps)] : [],
    enabled: all('[aria-label="Step through the game"] button:not([aria-disabled=true], :disabled)').map(
      (button) => button.getAttribute("aria-label") ?? text(button)),
    played: texts('[aria-label="Moves played"]'),
    card: all('[role=group][aria-label^="Board of"] [aria-label]').map(
      (card) => card.getAttribute("aria-label")),
    board: (document.querySelector('pre[aria-label="Board as text"]')?.textContent ?? "").split("\\n"),
  };
}"""
"""What the page shows, by roles and labels, which do not depend on how it is built."""


def address(state: dict[str, str]) -> str:
    """The query of a link, as the page writes it."""
    return "?" + "&".join(f"{name}={quote(text.replace(' ', '_'), safe='/')}" for name, text in state.items())


@contextmanager
def browser_and_server() -> Iterator[tuple[Browser, str]]:
    """A browser, and the address of a server of its own."""
    with (
        tempfile.TemporaryDirectory() as cache,
        running_server(Path(cache)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        yield browser, server.address
        browser.close()


def visits() -> str:
    """Every link with what the page shows there."""
    with browser_and_server() as (browser, start):
        return "\n".join(_visit(browser, start, state) for state in LINKS)


def _visit(browser: Browser, start: str, state: dict[str, str]) -> str:
    """Load a link in a browser context of its own, with nothing stored."""
    context = new_context(browser, viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{start}{address(state)}")
    page.wait_for_selector("nav [aria-current=page]")
    if state.get("view") == "census":  # what it shows depends on how far the census is
        views = page.locator("nav [aria-current=page]").all_inner_texts()
        lines = [address(state), *(f"  view: {view}" for view in views)]
    else:
        page.wait_for_load_state("networkidle")
        wait_until_quiet(page)  # on a busy machine the network is idle between two requests too
        facts: dict[str, list[Any]] = page.evaluate(FACTS)
        parts = urlsplit(page.url)
        lines = [address(state), f"  address: {unquote(f'{parts.path}?{parts.query}')}"]
        lines += [f"  {name}: {said}".rstrip() for name, found in facts.items() for said in found]
    context.close()
    return "\n".join(lines) + "\n"
