"""Puzzles and the deal of the day on the page: by mouse, touch and keyboard, also on a phone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from collapsi import Player, analyse, parse_game, parse_position
from collapsi.play.daily import DailyGame, parse_date
from collapsi.play.enums import PuzzleKind, Turn
from collapsi.play.puzzles import Puzzle
from collapsi.play.tempo import PassPuzzle
from tests.browser.table import every_screen, in_moves

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.browser.table import Table

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
PHONE = {"width": 320, "height": 640}
DAY = "2026-10-02"


def puzzle_on(table: Table) -> Puzzle:
    """The puzzle in the URL, as the library sees it, when the board shows it."""
    table.page.wait_for_function("() => /[?&]puzzle=/.test(location.search)")
    expect(table.page.locator("#ply")).to_have_text("0 / 0")
    puzzle = Puzzle(parse_game(table.state["puzzle"]))
    expect(table.page.locator("#text-board")).to_have_text(str(puzzle.position))
    return puzzle


def kept(table: Table, name: str) -> Any:
    """What the browser keeps under a name."""
    return json.loads(table.page.evaluate("name => localStorage.getItem(name)", name) or "null")


def shared(table: Table, game: DailyGame) -> str:
    """The text to share: the result and a link to the deal."""
    return f"{game.result} {table.address}?daily={game.day.isoformat()}&view=daily"


def next_puzzle(table: Table, act: Callable[[], None]) -> Puzzle:
    """Ask for another one."""
    before = table.state["puzzle"]
    act()
    table.page.wait_for_function(
        "before => new URLSearchParams(location.search).get('puzzle').replaceAll('_', ' ') !== before",
        arg=before.replace("_", " "),
    )
    return puzzle_on(table)


def test_a_stream_of_puzzles(open_table: Callable[..., Table]) -> None:
    """Right ones, wrong ones with what refutes them, another try, the next one, and what is counted."""
    table = open_table(view="puzzles", kind="medium")
    page, verdict = table.page, table.page.locator("#puzzle-verdict")
    for number in range(3):
        puzzle = puzzle_on(table)
        assert puzzle.kind is PuzzleKind.MEDIUM
        assert sum(move.wins for move in puzzle.analysis.moves) == 1
        assert table.legal() == sorted(move.to for move in puzzle.analysis.moves)
        assert page.locator(".value").count() == 0
        assert not page.locator("#hints").is_visible()
        table.card(puzzle.move.to).click()
        expect(verdict).to_contain_text(f"Right. {puzzle.move.name} is the only move that wins")
        expect(verdict).to_contain_text(in_moves(puzzle.rating), ignore_case=True)
        expect(page.locator("#puzzle-count")).to_contain_text(f"{number + 1} of {number + 1} (medium)")
        next_puzzle(table, page.get_by_role("button", name="Next puzzle").click)
    puzzle = puzzle_on(table)
    wrong = puzzle.analysis.moves[-1]
    table.card(wrong.to).click()
    refutation = analyse(puzzle.position.play(wrong.move))
    expect(verdict).to_contain_text(f"No. {wrong.name} loses: {refutation.winner} goes to")
    expect(verdict).to_contain_text(" ".join((wrong.name, *refutation.line)))
    expect(page.locator("#ply")).to_have_text(f"1 / {wrong.plies}")
    for ply in range(2, wrong.plies + 1):  # the proof, step by step
        page.locator("#forward").click()
        expect(page.locator("#ply")).to_have_text(f"{ply} / {wrong.plies}")
    expect(page.locator("#turn")).to_contain_text(f"{refutation.winner} wins", ignore_case=True)
    assert table.legal() == []
    page.get_by_role("button", name="Try again").click()
    assert puzzle_on(table).position == puzzle.position
    table.card(puzzle.move.to).click()
    expect(verdict).to_contain_text("Right.")
    assert kept(table, "collapsi: puzzles")["medium"] == {"solved": 3, "tried": 4}  # the first try counts
    page.reload()  # what was tried is in the URL, and is not counted again
    expect(verdict).to_contain_text("Right.")
    expect(page.locator("#puzzle-count")).to_contain_text("3 of 4 (medium)")


def test_the_answer_is_shown_to_who_asks(open_table: Callable[..., Table]) -> None:
    table = open_table(view="puzzles")
    puzzle = puzzle_on(table)
    assert puzzle.kind is PuzzleKind.EASY  # a newcomer's first one
    table.page.get_by_role("button", name="Show the answer").click()
    expect(table.page.locator("#puzzle-verdict")).to_contain_text(f"The answer: {puzzle.move.name}")
    expect(table.page.locator("#ply")).to_have_text(f"1 / {puzzle.plies}")
    expect(table.page.locator("#puzzle-count")).to_contain_text("0 of 1 (easy)")
    table.page.locator("#puzzle-kind").select_option("expert")
    table.page.wait_for_function("() => /kind=expert/.test(location.search)")
    assert puzzle_on(table).kind is PuzzleKind.EXPERT


def pass_on(table: Table) -> PassPuzzle:
    """The puzzle in the URL that asks whether one would rather pass, when the page asks it."""
    page = table.page
    page.wait_for_function("() => /[?&]pass=ask/.test(location.search)")
    puzzle = PassPuzzle(parse_game(table.state["puzzle"]))
    expect(page.locator("#text-board")).to_have_text(str(puzzle.position))
    expect(page.locator("#puzzle-task")).to_contain_text(
        f"You play {puzzle.position.to_move}. Would you rather pass?"
    )
    expect(page.get_by_role("button", name="Pass", exact=True)).to_be_visible()
    return puzzle


def answer(table: Table, word: str) -> None:
    """Say whether to pass or to move."""
    table.page.get_by_role("button", name=word.capitalize(), exact=True).click()
    table.page.wait_for_function("word => location.search.includes(`pass=${word}`)", arg=word)


def test_would_you_rather_pass(open_table: Callable[..., Table]) -> None:
    """Right and wrong answers, another try, the proof, what is counted, and what a link holds."""
    table = open_table(view="puzzles", kind="pass")
    page, verdict = table.page, table.page.locator("#puzzle-verdict")
    puzzle = pass_on(table)
    assert table.legal() == []
    table.card(puzzle.position.board.square(puzzle.position.moves[0])).click()
    expect(page.locator("#message")).to_contain_text("would you rather pass, or move?")
    answer(table, puzzle.answer)
    expect(verdict).to_contain_text(f"Right. Rather {puzzle.answer}.")
    expect(verdict).to_contain_text(in_moves(str(puzzle.choice)), ignore_case=True)
    expect(page.locator("#puzzle-count")).to_contain_text("1 of 1 (pass)")
    page.reload()  # the answer is in the URL, and is not counted again
    expect(verdict).to_contain_text("Right.")
    expect(page.locator("#puzzle-count")).to_contain_text("1 of 1 (pass)")
    expect(page.get_by_role("button", name="Pass", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Next puzzle").click()
    second = pass_on(table)
    assert second.position != puzzle.position
    answer(table, "pass" if second.answer == "move" else "move")
    expect(verdict).to_contain_text("No.")
    expect(page.locator("#puzzle-count")).to_contain_text("1 of 2 (pass)")
    expect(page.locator("#puzzle-missed")).to_have_text("1 puzzle to repeat, none of them today.")
    page.get_by_role("button", name="Try again").click()
    assert pass_on(table).position == second.position
    answer(table, second.answer)
    expect(verdict).to_contain_text("Right.")
    expect(page.locator("#puzzle-count")).to_contain_text("1 of 2 (pass)")
    page.get_by_role("button", name="Step through perfect play").click()
    after = second.choice.after[Turn(second.answer)]
    expect(page.locator("#ply")).to_have_text(f"0 / {after.plies}")
    assert table.state["game"].replace("_", " ") == " ".join([after.position.text, *after.line])


def test_a_missed_pass_comes_back_as_the_same_question(open_table: Callable[..., Table]) -> None:
    table = open_table()
    page = table.page
    page.clock.set_fixed_time("2026-03-01T12:00:00")
    table.open(view="puzzles", kind="pass")
    puzzle = pass_on(table)
    page.get_by_role("button", name="Show the answer").click()  # this is a miss
    expect(page.locator("#puzzle-verdict")).to_contain_text(f"The answer: Rather {puzzle.answer}.")
    page.clock.set_fixed_time("2026-03-02T12:00:00")
    table.open(view="puzzles", kind="easy")
    assert pass_on(table).position == puzzle.position
    expect(page.locator("#puzzle-task")).to_contain_text("You missed this one.")
    answer(table, puzzle.answer)
    expect(page.locator("#puzzle-verdict")).to_contain_text("Right.")
    page.get_by_role("button", name="Next puzzle").click()
    page.wait_for_function("() => !/[?&]pass=/.test(location.search)")
    assert puzzle_on(table).kind is PuzzleKind.EASY


def test_puzzles_by_keyboard_alone(open_table: Callable[..., Table]) -> None:
    table = open_table(view="puzzles", kind="easy")
    keyboard, verdict = table.page.keyboard, table.page.locator("#puzzle-verdict")
    puzzle = puzzle_on(table)
    keyboard.press("h")  # there are no hints here
    keyboard.type(puzzle.analysis.moves[1].name)
    expect(verdict).to_contain_text("No.")
    expect(table.page.locator("#ply")).to_have_text(f"1 / {puzzle.analysis.moves[1].plies}")
    keyboard.press("ArrowRight")
    expect(table.page.locator("#ply")).to_have_text(f"2 / {puzzle.analysis.moves[1].plies}")
    keyboard.type(puzzle.move.name)  # not before another try
    expect(table.page.locator("#message")).to_contain_text("try again")
    keyboard.press("u")
    puzzle_on(table)
    keyboard.type(puzzle.move.name)
    expect(verdict).to_contain_text("Right.")
    puzzle = next_puzzle(table, lambda: keyboard.press("n"))
    for _ in range(40):  # with Tab to the board, and with arrows to the card
        keyboard.press("Tab")
        if table.page.evaluate("document.activeElement.matches('.card')"):
            break
    goal, board = puzzle.move.cell, puzzle.position.board
    for _ in range(goal // board.columns):
        keyboard.press("ArrowDown")
    for _ in range(goal % board.columns):
        keyboard.press("ArrowRight")
    keyboard.press("Enter")
    expect(verdict).to_contain_text("Right.")
    assert table.page.locator(".value").count() == 0


def test_puzzles_on_a_phone_by_touch(open_table: Callable[..., Table]) -> None:
    table = open_table(view="puzzles", touch=True, **PHONE)
    for _ in range(2):
        puzzle = puzzle_on(table)
        table.card(puzzle.move.to).tap()
        expect(table.page.locator("#puzzle-verdict")).to_contain_text("Right.")
        assert table.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        next_puzzle(table, table.page.locator("#puzzle-next").tap)


def throw_a_win_away(table: Table) -> str:
    """Play d1 from the example, which loses, and look back; the position that was won."""
    table.open(game=EXAMPLE, blue="you")
    table.card("d1").click()
    table.wait_for_plies(1)
    table.turn_to("analyse")
    table.page.get_by_role("button", name="Show what every move is worth").click()
    expect(table.page.locator("#verdicts .verdict")).to_have_count(1)
    return EXAMPLE


def test_a_puzzle_from_my_own_games(open_table: Callable[..., Table]) -> None:
    table = open_table(view="puzzles")
    page, verdict = table.page, table.page.locator("#puzzle-verdict")
    puzzle_on(table)
    page.locator("#puzzle-kind").select_option("own")
    expect(page.locator("#message")).to_contain_text("There are none yet")
    expect(page.locator("#puzzle-kind")).to_have_value("easy")
    position = throw_a_win_away(table)
    table.turn_to("puzzles")
    expect(page.locator("#puzzle-own")).to_contain_text(
        "1 position from your own games stored in this browser, 0 solved"
    )
    page.locator("#puzzle-kind").select_option("own")
    page.wait_for_function("() => /kind=own/.test(location.search)")
    assert puzzle_on(table).position == parse_position(position)
    expect(page.locator("#puzzle-task")).to_contain_text("You threw a win away here")
    table.card("a2").click()
    expect(verdict).to_contain_text("Right. a2 is the only move that wins")
    expect(page.locator("#puzzle-own")).to_contain_text("1 solved")
    page.get_by_role("button", name="Delete these positions").click()
    expect(page.locator("#puzzle-own")).to_be_empty()
    assert kept(table, "collapsi: wins thrown away") is None


def lose_after_throwing_a_win_away(table: Table) -> str:
    """Play d1 from the example, which loses, and on to the end; the position that was won."""
    table.open(game=EXAMPLE, blue="you")
    game = parse_game(EXAMPLE)
    while not game.position.result:
        name = "d1" if not game.moves else analyse(game.position).best[0]
        table.card(name).click()
        game = game.play(name)
        table.wait_for_plies(len(game.moves))
    expect(table.page.locator("#end-look")).to_be_visible()
    return EXAMPLE


@pytest.mark.parametrize(
    "size",
    [{"width": 390, "height": 844}, pytest.param({"width": 1280, "height": 800}, marks=pytest.mark.slow)],
)
def test_puzzles_fill_themselves_from_my_games(
    open_table: Callable[..., Table], size: dict[str, int]
) -> None:
    """Without a review by the person; a game is searched once, and a damaged one does no harm."""
    table = open_table(**size)
    page = table.page
    position = lose_after_throwing_a_win_away(table)
    games = kept(table, "collapsi: my games")
    games.append({**games[0], "id": "damaged", "line": "nonsense", "at": "2020"})
    computers = {**games[0], "id": "computers", "red": "2", "blue": "perfect"}
    page.evaluate("text => localStorage.setItem('collapsi: my games', text)", json.dumps([*games, computers]))
    assert kept(table, "collapsi: wins thrown away") is None
    page.locator('#views [data-view="puzzles"]').click()
    expect(page.locator("#puzzle-own")).to_contain_text("1 position from your own games")
    page.wait_for_function("() => JSON.parse(localStorage.getItem('collapsi: games searched')).length === 3")
    page.locator("#puzzle-kind").select_option("own")
    page.wait_for_function("() => /kind=own/.test(location.search)")
    assert puzzle_on(table).position == parse_position(position)
    reviews = [url for url in table.asked if "/review?" in url]
    assert len(reviews) == 2  # the computers' game is the same, and its answer known
    page.get_by_role("button", name="Delete these positions").click()
    expect(page.locator("#puzzle-own")).to_be_empty()
    table.open(view="puzzles")
    puzzle_on(table)
    assert kept(table, "collapsi: wins thrown away") is None
    assert [url for url in table.asked if "/review?" in url] == reviews


def miss(table: Table, puzzle: Puzzle) -> None:
    """Try a move that loses."""
    table.card(puzzle.analysis.moves[-1].to).click()
    expect(table.page.locator("#puzzle-verdict")).to_contain_text("No.")


def test_a_missed_puzzle_comes_back_after_1_3_and_7_days(open_table: Callable[..., Table]) -> None:
    table = open_table()
    page, missed = table.page, table.page.locator("#puzzle-missed")

    def visit(day: str) -> Puzzle:
        page.clock.set_fixed_time(f"{day}T12:00:00")
        table.open(view="puzzles", kind="medium")
        return puzzle_on(table)

    puzzle = visit("2026-03-01")
    expect(missed).to_be_empty()
    miss(table, puzzle)
    expect(missed).to_have_text("1 puzzle to repeat, none of them today.")
    page.get_by_role("button", name="Try again").click()
    puzzle_on(table)
    table.card(puzzle.move.to).click()  # a second try is no success
    expect(page.locator("#puzzle-verdict")).to_contain_text("Right.")
    other = next_puzzle(table, page.get_by_role("button", name="Next puzzle").click)
    assert other.position != puzzle.position
    for day, right, left in (
        ("2026-03-02", True, "1 puzzle to repeat, none"),
        ("2026-03-05", False, "1 puzzle to repeat, none"),
        ("2026-03-06", True, "1 puzzle to repeat, none"),
        ("2026-03-10", True, "1 puzzle to repeat, none"),  # a day late
        ("2026-03-17", True, ""),
    ):
        again = visit(day)
        assert again.position == puzzle.position, day
        expect(missed).to_have_text("1 puzzle to repeat, 1 of them today.")
        expect(page.locator("#puzzle-task")).to_contain_text("You missed this one. Exactly one move wins")
        if right:
            table.card(puzzle.move.to).click()
            expect(page.locator("#puzzle-verdict")).to_contain_text("Right.")
        else:
            miss(table, again)
        expect(missed).to_contain_text(left) if left else expect(missed).to_be_empty()
        assert visit(day).position != puzzle.position
    assert kept(table, "collapsi: puzzles missed") == []
    assert kept(table, "collapsi: puzzles")["medium"] == {"solved": 0, "tried": 1}  # repetitions do not count


def test_a_missed_puzzle_by_touch_and_by_keyboard(open_table: Callable[..., Table]) -> None:
    table = open_table(touch=True, width=390, height=844)
    page = table.page
    page.clock.set_fixed_time("2026-03-01T12:00:00")
    table.open(view="puzzles", kind="easy")
    puzzle = puzzle_on(table)
    page.get_by_role("button", name="Show the answer").tap()  # this is a miss too
    expect(page.locator("#puzzle-missed")).to_have_text("1 puzzle to repeat, none of them today.")
    page.clock.set_fixed_time("2026-03-02T12:00:00")
    page.locator("#puzzle-kind").select_option("medium")  # what was asked for comes first
    page.wait_for_function("() => /kind=medium/.test(location.search)")
    assert puzzle_on(table).kind is PuzzleKind.MEDIUM
    page.locator("#puzzle-task").click()
    again = next_puzzle(table, lambda: page.keyboard.press("n"))
    assert again.position == puzzle.position
    table.card(puzzle.move.to).tap()
    expect(page.locator("#puzzle-verdict")).to_contain_text("Right.")
    expect(page.locator("#puzzle-missed")).to_have_text("1 puzzle to repeat, none of them today.")
    assert [one["due"] for one in kept(table, "collapsi: puzzles missed")] == ["2026-03-05"]


def test_own_games_on_a_phone_and_by_keyboard(open_table: Callable[..., Table]) -> None:
    table = open_table(touch=True, **PHONE)
    throw_a_win_away(table)
    table.turn_to("puzzles")
    table.page.locator("#puzzle-kind").select_option("own")
    table.page.wait_for_function("() => /kind=own/.test(location.search)")
    puzzle_on(table)
    table.page.locator("#puzzle-task").click()  # away from the list
    table.page.keyboard.type("a2")
    expect(table.page.locator("#puzzle-verdict")).to_contain_text("Right.")


def test_what_others_and_the_computer_threw_away_is_not_mine(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} d1", view="analyse", hints=1, blue="you")  # came by a link
    expect(table.page.locator("#verdicts .verdict")).to_have_count(1)
    assert kept(table, "collapsi: wins thrown away") is None
    throw_a_win_away(table)
    table.open(game=f"{EXAMPLE} d1 d4", view="analyse", hints=1, red="2", blue="you")  # red was the computer
    expect(table.page.locator("#verdicts .verdict")).to_have_count(2)
    assert [one["position"] for one in kept(table, "collapsi: wins thrown away")] == [EXAMPLE]


def test_a_broken_puzzle_offers_another(open_table: Callable[..., Table]) -> None:
    table = open_table(view="puzzles", puzzle="nonsense")
    expect(table.page.locator("#message")).to_contain_text("instead of 4")
    table.page.get_by_role("button", name="Deal a new one").click()
    table.page.wait_for_function("() => !/nonsense/.test(location.search)")
    assert len(puzzle_on(table).analysis.moves) > 1


def at(table: Table, day: str) -> None:
    """Open the page on another day."""
    table.page.clock.set_fixed_time(f"{day}T12:00:00")
    table.open(view="daily")
    expect(table.page.locator("#daily-what")).to_contain_text(day)


def play_the_day(table: Table, choose: Callable[[DailyGame], str], act: str = "click") -> DailyGame:
    """Play the deal of the day to its end; the computer's moves must be those of the library."""
    game = DailyGame.start(parse_date(table.state["daily"]))
    while not game.over:
        if game.to_move is Player.BLUE:
            game = game.play(game.reply)
            continue
        table.wait_for_plies(len(game.game.moves))
        expect(table.page.locator("#turn")).to_contain_text("Red (you) to move")
        square = choose(game)
        getattr(table.card(square), act)() if act != "type" else table.page.keyboard.type(square)
        game = game.play(square)
    table.wait_for_plies(len(game.game.moves))
    return game


