"""Analysing, editing, sharing, census and rules on the page; accessibility; style."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import collapsi
from collapsi import Game, analyse, format_game, format_position, parse_game, parse_position, review
from collapsi.census.atlas_files import open_writer
from collapsi.draw.svg import draw_position
from collapsi.play.coach import most_tempting, why_best
from collapsi.play.similar import percent, similar_deals
from collapsi.service.app import PAGE
from tests.browser.table import in_moves, sentence
from tests.rule_sets import FOR_TWO
from tests.small_atlas import facts_of, rows_of
from tests.test_symmetry import images

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from collapsi import Position
    from tests.browser.table import Table
    from tests.service import Server

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
BLUNDERS = f"{EXAMPLE} a2 b4 b3 d1 b2 a1 b1"
VIEWS = ("play", "analyse", "puzzles", "daily", "edit", "share", "census", "solo", "rules")


def shown_value(move: collapsi.MoveValue, best: tuple[str, ...]) -> str:
    """A move's value as the page writes it, with a star if it is filled."""
    return move.value.replace("-", "−") + ("*" if move.to in best else "")


def some_games(count: int) -> list[Game]:
    rng = random.Random(11)
    games = []
    for number in range(count):
        game = Game.start(collapsi.deal(rng, list(FOR_TWO.values())[number % 2]))
        for _ in range(rng.randrange(9)):
            if game.position.moves:
                game = game.play(rng.choice(game.position.moves))
        games.append(game)
    return games


@pytest.mark.parametrize("count", [4, pytest.param(12, marks=pytest.mark.slow)])
def test_values_on_screen_are_the_librarys(open_table: Callable[..., Table], count: int) -> None:
    table = open_table()
    for game in some_games(count):
        table.open(game=format_game(game), view="analyse", hints=1)
        analysis = analyse(game.position)
        if not analysis.moves:
            continue
        expect(table.page.locator("#board .value")).to_have_count(len(analysis.moves))
        assert table.values() == {move.to: shown_value(move, analysis.best) for move in analysis.moves}
        rows = table.page.locator("#moves button")
        expect(rows).to_have_count(len(analysis.moves))
        listed = rows.all_text_contents()
        for text, move in zip(listed, analysis.moves, strict=True):  # best first, as the library has them
            assert text.startswith(f"{shown_value(move, ())}{move.to}")
            assert " ".join(move.path) in text
            assert ("the best" in text) == (move.to in analysis.best)
        score = f"{analysis.score:+}".replace("-", "−")
        expect(table.page.locator("#outcome")).to_have_text(sentence(f"{analysis.outcome} (score {score})"))
        assert table.page.locator("#line button").all_text_contents() == list(analysis.line)


