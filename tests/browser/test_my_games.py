"""My games, the end of a game, and what the page remembers between visits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from collapsi import parse_games

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.table import Table

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
NEARLY_OVER = "..../.2r../.Ab../.2.. r"


def play(table: Table, *squares: str) -> None:
    """Play moves one after another."""
    before = int(str(table.page.locator("#ply").text_content()).split(" / ")[1])
    for number, square in enumerate(squares, start=before + 1):
        table.card(square).click()
        table.wait_for_plies(number)


def test_a_game_is_kept_continued_starred_deleted_and_exported(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    page = table.page
    expect(page.locator("#games-none")).to_contain_text("kept in this browser")
    play(table, "a2", "a3")
    rows = page.locator("#games-list li")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("you against you, 2 moves, not over")
    page.locator("#undo").click()
    expect(page.locator("#ply")).to_have_text("1 / 2")
    table.card("b4").click()
    table.wait_for_plies(2)
    expect(rows).to_have_count(1)

    page.goto(table.address)  # another visit
    expect(page.locator("#ply")).to_have_text("0 / 0")
    page.locator("#games-continue").click()
    table.wait_for_plies(2)
    assert table.game.squares == ("a2", "b4")
    assert table.state["tree"] == f"{EXAMPLE} a2 b4 (a3)"
    expect(page.locator("#games-continue")).to_be_hidden()
    play(table, "d1")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("3 moves")

    page.locator("#games-list .small").first.click()
    expect(page.locator("#games-list .small").first).to_have_attribute("aria-pressed", "true")
    with page.expect_download() as downloading:
        page.locator("#games-export").click()
    text = Path(downloading.value.path()).read_text(encoding="utf-8")
    found = parse_games(text)
    assert not found.damage
    assert [record.game.text for record in found] == [f"{EXAMPLE} a2 b4 (a3) d1"]

    page.locator("#games-list .small").nth(1).click()
    expect(rows).to_have_count(0)
    page.locator("#games-said button").click()
    expect(rows).to_have_count(1)


def test_at_most_two_hundred_games_are_kept(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    page = table.page
    page.evaluate(
        """start => localStorage.setItem("collapsi: my games", JSON.stringify(
            Array.from({ length: 200 }, (_, number) => ({
                id: `old ${number}`, part: "game", start, game: `${start} a2`, line: `${start} a2`, moves: 1,
                result: "", red: "you", blue: "you", rules: `Old ${number}`, starred: number === 199,
                at: new Date(Date.UTC(2020, 0, 1) - number * 1000).toISOString(),
            }))))""",
        EXAMPLE,
    )
    page.reload()
    expect(page.locator("#games-list li")).to_have_count(20)
    play(table, "a2")
    expect(page.locator("#games-list li").first).to_contain_text("Standard")
    kept = page.evaluate("JSON.parse(localStorage.getItem('collapsi: my games')).map(({ id }) => id)")
    assert len(kept) == 200
    assert "old 199" in kept, "it has a star"
    assert "old 198" not in kept
    page.locator("#games-more").click()
    expect(page.locator("#games-list li")).to_have_count(200)


def test_damaged_games_are_left_out(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    fields = '"id": "<b>", "part": "__proto__", "start": "", "game": "", "at": "", "moves": 1'
    hostile = f'[1, null, {{"id": "x"}}, {{{fields}}}]'
    table.page.evaluate("text => localStorage.setItem('collapsi: my games', text)", hostile)
    table.page.reload()
    expect(table.page.locator("#turn")).to_contain_text("Red")
    expect(table.page.locator("#games-none")).to_contain_text("kept in this browser")
    assert table.page.locator("#games-list li").count() == 0


def test_level_and_rules_are_remembered(open_table: Callable[..., Table]) -> None:
    table = open_table()
    page = table.page
    page.locator('[data-player="blue"]').select_option("2")
    expect(page.locator('[data-player="blue"]')).to_have_value("2")
    table.choose_game("joker")
    expect(page.locator("#turn")).to_contain_text("Joker")
    page.goto(table.address)
    expect(page.locator("#turn")).to_contain_text("Joker")
    expect(page.locator('[data-player="blue"]')).to_have_value("2")


def test_players_and_deals_of_the_other_games_are_remembered(open_table: Callable[..., Table]) -> None:
    table = open_table(view="big")
    page = table.page
    page.locator("#chooser-button").click()
    page.locator('[data-choice="big3"]').click()
    expect(page.locator("#seats li")).to_have_count(3)
    page.locator('[data-player="3"]').select_option("you")
    page.wait_for_function("() => /seats=you/.test(location.search)")
    seats = table.state["seats"]
    table.open(view="solo")
    page.locator("#deal-exit").select_option("closed")
    page.locator("#deal-difficulty").select_option("easy")
    page.locator("#deal-seed").fill("7")
    page.locator("#deal").click()
    page.wait_for_function("() => /closed/.test(location.search)")

    table.open(view="big")  # another visit
    expect(page.locator("#seats li")).to_have_count(3)
    expect(page.locator('[data-player="3"]')).to_have_value("you")
    assert table.state["seats"] == seats
    table.open(view="big", big="43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big")
    expect(page.locator('[data-player="2"]')).to_have_value("1")  # a link has its own players
    table.open(view="solo")
    expect(page.locator("#deal-exit")).to_have_value("closed")
    expect(page.locator("#deal-difficulty")).to_have_value("easy")
    expect(page.locator("#deal-seed")).to_have_value("")  # another board
    page.evaluate(
        """localStorage.setItem("collapsi: deals chosen", '{"solo": {"exit": "none"}, "big": 7}')"""
    )
    for view in ("solo", "big"):
        table.open(view=view)  # what cannot be dealt any more does no harm
        expect(page.locator(".card .pawn").first).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), pytest.param(1280, 800, marks=pytest.mark.slow)])
def test_a_game_of_any_kind_is_continued_from_under_the_board(
    open_table: Callable[..., Table], width: int, height: int
) -> None:
    table = open_table(view="big", seats="you.you", width=width, height=height)
    page = table.page
    page.locator(".card.legal").first.click()
    table.wait_for_plies(1)
    game = table.state["big"]
    page.goto(table.address)
    button = page.get_by_role("button", name="Continue your game")
    expect(button).to_be_in_viewport(ratio=1)
    expect(button).to_have_attribute("title", re.compile("Big board, two players, 1 move, not over"))
    before = page.locator("#frame").bounding_box()
    button.focus()
    page.keyboard.press("Enter")
    table.wait_for_plies(1)
    assert (table.state["view"], table.state["big"]) == ("big", game)
    expect(button).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('.card')")
    page.go_back()
    expect(button).to_be_visible()
    page.locator(".card.legal").first.click()  # another game instead: the button goes, and nothing moves
    expect(button).to_be_hidden()
    after = page.locator("#frame").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 1


@pytest.mark.parametrize(("width", "height"), [(390, 844), pytest.param(1280, 800, marks=pytest.mark.slow)])
def test_the_end_of_a_solo_game(open_table: Callable[..., Table], width: int, height: int) -> None:
    table = open_table(view="solo", solo="A2X/3Jr2/A2A b1 c2", width=width, height=height)
    page = table.page
    expect(page.locator("#turn")).to_contain_text("steps from c2")
    expect(page.locator("#end")).to_be_hidden()
    table.open(view="solo", solo="..X/2r../A.. closed")
    expect(page.locator("#turn")).to_contain_text("Stuck with 2 cards")
    expect(page.locator("#result")).to_contain_text("Stuck with 2 cards")
    for name in ("#end-again", "#end-look"):
        expect(page.locator(name)).to_be_in_viewport(ratio=1)
    page.locator("#end-look").click()
    expect(page.locator("#solo-said")).to_contain_text("cannot be solved, from its first move on")
    page.locator("#end-again").click()
    expect(page.locator("#turn")).to_contain_text("1 step from")
    table.open(view="solo", solo="..X/..Ar/... c1")
    expect(page.locator("#turn")).to_contain_text("Solved in 1 move.")
    expect(page.locator("#end-again")).to_be_in_viewport(ratio=1)
    expect(page.locator("#end-look")).to_be_hidden()


@pytest.mark.parametrize(
    ("width", "height", "dark"),
    [
        (390, 844, False),
        (1280, 800, True),
        pytest.param(390, 844, True, marks=pytest.mark.slow),
        pytest.param(768, 1024, False, marks=pytest.mark.slow),
    ],
)
def test_the_end_is_seen_on_every_screen_and_moves_nothing(
    open_table: Callable[..., Table], width: int, height: int, *, dark: bool
) -> None:
    table = open_table(game=NEARLY_OVER, blue="you", width=width, height=height, dark=dark)
    page = table.page
    page.evaluate("localStorage.setItem('collapsi: has moved', '1')")  # the greeting goes with the first move
    page.reload()
    steps = page.locator("#steps")
    expect(table.card("b4")).to_be_visible()
    expect(page.locator("#turn")).to_contain_text("to move")
    expect(page.locator("#hello")).to_be_hidden()
    before = steps.bounding_box()
    table.card("b4").click()
    expect(page.locator("#end-look")).to_be_visible()
    expect(page.locator("#turn")).to_contain_text("Red wins with 2 points: blue cannot move")
    expect(page.locator("#turn")).to_contain_text("Blue needs 1 step: the only way ends at a ✕.")
    expect(page.locator("#way .dead")).to_have_count(1)
    expect(page.locator("#end-look")).to_be_in_viewport()
    expect(page.locator("#end-again")).to_be_in_viewport()
    after = steps.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 1
    assert after["y"] + after["height"] <= height, "the controls are in sight"
    page.locator("#end-look").click()
    expect(page.locator("#verdicts .verdict")).to_have_count(1)
    expect(page.locator("#end")).to_be_hidden()


@pytest.mark.parametrize(
    ("state", "text", "ends"),
    [
        ({"game": "..../.2r../A2b2./.2.. r b4"}, "Blue needs 2 steps", {"a3": 1, "c3": 1, "b4": 1}),
        ({"game": "..../.3r../..../..AAb b c4"}, "No card next to red can be entered", {"b2": 0}),
        (
            {"game": "A-3.-/3.2.-/-..../--44b2/-.-2r- r shift c4r"},
            "Blue needs 4 steps: every way ends at a ✕",
            {"d4": 2, "f4": 2},
        ),
        ({"view": "solo", "solo": "..X/2r../A.. closed"}, "The pawn needs 2 steps", {"a3": 1}),
        (
            {
                "view": "big",
                "big": "..A.../..3.../..A.../.2rA.../..2b.../...... r big c3",
                "seats": "you.you",
            },
            "Blue needs 2 steps: the only way ends at a ✕",
            {"c3": 2},
        ),
    ],
    ids=["classic", "no first step", "shifting", "solo", "big"],
)
def test_dead_ends_are_marked_in_every_game(
    open_table: Callable[..., Table], state: dict[str, object], text: str, ends: dict[str, int]
) -> None:
    table = open_table(**{"blue": "you", **state})
    expect(table.page.locator("#turn")).to_contain_text(text)
    expect(table.page.locator("#way .dead")).to_have_count(len(ends))
    labels = table.board()
    for square, steps in ends.items():
        found = labels[square].split(", ")[-1]
        assert re.search(f"ends here after {steps} of|may not end here" if steps else "no first step", found)
    marked = {square for square, label in labels.items() if re.search(r"end(s)? here|first step", label)}
    assert marked == set(ends)
    if "solo" not in state:
        table.page.locator("#back").click()  # they belong to the end
        expect(table.page.locator("#way .dead")).to_have_count(0)


FORBIDDEN = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("no", "SecurityError"); },
});"""
FULL = """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };"""