def best(game: DailyGame) -> str:
    return analyse(game.game.position).best[0]


def worst(game: DailyGame) -> str:
    return analyse(game.game.position).moves[-1].name


def test_the_deal_of_the_day_is_won(open_table: Callable[..., Table]) -> None:
    table = open_table()
    page = table.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    at(table, DAY)
    assert not page.locator("#hints").is_visible()
    game = play_the_day(table, best)
    expect(page.locator("#daily-end")).to_have_text("You have won.")
    page.get_by_role("button", name="Copy: Your result, to share").click()
    page.wait_for_function(
        "async (text) => (await navigator.clipboard.readText()) === text", arg=shared(table, game)
    )
    assert set(game.marks) == {"●"}
    expect(page.locator("#daily-streak")).to_contain_text("1 day won in a row")
    page.reload()
    table.wait_for_plies(len(game.game.moves))
    expect(page.locator("#daily-streak")).to_contain_text("1 day won in a row, 1 day at best")


def test_a_streak_of_days(open_table: Callable[..., Table]) -> None:
    table = open_table()
    streak = table.page.locator("#daily-streak")
    for day, text in (
        ("2026-02-28", "1 day won in a row, 1 day"),
        ("2026-03-01", "2 days won in a row, 2 days"),
    ):
        at(table, day)
        play_the_day(table, best)
        expect(streak).to_contain_text(text)
    at(table, "2026-03-02")  # not played yet: it still lives
    expect(streak).to_contain_text("2 days won in a row")
    at(table, "2026-03-03")  # a day was left out
    expect(streak).to_contain_text("0 days won in a row, 2 days at best")
    game = play_the_day(table, worst)
    assert not game.won
    expect(table.page.locator("#daily-end")).to_contain_text("The computer has won.")
    expect(table.page.get_by_label("Your result, to share", exact=True)).to_have_value(shared(table, game))
    assert "✗" in game.result
    table.page.get_by_role("button", name="Play it again").click()  # for practice: the first game counts
    better = play_the_day(table, best)
    assert better.won
    expect(table.page.locator("#daily-end")).to_have_text(
        "You have won. Your first game of this deal counts."
    )
    expect(table.page.get_by_label("Your result, to share", exact=True)).to_have_value(shared(table, game))
    expect(streak).to_contain_text("0 days won in a row")
    table.page.clock.set_fixed_time("2026-03-04T00:00:30")
    table.page.reload()  # the link is to the day before
    table.page.get_by_role("button", name="Today's deal").click()
    expect(table.page.locator("#daily-what")).to_contain_text("Today’s deal (2026-03-04)")


