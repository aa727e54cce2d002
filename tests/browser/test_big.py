"""The big board on the page: two to four at a table, an analysis that deepens, matches, links, phones."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from collapsi import analyse
from collapsi.core.players import Player
from collapsi.games.big.levels import levels
from collapsi.games.big.match import BigMatch
from collapsi.games.big.notation import parse_big, parse_big_game
from collapsi.games.big.rules import BIG, BIG_RULE_SETS
from tests.big_positions import review_big
from tests.browser.table import Table, in_moves, sentence
from tests.browser.test_kinds import wait_for_picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from collapsi import Game
    from collapsi.games.big.state import BigState

TWO = "..A.../.23A../A.A3../.2rA.../.A2b4../..3A.. r big"
THREE = ".2A.../.2r.3A./.AA.2./.3b4g.../.A3.A./..2.A. r big3"
FOUR = ".2A.../.2r.3A./.AA.2y./.3b4g.../.A3.A./..2.A. r big4"
HARD = "43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big"
"""A whole deal: minutes."""
MANY = "2AA3A4/22Jr333/4AJbA24/343AA2/44Jg2.2/343A42 r big3"


def game_of(table: Table) -> Game[BigState]:
    """The game in the URL, as the library reads it."""
    return parse_big_game(table.state["big"])


def wait_for_state(table: Table, people: str = "red") -> BigState:
    """Wait until the page shows the whole game in the URL and one of these is to move, or it is over."""
    script = """people => {
        const moves = (location.search + location.hash).match(/_[a-z]\\d+(?=_|&|$)/g)?.length ?? 0;
        if (document.querySelector("#ply").textContent !== `${moves} / ${moves}`) return false;
        const turn = document.querySelector("#turn").lastChild?.textContent ?? "";
        const mover = document.querySelector("#seats .now .letter")?.className ?? "";
        return turn.includes("has won") || people.split(" ").some((colour) => mover.includes(colour));
    }"""
    table.page.wait_for_function(script, arg=people)
    return game_of(table).position


def board_of(state: BigState) -> dict[str, str]:
    """Every square as the page must name it, without what else it says."""
    names = {"A": "ace", "J": "jack", ".": "collapsed"}
    found = {}
    for cell in range(state.board.size):
        text, square = state.cell_text(cell), state.board.square(cell)
        pawn = next((f", {player} pawn" for player in state.left if state.pawns[player] == cell), "")
        found[square] = f"{square[0].upper()}{square[1:]}, {names.get(text[0], text[0])}{pawn}"
    return found


def assert_shown(table: Table, state: BigState, *, person: bool = True) -> None:
    """Board, legal moves and players are the library's."""
    shown = {
        square: ", ".join(words for part, words in enumerate(text.split(", ")) if part < 2 or "pawn" in words)
        for square, text in table.board().items()
    }
    assert shown == board_of(state)
    assert table.legal() == (sorted(map(state.move_text, state.moves)) if person else [])
    chips = table.page.locator("#seats li").all_text_contents()
    assert len(chips) == state.rules.players
    for player, chip in zip(state.rules.seats, chips, strict=True):
        assert chip.startswith(f"{player.letter.upper()}{str(player).capitalize()}")
        assert ("out " in chip) == (player in state.out)
        assert ("to move" in chip) == (player is state.to_move and not state.over)


def play_on(table: Table, rng: random.Random, move: Callable[[str], None], people: str) -> BigState:
    """Play for the people by chance until the round is over."""
    while True:
        state = wait_for_state(table, people)
        assert_shown(table, state)
        if state.over:
            return state
        plies = len(game_of(table).moves)
        move(state.move_text(rng.choice(state.moves)))
        table.page.wait_for_function(
            "plies => ((location.search + location.hash).match(/_[a-z]\\d+(?=_|&|$)/g)?.length ?? 0) > plies",
            arg=plies,
        )