@pytest.mark.parametrize("script", [FORBIDDEN, FULL], ids=["forbidden", "full"])
def test_nothing_is_lost_while_the_page_is_open_if_nothing_can_be_stored(
    open_table: Callable[..., Table], script: str
) -> None:
    table = open_table(game=EXAMPLE, blue="you", width=390, height=844)
    page = table.page
    play(table, "a2")  # stored
    expect(page.locator("[data-panel=games] .unstored")).to_be_empty()
    page.context.add_init_script(script)
    table.open(game=EXAMPLE, blue="you")
    before = 0 if script is FORBIDDEN else 1
    rows = page.locator("#games-list li")
    expect(rows).to_have_count(before)
    play(table, "a2", "b4", "d1")
    expect(rows).to_have_count(before + 1)
    expect(rows.first).to_contain_text("3 moves")  # what is new, not what was stored before
    expect(page.locator("[data-panel=games] .unstored")).to_contain_text("until you close the page")
    page.locator("#games-list .small").first.click()
    expect(page.locator("#games-list .small").first).to_have_attribute("aria-pressed", "true")
    with page.expect_download() as downloading:
        page.locator("#games-export").click()
    text = Path(downloading.value.path()).read_text(encoding="utf-8")
    assert f"{EXAMPLE} a2 b4 d1" in [record.game.text for record in parse_games(text)]

    page.locator('#views [data-view="puzzles"]').click()
    page.locator("#puzzle-answer").click()
    expect(page.locator("#puzzle-count")).to_contain_text("0 of 1 (easy)")
    page.locator("#puzzle-next").click()
    expect(page.locator("#ply")).to_have_text("0 / 0")
    page.locator("#puzzle-answer").click()
    expect(page.locator("#puzzle-count")).to_contain_text("0 of 2 (easy)")
    expect(page.locator("[data-panel=puzzles] .unstored")).to_contain_text("until you close the page")
    page.locator('#views [data-view="daily"]').click()
    expect(page.locator("#turn")).to_contain_text("Red (you) to move")
    page.locator(".card.legal").first.click()
    table.wait_for_plies(2)
    page.locator('#views [data-view="play"]').click()
    table.wait_for_plies(3)
    expect(rows.first).to_contain_text("3 moves")