def test_the_deal_of_the_day_goes_on_where_it_was(open_table: Callable[..., Table]) -> None:
    """No reload and no step back takes a move back; and what was thrown away becomes a puzzle."""
    table = open_table()
    page = table.page
    at(table, DAY)
    first = worst(DailyGame.start(parse_date(DAY)))
    table.card(first).click()
    table.wait_for_plies(2)
    page.reload()
    table.wait_for_plies(2)
    page.locator("#first").click()
    expect(page.locator("#ply")).to_have_text("0 / 2")
    assert table.legal() == []
    table.card(first).click()
    expect(page.locator("#message")).to_contain_text("looking back")
    page.locator("#last").click()
    game = play_the_day_on(table, first)
    page.get_by_role("button", name="Where did I go wrong?").click()
    expect(page.locator("#verdicts .verdict")).to_have_count(len(game.game.moves))
    found = kept(table, "collapsi: wins thrown away")
    assert found[0]["position"] == game.game.positions[0].text


def play_the_day_on(table: Table, first: str) -> DailyGame:
    """Play on at random after a first move."""
    game = DailyGame.start(parse_date(DAY), [first])
    while not game.over:
        if game.to_move is Player.BLUE:
            game = game.play(game.reply)
            continue
        table.wait_for_plies(len(game.game.moves))
        move = game.game.position.move_text(game.game.position.moves[0])
        table.card(move).click()
        game = game.play(move)
    table.wait_for_plies(len(game.game.moves))
    return game