def test_hints_are_off_until_asked_for(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    for view in ("play", "analyse", "share"):
        table.turn_to(view)
    table.wait_until_quiet()
    assert table.page.locator(".value").count() == 0
    assert not [url for url in table.asked if "/v1/analysis" in url or "/v1/review" in url]
    table.turn_to("analyse")
    table.page.get_by_role("button", name="Show what every move is worth").click()
    expect(table.page.locator("#board .value")).to_have_count(4)
    expect(table.page.locator("#legend")).to_contain_text("wins in")  # the numbers are explained
    table.page.locator("#hints").click()
    expect(table.page.locator("#legend")).to_be_hidden()
    expect(table.page.locator("#board .value")).to_have_count(0)


def test_colour_is_never_the_only_cue(open_table: Callable[..., Table]) -> None:
    """A value has its sign, a losing one another border, and screen readers get words."""
    table = open_table(game=EXAMPLE, blue="you", hints=1)
    expect(table.page.locator("#board .value")).to_have_count(4)
    assert table.values() == {"a2": "+13*", "c2": "−12", "d1": "−12", "d3": "−12"}
    assert "wins in 13 moves" in table.board()["a2"]
    assert "loses in 12 moves" in table.board()["d1"]
    style = "e => getComputedStyle(e).borderTopStyle"
    assert table.card("a2").locator(".value").evaluate(style) == "solid"
    assert table.card("d1").locator(".value").evaluate(style) == "dashed"


def test_hovering_a_move_draws_its_way(open_table: Callable[..., Table]) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4", view="analyse", hints=1)
    position = table.game.position
    for square in ("d1", "d3"):
        table.page.locator(f'#moves [data-move="{square}"]').hover()
        steps = len(position.path(square)) - 1
        expect(table.page.locator("#way circle")).to_have_count(steps)
        box, last = table.card(square).bounding_box(), table.page.locator("#way circle").last.bounding_box()
        assert box is not None
        assert last is not None
        assert box["x"] < last["x"] < box["x"] + box["width"]
        assert box["y"] < last["y"] < box["y"] + box["height"]
    table.page.locator("#outcome").hover()
    expect(table.page.locator("#way circle")).to_have_count(1)  # the move that led here


@pytest.mark.parametrize("flip", [0, 1])
def test_a_way_over_the_edge_is_cut_there(open_table: Callable[..., Table], flip: int) -> None:
    """Out at the side of d2 and in at the side of a2, also on a board turned round; and a pawn as the library
    draws it.
    """
    table = open_table(game=f"{EXAMPLE} a2", blue="you", flip=flip)
    lines = table.page.locator("#way line")
    expect(lines).to_have_count(2)
    ends = "line => ['x1', 'x2', 'y1', 'y2'].map((name) => Number(line.getAttribute(name)))"
    (x0, x1, y0, y1), (x2, x3, y2, y3) = (line.evaluate(ends) for line in lines.all())
    way = 1 if not flip else -1
    assert 0.5 < (x1 - x0) * way < 1, "to the right, or on the turned board to the left"
    assert 0.5 < (x3 - x2) * way < 1
    assert (x0 - x3) * way > 2.5, "from one side of the board to the other"
    assert y0 == y1 == y2 == y3
    outline = table.card("a2").locator(".pawn path").get_attribute("d")
    assert f'd="{outline}"' in draw_position(table.game.position)


def test_perfect_play_is_played_step_by_step(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, view="analyse", hints=1)
    line = analyse(EXAMPLE).line
    for number in range(1, len(line) + 1):
        table.page.get_by_role("button", name="Play the next move").click()
        table.wait_for_plies(number)
    assert table.game.squares == line
    expect(table.page.locator("#outcome")).to_have_text("Red has won: blue cannot move.")
    table.open(game=EXAMPLE, view="analyse", hints=1)
    table.page.locator("#line button").nth(4).click()
    table.wait_for_plies(5)
    assert table.game.squares == line[:5]


def test_the_game_is_looked_back_on(open_table: Callable[..., Table]) -> None:
    table = open_table(game=BLUNDERS, view="analyse", hints=1)
    looked = review(parse_game(BLUNDERS))
    expect(table.page.locator("#verdicts .verdict")).to_have_count(len(looked.moves))
    verdicts = table.page.locator("#verdicts .verdict > button")
    for text, move in zip(verdicts.all_text_contents(), looked.moves, strict=True):
        assert f"{move.number}. {move.to}" in text
        assert move.summary in text
        if move.why:
            assert text.endswith(sentence(str(move.why)))
    folds = table.page.locator("#verdicts summary")
    expect(folds).to_have_text(["2 quiet moves (1 to 2)"])
    first = table.page.locator('#verdicts [data-ply="1"]')
    expect(first).to_be_hidden()
    folds.click()
    first.click()
    expect(table.page.locator("#ply")).to_have_text("1 / 7")
    expect(first).to_have_attribute("aria-current", "step")
    expect(folds).to_have_attribute("aria-current", "step")
    table.page.keyboard.press("ArrowRight")
    expect(table.page.locator("#ply")).to_have_text("2 / 7")
    expect(first).to_be_visible()  # it stays unfolded
    expect(table.page.locator("#verdicts")).to_contain_text("blue's last chance to win")
    assert table.page.locator("#graph .turned").count() == len(looked.turning_points) == 4
    titles = table.page.locator("#graph .spot title").all_text_contents()
    for title, one in zip(titles, looked.analyses, strict=True):
        assert title.endswith(in_moves(str(one.outcome)))
    winners = [str(one.winner) for one in looked.analyses]
    assert table.page.locator("#graph .red-point").count() == winners.count("red")
    assert table.page.locator("#graph .blue-point").count() == winners.count("blue")
    table.page.locator('#graph [data-ply="3"]').click()
    expect(table.page.locator("#ply")).to_have_text("3 / 7")
    table.page.locator('#verdicts [data-ply="6"]').click()
    expect(table.page.locator("#ply")).to_have_text("6 / 7")
    assert table.state["ply"] == "6"


@pytest.mark.parametrize(("width", "height"), [(320, 640), pytest.param(1200, 900, marks=pytest.mark.slow)])
def test_why_the_best_move_is_the_best(open_table: Callable[..., Table], width: int, height: int) -> None:
    """The answer about one position is cleared when the next is shown."""
    table = open_table(game=BLUNDERS, ply=4, width=width, height=height, blue="you")
    button, said = table.page.get_by_role("button", name="Why is this best?"), table.page.locator("#why-said")
    tempting, line = table.page.locator("#why-tempting"), table.page.locator("#why-line")
    expect(button).to_be_hidden()
    table.page.locator("#hints").click()
    for ply in (4, 5):
        solved = analyse(parse_game(BLUNDERS).positions[ply])
        why = why_best(solved)
        assert why is not None
        expect(said).to_be_empty()
        expect(tempting).to_be_empty()
        button.click()
        expect(said).to_have_text(sentence(str(why)))
        other = most_tempting(solved)
        assert other is not None
        expect(tempting).to_have_text(sentence(str(other)))
        expect(line).to_have_text(" ".join([other.move.name, *other.after.line]))
        assert table.page.evaluate("document.documentElement.scrollWidth") <= width
        table.page.locator("#forward").click()
    table.page.locator("#last").click()
    expect(button).to_be_hidden()  # the game is over


def test_what_tempts_is_a_line_to_step_through(open_table: Callable[..., Table]) -> None:
    table = open_table(game=BLUNDERS, ply=4, view="analyse", hints=1)
    other = most_tempting(analyse(parse_game(BLUNDERS).positions[4]))
    assert other is not None
    table.page.get_by_role("button", name="Why is this best?").click()
    line = [other.move.name, *other.after.line]
    expect(table.page.locator("#why-line button")).to_have_text(line)
    table.page.locator("#why-line button").nth(1).click()
    expect(table.page.locator("#ply")).to_have_text(f"6 / {4 + len(line)}")
    assert list(table.game.squares[4:]) == line
    table.page.locator("#last").click()
    expect(table.page.locator("#turn")).to_contain_text("cannot move")
    assert parse_game(table.state["tree"]).squares == parse_game(BLUNDERS).squares, (
        "the game is the main line"
    )


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("..../.2r../.Ab../.2.. r", "There is no other move."),
        ("A3Jr4/2AA2/234Jb/332A r b1 d4 a3 c4 a1 a4 a2", "No other move is worse."),
    ],
)
def test_if_no_move_is_worse_that_is_said(open_table: Callable[..., Table], position: str, said: str) -> None:
    table = open_table(game=position, hints=1, blue="you")
    table.page.get_by_role("button", name="Why is this best?").click()
    expect(table.page.locator("#why-tempting")).to_have_text(said)
    expect(table.page.locator("#why-line")).to_be_empty()