def test_two_people_play_a_round_by_mouse_and_look_back(open_table: Callable[..., Table]) -> None:
    table = open_table(view="big", big=TWO, seats="you.you", motion=True)
    page = table.page
    state = play_on(table, random.Random(1), lambda square: table.card(square).click(), "red blue")
    expect(page.locator("#turn")).to_contain_text(sentence(state.turn))
    expect(page.locator("#result")).to_contain_text(
        f"{str(state.winner).capitalize()} (person) won the round"
    )
    page.get_by_role("button", name="Where did I go wrong?").click()
    reviewed = review_big(game_of(table))
    expect(page.locator("#verdicts .verdict")).to_have_count(len(reviewed.moves))
    expect(page.locator("#look-stop")).to_be_hidden()
    for shown, move in zip(
        page.locator("#verdicts .verdict").all_text_contents(), reviewed.moves, strict=True
    ):
        assert in_moves(move.text) in shown
    (mistake, *_) = reviewed.turning_points
    page.locator(f'[data-key="refute {mistake.number} 0"]').click()
    line = page.locator(f'[data-line="refute {mistake.number}"]')
    perfect = list(analyse(game_of(table).positions[mistake.number]).line or ())
    expect(line).to_have_text(perfect)
    line.first.click()
    expect(page.locator("#ply")).to_have_text(f"{mistake.number + 1} / {mistake.number + len(perfect)}")
    page.locator(f'#verdicts [data-ply="{mistake.number}"]').click()
    expect(page.locator("#ply")).to_have_text(f"{mistake.number} / {len(reviewed.moves)}")
    for fold in page.locator("#verdicts summary").all():
        fold.click()
    page.locator("#verdicts button").first.click()
    expect(page.locator("#ply")).to_have_text(f"1 / {len(reviewed.moves)}")
    expect(page.locator("#verdicts .verdict")).to_have_count(len(reviewed.moves))  # it stays while one steps
    page.keyboard.press("u")
    expect(page.locator("#ply")).to_have_text(f"0 / {len(reviewed.moves)}")
    card = str(table.legal()[0])
    page.keyboard.type(card)  # another game from here: of that nothing is said yet
    expect(page.locator("#ply")).to_have_text("1 / 1")
    expect(page.locator("#verdicts .verdict")).to_have_count(0)


def test_three_at_a_table_with_a_computer_by_keyboard(open_table: Callable[..., Table]) -> None:
    """A person, a computer, a person; refusals, undo to a person's turn, and the link."""
    table = open_table(view="big", big=THREE, seats="you.1.you")
    page = table.page
    table.card("a1").click()
    expect(page.locator("#message")).to_have_text(sentence(parse_big(THREE).refusal("a1")[1]))  # type: ignore[index]
    play_on(table, random.Random(2), page.keyboard.type, "red green")
    game = game_of(table)
    points = sorted(zip(game.position.points or (), game.position.rules.seats, strict=True), reverse=True)
    text = ", ".join(f"{player} {number}" for number, player in points)
    expect(page.locator("#result")).to_contain_text(f"Points: {text}.")
    link = page.get_by_label("Link", exact=True).input_value()
    other = open_table()
    other.page.goto(link)
    expect(other.page.locator("#ply")).to_have_text(f"{len(game.moves)} / {len(game.moves)}")
    assert other.board() == table.board()
    assert other.page.locator("#players select").nth(1).input_value() == "1"
    other.page.get_by_role("button", name="Undo").click()
    last = max(ply for ply in range(len(game.moves)) if game.positions[ply].to_move is not Player.BLUE)
    expect(other.page.locator("#ply")).to_have_text(f"{last} / {len(game.moves)}")


def test_four_computers_play_by_themselves_on_a_phone(open_table: Callable[..., Table]) -> None:
    table = open_table(view="big", big=FOUR, seats="1.random.2.random", width=320, height=640, touch=True)
    page = table.page
    expect(page.locator("#run")).to_have_text("Start")
    for card in page.locator(".card").all():
        box = card.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
    page.locator("#run").tap()
    state = wait_for_state(table, "nobody")
    assert state.over
    assert_shown(table, state, person=False)
    for player in state.rules.seats:
        chip = page.locator("#seats li").nth(int(player))
        expect(chip).to_contain_text("has won" if player is state.winner else "out")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_hints_deepen_until_they_are_exact_and_are_never_mixed_up(open_table: Callable[..., Table]) -> None:
    table = open_table(view="big", big=TWO, seats="you.you", hints=1)
    page = table.page
    expect(page.locator("#certainty")).to_have_text("Exact")
    exact = analyse(TWO)
    expect(page.locator("#outcome")).to_have_text(sentence(exact.text))
    expect(page.locator("#line button")).to_have_count(len(exact.line or ()))
    assert table.values() == {
        move.name: move.value.replace("-", "−") + "*" * (move.name in exact.best) for move in exact.moves
    }
    rows = page.locator("#moves button").evaluate_all("rows => rows.map((row) => row.dataset.move)")
    assert rows == [move.name for move in exact.moves]
    page.locator("#turn").click()
    page.keyboard.press("Space")
    expect(page.locator("#ply")).to_have_text("1 / 1")
    assert game_of(table).squares[0] in exact.best
    expect(page.locator("#certainty")).to_have_text("Exact")
    after = analyse(game_of(table).position)
    expect(page.locator("#outcome")).to_have_text(sentence(after.text))
    many = open_table(view="big", big=MANY, seats="you.you.you", hints=1)
    expect(many.page.locator("#certainty")).to_have_text("An estimate")
    expect(many.page.locator("#board .value")).to_have_count(3)
    assert all(value.startswith("≈") for value in many.values().values())
    expect(many.page.locator("#outcome")).to_contain_text("may expect about ")
    expect(many.page.locator("main")).to_contain_text(
        re.compile("^((?!estimate).)*estimate((?!estimate).)*$", re.IGNORECASE | re.DOTALL)
    )