@pytest.mark.parametrize("act", ["tap", "type"])
def test_the_deal_of_the_day_on_a_phone_and_by_keyboard(open_table: Callable[..., Table], act: str) -> None:
    table = open_table(touch=True, **PHONE)
    at(table, "2025-12-24")
    game = play_the_day(table, best, act)
    expect(table.page.get_by_label("Your result, to share", exact=True)).to_have_value(shared(table, game))
    assert table.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(
    ("outcome", "copied", "size"),
    [
        ("fine", False, {"width": 390, "height": 844}),
        ("AbortError", False, {}),
        ("NotAllowedError", True, {}),
    ],
)
def test_a_result_is_shared_by_the_browser_or_copied(
    open_table: Callable[..., Table], outcome: str, size: dict[str, int], *, copied: bool
) -> None:
    table = open_table(touch="width" in size, **size)
    page = table.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.context.add_init_script(f"""navigator.share = async (data) => {{
        window.shared = data;
        if ("{outcome}" !== "fine") throw new DOMException("no", "{outcome}");
    }};""")
    at(table, DAY)
    expect(page.locator("#daily-share")).to_be_hidden()  # not before there is a result
    game = play_the_day(table, best, "tap" if size else "click")
    page.evaluate("navigator.clipboard.writeText('before')")
    getattr(page.locator("#daily-share"), "tap" if size else "click")()
    page.wait_for_function("text => window.shared?.text === text", arg=shared(table, game))
    if copied:
        expect(page.locator("#message")).to_contain_text("the text is copied")
    text = shared(table, game) if copied else "before"
    page.wait_for_function("async (text) => (await navigator.clipboard.readText()) === text", arg=text)
    assert not any(move in text for move in game.game.squares)


