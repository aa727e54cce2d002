"""The board in JupyterLab, in Chromium: moves by mouse, values, taking back, and what Python knows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import collapsi
from collapsi.ecosystem.notebook import BoardWidget
from tests.browser.contexts import new_context
from tests.service import HANG_SECONDS
from tests.test_cli import EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

CELLS = [
    f"import collapsi\nboard = collapsi.board({EXAMPLE!r})\nboard",
    f"shifting = collapsi.board({EXAMPLE + ' shift'!r})\nshifting",
    "print('played:', board.game.text)\nprint('shifted:', shifting.game.text)",
    "board.values = True\nboard.play('b4')",
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """JupyterLab with a notebook; its address."""
    folder = tmp_path_factory.mktemp("lab")
    cells: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "board.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    options = ["--no-browser", "--allow-root", "--port=0", "--IdentityProvider.token=secret"]
    command = [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={folder}"]
    log = folder / "log.txt"
    with log.open("w") as file, subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT) as server:
        try:
            yield _address(server, log)
        finally:
            server.terminate()
            server.wait(HANG_SECONDS)


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the server has printed its address."""
    while True:
        found = re.search(r"http://(?:127\.0\.0\.1|localhost):(\d+)/lab", log.read_text(encoding="utf-8"))
        if found:
            return f"http://127.0.0.1:{found[1]}"
        assert server.poll() is None, log.read_text(encoding="utf-8")
        try:
            server.wait(0.2)
        except subprocess.TimeoutExpired:
            continue


@pytest.fixture
def page(lab: str, browser: Browser) -> Iterator[Page]:
    context = new_context(browser, viewport={"width": 1300, "height": 2400}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{lab}/lab/tree/board.ipynb?token=secret&reset")
    yield page
    context.close()


def run(page: Page, number: int) -> Locator:
    """Run a cell and return it when it has finished."""
    cell: Any = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))
    return cell


RENDER = """async ([script, state]) => {
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    window.sent = [];
    window.model = {
        get: (name) => state[name],
        set: (name, value) => { state[name] = value; },
        save_changes: () => sent.push({ values: state.values }),
        send: (content) => sent.push(content),
        on: (name, act) => { model.changed = act; },
    };
    const el = document.body.appendChild(document.createElement("div"));
    widget.render({ model, el });
}"""
"""Show a board without Jupyter, and record what it sends."""


def test_a_board_sends_moves_to_python(browser: Browser) -> None:
    page = new_context(browser, reduced_motion="reduce").new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    board = collapsi.board(f"{EXAMPLE} a2", values=True)
    state = {name: getattr(board, name) for name in ("about", "style", "view", "values")}
    page.evaluate(RENDER, [BoardWidget._esm, state])
    expect(page.locator("#turn")).to_have_text("Blue to move.")
    expect(page.locator(".card.legal .value")).to_have_text(["−10", "−12", "−12", "−12"])
    for square in ("b1", "a3"):  # not legal, legal
        page.locator(f'.card[data-square="{square}"]').click()
    page.get_by_role("button", name="Values").click()
    page.get_by_role("button", name="Take back").click()
    assert page.evaluate("sent") == [{"move": "a3"}, {"values": False}, {"back": True}]
    ended = collapsi.board("..../.2r../.Ab../.2.. r b4")
    page.evaluate("(view) => { model.set('view', view); model.changed(); }", ended.view)
    expect(page.locator("#turn")).to_have_text("Red has won: blue cannot move.")
    expect(page.locator(".card.legal")).to_have_count(0)
    expect(page.locator("#way .dead")).not_to_have_count(0)
    assert complaints == []
    page.context.close()


@pytest.mark.slow
def test_a_board_in_jupyterlab(page: Page, screenshots: Path) -> None:
    board = run(page, 0)

    def card(square: str) -> Locator:
        return board.locator(f'.card[data-square="{square}"]')

    turn = board.locator("#turn")
    expect(turn).to_have_text("Red to move.")
    expect(board.locator(".card.legal")).to_have_count(4)
    expect(board.locator(".card .value")).to_have_count(0)

    board.get_by_role("button", name="Values").click()
    expect(card("a2").locator(".value.win.best")).to_have_text("+13")
    expect(board.locator(".card .value")).to_have_count(4)
    expect(board.locator("#legend")).to_contain_text("Red wins in 13 moves")

    card("a1").click()
    expect(board.locator("#message")).not_to_be_empty()
    expect(turn).to_have_text("Red to move.")

    card("a2").click()
    expect(turn).to_have_text("Blue to move.")
    expect(card("a2").locator(".pawn.red")).to_be_visible()
    expect(card("d2")).to_have_class(re.compile("collapsed"))
    expect(board.locator("#record")).to_have_text("a2")
    card("a3").click()
    expect(turn).to_have_text("Red to move.")
    expect(board.locator("#record")).to_have_text("a2 a3")
    board.get_by_role("button", name="Take back").click()
    expect(board.locator("#record")).to_have_text("a2")
    expect(turn).to_have_text("Blue to move.")
    page.screenshot(path=screenshots / "notebook.png")

    shifting = run(page, 1)
    shifting.locator(".card.legal").first.click()
    square = shifting.locator(".card.chosen").get_attribute("data-square")
    shifting.locator(".arrow").first.click()
    expect(shifting.locator("#record")).to_have_text(re.compile(rf"{square}[rldu]"))

    output = run(page, 2).locator(".jp-OutputArea-output")
    expect(output).to_contain_text(f"played: {EXAMPLE} a2\n")
    expect(output).to_contain_text(re.compile(rf"shifted: {re.escape(EXAMPLE)} shift {square}[rldu]"))

    run(page, 3)
    expect(board.locator("#record")).to_have_text("a2 b4")
    expect(turn).to_have_text("Red to move.")