def test_after_a_game_where_did_it_turn(open_table: Callable[..., Table]) -> None:
    table = open_table(game=BLUNDERS, blue="you")
    table.page.get_by_role("button", name="Where did I go wrong?").click()
    expect(table.page.locator("#verdicts .verdict")).to_have_count(7)


def test_the_editor_says_live_what_is_wrong(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE)
    page, verdict = table.page, table.page.locator("#edit-verdict")
    table.turn_to("edit")
    expect(verdict).to_have_text("A position of a real game.")
    page.get_by_role("button", name="Ace", exact=True).click()
    table.card("a2").click()
    expect(verdict).to_contain_text("5 aces are face up, and the deck has 4")
    page.get_by_role("button", name="Collapsed", exact=True).click()
    table.card("a4").click()
    expect(verdict).to_contain_text("blue pawn stands on a collapsed card at a4")
    expect(page.get_by_role("button", name="Analyse it")).to_be_disabled()
    page.get_by_role("button", name="Blue pawn", exact=True).click()
    table.card("c3").click()
    page.locator("#edit-side").select_option("blue")
    expect(page.locator("#edit-text")).to_have_text("A223/AA2Jr/3A2b3/.3A4 b")
    for reason in collapsi.status(parse_position("A223/AA2Jr/3A2b3/.3A4 b")):
        expect(verdict).to_contain_text(str(reason), ignore_case=True)
    page.get_by_role("button", name="Red pawn", exact=True).click()
    table.card("d2").click()  # a second click takes it away
    expect(verdict).to_contain_text("No red pawn")
    table.card("a2").focus()
    page.keyboard.press("r")
    page.keyboard.press("4")
    expect(page.locator("#edit-text")).to_have_text("A223/4rA2J/3A2b3/.3A4 b")
    draft = table.state["draft"]
    table.reload()  # what was laid is in the URL too
    expect(page.locator("#edit-text")).to_have_text("A223/4rA2J/3A2b3/.3A4 b")
    assert table.state["draft"] == draft
    page.get_by_role("button", name="Analyse it").click()
    analysis = analyse("A223/4rA2J/3A2b3/.3A4 b")
    expect(page.locator("#moves li")).to_have_count(len(analysis.moves))
    for reason in analysis.warnings:
        expect(page.locator("#warnings")).to_contain_text(str(reason))
    assert table.values() == {move.to: shown_value(move, analysis.best) for move in analysis.moves}


