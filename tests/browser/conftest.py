"""A browser, and a page that must not complain, for all tests of the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser import chromium
from tests.browser.contexts import new_context
from tests.browser.table import Table
from tests.service import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from tests.service import Server

ROOT = Path(__file__).parent.parent.parent
# Root cannot use the sandbox. Some flags switch off background requests; with the last two a page needs one
# process where it would need two, one for about:blank.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
]


expect.set_options(timeout=HANG_SECONDS * 1000)  # bounds a hang, on a busy machine too


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; without one these tests fail in CI and are left out elsewhere."""
    path = chromium.find()
    if path is None:
        (pytest.fail if chromium.required() else pytest.skip)(chromium.ADVICE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_table(server: Server, browser: Browser) -> Iterator[Callable[..., Table]]:
    """Open the page at a state, as often as a test likes; each is a browser of its own, with nothing kept."""
    tables: list[Table] = []

    def opened(
        *,
        width: int = 1200,
        height: int = 900,
        dark: bool = False,
        motion: bool = False,
        touch: bool = False,
        **state: object,
    ) -> Table:
        context = new_context(
            browser,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
            has_touch=touch,
            is_mobile=touch,
            accept_downloads=True,
        )
        tables.append(Table(context.new_page(), server.address))
        tables[-1].open(**state)
        return tables[-1]

    yield opened
    for table in tables:
        assert table.complaints == []
        assert {url.startswith(server.address) for url in table.asked} == {True}, "a request to another host"
        table.page.context.close()


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """The folder for pictures of the main views."""
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
