"""Takes the README's pictures of the page: `python -m tests.browser.screenshots`, or `make screenshots`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import FLAGS, ROOT
from tests.browser.table import Table
from tests.service import running_server

GAME = "A223/4A2Jr/3A23/Jb3A4 r a2 b4 b3 d1 b2 a1 b1"
PICTURES: dict[str, dict[str, object]] = {
    "playing.png": {"game": "A223/4A2Jr/3A23/Jb3A4 r a2 b4 d1 c2"},
    "analysing.png": {"game": GAME, "view": "analyse", "hints": 1, "ply": 4},
}


def main(folder: Path) -> None:
    """Take them."""
    path = chromium.find()
    if path is None:
        sys.exit(chromium.ADVICE)
    with (
        tempfile.TemporaryDirectory() as cache,
        running_server(Path(cache)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(
            viewport={"width": 1180, "height": 900}, reduced_motion="reduce", color_scheme="light"
        )
        for name, state in PICTURES.items():
            Table(page, server.address).open(**state)
            if "hints" in state:
                expect(page.locator("#verdicts .verdict")).to_have_count(7)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / name, full_page=True)
        browser.close()


if __name__ == "__main__":
    main(ROOT / "docs")