def test_a_link_opened_afresh_is_the_same(open_table: Callable[..., Table]) -> None:
    table = open_table(game=BLUNDERS, view="analyse", hints=1, ply=3, flip=1, blue="2")
    expect(table.page.locator("#verdicts .verdict")).to_have_count(7)
    table.turn_to("share")
    link = table.page.get_by_label("Link", exact=True).input_value()
    other = open_table()
    other.page.goto(link)
    expect(other.page.locator("#ply")).to_have_text("3 / 7")
    expect(other.page.locator("#verdicts .verdict")).to_have_count(7)
    for each in (table, other):  # with the values
        each.wait_until_quiet()
    assert other.state == {**table.state, "view": "analyse"}
    assert other.board() == table.board()
    assert table.page.get_by_label("Game as text", exact=True).input_value() == BLUNDERS
    position = parse_game(BLUNDERS).positions[3]
    assert table.page.get_by_label("Position as text", exact=True).input_value() == format_position(position)
    published = table.page.get_by_label("published solver's form").first.input_value()
    assert published == collapsi.format_published(position)


def test_texts_are_copied(open_table: Callable[..., Table]) -> None:
    table = open_table(game=BLUNDERS, view="share")
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table.page.clock.install()
    table.page.clock.pause_at(table.page.evaluate("Date.now() / 1000 + 600"))
    table.page.get_by_role("button", name="Copy: Game as text").click()
    expect(table.page.get_by_role("button", name="Copy: Game as text")).to_have_text("Copied")
    assert table.page.evaluate("navigator.clipboard.readText()") == BLUNDERS
    table.page.clock.run_for(1500)
    expect(table.page.get_by_role("button", name="Copy: Game as text")).to_have_text("Copy")