def test_an_analysis_is_stopped_and_goes_on(open_table: Callable[..., Table]) -> None:
    table = open_table(view="big", big=HARD, seats="you.you", hints=1)
    page = table.page
    expect(page.locator("#progress")).to_contain_text("positions")
    page.locator("#analysis-stop").click()
    expect(page.locator("#progress")).to_contain_text("stopped")
    expect(page.locator("#analysis-stop")).to_have_text("Go on")
    count = len([url for url in table.asked if "/big/analysis" in url])
    assert page.locator("#board .value").count()  # what is known stays
    with page.expect_request("**/big/analysis?*"):
        page.locator("#analysis-stop").click()
    expect(page.locator("#analysis-stop")).to_have_text("Stop")
    expect(page.locator("#progress")).not_to_contain_text("stopped")
    assert len([url for url in table.asked if "/big/analysis" in url]) == count + 1
    page.locator("#hints").click()
    expect(page.locator("#answer")).to_be_hidden()
    expect(page.locator("#board .value")).to_have_count(0)
    with page.expect_response("**/big/analysis?*"):
        page.locator("#hints").click()
    expect(page.locator("#analysis-stop")).to_have_text("Stop")
    table.wait_until_quiet()
    with page.expect_event("requestfailed", lambda request: "/big/analysis" in request.url):
        table.turn_to("rules")  # the analysis is not shown any more
    table.turn_to("big")
    expect(page.locator("#analysis-stop")).to_have_text("Stop")


def test_a_match_goes_round(open_table: Callable[..., Table]) -> None:
    """Two rounds between computers: the colours change, the points add up, then a win or a play-off."""
    table = open_table(view="big", big=TWO, seats="random.random")
    page = table.page
    table.choose_game("big")
    page.get_by_role("button", name="Start a match").click()
    expect(page.locator("#match-score")).to_contain_text("Round 1")
    match = BigMatch.start(BIG)
    for number in (1, 2):
        assert game_of(table).positions[0].dealt
        expect(page.locator("#seats li").first).to_contain_text(f"player {number}")
        page.locator("#run").click()
        state = wait_for_state(table, "nobody")
        match = match.after(state)
        expect(page.locator("#match-score")).to_contain_text(match.text)
        if number == 1:
            page.locator("#match-next").click()
            expect(page.locator("#match-score")).to_contain_text("Round 2")
    if match.winner is None:
        expect(page.locator("#match-score")).to_contain_text("play-off")
    else:
        expect(page.locator("#match-score")).to_contain_text(f"Player {match.winner + 1} has won the match")
    page.get_by_role("button", name="A new match").click()
    expect(page.locator("#match-score")).to_contain_text("Round 1")
    page.get_by_role("button", name="End the match").click()
    expect(page.locator("#match-score")).to_have_text("")


def test_rules_levels_texts_and_pictures(open_table: Callable[..., Table], tmp_path: Path) -> None:
    table = open_table(view="big", big=TWO, seats="you.you")
    page = table.page
    for name, rules in BIG_RULE_SETS.items():
        table.choose_game(name)
        expect(page.locator("#deal-note")).to_have_text(rules.text)
        expect(page.locator(".card")).to_have_count(rules.board.size)
        expect(page.locator("#seats li")).to_have_count(rules.players)
        assert game_of(table).position.rules is rules
        values = (
            page.locator("#players select")
            .first.locator("option")
            .evaluate_all("options => options.map(({ value }) => value)")
        )
        assert values == ["you", "friend", *map(str, levels(rules))]
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Game as text", exact=True).click()
    waiting.value.save_as(tmp_path / "game")
    assert (tmp_path / "game").read_text() == f"{game_of(table).text}\n"
    page.locator("#open-text").fill("nonsense")
    page.get_by_role("button", name="Open it").click()
    expect(page.locator("#open-error")).to_contain_text("The rules are missing")
    page.locator("#open-text").fill(FOUR)
    page.get_by_role("button", name="Open it").click()
    expect(page.locator("#seats li")).to_have_count(4)
    page.go_back()
    expect(page.locator(".card")).to_have_count(25)
    table.turn_to("rules")
    for name, rules in BIG_RULE_SETS.items():
        shown = page.locator(f'#big-ways [data-rules="{name}"]')
        expect(shown).to_contain_text(rules.text)
        wait_for_picture(shown)
    wrong = open_table(view="big", big="nonsense")
    expect(wrong.page.locator("#turn")).to_have_text("There is no game here.")
    wrong.page.get_by_role("button", name="Deal a new one").click()
    expect(wrong.page.locator(".card")).to_have_count(36)
    odd = open_table(view="big", big=TWO, ply=77, points="x", seats="x.y")
    expect(odd.page.locator("#ply")).to_have_text("0 / 0")
