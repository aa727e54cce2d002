"""The shifting board on the page: moves in two halves by mouse, keys and touch; gaps, hints, editor."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import collapsi
from collapsi import analyse
from tests.browser.table import Table, with_arrows
from tests.rule_sets import FOR_TWO

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

DEAL = "A223/4A2Jr/3A23/Jb3A4 r shift"
BOX = "A223/4A2Jr/3A23/Jb3A4 r shift-box"
TURNING = "A223/4A2Jr/3A23/Jb3A4 r shift-rotate"
ENDGAME = "A2.3-/-.2rA./-3Ab3./-.2.. r shift"
"""With gaps, and few cards left: quickly solved in both forms."""


def arrows(table: Table) -> Locator:
    return table.page.locator("#board .arrow")


def arrow(table: Table, move: str) -> Locator:
    return table.page.locator(f'#board .arrow[data-move="{move}"]')


def board_of(game: Any) -> dict[str, str]:
    """Every square as the page must name it, without what else it says."""
    position = game.position
    names = {"A": "ace", "J": "jack", ".": "collapsed", "-": "gap"}
    found = {}
    for cell in range(position.board.size):
        text = position.cell_text(cell)
        pawn = {"r": ", red pawn", "b": ", blue pawn"}.get(text[1:], "")
        square = position.board.square(cell)
        found[square] = f"{square[0].upper()}{square[1:]}, {names.get(text[0], text[0])}{pawn}"
    return found


def assert_board(table: Table) -> None:
    """The page shows what the library plays, once all cards lie where they belong."""
    script = """wanted => {
        const cards = [...document.querySelectorAll(".card")];
        const shown = (card) => card.getAttribute("aria-label").split(", ")
            .filter((words, part) => part < 2 || words.endsWith(" pawn"));
        return cards.length === Object.keys(wanted).length
            && cards.every((card) => shown(card).join(", ") === wanted[card.dataset.square]);
    }"""
    table.page.wait_for_function(script, arg=board_of(table.game))


def play_to_the_end(table: Table, rng: random.Random, choose: Callable[[Table, str, str], None]) -> None:
    """Play red, both halves of each move by chance."""
    while True:
        table.wait_for_turn("red")
        assert_board(table)
        if table.is_over():
            break
        position = table.game.position
        assert table.legal() == sorted(position.board.square(end) for end in position.ends)
        move = position.move_text(rng.choice(position.moves))
        table.moving(lambda move=move: choose(table, move[:-1], move))  # type: ignore[misc]
    assert table.game.position.winner is not None


@pytest.mark.slow
def test_a_whole_game_by_mouse(open_table: Callable[..., Table]) -> None:
    table = open_table(game=DEAL, blue="random", motion=True)

    def choose(table: Table, square: str, move: str) -> None:
        table.card(square).click()
        expect(arrows(table)).to_have_count(4)
        expect(table.page.locator("#turn")).to_contain_text(f"shift row {square[1:]} or column {square[0]}")
        arrow(table, move).click()

    play_to_the_end(table, random.Random(3), choose)
    assert len(table.game.moves) > 2


@pytest.mark.parametrize("game", [BOX, TURNING])
def test_other_readings_by_typing(open_table: Callable[..., Table], game: str) -> None:
    table = open_table(game=game, blue="random")
    play_to_the_end(table, random.Random(4), lambda table, _, move: table.page.keyboard.type(move))


def test_a_whole_game_by_keyboard(open_table: Callable[..., Table]) -> None:
    """Tab to the board, arrows from card to card, Enter; then an arrow key for the shift, and Enter."""
    table = open_table(game=DEAL, blue="random")
    keyboard = table.page.keyboard
    for _ in range(20):
        keyboard.press("Tab")
        if table.page.evaluate("document.activeElement.matches('.card')"):
            break
    else:
        pytest.fail("the board cannot be reached with Tab")

    def choose(table: Table, square: str, move: str) -> None:
        for part, key in ((slice(0, 1), "ArrowRight"), (slice(1, None), "ArrowDown")):
            for _ in range(26):
                if table.page.evaluate("document.activeElement.dataset.square")[part] == square[part]:
                    break
                keyboard.press(key)
        keyboard.press("Enter")
        expect(arrows(table)).to_have_count(4)
        keyboard.press({"r": "ArrowRight", "l": "ArrowLeft", "d": "ArrowDown", "u": "ArrowUp"}[move[-1]])
        expect(arrow(table, move)).to_be_focused()
        keyboard.press("Enter")

    play_to_the_end(table, random.Random(5), choose)
    assert table.page.evaluate("document.activeElement.matches('.card')")


def test_a_whole_game_on_a_phone(open_table: Callable[..., Table]) -> None:
    table = open_table(game=DEAL, blue="random", width=320, height=640, touch=True)

    def choose(table: Table, square: str, move: str) -> None:
        table.card(square).tap()
        expect(arrows(table)).to_have_count(4)
        for found in (table.card(square), *arrows(table).all()):
            box = found.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 24
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 320
        arrow(table, move).tap()
        assert table.page.evaluate("document.documentElement.scrollWidth") <= 320

    play_to_the_end(table, random.Random(6), choose)


def test_half_a_move_is_taken_back(open_table: Callable[..., Table]) -> None:
    table = open_table(game=DEAL, blue="you")
    page = table.page
    before = table.board()
    ways: tuple[Callable[[], None], ...] = (
        lambda: page.keyboard.press("Escape"),
        lambda: page.get_by_role("button", name="Undo").click(),
        lambda: page.get_by_role("button", name="Take the card back").click(),
        lambda: table.card("d1").click(),
    )
    for take_back in ways:
        table.card("d1").click()
        expect(arrows(table)).to_have_count(4)
        assert table.board()["d1"] == "D1, 3, red pawn"
        assert table.board()["d2"] == "D2, collapsed"
        take_back()
        expect(arrows(table)).to_have_count(0)
        assert table.board() == before
        assert table.game.moves == ()
    table.card("d1").click()
    table.card("c2").click()  # another card instead
    expect(arrow(table, "c2r")).to_be_visible()
    table.card("a1").click()
    expect(page.locator("#message")).to_contain_text("a1 is 2 steps from d2")
    arrow(table, "c2u").click()
    table.wait_for_plies(1)
    page.go_back()
    table.wait_for_plies(0)
    expect(arrows(table)).to_have_count(0)
    assert table.board() == before


def test_a_link_to_half_a_move(open_table: Callable[..., Table]) -> None:
    table = open_table(game=DEAL, blue="you", half="d1")
    expect(arrow(table, "d1l")).to_be_visible()
    table.page.reload()
    arrow(table, "d1l").click()
    table.wait_for_plies(1)
    assert table.game.squares == ("d1l",)
    wrong = open_table(game=DEAL, blue="you", half="a1")
    expect(arrows(wrong)).to_have_count(0)
    assert wrong.legal() == ["a2", "c2", "d1", "d3"]


def test_the_board_turned_round(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{DEAL} d1l", blue="you", red="you", flip=1)
    position = table.game.position
    end = position.board.square(position.ends[0])
    table.card(end).click()
    card, right = table.card(end).bounding_box(), arrow(table, f"{end}r").bounding_box()
    assert card is not None
    assert right is not None
    assert right["x"] < card["x"]  # the right end of the row is seen on the left
    table.page.keyboard.press("ArrowLeft")
    expect(arrow(table, f"{end}r")).to_be_focused()


def test_cards_slide_and_pawns_ride(open_table: Callable[..., Table]) -> None:
    table = open_table(game=DEAL, blue="you", motion=True)
    table.page.evaluate(
        """() => { window.slid = 0; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...all) {
            if (this.matches(".card")) window.slid++; return animate.apply(this, all); }; }"""
    )
    table.card("d1").click()
    arrow(table, "d1l").click()
    table.wait_for_plies(1)
    table.page.wait_for_function("() => window.slid === 16")
    assert_board(table)
    assert table.board()["e1"] == "E1, gap"
    expect(table.page.locator("#turn")).to_contain_text(
        "Red went from d2 to d1 and shifted row 1 to the left."
    )
    still = open_table(game=DEAL, blue="you")
    still.card("d1").click()
    arrow(still, "d1l").click()
    still.wait_for_plies(1)
    assert_board(still)


def value_of(move: Any, best: tuple[str, ...]) -> str:
    return str(move.value).replace("-", "−") + "*" * (move.name in best)


def test_hints_on_cards_and_arrows(open_table: Callable[..., Table]) -> None:
    table = open_table(game=ENDGAME, view="analyse", hints=1, blue="you")
    analysis = analyse(ENDGAME)
    best: dict[str, str] = {}
    for move in analysis.moves:  # best first
        best.setdefault(move.to, value_of(move, analysis.best))
    expect(table.page.locator("#board .value")).to_have_count(len(best))
    assert table.values() == best
    names = "buttons => buttons.map((button) => button.dataset.move)"
    rows = table.page.locator("#moves .by-card > button")
    assert rows.evaluate_all(names) == list(best)
    chips = table.page.locator("#moves .chips button")
    assert sorted(chips.evaluate_all(names)) == sorted(move.name for move in analysis.moves)
    assert table.page.locator("#line button").all_text_contents() == list(map(with_arrows, analysis.line))
    chosen = analysis.moves[-1]
    rows.nth(list(best).index(chosen.to)).click()
    expect(arrows(table)).to_have_count(4)
    for move in analysis.moves:
        if move.to == chosen.to:
            said = arrow(table, move.name)
            expect(said).to_have_text(move.value.replace("-", "−"))
            filled = "best" in str(said.get_attribute("class"))
            assert filled == (move.name in analysis.best)
    table.page.keyboard.press("Escape")
    table.page.locator(f'#moves .chips [data-move="{chosen.name}"]').click()
    table.wait_for_plies(1)
    assert table.game.squares == (chosen.name,)
    expect(table.page.locator("#verdicts .verdict")).to_have_count(1)
    summary = collapsi.review(table.game).moves[0].summary
    expect(table.page.locator("#verdicts .verdict")).to_contain_text(with_arrows(summary))
    expect(table.page.locator("#record")).to_have_text(with_arrows(chosen.name))
    expect(table.page.locator("#tree button")).to_have_text(with_arrows(chosen.name))
    table.page.get_by_role("button", name="Play the next move").click()
    table.wait_for_plies(2)
    assert table.game.squares[-1] in analyse(table.game.positions[1]).best


def test_the_editor_lays_out_gaps(open_table: Callable[..., Table]) -> None:
    table = open_table(game=DEAL, view="edit")
    page = table.page
    text = page.locator("#edit-text")
    expect(text).to_have_text(DEAL)
    expect(page.locator(".card")).to_have_count(36)  # and those beside the board
    page.locator('#tools [data-tool="-"]').click()
    table.card("a1").click()
    expect(text).to_have_text("-223/4A2Jr/3A23/Jb3A4 r shift")
    expect(page.locator("#edit-verdict")).to_contain_text("16 cards")
    page.locator("#tools").get_by_role("button", name="Ace").click()
    table.card("e2").click()
    expect(text).to_have_text("-223-/4A2JrA/3A23-/Jb3A4- r shift")
    expect(page.locator(".card")).to_have_count(42)
    expect(page.locator("#edit-verdict")).to_contain_text("0 shifts cannot lay out 4 rows of 5 columns")
    page.locator("#edit-play").click()
    expect(page.locator("body[data-view=play]")).to_be_visible()
    assert table.board()["a1"] == "A1, gap"
    assert_board(table)
    classic = open_table(game="A223/4A2Jr/3A23/Jb3A4 r", view="edit")
    expect(classic.page.locator(".card")).to_have_count(16)
    expect(classic.page.locator('#tools [data-tool="-"]')).to_be_hidden()


def test_a_match_a_deal_and_the_link(open_table: Callable[..., Table]) -> None:
    table = open_table(game="A223/4A2Jr/3A23/Jb3A4 r", blue="random")
    page = table.page
    table.choose_game("shift-box")
    page.get_by_role("button", name="Start a match").click()
    expect(page.locator("#match-score")).to_contain_text("Round 1")
    position = table.game.position
    assert position.rules is FOR_TWO["shift-box"]
    assert position.dealt
    play_to_the_end(table, random.Random(7), lambda table, _, move: table.page.keyboard.type(move))
    expect(page.locator("#match-score")).to_contain_text(str(table.game.position.cards_left))
    table.turn_to("share")
    link = page.get_by_label("Link", exact=True).input_value()
    page.goto(link)
    expect(page.locator("#turn")).to_contain_text(" cannot move")
    assert_board(table)


def test_what_is_for_the_classic_game_says_so(open_table: Callable[..., Table]) -> None:
    table = open_table(game=DEAL, view="census")
    expect(table.page.locator("#census-rules")).to_contain_text("not supported for shift")
    expect(table.page.locator("#census-body")).to_be_hidden()
