"""Playing on the page: whole games by mouse, touch and keyboard, new games, undo, refusals, a match."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

import collapsi
from collapsi import Player, analyse, format_position, parse_game, parse_position
from tests.browser.contexts import new_context
from tests.browser.table import Gate, Table, sentence, wait_until
from tests.service import running_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Route

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
BLUE_WINS = "A3Jr4/2AA2/234Jb/332A r"  # red to move, and blue wins


def play_to_the_end(table: Table, colour: str, rng: random.Random) -> None:
    """Click legal squares at random until the game is over."""
    while True:
        table.wait_for_turn(colour)
        if table.is_over():
            return
        position = table.game.position
        legal = table.legal()
        assert legal == sorted(position.board.square(cell) for cell in position.moves)
        table.moving(table.card(rng.choice(legal)).click)


SLOW_LEVELS = [pytest.param(level, marks=pytest.mark.slow) for level in ("1", "2", "4")]


@pytest.mark.parametrize("level", ["random", *SLOW_LEVELS, "perfect"])
def test_a_whole_game_against_each_level(open_table: Callable[..., Table], level: str) -> None:
    table = open_table(game=EXAMPLE, blue=level)
    play_to_the_end(table, "red", random.Random(level))
    game = table.game
    assert game.position.winner is not None
    assert str(game.position.winner) in str(table.page.locator("#turn").text_content()).lower()
    expect(table.page.locator("#result")).to_contain_text("won with")
    expect(table.page.locator("#result")).to_contain_text(f"{game.position.cards_left} point")
    if level == "perfect":
        blue = [before for before in collapsi.review(game).moves if before.player is Player.BLUE]
        assert all(move.outcome == move.before.outcome for move in blue)


def test_as_blue_against_perfect(open_table: Callable[..., Table]) -> None:
    table = open_table(game=BLUE_WINS, red="perfect", blue="you")
    table.let_move()
    play_to_the_end(table, "blue", random.Random(1))
    assert table.game.position.winner is not None


def test_computer_against_computer(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, red="perfect", blue="perfect")
    assert table.legal() == []
    table.page.get_by_role("button", name="Start", exact=True).click()
    table.wait_for_plies(analyse(EXAMPLE).plies)
    assert table.game.position.winner is Player.RED
    assert [move.outcome for move in collapsi.review(table.game).moves] == [
        move.before.outcome for move in collapsi.review(table.game).moves
    ]


def test_computer_against_computer_can_be_paused(open_table: Callable[..., Table]) -> None:
    """A move that the computer is thinking about is not made after a pause."""
    table = open_table(game=EXAMPLE, red="2", blue="2", motion=True)
    page = table.page
    held: list[Route] = []

    def hold_the_second(question: Route) -> None:
        held.append(question)
        if len(held) != 2:
            question.continue_()

    page.route("**/computer-move?*", hold_the_second)
    page.get_by_role("button", name="Start", exact=True).click()
    table.wait_for_plies(1)
    wait_until(page, lambda: len(held) == 2)
    page.get_by_role("button", name="Pause").click()
    with page.expect_response("**/computer-move?*"):
        held[1].continue_()
    table.wait_until_quiet()
    expect(page.locator("#run")).to_have_text("Go on")
    table.wait_for_plies(1)
    assert len(table.game.moves) == 1
    assert len(held) == 2
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#run")).to_have_text("Pause")
    table.wait_for_plies(2)


def test_two_people_undo_and_redo(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    for number, square in enumerate(["a2", "b4", "d1"], start=1):
        table.card(square).click()
        table.wait_for_plies(number)
    table.page.get_by_role("button", name="Undo").click()
    expect(table.page.locator("#ply")).to_have_text("2 / 3")
    table.page.get_by_role("button", name="Redo").click()
    expect(table.page.locator("#ply")).to_have_text("3 / 3")
    table.page.get_by_role("button", name="Undo").click()
    table.page.get_by_role("button", name="Undo").click()
    expect(table.page.locator("#ply")).to_have_text("1 / 3")
    table.card("a1").click()  # another way from there: what came after is forgotten
    table.wait_for_plies(2)
    assert table.game.squares == ("a2", "a1")


def test_undo_against_the_computer_takes_both_moves_back(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE)
    table.card("a2").click()
    table.wait_for_plies(2)
    table.page.get_by_role("button", name="Undo").click()
    expect(table.page.locator("#ply")).to_have_text("0 / 2")
    assert table.legal() == ["a2", "c2", "d1", "d3"]
    table.page.get_by_role("button", name="Redo").click()
    expect(table.page.locator("#ply")).to_have_text("2 / 2")


def test_restart_and_swap_sides(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4", blue="2")
    table.page.get_by_role("button", name="This deal again").click()
    expect(table.page.locator("#ply")).to_have_text("0 / 0")
    assert format_position(table.game.positions[0]) == EXAMPLE
    table.page.get_by_role("button", name="This deal, sides swapped").click()
    table.wait_for_plies(1)  # the computer is red now and moves
    assert (table.state["red"], table.state["blue"]) == ("2", "you")
    assert format_position(table.game.positions[0]) == EXAMPLE


@pytest.mark.parametrize(
    ("colour", "rules"),
    [("red", "standard"), pytest.param("blue", "standard", marks=pytest.mark.slow), ("blue", "joker")],
)
def test_a_deal_i_can_win(open_table: Callable[..., Table], colour: str, rules: str) -> None:
    other = {"red": "blue", "blue": "red"}[colour]
    table = open_table(game=EXAMPLE, **{colour: "you", other: "perfect"})
    table.choose_game(rules)
    dealt = table.state["game"]
    table.page.get_by_role("button", name="A deal I can win").click()
    table.page.wait_for_function("dealt => !location.search.includes(dealt)", arg=dealt.split("_")[0])
    deal = table.game.positions[0]
    assert deal.rules.name == rules
    assert str(analyse(deal).winner) == colour


def test_a_random_deal_and_a_typed_one(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    table.choose_game("joker")
    dealt = table.state["game"]
    table.page.get_by_role("button", name="Random deal").click()
    table.page.wait_for_function("dealt => !location.search.includes(dealt)", arg=dealt.split("/")[0])
    expect(table.page.locator("#turn")).to_contain_text("1, 2, 3 or 4 steps")
    assert collapsi.status(table.game.position) == ()
    field = table.page.get_by_label("A deal, position or game")
    field.fill("A223/4A2Jr/3A2/Jb3A4 r")
    table.page.get_by_role("button", name="Open it").first.click()
    expect(table.page.locator("#open-error")).to_have_text("Row 3 has 3 cards instead of 4: '3A2'.")
    field.fill("1223/4121r/3123/1b314/0")
    table.page.get_by_role("button", name="Open it").first.click()
    table.page.wait_for_function("() => location.search.includes('A223/4A2Jr')")
    assert format_position(table.game.position) == f"{EXAMPLE} joker"  # the rules chosen above it


@pytest.mark.parametrize(
    ("game", "square"),
    [
        (EXAMPLE, "a1"),  # too far
        (f"{EXAMPLE} a2 b4", "d2"),  # collapsed
        (f"{EXAMPLE} a2 b4", "b4"),  # occupied
        (f"{EXAMPLE} a2 b4", "a2"),  # the card one stands on
        ("A2.3/.2r.A/3.23/.3bA. r", "c3"),  # blocked
        ("4r2.3/...A/3.23/.3bA. r", "b1"),  # only by crossing a card twice
        (f"{EXAMPLE} a2 b4", "d4"),  # wrong count
    ],
)
def test_a_refused_move_says_why(open_table: Callable[..., Table], game: str, square: str) -> None:
    table = open_table(game=game, blue="you")
    refusal = table.game.position.refusal(square)
    assert refusal is not None
    table.card(square).click()
    expect(table.page.locator("#message")).to_have_text(sentence(refusal[1]))
    assert table.game == parse_game(game)


def test_it_is_not_your_turn(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, red="perfect", blue="1")
    table.card("a2").click()
    expect(table.page.locator("#message")).to_contain_text("played by the computer")
    over = open_table(game="..../.2r../..../.3b.. r", blue="you")
    expect(over.page.locator("#turn")).to_contain_text("Blue wins with 2 points: red cannot move")
    over.card("b4").click()
    expect(over.page.locator("#message")).to_contain_text("The game is over: blue has won.")


def test_a_match_to_sixteen_points(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, red="perfect", blue="random")
    table.page.get_by_role("button", name="Start a match").click()
    expect(table.page.locator("#match-score")).to_contain_text("Round 1")
    points = {"perfect": 0, "random": 0}
    for round_number in range(1, 20):
        table.page.get_by_role("button", name="Start", exact=True).click() if table.page.locator(
            "#run"
        ).text_content() == "Start" else None
        table.page.wait_for_function(
            "() => document.querySelector('#turn').textContent.includes('cannot move')"
        )
        winner = str(table.game.position.winner)
        players = {"red": table.state.get("red", "you"), "blue": table.state.get("blue", "perfect")}
        points[players[winner]] += table.game.position.cards_left
        score = str(table.page.locator("#match-score").text_content())
        for colour, player in players.items():
            assert f"({colour}) {points[player]}" in score
        if max(points.values()) >= 16:
            assert "won the match" in score
            expect(table.page.locator("#match-next")).to_be_hidden()
            return
        table.page.locator("#match-next").click()
        expect(table.page.locator("#match-score")).to_contain_text(f"Round {round_number + 1}")
        assert table.state.get("red", "you") == players["blue"]  # colours change
    pytest.fail("the match has no winner")


def test_the_way_of_a_move_is_walked_step_by_step(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4", blue="you", motion=True)
    path = [table.game.position.board.square(cell) for cell in table.game.position.path("d1")]
    table.page.evaluate(
        """() => {
            const board = document.querySelector("#board");
            const near = (percent, part, whole) => Math.abs(parseFloat(percent) - (100 * part) / whole) < 1;
            const at = (frame) => [...board.querySelectorAll(".card")].find((card) =>
                near(frame.left, card.offsetLeft, board.clientWidth)
                && near(frame.top, card.offsetTop, board.clientHeight));
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...all) {
                const animation = animate.apply(this, all);
                const frames = this.matches("#board .ghost") ? animation.effect.getKeyframes() : [];
                window.walked = frames.map((frame) => at(frame)?.dataset.square).filter(Boolean);
                return animation;
            };
        }"""
    )
    table.card("d1").click()
    assert table.page.wait_for_function("() => window.walked").json_value() == path
    expect(table.page.locator(".ghost")).to_have_count(0)
    assert table.page.locator("#way circle").count() == len(path) - 1


def test_reduced_motion_shows_the_way_at_once(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4", blue="you")
    table.page.evaluate(
        """() => {
            window.walked = 0;
            const takesTime = (node) => node.getAnimations().some(({effect}) => effect.getTiming().duration);
            const count = (node) => { if (node.className === "ghost" && takesTime(node)) window.walked++; };
            new MutationObserver((list) => list.forEach((change) => change.addedNodes.forEach(count)))
                .observe(document.querySelector("#board"), {childList: true});
        }"""
    )
    table.card("d1").click()
    table.wait_for_plies(3)
    expect(table.page.locator("#way circle")).to_have_count(4)
    assert table.page.evaluate("window.walked") == 0


@pytest.mark.parametrize("motion", [True, False])
def test_the_pawn_sets_off_before_the_answer_has_come(motion: bool, open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4", blue="you", motion=motion)
    gate = Gate(table.page, "**/api/v1/game?*")
    table.card("d1").click()
    middle = """([ghost, card]) => {
        const [one, other] = [ghost, card].map((each) => each.getBoundingClientRect());
        return Math.hypot(one.x - other.x, one.y - other.y) < 10;  // a card under the pointer is lifted
    }"""
    ghost, card = table.page.locator("#board > .ghost"), table.card("d1")
    expect(ghost).to_have_count(1)
    handles = [ghost.element_handle(), card.element_handle()]
    table.page.wait_for_function(middle, arg=handles)  # it waits at the end of its way
    expect(table.page.locator(".card .pawn.red")).to_be_hidden()
    gate.open()
    table.wait_for_plies(3)
    expect(ghost).to_have_count(0)
    expect(table.card("d1").locator(".pawn.red")).to_be_visible()


def test_a_game_by_keyboard_alone(open_table: Callable[..., Table]) -> None:
    """Tab to the board, arrows from card to card, Enter to go there."""
    table = open_table(game=EXAMPLE, blue="2")
    keyboard = table.page.keyboard
    rng = random.Random(3)
    for _ in range(20):
        keyboard.press("Tab")
        if table.page.evaluate("document.activeElement.matches('.card')"):
            break
    else:
        pytest.fail("the board cannot be reached with Tab")
    while True:
        table.wait_for_turn("red")
        if table.is_over():
            break
        target = rng.choice(table.legal())
        for axis, key in ((0, "ArrowRight"), (1, "ArrowDown")):
            for _ in range(4):
                if table.page.evaluate("document.activeElement.dataset.square")[axis] == target[axis]:
                    break
                keyboard.press(key)
        table.moving(lambda: keyboard.press("Enter"))
    assert table.game.position.winner is not None
    assert table.page.evaluate("document.activeElement.matches('.card')")


def test_squares_are_typed_and_keys_do_what_the_help_says(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    keyboard = table.page.keyboard
    keyboard.type("a2")
    table.wait_for_plies(1)
    keyboard.press("Space")
    expect(table.page.locator("#message")).to_contain_text("while hints are shown")
    keyboard.press("h")
    expect(table.page.locator(".value").first).to_be_visible()
    keyboard.press("Space")
    table.wait_for_plies(2)
    assert table.game.squares[1] in analyse(table.game.positions[1]).best
    keyboard.press("ArrowLeft")
    expect(table.page.locator("#ply")).to_have_text("1 / 2")
    keyboard.press("Home")
    expect(table.page.locator("#ply")).to_have_text("0 / 2")
    keyboard.press("ArrowRight")
    expect(table.page.locator("#ply")).to_have_text("1 / 2")
    keyboard.press("End")
    expect(table.page.locator("#ply")).to_have_text("2 / 2")
    first = table.card("a1").bounding_box()
    keyboard.press("f")
    expect(table.page.locator("#columns")).to_have_text("dcba")
    assert table.card("a1").bounding_box() != first
    assert table.state["flip"] == "1"
    keyboard.press("?")
    expect(table.page.get_by_role("dialog")).to_be_visible()
    keyboard.press("Escape")
    expect(table.page.get_by_role("dialog")).to_be_hidden()
    keyboard.press("u")
    expect(table.page.locator("#ply")).to_have_text("1 / 2")
    keyboard.press("n")
    expect(table.page.locator("#ply")).to_have_text("0 / 0")


def test_on_a_phone(open_table: Callable[..., Table]) -> None:
    width = 320
    table = open_table(game=EXAMPLE, blue="random", width=width, height=640, touch=True)
    for view in ("analyse", "edit", "share", "rules"):
        table.turn_to(view, Locator.tap)
        assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    table.turn_to("play", Locator.tap)
    rng = random.Random(2)
    while True:
        table.wait_for_turn("red")
        if table.is_over():
            break
        square = rng.choice(table.legal())
        box = table.card(square).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44  # a finger's width
        table.moving(table.card(square).tap)
    assert table.game.position.winner is not None


def test_every_square_is_named_for_a_screen_reader(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4", blue="you")
    labels = table.board()
    position = table.game.position
    names = {"A": "ace", "J": "jack"}
    for cell, card in enumerate(position.cards):
        square = position.board.square(cell)
        said = "collapsed" if card is None else names.get(card.letter, card.letter)
        assert labels[square].lower().startswith(f"{square}, {said}")
        assert ("red can go here" in labels[square]) == (cell in position.moves)
        assert ("red pawn" in labels[square]) == (cell == position.pawns[0])
        assert ("blue pawn" in labels[square]) == (cell == position.pawns[1])
    table.page.get_by_text("Board as text").click()
    expect(table.page.locator("#text-board")).to_have_text(str(position), use_inner_text=True)


def test_a_broken_link_offers_a_new_game(open_table: Callable[..., Table]) -> None:
    table = open_table(game="nonsense")
    expect(table.page.locator("#message")).to_contain_text("1 row instead of 4")
    table.page.get_by_role("button", name="Deal a new one").click()
    expect(table.page.locator("#turn")).to_contain_text("Red (you) to move")
    assert parse_position(table.state["game"]).winner is None


def test_a_double_click_acts_once(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you", red="2")
    table.let_move()
    table.wait_for_plies(1)
    table.page.get_by_role("button", name="This deal, sides swapped").dblclick()
    expect(table.page.locator("[data-player=red]")).to_have_value("you")
    expect(table.page.locator("[data-player=blue]")).to_have_value("2")
    before = table.page.evaluate("history.length")
    table.page.get_by_role("button", name="Random deal").dblclick()
    table.page.wait_for_function("() => !location.search.includes('A223/4A2Jr')")
    assert table.page.evaluate("history.length") == before + 1


def test_the_next_round_is_counted_once(open_table: Callable[..., Table]) -> None:
    table = open_table(game="..../.2r../.Ab../.2.. b b4", match="9-4", round=2, red="you", blue="perfect")
    expect(table.page.locator("#match-score")).to_contain_text("You (red) 9, The computer (blue) 6")
    table.page.locator("#match-next").dblclick()
    expect(table.page.locator("#match-score")).to_contain_text("Round 3: The computer (red) 6, You (blue) 9")


def test_stepping_never_stops_the_computer(open_table: Callable[..., Table]) -> None:
    table = open_table(motion=True)
    held: list[Route] = []

    def hold(question: Route) -> None:
        held.append(question)

    table.page.route("**/computer-move?*", hold)
    table.open(game=EXAMPLE, red="perfect", blue="you")
    table.let_move()
    wait_until(table.page, lambda: held)
    table.page.keyboard.press("ArrowLeft")  # while it thinks about its first move
    for question in held:
        question.continue_()
    table.wait_for_plies(1)
    expect(table.page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    linked = open_table(game=EXAMPLE, red="perfect", blue="you", ply=0)
    linked.let_move()
    linked.wait_for_plies(1)
    assert "ply" not in linked.state


def test_no_click_is_lost_while_an_answer_is_pending(open_table: Callable[..., Table]) -> None:
    """Steps, hints and players wait until the answer is shown; a card is not chosen on an old board."""
    table = open_table(game=f"{EXAMPLE} a2 b4 d1", blue="you")
    page = table.page
    gate = Gate(page, "**/api/v1/*?*")
    for _ in range(3):
        page.locator("#back").click()
    page.keyboard.press("ArrowRight")
    page.locator("#flip").click()
    table.card("a1").click()
    expect(page.locator("#ply")).to_have_text("3 / 3")
    gate.open()
    expect(page.locator("#columns")).to_have_text("dcba")
    expect(page.locator("#ply")).to_have_text("1 / 3")
    assert table.game.squares == ("a2", "b4", "d1")
    gate.closed = True
    page.locator("#deal").click()  # neither hints nor another player cancel the deal
    page.locator("#hints").click()
    page.locator("[data-player=blue]").select_option("1")
    gate.open()
    expect(page.locator("#ply")).to_have_text("0 / 0")
    expect(page.locator("[data-player=blue]")).to_have_value("1")
    expect(page.locator("#hints")).to_have_attribute("aria-pressed", "true")
    assert not table.state["game"].startswith("A223/4A2Jr")


def test_the_editor_opens_with_all_changes(open_table: Callable[..., Table]) -> None:
    """Also with one that the service has not answered yet."""
    table = open_table(game=EXAMPLE, view="edit")
    page = table.page
    expect(page.locator("#edit-text")).to_have_text(EXAMPLE)
    page.get_by_role("button", name="Collapsed", exact=True).click()
    gate = Gate(page, "**/edit?*")
    table.card("a1").click()
    page.locator("#edit-play").click()
    gate.open()
    expect(page.locator("body[data-view=play]")).to_be_visible()
    assert format_position(table.game.position) == ".223/4A2Jr/3A23/Jb3A4 r"
    table.wait_until_quiet()
    assert "draft" not in table.state


def test_computers_go_on_from_what_is_shown(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4 d1", red="perfect", blue="perfect")
    table.page.get_by_role("button", name="One move back").click()
    expect(table.page.locator("#ply")).to_have_text("2 / 3")
    table.page.get_by_role("button", name="Go on").click()
    expect(table.page.locator("#turn")).to_contain_text(" cannot move")
    assert table.game.squares[:2] == ("a2", "b4")
    expect(table.page.locator("#run")).to_be_hidden()


def test_a_new_game_has_no_hints(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, hints=1)
    expect(table.page.locator("#board .value")).to_have_count(4)
    table.page.get_by_role("button", name="Random deal").click()
    expect(table.page.locator("#hints")).to_have_attribute("aria-pressed", "false")
    assert table.page.locator("#board .value").count() == 0


@pytest.mark.parametrize(
    "wrong", [{"ply": 12}, {"match": "abc"}, {"match": "99-99"}, {"match": "20-3"}, {"round": "x"}]
)
def test_one_wrong_parameter_does_not_cost_the_game(
    open_table: Callable[..., Table], wrong: dict[str, object]
) -> None:
    table = open_table(game=f"{EXAMPLE} a2", red="you", blue="you", **wrong)
    expect(table.page.locator("#ply")).to_have_text("1 / 1")
    assert table.game.squares == ("a2",)


def test_the_last_move_is_described(open_table: Callable[..., Table]) -> None:
    """Also to who cannot see the pawn walk: the turn line is a live region."""
    table = open_table(game=EXAMPLE)
    table.card("a2").click()
    table.wait_for_plies(2)
    expect(table.page.locator("#turn[role=status]")).to_have_text(
        f"Blue went from a4 to {table.game.squares[1]}. Red (you) to move: 4 steps from a2"
    )


@pytest.mark.slow
def test_a_stopped_server_is_named_and_tried_again(browser: Browser, tmp_path: Path) -> None:
    """With requests that fail as those to a stopped server in `test_failing.py`."""
    with running_server(tmp_path) as server:
        page = new_context(browser, reduced_motion="reduce").new_page()
        page.clock.install()
        table = Table(page, server.address)
        table.open(game=EXAMPLE, blue="you")
        server.stop()
        table.card("a2").click()
        expect(page.locator("#service")).to_contain_text("The service does not answer")
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 600"))  # the page does not retry by itself
        table.wait_until_quiet()
        port = server.port
    with running_server(tmp_path, "--port", str(port)):
        page.get_by_role("button", name="Try again").click()
        table.wait_for_plies(1)
        page.context.close()