def test_back_and_forward(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, blue="you")
    table.card("a2").click()
    table.wait_for_plies(1)
    table.card("b4").click()
    table.wait_for_plies(2)
    table.page.get_by_role("button", name="Analyse", exact=True).click()
    expect(table.page.locator("body[data-view=analyse]")).to_be_visible()
    table.page.go_back()
    expect(table.page.locator("body[data-view=play]")).to_be_visible()
    expect(table.page.locator("#ply")).to_have_text("2 / 2")
    table.page.go_back()
    expect(table.page.locator("#ply")).to_have_text("1 / 1")
    expect(table.page.locator("#turn")).to_contain_text("Blue to move")
    table.page.go_back()
    expect(table.page.locator("#ply")).to_have_text("0 / 0")
    table.page.go_forward()
    table.page.go_forward()
    expect(table.page.locator("#ply")).to_have_text("2 / 2")


def test_back_against_the_computer_is_before_my_move(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE)
    table.card("a2").click()
    table.wait_for_plies(2)
    table.page.go_back()
    expect(table.page.locator("#ply")).to_have_text("0 / 0")
    table.page.go_forward()
    table.wait_for_plies(2)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("1223/4121r/3123/1b314/0", EXAMPLE),
        (f"{EXAMPLE} a2 b4", f"{EXAMPLE} a2 b4"),
        ("a223/4a2jr/3a23/jb3a4_R_JOKER_A2", f"{EXAMPLE} joker a2"),
    ],
)
def test_texts_in_any_notation_are_opened(open_table: Callable[..., Table], text: str, game: str) -> None:
    table = open_table(view="share", blue="you")
    table.page.locator("#open-text").fill("what is this?")
    table.page.get_by_role("button", name="Open it").click()
    expect(table.page.locator("#open-error")).to_contain_text("instead of 4")
    table.page.locator("#open-text").fill(text)
    table.page.get_by_role("button", name="Open it").click()
    expect(table.page.locator("body[data-view=play]")).to_be_visible()
    assert format_game(table.game) == game


def test_pictures_and_texts_are_downloaded(open_table: Callable[..., Table], tmp_path: Path) -> None:
    table = open_table(game=f"{EXAMPLE} a2 b4", view="share")
    content = {}
    for name, button in (("svg", "Board as SVG"), ("png", "Board as PNG"), ("txt", "Game as text")):
        with table.page.expect_download() as waiting:
            table.page.get_by_role("button", name=button, exact=True).click()
        assert waiting.value.suggested_filename == f"collapsi.{name}"
        waiting.value.save_as(tmp_path / name)
        content[name] = (tmp_path / name).read_bytes()
    assert content["svg"].decode() == draw_position(table.game.position)
    assert content["png"].startswith(b"\x89PNG")
    assert len(content["png"]) > 10_000  # drawn, not blank
    assert content["txt"].decode() == f"{EXAMPLE} a2 b4\n"


def check_similar(table: Table, deal: Position) -> None:
    """The panel of similar deals has what the library finds. Text and rows are filled together."""
    found = similar_deals(deal)
    expect(table.page.locator("#similar-text")).to_have_text(found.text)
    shown = [row.split() for row in table.page.locator("#similar-moves").inner_text().splitlines()]
    moves = found.to_json(deal)["first_moves"]
    assert shown == [
        f"{move['text']} {' '.join(move['squares'])} "
        f"{percent(move['best'], found.deals)} {percent(move['wins'], found.deals)}".split()
        for move in moves
    ]


def test_deals_like_this_one(open_table: Callable[..., Table], screenshots: Path) -> None:
    """Asked for when opened; about the deal at any move of the game; only for rules that have it."""
    table = open_table(game=f"{EXAMPLE} a2 b4", view="analyse", width=1280, height=800)
    page, similar = table.page, table.page.locator("#similar")
    table.wait_until_quiet()
    assert not [url for url in table.asked if "/v1/similar" in url]
    similar.locator("summary").click()
    check_similar(table, parse_position(EXAMPLE))
    similar.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "similar-1280.png")
    page.locator("#first").click()
    expect(page.locator("#ply")).to_have_text("0 / 2")
    check_similar(table, parse_position(EXAMPLE))
    joker = f"{EXAMPLE} joker"
    table.open(game=joker, view="analyse")
    similar.locator("summary").click()
    check_similar(table, parse_position(joker))
    page.set_viewport_size({"width": 390, "height": 844})
    similar.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "similar-390.png")
    table.open(game=".4r../33../32../42Ab3 b", view="analyse")
    similar.locator("summary").click()
    expect(page.locator("#similar-text")).to_contain_text("is not a whole deal: some cards have collapsed")
    expect(page.locator("#similar-table")).to_be_hidden()
    table.open(game=f"{EXAMPLE} shift", view="analyse")
    table.wait_until_quiet()
    expect(similar).to_be_hidden()