def test_earlier_days_are_listed(open_table: Callable[..., Table]) -> None:
    table = open_table()
    page = table.page
    days = {"2026-09-01": {"moves": [], "result": "Collapsi 2026-09-01: won in 5 moves ●●●●●", "won": True}}
    days |= {"2026-10-01": {"moves": ["a1"]}, "nonsense": {"moves": 7}}
    page.evaluate("text => localStorage.setItem('collapsi: deals of the day', text)", json.dumps(days))
    at(table, DAY)
    rows = page.locator("#daily-days li")
    page.get_by_text("Earlier days").click()
    expect(rows).to_have_count(8)  # a week, and what was played before
    expect(rows.first).to_contain_text("2026-10-01begun")
    expect(rows.last).to_contain_text("2026-09-01won in 5 moves ●●●●●")
    page.get_by_role("button", name="Show 30 more days").press("Enter")
    expect(rows).to_have_count(37)
    rows.nth(36).get_by_role("button").click()
    expect(page.locator("#daily-what")).to_contain_text("The deal of 2026-08-26")
    page.locator("#daily-today").click()
    expect(page.locator("#daily-what")).to_contain_text("Today’s deal (2026-10-02)")


def test_what_is_kept_may_be_damaged(open_table: Callable[..., Table]) -> None:
    table = open_table()
    broken = {
        "collapsi: deals of the day": json.dumps({DAY: {"moves": ["z9"]}}),
        "collapsi: streak": "{",
        "collapsi: puzzles": "[]",
        "collapsi: wins thrown away": '{"a": 1}',
        "collapsi: deals played": "7",
        "collapsi: puzzles missed": '[1, {"position": "x"}, {"position": "x", "step": 0, "due": 3}]',
        "collapsi: games searched": '{"a": 1}',
    }
    for name, text in broken.items():
        table.page.evaluate("([name, text]) => localStorage.setItem(name, text)", [name, text])
    at(table, DAY)
    table.wait_for_plies(0)
    table.open(view="puzzles")
    table.card(puzzle_on(table).move.to).click()
    expect(table.page.locator("#puzzle-count")).to_contain_text("1 of 1 (easy)")


@every_screen
def test_they_are_accessible(
    open_table: Callable[..., Table], screenshots: Path, *, dark: bool, width: int, height: int
) -> None:
    """No finding of axe with a verdict and a result on the screen, and a picture of each."""
    table = open_table(width=width, height=height, dark=dark, view="puzzles", puzzle=f"{EXAMPLE} d1")
    name = f"{'phone' if width < 500 else 'desktop'}-{'dark' if dark else 'light'}"
    expect(table.page.locator("#puzzle-verdict")).to_contain_text("No.")
    look(table, screenshots / f"puzzles-tried-{name}.png", width)
    at(table, DAY)
    play_the_day(table, worst)
    expect(table.page.locator("#daily-result")).to_be_visible()
    look(table, screenshots / f"daily-over-{name}.png", width)


def look(table: Table, picture: Path, width: int) -> None:
    table.page.screenshot(path=picture, full_page=True)
    assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(table.page).response["violations"]
    assert [(one["id"], one["impact"], [node["html"] for node in one["nodes"]]) for one in found] == []
