"""A kind of game from one file outside the package, played and analysed on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.contexts import new_context
from tests.browser.table import Table
from tests.service import running_server
from tests.test_toy_kind import DEAL, LINE, ROOT

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from playwright.sync_api import Browser


def test_the_page_plays_and_analyses_it(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLLAPSI_KINDS", "tests.toy_kind")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with running_server(tmp_path) as server:
        page = new_context(browser).new_page()
        table = Table(page, server.address)
        table.open(game=DEAL, red="you", blue="perfect")
        assert table.legal() == ["b1", "c2", "c3", "d1"]
        table.card("d1").click()
        table.wait_for_plies(2)
        table.choose_game("straight")  # the service offers it in the chooser
        expect(page.locator("#game-name")).to_have_text("Straight on")
        expect(page.locator(".card")).to_have_count(12)
        assert table.state["game"].endswith("straight")
        table.open(game=f"{DEAL} {LINE}", view="analyse", hints="1")
        expect(page.locator("#turn")).to_contain_text("Red wins")
        table.open(game=DEAL, view="analyse", hints="1")
        expect(page.locator(".card .value")).to_have_count(4)
        assert table.values() == {"d1": "+7*", "c2": "−6", "b1": "−2", "c3": "−2"}
        assert table.complaints == []
        page.context.close()
