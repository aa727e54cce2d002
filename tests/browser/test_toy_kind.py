"""A kind of game from one file outside the package, in the service and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.contexts import new_context
from tests.browser.table import Table
from tests.service import running_server
from tests.test_toy_kind import DEAL, LINE, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.service import Server

API = "/api/v1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the toy kind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLLAPSI_KINDS", "tests.toy_kind")
        patch.setenv("PYTHONPATH", str(ROOT))
        with running_server(tmp_path_factory.mktemp("cache")) as found:
            yield found


def test_service(server: Server) -> None:
    about = server.get_json(f"{API}/about")
    assert about["rules"][-1]["name"] == "straight"
    offered = about["games"][-1]
    assert (offered["title"], offered["path"]) == ("Straight on", "")
    assert [choice["deal"] for choice in offered["choices"]] == [{"rules": "straight"}]
    assert server.get_json(f"{API}/analysis", position=DEAL)["line"] == LINE.split()
    assert server.get_json(f"{API}/deal", rules="straight", seed=1)["position"] == DEAL
    shown = server.get_json(f"{API}/game", game=f"{DEAL} d1")
    assert (shown["task"], len(shown["squares"])) == ("move: 1 step from b3", 12)
    assert server.get_json(f"{API}/review", game=f"{DEAL} c2")["turning_points"] == [1]
    move = server.get_json(f"{API}/computer-move", position=DEAL, level="perfect")["move"]
    assert move == "d1"


def test_the_page_plays_and_analyses_it(browser: Browser, server: Server) -> None:
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