def test_the_census_of_this_deal(
    open_table: Callable[..., Table], server: Server, cache_folder: Path, screenshots: Path
) -> None:
    """With few deals in place of all: it is under way for as long as another writer holds the folder."""
    rows = rows_of(1, also=(parse_position(EXAMPLE),))
    with open_writer(cache_folder / "collapsi" / "atlas" / "standard") as place:
        table = open_table(game=EXAMPLE, view="census", blue="you")
        page = table.page
        expect(page.locator("#census-wait-text")).to_contain_text("Solving every deal: ")
        expect(page.locator("#census-rules")).to_have_text(f"Standard. {collapsi.STANDARD.text}")
        table.turn_to("play")  # everything else works meanwhile
        table.card("a2").click()
        table.wait_for_plies(1)
        table.turn_to("census")
        expect(page.locator("#census-body")).to_be_hidden()
        place.write(rows, facts_of(rows))
    expect(page.locator("#census-body")).to_be_visible()
    said = page.locator("#deal-class")
    deals, alike = rows["weight"].sum(), rows.filter(plies=13)
    expect(said).to_contain_text(f"Red wins in 13 moves. So do {alike['weight'].sum():,} of {deals:,} deals")
    expect(said).to_contain_text("1 of its 4 first moves wins")
    expect(said).to_contain_text(f"{len(alike)} deals of this length are truly different, {len(rows)} of all")
    expect(page.locator(".bars .this")).to_contain_text("red wins in 13")
    page.screenshot(path=screenshots / "census.png", full_page=True)
    twin = page.locator(".twins a").first
    twin.click()
    page.wait_for_function("() => !location.search.includes('A223/4A2Jr/')")
    table.wait_until_quiet()
    deal = table.game.positions[0]
    assert deal in images(parse_position(EXAMPLE))
    expect(said).to_contain_text("Red wins in 13 moves")
    lost = min(rows.filter(winning_moves=0)["plies"].to_list())
    of_kind = rows.filter(winning_moves=0, plies=lost)["weight"].sum()
    page.locator("#kind-plies").select_option(str(lost))
    page.locator("#kind-moves").select_option("0")
    expect(page.locator("#kind-note")).to_have_text(f"{of_kind} deals are of this kind.")
    page.get_by_role("button", name="Deal it").click()
    expect(said).to_contain_text(f"Blue wins in {lost} moves")
    assert analyse(table.game.position).plies == lost
    assert server.get_json("/api/v1/census")["state"] == "ready"


def test_the_rules_are_shown_with_examples(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, view="rules")
    images = table.page.locator("#examples img")
    expect(images).to_have_count(7)
    for image in images.all():
        image.scroll_into_view_if_needed()
    table.page.wait_for_function(
        "() => [...document.querySelectorAll('#examples img')].every(image => image.naturalWidth > 0)"
    )
    height = table.page.evaluate("document.querySelector('#view').getBoundingClientRect().bottom + scrollY")
    assert height <= 900  # one screen
    for link in ("riffleshuffleandroll.itch.io/collapsi", "youtu.be/FgHkYEFGCXI", "arxiv.org/abs/2507.16823"):
        assert table.page.locator(f'footer a[href="https://{link}"]').count() == 1
    expect(table.page.locator("footer")).to_contain_text("Mark S. Ball")


