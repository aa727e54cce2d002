"""Large and hostile games on the page: in a link, pasted and in a file. Steps in a large tree stay cheap."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from collapsi import parse_game
from tests.wide_tree import EXAMPLE, wide_tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import CDPSession, Dialog

    from tests.browser.table import Table

SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"
REFUSED = {
    "ten megabytes": "(" * 10_000_000,
    "ten megabytes of comment": f"{EXAMPLE} a2 {{{'x' * 10_000_000}}}",
    "deep nesting": f"{EXAMPLE} a2 {'(d1 ' * 900}{')' * 900}",
    "not closed": f"{EXAMPLE} a2 (d1",
    "too many moves for the service": wide_tree(4900),
    "script": f"{SCRIPT} {SCRIPT}",
    "script for moves": f"{EXAMPLE} {SCRIPT}",
}
MOST_GROWTH = 20
"""How many times the CPU time of a step may grow from 50 to 500 moves: linear is ten, quadratic a hundred."""


def paste(table: Table, text: str) -> None:
    """Open a text; it is set at once, as pasting does. The browser repeats a long run by itself."""
    script = "(field, [before, one, count, after]) => { field.value = before + one.repeat(count) + after; }"
    run = re.search(r"(.)\1{999}\1*", text)
    start, end = run.span() if run else (0, 0)
    parts = [text[:start], text[start : start + 1], end - start, text[end:]]
    table.page.locator("#open-text").evaluate(script, parts)
    table.page.get_by_role("button", name="Open it").click()


def note_dialogs(table: Table) -> None:
    """A dialog is a complaint: a script of the text was executed."""

    def note(dialog: Dialog) -> None:
        table.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    table.page.on("dialog", note)


def cpu_seconds(session: CDPSession) -> float:
    """The CPU time of all tasks of the page so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def cpu_of_steps(open_table: Callable[..., Table], moves: int) -> list[float]:
    """The CPU time of each of several steps in a tree with this number of moves."""
    table = open_table(game=EXAMPLE, view="share")
    page = table.page
    paste(table, wide_tree(moves))
    expect(page.locator("#ply")).not_to_have_text("0 / 0")
    table.turn_to("analyse")
    entries = page.locator("#tree button")
    expect(entries).to_have_count(moves)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    found = []
    keys = ("Home", "ArrowRight", "ArrowDown")
    acts: list[Callable[[], object]] = [
        *(entries.nth(index).click for index in (0, moves // 2, moves // 3, moves - 1, 1)),
        *(partial(page.keyboard.press, key) for key in keys),
        partial(page.locator("#tree-glyph").select_option, "!?"),
        page.locator("#tree-promote").click,
    ]
    for act in acts:
        table.wait_until_quiet()
        before = cpu_seconds(session)
        act()
        table.wait_until_quiet()
        found.append(cpu_seconds(session) - before)
    expect(entries).to_have_count(moves)
    return found


def test_steps_in_a_tree_of_500_moves_stay_cheap(open_table: Callable[..., Table]) -> None:
    small, large = (cpu_of_steps(open_table, moves) for moves in (50, 500))
    for moves, steps in ((50, small), (500, large)):
        print(f"{moves} moves: {max(steps) * 1000:.0f} ms of CPU for the slowest step")
    assert sum(large) < MOST_GROWTH * sum(small)


@pytest.mark.parametrize(
    "name",  # typing ten megabytes takes seconds: once is enough in the ordinary run
    [pytest.param(name, marks=[pytest.mark.slow] * (name == "ten megabytes")) for name in REFUSED],
)
def test_what_is_pasted_is_refused_as_text(open_table: Callable[..., Table], name: str) -> None:
    table = open_table(game=EXAMPLE, view="share")
    note_dialogs(table)
    paste(table, REFUSED[name])
    expect(table.page.locator("#open-error")).not_to_be_empty()
    assert len(str(table.page.locator("#open-error").text_content())) < 400
    assert table.page.locator("#view :is(img, script)").count() == 0
    expect(table.page.locator("#ply")).to_have_text("0 / 0")
    table.turn_to("analyse")
    table.card("a2").click()  # the page is alive
    table.wait_for_plies(1)


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_file_holds_is_refused_as_text(
    open_table: Callable[..., Table], tmp_path: Path, name: str
) -> None:
    table = open_table(game=EXAMPLE, view="share")
    note_dialogs(table)
    path = tmp_path / "games.txt"
    path.write_text(REFUSED[name])
    table.page.locator("#open-file").set_input_files(path)
    expect(table.page.locator("#open-error")).not_to_be_empty()
    assert len(str(table.page.locator("#open-error").text_content())) < 400
    assert table.page.locator("#view :is(img, script)").count() == 0
    expect(table.page.locator("#ply")).to_have_text("0 / 0")


def test_foreign_tags_are_text(open_table: Callable[..., Table], tmp_path: Path) -> None:
    """Any number of them, whatever their names and values."""
    table = open_table(game=EXAMPLE, view="share")
    path = tmp_path / "games.txt"
    many = "\n".join(f'[T{number} "{number}"]' for number in range(200_000))
    strange = f'[__proto__ "x"]\n[constructor "x"]\n[Event "{SCRIPT}"]\n[Red "{"x" * 5000}"]'
    path.write_text(f"{strange}\n{many}\n\n{EXAMPLE} a2\n\n{EXAMPLE} d1\n")
    table.page.locator("#open-file").set_input_files(path)
    rows = table.page.locator("#open-games button")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(f"Line 1, {SCRIPT}, xxx")
    assert len(str(rows.first.text_content())) < 400
    assert table.page.locator("#open-games :is(img, script)").count() == 0
    rows.first.click()
    table.wait_for_plies(1)
    assert table.game.squares == ("a2",)


@pytest.mark.parametrize("part", ["game", "tree"])
@pytest.mark.parametrize(
    "text",
    [f"{EXAMPLE} a2 {'(d1 ' * 900}{')' * 900}", f"{EXAMPLE} {{{'x' * 1_000_000}}}", f"{EXAMPLE} {SCRIPT}"],
    ids=["deep nesting", "a megabyte", "script"],
)
def test_a_hostile_link_is_refused(open_table: Callable[..., Table], part: str, text: str) -> None:
    """After # a link can be as long as the browser allows: the service does not see it."""
    table = open_table()
    note_dialogs(table)
    state = {"game": EXAMPLE, "view": "analyse", part: text}
    table.page.goto("about:blank")
    table.page.goto(f"{table.address}#{'&'.join(f'{name}={quote(value)}' for name, value in state.items())}")
    expect(table.page.locator("#message")).not_to_be_empty()
    assert len(str(table.page.locator("#message").text_content())) < 400
    assert table.page.locator("main :is(img, script)").count() == 0
    if part == "game":
        table.page.get_by_role("button", name="Deal a new one").click()
    expect(table.page.locator("#turn")).to_contain_text("to move: 1 step")


@pytest.mark.parametrize(
    "text",
    [
        "1223/4121r/3123/1b314/0",
        "1223r/4120/3b123/0314/2",
        "52a1,0446,2908,8010,0008,1000,0080,1",
    ],
    ids=["the paper's", "the paper's, later", "huynd2210's"],
)
def test_the_notation_of_other_solvers_is_analysed_after_pasting(
    open_table: Callable[..., Table], text: str
) -> None:
    table = open_table(game=EXAMPLE, view="share", hints=1)
    paste(table, text)
    expect(table.page.locator("body[data-view=analyse]")).to_be_visible()
    expect(table.page.locator("#outcome")).to_contain_text("wins in")
    assert table.game.position == parse_game(text).position