def test_a_game_file_is_opened(open_table: Callable[..., Table], tmp_path: Path) -> None:
    table = open_table(game=EXAMPLE, view="share", blue="you")
    page = table.page
    path = tmp_path / "games.txt"
    text = f'[Red "<b>Anna"]\n[Blue "Bob"]\n[Rules "joker"]\n\n{EXAMPLE} c4 (d1 {{x}}) a1\n\n{EXAMPLE} zz\n'
    path.write_text(text)
    page.locator("#open-file").set_input_files(path)
    rows = page.locator("#open-games button")
    expect(rows).to_have_text(["Line 1, <b>Anna – Bob", "Line 7"])
    rows.nth(1).click()
    expect(page.locator("#open-error")).to_contain_text("Line 7: 'zz' is neither rules")
    rows.nth(0).click()
    table.wait_for_plies(2)
    assert table.game.text == f"{EXAMPLE} joker c4 a1"
    page.wait_for_function("location.search.includes('tree=')")
    assert table.state["tree"] == f"{EXAMPLE} joker c4 (d1 {{x}}) a1"
    path.write_text("{" * 4_000_001)
    table.turn_to("share")
    page.locator("#open-file").set_input_files(path)
    expect(page.locator("#open-error")).to_contain_text("The file is too large")
    path.write_text("((((\n" * 100_000)
    page.locator("#open-file").set_input_files(path)
    expect(page.locator("#open-error")).to_contain_text("this game is too long")
