"""The manual as it is built: read from the file system, with a search that needs no server."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT
from tests.browser.contexts import new_context
from tests.service import HANG_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def manual() -> Path:
    """The manual, built as `make docs` does; what has not changed since is not built again."""
    folder = ROOT / "build" / "manual"
    command = ["--quiet", "--fail-on-warning", "--keep-going", str(ROOT / "docs"), str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_reading_and_searching(manual: Path, browser: Browser, screenshots: Path) -> None:
    page = new_context(browser, viewport={"width": 1200, "height": 900}).new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((manual / "index.html").as_uri())
    page.screenshot(path=screenshots / "manual.png")
    page.get_by_role("link", name="For players").first.click()
    expect(page.get_by_role("heading", name="For players")).to_be_visible()
    page.screenshot(path=screenshots / "manual-players.png")
    for words, found in {
        "truly different": "Glossary",
        "ply": "Glossary",
        "analyse_many": "analyse_many",
        "winner-only": "Commands",
    }.items():
        box = page.locator("input[name=q]").first
        box.fill(words)
        box.press("Enter")
        page.wait_for_url(f"**q={quote_plus(words)}&**")  # what is found before is of another search
        expect(page.locator("#search-results ul.search a", has_text=found).first).to_be_visible()
    page.screenshot(path=screenshots / "manual-search.png")
    page.context.close()
    assert complaints == []
    assert {url.partition(":")[0] for url in asked} <= {"file", "data"}, "a request to another host"