def test_the_browser_understands_the_whole_style_sheet(open_table: Callable[..., Table]) -> None:
    """A browser passes over a property or value that it does not know, and says nothing."""
    style = re.sub(r"/\*.*?\*/", "", (PAGE / "style.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    bodies = "".join(re.findall(r"\{([^{}]*)\}", style))
    said = [*re.findall(r"([\w-]+):\s*([^;]*?)(?: !important)?;", bodies), ("colour", "red")]
    script = "said => said.filter(([name, value]) => !CSS.supports(name, value))"
    assert len(said) > 500
    assert open_table().page.evaluate(script, said) == [["colour", "red"]]


def test_the_focus_stays_where_it_was(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, view="analyse")
    focused = """() => {
        const e = document.activeElement;
        return [e.parentElement.parentElement.id || e.parentElement.id, e.id, e.dataset.key];
    }"""
    table.page.get_by_role("button", name="Show what every move is worth").focus()
    table.page.keyboard.press("Enter")
    expect(table.page.locator("#outcome")).to_be_focused()
    table.page.locator("#moves button").first.focus()
    table.page.keyboard.press("Enter")
    table.wait_for_plies(1)
    expect(table.page.locator("#moves li")).to_have_count(len(table.game.position.moves))
    assert table.page.evaluate(focused)[0] == "moves"
    table.page.locator("#verdicts button").first.focus()
    table.page.keyboard.press("Enter")
    assert table.page.evaluate(focused)[2] == "1"
    table.page.locator("#back").focus()
    table.page.keyboard.press("Enter")
    expect(table.page.locator("#ply")).to_have_text("0 / 1")
    expect(table.page.locator("#back")).to_be_focused()


def test_a_link_can_be_pasted_and_a_twin_opened_in_a_new_tab(open_table: Callable[..., Table]) -> None:
    table = open_table(view="share", blue="you")
    table.page.locator("#open-text").fill(
        f"http://somewhere.example/?game={BLUNDERS.replace(' ', '_')}&view=analyse"
    )
    table.page.get_by_role("button", name="Open it").click()
    expect(table.page.locator("#ply")).to_have_text("7 / 7")
    assert format_game(table.game) == BLUNDERS


def test_edits_are_taken_back_with_back(open_table: Callable[..., Table]) -> None:
    table = open_table(game=EXAMPLE, view="edit")
    text = table.page.locator("#edit-text")
    table.page.get_by_role("button", name="Red pawn", exact=True).click()
    table.card("a4").click()  # in place of the blue one
    expect(text).to_have_text("A223/4A2J/3A23/Jr3A4 r")
    expect(table.page.locator("#edit-verdict")).to_have_text("No blue pawn.")
    table.page.get_by_role("button", name="Clear the board").click()
    expect(text).to_have_text("..../..../..../.... r")
    table.page.go_back()
    expect(text).to_have_text("A223/4A2J/3A23/Jr3A4 r")
    table.page.go_back()
    expect(text).to_have_text(EXAMPLE)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (320, 640),
        (1920, 1080),
        pytest.param(640, 360, marks=pytest.mark.slow),
        pytest.param(1366, 650, marks=pytest.mark.slow),
    ],
)
def test_cards_can_be_read_at_every_size(open_table: Callable[..., Table], width: int, height: int) -> None:
    """A value does not cover the number of its card, nor the corner its face."""
    table = open_table(game=EXAMPLE, hints=1, width=width, height=height)
    expect(table.page.locator("#board .value")).to_have_count(4)
    box = """card => Object.fromEntries(["face", "corner", "value"].map(name => {
        const range = document.createRange(); const part = card.querySelector("." + name);
        if (name === "value") return [name, part.getBoundingClientRect().top];
        range.selectNodeContents(part); const at = range.getBoundingClientRect();
        const middle = (at.top + at.bottom) / 2;
        return [name, name === "face" ? middle + (at.bottom - at.top) * .3 : at.right]; }))"""
    for square in ("a2", "c2", "d1", "d3"):
        found = table.card(square).evaluate(box)
        assert found["face"] <= found["value"] + 1
